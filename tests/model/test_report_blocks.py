"""What the report says: the contents of a record, as blocks, as text and as HTML."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest

from dpwizard.report import document as report
from dpwizard.report.blocks import (
    Block,
    Figure,
    Heading,
    Note,
    Pairs,
    Promise,
    Statements,
    Table,
)
from tests.samples.decisions import HOSTILE, example, hostile, recorded


def blocks_of(raw: dict[str, Any]) -> tuple[Block, ...]:
    return report.blocks(recorded(raw))


def pair(blocks: tuple[Block, ...], label: str) -> str:
    return next(value for block in blocks if isinstance(block, Pairs) for name, value in block.rows if name == label)


def asked_by(blocks: tuple[Block, ...]) -> str:
    """Return what the requirements ask, as annex A1 prints it."""
    return "\n".join(
        row[1] for block in blocks if isinstance(block, Table) and len(block.columns) == 4 for row in block.rows
    )


def stated(blocks: tuple[Block, ...], label: str) -> str:
    """Return what page one states under LABEL."""
    rows = (row for block in blocks if isinstance(block, Statements) for row in block.rows)
    return next(f"{row.strong} {row.text} {row.aside}".strip() for row in rows if row.label == label)


def after(blocks: tuple[Block, ...], heading: str) -> Any:
    """Return the block under a HEADING."""
    at = next(at for at, block in enumerate(blocks) if isinstance(block, Heading) and block.text == heading)
    return blocks[at + 1]


def test_what_somebody_acknowledged_does_not_take_the_place_of_the_assumption() -> None:
    raw = example("durham")
    honest = next(block for block in blocks_of(raw) if isinstance(block, Table) and block.columns[0] == "Assumption")
    raw["acknowledged"][-1]["text"] = "Nothing is assumed."
    table = next(block for block in blocks_of(raw) if isinstance(block, Table) and block.columns[0] == "Assumption")
    assert table.rows[0][0] == f"{honest.rows[0][0]}\n“Nothing is assumed.”"
    assert table.rows[1:] == honest.rows[1:]
    raw["acknowledged"][-1] |= {"state": "refused", "vouched_by": "Dr Roth"}
    rows = after(blocks_of(raw), "What must be true, and who vouches for it").rows
    assert [who for _, who in rows] == ["Ada Example", "Ada Example", "nobody yet", "nobody yet"]


def several(*parts: dict[str, Any], **release: Any) -> tuple[Block, ...]:
    """Return the blocks of a release of PARTS, which have geometric noise where they do not say another."""
    counted = {"statistic": "count", "dimension": 1, "mechanism": "geometric"}
    noisy = counted | {"sensitivity": 1, "share": "1/2"}
    tables = [(counted if one.get("mechanism") == "exact" else noisy) | one for one in parts]
    stated = {"unit": "one person", "neighbours": "add_remove", "parts": tables, **release}
    return blocks_of({"format": "dpwizard.decision/1", "epsilon": 1.0, "release": stated})


def test_tables_that_are_made_several_times_are_said_to_be() -> None:
    blocks = several({"name": "a", "times": 4}, {"name": "b"})
    assert stated(blocks, "What is published").endswith("Each table 1 to 4 times.")
    assert "The 4 publications decided here are all counted" in after(blocks, "If it goes wrong").text
    both = several({"name": "a", "times": 2}, {"name": "b", "times": 2}, repetitions=3)
    assert stated(both, "What is published").endswith("6 times.")


def test_all_tables_without_noise_are_counted() -> None:
    exact = [{"name": f"exact {at}", "mechanism": "exact"} for at in range(5)]
    text = stated(several({"name": "a"}, {"name": "b"}, *exact), "How it is protected")
    assert "No noise is added to exact 0, exact 1, exact 2; and 2 more." in text


def test_totals_are_counted_among_what_is_published() -> None:
    parts = ({"name": "a", "dimension": 2, "adds_up_to": [{"part": "all", "children": 2}]}, {"name": "b"})
    blocks = several(*parts, adding_up="least_squares", totals=[{"name": "all", "reads": []}])
    assert stated(blocks, "What is published").startswith("3 tables with 4 numbers in all: count (2).")


def test_an_earlier_release_of_which_no_budget_is_known_is_said() -> None:
    blocks = several({"name": "a"}, {"name": "b"}, spent=[{"mechanism": "exact"}])
    assert "is not known in full" in after(blocks, "The protection chosen: epsilon 1.00").text


def test_the_log_of_questions_is_printed_word_for_word_with_what_was_changed() -> None:
    ask = {"kind": "pair", "text": "Release A or #read(B)?", "a": {"out_of": 100, "before": 1, "after": 5}}
    again, played = {**ask, "again": 1, "form": "reversed"}, {"kind": "playback", "text": "So 1 in 12?"}
    raw = example("durham")
    raw["elicitation"] = [
        {
            "assessor": "Ada",
            "setup": {"about": "Neighbours"},
            "replies": [
                {"question": ask, "answer": "a", "seconds": 12.4, "time": "2026-11-20T10:00:00Z"},
                {"question": again, "answer": "b", "replaces": 1, "note": "I had misread."},
                {"question": played, "answer": "corrected", "corrected": {"out_of": 12, "before": 1, "after": 2}},
            ],
            "settlements": [{"first": 1, "second": 3, "stands": "second", "reason": "Later and clearer."}],
        },
        {"agreed": {"value": 3, "who": ["Ada", "Ben"], "reason": "Halfway."}},
    ]
    blocks = blocks_of(raw)
    log = next(block for block in blocks if isinstance(block, Table) and block.columns[1] == "Question")
    assert log.rows == (
        ("1", "Release A or #read(B)?", "release A", "no longer counts"),
        ("2", "Release A or #read(B)?", "release B", "asks 1 again\nthe other way round\nreplaces 1\nI had misread."),
        ("3", "So 1 in 12?", "no: 2 in 12", "–"),
    )
    text = report.text(blocks)
    assert "Answers of Ada about “Neighbours”" in text
    assert "Agreed by Ada, Ben" in text
    assert "Later and clearer." in text
    assert pair(blocks, "Agreed") == "3"


def test_an_exception_takes_the_place_of_the_box_on_both_pages() -> None:
    raw = example(
        "durham_conflict", epsilon=1.5, exception_reason="The target matters more.", outcome="approve_with_conditions"
    )
    blocks = blocks_of(raw)
    notes = [block.text for block in blocks if isinstance(block, Note) and "draft" not in block.text]
    assert notes == [notes[0]] * 2
    assert notes[0].startswith("This decision breaks 2 of its own promises: ")
    assert "Neighbour who knows the family" in notes[0]
    assert notes[0].endswith("The reason given: “The target matters more.”")
    assert not any(isinstance(block, Promise) for block in blocks)


def test_the_text_sends_no_control_character_to_a_terminal() -> None:
    raw = example("durham", title="a\x1b[31mred\x07\x00 \u202eback")
    text = report.text(blocks_of(raw))
    assert "a‹U+001B›[31mred‹U+0007 U+0000› ‹U+202E›back" in text
    assert all(char == "\n" or char.isprintable() for char in text)


class Tags(HTMLParser):
    """Collects what an HTML page holds."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.texts: list[str] = []
        self.links: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href") or name.startswith("on")]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_html_holds_typed_text_as_text_and_fetches_nothing() -> None:
    page = report.html(blocks_of(hostile()), title=HOSTILE[1])
    seen = Tags(page)
    assert not seen.names & {"script", "img", "iframe", "link", "object", "embed", "a", "form"}
    assert seen.links == []
    for typed in HOSTILE:
        assert any(typed in text for text in seen.texts), typed


def test_a_field_that_is_typed_is_never_translated() -> None:
    raw = example("durham")
    raw["requirements"][0]["group"] = "one"  # also the name of a choice elsewhere
    assert "Group: one" in asked_by(blocks_of(raw))


@pytest.mark.soak
def test_a_thousand_requirements_stand_in_one_line_for_all_that_are_alike() -> None:
    raw = example("durham")
    raw["requirements"] = [{**raw["requirements"][1 + i % 2], "name": f"Requirement {i}"} for i in range(1_000)]
    blocks = blocks_of(raw)
    tables = [block for block in blocks if isinstance(block, Table) and block.columns[:2] == ("Requirement", "Asks")]
    (table,) = tables
    assert len(table.rows) < 6
    assert all(f"Requirement {i}" in " ".join(row[0] for row in table.rows) for i in range(1_000))
    assert len(next(block.scene for block in blocks if isinstance(block, Figure)).rows) == 7
