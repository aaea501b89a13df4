"""Bounds on an adversary's mean posterior over the releases, and the Gaussian noise that limits it.

Given that it is true of the person, the mean of posterior over prior is at most R = E[1/(pq + w0 A + w1 B)] with
w0 = 1 - p, w1 = p (1 - q), A = e^(-mu x - mu^2/2), B the same at c mu, and x standard normal (Theorem 5). With
y = w0 (A - 1) + w1 (B - 1), of mean 0, R - 1 = E[y^2/(1 + y)], whose terms are all positive: no digit cancels.

The trapezoidal rule of step h is off by at most 2 e^(d^2/2) R / (cos(c mu d) (e^(2 pi d/h) - 1)) for every d with
c mu d < pi/2, as no denominator is 0 that near to the real line. Steps are chosen for an error of 1e-24, far below that
of rounding.
"""

from __future__ import annotations

import math

import numpy as np

from dpwizard.base.numerics import down, largest
from dpwizard.base.values import Belief, Positive, Ratio, public
from dpwizard.privacy.gaussian_risk.limits import ReplaceFactor
from dpwizard.privacy.relative_risk import PosteriorBound, at_least_one, multiplier_of_ratio

ERROR = 1e-11  # relative error bound of the rule and its rounding
FARTHEST = 9.0  # the normal distribution has a mass of 1e-19 beyond
CERTAIN_MU = 80.0  # from here on all but 1e-20 of the releases reveal everything, for any prior
LARGEST_MU = 1e3  # the end of the search


@public
def average_risk(*, p: Belief, q: Belief, mu: Positive, replace_factor: ReplaceFactor = 2.0) -> PosteriorBound:
    """Return bounds on an adversary's mean conclusions over the releases of Gaussian noise, given that they are true.

    Arguments: p, q in (0, 1], the probabilities of presence and, given that, of the value; mu > 0, the distance over
    the standard deviation of the noise; replace_factor in [1, 2]. Returns {ratio, posterior}, bounds on the mean of
    posterior over prior and on that of the posterior. **Neither is below the true bound**, and neither more than 1e-8
    relative above it. Single releases can reveal more. Raises InvalidInput. Source: Theorem 5 of
    docs/methods/gaussian_risk.md.
    """
    log_prior = math.log(p) + math.log(q)
    log_ratio = min(_log_mean_ratio(p, q, mu, replace_factor), -log_prior)
    ratio = math.exp(log_ratio) * (1.0 + ERROR) if log_ratio < 709.0 else math.inf
    largest_ratio = math.exp(-log_prior) if log_prior > -709.0 else math.inf
    return PosteriorBound(
        ratio=min(ratio, largest_ratio), posterior=min(math.exp(log_ratio + log_prior) * (1.0 + ERROR), 1.0)
    )


@public
def average_mu_at(*, p: Belief, q: Belief, ratio: Ratio, replace_factor: ReplaceFactor = 2.0) -> float:
    """Return the largest mu at which an adversary's mean posterior is at most RATIO times the prior.

    Arguments: p, q in (0, 1]; ratio >= 1 or inf; replace_factor in [1, 2]. Returns mu, inf where ratio >= 1/(pq).
    **Safe side: never above the true value**, within 1e-8 relative. Raises InvalidInput; Infeasible below a ratio of 1.
    Source: Theorem 5.
    """
    at_least_one(ratio)
    if math.isinf(multiplier_of_ratio(ratio, p, q)):
        return math.inf
    if ratio == 1.0:
        return 0.0

    def keeps_ratio(mu: float) -> bool:
        return _log_mean_ratio(p, q, mu, replace_factor) * (1.0 + ERROR) <= math.log1p(ratio - 1.0)

    return down(largest(keeps_ratio, 0.0, LARGEST_MU, 1e-10))


@public
def average_rho(*, ratio: Ratio, replace_factor: ReplaceFactor = 2.0) -> float:
    """Return the largest rho at which every adversary's mean posterior is at most RATIO times the prior.

    Arguments: ratio >= 1 or inf; replace_factor in [1, 2] for added Gaussian noise (any other zero-concentrated
    mechanism: 2). Returns ln(ratio)/(2 c^2). **Safe side: never above the true value**, within 1e-14 relative. Raises
    InvalidInput; Infeasible below a ratio of 1. Source: Theorem 5.
    """
    at_least_one(ratio)
    return down(math.log(ratio) / (2.0 * replace_factor**2))


def _log_mean_ratio(p: float, q: float, mu: float, c: float) -> float:
    """Return log R, to ERROR relative."""
    log_prior = math.log(p) + math.log(q)
    absent, other = 1.0 - p, p * (1.0 - q)
    if absent == other == 0.0:
        return 0.0
    if mu >= CERTAIN_MU:
        return -log_prior
    reach = c * mu if other > 0.0 else mu  # the larger of the two distances
    strip = min(math.pi / (3.0 * reach), 6.0)
    step = 2.0 * math.pi * strip / (0.5 * strip * strip + 55.0 + 2.0 * max(-math.log(reach), 0.0))
    x = np.arange(-reach - FARTHEST, math.sqrt(2.0 * (40.0 - log_prior)) + step, step)
    with np.errstate(all="ignore"):
        a, b = -mu * x - 0.5 * mu * mu, -c * mu * x - 0.5 * (c * mu) ** 2
        log_rest = np.logaddexp(math.log(absent) + a if absent > 0.0 else -np.inf, np.log(other) + b)
        log_total = np.logaddexp(log_prior, log_rest)  # log(1 + y)
        log_change = np.log(np.abs(absent * np.expm1(np.minimum(a, 300.0)) + other * np.expm1(np.minimum(b, 300.0))))
        logs = np.where(np.maximum(a, b) > 300.0, log_rest, 2.0 * log_change - log_total) - 0.5 * x * x
    top = float(logs.max())
    log_excess = top + math.log(step * float(np.exp(logs - top).sum()) / math.sqrt(2.0 * math.pi))  # log(R - 1)
    return log_excess + math.log1p(math.exp(-log_excess)) if log_excess > 0.0 else math.log1p(math.exp(log_excess))
