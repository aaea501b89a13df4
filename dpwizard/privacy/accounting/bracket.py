"""Upper and lower bounds on the total loss of many geometric or Laplace releases.

The upper bound is that of the accountant. For the lower bound each level is rounded down to a multiple of the lattice
step (adding noise of either kind is a post-processing), and the continuous losses of Laplace noise are merged cell by
cell: a cell symmetric about l has P- and Q-masses in the ratio e^l, so its single loss is exactly l. Proofs:
docs/methods/accounting.md, "Both ends".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from dpwizard.privacy.accounting.accountant import Accountant, tilt_to_chance, tilt_to_mean
from dpwizard.privacy.accounting.convolution import convolve, lower_curve
from dpwizard.privacy.accounting.lattice import Lattice
from dpwizard.privacy.accounting.noises import FARTHEST, LEAST, Geometric, Laplace, Losses, Noise, geometric

FINENESS = 2e-5
MOST_POINTS = 2.0**20  # the most points of the lattice
CHEAP_POINTS = 2.0**17  # a lattice of this size costs little
WIDTH_IN_SDS = 18.0  # the approximate width of the lattice in standard deviations
STEPS_TRIED = 200  # the number of lattice steps tried, to find one that divides most levels
MOST_GEOMETRIC_STEPS = 1_000  # with a larger shift the lower bound of geometric noise is that of Laplace noise


@dataclass(frozen=True)
class MergedLaplace(Noise):
    """A Laplace release with a largest loss of CELLS lattice steps; losses are merged in cells two steps wide."""

    cells: int
    step: float

    def losses(self, step: float, depth: float) -> Losses:
        count = min(self.cells, math.ceil(FARTHEST / (2.0 * self.step)))
        start = 2.0 * self.step * np.arange(count)  # the start of each cell, below the largest loss
        chances = 0.5 * np.exp(-0.5 * start) * -math.expm1(-self.step)
        losses = np.concatenate([[self.anchor], self.anchor - start - self.step, [-self.anchor]])
        return Losses(losses, np.concatenate([[0.5], chances, [0.5 * math.exp(-self.anchor)]]))

    @property
    def variance(self) -> float:
        return self.anchor * self.anchor

    @property
    def anchor(self) -> float:
        return self.cells * self.step


Levels = Mapping[float, int]  # the number of releases at each epsilon


def bounds(
    levels: Levels, shift: int, above: Callable[[Accountant], float], below: Callable[[Lattice], float]
) -> tuple[float, float]:
    """Return the results of BELOW and ABOVE for LEVELS; SHIFT: the sensitivity in steps of geometric noise, else 0."""
    releases = sum(levels.values())
    fineness = max(FINENESS, releases * (WIDTH_IN_SDS / MOST_POINTS) ** 2 / 12.0)
    noises = {level: geometric(level / shift, shift) if shift else Laplace(level) for level in levels}
    parts = [(noises[level], times) for level, times in levels.items()]
    upper = above(Accountant(parts, fineness))
    if shift > MOST_GEOMETRIC_STEPS:
        shift = 0
    variance = math.fsum(times * noises[level].variance for level, times in levels.items())
    step = _common_step(levels, shift, math.sqrt(fineness * variance / releases))
    lowered: dict[Noise, int] = {}
    for level, times in levels.items():
        noise = _noise_on_lattice(level, shift, step)
        if noise is not None:
            lowered[noise] = lowered.get(noise, 0) + times
    if not lowered:
        return 0.0, upper
    return below(Lattice(lowered, step)), upper


def _common_step(levels: Levels, shift: int, finest: float) -> float:
    """Return a lattice step near FINEST that nearly divides the levels, those with the most variance above all."""
    spacing = 2.0 * max(levels) / shift if shift else max(levels)
    if len(levels) == 1:
        return spacing if shift else spacing / math.ceil(spacing / finest)

    def variance_lost(count: int) -> float:
        step = spacing / count
        return math.fsum(times * level * level * _share_lost(level, shift, step) for level, times in levels.items())

    finest = min(finest, 2.0 * math.fsum(times * level for level, times in levels.items()) / CHEAP_POINTS, spacing)
    fewest = math.ceil(spacing / finest)
    return spacing / min(range(fewest, fewest + STEPS_TRIED), key=variance_lost)


def _share_lost(level: float, shift: int, step: float) -> float:
    """Return the relative decrease of LEVEL when it is rounded down to a multiple of STEP."""
    units = 2.0 * level / shift / step if shift else level / step
    return (units - _whole_units(units)) / units


def _whole_units(units: float) -> int:
    return math.floor(units * (1.0 + 1e-12))


def _noise_on_lattice(level: float, shift: int, step: float) -> Noise | None:
    """Return the noise of a release at LEVEL, rounded down to a multiple of STEP; None if that is 0."""
    if shift == 0:
        cells = _whole_units(level / step)
        return MergedLaplace(cells, step) if cells else None
    spacing = _whole_units(2.0 * level / shift / step)
    return Geometric(0.5 * spacing * step, shift) if spacing else None


def lowest_delta(lattice: Lattice, epsilon: float) -> float:
    """Return a lower bound on delta at EPSILON: all losses are on the lattice, where the curve is a broken line."""
    tilt = tilt_to_mean(lattice, epsilon)
    curve = lower_curve(convolve(lattice, tilt), lattice, tilt)
    if epsilon > curve.epsilons[-1]:
        return 0.0
    return float(curve.at(np.maximum([epsilon], curve.epsilons[0]))[0]) * (1.0 - 1e-13)


def lowest_epsilon(lattice: Lattice, delta: float) -> float:
    """Return a lower bound on the least epsilon >= 0 whose delta is at most DELTA."""
    tilt = tilt_to_chance(lattice, math.log(max(delta, LEAST)))
    curve = lower_curve(convolve(lattice, tilt), lattice, tilt)
    if curve.deltas[0] <= delta:
        return 0.0
    return max(0.0, min(curve.least_epsilon(delta), float(curve.epsilons[-1])) * (1.0 - 1e-13))
