"""Records of a folder as a table: a thousand rows, sorted by a heading, filled anew without a pause."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QTableView

from ui.controls import Headings
from ui.widgets import theme

WIDEST = 300  # pixels of a column, except the last
LOOKED_AT = 60  # rows by which columns are measured
Index = QModelIndex | QPersistentModelIndex
DISPLAY, TIP = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole
NOWHERE = QModelIndex()


class RecordRow(NamedTuple):
    """One row: what it stands for, the words of its cells, and by what each cell is sorted."""

    of: Any
    cells: tuple[str, ...]
    keys: tuple[Any, ...]


class RecordsModel(QAbstractTableModel):
    """The rows, in the order chosen."""

    def __init__(self, parent: QTableView, heads: Sequence[str]) -> None:
        super().__init__(parent)
        self.heads = tuple(heads)
        self.rows: list[RecordRow] = []
        self._order: tuple[int, bool] | None = None

    def show_rows(self, rows: Sequence[RecordRow]) -> None:
        """Show ROWS in place of those before."""
        same = len(rows) == len(self.rows)
        if not same:
            self.beginResetModel()
        self.rows = list(rows)
        self._sort()
        if not same:
            self.endResetModel()
        elif rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(self.heads) - 1))

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if 0 <= column < len(self.heads):
            self._order = column, order == Qt.SortOrder.DescendingOrder
            self.layoutAboutToBeChanged.emit()
            self._sort()
            self.layoutChanged.emit()

    def _sort(self) -> None:
        if self._order is not None:
            column, falling = self._order
            self.rows.sort(key=lambda row: row.keys[column], reverse=falling)

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.heads)

    def data(self, index: Index, role: int = DISPLAY) -> Any:
        if role not in (DISPLAY, TIP):
            return None
        words = self.rows[index.row()].cells[index.column()]
        return words if role == DISPLAY else f"<p>{html.escape(words)}</p>"  # what somebody typed is no markup

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> Any:
        return self.heads[section] if orientation == Qt.Orientation.Horizontal and role == DISPLAY else None


class RecordsTable(QTableView):
    """The table; a row that is activated leads to its record."""

    chosen = Signal(object)  # what the row stands for

    def __init__(self, colours: theme.Colours, name: str, heads: Sequence[str], sorted_by: int = -1) -> None:
        """SORTED_BY: the column by which rows are sorted at first; -1: they stay as they come until one is chosen."""
        super().__init__()
        self.entries = RecordsModel(self, heads)
        self.headings = Headings(colours, self)
        self.headings.setSectionsClickable(True)
        self.headings.setResizeContentsPrecision(LOOKED_AT)
        self.setHorizontalHeader(self.headings)
        self.setModel(self.entries)
        self.headings.setSortIndicator(sorted_by, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.headings.setStretchLastSection(True)
        theme.tabular(self)
        self.activated.connect(lambda index: self.chosen.emit(self.entries.rows[index.row()].of))

    def show_rows(self, rows: Sequence[RecordRow]) -> None:
        """Show ROWS; columns are measured when there are others than before."""
        others = len(rows) != len(self.entries.rows)
        self.entries.show_rows(rows)
        if others:
            self.resizeColumnsToContents()
            for column in range(len(self.entries.heads) - 1):
                self.setColumnWidth(column, min(self.columnWidth(column) + theme.NEAR, WIDEST))

    def lines(self) -> list[str]:
        """Return what is shown, in its order, cells apart by tabs."""
        cells = (self.entries.heads, *(row.cells for row in self.entries.rows))
        return ["\t".join(" ".join(cell.split()) for cell in line) for line in cells]
