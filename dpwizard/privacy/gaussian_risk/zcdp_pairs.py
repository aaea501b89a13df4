"""The pairs of probabilities, with and without a record, that zero-concentrated differential privacy allows.

An event of probability b with the record and a without is a release of one bit, which as a post-processing has the same
rho. So Bernoulli(b) and Bernoulli(a) have a Renyi divergence D_lam <= lam rho, both ways and for every order lam > 1
(Theorem 4 of docs/methods/gaussian_risk.md). That is exact: some release of this rho has each such pair.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from dpwizard.base.numerics import down, largest, up

SEARCH_ERROR = 1e-9  # relative error of a search over orders
LARGEST_LOG_ODDS = 36.0  # beyond, a probability rounds to 1
LARGEST_EXPONENT = 700.0  # e^x is a finite float up to here
PLACES = np.arange(61.0)  # the positions of a grid
BELOW_ONE = math.nextafter(1.0, 0.0)


def fpr(hit: float, rho: float) -> float:
    """Return the least chance without the record of an event of chance HIT in (0, 1) with it: never above the true one.

    By the logarithm of hit/a, in which the divergence rises.
    """
    # b e^(-rho - 2 sqrt(rho ln(1/b))) is lower: it drops the second term of the divergence
    widest = rho + 2.0 * math.sqrt(rho * -math.log(hit))
    if widest >= math.log(hit) + 690.0:
        return 0.0
    # if rounding hides that the divergence exceeds rho at the widest gap, that gap is the answer
    tolerance = SEARCH_ERROR / 10 / max(1.0, widest)
    gap = largest(lambda gap: _least_rho(hit, 1.0 - hit, hit * math.exp(-gap)) <= rho, 0.0, widest, tolerance)
    return max(0.0, down(hit * math.exp(-gap) * (1.0 - SEARCH_ERROR)))


@lru_cache(maxsize=256)  # repeated for each statement of a published claim
def max_probability(chance: float, rho: float) -> float:
    """Return the largest chance with the record of an event of CHANCE in (0, 1) without it: never below the true one.

    By the logarithm of b/chance, in which the divergence rises.
    """
    widest = -math.log(chance)

    def keeps_rho(gap: float) -> bool:
        hit = min(chance * math.exp(gap), BELOW_ONE)
        return _least_rho(hit, 1.0 - hit, chance) <= rho

    gap = largest(keeps_rho, 0.0, widest, SEARCH_ERROR / 10 / max(1.0, widest))
    return min(1.0, up(chance * math.exp(gap) * (1.0 + SEARCH_ERROR)))


@lru_cache(maxsize=64)  # used several times by one page
def even_odds_accuracy(rho: float) -> float:
    """Return the success probability of the best test with equal errors in both datasets; rounded up, below 1.

    The largest x whose pair x, 1 - x keeps RHO, found by its log-odds.
    """

    def keeps_rho(odds: float) -> bool:
        right, wrong = 1.0 / (1.0 + math.exp(-odds)), 1.0 / (1.0 + math.exp(odds))
        return _least_rho(right, wrong, wrong) <= rho

    odds = largest(keeps_rho, 0.0, LARGEST_LOG_ODDS, SEARCH_ERROR / 10 / LARGEST_LOG_ODDS)
    return min(BELOW_ONE, up((1.0 + SEARCH_ERROR) / (1.0 + math.exp(-odds))))


def _least_rho(hit: float, missed: float, alarm: float) -> float:
    """Return the least rho that allows the pair Bernoulli(HIT), where 1 - HIT is MISSED, and Bernoulli(ALARM)."""
    log_ratio, log_ratio_missed = math.log(hit) - math.log(alarm), math.log(missed) - math.log1p(-alarm)
    forwards = _largest_renyi_rate(hit, log_ratio, missed, log_ratio_missed)
    return max(forwards, _largest_renyi_rate(alarm, -log_ratio, 1.0 - alarm, -log_ratio_missed))


@np.errstate(all="ignore")  # near lam = 1 the two terms nearly cancel, far from it they overflow
def _largest_renyi_rate(p: float, log_ratio_p: float, rest: float, log_ratio_rest: float) -> float:
    """Return the largest D_lam/lam over lam > 1 for two chances P and REST and their log-ratios."""
    low, high, best = -25.0, 25.0, 0.0  # of log(lam - 1)
    for _ in range(5):  # to a width of 1e-6: a maximum is flat, its error is of second order
        width = (high - low) / 60
        grid = PLACES * width + low
        grid[-1] = high
        orders = np.exp(grid)
        first, second = orders * log_ratio_p, orders * log_ratio_rest
        top = np.maximum(first, second)
        first_growth = np.expm1(np.minimum(first, LARGEST_EXPONENT))
        second_growth = np.expm1(np.minimum(second, LARGEST_EXPONENT))
        direct = np.log1p(p * first_growth + rest * second_growth)
        shifted = top + np.log(p * np.exp(first - top) + rest * np.exp(second - top))
        values = np.where(top < 1.0, direct, shifted) / orders / (1.0 + orders)
        values = np.where(np.isfinite(values), values, 0.0)
        at_best = int(np.argmax(values))
        best = max(best, float(values[at_best]))
        low, high = float(grid[at_best]) - width, float(grid[at_best]) + width
    return best
