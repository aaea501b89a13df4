"""Messages about the state: lines announced to screen readers, a warning box, and a notice above the pages."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, Qt, QTimer
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from ui.widgets import theme
from ui.widgets.parts import button_for, drop, fill, named, plain

SIGN = 18  # pixels of the triangle
WIDE = 640  # pixels from which the buttons are beside the message


class WarningSign(QWidget):
    """A triangle with an exclamation mark."""

    def __init__(self, size: int = SIGN) -> None:
        super().__init__()
        self._size = size
        self.setFixedSize(size, size)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            paint_warning_sign(painter, 0.0, 0.0, float(self._size))


def paint_warning_sign(painter: QPainter, left: float, top: float, size: float) -> None:
    """Paint the triangle into a square of SIZE pixels."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.WARNING))
    corners = ((0.5, 0.04), (1.0, 0.94), (0.0, 0.94))
    painter.drawPolygon(QPolygonF([QPointF(left + x * size, top + y * size) for x, y in corners]))
    pen = QPen(QColor("#FFFFFF"), size / 9)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    painter.drawLine(QPointF(left + size / 2, top + 0.38 * size), QPointF(left + size / 2, top + 0.62 * size))
    painter.drawPoint(QPointF(left + size / 2, top + 0.8 * size))


CALM = 700  # milliseconds without a change before words are announced, so that a drag is not read step by step


class Status(QLabel):
    """A label whose words are announced to screen readers once they have changed and stay."""

    def setText(self, words: str) -> None:
        changed = words != self.text()
        super().setText(words)
        if changed and words and QAccessible.isActive():
            QTimer.singleShot(CALM, self, lambda: self._announce(words))

    def _announce(self, words: str) -> None:
        if words == self.text() and self.isVisible():
            announcement = QAccessibleAnnouncementEvent(self, self.accessibleName() or words)
            QAccessible.updateAccessibility(announcement)


class Problem(Status):
    """What is wrong with an entry; hidden while nothing is."""

    def __init__(self) -> None:
        super().__init__(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.setObjectName("problem")
        self.hide()

    @property
    def words(self) -> str:
        """Return what is wrong; nothing if nothing is."""
        return self.text()

    def say(self, words: str) -> None:
        """Show WORDS; an empty text takes the problem away."""
        self.setText(words)
        self.setVisible(bool(words))


class WarningBox(QFrame):
    """A warning: a bold sentence, more words below it, and buttons with ways to resolve it."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("warning")
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(theme.GROUP, theme.NEAR + theme.TIGHT, theme.GROUP, theme.NEAR + theme.TIGHT)
        self.column.setSpacing(theme.NEAR)
        head = plain(QHBoxLayout(), theme.NEAR)
        self.sentence = named(Status(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "warned")
        self.sentence.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        fill(head, WarningSign(), self.sentence)
        head.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.more = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.more.hide()
        self.column.addLayout(head)
        self.column.addWidget(self.more)
        self._ways = plain(QHBoxLayout(), theme.NEAR)
        self._ways.addStretch(1)
        self.column.addLayout(self._ways)
        self.ways: list[QPushButton] = []

    def say(self, sentence: str, more: str = "") -> None:
        """Show SENTENCE, and MORE below it."""
        self.setAccessibleName(sentence)
        self.sentence.setText(sentence)
        self.more.setText(more)
        self.more.setVisible(bool(more))

    def lead(self, *ways: QPushButton) -> None:
        """Show the buttons WAYS instead of the previous ones."""
        drop(self._ways, self.ways)
        self.ways = list(ways)
        for at, way in enumerate(ways):
            self._ways.insertWidget(at, way)


class Notice(QFrame):
    """A message that stays above the pages, with buttons; hidden while there is none."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("notice")
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(theme.EDGE, theme.NEAR, theme.EDGE, theme.NEAR)
        self._row.setSpacing(theme.NEAR)
        self.says = Status(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._row.addWidget(self.says, 1)
        self.buttons: tuple[QPushButton, ...] = ()
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        in_one_row = event.size().width() >= WIDE
        self._row.setDirection(QBoxLayout.Direction.LeftToRight if in_one_row else QBoxLayout.Direction.TopToBottom)
        super().resizeEvent(event)

    def tell(self, words: str, *actions: tuple[str, Callable[[], object]]) -> None:
        """Show WORDS with a button for each of ACTIONS; hide the notice if WORDS is empty."""
        drop(self._row, self.buttons)
        buttons = []
        for text, act in actions:
            button = button_for(text, lambda _=False, act=act: act(), "small")
            self._row.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
            buttons.append(button)
        self.buttons = tuple(buttons)
        self.says.setText(words)
        self.setAccessibleName(words)
        self.setVisible(bool(words))
