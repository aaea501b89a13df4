"""How far off the numbers of a table are: relative error, all or most of them at once, and noisy thresholds.

Each published number has its own noise. Geometric and discrete Gaussian noise is whole: half widths are rounded down
and thresholds up to whole numbers. With a chance x of lying beyond a distance, all N numbers lie within it with chance
(1 - x)^N, and at least k of them by the upper tail of a binomial law (docs/methods/accuracy.md). Gaussian noise is
told by rho, its sd is sensitivity / sqrt(2 rho). **A needed budget is never below the true need.**
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Annotated

from pydantic import Field

from dpwizard.base.errors import Infeasible
from dpwizard.base.numerics import decimal, down, smallest, up
from dpwizard.base.values import Count, Epsilon, NonNegative, Number, OpenProbability, Positive, Probability, public
from dpwizard.privacy.mechanisms import GAUSSIAN, Budgeted, Law, PureName, law_at, law_of

Numbers = Annotated[Count, Field(le=10**9)]
NORMAL: Budgeted = GAUSSIAN.name
LEAST, MOST = 1e-12, 1e12  # the rates looked at: epsilon by sensitivity, or 1 by the standard deviation


# ----------------------------------------------------------------------------------- what a budget gives


@public
def relative_error(
    *,
    mechanism: Budgeted,
    fraction: Positive,
    of: Positive,
    epsilon: Epsilon | None = None,
    rho: Epsilon | None = None,
    sensitivity: Positive = 1.0,
) -> float:
    """Return P(|noise| > fraction * of): the chance that a number of the size OF is off by more than that share.

    Arguments: mechanism geometric | laplace with epsilon in [0, inf], gaussian | discrete_gaussian with rho in [0,
    inf]; sensitivity > 0 (L1; L2 for the Gaussians); fraction > 0; of > 0, the smallest true value that matters.
    Returns a probability, exact to 1e-10 relative. Raises InvalidInput. Source: docs/methods/accuracy.md.
    """
    return law_of(mechanism, epsilon=epsilon, rho=rho, sensitivity=sensitivity).beyond(decimal(fraction) * decimal(of))


@public
def all_within(
    *,
    mechanism: Budgeted,
    half_width: NonNegative,
    numbers: Numbers,
    epsilon: Epsilon | None = None,
    rho: Epsilon | None = None,
    sensitivity: Positive = 1.0,
) -> float:
    """Return the chance that all NUMBERS of a table lie within HALF_WIDTH of the truth at once.

    Arguments: mechanism geometric | laplace with epsilon in [0, inf], gaussian | discrete_gaussian with rho in [0,
    inf]; sensitivity > 0 (L1; L2 for the Gaussians); half_width >= 0; numbers >= 1, each with noise of its own.
    Returns a probability, exact to 1e-10 relative. Raises InvalidInput. Source: docs/methods/accuracy.md.
    """
    return _all(
        law_of(mechanism, epsilon=epsilon, rho=rho, sensitivity=sensitivity).beyond(decimal(half_width)), numbers
    )


@public
def share_within(
    *,
    mechanism: Budgeted,
    half_width: NonNegative,
    share: Probability,
    numbers: Numbers,
    epsilon: Epsilon | None = None,
    rho: Epsilon | None = None,
    sensitivity: Positive = 1.0,
) -> float:
    """Return the chance that at least ceil(share * numbers) of the NUMBERS lie within HALF_WIDTH.

    Arguments: mechanism geometric | laplace with epsilon in [0, inf], gaussian | discrete_gaussian with rho in [0,
    inf]; sensitivity > 0 (L1; L2 for the Gaussians); half_width >= 0; share in [0, 1], read as its decimal; numbers
    >= 1. Returns a probability, exact to 1e-10 relative. Raises InvalidInput. Source: docs/methods/accuracy.md.
    """
    return _most(
        law_of(mechanism, epsilon=epsilon, rho=rho, sensitivity=sensitivity).beyond(decimal(half_width)), share, numbers
    )


@public
def drop_rate(
    *,
    mechanism: Budgeted,
    true_value: Number,
    threshold: Number,
    epsilon: Epsilon | None = None,
    rho: Epsilon | None = None,
    sensitivity: Positive = 1.0,
) -> float:
    """Return P(true_value + noise < threshold): a number published from a noisy threshold on is dropped.

    Arguments: mechanism geometric | laplace with epsilon in [0, inf], gaussian | discrete_gaussian with rho in [0,
    inf]; sensitivity > 0 (L1; L2 for the Gaussians); true_value; threshold, raised to a whole number under whole
    noise. Returns a probability, exact to 1e-10 relative. Raises InvalidInput. Source: docs/methods/accuracy.md.
    """
    law = law_of(mechanism, epsilon=epsilon, rho=rho, sensitivity=sensitivity)
    return law.below(_gap(law, true_value, threshold))


@public
def spurious_rate(
    *,
    mechanism: Budgeted,
    threshold: Number,
    epsilon: Epsilon | None = None,
    rho: Epsilon | None = None,
    sensitivity: Positive = 1.0,
) -> float:
    """Return P(noise >= threshold): that a true 0 is published.

    Arguments: mechanism geometric | laplace with epsilon in [0, inf], gaussian | discrete_gaussian with rho in [0,
    inf]; sensitivity > 0 (L1; L2 for the Gaussians); threshold, raised to a whole number under whole noise. Returns
    a probability, exact to 1e-10 relative. Raises InvalidInput. Source: docs/methods/accuracy.md.
    """
    return law_of(mechanism, epsilon=epsilon, rho=rho, sensitivity=sensitivity).reaching(decimal(threshold))


# ------------------------------------------------------------------------------ the smallest budgets


@public
def epsilon_for_relative_error(
    *, mechanism: PureName, fraction: Positive, of: Positive, at_most: Probability, sensitivity: Positive = 1.0
) -> float:
    """Return the smallest epsilon with P(|noise| > fraction * of) <= AT_MOST.

    Arguments: mechanism geometric | laplace; sensitivity > 0 (L1); fraction, of > 0; at_most in [0, 1]. Returns the
    smallest epsilon, **never below the true need** and at most 1e-12 relative above it; inf where no finite one
    does. Raises InvalidInput. Source: docs/methods/accuracy.md.
    """
    return _epsilon(mechanism, sensitivity, relative_error_kept(fraction, of, at_most))


@public
def epsilon_for_all_within(
    *,
    mechanism: PureName,
    half_width: NonNegative,
    level: OpenProbability,
    numbers: Numbers,
    sensitivity: Positive = 1.0,
) -> float:
    """Return the smallest epsilon with which all NUMBERS lie within HALF_WIDTH with chance LEVEL.

    Arguments: mechanism geometric | laplace; sensitivity > 0 (L1); half_width >= 0; level in (0, 1); numbers >= 1.
    Returns the smallest epsilon, **never below the true need** and at most 1e-12 relative above it; inf where no
    finite one does. Raises InvalidInput. Source: docs/methods/accuracy.md.
    """
    return _epsilon(mechanism, sensitivity, all_within_kept(half_width, level, numbers))


@public
def epsilon_for_share_within(
    *,
    mechanism: PureName,
    half_width: NonNegative,
    share: Probability,
    level: OpenProbability,
    numbers: Numbers,
    sensitivity: Positive = 1.0,
) -> float:
    """Return the smallest epsilon with which that SHARE lies within HALF_WIDTH with chance LEVEL.

    Arguments: mechanism geometric | laplace; sensitivity > 0 (L1); half_width >= 0; share in [0, 1]; level in (0,
    1); numbers >= 1. Returns the smallest epsilon, **never below the true need** and at most 1e-12 relative above
    it; inf where no finite one does. Raises InvalidInput. Source: docs/methods/accuracy.md.
    """
    return _epsilon(mechanism, sensitivity, share_within_kept(half_width, share, level, numbers))


@public
def epsilon_for_drop_rate(
    *, mechanism: PureName, true_value: Number, threshold: Number, at_most: Probability, sensitivity: Positive = 1.0
) -> float:
    """Return the smallest epsilon with which TRUE_VALUE is dropped with a chance of AT_MOST.

    Arguments: mechanism geometric | laplace; sensitivity > 0 (L1); true_value; threshold; at_most in [0, 1].
    Returns the smallest epsilon, **never below the true need** and at most 1e-12 relative above it; inf where no
    finite one does. Raises InvalidInput; Infeasible where the true value is below the threshold and at_most below
    one half. Source: docs/methods/accuracy.md.
    """
    return _epsilon(mechanism, sensitivity, drop_rate_kept(true_value, threshold, at_most))


@public
def epsilon_for_spurious_rate(
    *, mechanism: PureName, threshold: Number, at_most: Probability, sensitivity: Positive = 1.0
) -> float:
    """Return the smallest epsilon with which a true 0 is published with a chance of AT_MOST.

    Arguments: mechanism geometric | laplace; sensitivity > 0 (L1); threshold; at_most in [0, 1]. Returns the
    smallest epsilon, **never below the true need** and at most 1e-12 relative above it; inf where no finite one
    does. Raises InvalidInput; Infeasible where the threshold is not above 0 and at_most below one half. Source:
    docs/methods/accuracy.md.
    """
    return _epsilon(mechanism, sensitivity, spurious_rate_kept(threshold, at_most))


@public
def rho_for_relative_error(
    *, fraction: Positive, of: Positive, at_most: Probability, sensitivity: Positive = 1.0
) -> float:
    """Return the smallest rho of Gaussian noise with P(|noise| > fraction * of) <= AT_MOST.

    Arguments: sensitivity > 0 (L2); fraction, of > 0; at_most in [0, 1]. Returns the smallest rho, **never below
    the true need** and at most 1e-12 relative above it; inf where no finite one does. Raises InvalidInput. Source:
    docs/methods/accuracy.md.
    """
    return _rho(sensitivity, relative_error_kept(fraction, of, at_most))


@public
def rho_for_all_within(
    *, half_width: NonNegative, level: OpenProbability, numbers: Numbers, sensitivity: Positive = 1.0
) -> float:
    """Return the smallest rho of Gaussian noise with which all NUMBERS lie within HALF_WIDTH with chance LEVEL.

    Arguments: sensitivity > 0 (L2); half_width >= 0; level in (0, 1); numbers >= 1. Returns the smallest rho,
    **never below the true need** and at most 1e-12 relative above it; inf where no finite one does. Raises
    InvalidInput. Source: docs/methods/accuracy.md.
    """
    return _rho(sensitivity, all_within_kept(half_width, level, numbers))


@public
def rho_for_share_within(
    *,
    half_width: NonNegative,
    share: Probability,
    level: OpenProbability,
    numbers: Numbers,
    sensitivity: Positive = 1.0,
) -> float:
    """Return the smallest rho of Gaussian noise with which that SHARE lies within HALF_WIDTH with chance LEVEL.

    Arguments: sensitivity > 0 (L2); half_width >= 0; share in [0, 1]; level in (0, 1); numbers >= 1. Returns the
    smallest rho, **never below the true need** and at most 1e-12 relative above it; inf where no finite one does.
    Raises InvalidInput. Source: docs/methods/accuracy.md.
    """
    return _rho(sensitivity, share_within_kept(half_width, share, level, numbers))


@public
def rho_for_drop_rate(
    *, true_value: Number, threshold: Number, at_most: Probability, sensitivity: Positive = 1.0
) -> float:
    """Return the smallest rho of Gaussian noise with which TRUE_VALUE is dropped with a chance of AT_MOST.

    Arguments: sensitivity > 0 (L2); true_value; threshold; at_most in [0, 1]. Returns the smallest rho, **never
    below the true need** and at most 1e-12 relative above it; inf where no finite one does. Raises InvalidInput;
    Infeasible where the true value is below the threshold and at_most below one half. Source:
    docs/methods/accuracy.md.
    """
    return _rho(sensitivity, drop_rate_kept(true_value, threshold, at_most))


@public
def rho_for_spurious_rate(*, threshold: Number, at_most: Probability, sensitivity: Positive = 1.0) -> float:
    """Return the smallest rho of Gaussian noise with which a true 0 is published with a chance of AT_MOST.

    Arguments: sensitivity > 0 (L2); threshold; at_most in [0, 1]. Returns the smallest rho, **never below the true
    need** and at most 1e-12 relative above it; inf where no finite one does. Raises InvalidInput; Infeasible where
    the threshold is not above 0 and at_most below one half. Source: docs/methods/accuracy.md.
    """
    return _rho(sensitivity, spurious_rate_kept(threshold, at_most))


# ------------------------------------------------------------------ what noise keeps, as decisions ask for it

Kept = Callable[[Law], bool]


def relative_error_kept(fraction: float, of: float, at_most: float) -> Kept:
    """Return which noise is beyond FRACTION of OF with a chance of AT_MOST; the figures as in relative_error."""
    distance = decimal(fraction) * decimal(of)
    return lambda law: 0.0 < at_most >= law.beyond(distance)


def all_within_kept(half_width: float, level: float, numbers: int) -> Kept:
    """Return which noise keeps all NUMBERS within HALF_WIDTH with chance LEVEL; the figures as in all_within."""
    return lambda law: all_kept(law, half_width, numbers) >= level


def share_within_kept(half_width: float, share: float, level: float, numbers: int) -> Kept:
    """Return which noise keeps that SHARE within HALF_WIDTH with chance LEVEL; the figures as in share_within."""
    return lambda law: share_kept(law, half_width, share, numbers) >= level


def drop_rate_kept(true_value: float, threshold: float, at_most: float) -> Kept:
    """Return which noise drops TRUE_VALUE with a chance of AT_MOST; the figures as in drop_rate.

    Raises Infeasible where the true value is below the threshold and at_most below one half.
    """
    _require_reach(true_value, threshold, at_most)
    return lambda law: 0.0 < at_most >= dropped(law, true_value, threshold)


def spurious_rate_kept(threshold: float, at_most: float) -> Kept:
    """Return which noise lifts a true 0 to THRESHOLD with a chance of AT_MOST; the figures as in spurious_rate.

    Raises Infeasible where the threshold is not above 0 and at_most below one half.
    """
    _require_threshold(threshold, at_most)
    return lambda law: 0.0 < at_most >= law.reaching(decimal(threshold))


def all_kept(law: Law, half_width: float, numbers: int) -> float:
    """Return the chance that all NUMBERS of noise of this LAW lie within HALF_WIDTH."""
    return _all(law.beyond(decimal(half_width)), numbers)


def share_kept(law: Law, half_width: float, share: float, numbers: int) -> float:
    """Return the chance that at least that SHARE of NUMBERS lies within HALF_WIDTH under this LAW."""
    return _most(law.beyond(decimal(half_width)), share, numbers)


def dropped(law: Law, true_value: float, threshold: float) -> float:
    """Return the chance that TRUE_VALUE with noise of this LAW stays below THRESHOLD."""
    return law.below(_gap(law, true_value, threshold))


def largest_scale(mechanism: Budgeted, kept: Kept) -> float:
    """Return the largest scale of the noise of MECHANISM that is KEPT: 1/rate, b, or the standard deviation.

    inf where any is, 0 where no finite one is seen to; **never above the true one**, and 1e-12 relative below it.
    """
    rate = _rate(mechanism, kept)
    return math.inf if rate == 0.0 else down(1.0 / rate, 1)


# ------------------------------------------------------------------------------------------------ inside


def _all(beyond: float, numbers: int) -> float:
    return 0.0 if beyond >= 1.0 else math.exp(numbers * math.log1p(-beyond))


def _most(beyond: float, share: float, numbers: int) -> float:
    """Return P(at least ceil(share * numbers) lie within): the regularised incomplete beta function."""
    from scipy.special import betainc  # 0.1 s to import: only when it is needed

    wanted = math.ceil(decimal(share) * numbers)
    if wanted == 0:
        return 1.0
    if beyond < 0.5:  # from the side where nothing cancels
        missed = float(betainc(numbers - wanted + 1, wanted, beyond))
        return 1.0 - missed if missed < 0.5 else float(betainc(wanted, numbers - wanted + 1, 1.0 - beyond))
    return float(betainc(wanted, numbers - wanted + 1, 1.0 - beyond))


def _gap(law: Law, true_value: float, threshold: float) -> Fraction:
    """Return how far above TRUE_VALUE the THRESHOLD lies, raised to a whole number under whole noise."""
    return (Fraction(math.ceil(decimal(threshold))) if law.whole else decimal(threshold)) - decimal(true_value)


def _require_reach(true_value: float, threshold: float, at_most: float) -> None:
    if true_value < threshold and at_most < 0.5:
        raise Infeasible(
            "lies below the threshold: the more accurate the number, the surer it is dropped",
            "true_value",
            "Lower the threshold, or allow a chance of one half and more.",
        )


def _require_threshold(threshold: float, at_most: float) -> None:
    if threshold <= 0.0 and at_most < 0.5:
        raise Infeasible(
            "is reached by every true 0: no budget keeps it back", "threshold", "Choose a threshold above 0."
        )


def _epsilon(mechanism: PureName, sensitivity: float, holds: Kept) -> float:
    return up(_rate(mechanism, holds) * sensitivity, 2)


def _rho(sensitivity: float, holds: Kept) -> float:
    rate = _rate(NORMAL, holds)
    far = rate * sensitivity
    return up(far * far / 2.0, 4)


def _rate(mechanism: Budgeted, holds: Kept) -> float:
    """Return the smallest rate at which HOLDS is true: 0 where any does, inf where no finite one is seen to."""
    if holds(law_at(mechanism, 0.0)):
        return 0.0
    if not holds(law_at(mechanism, MOST)):
        return math.inf
    return smallest(lambda rate: holds(law_at(mechanism, rate)), LEAST, MOST)
