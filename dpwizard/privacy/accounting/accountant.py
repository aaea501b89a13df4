"""The accountant: the curve delta(epsilon) of independent noises, each used a number of times.

Their losses are added on a lattice; where they are few, one by one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from dpwizard.base.errors import InvalidInput
from dpwizard.privacy.accounting.convolution import convolve, upper_curve
from dpwizard.privacy.accounting.curve import EpsilonDeltaCurve, curve_of_losses
from dpwizard.privacy.accounting.lattice import DEEPEST, ROUNDING, Lattice, any_infinite, lattice_step
from dpwizard.privacy.accounting.noises import (
    LEAST,
    UNIT,
    Array,
    Gaussian,
    Laplace,
    Losses,
    Noise,
    Stated,
    dominating_noise,
    fine_spacing,
    reveals_nothing,
)
from dpwizard.privacy.accounting.readings import Readings

FINENESS = 4e-5  # the share of the loss variance that rounding to the lattice may add
SHARP_SDS = 3.0  # a tilted curve is sharp within this many standard deviations of the tilted mean loss
MOST_STEPS = 60  # the most Newton steps for a tilt; any tilt is safe
MOST_ADDED = 1e-4  # the most that rounding to the lattice may add to log delta, far out in a tail
MOST_FINER = 64.0  # the most by which a finer lattice divides what rounding adds: finer ones take many seconds
DEPTH, DEEP = 100.0, 40.0  # chances below e^-DEPTH are cut, until one below e^-DEEP is read
MOST_SUMS, MOST_LISTED = 50_000, 12  # the most sums of losses that are listed, and of how many releases

Part = tuple[Noise, int]


class Accountant(Readings):
    """The privacy loss of one history of a person: independent noises, adaptive or not, each used a number of times.

    Domination is preserved by products and by adaptive composition (Dong, Roth & Su 2022; Zhu, Dong & Wang 2022).
    """

    def __init__(self, parts: Iterable[Part], fineness: float = FINENESS) -> None:
        """Compose noises, each given with its number of uses; the lattice may widen the loss variance by FINENESS.

        Raises InvalidInput if the losses need too much memory.
        """
        self._counts, self._largest_finite_loss = _noises_and_largest_loss(parts)
        self._fineness = fineness
        self.lattice = Lattice(self._counts, lattice_step(self._counts, fineness), DEPTH)
        self._curves: dict[float, tuple[tuple[float, float], EpsilonDeltaCurve]] = {}  # by tilt: sharp range, curve

    @property
    def largest_loss(self) -> float:
        return math.inf if self.lattice.infinite else self._largest_finite_loss

    def near_epsilon(self, epsilon: float) -> EpsilonDeltaCurve:
        for (low, high), curve in self._curves.values():
            if low <= epsilon <= high:
                return curve
        return self._curve_near(lambda lattice: tilt_to_mean(lattice, epsilon))

    def near_chance(self, log_chance: float) -> EpsilonDeltaCurve:
        return self._curve_near(lambda lattice: tilt_to_chance(lattice, log_chance))

    def _curve_near(self, tilt_on: Callable[[Lattice], float]) -> EpsilonDeltaCurve:
        tilt = tilt_on(self.lattice)
        log_mean, mean, variance = self.lattice.moments(tilt)
        if log_mean - tilt * mean < -DEEP and self.lattice.depth < DEEPEST:
            self.lattice = Lattice(self._counts, self.lattice.step, DEEPEST)
            return self._curve_near(tilt_on)
        if tilt not in self._curves:
            sharp = SHARP_SDS * math.sqrt(variance)
            self._curves[tilt] = (mean - sharp, mean + sharp), self._curve_at_tilt(tilt)
        return self._curves[tilt][1]

    def _curve_at_tilt(self, tilt: float) -> EpsilonDeltaCurve:
        """Return the curve at TILT; on a finer lattice, if memory allows, where splitting losses raises it much.

        The added variance raises log delta by TILT (TILT + 1)/2 times itself, and the losses by (TILT + 1)/2 times.
        """
        raised = 0.5 * max(tilt, 1.0) * (tilt + 1.0) * self.lattice.added_variance(tilt)
        share = min(1.0, max(MOST_ADDED / max(raised, LEAST), 1.0 / MOST_FINER))
        step = lattice_step(self._counts, self._fineness * share)
        try:
            finer = self.lattice if step == self.lattice.step else Lattice(self._counts, step, self.lattice.depth)
            curve = upper_curve(convolve(finer, tilt), finer, tilt)
        except InvalidInput:
            curve = upper_curve(convolve(self.lattice, tilt), self.lattice, tilt)
        return self._cut_at_largest_finite_loss(curve)

    def _cut_at_largest_finite_loss(self, curve: EpsilonDeltaCurve) -> EpsilonDeltaCurve:
        """Set delta to the probability of an infinite loss from the largest finite loss on."""
        if math.isinf(self._largest_finite_loss):
            return curve
        below = curve.epsilons < self._largest_finite_loss
        return EpsilonDeltaCurve(
            np.append(curve.epsilons[below], self._largest_finite_loss),
            np.append(curve.deltas[below], self.lattice.infinite),
        )


class ListedSums(Readings):
    """Few noises of few losses each, whose sums are all listed: nothing is split between points of a lattice."""

    def __init__(self, losses: Sequence[Losses], largest_finite_loss: float) -> None:
        sums: Array = np.zeros(1)
        chances: Array = np.ones(1)
        for each in losses:
            sums, places = np.unique(np.add.outer(sums, each.losses), return_inverse=True)
            products = np.multiply.outer(chances, each.chances).ravel()
            chances = np.asarray(np.bincount(places.ravel(), products, len(sums)), dtype=np.float64)
        infinite = any_infinite((each.infinite, 1) for each in losses)
        self._largest_loss = math.inf if infinite else largest_finite_loss
        rounding = 1.0 + 8.0 * UNIT * (len(sums) + len(losses) + 8)
        farthest = math.fsum(float(np.abs(each.losses).max()) for each in losses)
        self._curve = EpsilonDeltaCurve(
            sums + len(losses) * ROUNDING * farthest,
            np.clip(curve_of_losses(sums, chances, infinite).deltas * rounding + LEAST, 0.0, 1.0),
        )

    @property
    def largest_loss(self) -> float:
        return self._largest_loss

    def near_epsilon(self, epsilon: float) -> EpsilonDeltaCurve:
        return self._curve

    def near_chance(self, log_chance: float) -> EpsilonDeltaCurve:
        return self._curve


def compose(parts: Iterable[Part]) -> Readings:
    """Return the total loss of PARTS: the sums of all losses one by one if they are few, else on a lattice."""
    parts = list(parts)
    counts, largest = _noises_and_largest_loss(parts)
    if sum(counts.values()) <= MOST_LISTED and not any(isinstance(noise, Gaussian | Laplace) for noise in counts):
        losses = [each for noise, times in counts.items() for each in [noise.losses(1.0, DEEPEST)] * times]
        if math.prod(len(each.losses) for each in losses) <= MOST_SUMS:
            return ListedSums(losses, largest)
    return Accountant(parts)


def _noises_and_largest_loss(parts: Iterable[Part]) -> tuple[dict[Noise, int], float]:
    noises = [(noise, times) for noise, times in parts if not reveals_nothing(noise)]
    largest = math.fsum(times * noise.largest_loss for noise, times in noises)
    return merge_noises(noises), largest * (1.0 + 4.0 * UNIT)


def merge_noises(parts: Iterable[Part]) -> dict[Noise, int]:
    """Return how often each noise is used; the Gaussian ones are merged into one, whose mu is rounded up.

    Noises that are wide, or that reveal almost nothing or almost everything, are replaced by ones that dominate them.
    """
    counts: dict[Noise, int] = {}
    squares = []
    parts = list(parts)
    if any(isinstance(times, bool) or not isinstance(times, int) or times < 1 for _, times in parts):
        raise ValueError("a noise is used a whole number of times, at least once")
    fine = fine_spacing(parts)
    for noise, times in parts:
        dominating = dominating_noise(noise, fine)
        if isinstance(dominating, Gaussian):
            squares.append(times * dominating.mu * dominating.mu)
        else:
            counts[dominating] = counts.get(dominating, 0) + times
    if squares:
        counts[dominating_noise(Gaussian(math.sqrt(math.fsum(squares)) * (1.0 + 4.0 * UNIT)))] = 1
    return counts or {Stated(0.0): 1}


def tilt_to_mean(lattice: Lattice, epsilon: float) -> float:
    """Return a tilt >= 0 whose mean loss is approximately EPSILON; any tilt is safe."""
    _, mean, variance = lattice.moments(0.0)
    if epsilon <= mean or variance <= 0.0:
        return 0.0

    def overshoot(tilt: float) -> tuple[float, float, bool]:
        _, mean, variance = lattice.moments(tilt)
        excess = mean - epsilon
        return excess, variance, abs(excess) < 0.3 * math.sqrt(variance)

    return _newton_root(overshoot, (epsilon - mean) / variance, 30.0 / lattice.step)


def tilt_to_chance(lattice: Lattice, log_chance: float) -> float:
    """Return a tilt >= 0 with a probability of approximately e^LOG_CHANCE above its mean loss; any tilt is safe."""
    top = lattice.log_top
    if log_chance < top:  # such a probability occurs only close to the largest loss
        return tilt_to_mean(lattice, lattice.origin + lattice.step * lattice.high - math.exp(log_chance - top))
    variance = lattice.moments(0.0)[2]
    if log_chance > -1.0 or variance <= 0.0:
        return 0.0

    def overshoot(tilt: float) -> tuple[float, float, bool]:
        log_mean, mean, variance = lattice.moments(tilt)
        excess = tilt * mean - log_mean + log_chance  # the Chernoff exponent minus the target
        return excess, tilt * variance, abs(excess) < 0.2

    return _newton_root(overshoot, math.sqrt(-2.0 * log_chance / variance), 30.0 / lattice.step)


def _newton_root(overshoot: Callable[[float], tuple[float, float, bool]], start: float, highest: float) -> float:
    """Return an approximate root of the increasing OVERSHOOT, which returns (value, slope, whether it is near 0)."""
    low, high, tilt = 0.0, highest, min(start, highest)
    for _ in range(MOST_STEPS):
        excess, slope, is_near = overshoot(tilt)
        if is_near or high - low < 1e-3 * high:
            break
        newton = tilt - excess / slope if slope > 0.0 else math.inf
        if excess > 0.0:
            high = tilt
        else:
            low = tilt
        if excess < 0.0:  # nearly flat near the largest loss: the tilt is at most doubled
            tilt = min(newton, 2.0 * tilt, high)
        elif low < newton < math.inf:
            tilt = newton
        else:
            tilt = math.sqrt(max(low, 1e-3 * high) * high)
    return tilt
