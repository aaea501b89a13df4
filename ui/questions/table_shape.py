"""The shape of the table that will be published: its rows, columns and totals, and where one person is counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.widgets import theme, tr

ROW, GAP, HEAD = 20, 2, 18  # pixels of a row, between cells, of the names of columns
MOST_ROWS = 9  # of the table that are drawn
HEADING, WIDEST_HEADING = 78, 140  # pixels of the names of rows
CELL, WIDEST_CELL = 92, 130  # pixels of a cell


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What is drawn: the names of rows and columns as far as they fit, and what stands in a cell and in a total."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cell: str
    marked: str  # what one person adds, in the cells where they are counted
    more_rows: str = ""  # how many rows are not drawn, in words; empty where all are
    more_columns: str = ""
    row_total: str = ""  # the heading of the totals of rows; empty where there are none
    column_total: str = ""
    in_row: str = ""  # what a row's total is
    in_column: str = ""
    in_all: str = ""
    marks: int = 1  # in how many of the cells drawn

    @property
    def height(self) -> int:
        """Return how many pixels high it is."""
        return HEAD + (len(self.rows) + bool(self.more_rows)) * ROW + (ROW + 2 * GAP if self.column_total else 0)


class TableShape(QWidget):
    """The table as it will be published, without any number of it."""

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__()
        self.colours = colours
        self.shape: Shape | None = None
        self.heading = HEADING  # pixels of the names of rows
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_shape(self, shape: Shape, words: str) -> None:
        """Draw SHAPE; screen readers hear WORDS."""
        self.setAccessibleName(words)
        if shape != self.shape:
            self.shape = shape
            metrics = QFontMetrics(theme.font(theme.CAPTION))
            longest = max(map(metrics.horizontalAdvance, (*shape.rows, shape.column_total)))
            self.heading = min(max(longest + theme.NEAR, HEADING), WIDEST_HEADING)
            self.setFixedHeight(shape.height)
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(HEADING + 4 * CELL, self.shape.height if self.shape is not None else 0)

    def minimumSizeHint(self) -> QSize:
        return QSize(HEADING + 2 * CELL, 0)

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
        self._edges = self._columns(across, shape.row_total)
        for index, name in enumerate((*columns, shape.row_total)[:across]):
            left, right = self._edges[index : index + 2]
            self._words(painter, QRectF(left, 0, right - left - GAP, HEAD), name)
        marked = self._marked(shape)
        top = float(HEAD)
        for at, name in enumerate(shape.rows):
            self._words(painter, QRectF(0, top, self.heading - theme.NEAR, ROW), name, right=True)
            self._row(painter, shape, top, [(at, column) in marked for column in range(len(shape.columns))])
            top += ROW
        if shape.more_rows:
            self._words(
                painter, QRectF(self.heading, top, self.width() - self.heading, ROW), shape.more_rows, left=True
            )
            top += ROW
        if shape.column_total:
            top += 2 * GAP
            self._words(painter, QRectF(0, top, self.heading - theme.NEAR, ROW), shape.column_total, right=True)
            for index in range(across):
                of_all = bool(shape.row_total) and index == across - 1
                hidden = bool(shape.more_columns) and index == len(columns) - 1
                words = shape.in_all if of_all or not shape.row_total else "…" if hidden else shape.in_column
                self._total(painter, self._cell(index, top), words)

    def _columns(self, across: int, last: str) -> list[float]:
        """Return where each of so many columns ACROSS begins, and where the LAST ends, which has room for its name."""
        room = self.width() - self.heading
        width = min(WIDEST_CELL, room / max(across, 1))
        named = QFontMetrics(theme.font(theme.CAPTION)).horizontalAdvance(last) + theme.NEAR
        if last and across > 1 and named > width:
            return [self.heading + index * (room - named) / (across - 1) for index in range(across)] + [self.width()]
        return [self.heading + index * width for index in range(across + 1)]

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
        after = len(marks)
        if shape.more_columns:
            self._words(painter, self._cell(after, top), "…")
            after += 1
        if shape.row_total:
            self._total(painter, self._cell(after, top), shape.in_row)

    @staticmethod
    def _marked(shape: Shape) -> frozenset[tuple[int, int]]:
        """Return the cells in which one person is counted: near the middle, no two in one row where that can be."""
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
        *,
        right: bool = False,
        left: bool = False,
        strong: bool = False,
    ) -> None:
        painter.setFont(theme.font(theme.CAPTION, QFont.Weight.DemiBold if strong else QFont.Weight.Normal))
        painter.setPen(QColor(self.colours.text if strong else self.colours.quiet))
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        align = side if right or left else Qt.AlignmentFlag.AlignHCenter
        text = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideMiddle, int(place.width()))
        painter.drawText(place, align | Qt.AlignmentFlag.AlignVCenter, text)


def fitting(name: str, parts: int, most: int) -> tuple[tuple[str, ...], int]:
    """Return the names of the first groups of a division, as many as MOST allows, and how many more there are."""
    shown = parts if parts <= most else most - 1
    return tuple(tr("{division} {number}", division=name, number=at + 1) for at in range(shown)), parts - shown
