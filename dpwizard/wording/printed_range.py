"""The allowed range and the choice as they are printed everywhere: one rule for pages, buttons, records and files."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from dpwizard.base.language import word
from dpwizard.base.numerics import sided
from dpwizard.decision import Assessment, RequirementResult
from dpwizard.wording.equal_digits import (
    HUGE,
    LEAST_PLACES,
    MOST_PLACES,
    SAME,
    TINY,
    about,
    decimal_places,
    decimals,
    equal_digits,
    padded,
    printed_choice,
)
from dpwizard.wording.figures import all_digits, format_max, format_min, plainly


@dataclass(frozen=True, kw_only=True)
class End:
    """One number of a range: its text, and its value when it is chosen."""

    text: str
    value: float


@dataclass(frozen=True, kw_only=True)
class PrintedRange:
    """The ends and the choice with equal digits, or all as about one value; None for what there is not.

    places: the decimals they have; single: the text of the only value, empty where there are several.
    """

    lower: End | None
    upper: End | None
    chosen: End | None
    places: int
    single: str = ""

    def at_most(self, epsilon: float) -> str:
        """Return a limit of one requirement, rounded down with at least the digits of the range."""
        return self._beside(epsilon, ROUND_FLOOR)

    def at_least(self, epsilon: float) -> str:
        """Return a need of one requirement, rounded up with at least the digits of the range."""
        return self._beside(epsilon, ROUND_CEILING)

    def _beside(self, epsilon: float, how: str) -> str:
        for end in (self.upper, self.lower):
            if end is not None and math.isclose(epsilon, end.value, rel_tol=SAME):
                return end.text
        return _rounded(epsilon, self.places, how).text


def printed_range(lower: float | None, upper: float | None, chosen: float | None = None) -> PrintedRange:
    """Return the range from LOWER to UPPER (None: no end) and the CHOSEN budget as they are printed.

    Ends with nothing between them, and a choice outside, are each rounded to their own side. Ends that are one value to
    nine significant digits are printed as about that value and taken in full.
    """
    upper = None if upper is None or math.isinf(upper) else upper
    if upper is not None and _same(lower, upper):
        return _single(upper, chosen)
    lower, upper = (chosen if _same(end, chosen) else end for end in (lower, upper))
    if _same(upper, chosen) and _is_long(chosen):
        below = printed_range(lower, None, chosen)  # the end is the choice, and printed as it is
        return replace(below, upper=below.chosen)
    ordinary = all(_ordinary(value) for value in (lower, upper, chosen) if value)
    if not ordinary or (lower is not None and upper is not None and lower > upper):
        return _rounded_apart(lower, upper, chosen)
    inside = _is_within(lower, chosen, upper)
    digits = equal_digits(lower, upper, chosen if inside else None)
    if digits is None:
        return _rounded_apart(lower, upper, chosen) if upper is None else _single(upper, chosen)
    if not inside:
        return _rounded_apart(lower, upper, chosen, digits.places)
    choice = _chosen_end(digits.chosen, chosen)
    return PrintedRange(lower=_end(digits.lower), chosen=choice, upper=_end(digits.upper), places=digits.places)


def _same(first: float | None, second: float | None) -> bool:
    """Return whether two numbers are one to nine significant digits."""
    return first is not None and second is not None and math.isclose(first, second, rel_tol=SAME)


def range_of(assessment: Assessment) -> PrintedRange:
    """Return the range of ASSESSMENT and its choice as they are printed; an end that nothing sets is None."""
    window, chosen = assessment.window, assessment.epsilon
    lower = None if window.binds_lower is None else window.lower
    upper = None if window.binds_upper is None else window.upper
    return printed_range(lower, upper, chosen)


def choice_of(assessment: Assessment) -> str:
    """Return the choice of ASSESSMENT as it is printed beside its range; empty where none is made."""
    chosen = range_of(assessment).chosen
    return "" if chosen is None else chosen.text


def as_typed(value: float, places: int = LEAST_PLACES) -> str:
    """Return a budget as a field for typing shows it: as it is printed, with PLACES decimals at least, no "about"."""
    return plainly(padded(printed_choice(value), places)) if _ordinary(value) else all_digits(value)


def printed_limits(lower: float, upper: float) -> tuple[str, str]:
    """Return two limits, both rounded down, in the fewest decimals that keep them apart."""
    for places in range(max(decimal_places(lower), decimal_places(upper)), MOST_PLACES + 1):
        low, high = (_rounded(end, places, ROUND_FLOOR).text for end in (lower, upper))
        if low != high:
            return low, high
    return about_text(lower), about_text(upper)


def bound_in(shown: PrintedRange, answer: RequirementResult) -> str:
    """Return the limit or need of ANSWER as it is printed beside the range SHOWN."""
    assert answer.epsilon is not None
    return shown.at_least(answer.epsilon) if answer.side == "lower" else shown.at_most(answer.epsilon)


def about_text(value: float) -> str:
    """Return the text for a VALUE that has more digits than are printed: about 2.19723."""
    return word("number", "about").format(value=plainly(about(value)))


def _is_within(lower: float | None, chosen: float | None, upper: float | None) -> bool:
    return chosen is None or ((lower is None or lower <= chosen) and (upper is None or chosen <= upper))


def _single(value: float, chosen: float | None) -> PrintedRange:
    text = about_text(value)
    end = End(text=text, value=value)
    same = chosen is not None and math.isclose(chosen, value, rel_tol=SAME)
    choice = None if chosen is None else End(text=text, value=chosen) if same else _alone(chosen)
    return PrintedRange(lower=end, upper=end, chosen=choice, places=LEAST_PLACES, single=text)


def _rounded_apart(
    lower: float | None, upper: float | None, chosen: float | None, places: int = LEAST_PLACES
) -> PrintedRange:
    """Return numbers that are no range with a choice inside: each is rounded to its own side.

    They have PLACES decimals at least, and those of the choice.
    """
    if chosen is not None and _ordinary(chosen) and not _is_long(chosen):
        places = max(places, decimals(Decimal(repr(float(chosen)))))
    return PrintedRange(
        lower=None if lower is None else _rounded(lower, places, ROUND_CEILING),
        upper=None if upper is None else _rounded(upper, places, ROUND_FLOOR),
        chosen=None if chosen is None else _alone(chosen, places),
        places=places,
    )


def _rounded(value: float, places: int, how: str) -> End:
    if not _ordinary(value):
        return End(text=(format_min if how == ROUND_CEILING else format_max)(value), value=value)
    shown = sided(value, max(places, decimal_places(value)), how)
    return End(text=plainly(shown), value=float(shown))


def _alone(chosen: float, places: int = LEAST_PLACES) -> End:
    exact = Decimal(repr(float(chosen))).normalize()
    if _ordinary(chosen) and _is_long(chosen):
        return End(text=about_text(chosen), value=chosen)
    return End(text=plainly(padded(exact, places) if _ordinary(chosen) else exact), value=chosen)


def _chosen_end(printed: Decimal | None, chosen: float | None) -> End | None:
    """Return the choice as it is PRINTED: said to be about that where it has more digits."""
    choice = _end(printed)
    if choice is None or chosen is None or choice.value == chosen:
        return choice
    return End(text=word("number", "about").format(value=choice.text), value=chosen)


def _is_long(value: float | None) -> bool:
    """Return whether VALUE has more decimals than are ever printed."""
    return value is not None and decimals(Decimal(repr(float(value))).normalize()) > MOST_PLACES


def _end(value: Decimal | None) -> End | None:
    return None if value is None else End(text=plainly(value), value=float(value))


def _ordinary(value: float) -> bool:
    return TINY <= value < HUGE
