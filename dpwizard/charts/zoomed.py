"""Zooming: curves, bars and marks cut at the ends of the visible axes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import replace

from dpwizard.charts.charts import Axis, Bars, Chart, Line


def within(chart: Chart, x: Axis, y: Axis) -> Chart:
    """Return the part of CHART within X and Y, parts of its axes."""
    marks = [mark for mark in chart.marks if x.low <= mark.x <= x.high and y.low <= mark.y <= y.high]
    bars = [
        replace(
            bar,
            x=tuple(at for at, _, _ in visible),
            y=tuple(min(end, y.high) for _, end, _ in visible),
            begins=tuple(max(start, y.low) for _, _, start in visible),
        )
        for bar in chart.bars
        if (visible := [span for span in _finite_bars(bar, y.low) if x.low <= span[0] <= x.high and span[1] > y.low])
    ]
    groups = [
        (max(low, x.low), min(high, x.high), words)
        for low, high, words in chart.groups
        if low < x.high and high > x.low
    ]
    return replace(
        chart,
        x=x,
        y=y,
        lines=tuple(_cut_line(line, x, y) for line in chart.lines),
        bars=tuple(bars),
        marks=tuple(marks),
        bands=tuple(band for band in chart.bands if band.low < x.high and band.high > x.low),
        groups=tuple(groups),
    )


def _finite_bars(bar: Bars, foot: float) -> Iterable[tuple[float, float, float]]:
    """Return the place, end and start of each finite bar."""
    begins = bar.begins or (foot,) * len(bar.x)
    return (span for span in zip(bar.x, bar.y, begins, strict=True) if math.isfinite(span[1]))


def _cut_line(line: Line, x: Axis, y: Axis) -> Line:
    """Return LINE within X and Y, with gaps outside."""
    places = [(x.place(a), y.place(b)) for a, b in zip(line.x, line.y, strict=True)]
    strokes = zip(places[::2], places[1::2], strict=True) if line.pairs else itertools.pairwise(places)
    xs: list[float] = []
    ys: list[float] = []
    for start, end in strokes:
        cut = _clip_stroke(start, end, (x.place(x.low), y.place(y.low)), (x.place(x.high), y.place(y.high)))
        if cut is None:
            continue
        ends = [(x.value(a), y.value(b)) for a, b in cut]
        if not line.pairs and xs and (xs[-1], ys[-1]) != ends[0]:
            xs.append(ends[0][0])
            ys.append(math.nan)
        added = ends if line.pairs or not xs or (xs[-1], ys[-1]) != ends[0] else ends[1:]
        xs += [a for a, _ in added]
        ys += [b for _, b in added]
    return replace(line, x=tuple(xs), y=tuple(ys))


def _clip_stroke(
    start: tuple[float, float], end: tuple[float, float], low: tuple[float, float], high: tuple[float, float]
) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """Return the part of a stroke between LOW and HIGH on both axes; None if there is none."""
    if not all(map(math.isfinite, (*start, *end))):
        return None
    from_share, to_share = 0.0, 1.0
    for axis in (0, 1):
        step = end[axis] - start[axis]
        if not step:
            if not low[axis] <= start[axis] <= high[axis]:
                return None
            continue
        shares = sorted(((low[axis] - start[axis]) / step, (high[axis] - start[axis]) / step))
        from_share, to_share = max(from_share, shares[0]), min(to_share, shares[1])
    if from_share >= to_share and (start != end or from_share > to_share):
        return None
    first, last = (
        tuple(a + share * (b - a) for a, b in zip(start, end, strict=True)) for share in (from_share, to_share)
    )
    return (first[0], first[1]), (last[0], last[1])
