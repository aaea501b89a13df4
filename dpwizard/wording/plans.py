"""What a plan of many tables says, in sentences."""

from __future__ import annotations

import math
from typing import Any

from dpwizard.base.language import counting
from dpwizard.decision import Assessment, Decision, Plan
from dpwizard.wording.explain import say, title
from dpwizard.wording.figures import listed, quoted
from dpwizard.wording.printed_range import range_of

MOST = 5  # tables named


def in_words(decision: Decision, assessment: Assessment, plan: Plan) -> str:
    """Return what the needs ask for together, what sharing by needs would save, which is dearest, and what has none."""
    upper, shown = assessment.window.upper, range_of(assessment)
    figures: dict[str, Any] = {
        "least": plan.least and shown.at_least(plan.least),
        "by_needs": plan.least_by_needs and shown.at_least(plan.least_by_needs),
        "allowed": shown.upper and shown.upper.text,
    }
    with counting(assessment.counted_in):
        if plan.least is None and plan.least_by_needs is None:
            said = [say("plan", "no_needs", {})]
        else:
            said = [say("plan", "least", figures)] if plan.least is not None and math.isfinite(plan.least) else []
            saves = plan.least_by_needs is not None and (plan.least is None or plan.least_by_needs < 0.999 * plan.least)
            said += [say("plan", "saves", figures)] if saves and math.isfinite(plan.least_by_needs or 0.0) else []
        if upper is not None and plan.least is not None and math.isfinite(plan.least):
            key = "left" if plan.least <= upper else "too_much"
            said.append(say("plan", key, figures))
        if plan.dearest is not None and plan.dearest_portion is not None:
            dearest = title(assessment.answers[plan.dearest])
            said.append(say("plan", "dearest", {"name": dearest, "portion": plan.dearest_portion}))
        if plan.without_need and decision.release.allocation == "needs":
            names = [quoted(name) for name in plan.without_need[:MOST]]
            more = len(plan.without_need) - len(names)
            said.append(say("plan", "without_more" if more else "without", {"names": listed(names), "count": more}))
    return " ".join(said)
