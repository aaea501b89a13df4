"""What an intruder may conclude on average over the releases, and the Gaussian noise that keeps that average.

Given that it is true of the person, the mean of posterior over prior is at most R = E[1/(pq + w0 A + w1 B)] with
w0 = 1 - p, w1 = p (1 - q), A = e^(-mu x - mu^2/2), B the same at c mu, and x standard normal (Theorem 5). With
y = w0 (A - 1) + w1 (B - 1), of mean 0, R - 1 = E[y^2/(1 + y)], whose terms are all positive: no digit cancels.

The trapezoidal rule of step h is off by at most 2 e^(d^2/2) R / (cos(c mu d) (e^(2 pi d/h) - 1)) for every d with
c mu d < pi/2: so far from the real line no denominator vanishes. Steps are chosen for 1e-24; rounding is what is left.
"""

from __future__ import annotations

import math

from dpwizard.base.numerics import down, largest_within
from dpwizard.base.values import Belief, Positive, Ratio, public
from dpwizard.privacy.gaussian_risk.limits import ReplaceFactor
from dpwizard.privacy.relative_risk import PosteriorBound, at_least_one, multiplier_of_ratio

ERROR = 1e-11  # relative; more than the rule and its rounding can be off
FAR = 9.0  # the normal distribution holds 1e-19 beyond
CERTAIN = 80.0  # a mu from which all but 1e-20 of the releases tell all, however small the prior
MOST = 1e3  # a mu beyond it is not looked for


@public
def average_risk(*, p: Belief, q: Belief, mu: Positive, replace_factor: ReplaceFactor = 2.0) -> PosteriorBound:
    """Return what an intruder may conclude on average over the releases of Gaussian noise, where it is true.

    Arguments: p, q in (0, 1], the chances of presence and, given that, of the value; mu > 0, the distance over the
    standard deviation of the noise; replace_factor in [1, 2]. Returns {ratio, posterior}, the mean of posterior over
    prior and that of the posterior, at most. **Neither is below the true bound**, and neither 1e-8 relative above it.
    Single releases can show more. Raises InvalidInput. Source: Theorem 5 of docs/methods/gaussian_risk.md.
    """
    log_prior = math.log(p) + math.log(q)
    log_ratio = min(_log_ratio(p, q, mu, replace_factor), -log_prior)
    ratio = math.exp(log_ratio) * (1.0 + ERROR) if log_ratio < 709.0 else math.inf
    most = math.exp(-log_prior) if log_prior > -709.0 else math.inf
    return PosteriorBound(ratio=min(ratio, most), posterior=min(math.exp(log_ratio + log_prior) * (1.0 + ERROR), 1.0))


@public
def average_mu_at(*, p: Belief, q: Belief, ratio: Ratio, replace_factor: ReplaceFactor = 2.0) -> float:
    """Return the largest mu at which an intruder's belief rises on average to at most RATIO times the prior.

    Arguments: p, q in (0, 1]; ratio >= 1 or inf; replace_factor in [1, 2]. Returns mu, inf where ratio >= 1/(pq) is no
    bound. **Safe side: never above the true value**, within 1e-8 relative. Raises InvalidInput; Infeasible below a
    ratio of 1. Source: Theorem 5.
    """
    at_least_one(ratio)
    if math.isinf(multiplier_of_ratio(ratio, p, q)):
        return math.inf
    if ratio == 1.0:
        return 0.0
    found = largest_within(
        lambda mu: _log_ratio(p, q, mu, replace_factor) * (1.0 + ERROR),
        math.log1p(ratio - 1.0),
        0.0,
        1.0,
        1e-10,
        MOST,
    )
    return down(found)


@public
def average_rho(*, ratio: Ratio, replace_factor: ReplaceFactor = 2.0) -> float:
    """Return the largest rho at which every intruder's belief rises on average to at most RATIO times the prior.

    Arguments: ratio >= 1 or inf; replace_factor in [1, 2] for added Gaussian noise (any other zero-concentrated
    mechanism: 2). Returns ln(ratio)/(2 c^2). **Safe side: never above the true value**, within 1e-14 relative. Raises
    InvalidInput; Infeasible below a ratio of 1. Source: Theorem 5.
    """
    at_least_one(ratio)
    return down(math.log(ratio) / (2.0 * replace_factor**2))


def _log_ratio(p: float, q: float, mu: float, factor: float) -> float:
    """Return log R, to ERROR relative."""
    import numpy as np

    log_prior = math.log(p) + math.log(q)
    absent, other = 1.0 - p, p * (1.0 - q)
    if absent == other == 0.0:
        return 0.0
    if mu >= CERTAIN:
        return -log_prior
    reach = factor * mu if other > 0.0 else mu  # the larger of the two distances
    strip = min(math.pi / (3.0 * reach), 6.0)
    step = 2.0 * math.pi * strip / (0.5 * strip * strip + 55.0 + 2.0 * max(-math.log(reach), 0.0))
    x = np.arange(-reach - FAR, math.sqrt(2.0 * (40.0 - log_prior)) + step, step)
    with np.errstate(all="ignore"):
        a, b = -mu * x - 0.5 * mu * mu, -factor * mu * x - 0.5 * (factor * mu) ** 2
        doubt = np.logaddexp(math.log(absent) + a if absent > 0.0 else -np.inf, np.log(other) + b)
        left = np.logaddexp(log_prior, doubt)  # log(1 + y)
        moved = np.log(np.abs(absent * np.expm1(np.minimum(a, 300.0)) + other * np.expm1(np.minimum(b, 300.0))))
        logs = np.where(np.maximum(a, b) > 300.0, doubt, 2.0 * moved - left) - 0.5 * x * x
    top = float(logs.max())
    gain = top + math.log(step * float(np.exp(logs - top).sum()) / math.sqrt(2.0 * math.pi))  # log(R - 1)
    return gain + math.log1p(math.exp(-gain)) if gain > 0.0 else math.log1p(math.exp(gain))
