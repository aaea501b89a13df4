"""The pages of a record as they lie on a desk: page one alone, no page half empty, no heading left behind."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from dpwizard.report import document as report
from tests.samples.decisions import EXAMPLES, example, recorded

MARGIN = 71.0  # points; the foot stands below
HEADING = 13.0  # points: no other line is as high
LINE = re.compile(r'<line xMin="[\d.]+" yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">(.*?)</line>', re.DOTALL)
FEW = [("durham", "en", "a4"), ("gaussian_clinic", "de", "us-letter"), ("household_tables", "en", "us-letter")]
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.json"))
ALL = [(name, language, paper) for name in NAMES for language in ("en", "de") for paper in ("a4", "us-letter")]


@dataclass(frozen=True)
class Page:
    """What lies on one page: its text, how far down it reaches, and how high its last line is."""

    text: str
    filled: float
    last: float


def pages(name: str, language: str, paper: str, folder: Path) -> list[Page]:
    """Return the pages of the record of an example."""
    made = recorded(example(name, language=language, paper=paper))
    path = folder / "record.pdf"
    path.write_bytes(report.typeset(made))
    told = subprocess.run(["pdftotext", "-bbox-layout", path, "-"], capture_output=True, text=True, check=True).stdout
    found = []
    for page in told.split("<page ")[1:]:
        height = float(re.findall(r'height="([\d.]+)"', page)[0])
        lines = [(float(low), float(low) - float(high), said) for high, low, said in LINE.findall(page)]
        inside = [line for line in lines if line[0] < height - MARGIN]
        low, last, _ = max(inside)
        text = " ".join(re.sub(r"<[^>]+>", " ", said) for _, _, said in inside)
        found.append(Page(" ".join(text.split()), (low - MARGIN) / (height - 2 * MARGIN), last))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "language", "paper"),
    [*FEW, *(pytest.param(*one, marks=pytest.mark.soak) for one in ALL if one not in FEW)],
)
def test_page_one_stands_alone_no_page_is_half_empty_and_no_heading_is_left_behind(
    name: str, language: str, paper: str, tmp_path: Path
) -> None:
    found = pages(name, language, paper, tmp_path)
    second = {"en": "Decision", "de": "Entscheidung"}[language]
    assert found[1].text.startswith(second), "page one runs over"
    assert [(number, page.filled) for number, page in enumerate(found[:-1], 1) if page.filled < 0.42] == []
    assert [number for number, page in enumerate(found, 1) if page.last > HEADING] == []


@pytest.mark.slow
def test_the_last_row_of_a_long_list_is_not_carried_over_alone(tmp_path: Path) -> None:
    """In this example the words used reach over the foot of a page."""
    found = pages("bon_exact_mean", "en", "a4", tmp_path)
    assert not any(page.text.startswith("Composition How the losses") for page in found)


@pytest.mark.slow
def test_what_is_the_same_for_many_tables_is_printed_once(tmp_path: Path) -> None:
    found = pages("household_tables", "en", "a4", tmp_path)
    annex = next(number for number, page in enumerate(found) if page.text.startswith("Annex"))
    assert annex <= 7, "a reviewer reads six pages behind the first"
    body = " ".join(page.text for page in found[:annex])
    assert "22 tables are published. The annex says of each" in body
    assert "0.215935" not in body, "shares in six digits are for a court"
    assert "0.215935" in " ".join(page.text for page in found[annex:])
