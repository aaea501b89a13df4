"""The figures of the risk step: every profile at once, read exactly, with what binds marked (Kazan & Reiter 2024,
Figures 1, 3 and 4)."""

from __future__ import annotations

import math
from typing import Any

import pytest

from dpwizard.base.values import read
from dpwizard.charts import Chart, Figure, Picture, axis_chart, noise_chart, picture, profile_chart
from dpwizard.charts.charts import reading, spaced
from dpwizard.decision import Decision
from tests.samples.decisions import COUNT


def drawn(*requirements: dict[str, Any], epsilon: float | None = None) -> Picture:
    named = [{"kind": "relative_risk", "adversary": "both", **requirement} for requirement in requirements]
    raw = {
        "format": "dpwizard.decision/1",
        "title": "Figures",
        "release": COUNT,
        "requirements": named,
        "epsilon": epsilon,
    }
    return picture(read(Decision, raw, "$"))


def agency(name: str, posterior: float, ratio: float, **beliefs: Any) -> dict[str, Any]:
    profile = {"shape": "cap_or_ratio", "posterior": posterior, "ratio": ratio}
    return {"name": name, "p": [0, 1], "q": 1, "profile": profile, **beliefs}


def every(found: Picture) -> list[profile_chart.Strand]:
    return [strand for one in found.drawn for strand in one.strands]


def chart_of(figure: Figure) -> Chart:
    plot = figure.plots[0]
    assert isinstance(plot, Chart)
    return plot


def test_figure_1_shades_the_beliefs_for_which_there_is_no_bound() -> None:
    found = drawn(agency("1", 0.1, 3))
    (band,) = chart_of(profile_chart.implied(every(found), 0, "p")).bands
    assert band.words == "no bound here"
    assert band.low == pytest.approx(1 / 3, rel=0.03)  # r* p = 1 there: the paper names p >= 1/3
    assert band.high == 1.0


def test_a_jump_is_read_on_the_side_that_counts() -> None:
    steps = {"shape": "steps", "axis": "p", "edges": [0.1], "ratios": [6, 2]}
    found = drawn({"name": "Steps", "p": [0.01, 1], "q": 1, "profile": steps})
    _, said = reading(chart_of(profile_chart.ratios(every(found), 0, "p")), 0.1)
    assert said == "1 in 10: Steps: ratio allowed 2.00"


def test_the_axis_has_a_place_for_every_limit_and_reads_it() -> None:
    found = drawn(agency("A", 0.25, 3), agency("B", 0.25, 1.5), epsilon=0.4)
    figure = axis_chart.figure(found.assessment)
    assert reading(chart_of(figure), 1.3)[1] == "A: at most 1.29"
    assert reading(chart_of(figure), 0.41)[1] == "epsilon chosen: 0.40"
    assert axis_chart.tabled(figure, found.assessment).rows[-1] == ("epsilon chosen", "0.40")


def test_the_noise_is_read_bar_by_bar() -> None:
    found = drawn(agency("A", 0.25, 3), epsilon=1.0)
    figure = noise_chart.figure(found.noise)
    chart = chart_of(figure)
    assert reading(chart, 0.2)[1].endswith("46.2 in 100")  # tanh(1/2)
    assert math.isclose(math.fsum(chart.bars[0].y), found.noise.coverage, rel_tol=0.06)
    assert len(noise_chart.tabled(figure).rows) == len(chart.bars[0].x)


def test_numbers_under_an_axis_that_would_touch_are_thinned_and_names_are_not() -> None:
    ticks = tuple((float(i), f"0.{i}") for i in range(6))
    assert spaced(ticks, [1.0] * 6) == list(ticks)
    assert spaced(ticks, [1.1] * 6) == [ticks[0], ticks[2], ticks[4]]
    assert spaced(ticks, [99.0] * 6) == [ticks[0]]
    names = ((0.0, "exact"), (1.0, "basic"))
    assert spaced(names, [9.0, 9.0]) == list(names)


@pytest.mark.parametrize("ends", [[0, 5e-324], [0, 1e-320], [5e-324, 1], [0, 1e-300]])
def test_beliefs_at_the_edge_of_all_numbers_are_drawn_or_left_out(ends: list[float]) -> None:
    found = drawn(agency("Edge", 0.25, 6, p=ends))
    assert [one.status for one in found.assessment.answers] == ["allowed"] or ends[1] < 1e-299
    for strand in every(found):
        assert all(math.isfinite(prior) and prior > 0.0 for prior in strand.curve.priors)


def test_beliefs_of_hundreds_of_digits_take_at_most_3_000_points_and_are_read_beside_others() -> None:
    found = drawn(agency("Wide", 0.25, 6, p=[1e-300, 1]), agency("Plain", 0.25, 6, p=[0.001, 1]))
    wide, plain = (strand.curve.priors for strand in every(found))
    assert 1_000 < len(wide) < 3_100  # 25,000 took megabytes for each edit, which the window could not give back
    assert len(set(wide) & set(plain)) >= 14
