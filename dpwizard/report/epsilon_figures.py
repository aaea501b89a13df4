"""The figures on the axis of epsilon: the window with its ends, and every requirement as a line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dpwizard.charts import (
    BODY,
    SMALL,
    WIDTH,
    Anchor,
    Item,
    Path,
    Rectangle,
    Scale,
    Scene,
    Style,
    Text,
    Ticks,
    clamped,
    drawable,
    fitted,
    glyphs,
    line,
    reach,
    tick_text,
)
from dpwizard.report.phrases import Words
from dpwizard.wording import explain

MOST_ROWS = 20


@dataclass(frozen=True, kw_only=True)
class End:
    """One end of the window: the requirement that binds it."""

    name: str
    epsilon: float
    side: str  # "upper": privacy, money or budget; "lower": accuracy


@dataclass(frozen=True, kw_only=True)
class Row:
    """One requirement as a line on the epsilon axis."""

    name: str
    note: str  # what is said under the name: "at most 2.19", or the status
    side: str
    epsilon: float | None
    unbounded: bool = False
    enabled: bool = True
    published: float | None = None


def _pen(style: Style, side: str) -> str:
    return style.privacy if side == "upper" else style.accuracy


# ---------------------------------------------------------------------------------- epsilon axis


def epsilon_axis(
    *,
    lower: End | None,
    upper: End | None,
    empty: bool,
    touching: bool,
    chosen: float | None,
    said: tuple[str, str],
    words: Words,
    width: float = WIDTH,
    style: Style | None = None,
) -> Scene:
    """Return the window on one axis: what is needed, what is allowed, what is chosen.

    Arguments: lower and upper, the ends of the window and what binds them (None: nothing does); said, the
    sentences on the window and on the chosen epsilon, which the alternative text repeats.
    """
    style = style or Style()
    ends = tuple(end for end in (lower, upper) if end is not None)
    high = reach([end.epsilon for end in ends] + ([chosen] if chosen else []), 1.6)
    x = Scale(low=0.0, high=high, start=3.0, end=width - 3.0)
    top, middle, bottom = 28.0, 43.0, 58.0
    items: list[Item] = []
    left = clamped(x, lower.epsilon) if lower else x(0.0)
    right = clamped(x, upper.epsilon) if upper else x(high)
    if empty and lower and upper and left > right:
        items += _hatched(right, left, top + 4, bottom - 4, style)
        note = Text(
            x=(left + right) / 2,
            y=middle - 3,
            text=words("figure", "nothing_keeps"),
            size=SMALL,
            anchor="middle",
            fill=style.ink,
        )
        start, end = note.extent
        clear = chosen is None or not start - 6 < clamped(x, chosen) < end + 6
        if clear and start - 6 > right and end + 6 < left:
            items += [Rectangle(x=start - 4, y=middle - 12, width=end - start + 8, height=12, fill=style.ground), note]
    elif right > left and ends and not empty:
        items.append(
            Rectangle(x=left, y=top + 4, width=right - left, height=bottom - top - 8, fill=style.window, opacity=0.15)
        )
    items.append(line(x.start, middle, x.end, middle, style.line, 1.5))
    for tick in Ticks.linear(high).values:
        items.append(line(x(tick), middle - 2.5, x(tick), middle + 2.5, style.quiet, 0.8))
        items.append(_tick_label(x, tick, bottom + 11, width, style))
    for bound in ends:
        shift = (1.7 if bound.side == "upper" else -1.7) if touching else 0.0
        at = clamped(x, bound.epsilon) + shift
        items.append(line(at, top, at, bottom, _pen(style, bound.side), 2.0 if touching else 2.4))
    taken: list[tuple[float, float]] = []
    if chosen is not None:
        at = clamped(x, chosen)
        items.append(line(at, top - 6, at, bottom + 2, style.ink, 1.5))
        label = explain.epsilon_up(chosen)
        half = glyphs.width(label, BODY, bold=True) / 2
        place = min(max(at, half), width - half)
        items.append(Text(x=place, y=18, text=label, size=BODY, bold=True, anchor="middle", fill=style.ink))
        taken.append((place - half - 7.0, place + half + 7.0))
    items += _end_labels(lower, upper, empty, touching, x, taken, words, style)
    return Scene(
        width=width,
        height=bottom + 15,
        items=tuple(items),
        title=words("figure", "axis_title"),
        alternative=words("figure", "axis_alt", high=tick_text(high), window=said[0], position=said[1]).strip(),
        columns=(words("figure", "column_requirement"), words("figure", "column_allows")),
        rows=tuple((end.name, _bound(end, words)) for end in ends),
    )


def _tick_label(x: Scale, tick: float, y: float, width: float, style: Style) -> Text:
    """Return the label of a tick, flush with the page where the tick lies at its edge."""
    place = x(tick)
    anchor: Anchor = "start" if place < 8 else "end" if place > width - 8 else "middle"
    at = {"start": 0.0, "middle": place, "end": width}[anchor]
    return Text(x=at, y=y, text=tick_text(tick), size=SMALL, fill=style.quiet, anchor=anchor)


def _bound(end: End, words: Words) -> str:
    return explain.say("unit", f"epsilon_{end.side}", {"epsilon": end.epsilon}, words.language)


def _hatched(left: float, right: float, top: float, bottom: float, style: Style) -> list[Item]:
    """Return slanted lines over the gap between what is allowed and what is needed."""
    lines: list[Item] = []
    height, step = bottom - top, 6.0
    start = left - height
    while start < right:
        x0, x1 = max(start, left), min(start + height, right)
        if x1 > x0:
            lines.append(line(x0, bottom - (x0 - start), x1, bottom - (x1 - start), style.line, 1.0))
        start += step
    return lines


def _end_labels(
    lower: End | None,
    upper: End | None,
    empty: bool,
    touching: bool,
    x: Scale,
    taken: list[tuple[float, float]],
    words: Words,
    style: Style,
) -> list[Item]:
    """Return what binds each end in two lines above the axis: outwards where there is room, else wherever most fits.

    TAKEN is the room that the chosen epsilon takes; no label comes nearer to it, nor to the other label.
    """
    page = (0.0, x.end + 3.0)
    outwards = {"lower": "right" if empty else "left", "upper": "left" if empty else "right"}
    items: list[Item] = []
    printed = None  # where two decimals would cross them
    if (
        lower is not None
        and upper is not None
        and not empty
        and (touching or explain.ends_cross(lower.epsilon, upper.epsilon))
    ):
        printed = explain.window_ends(lower.epsilon, upper.epsilon)
    for end in (lower, upper):
        if end is None:
            continue
        name = " ".join(glyphs.printable(end.name, everything=False).split())
        bound = _bound(end, words) if printed is None else printed[end.side == "upper"]
        wanted = max(glyphs.width(name, SMALL), glyphs.width(bound, SMALL))
        side, edge, room = _side(clamped(x, end.epsilon), outwards[end.side], wanted, taken, page)
        shown = fitted(name, room, SMALL)
        anchor: Anchor = "end" if side == "left" else "start"
        items.append(Text(x=edge, y=8, text=shown, size=SMALL, fill=style.ink, anchor=anchor))
        items.append(Text(x=edge, y=18, text=bound, size=SMALL, fill=style.quiet, anchor=anchor))
        wide = max(glyphs.width(shown, SMALL), glyphs.width(bound, SMALL))
        taken.append((edge - wide - 6, edge + 6) if side == "left" else (edge - 6, edge + wide + 6))
    return items


def _side(
    place: float, first: str, wanted: float, taken: list[tuple[float, float]], page: tuple[float, float]
) -> tuple[str, float, float]:
    """Return on which side of PLACE a label goes, where it begins and how much room it has."""
    choices = []
    for side in (first, "left" if first == "right" else "right"):
        edge = place - 2 if side == "left" else place + 2
        for start, end in taken:  # step out of what is taken already
            if start < edge < end or start < place < end:
                edge = start if side == "left" else end
        if side == "left":
            room = edge - max([page[0], *(end for start, end in taken if end <= edge and start < edge)])
        else:
            room = min([page[1], *(start for start, end in taken if start >= edge and end > edge)]) - edge
        if room >= min(wanted, 95.0 if side == first else wanted):
            return side, edge, room
        choices.append((room, side, edge))
    room, side, edge = max(choices, key=lambda choice: choice[0])
    return side, edge, max(room, 0.0)


# ------------------------------------------------------------------------------ requirement rows


def requirement_rows(
    *,
    rows: Sequence[Row],
    lower: float | None,
    upper: float | None,
    empty: bool,
    chosen: float | None,
    said: tuple[str, str],
    words: Words,
    width: float = WIDTH,
    style: Style | None = None,
) -> Scene:
    """Return one line for each requirement: promises from the left, needs from the right, and the window between.

    Arguments: rows, at most MOST_ROWS are drawn, those that come closest to binding; lower and upper, the ends
    of the window (None: open); said, the sentences for the alternative text.
    """
    style = style or Style()
    shown = closest(rows)
    values = [drawable(v) for v in (*(v for row in shown for v in (row.epsilon, row.published)), chosen) if v]
    spread = max(values, default=1.0) / min(values, default=1.0) > 40
    text_at = width * 0.60
    if spread:
        low, high = 10.0 ** math.floor(math.log10(min(values) * 0.8)), 10.0 ** math.ceil(math.log10(max(values) * 1.25))
        x, ticks = Scale(low=low, high=high, start=3.0, end=text_at - 14, logarithmic=True), Ticks.decades(low, high)
    else:
        high = reach(values, 1.2)
        x, ticks = Scale(low=0.0, high=high, start=3.0, end=text_at - 14), Ticks.linear(high)
    step, top = 25.0, 24.0
    bottom = top + step * len(shown)
    items: list[Item] = []
    left = clamped(x, lower) if lower else x.start
    right = clamped(x, upper) if upper is not None else x.end
    if not empty and (lower or upper is not None) and right >= left:
        items.append(
            Rectangle(
                x=left,
                y=top - 6,
                width=max(right - left, 0.6),
                height=bottom - top + 8,
                fill=style.window,
                opacity=0.15,
            )
        )
    for index, row in enumerate(shown):
        items += _row(row, top + step * index + 10, x, text_at, width, style, words)
    if chosen is not None and (chosen > 0 or not spread):
        at = clamped(x, chosen)
        items.append(line(at, top - 6, at, bottom + 2, style.ink, 1.4))
        items.append(Path(points=((at - 4.5, top - 11), (at + 4.5, top - 11), (at, top - 5)), fill=style.ink))
        label = explain.epsilon_up(chosen)
        half = glyphs.width(label, BODY, bold=True) / 2
        items.append(Text(x=max(at, half), y=10, text=label, size=BODY, bold=True, anchor="middle", fill=style.ink))
    for tick in ticks.values:
        items.append(line(x(tick), bottom + 4, x(tick), bottom + 8, style.quiet, 0.8))
        items.append(_tick_label(x, tick, bottom + 18, width, style))
    items.append(Text(x=0.0, y=bottom + 30, text=words("figure", "more_private"), size=SMALL, fill=style.quiet))
    items.append(
        Text(
            x=x.end + 3, y=bottom + 30, text=words("figure", "less_private"), size=SMALL, fill=style.quiet, anchor="end"
        )
    )
    told = " ".join(words("figure", "row_alt", name=row.name, bound=row.note) for row in shown)
    return Scene(
        width=width,
        height=bottom + 34,
        items=tuple(items),
        title=words("figure", "rows_title"),
        alternative=words(
            "figure", "rows_alt", high=tick_text(x.high), rows=told, window=said[0], position=said[1]
        ).strip(),
        columns=(words("figure", "column_requirement"), words("figure", "column_allows")),
        rows=tuple((row.name, row.note) for row in shown),
    )


def closest(rows: Sequence[Row], most: int = MOST_ROWS) -> tuple[Row, ...]:
    """Return ROWS, or if they are too many those that come closest to binding, in their order."""
    if len(rows) <= most:
        return tuple(rows)

    def strictness(pair: tuple[int, Row]) -> tuple[int, float]:
        row = pair[1]
        if row.epsilon is None:
            return (0 if not row.unbounded and row.enabled else 2), 0.0
        return 1, row.epsilon if row.side == "upper" else -row.epsilon

    numbered = list(enumerate(rows))
    upper = sorted((pair for pair in numbered if pair[1].side == "upper"), key=strictness)
    lower = sorted((pair for pair in numbered if pair[1].side != "upper"), key=strictness)
    some = max(most // 2, most - len(lower))
    kept = sorted(upper[:some] + lower[: most - min(some, len(upper))])
    return tuple(row for _, row in kept)


def _row(row: Row, y: float, x: Scale, text_at: float, width: float, style: Style, words: Words) -> list[Item]:
    items: list[Item] = []
    colour = _pen(style, row.side) if row.enabled else style.refuted
    dash = () if row.enabled else (2.0, 3.0)
    if row.published is not None:
        place = clamped(x, row.published)
        items.append(
            line(
                x.start if row.side == "upper" else place,
                y - 4,
                place if row.side == "upper" else x.end,
                y - 4,
                style.refuted,
                1.2,
                (4.0, 2.5),
            )
        )
        items.append(line(place - 4, y, place + 4, y - 8, style.refuted, 1.4))
        label = words("figure", "published", epsilon=explain.number(float(f"{row.published:.4g}")))
        fits = place + 6 + glyphs.width(label, 7.0) < x.end + 8
        items.append(
            Text(
                x=place + 6 if fits else place - 6,
                y=y - 6,
                text=label,
                size=7.0,
                fill=style.quiet,
                anchor="start" if fits else "end",
            )
        )
    if row.epsilon is not None or row.unbounded:
        place = clamped(x, row.epsilon) if row.epsilon is not None else (x.end if row.side == "upper" else x.start)
        start, end = (x.start, place) if row.side == "upper" else (place, x.end)
        if end > start:
            items.append(line(start, y, end, y, colour, 2.2 if row.enabled else 1.2, dash))
        if row.epsilon is not None:
            items.append(Rectangle(x=place - 1.4, y=y - 6, width=2.8, height=12, fill=colour))
    else:  # no epsilon keeps it, or nothing is known: a cross at the end it would bound
        place = x.start + 3 if row.side == "upper" else x.end - 3
        items += [
            line(place - 3, y - 3, place + 3, y + 3, colour, 1.6),
            line(place - 3, y + 3, place + 3, y - 3, colour, 1.6),
        ]
    room = width - text_at
    items.append(
        Text(
            x=text_at,
            y=y - 1,
            text=fitted(row.name, room, BODY),
            size=BODY,
            fill=style.ink if row.enabled else style.quiet,
        )
    )
    items.append(Text(x=text_at, y=y + 9.5, text=fitted(row.note, room, SMALL), size=SMALL, fill=style.quiet))
    return items
