"""A ratio for each interval of priors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from dpwizard.base.numerics import decimal
from dpwizard.base.values import Belief, Ratio, field
from dpwizard.privacy.arguments import one_for_each
from dpwizard.privacy.profiles.dragging import APART, Grip, View, careful, kept, near
from dpwizard.privacy.profiles.pieces import LevelPiece, Piece
from dpwizard.privacy.profiles.shape import MOST_POINTS, Axis, Moved, Shape, given, increasing

STEP, EDGE = "ratio of step {number}", "edge {number}"
Edges = Annotated[tuple[Belief, ...], Field(max_length=MOST_POINTS)]
StepRatios = Annotated[tuple[Ratio, ...], Field(min_length=1, max_length=MOST_POINTS + 1)]


class _Place(NamedTuple):
    """A step, at the middle of what is seen of it, or an edge: which one, and where it is."""

    name: str
    at: int
    x: float
    y: float


class Steps(Shape):
    """A ratio for each interval of priors; on an edge the smaller of the two neighbours holds."""

    title = "A ratio for each region"
    promise = "{count:count} steps from small to large priors: at most {ratios:numbers} times as probable as before"
    handles = (STEP, EDGE)

    shape: Literal["steps"] = "steps"
    axis: Axis | None = field("Prior that counts", "p: being in the data; q: the value, given that; pq: both together.")
    edges: Edges | None = field("Edges", "The priors at which the ratio changes, from small to large.")
    ratios: StepRatios | None = field(
        "Ratios", "One for each interval, one more than edges.", unit="times", decided=True
    )

    @model_validator(mode="after")
    def _relations(self) -> Self:
        if self.edges is not None:
            increasing("edges", self.edges, "edges")
            if self.ratios is not None:  # below the first edge, between edges and above the last
                one_for_each(self.ratios, len(self.edges) + 1, "ratios")
        return self

    def jumps(self) -> tuple[float, ...]:
        return self.edges or ()

    def pieces(self) -> tuple[Axis, tuple[Piece, ...]]:
        ends = [decimal(end) for end in (0.0, *given(self.edges), 1.0)]
        steps = zip(given(self.ratios), pairwise(ends), strict=True)
        return given(self.axis), tuple(LevelPiece(ratio=ratio, low=low, high=high) for ratio, (low, high) in steps)

    def figures(self) -> Mapping[str, Any]:
        return {"count": len(given(self.ratios)), "ratios": given(self.ratios)}

    def excess(self, times: float) -> Self:
        return self.model_copy(update={"ratios": tuple(1.0 + times * (r - 1.0) for r in self.ratios or ())})

    # ------------------------------------------------------------------------------- what a hand can do

    def _grips(self, view: View) -> tuple[Grip, ...]:
        return tuple(
            Grip(
                x=place.x, y=place.y, name=place.name, number=place.at + 1, way="up" if place.name == STEP else "across"
            )
            for place in self._places(view)
        )

    def _places(self, view: View) -> list[_Place]:
        """Return steps and edges that are seen, from small to large beliefs."""
        scale = view.scale(self.axis)
        if scale is None:
            return []
        edges, ratios = [edge / scale for edge in given(self.edges)], given(self.ratios)
        found = []
        for index, ratio in enumerate(ratios):
            low = max(edges[index - 1] if index else view.low, view.low)
            high = min(edges[index] if index < len(edges) else view.high, view.high)
            if low < high:
                x = math.sqrt(low * high)
                found.append(_Place(STEP, index, x, min(ratio, view.certain(x))))
            if index < len(edges) and view.shows(edges[index]):
                beside = [min(r, view.certain(edges[index])) for r in ratios[index : index + 2]]
                found.append(_Place(EDGE, index, edges[index], math.sqrt(beside[0] * beside[1])))
        return found

    def _moved(self, index: int, view: View, x: float, y: float) -> Moved:
        name, at, _, _ = self._places(view)[index]
        edges, ratios = list(given(self.edges)), list(given(self.ratios))
        if name == STEP:
            ratio, held = kept(y, 1.0)
            ratios[at] = careful(ratio, 1.0)
            return Moved(profile=self.changed(ratios=tuple(ratios)), held=held)
        lowest = edges[at - 1] * APART if at else 0.0
        highest = edges[at + 1] / APART if at + 1 < len(edges) else 1.0
        wanted = x * (view.scale(self.axis) or 1.0)
        edge = near(min(max(wanted, lowest), highest)) if lowest < highest else edges[at]
        edges[at] = edge if lowest <= edge <= highest else min(max(wanted, lowest), highest)
        return Moved(profile=self.changed(edges=tuple(edges)), held="" if lowest <= wanted <= highest else "order")
