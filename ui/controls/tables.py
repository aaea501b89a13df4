"""Tables that are read: one model of rows under columns, and one view that fits, sorts and is copied as it is shown."""

from __future__ import annotations

import html
import math
import textwrap
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFont, QFontMetrics, QKeyEvent, QPainter, QPalette, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from ui.widgets import broken, theme

LETTERS = 10  # in a line of a heading, where a word is not longer
AROUND, ARROW = 18, 14  # pixels beside the words of a cell, and of the arrow of the column sorted by
LONGEST = 160  # pixels of a word that a column makes room for; a longer one may be cut
ROW, TALL = 28, 10_000  # pixels of a row, and more than any text of a cell is high
FREE = "\u2003"  # beside the words of a heading that is flush right and sorted by, where its arrow is
SAMPLE = 80  # rows whose words say how wide a column is
TIP = 2_000  # letters of a tool tip
Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
TOP = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column: its heading, what it says of a row, and how it is sorted and fitted."""

    title: str
    words: Callable[[Any], str]
    key: Callable[[Any], Any] | None = None  # what a row is sorted by; None where it says nothing. Without: by words
    tip: Callable[[Any], str] | None = None  # without: its words
    numeric: bool = False  # set flush right
    share: float = 0.0  # of the width that is left over; of all columns none: all get the same
    least: int | None = None  # pixels it keeps where there is too little room; without: it keeps what it needs
    most: int = 420  # pixels that its words are given, at most


@dataclass(frozen=True, kw_only=True)
class TextRow:
    """A row whose words are known already."""

    cells: tuple[str, ...]
    keys: tuple[Any, ...] = ()  # what they sort by; none: by the words
    strong: bool = False


def text_columns(titles: Sequence[str], shares: Sequence[float] = ()) -> tuple[Column, ...]:
    """Return columns of rows whose words are known already."""
    return tuple(_text_column(title, at, shares[at] if at < len(shares) else 0.0) for at, title in enumerate(titles))


def _text_column(title: str, at: int, share: float) -> Column:
    def words(row: TextRow) -> str:
        return row.cells[at] if at < len(row.cells) else ""

    return Column(title=title, words=words, key=lambda row: row.keys[at] if row.keys else words(row), share=share)


class RowsModel(QAbstractTableModel):
    """Rows under columns, those that are wanted in the order chosen; the words of a cell are made when it is seen.

    It sorts by itself: a proxy model would ask Python for each comparison, which takes too long in a drag.
    """

    def __init__(self, columns: Sequence[Column], parent: QObject) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self.headings: list[str] = [column.title for column in columns]  # broken into lines
        self.all: tuple[Any, ...] = ()
        self.rows: tuple[Any, ...] = ()  # as they are shown
        self.order: tuple[int, bool] | None = None  # the column they are sorted by, and whether it falls
        self.wanted: Callable[[Any], bool] | None = None
        self.same: Callable[[Any], Any] | None = None  # what makes two rows the same one, at another moment
        self.is_strong: Callable[[Any], bool] = lambda row: False
        self.colour: Callable[[Any, Column], str | None] = lambda row, column: None
        self.from_top = False  # whether words of several lines begin at the top
        self._words: dict[tuple[int, int], str] = {}

    def show_columns(self, columns: Sequence[Column]) -> None:
        """Show other COLUMNS, of no row yet."""
        self.beginResetModel()
        self.columns, self.all, self.rows, self._words = tuple(columns), (), (), {}
        self.headings = [column.title for column in columns]
        self.endResetModel()

    def show_rows(self, rows: Sequence[Any]) -> None:
        """Show ROWS; where there are as many as before, each keeps its place on the screen."""
        self.all = tuple(rows)
        self.arrange()

    def seek(self, wanted: Callable[[Any], bool] | None) -> None:
        """Show the rows WANTED."""
        self.wanted = wanted
        self.arrange()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if 0 <= column < len(self.columns):
            self.order = column, order == Qt.SortOrder.DescendingOrder
            self.arrange()

    def arrange(self) -> None:
        """Show what is wanted, in the order chosen."""
        found = tuple(row for row in self.all if self.wanted is None or self.wanted(row))
        found = found if self.order is None else ordered(found, self.columns[self.order[0]], falling=self.order[1])
        self._words = {}
        if len(found) != len(self.rows):
            self.beginResetModel()
            self.rows = found
            self.endResetModel()
        elif found:
            self.rows = found
            self.dataChanged.emit(self.index(0, 0), self.index(len(found) - 1, len(self.columns) - 1))

    def words_at(self, row: int, column: int) -> str:
        """Return the words of one cell."""
        if (row, column) not in self._words:
            self._words[row, column] = self.columns[column].words(self.rows[row])
        return self._words[row, column]

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            sorted_by = self.order is not None and self.order[0] == section
            free = FREE if sorted_by and self.columns[section].numeric else ""
            return "\n".join(f"{line}{free}" for line in self.headings[section].split("\n"))
        numeric = role == Qt.ItemDataRole.TextAlignmentRole and self.columns[section].numeric
        return RIGHT if numeric else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self.rows[index.row()], self.columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.words_at(index.row(), index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            text = self.words_at(index.row(), index.column()) if column.tip is None else column.tip(row)
            return f"<p style='white-space:pre-wrap'>{html.escape(text[:TIP])}</p>" if text else None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column.numeric else TOP if self.from_top else None
        if role == Qt.ItemDataRole.FontRole and self.is_strong(row):
            strong = QFont()
            strong.setBold(True)
            return strong
        colour = self.colour(row, column) if role == Qt.ItemDataRole.ForegroundRole else None
        return None if colour is None else QColor(colour)


def ordered(rows: Sequence[Any], column: Column, *, falling: bool) -> tuple[Any, ...]:
    """Return ROWS in order of COLUMN; those that say nothing there are last, whichever way it goes."""
    keys = [(column.words(row) if column.key is None else column.key(row), row) for row in rows]
    known = sorted((pair for pair in keys if pair[0] is not None), key=lambda pair: pair[0], reverse=falling)
    return (*(row for _, row in known), *(row for key, row in keys if key is None))


class Headings(QHeaderView):
    """Headings that the keyboard reaches: arrow keys choose one, Space or Enter sorts by it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
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
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Accent), 2))
            painter.drawRect(rect.adjusted(1, 1, -2, -2))
            painter.restore()


class RowsTable(QTableView):
    """Rows under headings; read, never edited."""

    chosen = Signal(int)  # the row that the keyboard or a click goes to; -1: none
    opened = Signal(int)  # a row is activated

    def __init__(
        self,
        name: str,
        columns: Sequence[Column] = (),
        *,
        sorts: tuple[int, bool] | None = None,
        most: int | None = 12,
        wraps: bool = False,
    ) -> None:
        """NAME is for screen readers. SORTS: the column first sorted by, and whether it falls; None: it does not sort.

        MOST rows are seen at once; None: as many as there is room for. WRAPS: words may take several lines.
        """
        super().__init__()
        self.rows_model = RowsModel(columns, self)
        self.most, self.wraps, self._sorts = most, wraps, sorts
        self.is_heading: Callable[[Any], bool] = lambda row: False  # a row whose first words stand over all columns
        self.headings = Headings(self)
        self.headings.setSectionsClickable(sorts is not None)
        if sorts is None:
            self.headings.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalHeader(self.headings)
        self.rows_model.from_top = wraps
        self.setModel(self.rows_model)
        self.setAccessibleName(name)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(wraps)
        if wraps:
            self.setStyleSheet("QTableView::item { padding: 4px 5px; }")  # words begin at the top of a row
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(ROW)
        if sorts is not None:
            theme.tabular(self)
            self._sort_first()
        self.selectionModel().currentRowChanged.connect(lambda now, _: self.chosen.emit(now.row()))
        self.activated.connect(lambda index: self.opened.emit(index.row()))

    def _sort_first(self) -> None:
        if self._sorts is not None and self.rows_model.columns:
            column, falling = self._sorts
            way = Qt.SortOrder.DescendingOrder if falling else Qt.SortOrder.AscendingOrder
            self.headings.setSortIndicator(column, way)
            self.setSortingEnabled(True)

    # ----------------------------------------------------------------------------------------- what it shows

    def fill(
        self,
        titles: Sequence[str],
        rows: Sequence[Sequence[str]],
        keys: Sequence[Sequence[Any]] | None = None,
        bold: Collection[int] = (),
        shares: Sequence[float] = (),
    ) -> None:
        """Show ROWS of words under TITLES, in the order chosen; KEYS are what cells sort by, BOLD rows stand out."""
        if tuple(titles) != self.columns():
            order = self.rows_model.order
            self.rows_model.show_columns(text_columns(titles, shares))
            self.rows_model.is_strong = lambda row: row.strong
            if order is not None and order[0] < len(titles):
                self.rows_model.order = order
            else:
                self._sort_first()
        found = [
            TextRow(cells=tuple(row), keys=tuple(keys[at]) if keys is not None else (), strong=at in bold)
            for at, row in enumerate(rows)
        ]
        self.show_rows(found)

    def show_rows(self, rows: Sequence[Any]) -> None:
        """Show ROWS, and fit to them where they are others than before."""
        model = self.rows_model
        before = None if model.same is None else [model.same(row) for row in model.all]
        model.show_rows(rows)
        self.clearSpans()
        for at, row in enumerate(model.rows):
            if self.is_heading(row):
                self.setSpan(at, 0, 1, len(model.columns))
        if model.same is None or before != [model.same(row) for row in model.all]:
            self.fit()

    def columns(self) -> tuple[str, ...]:
        """Return the words of the headings."""
        return tuple(column.title for column in self.rows_model.columns)

    def rows(self) -> tuple[tuple[str, ...], ...]:
        """Return the words of every cell, in the order in which they are shown."""
        model = self.rows_model
        across = range(model.columnCount())
        return tuple(tuple(model.words_at(row, column) for column in across) for row in range(model.rowCount()))

    def choose(self, row: int) -> None:
        """Choose ROW, and see it."""
        at = self.rows_model.index(row, 0)
        self.setCurrentIndex(at)
        self.scrollTo(at)

    # ------------------------------------------------------------------------------------------- how it fits

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()

    def fit(self) -> None:
        """Share the width out among the columns, and be as high as the rows that are seen at once."""
        model = self.rows_model
        if not model.columns:
            return
        scrolls = self.most is not None and model.rowCount() > self.most
        bars = Qt.ScrollBarPolicy.ScrollBarAlwaysOn if scrolls else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setVerticalScrollBarPolicy(bars)
        bar = self.verticalScrollBar().sizeHint().width() if scrolls or self.most is None else 0
        room = self.width() - 2 * self.frameWidth() - bar
        widths = self._shared_out([self._needed(at) for at in range(len(model.columns))], room)
        of_titles = QFontMetrics(self.headings.font())
        beside = AROUND + (ARROW if self._sorts is not None else 0)
        for at, width in enumerate(widths):
            self.setColumnWidth(at, width)
            model.headings[at] = broken(model.columns[at].title, width - beside, of_titles)
        model.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(widths) - 1)
        if self.wraps:
            self._heighten(widths)
        if self.most is not None:
            shown = sum(self.rowHeight(row) for row in range(min(model.rowCount(), self.most)))
            below = self.horizontalScrollBar().sizeHint().height() if sum(widths) > room else 0
            high = shown + self.headings.sizeHint().height() + below + 2 * self.frameWidth()
            if high != self.height():
                self.setFixedHeight(high)

    def _metrics(self, row: int) -> QFontMetrics:
        font = QFont(self.font())
        font.setBold(self.rows_model.is_strong(self.rows_model.rows[row]))
        return QFontMetrics(font)

    def _needed(self, at: int) -> int:
        """Return how many pixels column AT needs: for its words, or in a table that wraps for its longest word."""
        model, column = self.rows_model, self.rows_model.columns[at]
        sample = [row for row in range(min(model.rowCount(), SAMPLE)) if not self.is_heading(model.rows[row])]
        lines = textwrap.wrap(column.title, LETTERS, break_long_words=False)
        titled = max(map(QFontMetrics(self.headings.font()).horizontalAdvance, lines), default=0)
        titled += ARROW if self._sorts is not None else 0
        worded = 0
        for row in sample:
            words = model.words_at(row, at)
            advance = self._metrics(row).horizontalAdvance
            worded = max([worded, *map(advance, words.split() if self.wraps else (words,))])
        return max(titled, min(worded, LONGEST if self.wraps else column.most)) + AROUND

    def _shared_out(self, needed: list[int], room: int) -> list[int]:
        """Return the widths of the columns: what each needs, with what is left over; or less where words give way."""
        columns, spare = self.rows_model.columns, room - sum(needed)
        if spare < 0:
            found = []
            for column, width in zip(columns, needed, strict=True):
                given = 0 if column.least is None else min(-spare, max(0, width - column.least))
                spare += given
                found.append(width - given)
            return found
        shares = [column.share for column in columns]
        whole = sum(shares)
        parts = [share / whole for share in shares] if whole else [1 / len(columns)] * len(columns)
        return [width + math.floor(spare * part) for width, part in zip(needed, parts, strict=True)]

    def _heighten(self, widths: list[int]) -> None:
        """Give every row the height of its words."""
        rooms = [QRect(0, 0, width - AROUND, TALL) for width in widths]
        for row, shown in enumerate(self.rows_model.rows):
            if self.is_heading(shown):
                self.setRowHeight(row, ROW)
                continue
            metrics = self._metrics(row)
            high = max(
                metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, self.rows_model.words_at(row, at)).height()
                for at, room in enumerate(rooms)
            )
            self.setRowHeight(row, max(ROW, high + theme.NEAR))
