"""Icon arrays: 100 dots, some filled, always beside the number they show; part of a dot is a smaller dot."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from dpwizard.wording import figures
from ui.controls import Prose
from ui.widgets import SideBySide, fill, plain, theme, tr

ACROSS, DOWN, DOT, GAP = 20, 5, 6, 3
DOTS = ACROSS * DOWN
PAIR = 2 * ACROSS * (DOT + GAP) + theme.EDGE  # pixels of two arrays beside one another
LEAST = 1.5  # pixels: what is small is not nothing


class IconArray(QWidget):
    """One hundred dots, so many of them filled as a chance says."""

    def __init__(self, colours: theme.Colours, colour: str) -> None:
        super().__init__()
        self._filled, self._empty = QColor(colour), QColor(colours.line)
        self.chance = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(ACROSS * (DOT + GAP), DOWN * (DOT + GAP))

    def show_chance(self, chance: float, text: str) -> None:
        """Fill as many dots as CHANCE, 0 to 1, has hundredths; TEXT, how the number beside them is written."""
        self.setAccessibleName(tr("{share}, as dots", share=text))
        if chance == self.chance:
            return
        self.chance = max(0.0, min(1.0, chance))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            filled = round(self.chance * DOTS, 9)
            for index in range(DOTS):
                row, column = divmod(index, ACROSS)
                x, y = column * (DOT + GAP), row * (DOT + GAP)
                part = min(1.0, max(0.0, filled - index))
                if part < 1.0:
                    painter.setBrush(self._empty)
                    painter.drawEllipse(QRectF(x, y, DOT, DOT))
                if part > 0.0:
                    across = max(LEAST, DOT * math.sqrt(part))  # by area
                    painter.setBrush(self._filled)
                    painter.drawEllipse(QRectF(x + (DOT - across) / 2, y + (DOT - across) / 2, across, across))


class PairedArrays(SideBySide):
    """Two arrays with one denominator, each with its caption and its number."""

    def __init__(self, colours: theme.Colours, first: str, second: str) -> None:
        super().__init__(theme.EDGE)
        self.arrays: list[IconArray] = []
        self.captions: list[tuple[str, Prose]] = []
        for words in (first, second):
            column = plain(QVBoxLayout(), theme.TIGHT)
            caption = Prose(words, "caption")
            caption.setFixedWidth(ACROSS * (DOT + GAP))
            array = IconArray(colours, colours.privacy)
            fill(column, caption, array)
            self.box.addLayout(column)
            self.arrays.append(array)
            self.captions.append((words, caption))
        self.box.addStretch(1)

    def show_chances(self, first: float, second: float, captions: tuple[str, str] | None = None) -> None:
        """Show two chances; the caption says the number, or what is CAPTIONS of it where it is a bound."""
        captions = captions or figures.one_denominator(first, second)
        for chance, number, array, (words, caption) in zip(
            (first, second), captions, self.arrays, self.captions, strict=True
        ):
            array.show_chance(chance, number)
            caption.say(f"{words}: {number}")
