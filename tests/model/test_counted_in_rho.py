"""A release with Gaussian noise and no delta counts in rho: limits, needs and noise are those of zCDP."""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import decimal
from dpwizard.base.values import plain
from dpwizard.decision import (
    AddOrRemoveOne,
    Decision,
    ReplaceOne,
    assess,
    edits,
    read_decision,
    to_json,
)
from dpwizard.privacy.accounting.functions import epsilon_from_rho

RELEASE = {
    "statistic": "count",
    "neighbours": "add_remove",
    "sensitivity": 1,
    "mechanism": "gaussian",
    "unit": "person",
}
THREE = [
    {"name": "a", "sensitivity": 1, "share": 0.5},
    {"name": "b", "sensitivity": 2, "share": 0.3},
    {"name": "c", "sensitivity": 3, "share": 0.2},
]


def decision(*requirements: dict[str, Any], release: dict[str, Any] | None = None, **rest: Any) -> Decision:
    whole = {**RELEASE, **(release or {})}
    return read_decision({"format": "dpwizard.decision/1", "release": whole, "requirements": requirements, **rest})


def test_accuracy_needs_the_rho_of_its_deviation_and_no_delta() -> None:
    needs = {"rmse": 2.0, "mean_absolute_error": 2.0 * math.sqrt(2 / math.pi)}
    asked = [{"kind": kind, "at_most": most} for kind, most in needs.items()]
    interval = {"kind": "noise_interval", "half_width": 2.0 * 1.959963984540054, "level": 0.95}
    found = assess(decision(*asked, interval, release={"sensitivity": 3}))
    for answer in found.answers:  # rho = D^2 / (2 sd^2)
        assert answer.epsilon == pytest.approx(9 / 8, rel=1e-12)
    assert Fraction(found.answers[0].epsilon) >= Fraction(9, 8)


@pytest.mark.parametrize("times", [1, 3])
def test_two_worlds_lie_as_far_apart_as_rho_says(times: int) -> None:
    parts = [{**part, "sensitivity_other": 1.5 * float(str(part["sensitivity"]))} for part in THREE]
    release = decision(release={"parts": parts, "repetitions": times}).release
    for pair, spread in ((AddOrRemoveOne(), 1.0), (ReplaceOne(), 1.5)):
        setting = release.privacy_setting(pair, in_epsilon=False)
        loss = setting.loss
        assert loss.mu(0.32) == pytest.approx(spread * 0.8 * math.sqrt(times), rel=1e-13)
        assert loss.mu(0.32) ** 2 >= spread**2 * 0.64 * times * (1 - 1e-15)  # never below the truth
        assert loss.total_epsilon(0.32) == pytest.approx(0.32 * spread**2 * times, rel=1e-13)
        for mu in (1e-6, 0.8, 40.0):
            largest = loss.largest_for_mu(mu)
            assert largest == pytest.approx(mu**2 / 2 / spread**2 / times, rel=1e-12, abs=0)
            assert loss.mu(largest) <= mu
            by_rho = loss.max_budget(mu**2 / 2)
            assert by_rho == pytest.approx(largest, rel=1e-12, abs=0)
            assert loss.total_epsilon(by_rho) <= mu**2 / 2


def test_earlier_releases_count_by_their_rho() -> None:
    spent = [
        {"mechanism": "laplace", "epsilon": 0.4, "neighbours": "add_remove"},
        {"mechanism": "gaussian", "rho": 0.1, "neighbours": "add_remove"},
    ]
    release = decision(release={"spent": spent, "priors_from": "before_all"}).release
    setting = release.privacy_setting(AddOrRemoveOne(), in_epsilon=False)
    assert setting.loss.total_epsilon(0.5) == pytest.approx(0.5 + 0.1 + 0.4**2 / 2, rel=1e-12)
    assert setting.loss.max_budget(0.5) == pytest.approx(0.5 - 0.1 - 0.4**2 / 2, rel=1e-12)
    assert setting.loss.max_budget(0.1) == 0.0
    unknown = decision(release={"spent": [{"epsilon": 1, "delta": 1e-6, "neighbours": "add_remove"}]}).release
    setting = unknown.privacy_setting(before_all=True, in_epsilon=False)
    assert setting.loss.missing is not None  # an epsilon with a delta says nothing of rho


# ------------------------------------------------------------------------------------------ a choice stated as rho


def test_a_fraction_is_kept_as_written_and_its_noise_is_never_too_small() -> None:
    stated = "293764/114921"
    made = decision({"kind": "rmse", "at_most": 2}, rho=stated)
    assert to_json(made)["rho"] == stated
    assert made.chosen is not None
    assert decimal(made.chosen) <= Fraction(stated) < decimal(math.nextafter(made.chosen, math.inf))
    assert decision(rho="1/5").chosen == 0.2
    noise = assess(made).answers[0].as_plain()["at_epsilon"]
    assert Fraction(noise["sd"]) ** 2 >= 1 / (2 * Fraction(stated))


@pytest.mark.parametrize("rho", ["1/0", "a/b", "-1/2", "1/2/3", "0.5", "", "1" * 41 + "/3", -1.0, math.inf, True, None])
def test_what_is_no_rho_is_refused_by_name(rho: Any) -> None:
    if rho is None:
        assert decision(rho=None).chosen is None
        return
    with pytest.raises(InvalidInput) as refused:
        decision(rho=rho)
    assert refused.value.where == "$.rho"


def test_rho_and_epsilon_are_never_both_stated() -> None:
    with pytest.raises(InvalidInput) as refused:
        decision(rho=1, epsilon=1)
    assert "epsilon" in str(refused.value)
    assert "rho" in refused.value.where
    chosen = edits.put(edits.put(decision(), "$.epsilon", 1.0), "$.rho", "1/3")
    assert (chosen.epsilon, chosen.rho) == (None, "1/3")
    assert edits.put(chosen, "$.epsilon", 2.0).rho is None
    assert edits.put(chosen, "$.epsilon", None).rho == "1/3"


@pytest.mark.parametrize("dimension", [1, 5])
@pytest.mark.parametrize("mechanism", ["gaussian", "discrete_gaussian"])
@pytest.mark.parametrize("rho", [0.5, "1/300", 20.0])
def test_with_a_delta_a_rho_is_the_largest_epsilon_of_no_smaller_noise(
    mechanism: str, dimension: int, rho: float | str
) -> None:
    release = {"mechanism": mechanism, "delta": 1e-6, "dimension": dimension}
    made = decision({"kind": "rmse", "at_most": 2}, release=release, rho=rho)
    assert made.chosen is not None
    sigma = 1 / math.sqrt(2 * Fraction(rho))
    number = made.release.number_setting()
    assert number.scale(made.chosen) >= sigma * (1 - 1e-15)
    found = assess(made).as_plain()
    assert found["epsilon"] == made.chosen
    if (mechanism, dimension) != ("discrete_gaussian", 1):  # of which one epsilon may need more noise than another rho
        assert number.scale(made.chosen) == pytest.approx(sigma, rel=1e-8)
        assert found["accounting"].rho == pytest.approx(float(Fraction(rho)), rel=1e-8)


def test_a_rho_that_says_nothing_of_a_release_is_a_problem_and_no_choice() -> None:
    other = decision(release={"mechanism": "laplace"}, rho=1)
    below = decision(release={"delta": 0.1}, rho=1e-6)
    for made, key in ((other, "rho_of_other_noise"), (below, "rho_below_delta")):
        assert made.chosen is None
        assert ("$.rho", key) in {(problem.where, problem.key) for problem in assess(made).problems}
    whole = {"mechanism": "discrete_gaussian", "delta": 0.25, "dimension": 2}
    assert decision(release=whole, rho=0.015).chosen is None  # of an epsilon of 0 that delta keeps it already
    without_delta = assess(decision(epsilon=1))
    assert without_delta.epsilon is None
    assert "$.release.delta" in {problem.where for problem in without_delta.problems}


# ------------------------------------------------------------------------------------------------- what is told

ASKED = (
    {"kind": "rmse", "at_most": 2},
    {"kind": "two_worlds", "chance_without": 0.01, "chance_with": 0.05},
    {"kind": "budget", "total": 3},
)


@pytest.mark.parametrize("delta", [None, 1e-6])
@pytest.mark.parametrize("mechanism", ["gaussian", "discrete_gaussian"])
def test_rho_and_mu_never_pass_a_limit_and_never_fall_short_of_a_need(mechanism: str, delta: float | None) -> None:
    found = plain(assess(decision(*ASKED[:2], release={"mechanism": mechanism, "delta": delta, "dimension": 3})))
    need, limit = found["answers"]
    sigma = {"gaussian": 2.0, "discrete_gaussian": need["rho"] and 1 / math.sqrt(2 * need["rho"])}[mechanism]
    assert need["rho"] >= 1 / (2 * sigma**2) * (1 - 1e-15)
    assert need["rho"] == pytest.approx(1 / 8, rel=1e-8)
    assert ("mu" in need, "mu" in found["window"]) == ((True, True) if mechanism == "gaussian" else (False, False))
    if mechanism == "gaussian":
        most = NormalDist().inv_cdf(0.05) - NormalDist().inv_cdf(0.01)
        assert most * (1 - 1e-11) < limit["mu"] <= most
        assert limit["rho"] <= most**2 / 2
        assert need["mu"] >= 0.5
    assert found["window"]["rho"] == {"lower": need["rho"], "upper": limit["rho"]}


def test_an_epsilon_of_gaussian_noise_names_its_rules() -> None:
    rules = {}
    for mechanism, dimension in (("gaussian", 4), ("discrete_gaussian", 4), ("discrete_gaussian", 1)):
        release = {"mechanism": mechanism, "delta": 0.01, "dimension": dimension}
        told = assess(decision(release=release, rho=0.5)).accounting
        rules[mechanism, dimension] = {one.rule: one.epsilon for one in told.conversions}
        assert (told.mu is None) == (mechanism != "gaussian")
    whole = rules["discrete_gaussian", 1]
    assert list(rules["gaussian", 4]) == ["exact", "cks", "loose"]
    assert list(rules["discrete_gaussian", 4]) == ["cks", "loose"]
    assert list(whole) == ["tight", "cks", "loose"]
    assert rules["gaussian", 4]["exact"] == pytest.approx(2.3178, abs=1e-4)  # Balle & Wang 2018, sigma 1
    assert whole["tight"] == pytest.approx(2.3639, abs=1e-4)  # never the continuous curve
    for told_by in rules.values():
        assert told_by["cks"] == pytest.approx(epsilon_from_rho(rho=0.5, delta=0.01), rel=1e-8)
        assert list(told_by.values()) == sorted(told_by.values())


def test_repetitions_are_accounted_for_together() -> None:
    for delta in (None, 1e-6):
        told = assess(decision(release={"repetitions": 4, "delta": delta}, rho=0.125)).accounting
        assert told.rho == pytest.approx(0.5, rel=1e-10)
        assert told.mu == pytest.approx(1.0, rel=1e-10)
    pure = assess(decision(release={"mechanism": "laplace", "repetitions": 4}, epsilon=0.1)).accounting
    assert (pure.epsilon, pure.delta, pure.mu, pure.conversions) == (0.4, None, None, ())
    assert pure.rho == pytest.approx(4 * 0.1**2 / 2, rel=1e-12)
