"""The way into the questions: a page that they are asked in, and the buttons on the card of a requirement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QScrollArea, QWidget

from dpwizard.base.errors import InvalidInput
from ui.host import Host
from ui.session import DocumentSession
from ui.widgets import fill, plain, theme, tr

if TYPE_CHECKING:
    from ui.elicitation.guided import GuidedQuestions


class AskingPage(QScrollArea):
    """What can be covered by questions: it is hidden while they are asked, and shown again once they end."""

    asking_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.guided: GuidedQuestions | None = None  # the questions under way

    def ask_here(self, questions: GuidedQuestions) -> None:
        """Ask QUESTIONS in the place of what is shown."""
        self.end_questions()
        self.guided = questions
        questions.ended.connect(self._questions_ended)
        questions.stack.currentChanged.connect(self.asking_changed)
        page = self.widget()
        assert page is not None
        page.hide()
        questions.setParent(self)
        questions.setGeometry(self.rect())
        questions.show()
        questions.current_screen.enter()
        self.asking_changed.emit()

    def end_questions(self) -> None:
        """Show the page again; what was answered is kept."""
        if self.guided is not None:
            self.guided.end()

    def _questions_ended(self) -> None:
        page, questions, self.guided = self.widget(), self.guided, None
        assert page is not None
        assert questions is not None
        page.show()
        questions.hide()
        questions.deleteLater()
        self.asking_changed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.guided is not None:
            self.guided.setGeometry(self.rect())


def asking_page(widget: QWidget) -> AskingPage:
    """Return the page that WIDGET stands on."""
    above = widget.parentWidget()
    while not isinstance(above, AskingPage):
        assert above is not None
        above = above.parentWidget()
    return above


class BetsEntry(QWidget):
    """Opens the questions about one requirement."""

    def __init__(self, session: DocumentSession, host: Host, index: int) -> None:
        super().__init__()
        self.session, self.host, self.index = session, host, index
        self.questions_shown: GuidedQuestions | None = None
        row = plain(QHBoxLayout(self), theme.NEAR)
        self.ask_button = QPushButton(tr("Help me decide …"))
        self._tip = tr("Instead of a bare number: compare releases, and say which you would sign.")
        self.ask_button.clicked.connect(lambda: self.open())
        self.log_button = QPushButton(tr("Questions and answers …"))
        self.log_button.setToolTip(tr("Every question that was asked in this decision, and its answer."))
        self.log_button.clicked.connect(lambda: self.open(log=True))
        fill(row, self.ask_button, self.log_button)
        row.addStretch(1)
        self.refresh()

    def refresh(self) -> None:
        """Offer the log once there is one, and the questions where some can lead to an answer."""
        why_not = self._why_not()
        self.ask_button.setEnabled(not why_not)
        self.ask_button.setAccessibleDescription(why_not)
        self.ask_button.setToolTip(why_not or self._tip)
        self.log_button.setVisible(bool(self.session.decision.elicitation))

    def _why_not(self) -> str:
        """Return why no questions can be asked about the requirement as it is; an empty text if some can."""
        from dpwizard.elicitation import setup_for  # with all that designs questions: the first page does without

        decision = self.session.decision
        if self.index >= len(decision.requirements):
            return ""  # it is gone, and its card goes
        try:
            setup_for(decision.requirements[self.index], decision.planned.release)
        except InvalidInput as problem:
            # a belief that is missing is asked for where it belongs, once the questions are opened
            return problem.remedy if problem.where == "requirement" else ""
        return ""

    def open(self, *, log: bool = False) -> None:
        """Open the questions; with LOG, what was asked and answered so far."""
        from ui.elicitation.guided import GuidedQuestions  # twenty modules that most decisions never need

        self.questions_shown = GuidedQuestions(self.session, self.index, self.host.colours)
        asking_page(self).ask_here(self.questions_shown)
        if log:
            self.questions_shown.show_journal()
