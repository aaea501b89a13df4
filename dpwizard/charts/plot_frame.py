"""The place of a plot on the page: its style, the space for its words, and the mapping of values to points."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from dpwizard.charts import glyphs
from dpwizard.charts.charts import Axis, Chart, Surface
from dpwizard.charts.scene import SMALL, Style

WIDTH = 453.5  # points: the text width of A4 with margins of 25 mm
TOP, FOOT, BARE = 20.0, 30.0, 4.0  # points above and below a plot: with words, and without
LEAST_LEFT, NAMES = 30.0, 168.0  # space at the left: minimum for numbers, maximum for names
RIGHT, MOST_LABEL = 24.0, 132.0  # space at the right: without labels, and the maximum for a label
BAR_ROOM = 96.0  # for the colour bar of a heat map
POINTER = 34.0  # space above a plot without a y axis, for a pointer and its words


@dataclass(frozen=True, kw_only=True)
class PlotStyle:
    """The style of a figure: its size in points, its colours, and whether it has axes."""

    style: Style = field(default_factory=Style)
    width: float = WIDTH
    height: float = 170.0  # of a plot
    row: float = 25.0  # of a plot whose ticks are names, for each of them
    axes: bool = True  # whether the axes and the heading of a plot are drawn
    stroke: float = 0.8  # points per unit of a line's width
    cells: int = 40  # of a heat map, along each side
    margin: float = 3.0  # beside an x axis without a y axis


@dataclass(frozen=True, kw_only=True)
class Frame:
    """The place of a plot on the page; maps values of its axes to points."""

    x: Axis
    y: Axis
    start: float  # top of the plot, its words included
    left: float
    right: float
    top: float
    bottom: float
    foot: float
    page: float  # the width of the page

    @cached_property
    def _axis_places(self) -> tuple[float, float, float, float]:
        x, y = self.x, self.y
        return x.place(x.low), x.place(x.high), y.place(y.low), y.place(y.high)

    def across(self, value: float) -> float:
        """Return the x of VALUE in points; smaller values are moved to the start of the axis."""
        return self.across_place(max(self.x.place(value), self._axis_places[0]))

    def up(self, value: float) -> float:
        """Return the y of VALUE in points."""
        return self.up_place(self.y.place(value))

    def across_place(self, place: float) -> float:
        """Return the x of a PLACE of the x axis in points."""
        low, high, _, _ = self._axis_places
        return self.left + (self.right - self.left) * (place - low) / (high - low)

    def up_place(self, place: float) -> float:
        """Return the y of a PLACE of the y axis in points."""
        _, _, low, high = self._axis_places
        return self.bottom - (self.bottom - self.top) * (place - low) / (high - low)

    def depth(self, point: tuple[float, float]) -> float:
        """Return the distance of POINT from the nearest edge of the frame, as a share of its sides."""
        across = (point[0] - self.left) / (self.right - self.left)
        up = (point[1] - self.top) / (self.bottom - self.top)
        return min(across, 1.0 - across, up, 1.0 - up)


def named(plot: Chart | Surface | Frame) -> bool:
    """Return whether the ticks of the y axis are names, with rows of equal height."""
    return not plot.y.title and bool(plot.y.ticks)


def alone(plot: Chart | Surface | Frame) -> bool:
    """Return whether the plot has an x axis only."""
    return not plot.y.title and not plot.y.ticks


def room_left(plot: Chart | Surface) -> float:
    """Return the space for the ticks of the y axis."""
    if alone(plot):
        return 0.0
    width = max((glyphs.width(words, SMALL) for _, words in plot.y.ticks), default=0.0) + 8.0
    return min(width, NAMES) if named(plot) else max(width, LEAST_LEFT)


def room_right(plot: Chart | Surface) -> float:
    """Return the space for the labels at the ends of lines."""
    if isinstance(plot, Surface):
        return BAR_ROOM
    labels = (*(curve.label for curve in plot.lines if curve.label), *plot.beside)
    width = max((glyphs.width(label, SMALL) for label in labels), default=0.0)
    return 0.0 if alone(plot) else max(min(width, MOST_LABEL) + 10.0, RIGHT)


def frame_of(plot: Chart | Surface, start: float, left: float, right: float, look: PlotStyle) -> Frame:
    above = BARE if not look.axes else POINTER if alone(plot) else TOP
    below = BARE if not look.axes else FOOT if plot.x.title else FOOT / 2
    if isinstance(plot, Chart) and look.axes and crowded(plot):
        below += 14.0
    height = look.row * (plot.y.high - plot.y.low) if named(plot) else look.height
    top = start + above
    return Frame(
        x=plot.x,
        y=plot.y,
        start=start,
        left=max(left, look.margin),
        right=look.width - max(right, look.margin),
        top=top,
        bottom=top + height,
        foot=top + height + below,
        page=look.width,
    )


def crowded(chart: Chart) -> bool:
    """Return whether the names under the x axis alternate between two lines."""
    names = [words for _, words in chart.x.ticks if not words[:1].isdigit()]
    return len(names) == len(chart.x.ticks) > 6 and max(map(len, names)) > 5
