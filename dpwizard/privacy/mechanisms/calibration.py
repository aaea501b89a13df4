"""The calibration of unbounded noise: from epsilon at a delta, or from rho, to mu.

mu is the distance of two neighbouring datasets in standard deviations of the noise. **Discrete noise is never
calibrated as the continuous one**: at sigma 1 and delta 0.01 that gives 2.3178, but 2.3639 is true. zCDP holds for any
number of figures, the exact curve of the noise for one figure alone.
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

LARGEST_LOG_ORDER = 700.0  # the largest log of a Renyi order; larger ones give the same


def loose_epsilon(rho: float, delta: float) -> float:
    """Return rho + 2 sqrt(rho ln(1/delta)), rounded up (Bun & Steinke 2016, Proposition 1.3)."""
    return up(rho + 2.0 * math.sqrt(rho * -math.log(delta)), 4)


def loose_rho(epsilon: float, delta: float) -> float:
    """Return the root of rho + 2 sqrt(rho ln(1/delta)) = EPSILON, without cancellation; rounded down."""
    log_inverse_delta = -math.log(delta)
    return down((epsilon / (math.sqrt(log_inverse_delta + epsilon) + math.sqrt(log_inverse_delta))) ** 2, 8)


def zcdp_epsilon(rho: float, delta: float) -> float:
    """Return an epsilon for RHO >= 0 at DELTA in (0, 1): **never below the best**, at most 1e-9 relative above.

    It is the least of a rho + c(a) over orders a > 1. Source: Canonne, Kamath & Steinke 2020, Proposition 12.
    """
    if rho == 0.0:
        return 0.0
    best = _least_over_orders(lambda more: (1.0 + more) * rho + _order_cost(more, delta), rho, delta)
    return min(loose_epsilon(rho, delta), max(0.0, up(best, 64)))


@lru_cache(maxsize=64)  # the same for all tables of a release
def zcdp_rho(epsilon: float, delta: float) -> float:
    """Return the largest rho whose zcdp_epsilon at DELTA in (0, 1) is at most EPSILON >= 0; rounded down.

    An order a gives at most EPSILON up to rho = (epsilon - c(a)) / a: the best of them is checked by its own epsilon.
    """
    loose = loose_rho(epsilon, delta)
    if epsilon == 0.0 or math.isinf(epsilon):
        return loose if epsilon == 0.0 else math.inf
    best = down(
        -_least_over_orders(lambda more: (_order_cost(more, delta) - epsilon) / (1.0 + more), loose, delta), 256
    )
    if best > loose and zcdp_epsilon(best, delta) <= epsilon:
        return best
    return largest(lambda rho: zcdp_epsilon(rho, delta) <= epsilon, loose, 2.0 * epsilon + 10.0)


def _order_cost(more: float, delta: float) -> float:
    """Return c(a) = (ln(1/delta) + a ln(1 - 1/a) - ln(a - 1)) / (a - 1) at a = 1 + MORE."""
    return (-math.log(delta) - (1.0 + more) * math.log1p(1.0 / more) - math.log(more)) / more


def _least_over_orders(value: Callable[[float], float], rho: float, delta: float) -> float:
    """Return the least VALUE found over orders around the best one for RHO; VALUE takes the order minus 1."""
    log_inverse_delta = -math.log(delta)
    log_best = (
        0.5 * (math.log(log_inverse_delta) - math.log(rho)) if log_inverse_delta > 0.0 and rho > 0.0 else 0.0
    )  # about sqrt(ln(1/delta) / rho)
    tried = sorted({min(max(log_best + step, -LARGEST_LOG_ORDER), LARGEST_LOG_ORDER) for step in range(-12, 13)})

    def value_at_log(log_more: float) -> float:
        return value(math.exp(log_more))

    lowest = min(range(len(tried)), key=lambda index: value_at_log(tried[index]))
    low, high = tried[max(lowest - 1, 0)], tried[min(lowest + 1, len(tried) - 1)]
    return min(value_at_log(lowest_place(value_at_log, low, high, 1e-9)), value_at_log(tried[lowest]))


@dataclass(frozen=True)
class Calibration(ABC):
    """A rule that converts epsilon at a delta to mu, and back."""

    error: ClassVar[float] = 1e-12  # relative: the most by which mu is below the largest possible
    exact: ClassVar[bool] = True  # whether it is the exact curve of the noise, not a bound
    normal: ClassVar[bool] = False  # whether the noise is continuous Gaussian

    @abstractmethod
    def mu(self, epsilon: float, delta: float) -> float:
        """Return the largest mu found that is (EPSILON, DELTA)-DP, rounded down; 0 if no finite noise is."""

    @abstractmethod
    def epsilon(self, mu: float, delta: float) -> float:
        """Return the smallest epsilon of MU at DELTA, rounded up; inf if there is none."""

    def largest_epsilon(self, mu: float, delta: float) -> float | None:
        """Return the largest epsilon found whose noise has a distance of MU or less; None if there is none.

        Its noise is never smaller than that of MU; with continuous noise, and by zCDP, it is equal.
        """
        epsilon, step = self.epsilon(mu, delta), 1e-14
        while epsilon > 0.0 and self.mu(epsilon, delta) > mu:  # undoes the rounding, in growing steps
            epsilon, step = epsilon * (1.0 - min(step, 1.0)), 2.0 * step
        if epsilon == 0.0 < mu or not self.mu(epsilon, delta) <= mu:
            return None  # delta alone is enough at epsilon 0
        if math.isinf(epsilon) or self.mu(epsilon, delta) >= mu * (1.0 - 1e-6):
            return epsilon
        high = epsilon  # with discrete noise several epsilons may have the same sigma
        while self.mu(2.0 * high, delta) <= mu:
            high *= 2.0
        return largest(lambda epsilon: self.mu(epsilon, delta) <= mu, high, 2.0 * high, 1e-12)

    def farther(self, mu: float, delta: float, times: float) -> float:
        """Return the epsilon, rounded up, of datasets at TIMES the distance, under the same noise."""
        return self.epsilon(up(times * mu, 8), delta)


@dataclass(frozen=True)
class ZcdpConversion(Calibration):
    """zCDP at rho = mu^2/2: for any number of figures, with continuous or discrete noise."""

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


@lru_cache(maxsize=64)  # the same for thousands of tables
def _mu_of_rho(rho: float) -> float:
    root = math.sqrt(2.0 * rho)
    return root if Fraction(root) ** 2 <= 2 * Fraction(rho) else math.nextafter(root, 0.0)


@dataclass(frozen=True)
class RhoBudget(Calibration):
    """No epsilon: the budget is rho itself, mu = sqrt(2 rho), and delta is ignored.

    For Gaussian noise rho = D^2 / (2 sigma^2) is the exact curve (Bun & Steinke 2016, Proposition 1.6), for discrete
    Gaussian noise the zCDP bound (Canonne, Kamath & Steinke 2020, Theorem 4).
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
    """A budget of rho for discrete noise, or for discrete and continuous noise together."""

    normal: ClassVar[bool] = False


ZCDP, IN_RHO, WHOLE_IN_RHO = ZcdpConversion(), RhoBudget(), WholeInRho()
