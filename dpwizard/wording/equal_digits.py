"""The one rounding rule: the ends of an allowed range and the choice in it, with equal digits and in order."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from dpwizard.base.numerics import sided, significant

LEAST_PLACES = 2
MOST_PLACES = 12  # more digits than these nobody compares
ABOUT = 6  # significant digits of a value that is said to be about so much
SAME = 1e-9  # relative: numbers nearer than this are one
HUGE, TINY = 1e15, 1e-12  # beyond, a number is written with a power of ten and has no decimals in common with another


@dataclass(frozen=True, kw_only=True)
class EqualDigits:
    """Decimals of a range with the same number of places: lower <= chosen <= upper; None for what is not there."""

    lower: Decimal | None
    chosen: Decimal | None
    upper: Decimal | None
    places: int


def equal_digits(lower: float | None, upper: float | None, chosen: float | None = None) -> EqualDigits | None:
    """Return a range and the choice inside it in the fewest decimals that keep them apart and in order.

    Arguments: lower <= upper, the ends (None: there is none); chosen, inside both. At least two decimals, two
    significant digits of the smaller end, and those of the choice, which is its printed decimal. The lower end is
    rounded up, the upper end down, so whatever is printed lies inside. A choice of more than 12 decimals is rounded up
    to six digits, or as many more as keep it inside. None where the ends are one value to 12 decimals.
    """
    choice = None if chosen is None else printed_choice(chosen, upper)
    least = max(LEAST_PLACES, *(decimal_places(end) for end in (lower, upper) if end), decimals(choice))
    for places in range(least, max(least, MOST_PLACES) + 1):
        low = None if lower is None else sided(lower, places, ROUND_CEILING)
        high = None if upper is None else sided(upper, places, ROUND_FLOOR)
        distinct = low is None or high is None or low < high
        inside = choice is None or ((low is None or low <= choice) and (high is None or choice <= high))
        if distinct and inside:
            shown = None if choice is None else choice.quantize(Decimal(1).scaleb(-places))
            return EqualDigits(lower=low, chosen=shown, upper=high, places=places)
    return None


def decimal_places(value: float) -> int:
    """Return how many decimals show VALUE to two significant digits, two at least."""
    if value == 0.0 or not TINY <= abs(value) < HUGE:
        return LEAST_PLACES
    return max(LEAST_PLACES, 1 - math.floor(math.log10(abs(value))))


def about(value: float) -> Decimal:
    """Return VALUE rounded up to six significant digits: how one is printed that stands for more digits."""
    return significant(value, ABOUT, ROUND_CEILING).normalize()


def printed_choice(chosen: float, upper: float | None = None) -> Decimal:
    """Return the CHOSEN budget as it is printed: exact, or rounded up to six digits where it has too many."""
    exact = Decimal(repr(float(chosen))).normalize()
    if decimals(exact) <= MOST_PLACES:
        return exact
    shorter = (significant(chosen, digits, ROUND_CEILING) for digits in range(ABOUT, 18))
    return next((rounded for rounded in shorter if upper is None or rounded <= Decimal(repr(float(upper)))), exact)


def padded(value: Decimal, places: int = LEAST_PLACES) -> Decimal:
    """Return VALUE with PLACES decimals at least."""
    return value.quantize(Decimal(1).scaleb(-places)) if decimals(value) < places else value


def decimals(value: Decimal | None) -> int:
    """Return how many decimals VALUE has; none where there is no value."""
    exponent = 0 if value is None else value.normalize().as_tuple().exponent
    return -exponent if isinstance(exponent, int) else 0
