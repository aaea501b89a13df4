"""The one table of the window: what it shows, how it sorts and seeks, and how its columns share the width."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.hands import LEFT
from ui.controls import Column, RowsTable, Spreadsheet
from ui.widgets import theme

ROWS = (("b", 2.0), ("a", 10.0), ("c", None), ("d", 1.0))
ROLE = Qt.ItemDataRole


def columns() -> tuple[Column, ...]:
    return (
        Column(title="Name", words=lambda row: row[0], share=1.0, least=40),
        Column(
            title="Number",
            words=lambda row: "" if row[1] is None else f"{row[1]:g}",
            key=lambda row: row[1],
            tip=lambda row: f"<{row[0]}>",
            numeric=True,
        ),
    )


@pytest.fixture
def table(qtbot: QtBot, qapp: QApplication) -> Any:
    """Return a table of four rows, sorted by their numbers, in a window of its own."""
    theme.apply(qapp, theme.LIGHT, theme.load_fonts())
    made = RowsTable("Four rows", columns(), sorts=(1, False), most=3)
    qtbot.addWidget(made)
    made.resize(300, 200)
    made.show()
    made.show_rows(ROWS)
    return made


def names(table: RowsTable) -> str:
    return "".join(cells[0] for cells in table.rows())


def test_rows_are_sorted_by_value_and_what_says_nothing_is_last_either_way(table: RowsTable, qtbot: QtBot) -> None:
    assert names(table) == "dbac"
    at = QPoint(table.headings.sectionViewportPosition(1) + 10, table.headings.height() // 2)
    qtbot.mouseClick(table.headings.viewport(), LEFT, pos=at)
    assert names(table) == "abdc"
    table.headings.setFocus()
    qtbot.keyClick(table.headings, Qt.Key.Key_Space)  # the first heading has the keyboard
    assert names(table) == "abcd"
    qtbot.keyClick(table.headings, Qt.Key.Key_Return)
    assert names(table) == "dcba"


def test_rows_that_are_sought_keep_the_order_and_all_come_back(table: RowsTable) -> None:
    table.rows_model.seek(lambda row: row[0] in "abc")
    assert names(table) == "bac"
    table.show_rows((("a", 1.0), ("b", 3.0), ("e", 0.0)))
    assert names(table) == "ab"
    table.rows_model.seek(None)
    assert names(table) == "eab"


def test_the_row_chosen_and_the_row_opened_are_told_by_their_place(table: RowsTable, qtbot: QtBot) -> None:
    chosen: list[int] = []
    opened: list[int] = []
    table.chosen.connect(chosen.append)
    table.opened.connect(opened.append)
    table.choose(2)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert (chosen, opened) == ([2], [2])
    table.show_rows((*ROWS[:3], ("z", 99.0)))  # as many as before: the place stays
    assert table.currentIndex().row() == 2


def test_chosen_row_stays_chosen_when_sorted_another_way(table: RowsTable) -> None:
    table.choose(1)
    table.headings.setSortIndicator(0, Qt.SortOrder.AscendingOrder)
    assert names(table) == "abcd"
    assert [index.row() for index in table.selectionModel().selectedRows()] == [1]
    table.headings.setSortIndicator(0, Qt.SortOrder.DescendingOrder)
    assert names(table) == "dcba"
    assert [index.row() for index in table.selectionModel().selectedRows()] == [2]


def test_only_columns_with_a_text_are_typed_over_and_what_is_typed_is_emitted(qtbot: QtBot) -> None:
    columns = (
        Column(title="Name", words=lambda row: row[0], text=lambda row: None if row[1] else row[0]),
        Column(title="Number", words=lambda row: str(row[1])),
    )
    cells = Spreadsheet("Cells", columns, most=3)
    qtbot.addWidget(cells)
    cells.show_rows((("a", 0), ("b", 1)))
    model = cells.rows_model
    editable = [bool(model.index(row, at).flags() & Qt.ItemFlag.ItemIsEditable) for row in (0, 1) for at in (0, 1)]
    assert editable == [True, False, False, False]
    typed: list[tuple[int, int, str]] = []
    model.typed.connect(lambda *cell: typed.append(cell))
    model.setData(model.index(0, 0), "c")
    assert typed == [(0, 0, "c")]
    cells.choose(0)
    cells.copy()
    assert QApplication.clipboard().text() == "a\n"
    model.add_row(("z", 0))
    assert (cells.currentIndex().row(), names(cells)) == (0, "abz")
    model.remove_row(1)
    assert names(cells) == "az"


def test_a_cell_says_its_tip_without_markup_and_figures_stand_at_the_right(table: RowsTable) -> None:
    model = table.rows_model
    model.colour = lambda row, column: "#FF0000" if row[1] == 1.0 and column.numeric else None
    number, name = model.index(0, 1), model.index(0, 0)
    assert "&lt;d&gt;" in model.data(number, ROLE.ToolTipRole)
    assert model.data(number, ROLE.TextAlignmentRole) == int(
        Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    )
    assert model.data(number, ROLE.ForegroundRole) == QColor("#FF0000")
    assert model.data(name, ROLE.ForegroundRole) is None
    assert model.data(name, ROLE.TextAlignmentRole) is None


def test_the_column_with_a_share_takes_what_is_left_over_and_gives_way_first(table: RowsTable) -> None:
    assert table.columnWidth(0) + table.columnWidth(1) == table.width() - 2 * table.frameWidth() - (
        table.verticalScrollBar().sizeHint().width()
    )
    number = table.columnWidth(1)
    table.show_rows(tuple((f"a very long name {row[0]}", row[1]) for row in ROWS))
    table.resize(table.columnWidth(1) + 120, table.height())
    assert table.columnWidth(1) == number
    assert 40 <= table.columnWidth(0) < 120


def test_a_table_is_as_high_as_the_rows_seen_at_once(table: RowsTable) -> None:
    inside = table.height() - table.headings.height() - 2 * table.frameWidth()
    assert inside == 3 * table.rowHeight(0)
    table.show_rows(ROWS[:2])
    inside = table.height() - table.headings.height() - 2 * table.frameWidth()
    assert inside == 2 * table.rowHeight(0)


def test_long_words_take_several_lines_where_a_table_wraps(qtbot: QtBot) -> None:
    wrapping = RowsTable("Wrapped", wraps=True)
    qtbot.addWidget(wrapping)
    wrapping.resize(300, 300)
    wrapping.show()
    wrapping.fill(("One", "Other"), (("short", "many words " * 12), ("short", "few")), bold=(1,), shares=(0.3, 0.7))
    assert wrapping.rowHeight(0) > 2 * wrapping.rowHeight(1)
    assert wrapping.columnWidth(1) > wrapping.columnWidth(0)
    fonts = [wrapping.rows_model.data(wrapping.rows_model.index(row, 0), ROLE.FontRole) for row in (0, 1)]
    assert fonts[0] is None
    assert fonts[1].bold()


def test_an_open_cell_keeps_what_is_being_typed_while_others_are_shown_anew(qtbot: QtBot) -> None:
    columns = [Column(title=title, words=str, text=str) for title in ("Name", "Number")]
    cells = Spreadsheet("Cells", columns, most=3)
    qtbot.addWidget(cells)
    cells.show()
    cells.show_rows((1, 2))
    cells.choose(0)
    qtbot.keyClick(cells, Qt.Key.Key_F2)
    line = cells.indexWidget(cells.currentIndex())
    qtbot.keyClicks(line, "23")
    cells.rows_model.redraw()
    assert line.text() == "23"
