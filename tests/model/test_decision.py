"""Decisions and their history: reading, writing, undo and redo."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dpwizard.base import json_text
from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.base.resource_files import FOLDER
from dpwizard.decision import FORMAT, Decision, History, edits, new_decision, read_decision, to_json

EXAMPLES = sorted((FOLDER / "examples").glob("*.json"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_bundled_example_is_read_and_written_without_loss(path: Path) -> None:
    decision = read_decision(json_text.parse(path.read_bytes()))
    assert read_decision(json.loads(json_text.document(to_json(decision)))) == decision


def test_a_newer_format_is_named_as_such() -> None:
    with pytest.raises(InvalidInput, match="not a version this program can read"):
        read_decision({"format": "dpwizard.decision/2"})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"format": "x", "format": "y"}', 'the key "format" is given twice'),
        ('{"format": ', "is not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('{"title": "\\ud800"}', "not valid UTF-8"),
        ('{"epsilon": ' + "9" * 5000 + "}", "5000 digits"),
    ],
)
def test_hostile_text_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(DPWizardError, match=words):
        json_text.parse(text)


def test_more_text_or_more_requirements_than_allowed_are_refused() -> None:
    with pytest.raises(InvalidInput, match="at most 5000 entries"):
        read_decision({"format": FORMAT, "requirements": [{"kind": "budget"}] * 5001})
    details = {"necessity": "x" * 90_000}
    rows = [{"kind": "budget", "off_reason": "y" * 90_000}] * 12
    with pytest.raises(InvalidInput, match="1 MB of text"):
        read_decision({"format": FORMAT, "details": details, "requirements": rows})


def titled(title: str) -> Decision:
    return Decision(format=FORMAT, title=title)


def test_undo_and_redo_walk_through_all_edits_with_their_names() -> None:
    history = History.start(new_decision()).edit("Set title", titled("a")).edit("Set title", titled("b"))
    assert history.undo_name == "Set title"
    back = history.undo().undo()
    assert back.decision == new_decision()
    assert back.undo_name is None
    assert back.undo() == back
    assert back.redo().redo().decision.title == "b"
    assert back.redo().redo().redo_name is None


def test_a_drag_folds_into_one_step_until_it_settles() -> None:
    history = History.start(new_decision())
    for title in "abc":
        history = history.edit("Drag", titled(title), merge="title")
    assert history.undo().decision == new_decision()
    settled = history.settle().edit("Drag", titled("d"), merge="title")
    assert settled.undo().decision.title == "c"


def test_an_edit_after_undo_forgets_the_future_and_an_empty_edit_is_none() -> None:
    history = History.start(new_decision()).edit("One", titled("a")).undo().edit("Two", titled("b"))
    assert history.redo_name is None
    assert history.edit("Same", titled("b")) is history


def test_an_edit_that_would_merge_after_an_undo_is_a_step_of_its_own() -> None:
    history = History.start(new_decision()).edit("Drag", titled("a"), merge="t").edit("Other", titled("b")).undo()
    again = history.edit("Drag", titled("c"), merge="t")
    assert again.undo().decision.title == "a"


def test_what_is_marked_for_the_public_edition_stays_marked_where_its_row_goes() -> None:
    decision = read_decision(
        {
            "format": FORMAT,
            "requirements": [{"kind": "relative_risk"}, {"kind": "rmse"}, {"kind": "budget"}],
            "withheld": ["$.title", "$.requirements[1]", "$.requirements[2].name"],
        }
    )

    def marks(changed: Decision) -> tuple[str, ...]:
        return tuple(f"{edits.get(changed, mark[:17]).kind}{mark[17:]}" for mark in changed.withheld[1:])

    kept = ("rmse", "budget.name")
    assert marks(decision) == kept
    assert marks(edits.add(decision, "$.requirements", {"kind": "rmse"}, 0)) == kept
    assert edits.add(decision, "$.requirements", {"kind": "rmse"}).withheld == decision.withheld
    for index in range(3):
        for to in range(3):
            assert marks(edits.move(decision, "$.requirements", index, to)) == kept
    for index, both in enumerate((kept, ("rmse", "rmse", "budget.name"), ("rmse", "budget.name", "budget.name"))):
        copied = edits.duplicate(decision, "$.requirements", index, decision.requirements[index])
        assert tuple(sorted(marks(copied), reverse=True)) == both
        assert len(set(copied.withheld)) == len(copied.withheld)
    assert marks(edits.remove(decision, "$.requirements", 0)) == kept
    assert marks(edits.remove(decision, "$.requirements", 1)) == ("budget.name",)
    assert edits.remove(decision, "$.requirements", 2).withheld == ("$.title", "$.requirements[1]")


def test_each_part_keeps_the_line_on_its_sensitivity_until_that_part_changes() -> None:
    part = {"statistic": "count", "sensitivity": 1, "share": 0.3}
    parts = [{"name": "Deaths", **part}, dict(part), {"name": "Births", **part}]
    lines = {"Deaths": "Deaths: at most 1.", "2": "Part 2: at most 1.", "Births": "Births: at most 1."}
    release = {"neighbours": "replace", "parts": parts, "derivation": "\n".join(lines.values())}
    decision = read_decision({"format": FORMAT, "release": release})

    def left(changed: Decision) -> list[str]:
        return (changed.release.derivation or "").splitlines()

    assert left(edits.put(decision, "$.release.parts[0].share", 0.2)) == [*lines.values()]
    assert left(edits.put(decision, "$.release.parts[0].sensitivity", 3)) == [lines["2"], lines["Births"]]
    assert left(edits.put(decision, "$.release.parts[1].mechanism", "gaussian")) == [lines["Deaths"], lines["Births"]]
    assert left(edits.put(decision, "$.release.parts[0].name", r"\1")) == [
        r"\1: at most 1.",
        lines["2"],
        lines["Births"],
    ]
    # which line is of a part without a name nobody can tell once it has one
    assert left(edits.put(decision, "$.release.parts[1].name", "Moves")) == [lines["Deaths"], lines["Births"]]
    assert left(edits.remove(decision, "$.release.parts", 2)) == [lines["Deaths"], lines["2"]]
    assert left(edits.put(decision, "$.release.neighbours", "add_remove")) == []
    assert left(edits.put(decision, "$.release.derivation", "By hand.")) == ["By hand."]


def test_an_empty_list_that_is_an_answer_is_not_written_as_no_answer() -> None:
    raw = {"format": "dpwizard.decision/1", "requirements": [{"kind": "exact_mean", "covariance": []}]}
    steps = {"kind": "relative_risk", "profile": {"shape": "steps", "axis": "p", "edges": [], "ratios": [3]}}
    for one in (raw, {**raw, "requirements": [steps]}):
        decision = read_decision(one)
        assert read_decision(to_json(decision)) == decision
