"""Several answers at once: a statement for each that can hold, with what it means under it."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QWidget

from ui.forms.editors import Editor
from ui.widgets import Prose, Statement


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
            box, said = Statement(words), Prose("", "caption")
            box.clicked.connect(
                lambda _: self.edited.emit(tuple(k for k, each in self.boxes.items() if each.isChecked()), False)
            )
            said.setContentsMargins(24, 0, 0, 0)
            said.hide()
            self.boxes[key], self.consequences[key] = box, said
            self.column.addWidget(box)
            self.column.addWidget(said)

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
