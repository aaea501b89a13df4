"""Tables: one model of rows and columns, and one view that fits and sorts them."""

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

from ui.widgets import broken, theme, tr

HEADING_LETTERS = 10  # in a line of a heading, where a word is not longer
CELL_PADDING, ARROW_WIDTH = 18, 14  # pixels beside the words of a cell, and of the arrow of a sorted column
LONGEST_WORD = 160  # pixels of a word that a column makes room for; a longer one may be cut
ROW, TALL = 28, 10_000  # pixels of a row, and more than the height of any text
ARROW_SPACE = "\u2003"  # room for the arrow in the flush-right heading of a sorted column
ROWS_MEASURED = 80  # rows whose words say how wide a column is
LONGEST_TIP = 2_000  # letters of a tool tip
Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
TOP = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column: its heading, its words for a row, and how it is sorted and fitted."""

    title: str
    words: Callable[[Any], str]
    key: Callable[[Any], Any] | None = None  # sort key of a row, or None for an empty one; no function: the words
    tip: Callable[[Any], str] | None = None  # no function: the words
    numeric: bool = False  # flush right
    share: float = 0.0  # share of the spare width; if all are 0, all get the same
    least: int | None = None  # pixels to which it may shrink; None: it never shrinks
    narrowest: int = 0  # pixels that it has in any case
    most: int = 420  # pixels for its words, at most
    text: Callable[[Any], str | None] | None = None  # what is edited; None: the cell, or the column, is for reading
    spoken: Callable[[Any], str] | None = None  # for screen readers; no function: the words
    help: str = ""  # tool tip of the heading
    field: Any = None  # what it shows, for the functions of a model


@dataclass(frozen=True, kw_only=True)
class TextRow:
    """A row of ready words."""

    cells: tuple[str, ...]
    keys: tuple[Any, ...] = ()  # sort keys; none: the words
    strong: bool = False
    of: Any = None  # what the row stands for


def text_columns(titles: Sequence[str], shares: Sequence[float] = ()) -> tuple[Column, ...]:
    """Return the columns of TextRows."""
    return tuple(_text_column(title, at, shares[at] if at < len(shares) else 0.0) for at, title in enumerate(titles))


def _text_column(title: str, at: int, share: float) -> Column:
    def words(row: TextRow) -> str:
        return row.cells[at] if at < len(row.cells) else ""

    return Column(title=title, words=words, key=lambda row: row.keys[at] if row.keys else words(row), share=share)


class RowsModel(QAbstractTableModel):
    """Filtered and sorted rows; the words of a cell are made when it is shown, and what is typed over them is emitted.

    It sorts by itself: a proxy model would call Python for each comparison, which is too slow during a drag.
    """

    typed = Signal(int, int, str)  # the row and the column of a cell, and the text typed into it

    def __init__(self, columns: Sequence[Column], parent: QObject) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self.headings: list[str] = [column.title for column in columns]  # broken into lines
        self.all: tuple[Any, ...] = ()
        self.rows: tuple[Any, ...] = ()  # as they are shown
        self.order: tuple[int, bool] | None = None  # the column sorted by, and whether descending
        self.wanted: Callable[[Any], bool] | None = None
        self.same: Callable[[Any], Any] | None = None  # the identity of a row when it is shown again
        self.is_strong: Callable[[Any], bool] = lambda row: False
        self.colour: Callable[[Any, Column], str | None] = lambda row, column: None
        self.ground: Callable[[Any, Column], str | None] = lambda row, column: None  # the colour behind the words
        self.problem: Callable[[Any, Column], str] = lambda row, column: ""  # what is wrong with a cell
        self.label: Callable[[Any], str] | None = None  # the heading of a row
        self.figures = theme.font()  # of numeric columns; in words the hyphens would grow as wide as figures
        self.from_top = False  # whether words of several lines begin at the top
        self._cell_words: dict[tuple[int, int], str] = {}

    def show_columns(self, columns: Sequence[Column]) -> None:
        """Show COLUMNS without rows."""
        self.beginResetModel()
        self.columns, self.all, self.rows, self._cell_words = tuple(columns), (), (), {}
        self.headings = [column.title for column in columns]
        self.endResetModel()

    def show_rows(self, rows: Sequence[Any]) -> None:
        """Show ROWS; the view stays where it is if there are as many as before."""
        self.all = tuple(rows)
        self.arrange()

    def seek(self, wanted: Callable[[Any], bool] | None) -> None:
        """Show only the rows WANTED (None: all)."""
        self.wanted = wanted
        self.arrange()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by COLUMN (-1: as the rows were given); what is chosen stays chosen."""
        self.order = (column, order == Qt.SortOrder.DescendingOrder) if 0 <= column < len(self.columns) else None
        self.layoutAboutToBeChanged.emit()
        before, indexes = self.rows, self.persistentIndexList()
        self.arrange()
        places = {id(row): at for at, row in enumerate(self.rows)}
        moved = [self.index(places[id(before[index.row()])], index.column()) for index in indexes]
        self.changePersistentIndexList(indexes, moved)
        self.layoutChanged.emit()

    def arrange(self) -> None:
        """Filter and sort the rows."""
        rows = tuple(row for row in self.all if self.wanted is None or self.wanted(row))
        rows = rows if self.order is None else ordered(rows, self.columns[self.order[0]], falling=self.order[1])
        if len(rows) != len(self.rows):
            self.beginResetModel()
            self.rows, self._cell_words = rows, {}
            self.endResetModel()
        else:
            self.rows = rows
            self.redraw()

    def redraw(self) -> None:
        """Show every cell anew."""
        self._cell_words = {}
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(self.columns) - 1))

    def add_row(self, row: Any) -> None:
        """Add ROW at the end; what is chosen or edited stays so. Only for a model that neither sorts nor filters."""
        self.beginInsertRows(ROOT, len(self.rows), len(self.rows))
        self.all = self.rows = (*self.rows, row)
        self.endInsertRows()

    def remove_row(self, at: int) -> None:
        """Remove the row AT; what else is chosen stays so. Only for a model that neither sorts nor filters."""
        self.beginRemoveRows(ROOT, at, at)
        self.all = self.rows = (*self.rows[:at], *self.rows[at + 1 :])
        self._cell_words = {}
        self.endRemoveRows()

    def words_at(self, row: int, column: int) -> str:
        """Return the words of one cell."""
        if (row, column) not in self._cell_words:
            self._cell_words[row, column] = self.columns[column].words(self.rows[row])
        return self._cell_words[row, column]

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return self.label(self.rows[section]) if self.label and role == Qt.ItemDataRole.DisplayRole else None
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.columns[section].help or None
        if role == Qt.ItemDataRole.DisplayRole:
            sorted_by = self.order is not None and self.order[0] == section
            free = ARROW_SPACE if sorted_by and self.columns[section].numeric else ""
            return "\n".join(f"{line}{free}" for line in self.headings[section].split("\n"))
        numeric = role == Qt.ItemDataRole.TextAlignmentRole and self.columns[section].numeric
        return RIGHT if numeric else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        text = self.columns[index.column()].text if index.isValid() else None
        edited = text is not None and text(self.rows[index.row()]) is not None
        return super().flags(index) | (Qt.ItemFlag.ItemIsEditable if edited else Qt.ItemFlag.NoItemFlags)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        self.typed.emit(index.row(), index.column(), str(value))
        return True

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self.rows[index.row()], self.columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.words_at(index.row(), index.column())
        if role == Qt.ItemDataRole.EditRole:
            return column.text(row) if column.text else None
        if role == Qt.ItemDataRole.ToolTipRole:
            words = self.words_at(index.row(), index.column()) if column.tip is None else column.tip(row)
            text = self.problem(row, column) or words
            return f"<p style='white-space:pre-wrap'>{html.escape(text[:LONGEST_TIP])}</p>" if text else None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            if column.numeric:
                return RIGHT
            return TOP if self.from_top else None
        if role == Qt.ItemDataRole.FontRole:
            return self._font(row, column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return column.spoken(row) if column.spoken else None
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return self.problem(row, column) or None
        colour = None
        if role == Qt.ItemDataRole.ForegroundRole:
            colour = self.colour(row, column)
        elif role == Qt.ItemDataRole.BackgroundRole:
            colour = self.ground(row, column)
        return None if colour is None else QColor(colour)

    def _font(self, row: Any, column: Column) -> QFont | None:
        if self.is_strong(row):
            strong = QFont()
            strong.setBold(True)
            return strong
        return self.figures if column.numeric else None


def ordered(rows: Sequence[Any], column: Column, *, falling: bool) -> tuple[Any, ...]:
    """Return ROWS sorted by COLUMN; rows without a key there come last in either direction."""
    keys = [(column.words(row) if column.key is None else column.key(row), row) for row in rows]
    with_key = sorted((pair for pair in keys if pair[0] is not None), key=lambda pair: pair[0], reverse=falling)
    return (*(row for _, row in with_key), *(row for key, row in keys if key is None))


class Headings(QHeaderView):
    """Headings for the keyboard: arrow keys choose one, Space or Enter sorts by it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.current = 0
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.setHighlightSections(False)
        self.setStyleSheet("QHeaderView::section { padding: 4px 8px; }")  # aligned with the cells below

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is not None:
            self.current = min(max(self.current + step, 0), max(self.count() - 1, 0))
            self._show_current()
        elif event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.sectionsClickable():
            rising = Qt.SortOrder.AscendingOrder
            again = self.sortIndicatorSection() == self.current and self.sortIndicatorOrder() == rising
            self.setSortIndicator(self.current, Qt.SortOrder.DescendingOrder if again else rising)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._show_current()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def _show_current(self) -> None:
        """Scroll to the current heading, and say its words to screen readers."""
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
    """The table of the window; for reading, unless it is a Spreadsheet."""

    edge = 0  # pixels of its frame with the keyboard; 0: as it is
    fewest = 0  # rows that there is always room for

    chosen = Signal(int)  # the current row; -1: none
    opened = Signal(int)  # a row that was activated

    def __init__(
        self,
        name: str,
        columns: Sequence[Column] = (),
        *,
        sorts: tuple[int, bool] | None = None,
        most: int | None = 12,
        wraps: bool = False,
    ) -> None:
        """NAME is for screen readers. SORTS: the column first sorted by (-1: none), and whether descending; None: no
        sorting.

        MOST rows are visible at once; None: as many as there is room for. WRAPS: words may take several lines.
        """
        super().__init__()
        self.rows_model = RowsModel(columns, self)
        self.most, self.wraps, self._first_order = most, wraps, sorts
        self.is_heading: Callable[[Any], bool] = lambda row: False  # whether a row's first words span all columns
        self.headings = Headings(self)
        self.headings.setSectionsClickable(sorts is not None)
        self.headings.setAccessibleName(tr("Headings of “{table}”: arrow keys choose, Space sorts", table=name))
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
            if not any(column.numeric for column in columns):
                theme.tabular(self)
            self._sort_first()
        self.selectionModel().currentRowChanged.connect(lambda now, _: self.chosen.emit(now.row()))
        self.activated.connect(lambda index: self.opened.emit(index.row()))

    def _sort_first(self) -> None:
        if self._first_order is not None and self.rows_model.columns:
            column, falling = self._first_order
            way = Qt.SortOrder.DescendingOrder if falling else Qt.SortOrder.AscendingOrder
            self.headings.setSortIndicator(column, way)
            self.headings.setSortIndicatorClearable(column < 0)
            self.setSortingEnabled(True)

    # ----------------------------------------------------------------------------------------- what it shows

    def show_labels(self, label: Callable[[Any], str]) -> None:
        """Show before each row its LABEL."""
        self.rows_model.label = label
        self.verticalHeader().show()

    def fill(
        self,
        titles: Sequence[str],
        rows: Sequence[Sequence[str]],
        keys: Sequence[Sequence[Any]] | None = None,
        bold: Collection[int] = (),
        shares: Sequence[float] = (),
    ) -> None:
        """Show ROWS of words under TITLES, sorted as before; KEYS are the sort keys of cells, BOLD the rows in bold."""
        if tuple(titles) != self.columns():
            order = self.rows_model.order
            self.rows_model.show_columns(text_columns(titles, shares))
            self.rows_model.is_strong = lambda row: row.strong
            if order is not None and order[0] < len(titles):
                self.rows_model.order = order
            else:
                self._sort_first()
        sort_keys = keys or [()] * len(rows)
        pairs = enumerate(zip(rows, sort_keys, strict=True))
        self.show_rows([TextRow(cells=tuple(row), keys=tuple(key), strong=at in bold) for at, (row, key) in pairs])

    def show_rows(self, rows: Sequence[Any]) -> None:
        """Show ROWS, and fit the widths if the rows are not the same as before."""
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
        """Return the words of every cell, in the order shown."""
        model = self.rows_model
        across = range(model.columnCount())
        return tuple(tuple(model.words_at(row, column) for column in across) for row in range(model.rowCount()))

    def choose(self, row: int, column: int = 0) -> None:
        """Choose a cell, or its whole row, and scroll to it."""
        at = self.rows_model.index(row, column)
        self.setCurrentIndex(at)
        self.scrollTo(at)

    # ------------------------------------------------------------------------------------------- how it fits

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()

    def visible_columns(self) -> tuple[int, ...]:
        """Return the columns that are shown, from left to right."""
        return tuple(at for at in range(len(self.rows_model.columns)) if not self.isColumnHidden(at))

    def fit(self) -> None:
        """Set the widths of the columns, and the height to that of the visible rows."""
        model = self.rows_model
        if not model.columns:
            return
        scrolls = self.most is not None and model.rowCount() > self.most
        bars = Qt.ScrollBarPolicy.ScrollBarAlwaysOn if scrolls else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setVerticalScrollBarPolicy(bars)
        bar = self.verticalScrollBar().sizeHint().width() if scrolls or self.most is None else 0
        labels = 0 if model.label is None else self.verticalHeader().sizeHint().width()
        edges = 2 * max(self.edge, self.frameWidth())
        room = self.width() - edges - bar - labels
        visible = self.visible_columns()
        widths = self._share_width([self._needed_width(at) for at in visible], room)
        of_titles = QFontMetrics(self.headings.font())
        padding = CELL_PADDING + (ARROW_WIDTH if self._first_order is not None else 0)
        for at, width in zip(visible, widths, strict=True):
            self.setColumnWidth(at, width)
            model.headings[at] = broken(model.columns[at].title, width - padding, of_titles)
        model.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(model.columns) - 1)
        if self.wraps:
            self._fit_heights(widths)
        if self.most is not None:
            shown = sum(self.rowHeight(row) for row in range(min(model.rowCount(), self.most)))
            below = self.horizontalScrollBar().sizeHint().height() if sum(widths) > room else 0
            above = 0 if self.headings.isHidden() else self.headings.sizeHint().height()
            high = max(shown, self.fewest * ROW) + above + below + edges
            if high != self.height():
                self.setFixedHeight(high)

    def _metrics(self, *, strong: bool, numeric: bool = False) -> QFontMetrics:
        font = QFont(self.rows_model.figures if numeric else self.font())
        font.setBold(strong)
        return QFontMetrics(font)

    def _needed_width(self, at: int) -> int:
        """Return the pixels that column AT needs for its words, or if it wraps for its longest word."""
        model, column = self.rows_model, self.rows_model.columns[at]
        sample = [row for row in range(min(model.rowCount(), ROWS_MEASURED)) if not self.is_heading(model.rows[row])]
        lines = textwrap.wrap(column.title, HEADING_LETTERS, break_long_words=False)
        heading_width = max(map(QFontMetrics(self.headings.font()).horizontalAdvance, lines), default=0)
        heading_width += ARROW_WIDTH if self._first_order is not None else 0
        words_width = 0
        for strong in (False, True):
            words = {model.words_at(row, at) for row in sample if model.is_strong(model.rows[row]) == strong}
            parts = {part for text in words for part in text.split()} if self.wraps else words
            words_width = max(
                [words_width, *map(self._metrics(strong=strong, numeric=column.numeric).horizontalAdvance, parts)]
            )
        words_width = min(words_width, LONGEST_WORD if self.wraps else column.most)
        return max(column.narrowest, max(heading_width, words_width) + CELL_PADDING)

    def _share_width(self, needed: list[int], room: int) -> list[int]:
        """Return the widths: what each column needs, plus its share of the spare room or minus what it may shrink."""
        columns = [self.rows_model.columns[at] for at in self.visible_columns()]
        spare = room - sum(needed)
        if spare < 0:
            widths = []
            for column, width in zip(columns, needed, strict=True):
                taken = 0 if column.least is None else min(-spare, max(0, width - column.least))
                spare += taken
                widths.append(width - taken)
            return widths
        shares = [column.share for column in columns]
        whole = sum(shares)
        parts = [share / whole for share in shares] if whole else [1 / len(columns)] * len(columns)
        return [width + math.floor(spare * part) for width, part in zip(needed, parts, strict=True)]

    def _fit_heights(self, widths: list[int]) -> None:
        """Give every row the height of its words."""
        rooms = [QRect(0, 0, width - CELL_PADDING, TALL) for width in widths]
        for row, shown in enumerate(self.rows_model.rows):
            if self.is_heading(shown):
                self.setRowHeight(row, ROW)
                continue
            metrics = self._metrics(strong=self.rows_model.is_strong(shown))
            high = max(
                metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, self.rows_model.words_at(row, at)).height()
                for at, room in enumerate(rooms)
            )
            self.setRowHeight(row, max(ROW, high + theme.NEAR))
