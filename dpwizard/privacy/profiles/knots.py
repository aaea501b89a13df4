"""The shape "knots": a curve through points."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from pydantic import model_validator

from dpwizard.base.errors import InvalidInput
from dpwizard.base.values import field
from dpwizard.privacy.profiles.dragging import APART, Grip, Held, View, between_neighbours, to_three_digits
from dpwizard.privacy.profiles.pieces import Piece, chain
from dpwizard.privacy.profiles.shape import (
    MOST_POINTS,
    Axis,
    Moved,
    Points,
    Shape,
    check_increasing,
    require,
    stricter_ratio,
)

CurvePoints = Sequence[tuple[float, float]]


class Knots(Shape):
    """A curve through points (prior, ratio), linear in their logarithms and constant outside."""

    title = "A free curve"
    promise = "a free curve through {count:count} points"
    handles = ("knot {number}",)
    grows = True

    shape: Literal["knots"] = "knots"
    axis: Axis | None = field("Chance before that counts", "p: being in the data; q: the value; pq: both together.")
    points: Points | None = field("Points", "Chances before and the ratio allowed at each.", decided=True)

    @model_validator(mode="after")
    def _check_relations(self) -> Self:
        if self.points is not None:
            check_increasing("points", tuple(point[0] for point in self.points), "priors")
        return self

    def pieces(self) -> tuple[Axis, tuple[Piece, ...]]:
        return require(self.axis), chain(require(self.points))

    def figures(self) -> Mapping[str, Any]:
        return {"count": len(require(self.points))}

    def excess(self, times: float) -> Self:
        points = tuple((prior, 1.0 + times * (ratio - 1.0)) for prior, ratio in self.points or ())
        return self.model_copy(update={"points": points})

    def stricter(self, part: float) -> Self:
        return type(self)(
            axis="pq", points=tuple((prior, stricter_ratio(ratio, part)) for prior, ratio in require(self.points))
        )

    # ------------------------------------------------------------------------------- dragging

    def _grips(self, view: View) -> tuple[Grip, ...]:
        scale = view.scale(self.axis)
        if scale is None:
            return ()
        return tuple(
            Grip(x=prior / scale, y=ratio, name=self.handles[0], number=index + 1)
            for index, (prior, ratio) in enumerate(require(self.points))
            if view.shows(prior / scale)
        )

    def _knot_index(self, index: int, view: View) -> int:
        """Return the knot of grip INDEX; knots left of the view have no grip."""
        scale = view.scale(self.axis) or 1.0
        return index + next((i for i, (prior, _) in enumerate(self.points or ()) if view.shows(prior / scale)), 0)

    def _largest_other(self, view: View) -> float:
        """Return the largest value of the prior that is not on the curve's axis."""
        return 1.0 if self.axis == "pq" else view.most

    def _drag(self, index: int, view: View, x: float, y: float) -> Moved:
        points, knot = list(require(self.points)), self._knot_index(index, view)
        wanted = x * (view.scale(self.axis) or 1.0)
        prior, held = between_neighbours(wanted, [point[0] for point in points], knot)
        ratio, ratio_held = _nearest_coherent_ratio(points, knot, prior, y, self._largest_other(view))
        points[knot] = (prior, ratio)
        return Moved(profile=self.changed(points=tuple(points)), held=ratio_held or held)

    def added(self, view: View, x: float) -> tuple[Self, int]:
        scale = view.scale(self.axis)
        if self.missing() or scale is None:
            return super().added(view, x)
        points = require(self.points)
        if len(points) >= MOST_POINTS:
            raise InvalidInput("already has {count:,} knots", "profile.points", "Remove one first.", count=MOST_POINTS)
        prior = to_three_digits(min(max(x * scale, 1e-12), 1.0))
        if any(prior / APART < other < prior * APART for other, _ in points):
            raise InvalidInput("is on another knot", "profile.points", "Choose another place.")
        index = sum(other < prior for other, _ in points)
        on_curve = to_three_digits(float(self.ratio_at(*view.priors(prior / scale))))
        ratio = max(min(max(on_curve, 1.0), 1.0 / (prior * self._largest_other(view))), 1.0)
        changed = self.changed(points=(*points[:index], (prior, ratio), *points[index:]))
        return changed, index - changed._knot_index(0, view)

    def removed(self, index: int, view: View) -> Self:
        knot, points = self._knot_index(index, view), self.points or ()
        if len(points) < 2:
            raise InvalidInput("is the only knot left", "profile.points", "Choose another shape instead.")
        return self.changed(points=(*points[:knot], *points[knot + 1 :]))


def _coherent_ratios(points: CurvePoints, index: int, prior: float, largest_other: float) -> tuple[float, float, float]:
    """Return the least and largest ratio coherent with the neighbours of INDEX, and that of a posterior of 1."""
    certain = max(1.0, 1.0 / (prior * largest_other))
    low = max(1.0, points[index - 1][1] * points[index - 1][0] / prior if index else 1.0)
    high = min(certain, points[index + 1][1] * points[index + 1][0] / prior if index + 1 < len(points) else math.inf)
    if low <= high * (1 + 1e-12):
        return low, high, certain
    return 1.0, certain, certain  # the neighbours already contradict each other


def _nearest_coherent_ratio(
    points: CurvePoints, index: int, prior: float, ratio: float, largest_other: float
) -> tuple[float, Held]:
    """Return the ratio nearest RATIO that is coherent with the neighbours, and the limit reached."""
    low, high, certain = _coherent_ratios(points, index, prior, largest_other)
    nearest = min(max(ratio, low), high)
    if nearest == ratio:
        rounded = to_three_digits(ratio)
        return (rounded if low <= rounded <= high else ratio), ""
    if nearest == high:
        return nearest, "certain" if high == certain else "falls"
    return nearest, "least" if low == 1.0 else "falls"


def contradiction(points: CurvePoints, index: int, largest_other: float = 1.0) -> Held:
    """Return why point INDEX of a curve is incoherent with its neighbours; "" if it is not."""
    prior, ratio = points[index]
    low, high, certain = _coherent_ratios(points, index, prior, largest_other)
    if low * (1 - 1e-12) <= ratio <= high * (1 + 1e-12):
        return ""
    if ratio < 1.0:
        return "least"
    return "certain" if ratio > certain else "falls"
