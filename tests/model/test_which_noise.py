"""The same promise under the other kind of noise: sensitivities on the safe side, errors, and who comes out smaller."""

from __future__ import annotations

import itertools
import math
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from dpwizard.charts import tolerated_chart, which_noise_chart
from dpwizard.decision import FORMAT, Decision, added_noises, assess, read_decision, with_other_noise

DURHAM: dict[str, Any] = {
    "kind": "relative_risk",
    "adversary": "inclusion",
    "p": [0, 1],
    "profile": {"shape": "cap_or_ratio", "posterior": 0.5, "ratio": 5},
    "statement": "tolerance",
    "tolerance": 0.001,
}


def counts(tables: int, mechanism: str = "gaussian") -> Decision:
    parts = [{"name": f"table {i}", "sensitivity": 1, "share": 1 / tables, "statistic": "count"} for i in range(tables)]
    release = {"mechanism": mechanism, "neighbours": "add_remove", "unit": "person", "parts": parts}
    return read_decision({"format": FORMAT, "release": release, "requirements": [DURHAM]})


@pytest.mark.parametrize("mechanism", ["gaussian", "laplace"])
@pytest.mark.parametrize(("tables", "gaussian_wins"), [(4, False), (8, True)])
def test_gaussian_noise_is_the_smaller_one_from_seven_counts_on(
    tables: int, gaussian_wins: bool, mechanism: str
) -> None:
    read = which_noise_chart.inputs(counts(tables, mechanism))
    row = which_noise_chart.rows(read)[0]
    gaussian, laplace = (row.chosen_sd, row.other) if mechanism == "gaussian" else (row.other, row.chosen_sd)
    assert gaussian == pytest.approx(1.661 * math.sqrt(tables), rel=1e-3)
    added_up = 0.6436 * tables  # the sum of largest losses; many tables together lose less
    assert laplace == pytest.approx(added_up, rel=1e-3) if tables < 8 else laplace <= added_up * (1 + 1e-3)
    assert (gaussian < laplace) is gaussian_wins
    assert which_noise_chart.begins(read) == 7


@pytest.mark.parametrize("relation", ["add_remove", "replace"])
@pytest.mark.parametrize("rows", [1, 2, 3])
def test_a_histogram_in_the_other_norm_is_never_below_what_a_unit_changes(relation: str, rows: int) -> None:
    bins = 4
    units = [np.bincount(cells, minlength=bins) for cells in itertools.product(range(bins), repeat=rows)]
    pairs = [(a, b) for a in units for b in units] if relation == "replace" else [(a, 0 * a) for a in units]
    one = max(float(np.abs(a - b).sum()) for a, b in pairs)
    two = max(float(np.linalg.norm(a - b)) for a, b in pairs)
    for mechanism, stated, true in (("laplace", one, two), ("gaussian", two, one)):
        release: dict[str, Any] = {
            "statistic": "histogram",
            "dimension": bins,
            "mechanism": mechanism,
            "sensitivity": stated,
            "contributions": rows,
            "neighbours": relation,
            "unit": "person",
        }
        other = with_other_noise(read_decision({"format": FORMAT, "release": release}).release)
        assert other.sensitivity >= true * (1 - 1e-12)
        back = with_other_noise(other)
        assert back.mechanism == mechanism


def test_the_figure_of_tolerances_passes_through_what_the_budget_gives() -> None:
    decision = counts(4).model_copy(update={"rho": 0.15})
    answer = assess(decision).answers[0]
    read = tolerated_chart.drawing(decision.requirements[0], answer, decision.release, 0.15)
    plot = read.figure().plots[0]
    mark = plot.marks[0]
    assert (mark.x, mark.y) == (0.001, answer.at_epsilon["posterior"])
    assert all(one >= two for one, two in itertools.pairwise(plot.lines[0].y))


def test_the_figure_of_attacks_rounds_down_how_many_they_accuse_wrongly() -> None:
    release = {"mechanism": "gaussian", "neighbours": "add_remove", "unit": "person", "sensitivity": 1}
    asked = {**DURHAM, "tolerance": 0.05}
    decision = read_decision({"format": FORMAT, "release": release, "requirements": [asked], "rho": 0.05})
    read = tolerated_chart.drawing(
        decision.requirements[0], assess(decision).answers[0], decision.release, 0.05, "hits"
    )
    normal = NormalDist()
    fewest = normal.cdf(normal.inv_cdf(0.05) - math.sqrt(2 * 0.05))  # Dong, Roth & Su 2022, with mu = sqrt(2 rho)
    assert 0.0249 < fewest < 0.025
    assert read.figure().sentence == (
        "An attack that finds 5 in 100 of those in the data accuses at least 2.4 in 100 of those who are not."
    )


UNLIKELY = {"p": [0, 0.1], "profile": {"shape": "constant", "ratio": 3}}
CERTAIN = {"p": [0.5, 1], "profile": {"shape": "power", "constant": 1, "exponent": 0.5}}


@pytest.mark.parametrize(
    ("promise", "kind", "says"),
    [
        (UNLIKELY, "ratio", "this budget makes it at most 7.28 times as likely."),
        (CERTAIN, "odds", "this budget makes the odds at most 7.28 times what they were."),
    ],
)
def test_the_figure_of_tolerances_speaks_of_intruders_who_hardly_believe_it_and_who_are_almost_certain(
    promise: dict[str, Any], kind: str, says: str
) -> None:
    release = {"mechanism": "gaussian", "neighbours": "add_remove", "unit": "person", "sensitivity": 1}
    decision = read_decision({"format": FORMAT, "release": release, "requirements": [{**DURHAM, **promise}]})
    decision = decision.model_copy(update={"rho": 0.15})
    answer = assess(decision).answers[0]
    read = tolerated_chart.drawing(decision.requirements[0], answer, decision.release, 0.15)
    drawn = read.figure()
    assert drawn.sentence.endswith(says)
    (mark,) = drawn.plots[0].marks
    assert (mark.words, mark.y) == ("7.28 times", answer.at_epsilon[kind])
    assert mark.y <= 7.28  # rounded up, as what it says is the most
    far = tolerated_chart.drawing(decision.requirements[0], answer, decision.release, 5_000.0)
    assert far.figure().sentence.startswith("At this budget, no limit on the chance after is known")


@pytest.mark.parametrize("mechanism", ["geometric", "discrete_gaussian"])
def test_errors_of_a_sum_with_noise_in_steps_are_those_of_the_noise_that_is_added(mechanism: str) -> None:
    release = {"mechanism": mechanism, "neighbours": "add_remove", "unit": "person", "statistic": "sum"}
    release |= {"sensitivity": 20, "step": 10}
    read = which_noise_chart.inputs(read_decision({"format": FORMAT, "release": release, "requirements": [DURHAM]}))
    (row,) = which_noise_chart.rows(read)
    (added,) = added_noises(read.release, assess(read).window.upper)
    assert row.chosen_sd == pytest.approx(added.sd, rel=1e-12)
