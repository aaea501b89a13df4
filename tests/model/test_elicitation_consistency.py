"""Contradictions: each is two answers side by side, nothing is settled in silence, and both answers are kept."""

from __future__ import annotations

import random
from typing import Any, get_args

import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.decision import ElicitationSession, Setup, read_session
from dpwizard.elicitation import interview as elicitation
from dpwizard.elicitation.consistency import Conflict
from tests.model.test_elicitation_questions import VALUE, walk
from tests.oracles import simulated_officer as officers
from tests.samples.words import keyed
from tests.soak.elicitation import KINDS

SETUP = Setup(q=(0.001, 0.5))


def level(
    before: int, after: int, answer: str, out_of: int = 1000, form: str = "plain", again: int | None = None
) -> dict[str, Any]:
    question = {
        "kind": "level",
        "form": form,
        "a": {"out_of": out_of, "before": before, "after": after},
        "text": "Would you sign?",
    }
    return {"question": {**question, **({"again": again} if again else {})}, "answer": answer}


def pair(
    a: tuple[int, int], b: tuple[int, int], answer: str, again: int | None = None, form: str = "plain"
) -> dict[str, Any]:
    sides = {name: {"out_of": 1000, "before": side[0], "after": side[1]} for name, side in (("a", a), ("b", b))}
    question = {"kind": "pair", "form": form, **sides, "text": "Which?", **({"again": again} if again else {})}
    return {"question": question, "answer": answer}


def session(*replies: dict[str, Any], **rest: Any) -> ElicitationSession:
    return read_session({"setup": {"q": [0.001, 0.5]}, "replies": list(replies), **rest})


def kinds(found: ElicitationSession) -> list[tuple[str, int, int]]:
    return [(one.kind, one.first, one.second) for one in elicitation.inconsistencies(found)]


def test_a_posterior_that_falls_as_the_prior_rises_is_found() -> None:
    # accepts 1 -> 50 in 1,000, but refuses 10 -> 40: an intruder who knew more and learns less
    assert kinds(session(level(1, 50, "yes"), level(10, 40, "no"))) == [("falling", 1, 2)]
    assert kinds(session(level(10, 40, "no"), level(1, 50, "yes"))) == [("falling", 1, 2)]


def test_refusing_less_than_what_was_accepted_at_the_same_prior_is_found() -> None:
    assert kinds(session(level(10, 90, "yes"), level(10, 50, "no"))) == [("crossing", 1, 2)]


def test_answers_that_some_rising_curve_gives_are_no_contradiction() -> None:
    assert kinds(session(level(1, 50, "yes"), level(10, 60, "no"), level(10, 55, "yes"), level(1, 56, "no"))) == []


def test_a_repetition_answered_differently_is_found_whatever_its_form() -> None:
    assert kinds(session(level(10, 90, "yes"), level(10, 90, "no", form="other", again=1))) == [("repeat", 1, 2)]
    assert (
        kinds(session(level(10, 90, "yes"), level(10, 90, "no", form="reversed", again=1))) == []
    )  # would not refuse: signs
    assert kinds(session(level(10, 90, "yes"), level(10, 90, "yes", form="reversed", again=1))) == [("repeat", 1, 2)]
    swapped = pair((100, 200), (10, 20), "a", again=1, form="reversed")
    assert kinds(session(pair((10, 20), (100, 200), "b"), swapped)) == []
    assert kinds(session(pair((10, 20), (100, 200), "a"), swapped)) == [("repeat", 1, 2)]


def test_neither_is_acceptable_refuses_both_releases() -> None:
    found = session(level(10, 90, "yes"), pair((10, 50), (100, 200), "neither"))
    assert kinds(found) == [("crossing", 1, 2)]


def test_preferring_a_release_that_is_refused_on_its_own_is_found() -> None:
    assert kinds(session(level(10, 90, "no"), pair((10, 90), (100, 200), "a"))) == [("rather", 1, 2)]
    assert kinds(session(level(10, 90, "no"), pair((10, 91), (100, 200), "a"))) == [("rather", 1, 2)]
    assert kinds(session(level(10, 90, "no"), pair((10, 89), (100, 200), "a"))) == []
    assert kinds(session(level(10, 90, "yes"), pair((10, 90), (100, 200), "b"))) == []


def test_two_comparisons_that_no_one_sense_of_graver_gives_are_found() -> None:
    first = pair((10, 50), (100, 200), "a")  # rather 10 -> 50 than 100 -> 200
    assert kinds(session(first, pair((10, 40), (100, 210), "b"))) == [("preference", 1, 2)]
    assert kinds(session(first, pair((100, 210), (10, 40), "a"))) == [("preference", 1, 2)]
    assert kinds(session(first, pair((10, 60), (100, 210), "b"))) == []
    assert kinds(session(first, pair((10, 40), (100, 190), "b"))) == []
    assert kinds(session(first, pair((10, 50), (100, 200), "b", again=1))) == [("repeat", 1, 2)], (
        "one contradiction is shown once"
    )


def error(off_by: float, answer: str, form: str = "plain", again: int | None = None) -> dict[str, Any]:
    question = {"kind": "level", "form": form, "blur": {"off_by": off_by, "one_in": 20}, "text": "Still publish?"}
    return {"question": {**question, **({"again": again} if again else {})}, "answer": answer}


def test_refusing_an_error_smaller_than_one_that_is_accepted_is_found() -> None:
    assert kinds(session(error(10.0, "yes"), error(5.0, "no"))) == [("coarser", 1, 2)]
    assert kinds(session(error(5.0, "no"), error(10.0, "yes"))) == [("coarser", 1, 2)]
    assert kinds(session(error(5.0, "yes"), error(10.0, "no"))) == []
    assert (
        kinds(session(error(5.0, "yes"), error(10.0, "yes", form="reversed"))) == []
    )  # "would you hold it back?" "yes"
    assert kinds(session(error(5.0, "no"), error(10.0, "no", form="reversed"))) == [("coarser", 1, 2)]
    assert kinds(session(error(5.0, "yes"), error(5.0, "no", form="other", again=1))) == [("repeat", 1, 2)]


@pytest.mark.soak
def test_no_officer_who_answers_by_a_tolerance_is_told_of_a_contradiction() -> None:
    luck = random.Random(3)
    for kind in KINDS:
        for _ in range(3):
            assert elicitation.inconsistencies(walk(SETUP, officers.draw(kind, luck, 0.001, 0.5))) == (), kind


def test_every_kind_of_contradiction_is_said_in_every_language() -> None:
    for language in ("en", "de"):
        assert set(get_args(Conflict)) == set(keyed(language)["inconsistency"])


def test_a_correction_below_the_chance_before_is_a_ratio_below_one() -> None:
    question = {"kind": "playback", "a": {"out_of": 1000, "before": 20, "after": 60}, "text": "Is that right?"}
    corrected = {"question": question, "answer": "corrected", "corrected": {"out_of": 1000, "before": 20, "after": 10}}
    assert kinds(session(corrected)) == [("below", 1, 1)]
    assert elicitation.result(session(corrected)).status == "too_few"


def test_a_chance_above_certainty_cannot_be_entered() -> None:
    with pytest.raises(InvalidInput, match="more than the 1000"):
        session(level(10, 1001, "yes"))


@pytest.mark.parametrize(
    ("stands", "standing"),
    [("first", (True, False)), ("second", (False, True)), ("neither", (False, False)), ("both", (True, True))],
)
def test_settling_keeps_both_answers_and_counts_what_stands(stands: str, standing: tuple[bool, bool]) -> None:
    found = session(level(1, 50, "yes"), level(10, 40, "no"))
    settled = elicitation.settled(found, 1, 2, stands, reason="the second was a slip", who="Ada")
    assert settled.replies == found.replies
    assert settled.standing() == standing
    assert elicitation.inconsistencies(settled) == ()
    assert settled.settlements[0].reason == "the second was a slip"


def test_settling_moves_the_result_and_an_unknown_answer_is_refused() -> None:
    whole = walk(VALUE)
    raw = whole.model_dump(exclude_none=True)
    accepted = next(
        r.question.a
        for r in whole.replies
        if r.question.kind == "level" and (r.answer == "yes") != (r.question.form == "reversed")
    )
    less = level(accepted.before, accepted.before + 1, "no", out_of=accepted.out_of)
    odd = read_session({**raw, "replies": (*raw["replies"], less)})
    assert any(one.second == len(odd.replies) for one in elicitation.inconsistencies(odd))
    settled = elicitation.settled(odd, len(odd.replies), len(odd.replies), "neither")
    assert elicitation.result(settled).epsilon == elicitation.result(whole).epsilon
    with pytest.raises(InvalidInput, match="beyond"):
        elicitation.settled(odd, 1, 99, "first")
    with pytest.raises(InvalidInput):
        elicitation.settled(odd, 1, 2, "the first")
