"""The allocation of a budget to tables that state no share: by accuracy requirements, or by weights."""

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
PORTIONS = 10**15  # portions are multiples of the largest one divided by this, so that they add up to 1 exactly


def allotted(release: Release, requirements: Iterable[BaseRequirement]) -> Release:
    """Return RELEASE with a share for each table that states none, by its allocation rule.

    Arguments: requirements, of which the enabled accuracy requirements count. By need, each share is proportional to
    the least budget that meets the table's own requirements; by weights, the shares have the least weighted sum of
    variances. Stated shares stay, and the others divide the rest. By need, a table without a requirement has no share,
    and no table has one while a least budget is unknown. Returns RELEASE itself if all tables state a share. Source:
    Theorem 7, docs/methods/programmes.md.
    """
    if release.allocation in (None, "stated"):
        return release
    open_parts = [at for at, part in enumerate(release.parts) if (part.share, part.epsilon, part.rho) == (None,) * 3]
    if not open_parts:
        return release
    tables = {at: release.tables[at] for at in open_parts if not release.tables[at].noise.absent}
    needed = (
        needed_budgets(release, requirements).budgets
        if release.allocation == "needs"
        else _portions_by_weight(release, tables)
    )
    amounts = {at: needed.get(table.name, 0.0) for at, table in tables.items()}
    mixed = release.noise.needs_delta and not release.noise.only_deltas
    fixed = {at for at, table in tables.items() if mixed and not table.noise.needs_delta}
    # in a budget of rho, bounded noise gets its least budget and no more
    changed: dict[int, dict[str, object]] = {at: {"epsilon": amounts[at]} for at in fixed if amounts[at]}
    changed |= _proportional_shares(release, {at: table for at, table in tables.items() if at not in fixed}, amounts)
    parts = [part.model_copy(update=changed[at]) if at in changed else part for at, part in enumerate(release.parts)]
    return release.model_copy(update={"parts": tuple(parts)})


def _proportional_shares(
    release: Release, tables: dict[int, Table], amounts: dict[int, float]
) -> dict[int, dict[str, object]]:
    largest = max((amounts[at] for at in tables), default=0.0)
    if not 0.0 < largest < math.inf:
        return {}
    parts = {at: Fraction(math.ceil(amounts[at] / largest * PORTIONS)) for at in tables if amounts[at] > 0.0}
    total = used(release.histories_of(replace(tables[at], portion=part) for at, part in parts.items()))
    left = 1 - release.share_total()
    if left <= 0:
        return {}
    # exact fractions of what stated shares leave
    shares = {at: left * part / total for at, part in parts.items()}
    return {at: {"share": f"{share.numerator}/{share.denominator}"} for at, share in shares.items()}


@dataclass(frozen=True)
class NeededBudgets:
    """The least budgets of tables, by name.

    budgets: for all releases of a table, the least budget that meets its requirements: rho of Gaussian noise, epsilon
    of other noise; rounded up. inf if no noise is small enough; without tables that have no requirement or lack a
    figure. Tables that add up have the budgets with the least sum, for normal noise. prices: the part of each
    requirement, by position. bounds: lower bounds; for tables that add up the budgets scaled down, so that with normal
    noise no other budgets with a smaller sum meet the requirements.
    """

    budgets: dict[str | None, float]
    prices: dict[int, float]
    bounds: dict[str | None, float]


def needed_budgets(release: Release, requirements: Iterable[BaseRequirement]) -> NeededBudgets:
    """Return the least budgets of RELEASE's tables for the enabled accuracy requirements among REQUIREMENTS."""
    needs = {
        at: requirement
        for at, requirement in enumerate(requirements)
        if isinstance(requirement, AccuracyRequirement) and requirement.enabled and not requirement.missing()
    }
    return release.cached(("asked for", tuple(needs.items())), lambda: _find_needed_budgets(release, needs))


def _find_needed_budgets(release: Release, needs: Mapping[int, AccuracyRequirement]) -> NeededBudgets:
    separate = _separate_needs(release, needs)
    requirements_of: Asking = defaultdict(list)
    for position, requirement in needs.items():
        for table in requirement.asks_each(release) if requirement.blocked_limit(release) is None else ():
            requirements_of[table.name].append((position, requirement))
    budgets = {name: budget for name, (budget, _) in separate.items()}
    bounds, prices = dict(budgets), dict.fromkeys(needs, 0.0)
    for group in sums_of(release).groups:
        least, limits = _budgets_after_adding_up(release, group, requirements_of, budgets)
        if least is None:
            continue
        for at, table in group.noisy:
            budgets[table.name] = least.costs[at]
            bounds[table.name] = least.costs[at] * min(1.0, least.lower / least.total)
            separate.pop(table.name, None)
        for (position, _), price in zip(limits, least.prices, strict=True):
            prices[position] += price * least.total
    for budget, position in separate.values():
        prices[position] += budget
    return NeededBudgets(budgets, prices, bounds)


def _budgets_after_adding_up(
    release: Release, group: Group, asking: Asking, separate: dict[str | None, float]
) -> tuple[Precisions | None, list[tuple[int, Limited]]]:
    """Return the budgets of GROUP's tables with the least sum, and the limits, each with its requirement.

    asking: the requirements of each table. None if a figure is missing: tables then keep their SEPARATE budgets.
    """
    if any(separate.get(table.name, math.inf) == math.inf or not table.noise.uses_l2 for _, table in group.noisy):
        return None, []
    limits: list[tuple[int, Limited]] = []
    added_up = bare(release, group)
    for at, table in group.noisy:
        setting = number_of(table, IN_RHO, alone=True)
        if not isinstance(setting, AccuracyInputs):
            return None, []
        for position, requirement in asking[table.name]:
            inputs = requirement.summed(replace(setting, added_up=replace(added_up, at=at)))
            largest = largest_deviation(requirement.statistic(inputs), is_rounded(release, group), inputs.cells)
            limits.append((position, Limited(at, down(largest**2, 4), before_adding_up=inputs.is_sum)))
    limits.sort(key=lambda limit: limit[0])
    costs = [0.0] * len(group.tables)
    for at, table in group.noisy:
        costs[at] = table.times_released * (table.sensitivity or 0.0) ** 2 / 2.0
    if not limits or not all(0.0 < limit.variance < math.inf for _, limit in limits):
        return None, []
    return least_budget_of(group.structure, tuple(costs), tuple(limit for _, limit in limits)), limits


def _separate_needs(release: Release, needs: Mapping[int, AccuracyRequirement]) -> dict[str | None, tuple[float, int]]:
    """Return the least budget of each table before adding up, and the position of the requirement that sets it."""
    least_of: dict[str | None, tuple[float, int]] = {}
    for position, requirement in needs.items():
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
                least_of[table.name] = max(least_of.get(table.name, (0.0, position)), (least, position))
    return least_of


def _portions_by_weight(release: Release, tables: dict[int, Table]) -> dict[str | None, float]:
    """Return portions with the least weighted sum of variances of Gaussian or Laplace noise.

    Tables that share no unit each get the portion of the largest of them; if a unit can move between them, two count.
    """
    portions: dict[str | None, float] = {}
    weights = {release.tables[at].name: release.parts[at].weight or 1.0 for at in tables}
    for group in disjoint_groups(tables.values()):
        moving = [table for table in group if table.neighbours == "replace" and table.moves is not False]
        tables_moved = 2.0 if len(moving) > 1 else 1.0
        sums: dict[bool, float] = defaultdict(float)
        for table in group:
            normal, distance = table.noise.needs_delta, table.sensitivity or 0.0
            # each release of the table has an equal part of its portion, and its variance counts each time
            sums[normal] += weights[table.name] * distance**2 * table.times_released ** (2 if normal else 3)
        for table in group:
            total = sums[table.noise.needs_delta] / tables_moved
            # the variance is D^2/(2 rho) or 2 D^2/epsilon^2: Theorem 7
            portions[table.name] = math.sqrt(total) if table.noise.needs_delta else math.cbrt(total)
    return portions
