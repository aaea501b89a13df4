"""The figures of a tolerance elicited by questions: of one assessor, and of several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpwizard.charts import charts
from dpwizard.charts.charts import Axis, Chart, Dash, Figure, Line, Mark, Role, axis_words, decades, even, plotted
from dpwizard.decision import Setup
from dpwizard.elicitation import CurvePoint, Result, Spread
from dpwizard.privacy.profiles import Shape
from dpwizard.wording import format_text, word

DASHES: tuple[Dash, ...] = ("solid", "dash", "dot")
ROLES: tuple[Role, ...] = ("privacy", "accuracy", "window", "plain")
LOWEST = 1e-6  # the smallest chance drawn


@dataclass(frozen=True)
class LineStyle:
    """The style of one person's curve among several."""

    role: Role
    dash: Dash


def person_styles(spreads: Sequence[Spread]) -> tuple[LineStyle | None, ...]:
    """Return the style of each assessor's curve in the figure of several; None if there is no curve."""
    indices = iter(range(len(spreads)))
    curves = (_drawn_points(spread.result.curve) for spread in spreads)
    return tuple(_line_style(next(indices)) if len(curve) > 1 else None for curve in curves)


def _line_style(index: int) -> LineStyle:
    return LineStyle(ROLES[index % len(ROLES)], DASHES[index // len(ROLES) % len(DASHES)])


def figure(result: Result, setup: Setup) -> Figure:
    """Return the chance that one assessor accepts at each prior, with its interval and the profile."""
    curve = _drawn_points(result.curve)
    if setup.topic != "risk" or len(curve) < 2:
        return Figure(title=word("tolerance", "title"), sentence="")
    x, y, priors = *_chance_axes(curve), tuple(point.prior for point in curve)
    ends = [
        Line(name=word("tolerance", end), x=priors, y=_chances_of(curve, end), role="quiet", dash="dash", width=1.0)
        for end in ("high", "low")
    ]
    lines = [*ends, charts.curve(word("tolerance", "middle"), priors, _chances_of(curve, "middle"), "privacy")]
    if result.profile is not None:
        allowed = _allowed_chances(result.profile, setup, priors)
        lines.append(charts.curve(word("tolerance", "profile"), priors, allowed, "chosen"))
    lines.append(_unchanged_line(priors))
    return plotted(word("tolerance", "title"), word("tolerance", "sentence"), x, y, lines)


def spread_figure(spreads: Sequence[Spread], setup: Setup, agreed: Shape | None = None) -> Figure:
    """Return the answers of several assessors in one plot: curves over a range of priors, else intervals."""
    nobody = word("elicitation", "nobody")
    answered = [(spread.assessor or nobody, spread.result) for spread in spreads if spread.result.status != "too_few"]
    curves = [(name, curve) for name, result in answered if len(curve := _drawn_points(result.curve)) > 1]
    title = word("tolerance", "spread_title")
    if not answered:
        return Figure(title=title, sentence="")
    if setup.topic != "risk" or not curves:
        results = [(name, result) for name, result in answered if result.value is not None or result.low is not None]
        return _interval_figure(results, title) if results else Figure(title=title, sentence="")
    x, y = _chance_axes([point for _, curve in curves for point in curve])
    lines: list[Line] = []
    for index, (name, curve) in enumerate(curves):
        style = _line_style(index)
        priors = tuple(point.prior for point in curve)
        lines.append(charts.curve(name, priors, _chances_of(curve, "middle"), style.role, style.dash))
        for end in ("low", "high"):
            end_name = format_text("tolerance", f"{end}_of", {"who": name})
            ys = _chances_of(curve, end)
            lines.append(Line(name=end_name, x=priors, y=ys, role=style.role, dash="dot", width=1.0))
    priors = lines[0].x
    if agreed is not None:
        allowed = _allowed_chances(agreed, setup, priors)
        lines.append(charts.curve(word("tolerance", "agreed"), priors, allowed, "chosen"))
    lines.append(_unchanged_line(priors))
    return plotted(title, word("tolerance", "spread_sentence"), x, y, lines)


def _drawn_points(curve: Sequence[CurvePoint]) -> tuple[CurvePoint, ...]:
    return tuple(point for point in curve if point.prior >= LOWEST)


def _chance_axes(curve: Sequence[CurvePoint]) -> tuple[Axis, Axis]:
    priors = [point.prior for point in curve]
    lowest = min(priors)
    x = decades(word("tolerance", "before"), lowest, max(priors), "chance", beliefs=True)
    return x, decades(word("tolerance", "after"), lowest, 1.0, "share", beliefs=True)


def _chances_of(curve: Sequence[CurvePoint], which: str) -> tuple[float, ...]:
    return tuple(float(getattr(point, which)) for point in curve)


def _unchanged_line(priors: tuple[float, ...]) -> Line:
    """Return the line of a release that reveals nothing, so that chances do not change."""
    return charts.curve(word("tolerance", "nothing"), priors, priors, "quiet", "dot", 1.0)


def _allowed_chances(profile: Shape, setup: Setup, priors: tuple[float, ...]) -> tuple[float, ...]:
    """Return the chances that PROFILE allows after the release, along the prior that is a range."""
    p = setup.p if isinstance(setup.p, tuple) else (setup.p, setup.p)
    q = setup.q if isinstance(setup.q, tuple) else (setup.q, setup.q)
    along_p = p[0] < p[1]
    allowed = []
    for prior in priors:
        at_q = q[1] if along_p else min(prior / p[1], 1.0)
        at_p = min(prior / at_q, 1.0) if along_p else p[1]
        allowed.append(min(1.0, prior * float(profile.ratio_at(at_p, at_q))))
    return tuple(allowed)


def _interval_figure(results: Sequence[tuple[str, Result]], title: str) -> Figure:
    ends = []
    for name, result in results:
        low, high = (result.low, result.high) if result.value is None else (result.value_low, result.value_high)
        ends.append((name, low or 0.0, high, result.epsilon if result.value is None else result.value))
    top = 1.15 * max(value for _, low, high, _ in ends for value in (low, high or low))
    value = results[0][1].value is not None
    x = even(word("tolerance", "value" if value else "epsilon"), top, way="number" if value else "limit")
    places = tuple(float(len(ends) - index) for index in range(len(ends)))
    y = Axis(title="", low=0.4, high=len(ends) + 0.6, ticks=tuple(zip(places, (end[0] for end in ends), strict=True)))
    lines, marks = [], []
    for (name, low, high, safe_value), place in zip(ends, places, strict=True):
        across = (low, top if high is None else high)
        lines.append(Line(name=name, x=across, y=(place, place), role="privacy", width=3.0, column=False))
        if safe_value:
            marks.append(Mark(x=safe_value, y=place, words="", role="chosen"))
    columns = (word("tolerance", "who"), word("tolerance", "low"), word("tolerance", "high"))
    rows = tuple(
        (name, axis_words(x, low), "–" if high is None else axis_words(x, high)) for name, low, high, _ in ends
    )
    return Figure(
        title=title,
        sentence=word("tolerance", "intervals_sentence"),
        plots=(Chart(x=x, y=y, lines=tuple(lines), marks=tuple(marks)),),
        columns=columns,
        rows=rows,
    )
