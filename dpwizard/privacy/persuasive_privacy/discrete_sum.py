"""What an exact sum gives away to discrete, independent priors of the adversary (the check beside the Gaussian class).

The posterior of one value given the sum is exact: a convolution of the others. Points and probabilities are
read as decimals and, where the sums stay few, every probability is a whole number: nothing is rounded before
the last logarithm.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import Field

from dpwizard.base.errors import Infeasible, InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.numerics import decimal
from dpwizard.base.values import NonNegative, Number, Value, Whole, field, public
from dpwizard.privacy.persuasive_privacy.gaussian_beliefs import MOST

MOST_ATOMS = 2_000
EXACT_WORK = 400_000  # products of whole numbers one call may take before it turns to floating point
GRID_WORK = 4_000_000_000  # floating point products one call may take
LONGEST_GRID = 8_000_000


class DiscretePrior(Value):
    """What the adversary believes about one value: points and their masses (absent: equal; repeated points add up)."""

    family: Literal["discrete"] = "discrete"
    points: Annotated[tuple[Number, ...], Field(min_length=1, max_length=MOST_ATOMS)] = field("Points", default=...)
    probabilities: tuple[NonNegative, ...] | None = field("Masses, normalised")


Priors = Annotated[tuple[DiscretePrior, ...], Field(min_length=1, max_length=MOST)]
Data = Annotated[tuple[Number, ...], Field(min_length=1, max_length=MOST)]
Masses = dict[int, int]


@public
def discrete_sum_gain(*, priors: Priors, data: Data, index: Whole) -> float:
    """Return the gain of the log score for one value when the exact sum of independent discrete values is released.

    Arguments: priors, one for each person (1 to 200), each {points, probabilities}: up to 2,000 points, masses
    normalised here; data, one of its prior's points for each person (public or test data); index, the position of the
    value, from 0. Sums are compared as the decimals are written: 0.1 + 0.2 is 0.3. Returns log(posterior/prior) of
    data[index] in nats, to 1e-12 (1e-9 where the sums are so many that floating point must do); a mass of 0 stands for
    the limit, infinite (null) if nothing else explains the sum. Raises InvalidInput for wrong shapes, no positive mass,
    a value that is no point of its prior or a sum that cannot occur; Infeasible where the sums are too many to add up.
    Source: docs/methods/persuasive_privacy.md (the discrete sum check); Bon et al. 2025, Definition 9.
    """
    if len(data) != len(priors):
        raise InvalidInput(
            message("must have {needed} entries; found {found}", needed=len(priors), found=len(data)),
            "data",
            "Give one value for each prior.",
        )
    if index >= len(data):
        raise InvalidInput(
            message("must be a position from 0 to {most}; found {found}", most=len(data) - 1, found=index),
            "index",
            "Positions count from 0.",
        )
    laws = [_law(prior, position) for position, prior in enumerate(priors)]
    values = [decimal(x) for x in data]
    for position, (value, law) in enumerate(zip(values, laws, strict=True)):
        if value not in law:
            raise InvalidInput(
                message(
                    "must be one of the points of priors[{index}]; found {found:g}",
                    index=position,
                    found=data[position],
                ),
                f"data[{position}]",
                "Add it.",
            )
    grid = math.lcm(*(point.denominator for law in laws for point in law))
    steps = [_whole_masses(law, grid) for law in laws]
    own, others = steps[index], [law for position, law in enumerate(steps) if position != index]
    total = sum(int(value * grid) for value in values)
    truth = int(values[index] * grid)
    rest = _fewest_first(others)
    chances = _chances(rest, [total - point for point in own])
    chance = dict(zip(own, chances, strict=True))
    whole = sum(mass * chance[point] for point, mass in own.items())
    if not chance[truth]:
        raise InvalidInput(
            "cannot occur together: the sum has no probability", "data", "Give the values positive masses."
        )
    if not whole:
        return math.inf  # the limit of a vanishing mass: only the truth explains the sum
    return _log_quotient(chance[truth] * sum(own.values()), whole)  # P(others = sum - x) / P(sum)


def _law(prior: DiscretePrior, position: int) -> dict[Fraction, Fraction]:
    masses = prior.probabilities
    if masses is not None and len(masses) != len(prior.points):
        raise InvalidInput(
            message("must have {needed} entries; found {found}", needed=len(prior.points), found=len(masses)),
            f"priors[{position}].probabilities",
            "Give one mass for each point.",
        )
    law: dict[Fraction, Fraction] = {}
    for k, point in enumerate(prior.points):
        where = decimal(point)
        law[where] = law.get(where, Fraction(0)) + (decimal(masses[k]) if masses is not None else 1)
    if not any(law.values()):
        raise InvalidInput(
            "must have a positive mass", f"priors[{position}].probabilities", "Give at least one point a positive mass."
        )
    return law


def _whole_masses(law: dict[Fraction, Fraction], grid: int) -> Masses:
    """Return the law on whole steps of 1/GRID with whole masses."""
    common = math.lcm(*(mass.denominator for mass in law.values()))
    masses = {int(point * grid): int(mass * common) for point, mass in law.items()}
    divisor = math.gcd(*masses.values())
    return {point: mass // divisor for point, mass in masses.items()}


def _fewest_first(laws: Sequence[Masses]) -> list[Masses]:
    kept = [{point: mass for point, mass in law.items() if mass} for law in laws]
    return sorted(kept, key=len)


def _chances(laws: Sequence[Masses], sums: Sequence[int]) -> list[int]:
    """Return numbers proportional to the probabilities of SUMS under the sum of LAWS, as whole numbers.

    The laws are halved, each half is convolved, and the two are matched at the sums wanted: so few values
    of any size are handled as well as many on a common grid.
    """
    try:
        return _exact_chances(laws, sums)
    except _TooMany:
        return _grid_chances(laws, sums)


class _TooMany(Exception):
    """The exact convolution would take too long."""


def _exact_chances(laws: Sequence[Masses], sums: Sequence[int]) -> list[int]:
    work = 0
    halves: list[Masses] = []
    for half in (laws[::2], laws[1::2]):
        current: Masses = {0: 1}
        for law in half:
            work += len(current) * len(law)
            if work > EXACT_WORK:
                raise _TooMany
            following: Masses = {}
            for a, p in current.items():
                for b, q in law.items():
                    following[a + b] = following.get(a + b, 0) + p * q
            current = following
        halves.append(current)
    first, second = sorted(halves, key=len)
    if len(first) * len(sums) > EXACT_WORK:
        raise _TooMany
    return [sum(p * second.get(want - a, 0) for a, p in first.items()) for want in sums]


def _grid_chances(laws: Sequence[Masses], sums: Sequence[int]) -> list[int]:
    """The same in floating point on the common grid, tilted towards the sum observed so that nothing underflows."""
    import numpy as np

    lows = [min(law) for law in laws]
    step = math.gcd(*(point - low for law, low in zip(laws, lows, strict=True) for point in law)) or 1
    spans = [(max(law) - low) // step for law, low in zip(laws, lows, strict=True)]
    length = sum(spans) + 1
    work = sum(
        (before + 1) * (span + 1)
        for before, span in zip(np.cumsum([0, *map(float, spans)])[:-1], map(float, spans), strict=True)
    )
    if length > LONGEST_GRID or work > GRID_WORK:
        raise Infeasible(
            "the possible sums are too many to add up exactly",
            "priors",
            "Round the points to a coarser grid, or give fewer points.",
        )
    wanted = [want - sum(lows) for want in sums]
    middle = min(max((max(wanted) + min(wanted)) / 2 / step, 0.0), float(length - 1))
    arrays = []
    for law, low, span in zip(laws, lows, spans, strict=True):
        logs = np.full(span + 1, -np.inf)
        for point, mass in law.items():
            logs[(point - low) // step] = math.log(mass)
        arrays.append(logs)
    tilt = _tilt(arrays, middle)
    current, power = np.ones(1), 0.0
    for logs in arrays:
        tilted = logs + tilt * np.arange(len(logs))
        top = float(tilted.max())
        current = np.convolve(current, np.exp(tilted - top))
        scale = float(current.max())
        current, power = current / scale, power + top + math.log(scale)
    results = []
    for want in wanted:
        at, odd = divmod(want, step)
        chance = float(current[at]) if not odd and 0 <= at < length else 0.0
        results.append((math.log(chance) - tilt * at) if chance > 0.0 else -math.inf)
    top = max(results)
    if top == -math.inf:
        return [0] * len(sums)
    return [int(Fraction(math.exp(one - top)) * (1 << 1100)) for one in results]


def _tilt(arrays: Sequence[Any], middle: float) -> float:
    """Return the tilt under which the mean of the sum is MIDDLE."""
    import numpy as np

    def mean(tilt: float) -> float:
        total = 0.0
        for logs in arrays:
            steps = np.arange(len(logs))
            tilted = logs + tilt * steps
            weights = np.exp(tilted - tilted.max())
            total += float(weights @ steps / weights.sum())
        return total

    low, high = -1.0, 1.0
    for _ in range(12):
        if mean(low) <= middle:
            break
        low *= 4.0
    for _ in range(12):
        if mean(high) >= middle:
            break
        high *= 4.0
    for _ in range(60):
        half = (low + high) / 2
        low, high = (half, high) if mean(half) < middle else (low, half)
    return (low + high) / 2


def _log_quotient(top: int, bottom: int) -> float:
    """Return log(TOP/BOTTOM), accurate near 1."""
    quotient = Fraction(top, bottom)
    if Fraction(1, 2) < quotient < 2:
        return math.log1p(float(quotient - 1))
    return _log(top) - _log(bottom)


def _log(number: int) -> float:
    shift = max(0, number.bit_length() - 60)
    return math.log(number >> shift) + shift * math.log(2.0)
