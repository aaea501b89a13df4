"""Contour lines of a heat map: where its values pass one level, as strokes between neighbouring cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from dpwizard.charts.charts import Contour, Surface

Stroke = tuple[tuple[float, float], tuple[float, float]]
EDGES = (((0, 0), (1, 0)), ((1, 0), (1, 1)), ((1, 1), (0, 1)), ((0, 1), (0, 0)))  # of a cell, around it


def contour(surface: Surface, level: float) -> tuple[Stroke, ...]:
    """Return where SURFACE passes LEVEL: strokes in places of both axes, by marching squares, in no order.

    Between two middles of cells the value is taken to run straight on the scale of the colours.
    """
    import numpy as np

    axis = surface.values
    held = np.clip(surface.grid, axis.low / 10 if axis.logarithmic else axis.low - 1.0, 2.0 * axis.high)
    shades = np.log10(held) if axis.logarithmic else held
    above = shades > axis.place(level)
    corners = np.stack([above[:-1, :-1], above[1:, :-1], above[1:, 1:], above[:-1, 1:]])
    mixed = np.argwhere(corners.any(axis=0) & ~corners.all(axis=0))
    across = [surface.x.place(float(value)) for value in surface.at_x]
    up = [surface.y.place(float(value)) for value in surface.at_y]
    found: list[Stroke] = []
    for i, j in mixed.tolist():
        crossed = list(_crossings(shades, i, j, axis.place(level), across, up))
        found += [(one, other) for one, other in zip(crossed[::2], crossed[1::2], strict=False)]
    return tuple(found)


def _crossings(
    shades: Any, i: int, j: int, level: float, across: list[float], up: list[float]
) -> Iterator[tuple[float, float]]:
    """Yield where the edges of the cell at I, J pass LEVEL."""
    for (a, b), (c, d) in EDGES:
        one, other = float(shades[i + a, j + b]), float(shades[i + c, j + d])
        if (one > level) != (other > level):
            share = (level - one) / (other - one)
            x, y = across[i + a], up[j + b]
            yield x + share * (across[i + c] - x), y + share * (up[j + d] - y)


def with_contours(surface: Surface) -> Surface:
    """Return SURFACE with a contour line at each tick of its colours between their ends."""
    axis = surface.values
    found = tuple(
        Contour(words=words, strokes=contour(surface, value))
        for value, words in axis.ticks
        if axis.low < value < axis.high
    )
    return replace(surface, contours=tuple(one for one in found if one.strokes))
