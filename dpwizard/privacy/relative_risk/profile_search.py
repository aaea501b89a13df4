"""A certified search for the smallest epsilon over a box of adversaries: branch and bound, with bounds that hold.

Inside a surface of knots the worst adversary can be anywhere, so the box is cut into cells. No adversary in a cell goes
below any of three numbers (docs/methods/relative_risk.md):

1. r* >= R: epsilon is at least what the constant R gives at (p0, q0) or (p1, q0), whichever is smaller (Lemma 3);
2. r* pq >= A: at least what the cap A gives at (p1, q1) (Lemma 2);
3. odds multiplier >= theta: at least what theta gives where w = p(1-q)/(1-pq) is worst.

A cell that cannot hold anything below (1 - TOLERANCE) times the best value seen is dropped; the rest is cut further.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpwizard.base.numerics import UNIT
from dpwizard.base.stopping import may_stop
from dpwizard.privacy.profiles import Shape
from dpwizard.privacy.relative_risk.prior_odds import Array, Inverse, PureLoss, multipliers_of, shares_of

Mask: TypeAlias = NDArray[np.bool_]

TOLERANCE = 5e-4  # relative width of the interval around the infimum
MOST_CELLS = 60_000  # the most cells at once: beyond, the search returns the present bounds
MOST_LEVELS = 200
ROUNDING = 16.0 * UNIT  # relative: bounds are lowered by this, and log theta if it is a difference


@dataclass(frozen=True, slots=True)
class Cells:
    """Rectangles of priors as arrays: p0 <= p <= p1 and q0 <= q <= q1, where 0 is the limit."""

    p0: Array
    p1: Array
    q0: Array
    q1: Array

    def __len__(self) -> int:
        return len(self.p0)

    def where(self, mask: Mask) -> Cells:
        return Cells(self.p0[mask], self.p1[mask], self.q0[mask], self.q1[mask])

    def halves(self) -> Cells:
        """Return every cell cut in two across its longer side, in logs."""
        p, q = _log_middle(self.p0, self.p1), _log_middle(self.q0, self.q1)
        wide = _log_width(self.p0, self.p1) >= _log_width(self.q0, self.q1)
        lower = (self.p0, np.where(wide, p, self.p1), self.q0, np.where(wide, self.q1, q))
        upper = (np.where(wide, p, self.p0), self.p1, np.where(wide, self.q0, q), self.q1)
        return Cells(*(np.concatenate(sides) for sides in zip(lower, upper, strict=True)))


@dataclass(frozen=True, slots=True)
class Infimum:
    """The result of a search: the infimum lies in [lower, upper], and upper is reached (or a limit) at p, q."""

    lower: float
    upper: float
    p: float = 0.0
    q: float = 0.0


def epsilons(p: ArrayLike, q: ArrayLike, ratio: ArrayLike, factor: float) -> Array:
    """Return the epsilon each ratio allows at p and q: inf for no bound, 0 for a ratio of 1 or less.

    For drawing: within 1e-9 where r* pq is not within 1e-6 of 1, and not rounded to a safe side.
    """
    p, q, ratio = (np.array(array, dtype=float) for array in np.broadcast_arrays(p, q, ratio))
    with np.errstate(all="ignore"):
        return _budgets(np.log(ratio), p, q, PureLoss(factor))


def _budgets(log_ratio: Array, p: Array, q: Array, inverse: Inverse) -> Array:
    return inverse.budgets(multipliers_of(log_ratio, np.log(p), np.log(q)), p, q)


def grid_cells(p: tuple[float, float], q: tuple[float, float], lines: tuple[tuple[float, ...], ...]) -> Cells:
    """Return the box cut along LINES of p and of q."""
    sides = [
        np.unique([low, *(line for line in across if low < line < high), high])
        for (low, high), across in zip((p, q), lines, strict=True)
    ]
    low_p, low_q = np.meshgrid(sides[0][:-1], sides[1][:-1], indexing="ij")
    high_p, high_q = np.meshgrid(sides[0][1:], sides[1][1:], indexing="ij")
    return Cells(low_p.ravel(), high_p.ravel(), low_q.ravel(), high_q.ravel())


def lower_bounds(levels: list[Array], cells: Cells, inverse: Inverse) -> Array:
    """Return, for each cell, a lower bound on the budget of every adversary in it.

    Arguments: levels, log r* at the corners (p0, q0), (p0, q1), (p1, q0), (p1, q1), of a profile whose log r*, log r* +
    log pq and log r* / log pq have their minimum at a corner, as for one that is bilinear in log p and log q.
    """
    p0, p1, q0, q1 = cells.p0, cells.p1, cells.q0, cells.q1
    priors = [np.log(p) + np.log(q) for p in (p0, p1) for q in (q0, q1)]
    # 1: Lemma 3
    level = np.maximum(np.minimum.reduce(levels), 0.0)
    by_ratio = np.minimum(*(inverse.budgets(_safe_multiplier(level, p, q0), p, q0) for p in (p0, p1)))
    # 2: Lemma 2
    cap = np.fmin.reduce([level_at + prior for level_at, prior in zip(levels, priors, strict=True)])
    room = np.maximum(-np.expm1(cap), UNIT)  # 1 - a
    error = ROUNDING * (1.0 + np.abs(cap) + np.abs(priors[3]) + 1.0 / room)
    odds = cap + np.log((1.0 - p1) + p1 * (1.0 - q1)) - priors[3] - np.log(room) - error
    by_cap = inverse.budgets(np.where(cap >= 0.0, np.inf, np.nan_to_num(odds, nan=0.0)), p1, q1)
    # 3: log r* >= slope t for every t = -log pq on the cell; epsilon falls with w where c > 1
    slopes = [
        np.where(prior < 0.0, np.where(np.isinf(prior), 0.0, level_at / -prior), np.inf)
        for level_at, prior in zip(levels, priors, strict=True)
    ]
    multiplier = multiplier_by_slope(np.minimum.reduce(slopes), -priors[3])
    p, q, corner = (p1, q0, 0.0) if inverse.factor >= 1.0 else (p0, q1, 1.0)
    w, v, rest = shares_of(p, q)
    w, v = np.where(rest > 0.0, w, corner), np.where(rest > 0.0, v, 1.0 - corner)  # p = q = 1: the limit in the cell
    by_odds = inverse.roots(multiplier, w, v)
    bounds = [np.nan_to_num(bound, nan=0.0, posinf=np.inf) for bound in (by_ratio, by_cap, by_odds)]
    return np.asarray(np.maximum.reduce(bounds) * (1.0 - ROUNDING))


def _safe_multiplier(log_ratio: Array, p: Array, q: Array) -> Array:
    """Return log theta, minus its largest rounding error."""
    prior = p * q
    room = np.maximum(-np.expm1(log_ratio + np.log(prior)), UNIT)  # 1 - r* pq
    error = ROUNDING * (log_ratio + np.where(prior > 0.0, np.expm1(np.minimum(log_ratio, 700.0)) * prior / room, 0.0))
    multiplier = multipliers_of(log_ratio, np.log(p), np.log(q))
    return np.maximum(multiplier - np.where(np.isfinite(error), error, 0.0), 0.0)


def multiplier_by_slope(slope: Array, room: Array) -> Array:
    """Return a bound on log theta where log r* >= SLOPE t for every t = -log(pq) >= ROOM on the cell.

    theta >= 1/(1 - y), y = (1 - e^-kt)/(1 - e^-t) with k the slope, which grows with t from k at 0; inf from slope 1
    on.
    """
    share = np.where(room > 0.0, np.expm1(-slope * room) / np.expm1(-np.where(room > 0.0, room, 1.0)), slope)
    return np.where(slope >= 1.0, np.inf, np.where(slope > 0.0, -np.log1p(-np.minimum(share, 1.0 - UNIT)), 0.0))


def search(profile: Shape, cells: Cells, inverse: Inverse, known: Infimum) -> Infimum:
    """Return an interval around the smallest budget over CELLS and KNOWN, an interval around that of other adversaries.

    It is always valid, and at most TOLERANCE wide, relative to its upper end, unless there are too many cells. Each
    cell must be within one patch of the surface.
    """
    best, lower = (known.upper, known.p, known.q), known.lower
    with np.errstate(all="ignore"):
        for _ in range(MOST_LEVELS):
            may_stop()
            if not len(cells):
                break
            levels = [np.log(profile.ratio_at(p, q)) for p in (cells.p0, cells.p1) for q in (cells.q0, cells.q1)]
            bounds = lower_bounds(levels, cells, inverse)
            best = _best_of(profile, cells, inverse, best)
            open_cells = bounds < best[0] * (1.0 - TOLERANCE)
            if np.count_nonzero(open_cells) > MOST_CELLS:
                return Infimum(min(lower, float(bounds.min())), *best)
            lower = min(lower, float(np.min(bounds[~open_cells], initial=math.inf)))
            cells = cells.where(open_cells).halves().halves()
    return Infimum(min(lower, best[0]), *best)


def _best_of(
    profile: Shape, cells: Cells, inverse: Inverse, best: tuple[float, float, float]
) -> tuple[float, float, float]:
    """Return BEST, or the smallest budget at a corner or the middle of a cell if that is smaller."""
    p = np.concatenate((_log_middle(cells.p0, cells.p1), cells.p0, cells.p1, cells.p0, cells.p1))
    q = np.concatenate((_log_middle(cells.q0, cells.q1), cells.q0, cells.q0, cells.q1, cells.q1))
    values = np.nan_to_num(_budgets(np.log(profile.ratio_at(p, q)), p, q, inverse), nan=np.inf, posinf=np.inf)
    i = int(np.argmin(values))
    return (float(values[i]), float(p[i]), float(q[i])) if values[i] < best[0] else best


def _log_middle(low: Array, high: Array) -> Array:
    """Return the middle in logs; a very small prior if the cell reaches 0."""
    return np.where(low > 0.0, np.sqrt(low) * np.sqrt(high), 0.0625 * high)


def _log_width(low: Array, high: Array) -> Array:
    """Return the width in logs; less for a cell that reaches 0, as epsilon is flat near the limit."""
    return np.where(low > 0.0, np.log(high / np.where(low > 0.0, low, 1.0)), 4.0 * high)
