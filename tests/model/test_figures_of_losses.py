"""What a figure of money, losses or composition marks is what the answer says, and so are the axis, the comparison
and the table of needs."""

from __future__ import annotations

import math

import pytest

from dpwizard.charts import (
    at_risk_chart,
    axis_chart,
    comparison,
    composition_chart,
    cost_chart,
    spending_chart,
    two_decisions,
)
from dpwizard.decision import assess
from dpwizard.privacy.accounting import functions as accounting
from dpwizard.records import making
from tests.oracles import noise_oracle
from tests.samples.decisions import COUNT
from tests.samples.limits import RELEASES, answered, decided, plotted

EVERY = pytest.mark.parametrize("release", RELEASES)


# --------------------------------------------------------------------------------------- money, levels


@EVERY
@pytest.mark.parametrize("asked", ["money", "money, expected"])
def test_the_cost_shown_at_the_limit_is_the_money_set_aside(release: str, asked: str) -> None:
    decision = decided(release, asked)
    _, answer = answered(decision)
    epsilon = answer.epsilon if answer.epsilon is not None else 0.5
    chosen = decided(release, asked, epsilon=epsilon)
    read = cost_chart.drawing(chosen, epsilon)
    figure = read.figure()
    if answer.status == "not_applicable":
        assert not figure.plots
        assert figure.sentence
        return
    cost = float(answered(chosen)[1].at_epsilon["cost"])
    assert 30000 * (1 - 1e-3) <= cost <= 30000 * (1 + 1e-9)  # never above, and at most 1e-3 below
    said = {float(word.replace(",", "").rstrip(".,:;")) for word in figure.sentence.split() if word[:1].isdigit()}
    assert any(one == pytest.approx(cost, rel=1e-3) for one in said)


def test_ten_repetitions_at_one_tenth_cost_what_one_release_at_1_costs() -> None:
    money = {"kind": "compensation", "people": 1000, "cost": 100, "money": 30000}
    decision = decided(COUNT | {"repetitions": 10}, money, epsilon=0.1)
    read = cost_chart.drawing(decision, 0.1)
    figure = read.figure()
    assert "36,788" in figure.sentence  # 100,000 e^-1
    assert "4.54" not in figure.sentence  # 100,000 e^-10: the cost of one of the ten
    assert answered(decision)[1].at_epsilon["cost"] == pytest.approx(36787.94, abs=0.01)


@EVERY
def test_the_confidence_shown_at_the_limit_is_the_one_asked_for(release: str) -> None:
    decision = decided(release, "risk")
    _, answer = answered(decision)
    epsilon = answer.epsilon if answer.epsilon is not None else 0.5
    read = at_risk_chart.drawing(decision, epsilon)
    if answer.status != "allowed":
        if read is not None:
            assert not read.figure().plots
        return
    figure = read.figure()
    loss, sensitivity = read.reads["e0"], read.reads.get("sensitivity")
    if sensitivity is None:
        assert loss == pytest.approx(1.5, rel=1e-9)  # nothing but a loss within the level is certain
        assert "always holds" in figure.sentence or loss > 1.5
    elif loss > 1.5:
        kept = next(mark for mark in plotted(figure).marks if mark.words.startswith("holds"))
        assert kept.x >= 0.2 - 1e-6
        assert (
            kept.x == pytest.approx(0.2, abs=1e-6) or sensitivity > 1
        )  # several steps of geometric noise: the chance jumps
    assert "no limit" not in figure.sentence


# ---------------------------------------------------------------------------------------- composition


@EVERY
@pytest.mark.parametrize("asked", ["budget", "budget, optimal", "budget, tight"])
def test_the_curves_of_composition_and_what_is_spent_meet_the_budget_at_the_limit(release: str, asked: str) -> None:
    decision = decided(release, asked)
    _, answer = answered(decision)
    if answer.status != "allowed" or answer.epsilon is None:
        return
    spending = spending_chart.drawing(decision, assess(decision), answer.epsilon)
    close = 1e-4 if asked == "budget, tight" else 1e-6  # a budget that is read, and searched for
    assert spending.reads["spent"] + spending.reads["this"] == pytest.approx(3, rel=close)
    assert "more than" not in spending.figure().sentence
    read = composition_chart.drawing(decision, answer.epsilon)
    if read is None:
        return
    figure = read.figure()
    names = {"budget": ("basic",), "budget, optimal": ("optimal",), "budget, tight": ("upper bound", "optimal")}[asked]
    own = next(line for name in names for line in plotted(figure).lines if name in line.name)
    left, releases = plotted(figure).lines[-1].y[0], read.reads["releases"]
    drawn = min(own.y[own.x.index(releases)], releases * answer.epsilon)
    if asked == "budget, tight":  # which reads every table's own noise, and what was spent before, as one curve
        assert drawn >= left * (1 - close)
    else:
        assert drawn == pytest.approx(left, rel=close)


def test_tables_with_two_kinds_of_noise_are_drawn_as_the_accountant_reads_them_together() -> None:
    tables = [
        {"name": "counts", "statistic": "count", "sensitivity": 2, "share": 0.25},
        {"name": "means", "statistic": "sum", "sensitivity": 3, "share": 0.75, "mechanism": "laplace"},
    ]
    asked = {"kind": "budget", "total": 3, "composition": "tight", "delta": 1e-5}
    release = {**COUNT, "sensitivity": 3, "parts": tables, "repetitions": 5}
    read = composition_chart.drawing(decided(release, asked), 0.8)
    own = next(line for line in plotted(read.figure()).lines if "upper bound" in line.name)
    for count in (1, 5, 300):
        releases = [
            {"noise": "geometric", "rate": 0.1, "move": 2, "times": count},
            {"noise": "laplace", "epsilon": 0.6, "times": count},
        ]
        true = accounting.read(releases=releases, read="epsilon", at=1e-5)
        assert own.y[own.x.index(float(count))] == pytest.approx(true, rel=1e-4)


def test_an_earlier_release_said_by_rho_alone_has_its_row_and_its_delta() -> None:
    spent = [{"rho": 0.02, "delta": 1e-6, "neighbours": "add_remove", "mechanism": "gaussian"}]
    decision = decided(COUNT | {"spent": spent}, epsilon=0.5)
    made = making.accounting(decision)
    assert made["delta_spent_before"] == 1e-6
    assert float(noise_oracle.gaussian_hockey_stick(math.sqrt(2 * 0.02), made["spent_before"])) <= 1e-6
    drawn = spending_chart.drawing(decision, assess(decision), 0.5)
    assert [cost for _, cost in drawn.reads["earlier"]] == [pytest.approx(made["spent_before"])]


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
        assert [mark.x for mark in plotted(figure).marks] == limits
    both = two_decisions.figure(decision, decision)
    drawn = {x for line in plotted(both).lines for x in line.x}
    assert set(limits) <= drawn
    read = comparison.inputs(decision, 0)
    if read is None:
        return
    own = next(row for row in comparison.rows(read) if row.is_current)
    assert own.epsilon == assessment.answers[0].epsilon
    if own.epsilon is not None and own.switches:
        there = decision.model_copy(update={"epsilon": own.epsilon})
        assert dict(own.switches)[1.0] == pytest.approx(assess(there).answers[4].at_epsilon["probability"])
