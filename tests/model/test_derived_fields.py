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
    derived,
    open_questions,
    public,
)
from dpwizard.questions import sums
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


def test_a_new_decision_leaves_every_question_open() -> None:
    asked = open_questions(new_decision())
    assert asked == ("title", "each_number", "divisions", "who", "counted", "how_often", "public")
    assert derived(new_decision()) == {}
    assert not by_hand(new_decision())


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


def test_a_slice_of_time_or_a_population_is_not_called_set_by_hand() -> None:
    assert not by_hand(edits.put(hospital(), "$.release.population", 40_000))


def test_a_decision_without_plain_answers_is_set_by_hand_and_asks_nothing_of_it() -> None:
    decision = edits.put(new_decision(), "$.release", hospital().release.model_copy(update={"each_number": None}))
    plain = {"divisions": (), "person_word": None, "reveals": None, "how_often": None}
    decision = edits.put(decision, "$.release", decision.release.model_copy(update=plain))
    assert {"statistic", "mechanism", "sensitivity", "unit"} <= by_hand(decision)
    assert open_questions(decision) == ("title",)
    assert answer_plainly(decision, {"how_often": "once"}).release.statistic == "histogram"


def test_what_is_published_more_than_once_or_before_is_asked_about() -> None:
    often = answer_plainly(hospital(), {"how_often": "every_year"})
    assert "how_often" in open_questions(often)
    assert "how_often" not in open_questions(answer_plainly(often, {"repetitions": 3}))
    assert asks_before(often)
    before = edits.put(hospital(), "$.release.published_elsewhere", "The total, in the annual report")
    assert public(before) == "something"
    assert asks_before(before)


def test_a_plain_answer_that_is_open_is_a_problem_of_the_release() -> None:
    decision = answer_plainly(hospital(), {"reveals": None, "how_often": None}, {NOTHING_ELSE: None})
    where = {problem.where for problem in problems(decision) if problem.step == "release"}
    assert where == {"$.release.reveals", "$.release.how_often", "$.release.published_elsewhere"}


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


def test_the_derivation_says_how_the_sensitivity_was_found() -> None:
    found = sums.derivation(hospital()) or ""
    assert "at most 1" in found
    assert "at most 2" in found
    assert sums.derivation(new_decision()) is None
