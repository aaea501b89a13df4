"""Hands that use no mouse: every control is reached by Tab or by a shortcut, and seen when it is reached."""

from __future__ import annotations

from PySide6.QtCore import QDeadlineTimer, QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QPushButton, QWidget

from tests.ui.hands import Hands

Key = Qt.Key
ALT, CONTROL, NONE = (
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.NoModifier,
)
MOST_TABS = 400  # between two controls of one page
SOON = 500  # milliseconds in which what has the keyboard must be seen
MOUSE = {
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseButtonRelease,
    QEvent.Type.MouseButtonDblClick,
    QEvent.Type.Wheel,
}


class MouseWatch(QObject):
    """Counts what a mouse does: nothing, if the story holds."""

    seen = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.seen += event.type() in MOUSE
        return False


class Keyboard(Hands):
    """Keys pressed at the window of HANDS, wherever the focus is."""

    def __init__(self, hands: Hands) -> None:
        super().__init__(hands.bot, hands.window)
        self.mouse = MouseWatch(self.window)
        QApplication.instance().installEventFilter(self.mouse)
        self.unseen: list[str] = []

    def press(self, key: Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        """Press a key where the keyboard is."""
        QTest.keyClick(QApplication.focusWidget() or self.window, key, modifiers)
        QApplication.processEvents()

    def tab_to(self, wanted: QWidget) -> None:
        """Press Tab until WANTED has the keyboard; it must then be seen."""
        self.wait(lambda: wanted.isVisible() and QApplication.activeWindow() is wanted.window())
        for _ in range(MOST_TABS):
            if QApplication.focusWidget() is wanted:
                break
            self.press(Key.Key_Tab)
        named = wanted.accessibleName() or wanted.objectName()
        assert QApplication.focusWidget() is wanted, f"Tab does not lead to {named}"
        patience = QDeadlineTimer(SOON)
        while not _seen(wanted) and not patience.hasExpired():
            self.bot.wait(5)  # a page that has just grown is laid out in the next turn, and then scrolls
        if not _seen(wanted):
            self.unseen.append(named)

    def click(self, button: QAbstractButton) -> None:
        """Go to BUTTON and press the space bar."""
        self.tab_to(button)
        self.press(Key.Key_Space)

    def next(self) -> None:
        """Go to the next step."""
        self.press(Key.Key_Right, ALT)

    def type(self, control: QWidget, words: str) -> None:
        """Type WORDS over what stands in CONTROL; letters beyond ASCII come as from an input method."""
        self.tab_to(control)
        self.press(Key.Key_A, CONTROL)
        self.press(Key.Key_Delete)
        for letter in words:
            if letter.isascii():
                QTest.keyClick(control, letter)
            else:
                event = QInputMethodEvent()
                event.setCommitString(letter)
                QApplication.sendEvent(control, event)
        self.read_behind()

    def choose_in(self, box: QComboBox, key: object) -> None:
        """Go to BOX and choose KEY with the arrow keys."""
        self.tab_to(box)
        super().choose_in(box, key)

    def pick(self, button: QPushButton, name: str) -> None:
        """Go to BUTTON, open its menu with the space bar and choose the entry called NAME with the arrow keys."""
        self.tab_to(button)
        menu = button.menu()
        QTest.keyPress(button, Key.Key_Space)
        self.wait(menu.isVisible)
        wanted = next(action for action in menu.actions() if action.objectName() == name)
        for _ in menu.actions():
            QTest.keyClick(menu, Key.Key_Down)
            if menu.activeAction() is wanted:
                break
        QTest.keyClick(menu, Key.Key_Return)
        self.wait(lambda: not menu.isVisible())
        self.window.activateWindow()  # the off-screen platform does not give the keyboard back by itself
        self.wait(lambda: QApplication.activeWindow() is self.window)


def _seen(widget: QWidget) -> bool:
    """Return whether all of WIDGET lies in the window, or as much of it as fits its page."""
    window = widget.window()  # a dialog is one of its own
    place = QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())
    shown = widget.visibleRegion().boundingRect()
    return (
        window.rect().intersects(place)
        and shown.height() >= min(widget.height(), 24)
        and shown.width() >= min(widget.width(), 48)
    )
