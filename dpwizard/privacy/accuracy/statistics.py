"""What is asked of the noise on the numbers of a table, and the least budget that gives it.

Every value rises, or falls, with the scale of the noise, so one search finds the largest scale at which a statistic is
met, and from it the least budget. Whole noise rounds distances down and thresholds up to whole numbers; distances are
formed from the decimals as they are written (docs/methods/accuracy.md).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Annotated

from pydantic import Field

from dpwizard.base.errors import Infeasible
from dpwizard.base.numerics import decimal, down, largest, up
from dpwizard.base.values import Count, NonNegative, Number, OpenProbability, Positive, Probability
from dpwizard.privacy.accuracy.number_noise import NumberNoise
from dpwizard.privacy.accuracy.sum_noise import SumNoise
from dpwizard.privacy.largest_budget import largest as largest_budget
from dpwizard.privacy.mechanisms import TINIEST, Noise

Numbers = Annotated[Count, Field(le=10**9)]
Cells = Annotated[Count, Field(le=10**6)]
ASKED = ("at_most", "level")  # the fields that say what is asked of a value
FINEST, COARSEST = 1e-100, 1e300  # scales between which the largest is searched for
CLOSE = 1e-15  # relative error of that search
FIRST_GUESS, CLOSE_OF_SUMS = 0.01, 5e-13  # the same of the first guess for a sum, and of a sum
ROUNDING = 4  # units in the last place by which a value counts as worse than computed


@dataclass(frozen=True, kw_only=True)
class Statistic(ABC):
    """One question about the noise on a number, or on all numbers of a table."""

    @abstractmethod
    def value(self, noise: NumberNoise) -> float:
        """Return the value of NOISE."""

    @abstractmethod
    def excess(self, noise: NumberNoise) -> float:
        """Return how many times too large the value of NOISE is; rounding counts against it."""

    def met(self, noise: NumberNoise) -> bool:
        """Return whether NOISE is accurate enough."""
        return self.excess(noise) <= 1.0

    def require_reachable(self) -> None:
        """Raise Infeasible where no noise, however small, is accurate enough."""
        return


@dataclass(frozen=True, kw_only=True)
class AtMost(Statistic):
    """A size or a chance that must not be larger than AT_MOST; 0 asks for no noise at all."""

    at_most: NonNegative

    def excess(self, noise: NumberNoise) -> float:
        ulps = 0 if math.isinf(noise.scale) else ROUNDING  # for unbounded noise it is an exact limit
        return up(self.value(noise), ulps) / self.at_most if self.at_most > 0.0 else math.inf


@dataclass(frozen=True, kw_only=True)
class Rare(AtMost):
    """A chance that must not be larger than AT_MOST."""

    at_most: Probability


@dataclass(frozen=True, kw_only=True)
class AtLeast(Statistic):
    """A chance that must come to LEVEL at least."""

    level: OpenProbability

    @abstractmethod
    def missed(self, noise: NumberNoise) -> float:
        """Return what the chance lacks of 1, to its own last digits."""

    def excess(self, noise: NumberNoise) -> float:
        if self.level < 0.5:
            return self.level / max(down(self.value(noise), ROUNDING), TINIEST)
        return up(self.missed(noise), ROUNDING) / (1.0 - self.level) if self.level < 1.0 else math.inf


class Rmse(AtMost):
    """The root mean squared error: the standard deviation, as the noise has mean 0."""

    def value(self, noise: NumberNoise) -> float:
        return noise.sd


class MeanAbsoluteError(AtMost):
    """The mean absolute error."""

    def value(self, noise: NumberNoise) -> float:
        return noise.mean_absolute


@dataclass(frozen=True, kw_only=True)
class MarginOfError(AtMost):
    """Z standard deviations, as agencies print a margin of error; rounded up."""

    z: Positive

    def value(self, noise: NumberNoise) -> float:
        return up(self.z * noise.sd, 1)


@dataclass(frozen=True, kw_only=True)
class NoiseInterval(Statistic):
    """The smallest half-width that holds LEVEL of the noise, at most HALF_WIDTH."""

    half_width: NonNegative
    level: Probability

    def value(self, noise: NumberNoise) -> float:
        return noise.interval(self.level).half_width

    def excess(self, noise: NumberNoise) -> float:
        missed = min(1.0, up(noise.beyond(decimal(self.half_width)), ROUNDING))  # near 0 it keeps more digits
        excess = missed / (1.0 - self.level) if self.level < 1.0 else math.inf
        is_whole_sum = isinstance(noise, SumNoise) and noise.noise.integer_valued  # its interval tells the same
        return excess if excess > 1.0 or is_whole_sum or self.value(noise) <= self.half_width else up(1.0, 1)


@dataclass(frozen=True, kw_only=True)
class SumWithin(AtLeast):
    """The chance that a sum of numbers, each with noise of its own, lies within HALF_WIDTH."""

    half_width: NonNegative

    def value(self, noise: NumberNoise) -> float:
        return 1.0 - self.missed(noise)

    def missed(self, noise: NumberNoise) -> float:
        return noise.beyond(decimal(self.half_width))


@dataclass(frozen=True, kw_only=True)
class ExactProbability(AtLeast):
    """The chance that the number is published as it is."""

    level: Probability

    def value(self, noise: NumberNoise) -> float:
        return noise.exact_mass

    def missed(self, noise: NumberNoise) -> float:
        return noise.beyond(Fraction(0))


@dataclass(frozen=True, kw_only=True)
class Switch(Rare):
    """The chance that noise moves a count by so many STEPS, or more, in one direction."""

    steps: Count

    def value(self, noise: NumberNoise) -> float:
        return noise.reaching(Fraction(self.steps))


@dataclass(frozen=True, kw_only=True)
class RelativeError(Rare):
    """The chance that a number of the size OF is off by more than the FRACTION of it."""

    fraction: Positive
    of: Positive

    def value(self, noise: NumberNoise) -> float:
        return noise.beyond(decimal(self.fraction) * decimal(self.of))


@dataclass(frozen=True, kw_only=True)
class DropRate(Rare):
    """The chance that TRUE_VALUE stays below a noisy THRESHOLD, from which on numbers are published."""

    true_value: Number
    threshold: Number

    def value(self, noise: NumberNoise) -> float:
        threshold = decimal(self.threshold)
        if noise.noise.integer_valued:
            threshold = Fraction(math.ceil(threshold))
        return noise.below(threshold - decimal(self.true_value))

    def require_reachable(self) -> None:
        if self.true_value < self.threshold and self.at_most < 0.5:
            raise Infeasible(
                "lies below the threshold: the more accurate the number, the surer it is dropped",
                "true_value",
                "Lower the threshold, or allow a chance of one half and more.",
            )


@dataclass(frozen=True, kw_only=True)
class SpuriousRate(Rare):
    """The chance that a true 0 reaches a noisy THRESHOLD, and is published."""

    threshold: Number

    def value(self, noise: NumberNoise) -> float:
        return noise.reaching(decimal(self.threshold))

    def require_reachable(self) -> None:
        if self.threshold <= 0.0 and self.at_most < 0.5:
            raise Infeasible(
                "is reached by every true 0: no budget keeps it back", "threshold", "Choose a threshold above 0."
            )


@dataclass(frozen=True, kw_only=True)
class AllWithin(AtLeast):
    """The chance that all NUMBERS lie within HALF_WIDTH at once, each with noise of its own.

    Where they are sums that are OVERLAPPING, a chance that is never above it: what each misses is added up.
    """

    half_width: NonNegative
    numbers: Numbers
    overlapping: bool = False

    def value(self, noise: NumberNoise) -> float:
        return 1.0 - self.missed(noise) if self.overlapping else math.exp(self._log_chance(noise))

    def missed(self, noise: NumberNoise) -> float:
        if self.overlapping:
            return min(1.0, up(self.numbers * noise.beyond(decimal(self.half_width)), 1))
        return -math.expm1(self._log_chance(noise))

    def _log_chance(self, noise: NumberNoise) -> float:
        beyond = noise.beyond(decimal(self.half_width))
        return -math.inf if beyond >= 1.0 else self.numbers * math.log1p(-beyond)


@dataclass(frozen=True, kw_only=True)
class ShareWithin(AtLeast):
    """The chance that at least ceil(SHARE * NUMBERS) of the numbers lie within HALF_WIDTH: a binomial tail."""

    half_width: NonNegative
    share: Probability
    numbers: Numbers

    def value(self, noise: NumberNoise) -> float:
        from scipy.special import betainc  # 0.1 s to import: only when it is needed

        missed = self.missed(noise)
        if missed < 0.5:
            return 1.0 - missed
        within = 1.0 - noise.beyond(decimal(self.half_width))
        return float(betainc(self._numbers_required, self.numbers - self._numbers_required + 1, within))

    def missed(self, noise: NumberNoise) -> float:
        from scipy.special import betainc  # 0.1 s to import: only when it is needed

        if self._numbers_required == 0:
            return 0.0
        return float(
            betainc(
                self.numbers - self._numbers_required + 1,
                self._numbers_required,
                noise.beyond(decimal(self.half_width)),
            )
        )

    @property
    def _numbers_required(self) -> int:
        return math.ceil(decimal(self.share) * self.numbers)


def largest_scale(statistic: Statistic, noise: Noise, cells: int = 1) -> float:
    """Return the largest scale of NOISE at which STATISTIC was seen to be met; 1e-12 relative above it is not.

    CELLS: it is about the sum of so many numbers. inf where any noise will do, 0 where none; may raise Infeasible.
    """
    statistic.require_reachable()

    def noise_of_scale(scale: float) -> NumberNoise:
        alone = NumberNoise(noise=noise, scale=scale)
        return alone if cells == 1 else SumNoise(noise=noise, scale=scale, cells=cells)

    if statistic.met(noise_of_scale(math.inf)):
        return math.inf
    if not statistic.met(noise_of_scale(FINEST)):
        return 0.0
    if cells == 1:
        return largest(lambda scale: statistic.met(noise_of_scale(scale)), FINEST, COARSEST, CLOSE)
    return farthest(statistic, noise_of_scale, FINEST, COARSEST)


def farthest(
    statistic: Statistic,
    noise_at: Callable[[float], NumberNoise],
    low: float,
    high: float,
    relative: float = CLOSE_OF_SUMS,
) -> float:
    """Return the largest x seen, from LOW to HIGH, at which the noise NOISE_AT(x), growing with x, meets STATISTIC.

    A value larger by RELATIVE does not meet it.
    """
    # laws of sums take long: the search begins where it would end for normal noise of the same deviation
    first_guess = largest(lambda x: statistic.met(noise_at(x).as_normal()), low, high, FIRST_GUESS)
    return largest_budget(
        lambda x: statistic.excess(noise_at(x)), 1.0, first_guess, lowest=low, highest=high, relative=relative
    )[0]


@lru_cache(maxsize=4_096)  # every table of a programme asks the same
def least_budget(statistic: Statistic, noise: Noise, sensitivity: float, delta: float = 0.0, cells: int = 1) -> float:
    """Return the smallest budget at which NOISE on a number of SENSITIVITY meets STATISTIC; **never below the need**.

    The budget is that of NOISE: epsilon (with DELTA where it takes one) or rho. CELLS: the statistic is about the sum
    of so many numbers. At most 1e-11 relative above the true need, 2e-11 for a sum; 0 where any budget will do, inf
    where only a release without noise will. Raises Infeasible where not even that.
    """
    scale = largest_scale(statistic, noise, cells)
    if scale == 0.0:
        return math.inf
    return 0.0 if math.isinf(scale) else noise.epsilon_for_scale(scale, sensitivity, delta)
