"""The cells of the printed tables never run into one another, however long their numbers and words are."""

from __future__ import annotations

import itertools
import re
import subprocess
from html import unescape
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.report import document as report
from dpwizard.report.blocks import Table
from dpwizard.report.typesetting import BETWEEN, TEXT_WIDTH, columns
from tests.samples.decisions import example, recorded

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
@pytest.mark.parametrize("language", ["en", "de"])
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
