"""Groups of fields: cards, and folds that are opened on demand."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ui.widgets import theme
from ui.widgets.parts import named, plain, unmnemonic

HEAD, TITLE = 40, 160  # pixels of the head, and at least of its title if the state is beside it
ARROW_SPACE = "\u2003\u2002"  # a space as wide as the arrow of a button
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
    """The head of a card that folds: a title, its state in words, and an arrow that shows whether it is open."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.setObjectName("link")
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
        chevron(self, self.width() - float(theme.EDGE))


class MenuButton(QPushButton):
    """A button with an arrow at its right: it opens a menu, or what stands below it."""

    def __init__(self, words: str = "") -> None:
        super().__init__()
        self.say(words)

    def say(self, words: str) -> None:
        """Say WORDS on the button."""
        if words != self.accessibleName() or not self.text():
            self.setText(f"{unmnemonic(words)}{ARROW_SPACE}")
            self.setAccessibleName(words)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        chevron(self, self.width() - 17.0)


def chevron(widget: QWidget, x: float) -> None:
    """Draw a small arrow on WIDGET, centred at X: upwards on the checked button above what is open."""
    with QPainter(widget) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        enabled = QPalette.ColorGroup.Active if widget.isEnabled() else QPalette.ColorGroup.Disabled
        painter.setPen(QPen(widget.palette().color(enabled, QPalette.ColorRole.Text), 1.5))
        y, down = widget.height() / 2, 2.0
        if isinstance(widget, QPushButton) and widget.isChecked():
            down = -2.0
        painter.drawPolyline(QPolygonF([QPointF(x - 4, y - down), QPointF(x, y + down), QPointF(x + 4, y - down)]))


class Fold(QFrame):
    """What is seen only where it is asked for: a head to press, and below it a body."""

    def __init__(
        self,
        title: str,
        fill: Callable[[QVBoxLayout], None] | None = None,
        *,
        card: bool = True,
        open_title: str = "",
    ) -> None:
        """FILL makes the body when it is first opened, so that a page of many folds is fast.

        CARD: a card with the title as its head; else the head is a small button, with OPEN_TITLE while it is open.
        """
        super().__init__()
        self._fill, self._titles = fill, (title, open_title or title)
        self.head: Head | MenuButton = Head(title) if card else named(MenuButton(title), "small")
        self.head.setCheckable(True)
        self.head.setAccessibleName(title)
        self.head.toggled.connect(self._show_body)
        self.body = named(QWidget(), "plain")
        self.body.hide()
        self.column = QVBoxLayout(self.body)
        self.column.setSpacing(theme.NEAR)
        whole = plain(QVBoxLayout(self), 0)
        if card:
            self.setObjectName("card")
            whole.setContentsMargins(1, 1, 1, 1)
            self.column.setContentsMargins(theme.GROUP, theme.TIGHT, theme.GROUP, theme.GROUP)
            whole.addWidget(self.head)
        else:
            self.column.setContentsMargins(0, theme.NEAR, 0, 0)
            whole.addWidget(self.head, alignment=Qt.AlignmentFlag.AlignLeft)
        whole.addWidget(self.body)

    def say(self, words: str) -> None:
        """Say WORDS at the right of the title of a card, or in the place of the title on a small button."""
        self.head.say(words)

    @property
    def is_open(self) -> bool:
        """Return whether the body is shown."""
        return self.head.isChecked()

    def open(self) -> None:
        """Show the body."""
        self.head.setChecked(True)

    def fold(self) -> None:
        """Show the head alone."""
        self.head.setChecked(False)

    def _show_body(self, opened: bool) -> None:
        if opened and self._fill is not None:
            fill, self._fill = self._fill, None
            fill(self.column)
        if self._titles[0] != self._titles[1]:
            self.say(self._titles[opened])
        self.body.setVisible(opened)
        QTimer.singleShot(0, self, self.updateGeometry)
