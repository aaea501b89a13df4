"""The figure of the money set aside: cost against privacy (Dandekar et al. 2021, Figure 4), published and audited."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

from dpwizard.charts.charts import (
    Chart,
    Drawing,
    Figure,
    Line,
    Mark,
    Role,
    along,
    curve,
    essence,
    even,
    flat,
    plotted,
    refusal,
    table_of,
)
from dpwizard.decision import Decision, Limit, PrivacyInputs
from dpwizard.decision.requirements import Compensation, one_number, pure_noise
from dpwizard.privacy import privacy_at_risk
from dpwizard.privacy.mechanisms import LAPLACE, mechanism_named
from dpwizard.wording import format_text, number, word, written

View = Literal["own", "figure"]
VIEWS: tuple[View, ...] = get_args(View)
PAPER_LEVELS = (0.5, 0.6, 0.7)  # of Figure 4
POINTS = 121
LARGEST = 100.0  # epsilons beyond are not drawn
Model: TypeAlias = Mapping[str, float]  # the cost, its rate and its floor, as privacy at risk takes them
FLAT = 1e-6  # relative saving below which there is none


def drawing(decision: Decision, epsilon: float | None, view: View = "own") -> Drawing | None:
    """Return what to draw of DECISION's first cost model, for noise at EPSILON; None if there is none.

    VIEW "figure" is the paper's Figure 4: the same people and cost at the paper's three levels of noise.
    """
    requirements = [
        r for r in decision.requirements if isinstance(r, Compensation) and r.people is not None and r.cost is not None
    ]
    if not requirements:
        return None
    requirement = next((r for r in requirements if r.enabled), requirements[0])
    assert requirement.people is not None and requirement.cost is not None
    setting = requirement.setting(decision.release)
    if isinstance(setting, tuple) or epsilon is None:
        return None
    total = setting.loss.total_epsilon(epsilon)
    if not 0.0 < total < LARGEST:
        return None
    people = requirement.people
    model = {"cost": people * requirement.cost, "rate": requirement.rate, "floor": people * requirement.floor}
    if view == "figure":
        return Drawing.of(_figure_4, model=model)
    blocked = requirement.blocked_limit(decision.release)
    if blocked is not None:
        return Drawing.of(refusal, title="cost_title", reason=blocked.why, kind=requirement.kind)
    return Drawing.of(_release_figure, requirement=essence(requirement), setting=setting, e0=total, model=model)


def _release_figure(requirement: Compensation, setting: PrivacyInputs, e0: float, model: Model) -> Figure:
    """Return the cost of all people by level, for the whole loss E0, and the cheapest level.

    The curve weights the cost by the exact confidence of the Laplace mechanism; the flat line is the cost if
    everyone is compensated for epsilon0.
    """
    limit = None if requirement.missing() else requirement.limit(setting)
    if limit is not None and limit.status == "not_applicable":
        return refusal("cost_title", limit.why, requirement.kind)
    noise, money = pure_noise(setting), requirement.money
    if isinstance(noise, Limit) or not one_number(setting) or setting.sensitivity is None:
        most = None if limit is None or limit.epsilon is None else setting.loss.total_epsilon(limit.epsilon)
        return _plain_cost_figure(e0, model, money, most if most is not None and most < LARGEST else None)
    plain = privacy_at_risk.compensation(epsilon=e0, **model)
    sensitivity = setting.sensitivity or 1.0
    expected = privacy_at_risk.expected_compensation(epsilon0=e0, mechanism=noise, sensitivity=sensitivity, **model)
    x = even(word("chart", "level"), e0)
    y = even(word("chart", "money"), 1.06 * max(plain, money or 0.0), way="figure")
    lines, marks, audited = list[Line](), list[Mark](), plain
    saves = expected < plain * (1.0 - FLAT)
    key = "cost_expected" if saves else "cost_no_saving"
    if not mechanism_named(noise).integer_valued:
        xs = along(e0, POINTS, 1)
        costs = tuple(_two_tier_cost(level, e0, model) for level in xs)
        cheapest = privacy_at_risk.two_tier_cheapest(epsilon0=e0, **model)
        name = word("chart", "audited_cost")
        lines.append(Line(name=name, label=word("chart", "audited"), x=xs, y=costs, role="privacy"))
        marks.append(_cheapest_mark(cheapest.epsilon, cheapest.cost, "privacy"))
        key, audited = "cost", cheapest.cost
    lines.append(_cost_line(plain, e0, word("chart", "plain_cost"), "plain"))
    if saves:
        lines.append(_cost_line(expected, e0, word("chart", "expected_cost"), "accuracy"))
    if money is not None:
        lines.append(_cost_line(money, e0, word("chart", "money_set_aside"), "chosen"))
    sentence = format_text("chart", key, {"epsilon": e0, "plain": plain, "expected": expected, "audited": audited})
    return plotted(word("chart", "cost_title"), sentence, x, y, lines, marks, (word("chart", "model_not_bound"),))


def _plain_cost_figure(e0: float, model: Model, money: float | None, limit: float | None) -> Figure:
    """Return the plain cost against epsilon, for a release of several noisy numbers."""
    x = even(word("chart", "epsilon_together"), 1.15 * max(e0, limit or 0.0))
    xs = along(x.high, POINTS, 1)
    costs = tuple(privacy_at_risk.compensation(epsilon=level, **model) for level in xs)
    plain = privacy_at_risk.compensation(epsilon=e0, **model)
    y = even(word("chart", "money"), 1.06 * max(costs[-1], money or 0.0), way="figure")
    lines = [curve(word("chart", "plain_cost"), xs, costs, "privacy")]
    marks = [Mark(x=e0, y=plain, words=written(plain, "figure"), role="plain", left=True)]
    if money is not None:
        lines.append(_cost_line(money, x.high, word("chart", "money_set_aside"), "chosen"))
        if limit is not None:
            words = format_text("chart", "at_most", {"epsilon": limit})
            marks.append(Mark(x=limit, y=money, words=words, role="privacy", below=True))
    sentence = format_text("chart", "cost_together", {"epsilon": e0, "plain": plain})
    asides = (word("chart", "model_not_bound"),)
    return plotted(word("chart", "cost_together_title"), sentence, x, y, lines, marks, asides)


def _figure_4(model: Model) -> Figure:
    """Return Figure 4: the published cost at 0.5, 0.6 and 0.7, its cheapest points and its audited curves."""
    x = even(word("chart", "level"), max(PAPER_LEVELS))
    highest = privacy_at_risk.compensation(epsilon=max(PAPER_LEVELS), **model)
    y = even(word("chart", "money"), 1.06 * highest, way="figure")
    grid = along(x.high, POINTS, 1)
    struck = word("chart", "cost_refuted")
    lines, marks = [], []
    for e0 in PAPER_LEVELS:
        levels = (*(level for level in grid if level < e0 * (1 - 1e-9)), e0)
        published = tuple(
            privacy_at_risk.published_compensation(epsilon=level, epsilon0=e0, dimension=1, **model) for level in levels
        )
        label = format_text("chart", "noise_level", {"epsilon": e0})
        lines.append(curve(label, levels, published, "refuted", "dash", 1.5, struck))
        audited = tuple(_two_tier_cost(level, e0, model) for level in levels)
        name = format_text("chart", "audited_at", {"epsilon": e0})
        lines.append(Line(name=name, label=word("chart", "audited"), x=levels, y=audited, role="privacy", width=1.5))
        cheapest = privacy_at_risk.published_cheapest(epsilon0=e0, dimension=1, **model)
        marks.append(_cheapest_mark(cheapest.epsilon, cheapest.cost, "refuted"))
    cheapest = privacy_at_risk.published_cheapest(epsilon0=PAPER_LEVELS[0], dimension=1, **model)
    audited_cheapest = privacy_at_risk.two_tier_cheapest(epsilon0=PAPER_LEVELS[0], **model)
    figures = {
        "epsilon": PAPER_LEVELS[0],
        "published": cheapest.cost,
        "level": number(round(cheapest.epsilon, 3)),
        "audited": audited_cheapest.cost,
    }
    columns, rows = table_of(x, sorted(lines, key=lambda line: -len(line.x)), y)  # the longest has every level
    return Figure(
        title=word("chart", "cost_figure_title"),
        sentence=format_text("chart", "cost_figure", figures),
        plots=(Chart(x=x, y=y, lines=tuple(lines), marks=tuple(marks)),),
        asides=(struck, word("chart", "model_not_bound")),
        columns=columns,
        rows=rows,
    )


def _two_tier_cost(level: float, e0: float, model: Model) -> float:
    """Return c h(level) + (1 - c) h(epsilon0), c the exact Laplace confidence: docs/methods/privacy_at_risk.md."""
    c = privacy_at_risk.confidence(mechanism=LAPLACE.name, epsilon=level, epsilon0=e0, sensitivity=1.0)
    low, high = (privacy_at_risk.compensation(epsilon=loss, **model) for loss in (level, e0))
    return c * low + (1.0 - c) * high


def _cheapest_mark(level: float, cost: float, role: Role) -> Mark:
    return Mark(x=level, y=cost, words=format_text("chart", "cheapest", {"cost": cost}), role=role, below=True)


def _cost_line(value: float, high: float, label: str, role: Role) -> Line:
    return flat(value, high, label, role, name=f"{label}: {written(value, 'figure')}", dash="dot", width=1.5)
