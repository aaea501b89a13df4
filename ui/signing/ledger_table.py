"""The records of an office's ledger as a table: a thousand rows, sorted by a heading, filled anew without a pause."""

from __future__ import annotations

import html
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QTableView

from dpwizard.records import Row, ledger_words
from ui.controls import Headings
from ui.signing import verdict_words
from ui.widgets import theme, tr

WIDEST = 300  # pixels of a column, except the last
LOOKED_AT = 60  # rows by which columns are measured
LARGEST, LAST = float("inf"), "9999"  # what does not say its loss, or its day, comes after all that do
Index = QModelIndex | QPersistentModelIndex
DISPLAY, TIP = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole
NOWHERE = QModelIndex()


class LedgerModel(QAbstractTableModel):
    """The rows of a ledger, in the order chosen."""

    def __init__(self, parent: QTableView) -> None:
        super().__init__(parent)
        self.heads = (
            *(tr("Record"), tr("Date"), tr("Standing"), tr("Counts"), tr("Epsilon"), tr("Rho")),
            *(tr("Population"), tr("Unit"), tr("Review by"), tr("Note")),
        )
        self.rows: list[tuple[Row, tuple[str, ...], tuple[Any, ...]]] = []
        self._order: tuple[int, bool] = (1, False)

    def show_rows(self, rows: tuple[Row, ...]) -> None:
        """Show ROWS in place of those before."""
        same = len(rows) == len(self.rows)
        if not same:
            self.beginResetModel()
        self.rows = [(row, _cells(row), _keys(row)) for row in rows]
        self._sort()
        if same:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(self.heads) - 1))
        else:
            self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if 0 <= column < len(self.heads):
            self._order = column, order == Qt.SortOrder.DescendingOrder
            self.layoutAboutToBeChanged.emit()
            self._sort()
            self.layoutChanged.emit()

    def _sort(self) -> None:
        column, falling = self._order
        self.rows.sort(key=lambda row: row[2][column], reverse=falling)

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.heads)

    def data(self, index: Index, role: int = DISPLAY) -> Any:
        if role == DISPLAY:
            return self.rows[index.row()][1][index.column()]
        # what somebody typed is no markup
        return f"<p>{html.escape(self.rows[index.row()][1][index.column()])}</p>" if role == TIP else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> Any:
        return self.heads[section] if orientation == Qt.Orientation.Horizontal and role == DISPLAY else None


def _cells(row: Row) -> tuple[str, ...]:
    entry = row.entry
    figures = (ledger_words.lost(entry.lost.epsilon), ledger_words.lost(entry.lost.rho))
    standing = (ledger_words.standing(row), tr("yes") if row.counts else tr("no"))
    return (entry.name, entry.date, *standing, *figures, entry.population, entry.unit, entry.review, _note(row))


def _note(row: Row) -> str:
    """Return why a record stands as it does; else how its verification ended, in the words of every dialog."""
    signed = row.entry.signed
    if row.why or signed is None:
        return row.why.said()
    return verdict_words.state(signed.verdict, signed.outcome)


def _keys(row: Row) -> tuple[Any, ...]:
    """Return by what each cell is sorted."""
    entry = row.entry
    first = (entry.name.casefold(), entry.date or LAST, ledger_words.standing(row), not row.counts)
    figures = (LARGEST if figure is None else figure for figure in (entry.lost.epsilon, entry.lost.rho))
    return (*first, *figures, entry.population.casefold(), entry.unit.casefold(), entry.review, _note(row))


class LedgerTable(QTableView):
    """The table; a row that is activated leads to its record."""

    chosen = Signal(object)  # a Row

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__()
        self.entries = LedgerModel(self)
        self.headings = Headings(colours, self)
        self.headings.setSectionsClickable(True)
        self.headings.setResizeContentsPrecision(LOOKED_AT)
        self.setHorizontalHeader(self.headings)
        self.setModel(self.entries)
        self.setSortingEnabled(True)
        self.sortByColumn(1, Qt.SortOrder.AscendingOrder)
        self.setAccessibleName(tr("Records of the ledger"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.headings.setStretchLastSection(True)
        theme.tabular(self)
        self.activated.connect(lambda index: self.chosen.emit(self.entries.rows[index.row()][0]))

    def show_rows(self, rows: tuple[Row, ...]) -> None:
        """Show ROWS; columns are measured when there are others than before."""
        others = len(rows) != len(self.entries.rows)
        self.entries.show_rows(rows)
        if others:
            self.resizeColumnsToContents()
            for column in range(len(self.entries.heads) - 1):
                self.setColumnWidth(column, min(self.columnWidth(column) + theme.NEAR, WIDEST))

    def lines(self) -> list[str]:
        """Return what is shown, in its order, cells apart by tabs."""
        cells = (self.entries.heads, *(row[1] for row in self.entries.rows))
        return ["\t".join(" ".join(cell.split()) for cell in line) for line in cells]
