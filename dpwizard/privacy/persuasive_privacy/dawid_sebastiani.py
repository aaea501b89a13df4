"""The marginal Dawid-Sebastiani score of one person's value under noise.

Bon et al. 2025, Definition 8; docs/methods/persuasive_privacy.md. The score of a prior with mean m and variance v is
log v + (x - m)^2 / v. For a Gaussian prior and a statistic with Gaussian noise the gain is a quadratic in the noise, so
the probability that it stays below kappa is a difference of two normal probabilities.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal, localcontext
from typing import Annotated

from pydantic import Field

from dpwizard.base.numerics import lowest_place, normal_cdf, smallest, up
from dpwizard.base.values import Epsilon, Loss, NonNegative, Number, Positive, Probability, Within, public
from dpwizard.privacy.mechanisms import TIE, TINIEST

Correlation = Annotated[float, Field(strict=True, allow_inf_nan=True), Within(low=-1, high=1)]
SIXTY_DIGITS = Context(prec=60, Emax=999_999, Emin=-999_999)
LIMIT_CHANCE = math.erf(math.sqrt(0.5))  # P(|G| < 1), the limit for infinite noise at kappa = 0


@public
def dawid_sebastiani_hold(
    *, a: Number, z: Number, correlation: Correlation, noise_ratio: NonNegative, kappa: Loss
) -> float:
    """Return P(gain of the marginal Dawid-Sebastiani score <= KAPPA) for one person and a noisy linear statistic.

    Arguments: a, the person's value in prior standard deviations from the prior mean; z, the noiseless statistic in its
    prior standard deviations from its prior mean; correlation of the two, in [-1, 1]; noise_ratio, the variance of the
    Gaussian noise over the prior variance of the noiseless statistic, at least 0 (0: an exact release); kappa, the gain
    allowed (any number or "inf"). Returns a probability with an error below 1e-14. It is 0 or 1 without noise, and 0
    for any finite kappa where the statistic discloses the value (correlation +-1 and no noise). Raises InvalidInput.
    Source: Bon et al. 2025, C.6, with noise added; docs/methods/persuasive_privacy.md.
    """
    if math.isinf(kappa):
        return 1.0
    with localcontext(SIXTY_DIGITS):
        rho, psi, height = Decimal(correlation), Decimal(noise_ratio), Decimal(a)
        total = 1 + psi
        rest = ((1 - rho) * (1 + rho) + psi) / total  # 1 - B with B = rho^2 / (1 + psi)
        if rest == 0:
            return 0.0
        square, level = height * height, rest.ln()
        need = rest * (square - level - Decimal(kappa))  # the gain is at most kappa where (m - t G)^2 >= need
        if need <= 0:
            return 1.0
        centre = height - rho * Decimal(z) / total
        spread = abs(rho) * psi.sqrt() / total
        if spread == 0:
            slack = rest * Decimal(TIE) * (abs(level) + square + abs(Decimal(kappa)))
            return 1.0 if centre * centre >= need - slack else 0.0
        root = need.sqrt()
        upper, lower = float((centre - root) / spread), float(-(centre + root) / spread)
    return min(1.0, normal_cdf(upper) + normal_cdf(lower))


@public
def smallest_sd_dawid_sebastiani(
    *, prior_sd: Positive, kappa: Epsilon, r1: NonNegative, delta: Probability = 0.0
) -> float:
    """Return the least Gaussian noise from which P(gain > KAPPA) <= DELTA, for one released value.

    Arguments: prior_sd, the adversary's prior standard deviation of the value (in its unit); kappa, the largest gain
    allowed, at least 0; r1, the largest squared distance of the value from the prior mean in prior variances; delta,
    the chance of exceeding kappa, in [0, 1]. Returns a standard deviation, never below the true one and at most 1e-12
    relative above it: tau / sqrt(e^(kappa - r1) - 1) for delta = 0; infinite (null) where no finite noise suffices
    (delta = 0 and kappa <= r1; or kappa = 0 and delta <= P(|G| < 1) = 0.6827); 0 where no noise is needed (delta = 1).
    For a single value the chance falls as noise grows, at every distance (proved in
    docs/methods/persuasive_privacy.md), so the least noise that meets delta is the answer. Raises InvalidInput.
    Source: docs/methods/persuasive_privacy.md.
    """
    if delta == 1.0 or math.isinf(kappa):
        return 0.0
    excess = kappa - r1
    sure = math.inf  # in prior standard deviations: above, no output gains more than kappa
    if excess > 0.0:
        sure = 1.0 / math.sqrt(math.expm1(excess)) if excess < 700.0 else math.exp(-excess / 2)
    if delta == 0.0:
        return up(max(TINIEST, prior_sd * sure)) if sure < math.inf else math.inf
    if kappa == 0.0 and delta <= LIMIT_CHANCE:
        return math.inf
    top = sure
    if math.isinf(top):
        top = 1.0
        while worst_chance(top, kappa, r1) > delta:
            top *= 4.0
            if top > 1e300:
                return math.inf
    need = smallest(lambda x: worst_chance(x, kappa, r1) <= delta, TINIEST, top)
    return up(max(TINIEST, prior_sd * need))


def worst_chance(x: float, kappa: float, r1: float) -> float:
    """Return sup over a^2 <= R1 of P(gain > KAPPA) for noise of X prior standard deviations.

    With psi = x^2 the gain exceeds kappa where (G - a x)^2 < H, H = (1 + psi)(a^2 + log(1 + 1/psi) - kappa). The
    chance rises in a, or rises, falls and rises again; so the worst a is the largest or the one inner peak.
    """
    worst = _chance_at_edge(x, kappa, r1)
    peak = _inner_peak(x, kappa)
    if peak is not None and peak[0] <= math.sqrt(r1) * x:
        shift, root = peak
        worst = max(worst, normal_cdf(root - shift) - normal_cdf(-root - shift))
    return worst


def _chance_at_edge(x: float, kappa: float, r1: float) -> float:
    """Return P(|G - t| < s) with t = sqrt(R1) X and s^2 = t^2 + N, where N does not cancel if t is large."""
    shift = math.sqrt(r1) * x
    extra = r1 + _scaled_log(x) - kappa - (kappa * x) * x  # N = a^2 + (1 + psi)(log(1 + 1/psi) - kappa)
    if extra >= 0.0:
        root = math.hypot(shift, math.sqrt(extra))
        return normal_cdf(extra / (root + shift)) - normal_cdf(-root - shift) if root + shift > 0.0 else 0.0
    deficit = math.sqrt(-extra)
    if deficit >= shift:
        return 0.0
    root = math.sqrt(shift - deficit) * math.sqrt(shift + deficit)
    return normal_cdf(extra / (root + shift)) - normal_cdf(-root - shift)


def _scaled_log(x: float) -> float:
    """Return (1 + psi) log(1 + 1/psi) with psi = X^2."""
    if x < 1e-150:
        return -2.0 * math.log(x)
    psi = min(x, 1e150) ** 2
    return (1.0 + psi) * math.log1p(1.0 / psi)


def _inner_peak(x: float, kappa: float) -> tuple[float, float] | None:
    """Return (t, s) of the inner peak of the chance, or None: the first w with M(w) = e = psi (log(1 + 1/psi) - kappa).

    With p = tanh^2 w = (1 + psi) a^2 / (psi (a^2 + log(1+1/psi) - kappa)), M(w) = (1 - p psi/(1+psi)) w / tanh w.
    """
    if x <= math.sqrt(0.5) or x > 1e150:
        return None  # M rises throughout for psi <= 1/2
    psi = x * x
    level = psi * (math.log1p(1.0 / psi) - kappa)
    if level <= 0.0:
        return None

    def curve(w: float) -> float:
        square = math.tanh(w) ** 2
        return (1.0 / math.cosh(w) ** 2 + square / (1.0 + psi)) * w / math.tanh(w)

    lowest = lowest_place(curve, 1e-9, 0.5 * math.log(4.0 * psi) + 4.0, 1e-9)  # the curve falls, then rises
    if curve(lowest) >= level:
        return None
    high = smallest(lambda w: curve(w) <= level, TINIEST, lowest)
    square, share = math.tanh(high) ** 2, psi / (1.0 + psi)
    rest = 1.0 / math.cosh(high) ** 2 + square / (1.0 + psi)  # 1 - share p
    return math.sqrt(level * square * share / rest), math.sqrt(level / (share * rest))
