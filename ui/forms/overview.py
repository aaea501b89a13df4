"""Very many rows as a table for reading, with one form: that of the row that is chosen in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QVBoxLayout, QWidget

from dpwizard.base.language import phrase
from dpwizard.base.values import Value
from dpwizard.wording import known_word
from ui.forms.numbers import written
from ui.widgets import added, plain, theme

SHOWN, ROW = 10, 28  # rows seen at once, and pixels of each
LARGEST = "0000"  # as wide as the number of any row
Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()


class RowsModel(QAbstractTableModel):
    """Some fields of each of many values; nothing is made for a row that is not seen."""

    def __init__(self, kind: type[Value], names: tuple[str, ...]) -> None:
        super().__init__()
        self.kind, self.names = kind, names
        self.values: tuple[Value, ...] = ()

    def show_values(self, values: tuple[Value, ...]) -> None:
        """Show VALUES; where there are as many as before, each stays in its place."""
        if len(values) != len(self.values):
            self.beginResetModel()
            self.values = values
            self.endResetModel()
        elif values is not self.values:
            self.values = values
            self.dataChanged.emit(self.index(0, 0), self.index(len(values) - 1, len(self.names)))

    def rowCount(self, parent: Index = ROOT) -> int:
        return len(self.values)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 1 + len(self.names)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or orientation != Qt.Orientation.Horizontal:
            return None
        if not section:
            return ""
        name = self.names[section - 1]
        return phrase("label", self.kind.model_fields[name].title or name)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.column():
            return str(index.row() + 1) if role == Qt.ItemDataRole.DisplayRole else None
        name = self.names[index.column() - 1]
        value = getattr(self.values[index.row()], name)
        number = isinstance(value, int | float)
        if role == Qt.ItemDataRole.TextAlignmentRole and number:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole) or value is None:
            return None
        return written(value) if number else known_word(name, value) or value


class Overview(QWidget):
    """The table, and below it what it makes for the row chosen."""

    chosen = Signal(int)

    def __init__(self, kind: type[Value], names: tuple[str, ...], title: str, make: Callable[[int], QWidget]) -> None:
        """Show the fields NAMES of values of KIND; MAKE gives what stands below for a position."""
        super().__init__()
        self._make = make
        self.column = plain(QVBoxLayout(self), theme.NEAR)
        self.row = -1  # the one whose form is shown
        self.below: QWidget | None = None
        self.model, self.table = self.build(kind, names, title)
        self._body = plain(QVBoxLayout(), theme.NEAR)
        self.column.addLayout(self._body)

    def build(self, kind: type[Value], names: tuple[str, ...], title: str) -> tuple[RowsModel, QTableView]:
        """Return the values and the table that shows them, which is now in the column."""
        model, table = RowsModel(kind, names), QTableView()
        table.setModel(model)
        table.setAccessibleName(title)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setTabKeyNavigation(False)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.verticalHeader().hide()
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        table.verticalHeader().setDefaultSectionSize(ROW)
        table.horizontalHeader().setHighlightSections(False)
        table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        table.setFixedHeight(SHOWN * ROW + table.horizontalHeader().sizeHint().height() + 4)
        theme.tabular(table)
        table.selectionModel().currentRowChanged.connect(lambda now, _: self.show_row(now.row()))
        self.column.addWidget(table)
        return model, table

    def show_values(self, values: tuple[Value, ...]) -> None:
        """Show VALUES; the row chosen stays chosen, or the last one is."""
        kept = max(0, min(self.row, len(values) - 1))
        self.model.show_values(values)
        if self.table.currentIndex().row() != kept:
            self.choose(kept)

    def choose(self, row: int) -> None:
        """Choose ROW, and see it."""
        at = self.model.index(row, 1)
        self.table.setCurrentIndex(at)
        self.table.scrollTo(at)
        self.show_row(row)

    def show_row(self, row: int) -> None:
        """Show below what is made for ROW."""
        if row == self.row or row < 0:
            return
        self.row = row
        if self.below is not None:
            self._body.removeWidget(self.below)
            self.below.hide()
            self.below.deleteLater()
        self.below = added(self._body, self._make(row))
        self.chosen.emit(row)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give each column what its heading needs, and the first field the rest."""
        super().resizeEvent(event)
        metrics = self.table.fontMetrics()
        titles = [str(self.model.headerData(i, Qt.Orientation.Horizontal)) for i in range(self.model.columnCount())]
        widths = [metrics.horizontalAdvance(words or LARGEST) + 3 * theme.NEAR for words in titles]
        widths[1] = max(widths[1], self.table.viewport().width() - sum(widths) + widths[1])
        for column, width in enumerate(widths):
            self.table.setColumnWidth(column, width)
