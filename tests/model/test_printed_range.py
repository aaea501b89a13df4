"""The one rounding rule: ends and choice in equal digits, in order, inside the range, and what is shown is taken."""

from __future__ import annotations

import random
from decimal import Decimal

import pytest

from dpwizard.wording import PrintedRange, printed_range


def texts(shown: PrintedRange) -> tuple[str | None, ...]:
    return tuple(end and end.text for end in (shown.lower, shown.chosen, shown.upper))


@pytest.mark.parametrize(
    ("lower", "upper", "chosen", "said"),
    [
        (0.8758288432, 0.895384047, 0.88, ("0.88", "0.88", "0.89")),
        (0.4613770846, 0.4618773291, 0.4615, ("0.4614", "0.4615", "0.4618")),
        (0.4613770846, 0.4618773291, None, ("0.4614", None, "0.4618")),
        (0.8701, 0.895384, 0.875, ("0.871", "0.875", "0.895")),
        (0.538174, 0.97, 0.54, ("0.54", "0.54", "0.97")),
        (0.0123, 0.5, None, ("0.013", None, "0.500")),
        (0.000123, 0.00045, None, ("0.00013", None, "0.00045")),
        (None, 0.4618773291, 0.46, (None, "0.46", "0.46")),
        (0.875, 0.8849, 0.88, ("0.875", "0.880", "0.884")),
        (None, None, 1.2, (None, "1.20", None)),
        (0.3, 0.9, 1 / 3, ("0.300000", "about 0.333334", "0.900000")),
    ],
)
def test_range_and_choice_have_equal_digits(
    lower: float | None, upper: float | None, chosen: float | None, said: tuple[str | None, ...]
) -> None:
    assert texts(printed_range(lower, upper, chosen)) == said


def test_random_ranges_never_contradict_themselves() -> None:
    dice = random.Random(1)
    checked = 0
    for _ in range(1_000):
        lower = 10 ** dice.uniform(-4, 1.5)
        upper = lower * (1 + 10 ** dice.uniform(-6, 1))
        ends = printed_range(lower, upper)
        low, high = Decimal(ends.lower.text), Decimal(ends.upper.text)
        assert lower <= ends.lower.value < ends.upper.value <= upper
        assert low.as_tuple().exponent == high.as_tuple().exponent == -ends.places
        chosen = float(round(dice.uniform(float(low), float(high)), ends.places))
        if not low <= Decimal(repr(chosen)) <= high:
            continue
        shown = printed_range(lower, upper, chosen)
        said = [Decimal(text or "") for text in texts(shown)]
        assert said == sorted(said)
        assert shown.chosen is not None
        assert said[1] == Decimal(repr(chosen))
        assert len({one.as_tuple().exponent for one in said}) == 1
        checked += 1
    assert checked > 700


def test_ends_that_touch_are_about_one_value_and_stored_in_full() -> None:
    shown = printed_range(2.197224577336202, 2.197224577336202, 2.197224577336219)
    assert texts(shown) == ("about 2.19723",) * 3
    assert shown.single == "about 2.19723"
    assert shown.upper.value == 2.197224577336202


def test_crossed_ends_are_each_rounded_to_their_own_side() -> None:
    assert texts(printed_range(0.46, 0.4545)) == ("0.46", None, "0.45")
    assert texts(printed_range(0.97, 0.5, 0.7)) == ("0.97", "0.70", "0.50")


def test_a_choice_outside_is_never_shown_at_the_limit_it_passes() -> None:
    assert texts(printed_range(None, 0.895384, 0.8955)) == (None, "0.8955", "0.8953")
    assert texts(printed_range(0.88001, None, 0.88)) == ("0.89", "0.88", None)
    assert texts(printed_range(2.001, 2.003, 2.2)) == ("2.001", "2.200", "2.003")
    outside = printed_range(0.8758, 0.895384, 0.9)
    assert (outside.upper.text, outside.upper.value) == ("0.89", 0.89)


@pytest.mark.parametrize("value", [1e-300, 1e300, 0.0, 5e-13])
def test_extreme_budgets_are_printed_without_an_error(value: float) -> None:
    for chosen in (None, value, 1.0):
        assert printed_range(value, None, chosen).lower
        assert printed_range(None, value, chosen).upper
        assert printed_range(value, 2.0, chosen)
