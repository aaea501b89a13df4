"""What zero-concentrated privacy alone says as epsilon at a delta: the best of its orders, and the familiar bound.

Every noise that is zCDP at rho keeps it, whatever its dimension: what several numbers with discrete Gaussian noise are
reckoned by. Public, with readers, in dpwizard.privacy.accounting.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

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
