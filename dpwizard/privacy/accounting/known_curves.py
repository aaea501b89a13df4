"""Releases of which only a curve is known: points (epsilon, delta), rho, the curve of another history.

Any valid points will do: the true curve is convex in e^epsilon and lies below every upper bound, and so below the lower
convex hull of (0, 1) and the points. Proofs: docs/methods/accounting.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpwizard.privacy.accounting.convolution import EpsilonDeltaCurve
from dpwizard.privacy.accounting.noises import LEAST, NARROW, UNIT, Array, Losses, Noise
from dpwizard.privacy.accounting.readings import Readings

ORDERS = 600  # orders of Renyi divergence tried for rho
MOST_CORNERS = 8_000  # of a history that becomes a part of another
NEAR, FAR_OUT = 400, 200  # points at which the curve of rho is taken


@dataclass(frozen=True)
class Profile(Noise):
    """The pair whose curve is a broken line in e^epsilon: its losses are the corners, with their chances under P."""

    corners: tuple[float, ...]
    chances: tuple[float, ...]
    infinite: float

    def losses(self, step: float, depth: float) -> Losses:
        return Losses(np.array(self.corners), np.array(self.chances), self.infinite)

    @property
    def variance(self) -> float:
        corners, chances = np.array(self.corners), np.array(self.chances)
        total = float(chances.sum())
        away = corners - float(chances @ corners) / total
        least = (float(np.ptp(corners)) / NARROW) ** 2
        return max(float(chances @ (away * away)) / total, least, 1e-24)

    @property
    def anchor(self) -> float:
        return self.corners[-1]

    @property
    def largest_loss(self) -> float:
        return math.inf if self.infinite else max(self.corners)


def profile(epsilons: Sequence[float] | Array, deltas: Sequence[float] | Array) -> Profile:
    """Return the pair of the least convex curve that keeps delta(EPSILONS[i]) <= DELTAS[i].

    EPSILONS ascend, at least one; the last delta holds for every larger epsilon. Slopes are taken with e^epsilon
    factored out, so that no epsilon is too large.
    """
    x, y = _hull([float(e) for e in epsilons], np.minimum.accumulate(np.clip(deltas, 0.0, 1.0)).tolist())
    fall, width = -np.diff(np.append(1.0, y)), np.diff(np.append(-math.inf, x))
    left = fall / -np.expm1(-width)  # what P holds from this corner on, by the slope on its left
    with np.errstate(over="ignore"):
        right = np.append(fall[1:] / np.expm1(width[1:]), 0.0)
    chances = np.maximum(left - right, 0.0) + 8.0 * UNIT * left + LEAST
    return Profile(tuple(x.tolist()), tuple(chances.tolist()), float(y[-1]))


def _hull(epsilons: list[float], deltas: list[float]) -> tuple[Array, Array]:
    """Return the corners of the lower convex hull, in e^epsilon, of (0, 1) and the points."""
    kept: list[tuple[float, float]] = []
    for x, y in zip(epsilons, deltas, strict=True):
        if kept and y >= kept[-1][1]:
            continue
        if kept and x <= kept[-1][0]:
            kept.pop()
        while kept and not _steeper(kept[-2] if len(kept) > 1 else (-math.inf, 1.0), kept[-1], (x, y)):
            kept.pop()
        kept.append((x, y))
    found = np.array(kept)
    return found[:, 0], found[:, 1]


def _steeper(before: tuple[float, float], here: tuple[float, float], after: tuple[float, float]) -> bool:
    """Return whether a curve through three points bends upwards at the middle one."""
    falls = (before[1] - here[1]) / -math.expm1(before[0] - here[0])
    width = after[0] - here[0]
    goes_on = (here[1] - after[1]) / math.expm1(width) if width < 700.0 else 0.0
    return falls > goes_on


def zcdp(rho: float, smallest: float = 1e-18) -> Profile:
    """Return a bound on all mechanisms together of which only the sum of their RHO > 0 is known.

    The best of ORDERS orders of Canonne, Kamath & Steinke 2020, Proposition 12; near 0 also Pinsker's sqrt(rho/2) and
    Bretagnolle's and Huber's sqrt(1 - e^-rho), as KL <= rho. Either world may be the one with the record. A group of k
    people has k^2 rho. Chances down to SMALLEST are read.
    """
    near = 6.0 * math.sqrt(rho)
    far = rho + 2.0 * math.sqrt(rho * (60.0 - math.log(smallest)))
    epsilons = np.concatenate([np.linspace(0.0, near, NEAR), np.linspace(near, max(far, 2.0 * near), FAR_OUT + 1)[1:]])
    more = np.exp(np.linspace(-8.0, 8.0, ORDERS)) * max(1.0, 1.0 / math.sqrt(rho))  # the order less 1
    order = 1.0 + more
    exponent = more * (order * rho - epsilons[:, None]) - order * np.log1p(1.0 / more) - np.log(more)
    best = np.exp(np.minimum(exponent.min(axis=1), 0.0)) * (1.0 + 1e-9)
    deltas = np.minimum(best, math.sqrt(min(0.5 * rho, -math.expm1(-rho))) * (1.0 + 8.0 * UNIT))
    other = (np.exp(-epsilons) * deltas - np.expm1(-epsilons)) * (1.0 + 8.0 * UNIT)  # delta(-epsilon)
    return profile(np.concatenate([-epsilons[:0:-1], epsilons]), np.concatenate([other[:0:-1], deltas]))


def one_of(history: Readings) -> Profile:
    """Return the pair that dominates HISTORY, as a part among others; of several, of which one is true, each."""
    return profile(*_whole(history))


def _whole(history: Readings) -> EpsilonDeltaCurve:
    """Return the curve of HISTORY, sharp in the middle and far out, at some thousands of points; any will do."""
    curves = [_thinned(history.near_chance(log)) for log in (0.0, -20.0, -60.0)]
    order = np.argsort(np.concatenate([curve.epsilons for curve in curves]), kind="stable")
    return EpsilonDeltaCurve(*(np.concatenate(each)[order] for each in zip(*curves, strict=True)))


def _thinned(curve: EpsilonDeltaCurve) -> EpsilonDeltaCurve:
    kept = np.unique(np.linspace(0, len(curve.epsilons) - 1, min(len(curve.epsilons), MOST_CORNERS)).astype(np.int64))
    return EpsilonDeltaCurve(curve.epsilons[kept], curve.deltas[kept])
