"""The shape "steps": a ratio for each interval of priors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from dpwizard.base.numerics import decimal
from dpwizard.base.values import Belief, Ratio, field
from dpwizard.privacy.arguments import one_for_each
from dpwizard.privacy.profiles.dragging import Grip, View, Way, between_neighbours, clamped, three_digits_down
from dpwizard.privacy.profiles.pieces import LevelPiece, Piece
from dpwizard.privacy.profiles.shape import MOST_POINTS, Axis, Moved, Shape, check_increasing, require

STEP, EDGE = "ratio of step {number}", "edge {number}"
Edges = Annotated[tuple[Belief, ...], Field(max_length=MOST_POINTS)]
StepRatios = Annotated[tuple[Ratio, ...], Field(min_length=1, max_length=MOST_POINTS + 1)]


class _Handle(NamedTuple):
    """A step, at the middle of its visible part, or an edge."""

    name: str
    position: int
    x: float
    y: float


class Steps(Shape):
    """A ratio for each interval of priors; on an edge the smaller of the two ratios counts."""

    title = "A ratio for each region"
    promise = "{count:count} steps from small to large chances: at most {ratios:numbers} times as likely as before"
    handles = (STEP, EDGE)

    shape: Literal["steps"] = "steps"
    axis: Axis | None = field("Chance before that counts", "p: being in the data; q: the value; pq: both together.")
    edges: Edges | None = field("Edges", "The chances before at which the ratio changes, from small to large.")
    ratios: StepRatios | None = field(
        "Ratios", "One for each interval: one more than edges.", unit="times", decided=True
    )

    @model_validator(mode="after")
    def _check_relations(self) -> Self:
        if self.edges is not None:
            check_increasing("edges", self.edges, "edges")
            if self.ratios is not None:  # below the first edge, between edges and above the last
                one_for_each(self.ratios, len(self.edges) + 1, "ratios")
        return self

    def jumps(self) -> tuple[float, ...]:
        return self.edges or ()

    def pieces(self) -> tuple[Axis, tuple[Piece, ...]]:
        ends = [decimal(end) for end in (0.0, *require(self.edges), 1.0)]
        steps = zip(require(self.ratios), pairwise(ends), strict=True)
        return require(self.axis), tuple(LevelPiece(ratio=ratio, low=low, high=high) for ratio, (low, high) in steps)

    def figures(self) -> Mapping[str, Any]:
        return {"count": len(require(self.ratios)), "ratios": require(self.ratios)}

    def excess(self, times: float) -> Self:
        return self.model_copy(update={"ratios": tuple(1.0 + times * (r - 1.0) for r in self.ratios or ())})

    # ------------------------------------------------------------------------------- dragging

    def _grips(self, view: View) -> tuple[Grip, ...]:
        ways: dict[str, Way] = {STEP: "up", EDGE: "across"}
        return tuple(
            Grip(x=handle.x, y=handle.y, name=handle.name, number=handle.position + 1, way=ways[handle.name])
            for handle in self._handles_in(view)
        )

    def _handles_in(self, view: View) -> list[_Handle]:
        """Return the visible steps and edges, in increasing order of priors."""
        scale = view.scale(self.axis)
        if scale is None:
            return []
        edges, ratios = [edge / scale for edge in require(self.edges)], require(self.ratios)
        handles = []
        for index, ratio in enumerate(ratios):
            low = max(edges[index - 1] if index else view.low, view.low)
            high = min(edges[index] if index < len(edges) else view.high, view.high)
            if low < high:
                x = math.sqrt(low * high)
                handles.append(_Handle(STEP, index, x, min(ratio, view.certain(x))))
            if index < len(edges) and view.shows(edges[index]):
                neighbours = [min(r, view.certain(edges[index])) for r in ratios[index : index + 2]]
                handles.append(_Handle(EDGE, index, edges[index], math.sqrt(neighbours[0] * neighbours[1])))
        return handles

    def _drag(self, index: int, view: View, x: float, y: float) -> Moved:
        handle = self._handles_in(view)[index]
        if handle.name == STEP:
            ratios = list(require(self.ratios))
            ratio, held = clamped(y, 1.0)
            ratios[handle.position] = three_digits_down(ratio, 1.0)
            return Moved(profile=self.changed(ratios=tuple(ratios)), held=held)
        edges = list(require(self.edges))
        wanted = x * (view.scale(self.axis) or 1.0)
        edges[handle.position], held = between_neighbours(wanted, edges, handle.position)
        return Moved(profile=self.changed(edges=tuple(edges)), held=held)
