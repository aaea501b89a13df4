"""The distribution of the noise on a sum or a difference of several numbers with independent noise.

The masses of integer-valued noise are tilted towards the tail, multiplied as characteristic functions, and transformed
back, so that small tails are precise. Laplace noise of one scale has a finite sum of positive terms; normal variances
add up. More noise is less peaked, so every probability is monotone in the scale. Proofs: docs/methods/adding_up.md.
"""

from __future__ import annotations

import math
from bisect import bisect_left
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

NARROW = 1.5e-3  # integer-valued noise of a smaller scale is 0 except for 1e-289
LEAST_VARIANCE = 1e-6  # the least variance used to bound tilts
MOST_WRAPPED = 1e-17  # the most mass that wraps round in the Fourier transform
MOST_POINTS = 1 << 21  # the most points of the transform
LARGEST_TILT = 10.0  # the largest additional tilt in a bound on the mass outside
MARGIN = 1.0 + 1e-11  # the factor on a value that is compared with a limit, above its error
LARGEST_SD = MOST_POINTS / 8.0  # the largest standard deviation of integer-valued noise for the transform
CLOSE = 1e-12  # relative error of an interval of continuous noise

Summands = Counter[tuple[Noise, float]]  # how many numbers have each noise, at each scale
Whole = Sequence[tuple[LatticeNoise, float, int]]  # the same for integer-valued noise, as a sequence


def beyond(summands: Summands, half_width: Fraction) -> float:
    """Return P(|sum| > HALF_WIDTH) of independent noise; raises InvalidInput if it is too wide for the transform."""
    if any(math.isinf(scale) for _, scale in summands):
        return 1.0
    whole = _whole_summands(summands)
    if whole:
        return min(1.0, 2.0 * _tail_of_whole(whole, math.floor(half_width) + 1))
    continuous = {scale: cells for (_, scale), cells in summands.items() if scale > 0.0}
    noise = next(iter(summands))[0].continuous
    if noise is None or not continuous:
        return 0.0
    return min(1.0, 2.0 * noise.sum_tail(continuous, float(half_width)))


@dataclass(frozen=True, kw_only=True)
class SumNoise(NumberNoise):
    """The noise on a sum or difference, rounded up: CELLS numbers with this noise, and the OTHERS with their counts."""

    cells: int = 1
    others: tuple[tuple[NumberNoise, int], ...] = ()

    @cached_property
    def summands(self) -> Summands:
        counts: Summands = Counter({(self.noise, self.scale): self.cells})
        for other, cells in self.others:
            counts[other.noise, other.scale] += cells
        return counts

    @property
    def sd(self) -> float:
        return up(math.hypot(*(math.sqrt(n) * noise.sd(scale) for (noise, scale), n in self.summands.items())), 4)

    @property
    def mean_absolute(self) -> float:
        """Return the mean absolute value; the standard deviation if whole noise is too wide for the transform."""
        sd = self.sd
        if sd == 0.0 or math.isinf(sd):
            return sd
        whole = _whole_summands(self.summands)
        if whole:
            return sd if sd > LARGEST_SD else min(sd, _mean_absolute_of_whole(whole))
        cells = {scale: n for (_, scale), n in self.summands.items() if scale > 0.0}
        continuous = self.noise.continuous
        return 0.0 if continuous is None else continuous.sum_mean_absolute(cells) * MARGIN

    @property
    def exact_mass(self) -> float:
        return 1.0 - self.beyond(Fraction(0))

    def interval(self, level: float) -> Interval:
        if self.sd == 0.0 or level == 0.0:
            return Interval(half_width=0.0, coverage=1.0 - self.beyond(Fraction(0)))
        if level == 1.0 or math.isinf(self.sd):
            return Interval(half_width=math.inf, coverage=1.0)

        def holds_level(half_width: float) -> bool:
            return self.beyond(Fraction(half_width)) <= 1.0 - level

        too_narrow, half_width = 0, max(1.0, float(math.floor(self.sd)))
        while not holds_level(half_width):
            too_narrow, half_width = int(half_width), 2.0 * half_width
        if self.noise.integer_valued:
            half_width = float(bisect_left(range(int(half_width)), True, lo=too_narrow, key=holds_level))
        else:
            half_width = smallest(holds_level, 0.0, half_width, CLOSE)
        return Interval(half_width=half_width, coverage=1.0 - self.beyond(Fraction(half_width)))

    def _upper_tail(self, distance: Fraction) -> float:
        is_too_wide = self.noise.integer_valued and LARGEST_SD < self.sd < math.inf
        if is_too_wide and 2.0 * (2.0 * float(distance) + 1.0) < self.sd:
            # no mass of a log-concave whole number of variance v is above 2 / sqrt(1 + 4 v) (Bobkov, Marsiglietti &
            # Melbourne 2022), so more than half is beyond: 1 is the safe bound
            return 0.5
        return min(0.5, beyond(self.summands, distance) / 2.0 * MARGIN)


def _whole_summands(summands: Summands) -> Whole:
    return [(noise.whole, scale, cells) for (noise, scale), cells in summands.items() if noise.whole and scale > NARROW]


def _characteristic(whole: Whole, tilt: float, size: int) -> Any:
    """Return the characteristic function of the tilted sum at 2 pi j / SIZE, j = 0 to SIZE / 2."""
    return math.prod(noise.characteristic(scale, tilt, size) ** cells for noise, scale, cells in whole)


def _log_moment(whole: Whole, tilt: float) -> float:
    """Return log E exp(TILT * sum)."""
    return math.fsum(cells * noise.log_moment(scale, tilt) for noise, scale, cells in whole)


def _tilt_limit(whole: Whole) -> float:
    return min(noise.steepest(scale) for noise, scale, _ in whole)


def _mean_absolute_of_whole(whole: Whole) -> float:
    """Return the mean absolute value of a sum of integer-valued noise, from all its masses; rounded up."""
    size = _lattice_size(whole, 0, 0.0, _tilt_limit(whole))
    masses = np.maximum(np.fft.irfft(_characteristic(whole, 0.0, size), size), 0.0)
    places = np.arange(size)
    mean = float(masses @ np.minimum(places, size - places))
    return mean * (1.0 + 1e-9) + 1e-15 * size


def _tail_of_whole(whole: Whole, first: int) -> float:
    """Return P(sum >= FIRST) of integer-valued noise, FIRST >= 1."""
    if len({noise for noise, _, _ in whole}) == 1:
        noise = whole[0][0]
        scale = noise.merged({scale: cells for _, scale, cells in whole})
        if scale is not None:
            return math.exp(noise.log_tail(scale, first - 1))
    return _tilted_tail(whole, first)


def _tilted_tail(whole: Whole, first: int) -> float:
    """Return P(sum >= FIRST) by a Fourier transform of the distribution tilted to have its mean at FIRST."""
    limit = _tilt_limit(whole)
    sd = math.hypot(*(math.sqrt(cells) * noise.sd(scale) for noise, scale, cells in whole))
    if sd > LARGEST_SD:
        _refuse_wide_noise()
    tilt = _tilt_with_mean(whole, first, min(limit * (1.0 - 1e-9), 4.0 * first / max(sd * sd, LEAST_VARIANCE) + 5.0))
    size = _lattice_size(whole, first, tilt, limit)
    masses = np.fft.irfft(_characteristic(whole, tilt, size).conj(), size)
    steps = np.arange(size // 2)
    tail = np.maximum(masses[(first + steps) % size], 0.0) @ np.exp(-tilt * steps)
    return math.exp(min(0.0, _log_moment(whole, tilt) - tilt * first)) * float(tail)


def _tilt_with_mean(whole: Whole, first: int, limit: float) -> float:
    """Return the tilt with mean FIRST, at most LIMIT; any tilt is correct, this one is the most precise."""
    low, high = 0.0, limit
    for _ in range(50):
        tilt = (low + high) / 2.0
        step = min(1e-5 * max(tilt, 1e-3), (limit - tilt) / 2.0)
        slope = (_log_moment(whole, tilt + step) - _log_moment(whole, tilt - step)) / (2.0 * step)
        low, high = (tilt, high) if slope < first else (low, tilt)
    return low


def _lattice_size(whole: Whole, first: int, tilt: float, limit: float) -> int:
    """Return how many points hold the tilted distribution except for MOST_WRAPPED on each side (Chernoff)."""
    above, below = (_log_moments_beside(whole, tilt, side, limit) for side in (1.0, -1.0))
    size = 64
    while size <= MOST_POINTS:
        far = size // 2
        if _mass_beyond(above, far + first) < MOST_WRAPPED and _mass_beyond(below, far - first) < MOST_WRAPPED:
            return size
        size *= 2
    return _refuse_wide_noise()


def _log_moments_beside(whole: Whole, tilt: float, side: float, limit: float) -> list[tuple[float, float]]:
    """Return additional tilts upwards (SIDE 1) or downwards (SIDE -1), each with its log moment of the tilted sum."""
    log_moment = _log_moment(whole, tilt)
    reach = min(limit - side * tilt, LARGEST_TILT)
    steps = [float(step) for step in reach * 0.999 * np.geomspace(1e-4, 1.0, 40)]
    return [(step, _log_moment(whole, tilt + side * step) - log_moment) for step in steps]


def _mass_beyond(log_moments: list[tuple[float, float]], distance: int) -> float:
    """Return a bound on the mass at DISTANCE from 0 or further, from LOG_MOMENTS at tilts towards it."""
    return math.exp(min(0.0, min(log_moment - step * distance for step, log_moment in log_moments)))


def _refuse_wide_noise() -> int:
    raise InvalidInput("have noise too wide to add up exactly", "terms", "Raise the budget, or state fewer numbers.")
