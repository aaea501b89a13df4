"""Tables to type into: the cells of the one table, with the keys of a spreadsheet."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView

from dpwizard.base.csv_text import as_text
from ui.controls.tables import Column, Index, RowsTable


class Spreadsheet(RowsTable):
    """Cells that are chosen, opened, copied, pasted and emptied with mouse and keys."""

    edge = 2  # it is thicker while it has the keyboard; the last row is whole then too
    fewest = 1

    def __init__(
        self,
        name: str,
        columns: Sequence[Column] = (),
        *,
        sorts: tuple[int, bool] | None = None,
        most: int | None,
        chooses_many: bool = True,
    ) -> None:
        """CHOOSES_MANY: whether several cells can be chosen at once."""
        super().__init__(name, columns, sorts=sorts, most=most)
        trigger, mode = QAbstractItemView.EditTrigger, QAbstractItemView.SelectionMode
        self.setEditTriggers(trigger.DoubleClicked | trigger.EditKeyPressed | trigger.AnyKeyPressed)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setSelectionMode(mode.ExtendedSelection if chooses_many else mode.SingleSelection)
        self.setShowGrid(True)
        self.setCornerButtonEnabled(False)
        self.verticalHeader().setHighlightSections(False)

    def dataChanged(self, topLeft: Index, bottomRight: Index, roles: Sequence[int] = ()) -> None:
        """Show cells anew; one that is open keeps what is being typed."""
        if self.state() == QAbstractItemView.State.EditingState:
            self.viewport().update()
        else:
            super().dataChanged(topLeft, bottomRight, roles)

    def chosen_cells(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the rows and the visible columns of the chosen cells; of the current cell if none is chosen."""
        indexes = self.selectionModel().selectedIndexes() or [self.currentIndex()]
        columns = {index.column() for index in indexes}
        rows = tuple(sorted({index.row() for index in indexes if index.isValid()}))
        return rows, tuple(at for at in self.visible_columns() if at in columns)

    def copy(self) -> None:
        """Copy the chosen cells in the format of spreadsheets."""
        rows, columns = self.chosen_cells()
        role = Qt.ItemDataRole
        cells = [[self.rows_model.index(row, at) for at in columns] for row in rows]
        texts = tuple(tuple(at.data(role.EditRole) or at.data(role.DisplayRole) or "" for at in row) for row in cells)
        QGuiApplication.clipboard().setText(as_text(texts))

    def paste(self) -> None:
        """Paste from the first chosen cell on."""
        raise NotImplementedError  # abstract

    def empty(self) -> None:
        """Empty the chosen cells."""
        raise NotImplementedError  # abstract

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Paste):
            self.paste()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.empty()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            # not for the Enter that ends an edit
            if self.currentIndex().isValid() and self.state() != QAbstractItemView.State.EditingState:
                self.edit(self.currentIndex())
        else:
            super().keyPressEvent(event)
