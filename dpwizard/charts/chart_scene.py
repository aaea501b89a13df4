"""Drawing figures as scenes, for the report, "save as SVG" and the window, whose axes are pyqtgraph's."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Sequence

from dpwizard.charts import glyphs
from dpwizard.charts.charts import Band, Chart, Figure, Line, Mark, Plot, Surface, spread_labels
from dpwizard.charts.plot_frame import (
    MOST_LABEL,
    Frame,
    PlotStyle,
    alone,
    crowded,
    frame_of,
    named,
    room_left,
    room_right,
)
from dpwizard.charts.scene import SMALL, Anchor, Circle, Item, Path, Rectangle, Scene, Style, Text, fitted, line

KEPT = 128  # cached curves: most do not change while another one is dragged
STRONG = 2.0  # width of an emphasised line
DASHES = {"solid": (), "dash": (4.0, 3.0), "dot": (1.2, 2.4)}
# From dark blue to pale yellow, with even steps of lightness, so that it is readable without colour.
MAP = ((0, 32, 76), (60, 77, 110), (124, 123, 120), (187, 175, 113), (255, 234, 70))


def colour_at(share: float) -> tuple[int, int, int]:
    """Return the colour of a heat map at SHARE, from 0 (least) to 1."""
    place = min(max(share, 0.0), 1.0) * (len(MAP) - 1)
    index = min(int(place), len(MAP) - 2)
    part = place - index
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(MAP[index], MAP[index + 1], strict=True))
    return red, green, blue


def scene(figure: Figure, look: PlotStyle | None = None) -> Scene:
    """Return FIGURE as a scene with its table; its sentences are the alternative text."""
    look = look or PlotStyle()
    style = look.style
    items: list[Item] = []
    left, right = max(map(room_left, figure.plots), default=0.0), max(map(room_right, figure.plots), default=0.0)
    y = 0.0
    for plot in figure.plots:
        frame = frame_of(plot, y, left, right, look)
        items += drawn(plot, frame, look)
        y = frame.foot + (8.0 if look.axes else 0.0)
    bottom = y - 8.0 if look.axes else y
    lines = [curve for plot in figure.plots if isinstance(plot, Chart) for curve in plot.lines]
    struck = sorted({curve.struck for curve in lines if curve.struck != curve.label})
    for aside in dict.fromkeys((*figure.asides, *filter(None, struck))):
        for part in _wrap(aside, look.width - left):
            items.append(Text(x=left, y=y + 6, text=part, size=SMALL, fill=style.quiet))
            y += 11.0
            bottom = y
    return Scene(
        width=look.width,
        height=max(bottom, 20.0),
        items=tuple(items),
        title=figure.title,
        alternative=" ".join((figure.sentence, *figure.asides)),
        columns=figure.columns,
        rows=figure.rows,
    )


def drawn(plot: Plot, frame: Frame, look: PlotStyle) -> list[Item]:
    """Return PLOT within its FRAME; without axes, only the content and the labels."""
    return _chart_items(plot, frame, look) if isinstance(plot, Chart) else _surface_items(plot, frame, look)


# -------------------------------------------------------------------------------------------- charts


def _chart_items(chart: Chart, frame: Frame, look: PlotStyle) -> list[Item]:
    style = look.style
    straight = [curve for curve in chart.lines if len(curve.x) == 2]
    uprights = [frame.across(curve.x[0]) for curve in straight if curve.x[0] == curve.x[1]]
    levels = [frame.up(curve.y[0]) for curve in straight if curve.y[0] == curve.y[1] and not curve.pairs]
    items: list[Item] = [item for band in chart.bands for item in _band_items(band, chart, frame, look)]
    items += _axis_items(chart, frame, look)
    if alone(chart):
        middle = (frame.top + frame.bottom) / 2
        items.append(line(frame.left, middle, frame.right, middle, style.line, 1.5))
    items += [*_group_names(chart, frame, style), *_bar_items(chart, frame, style), *_curve_items(chart, frame, look)]
    items += _end_labels(chart.lines, frame, look)
    return [*items, *(item for mark in chart.marks for item in _mark_items(mark, frame, uprights, levels, look))]


def _axis_items(chart: Chart, frame: Frame, look: PlotStyle) -> Iterator[Item]:
    if look.axes:
        yield from _heading_items(chart, frame, look.style)
    yield from _y_axis_items(chart, frame, look)
    if look.axes:
        yield from _x_axis_items(chart, frame, look.style)


def _group_names(chart: Chart, frame: Frame, style: Style) -> Iterator[Item]:
    for index, (low, high, words) in enumerate(chart.groups):
        left, right = frame.across(low), frame.across(high)
        if index:
            yield line(left, frame.top, left, frame.bottom, style.line, 0.6)
        middle = (left + right) / 2
        yield Text(x=middle, y=frame.top - 2, text=words, size=SMALL, fill=style.quiet, anchor="middle")


def _bar_items(chart: Chart, frame: Frame, style: Style) -> Iterator[Item]:
    for bars in chart.bars:
        fill = style.of(bars.role)
        feet = [frame.up(value) for value in bars.begins] or [frame.bottom] * len(bars.x)
        for x, value, foot in zip(bars.x, bars.y, feet, strict=True):
            if math.isfinite(value):
                left, right, top = frame.across(x - bars.width / 2), frame.across(x + bars.width / 2), frame.up(value)
                size = {"width": right - left, "height": foot - top}
                yield Rectangle(x=left, y=top, **size, fill=fill, opacity=bars.opacity)


def _curve_items(chart: Chart, frame: Frame, look: PlotStyle) -> Iterator[Item]:
    """Yield the curves, quiet ones first; refuted ones are struck through."""
    for curve in sorted(chart.lines, key=lambda curve: curve.role != "quiet"):
        colour = look.style.refuted if curve.struck else look.style.of(curve.role)
        for points in _visible_pieces(curve, frame):
            if curve.filled and len(points) > 1:
                area = ((points[0][0], frame.bottom), *points, (points[-1][0], frame.bottom))
                yield Path(points=area, fill=colour, opacity=0.2)
            width = min(curve.width, 4.0) * look.stroke
            yield Path(points=points, stroke=colour, width=width, dash=DASHES[curve.dash])
        if curve.struck:
            yield from _strike_through(curve, frame, look.style)


def _heading_items(chart: Chart, frame: Frame, style: Style) -> Iterator[Item]:
    left, y = 0.0 if named(chart) else frame.left, frame.start + 10
    if chart.title:
        title = fitted(chart.title, frame.page - left, SMALL, bold=True)
        yield Text(x=left, y=y, text=title, size=SMALL, fill=style.ink, bold=True)
        left += glyphs.width(f"{title}  ", SMALL, bold=True)
    if chart.y.title:
        yield Text(x=left, y=y, text=fitted(chart.y.title, frame.page - left, SMALL), size=SMALL, fill=style.quiet)


def _y_axis_items(plot: Plot, frame: Frame, look: PlotStyle) -> Iterator[Item]:
    """Yield the ticks of the y axis with light lines across; a long name takes two lines."""
    style, room = look.style, frame.left - 8
    for value, words in plot.y.ticks:
        at = frame.up(value)
        if isinstance(plot, Chart) and not named(plot):
            yield line(frame.left, at, frame.right, at, style.line, 0.6)
        if not look.axes:
            continue
        parts = _name_lines(words, room) if named(plot) else [words]
        for index, part in enumerate(parts):
            y = at + 3 + 9 * (index - (len(parts) - 1) / 2)
            yield Text(x=frame.left - 6, y=y, text=part, size=SMALL, fill=style.quiet, anchor="end")


def _name_lines(name: str, room: float) -> list[str]:
    first, *others = list(_wrap(name, room)) or [""]  # a name may be blank
    return [fitted(part, room, SMALL) for part in ((first, " ".join(others)) if others else (first,))]


def _x_axis_items(plot: Plot, frame: Frame, style: Style) -> Iterator[Item]:
    """Yield the line, ticks and title of the x axis, without overlapping numbers."""
    two_lines = isinstance(plot, Chart) and crowded(plot)
    size, free = 6.5 if two_lines else SMALL, [-math.inf, -math.inf]
    level = (frame.top + frame.bottom) / 2 - 1.5 if alone(plot) else frame.bottom
    if not alone(plot):
        yield line(frame.left, level, frame.right, level, style.line, 0.8)
    for index, (value, words) in enumerate(plot.x.ticks):
        at = frame.across(value)
        yield line(at, level, at, level + 3, style.quiet, 0.6)
        lower = two_lines and index % 2
        half = glyphs.width(words, size) / 2
        middle = min(max(at, half), frame.page - half)
        if middle - half < free[lower]:
            continue
        free[lower] = middle + half + 3
        below = frame.bottom + (22.0 if lower else 9.0 if alone(plot) else 12.0)
        yield Text(x=middle, y=below, text=words, size=size, fill=style.quiet, anchor="middle")
    if plot.x.title:
        middle, below = (frame.left + frame.right) / 2, frame.bottom + (37.0 if two_lines else 26.0)
        yield Text(x=middle, y=below, text=plot.x.title, size=SMALL, fill=style.quiet, anchor="middle")


def _band_items(band: Band, chart: Chart, frame: Frame, look: PlotStyle) -> Iterator[Item]:
    """Yield a shaded range, with its words if they fit."""
    style = look.style
    low, high = (frame.across(min(max(value, frame.x.low), frame.x.high)) for value in (band.low, band.high))
    inset = 4.0 if alone(frame) else 0.0
    top, bottom = frame.top + inset, frame.bottom - inset
    if band.hatched:
        yield from _hatching(low, high, top, bottom, style)
    else:
        quiet = band.role == "quiet"
        fill, opacity = (style.unbounded, 1.0) if quiet else (style.of(band.role), style.shade)
        least = 0.6 if alone(frame) else 0.0
        yield Rectangle(x=low, y=top, width=max(high - low, least), height=bottom - top, fill=fill, opacity=opacity)
    has_room = glyphs.width(band.words, SMALL) + 4 < high - low
    if band.words and has_room:
        middle, baseline = (low + high) / 2, _clear_baseline(chart, frame)
        yield Text(x=middle, y=baseline, text=band.words, size=SMALL, fill=style.quiet, anchor="middle")


def _clear_baseline(chart: Chart, frame: Frame) -> float:
    """Return a baseline of words above all bars and areas and between the light lines; else one above the frame."""
    tops = [value for bars in chart.bars for value in bars.y]
    tops += [value for curve in chart.lines if curve.filled for value in curve.y]
    roof = min((frame.up(value) for value in tops if math.isfinite(value)), default=frame.bottom)
    levels = [frame.up(value) for value, _ in frame.y.ticks]
    baselines = (frame.top + 11, *(place for level in levels for place in (level - 4, level + 10)))
    for baseline in sorted(place for place in baselines if frame.top - 2 <= place <= roof - 3):
        if not any(baseline - 9 < level < baseline + 3 for level in levels):
            return baseline
    return frame.top - 2


def _hatching(left: float, right: float, top: float, bottom: float, style: Style) -> Iterator[Item]:
    height, step = bottom - top, 6.0
    for index in range(math.ceil((right - left + height) / step)):
        start = left - height + index * step
        x0, x1 = max(start, left), min(start + height, right)
        if x1 > x0:
            yield line(x0, bottom - (x0 - start), x1, bottom - (x1 - start), style.line, 1.0)


@functools.lru_cache(maxsize=KEPT)
def _visible_pieces(curve: Line, frame: Frame) -> tuple[tuple[tuple[float, float], ...], ...]:
    """Return the pieces of a curve inside the frame, cut at its edges."""
    points = list(zip(curve.x, curve.y, strict=True))
    if curve.pairs:
        places = [(frame.across(x), frame.up(y)) for x, y in points]
        return tuple(zip(places[::2], places[1::2], strict=True))
    pieces: list[tuple[tuple[float, float], ...]] = []
    piece: list[tuple[float, float]] = []
    for x, value in points:
        if math.isfinite(value) and (not frame.y.logarithmic or value > 0):
            place = frame.up(value)
            inside = frame.top - 1 <= place <= frame.bottom + 1
            if inside:
                piece.append((frame.across(x), place))
                continue
            if piece:
                before = piece[-1]
                edge = frame.top if place < frame.top else frame.bottom
                share = (edge - before[1]) / (place - before[1])
                piece.append((before[0] + (frame.across(x) - before[0]) * share, edge))
        if len(piece) > 1:
            pieces.append(tuple(piece))
        piece = []
    if len(piece) > 1:
        pieces.append(tuple(piece))
    return tuple(pieces)


def _end_labels(lines: Sequence[Line], frame: Frame, look: PlotStyle) -> Iterator[Item]:
    """Yield the labels beside the ends of their lines, moved apart if they would overlap."""
    style = look.style
    labelled: list[tuple[Line, float]] = []
    for curve in lines:
        pieces = _visible_pieces(curve, frame) if curve.label else ()
        if pieces:
            end = pieces[-1][-1][1] if curve.beside is None else frame.up(curve.beside)
            labelled.append((curve, min(max(end, frame.top), frame.bottom)))
    lowest = frame.bottom + (5 if look.axes else -1)  # the axis of the window is below the labels
    places = spread_labels([end for _, end in labelled], [10.0] * len(labelled), frame.top - 5, lowest)
    has_quiet = any(curve.role == "quiet" for curve, _ in labelled)  # then one line is emphasised
    for (curve, _), at in zip(labelled, places, strict=True):
        bold = has_quiet and curve.width >= STRONG
        colour = style.refuted if curve.struck else style.quiet if has_quiet and not bold else style.ink
        text = fitted(curve.label, MOST_LABEL, SMALL, bold=bold)
        yield Text(x=frame.right + 6, y=at + 3, text=text, size=SMALL, fill=colour, bold=bold)
        if curve.struck:
            width = glyphs.width(text, SMALL, bold=bold)
            yield line(frame.right + 5, at, frame.right + 7 + width, at, style.refuted, 0.8)


def _strike_through(curve: Line, frame: Frame, style: Style) -> list[Item]:
    pieces = _visible_pieces(curve, frame)
    if not pieces:
        return []
    points = max(pieces, key=len)
    x, y = points[len(points) // 2]
    return [line(x - 5, y + 6, x + 5, y - 6, style.refuted, 1.6)]


def _mark_items(
    mark: Mark,
    frame: Frame,
    uprights: Sequence[float],
    levels: Sequence[float],
    look: PlotStyle,
    *,
    plate: bool = False,
) -> Iterator[Item]:
    """Yield a mark and its words; a PLATE makes them readable on any colour."""
    style = look.style
    x = frame.across(min(max(mark.x, frame.x.low), frame.x.high))
    y = frame.up(min(max(mark.y, frame.y.low), frame.y.high))
    colour, words_width = style.of(mark.role), glyphs.width(mark.words, SMALL, bold=True)
    if mark.pointer:
        yield Path(points=((x - 4.5, y - 4), (x + 4.5, y - 4), (x, y + 2)), fill=colour)
        if mark.words:
            x = min(max(x, words_width / 2), frame.page - words_width / 2)
            yield Text(x=x, y=y - 6, text=mark.words, size=SMALL, fill=style.ink, anchor="middle", bold=True)
        return
    if mark.dot:
        yield Circle(x=x, y=y, radius=3.2, fill=style.ground if mark.hollow else colour, stroke=colour, width=1.2)
    if not mark.words:
        return
    left_edge = 0.0 if look.axes and not named(frame) else frame.left
    left, start = _mark_words_side(mark, x, words_width, frame, uprights, left_edge)
    baseline = _mark_words_baseline(mark, y, frame, levels)
    text = fitted(mark.words, max(start if left else frame.page - start, 0.0), SMALL, bold=True)
    anchor: Anchor = "end" if left else "start"
    fill = style.quiet if mark.role == "quiet" else style.ink
    if plate:
        words_width = glyphs.width(text, SMALL, bold=True) + 6
        edge = start + 3 - words_width if left else start - 3
        yield Rectangle(x=edge, y=baseline - 9, width=words_width, height=12, fill=style.ground, opacity=0.8)
    yield Text(x=start, y=baseline, text=text, size=SMALL, fill=fill, anchor=anchor, bold=True)


def _mark_words_side(
    mark: Mark, x: float, words_width: float, frame: Frame, uprights: Sequence[float], left_edge: float
) -> tuple[bool, float]:
    """Return whether the words of a mark at X go to its left, and where they end or begin.

    They do not cross an upright or LEFT_EDGE if possible; else they are beyond the uprights.
    """

    def has_room(left: bool) -> bool:
        start = x - 7 - words_width if left else x + 7
        inside = start >= left_edge and start + words_width <= frame.page
        return inside and not any(start - 2 < other < start + words_width + 2 for other in uprights)

    prefers_left = mark.left or x > frame.left + 0.7 * (frame.right - frame.left)
    left = prefers_left if has_room(prefers_left) or not has_room(not prefers_left) else not prefers_left
    crossing = [upright for upright in uprights if x < upright < x + words_width + 9]
    if crossing and not has_room(left):
        beyond = max(crossing) + 5
        fits = beyond + words_width <= frame.page
        return (False, beyond) if fits or frame.page - beyond > x - 7 - left_edge else (True, x - 7)
    return left, x - 7 if left else x + 7


def _mark_words_baseline(mark: Mark, y: float, frame: Frame, levels: Sequence[float]) -> float:
    """Return the baseline of the words of a mark at Y, above or below it; no line crosses them if possible."""
    below, above = y + 13.0, y - 6.0
    too_low, too_high = below > frame.bottom, y < frame.top + 14
    baselines = (below, above) if (mark.below and not too_low) or too_high else (above, below)
    clear = (at for at in baselines if not any(at - 8 < other < at + 3 for other in levels))
    return next(clear, baselines[0])


# ------------------------------------------------------------------------------------------ heat maps


def _surface_items(surface: Surface, frame: Frame, look: PlotStyle) -> list[Item]:
    style = look.style
    words = f"{surface.title} · {surface.y.title}"
    items: list[Item] = []
    if look.axes:
        items.append(Text(x=frame.left, y=frame.start + 10, text=words, size=SMALL, fill=style.quiet))
    items += _cell_items(surface, frame, look)
    for contour in surface.contours:
        strokes = [
            [(frame.across(surface.x.value(x)), frame.up(surface.y.value(y))) for x, y in stroke]
            for stroke in contour.strokes
        ]
        items += [line(*start, *end, "#FFFFFF", 0.7) for start, end in strokes]
        x, y = max((end for stroke in strokes for end in stroke), key=frame.depth)
        items.append(Text(x=x, y=y + 3, text=contour.words, size=SMALL, fill="#FFFFFF", anchor="middle"))
    if look.axes:
        items += [*_x_axis_items(surface, frame, style), *_y_axis_items(surface, frame, look)]
    if surface.x == frame.x and surface.y == frame.y:  # no space for it beside a zoomed part
        items += _colour_bar(surface, frame, look)
    return [*items, *(item for mark in surface.marks for item in _mark_items(mark, frame, (), (), look, plate=True))]


def _cell_items(surface: Surface, frame: Frame, look: PlotStyle) -> Iterator[Item]:
    """Yield the cells in their colours, or a slanted line for no bound."""
    count, (rows, columns) = look.cells, surface.grid.shape
    low_x, low_y = surface.x.place(surface.x.low), surface.y.place(surface.y.low)
    step_x = (surface.x.place(surface.x.high) - low_x) / count
    step_y = (surface.y.place(surface.y.high) - low_y) / count
    left = [frame.across_place(low_x + step_x * i) for i in range(count + 1)]
    foot = [frame.up_place(low_y + step_y * j) for j in range(count + 1)]
    shades, beyond = surface.shades(), surface.beyond()
    for i, j in itertools.product(range(count), range(count)):
        cell = (2 * i + 1) * rows // (2 * count), (2 * j + 1) * columns // (2 * count)
        width, height = left[i + 1] - left[i], foot[j] - foot[j + 1]
        if beyond[cell]:
            yield line(left[i], foot[j], left[i + 1], foot[j + 1], look.style.line, 0.5)
        else:
            fill = _hex_colour(float(shades[cell]))
            yield Rectangle(x=left[i], y=foot[j + 1], width=width + 0.2, height=height + 0.2, fill=fill)


def _colour_bar(surface: Surface, frame: Frame, look: PlotStyle) -> Iterator[Item]:
    bar, step = frame.right + 14, (frame.bottom - frame.top) / look.cells
    for k in range(look.cells):
        y = frame.bottom - step * (k + 1)
        yield Rectangle(x=bar, y=y, width=10, height=step + 0.2, fill=_hex_colour((k + 0.5) / look.cells))
    low, top = surface.values.place(surface.values.low), surface.values.place(surface.values.high)
    for value, words in surface.values.ticks:
        y = frame.bottom - (surface.values.place(value) - low) / (top - low) * (frame.bottom - frame.top) + 3
        yield Text(x=bar + 14, y=min(y, frame.bottom - 1), text=words, size=SMALL, fill=look.style.quiet)


def _hex_colour(share: float) -> str:
    return "#{:02X}{:02X}{:02X}".format(*colour_at(share))


def _wrap(text: str, room: float) -> Iterator[str]:
    current = ""
    for word in text.split():
        wider = f"{current} {word}".strip()
        if current and glyphs.width(wider, SMALL) > room:
            yield current
            current = word
        else:
            current = wider
    if current:
        yield current
