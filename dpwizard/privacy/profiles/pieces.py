"""A risk profile as the solver walks it: pieces along one prior, or a mesh of knots over two."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a profile, low <= prior <= high, on which its ratio is one formula.

    formula: "ratio" (level: the given ratio), "power" (log ratio = level - exponent * log prior), "cap", "increase"
    or "odds" (level: their parameter). ratio_low, ratio_high: the ratios given at the two ends, where they are given.
    """

    formula: Literal["ratio", "power", "cap", "increase", "odds"]
    level: float
    exponent: float = 0.0
    low: float = 0.0
    high: float = 1.0
    ratio_low: float | None = None
    ratio_high: float | None = None


def chain(points: Sequence[tuple[float, float]]) -> tuple[Piece, ...]:
    """Return the pieces of a curve through POINTS, log-linear between them and constant outside."""
    first, ratio = points[0]
    found = [Piece("ratio", ratio, high=first)]
    for (low, before), (high, after) in pairwise(points):
        found.append(_segment(low, before, high, after))
    last, ratio = points[-1]
    if last < 1.0:
        found.append(Piece("ratio", ratio, low=last))
    return tuple(found)


def _segment(low: float, before: float, high: float, after: float) -> Piece:
    """Return the piece through the points (LOW, BEFORE) and (HIGH, AFTER)."""
    if before == after:
        return Piece("ratio", before, low=low, high=high)
    exponent = (math.log(before) - math.log(after)) / (math.log(high) - math.log(low))
    level = math.log(after) + exponent * math.log(high)
    return Piece("power", level, exponent, low, high, before, after)


@dataclass(frozen=True, slots=True)
class Mesh:
    """The knots of a surface: its log ratio is bilinear in log p and log q between them, constant outside."""

    p: tuple[float, ...]
    q: tuple[float, ...]
    ratios: tuple[tuple[float, ...], ...]  # a row for each p

    def along(self, prior: Literal["p", "q"], at: float) -> tuple[Piece, ...]:
        """Return the pieces of the surface along one PRIOR, the other held AT a value."""
        if prior == "q":
            return _line(self.p, self.q, self.ratios, at)
        return _line(self.q, self.p, tuple(zip(*self.ratios, strict=True)), at)


def _line(
    across: tuple[float, ...], along: tuple[float, ...], ratios: tuple[tuple[float, ...], ...], at: float
) -> tuple[Piece, ...]:
    """Return the pieces of a surface ALONG one prior, the other, with knots ACROSS, held AT a value."""
    i = min(max(bisect_right(across, at) - 1, 0), len(across) - 1)
    if at <= across[i] or i == len(across) - 1:  # on a line of the grid, or outside it
        return chain(tuple(zip(along, ratios[i], strict=True)))
    share = (math.log(at) - math.log(across[i])) / (math.log(across[i + 1]) - math.log(across[i]))
    levels = tuple(
        (1.0 - share) * math.log(a) + share * math.log(b) for a, b in zip(ratios[i], ratios[i + 1], strict=True)
    )
    line = [Piece("power", levels[0], high=along[0])]
    for (low, before), (high, after) in pairwise(zip(along, levels, strict=True)):
        exponent = (before - after) / (math.log(high) - math.log(low))
        line.append(Piece("power", after + exponent * math.log(high), exponent, low, high))
    return (*line, Piece("power", levels[-1], low=along[-1]))
