"""Where a unit is less than a person, no text of a record gives a figure of a person but their loss over all units."""

from __future__ import annotations

import functools
import html
import re

import pytest

from dpwizard import records
from dpwizard.base.values import plain
from dpwizard.decision import assess
from dpwizard.records import sentences
from dpwizard.signing import exports
from tests.samples.decisions import recorded, said_of
from tests.samples.smaller_units import of_the_person, said_of_a_person, smaller

HIDDEN = re.compile(r"<(style|script|head)\b.*?</\1>", re.DOTALL)
CASES = [(None, "en"), (None, "de"), (5, "en"), (5, "de")]


def lines(page: str) -> list[str]:
    """Return what is read of a page in HTML, or of a plain text: a line for each piece between two marks."""
    return html.unescape(re.sub(r"<[^>]*>", "\n", HIDDEN.sub("", page))).splitlines()


@functools.cache
def written(units: int | None, language: str) -> tuple[bytes, str]:
    """Return the JSON of a record, and what it says of a person."""
    made = recorded(plain(smaller(units, language)))
    return records.write(made), of_the_person(sentences(made))


@pytest.mark.parametrize(("units", "language"), [CASES[3]])  # makes the record again
@pytest.mark.parametrize("to", [to for to in exports.ENDINGS if to not in ("opendp", "registry", *exports.SCRIPTS)])
def test_an_export_gives_no_figure_of_a_person(to: str, units: int | None, language: str) -> None:
    json_bytes, own = written(units, language)
    assert said_of_a_person(lines(exports.export(json_bytes, to)), own, language) == []


@pytest.mark.parametrize(("units", "language"), [CASES[0], CASES[3]])
def test_a_promise_that_is_broken_says_of_which_unit_it_is(units: int | None, language: str) -> None:
    decision = smaller(units, language)
    found = [answer for answer in assess(decision).answers if answer.met is False]
    said = said_of(decision).broken
    of_day = {"en": "This is about a day of a person.", "de": "Geschützt ist hier ein Tag einer Person."}[language]
    privacy = [answer.side == "upper" and answer.kind != "budget" for answer in found]
    assert [of_day in sentence for sentence in said] == privacy
    assert sum(privacy) > 10
