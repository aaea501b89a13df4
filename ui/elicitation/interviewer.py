"""One assessor's questions: the log in the decision, and its next step and outcome, computed in the background."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from PySide6.QtCore import QObject, Signal

from dpwizard.base.language import speaking, spoken
from dpwizard.base.stopping import Stop
from dpwizard.charts import Figure, tolerance_chart
from dpwizard.decision import Agreed, Chance, Decision, Question, Release, Setup, assessment, edits
from dpwizard.decision import ElicitationSession as Log
from dpwizard.decision.requirements import Requirement
from dpwizard.elicitation import (
    AnswerInfluence,
    answered_by,
    release_epsilons,
    sessions_about,
    setup_for,
    with_current_factor,
)
from dpwizard.elicitation import interview as elicitation
from dpwizard.wording import assessments
from ui.session import DocumentSession
from ui.widgets import tr
from ui.workers import Background


@dataclass(frozen=True, kw_only=True)
class NextStep:
    """The next question or closing look after a log, and its contradictions."""

    log: Log
    question: Question | None
    closing: elicitation.InterviewState | None
    conflicts: tuple[elicitation.Inconsistency, ...]


@dataclass(frozen=True, kw_only=True)
class QuestionsOutcome:
    """The result of a log, the influence of each answer, what it implies, its figure, and the last answer's effect.

    All epsilons are those of the current release. epsilons: for a guess or for accuracy, the epsilon of the value and
    of both ends of its interval. refused: why a profile does not apply to this release, in words.
    """

    log: Log
    result: elicitation.Result
    influences: tuple[AnswerInfluence, ...]
    playback: tuple[Question, ...]
    figure: Figure
    change: elicitation.AnswerEffect | None = None
    epsilons: tuple[float | None, float | None, float | None] = (None, None, None)
    refused: str = ""


@dataclass(frozen=True, kw_only=True)
class _OutcomeRequest:
    """The inputs of the computation in the background."""

    log: Log
    decision: Decision
    index: int
    before: Log | None = None


def next_step(log: Log, stop: Stop) -> NextStep:
    """Return what follows from LOG at once."""
    with speaking(log.language):
        question = elicitation.next_question(log)
        closing = elicitation.next_look(log) if question is None else None
        return NextStep(log=log, question=question, closing=closing, conflicts=elicitation.inconsistencies(log))


def outcome_of(request: _OutcomeRequest, stop: Stop) -> QuestionsOutcome:
    """Return what a log comes to."""
    log = request.log
    requirement, release = request.decision.requirements[request.index], request.decision.release
    with speaking(log.language):
        spoken_now = release_epsilons(requirement, release)
        now = with_current_factor(log, requirement, release)
        before = None if request.before is None else with_current_factor(request.before, requirement, release)
        result = spoken_now.result(elicitation.result(now))
        influences = elicitation.influences(now, stop) if result.status != "too_few" else ()
        return QuestionsOutcome(
            log=log,
            result=result,
            influences=tuple(spoken_now.influence(one) for one in influences),
            playback=elicitation.playback(log),
            figure=tolerance_chart.figure(result, log.setup),
            change=spoken_now.change(elicitation.change(before, now)) if before is not None else None,
            epsilons=_epsilons(request, result),
            refused="" if spoken_now.why is None else assessments.why(spoken_now.why, kind="relative_risk"),
        )


def _epsilons(request: _OutcomeRequest, result: elicitation.Result) -> tuple[float | None, float | None, float | None]:
    if result.value is None:
        return None, None, None
    requirement = request.decision.requirements[request.index]
    epsilons = []
    for value in (result.value, result.value_low, result.value_high):
        kept = answered_by(requirement, request.log.model_copy(update={"agreed": Agreed(value=value)}))
        asked = request.decision.model_copy(update={"requirements": (kept,), "epsilon": None, "rho": None})
        epsilons.append(assessment.assess(asked).answers[0].epsilon)
    return epsilons[0], epsilons[1], epsilons[2]


class Interviewer(QObject):
    """Writes every answer into the decision as an edit, and signals the next step and the outcome."""

    log_changed = Signal()
    next_step_ready = Signal(object)  # the NextStep after the current log
    outcome_ready = Signal(object)  # the QuestionsOutcome of the current log
    failed = Signal(str)  # the reason, in words

    def __init__(self, session: DocumentSession, index: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.index = index
        self.place: int | None = None  # of the log among the decision's
        self.next_step: NextStep | None = None
        self.outcome: QuestionsOutcome | None = None
        self.now: Callable[[], datetime] = lambda: datetime.now(UTC).astimezone()
        self._log: Log | None = None
        self._about: tuple[Requirement, Release] | None = None  # what the outcome is of
        self._before: Log | None = None  # the log before the last correction, to say what that changed
        self._step_worker = Background(next_step, parent=self)
        self._step_worker.done.connect(self._show_next_step)
        self._step_worker.failed.connect(lambda log, words: self.failed.emit(words) if log == self._log else None)
        self._outcome_worker = Background(outcome_of, parent=self)
        self._outcome_worker.done.connect(self._show_result)
        self._outcome_worker.failed.connect(
            lambda request, words: self.failed.emit(words) if request.log == self._log else None
        )
        session.changed.connect(self.follow)

    # ------------------------------------------------------------------------------------ which log

    @property
    def requirement(self) -> Requirement:
        """Return the requirement asked about."""
        return self.session.decision.requirements[self.index]

    @property
    def log(self) -> Log | None:
        """Return the log under way."""
        logs = self.session.decision.elicitation
        return logs[self.place] if self.place is not None and self.place < len(logs) else None

    @property
    def busy(self) -> bool:
        """Return whether work is running, or the next step after the current log is not known yet."""
        return (
            self._step_worker.busy
            or self._outcome_worker.busy
            or (self.next_step is not None and self.next_step.log != self.log)
        )

    def setup(self, benefit: str | None = None, figure: str | None = None) -> Setup:
        """Return what questions about the requirement are about. Raises InvalidInput if an earlier step is open."""
        return setup_for(self.requirement, self.session.decision.release, benefit=benefit, figure=figure)

    def logs(self) -> tuple[tuple[int, Log], ...]:
        """Return the logs about this requirement as it stands, with their places among the decision's."""
        return sessions_about(self.session.decision, self.index)

    def begin(self, who: str, benefit: str, figure: str = "") -> None:
        """Begin a log for WHO. Raises InvalidInput in words."""
        setup = self.setup(benefit.strip() or None, figure.strip() or None)
        raw = {"setup": setup.model_dump(exclude_none=True), "assessor": who.strip(), "language": spoken()}
        log = elicitation.read_session(raw)
        # begun a moment ago, and nothing answered
        if self.log is not None and not self.log.replies and self.log.agreed is None:
            self._put(tr("Begin questions"), log)
            return
        decision = edits.add(self.session.decision, "$.elicitation", log)
        self.place = len(decision.elicitation) - 1
        self.session.edit(tr("Begin questions"), decision)

    def resume(self, place: int) -> None:
        """Go on with the log at PLACE."""
        self.place = place
        self.follow()

    # -------------------------------------------------------------------------------------- answers

    def answer(
        self, question: Question, answer: str, seconds: float | None = None, corrected: Chance | None = None
    ) -> None:
        """Write an answer into the log."""
        log = self._current_log()
        self._before = log if question.kind == "playback" else None
        name = tr("Answer a question") if question.kind != "playback" else tr("Answer what your answers imply")
        longer = elicitation.answered(log, question, answer, corrected=corrected, seconds=seconds, time=self._time())
        self._put(name, longer)

    def judge(self, look: elicitation.InterviewState, too_much: tuple[int, ...], more: bool, seconds: float) -> None:
        """Write how a closing look was judged into the log."""
        log = elicitation.judged(self._current_log(), look, too_much, more, seconds=seconds, time=self._time())
        self._before = None
        self._put(tr("Answer the final check"), log)

    def revise(self, number: int, answer: str, seconds: float | None = None) -> None:
        """Change answer NUMBER; the old one stays in the log."""
        log = elicitation.changed(self._current_log(), number, answer, seconds=seconds, time=self._time())
        self._put(tr("Change an answer"), log)

    def settle(self, first: int, second: int, stands: str, reason: str = "") -> None:
        """Settle the contradiction between two answers; both stay in the log."""
        log = elicitation.settled(
            self._current_log(), first, second, stands, reason=reason.strip() or None, time=self._time()
        )
        self._put(tr("Settle a contradiction"), log)

    def numbers(self) -> tuple[int, ...]:
        """Return the numbers of the answers that stand, played-back values left out."""
        log = self._current_log()
        stands = log.standing()
        return tuple(n for n, reply in enumerate(log.replies, 1) if stands[n - 1] and reply.question.kind != "playback")

    def compute_outcome(self) -> None:
        """Compute the outcome of the log; `outcome_ready` signals it."""
        log = self.log
        if log is None:
            return
        if self.outcome is not None and self._is_known(log):
            self.outcome_ready.emit(self.outcome)
            return
        decision = self.session.decision
        self._outcome_worker.request(_OutcomeRequest(log=log, decision=decision, index=self.index, before=self._before))

    def use(self, log: Log | None = None) -> None:
        """Take over what the answers (or LOG, an agreement) support, as one edit. Raises InvalidInput in words."""
        release = self.session.decision.release
        source = log if log is not None else with_current_factor(self._current_log(), self.requirement, release)
        if log is None and self.outcome is not None and self._is_known(self._current_log()):  # nothing is computed here
            known = self.outcome.result
            source = source.model_copy(update={"agreed": Agreed(profile=known.profile, value=known.value)})
        taken = answered_by(self.requirement, source)
        decision = edits.put(self.session.decision, f"$.requirements[{self.index}]", taken)
        name = tr("Use the profile agreed on") if log is not None else tr("Use the profile found by questions")
        if source.setup.topic != "risk":
            name = tr("Use the value agreed on") if log is not None else tr("Use the value found by questions")
        self.session.edit(name, decision)

    # --------------------------------------------------------------------------------------- within

    def _is_known(self, log: Log) -> bool:
        """Return whether what LOG comes to is known already, for the requirement and the release as they stand."""
        same = self._about == (self.requirement, self.session.decision.release)
        return same and self.outcome is not None and self.outcome.log == log

    def _current_log(self) -> Log:
        log = self.log
        assert log is not None
        return log

    def _time(self) -> str:
        return self.now().isoformat(timespec="seconds")

    def _put(self, name: str, log: Log) -> None:
        self.session.edit(name, edits.put(self.session.decision, f"$.elicitation[{self.place}]", log))

    def follow(self) -> None:
        """Follow the log: ask what comes after it if it has changed."""
        log = self.log
        if log is None:
            self.place = None
        if log == self._log:
            return
        self._log, self.next_step = log, None
        if self._before is not None and (
            log is None or log.replies[: len(self._before.replies)] != self._before.replies
        ):
            self._before = None
        self.log_changed.emit()
        if log is not None:
            self._step_worker.request(log)

    def _show_next_step(self, log: Log, step: NextStep) -> None:
        if log == self._log:
            self.next_step = step
            self.next_step_ready.emit(step)

    def _show_result(self, request: _OutcomeRequest, outcome: QuestionsOutcome) -> None:
        if request.log == self._log:
            self.outcome = outcome
            self._about = (request.decision.requirements[request.index], request.decision.release)
            self.outcome_ready.emit(outcome)
