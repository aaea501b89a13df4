"""A certified search for the smallest epsilon over a box of adversaries: branch and bound, with bounds that hold.

The box is cut into cells. For each, three numbers that no adversary in it can go below (docs/methods/relative_risk.md):

1. r* >= R: epsilon is at least what the constant R gives at (p0, q0) or (p1, q0), whichever is smaller (Lemma 3);
2. r* pq >= A: at least what the cap A gives at (p1, q1) (Lemma 2);
3. odds multiplier >= theta: at least what theta gives where w = p(1-q)/(1-pq) is worst.

On a surface of knots two more apply: the corner bound where r* falls to 1 at p = q = 1, and a test with second
derivatives that clears the flat neighbourhood of a minimum, which first-order bounds would cut into ever more cells.
A cell that cannot hold anything below (1 - tolerance) times the best value seen is dropped; the rest is cut further.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpwizard.base.numerics import UNIT
from dpwizard.base.stopping import may_stop
from dpwizard.privacy.relative_risk.inverse import Inverse, PureLoss

if TYPE_CHECKING:
    from dpwizard.privacy.relative_risk.inverse import Solver

Array: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]

MOST_NUMBERS = 4_000_000  # cells times pieces; more than this at once: give up refining and return the bound reached
MOST_LEVELS = 400
# first-order bounds are lowered by this, relative, and log theta by this where it is a difference
ROUNDING = 16.0 * UNIT


@dataclass(frozen=True, slots=True)
class Cells:
    """Rectangles of priors as arrays: p0 <= p <= p1 and q0 <= q <= q1, where 0 stands for the limit."""

    p0: Array
    p1: Array
    q0: Array
    q1: Array

    def __len__(self) -> int:
        return len(self.p0)

    def where(self, mask: Mask) -> Cells:
        """Return the cells at which MASK is true."""
        return Cells(self.p0[mask], self.p1[mask], self.q0[mask], self.q1[mask])

    def cuts(self) -> tuple[Mask, Mask, Mask, Mask]:
        """Return which cells are to be cut in p and in q, in p only, in q only, or not at all."""
        wide, tall = _width(self.p0, self.p1), _width(self.q0, self.q1)
        cut_p, cut_q = (wide > 0.0) & (wide >= 0.25 * tall), (tall > 0.0) & (tall >= 0.25 * wide)
        return cut_p & cut_q, cut_p & ~cut_q, cut_q & ~cut_p, ~cut_p & ~cut_q

    def halves(self) -> Cells:
        """Return every cell cut in logarithmic scale: in four, or in two where one side is much shorter."""
        p, q = _middle(self.p0, self.p1), _middle(self.q0, self.q1)
        both, only_p, only_q, neither = self.cuts()
        parts = (
            (neither, self.p0, self.p1, self.q0, self.q1),
            (both, self.p0, p, self.q0, q),
            (both, p, self.p1, self.q0, q),
            (both, self.p0, p, q, self.q1),
            (both, p, self.p1, q, self.q1),
            (only_p, self.p0, p, self.q0, self.q1),
            (only_p, p, self.p1, self.q0, self.q1),
            (only_q, self.p0, self.p1, self.q0, q),
            (only_q, self.p0, self.p1, q, self.q1),
        )
        rows = [[side[mask] for side in sides] for mask, *sides in parts]
        return Cells(*(np.concatenate([row[i] for row in rows]) for i in range(4)))


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a profile guarantees on each cell: least log ratio, log posterior, log odds multiplier and budget."""

    log_ratio: Array
    log_posterior: Array
    multiplier: Array
    budget: Array | None = None


class Surface(Protocol):
    """A risk profile as the search sees it."""

    @property
    def size(self) -> int:
        """Return how many numbers a bound costs for each cell."""

    def bounds(self, cells: Cells, inverse: Inverse) -> Bounds:
        """Return what the profile guarantees on each cell."""

    def multipliers(self, p: Array, q: Array) -> Array:
        """Return log theta at each pair of priors, inf where the profile is no bound."""

    def clear(self, cells: Cells, target: float, inverse: Inverse) -> tuple[Mask, Array, Array]:
        """Return which cells certainly hold nothing below TARGET, and a promising point in each."""


@dataclass(frozen=True, slots=True)
class Infimum:
    """The result of a search: the infimum lies in [lower, upper], and upper is reached (or a limit) at p, q."""

    lower: float
    upper: float
    p: float
    q: float
    complete: bool
    others: bool  # a second place, apart from p and q, comes as near


# ------------------------------------------------------------------------------------ epsilon, on arrays


def epsilons(p: ArrayLike, q: ArrayLike, ratio: ArrayLike, factor: float) -> tuple[Array, Array, Array, Array]:
    """Return p, q, ratio and the epsilon each ratio allows, broadcast: inf for no bound, 0 for a ratio of 1 or less."""
    p, q, ratio = (np.array(x, dtype=float) for x in np.broadcast_arrays(p, q, ratio))
    with np.errstate(all="ignore"):
        return (
            p,
            q,
            ratio,
            _limits(np.maximum(multipliers_of(np.log(ratio), p, q), 0.0), p, q, PureLoss(factor).solver()),
        )


def multipliers_of(log_ratio: Array, p: Array, q: Array) -> Array:
    """Return log theta = log r* - log(1 - (r* - 1) pq/(1 - pq)), inf where r* pq >= 1; negative where r* < 1."""
    rest = (1.0 - p) + p * (1.0 - q)
    log_prior = np.log(p) + np.log(q)
    moderate = log_ratio < 700.0
    gain = np.where(moderate, np.expm1(np.where(moderate, log_ratio, 0.0)) * p * q, np.exp(log_ratio + log_prior))
    extra = np.where(gain == 0.0, 0.0, gain / rest)
    unbounded = (log_ratio + log_prior >= 0.0) | (extra >= 1.0) | np.isposinf(log_ratio) | (rest == 0.0)
    return np.where(
        log_ratio < 0.0, log_ratio, np.where(unbounded, np.inf, log_ratio - np.log1p(-np.where(unbounded, 0.0, extra)))
    )


def _limits(multiplier: Array, p: Array, q: Array, solve: Solver) -> Array:
    """Return what SOLVE gives for log theta >= 0 at p and q; inf where the disclosure is certain already."""
    rest = (1.0 - p) + p * (1.0 - q)
    safe = np.where(rest > 0.0, rest, 1.0)
    return np.where(rest > 0.0, solve(multiplier, p * (1.0 - q) / safe, (1.0 - p) / safe), np.inf)


def _safe(log_ratio: Array, p: Array, q: Array) -> Array:
    """Return log theta, less what rounding may have added to it."""
    prior = p * q
    room = np.maximum(-np.expm1(log_ratio + np.log(prior)), UNIT)  # 1 - r* pq
    doubt = ROUNDING * (log_ratio + np.where(prior > 0.0, np.expm1(np.minimum(log_ratio, 700.0)) * prior / room, 0.0))
    return np.maximum(multipliers_of(log_ratio, p, q) - np.where(np.isfinite(doubt), doubt, 0.0), 0.0)


def lower_bounds(surface: Surface, cells: Cells, inverse: Inverse, ceiling: float = math.inf) -> Array:
    """Return, for each cell, a budget that no adversary in it goes below; only what is below CEILING counts."""
    known, solve = surface.bounds(cells, inverse), inverse.floors(ceiling)
    p0, p1, q0, q1 = cells.p0, cells.p1, cells.q0, cells.q1
    level = np.maximum(known.log_ratio, 0.0)
    by_ratio = np.minimum(*(_limits(_safe(level, p, q0), p, q0, solve) for p in (p0, p1)))  # 1: Lemma 3
    cap, prior = known.log_posterior, np.log(p1 * q1)
    short = -np.expm1(cap)  # 1 - a
    doubt = ROUNDING * (1.0 + np.abs(cap) + np.abs(prior) + 1.0 / np.maximum(short, UNIT))
    odds = np.where(
        cap >= 0.0, np.inf, cap + np.log((1.0 - p1) + p1 * (1.0 - q1)) - prior - np.log(np.maximum(short, UNIT)) - doubt
    )
    by_cap = np.where(odds > 0.0, _limits(np.maximum(odds, 0.0), p1, q1, solve), 0.0)  # 2: Lemma 2
    p, q, corner = (p1, q0, 0.0) if inverse.factor >= 1.0 else (p0, q1, 1.0)  # 3: epsilon falls with w where c > 1
    rest = (1.0 - p) + p * (1.0 - q)
    # at p = q = 1 the limit within the cell
    w = np.where(rest > 0.0, p * (1.0 - q) / np.where(rest > 0.0, rest, 1.0), corner)
    v = np.where(rest > 0.0, (1.0 - p) / np.where(rest > 0.0, rest, 1.0), 1.0 - corner)
    by_odds = np.where(known.multiplier > 0.0, solve(np.maximum(known.multiplier, 0.0), w, v), 0.0)
    best = np.maximum(
        np.maximum(np.nan_to_num(by_ratio, nan=0.0, posinf=np.inf), by_cap),
        np.nan_to_num(by_odds, nan=0.0, posinf=np.inf),
    )
    if known.budget is not None:
        best = np.maximum(best, known.budget)
    lowered: Array = best * (1.0 - ROUNDING)
    return lowered


# ------------------------------------------------------------------------------------------ the search


def search(
    surface: Surface,
    cells: Cells,
    inverse: Inverse,
    tolerance: float,
    best: tuple[float, float, float] = (math.inf, 0.0, 0.0),
    most: int = MOST_NUMBERS,
) -> Infimum:
    """Return an interval around the infimum of epsilon over CELLS (and BEST, a value with its p and q found before).

    The interval is at most TOLERANCE wide, relative to its upper end, if complete is true. It always holds: when the
    cells become too many (cells times pieces above MOST), lower is the smallest bound of those left.
    """
    with np.errstate(all="ignore"):
        return _search(surface, cells, inverse, tolerance, best, most)


def _search(
    surface: Surface,
    cells: Cells,
    inverse: Inverse,
    tolerance: float,
    best: tuple[float, float, float],
    most: int,
) -> Infimum:
    parents = np.zeros(len(cells))
    near: list[tuple[float, float, float]] = []
    complete = True
    for _ in range(MOST_LEVELS):
        may_stop()
        if len(cells) == 0:
            break
        if len(cells) * surface.size > most:
            complete = False
            break
        least = np.maximum(lower_bounds(surface, cells, inverse, best[0]), parents)
        best = _look(surface, cells, inverse, best)
        keep = least < best[0] * (1.0 - tolerance)
        cells, least = cells.where(keep), least[keep]
        if len(cells) and math.isfinite(best[0]):
            cleared, p, q = surface.clear(cells, best[0] * (1.0 - tolerance), inverse)
            solve = inverse.below(best[0] * (1.0 + 2e-9))
            values = _limits(np.maximum(surface.multipliers(p, q), 0.0), p, q, solve)
            near += [
                (float(values[i]), float(p[i]), float(q[i]))
                for i in np.flatnonzero(values <= best[0] * (1.0 + 1e-9))[:64]
            ]
            best = _smaller(values, p, q, best)
            cells, least = cells.where(~cleared), least[~cleared]
        parts = cells.halves()
        parents = _inherited(cells, least)
        cells = parts
    else:
        complete = len(cells) == 0
    lower = best[0] * (1.0 - tolerance) if math.isfinite(best[0]) else math.inf
    if len(cells):
        lower = min(lower, float(parents.min()))
    others = any(value <= best[0] * (1.0 + 1e-10) and _apart(p, q, best) for value, p, q in near)
    return Infimum(lower, best[0], best[1], best[2], complete, others)


def _inherited(cells: Cells, least: Array) -> Array:
    """Return each cell's bound once for each of its parts, in the order of halves."""
    both, only_p, only_q, neither = cells.cuts()
    return np.concatenate([least[neither]] + [least[both]] * 4 + [least[only_p]] * 2 + [least[only_q]] * 2)


def _apart(p: float, q: float, best: tuple[float, float, float]) -> bool:
    return not (math.isclose(p, best[1], rel_tol=1e-3) and math.isclose(q, best[2], rel_tol=1e-3))


def _look(
    surface: Surface, cells: Cells, inverse: Inverse, best: tuple[float, float, float]
) -> tuple[float, float, float]:
    """Return BEST, or the smallest epsilon at a corner or the middle of a cell if that is smaller."""
    p = np.concatenate((_middle(cells.p0, cells.p1), cells.p0, cells.p1, cells.p0, cells.p1))
    q = np.concatenate((_middle(cells.q0, cells.q1), cells.q0, cells.q0, cells.q1, cells.q1))
    values = _limits(np.maximum(surface.multipliers(p, q), 0.0), p, q, inverse.below(best[0]))
    return _smaller(values, p, q, best)


def _smaller(values: Array, p: Array, q: Array, best: tuple[float, float, float]) -> tuple[float, float, float]:
    if len(values) == 0:
        return best
    values = np.where(np.isnan(values), np.inf, values)
    i = int(np.argmin(values))
    return (float(values[i]), float(p[i]), float(q[i])) if values[i] < best[0] else best


def _middle(low: Array, high: Array) -> Array:
    """Return the middle in logarithmic scale; far down where the cell reaches 0."""
    return np.where(low > 0.0, np.sqrt(low) * np.sqrt(high), 0.0625 * high)


def _width(low: Array, high: Array) -> Array:
    """Return the width in logs; of a cell that reaches 0 what is left to lose: epsilon is level near the limit."""
    return np.where(low > 0.0, np.log(high / np.where(low > 0.0, low, 1.0)), 4.0 * high)
