"""What an exact sum gives away to discrete, independent priors of the adversary (the check beside the Gaussian class).

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
MOST_TERMS = 3_000_000  # sums of two points at once
MOST_MATCHES = 40_000_000


class DiscretePrior(Value):
    """What the adversary believes about one value: points and their masses (absent: equal; repeated points add up)."""

    family: Literal["discrete"] = "discrete"
    points: Annotated[tuple[Number, ...], Field(min_length=1, max_length=MOST_ATOMS)] = field("Points", default=...)
    probabilities: tuple[NonNegative, ...] | None = field("Masses, normalised")


Priors = Annotated[tuple[DiscretePrior, ...], Field(min_length=1, max_length=MOST)]
Data = Annotated[tuple[Number, ...], Field(min_length=1, max_length=MOST)]
Floats = NDArray[np.float64]


class SumDistribution(NamedTuple):
    """Points in steps of a common grid, in order, and the logarithms of their masses."""

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
    laws = [_law(prior, position) for position, prior in enumerate(priors)]
    values = [decimal(x) for x in data]
    for position, (value, law) in enumerate(zip(values, laws, strict=True)):
        if value not in law:
            raise InvalidInput(
                "must be one of the points of priors[{index}]; found {found:g}",
                f"data[{position}]",
                "Add it.",
                index=position,
                found=data[position],
            )
    grid = math.lcm(*(point.denominator for law in laws for point in law))
    own, others = laws[index], [law for position, law in enumerate(laws) if position != index]
    total = sum(values, Fraction(0))
    points, wanted = list(own), [int((total - point) * grid) for point in own]
    with np.errstate(divide="ignore"):
        log_masses = np.log(np.array([float(mass) for mass in own.values()]))
    log_chances = _log_chances([_steps(law, grid) for law in others if len(law)], wanted)
    truth = float(log_chances[points.index(values[index])])
    if truth == -math.inf:
        raise InvalidInput(
            "cannot occur together: the sum has no probability", "data", "Give the values positive masses."
        )
    # P(others = sum - x) / P(sum); infinite in the limit of a vanishing mass, where only the truth explains the sum
    return truth + float(np.logaddexp.reduce(log_masses) - np.logaddexp.reduce(log_masses + log_chances))


def _law(prior: DiscretePrior, position: int) -> dict[Fraction, Fraction]:
    masses = prior.probabilities
    if masses is not None:
        one_for_each(masses, len(prior.points), f"priors[{position}].probabilities")
    law: dict[Fraction, Fraction] = {}
    for k, point in enumerate(prior.points):
        where = decimal(point)
        law[where] = law.get(where, Fraction(0)) + (decimal(masses[k]) if masses is not None else 1)
    if not any(law.values()):
        raise InvalidInput(
            "must have a positive mass", f"priors[{position}].probabilities", "Give at least one point a positive mass."
        )
    return law


def _steps(law: dict[Fraction, Fraction], grid: int) -> SumDistribution:
    """Return where a law has mass, in steps of 1/GRID, and the logarithms of its masses."""
    kept = {int(point * grid): mass for point, mass in sorted(law.items()) if mass}
    return SumDistribution(
        np.array(list(kept), dtype=object), np.log(np.array([float(mass) for mass in kept.values()]))
    )


def _log_chances(laws: Sequence[SumDistribution], sums: Sequence[int]) -> Floats:
    """Return the logarithms of the probabilities of SUMS under the sum of LAWS.

    The laws are halved, each half is convolved, and the two are matched at the sums wanted: so few values of any size
    are handled as well as many on a common grid.
    """
    ordered = sorted(laws, key=lambda law: len(law.points))
    if sum(int(np.abs(law.points).max()) for law in ordered) + max(map(abs, sums)) < 2**62:
        ordered = [SumDistribution(law.points.astype(np.int64), law.logs) for law in ordered]
    first, second = (_convolved(half) for half in (ordered[::2], ordered[1::2]))
    if len(first.points) * len(sums) > MOST_MATCHES:
        raise _too_many()
    found = []
    for wanted in sums:
        rest = wanted - first.points
        place = np.searchsorted(second.points, rest).clip(0, len(second.points) - 1)
        met = second.points[place] == rest
        found.append(np.logaddexp.reduce(first.logs[met] + second.logs[place[met]], initial=-np.inf))
    return np.array(found)


def _convolved(laws: Sequence[SumDistribution]) -> SumDistribution:
    """Return the law of the sum: every pair of points added up, and the masses of equal sums."""
    current = SumDistribution(np.array([0], dtype=laws[0].points.dtype if laws else np.int64), np.zeros(1))
    for law in laws:
        if len(current.points) * len(law.points) > MOST_TERMS:
            raise _too_many()
        points = np.add.outer(current.points, law.points).ravel()
        order = np.argsort(points, kind="stable")
        points, logs = points[order], np.add.outer(current.logs, law.logs).ravel()[order]
        starts = np.flatnonzero(np.append(True, points[1:] != points[:-1]))
        current = SumDistribution(points[starts], np.logaddexp.reduceat(logs, starts))
    return current


def _too_many() -> Infeasible:
    return Infeasible(
        "the possible sums are too many to add up exactly",
        "priors",
        "Round the points to a coarser grid, or give fewer points.",
    )
