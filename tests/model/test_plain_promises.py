"""What is promised in plain words, whom it covers, and what is done where people depend on each other."""

from __future__ import annotations

from typing import Any

import pytest

from dpwizard.decision import (
    FORMAT,
    Decision,
    assess,
    assumptions,
    dependence,
    read_decision,
)
from dpwizard.questions import privacy_words

TABLE = {
    "statistic": "histogram",
    "neighbours": "add_remove",
    "mechanism": "geometric",
    "sensitivity": 1,
    "sensitivity_other": 2,
    "unit": "one patient",
    "divisions": [{"name": "ward", "parts": 9}, {"name": "age group", "parts": 3}],
    "person_word": "patient",
    "reveals": "had the rare infection",
}
NEIGHBOUR = {"kind": "relative_risk", "adversary": "inclusion", "p": [0, 1], "q": 1}
SOLVED = {**NEIGHBOUR, "profile": {"shape": "odds", "factor": 71 / 29}}
INDEPENDENCE = dependence.INDEPENDENCE


def decided(*requirements: dict[str, Any], **release: Any) -> Decision:
    return read_decision({"format": FORMAT, "release": {**TABLE, **release}, "requirements": list(requirements)})


def promise(decision: Decision, at: int = 0) -> str:
    asked = decision.requirements[at]
    right = privacy_words.right_of_100(decision, asked, assess(decision).answers[at])
    return privacy_words.promise(decision, asked, right)[0]


def test_promise_to_who_knows_all_others_says_so_and_has_the_same_number() -> None:
    known = decided({**SOLVED, "others_known": True})
    assert promise(decided(SOLVED)).endswith("in at most 71 of 100 guesses.")
    assert promise(known) == (
        "Even someone who knows every other patient’s result, and would otherwise toss a coin about this one, is right "
        "in at most 71 of 100 guesses."
    )
    assert promise(decided({"kind": "attack_advantage", "advantage": 0.42})) == promise(known)


def test_class_is_settled_where_they_may_think_anything_about_presence() -> None:
    assert dependence.assumptions_about_people(decided(NEIGHBOUR)) == (INDEPENDENCE,)
    assert "class_is_complete" in assumptions(decided({**NEIGHBOUR, "p": [0, 0.5]}))
    assert "class_is_complete" in assumptions(decided({**NEIGHBOUR, "adversary": "both", "q": [0, 1]}))


def test_refused_dependence_leads_to_a_promise_that_assumes_nothing() -> None:
    known = dependence.promised_to_all(decided(SOLVED), True)
    assert assumptions(known) == ()
    assert dependence.assumptions_about_people(known) == (INDEPENDENCE,)  # that it was refused is still shown
    assert dependence.way_chosen(known) == "known"
    assert assess(known).answers[0].epsilon == assess(decided(SOLVED)).answers[0].epsilon
    assert dependence.promised_to_all(known, False) == decided(SOLVED)


def test_people_protected_together_divide_the_limit_and_multiply_the_noise() -> None:
    decision = decided({**SOLVED, "p": 0.5}, {"kind": "noise_interval", "half_width": 5, "level": 0.95})
    together = dependence.with_people_together(decision, 3)
    assert (together.release.sensitivity, together.release.sensitivity_other) == (3.0, 6.0)
    assert dependence.protected_together(together.release) == 3
    assert dependence.way_chosen(together) == "together"
    before, after = (assess(one).answers[1].epsilon for one in (decision, together))
    assert after == pytest.approx(3 * before)
    assert dependence.with_people_together(together, 1) == decision


def test_people_of_sums_are_not_protected_together_as_it_is_not_known_what_one_changes() -> None:
    sums = decided(SOLVED, statistic="sum", sensitivity=40, sensitivity_other=None, mechanism="laplace")
    assert not dependence.can_protect_together(sums.release)
    assert dependence.with_people_together(sums, 3) == sums


def covers(decision: Decision) -> dict[str, str]:
    return {one.what: one.covers for one in privacy_words.covered(decision)}


def test_what_is_covered_follows_from_the_answers() -> None:
    assert covers(decided(SOLVED)) == {
        "Any colleague, employer, insurer": "open",
        "Other questions on a patient": "weaker",
        "3 patients together": "weaker",
        "A ward as a whole": "not_hidden",
    }
    known = dependence.promised_to_all(decided(SOLVED), True)
    assert covers(known)["Any colleague, employer, insurer"] == "kept"
    together = dependence.with_people_together(known, 4)
    assert covers(together)["4 patients together"] == "kept"


@pytest.mark.parametrize(("adversary", "right"), [("inclusion", 60), ("attribute", 69), ("both", 69)])
def test_two_values_of_a_person_are_further_apart_than_present_and_absent(adversary: str, right: int) -> None:
    """A histogram changes by 1 where somebody is left out, and by 2 where they move to another bin."""
    belief = {"q": 0.5} if adversary == "attribute" else {"p": [0, 1]}
    asked = {"kind": "relative_risk", "adversary": adversary, "profile": {"shape": "constant", "ratio": 1.5}, **belief}
    decision = decided(asked)
    assert privacy_words.right_at(decision, decision.requirements[0], 0.4) == right


def test_a_guess_is_right_about_any_two_values_and_not_about_one_step_of_precision() -> None:
    guess = {
        "prior": {"family": "uniform", "low": 0.0, "high": 10.0},
        "truth": "worst",
        "precision": 0.1,
        "effect": 1.0,
    }
    asked = {"kind": "guessing_advantage", "attributes": [guess], "combine": "one", "advantage": 0.1}
    decision = decided(
        asked, statistic="sum", sensitivity=10.0, sensitivity_other=10.0, mechanism="laplace", divisions=[]
    )
    assert privacy_words.right_at(decision, decision.requirements[0], 2.0) == 89
