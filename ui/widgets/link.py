"""A button that looks like text, and its caption; each takes several lines if it must."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy

from ui.widgets import theme
from ui.widgets.parts import unmnemonic

NARROWEST = 160  # least pixels of a link
EDGES = 2 * theme.NEAR  # pixels left and right of its words: the padding of its style


class Link(QPushButton):
    """A link, broken into lines if there is little room; screen readers get it whole."""

    edges = EDGES

    def __init__(self, words: str) -> None:
        super().__init__(unmnemonic(words))
        self.setObjectName("link")
        self.setAccessibleName(words)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._words = self.text()

    def say(self, words: str) -> None:
        """Show WORDS."""
        if words != self.accessibleName():
            self.setAccessibleName(words)
            self._words = unmnemonic(words)
            _break_into_lines(self, self._words, self.width() - self.edges)

    def sizeHint(self) -> QSize:
        """Return the room for all words in one line, and for the lines there are."""
        height = super().sizeHint().height()  # first, for it sees to the font
        return QSize(self.fontMetrics().horizontalAdvance(self._words) + self.edges, height)

    def minimumSizeHint(self) -> QSize:
        return QSize(min(NARROWEST, self.sizeHint().width()), super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        _break_into_lines(self, self._words, event.size().width() - self.edges)


class InlineLink(Link):
    """A small link without padding, among other words or at the end of a title."""

    edges = 2  # pixels of the focus frame

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.setObjectName("inline")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)


class Caption(QLabel):
    """Words below a link, broken into lines like it; screen readers get them whole.

    (Qt's own word wrap measures each a dozen times before the window is shown: a tenth of the time of the first page.)
    """

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.setObjectName("caption")
        self.setAccessibleName(words)
        self.setContentsMargins(theme.NEAR, 0, theme.NEAR, theme.TIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._words = words

    def sizeHint(self) -> QSize:
        """Return the room for all words in one line, and for the lines there are."""
        height = super().sizeHint().height()  # first, for it sees to the font
        return QSize(self.fontMetrics().horizontalAdvance(self._words) + EDGES, height)

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        return QSize(min(NARROWEST, hint.width()), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        _break_into_lines(self, self._words, event.size().width() - EDGES)


def _break_into_lines(shown: QLabel | QPushButton, words: str, width: int) -> None:
    """Show WORDS in lines no wider than WIDTH."""
    text = broken(words, width, shown.fontMetrics())
    if text != shown.text():
        shown.setText(text)


def broken(words: str, width: int, metrics: QFontMetrics) -> str:
    """Return WORDS with line breaks so that no line is wider than WIDTH, inside a word if need be."""
    if metrics.horizontalAdvance(words) <= width:
        return words
    lines: list[str] = []
    for word in words.split(" "):
        if lines and metrics.horizontalAdvance(f"{lines[-1]} {word}") <= width:
            lines[-1] = f"{lines[-1]} {word}"
            continue
        lines.append("")
        for letter in word:
            if lines[-1] and metrics.horizontalAdvance(lines[-1] + letter) > width:
                lines.append("")
            lines[-1] += letter
    return "\n".join(lines)
