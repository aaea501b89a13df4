"""What the report says: the contents of a record, as blocks, as text and as HTML."""

from __future__ import annotations

import hashlib
import itertools
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from dpwizard import records
from dpwizard.report import document as report
from dpwizard.report.blocks import (
    Block,
    Figure,
    Heading,
    Note,
    PageBreak,
    Pairs,
    Promise,
    Signatures,
    Statements,
    Table,
)
from tests.samples.decisions import HOSTILE, example, hostile, recorded


def blocks_of(raw: dict[str, Any]) -> tuple[Block, ...]:
    return report.blocks(recorded(raw))


def headings(blocks: tuple[Block, ...]) -> list[str]:
    return [block.text for block in blocks if isinstance(block, Heading) and block.level == 1]


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


def test_page_one_says_what_was_decided_what_it_promises_and_what_stays_possible() -> None:
    blocks = blocks_of(example("durham"))
    cover, box = blocks[0], blocks[1]
    assert cover.title == "Infant deaths in Durham County, 2020"
    assert cover.line == "Proposed on 21 November 2026. It takes effect when Bea Example signs below."
    assert "is right in at most 90 of 100 guesses" in box.sentence
    assert [(dots.caption, dots.filled) for dots in box.dots] == [
        ("a coin: 50 of 100", 50),
        ("with the table: at most 90 of 100", 90),
    ]
    assert box.beside == "Who thought 1 in 100 before may think at most 8.4 in 100; who thought 1 in 10, 50 in 100."
    assert stated(blocks, "Why").startswith("“The one epsilon that keeps both the promise")
    assert stated(blocks, "What is published").endswith("North Carolina. Once.")
    assert stated(blocks, "Look again").startswith("by 21 November 2027, or before anything else")


def test_the_annex_has_its_five_parts_in_order() -> None:
    blocks = blocks_of(example("durham"))
    assert [block.part for block in blocks if isinstance(block, PageBreak)] == ["", "A1", "A2", "A3", "A4", "A5"]
    assert headings(blocks) == [
        "The protection chosen: epsilon about 2.19723",
        "What was weighed",
        "What must be true, and who vouches for it",
        "Before it is published",
        "If it goes wrong",
        "Not assessed",
        "A1 The release and its requirements",
        "A2 What is spent, and the noise",
        "A3 Figures, and the tables behind them",
        "A4 Questions and answers",
        "A5 How to check this record",
    ]


def test_what_the_law_asks_and_is_empty_is_named_once_and_nothing_else() -> None:
    blocks = blocks_of({"format": "dpwizard.decision/1"})
    assert [
        label for block in blocks if isinstance(block, Pairs) for label, value in block.rows if value == "not assessed"
    ] == []
    said = after(blocks, "Not assessed")
    assert said.text == "Legal basis; advice of the data protection officer; views of the people concerned."
    assert all(
        not isinstance(below, Heading) or below.level > block.level
        for block, below in itertools.pairwise(blocks)
        if isinstance(block, Heading)
    )
    assert "What is still missing" in report.text(blocks)
    assert any(isinstance(block, Note) and "10 answers are missing" in block.text for block in blocks)


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


@pytest.mark.parametrize("times", [1, 3])
def test_noise_of_several_releases_is_said_to_be_new_each_time(times: int) -> None:
    raw = example("durham")
    raw["release"]["repetitions"] = times
    *_, (noise, _) = after(blocks_of(raw), "What must be true, and who vouches for it").rows
    assert noise.startswith("The noise is added" if times == 1 else "Each time, new noise is added")


@pytest.mark.parametrize("exactly", [None, "The number of births is public."])
def test_a_budget_is_all_that_is_given_away_only_where_nothing_is_published_exactly(exactly: str | None) -> None:
    raw = example("durham")
    raw["release"]["published_elsewhere"] = exactly
    chosen = after(blocks_of(raw), "The protection chosen: epsilon about 2.19723").text
    assert ("is all they give away" in chosen) == (exactly is None)
    assert ("What is published without noise gives away more" in chosen) == (exactly is not None)


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


def test_noise_is_in_whole_numbers_where_that_of_every_table_is() -> None:
    for other, whole in (("geometric", True), ("laplace", False)):
        text = stated(several({"name": "a"}, {"name": "b", "mechanism": other}), "How it is protected")
        assert ("in whole numbers" in text) == whole


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


def test_long_names_of_tables_leave_room_for_how_many_more_there_are() -> None:
    widths = stated(blocks_of(example("household_tables")), "How far off the numbers may be")
    assert "household type, detailed groups: nation; and 3 more: by the noise alone" in widths


def test_who_proposes_stands_with_a_position_where_both_have_room() -> None:
    raw = example("durham")
    for name, position in (("Ada Example", "Head of statistics"), ("Dr Ada Example " * 3 + "Byron", "")):
        raw["details"] |= {"authors": [name], "controller": "Head of statistics"}
        (block,) = (block for block in blocks_of(raw) if isinstance(block, Signatures))
        assert block.lines[0][1:] == (name, position)
        assert block.lines[1][2] == ""


def test_page_one_has_a_line_for_the_data_protection_officer_where_the_policy_asks_for_one() -> None:
    made = recorded(example("durham"))
    for roles, count in ((["proposes", "approves"], 2), (["proposes", "approves", "data_protection_officer"], 3)):
        under = replace(made, policy=records.Policy(name="Office", sha256="0" * 64, roles=tuple(roles)))
        (block,) = (block for block in report.blocks(under) if isinstance(block, Signatures))
        assert len(block.lines) == count
        assert "Further signature" not in [role for role, _, _ in block.lines]


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


@pytest.mark.slow
def test_a_very_small_number_is_printed_as_a_power_of_ten() -> None:
    blocks = blocks_of(example("bon_persuasion"))
    assert pair(blocks, "Delta") == "10⁻⁶"
    assert "1e-06" not in report.text(blocks)


def test_the_hash_printed_is_that_of_the_file() -> None:
    made = recorded(example("durham"))
    assert pair(report.blocks(made), "SHA-256 of r.json") == hashlib.sha256(records.write(made)).hexdigest()


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


def test_a_conflict_without_a_choice_is_said_and_drawn() -> None:
    blocks = blocks_of(example("durham_conflict"))
    axis = next(block for block in blocks if isinstance(block, Figure)).scene
    assert ("Neighbour who knows the family", "at most 0.84") in axis.rows
    assert ("Healthy People target", "at least 2.20") in axis.rows
    assert "These conflict: " in axis.alternative
    box = blocks[2]  # under the note that it is a draft
    assert box.heading == "No epsilon is chosen yet"
    box = blocks_of(example("durham", epsilon=None))[2]
    assert box.sentence == "Only one epsilon meets every requirement: about 2.19723."


def test_the_officers_own_words_are_used_for_people_and_totals() -> None:
    raw = example("durham", epsilon=0.88)
    raw["release"] |= {
        "statistic": "histogram",
        "dimension": 27,
        "post_processing": ["clamping"],
        "person_word": "patient",
        "reveals": "had the rare infection",
        "divisions": [{"name": "ward", "parts": 9}, {"name": "age group", "parts": 3}],
        "totals_printed": True,
    }
    raw["requirements"] = [
        {"kind": "attack_advantage", "advantage": 0.42},
        {"kind": "noise_interval", "name": "Wards", "half_width": 5, "level": 0.95, "cells": 3},
    ]
    raw["acknowledged"] = [
        {"assumption": key, "text": "As it was shown.", "state": "open", "vouched_by": who}
        for key, who in (("counts_units_once", None), ("exact_figures_elsewhere", "Dr Roth"))
    ]
    blocks = blocks_of(raw)
    assert blocks[2].sentence.startswith("Even someone who knows every other patient’s result")
    assert blocks[2].sentence.endswith("is right in at most 71 of 100 guesses.")
    assert stated(blocks, "What is published") == (
        "27 counts of patients who had the rare infection, by ward (9) and age group (3), with all totals. Once."
    )
    assert stated(blocks, "How far off the numbers may be") == (
        "A ward’s total is within 5 of the truth in 95 of 100 cases. Just as often, each count is within 3 of the "
        "truth, an age group’s total within 9 and the total of the table within 16. A true 0 is published as 3 or more "
        "in 5.1 of 100 cases."
    )
    vouches = dict(after(blocks, "What must be true, and who vouches for it").rows)
    assert vouches["Each patient is in one count at most."] == "nobody yet"
    assert vouches["Nothing else about these patients is published, no exact total either."] == "Dr Roth"
    assert "guessed right in at most 94 of 100 cases" in stated(blocks, "What stays possible")
    table = after(blocks, "What was weighed")
    assert ("epsilon 0.88, chosen", "at most 71 of 100", "within 5") in table.rows
    assert table.rows[table.marked[0]][0] == "epsilon 0.88, chosen"


def test_a_published_figure_stands_beside_the_audited_one() -> None:
    made = recorded(example("durham"))
    published = {"epsilon": 3.25, "gamma": 0.8, "source": "Somebody 2021, Theorem 4"}
    answers = made.assessment.answers
    beside = replace(made.assessment, answers=(replace(answers[0], as_published=published), *answers[1:]))
    blocks = report.blocks(replace(made, assessment=beside))
    table = next(block for block in blocks if isinstance(block, Table) and "As published" in block.columns)
    assert table.rows == (
        ("Neighbour who knows the family", "at most about 2.19723", "3.25\ngamma: 0.8", "Somebody 2021, Theorem 4"),
    )
    assert blocks.index(table) > blocks.index(PageBreak(part="A1")), "what nobody relies on stands in the annex alone"


def test_the_text_fits_eighty_columns_but_for_commands_and_hashes() -> None:
    lines = report.text(blocks_of(example("durham"))).split("\n")
    assert [line for line in lines if len(line) > 80 and line[0] != " " and len(line.split()[-1]) < 64] == []
    assert "Infant deaths in Durham County, 2020" in lines


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


def test_a_record_in_an_unknown_language_is_reported_in_english() -> None:
    assert headings(blocks_of(example("durham", language="../../x")))[-1] == "A5 How to check this record"


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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "label", "printed"),
    [
        (
            "en",
            "What is guessed",
            ("Uniform: every value between two ends alike (Smallest value: 12;", "whichever is worst"),
        ),
        ("de", "Was geraten wird", ("(Kleinster Wert: 12;", "der jeweils schlimmste")),
    ],
)
def test_a_belief_and_the_worst_truth_are_printed_in_words(language: str, label: str, printed: tuple[str, str]) -> None:
    raw = example("pankova_laud_cafeteria") | {"language": language}
    raw["requirements"][0]["attributes"][0]["truth"] = "worst"
    said = asked_by(blocks_of(raw))
    assert label in said
    assert all(words in said for words in printed)
    assert "family" not in said
    assert "worst" not in said.replace("whichever is worst", "")


def test_a_closing_look_is_printed_line_by_line_with_what_was_too_much() -> None:
    lines = [{"out_of": 100, "before": 1, "after": 4}, {"out_of": 100, "before": 50, "after": 80}]
    look = {"text": "Mark what is too much.", "epsilon": 1.1, "lines": lines, "answers": 0}
    raw = example("durham")
    raw["elicitation"] = [
        {
            "assessor": "Ada",
            "looks": [
                {**look, "too_much": [1], "seconds": 40, "time": "2026-11-20T10:00:00Z", "note": "Half is many."},
                {**look, "could_be_more": True},
            ],
        }
    ]
    looks = next(block for block in blocks_of(raw) if isinstance(block, Table) and block.columns[0] == "Closing look")
    assert looks.rows == (
        ("Mark what is too much.", "1 in 100 becomes 4 in 100", "Lines are too much", "Half is many."),
        ("", "50 in 100 becomes 80 in 100", "Too much", ""),
        ("Mark what is too much.", "1 in 100 becomes 4 in 100", "None is too much; all could be more", "–"),
        ("", "50 in 100 becomes 80 in 100", "", ""),
    )
