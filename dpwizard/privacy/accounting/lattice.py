"""Noises on a common lattice of losses, rounded so that each reveals at least as much, and tilted."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dpwizard.base.stopping import may_stop
from dpwizard.privacy.accounting.noises import UNIT, Array, Gaussian, Noise

Indices = npt.NDArray[np.int64]

SNAP = 1e-11  # in steps: a loss this near to a lattice point is moved there, and the difference counts as error
DEEPEST = 750.0  # e^-750 is no float: nothing of a noise is cut
CORNERS = 2_000.0  # lattice steps per standard deviation, for few noises
MOST_POINTS_PER_LOSS = 50  # lattice points per loss, above which equal indices are found by sorting
ROUNDING = 8.0 * UNIT  # relative rounding error of a computed loss


def lattice_step(counts: Mapping[Noise, int], fineness: float) -> float:
    """Return the lattice step: splitting losses adds at most FINENESS of the variance of the total loss.

    A loss at x above a lattice point adds the variance E x (h - x), about h^2/6 with step h: n releases of total
    variance V add n h^2/6, or twice that in units of mu^2. The commonest noise with evenly spaced losses is exactly on
    the lattice, unless the other noises allow a coarser one. A few noises have curves with corners, which need a finer
    lattice unless smooth noise blurs them.
    """
    releases = float(sum(counts.values()))
    variance = math.fsum(times * noise.variance for noise, times in counts.items())
    sd = math.sqrt(variance)
    smooth = math.fsum(times * noise.variance for noise, times in counts.items() if isinstance(noise, Gaussian))
    for_corners = 1.0 / CORNERS if 4.0 * smooth < variance else 1.0
    largest = sd * math.sqrt(fineness / 4e-5) * max(len(counts) / 25_000, releases / 72_000, for_corners)

    def step_to_split(split_releases: float) -> float:
        return min(math.sqrt(12.0 * fineness * variance / split_releases), largest)

    evenly_spaced = [noise for noise in counts if noise.spacing]
    commonest = max(evenly_spaced, key=lambda noise: counts[noise], default=None)
    if commonest is None:
        return step_to_split(releases)
    others = releases - counts[commonest]
    if commonest.spacing < step_to_split(releases) / (1.0 if others else 4.0):
        return step_to_split(releases)
    return commonest.spacing / math.ceil(commonest.spacing / (step_to_split(others) if others else 0.1 * sd))


class Tilted(NamedTuple):
    """The probabilities of each noise, multiplied by e^(tilt loss) and normalised per noise."""

    weights: Array  # the tilted probabilities of all noises, one noise after the other
    log_means: Array  # log E e^(tilt L) of each noise
    rounding: float  # a bound on the relative error of a product of one weight per release


class Lattice:
    """Noises, each used a number of times, with losses on anchor + step Z."""

    def __init__(self, counts: Mapping[Noise, int], step: float, depth: float = DEEPEST) -> None:
        """Round the losses of COUNTS to the lattice; at most e^-DEPTH of each noise's probability is cut.

        Of a probability p at x above a point, p (1 - e^-x)/(1 - e^-h) is moved up: P and Q keep their mass, so merging
        the two points turns the new pair into the old one, a post-processing (Doroshenko et al. 2022).
        """
        self.step, self.depth = step, depth
        self._moments: dict[float, tuple[float, float, float]] = {}
        self.times = np.array([float(times) for times in counts.values()])
        self.releases = float(self.times.sum())
        self.indices: list[Indices] = []
        logs, losses, infinite, slack = [], [], [], 0.0
        self.low = self.high = 0
        for noise, times in counts.items():
            may_stop()
            unplaced = noise.losses(step, depth)
            place = (unplaced.losses - noise.anchor) / step
            place = np.where(np.abs(place - np.rint(place)) < SNAP, np.rint(place), place)
            index = np.floor(place).astype(np.int64)
            moved = unplaced.chances * np.expm1((index - place) * step) / math.expm1(-step) * (1.0 + 1e-12)
            moved = np.minimum(unplaced.chances, moved)
            moved[place == index] = 0.0
            indices, chances = _merge_equal_indices(
                np.append(index, index + 1), np.append(unplaced.chances - moved, moved)
            )
            self.indices.append(indices)
            logs.append(np.log(chances))
            losses.append(noise.anchor + step * self.indices[-1])
            slack += times * (SNAP * step + ROUNDING * float(np.abs(unplaced.losses).max() + abs(noise.anchor)))
            infinite.append((unplaced.infinite, times))
            self.low += times * int(indices[0])
            self.high += times * int(indices[-1])
        self.slack = slack  # the most by which the total loss is too low
        self.infinite = any_infinite(infinite)
        self.origin = math.fsum(times * noise.anchor for noise, times in counts.items())
        self.logs, self.losses = np.concatenate(logs), np.concatenate(losses)
        self.sizes = np.array([len(placed) for placed in self.indices])
        self.starts = np.cumsum(self.sizes) - self.sizes

    @property
    def log_top(self) -> float:
        """Return the log probability of the largest loss of the lattice."""
        return float(self.times @ self.logs[self.starts + self.sizes - 1])

    def tilted(self, tilt: float) -> Tilted:
        may_stop()
        exponents = tilt * self.losses
        log_weights = self.logs + exponents
        largest = np.maximum.reduceat(log_weights, self.starts)
        weights = np.exp(log_weights - np.repeat(largest, self.sizes))
        total = np.add.reduceat(weights, self.starts)
        weights /= np.repeat(total, self.sizes)
        # the rounding errors of logarithm, product, sum, difference and exponential, and of a sum of positive terms
        magnitude = np.maximum.reduceat(np.abs(self.logs) + np.abs(exponents), self.starts)
        rounding = float(self.times @ (UNIT * (8.0 * magnitude + np.log2(self.sizes) + 300.0)))
        return Tilted(weights, largest + np.log(total), rounding)

    def log_mean(self, tilt: float) -> float:
        """Return log E e^(TILT L) of the total finite loss."""
        return float(self.times @ self.tilted(tilt).log_means)

    def added_variance(self, tilt: float) -> float:
        """Return about the most variance that rounding to the lattice adds to the tilted loss: h^2/4 a release.

        The largest loss of a bounded noise is on the lattice.
        """
        largest = self.tilted(tilt).weights[self.starts + self.sizes - 1]
        return self.step**2 / 4.0 * float(self.times @ (1.0 - np.minimum(largest, 1.0)))

    def moments(self, tilt: float) -> tuple[float, float, float]:
        """Return log E e^(TILT L) and its first two derivatives: the mean and the variance of the tilted loss."""
        if tilt not in self._moments:
            tilted = self.tilted(tilt)
            mean = np.add.reduceat(tilted.weights * self.losses, self.starts)
            deviation = self.losses - np.repeat(mean, self.sizes)
            variance = np.add.reduceat(tilted.weights * deviation * deviation, self.starts)
            log_mean = float(self.times @ tilted.log_means)
            self._moments[tilt] = log_mean, float(self.times @ mean), float(self.times @ variance)
        return self._moments[tilt]


def any_infinite(chances: Iterable[tuple[float, int]]) -> float:
    """Return the probability that at least one loss is infinite, each of a chance and a number of releases."""
    finite = math.fsum(times * math.log1p(-chance) if chance < 1.0 else -math.inf for chance, times in chances)
    return min(1.0, -math.expm1(finite) * (1.0 + 8.0 * UNIT))


def _merge_equal_indices(indices: Indices, chances: Array) -> tuple[Indices, Array]:
    """Return the distinct INDICES in increasing order, each with the sum of its CHANCES, if that is above 0."""
    may_stop()
    first = int(indices.min())
    width = int(indices.max()) - first + 1
    if width > MOST_POINTS_PER_LOSS * len(indices):
        distinct, places = np.unique(indices, return_inverse=True)
    else:
        distinct, places = np.arange(first, first + width), indices - first
    sums = np.asarray(np.bincount(places, chances, len(distinct)), dtype=np.float64)
    positive = sums > 0.0
    return distinct[positive].astype(np.int64), sums[positive]
