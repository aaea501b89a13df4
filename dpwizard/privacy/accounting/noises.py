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
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dpwizard.base.errors import InvalidInput

Array = npt.NDArray[np.float64]

UNIT = 2.0**-53
FAR = 37.5  # standard deviations: beyond, a normal tail is below 1e-306
MOST_SUMMED = 2_000.0  # the largest sigma for which discrete Gaussian probabilities are listed one by one
MOST_LOSSES = 4_000_000  # the most losses of one noise, a limit on memory
MOST_STEPS = 100_000  # the most steps of a geometric release that are listed one by one
FARTHEST = 1_400.0  # losses this far below the largest have probabilities below e^-700, and are moved up
NARROW = 300.0  # the sd counts as at least the range of losses divided by this: a lattice spans the range
LEAST = 1e-300  # smaller probabilities are rounding errors: this is added to every delta
SLIGHT = 1e-100  # a smaller largest loss, or distance in standard deviations, is raised to this
VAST, VAST_MU = 1e9, 1e4  # above such a largest loss, or distance, noise counts as no protection
VAST_CORNERS = 1e12  # the same for the largest loss of a curve given by its corners
NODES, WEIGHTS = np.polynomial.legendre.leggauss(4)
REMAINDER = 5.7e-10  # 4!^4 / (9 (8!)^3), the remainder factor of the Gauss-Legendre rule with 4 nodes


class Losses(NamedTuple):
    """Losses with their probabilities under P, the probability of an infinite one, and a quadrature error."""

    losses: Array
    chances: Array
    infinite: float = 0.0
    misplaced: Array | float = (
        0.0  # the share of each probability that the quadrature may place too low within its cell
    )


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
    def smooth(self) -> bool:
        """Return whether the curve has no corners, so that a coarser lattice is enough."""
        return False

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
        if self.smooth:
            return self._losses_by_density(step, depth)
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

    def _losses_by_density(self, step: float, depth: float) -> Losses:
        """Return the losses for a large sigma, each output spread evenly over the unit interval around it.

        The interval holds e^(-z^2/2) (1 - (z^2 - 1)/(24 sigma^2)) of the density and its curvature, which differs by
        less than (3 + z^2)^2/(400 sigma^4) from the probability of the output (Taylor); the probabilities are divided
        by at least sigma sqrt(2 pi) (Poisson summation). E e^-L over the interval is 1 + mu (z + mu/2)/(12 sigma^2)
        times that of the output, so losses raised by that amount are those of a dominating pair (Jensen).
        """
        square = self.sigma * self.sigma
        mu = self.move / self.sigma * (1.0 + 1.0 / (12.0 * square))
        z, chances, beyond, misplaced = _normal_chances(mu, step, depth)
        chances *= 1.0 - (z * z - 1.0) / (24.0 * square) + (3.0 + z * z) ** 2 / (400.0 * square * square)
        beyond *= 1.0 + 40.0 / self.sigma
        return _normal_losses(mu, self.anchor, z, chances, beyond, misplaced)

    @property
    def variance(self) -> float:
        mu = self.move / self.sigma
        if self.sigma >= 0.6:
            return mu * mu
        spread = max(2.0 * math.exp(-0.5 / self.sigma**2), 1e-3)  # the noise is almost always 0
        return mu * mu * spread / self.sigma**2

    @property
    def anchor(self) -> float:
        mu = self.move / self.sigma
        raised = mu * (mu + 4.0 / self.sigma) / (12.0 * self.sigma**2) if self.smooth else 0.0
        return 0.5 * mu * mu + raised

    @property
    def spacing(self) -> float:
        return 0.0 if self.smooth else self.move / self.sigma**2

    @property
    def smooth(self) -> bool:
        return self.sigma > MOST_SUMMED


@dataclass(frozen=True)
class Gaussian(Noise):
    """Two normal distributions MU standard deviations apart; several independent ones merge (Dong, Roth & Su 2022)."""

    mu: float

    def losses(self, step: float, depth: float) -> Losses:
        z, chances, beyond, misplaced = _normal_chances(self.mu, step, depth)
        return _normal_losses(self.mu, self.anchor, z, chances, beyond, misplaced)

    @property
    def variance(self) -> float:
        return self.mu * self.mu

    @property
    def anchor(self) -> float:
        return 0.5 * self.mu * self.mu

    @property
    def smooth(self) -> bool:
        return True


@dataclass(frozen=True)
class Laplace(Noise):
    """Continuous Laplace noise; EPSILON is the change divided by its scale."""

    epsilon: float

    def losses(self, step: float, depth: float) -> Losses:
        lowest = max(-2.0 * self.epsilon, -FARTHEST)  # the loss minus epsilon
        below, weight, width = _gauss_legendre(lowest, 0.0, step, 0.25)
        # the density of the loss x in (-eps, eps) is e^(-(eps - x)/2)/4; -eps has chance e^-eps/2, eps has 1/2
        chances = 0.25 * weight * np.exp(0.5 * below) * (1.0 + 1e-13)
        left = 0.5 * math.exp(0.5 * lowest) * (1.0 + 1e-13)
        return Losses(
            np.concatenate([[self.epsilon + lowest], self.epsilon + below, [self.epsilon]]),
            np.concatenate([[left], chances, [0.5]]),
            misplaced=_misplaced_share(width, 0.5, 1.0),
        )

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


def dominating_noise(noise: Noise) -> Noise:
    """Return NOISE, or a pair that dominates it if it reveals almost nothing or almost everything.

    A pure loss of at most SLIGHT is dominated by that of SLIGHT, and normal noise with a distance mu <= SLIGHT by (0,
    SLIGHT): its total variation is at most mu/2, by Pinsker's inequality for discrete noise.
    """
    match noise:
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


def _gauss_legendre(low: float, high: float, step: float, widest: float) -> tuple[Array, Array, float]:
    """Return nodes and weights on LOW..HIGH, cut at multiples of STEP or finer, to WIDEST, and the cell width."""
    width = step / max(1, math.ceil(step / widest))
    if 4.0 * (high - low) / width > MOST_LOSSES:
        raise InvalidInput(
            "this noise has more than {most} different losses, too many for memory",
            "releases",
            "State it in larger steps, or as Laplace noise.",
            most=MOST_LOSSES,
        )
    edges = np.unique(np.clip(np.arange(math.floor(low / width), math.ceil(high / width) + 1) * width, low, high))
    half = 0.5 * np.diff(edges)
    nodes = (edges[:-1] + half)[:, None] + half[:, None] * NODES
    return nodes.ravel(), (half[:, None] * WEIGHTS).ravel(), width


def _misplaced_share(width: float, slope: Array | float, move: float) -> Array | float:
    """Return a bound on the share of a probability that the rule places too low within its cell of WIDTH.

    The k-th derivative of the density is at most SLOPE^k times the density, and the loss grows by MOVE per unit: the
    remainder is REMAINDER times the eighth derivative of the density times 1 - e^-(l - l_i).
    """
    reach = np.minimum(width * (slope + move), 100.0)  # beyond, there is no bound: the share is cut at 1
    return np.asarray(16.0 * REMAINDER * np.exp(reach) * reach**7 * (1.0 + reach))


def _normal_chances(mu: float, step: float, depth: float) -> tuple[Array, Array, float, Array]:
    """Return positions z in sds with loss MU z, their probabilities, that beyond either end, and misplaced shares."""
    reach = min(math.sqrt(2.0 * depth), FAR)
    z, weight, width = _gauss_legendre(-reach, reach, step / mu, 0.05)
    slope = np.abs(z) + width + 1.8  # |He_8(z)| <= (|z| + 1.8)^8
    raised_by = REMAINDER * np.exp(width * slope) * (width * slope) ** 8 + 8.0 * UNIT * (2.0 + z * z)
    chances = weight * np.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi) * (1.0 + raised_by)
    beyond = math.exp(-0.5 * reach * reach) / (reach * math.sqrt(2.0 * math.pi)) * (1.0 + 1e-12)  # Mills
    return z, chances, beyond, np.asarray(_misplaced_share(width, slope, mu))


def _normal_losses(mu: float, middle: float, z: Array, chances: Array, beyond: float, misplaced: Array) -> Losses:
    """Return the losses mu z + MIDDLE; the left tail is moved up to the first of them, the right one to infinity."""
    chances[0] += beyond
    return Losses(mu * z + middle, chances, beyond, misplaced)
