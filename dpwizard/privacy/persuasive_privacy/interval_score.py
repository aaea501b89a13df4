"""The interval score: is the value in the adversary's best interval of some length? (Bon et al. 2025, Examples 1, 3.)

The prior is normal; the truth is at a distance D from its mean. Before the release the interval of length s around the
mean misses the truth when D > s/2; the loss is the chance that the interval chosen after the release contains it. It is
1 without noise, and not monotone in Gaussian noise.
"""

from __future__ import annotations

import math
import sys
from fractions import Fraction

from dpwizard.base.numerics import decimal, normal_cdf, normal_quantile, real, up
from dpwizard.base.values import NonNegative, Positive, Probability, public
from dpwizard.privacy.largest_budget import proved_from
from dpwizard.privacy.mechanisms import TINIEST, ContinuousName, mechanism_named

CLOSE = 1e-13  # relative error of the least noise
FAR_END_IGNORED = 800.0  # above, the far end of the interval has a probability below e^-800


@public
def interval_loss(
    *, mechanism_kind: ContinuousName, prior_sd: Positive, noise: NonNegative, length: Positive, distance: NonNegative
) -> float:
    """Return the probability that the adversary's interval newly contains the value.

    Arguments: mechanism_kind, "gaussian" or "laplace"; prior_sd, the standard deviation of the normal prior; noise, the
    standard deviation or the Laplace scale, at least 0; length of the interval; distance of the true value from the
    prior mean, at least 0; all in one unit. Returns a probability with an error below 1e-14: 0 where distance <=
    length/2 (already guessed; compared as decimals), 1 without noise beyond that. Raises InvalidInput. Source:
    docs/methods/persuasive_privacy.md (interval score).
    """
    half = decimal(length) / 2
    margin = decimal(distance) - half
    if margin <= 0:
        return 0.0
    if noise == 0.0:
        return 1.0
    if mechanism_named(mechanism_kind).normal:
        return _gaussian_loss(half, margin, decimal(prior_sd) ** 2, decimal(noise))
    return _laplace_loss(half, margin, decimal(prior_sd) ** 2, decimal(noise))


@public
def smallest_sd_interval(*, prior_sd: Positive, length: Positive, margin: NonNegative, delta: Probability) -> float:
    """Return the least Gaussian noise from which all larger noise keeps the interval loss at most DELTA.

    Arguments: prior_sd, the standard deviation of the normal prior; length of the interval; margin, how far the truth
    is at least outside the first interval (distance >= length/2 + margin), at least 0, in one unit; delta, the loss
    allowed, in [0, 1]. Returns a standard deviation, never below the true one and at most 1e-12 relative above it;
    infinite (null) where no finite noise suffices (delta = 0; margin 0 and delta <= 1/2); 0 for delta = 1. The loss
    may rise between two falls: it is bounded on every interval of larger noise, so that a dip below delta before the
    rise is never taken for the answer. Raises InvalidInput. Source: docs/methods/persuasive_privacy.md (interval
    score).
    """
    if delta == 1.0:
        return 0.0
    if delta == 0.0 or (margin == 0.0 and delta <= 0.5):
        return math.inf
    half = max(length / 2, TINIEST)
    alpha, beta = half / prior_sd, margin / prior_sd
    if not 2.0 * alpha * (alpha + beta) <= FAR_END_IGNORED:
        return _least_sd_by_near_end(half, margin, prior_sd, delta)

    def keeps_delta(u: float, v: float) -> bool:
        """Return whether no noise from U to V prior sd has a larger loss, P(|G - (b + a) x| < a/x + a x)."""
        near, far = alpha / u - beta * u, max(alpha / x + (beta + 2 * alpha) * x for x in (u, v))
        wider = max(alpha / x + alpha * (x - u) for x in (u, v))  # the half-width less a u
        return min(normal_mass(-far, near), normal_mass(beta * u - wider, (beta + 2 * alpha) * u + wider)) <= delta

    z, enough = normal_quantile(delta), sys.float_info.max / prior_sd
    if z > 0.0:  # from alpha / x - beta x <= z on the near end alone keeps delta
        enough = min(enough, alpha / z)
    elif beta > 0.0:
        enough = min(enough, -z / beta + math.sqrt(alpha) / math.sqrt(beta))
    return up(max(TINIEST, prior_sd * proved_from(keeps_delta, TINIEST, max(enough, TINIEST), CLOSE)), 16)


# ----------------------------------------------------------------------------------------- the loss


def _gaussian_loss(half: Fraction, margin: Fraction, variance: Fraction, sd: Fraction) -> float:
    """Return Phi(h/sd - m sd/tau^2) - Phi(-h/sd - (m + 2h) sd/tau^2): persuasive_privacy.md, B multiplied out."""
    near = half / sd - margin * sd / variance
    far = half / sd + (margin + 2 * half) * sd / variance
    return normal_mass(real(-far), real(near))


def normal_mass(low: float, high: float) -> float:
    """Return P(LOW < G < HIGH) for a standard normal G, from the lower tail."""
    if low > 0.0:
        low, high = -high, -low
    return max(0.0, normal_cdf(high) - normal_cdf(low))


def _laplace_loss(half: Fraction, margin: Fraction, variance: Fraction, scale: Fraction) -> float:
    """Return P(|clip(2 tau^2 T/(s b + 2 tau^2), +-tau^2/b) - D| <= s/2), with T - D Laplace of scale b.

    The centre is at least D - s/2 where the noise is at least -h (1 - m b/tau^2), out of reach if m b > tau^2;
    it is at most D + s/2 where the noise is at most h (1 + (m + 2h) b/tau^2), always if (m + 2h) b >= tau^2.
    """
    if margin * scale > variance:
        return 0.0
    below = 0.5 * math.exp(-real(half / scale * (1 - margin * scale / variance)))
    reach = (margin + 2 * half) * scale / variance
    above = 0.5 * math.exp(-real(half / scale * (1 + reach))) if reach < 1 else 0.0
    return 1.0 - below - above


# --------------------------------------------------------------------------------- the least noise


def _least_sd_by_near_end(half: float, margin: float, prior_sd: float, delta: float) -> float:
    """Return the root of h/sd - m sd/tau^2 = Phi^-1(delta), which ignores the far end of the interval."""
    z = normal_quantile(delta) if delta <= 0.5 else -normal_quantile(1.0 - delta)
    slope = 2.0 * math.sqrt(half) * (math.sqrt(margin) / prior_sd)
    root = math.hypot(z, slope)
    if math.isinf(root):  # z no longer matters: both forms below tend to tau sqrt(h/m)
        return up(max(TINIEST, math.sqrt(half) / math.sqrt(margin) * prior_sd), 16)
    if z >= 0.0:
        return up(max(TINIEST, 2.0 * (half / (z + root))), 16) if z + root > 0.0 else math.inf
    # 2h/(root - |z|) = (root + |z|) tau^2 / (2m)
    need = Fraction(root - z) * Fraction(prior_sd) ** 2 / (2 * Fraction(margin)) if margin > 0.0 else None
    return up(max(TINIEST, real(need)), 16) if need is not None else math.inf


def least_scale(prior_sd: float, length: float, margin: float, delta: float) -> float:
    """Return the least Laplace scale from which all larger scales keep the interval loss at most DELTA.

    Arguments as for smallest_sd_interval, already checked. Never below the true one: prior_sd^2/margin for delta < 1/2
    (a limit that must be exceeded, as the result does), a closed form from 1/2 on; infinite where none suffices (margin
    0 and delta <= 1/2). The worst loss over distance >= length/2 + margin never rises with the scale
    (docs/methods/persuasive_privacy.md).
    """
    if delta == 1.0:
        return 0.0
    if margin == 0.0 and delta <= 0.5:
        return math.inf
    h, m, variance = Fraction(length) / 2, Fraction(margin), Fraction(prior_sd) ** 2
    if delta < 0.5:
        return up(max(TINIEST, real(variance / m)))
    beyond = math.log1p(1.0 - 2.0 * delta)  # log(2 (1 - delta)), not positive
    ceiling = 2 * h * h / variance
    if -real(ceiling) < beyond:  # between tau^2/(m + 2h) and tau^2/m the worst loss is 1 - 1/2 e^(-h/b + h m/tau^2)
        return up(max(TINIEST, real(h / (h * m / variance - Fraction(beyond)))) if m > 0 or beyond < 0.0 else math.inf)
    step = real(h * m / variance)  # below it: 1 - C e^(-h/b), C = 1/2 (e^(h m/tau^2) + e^(-h (m + 2h)/tau^2))
    log_c = step + math.log1p(math.exp(-real(2 * h * (m + h) / variance))) - beyond  # log(C/(1 - delta))
    longest = real(variance / (m + 2 * h))
    return up(
        max(TINIEST, min(real(h / Fraction(log_c)), longest)) if 0.0 < log_c < math.inf else max(TINIEST, longest)
    )
