"""The figure of the budget step: the total epsilon of equal releases by each rule (Dandekar et al. 2021, Figure 5)."""

from __future__ import annotations

import math
from typing import Literal, get_args

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import down
from dpwizard.charts.charts import (
    Axis,
    Bars,
    Chart,
    Drawing,
    Figure,
    Line,
    Mark,
    Role,
    curve,
    even,
    flat,
    plotted,
    refusal,
)
from dpwizard.decision import Decision, PrivacyInputs
from dpwizard.decision.requirements import Budget
from dpwizard.privacy import privacy_at_risk
from dpwizard.privacy.accounting import composition
from dpwizard.privacy.mechanisms import LAPLACE
from dpwizard.wording import format_max, format_min, format_text, number, word

View = Literal["own", "figure_a", "figure_b", "figure_c", "table"]
VIEWS: tuple[View, ...] = get_args(View)
PAPER_LEVELS = {"figure_a": 0.1, "figure_b": 0.5, "figure_c": 1.0}  # of Figure 5
# Table 1 as printed: queries, the moments accountant on unpublished data, and privacy at risk; for noise at 0.1
TABLE_1 = ((100, 2.04, 1.81), (1_000, 8.03, 5.95))
TABLE_LEVEL = 0.1
DELTA = 1e-5  # of the paper; default
POINTS = 24
FEW_POINTS = 8  # if one point takes long
FEWEST = 300  # the paper's axis: 300 releases
MOST = 100_000
SLACK = 1e-9  # relative tolerance below which a published total is refuted


def drawing(decision: Decision, epsilon: float | None, view: View = "own") -> Drawing | None:
    """Return what to draw of DECISION, for EPSILON a release; None without noise that has a pure epsilon.

    VIEW "figure_a" to "figure_c" is one part of the paper's Figure 5, "table" its Table 1, for any decision.
    """
    release = decision.release
    if epsilon is None or not 0.0 < epsilon < 100.0 or not release.noise.pure:
        return None
    if view == "table":
        return Drawing.of(_table_1)
    if view != "own":
        return Drawing.of(_figure_5, epsilon0=PAPER_LEVELS[view])
    budgets = (r for r in decision.requirements if isinstance(r, Budget) and r.enabled and not r.in_rho)
    budget = next(budgets, Budget())
    setting = budget.setting(release)
    if isinstance(setting, tuple):
        return None
    blocked = budget.blocked_limit(release)
    if blocked is not None:
        return Drawing.of(refusal, title="composition_title", reason=blocked.why, kind=budget.kind)
    delta = budget.delta if budget.delta is not None else DELTA
    return Drawing.of(
        _release_figure,
        setting=setting,
        epsilon0=epsilon,
        releases=release.repetitions,
        delta=delta,
        total=budget.total,
    )


def _release_figure(
    setting: PrivacyInputs, epsilon0: float, releases: int, delta: float, total: float | None
) -> Figure:
    """Return the curves over the number of RELEASES: basic, advanced, optimal, and the accountant's."""
    most = min(MOST, max(FEWEST, 2 * releases))
    counts = _release_counts(releases, most, FEW_POINTS if setting.loss.slow else POINTS)
    lines = _rule_curves(epsilon0, counts, delta)
    epsilons = tuple(_accountant_epsilon(setting, epsilon0, count, delta) for count in counts)
    least = tuple(min(epsilon, line) for epsilon, line in zip(epsilons, lines[-1].y, strict=True))
    if all(map(math.isfinite, epsilons)):
        name, label = word("chart", "bound_upper"), word("chart", "bound")
        lines.append(Line(name=name, x=lines[0].x, y=least, role="privacy", label=label))
    x, y = _axes(delta, counts, highest=lines[0].y[-1])
    spent = setting.loss.earlier_epsilon
    left = total if total is None or not spent else down(total - spent, 2)
    if left is not None and math.isfinite(left) and left >= 0.0:
        label = word("chart", "budget_left" if spent else "budget_in_all")
        lines.append(flat(left, x.high, label, name=f"{label}: {format_max(left)}"))
    at = counts.index(releases)
    words = format_text("chart", "here", {"epsilon": format_min(least[at])})
    mark = Mark(x=releases, y=least[at], words=words, role="privacy", below=True)
    figures = {
        "releases": releases,
        "epsilon": epsilon0,
        "basic": lines[0].y[at],
        "tight": least[at],
        "delta": delta,
        "most": counts[-1],
        "basic_most": lines[0].y[-1],
        "tight_most": least[-1],
    }
    sentence = format_text("chart", "composition_one" if releases == 1 else "composition", figures)
    return plotted(word("chart", "composition_title"), sentence, x, y, lines, (mark,) if releases > 1 else ())


def _accountant_epsilon(setting: PrivacyInputs, epsilon0: float, releases: int, delta: float) -> float:
    """Return the accountant's total epsilon of RELEASES releases; inf if it is unknown."""
    if setting.loss.trade_off_missing is not None:
        return math.inf
    try:
        return setting.trade_off_alone(epsilon0, releases).epsilon(delta)
    except InvalidInput:  # the range of losses needs too much memory
        return math.inf


def _rule_curves(epsilon0: float, counts: tuple[int, ...], delta: float) -> list[Line]:
    xs = tuple(map(float, counts))
    basic = tuple(epsilon0 * count for count in counts)
    advanced = tuple(composition.advanced(epsilon0=epsilon0, releases=count, delta=delta) for count in counts)
    optimal = tuple(composition.optimal(epsilon0=epsilon0, releases=count, delta=delta) for count in counts)
    return [
        curve(word("chart", "rule_basic"), xs, basic, "plain", width=1.5),
        curve(word("chart", "rule_advanced"), xs, advanced, "quiet", "dash", 1.5),
        curve(word("chart", "rule_optimal"), xs, optimal, "accuracy", "dash", 1.5),
    ]


def _axes(delta: float, counts: tuple[int, ...], highest: float) -> tuple[Axis, Axis]:
    x = even(word("chart", "releases"), float(counts[-1]), way="count")
    return x, even(format_text("chart", "loss_of_all", {"delta": delta}), 1.04 * highest, way="need")


def _figure_5(epsilon0: float) -> Figure:
    """Return one part of the paper's Figure 5, of Laplace noise, with lower and upper bounds of the exact loss.

    It also has the paper's theorem at its own cheapest pair (Section 5.4), struck through, because it claims less than
    the exact loss.
    """
    counts = _release_counts(1, FEWEST, POINTS)
    pair = privacy_at_risk.published_cheapest(epsilon0=epsilon0, cost=1.0)
    points = composition.curve(
        mechanism=LAPLACE.name,
        epsilon0=epsilon0,
        releases=counts,
        delta=DELTA,
        epsilon=pair.epsilon,
        confidence=pair.confidence,
    )
    lines = _rule_curves(epsilon0, counts, DELTA)
    xs, published = lines[0].x, tuple(float(point.published or 0.0) for point in points)
    upper, lower = tuple(p.upper for p in points), tuple(p.lower for p in points)
    refuted = [p for p in points if p.published is not None and p.published < p.lower * (1.0 - SLACK)]
    reason = ""
    if refuted:
        figures = {"releases": refuted[-1].releases, "published": refuted[-1].published, "lower": refuted[-1].lower}
        reason = format_text("chart", "theorem_claims_less", figures)
    elif published[0] > points[0].basic:
        reason = format_text("chart", "theorem_unsound", {})
    name, label = word("chart", "published_theorem"), word("chart", "published")
    struck = reason or word("chart", "theorem_unsound")
    lines += [
        Line(name=word("chart", "tight_upper"), x=xs, y=upper, role="privacy", label=word("chart", "tight")),
        Line(name=word("chart", "tight_lower"), x=xs, y=lower, role="privacy", dash="dot", width=1.0),
        Line(name=name, label=label, x=xs, y=published, role="refuted", dash="dash", struck=struck),
    ]
    # the paper shows the whole advanced curve
    x, y = _axes(DELTA, counts, highest=max(points[-1].basic, points[-1].advanced))
    figures = {
        "epsilon": epsilon0,
        "delta": DELTA,
        "most": counts[-1],
        "basic_most": points[-1].basic,
        "tight_most": points[-1].upper,
    }
    cheapest = {"level": number(round(pair.epsilon, 3)), "confidence": number(round(pair.confidence, 3))}
    asides = tuple(text for text in (reason, format_text("chart", "published_pair", cheapest)) if text)
    title = format_text("chart", "composition_figure", {"epsilon": epsilon0})
    return plotted(title, format_text("chart", "composition_one", figures), x, y, lines, (), asides)


def _table_1() -> Figure:
    """Return the paper's Table 1 as printed, and the exact loss of the same releases."""
    counts = tuple(row[0] for row in TABLE_1)
    exact = composition.curve(mechanism=LAPLACE.name, epsilon0=TABLE_LEVEL, releases=counts, delta=DELTA)
    series: tuple[tuple[str, tuple[float, ...], Role], ...] = (
        ("table_moments", tuple(row[1] for row in TABLE_1), "quiet"),
        ("table_at_risk", tuple(row[2] for row in TABLE_1), "refuted"),
        ("table_exact", tuple(point.upper for point in exact), "privacy"),
    )
    group_size = len(series)
    queries = tuple(format_text("chart", "table_queries", {"count": count}) for count in counts)
    groups = tuple((group_size * i - 0.5, group_size * (i + 1) - 0.5, words) for i, words in enumerate(queries))
    ticks = tuple(
        (float(group_size * i + j), word("chart", f"{key}_short"))
        for i in range(len(counts))
        for j, (key, _, _) in enumerate(series)
    )
    x = Axis(title=word("chart", "table_axis"), low=-0.5, high=group_size * len(counts) - 0.5, ticks=ticks)
    highest = max(max(values) for _, values, _ in series)
    y = even(format_text("chart", "loss_of_all", {"delta": DELTA}), 1.25 * highest, way="need")
    bars, marks = [], []
    for index, (key, values, role) in enumerate(series):
        xs = tuple(float(group_size * i + index) for i in range(len(counts)))
        bars.append(Bars(name=word("chart", key), x=xs, y=values, width=0.6, role=role))
        marks += [
            Mark(x=at, y=value, words=format_min(value), role=role, dot=False)
            for at, value in zip(xs, values, strict=True)
        ]
    columns = (word("chart", "table_axis"), *(bar.name for bar in bars))
    rows = tuple((words, *(format_min(values[i]) for _, values, _ in series)) for i, words in enumerate(queries))
    return Figure(
        title=word("chart", "table_1_title"),
        sentence=format_text(
            "chart", "table_1", {"count": counts[-1], "claimed": TABLE_1[-1][2], "lower": exact[-1].lower}
        ),
        plots=(Chart(x=x, y=y, bars=tuple(bars), marks=tuple(marks), groups=groups),),
        asides=(word("chart", "table_1_quoted"),),
        columns=columns,
        rows=rows,
    )


def _release_counts(releases: int, most: int, points: int) -> tuple[int, ...]:
    """Return POINTS evenly spaced numbers of releases from 1 to MOST, and that of this decision."""
    even_ones = {max(1, round(most * i / (points - 1))) for i in range(points)}
    return tuple(sorted(even_ones | {1, releases, most}))
