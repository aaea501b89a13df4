"""The accountant: independent noises, each so many times, as one curve delta(epsilon) that every promise reads."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np

from dpwizard.privacy.accounting.convolution import EpsilonDeltaCurve, upper
from dpwizard.privacy.accounting.lattice import CORNERS, Lattice, step_for
from dpwizard.privacy.accounting.noises import UNIT, Gaussian, Noise, Stated, reveals_nothing, within_reach
from dpwizard.privacy.accounting.readings import Readings

FINENESS = 4e-5  # of the variance of the loss: what the lattice may add
SMALLEST = 1e-18  # the least chance that is read, unless a smaller one is named
NEAR = 3.0  # standard deviations of the tilted loss: within them a curve is as sharp as any
NEWTON = 60  # steps at most; any tilt is safe

Part = tuple[Noise, int]


class Accountant(Readings):
    """What one history of a person tells of a pair of worlds: independent noises, adaptive or not, each so many times.

    Products keep the order of domination, and so does adaptive composition (Dong, Roth & Su 2022; Zhu, Dong & Wang
    2022).
    """

    def __init__(
        self,
        parts: Iterable[Part],
        *,
        fineness: float = FINENESS,
        smallest: float = SMALLEST,
        corners: float = CORNERS,
    ) -> None:
        """Take noises with how often each is used.

        Arguments: fineness, by how much of its variance the lattice may widen the loss; smallest, the least chance that
        is to be read; corners, how finely the corners of few noises are shown. Raises InvalidInput where the losses
        range too widely for memory.
        """
        used = [(noise, times) for noise, times in parts if not reveals_nothing(noise)]
        self._largest_loss = math.fsum(times * noise.largest_loss for noise, times in used)
        counts = counted(used)
        self.lattice = Lattice(counts, step_for(counts, fineness, corners), 60.0 - math.log(max(smallest, 1e-300)))
        self._curves: dict[
            float, tuple[tuple[float, float], EpsilonDeltaCurve]
        ] = {}  # by tilt, and where they are sharp

    @property
    def largest_loss(self) -> float:
        return self._largest_loss * (1.0 + 4.0 * UNIT)

    def near_epsilon(self, epsilon: float) -> EpsilonDeltaCurve:
        for reach, curve in self._curves.values():
            if reach[0] <= epsilon <= reach[1]:
                return curve
        return self._curve(tilt_to_mean(self.lattice, epsilon))

    def near_chance(self, log_chance: float) -> EpsilonDeltaCurve:
        return self._curve(tilt_to_chance(self.lattice, log_chance))

    def _curve(self, tilt: float) -> EpsilonDeltaCurve:
        if tilt not in self._curves:
            _, mean, variance = self.lattice.moments(tilt)
            sharp = NEAR * math.sqrt(variance)
            self._curves[tilt] = (mean - sharp, mean + sharp), self._ended(upper(self.lattice, tilt))
        return self._curves[tilt][1]

    def _ended(self, curve: EpsilonDeltaCurve) -> EpsilonDeltaCurve:
        """Return CURVE up to the largest loss, from which on delta is 0."""
        if math.isinf(self.largest_loss):
            return curve
        below = curve.epsilons < self.largest_loss
        return EpsilonDeltaCurve(
            np.append(curve.epsilons[below], self.largest_loss), np.append(curve.deltas[below], 0.0)
        )


def counted(parts: Iterable[Part]) -> dict[Noise, int]:
    """Return how often each noise is used; Gaussian ones are one, of the root of the sum of squares, rounded up.

    Those that tell next to nothing or nearly everything are replaced by ones that dominate them.
    """
    counts: dict[Noise, int] = {}
    squares = []
    for noise, times in parts:
        if isinstance(times, bool) or not isinstance(times, int) or times < 1:
            raise ValueError("a noise is used a whole number of times, at least once")
        known = within_reach(noise)
        if isinstance(known, Gaussian):
            squares.append(times * known.mu * known.mu)
        else:
            counts[known] = counts.get(known, 0) + times
    if squares:
        counts[Gaussian(math.sqrt(math.fsum(squares)) * (1.0 + 4.0 * UNIT))] = 1
    return counts or {Stated(0.0): 1}


def tilt_to_mean(lattice: Lattice, epsilon: float) -> float:
    """Return about the tilt >= 0 whose mean loss is EPSILON; any is safe."""
    _, mean, variance = lattice.moments(0.0)
    if epsilon <= mean or variance <= 0.0:
        return 0.0

    def missed(tilt: float) -> tuple[float, float, bool]:
        _, mean, variance = lattice.moments(tilt)
        over = mean - epsilon
        return over, variance, abs(over) < 0.3 * math.sqrt(variance)

    return _root(missed, (epsilon - mean) / variance, 30.0 / lattice.step)


def tilt_to_chance(lattice: Lattice, log_chance: float) -> float:
    """Return about the tilt >= 0 beyond whose mean loss lies the chance e^LOG_CHANCE; any is safe."""
    top = lattice.log_top
    if log_chance < top:  # less than that of the largest loss, next to which it lies
        return tilt_to_mean(lattice, lattice.origin + lattice.step * lattice.high - math.exp(log_chance - top))
    variance = lattice.moments(0.0)[2]
    if log_chance > -1.0 or variance <= 0.0:
        return 0.0

    def missed(tilt: float) -> tuple[float, float, bool]:
        log_mean, mean, variance = lattice.moments(tilt)
        over = tilt * mean - log_mean + log_chance  # Chernoff's exponent, less what is asked
        return over, tilt * variance, abs(over) < 0.2

    return _root(missed, math.sqrt(-2.0 * log_chance / variance), 30.0 / lattice.step)


def _root(missed: Callable[[float], tuple[float, float, bool]], tilt: float, high: float) -> float:
    """Return about the root of MISSED, which rises, by Newton's method between bounds.

    No step more than doubles the tilt: near the largest loss MISSED is nearly flat, and the least tilt serves best.
    """
    low, tilt = 0.0, min(tilt, high)
    for _ in range(NEWTON):
        over, slope, near = missed(tilt)
        if near or high - low < 1e-3 * high:
            break
        low, high = (low, tilt) if over > 0.0 else (tilt, high)
        newton = tilt - over / slope if slope > 0.0 else math.inf
        tilt = (
            min(newton, 2.0 * tilt, high)
            if over < 0.0
            else newton
            if low < newton < math.inf
            else math.sqrt(max(low, 1e-3 * high) * high)
        )
    return tilt
