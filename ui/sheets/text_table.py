"""A table of editable texts: the rows that a dialog is about to add to the release."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from dpwizard.base.csv_text import Rows, as_text, rows_of
from dpwizard.base.errors import DPWizardError
from ui.widgets import theme

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
ROW, WIDEST = 28, 240
CELL_STYLE = "QTableView::item { padding: 0 6px; }"  # as far in as the headings


class TextModel(QAbstractTableModel):
    """Rows of texts, all equally long, with a heading for each column and marks on some cells."""

    edited = Signal()

    def __init__(self, rows: Rows, colours: theme.Colours) -> None:
        super().__init__()
        self.rows = [list(row) for row in rows]
        self.colours = colours
        self.headings: tuple[str, ...] = ()
        self.first_column: tuple[str, ...] = ()  # headings of rows, instead of their numbers
        self.shown: Mapping[tuple[int, int], str] = {}  # how a cell was read, if not as its text
        self.marks: Mapping[tuple[int, int], str] = {}  # what is wrong with a cell
        self.quiet: frozenset[int] = frozenset()  # columns that are not used
        self.quiet_row = -1  # the row of headings

    def show_rows(self, rows: Rows) -> None:
        """Show other ROWS."""
        self.beginResetModel()
        self.rows = [list(row) for row in rows]
        self.endResetModel()

    def as_rows(self) -> Rows:
        """Return every text."""
        return tuple(map(tuple, self.rows))

    def redraw(self) -> None:
        """Draw everything again after headings or marks have changed."""
        if self.rows:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, self.columnCount() - 1))

    def rowCount(self, parent: Index = ROOT) -> int:
        return len(self.rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return len(self.rows[0]) if self.rows else 0

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsEditable

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Horizontal:
            return self.headings[section] if section < len(self.headings) else ""
        return self.first_column[section] if section < len(self.first_column) else str(section + 1)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        place = (index.row(), index.column())
        text, wrong = self.rows[place[0]][place[1]], self.marks.get(place)
        if role == Qt.ItemDataRole.EditRole:
            return text
        if role == Qt.ItemDataRole.DisplayRole:
            return self.shown.get(place, text) if wrong is None else text
        if role == Qt.ItemDataRole.ToolTipRole:
            return wrong or text
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return wrong
        if role == Qt.ItemDataRole.ForegroundRole:
            if wrong:
                return QColor(self.colours.problem)
            quiet = place[1] in self.quiet or place[0] == self.quiet_row
            return QColor(self.colours.quiet if quiet else self.colours.text)
        return QColor(self.colours.selected) if wrong and role == Qt.ItemDataRole.BackgroundRole else None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        text = " ".join(str(value).split())
        if text != self.rows[index.row()][index.column()]:
            self.put(index.row(), index.column(), ((text,),))
        return True

    def put(self, row: int, column: int, texts: Rows) -> None:
        """Put TEXTS into the cells from (ROW, COLUMN) on; add missing rows and columns."""
        high, wide = row + len(texts), column + max(map(len, texts))
        grows = high > len(self.rows) or wide > self.columnCount()
        if grows:
            self.beginResetModel()
            width = max(wide, self.columnCount())
            self.rows += [[] for _ in range(high - len(self.rows))]
            self.rows = [present + [""] * (width - len(present)) for present in self.rows]
        for down, cells in enumerate(texts):
            self.rows[row + down][column : column + len(cells)] = cells
        if grows:
            self.endResetModel()
        self.edited.emit()
        self.redraw()


class Spreadsheet(QTableView):
    """A table view with the keys of a spreadsheet."""

    def __init__(self, model: QAbstractTableModel, name: str) -> None:
        super().__init__()
        model.setParent(self)  # a view does not take what it shows
        self.setModel(model)
        self.setAccessibleName(name)
        trigger = QAbstractItemView.EditTrigger
        self.setEditTriggers(trigger.DoubleClicked | trigger.EditKeyPressed | trigger.AnyKeyPressed)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(ROW)
        self.verticalHeader().setHighlightSections(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setStyleSheet(CELL_STYLE)

    def open_cell(self) -> None:
        """Open the current cell for editing; does nothing for the Enter that ends an edit."""
        if self.currentIndex().isValid() and self.state() != QAbstractItemView.State.EditingState:
            self.edit(self.currentIndex())


class TextTable(Spreadsheet):
    """The texts, with the keys of a spreadsheet."""

    def __init__(self, model: TextModel, name: str) -> None:
        super().__init__(model, name)
        self.cells = model
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.horizontalHeader().setMaximumSectionSize(WIDEST)

    def choose(self, row: int, column: int) -> None:
        """Choose a cell and scroll to it."""
        index = self.cells.index(row, column)
        self.setCurrentIndex(index)
        self.scrollTo(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        indexes = self.selectionModel().selectedIndexes()
        rows = sorted({index.row() for index in indexes})
        columns = sorted({index.column() for index in indexes})
        if event.matches(QKeySequence.StandardKey.Paste):
            self._paste()
        elif event.matches(QKeySequence.StandardKey.Copy):
            texts = tuple(tuple(self.cells.rows[row][column] for column in columns) for row in rows)
            QGuiApplication.clipboard().setText(as_text(texts))
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and rows:
            self.cells.put(rows[0], columns[0], tuple(("",) * len(columns) for _ in rows))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open_cell()
        else:
            super().keyPressEvent(event)

    def _paste(self) -> None:
        try:
            texts = rows_of(QGuiApplication.clipboard().text(), blanks=True)
        except DPWizardError:
            return  # more than any table holds
        current = self.currentIndex()
        if texts:
            self.cells.put(max(0, current.row()), max(0, current.column()), texts)
            self.choose(max(0, current.row()), max(0, current.column()))
