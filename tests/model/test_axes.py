"""The axes of charts: whatever is shown, even one value alone, they have two ends and ticks between them."""

from __future__ import annotations

import math

import pytest
from hypothesis import example as known
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.values import read
from dpwizard.charts import Axis, Chart, Figure, Line, Noise, chart_scene, noise_chart, picture, svg
from dpwizard.charts.charts import decades, even, shares
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


@pytest.mark.parametrize("high", [0.0, 5e-324, 1e-9, 1.0])
def test_an_axis_of_probabilities_has_two_ends(high: float) -> None:
    sound(shares("x", high))


def test_ends_in_the_wrong_order_are_put_in_order() -> None:
    sound(even("x", 1.0, 5.0))
    assert (even("x", 1.0, 5.0).low, even("x", 1.0, 5.0).high) == (1.0, 5.0)


def test_ends_that_differ_are_kept() -> None:
    assert (even("x", 2.19, 0.1).low, even("x", 2.19, 0.1).high) == (0.1, 2.19)
    assert (decades("x", 0.001, 1.0).low, decades("x", 0.001, 1.0).high) == (0.001, 1.0)


def test_a_figure_of_one_value_alone_can_be_drawn() -> None:
    line = Line(name="y", x=(0.3, 0.3), y=(0.0, 0.0))
    figure = Figure(
        title="One value",
        sentence="",
        plots=(Chart(x=even("x", 0.3, 0.3), y=even("y", 0.0), lines=(line,)),),
        columns=(),
        rows=(),
    )
    drawn = svg(chart_scene.scene(figure))
    assert "nan" not in drawn
    assert "inf" not in drawn


# ---------------------------------------------------------------------------- counts of any length


def crossed(threshold: int, above: int) -> Figure:
    noise = Noise(
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
    return noise_chart.figure(noise, {"probability": 1e-9, "true_count_above": above, "threshold_count": threshold})


def test_the_figure_of_the_noise_marks_a_threshold_within_it_and_leaves_out_one_beyond() -> None:
    def marks(found: Figure) -> int:
        plot = found.plots[0]
        assert isinstance(plot, Chart)
        return len(plot.marks)

    assert marks(crossed(10, 11)) == 1
    assert marks(crossed(0, 100)) == 0
    assert marks(crossed(0, HUGE)) == 0
    assert marks(crossed(HUGE, HUGE + 1)) == 1


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
    assert found.noise is not None
    assert noise_chart.figure(found.noise, dict(crossing)).plots
    made = make(decision, STATED, name="durham")
    assert "Infant deaths" in report.text(report.blocks(made))
