"""The noise on a number after adjusting to add up: a weighted sum of the noise on several tables."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple

from dpwizard.base.numerics import largest, up
from dpwizard.base.stopping import may_stop
from dpwizard.privacy.accuracy import (
    CombinedNoise,
    NoiseDistribution,
    NumberNoise,
    Part,
    Statistic,
    distribution_of,
    largest_scale,
)
from dpwizard.privacy.adding_up.linked_tables import Weighted
from dpwizard.privacy.mechanisms import GAUSSIAN, Noise

ROUND = 64
FINEST, COARSEST = 1e-9, 1e12  # the search range of the largest standard deviation
STEPS_DRAWN = 24.0  # steps per standard deviation over which a drawn density is averaged
CLOSE = 1e-6  # relative: a distance lowered by this is reached by continuous noise


class Added(NamedTuple):
    """The noise added to each number of a table."""

    noise: Noise
    scale: float

    @property
    def deviation(self) -> float:
        """Return the standard deviation that determines weights, for integer-valued noise the continuous one."""
        return self.scale if self.noise.uses_l2 else math.sqrt(2.0) * self.scale


@dataclass(frozen=True, kw_only=True)
class PublishedNoise(CombinedNoise):
    """The noise on a number after adjusting to add up, for the worst kind of number, rounded up."""

    sums: tuple[Weighted, ...]  # for each kind of number
    added: tuple[Added | None, ...]  # by table, None if it has no noise
    rounded: bool = False  # whether every number was then rounded up or down so that all add up

    @cached_property
    def deviation(self) -> float:
        """Return the largest standard deviation before rounding."""
        deviations = [0.0 if added is None else added.deviation for added in self.added]
        return max(
            math.hypot(*(float(w) * math.sqrt(n) * deviations[table] for (w, table), n in weights.items()))
            for weights in self.sums
        )

    @property
    def sd(self) -> float:
        return up(self.deviation, ROUND) + (1.0 if self.rounded else 0.0)

    @property
    def mean_absolute(self) -> float:
        mean = max((distribution.mean_absolute() for distribution in self._distributions), default=0.0)
        return min(self.sd, mean + (1.0 if self.rounded else 0.0))

    @property
    def exact_mass(self) -> float:
        return 0.0  # a lower bound

    @property
    def whole(self) -> bool:
        return self.rounded

    def height(self, value: float) -> float:
        """Return the approximate density of the worst number at VALUE, as if numbers were rounded to the nearest."""
        step = 1.0 if self.rounded else self.deviation / STEPS_DRAWN
        ends = (abs(value) - step / 2, abs(value) + step / 2)
        near, far = ((end, self._widest.within(Fraction(abs(end)))[0]) for end in ends)
        return max(0.0, far[1] - math.copysign(near[1], near[0])) / (2.0 * step)

    def as_normal(self) -> NumberNoise:
        kind = _RoundedNormal if self.rounded else NumberNoise
        return kind(noise=GAUSSIAN, scale=self.deviation)

    def beyond(self, distance: Fraction) -> float:
        """Return an upper bound on P(|noise| > DISTANCE), for any number."""
        within = Fraction(math.floor(distance)) if self.rounded else distance  # a whole half-width
        if any(added is not None and math.isinf(added.scale) for added in self.added):
            return 1.0
        return max((1.0 - distribution.within(within)[0] for distribution in self._distributions), default=0.0)

    def reaching(self, distance: Fraction) -> float:
        """Return an upper bound on P(noise >= DISTANCE); a rounded number may have been less than 1 below."""
        if distance <= 0:
            return 1.0
        return self._upper_tail(Fraction(math.ceil(distance) - 1) if self.rounded else distance * (1 - Fraction(CLOSE)))

    def _upper_tail(self, distance: Fraction) -> float:
        return self.beyond(distance) / 2.0

    @cached_property
    def _widest(self) -> NoiseDistribution:
        return min(self._distributions, key=lambda distribution: distribution.within(Fraction(self.deviation))[0])

    @cached_property
    def _distributions(self) -> tuple[NoiseDistribution, ...]:
        distributions = []
        for weights in self.sums:
            may_stop()
            parts: Counter[Part] = Counter()
            for (weight, table), count in weights.items():
                added = self.added[table]
                if added is not None and added.scale > 0.0:
                    parts[added.noise, added.scale, weight if weight > 0 else -weight] += count
            if parts:
                distributions.append(distribution_of(tuple(parts.items())))
        return tuple(distributions)


@dataclass(frozen=True, kw_only=True)
class _RoundedNormal(NumberNoise):
    """Normal noise of a number that is then rounded up or down."""

    @property
    def sd(self) -> float:
        return self.scale + 1.0

    @property
    def mean_absolute(self) -> float:
        return super().mean_absolute + 1.0

    def beyond(self, distance: Fraction) -> float:
        return super().beyond(Fraction(math.floor(distance)))

    def reaching(self, distance: Fraction) -> float:
        return self.beyond(Fraction(max(0, math.ceil(distance) - 1))) / 2.0


@lru_cache(maxsize=4_096)  # the same for every table of a level
def largest_deviation(statistic: Statistic, rounded: bool, cells: int = 1) -> float:
    """Return the largest standard deviation of normal noise with which a published number meets STATISTIC.

    cells: the number of summands, if it is that of a sum before adding up. 0 if none meets it, inf if any does.
    """
    if not rounded:
        return largest_scale(statistic, GAUSSIAN, cells)

    def is_met(scale: float) -> bool:
        return statistic.met(_RoundedNormal(noise=GAUSSIAN, scale=scale))

    if not is_met(FINEST):
        return 0.0
    return math.inf if is_met(COARSEST) else largest(is_met, FINEST, COARSEST, 1e-9)


def published_noise(
    unadjusted: NumberNoise, sums: Sequence[Weighted], added: Sequence[Added | None], rounded: bool
) -> NumberNoise:
    """Return the noise on a published number of a table, given its UNADJUSTED noise.

    Arguments: sums, for each kind of its numbers; added, the noise of each table; rounded, whether numbers were rounded
    afterwards. Normal noise stays normal; a number without information from others keeps its own noise.
    """
    published = PublishedNoise(
        noise=unadjusted.noise,
        scale=unadjusted.scale,
        budget=unadjusted.budget,
        sensitivity=unadjusted.sensitivity,
        sums=tuple(sums),
        added=tuple(added),
        rounded=rounded,
    )
    tables_in_sum = {(weight, count, added[table]) for weights in sums for (weight, table), count in weights.items()}
    if all(noise is None or noise.noise.normal for _, _, noise in tables_in_sum) and not rounded:
        return NumberNoise(noise=unadjusted.noise, scale=up(published.deviation, ROUND))
    return unadjusted if tables_in_sum == {(1, 1, Added(unadjusted.noise, unadjusted.scale))} else published
