"""The controls for what is typed as text: a line, several lines, a list of numbers or names, a number or a word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, QStringListModel, Qt
from PySide6.QtWidgets import QCompleter, QWidget

from ui.controls import Line, LongText
from ui.forms.editor import Editor, rewritten, two_sentences
from ui.forms.numbers import parsed, written
from ui.widgets import tr


class Offered(QCompleter):
    """The names that a line offers while one is typed, whatever part of one it is."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._names = QStringListModel(self)
        self.setModel(self._names)
        self.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setFilterMode(Qt.MatchFlag.MatchContains)

    def offer(self, names: Sequence[str]) -> None:
        """Offer NAMES from now on."""
        if list(names) != self._names.stringList():
            self._names.setStringList(list(names))


class TextEditor(Editor):
    """One line of text."""

    def raw(self, text: str) -> Any:
        """Return what TEXT says; None where it says nothing."""
        return text or None

    def build(self) -> None:
        self.line = Line()
        self.line.setPlaceholderText(self._help)
        self.line.textEdited.connect(lambda text: self.edited.emit(self.raw(text), True))
        self.line.editingFinished.connect(self.settled)
        self.column.addWidget(self.line)

    def controls(self) -> tuple[QWidget, ...]:
        return (self.line,)

    def show_value(self, value: Any) -> None:
        if self.line.text() != (value or ""):
            self.line.setText(value or "")
            if not self.line.hasFocus():
                self.line.setCursorPosition(0)  # what is longer than the line shows how it begins


class OfferedEditor(TextEditor):
    """A name that is typed; those that the decision knows are offered."""

    def build(self) -> None:
        super().build()
        self.offered = Offered(self.line)
        self.line.setCompleter(self.offered)
        self.offered.activated.connect(self._chosen)

    def _chosen(self, name: str) -> None:
        self.edited.emit(name, False)
        self.settled.emit()


class LongTextEditor(Editor):
    """Several lines of text; Tab moves on."""

    rows_high = 64  # pixels

    def build(self) -> None:
        self.text = LongText(self.rows_high)
        self.text.setPlaceholderText(self._help)
        self.text.textChanged.connect(lambda: self.edited.emit(self.raw(), True))
        self.text.left.connect(self.settled)
        self.column.addWidget(self.text)

    def controls(self) -> tuple[QWidget, ...]:
        return (self.text,)

    def raw(self) -> Any:
        """Return what the text says; None where it says nothing."""
        return self.text.toPlainText() or None

    def text_of(self, value: Any) -> str:
        """Return VALUE as it is written."""
        return value or ""

    def show_value(self, value: Any) -> None:
        if (value or None) != self.raw():  # what somebody is typing is not rewritten
            self.rewrite(value)

    def rewrite(self, value: Any) -> None:
        words = self.text_of(value)
        if self.text.toPlainText() != words:
            with QSignalBlocker(self.text):
                self.text.setPlainText(words)


class NumbersEditor(LongTextEditor):
    """A list of numbers with spaces between, or a table of them with a line for each row."""

    def __init__(self, label: str, help: str = "", *, table: bool) -> None:
        self.table = table
        how = (
            tr("One row on each line, with spaces between the numbers.")
            if table
            else tr("With spaces between the numbers.")
        )
        super().__init__(label, two_sentences(help, how))

    def raw(self) -> Any:
        lines = (line.strip("; ") for line in self.text.toPlainText().splitlines() if line.strip("; "))
        rows = tuple(tuple(_number_or_text(word) for word in re.split(r"[;\s]+", line)) for line in lines)
        return (rows if self.table else tuple(number for row in rows for number in row)) or None

    def text_of(self, value: Any) -> str:
        rows = value if self.table else (value,)
        return "\n".join(" ".join(written(number) for number in row) for row in rows) if value else ""

    def in_words(self, value: Any) -> str:
        return super().in_words("; ".join(self.text_of(value).splitlines()) or None)


class NamesEditor(LongTextEditor):
    """Names, a line for each."""

    def __init__(self, label: str, help: str = "") -> None:
        super().__init__(label, two_sentences(help, tr("One on each line.")))

    def raw(self) -> Any:
        return tuple(line.strip() for line in self.text.toPlainText().splitlines() if line.strip())

    def text_of(self, value: Any) -> str:
        return "\n".join(value or ())

    def show_value(self, value: Any) -> None:
        if tuple(value or ()) != self.raw():
            self.rewrite(value)

    def in_words(self, value: Any) -> str:
        return super().in_words(", ".join(value or ()) or None)


class ReadEditor(TextEditor):
    """One line of which something else is read than its text: it is written anew only where it says something else."""

    def show_value(self, value: Any) -> None:
        if self.raw(self.line.text()) != value:
            self.rewrite(value)

    def rewrite(self, value: Any) -> None:
        rewritten(self.line, self.in_words(value))


class NumberOrWordEditor(ReadEditor):
    """One line that holds a number or one of a few words."""

    def raw(self, text: str) -> Any:
        return _number_or_text(text.strip()) if text.strip() else None

    def in_words(self, value: Any) -> str:
        return "" if value is None else value if isinstance(value, str) else written(value)


def _number_or_text(word: str) -> float | str:
    """Return the number WORD says, or WORD itself: the model then says what is wrong with it."""
    number = parsed(word)
    return word if number is None else number
