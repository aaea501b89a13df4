"""Numbers that a button fills in: a tolerance as so many people, and how far one's own value moves the figure."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from dpwizard.base.values import Value, hints
from dpwizard.decision import Decision, edits, usual_effect
from dpwizard.decision.requirements import people_of
from dpwizard.wording import ChanceField, chance, figures, format_text, whole
from ui.forms.number_editors import NumberEditor
from ui.widgets import button_for, plain, theme, tr

OFFERED = (0.01, 0.001, 0.0001)  # beside what may be typed
SAME = 1e-5  # relative: nearer than that, it is the number of the release, with fewer digits


class OfferedNumber(NumberEditor):
    """A number that is typed, or taken from a button."""

    short = False

    def use(self, offered: float | None, _checked: bool = False) -> None:
        """Answer with the number OFFERED."""
        self.edited.emit(offered, False)
        self.settled.emit()


class ToleranceEditor(OfferedNumber):
    """How often a requirement may fail: a chance, with the people it means below. None is chosen at first."""

    buttons: tuple[QPushButton, ...]

    def __init__(self, label: str, help: str = "") -> None:
        super().__init__(label, help, tr("in 100"), chance=ChanceField(certainty=False))
        for button in self.buttons:
            button.setAccessibleName(tr("{field}: {value}", field=label, value=button.text()))

    def build(self) -> None:
        super().build()
        self.buttons = tuple(button_for(chance(offered), partial(self.use, offered), "small") for offered in OFFERED)
        offered = plain(QHBoxLayout(), theme.NEAR)
        for button in self.buttons:
            offered.addWidget(button)
        offered.addStretch(1)
        self.column.addLayout(offered)

    def controls(self) -> tuple[QWidget, ...]:
        return (self.line, *self.buttons)

    def follow(self, value: Any) -> None:
        if not isinstance(value, float) or not 0.0 < value < 1.0:
            self.show_note("")
            return
        people, few = map(whole, people_of(value))
        text = tr("For fewer than {few} of {people} for whom it is true, on average.", few=few, people=people)
        self.show_note(text)


class EffectEditor(OfferedNumber):
    """How far one's own value moves the figure, and where that comes from; the button takes what the release says."""

    def build(self) -> None:
        super().build()
        self.use_button = button_for("", lambda: self.use(self._usual), "small")
        self.use_button.hide()
        self.row.insertWidget(self.row.count() - 1, self.use_button)
        self._usual: float | None = None
        self._reason = ""
        self._stated: float | None = None  # what the release states of the value that is guessed
        self._value: Any = None

    def look_around(self, decision: Decision, where: str) -> None:
        """Say what the release makes of the effect."""
        found = usual_effect(decision.release)
        name = edits.get(decision, f"{where}.name")
        self._stated = dict(decision.release.tables[0].effects or ()).get(name or "")
        self._usual = None if found is None else found.effect
        self._reason = "" if found is None else format_text("effect", found.why.key, found.why.values)
        self._update_note()

    def follow(self, value: Any) -> None:
        self._value = value
        self._update_note()

    def _update_note(self) -> None:
        usual = self._usual
        taken = usual is not None and self._value is not None and math.isclose(self._value, usual, rel_tol=SAME)
        self.use_button.setVisible(usual is not None and not taken)
        if usual is not None:
            self.use_button.setText(tr("Use {number}", number=figures.number(usual)))
            self.use_button.setAccessibleDescription(self._reason)
        if taken:
            self.show_note(tr("From the release: {why} Change it if this is not true.", why=self._reason))
        elif usual is not None:
            self.show_note(tr("From the release: {why}", why=self._reason))
        elif self._stated is not None:
            number = figures.number(self._stated)
            self.show_note(tr("Step 1 already states it: {number}. Leave this empty.", number=number))
        else:
            self.show_note("")


def begun(kind: type[Value], decision: Decision) -> dict[str, Any]:
    """Return the fields of a new value of KIND that DECISION fills in: the effect, where the release states it."""
    found = usual_effect(decision.release)
    if found is None or not found.stated:
        return {}
    return {name: found.effect for name in kind.model_fields if hints(kind, name).editor == "effect"}
