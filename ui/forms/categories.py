"""A prior over categories as a small table: a name and a count or chance for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpwizard.base.values import hints
from dpwizard.decision import Decision, edits
from dpwizard.wording import chances_in, share
from ui.forms.numbers import parsed
from ui.forms.pairs import NAME, NUMBER, PairsEditor
from ui.widgets import tr

SHARE = NUMBER + 1  # a column


class CategoriesEditor(PairsEditor):
    """A row for each category: its name, how many or how likely, its share."""

    def titles(self) -> tuple[str, ...]:
        return (tr("Category"), tr("Count or chance"), tr("Share"))

    def removing(self) -> str:
        return tr("Remove the category")

    def half(self, name: str) -> str:
        return tr("“{name}” has no count yet.", name=name) if name else tr("A count has no category yet.")

    def twice(self, name: str) -> str:
        return tr(
            "“{name}” is given twice, so nothing here is used. Give every category its own name.",
            name=name,
        )

    def parsed(self, text: str) -> float | None:
        chances = chances_in(text)
        return parsed(text) if chances is None else chances[0] if len(chances) == 1 else None

    def build(self) -> None:
        self._renamed: tuple[str, str] | None = None
        super().build()

    def say_beside(self) -> None:
        """Say beside each count which share of all it is."""
        raw = self.raw() or ()
        total = sum(mass for _, mass in raw if isinstance(mass, float))
        for row in self.rows:
            mass = self.parsed(row[NUMBER])
            known = row[NAME] and mass is not None and mass >= 0 and 0 < total < 1e300
            row[SHARE] = share(mass / total) if known and mass is not None else ""

    def tell(self, old: str, new: str) -> None:
        self._renamed = (old, new) if old and new and old != new else None
        super().tell(old, new)
        self._renamed = None

    def together(self, decision: Decision, where: str) -> Mapping[str, Any]:
        """Return what changes with a category that is renamed: who names it goes on doing so."""
        if self._renamed is None:
            return {}
        owner = edits.get(decision, where)
        old, new = self._renamed
        prefix = self.objectName().removeprefix(f"{where}.")
        naming = (name for name in type(owner).model_fields if hints(type(owner), name).categories_of == prefix)
        return {name: new for name in naming if getattr(owner, name) == old}
