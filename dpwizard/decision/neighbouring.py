"""The neighbouring datasets that requirements compare: how they differ, and how much that changes a table."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from dpwizard.base.numerics import quotient_up, up
from dpwizard.decision.earlier import NO_CURVE, EarlierCurve, EarlierRelease
from dpwizard.decision.histories import Way, Ways
from dpwizard.decision.reasons import Check, Reason, missing
from dpwizard.decision.tables import NeighbouringRelation, Table


@dataclass(frozen=True, kw_only=True)
class NeighbouringPair(ABC):
    """Two datasets that differ in one unit."""

    checks: ClassVar[tuple[Check, ...]] = ()  # further checks of a release for this pair

    @property
    def leaves_out(self) -> bool:
        """Return whether some tables do not count; then the unused budget does not count either."""
        return False

    @property
    @abstractmethod
    def relation(self) -> NeighbouringRelation:
        """Return the neighbour relation that bounds the pair."""

    @abstractmethod
    def agrees(self, reads: tuple[str, ...] | None) -> bool:
        """Return whether the datasets agree on each exact figure that READS these attributes (None: unknown)."""

    @abstractmethod
    def sensitivity_ratio(self, table: Table) -> float | Reason:
        """Return the largest change of TABLE, in declared sensitivities; rounded up."""

    def distance(self, table: Table, ways: Ways) -> float | Reason:
        """Return the largest change of TABLE by a unit in one of WAYS, in declared sensitivities."""
        stays = self.sensitivity_ratio(table)
        if isinstance(stays, Reason):
            return stays
        leaves = 0.0 if table.moves is False else self.crossed(table)
        distances: dict[Way, float] = {"stays": stays, "leaves": leaves, "absent": self.absent(table)}
        return max(distances[way] for way in ways)

    def far(self, table: Table, ways: Ways) -> float:
        """Return the distance, inf if it is unknown."""
        distance = self.distance(table, ways)
        return math.inf if isinstance(distance, Reason) else distance

    def crossed(self, table: Table) -> float:
        """Return the distance for a unit that is in TABLE in one dataset only; 0 if that is impossible."""
        return 0.0

    def absent(self, table: Table) -> float:
        """Return the distance for a unit that is in the year of TABLE in one dataset only."""
        return self.crossed(table)

    def spent(self, earlier: EarlierRelease) -> tuple[float, float] | Reason:
        """Return the loss of EARLIER for this pair, rounded up: the part proportional to the change, and the rest."""
        lost = earlier.loss(self.relation)
        if lost is not None:
            return 0.0, lost
        if earlier.epsilon is None and earlier.rho is not None and earlier.delta is None:
            return missing("spent", "spent_rho_without_delta")
        return missing("spent", "spent_under_other_neighbours", relation=self.relation)

    def spent_before(self, earlier: tuple[EarlierRelease, ...]) -> tuple[float, float, Reason | None]:
        """Return the epsilon of EARLIER, proportional to the change and not, and why it is unknown."""
        losses, missing_loss = [], None
        for release in earlier:
            loss = self.spent(release)
            if isinstance(loss, Reason):
                missing_loss = missing_loss or loss
            else:
                losses.append(loss)
        return up(math.fsum(far for far, _ in losses), 1), up(math.fsum(loss for _, loss in losses), 1), missing_loss

    def curve_before(self, earlier: tuple[EarlierRelease, ...]) -> tuple[EarlierCurve, Reason | None, Reason | None]:
        """Return the joint trade-off curve of EARLIER, and why the curve, and its rho, are unknown."""
        curves: list[EarlierCurve] = []
        rho_unknown = None
        for release in earlier:
            curve = release.curve(self.relation)
            why = missing("spent", "spent_tells_no_curve", records=(release.record,) if release.record else ())
            if curve is None:
                return NO_CURVE, why, why
            curves.append(curve)
            rho_unknown = rho_unknown or (why if curve.zcdp is None else None)
        together = EarlierCurve(
            stated=tuple(each for curve in curves for each in curve.stated),
            rho=up(math.fsum(curve.rho for curve in curves), 1),
            normal=all(curve.normal for curve in curves),
            zcdp=0.0 if rho_unknown else up(math.fsum(curve.zcdp or 0.0 for curve in curves), 1),
        )
        return together, None, rho_unknown

    @property
    def whole(self) -> NeighbouringPair:
        """Return the pair whose two values differ as much as possible."""
        return ReplaceOne()


@dataclass(frozen=True, kw_only=True)
class AddOrRemoveOne(NeighbouringPair):
    """One unit is in the data in one dataset only."""

    relation: ClassVar[NeighbouringRelation] = "add_remove"

    def agrees(self, reads: tuple[str, ...] | None) -> bool:
        return False  # an added unit is counted in every total

    def sensitivity_ratio(self, table: Table) -> float | Reason:
        return _ratio_under(table, self.relation)


@dataclass(frozen=True, kw_only=True)
class ReplaceOne(NeighbouringPair):
    """One unit has two different values, of the named attributes or of any."""

    relation: ClassVar[NeighbouringRelation] = "replace"

    attributes: tuple[str, ...] = ()  # the attributes that may differ; empty: all

    def agrees(self, reads: tuple[str, ...] | None) -> bool:
        return reads is not None and not (set(reads) & set(self.attributes) if self.attributes else reads)

    def sensitivity_ratio(self, table: Table) -> float | Reason:
        read = not self.attributes or any(table.may_read(name) for name in self.attributes)
        return _ratio_under(table, self.relation) if read else 0.0

    @property
    def whole(self) -> NeighbouringPair:
        return self

    def crossed(self, table: Table) -> float:
        # a unit that leaves a table is removed from it, which a sensitivity under replace includes
        return 0.0 if self.sensitivity_ratio(table) == 0.0 else 1.0


@dataclass(frozen=True, kw_only=True)
class TableSubset(NeighbouringPair):
    """A subset of a release's tables, or all: these change by their declared sensitivities, the others not."""

    declared: NeighbouringRelation
    attribute: str | None = None  # only tables that may read it count; None: all tables
    levels_left_out: tuple[str, ...] = ()

    @property
    def leaves_out(self) -> bool:
        return self.attribute is not None or bool(self.levels_left_out)

    @property
    def relation(self) -> NeighbouringRelation:
        return self.declared

    def agrees(self, reads: tuple[str, ...] | None) -> bool:
        return True  # exact figures are not counted here

    def sensitivity_ratio(self, table: Table) -> float | Reason:
        return 1.0 if table.may_read(self.attribute) and table.level not in self.levels_left_out else 0.0

    def crossed(self, table: Table) -> float:
        return 1.0 if self.declared == "replace" and self.sensitivity_ratio(table) else 0.0


@dataclass(frozen=True, kw_only=True)
class AttributeChange(NeighbouringPair):
    """Attributes of one unit change, each by a stated amount."""

    relation: ClassVar[NeighbouringRelation] = "replace"
    checks: ClassVar[tuple[Check, ...]] = ("effects",)

    steps: tuple[tuple[str | None, float], ...]  # the name of each attribute (None: not stated), and its change
    effect: float | None = None  # the effect of all steps on the only table, if that states none

    @property
    def whole(self) -> NeighbouringPair:
        names = tuple(name for name, _ in self.steps if name is not None)
        return ReplaceOne(attributes=names if len(names) == len(self.steps) else ())

    def agrees(self, reads: tuple[str, ...] | None) -> bool:
        return self.whole.agrees(reads)

    def sensitivity_ratio(self, table: Table) -> float | Reason:
        stated, known = self._has_stated_effects(table), dict(table.effects or ())
        effect = self.effect if table.only else None
        if not stated and effect is None and not any(table.may_read(name) for name, _ in self.steps):
            return 0.0
        distance = math.fsum(known.get(name, 0.0) * by for name, by in self.steps if name is not None)
        if table.statistic == "histogram" and (not stated or distance > 0.0):
            return missing("effects", "histogram_jumps")  # any small change may cross the edge of a bin
        if (not stated and effect is None) or table.sensitivity is None:
            return missing("effects", "effects_of_tables_not_stated", tables=(table.name or "",))
        if effect is not None:
            distance = max(distance, effect) if stated else effect
        return quotient_up(distance, table.sensitivity)

    def _has_stated_effects(self, table: Table) -> bool:
        known = dict(table.effects or ())
        return bool(known) and all(name in known or not table.may_read(name) for name, _ in self.steps)

    def crossed(self, table: Table) -> float:
        ratio = self.sensitivity_ratio(table)
        return ratio if isinstance(ratio, float) else 0.0

    def absent(self, table: Table) -> float:
        return 0.0

    def spent(self, earlier: EarlierRelease) -> tuple[float, float] | Reason:
        loss = earlier.per_effect(self.steps)
        return super().spent(earlier) if loss is None else (loss, 0.0)


def _ratio_under(table: Table, relation: NeighbouringRelation) -> float | Reason:
    times = table.times(relation)
    if times is not None:
        return times
    if table.only:
        return missing("relation", "replace_says_nothing_of_presence")
    return missing("relation", "sensitivity_other_not_stated", tables=(table.name or "",))
