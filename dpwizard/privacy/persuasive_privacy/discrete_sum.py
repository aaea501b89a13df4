"""The gain from an exact sum under discrete, independent priors of the adversary.

The posterior of one value given the sum is a convolution of the others. Points are read as decimals, so equal sums
are equal; masses are added up as logarithms, so nothing underflows and no digits cancel.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from dpwizard.base.errors import Infeasible, InvalidInput
from dpwizard.base.numerics import decimal
from dpwizard.base.values import NonNegative, Number, Value, Whole, field, public
from dpwizard.privacy.arguments import a_position, one_for_each
from dpwizard.privacy.persuasive_privacy.gaussian_beliefs import MOST

MOST_ATOMS = 2_000
MOST_TERMS = 3_000_000  # the most sums of two points computed at once
MOST_MATCHES = 40_000_000


class DiscretePrior(Value):
    """The adversary's prior of one value: points and their masses (absent: equal; repeated points add up)."""

    family: Literal["discrete"] = "discrete"
    points: Annotated[tuple[Number, ...], Field(min_length=1, max_length=MOST_ATOMS)] = field("Points", default=...)
    probabilities: tuple[NonNegative, ...] | None = field("Masses, normalised")


Priors = Annotated[tuple[DiscretePrior, ...], Field(min_length=1, max_length=MOST)]
Data = Annotated[tuple[Number, ...], Field(min_length=1, max_length=MOST)]
Floats = NDArray[np.float64]


class SumDistribution(NamedTuple):
    """Points in steps of a common grid, in increasing order, and the logarithms of their masses."""

    points: NDArray[Any]
    logs: Floats


@public
def discrete_sum_gain(*, priors: Priors, data: Data, index: Whole) -> float:
    """Return the gain of the log score for one value when the exact sum of independent discrete values is released.

    Arguments: priors, one for each person (1 to 200), each {points, probabilities}: up to 2,000 points, masses
    normalised here; data, one of its prior's points for each person (public or test data); index, the position of the
    value, from 0. Sums are compared as the decimals are written: 0.1 + 0.2 is 0.3. Returns log(posterior/prior) of
    data[index] in nats, to 1e-9; a mass of 0 stands for the limit, infinite (null) if nothing else explains the sum.
    Raises InvalidInput for wrong shapes, no positive mass, a value that is no point of its prior or a sum that cannot
    occur; Infeasible where the sums are too many to add up. Source: docs/methods/persuasive_privacy.md (the discrete
    sum check); Bon et al. 2025, Definition 9.
    """
    one_for_each(data, len(priors), "data")
    a_position(index, len(data), "index")
    pmfs = [_exact_masses(prior, position) for position, prior in enumerate(priors)]
    values = [decimal(x) for x in data]
    for position, (value, pmf) in enumerate(zip(values, pmfs, strict=True)):
        if value not in pmf:
            raise InvalidInput(
                "must be one of the points of priors[{index}]; found {found:g}",
                f"data[{position}]",
                "Add it.",
                index=position,
                found=data[position],
            )
    grid = math.lcm(*(point.denominator for pmf in pmfs for point in pmf))
    value_pmf, other_pmfs = pmfs[index], [*pmfs[:index], *pmfs[index + 1 :]]
    total = sum(values, Fraction(0))
    points = list(value_pmf)
    other_sums = [int((total - point) * grid) for point in points]
    with np.errstate(divide="ignore"):
        log_masses = np.log(np.array([float(mass) for mass in value_pmf.values()]))
    log_chances = _log_sum_chances([_sum_distribution(pmf, grid) for pmf in other_pmfs], other_sums)
    truth = float(log_chances[points.index(values[index])])
    if truth == -math.inf:
        raise InvalidInput(
            "cannot occur together: the sum has no probability", "data", "Give the values positive masses."
        )
    # P(others = sum - x) / P(sum); infinite for a mass tending to 0 if the sum occurs with the true value alone
    return truth + float(np.logaddexp.reduce(log_masses) - np.logaddexp.reduce(log_masses + log_chances))


def _exact_masses(prior: DiscretePrior, position: int) -> dict[Fraction, Fraction]:
    masses = prior.probabilities
    if masses is not None:
        one_for_each(masses, len(prior.points), f"priors[{position}].probabilities")
    masses_at: dict[Fraction, Fraction] = {}
    for k, point in enumerate(prior.points):
        value = decimal(point)
        masses_at[value] = masses_at.get(value, Fraction(0)) + (decimal(masses[k]) if masses is not None else 1)
    if not any(masses_at.values()):
        raise InvalidInput(
            "must have a positive mass", f"priors[{position}].probabilities", "Give at least one point a positive mass."
        )
    return masses_at


def _sum_distribution(pmf: dict[Fraction, Fraction], grid: int) -> SumDistribution:
    """Return PMF in steps of 1/GRID, without points of mass 0."""
    masses = {int(point * grid): mass for point, mass in sorted(pmf.items()) if mass}
    return SumDistribution(
        np.array(list(masses), dtype=object), np.log(np.array([float(mass) for mass in masses.values()]))
    )


def _log_sum_chances(pmfs: Sequence[SumDistribution], sums: Sequence[int]) -> Floats:
    """Return the logarithms of the probabilities of SUMS under the sum of PMFS.

    Each half of them is convolved, and the two are matched at SUMS: this suits a few values of any size as well as many
    on a common grid.
    """
    ordered = sorted(pmfs, key=lambda pmf: len(pmf.points))
    if sum(int(np.abs(pmf.points).max()) for pmf in ordered) + max(map(abs, sums)) < 2**62:
        ordered = [SumDistribution(pmf.points.astype(np.int64), pmf.logs) for pmf in ordered]
    left_half, right_half = (_sum_of(half) for half in (ordered[::2], ordered[1::2]))
    if len(left_half.points) * len(sums) > MOST_MATCHES:
        raise _too_many_sums()
    log_chances = []
    for target in sums:
        rest = target - left_half.points
        positions = np.searchsorted(right_half.points, rest).clip(0, len(right_half.points) - 1)
        matches = right_half.points[positions] == rest
        log_chances.append(
            np.logaddexp.reduce(left_half.logs[matches] + right_half.logs[positions[matches]], initial=-np.inf)
        )
    return np.array(log_chances)


def _sum_of(pmfs: Sequence[SumDistribution]) -> SumDistribution:
    """Return the distribution of the sum of PMFS: the sums of all pairs of points, equal sums merged."""
    total = SumDistribution(np.array([0], dtype=pmfs[0].points.dtype if pmfs else np.int64), np.zeros(1))
    for pmf in pmfs:
        if len(total.points) * len(pmf.points) > MOST_TERMS:
            raise _too_many_sums()
        points = np.add.outer(total.points, pmf.points).ravel()
        order = np.argsort(points, kind="stable")
        points, logs = points[order], np.add.outer(total.logs, pmf.logs).ravel()[order]
        starts = np.flatnonzero(np.append(True, points[1:] != points[:-1]))
        total = SumDistribution(points[starts], np.logaddexp.reduceat(logs, starts))
    return total


def _too_many_sums() -> Infeasible:
    return Infeasible(
        "the possible sums are too many to add up exactly",
        "chances before",
        "Round the points to a coarser grid, or give fewer points.",
    )
