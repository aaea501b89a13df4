"""Icon arrays: 100 dots of which some are filled, always beside the number they show."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from ui import theme

ACROSS, DOWN, DOT, GAP = 20, 5, 6, 3


class IconArray(QWidget):
    """One hundred dots, COUNT of them filled."""

    def __init__(self, colours: theme.Colours, colour: str) -> None:
        super().__init__()
        self._filled, self._empty = QColor(colour), QColor(colours.line)
        self.count = 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(ACROSS * (DOT + GAP), DOWN * (DOT + GAP))

    def show_count(self, count: int) -> None:
        """Fill COUNT dots, 0 to 100."""
        self.count = max(0, min(100, count))
        self.setAccessibleName(f"{self.count} of 100 dots are filled")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for index in range(ACROSS * DOWN):
            painter.setBrush(self._filled if index < self.count else self._empty)
            row, column = divmod(index, ACROSS)
            painter.drawEllipse(QRectF(column * (DOT + GAP), row * (DOT + GAP), DOT, DOT))


class PairedArrays(QWidget):
    """Two arrays with one denominator, each with its caption and its number."""

    def __init__(self, colours: theme.Colours, first: str, second: str) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.EDGE)
        self.arrays: list[IconArray] = []
        self.captions: list[tuple[str, QLabel]] = []
        for words in (first, second):
            column = QVBoxLayout()
            column.setSpacing(theme.TIGHT)
            caption = QLabel(words)
            caption.setObjectName("caption")
            array = IconArray(colours, colours.privacy)
            column.addWidget(caption)
            column.addWidget(array)
            row.addLayout(column)
            self.arrays.append(array)
            self.captions.append((words, caption))
        row.addStretch(1)

    def show_counts(self, first: float, second: float) -> None:
        """Show two counts out of 100; the caption says the number."""
        for count, array, (words, caption) in zip((first, second), self.arrays, self.captions, strict=True):
            array.show_count(round(count))
            caption.setText(f"{words}: {count:.3g} in 100")
