"""As what small true counts are published, once noise is added and counts below 0 become 0.

It says how a truth is published. What a published number says about the truth needs a belief about true counts, and
must not be read off these chances.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from dpwizard.privacy.accuracy.number_noise import NumberNoise


def published_as(noise: NumberNoise, truth: int, last: int) -> tuple[float, ...]:
    """Return the chances that a true count is published as 0 or less, as 1, 2, ..., and as LAST or more.

    Arguments: noise in whole numbers; truth >= 0; last >= 1. Returns LAST + 1 chances that add up to 1.
    """
    at_zero = noise.reaching(Fraction(truth))  # the noise is symmetric: this is P(noise <= -truth)
    between = (_mass(noise, abs(value - truth)) for value in range(1, last))
    return (at_zero, *between, noise.reaching(Fraction(last - truth)))


def _mass(noise: NumberNoise, distance: int) -> float:
    """Return P(noise = DISTANCE), DISTANCE >= 0."""
    return noise.reaching(Fraction(distance)) - noise.reaching(Fraction(distance + 1))


def bias_of_clamped_zero(noise: NumberNoise) -> float:
    """Return by how much a true 0 is published too high on average, where counts below 0 become 0.

    The mean of max(0, noise) is half of the mean absolute value, as the noise is symmetric.
    """
    return noise.mean_absolute / 2.0


def to_tenths(chances: Sequence[float]) -> tuple[int, ...]:
    """Return CHANCES in tenths of 1 in 100, rounded to either side so that they add up to 1,000.

    Each is rounded down; what is missing goes to those that lost most.
    """
    exact = [chance * 1_000 for chance in chances]
    found = [int(one) for one in exact]
    by_loss = sorted(range(len(exact)), key=lambda at: found[at] - exact[at])
    for at in by_loss[: 1_000 - sum(found)]:
        found[at] += 1
    return tuple(found)
