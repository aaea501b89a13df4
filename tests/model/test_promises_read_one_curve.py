"""Every promise about two worlds reads one curve of all that is released: limits, histories, and what is met."""

from __future__ import annotations

import math
from typing import Any

import pytest

from dpwizard.base.values import plain
from dpwizard.decision import Decision, assess, read_decision
from dpwizard.decision.settings import PrivacyInputs
from dpwizard.privacy.accounting.functions import read
from dpwizard.wording import assessments

ADVANTAGE = {"kind": "attack_advantage", "advantage": 0.2}
RARELY = {
    "kind": "relative_risk",
    "adversary": "inclusion",
    "p": 0.01,
    "profile": {"shape": "constant", "ratio": 10},
    "statement": "tolerance",
    "tolerance": 0.001,
}
MAY_BECOME = {"kind": "two_worlds", "chance_without": 0.01, "chance_with": 0.05}
SUCCESS = {"kind": "attack_success", "baseline": 0.01, "at_most": 0.05}
WHOLE = "discrete_gaussian"
HISTOGRAM = {"statistic": "histogram", "sensitivity": 1, "dimension": 10, "mechanism": WHOLE}


def decided(*asked: dict[str, Any], parts: Any = (), **release: Any) -> Decision:
    chosen = {name: release.pop(name) for name in ("epsilon", "rho") if name in release}
    stated = {"neighbours": "add_remove", **release, **({"parts": list(parts)} if parts else {})}
    return read_decision({"format": "dpwizard.decision/1", "release": stated, "requirements": list(asked), **chosen})


def limit(asked: dict[str, Any], **release: Any) -> float:
    found = assess(decided(asked, **release)).answers[0]
    assert found.status == "allowed", found.why
    assert found.epsilon is not None
    return found.epsilon


def tables(count: int, **figures: Any) -> list[dict[str, Any]]:
    return [{"name": f"t{i}", "sensitivity": 1, "share": f"1/{count}", **figures} for i in range(count)]


@pytest.mark.parametrize(
    ("asked", "release", "true"),
    [
        (ADVANTAGE, HISTOGRAM, 0.125664),
        ({**RARELY, "p": 1e-9}, HISTOGRAM, 0.203384),  # ratio 10 but for 1 in 1,000
        (ADVANTAGE, {"parts": tables(20, statistic="count", mechanism="geometric")}, 2.29512),
        (ADVANTAGE, {"parts": tables(72, statistic="histogram", dimension=5, mechanism=WHOLE)}, 0.128371),
        (MAY_BECOME, {"parts": tables(72, statistic="histogram", dimension=5, mechanism=WHOLE)}, 0.23221963352737143),
        (SUCCESS, {"parts": tables(72, statistic="histogram", dimension=5, mechanism=WHOLE)}, 0.23221963352737143),
    ],
)
def test_limits_are_those_of_the_exact_curve_and_never_above(asked, release, true):
    found = limit(asked, **release)
    assert true * (1 - 1e-3) <= found <= true * (1 + 5e-6)


def setting_of(decision: Decision) -> PrivacyInputs:
    found = decision.requirements[0].setting(decision.release)
    assert isinstance(found, PrivacyInputs)
    return found


def test_two_tables_may_move_in_different_ways_and_the_worst_counts():
    # four rows of a person in a cell or in four, in each of two tables
    parts = tables(2, statistic="histogram", dimension=4, mechanism=WHOLE)
    decision = decided(ADVANTAGE, parts=[{**part, "sensitivity": 2} for part in parts], contributions=4)
    told = setting_of(decision).loss.trade_off(1.0)
    sigma = 2 / math.sqrt(2 * 1.0 * 0.5)
    one, four = ({"noise": WHOLE, "sigma": sigma, "move": m, "times": n} for m, n in ((2, 1), (1, 4)))
    every = [[one, one], [one, four], [four, four]]
    for name, at, own in (("tpr", 1e-6, told.max_probability(1e-6)), ("advantage", None, told.advantage())):
        worst = read(histories=every, read=name, at=at)
        assert own == pytest.approx(worst, rel=1e-3)


def test_a_person_who_leaves_a_table_for_one_of_another_noise_moves_both():
    parts = [
        {"name": "a", "statistic": "count", "sensitivity": 1, "mechanism": "laplace", "epsilon": 0.5, "group": "g"},
        {"name": "b", "statistic": "count", "sensitivity": 1, "mechanism": WHOLE, "share": 1, "group": "g"},
    ]
    changed = {**RARELY, "adversary": "attribute", "p": 1, "q": [0.1, 0.5]}
    decision = decided(changed, parts=parts, neighbours="replace")
    told = setting_of(decision).loss.trade_off(0.2)
    both = [{"noise": "laplace", "epsilon": 0.5}, {"noise": WHOLE, "sigma": math.sqrt(1 / 0.4), "move": 1}]
    assert told.advantage() >= read(releases=both, read="advantage") * (1 - 1e-4)


@pytest.mark.parametrize("typed", [1.41, 2**0.5])
def test_a_root_that_was_rounded_when_it_was_typed_moves_two_cells(typed):
    histogram = {**HISTOGRAM, "neighbours": "replace", "sensitivity": typed}
    asked = {**RARELY, "adversary": "attribute", "p": 1, "q": [0.1, 0.5]}
    found = setting_of(decided(asked, **histogram)).loss.trade_off(0.2)
    two = [{"noise": WHOLE, "sigma": typed / math.sqrt(0.4), "move": 1, "times": 2}]
    assert found.advantage() >= read(releases=two, read="advantage") * (1 - 1e-6)


def test_an_earlier_release_enters_as_what_is_known_of_it():
    count = {"statistic": "count", "sensitivity": 1, "mechanism": WHOLE, "priors_from": "before_all"}
    spent = {"neighbours": "add_remove"}
    earlier = {
        "pure": ({**spent, "epsilon": 0.3}, {"noise": "stated", "epsilon": 0.3}),
        "delta": ({**spent, "epsilon": 0.3, "delta": 1e-5}, {"noise": "stated", "epsilon": 0.3, "delta": 1e-5}),
        "rho": ({**spent, "rho": 0.02}, {"noise": "zcdp", "rho": 0.02}),
    }
    for entry, release in earlier.values():
        told = setting_of(decided(ADVANTAGE, spent=[entry], **count)).loss.trade_off(0.1)
        own = {"noise": WHOLE, "sigma": math.sqrt(1 / 0.2), "move": 1}
        true = read(releases=[own, release], read="tpr", at=0.01)
        assert true * (1 - 1e-9) <= told.max_probability(0.01) <= true * (1 + 1e-3)


def test_the_chosen_budget_is_judged_by_its_own_reading():
    # one number with discrete noise: 3.44 keeps epsilon 10.33 at 1e-6, and the smaller 3.29 does not
    budget = {"kind": "budget", "total": 10.33, "delta": 1e-6, "composition": "tight"}
    count = {"statistic": "count", "sensitivity": 1, "mechanism": WHOLE}
    holds, fails = (assess(decided(budget, rho=rho, **count)) for rho in (3.44, 3.29))
    assert holds.answers[0].met is True
    assert fails.answers[0].met is False
    assert fails.inside is False
    assert fails.answers[0].at_epsilon["spent_total"] > 10.33
    assert "checked by itself" in assessments.window(holds)
    calm = assess(decided(ADVANTAGE, rho=0.1, **count))
    assert calm.answers[0].met is True
    assert "checked by itself" not in assessments.window(calm)


def test_every_accounting_says_a_mu_and_an_epsilon_at_three_deltas():
    found = plain(assess(decided(ADVANTAGE, rho=0.5, **HISTOGRAM)).accounting)
    assert found["gdp_mu"] == pytest.approx(1.0458, rel=1e-3)  # 4.6 % above the continuous 1 at sigma 1
    assert [row["delta"] for row in found["at_delta"]] == [1e-5, 1e-6, 1e-10]
    for row in found["at_delta"]:
        one = [{"noise": WHOLE, "sigma": 1.0, "move": 1}]
        assert row["epsilon"] == pytest.approx(read(releases=one, read="epsilon", at=row["delta"]), rel=1e-3)
    laplace = plain(
        assess(decided(ADVANTAGE, epsilon=1.0, statistic="count", sensitivity=1, mechanism="laplace")).accounting
    )
    assert laplace["gdp_mu"] == pytest.approx(1.0301, rel=1e-3)
    assert laplace["at_delta"][2]["epsilon"] <= 1.0
    gaussian = plain(assess(decided(ADVANTAGE, rho=0.5, **{**HISTOGRAM, "mechanism": "gaussian"})).accounting)
    assert gaussian["gdp_mu"] == pytest.approx(1.0, rel=1e-9)
    assert gaussian["at_delta"][1]["epsilon"] == pytest.approx(4.886554117462212, rel=1e-9)


@pytest.mark.parametrize("noise", [WHOLE, "geometric", "laplace"])
def test_a_first_answer_is_safe_near_the_final_one_and_says_of_no_choice_that_it_fails(noise):
    parts = [{**part, "sensitivity": 10 + at} for at, part in enumerate(tables(18, statistic="count"))]
    tight = {"kind": "budget", "composition": "tight", "total": 1.0, "delta": 1e-6}
    asked = (ADVANTAGE, RARELY, MAY_BECOME, SUCCESS, tight)
    counted = {"rho": 0.2} if noise == WHOLE else {"epsilon": 3.0}
    decision = decided(*asked, parts=parts, mechanism=noise, **counted)
    first, final = assess(decision, draft=True), assess(decision)
    assert first.pending == tuple(range(len(asked)))
    for soon, sharp in zip(first.answers, final.answers, strict=True):
        assert (soon.status, sharp.status, soon.met is False) == ("allowed", "allowed", False)
        assert 0.85 * (sharp.epsilon or 0.0) <= (soon.epsilon or 0.0) <= (sharp.epsilon or 0.0)
    told = setting_of(decision).loss.trade_off(first.answers[0].epsilon or 0.0)  # a discrete one is judged by that
    assert told.advantage() <= 0.2
    assert assess(decision, first) == final  # none of it stays
