"""A keyboard and nothing else at one window: every control is reached by Tab or by a shortcut, and seen when it is
reached."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QDeadlineTimer, QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QWidget

from ui.forms import Editor

Key = Qt.Key
CONTROL, SHIFT, NONE = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.NoModifier,
)
MOST_TABS = 400  # between two controls of one page
SOON = 500  # milliseconds in which what has the keyboard must be seen
PATIENCE = 60_000  # milliseconds; a loaded machine is slow, and nothing waits longer than it must
MOUSE = {
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseButtonRelease,
    QEvent.Type.MouseButtonDblClick,
    QEvent.Type.Wheel,
}


class MouseWatch(QObject):
    """Counts what a mouse does: nothing, if the story holds."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.seen += event.type() in MOUSE
        return False


class Keyboard:
    """Keys pressed at WINDOW, wherever the focus is."""

    def __init__(self, app: QApplication, window: Any) -> None:
        self.app, self.window = app, window
        self.mouse = MouseWatch()
        app.installEventFilter(self.mouse)
        self.unseen: list[str] = []

    def press(self, key: Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        """Press a key where the keyboard is."""
        QTest.keyClick(self.where(), key, modifiers)
        self.app.processEvents()

    def where(self) -> QWidget:
        """Return the widget that has the keyboard."""
        return self.app.activePopupWidget() or self.app.focusWidget() or self.window

    def until(self, true: Callable[[], object]) -> None:
        """Wait until something is TRUE."""
        patience = QDeadlineTimer(PATIENCE)
        while not true():
            assert not patience.hasExpired(), "waited in vain"
            QTest.qWait(5)  # the window goes on meanwhile

    def rest(self) -> None:
        """Let the window paint what it has laid out."""
        QTest.qWait(400)

    def tab_to(self, wanted: QWidget) -> None:
        """Press Tab until WANTED has the keyboard; it must then be seen."""
        self.until(wanted.isVisible)
        for _ in range(MOST_TABS):
            if self.app.focusWidget() is wanted:
                break
            self.press(Key.Key_Tab)
        assert self.app.focusWidget() is wanted, (
            f"Tab does not lead to {wanted.accessibleName() or wanted.objectName()}"
        )
        patience = QDeadlineTimer(SOON)
        while not self._seen(wanted) and not patience.hasExpired():
            QTest.qWait(5)  # a page that has just grown is laid out in the next turn, and then scrolls
        if not self._seen(wanted):
            self.unseen.append(wanted.accessibleName() or wanted.objectName())

    def _seen(self, widget: QWidget) -> bool:
        """Return whether all of WIDGET lies in the window, or as much of it as fits its page."""
        window = widget.window()  # a dialog is one of its own
        place = QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())
        shown = widget.visibleRegion().boundingRect()
        return (
            window.rect().intersects(place)
            and shown.height() >= min(widget.height(), 24)
            and shown.width() >= min(widget.width(), 48)
        )

    def type(self, words: str) -> None:
        """Type WORDS over what stands in the field that has the keyboard; letters beyond ASCII come as from an input
        method."""
        field = self.where()
        self.press(Key.Key_A, CONTROL)
        self.press(Key.Key_Delete)
        for letter in words:
            if letter.isascii():
                QTest.keyClick(field, letter)
            else:
                event = QInputMethodEvent()
                event.setCommitString(letter)
                self.app.sendEvent(field, event)
        self.app.processEvents()

    def editor(self, where: str) -> Editor:
        """Return the editor of the path WHERE on the page shown."""
        page = self.window.wizard.page

        def found() -> list[Editor]:
            return [one for one in page.findChildren(Editor) if one.objectName() == where and one.isVisible()]

        self.until(lambda: len(found()) == 1)
        return found()[0]

    def fill(self, where: str, words: str) -> None:
        """Go to the field of the path WHERE and type WORDS."""
        self.tab_to(self.editor(where).controls()[0])
        self.type(words)

    def choose(self, box: QWidget, key: object) -> None:
        """Go to BOX and choose KEY with the arrow keys."""
        assert isinstance(box, QComboBox)
        self.tab_to(box)
        wanted = box.findData(key)
        assert wanted >= 0, key
        for _ in range(abs(wanted - box.currentIndex())):
            self.press(Key.Key_Down if wanted > box.currentIndex() else Key.Key_Up)
        assert box.currentData() == key

    def pick(self, button: Any, name: str) -> None:
        """Go to BUTTON, open its menu with the space bar and choose the entry called NAME with the arrow keys."""
        self.tab_to(button)
        menu = button.menu()
        QTest.keyPress(button, Key.Key_Space)
        self.until(menu.isVisible)
        wanted = next(action for action in menu.actions() if action.objectName() == name)
        for _ in menu.actions():
            QTest.keyClick(menu, Key.Key_Down)
            if menu.activeAction() is wanted:
                break
        QTest.keyClick(menu, Key.Key_Return)
        self.until(lambda: not menu.isVisible())
        self.window.activateWindow()  # the off-screen platform does not give the keyboard back by itself
        self.until(lambda: self.app.activeWindow() is self.window)

    def use(self, button: QWidget) -> None:
        """Go to BUTTON and press the space bar."""
        self.tab_to(button)
        self.press(Key.Key_Space)

    def settle(self) -> None:
        """Wait until what is shown answers the decision as it stands."""
        wizard = self.window.wizard
        self.until(lambda: wizard.answered == self.window.session.decision and not wizard.solver.behind)
