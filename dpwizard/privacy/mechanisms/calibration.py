"""How much noise a budget buys that has no largest loss: its calibration, from epsilon at a delta, or rho, to mu.

mu is how far apart two worlds lie in standard deviations of the noise. Continuous Gaussian noise is calibrated exactly,
whatever its dimension; discrete noise by what zCDP says, which holds for any number of figures, and one figure alone by
its own law. **Discrete noise is never calibrated as the continuous one**: at sigma 1 and delta 0.01 that says 2.3178
where 2.3639 is true. What a release tells is no matter of its calibration: that is read of one curve
(dpwizard.privacy.accounting).

What zero-concentrated privacy alone says as epsilon at a delta is the best of its orders, or the familiar bound.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

from dpwizard.base.numerics import down, largest, lowest_place, up

WIDEST = 700.0  # the logarithm of the orders looked at: beyond it nothing changes


def loose_epsilon(rho: float, delta: float) -> float:
    """Return rho + 2 sqrt(rho ln(1/delta)), rounded up (Bun & Steinke 2016, Proposition 1.3)."""
    return up(rho + 2.0 * math.sqrt(rho * -math.log(delta)), 4)


def loose_rho(epsilon: float, delta: float) -> float:
    """Return the root of rho + 2 sqrt(rho ln(1/delta)) = EPSILON, without cancellation; rounded down."""
    rest = -math.log(delta)
    return down((epsilon / (math.sqrt(rest + epsilon) + math.sqrt(rest))) ** 2, 8)


def zcdp_epsilon(rho: float, delta: float) -> float:
    """Return an epsilon that RHO >= 0 keeps at DELTA in (0, 1): **never below the best**, 1e-9 relative above at most.

    Source: Canonne, Kamath & Steinke 2020, Proposition 12.
    """
    return 0.0 if rho == 0.0 else min(loose_epsilon(rho, delta), _cks(rho, delta))


@lru_cache(maxsize=64)  # all tables of a release ask for one and the same
def zcdp_rho(epsilon: float, delta: float) -> float:
    """Return the largest rho whose zcdp_epsilon at DELTA in (0, 1) is at most EPSILON >= 0; rounded down.

    An order a keeps EPSILON up to rho = (epsilon - c(a)) / a: the best of them, checked by its own epsilon.
    """
    loose = loose_rho(epsilon, delta)
    if epsilon == 0.0 or math.isinf(epsilon):
        return loose if epsilon == 0.0 else math.inf
    found = down(-_least(lambda more: (_rest(more, delta) - epsilon) / (1.0 + more), loose, delta), 256)
    if found > loose and zcdp_epsilon(found, delta) <= epsilon:
        return found
    return largest(lambda rho: zcdp_epsilon(rho, delta) <= epsilon, loose, 2.0 * epsilon + 10.0)


def _cks(rho: float, delta: float) -> float:
    """Return the least over orders a > 1 of a rho + c(a), rounded up."""
    return max(0.0, up(_least(lambda more: (1.0 + more) * rho + _rest(more, delta), rho, delta), 64))


def _rest(more: float, delta: float) -> float:
    """Return c(a) = (ln(1/delta) + a ln(1 - 1/a) - ln(a - 1)) / (a - 1) at a = 1 + MORE."""
    return (-math.log(delta) - (1.0 + more) * math.log1p(1.0 / more) - math.log(more)) / more


def _least(value: Callable[[float], float], rho: float, delta: float) -> float:
    """Return the least VALUE seen at orders around the best one for RHO, given as their distance from 1."""
    rest = -math.log(delta)
    near = 0.5 * (math.log(rest) - math.log(rho)) if rest > 0.0 and rho > 0.0 else 0.0  # about sqrt(ln(1/delta) / rho)
    places = sorted({min(max(near + step, -WIDEST), WIDEST) for step in range(-12, 13)})

    def at(log_more: float) -> float:
        return value(math.exp(log_more))

    best = min(range(len(places)), key=lambda index: at(places[index]))
    low, high = places[max(best - 1, 0)], places[min(best + 1, len(places) - 1)]
    return min(at(lowest_place(at, low, high, 1e-9)), at(places[best]))


# ------------------------------------------------------------------------------------------ the rules of calibration


@dataclass(frozen=True)
class Calibration(ABC):
    """One rule by which epsilon at a delta is told from mu, and mu from epsilon."""

    error: ClassVar[float] = 1e-12  # relative: how far mu may lie below the largest there is
    exact: ClassVar[bool] = True  # whether it is that of the noise itself, and no bound
    normal: ClassVar[bool] = False  # whether the noise is continuous Gaussian: its worlds are two normal laws

    @abstractmethod
    def mu(self, epsilon: float, delta: float) -> float:
        """Return the largest mu found to keep EPSILON at DELTA, rounded down; 0 where no finite noise does."""

    @abstractmethod
    def epsilon(self, mu: float, delta: float) -> float:
        """Return the smallest epsilon that MU keeps at DELTA, rounded up; inf where none does."""

    def largest_epsilon(self, mu: float, delta: float) -> float | None:
        """Return the largest epsilon found whose noise keeps two worlds no farther apart than MU; None where none does.

        Such noise is never smaller than that of MU; under continuous noise, and by zCDP, it is the same.
        """
        found, step = self.epsilon(mu, delta), 1e-14
        while found > 0.0 and self.mu(found, delta) > mu:  # what was rounded up is taken back, a little more each time
            found, step = found * (1.0 - min(step, 1.0)), 2.0 * step
        if found == 0.0 < mu or not self.mu(found, delta) <= mu:
            return None  # of an epsilon of 0 delta alone keeps the promise
        if math.isinf(found) or self.mu(found, delta) >= mu * (1.0 - 1e-6):
            return found
        high = found  # of one figure with discrete noise several epsilons belong to one sigma
        while self.mu(2.0 * high, delta) <= mu:
            high *= 2.0
        return largest(lambda epsilon: self.mu(epsilon, delta) <= mu, high, 2.0 * high, 1e-12)

    def farther(self, mu: float, delta: float, times: float) -> float:
        """Return the epsilon of a pair of worlds so many TIMES as far apart, under the same noise; rounded up."""
        return self.epsilon(up(times * mu, 8), delta)


@dataclass(frozen=True)
class ZcdpConversion(Calibration):
    """What zCDP at rho = mu^2/2 says: of any number of figures, with continuous noise or discrete."""

    error: ClassVar[float] = 1e-9
    exact: ClassVar[bool] = False

    def mu(self, epsilon: float, delta: float) -> float:
        if not 0.0 < delta < 1.0:
            return 0.0 if delta <= 0.0 else math.inf
        return down(math.sqrt(2.0 * zcdp_rho(epsilon, delta)), 4)

    def epsilon(self, mu: float, delta: float) -> float:
        if mu == 0.0 or delta >= 1.0:
            return 0.0
        if delta == 0.0 or math.isinf(mu) or mu > 1e150:
            return math.inf
        return zcdp_epsilon(up(mu * mu / 2.0, 4), delta)


@lru_cache(maxsize=64)  # thousands of tables ask for one and the same
def _mu_of_rho(rho: float) -> float:
    root = math.sqrt(2.0 * rho)
    return root if Fraction(root) ** 2 <= 2 * Fraction(rho) else math.nextafter(root, 0.0)


@dataclass(frozen=True)
class RhoBudget(Calibration):
    """No epsilon at all: what is called one is rho itself, mu = sqrt(2 rho), and no delta is read.

    Of Gaussian noise rho = D^2 / (2 sigma^2) is the whole curve (Bun & Steinke 2016, Proposition 1.6), and of discrete
    Gaussian noise what zCDP says of it (Canonne, Kamath & Steinke 2020, Theorem 4).
    """

    error: ClassVar[float] = 0.0
    exact: ClassVar[bool] = False
    normal: ClassVar[bool] = True

    def mu(self, epsilon: float, delta: float) -> float:
        return _mu_of_rho(epsilon)

    def epsilon(self, mu: float, delta: float) -> float:
        return up(mu * mu / 2.0, 2) if mu < 1e150 else math.inf


@dataclass(frozen=True)
class WholeInRho(RhoBudget):
    """The same of discrete noise, or of discrete and continuous noise together."""

    normal: ClassVar[bool] = False


ZCDP, IN_RHO, WHOLE_IN_RHO = ZcdpConversion(), RhoBudget(), WholeInRho()
