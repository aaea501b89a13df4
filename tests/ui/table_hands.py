"""How a hand types into the cells of a table."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QDeadlineTimer, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView

from ui.controls import Spreadsheet

PATIENCE = 20_000  # milliseconds


def type_cell(table: Spreadsheet, words: str) -> None:
    """Open the cell that has the keyboard with F2, type WORDS over what stands there, and end with Enter."""
    QTest.keyClick(table, Qt.Key.Key_F2)
    field = table.indexWidget(table.currentIndex())  # the field before it may not be deleted yet
    field.selectAll()
    QTest.keyClicks(field, words)
    QTest.keyClick(field, Qt.Key.Key_Return)
    patience = QDeadlineTimer(PATIENCE)
    while table.state() == QAbstractItemView.State.EditingState:  # what was typed is handed over in the next turn
        assert not patience.hasExpired(), f"{words} is still being typed"
        QTest.qWait(5)


def type_rows(table: Spreadsheet, rows: Iterable[str]) -> None:
    """Type ROWS, a name and a number each, from the last row on; after each cell the keyboard goes on by itself."""
    table.setFocus(Qt.FocusReason.OtherFocusReason)
    table.choose(len(table.rows()) - 1)
    for row in rows:
        name, _, number = row.rpartition(" ")
        for words in (name, number):
            type_cell(table, words)
