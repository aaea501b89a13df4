"""The figures of curves: a risk profile with the epsilon it implies, and the distribution of the noise."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dpwizard.charts import (
    BODY,
    LARGEST,
    SMALL,
    WIDTH,
    Circle,
    Item,
    Noise,
    Path,
    Rectangle,
    RiskCurve,
    Scale,
    Scene,
    Style,
    Text,
    Ticks,
    fitted,
    glyphs,
    line,
    reach,
    tick_text,
)
from dpwizard.report.phrases import Words
from dpwizard.wording import explain

TABLE_ROWS = 13  # of the data table behind a curve


# ---------------------------------------------------------------------------------- risk profile


def risk_profile(
    *,
    curve: RiskCurve,
    chosen: float | None,
    words: Words,
    width: float = WIDTH,
    small: bool = False,
    style: Style | None = None,
) -> Scene:
    """Return two panels over the prior: the ratio allowed (and what the chosen epsilon gives), and the epsilon it
    implies.

    With SMALL they are low enough for two such figures on a page.
    """
    style = style or Style()
    left, right = 42.0, width - 108.0
    x = Scale(low=curve.priors[0], high=curve.priors[-1], start=left, end=right, logarithmic=True)
    items: list[Item] = []
    upper_top, upper_bottom, lower_top, lower_bottom = (
        (18.0, 72.0, 126.0, 202.0) if small else (18.0, 98.0, 153.0, 256.0)
    )
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
        columns=tuple(
            words("figure", f"column_{key}")
            for key in ("prior", "allowed", *(("given",) if curve.given else ()), "epsilon")
        ),
        rows=_profile_rows(curve, words),
    )


def _prior(value: float, words: Words) -> str:
    return words("figure", "certain") if value >= 1 else explain.chance(float(f"{value:.3g}"))


def _from(value: float, words: Words) -> str:
    """Return a belief from which on something holds, rounded up: it holds for every belief that is named."""
    place = 10.0 ** (math.floor(math.log10(value)) - 2)
    return _prior(min(math.ceil(value / place * (1 - 1e-12)) * place, 1.0), words)


def _prior_ticks(x: Scale, bottom: float, title: str, words: Words, style: Style) -> list[Item]:
    items: list[Item] = []
    free = -math.inf
    for tick in Ticks.decades(x.low, x.high).values:
        label = Text(x=x(tick), y=bottom + 12, text=_prior(tick, words), size=SMALL, fill=style.quiet, anchor="middle")
        if label.extent[0] < free:
            continue
        free = label.extent[1] + 6
        items += [line(x(tick), bottom, x(tick), bottom + 3, style.quiet, 0.7), label]
    return [*items, Text(x=x.start, y=bottom + 24, text=title, size=SMALL, fill=style.quiet)]


def _grid(y: Scale, x: Scale, ticks: Sequence[tuple[float, str]], style: Style) -> list[Item]:
    items: list[Item] = []
    for value, label in ticks:
        items.append(line(x.start, y(value), x.end, y(value), style.line, 0.6))
        items.append(Text(x=x.start - 6, y=y(value) + 2.9, text=label, size=SMALL, fill=style.quiet, anchor="end"))
    return items


def _ratio_panel(curve: RiskCurve, x: Scale, ends: tuple[float, float], words: Words, style: Style) -> list[Item]:
    top, bottom = ends
    allowed = [min(ratio, LARGEST) for ratio in curve.allowed]
    reached = [min(ratio, LARGEST) for ratio in curve.given]
    highest = max([*allowed, *reached, 1.0])
    if highest > 8:
        high = 10.0 ** math.ceil(math.log10(highest) - 1e-9)
        y = Scale(low=1.0, high=high, start=bottom, end=top + 6, logarithmic=True)
        ticks = Ticks.decades(1.0, high, 4).values
    else:
        y = Scale(low=0.0, high=reach([highest], 1.0), start=bottom, end=top + 6)
        ticks = Ticks.linear(y.high, 4).values
    items: list[Item] = [Text(x=0.0, y=10.0, text=words("figure", "how_much"), size=BODY, bold=True, fill=style.ink)]
    items += _grid(y, x, [(value, words("figure", "times", ratio=tick_text(value))) for value in ticks], style)
    limits = tuple((x(prior), y(ratio)) for prior, ratio in zip(curve.priors, allowed, strict=True))
    labels = [(limits[-1][1], words("figure", "allowed"), style.privacy, 2.0)]
    if curve.given:
        given = tuple((x(prior), y(ratio)) for prior, ratio in zip(curve.priors, reached, strict=True))
        items.append(Path(points=given, stroke=style.ink, width=1.1))
        labels.append((given[-1][1], words("figure", "given"), style.ink, 1.1))
    items.append(Path(points=limits, stroke=style.privacy, width=2.0))
    if curve.binding is not None and curve.priors[0] <= curve.binding <= curve.priors[-1]:
        at = _nearest(curve, curve.binding)
        items.append(
            Circle(x=limits[at][0], y=limits[at][1], radius=3.4, fill=style.ground, stroke=style.privacy, width=1.6)
        )
    return items + _line_labels(labels, x.end + 6, style)


def _nearest(curve: RiskCurve, prior: float) -> int:
    """Return the position on the curve that lies nearest to PRIOR."""
    return min(range(len(curve.priors)), key=lambda i: abs(math.log(curve.priors[i] / prior)))


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
        items.append(line(x, spot, x + 8, spot, colour, pen))
        items.append(Text(x=x + 11, y=spot + 2.9, text=text, size=SMALL, fill=style.ink))
    return items


def _epsilon_panel(
    curve: RiskCurve,
    chosen: float | None,
    x: Scale,
    ends: tuple[float, float],
    width: float,
    words: Words,
    style: Style,
) -> list[Item]:
    top, bottom = ends
    finite = [epsilon for epsilon in curve.epsilons if math.isfinite(epsilon)]
    items: list[Item] = [
        Text(x=0.0, y=top - 12, text=words("figure", "each_allows"), size=BODY, bold=True, fill=style.ink)
    ]
    limit = curve.limit if curve.limit is not None else min(finite, default=1.0)
    wanted = max(limit * 2.4, (chosen or 0.0) * 1.15, 1e-6)
    high = reach([min(wanted, max(finite, default=wanted) * 1.08) if finite else wanted, (chosen or 0.0) * 1.1], 1.0)
    y = Scale(low=0.0, high=high, start=bottom, end=top + 4)
    for first, last in _unbounded(curve):
        at, wide = x(first), x(last) - x(first)
        items.append(Rectangle(x=at, y=top + 4, width=wide, height=bottom - top - 4, fill=style.unbounded))
        label = words("figure", "no_bound")
        if glyphs.width(label, SMALL) + 6 < wide:
            items.append(Text(x=at + wide / 2, y=top + 16, text=label, size=SMALL, fill=style.quiet, anchor="middle"))
    items += _grid(y, x, [(value, tick_text(value)) for value in Ticks.linear(high).values], style)
    items += [Path(points=points, stroke=style.privacy, width=2.0) for points in _pieces(curve, x, y)]
    if chosen is not None and 0 < chosen <= high:
        items.append(line(x.start, y(chosen), x.end, y(chosen), style.ink, 1.1))
        label = words("figure", "chosen", epsilon=explain.epsilon_up(chosen))
        items.append(
            Text(
                x=x.end + 6, y=y(chosen) + 2.9, text=fitted(label, width - x.end - 6, SMALL), size=SMALL, fill=style.ink
            )
        )
    if curve.limit is not None and (curve.binding is not None or not curve.attained):
        items += _binding(curve, limit, chosen, x, y, words, style)
    return items


def _unbounded(curve: RiskCurve) -> list[tuple[float, float]]:
    """Return the stretches of priors where the allowed ratio exceeds certainty; certainty itself, which learns nothing,
    is none."""
    stretches: list[tuple[float, float]] = []
    start: float | None = None
    for prior, epsilon in zip(curve.priors, curve.epsilons, strict=True):
        if math.isinf(epsilon) and start is None:
            start = prior
        elif math.isfinite(epsilon) and start is not None:
            stretches.append((start, prior))
            start = None
    return [*stretches, (start, curve.priors[-1])] if start is not None and start < 1.0 else stretches


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


def _binding(
    curve: RiskCurve, limit: float, chosen: float | None, x: Scale, y: Scale, words: Words, style: Style
) -> list[Item]:
    """Return the belief that binds: a dot where it is attained, a ring at the end towards which it is approached."""
    prior = curve.binding if curve.binding and curve.binding >= curve.priors[0] else curve.priors[0]
    at, level = x(prior), y(limit)
    items: list[Item] = []
    if chosen is None or abs(y(chosen) - level) > 1.5:
        items.append(line(x.start, level, at, level, style.privacy, 1.0, (3.0, 3.0)))
    key = "binds_here" if curve.attained else "binds_limit"
    said = _prior(curve.binding, words) if curve.binding and curve.attained else explain.chance(curve.binding or 0)
    label = words("figure", key, prior=said)
    wide = glyphs.width(label, SMALL, bold=True)
    on_left = at - x.start > wide + 12
    under = level + 14
    # the line of the chosen epsilon runs where the label would stand
    if chosen is not None and 1 < y(chosen) - level < 20:
        under = y(chosen) + 11
    below = y.start - under > 4
    place = at - 8 if on_left else min(at + 8, x.end - wide)
    items.append(
        Circle(
            x=at,
            y=level,
            radius=3.6,
            fill=style.privacy if curve.attained else style.ground,
            stroke=style.privacy,
            width=1.6,
        )
    )
    items.append(
        Text(
            x=place,
            y=under if below else level - 8,
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
    indices = sorted({_nearest(curve, prior) for prior in wanted if prior})
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
        unbounded=words("figure", "profile_unbounded", start=_from(free[0][0], words)) if free else "",
    )


# ----------------------------------------------------------------------------------------- noise


def noise_distribution(*, noise: Noise, words: Words, width: float = WIDTH, style: Style | None = None) -> Scene:
    """Return how the noise on one number is distributed: bars for whole numbers, else the density, with the noise
    interval."""
    style = style or Style()
    top, bottom = 14.0, 96.0
    reach = max(noise.values[-1], 1e-300)
    x = Scale(
        low=-reach - (0.6 if noise.whole else 0.0),
        high=reach + (0.6 if noise.whole else 0.0),
        start=6.0,
        end=width - 118.0,
    )
    y = Scale(low=0.0, high=max(noise.heights), start=bottom, end=top)
    items: list[Item] = [line(x.start, bottom, x.end, bottom, style.line, 1.0)]
    if noise.whole:
        wide = min((x(1.0) - x(0.0)) * 0.62, 22.0)
        for value, height in zip(noise.values, noise.heights, strict=True):
            items.append(
                Rectangle(
                    x=x(value) - wide / 2, y=y(height), width=wide, height=bottom - y(height), fill=style.accuracy
                )
            )
    else:
        outline = tuple((x(value), y(height)) for value, height in zip(noise.values, noise.heights, strict=True))
        held = tuple(
            point
            for point, value in zip(outline, noise.values, strict=True)
            if abs(value) <= noise.half_width * (1 + 1e-12)
        )
        items.append(
            Path(points=((held[0][0], bottom), *held, (held[-1][0], bottom)), fill=style.accuracy, opacity=0.15)
        )
        items.append(Path(points=outline, stroke=style.accuracy, width=1.6))
    items += _noise_labels(noise, x, y, words, style)
    half = 0.5 if noise.whole else 0.0
    low, high = x(-noise.half_width - half), x(noise.half_width + half)
    level = bottom + 20
    items += [
        line(low, level, high, level, style.ink, 1.0),
        line(low, level - 3, low, level + 3, style.ink, 1.0),
        line(high, level - 3, high, level + 3, style.ink, 1.0),
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
        columns=(
            words("figure", "column_noise"),
            words("figure", "column_chance") if noise.whole else words("figure", "column_within"),
        ),
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
            Text(
                x=x(0.55) + 2,
                y=y.end + 6,
                text=words("figure", "exact_in", share=_share(noise.exact)),
                size=SMALL,
                fill=style.ink,
            )
        )
    else:
        ticks = Ticks.linear(noise.values[-1], 3).values
        shown = sorted({-value for value in ticks} | set(ticks))
    for value in shown:
        sign = "+" if value > 0 else "−" if value < 0 else ""
        items.append(
            Text(
                x=x(value),
                y=y.start + 11,
                text=sign + explain.number(abs(value)),
                size=SMALL,
                fill=style.quiet,
                anchor="middle",
            )
        )
    items.append(Text(x=x.start, y=y.start + 36, text=words("figure", "noise_axis"), size=SMALL, fill=style.quiet))
    return items


def _noise_rows(noise: Noise) -> tuple[tuple[str, ...], ...]:
    if noise.whole:
        pairs = [(value, height) for value, height in zip(noise.values, noise.heights, strict=True) if value >= 0][
            :TABLE_ROWS
        ]
        return tuple((f"±{value:.0f}" if value else "0", _share(height)) for value, height in pairs)
    return ((f"±{explain.need(noise.half_width)}", _share(noise.coverage)),)


def _noise_words(noise: Noise, words: Words) -> str:
    key = "noise_alt_whole" if noise.whole else "noise_alt"
    return words(
        "figure",
        key,
        exact=_share(noise.exact),
        half_width=explain.need(noise.half_width),
        coverage=_share(noise.coverage),
    )
