"""Sensitivities by brute force: every data set of one unit within the bounds, and the largest change between two of
them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence

Row = tuple[float, ...]  # what one row adds to each number
Numbers = tuple[float, ...]


def sums(unit: Sequence[Row], size: int) -> Numbers:
    """Return what a unit's rows add to each of SIZE numbers."""
    return tuple(math.fsum(row[i] for row in unit) for i in range(size))


def units(
    rows: Sequence[Row], most: int, *, exactly: bool, allowed: Callable[[Sequence[Row]], bool] = lambda unit: True
) -> Iterator[Sequence[Row]]:
    """Return every unit of at most (or exactly) MOST of the possible ROWS, in any combination, that is ALLOWED."""
    for count in range(most if exactly else 0, most + 1):
        yield from (unit for unit in itertools.combinations_with_replacement(rows, count) if allowed(unit))


def largest_changes(possible: Sequence[Sequence[Row]], size: int) -> dict[str, tuple[float, float]]:
    """Return, for adding or removing a unit and for replacing it, the largest L1 and the largest L2 change."""
    totals = sorted({sums(unit, size) for unit in possible})
    none = (0.0,) * size
    pairs = {"add_remove": [(total, none) for total in totals], "replace": list(itertools.product(totals, totals))}
    return {
        relation: (
            max(sum(abs(x - y) for x, y in zip(one, other, strict=True)) for one, other in both),
            max(math.dist(one, other) for one, other in both),
        )
        for relation, both in pairs.items()
    }


def cells_touched(values: Sequence[float], size: int, touched: int) -> list[Row]:
    """Return every row that has one of VALUES in at most TOUCHED of SIZE numbers, and 0 in the others."""
    found = {row for row in itertools.product((0.0, *values), repeat=size) if sum(x != 0.0 for x in row) <= touched}
    return sorted(found)
