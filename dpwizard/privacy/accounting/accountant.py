"""The accountant: the curve delta(epsilon) of independent noises, each used a number of times.

Their losses are added on a lattice; where they are few, one by one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from dpwizard.privacy.accounting.convolution import EpsilonDeltaCurve, convolve, upper_curve
from dpwizard.privacy.accounting.lattice import CORNERS, ROUNDING, Lattice, lattice_step
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
    reveals_nothing,
)
from dpwizard.privacy.accounting.readings import Readings

FINENESS = 4e-5  # the share of the loss variance that rounding to the lattice may add
SMALLEST = 1e-18  # the default smallest probability at which the curve is evaluated
SHARP_SDS = 3.0  # a tilted curve is sharp within this many standard deviations of the tilted mean loss
MOST_STEPS = 60  # the most Newton steps for a tilt; any tilt is safe
MOST_SUMS, MOST_LISTED = 20_000, 12  # the most sums of losses that are listed, and of how many releases

Part = tuple[Noise, int]


class Accountant(Readings):
    """The privacy loss of one history of a person: independent noises, adaptive or not, each used a number of times.

    Domination is preserved by products and by adaptive composition (Dong, Roth & Su 2022; Zhu, Dong & Wang 2022).
    """

    def __init__(
        self,
        parts: Iterable[Part],
        *,
        fineness: float = FINENESS,
        smallest: float = SMALLEST,
        corners: float = CORNERS,
    ) -> None:
        """Compose noises, each given with its number of uses.

        Arguments: fineness, the share by which the lattice may widen the variance of the loss; smallest, the smallest
        probability at which the curve is evaluated; corners, the lattice resolution for the corners of a few noises.
        Raises InvalidInput if the losses need too much memory.
        """
        counts, self._largest_finite_loss = _noises_and_largest_loss(parts)
        self.lattice = Lattice(counts, lattice_step(counts, fineness, corners), _depth_read(smallest))
        self._curves: dict[float, tuple[tuple[float, float], EpsilonDeltaCurve]] = {}  # by tilt: sharp range, curve

    @property
    def largest_loss(self) -> float:
        return math.inf if self.lattice.infinite else self._largest_finite_loss

    def near_epsilon(self, epsilon: float) -> EpsilonDeltaCurve:
        for (low, high), curve in self._curves.values():
            if low <= epsilon <= high:
                return curve
        return self._curve_at_tilt(tilt_to_mean(self.lattice, epsilon))

    def near_chance(self, log_chance: float) -> EpsilonDeltaCurve:
        return self._curve_at_tilt(tilt_to_chance(self.lattice, log_chance))

    def _curve_at_tilt(self, tilt: float) -> EpsilonDeltaCurve:
        if tilt not in self._curves:
            _, mean, variance = self.lattice.moments(tilt)
            curve = upper_curve(convolve(self.lattice, tilt), self.lattice, tilt)
            sharp = SHARP_SDS * math.sqrt(variance)
            self._curves[tilt] = (mean - sharp, mean + sharp), self._cut_at_largest_finite_loss(curve)
        return self._curves[tilt][1]

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
        count = len(losses)
        finite = math.fsum(math.log1p(-each.infinite) if each.infinite < 1.0 else -math.inf for each in losses)
        infinite = min(1.0, -math.expm1(finite) * (1.0 + 8.0 * UNIT))
        self._largest_loss = math.inf if infinite else largest_finite_loss
        beyond = np.cumsum(chances[:0:-1])  # from the far end, where chances are small
        discounts = np.exp(-np.diff(sums))[::-1].tolist()
        added = (-np.expm1(-np.diff(sums))[::-1] * beyond).tolist()
        delta, deltas = 0.0, [0.0]
        for discount, more in zip(discounts, added, strict=True):
            delta = discount * delta + more
            deltas.append(delta)
        rounding = 1.0 + 8.0 * UNIT * (len(sums) + count + 8)
        farthest = math.fsum(float(np.abs(each.losses).max()) for each in losses)
        self._curve = EpsilonDeltaCurve(
            sums + count * ROUNDING * farthest, np.clip(np.array(deltas[::-1]) * rounding + infinite + LEAST, 0.0, 1.0)
        )

    @property
    def largest_loss(self) -> float:
        return self._largest_loss

    def near_epsilon(self, epsilon: float) -> EpsilonDeltaCurve:
        return self._curve

    def near_chance(self, log_chance: float) -> EpsilonDeltaCurve:
        return self._curve


def listed_sums(parts: Iterable[Part], smallest: float) -> ListedSums | None:
    """Return the sums of all losses of PARTS one by one; None where they are too many, or continuous."""
    counts, largest = _noises_and_largest_loss(parts)
    if any(noise.smooth or isinstance(noise, Laplace) for noise in counts) or sum(counts.values()) > MOST_LISTED:
        return None
    losses = []
    for noise, times in counts.items():
        losses += [noise.losses(1.0, _depth_read(smallest))] * times
        if math.prod(len(each.losses) for each in losses) > MOST_SUMS:
            return None
    return ListedSums(losses, largest)


def _noises_and_largest_loss(parts: Iterable[Part]) -> tuple[dict[Noise, int], float]:
    noises = [(noise, times) for noise, times in parts if not reveals_nothing(noise)]
    largest = math.fsum(times * noise.largest_loss for noise, times in noises)
    return merge_noises(noises), largest * (1.0 + 4.0 * UNIT)


def _depth_read(smallest: float) -> float:
    return 60.0 - math.log(max(smallest, 1e-300))


def merge_noises(parts: Iterable[Part]) -> dict[Noise, int]:
    """Return how often each noise is used; the Gaussian ones are merged into one, whose mu is rounded up.

    Noises that reveal almost nothing or almost everything are replaced by noises that dominate them.
    """
    counts: dict[Noise, int] = {}
    squares = []
    for noise, times in parts:
        if isinstance(times, bool) or not isinstance(times, int) or times < 1:
            raise ValueError("a noise is used a whole number of times, at least once")
        dominating = dominating_noise(noise)
        if isinstance(dominating, Gaussian):
            squares.append(times * dominating.mu * dominating.mu)
        else:
            counts[dominating] = counts.get(dominating, 0) + times
    if squares:
        counts[Gaussian(math.sqrt(math.fsum(squares)) * (1.0 + 4.0 * UNIT))] = 1
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
