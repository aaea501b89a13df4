"""Documents of many tables: what all rows share is said once, and no row, figure or table is left out."""

from __future__ import annotations

from dpwizard.decision import Part, Release, read_decision
from dpwizard.questions.names_in_short import alike, names_in_short
from dpwizard.records import make
from dpwizard.report.blocks import Pairs, Table
from dpwizard.report.content import content
from dpwizard.report.many_rows import common_and_differing
from dpwizard.report.noise_sections import implementation_section
from dpwizard.report.release_sections import release_section
from dpwizard.report.values import cut_between_words
from tests.samples.decisions import STATED

ROWS = (("a", "count", "1", "–", "0.5"), ("b", "count", "2", "–", "0.5"), ("c", "count", "3", "–", "0.5"))


def test_what_every_row_says_stands_once_above_the_table() -> None:
    pairs, table = common_and_differing(("Name", "Statistic", "Size", "Alpha", "Share"), ROWS, (2, 3, 4))
    assert isinstance(pairs, Pairs)
    assert pairs.rows == (("Statistic", "count"), ("Share", "0.5"))
    assert isinstance(table, Table)
    assert table.columns == ("Name", "Size")
    assert table.rows == (("a", "1"), ("b", "2"), ("c", "3"))
    assert table.numbers == (1,)
    assert len(table.widths) == 2
    (whole,) = common_and_differing(("Name", "Size"), (("a", "1"), ("b", "2")), ())
    assert isinstance(whole, Table)
    assert whole.rows == (("a", "1"), ("b", "2"))


def test_rows_that_say_the_same_stand_in_one_line_under_all_their_names() -> None:
    rows = (("a", "1", "x"), ("b", "1", "y"), ("c", "2", "x"), ("d", "1", "x"))
    assert alike(rows) == (("a; d", "1", "x"), ("b", "1", "y"), ("c", "2", "x"))
    assert alike(rows, (0, 2)) == (("a; b; d", "1", "x; y"), ("c", "2", "x"))


def test_the_record_of_thirteen_tables_names_each_of_them_once_in_each_list() -> None:
    parts = [
        {"name": f"Table {i}", "statistic": "count", "sensitivity": 1.0, "share": "1/13", "level": str(i % 2)}
        for i in range(13)
    ]
    release = {"mechanism": "gaussian", "neighbours": "add_remove", "unit": "person", "parts": parts}
    decision = read_decision({"format": "dpwizard.decision/1", "title": "Many", "release": release, "rho": 0.1})
    found = content(make(decision, STATED, name="many"))
    names = "; ".join(f"Table {i}" for i in range(13))
    blocks = list(release_section(found))
    (table,) = [block for block in blocks if isinstance(block, Table)]
    assert (table.columns, table.rows) == (("Name",), ((names,),))
    assert ("Level of the table", "0; 1") in [row for one in blocks if isinstance(one, Pairs) for row in one.rows]
    named = next(block for block in implementation_section(found) if isinstance(block, Table))
    assert [row[0] for row in named.rows] == [names]


def test_a_table_of_each_year_is_called_in_short_where_all_of_its_years_say_the_same() -> None:
    names = [f"{name} {year}" for name in ("births", "deaths") for year in range(2020, 2027)]
    parts = [Part(name=name, year=name[-4:]) for name in names]
    short = names_in_short(Release(parts=tuple(parts)))
    assert short.of_all(names) == ("births [Year]", "deaths [Year]")
    assert short.of_all(names[1:8]) == (*names[1:7], "deaths 2020")
    rows = [(name, str(name == "deaths 2020"), name[-4:]) for name in names]
    assert short.in_few_rows(("name", "sensitivity", "year"), rows, parts) == (
        ("births [Year]", "False", "; ".join(map(str, range(2020, 2027)))),
        ("deaths [Year]", "True", "2020"),
        ("deaths [Year]", "False", "; ".join(map(str, range(2021, 2027)))),
    )


def test_a_long_text_ends_behind_a_whole_word_and_a_number_is_not_cut_in_two() -> None:
    text = "It is 6.8 at delta 4.08e-5 for all."
    assert [cut_between_words(text, most) for most in (35, 26, 25, 20, 19)] == [text, *["It is 6.8 at delta…"] * 4]
    assert cut_between_words(text, 27) == "It is 6.8 at delta 4.08e-5…"
    assert cut_between_words("w" * 300, 20) == "w" * 19 + "…"
    assert all(len(cut_between_words(text, most)) <= most for most in range(1, 40))
