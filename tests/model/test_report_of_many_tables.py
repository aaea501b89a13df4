"""Documents of many tables: what all rows share is said once, and no row, figure or table is left out."""

from __future__ import annotations

from dpwizard.decision import read_decision
from dpwizard.records import make
from dpwizard.report.blocks import Pairs, Table
from dpwizard.report.closing_sections import implementation_section
from dpwizard.report.content import content
from dpwizard.report.every_table_section import every_table_in_full, every_table_section
from dpwizard.report.many_rows import told_shortly
from dpwizard.report.release_sections import parts_in_full, release_section
from dpwizard.report.values import cut_between_words
from tests.samples.decisions import STATED

ROWS = (("a", "count", "1", "–", "0.5"), ("b", "count", "2", "–", "0.5"), ("c", "count", "3", "–", "0.5"))


def test_what_every_row_says_stands_once_above_the_table() -> None:
    pairs, table = told_shortly(("Name", "Statistic", "Size", "Alpha", "Share"), ROWS, (2, 3, 4))
    assert isinstance(pairs, Pairs)
    assert pairs.rows == (("Statistic", "count"), ("Share", "0.5"))
    assert isinstance(table, Table)
    assert table.columns == ("Name", "Size")
    assert table.rows == (("a", "1"), ("b", "2"), ("c", "3"))
    assert table.numbers == (1,)
    assert len(table.widths) == 2


def test_rows_that_differ_everywhere_are_told_whole() -> None:
    (table,) = told_shortly(("Name", "Size"), (("a", "1"), ("b", "2")), ())
    assert isinstance(table, Table)
    assert table.rows == (("a", "1"), ("b", "2"))


def test_the_document_of_thirteen_tables_names_each_of_them_once() -> None:
    parts = [
        {"name": f"Table {i}", "statistic": "count", "sensitivity": 1.0, "share": "1/13", "level": str(i % 2)}
        for i in range(13)
    ]
    release = {"mechanism": "gaussian", "neighbours": "add_remove", "unit": "person", "parts": parts}
    decision = read_decision({"format": "dpwizard.decision/1", "title": "Many", "release": release, "rho": 0.1})
    found = content(make(decision, STATED, name="many"))
    assert not any(isinstance(block, Table) for block in release_section(found)), "the annex has them"
    blocks = list(parts_in_full(found))
    tables = [block for block in blocks if isinstance(block, Table)]
    assert [row[0] for row in tables[0].rows] == [f"Table {i}" for i in range(13)]
    assert "Level of the table" in tables[0].columns
    assert len(tables) == 1  # nothing is left to be stated besides
    assert list(every_table_in_full(found)) == [], "no table has a need: the list of noise says what is left"
    noise = list(implementation_section(found))
    within = next(block for block in every_table_section(found) if isinstance(block, Table)).rows[0][-1]
    shared = [row for block in noise if isinstance(block, Pairs) for row in block.rows]
    assert ("95 in 100 within", within) in shared
    named = next(block for block in noise if isinstance(block, Table))
    assert [row[0] for row in named.rows] == [f"Table {i}" for i in range(13)]


def test_a_long_text_ends_behind_a_whole_word_and_a_number_is_not_cut_in_two() -> None:
    text = "It is 6.8 at delta 4.08e-5 for all."
    assert [cut_between_words(text, most) for most in (35, 26, 25, 20, 19)] == [
        text,
        "It is 6.8 at delta…",
        "It is 6.8 at delta…",
        "It is 6.8 at delta…",
        "It is 6.8 at delta…",
    ]
    assert cut_between_words(text, 27) == "It is 6.8 at delta 4.08e-5…"
    assert cut_between_words("w" * 300, 20) == "w" * 19 + "…"
    assert all(len(cut_between_words(text, most)) <= most for most in range(1, 40))
