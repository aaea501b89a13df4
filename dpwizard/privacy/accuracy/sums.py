"""How far off a sum or a difference of several published numbers is.

Whole noise (geometric, discrete Gaussian): its masses are tilted towards the tail, multiplied as characteristic
functions, and read back, so that small tails keep their digits. Discrete Gaussians that are wide enough add up to one
discrete Gaussian, with a proved error. Laplace noise of one scale has a finite sum of positive terms; normal noise adds
up in variance. **A needed budget is never below the true need.** Proofs: docs/methods/adding_up.md.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import numpy as np
from pydantic import Field

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.numerics import decimal
from dpwizard.base.values import Count, Epsilon, NonNegative, OpenProbability, Positive, Value, field, public
from dpwizard.privacy.accuracy.number_noise import NumberNoise, noise_with
from dpwizard.privacy.accuracy.statistics import AtLeast, least_budget
from dpwizard.privacy.mechanisms import (
    IN_RHO,
    NARROW,
    LatticeNoise,
    Noise,
    NoiseName,
    PureName,
    RhoName,
    WholeSummand,
    noise_named,
)

Cells = Annotated[Count, Field(le=10**6)]
WRAPPED = 1e-17  # most mass that may come round on the lattice of the Fourier transform
LARGEST = 1 << 21  # points of that lattice
FURTHEST = 10.0  # of the tilts that a bound on what lies outside looks at
MARGIN = 1.0 + 1e-11  # of a tail that is compared with what a need allows


class Term(Value):
    """Some numbers of a sum that all have the same noise."""

    mechanism: NoiseName = field("Noise", default=...)
    epsilon: Epsilon | None = field("Budget of geometric and Laplace noise")
    rho: Epsilon | None = field("Budget of Gaussian noise")
    sensitivity: Positive = field("Sensitivity", default=1.0)
    cells: Cells = field("How many numbers", default=1)


Terms = Annotated[tuple[Term, ...], Field(min_length=1, max_length=2_000)]


# ----------------------------------------------------------------------------------- what a budget gives


@public
def sum_within(*, terms: Terms, half_width: NonNegative) -> float:
    """Return P(|noise of the sum| <= half_width) of a sum or difference of numbers with independent noise.

    Arguments: terms, each with mechanism geometric | laplace (epsilon in [0, inf]) or gaussian | discrete_gaussian (rho
    in [0, inf]), sensitivity > 0 and cells, how many numbers have this noise; half_width >= 0. Whole and continuous
    noise do not mix, and Laplace noise has one scale. Returns a probability, exact to 1e-10. Raises InvalidInput.
    Source: docs/methods/adding_up.md.
    """
    return 1.0 - sum_beyond(terms=terms, half_width=half_width)


@public
def sum_beyond(*, terms: Terms, half_width: NonNegative) -> float:
    """Return P(|noise of the sum| > half_width) of a sum or difference of numbers with independent noise.

    Arguments: as of sum_within. Returns a probability, exact to 1e-10 relative where it is above 1e-300. Raises
    InvalidInput. Source: docs/methods/adding_up.md.
    """
    kinds = {term.mechanism for term in terms}
    if len(kinds) > 1 and not all(noise_named(kind).on_lattice for kind in kinds):
        raise InvalidInput(
            message("mix the noise {kinds}", kinds=", ".join(sorted(kinds))),
            "terms",
            "Add up whole noise with whole noise, or noise of one kind.",
        )
    summands: Summands = Counter()
    for at, term in enumerate(terms):
        added = noise_with(term.mechanism, term.epsilon, term.rho, term.sensitivity, f"terms[{at}].")
        summands[noise_named(term.mechanism), added.scale] += term.cells
    return beyond(summands, decimal(half_width))


Summands = Counter[tuple[Noise, float]]  # how many numbers have each noise, at each scale


def beyond(summands: Summands, half_width: Fraction) -> float:
    """Return P(|sum| > HALF_WIDTH) of independent noise; raises InvalidInput where it is too wide to add up."""
    if any(math.isinf(scale) for _, scale in summands):
        return 1.0
    whole = [
        (noise.whole, scale, cells) for (noise, scale), cells in summands.items() if noise.whole and scale > NARROW
    ]
    if whole:
        return min(1.0, 2.0 * _whole_tail(whole, math.floor(half_width) + 1))
    continuous = {scale: cells for (_, scale), cells in summands.items() if scale > 0.0}
    noise = next(iter(summands))[0].continuous
    if noise is None or not continuous:
        return 0.0
    return min(1.0, 2.0 * noise.sum_tail(continuous, float(half_width)))


@dataclass(frozen=True, kw_only=True)
class SumWithin(AtLeast):
    """The chance that a sum of CELLS numbers, each with noise of its own, lies within HALF_WIDTH.

    More noise is less peaked, so that the chance falls with the scale (docs/methods/adding_up.md).
    """

    half_width: float
    cells: int

    def value(self, noise: NumberNoise) -> float:
        return 1.0 - self.missed(noise)

    def missed(self, noise: NumberNoise) -> float:
        if _is_too_wide(math.sqrt(self.cells) * noise.sd, self.half_width, self.level):
            return 1.0
        return beyond(Counter({(noise.noise, noise.scale): self.cells}), decimal(self.half_width)) * MARGIN


# ------------------------------------------------------------------------------------ what a need asks


@public
def rho_for_sum_within(
    *,
    mechanism: RhoName,
    cells: Cells,
    half_width: NonNegative,
    level: OpenProbability,
    sensitivity: Positive = 1.0,
) -> float:
    """Return the least rho with which a sum of CELLS numbers lies within HALF_WIDTH with chance LEVEL.

    Arguments: mechanism gaussian | discrete_gaussian; cells >= 1; half_width >= 0; level in (0, 1); sensitivity > 0
    (L2). Returns rho, **never below the true need**, within 1e-9 relative; inf where no finite one will do. Raises
    InvalidInput. Source: docs/methods/adding_up.md (more noise is less peaked, so bisection is right).
    """
    noise = noise_named(mechanism).by_rule(IN_RHO.rule, sensitivity)
    return least_budget(SumWithin(level=level, half_width=half_width, cells=cells), noise, sensitivity)


@public
def epsilon_for_sum_within(
    *,
    mechanism: PureName,
    cells: Cells,
    half_width: NonNegative,
    level: OpenProbability,
    sensitivity: Positive = 1.0,
) -> float:
    """Return the least epsilon with which a sum of CELLS numbers lies within HALF_WIDTH with chance LEVEL.

    Arguments: mechanism geometric | laplace; cells >= 1; half_width >= 0; level in (0, 1); sensitivity > 0 (L1).
    Returns epsilon, **never below the true need**, within 1e-9 relative; inf where no finite one will do. Raises
    InvalidInput. Source: docs/methods/adding_up.md.
    """
    asked = SumWithin(level=level, half_width=half_width, cells=cells)
    return least_budget(asked, noise_named(mechanism), sensitivity)


def _is_too_wide(sd: float, half_width: float, level: float) -> bool:
    """Say whether noise of this SD stays within HALF_WIDTH with less than LEVEL, whatever its law.

    No mass of a log-concave whole number of variance v is above 2 / sqrt(1 + 4 v) (Bobkov, Marsiglietti & Melbourne
    2022), and no density of a log-concave real number above 1 / sqrt(v).
    """
    return 2.0 * (2.0 * half_width + 1.0) < level * sd


# ------------------------------------------------------------------------------------------------ inside


def _whole_tail(parts: list[tuple[LatticeNoise, float, int]], first: int) -> float:
    """Return P(sum >= FIRST) of whole noise, FIRST >= 1."""
    if len({noise for noise, _, _ in parts}) == 1:
        noise = parts[0][0]
        scale = noise.merged({scale: cells for _, scale, cells in parts})
        if scale is not None:
            return math.exp(noise.log_tail(scale, first - 1))
    return _tilted_tail([noise.summand(scale, cells) for noise, scale, cells in parts], first)


def _tilted_tail(summands: Sequence[WholeSummand], first: int) -> float:
    """Return P(sum >= FIRST) by a Fourier transform of the law tilted to have its middle at FIRST."""
    limit = min(each.steepest for each in summands)
    variance = math.fsum(each.variance for each in summands)
    if math.sqrt(variance) * 8.0 > LARGEST:
        _refuse_width()
    tilt = _saddle(summands, first, min(limit * (1.0 - 1e-9), 4.0 * first / variance + 5.0))
    size = _size(summands, first, tilt, limit)
    product = np.ones(size // 2 + 1, dtype=complex)
    for each in summands:
        product = product * each.characteristic(tilt, size)
    masses = np.fft.irfft(product.conj(), size)
    steps = np.arange(size // 2)
    tail = np.maximum(masses[(first + steps) % size], 0.0) @ np.exp(-tilt * steps)
    return math.exp(min(0.0, _log_moment(summands, tilt) - tilt * first)) * float(tail)


def _saddle(summands: Sequence[WholeSummand], first: int, limit: float) -> float:
    """Return the tilt that moves the mean of the sum to FIRST, at most LIMIT; any is right, this keeps digits."""
    low, high = 0.0, limit
    for _ in range(50):
        tilt = (low + high) / 2.0
        step = min(1e-5 * max(tilt, 1e-3), (limit - tilt) / 2.0)
        slope = (_log_moment(summands, tilt + step) - _log_moment(summands, tilt - step)) / (2.0 * step)
        low, high = (tilt, high) if slope < first else (low, tilt)
    return low


def _size(summands: Sequence[WholeSummand], first: int, tilt: float, limit: float) -> int:
    """Return how many points hold the tilted law but for WRAPPED on each side (Chernoff)."""
    at_tilt = _log_moment(summands, tilt)
    size = 64
    while size <= LARGEST:
        far = size // 2
        if all(_outside(summands, tilt, at_tilt, side, first, far, limit) < WRAPPED for side in (1.0, -1.0)):
            return size
        size *= 2
    return _refuse_width()


def _outside(
    summands: Sequence[WholeSummand], tilt: float, at_tilt: float, side: float, first: int, far: int, limit: float
) -> float:
    """Return a bound on the tilted mass FAR above (SIDE 1) or below (SIDE -1) FIRST."""
    room = min(limit - side * tilt, FURTHEST)
    best = 0.0
    for further in room * 0.999 * np.geomspace(1e-4, 1.0, 40):
        moved = _log_moment(summands, tilt + side * further) - at_tilt
        best = min(best, moved - further * (side * first + far))
    return math.exp(best)


def _log_moment(summands: Sequence[WholeSummand], tilt: float) -> float:
    return math.fsum(each.log_moment(tilt) for each in summands)


def _refuse_width() -> int:
    raise InvalidInput("have noise too wide to add up exactly", "terms", "Raise the budget, or state fewer numbers.")
