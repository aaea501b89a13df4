"""The sentences that are signed: their figures against exact arithmetic, and that they are not said where untrue."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

from dpwizard.decision import assess
from dpwizard.wording.figures import cases_up, effect_up
from dpwizard.wording.plain_sentences import PlainSentences, chance_after, loss_given_others, plain_sentences
from tests.samples.decisions import decided

HOSPITAL = {
    "statistic": "histogram",
    "dimension": 27,
    "sensitivity": 1,
    "mechanism": "geometric",
    "neighbours": "add_remove",
    "unit": "patient",
    "unit_kind": "person",
    "person_word": "patient",
    "reveals": "had the rare infection",
    "divisions": [{"name": "ward", "parts": 9}, {"name": "age group", "parts": 3}],
}
GAUSSIAN = {"mechanism": "gaussian", "delta": 1e-6}


def said(*requirements: dict[str, Any], epsilon: float = 0.88, **release: Any) -> PlainSentences:
    decision = decided(*requirements, epsilon=epsilon, **{**HOSPITAL, **release})
    found = plain_sentences(decision, assess(decision))
    assert found is not None
    return found


def test_hospital_at_088_says_71_and_94_of_100() -> None:
    found = said()
    assert found.promise == (
        "Even someone who knows every other patient’s result, and would otherwise toss a coin about this one, "
        "is right in at most 71 of 100 guesses."
    )
    assert (found.guesses.seen, found.guesses.out_of) == (71, 100)
    assert found.beliefs == "Who thought 1 in 100 before may think at most 2.4 in 100; who thought 1 in 10, 22 in 100."
    assert "guessed right in at most 94 of 100 cases" in found.not_hidden
    assert found.not_hidden.startswith("what a ward’s total says about everyone there.")


@pytest.mark.parametrize("epsilon", [0.01, 0.46, 0.54, 0.88, 1.0, 2.1972245773, 3.0, 5.0, 9.0])
def test_guesses_are_the_even_odds_bound_rounded_up(epsilon: float) -> None:
    found = said(epsilon=epsilon).guesses
    right = math.exp(epsilon) / (1 + math.exp(epsilon))
    assert found.out_of * right - 1e-9 <= found.seen < found.out_of * right + 1
    assert found.seen < found.out_of


def test_the_chance_after_is_the_odds_times_the_loss() -> None:
    for before in (0.01, 0.1, 0.5, 0.9):
        after = chance_after(before, 0.88)
        assert after / (1 - after) == pytest.approx(before / (1 - before) * math.exp(0.88))


def test_repetitions_count_in_full() -> None:
    decision = decided(epsilon=0.44, **{**HOSPITAL, "repetitions": 2})
    assert loss_given_others(decision) == pytest.approx(0.88)


def test_earlier_releases_count_where_beliefs_are_from_before() -> None:
    spent = [{"epsilon": 0.5, "neighbours": "add_remove"}]
    since = decided(epsilon=0.88, **{**HOSPITAL, "spent": spent})
    before = decided(epsilon=0.88, **{**HOSPITAL, "spent": spent, "priors_from": "before_all"})
    assert loss_given_others(since) == pytest.approx(0.88)
    assert loss_given_others(before) == pytest.approx(1.38)


@pytest.mark.parametrize(
    "release",
    [
        GAUSSIAN,
        {"unit_kind": "event", "unit": "visit"},
        {"slice": "day"},
        {"unit_kind": "device", "unit": "device"},
        {"slices_per_person": 3, "slice": "month"},
        {"neighbours": None},
        {"trust_model": "local"},
        {"exact_figures": [{"name": "all patients"}]},
    ],
)
def test_no_figure_for_a_person_where_it_would_be_untrue(release: dict[str, Any]) -> None:
    found = said(**release)
    assert found.guesses is None
    assert found.beliefs == ""
    assert "toss a coin" not in found.promise
    assert "guessed right" not in found.not_hidden


def test_admitted_faults_of_the_noise_take_the_sentence_away() -> None:
    decision = decided(epsilon=0.88, **HOSPITAL)
    assert loss_given_others(decision) is not None
    details = decision.details.model_copy(update={"domain_source": "confidential"})
    assert loss_given_others(decision.model_copy(update={"details": details})) is None


def test_effects_are_rounded_up_and_rare_and_nearly_certain_cases_said_as_people_say_them() -> None:
    said = [effect_up(value) for value in (0.02377, 0.2113, 0.7069, 0.0001234, 0.9991, 1.0)]
    assert said == ["2.4", "22", "71", "0.013", "99.91", "100"]
    assert [cases_up(value) for value in (0.0504, 0.998, 0.00124)] == ["5.1 of 100", "99.8 of 100", "1.3 of 1,000"]
    assert {cases_up(value) for value in (0.0009, 1.7e-7, 0.0)} == {"fewer than 1 of 1,000"}
    assert cases_up(0.99999) == "nearly all"


def test_small_chances_have_no_string_of_zeros_in_any_plain_sentence() -> None:
    for epsilon in (5.2, 12.0):
        found = said(epsilon=epsilon)
        assert "fewer than 1 of 1,000 cases" in found.gets
        assert not re.search(r"0\.00|99\.99", f"{found.gets} {found.beliefs} {found.promise}")
    assert "nearly certain" in found.beliefs


def test_needs_are_said_as_they_were_asked() -> None:
    ward = {"kind": "noise_interval", "cells": 3, "half_width": 5, "level": 0.95}
    found = said(ward, totals_printed=True)
    assert found.needs == ("A ward’s total is within 5 of the truth in 95 of 100 cases.",)
    assert found.gets == (
        "Each count is within 3 of the truth in 95 of 100 cases. "
        "A true 0 is published as 3 or more in 5.1 of 100 cases."
    )
    assert said(ward, totals_printed=True, epsilon=0.8).needs == ()


def programme(*asked: dict[str, Any], tables: int = 3) -> PlainSentences:
    parts = [
        {
            "name": f"t{at}",
            "statistic": "count",
            "sensitivity": 1,
            "share": f"1/{tables}",
            "level": "low" if at else "top",
        }
        for at in range(tables)
    ]
    decision = decided(*asked, mechanism="geometric", neighbours="add_remove", parts=parts, levels=["low", "top"])
    decision = decision.model_copy(update={"epsilon": 20.0})
    found = plain_sentences(decision, assess(decision))
    assert found is not None
    return found


def test_tables_of_which_the_same_is_kept_share_a_sentence_that_names_them() -> None:
    def within(half_width: float, **of: Any) -> dict[str, Any]:
        return {"kind": "noise_interval", "half_width": half_width, "level": 0.95, **of}

    low, top = within(10, where={"level": "low"}), within(10, where={"level": "top"})
    assert programme(low, top, within(7, part="t1")).needs == (
        "low, top: within ±10 in 95 of 100.",
        "t1: within ±7 in 95 of 100.",
    )
    each = [within(10, part=f"t{at}") for at in range(9)]
    assert programme(*each, tables=9).needs == ("t0, t1 and 7 more: within ±10 in 95 of 100.",)
    different = [within(10 + at, part=f"t{at}") for at in range(9)]
    assert programme(*different, tables=9).needs[-2:] == (
        "t2: within ±12 in 95 of 100.",
        "And 6 more accuracy requirements are met.",
    )
    pairs = [within(10 + at // 2, part=f"t{at}") for at in range(10)]
    assert (
        programme(*pairs, tables=10).needs[-1] == "And 4 more accuracy requirements are met."
    )  # two sentences of two each
    (summed,) = programme(within(10, sum_of=[{"part": "t1"}, {"part": "t2"}])).needs
    assert summed.startswith("a sum of several tables: The sum of 2 figures is within ")
    rmse = {"kind": "rmse", "at_most": 5}
    assert programme(rmse | {"part": "t2"}, rmse | {"part": "t0"}).needs[0].startswith("t2, t0: ")
