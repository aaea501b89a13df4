"""A prior as seen from one guess: what lies left of it, inside it and right of it, and how a tilt weighs each.

Everything is measured in precisions from the truth: t = (x - truth)/precision, correct guesses |t| <= 1.
Every bound of :mod:`dpwizard.privacy.guessing_advantage.bounds` is made of one quantity, ``around(region, s, c)``: the
log of E[e^(-s |T - c|)] given the region, exact for every family and precise relative to itself even where s is tiny.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from decimal import Context, Decimal
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dpwizard.errors import SolverFailure
from dpwizard.numerics import decimal

Floats = NDArray[np.float64]
Region = Literal["left", "inside", "right"]
REGIONS: tuple[Region, ...] = ("left", "inside", "right")

EXACT = Context(prec=60, Emin=-10_000, Emax=10_000)  # decimals are subtracted without rounding, as they are written
LARGEST = 1e300
MILD = 0.3  # a log mean below this in size is computed again by its difference from 1
MANY_SHELLS = 4_000


def apart(value: float, origin: float, unit: float) -> float:
    """Return (VALUE - ORIGIN)/UNIT, the numbers read as the decimals they are written as, rounded once; at most
    1e300."""
    difference = EXACT.subtract(Decimal(repr(value)), Decimal(repr(origin)))
    return min(max(float(EXACT.divide(difference, Decimal(repr(unit)))), -LARGEST), LARGEST)


def within(value: float, origin: float, reach: float) -> bool:
    """Tell whether |VALUE - ORIGIN| <= REACH, compared as the decimals they are written as."""
    difference = abs(EXACT.subtract(Decimal(repr(value)), Decimal(repr(origin))))
    edge = Decimal(repr(reach))
    if difference == edge:  # sixty digits may not tell 1e300 from 1e300 + 1e-300
        return abs(decimal(value) - decimal(origin)) <= decimal(reach)
    return difference < edge


def written(values: Floats) -> Floats:
    """Return what must be added to each of VALUES to make it the decimal it is written as (at most half a unit in the
    last place)."""
    return np.array(
        [
            0.0 if abs(x) < 1e15 and x.is_integer() else float(EXACT.subtract(Decimal(repr(x)), Decimal(x)))
            for x in values.tolist()
        ]
    )


def all_apart(values: Floats, fixes: Floats, origin: float, unit: float) -> Floats:
    """Return (values - origin)/unit of the decimals, to a few units in the last place; FIXES as from ``written``."""
    plain = values - origin
    back = plain - values
    lost = (values - (plain - back)) - (origin + back)  # what the subtraction rounded away, exactly
    fix = float(written(np.array([origin]))[0])
    return np.clip((plain + (lost + (fixes - fix))) / unit, -LARGEST, LARGEST)


def log_sum(left: float, right: float) -> float:
    """Return log(e^left + e^right); -inf is nothing."""
    high, low = (left, right) if left > right else (right, left)
    return high if low == -math.inf or high == math.inf else high + math.log1p(math.exp(low - high))


def log_phi(x: float) -> float:
    """Return log((1 - e^-x)/x) for x >= 0: the mean of e^-y over [0, x]."""
    return -x / 2.0 if x < 1e-9 else math.log(-math.expm1(-x) / x)


def crossing(gauge: Callable[[float], tuple[float, float]], low: float, high: float, start: float | None) -> float:
    """Return c in (low, high) where GAUGE, which climbs from -inf to inf, is zero; gauge(c) gives value and slope.

    Newton's method on the scale log((c - low)/(high - c)), on which the gauge is nearly straight, inside a bracket.
    The bounds depend on c in second order, so a value below 1e-9 is as good as zero.
    """
    bottom, top = low, high
    c = start if start is not None and low < start < high else low + (high - low) / 2.0
    for _ in range(100):
        if not low < c < high:  # the two ends are neighbours in floating point
            break
        value, slope = gauge(c)
        if value < 0.0:
            bottom = c
        else:
            top = c
        if abs(value) < 1e-9 or top - bottom <= 4e-16 * max(abs(top), abs(bottom)):
            break
        share, rest = (c - low) / (high - low), (high - c) / (high - low)
        rate = slope * (high - low) * share * rest
        step = value / rate if math.isfinite(value) and math.isfinite(rate) and rate > 0.0 else math.inf
        if abs(step) < 30.0:
            odds = share / rest * math.exp(-step)
            c = low + (high - low) * (odds / (1.0 + odds))
        if not bottom < c < top or abs(step) >= 30.0:
            c = bottom + (top - bottom) / 2.0
    return c


class View(ABC):
    """What lies left of, inside and right of the correct guesses. LOGS are the logs of the three masses."""

    a: float  # the outermost correct guesses that have mass, as coordinates of this view
    b: float
    low_edge: float  # the edges of the interval of correct guesses, t = -1 and t = 1
    high_edge: float
    reach: float  # the widest distance within the support, in precisions; may be infinite
    limit: float = math.inf  # the drop is to 0 from this loss on: the upper tail is too heavy
    grain: float = 8.0  # a bound on the rounding error of ``around``, in units in the last place

    def __init__(self, left: float, inside: float, right: float) -> None:
        """Arguments: logs of the three masses, with any common summand."""
        outside = log_sum(left, right)
        if not math.isfinite(log_sum(outside, inside)):
            raise SolverFailure(
                "the prior has no mass that floating point can see", "prior", "Bring its numbers closer to each other."
            )
        self.impossible, self.certain = inside == -math.inf, outside == -math.inf
        self.log_odds = odds = outside - inside  # against a correct guess
        if odds > 0.0:
            self.log_outside = -math.log1p(math.exp(-odds))
            self.log_inside = self.log_outside - odds
        else:
            self.log_inside = -math.log1p(math.exp(odds))
            self.log_outside = self.log_inside + odds
        self.share_left = left - outside if left > -math.inf else -math.inf
        self.share_right = right - outside if right > -math.inf else -math.inf
        self.log_left, self.log_right = self.share_left + self.log_outside, self.share_right + self.log_outside
        self.inside, self.outside = math.exp(self.log_inside), math.exp(self.log_outside)

    def share(self, left: float, inside: float, right: float) -> None:
        """Set the prior probabilities from masses themselves, which spares them the way through logs."""
        total = left + inside + right
        if 1e-280 < total < 1e290:
            self.inside, self.outside = inside / total, (left + right) / total

    @abstractmethod
    def around(self, region: Region, s: float, c: float) -> float:
        """Return log E[e^(-s |T - c|) | REGION], s of either sign, c a coordinate; inf where the mean diverges."""

    @abstractmethod
    def best(self, s: float, start: float | None = None) -> float:
        """Return the c inside at which the odds are extreme: the smallest for s > 0, the largest for s < 0."""

    def coordinate(self, t: float) -> float:
        """Return the coordinate of T."""
        return t

    def t_of(self, c: float) -> float:
        """Return t at coordinate C."""
        return c

    def edge_density(self, side: int) -> float:
        """Return the density per precision just inside the edge t = SIDE (-1 or 1) of the correct guesses; 0 for
        atoms."""
        return 0.0

    @abstractmethod
    def shells(self, s: float) -> float:
        """Return log of the sum over n >= 1 of e^(-s n) P(n < |T| <= n + 1), given a wrong guess."""

    def share_exactly(self) -> Fraction | None:
        """Return the prior probability of a correct guess as a fraction, the inputs read as decimals; None where it is
        irrational."""
        return None


class DensityView(View):
    """A view of a prior with a density."""

    @abstractmethod
    def below(self, t: Floats) -> Floats:
        """Return P(T <= t) for an array."""

    @abstractmethod
    def above(self, t: Floats) -> Floats:
        """Return P(T > t) for an array."""

    @abstractmethod
    def landmarks(self) -> tuple[float, ...]:
        """Return t at the edges of stretches on which the density is smooth, in order."""
