"""Privacy at risk as its authors print it (Dandekar, Basu & Bressan 2021). **Nothing here may bound a decision.**

The central theorem of the paper fails for a worst-case pair (docs/methods/privacy_at_risk.md): the confidences
below are too large by more than a factor 2. They are kept so that a reader can find the paper's figures again,
beside the audited ones of risk_audited.py and risk_cost.py.
"""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

from dpwizard.base.errors import Infeasible
from dpwizard.base.messages import message
from dpwizard.base.numerics import largest, smallest
from dpwizard.base.values import Count, Epsilon, NonNegative, Positive, Probability, Value, field, public
from dpwizard.privacy.privacy_at_risk.cost import cost_at, log_gap
from dpwizard.privacy.privacy_at_risk.gamma_difference import above, below, log_density

CLOSE = 4e-16  # searches here run to the last places: these figures are to be found again, not to bound anything
DIGITS = 60  # of the decimal arithmetic where two amounts of money nearly cancel


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
    1e-13 relative. **The value is never safe**: the exact confidence is less than half of it. Raises InvalidInput.
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

    Arguments: confidence gamma_1 in [0, 1]; epsilon0 in [0, inf]; dimension k >= 1. Returns the epsilon in
    [0, epsilon0] with published_confidence = confidence (inf only for confidence 1 at infinite epsilon0), to 1e-13
    relative. **The value is never safe**: the exact level is epsilon0 itself above a confidence of 1/2. Raises
    InvalidInput. Source: Dandekar et al. 2021, equation (4) for k = 1, the numerical inverse of (3) otherwise.
    """
    if confidence == 1.0 or epsilon0 == 0.0:
        return epsilon0
    if confidence == 0.0:
        return 0.0
    if dimension == 1:
        kept = confidence * -math.expm1(-epsilon0)
        return -math.log1p(-kept) if kept < 0.5 else -math.log((1.0 - confidence) + confidence * math.exp(-epsilon0))
    part = confidence * below(dimension, epsilon0)
    rest = (1.0 - confidence) + confidence * above(dimension, epsilon0)
    # P(T <= x) is concave: the level lies below confidence * epsilon0
    high = _reaching(dimension, part, rest, 1.0) if math.isinf(epsilon0) else confidence * epsilon0
    return smallest(lambda x: _reached(dimension, x, part, rest), 0.0, high, CLOSE)


@public
def published_noise_level(*, epsilon: Epsilon, confidence: Probability, dimension: Count = 1) -> float:
    """Return the epsilon0 to which the paper would set Laplace noise for EPSILON with a CONFIDENCE. **Unsound.**

    Arguments: epsilon in [0, inf]; confidence gamma_1 in [0, 1]; dimension k >= 1. Returns the largest epsilon0 with
    published_confidence >= confidence, to 1e-13 relative; inf where every epsilon0 has it. **The value is never safe**:
    noise_level gives the audited one. Raises InvalidInput.
    Source: Dandekar et al. 2021, section 6.2: confidence P(T <= epsilon0) = P(T <= epsilon).
    """
    return _noise_level(epsilon, confidence, dimension)


def _noise_level(epsilon: float, confidence: float, k: int) -> float:
    """Return the root epsilon0 of CONFIDENCE P(T <= epsilon0) = P(T <= EPSILON), for a confidence in [0, 1]."""
    if confidence == 1.0 or epsilon == 0.0 or math.isinf(epsilon):
        return math.inf if confidence == 0.0 else epsilon
    if confidence == 0.0:
        return math.inf
    part, left = below(k, epsilon), above(k, epsilon)
    rest = (left - (1.0 - confidence)) / confidence  # P(T > epsilon0), wanted where P(T <= epsilon0) is near 1
    if part >= confidence or rest <= 0.0:
        return math.inf
    part /= confidence
    if k == 1:
        return -math.log1p(-part) if part < 0.5 else -math.log(rest)
    start = epsilon / confidence  # P(T <= x) is concave: the root lies above
    if math.isinf(start):
        return math.inf
    return largest(lambda x: not _reached(k, x, part, rest, strict=True), start, _reaching(k, part, rest, start), CLOSE)


def _reached(k: int, x: float, part: float, rest: float, strict: bool = False) -> bool:
    """Return whether P(T <= x) >= PART, judged on the smaller of the two tails (REST = 1 - PART)."""
    if part < 0.5:
        got = below(k, x)
        return got > part if strict else got >= part
    left = above(k, x)
    return left < rest if strict else left <= rest


def _reaching(k: int, part: float, rest: float, start: float) -> float:
    high = start
    while not _reached(k, high, part, rest):
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
    1 from eta epsilon0 on; negative where the bound says nothing. Error 1e-13 relative. **The value is never safe**:
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
    gamma_3 P(T <= eta epsilon0) = alpha gamma_2 P(T <= epsilon), to 1e-13 relative: below epsilon/eta where gamma_3
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
    on, in the same money; error 1e-13 relative. **The value is never safe**: expected_compensation gives the exact
    mean. Raises InvalidInput. Source: Dandekar et al. 2021, equation (9).
    """
    if epsilon >= epsilon0:
        return cost_at(epsilon, cost, rate, floor)
    share, k = ratio(epsilon, epsilon0, dimension), dimension
    # the second share without cancellation
    other = 1.0 - share if share < 0.5 else max(0.0, above(k, epsilon) - above(k, epsilon0)) / below(k, epsilon0)
    return share * cost_at(epsilon, cost, rate, floor) + other * cost_at(epsilon0, cost, rate, floor)


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
    model with rate 1 and floor 0. Returns 1/ln(gamma E/(B - (1 - gamma) E e^(-1/epsilon0))), **never above the true
    root** of (9) and within 1e-15 relative of it; inf where the budget never binds. Raises Infeasible where the cost of
    epsilon0 alone uses up the budget, InvalidInput. The amounts count as the decimals they are written as. Source:
    Dandekar et al. 2021, equation (11), its upper end.
    """
    with localcontext() as context:
        context.prec = DIGITS
        context.Emin, context.Emax = -(10**9), 10**9
        total, share, most = Decimal(repr(budget)), Decimal(repr(confidence)), Decimal(repr(cost))
        if epsilon0 == 0.0:
            reached = Decimal(0)
        else:
            reached = Decimal(1) if math.isinf(epsilon0) else (-1 / Decimal(repr(epsilon0))).exp()
        left = total - (1 - share) * most * reached
        if left <= 0:
            raise Infeasible(
                message(
                    "the budget {budget:.12g} is used up by what epsilon0 = {epsilon:g} costs "
                    "in the remaining {rest:.6g}",
                    budget=budget,
                    epsilon=epsilon0,
                    rest=1 - confidence,
                ),
                "budget",
                "Raise the budget, or lower epsilon0.",
            )
        promised = share * most
        if promised <= left:
            return math.inf
        level = 1 / (promised / left).ln()  # (11)
        nearest = float(level)
        return math.nextafter(nearest, 0.0) if Decimal(nearest) > level else nearest
