"""The trade-off curve of a mechanism: the least false-positive rate of any event with a given true-positive rate.

A release is compared with and without a person's record. An event of outputs has a true-positive rate b, its
probability with the record, and a false-positive rate, its probability without. g(b) is convex and never above the
false-positive rate of any event, after any post-processing; g(0) = 0, so g(b)/b is nondecreasing. The two datasets can
be exchanged, so an event of probability a in one has at most 1 - g(1 - a) in the other. Every figure is on the safe
side: g is never above, `max_probability` never below the true one. Proofs: docs/methods/gaussian_risk.md.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from pydantic import Field

from dpwizard.base.numerics import down, normal_cdf, normal_quantile, up
from dpwizard.base.values import Count, Epsilon, NonNegative, Positive, Probability, Value, field
from dpwizard.privacy.gaussian_risk import mixed_noise, zcdp_pairs
from dpwizard.privacy.gaussian_risk.normal_losses import ToleratedLosses

if TYPE_CHECKING:  # NumPy takes 0.1 s to load
    from dpwizard.privacy.accounting.accountant import Accountant

SAFETY_ULPS = 16  # units in the last place by which a closed form is rounded to its safe side
SMALLEST_FLOATS = 16 * 5e-324  # the same for subnormal numbers, which have fewer digits
LARGEST_EXPONENT = 700.0  # e^x is a finite float up to here


class TradeOffCurve(Value, ABC):
    """The trade-off curve of one kind of mechanism."""

    @abstractmethod
    def fpr(self, hit: float) -> float:
        """Return g(HIT) for HIT in (0, 1): never above the true one."""

    @abstractmethod
    def max_probability(self, chance: float) -> float:
        """Return the largest probability in one dataset of an event with CHANCE in the other; never below it."""

    @abstractmethod
    def of_values(self, factor: float) -> TradeOffCurve:
        """Return the curve of two values of one person, at FACTOR in (1, 2] times the distance of presence."""

    def effective(self, hit: float) -> float:
        """Return the largest loss over events with a true-positive rate of HIT or more: -log(g(HIT)/HIT).

        Never below the true one; inf if there is no bound.
        """
        alarm = self.fpr(hit)
        if alarm <= 0.0:
            return math.inf
        if alarm > 0.5 * hit:  # the difference of close logarithms has no correct digits
            return max(0.0, up(-math.log1p((alarm - hit) / hit), SAFETY_ULPS))
        return up(math.log(hit) - math.log(alarm), SAFETY_ULPS)


class GaussianTradeOff(TradeOffCurve):
    """Gaussian noise: neighbouring datasets mu standard deviations apart."""

    kind: Literal["gaussian"] = "gaussian"
    mu: Positive = field("Distance divided by the standard deviation of the noise", default=...)

    def fpr(self, hit: float) -> float:
        z = normal_quantile(hit)  # Phi(Phi^-1(hit) - mu): Dong, Roth & Su 2022, (6)
        return round_down(normal_cdf(z - self.mu), self._relative_error(z))

    def max_probability(self, chance: float) -> float:
        z = normal_quantile(chance)
        return raised(normal_cdf(z + self.mu), self._relative_error(z))

    def _relative_error(self, z: float) -> float:
        """Return the relative error of Phi(z +- mu) where its argument is off by four units in the last place."""
        far = abs(z) + self.mu
        return 1e-15 * (1.0 + far * far)

    def of_values(self, factor: float) -> GaussianTradeOff:
        return self.model_copy(update={"mu": factor * self.mu})

    def effective(self, hit: float) -> float:
        return float(ToleratedLosses(hit, 1.0).loss(np.array(self.mu))) * (1.0 + 2e-13)


class LaplaceTradeOff(TradeOffCurve):
    """Laplace noise on one number at full distance: three pieces, which meet at 1/2 and 1 - e^-eps/2."""

    kind: Literal["laplace"] = "laplace"
    epsilon: Epsilon = field("Distance divided by the scale of the noise", default=...)

    def fpr(self, hit: float) -> float:
        epsilon = self.epsilon
        if hit <= 0.5:
            rate = math.exp(-epsilon) * hit
        elif 1.0 - hit >= 0.5 * math.exp(-epsilon):
            rate = 0.25 * math.exp(-epsilon) / (1.0 - hit)
        else:
            rate = 1.0 - _exp_or_inf(epsilon) * (1.0 - hit)
        return round_down(rate, _exp_error(epsilon))

    def max_probability(self, chance: float) -> float:
        epsilon = self.epsilon
        if chance >= 0.5:
            return raised(1.0 - math.exp(-epsilon) * (1.0 - chance))
        if _exp_or_inf(epsilon) * chance <= 0.5:
            return raised(_exp_or_inf(epsilon) * chance)
        return raised(1.0 - 0.25 * math.exp(-epsilon) / chance)

    def of_values(self, factor: float) -> LaplaceTradeOff:
        return self.model_copy(update={"epsilon": factor * self.epsilon})

    def effective(self, hit: float) -> float:
        return self.epsilon if hit <= 0.5 else min(self.epsilon, super().effective(hit))


class PairsTradeOff(TradeOffCurve):
    """A mechanism known by pairs of epsilon and delta."""

    @property
    @abstractmethod
    def pairs(self) -> tuple[tuple[float, float], ...]:
        """Return the pairs of epsilon and delta that hold."""

    def fpr(self, hit: float) -> float:
        return max(_least_rate(hit, epsilon, delta) for epsilon, delta in self.pairs)

    def max_probability(self, chance: float) -> float:
        return min(
            raised(
                min(
                    _exp_or_inf(epsilon) * chance + delta,
                    math.exp(-epsilon) * (chance + delta) - math.expm1(-epsilon),
                ),
                _exp_error(epsilon),
            )
            for epsilon, delta in self.pairs
        )

    def of_values(self, factor: float) -> TradeOffCurve:
        return ByWayOfAbsence(presence=self)


def _least_rate(hit: float, epsilon: float, delta: float) -> float:
    """Return the least false-positive rate that (EPSILON, DELTA) allows for a true-positive rate HIT; rounded down."""
    error = _exp_error(epsilon)
    # 1 - delta - e^epsilon (1 - hit), whose terms may be near one another
    less_misses = down(hit - delta, SAFETY_ULPS) - raised(
        math.expm1(min(epsilon, LARGEST_EXPONENT)) * (1.0 - hit), error
    )
    return max(round_down(math.exp(-epsilon) * (hit - delta), error), less_misses)


class PureTradeOff(PairsTradeOff):
    """Noise with a bounded privacy loss."""

    kind: Literal["pure"] = "pure"
    epsilon: Epsilon = field("Largest loss", default=...)

    @property
    def pairs(self) -> tuple[tuple[float, float], ...]:
        return ((self.epsilon, 0.0),)

    def of_values(self, factor: float) -> PureTradeOff:
        return self.model_copy(update={"epsilon": factor * self.epsilon})

    def effective(self, hit: float) -> float:
        # up to e^eps/(1 + e^eps) the loss itself, which rounding must not raise
        return min(self.epsilon, super().effective(hit)) if hit > 0.5 else self.epsilon


class ApproximateTradeOff(PairsTradeOff):
    """An (epsilon, delta)-differentially private mechanism."""

    kind: Literal["approximate"] = "approximate"
    epsilon: NonNegative = field("Epsilon", default=...)
    delta: Probability = field("Delta", default=...)

    @property
    def pairs(self) -> tuple[tuple[float, float], ...]:
        return ((self.epsilon, self.delta),)


class ProfileTradeOff(PairsTradeOff):
    """A mechanism known by several pairs of epsilon and delta."""

    kind: Literal["profile"] = "profile"
    points: Annotated[tuple[tuple[NonNegative, Probability], ...], Field(min_length=1, max_length=100_000)] = field(
        "Pairs of epsilon and delta", default=...
    )

    @property
    def pairs(self) -> tuple[tuple[float, float], ...]:
        return self.points


class ByWayOfAbsence(TradeOffCurve):
    """Two values of one person, with a known distance of each from absence alone."""

    presence: PairsTradeOff

    def fpr(self, hit: float) -> float:
        alarm = self.presence.fpr(hit)
        return self.presence.fpr(alarm) if alarm > 0.0 else 0.0

    def max_probability(self, chance: float) -> float:
        return self.presence.max_probability(self.presence.max_probability(chance))

    def of_values(self, factor: float) -> ByWayOfAbsence:
        return self


class DiscreteGaussianTradeOff(TradeOffCurve):
    """Discrete Gaussian noise on one number at a whole distance, by the accountant."""

    kind: Literal["discrete_gaussian"] = "discrete_gaussian"
    sigma: Positive = field("Sigma", default=...)
    sensitivity: Count = field("Distance, a whole number", default=1)

    def fpr(self, hit: float) -> float:
        alarm = _accountant(self.sigma, self.sensitivity).fpr(hit)
        # g(b) = 1 - max_probability(1 - b): near 1 the smaller of the two chances keeps its digits
        return max(alarm, down(1.0 - self.max_probability(1.0 - hit), 2)) if hit > 0.5 else alarm

    def max_probability(self, chance: float) -> float:
        return _accountant(self.sigma, self.sensitivity).tpr(chance)

    def of_values(self, factor: float) -> DiscreteGaussianTradeOff:
        distance = factor * self.sensitivity
        rounded = round(distance)
        # where the distance is no whole number, two values are at most two distances apart, by way of absence
        steps = rounded if abs(distance - rounded) <= 1e-9 * distance else 2 * self.sensitivity
        return self.model_copy(update={"sensitivity": steps})


@lru_cache(maxsize=16)
def _accountant(sigma: float, steps: int) -> Accountant:
    from dpwizard.privacy.accounting.accountant import Accountant
    from dpwizard.privacy.accounting.noises import DiscreteGaussian

    return Accountant([(DiscreteGaussian(sigma, steps), 1)])


class ZcdpTradeOff(TradeOffCurve):
    """A mechanism known by its rho alone (zero-concentrated differential privacy): Theorem 4."""

    kind: Literal["zcdp"] = "zcdp"
    rho: Positive = field("Rho", default=...)

    def fpr(self, hit: float) -> float:
        return zcdp_pairs.fpr(hit, self.rho)

    def max_probability(self, chance: float) -> float:
        return zcdp_pairs.max_probability(chance, self.rho)

    def even_odds_accuracy(self) -> float:
        """Return the success probability of the best test with equal errors in both datasets; rounded up, below 1."""
        return zcdp_pairs.even_odds_accuracy(self.rho)

    def of_values(self, factor: float) -> ZcdpTradeOff:
        return self.model_copy(update={"rho": factor * factor * self.rho})


class MixedTradeOff(TradeOffCurve):
    """One continuous Laplace release at full distance, and Gaussian ones, together: exact."""

    kind: Literal["mixed"] = "mixed"
    epsilon: NonNegative = field("Distance divided by the scale of the Laplace noise", default=...)
    mu: Positive = field("Distance divided by the standard deviation of the Gaussian noise", default=...)

    def fpr(self, hit: float) -> float:
        return round_down(mixed_noise.fpr(hit, self.epsilon, self.mu), mixed_noise.ERROR)

    def max_probability(self, chance: float) -> float:
        return raised(mixed_noise.tpr(chance, self.epsilon, self.mu), mixed_noise.ERROR)

    def of_values(self, factor: float) -> MixedTradeOff:
        return self.model_copy(update={"epsilon": factor * self.epsilon, "mu": factor * self.mu})


StatedTradeOff = Annotated[
    GaussianTradeOff
    | DiscreteGaussianTradeOff
    | ZcdpTradeOff
    | PureTradeOff
    | LaplaceTradeOff
    | ApproximateTradeOff
    | ProfileTradeOff
    | MixedTradeOff,
    Field(discriminator="kind"),
]


def round_down(value: float, relative: float = 0.0) -> float:
    """Return VALUE less its RELATIVE error, rounded down; at least 0."""
    return max(0.0, down(value * (1.0 - relative), SAFETY_ULPS) - SMALLEST_FLOATS)


def raised(value: float, relative: float = 0.0) -> float:
    """Return VALUE plus its RELATIVE error, rounded up; at most 1."""
    return min(1.0, up(value * (1.0 + relative), SAFETY_ULPS))


def _exp_error(epsilon: float) -> float:
    """Return the relative error of e^-epsilon where EPSILON is a rounded product."""
    return 4e-16 * min(epsilon, LARGEST_EXPONENT)


def _exp_or_inf(exponent: float) -> float:
    return math.exp(exponent) if exponent < LARGEST_EXPONENT else math.inf
