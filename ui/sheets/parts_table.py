"""The spreadsheet of tables: cells are chosen, edited, copied, pasted, filled and emptied with mouse and keys."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemDelegate, QMenu, QWidget

from dpwizard.base.csv_text import as_text, rows_of
from dpwizard.base.errors import DPWizardError
from dpwizard.sheets import Mark, decimal_mark, guessed
from ui.controls import Headings
from ui.sheets.cell_editors import CellEditors
from ui.sheets.parts_model import PartsModel, wrapped_heading
from ui.sheets.text_table import ROW, Spreadsheet
from ui.widgets import tr

ROWS_SHOWN = 12  # rows seen at once
BASIC = ("name", "statistic", "dimension", "sensitivity", "mechanism", "share")  # columns that are always shown
MIN_WIDTH, MAX_WIDTH = 64, 224  # pixels of a column
CELL_PADDING = 22  # pixels beside the words of a cell
HEADING_PADDING = 26  # pixels beside a heading, with the mark of the sorted column
ROWS_MEASURED = 60  # rows by which a column's width is found


class PartsTable(Spreadsheet):
    """The cells of all tables; `pasted` asks for a dialog where a paste needs more than these cells."""

    pasted = Signal(str)  # text that has more rows, or headings

    def __init__(self, model: PartsModel, title: str) -> None:
        super().__init__(model, title)
        self.cells = model
        self.shown: set[int] = set()  # columns shown although no table uses them
        self.menu = QMenu(self)
        self.keys: dict[str, Callable[[], None]] = {"Ctrl+X": self._cut}
        self._editors = CellEditors(self)
        self.setItemDelegate(self._editors)
        self._editors.closeEditor.connect(self._go_below_after_enter)
        self.headings = Headings(self)
        self.headings.setSectionsClickable(True)
        self.headings.setSortIndicatorShown(True)
        self.headings.setSortIndicatorClearable(True)
        self.headings.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.headings.sortIndicatorChanged.connect(self._sort_by_heading)
        self.headings.setStyleSheet("QHeaderView::section { padding: 4px 6px; }")
        self.setHorizontalHeader(self.headings)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    # ------------------------------------------------------------------------------------- columns

    def show_columns(self, *, refit: bool = False) -> None:
        """Show the basic columns, those that some table uses, and those the officer chose.

        REFIT: set every width again, even if no column came or went.
        """
        changed = refit
        for at, column in enumerate(self.cells.columns):
            hidden = not (column.name in BASIC or at in self.shown or self.cells.used(at))
            if hidden != self.isColumnHidden(at):
                self.setColumnHidden(at, hidden)
                changed = True
        if changed:
            self.fit()

    def fit(self) -> None:
        """Give each column the width of its words, the first one the rest; make room for ROWS_SHOWN rows at most."""
        metrics, rows = QFontMetrics(self.cells.figures), min(ROWS_MEASURED, self.cells.rowCount())  # the wider ones
        widths = {}
        for at in self.visible_columns():
            heading = max(map(metrics.horizontalAdvance, wrapped_heading(self.cells.columns[at].label).split("\n")))
            cells = map(metrics.horizontalAdvance, self.cells.words_in(at, rows))
            widths[at] = min(MAX_WIDTH, max(MIN_WIDTH, heading + HEADING_PADDING, max(cells, default=0) + CELL_PADDING))
        room = self.viewport().width() - sum(widths.values())
        for at, width in widths.items():
            self.setColumnWidth(at, width + max(0, room) if at == 0 else width)
        scroll_bar = self.horizontalScrollBar().sizeHint().height() if room < 0 else 0
        rows_shown = min(ROWS_SHOWN, max(1, self.cells.rowCount()))
        self.setFixedHeight(rows_shown * ROW + self.headings.sizeHint().height() + scroll_bar + 4)

    def visible_columns(self) -> tuple[int, ...]:
        """Return the columns that are shown, from left to right."""
        return tuple(at for at in range(self.cells.columnCount()) if not self.isColumnHidden(at))

    def _sort_by_heading(self, column: int, order: Qt.SortOrder) -> None:
        self.cells.sort_by(None if column < 0 else (column, order == Qt.SortOrder.DescendingOrder))

    def unsort(self) -> None:
        """Show the tables in the order of the file."""
        self.headings.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)

    # ------------------------------------------------------------------------------------- choosing

    def chosen_rows(self) -> tuple[int, ...]:
        """Return the rows with a chosen cell, from the top; the current row if no cell is chosen."""
        rows = sorted({index.row() for index in self.selectionModel().selectedIndexes()})
        now = self.currentIndex().row()
        return tuple(rows) or ((now,) if now >= 0 else ())

    def chosen_parts(self) -> tuple[int, ...]:
        """Return the positions in the file of the chosen tables."""
        return tuple(map(self.cells.part_at, self.chosen_rows()))

    def choose_parts(self, parts: tuple[int, ...]) -> None:
        """Choose the tables at PARTS, positions in the file, and scroll to the first."""
        model = self.selectionModel()
        model.clearSelection()
        first = self.cells.index(self.cells.row_of(parts[0]), max(0, self.currentIndex().column()))
        self.setCurrentIndex(first)
        flags = QItemSelectionModel.SelectionFlag
        for part in parts:
            model.select(self.cells.index(self.cells.row_of(part), 0), flags.Select | flags.Rows)
        self.scrollTo(first)

    def _chosen_cells(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the rows and the visible columns of the chosen cells."""
        indexes = self.selectionModel().selectedIndexes() or [self.currentIndex()]
        columns = {index.column() for index in indexes}
        rows = tuple(sorted({index.row() for index in indexes if index.isValid()}))
        return rows, tuple(at for at in self.visible_columns() if at in columns)

    # ------------------------------------------------------------------------------------- cells at once

    def copy(self) -> None:
        """Copy the chosen cells in the format of spreadsheets."""
        rows, columns = self._chosen_cells()
        cells = self.cells
        texts = tuple(tuple(cells.whole(cells.columns[at], cells.part_at(row)) for at in columns) for row in rows)
        QGuiApplication.clipboard().setText(as_text(texts))

    def empty(self) -> None:
        """Empty the chosen cells."""
        rows, columns = self._chosen_cells()
        cells = {
            (self.cells.part_at(row), column.name): column.default
            for row in rows
            for column in map(self.cells.columns.__getitem__, columns)
        }
        if cells:
            self.cells.put(tr("Empty cells"), cells)

    def fill_down(self) -> None:
        """Copy the top row of the chosen cells into those below."""
        rows, columns = self._chosen_cells()
        first, values = rows[0], self.cells.values
        self.cells.put_pending()
        cells = {
            (self.cells.part_at(row), column.name): getattr(values[self.cells.part_at(first)], column.name)
            for row in rows[1:]
            for column in map(self.cells.columns.__getitem__, columns)
        }
        if cells:
            self.cells.put(tr("Fill cells"), cells)

    def paste(self) -> None:
        """Paste from the first chosen cell on; open the dialog if the rows do not fit or have headings."""
        text = QGuiApplication.clipboard().text()
        try:
            texts = rows_of(text, "\t", blanks=True)
        except DPWizardError:
            self.pasted.emit(text)  # the dialog shows the problem
            return
        rows, columns = self._chosen_cells()
        if not texts or not rows:
            return
        if len(texts) == len(texts[0]) == 1:
            texts = tuple((texts[0] * len(columns)) for _ in rows)
        first = self.visible_columns().index(columns[0])
        across = self.visible_columns()[first : first + len(texts[0])]
        if len(across) < len(texts[0]) or rows[0] + len(texts) > self.cells.rowCount() or guessed(texts).headed:
            self.pasted.emit(text)
            return
        self._paste_over(texts, rows[0], across)

    def _paste_over(self, pasted: tuple[tuple[str, ...], ...], top: int, columns: tuple[int, ...]) -> None:
        cells = {}
        mark: Mark = decimal_mark(pasted, tuple(self.cells.columns[at].name for at in columns))
        for down, texts in enumerate(pasted):
            part = self.cells.part_at(top + down)
            for at, text in zip(columns, texts, strict=True):
                column = self.cells.columns[at]
                try:
                    cells[part, column.name] = column.read(text, mark)
                except DPWizardError as problem:
                    why = tr("Nothing was pasted: {message}. {hint}", message=problem.text, hint=problem.remedy)
                    self.cells.refused.emit(f"{self.cells.place(column, part)}: {why}")
                    return
        self.cells.put(tr("Paste cells"), cells)

    # ------------------------------------------------------------------------------------- keys

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._action_of(event):
            event.accept()  # here the keys act on the cells, not on the window
            return True
        return super().event(event)

    def _action_of(self, event: QKeyEvent) -> Callable[[], None] | None:
        return self.keys.get(QKeySequence(event.keyCombination()).toString())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        act = self._action_of(event)
        if act is not None:
            act()
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.empty()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open_cell()
        else:
            super().keyPressEvent(event)

    def _cut(self) -> None:
        self.copy()
        self.empty()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu.popup(event.globalPos())

    def _go_below_after_enter(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        if hint == QAbstractItemDelegate.EndEditHint.SubmitModelCache:
            below: QModelIndex = self.currentIndex().siblingAtRow(self.currentIndex().row() + 1)
            if below.isValid():
                self.setCurrentIndex(below)
