"""What is drawn: axes with two ends and ticks between them, contour lines of heat maps, and parts looked at closely."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example as known
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.language import speaking
from dpwizard.base.values import read
from dpwizard.charts import (
    Axis,
    Bars,
    Chart,
    DrawnNoise,
    Figure,
    Line,
    Mark,
    Surface,
    chart_scene,
    noise_chart,
    picture,
    surfaces,
    within,
)
from dpwizard.charts.charts import Band, decades, even, narrowed
from dpwizard.charts.plot_frame import PlotStyle
from dpwizard.charts.scene import Path, Rectangle, Text
from dpwizard.decision import Decision
from dpwizard.records import make
from dpwizard.report import document as report
from tests.samples.decisions import STATED, example

ANY = st.one_of(st.floats(allow_nan=False), st.sampled_from((0.0, 5e-324, 1e-300, 0.3, 1.0, 1e300, math.inf)))
POSITIVE = st.one_of(st.floats(5e-324, 1.7e308), st.sampled_from((5e-324, 1e-300, 0.3, 1.0, 1e300, math.inf)))
HUGE = int("9" * 400)


def sound(axis: Axis) -> None:
    """Two ends that can be divided by, and ticks between them."""
    low, high = axis.place(axis.low), axis.place(axis.high)
    assert math.isfinite(low)
    assert math.isfinite(high - low)
    assert high > low
    assert math.isfinite(1 / (high - low))
    assert axis.ticks
    assert all(-1e-6 <= (axis.place(value) - low) / (high - low) <= 1 + 1e-6 for value, _ in axis.ticks)


@pytest.mark.slow
@given(ANY, ANY)
@known(0.0, 0.0)
@known(0.3, 0.3)
@known(0.3, 0.3 + 1e-16)
@known(-0.3, -0.3)
@known(1e300, math.inf)
def test_an_even_axis_has_two_ends(one: float, other: float) -> None:
    low, high = sorted((one, other))
    sound(even("x", high, low))


@pytest.mark.slow
@given(POSITIVE, POSITIVE)
@known(0.3, 0.3)
@known(5e-324, 5e-324)
def test_an_axis_of_powers_of_ten_has_two_ends(one: float, other: float) -> None:
    low, high = sorted((one, other))
    sound(decades("x", low, high))


@pytest.mark.parametrize("language", ["en", "de"])
def test_numbers_beside_an_axis_are_whole(language: str) -> None:
    with speaking(language):
        y = even("y", 100_000.0)
        figure = Figure(title="", sentence="", plots=(Chart(x=even("x", 1.0), y=y),))
    words = {item.text for item in chart_scene.scene(figure).items if isinstance(item, Text)}
    assert {text for _, text in y.ticks} <= words


# ---------------------------------------------------------------------------- counts of any length


NOISE = DrawnNoise(
    mechanism="geometric",
    sd=1.0,
    mean_absolute=0.6,
    values=(-2.0, -1.0, 0.0, 1.0, 2.0),
    heights=(0.05, 0.2, 0.5, 0.2, 0.05),
    whole=True,
    half_width=2.0,
    coverage=0.95,
    exact=0.0,
)


@pytest.mark.parametrize("brief", [True, False])
def test_words_on_a_band_stand_above_the_bars_and_no_line_crosses_them(brief: bool) -> None:
    figure = noise_chart.figure(NOISE, brief=brief)
    for height in range(60, 240, 6):
        items = chart_scene.scene(figure, PlotStyle(height=float(height))).items
        (foot,) = [one.y for one in items if isinstance(one, Text) and one.text == "95 in 100"]
        assert all(foot <= one.y for one in items if isinstance(one, Rectangle) and one.opacity == 1.0), height
        levels = [one.points[0][1] for one in items if isinstance(one, Path) and one.points[0][0] > 0.0]
        assert not any(foot - 8.0 < level < foot + 2.0 for level in levels), height


def test_a_rate_that_makes_counts_of_six_hundred_digits_is_decided_and_printed() -> None:
    raw = example("durham")
    rate = next(one for one in raw["requirements"] if one["kind"] == "switch_probability")
    rate.update(target=1e300, per=1e-300, records=1e15, deviation=1e299)
    decision = read(Decision, raw, "$")
    found = picture(decision)
    crossing = next(
        one.at_epsilon for one in found.assessment.answers if one.at_epsilon and "threshold_count" in one.at_epsilon
    )
    assert crossing["threshold_count"] > HUGE
    assert noise_chart.figure(found.noise, dict(crossing)).plots
    made = make(decision, STATED, name="durham")
    assert "Infant deaths" in report.text(report.blocks(made))


def surface(values: np.ndarray, *, logarithmic: bool = False) -> Surface:
    """Return VALUES over the unit square as a map."""
    places = (np.arange(len(values)) + 0.5) / len(values)
    axis = Axis(title="", low=0.0, high=1.0, ticks=())
    scale = Axis(
        title="", low=1.0, high=100.0, ticks=((1.0, "1"), (10.0, "10"), (100.0, "100")), logarithmic=logarithmic
    )
    return Surface(x=axis, y=axis, values=scale, at_x=places, at_y=places, grid=values, name="r")


def test_a_level_of_a_cone_is_a_circle() -> None:
    x, y = np.meshgrid(*[(np.arange(80) + 0.5) / 80] * 2, indexing="ij")
    strokes = surfaces.contour(surface(100 * np.hypot(x - 0.5, y - 0.5)), 30.0)
    ends = [end for stroke in strokes for end in stroke]
    assert all(math.hypot(a - 0.5, b - 0.5) == pytest.approx(0.3, abs=1e-3) for a, b in ends)
    length = sum(math.dist(*stroke) for stroke in strokes)
    assert length == pytest.approx(2 * math.pi * 0.3, rel=0.01)


def test_on_a_logarithmic_scale_a_line_lies_where_the_logarithm_does() -> None:
    x = np.repeat((10 ** np.linspace(0, 2, 41))[:, None], 41, axis=1)
    strokes = surfaces.contour(surface(x, logarithmic=True), 10**0.975)
    assert strokes
    assert all(a == pytest.approx((0.975 * 20 + 0.5) / 41, abs=1e-9) for stroke in strokes for a, _ in stroke)


X, Y = even("x", 10.0), even("y", 10.0)


def part(low: float, high: float, foot: float, top: float, **shown: Any) -> Chart:
    """Return the part of a chart of what is SHOWN."""
    return within(Chart(x=X, y=Y, **shown), narrowed(X, low, high), narrowed(Y, foot, top))


def test_a_curve_that_leaves_and_comes_back_has_a_gap_between() -> None:
    line = Line(name="a", x=(0.0, 2.0, 4.0, 6.0), y=(1.0, 9.0, 9.0, 1.0))
    cut = part(0.0, 6.0, 0.0, 5.0, lines=(line,)).lines[0]
    assert cut.x == pytest.approx((0.0, 1.0, 5.0, 5.0, 6.0))
    assert [value for value in cut.y if not math.isnan(value)] == pytest.approx([1.0, 5.0, 5.0, 1.0])
    assert math.isnan(cut.y[2])


def test_a_gap_stays_a_gap_and_separate_strokes_stay_separate() -> None:
    gap = Line(name="a", x=(0.0, 1.0, 2.0, 3.0), y=(1.0, math.nan, 1.0, 1.0))
    pairs = Line(name="b", x=(0.0, 4.0, 6.0, 10.0), y=(2.0, 2.0, 4.0, 4.0), pairs=True)
    found = part(0.0, 8.0, 0.0, 5.0, lines=(gap, pairs)).lines
    assert (found[0].x, found[0].y) == ((2.0, 3.0), (1.0, 1.0))
    assert (found[1].x, found[1].y) == ((0.0, 4.0, 6.0, 8.0), (2.0, 2.0, 4.0, 4.0))


def test_bars_marks_and_bands_outside_are_left_out_and_bars_end_at_the_edge() -> None:
    bars = Bars(name="a", x=(1.0, 4.0, 9.0), y=(3.0, 8.0, math.inf), width=0.5)
    marks = (Mark(x=4.0, y=3.0, words="in"), Mark(x=4.0, y=9.0, words="out"))
    bands = (Band(low=0.0, high=2.0, words="out"), Band(low=2.5, high=9.0, words="in"))
    found = part(3.0, 8.0, 1.0, 5.0, bars=(bars,), marks=marks, bands=bands)
    assert [(bar.x, bar.y, bar.begins) for bar in found.bars] == [((4.0,), (5.0,), (1.0,))]
    assert [mark.words for mark in found.marks] == ["in"]
    assert [band.words for band in found.bands] == ["in"]
