"""The figure of the money set aside: cost against privacy (Dandekar et al. 2021, Figure 4), published and audited."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

from dpwizard.charts.charts import Chart, Figure, Line, Mark, Role, along, curve, even, flat, plotted, table_of
from dpwizard.decision import Decision, Limit, PrivacyInputs, Reason
from dpwizard.decision.requirements import Compensation, one_number, pure_noise
from dpwizard.privacy import privacy_at_risk
from dpwizard.privacy.mechanisms import LAPLACE, PureName, mechanism_named
from dpwizard.wording import format_text, number, why, word, written

View = Literal["own", "figure"]
VIEWS: tuple[View, ...] = get_args(View)
PAPER_LEVELS = (0.5, 0.6, 0.7)  # of Figure 4
POINTS = 121
LARGEST = 100.0  # epsilons beyond are not drawn
FLAT = 1e-6  # relative saving below which there is none


@dataclass(frozen=True, kw_only=True)
class CostInputs:
    """Inputs of the figure: the total privacy loss, the noise where its loss is known, and the cost model."""

    requirement: Compensation
    setting: PrivacyInputs
    epsilon0: float  # total of all repetitions and earlier releases
    cost: float
    floor: float
    rate: float
    money: float | None
    mechanism: PureName | None  # None: only epsilon is known of the loss
    sensitivity: float
    blocked: Reason | None = None  # why the release has no privacy limit
    view: View = "own"

    @property
    def model(self) -> dict[str, float]:
        """Return the cost model as arguments of the functions of privacy at risk."""
        return {"cost": self.cost, "rate": self.rate, "floor": self.floor}


def inputs(decision: Decision, epsilon: float | None, view: View = "own") -> CostInputs | None:
    """Return the inputs for DECISION's first cost model, for noise at EPSILON; None if there is none.

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
    noise = pure_noise(setting)
    loss_known = one_number(setting) and not isinstance(noise, Limit) and setting.sensitivity is not None
    return CostInputs(
        requirement=requirement.model_copy(update={"name": None, "enabled": True, "off_reason": None, "origins": ()}),
        setting=setting,
        epsilon0=total,
        cost=requirement.people * requirement.cost,
        floor=requirement.people * requirement.floor,
        rate=requirement.rate,
        money=requirement.money,
        mechanism=noise if loss_known and not isinstance(noise, Limit) else None,
        sensitivity=setting.sensitivity or 1.0,
        blocked=blocked.why if (blocked := requirement.blocked_limit(decision.release)) is not None else None,
        view=view,
    )


def figure(read: CostInputs) -> Figure:
    """Return the cost of all people by level, and the cheapest level.

    The curve weights the cost by the exact confidence of the Laplace mechanism; the flat line is the cost if
    everyone is compensated for epsilon0. The view "figure" has the published curves, struck through.
    """
    if read.view == "figure":
        return _figure_4(read)
    limit = read.requirement.limit(read.setting) if not read.requirement.missing() else None
    refused = limit.why if limit is not None and limit.status == "not_applicable" else None
    reason = read.blocked or refused
    if reason is not None:
        return Figure(title=word("chart", "cost_title"), sentence=why(reason, kind=read.requirement.kind))
    if read.mechanism is None:
        budget = None if limit is None else limit.epsilon
        limit_epsilon = None if budget is None else read.setting.loss.total_epsilon(budget)
        is_drawn = limit_epsilon is not None and limit_epsilon < LARGEST
        return _plain_cost_figure(read, limit_epsilon if is_drawn else None)
    e0, model = read.epsilon0, read.model
    xs = along(e0, POINTS, 1)
    plain = privacy_at_risk.compensation(epsilon=e0, **model)
    expected = privacy_at_risk.expected_compensation(
        epsilon0=e0, mechanism=read.mechanism, sensitivity=read.sensitivity, **model
    )
    x = even(word("chart", "level"), e0, way="number")
    y = even(word("chart", "money"), 1.06 * max(plain, read.money or 0.0), way="figure")
    lines, marks, audited = list[Line](), list[Mark](), None
    if not mechanism_named(read.mechanism).integer_valued:
        costs = tuple(_two_tier_cost(x, read) for x in xs)
        audited = privacy_at_risk.two_tier_cheapest(epsilon0=e0, **model)
        name = word("chart", "audited_cost")
        lines.append(Line(name=name, label=word("chart", "audited"), x=xs, y=costs, role="privacy"))
        marks.append(_cheapest_mark(audited.epsilon, audited.cost, "privacy"))
    lines.append(_cost_line(plain, e0, word("chart", "plain_cost"), "plain"))
    if expected < plain * (1.0 - FLAT):
        lines.append(_cost_line(expected, e0, word("chart", "expected_cost"), "accuracy"))
    if read.money is not None:
        lines.append(_cost_line(read.money, e0, word("chart", "money_set_aside"), "chosen"))
    figures = {
        "epsilon": e0,
        "plain": plain,
        "expected": expected,
        "audited": audited.cost if audited is not None else plain,
    }
    key = "cost" if audited is not None else "cost_no_saving" if expected >= plain * (1.0 - FLAT) else "cost_expected"
    asides = (word("chart", "model_not_bound"),)
    return plotted(word("chart", "cost_title"), format_text("chart", key, figures), x, y, lines, marks, asides)


def _plain_cost_figure(read: CostInputs, limit: float | None) -> Figure:
    """Return the plain cost against epsilon, for a release of several noisy numbers."""
    model = read.model
    x = even(word("chart", "epsilon_together"), 1.15 * max(read.epsilon0, limit or 0.0), way="number")
    xs = along(x.high, POINTS, 1)
    costs = tuple(privacy_at_risk.compensation(epsilon=level, **model) for level in xs)
    plain = privacy_at_risk.compensation(epsilon=read.epsilon0, **model)
    y = even(word("chart", "money"), 1.06 * max(costs[-1], read.money or 0.0), way="figure")
    name = word("chart", "plain_cost")
    lines = [Line(name=name, label=name, x=xs, y=costs, role="privacy")]
    marks = [Mark(x=read.epsilon0, y=plain, words=written(plain, "figure"), role="plain", left=True)]
    if read.money is not None:
        lines.append(_cost_line(read.money, x.high, word("chart", "money_set_aside"), "chosen"))
        if limit is not None:
            words = format_text("chart", "at_most", {"epsilon": limit})
            marks.append(Mark(x=limit, y=read.money, words=words, role="privacy", below=True))
    sentence = format_text("chart", "cost_together", {"epsilon": read.epsilon0, "plain": plain})
    asides = (word("chart", "model_not_bound"),)
    return plotted(word("chart", "cost_together_title"), sentence, x, y, lines, marks, asides)


def _figure_4(read: CostInputs) -> Figure:
    """Return Figure 4: the published cost at 0.5, 0.6 and 0.7, its cheapest points and its audited curves."""
    model = read.model
    x = even(word("chart", "level"), max(PAPER_LEVELS), way="number")
    highest = privacy_at_risk.compensation(epsilon=max(PAPER_LEVELS), **model)
    y = even(word("chart", "money"), 1.06 * highest, way="figure")
    grid = along(x.high, POINTS, 1)
    struck = word("chart", "cost_refuted")
    lines, marks = [], []
    for e0 in PAPER_LEVELS:
        inputs_at = replace(read, epsilon0=e0, mechanism=LAPLACE.name)
        levels = (*(level for level in grid if level < e0 * (1 - 1e-9)), e0)
        published = tuple(
            privacy_at_risk.published_compensation(epsilon=level, epsilon0=e0, dimension=1, **model) for level in levels
        )
        label = format_text("chart", "noise_level", {"epsilon": e0})
        lines.append(curve(label, levels, published, "refuted", "dash", 1.5, struck))
        audited = tuple(_two_tier_cost(level, inputs_at) for level in levels)
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


def _two_tier_cost(level: float, read: CostInputs) -> float:
    """Return c h(level) + (1 - c) h(epsilon0), c the exact Laplace confidence: docs/methods/privacy_at_risk.md."""
    c = privacy_at_risk.confidence(mechanism=LAPLACE.name, epsilon=level, epsilon0=read.epsilon0, sensitivity=1.0)
    low, high = (privacy_at_risk.compensation(epsilon=loss, **read.model) for loss in (level, read.epsilon0))
    return c * low + (1.0 - c) * high


def _cheapest_mark(level: float, cost: float, role: Role) -> Mark:
    return Mark(x=level, y=cost, words=format_text("chart", "cheapest", {"cost": cost}), role=role, below=True)


def _cost_line(value: float, high: float, label: str, role: Role) -> Line:
    return flat(value, high, label, role, name=f"{label}: {written(value, 'figure')}", dash="dot", width=1.5)
