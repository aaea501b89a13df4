"""The figures of a decision as scenes: the epsilon axis, the requirements on it, a risk profile, the noise.

Drawn from data alone, without a frame, with direct labels and at most five ticks; the report, the HTML and
"save as SVG" in the window write the same scene. Sizes are points.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dpwizard import explain, glyphs
from dpwizard.curves import Noise, RiskCurve
from dpwizard.report_words import Words
from dpwizard.scene import Anchor, Circle, Item, Path, Rectangle, Scale, Scene, Style, Text, Ticks, fitted

__all__ = ["End", "Row", "epsilon_axis", "noise_distribution", "requirement_rows", "risk_profile"]

WIDTH = 453.5  # the text width of A4 with margins of 25 mm
SMALL, BODY = 8.0, 9.0
MOST_ROWS = 20
SMALLEST, LARGEST = 1e-12, 1e12  # epsilons outside are drawn at the edge of the axis
TABLE_ROWS = 13  # of the data table behind a curve


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


def _line(x0: float, y0: float, x1: float, y1: float, stroke: str, width: float = 1.0, dash: tuple[float, ...] = ()) -> Path:
    return Path(points=((x0, y0), (x1, y1)), stroke=stroke, width=width, dash=dash)


def _reach(values: Sequence[float], beyond: float) -> float:
    """Return where an axis from 0 ends so that all VALUES lie well within: a round number."""
    largest = drawable(max((value for value in values if value > 0), default=1.0)) * beyond
    step = 10.0 ** math.floor(math.log10(largest))
    return next(step * factor for factor in (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10) if step * factor >= largest * (1 - 1e-12))


def drawable(value: float) -> float:
    """Return a positive VALUE kept within what an axis can show."""
    return min(max(value, SMALLEST), LARGEST)


def _tick_text(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 and value == round(value) and value < 1e7 else explain.number(value)


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
    high = _reach([end.epsilon for end in ends] + ([chosen] if chosen else []), 1.6)
    x = Scale(low=0.0, high=high, start=3.0, end=width - 3.0)
    top, middle, bottom = 28.0, 43.0, 58.0
    items: list[Item] = []
    left = _at(x, lower.epsilon) if lower else x(0.0)
    right = _at(x, upper.epsilon) if upper else x(high)
    if empty and lower and upper and left > right:
        items += _hatched(right, left, top + 4, bottom - 4, style)
        note = Text(x=(left + right) / 2, y=middle - 3, text=words("figure", "nothing_keeps"), size=SMALL, anchor="middle", fill=style.ink)
        start, end = note.extent
        clear = chosen is None or not start - 6 < _at(x, chosen) < end + 6
        if clear and start - 6 > right and end + 6 < left:
            items += [Rectangle(x=start - 4, y=middle - 12, width=end - start + 8, height=12, fill=style.ground), note]
    elif right > left and ends and not empty:
        items.append(Rectangle(x=left, y=top + 4, width=right - left, height=bottom - top - 8, fill=style.window, opacity=0.15))
    items.append(_line(x.start, middle, x.end, middle, style.line, 1.5))
    for tick in Ticks.linear(high).values:
        items.append(_line(x(tick), middle - 2.5, x(tick), middle + 2.5, style.quiet, 0.8))
        items.append(_tick_label(x, tick, bottom + 11, width, style))
    for bound in ends:
        shift = (1.7 if bound.side == "upper" else -1.7) if touching else 0.0
        at = _at(x, bound.epsilon) + shift
        items.append(_line(at, top, at, bottom, _pen(style, bound.side), 2.0 if touching else 2.4))
    free = 0.0
    if chosen is not None:
        at = _at(x, chosen)
        items.append(_line(at, top - 6, at, bottom + 2, style.ink, 1.5))
        label = explain.number(chosen)
        half = glyphs.width(label, BODY, bold=True) / 2
        place = min(max(at, half), width - half)
        items.append(Text(x=place, y=18, text=label, size=BODY, bold=True, anchor="middle", fill=style.ink))
        free = half + 7.0
    items += _end_labels(lower, upper, empty, touching, x, chosen, free, words, style)
    return Scene(
        width=width,
        height=bottom + 15,
        items=tuple(items),
        title=words("figure", "axis_title"),
        alternative=words("figure", "axis_alt", high=_tick_text(high), window=said[0], position=said[1]).strip(),
        columns=(words("figure", "column_requirement"), words("figure", "column_allows")),
        rows=tuple((end.name, _bound(end, words)) for end in ends),
    )


def _tick_label(x: Scale, tick: float, y: float, width: float, style: Style) -> Text:
    """Return the label of a tick, flush with the page where the tick lies at its edge."""
    place = x(tick)
    anchor: Anchor = "start" if place < 8 else "end" if place > width - 8 else "middle"
    at = {"start": 0.0, "middle": place, "end": width}[anchor]
    return Text(x=at, y=y, text=_tick_text(tick), size=SMALL, fill=style.quiet, anchor=anchor)


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
            lines.append(_line(x0, bottom - (x0 - start), x1, bottom - (x1 - start), style.line, 1.0))
        start += step
    return lines


def _end_labels(
    lower: End | None,
    upper: End | None,
    empty: bool,
    touching: bool,
    x: Scale,
    chosen: float | None,
    free: float,
    words: Words,
    style: Style,
) -> list[Item]:
    """Return what binds each end in two lines above the axis: outwards where there is room, else wherever most fits.

    FREE is half the room that the chosen epsilon takes; no label comes nearer to it, nor to the other label.
    """
    page = (0.0, x.end + 3.0)
    taken = [] if chosen is None else [(_at(x, chosen) - free, _at(x, chosen) + free)]
    outwards = {"lower": "right" if empty else "left", "upper": "left" if empty else "right"}
    items: list[Item] = []
    for end in (lower, upper):
        if end is None:
            continue
        name = " ".join(glyphs.printable(end.name, everything=False).split())
        bound = explain.number(end.epsilon) if touching else _bound(end, words)
        wanted = max(glyphs.width(name, SMALL), glyphs.width(bound, SMALL))
        side, edge, room = _side(_at(x, end.epsilon), outwards[end.side], wanted, taken, page)
        line = fitted(name, room, SMALL)
        anchor: Anchor = "end" if side == "left" else "start"
        items.append(Text(x=edge, y=8, text=line, size=SMALL, fill=style.ink, anchor=anchor))
        items.append(Text(x=edge, y=18, text=bound, size=SMALL, fill=style.quiet, anchor=anchor))
        wide = max(glyphs.width(line, SMALL), glyphs.width(bound, SMALL))
        taken.append((edge - wide - 6, edge + 6) if side == "left" else (edge - 6, edge + wide + 6))
    return items


def _side(place: float, first: str, wanted: float, taken: list[tuple[float, float]], page: tuple[float, float]) -> tuple[str, float, float]:
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
        high = _reach(values, 1.2)
        x, ticks = Scale(low=0.0, high=high, start=3.0, end=text_at - 14), Ticks.linear(high)
    step, top = 25.0, 24.0
    bottom = top + step * len(shown)
    items: list[Item] = []
    left = _at(x, lower) if lower else x.start
    right = _at(x, upper) if upper is not None else x.end
    if not empty and (lower or upper is not None) and right >= left:
        items.append(Rectangle(x=left, y=top - 6, width=max(right - left, 0.6), height=bottom - top + 8, fill=style.window, opacity=0.15))
    for index, row in enumerate(shown):
        items += _row(row, top + step * index + 10, x, text_at, width, style, words)
    if chosen is not None and (chosen > 0 or not spread):
        at = _at(x, chosen)
        items.append(_line(at, top - 6, at, bottom + 2, style.ink, 1.4))
        items.append(Path(points=((at - 4.5, top - 11), (at + 4.5, top - 11), (at, top - 5)), fill=style.ink))
        label = explain.number(chosen)
        half = glyphs.width(label, BODY, bold=True) / 2
        items.append(Text(x=max(at, half), y=10, text=label, size=BODY, bold=True, anchor="middle", fill=style.ink))
    for tick in ticks.values:
        items.append(_line(x(tick), bottom + 4, x(tick), bottom + 8, style.quiet, 0.8))
        items.append(_tick_label(x, tick, bottom + 18, width, style))
    items.append(Text(x=0.0, y=bottom + 30, text=words("figure", "more_private"), size=SMALL, fill=style.quiet))
    items.append(Text(x=x.end + 3, y=bottom + 30, text=words("figure", "less_private"), size=SMALL, fill=style.quiet, anchor="end"))
    told = " ".join(words("figure", "row_alt", name=row.name, bound=row.note) for row in shown)
    return Scene(
        width=width,
        height=bottom + 34,
        items=tuple(items),
        title=words("figure", "rows_title"),
        alternative=words("figure", "rows_alt", high=_tick_text(x.high), rows=told, window=said[0], position=said[1]).strip(),
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


def _at(x: Scale, value: float) -> float:
    return min(max(x(value), min(x.start, x.end)), max(x.start, x.end))


def _row(row: Row, y: float, x: Scale, text_at: float, width: float, style: Style, words: Words) -> list[Item]:
    items: list[Item] = []
    colour = _pen(style, row.side) if row.enabled else style.refuted
    dash = () if row.enabled else (2.0, 3.0)
    if row.published is not None:
        place = _at(x, row.published)
        items.append(
            _line(
                x.start if row.side == "upper" else place,
                y - 4,
                place if row.side == "upper" else x.end,
                y - 4,
                style.refuted,
                1.2,
                (4.0, 2.5),
            )
        )
        items.append(_line(place - 4, y, place + 4, y - 8, style.refuted, 1.4))
        label = words("figure", "published", epsilon=explain.number(float(f"{row.published:.4g}")))
        fits = place + 6 + glyphs.width(label, 7.0) < x.end + 8
        items.append(
            Text(x=place + 6 if fits else place - 6, y=y - 6, text=label, size=7.0, fill=style.quiet, anchor="start" if fits else "end")
        )
    if row.epsilon is not None or row.unbounded:
        place = _at(x, row.epsilon) if row.epsilon is not None else (x.end if row.side == "upper" else x.start)
        start, end = (x.start, place) if row.side == "upper" else (place, x.end)
        if end > start:
            items.append(_line(start, y, end, y, colour, 2.2 if row.enabled else 1.2, dash))
        if row.epsilon is not None:
            items.append(Rectangle(x=place - 1.4, y=y - 6, width=2.8, height=12, fill=colour))
    else:  # no epsilon keeps it, or nothing is known: a cross at the end it would bound
        place = x.start + 3 if row.side == "upper" else x.end - 3
        items += [_line(place - 3, y - 3, place + 3, y + 3, colour, 1.6), _line(place - 3, y + 3, place + 3, y - 3, colour, 1.6)]
    room = width - text_at
    items.append(Text(x=text_at, y=y - 1, text=fitted(row.name, room, BODY), size=BODY, fill=style.ink if row.enabled else style.quiet))
    items.append(Text(x=text_at, y=y + 9.5, text=fitted(row.note, room, SMALL), size=SMALL, fill=style.quiet))
    return items


# ---------------------------------------------------------------------------------- risk profile


def risk_profile(*, curve: RiskCurve, chosen: float | None, words: Words, width: float = WIDTH, style: Style | None = None) -> Scene:
    """Return two panels over the prior: the ratio allowed (and what the chosen epsilon gives), and the epsilon it implies."""
    style = style or Style()
    left, right = 42.0, width - 108.0
    x = Scale(low=curve.priors[0], high=curve.priors[-1], start=left, end=right, logarithmic=True)
    items: list[Item] = []
    upper_top, upper_bottom, lower_top, lower_bottom = 18.0, 102.0, 152.0, 262.0
    items += _ratio_panel(curve, x, (upper_top, upper_bottom), words, style)
    items += _epsilon_panel(curve, chosen, x, (lower_top, lower_bottom), width, words, style)
    for bottom in (upper_bottom, lower_bottom):
        items += _prior_ticks(x, bottom, words("figure", f"believed_{curve.axis}"), words, style)
    return Scene(
        width=width,
        height=lower_bottom + 28,
        items=tuple(items),
        title=words("figure", "profile_title"),
        alternative=_profile_words(curve, words),
        columns=tuple(words("figure", f"column_{key}") for key in ("prior", "allowed", *(("given",) if curve.given else ()), "epsilon")),
        rows=_profile_rows(curve, words),
    )


def _prior(value: float, words: Words) -> str:
    return words("figure", "certain") if value >= 1 else explain.chance(float(f"{value:.3g}"))


def _prior_ticks(x: Scale, bottom: float, title: str, words: Words, style: Style) -> list[Item]:
    items: list[Item] = []
    free = -math.inf
    for tick in Ticks.decades(x.low, x.high).values:
        label = Text(x=x(tick), y=bottom + 12, text=_prior(tick, words), size=SMALL, fill=style.quiet, anchor="middle")
        if label.extent[0] < free:
            continue
        free = label.extent[1] + 6
        items += [_line(x(tick), bottom, x(tick), bottom + 3, style.quiet, 0.7), label]
    return [*items, Text(x=x.start, y=bottom + 24, text=title, size=SMALL, fill=style.quiet)]


def _grid(y: Scale, x: Scale, ticks: Sequence[tuple[float, str]], style: Style) -> list[Item]:
    items: list[Item] = []
    for value, label in ticks:
        items.append(_line(x.start, y(value), x.end, y(value), style.line, 0.6))
        items.append(Text(x=x.start - 6, y=y(value) + 2.9, text=label, size=SMALL, fill=style.quiet, anchor="end"))
    return items


def _ratio_panel(curve: RiskCurve, x: Scale, ends: tuple[float, float], words: Words, style: Style) -> list[Item]:
    top, bottom = ends
    certain = [1 / (prior * curve.other) for prior in curve.priors]
    allowed = [min(ratio, most) if math.isinf(ratio) else ratio for ratio, most in zip(curve.allowed, certain, strict=True)]
    highest = max([*allowed, *curve.given, 1.0])
    if highest > 8:
        high = 10.0 ** math.ceil(math.log10(highest) - 1e-9)
        y = Scale(low=1.0, high=high, start=bottom, end=top + 6, logarithmic=True)
        ticks = Ticks.decades(1.0, high, 4).values
    else:
        y = Scale(low=0.0, high=_reach([highest], 1.0), start=bottom, end=top + 6)
        ticks = Ticks.linear(y.high, 4).values
    items: list[Item] = [Text(x=0.0, y=10.0, text=words("figure", "how_much"), size=BODY, bold=True, fill=style.ink)]
    items += _grid(y, x, [(value, words("figure", "times", ratio=_tick_text(value))) for value in ticks], style)
    line = tuple((x(prior), y(ratio)) for prior, ratio in zip(curve.priors, allowed, strict=True))
    labels = [(line[-1][1], words("figure", "allowed"), style.privacy, 2.0)]
    if curve.given:
        given = tuple((x(prior), y(ratio)) for prior, ratio in zip(curve.priors, curve.given, strict=True))
        items.append(Path(points=given, stroke=style.ink, width=1.1))
        labels.append((given[-1][1], words("figure", "given"), style.ink, 1.1))
    items.append(Path(points=line, stroke=style.privacy, width=2.0))
    if curve.binding is not None and curve.priors[0] <= curve.binding <= curve.priors[-1]:
        index = min(range(len(curve.priors)), key=lambda i: abs(math.log(curve.priors[i] / curve.binding)))  # type: ignore[operator]
        items.append(Circle(x=line[index][0], y=line[index][1], radius=3.4, fill=style.ground, stroke=style.privacy, width=1.6))
    return items + _line_labels(labels, x.end + 6, style)


def _line_labels(labels: list[tuple[float, str, str, float]], x: float, style: Style) -> list[Item]:
    """Return labels at line ends, moved apart where the ends lie too close to be read."""
    items: list[Item] = []
    apart = 11.0
    placed = sorted(labels)
    middle = sum(label[0] for label in placed) / len(placed)
    spots = [label[0] for label in placed]
    if len(spots) == 2 and spots[1] - spots[0] < apart:
        spots = [middle - apart / 2, middle + apart / 2]
    for spot, (_, text, colour, pen) in zip(spots, placed, strict=True):
        items.append(_line(x, spot, x + 8, spot, colour, pen))
        items.append(Text(x=x + 11, y=spot + 2.9, text=text, size=SMALL, fill=style.ink))
    return items


def _epsilon_panel(
    curve: RiskCurve, chosen: float | None, x: Scale, ends: tuple[float, float], width: float, words: Words, style: Style
) -> list[Item]:
    top, bottom = ends
    finite = [epsilon for epsilon in curve.epsilons if math.isfinite(epsilon)]
    items: list[Item] = [Text(x=0.0, y=top - 12, text=words("figure", "each_allows"), size=BODY, bold=True, fill=style.ink)]
    limit = curve.limit if curve.limit is not None else min(finite, default=1.0)
    wanted = max(limit * 2.4, (chosen or 0.0) * 1.15, 1e-6)
    high = _reach([min(wanted, max(finite, default=wanted) * 1.08) if finite else wanted, (chosen or 0.0) * 1.1], 1.0)
    y = Scale(low=0.0, high=high, start=bottom, end=top + 4)
    for first, last in _unbounded(curve):
        at, wide = x(first), x(last) - x(first)
        items.append(Rectangle(x=at, y=top + 4, width=wide, height=bottom - top - 4, fill=style.unbounded))
        label = words("figure", "no_bound")
        if glyphs.width(label, SMALL) + 6 < wide:
            items.append(Text(x=at + wide / 2, y=top + 16, text=label, size=SMALL, fill=style.quiet, anchor="middle"))
    items += _grid(y, x, [(value, _tick_text(value)) for value in Ticks.linear(high).values], style)
    items += [Path(points=points, stroke=style.privacy, width=2.0) for points in _pieces(curve, x, y)]
    if chosen is not None and 0 < chosen <= high:
        items.append(_line(x.start, y(chosen), x.end, y(chosen), style.ink, 1.1))
        label = words("figure", "chosen", epsilon=explain.number(chosen))
        items.append(Text(x=x.end + 6, y=y(chosen) + 2.9, text=fitted(label, width - x.end - 6, SMALL), size=SMALL, fill=style.ink))
    if curve.limit is not None and (curve.binding is not None or not curve.attained):
        items += _binding(curve, limit, x, y, words, style)
    return items


def _unbounded(curve: RiskCurve) -> list[tuple[float, float]]:
    """Return the stretches of priors where the allowed ratio exceeds certainty."""
    stretches: list[tuple[float, float]] = []
    start: float | None = None
    for prior, epsilon in zip(curve.priors, curve.epsilons, strict=True):
        if math.isinf(epsilon) and start is None:
            start = prior
        elif math.isfinite(epsilon) and start is not None:
            stretches.append((start, prior))
            start = None
    return [*stretches, (start, curve.priors[-1])] if start is not None else stretches


def _pieces(curve: RiskCurve, x: Scale, y: Scale) -> list[tuple[tuple[float, float], ...]]:
    """Return the curve in pieces, each cut where it leaves the panel at the top."""
    pieces: list[list[tuple[float, float]]] = [[]]
    before: tuple[float, float] | None = None
    for prior, epsilon in zip(curve.priors, curve.epsilons, strict=True):
        here = (x(prior), y(epsilon) if math.isfinite(epsilon) else -math.inf)
        inside, was_inside = here[1] >= y.end, before is not None and before[1] >= y.end
        if before is not None and inside != was_inside:
            pieces[-1].append((_crossing(before, here, y.end), y.end))
            if inside:
                pieces[-1].append(here)
            else:
                pieces.append([])
        elif inside:
            pieces[-1].append(here)
        before = here
    return [tuple(piece) for piece in pieces if len(piece) > 1]


def _crossing(one: tuple[float, float], other: tuple[float, float], level: float) -> float:
    if math.isinf(one[1]) or math.isinf(other[1]):
        return other[0] if math.isinf(one[1]) else (one[0] + other[0]) / 2
    return one[0] + (other[0] - one[0]) * (level - one[1]) / (other[1] - one[1])


def _binding(curve: RiskCurve, limit: float, x: Scale, y: Scale, words: Words, style: Style) -> list[Item]:
    """Return the belief that binds: a dot where it is attained, a ring at the end towards which it is approached."""
    prior = curve.binding if curve.binding and curve.binding >= curve.priors[0] else curve.priors[0]
    at, level = x(prior), y(limit)
    items: list[Item] = [_line(x.start, level, at, level, style.privacy, 1.0, (3.0, 3.0))]
    key = "binds_here" if curve.attained else "binds_limit"
    label = words("figure", key, prior=_prior(curve.binding, words) if curve.binding else explain.chance(0))
    wide = glyphs.width(label, SMALL, bold=True)
    on_left = at - x.start > wide + 12
    below = y.start - level > 22
    place = at - 8 if on_left else min(at + 8, x.end - wide)
    items.append(Circle(x=at, y=level, radius=3.6, fill=style.privacy if curve.attained else style.ground, stroke=style.privacy, width=1.6))
    items.append(
        Text(
            x=place,
            y=level + (14 if below else -8),
            text=label,
            size=SMALL,
            bold=True,
            fill=style.ink,
            anchor="end" if on_left else "start",
        )
    )
    return items


def _profile_rows(curve: RiskCurve, words: Words) -> tuple[tuple[str, ...], ...]:
    """Return the curve as a table: round priors, the ends, and the belief that binds."""
    low, high = curve.priors[0], curve.priors[-1]
    wanted = {low, high} | ({curve.binding} if curve.binding and low <= curve.binding <= high else set())
    wanted |= set(Ticks.decades(low, high, 9).values)
    indices = sorted({min(range(len(curve.priors)), key=lambda i: abs(math.log(curve.priors[i] / prior))) for prior in wanted if prior})
    rows = []
    for index in indices[:TABLE_ROWS]:
        allowed, epsilon = curve.allowed[index], curve.epsilons[index]
        cells = [
            _prior(curve.priors[index], words),
            explain.rounded(allowed, 2, "ROUND_FLOOR") if math.isfinite(allowed) else words("figure", "unbounded"),
        ]
        cells += [explain.rounded(curve.given[index], 2, "ROUND_CEILING")] if curve.given else []
        rows.append((*cells, explain.limit(epsilon) if math.isfinite(epsilon) else words("figure", "unbounded")))
    return tuple(rows)


def _profile_words(curve: RiskCurve, words: Words) -> str:
    free = _unbounded(curve)
    return words(
        "figure",
        "profile_alt",
        low=_prior(curve.priors[0], words),
        high=_prior(curve.priors[-1], words),
        first=explain.number(float(f"{curve.allowed[0]:.3g}")),
        last=explain.number(float(f"{curve.allowed[-1]:.3g}")),
        binding=_prior(curve.binding, words) if curve.binding else explain.chance(0),
        limit=explain.limit(curve.limit) if curve.limit is not None else words("figure", "unbounded"),
        unbounded=words("figure", "profile_unbounded", start=_prior(free[0][0], words)) if free else "",
    )


# ----------------------------------------------------------------------------------------- noise


def noise_distribution(*, noise: Noise, words: Words, width: float = WIDTH, style: Style | None = None) -> Scene:
    """Return how the noise on one number is distributed: bars for whole numbers, else the density, with the noise interval."""
    style = style or Style()
    top, bottom = 20.0, 104.0
    reach = max(noise.values[-1], 1e-300)
    x = Scale(low=-reach - (0.6 if noise.whole else 0.0), high=reach + (0.6 if noise.whole else 0.0), start=6.0, end=width - 118.0)
    y = Scale(low=0.0, high=max(noise.heights), start=bottom, end=top)
    items: list[Item] = [_line(x.start, bottom, x.end, bottom, style.line, 1.0)]
    if noise.whole:
        wide = min((x(1.0) - x(0.0)) * 0.62, 22.0)
        for value, height in zip(noise.values, noise.heights, strict=True):
            items.append(Rectangle(x=x(value) - wide / 2, y=y(height), width=wide, height=bottom - y(height), fill=style.accuracy))
    else:
        outline = tuple((x(value), y(height)) for value, height in zip(noise.values, noise.heights, strict=True))
        held = tuple(point for point, value in zip(outline, noise.values, strict=True) if abs(value) <= noise.half_width * (1 + 1e-12))
        items.append(Path(points=((held[0][0], bottom), *held, (held[-1][0], bottom)), fill=style.accuracy, opacity=0.15))
        items.append(Path(points=outline, stroke=style.accuracy, width=1.6))
    items += _noise_labels(noise, x, y, words, style)
    half = 0.5 if noise.whole else 0.0
    low, high = x(-noise.half_width - half), x(noise.half_width + half)
    level = bottom + 20
    items += [
        _line(low, level, high, level, style.ink, 1.0),
        _line(low, level - 3, low, level + 3, style.ink, 1.0),
        _line(high, level - 3, high, level + 3, style.ink, 1.0),
    ]
    said = words(
        "figure",
        "within",
        half_width=explain.need(noise.half_width) if not noise.whole else explain.number(noise.half_width),
        share=_share(noise.coverage),
    )
    items.append(Text(x=high + 6, y=level + 2.9, text=said, size=SMALL, fill=style.ink))
    return Scene(
        width=width,
        height=bottom + 42,
        items=tuple(items),
        title=words("figure", "noise_title"),
        alternative=_noise_words(noise, words),
        columns=(words("figure", "column_noise"), words("figure", "column_chance") if noise.whole else words("figure", "column_within")),
        rows=_noise_rows(noise),
    )


def _share(value: float) -> str:
    return explain.written(value, "share_down")


def _noise_labels(noise: Noise, x: Scale, y: Scale, words: Words, style: Style) -> list[Item]:
    items: list[Item] = []
    if noise.whole:
        every = max(1, math.ceil(len(noise.values) / 17))
        shown: list[float] = [value for value in noise.values if int(value) % every == 0]
        items.append(
            Text(x=x(0.55) + 2, y=y.end + 6, text=words("figure", "exact_in", share=_share(noise.exact)), size=SMALL, fill=style.ink)
        )
    else:
        ticks = Ticks.linear(noise.values[-1], 3).values
        shown = sorted({-value for value in ticks} | set(ticks))
    for value in shown:
        sign = "+" if value > 0 else "−" if value < 0 else ""
        items.append(
            Text(x=x(value), y=y.start + 11, text=sign + explain.number(abs(value)), size=SMALL, fill=style.quiet, anchor="middle")
        )
    items.append(Text(x=x.start, y=y.start + 36, text=words("figure", "noise_axis"), size=SMALL, fill=style.quiet))
    return items


def _noise_rows(noise: Noise) -> tuple[tuple[str, ...], ...]:
    if noise.whole:
        pairs = [(value, height) for value, height in zip(noise.values, noise.heights, strict=True) if value >= 0][:TABLE_ROWS]
        return tuple((f"±{value:.0f}" if value else "0", _share(height)) for value, height in pairs)
    return ((f"±{explain.need(noise.half_width)}", _share(noise.coverage)),)


def _noise_words(noise: Noise, words: Words) -> str:
    key = "noise_alt_whole" if noise.whole else "noise_alt"
    return words("figure", key, exact=_share(noise.exact), half_width=explain.need(noise.half_width), coverage=_share(noise.coverage))
