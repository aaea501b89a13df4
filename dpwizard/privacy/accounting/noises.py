"""The loss of one release for neighbouring datasets: the loss distribution of a pair that dominates it.

A pair of distributions (P, Q) dominates a release if the release is a post-processing of it: then delta(epsilon) =
sup_A P(A) - e^epsilon Q(A) of the pair is nowhere below that of the release (Blackwell 1953; Dong, Roth & Su 2022). A
noise is such a pair, given by the distribution under P of the loss log dP/dQ: finitely many losses with their
probabilities, and the probability of an infinite loss. **Every probability and loss errs upwards.** Proofs:
docs/methods/accounting.md.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dpwizard.base.errors import InvalidInput

Array = npt.NDArray[np.float64]

UNIT = 2.0**-53
FAR = 37.5  # standard deviations: beyond, a normal tail is below 1e-306
LEAST_WIDE = 30.0  # the least sigma above which discrete Gaussian noise may count as continuous noise
MANY_STEPS = 300.0  # it does if the sd of all losses of such noise is more than so many steps of its own losses
MANY_STEPS_ALONE = 2_000.0  # the same for noise of one sigma and move, of which one transform is enough
MOST_LOSSES = 4_000_000  # the most losses of one noise, a limit on memory
MOST_STEPS = 100_000  # the most steps of a geometric release that are listed one by one
FARTHEST = 1_400.0  # losses this far below the largest have probabilities below e^-700, and are moved up
NARROW = 300.0  # the sd counts as at least the range of losses divided by this: a lattice spans the range
LEAST = 1e-300  # smaller probabilities are rounding errors: this is added to every delta
SLIGHT = 1e-100  # a smaller largest loss, or distance in standard deviations, is raised to this
VAST, VAST_MU = 1e9, 1e4  # above such a largest loss, or distance, noise counts as no protection
VAST_CORNERS = 1e12  # the same for the largest loss of a curve given by its corners


class Losses(NamedTuple):
    """Losses with their probabilities under P, and the probability of an infinite one."""

    losses: Array
    chances: Array
    infinite: float = 0.0


@dataclass(frozen=True)
class Noise(ABC):
    """The pair of distributions of one release; equal noises compare equal, and are counted together."""

    @abstractmethod
    def losses(self, step: float, depth: float) -> Losses:
        """Return the losses for a lattice of STEP; at most e^-DEPTH of the probability is cut on either side."""

    @property
    @abstractmethod
    def variance(self) -> float:
        """Return the approximate variance of the loss, which sets the lattice step."""

    @property
    def anchor(self) -> float:
        """Return one of the losses, which is placed on the lattice."""
        return 0.0

    @property
    def spacing(self) -> float:
        """Return the distance between the losses; 0 if they are continuous or uneven."""
        return 0.0

    @property
    def largest_loss(self) -> float:
        """Return the largest finite loss, inf if there is none."""
        return math.inf


@dataclass(frozen=True)
class DiscreteGaussian(Noise):
    """A whole number that changes by MOVE steps, with noise proportional to e^(-k^2/(2 sigma^2))."""

    sigma: float
    move: int = 1

    def losses(self, step: float, depth: float) -> Losses:
        reach = max(1, math.ceil(self.sigma * min(math.sqrt(2.0 * depth), FAR)))
        outputs = np.arange(-reach, reach + 1, dtype=np.float64)
        square = (outputs / self.sigma) ** 2
        chances = np.exp(-0.5 * square) * (1.0 + 8.0 * UNIT * (2.0 + square))
        # further probabilities fall by at least the ratio of the first two: bounded by a geometric series
        first = math.exp(-0.5 * ((reach + 1) / self.sigma) ** 2)
        tail = first / -math.expm1(-(reach + 1.0) / self.sigma**2)
        total = float(chances.sum()) * (1.0 - 64.0 * UNIT) / (1.0 + 8.0 * UNIT * (2.0 + float(square.max())))
        chances /= total
        chances[0] += tail / total  # the left tail is moved up
        losses = (outputs * self.move + 0.5 * self.move * self.move) / self.sigma**2
        return Losses(losses, chances, tail / total)

    @property
    def variance(self) -> float:
        mu = self.move / self.sigma
        if self.sigma >= 0.6:
            return mu * mu
        spread = max(2.0 * math.exp(-0.5 / self.sigma**2), 1e-3)  # the noise is almost always 0
        return mu * mu * spread / self.sigma**2

    @property
    def anchor(self) -> float:
        return 0.5 * (self.move / self.sigma) ** 2

    @property
    def spacing(self) -> float:
        return self.move / self.sigma**2


@dataclass(frozen=True)
class Gaussian(Noise):
    """Two normal distributions MU standard deviations apart; several independent ones merge (Dong, Roth & Su 2022)."""

    mu: float

    def losses(self, step: float, depth: float) -> Losses:
        from scipy.special import ndtr  # 0.1 s to load: only where it is needed

        reach = min(math.sqrt(2.0 * depth), FAR)
        width = _cell_width(step / self.mu, 0.05, 2.0 * reach)
        z: Array = width * np.arange(-math.ceil(reach / width), math.ceil(reach / width) + 1.0)
        tails = np.asarray(ndtr(-np.abs(z)))  # always the smaller one
        masses = np.abs(np.diff(tails)) + 8.0 * UNIT * np.maximum(tails[:-1], tails[1:])
        chances = _split_cells(masses, -z[:-1] / self.mu, self.mu * width)
        beyond = float(tails[-1]) * (1.0 + 8.0 * UNIT)
        chances[0] += beyond  # the left tail is moved up
        return Losses(self.mu * z + self.anchor, chances, beyond)

    @property
    def variance(self) -> float:
        return self.mu * self.mu

    @property
    def anchor(self) -> float:
        return 0.5 * self.mu * self.mu


@dataclass(frozen=True)
class Laplace(Noise):
    """Continuous Laplace noise; EPSILON is the change divided by its scale."""

    epsilon: float

    def losses(self, step: float, depth: float) -> Losses:
        # the density of the loss x in (-eps, eps) is e^((x - eps)/2)/4; -eps has chance e^-eps/2, eps has 1/2
        lowest = min(2.0 * self.epsilon, FARTHEST)  # below the largest loss
        width = _cell_width(step, 0.25, lowest)
        below = width * np.arange(-math.floor(lowest / width), 1)
        masses = -0.5 * np.exp(0.5 * below[1:]) * math.expm1(-0.5 * width) * (1.0 + 1e-13)
        chances = _split_cells(masses, np.full(len(masses), 0.5), width)
        chances[-1] += 0.5
        last = 0.5 * math.exp(-0.5 * lowest) * (1.0 + 1e-13)
        chances[0] += max(0.0, 0.5 * math.exp(0.5 * float(below[0])) * (1.0 + 1e-13) - last)  # of less than a cell
        return Losses(np.append(self.epsilon - lowest, self.epsilon + below), np.append(last, chances))

    @property
    def variance(self) -> float:
        return min(self.epsilon**2, 2.0 * self.epsilon)

    @property
    def anchor(self) -> float:
        return self.epsilon

    @property
    def largest_loss(self) -> float:
        return self.epsilon


@dataclass(frozen=True)
class Geometric(Noise):
    """A whole number that changes by MOVE steps, with noise proportional to e^(-rate |k|)."""

    rate: float
    move: int = 1

    def losses(self, step: float, depth: float) -> Losses:
        # losses rate (move - 2 k); all outputs at or beyond one end have the same loss; a = e^-rate
        last = min(self.move, math.ceil(min(FARTHEST / self.rate, 1e9)))
        k = np.arange(last + 1, dtype=np.float64)
        one_plus_a = 1.0 + math.exp(-self.rate)
        chances = -math.expm1(-self.rate) * np.exp(-self.rate * k) / one_plus_a * (1.0 + 1e-13)
        chances[0], chances[-1] = 1.0 / one_plus_a, math.exp(-self.rate * last) / one_plus_a * (1.0 + 1e-13)
        return Losses(self.rate * (self.move - 2.0 * k), chances)

    @property
    def variance(self) -> float:
        return min(self.largest_loss**2, 2.0 * self.largest_loss)

    @property
    def anchor(self) -> float:
        return self.rate * self.move

    @property
    def spacing(self) -> float:
        return 2.0 * self.rate

    @property
    def largest_loss(self) -> float:
        return self.rate * self.move * (1.0 + 2.0 * UNIT)


@dataclass(frozen=True)
class Stated(Noise):
    """The worst pair of a mechanism of which (EPSILON, DELTA) alone is known (Kairouz, Oh & Viswanath 2015)."""

    epsilon: float
    delta: float = 0.0

    def losses(self, step: float, depth: float) -> Losses:
        if self.delta >= 1.0:  # no protection; the finite loss with its tiny probability is a placeholder
            return Losses(np.array([self.epsilon]), np.array([LEAST]), 1.0)
        up = (1.0 - self.delta) / (1.0 + math.exp(-self.epsilon)) * (1.0 + 4.0 * UNIT)
        down = up * math.exp(-self.epsilon) * (1.0 + 2.0 * UNIT)
        return Losses(np.array([self.epsilon, -self.epsilon]), np.array([up, down]), self.delta)

    @property
    def variance(self) -> float:
        spread = (self.epsilon / math.cosh(0.5 * min(self.epsilon, 300.0))) ** 2
        return max(spread, (2.0 * self.epsilon / NARROW) ** 2, 1e-24)

    @property
    def anchor(self) -> float:
        return self.epsilon

    @property
    def spacing(self) -> float:
        return 2.0 * self.epsilon

    @property
    def largest_loss(self) -> float:
        return self.epsilon


def geometric(rate: float, move: int) -> Geometric:
    """Return geometric noise, in larger steps if its change would be more than MOST_STEPS.

    At its own losses delta is 1 - e^-(largest loss - epsilon)/2 for any rate. So noise in steps k times as long, whose
    losses are some of these, has a piecewise linear curve above. A larger change reveals more.
    """
    merged = math.ceil(move / MOST_STEPS)
    return Geometric(rate, move) if merged == 1 else Geometric(rate * merged, math.ceil(move / merged))


def stated_for_group(epsilon: float, delta: float, people: int = 1) -> Stated:
    """Return the worst pair for a group of PEOPLE under a mechanism of which (EPSILON, DELTA) alone is known.

    It is (k eps, delta (1 + e^eps + ... + e^((k-1) eps)))-differentially private; a delta of 1 is no guarantee.
    """
    if people == 1 or delta == 0.0:
        return Stated(epsilon * people * (1.0 + 2.0 * UNIT) if people > 1 else epsilon, delta)
    if (people - 1) * epsilon > 700.0:
        return Stated(epsilon * people, 1.0)
    times = math.expm1(people * epsilon) / math.expm1(epsilon) if epsilon else float(people)
    return Stated(epsilon * people * (1.0 + 2.0 * UNIT), min(1.0, delta * times * (1.0 + 16.0 * UNIT)))


NO_PROTECTION = Stated(0.0, 1.0)


def reveals_nothing(noise: Noise) -> bool:
    return noise in (Gaussian(0.0), Laplace(0.0), Stated(0.0)) or (isinstance(noise, Geometric) and noise.rate == 0.0)


def fine_spacing(parts: Sequence[tuple[Noise, int]]) -> float:
    """Return the spacing of losses below which discrete Gaussian noise among PARTS counts as continuous noise."""
    counts = [(noise, times) for noise, times in parts if isinstance(noise, DiscreteGaussian)]
    sd = math.sqrt(math.fsum(times * noise.variance for noise, times in counts))
    return sd / (MANY_STEPS if len({noise for noise, _ in counts}) > 1 else MANY_STEPS_ALONE)


def dominating_noise(noise: Noise, fine: float = 0.0) -> Noise:
    """Return NOISE, or a simpler pair that dominates it: of wide discrete noise, of almost no loss and of a vast one.

    Wide discrete Gaussian noise whose losses are less than FINE apart is as good as continuous. Two neighbouring tails
    of discrete Gaussian noise are normal tails at most (1 + 1/(12 sigma^2))/sigma apart. A pure loss of at most SLIGHT
    is dominated by that of SLIGHT, and normal noise with a distance mu <= SLIGHT by (0, SLIGHT): its total variation is
    at most mu/2, by Pinsker's inequality for discrete noise.
    """
    match noise:
        case DiscreteGaussian(sigma=sigma, move=move) if sigma > LEAST_WIDE and noise.spacing < fine:
            return dominating_noise(Gaussian(move / sigma * (1.0 + 1.0 / (12.0 * sigma * sigma) + 4.0 * UNIT)))
        case Gaussian(mu=distance):
            slight, vast = Stated(0.0, SLIGHT), VAST_MU
        case DiscreteGaussian():
            distance, slight, vast = noise.move / noise.sigma, Stated(0.0, SLIGHT), VAST_MU
        case Laplace() | Geometric() | Stated():
            delta = noise.delta if isinstance(noise, Stated) else 0.0
            distance, slight, vast = noise.anchor, Stated(SLIGHT, delta), VAST
        case _:
            return NO_PROTECTION if abs(noise.anchor) > VAST_CORNERS else noise
    if distance > vast:
        return NO_PROTECTION
    return noise if distance >= SLIGHT else slight


def _cell_width(step: float, widest: float, range: float) -> float:
    """Return a width of at most WIDEST that divides STEP, for cells that cover RANGE."""
    width = step / max(1, math.ceil(step / widest))
    if range / width > MOST_LOSSES:
        raise InvalidInput(
            "this noise has more than {most} different losses, too many for memory",
            "releases",
            "State it in larger steps, or as Laplace noise.",
            most=MOST_LOSSES,
        )
    return width


def _split_cells(masses: Array, slopes: Array, width: float) -> Array:
    """Return the chances at the ends of cells of WIDTH that dominate continuous losses with MASSES in the cells.

    Of a chance at x above the lower end, (1 - e^-x)/(1 - e^-width) is moved to the upper one. The logarithm of the
    density is concave, with a SLOPE at the lower end: losses are no larger than those of an exponential density of
    that slope, of which the share that is moved is known.
    """
    share = (1.0 - _mean_exponential((slopes - 1.0) * width) / _mean_exponential(slopes * width)) / -math.expm1(-width)
    moved: Array = masses * np.minimum(share + 16.0 * UNIT * (1.0 + 1.0 / width), 1.0)
    return np.asarray(np.append(masses - moved, 0.0) + np.append(0.0, moved))


def _mean_exponential(exponents: Array) -> Array:
    """Return the mean of e^y over y from 0 to each of EXPONENTS."""
    ones = np.ones_like(exponents)
    return np.asarray(np.divide(np.expm1(exponents), exponents, out=ones, where=exponents != 0.0))
