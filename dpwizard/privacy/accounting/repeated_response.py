"""Randomised response, repeated: the worst case of composing releases of which a pure epsilon alone is known.

n adaptive eps0-private releases lose no more than n responses, whose total loss is (2 K - n) eps0 with K binomial(n,
1/(1 + e^-eps0)) (Kairouz, Oh & Viswanath 2015).
"""

from __future__ import annotations

import math

import numpy as np

from dpwizard.base.numerics import UNIT, up
from dpwizard.privacy.accounting.noises import Array


def losses_of_answers(level: float, releases: int) -> tuple[Array, Array]:
    """Return the losses of RELEASES randomised responses at LEVEL, ascending, and their probabilities under P.

    Losses with a probability below 1e-300 are left out. Probabilities are products of ratios from the mode on,
    normalised to 1.
    """
    mean = releases / (1.0 + math.exp(-level))
    reach = 40.0 * math.sqrt(mean * math.exp(-level) / (1.0 + math.exp(-level))) + 400.0
    first, last = max(0, math.floor(mean - reach)), min(releases, math.ceil(mean + reach))
    counts = np.arange(first, last + 1, dtype=np.float64)
    ratios = np.log((releases - counts[:-1]) / counts[1:]) + level
    commonest = int(np.clip(round(mean) - first, 0, len(counts) - 1))
    logs = np.concatenate([-np.cumsum(ratios[:commonest][::-1])[::-1], [0.0], np.cumsum(ratios[commonest:])])
    chances = np.exp(logs)
    chances /= chances.sum()
    return (2.0 * counts - releases) * level, chances


def repeated_delta(level: float, releases: int, epsilon: float) -> float:
    """Return the sum of P(loss) (1 - e^(EPSILON - loss)) over the larger losses: positive terms only."""
    losses, chances = losses_of_answers(level, releases)
    above = losses > epsilon
    return min(1.0, float(np.sum(chances[above] * -np.expm1(epsilon - losses[above]))))


def repeated_epsilon(level: float, releases: int, delta: float) -> float:
    """Return the smallest epsilon >= 0 with repeated_delta <= DELTA in (0, 1); never below the true value.

    Between two losses delta is a straight line in e^epsilon, and so is 1 - delta, which is used if it is the smaller
    one: the sum of P(loss) min(1, e^(epsilon - loss)).
    """
    losses, chances = losses_of_answers(level, releases)
    slack = 1e-11 + 4e-17 * len(losses)
    target = delta * (1.0 - slack) if delta < 0.5 else (1.0 - delta) * (1.0 + slack)

    def excess(epsilon: float) -> float:
        """Return a number that is above 0 if delta(EPSILON) is above DELTA."""
        if delta < 0.5:
            above = losses > epsilon
            return float(np.sum(chances[above] * -np.expm1(epsilon - losses[above]))) - target
        return target - float(np.sum(chances * np.exp(np.minimum(epsilon - losses, 0.0))))

    high = len(losses) - 1
    low = int(np.searchsorted(losses, 0.0, side="right")) - 1
    if low < 0 or excess(max(0.0, float(losses[low]))) <= 0.0:
        low = max(low, 0)
        return 0.0 if excess(0.0) <= 0.0 else up(float(losses[high]), 4)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if excess(float(losses[middle])) > 0.0 else (low, middle)
    end = float(losses[high])
    mass = float(np.sum(chances[high:] * np.exp(end - losses[high:])))  # e^epsilon Q(loss >= end), at the end
    share = -excess(end) / mass
    root = end + math.log1p(-min(share, 1.0 - 1e-16)) + 4.0 * UNIT * end
    return max(0.0, min(up(releases * level, 1), root))
