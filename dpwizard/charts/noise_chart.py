"""The figure of the noise on one number: the chance of each error, the 95 % interval, and a threshold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dpwizard.charts.axis_chart import upright
from dpwizard.charts.charts import (
    Axis,
    Band,
    Bars,
    Chart,
    Figure,
    Line,
    Mark,
    axis_ends,
    axis_words,
    even,
    shares,
    tick_text,
)
from dpwizard.charts.curves import DrawnNoise
from dpwizard.wording import format_text, word

BAR = 0.7  # width of the bar of a whole number
MOST_TICKS, FEWEST_TICKS = 5, 3
LONG = 1e4  # from which ticks are long
FAR = 1e15  # distance of a count from a threshold that is not drawn
# length of the axis in highest chances, for words above them; more if the figure is low
ROOM, BRIEF_ROOM = (1.25, 1.5)


def figure(noise: DrawnNoise, crossing: Mapping[str, Any] | None = None, brief: bool = False) -> Figure:
    """Return the distribution of NOISE.

    Arguments: crossing, the figures of a requirement on a policy threshold at the chosen epsilon, if there is one;
    brief, whether a sentence beside the figure states the chance of crossing it.
    """
    low, high = noise.values[0], noise.values[-1]
    edge = 0.6 if noise.whole else 0.0
    title = word("chart", "noise_error_short" if brief else "noise_error")
    ticks = centred(high, FEWEST_TICKS if brief and high >= LONG else MOST_TICKS)
    x = Axis(title=title, low=low - edge, high=high + edge, ticks=ticks)
    most = max(noise.heights) * (BRIEF_ROOM if brief else ROOM)
    bars: tuple[Bars, ...] = ()
    lines: list[Line] = []
    if noise.whole:
        y = _chance_axis(word("chart", "noise_chance"), most)
        bars = (Bars(name=y.title, x=noise.values, y=noise.heights, width=BAR),)
    else:
        y = even(word("chart", "noise_density"), most)
        lines.append(Line(name=y.title, x=noise.values, y=noise.heights, role="accuracy", filled=True))
    half = noise.half_width + (0.5 if noise.whole else 0.0)
    marks = []
    interval_words = format_text("chart", "interval", {"share": noise.coverage})
    words = "noise_within_exact" if noise.exact > 0 else "noise_within"
    sentences = [format_text("chart", words, {"half": noise.half_width, "share": noise.coverage, "exact": noise.exact})]
    if crossing is not None and "probability" in crossing:
        at = _crossing_start(crossing)
        if at is not None and low <= at <= high:
            lines.append(upright(at, 0.0, most, "chosen", 1.5, "dash"))
            words = word("chart", "threshold_short" if brief else "threshold")
            marks.append(Mark(x=at, y=most, words=words, left=True, below=True, dot=False))
        interval_words = ""  # replaced by the words of the threshold; the sentence has the interval
        if not brief:
            sentences.append(format_text("chart", "noise_crosses", {"share": crossing["probability"]}))
    bands = (Band(low=-half, high=half, words=interval_words, role="accuracy"),)
    chart = Chart(x=x, y=y, lines=tuple(lines), bars=bars, marks=tuple(marks), bands=bands)
    return Figure(title=word("chart", "noise_figure_title"), sentence=" ".join(sentences), plots=(chart,))


def tabled(figure: Figure) -> Figure:
    """Return FIGURE with a table of its bars or its curve."""
    plot = figure.plots[0]
    assert isinstance(plot, Chart)
    curve = plot.bars[0] if plot.bars else plot.lines[0]
    points = zip(curve.x, curve.y, strict=True)
    rows = tuple((axis_words(plot.x, value), axis_words(plot.y, height)) for value, height in points)
    return replace(figure, columns=(plot.x.title, plot.y.title), rows=rows)


def _chance_axis(title: str, high: float) -> Axis:
    """Return an axis up to HIGH, which may be more than 1, without ticks above 100 in 100."""
    axis = shares(title, min(high, 1.0))
    return Axis(title=title, low=0.0, high=axis_ends(0.0, high)[1], ticks=axis.ticks, way="share")


def _crossing_start(crossing: Mapping[str, Any]) -> float | None:
    """Return the noise that just crosses a threshold from above, minus half a step; None if unknown or not drawn."""
    if "true_count_above" not in crossing:
        return None
    short = crossing["threshold_count"] - crossing["true_count_above"]  # counts of any length
    return float(short) + 0.5 if abs(short) < FAR else None


def centred(high: float, most: int) -> tuple[tuple[float, str], ...]:
    """Return at most MOST ticks about 0, with their signs."""
    power = 10.0 ** math.floor(math.log10(high))
    step = max(1.0, power) if high >= 1 else power
    while 2 * math.floor(high / step) + 1 > most:
        step *= 2
    count = math.floor(high / step)
    return tuple(
        (k * step, f"{'+' if k > 0 else '−' if k else ''}{tick_text(abs(k) * step)}") for k in range(-count, count + 1)
    )
