"""A few answers with round buttons, all visible at once."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QButtonGroup, QRadioButton

from ui.controls import MarkedWords
from ui.widgets import SideBySide, theme, unmnemonic

RING = 16  # pixels of the round button


class Option(MarkedWords, QRadioButton):
    """One answer with its round button."""

    least = 200

    def paint_mark(self, painter: QPainter, dot: QColor) -> None:
        """Paint the ring, with a DOT of that colour in it if the answer is chosen."""
        middle = QPointF(RING / 2 + 0.5, self.height() / 2)
        painter.drawEllipse(middle, RING / 2 - 1.0, RING / 2 - 1.0)
        if self.isChecked():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(dot)
            painter.drawEllipse(middle, RING / 5, RING / 5)


class Options(SideBySide):
    """A few answers to one question; at most one is chosen."""

    chosen = Signal(str)  # the key of the answer just chosen

    def __init__(self, question: str, answers: Mapping[str, str]) -> None:
        """Show ANSWERS, words by key; QUESTION is for screen readers."""
        super().__init__(theme.GROUP, theme.TIGHT)
        self._words = dict(answers)
        self._group = QButtonGroup(self)
        self.options: dict[str, Option] = {}
        self.shown_key: str | None = None  # the answer shown last; the officer may have chosen another since
        for key, words in answers.items():
            option = self.options[key] = Option(words)
            option.clicked.connect(lambda _=False, key=key: self.chosen.emit(key))
            self._group.addButton(option)
            self.box.addWidget(option, alignment=Qt.AlignmentFlag.AlignLeft)
        self.box.addStretch(1)
        self.ask(question)

    def ask(self, question: str) -> None:
        """Name the answers for screen readers with QUESTION: no two answers on a page have the same name."""
        self.setAccessibleName(question)
        for key, option in self.options.items():
            option.setAccessibleName(f"{question} {self._words[key]}")

    def call(self, key: str, words: str) -> None:
        """Change the WORDS of the answer KEY."""
        if words != self._words[key]:
            self._words[key] = words
            self.options[key].setText(unmnemonic(words))
            self.ask(self.accessibleName())

    @property
    def key(self) -> str | None:
        """Return the key of the chosen answer; None if none is chosen."""
        return next((key for key, option in self.options.items() if option.isChecked()), None)

    def show_key(self, key: str | None) -> None:
        """Show the answer KEY as chosen, or none; no signal is sent."""
        self.shown_key = key
        if key == self.key:
            return
        self._group.setExclusive(False)
        for each, option in self.options.items():
            option.setChecked(each == key)
        self._group.setExclusive(True)

    def reach(self) -> None:
        """Give the keyboard to the chosen answer, or else to the first one."""
        shown = self.options.get(self.key or "") or next(iter(self.options.values()))
        shown.setFocus(Qt.FocusReason.OtherFocusReason)
