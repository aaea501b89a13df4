"""The statistics of noise that accuracy requirements limit, and the least budget for a limit.

Every value is monotone in the scale of the noise, so one search finds the largest scale that meets a limit, and from it
the least budget. Integer-valued noise rounds distances down and thresholds up to whole numbers; distances are computed
from decimals as they are written (docs/methods/accuracy.md).
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
ASKED = ("at_most", "level")  # the fields that hold the limit
FINEST, COARSEST = 1e-100, 1e300  # the search range of the largest scale
CLOSE = 1e-15  # relative precision of that search
FIRST_GUESS, CLOSE_OF_SUMS = 0.01, 5e-13  # the same for the first guess of a sum, and for a sum
ROUNDING = 4  # units in the last place added to a value, above its rounding error


@dataclass(frozen=True, kw_only=True)
class Statistic(ABC):
    """A statistic of the noise on a number, or on all numbers of a table."""

    @abstractmethod
    def value(self, noise: NumberNoise) -> float:
        """Return the value of NOISE."""

    @abstractmethod
    def excess(self, noise: NumberNoise) -> float:
        """Return the value of NOISE divided by the limit; rounded up."""

    def met(self, noise: NumberNoise) -> bool:
        return self.excess(noise) <= 1.0

    def require_reachable(self) -> None:
        """Raise Infeasible if no noise, however small, is accurate enough."""
        return


@dataclass(frozen=True, kw_only=True)
class AtMost(Statistic):
    """An error or a probability that must not be larger than AT_MOST; 0 requires a release without noise."""

    at_most: NonNegative

    def excess(self, noise: NumberNoise) -> float:
        ulps = 0 if math.isinf(noise.scale) else ROUNDING  # the limit of infinite noise is exact
        return up(self.value(noise), ulps) / self.at_most if self.at_most > 0.0 else math.inf


@dataclass(frozen=True, kw_only=True)
class Rare(AtMost):
    """A probability that must not be larger than AT_MOST."""

    at_most: Probability


@dataclass(frozen=True, kw_only=True)
class AtLeast(Statistic):
    """A probability that must be LEVEL or more."""

    level: OpenProbability

    @abstractmethod
    def missed(self, noise: NumberNoise) -> float:
        """Return the complementary probability, with full relative precision."""

    def excess(self, noise: NumberNoise) -> float:
        if self.level < 0.5:
            return self.level / max(down(self.value(noise), ROUNDING), TINIEST)
        return up(self.missed(noise), ROUNDING) / _most_missed(self.level) if self.level < 1.0 else math.inf


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
    """The smallest half-width of an interval at LEVEL, at most HALF_WIDTH."""

    half_width: NonNegative
    level: Probability

    def value(self, noise: NumberNoise) -> float:
        return noise.interval(self.level).half_width

    def excess(self, noise: NumberNoise) -> float:
        excess = _beyond(noise, self.half_width) / _most_missed(self.level) if self.level < 1.0 else math.inf
        is_whole_sum = isinstance(noise, SumNoise) and noise.noise.integer_valued  # the interval is the same check
        return excess if excess > 1.0 or is_whole_sum or self.value(noise) <= self.half_width else up(1.0, 1)


@dataclass(frozen=True, kw_only=True)
class SumWithin(AtLeast):
    """The probability that a sum of numbers with independent noise is within HALF_WIDTH."""

    half_width: NonNegative

    def value(self, noise: NumberNoise) -> float:
        return 1.0 - self.missed(noise)

    def missed(self, noise: NumberNoise) -> float:
        return _beyond(noise, self.half_width)


@dataclass(frozen=True, kw_only=True)
class ExactProbability(AtLeast):
    """The probability that the number is published without error."""

    level: Probability

    def value(self, noise: NumberNoise) -> float:
        return noise.exact_mass

    def missed(self, noise: NumberNoise) -> float:
        return noise.beyond(Fraction(0))


@dataclass(frozen=True, kw_only=True)
class Switch(Rare):
    """The probability that noise moves a count by STEPS or more in one direction."""

    steps: Count

    def value(self, noise: NumberNoise) -> float:
        return noise.reaching(Fraction(self.steps))


@dataclass(frozen=True, kw_only=True)
class RelativeError(Rare):
    """The probability that the error of a number of size OF exceeds the FRACTION of it."""

    fraction: Positive
    of: Positive

    def value(self, noise: NumberNoise) -> float:
        return noise.beyond(decimal(self.fraction) * decimal(self.of))


@dataclass(frozen=True, kw_only=True)
class DropRate(Rare):
    """The probability that TRUE_VALUE stays below a noisy THRESHOLD, from which on numbers are published."""

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
                "is below the threshold: the more accurate the number, the more often it is suppressed",
                "true_value",
                "Lower the threshold, or allow a chance of one half or more.",
            )


@dataclass(frozen=True, kw_only=True)
class SpuriousRate(Rare):
    """The probability that a true 0 reaches a noisy THRESHOLD, and is published."""

    threshold: Number

    def value(self, noise: NumberNoise) -> float:
        return noise.reaching(decimal(self.threshold))

    def require_reachable(self) -> None:
        if self.threshold <= 0.0 and self.at_most < 0.5:
            raise Infeasible(
                "is reached by every true 0, whatever the budget", "threshold", "Choose a threshold above 0."
            )


@dataclass(frozen=True, kw_only=True)
class AllWithin(AtLeast):
    """The probability that all NUMBERS are within HALF_WIDTH at once, with independent noise.

    If they are OVERLAPPING sums, a lower bound: 1 minus the sum of the miss probabilities.
    """

    half_width: NonNegative
    numbers: Numbers
    overlapping: bool = False

    def value(self, noise: NumberNoise) -> float:
        return 1.0 - self.missed(noise) if self.overlapping else math.exp(self._log_chance(noise))

    def missed(self, noise: NumberNoise) -> float:
        if self.overlapping:
            return min(1.0, up(self.numbers * _beyond(noise, self.half_width), 1))
        return -math.expm1(self._log_chance(noise))

    def _log_chance(self, noise: NumberNoise) -> float:
        beyond = _beyond(noise, self.half_width)
        return -math.inf if beyond >= 1.0 else self.numbers * math.log1p(-beyond)


@dataclass(frozen=True, kw_only=True)
class ShareWithin(AtLeast):
    """The probability that at least ceil(SHARE * NUMBERS) of the numbers are within HALF_WIDTH: a binomial tail."""

    half_width: NonNegative
    share: Probability
    numbers: Numbers

    def value(self, noise: NumberNoise) -> float:
        missed = self.missed(noise)
        if missed < 0.5:
            return 1.0 - missed
        return self._chance_of(self._numbers_required, 1.0 - _beyond(noise, self.half_width))

    def missed(self, noise: NumberNoise) -> float:
        if self._numbers_required == 0:
            return 0.0
        return self._chance_of(self.numbers - self._numbers_required + 1, _beyond(noise, self.half_width))

    def _chance_of(self, count: int, chance: float) -> float:
        """Return the probability that at least COUNT of the numbers are so, each with CHANCE."""
        from scipy.special import betainc  # 0.1 s to import

        return float(betainc(count, self.numbers - count + 1, chance))

    @property
    def _numbers_required(self) -> int:
        return math.ceil(decimal(self.share) * self.numbers)


def _beyond(noise: NumberNoise, half_width: float) -> float:
    """Return P(|noise| > HALF_WIDTH), rounded up: 1 minus it is never above the probability within."""
    return min(1.0, up(noise.beyond(decimal(half_width)), ROUNDING))


def _most_missed(level: float) -> float:
    """Return 1 - LEVEL, rounded down: LEVEL may be a decimal, or the nearest binary number."""
    return min(float(1 - decimal(level)), 1.0 - level)


def largest_scale(statistic: Statistic, noise: Noise, cells: int = 1) -> float:
    """Return the largest scale of NOISE found to meet STATISTIC; 1e-12 relative above it does not.

    cells: the number of summands, if it is about a sum. inf if any noise is enough, 0 if none; may raise Infeasible.
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
    """Return the largest x found, from LOW to HIGH, at which the noise NOISE_AT(x), growing with x, meets STATISTIC.

    A value larger by RELATIVE does not meet it.
    """
    # sums are slow: the search starts at the result for normal noise of the same deviation
    first_guess = largest(lambda x: statistic.met(noise_at(x).as_normal()), low, high, FIRST_GUESS)
    return largest_budget(
        lambda x: statistic.excess(noise_at(x)), 1.0, first_guess, lowest=low, highest=high, relative=relative
    )[0]


@lru_cache(maxsize=4_096)  # the same for every table of a programme
def least_budget(statistic: Statistic, noise: Noise, sensitivity: float, delta: float = 0.0, cells: int = 1) -> float:
    """Return the smallest budget at which NOISE on a number of SENSITIVITY meets STATISTIC; **never below the least**.

    The budget is that of NOISE: epsilon (with DELTA if it takes one) or rho. cells: the number of summands of a sum. At
    most 1e-11 relative above the least, 2e-11 for a sum; 0 if any budget is enough, inf if only a release without noise
    is. Raises Infeasible if not even that is.
    """
    scale = largest_scale(statistic, noise, cells)
    if scale == 0.0:
        return math.inf
    return 0.0 if math.isinf(scale) else noise.epsilon_for_scale(scale, sensitivity, delta)
