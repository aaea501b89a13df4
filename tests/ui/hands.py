"""What a hand does at the window: clicks, types, chooses and drags, by real mouse and key events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QAction, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from ui.app.window import MainWindow
from ui.forms import Editor
from ui.forms.plain_form import FOLDED, PlainForm
from ui.session import DocumentSession
from ui.signing.record_choices import RecordChoice
from ui.workers import Background

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
PATIENCE = 60_000  # milliseconds; a loaded machine is slow, and nothing waits longer than it must
TALLEST = 300  # pixels of a button, once it has its place


class Hands:
    """One pair of hands at one window."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.bot, self.window = qtbot, window

    @property
    def wizard(self) -> Any:
        return self.window.wizard

    @property
    def session(self) -> DocumentSession:
        assert self.window.session is not None
        return self.window.session

    @property
    def page(self) -> Any:
        return self.window.wizard.page

    def click(self, button: QAbstractButton) -> None:
        """Click BUTTON, scrolled into view first."""
        self._see(button)
        self.bot.waitUntil(lambda: 0 < button.height() < TALLEST)  # one just made has its place in a further turn
        place = QPoint(10, button.height() // 2)
        self.bot.mouseClick(button, LEFT, pos=place)

    def go(self, key: str) -> Self:
        """Click a step in the list, wait until what is out of sight on its page is shown, and return these hands."""
        self.click(self.wizard.steps.buttons[key])
        assert self.page.key == key
        self.read_behind()
        self.bot.waitUntil(lambda: not self.page.out_of_sight.isActive())
        QApplication.processEvents()  # and has its place
        return self

    def next(self) -> None:
        """Click Next."""
        self.click(self.wizard.footer.next_button)

    def type(self, control: QWidget, words: str) -> None:
        """Click into CONTROL, select what stands there, and type WORDS over it."""
        self._see(control)
        self.bot.mouseClick(control, LEFT)
        self.bot.keyClick(control, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        if words:
            self.bot.keyClicks(control, words)
        else:
            self.bot.keyClick(control, Qt.Key.Key_Delete)
        self.read_behind()

    def read_behind(self) -> None:
        """Wait until what the last page reads behind the window is read: policy, records, a logo."""
        if self.wizard is not None and hasattr(self.page, "sign_form"):
            behind = self.page.findChildren(Background)
            behind += [choice.worker for choice in self.page.findChildren(RecordChoice)] + [self.page.sign_form.judge]
            self.wait(lambda: not any(one.busy for one in behind))

    def fill(self, where: str, words: str) -> None:
        """Type WORDS into the field of the path WHERE, and leave the field."""
        control = self.editor(where).controls()[0]
        self.type(control, words)
        self.bot.keyClick(control, Qt.Key.Key_Tab)

    def choose(self, where: str, key: object) -> None:
        """Choose KEY in the box of the path WHERE, with the arrow keys."""
        box = self.editor(where).controls()[0]
        self.choose_in(box, key)

    def choose_in(self, box: QComboBox, key: object) -> None:
        """Choose KEY in BOX, with the arrow keys."""
        self._see(box)
        box.setFocus()
        wanted = box.findData(key)
        assert wanted >= 0, key
        for _ in range(abs(wanted - box.currentIndex())):
            self.bot.keyClick(box, Qt.Key.Key_Down if wanted > box.currentIndex() else Qt.Key.Key_Up)
        assert box.currentData() == key

    def editor(self, where: str) -> Editor:
        """Return the editor of the path WHERE on the page shown."""

        def found() -> list[Editor]:
            return [
                editor
                for editor in self.page.findChildren(Editor)
                if editor.objectName() == where and editor.isVisible()
            ]

        def one() -> None:
            assert len(found()) == 1, f"{where}: {len(found())} editors"

        self.bot.waitUntil(one)  # one just made is shown in the next turn of the event loop
        return found()[0]

    def pick(self, button: QPushButton, name: str) -> None:
        """Open the menu of BUTTON with the mouse and choose, with the arrow keys, the entry called NAME (its name or
        its words)."""
        self._see(button)
        menu = button.menu()
        self.bot.mouseClick(button, LEFT)
        self.bot.waitUntil(menu.isVisible)

        def named() -> list[QAction]:
            return [action for action in menu.actions() if name in (action.objectName(), action.text())]

        self.bot.waitUntil(lambda: bool(named()))  # a card just made fills its menu in the next turn of the event loop
        wanted = named()[0]
        for _ in menu.actions():
            self.bot.keyClick(menu, Qt.Key.Key_Down)
            if menu.activeAction() is wanted:
                break
        with self.bot.waitSignal(wanted.triggered):
            self.bot.keyClick(menu, Qt.Key.Key_Return)
        self.window.activateWindow()  # the off-screen platform does not give the keyboard back by itself
        self.bot.waitUntil(
            lambda: QApplication.activeModalWidget() is not None or QApplication.activeWindow() is self.window
        )

    def meet(self, kind: type[QDialog], act: Callable[[Any], object]) -> QTimer:
        """Do ACT at the next dialog of KIND that asks in a loop of its own; return what watches for it until then."""
        watch = QTimer(self.window, interval=5)

        def look() -> None:
            asked = QApplication.activeModalWidget()
            if isinstance(asked, kind) and asked.isVisible():
                watch.stop()
                act(asked)

        watch.timeout.connect(look)
        watch.start()
        return watch

    def answer(self, choice: QMessageBox.StandardButton | str) -> None:
        """Click CHOICE, a button or its words, in the question that is about to be asked."""

        def click(box: QMessageBox) -> None:
            named = [button for button in box.buttons() if button.text() == choice]
            self.bot.mouseClick(named[0] if named else box.button(choice), LEFT)

        self.meet(QMessageBox, click)

    def wait(self, true: Callable[[], object]) -> None:
        """Wait until something is TRUE."""
        self.bot.waitUntil(lambda: bool(true()), timeout=PATIENCE)

    def settle(self) -> Self:
        """Wait until what is shown answers the decision as it stands, and return these hands."""
        self.bot.waitUntil(
            lambda: (
                self.wizard.answered == self.window.session.decision
                and not self.wizard.solver.behind
                and not self.page.out_of_sight.isActive()
            ),
            timeout=PATIENCE,
        )
        return self

    def settle_panels(self) -> None:
        """Wait until all is answered, and see that each panel shows the decision as it stands."""
        self.settle()
        seen = [panel for panel in self.page.panels if panel.isVisible()]
        assert len(seen) >= 2
        for panel in seen:
            assert panel.shown.decision == self.session.decision
            assert not panel.stale

    def _see(self, widget: QWidget) -> None:
        assert widget.isEnabled(), widget
        # one just made is shown, and gets its place, in the next turns of the event loop
        self.bot.waitUntil(lambda: widget.isVisible() and widget.height() > 0)
        if self.wizard is not None and self.page.isAncestorOf(widget):
            self.page.ensureWidgetVisible(widget)


def unfold(hands: Hands, form: PlainForm) -> None:
    """Click the button of FORM behind which some fields stand."""
    folded = form.nested[FOLDED]
    hands.click(folded.head)
    assert folded.form is not None


def seen(label: QLabel) -> str:
    """Return the words of LABEL."""
    return getattr(label, "words", "") or label.text()


def seen_on(top: QWidget, fields: bool = True) -> list[str]:
    """Return every text that TOP shows: of labels and buttons, and what stands in FIELDS."""
    shown = [one for one in (top, *top.findChildren(QWidget)) if one.isVisible()]
    labels = [seen(one) for one in shown if isinstance(one, QLabel)]
    lines = [one.text() for one in shown if isinstance(one, QLineEdit) and fields]
    return labels + lines + [one.text() for one in shown if isinstance(one, QAbstractButton)]


def turn_wheel(widget: QWidget, at: QPointF, by: int = -120, held: Qt.KeyboardModifier = NONE) -> None:
    """Turn the wheel BY eighths of a degree over the place AT of WIDGET."""
    turned = QWheelEvent(
        at,
        QPointF(widget.mapToGlobal(at.toPoint())),
        QPoint(),
        QPoint(0, by),
        Qt.MouseButton.NoButton,
        held,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, turned)
