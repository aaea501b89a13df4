"""Plans: the least budget that meets all needs, and the ways out where the promises allow less."""

from __future__ import annotations

import math
from typing import Any

import pytest

from dpwizard.decision import Decision, assess, edits, plan, read_decision, resolutions

PROMISE = {"kind": "two_worlds", "chance_without": 0.05, "chance_with": 0.2}


def programme(
    widths: list[float],
    far: list[float],
    mechanism: str = "gaussian",
    *,
    shares: list[float] | None = None,
    **more: Any,
) -> Decision:
    """Return a decision of as many tables as there are WIDTHS, each with a need of that root-mean-square error."""
    stated = shares or [1.0 / len(widths)] * len(widths)
    parts = [
        {"name": str(i), "statistic": "count", "sensitivity": d, **({} if "allocation" in more else {"share": s})}
        for i, (d, s) in enumerate(zip(far, stated, strict=True))
    ]
    release = {"mechanism": mechanism, "neighbours": "add_remove", "unit": "person", "parts": parts, **more}
    asked = [{"kind": "rmse", "part": str(i), "at_most": width} for i, width in enumerate(widths)]
    raw = {"format": "dpwizard.decision/1", "release": release, "requirements": [PROMISE, *asked]}
    return read_decision(raw)


@pytest.mark.parametrize("mechanism", ["gaussian", "geometric"])
def test_a_plan_says_which_need_is_dearest_and_what_it_gets(mechanism: str) -> None:
    decision = programme([5.0, 2.0, 30.0], [1.0, 1.0, 1.0], mechanism)
    found = plan(decision, assess(decision))
    (dearest, share), *others = found.costs
    assert dearest == 2  # the need of table 1, behind the promise
    assert 0.6 < share < 1.0
    assert share + sum(one for _, one in others) == pytest.approx(1.0)
    assert found.bound == pytest.approx(found.least_by_needs, rel=1e-12)  # nothing adds up: each table needs its own
    assert found.least_by_needs < found.least  # even shares give table 2 more than it needs
    shared = way_without_widening(decision)
    assert found.least_by_needs == pytest.approx(assess(shared).window.lower, rel=1e-12)


@pytest.mark.parametrize("mechanism", ["laplace", "discrete_gaussian"])
def test_each_way_out_opens_the_window_it_says(mechanism: str) -> None:
    decision = programme([3.0, 1.0, 20.0], [1.0, 1.0, 1.0], mechanism)
    told = assess(decision)
    assert told.window.empty
    ways = resolutions(decision, told)
    assert {way.key for way in ways} >= {"share_and_widen"}
    for way in ways:
        made = assess(way.make(decision)).window
        assert (made.lower, made.upper) == (way.window.lower, way.window.upper)
        assert not made.empty
    (wider,) = (way for way in ways if way.factor is not None)
    reshared = way_without_widening(decision)
    for factor, empty in ((wider.factor * 0.98, True), (wider.factor, False)):
        asked = [
            edits.get(reshared, f"$.requirements[{i}].at_most") * factor for i in range(1, len(reshared.requirements))
        ]
        moved = reshared
        for at, width in enumerate(asked, 1):
            moved = edits.put(moved, f"$.requirements[{at}].at_most", width)
        assert assess(moved).window.empty is empty


def way_without_widening(decision: Decision) -> Decision:
    """Return DECISION with its budget shared by needs, made field by field."""
    for at in range(len(decision.release.parts)):
        decision = edits.put(decision, f"$.release.parts[{at}].share", None)
    return edits.put(decision, "$.release.allocation", "needs")


def test_the_fair_factor_is_what_the_needs_ask_over_what_is_allowed() -> None:
    decision = programme([3.0, 1.0, 20.0], [1.0, 1.0, 1.0], allocation="needs")
    told = assess(decision).window
    (wider,) = (way for way in resolutions(decision, assess(decision)) if way.factor is not None)
    exact = math.sqrt(told.lower / told.upper)
    assert exact <= wider.factor <= exact * 1.01


def test_sharing_anew_is_offered_alone_where_it_is_enough() -> None:
    decision = programme([4.0, 80.0, 90.0], [1.0, 1.0, 1.0], shares=[0.02, 0.49, 0.49])
    told = assess(decision)
    assert told.window.empty
    first = resolutions(decision, told)[0]
    assert first.key == "share_by_needs"
    assert first.factor is None
    made = first.make(decision)
    assert made.release.allocation == "needs"
    assert all(part.share is None for part in made.release.parts)


def test_nothing_is_offered_where_no_need_stands_in_the_conflict() -> None:
    decision = programme([30.0, 80.0, 90.0], [1.0, 1.0, 1.0])
    assert resolutions(decision, assess(decision)) == ()


def test_a_budget_that_is_dragged_shares_nothing_out_anew_and_a_need_that_is_dragged_does() -> None:
    decision = programme([5.0, 2.0], [1.0, 1.0], allocation="needs")
    dragged = edits.put(decision, "$.rho", 0.25)
    assert dragged.planned.release is decision.planned.release
    finer = edits.put(dragged, "$.requirements[1].at_most", 1.0)
    assert finer.planned.release.parts != decision.planned.release.parts
    assert dragged.planned.release.parts == decision.planned.release.parts
