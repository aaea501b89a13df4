"""The shape of the table to be published: its rows, columns and totals, and where one person is counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.widgets import theme, tr

ROW, GAP, HEAD = 20, 2, 18  # pixels: heights of a row and of the column names, and the space between cells
MOST_ROWS = 9  # drawn
ROW_NAME, WIDEST_ROW_NAME = 78, 140  # pixels
CELL, WIDEST_CELL = 92, 130  # pixels


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What is drawn: the names of the first rows and columns, and the texts of cells and totals."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cell: str
    marked: str  # the text of a cell in which one person is counted
    more_rows: str = ""  # how many rows are not drawn, in words; empty: none
    more_columns: str = ""
    row_total: str = ""  # the heading of the totals of rows; empty: there are none
    column_total: str = ""
    in_row: str = ""  # the text of a row's total
    in_column: str = ""
    in_all: str = ""
    marks: int = 1  # how many cells are marked

    @property
    def height(self) -> int:
        """Return the height in pixels."""
        return HEAD + (len(self.rows) + bool(self.more_rows)) * ROW + (ROW + 2 * GAP if self.column_total else 0)


class TableShape(QWidget):
    """The table as it will be published, without its numbers."""

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__()
        self.colours = colours
        self.shape: Shape | None = None
        self._row_names = ROW_NAME  # pixels
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_shape(self, shape: Shape, words: str) -> None:
        """Draw SHAPE; WORDS are for screen readers."""
        self.setAccessibleName(words)
        if shape != self.shape:
            self.shape = shape
            metrics = QFontMetrics(theme.font(theme.CAPTION))
            longest = max(map(metrics.horizontalAdvance, (*shape.rows, shape.column_total)))
            self._row_names = min(max(longest + theme.NEAR, ROW_NAME), WIDEST_ROW_NAME)
            self.setFixedHeight(shape.height)
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(ROW_NAME + 4 * CELL, self.shape.height if self.shape is not None else 0)

    def minimumSizeHint(self) -> QSize:
        return QSize(ROW_NAME + 2 * CELL, 0)

    # ------------------------------------------------------------------------------------ painting

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.shape is None:
            return
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint(painter, self.shape)

    def _paint(self, painter: QPainter, shape: Shape) -> None:
        columns = (*shape.columns, *((shape.more_columns,) if shape.more_columns else ()))
        across = len(columns) + bool(shape.row_total)
        self._edges = self._column_edges(across, shape.row_total)
        for index, name in enumerate((*columns, shape.row_total)[:across]):
            left, right = self._edges[index : index + 2]
            self._words(painter, QRectF(left, 0, right - left - GAP, HEAD), name)
        marked = self._marked(shape)
        top = float(HEAD)
        for at, name in enumerate(shape.rows):
            self._row_name(painter, top, name)
            self._row(painter, shape, top, [(at, column) in marked for column in range(len(shape.columns))])
            top += ROW
        if shape.more_rows:
            place = QRectF(self._row_names, top, self.width() - self._row_names, ROW)
            self._words(painter, place, shape.more_rows, Qt.AlignmentFlag.AlignLeft)
            top += ROW
        if shape.column_total:
            top += 2 * GAP
            self._row_name(painter, top, shape.column_total)
            for index in range(across):
                of_all = bool(shape.row_total) and index == across - 1
                hidden = bool(shape.more_columns) and index == len(columns) - 1
                words = shape.in_all if of_all or not shape.row_total else "…" if hidden else shape.in_column
                self._total(painter, self._cell(index, top), words)

    def _column_edges(self, count: int, last: str) -> list[float]:
        """Return the edges of COUNT columns; the last one is wide enough for its name, LAST."""
        room = self.width() - self._row_names
        width = min(WIDEST_CELL, room / max(count, 1))
        needed = QFontMetrics(theme.font(theme.CAPTION)).horizontalAdvance(last) + theme.NEAR
        if last and count > 1 and needed > width:
            width = (room - needed) / (count - 1)
            return [*(self._row_names + index * width for index in range(count)), self.width()]
        return [self._row_names + index * width for index in range(count + 1)]

    def _row(self, painter: QPainter, shape: Shape, top: float, marks: Sequence[bool]) -> None:
        for column, marked in enumerate(marks):
            place = self._cell(column, top)
            if marked:
                self._mark(painter, place, shape.marked)
            else:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(self.colours.shade))
                painter.drawRoundedRect(place, 2, 2)
                self._words(painter, place, shape.cell)
        following = len(marks)
        if shape.more_columns:
            self._words(painter, self._cell(following, top), "…")
            following += 1
        if shape.row_total:
            self._total(painter, self._cell(following, top), shape.in_row)

    def _row_name(self, painter: QPainter, top: float, name: str) -> None:
        place = QRectF(0, top, self._row_names - theme.NEAR, ROW)
        self._words(painter, place, name, Qt.AlignmentFlag.AlignRight)

    @staticmethod
    def _marked(shape: Shape) -> frozenset[tuple[int, int]]:
        """Return the cells in which one person is counted: near the middle, in different rows if possible."""
        rows, columns = len(shape.rows), len(shape.columns)
        first, column = (rows - 1) * 2 // 5, (columns - 1) // 2
        places = [((first + step) % rows, (column + step // rows) % columns) for step in range(rows * columns)]
        return frozenset(places[: shape.marks])

    def _cell(self, column: int, top: float) -> QRectF:
        left, right = self._edges[column : column + 2]
        return QRectF(left, top + GAP / 2, right - left - GAP, ROW - GAP)

    def _mark(self, painter: QPainter, place: QRectF, words: str) -> None:
        colour = QColor(self.colours.privacy)
        painter.setPen(QPen(colour, 1.5))
        pale = QColor(colour)
        pale.setAlphaF(0.2)
        painter.setBrush(pale)
        painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        self._words(painter, place, words, strong=True)

    def _total(self, painter: QPainter, place: QRectF, words: str) -> None:
        painter.setPen(QPen(QColor(self.colours.line), 1))
        painter.setBrush(QColor(self.colours.card))
        painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)
        self._words(painter, place, words)

    def _words(
        self,
        painter: QPainter,
        place: QRectF,
        words: str,
        align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignHCenter,
        *,
        strong: bool = False,
    ) -> None:
        painter.setFont(theme.font(theme.CAPTION, QFont.Weight.DemiBold if strong else QFont.Weight.Normal))
        painter.setPen(QColor(self.colours.text if strong else self.colours.quiet))
        text = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideMiddle, int(place.width()))
        painter.drawText(place, align | Qt.AlignmentFlag.AlignVCenter, text)


def fitting(name: str, parts: int, most: int) -> tuple[tuple[str, ...], int]:
    """Return the names of the first groups of a division, MOST at most, and how many more there are."""
    shown = parts if parts <= most else most - 1
    return tuple(tr("{division} {number}", division=name, number=at + 1) for at in range(shown)), parts - shown
