"""The base of all editors: a label, a control, a quiet note, and the problem with the entry.

An editor emits `edited(raw, dragging)` with the entry as a JSON value, and shows the value or problem that it is given.
No editor checks a range: the model does, and its message is shown beside the field.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from dpwizard.base.errors import DPWizardError
from dpwizard.decision import Decision
from ui.controls import HelpButton, Prose, mark_wrong
from ui.forms.numbers import doubt
from ui.widgets import Problem, Words, fill, named, plain, theme, tr

QUOTED = 60  # letters of an answer that are quoted in a sentence
LABEL = 280  # pixels: a longer label may take several lines


class Editor(QWidget):
    """A label, a control, a quiet note and the problem with what was entered, if there is one."""

    short = False  # whether two of its kind fit into one row

    edited = Signal(object, bool)  # the raw value, and whether a drag goes on
    settled = Signal()  # a drag or a stretch of typing has ended

    def __init__(self, label: str, help: str = "", unit: str = "") -> None:
        super().__init__()
        self.setToolTip(help)
        self.label = Words(label, "caption", LABEL)
        self.unit = QLabel(unit, self)  # shown by the editors of numbers, which give it a place
        self.unit.setObjectName("quiet")
        self.unit.hide()
        self.note = named(QLabel(wordWrap=True), "caption")
        self.note.hide()
        self.problem = Problem()
        self._help = help
        self.explanation = Prose("", "caption")  # what "?" or F1 shows: what the field means, its range, its source
        self.explanation.hide()
        self.ask = HelpButton()
        self.ask.hide()
        self.ask.toggled.connect(self.explanation.setVisible)
        self.column = plain(QVBoxLayout(self), theme.TIGHT)
        self.head = plain(QHBoxLayout(), theme.TIGHT)
        fill(self.head, self.label, self.ask)
        self.head.addStretch(1)
        self.column.addLayout(self.head)
        self.build()
        fill(self.column, self.explanation, self.note, self.problem)
        for control in self.controls():
            control.setAccessibleName(label)
            control.setAccessibleDescription(self._spoken())
        self.label.setBuddy(self.controls()[0])

    def explain(self, words: str) -> None:
        """Offer WORDS behind a "?" beside the label, and behind F1 in the field: meaning, range, source."""
        self.explanation.say(words)
        self.ask.setVisible(bool(words))
        self.ask.setToolTip(tr("What this means (F1)"))
        self.ask.setAccessibleName(tr("What “{field}” means", field=self.label.text()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F1 and self.explanation.words:
            self.ask.toggle()
            return
        super().keyPressEvent(event)

    def build(self) -> None:
        """Make the control and add it to the column."""
        raise NotImplementedError  # abstract

    def controls(self) -> tuple[QWidget, ...]:
        """Return the widgets that take the keyboard, the first one first."""
        raise NotImplementedError  # abstract

    def show_value(self, value: Any) -> None:
        """Show VALUE; None is shown as empty. Tells nobody."""
        raise NotImplementedError  # abstract

    def problem_in_words(self, problem: DPWizardError, raw: Any) -> str:
        """Return the message about RAW beside the field."""
        twice = doubt(raw) if isinstance(raw, str) else ""
        if twice:
            return twice
        return f"{problem.text[0].upper()}{problem.text[1:]}. {problem.remedy}".strip()

    def objection(self, raw: Any) -> str:
        """Return why RAW is of no use here though a file may hold it; an empty text in most fields."""
        return ""

    def show_problem(self, words: str) -> None:
        """Show what is wrong with what was entered, in words; an empty text takes it away."""
        if words == self.problem.text():
            return
        self.problem.say(words)
        self.note.setVisible(bool(self.note.text()) and not words)  # what is in force stands in the problem
        for control in self.controls():
            mark_wrong(control, bool(words))
            control.setAccessibleDescription(words or self._spoken())

    def _spoken(self) -> str:
        """Return what screen readers say of the field beyond its name and value."""
        unit = self.unit.text()
        return two_sentences(self._help, tr("Unit: {unit}.", unit=unit)) if unit else self._help

    def refuse(self, words: str, value: Any) -> None:
        """Say in WORDS why what was entered is not used, and that the answer in force is still VALUE."""
        text = self.in_words(value)
        force = (
            tr("Not used. The value is still {value}.", value=text)
            if text
            else tr("Not used: this is not answered yet.")
        )
        self.show_problem(f"{words} {force}")

    def in_words(self, value: Any) -> str:
        """Return an answer as a sentence names it; an empty text for none."""
        text = "" if value is None or value == () else str(value)
        return text if len(text) <= QUOTED else f"{text[: QUOTED - 1]}…"

    def rewrite(self, value: Any) -> None:
        """Show VALUE alone, as it is written, whatever was typed: the field was left, or the decision replaced."""
        self.show_value(value)

    def tidy(self, value: Any) -> None:
        """Write VALUE, which is in force, as this program writes it: the officer has left the field."""
        self.rewrite(value)

    def show_note(self, words: str) -> None:
        """Show a quiet line under the control."""
        if words != self.note.text():
            self.note.setText(words)
            self.note.setVisible(bool(words) and not self.problem.text())

    def look_around(self, decision: Decision, where: str) -> None:
        """Take what the rest of DECISION means for this field of the value at WHERE; most fields need nothing."""

    def together(self, decision: Decision, where: str) -> Mapping[str, Any]:
        """Return the other fields of the value at WHERE that change with what was just entered; most change alone."""
        return {}

    def reach(self) -> None:
        """Take the keyboard, so that an officer who was led here can type."""
        self.controls()[0].setFocus(Qt.FocusReason.OtherFocusReason)


def two_sentences(first: str, second: str) -> str:
    """Return two sentences, or the second alone."""
    return f"{first} {second}" if first else second


def rewritten(line: QLineEdit, words: str) -> None:
    """Have LINE show WORDS; one that does already keeps its cursor."""
    if line.text() != words:
        line.setText(words)
        line.setCursorPosition(0)
