"""Privacy at risk by the exact distribution of the privacy loss, instead of Dandekar, Basu & Bressan 2021, Theorem 4.

Neighbours differ by replacing one record, and the pair is the worst: the two answers differ by the full sensitivity.
With epsilon0 the loss of that full shift, the loss L is in [-epsilon0, epsilon0] and equals epsilon0 in at least half
of all releases (Laplace). Derivations: docs/methods/privacy_at_risk.md.
"""

from __future__ import annotations

import math

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import UNIT, down, largest
from dpwizard.base.values import Count, Epsilon, NonNegative, Positive, Probability, public
from dpwizard.privacy.mechanisms import (
    JudgedName,
    NoiseLoss,
    PureName,
    judged_noise_named,
    laplace_level_for,
    mass_between,
    pure_noise_named,
)

CONFIDENCE_ERROR = 16 * UNIT  # relative error of a confidence of geometric noise
CLOSE = 1e-15


# ---------------------------------------------------------------------------- one number, one release


@public
def confidence(
    *,
    mechanism: JudgedName,
    epsilon: Epsilon,
    epsilon0: Epsilon | None = None,
    sensitivity: Positive = 1.0,
    mu: NonNegative | None = None,
) -> float:
    """Return P(|loss| <= EPSILON) for the worst pair: the probability that one release loses at most epsilon.

    Arguments: mechanism, laplace | geometric | gaussian; epsilon in [0, inf]; epsilon0 in [0, inf], the loss of the
    full shift; sensitivity > 0, for geometric a whole number D of at most 1e15 (the worst shift among 1..D is taken);
    mu = sensitivity/standard deviation, for gaussian instead of epsilon0 and sensitivity. Returns a probability; 1
    from epsilon0 on; a loss equal to epsilon counts as within, numbers read as decimals. Error 1e-14 relative, on
    either side. Raises InvalidInput. Source: exact distributions in docs/methods/privacy_at_risk.md; they replace
    Dandekar et al. 2021, Theorem 4.
    """
    return _noise_loss(mechanism, epsilon0, sensitivity, mu).within(epsilon)


@public
def risk(
    *,
    mechanism: JudgedName,
    epsilon: Epsilon,
    epsilon0: Epsilon | None = None,
    sensitivity: Positive = 1.0,
    mu: NonNegative | None = None,
) -> float:
    """Return P(loss > EPSILON) for the worst pair: the probability that one release exceeds epsilon.

    Arguments: as for confidence. Returns a probability; 0 from epsilon0 on; the comparison is strict. Error 1e-14
    relative, on either side. This is the delta of probabilistic differential privacy. Raises InvalidInput. Source:
    exact distributions in docs/methods/privacy_at_risk.md; they replace Dandekar et al. 2021, Corollary 3.
    """
    return _noise_loss(mechanism, epsilon0, sensitivity, mu).tail(epsilon)


@public
def delta(
    *,
    mechanism: JudgedName,
    epsilon: Epsilon,
    epsilon0: Epsilon | None = None,
    sensitivity: Positive = 1.0,
    mu: NonNegative | None = None,
) -> float:
    """Return the smallest delta with which one release is (EPSILON, delta)-differentially private.

    Arguments: as for confidence. Returns delta in [0, 1]; 0 from epsilon0 on. Error 1e-13 relative, on either side. For
    several numbers with Laplace noise and one changed coordinate (the worst pair) the value is the same. It holds
    after post-processing, which privacy at risk does not. Raises InvalidInput. Source: exact hockey-stick divergences
    in docs/methods/privacy_at_risk.md.
    """
    return _noise_loss(mechanism, epsilon0, sensitivity, mu).delta(epsilon)


@public
def level_for_delta(*, epsilon0: Epsilon, delta: Probability) -> float:
    """Return the smallest epsilon with which Laplace noise for EPSILON0 is (epsilon, DELTA)-differentially private.

    Arguments: epsilon0 in [0, inf]; delta in [0, 1]. Returns max(0, epsilon0 + 2 log(1 - delta)), **never below the
    true value** and at most 1e-15 of epsilon0 above it; inf where epsilon0 is infinite and delta below 1. Raises
    InvalidInput. Source: the inverse of delta for laplace, docs/methods/privacy_at_risk.md.
    """
    return laplace_level_for(epsilon0, delta)


def _noise_loss(mechanism: JudgedName, epsilon0: float | None, sensitivity: float, mu: float | None) -> NoiseLoss:
    noise = judged_noise_named(mechanism)
    if noise.pure is None:
        return noise.loss(require_mu(epsilon0, sensitivity, mu))
    level = require_level(mechanism, epsilon0, mu)
    return noise.loss(level, noise.pure.steps(sensitivity))


def require_mu(epsilon0: float | None, sensitivity: float, mu: float | None) -> float:
    if mu is None or epsilon0 is not None or sensitivity != 1.0:
        raise InvalidInput(
            "must be given for gaussian, in place of epsilon0 and sensitivity",
            "mu",
            "Give mu = sensitivity / standard deviation.",
        )
    return mu


def require_level(mechanism: str, epsilon0: float | None, mu: float | None) -> float:
    if epsilon0 is None:
        raise InvalidInput(
            "must be given for {mechanism}", "epsilon0", "Give the loss of the full shift.", mechanism=mechanism
        )
    if mu is not None:
        raise InvalidInput(
            "does not belong to {mechanism}", "mu", "Leave it out; it stands for gaussian noise.", mechanism=mechanism
        )
    return epsilon0


# ------------------------------------------------------------------------- the epsilon0 a confidence allows


@public
def noise_level(
    *, mechanism: PureName, epsilon: Epsilon, confidence: Probability, sensitivity: Positive = 1.0
) -> float:
    """Return the largest epsilon0 up to which every release loses at most EPSILON with a CONFIDENCE.

    Arguments: mechanism, laplace | geometric; epsilon in [0, inf], the level; confidence in [0, 1]; sensitivity > 0,
    for geometric a whole number D of at most 1e15. Returns an epsilon0 up to which `confidence` is at least that: at
    least epsilon (there the confidence is 1), more only for laplace with a confidence up to (1 - e^-epsilon)/2 and for
    geometric with D > 1. inf for confidence 0. **Never above the true limit**, at most 1e-15 relative below it for
    laplace, 1e-13 for geometric. Raises InvalidInput. Source: the inverse of confidence,
    docs/methods/privacy_at_risk.md; it replaces Dandekar et al. 2021, section 6.2, case 1.
    """
    noise = pure_noise_named(mechanism)
    steps = noise.steps(sensitivity)
    if confidence == 0.0:
        return math.inf
    if epsilon == 0.0 or math.isinf(epsilon):
        return epsilon
    if noise.integer_valued:
        return _geometric_noise_level(epsilon, confidence, steps)
    excess = -math.expm1(-epsilon) / confidence / 2.0
    return max(epsilon, down(epsilon + 2.0 * math.log(excess), 16)) if excess > 1.0 else epsilon


def _geometric_noise_level(epsilon: float, target: float, steps: int) -> float:
    """Return the first epsilon0 above which geometric noise of sensitivity D = STEPS is below the TARGET confidence.

    With x = epsilon/u, the worst confidence on the piece D - j <= x < D - j + 1 is (a^z - a^q)/(1+a), z = ceil(j/2), q
    = D - floor(j/2). Its logarithm is concave in u and both its ends fall with j, so the limit is on the first piece
    that fails at an end: one bisection finds j, another the limit on the piece.
    """

    def confidence_at(j: int, unit: float) -> float:
        return mass_between(unit, (j + 1) // 2, steps - j) * (1.0 - CONFIDENCE_ERROR)

    def piece_start(j: int) -> float:
        return epsilon / (steps - j + 1)

    def piece_passes(j: int) -> bool:
        return confidence_at(j, piece_start(j)) >= target and confidence_at(j, piece_start(j + 1)) >= target

    low, high = 0, steps  # every piece up to low meets it; piece `steps`, x < 1, has confidence 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if piece_passes(middle) else (low, middle)
    if high < steps and confidence_at(high, piece_start(high)) >= target:
        unit = largest(lambda u: confidence_at(high, u) >= target, piece_start(high), piece_start(high + 1), CLOSE)
        return max(epsilon, down(steps * unit, 4))
    return max(epsilon, down(min(epsilon * (steps / (steps - high + 1)), 1e300)))


# ----------------------------------------------------------------------- sampled data


@public
def coverage_confidence(*, p: Probability, rank: Count, samples: Count) -> float:
    """Return the probability that the RANK-th smallest of n sampled sensitivities covers a share P of all drawn alike.

    Arguments: p in [0, 1]; 1 <= rank <= samples = n. Returns P(F(S_(rank)) >= p) = 1 - I_p(rank, n + 1 - rank), exact
    for continuous sensitivities and otherwise a lower bound; error 1e-12 relative. Valid only for data drawn like the
    sample. Raises InvalidInput. Source: order statistics; it replaces Dandekar et al. 2021, Theorems 5 and 6.
    """
    if rank > samples:
        raise InvalidInput(
            "must be at most samples = {most}; found {found}",
            "rank",
            "Give a position among the samples, counted from 1.",
            most=samples,
            found=rank,
        )
    from scipy.special import betaincc  # 0.1 s to import

    return float(betaincc(float(rank), float(samples + 1 - rank), p))
