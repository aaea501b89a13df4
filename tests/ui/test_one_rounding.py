"""One rounding rule on every page: the ends of the allowed range and the choice have equal digits wherever they stand,
and the choice is never printed in two ways."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QWidget

from dpwizard.decision import STEPS, read_decision
from dpwizard.wording import as_typed, assessments, printed_limits, range_of
from tests.samples.decisions import example
from tests.ui.hands import Hands, seen_on

pytestmark = pytest.mark.one_window

NUMBER = re.compile(r"(?<![\d.,])\d+\.\d+(?!\d*[.,]\d)")
MOST_DIGITS = 8  # decimals of any number on a page: nobody reads more
LEVEL = {"chosen", "allowed", "needed", "inside", "psilon"}  # words of texts that speak of the budget


def of_the_budget(window: QWidget) -> Iterator[tuple[str, str]]:
    """Yield the numbers that WINDOW shows where it speaks of the budget, each with its text."""
    for text in seen_on(window):
        if any(word in text for word in LEVEL):
            yield from ((number, text) for number in NUMBER.findall(text))


@pytest.mark.slow
def test_no_page_prints_the_choice_in_two_ways(durham: Hands) -> None:
    for step in STEPS:
        durham.go(step.key)
        for chosen in (2.3, 2.1972245773362196, 1.0):
            durham.session.put("Choose epsilon", "$.epsilon", chosen)
            durham.settle()
            printed = range_of(durham.wizard.picture.assessment).chosen.text.removeprefix("about ")
            assert [text for text in seen_on(durham.window) if "epsilon epsilon" in text] == []
            for number, text in of_the_budget(durham.window):
                assert len(number.split(".")[1]) <= MOST_DIGITS, text
                if abs(float(number) - chosen) < 1e-5:
                    assert number == printed, text


def test_two_limits_are_both_rounded_down_and_kept_apart() -> None:
    assert printed_limits(0.461877, 0.9749) == ("0.46", "0.97")
    assert printed_limits(0.461377, 0.461877) == ("0.4613", "0.4618")


def test_a_field_shows_what_is_printed_and_a_number_typed_with_all_its_digits() -> None:
    assert as_typed(2.197224577336219) == "2.19723"
    assert as_typed(0.88, 3) == "0.880"
    assert as_typed(0.123456789) == "0.123456789"


def test_one_release_comes_to_what_is_chosen_in_the_same_digits() -> None:
    assert assessments.accounting(read_decision(example("household_tables"))) == (
        "1 repetition at rho 17.79061: 17.79061 in all."
    )
