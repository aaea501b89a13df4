"""A button that reads like a line of text, and takes several lines where it has to."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy

from ui import theme
from ui.mnemonics import unmnemonic

NARROWEST = 160  # pixels to which it may shrink
EDGES = 2 * theme.NEAR  # pixels left and right of its words: the padding of its style


class Link(QPushButton):
    """Words that lead somewhere; broken into lines where there is little room, and whole to screen readers."""

    def __init__(self, words: str) -> None:
        super().__init__(unmnemonic(words))
        self.setObjectName("link")
        self.setAccessibleName(words)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._words = self.text()

    def sizeHint(self) -> QSize:
        """Return the room for all words in one line, and for the lines there are."""
        return QSize(self.fontMetrics().horizontalAdvance(self._words) + EDGES, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(min(NARROWEST, self.sizeHint().width()), super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        said = broken(self._words, event.size().width() - EDGES, self.fontMetrics())
        if said != self.text():
            self.setText(said)


def broken(words: str, width: int, metrics: QFontMetrics) -> str:
    """Return WORDS with line breaks, so that no line is wider than WIDTH; a word that is wider is broken as well."""
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
