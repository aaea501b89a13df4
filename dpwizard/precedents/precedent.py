"""What others have chosen: a dated table of published budgets, each with its unit, its time window and its source.

An officer sees it only after an answer of their own: a number seen first pulls the answer towards it.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpwizard.base.language import spoken
from dpwizard.base.resource_files import resource
from dpwizard.base.values import Value, read
from dpwizard.decision import NeighbouringRelation, Slice, UnitKind


@dataclass(frozen=True, kw_only=True)
class Spends:
    """What one unit may lose: epsilon, or rho, with or without a delta; nothing where nothing is published."""

    epsilon: float | None = None
    rho: float | None = None
    delta: float | None = None
    gaussian: bool = False  # the noise is Gaussian: its own curve holds, not only what any noise of that rho keeps


class Precedent(Value):
    """One published choice: who published what, whose data it protects over which time, and where it is said."""

    who: str
    what: str
    unit: str
    window: str
    year: int
    source: str
    printed: str  # the budget, as it was published
    epsilon: str | None = None  # exact: a decimal or a fraction
    rho: str | None = None
    delta: float | None = None
    gaussian: bool = False
    unit_kind: UnitKind
    slice: Slice
    slices_per_person: int | None = None
    neighbours: NeighbouringRelation | None = None
    remark: str = ""

    @property
    def spends(self) -> Spends:
        """Return what one unit loses, as numbers."""
        epsilon, rho = (None if text is None else float(Fraction(text)) for text in (self.epsilon, self.rho))
        return Spends(epsilon=epsilon, rho=rho, delta=self.delta, gaussian=self.gaussian)

    @property
    def units_of_a_person(self) -> int | None:
        """Return of how many units one person's data are; None where it was not published."""
        if self.slices_per_person is not None:
            return self.slices_per_person
        return 1 if self.slice == "none" and self.unit_kind in ("person", "household") else None


@dataclass(frozen=True, kw_only=True)
class Precedents:
    """The table, and the day on which it was put together."""

    as_of: str
    rows: tuple[Precedent, ...]


def read_precedents() -> Precedents:
    """Return the table that comes with the program, in the language spoken; texts it lacks there are in English."""
    with resource("precedents.toml").open("rb") as stream:
        raw = tomllib.load(stream)
    rows: tuple[Precedent, ...] = tuple(
        read(Precedent, _in_language(row), f"$.precedent[{index}]") for index, row in enumerate(raw["precedent"])
    )
    return Precedents(as_of=raw["as_of"], rows=rows)


def _in_language(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with the texts of the language spoken under the names of the English ones."""
    translated = {name: row.get(f"{name}_{spoken()}", value) for name, value in row.items()}
    return {name: value for name, value in translated.items() if name[-3:-2] != "_"}  # a text in one language: who_de
