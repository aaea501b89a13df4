"""Privacy at risk as published by Dandekar, Basu & Bressan 2021. **Nothing here may bound a decision.**

The central theorem of the paper fails for a worst-case pair (docs/methods/privacy_at_risk.md): the confidences below
are too large by more than a factor 2. They reproduce the paper's figures, beside those of audited.py and cost.py.

They rest on T = |X - Y| for two independent Gamma(k, 1) variables. Its density is a Bessel-K function of half-integer
order, K_(k-1/2)(t) = sqrt(pi/(2t)) e^-t sum_j (k-1+j)!/(j! (k-1-j)!) (2t)^-j, so that T is a mixture of Gamma(m, 1)
variables, m = 1..k, with the weights 2^(1+m-2k) C(2k-1-m, k-m): all are positive, and no digits cancel. For k in the
hundred millions T is |G| sqrt(2k), G standard normal, to 1/k relative.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpwizard.base.errors import Infeasible
from dpwizard.base.numerics import decimal, largest, smallest
from dpwizard.base.values import Count, Epsilon, NonNegative, Positive, Probability, Value, field, public
from dpwizard.privacy.privacy_at_risk.cost import compensation_at, log_gap

Floats = NDArray[np.float64]

CLOSE = 1e-12  # relative precision of a search
NORMAL_FROM = 10**8  # the number of terms from which T is normal to 1e-8
WIDEST_SHAPES = 40.0  # shapes farther than this many sqrt(k) have weights below e^-400


class Cheapest(Value):
    """The level of privacy at risk with the smallest published compensation."""

    epsilon: float = field("Level", default=...)
    confidence: float = field("Published confidence of that level", default=...)
    cost: float = field("Published compensation", default=...)


# ------------------------------------------------------------------------- explicit randomness: the noise


@public
def published_confidence(*, epsilon: Epsilon, epsilon0: Epsilon, dimension: Count = 1) -> float:
    """Return gamma_1, published as the chance that Laplace noise for epsilon0 loses at most EPSILON. **Unsound.**

    Arguments: epsilon and epsilon0 in [0, inf]; dimension k >= 1, how many numbers are released. Returns
    P(T <= epsilon)/P(T <= epsilon0) in [0, 1], T = |X - Y| for independent Gamma(k, 1); 1 from epsilon0 on. Error
    1e-11 relative. **The value is never safe**: the exact confidence is less than half of it. Raises InvalidInput.
    Source: Dandekar et al. 2021, Theorem 4, equation (3).
    """
    if epsilon >= epsilon0:
        return 1.0
    if math.isinf(epsilon0):
        return gamma_difference_cdf(dimension, epsilon)
    whole = gamma_difference_cdf(dimension, epsilon0)
    if whole == 0.0:  # both chances underflow
        return min(1.0, epsilon / epsilon0)
    return min(1.0, gamma_difference_cdf(dimension, epsilon) / whole)


@public
def published_level(*, confidence: Probability, epsilon0: Epsilon, dimension: Count = 1) -> float:
    """Return the epsilon that Laplace noise made for EPSILON0 is published to keep with a CONFIDENCE. **Unsound.**

    Arguments: confidence gamma_1 in [0, 1]; epsilon0 in [0, inf]; dimension k >= 1. Returns the epsilon in [0,
    epsilon0] with published_confidence = confidence (inf only for confidence 1 at infinite epsilon0), to 1e-11
    relative. **The value is never safe**: the exact level is epsilon0 itself above a confidence of 1/2. Raises
    InvalidInput. Source: Dandekar et al. 2021, the inverse of equation (3).
    """
    if confidence == 1.0 or epsilon0 == 0.0:
        return epsilon0
    if confidence == 0.0:
        return 0.0
    target = confidence * gamma_difference_cdf(dimension, epsilon0)
    # P(T <= x) is concave: the level is below confidence * epsilon0
    high = _upper_end(dimension, target) if math.isinf(epsilon0) else confidence * epsilon0
    return smallest(lambda x: gamma_difference_cdf(dimension, x) >= target, 0.0, high, CLOSE)


@public
def published_noise_level(*, epsilon: Epsilon, confidence: Probability, dimension: Count = 1) -> float:
    """Return the epsilon0 to which the paper would set Laplace noise for EPSILON with a CONFIDENCE. **Unsound.**

    Arguments: epsilon in [0, inf]; confidence gamma_1 in [0, 1]; dimension k >= 1. Returns the largest epsilon0 with
    published_confidence >= confidence, to 1e-11 relative; inf where every epsilon0 has it. **The value is never safe**:
    noise_level gives the audited one. Raises InvalidInput.
    Source: Dandekar et al. 2021, section 6.2: confidence P(T <= epsilon0) = P(T <= epsilon).
    """
    if confidence == 0.0:
        return math.inf
    if confidence == 1.0 or epsilon == 0.0 or math.isinf(epsilon):
        return epsilon
    target = gamma_difference_cdf(dimension, epsilon) / confidence
    low = epsilon / confidence  # P(T <= x) is concave: the root is above
    if target >= 1.0 or math.isinf(low):
        return math.inf
    return largest(lambda x: gamma_difference_cdf(dimension, x) <= target, low, _upper_end(dimension, target), CLOSE)


def _upper_end(k: int, target: float) -> float:
    """Return a power of 2 at which P(T <= x) reaches TARGET."""
    high = 1.0
    while gamma_difference_cdf(k, high) < target:
        high *= 2.0
    return high


# ------------------------------------------------------------------- implicit randomness: the sampled data


@public
def published_tolerance(*, rho: Probability, samples: Count) -> float:
    """Return alpha, the probability left by the sampling error of an empirical distribution. **As published.**

    Arguments: rho in [0, 1], how far the empirical distribution of n = SAMPLES sensitivities may be from the true
    one. Returns 1 - 2 e^(-2 rho^2 n), negative where the bound says nothing; error 1e-15. Raises InvalidInput.
    Source: Dandekar et al. 2021, equation (13), the Dvoretzky-Kiefer-Wolfowitz inequality.
    """
    return -math.expm1(math.log(2.0) - 2.0 * rho * rho * samples)  # (13)


@public
def published_confidence_sampled(
    *,
    epsilon: Epsilon,
    epsilon0: Epsilon,
    confidence2: Probability,
    dimension: Count = 1,
    eta: Positive = 1.0,
    rho: Probability,
    samples: Count,
) -> float:
    """Return the published lower bound on gamma_3, for noise set by a sampled sensitivity. **As published: unsound.**

    Arguments: epsilon and epsilon0 in [0, inf]; confidence2 gamma_2 in [0, 1], the quantile at which the sensitivity
    was sampled; dimension k >= 1; eta > 0, true over sampled sensitivity; rho in [0, 1] and SAMPLES as in
    published_tolerance. Returns P(T <= epsilon)/P(T <= eta epsilon0) gamma_2 (1 - 2e^(-2 rho^2 n)), the first factor
    1 from eta epsilon0 on; negative where the bound says nothing. Error 1e-11 relative. **The value is never safe**:
    the paper drops rho from the quantile; coverage_confidence gives the right statement. Raises InvalidInput. Source:
    Dandekar et al. 2021, Theorem 6, equations (6) and (7).
    """
    confidence = published_confidence(epsilon=epsilon, epsilon0=eta * epsilon0, dimension=dimension)
    return confidence * confidence2 * published_tolerance(rho=rho, samples=samples)


@public
def published_noise_level_sampled(
    *,
    epsilon: Epsilon,
    confidence3: Probability,
    confidence2: Probability,
    dimension: Count = 1,
    eta: Positive = 1.0,
    tolerance: Probability,
) -> float:
    """Return the epsilon0 to which the paper would set noise on a sampled sensitivity. **As published: unsound.**

    Arguments: epsilon in [0, inf]; confidence3, the wanted gamma_3, and confidence2, the quantile gamma_2, in [0, 1];
    dimension k >= 1; eta > 0; tolerance alpha in [0, 1], see published_tolerance. Returns the root epsilon0 of
    gamma_3 P(T <= eta epsilon0) = alpha gamma_2 P(T <= epsilon), to 1e-11 relative: below epsilon/eta where gamma_3
    exceeds alpha gamma_2, inf where the right side is at least gamma_3. **The value is never safe.** Raises
    InvalidInput. Source: Dandekar et al. 2021, section 6.2, the third case.
    """
    allowed = tolerance * confidence2
    if allowed >= confidence3:
        # P(T <= eta epsilon0) = P(T <= epsilon) / (confidence3 / allowed)
        confidence = confidence3 / allowed if allowed else 0.0
        root = published_noise_level(epsilon=epsilon, confidence=confidence, dimension=dimension)
    else:
        root = published_level(confidence=allowed / confidence3, epsilon0=epsilon, dimension=dimension)
    return root / eta


# --------------------------------------------------------------------------------- the cost, as published


@public
def published_compensation(
    *,
    epsilon: Epsilon,
    epsilon0: Epsilon,
    dimension: Count = 1,
    cost: NonNegative,
    rate: Positive = 1.0,
    floor: NonNegative = 0.0,
) -> float:
    """Return the published cost of noise for EPSILON0 that keeps EPSILON with confidence gamma_1. **Unsound.**

    Arguments: epsilon and epsilon0 in [0, inf]; dimension k >= 1; cost E and floor E_min >= 0, in money; rate c > 0.
    Returns gamma_1 h(epsilon) + (1 - gamma_1) h(epsilon0), h(x) = floor + cost e^(-rate/x), gamma_1 = 1 from epsilon0
    on, in the same money; error 1e-11 relative. **The value is never safe**: expected_compensation gives the exact
    mean. Raises InvalidInput. Source: Dandekar et al. 2021, equation (9).
    """
    if epsilon >= epsilon0:
        return compensation_at(epsilon, cost, rate, floor)
    share = published_confidence(epsilon=epsilon, epsilon0=epsilon0, dimension=dimension)
    return share * compensation_at(epsilon, cost, rate, floor) + (1.0 - share) * compensation_at(
        epsilon0, cost, rate, floor
    )


@public
def published_cheapest(
    *, epsilon0: Epsilon, dimension: Count = 1, cost: NonNegative, rate: Positive = 1.0, floor: NonNegative = 0.0
) -> Cheapest:
    """Return the level with the smallest published cost, its published confidence and that cost. **Unsound.**

    Arguments: epsilon0 in [0, inf]; dimension k >= 1; cost E and floor E_min >= 0, in money; rate c > 0. Returns
    epsilon in (0, epsilon0] to 1e-12 relative, and confidence and cost there. The minimiser is unique for every k, rate
    and epsilon0 although the cost is not convex (docs/methods); it does not depend on cost and floor. **The values are
    never safe**: the correct minimiser of a wrong objective. Raises InvalidInput. Source: Dandekar et al. 2021,
    equation (10), for any k and rate.
    """
    best = _cheapest_level(epsilon0, dimension, rate)
    model = {"cost": cost, "rate": rate, "floor": floor}
    spent = published_compensation(epsilon=best, epsilon0=epsilon0, dimension=dimension, **model)
    confidence = published_confidence(epsilon=best, epsilon0=epsilon0, dimension=dimension)
    return Cheapest(epsilon=best, confidence=confidence, cost=spent)


def _cheapest_level(epsilon0: float, k: int, rate: float) -> float:
    """Return where P(T <= x) (e^(-rate/epsilon0) - e^(-rate/x)) peaks: density/mass = rate/x^2 / (e^gap - 1)."""
    if epsilon0 == 0.0:
        return 0.0

    def saving_grows(x: float) -> bool:
        mass = gamma_difference_cdf(k, x)
        log_density_ratio = gamma_difference_log_density(k, x) - math.log(mass) if mass > 0.0 else -math.log(x)
        log_cost_ratio = math.log(rate) - 2.0 * math.log(x) - log_gap(x, epsilon0, rate)
        return log_density_ratio >= log_cost_ratio

    high = epsilon0
    if math.isinf(high):
        high = 1.0
        while saving_grows(high):
            high *= 2.0
    return largest(saving_grows, 0.0, high, CLOSE)


@public
def published_level_for_budget(
    *, budget: NonNegative, confidence: Probability, epsilon0: Epsilon, cost: NonNegative
) -> float:
    """Return the largest epsilon that keeps the published cost within BUDGET at a given CONFIDENCE. **Unsound.**

    Arguments: budget and cost E >= 0, in the same money; confidence gamma in [0, 1]; epsilon0 in [0, inf]; the cost
    model with rate 1 and floor 0. Returns 1/ln(gamma E/(B - (1 - gamma) E e^(-1/epsilon0))), the root of (9), to 1e-12
    relative; inf where the budget never binds. Raises Infeasible where the cost of epsilon0 alone uses up the budget,
    InvalidInput. Source: Dandekar et al. 2021, equation (11), its upper end.
    """
    epsilon0_cost = Fraction(compensation_at(epsilon0, 1.0, 1.0, 0.0))
    remaining = float(decimal(budget) - (1 - decimal(confidence)) * decimal(cost) * epsilon0_cost)
    if remaining <= 0.0:
        raise Infeasible(
            "the budget {budget:.12g} is used up by what epsilon0 = {epsilon:g} costs in the remaining {rest:.6g}",
            "budget",
            "Raise the budget, or lower epsilon0.",
            budget=budget,
            epsilon=epsilon0,
            rest=1.0 - confidence,
        )
    promised = confidence * cost
    return 1.0 / math.log(promised / remaining) if promised > remaining else math.inf  # (11)


# --------------------------------------------------------------------------------- the distribution of T


@lru_cache(maxsize=16)
def _gamma_mixture(k: int) -> tuple[Floats, Floats]:
    """Return the shapes m and the logarithms of their weights."""
    from scipy.special import gammaln  # 0.1 s to import

    m = np.arange(1.0, min(k, WIDEST_SHAPES * (math.sqrt(k) + 1.0)) + 1.0)
    log_weights = gammaln(2.0 * k - m) - gammaln(k - m + 1.0) - gammaln(float(k)) + (1.0 + m - 2.0 * k) * math.log(2.0)
    return m, log_weights - np.logaddexp.reduce(log_weights)


def gamma_difference_cdf(k: int, x: float) -> float:
    """Return P(T <= x) for x in [0, inf], k >= 1; relative error 1e-15 at k = 1, 2e-10 at k = 100,000, at most 1e-8."""
    from scipy.special import gammainc

    if k > NORMAL_FROM:
        return math.erf(x / (2.0 * math.sqrt(k)))
    m, log_weights = _gamma_mixture(k)
    return min(float(np.exp(log_weights) @ gammainc(m, x)), 1.0)


def gamma_difference_log_density(k: int, x: float) -> float:
    from scipy.special import gammaln, xlogy

    if k > NORMAL_FROM:
        return -x * x / (4.0 * k) - 0.5 * math.log(math.pi * k)
    m, log_weights = _gamma_mixture(k)
    return float(np.logaddexp.reduce(log_weights + xlogy(m - 1.0, x) - gammaln(m))) - x
