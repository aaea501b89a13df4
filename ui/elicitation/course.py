"""One assessor's questions under way: the log in the decision, and what the model says of it, behind the window."""

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
from dpwizard.elicitation import AnswerInfluence, answered_by, as_it_stands, sessions_about, setup_for, spoken_of
from dpwizard.elicitation import interview as elicitation
from dpwizard.wording import explain
from ui.session import DocumentSession
from ui.widgets import tr
from ui.workers import Background


@dataclass(frozen=True, kw_only=True)
class CourseState:
    """What follows from a log at once: the next question, or the closing look, and the contradictions."""

    log: Log
    question: Question | None
    closing: elicitation.InterviewState | None
    conflicts: tuple[elicitation.Inconsistency, ...]


@dataclass(frozen=True, kw_only=True)
class Conclusion:
    """What a log comes to: its result, what moves it and what it implies, its figure, what the last answer changed.

    All epsilons are those of the release as it stands. epsilons: for a guess or for accuracy, the epsilon at the value
    taken over and at both ends of its interval. refused: why a profile says nothing of this release, in words.
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
class _Sought:
    """What the search behind the window is given."""

    log: Log
    decision: Decision
    index: int
    before: Log | None = None


def look(log: Log, stop: Stop) -> CourseState:
    """Return what follows from LOG at once."""
    with speaking(log.language):
        question = elicitation.next_question(log)
        closing = elicitation.next_look(log) if question is None else None
        return CourseState(log=log, question=question, closing=closing, conflicts=elicitation.inconsistencies(log))


def find(sought: _Sought, stop: Stop) -> Conclusion:
    """Return what a log comes to."""
    log = sought.log
    requirement, release = sought.decision.requirements[sought.index], sought.decision.release
    with speaking(log.language):
        spoken_now = spoken_of(requirement, release)
        now = as_it_stands(log, requirement, release)
        before = None if sought.before is None else as_it_stands(sought.before, requirement, release)
        result = spoken_now.result(elicitation.result(now))
        influences = elicitation.influences(now, stop) if result.status != "too_few" else ()
        return Conclusion(
            log=log,
            result=result,
            influences=tuple(spoken_now.influence(one) for one in influences),
            playback=elicitation.playback(log),
            figure=tolerance_chart.figure(result, log.setup),
            change=spoken_now.change(elicitation.change(before, now)) if before is not None else None,
            epsilons=_epsilons(sought, result),
            refused="" if spoken_now.why is None else explain.why(spoken_now.why, kind="relative_risk"),
        )


def _epsilons(sought: _Sought, result: elicitation.Result) -> tuple[float | None, float | None, float | None]:
    """Return the epsilon that a value and the ends of its interval mean for the release as it stands."""
    if result.value is None:
        return None, None, None
    requirement = sought.decision.requirements[sought.index]
    found = []
    for value in (result.value, result.value_low, result.value_high):
        kept = answered_by(requirement, sought.log.model_copy(update={"agreed": Agreed(value=value)}))
        asked = sought.decision.model_copy(update={"requirements": (kept,), "epsilon": None, "rho": None})
        found.append(assessment.assess(asked).answers[0].epsilon)
    return found[0], found[1], found[2]


class Course(QObject):
    """Writes every answer into the decision as an edit with a name; tells when there is something new to show."""

    moved = Signal()  # another log, or the log has changed: what follows is being found
    looked = Signal(object)  # a Look at the log as it stands
    found = Signal(object)  # a Conclusion of the log as it stands
    failed = Signal(str)  # what went wrong, in words

    def __init__(self, session: DocumentSession, index: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.index = index
        self.place: int | None = None  # of the log among the decision's
        self.look: CourseState | None = None
        self.outcome: Conclusion | None = None
        self.now: Callable[[], datetime] = lambda: datetime.now(UTC).astimezone()
        self._log: Log | None = None
        self._about: tuple[Requirement, Release] | None = None  # what the outcome is of
        self._before: Log | None = None  # the log before the last correction, to say what that changed
        self._looks = Background(look, parent=self)
        self._looks.done.connect(self._show_look)
        self._looks.failed.connect(lambda log, said: self.failed.emit(said) if log == self._log else None)
        self._finds = Background(find, parent=self)
        self._finds.done.connect(self._show_result)
        self._finds.failed.connect(lambda sought, said: self.failed.emit(said) if sought.log == self._log else None)
        session.changed.connect(self._follow)

    def close(self) -> None:
        """End what runs behind; nobody listens any more."""
        self.session.changed.disconnect(self._follow)
        self._looks.close()
        self._finds.close()

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
        """Return whether something is being found, or what follows from the log as it stands is not known yet."""
        return self._looks.busy or self._finds.busy or (self.look is not None and self.look.log != self.log)

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
        self._follow()

    # -------------------------------------------------------------------------------------- answers

    def answer(
        self, question: Question, answer: str, seconds: float | None = None, corrected: Chance | None = None
    ) -> None:
        """Write an answer into the log."""
        log = self._held()
        self._before = log if question.kind == "playback" else None
        name = tr("Answer a question") if question.kind != "playback" else tr("Answer what was played back")
        longer = elicitation.answered(log, question, answer, corrected=corrected, seconds=seconds, time=self._time())
        self._put(name, longer)

    def judge(self, look: elicitation.InterviewState, too_much: tuple[int, ...], more: bool, seconds: float) -> None:
        """Write how a closing look was judged into the log."""
        log = elicitation.judged(self._held(), look, too_much, more, seconds=seconds, time=self._time())
        self._before = None
        self._put(tr("Judge the closing look"), log)

    def revise(self, number: int, answer: str, seconds: float | None = None) -> None:
        """Change answer NUMBER; the old one stays in the log."""
        log = elicitation.changed(self._held(), number, answer, seconds=seconds, time=self._time())
        self._put(tr("Change an answer"), log)

    def settle(self, first: int, second: int, stands: str, reason: str = "") -> None:
        """Settle the contradiction between two answers; both stay in the log."""
        log = elicitation.settled(self._held(), first, second, stands, reason=reason.strip() or None, time=self._time())
        self._put(tr("Settle a contradiction"), log)

    def numbers(self) -> tuple[int, ...]:
        """Return the numbers of the answers that stand, played-back values left out."""
        log = self._held()
        stands = log.standing()
        return tuple(n for n, reply in enumerate(log.replies, 1) if stands[n - 1] and reply.question.kind != "playback")

    def seek(self) -> None:
        """Find what the log comes to; `found` tells it."""
        log = self.log
        if log is None:
            return
        if self.outcome is not None and self._known(log):
            self.found.emit(self.outcome)
            return
        self._finds.request(_Sought(log=log, decision=self.session.decision, index=self.index, before=self._before))

    def use(self, log: Log | None = None) -> None:
        """Take over what the answers (or LOG, an agreement) support, as one edit. Raises InvalidInput in words."""
        source = log if log is not None else as_it_stands(self._held(), self.requirement, self.session.decision.release)
        if log is None and self.outcome is not None and self._known(self._held()):  # nothing is computed here
            known = self.outcome.result
            source = source.model_copy(update={"agreed": Agreed(profile=known.profile, value=known.value)})
        taken = answered_by(self.requirement, source)
        decision = edits.put(self.session.decision, f"$.requirements[{self.index}]", taken)
        name = tr("Use the profile agreed on") if log is not None else tr("Use the profile found by questions")
        if source.setup.topic != "risk":
            name = tr("Use the value agreed on") if log is not None else tr("Use the value found by questions")
        self.session.edit(name, decision)

    # --------------------------------------------------------------------------------------- within

    def _known(self, log: Log) -> bool:
        """Return whether what LOG comes to is known already, for the requirement and the release as they stand."""
        same = self._about == (self.requirement, self.session.decision.release)
        return same and self.outcome is not None and self.outcome.log == log

    def _held(self) -> Log:
        log = self.log
        assert log is not None
        return log

    def _time(self) -> str:
        return self.now().isoformat(timespec="seconds")

    def _put(self, name: str, log: Log) -> None:
        self.session.edit(name, edits.put(self.session.decision, f"$.elicitation[{self.place}]", log))

    def _follow(self) -> None:
        """The decision has changed, perhaps by undo: show the log as it now is."""
        log = self.log
        if log is None:
            self.place = None
        if log == self._log:
            return
        self._log, self.look = log, None
        if self._before is not None and (
            log is None or log.replies[: len(self._before.replies)] != self._before.replies
        ):
            self._before = None
        self.moved.emit()
        if log is not None:
            self._looks.request(log)

    def _show_look(self, log: Log, found: CourseState) -> None:
        if log == self._log:
            self.look = found
            self.looked.emit(found)

    def _show_result(self, sought: _Sought, found: Conclusion) -> None:
        if sought.log == self._log:
            self.outcome = found
            self._about = (sought.decision.requirements[sought.index], sought.decision.release)
            self.found.emit(found)
