"""The law of the noise on a sum or a difference of several numbers, each with noise of its own.

Whole noise (geometric, discrete Gaussian): its masses are tilted towards the tail, multiplied as characteristic
functions, and read back, so that small tails keep their digits. Discrete Gaussians that are wide enough add up to one
discrete Gaussian, with a proved error. Laplace noise of one scale has a finite sum of positive terms; normal noise adds
up in variance. More noise is less peaked, so that every chance moves one way with the scale. Proofs:
docs/methods/adding_up.md.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import smallest, up
from dpwizard.privacy.accuracy.number_noise import Interval, NumberNoise
from dpwizard.privacy.mechanisms import LatticeNoise, Noise

NARROW = 1.5e-3  # scale of whole noise below which it is 0 but for 1e-289
LEAST_VARIANCE = 1e-6  # of whole noise, where tilts are bounded by it
WRAPPED = 1e-17  # most mass that may come round on the lattice of the Fourier transform
LARGEST = 1 << 21  # points of that lattice
FURTHEST = 10.0  # of the tilts that a bound on what lies outside looks at
MARGIN = 1.0 + 1e-11  # of what is compared with what a need allows
WIDEST = LARGEST / 8.0  # standard deviation of whole noise that the lattice holds
CLOSE = 1e-12  # relative: how closely an interval of continuous noise is found

Summands = Counter[tuple[Noise, float]]  # how many numbers have each noise, at each scale
Whole = Sequence[tuple[LatticeNoise, float, int]]  # the same of whole noise, one after the other


def beyond(summands: Summands, half_width: Fraction) -> float:
    """Return P(|sum| > HALF_WIDTH) of independent noise; raises InvalidInput where it is too wide to add up."""
    if any(math.isinf(scale) for _, scale in summands):
        return 1.0
    whole = _whole(summands)
    if whole:
        return min(1.0, 2.0 * _whole_tail(whole, math.floor(half_width) + 1))
    continuous = {scale: cells for (_, scale), cells in summands.items() if scale > 0.0}
    noise = next(iter(summands))[0].continuous
    if noise is None or not continuous:
        return 0.0
    return min(1.0, 2.0 * noise.sum_tail(continuous, float(half_width)))


@dataclass(frozen=True, kw_only=True)
class SumNoise(NumberNoise):
    """The noise on a sum or a difference of numbers: CELLS with this noise, so many with each of the OTHERS.

    What it comes to is rounded up.
    """

    cells: int = 1
    others: tuple[tuple[NumberNoise, int], ...] = ()

    @cached_property
    def summands(self) -> Summands:
        """Return how many numbers have each noise."""
        found: Summands = Counter({(self.noise, self.scale): self.cells})
        for other, cells in self.others:
            found[other.noise, other.scale] += cells
        return found

    @property
    def sd(self) -> float:
        """Return the standard deviation."""
        return up(math.hypot(*(math.sqrt(n) * noise.sd(scale) for (noise, scale), n in self.summands.items())), 4)

    @property
    def mean_absolute(self) -> float:
        """Return the mean absolute value; where whole noise is too wide to add up, the standard deviation."""
        sd = self.sd
        if sd == 0.0 or math.isinf(sd):
            return sd
        whole = _whole(self.summands)
        if whole:
            return sd if sd > WIDEST else min(sd, _mean_absolute(whole))
        cells = {scale: n for (_, scale), n in self.summands.items() if scale > 0.0}
        continuous = self.noise.continuous
        return 0.0 if continuous is None else continuous.sum_mean_absolute(cells) * MARGIN

    @property
    def exact_mass(self) -> float:
        """Return the chance that the sum is published as it is."""
        return 1.0 - self.beyond(Fraction(0))

    def interval(self, level: float) -> Interval:
        """Return the smallest interval that holds LEVEL in [0, 1] of the noise."""
        if self.sd == 0.0 or level == 0.0:
            return Interval(half_width=0.0, coverage=1.0 - self.beyond(Fraction(0)))
        if level == 1.0 or math.isinf(self.sd):
            return Interval(half_width=math.inf, coverage=1.0)

        def holds(half_width: float) -> bool:
            return self.beyond(Fraction(half_width)) <= 1.0 - level

        half_width = max(1.0, float(math.floor(self.sd)))
        while not holds(half_width):
            half_width *= 2.0
        found = smallest(holds, 0.0, half_width, CLOSE if not self.noise.integer_valued else 0.9 / half_width)
        found = float(math.floor(found)) if self.noise.integer_valued else found
        return Interval(half_width=found, coverage=1.0 - self.beyond(Fraction(found)))

    def _above(self, distance: Fraction) -> float:
        if self.noise.integer_valued and WIDEST < self.sd < math.inf and 2.0 * (2.0 * float(distance) + 1.0) < self.sd:
            # no mass of a log-concave whole number of variance v is above 2 / sqrt(1 + 4 v) (Bobkov, Marsiglietti &
            # Melbourne 2022), so that more than half lies beyond: all of it, to be safe
            return 0.5
        return min(0.5, beyond(self.summands, distance) / 2.0 * MARGIN)


# ------------------------------------------------------------------------------------------------ inside


def _whole(summands: Summands) -> Whole:
    return [(noise.whole, scale, cells) for (noise, scale), cells in summands.items() if noise.whole and scale > NARROW]


def _characteristic(whole: Whole, tilt: float, size: int) -> Any:
    """Return the characteristic function of the tilted sum at 2 pi j / SIZE, j = 0 to SIZE / 2."""
    return math.prod(noise.characteristic(scale, tilt, size) ** cells for noise, scale, cells in whole)


def _log_moment(whole: Whole, tilt: float) -> float:
    """Return log E exp(TILT * sum)."""
    return math.fsum(cells * noise.log_moment(scale, tilt) for noise, scale, cells in whole)


def _steepest(whole: Whole) -> float:
    """Return the tilt below which the moments of the sum are finite."""
    return min(noise.steepest(scale) for noise, scale, _ in whole)


def _mean_absolute(whole: Whole) -> float:
    """Return the mean absolute value of a sum of whole noise, from all its masses; rounded up."""
    size = _size(whole, 0, 0.0, _steepest(whole))
    masses = np.maximum(np.fft.irfft(_characteristic(whole, 0.0, size), size), 0.0)
    places = np.arange(size)
    found = float(masses @ np.minimum(places, size - places))
    return found * (1.0 + 1e-9) + 1e-15 * size


def _whole_tail(whole: Whole, first: int) -> float:
    """Return P(sum >= FIRST) of whole noise, FIRST >= 1."""
    if len({noise for noise, _, _ in whole}) == 1:
        noise = whole[0][0]
        scale = noise.merged({scale: cells for _, scale, cells in whole})
        if scale is not None:
            return math.exp(noise.log_tail(scale, first - 1))
    return _tilted_tail(whole, first)


def _tilted_tail(whole: Whole, first: int) -> float:
    """Return P(sum >= FIRST) by a Fourier transform of the law tilted to have its middle at FIRST."""
    limit = _steepest(whole)
    sd = math.hypot(*(math.sqrt(cells) * noise.sd(scale) for noise, scale, cells in whole))
    if sd > WIDEST:
        _refuse_width()
    tilt = _saddle(whole, first, min(limit * (1.0 - 1e-9), 4.0 * first / max(sd * sd, LEAST_VARIANCE) + 5.0))
    size = _size(whole, first, tilt, limit)
    masses = np.fft.irfft(_characteristic(whole, tilt, size).conj(), size)
    steps = np.arange(size // 2)
    tail = np.maximum(masses[(first + steps) % size], 0.0) @ np.exp(-tilt * steps)
    return math.exp(min(0.0, _log_moment(whole, tilt) - tilt * first)) * float(tail)


def _saddle(whole: Whole, first: int, limit: float) -> float:
    """Return the tilt that moves the mean of the sum to FIRST, at most LIMIT; any is right, this keeps digits."""
    low, high = 0.0, limit
    for _ in range(50):
        tilt = (low + high) / 2.0
        step = min(1e-5 * max(tilt, 1e-3), (limit - tilt) / 2.0)
        slope = (_log_moment(whole, tilt + step) - _log_moment(whole, tilt - step)) / (2.0 * step)
        low, high = (tilt, high) if slope < first else (low, tilt)
    return low


def _size(whole: Whole, first: int, tilt: float, limit: float) -> int:
    """Return how many points hold the tilted law but for WRAPPED on each side (Chernoff)."""
    at_tilt = _log_moment(whole, tilt)
    size = 64
    while size <= LARGEST:
        far = size // 2
        if all(_outside(whole, tilt, at_tilt, side, first, far, limit) < WRAPPED for side in (1.0, -1.0)):
            return size
        size *= 2
    return _refuse_width()


def _outside(whole: Whole, tilt: float, at_tilt: float, side: float, first: int, far: int, limit: float) -> float:
    """Return a bound on the tilted mass FAR above (SIDE 1) or below (SIDE -1) FIRST."""
    room = min(limit - side * tilt, FURTHEST)
    best = 0.0
    for further in room * 0.999 * np.geomspace(1e-4, 1.0, 40):
        moved = _log_moment(whole, tilt + side * further) - at_tilt
        best = min(best, moved - further * (side * first + far))
    return math.exp(best)


def _refuse_width() -> int:
    raise InvalidInput("have noise too wide to add up exactly", "terms", "Raise the budget, or state fewer numbers.")
