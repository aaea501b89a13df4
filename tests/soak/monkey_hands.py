"""What the hands of the monkey do to whatever is in front of them: a window, a dialog or a menu."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QWidget,
)

from tests.soak.monkey_eyes import within_sight
from tests.soak.monkey_keys import CONTROL, HOSTILE, KEYS, PLAIN, SHIFT, Key
from tests.soak.monkey_notes import Notes
from ui.app.footer import MiniAxis
from ui.app.window import MainWindow
from ui.plots import ChartPlot

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
USED = (QAbstractButton, QAbstractSlider, QComboBox, QLineEdit, QPlainTextEdit, QAbstractItemView, ChartPlot, MiniAxis)
SIZES = ((900, 600), (1024, 700), (1366, 768), (1366, 768), (1600, 900), (1920, 1080), (700, 480))


class Hands:
    """Hands without a mind, at whatever is in front: a menu, a dialog, the window."""

    def __init__(self, window: MainWindow, folder: Path, notes: Notes, dice: Random) -> None:
        self.window, self.folder, self.notes, self.dice = window, folder, notes, dice
        self.page = ""
        self.asked_files = 0
        self.aside = False  # whether this turn is for the dialog beside the window, if there is one

    def front(self) -> QWidget:
        """Return what takes events now: a menu, a dialog, or the window."""
        inner = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        return inner or (self.beside() if self.aside else None) or self.window

    def beside(self) -> QWidget | None:
        """Return the dialog that stands beside the window and holds nothing up, such as the guide."""
        return next(
            (one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog) and one.isVisible()), None
        )

    def note(self, act: str, on: QWidget | None = None) -> None:
        """Keep what is done, to be told with an error."""
        text = getattr(on, "text", None)
        what = (
            ""
            if on is None
            else f"{type(on).__name__} {on.accessibleName() or on.objectName() or (text() if callable(text) else '')}"[
                :60
            ]
        )
        self.notes.acts[act.split()[0]] += 1
        self.notes.recent.append(f"{self.page}: {act} {what}".strip())

    def found(self) -> QWidget | None:
        """Return one of the controls in front, at random."""
        shown = within_sight(self.front(), USED)
        return self.dice.choice(shown) if shown else None

    def click(self) -> None:
        """Click a control, or choose in a menu."""
        front = self.front()
        if isinstance(front, QMenu):
            offered = [
                one
                for one in front.actions()
                if one.isEnabled() and one.isVisible() and not one.isSeparator() and self.harmless(one)
            ]
            if offered and self.dice.random() < 0.6:
                chosen = self.dice.choice(offered)
                self.note(f"menu {chosen.text()}"[:40])
                QTest.mouseClick(front, LEFT, PLAIN, front.actionGeometry(chosen).center())
            else:
                self.note("menu closed")
                QTest.keyClick(front, Key.Key_Escape)
            return
        control = self.found()
        if control is not None:
            self.note("click", control)
            inside = QPoint(self.dice.randrange(max(control.width(), 1)), self.dice.randrange(max(control.height(), 1)))
            act = QTest.mouseDClick if self.dice.random() < 0.1 else QTest.mouseClick
            act(self.inner(control), LEFT, PLAIN, inside)

    def harmless(self, action: Any) -> bool:
        """Return whether ACTION does not end the run: all but Quit."""
        return action is not self.window.menus.actions["quit"]

    @staticmethod
    def inner(control: QWidget) -> QWidget:
        viewport = getattr(control, "viewport", None)
        return viewport() if callable(viewport) and not isinstance(control, ChartPlot) else control

    def point(self) -> None:
        """Click anywhere at all."""
        front = self.front()
        if isinstance(front, QMenu):
            return self.click()
        at = QPoint(self.dice.randrange(max(front.width(), 1)), self.dice.randrange(max(front.height(), 1)))
        under = front.childAt(at) or front
        button = Qt.MouseButton.RightButton if self.dice.random() < 0.1 else LEFT
        self.note("point", under)
        QTest.mouseClick(under, button, PLAIN, under.mapFrom(front, at) if under is not front else at)
        return None

    def target(self) -> QWidget:
        """Return what has the keyboard."""
        return QApplication.activePopupWidget() or QApplication.focusWidget() or self.front()

    def key(self) -> None:
        """Press a key, or a few."""
        key, modifiers = self.dice.choice(KEYS)
        target = self.target()
        if isinstance(target, QMenu) and key in (Key.Key_Return, Key.Key_Space):
            active = target.activeAction()
            if active is not None and not self.harmless(active):
                return
        self.note(f"key {key.name}", target)
        for _ in range(self.dice.choice((1, 1, 1, 5))):
            QTest.keyClick(target, key, modifiers)
            target = self.target()

    def type(self) -> None:
        """Type something into a field, by keys, by an input method or from the clipboard."""
        fields = within_sight(self.front(), (QLineEdit, QPlainTextEdit))
        if not fields:
            return self.key()
        field: Any = self.dice.choice(fields)
        words = self.dice.choice(HOSTILE)
        self.note(f"type {words[:12]!r}", field)
        field.setFocus()
        if self.dice.random() < 0.7:
            QTest.keyClick(field, Key.Key_A, CONTROL)
        if len(words) > 40 or self.dice.random() < 0.2:
            QGuiApplication.clipboard().setText(words)
            QTest.keyClick(field, Key.Key_V, CONTROL)
        elif words.isascii() and words.isprintable():
            for letter in words:
                QTest.keyClick(field, letter)
        else:
            event = QInputMethodEvent()
            event.setCommitString(words)
            QApplication.sendEvent(field, event)
        if self.dice.random() < 0.5:
            QTest.keyClick(field, Key.Key_Tab)
        return None

    def drag(self) -> None:
        """Press on a slider or a plot, move about, and let go."""
        found = within_sight(self.front(), (QAbstractSlider, ChartPlot))
        if not found:
            return self.point()
        control = self.dice.choice(found)
        on: QWidget = control.viewport() if isinstance(control, ChartPlot) else control
        self.note("drag", control)
        handles = getattr(control, "handles", None)
        at = QPointF(self.dice.randrange(max(on.width(), 1)), self.dice.randrange(max(on.height(), 1)))
        if handles is not None and handles.shown:
            at = handles._pixel_of(self.dice.choice(handles.shown))  # at a knot: elsewhere there is little to hold
        self.mouse(on, QEvent.Type.MouseButtonPress, at, LEFT, LEFT)
        for _ in range(self.dice.randint(2, 12)):
            at = QPointF(at.x() + self.dice.uniform(-60, 60), at.y() + self.dice.uniform(-30, 30))
            self.mouse(on, QEvent.Type.MouseMove, at, NONE, LEFT)
        self.mouse(on, QEvent.Type.MouseButtonRelease, at, LEFT, NONE)
        return None

    @staticmethod
    def mouse(on: QWidget, kind: QEvent.Type, at: QPointF, button: Qt.MouseButton, held: Qt.MouseButton) -> None:
        QApplication.sendEvent(on, QMouseEvent(kind, at, QPointF(on.mapToGlobal(at.toPoint())), button, held, PLAIN))

    def wheel(self) -> None:
        """Turn the wheel anywhere."""
        front = self.front()
        at = QPoint(self.dice.randrange(max(front.width(), 1)), self.dice.randrange(max(front.height(), 1)))
        under = front.childAt(at) or front
        self.note("wheel", under)
        place = QPointF(under.mapFrom(front, at)) if under is not front else QPointF(at)
        by = QPoint(0, self.dice.choice((-480, -120, 120, 480)))
        turned = QWheelEvent(
            place,
            QPointF(front.mapToGlobal(at)),
            QPoint(),
            by,
            NONE,
            self.dice.choice((PLAIN, PLAIN, CONTROL)),
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(under, turned)

    def undo(self) -> None:
        """Ctrl+Z, some times."""
        self.note("undo")
        for _ in range(self.dice.choice((1, 1, 3))):
            QTest.keyClick(self.target(), Key.Key_Z, CONTROL)

    def redo(self) -> None:
        """Ctrl+Shift+Z."""
        self.note("redo")
        QTest.keyClick(self.target(), Key.Key_Z, CONTROL | SHIFT)

    def size(self) -> None:
        """Give the window another size."""
        self.note("size")
        self.window.resize(*self.dice.choice(SIZES))

    def answer_file_dialog(self, dialog: QFileDialog) -> None:
        """Name a file of the folder, or one that is not there, and press Return; nothing outside the folder is
        named."""
        self.asked_files += 1
        line = dialog.findChild(QLineEdit, "fileNameEdit")
        if line is None or self.asked_files % 4 == 0 or self.dice.random() < 0.2:
            self.note("file dialog left", dialog)
            QTest.keyClick(dialog, Key.Key_Escape)
            return
        names = sorted(one for one in self.folder.iterdir() if one.is_file())
        chosen = self.dice.choice(
            (self.dice.choice(names), self.folder / f"new{self.dice.randrange(9)}.json", self.folder)
        )
        self.note(f"file {chosen.name}")
        line.setText(str(chosen))
        QTest.keyClick(line, Key.Key_Return)

    def button(self, button: QAbstractButton | None) -> bool:
        """Click BUTTON, if it can be."""
        if button is None or not button.isVisible() or not button.isEnabled():
            return False
        QTest.mouseClick(button, LEFT, PLAIN, button.rect().center())
        return True
