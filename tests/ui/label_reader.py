"""An officer who knows the window by its words alone: finds each control by the label that is seen, and acts by mouse,
or by keys alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTableWidget,
    QWidget,
)

from tests.end_to_end.keyboard import Keyboard
from tests.samples.stories import Answers
from tests.ui.hands import PATIENCE, Hands
from tests.ui.table_hands import type_rows

INSIDE = " > "


def seen(label: QLabel) -> str:
    """Return the words of LABEL."""
    return getattr(label, "words", "") or label.text()


class LabelReader:
    """One officer at one window, by mouse and keys, or BY keys alone."""

    def __init__(self, hands: Hands, by: Literal["mouse", "keys"]) -> None:
        self.hands, self.by, self.bot, self.window = hands, by, hands.bot, hands.window
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        self.keys = Keyboard(application, hands.window) if by == "keys" else None

    # ------------------------------------------------------------------------------- finding

    @property
    def screen(self) -> QWidget:
        """Return what is shown: a dialog that is open, else the start screen or the wizard."""
        return QApplication.activeModalWidget() or self.window.stack.currentWidget()

    def find(self, label: str) -> QWidget:
        """Return the one control that bears LABEL on the screen; wait for it, as one just made is shown in the next
        turn."""
        heads, _, words = label.rpartition(INSIDE)

        def found() -> list[QWidget]:
            return self._inside(heads, list(self._bearing(words))) if heads else list(self._bearing(words))

        def one() -> None:
            assert len(found()) == 1, f"“{label}” is seen {len(found())} times"

        self.bot.waitUntil(one, timeout=PATIENCE)
        return found()[0]

    def _bearing(self, words: str) -> Iterator[QWidget]:
        for label in self.screen.findChildren(QLabel):
            if label.buddy() is not None and seen(label) == words and label.isVisible() and label.buddy().isVisible():
                yield label.buddy()
        for button in self.screen.findChildren(QAbstractButton):
            said = {button.text().replace("&&", "&").strip(), button.accessibleName()}
            if button.isVisible() and (
                words in said or any(one.startswith((f"{words}:", f"{words}.")) for one in said)
            ):
                yield button

    def _inside(self, head: str, found: list[QWidget]) -> list[QWidget]:
        """Return those of FOUND that stand nearest below the words HEAD."""
        distances = {widget: self._distance(widget, head) for widget in found}
        return [widget for widget, distance in distances.items() if distance == min(distances.values())]

    def _distance(self, widget: QWidget, head: str) -> int:
        above, distance = widget.parentWidget(), 0
        while above is not None:
            if any(seen(label) == head for label in above.findChildren(QLabel) if label.isVisible()):
                return distance
            above, distance = above.parentWidget(), distance + 1
        raise AssertionError(f"“{head}” is not seen")

    # -------------------------------------------------------------------------------- acting

    def answer(self, answers: Answers) -> None:
        """Give each of ANSWERS in turn."""
        for label, words in answers:
            control = self.find(label)
            said = label.rpartition(INSIDE)[2]
            assert said in control.accessibleName() or isinstance(control, QAbstractButton), (
                f"{control.accessibleName()} bears “{said}”"
            )
            if words is True:
                self.press(control)
            elif isinstance(control, QComboBox):
                self.choose(control, words)
            elif isinstance(control, QAbstractButton):
                self.pick(control, words)
            else:
                self.type(control, words)

    def acknowledge(self) -> None:
        """Acknowledge whatever the page says is assumed."""
        boxes = [box for box in self.screen.findChildren(QCheckBox) if box.isVisible() and not box.isChecked()]
        for box in boxes:
            if box.accessibleName().startswith("I acknowledge: "):
                self.press(box)

    def press(self, button: QWidget) -> None:
        """Click BUTTON, or go to it and press the space bar."""
        assert isinstance(button, QAbstractButton)
        self.keys.use(button) if self.keys else self.hands.click(button)

    def choose(self, box: QComboBox, words: str) -> None:
        """Choose WORDS in BOX with the arrow keys."""
        place = box.findText(words)
        assert place >= 0, f"{words} is not among {[box.itemText(i) for i in range(box.count())]}"
        self.keys.choose(box, box.itemData(place)) if self.keys else self.hands.choose_in(box, box.itemData(place))

    def pick(self, button: Any, words: str) -> None:
        """Choose in the menu of BUTTON the entry that begins with WORDS."""
        entry = next(action for action in button.menu().actions() if action.text().startswith(f"{words}:"))
        self.keys.pick(button, entry.objectName()) if self.keys else self.hands.pick(button, entry.objectName())

    def type(self, control: QWidget, words: str) -> None:
        """Type WORDS over what stands in CONTROL, a line after the other."""
        if isinstance(control, QTableWidget):
            self.keys.tab_to(control) if self.keys else self.bot.mouseClick(
                control.viewport(), Qt.MouseButton.LeftButton
            )
            type_rows(control, words.split("\n"))
            return
        assert isinstance(control, QLineEdit | QPlainTextEdit), control
        first, *others = words.split("\n")
        if self.keys:
            self.keys.tab_to(control)
            self.keys.type(first)
        else:
            self.hands.type(control, first)
        for line in others:
            QTest.keyClick(control, Qt.Key.Key_Return)
            QTest.keyClicks(control, line)

    def next(self) -> None:
        """Go to the next step."""
        if self.keys:
            self.keys.press(Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
        else:
            self.hands.next()

    def problems(self) -> list[str]:
        """Return every problem that is said beside a field of the page."""
        labels = [
            label for label in self.screen.findChildren(QLabel) if label.objectName() == "problem" and label.isVisible()
        ]
        return [seen(label) for label in labels if seen(label)]
