"""A CSV file of needs: a row each, headings in any case, and no slip of the pen that becomes a need."""

from __future__ import annotations

from typing import Any

import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.decision import assess
from dpwizard.decision.needs_csv import with_needs
from tests.model.test_needs_of_many_tables import ASKED, of

HEAD = "Level,Table,READS,Within,In 100,Cells\n"


def test_each_row_is_a_need_of_the_tables_with_its_words() -> None:
    text = f"{HEAD}district,,,10,95,1\n,table 0,,5,99.5,1\ndistrict,,age,10,95,3\n"
    decision = with_needs(of(), text)
    wheres: tuple[dict[str, Any], ...] = (
        {"level": "district"},
        {"parts": ["table 0"]},
        {"level": "district", "reads": ["age"]},
    )
    asked = [{**ASKED, "where": where, "cells": 1} for where in wheres]
    asked[1] |= {"half_width": 5, "level": 0.995}
    asked[2] |= {"cells": 3}
    assert decision == of(*asked)


def test_a_word_that_no_table_has_leaves_a_row_unanswered() -> None:
    (found,) = assess(with_needs(of(), "level;within;in 100\ndistrit;10;95\n")).answers
    assert (found.status, found.why.key) == ("unanswered", "unknown_word_near")


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("level,within\ndistrict,10\n", "row 1, in 100"),
        ("level,level,within,in 100\nstate,state,10,95\n", "row 1, level"),
        ("levle,within,in 100\ndistrict,10,95\n", "row 1, levle"),
        (f"{HEAD},,,10,95,1\n", "row 2"),
        (f"{HEAD}district,,,10,0.95,1\n", "row 2, in 100"),
        (f"{HEAD}district,,,10,100,1\n", "row 2, in 100"),
        (f"{HEAD}district,,,nan,95,1\n", "row 2, within"),
        (f"{HEAD}district,,,-10,95,1\n", "row 2, within"),
        (f"{HEAD}district,,,,95,1\n", "row 2, within"),
        (f"{HEAD}district,,,10,95,\n", "row 2, cells"),
        (f"{HEAD}district,,,10,95,1.5\n", "row 2.cells"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_row_and_column(text: str, where: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        with_needs(of(), text)
    assert refused.value.where == where
    assert refused.value.hint
