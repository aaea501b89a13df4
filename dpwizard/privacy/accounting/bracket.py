"""Both ends of what many geometric or Laplace releases tell: the accountant, and below it a processing of them.

Each level is lowered to a multiple of the lattice's step (more noise of either kind is a processing of less), and the
continuous losses of Laplace noise are merged cell by cell: a cell symmetric about l has P- and Q-mass in proportion to
e^(l/2) and e^(-l/2), so that its one loss is l exactly. Then all losses lie on the lattice as they are, and the error
terms are taken off. Proofs: docs/methods/accounting.md, "Both ends".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from dpwizard.privacy.accounting.accountant import Accountant, tilt_to_chance, tilt_to_mean
from dpwizard.privacy.accounting.convolution import EpsilonDeltaCurve, lower
from dpwizard.privacy.accounting.lattice import Lattice
from dpwizard.privacy.accounting.noises import FARTHEST, LEAST, Geometric, Laplace, Losses, Noise, geometric

FINENESS = 2e-5
MOST_WIDE = 2.0**20  # points of the lattice
CHEAP = 2.0**17  # that many are no matter
SDS = 18.0  # that many standard deviations it is wide, about
TRIED = 200  # steps tried, for one that most levels are nearly multiples of
LAPLACE_FROM = 1_000  # geometric noise that moves by more steps is bounded below by Laplace noise


@dataclass(frozen=True)
class MergedLaplace(Noise):
    """A Laplace release of CELLS steps of the lattice in loss, merged in cells that are two steps wide."""

    cells: int
    step: float

    def losses(self, step: float, depth: float) -> Losses:
        count = min(self.cells, math.ceil(FARTHEST / (2.0 * self.step)))
        start = 2.0 * self.step * np.arange(count)  # of each cell, below the largest loss
        chances = 0.5 * np.exp(-0.5 * start) * -math.expm1(-self.step)
        losses = np.concatenate([[self.anchor], self.anchor - start - self.step, [-self.anchor]])
        return Losses(losses, np.concatenate([[0.5], chances, [0.5 * math.exp(-self.anchor)]]))

    @property
    def variance(self) -> float:
        return self.anchor * self.anchor

    @property
    def anchor(self) -> float:
        return self.cells * self.step


Levels = Mapping[float, int]  # how often each epsilon is spent


def bounds(
    levels: Levels, shift: int, smallest: float, above: Callable[[Accountant], float], below: Callable[[Lattice], float]
) -> tuple[float, float]:
    """Return what BELOW and ABOVE read of LEVELS.

    SHIFT is in how many steps a geometric release goes, 0 of Laplace noise.
    """
    releases = sum(levels.values())
    fineness = max(FINENESS, releases * (SDS / MOST_WIDE) ** 2 / 12.0)
    noises = {level: geometric(level / shift, shift) if shift else Laplace(level) for level in levels}
    upper = above(
        Accountant([(noises[level], times) for level, times in levels.items()], fineness=fineness, smallest=smallest)
    )
    laplace = shift == 0 or shift > LAPLACE_FROM
    variance = math.fsum(times * noises[level].variance for level, times in levels.items())
    step = _step(levels, 0 if laplace else shift, math.sqrt(fineness * variance / releases))
    lowered: dict[Noise, int] = {}
    for level, times in levels.items():
        noise = _lowered(level, 0 if laplace else shift, step)
        if noise is not None:
            lowered[noise] = lowered.get(noise, 0) + times
    if not lowered:
        return 0.0, upper
    return below(Lattice(lowered, step, 60.0 - math.log(max(smallest, LEAST)))), upper


def _step(levels: Levels, shift: int, finest: float) -> float:
    """Return a step near FINEST of which the levels are multiples, or nearly so, as far as they weigh."""
    spacing = 2.0 * max(levels) / shift if shift else max(levels)
    if len(levels) == 1:
        return spacing if shift else spacing / math.ceil(spacing / finest)

    def lost(count: int) -> float:
        step = spacing / count
        return math.fsum(times * level * level * _lost(level, shift, step) for level, times in levels.items())

    finest = min(finest, 2.0 * math.fsum(times * level for level, times in levels.items()) / CHEAP, spacing)
    fewest = math.ceil(spacing / finest)
    return spacing / min(range(fewest, fewest + TRIED), key=lost)


def _lost(level: float, shift: int, step: float) -> float:
    """Return by which part LEVEL is lowered to a multiple of STEP."""
    units = 2.0 * level / shift / step if shift else level / step
    return (units - _floor(units)) / units


def _floor(units: float) -> int:
    return math.floor(units * (1.0 + 1e-12))


def _lowered(level: float, shift: int, step: float) -> Noise | None:
    """Return a release of LEVEL, lowered to a multiple of STEP; None where nothing of it is left."""
    if shift == 0:
        cells = _floor(level / step)
        return MergedLaplace(cells, step) if cells else None
    apart = _floor(2.0 * level / shift / step)
    return Geometric(0.5 * apart * step, shift) if apart else None


def lowest_delta(lattice: Lattice, epsilon: float) -> float:
    """Return a lower bound on delta at EPSILON."""
    curve = lower(lattice, tilt_to_mean(lattice, epsilon))
    at = int(np.searchsorted(curve.epsilons, epsilon))
    if at == len(curve.epsilons):
        return 0.0
    if at == 0:
        return float(curve.deltas[0])
    return float(np.interp(math.expm1(epsilon - curve.epsilons[at]), *_line(curve, at)))


def lowest_epsilon(lattice: Lattice, delta: float) -> float:
    """Return a lower bound on the least epsilon >= 0 whose delta is at most DELTA."""
    curve = lower(lattice, tilt_to_chance(lattice, math.log(max(delta, LEAST))))
    above = np.flatnonzero(curve.deltas > delta)
    if not len(above):
        return 0.0
    last = int(above[-1])
    if last + 1 == len(curve.epsilons):
        return max(0.0, float(curve.epsilons[last]))
    (x, x2), (y, y2) = _line(curve, last + 1)
    found = float(curve.epsilons[last + 1]) + math.log1p(x + (x2 - x) * (y - delta) / (y - y2))
    return max(0.0, found * (1.0 - 1e-14))


def _line(curve: EpsilonDeltaCurve, end: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the last stretch of a line up to point END: e^epsilon less 1, as a multiple of that at END, and delta."""
    start = math.expm1(float(curve.epsilons[end - 1] - curve.epsilons[end]))
    return (start, 0.0), (float(curve.deltas[end - 1]), float(curve.deltas[end]))
