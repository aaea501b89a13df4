"""How questions are opened: the page that they are asked in, and the buttons on the card of a requirement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QScrollArea, QWidget

from ui.host import Host
from ui.session import DocumentSession
from ui.widgets import fill, plain, theme, tr

if TYPE_CHECKING:
    from ui.elicitation.guided import GuidedQuestions


class AskingPage(QScrollArea):
    """A page that is hidden while questions are asked in its place, and shown again when they end."""

    asking_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.guided: GuidedQuestions | None = None  # the questions under way

    def ask_about(self, session: DocumentSession, index: int, colours: theme.Colours) -> GuidedQuestions:
        """Ask questions about requirement INDEX in the place of the page, and return them."""
        from ui.elicitation.guided import GuidedQuestions  # twenty modules that most decisions never need

        self.end_questions()
        questions = self.guided = GuidedQuestions(session, index, colours)
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
        return questions

    def end_questions(self) -> None:
        """Show the page again; all answers are kept."""
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
    """Return the page that WIDGET is on."""
    parent = widget.parentWidget()
    while not isinstance(parent, AskingPage):
        assert parent is not None
        parent = parent.parentWidget()
    return parent


class QuestionButtons(QWidget):
    """The buttons that open the questions about one requirement, and their log."""

    def __init__(self, session: DocumentSession, host: Host, index: int) -> None:
        super().__init__()
        self.session, self.host, self.index = session, host, index
        self.guided: GuidedQuestions | None = None
        row = plain(QHBoxLayout(self), theme.NEAR)
        self.ask_button = QPushButton(tr("Help me decide …"))
        self._tip = tr("Instead of entering a number: compare releases, and say which you would sign.")
        self.ask_button.clicked.connect(lambda: self.open())
        self.log_button = QPushButton(tr("Questions and answers …"))
        self.log_button.setToolTip(tr("Every question that was asked in this decision, and its answer."))
        self.log_button.clicked.connect(lambda: self.open(log=True))
        fill(row, self.ask_button, self.log_button)
        row.addStretch(1)
        self.refresh()

    def refresh(self) -> None:
        """Offer the log if there is one, and the questions if some can be asked."""
        from dpwizard.elicitation import (
            why_no_questions,  # with all that designs questions: the first page does without
        )

        decision = self.session.decision
        why_not = ""
        if self.index < len(decision.requirements):  # else it was removed, and its card will be
            why_not = why_no_questions(decision.requirements[self.index], decision.planned.release)
        self.ask_button.setEnabled(not why_not)
        self.ask_button.setAccessibleDescription(why_not)
        self.ask_button.setToolTip(why_not or self._tip)
        self.log_button.setVisible(bool(self.session.decision.elicitation))

    def open(self, *, log: bool = False) -> None:
        """Open the questions; with LOG, the questions and answers so far.

        A click may come after the requirement was removed, before its card is.
        """
        if self.index >= len(self.session.decision.requirements):
            return
        self.guided = asking_page(self).ask_about(self.session, self.index, self.host.colours)
        if log:
            self.guided.show_journal()
