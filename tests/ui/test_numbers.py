"""Numbers as they are typed and read in each language."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from dpwizard.base.language import LANGUAGES, speaking
from ui.controls import Prose
from ui.forms.numbers import doubt, parsed, written


@pytest.mark.parametrize(
    ("language", "typed", "number"),
    [
        ("de", "0,25", 0.25),
        ("de", "0.25", 0.25),
        ("de", "1,000", 1.0),
        ("de", "1.000", None),
        ("de", "1.234,5", 1234.5),
        ("de", "8.500.000", 8_500_000.0),
        ("de", "4 012", 4012.0),
        ("de", "4\u202f012,5", 4012.5),
        ("de", "1,5e-6", 1.5e-6),
        ("de", "−3", -3.0),
        ("de", "1,2,3", None),
        ("de", "viel", None),
        ("en", "0.25", 0.25),
        ("en", "0,25", None),
        ("en", "1,000", 1000.0),
        ("en", "1.000", 1.0),
        ("en", "1,234.5", 1234.5),
        ("en", "4 012", 4012.0),
        ("en", "1e999", None),
        ("en", "", None),
    ],
)
def test_a_number_is_read_as_the_language_writes_it(language: str, typed: str, number: float | None) -> None:
    with speaking(language):
        assert parsed(typed) == number


def test_what_may_mean_two_numbers_is_asked_about() -> None:
    with speaking("de"):
        assert doubt("1.000") == "„1.000“ ist nicht eindeutig. Geben Sie 1 oder 1000 ein."
        assert doubt("0.250") == doubt("1,000") == doubt("viel") == ""
    assert doubt("1,000") == doubt("1.000") == ""


@given(number=st.floats(allow_nan=False, allow_infinity=False, width=32), language=st.sampled_from(LANGUAGES))
def test_what_is_written_is_read_back_as_itself_to_fifteen_digits(number: float, language: str) -> None:
    with speaking(language):
        text = written(number)
        found = parsed(text)
        assert found == float(f"{number:.15g}") or (found is None and doubt(text))


@pytest.mark.parametrize(
    ("number", "shown"),
    [(0.0000833333, "0.0000833333"), (1e-6, "0.000001"), (1e-12, "1e-12"), (1 / 3e5, "3.33333333333333e-06")],
)
def test_a_small_number_is_written_out_as_people_write_it(number: float, shown: str) -> None:
    assert written(number) == shown


def test_the_digits_of_a_number_are_held_together_in_a_sentence(qtbot: QtBot) -> None:
    prose = Prose("of 1\u202f000 guesses")
    qtbot.addWidget(prose)
    prose.say("of 10\u202f000 guesses", strong=("10\u202f000",))
    assert prose._document.toPlainText() == "of 10\u202f000 guesses"
