"""A number as a sentence writes it: rounded to its safe side, a chance out of N, in the marks of the language."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

from dpwizard.base.language import digits, word
from dpwizard.wording.equal_digits import ABOUT, about, padded

MOST_PLACES = 15  # decimals; with more, nobody counts the zeros
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
SMALL, LEAST_OF = 1e-3, 10_000  # below the first, a chance is a count out of the second, or of more
RARELY, NEARLY_ALL = 1_000, 1 - SMALL  # below 1 in the first, and from the second on, no count is given
TINY = 1e-9  # below this a number is written with a power of ten
DIGITS = ABOUT + 1  # of a number that is written whole; one of more is rounded to six
GROUPED = 1_000  # from here on thousands are marked
NOTHING = 1e-13  # a chance below this is next to nothing, and one as near to 1 next to certainty
MOST_NINES = 4  # decimals of a chance that is nearly 100 in 100
# relative: what a few operations on binary numbers may be off. Log 9 is not pushed a step on, 3 × 0.1 is 0.3
ULPS = Decimal("1e-14")


def whole(value: float) -> str:
    """Return a whole number with its thousands marked."""
    return digits(f"{value:,.0f}")


def listed(texts: Sequence[str]) -> str:
    """Return TEXTS one after another, with the mark between that no number in the language contains."""
    return word("number", "between").join(texts)


def quoted(name: str) -> str:
    """Return a name in the quotation marks of the language."""
    return word("number", "quoted").format(name=name)


def rounded(value: float, places: int, how: str) -> str:
    """Return VALUE with PLACES decimals, rounded as HOW (a mode of decimal) says; with a power of ten if tiny or huge.

    A value within a relative 1e-14 of a shown decimal counts as that decimal: what a few operations on binary numbers
    are off.
    """
    if math.isinf(value):
        return word("number", "without_limit")
    if value != 0 and (abs(value) >= 1e15 or abs(value) < TINY or places > MOST_PLACES):
        return _scientific(value, how)
    return digits(f"{_quantized(Decimal(repr(value)), Decimal(1).scaleb(-places), how):,f}")


def _quantized(exact: Decimal, step: Decimal, how: str) -> Decimal:
    """Return EXACT as a multiple of STEP, rounded as HOW says; within the error of binary numbers it counts as one."""
    near = exact.quantize(step, ROUND_HALF_EVEN)
    return near if abs(exact - near) <= ULPS * abs(exact) else exact.quantize(step, how)


def _scientific(value: float, how: str) -> str:
    """Return a number too large or too small to be written out, as 1.23 × 10⁻¹⁴, rounded as HOW says."""
    exact = Decimal(repr(value))
    power = exact.adjusted()
    mantissa = _quantized(exact.scaleb(-power), Decimal("0.01"), how)
    if abs(mantissa) >= 10:
        mantissa, power = Decimal("1.00").copy_sign(mantissa), power + 1
    return digits(f"{mantissa} × 10{str(power).translate(SUPERSCRIPTS)}")


def _places(value: float, most: int = 2) -> int:
    """Return how many decimals show VALUE to two or three significant digits, at least MOST for ordinary sizes."""
    return most if value == 0 or math.isinf(value) or abs(value) >= 0.1 else 1 - math.floor(math.log10(abs(value)))


def format_max(epsilon: float) -> str:
    """Return a limit on epsilon as it is shown: rounded down."""
    return rounded(epsilon, _places(epsilon), ROUND_FLOOR)


def format_min(epsilon: float) -> str:
    """Return a need for epsilon as it is shown: rounded up."""
    return rounded(epsilon, _places(epsilon), ROUND_CEILING)


def all_digits(value: float) -> str:
    """Return VALUE with every digit it has, as it can be typed: 2.197224577336219."""
    if not math.isfinite(value):
        return word("number", "without_limit")
    return plainly(Decimal(repr(float(value))).normalize())


def epsilon_up(value: float) -> str:
    """Return an epsilon that is spent, to two decimals at least, as short as it is exact, else up to six digits."""
    if not math.isfinite(value) or not TINY <= value < 1e15:
        return number(value)
    return plainly(padded(about(value)))


def plainly(value: Decimal) -> str:
    """Return VALUE as it can be typed in the language's marks; a power of ten only where nobody counts its zeros."""
    if value and not -MOST_PLACES <= value.adjusted() <= MOST_PLACES:
        return digits(f"{value.normalize():e}")
    return digits(f"{value:,f}" if abs(value) >= GROUPED else f"{value:f}")


def number(value: float, how: str = ROUND_HALF_EVEN) -> str:
    """Return a number as short as exact, else in six digits at least, rounded as HOW says; never as 1e-06."""
    if value == 0 or not TINY <= abs(value) < 1e15:
        return "0" if value == 0 else rounded(value, 0, how)
    exact, short = Decimal(repr(float(value))), Decimal(f"{value:.10g}")
    if abs(exact - short) > ULPS * abs(exact) or len(short.normalize().as_tuple().digits) > DIGITS:
        short = exact.quantize(Decimal(1).scaleb(min(0, exact.adjusted() - DIGITS + 2)), how)
    short = Decimal(f"{short.normalize():f}")
    return digits(f"{short:,f}" if abs(value) >= GROUPED else f"{short:f}")


def _share(value: float, how: str) -> str:
    """Return a probability as a count out of 100, below 1 in 1,000 out of 10,000 or more; rounded as HOW says.

    One that is not certain is never 100 in 100, and one that is possible never 0 in 100: near both ends digits are
    added.
    """
    if 0 < value < NOTHING:
        return word("number", "next_to_nothing")
    out_of = max(LEAST_OF, 10 ** -Decimal(repr(float(value))).adjusted()) if 0 < value < SMALL else 100
    written_out = _counted(value, out_of, 2 if 0.1 <= value <= 0.105 or value < 0.01 else 1, how)
    return word("number", "next_to_certainty") if written_out is None else _in(written_out, out_of)


def _counted(value: float, out_of: int, places: int, how: str) -> str | None:
    """Return how many of OUT_OF a probability is, to PLACES or more near both ends; None if only certainty is left."""
    exact = Decimal(repr(float(min(1.0, max(0.0, value)))))
    doubt = (1 - exact) * 100
    if out_of != 100 and exact < Decimal(repr(SMALL)):
        places = max(places, _places(float(exact * out_of)))
    if 0 < doubt < 1:
        places = max(places, min(MOST_NINES, 1 - doubt.adjusted()))
    count = _quantized(exact * out_of, Decimal(1).scaleb(-places), how)
    if doubt > 0 and count == out_of:
        if how != ROUND_FLOOR:
            return None
        count -= Decimal(1).scaleb(-places)
    return _trimmed(digits(f"{count:,f}"))


def one_denominator(before: float, after: float) -> tuple[str, str]:
    """Return the chances before and after a release out of one number: 10,000 if the first is below 1 in 1,000.

    The one after is rounded up, the one before to the nearest.
    """
    text = share_up(after)
    if 0 < before < SMALL <= after:
        most = _counted(after, LEAST_OF, 0, ROUND_CEILING)
        text = word("number", "next_to_certainty") if most is None else _in(most, LEAST_OF)
    return _share(before, ROUND_HALF_EVEN), text


def entered_chance(value: float) -> str:
    """Return an entered probability as a count out of 100 (or 10,000), with all its digits."""
    out_of = LEAST_OF if 0 < value < SMALL else 100
    exact = Decimal(repr(float(value))) * out_of
    tiny = 0 < exact < Decimal(repr(TINY))
    written_out = _scientific(float(exact), ROUND_HALF_EVEN) if tiny else _trimmed(digits(f"{exact:,f}"))
    return _in(written_out, out_of)


def chance_up(value: float) -> str:
    """Return a chance that noise leaves open, rounded up, never none nor certain, even where it is 0 or 1 in binary."""
    if 0 < value < 1:
        return share_up(value)
    return word("number", "next_to_nothing" if value <= 0 else "next_to_certainty")


def chance_down(value: float) -> str:
    """Return a chance that noise leaves open, rounded down, in the same way."""
    return share(min(value, math.nextafter(1.0, 0.0))) if value > 0 else word("number", "next_to_nothing")


def effect_up(chance: float, out_of: int = 100) -> str:
    """Return a CHANCE as a count of OUT_OF, rounded up: whole from 10 on, two digits below; all if certain."""
    exact = Decimal(repr(float(chance))) * out_of
    for places in range(0 if exact >= 10 else 1 - exact.adjusted(), MOST_PLACES):
        count = _quantized(exact, Decimal(1).scaleb(-places), ROUND_CEILING)
        if count < out_of or chance >= 1.0:
            return digits(f"{count:f}")
    return digits(f"{exact.normalize():f}")


def cases_up(chance: float) -> str:
    """Return how many of all cases something happens in, rounded up: 5.1 of 100, fewer than 1 of 1,000, nearly all."""
    if chance < SMALL:
        return word("number", "fewer_of").format(out_of=whole(RARELY))
    if chance >= NEARLY_ALL:
        return word("number", "nearly_all")
    out_of = 100 if chance >= 0.01 else RARELY
    return word("number", "of").format(count=effect_up(chance, out_of), out_of=whole(out_of))


def in_100(count: float) -> str:
    """Return a count out of 100, as the ticks of an axis write it."""
    return _in(digits(f"{count:.4g}"), 100)


def part_of(count: float) -> str:
    """Return a chance as a fraction, as the ticks of an axis write it: 1/1,000."""
    return _count("part_of", whole(count))


def _in(written: str, out_of: int) -> str:
    return word("number", "in").format(count=written, out_of=whole(out_of))


def _count(key: str, written: str) -> str:
    return word("number", key).format(count=written)


def _trimmed(text: str) -> str:
    mark = word("number", "decimal")
    return text.rstrip("0").rstrip(mark) if mark in text else text


def chance(value: float) -> str:
    """Return a prior in words: certain, 1 in 10, 1 in 1,000; other values as a count out of 100 or 10,000."""
    if value == 0:
        return word("number", "next_to_nothing")
    if value >= 1:
        return word("number", "certainty")
    odds = 1 / value
    if 1.5 < odds < 1e15 and abs(odds - round(odds)) < 1e-6 * odds:
        return _count("one_in", digits(f"{round(odds):,}"))
    return _share(value, ROUND_HALF_EVEN)


def share(value: float) -> str:
    """Return a probability as a count out of 100 (or 10,000), rounded down: for what one may hope for."""
    return _share(value, ROUND_FLOOR)


def share_up(value: float) -> str:
    """Return a probability as a count out of 100 (or 10,000), rounded up: for what one must fear."""
    return _share(value, ROUND_CEILING)


def times(ratio: float) -> str:
    """Return a ratio in words, as short as three digits allow: "5 times", "any number of times"."""
    if math.isinf(ratio):
        return word("number", "any_number_of_times")
    return _count("times", digits(f"{ratio:,.3g}" if ratio < 1000 else f"{ratio:,.0f}"))


_WAYS: Mapping[str, Callable[[float], str]] = {
    "limit": format_max,
    "need": format_min,
    "exactly": all_digits,
    "number": number,
    "spent": epsilon_up,
    "count": lambda value: digits(f"{round(value):,}"),
    "chance": chance,
    "edge": lambda value: word("number", "nothing") if value == 0 else chance(value),
    "share": share,
    "share_up": share_up,
    "stated": entered_chance,
    "fear": chance_up,
    "hope": chance_down,
    "number_down": lambda value: number(value, ROUND_FLOOR),
    "number_up": lambda value: number(value, ROUND_CEILING),
    "ratio_up": lambda value: rounded(value, 0 if value >= 100 else 1 if value >= 10 else 2, ROUND_CEILING),
    "figure": lambda value: _trimmed(
        rounded(value, max(0, 2 - math.floor(math.log10(value))) if 0 < value < math.inf else 0, ROUND_CEILING)
    ),
    "figure_up": lambda value: _trimmed(rounded(value, _places(value), ROUND_CEILING)),
}


def written(value: float, way: str) -> str:
    """Return VALUE as a sentence would write it in one of the ways named above: "share_up", "chance", "limit"."""
    return _WAYS[way](value)
