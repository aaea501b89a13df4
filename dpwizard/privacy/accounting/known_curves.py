"""Releases known by a curve alone: points (epsilon, delta), a rho, or the curve of another history.

Any valid points give an upper bound: the true curve is below the lower convex hull, in e^epsilon, of (0, 1) and the
points. Proofs: docs/methods/accounting.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpwizard.privacy.accounting.convolution import EpsilonDeltaCurve
from dpwizard.privacy.accounting.noises import LEAST, NARROW, UNIT, Array, Losses, Noise
from dpwizard.privacy.accounting.readings import Readings

ORDERS = 600  # the number of Renyi orders tried for rho
MOST_CORNERS = 8_000  # the most points of a curve that is used as one noise of another history
POINTS_NEAR, POINTS_FAR = 400, 200  # the number of points of the curve of rho, near 0 and beyond


@dataclass(frozen=True)
class Profile(Noise):
    """The pair with a piecewise linear curve in e^epsilon: its losses are the corners, with P-probabilities."""

    corners: tuple[float, ...]
    chances: tuple[float, ...]
    infinite: float

    def losses(self, step: float, depth: float) -> Losses:
        return Losses(np.array(self.corners), np.array(self.chances), self.infinite)

    @property
    def variance(self) -> float:
        corners, chances = np.array(self.corners), np.array(self.chances)
        total = float(chances.sum())
        deviation = corners - float(chances @ corners) / total
        least = (float(np.ptp(corners)) / NARROW) ** 2
        return max(float(chances @ (deviation * deviation)) / total, least, 1e-24)

    @property
    def anchor(self) -> float:
        return self.corners[-1]

    @property
    def largest_loss(self) -> float:
        return max(self.corners)


def profile(epsilons: Sequence[float] | Array, deltas: Sequence[float] | Array) -> Profile:
    """Return the pair with the smallest convex curve above delta(EPSILONS[i]) <= DELTAS[i].

    EPSILONS increase, at least one; the last delta holds for every larger epsilon. Slopes are computed with e^epsilon
    factored out, so no epsilon is too large.
    """
    x, y = _lower_hull([float(e) for e in epsilons], np.minimum.accumulate(np.clip(deltas, 0.0, 1.0)).tolist())
    fall, width = -np.diff(np.append(1.0, y)), np.diff(np.append(-math.inf, x))
    left = fall / -np.expm1(-width)  # the mass under P from this corner on, from the slope on its left
    with np.errstate(over="ignore"):
        right = np.append(fall[1:] / np.expm1(width[1:]), 0.0)
    chances = np.maximum(left - right, 0.0) + 8.0 * UNIT * left + LEAST
    return Profile(tuple(x.tolist()), tuple(chances.tolist()), float(y[-1]))


def _lower_hull(epsilons: list[float], deltas: list[float]) -> tuple[Array, Array]:
    """Return the corners of the lower convex hull, in e^epsilon, of (0, 1) and the points."""
    corners: list[tuple[float, float]] = []
    for x, y in zip(epsilons, deltas, strict=True):
        if corners and y >= corners[-1][1]:
            continue
        if corners and x <= corners[-1][0]:
            corners.pop()
        while corners and not _is_convex_at(corners[-1], corners[-2] if len(corners) > 1 else (-math.inf, 1.0), (x, y)):
            corners.pop()
        corners.append((x, y))
    points = np.array(corners)
    return points[:, 0], points[:, 1]


def _is_convex_at(corner: tuple[float, float], before: tuple[float, float], after: tuple[float, float]) -> bool:
    slope_before = (before[1] - corner[1]) / -math.expm1(before[0] - corner[0])
    width = after[0] - corner[0]
    slope_after = (corner[1] - after[1]) / math.expm1(width) if width < 700.0 else 0.0
    return slope_before > slope_after


def zcdp(rho: float, smallest: float = 1e-18) -> Profile:
    """Return a pair that dominates all mechanisms together whose total RHO > 0 is known.

    The best of ORDERS orders of Canonne, Kamath & Steinke 2020, Proposition 12; near 0 also Pinsker's sqrt(rho/2) and
    the Bretagnolle-Huber bound sqrt(1 - e^-rho), as KL <= rho. The record may be in either dataset. A group of k people
    has k^2 rho. The curve is evaluated down to the probability SMALLEST.
    """
    near_end = 6.0 * math.sqrt(rho)
    far_end = rho + 2.0 * math.sqrt(rho * (60.0 - math.log(smallest)))
    epsilons = np.concatenate(
        [
            np.linspace(0.0, near_end, POINTS_NEAR),
            np.linspace(near_end, max(far_end, 2.0 * near_end), POINTS_FAR + 1)[1:],
        ]
    )
    order_minus_1 = np.exp(np.linspace(-8.0, 8.0, ORDERS)) * max(1.0, 1.0 / math.sqrt(rho))
    order = 1.0 + order_minus_1
    exponents = (
        order_minus_1 * (order * rho - epsilons[:, None])
        - order * np.log1p(1.0 / order_minus_1)
        - np.log(order_minus_1)
    )
    by_order = np.exp(np.minimum(exponents.min(axis=1), 0.0)) * (1.0 + 1e-9)
    deltas = np.minimum(by_order, math.sqrt(min(0.5 * rho, -math.expm1(-rho))) * (1.0 + 8.0 * UNIT))
    negative_side = (np.exp(-epsilons) * deltas - np.expm1(-epsilons)) * (1.0 + 8.0 * UNIT)  # delta(-epsilon)
    return profile(np.concatenate([-epsilons[:0:-1], epsilons]), np.concatenate([negative_side[:0:-1], deltas]))


def one_of(history: Readings) -> Profile:
    """Return a pair that dominates HISTORY, or several, from some thousands of points: any are safe."""
    curves = [_thin_out(history.near_chance(log)) for log in (0.0, -20.0, -60.0)]
    order = np.argsort(np.concatenate([curve.epsilons for curve in curves]), kind="stable")
    epsilons, deltas = (np.concatenate(values)[order] for values in zip(*curves, strict=True))
    return profile(epsilons, deltas)


def _thin_out(curve: EpsilonDeltaCurve) -> EpsilonDeltaCurve:
    chosen = np.unique(np.linspace(0, len(curve.epsilons) - 1, min(len(curve.epsilons), MOST_CORNERS)).astype(np.int64))
    return EpsilonDeltaCurve(curve.epsilons[chosen], curve.deltas[chosen])
