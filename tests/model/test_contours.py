"""Contour lines of a heat map lie where its values pass a level, and nowhere else."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpwizard.charts import Surface, contours
from dpwizard.charts.charts import Axis


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
    strokes = contours.contour(surface(100 * np.hypot(x - 0.5, y - 0.5)), 30.0)
    ends = [end for stroke in strokes for end in stroke]
    assert all(math.hypot(a - 0.5, b - 0.5) == pytest.approx(0.3, abs=1e-3) for a, b in ends)
    length = sum(math.dist(*stroke) for stroke in strokes)
    assert length == pytest.approx(2 * math.pi * 0.3, rel=0.01)


def test_where_nothing_is_bounded_there_is_no_line_and_the_levels_are_the_inner_ticks() -> None:
    flat = surface(np.full((9, 9), np.inf), logarithmic=True)
    assert contours.contour(flat, 10.0) == ()
    assert flat.beyond().all()
    assert contours.with_contours(flat).contours == ()
    rising = surface(np.linspace(1, 99, 9)[:, None].repeat(9, axis=1), logarithmic=True)
    assert [one.words for one in contours.with_contours(rising).contours] == ["10"]


def test_on_a_logarithmic_scale_a_line_lies_where_the_logarithm_does() -> None:
    x = np.repeat((10 ** np.linspace(0, 2, 41))[:, None], 41, axis=1)
    strokes = contours.contour(surface(x, logarithmic=True), 10**0.975)
    assert strokes
    assert all(a == pytest.approx((0.975 * 20 + 0.5) / 41, abs=1e-9) for stroke in strokes for a, _ in stroke)
