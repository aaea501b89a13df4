"""The shape "knots2d": a surface through points on a grid of both priors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from dpwizard.base.values import Belief, Positive, field
from dpwizard.privacy.arguments import one_for_each
from dpwizard.privacy.profiles.pieces import Floats, Mesh
from dpwizard.privacy.profiles.shape import Shape, Side, check_increasing, require

MOST_GRID = 64  # along each axis

GridLine = Annotated[tuple[Belief, ...], Field(min_length=1, max_length=MOST_GRID)]
GridRow = Annotated[tuple[Positive, ...], Field(min_length=1, max_length=MOST_GRID)]
GridRatios = Annotated[tuple[GridRow, ...], Field(min_length=1, max_length=MOST_GRID)]


class Knots2d(Shape):
    """A surface through points on a grid, bilinear in the logarithms of p, q and the ratio and constant outside."""

    title = "A free surface"
    promise = "a free surface on {count:count} points"

    shape: Literal["knots2d"] = "knots2d"
    p: GridLine | None = field("Grid of p", "Chances before of being in the data, from small to large.")
    q: GridLine | None = field("Grid of q", "Chances before of the value, if in the data, from small to large.")
    ratios: GridRatios | None = field("Ratios", "One row for each p, one ratio for each q.", unit="times", decided=True)

    @model_validator(mode="after")
    def _check_relations(self) -> Self:
        for name, line in (("p", self.p), ("q", self.q)):
            if line is not None:
                check_increasing(name, line, "priors")
        if self.ratios is not None:
            if self.p is not None:
                one_for_each(self.ratios, len(self.p), "ratios")
            width = len(self.q) if self.q is not None else len(self.ratios[0])
            for index, row in enumerate(self.ratios):
                one_for_each(row, width, f"ratios[{index}]")
        return self

    def _ratios(self, p: Floats, q: Floats, side: Side) -> Floats:
        rows, columns = np.log(require(self.p)), np.log(require(self.q))
        levels = np.log(np.asarray(require(self.ratios), dtype=float))
        u, v = np.clip(np.log(p), rows[0], rows[-1]), np.clip(np.log(q), columns[0], columns[-1])
        i = np.clip(np.searchsorted(rows, u, side="right") - 1, 0, max(len(rows) - 2, 0))
        j = np.clip(np.searchsorted(columns, v, side="right") - 1, 0, max(len(columns) - 2, 0))
        i1, j1 = np.minimum(i + 1, len(rows) - 1), np.minimum(j + 1, len(columns) - 1)
        s = np.where(i1 > i, (u - rows[i]) / np.where(i1 > i, rows[i1] - rows[i], 1.0), 0.0)
        t = np.where(j1 > j, (v - columns[j]) / np.where(j1 > j, columns[j1] - columns[j], 1.0), 0.0)
        low = (1.0 - t) * levels[i, j] + t * levels[i, j1]
        high = (1.0 - t) * levels[i1, j] + t * levels[i1, j1]
        return np.asarray(np.exp((1.0 - s) * low + s * high))

    def mesh(self) -> Mesh:
        return Mesh(require(self.p), require(self.q), require(self.ratios))

    def figures(self) -> Mapping[str, Any]:
        return {"count": sum(len(row) for row in require(self.ratios))}

    def excess(self, times: float) -> Self:
        ratios = tuple(tuple(1.0 + times * (r - 1.0) for r in row) for row in self.ratios or ())
        return self.model_copy(update={"ratios": ratios})
