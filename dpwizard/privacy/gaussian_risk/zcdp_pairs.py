"""What rho alone says of an event: the pairs of chances that zero-concentrated differential privacy allows.

An event of chance b with the record and a without is a release of its own, of one bit: by processing it keeps rho.
So Bernoulli(b) and Bernoulli(a) have a Renyi divergence D_lam <= lam rho, both ways and for every order lam > 1
(Theorem 4 of docs/methods/gaussian_risk.md). That is exact: some release of this rho has each such pair.
"""

from __future__ import annotations

import math
from functools import lru_cache

from dpwizard.base.numerics import down, largest_within, up

SEARCHED = 1e-9  # relative: how far what is found by a search over orders may be off
FARTHEST = 36.0  # log-odds beyond which a chance is 1 in binary numbers
FAR = 700.0  # exponents beyond it cannot be written
NEAREST = math.nextafter(1.0, 0.0)


def least(hit: float, rho: float) -> float:
    """Return the least chance without the record of an event of chance HIT in (0, 1) with it: never above the true one.

    By the logarithm of hit/a, in which the divergence rises.
    """
    # b e^(-rho - 2 sqrt(rho ln(1/b))) is lower than that: drop the second term of the divergence
    widest = rho + 2.0 * math.sqrt(rho * -math.log(hit))
    if widest >= math.log(hit) + 690.0:
        return 0.0
    # where rounding hides that the divergence passes rho at the widest gap, that gap is the answer
    gap = largest_within(
        lambda gap: _rho_of_pair(hit, 1.0 - hit, hit * math.exp(-gap)),
        rho,
        0.0,
        widest,
        SEARCHED / 10 / max(1.0, widest),
        ceiling=widest,
    )
    return max(0.0, down(hit * math.exp(-gap) * (1.0 - SEARCHED)))


def max_probability(chance: float, rho: float) -> float:
    """Return the largest chance with the record of an event of CHANCE in (0, 1) without it: never below the true one.

    By the logarithm of b/chance, in which the divergence rises.
    """
    widest = -math.log(chance)

    def rho_of(gap: float) -> float:
        hit = min(chance * math.exp(gap), NEAREST)
        return _rho_of_pair(hit, 1.0 - hit, chance)

    if rho_of(widest) <= rho:
        return 1.0
    gap = largest_within(rho_of, rho, 0.0, widest, SEARCHED / 10 / max(1.0, widest))
    return min(1.0, up(chance * math.exp(gap) * (1.0 + SEARCHED)))


@lru_cache(maxsize=64)  # a page asks for it more than once
def even_odds_accuracy(rho: float) -> float:
    """Return how often the best test that errs alike in both worlds is right; rounded up, below 1.

    The largest x whose pair x, 1 - x keeps RHO, found by its log-odds.
    """

    def rho_of(odds: float) -> float:
        right, wrong = 1.0 / (1.0 + math.exp(-odds)), 1.0 / (1.0 + math.exp(odds))
        return _rho_of_pair(right, wrong, wrong)

    if rho_of(FARTHEST) <= rho:
        return NEAREST
    odds = largest_within(rho_of, rho, 0.0, FARTHEST, SEARCHED / 10 / FARTHEST)
    return min(NEAREST, up((1.0 + SEARCHED) / (1.0 + math.exp(-odds))))


def _rho_of_pair(hit: float, missed: float, alarm: float) -> float:
    """Return the least rho of which Bernoulli(HIT), with its chance MISSED of 0, and Bernoulli(ALARM) are a pair."""
    one, other = math.log(hit) - math.log(alarm), math.log(missed) - math.log1p(-alarm)
    forwards = _divergence(hit, one, missed, other)
    return max(forwards, _divergence(alarm, -one, 1.0 - alarm, -other))


def _divergence(p: float, one: float, rest: float, other: float) -> float:
    """Return the largest D_lam/lam over lam > 1 for two chances P and REST with log-ratios ONE and OTHER."""
    import numpy as np  # only where it is needed: the commonest computations load no NumPy

    low, high, best = -25.0, 25.0, 0.0  # log(lam - 1)
    for _ in range(12):
        grid = np.linspace(low, high, 61)
        more = np.exp(grid)
        first, second = more * one, more * other
        near = np.maximum(first, second)
        with np.errstate(all="ignore"):
            # near lam = 1 the two terms nearly cancel, far from it they overflow
            direct = np.log1p(p * np.expm1(np.minimum(first, FAR)) + rest * np.expm1(np.minimum(second, FAR)))
            shifted = near + np.log(p * np.exp(first - near) + rest * np.exp(second - near))
            values = np.where(near < 1.0, direct, shifted) / more / (1.0 + more)
        values = np.where(np.isfinite(values), values, 0.0)
        at_best = int(np.argmax(values))
        best = max(best, float(values[at_best]))
        width = (high - low) / 60
        low, high = float(grid[at_best]) - width, float(grid[at_best]) + width
        if width < 1e-5:  # of a maximum, where the square of it counts
            break
    return best
