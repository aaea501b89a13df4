"""Kinds whose limits need more than one closed form: budgets by every rule, money, levels at risk, persuasion, exact
means."""

from __future__ import annotations

import itertools
import json
import math
from typing import Any

import pytest

from dpwizard.base import json_text
from dpwizard.decision import RequirementResult, assess, read_decision
from dpwizard.privacy import mechanisms, persuasive_privacy, privacy_at_risk
from dpwizard.privacy.accounting import composition
from tests.samples.decisions import decided, example


def answer(requirement: dict[str, Any], epsilon: float | None = None, **release: Any) -> RequirementResult:
    found = assess(decided(requirement, epsilon=epsilon, **{"mechanism": "laplace", **release}))
    json.loads(json_text.line(found))  # every answer can be written
    return found.answers[0]


def budget(rule: str, total: float = 3.0, **more: Any) -> dict[str, Any]:
    return {"kind": "budget", "total": total, "composition": rule, "delta": 1e-5, **more}


def test_sharper_rules_allow_more_and_none_breaks_its_own_bound() -> None:
    limits = [answer(budget(rule), repetitions=50).epsilon or 0.0 for rule in ("basic", "advanced", "optimal", "tight")]
    assert limits == sorted(limits)
    assert 50 * limits[0] <= 3.0
    assert composition.advanced(epsilon0=limits[1], releases=50, delta=1e-5) <= 3.0
    assert composition.optimal(epsilon0=limits[2], releases=50, delta=1e-5) <= 3.0
    assert composition.tight(mechanism="laplace", levels=((limits[3], 50),), delta=1e-5).upper <= 3.0
    assert composition.optimal(epsilon0=limits[2] * (1 + 1e-6), releases=50, delta=1e-5) > 3.0
    assert composition.tight(mechanism="laplace", levels=((limits[3] * (1 + 1e-4), 50),), delta=1e-5).upper > 3.0


def test_gaussian_repetitions_compose_exactly_under_the_tight_rule() -> None:
    found = answer(budget("tight", 2.0), repetitions=20, mechanism="gaussian", delta=1e-7).epsilon
    assert found is not None
    sd = mechanisms.GAUSSIAN.scale(found, 1.0, 1e-7)
    assert composition.gaussian(sigma=sd, releases=20, delta=1e-5) == pytest.approx(2.0, rel=1e-8)
    assert answer(budget("optimal"), mechanism="gaussian", delta=1e-7).status == "not_applicable"
    assert answer(budget("basic"), mechanism="gaussian", delta=1e-6, repetitions=20).status == "infeasible"


def test_what_is_spent_is_taken_off_whatever_the_rule() -> None:
    spent = [{"record": "A", "epsilon": 1.0, "neighbours": "add_remove"}]
    for rule in ("basic", "optimal"):
        fresh, left = answer(budget(rule, 2.0), repetitions=10), answer(budget(rule, 3.0), repetitions=10, spent=spent)
        assert left.epsilon == pytest.approx(fresh.epsilon, rel=1e-8)
    assert answer(budget("tight", 0.5), spent=spent).status == "infeasible"


def test_the_refuted_confidence_is_shown_and_does_not_bound() -> None:
    found = answer({"kind": "privacy_at_risk", "level": 0.4, "confidence": 0.6}, neighbours="replace", epsilon=0.5)
    assert found.epsilon == pytest.approx(0.4)
    assert found.as_published["epsilon"] == pytest.approx(0.797323, abs=1e-6)
    assert "refuted" in found.as_published["source"]
    assert found.at_epsilon["confidence"] == pytest.approx(math.exp(-0.25) * math.sinh(0.2))


def test_a_small_confidence_allows_more_than_the_level_and_holds_there() -> None:
    epsilon = answer({"kind": "privacy_at_risk", "level": 0.4, "confidence": 0.1}, neighbours="replace").epsilon
    assert epsilon > 0.4
    assert privacy_at_risk.confidence(mechanism="laplace", epsilon=0.4, epsilon0=epsilon) >= 0.1
    assert privacy_at_risk.confidence(mechanism="laplace", epsilon=0.4, epsilon0=epsilon * (1 + 1e-9)) < 0.1


@pytest.mark.parametrize(("model", "money"), [("plain", 74434.40578013698), ("expected_loss", 63893.99829362979)])
def test_the_papers_case_costs_what_was_computed_at_one_half(model: str, money: float) -> None:
    found = answer({"kind": "compensation", "people": 1, "cost": 550_000, "money": money, "model": model}, epsilon=0.5)
    assert 0.5 * (1 - 1e-3) <= found.epsilon <= 0.5 * (1 + 1e-9)  # a search ends on the safe side
    assert found.at_epsilon["cost"] == pytest.approx(money)
    assert found.grounds == "proved_under"
    assert found.assumptions == ("cost_model_chosen",)


def test_money_below_the_least_cost_is_infeasible_and_money_for_everything_never_binds() -> None:
    least = {"kind": "compensation", "people": 10, "cost": 100, "floor": 5}
    assert answer({**least, "money": 49}).status == "infeasible"
    assert answer({**least, "money": 10 * 105}).status == "unbounded"


@pytest.mark.parametrize(
    ("score", "fields", "release"),
    [
        ("log", {"prior_mass": 0.1}, {"mechanism": "laplace"}),
        ("log", {"prior_mass": 0.1}, {"mechanism": "geometric"}),
        ("log", {"prior_mass": 0.1}, {"mechanism": "gaussian", "delta": 1e-6}),
        ("interval", {"length": 1, "prior_sd": 2, "margin": 1}, {"mechanism": "gaussian", "delta": 1e-6}),
        ("dawid_sebastiani", {"prior_sd": 2, "r1": 1}, {"mechanism": "gaussian", "delta": 1e-6}),
    ],
)
def test_a_persuasion_limit_gives_at_least_the_noise_that_is_needed(
    score: str, fields: dict[str, Any], release: dict[str, Any]
) -> None:
    kappa = 0.5 if score == "interval" else 2.0  # an interval's gain is 0 or 1
    asked = {"kind": "persuasive_privacy", "score": score, "kappa": kappa, "delta": 0.05, **fields}
    epsilon = answer(asked, **release, neighbours="replace").epsilon  # the relation that the log score speaks of
    assert epsilon is not None
    need = persuasive_privacy.noise_needed(
        score=score, mechanism_kind=release["mechanism"], kappa=kappa, delta=0.05, **fields
    ).noise
    scale = mechanisms.mechanism_named(release["mechanism"]).scale(epsilon, 1.0, release.get("delta", 0.0))
    wanted = 1 / need if release["mechanism"] == "geometric" else need
    assert scale >= wanted * (1 - 1e-15)
    assert scale == pytest.approx(wanted, rel=1e-9)


def test_repeated_releases_keep_a_persuasion_limit_only_where_that_is_proved() -> None:
    log = {"kind": "persuasive_privacy", "score": "log", "kappa": 0.5, "prior_mass": 0.1}
    one, four = answer(log).epsilon, answer(log, repetitions=4).epsilon
    assert four == pytest.approx(one / 4)
    assert answer({**log, "delta": 0.01}, repetitions=4).why.key == "composition_not_proved"


def test_an_exact_mean_is_judged_and_has_no_window() -> None:
    mean = {"kind": "exact_mean", "n": 100, "correlation": 0.0, "r1": 4.0}
    kept, broken = answer({**mean, "kappa": 4.2}, mechanism="exact"), answer({**mean, "kappa": 4.0}, mechanism="exact")
    assert (kept.status, kept.met, kept.epsilon, kept.side) == ("allowed", True, None, "verdict")
    assert (broken.status, broken.met) == ("infeasible", False)
    assert answer({**mean, "kappa": 4.2}).status == "not_applicable"
    assert kept.as_published["kappa"] == pytest.approx(4 + math.log(100 / 99))


@pytest.mark.parametrize(
    ("sensitivity", "change"), [(1e300, {"prior_sd": 1e-300}), (1e300, {"kappa": 600.0}), (1e-300, {"prior_sd": 1e300})]
)
def test_noise_beyond_all_numbers_is_answered_and_not_sought_for_ever(
    sensitivity: float, change: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, calls = mechanisms.GaussianNoise.scale, itertools.count()

    def counted(*given: Any) -> float:
        assert next(calls) < 10_000
        return real(*given)

    monkeypatch.setattr(mechanisms.GaussianNoise, "scale", counted)
    raw = example("bon_persuasion")
    raw["release"]["sensitivity"] = sensitivity
    for one in raw["requirements"]:
        one.update({name: value for name, value in change.items() if name in one})
    found = assess(read_decision(raw)).answers
    assert {one.status for one in found if one.kind == "persuasive_privacy"} <= {"allowed", "unbounded"}
