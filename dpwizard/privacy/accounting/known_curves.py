"""Releases known by a curve alone: points (epsilon, delta), a rho, or the curve of another history.

Any valid points give an upper bound: the true curve is below the lower convex hull, in e^epsilon, of (0, 1) and the
points. Proofs: docs/methods/accounting.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpwizard.privacy.accounting.curve import EpsilonDeltaCurve, lower_envelope
from dpwizard.privacy.accounting.noises import LEAST, NARROW, UNIT, Array, Losses, Noise
from dpwizard.privacy.accounting.readings import Readings

NEWTON_STEPS = 60  # for the best Renyi order of a rho
LEAST_ORDER = 1e-12  # less 1
MOST_CORNERS = 8_000  # the most points of a curve that is used as one noise of another history
POINTS_NEAR, POINTS_FAR = 600, 3_000  # the number of points of the curve of rho, near 0 and beyond


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
    points = EpsilonDeltaCurve(np.asarray(epsilons, dtype=float), np.minimum.accumulate(np.clip(deltas, 0.0, 1.0)))
    hull = points.hull()
    left = hull.masses_beyond()  # the mass from this corner on, from the slope on its left
    right = np.append(left[1:] * np.exp(-np.diff(hull.epsilons)), 0.0)
    chances = np.maximum(left - right, 0.0) + 8.0 * UNIT * left + LEAST
    return Profile(tuple(hull.epsilons.tolist()), tuple(chances.tolist()), float(hull.deltas[-1]))


def zcdp(rho: float) -> Profile:
    """Return a pair that dominates all mechanisms together whose total RHO > 0 is known.

    The best orders of Canonne, Kamath & Steinke 2020, Proposition 12; near 0 also Pinsker's sqrt(rho/2) and the
    Bretagnolle-Huber bound sqrt(1 - e^-rho), as KL <= rho. The record may be in either dataset. A group of k people
    has k^2 rho.
    """
    near_end = 6.0 * math.sqrt(rho)
    far_end = rho + 2.0 * math.sqrt(rho * 700.0)
    epsilons = np.concatenate(
        [
            np.linspace(0.0, near_end, POINTS_NEAR),
            np.linspace(near_end, max(far_end, 2.0 * near_end), POINTS_FAR + 1)[1:],
        ]
    )
    order_minus_1 = _best_orders(rho, epsilons)
    order = 1.0 + order_minus_1
    exponents = order_minus_1 * (order * rho - epsilons) - order * np.log1p(1.0 / order_minus_1) - np.log(order_minus_1)
    by_order = np.exp(np.minimum(exponents, 0.0)) * (1.0 + 1e-9)
    deltas = np.minimum(by_order, math.sqrt(min(0.5 * rho, -math.expm1(-rho))) * (1.0 + 8.0 * UNIT))
    negative_side = (np.exp(-epsilons) * deltas - np.expm1(-epsilons)) * (1.0 + 8.0 * UNIT)  # delta(-epsilon)
    return profile(np.concatenate([-epsilons[:0:-1], epsilons]), np.concatenate([negative_side[:0:-1], deltas]))


def _best_orders(rho: float, epsilons: Array) -> Array:
    """Return about the best orders less 1, by Newton's method: each order gives a valid bound.

    The exponent of Proposition 12 at order 1 + m has the slope (2 m + 1) rho - epsilon - log(1 + 1/m).
    """
    more = np.maximum((epsilons - rho) / (2.0 * rho), LEAST_ORDER)
    for _ in range(NEWTON_STEPS):
        slope = (2.0 * more + 1.0) * rho - epsilons - np.log1p(1.0 / more)
        more = np.maximum(more - slope / (2.0 * rho + 1.0 / (more * (1.0 + more))), LEAST_ORDER)
    return more


def one_of(history: Readings) -> Profile:
    """Return a pair that dominates HISTORY, or several, from some thousands of points: any are safe."""
    curves = [history.near_chance(log) for log in (0.0, -20.0, -60.0)]
    epsilons = np.unique(np.concatenate([curve.chosen_epsilons(MOST_CORNERS) for curve in curves]))
    return profile(epsilons, lower_envelope(curves, epsilons))
