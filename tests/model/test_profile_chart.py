"""The figures of the risk step: every profile at once, read exactly, with what binds marked (Kazan & Reiter 2024,
Figures 1, 3 and 4)."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

from dpwizard.base.csv_text import as_csv
from dpwizard.base.values import read
from dpwizard.charts import Chart, Figure, Picture, axis_chart, noise_chart, picture, profile_chart
from dpwizard.charts.charts import reading, spaced
from dpwizard.decision import Decision
from dpwizard.report import figures, phrases
from dpwizard.wording import printed_range
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


@pytest.mark.parametrize(
    ("beliefs", "axis", "subject", "limit", "shown"),
    [
        ({"p": [0.01, 1], "q": 1}, "p", "the record is in the data", math.log(2), "0.69"),
        ({"p": 1, "q": [0.01, 1]}, "q", "the sensitive value", math.log(2) / 2, "0.34"),
    ],
)
def test_a_limit_at_certainty_is_where_the_curve_leads_and_no_stretch_without_a_bound(
    beliefs: dict[str, Any], axis: profile_chart.BeliefAxis, subject: str, limit: float, shown: str
) -> None:
    found = drawn(
        {
            "name": "Near certainty",
            "profile": {"shape": "power", "constant": 1, "exponent": 0.5},
            **beliefs,
            **_one(axis),
        }
    )
    (strand,) = every(found)
    assert found.assessment.answers[0].epsilon == pytest.approx(limit, rel=1e-9)
    assert limit <= strand.curve.epsilons[-1] <= limit * (1 + 1e-5)  # of who is almost certain
    figure = profile_chart.implied(every(found), 0, axis, 0)
    plot = chart_of(figure)
    assert not plot.bands
    assert max(line.y[-1] for line in plot.lines) < 1.0  # nothing rises without bound there
    assert figure.sentence == f"The lowest sets the limit: {shown}, approached towards a chance before of certainty."
    assert [(mark.hollow, mark.words) for mark in plot.marks] == [
        (True, "sets the limit: towards a prior of certainty")
    ]
    assert subject in plot.x.title
    assert ("in the data" in f"{figure} {profile_chart.ratios(every(found), 0, axis)}") == (
        axis == "p"
    )  # presence only where it is asked
    said = phrases.words("en")
    scene = figures.risk_profile(curve=strand.curve, chosen=printed_range(None, None, 0.6).chosen, words=said)
    assert "certainty is allowed" not in scene.alternative
    assert "no limit known" not in str(scene)
    assert "towards a prior of certainty" in str(scene)


def _one(axis: str) -> dict[str, Any]:
    return {"adversary": "inclusion" if axis == "p" else "attribute"}


def test_the_beliefs_without_a_bound_begin_where_the_report_says() -> None:
    for ratio in (1.07, 1.3, 2.9, 7.3):
        found = drawn(agency("1", 0.5, ratio, p=[0.001, 1]))
        (strand,) = every(found)
        scene = figures.risk_profile(curve=strand.curve, chosen=None, words=phrases.words("en"))
        said = re.search(r"From a chance of ([\d.]+) in 100 on", scene.alternative)
        assert said is not None, scene.alternative
        assert 1 / ratio <= float(said[1]) / 100 <= 1.05 / ratio  # from there on the ratio allowed makes it certain


def test_all_curves_are_read_at_the_same_belief() -> None:
    found = drawn(agency("A", 0.25, 3), agency("B", 0.4, 2, p=[0.004, 0.9]), agency("C", 0.3, 5, p=[0.001, 1]))
    _, said = reading(chart_of(profile_chart.ratios(every(found), 0, "p")), 0.0316)
    assert said.count("ratio allowed") == 3


def test_the_table_is_the_csv_is_the_curve() -> None:
    found = drawn(agency("A", 0.25, 3), agency("B", 0.4, 2), epsilon=0.8)
    figure = profile_chart.tabled(profile_chart.ratios(every(found), 0, "p"))
    lines = [line for line in chart_of(figure).lines if line.column]
    assert len(figure.columns) == 1 + len(lines)
    assert len(figure.rows) == len({x for line in lines for x in line.x})
    written = as_csv((figure.columns, *figure.rows)).splitlines()
    assert len(written) == 1 + len(figure.rows)
    first = [float(cell.replace(",", "")) for cell in figure.rows[0][1:]]
    for cell, line in zip(first, lines, strict=True):
        assert cell == pytest.approx(line.y[0], rel=0.01)


def test_a_jump_is_read_on_the_side_that_counts() -> None:
    steps = {"shape": "steps", "axis": "p", "edges": [0.1], "ratios": [6, 2]}
    found = drawn({"name": "Steps", "p": [0.01, 1], "q": 1, "profile": steps})
    _, said = reading(chart_of(profile_chart.ratios(every(found), 0, "p")), 0.1)
    assert said == "1 in 10: Steps: ratio allowed 2.00"


def test_a_requirement_that_varies_in_the_other_belief_is_named_not_drawn() -> None:
    found = drawn(agency("A", 0.25, 3), agency("B", 0.1, 3, p=0.05, q=[0, 1]))
    figure = profile_chart.ratios(every(found), 0, "p")
    assert len([line for line in chart_of(figure).lines if line.column]) == 1
    assert any("other chance only" in said for said in figure.asides)


def test_what_is_switched_off_is_not_drawn_beside_the_one_followed() -> None:
    found = drawn(agency("A", 0.25, 3), {**agency("B", 0.25, 1.5), "enabled": False})
    assert [line.label for line in chart_of(profile_chart.ratios(every(found), 0, "p")).lines if line.column] == [
        "allowed"
    ]


def test_what_has_not_changed_is_drawn_from_the_same_points() -> None:
    found = drawn(agency("A", 0.25, 3), agency("B", 0.25, 1.5))
    named = [
        {"kind": "relative_risk", "adversary": "both", **a} for a in (agency("A", 0.25, 4), agency("B", 0.25, 1.5))
    ]
    raw = {"format": "dpwizard.decision/1", "title": "Figures", "release": COUNT, "requirements": named}
    again = picture(read(Decision, raw, "$"), found)
    assert again.drawn[1].strands[0] is found.drawn[1].strands[0]
    assert again.drawn[0].strands[0] is not found.drawn[0].strands[0]


def test_the_axis_has_a_place_for_every_limit_and_reads_it() -> None:
    found = drawn(agency("A", 0.25, 3), agency("B", 0.25, 1.5), epsilon=0.4)
    figure = axis_chart.figure(found.assessment)
    assert reading(chart_of(figure), 1.3)[1] == "A: at most 1.29"
    assert reading(chart_of(figure), 0.41)[1] == "epsilon chosen: 0.40"
    assert axis_chart.tabled(figure, found.assessment).rows[-1] == ("epsilon chosen", "0.40")


def test_no_stroke_stands_at_the_end_of_the_axis_for_a_limit_beyond_it() -> None:
    release = {**COUNT, "sensitivity": 1}
    asked = [{"kind": "budget", "name": "small", "total": 2}, {"kind": "budget", "name": "large", "total": 400}]
    raw = {"format": "dpwizard.decision/1", "title": "Axis", "release": release, "requirements": asked}
    figure = axis_chart.figure(picture(read(Decision, raw, "$")).assessment)
    chart = chart_of(figure)
    (strokes,) = [line for line in chart.lines if line.width == 4.0]
    assert set(strokes.x) == {2.0}
    assert [mark.words for mark in chart.marks] == ["at most 2.00", "at most 400.00"]


def test_the_noise_is_read_bar_by_bar() -> None:
    found = drawn(agency("A", 0.25, 3), epsilon=1.0)
    figure = noise_chart.figure(found.noise)
    chart = chart_of(figure)
    assert reading(chart, 0.2)[1].endswith("46.2 in 100")  # tanh(1/2)
    assert math.isclose(math.fsum(chart.bars[0].y), found.noise.coverage, rel_tol=0.06)
    assert len(noise_chart.tabled(figure).rows) == len(chart.bars[0].x)


def test_a_curve_that_tends_to_infinity_runs_to_the_top_of_the_figure() -> None:
    found = drawn(agency("A", 0.25, 1.5), agency("B", 0.25, 3), agency("C", 0.25, 6))
    own = every(found)[0]
    chart = chart_of(profile_chart.implied(every(found), 0, "p"))
    riser = next(line for line in chart.lines if line.role == "privacy" and not line.column)
    assert (riser.x[-1], riser.y[-1]) == (own.free[0], chart.y.high)
    assert (riser.x[0], riser.y[0]) in zip(own.epsilon.x, own.epsilon.y, strict=True)
    assert "" not in profile_chart.tabled(profile_chart.implied(every(found), 0, "p")).columns


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


def test_a_need_on_the_axis_is_called_by_what_it_asks_of_which_tables() -> None:
    parts = [{"name": name, "statistic": "count", "sensitivity": 1, "share": 0.5} for name in ("births", "deaths")]
    asked = [
        {"kind": "noise_interval", "half_width": 5, "level": 0.95, "part": "deaths"},
        {"kind": "rmse", "at_most": 3, "part": "births"},
    ]
    release = {"mechanism": "geometric", "neighbours": "add_remove", "unit": "person", "parts": parts}
    raw = {"format": "dpwizard.decision/1", "release": release, "requirements": asked, "epsilon": 3.0}
    decision = read(Decision, raw, "$")
    figure = axis_chart.figure(picture(decision).assessment, decision=decision)
    names = [words for _, words in chart_of(figure).y.ticks]
    assert names[0] == "deaths within 5"
    assert [row[0] for row in axis_chart.tabled(figure, picture(decision).assessment, decision).rows][:2] == names
