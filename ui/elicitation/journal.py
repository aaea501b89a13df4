"""The log of the questions, word for word: answers, their order and time, who gave them, and what was changed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView

from dpwizard.decision import Decision
from dpwizard.elicitation import interview as elicitation
from ui.controls import Column, Prose, RowsTable
from ui.elicitation.screen import Screen
from ui.widgets import added, theme, tr

WIDEST = 1_200  # pixels of the table
QUESTION = 1  # the column that has the room that is left over


class JournalScreen(Screen):
    """Shows the whole log of a decision; it changes nothing."""

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__(colours, tr("Every question and answer"))
        self.says = added(self.column, Prose("", "quiet"))
        titles = (tr("No."), tr("Question"), tr("Answer"), tr("Seconds"), tr("When"), tr("Who"), tr("Remark"))
        columns = [_column(title, at) for at, title in enumerate(titles)]
        self.table = RowsTable(tr("Every question and answer"), columns, most=None, wraps=True)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.table.is_heading = self.table.rows_model.is_strong = lambda row: len(row) == 1  # the name of a log
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
            tr("In order, with nothing left out. A changed answer stays, and so does the new one.")
            if lines
            else tr("No question has been answered in this decision yet.")
        )

    def enter(self) -> None:
        super().enter()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)


def _column(title: str, at: int) -> Column:
    return Column(title=title, words=lambda row: row[at] if at < len(row) else "", share=float(at == QUESTION))


def _moment(when: str) -> str:
    """Return a time as it is stated, on two lines: the day, and the time with its zone."""
    return when.replace("T", "\n")
