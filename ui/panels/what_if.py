"""What other profiles would allow: Table 1 of Kazan & Reiter for the officer's own numbers; sorts, and copies as CSV."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QPushButton, QTableWidget, QTableWidgetItem

from dpwizard.decision import Decision
from dpwizard.drawings import charts, comparison
from dpwizard.drawings.picture import Picture
from dpwizard.explain import say, word
from ui import theme
from ui.background import Background
from ui.panels.panel import Panel

IDLE = 120  # milliseconds without an edit
PATIENCE = 60
MOST_ROWS = 9  # seen at once; the rest by scrolling


class Cell(QTableWidgetItem):
    """A cell that sorts by its value, not by its words."""

    def __init__(self, words: str, key: Any) -> None:
        super().__init__(words)
        self.key = key

    def __lt__(self, other: QTableWidgetItem) -> bool:
        return bool(self.key < other.key) if isinstance(other, Cell) else super().__lt__(other)


class WhatIfPanel(Panel):
    """One row for each profile: the epsilon it allows, the noise that follows, and the window it leaves."""

    title = word("chart", "what_if_title")

    def build(self) -> None:
        self.table = QTableWidget(0, 0)
        self.table.setAccessibleName(self.title)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        theme.tabular(self.table)
        self.column.addWidget(self.table)
        self.copy_button = QPushButton("Copy as CSV")
        self.copy_button.setObjectName("small")
        self.copy_button.clicked.connect(self.copy)
        self.column.addWidget(self.copy_button, alignment=Qt.AlignmentFlag.AlignLeft)
        self.rows: tuple[comparison.Row, ...] = ()
        self._asked: Any = None
        self._stale_page = False
        self.background = Background(lambda asked, stop: comparison.rows(asked), pause=IDLE, parent=self)
        self.background.done.connect(self._done)
        self.background.failed.connect(lambda _, reason: self._say(say("chart", "failed", {"reason": reason})))
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(IDLE + PATIENCE)
        self._timer.timeout.connect(self._grey)

    def draw(self, decision: Decision, picture: Picture) -> str:
        asked = comparison.inputs(decision, comparison.first(decision))
        self.setVisible(asked is not None)
        if asked is None:
            self._asked = None
            self.background.forget()
            return word("chart", "what_if_open")
        if asked != self._asked:
            self._asked = asked
            self.background.request(asked)
            if not self._timer.isActive():
                self._timer.start()
            return self.sentence.words if self.rows else word("chart", "working")
        return self.sentence.words

    def _done(self, asked: Any, rows: tuple[comparison.Row, ...]) -> None:
        if self._asked is None:
            return
        self.show_rows(rows)
        if not self.background.busy:
            self._timer.stop()
            self._grey()

    def show_rows(self, rows: tuple[comparison.Row, ...]) -> None:
        """Fill the table; the order somebody chose is kept."""
        self.rows = rows
        columns, shown, keys = comparison.table(rows)
        header = self.table.horizontalHeader()
        order = (header.sortIndicatorSection(), header.sortIndicatorOrder()) if self.table.isSortingEnabled() else None
        self.table.setSortingEnabled(False)
        self.table.setColumnCount(len(columns))
        self.table.setRowCount(len(shown))
        self.table.setHorizontalHeaderLabels(list(columns))
        for i, (row, values) in enumerate(zip(shown, keys, strict=True)):
            for j, (words, key) in enumerate(zip(row, values, strict=True)):
                cell = Cell(words, key)
                if rows[i].own:
                    font = self.table.font()
                    font.setBold(True)
                    cell.setFont(font)
                self.table.setItem(i, j, cell)
        self.table.setSortingEnabled(True)
        section, way = order if order is not None else (1, Qt.SortOrder.AscendingOrder)
        self.table.sortByColumn(section if 0 <= section < len(columns) else 1, way)
        line = self.table.verticalHeader().defaultSectionSize()
        self.table.setFixedHeight(line * min(len(shown), MOST_ROWS) + header.sizeHint().height() + 18)
        self._say(comparison.summary(rows))

    def _say(self, words: str) -> None:
        self.sentence.say(words)
        self.setAccessibleDescription(words)

    def copy(self) -> None:
        """Copy the table as CSV, in the order in which it is shown."""
        found = [[self._text(i, j) for j in range(self.table.columnCount())] for i in range(self.table.rowCount())]
        columns = [self.table.horizontalHeaderItem(j).text() for j in range(self.table.columnCount())]
        QGuiApplication.clipboard().setText(charts.csv_text(columns, found))

    def _text(self, row: int, column: int) -> str:
        item = self.table.item(row, column)
        return item.text() if item is not None else ""

    def set_stale(self, stale: bool) -> None:
        self._stale_page = stale
        super().set_stale(stale)

    def _grey(self) -> None:
        super().set_stale(self._stale_page or self.background.busy)

    def close_down(self) -> None:
        """End the work behind the table; the window is closing."""
        self.background.close()
