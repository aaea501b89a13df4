"""Exact and noisy linear releases under a Gaussian prior, scored by the marginal Dawid-Sebastiani score.

Bon et al. 2025, section 5: a mean released without noise can still meet a requirement, if the adversary's prior
is Gaussian and neither too far off nor too nearly degenerate. All published invariants belong in one matrix: what one
of them hides, two of them may reveal by differencing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Annotated

from pydantic import Field

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import decimal, real, up
from dpwizard.base.values import Count, NonNegative, Number, Value, Whole, field, public
from dpwizard.privacy.arguments import a_position, one_for_each
from dpwizard.privacy.persuasive_privacy.exact_linear import (
    Learned,
    Rows,
    check_covariance,
    condition_number,
    context_for,
    exact,
    learn,
)

MOST = 200
LARGEST_GAIN = 1.7e308

Vector = Annotated[tuple[Number, ...], Field(min_length=1, max_length=MOST)]
Matrix = Annotated[tuple[Vector, ...], Field(min_length=1, max_length=MOST)]
Covariance = tuple[tuple[float, ...], ...]


class MeanClass(Value):
    """The smallest class of priors that contains a given one, and the gain from the exact mean under it."""

    r1: float | None = field("Squared distance of the mean from its prior mean, in its prior variances")
    r2: float | None = field("Condition number of the correlations over the least share of variance left to the others")
    kappa: float | None = field("Published bound on the gain, r1 + log r2")
    sharp_kappa: float | None = field("Bound on the gain for this covariance, r1 - log(1 - max R^2)")
    max_gain: float | None = field("The largest gain over all people, for this data")
    smallest_r2: float = field("The least r2 of any prior, n/(n-1)", default=...)


class MeanPromise(Value):
    """The largest gain from an exact mean, without any data: null if it is unbounded."""

    r1: float = field("Squared distance of the mean from its prior mean, in its prior variances (assumed)", default=...)
    r2: float | None = field("Condition number of the correlations over the least share of variance left to the others")
    kappa: float | None = field("Published bound on the gain, r1 + log r2")
    sharp_kappa: float | None = field("Bound on the gain for this covariance, r1 - log(1 - max R^2)")
    smallest_r2: float = field("The least r2 of any prior, n/(n-1)", default=...)


@public
def mean_class(*, mean: Vector, covariance: Matrix, data: Vector) -> MeanClass:
    """Return the least class of Proposition 7 for a prior and public or test data, and the gain itself.

    Arguments: mean (n numbers) and covariance (n x n, positive semidefinite, positive variances) of the adversary's
    Gaussian prior, 2 <= n <= 200; data, n numbers, never confidential ones. Returns r1, r2 = cond(correlations) /
    min_i(1 - sd_i^2 / sum sd^2), kappa = r1 + log r2 (the published bound), sharp_kappa = r1 - log(1 - max R_i^2)
    (proved, never larger; rounded up), max_gain (the largest gain over all people) and smallest_r2 = n/(n-1), each to
    1e-11 relative, the gains in nats; null where a singular covariance leaves it unbounded. Raises InvalidInput for
    wrong shapes, an invalid covariance, or a mean without prior variance. Source: Bon et al. 2025, Proposition 7 and
    C.6 (whose last line has a sign slip); docs/methods/persuasive_privacy.md.
    """
    n = len(mean)
    _check_people(n)
    one_for_each(data, n, "data")
    sigma = _check_all_uncertain(check_covariance(covariance, n, "covariance"))
    learned = _learn_mean(sigma, _deviations(data, mean))
    r1 = learned.surprise()
    r2 = _least_r2(sigma)
    gain = max(_gain_of(learned, i) for i in range(n))
    sharp = up(r1 + max(learned.log_left(i) for i in range(n)))
    return MeanClass(
        r1=_finite_or_none(r1),
        r2=_finite_or_none(r2),
        kappa=_finite_or_none(r1 + math.log(r2)),
        sharp_kappa=_finite_or_none(sharp),
        max_gain=_finite_or_none(gain),
        smallest_r2=n / (n - 1),
    )


@public
def exact_mean_promise(
    *,
    r1: NonNegative,
    mean: Vector | None = None,
    covariance: Matrix | None = None,
    n: Count | None = None,
    correlation: Number | None = None,
) -> MeanPromise:
    """Return bounds on the gain from an exact mean, from assumptions alone.

    Arguments: r1, the assumed bound on (mean - prior mean)^2 / prior variance of the mean, at least 0; and either
    covariance (n x n, with or without mean) or n people of equal variance and one common correlation in (-1/(n-1),
    1]. Returns r1, r2, kappa = r1 + log r2 (published), sharp_kappa = r1 - log(1 - max R_i^2) (proved, for this
    covariance; the one to compare with the kappa allowed; rounded up) and smallest_r2, to 1e-11 relative; null where
    nothing bounds the gain. Raises InvalidInput unless exactly one of the two forms is given, n >= 2 and the mean has
    prior variance. Source: Bon et al. 2025, Proposition 7; docs/methods/persuasive_privacy.md.
    """
    if (covariance is None) == (n is None) or (n is None) != (correlation is None):
        raise InvalidInput(
            "must be given either by covariance or by n and correlation", "covariance", "Give one of the two forms."
        )
    if covariance is not None:
        _check_people(len(covariance), "covariance")
        if mean is not None:
            one_for_each(mean, len(covariance), "mean")
        sigma = _check_all_uncertain(check_covariance(covariance, len(covariance), "covariance"))
        learned = _learn_mean(sigma, [Decimal(0)] * len(sigma))
        people, r2, sharp = len(sigma), _least_r2(sigma), max(learned.log_left(i) for i in range(len(sigma)))
    else:
        assert n is not None
        assert correlation is not None
        if mean is not None:
            raise InvalidInput("is not used with n and correlation", "mean", "Leave it out, or give a covariance.")
        _check_people(n, "n")
        people, (r2, sharp) = n, _equicorrelated_bounds(n, decimal(correlation))
    return MeanPromise(
        r1=r1,
        r2=_finite_or_none(r2),
        kappa=_finite_or_none(r1 + math.log(r2)),
        sharp_kappa=_finite_or_none(up(r1 + sharp)),
        smallest_r2=people / (people - 1),
    )


@public
def linear_gain(
    *,
    mean: Vector,
    covariance: Matrix,
    data: Vector,
    matrix: Matrix,
    noise: Matrix | None = None,
    index: Whole,
    output: Vector | Number | None = None,
) -> float:
    """Return the gain of the marginal Dawid-Sebastiani score of one value when a linear statistic is released.

    Arguments: mean (n) and covariance (n x n) of the adversary's Gaussian prior; data (n numbers, public or test data);
    matrix (m x n), the released combinations; noise, their noise covariance (m x m) or null for exact ones; index, the
    position of the value, from 0; output (m numbers, or one number for one row), the released values, matrix * data if
    null. n and m at most 200. Returns the gain in nats to 1e-12 relative (the larger of 1 and its terms); infinite
    (null) where the release discloses the value exactly. Raises InvalidInput for wrong shapes, an invalid covariance, a
    value without prior variance, or an output that cannot occur. Source: Bon et al. 2025, C.6, for any matrix;
    docs/methods/persuasive_privacy.md.
    """
    sigma, eta = _check_shapes(mean, covariance, data, matrix, noise)
    a_position(index, len(mean), "index")
    _check_uncertain(sigma, index)
    innovation = None
    if output is not None:
        released = output if isinstance(output, tuple) else (output,)
        one_for_each(released, len(matrix), "output")
        exact_released, rows, centre = exact([released])[0], exact(matrix), exact([mean])[0]
        with localcontext(context_for(exact_released, rows, centre)):
            innovation = exact_released - rows.dot(centre)
    learned = learn(sigma, matrix, eta, _deviations(data, mean), innovation, "data" if output is None else "output")
    return _gain_of(learned, index)


@public
def linear_bound(
    *, mean: Vector, covariance: Matrix, data: Vector, matrix: Matrix, noise: Matrix | None = None
) -> float:
    """Return the bound M^2 - log(1 - R_i^2) on the gain of a linear release, the largest over all people.

    Arguments: as for linear_gain; the output is matrix * data. People without prior variance (already known) are left
    out. Returns a bound in nats that no gain exceeds, rounded up, to 1e-12 relative; infinite (null) where anyone is
    disclosed. Raises InvalidInput as linear_gain does, and where everyone is already known. Source:
    docs/methods/persuasive_privacy.md (M^2 is the squared Mahalanobis distance of the output under the prediction).
    """
    sigma, eta = _check_shapes(mean, covariance, data, matrix, noise)
    unknown = [i for i in range(len(sigma)) if sigma[i][i] > 0.0]
    if not unknown:
        _check_uncertain(sigma, 0)
    learned = learn(sigma, matrix, eta, _deviations(data, mean), None, "data")
    return up(learned.surprise() + max(learned.log_left(i) for i in unknown))


@public
def multiple_correlation(*, covariance: Matrix, matrix: Matrix, noise: Matrix | None = None, index: Whole) -> float:
    """Return R_i^2, the squared multiple correlation of one value with the released combinations.

    Arguments: covariance (n x n), matrix (m x n), noise covariance (m x m) or null, index from 0. Returns a number in
    [0, 1] to 1e-15; exactly 1 where the release discloses the value. Combinations that repeat others are dropped;
    numbers that differ only in the last digit of a long decimal count as equal. Raises InvalidInput as linear_gain
    does. Source: docs/methods/persuasive_privacy.md.
    """
    n = len(covariance)
    sigma, eta = _check_shapes([0.0] * n, covariance, [0.0] * n, matrix, noise)
    a_position(index, n, "index")
    _check_uncertain(sigma, index)
    return learn(sigma, matrix, eta, [Decimal(0)] * n, None, "matrix").share_known(index)


# ----------------------------------------------------------------------------------------- kernels


def _gain_of(learned: Learned, i: int) -> float:
    """Return a^2 - (x_i - posterior mean)^2 / posterior variance - log(1 - R_i^2)."""
    if not learned.posterior[i]:
        return math.inf
    return max(-LARGEST_GAIN, learned.error_removed(i) + learned.log_left(i))


def _deviations(values: Sequence[float], mean: Sequence[float]) -> list[Decimal]:
    exact_values, exact_mean = exact([values])[0], exact([mean])[0]
    with localcontext(context_for(exact_values, exact_mean)):
        deviations: list[Decimal] = (exact_values - exact_mean).tolist()
    return deviations


def _learn_mean(covariance: Rows, deviations: Sequence[Decimal]) -> Learned:
    """Return the information in the exact mean; the sum has the same, with whole coefficients."""
    learned = learn(covariance, [[1.0] * len(covariance)], None, deviations, None, "data")
    if not len(learned.variances):
        raise InvalidInput(
            "gives the mean no variance",
            "covariance",
            "The adversary already knows the mean: releasing it changes nothing.",
        )
    return learned


def _least_r2(covariance: Rows) -> float:
    variances = [decimal(covariance[i][i]) for i in range(len(covariance))]
    total = sum(variances, Fraction(0))
    return condition_number(covariance) * real(total / (total - max(variances)))


def _equicorrelated_bounds(n: int, rho: Fraction) -> tuple[float, float]:
    """Return r2 and -log(1 - R^2) for n equal variances and one correlation: R^2 = (1 + (n-1) rho)/n."""
    low, high = 1 - rho, 1 + (n - 1) * rho  # the two eigenvalues
    if low < 0 or high <= 0:
        raise InvalidInput(
            "must be above -1/(n-1) = {low:.6g} and at most 1; found {found:g}",
            "correlation",
            "No n variables of positive mean variance have this common correlation.",
            low=-1 / (n - 1),
            found=float(rho),
        )
    if low == 0:
        return math.inf, math.inf
    share_left = Fraction(n - 1, n) * low  # 1 - R^2
    sharp = -math.log1p(-real(1 - share_left)) if share_left > Fraction(1, 2) else -math.log(real(share_left))
    return real(max(low, high) / min(low, high) * Fraction(n, n - 1)), sharp


def _finite_or_none(value: float) -> float | None:
    return None if math.isinf(value) else value


def _check_people(n: int, where: str = "mean") -> None:
    if n < 2:
        raise InvalidInput(
            "must be at least two people; found {found}", where, "The mean of one value is that value.", found=n
        )


def _check_uncertain(covariance: Rows, i: int) -> None:
    if covariance[i][i] == 0.0:
        raise InvalidInput(
            "must be greater than 0: the adversary knows this value already",
            f"covariance[{i}][{i}]",
            "Give it a variance.",
        )


def _check_all_uncertain(covariance: Covariance) -> Covariance:
    for i in range(len(covariance)):
        _check_uncertain(covariance, i)
    return covariance


def _check_shapes(
    mean: Sequence[float], covariance: Rows, data: Sequence[float], matrix: Rows, noise: Rows | None
) -> tuple[Covariance, Covariance | None]:
    """Return the covariance and that of the noise, both symmetrised, if all shapes agree with MEAN."""
    n = len(mean)
    one_for_each(data, n, "data")
    sigma = check_covariance(covariance, n, "covariance")
    for r, row in enumerate(matrix):
        one_for_each(row, n, f"matrix[{r}]")
    return sigma, check_covariance(noise, len(matrix), "noise") if noise is not None else None
