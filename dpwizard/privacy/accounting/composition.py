"""The total loss of many releases on the same people: classical theorems, the pure optimum, and exact losses.

**An epsilon returned here is a loss to declare: it is never below the true value**, except that of the theorem of
Dandekar, Basu & Bressan (2021), which fails and bounds nothing. Formulas, proofs and errors:
docs/methods/accounting.md.
"""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import Field

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import decimal, up
from dpwizard.base.values import Count, Epsilon, NonNegative, Positive, Probability, Value, field, public
from dpwizard.privacy.arguments import one_for_each
from dpwizard.privacy.mechanisms import LAPLACE, PureName, gaussian_epsilon, laplace_level_for, pure_noise_named

__all__ = [
    "advanced",
    "basic",
    "curve",
    "gaussian",
    "optimal",
    "optimal_delta",
    "published_at_risk",
    "published_at_risk_mixed",
    "tight",
    "tight_delta",
    "zcdp",
]

Unbounded = Annotated[float, Field(allow_inf_nan=True)]  # a result that may be infinite, null in JSON
Levels = Annotated[tuple[Epsilon, ...], Field(max_length=100_000)]
Confidences = Annotated[tuple[Probability, ...], Field(max_length=100_000)]
Repeated = Annotated[tuple[tuple[Epsilon, Count], ...], Field(max_length=1_000)]
Numbers = Annotated[tuple[Count, ...], Field(max_length=1_000)]

MOST_EQUAL_RELEASES = 10**9
MOST_RELEASES = 10**6  # beyond this the n-th power of a transform has no correct digits
TINY_TOTAL = 1e-12  # a sum of levels below this is returned as the upper bound, and 0 as the lower one
HUGE_LEVEL = 1e8  # a release at such a level loses all but 1,500 of it, except with probability 1e-300
ROUNDING = 8  # units in the last place, above the rounding error of a few operations
LARGEST_EXPONENT = 700.0
EXACT = 1e-12  # relative error of the sums in closed form


class Bracket(Value):
    """Two numbers that enclose the true value."""

    lower: Unbounded = field("Lower bound", default=...)
    upper: Unbounded = field("Upper bound", default=...)


class CurvePoint(Value):
    """The total loss of a number of equal releases, by each rule."""

    releases: int = field("Number of releases", default=...)
    basic: Unbounded = field("Basic composition", default=...)
    advanced: Unbounded = field("Advanced composition", default=...)
    optimal: Unbounded = field("Optimal composition of pure releases", default=...)
    lower: Unbounded = field("Exact loss of the mechanism, lower bound", default=...)
    upper: Unbounded = field("Exact loss of the mechanism, upper bound", default=...)
    published: float | None = field("Dandekar et al. 2021, Theorem 3, as published")


@public
def basic(*, levels: Levels) -> float:
    """Return the sum of LEVELS: the total loss of all releases by basic composition.

    Arguments: levels, epsilons >= 0 or "inf", at most 100,000. Returns their sum, correctly rounded; **an upper
    bound**, attained at delta 0. Raises InvalidInput. Source: Dwork & Roth 2014, Theorem 3.14.
    """
    return math.fsum(levels) if math.inf not in levels else math.inf


@public
def advanced(*, epsilon0: Epsilon, releases: Count, delta: Probability) -> float:
    """Return the total epsilon of RELEASES releases of EPSILON0 each at DELTA by advanced composition.

    Arguments: epsilon0 in [0, inf]; releases, a whole number >= 1; delta in [0, 1]. Returns eps0 sqrt(2 k ln(1/delta))
    + k eps0 (e^eps0 - 1), rounded up, 3e-15 relative: **an upper bound**, which may exceed basic; inf at delta 0.
    Raises InvalidInput. Source: Dwork & Roth 2014, Theorem 3.20, as quoted by Dandekar, Basu & Bressan 2021, Figure 5.
    """
    if epsilon0 == 0.0:
        return 0.0
    if math.isinf(epsilon0):
        return math.inf
    growth = math.expm1(epsilon0) if epsilon0 < LARGEST_EXPONENT else math.inf
    return up(epsilon0 * math.sqrt(2.0 * releases * _log_inverse(delta)) + releases * epsilon0 * growth, ROUNDING)


@public
def zcdp(*, epsilon0: Epsilon, releases: Count, delta: Probability) -> float:
    """Return the total epsilon of RELEASES releases of EPSILON0 each at DELTA by zero-concentrated privacy.

    Arguments: as for advanced. Returns rho + 2 sqrt(rho ln(1/delta)), rho = releases epsilon0^2/2, rounded up, 3e-15
    relative: **an upper bound**; inf at delta 0. Raises InvalidInput.
    Source: Bun & Steinke 2016, Propositions 1.3 and 1.4.
    """
    if epsilon0 == 0.0:
        return 0.0
    root = epsilon0 * math.sqrt(releases / 2.0)  # sqrt(rho)
    return up(root * (root + 2.0 * math.sqrt(_log_inverse(delta))), ROUNDING)


@public
def published_at_risk(
    *, epsilon0: Epsilon, epsilon: Epsilon, confidence: Probability, releases: Count, delta: Probability
) -> float:
    """Return the total epsilon of RELEASES releases by privacy at risk, **as published: refuted, bounds nothing**.

    Arguments: epsilon0, the level of each release, and epsilon, the level it is said to keep with CONFIDENCE (the
    printed gamma), both in [0, inf]; releases >= 1; delta in [0, 1]. Returns eps0 sqrt(2 n ln(1/delta)) + n mu with mu
    = (gamma eps^2 + (1 - gamma) eps0^2)/2, 1e-15 relative; inf at delta 0 (unless epsilon0 is 0). **On no safe side**:
    at eps0 = .5, n = 300 it claims less than the true loss. Raises InvalidInput. Source: Dandekar, Basu & Bressan 2021,
    Theorem 3.
    """
    mean = releases / 2.0 * _mixed_square(epsilon, epsilon0, confidence)
    return _deviation_term(epsilon0 * math.sqrt(releases), delta) + mean


@public
def published_at_risk_mixed(*, levels: Levels, epsilon: Epsilon, confidences: Confidences, delta: Probability) -> float:
    """Return the total epsilon of releases at different LEVELS by privacy at risk, **as published: bounds nothing**.

    Arguments: levels, one epsilon_l in [0, inf] for each release; epsilon, the level all are said to keep, the l-th
    with confidences[l] in [0, 1]; delta in [0, 1]. Returns sqrt(2 sum eps_l^2 ln(1/delta)) + mu, mu = (eps^2 sum
    gamma_l + sum (1 - gamma_l) eps_l^2)/2, 1e-15 relative. **On no safe side.** Raises InvalidInput unless each level
    has one confidence. Source: Dandekar, Basu & Bressan 2021, Corollary 1.
    """
    one_for_each(confidences, len(levels), "confidences")
    mean = (
        math.fsum(_mixed_square(epsilon, level, gamma) for level, gamma in zip(levels, confidences, strict=True)) / 2.0
    )
    return _deviation_term(math.hypot(*levels), delta) + mean


@public
def optimal(*, epsilon0: Epsilon, releases: Count, delta: Probability) -> float:
    """Return the smallest epsilon at DELTA of any RELEASES releases with pure EPSILON0 each.

    Arguments: epsilon0 in [0, inf]; releases, a whole number from 1 to 10^9; delta in [0, 1]. Returns the smallest real
    epsilon >= 0 with optimal_delta <= delta, **never below the true value** and at most 1e-9 (absolute or relative)
    above it; at delta 0 that of basic, at delta 1 0. Raises InvalidInput for more releases. Source: Kairouz, Oh &
    Viswanath 2015, Theorem 3.3, between the points of its grid as well.
    """
    _check_releases(releases, "releases", MOST_EQUAL_RELEASES)
    if epsilon0 == 0.0 or delta >= 1.0:
        return 0.0
    if delta == 0.0 or math.isinf(epsilon0 * releases):
        return epsilon0 * releases
    from dpwizard.privacy.accounting.repeated_response import repeated_epsilon  # NumPy takes 0.1 s to load

    return repeated_epsilon(epsilon0, releases, delta)


@public
def optimal_delta(*, epsilon0: Epsilon, releases: Count, epsilon: Epsilon) -> float:
    """Return the least delta that RELEASES releases of pure EPSILON0 each keep at EPSILON: that of randomised response.

    Arguments: epsilon0 and epsilon in [0, inf]; releases, a whole number from 1 to 10^9. Returns delta in [0, 1], 1e-9
    relative (0 below 1e-308). Raises InvalidInput for more releases. Source: Kairouz, Oh & Viswanath 2015, Theorem 3.3.
    """
    _check_releases(releases, "releases", MOST_EQUAL_RELEASES)
    if epsilon0 == 0.0 or math.isinf(epsilon):
        return 0.0
    if math.isinf(epsilon0 * releases):
        return 1.0
    from dpwizard.privacy.accounting.repeated_response import repeated_delta  # NumPy takes 0.1 s to load

    return repeated_delta(epsilon0, releases, epsilon)


@public
def gaussian(*, sigma: Positive, sensitivity: NonNegative = 1.0, releases: Count = 1, delta: Probability) -> float:
    """Return the exact epsilon of RELEASES Gaussian releases at DELTA: that of one with sd sigma/sqrt(releases).

    Arguments: sigma > 0, the standard deviation of each; sensitivity >= 0 (L2); releases >= 1; delta in [0, 1]. Returns
    epsilon >= 0, **never below the true value** and at most 1e-12 (absolute or relative) above it; inf at delta 0.
    Raises InvalidInput. Source: Balle & Wang 2018, Theorem 8; mu = sqrt(n) D2/sigma.
    """
    return gaussian_epsilon(up(math.sqrt(releases) * sensitivity / sigma), delta)


@public
def tight(*, mechanism: PureName, levels: Repeated, delta: Probability, sensitivity: Positive = 1.0) -> Bracket:
    """Return bounds that enclose the exact epsilon of many geometric or Laplace releases together at DELTA.

    Arguments: mechanism, geometric | laplace; levels, pairs [epsilon0, times]: times releases with noise scale
    sensitivity/epsilon0, at most 1,000 pairs and 10^6 releases; delta in [0, 1]; sensitivity > 0, whole for geometric:
    the pair differs by all of it in every release. Returns lower <= true <= upper, usually within 1e-4 relative (more
    with many different levels); **upper is the safe one**. Exact at delta 0 (the sum of levels) and at delta 1 (0).
    Raises InvalidInput for more releases, or a sensitivity that is not whole for geometric. Source: Dong, Roth & Su
    2022, for the dominating pair; docs/methods/accounting.md for the bounds.
    """
    counts, total, shift = _count_levels(mechanism, levels, sensitivity)
    if not counts or delta >= 1.0:
        return Bracket(lower=0.0, upper=0.0)
    if delta == 0.0 or math.isinf(total):
        return Bracket(lower=total, upper=total)
    if shift == 0 and list(counts.values()) == [1]:
        exact = laplace_level_for(max(counts), delta)
        return Bracket(lower=max(0.0, exact - 2e-15 * max(counts)), upper=exact)
    if total <= TINY_TOTAL or max(counts) >= HUGE_LEVEL:
        return Bracket(lower=_loss_of_huge_levels(counts), upper=up(total, 2))
    from dpwizard.privacy.accounting.bracket import bounds, lowest_epsilon  # NumPy, as above

    lower, upper = bounds(counts, shift, lambda a: a.epsilon(delta), lambda b: lowest_epsilon(b, delta))
    upper = min(upper, up(total, 2))
    return Bracket(lower=min(lower, upper), upper=upper)


@public
def tight_delta(*, mechanism: PureName, levels: Repeated, epsilon: Epsilon, sensitivity: Positive = 1.0) -> Bracket:
    """Return bounds that enclose the exact delta of many geometric or Laplace releases together at EPSILON.

    Arguments: as for tight; epsilon in [0, inf]. Returns lower <= true <= upper in [0, 1], usually within 1e-4;
    **upper is the safe one**. Raises InvalidInput as tight does. Source: as for tight.
    """
    counts, total, shift = _count_levels(mechanism, levels, sensitivity)
    if not counts or math.isinf(epsilon):
        return Bracket(lower=0.0, upper=0.0)
    if math.isinf(total):
        return Bracket(lower=1.0, upper=1.0)
    if decimal(epsilon) >= sum(n * decimal(e) for e, n in counts.items()):
        return Bracket(lower=0.0, upper=0.0)
    if shift == 0 and list(counts.values()) == [1]:
        exact = LAPLACE.loss(max(counts)).delta(epsilon)
        return Bracket(lower=exact * (1.0 - EXACT), upper=min(1.0, exact * (1.0 + EXACT)))
    if total <= TINY_TOTAL or max(counts) >= HUGE_LEVEL:
        certain = epsilon < _loss_of_huge_levels(counts)
        return Bracket(lower=1.0 - EXACT if certain else 0.0, upper=1.0 if total > TINY_TOTAL else up(total))
    from dpwizard.privacy.accounting.bracket import bounds, lowest_delta  # NumPy, as above

    lower, upper = bounds(counts, shift, lambda a: a.delta(epsilon), lambda b: lowest_delta(b, epsilon))
    return Bracket(lower=min(lower, upper), upper=upper)


@public
def curve(
    *,
    mechanism: PureName,
    epsilon0: Epsilon,
    releases: Numbers,
    delta: Probability,
    sensitivity: Positive = 1.0,
    epsilon: Epsilon | None = None,
    confidence: Probability | None = None,
) -> tuple[CurvePoint, ...]:
    """Return the total loss of 1, 2, ... equal releases by every rule, for a plot over their number.

    Arguments: mechanism, epsilon0, delta and sensitivity as for tight; releases, up to 1,000 numbers of releases;
    epsilon and confidence, the pair of privacy at risk, to add the published theorem. Returns one point for each
    number; **published is on no safe side**, lower is a lower bound, all others are upper bounds. Raises InvalidInput
    as tight does. Source: Dandekar, Basu & Bressan 2021, Figure 5.
    """
    points = []
    for n in releases:
        ends = tight(mechanism=mechanism, levels=((epsilon0, n),), delta=delta, sensitivity=sensitivity)
        published = None
        if epsilon is not None and confidence is not None:
            published = published_at_risk(
                epsilon0=epsilon0, epsilon=epsilon, confidence=confidence, releases=n, delta=delta
            )
        points.append(
            CurvePoint(
                releases=n,
                basic=epsilon0 * n,
                advanced=advanced(epsilon0=epsilon0, releases=n, delta=delta),
                optimal=optimal(epsilon0=epsilon0, releases=n, delta=delta),
                lower=ends.lower,
                upper=ends.upper,
                published=published,
            )
        )
    return tuple(points)


def _log_inverse(delta: float) -> float:
    return math.inf if delta == 0.0 else -math.log(delta)


def _deviation_term(size: float, delta: float) -> float:
    """Return size sqrt(2 ln(1/delta)); 0 if the size is 0, also at delta 0."""
    return 0.0 if size == 0.0 or delta == 1.0 else size * math.sqrt(2.0 * _log_inverse(delta))


def _mixed_square(epsilon: float, level: float, gamma: float) -> float:
    """Return gamma eps^2 + (1 - gamma) eps0^2; a level of weight 0 may be infinite."""
    within = gamma * epsilon * epsilon if gamma > 0.0 else 0.0
    beyond = (1.0 - gamma) * level * level if gamma < 1.0 else 0.0
    return within + beyond


def _check_releases(releases: int, argument: str, most: int) -> None:
    if releases > most:
        raise InvalidInput(
            "must be at most {most} releases; found {found}",
            argument,
            "Use zcdp or advanced for more releases.",
            most=most,
            found=releases,
        )


def _count_levels(
    mechanism: PureName, levels: tuple[tuple[float, int], ...], sensitivity: float
) -> tuple[dict[float, int], float, int]:
    """Return the number of releases at each level above 0, their sum, and the shift in steps, 0 for Laplace noise."""
    noise = pure_noise_named(mechanism)
    steps = noise.steps(sensitivity)
    counts: dict[float, int] = {}
    for level, times in levels:
        if level > 0.0:
            counts[level] = counts.get(level, 0) + times
    _check_releases(sum(counts.values()), "levels", MOST_RELEASES)
    total = math.fsum(level * times for level, times in counts.items())
    return counts, total, steps if noise.integer_valued else 0


def _loss_of_huge_levels(counts: dict[float, int]) -> float:
    """Return a lower bound on the loss of releases at a huge level, which fails with probability 1e-300."""
    return math.fsum(max(0.0, level * (1.0 - EXACT) - 1_500.0) * times for level, times in counts.items())
