"""What follows from the plain answers about a release, and what was set by hand instead."""

from __future__ import annotations

from typing import Any

import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.base.language import speaking
from dpwizard.decision import Acknowledgement, Decision, edits, new_decision, problems
from dpwizard.decision.decision import State
from dpwizard.decision.derived_fields import (
    COUNTS_ONCE,
    NOTHING_ELSE,
    WHOLE_AMOUNTS,
    answer_plainly,
    asks_before,
    by_hand,
    counted,
    open_questions,
)
from dpwizard.wording import plain_words

WARDS = ({"name": "ward", "parts": 9}, {"name": "age group", "parts": 3})


def said(key: str, state: State = "accepted") -> dict[str, Acknowledgement]:
    return {key: Acknowledgement(assumption=key, text="As it was shown.", state=state)}


def hospital(**answers: Any) -> Decision:
    """Return 27 counts of a rare infection, published once; ANSWERS in place of the usual ones."""
    usual = {"each_number": "people", "divisions": WARDS, "person_word": "patient", "reveals": "had the rare infection"}
    decision = edits.put(new_decision(), "$.title", "Rare infection")
    decision = answer_plainly(decision, {**usual, "how_often": "once", **answers}, said(COUNTS_ONCE))
    return answer_plainly(decision, {}, said(NOTHING_ELSE))


def test_answers_of_the_hospital_give_every_technical_field() -> None:
    release = hospital().release
    assert (release.statistic, release.dimension, release.contributions) == ("histogram", 27, 1)
    assert (release.sensitivity, release.sensitivity_other) == (1.0, 2.0)
    assert (release.neighbours, release.mechanism, release.repetitions) == ("add_remove", "geometric", 1)
    assert (release.unit, release.post_processing, release.cap) == ("one patient", ("clamping",), None)
    assert not by_hand(hospital())
    assert not open_questions(hospital())
    assert not asks_before(hospital())
    assert not [problem for problem in problems(hospital()) if problem.step == "release"]


@pytest.mark.parametrize(
    ("most", "numbers", "added", "replaced"), [(2, WARDS, 2.0, 4.0), (3, WARDS[1:], 3.0, 3.0), (3, (), 3.0, 3.0)]
)
def test_counts_of_one_person_set_the_sensitivity(most: int, numbers: Any, added: float, replaced: float) -> None:
    decision = answer_plainly(hospital(divisions=numbers), {"contributions": most}, said(COUNTS_ONCE, "refused"))
    assert counted(decision) == "up_to"
    assert decision.release.contributions == most
    assert (decision.release.sensitivity, decision.release.sensitivity_other) == (added, replaced)


def test_not_knowing_the_counts_of_one_person_has_the_code_keep_one_entry() -> None:
    decision = answer_plainly(hospital(), {}, said(COUNTS_ONCE, "open"))
    assert counted(decision) == "unknown"
    assert (decision.release.cap, decision.release.sensitivity) == (1, 1.0)
    assert answer_plainly(decision, {}, said(COUNTS_ONCE)).release.cap is None


def test_more_counts_of_one_person_than_numbers_are_refused() -> None:
    with pytest.raises(InvalidInput, match="must be at most 27") as refused:
        answer_plainly(hospital(), {"contributions": 28}, said(COUNTS_ONCE, "refused"))
    assert refused.value.where == "$.release.contributions"


def test_sums_need_bounds_and_whole_amounts_get_whole_noise() -> None:
    decision = hospital(each_number="sum")
    assert (decision.release.statistic, decision.release.sensitivity) == ("vector", None)
    decision = answer_plainly(decision, {"lowest": 0, "highest": 500})
    assert (decision.release.sensitivity, decision.release.sensitivity_other) == (500.0, 1000.0)
    assert decision.release.mechanism == "laplace"
    whole = answer_plainly(decision, {}, said(WHOLE_AMOUNTS))
    assert whole.release.mechanism == "geometric"
    one = answer_plainly(whole, {"divisions": ()})
    assert (one.release.statistic, one.release.step, one.release.dimension) == ("sum", 1.0, 1)
    assert one.release.sensitivity_other == 500.0


def test_an_average_is_of_a_public_number_of_people() -> None:
    decision = hospital(each_number="average", divisions=())
    decision = answer_plainly(decision, {"lowest": 0, "highest": 50, "population": 1_000})
    assert (decision.release.statistic, decision.release.neighbours) == ("mean", "replace")
    assert decision.release.sensitivity == pytest.approx(0.05)


def test_a_field_set_by_hand_stays_until_its_own_question_is_answered_anew() -> None:
    decision = edits.put(hospital(), "$.release.mechanism", "laplace")
    assert by_hand(decision) == {"mechanism"}
    renamed = answer_plainly(decision, {"person_word": "infant"})
    assert renamed.release.mechanism == "laplace"
    assert renamed.release.unit == "one infant"


def test_not_knowing_what_is_public_waits_for_a_name() -> None:
    decision = answer_plainly(hospital(), {}, said(NOTHING_ELSE, "open"))
    assert [problem.key for problem in problems(decision) if problem.step == "release"] == ["nobody_vouches"]
    named = said(NOTHING_ELSE, "open")[NOTHING_ELSE].model_copy(update={"vouched_by": "The registrar"})
    assert not [p for p in problems(answer_plainly(decision, {}, {NOTHING_ELSE: named})) if p.step == "release"]


PLURALS = {
    "patient": "patients",
    "person": "people",
    "child": "children",
    "baby": "babies",
    "boy": "boys",
    "business": "businesses",
    "care worker": "care workers",
    "woman": "women",
    "salesperson": "salespeople",
}


@pytest.mark.parametrize(("one", "several"), PLURALS.items())
def test_the_word_for_one_person_has_a_plural(one: str, several: str) -> None:
    assert plain_words.plural(one) == several
    with speaking("de"):
        assert plain_words.plural(one) == one
