"""The controls an officer answers with: text, number with unit, slider, choice, yes or no, belief.

Every editor tells `edited(raw, dragging)` what was entered, as JSON would say it, and shows a value or a
problem when told to. None checks a range: the model does, and its words are shown beside the field.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from dpwizard.decision import Decision
from dpwizard.errors import DPWizardError
from dpwizard.wording import chance
from ui.forms.numbers import chance_in_words, chance_problem, chance_said, doubt, parsed, written
from ui.widgets import (
    Choice,
    HelpButton,
    Line,
    LongText,
    NumberLine,
    Prose,
    Slider,
    Statement,
    later,
    mark_wrong,
    theme,
    tr,
)

PER_CENT = 100.0  # the factor of a field whose unit is "in 100"
TICKS = 1_000  # positions of a slider
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
LINE, ROOMY_LINE, WIDE_LINE = (
    96,
    136,
    184,
)  # pixels of a field for a number: at least, where there is room, and all its digits
NARROW = 360  # pixels below which a slider stands below its line
QUOTED = 60  # letters of an answer that are quoted in a sentence
UNIT = 46  # pixels of a unit before a slider, so that sliders below one another begin at one place


class Editor(QWidget):
    """A label, a control, a quiet note and the problem with what was entered, if there is one."""

    short = False  # whether two of its kind fit into one row

    edited = Signal(object, bool)  # the raw value, and whether a drag goes on
    settled = Signal()  # a drag or a stretch of typing has ended

    def __init__(self, label: str, help: str = "", unit: str = "") -> None:
        super().__init__()
        self.setToolTip(help)
        self.label = QLabel(label)
        self.label.setObjectName("caption")
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.unit = QLabel(unit, self)  # shown by the editors of numbers, which give it a place
        self.unit.setObjectName("quiet")
        self.unit.hide()
        self.note = QLabel()
        self.note.setObjectName("caption")
        self.note.setWordWrap(True)
        self.note.hide()
        self.problem = QLabel()
        self.problem.setObjectName("problem")
        self.problem.setWordWrap(True)
        self.problem.setTextFormat(Qt.TextFormat.PlainText)
        self.problem.hide()
        self._help = help
        self.told = Prose("", "caption")  # what "?" or F1 shows: what the field means, its range, its source
        self.told.hide()
        self.ask = HelpButton()
        self.ask.hide()
        self.ask.toggled.connect(self._tell)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(theme.TIGHT)
        self.head = QHBoxLayout()
        self.head.setSpacing(theme.TIGHT)
        self.head.addWidget(self.label)
        self.head.addWidget(self.ask)
        self.head.addStretch(1)
        self.column.addLayout(self.head)
        self.build()
        self.column.addWidget(self.told)
        self.column.addWidget(self.note)
        self.column.addWidget(self.problem)
        for control in self.controls():
            control.setAccessibleName(label)
            control.setAccessibleDescription(self._spoken())
        self.label.setBuddy(self.controls()[0])

    def explain(self, words: str) -> None:
        """Offer WORDS behind a "?" beside the label, and behind F1 in the field: what it means, its range, its
        source."""
        self.told.say(words)
        self.ask.setVisible(bool(words))
        self.ask.setToolTip(tr("What this means (F1)"))
        self.ask.setAccessibleName(tr("What “{field}” means", field=self.label.text()))

    def _tell(self, shown: bool) -> None:
        self.told.setVisible(shown)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F1 and self.told.words:
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
        """Return what is wrong with RAW as it is said beside the field."""
        twice = doubt(raw) if isinstance(raw, str) else ""
        if twice:
            return twice
        return f"{problem.said[0].upper()}{problem.said[1:]}. {problem.remedy}".strip()

    def show_problem(self, words: str) -> None:
        """Show what is wrong with what was entered, in words; an empty text takes it away."""
        if words == self.problem.text():
            return
        self.problem.setText(words)
        self.problem.setVisible(bool(words))
        for control in self.controls():
            mark_wrong(control, bool(words))
            control.setAccessibleDescription(words or self._spoken())

    def _spoken(self) -> str:
        """Return what screen readers say of the field beyond its name and value."""
        unit = self.unit.text()
        return two_sentences(self._help, tr("Unit: {unit}.", unit=unit)) if unit else self._help

    def refuse(self, words: str, value: Any) -> None:
        """Say in WORDS why what was entered is not used, and that the answer in force is still VALUE."""
        said = self.in_words(value)
        force = tr("Not used; in force: {value}.", value=said) if said else tr("Not used: this is not answered yet.")
        self.show_problem(f"{words} {force}")

    def in_words(self, value: Any) -> str:
        """Return an answer as a sentence names it; an empty text for none."""
        text = "" if value is None or value == () else str(value)
        return text if len(text) <= QUOTED else f"{text[: QUOTED - 1]}…"

    def rewrite(self, value: Any) -> None:
        """Show VALUE and nothing else, as it is written, whatever was typed: the field was left, or another decision is
        shown."""
        self.show_value(value)

    def tidy(self, value: Any) -> None:
        """Write VALUE, which is in force, as this program writes it: the officer has left the field."""
        self.rewrite(value)

    def show_note(self, words: str) -> None:
        """Show a quiet line under the control."""
        if words != self.note.text():
            self.note.setText(words)
            self.note.setVisible(bool(words))

    def look_around(self, decision: Decision, where: str) -> None:
        """Take what the answers of the rest of DECISION mean for this field of the value at WHERE; most fields need
        nothing."""

    def together(self, decision: Decision, where: str) -> Mapping[str, Any]:
        """Return the other fields of the value at WHERE that change with what was just entered; most change alone."""
        return {}

    def reach(self) -> None:
        """Take the keyboard, so that an officer who was led here can type."""
        self.controls()[0].setFocus(Qt.FocusReason.OtherFocusReason)


class TextEditor(Editor):
    """One line of text."""

    def build(self) -> None:
        self.line = Line()
        self.line.setPlaceholderText(self._help)
        self.line.textEdited.connect(lambda text: self.edited.emit(text or None, True))
        self.line.editingFinished.connect(self.settled)
        self.column.addWidget(self.line)

    def controls(self) -> tuple[QWidget, ...]:
        return (self.line,)

    def show_value(self, value: Any) -> None:
        if self.line.text() != (value or ""):
            self.line.setText(value or "")


class LongTextEditor(Editor):
    """Several lines of text; Tab moves on."""

    rows_high = 64  # pixels

    def build(self) -> None:
        self.text = LongText(self.rows_high)
        self.text.setPlaceholderText(self._help)
        self.text.textChanged.connect(self._typed)
        self.text.left.connect(self.settled)
        self.column.addWidget(self.text)

    def controls(self) -> tuple[QWidget, ...]:
        return (self.text,)

    def show_value(self, value: Any) -> None:
        self._show(value or "")

    def _show(self, words: str) -> None:
        if self.text.toPlainText() != words:
            self.text.blockSignals(True)
            self.text.setPlainText(words)
            self.text.blockSignals(False)

    def _typed(self) -> None:
        self.edited.emit(self.text.toPlainText() or None, True)


class NumbersEditor(LongTextEditor):
    """A list of numbers with spaces between, or a table of them with a line for each row."""

    def __init__(self, label: str, help: str = "", *, table: bool) -> None:
        self.table = table
        super().__init__(
            label,
            two_sentences(help, tr("One row on each line, spaces between.") if table else tr("With spaces between.")),
        )

    def show_value(self, value: Any) -> None:
        if value == self._raw():
            return  # do not rewrite what somebody is typing
        self.rewrite(value)

    def _text_of(self, value: Any) -> str:
        rows = value if self.table else (value,)
        return "\n".join(" ".join(written(number) for number in row) for row in rows) if value else ""

    def rewrite(self, value: Any) -> None:
        self._show(self._text_of(value))

    def in_words(self, value: Any) -> str:
        return super().in_words("; ".join(self._text_of(value).splitlines()) or None)

    def _raw(self) -> Any:
        lines = (line.strip("; ") for line in self.text.toPlainText().splitlines() if line.strip("; "))
        rows = tuple(tuple(_number_or_text(word) for word in re.split(r"[;\s]+", line)) for line in lines)
        found = rows if self.table else tuple(number for row in rows for number in row)
        return found or None

    def _typed(self) -> None:
        self.edited.emit(self._raw(), True)


class NamesEditor(LongTextEditor):
    """Names, a line for each."""

    def __init__(self, label: str, help: str = "") -> None:
        super().__init__(label, two_sentences(help, tr("One on each line.")))

    def show_value(self, value: Any) -> None:
        if tuple(value or ()) != self._raw():
            self.rewrite(value)

    def rewrite(self, value: Any) -> None:
        self._show("\n".join(value or ()))

    def in_words(self, value: Any) -> str:
        return super().in_words(", ".join(value or ()) or None)

    def _raw(self) -> tuple[str, ...]:
        return tuple(line.strip() for line in self.text.toPlainText().splitlines() if line.strip())

    def _typed(self) -> None:
        self.edited.emit(self._raw(), True)


class NumberOrWordEditor(TextEditor):
    """One line that holds a number or one of a few words."""

    def build(self) -> None:
        super().build()
        self.line.textEdited.disconnect()
        self.line.textEdited.connect(
            lambda text: self.edited.emit(_number_or_text(text.strip()) if text.strip() else None, True)
        )

    def show_value(self, value: Any) -> None:
        if _number_or_text(self.line.text().strip()) != value:
            self.rewrite(value)

    def rewrite(self, value: Any) -> None:
        rewritten(self.line, self.in_words(value))

    def in_words(self, value: Any) -> str:
        return "" if value is None else value if isinstance(value, str) else written(value)


class NumberEditor(Editor):
    """A number with its unit, written with the decimal sign of the language; factor 100 shows a chance out of 100.

    A CHANCE may also be typed as 5 %, 5 in 100 or 1/20; a plain number is in the unit of the field: 5 beside "in 100"
    is 5 in 100.
    """

    short = True

    def __init__(
        self,
        label: str,
        help: str = "",
        unit: str = "",
        *,
        whole: bool = False,
        factor: float = 1.0,
        width: int = LINE,
        chance: bool = False,
    ) -> None:
        self.whole, self.factor, self.width_of_line = whole, factor, width
        self.chance = chance or factor == PER_CENT
        super().__init__(label, help, unit)

    def build(self) -> None:
        self.line = NumberLine()
        self.line.setMinimumWidth(self.width_of_line)
        self.line.setMaximumWidth(max(self.width_of_line, ROOMY_LINE))
        theme.tabular(self.line)
        self.line.textEdited.connect(self._typed)
        self.line.editingFinished.connect(self.settled)
        self.row = QHBoxLayout()
        self.row.setSpacing(theme.NEAR)
        self.row.addWidget(self.line)
        self.row.addWidget(self.unit)
        self.unit.setVisible(bool(self.unit.text()))
        self.fill()
        self.column.addLayout(self.row)

    def read(self, text: str) -> float | None:
        """Return the value that TEXT means here, in the unit of the model; None if it says none, or could mean two."""
        said = chance_said(text) if self.chance else None
        number = parsed(text) if said is None else None
        return said if number is None else number / self.factor

    def in_words(self, value: Any) -> str:
        if value is None:
            return ""
        if self.chance:
            return chance_in_words(value)
        return f"{written(value)} {self.unit.text()}".strip()

    def problem_in_words(self, problem: DPWizardError, raw: Any) -> str:
        if self.chance and isinstance(raw, str):
            return chance_problem(raw, self.line.text().strip(), written(0.05 * self.factor))
        if self.factor == 1.0 or not isinstance(raw, int | float):
            return super().problem_in_words(problem, raw)
        message = NUMBER.sub(
            lambda found: f"{float(found.group()) * self.factor:.15g}", problem.message
        )  # in the unit of the field
        return super().problem_in_words(type(problem)(message, problem.where, problem.hint), raw)

    def fill(self) -> None:
        """Fill the rest of the row."""
        self.row.addStretch(1)

    def controls(self) -> tuple[QWidget, ...]:
        return (self.line,)

    def show_value(self, value: Any) -> None:
        same = self.read(self.line.text())
        if value is None or same is None or not math.isclose(same, value, rel_tol=1e-14):  # else somebody is typing it
            self.rewrite(value)

    def rewrite(self, value: Any) -> None:
        rewritten(self.line, "" if value is None else written(value * self.factor))

    def _typed(self, text: str) -> None:
        if not text.strip():
            self.edited.emit(None, True)
            return
        value = self.read(text)
        if value is None:
            self.edited.emit(text.strip(), True)  # the model says what is wrong with it
        else:
            self.edited.emit(int(value) if self.whole and value.is_integer() else value, True)


class SliderEditor(NumberEditor):
    """A number that can also be dragged, between two labelled ends, on a linear or a log scale."""

    short = False

    def __init__(
        self,
        label: str,
        help: str = "",
        unit: str = "",
        *,
        low: float,
        high: float,
        log: bool = False,
        ends: tuple[str, str],
        factor: float = 1.0,
        chance: bool = False,
    ) -> None:
        self.low, self.high, self.log, self.ends = low, high, log, ends
        super().__init__(label, help, unit, factor=factor, chance=chance)

    def fill(self) -> None:
        self.slider = Slider()
        self.slider.setRange(0, TICKS)
        self.slider.setPageStep(TICKS // 20)
        self.slider.setSingleStep(TICKS // 200)
        self.slider.valueChanged.connect(self._dragged)
        self.slider.ended.connect(self.settled)
        ends = QHBoxLayout()
        ends.setSpacing(theme.NEAR)
        for text in self.ends:
            end = QLabel(text)
            end.setObjectName("caption")
            ends.addWidget(end)
        ends.insertStretch(1, 1)
        self._beside = QWidget()
        beside = QVBoxLayout(self._beside)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(0)
        beside.addWidget(self.slider)
        beside.addLayout(ends)
        self.row.setAlignment(self.line, Qt.AlignmentFlag.AlignTop)
        self.row.setAlignment(self.unit, Qt.AlignmentFlag.AlignTop)
        self.unit.setMinimumSize(UNIT, 28)
        self.row.addWidget(self._beside, 1)

    def minimumSizeHint(self) -> QSize:
        return QSize(min(NARROW // 2, super().minimumSizeHint().width()), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Set the slider beside the line, or below it where there is little room."""
        below, is_below = event.size().width() < NARROW, self.row.indexOf(self._beside) < 0
        if below and not is_below:
            self.row.removeWidget(self._beside)
            self.row.addStretch(1)
            self.column.insertWidget(self.column.indexOf(self.row) + 1, self._beside)
        elif is_below and not below:
            self.column.removeWidget(self._beside)
            self.row.takeAt(self.row.count() - 1)
            self.row.addWidget(self._beside, 1)
        if below != is_below:
            later(self)
        super().resizeEvent(event)

    def controls(self) -> tuple[QWidget, ...]:
        return (self.line, self.slider)

    def show_value(self, value: Any) -> None:
        super().show_value(value)
        self._follow(value)

    def rewrite(self, value: Any) -> None:
        super().rewrite(value)
        self._follow(value)

    def _follow(self, value: Any) -> None:
        """Let the slider stand at VALUE, and say below which chance it is."""
        self.slider.blockSignals(True)
        self.slider.setValue(self._position(value) if isinstance(value, int | float) else 0)
        self.slider.blockSignals(False)
        self._say_value(value)
        if self.factor == PER_CENT:
            self.show_note(self.in_words(value))

    def _say_value(self, value: Any) -> None:
        """Say where the slider stands in the unit of the field: its own positions mean nothing."""
        if self.problem.text():
            return
        said = written(value * self.factor) if isinstance(value, int | float) else tr("not answered")
        self.slider.setAccessibleDescription(
            two_sentences(tr("{value} {unit}.", value=said, unit=self.unit.text()), self._help)
        )

    def _position(self, value: float) -> int:
        if self.log:
            inside = min(max(value, self.low), self.high)
            share = math.log(inside / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return round(TICKS * min(1.0, max(0.0, share)))

    def _dragged(self, position: int) -> None:
        share = position / TICKS
        value = self.low * (self.high / self.low) ** share if self.log else self.low + (self.high - self.low) * share
        step = 10 ** (math.floor(math.log10(abs(value))) - 2) if value else 1.0  # three digits: what a hand can mean
        value = float(f"{round(value / step) * step:.12g}")
        self.line.setText(written(value * self.factor))
        self._say_value(value)
        self.edited.emit(value, True)


class SmallChanceEditor(SliderEditor):
    """A chance that is meant to be tiny: on a log scale, and said as 1 in so many."""

    LOWEST, HIGHEST = 1e-9, 0.1

    def __init__(self, label: str, help: str = "") -> None:
        ends = chance(self.LOWEST), chance(self.HIGHEST)
        super().__init__(
            label, help, tr("in 100"), low=self.LOWEST, high=self.HIGHEST, log=True, ends=ends, factor=100.0
        )

    def in_words(self, value: Any) -> str:
        return chance(value) if isinstance(value, int | float) and 0 < value < 1 else ""


class ChoiceEditor(Editor):
    """One of several named answers, or none yet."""

    def __init__(self, label: str, help: str, choices: tuple[tuple[str, str], ...], *, optional: bool = True) -> None:
        self.choices = choices
        self.optional = optional
        super().__init__(label, help)

    def build(self) -> None:
        self.box = Choice()
        if self.optional:
            self.box.addItem(tr("Choose …"), None)
        for key, words in self.choices:
            self.box.addItem(words, key)
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


def two_sentences(first: str, second: str) -> str:
    """Return two sentences, or the second alone."""
    return f"{first} {second}" if first else second


def rewritten(line: QLineEdit, words: str) -> None:
    """Have LINE show WORDS; one that does already keeps its cursor."""
    if line.text() != words:
        line.setText(words)
        line.setCursorPosition(0)


def _number_or_text(word: str) -> float | str:
    """Return the number WORD says, or WORD itself: the model then says what is wrong with it."""
    number = parsed(word)
    return word if number is None else number
