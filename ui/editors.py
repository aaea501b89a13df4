"""The controls an officer answers with: text, number with unit, slider, choice, yes or no, belief.

Every editor tells `edited(raw, dragging)` what was entered, as JSON would say it, and shows a value or a
problem when told to. None checks a range: the model does, and its words are shown beside the field.
"""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from dpwizard.explain import chance
from ui import theme

TICKS = 1_000  # positions of a slider


class Editor(QWidget):
    """A label, a control, a quiet note and the problem with what was entered, if there is one."""

    edited = Signal(object, bool)  # the raw value, and whether a drag goes on
    settled = Signal()  # a drag or a stretch of typing has ended

    def __init__(self, label: str, help: str = "", unit: str = "") -> None:
        super().__init__()
        self.label = QLabel(label)
        self.label.setObjectName("caption")
        self.unit = QLabel(unit)
        self.unit.setObjectName("quiet")
        self.unit.setVisible(bool(unit))
        self.note = QLabel()
        self.note.setObjectName("caption")
        self.note.setWordWrap(True)
        self.note.hide()
        self.problem = QLabel()
        self.problem.setObjectName("problem")
        self.problem.setWordWrap(True)
        self.problem.setTextFormat(Qt.TextFormat.PlainText)
        self.problem.hide()
        self.setToolTip(help)
        self._help = help
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(theme.TIGHT)
        self.column.addWidget(self.label)
        self.build()
        self.column.addWidget(self.note)
        self.column.addWidget(self.problem)
        for control in self.controls():
            control.setAccessibleName(label)
            control.setAccessibleDescription(help)
        self.label.setBuddy(self.controls()[0])

    def build(self) -> None:
        """Make the control and add it to the column."""
        raise NotImplementedError

    def controls(self) -> tuple[QWidget, ...]:
        """Return the widgets that take the keyboard, the first one first."""
        raise NotImplementedError

    def show_value(self, value: Any) -> None:
        """Show VALUE; None is shown as empty. Tells nobody."""
        raise NotImplementedError

    def show_problem(self, words: str) -> None:
        """Show what is wrong with what was entered, in words; an empty text takes it away."""
        self.problem.setText(words)
        self.problem.setVisible(bool(words))
        for control in self.controls():
            control.setProperty("wrong", bool(words))
            control.style().unpolish(control)
            control.style().polish(control)
            control.setAccessibleDescription(words or self._help)

    def show_note(self, words: str) -> None:
        """Show a quiet line under the control."""
        self.note.setText(words)
        self.note.setVisible(bool(words))

    def reach(self) -> None:
        """Take the keyboard, so that an officer who was led here can type."""
        self.controls()[0].setFocus(Qt.FocusReason.OtherFocusReason)


class TextEditor(Editor):
    """One line of text."""

    def build(self) -> None:
        self.line = QLineEdit()
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

    def build(self) -> None:
        self.text = QPlainTextEdit()
        self.text.setTabChangesFocus(True)
        self.text.setFixedHeight(72)
        self.text.textChanged.connect(self._typed)
        self.column.addWidget(self.text)

    def controls(self) -> tuple[QWidget, ...]:
        return (self.text,)

    def show_value(self, value: Any) -> None:
        if self.text.toPlainText() != (value or ""):
            self.text.blockSignals(True)
            self.text.setPlainText(value or "")
            self.text.blockSignals(False)

    def _typed(self) -> None:
        self.edited.emit(self.text.toPlainText() or None, True)


class NumberEditor(Editor):
    """A number with its unit, written with the decimal sign of the language; factor 100 shows a share out of 100."""

    def __init__(self, label: str, help: str = "", unit: str = "", *, whole: bool = False, factor: float = 1.0) -> None:
        self.whole = whole
        self.factor = factor
        super().__init__(label, help, unit)

    def build(self) -> None:
        self.line = QLineEdit()
        self.line.setMaximumWidth(120)
        self.line.textEdited.connect(self._typed)
        self.line.editingFinished.connect(self.settled)
        row = QHBoxLayout()
        row.setSpacing(theme.NEAR)
        row.addWidget(self.line)
        row.addWidget(self.unit)
        row.addStretch(1)
        self.column.addLayout(row)

    def controls(self) -> tuple[QWidget, ...]:
        return (self.line,)

    def show_value(self, value: Any) -> None:
        if value is not None and parsed(self.line.text()) is not None:
            same = parsed(self.line.text())
            if same is not None and math.isclose(same / self.factor, value, rel_tol=1e-15):
                return  # do not rewrite what somebody is typing
        self.line.setText("" if value is None else written(value * self.factor))

    def _typed(self, text: str) -> None:
        if not text.strip():
            self.edited.emit(None, True)
            return
        number = parsed(text)
        if number is None:
            self.edited.emit(text, True)  # the model says what is wrong with it
        else:
            value = number / self.factor
            self.edited.emit(int(value) if self.whole and value.is_integer() else value, True)


class SliderEditor(NumberEditor):
    """A number that can also be dragged, between two labelled ends, on a linear or a log scale."""

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
    ) -> None:
        self.low, self.high, self.log, self.ends = low, high, log, ends
        super().__init__(label, help, unit, factor=factor)

    def build(self) -> None:
        super().build()
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, TICKS)
        self.slider.setPageStep(TICKS // 20)
        self.slider.setSingleStep(TICKS // 200)
        self.slider.valueChanged.connect(self._dragged)
        self.slider.sliderReleased.connect(self.settled)
        ends = QHBoxLayout()
        for text, side in zip(self.ends, (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight), strict=True):
            end = QLabel(text)
            end.setObjectName("caption")
            ends.addWidget(end, alignment=side)
        self.column.addWidget(self.slider)
        self.column.addLayout(ends)

    def controls(self) -> tuple[QWidget, ...]:
        return (self.line, self.slider)

    def show_value(self, value: Any) -> None:
        super().show_value(value)
        self.slider.blockSignals(True)
        self.slider.setValue(self._position(value) if isinstance(value, int | float) else 0)
        self.slider.blockSignals(False)

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
        self.edited.emit(value, True)


class ChoiceEditor(Editor):
    """One of several named answers, or none yet."""

    def __init__(self, label: str, help: str, choices: tuple[tuple[str, str], ...], *, optional: bool = True) -> None:
        self.choices = choices
        self.optional = optional
        super().__init__(label, help)

    def build(self) -> None:
        self.box = QComboBox()
        if self.optional:
            self.box.addItem("Choose …", None)
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


class YesNoEditor(Editor):
    """A statement that holds or not."""

    def build(self) -> None:
        self.box = QCheckBox(self.label.text())
        self.label.hide()
        self.box.clicked.connect(lambda checked: self.edited.emit(checked, False))
        self.column.addWidget(self.box)

    def controls(self) -> tuple[QWidget, ...]:
        return (self.box,)

    def show_value(self, value: Any) -> None:
        self.box.setChecked(bool(value))


class BeliefEditor(Editor):
    """What an adversary believes beforehand: one chance, or a range of them, on log sliders with counts out of N."""

    LOWEST = 1e-6

    def build(self) -> None:
        self.kind = QComboBox()
        for words, key in (("Any chance at all", "any"), ("A range", "range"), ("One chance", "one"), ("Certain", "certain")):
            self.kind.addItem(words, key)
        self.kind.insertItem(0, "Choose …", None)
        self.kind.activated.connect(self._chosen)
        self.column.addWidget(self.kind)
        ends = ("1 in 1,000,000", "certain")
        self.low = SliderEditor("From", "The smallest chance considered.", low=self.LOWEST, high=1.0, log=True, ends=ends)
        self.high = SliderEditor("To", "The largest chance considered.", low=self.LOWEST, high=1.0, log=True, ends=ends)
        for slider in (self.low, self.high):
            slider.edited.connect(lambda _, dragging: self._emit(dragging))
            slider.settled.connect(self.settled)
            self.column.addWidget(slider)
        self._pair: tuple[Any, Any] = (None, None)

    def controls(self) -> tuple[QWidget, ...]:
        return (self.kind, self.low.line, self.high.line)

    def show_value(self, value: Any) -> None:
        if value is None:
            key = None
        elif isinstance(value, tuple):
            key = "any" if value == (0.0, 1.0) else "range"
        else:
            key = "certain" if value == 1.0 else "one"
        if key == "any" and self.kind.currentData() == "range":
            key = "range"  # dragged to both ends: stay with what was chosen
        self.kind.setCurrentIndex(max(0, self.kind.findData(key)))
        low, high = value if isinstance(value, tuple) else (value, value)
        self.low.show_value(low)
        self.high.show_value(high)
        self._arrange(key)
        if isinstance(value, tuple):
            self.show_note(f"From {chance(value[0])} to {chance(value[1])}, before the release.")
        else:
            self.show_note("" if value is None else f"{chance(value)[0].upper()}{chance(value)[1:]}, before the release.")

    def _arrange(self, key: str | None) -> None:
        self.low.setVisible(key == "range")
        self.high.setVisible(key in ("range", "one"))
        self.high.label.setText("To" if key == "range" else "Chance")

    def _chosen(self, index: int) -> None:
        key = self.kind.itemData(index)
        self._arrange(key)
        start = {"any": (0.0, 1.0), "range": (0.001, 1.0), "one": 0.1, "certain": 1.0}
        self.edited.emit(start.get(key), False)

    def _emit(self, dragging: bool) -> None:
        low, high = parsed(self.low.line.text()), parsed(self.high.line.text())
        if self.kind.currentData() == "one":
            self.edited.emit(self.high.line.text() if high is None else high, dragging)
        else:
            self.edited.emit(
                tuple(line if n is None else n for n, line in ((low, self.low.line.text()), (high, self.high.line.text()))), dragging
            )


def parsed(text: str) -> float | None:
    """Return the number TEXT says in the user's language (or with a point); None if it says none."""
    number, fine = QLocale().toDouble(text.strip())
    if not fine:
        number, fine = QLocale.c().toDouble(text.strip())
    return number if fine and math.isfinite(number) else None


def written(number: float) -> str:
    """Return NUMBER in the user's language, as short as it is exact to ten digits, without group separators."""
    locale = QLocale()
    text = f"{number:.10g}"
    return text.replace(".", locale.decimalPoint()) if "e" not in text else text
