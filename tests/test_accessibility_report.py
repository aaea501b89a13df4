"""The accessibility report names every criterion once, with a level it knows, and only tests that there are."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "docs" / "accessibility.md").read_text("utf-8")
LEVELS = {"Supports", "Partially supports", "Does not support", "Not applicable"}
# the success criteria of levels A and AA of WCAG 2.2 by guideline, with 4.1.1, which it withdrew
GUIDELINES = {
    "1.1": (1,),
    "1.2": (1, 2, 3, 4, 5),
    "1.3": (1, 2, 3, 4, 5),
    "1.4": (1, 2, 3, 4, 5, 10, 11, 12, 13),
    "2.1": (1, 2, 4),
    "2.2": (1, 2),
    "2.3": (1,),
    "2.4": (1, 2, 3, 4, 5, 6, 7, 11),
    "2.5": (1, 2, 3, 4, 7, 8),
    "3.1": (1, 2),
    "3.2": (1, 2, 3, 4, 6),
    "3.3": (1, 2, 3, 4, 7, 8),
    "4.1": (1, 2, 3),
}
CRITERIA = [f"{guideline}.{number}" for guideline, numbers in GUIDELINES.items() for number in numbers]


def rows() -> list[list[str]]:
    found = [[cell.strip() for cell in line.strip("|\n ").split(" | ")] for line in TEXT.splitlines() if "|" in line]
    return [row for row in found if re.match(r"\d", row[0])]


def test_every_criterion_has_one_row_with_a_level_and_a_remark() -> None:
    said = [row[0].split()[0] for row in rows() if len(row) == 4]
    assert said == CRITERIA
    for row in rows():
        conformance, remark = row[-2:]
        assert conformance in LEVELS, row
        assert len(remark) > 4, row


def test_every_test_that_is_named_is_there() -> None:
    named = set(re.findall(r"`(test_\w+\.py)`", TEXT))
    assert len(named) > 8
    assert named <= {path.name for path in (ROOT / "tests").rglob("test_*.py")}


def test_the_report_is_of_this_version() -> None:
    from dpwizard import __version__

    assert f"dpwizard {__version__}," in TEXT
