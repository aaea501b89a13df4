"""What others have chosen: a dated table, each value with its unit and its time."""

from __future__ import annotations

import datetime
import re

from dpwizard.elicitation import read_published_choices
from dpwizard.language import speaking


def test_every_value_has_its_unit_its_time_and_its_source_and_the_table_its_day() -> None:
    table = read_published_choices()
    assert datetime.date.fromisoformat(table.as_of).year >= 2026
    assert len(table.chosen) >= 8
    for one in table.chosen:
        assert re.match(r"\d+(\.\d+)?( \(delta .+\))?$", one.epsilon)
        assert 2006 <= one.year <= int(table.as_of[:4])
        assert all((one.who, one.what, one.unit, one.window, one.source))


def test_the_table_speaks_german_with_the_same_values() -> None:
    english = read_published_choices()
    with speaking("de"):
        german = read_published_choices()
    assert german.chosen[0].window == "ein Tag"
    for one, other in zip(english.chosen, german.chosen, strict=True):
        assert one.what != other.what
        digits = [re.sub(r"\D", "", epsilon.partition("(")[0]) for epsilon in (one.epsilon, other.epsilon)]
        assert digits[0] == digits[1]
