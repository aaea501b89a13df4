"""The noise on one published number: its size, its tails and its intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from pydantic import Field

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import real
from dpwizard.base.values import Value, field
from dpwizard.privacy.mechanisms import GAUSSIAN, IN_RHO, Noise, NoiseName, noise_named

Unbounded = Annotated[float, Field(allow_inf_nan=True)]  # a result that may be infinite, null in JSON
FARTHEST = Fraction(10**300)  # larger distances have the same probabilities


class Interval(Value):
    """An interval around the true value that contains the released number with a given probability."""

    half_width: Unbounded = field("Half-width", default=...)
    coverage: float = field("Probability of an error within it", default=...)


@dataclass(frozen=True, kw_only=True)
class NumberNoise:
    """The noise on one number, symmetric about 0: none at scale 0, unbounded at an infinite scale."""

    noise: Noise
    scale: float  # in [0, inf]
    budget: float = 1.0  # gives this scale at this sensitivity; its decimals determine a whole half-width
    sensitivity: float = 0.0  # 0: unknown, the scale alone is known

    @property
    def sd(self) -> float:
        return self.noise.sd(self.scale)

    @property
    def mean_absolute(self) -> float:
        return self.noise.mean_absolute(self.scale)

    @property
    def exact_mass(self) -> float:
        """Return the probability that the number is published without error."""
        return self.noise.exact_mass(self.scale)

    @property
    def whole(self) -> bool:
        """Return whether the noise, and every published number, is integer-valued."""
        return self.noise.integer_valued

    def height(self, value: float) -> float:
        """Return the probability of VALUE for integer-valued noise, else the density there."""
        return self.noise.height(self.scale, value)

    def as_normal(self) -> NumberNoise:
        """Return normal noise with this standard deviation: a first guess for a search."""
        return NumberNoise(noise=GAUSSIAN, scale=self.sd)

    def beyond(self, distance: Fraction) -> float:
        """Return P(|noise| > DISTANCE), DISTANCE >= 0."""
        if distance == 0 and not self.noise.integer_valued:
            return 0.0 if self.scale == 0.0 else 1.0  # continuous noise is never exactly 0
        return min(1.0, 2.0 * self._upper_tail(distance))

    def below(self, distance: Fraction) -> float:
        """Return P(noise < DISTANCE); of integer-valued noise below the next whole number."""
        at = self._round_up_if_whole(distance)
        if at <= 0:
            return self._upper_tail(-at)
        return 1.0 - self._upper_tail(at - 1 if self.noise.integer_valued else at)

    def reaching(self, distance: Fraction) -> float:
        """Return P(noise >= DISTANCE); of integer-valued noise from the next whole number on."""
        at = self._round_up_if_whole(distance)
        if at <= 0:
            return 1.0 - self._upper_tail(-at)
        return self._upper_tail(at - 1 if self.noise.integer_valued else at)

    def interval(self, level: float) -> Interval:
        """Return the smallest interval with a probability of LEVEL in [0, 1]."""
        if self.scale == 0.0:
            return Interval(half_width=0.0, coverage=1.0)
        if level == 0.0:
            return Interval(half_width=0.0, coverage=self.exact_mass)
        if level == 1.0 or math.isinf(self.scale):
            return Interval(half_width=math.inf, coverage=1.0)
        sensitivity = self.sensitivity or self.scale
        half_width, coverage = self.noise.half_width(self.scale, self.budget, sensitivity, level)
        return Interval(half_width=half_width, coverage=coverage)

    def _round_up_if_whole(self, distance: Fraction) -> Fraction:
        return Fraction(math.ceil(distance)) if self.noise.integer_valued else distance

    def _upper_tail(self, distance: Fraction) -> float:
        """Return P(noise > DISTANCE), DISTANCE >= 0."""
        if self.scale == 0.0 or math.isinf(self.scale):
            return 0.5 if self.scale else 0.0
        return math.exp(self.noise.log_tail(self.scale, real(min(distance, FARTHEST))))


def noise_with(
    mechanism: NoiseName, epsilon: float | None, rho: float | None, sensitivity: float, where: str = ""
) -> NumberNoise:
    """Return the noise of rho for the Gaussians, of epsilon for others; InvalidInput names a field of WHERE."""
    noise, budget, other, needed, unneeded = noise_named(mechanism), epsilon, rho, "epsilon", "rho"
    if noise.needs_delta:
        noise = noise.calibrated(IN_RHO)
        budget, other, needed, unneeded = rho, epsilon, "rho", "epsilon"
    if budget is None or other is not None:
        raise InvalidInput(
            "is missing" if budget is None else "is not asked for here",
            f"{where}{needed if budget is None else unneeded}",
            "Give {asked} for {mechanism} noise, and nothing else.",
            asked=needed,
            mechanism=mechanism,
        )
    return NumberNoise(noise=noise, scale=noise.scale(budget, sensitivity), budget=budget, sensitivity=sensitivity)


def delta_of(noise: Noise, delta: float | None) -> float:
    """Return the DELTA of the epsilon of NOISE; 0 for bounded noise; raises InvalidInput if it is missing."""
    if noise.needs_delta and delta is None:
        raise InvalidInput(
            "is missing", "delta", "Gaussian noise has an epsilon only together with a delta, for instance 1e-6."
        )
    return delta or 0.0


def published_as(noise: NumberNoise, truth: int, last: int) -> tuple[float, ...]:
    """Return the probabilities that a true count is published as 0 or less, as 1, 2, ..., and as LAST or more.

    Arguments: noise, integer-valued; truth >= 0; last >= 1. Returns LAST + 1 probabilities that add up to 1. They are
    not probabilities of the truth given a published number, which need a prior on true counts.
    """
    at_zero = noise.reaching(Fraction(truth))  # the noise is symmetric: this is P(noise <= -truth)
    distances = (abs(value - truth) for value in range(1, last))
    between = (noise.reaching(Fraction(distance)) - noise.reaching(Fraction(distance + 1)) for distance in distances)
    return (at_zero, *between, noise.reaching(Fraction(last - truth)))


def bias_of_clamped_zero(noise: NumberNoise) -> float:
    """Return the bias of a true 0 if negative counts become 0: half the mean absolute value, by symmetry."""
    return noise.mean_absolute / 2.0


def to_tenths(chances: Sequence[float]) -> tuple[int, ...]:
    """Return CHANCES in tenths of a percent that add up to 1,000: rounded down, or up at the largest remainders."""
    exact = [chance * 1_000 for chance in chances]
    tenths = [int(value) for value in exact]
    by_remainder = sorted(range(len(exact)), key=lambda at: tenths[at] - exact[at])
    for at in by_remainder[: 1_000 - sum(tenths)]:
        tenths[at] += 1
    return tuple(tenths)
