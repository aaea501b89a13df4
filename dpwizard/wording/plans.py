"""What a plan of many tables says, in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import ROUND_CEILING
from typing import Any

from dpwizard.base.language import counting
from dpwizard.base.numerics import significant
from dpwizard.decision import AccuracyRequirement, Assessment, Decision, Plan
from dpwizard.wording.figures import listed, number, quoted, whole
from dpwizard.wording.plain_sentences import need_in_words
from dpwizard.wording.printed_range import range_of
from dpwizard.wording.texts import format_text

MOST = 5  # tables named
DEAREST = 3  # needs named
LEAST = 1e-3  # per cent: less is the same


def in_words(decision: Decision, assessment: Assessment, plan: Plan) -> str:
    """Return what the needs ask for together, what sharing by needs would save, what each costs, and what has none."""
    upper, shown = assessment.window.upper, range_of(assessment)
    figures: dict[str, Any] = {
        "least": plan.least and shown.at_least(plan.least),
        "by_needs": plan.least_by_needs and shown.at_least(plan.least_by_needs),
        "allowed": shown.upper and shown.upper.text,
    }
    with counting(assessment.counted_in):
        count = sum(isinstance(need, AccuracyRequirement) and need.enabled for need in decision.requirements)
        sentences = [
            format_text("plan", key, figures) for key in (_together(plan) if count else ["no_needs"])
        ] + _certified(plan)
        if upper is not None and plan.least is not None and math.isfinite(plan.least):
            key = "left" if plan.least <= upper else "too_much"
            sentences.append(format_text("plan", key, figures))
        sentences += _costs(decision, plan, count)
        if plan.without_need and decision.release.allocation == "needs":
            names = [quoted(name) for name in plan.without_need[:MOST]]
            more = len(plan.without_need) - len(names)
            sentences.append(
                format_text("plan", "without_more" if more else "without", {"names": listed(names), "count": more})
            )
    return " ".join(sentences)


def _together(plan: Plan) -> Iterator[str]:
    """Yield the keys of what the needs ask for together: the least budget, what sharing by needs saves."""
    least, by_needs = plan.least, plan.least_by_needs
    if least is not None and math.isfinite(least):
        yield "least"
    if by_needs is not None and math.isfinite(by_needs) and (least is None or by_needs < 0.999 * least):
        yield "saves"


def _certified(plan: Plan) -> list[str]:
    """Return how near the plan by needs is to the least that is possible."""
    least, bound = plan.least_by_needs, plan.bound
    if least is None or not bound or math.isinf(least):
        return []
    saved = 100.0 * (1.0 - bound / least)
    if saved < LEAST:
        return [format_text("plan", "no_less", {})]
    return [format_text("plan", "bound", {"percent": number(float(significant(saved, 2, ROUND_CEILING)))})]


def _costs(decision: Decision, plan: Plan, count: int) -> list[str]:
    """Return what the dearest needs cost, and how many of those COUNT cost nothing."""
    if not plan.costs or (plan.least is None and plan.least_by_needs is None):
        return []
    texts = [
        format_text("plan", "cost", {"need": _named(decision, at), "percent": whole(100.0 * share)})
        for at, share in plan.costs[:DEAREST]
    ]
    sentences = [format_text("plan", "costs", {"costs": "; ".join(texts)})]
    more, free = plan.costs[DEAREST:], count - len(plan.costs)
    rest = {"count": len(more), "percent": whole(100.0 * math.fsum(share for _, share in more))}
    sentences += [format_text("plan", "costs_more", rest)] if more else []
    return [*sentences, format_text("plan", "free", {"count": free})] if free > 0 else sentences


def _named(decision: Decision, at: int) -> str:
    requirement = decision.requirements[at]
    assert isinstance(requirement, AccuracyRequirement)
    return quoted(requirement.name) if requirement.name else need_in_words(requirement, decision.release).rstrip(".")
