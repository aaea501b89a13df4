"""The spreadsheet of tables: cells are chosen, edited, copied, pasted, filled and emptied with mouse and keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemDelegate, QMenu, QWidget

from dpwizard.base.csv_text import rows_of
from dpwizard.base.errors import DPWizardError
from dpwizard.sheets import Column, Mark, decimal_mark, guessed
from ui.controls import Spreadsheet
from ui.sheets.cell_editors import CellEditors
from ui.sheets.tables_cells import TablesCells
from ui.widgets import theme, tr

ROWS_SHOWN = 12  # rows seen at once
BASIC = ("name", "statistic", "dimension", "sensitivity", "mechanism", "share")  # columns that are always shown


class TablesSheet(Spreadsheet):
    """The cells of all tables; `pasted` asks for a dialog where a paste needs more than these cells."""

    pasted = Signal(str)  # text that has more rows, or headings

    def __init__(self, cells: TablesCells, colours: theme.Colours, title: str) -> None:
        super().__init__(title, cells.columns(), sorts=(-1, False), most=ROWS_SHOWN)
        self.cells = cells
        self.shown: set[int] = set()  # columns shown although no table uses them
        self.menu = QMenu(self)
        self.keys: dict[str, Callable[[], None]] = {"Ctrl+X": self._cut}
        self._editors = CellEditors(cells, self)
        self.setItemDelegate(self._editors)
        self._editors.closeEditor.connect(self._go_below_after_enter)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.show_labels(lambda part: str(part + 1))
        model = self.rows_model
        model.same = lambda part: part
        model.problem = cells.problem
        model.colour = lambda part, column: colours.problem if cells.problem(part, column) else None
        model.typed.connect(lambda row, at, text: cells.enter(model.columns[at].field, model.rows[row], text))
        cells.changed.connect(model.redraw)

    # ------------------------------------------------------------------------------------- columns

    def show_values(self) -> None:
        """Show every table; the order of the rows is kept if there are as many as before."""
        resized = len(self.rows_model.rows) != len(self.cells.values)
        if resized:
            self.show_rows(range(len(self.cells.values)))
        else:
            self.rows_model.redraw()
        if self.show_columns() or resized:
            self.fit()

    def show_columns(self) -> bool:
        """Show the basic columns, those that some table uses, and those the officer chose; return if any changed."""
        before = self.visible_columns()
        for at, column in enumerate(self.rows_model.columns):
            field = column.field
            self.setColumnHidden(at, not (field.name in BASIC or at in self.shown or self.cells.used(field)))
        return before != self.visible_columns()

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
        return tuple(self.rows_model.rows[row] for row in self.chosen_rows())

    def choose_parts(self, parts: tuple[int, ...]) -> None:
        """Choose the tables at PARTS, positions in the file, and scroll to the first."""
        row_of = self.rows_model.rows.index
        self.selectionModel().clearSelection()
        self.choose(row_of(parts[0]), max(0, self.currentIndex().column()))
        flags = QItemSelectionModel.SelectionFlag
        for part in parts:
            self.selectionModel().select(self.rows_model.index(row_of(part), 0), flags.Select | flags.Rows)

    # ------------------------------------------------------------------------------------- cells at once

    def _put(self, name: str, rows: tuple[int, ...], columns: tuple[int, ...], value: Callable[[Column], Any]) -> None:
        """Put the VALUE of its field into each of some cells, as one edit called NAME."""
        fields = [self.rows_model.columns[at].field for at in columns]
        cells = {(self.rows_model.rows[row], field.name): value(field) for row in rows for field in fields}
        if cells:
            self.cells.put(name, cells)

    def empty(self) -> None:
        self._put(tr("Empty cells"), *self.chosen_cells(), lambda field: field.default)

    def fill_down(self) -> None:
        """Copy the top row of the chosen cells into those below."""
        rows, columns = self.chosen_cells()
        self.cells.put_pending()
        top = self.cells.values[self.rows_model.rows[rows[0]]]
        self._put(tr("Fill cells"), rows[1:], columns, lambda field: getattr(top, field.name))

    def paste(self) -> None:
        """Paste from the first chosen cell on; open the dialog if the rows do not fit or have headings."""
        text = QGuiApplication.clipboard().text()
        try:
            texts = rows_of(text, "\t", blanks=True)
        except DPWizardError:
            self.pasted.emit(text)  # the dialog shows the problem
            return
        rows, columns = self.chosen_cells()
        if not texts or not rows:
            return
        if len(texts) == len(texts[0]) == 1:
            texts = tuple((texts[0] * len(columns)) for _ in rows)
        first = self.visible_columns().index(columns[0])
        across = self.visible_columns()[first : first + len(texts[0])]
        if len(across) < len(texts[0]) or rows[0] + len(texts) > self.rows_model.rowCount() or guessed(texts).headed:
            self.pasted.emit(text)
            return
        self._paste_over(texts, rows[0], across)

    def _paste_over(self, pasted: tuple[tuple[str, ...], ...], top: int, columns: tuple[int, ...]) -> None:
        cells = {}
        fields = [self.rows_model.columns[at].field for at in columns]
        mark: Mark = decimal_mark(pasted, tuple(field.name for field in fields))
        for part, texts in zip(self.rows_model.rows[top:], pasted, strict=False):
            for field, text in zip(fields, texts, strict=True):
                try:
                    cells[part, field.name] = field.read(text, mark)
                except DPWizardError as problem:
                    why = tr("Nothing was pasted: {message}. {hint}", message=problem.text, hint=problem.remedy)
                    self.cells.refused.emit(f"{self.cells.place(field, part)}: {why}")
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
