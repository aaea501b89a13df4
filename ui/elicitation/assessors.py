"""The screen that compares several people's answers: their files, the spread in one plot, and the agreement."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import Qt, Signal

from dpwizard.base import files, json_text
from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.base.language import speaking, spoken
from dpwizard.base.messages import message
from dpwizard.base.stopping import Stop
from dpwizard.charts import Figure, tolerance_chart
from dpwizard.decision import BaseRequirement, Release, edits
from dpwizard.decision import ElicitationSession as Log
from dpwizard.elicitation import Result, Spread, release_epsilons, with_current_factor
from dpwizard.elicitation import interview as elicitation
from dpwizard.privacy.profiles import Profile
from dpwizard.wording import figures, texts
from ui.controls import Choice, LongText, Prose, ask_files, ask_place, labelled
from ui.elicitation.interviewer import Interviewer
from ui.elicitation.outcome import FigureCard, interval, promise, short
from ui.elicitation.people import PeopleCard, ShownPerson
from ui.elicitation.screen import Screen
from ui.forms import in_words
from ui.widgets import Card, Problem, added, button_for, in_a_row, theme, tr
from ui.workers import Background, Worker

ENDING = ".answers.json"
LARGEST = 16 * 2**20  # bytes of a file of answers
Option = tuple[float, str, Profile | None, float | None]  # to agree on: its place in order, words, profile, value


@dataclass(frozen=True)
class AssessorComparison:
    """Several logs with their results and the figure of them."""

    logs: tuple[Log, ...]
    spread: tuple[Spread, ...]
    figure: Figure


@dataclass(frozen=True)
class AssessorRequest:
    """Logs to be brought together, the requirement they are about, the release as it stands, and the language."""

    logs: tuple[Log, ...]
    requirement: BaseRequirement
    release: Release
    language: str


def compare_assessors(asked: AssessorRequest, stop: Stop) -> AssessorComparison:
    """Return the results of several logs, and their figure; every epsilon is one of the current release."""
    logs, requirement, release = asked.logs, asked.requirement, asked.release
    with speaking(asked.language):
        now = release_epsilons(requirement, release)
        found = elicitation.spread(tuple(with_current_factor(log, requirement, release) for log in logs))
        spread = tuple(replace(one, result=now.result(one.result)) for one in found)
        agreed = next((log.agreed.profile for log in reversed(logs) if log.agreed is not None), None)
        return AssessorComparison(logs, spread, tolerance_chart.spread_figure(spread, logs[0].setup, agreed))


def read_answers(path: Path) -> tuple[Log, ...]:
    """Return the logs in the file at PATH: one assessor's answers, or all those in a decision. Raises in words."""
    raw = json_text.parse(files.read_bytes(path, LARGEST))
    if isinstance(raw, dict) and isinstance(raw.get("elicitation"), list):
        return tuple(elicitation.read_session(one, f"$.elicitation[{i}]") for i, one in enumerate(raw["elicitation"]))
    if isinstance(raw, dict) and isinstance(raw.get("decision"), dict):
        return tuple(elicitation.read_session(one) for one in raw["decision"].get("elicitation", ()))
    if not isinstance(raw, dict) or "replies" not in raw:
        raise InvalidInput(
            message("{name} contains no answers to questions", name=path.name),
            "",
            "Choose a file of saved answers, or a decision.",
        )
    return (elicitation.read_session(raw),)


def write_answers(path: Path, log: Log) -> None:
    """Write one assessor's LOG to PATH, atomically."""
    files.write_atomically(path, json_text.document(log.model_dump(mode="json", exclude_none=True)), overwrite=True)


class AssessorsScreen(Screen):
    """Saves, imports and compares answers, and records an agreement."""

    use = Signal(object)  # the log that holds the agreement

    def __init__(self, colours: theme.Colours, interviewer: Interviewer) -> None:
        super().__init__(colours, tr("Several people’s answers"))
        self.interviewer = interviewer
        self.together: AssessorComparison | None = None
        self._asked: AssessorRequest | None = None
        self._agreed_now = False  # the keyboard goes on to using it, once it is shown
        about = tr(
            "Each person answers alone first, and saves the answers in a file. Then bring the files together here."
        )
        self.column.addWidget(Prose(about, "quiet"))
        self.save_button = button_for(tr("Save my answers in a file …"), self._choose_target)
        self.open_button = button_for(tr("Import others’ answers …"), self._choose_files)
        self.column.addWidget(in_a_row(self.save_button, self.open_button))
        self.column.addWidget(Prose(texts.word("elicitation", "not_cryptographic"), "caption"))
        self.says = added(self.column, Prose(hides=True))
        self.people = added(self.column, PeopleCard(colours))
        self.figure = added(self.column, FigureCard(colours, tr("How far apart the answers are")))
        card = self.agreement = Card(tr("What you agree on"))
        self.choice = Choice()
        card.column.addWidget(labelled(tr("Whose answer you agree on"), self.choice))
        self.reason = LongText(64)
        card.column.addWidget(labelled(tr("Why this one"), self.reason))
        self.problem = added(card.column, Problem())
        self.agree_button = button_for(tr("Record what was agreed"), self._agree)
        self.use_button = button_for(tr("Use what was agreed"), lambda: self.use.emit(self._agreement()), "primary")
        card.column.addWidget(in_a_row(self.agree_button, self.use_button))
        self.agreed = added(card.column, Prose())
        self.column.addWidget(card)
        self.column.addStretch(1)
        self.background = Background(compare_assessors, parent=self)
        self.background.done.connect(self._show)
        self.worker = Worker(self)  # reads and writes files
        self.background.failed.connect(lambda _, words: self.says.say(words))

    def enter(self) -> None:
        super().enter()
        self.says.say("")
        self.refresh()

    def refresh(self) -> None:
        """Show the logs that are there; their spread is found behind the window."""
        logs = tuple(log for _, log in self.interviewer.logs())
        self.save_button.setEnabled(self._log_to_save() is not None)
        asked = AssessorRequest(logs, self.interviewer.requirement, self.interviewer.session.decision.release, spoken())
        if self.together is not None and asked == self._asked:
            return
        if logs:
            self._asked = asked
            self.background.request(asked)
        else:
            self.together = None
        for card in (self.people, self.figure, self.agreement):
            card.setVisible(bool(logs) and card is self.people)

    # ------------------------------------------------------------------------------------- files

    def _log_to_save(self) -> Log | None:
        """Return the log to be saved: the one under way, else the only one there is."""
        logs = [log for _, log in self.interviewer.logs() if log.agreed is None]
        return self.interviewer.log or (logs[0] if len(logs) == 1 else None)

    def _choose_target(self) -> None:
        log = self._log_to_save()
        if log is None:
            return
        name = f"{log.assessor or 'answers'}{ENDING}"
        path = ask_place(self, tr("Save my answers"), tr("Answers (*.json)"), name)
        if path:
            self.save_to(Path(path))

    def _choose_files(self) -> None:
        endings = tr("Answers and decisions (*.json)")
        paths = ask_files(self, tr("Import others’ answers"), endings)
        if paths:
            self.bring_in(tuple(Path(path) for path in paths))

    def save_to(self, path: Path) -> None:
        """Save one's own answers to PATH."""
        log = self._log_to_save()
        place = path if path.suffix == ".json" else path.with_name(path.name + ENDING)
        if log is not None:
            self.worker.start(
                lambda progress: write_answers(place, log),
                lambda _: self.says.say(tr("Your answers are saved in {path}.", path=str(place))),
                lambda why: self.says.say(tr("Your answers could not be saved: {problem}", problem=in_words(why))),
            )

    def bring_in(self, paths: tuple[Path, ...]) -> None:
        """Join the answers in the files at PATHS with those that are here, as one edit."""
        self.worker.start(
            lambda progress: tuple(log for path in paths for log in read_answers(path)), self._join, self._not_joined
        )

    def _not_joined(self, problem: DPWizardError) -> None:
        self.says.say(tr("These answers cannot be imported: {problem}", problem=in_words(problem)))

    def _join(self, found: tuple[Log, ...]) -> None:
        logs = self.interviewer.session.decision.elicitation
        try:
            joined = elicitation.merged(logs, found)
            decision = edits.put(self.interviewer.session.decision, "$.elicitation", joined)
        except DPWizardError as problem:
            self._not_joined(problem)
            return
        if joined == logs:
            self.says.say(tr("All of these answers are here already."))
            return
        self.interviewer.session.edit(tr("Import others’ answers"), decision)
        added = len(joined) - len(logs)
        about = len(self.interviewer.logs())
        self.says.say(
            tr(
                "{n} log was imported. {about} of them are about this requirement as it is now.",
                "{n} logs were imported. {about} of them are about this requirement as it is now.",
                n=added,
                about=about,
            )
        )
        self.refresh()

    # --------------------------------------------------------------------------------- agreement

    def _agreement(self) -> Log | None:
        return next((log for _, log in reversed(self.interviewer.logs()) if log.agreed is not None), None)

    def _show(self, asked: AssessorRequest, together: AssessorComparison) -> None:
        if asked.logs != tuple(log for _, log in self.interviewer.logs()):
            return
        self.together = together
        alone = [log for log in together.logs if log.agreed is None]
        topic = together.logs[0].setup.topic
        sentences = [_result_words(log, one.result) for log, one in zip(alone, together.spread, strict=True)]
        drawn = tolerance_chart.person_styles(together.spread) if topic == "risk" else (None,) * len(sentences)
        self.people.show_people([ShownPerson(words, style) for (words, _), style in zip(sentences, drawn, strict=True)])
        self.figure.show_figure(together.figure)
        self._options = sorted((option for _, option in sentences if option is not None), key=lambda option: option[0])
        self.choice.clear()
        self.choice.addItems([words for _, words, _, _ in self._options])
        self.people.setVisible(bool(sentences))
        self.agreement.setVisible(bool(self._options))
        self._show_agreement()

    def _show_agreement(self) -> None:
        agreement = self._agreement()
        self.use_button.setVisible(agreement is not None)
        self.agreed.say("")
        if agreement is None or agreement.agreed is None:
            return
        if self._agreed_now:
            self._agreed_now = False
            self.use_button.setFocus(Qt.FocusReason.OtherFocusReason)
        held = agreement.agreed
        what = promise(held.profile) if held.profile is not None else figures.number(held.value or 0.0)
        self.agreed.say(tr("Agreed: {what}. Reasons: {reason}", what=what, reason=held.reason or "–"), (what,))

    def _agree(self) -> None:
        index = self.choice.currentIndex()
        if self.together is None or index < 0:
            return
        _, _, profile, value = self._options[index]
        alone = tuple(log for log in self.together.logs if log.agreed is None)
        try:
            agreed = elicitation.agree(alone, profile=profile, value=value, reason=self.reason.toPlainText().strip())
            decision = edits.add(self.interviewer.session.decision, "$.elicitation", agreed)
        except DPWizardError as problem:
            self.problem.say(in_words(problem))
            self.reason.setFocus()
            return
        self.problem.say("")
        self._agreed_now = True
        self.interviewer.session.edit(tr("Record what was agreed"), decision)
        self.refresh()


def _result_words(log: Log, found: Result) -> tuple[str, Option | None]:
    """Return what one assessor's answers come to, in words, and what of it all can agree on."""
    name = log.assessor or texts.word("elicitation", "nobody")
    if found.value is not None and found.value_low is not None and found.value_high is not None:
        write = figures.share if log.setup.topic == "guess" else short
        low, high = write(found.value_low), write(found.value_high)
        words = tr("{who}: {value}", who=name, value=write(found.value))
        return tr("{who}: {low} to {high}", who=name, low=low, high=high), (found.value, words, None, found.value)
    text = tr("{who}: {budget} {interval}", who=name, interval=interval(found))
    if found.profile is None:
        return text, None
    what = promise(found.profile)
    if found.epsilon is None:  # it says nothing of this release: there is no epsilon to name
        return text, (math.inf, tr("{who}: {value}", who=name, value=what), found.profile, None)
    limit = figures.format_max(found.epsilon)
    words = tr("{who}: {promise} ({budget} at most {limit})", who=name, promise=what, limit=limit)
    return text, (found.epsilon, words, found.profile, None)
