"""What the plain questions store: divisions, words for sentences, promises to someone who knows all others, answers."""

from __future__ import annotations

from typing import Any

import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.decision import Acknowledgement, Decision, assess, edits, problems, read_decision, to_json
from tests.samples.decisions import decided

WARDS: tuple[dict[str, Any], ...] = ({"name": "ward", "parts": 9}, {"name": "age group", "parts": 3})
EVEN = {"kind": "relative_risk", "adversary": "inclusion", "p": [0.01, 0.99], "q": 1}
EVEN |= {"profile": {"shape": "odds", "factor": 71 / 29}}


def test_divisions_multiply_to_the_numbers_published() -> None:
    release = decided(divisions=WARDS).release
    assert release.dimension == 27
    assert [division.name for division in release.divisions] == ["ward", "age group"]
    assert decided(divisions=WARDS, dimension=27).release == release


def test_divisions_with_an_open_field_leave_the_dimension_and_are_a_problem() -> None:
    decision = decided(divisions=[{"name": "ward"}], dimension=5)
    assert decision.release.dimension == 5
    assert "$.release.divisions[0].parts" in {problem.where for problem in problems(decision)}


@pytest.mark.parametrize(
    ("divisions", "dimension", "where", "said"),
    [
        (WARDS, 26, "$.release.dimension", "must be 27"),
        ([{"name": " ", "parts": 9}], None, "$.release.divisions[0].name", "must not be empty"),
        ([{"name": "ward", "parts": 9}] * 2, None, "$.release.divisions[0].name", "given twice"),
        ([{"name": "ward", "parts": 0}], None, "$.release.divisions[0].parts", "at least 1"),
        ([{"name": "ward", "parts": 2.5}], None, "$.release.divisions[0].parts", "whole number"),
        ([{"name": "ward", "groups": 2}], None, "$.release.divisions[0].groups", "not a field"),
    ],
)
def test_divisions_that_contradict_are_refused(divisions: Any, dimension: int | None, where: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said) as refused:
        decided(divisions=divisions, dimension=dimension)
    assert refused.value.where == where
    assert refused.value.hint


def test_an_edit_of_a_division_changes_the_numbers_published() -> None:
    decision = edits.put(decided(), "$.release.divisions", WARDS)
    assert decision.release.dimension == 27
    decision = edits.put(decision, "$.release.divisions[1].parts", 4)
    assert decision.release.dimension == 36
    assert edits.remove(decision, "$.release.divisions", 0).release.dimension == 4


def test_a_dimension_set_by_hand_removes_divisions_that_contradict_it() -> None:
    decision = decided(divisions=WARDS)
    assert edits.put(decision, "$.release.dimension", 30).release.divisions == ()
    assert edits.put(decision, "$.release.dimension", 27).release.divisions == decision.release.divisions


def test_a_file_without_the_plain_answers_is_written_as_before() -> None:
    told = to_json(decided(EVEN))
    assert not {"divisions", "person_word", "reveals", "totals_printed"} & set(told["release"])
    assert "others_known" not in told["requirements"][0]
    assert read_decision(told) == decided(EVEN)


def test_a_promise_to_someone_who_knows_all_others_has_the_same_limit_and_assumes_no_independence() -> None:
    alone, known = assess(decided(EVEN, {**EVEN, "others_known": True})).answers
    assert alone.epsilon == known.epsilon == pytest.approx(0.895384, abs=1e-6)
    assert "independent_of_others" in alone.assumptions
    assert "independent_of_others" not in known.assumptions
    assert "independence" in alone.validity
    assert "independence" not in known.validity


def accepted(**answer: Any) -> Decision:
    decision = decided(EVEN, epsilon=0.5)
    keys = ("independent_of_others", "class_is_complete")
    said = tuple(Acknowledgement(assumption=key, text="It is so.", **answer) for key in keys)
    return edits.put(decision, "$.acknowledged", said)


def unaccepted(decision: Decision) -> set[str]:
    return {problem.values["assumption"] for problem in problems(decision) if problem.key == "not_acknowledged"}


def test_only_an_accepted_assumption_lets_a_decision_be_approved() -> None:
    assert not unaccepted(accepted())
    assert not unaccepted(accepted(state="accepted", vouched_by="Miriam Adler"))
    refused = accepted(state="refused", reason="The infection spreads.")
    assert unaccepted(refused) == {"independent_of_others", "class_is_complete"}
    assert unaccepted(accepted(state="open", vouched_by="The statistician")) == unaccepted(refused)
    assert read_decision(to_json(refused)) == refused
    assert "state" not in to_json(accepted())["acknowledged"][0]
