"""The figure of the budget used by earlier releases and by this one, and of the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dpwizard.charts.axis_chart import strokes, upright
from dpwizard.charts.charts import Chart, Drawing, Figure, Role, even, listing
from dpwizard.decision import SETTLED, Assessment, Decision, Limit, PrivacyInputs, RequirementResult
from dpwizard.decision.requirements import Budget
from dpwizard.wording import format_max, format_min, format_text, word

THICK = 10.0  # of a step, in points
# relative errors: of a sum of epsilons, which is rounded up; of a limit found by search
ROUNDING, SEARCHED = (1e-12, 1e-9)


def drawing(decision: Decision, assessment: Assessment, epsilon: float | None) -> Drawing | None:
    """Return what to draw of DECISION, for EPSILON a repetition; None without earlier losses or a budget."""
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
        return Drawing.of(figure, earlier=named, spent=spent, this=this, total=None, rule="basic")
    budget, answer = budget_and_answer
    setting = budget.setting(release)
    if epsilon is not None and isinstance(setting, PrivacyInputs):  # by the rule of the budget
        at = answer.at_epsilon
        if assessment.epsilon != epsilon:
            at = budget.at(setting, Limit(status=answer.status, why=answer.why), epsilon)
        this = max(0.0, float(at["spent_total"]) - spent)
    return Drawing.of(figure, earlier=named, spent=spent, this=this, total=budget.total, rule=budget.composition)


def _budget_requirement(decision: Decision, assessment: Assessment) -> tuple[Budget, RequirementResult] | None:
    """Return the first enabled budget in epsilon that has a total and a settled answer, with that answer."""
    for budget, answer in zip(decision.requirements, assessment.answers, strict=False):
        if not isinstance(budget, Budget) or answer.status not in SETTLED:
            continue
        if budget.enabled and budget.total and not budget.in_rho:
            return budget, answer
    return None


def figure(
    earlier: Sequence[tuple[str, float]], spent: float, this: float | None, total: float | None, rule: str
) -> Figure:
    """Return bars of the loss SPENT, that of THIS release and the rest of the TOTAL, and a table with each of EARLIER.

    RULE: how losses are added up.
    """
    together = spent + (this or 0.0)
    left = None if total is None else _remaining(total, together, ROUNDING if rule == "basic" else SEARCHED)
    x = even(word("spending", "axis"), 1.04 * max(together, total or 0.0, 1e-9), way="need")
    steps = [_Step("before", 0.0, spent, "quiet"), _Step("this", spent, together, "privacy")]
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
    if total is not None:
        lines.append(upright(total, y.low, y.high, "chosen", 1.5, name=word("chart", "budget_in_all")))
    figures = {"spent": spent, "this": this or 0.0, "total": total, "left": left, "over": -(left or 0.0)}
    return Figure(
        title=word("spending", "title"),
        sentence=format_text("spending", key if this is not None else f"{key}_unchosen", figures),
        plots=(Chart(x=x, y=y, lines=tuple(lines)),),
        asides=(word("spending", f"rule_{rule}"),),
        columns=(word("spending", "release"), word("spending", "axis")),
        rows=tuple(_table_rows(earlier, this, left)),
    )


def _remaining(total: float, together: float, error: float) -> float:
    """Return the rest of the budget; 0 if the difference is only the relative ERROR of rounding."""
    left = total - together
    return 0.0 if abs(left) <= error * together else left


def _table_rows(
    earlier: Sequence[tuple[str, float]], this: float | None, left: float | None
) -> Iterator[tuple[str, str]]:
    yield from ((name, format_min(epsilon)) for name, epsilon in earlier)
    yield word("spending", "this"), word("two_decisions", "none") if this is None else format_min(this)
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
