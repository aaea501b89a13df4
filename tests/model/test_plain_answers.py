"""What the plain questions store, and needs as sentences: every kind has one, with blanks for what is still open."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.base.language import LANGUAGES, speaking
from dpwizard.base.values import read
from dpwizard.decision import (
    About,
    AccuracyRequirement,
    Acknowledgement,
    Decision,
    Release,
    assess,
    edits,
    problems,
    read_decision,
    to_json,
)
from dpwizard.decision.requirements import kinds
from dpwizard.decision.requirements.accuracy import RATE
from dpwizard.wording import need_in_words, word
from tests.samples.decisions import decided

WARDS: tuple[dict[str, Any], ...] = ({"name": "ward", "parts": 9}, {"name": "age group", "parts": 3})
EVEN = {"kind": "relative_risk", "adversary": "inclusion", "p": [0.01, 0.99], "q": 1}
EVEN |= {"profile": {"shape": "odds", "factor": 71 / 29}}


def test_divisions_multiply_to_the_numbers_published() -> None:
    release = decided(divisions=WARDS).release
    assert release.dimension == 27
    assert [division.name for division in release.divisions] == ["ward", "age group"]
    assert decided(divisions=WARDS, dimension=27).release == release


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


def test_a_dimension_set_by_hand_removes_divisions_that_contradict_it() -> None:
    decision = decided(divisions=WARDS)
    assert edits.put(decision, "$.release.dimension", 30).release.divisions == ()
    assert edits.put(decision, "$.release.dimension", 27).release.divisions == decision.release.divisions


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


NEEDS = {kind: made for kind, made in kinds().items() if issubclass(made, AccuracyRequirement)}

FORTY = {"statistic": "histogram", "sensitivity": 1, "dimension": 40}


def said(kind: str, release: Any = None, **figures: Any) -> str:
    return need_in_words(NEEDS[kind](**figures), read(Release, release or FORTY))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", NEEDS)
def test_every_need_of_accuracy_is_a_sentence_with_a_blank_for_what_is_open(kind: str, language: str) -> None:
    with speaking(language):
        begun = said(kind, **NEEDS[kind].begins)
        assert "…" in begun
        assert not set("{}") & set(begun)
        assert "…" not in said(kind, **{name: 0.5 for name in NEEDS[kind]().missing() if name not in RATE})
        assert word("need_about", NEEDS[kind].about)


def test_every_group_of_sentences_has_some() -> None:
    assert {made.about for made in NEEDS.values()} == set(get_args(About))


def test_the_sentences_newcomers_said() -> None:
    assert said("share_within", half_width=10.0, share=0.95, level=0.95) == (
        "In 95 of 100 figures (38 of the 40) within ± 10, in 95 of 100 cases"
    )
    assert said("all_within", half_width=10.0, level=0.95) == "All 40 figures at once within ± 10, in 95 of 100 cases"
    assert said("noise_interval", half_width=10.0, level=0.95) == "Each figure within ± 10 in 95 of 100 cases"
    assert said("relative_error", fraction=0.1, of=50.0, at_most=0.05) == (
        "Within 10 % of a count of 50, but for 5 of 100 cases"
    )
    assert said("rmse", at_most=150.0) == "Typical error at most 150"
    assert said("rmse", at_most=10_000.0) == "Typical error at most 10,000"
    assert said("rmse", at_most=1234.5678) == "Typical error at most 1,234.5678"  # never rounded
    with speaking("de"):
        assert said("noise_interval", half_width=2.5, level=0.975) == "Jede Zahl auf ± 2,5 genau in 97,5 von 100 Fällen"


@pytest.mark.parametrize(("share", "some"), [(0.95, 38), (0.951, 39), (0.1, 4), (0.07, 3), (1.0, 40), (0.0, 0)])
def test_so_many_of_so_many_is_never_fewer_than_the_share(share: float, some: int) -> None:
    assert f"({some} of the 40)" in said("share_within", half_width=1.0, share=share, level=0.5)
