"""Documents at the edge of what fields permit: many tables, long words, cells side by side, and a typeface's glyphs."""

from __future__ import annotations

import itertools
import re
import subprocess
from html import unescape
from typing import Any

import pytest
import typst
from hypothesis import given
from hypothesis import strategies as st

from dpwizard import records
from dpwizard.base.resource_files import resource
from dpwizard.charts import glyphs
from dpwizard.decision import Part, Release
from dpwizard.questions.names_in_short import alike, names_in_short
from dpwizard.report import document as report
from dpwizard.report.blocks import Figure, Table, text
from dpwizard.report.many_rows import common_and_differing
from dpwizard.report.typesetting import BETWEEN, TEXT_WIDTH, columns
from dpwizard.report.values import cut_between_words
from tests.samples.decisions import example, recorded

ROWS = (("a", "count", "1", "–", "0.5"), ("b", "count", "2", "–", "0.5"), ("c", "count", "3", "–", "0.5"))


def test_what_every_row_says_stands_once_above_the_table() -> None:
    pairs, table = common_and_differing(("Name", "Statistic", "Size", "Alpha", "Share"), ROWS, (2, 3, 4))
    assert pairs.rows == (("Statistic", "count"), ("Share", "0.5"))
    assert table.columns == ("Name", "Size")
    assert table.rows == (("a", "1"), ("b", "2"), ("c", "3"))
    assert table.numbers == (1,)
    assert len(table.widths) == 2
    (whole,) = common_and_differing(("Name", "Size"), (("a", "1"), ("b", "2")), ())
    assert whole.rows == (("a", "1"), ("b", "2"))


def test_rows_that_say_the_same_stand_in_one_line_under_all_their_names() -> None:
    rows = (("a", "1", "x"), ("b", "1", "y"), ("c", "2", "x"), ("d", "1", "x"))
    assert alike(rows) == (("a; d", "1", "x"), ("b", "1", "y"), ("c", "2", "x"))
    assert alike(rows, (0, 2)) == (("a; b; d", "1", "x; y"), ("c", "2", "x"))


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


LONG = "A name that is longer than anybody would give it and that a field permits all the same. "


def _crowded(name: str, count: int = 40, **changes: Any) -> dict[str, Any]:
    """Return a decision of COUNT adversaries and COUNT demands that contradict each other, each called NAME and its
    number."""
    raw = example("durham", **{"epsilon": 3.0, "outcome": "reject", "title": LONG * 11, **changes})
    adversary, demand = raw["requirements"][0], {"kind": "rmse", "at_most": 0.2}
    raw["requirements"] = [{**kind, "name": f"{i} {name}"[:1000]} for i in range(count) for kind in (adversary, demand)]
    return raw


def _told(made: records.Record) -> str:
    return " ".join(text(report.blocks(made)).split())


@pytest.mark.slow
def test_page_one_names_a_few_of_very_many_and_stays_one_page() -> None:
    raw = _crowded(LONG * 11)
    raw["details"] |= {
        "controller": LONG * 11,
        "record_number": LONG * 11,
        "approver": LONG * 11,
        "authors": [LONG * 11] * 50,
    }
    made = recorded(raw)
    found = report.blocks(made)
    summary = found[: next(i for i, block in enumerate(found) if type(block).__name__ == "PageBreak")]
    said = text(tuple(block for block in summary if not isinstance(block, Figure)))
    assert "And 77 more. No reason is given." in " ".join(said.split())
    assert len(said) < 5_000


@pytest.mark.soak
def test_a_record_of_many_contradictions_with_names_no_font_has_is_typeset() -> None:
    raw = _crowded("\U0001f600" * 900, 4)
    raw["details"] |= {"authors": ["\U0001f600" * 1000] * 20}
    made = recorded(raw)
    assert len(records.sentences(made).window) < 10_000
    assert report.typeset(made).startswith(b"%PDF")


def test_a_release_without_noise_is_not_said_to_lack_an_epsilon() -> None:
    made = recorded(example("bon_exact_mean"))
    said = _told(made)
    assert "not chosen yet" not in said
    assert "rounded up" not in said  # there is no noise scale
    assert "Without noise the figures are exact" in said


WORD = re.compile(r'<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)</word>')


def long_numbers(language: str) -> dict[str, Any]:
    """Return a decision whose numbers have many digits: several tables, small shares, unusual sensitivities, earlier
    releases."""
    raw = example("durham", epsilon=0.0123456789, language=language)
    kinds = ("laplace", "geometric", "laplace")
    share = {"statistic": "count", "share": 0.0031928123, "dimension": 123_456_789}
    raw["release"] |= {
        "statistic": "vector",
        "mechanism": "laplace",
        "sensitivity": 1234.567891,
        "spent": [
            {"record": f"Release {i}", "epsilon": 0.12345678901 * i, "neighbours": "add_remove", "date": "2020-01-01"}
            for i in (1, 2)
        ],
        "parts": [
            {"name": f"Part {i}", "sensitivity": 313.0 + i, "mechanism": kind, **share} for i, kind in enumerate(kinds)
        ],
    }
    for requirement in raw["requirements"]:
        if requirement["kind"] != "relative_risk":
            requirement["part"] = "Part 1"
    raw["requirements"].append({"kind": "budget", "total": 12.345678901234})
    return raw


@pytest.mark.slow
@pytest.mark.parametrize("language", ["de"])
def test_no_two_words_of_a_page_lie_over_one_another(language: str) -> None:
    made = recorded(long_numbers(language))
    pdf = report.typeset(made)
    boxes = subprocess.run(["pdftotext", "-bbox", "-", "-"], input=pdf, capture_output=True, check=True).stdout.decode(
        "utf-8"
    )
    assert "0.0000394174" in boxes or "0,0000394174" in boxes
    for number, page in enumerate(boxes.split("<page ")[1:], 1):
        words = [(*map(float, found[:4]), unescape(found[4])) for found in WORD.findall(page)]
        for one, other in itertools.combinations(words, 2):
            over = min(one[2], other[2]) - max(one[0], other[0])
            beside = min(one[3], other[3]) - max(one[1], other[1])
            assert over <= 0.5 or beside <= 2.0, (number, one, other)
        for one, other in itertools.combinations(words, 2):
            on_a_line = abs(one[1] - other[1]) < 1.0 and one[4][-1:].isdigit() and other[4][:1].isdigit()
            assert not (on_a_line and abs(other[0] - one[2]) < 1.0), (number, one, other)


@given(
    st.lists(st.lists(st.text("0123456789.", min_size=1, max_size=23), min_size=4, max_size=4), min_size=1, max_size=6)
)
def test_every_column_is_as_wide_as_its_longest_number(cells: list[list[str]]) -> None:
    table = Table(
        columns=("A", "B", "C", "D"), rows=tuple(map(tuple, cells)), widths=(1.0, 1.0, 0.5, 0.5), numbers=(1, 2, 3)
    )
    widths, size = columns(table)
    assert sum(widths) <= TEXT_WIDTH + 0.1
    for index, width in enumerate(widths):
        longest = max(len(row[index]) for row in table.rows)
        digits = max(sum(char.isdigit() for char in row[index]) for row in table.rows)
        assert width >= BETWEEN + 0.59 * size * digits, (longest, size)


def test_control_and_invisible_characters_become_visible() -> None:
    assert glyphs.visible("a\x00b\x1b[1m") == "a‹U+0000›b‹U+001B›[1m"
    assert glyphs.visible("x\u202ey\u200b\ufeff") == "x‹U+202E›y‹U+200B U+FEFF›"
    assert glyphs.visible("\ud800") == "‹U+D800›"
    assert glyphs.visible("a\r\nb\rc\u2028d\te") == "a\nb\nc\nd    e"


def test_what_the_fonts_lack_is_named_and_what_they_have_is_kept() -> None:
    assert glyphs.printable("漢字 ε₀ ≤ Ж ש") == "‹U+6F22 U+5B57› ε₀ ≤ Ж ש"
    assert glyphs.printable("ש", everything=False) == "‹U+05E9›"


@given(st.text(max_size=200))
def test_seeing_to_a_text_twice_changes_nothing(typed: str) -> None:
    once = glyphs.printable(typed)
    assert glyphs.printable(once) == once
    assert glyphs.BREAK not in once


@given(st.text(alphabet="ab c\n", max_size=300))
def test_breaking_long_words_loses_nothing(typed: str) -> None:
    broken = glyphs.breakable(typed)
    assert broken.replace(glyphs.BREAK, "") == typed
    pieces = [piece for piece in broken.split(glyphs.BREAK) if piece]
    assert all(len(word) < 24 for piece in pieces for word in piece.split())


def test_widths_are_those_the_typesetter_measures() -> None:
    said = "sets the limit: chance before 1 in 10, 2.19722"
    source = (
        '#set text(font: "Inter", size: 10pt, kerning: false, features: (calt: 0))\n#context '
        f'[#metadata(measure("{said}").width.pt()) <w>]'
    )
    folder = resource("fonts")
    fonts = typst.Fonts(include_system_fonts=False, font_paths=[str(folder)])
    found = typst.Compiler(source.encode(), root=str(folder), font_paths=fonts, ignore_system_fonts=True).query(
        "<w>", field="value", one=True
    )
    assert glyphs.width(said, 10.0) == pytest.approx(float(found), rel=0.01)
