"""How far off the numbers of a table are: relative error, all or most of them at once, and noisy thresholds.

Each published number has its own noise. Geometric and discrete Gaussian noise is whole: half widths are rounded down
and thresholds up to whole numbers. With a chance x of lying beyond a distance, all N numbers lie within it with chance
(1 - x)^N, and at least k of them by the upper tail of a binomial law (docs/methods/accuracy.md). Gaussian noise is
told by rho, its sd is sensitivity / sqrt(2 rho). **A needed budget is never below the true need.**
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from dpwizard.base.values import Count, Epsilon, NonNegative, Number, OpenProbability, Positive, Probability, public
from dpwizard.privacy.accuracy.number_noise import noise_with
from dpwizard.privacy.accuracy.statistics import (
    AllWithin,
    DropRate,
    RelativeError,
    ShareWithin,
    SpuriousRate,
    least_budget,
)
from dpwizard.privacy.mechanisms import GAUSSIAN, IN_RHO, NoiseName, PureName, noise_named

Numbers = Annotated[Count, Field(le=10**9)]
GAUSSIAN_IN_RHO = GAUSSIAN.by_rule(IN_RHO.rule, 1.0)
ANY = 1.0  # where the value alone is asked for, any bound on it will do


# ----------------------------------------------------------------------------------- what a budget gives


@public
def relative_error(
    *,
    mechanism: NoiseName,
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
    asked = RelativeError(fraction=fraction, of=of, at_most=ANY)
    return asked.value(noise_with(mechanism, epsilon, rho, sensitivity))


@public
def all_within(
    *,
    mechanism: NoiseName,
    half_width: NonNegative,
    numbers: Numbers,
    epsilon: Epsilon | None = None,
    rho: Epsilon | None = None,
    sensitivity: Positive = 1.0,
) -> float:
    """Return the chance that all NUMBERS of a table lie within HALF_WIDTH of the truth at once.

    Arguments: the noise as for relative_error; half_width >= 0; numbers >= 1, each with noise of its own. Returns a
    probability, exact to 1e-10 relative. Raises InvalidInput. Source: docs/methods/accuracy.md.
    """
    asked = AllWithin(half_width=half_width, numbers=numbers, level=ANY)
    return asked.value(noise_with(mechanism, epsilon, rho, sensitivity))


@public
def share_within(
    *,
    mechanism: NoiseName,
    half_width: NonNegative,
    share: Probability,
    numbers: Numbers,
    epsilon: Epsilon | None = None,
    rho: Epsilon | None = None,
    sensitivity: Positive = 1.0,
) -> float:
    """Return the chance that at least ceil(share * numbers) of the NUMBERS lie within HALF_WIDTH.

    Arguments: the noise as for relative_error; half_width >= 0; share in [0, 1], read as its decimal; numbers >= 1.
    Returns a probability, exact to 1e-10 relative. Raises InvalidInput. Source: docs/methods/accuracy.md.
    """
    asked = ShareWithin(half_width=half_width, share=share, numbers=numbers, level=ANY)
    return asked.value(noise_with(mechanism, epsilon, rho, sensitivity))


@public
def drop_rate(
    *,
    mechanism: NoiseName,
    true_value: Number,
    threshold: Number,
    epsilon: Epsilon | None = None,
    rho: Epsilon | None = None,
    sensitivity: Positive = 1.0,
) -> float:
    """Return P(true_value + noise < threshold): a number published from a noisy threshold on is dropped.

    Arguments: the noise as for relative_error; true_value; threshold, raised to a whole number under whole noise.
    Returns a probability, exact to 1e-10 relative. Raises InvalidInput. Source: docs/methods/accuracy.md.
    """
    asked = DropRate(true_value=true_value, threshold=threshold, at_most=ANY)
    return asked.value(noise_with(mechanism, epsilon, rho, sensitivity))


@public
def spurious_rate(
    *,
    mechanism: NoiseName,
    threshold: Number,
    epsilon: Epsilon | None = None,
    rho: Epsilon | None = None,
    sensitivity: Positive = 1.0,
) -> float:
    """Return P(noise >= threshold): that a true 0 is published.

    Arguments: the noise as for relative_error; threshold, raised to a whole number under whole noise. Returns a
    probability, exact to 1e-10 relative. Raises InvalidInput. Source: docs/methods/accuracy.md.
    """
    asked = SpuriousRate(threshold=threshold, at_most=ANY)
    return asked.value(noise_with(mechanism, epsilon, rho, sensitivity))


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
    asked = RelativeError(fraction=fraction, of=of, at_most=at_most)
    return least_budget(asked, noise_named(mechanism), sensitivity)


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

    Arguments: mechanism and sensitivity as for epsilon_for_relative_error; half_width >= 0; level in (0, 1); numbers
    >= 1. Error as there, **never below the true need**. Raises InvalidInput. Source: docs/methods/accuracy.md.
    """
    asked = AllWithin(half_width=half_width, level=level, numbers=numbers)
    return least_budget(asked, noise_named(mechanism), sensitivity)


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

    Arguments: mechanism and sensitivity as for epsilon_for_relative_error; half_width >= 0; share in [0, 1]; level in
    (0, 1); numbers >= 1. Error as there, **never below the true need**. Raises InvalidInput. Source:
    docs/methods/accuracy.md.
    """
    asked = ShareWithin(half_width=half_width, share=share, level=level, numbers=numbers)
    return least_budget(asked, noise_named(mechanism), sensitivity)


@public
def epsilon_for_drop_rate(
    *, mechanism: PureName, true_value: Number, threshold: Number, at_most: Probability, sensitivity: Positive = 1.0
) -> float:
    """Return the smallest epsilon with which TRUE_VALUE is dropped with a chance of AT_MOST.

    Arguments: mechanism and sensitivity as for epsilon_for_relative_error; true_value; threshold; at_most in [0, 1].
    Error as there, **never below the true need**. Raises InvalidInput; Infeasible where the true value is below the
    threshold and at_most below one half. Source: docs/methods/accuracy.md.
    """
    asked = DropRate(true_value=true_value, threshold=threshold, at_most=at_most)
    return least_budget(asked, noise_named(mechanism), sensitivity)


@public
def epsilon_for_spurious_rate(
    *, mechanism: PureName, threshold: Number, at_most: Probability, sensitivity: Positive = 1.0
) -> float:
    """Return the smallest epsilon with which a true 0 is published with a chance of AT_MOST.

    Arguments: mechanism and sensitivity as for epsilon_for_relative_error; threshold; at_most in [0, 1]. Error as
    there, **never below the true need**. Raises InvalidInput; Infeasible where the threshold is not above 0 and
    at_most below one half. Source: docs/methods/accuracy.md.
    """
    asked = SpuriousRate(threshold=threshold, at_most=at_most)
    return least_budget(asked, noise_named(mechanism), sensitivity)


@public
def rho_for_relative_error(
    *, fraction: Positive, of: Positive, at_most: Probability, sensitivity: Positive = 1.0
) -> float:
    """Return what epsilon_for_relative_error does as rho of Gaussian noise, **never below the true need**.

    Arguments: fraction, of and at_most as there; sensitivity > 0 (L2). Raises InvalidInput.
    Source: docs/methods/accuracy.md.
    """
    asked = RelativeError(fraction=fraction, of=of, at_most=at_most)
    return least_budget(asked, GAUSSIAN_IN_RHO, sensitivity)


@public
def rho_for_all_within(
    *, half_width: NonNegative, level: OpenProbability, numbers: Numbers, sensitivity: Positive = 1.0
) -> float:
    """Return what epsilon_for_all_within does as rho of Gaussian noise, **never below the true need**.

    Arguments: half_width, level and numbers as there; sensitivity > 0 (L2). Raises InvalidInput.
    Source: docs/methods/accuracy.md.
    """
    asked = AllWithin(half_width=half_width, level=level, numbers=numbers)
    return least_budget(asked, GAUSSIAN_IN_RHO, sensitivity)


@public
def rho_for_share_within(
    *,
    half_width: NonNegative,
    share: Probability,
    level: OpenProbability,
    numbers: Numbers,
    sensitivity: Positive = 1.0,
) -> float:
    """Return what epsilon_for_share_within does as rho of Gaussian noise, **never below the true need**.

    Arguments: half_width, share, level and numbers as there; sensitivity > 0 (L2). Raises InvalidInput.
    Source: docs/methods/accuracy.md.
    """
    asked = ShareWithin(half_width=half_width, share=share, level=level, numbers=numbers)
    return least_budget(asked, GAUSSIAN_IN_RHO, sensitivity)


@public
def rho_for_drop_rate(
    *, true_value: Number, threshold: Number, at_most: Probability, sensitivity: Positive = 1.0
) -> float:
    """Return what epsilon_for_drop_rate does as rho of Gaussian noise, **never below the true need**.

    Arguments: true_value, threshold and at_most as there; sensitivity > 0 (L2). Raises InvalidInput;
    Infeasible as there. Source: docs/methods/accuracy.md.
    """
    asked = DropRate(true_value=true_value, threshold=threshold, at_most=at_most)
    return least_budget(asked, GAUSSIAN_IN_RHO, sensitivity)


@public
def rho_for_spurious_rate(*, threshold: Number, at_most: Probability, sensitivity: Positive = 1.0) -> float:
    """Return what epsilon_for_spurious_rate does as rho of Gaussian noise, **never below the true need**.

    Arguments: threshold and at_most as there; sensitivity > 0 (L2). Raises InvalidInput;
    Infeasible as there. Source: docs/methods/accuracy.md.
    """
    asked = SpuriousRate(threshold=threshold, at_most=at_most)
    return least_budget(asked, GAUSSIAN_IN_RHO, sensitivity)
