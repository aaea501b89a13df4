"""delta(epsilon) as a value: bounds at increasing epsilons, with straight lines in e^epsilon between them.

delta is convex in e^epsilon and 1 at e^epsilon = 0. A straight line between two upper bounds is above it, whatever the
points are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dpwizard.privacy.accounting.noises import LEAST, UNIT, Array

MOST_POINTS = 8_000  # the most points of several curves together
POINTS_NEAR = 1_000  # the most further points of each, near the epsilon of interest


class EpsilonDeltaCurve(NamedTuple):
    """Bounds on delta at increasing epsilons: upper bounds, or lower ones."""

    epsilons: Array
    deltas: Array

    def at(self, epsilons: Array) -> Array:
        """Return upper bounds on delta at EPSILONS.

        Left of the first point the line starts at delta 1 at e^epsilon = 0; right of the last point delta is constant.
        """
        x, y = self
        if len(x) == 1:
            inside = np.full(len(epsilons), y[0])
        else:
            i = np.clip(np.searchsorted(x, epsilons, side="right") - 1, 0, len(x) - 2)
            at = np.clip(epsilons, x[i], x[i + 1])
            width = np.maximum(x[i + 1] - x[i], 1e-300)
            share = np.exp(at - x[i + 1]) * np.expm1(x[i] - at) / np.expm1(-width)  # 0 at x[i], 1 at x[i + 1]
            share = np.clip(share * (1.0 - 16.0 * UNIT), 0.0, 1.0)
            inside = y[i] * (1.0 - share) * (1.0 + 4.0 * UNIT) + y[i + 1] * share
        inside = np.where(epsilons >= x[-1], y[-1], inside)
        left = np.minimum(epsilons - x[0], 0.0)
        before = (y[0] * np.exp(left) - np.expm1(left)) * (1.0 + 8.0 * UNIT)
        return np.minimum(np.where(epsilons < x[0], before, inside), 1.0)

    def least_epsilon(self, delta: float) -> float:
        """Return the least epsilon >= 0 at which the lines are at most DELTA, inf if there is none."""
        first = int(np.argmax(self.deltas <= delta))
        delta_here = float(self.deltas[first])
        end = float(self.epsilons[first])
        if delta_here > delta:
            return math.inf
        if first == 0:  # a line from delta 1 at e^epsilon = 0
            epsilon = end + math.log1p(-delta) - math.log1p(-delta_here)
            return max(0.0, min(epsilon, end) * (1.0 + 8.0 * UNIT))
        delta_before, start = float(self.deltas[first - 1]), float(self.epsilons[first - 1])
        share = (delta - delta_here) / (delta_before - delta_here)  # the position on the line, in e^epsilon
        epsilon = end + math.log1p(share * math.expm1(start - end))
        return max(0.0, min(end, epsilon + 8.0 * UNIT * (abs(epsilon) + 1.0) * (end - start > 0.0)))

    def chosen_epsilons(self, most: int) -> Array:
        """Return up to MOST of the epsilons: half of them evenly spaced, the others where the slope changes most."""
        x, y = self
        if len(x) <= most:
            return x
        slopes = np.diff(y) / -np.expm1(-np.diff(x))  # by e^epsilon at the right end
        bends = np.abs(slopes[1:] * np.exp(-np.diff(x)[1:]) - slopes[:-1]) / np.maximum(y[1:-1], LEAST)
        # between losses that are few and far apart the curve is straight in e^epsilon
        chosen = np.zeros(len(x), dtype=bool)
        chosen[1 + np.argpartition(bends, -(most // 2))[-(most // 2) :]] = True
        chosen[np.linspace(0, len(x) - 1, most - most // 2).astype(np.int64)] = True
        return np.asarray(x[chosen])

    def epsilons_near(self, epsilon: float, most: int) -> Array:
        """Return up to MOST of the epsilons, half of them below EPSILON."""
        first = max(0, int(np.searchsorted(self.epsilons, epsilon)) - most // 2)
        return self.epsilons[first : first + most]

    def hull(self) -> EpsilonDeltaCurve:
        """Return the corners of the lower convex hull, in e^epsilon, of (0, 1) and the points."""
        corners: list[tuple[float, float]] = []
        for x, y in zip(self.epsilons.tolist(), self.deltas.tolist(), strict=True):
            if corners and y >= corners[-1][1]:
                continue
            if corners and x <= corners[-1][0]:
                corners.pop()
            while corners and not _is_convex_at(
                corners[-1], corners[-2] if len(corners) > 1 else (-math.inf, 1.0), (x, y)
            ):
                corners.pop()
            corners.append((x, y))
        points = np.array(corners)
        return EpsilonDeltaCurve(points[:, 0], points[:, 1])

    def masses_beyond(self) -> Array:
        """Return e^epsilon Q(A) at each corner of a hull, A the event whose line ends there: P(A) is delta more."""
        fall, width = -np.diff(np.append(1.0, self.deltas)), np.diff(np.append(-math.inf, self.epsilons))
        return np.asarray(fall / -np.expm1(-width))


def _is_convex_at(corner: tuple[float, float], before: tuple[float, float], after: tuple[float, float]) -> bool:
    slope_before = (before[1] - corner[1]) / -math.expm1(before[0] - corner[0])
    width = after[0] - corner[0]
    slope_after = (corner[1] - after[1]) / math.expm1(width) if width < 700.0 else 0.0
    return slope_before > slope_after


def curve_of_losses(losses: Array, chances: Array, infinite: float = 0.0) -> EpsilonDeltaCurve:
    """Return the curve of increasing LOSSES, each with its probability under P: a broken line through them."""
    beyond = np.cumsum(chances[:0:-1])  # from the far end, where chances are small
    discounts = np.exp(-np.diff(losses))[::-1].tolist()
    added = (-np.expm1(-np.diff(losses))[::-1] * beyond).tolist()
    delta, deltas = 0.0, [0.0]
    for discount, more in zip(discounts, added, strict=True):
        delta = discount * delta + more
        deltas.append(delta)
    return EpsilonDeltaCurve(losses, np.array(deltas[::-1]) + infinite)


def lower_envelope(curves: Sequence[EpsilonDeltaCurve], epsilons: Array) -> Array:
    """Return the smallest of several upper bounds at EPSILONS."""
    return np.asarray(np.min([curve.at(epsilons) for curve in curves], axis=0))


def largest_curve(histories: Sequence[Sequence[EpsilonDeltaCurve]], epsilon: float = math.nan) -> EpsilonDeltaCurve:
    """Return the maximum over several histories at some thousands of points, all of them close to EPSILON.

    One history may be sharp where another is not, so each is bounded by all of its curves.
    """
    curves = [curve for each in histories for curve in each]
    most = max(MOST_POINTS // len(curves), 500)
    chosen = [curve.chosen_epsilons(most) for curve in curves]
    if not math.isnan(epsilon):
        chosen += [curve.epsilons_near(epsilon, POINTS_NEAR) for curve in curves]
    grid = np.unique(np.concatenate(chosen))
    bounds = np.array([lower_envelope(each, grid) for each in histories])
    crossings = _crossings(grid, bounds)
    at_crossings = np.max([lower_envelope(each, crossings) for each in histories], axis=0)
    places = np.searchsorted(grid, crossings)
    deltas = np.insert(np.max(bounds, axis=0), places, at_crossings)
    return EpsilonDeltaCurve(np.insert(grid, places, crossings), np.minimum.accumulate(deltas))


def _crossings(grid: Array, bounds: Array) -> Array:
    """Return where the largest of BOUNDS, piecewise linear in e^epsilon on GRID, changes to another history."""
    largest = np.argmax(bounds, axis=0)
    at = np.flatnonzero(largest[1:] != largest[:-1])
    before, after = largest[at], largest[at + 1]
    ahead = bounds[before, at] - bounds[after, at]
    behind = bounds[after, at + 1] - bounds[before, at + 1]
    share_behind = behind / np.maximum(ahead + behind, LEAST)
    return np.asarray(grid[at + 1] + np.log1p(share_behind * np.expm1(grid[at] - grid[at + 1])))
