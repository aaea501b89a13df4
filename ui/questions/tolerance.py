"""Step 3 in plain words: who answers, what is lost without the figures, and questions for each requirement."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from dpwizard.base.language import counting, speaking
from dpwizard.base.stopping import Stop
from dpwizard.decision import Decision, Release
from dpwizard.decision import ElicitationSession as Log
from dpwizard.decision.requirements import Requirement
from dpwizard.questions import privacy_words
from dpwizard.wording import format_max, printed_limits, word
from ui.controls import Prose
from ui.elicitation import asking_page
from ui.host import Host
from ui.questions.blanks import detail_blank
from ui.session import DocumentSession
from ui.widgets import Card, added, button_for, fill, in_a_row, named, plain, theme, tr
from ui.workers import Background

if TYPE_CHECKING:
    from ui.elicitation.guided import GuidedQuestions

LONGEST = 200  # characters


class ToleranceQuestions(QWidget):
    """The plain questions of step 3: two lines, and a button for the questions about each requirement."""

    answered_all = Signal()  # the last requirement has its answers

    def __init__(self, session: DocumentSession, host: Host, set_by_hand: Callable[[int], None]) -> None:
        """SET_BY_HAND shows the fields of the requirement at a position."""
        super().__init__()
        self.session, self.host, self._set_by_hand = session, host, set_by_hand
        self.guided: GuidedQuestions | None = None
        column = plain(QVBoxLayout(self), theme.NEAR)
        lines = added(column, Card(tr("Before the questions")))
        example = tr("for example: the yearly report")
        self.name = detail_blank(session, "authors", tr("Your name"), tr("Set your name"), LONGEST)
        question = tr("What is lost without these figures?")
        self.loss = detail_blank(session, "necessity", question, tr("Set what is lost"), LONGEST)
        self.loss.setPlaceholderText(example)
        for blank in (self.name, self.loss):
            label = QLabel(blank.accessibleName())
            label.setBuddy(blank)
            lines.column.addLayout(fill(plain(QVBoxLayout(), theme.TIGHT), label, blank))
        self.requirements = added(column, Card(tr("Your privacy requirements")))
        self.none_yet = added(self.requirements.column, Prose(word("advice", "no_adversary")))
        self.rows: list[RequirementRow] = []

    def show_decision(self, decision: Decision) -> None:
        """Show name, loss and requirements of DECISION."""
        self.name.refresh()
        self.loss.refresh()
        requirements = privacy_words.enabled_requirements(decision)
        while len(self.rows) < len(requirements):
            row = added(self.requirements.column, RequirementRow())
            row.begin_button.clicked.connect(partial(self._begin, len(self.rows)))
            row.by_hand_button.clicked.connect(partial(self._by_hand, len(self.rows)))
            self.rows.append(row)
        for place, row in enumerate(self.rows):
            row.setVisible(place < len(requirements))
            if place < len(requirements):
                index, requirement = requirements[place]
                row.show_requirement(decision.planned.release, requirement, answered_logs(decision, index))
        self.none_yet.setVisible(not requirements)
        open_rows = [row for row in self.rows[: len(requirements)] if row.is_open]
        for row in self.rows:
            row.set_primary(row in open_rows[:1])
        self.leads = bool(open_rows)  # whether one of its buttons is the way forward

    def forget(self) -> None:
        """Show the decision, also in a line that is being edited."""
        self.name.forget_problem()
        self.loss.forget_problem()

    def _begin(self, place: int) -> None:
        index, _ = privacy_words.enabled_requirements(self.session.decision)[place]
        self.guided = asking_page(self).ask_about(self.session, index, self.host.colours)
        self.guided.used.connect(self._signal_if_done)
        self.guided.begin_for(self.name.text().strip(), self.loss.text().strip())

    def _signal_if_done(self) -> None:
        from dpwizard.elicitation import why_no_questions

        decision = self.session.decision
        if all(
            answered_logs(decision, index) or why_no_questions(requirement, decision.planned.release)
            for index, requirement in privacy_words.enabled_requirements(decision)
        ):
            self.answered_all.emit()

    def _by_hand(self, place: int) -> None:
        self._set_by_hand(privacy_words.enabled_requirements(self.session.decision)[place][0])


class RequirementRow(QWidget):
    """One requirement: its name, who has answered questions about it, and the buttons to answer it."""

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
        """Show REQUIREMENT of RELEASE and the LOGS of questions about it."""
        from dpwizard.elicitation import (
            why_no_questions,  # with all that designs questions: the first page does without
        )

        previous, self._shown = self._shown, (requirement, release, logs)
        if previous is not None and previous[0] is requirement and previous[1] is release and previous[2] == logs:
            return
        name = requirement.name or word("kind", requirement.kind)
        self.name.setText(name)
        count = sum(log.given for log in logs)
        self.begin_button.setText(tr("Continue the questions") if count else tr("Begin the questions"))
        self.begin_button.setAccessibleName(f"{self.begin_button.text()}: {name}")
        self.by_hand_button.setAccessibleName(f"{self.by_hand_button.text()}: {name}")
        why_not = why_no_questions(requirement, release)
        self.begin_button.setVisible(not why_not)
        self.answered.say(why_not or answers_so_far(logs))
        self.is_open = not (count or why_not) and bool(requirement.missing())

    def set_primary(self, primary: bool) -> None:
        """Show the button of the questions as the way forward, or as any other."""
        self.begin_button.setObjectName("primary" if primary else "")
        self.begin_button.style().polish(self.begin_button)  # the style sheet goes by the name


class AnswersRangeCard(Card):
    """The budgets that the answers about one requirement allow."""

    def __init__(self) -> None:
        super().__init__(tr("Your answers"))
        self.words = added(self.column, Prose())
        self.safe = added(self.column, Prose("", "caption"))

    def show_interval(self, low: float | None, high: float | None, decision: Decision) -> None:
        """Show the range from LOW to HIGH for the budget of DECISION; nothing if LOW is not known."""
        self.setVisible(low is not None)
        if low is None:
            return
        with counting(decision.planned.release.counted_in):
            safe, most = (format_max(low), tr("any value")) if high is None else printed_limits(low, high)
            self.words.say(tr("Your answers allow {low} to {high}.", low=safe, high=most))
            self.safe.say(tr("To be safe: {low}.", low=safe))


def answered_logs(decision: Decision, index: int) -> tuple[Log, ...]:
    """Return the logs of questions about requirement INDEX that have answers."""
    if not decision.elicitation:
        return ()
    from dpwizard.elicitation import sessions_about

    return tuple(log for _, log in sessions_about(decision, index) if log.given)


def answers_so_far(logs: tuple[Log, ...]) -> str:
    """Return how many questions were answered, and by whom, in words."""
    if not logs:
        return tr("About ten questions. No answer is wrong, and you can change each of them.")
    people = ", ".join(dict.fromkeys(log.assessor or word("elicitation", "nobody") for log in logs))
    return tr("{n} answer: {people}", "{n} answers: {people}", n=sum(log.given for log in logs), people=people)


class AnswersRangeWorker(Background):
    """Computes in the background which budgets the answers about a requirement allow."""

    found = Signal(object)  # the lowest and the highest budget, each None if not known

    def __init__(self, parent: QObject) -> None:
        super().__init__(_allowed_range, parent=parent)
        self._request: tuple[Log, Requirement, Release] | None = None
        self.done.connect(lambda request, ends: self.found.emit(ends) if request == self._request else None)

    def compute(self, logs: tuple[Log, ...], requirement: Requirement, release: Release) -> None:
        """Compute what the last of LOGS allows; without logs the result is nothing, at once."""
        request = (logs[-1], requirement, release) if logs else None
        if request == self._request:
            return
        self._request = request
        if request is None:
            self.found.emit((None, None))
        else:
            self.request(request)


def _allowed_range(request: tuple[Log, Requirement, Release], stop: Stop) -> tuple[float | None, float | None]:
    from dpwizard.elicitation import interview, release_epsilons, with_current_factor

    log, requirement, release = request
    with speaking(log.language):
        result = release_epsilons(requirement, release).result(
            interview.result(with_current_factor(log, requirement, release))
        )
    return (None, None) if result.status == "too_few" else result.allowed
