"""The controls for numbers: a line with a unit, a slider beside it, and the slider of tiny chances."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from dpwizard.base.errors import DPWizardError
from dpwizard.wording import ChanceField, chance, chances_in
from ui.controls import NumberLine, Slider
from ui.forms.editor import Editor, rewritten, two_sentences
from ui.forms.numbers import chance_in_words, chance_problem, parsed, written
from ui.widgets import fill, later, named, plain, theme, tr

TICKS = 1_000  # positions of a slider
LINE, ROOMY_LINE = 96, 136  # pixels of a number's field: at least, and where there is room
NARROW = 360  # pixels below which a slider stands below its line
UNIT = 46  # pixels of a unit before a slider, so that sliders below one another begin at one place


class NumberEditor(Editor):
    """A number with its unit, in the decimal sign of the language.

    A CHANCE may also be typed as 5 %, 5 in 100 or 1/20; a plain number is in the unit of the field: 5 beside "in 100"
    is 5 in 100. Where what is typed says its unit, none stands beside it.
    """

    short = True

    def __init__(
        self,
        label: str,
        help: str = "",
        unit: str = "",
        *,
        whole: bool = False,
        chance: ChanceField | None = None,
        as_written: Callable[[float], str] = written,
    ) -> None:
        """AS_WRITTEN writes a value into the line; what is typed is taken as it is typed."""
        self.whole, self.chance, self._as_written = whole, chance, as_written
        self.factor = 100.0 if chance is not None and chance.in_100 else 1.0  # from the model to the unit shown
        super().__init__(label, help, unit)

    def build(self) -> None:
        self.line = NumberLine()
        self.line.setMinimumWidth(LINE)
        self.line.setMaximumWidth(ROOMY_LINE)
        theme.tabular(self.line)
        self.line.textEdited.connect(self._typed)
        self.line.textChanged.connect(self._place_unit)
        self.line.editingFinished.connect(self.settled)
        self.row = plain(QHBoxLayout(), theme.NEAR)
        fill(self.row, self.line, self.unit)
        place = self.unit.sizePolicy()
        place.setRetainSizeWhenHidden(bool(self.unit.text()))
        self.unit.setSizePolicy(place)
        self.unit.setVisible(bool(self.unit.text()))
        self.fill()
        self.column.addLayout(self.row)

    def _place_unit(self, text: str) -> None:
        """Show the unit beside a plain number; not beside 5 %, which says its own."""
        self.unit.setVisible(bool(self.unit.text()) and (self.chance is None or chances_in(text) is None))

    def read(self, text: str) -> float | None:
        """Return the value that TEXT means here, in the unit of the model; None if it says none, or could mean two."""
        if self.chance is None:
            return parsed(text)
        readings = self.chance.readings(text)
        return readings[0] if len(readings) == 1 else None

    def text_of(self, value: float | str) -> str:
        """Return VALUE as it is written into the line; an exact fraction, such as 293764/114921, as it was typed."""
        if isinstance(value, str):
            return value
        return self._as_written(value) if self.chance is None else self.chance.written(value)

    def in_words(self, value: Any) -> str:
        if value is None or isinstance(value, str):
            return value or ""
        if self.chance is not None:
            return chance_in_words(value)
        return f"{written(value)} {self.unit.text()}".strip()

    def problem_in_words(self, problem: DPWizardError, raw: Any) -> str:
        text = chance_problem(self.line.text().strip(), self.chance) if self.chance is not None else ""
        if text:
            return text
        if self.factor == 1.0 or not isinstance(raw, int | float):
            return super().problem_in_words(problem, raw)
        return super().problem_in_words(problem.scaled(self.factor), raw)  # in the unit of the field

    def fill(self) -> None:
        """Fill the rest of the row."""
        self.row.addStretch(1)

    def controls(self) -> tuple[QWidget, ...]:
        return (self.line,)

    def show_value(self, value: Any) -> None:
        same = self.read(self.line.text())
        if value is None or isinstance(value, str) or same is None or not math.isclose(same, value, rel_tol=1e-14):
            self.rewrite(value)
        else:
            self.follow(value)  # somebody is typing it

    def rewrite(self, value: Any) -> None:
        rewritten(self.line, "" if value is None else self.text_of(value))
        self.follow(value)

    def follow(self, value: Any) -> None:
        """Show what goes with VALUE, which the line shows: a slider, a note; most numbers stand alone."""

    def _typed(self, text: str) -> None:
        if not text.strip():
            self.edited.emit(None, True)
            return
        value = self.read(text)
        if value is None:
            self.edited.emit(text.strip(), True)  # the model says what is wrong with it
        else:
            self.edited.emit(int(value) if self.whole and value.is_integer() else value, True)


class FractionOfAllEditor(NumberEditor):
    """A part of all there is, which may be an exact fraction, or so many %."""

    def read(self, text: str) -> float | None:
        counted = ChanceField(in_100=False).readings(text) if text.rstrip().endswith("%") else ()
        return counted[0] if len(counted) == 1 else super().read(text)


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
        chance: ChanceField | None = None,
    ) -> None:
        self.low, self.high, self.log, self.ends = low, high, log, ends
        super().__init__(label, help, unit, chance=chance)

    def fill(self) -> None:
        self.slider = Slider()
        self.slider.setRange(0, TICKS)
        self.slider.setPageStep(TICKS // 20)
        self.slider.setSingleStep(TICKS // 200)
        self.slider.valueChanged.connect(self._dragged)
        self.slider.ended.connect(self.settled)
        ends = plain(QHBoxLayout(), theme.NEAR)
        for text in self.ends:
            ends.addWidget(named(QLabel(text), "caption"))
        ends.insertStretch(1, 1)
        self._beside = QWidget()
        beside = plain(QVBoxLayout(self._beside), 0)
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

    def refuse(self, words: str, value: Any) -> None:
        super().refuse(words, value)
        self.stand_at(value)  # the line shows what was typed, the slider what is in force

    def stand_at(self, value: Any) -> None:
        """Let the slider alone stand at VALUE."""
        with QSignalBlocker(self.slider):
            self.slider.setValue(self._position(value) if isinstance(value, int | float) else 0)

    def follow(self, value: Any) -> None:
        """Let the slider stand at VALUE, and say below which chance it is."""
        self.stand_at(value)
        self._say_value(value)
        if self.chance is not None and self.chance.in_100:
            self.show_note(self.in_words(value))

    def _say_value(self, value: Any) -> None:
        """Say where the slider stands in the unit of the field: its own positions mean nothing."""
        if self.problem.text():
            return
        text = written(value * self.factor) if isinstance(value, int | float) else tr("not answered")
        stands = tr("{value} {unit}.", value=text, unit=self.unit.text())
        self.slider.setAccessibleDescription(two_sentences(stands, self._help))

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
        self.line.setText(self.text_of(value))
        self._say_value(value)
        self.edited.emit(value, True)


class ChanceEditor(SliderEditor):
    """A chance, or a share of all there are: out of 100, from none to all."""

    def __init__(self, label: str, help: str = "", *, certainty: bool = True) -> None:
        ends = tr("0 in 100"), tr("100 in 100")
        taken = ChanceField(certainty=certainty)
        super().__init__(label, help, tr("in 100"), low=0.0, high=1.0, ends=ends, chance=taken)


class ShareEditor(NumberEditor):
    """A share of a number, out of 100; it may be more than all of it."""

    def __init__(self, label: str, help: str = "") -> None:
        super().__init__(label, help, tr("in 100"), chance=ChanceField(most=math.inf))


class SmallChanceEditor(SliderEditor):
    """A chance that is meant to be tiny: on a log scale, and said as 1 in so many."""

    LOWEST, HIGHEST = 1e-9, 0.1

    def __init__(self, label: str, help: str = "") -> None:
        scale: dict[str, Any] = {"low": self.LOWEST, "high": self.HIGHEST, "log": True}
        ends = chance(self.LOWEST), chance(self.HIGHEST)
        super().__init__(label, help, tr("in 100"), ends=ends, chance=ChanceField(certainty=False), **scale)

    def in_words(self, value: Any) -> str:
        return chance(value) if isinstance(value, int | float) and 0 < value < 1 else ""


class TimesEditor(SliderEditor):
    """How many times as probable something may become, on a log scale, from 1 on: at 1 nothing is learned."""

    def __init__(self, label: str, help: str, unit: str) -> None:
        ends = tr("1 time: nothing learned"), tr("1,000 times")
        super().__init__(label, help, unit, low=1.0, high=1000.0, log=True, ends=ends)

    def objection(self, raw: Any) -> str:
        if isinstance(raw, int | float) and raw < 1:
            return tr("Less than 1 time is not possible: nobody can know less than before. Enter 1 or more.")
        return ""
