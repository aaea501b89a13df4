"""How a budget is shared out among tables that do not state their share: by what each needs, or by weights."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from dpwizard.base.errors import DPWizardError
from dpwizard.base.numerics import down
from dpwizard.decision.accuracy_requirement import AccuracyRequirement
from dpwizard.decision.adding_up import Group, bare, is_rounded, sums_of
from dpwizard.decision.histories import disjoint_groups
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import BaseRequirement
from dpwizard.decision.settings import AccuracyInputs, number_of
from dpwizard.decision.shares import used
from dpwizard.decision.tables import Table
from dpwizard.privacy.adding_up import Limited, Precisions, largest_deviation, least_budget_of
from dpwizard.privacy.mechanisms import IN_RHO

Asking = dict[str | None, list[tuple[int, AccuracyRequirement]]]
WHOLE = 10**15  # portions are whole numbers of so many parts of the largest, so that they come to 1 exactly


def allotted(release: Release, requirements: Iterable[BaseRequirement]) -> Release:
    """Return RELEASE with a share for each table that states none, as its allocation says.

    Arguments: requirements, of which the enabled needs of accuracy count. By needs, each table gets a share in
    proportion to the least budget of its own that meets its needs, so that what is left over widens all alike; by
    weights, the shares with the least weighted sum of variances. What tables state stays, and the others share what
    that leaves. A table without a need has no share by needs, and neither has any where one is not known yet. The
    release itself is returned where its tables are stated. Source: Theorem 7, docs/methods/programmes.md.
    """
    if release.allocation in (None, "stated"):
        return release
    open_parts = [at for at, part in enumerate(release.parts) if (part.share, part.epsilon, part.rho) == (None,) * 3]
    if not open_parts:
        return release
    tables = {at: release.tables[at] for at in open_parts if not release.tables[at].noise.absent}
    asked = (
        needed_budgets(release, requirements).budgets if release.allocation == "needs" else _weighted(release, tables)
    )
    amounts = {at: asked.get(table.name, 0.0) for at, table in tables.items()}
    mixed = release.noise.needs_delta and not release.noise.only_deltas
    fixed = {at for at, table in tables.items() if mixed and not table.noise.needs_delta}
    # beside rho, noise with a largest loss spends what it needs and no more
    changed: dict[int, dict[str, object]] = {at: {"epsilon": amounts[at]} for at in fixed if amounts[at]}
    changed |= _portions(release, {at: table for at, table in tables.items() if at not in fixed}, amounts)
    parts = [part.model_copy(update=changed[at]) if at in changed else part for at, part in enumerate(release.parts)]
    return release.model_copy(update={"parts": tuple(parts)})


def _portions(release: Release, tables: dict[int, Table], amounts: dict[int, float]) -> dict[int, dict[str, object]]:
    """Return the shares of TABLES in proportion to AMOUNTS, as exact fractions of what stated shares leave."""
    most = max((amounts[at] for at in tables), default=0.0)
    if not 0.0 < most < math.inf:
        return {}
    parts = {at: Fraction(math.ceil(amounts[at] / most * WHOLE)) for at in tables if amounts[at] > 0.0}
    whole = used(release.histories_of(replace(tables[at], portion=part) for at, part in parts.items()))
    left = 1 - release.share_total()
    if left <= 0:
        return {}
    shares = {at: left * part / whole for at, part in parts.items()}
    return {at: {"share": f"{share.numerator}/{share.denominator}"} for at, share in shares.items()}


@dataclass(frozen=True)
class NeededBudgets:
    """What the needs of tables come to, by name.

    budgets: the least budget, for all the times it is made, that meets the needs of each table: rho of Gaussian noise
    and epsilon of other noise; rounded up. inf where no noise is small enough; a table is left out where it has no
    need, or a figure of it is missing. Tables that are made to add up have the budgets with the least sum together, of
    normal noise. prices: how much of them each requirement accounts for, by position. bounds: the same budgets, made
    smaller alike where tables add up, so that with normal noise no others with a smaller sum meet the needs.
    """

    budgets: dict[str | None, float]
    prices: dict[int, float]
    bounds: dict[str | None, float]


def needed_budgets(release: Release, requirements: Iterable[BaseRequirement]) -> NeededBudgets:
    """Return what the enabled needs among REQUIREMENTS come to for the tables of RELEASE."""
    asked = {
        at: one
        for at, one in enumerate(requirements)
        if isinstance(one, AccuracyRequirement) and one.enabled and not one.missing()
    }
    return release.cached(("asked for", tuple(asked.items())), lambda: _asked_for(release, asked))


def _asked_for(release: Release, asked: Mapping[int, AccuracyRequirement]) -> NeededBudgets:
    own = _needs_before_adding_up(release, asked)
    asking: Asking = defaultdict(list)
    for position, requirement in asked.items():
        for table in requirement.asks_each(release) if requirement.blocked_limit(release) is None else ():
            asking[table.name].append((position, requirement))
    found = {name: budget for name, (budget, _) in own.items()}
    bounds, prices = dict(found), dict.fromkeys(asked, 0.0)
    for group in sums_of(release).groups:
        least, limits = _added_up(release, group, asking, found)
        if least is None:
            continue
        for at, table in group.noisy:
            found[table.name] = least.costs[at]
            bounds[table.name] = least.costs[at] * min(1.0, least.lower / least.total)
            own.pop(table.name, None)
        for (position, _), price in zip(limits, least.prices, strict=True):
            prices[position] += price * least.total
    for budget, position in own.values():
        prices[position] += budget
    return NeededBudgets(found, prices, bounds)


def _added_up(
    release: Release, group: Group, asking: Asking, found: dict[str | None, float]
) -> tuple[Precisions | None, list[tuple[int, Limited]]]:
    """Return the budgets of the tables of GROUP with the least sum, and what limits them, each with its requirement.

    ASKING has what is asked of each. None, where something is missing and the tables keep what was FOUND of each.
    """
    if any(found.get(table.name, math.inf) == math.inf or not table.noise.uses_l2 for _, table in group.noisy):
        return None, []
    limits: list[tuple[int, Limited]] = []
    together = bare(release, group)
    for at, table in group.noisy:
        setting = number_of(table, IN_RHO, alone=True)
        if not isinstance(setting, AccuracyInputs):
            return None, []
        for position, requirement in asking[table.name]:
            own = requirement.summed(replace(setting, added_up=replace(together, at=at)))
            most = largest_deviation(requirement.statistic(own), is_rounded(release, group), own.cells)
            limits.append((position, Limited(at, down(most**2, 4), before_adding_up=own.is_sum)))
    limits.sort(key=lambda limit: limit[0])
    costs = [0.0] * len(group.tables)
    for at, table in group.noisy:
        costs[at] = table.times_released * (table.sensitivity or 0.0) ** 2 / 2.0
    if not limits or not all(0.0 < limit.variance < math.inf for _, limit in limits):
        return None, []
    return least_budget_of(group.made, tuple(costs), tuple(limit for _, limit in limits)), limits


def _needs_before_adding_up(
    release: Release, asked: Mapping[int, AccuracyRequirement]
) -> dict[str | None, tuple[float, int]]:
    """Return the least budget that meets what is ASKED of each table by name before adding up, and what asks for it."""
    found: dict[str | None, tuple[float, int]] = {}
    for position, requirement in asked.items():
        for table in requirement.asks_each(release):
            setting = number_of(table, IN_RHO, alone=True)
            if not isinstance(setting, AccuracyInputs):
                continue
            setting = requirement.summed(setting)
            try:
                limit = requirement.limit(setting)
            except DPWizardError:
                continue
            least = {"allowed": limit.epsilon, "infeasible": math.inf}.get(limit.status)
            if least is not None:
                found[table.name] = max(found.get(table.name, (0.0, position)), (setting.need(least), position))
    return found


def _weighted(release: Release, tables: dict[int, Table]) -> dict[str | None, float]:
    """Return portions with the least weighted sum of variances, those that Gaussian or Laplace noise would have.

    Tables that no unit shares each get what the largest of them gets; where a unit can move from one to another, two
    of them count.
    """
    found: dict[str | None, float] = {}
    weights = {release.tables[at].name: release.parts[at].weight or 1.0 for at in tables}
    for group in disjoint_groups(tables.values()):
        moving = [table for table in group if table.neighbours == "replace" and table.moves is not False]
        counted = 2.0 if len(moving) > 1 else 1.0
        sums: dict[bool, float] = defaultdict(float)
        for table in group:
            normal, distance = table.noise.needs_delta, table.sensitivity or 0.0
            # each of its times has the portion divided by their number, and its variance counts as often
            sums[normal] += weights[table.name] * distance**2 * table.times_released ** (2 if normal else 3)
        for table in group:
            total = sums[table.noise.needs_delta] / counted
            # a variance of D^2/(2 rho), or of 2 D^2/epsilon^2: Theorem 7
            found[table.name] = math.sqrt(total) if table.noise.needs_delta else math.cbrt(total)
    return found
