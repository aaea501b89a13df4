"""The figure of the budget used by earlier releases and by this one, and of the rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from dpwizard.charts.axis_chart import strokes, upright
from dpwizard.charts.charts import Chart, Figure, Role, even, listing
from dpwizard.decision import SETTLED, Assessment, Decision, Limit, PrivacyInputs, RequirementResult
from dpwizard.decision.requirements import Budget
from dpwizard.wording import format_max, format_min, format_text, word

THICK = 10.0  # of a step, in points
# relative errors: of a sum of epsilons, which is rounded up; of a limit found by search
ROUNDING, SEARCHED = (1e-12, 1e-9)


@dataclass(frozen=True, kw_only=True)
class SpendingInputs:
    """Inputs of the figure: earlier losses by record, that of this release, and the budget with its rule."""

    earlier: tuple[tuple[str, float], ...]
    spent: float
    this: float | None
    total: float | None
    rule: str


def inputs(decision: Decision, assessment: Assessment, epsilon: float | None) -> SpendingInputs | None:
    """Return the inputs for DECISION, for EPSILON a repetition; None without earlier losses or a budget."""
    release, budget_and_answer = decision.release, _budget_requirement(decision, assessment)
    if release.neighbours is None or not (release.spent or budget_and_answer):
        return None
    if Budget().blocked_limit(release) is not None:
        return None
    spent = release.spent_before()
    if spent is None:
        return None
    named = tuple(
        (s.record or format_text("spending", "number", {"number": i + 1}), s.loss(release.neighbours) or 0.0)
        for i, s in enumerate(release.spent)
    )
    this = None if epsilon is None else release.cost(epsilon)
    if budget_and_answer is None:
        return SpendingInputs(earlier=named, spent=spent, this=this, total=None, rule="basic")
    budget, answer = budget_and_answer
    setting = budget.setting(release)
    if epsilon is not None and isinstance(setting, PrivacyInputs):  # by the rule of the budget
        at = answer.at_epsilon
        if assessment.epsilon != epsilon:
            at = budget.at(setting, Limit(status=answer.status, why=answer.why), epsilon)
        this = max(0.0, float(at["spent_total"]) - spent)
    return SpendingInputs(earlier=named, spent=spent, this=this, total=budget.total, rule=budget.composition)


def _budget_requirement(decision: Decision, assessment: Assessment) -> tuple[Budget, RequirementResult] | None:
    """Return the first enabled budget in epsilon that has a total and a settled answer, with that answer."""
    for budget, answer in zip(decision.requirements, assessment.answers, strict=False):
        if not isinstance(budget, Budget) or answer.status not in SETTLED:
            continue
        if budget.enabled and budget.total and not budget.in_rho:
            return budget, answer
    return None


def figure(read: SpendingInputs) -> Figure:
    """Return bars of the earlier loss, this release's and the rest, and a table with every earlier release."""
    this = read.this or 0.0
    together, left = read.spent + this, _remaining(read)
    x = even(word("spending", "axis"), 1.04 * max(together, read.total or 0.0, 1e-9), way="need")
    steps = [_Step("before", 0.0, read.spent, "quiet"), _Step("this", read.spent, together, "privacy")]
    key = "open"
    if left is not None:
        steps.append(_Step("left", together, together + max(left, 0.0), "window"))
        key = "over" if left < 0.0 else "within"
    y = listing([step.words() for step in steps])
    lines = [
        strokes((step.start, step.stop), (-float(at),) * 2, step.role, THICK, name=word("spending", step.key))
        for at, step in enumerate(steps)
        if step.stop > step.start
    ]
    if read.total is not None:
        lines.append(upright(read.total, y.low, y.high, "chosen", 1.5, name=word("chart", "budget_in_all")))
    figures = {"spent": read.spent, "this": this, "total": read.total, "left": left, "over": -(left or 0.0)}
    return Figure(
        title=word("spending", "title"),
        sentence=format_text("spending", key if read.this is not None else f"{key}_unchosen", figures),
        plots=(Chart(x=x, y=y, lines=tuple(lines)),),
        asides=(word("spending", f"rule_{read.rule}"),),
        columns=(word("spending", "release"), word("spending", "axis")),
        rows=tuple(_table_rows(read, left)),
    )


def _remaining(read: SpendingInputs) -> float | None:
    """Return the rest of the budget; 0 if the difference is only rounding."""
    if read.total is None:
        return None
    together = read.spent + (read.this or 0.0)
    left = read.total - together
    return 0.0 if abs(left) <= (ROUNDING if read.rule == "basic" else SEARCHED) * together else left


def _table_rows(read: SpendingInputs, left: float | None) -> Iterator[tuple[str, str]]:
    yield from ((name, format_min(epsilon)) for name, epsilon in read.earlier)
    yield word("spending", "this"), word("two_decisions", "none") if read.this is None else format_min(read.this)
    if left is not None:
        yield word("spending", "left"), format_max(max(left, 0.0))


class _Step(NamedTuple):
    """One bar: its key, start, end and role."""

    key: str
    start: float
    stop: float
    role: Role

    def words(self) -> str:
        """Return its name and size; the rest of the budget is rounded down, the others up."""
        size = self.stop - self.start
        text = format_max(size) if self.key == "left" else format_min(size)
        return format_text("spending", "step", {"name": word("spending", self.key), "size": text})
