"""What a figure marks is what the answer says: every figure against every kind of release, read at the limit of its
requirement.

One path leads from a requirement to its epsilon: the pair of worlds it compares, its factor, the tables, the
repetitions and what is spent. A figure that takes another one marks another epsilon than the answer; here each is read
at the limit.
"""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest

from dpwizard.charts import (
    Chart,
    Figure,
    Line,
    Surface,
    at_risk_chart,
    axis_chart,
    comparison,
    composition_chart,
    cost_chart,
    guessing_chart,
    persuasion_chart,
    profile_handles,
    spending_chart,
    surfaces,
    two_decisions,
    usability,
)
from dpwizard.charts.curves import risk_curves
from dpwizard.decision import Answer, BaseRequirement, Decision, assess, read_decision
from dpwizard.decision.requirements.relative_risk import RelativeRisk
from dpwizard.language import speaking
from dpwizard.privacy.profiles import View
from tests.model import test_promises_hold as draws

COUNT = {
    "statistic": "count",
    "neighbours": "add_remove",
    "sensitivity": 1,
    "mechanism": "geometric",
    "unit": "one person",
}
EARLIER = {"priors_from": "before_all", "spent": [{"epsilon": 0.2, "neighbours": "add_remove"}]}
LITTLE = {"priors_from": "before_all", "spent": [{"epsilon": 0.01, "neighbours": "add_remove"}]}
TABLES = [
    {"name": "counts", "statistic": "count", "sensitivity": 1, "share": 0.1},
    {"name": "ages", "statistic": "histogram", "sensitivity": 1, "share": 0.9, "dimension": 5},
]
RELEASES: dict[str, dict[str, Any]] = {
    "one count": COUNT | {"sensitivity_other": 1},
    "a count, the other sensitivity not known": COUNT,
    "four repetitions": COUNT | {"sensitivity_other": 1, "repetitions": 4},
    "spent before": COUNT | {"sensitivity_other": 1} | EARLIER,
    "spent before, four repetitions": COUNT | {"sensitivity_other": 1, "repetitions": 4} | EARLIER,
    "replacing declared": COUNT
    | {"neighbours": "replace", "sensitivity": 2, "sensitivity_other": 1, "statistic": "histogram"},
    "replacing alone": COUNT | {"neighbours": "replace"},
    "a histogram": COUNT | {"statistic": "histogram", "sensitivity_other": 2, "dimension": 12},
    "Laplace noise": COUNT | {"mechanism": "laplace", "sensitivity": 2.5, "sensitivity_other": 2.5},
    "three steps of geometric noise": COUNT | {"statistic": "sum", "sensitivity": 3, "sensitivity_other": 3, "step": 1},
    "a sum whose step is not known": COUNT | {"statistic": "sum", "sensitivity": 3},
    "a sum in steps of 5": COUNT | {"statistic": "sum", "sensitivity": 10, "step": 5},
    "a sum, a little spent before": COUNT
    | {"statistic": "sum", "mechanism": "laplace", "sensitivity": 10, "sensitivity_other": 10}
    | LITTLE,
    "two tables": {**COUNT, "parts": TABLES},
    "two tables, spent before, twice": {**COUNT, "parts": TABLES, "repetitions": 2} | EARLIER,
    "Gaussian noise": COUNT | {"mechanism": "gaussian", "delta": 1e-6},
    "two tables with Gaussian noise": {**COUNT, "mechanism": "gaussian", "delta": 1e-6, "parts": TABLES},
    "no noise": COUNT | {"mechanism": "exact"},
}
NORMAL = {"family": "normal", "mean": 40, "sd": 10}
REQUIREMENTS: dict[str, dict[str, Any]] = {
    "value": {
        "kind": "relative_risk",
        "adversary": "attribute",
        "q": [0.001, 0.5],
        "profile": {"shape": "odds", "factor": 3},
    },
    "presence": {
        "kind": "relative_risk",
        "adversary": "inclusion",
        "p": [0.01, 0.9],
        "profile": {"shape": "cap", "posterior": 0.95},
    },
    "both": {
        "kind": "relative_risk",
        "adversary": "both",
        "p": [0.01, 1],
        "q": [0.01, 1],
        "profile": {"shape": "cap_or_ratio", "posterior": 0.25, "ratio": 3},
    },
    "guess": {
        "kind": "guessing_advantage",
        "advantage": 0.2,
        "attributes": [{"prior": NORMAL, "truth": 40, "precision": 1, "effect": 1}],
    },
    "guess, rise and drop": {
        "kind": "guessing_advantage",
        "advantage": 0.1,
        "direction": "both",
        "attributes": [{"prior": NORMAL, "truth": 35, "precision": 8, "effect": 0.1}],
    },
    "guess by a threshold": {
        "kind": "guessing_advantage",
        "advantage": 0.2,
        "attributes": [{"prior": NORMAL, "truth": 40, "precision": 1, "effect": 0.02}],
    },
    "category": {
        "kind": "categorical_advantage",
        "prior": [["ill", 0.3], ["well", 0.7]],
        "truth": "ill",
        "advantage": 0.1,
    },
    "risk": {"kind": "privacy_at_risk", "level": 1.5, "confidence": 0.2},
    "gain": {"kind": "persuasive_privacy", "score": "log", "kappa": 1, "prior_mass": 0.1},
    "gain but for a chance": {
        "kind": "persuasive_privacy",
        "score": "log",
        "kappa": 1,
        "prior_mass": 0.1,
        "delta": 0.01,
    },
    "money": {"kind": "compensation", "people": 1000, "cost": 100, "money": 30000},
    "money, expected": {"kind": "compensation", "people": 1000, "cost": 100, "money": 30000, "model": "expected_loss"},
    "budget": {"kind": "budget", "total": 3},
    "budget, optimal": {"kind": "budget", "total": 3, "composition": "optimal", "delta": 1e-5},
    "budget, tight": {"kind": "budget", "total": 3, "composition": "tight", "delta": 1e-5},
}
EVERY = pytest.mark.parametrize("release", RELEASES)


def decided(
    release: str | dict[str, Any], *requirements: str | dict[str, Any], epsilon: float | None = None
) -> Decision:
    raw = RELEASES[release] if isinstance(release, str) else release
    asked = [REQUIREMENTS[one] if isinstance(one, str) else one for one in requirements]
    plain = {"format": "dpwizard.decision/1", "title": "Limits", "release": raw, "requirements": asked}
    return read_decision(plain | ({} if epsilon is None else {"epsilon": epsilon}))


def answered(decision: Decision, index: int = 0) -> tuple[BaseRequirement, Answer]:
    return decision.requirements[index], assess(decision).answers[index]


def plotted(figure: Figure, index: int = 0) -> Chart:
    plot = figure.plots[index]
    assert isinstance(plot, Chart)
    return plot


def line_of(figure: Figure, name: str, plot: int = 0) -> Line:
    return next(line for line in plotted(figure, plot).lines if name in line.name)


def reached(line: Line, level: float) -> float:
    """Return where a rising line reaches LEVEL."""
    return float(np.interp(level, np.maximum.accumulate(line.y), line.x))


# -------------------------------------------------------------------------------------- profiles, maps


@EVERY
@pytest.mark.parametrize("asked", ["value", "presence", "both"])
def test_the_lowest_point_of_every_curve_and_map_is_the_limit_of_the_answer(release: str, asked: str) -> None:
    decision = decided(release, asked)
    requirement, answer = answered(decision)
    assert isinstance(requirement, RelativeRisk)
    told = {"status": answer.status, "binding": answer.binding, "attained": answer.attained, "epsilon": answer.epsilon}
    found = risk_curves(requirement, decision.release, told, answer.epsilon)
    mapped = surfaces.inputs(requirement, answer, decision.release)
    if answer.status != "allowed":
        assert not found
        assert mapped is None
        return
    limit = answer.epsilon
    assert limit is not None
    assert found
    for curve in found:
        assert min(curve.epsilons) >= limit * (1 - 1e-9)
        if answer.attained:
            assert min(curve.epsilons) == pytest.approx(limit, rel=1e-6)
        for allowed, given, epsilon in zip(curve.allowed, curve.given, curve.epsilons, strict=True):
            assert math.isinf(epsilon) or given <= allowed * (
                1 + 1e-6
            )  # at the limit the release teaches no more than is allowed
    if mapped is not None:
        map_of_epsilon = surfaces.figure(mapped).plots[1]
        assert isinstance(map_of_epsilon, Surface)
        least = float(np.min(map_of_epsilon.grid))
        assert limit * (1 - 1e-9) <= least <= limit * 1.1 + 1e-9  # cells are looked at in their middles


@pytest.mark.parametrize("seed", range(6))
def test_no_curve_of_a_profile_drawn_at_random_falls_below_its_limit(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(25):
        release, requirement, _ = draws.relative_risk(dice)
        decision = decided(release, {"kind": "relative_risk", **requirement})
        asked, answer = answered(decision)
        assert isinstance(asked, RelativeRisk)
        told = {
            "status": answer.status,
            "binding": answer.binding,
            "attained": answer.attained,
            "epsilon": answer.epsilon,
        }
        for curve in risk_curves(asked, decision.release, told, None):
            assert answer.epsilon is None or min(curve.epsilons) >= answer.epsilon * (1 - 1e-8) - 1e-12
            if answer.epsilon and answer.attained and curve.binding:
                assert min(curve.epsilons) == pytest.approx(answer.epsilon, rel=1e-5)


def test_once_something_is_spent_a_curve_takes_the_factor_2_and_what_is_spent() -> None:
    spent = decided("spent before", "value")
    requirement, answer = answered(spent)
    assert isinstance(requirement, RelativeRisk)
    told = {"status": "allowed", "binding": answer.binding, "attained": answer.attained, "epsilon": answer.epsilon}
    (curve,) = risk_curves(requirement, spent.release, told, None)
    assert min(curve.epsilons) == pytest.approx(math.log(3) / 2 - 0.2, rel=1e-6)  # not log 3 - 0.2


# ---------------------------------------------------------------------------------------------- guesses


@EVERY
@pytest.mark.parametrize("asked", ["guess", "guess, rise and drop", "guess by a threshold", "category"])
def test_the_curve_of_a_guess_reaches_the_advantage_asked_for_at_the_limit(release: str, asked: str) -> None:
    decision = decided(release, asked)
    requirement, answer = answered(decision)
    read = guessing_chart.inputs(requirement, answer, decision.release, None)
    if answer.status not in ("allowed", "unbounded"):
        assert read is None
        return
    assert read is not None
    assert answer.epsilon is not None
    figure = guessing_chart.figure(read)
    line = next(line for line in plotted(figure).lines if line.role == "privacy")
    assert reached(line, REQUIREMENTS[asked]["advantage"]) == pytest.approx(answer.epsilon, rel=0.03, abs=1e-9)
    assert plotted(figure).marks[0].x == answer.epsilon


# ------------------------------------------------------------------------------------------- prediction


@EVERY
@pytest.mark.parametrize("asked", ["gain", "gain but for a chance"])
def test_the_noise_a_prediction_needs_is_that_of_the_limit_and_there_the_promise_holds(
    release: str, asked: str
) -> None:
    decision = decided(release, asked)
    requirement, answer = answered(decision)
    read = persuasion_chart.inputs(requirement, answer, decision.release, None)
    if answer.status == "not_applicable":
        assert read is not None
        figure = persuasion_chart.figure(read)
        assert not figure.plots
        assert figure.sentence
        return
    if answer.status != "allowed":
        return
    assert read is not None
    assert answer.epsilon is not None
    figure = persuasion_chart.figure(read)
    setting = read.setting
    added = setting.noise.each[0].noise
    assert added is not None
    if setting.one is None:  # the noise of no one table keeps the promise
        assert not figure.plots
        assert ("for certain" if asked == "gain" else "in at least 99 in 100") in figure.sentence
        return
    assert setting.sensitivity is not None
    wanted = added.scale(answer.epsilon, setting.sensitivity, setting.table_delta or 0.0)
    delta = REQUIREMENTS[asked].get("delta", 0)
    every = [line for index, _ in enumerate(figure.plots) for line in plotted(figure, index).lines]
    noise = next(line for line in every if line.name.endswith(f": {delta:g}"))
    assert noise.y[noise.x.index(1.0)] == pytest.approx(wanted, rel=1e-6)
    for plot in figure.plots:
        assert isinstance(plot, Chart)
        for mark in plot.marks:
            assert mark.y >= 1 - delta - 1e-9  # at its limit the promise is kept


@pytest.mark.parametrize("release", ["four repetitions", "spent before", "spent before, four repetitions"])
def test_no_chance_of_100_in_100_is_shown_where_the_limit_is_broken(release: str) -> None:
    _, answer = answered(decided(release, "gain"))
    assert answer.epsilon is not None
    decision = decided(release, "gain", epsilon=1.05 * answer.epsilon)
    requirement, answer = answered(decision)
    assert answer.met is False
    read = persuasion_chart.inputs(requirement, answer, decision.release, decision.epsilon)
    assert read is not None
    figure = persuasion_chart.figure(read)
    assert "100 in 100" not in figure.sentence
    assert "not proved" in figure.sentence
    assert all(
        "100 in 100" not in mark.words for plot in figure.plots if isinstance(plot, Chart) for mark in plot.marks
    )


# --------------------------------------------------------------------------------------- money, levels


@EVERY
@pytest.mark.parametrize("asked", ["money", "money, expected"])
def test_the_cost_shown_at_the_limit_is_the_money_set_aside(release: str, asked: str) -> None:
    decision = decided(release, asked)
    _, answer = answered(decision)
    epsilon = answer.epsilon if answer.epsilon is not None else 0.5
    chosen = decided(release, asked, epsilon=epsilon)
    read = cost_chart.inputs(chosen, epsilon)
    assert read is not None
    figure = cost_chart.figure(read)
    if answer.status == "not_applicable":
        assert not figure.plots
        assert figure.sentence
        return
    cost = float(answered(chosen)[1].at_epsilon["cost"])
    assert cost == pytest.approx(30000, rel=1e-6)
    said = {float(word.replace(",", "").rstrip(".,:;")) for word in figure.sentence.split() if word[:1].isdigit()}
    assert any(one == pytest.approx(cost, rel=1e-3) for one in said)


def test_ten_repetitions_at_one_tenth_cost_what_one_release_at_1_costs() -> None:
    money = {"kind": "compensation", "people": 1000, "cost": 100, "money": 30000}
    decision = decided(COUNT | {"repetitions": 10}, money, epsilon=0.1)
    read = cost_chart.inputs(decision, 0.1)
    assert read is not None
    figure = cost_chart.figure(read)
    assert "36,788" in figure.sentence  # 100,000 e^-1
    assert "4.54" not in figure.sentence  # 100,000 e^-10: the cost of one of the ten
    assert answered(decision)[1].at_epsilon["cost"] == pytest.approx(36787.94, abs=0.01)


@EVERY
def test_the_confidence_shown_at_the_limit_is_the_one_asked_for(release: str) -> None:
    decision = decided(release, "risk")
    _, answer = answered(decision)
    epsilon = answer.epsilon if answer.epsilon is not None else 0.5
    read = at_risk_chart.inputs(decision, epsilon)
    if answer.status != "allowed":
        if read is not None:
            assert not at_risk_chart.figure(read).plots
        return
    assert read is not None
    figure = at_risk_chart.figure(read)
    if read.mechanism is None:
        assert read.epsilon0 == pytest.approx(1.5, rel=1e-9)  # nothing but a loss within the level is certain
        assert "always holds" in figure.sentence or read.epsilon0 > 1.5
    elif read.epsilon0 > 1.5:
        kept = next(mark for mark in plotted(figure).marks if mark.words.startswith("kept"))
        assert kept.x >= 0.2 - 1e-6
        assert (
            kept.x == pytest.approx(0.2, abs=1e-6) or read.sensitivity > 1
        )  # several steps of geometric noise: the chance jumps
    assert "no limit" not in figure.sentence


def test_nothing_is_said_to_hold_of_several_releases_that_one_alone_would_keep() -> None:
    risk = {"kind": "privacy_at_risk", "level": 1, "confidence": 0.9}
    decision = decided(COUNT | {"sensitivity_other": 1, "repetitions": 3}, risk, epsilon=0.5)
    read = at_risk_chart.inputs(decision, 0.5)
    assert read is not None
    figure = at_risk_chart.figure(read)
    assert figure.sentence == (
        "All that is released may lose 1.50 between two values of one person. That the level 1 holds is not proved "
        "with any confidence."
    )
    assert not figure.plots


# ---------------------------------------------------------------------------------------- composition


@EVERY
@pytest.mark.parametrize("asked", ["budget", "budget, optimal", "budget, tight"])
def test_the_curves_of_composition_and_what_is_spent_meet_the_budget_at_the_limit(release: str, asked: str) -> None:
    decision = decided(release, asked)
    _, answer = answered(decision)
    if answer.status != "allowed" or answer.epsilon is None:
        return
    spending = spending_chart.inputs(decision, assess(decision), answer.epsilon)
    assert spending is not None
    assert spending.this is not None
    assert spending.spent + spending.this == pytest.approx(3, rel=1e-6)
    assert "more than" not in spending_chart.figure(spending).sentence
    read = composition_chart.inputs(decision, answer.epsilon)
    if read is None:
        return
    figure = composition_chart.figure(read)
    names = {"budget": ("basic",), "budget, optimal": ("optimal",), "budget, tight": ("upper bound", "optimal")}[asked]
    own = next(line for name in names for line in plotted(figure).lines if name in line.name)
    assert read.total is not None
    assert min(own.y[own.x.index(read.releases)], read.releases * answer.epsilon) == pytest.approx(read.total, rel=1e-6)


def test_twenty_geometric_histograms_lose_19_99_and_not_what_laplace_noise_would() -> None:
    histogram = COUNT | {"statistic": "histogram", "dimension": 10, "repetitions": 20}
    read = composition_chart.inputs(
        decided(histogram, {"kind": "budget", "total": 30, "composition": "tight", "delta": 1e-5}), 1.0
    )
    assert read is not None
    figure = composition_chart.figure(read)
    assert "19.99" in figure.sentence or "20.00" in figure.sentence
    assert "19.11" not in figure.sentence
    for line in plotted(figure).lines:  # loss of one step of geometric noise: randomised response, whose sum is known
        if line.role != "refuted" and line.column and "lower" not in line.name:
            assert line.y[line.x.index(20.0)] >= 19.9947


def test_a_budget_that_is_partly_spent_is_drawn_at_what_is_left_of_it() -> None:
    decision = decided("spent before", "budget")
    read = composition_chart.inputs(decision, 0.5)
    assert read is not None
    levels = [
        line for line in plotted(composition_chart.figure(read)).lines if line.name.startswith("left of the budget")
    ]
    assert [line.y for line in levels] == [(pytest.approx(2.8), pytest.approx(2.8))]


# ------------------------------------------------------------------------------ all requirements at once


@EVERY
def test_axis_and_two_decisions_and_comparison_show_the_epsilons_of_the_answers(release: str) -> None:
    crossing = {"kind": "switch_probability", "target": 6, "per": 1000, "records": 4012, "deviation": 1, "at_most": 0.2}
    parts = {"part": "counts"} if "parts" in RELEASES[release] else {}
    decision = decided(release, "value", "guess", "budget", "risk", crossing | parts)
    assessment = assess(decision)
    limits = [a.epsilon for a in assessment.answers if a.status == "allowed" and a.epsilon is not None]
    figure = axis_chart.figure(assessment)
    if limits:
        assert figure is not None
        assert [mark.x for mark in plotted(figure).marks] == limits
    both = two_decisions.figure(two_decisions.TwoDecisions(first=decision, second=decision))
    drawn = {x for line in plotted(both).lines for x in line.x}
    assert set(limits) <= drawn
    read = comparison.inputs(decision, 0)
    if read is None:
        return
    own = next(row for row in comparison.rows(read) if row.own)
    assert own.epsilon == assessment.answers[0].epsilon
    if own.epsilon is not None and own.switches:
        there = decision.model_copy(update={"epsilon": own.epsilon})
        assert dict(own.switches)[1.0] == pytest.approx(assess(there).answers[4].at_epsilon["probability"])


def test_crossings_compared_are_those_of_the_table_that_the_threshold_speaks_of() -> None:
    crossing = {
        "kind": "switch_probability",
        "target": 6,
        "per": 1000,
        "records": 4012,
        "deviation": 1,
        "at_most": 0.2,
        "part": "ages",
    }
    decision = decided("two tables", "value", crossing)
    read = comparison.inputs(decision, 0)
    assert read is not None
    own = next(row for row in comparison.rows(read) if row.own)
    there = decision.model_copy(update={"epsilon": own.epsilon})
    assert dict(own.switches)[1.0] == pytest.approx(assess(there).answers[1].at_epsilon["probability"])


@EVERY
def test_the_measures_of_usability_are_those_of_the_needs(release: str) -> None:
    parts = {"part": "ages"} if "parts" in RELEASES[release] else {}
    decision = decided(release, {"kind": "rmse", "at_most": 5} | parts)
    _, answer = answered(decision)
    if answer.status != "allowed":
        assert usability.measures(decision.model_copy(update={"epsilon": 1.0}), assess(decision)) == ()
        return
    there = decision.model_copy(update={"epsilon": answer.epsilon})
    found = usability.measures(there, assess(there))
    measure = next(one for one in found if one.kind == "rmse")
    assert measure.met
    assert float(measure.value) == pytest.approx(5, rel=1e-3)


# --------------------------------------------------------------------------------------------- handles


@pytest.mark.parametrize(
    ("profile", "english", "german"),
    [
        ({"shape": "constant", "ratio": 3}, "Drag the diamond,", "die Raute,"),
        ({"shape": "odds", "factor": 3}, "Drag the diamond,", "die Raute,"),
        ({"shape": "power", "constant": 1.5, "exponent": 0.5}, "Drag the diamonds,", "die Rauten,"),
        ({"shape": "cap_or_ratio", "posterior": 0.25, "ratio": 3}, "Drag the round mark,", "die runde Marke,"),
        ({"shape": "cap_or_ratio", "posterior": 1, "ratio": 1.5}, "Drag the round mark,", "die runde Marke,"),
        ({"shape": "cap_or_ratio", "posterior": 0.001, "ratio": 3}, "Drag the diamond,", "die Raute,"),
        ({"shape": "steps", "axis": "p", "edges": [0.1], "ratios": [6, 2]}, "Drag the diamonds,", "die Rauten,"),
        ({"shape": "steps", "axis": "q", "edges": [0.1], "ratios": [6, 2]}, "", ""),
        ({"shape": "knots", "axis": "p", "points": [[0.01, 5], [0.5, 1.5]]}, "Drag the knots,", "die Stützpunkte,"),
    ],
)
def test_the_hint_names_what_is_drawn(profile: dict[str, Any], english: str, german: str) -> None:
    requirement = decided("one count", REQUIREMENTS["presence"] | {"profile": profile}).requirements[0]
    assert isinstance(requirement, RelativeRisk)
    shape = requirement.profile
    offered = profile_handles.handles(shape, View(axis="p", low=0.01, high=1.0, other=1.0))
    for language, words in (("en", english), ("de", german)):
        with speaking(language):
            said = profile_handles.hint(offered, shape)
        assert words in said
        assert bool(words) == bool(said)
    if "round" in english:
        assert all(one.way == "both" for one in offered)
    if "diamond" in english:
        assert all(one.way != "both" for one in offered)
        assert english.endswith("diamonds,") == (len(offered) > 1)
