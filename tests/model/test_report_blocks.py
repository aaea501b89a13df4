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
from dpwizard.report.blocks import Block, Cover, Figure, Heading, KeyFigure, Note, Pairs, Paragraph, Signatures, Table
from tests.samples.decisions import HOSTILE, example, hostile, recorded


def blocks_of(raw: dict[str, Any]) -> tuple[Block, ...]:
    made = recorded(raw)
    return report.blocks(made)


def headings(blocks: tuple[Block, ...]) -> list[str]:
    return [block.text for block in blocks if isinstance(block, Heading) and block.level == 1]


def pair(blocks: tuple[Block, ...], label: str) -> str:
    return next(value for block in blocks if isinstance(block, Pairs) for name, value in block.rows if name == label)


def test_page_one_says_what_was_decided_what_binds_and_what_is_not_covered() -> None:
    blocks = blocks_of(example("durham"))
    cover, key = blocks[0], blocks[1]
    assert isinstance(cover, Cover)
    assert cover.title == "Infant deaths in Durham County, 2020"
    assert cover.line == "County health department (worked example) · decided 21 November 2026 · approved"
    assert isinstance(key, KeyFigure)
    assert (key.value, key.below) == ("about 2.19723", "geometric mechanism, one release")
    assert key.sentences == (
        "A chance of 1 in 10 before the release can rise to at most 50 in 100 after it.",
        "A count as far from the threshold as assumed ends up on the wrong side with a chance of at most 10 in 100.",
    )
    assert pair(blocks, "What sets the limits").startswith(
        "Neighbour who knows the family (prior 1 in 10): epsilon at most about 2.19723, proved, given the"
    )
    assert pair(blocks, "What sets the limits").endswith(
        "Healthy People target: epsilon at least about 2.19723, proved"
    )
    assert pair(blocks, "Reasons").startswith("The one epsilon that keeps both the promise")
    assert pair(blocks, "Not assessed").startswith("Conditions, Review earlier if, ")
    assert pair(blocks, "Not assessed").endswith("and 6 more")
    assert pair(blocks, "Review by") == "21 November 2027"
    assert any(isinstance(block, Signatures) for block in blocks)


def test_every_section_a_record_needs_is_there_in_order() -> None:
    assert headings(blocks_of(example("durham"))) == [
        "Decision",
        "About this record",
        "The release and the unit",
        "Necessity and alternatives",
        "Adversaries and assumptions",
        "What each requirement allows",
        "Risk profile: Neighbour who knows the family",
        "Accuracy at the chosen epsilon",
        "Accounting",
        "Residual risks and measures",
        "What this mathematics does not promise",
        "Annex",
        "What reviewers ask",
        "What moves epsilon most",
        "The requirements in full",
        "Implementation",
        "How to verify this record",
        "Integrity",
        "The figures as tables",
    ]


def test_what_was_not_assessed_is_named_once_on_page_one_and_nowhere_else() -> None:
    blocks = blocks_of({"format": "dpwizard.decision/1"})
    assert [
        label for block in blocks if isinstance(block, Pairs) for label, value in block.rows if value == "not assessed"
    ] == []
    assert pair(blocks, "Not assessed").startswith("Conditions, Review by")
    assert all(
        not isinstance(after, Heading) or after.level > block.level or block.text == "Annex"
        for block, after in itertools.pairwise(blocks)
        if isinstance(block, Heading)
    )
    assert "What is still missing" in headings(blocks)
    assert any(isinstance(block, Note) and "10 answers are missing" in block.text for block in blocks)


def test_what_somebody_acknowledged_does_not_take_the_place_of_the_assumption() -> None:
    raw = example("durham")
    honest = next(block for block in blocks_of(raw) if isinstance(block, Table) and block.columns[0] == "Assumption")
    raw["acknowledged"][0]["text"] = "Nothing is assumed."
    table = next(block for block in blocks_of(raw) if isinstance(block, Table) and block.columns[0] == "Assumption")
    assert table.rows[0][0] == f"{honest.rows[0][0]}\n“Nothing is assumed.”"
    assert table.rows[1:] == honest.rows[1:]


def test_residual_risks_are_listed_with_measure_owner_and_date() -> None:
    raw = example("durham")
    raw["details"]["risks"] = [
        {"risk": "A leak of the file", "measure": "Access log", "owner": "IT", "date": "2027-02-01"},
        {"risk": "Other"},
    ]
    table = next(block for block in blocks_of(raw) if isinstance(block, Table) and block.columns[0] == "Risk")
    assert table.rows == (
        ("A leak of the file", "Access log", "IT", "1 February 2027"),
        ("Other", "not assessed", "not assessed", "not assessed"),
    )


def test_page_one_has_a_line_for_the_data_protection_officer_where_the_policy_asks_for_one() -> None:
    made = recorded(example("durham"))
    for roles, count in ((["proposes", "approves"], 2), (["proposes", "approves", "data_protection_officer"], 3)):
        under = replace(made, policy=records.Policy(name="Office", sha256="0" * 64, roles=tuple(roles)))
        (block,) = (block for block in report.blocks(under) if isinstance(block, Signatures))
        assert len(block.lines) == 3  # a row is filled up with places for whoever signs beside them
        assert [title for title, _ in block.lines].count("Further signature") == 3 - count


def test_the_log_of_questions_is_printed_word_for_word_with_what_was_changed() -> None:
    ask = {"kind": "pair", "text": "Release A or #read(B)?", "a": {"out_of": 100, "before": 1, "after": 5}}
    raw = example("durham")
    raw["elicitation"] = [
        {
            "assessor": "Ada",
            "setup": {"about": "Neighbours"},
            "replies": [
                {"question": ask, "answer": "a", "seconds": 12.4, "time": "2026-11-20T10:00:00Z"},
                {
                    "question": {**ask, "again": 1, "form": "reversed"},
                    "answer": "b",
                    "replaces": 1,
                    "note": "I had misread.",
                },
                {
                    "question": {"kind": "playback", "text": "So 1 in 12?"},
                    "answer": "corrected",
                    "corrected": {"out_of": 12, "before": 1, "after": 2},
                },
            ],
            "settlements": [{"first": 1, "second": 3, "stands": "second", "reason": "Later and clearer."}],
        },
        {"agreed": {"value": 3, "who": ["Ada", "Ben"], "reason": "Halfway."}},
    ]
    blocks = blocks_of(raw)
    log = next(block for block in blocks if isinstance(block, Table) and block.columns[1] == "Question")
    assert log.rows == (
        ("1", "Release A or #read(B)?", "release A", "no longer counts"),
        (
            "2",
            "Release A or #read(B)?",
            "release B",
            "asks 1 again\nthe other way round\nreplaces 1\nI had misread.",
        ),
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


def test_the_number_that_moves_epsilon_most_comes_first() -> None:
    raw = example("kazan_reiter_table_1_b", epsilon=None)
    table = next(
        block for block in blocks_of(raw) if isinstance(block, Table) and block.columns[-1] == "Moves an end by"
    )
    assert any("Highest chance after the release" in row[0] for row in table.rows)
    moves = [float(row[-1]) for row in table.rows]
    assert moves == sorted(moves, reverse=True)


def test_the_hash_printed_is_that_of_the_file() -> None:
    made = recorded(example("durham"))
    blocks = report.blocks(made)
    assert pair(blocks, "SHA-256 of r.json") == hashlib.sha256(records.write(made)).hexdigest()


def test_an_exception_names_what_is_missed_and_gives_the_reason() -> None:
    raw = example(
        "durham_conflict", epsilon=1.5, exception_reason="The target matters more.", outcome="approve_with_conditions"
    )
    blocks = blocks_of(raw)
    text = report.text(blocks)
    assert "Neighbour who knows the family: at most 0.84" in pair(blocks, "In conflict")
    assert pair(blocks, "Exception").startswith(
        "Does not meet “Neighbour who knows the family”, “Healthy People target”."
    )
    assert "The target matters more." in text
    assert "Epsilon 1.50 is" in text


def test_a_conflict_without_a_choice_keeps_its_two_ends_apart() -> None:
    blocks = blocks_of(example("durham_conflict"))
    axis = next(block for block in blocks if isinstance(block, Figure)).scene
    assert axis.rows == (("Healthy People target", "at least 2.20"), ("Neighbour who knows the family", "at most 0.84"))
    assert "These conflict: " in axis.alternative
    assert isinstance(blocks[1], KeyFigure)
    assert blocks[1].value == "none"


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
    before = next(i for i, block in enumerate(blocks) if isinstance(block, Heading) and block.text == "Annex")
    assert blocks.index(table) > before, "what nobody relies on stands in the annex alone"


def test_every_figure_has_words_and_a_table() -> None:
    for name in ("durham", "durham_conflict", "kazan_reiter_table_5_b"):
        for block in blocks_of(example(name)):
            if isinstance(block, Figure):
                assert len(block.scene.alternative) > 40
                assert block.scene.columns
                assert all(len(row) == len(block.scene.columns) for row in block.scene.rows)


def test_the_text_fits_eighty_columns_but_for_commands() -> None:
    lines = report.text(blocks_of(example("durham"))).split("\n")
    assert [line for line in lines if len(line) > 80 and not line.startswith("    ")] == []
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
    assert pair(blocks_of(raw), "Group") == "one"


def test_a_record_in_an_unknown_language_is_reported_in_english() -> None:
    assert headings(blocks_of(example("durham", language="../../x")))[0] == "Decision"


@pytest.mark.soak
def test_a_thousand_requirements_are_listed_and_the_closest_drawn() -> None:
    raw = example("durham")
    raw["requirements"] = [{**raw["requirements"][1 + i % 2], "name": f"Requirement {i}"} for i in range(1_000)]
    blocks = blocks_of(raw)
    tables = [block for block in blocks if isinstance(block, Table) and block.columns[0] == "Requirement"]
    assert [len(table.rows) for table in tables] == [1, 1_000, 12], "what binds; in the annex all; the figure"
    drawn = [block.scene for block in blocks if isinstance(block, Figure)][1]
    assert len(drawn.rows) == 12
    assert any(isinstance(block, Paragraph) and "and 999 more" in block.text for block in blocks)


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
    said = pair(blocks_of(raw), label)
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
