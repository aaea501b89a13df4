"""Numbers that can be relied on: safe rounding, safe-side root finding and the normal distribution.

"Safe" always names a side. A limit on epsilon is safe when it is never above the true value, a need when
it is never below it. Every search here keeps a bracket and returns the end that was *seen* to hold.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction

UNIT = 2.0**-52  # the spacing of binary floating point at 1
TOLERANCE = 1e-13  # how narrow a search makes its bracket, relative
STEPS = 2_200  # enough to halve any bracket of positive floats to nothing


def down(value: float, ulps: int = 8) -> float:
    """Return VALUE lowered by ULPS units in the last place (a safe upper limit on epsilon); 0 and inf stay."""
    return value if value == 0.0 or math.isinf(value) else value - abs(value) * UNIT * ulps


def up(value: float, ulps: int = 8) -> float:
    """Return VALUE raised by ULPS units in the last place (a safe need for epsilon); 0 and inf stay."""
    return value if value == 0.0 or math.isinf(value) else value + abs(value) * UNIT * ulps


def quotient_up(value: float, by: float) -> float:
    """Return VALUE / BY, both positive, rounded up; exact where it is a whole number."""
    return value / by if value % by == 0.0 else up(value / by, 1)


@functools.lru_cache(maxsize=8_192)  # a publication of thousands of tables asks for the same few again and again
def decimal(value: float) -> Fraction:
    """Return VALUE as the decimal it is written as: 0.1 is 1/10, not the binary number nearest to it."""
    return Fraction(repr(float(value)))


def written_up(exact: Fraction) -> float:
    """Return the float nearest to EXACT that is not written as less; inf where it is too large for one."""
    nearest = real(exact)
    return nearest if math.isinf(nearest) or decimal(nearest) >= exact else math.nextafter(nearest, math.inf)


def product_up(value: float, times: int) -> float:
    """Return so many TIMES the decimal that VALUE is written as, rounded up: 3 times 0.1 is 0.3; inf stays."""
    return value if math.isinf(value) else written_up(decimal(value) * times)


# relative: a number this near to a decimal is written as it; every limit's own error is a hundred times that
NEAR = Decimal("1e-14")


def real(value: Fraction) -> float:
    """Return VALUE as the nearest float; infinite where it is too large for one."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def sided(value: float, places: int, how: str) -> Decimal:
    """Return VALUE to so many decimal PLACES, rounded as HOW says (down or up); one within NEAR of a decimal is
    that."""
    exact, step = Decimal(repr(float(value))), Decimal(1).scaleb(-places)
    near = exact.quantize(step, ROUND_HALF_EVEN)
    return near if abs(exact - near) <= NEAR * abs(exact) else exact.quantize(step, how)


def significant(value: float, digits: int, how: str) -> Decimal:
    """Return VALUE to so many significant DIGITS, rounded as HOW says; a shorter one as it is."""
    exact = Decimal(repr(float(value)))
    return exact if value == 0.0 else sided(value, digits - 1 - exact.adjusted(), how)


def rounded_down(value: float, digits: int) -> float:
    """Return VALUE with so many significant DIGITS, rounded down; 0 for what is not above 0."""
    if value <= 0.0 or math.isinf(value):
        return max(value, 0.0)
    step = 10.0 ** (math.floor(math.log10(value)) + 1 - digits)
    return float(f"{math.floor(value / step * (1.0 + 1e-12)) * step:.{digits}g}")


def largest(holds: Callable[[float], bool], low: float, high: float, tolerance: float = TOLERANCE) -> float:
    """Return a number at which HOLDS is true, at most a relative TOLERANCE below where it stops being true.

    Arguments: holds, true up to some point in [low, high] and false after it; low >= 0, where it is true
    (not called there). Returns HIGH if it holds there. **The result is on the side where HOLDS is true.**
    """
    if holds(high):
        return high
    return _bisect(holds, low, high, tolerance)[0]


def smallest(holds: Callable[[float], bool], low: float, high: float, tolerance: float = TOLERANCE) -> float:
    """Return a number at which HOLDS is true, at most a relative TOLERANCE above where it begins to be true.

    Arguments: holds, false below some point in [low, high] and true from it; high, where it is true (not
    called there). Returns LOW if it holds there. **The result is on the side where HOLDS is true.**
    """
    if holds(low):
        return low
    return _bisect(lambda x: not holds(x), low, high, tolerance)[1]


def lowest_place(value: Callable[[float], float], low: float, high: float, width: float) -> float:
    """Return where VALUE, which falls and then rises, is least between LOW and HIGH, to WIDTH: by golden sections.

    It promises nothing of the value there: whoever needs a safe side takes a bound that holds at any place.
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
    """Return a bracket [a, b] around the point where LEFT turns from true to false; halves in log scale when wide."""
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
