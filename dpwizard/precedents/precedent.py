"""A dated table of published budgets, each with its privacy unit, period and source.

The window shows it only after the officer's own answer, to avoid anchoring.
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
class PublishedLoss:
    """The privacy loss of one unit: epsilon or rho, perhaps with a delta; empty if unpublished."""

    epsilon: float | None = None
    rho: float | None = None
    delta: float | None = None
    gaussian: bool = False  # Gaussian noise, which has a tighter bound than other noise of the same rho


class Precedent(Value):
    """One published decision: who published what, the unit and time it protects, and the source."""

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
    def loss(self) -> PublishedLoss:
        """Return the privacy loss of one unit as numbers."""
        epsilon, rho = (None if text is None else float(Fraction(text)) for text in (self.epsilon, self.rho))
        return PublishedLoss(epsilon=epsilon, rho=rho, delta=self.delta, gaussian=self.gaussian)

    @property
    def units_of_a_person(self) -> int | None:
        """Return the number of units of one person; None if unpublished."""
        if self.slices_per_person is not None:
            return self.slices_per_person
        return 1 if self.slice == "none" and self.unit_kind in ("person", "household") else None


@dataclass(frozen=True, kw_only=True)
class Precedents:
    """The table, and its date."""

    as_of: str
    rows: tuple[Precedent, ...]


def read_precedents() -> Precedents:
    """Return the table of the program in the current language; texts without a translation are in English."""
    with resource("precedents.toml").open("rb") as stream:
        raw = tomllib.load(stream)
    rows: tuple[Precedent, ...] = tuple(
        read(Precedent, _in_language(row), f"$.precedent[{index}]") for index, row in enumerate(raw["precedent"])
    )
    return Precedents(as_of=raw["as_of"], rows=rows)


def _in_language(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with its texts in the current language."""
    translated = {name: row.get(f"{name}_{spoken()}", value) for name, value in row.items()}
    return {name: value for name, value in translated.items() if name[-3:-2] != "_"}  # a translation: who_de
