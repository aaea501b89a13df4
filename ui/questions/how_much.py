"""Step 3 in plain words: who answers, what is lost without the figures, and questions for each promise."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from dpwizard.base.errors import InvalidInput
from dpwizard.base.language import counting, speaking
from dpwizard.base.stopping import Stop
from dpwizard.decision import Decision, Release
from dpwizard.decision import ElicitationSession as Log
from dpwizard.decision.requirements import Requirement
from dpwizard.wording import format_max, printed_limits, word
from ui.controls import Line, Prose
from ui.elicitation import asking_page
from ui.host import Host
from ui.session import DocumentSession
from ui.widgets import Card, added, button_for, fill, in_a_row, named, plain, theme, tr
from ui.workers import Background

if TYPE_CHECKING:
    from ui.elicitation.guided import GuidedQuestions

LONGEST = 200  # characters of what is lost, as questions name it


class HowMuchQuestions(QWidget):
    """The plain questions of step 3: two lines, and for each promise the way into its questions."""

    answered_all = Signal()  # what the answers to the last questions support is taken over

    def __init__(self, session: DocumentSession, host: Host, set_by_hand: Callable[[int], None]) -> None:
        """SET_BY_HAND shows the fields of the requirement at a place."""
        super().__init__()
        self.session, self.host, self._set_by_hand = session, host, set_by_hand
        self.questions_shown: GuidedQuestions | None = None
        column = plain(QVBoxLayout(self), theme.NEAR)
        before = added(column, Card(tr("Before the questions")))
        self.name, self.lost = Line(), Line()
        self.name.setMaxLength(LONGEST)
        self.lost.setMaxLength(LONGEST)
        _ask(before.column, tr("Your name"), self.name, "")
        _ask(before.column, tr("What is lost without these figures?"), self.lost, tr("for example: the yearly report"))
        self.name.editingFinished.connect(self._keep_name)
        self.lost.editingFinished.connect(self._keep_lost)
        self.promises = added(column, Card(tr("Your promises")))
        self.none_yet = added(self.promises.column, Prose(word("advice", "no_adversary")))
        self.rows: list[PromiseRow] = []

    def show_decision(self, decision: Decision) -> None:
        """Show what DECISION says of name, loss and promises."""
        details = decision.details
        if not self.name.hasFocus():
            self.name.setText(details.authors[0] if details.authors else "")
        if not self.lost.hasFocus():
            self.lost.setText((details.necessity or "")[:LONGEST])
            self.lost.setCursorPosition(0)
        asked = promised(decision)
        while len(self.rows) < len(asked):
            row = added(self.promises.column, PromiseRow())
            row.begin_button.clicked.connect(partial(self._begin, len(self.rows)))
            row.by_hand_button.clicked.connect(partial(self._by_hand, len(self.rows)))
            self.rows.append(row)
        for place, row in enumerate(self.rows):
            row.setVisible(place < len(asked))
            if place < len(asked):
                index, requirement = asked[place]
                row.show_requirement(decision.planned.release, requirement, logs_about(decision, index))
        self.none_yet.setVisible(not asked)
        still_open = [row for row in self.rows[: len(asked)] if row.is_open]
        for row in self.rows:
            row.lead(row in still_open[:1])
        self.leads = bool(still_open)  # whether one of them is the way forward

    def forget(self) -> None:
        """Show the decision as it is, also where something was being typed."""
        self.name.clearFocus()
        self.lost.clearFocus()
        self.show_decision(self.session.decision)

    def _keep_name(self) -> None:
        authors = self.session.decision.details.authors
        name = self.name.text().strip()
        if name != (authors[0] if authors else ""):
            kept = (name, *authors[1:]) if name else authors[1:]
            self.session.put(tr("Set your name"), "$.details.authors", kept)

    def _keep_lost(self) -> None:
        lost = self.lost.text().strip()
        if lost != (self.session.decision.details.necessity or "")[:LONGEST]:
            self.session.put(tr("Set what is lost"), "$.details.necessity", lost or None)

    def _begin(self, place: int) -> None:
        from ui.elicitation.guided import GuidedQuestions  # twenty modules that most decisions never need

        index, _ = promised(self.session.decision)[place]
        self.questions_shown = GuidedQuestions(self.session, index, self.host.colours)
        self.questions_shown.used.connect(self._used)
        asking_page(self).ask_here(self.questions_shown)
        self.questions_shown.begin_for(self.name.text().strip(), self.lost.text().strip())

    def _used(self) -> None:
        """Say that the step is done where questions about each promise were answered."""
        decision = self.session.decision
        release = decision.planned.release
        if all(logs_about(decision, index) or refusal(release, asked) for index, asked in promised(decision)):
            self.answered_all.emit()

    def _by_hand(self, place: int) -> None:
        self._set_by_hand(promised(self.session.decision)[place][0])


class PromiseRow(QWidget):
    """One promise: its name, what was answered about it, and the two ways to say how much."""

    def __init__(self) -> None:
        super().__init__()
        column = plain(QVBoxLayout(self), theme.TIGHT)
        self.name = added(column, named(QLabel(wordWrap=True), "title"))
        self.answered = added(column, Prose("", "caption"))
        self.begin_button = QPushButton()
        self.by_hand_button = button_for(tr("I will set it myself"), lambda: None)
        column.addWidget(in_a_row(self.begin_button, self.by_hand_button))
        self._shown: tuple[Requirement, Release, tuple[Log, ...]] | None = None

    def show_requirement(self, release: Release, requirement: Requirement, logs: tuple[Log, ...]) -> None:
        """Show REQUIREMENT of RELEASE and the LOGS of questions about it, unless they are shown."""
        before, self._shown = self._shown, (requirement, release, logs)
        if before is not None and before[0] is requirement and before[1] is release and before[2] == logs:
            return
        name = requirement.name or word("kind", requirement.kind)
        self.name.setText(name)
        count = sum(log.given for log in logs)
        self.begin_button.setText(tr("Go on with the questions") if count else tr("Begin the questions"))
        self.begin_button.setAccessibleName(f"{self.begin_button.text()}: {name}")
        self.by_hand_button.setAccessibleName(f"{self.by_hand_button.text()}: {name}")
        why_not = refusal(release, requirement)
        self.begin_button.setVisible(not why_not)
        self.answered.say(why_not or answers_so_far(logs))
        self.is_open = not (count or why_not) and bool(requirement.missing())

    def lead(self, leads: bool) -> None:
        """Show its questions as the way forward, or as one of several."""
        self.begin_button.setObjectName("primary" if leads else "")
        self.begin_button.style().polish(self.begin_button)  # the style sheet goes by the name


class AnswersAllow(Card):
    """What the answers to all questions about one promise allow, found behind the window."""

    def __init__(self) -> None:
        super().__init__(tr("Your answers"))
        self.words = added(self.column, Prose())
        self.safe = added(self.column, Prose("", "caption"))

    def show_interval(self, low: float | None, high: float | None, decision: Decision) -> None:
        """Say from where to where the answers allow the budget of DECISION to lie; nothing where LOW is not known."""
        self.setVisible(low is not None)
        if low is None:
            return
        with counting(decision.planned.release.counted_in):
            safe, most = (format_max(low), tr("any value")) if high is None else printed_limits(low, high)
            self.words.say(tr("Your answers allow {low} to {high}.", low=safe, high=most))
            self.safe.say(tr("To be safe: {low}.", low=safe))


def promised(decision: Decision) -> tuple[tuple[int, Requirement], ...]:
    """Return the requirements of DECISION that say how much may be learned, with their places."""
    every = enumerate(decision.requirements)
    return tuple((index, each) for index, each in every if type(each).step == "profile" and each.enabled)


def logs_about(decision: Decision, index: int) -> tuple[Log, ...]:
    """Return the logs of questions about the requirement at INDEX of DECISION that hold an answer."""
    if not decision.elicitation:
        return ()
    from dpwizard.elicitation import setup_for

    try:
        about = setup_for(decision.requirements[index], decision.planned.release)
    except InvalidInput:
        return ()
    same = {"benefit", "figure"}
    wanted = about.model_dump(exclude=same)
    return tuple(log for log in decision.elicitation if log.given and log.setup.model_dump(exclude=same) == wanted)


def refusal(release: Release, requirement: Requirement) -> str:
    """Return why no questions can be asked about REQUIREMENT of RELEASE; an empty text where some can."""
    from dpwizard.elicitation import setup_for  # with all that designs questions: the first page does without

    try:
        setup_for(requirement, release)
    except InvalidInput as problem:
        return problem.remedy if problem.where == "requirement" else ""
    return ""


def answers_so_far(logs: tuple[Log, ...]) -> str:
    """Return how many questions were answered, and by whom."""
    if not logs:
        return tr("About ten questions. No answer is wrong, and you can change each of them.")
    people = ", ".join(dict.fromkeys(log.assessor or word("elicitation", "nobody") for log in logs))
    return tr("{n} answer: {people}", "{n} answers: {people}", n=sum(log.given for log in logs), people=people)


def _ask(column: QVBoxLayout, question: str, line: Line, example: str) -> None:
    label = QLabel(question)
    label.setBuddy(line)
    line.setAccessibleName(question)
    line.setPlaceholderText(example)
    column.addLayout(fill(plain(QVBoxLayout(), theme.TIGHT), label, line))


class AnswersSought(Background):
    """Finds behind the window what the answers to the questions about a promise allow."""

    found = Signal(object)  # the lowest and the highest budget, each None where it is not known

    def __init__(self, parent: QObject) -> None:
        super().__init__(_allowed, parent=parent)
        self._sought: tuple[Log, Requirement, Release] | None = None
        self.done.connect(self._compare)

    def seek(self, logs: tuple[Log, ...], requirement: Requirement, release: Release) -> None:
        """Find what the last of LOGS allows REQUIREMENT of RELEASE; nothing at once where there is none."""
        sought = (logs[-1], requirement, release) if logs else None
        if sought == self._sought:
            return
        self._sought = sought
        if sought is None:
            self.found.emit((None, None))
        else:
            self.request(sought)

    def _compare(self, sought: object, found: object) -> None:
        if sought == self._sought:
            self.found.emit(found)


def _allowed(sought: tuple[Log, Requirement, Release], stop: Stop) -> tuple[float | None, float | None]:
    from dpwizard.elicitation import as_it_stands, interview, spoken_of

    log, requirement, release = sought
    with speaking(log.language):
        result = spoken_of(requirement, release).result(interview.result(as_it_stands(log, requirement, release)))
    return (None, None) if result.status == "too_few" else result.allowed
