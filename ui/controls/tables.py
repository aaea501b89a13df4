"""Tables of words and numbers: sorted by a click on a heading or from the keyboard, and copied as they are shown."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFocusEvent, QFont, QFontMetrics, QKeyEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QTableWidget, QTableWidgetItem, QWidget

from ui.widgets import broken, theme

LETTERS = 13  # in a line of a heading, where a word is not longer
ROOM = 18  # pixels for the scroll bar below
AROUND = 18  # pixels beside the words of a cell
ARROW = 14  # pixels of the arrow that says by which column the rows are sorted
TALL = 10_000  # pixels: no text of a cell is higher
LONGEST = 160  # pixels of a word that a column makes room for; a longer one may be cut


def _longest(metrics: QFontMetrics, texts: Iterable[str]) -> int:
    """Return how wide the longest word of TEXTS is, in pixels; 0 of none."""
    return max((metrics.horizontalAdvance(word) for text in texts for word in text.split()), default=0)


class Cell(QTableWidgetItem):
    """A cell that sorts by its value, not by its words."""

    def __init__(self, words: str, key: Any) -> None:
        super().__init__(words)
        self.key = key

    def __lt__(self, other: QTableWidgetItem) -> bool:
        return bool(self.key < other.key) if isinstance(other, Cell) else super().__lt__(other)


class Headings(QHeaderView):
    """Headings that the keyboard reaches: arrow keys choose one, Space or Enter sorts by it."""

    def __init__(self, colours: theme.Colours, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.colours = colours
        self.current = 0
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.setHighlightSections(False)
        self.setStyleSheet("QHeaderView::section { padding: 4px 8px; }")  # as far in as the cells below

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is not None:
            self.current = min(max(self.current + step, 0), max(self.count() - 1, 0))
            self._see()
        elif event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.sectionsClickable():
            rising = Qt.SortOrder.AscendingOrder
            again = self.sortIndicatorSection() == self.current and self.sortIndicatorOrder() == rising
            self.setSortIndicator(self.current, Qt.SortOrder.DescendingOrder if again else rising)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._see()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def _see(self) -> None:
        """Bring the heading chosen into view, and say its words to screen readers."""
        table = self.parent()
        if isinstance(table, QTableView) and table.model().rowCount():
            table.scrollTo(table.model().index(0, self.current))
        model = self.model()
        words = str(model.headerData(self.current, Qt.Orientation.Horizontal) or "") if model is not None else ""
        self.setAccessibleDescription(words.replace("\n", " "))
        self.viewport().update()

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        painter.save()
        super().paintSection(painter, rect, logicalIndex)
        painter.restore()
        if self.hasFocus() and logicalIndex == self.current:
            painter.save()
            painter.setPen(QPen(QColor(self.colours.accent), 2))
            painter.drawRect(rect.adjusted(1, 1, -2, -2))
            painter.restore()


class DataTable(QTableWidget):
    """Rows under headings; read, never edited."""

    def __init__(
        self, colours: theme.Colours, name: str, *, sorts: bool = False, most: int = 12, shares: tuple[float, ...] = ()
    ) -> None:
        """NAME is for screen readers; SORTS, whether it does; MOST rows are seen; SHARES of the width break texts."""
        super().__init__(0, 0)
        self.shares = shares
        self.titles: tuple[str, ...] = ()
        self.most = most  # rows seen at once; the rest by scrolling
        self.sorts = sorts
        self.headings = Headings(colours, self)
        self.headings.setSectionsClickable(sorts)
        if not sorts:
            self.headings.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalHeader(self.headings)
        self.setAccessibleName(name)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.verticalHeader().hide()
        self.setWordWrap(bool(shares))
        if sorts:
            theme.tabular(self)

    def fill(
        self,
        columns: Sequence[str],
        rows: Sequence[Sequence[str]],
        keys: Sequence[Sequence[Any]] | None = None,
        bold: Collection[int] = (),
    ) -> None:
        """Show ROWS under COLUMNS, in the order chosen; KEYS are what cells sort by, BOLD the rows that stand out."""
        order = (
            (self.headings.sortIndicatorSection(), self.headings.sortIndicatorOrder())
            if self.isSortingEnabled()
            else None
        )
        self.setSortingEnabled(False)
        self.setColumnCount(len(columns))
        self.setRowCount(len(rows))
        self.titles = tuple(columns)
        self.setHorizontalHeaderLabels(
            ["\n".join(textwrap.wrap(words, LETTERS, break_long_words=False)) for words in columns]
        )
        strong = self.font()
        strong.setBold(True)
        for i, row in enumerate(rows):
            for j, words in enumerate(row):
                cell = Cell(words, keys[i][j] if keys is not None else words)
                if i in bold:
                    cell.setFont(strong)
                self.setItem(i, j, cell)
        if self.sorts:
            self.setSortingEnabled(True)
            section, way = order if order is not None else (1, Qt.SortOrder.AscendingOrder)
            self.sortByColumn(section if 0 <= section < len(columns) else 1, way)
        self.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()

    def _widen(self) -> None:
        """Give each column what its words need, and all together the whole width where there is enough."""
        room = self.viewport().width()
        if self.shares:
            self._share_out(room)
            return
        strong = QFont(self.font())
        strong.setBold(True)
        metrics = QFontMetrics(strong)
        needed = []
        for column in range(self.columnCount()):
            lines = self._heading(column).split("\n")
            words = [*lines, *(self.words_at(i, column) for i in range(self.rowCount()))]
            needed.append(max(metrics.horizontalAdvance(line) for line in words) + AROUND)
        spare = max(0, room - sum(needed)) // max(len(needed), 1)
        for column, width in enumerate(needed):
            self.setColumnWidth(column, width + spare)

    def _share_out(self, room: int) -> None:
        """Give each column its share of ROOM, but no less than its longest word; texts of several lines keep apart."""
        strong = QFont(self.font())
        strong.setBold(True)
        metrics, of_titles = QFontMetrics(strong), QFontMetrics(self.headings.font())
        beside = AROUND + (ARROW if self.sorts else 0)
        columns = range(self.columnCount())
        cells = [[self.words_at(row, column) for row in range(self.rowCount())] for column in columns]
        least = [
            max(
                min(LONGEST, _longest(metrics, cells[column])) + AROUND,
                _longest(of_titles, [self.titles[column]]) + beside,
            )
            for column in columns
        ]
        wanted = [max(int(room * share), words) for share, words in zip(self.shares, least, strict=False)]
        spare = sum(wanted) - sum(least)
        kept = max(0, spare - max(0, sum(wanted) - room)) / spare if spare else 0.0
        for column, words in enumerate(least):
            width = words + int((wanted[column] - words) * kept)
            self.setColumnWidth(column, width)
            self.model().setHeaderData(
                column, Qt.Orientation.Horizontal, broken(self.titles[column], width - beside, of_titles)
            )
        for row in range(self.rowCount()):
            high = max(
                metrics.boundingRect(
                    QRect(0, 0, self.columnWidth(column) - AROUND, TALL), Qt.TextFlag.TextWordWrap, cells[column][row]
                ).height()
                for column in columns
            )
            self.setRowHeight(row, max(self.verticalHeader().defaultSectionSize(), high + theme.NEAR))

    def fit(self) -> None:
        """Be as wide as there is room and as high as the rows that are seen at once."""
        self._widen()
        shown = range(min(self.rowCount(), self.most))
        high = sum(self.rowHeight(i) for i in shown) + self.headings.sizeHint().height() + 2 * self.frameWidth()
        self.setFixedHeight(high + (ROOM if self.headings.length() > self.viewport().width() else 2))

    def _heading(self, column: int) -> str:
        item = self.horizontalHeaderItem(column)
        return "" if item is None else item.text()

    def columns(self) -> tuple[str, ...]:
        """Return the words of the headings."""
        return self.titles

    def rows(self) -> tuple[tuple[str, ...], ...]:
        """Return the words of every cell, in the order in which they are shown."""
        return tuple(tuple(self.words_at(i, j) for j in range(self.columnCount())) for i in range(self.rowCount()))

    def words_at(self, row: int, column: int) -> str:
        """Return the words of one cell."""
        item = self.item(row, column)
        return item.text() if item is not None else ""
