"""A share of people in words: so many of a round number of them."""

from __future__ import annotations

import math

from dpwizard.base.numerics import decimal


def people_of(tolerance: float) -> tuple[int, int]:
    """Return so many people, a power of ten, and of them the number that a share of TOLERANCE is: whole where it can
    be, else rounded up to two digits or more.
    """
    exact = decimal(tolerance)
    people = next(10**power for power in range(2, 400) if exact * 10**power >= 1)
    for more in (1, 10, 100):
        if (exact * people * more).denominator == 1:
            return people * more, int(exact * people * more)
    return people * 10, math.ceil(exact * people * 10)
