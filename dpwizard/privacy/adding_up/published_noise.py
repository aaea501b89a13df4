"""The noise on the numbers of a table that was made to add up: a weighted sum of the noise on several tables."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple

from dpwizard.base.numerics import largest, smallest, up
from dpwizard.base.stopping import may_stop
from dpwizard.privacy.accuracy import Interval, NumberNoise, Statistic, largest_scale
from dpwizard.privacy.adding_up.linked_tables import Weighted
from dpwizard.privacy.adding_up.tree import Variance
from dpwizard.privacy.adding_up.within_after import NoiseDistribution, Parts, law_of
from dpwizard.privacy.mechanisms import GAUSSIAN, Noise

ROUND = 64
FINEST, COARSEST = 1e-9, 1e12  # the deviations among which the largest is looked for
DRAWN = 24.0  # parts of a deviation over which what is drawn is smoothed
CLOSE = 1e-6  # relative: how closely an interval is found


class Added(NamedTuple):
    """The noise that was added to each number of a table."""

    noise: Noise
    scale: float

    @property
    def deviation(self) -> float:
        """Return the deviation by which numbers are weighed: that of continuous noise; of whole noise it is no less."""
        return self.scale if self.noise.uses_l2 else math.sqrt(2.0) * self.scale


@dataclass(frozen=True, kw_only=True)
class PublishedNoise(NumberNoise):
    """The noise on a number that was made to add up: what it comes to is that of the worst number, rounded up.

    sums: for each kind of number how many numbers of each table are taken in, by weight; added: the noise of each
    table, None where it has none. rounded: whether every number was then made whole, up or down, so that all add up.
    """

    sums: tuple[Weighted, ...]
    added: tuple[Added | None, ...]
    rounded: bool = False

    @cached_property
    def deviation(self) -> float:
        """Return the largest standard deviation before rounding."""
        deviations = [0.0 if each is None else each.deviation for each in self.added]
        return max(
            math.hypot(*(float(w) * math.sqrt(n) * deviations[table] for (w, table), n in each.items()))
            for each in self.sums
        )

    @property
    def sd(self) -> float:
        return up(self.deviation, ROUND) + (1.0 if self.rounded else 0.0)

    @property
    def mean_absolute(self) -> float:
        found = max((law.mean_absolute() for law in self._laws), default=0.0)
        return min(self.sd, found + (1.0 if self.rounded else 0.0))

    @property
    def exact_mass(self) -> float:
        return 0.0  # nothing is said of it

    @property
    def whole(self) -> bool:
        return self.rounded

    def height(self, value: float) -> float:
        """Return about what is drawn at VALUE: of the worst number, and of what is rounded as if to the nearest."""
        step = 1.0 if self.rounded else self.deviation / DRAWN
        ends = (abs(value) - step / 2, abs(value) + step / 2)
        near, far = ((one, self._widest.within(Fraction(abs(one)))[0]) for one in ends)
        return max(0.0, far[1] - math.copysign(near[1], near[0])) / (2.0 * step)

    def as_normal(self) -> NumberNoise:
        kind = _Rounded if self.rounded else NumberNoise
        return kind(noise=GAUSSIAN, scale=self.deviation)

    def beyond(self, distance: Fraction) -> float:
        """Return a chance that P(|noise| > DISTANCE) is never above, for any number."""
        within = Fraction(math.floor(distance)) if self.rounded else distance  # rounding breaks no whole half-width
        if any(each is not None and math.isinf(each.scale) for each in self.added):
            return 1.0
        return max((1.0 - law.within(within)[0] for law in self._laws), default=0.0)

    def interval(self, level: float) -> Interval:
        sd = self.deviation
        if level == 0.0 or sd == 0.0:
            return Interval(half_width=0.0, coverage=0.0 if sd else 1.0)
        if level == 1.0 or math.isinf(sd):
            return Interval(half_width=math.inf, coverage=1.0)

        def holds(half_width: float) -> bool:
            return self.beyond(Fraction(half_width)) <= 1.0 - level

        high = sd + 1.0
        while not holds(high):
            high *= 2.0
            if high > 1e3 * sd + 1e3:
                return Interval(half_width=math.inf, coverage=1.0)
        found = smallest(holds, 0.0, high, CLOSE)
        found = float(math.floor(found)) if self.rounded and holds(math.floor(found)) else found
        return Interval(half_width=found, coverage=1.0 - self.beyond(Fraction(found)))

    def reaching(self, distance: Fraction) -> float:
        """Return a chance that P(noise >= DISTANCE) is never above; what is rounded may have been less than 1 below."""
        if distance <= 0:
            return 1.0
        return self._above(Fraction(math.ceil(distance) - 1) if self.rounded else distance * (1 - Fraction(CLOSE)))

    def _above(self, distance: Fraction) -> float:
        return self.beyond(distance) / 2.0

    @cached_property
    def _widest(self) -> NoiseDistribution:
        return min(self._laws, key=lambda law: law.within(Fraction(self.deviation))[0])

    @cached_property
    def _laws(self) -> tuple[NoiseDistribution, ...]:
        found = []
        for each in self.sums:
            may_stop()
            parts: Parts = Counter()
            for (weight, table), count in each.items():
                one = self.added[table]
                if one is not None and one.scale > 0.0:
                    parts[one.noise, one.scale, weight if weight > 0 else -weight] += count
            if parts:
                found.append(_law(tuple(parts.items())))
        return tuple(found)


@lru_cache(maxsize=16)  # a megabyte each: what is asked of one budget is asked several times
def _law(parts: tuple[tuple[tuple[Noise, float, Variance], int], ...]) -> NoiseDistribution:
    return law_of(Counter(dict(parts)))


@dataclass(frozen=True, kw_only=True)
class _Rounded(NumberNoise):
    """Normal noise of a number that is then made whole, up or down."""

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


@lru_cache(maxsize=4_096)  # every table of a level asks the same
def largest_deviation(asked: Statistic, rounded: bool, cells: int = 1) -> float:
    """Return the largest standard deviation of normal noise on a published number, or on a sum of so many CELLS before
    adding up, that meets what is ASKED; 0 where none does, inf where any does."""
    if not rounded:
        return largest_scale(asked, GAUSSIAN, cells)

    def met(scale: float) -> bool:
        return asked.met(_Rounded(noise=GAUSSIAN, scale=scale))

    if not met(FINEST):
        return 0.0
    return math.inf if met(COARSEST) else largest(met, FINEST, COARSEST, 1e-9)


def published_noise(
    own: NumberNoise, sums: Sequence[Weighted], added: Sequence[Added | None], rounded: bool
) -> NumberNoise:
    """Return the noise on a published number of a table whose OWN noise, before adding up, is this.

    Arguments: sums, for each kind of its numbers; added, the noise of each table; rounded, whether numbers were made
    whole afterwards. Normal noise stays normal; a number that no other tells of keeps its own noise.
    """
    found = PublishedNoise(
        noise=own.noise,
        scale=own.scale,
        budget=own.budget,
        sensitivity=own.sensitivity,
        sums=tuple(sums),
        added=tuple(added),
        rounded=rounded,
    )
    taken = [(added[table], float(weight), count) for each in sums for (weight, table), count in each.items()]
    if all(one is None or one.noise.normal for one, _, _ in taken) and not rounded:
        return NumberNoise(noise=own.noise, scale=up(found.deviation, ROUND))
    alone = {(weight, count, added[table]) for each in sums for (weight, table), count in each.items()}
    return own if alone == {(1, 1, Added(own.noise, own.scale))} else found
