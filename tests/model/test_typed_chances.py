"""Chances as people type them, in each language: read as they are meant, never guessed, and shown as they are read."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.language import LANGUAGES, speaking
from dpwizard.base.values import Value, declared, hints
from dpwizard.decision import Decision, Details, EarlierRelease, Part, Release
from dpwizard.decision.requirements import kinds
from dpwizard.privacy.profiles import Profile
from dpwizard.records.policy import Policy
from dpwizard.wording import ChanceField, chances_in, percent

IN_100, OPEN, OF_1 = ChanceField(), ChanceField(certainty=False), ChanceField(in_100=False)
SHARE = ChanceField(most=math.inf)
FIELDS = (IN_100, OPEN, OF_1, SHARE)

SAID = [
    ("en", "5 %", 0.05),
    ("en", "5\u202f%", 0.05),
    ("en", "5 percent", 0.05),
    ("en", "5 in 100", 0.05),
    ("en", "5 out of 100", 0.05),
    ("en", "1/20", 0.05),
    ("en", "1 in 1,000", 0.001),
    ("en", "0.5 %", 0.005),
    ("en", "100 %", 1.0),
    ("en", "5 ‰", 0.005),
    ("en", "0 %", 0.0),
    ("de", "0,5 %", 0.005),
    ("de", "0.5 %", 0.005),
    ("de", "5 von 100", 0.05),
    ("de", "5 aus 100", 0.05),
    ("de", "5 Prozent", 0.05),
    ("de", "5 v. H.", 0.05),
    ("de", "1 von 1.000", 0.001),
]
DOUBTFUL = [
    ("en", IN_100, "0.05", (0.0005, 0.05)),
    ("en", IN_100, "1", (0.01, 1.0)),
    ("en", SHARE, "0.1", (0.001, 0.1)),
    ("en", OPEN, "1e-5", (1e-7, 1e-5)),
    ("en", IN_100, "1 in 1.000", (0.001, 1.0)),
    ("de", IN_100, "0,05", (0.0005, 0.05)),
    ("de", IN_100, "1 von 1,000", (0.001, 1.0)),
    ("de", IN_100, "1,000", (0.01, 1.0)),
    ("de", OF_1, "1.000 von 5.000", (0.0002, 0.2)),
]
PLAIN = [
    ("en", IN_100, "5", 0.05),
    ("en", IN_100, "100", 1.0),
    ("en", OPEN, "1", 0.01),  # certainty is no answer there
    ("en", SHARE, "150", 1.5),
    ("en", OF_1, "0.05", 0.05),
    ("en", OF_1, "1", 1.0),
    ("de", OF_1, "0,05", 0.05),
    ("de", IN_100, "12,5", 0.125),
]
NO_CHANCE = (
    "",
    " ",
    "five",
    "5 in",
    "in 100",
    "/",
    "%",
    "1/0",
    "1/-5",
    "1/20 %",
    "5 % in 100",
    "1/20/5",
    "5 % %",
    "5 in 100 in 100",
    "1:20",
    "<5 %",
    "~5",
    "½",
    "٥ %",
    "nan",
    "inf",
    "nan %",
    "inf in 100",
    "5 in inf",
    "0x5 %",
    "5_0 %",
    "1e999999999999999999999999 %",
    "5 in 1e-99999999999999999999",
    "9" * 401 + " %",
    "1/" + "2" * 500,
    "5" * 100_000,
    "in " * 30_000,
    "\x00",
    "\ud800 %",
)


@pytest.mark.parametrize(("language", "typed", "chance"), SAID)
def test_a_chance_is_read_as_people_write_it_in_every_field(language: str, typed: str, chance: float) -> None:
    with speaking(language):
        assert all(field.readings(typed) == (chance,) for field in FIELDS if chance < 1.0)
        assert chances_in(typed) == (chance,)


@pytest.mark.parametrize(("language", "field", "typed", "both"), DOUBTFUL)
def test_what_can_mean_two_chances_has_both(language: str, field: ChanceField, typed: str, both: object) -> None:
    with speaking(language):
        assert field.readings(typed) == both


@pytest.mark.parametrize(("language", "field", "typed", "chance"), PLAIN)
def test_a_plain_number_is_in_the_unit_of_its_field(
    language: str, field: ChanceField, typed: str, chance: float
) -> None:
    with speaking(language):
        assert field.readings(typed) == (chance,)
        assert chances_in(typed) is None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("typed", NO_CHANCE, ids=lambda typed: ascii(typed[:12]))
def test_what_is_no_chance_is_none_and_nothing_breaks(typed: str, language: str) -> None:
    with speaking(language):
        assert not any(field.readings(typed) for field in FIELDS)


def test_what_lies_beyond_certainty_or_below_nothing_is_left_to_be_refused() -> None:
    assert OF_1.readings("5") == (5.0,)
    assert IN_100.readings("500") == (5.0,)
    assert IN_100.readings("-5 %") == (-0.05,)
    assert IN_100.readings("5 in 2") == (2.5,)


@given(
    value=st.floats(min_value=0.0, max_value=1.0),
    language=st.sampled_from(LANGUAGES),
    field=st.sampled_from(FIELDS),
)
def test_what_is_shown_is_read_back_as_the_very_same_value(value: float, language: str, field: ChanceField) -> None:
    with speaking(language):
        assert value == 1.0 or field.readings(field.written(value)) == (value,)
        assert field.certainty is False or field.readings(percent(value)) == (value,)


@given(
    text=st.text(alphabet="0123456789.,%/ -+eE" + "invoaus\u202f−‰", max_size=24), language=st.sampled_from(LANGUAGES)
)
def test_whatever_is_typed_every_reading_is_a_number_and_what_is_taken_is_shown_as_itself(
    text: str, language: str
) -> None:
    with speaking(language):
        for field in FIELDS:
            found = field.readings(text)
            assert list(found) == sorted(set(found))
            assert all(map(math.isfinite, found))
            if len(found) == 1 and 0.0 <= found[0] <= field.most and (field.certainty or found[0] < 1.0):
                assert field.readings(field.written(found[0])) == found


@given(part=st.integers(0, 10_000), whole=st.integers(1, 10**9))
def test_a_count_among_so_many_is_the_nearest_number_to_their_quotient(part: int, whole: int) -> None:
    assert chances_in(f"{part} in {whole}") == (float(Fraction(part, whole)),)
    assert chances_in(f"{part}/{whole:,}") == (float(Fraction(part, whole)),)
    assert chances_in(f"{part / 100} %") == (float(Decimal(str(part / 100)) / 100),)


KINDS = (*kinds().values(), *get_args(get_args(Profile)[0]), Decision, Details, Release, Part, EarlierRelease, Policy)
OF_CHANCES = {"chance", "tiny_chance", "tolerance"}


def ends(option: Any) -> tuple[Any, Any]:
    return option.get("minimum", option.get("exclusiveMinimum")), option.get("maximum", option.get("exclusiveMaximum"))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_field_from_nothing_to_certainty_is_declared_as_one_for_chances(kind: type[Value]) -> None:
    for name in kind.model_fields:
        field = declared(kind, name)
        numbers = [option for option in field.get("anyOf", [field]) if option.get("type") == "number"]
        is_chance = any(ends(option) == (0, 1) for option in numbers)
        assert is_chance == (hints(kind, name).editor in OF_CHANCES), name
