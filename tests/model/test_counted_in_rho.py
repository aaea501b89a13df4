"""A release with Gaussian noise and no delta counts in rho: limits, needs and noise are those of zCDP."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from dpwizard.decision import Decision, PrivacySetting, UnitPresent, ValueChanged, assess, read_decision

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


@pytest.mark.parametrize("mechanism", ["gaussian", "discrete_gaussian"])
def test_only_gaussian_noise_without_a_delta_counts_in_rho(mechanism: str) -> None:
    assert decision(release={"mechanism": mechanism}).release.counted_in == "rho"
    assert decision(release={"mechanism": mechanism, "delta": 1e-6}).release.counted_in == "epsilon"
    assert decision(release={"mechanism": "laplace"}).release.counted_in == "epsilon"
    assert decision(release={"mechanism": "exact"}).release.counted_in == "epsilon"
    both = [{**THREE[0], "mechanism": mechanism}, {**THREE[1], "mechanism": "laplace"}]
    assert decision(release={"parts": both}).release.counted_in == "epsilon"
    beside_exact = [{**THREE[0], "mechanism": mechanism}, {"name": "x", "mechanism": "exact"}]
    assert decision(release={"parts": beside_exact}).release.counted_in == "rho"


def test_accuracy_needs_the_rho_of_its_deviation_and_no_delta() -> None:
    needs = {"rmse": 2.0, "mean_absolute_error": 2.0 * math.sqrt(2 / math.pi)}
    asked = [{"kind": kind, "at_most": most} for kind, most in needs.items()]
    interval = {"kind": "noise_interval", "half_width": 2.0 * 1.959963984540054, "level": 0.95}
    found = assess(decision(*asked, interval, release={"sensitivity": 3}))
    for answer in found.answers:  # rho = D^2 / (2 sd^2)
        assert answer.epsilon == pytest.approx(9 / 8, rel=1e-12)
    assert found.answers[0].epsilon is not None
    assert Fraction(found.answers[0].epsilon) >= Fraction(9, 8)


def test_tables_divide_rho() -> None:
    needs = [{"kind": "rmse", "at_most": 2.0, "part": part["name"]} for part in THREE]
    for mechanism, rel in (("gaussian", 1e-12), ("discrete_gaussian", 1e-9)):
        release = {"parts": THREE, "mechanism": mechanism}
        for answer, part in zip(assess(decision(*needs, release=release)).answers, THREE, strict=True):
            distance, portion = float(str(part["sensitivity"])), float(str(part["share"]))
            assert answer.epsilon == pytest.approx(distance**2 / 8 / portion, rel=rel)


@pytest.mark.parametrize("times", [1, 3])
def test_two_worlds_lie_as_far_apart_as_rho_says(times: int) -> None:
    parts = [{**part, "sensitivity_other": 1.5 * float(str(part["sensitivity"]))} for part in THREE]
    release = decision(release={"parts": parts, "repetitions": times}).release
    for pair, spread in ((UnitPresent(), 1.0), (ValueChanged(), 1.5)):
        setting = release.privacy_setting(pair, in_epsilon=False)
        assert isinstance(setting, PrivacySetting)
        loss = setting.loss
        assert loss.mu(0.32) == pytest.approx(spread * 0.8 * math.sqrt(times), rel=1e-13)
        assert loss.mu(0.32) ** 2 >= spread**2 * 0.64 * times  # never below the truth
        assert loss.at(0.32) == pytest.approx(0.32 * spread**2 * times, rel=1e-13)
        for mu in (1e-6, 0.8, 40.0):
            largest = loss.largest_for_mu(mu)
            assert largest == pytest.approx(mu**2 / 2 / spread**2 / times, rel=1e-12, abs=0)
            assert loss.mu(largest) <= mu
            by_rho = loss.largest(mu**2 / 2)
            assert by_rho == pytest.approx(largest, rel=1e-12, abs=0)
            assert loss.at(by_rho) <= mu**2 / 2


def test_what_reads_an_epsilon_asks_for_the_delta() -> None:
    answer = assess(decision({"kind": "budget", "total": 1})).answers[0]
    assert answer.status == "unanswered"
    assert answer.why.figures["fields"] == ("$.release.delta",)
    assert "$.release.delta" not in {problem.where for problem in assess(decision()).problems}


def test_earlier_releases_count_by_their_rho() -> None:
    spent = [
        {"mechanism": "laplace", "epsilon": 0.4, "neighbours": "add_remove"},
        {"mechanism": "gaussian", "rho": 0.1, "neighbours": "add_remove"},
    ]
    release = decision(release={"spent": spent, "priors_from": "before_all"}).release
    setting = release.privacy_setting(UnitPresent(), in_epsilon=False)
    assert isinstance(setting, PrivacySetting)
    assert setting.own(0.5) == pytest.approx(0.5 + 0.1 + 0.4**2 / 2, rel=1e-12)
    assert setting.limit(0.5) == pytest.approx(0.5 - 0.1 - 0.4**2 / 2, rel=1e-12)
    assert setting.limit(0.1) == 0.0
    unknown = decision(release={"spent": [{"epsilon": 1, "delta": 1e-6, "neighbours": "add_remove"}]}).release
    setting = unknown.privacy_setting(before_all=True, in_epsilon=False)
    assert isinstance(setting, PrivacySetting)
    assert setting.missing is not None  # an epsilon with a delta says nothing of rho


def test_two_worlds_lie_as_far_apart_with_a_delta_and_without() -> None:
    asked = {"kind": "two_worlds", "chance_without": 0.01, "chance_with": 0.02}
    quantile = {0.01: -2.3263478740408408, 0.02: -2.053748910631823}
    allowed = assess(decision(asked)).answers[0].epsilon
    assert allowed == pytest.approx((quantile[0.02] - quantile[0.01]) ** 2 / 2, rel=1e-12)
    discrete = assess(decision(asked, release={"mechanism": "discrete_gaussian", "dimension": 9})).answers[0].epsilon
    assert discrete is not None
    assert allowed is not None
    assert discrete < allowed  # whole noise has no curve of continuous noise
