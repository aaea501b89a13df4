"""The control for the chance before the release: a chance or a range of chances, typed as people write them."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QWidget

from dpwizard.base.errors import DPWizardError
from dpwizard.decision import Decision
from dpwizard.wording import ChanceField, chance, whole
from ui.controls import Choice, mark_wrong
from ui.forms.editor import Editor
from ui.forms.number_editors import SliderEditor
from ui.forms.numbers import chance_problem
from ui.widgets import tr

TYPED = ChanceField(in_100=False)  # how the ends of a belief are typed


class BeliefEditor(Editor):
    """What an adversary believes beforehand: one chance, or a range of them, on log sliders with counts out of N."""

    LOWEST = 1e-6
    people: int | None = None  # those the data are drawn from: chances are counted among them as well

    def build(self) -> None:
        self.kind = Choice(
            (
                (None, tr("Choose …")),
                ("any", tr("Any chance at all")),
                ("range", tr("A range")),
                ("one", tr("One chance")),
                ("certain", tr("Certain")),
            )
        )
        self.kind.activated.connect(self._chosen)
        self.column.addWidget(self.kind)
        ends = (tr("1 in 1,000,000"), tr("certain"))
        scale: dict[str, Any] = {"low": self.LOWEST, "high": 1.0, "log": True, "ends": ends, "chance": TYPED}
        self.low = SliderEditor(tr("From"), tr("The smallest chance considered."), tr("of 1"), **scale)
        self.high = SliderEditor(tr("To"), tr("The largest chance considered."), tr("of 1"), **scale)
        self._given: Any = None  # what was last dragged or typed here
        for slider in (self.low, self.high):
            slider.edited.connect(lambda _, dragging: self._emit(dragging))
            slider.settled.connect(self.settled)
            self.column.addWidget(slider)

    def controls(self) -> tuple[QWidget, ...]:
        return (self.kind, self.low.line, self.high.line)

    def show_value(self, value: Any) -> None:
        if value is None:
            key = None
        elif isinstance(value, tuple):
            key = "any" if value == (0.0, 1.0) else "range"
        else:
            key = "certain" if value == 1.0 else "one"
        if key == "any" and self.kind.currentData() == "range" and value == self._given:
            key = "range"  # dragged to both ends: stay with what was chosen
        if key == "certain" and self.kind.currentData() == "one":
            key = "one"  # whoever types 1 in 20 begins with 1
        self.kind.setCurrentIndex(max(0, self.kind.findData(key)))
        for slider, end in zip((self.low, self.high), _ends(value), strict=True):
            slider.show_value(end)
        self._arrange(key)
        self.show_note(self._in_words(value))

    def rewrite(self, value: Any) -> None:
        self.show_value(value)
        for slider, end in zip((self.low, self.high), _ends(value), strict=True):
            slider.rewrite(end)

    def in_words(self, value: Any) -> str:
        if isinstance(value, tuple):
            return tr("from {low} to {high}", low=self._counted(value[0]), high=self._counted(value[1]))
        return "" if value is None else self._counted(value)

    def refuse(self, words: str, value: Any) -> None:
        super().refuse(words, value)
        self.show_note("")  # what is in force stands in the sentence above it
        for slider, end in zip((self.low, self.high), _ends(value), strict=True):
            slider.stand_at(end)

    def problem_in_words(self, problem: DPWizardError, raw: Any) -> str:
        for slider in self._visible_chances():
            text = slider.line.text().strip()
            if not text:
                return tr("Enter a chance in each field.")
            sentence = chance_problem(text, TYPED)
            if sentence:
                return sentence
        return super().problem_in_words(problem, raw)

    def show_problem(self, words: str) -> None:
        """Show what is wrong; red is the end that is no chance, or both where they contradict each other."""
        super().show_problem(words)
        shown = self._visible_chances()
        wrong = [slider for slider in shown if not _is_chance(slider.read(slider.line.text()))] or shown
        for control in self.controls():
            mark_wrong(control, bool(words) and control in [slider.line for slider in wrong])

    def _visible_chances(self) -> tuple[SliderEditor, ...]:
        """Return the fields for chances that are asked for."""
        key = self.kind.currentData()
        return (self.low, self.high) if key == "range" else (self.high,) if key == "one" else ()

    def look_around(self, decision: Decision, where: str) -> None:
        self.people = decision.release.population

    def _in_words(self, value: Any) -> str:
        """Return a prior in words, with the number of people that it means if that is known."""
        if value is None:
            return ""
        if isinstance(value, tuple):
            low, high = (self._counted(end) for end in value)
            return tr("Before the release: from {low} to {high}.", low=low, high=high)
        return tr("Before the release: {chance}.", chance=self._counted(value))

    def _counted(self, value: float) -> str:
        people = self.people
        if not people or value in (0.0, 1.0):
            return chance(value)
        count = people * value
        if count < 1.0:
            return tr("{chance} (fewer than 1 of {people})", chance=chance(value), people=whole(people))
        return tr("{chance} (about {n} of {people})", chance=chance(value), n=whole(count), people=whole(people))

    def _arrange(self, key: str | None) -> None:
        self.low.setVisible(key == "range")
        self.high.setVisible(key in ("range", "one"))
        self.high.label.setText(tr("To") if key == "range" else tr("Chance"))
        for slider in (self.low, self.high):
            # "To" alone says nothing to who cannot see it
            text = tr("{group}: {what}", group=self.label.text(), what=slider.label.text())
            for control in slider.controls():
                if control.accessibleName() != text:
                    control.setAccessibleName(text)

    def _chosen(self, index: int) -> None:
        key = self.kind.itemData(index)
        self._arrange(key)
        start = {"any": (0.0, 1.0), "range": (0.001, 1.0), "one": 0.1, "certain": 1.0}
        self.edited.emit(start.get(key), False)

    def _emit(self, dragging: bool) -> None:
        texts = self.low.line.text().strip(), self.high.line.text().strip()
        ends = tuple(text if number is None else number for text in texts for number in (self.low.read(text),))
        self._given = ends[1] if self.kind.currentData() == "one" else ends
        self.edited.emit(self._given, dragging)


def _ends(value: Any) -> tuple[Any, Any]:
    """Return the two ends of a prior; one chance is both."""
    return value if isinstance(value, tuple) else (value, value)


def _is_chance(number: float | None) -> bool:
    return number is not None and 0 <= number <= 1
