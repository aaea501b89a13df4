"""The controls for what is chosen: one of several named answers, any number of them, or yes and no."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QComboBox, QWidget

from ui.controls import Choice, Prose, Statement
from ui.forms.editor import Editor
from ui.widgets import fill, tr


class ChoiceEditor(Editor):
    """One of several named answers, or none yet."""

    def __init__(
        self,
        label: str,
        help: str,
        choices: tuple[tuple[Any, str], ...],
        *,
        optional: bool = True,
        open_words: str = "",
    ) -> None:
        self.choices = choices
        self.optional = optional
        self._open_words = open_words or tr("Choose …")
        super().__init__(label, help)

    def build(self) -> None:
        self.box = Choice((((None, self._open_words),) if self.optional else ()) + self.choices)
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.setMinimumContentsLength(24)
        self.box.activated.connect(lambda index: self.edited.emit(self.box.itemData(index), False))
        self.column.addWidget(self.box)

    def controls(self) -> tuple[QWidget, ...]:
        return (self.box,)

    def show_value(self, value: Any) -> None:
        self.box.setCurrentIndex(max(0, self.box.findData(value)))

    def in_words(self, value: Any) -> str:
        at = self.box.findData(value)
        return "" if value is None or at < 0 else self.box.itemText(at)


class YesNoEditor(Editor):
    """A statement that holds or not."""

    def build(self) -> None:
        self.box = Statement(self.label.text())
        self.label.hide()
        self.box.clicked.connect(lambda checked: self.edited.emit(checked, False))
        self.head.insertWidget(0, self.box)

    def controls(self) -> tuple[QWidget, ...]:
        return (self.box,)

    def show_value(self, value: Any) -> None:
        self.box.setChecked(bool(value))


class ChecksEditor(Editor):
    """Any number of named answers, each with a box; under each that is checked, what follows from it."""

    def __init__(self, label: str, help: str, choices: tuple[tuple[str, str], ...]) -> None:
        self.choices = choices
        self.boxes: dict[str, Statement] = {}
        self.consequences: dict[str, Prose] = {}
        self._sentences: dict[str, str] = {}
        super().__init__(label, help)
        for key, words in choices:
            self.boxes[key].setAccessibleName(words)

    def build(self) -> None:
        for key, words in self.choices:
            box, prose = Statement(words), Prose("", "caption")
            box.clicked.connect(
                lambda _: self.edited.emit(tuple(k for k, each in self.boxes.items() if each.isChecked()), False)
            )
            prose.setContentsMargins(24, 0, 0, 0)
            prose.hide()
            self.boxes[key], self.consequences[key] = box, prose
            fill(self.column, box, prose)

    def controls(self) -> tuple[QWidget, ...]:
        return tuple(self.boxes.values())

    def show_value(self, value: Any) -> None:
        for key, box in self.boxes.items():
            box.setChecked(key in (value or ()))
            self._show(key)

    def say_what_follows(self, key: str, words: str) -> None:
        """Say WORDS under the answer KEY while it is checked."""
        self._sentences[key] = words
        self._show(key)

    def _show(self, key: str) -> None:
        words = self._sentences.get(key, "")
        self.consequences[key].say(words)
        self.consequences[key].setVisible(bool(words) and self.boxes[key].isChecked())
