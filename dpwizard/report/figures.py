"""The figures of the report: those of the window, drawn for print, with texts and tables of the report."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from dpwizard.charts import (
    Chart,
    DrawnNoise,
    Figure,
    PlotStyle,
    RiskCurve,
    Scene,
    axis_chart,
    chart_scene,
    charts,
    noise_chart,
    profile_chart,
    tick_text,
)
from dpwizard.report.phrases import Words
from dpwizard.wording import End, figures, whole

TABLE_ROWS = 13  # of the data table behind a curve
LINE, CURVE, LOW_CURVE, NOISE = 30.0, 62.0, 52.0, 54.0  # points: the heights of plots in print


def _printed(figure: Figure, height: float) -> Scene:
    """Return FIGURE as printed, without its notes, which the text of the report includes."""
    return chart_scene.scene(replace(figure, asides=()), PlotStyle(height=height))


# ------------------------------------------------------------------------------ requirement rows


def requirement_rows(
    *,
    rows: Sequence[axis_chart.AxisRow],
    ends: tuple[float, float | None] | None,
    chosen: float | None,
    printed: str,
    sentences: tuple[str, str],
    words: Words,
    axis: str,
    readings: Mapping[float, float | None],
) -> Scene:
    """Return one line for each requirement, upper limits from the left and lower from the right, and the allowed range.

    Arguments: rows, to draw; ends, of the allowed range (None: unlimited or empty); printed, the choice in digits;
    sentences, for the alternative text; axis, the unit of the ticks, and readings, their values in it.
    """
    x = axis_chart.with_readings(axis_chart.axis_of(rows, chosen), axis, readings)
    plot = axis_chart.chart_of(rows, ends, chosen, x, choice_words=printed)
    alternative = " ".join(words("figure", "row_alt", name=row.name, bound=row.note) for row in rows)
    return replace(
        _printed(Figure(title=words("figure", "rows_title"), sentence="", plots=(plot,)), LINE),
        alternative=words(
            "figure", "rows_alt", high=tick_text(x.high), rows=alternative, window=sentences[0], position=sentences[1]
        ).strip(),
        columns=words.each("figure", "column_requirement", "column_allows"),
        rows=tuple((row.name, row.note) for row in rows),
    )


# ---------------------------------------------------------------------------------- risk profile


def risk_profile(*, curve: RiskCurve, chosen: End | None, words: Words, small: bool = False) -> Scene:
    """Return two plots by prior: the allowed ratio (and that at the choice), and the implied epsilon.

    With SMALL, two such figures fit on a page.
    """
    strand = profile_chart.strand_of(curve, "")
    strands = (replace(strand, top=max(strand.top, *strand.given.y)) if strand.given else strand,)
    panels = (
        profile_chart.ratios(strands, 0, curve.axis),
        profile_chart.implied(strands, 0, curve.axis, chosen=chosen),
    )
    plots = tuple(
        replace(plot, title=figure.title) for figure in panels for plot in figure.plots if isinstance(plot, Chart)
    )
    figure = Figure(title=words("figure", "profile_title"), sentence="", plots=plots)
    given = ("given",) if curve.given else ()
    return replace(
        _printed(figure, LOW_CURVE if small else CURVE),
        alternative=_profile_words(curve, words),
        columns=words.each("figure", *(f"column_{key}" for key in ("prior", "allowed", *given, "epsilon"))),
        rows=_profile_rows(curve, words),
    )


def _prior(value: float, words: Words) -> str:
    return words("figure", "certain") if value >= 1 else figures.chance(float(f"{value:.3g}"))


def _from(value: float, words: Words) -> str:
    """Return a prior in words, rounded up to three digits."""
    place = 10.0 ** (math.floor(math.log10(value)) - 2)
    return _prior(min(math.ceil(value / place * (1 - 1e-12)) * place, 1.0), words)


def _unbounded(curve: RiskCurve) -> list[tuple[float, float]]:
    """Return the ranges of the prior in which the allowed ratio exceeds certainty, except for certainty itself."""
    stretches: list[tuple[float, float]] = []
    start: float | None = None
    for prior, epsilon in zip(curve.priors, curve.epsilons, strict=True):
        if math.isinf(epsilon) and start is None:
            start = prior
        elif math.isfinite(epsilon) and start is not None:
            stretches.append((start, prior))
            start = None
    return [*stretches, (start, curve.priors[-1])] if start is not None and start < 1.0 else stretches


def _profile_rows(curve: RiskCurve, words: Words) -> tuple[tuple[str, ...], ...]:
    """Return the curve as a table: round priors, the ends, and the prior that sets the limit."""
    low, high = curve.priors[0], curve.priors[-1]
    wanted = {low, high} | ({curve.binding} if curve.binding and low <= curve.binding <= high else set())
    wanted |= set(charts.tens(low, high, 9, 2))

    def nearest(prior: float) -> int:
        return min(range(len(curve.priors)), key=lambda i: abs(math.log(curve.priors[i] / prior)))

    indices = sorted({nearest(prior) for prior in wanted if prior})
    rows = []
    for index in indices[:TABLE_ROWS]:
        allowed, epsilon = curve.allowed[index], curve.epsilons[index]
        cells = [
            _prior(curve.priors[index], words),
            _allowed(allowed) if math.isfinite(allowed) else words("figure", "unbounded"),
        ]
        cells += [figures.rounded(curve.given[index], 2, "ROUND_CEILING")] if curve.given else []
        rows.append((*cells, figures.format_max(epsilon) if math.isfinite(epsilon) else words("figure", "unbounded")))
    return tuple(rows)


def _allowed(ratio: float) -> str:
    """Return an allowed ratio, rounded up."""
    return figures.rounded(ratio, 2, "ROUND_CEILING")


def _profile_words(curve: RiskCurve, words: Words) -> str:
    free = _unbounded(curve)
    first, last = (_allowed(curve.allowed[end]) for end in (0, -1))
    return words(
        "figure",
        "profile_alt" if first != last else "profile_alt_one_ratio",
        low=_prior(curve.priors[0], words),
        high=_prior(curve.priors[-1], words),
        first=first,
        last=last,
        binding=_prior(curve.binding, words) if curve.binding else figures.chance(0),
        limit=figures.format_max(curve.limit) if curve.limit is not None else words("figure", "unbounded"),
        unbounded=words("figure", "profile_unbounded", start=_from(free[0][0], words)) if free else "",
    )


# ----------------------------------------------------------------------------------------- noise


def noise_distribution(*, noise: DrawnNoise, words: Words) -> Scene:
    """Return the distribution of the noise on one number, bars for whole numbers, with the noise interval."""
    return replace(
        _printed(noise_chart.figure(noise, brief=True), NOISE),
        title=words("figure", "noise_title"),
        alternative=words(
            "figure",
            "noise_alt_whole" if noise.whole else "noise_alt",
            exact=figures.share(noise.exact),
            half_width=figures.format_min(noise.half_width),
            coverage=figures.share(noise.coverage),
        ),
        columns=words.each("figure", "column_noise", "column_chance" if noise.whole else "column_within"),
        rows=_noise_rows(noise, words),
    )


def _noise_rows(noise: DrawnNoise, words: Words) -> tuple[tuple[str, ...], ...]:
    """Return the chances of errors by size; those of whole numbers add up to 100 in 100."""
    if not noise.whole:
        return ((f"±{figures.format_min(noise.half_width)}", figures.share(noise.coverage)),)
    pairs = [(v, h if v == 0 else 2 * h) for v, h in zip(noise.values, noise.heights, strict=True) if v >= 0]
    exact = [1_000 * chance for _, chance in pairs[:TABLE_ROWS]]
    exact.append(max(0.0, 1_000 - math.fsum(exact)))
    tenths = [math.floor(share) for share in exact]
    for index in sorted(range(len(exact)), key=lambda i: tenths[i] - exact[i])[: 1_000 - sum(tenths)]:
        tenths[index] += 1  # the largest remainders are rounded up
    names = [words("figure", "either_way", value=whole(value)) if value else "0" for value, _ in pairs[:TABLE_ROWS]]
    names.append(words("figure", "farther", value=whole(pairs[: len(names)][-1][0])))
    return tuple((name, figures.in_100(tenth / 10)) for name, tenth in zip(names, tenths, strict=True) if tenth)
