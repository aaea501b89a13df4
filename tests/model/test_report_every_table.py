"""The section on every table: in records of several tables from version 3 on, and never in pages of before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dpwizard.language import LANGUAGES
from dpwizard.records import editions
from dpwizard.report import document as report
from dpwizard.report.blocks import Heading, Paragraph, Table
from tests.samples.census import census
from tests.samples.decisions import example, recorded

KLINIK = Path(__file__).resolve().parents[1] / "golden" / "records" / "fourth" / "klinik.json"
TITLES = {"en": "Every table", "de": "Alle Tabellen"}


def section(raw: dict[str, Any], language: str = "en", *, of_annex: bool = False) -> list[Any]:
    """Return the blocks of the section of a record, without its heading."""
    found = list(report.blocks(raw, None))
    starts = [at for at, block in enumerate(found) if isinstance(block, Heading) and block.text == TITLES[language]]
    if not starts:
        return []
    rest = found[starts[-1 if of_annex else 0] + 1 :]
    end = next(at for at, block in enumerate(rest) if isinstance(block, Heading) and block.level == 1)
    return rest[:end]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_record_of_many_tables_lists_each_with_its_needs_and_whether_they_are_kept(language: str) -> None:
    made, _ = recorded(census(language=language))
    sentence, tightest, more = section(made, language)
    (table,) = section(made, language, of_annex=True)
    assert isinstance(sentence, Paragraph)
    assert isinstance(table, Table)
    assert len(table.rows) == 65
    assert tightest.rows == table.rows[:12]
    assert "53" in more.text
    assert {len(row) for row in table.rows} == {len(table.columns)}
    kept = [row[-1][:1] for row in table.rows]
    assert kept.count("✗") == sum(answer["met"] is False for answer in made["assessment"]["answers"])
    assert kept.count("✓") == sum(answer["met"] is True for answer in made["assessment"]["answers"])
    assert table.rows[0][0] in sentence.text


@pytest.mark.slow
def test_a_release_of_one_table_and_pages_of_0_4_0_have_no_such_section() -> None:
    assert section(recorded(example("durham"))[0]) == []
    old = json.loads(KLINIK.read_text("utf-8"))
    assert section(old, "de") == []
    assert len(section(dict(old, document=3), "de")) == 2


@pytest.mark.slow
def test_a_public_edition_lists_no_need_that_it_leaves_out_and_says_so() -> None:
    raw = census({"US": 5})
    raw["requirements"][0]["name"] = "For the press"
    internal, _ = recorded(raw)
    made = editions.public_record(internal, "0" * 64, ("$.requirements[0]",))
    said = section(made)
    assert any("left out of this edition" in block.text for block in said if isinstance(block, Paragraph))
    rows = "\n".join(" ".join(row) for block in said if isinstance(block, Table) for row in block.rows)
    assert "For the press" not in rows
    assert rows.count("margin of error") == len(raw["requirements"]) - 1
