"""The counts of a table and their sums that readers use, for which accuracy requirements may be set."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from dpwizard.decision.decision import Decision
from dpwizard.decision.edits import add, put
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import BaseRequirement
from dpwizard.decision.requirements import AllWithin, NoiseInterval

Which = Literal["each", "of_division", "table", "all_of_division", "all", "other"]
WHERE = "$.requirements"
LEVEL = 0.95  # the level of a new requirement, and of the accuracy shown without one


@dataclass(frozen=True, kw_only=True)
class TableSum:
    """Numbers that are used alike: each count, or each total of a division; one by one, or all of them at once.

    cells: the counts in each sum; sums: their number; division: by which the totals divide the table.
    """

    which: Which
    cells: int
    sums: int
    division: str = ""

    @property
    def at_once(self) -> bool:
        """Return whether all of them must be within a half-width at once."""
        return self.which in ("all_of_division", "all")

    def is_asked_by(self, requirement: BaseRequirement) -> bool:
        """Return whether REQUIREMENT is an accuracy requirement on these numbers."""
        kind = AllWithin if self.at_once else NoiseInterval
        if not isinstance(requirement, kind) or requirement.part is not None or (requirement.cells or 1) != self.cells:
            return False
        return not isinstance(requirement, AllWithin) or (requirement.numbers or self.sums) == self.sums

    def need(self, **answers: Any) -> dict[str, Any]:
        """Return the requirement on these numbers, with ANSWERS, as JSON."""
        cells = {} if self.cells == 1 else {"cells": self.cells}
        numbers = {"numbers": self.sums} if self.which == "all_of_division" else {}
        return {"kind": "all_within" if self.at_once else "noise_interval", **cells, **numbers, **answers}


def table_sums(release: Release) -> tuple[TableSum, ...]:
    """Return the numbers of RELEASE's only table that a requirement may be on, from a count to all counts at once."""
    numbers = release.tables[0].dimension
    each = TableSum(which="each", cells=1, sums=numbers)
    if numbers == 1:
        return (each,)
    if release.each_number == "average":  # sums of averages have no meaning
        return (each, TableSum(which="all", cells=1, sums=numbers))
    divisions = [(group.name, group.parts) for group in release.divisions if group.name and group.parts]
    totals = [
        TableSum(which="of_division", cells=numbers // parts, sums=parts, division=name)
        for name, parts in divisions
        if len(divisions) > 1 and 1 < parts < numbers
    ]
    table = TableSum(which="table", cells=numbers, sums=1)
    at_once = [
        TableSum(which="all_of_division", cells=row.cells, sums=row.sums, division=row.division) for row in totals[:1]
    ]
    return (each, *totals, table, *at_once, TableSum(which="all", cells=1, sums=numbers))


def sums_read(decision: Decision) -> tuple[TableSum, ...]:
    """Return the numbers of DECISION that a requirement may be on, including other sums with a requirement."""
    sums = table_sums(decision.release)
    needs = (need for need in decision.requirements if isinstance(need, NoiseInterval) and need.enabled and need.cells)
    others = (TableSum(which="other", cells=need.cells or 1, sums=1) for need in needs)
    separate = {each.cells for each in sums if not each.at_once}
    return (*sums, *dict.fromkeys(other for other in others if other.cells not in separate))


def asked_at(decision: Decision, numbers: TableSum) -> int | None:
    """Return the position of the first enabled requirement on these NUMBERS; None if there is none."""
    for index, requirement in enumerate(decision.requirements):
        if requirement.enabled and numbers.is_asked_by(requirement):
            return index
    return None


def with_need(decision: Decision, numbers: TableSum, **answers: Any) -> Decision:
    """Return DECISION with a requirement on these NUMBERS added, with ANSWERS; totals are printed unless stated."""
    edited = add(decision, WHERE, numbers.need(level=LEVEL, **answers))
    if numbers.cells > 1 and decision.release.totals_printed is None:
        edited = put(edited, "$.release.totals_printed", True)
    return edited


def readers_add_up(release: Release) -> bool:
    """Return whether sums of printed counts are biased upwards, because negative counts are printed as 0."""
    return release.tables[0].dimension > 1 and "clamping" in release.post_processing


def chance_of_one(chance: float, numbers: int) -> float:
    """Return the probability that at least one of NUMBERS independent counts is affected, each with CHANCE."""
    return -math.expm1(numbers * math.log1p(-chance)) if chance < 1.0 else 1.0
