"""The figure of the budget step: the total epsilon of equal releases by each rule (Dandekar et al. 2021, Figure 5)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import down
from dpwizard.charts.charts import Axis, Bars, Chart, Figure, Line, Mark, Role, curve, even, flat, plotted
from dpwizard.decision import Decision, PrivacyInputs, Reason
from dpwizard.decision.requirements import Budget
from dpwizard.privacy import privacy_at_risk
from dpwizard.privacy.accounting import composition
from dpwizard.privacy.mechanisms import LAPLACE
from dpwizard.wording import format_max, format_min, format_text, number, why, word

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


@dataclass(frozen=True, kw_only=True)
class CompositionInputs:
    """Inputs of the figure: the epsilon of one release, the number of releases, and delta."""

    epsilon0: float
    releases: int
    most: int
    delta: float
    setting: PrivacyInputs | None = None  # None in the views of the paper's figures
    total: float | None = None  # the budget left for these releases
    spent: float = 0.0
    blocked: Reason | None = None  # why the release has no privacy limit
    view: View = "own"


def inputs(decision: Decision, epsilon: float | None, view: View = "own") -> CompositionInputs | None:
    """Return the inputs for DECISION, for EPSILON a release; None without noise that has a pure epsilon.

    VIEW "figure_a" to "figure_c" is one part of the paper's Figure 5, "table" its Table 1, for any decision.
    """
    release = decision.release
    if epsilon is None or not 0.0 < epsilon < 100.0 or not release.noise.pure:
        return None
    if view != "own":
        level = PAPER_LEVELS.get(view, TABLE_LEVEL)
        most = FEWEST if view in PAPER_LEVELS else TABLE_1[-1][0]
        return CompositionInputs(epsilon0=level, releases=1, most=most, delta=DELTA, view=view)
    budgets = [r for r in decision.requirements if isinstance(r, Budget) and r.enabled and not r.in_rho]
    budget = budgets[0] if budgets else Budget()
    setting = budget.setting(release)
    if isinstance(setting, tuple):
        return None
    spent = setting.loss.earlier_epsilon
    left = None if budget.total is None else down(budget.total - spent, 2)
    return CompositionInputs(
        epsilon0=epsilon,
        releases=release.repetitions,
        most=min(MOST, max(FEWEST, 2 * release.repetitions)),
        delta=budget.delta if budget.delta is not None else DELTA,
        setting=setting,
        total=left if spent else budget.total,
        spent=spent,
        blocked=blocked.why if (blocked := budget.blocked_limit(release)) is not None else None,
    )


def figure(read: CompositionInputs) -> Figure:
    """Return the curves over the number of releases: basic, advanced, optimal, and the accountant's.

    The views of the paper's figures also have its theorem at its own cheapest pair (Dandekar et al. 2021, Section
    5.4), struck through, because it claims less than the exact loss.
    """
    if read.view == "table":
        return _table_1(read)
    if read.view in PAPER_LEVELS:
        return _figure_5(read)
    if read.blocked is not None:
        return Figure(title=word("chart", "composition_title"), sentence=why(read.blocked, kind="budget"))
    counts = _release_counts(read)
    lines = _rule_curves(read, counts)
    epsilons = tuple(_accountant_epsilon(read, count) for count in counts)
    least = tuple(min(epsilon, line) for epsilon, line in zip(epsilons, lines[-1].y, strict=True))
    if all(map(math.isfinite, epsilons)):
        name, label = word("chart", "bound_upper"), word("chart", "bound")
        lines.append(Line(name=name, x=lines[0].x, y=least, role="privacy", label=label))
    x, y = _axes(read, counts, highest=lines[0].y[-1])
    if read.total is not None and math.isfinite(read.total) and read.total >= 0.0:
        label = word("chart", "budget_left" if read.spent else "budget_in_all")
        lines.append(flat(read.total, x.high, label, name=f"{label}: {format_max(read.total)}"))
    at = counts.index(read.releases)
    mark = Mark(
        x=read.releases,
        y=least[at],
        words=format_text("chart", "here", {"epsilon": format_min(least[at])}),
        role="privacy",
        below=True,
    )
    figures = {
        "releases": read.releases,
        "epsilon": read.epsilon0,
        "basic": lines[0].y[at],
        "tight": least[at],
        "delta": read.delta,
        "most": counts[-1],
        "basic_most": lines[0].y[-1],
        "tight_most": least[-1],
    }
    sentence = format_text("chart", "composition_one" if read.releases == 1 else "composition", figures)
    title = word("chart", "composition_title")
    return plotted(title, sentence, x, y, lines, (mark,) if read.releases > 1 else ())


def _accountant_epsilon(read: CompositionInputs, releases: int) -> float:
    """Return the accountant's total epsilon of RELEASES releases; inf if it is unknown."""
    if read.setting is None or read.setting.loss.trade_off_missing is not None:
        return math.inf
    try:
        return read.setting.trade_off_alone(read.epsilon0, releases).epsilon(read.delta)
    except InvalidInput:  # the range of losses needs too much memory
        return math.inf


def _rule_curves(read: CompositionInputs, counts: tuple[int, ...]) -> list[Line]:
    xs, epsilon0, delta = tuple(map(float, counts)), read.epsilon0, read.delta
    basic = tuple(epsilon0 * count for count in counts)
    advanced = tuple(composition.advanced(epsilon0=epsilon0, releases=count, delta=delta) for count in counts)
    optimal = tuple(composition.optimal(epsilon0=epsilon0, releases=count, delta=delta) for count in counts)
    return [
        curve(word("chart", "rule_basic"), xs, basic, "plain", width=1.5),
        curve(word("chart", "rule_advanced"), xs, advanced, "quiet", "dash", 1.5),
        curve(word("chart", "rule_optimal"), xs, optimal, "accuracy", "dash", 1.5),
    ]


def _axes(read: CompositionInputs, counts: tuple[int, ...], highest: float) -> tuple[Axis, Axis]:
    x = even(word("chart", "releases"), float(counts[-1]), way="count")
    return x, even(format_text("chart", "loss_of_all", {"delta": read.delta}), 1.04 * highest, way="need")


def _figure_5(read: CompositionInputs) -> Figure:
    """Return one part of the paper's Figure 5, of Laplace noise, with lower and upper bounds of the exact loss."""
    counts = _release_counts(read)
    pair = privacy_at_risk.published_cheapest(epsilon0=read.epsilon0, cost=1.0)
    points = composition.curve(
        mechanism=LAPLACE.name,
        epsilon0=read.epsilon0,
        releases=counts,
        delta=read.delta,
        epsilon=pair.epsilon,
        confidence=pair.confidence,
    )
    lines = _rule_curves(read, counts)
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
    x, y = _axes(read, counts, highest=max(points[-1].basic, points[-1].advanced))
    figures = {
        "epsilon": read.epsilon0,
        "delta": read.delta,
        "most": counts[-1],
        "basic_most": points[-1].basic,
        "tight_most": points[-1].upper,
    }
    cheapest = {"level": number(round(pair.epsilon, 3)), "confidence": number(round(pair.confidence, 3))}
    asides = tuple(text for text in (reason, format_text("chart", "published_pair", cheapest)) if text)
    title = format_text("chart", "composition_figure", {"epsilon": read.epsilon0})
    return plotted(title, format_text("chart", "composition_one", figures), x, y, lines, (), asides)


def _table_1(read: CompositionInputs) -> Figure:
    """Return the paper's Table 1 as printed, and the exact loss of the same releases."""
    counts = tuple(row[0] for row in TABLE_1)
    exact = composition.curve(mechanism=LAPLACE.name, epsilon0=read.epsilon0, releases=counts, delta=read.delta)
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
    y = even(format_text("chart", "loss_of_all", {"delta": read.delta}), 1.25 * highest, way="need")
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


def _release_counts(read: CompositionInputs) -> tuple[int, ...]:
    """Return evenly spaced numbers of releases from 1 to the most, and that of this decision."""
    points = FEW_POINTS if read.setting is not None and read.setting.loss.slow else POINTS
    even_ones = {max(1, round(read.most * i / (points - 1))) for i in range(points)}
    return tuple(sorted(even_ones | {1, read.releases, read.most}))
