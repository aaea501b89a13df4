"""Releases for which an earlier version gave a limit, a figure or a sentence that was not true."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from dpwizard.decision import Assessment, Decision, TradeOff, assess, edits
from dpwizard.wording import general_guarantee, persons, texts
from tests.samples.decisions import decided

VALUE: dict[str, Any] = {
    "kind": "relative_risk",
    "adversary": "attribute",
    "q": [0, 1],
    "profile": {"shape": "constant", "ratio": 3},
}


def solve(*asked: dict[str, Any], **release: Any) -> Assessment:
    return assess(decided(*asked, **release))


def quarters(**more: Any) -> dict[str, Any]:
    """Return eight tables of "four quarters to ..." as they are written without periods: each under its own year."""
    parts = [
        {"name": f"to Q{at}", "statistic": "count", "sensitivity": 1, "share": "1/8", "year": str(at), **more}
        for at in range(8)
    ]
    return {"parts": parts, "mechanism": "laplace", "neighbours": "add_remove"}


# ------------------------------------------------------------------------- a sensitivity that leaving contradicts


@pytest.mark.parametrize("parts", ["moves", "group", "years"])
def test_sensitivity_below_that_of_leaving_is_a_problem_of_both_fields(parts: str) -> None:
    figures = {"statistic": "sum", "sensitivity": 1, "sensitivity_other": 10, "share": 0.5}
    one, other = {"name": "a", **figures}, {"name": "b", **figures}
    more: dict[str, Any] = {}
    if parts == "moves":
        one |= {"moves": True}
        other["sensitivity"] = 10
    elif parts == "group":
        one, other = {**one, "group": "g"}, {**other, "group": "g"}
    else:
        one, other, more = {**one, "year": "2024"}, {**other, "year": "2025"}, {"at_most_years": 1}
    found = solve(VALUE, neighbours="replace", mechanism="laplace", parts=[one, other], **more)
    (problem, *_) = [problem for problem in found.problems if problem.key == "sensitivity_below_leaving"]
    assert problem.where == "$.release.parts[0].sensitivity"
    said = texts.format_text("problem", problem.key, problem.values)
    assert "Sensitivity for the other neighbouring datasets" in said
    assert found.answers[0].status == "not_applicable"


# ------------------------------------------------------------------------- tables of several years


def test_years_of_one_person_rest_on_tables_of_their_own_year() -> None:
    found = solve(VALUE, at_most_years=1, **quarters())
    assert "own_year" in found.answers[0].assumptions
    assert found.answers[0].grounds == "proved_under"
    assert any(problem.values.get("assumption") == "own_year" for problem in found.problems)


@pytest.mark.parametrize(("at_most", "share"), [(1, "1/8"), (1, 1), (3, 0.3)])
def test_years_add_up_once_their_assumption_is_refused(at_most: int, share: float | str) -> None:
    decision = decided(VALUE, at_most_years=at_most, **quarters(share=share))
    refused = edits.add_up_years(decision)
    assert refused.release.at_most_years is None
    assert refused.release.share_total() == min(1, 8 * Fraction(str(share)))
    found = assess(refused)
    assert "own_year" not in found.answers[0].assumptions
    assert found.answers[0].epsilon <= assess(decision).answers[0].epsilon
    assert found.answers[0].epsilon == solve(VALUE, **quarters(share="1/8")).answers[0].epsilon


# ------------------------------------------------------------------------- tables that add up


def test_share_within_does_not_apply_where_tables_add_up() -> None:
    asked = {"kind": "share_within", "half_width": 1, "share": 0.66, "level": 0.8}
    table = {"statistic": "histogram", "dimension": 3, "mechanism": "geometric"}
    assert solve(asked, **table).answers[0].status == "allowed"
    found = solve(asked, post_processing=["consistency"], **table).answers[0]
    assert found.status == "not_applicable"
    assert found.why.key == "errors_depend"


# ------------------------------------------------------------------------- a unit that is less than a person


def decided_at(budget: dict[str, float], **release: Any) -> Decision:
    ((name, amount),) = budget.items()
    return edits.put(decided(**release), f"$.{name}", amount)


DEVICES: dict[str, Any] = {"unit_kind": "device", "slices_per_person": 5}
LAPLACE: dict[str, Any] = {"mechanism": "laplace", "epsilon": 1.05}


def test_chance_named_for_a_person_is_that_of_all_their_devices() -> None:
    """74 in 100 was shown once. Moved by five devices, the best rule is right in 96: 1 - e^(-5 epsilon/2)/2."""
    one, several = decided(**LAPLACE), decided(**LAPLACE, **DEVICES)
    assert general_guarantee.guess_odds(one) == (100, 75, 25)
    found = general_guarantee.guess_odds(several)
    assert found.seen / found.out_of >= 1 - 0.5 * math.exp(-5 * 1.05 / 2)
    assert "about" not in general_guarantee.one_person(several)  # what this noise itself does is known of one device


@pytest.mark.parametrize("budget", [{"epsilon": 1.0}, {"rho": 0.1}])
@pytest.mark.parametrize("unit", [{"unit_kind": "device"}, {"unit_kind": "person", "slice": "day"}])
def test_no_figure_is_named_for_a_person_of_an_unknown_number_of_units(
    budget: dict[str, float], unit: dict[str, Any]
) -> None:
    decision = decided_at(budget, mechanism="gaussian" if "rho" in budget else "laplace", **unit)
    assert general_guarantee.guess_odds(decision) is None
    for said in (general_guarantee.one_person(decision), general_guarantee.meaning(decision)[1]):
        assert not any(letter.isdigit() for letter in said), said


@pytest.mark.parametrize("neighbours", ["add_remove", "replace"])
def test_event_named_for_a_person_is_that_of_all_their_devices(neighbours: str) -> None:
    given: dict[str, Any] = {"mechanism": "gaussian", "neighbours": neighbours}
    one, several = decided_at({"rho": 0.02}, **given), decided_at({"rho": 0.02}, **given, **DEVICES)
    mu = math.sqrt(2 * 0.02)
    told = [TradeOff(mu=mu).max_probability(0.01), TradeOff(mu=5 * mu).max_probability(0.01)]
    for decision, most in zip((one, several), told, strict=True):
        assert f"{math.ceil(1000 * most)}" in general_guarantee.meaning(decision)[1]


def test_ratio_named_for_a_person_is_that_of_all_their_devices() -> None:
    several = decided(mechanism="laplace", epsilon=0.1, sensitivity_other=1, **DEVICES)
    assert "1.65" in general_guarantee.meaning(several)[1]  # e^(5 * .1) = 1.6487


def test_loss_of_slices_of_time_is_said_to_be_larger_where_one_figure_counts_several() -> None:
    days: dict[str, Any] = {"unit_kind": "person", "slice": "day", "slices_per_person": 5}
    for unit, adds_up in ((days, True), ({**days, "slice": "event"}, False), (DEVICES, False)):
        decision = decided_at({"rho": 0.02}, mechanism="gaussian", **unit)
        said = persons.of_a_person(decision.release, assess(decision))
        assert said.endswith("it is more.") is adds_up
    pure = decided(mechanism="laplace", epsilon=0.1, **days)  # five times epsilon in either case
    assert not persons.of_a_person(pure.release, assess(pure)).endswith("it is more.")


# ------------------------------------------------------------------------- a table that is made several times


# ------------------------------------------------------------------------- a gain that is not certain


# ------------------------------------------------------------------------- advice, and what is no longer claimed


def test_budget_of_mixed_noise_is_not_told_to_choose_the_rule_it_has() -> None:
    parts = [
        {"name": name, "statistic": "count", "sensitivity": 1, "share": 0.5, "mechanism": mechanism}
        for name, mechanism in (("a", "laplace"), ("b", "gaussian"))
    ]
    asked = {"kind": "budget", "total": 2.0, "composition": "basic", "delta": 1e-5}
    found = solve(asked, parts=parts, delta=1e-6).answers[0]
    assert found.status == "not_applicable"
    assert found.why.key == "rule_for_one_kind_of_noise"


# ------------------------------------------------------------------------- guesses far out in the tail

FAR_OUT: dict[str, Any] = {"prior": {"family": "normal", "mean": 0, "sd": 1}, "truth": 8, "precision": 1}


def test_joint_guess_whose_chance_is_too_small_to_write_is_not_unbounded() -> None:
    named = [{**FAR_OUT, "truth": 60, "name": name} for name in ("x", "y")]
    asked = {"kind": "guessing_advantage", "attributes": named, "combine": "and", "advantage": 0.1}
    table = {"statistic": "vector", "mechanism": "laplace", "neighbours": "replace", "effects": {"x": 1, "y": 1}}
    assert solve(asked, **table).answers[0].status in ("allowed", "not_applicable")


# ------------------------------------------------------------------------- what a docstring says of an error
