"""What an intruder may become against how rarely, and hit rate against false alarms, of a promise with a tolerance."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, get_args

from dpwizard.base.errors import DPWizardError
from dpwizard.charts.charts import Figure, Line, Mark, curve, decades, even, flat, plotted, shares
from dpwizard.decision import BaseRequirement, Limit, PrivacyInputs, Reason, Release, RequirementResult
from dpwizard.decision.requirements import RelativeRisk
from dpwizard.wording import format_text, word

View = Literal["how_rarely", "hits"]
VIEWS: tuple[View, ...] = get_args(View)
RAREST, COMMONEST = 1e-6, 0.5
POINTS = 41
KINDS = ("posterior", "ratio", "odds")  # of what is known of the intruder; of disbelief a ratio, of certainty odds


@dataclass(frozen=True, kw_only=True)
class ToleratedInputs:
    """What the figure reads: the promise, what it reads of the release, who binds it, and the budget looked at."""

    view: View
    requirement: RelativeRisk
    setting: PrivacyInputs
    binding: tuple[float, float]
    attained: bool
    limit: float
    budget: float


def inputs(
    requirement: BaseRequirement,
    answer: RequirementResult,
    release: Release,
    budget: float | None,
    view: View = "how_rarely",
) -> ToleratedInputs | None:
    """Return what the figure of REQUIREMENT reads at BUDGET; None unless it promises all but what a tolerance names."""
    if not isinstance(requirement, RelativeRisk) or requirement.missing() or requirement.tolerance is None:
        return None
    setting = requirement.setting(release)
    bound = answer.status == "allowed" and answer.epsilon is not None and bool(answer.binding)
    if isinstance(setting, tuple) or not bound or not budget or setting.loss.bounded:
        return None
    essence = requirement.model_copy(update={"name": None, "enabled": True, "off_reason": None, "origins": ()})
    return ToleratedInputs(
        view=view,
        requirement=essence,
        setting=setting,
        binding=(float(answer.binding["p"]), float(answer.binding["q"])),
        attained=bool(answer.attained),
        limit=answer.epsilon or 0.0,
        budget=budget,
    )


def figure(read: ToleratedInputs) -> Figure:
    """Return the figure of one view."""
    return _hits(read) if read.view == "hits" else _how_rarely(read)


def _grid(low: float, high: float) -> tuple[float, ...]:
    step = math.log(high / low) / (POINTS - 1)
    return tuple(low * math.exp(step * i) for i in range(POINTS))


def _how_rarely(read: ToleratedInputs) -> Figure:
    """Return the most that the binding intruder may become, against the tolerance, at this budget."""
    asked = read.requirement.tolerance or COMMONEST
    xs = _grid(min(RAREST, asked / 10.0), max(COMMONEST, asked))
    chances = tuple(_becomes(read, x) for x in xs)
    found = _becomes(read, asked)
    kind = next((kind for kind in KINDS if kind in found), None)
    ys = tuple(at.get(kind or "", math.nan) for at in chances)
    p, q = read.binding
    before = p * q
    x = decades(word("tolerated", "how_rarely"), xs[0], xs[-1], "chance", beliefs=True)
    top = max((y for y in ys if math.isfinite(y)), default=1.0)
    y = shares(word("tolerated", "believes"))
    if kind != "posterior":
        y = even(word("tolerated", "times_the_odds" if kind == "odds" else "times"), 1.05 * top)
    effective = tuple(read.setting.loss.trade_off(read.budget).effective_epsilon(x) for x in xs)
    lines = [
        curve(word("tolerated", "after"), xs, ys, "privacy"),
        Line(name=word("tolerated", "effective"), x=xs, y=effective, role="quiet", dash="dot", way="need"),
    ]
    drawn = lines[:1]
    if kind == "posterior":
        drawn.append(flat(before, xs[-1], word("tolerated", "before"), "quiet", low=xs[0]))
    marks, sentence = [], word("tolerated", "says_nothing")
    if kind is not None:
        here = found[kind]
        mark = format_text("tolerated", "mark_posterior" if kind == "posterior" else "mark_ratio", {"value": here})
        marks = [Mark(x=asked, y=here, words=mark, role="chosen")]
        sentence = format_text("tolerated", f"says_{kind}", {"tolerance": asked, "before": before, "value": here})
    whole = plotted(word("tolerated", "title"), sentence, x, y, lines, marks)
    plots = (plotted("", "", x, y, drawn, marks).plots[0],)
    return Figure(
        title=whole.title,
        sentence=whole.sentence,
        plots=plots,
        asides=(word("tolerated", "for_the_others"),),
        columns=whole.columns,
        rows=whole.rows,
    )


def _becomes(read: ToleratedInputs, tolerance: float) -> dict[str, float]:
    """Return what the binding intruder may become but for TOLERANCE; nothing where no figure is known."""
    asked = read.requirement.model_copy(update={"tolerance": tolerance})
    p, q = read.binding
    limit = Limit(
        status="allowed", why=Reason(key=""), epsilon=read.limit, binding={"p": p, "q": q}, attained=read.attained
    )
    try:
        return {key: value for key, value in asked.at(read.setting, limit, read.budget).items() if value is not None}
    except DPWizardError:
        return {}


def _hits(read: ToleratedInputs) -> Figure:
    """Return how many of whom it is true an intruder can find, for how many false accusations, at best."""
    told = read.setting.loss.trade_off(read.budget)
    asked = read.requirement.tolerance or COMMONEST
    least = min(RAREST, asked / 10.0)
    hits = tuple(sorted({*_grid(least, COMMONEST), *(1.0 - h for h in _grid(1e-3, COMMONEST)), asked}))
    alarms = tuple(told.fpr(hit) for hit in hits)
    kept = [(alarm, hit) for alarm, hit in zip(alarms, hits, strict=True) if alarm > 0.0]
    low = min(least, min((alarm for alarm, _ in kept), default=least))
    x = decades(word("tolerated", "false_alarms"), max(low, 1e-12), 1.0, "chance", beliefs=True)
    y = decades(word("tolerated", "hits"), least, 1.0, "chance", beliefs=True)
    drawn = [(alarm, hit) for alarm, hit in kept if alarm >= x.low]
    best = curve(word("tolerated", "best"), tuple(a for a, _ in drawn), tuple(h for _, h in drawn), "privacy")
    ends = (max(x.low, y.low), 1.0)
    name = word("tolerated", "blind")
    blind = replace(curve(name, ends, ends, "quiet", "dash", 1.0), column=False)
    alarm = told.fpr(asked)
    figures = {"hits": asked, "alarms": alarm}
    marks = [Mark(x=max(alarm, x.low), y=asked, words=format_text("tolerated", "mark_hits", figures), role="chosen")]
    sentence = format_text("tolerated", "says_hits", figures)
    return plotted(word("tolerated", "title"), sentence, x, y, (best, blind), marks)
