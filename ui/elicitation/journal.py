"""The log as it is kept: every question word for word, its answer, the order, the time, who, and what was changed."""

from __future__ import annotations

from PySide6.QtCore import Qt

from dpwizard.decision import Decision
from dpwizard.elicitation import interview as elicitation
from ui.controls import Prose
from ui.elicitation.screen import Screen
from ui.elicitation.table import ReadTable
from ui.widgets import added, theme, tr

WIDEST = 1_200  # pixels of the table
WIDTHS = (44, 0, 128, 84, 124, 96, 116)  # of its columns
NARROW = (36, 0, 124, 80, 120, 80, 84)  # where the window is narrow: the question needs its room
ROOMY = 960  # pixels of a window that is not


class JournalScreen(Screen):
    """Shows the whole log of a decision; it changes nothing."""

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__(colours, tr("Every question and answer"))
        self.says = added(self.column, Prose("", "quiet"))
        titles = (tr("No."), tr("Question"), tr("Answer"), tr("Seconds"), tr("When"), tr("Who"), tr("Remark"))
        self.table = ReadTable(tr("Every question and answer"), titles, WIDTHS)
        self.column.addWidget(self.table, 1)
        self.holder.setMaximumWidth(WIDEST)

    def show_log(self, decision: Decision) -> None:
        """Show the log of DECISION, one assessor's after the other's."""
        lines: list[tuple[str, ...]] = []
        for log in decision.elicitation:
            rows = elicitation.session_rows(log)
            if not rows:
                continue
            about = log.setup.about
            lines.append((tr("{log}, about “{name}”", log=rows[0].session, name=about) if about else rows[0].session,))
            lines += [
                (row.number, row.question, row.answer, row.seconds, _moment(row.when), row.who, row.remark)
                for row in rows
            ]
        self.table.show_rows(lines)
        self.table.setVisible(bool(lines))
        self.says.say(
            tr("In their order, nothing left out. An answer that was changed stays, and so does the new one.")
            if lines
            else tr("No question has been answered in this decision yet.")
        )

    def arrange(self, width: int) -> None:
        for column, wide in enumerate(WIDTHS if width >= ROOMY else NARROW):
            if wide:
                self.table.setColumnWidth(column, wide)

    def enter(self) -> None:
        super().enter()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)


def _moment(when: str) -> str:
    """Return a time as it is stated, on two lines: the day, and the time with its zone."""
    return when.replace("T", "\n")
