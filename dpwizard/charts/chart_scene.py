"""A figure of a live panel as a scene, so that "save as SVG" writes what the window shows: same data, same words, same
colours."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from dpwizard.charts import glyphs
from dpwizard.charts.charts import Axis, Band, Chart, Figure, Line, Mark, Surface, spread_labels
from dpwizard.charts.figure_drawing import SMALL, WIDTH, line
from dpwizard.charts.scene import Anchor, Circle, Item, Path, Rectangle, Scene, Style, Text, fitted

LEFT, TOP, HEIGHT, FOOT = 62.0, 20.0, 170.0, 34.0
NAMES = 168.0  # room at the left where the ticks are words
MOST_LABEL = 132.0
CELLS = 40  # of a heat map in the file, along each side
DASHES = {"solid": (), "dash": (4.0, 3.0), "dot": (1.2, 2.4)}
# From dark blue to pale yellow: lightness rises evenly, so that it reads without colour and in print.
MAP = ((0, 32, 76), (60, 77, 110), (124, 123, 120), (187, 175, 113), (255, 234, 70))


def colour_at(share: float) -> tuple[int, int, int]:
    """Return the colour of a heat map at SHARE, from 0 (least) to 1."""
    place = min(max(share, 0.0), 1.0) * (len(MAP) - 1)
    index = min(int(place), len(MAP) - 2)
    part = place - index
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(MAP[index], MAP[index + 1], strict=True))
    return red, green, blue


def scene(figure: Figure, style: Style | None = None) -> Scene:
    """Return FIGURE as a scene; its table and its sentences go along as the alternative text."""
    style = style or Style()
    items: list[Item] = []
    y = 0.0
    for plot in figure.plots:
        drawn, bottom = _plot(plot, y, style) if isinstance(plot, Chart) else _surface(plot, y, style)
        items += drawn
        y = bottom + 8.0
    struck = {text.struck for plot in figure.plots if isinstance(plot, Chart) for text in plot.lines if text.struck}
    for aside in dict.fromkeys((*figure.asides, *sorted(struck))):
        for part in _wrapped(aside, WIDTH - LEFT):
            items.append(Text(x=LEFT, y=y + 6, text=part, size=SMALL, fill=style.quiet))
            y += 11.0
    return Scene(
        width=WIDTH,
        height=max(y + 4.0, 20.0),
        items=tuple(items),
        title=figure.title,
        alternative=" ".join((figure.sentence, *figure.asides)),
        columns=figure.columns,
        rows=figure.rows,
    )


def _colour(style: Style, role: str) -> str:
    return {
        "privacy": style.privacy,
        "accuracy": style.accuracy,
        "window": style.window,
        "refuted": style.refuted,
        "quiet": style.quiet,
    }.get(role, style.ink)


class _Frame:
    """Maps the values of two axes to points of the page."""

    def __init__(self, x: Axis, y: Axis, left: float, right: float, top: float, bottom: float) -> None:
        self.x, self.y = x, y
        self.left, self.right, self.top, self.bottom = left, right, top, bottom

    def across(self, value: float) -> float:
        low, high = self.x.place(self.x.low), self.x.place(self.x.high)
        return self.left + (self.right - self.left) * (self.x.place(value) - low) / (high - low)

    def up(self, value: float) -> float:
        low, high = self.y.place(self.y.low), self.y.place(self.y.high)
        return self.bottom - (self.bottom - self.top) * (self.y.place(value) - low) / (high - low)


def _plot(chart: Chart, y: float, style: Style) -> tuple[list[Item], float]:
    names = not chart.y.title and any(not text[:1].isdigit() for _, text in chart.y.ticks)
    left = NAMES if names else LEFT
    labels = [item for item in chart.lines if item.label]
    room = min(MOST_LABEL, max((glyphs.width(item.label, SMALL) for item in labels), default=0.0)) + 10.0
    slanted = len(chart.x.ticks) > 6 and max(len(text) for _, text in chart.x.ticks) > 5
    frame = _Frame(chart.x, chart.y, left, WIDTH - max(room, 24.0), y + TOP, y + TOP + HEIGHT)
    items: list[Item] = []
    heading = " · ".join(text for text in (chart.title, chart.y.title) if text)
    items.append(
        Text(
            x=left if not names else 0.0,
            y=y + 10,
            text=fitted(heading, WIDTH - left, SMALL),
            size=SMALL,
            fill=style.quiet,
        )
    )
    for value, words in chart.y.ticks:
        at = frame.up(value)
        if not names:
            items.append(line(frame.left, at, frame.right, at, style.line, 0.6))
        items.append(
            Text(x=left - 6, y=at + 3, text=fitted(words, left - 8, SMALL), size=SMALL, fill=style.quiet, anchor="end")
        )
    items += _across(frame, style, slanted)
    for index, (low, high, words) in enumerate(chart.groups):
        ends = (frame.across(low), frame.across(high))
        if index:
            items.append(line(ends[0], frame.top, ends[0], frame.bottom, style.line, 0.6))
        items.append(
            Text(x=(ends[0] + ends[1]) / 2, y=frame.top - 2, text=words, size=SMALL, fill=style.quiet, anchor="middle")
        )
    items[1:1] = [item for band in chart.bands for item in _band(band, frame, style)]
    for bars in chart.bars:
        for x, value in zip(bars.x, bars.y, strict=True):
            if math.isfinite(value):
                a, b, top = frame.across(x - bars.width / 2), frame.across(x + bars.width / 2), frame.up(value)
                items.append(
                    Rectangle(x=a, y=top, width=b - a, height=frame.bottom - top, fill=_colour(style, bars.role))
                )
    for curve in chart.lines:
        colour = style.refuted if curve.struck else _colour(style, curve.role)
        for points in _pieces(curve, frame):
            if curve.filled and len(points) > 1:
                area = ((points[0][0], frame.bottom), *points, (points[-1][0], frame.bottom))
                items.append(Path(points=area, fill=colour, opacity=0.2))
            items.append(Path(points=points, stroke=colour, width=min(curve.width, 4.0) * 0.8, dash=DASHES[curve.dash]))
        if curve.struck:
            items += _strike(curve, frame, style)
    items += _end_labels(labels, frame, style)
    items += [item for mark in chart.marks for item in _mark(mark, frame, style)]
    return items, frame.bottom + FOOT + (14.0 if slanted else 0.0)


def _band(band: Band, frame: _Frame, style: Style) -> Iterator[Item]:
    """Yield a shaded stretch with its words, where they have room."""
    low, high = (frame.across(min(max(value, frame.x.low), frame.x.high)) for value in (band.low, band.high))
    plain = band.role == "quiet"
    fill, opacity = (style.unbounded, 1.0) if plain else (_colour(style, band.role), 0.15)
    yield Rectangle(
        x=low, y=frame.top, width=max(high - low, 0.0), height=frame.bottom - frame.top, fill=fill, opacity=opacity
    )
    if band.words and glyphs.width(band.words, SMALL) + 4 < high - low:
        yield Text(x=(low + high) / 2, y=frame.top + 11, text=band.words, size=SMALL, fill=style.quiet, anchor="middle")


def _across(frame: _Frame, style: Style, crowded: bool) -> list[Item]:
    items: list[Item] = [line(frame.left, frame.bottom, frame.right, frame.bottom, style.line, 0.8)]
    for index, (value, words) in enumerate(frame.x.ticks):
        at = frame.across(value)
        items.append(line(at, frame.bottom, at, frame.bottom + 3, style.quiet, 0.6))
        below = 12.0 + (10.0 if crowded and index % 2 else 0.0)
        items.append(
            Text(
                x=at,
                y=frame.bottom + below,
                text=words,
                size=SMALL if not crowded else 6.5,
                fill=style.quiet,
                anchor="middle",
            )
        )
    middle = (frame.left + frame.right) / 2
    foot = frame.bottom + (37.0 if crowded else 26.0)
    items.append(Text(x=middle, y=foot, text=frame.x.title, size=SMALL, fill=style.quiet, anchor="middle"))
    return items


def _pieces(curve: Line, frame: _Frame) -> Iterator[tuple[tuple[float, float], ...]]:
    """Yield the stretches of a curve that lie inside the frame; one that leaves it ends at its edge."""
    points = list(zip(curve.x, curve.y, strict=True))
    if curve.pairs:
        for one, other in zip(points[::2], points[1::2], strict=True):
            yield (frame.across(one[0]), frame.up(one[1])), (frame.across(other[0]), frame.up(other[1]))
        return
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
            yield tuple(piece)
        piece = []
    if len(piece) > 1:
        yield tuple(piece)


def _end_labels(labels: Sequence[Line], frame: _Frame, style: Style) -> list[Item]:
    ends = [(curve, _end(curve, frame)) for curve in labels]
    kept = [
        (curve, end if curve.beside is None else (end[0], min(max(frame.up(curve.beside), frame.top), frame.bottom)))
        for curve, end in ends
        if end is not None
    ]
    places = spread_labels([place[1] for _, place in kept], 10.0, frame.top, frame.bottom)
    items: list[Item] = []
    for (curve, _), at in zip(kept, places, strict=True):
        text = fitted(curve.label, MOST_LABEL, SMALL)
        items.append(
            Text(x=frame.right + 6, y=at + 3, text=text, size=SMALL, fill=style.refuted if curve.struck else style.ink)
        )
        if curve.struck:
            wide = glyphs.width(text, SMALL)
            items.append(line(frame.right + 5, at, frame.right + 7 + wide, at, style.refuted, 0.8))
    return items


def _end(curve: Line, frame: _Frame) -> tuple[float, float] | None:
    """Return the last drawn point of a curve."""
    last = None
    for piece in _pieces(curve, frame):
        last = piece[-1]
    return last


def _strike(curve: Line, frame: _Frame, style: Style) -> list[Item]:
    """Return the short stroke across the middle of a curve that does not hold."""
    pieces = list(_pieces(curve, frame))
    if not pieces:
        return []
    points = max(pieces, key=len)
    x, y = points[len(points) // 2]
    return [line(x - 5, y + 6, x + 5, y - 6, style.refuted, 1.6)]


def _mark(mark: Mark, frame: _Frame, style: Style) -> Iterator[Item]:
    x, y = (
        frame.across(min(max(mark.x, frame.x.low), frame.x.high)),
        frame.up(min(max(mark.y, frame.y.low), frame.y.high)),
    )
    colour = _colour(style, mark.role)
    if mark.dot:
        yield Circle(x=x, y=y, radius=3.2, fill=style.ground if mark.hollow else colour, stroke=colour, width=1.2)
    left = mark.left or x > frame.left + 0.7 * (frame.right - frame.left)
    deep, high = y > frame.bottom - 18, y < frame.top + 14
    at = y + (13 if (mark.below and not deep) or high else -6)
    anchor: Anchor = "end" if left else "start"
    yield Text(x=x - 7 if left else x + 7, y=at, text=mark.words, size=SMALL, fill=style.ink, anchor=anchor, bold=True)


def _surface(surface: Surface, y: float, style: Style) -> tuple[list[Item], float]:
    frame = _Frame(surface.x, surface.y, LEFT, WIDTH - 96.0, y + TOP, y + TOP + HEIGHT)
    items: list[Item] = [
        Text(x=LEFT, y=y + 10, text=f"{surface.title} · {surface.y.title}", size=SMALL, fill=style.quiet)
    ]
    rows, columns = surface.grid.shape
    a, b = (frame.right - frame.left) / CELLS, (frame.bottom - frame.top) / CELLS
    low, high = surface.values.place(surface.values.low), surface.values.place(surface.values.high)
    for i in range(CELLS):
        for j in range(CELLS):
            value = float(surface.grid[(2 * i + 1) * rows // (2 * CELLS), (2 * j + 1) * columns // (2 * CELLS)])
            share = (
                1.0
                if math.isinf(value)
                else (surface.values.place(max(value, surface.values.low)) - low) / (high - low)
            )
            fill = "#{:02X}{:02X}{:02X}".format(*colour_at(share))
            items.append(
                Rectangle(x=frame.left + a * i, y=frame.bottom - b * (j + 1), width=a + 0.2, height=b + 0.2, fill=fill)
            )
    items += _across(frame, style, False)
    for value, words in surface.y.ticks:
        items.append(Text(x=LEFT - 6, y=frame.up(value) + 3, text=words, size=SMALL, fill=style.quiet, anchor="end"))
    bar = frame.right + 14
    for k in range(CELLS):
        fill = "#{:02X}{:02X}{:02X}".format(*colour_at((k + 0.5) / CELLS))
        items.append(Rectangle(x=bar, y=frame.bottom - b * (k + 1), width=10, height=b + 0.2, fill=fill))
    for value, words in surface.values.ticks:
        share = (surface.values.place(value) - low) / (high - low)
        items.append(
            Text(
                x=bar + 14,
                y=frame.bottom - share * (frame.bottom - frame.top) + 3,
                text=words,
                size=SMALL,
                fill=style.quiet,
            )
        )
    items += [item for mark in surface.marks for item in _mark(mark, frame, style)]
    return items, frame.bottom + FOOT


def _wrapped(text: str, room: float) -> Iterator[str]:
    """Yield TEXT in lines no wider than ROOM."""
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
