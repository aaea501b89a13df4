"""A table of a release, from which everything about the release is computed (`Release.tables`)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from dpwizard.base.numerics import decimal, quotient_up, up
from dpwizard.privacy.mechanisms import MechanismName, MechanismSet, Parameters

NeighbouringRelation = Literal["add_remove", "replace"]
Statistic = Literal["count", "sum", "mean", "histogram", "vector"]

WHOLE = "$.release"
DOUBLE = 2.0  # D_replace <= 2 D_add_remove: replacing is removing one and adding another


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """One table with the figures that hold for it; None where one is not answered.

    Tables that differ in name and place alone are equal, so that renaming one solves nothing.
    """

    place: str = field(compare=False)  # the path of its fields
    name: str | None = field(compare=False)
    needs: tuple[str, ...] = field(compare=False)  # the fields that every decision needs
    disjoint_with: tuple[str, ...] = field(compare=False)  # the tables that no unit shares with it
    only: bool  # whether there is no other table
    neighbours: NeighbouringRelation | None
    statistic: Statistic | None
    mechanism: MechanismName | None
    noise: MechanismSet = field(compare=False)  # none where it is not answered
    sensitivity: float | None  # under the declared neighbours
    sensitivity_other: float | None  # under the other relation
    step: float | None
    effects: tuple[tuple[str, float], ...] | None  # how far it moves when an attribute moves by 1
    reads: tuple[str, ...] | None  # the attributes it is broken down by or computed from; None: not known
    moves: bool | None  # whether a unit can leave it for a disjoint table; None: not known
    group: str | None  # tables of one group share no unit
    contributions: int  # the most rows of it that one unit touches
    has_own_contributions: bool  # whether these are stated for this table
    dimension: int
    portion: Fraction | None  # of the release's budget, exactly; None: not known
    delta: float | None  # at which it is made, where its noise is Gaussian
    times_released: int = 1  # how often it is made: its portion covers all of them
    year: str | None = None
    period: str | None = None
    parameters: Parameters = ()  # that its mechanism asks for
    level: str | None = None  # of the geography, or whatever the release's levels name
    fixed: Fraction | None = None  # its own epsilon, whatever the rho of other tables is

    @property
    def share(self) -> float | None:
        """Return its portion of the budget; None where it is not known."""
        return None if self.portion is None else float(self.portion)

    @property
    def whole(self) -> bool:
        """Return whether it is the only table, which the file states in the release itself."""
        return self.place == WHOLE

    def missing(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the paths of the fields NAMES that have no answer yet; a mechanism needs its parameters."""
        open_names = [name for name in names if getattr(self, name) is None]
        open_names += [name for name, value in self.parameters if value is None and "mechanism" in names]
        return tuple(f"{self.place}.{name}" for name in open_names)

    def disjoint(self, other: Table) -> bool:
        """Return whether no unit can be in both tables: a person can be in different tables of different years."""
        if self.year != other.year:
            return False
        if self.group is not None and self.group == other.group and not (self.period or other.period):
            return True  # who moves within a period is in two tables of it
        return other.name in self.disjoint_with or self.name in other.disjoint_with

    def may_read(self, attribute: str | None) -> bool:
        """Return whether the table may depend on ATTRIBUTE: it states no attributes, or this one."""
        return self.reads is None or attribute is None or attribute in self.reads

    # ------------------------------------------------------------------- the two neighbour relations

    def under(self, relation: NeighbouringRelation) -> float | None:
        """Return the most that one unit changes the table by under RELATION, or an upper bound; None: not known."""
        if relation == self.neighbours:
            return self.sensitivity
        if self.sensitivity_other is None and self.sensitivity is not None and relation == "replace":
            return up(self._replaced_ratio() * self.sensitivity, 1)  # nothing bounds D_add_remove by D_replace
        return self.sensitivity_other

    def times(self, relation: NeighbouringRelation) -> float | None:
        """Return the most that a unit changes it by under RELATION, in declared sensitivities; None: unbounded."""
        if relation == self.neighbours:
            return 1.0
        if self.sensitivity is not None and self.sensitivity_other is not None:
            return quotient_up(self.sensitivity_other, self.sensitivity)
        return self._replaced_ratio() if relation == "replace" else None

    def _replaced_ratio(self) -> float:
        """Return how many times an added unit a replaced one counts, at most: it is removed and another added.

        In a histogram the counts that rise and those that fall are at right angles: sqrt(2) in L2.
        """
        counts = self.statistic == "histogram" and self.noise.uses_l2
        return up(math.sqrt(2.0), 1) if counts else DOUBLE

    # ------------------------------------------------------------------- what moves it, and by how much

    def noise_step(self) -> float:
        """Return the step of whole noise: that of a sum, else 1."""
        return self.step if self.noise.integer_valued and self.statistic == "sum" and self.step is not None else 1.0

    def grain(self) -> float | None:
        """Return the least by which it changes where it changes at all; None: by any small amount.

        Rows are counted whole, and a sum with noise in whole steps moves by its step.
        """
        if self.statistic in ("count", "histogram") or (self.statistic == "vector" and self.noise.integer_valued):
            return 1.0
        return self.step if self.statistic == "sum" and self.noise.integer_valued else None

    def figures(self) -> tuple[float, ...]:
        """Return its sensitivities that are answered."""
        return tuple(figure for figure in (self.sensitivity, self.sensitivity_other) if figure is not None)

    def least(self) -> float:
        """Return the smallest of its sensitivities."""
        return min(self.figures(), default=math.inf)

    def below(self, rows: int) -> bool:
        """Return whether a sensitivity is below the change by ROWS rows of a unit, each in a cell of its own."""
        return any(self._comparable(figure) < rows for figure in self.figures())

    def replace_below(self, rows: int) -> bool:
        """Return whether the sensitivity under replace is below the change by ROWS rows."""
        replace = self.sensitivity if self.neighbours == "replace" else self.sensitivity_other
        return replace is not None and self._comparable(replace) < rows

    def _comparable(self, figure: float) -> Fraction:
        return decimal(figure) ** 2 if self.noise.uses_l2 else decimal(figure)


def capped(cap: int, neighbours: NeighbouringRelation, euclidean: bool, apart: bool) -> tuple[float, float]:
    """Return the sensitivities of a histogram that keeps CAP rows of each unit: of NEIGHBOURS, and the other.

    Rows APART, each in a cell of its own, change each by 1; else one cell may change by all of them. A replaced unit
    takes its rows away and puts as many elsewhere: in L2 at right angles.
    """
    added = up(math.sqrt(cap), 1) if apart and euclidean else float(cap)
    replaced = up(math.sqrt(2.0) * added, 2) if euclidean else 2.0 * added
    return (replaced, added) if neighbours == "replace" else (added, replaced)
