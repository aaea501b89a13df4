"""The distribution of the noise on a weighted sum of several numbers with independent noise.

Normal noise adds up to normal noise, and Laplace noise of one scale to a finite sum of positive terms. The distribution
of any other sum is exact on a lattice if the noise is integer-valued and the weights are fractions with a small common
denominator. Otherwise each summand is moved to the next point of a fine grid, by half a step at most, so that a
narrower and a wider half-width enclose the probability. More noise is less peaked, so every probability is monotone in
the scale. Proofs: docs/methods/adding_up.md.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from dpwizard.base.numerics import UNIT, smallest, up
from dpwizard.privacy.accuracy.number_noise import Interval, NumberNoise
from dpwizard.privacy.accuracy.sum_tail import tail_from
from dpwizard.privacy.mechanisms import LAPLACE, MOST_SUMMED, LatticeNoise, Noise

NARROW = 1.5e-3  # integer-valued noise of a smaller scale is 0 except for 1e-289
STEP = 2.45e-4  # the step of the fine grid, in standard deviations
MOST_POINTS = 1 << 22  # the most points of a grid
NEGLIGIBLE = 32.0  # a sum is farther out than its reach with a probability below 2 e^-32, 3e-14
GAUSSIAN_REACH = 8.0  # standard deviations of a normal or discrete Gaussian number, beyond which less than 2e-15 lies
LAPLACE_REACH = 45.0  # the same in scales of Laplace or geometric noise, beyond which less than 1e-19 lies
MERGED = 2.0  # from this sigma a sum of discrete Gaussians is one, except for 1e-16 of each mass
SLACK = 5e-13  # the rounding error of the Fourier transform, and the mass beyond the reach
SLACK_OF_ONE = 4.0 * UNIT  # what each number adds to it, as the transform of one is raised to the power of their count
CLOSE = 1e-10  # relative error of an interval
MARGIN = 1.0 + 1e-11  # the factor on a value that is compared with a limit, above its relative error

Summands = Counter[tuple[Noise, float]]  # how many numbers have each noise, at each scale
Weight = float | Fraction
Part = tuple[Noise, float, Weight]
Parts = tuple[tuple[Part, int], ...]  # each noise, scale and weight above 0 with its number of terms


def beyond(summands: Summands, half_width: Fraction) -> float:
    """Return P(|sum| > HALF_WIDTH) of independent noise, to 1e-12; raises InvalidInput without a closed form."""
    noisy = _without_narrow(summands)
    if not noisy or any(math.isinf(scale) for _, scale in noisy):
        return 1.0 if noisy else 0.0
    (noise, scale), count = next(iter(noisy.items()))
    if noise.continuous is not None:
        tail = noise.continuous.sum_tail(_by_scale(noisy), float(half_width))
        return min(1.0, 2.0 * tail)
    alone = _one_noise(noisy)
    if alone is not None:
        return alone.beyond(half_width)
    if len(noisy) == 1 and not noise.uses_l2 and count <= MOST_SUMMED and count < half_width and is_too_wide(summands):
        # each number can be drawn within 1 of Laplace noise of its scale
        return min(1.0, 2.0 * LAPLACE.sum_tail({scale: count}, float(half_width - count)))
    return distribution_of(_parts(noisy)).beyond(half_width)


def beyond_precisely(summands: Summands, half_width: Fraction) -> float:
    """Return what `beyond` does, to a relative 1e-10: for one half-width, as it keeps no distribution."""
    noisy = _without_narrow(summands)
    whole = all(noise.integer_valued and math.isfinite(scale) for noise, scale in noisy)
    tail = tail_from(noisy, math.floor(half_width) + 1) if noisy and whole and _one_noise(noisy) is None else None
    return beyond(summands, half_width) if tail is None else min(1.0, 2.0 * tail)


def is_too_wide(summands: Summands) -> bool:
    """Return whether a sum of integer-valued noise is too wide for an exact distribution."""
    noisy = {key: count for key, count in _without_narrow(summands).items() if key[0].whole and math.isfinite(key[1])}
    return bool(noisy) and _one_noise(noisy) is None and _lattice_size(_parts(noisy), 1.0) > MOST_POINTS


def _without_narrow(summands: Summands) -> Mapping[tuple[Noise, float], int]:
    return {
        (noise, scale): count
        for (noise, scale), count in summands.items()
        if scale > (NARROW if noise.integer_valued else 0.0)
    }


def _one_noise(noisy: Mapping[tuple[Noise, float], int]) -> NumberNoise | None:
    """Return the one integer-valued noise that the sum of NOISY equals, each mass within 1e-10; None if none."""
    if sum(noisy.values()) > 1 and not all(noise.uses_l2 and scale >= MERGED for noise, scale in noisy):
        return None
    noise = next(iter(noisy))[0]
    return NumberNoise(noise=noise, scale=math.hypot(*(math.sqrt(n) * scale for (_, scale), n in noisy.items())))


def _by_scale(noisy: Mapping[tuple[Noise, float], int]) -> Counter[float]:
    counts: Counter[float] = Counter()
    for (_, scale), count in noisy.items():
        counts[scale] += count
    return counts


def _parts(noisy: Mapping[tuple[Noise, float], int]) -> Parts:
    return tuple(((noise, scale, Fraction(1)), count) for (noise, scale), count in noisy.items())


class CombinedNoise(NumberNoise):
    """The noise on a number that is computed from several noisy ones; its interval is found by a search."""

    def interval(self, level: float) -> Interval:
        sd = self.sd
        if level == 0.0 or sd == 0.0:
            return Interval(half_width=0.0, coverage=1.0 - self.beyond(Fraction(0)))
        if level == 1.0 or math.isinf(sd):
            return Interval(half_width=math.inf, coverage=1.0)

        def holds_level(half_width: float) -> bool:
            return self.beyond(Fraction(half_width)) <= 1.0 - level

        high = sd + 1.0
        while not holds_level(high):
            high *= 2.0
            if high > 1e3 * sd + 1e3:
                return Interval(half_width=math.inf, coverage=1.0)
        half_width = smallest(holds_level, 0.0, high, CLOSE)
        if self.whole and holds_level(math.floor(half_width)):
            half_width = float(math.floor(half_width))
        return Interval(half_width=half_width, coverage=1.0 - self.beyond(Fraction(half_width)))


@dataclass(frozen=True, kw_only=True)
class SumNoise(CombinedNoise):
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
        noisy, sd = _without_narrow(self.summands), self.sd
        if not noisy or math.isinf(sd):
            return sd
        if self.noise.continuous is not None:
            return self.noise.continuous.sum_mean_absolute(_by_scale(noisy)) * MARGIN
        alone = _one_noise(noisy)
        return min(sd, alone.mean_absolute * MARGIN if alone else distribution_of(_parts(noisy)).mean_absolute())

    @property
    def exact_mass(self) -> float:
        return 1.0 - self.beyond(Fraction(0))

    def _upper_tail(self, distance: Fraction) -> float:
        error = SLACK + SLACK_OF_ONE * self.summands.total() if self.noise.integer_valued else 0.0
        return min(0.5, (beyond(self.summands, distance) * MARGIN + error) / 2.0)


# ------------------------------------------------------------------------------------- distributions


@dataclass(frozen=True)
class NoiseDistribution:
    """The distribution of a weighted sum on cyclic points."""

    masses: Any
    points_of_one: float
    moved: float  # the most points by which all summands together were moved
    exact: int = 0  # points per unit, if no summand was moved
    slack: float = SLACK

    def within(self, half_width: Fraction) -> tuple[float, float]:
        """Return bounds on the probability that the sum is within HALF_WIDTH."""
        beyond = self.beyond(half_width), self.beyond(half_width, 1)
        return max(0.0, 1.0 - beyond[0] - self.slack), min(1.0, 1.0 - beyond[1] + self.slack)

    def beyond(self, half_width: Fraction, side: int = -1) -> float:
        """Return the mass beyond HALF_WIDTH, to `slack`, made wider (SIDE 1) or narrower (-1) by what was moved."""
        if self.exact:
            furthest = math.floor(half_width * self.exact)
        else:
            points = float(half_width) * self.points_of_one
            furthest = math.floor(points + side * (self.moved + 1e-9 * max(1.0, points)))
        masses = self._masses_beyond
        return min(1.0, max(0.0, float(masses[min(furthest, len(masses) - 1)]))) if furthest >= 0 else 1.0

    def mean_absolute(self) -> float:
        """Return the mean absolute value, rounded up."""
        places = np.arange(len(self.masses))
        mean = float(np.maximum(self.masses, 0.0) @ np.minimum(places, len(places) - places))
        return (mean * (1.0 + self.slack) + self.moved + self.slack * math.sqrt(len(places))) / self.points_of_one

    @cached_property
    def _masses_beyond(self) -> Any:
        """Return the mass beyond -k and k, for each k."""
        half = len(self.masses) // 2
        both = self.masses[1:half] + self.masses[:half:-1]
        return np.append(np.cumsum(both[::-1])[::-1], 0.0)


@lru_cache(maxsize=16)  # a megabyte each; several statistics use one budget
def distribution_of(parts: Parts) -> NoiseDistribution:
    """Return the distribution of the weighted sum of PARTS: on a lattice if weights have a small common denominator."""
    parts = tuple((part, count) for part, count in parts if float(part[2]))  # other weights underflow
    counts = dict(parts)
    slack = SLACK + SLACK_OF_ONE * sum(counts.values())
    continuous = {part: _counts_as_continuous(part[0], part[1], count) for part, count in counts.items()}
    points = None if any(continuous.values()) else _common_denominator(parts)
    if points is not None:
        size = _lattice_size(parts, points)
        if size <= MOST_POINTS:
            return NoiseDistribution(_masses_of_sum(counts, points, size), float(points), 0.0, points, slack)
    step = STEP * _deviation(parts)
    moved = sum(0.5 * count if continuous[part] else 0.5 for part, count in counts.items())
    whole = ((part, count) for part, count in counts.items() if continuous[part] and part[0].integer_valued)
    moved += sum(float(part[2]) / step * count for part, count in whole)
    masses = _masses_of_sum(counts, 1.0 / step, _lattice_size(parts, 1.0 / step))
    return NoiseDistribution(masses, 1.0 / step, moved, slack=slack)


def _lattice_size(parts: Parts, points_of_one: float) -> int:
    """Return a power of 2 of points that hold the sum of PARTS."""
    return 1 << math.ceil(2.0 * _reach_of_sum(parts) * points_of_one + 2.0).bit_length()


def _reach_of_sum(parts: Parts) -> float:
    """Return a distance that the sum of PARTS exceeds with a probability below 2 e^-32.

    With v twice the variance of Laplace noise, sigma^2 of Gaussian noise, and c the largest scale of Laplace noise, the
    logarithm of E[e^(t sum)] is at most v t^2 / (2 (1 - c t)), so that P(sum > sqrt(2 v x) + c x) <= e^-x (Bernstein).
    """
    scales = [0.0 if noise.uses_l2 else float(w) * scale for (noise, scale, w), _ in parts]
    return math.sqrt(2.0 * NEGLIGIBLE) * _deviation(parts) + NEGLIGIBLE * max(scales)


def _deviation(parts: Parts) -> float:
    """Return the standard deviation of the sum of PARTS, as if all noise were continuous."""
    return math.hypot(*(float(w) * scale * math.sqrt(n if noise.uses_l2 else 2 * n) for (noise, scale, w), n in parts))


def _counts_as_continuous(noise: Noise, scale: float, count: int) -> bool:
    """Return whether a sum of COUNT terms of NOISE is computed as continuous noise.

    Integer-valued noise too wide for a lattice can be coupled with normal or Laplace noise of its scale so that they
    differ by at most 1: its tail from k on is between those of the continuous noise from k - 1 and from k on.
    """
    return not noise.integer_valued or _reach_of_sum((((noise, scale, 1.0), count),)) > MOST_POINTS / 2.0


def _common_denominator(parts: Parts) -> int | None:
    """Return the common denominator of all weights; None if one is a float, or if it is above MOST_POINTS."""
    denominators = [Fraction(weight).denominator for (_, _, weight), _ in parts if isinstance(weight, Fraction | int)]
    if len(denominators) < len(parts) or max(denominators) > MOST_POINTS:
        return None
    common = math.lcm(*denominators)
    return common if common <= MOST_POINTS else None


def _masses_of_sum(parts: Mapping[Part, int], points_of_one: float, size: int) -> Any:
    """Return the distribution of the weighted sum on SIZE points; values between two points are rounded."""
    product = np.ones(size // 2 + 1, dtype=complex)
    for (noise, scale, weight), count in parts.items():
        if noise.whole is not None and not _counts_as_continuous(noise, scale, count):
            places, masses = lattice_masses(noise.whole, scale, count)
            points = np.rint(float(weight * points_of_one) * places).astype(np.int64)
            power = 1
        else:
            points, masses = cell_masses(noise, scale, 1.0 / (float(weight) * points_of_one))
            power = count
        spectrum = np.fft.rfft(np.bincount(points % size, masses, size))
        product *= spectrum if power == 1 else spectrum**power
    return np.fft.irfft(product, size)


def lattice_masses(noise: LatticeNoise, scale: float, count: int) -> tuple[Any, Any]:
    """Return the positions and masses of a sum of COUNT integer-valued NOISE terms."""
    if noise.uses_l2 and scale >= MERGED:
        scale, count = scale * math.sqrt(count), 1
    reach_of_one = _reach(noise, scale)
    reach = max(reach_of_one, math.ceil(_reach_of_sum((((noise, scale, 1.0), count),))))
    places = np.arange(-reach, reach + 1)
    distances = np.arange(reach_of_one + 1) / scale
    upper = np.exp(-0.5 * distances**2 if noise.uses_l2 else -distances)
    upper /= 2.0 * upper.sum() - upper[0]  # the mass farther out is negligible
    masses = np.zeros(len(places))
    masses[reach : reach + reach_of_one + 1] = upper
    masses[reach - reach_of_one : reach + 1] = upper[::-1]
    if count == 1:
        return places, masses
    size = 1 << (2 * reach + 1).bit_length()
    sums = np.fft.irfft(np.fft.rfft(np.bincount(places % size, masses, size)) ** count, size)
    sums = np.maximum(sums[places % size], 0.0)
    return places, sums / sums.sum()


def cell_masses(noise: Noise, scale: float, step: float) -> tuple[Any, Any]:
    """Return the points STEP apart, and the masses of one number with continuous NOISE rounded to the nearest."""
    from scipy.special import ndtr  # 0.1 s to import

    reach = _reach(noise, scale / step)
    edges = (np.arange(1, reach + 2) - 0.5) * (step / scale)
    tails = ndtr(-edges) if noise.uses_l2 else 0.5 * np.exp(-edges)
    upper = tails[:-1] - tails[1:]
    return np.arange(-reach, reach + 1), np.concatenate((upper[::-1], [1.0 - 2.0 * tails[0]], upper))


def _reach(noise: Noise, scale: float) -> int:
    """Return a whole number that the noise of one number exceeds with a probability below 2e-15."""
    return 2 + math.ceil(scale * (GAUSSIAN_REACH if noise.uses_l2 else LAPLACE_REACH))
