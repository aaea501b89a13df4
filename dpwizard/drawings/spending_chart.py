"""Spent and left: what earlier releases took of the privacy budget, what this one takes, and what remains, in one bar."""

from __future__ import annotations

from dataclasses import dataclass

from dpwizard.assessment import Assessment
from dpwizard.decision import Decision
from dpwizard.drawings.charts import Axis, Chart, Figure, Line, Mark, Role, even
from dpwizard.explain import limit, need, say, word
from dpwizard.requirements.budget import Budget

THICK = 14.0  # of the bar, in points
SMALLEST = 0.06  # a piece shorter than this part of the bar has no words of its own


@dataclass(frozen=True, kw_only=True)
class SpendingInputs:
    """What the figure reads: earlier losses by record, this release's, and the budget with its rule."""

    earlier: tuple[tuple[str, float], ...]
    spent: float
    this: float | None
    total: float | None
    rule: str


def inputs(decision: Decision, assessment: Assessment, epsilon: float | None) -> SpendingInputs | None:
    """Return what the figure of DECISION reads, for EPSILON a repetition; None where nothing is spent and no budget is set."""
    release = decision.release
    places = [i for i, r in enumerate(decision.requirements) if isinstance(r, Budget) and r.enabled and r.total is not None]
    if release.neighbours is None or not (release.spent or places):
        return None
    spent = release.spent_under(release.neighbours)
    if spent is None:
        return None
    this = epsilon * release.repetitions if epsilon is not None else None
    total, rule = None, "basic"
    if places:
        budget = decision.requirements[places[0]]
        assert isinstance(budget, Budget)
        total, rule = budget.total, budget.composition
        at = assessment.answers[places[0]].at_epsilon
        if epsilon is not None and assessment.epsilon == epsilon and "spent_total" in at:
            this = max(0.0, float(at["spent_total"]) - spent)  # by the rule of the budget
    named = tuple((s.record or say("spending", "number", {"number": i + 1}), s.epsilon or 0.0) for i, s in enumerate(release.spent))
    return SpendingInputs(earlier=named, spent=spent, this=this, total=total, rule=rule)


def figure(read: SpendingInputs) -> Figure:
    """Return the bar of what is spent, what this release takes and what is left, and the table of every earlier release."""
    this = read.this or 0.0
    together = read.spent + this
    left = None if read.total is None else read.total - together
    end = max(together, read.total or 0.0, 1e-9)
    x = even(word("spending", "axis"), 1.04 * end, way="need")
    y = Axis(title="", low=-0.6, high=1.0, ticks=((0.0, word("spending", "all")),))
    pieces: list[tuple[str, float, float, Role]] = [
        ("before", 0.0, read.spent, "quiet"),
        ("this", read.spent, together, "privacy"),
        ("left", together, max(together, read.total or 0.0), "window"),
    ]
    lines, marks = [], []
    for key, start, stop, role in pieces:
        if stop <= start:
            continue
        lines.append(Line(name=word("spending", key), x=(start, stop), y=(0.0, 0.0), role=role, width=THICK, pairs=True, column=False))
        if stop - start >= SMALLEST * end:
            size = (limit if key == "left" else need)(stop - start)
            marks.append(Mark(x=(start + stop) / 2, y=0.0, words=f"{word('spending', key)} {size}", role=role, dot=False))
    if read.total is not None:
        name = word("chart", "budget_in_all")
        lines.append(Line(name=name, x=(read.total,) * 2, y=(-0.6, 0.6), role="chosen", width=1.5, pairs=True, column=False))
    figures = {"spent": read.spent, "this": this, "total": read.total, "left": left, "count": len(read.earlier), "over": -(left or 0.0)}
    key = "open" if read.total is None else "over" if left is not None and left < 0.0 else "within"
    rows = [(name, need(epsilon)) for name, epsilon in read.earlier]
    rows.append((word("spending", "this"), need(this) if read.this is not None else word("two_decisions", "none")))
    if left is not None:
        rows.append((word("spending", "left"), limit(max(left, 0.0))))
    return Figure(
        title=word("spending", "title"),
        sentence=say("spending", key if read.this is not None else f"{key}_unchosen", figures),
        plots=(Chart(x=x, y=y, lines=tuple(lines), marks=tuple(marks)),),
        asides=(word("spending", f"rule_{read.rule}"),),
        columns=(word("spending", "release"), word("spending", "axis")),
        rows=tuple(rows),
    )
