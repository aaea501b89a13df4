"""A part of a chart that is looked at closely: curves, bars and marks cut at the ends of the axes shown."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import replace

from dpwizard.charts.charts import Axis, Bars, Chart, Line


def within(chart: Chart, x: Axis, y: Axis) -> Chart:
    """Return what of CHART lies within the parts X and Y of its axes; a curve that leaves them ends at their edges."""
    marks = [mark for mark in chart.marks if x.low <= mark.x <= x.high and y.low <= mark.y <= y.high]
    bars = [
        replace(
            bar,
            x=tuple(at for at, _, _ in shown),
            y=tuple(min(end, y.high) for _, end, _ in shown),
            begins=tuple(max(start, y.low) for _, _, start in shown),
        )
        for bar in chart.bars
        if (shown := [one for one in _spans(bar, y.low) if x.low <= one[0] <= x.high and one[1] > y.low])
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
        lines=tuple(_cut(line, x, y) for line in chart.lines),
        bars=tuple(bars),
        marks=tuple(marks),
        bands=tuple(band for band in chart.bands if band.low < x.high and band.high > x.low),
        groups=tuple(groups),
    )


def _spans(bar: Bars, foot: float) -> Iterable[tuple[float, float, float]]:
    """Yield where each bar stands, its end and its beginning; none of what has no number."""
    begins = bar.begins or (foot,) * len(bar.x)
    return (one for one in zip(bar.x, bar.y, begins, strict=True) if math.isfinite(one[1]))


def _cut(line: Line, x: Axis, y: Axis) -> Line:
    """Return LINE cut at the ends of X and Y, with a gap wherever it leaves them."""
    places = [(x.place(a), y.place(b)) for a, b in zip(line.x, line.y, strict=True)]
    strokes = zip(places[::2], places[1::2], strict=True) if line.pairs else itertools.pairwise(places)
    xs: list[float] = []
    ys: list[float] = []
    for one, other in strokes:
        cut = _inside(one, other, (x.place(x.low), y.place(y.low)), (x.place(x.high), y.place(y.high)))
        if cut is None:
            continue
        ends = [(x.value(a), y.value(b)) for a, b in cut]
        if not line.pairs and xs and (xs[-1], ys[-1]) != ends[0]:
            xs.append(ends[0][0])
            ys.append(math.nan)
        kept = ends if line.pairs or not xs or (xs[-1], ys[-1]) != ends[0] else ends[1:]
        xs += [a for a, _ in kept]
        ys += [b for _, b in kept]
    return replace(line, x=tuple(xs), y=tuple(ys))


def _inside(
    one: tuple[float, float], other: tuple[float, float], low: tuple[float, float], high: tuple[float, float]
) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """Return the part of the stroke from ONE to OTHER between LOW and HIGH on both axes; None where there is none."""
    if not all(map(math.isfinite, (*one, *other))):
        return None
    begin, end = 0.0, 1.0
    for axis in (0, 1):
        step = other[axis] - one[axis]
        if not step:
            if not low[axis] <= one[axis] <= high[axis]:
                return None
            continue
        shares = sorted(((low[axis] - one[axis]) / step, (high[axis] - one[axis]) / step))
        begin, end = max(begin, shares[0]), min(end, shares[1])
    if begin >= end and (one != other or begin > end):
        return None
    first, last = (tuple(a + share * (b - a) for a, b in zip(one, other, strict=True)) for share in (begin, end))
    return (first[0], first[1]), (last[0], last[1])
