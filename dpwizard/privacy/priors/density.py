"""A prior relative to an origin, in precisions, for the limits on guessing.

A position is t = (x - origin)/precision. A density gives the mass of an interval and bounds on the slope of its
logarithm; quantiles only determine where cells are cut, and no limit depends on them
(docs/methods/guessing_advantage.md).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpwizard.base.numerics import real
from dpwizard.base.stopping import may_stop

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

FARTHEST = 1e300  # positions beyond it are set to this


def place_of(value: Fraction, origin: Fraction, precision: Fraction) -> float:
    """Return (value - origin)/precision, rounded once; at most FARTHEST in size."""
    return min(max(real((value - origin) / precision), -FARTHEST), FARTHEST)


class Density(ABC):
    """A prior with a density, in precisions from an origin; the ends of its support may be infinite."""

    jumps: Floats = np.empty(0)  # where the density jumps inside the support
    convex_from: float = math.inf  # beyond it the log density falls and is convex

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    @abstractmethod
    def log_mass(self, lo: Floats, hi: Floats) -> Floats:
        """Return log P(lo < T < hi); -inf where there is no mass."""

    @abstractmethod
    def slopes(self, lo: Floats, hi: Floats) -> tuple[Floats, Floats]:
        """Return the smallest and largest d log f/dt on (lo, hi), which has no jump inside; either may be infinite."""

    @abstractmethod
    def quantiles(self, shares: Floats) -> Floats:
        """Return approximate quantiles at SHARES."""

    @abstractmethod
    def heights(self, places: Floats) -> Floats:
        """Return the density at PLACES of the support, for drawing; it may be infinite at an end."""

    def below(self, places: Floats) -> Floats:
        """Return P(T <= place) for each of PLACES."""
        return self.mass(np.full(np.shape(places), self.low), places)

    def mass(self, lo: Floats, hi: Floats) -> Floats:
        with np.errstate(under="ignore"):
            return np.asarray(np.exp(self.log_mass(lo, hi)))

    def holds_truths(self, lo: Floats, hi: Floats) -> NDArray[np.bool_]:
        """Return whether each interval contains a possible true value."""
        return np.ones(np.shape(lo), dtype=bool)

    def exact_mass(self, lo: Fraction, hi: Fraction) -> Fraction | None:
        """Return P(lo < T < hi) as a fraction; None if it is irrational."""
        return None

    def inside(self, places: Floats) -> Floats:
        return np.clip(places, self.low, self.high)


SMALL_CHANGE = 1e-4  # a smaller change of the log density: the mass is the density times the width


def log_normal_mass(a: Floats, b: Floats, width: Floats) -> Floats:
    """Return log P(a < Z < b) of a standard normal Z, exact in either tail.

    Arguments: a and b; width, b - a before a and b were rounded, which may lose all of it.
    """
    from scipy.special import log_ndtr

    upper_tail = a > 0.0
    first, last = np.where(upper_tail, -b, a), np.where(upper_tail, -a, b)
    log_first, log_last = log_ndtr(first), log_ndtr(last)
    with np.errstate(all="ignore"):
        share = np.log(-np.expm1(np.minimum(log_first - log_last, 0.0)))
        log_mass = np.where(log_first == -math.inf, log_last, log_last + share)
        middle = a + width / 2.0
        second_order = (middle * middle - 1.0) * width * width / 24.0
        height_times_width = np.log(width / math.sqrt(2.0 * math.pi)) - middle * middle / 2.0 + second_order
        narrow = width * (1.0 + np.abs(middle)) < SMALL_CHANGE
    return np.where(width > 0.0, np.where(narrow, height_times_width, log_mass), -math.inf)


class Bins(Density):
    """A constant density in each bin: uniform and histogram."""

    def __init__(self, edges: list[Fraction], weights: list[Fraction], origin: Fraction, precision: Fraction) -> None:
        may_stop()
        total = sum(weights)
        with_mass = [n for n, weight in enumerate(weights) if weight > 0]
        self._exact_edges, self._origin, self._precision = edges, origin, precision
        self._exact_shares = [weight / total for weight in weights]
        self.jumps = np.array([place_of(edge, origin, precision) for edge in edges])
        may_stop()
        self._shares = np.array([real(share) for share in self._exact_shares])
        self._sums = _pairwise_sums(self._shares)
        super().__init__(float(self.jumps[with_mass[0]]), float(self.jumps[with_mass[-1] + 1]))

    def log_mass(self, lo: Floats, hi: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.mass(lo, hi)))

    def mass(self, lo: Floats, hi: Floats) -> Floats:
        """Return P(lo < T < hi): parts of two bins and the sum of the whole bins between them."""
        lo, hi = self.inside(np.asarray(lo, dtype=float)), self.inside(np.asarray(hi, dtype=float))
        hi = np.maximum(lo, hi)
        last_bin = self._shares.size - 1
        first = np.clip(np.searchsorted(self.jumps, lo, "right") - 1, 0, last_bin)
        last = np.clip(np.searchsorted(self.jumps, hi, "left") - 1, 0, last_bin)
        same = first >= last
        density = self._shares / np.diff(self.jumps)
        within_one_bin = density[first] * (hi - lo)
        partial_bins = density[first] * (self.jumps[first + 1] - lo) + density[last] * (hi - self.jumps[last])
        whole_bins = _range_sums(self._sums, first + 1, np.maximum(last, first + 1))
        return np.asarray(np.where(same, within_one_bin, partial_bins + whole_bins))

    def slopes(self, lo: Floats, hi: Floats) -> tuple[Floats, Floats]:
        within_a_bin = np.searchsorted(self.jumps, lo, "right") == np.searchsorted(self.jumps, hi, "left")
        steepest = np.where(within_a_bin, 0.0, math.inf)
        return -steepest, steepest

    def quantiles(self, shares: Floats) -> Floats:
        below = np.concatenate([[0.0], np.cumsum(self._shares)])
        return np.interp(shares, below, self.jumps)

    def heights(self, places: Floats) -> Floats:
        bins = np.clip(np.searchsorted(self.jumps, places, "right") - 1, 0, self._shares.size - 1)
        return np.asarray((self._shares / np.diff(self.jumps))[bins])

    def holds_truths(self, lo: Floats, hi: Floats) -> NDArray[np.bool_]:
        return self.mass(lo, hi) > 0.0

    def exact_mass(self, lo: Fraction, hi: Fraction) -> Fraction:
        mass = Fraction(0)
        lo, hi = lo * self._precision + self._origin, hi * self._precision + self._origin
        for first, last, share in zip(self._exact_edges, self._exact_edges[1:], self._exact_shares, strict=False):
            overlap = min(hi, last) - max(lo, first)
            if overlap > 0:
                mass += share * overlap / (last - first)
        return mass


def _pairwise_sums(shares: Floats) -> list[Floats]:
    """Return sums of 1, 2, 4, ... neighbours: level k, place n holds shares[n] + ... + shares[n + 2^k - 1]."""
    levels = [shares]
    while levels[-1].size > 2 ** (len(levels) - 1):
        step = 2 ** (len(levels) - 1)
        levels.append(levels[-1][:-step] + levels[-1][step:])
    return levels


def _range_sums(levels: list[Floats], first: Indices, after: Indices) -> Floats:
    """Return the sums of shares[first:after], without subtracting larger sums."""
    sums, start = np.zeros(np.shape(first)), np.array(first)
    for k in reversed(range(len(levels))):
        fits = start + 2**k <= after
        sums = sums + np.where(fits, levels[k][np.minimum(start, levels[k].size - 1)], 0.0)
        start = np.where(fits, start + 2**k, start)
    return sums


class PointMasses:
    """A prior on a list of values, in precisions from an origin, with positive masses that add up to 1."""

    def __init__(self, masses: Mapping[Fraction, Fraction], origin: Fraction, precision: Fraction) -> None:
        total = sum(masses.values())
        values = sorted(value for value, mass in masses.items() if mass > 0)
        self.exact_places = [(value - origin) / precision for value in values]
        self.exact_shares = [masses[value] / total for value in values]
        self.places = np.array([place_of(value, origin, precision) for value in values])
        self.shares = np.array([real(share) for share in self.exact_shares])

    @property
    def low(self) -> float:
        return float(self.places[0])

    @property
    def high(self) -> float:
        return float(self.places[-1])

    def below(self, places: Floats) -> Floats:
        """Return P(T <= place) for each of PLACES."""
        return np.concatenate([[0.0], np.cumsum(self.shares)])[np.searchsorted(self.places, places, "right")]

    def quantiles(self, shares: Floats) -> Floats:
        """Return the smallest values with at least SHARES of the mass up to them."""
        first = np.searchsorted(np.cumsum(self.shares), shares * (1.0 - 1e-12))
        return self.places[np.minimum(first, self.places.size - 1)]
