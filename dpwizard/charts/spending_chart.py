"""Spent and left: what earlier releases took of the budget, what this one takes, and what remains, step after step."""

from __future__ import annotations

from dataclasses import dataclass

from dpwizard.charts.axis_chart import strokes, upright
from dpwizard.charts.charts import Axis, Chart, Figure, Role, even
from dpwizard.decision import SETTLED, Assessment, Decision, Limit, PrivacySetting
from dpwizard.decision.requirements import Budget
from dpwizard.wording import limit, need, say, word

THICK = 10.0  # of a step, in points
# relative: sums of epsilons are rounded to their safe sides; other rules are searched for a limit
ROUNDING, SEARCHED = (1e-12, 1e-9)


@dataclass(frozen=True, kw_only=True)
class SpendingInputs:
    """What the figure reads: earlier losses by record, this release's, and the budget with its rule."""

    earlier: tuple[tuple[str, float], ...]
    spent: float
    this: float | None
    total: float | None
    rule: str


def inputs(decision: Decision, assessment: Assessment, epsilon: float | None) -> SpendingInputs | None:
    """Return what the figure of DECISION reads, for EPSILON a repetition; None without anything spent or a budget."""
    release = decision.release
    answered = zip(decision.requirements, assessment.answers, strict=False)
    budgets = ((r, a) for r, a in answered if isinstance(r, Budget) and r.enabled and not r.in_rho and r.total)
    asked = [(budget, answer) for budget, answer in budgets if answer.status in SETTLED]
    if release.neighbours is None or not (release.spent or asked) or Budget().barred(release) is not None:
        return None
    spent = release.spent_before()
    if spent is None:
        return None
    this = release.cost(epsilon) if epsilon is not None else None
    total, rule = None, "basic"
    if asked:
        budget, answer = asked[0]
        total, rule = budget.total, budget.composition
        setting = budget.setting(release)
        # by the rule of the budget, as its limit counts it
        if epsilon is not None and isinstance(setting, PrivacySetting):
            at = answer.at_epsilon
            if assessment.epsilon != epsilon:
                at = budget.at(setting, Limit(status=answer.status, why=answer.why), epsilon)
            this = max(0.0, float(at["spent_total"]) - spent)
    named = tuple(
        (s.record or say("spending", "number", {"number": i + 1}), s.loss(release.neighbours) or 0.0)
        for i, s in enumerate(release.spent)
    )
    return SpendingInputs(earlier=named, spent=spent, this=this, total=total, rule=rule)


def figure(read: SpendingInputs) -> Figure:
    """Return what is spent, taken by this release and left, each where the last ended, and every earlier release."""
    this = read.this or 0.0
    together = read.spent + this
    left = None if read.total is None else read.total - together
    if left is not None and abs(left) <= (ROUNDING if read.rule == "basic" else SEARCHED) * together:
        left = 0.0  # all of it is taken: what differs is the rounding of the sum
    end = max(together, read.total or 0.0, 1e-9)
    x = even(word("spending", "axis"), 1.04 * end, way="need")
    steps: list[tuple[str, float, float, Role]] = [
        ("before", 0.0, read.spent, "quiet"),
        ("this", read.spent, together, "privacy"),
        ("left", together, together + max(left or 0.0, 0.0), "window"),
    ]
    shown = [step for step in steps if step[0] != "left" or read.total is not None]
    ticks = []
    lines = []
    for at, (key, start, stop, role) in enumerate(shown):
        size = limit(stop - start) if key == "left" else need(stop - start)
        ticks.append((-float(at), say("spending", "step", {"name": word("spending", key), "size": size})))
        if stop > start:
            lines.append(strokes((start, stop), (-float(at),) * 2, role, THICK, name=word("spending", key)))
    y = Axis(title="", low=0.4 - len(shown), high=0.6, ticks=tuple(ticks))
    if read.total is not None:
        lines.append(upright(read.total, y.low, y.high, "chosen", 1.5, name=word("chart", "budget_in_all")))
    figures = {"spent": read.spent, "this": this, "total": read.total, "left": left, "over": -(left or 0.0)}
    key = "open" if read.total is None else "over" if left is not None and left < 0.0 else "within"
    rows = [(name, need(epsilon)) for name, epsilon in read.earlier]
    rows.append((word("spending", "this"), need(this) if read.this is not None else word("two_decisions", "none")))
    if left is not None:
        rows.append((word("spending", "left"), limit(max(left, 0.0))))
    return Figure(
        title=word("spending", "title"),
        sentence=say("spending", key if read.this is not None else f"{key}_unchosen", figures),
        plots=(Chart(x=x, y=y, lines=tuple(lines)),),
        asides=(word("spending", f"rule_{read.rule}"),),
        columns=(word("spending", "release"), word("spending", "axis")),
        rows=tuple(rows),
    )
