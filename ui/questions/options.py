"""One answer of a few, each with a round button: all answers of a plain question are seen at once."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QSizePolicy, QStyle, QStyleOptionButton

from ui.widgets import SideBySide, theme, unmnemonic

WRAPPED = int(
    Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextShowMnemonic | Qt.TextFlag.TextWordWrap
)
RING = 16  # pixels of the round button
LINE = 200  # pixels: longer words may take several lines


class Option(QRadioButton):
    """One answer with its round button; drawn here so that the ring is seen in both themes."""

    def __init__(self, words: str) -> None:
        super().__init__(unmnemonic(words))
        policy = QSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        size = self.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, self.text())
        return QSize(size.width() + RING + theme.NEAR + theme.TIGHT, max(size.height(), RING) + theme.TIGHT)

    def minimumSizeHint(self) -> QSize:
        size = self.sizeHint()
        return QSize(min(size.width(), LINE), size.height())

    def heightForWidth(self, width: int) -> int:
        room = QRect(0, 0, max(1, width - RING - theme.NEAR), 10_000)
        return max(self.fontMetrics().boundingRect(room, WRAPPED, self.text()).height(), RING) + theme.TIGHT

    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            palette = self.palette()
            focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
            accent = palette.color(QPalette.ColorRole.Accent)
            ring = accent if focused or self.isChecked() else palette.color(QPalette.ColorRole.Mid)
            middle = QPointF(RING / 2 + 0.5, self.height() / 2)
            painter.setPen(QPen(ring, 2 if focused else 1))
            painter.setBrush(accent if self.isChecked() else palette.color(QPalette.ColorRole.Base))
            painter.drawEllipse(middle, RING / 2 - 1.0, RING / 2 - 1.0)
            if self.isChecked():
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(palette.color(QPalette.ColorRole.HighlightedText))
                painter.drawEllipse(middle, RING / 5, RING / 5)
            painter.setPen(palette.color(QPalette.ColorRole.Text))
            painter.drawText(self.rect().adjusted(RING + theme.NEAR, 0, 0, 0), WRAPPED, self.text())


class Options(SideBySide):
    """A few answers to one question, of which one or none is chosen."""

    chosen = Signal(str)  # the key of the answer that somebody has just chosen

    def __init__(self, question: str, answers: Mapping[str, str]) -> None:
        """Show ANSWERS, words by their keys, to QUESTION, which screen readers say."""
        super().__init__(theme.GROUP, theme.TIGHT)
        self._words = dict(answers)
        self._group = QButtonGroup(self)
        self.options: dict[str, Option] = {}
        for key, words in answers.items():
            option = self.options[key] = Option(words)
            option.clicked.connect(lambda _=False, key=key: self.chosen.emit(key))
            self._group.addButton(option)
            self.box.addWidget(option, alignment=Qt.AlignmentFlag.AlignLeft)
        self.box.addStretch(1)
        self.ask(question)

    def ask(self, question: str) -> None:
        """Have screen readers say QUESTION, also with each answer: no two answers on a page have one name."""
        self.setAccessibleName(question)
        for key, option in self.options.items():
            option.setAccessibleName(f"{question} {self._words[key]}")

    def call(self, key: str, words: str) -> None:
        """Say the answer of KEY in other WORDS."""
        if words != self._words[key]:
            self._words[key] = words
            self.options[key].setText(unmnemonic(words))
            self.ask(self.accessibleName())

    @property
    def key(self) -> str | None:
        """Return the key of the answer that is shown as chosen; None where none is."""
        return next((key for key, option in self.options.items() if option.isChecked()), None)

    def show_key(self, key: str | None) -> None:
        """Show the answer of KEY as chosen, or none; nobody is told."""
        if key == self.key:
            return
        self._group.setExclusive(False)
        for each, option in self.options.items():
            option.setChecked(each == key)
        self._group.setExclusive(True)

    def reach(self) -> None:
        """Give the keyboard to the answer chosen, or to the first one."""
        shown = self.options.get(self.key or "") or next(iter(self.options.values()))
        shown.setFocus(Qt.FocusReason.OtherFocusReason)
