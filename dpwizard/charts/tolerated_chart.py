"""The figures of a requirement with a tolerance: highest chance by tolerance, and hit rate by false alarm rate."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal, get_args

from dpwizard.base.errors import DPWizardError
from dpwizard.charts.charts import Drawing, Figure, Line, Mark, curve, decades, essence, even, flat, plotted, shares
from dpwizard.decision import BaseRequirement, Limit, PrivacyInputs, Reason, Release, RequirementResult
from dpwizard.decision.requirements import RelativeRisk
from dpwizard.wording import format_text, word

View = Literal["how_rarely", "hits"]
VIEWS: tuple[View, ...] = get_args(View)
RAREST, COMMONEST = 1e-6, 0.5
POINTS = 41
KINDS = ("posterior", "ratio", "odds")  # "ratio" for small chances, "odds" for large ones


def drawing(
    requirement: BaseRequirement,
    answer: RequirementResult,
    release: Release,
    budget: float | None,
    view: View = "how_rarely",
) -> Drawing | None:
    """Return what to draw of REQUIREMENT at BUDGET; None unless it has a tolerance and a limit."""
    if not isinstance(requirement, RelativeRisk) or requirement.missing() or requirement.tolerance is None:
        return None
    setting = requirement.setting(release)
    bound = answer.status == "allowed" and answer.epsilon is not None and bool(answer.binding)
    if isinstance(setting, tuple) or not bound or not budget or setting.loss.bounded:
        return None
    if view == "hits":
        return Drawing.of(_hit_rate_figure, setting=setting, budget=budget, rate=requirement.tolerance)
    limit = Limit(
        status="allowed",
        why=Reason(key=""),
        epsilon=answer.epsilon,
        binding={prior: float(answer.binding[prior]) for prior in ("p", "q")},
        attained=bool(answer.attained),
    )
    return Drawing.of(_tolerance_figure, requirement=essence(requirement), setting=setting, budget=budget, limit=limit)


def _geometric_grid(low: float, high: float) -> tuple[float, ...]:
    step = math.log(high / low) / (POINTS - 1)
    return tuple(low * math.exp(step * i) for i in range(POINTS))


def _tolerance_figure(requirement: RelativeRisk, setting: PrivacyInputs, budget: float, limit: Limit) -> Figure:
    """Return the highest chance, ratio or odds at this budget by tolerance, for the priors that set the limit."""

    def worst(tolerance: float) -> dict[str, float]:
        """Return the figures at TOLERANCE; empty if they are unknown."""
        try:
            figures = requirement.model_copy(update={"tolerance": tolerance}).at(setting, limit, budget)
        except DPWizardError:
            return {}
        return {key: value for key, value in figures.items() if value is not None}

    tolerance = requirement.tolerance or COMMONEST
    xs = _geometric_grid(min(RAREST, tolerance / 10.0), max(COMMONEST, tolerance))
    outcomes, outcome = tuple(map(worst, xs)), worst(tolerance)
    kind = next((kind for kind in KINDS if kind in outcome), None)
    ys = tuple(at.get(kind or "", math.nan) for at in outcomes)
    before = limit.binding["p"] * limit.binding["q"]
    x = decades(word("tolerated", "how_rarely"), xs[0], xs[-1], "chance", beliefs=True)
    top = max((y for y in ys if math.isfinite(y)), default=1.0)
    y = shares(word("tolerated", "believes"))
    if kind != "posterior":
        y = even(word("tolerated", "times_the_odds" if kind == "odds" else "times"), 1.05 * top)
    effective = tuple(setting.loss.trade_off(budget).effective_epsilon(x) for x in xs)
    lines = [
        curve(word("tolerated", "after"), xs, ys, "privacy"),
        Line(name=word("tolerated", "effective"), x=xs, y=effective, role="quiet", dash="dot", way="need"),
    ]
    drawn = lines[:1]
    if kind == "posterior":
        drawn.append(flat(before, xs[-1], word("tolerated", "before"), "quiet", low=xs[0]))
    marks, sentence = [], word("tolerated", "says_nothing")
    if kind is not None:
        value = outcome[kind]
        mark = format_text("tolerated", "mark_posterior" if kind == "posterior" else "mark_ratio", {"value": value})
        marks = [Mark(x=tolerance, y=value, words=mark, role="chosen")]
        sentence = format_text("tolerated", f"says_{kind}", {"tolerance": tolerance, "before": before, "value": value})
    whole = plotted(word("tolerated", "title"), sentence, x, y, lines, marks)
    plots = (plotted("", "", x, y, drawn, marks).plots[0],)
    return replace(whole, plots=plots, asides=(word("tolerated", "for_the_others"),))


def _hit_rate_figure(setting: PrivacyInputs, budget: float, rate: float) -> Figure:
    """Return the highest true positive rate of an adversary by false positive rate; that at RATE is marked."""
    trade_off = setting.loss.trade_off(budget)
    least = min(RAREST, rate / 10.0)
    high_hits = (1.0 - miss for miss in _geometric_grid(1e-3, COMMONEST))
    hits = tuple(sorted({*_geometric_grid(least, COMMONEST), *high_hits, rate}))
    alarms = tuple(trade_off.fpr(hit) for hit in hits)
    points = [(alarm, hit) for alarm, hit in zip(alarms, hits, strict=True) if alarm > 0.0]
    low = min(least, min((alarm for alarm, _ in points), default=least))
    x = decades(word("tolerated", "false_alarms"), max(low, 1e-12), 1.0, "chance", beliefs=True)
    y = decades(word("tolerated", "hits"), least, 1.0, "chance", beliefs=True)
    drawn = [(alarm, hit) for alarm, hit in points if alarm >= x.low]
    best = curve(word("tolerated", "best"), tuple(a for a, _ in drawn), tuple(h for _, h in drawn), "privacy")
    ends = (max(x.low, y.low), 1.0)
    name = word("tolerated", "blind")
    blind = replace(curve(name, ends, ends, "quiet", "dash", 1.0), column=False)
    alarm = trade_off.fpr(rate)
    figures = {"hits": rate, "alarms": alarm}
    marks = [Mark(x=max(alarm, x.low), y=rate, words=format_text("tolerated", "mark_hits", figures), role="chosen")]
    sentence = format_text("tolerated", "says_hits", figures)
    return plotted(word("tolerated", "title"), sentence, x, y, (best, blind), marks)
