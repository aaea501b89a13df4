"""Safe rounding, root finding on the safe side, and the normal distribution.

An upper limit on epsilon is safe if it is rounded down, a lower limit if it is rounded up. Every search keeps a bracket
and returns an end at which the condition was evaluated and is true.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction

UNIT = 2.0**-52  # the spacing of binary floating point at 1
TOLERANCE = 1e-13  # relative width of the final bracket of a search
STEPS = 2_200  # enough to bisect any bracket of positive floats


def down(value: float, ulps: int = 8) -> float:
    """Return VALUE lowered by ULPS units in the last place (for upper limits on epsilon); 0 and inf stay."""
    return value if value == 0.0 or math.isinf(value) else value - abs(value) * UNIT * ulps


def up(value: float, ulps: int = 8) -> float:
    """Return VALUE raised by ULPS units in the last place (for lower limits on epsilon); 0 and inf stay."""
    return value if value == 0.0 or math.isinf(value) else value + abs(value) * UNIT * ulps


def quotient_up(value: float, by: float) -> float:
    """Return VALUE / BY, both positive, rounded up; exact where it is a whole number."""
    return value / by if value % by == 0.0 else up(value / by, 1)


@functools.lru_cache(maxsize=8_192)  # thousands of tables share few values
def decimal(value: float) -> Fraction:
    """Return the shortest decimal of VALUE exactly: 0.1 is 1/10, not the nearest binary number."""
    return Fraction(repr(float(value)))


def written_up(exact: Fraction) -> float:
    """Return EXACT as a float whose shortest decimal is rounded up; inf if it is too large."""
    nearest = real(exact)
    return nearest if math.isinf(nearest) or decimal(nearest) >= exact else math.nextafter(nearest, math.inf)


def product_up(value: float, times: int) -> float:
    """Return TIMES times the shortest decimal of VALUE, rounded up: 3 times 0.1 is 0.3; inf stays."""
    return value if math.isinf(value) else written_up(decimal(value) * times)


# relative: a number this near to a decimal is printed as it; the error of every limit is a hundred times as large
NEAR = Decimal("1e-14")


def real(value: Fraction) -> float:
    """Return VALUE as the nearest float; inf or -inf if it is too large."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def sided(value: float, places: int, how: str) -> Decimal:
    """Return VALUE with PLACES decimals, rounded by HOW (down or up), or to the nearest if that is within NEAR."""
    exact, step = Decimal(repr(float(value))), Decimal(1).scaleb(-places)
    near = exact.quantize(step, ROUND_HALF_EVEN)
    return near if abs(exact - near) <= NEAR * abs(exact) else exact.quantize(step, how)


def significant(value: float, digits: int, how: str) -> Decimal:
    """Return VALUE with at most DIGITS significant digits, rounded as by `sided`."""
    exact = Decimal(repr(float(value)))
    return exact if value == 0.0 else sided(value, digits - 1 - exact.adjusted(), how)


def rounded_down(value: float, digits: int) -> float:
    """Return VALUE with DIGITS significant digits, rounded down; 0 for negative values."""
    if value <= 0.0 or math.isinf(value):
        return max(value, 0.0)
    step = 10.0 ** (math.floor(math.log10(value)) + 1 - digits)
    return float(f"{math.floor(value / step * (1.0 + 1e-12)) * step:.{digits}g}")


def largest(holds: Callable[[float], bool], low: float, high: float, tolerance: float = TOLERANCE) -> float:
    """Return the largest number at which HOLDS is true, rounded down by at most a relative TOLERANCE.

    Arguments: holds, true up to some point in [low, high] and false after it; low >= 0, where it is true
    (not called there). Returns HIGH if it holds there. **HOLDS is true at the result.**
    """
    if holds(high):
        return high
    return _bisect(holds, low, high, tolerance)[0]


def smallest(holds: Callable[[float], bool], low: float, high: float, tolerance: float = TOLERANCE) -> float:
    """Return the smallest number at which HOLDS is true, rounded up by at most a relative TOLERANCE.

    Arguments: holds, false below some point in [low, high] and true from it; high, where it is true (not
    called there). Returns LOW if it holds there. **HOLDS is true at the result.**
    """
    if holds(low):
        return low
    return _bisect(lambda x: not holds(x), low, high, tolerance)[1]


def lowest_place(value: Callable[[float], float], low: float, high: float, width: float) -> float:
    """Return the place between LOW and HIGH where VALUE, which falls and then rises, is least, within WIDTH.

    Golden-section search. Not rounded to a safe side: use it only for bounds that are valid at any place.
    """
    golden = (math.sqrt(5.0) - 1.0) / 2
    x, y = high - golden * (high - low), low + golden * (high - low)
    at_x, at_y = value(x), value(y)
    while high - low > width:
        if at_x < at_y:
            high, y, at_y = y, x, at_x
            x = high - golden * (high - low)
            at_x = value(x)
        else:
            low, x, at_x = x, y, at_y
            y = low + golden * (high - low)
            at_y = value(y)
    return (low + high) / 2


def _bisect(left: Callable[[float], bool], low: float, high: float, tolerance: float) -> tuple[float, float]:
    """Return a bracket around the point where LEFT turns false; a wide one is bisected on a logarithmic scale."""
    for _ in range(STEPS):
        if high - low <= tolerance * abs(high):
            break
        if low == 0.0:
            middle = high * 1e-3
        else:
            middle = math.sqrt(low) * math.sqrt(high) if high > 4.0 * low > 0.0 else low + (high - low) / 2
        if not low < middle < high:
            break
        if left(middle):
            low = middle
        else:
            high = middle
    return low, high


def normal_cdf(x: float) -> float:
    """Return P(G <= x) for a standard normal G, to 1e-15 relative in the lower tail as well."""
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def normal_quantile(probability: float) -> float:
    """Return x with P(G <= x) = PROBABILITY in (0, 1), to 1e-15 relative; -inf at 0 and inf at 1."""
    from scipy.special import ndtri  # 0.1 s to import: only when it is needed

    return float(ndtri(probability))
