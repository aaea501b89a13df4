"""What no theorem can speak of: fractions under geometric noise, contradicting sensitivities, exact figures beside the
noise."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.decision import Assessment, Release, assess, edits, release_flaws
from tests.oracles import noise_oracle
from tests.samples.decisions import decided

CAP = {"shape": "cap_or_ratio", "posterior": 0.5, "ratio": 5}
GUESS = {"prior": {"family": "uniform", "low": 0, "high": 10}, "truth": 5, "precision": 1, "effect": 1}
PRIVACY: tuple[dict[str, Any], ...] = (
    {"kind": "relative_risk", "adversary": "inclusion", "p": [0, 1], "profile": CAP},
    {"kind": "relative_risk", "adversary": "attribute", "q": [0, 1], "profile": CAP},
    {"kind": "lee_clifton", "population": 4, "posterior": 0.5},
    {"kind": "participation", "posterior_without": 0.1, "posterior_with": 0.3},
    {"kind": "guessing_advantage", "attributes": [GUESS], "advantage": 0.1},
    {"kind": "categorical_advantage", "prior": {"a": 0.2, "b": 0.8}, "truth": "worst", "advantage": 0.1},
    {"kind": "privacy_at_risk", "level": 0.4, "confidence": 0.1},
    {"kind": "persuasive_privacy", "score": "log", "kappa": 0.5, "delta": 0, "prior_mass": 0.1},
    {"kind": "budget", "total": 2.0},
    {"kind": "compensation", "people": 3, "cost": 550_000, "money": 1_000_000},
)
NEED = {"kind": "rmse", "at_most": 5}


def solve(*requirements: dict[str, Any], acknowledged: tuple[str, ...] = (), **release: Any) -> Assessment:
    known = tuple({"assumption": key, "text": "as shown"} for key in acknowledged)
    return assess(edits.put(decided(*requirements, **release), "$.acknowledged", known))


def named(found: Assessment) -> set[tuple[str, str]]:
    return {(problem.key, problem.where) for problem in found.problems}


def part(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "statistic": "count", "sensitivity": 1, "share": 0.5, **more}


@pytest.mark.parametrize(
    ("release", "field"),
    [
        ({"statistic": "mean", "neighbours": "replace"}, "$.release.mechanism"),
        ({"statistic": "sum"}, "$.release.step"),
        ({"statistic": "sum", "step": 0.5}, "$.release.step"),
        ({"parts": [part("a"), part("b", statistic="sum")]}, "$.release.parts[1].step"),
        (
            {"mechanism": "laplace", "parts": [part("a"), part("b", statistic="mean", mechanism="geometric")]},
            "$.release.parts[1].mechanism",
        ),
    ],
    ids=["mean", "sum", "half steps", "sum among tables", "mean among tables"],
)
def test_every_promise_about_a_fraction_under_geometric_noise_is_not_applicable_and_says_where(
    release: dict[str, Any], field: str
) -> None:
    found = solve(*PRIVACY, **release)
    for answer in found.answers:
        assert (answer.kind, answer.status, answer.why.key) == (answer.kind, "not_applicable", "whole_numbers")
        assert answer.why.values["field"] == field
        assert answer.why.values["tables"] == (("b",) if "parts" in release else ())
    assert ("whole_numbers", field) in named(found)
    assert not found.window.complete


def test_a_sum_in_whole_steps_is_answered_and_its_error_where_the_noise_is_added_by_ones() -> None:
    counted, summed = (solve(*PRIVACY, NEED, **release) for release in ({}, {"statistic": "sum", "step": 1}))
    assert [answer.epsilon for answer in summed.answers] == [answer.epsilon for answer in counted.answers]
    tens = solve(*PRIVACY, NEED, statistic="sum", step=10, sensitivity=100)
    assert all(answer.status == "allowed" for answer in tens.answers[:-1])
    assert (tens.answers[-1].status, tens.answers[-1].why.key) == ("not_applicable", "noise_in_steps")
    asked = {"kind": "compensation", "people": 1, "cost": 1000, "rate": 0.1, "money": 800, "model": "expected_loss"}
    assert (
        solve(asked, statistic="sum", step=10, sensitivity=100).answers[0].status == "not_applicable"
    )  # another loss than by ones


def test_a_histogram_of_the_rows_of_a_unit_loses_more_than_a_sensitivity_below_them_says() -> None:
    epsilon, rows = 0.5, 3  # one unit has three rows in one bin; the noise is made for one
    ratio = noise_oracle.geometric_at_most(-rows, epsilon) / noise_oracle.geometric_at_most(0, epsilon)
    assert float(ratio) == pytest.approx(math.exp(-epsilon * rows), rel=1e-9)
    found = solve(*PRIVACY, statistic="histogram", contributions=rows)
    assert {(answer.status, answer.why.key) for answer in found.answers} == {
        ("not_applicable", "histogram_below_contributions")
    }
    assert ("histogram_below_contributions", "$.release.sensitivity") in named(found)
    assert not found.window.complete
    kept = solve(*PRIVACY, statistic="histogram", contributions=rows, sensitivity=3)
    assert all(
        answer.status == "allowed" for answer in kept.answers if answer.kind != "guessing_advantage"
    )  # bins jump


def test_gaussian_noise_on_a_histogram_is_measured_by_the_root_of_the_rows() -> None:
    noise = {"statistic": "histogram", "mechanism": "gaussian", "delta": 1e-6, "contributions": 3}
    assert solve(PRIVACY[-2], sensitivity=1.7, **noise).answers[0].why.key == "histogram_below_contributions"
    assert solve(PRIVACY[-2], sensitivity=1.7320508075688774, **noise).answers[0].status == "allowed"


def test_a_count_of_persons_may_change_by_one_where_that_is_acknowledged() -> None:
    found = solve(*PRIVACY, contributions=3)
    assert all(
        "counts_units_once" in answer.assumptions and answer.grounds == "proved_under" for answer in found.answers
    )
    assert ("sensitivity_below_contributions", "$.release.sensitivity") in named(found)
    assert any(p.key == "not_acknowledged" and p.values["assumption"] == "counts_units_once" for p in found.problems)
    known = solve(*PRIVACY, contributions=3, acknowledged=("counts_units_once",))
    assert ("sensitivity_below_contributions", "$.release.sensitivity") not in named(known)
    of_rows = solve(*PRIVACY, contributions=3, sensitivity=3)
    assert not any("counts_units_once" in answer.assumptions for answer in of_rows.answers)
    assert all(answer.status == "allowed" for answer in of_rows.answers)


def test_a_histogram_that_changes_by_less_than_two_rests_on_rows_that_stay_in_their_cells() -> None:
    moved = {"statistic": "histogram", "dimension": 4}
    for release in ({"neighbours": "replace", "sensitivity": 1}, {"sensitivity": 1, "sensitivity_other": 1}):
        assert all("stays_in_its_cells" in answer.assumptions for answer in solve(*PRIVACY, **moved, **release).answers)
    for release in (
        {"neighbours": "replace", "sensitivity": 2},
        {"sensitivity": 1, "sensitivity_other": 2},
        {"sensitivity": 1},
    ):
        assert not any(
            "stays_in_its_cells" in answer.assumptions for answer in solve(*PRIVACY, **moved, **release).answers
        )


def test_the_rows_of_a_unit_may_be_spread_over_tables_but_not_vanish() -> None:
    tables = [part(name, statistic="histogram") for name in ("a", "b")]
    spread = solve(*PRIVACY, contributions=2, parts=tables, sensitivity=2)
    assert all("contributions_over_tables" in answer.assumptions for answer in spread.answers)
    lost = solve(*PRIVACY, contributions=3, parts=tables, sensitivity=2)
    assert {answer.why.key for answer in lost.answers} == {"histogram_below_contributions"}


def test_a_table_that_changes_by_more_than_the_whole_release_allows_nothing() -> None:
    found = solve(*PRIVACY, parts=[part("a"), part("b", sensitivity=1.5)])
    assert {(answer.status, answer.why.key) for answer in found.answers} == {("not_applicable", "part_above_release")}
    assert found.answers[0].why.values["tables"] == ("b",)
    assert ("part_above_release", "$.release.parts[1].sensitivity") in named(found)


def test_a_table_without_noise_beside_noisy_ones_leaves_no_promise() -> None:
    for parts in (
        [part("noisy"), part("exact one", mechanism="exact")],
        [part("exact one", mechanism="exact"), part("noisy")],
    ):
        found = solve(*PRIVACY, parts=parts)
        assert {(answer.status, answer.why.key) for answer in found.answers} == {("not_applicable", "exact_tables")}
        assert all(answer.why.values["tables"] == ("exact one",) for answer in found.answers)
        assert not found.window.complete
    for parts in ([part("a", mechanism="exact"), part("b", mechanism="exact")], []):
        found = solve(*PRIVACY, parts=parts, mechanism="exact")
        assert {(answer.status, answer.why.key) for answer in found.answers} == {
            ("not_applicable", "exact_has_no_epsilon")
        }


def test_an_exact_total_elsewhere_tells_who_is_in_the_data_whatever_the_noise_on_the_cells() -> None:
    found = solve(*PRIVACY, NEED, published_elsewhere="The totals of 2020, exactly")
    for answer in found.answers[:-1]:
        assert "exact_figures_elsewhere" in answer.assumptions
        assert answer.grounds == "proved_under"
    assert "exact_figures_elsewhere" not in found.answers[-1].assumptions  # an error says nothing about people
    assert any(
        p.key == "not_acknowledged" and p.values["assumption"] == "exact_figures_elsewhere" for p in found.problems
    )
    for nothing in (None, "  "):
        assert not any(
            "exact_figures_elsewhere" in answer.assumptions
            for answer in solve(*PRIVACY, published_elsewhere=nothing).answers
        )


def count_of_a_sample(ones: int, fraction: float, epsilon: float) -> dict[int, float]:
    """Return the law of a count with geometric noise, of ONES units each drawn with a chance of FRACTION."""
    a, law = math.exp(-epsilon), dict.fromkeys(range(-60, 60), 0.0)
    for drawn in range(ones + 1):
        chance = math.comb(ones, drawn) * fraction**drawn * (1 - fraction) ** (ones - drawn)
        for output in law:
            law[output] += chance * (1 - a) / (1 + a) * a ** abs(output - drawn)
    return law


@pytest.mark.parametrize(("epsilon", "fraction"), [(0.1, 0.3), (1.0, 0.05), (3.0, 0.9)])
def test_a_unit_that_may_not_have_been_drawn_loses_just_what_is_said_or_nothing_is_said(
    epsilon: float, fraction: float
) -> None:
    sample = {"sampling_fraction": fraction, "sample_secret": True, "neighbours": "add_remove", "sensitivity": 1}
    release = Release.model_validate({"statistic": "count", "mechanism": "geometric", **sample})
    said = release_flaws.amplified(release, epsilon)
    laws = [count_of_a_sample(ones, fraction, epsilon) for ones in range(4)]
    lost = max(abs(math.log(p[z] / q[z])) for p, q in itertools.pairwise(laws) for z in range(-20, 20))
    assert lost <= said * (1 + 1e-12)
    assert lost == pytest.approx(said, rel=1e-9)
    halves = Release.model_validate({"statistic": "sum", "mechanism": "geometric", **sample})
    assert release_flaws.amplified(halves, epsilon) is None
    exact = Release.model_validate({"statistic": "count", "mechanism": "exact", **sample})
    assert release_flaws.amplified(exact, epsilon) is None


def test_a_unit_that_moves_between_disjoint_tables_loses_what_both_spend() -> None:
    tables = [part("a", statistic="histogram", share=1, disjoint_with=["b"]), part("b", statistic="histogram", share=1)]
    found = solve(
        {"kind": "lee_clifton", "population": 4, "posterior": 0.5}, {"kind": "budget", "total": 2.0}, parts=tables
    )
    value, budget = found.answers
    assert budget.epsilon == 2.0  # added or removed, it is in one of them
    a = math.exp(-value.epsilon)
    law = {z: (1 - a) / (1 + a) * a ** abs(z) for z in range(-30, 31)}
    moved = max(law[x] * law[y] / law[x + 1] / law[y - 1] for x in range(-9, 9) for y in range(-9, 9))  # one cell each
    assert 1 / (1 + 3 / moved) <= 0.5 * (1 + 1e-9)  # one of four equally likely people, after the likeliest output
    with pytest.raises(InvalidInput, match="the shares come to 2"):
        solve(parts=tables, neighbours="replace")
