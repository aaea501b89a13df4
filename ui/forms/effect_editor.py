"""How far one's own value moves the figure: filled in where the release says it, with the reason; else offered."""

from __future__ import annotations

import math
from typing import Any

from dpwizard.base.values import Value, hints
from dpwizard.decision import Decision, edits, usual_effect
from dpwizard.wording import figures, say
from ui.forms.number_editors import NumberEditor
from ui.widgets import button_for, tr

SAME = 1e-5  # relative: nearer than that, it is the number of the release, with fewer digits


class EffectEditor(NumberEditor):
    """A number, below it where it comes from; and a button that takes what the release makes of it."""

    short = False

    def build(self) -> None:
        super().build()
        self.use = button_for("", self._use, "small")
        self.use.hide()
        self.row.insertWidget(self.row.count() - 1, self.use)
        self._usual: float | None = None
        self._why = ""
        self._stated: float | None = None  # what the release states of the value that is guessed
        self._value: Any = None

    def look_around(self, decision: Decision, where: str) -> None:
        """Say what the release makes of the effect."""
        found = usual_effect(decision.release)
        name = edits.get(decision, f"{where}.name")
        self._stated = dict(decision.release.tables[0].effects or ()).get(name or "")
        self._usual = None if found is None else found.effect
        self._why = "" if found is None else say("effect", found.why.key, found.why.figures)
        self._say()

    def show_value(self, value: Any) -> None:
        super().show_value(value)
        self._value = value
        self._say()

    def rewrite(self, value: Any) -> None:
        super().rewrite(value)
        self._value = value
        self._say()

    def _say(self) -> None:
        usual = self._usual
        taken = usual is not None and self._value is not None and math.isclose(self._value, usual, rel_tol=SAME)
        self.use.setVisible(usual is not None and not taken)
        if usual is not None:
            self.use.setText(tr("Use {number}", number=figures.number(usual)))
            self.use.setAccessibleDescription(self._why)
        self.show_note(
            tr("From the release: {why} Change it if that is not so.", why=self._why)
            if taken
            else tr("By the release: {why}", why=self._why)
            if usual is not None
            else tr("Step 1 states it: {number}. Leave this empty.", number=figures.number(self._stated))
            if self._stated is not None
            else ""
        )

    def _use(self, _checked: bool = False) -> None:
        self.edited.emit(self._usual, False)
        self.settled.emit()


def begun(kind: type[Value], decision: Decision) -> dict[str, Any]:
    """Return the fields of a new value of KIND that DECISION fills in: the effect, where the release states it."""
    found = usual_effect(decision.release)
    if found is None or not found.stated:
        return {}
    return {name: found.effect for name in kind.model_fields if hints(kind, name).editor == "effect"}
