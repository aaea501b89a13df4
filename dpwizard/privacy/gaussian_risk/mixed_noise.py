"""The best test on one continuous Laplace release at full distance together with Gaussian ones, by its threshold.

The log-likelihood ratio of the Laplace release is eps with chance 1/2, -eps with e^-eps/2, and between them has the
density e^(-(eps - x)/2)/4; that of the Gaussian one is normal, of mean mu^2/2 and variance mu^2. Integrated by parts,
their sum exceeds t with chance Q(a) - e^(-(eps - t)/2 - mu^2/8) (Phi((t + eps)/mu) - Phi((t - eps)/mu))/2 where
a = (t - eps)/mu - mu/2.
"""

from __future__ import annotations

import math
from collections.abc import Callable

ERROR = 1e-13  # relative error of these closed forms
MOST_HALVINGS = 200  # the most bisections for a threshold


def fpr(tpr: float, epsilon: float, mu: float) -> float:
    """Return the false-positive rate of the best test with a true-positive rate of TPR in (0, 1), or slightly less."""

    def hits_at_most(threshold: float) -> bool:
        if tpr > 0.5:  # the chance of a miss is the false-alarm rate at -t; the smaller number keeps its digits
            return _alarm_rate(-threshold, epsilon, mu) >= 1.0 - tpr
        return _hit_rate(threshold, epsilon, mu) <= tpr

    return _alarm_rate(_threshold_bracket(hits_at_most, epsilon, mu)[1], epsilon, mu)


def tpr(fpr: float, epsilon: float, mu: float) -> float:
    """Return the true-positive rate of the best test with a false-positive rate of FPR in (0, 1), or slightly more."""
    low, _ = _threshold_bracket(lambda threshold: _alarm_rate(threshold, epsilon, mu) <= fpr, epsilon, mu)
    return _hit_rate(low, epsilon, mu)


def _threshold_bracket(is_within: Callable[[float], bool], epsilon: float, mu: float) -> tuple[float, float]:
    """Return two neighbouring thresholds of the log-likelihood ratio; IS_WITHIN holds at the higher one."""
    high = epsilon + mu * (40.0 + mu)
    low = -high
    for _ in range(MOST_HALVINGS):
        middle = low + (high - low) / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if is_within(middle) else (middle, high)
    return low, high


def _hit_rate(t: float, epsilon: float, mu: float) -> float:
    """Return the probability, with the record, that the log-likelihood ratio exceeds T."""
    near, far = (t - epsilon) / mu, (t + epsilon) / mu
    exponent = -0.5 * (epsilon - t) - mu * mu / 8.0
    return math.exp(_log_normal(-(near - 0.5 * mu))) - 0.5 * _weighted_normal_gap(exponent, near, far)


def _alarm_rate(t: float, epsilon: float, mu: float) -> float:
    """Return that probability without the record: by symmetry 1 minus the one at -t, in positive terms."""
    near, far = (-t - epsilon) / mu, (-t + epsilon) / mu
    exponent = -0.5 * (epsilon + t) - mu * mu / 8.0
    return math.exp(_log_normal(near - 0.5 * mu)) + 0.5 * _weighted_normal_gap(exponent, near, far)


def _weighted_normal_gap(exponent: float, low: float, high: float) -> float:
    """Return e^EXPONENT (Phi(HIGH) - Phi(LOW)), from the tail in which both are small."""
    if low > 0.0:
        low, high = -high, -low
    top = _log_normal(high)
    gap = -math.expm1(min(0.0, _log_normal(low) - top))
    return math.exp(exponent + top) * gap


def _log_normal(x: float) -> float:
    from scipy.special import log_ndtr  # 0.1 s to import: only when it is needed

    return float(log_ndtr(x))
