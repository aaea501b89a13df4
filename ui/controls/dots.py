"""Dots to be counted: one for each guess out of 100, 1,000 or 10,000, some filled; always beside the number.

Part of a dot is a smaller dot.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from dpwizard.wording import figures, whole
from ui.controls.controls import Prose
from ui.widgets import SideBySide, fill, plain, theme, tr

Shapes = tuple[tuple[int, int, int, float], ...]  # most dots, how many across, pitch, size in pixels
SHAPES: Shapes = ((100, 20, 11, 9.0), (1_000, 40, 5, 4.0), (10_000, 100, 2, 1.0))
LOW: Shapes = ((100, 20, 6, 4.5), (1_000, 54, 4, 3.0))  # under a sentence, which says what would take more
HUNDRED: Shapes = ((100, 20, 9, 6.0),)
WIDTH = 220
PAIR = 2 * 20 * 9 + theme.EDGE  # pixels of two arrays of a hundred beside one another
LEAST = 1.5  # pixels: what is small is not nothing
MOST = SHAPES[-1][0]  # dots; beyond, each stands for several
FINE = 4  # pixels from dot to dot; below, dots are squares


class Dots(QWidget):
    """As many dots as a chance is counted out of, those that count filled."""

    def __init__(self, colours: theme.Colours, colour: str, shapes: Shapes) -> None:
        super().__init__()
        self._shapes = shapes
        self._filled, self._empty, self._fine = QColor(colour), QColor(colours.line), QColor(colours.field_line)
        self.count, self.out_of = 0.0, 100
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @property
    def each(self) -> int:
        """Return how many one dot stands for."""
        return max(1, math.ceil(self.out_of / self._shapes[-1][0]))

    def _shape(self) -> tuple[int, int, int, float]:
        dots = math.ceil(self.out_of / self.each)
        _, across, pitch, size = next((shape for shape in self._shapes if dots <= shape[0]), self._shapes[-1])
        return dots, across, pitch, size

    def sizeHint(self) -> QSize:
        dots, across, pitch, _ = self._shape()
        return QSize(max(WIDTH if self._shapes is SHAPES else 0, across * pitch), pitch * math.ceil(dots / across))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()  # no dot is ever cut off

    def show_count(self, count: float, out_of: int, name: str) -> None:
        """Show OUT_OF dots, COUNT of them filled; NAME is for screen readers."""
        self.setAccessibleName(name)
        if (count, out_of) == (self.count, self.out_of):
            return
        self.count, self.out_of = count, out_of
        self.updateGeometry()
        self.update()

    def _row(self, colour: QColor, ratio: float) -> QPixmap:
        _, across, pitch, size = self._shape()
        row = QPixmap(round(across * pitch * ratio), round(pitch * ratio))
        row.setDevicePixelRatio(ratio)
        row.fill(Qt.GlobalColor.transparent)
        with QPainter(row) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            inset = (pitch - size) / 2 if pitch >= FINE else 0.0
            for column in range(across):
                dot = QRectF(column * pitch + inset, inset, size, size)
                if pitch < FINE:  # too fine to be round: what counts is drawn solid, so that a few of many are seen
                    solid = QRectF(column * pitch, 0, pitch, pitch) if colour == self._filled else dot
                    painter.fillRect(solid, colour)
                else:
                    painter.drawEllipse(dot)
        return row

    def paintEvent(self, event: QPaintEvent) -> None:
        dots, across, pitch, size = self._shape()
        filled = math.floor(round(self.count, 9)) if self.each == 1 else math.ceil(self.count / self.each)
        part = round(self.count, 9) - filled if self.each == 1 else 0.0
        ratio = self.devicePixelRatioF()
        rows = self._row(self._filled, ratio), self._row(self._empty if pitch >= FINE else self._fine, ratio)
        with QPainter(self) as painter:
            for index in range(math.ceil(dots / across)):
                here = min(across, dots - index * across)
                full = min(max(filled - index * across, 0), here)
                for row, first, last in ((rows[0], 0, full), (rows[1], full, here)):
                    if last > first:
                        place = QRectF(first * pitch, 0, (last - first) * pitch, pitch)
                        source = QRectF(place.x() * ratio, 0, place.width() * ratio, pitch * ratio)
                        painter.drawPixmap(place.translated(0, index * pitch), row, source)
            if part > 0.0:
                inside = QRectF(filled % across * pitch, filled // across * pitch, pitch, pitch)
                rim = (pitch - max(LEAST, size * math.sqrt(part))) / 2  # by area
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(self._filled)
                painter.drawEllipse(inside.adjusted(rim, rim, -rim, -rim))


class CountedDots(QWidget):
    """Dots under their number: "before: 10 in 1,000"."""

    def __init__(self, colours: theme.Colours, colour: str = "", shapes: Shapes = SHAPES) -> None:
        super().__init__()
        column = plain(QVBoxLayout(self), theme.TIGHT)
        self.caption, self.each = Prose("", "caption"), Prose("", "caption")
        for words in (self.caption, self.each):
            words.setFixedWidth(theme.DOTS if shapes is LOW else WIDTH)
        self._low = shapes is LOW
        self.dots = Dots(colours, colour or colours.privacy, shapes)
        fill(column, self.caption, self.dots, self.each)
        column.addStretch(1)

    def show_count(self, words: str, count: int, out_of: int) -> None:
        """Show COUNT of OUT_OF under WORDS, which say the number."""
        self.caption.say(words, strong=(whole(count),))
        name = tr("{count} of {out_of} dots are filled", count=whole(count), out_of=whole(out_of))
        self.dots.show_count(count, out_of, name)
        several = self.dots.each > 1
        self.dots.setVisible(not (several and self._low))
        self.each.setVisible(several and not self._low)
        self.each.say(tr("Each dot stands for {count}.", count=whole(self.dots.each)) if several else "")


class PairedArrays(SideBySide):
    """Two arrays of a hundred dots, each under its words and its number."""

    def __init__(self, colours: theme.Colours, first: str, second: str) -> None:
        super().__init__(theme.EDGE)
        self.words = (first, second)
        self.arrays = (CountedDots(colours, shapes=HUNDRED), CountedDots(colours, shapes=HUNDRED))
        for array in self.arrays:
            array.caption.setFixedWidth(array.dots.sizeHint().width())
            array.each.hide()
            self.box.addWidget(array)
        self.box.addStretch(1)

    def show_chances(self, first: float, second: float, captions: tuple[str, str] | None = None) -> None:
        """Show two chances; the caption says the number, or what is CAPTIONS of it where it is a bound."""
        captions = captions or figures.one_denominator(first, second)
        for chance, number, array, words in zip((first, second), captions, self.arrays, self.words, strict=True):
            array.caption.say(f"{words}: {number}")
            array.dots.show_count(100 * max(0.0, min(1.0, chance)), 100, tr("{share}, as dots", share=number))
