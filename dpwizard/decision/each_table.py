"""What a requirement allows under what it reads: of one table, or of each of several, of which the tightest binds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dpwizard.decision.requirement import BaseRequirement, Limit, Setting, no_limit
from dpwizard.decision.settings import AccuracyInputs, EachTable


def limit_under(requirement: BaseRequirement, setting: Setting) -> Limit:
    """Return the epsilon that REQUIREMENT allows under SETTING.

    Of several tables it is the largest need, as the budget of the release; `binding` says of which table. A table that
    no noise is small enough for, or of which nothing can be said, speaks for all.
    """
    if not isinstance(setting, EachTable):
        return requirement.limit(setting)
    known: dict[AccuracyInputs, Limit] = {}
    tightest: Limit | None = None
    for name, one in setting.each:
        if one not in known:
            known[one] = requirement.limit(one)
        limit = known[one]
        found = replace(limit, binding={**limit.binding, "part": name})
        if limit.epsilon is not None and not limit.of_release:
            budget = one.need(limit.epsilon)
            scale = budget / limit.epsilon if limit.epsilon else 1.0
            found = replace(found, epsilon=budget, error=limit.error * scale, of_release=True)
        if tightest is None or _asks_more(found, tightest):
            tightest = found
    return no_limit("unanswered", "no_table_matches") if tightest is None else tightest


def at_under(requirement: BaseRequirement, setting: Setting, limit: Limit, epsilon: float) -> Mapping[str, Any]:
    """Return what the release's EPSILON gives under SETTING; of several tables, in the one that binds."""
    one = setting.of(limit.binding.get("part")) if isinstance(setting, EachTable) else setting
    return requirement.at(one, limit, epsilon)


def _asks_more(limit: Limit, other: Limit) -> bool:
    order = {"unbounded": 0, "allowed": 1, "infeasible": 2}
    one, two = order.get(limit.status, 3), order.get(other.status, 3)
    return one > two or (one == two == 1 and (limit.epsilon or 0.0) > (other.epsilon or 0.0))
