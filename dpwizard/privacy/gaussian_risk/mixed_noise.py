"""One continuous Laplace release at full distance and Gaussian ones together: the best test, by its threshold.

The log-likelihood ratio of the Laplace release is eps with chance 1/2, -eps with e^-eps/2, and between them has the
density e^(-(eps - x)/2)/4; that of the Gaussian one is normal, of mean mu^2/2 and variance mu^2. By parts their sum
passes t with chance Q(a) - e^(-(eps - t)/2 - mu^2/8) (Phi((t + eps)/mu) - Phi((t - eps)/mu))/2 where a = (t - eps)/mu
- mu/2.
"""

from __future__ import annotations

import math
from collections.abc import Callable

SUMMED = 1e-13  # relative: how far these closed forms may be off
STEPS = 200  # halvings of a search for a threshold


def alarm_at(hit: float, epsilon: float, mu: float) -> float:
    """Return the false-alarm rate of the best test of hit rate HIT in (0, 1), or of one that hits a little less."""

    def within(threshold: float) -> bool:
        if hit > 0.5:  # the chance of not passing t is the false-alarm rate at -t: the smaller one keeps its digits
            return _alarm_rate(-threshold, epsilon, mu) >= 1.0 - hit
        return _hit_rate(threshold, epsilon, mu) <= hit

    return _alarm_rate(_threshold(within, epsilon, mu)[1], epsilon, mu)


def hit_at(chance: float, epsilon: float, mu: float) -> float:
    """Return the hit rate of the best test of false-alarm rate CHANCE in (0, 1), or of one that hits a little more."""
    low, _ = _threshold(lambda threshold: _alarm_rate(threshold, epsilon, mu) <= chance, epsilon, mu)
    return _hit_rate(low, epsilon, mu)


def _threshold(within: Callable[[float], bool], epsilon: float, mu: float) -> tuple[float, float]:
    """Return two neighbouring thresholds of the log-likelihood ratio, the higher of which is WITHIN."""
    high = epsilon + mu * (40.0 + mu)
    low = -high
    for _ in range(STEPS):
        middle = low + (high - low) / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if within(middle) else (middle, high)
    return low, high


def _hit_rate(t: float, epsilon: float, mu: float) -> float:
    """Return the chance, with the record, that the log-likelihood ratio passes T."""
    near, far = (t - epsilon) / mu, (t + epsilon) / mu
    return math.exp(_log_normal(-(near - 0.5 * mu))) - 0.5 * _part(-0.5 * (epsilon - t) - mu * mu / 8.0, near, far)


def _alarm_rate(t: float, epsilon: float, mu: float) -> float:
    """Return the same without the record: by symmetry 1 less the hit rate at -t, of which both terms are positive."""
    near, far = (-t - epsilon) / mu, (-t + epsilon) / mu
    return math.exp(_log_normal(near - 0.5 * mu)) + 0.5 * _part(-0.5 * (epsilon + t) - mu * mu / 8.0, near, far)


def _part(exponent: float, low: float, high: float) -> float:
    """Return e^EXPONENT (Phi(HIGH) - Phi(LOW)), formed in the tail where both are small."""
    if low > 0.0:
        low, high = -high, -low
    top = _log_normal(high)
    gap = -math.expm1(min(0.0, _log_normal(low) - top))
    return math.exp(exponent + top) * gap


def _log_normal(x: float) -> float:
    from scipy.special import log_ndtr  # 0.1 s to import: only when it is needed

    return float(log_ndtr(x))
