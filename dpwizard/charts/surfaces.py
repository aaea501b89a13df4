"""Heat maps of a risk profile by both priors: the ratio allowed, the epsilon implied (Kazan & Reiter 2024, Fig. 5)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from dpwizard.charts.charts import Axis, Contour, Drawing, Figure, Mark, Surface, axis_words, decades, even
from dpwizard.charts.curves import NARROW, SMALLEST, epsilons_at
from dpwizard.decision import PrivacyInputs, Release, RequirementResult
from dpwizard.decision.requirements import RelativeRisk
from dpwizard.wording import chance, format_text, times, word

ACROSS = 120  # cells along each prior
MOST_RATIO, MOST_EPSILON = 100.0, 4.0  # ends of the colours, as in the paper
ROWS = 9  # of the table along each prior
Stroke = tuple[tuple[float, float], tuple[float, float]]
EDGES = (((0, 0), (1, 0)), ((1, 0), (1, 1)), ((1, 1), (0, 1)), ((0, 1), (0, 0)))  # of a cell, around it


def drawing(requirement: Any, answer: RequirementResult, release: Release, logarithmic: bool = True) -> Drawing | None:
    """Return what to draw of REQUIREMENT; None unless both priors are ranges."""
    if (
        not isinstance(requirement, RelativeRisk)
        or requirement.missing()
        or requirement.statement == "average"
        or answer.status not in ("allowed", "unbounded")
    ):
        return None
    setting = requirement.setting(release)
    if isinstance(setting, tuple) or requirement.profile is None:
        return None
    ends = []
    for belief, bound in zip(requirement.beliefs(), ("p", "q"), strict=True):
        if not isinstance(belief, tuple):
            return None
        least = answer.binding.get(bound) or math.inf
        low = belief[0] if belief[0] > 0 else min(SMALLEST, belief[1] / 10, least / 3)
        if belief[1] < low * NARROW:
            return None
        ends.append((low if logarithmic else belief[0], belief[1]))
    binding = answer.binding
    return Drawing.of(
        figure,
        requirement=requirement,
        setting=setting,
        p=ends[0],
        q=ends[1],
        epsilon=answer.epsilon,
        at=(float(binding.get("p") or 0.0), float(binding.get("q") or 0.0)) if binding else None,
        attained=answer.attained is not False,
        logarithmic=logarithmic,
    )


def figure(
    requirement: RelativeRisk,
    setting: PrivacyInputs,
    p: tuple[float, float],
    q: tuple[float, float],
    epsilon: float | None,
    at: tuple[float, float] | None,
    attained: bool,
    logarithmic: bool,
) -> Figure:
    """Return the two maps with a mark at the priors that set the limit; cells are computed at their centres."""
    import numpy as np

    places = []
    for low, high in (p, q):
        steps = (np.arange(ACROSS) + 0.5) / ACROSS
        places.append(low * (high / low) ** steps if logarithmic else low + (high - low) * steps)
    at_p, at_q = places
    assert requirement.profile is not None
    ratio = np.array(requirement.profile.ratio_at(at_p[:, None], at_q[None, :]))
    allowed = epsilons_at(requirement, setting, at_p[:, None], at_q[None, :], ratio)
    for array in (at_p, at_q, ratio, allowed):
        array.setflags(write=False)
    x = _belief_axis(word("chart", "belief_p"), p, logarithmic)
    y = _belief_axis(word("chart", "belief_q"), q, logarithmic)
    marks: tuple[Mark, ...] = ()
    sentence = word("chart", "map_free")
    if epsilon is not None and at is not None:
        x_at, y_at = (min(max(value, low), high) for value, (low, high) in zip(at, (p, q), strict=True))
        marks = (
            Mark(x=x_at, y=y_at, words=word("chart", "binds_here"), role="chosen", hollow=not attained, left=True),
        )
        figures = {"epsilon": epsilon, "p": at[0], "q": at[1]}
        sentence = format_text("chart", "map_binds" if attained else "map_limit", figures)
    largest = float(np.max(ratio[np.isfinite(ratio)], initial=2.0))
    top = min(MOST_RATIO, 10.0 ** math.ceil(math.log10(largest)))
    ratios = decades(word("chart", "ratio_allowed"), 1.0, top, way="ratio_up")
    epsilons = even(word("chart", "epsilon_implied"), MOST_EPSILON, way="limit")
    kinds = (("map_ratio", "r*", ratios, ratio), ("map_epsilon", "epsilon", epsilons, allowed))
    plots = tuple(
        with_contours(
            Surface(
                x=x, y=y, values=to, at_x=at_p, at_y=at_q, grid=grid, name=name, title=word("chart", key), marks=marks
            )
        )
        for key, name, to, grid in kinds
    )
    columns, rows = _map_table(*plots)
    aside = format_text("chart", "map_truncated", {"ratio": times(top), "epsilon": MOST_EPSILON})
    return Figure(
        title=word("chart", "map_title"), sentence=sentence, plots=plots, asides=(aside,), columns=columns, rows=rows
    )


def _belief_axis(title: str, ends: tuple[float, float], logarithmic: bool) -> Axis:
    if logarithmic:
        return decades(title, ends[0], ends[1], way="chance", beliefs=True)
    return even(title, ends[1], ends[0], way="chance")


def _map_table(ratios: Surface, epsilons: Surface) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the columns and rows of both maps at every pair of ROWS priors."""
    step = max(1, (ACROSS - 1) // (ROWS - 1))
    rows = []
    for i in range(0, ACROSS, step):
        for j in range(0, ACROSS, step):
            p, q = float(ratios.at_x[i]), float(ratios.at_y[j])
            cells = (axis_words(surface.values, float(surface.grid[i, j])) for surface in (ratios, epsilons))
            rows.append((chance(p), chance(q), *cells))
    return (ratios.x.title, ratios.y.title, ratios.values.title, epsilons.values.title), tuple(rows)


# ------------------------------------------------------------------------------ contour lines


def contour(surface: Surface, level: float) -> tuple[Stroke, ...]:
    """Return the contour line of SURFACE at LEVEL: strokes in places of both axes, by marching squares, unordered.

    Between the centres of cells the value is interpolated linearly on the axis of the colours.
    """
    import numpy as np

    axis = surface.values
    clipped = np.clip(surface.grid, axis.low / 10 if axis.logarithmic else axis.low - 1.0, 2.0 * axis.high)
    shades = np.log10(clipped) if axis.logarithmic else clipped
    above = shades > axis.place(level)
    corners = np.stack([above[:-1, :-1], above[1:, :-1], above[1:, 1:], above[:-1, 1:]])
    mixed = np.argwhere(corners.any(axis=0) & ~corners.all(axis=0))
    across = [surface.x.place(float(value)) for value in surface.at_x]
    up = [surface.y.place(float(value)) for value in surface.at_y]
    strokes: list[Stroke] = []
    for i, j in mixed.tolist():
        crossed = list(_edge_crossings(shades, i, j, axis.place(level), across, up))
        strokes += [(start, end) for start, end in zip(crossed[::2], crossed[1::2], strict=False)]
    return tuple(strokes)


def _edge_crossings(
    shades: Any, i: int, j: int, level: float, across: list[float], up: list[float]
) -> Iterator[tuple[float, float]]:
    """Yield the points where the edges of the cell at I, J cross LEVEL."""
    for (a, b), (c, d) in EDGES:
        start, end = float(shades[i + a, j + b]), float(shades[i + c, j + d])
        if (start > level) != (end > level):
            share = (level - start) / (end - start)
            x, y = across[i + a], up[j + b]
            yield x + share * (across[i + c] - x), y + share * (up[j + d] - y)


def with_contours(surface: Surface) -> Surface:
    """Return SURFACE with a contour line at each tick inside the axis of its colours."""
    axis = surface.values
    contours = tuple(
        Contour(words=words, strokes=contour(surface, value))
        for value, words in axis.ticks
        if axis.low < value < axis.high
    )
    return replace(surface, contours=tuple(line for line in contours if line.strokes))
