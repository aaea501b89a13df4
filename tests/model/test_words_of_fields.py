"""What fields are called before a person's eyes: labels, with which of several is meant, never a path into a file."""

from __future__ import annotations

import re
from typing import Any

import pytest

from dpwizard.base.errors import InvalidInput, SigningProblem
from dpwizard.base.language import LANGUAGES, speaking
from dpwizard.decision import Decision, assess, read_decision
from dpwizard.decision.requirements import kinds
from dpwizard.wording import assessments, field_label
from ui.forms import in_words

PATH = re.compile(r"[\[\]_$]|\w\.\w")


def sentence(requirement: dict[str, Any], release: dict[str, Any]) -> str:
    decision = read_decision({"format": "dpwizard.decision/1", "release": release, "requirements": [requirement]})
    answer = assess(decision).answers[0]
    assert answer.status == "unanswered"
    return assessments.why(answer.why, kind=answer.kind)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", sorted(kinds()))
def test_what_is_not_answered_yet_is_named_by_its_label(kind: str, language: str) -> None:
    more: dict[str, Any] = {}
    if kind == "guessing_advantage":
        more = {"attributes": [{}, {"prior": {"family": "uniform"}}], "combine": "and"}
    if kind == "relative_risk":
        more = {"adversary": "inclusion", "profile": {"shape": "knots"}}
    with speaking(language):
        assert not PATH.search(sentence({"kind": kind, **more}, {}))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_release_of_several_tables_lacks_is_named_with_the_table(language: str) -> None:
    parts = [{"name": "North", "share": 0.5, "sensitivity": 1}, {"name": "South", "share": 0.5}]
    release = {"neighbours": "add_remove", "parts": parts, "spent": [{"epsilon": 1}]}
    with speaking(language):
        for part in ("North", "South"):
            assert not PATH.search(sentence({"kind": "rmse", "at_most": 1, "part": part}, release))
    assert "Sensitivity of table 2" in sentence(
        {"kind": "rmse", "at_most": 1, "part": "South"}, {**release, "mechanism": "laplace"}
    )
    decision = read_decision({"format": "dpwizard.decision/1", "release": release})
    assert field_label((Decision,), "$.release.parts[1].sensitivity", decision) == "Sensitivity of table “South”"
    assert field_label((Decision,), "$.release.spent[0].neighbours") == (
        "Neighbouring datasets differ by of earlier release 1"
    )


def test_an_error_that_is_shown_names_the_field_and_the_person_s_own_question() -> None:
    unproposed = SigningProblem("nobody has proposed this record yet", "role", "Have it proposed first.")
    assert in_words(unproposed) == "Your role: nobody has proposed this record yet. Have it proposed first."
    wrong = InvalidInput("must be at most 1; found 2", "$.requirements[0].attributes[1].precision", "Give a number.")
    assert in_words(wrong) == "Requirement 1: Precision of attribute 2: must be at most 1; found 2. Give a number."
    assert in_words(InvalidInput("must be at most 1", "$.decision.release.delta", "")) == "Delta: must be at most 1."
    assert in_words(InvalidInput("cannot be read", "/tmp/some.json", "")) == "/tmp/some.json cannot be read."
