"""The way into the questions, on the card of a requirement that can be asked for by questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from dpwizard.base.errors import InvalidInput
from ui.host import Host
from ui.session import Session
from ui.widgets import fill, open_once, plain, theme, tr

if TYPE_CHECKING:
    from ui.elicitation.window import BetsWindow


class BetsEntry(QWidget):
    """Opens the questions about one requirement."""

    def __init__(self, session: Session, host: Host, index: int) -> None:
        super().__init__()
        self.session, self.host, self.index = session, host, index
        self.window_shown: BetsWindow | None = None
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
        from ui.elicitation.window import BetsWindow  # twenty modules that most decisions never need

        self.window_shown = BetsWindow(self.session, self.index, self.host.colours, self.window())
        if log:
            self.window_shown.show_journal()
        open_once(self.window_shown)  # each holds figures: none is kept once it is closed
