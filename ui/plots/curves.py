"""The curves and bars of a chart as they lie on the plot: only what has changed is drawn anew."""

from __future__ import annotations

import functools
import math

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor

from dpwizard.charts import FAINT, Bars, Chart, Line
from ui.plots.plot import STILL, Points, pen, placed, see
from ui.plots.zoom import ZoomPlot
from ui.widgets import theme

DASHES = {"solid": Qt.PenStyle.SolidLine, "dash": Qt.PenStyle.DashLine, "dot": Qt.PenStyle.DotLine}
STRONG = 2.0  # the width from which a curve lies over the others
NOWHERE = np.empty(0)
STRIKE = 7  # pixels of the stroke across a refuted curve


@functools.cache
def colour_of(colours: theme.Colours, role: str) -> str:
    """Return the colour of a role in this theme."""
    named = {
        "privacy": colours.privacy,
        "accuracy": colours.accuracy,
        "window": colours.window,
        "refuted": colours.refuted,
        "quiet": colours.quiet,
        "chosen": colours.chosen,
    }
    return named.get(role, colours.text)


class Strokes(pg.PlotCurveItem):
    """Straight strokes between pairs of places; costs nothing where they are drawn already."""

    def __init__(self, colour: str, width: float = 1.0) -> None:
        super().__init__(pen=pen(colour, width), connect="pairs")
        self._places: tuple[list[float], list[float]] = ([], [])

    def draw(self, x: list[float], y: list[float]) -> None:
        """Draw a stroke from every even place to the odd one after it."""
        if self._places != (x, y):
            self._places = (x, y)
            self.setData(np.array(x, dtype=float), np.array(y, dtype=float))


class Curve:
    """One curve on the plot: what it shows now, where, and where it ends."""

    def __init__(self, plot: ZoomPlot) -> None:
        self.plot = plot
        self.item = pg.PlotCurveItem(connect="finite")
        plot.add(self.item)
        self.places: tuple[Points, Points] = (NOWHERE, NOWHERE)
        self._shown: tuple[Line, bool, bool] | None = None  # what it shows, and whether its axes are logarithmic
        self._style: tuple[object, ...] = ()
        self._painted: tuple[Points, Points] | None = None
        self._end: tuple[object, object, float | None] = (None, None, None)  # the end, and what it was read of

    def paint(self, chart: Chart, line: Line) -> None:
        """Show LINE of CHART; a faint line is only placed: all of them are painted in one stroke."""
        see(self.item, not faint(line))
        before, self._shown = self._shown, (line, chart.x.logarithmic, chart.y.logarithmic)
        same = before is not None and before[1:] == self._shown[1:] and before[0].x == line.x and before[0].y == line.y
        style = (
            colour_of(self.plot.colours, "refuted" if line.struck else line.role),
            line.width,
            line.dash,
            line.filled,
        )
        if style != self._style:
            self._style = style
            self.item.setPen(pen(style[0], line.width, DASHES[line.dash]))
            soft = QColor(style[0])
            soft.setAlphaF(0.2)
            self.item.setFillLevel(chart.y.place(chart.y.low) if line.filled else None)
            self.item.setBrush(QBrush(soft) if line.filled else None)
            self.item.setZValue(5 if line.width >= STRONG else 0)
        if not same:
            self.places = (placed(chart.x, line.x), placed(chart.y, line.y))
        if not faint(line) and (not same or self._painted is not self.places):
            self._painted = self.places
            self.item.setData(*self.places, connect="pairs" if line.pairs else "finite")

    def strike(self) -> list[tuple[float, float]]:
        """Return the stroke across the middle of the visible part of a curve that does not hold."""
        x, y = self.places
        (left, right), (low, high) = self.plot.visible()
        inside = np.flatnonzero((left <= x) & (x <= right) & (low <= y) & (y <= high))
        if not len(inside):
            return []
        at = inside[len(inside) // 2]
        a = STRIKE * (right - left) / max(self.plot.width() - 160, 100)
        b = STRIKE * (high - low) / max(self.plot.height() - 60, 60)
        return [(float(x[at]) - a, float(y[at]) - b), (float(x[at]) + a, float(y[at]) + b)]

    def end(self) -> float | None:
        """Return the height at which the line leaves what is visible, or None where it is not seen at all."""
        seen_of = self.plot.visible()
        if self._end[0] is not self.places or self._end[1] != seen_of:
            self._end = (self.places, seen_of, self._found_end(*self.places))
        return self._end[2]

    def _found_end(self, x: Points, y: Points) -> float | None:
        (left, right), (low, high) = self.plot.visible()
        inside = np.flatnonzero((left - 1e-9 <= x) & (x <= right + 1e-9) & np.isfinite(y))
        if not len(inside):
            return None
        seen = np.flatnonzero((low <= y[inside]) & (y[inside] <= high))
        if not len(seen):
            return None
        last = seen[-1]
        return float(min(max(y[inside[min(last + 1, len(inside) - 1)]], low), high))


class Curves:
    """All curves and bars of a chart, with the strokes across those that do not hold."""

    def __init__(self, plot: ZoomPlot) -> None:
        self.plot = plot
        self.curves: list[Curve] = []
        self._bars: list[pg.BarGraphItem] = []
        self._faint = pg.PlotCurveItem(pen=pen(plot.colours.quiet, FAINT), connect="finite")
        self._faint.setCacheMode(STILL)
        self._faint_shown: list[tuple[Points, Points]] = []
        self._strikes = Strokes(plot.colours.refuted, 2)
        for item in (self._faint, self._strikes):
            plot.add(item)

    def paint(self, chart: Chart) -> None:
        """Show the lines and the bars of CHART."""
        while len(self.curves) < len(chart.lines):
            self.curves.append(Curve(self.plot))
        shown = list(zip(self.curves, chart.lines, strict=False))
        for curve, line in shown:
            curve.paint(chart, line)
        for curve in self.curves[len(shown) :]:
            see(curve.item, False)
        self._paint_faint([curve.places for curve, line in shown if faint(line)])
        strikes = [place for curve, line in shown if line.struck for place in curve.strike()]
        self._strikes.draw([x for x, _ in strikes], [y for _, y in strikes])
        while len(self._bars) < len(chart.bars):
            self._bars.append(pg.BarGraphItem(x=[], height=[], width=0.5))
            self.plot.add(self._bars[-1])
        for index, bar in enumerate(self._bars):
            see(bar, index < len(chart.bars))
            if index < len(chart.bars):
                self._paint_bars(chart, chart.bars[index], bar)

    def hide(self) -> None:
        """Show nothing."""
        for item in (*(curve.item for curve in self.curves), *self._bars):
            item.hide()
        self._strikes.draw([], [])
        self._faint.setData(NOWHERE, NOWHERE)
        self._faint_shown = []

    def _paint_faint(self, faint: list[tuple[Points, Points]]) -> None:
        """Paint all faint curves in one stroke: ten of them cost little more than one, and nothing while they stay the
        same."""
        if len(faint) == len(self._faint_shown) and all(a is b for a, b in zip(faint, self._faint_shown, strict=True)):
            return
        self._faint_shown = faint
        gap = np.array([np.nan])
        parts = [part for x, y in faint for part in ((x, y), (gap, gap))]
        x, y = (np.concatenate([part[axis] for part in parts]) if parts else NOWHERE for axis in (0, 1))
        self._faint.setData(x, y, connect="finite")

    def _paint_bars(self, chart: Chart, bars: Bars, item: pg.BarGraphItem) -> None:
        foot = chart.y.place(chart.y.low)
        feet = [chart.y.place(value) for value in bars.begins] or [foot] * len(bars.x)
        shown = [(x, y, at) for x, y, at in zip(bars.x, bars.y, feet, strict=True) if math.isfinite(y)]
        colour = QColor(colour_of(self.plot.colours, bars.role))
        colour.setAlphaF(bars.opacity)
        item.setOpts(
            x=[chart.x.place(x) for x, _, _ in shown],
            y0=[at for _, _, at in shown],
            height=[chart.y.place(y) - at for _, y, at in shown],
            width=bars.width,
            brush=QBrush(colour),
            pen=pen(colour.name()),
        )
        item.boundingRect()  # drawn now, not while painting: that would ask for a second painting


def faint(line: Line) -> bool:
    """Return whether LINE is one of several that stand behind another and need no pen of their own."""
    return line.role == "quiet" and line.width == FAINT and line.dash == "solid" and not line.pairs
