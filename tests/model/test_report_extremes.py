"""Records at the edge of what fields permit are typeset all the same, and their first page is one page."""

from __future__ import annotations

from typing import Any

import pytest

from dpwizard import records
from dpwizard.report import document as report
from dpwizard.report.blocks import Figure, text
from tests.samples.decisions import example, recorded

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


def test_an_exception_without_a_reason_is_not_said_to_have_one() -> None:
    made = recorded(example("durham", epsilon=3.0, outcome="reject", exception_reason=None))
    assert "No reason is given." in _told(made)
    made = recorded(example("durham", epsilon=3.0, outcome="reject", exception_reason="Because."))
    assert "The reason given: “Because.”" in _told(made)


def test_a_release_without_noise_is_not_said_to_lack_an_epsilon() -> None:
    made = recorded(example("bon_exact_mean"))
    said = _told(made)
    assert "not chosen yet" not in said
    assert "rounded up" not in said  # there is no noise scale
    assert "Without noise the figures are exact" in said


def test_what_is_missing_is_named_as_its_field_is_labelled() -> None:
    made = recorded({"format": "dpwizard.decision/1"})
    found = report.blocks(made)
    assert "Who or what is protected" in text(found)
    assert "release.unit" not in text(found)
