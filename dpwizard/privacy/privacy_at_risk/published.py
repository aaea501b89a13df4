"""Privacy at risk as its authors print it (Dandekar, Basu & Bressan 2021). **Nothing here may bound a decision.**

The central theorem of the paper fails for a worst-case pair (docs/methods/privacy_at_risk.md): the confidences
below are too large by more than a factor 2. They are kept so that a reader can find the paper's figures again,
beside the audited ones of audited.py and cost.py.
"""

from __future__ import annotations

import math
from fractions import Fraction

from dpwizard.base.errors import Infeasible
from dpwizard.base.numerics import decimal, largest, smallest
from dpwizard.base.values import Count, Epsilon, NonNegative, Positive, Probability, Value, field, public
from dpwizard.privacy.privacy_at_risk.cost import cost_at, log_gap
from dpwizard.privacy.privacy_at_risk.gamma_difference import below, log_density

CLOSE = 1e-12  # relative: how closely searches close in on figures that are to be found again, not to bound anything


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
    return ratio(epsilon, epsilon0, dimension)


def ratio(epsilon: float, epsilon0: float, k: int) -> float:
    """Return P(T <= EPSILON)/P(T <= EPSILON0), 1 from epsilon0 on; also where both are tiny."""
    if epsilon >= epsilon0:
        return 1.0
    if math.isinf(epsilon0):
        return below(k, epsilon)
    whole = below(k, epsilon0)
    return min(1.0, below(k, epsilon) / whole if whole > 0.0 else epsilon / epsilon0)


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
    part = confidence * below(dimension, epsilon0)
    # P(T <= x) is concave: the level lies below confidence * epsilon0
    high = _reaching(dimension, part) if math.isinf(epsilon0) else confidence * epsilon0
    return smallest(lambda x: below(dimension, x) >= part, 0.0, high, CLOSE)


@public
def published_noise_level(*, epsilon: Epsilon, confidence: Probability, dimension: Count = 1) -> float:
    """Return the epsilon0 to which the paper would set Laplace noise for EPSILON with a CONFIDENCE. **Unsound.**

    Arguments: epsilon in [0, inf]; confidence gamma_1 in [0, 1]; dimension k >= 1. Returns the largest epsilon0 with
    published_confidence >= confidence, to 1e-11 relative; inf where every epsilon0 has it. **The value is never safe**:
    noise_level gives the audited one. Raises InvalidInput.
    Source: Dandekar et al. 2021, section 6.2: confidence P(T <= epsilon0) = P(T <= epsilon).
    """
    return _noise_level(epsilon, confidence, dimension)


def _noise_level(epsilon: float, confidence: float, k: int) -> float:
    """Return the root epsilon0 of CONFIDENCE P(T <= epsilon0) = P(T <= EPSILON), for a confidence in [0, 1]."""
    if confidence == 0.0:
        return math.inf
    if confidence == 1.0 or epsilon == 0.0 or math.isinf(epsilon):
        return epsilon
    part = below(k, epsilon) / confidence
    if part >= 1.0 or math.isinf(epsilon / confidence):
        return math.inf
    # P(T <= x) is concave: the root lies above
    return largest(lambda x: below(k, x) <= part, epsilon / confidence, _reaching(k, part), CLOSE)


def _reaching(k: int, part: float) -> float:
    high = 1.0
    while below(k, high) < part:
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
    return ratio(epsilon, eta * epsilon0, dimension) * confidence2 * published_tolerance(rho=rho, samples=samples)


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
        root = _noise_level(epsilon, confidence3 / allowed if allowed else 0.0, dimension)
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
        return cost_at(epsilon, cost, rate, floor)
    share = ratio(epsilon, epsilon0, dimension)
    return share * cost_at(epsilon, cost, rate, floor) + (1.0 - share) * cost_at(epsilon0, cost, rate, floor)


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
    best = _cheapest(epsilon0, dimension, rate)
    model = {"cost": cost, "rate": rate, "floor": floor}
    spent = published_compensation(epsilon=best, epsilon0=epsilon0, dimension=dimension, **model)
    return Cheapest(epsilon=best, confidence=ratio(best, epsilon0, dimension), cost=spent)


def _cheapest(epsilon0: float, k: int, rate: float) -> float:
    """Return where P(T <= x) (e^(-rate/epsilon0) - e^(-rate/x)) peaks: density/mass = rate/x^2 / (e^gap - 1)."""
    if epsilon0 == 0.0:
        return 0.0

    def saving_grows(x: float) -> bool:
        reached = below(k, x)
        gain = log_density(k, x) - math.log(reached) if reached > 0.0 else -math.log(x)
        loss = math.log(rate) - 2.0 * math.log(x) - log_gap(x, epsilon0, rate)
        return gain >= loss

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
    reached = Fraction(cost_at(epsilon0, 1.0, 1.0, 0.0))
    left = float(decimal(budget) - (1 - decimal(confidence)) * decimal(cost) * reached)
    if left <= 0.0:
        raise Infeasible(
            "the budget {budget:.12g} is used up by what epsilon0 = {epsilon:g} costs in the remaining {rest:.6g}",
            "budget",
            "Raise the budget, or lower epsilon0.",
            budget=budget,
            epsilon=epsilon0,
            rest=1.0 - confidence,
        )
    promised = confidence * cost
    return 1.0 / math.log(promised / left) if promised > left else math.inf  # (11)
