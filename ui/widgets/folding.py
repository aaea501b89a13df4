"""Groups of fields in frames: cards, and cards that are opened on demand."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ui.widgets import theme
from ui.widgets.parts import named

HEAD, TITLE = 40, 160  # pixels of the head, and at least of its title if the state is beside it
EDGES = theme.GROUP + 2 * theme.EDGE - theme.NEAR  # pixels left of the title, and of the arrow at the right


class Card(QFrame):
    """A bordered group of fields with a title."""

    def __init__(self, title: str = "") -> None:
        super().__init__()
        self.setObjectName("card")
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(theme.GROUP, theme.NEAR + theme.TIGHT, theme.GROUP, theme.NEAR + theme.TIGHT)
        self.column.setSpacing(theme.NEAR)
        self.title = QLabel(title)
        self.title.setObjectName("title")
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.title.setWordWrap(True)
        self.column.addWidget(self.title)
        self.setAccessibleName(title)  # read by screen readers at its first field
        self.title.setHidden(not title)  # only in its layout: shown before, it would flash as a window of its own

    def call(self, title: str) -> None:
        """Give the group another TITLE."""
        self.title.setText(title)
        self.setAccessibleName(title)


class Head(QPushButton):
    """The head of a card: a title, its state in words, and an arrow that shows whether the card is open."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.setObjectName("link")
        self.setCheckable(True)
        self.setMinimumHeight(HEAD)
        self.words = named(QLabel(title, wordWrap=True), "title")
        self.state = named(QLabel(), "caption")
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.GROUP, 0, EDGES - theme.GROUP, 0)
        row.addWidget(self.words, 1)
        row.addWidget(self.state)
        for label in (self.words, self.state):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def say(self, words: str) -> None:
        """Show WORDS, the state, at the right of the title if there is room; screen readers always get both."""
        if words != self.state.text():
            self.state.setText(words)
            self.setAccessibleName(f"{self.words.text()}. {words}" if words else self.words.text())
            self._show_state_if_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_state_if_room()

    def _show_state_if_room(self) -> None:
        """Hide the state if the title would be broken into many lines beside it."""
        free = self.contentsRect().width() - EDGES - self.state.sizeHint().width()
        self.state.setVisible(free >= min(TITLE, self.words.fontMetrics().horizontalAdvance(self.words.text())))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Text), 1.5))
            x, y, down = self.width() - float(theme.EDGE), self.height() / 2, -2.0 if self.isChecked() else 2.0
            painter.drawPolyline(QPolygonF([QPointF(x - 4, y - down), QPointF(x, y + down), QPointF(x + 4, y - down)]))


class FoldingCard(QFrame):
    """A card whose content is made when it is first opened, so that a page of many cards is fast."""

    def __init__(self, title: str, fill: Callable[[QVBoxLayout], None], *, folded: bool = True) -> None:
        super().__init__()
        self.setObjectName("card")
        self._fill_content: Callable[[QVBoxLayout], None] | None = fill
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        self.head = Head(title)
        self.head.setAccessibleName(title)
        self.head.toggled.connect(self._show_content)
        column.addWidget(self.head)
        self.body = QWidget()
        self.body.setObjectName("plain")
        self.column = QVBoxLayout(self.body)
        self.column.setContentsMargins(theme.GROUP, theme.TIGHT, theme.GROUP, theme.GROUP)
        self.column.setSpacing(theme.NEAR)
        self.body.hide()
        column.addWidget(self.body)
        if not folded:
            self.open()

    def say(self, words: str) -> None:
        """Show WORDS, the state, at the right of the title."""
        self.head.say(words)

    def open(self) -> None:
        """Show the content."""
        self.head.setChecked(True)

    def _show_content(self, opened: bool) -> None:
        if opened and self._fill_content is not None:
            fill, self._fill_content = self._fill_content, None
            fill(self.column)
        self.body.setVisible(opened)
        QTimer.singleShot(0, self, self.updateGeometry)
