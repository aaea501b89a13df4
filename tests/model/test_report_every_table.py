"""The section on every table: in records of several tables, and in no others."""

from __future__ import annotations

from typing import Any

import pytest

from dpwizard.base.language import LANGUAGES
from dpwizard.records import Record
from dpwizard.report import document as report
from dpwizard.report.blocks import Heading, Paragraph, Table
from tests.samples.census import census
from tests.samples.decisions import example, recorded

TITLES = {"en": "Every table", "de": "Alle Tabellen"}


def section(made: Record, language: str = "en", *, of_annex: bool = False) -> list[Any]:
    """Return the blocks of the section of a record, without its heading."""
    found = list(report.blocks(made))
    starts = [at for at, block in enumerate(found) if isinstance(block, Heading) and block.text == TITLES[language]]
    if not starts:
        return []
    rest = found[starts[-1 if of_annex else 0] + 1 :]
    end = next(at for at, block in enumerate(rest) if isinstance(block, Heading) and block.level == 1)
    return rest[:end]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_record_of_many_tables_lists_each_with_its_needs_and_whether_they_are_kept(language: str) -> None:
    made = recorded(census(language=language))
    sentence, tightest, more = section(made, language)
    (table,) = section(made, language, of_annex=True)
    assert isinstance(sentence, Paragraph)
    assert isinstance(table, Table)
    assert len(table.rows) == 65
    assert tightest.rows == table.rows[:12]
    assert "53" in more.text
    assert {len(row) for row in table.rows} == {len(table.columns)}
    kept = [row[-1][:1] for row in table.rows]
    assert kept.count("✗") == sum(answer.met is False for answer in made.assessment.answers)
    assert kept.count("✓") == sum(answer.met is True for answer in made.assessment.answers)
    assert table.rows[0][0] in sentence.text


def test_a_release_of_one_table_has_no_such_section() -> None:
    assert section(recorded(example("durham"))) == []
