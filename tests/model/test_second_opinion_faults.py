"""Two hundred faults as people make them, put into claims that agree: how many the second opinion finds.

docs/methods/second_opinion.md has the table; the same dice make it here.
"""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from dpwizard.base.resource_files import FOLDER
from dpwizard.examination import examine, examine_claim, read_claim
from tests.samples.claims import RIGHT, right
from tests.samples.faults import FAULTS

FIRST, COUNT, ENOUGH = 20_261_123, 200, 190
TABLE = FOLDER.parent / "docs" / "methods" / "second_opinion.md"


def judged() -> tuple[Counter[str], Counter[str]]:
    """Return how often each fault was made, and how often it was found."""
    made: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for at in range(COUNT):
        dice = random.Random(FIRST + at)
        kind = list(FAULTS)[at % len(FAULTS)]
        names = list(RIGHT)
        dice.shuffle(names)
        claim = next(one for name in names if FAULTS[kind](one := right(name), dice))
        made[kind] += 1
        found[kind] += any(one.verdict == "differs" for one in examine_claim(read_claim(claim)))
    return made, found


@pytest.mark.parametrize("name", RIGHT)
def test_a_claim_that_is_right_raises_no_alarm(name: str) -> None:
    found = examine_claim(read_claim(right(name)))
    assert {one.verdict for one in found} <= {"agrees", "follows", "not_determined"}
    assert any(one.verdict == "agrees" for one in found)


@pytest.mark.slow
def test_of_200_faults_at_least_190_are_found_as_the_table_says() -> None:
    made, found = judged()
    assert made.total() == COUNT
    assert found.total() >= ENOUGH
    rows = dict(re.findall(r"^\| (.+?) \| (\d+ of \d+) \|$", TABLE.read_text("utf-8"), re.MULTILINE))
    assert {kind: f"{found[kind]} of {made[kind]}" for kind in FAULTS} == {kind: rows.get(kind) for kind in FAULTS}
    assert rows["all"] == f"{found.total()} of {COUNT}"


def test_a_fault_in_a_figure_that_no_other_rests_on_cannot_be_found() -> None:
    for epsilon in ("0.5", "5"):
        assert examine(f"epsilon: {epsilon}\n".encode()).ok
