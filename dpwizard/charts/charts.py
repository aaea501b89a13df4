"""Figures of the live panels as frozen data: lines, bars, marks, surfaces, their axes, sentences and tables.

Nothing is drawn here: the window paints these values, and `chart_scene` draws them for SVG and print.
"""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeAlias, TypeVar

from dpwizard.base.language import digits
from dpwizard.decision import Assessment, BaseRequirement, Reason
from dpwizard.wording import assessments, figures, texts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Grid: TypeAlias = "NDArray[np.float64]"


Arguments = ParamSpec("Arguments")
AnyRequirement = TypeVar("AnyRequirement", bound=BaseRequirement)
Role = Literal["privacy", "accuracy", "window", "chosen", "plain", "quiet", "refuted"]
Dash = Literal["solid", "dash", "dot"]
MOST_TICKS = 5
LEAST, MOST = 1e-300, 1e300  # ends of an axis are limited to these, to avoid overflow
RARE = 1e-9  # smaller chances are written as powers of ten, not as "1 in" a long number
ALIKE = 1e-9  # ends with a smaller relative difference count as equal


@dataclass(frozen=True, kw_only=True)
class Axis:
    """One axis: its title with the unit, ends and ticks; `way` is the number format of its values."""

    title: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    logarithmic: bool = False
    way: str = "number"

    def place(self, value: float) -> float:
        """Return VALUE, or its logarithm to base 10 where the axis is logarithmic."""
        if not self.logarithmic:
            return value
        return math.log10(value) if value > 0.0 else -math.inf

    def value(self, place: float) -> float:
        """Return the value at PLACE: the inverse of `place`."""
        return 10.0**place if self.logarithmic else place


@dataclass(frozen=True, kw_only=True)
class Line:
    """One curve: its name (a column of the table), the label at its end, and its points; nan is a gap, inf is no bound.

    `struck` is the reason why a published curve is not valid; such a curve is grey, dashed and struck through.
    """

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    role: Role = "plain"
    label: str = ""
    dash: Dash = "solid"
    width: float = 2.0
    struck: str = ""
    pairs: bool = False  # separate strokes: points 0-1, 2-3, ...
    column: bool = True  # whether the table has its values
    filled: bool = False  # the area below the line is shaded
    way: str = ""  # number format of its values, by default that of the axis
    beside: float | None = None  # the y of the label, by default that of the end of the line


@dataclass(frozen=True, kw_only=True)
class Bars:
    """Vertical bars, each from the bottom of the chart or from its value in `begins`."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    width: float
    role: Role = "accuracy"
    label: str = ""
    opacity: float = 1.0
    begins: tuple[float, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A round mark with words; hollow if the point is only approached; without a dot, the words alone."""

    x: float
    y: float
    words: str
    role: Role = "plain"
    hollow: bool = False
    left: bool = False  # words to the left of the mark
    below: bool = False
    dot: bool = True
    pointer: bool = False  # a triangle that points down, instead of the dot


@dataclass(frozen=True, kw_only=True)
class Band:
    """A shaded range of the x axis with words at its top."""

    low: float
    high: float
    words: str = ""
    role: Role = "quiet"
    hatched: bool = False


@dataclass(frozen=True, kw_only=True)
class Chart:
    """Curves, bars and marks over two axes."""

    x: Axis
    y: Axis
    title: str = ""
    lines: tuple[Line, ...] = ()
    bars: tuple[Bars, ...] = ()
    marks: tuple[Mark, ...] = ()
    groups: tuple[tuple[float, float, str], ...] = ()  # named ranges of the x axis
    bands: tuple[Band, ...] = ()
    spots: tuple[tuple[float, str], ...] = ()  # places without a curve that the reader can step to, with their words
    beside: tuple[str, ...] = ()  # labels to reserve space for at the right, so that several plots align


@dataclass(frozen=True, kw_only=True)
class Contour:
    """A contour line of a map: its words, and its strokes in places of both axes, unordered."""

    words: str
    strokes: tuple[tuple[tuple[float, float], tuple[float, float]], ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Surface:
    """A value for every pair of two others: read-only arrays, `values[i, j]` at x[i], y[j]; inf is no bound."""

    x: Axis
    y: Axis
    values: Axis  # of the colours
    at_x: Grid
    at_y: Grid
    grid: Grid
    name: str
    title: str = ""
    marks: tuple[Mark, ...] = ()
    contours: tuple[Contour, ...] = ()

    def shades(self) -> Grid:
        """Return the position of each cell on the axis of colours: 0 to 1, and 1 for no bound."""
        import numpy as np

        low, high = self.values.place(self.values.low), self.values.place(self.values.high)
        clipped = np.clip(self.grid, self.values.low, self.values.high)
        scaled = np.log10(clipped) if self.values.logarithmic else clipped
        shades: Grid = (scaled - low) / (high - low)
        return shades

    def beyond(self) -> NDArray[np.bool]:
        """Return which cells exceed the axis of colours, or have no bound: they are hatched."""
        beyond_scale: NDArray[np.bool] = self.grid > self.values.high
        return beyond_scale

    def cell(self, x: float, y: float) -> tuple[int, int]:
        """Return the cell whose centre is nearest to X and Y."""
        return nearest(self.at_x.tolist(), x), nearest(self.at_y.tolist(), y)


Plot = Chart | Surface


@dataclass(frozen=True, kw_only=True)
class Figure:
    """The content of one panel: a title, a sentence on its current state, plots from top to bottom, and their table.

    `asides` are notes, such as assumptions.
    """

    title: str
    sentence: str
    plots: tuple[Plot, ...] = ()
    asides: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """A figure to be drawn: the function that draws it, and what that reads. Equal ones give equal figures."""

    function: Callable[..., Figure]
    reads: Mapping[str, Any]

    @classmethod
    def of(cls, function: Callable[Arguments, Figure], *_: Arguments.args, **reads: Arguments.kwargs) -> Drawing:
        """Return the drawing of what FUNCTION returns for the arguments READS, which are named."""
        return cls(function=function, reads=reads)

    def figure(self) -> Figure:
        """Return the figure, which may take long."""
        return self.function(**self.reads)


def essence(requirement: AnyRequirement) -> AnyRequirement:
    """Return REQUIREMENT without what no figure shows, so that a new name needs no new figure."""
    return requirement.model_copy(update={"name": None, "enabled": True, "off_reason": None, "origins": ()})


def refusal(title: str, reason: Reason, kind: str) -> Figure:
    """Return a figure without a plot: the TITLE by key, and the REASON why a requirement of KIND has no limit."""
    return Figure(title=texts.word("chart", title), sentence=assessments.why(reason, kind=kind))


def plotted(
    title: str,
    sentence: str,
    x: Axis,
    y: Axis,
    lines: Sequence[Line],
    marks: Sequence[Mark] = (),
    asides: tuple[str, ...] = (),
) -> Figure:
    """Return a figure of one plot with the table of its lines."""
    plot = Chart(x=x, y=y, lines=tuple(lines), marks=tuple(marks))
    columns, rows = table_of(x, lines, y)
    return Figure(title=title, sentence=sentence, plots=(plot,), asides=asides, columns=columns, rows=rows)


def curve(
    label: str,
    x: tuple[float, ...],
    y: tuple[float, ...],
    role: Role,
    dash: Dash = "solid",
    width: float = 2.0,
    struck: str = "",
) -> Line:
    """Return a line whose column in the table has the name of its label."""
    return Line(name=label, label=label, x=x, y=y, role=role, dash=dash, width=width, struck=struck)


def flat(
    value: float,
    high: float,
    label: str,
    role: Role = "chosen",
    *,
    low: float = 0.0,
    name: str = "",
    dash: Dash = "dash",
    width: float = 1.0,
) -> Line:
    """Return a horizontal line at VALUE, from LOW to HIGH; the table omits it."""
    x, y = (low, high), (value, value)
    return Line(name=name, label=label, x=x, y=y, role=role, dash=dash, width=width, column=False)


def listing(names: Sequence[str]) -> Axis:
    """Return a y axis of NAMES at 0, -1, -2 …"""
    ticks = tuple((-float(at), name) for at, name in enumerate(names))
    return Axis(title="", low=0.4 - len(names), high=0.6, ticks=ticks)


def shortened(words: str, most: int) -> str:
    """Return WORDS, cut to MOST characters with an ellipsis."""
    return words if len(words) <= most else f"{words[: most - 1]}…"


def looked_at(assessment: Assessment) -> float | None:
    """Return the epsilon that figures show: the chosen one, else the upper limit, else the lower."""
    window = assessment.window
    lower = window.lower if window.binds_lower is not None else None
    for epsilon in (assessment.epsilon, window.upper, lower):
        if epsilon is not None and epsilon > 0.0:
            return epsilon
    return None


# ------------------------------------------------------------------------------------------ axes and ticks


def axis_ends(low: float, high: float) -> tuple[float, float]:
    """Return LOW and HIGH as ends of an axis, moved apart if they are equal."""
    low, high = sorted(max(min(end, MOST), -MOST) for end in (low, high))
    if high - low > max(ALIKE * max(abs(low), abs(high)), LEAST):
        return low, high
    around = max(abs(low), abs(high)) / 10
    return (low - around, high + around) if around > LEAST else (low, low + 1.0)


def even(title: str, high: float, low: float = 0.0, way: str = "number") -> Axis:
    """Return a linear axis from LOW to HIGH with at most MOST_TICKS ticks at round numbers."""
    low, high = axis_ends(low, high)
    rough = (high - low) / (MOST_TICKS - 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next((power * k for k in (1.0, 2.0, 2.5, 5.0) if power * k >= rough * 0.999), power * 10.0)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    ticks = tuple((float(f"{k * step:.12g}"), tick_text(float(f"{k * step:.12g}"))) for k in range(first, last + 1))
    return Axis(title=title, low=low, high=high, ticks=ticks, way=way)


def decades(title: str, low: float, high: float, way: str = "number", beliefs: bool = False) -> Axis:
    """Return a logarithmic axis from LOW to HIGH, at least a decade, with powers of ten; BELIEFS as 1/1,000."""
    high = min(max(high, LEAST), MOST)
    low = max(low, LEAST / 10) if low < high * (1 - ALIKE) else high / 10
    powers = tens(low, high)
    write = _belief_tick if beliefs else tick_text
    if len(powers) < 2:  # a range of less than one step
        powers, write = [value for value, _ in even(title, high, low).ticks], tick_text
    ticks = tuple((value, write(value)) for value in powers)
    return Axis(title=title, low=low, high=high, ticks=ticks, logarithmic=True, way=way)


def tens(low: float, high: float, most: int = MOST_TICKS, fewest: int = 3) -> list[float]:
    """Return at most MOST powers of ten between LOW and HIGH; with 2 and 5 times these, if they are below FEWEST."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    step = max(1, math.ceil((last - first + 1) / most))
    powers = [10.0**k for k in range(last, first - 1, -step)][::-1]
    if len(powers) >= fewest:
        return powers
    fine = (m * 10.0**k for k in range(first - 1, last + 2) for m in (1, 2, 5))
    return [value for value in fine if low * (1 - 1e-9) <= value <= high * (1 + 1e-9)][:most]


def tick_text(value: float) -> str:
    """Return VALUE as the text of a tick: 1,000; 10⁶; 2 × 10⁻⁶."""
    if value == 0 or 1e-4 <= abs(value) < 1e6:
        return figures.whole(value) if value >= 1000 and value == round(value) else figures.number(value)
    mantissa, power = f"{value:.1e}".split("e")
    raised = f"10{str(int(power)).translate(figures.SUPERSCRIPTS)}"
    return raised if mantissa == "1.0" else f"{digits(mantissa.removesuffix('.0'))} × {raised}"


def _belief_tick(value: float) -> str:
    if value >= 1.0:
        return texts.word("number", "certain")
    return figures.part_of(1 / value) if value >= RARE else tick_text(value)


def shares(title: str, high: float = 1.0, low: float = 0.0, *, beyond: bool = True) -> Axis:
    """Return an axis of probabilities out of 100; with BEYOND, one from 0 to 1 is slightly longer."""
    axis = even(title, high, low, "share")
    high = 1.04 if axis.high == 1.0 and axis.low == 0.0 and beyond else axis.high
    return replace(axis, high=high, ticks=tuple((at, figures.in_100(at * 100)) for at, _ in axis.ticks))


def along(end: float, points: int, first: int = 0) -> tuple[float, ...]:
    """Return POINTS evenly spaced values from 0 to END, without the first FIRST ones."""
    return tuple(end * i / (points - 1) for i in range(first, points))


def axis_words(axis: Axis, value: float, way: str = "") -> str:
    """Return VALUE in the number format of AXIS, or in another WAY; words for infinity, a dash for nan."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return texts.word("number", "no_bound")
    return figures.written(value, way or axis.way)


def spaced(ticks: Sequence[tuple[float, str]], widths: Sequence[float]) -> list[tuple[float, str]]:
    """Return TICKS of these WIDTHS without every second or third if they would overlap; names all stay."""
    if not all(words[:1].isdigit() for _, words in ticks):
        return list(ticks)
    for step in range(1, len(ticks)):
        indices = range(0, len(ticks), step)
        if all(ticks[j][0] - ticks[i][0] >= (widths[i] + widths[j]) / 2 for i, j in itertools.pairwise(indices)):
            return list(ticks[::step])
    return list(ticks[:1])


def narrowed(axis: Axis, low: float, high: float) -> Axis:
    """Return AXIS between LOW and HIGH with new ticks, unless they are words."""
    if not axis.title or any(_is_word(text) for _, text in axis.ticks):
        return replace(axis, low=low, high=high)
    if axis.logarithmic:
        return decades(axis.title, low, high, axis.way, beliefs=axis.way == "chance")
    return shares(axis.title, high, low) if axis.way == "share" else even(axis.title, high, low, axis.way)


def _is_word(text: str) -> bool:
    return not text[:1].isdigit() and text[:1] != "−" and text != texts.word("number", "certain")


def readings(chart: Chart, x: float) -> tuple[float, tuple[tuple[str, str, float], ...]]:
    """Return the x of a point nearest to X, and the name, words and value of each curve there."""
    curves = [line for line in chart.lines if line.column and not line.pairs and line.x] + list(chart.bars)
    if not curves:
        return x, ()
    best = min((abs(chart.x.place(c.x[i]) - chart.x.place(x)), c.x[i]) for c in curves for i in (nearest(c.x, x),))[1]
    values = []
    for curve in curves:
        index = nearest(curve.x, best)
        if curve.x[index] == best and not math.isnan(curve.y[index]):
            near = zip(curve.x[index : index + 3], curve.y[index : index + 3], strict=True)
            least = min(value for x, value in near if x == best)  # at a jump the smaller value counts
            values.append((curve.name, axis_words(chart.y, least, getattr(curve, "way", "")), least))
    return best, tuple(values)


def reading(chart: Chart, x: float) -> tuple[float, str]:
    """Return the x of a point nearest to X, and the values of all curves there on one line."""
    if chart.spots:
        return min(chart.spots, key=lambda spot: abs(chart.x.place(spot[0]) - chart.x.place(x)))
    best, values = readings(chart, x)
    named = next((text for place, text in chart.x.ticks if place == best and not text[:1].isdigit()), "")
    sentence = "; ".join(f"{name} {value}" for name, value, _ in values)
    return best, f"{named or axis_words(chart.x, best)}: {sentence}" if values else ""


def places_of(chart: Chart) -> tuple[float, ...]:
    """Return the x of all points in order, for the arrow keys to step through."""
    if chart.spots:
        return tuple(sorted({x for x, _ in chart.spots}))
    curves = [line for line in chart.lines if line.column and not line.pairs] + list(chart.bars)
    return tuple(sorted({x for curve in curves for x in curve.x}))


# ------------------------------------------------------------------------------------------- nearest values


def nearest(xs: Sequence[float], x: float) -> int:
    """Return the index of the value of XS (increasing) nearest to X."""
    right = bisect.bisect_left(xs, x)
    if right <= 0:
        return 0
    if right >= len(xs):
        return len(xs) - 1
    return right if xs[right] - x < x - xs[right - 1] else right - 1


def spread_labels(wanted: Sequence[float], sizes: Sequence[float], low: float, high: float) -> tuple[float, ...]:
    """Return non-overlapping places for labels of these SIZES between LOW and HIGH, near the places WANTED."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    halves = [sizes[i] / 2 for i in order]
    places = [min(max(wanted[i], low + half), high - half) for i, half in zip(order, halves, strict=True)]
    for index in range(1, len(places)):
        places[index] = max(places[index], places[index - 1] + halves[index - 1] + halves[index])
    if places and places[-1] > high - halves[-1]:
        places[-1] = high - halves[-1]
        for index in range(len(places) - 2, -1, -1):
            places[index] = min(places[index], places[index + 1] - halves[index + 1] - halves[index])
    result = [0.0] * len(wanted)
    for index, place in zip(order, places, strict=True):
        result[index] = place
    return tuple(result)


# ------------------------------------------------------------------------------------------------ tables


def table_of(
    x: Axis, lines: Iterable[Line], y: Axis, most: int = 60
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the columns and rows of curves over the x of the first: all of its points, or about MOST of them."""
    curves = [line for line in lines if line.column]
    if not curves:
        return (), ()
    grid = curves[0].x
    step = max(1, math.ceil(len(grid) / most))
    positions = [i for i in range(len(grid)) if i % step == 0 or i == len(grid) - 1]
    columns_by_x = [(dict(zip(reversed(line.x), reversed(line.y), strict=True)), line.way) for line in curves]
    refuted = f" ({texts.word('chart', 'as_published_refuted')})"
    columns = (x.title, *(line.name + (refuted if line.struck else "") for line in curves))
    rows = tuple(
        (axis_words(x, grid[i]), *(axis_words(y, value.get(grid[i], math.nan), way) for value, way in columns_by_x))
        for i in positions
    )
    return columns, rows
