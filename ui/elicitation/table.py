"""A table to be read, not edited: text in several lines, from the top left, one column that takes the room."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, QTimer
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
)

from ui.widgets import theme


class _Read(QStyledItemDelegate):
    """Draws a cell the same whether or not the keyboard or the mouse is on it: there is nothing to choose."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        option.state &= ~(QStyle.StateFlag.State_HasFocus | QStyle.StateFlag.State_MouseOver)


class ReadTable(QTableWidget):
    """Shows rows of text; a row with a single text is a heading over the whole width."""

    def __init__(self, name: str, titles: Sequence[str], widths: Sequence[int]) -> None:
        """Arguments: NAME for screen readers; TITLES of the columns; WIDTHS in pixels, 0 where it takes the room."""
        super().__init__(0, len(titles))
        self.setAccessibleName(name)
        self.setHorizontalHeaderLabels(list(titles))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setItemDelegate(_Read(self))
        self.setWordWrap(True)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)  # Tab leaves the table
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        for column, width in enumerate(widths):
            if width:
                self.setColumnWidth(column, width)
            else:
                header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        self._fit = QTimer(self, singleShot=True, interval=0)  # rows are measured once the columns have their widths
        self._fit.timeout.connect(self._measure)
        header.sectionResized.connect(lambda *_: self._fit.start())

    def show_rows(self, rows: Sequence[Sequence[str]]) -> None:
        """Show ROWS in the place of what was shown."""
        self.clearSpans()
        self.setRowCount(len(rows))
        for index, row in enumerate(rows):
            heads = len(row) == 1
            for column in range(self.columnCount()):
                item = QTableWidgetItem(row[column] if column < len(row) else "")
                item.setTextAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
                item.setFlags(Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled)
                if heads:
                    item.setFont(theme.font(theme.BODY, QFont.Weight.DemiBold))
                self.setItem(index, column, item)
            if heads:
                self.setSpan(index, 0, 1, self.columnCount())
        self._fit.start()

    def _measure(self) -> None:
        """Give every row the height of its text, and a little room below it."""
        self.resizeRowsToContents()
        for row in range(self.rowCount()):
            heads = self.columnSpan(row, 0) > 1  # its text stands in one line over all columns
            self.setRowHeight(row, (self.fontMetrics().height() if heads else self.rowHeight(row)) + theme.NEAR)
