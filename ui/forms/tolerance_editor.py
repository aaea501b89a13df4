"""The control for a tolerance: how rarely a promise may fail, as so many people. None is chosen beforehand."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from dpwizard.decision.requirements import people_of
from dpwizard.wording import ChanceField, chance, whole
from ui.forms.number_editors import NumberEditor
from ui.widgets import button_for, plain, theme, tr

OFFERED = (0.01, 0.001, 0.0001)  # beside what may be typed


class ToleranceEditor(NumberEditor):
    """A chance that is typed, or one of those offered, with the people it means below."""

    short = False

    buttons: tuple[QPushButton, ...]

    def __init__(self, label: str, help: str = "") -> None:
        super().__init__(label, help, tr("in 100"), chance=ChanceField(certainty=False))
        for button in self.buttons:
            button.setAccessibleName(tr("{field}: {value}", field=label, value=button.text()))

    def build(self) -> None:
        super().build()
        self.buttons = tuple(button_for(chance(one), partial(self._chosen, one), "small") for one in OFFERED)
        offered = plain(QHBoxLayout(), theme.NEAR)
        for button in self.buttons:
            offered.addWidget(button)
        offered.addStretch(1)
        self.column.addLayout(offered)

    def controls(self) -> tuple[QWidget, ...]:
        return (self.line, *self.buttons)

    def show_value(self, value: Any) -> None:
        super().show_value(value)
        self._say_people(value)

    def rewrite(self, value: Any) -> None:
        super().rewrite(value)
        self._say_people(value)

    def _say_people(self, value: Any) -> None:
        if not isinstance(value, float) or not 0.0 < value < 1.0:
            self.show_note("")
            return
        people, few = map(whole, people_of(value))
        said = tr("For fewer than {few} of {people} people of whom it is true, on average.", few=few, people=people)
        self.show_note(said)

    def _chosen(self, offered: float, _checked: bool = False) -> None:
        self.edited.emit(offered, False)
        self.settled.emit()
