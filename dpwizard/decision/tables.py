"""A table of a release, from which all calculations start (`Release.tables`)."""

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
    """One table with its figures; None for a figure that is not answered.

    Tables that differ in name and place alone are equal, so that a new name needs no new solution.
    """

    place: str = field(compare=False)  # the path of its fields
    name: str | None = field(compare=False)
    needs: tuple[str, ...] = field(compare=False)  # the fields that every decision needs
    disjoint_with: tuple[str, ...] = field(compare=False)  # the tables that no unit shares with it
    only: bool  # whether there is no other table
    neighbours: NeighbouringRelation | None
    statistic: Statistic | None
    mechanism: MechanismName | None
    noise: MechanismSet = field(compare=False)  # empty if it is not answered
    sensitivity: float | None  # under the declared neighbours
    sensitivity_other: float | None  # under the other relation
    step: float | None
    effects: tuple[tuple[str, float], ...] | None  # the change of the table when an attribute changes by 1
    reads: tuple[str, ...] | None  # the attributes it is broken down by or computed from; None: not known
    moves: bool | None  # whether a unit can leave it for a disjoint table; None: not known
    group: str | None  # tables of one group share no unit
    contributions: int  # the most rows of it that one unit touches
    has_own_contributions: bool  # whether these are stated for this table
    dimension: int
    portion: Fraction | None  # the exact portion of the release's budget; None: not known
    delta: float | None  # the delta of its Gaussian noise
    times_released: int = 1  # how often it is released: its portion covers all releases
    year: str | None = None
    period: str | None = None
    parameters: Parameters = ()  # the parameters of its mechanism
    level: str | None = None  # its level, of a geography or another hierarchy
    fixed: Fraction | None = None  # a fixed epsilon, whatever the rho of other tables

    @property
    def share(self) -> float | None:
        return None if self.portion is None else float(self.portion)

    @property
    def whole(self) -> bool:
        """Return whether it is the only table, stated in the release itself."""
        return self.place == WHOLE

    def missing(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the paths of the fields NAMES without an answer; a mechanism includes its parameters."""
        open_names = [name for name in names if getattr(self, name) is None]
        open_names += [name for name, value in self.parameters if value is None and "mechanism" in names]
        return tuple(f"{self.place}.{name}" for name in open_names)

    def disjoint(self, other: Table) -> bool:
        """Return whether no unit can be in both tables; a person can be in tables of different years."""
        if self.year != other.year:
            return False
        if self.group is not None and self.group == other.group and not (self.period or other.period):
            return True  # a person who moves within a period is in two tables of it
        return other.name in self.disjoint_with or self.name in other.disjoint_with

    def may_read(self, attribute: str | None) -> bool:
        """Return whether the table may depend on ATTRIBUTE: it states none, or this one."""
        return self.reads is None or attribute is None or attribute in self.reads

    # ------------------------------------------------------------------- the two neighbour relations

    def under(self, relation: NeighbouringRelation) -> float | None:
        """Return the largest change of the table by a unit under RELATION, or an upper bound; None: unknown."""
        if relation == self.neighbours:
            return self.sensitivity
        if self.sensitivity_other is None and self.sensitivity is not None and relation == "replace":
            return up(self._replaced_ratio() * self.sensitivity, 1)  # nothing bounds D_add_remove by D_replace
        return self.sensitivity_other

    def times(self, relation: NeighbouringRelation) -> float | None:
        """Return the largest change by a unit under RELATION, in declared sensitivities; None: unbounded."""
        if relation == self.neighbours:
            return 1.0
        if self.sensitivity is not None and self.sensitivity_other is not None:
            return quotient_up(self.sensitivity_other, self.sensitivity)
        return self._replaced_ratio() if relation == "replace" else None

    def _replaced_ratio(self) -> float:
        """Return an upper bound on the change by a replaced unit, divided by that of an added one.

        In a histogram the counts that rise and those that fall are orthogonal: sqrt(2) in L2.
        """
        counts = self.statistic == "histogram" and self.noise.uses_l2
        return up(math.sqrt(2.0), 1) if counts else DOUBLE

    # ------------------------------------------------------------------- its changes

    def noise_step(self) -> float:
        """Return the step of integer-valued noise: that of a sum, else 1."""
        return self.step if self.noise.integer_valued and self.statistic == "sum" and self.step is not None else 1.0

    def grain(self) -> float | None:
        """Return the smallest change of the table if it changes at all; None: any small amount.

        Rows are counted in whole numbers, and a sum with integer-valued noise changes by its step.
        """
        if self.statistic in ("count", "histogram") or (self.statistic == "vector" and self.noise.integer_valued):
            return 1.0
        return self.step if self.statistic == "sum" and self.noise.integer_valued else None

    def figures(self) -> tuple[float, ...]:
        """Return its stated sensitivities."""
        return tuple(figure for figure in (self.sensitivity, self.sensitivity_other) if figure is not None)

    def least(self) -> float:
        return min(self.figures(), default=math.inf)

    def below(self, rows: int) -> bool:
        """Return whether a sensitivity is below the change by ROWS rows of a unit, each in another cell."""
        return any(self._comparable(figure) < rows for figure in self.figures())

    def replace_below(self, rows: int) -> bool:
        """Return whether the sensitivity under replace is below the change by ROWS rows."""
        replace = self.sensitivity if self.neighbours == "replace" else self.sensitivity_other
        return replace is not None and self._comparable(replace) < rows

    def _comparable(self, figure: float) -> Fraction:
        return decimal(figure) ** 2 if self.noise.uses_l2 else decimal(figure)


def capped(cap: int, neighbours: NeighbouringRelation, euclidean: bool, separate: bool) -> tuple[float, float]:
    """Return the sensitivities of a histogram that keeps CAP rows of each unit: of NEIGHBOURS, and the other.

    separate: each row is in another cell, and changes it by 1; else one cell may change by all rows. A replaced unit
    removes its rows and adds as many elsewhere: in L2 the two are orthogonal.
    """
    added = up(math.sqrt(cap), 1) if separate and euclidean else float(cap)
    replaced = up(math.sqrt(2.0) * added, 2) if euclidean else 2.0 * added
    return (replaced, added) if neighbours == "replace" else (added, replaced)
