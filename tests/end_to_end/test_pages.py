"""The pages of a record as they lie on a desk: two that are signed, the annex part by part, no heading left behind."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from dpwizard.report import document as report
from tests.samples.decisions import EXAMPLES, example, recorded

pytestmark = pytest.mark.slow

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


@pytest.mark.parametrize(
    ("name", "language", "paper"),
    [*FEW, *(pytest.param(*one, marks=pytest.mark.soak) for one in ALL if one not in FEW)],
)
def test_two_pages_are_signed_each_part_begins_a_page_and_no_heading_is_left_behind(
    name: str, language: str, paper: str, tmp_path: Path
) -> None:
    found = pages(name, language, paper, tmp_path)
    begins = {"en": "The protection chosen|No ", "de": "Der gewählte Schutz|Noch ist kein"}[language]
    assert re.search(begins, found[1].text), "page one runs over"
    assert re.search(r"\bA1 ", found[2].text), "page two runs over"
    parts = [one for page in found[2:] for one in re.findall(r"\bA[1-5] (?=[A-ZÄÖÜ])", page.text[:200])]
    assert parts == ["A1 ", "A2 ", "A3 ", "A4 ", "A5 "]
    assert [number for number, page in enumerate(found, 1) if page.last > HEADING] == []
