"""The log as it is kept: every question word for word, its answer, the order, the time taken, who, and what was changed."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from dpwizard import elicitation
from dpwizard.decision import Decision
from ui import theme
from ui.bets.screen import Screen
from ui.controls import Prose
from ui.words import tr

WIDEST = 1_200  # pixels of the table
QUESTION = 1  # the column that takes the room


class JournalScreen(Screen):
    """Shows the whole log of a decision; it changes nothing."""

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__(colours, tr("Every question and answer"))
        self.says = Prose("", "quiet")
        self.column.addWidget(self.says)
        self.table = QTableWidget()
        self.table.setAccessibleName(tr("Every question and answer"))
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.table.setWordWrap(True)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().hide()
        titles = (tr("No."), tr("Question"), tr("Answer"), tr("Seconds"), tr("When"), tr("Who"), tr("Remark"))
        self.table.setColumnCount(len(titles))
        self.table.setHorizontalHeaderLabels(list(titles))
        header = self.table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for column, width in enumerate((40, 0, 104, 68, 120, 96, 120)):
            if width:
                self.table.setColumnWidth(column, width)
        header.setSectionResizeMode(QUESTION, QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        header.sectionResized.connect(lambda *_: self.table.resizeRowsToContents())
        self.column.addWidget(self.table, 1)
        self.holder.setMaximumWidth(WIDEST)

    def show_log(self, decision: Decision) -> None:
        """Show the log of DECISION, one log after the other."""
        self.table.clearSpans()
        rows = elicitation.log_rows(decision)
        lines: list[tuple[str, ...]] = []
        headings: list[int] = []
        last = None
        for place, session in enumerate(decision.elicitation):
            for row in elicitation.session_rows(session):
                if (place, row.session) != last:
                    last = (place, row.session)
                    headings.append(len(lines))
                    about = session.setup.about
                    lines.append((tr("{log}, about “{name}”", log=row.session, name=about) if about else row.session,))
                lines.append((row.number, row.question, row.answer, row.seconds, _moment(row.when), row.who, row.remark))
        self.table.setRowCount(len(lines))
        for index, line in enumerate(lines):
            for column in range(self.table.columnCount()):
                item = QTableWidgetItem(line[column] if column < len(line) else "")
                item.setTextAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
                item.setFlags(Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled)
                if index in headings:
                    item.setFont(theme.font(theme.BODY, theme.QFont.Weight.DemiBold))
                self.table.setItem(index, column, item)
            if index in headings:
                self.table.setSpan(index, 0, 1, self.table.columnCount())
        self.table.resizeRowsToContents()
        self.says.say(
            tr("In their order, nothing left out. An answer that was changed stays, and so does the new one.")
            if rows
            else tr("No question has been answered in this decision yet.")
        )
        self.table.setVisible(bool(lines))

    def enter(self) -> None:
        super().enter()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        QTimer.singleShot(0, self.table, self.table.resizeRowsToContents)  # once the columns have their widths


def _moment(when: str) -> str:
    """Return a time as it is stated, on two lines: the day, and the time with its zone."""
    return when.replace("T", "\n")
