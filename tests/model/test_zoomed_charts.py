"""What is left of a chart of which a part is looked at closely."""

from __future__ import annotations

import math
from typing import Any

import pytest

from dpwizard.charts import Bars, Chart, Line, Mark, within
from dpwizard.charts.charts import Band, even, narrowed

X, Y = even("x", 10.0), even("y", 10.0)


def part(low: float, high: float, foot: float, top: float, **shown: Any) -> Chart:
    """Return the part of a chart of what is SHOWN."""
    return within(Chart(x=X, y=Y, **shown), narrowed(X, low, high), narrowed(Y, foot, top))


def test_a_stroke_is_cut_at_all_four_edges() -> None:
    line = Line(name="a", x=(0.0, 10.0), y=(0.0, 10.0))
    cut = part(2.0, 8.0, 3.0, 7.0, lines=(line,)).lines[0]
    assert cut.x == pytest.approx((3.0, 7.0))
    assert cut.y == pytest.approx((3.0, 7.0))


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
