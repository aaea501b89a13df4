"""A curve through points."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from pydantic import model_validator

from dpwizard.base.errors import InvalidInput
from dpwizard.base.values import field
from dpwizard.privacy.profiles.dragging import APART, Grip, Held, View, near
from dpwizard.privacy.profiles.pieces import Piece, chain
from dpwizard.privacy.profiles.shape import MOST_POINTS, Axis, Moved, Points, Shape, given, increasing, less

CurvePoints = Sequence[tuple[float, float]]


class Knots(Shape):
    """A curve through points (prior, ratio): the logarithm of the ratio is linear in that of the prior, constant
    outside."""

    title = "A free curve"
    promise = "a free curve through {count:count} points"
    handles = ("knot {number}",)
    grows = True

    shape: Literal["knots"] = "knots"
    axis: Axis | None = field("Prior that counts", "p: being in the data; q: the value, given that; pq: both together.")
    points: Points | None = field(
        "Points", "Prior probability and the ratio allowed there, from small to large priors.", decided=True
    )

    @model_validator(mode="after")
    def _relations(self) -> Self:
        if self.points is not None:
            increasing("points", tuple(point[0] for point in self.points), "priors")
        return self

    def pieces(self) -> tuple[Axis, tuple[Piece, ...]]:
        return given(self.axis), chain(given(self.points))

    def figures(self) -> Mapping[str, Any]:
        return {"count": len(given(self.points))}

    def excess(self, times: float) -> Self:
        points = tuple((prior, 1.0 + times * (ratio - 1.0)) for prior, ratio in self.points or ())
        return self.model_copy(update={"points": points})

    def stricter(self, part: float) -> Self:
        return type(self)(axis="pq", points=tuple((prior, less(ratio, part)) for prior, ratio in given(self.points)))

    # ------------------------------------------------------------------------------- what a hand can do

    def _grips(self, view: View) -> tuple[Grip, ...]:
        scale = view.scale(self.axis)
        if scale is None:
            return ()
        return tuple(
            Grip(x=prior / scale, y=ratio, name=self.handles[0], number=index + 1)
            for index, (prior, ratio) in enumerate(given(self.points))
            if view.shows(prior / scale)
        )

    def _at(self, index: int, view: View) -> int:
        """Return which knot grip INDEX is: some may lie left of what is seen."""
        scale = view.scale(self.axis) or 1.0
        return index + next((i for i, (prior, _) in enumerate(self.points or ()) if view.shows(prior / scale)), 0)

    def _most(self, view: View) -> float:
        """Return the largest value of the belief that the curve does not count."""
        return 1.0 if self.axis == "pq" else view.most

    def _moved(self, index: int, view: View, x: float, y: float) -> Moved:
        points, at = list(given(self.points)), self._at(index, view)
        wanted = x * (view.scale(self.axis) or 1.0)
        lowest = points[at - 1][0] * APART if at else 0.0
        highest = points[at + 1][0] / APART if at + 1 < len(points) else 1.0
        prior = min(max(wanted, lowest), highest) if lowest < highest else points[at][0]
        held: Held = "order" if prior != wanted and lowest < highest else ""
        rounded = near(prior)
        prior = rounded if lowest <= rounded <= highest else prior
        ratio, why = _coherent(points, at, prior, y, self._most(view))
        points[at] = (min(prior, 1.0), ratio)
        return Moved(profile=self.changed(points=tuple(points)), held=why or held)

    def added(self, view: View, x: float) -> tuple[Self, int]:
        scale = view.scale(self.axis)
        if self.missing() or scale is None:
            return super().added(view, x)
        points = given(self.points)
        if len(points) >= MOST_POINTS:
            raise InvalidInput("has {count:,} knots already", "profile.points", "Remove one first.", count=MOST_POINTS)
        prior = near(min(max(x * scale, 1e-12), 1.0))
        if any(prior / APART < other < prior * APART for other, _ in points):
            raise InvalidInput("lies on another knot", "profile.points", "Take another place.")
        index = sum(other < prior for other, _ in points)
        on_curve = near(float(self.ratio_at(*view.priors(prior / scale))))
        ratio = max(min(max(on_curve, 1.0), 1.0 / (prior * self._most(view))), 1.0)
        changed = self.changed(points=(*points[:index], (prior, ratio), *points[index:]))
        return changed, index - changed._at(0, view)

    def removed(self, index: int, view: View) -> Self:
        at, points = self._at(index, view), self.points or ()
        if len(points) < 2:
            raise InvalidInput("is the only knot left", "profile.points", "Choose another shape instead.")
        return self.changed(points=(*points[:at], *points[at + 1 :]))


def _bounds(points: CurvePoints, index: int, prior: float, most: float) -> tuple[float, float, float]:
    """Return the least and largest ratio a knot at PRIOR may have beside its neighbours, and the ratio that is
    certainty."""
    certain = max(1.0, 1.0 / (prior * most))
    low = max(1.0, points[index - 1][1] * points[index - 1][0] / prior if index else 1.0)
    high = min(certain, points[index + 1][1] * points[index + 1][0] / prior if index + 1 < len(points) else math.inf)
    if low <= high * (1 + 1e-12):
        return low, high, certain
    return 1.0, certain, certain  # the neighbours contradict each other already


def _coherent(points: CurvePoints, index: int, prior: float, ratio: float, most: float) -> tuple[float, Held]:
    """Return RATIO, or the nearest one coherent with the neighbours, and why it is not what was asked for."""
    low, high, certain = _bounds(points, index, prior, most)
    kept = min(max(ratio, low), high)
    if kept == ratio:
        rounded = near(ratio)
        return (rounded if low <= rounded <= high else ratio), ""
    if kept == high:
        return kept, "certain" if high == certain else "falls"
    return kept, "least" if low == 1.0 else "falls"


def contradiction(points: CurvePoints, index: int, most: float = 1.0) -> Held:
    """Return what is incoherent about point INDEX of a curve beside its neighbours; "" if nothing is."""
    prior, ratio = points[index]
    low, high, certain = _bounds(points, index, prior, most)
    if low * (1 - 1e-12) <= ratio <= high * (1 + 1e-12):
        return ""
    if ratio < 1.0:
        return "least"
    return "certain" if ratio > certain else "falls"
