"""The one-click changes of the decision step, against a search through every value.

For each kind of requirement in conflict, a change that is offered opens the window and no smaller one does; where none
is offered, none opens it; and each need in a conflict can ask for less.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import pytest

from dpwizard.base.errors import DPWizardError
from dpwizard.charts.influence_chart import Offer, offers
from dpwizard.decision import Assessment, Decision, assess, decided_numbers, edits, one_at_a_time_effects, read_decision
from dpwizard.decision.requirements import kinds
from dpwizard.questions.repairs import repairs
from tests.samples.decisions import COUNT, CROSSING, decided

LAPLACE = {**COUNT, "neighbours": "replace", "mechanism": "laplace"}
GAUSSIAN = {**LAPLACE, "mechanism": "gaussian", "delta": 1e-6}
STEPS = 2  # values tried between the present one and the one offered, and beyond where nothing is offered


def risk(profile: dict[str, Any], **rest: Any) -> dict[str, Any]:
    return {"kind": "relative_risk", "adversary": "inclusion", "p": [0.001, 1], "q": 1, "profile": profile, **rest}


def need(epsilon: float) -> dict[str, Any]:
    return {"kind": "exact_probability", "at_least": math.tanh(epsilon / 2)}


def rmse(at_most: float) -> dict[str, Any]:
    return {"kind": "rmse", "at_most": at_most}


def cap(total: float, **rest: Any) -> dict[str, Any]:
    return {"kind": "budget", "total": total, **rest}


INTERVAL = {
    "kind": "persuasive_privacy",
    "score": "interval",
    "kappa": 0.5,
    "delta": 0.05,
    "length": 1,
    "prior_sd": 1,
    "margin": 0.5,
}
TIME = {"prior": {"family": "uniform", "low": 12, "high": 28}, "truth": 20, "precision": 2, "effect": 0.01}
CONFLICTS: dict[str, tuple[dict[str, Any], list[dict[str, Any]]]] = {
    "relative_risk, cap or ratio": (COUNT, [risk({"shape": "cap_or_ratio", "posterior": 0.25, "ratio": 2}), need(2.2)]),
    "relative_risk, cap": (COUNT, [risk({"shape": "cap", "posterior": 0.4}, p=[0.01, 0.3]), need(3)]),
    "relative_risk, increase": (COUNT, [risk({"shape": "increase", "amount": 0.1}), need(2.2)]),
    "relative_risk, knots": (
        COUNT,
        [risk({"shape": "knots", "axis": "p", "points": [[0.001, 50], [0.1, 5], [1, 1.5]]}), need(2.2)],
    ),
    "relative_risk, below one": (COUNT, [risk({"shape": "steps", "axis": "p", "edges": [0.1], "ratios": [5, 0.5]})]),
    "relative_risk, but rarely": (
        {**COUNT, "mechanism": "gaussian", "delta": 1e-6},
        [
            risk({"shape": "cap_or_ratio", "posterior": 0.25, "ratio": 2}, statement="tolerance", tolerance=0.001),
            rmse(1),
        ],
    ),
    "relative_risk, nothing": (
        COUNT,
        [risk({"shape": "steps", "axis": "p", "edges": [0.1], "ratios": [3, 2]}), need(2.2)],
    ),
    "lee_clifton": (COUNT, [{"kind": "lee_clifton", "population": 1_000, "posterior": 0.0005}, need(2)]),
    "participation": (COUNT, [{"kind": "participation", "posterior_without": 0.8, "posterior_with": 0.82}, need(2)]),
    "participation, infeasible": (
        COUNT,
        [{"kind": "participation", "posterior_without": 0.2, "posterior_with": 0.1}, need(2)],
    ),
    "two_worlds": (COUNT, [{"kind": "two_worlds", "chance_without": 0.1, "chance_with": 0.15}, need(2)]),
    "two_worlds, infeasible": (COUNT, [{"kind": "two_worlds", "chance_without": 0.2, "chance_with": 0.1}, need(2)]),
    "attack_success": (COUNT, [{"kind": "attack_success", "baseline": 0.1, "at_most": 0.15}, need(2)]),
    "attack_advantage": (COUNT, [{"kind": "attack_advantage", "advantage": 0.1}, need(2)]),
    "guessing_advantage": (
        {**LAPLACE, "sensitivity": 0.16, "statistic": "mean"},
        [{"kind": "guessing_advantage", "attributes": [TIME], "advantage": 0.01}, rmse(0.1)],
    ),
    "categorical_advantage": (
        {**LAPLACE, "sensitivity": 2, "statistic": "histogram", "mechanism": "geometric"},
        [{"kind": "categorical_advantage", "prior": {"a": 0.2, "b": 0.8}, "truth": "a", "advantage": 0.05}, need(1)],
    ),
    "privacy_at_risk": (LAPLACE, [{"kind": "privacy_at_risk", "level": 0.3, "confidence": 0.9}, rmse(1)]),
    "compensation": (
        COUNT,
        [{"kind": "compensation", "people": 100, "cost": 5500, "money": 2000, "floor": 30}, need(2)],
    ),
    "persuasive_privacy, log": (
        LAPLACE,
        [{"kind": "persuasive_privacy", "score": "log", "kappa": 0.5, "prior_mass": 0.05}, rmse(1)],
    ),
    "persuasive_privacy, interval": (GAUSSIAN, [INTERVAL, rmse(1)]),
    "exact_mean": (
        {**LAPLACE, "mechanism": "exact", "statistic": "mean"},
        [{"kind": "exact_mean", "n": 100, "correlation": 0.0, "r1": 4.0, "kappa": 2.0}],
    ),
    "budget": ({**COUNT, "spent": [{"epsilon": 2.0, "neighbours": "add_remove"}]}, [cap(1), need(2)]),
    "budget, tight": ({**LAPLACE, "repetitions": 30}, [cap(1, composition="optimal", delta=1e-5), rmse(1)]),
    "rmse": (COUNT, [cap(1), rmse(0.5)]),
    "mean_absolute_error": (COUNT, [cap(1), {"kind": "mean_absolute_error", "at_most": 0.3}]),
    "noise_interval": (COUNT, [cap(0.5), {"kind": "noise_interval", "half_width": 0, "level": 0.95}]),
    "exact_probability": (COUNT, [cap(1), {"kind": "exact_probability", "at_least": 1}]),
    "switch_probability": (COUNT, [cap(1), CROSSING]),
    "relative_error": (COUNT, [cap(0.5), {"kind": "relative_error", "fraction": 0.1, "of": 20, "at_most": 0.1}]),
    "all_within": ({**COUNT, "dimension": 40}, [cap(0.5), {"kind": "all_within", "half_width": 5, "level": 0.95}]),
    "share_within": (
        {**COUNT, "dimension": 40},
        [cap(0.5), {"kind": "share_within", "half_width": 3, "share": 0.9, "level": 0.95}],
    ),
    "drop_rate": (COUNT, [cap(0.5), {"kind": "drop_rate", "true_value": 12, "threshold": 10, "at_most": 0.05}]),
    "spurious_rate": (COUNT, [cap(0.5), {"kind": "spurious_rate", "threshold": 3, "at_most": 0.01}]),
    "margin_of_error": (COUNT, [cap(0.5), {"kind": "margin_of_error", "half_width": 2, "z": 1.96}]),
}


def decision_of(release: dict[str, Any], requirements: list[dict[str, Any]]) -> Decision:
    return read_decision({"format": "dpwizard.decision/1", "release": release, "requirements": requirements})


def opens(decision: Decision, where: str, value: float) -> bool | None:
    """Return whether VALUE at WHERE opens the window for an epsilon above 0; None where it is not allowed."""
    now = edits.get(decision, where)
    if isinstance(now, int) and not float(value).is_integer():
        return None
    try:
        window = assess(edits.put(decision, where, int(value) if isinstance(now, int) else value)).window
    except DPWizardError:
        return None
    return not window.empty and (window.upper is None or window.upper > 0) and window.complete


def digits(value: float, up: bool) -> float:
    """Return the next number of three digits from VALUE, which is one."""
    step = 10.0 ** (math.floor(math.log10(value)) - 2)
    following = value + step if up else value - step
    if not up and following < 10.0 ** math.floor(math.log10(value)) * (1 - 1e-12):
        following = value - step / 10
    return float(f"{following:.6g}")


def test_every_kind_of_requirement_has_a_conflict_here() -> None:
    assert {name.split(",")[0] for name in CONFLICTS} == set(kinds()), "let it conflict with another in CONFLICTS"


@cache
def conflict(name: str) -> tuple[Decision, Assessment, tuple[Offer, ...]]:
    """Return a decision in conflict, what it comes to, and the changes of one field that are offered."""
    decision = decision_of(*CONFLICTS[name])
    assessment = assess(decision)
    return decision, assessment, tuple(one for one in offers(decision, assessment) if one.change is not None)


@pytest.mark.slow
@pytest.mark.parametrize("name", CONFLICTS)
def test_a_change_that_is_offered_is_the_smallest_that_opens_the_window(name: str) -> None:
    decision, assessment, offered = conflict(name)
    assert assessment.window.empty
    assert offered
    for offer in offered:
        change = offer.change
        value = edits.get(offer.make(decision), change.where)
        up = change.to > change.value
        assert opens(decision, change.where, value) is True, offer.words
        smaller = digits(change.to, not up)
        assert opens(decision, change.where, smaller) is not True, f"{offer.words}: {smaller:g} opens it too"
        start = change.value or change.to / 1e4
        for step in range(STEPS):  # nor does any value on the way there
            between = float(f"{start * (smaller / start) ** (step / STEPS):.3g}")
            assert opens(decision, change.where, between) is not True, f"{offer.words}: {between:g} opens it too"


@pytest.mark.slow
@pytest.mark.parametrize("name", CONFLICTS)
def test_where_no_change_of_a_field_is_offered_none_opens_the_window(name: str) -> None:
    decision, assessment, changes = conflict(name)
    offered = {(offer.change.where, offer.change.to > offer.change.value) for offer in changes}
    for where, value in decided_numbers(decision, assessment.window.conflict):
        for up in (True, False):
            if (where, up) in offered or (value == 0 and not up):
                continue
            ends = [
                value * 10.0 ** ((1 if up else -1) * 4 * step / STEPS) if value else 10.0 ** (step / 5 - 6)
                for step in range(1, STEPS)
            ]
            tried = [*ends, *((1.0, 0.999) if up and value < 1 else ())]  # a chance may open it only next to certainty
            assert not any(opens(decision, where, float(f"{one:.3g}")) for one in tried), (where, up)


def test_an_offer_that_loosens_a_promise_far_says_what_may_happen_to_a_person() -> None:
    register = risk({"shape": "constant", "ratio": 3}, p=0.01)
    said = {}
    for wanted in (1.2, 3.7):
        decision = decision_of(COUNT, [register, need(wanted)])
        (offer,) = (one for one in offers(decision, assess(decision)) if one.change and "ratio" in one.change.where)
        said[wanted] = offer.gives_up
        after = min(1.0, 0.01 * offer.change.to) if offer.change else 0.0
    assert said[1.2] == ""  # three times become 3.26: its number tells it
    assert "A chance of 1 in 100 before the release" in said[3.7]
    shown = float(said[3.7].split("at most ")[1].split()[0])
    assert -1e-9 < shown - 100 * after < 0.1


def test_an_offer_of_more_budget_says_how_well_a_person_is_told_and_one_of_a_need_gives_nothing_up() -> None:
    decision = decision_of(COUNT, [cap(0.5), need(3.6)])
    found = {one.change.where: one for one in offers(decision, assess(decision)) if one.change}
    assert found["$.requirements[1].at_least"].gives_up == ""
    told = found["$.requirements[0].total"]
    worst = 100 / (1 + math.exp(told.change.to)) if told.change else 0.0
    assert f"wrong in at least {math.floor(worst)}." in told.gives_up


@pytest.mark.slow
def test_an_offer_after_which_nothing_limits_the_budget_says_so() -> None:
    decision = decision_of(*CONFLICTS["persuasive_privacy, interval"])
    (told,) = (one for one in offers(decision, assess(decision)) if one.change and one.change.where.endswith("kappa"))
    assert told.change
    assert told.change.window.upper is None
    assert "no privacy requirement would limit epsilon any more" in told.gives_up


def test_a_tenth_more_that_takes_a_promise_away_is_no_wider_window() -> None:
    """Two repetitions: the promise of an interval score is not proved then, and its limit must not seem to rise."""
    decision = decision_of({**GAUSSIAN, "repetitions": 1}, [INTERVAL, cap(3), rmse(20)])
    found = {one.where: one for one in one_at_a_time_effects(decision)}
    assert "$.release.repetitions" not in found or found["$.release.repetitions"].up is None
    assert assess(edits.put(decision, "$.release.repetitions", 2)).answers[0].status == "not_applicable"


NEEDS: dict[str, dict[str, Any]] = {
    "rmse": {"at_most": 1.0},
    "noise_interval": {"half_width": 3, "level": 0.95},
    "exact_probability": {"at_least": 0.6},
    "switch_probability": {"at_most": 0.1, "steps": 2},
    "relative_error": {"fraction": 0.1, "of": 20, "at_most": 0.05},
    "margin_of_error": {"half_width": 2, "z": 1.645},
    "all_within": {"half_width": 5, "level": 0.95, "numbers": 9},
}


@pytest.mark.parametrize("kind", NEEDS)
def test_a_need_in_a_conflict_can_ask_for_less(kind: str) -> None:
    decision = decided({"kind": "budget", "total": 0.5}, {"kind": kind, **NEEDS[kind]})
    wider, nothing = repairs(decision, assess(decision))
    changed = wider.make(decision)
    assert (assess(changed).window.empty, assess(changed).window.upper) == (False, 0.5)
    assert (repairs(changed, assess(changed)), wider.price[:11]) == ((), "instead of ")
    assert nothing.make(decision).outcome == "reject"
    bound = decision.requirements[1].width or decision.requirements[1].bound
    before, after = (getattr(one.requirements[1], bound) for one in (decision, changed))
    stricter = after - 1 if kind in ("noise_interval", "all_within") else after + 0.01 * (before - after)
    assert assess(edits.put(changed, f"$.requirements[1].{bound}", stricter)).window.empty
