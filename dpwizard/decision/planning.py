"""The plan of a release of many tables: the least budget for all accuracy requirements, and ways to lower it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING
from fractions import Fraction
from typing import Any, Literal

from dpwizard.base.numerics import decimal, down, real, significant, smallest, up
from dpwizard.base.stopping import Stop, Stopped, may_stop, stoppable
from dpwizard.decision.accounting import rho_and_mu
from dpwizard.decision.accuracy_requirement import AccuracyRequirement
from dpwizard.decision.adding_up import sums_of
from dpwizard.decision.allocation import NeededBudgets, needed_budgets
from dpwizard.decision.assessment import AllowedRange, Assessment, assess
from dpwizard.decision.decision import Decision
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import BaseRequirement
from dpwizard.decision.shares import used
from dpwizard.decision.tables import WHOLE, NeighbouringRelation, Table
from dpwizard.privacy.mechanisms import MechanismName

WIDEST = 1e4  # the largest factor by which accuracy requirements are relaxed
FREE = 1e-4  # a requirement with a smaller share of all costs counts as free
DIGITS = 3  # the significant digits to which the factor is rounded up

WayOut = Literal["share_by_needs", "widen", "share_and_widen", "without", "other_noise"]
Make = Callable[[Decision], Decision]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The budgets that all accuracy requirements need together; rho if the release is counted in rho.

    least: the smallest budget that meets all requirements with the present shares; least_by_needs: the same if each
    table gets the share it needs; None if unknown, inf if no budget suffices. bound: a lower bound for every plan with
    normal noise. costs: the requirements by position with their shares of the cost, the largest first, without free
    ones.
    """

    least: float | None = None
    least_by_needs: float | None = None
    bound: float | None = None
    costs: tuple[tuple[int, float], ...] = ()
    without_need: tuple[str, ...] = ()  # the tables without an accuracy requirement


@dataclass(frozen=True, kw_only=True)
class Way:
    """A way to resolve a conflict by changing several numbers, and the range that results."""

    key: WayOut
    make: Make
    window: AllowedRange
    factor: float | None = None  # by which all accuracy requirements are relaxed
    requirement: int | None = None  # the position of the requirement that is switched off


def plan(decision: Decision, assessment: Assessment) -> Plan:
    """Return the budgets that DECISION's accuracy requirements need together, given its ASSESSMENT; rounded up."""
    release, needed = decision.release, needed_budgets(decision.release, decision.requirements)
    budgets = needed.budgets
    bound = [a.epsilon for a in assessment.answers if a.enabled and a.side == "lower" and a.epsilon is not None]
    least, by_needs = max(bound, default=None), release.allocation == "needs"
    without_need = tuple(table.name or "" for table in release.noisy if table.name not in budgets)
    total = None if without_need or not budgets else _budget_of_needs(release, budgets)
    in_unit = release.counted_in == "rho" or not release.noise.needs_delta  # as the release
    if_shared = None if by_needs or without_need else _least_budget(decision, total if in_unit else None)
    return Plan(
        least=least,
        least_by_needs=least if by_needs else if_shared,
        bound=_lower_bound(release, needed) if total and in_unit else None,
        costs=_shares_of_cost(needed) if total else (),
        without_need=without_need,
    )


def _budget_of_needs(release: Release, budgets: Mapping[str | None, float]) -> float | None:
    """Return the total BUDGETS of one person's tables: rho of Gaussian noise, else epsilon.

    None for both kinds of noise together, or if no noise is small enough.
    """
    if not all(map(math.isfinite, budgets.values())) or (release.noise.needs_delta and not release.noise.only_deltas):
        return None
    amounts = (replace(table, portion=Fraction(budgets[table.name]), fixed=None) for table in release.noisy)
    return up(float(used(release.histories_of(amounts))), 1)


def _shares_of_cost(needed: NeededBudgets) -> tuple[tuple[int, float], ...]:
    total = math.fsum(needed.prices.values())
    shares = {at: price / total for at, price in needed.prices.items()}
    return tuple(sorted(((at, share) for at, share in shares.items() if share > FREE), key=lambda each: -each[1]))


def _lower_bound(release: Release, needed: NeededBudgets) -> float | None:
    """Return a lower bound on the budget of every plan; None if a person may be in only some tables of a sum."""
    amounts = tuple(replace(table, portion=Fraction(needed.bounds[table.name]), fixed=None) for table in release.noisy)
    of_person, named = release.histories_of(amounts), {table.name: table for table in amounts}
    for group in sums_of(release).groups:
        if not of_person.keeps_together(named[table.name] for _, table in group.noisy):
            return None
    return down(float(used(of_person)), 1)


def _least_budget(decision: Decision, together: float | None) -> float | None:
    """Return the least budget that meets every requirement with shares by need, whose budgets add up to TOGETHER."""
    # integer-valued noise may need a larger budget than normal noise
    has_whole_noise = any(group.whole for group in sums_of(decision.release).groups)
    if together is not None and not has_whole_noise:
        return together
    shared = reshared(decision)
    if shared is None:
        return None
    release, budgets = shared.planned.release, []
    needs = (requirement for requirement in shared.requirements if isinstance(requirement, AccuracyRequirement))
    for requirement in (need for need in needs if need.enabled and not need.missing()):
        setting = requirement.setting(release)
        if isinstance(setting, tuple):
            return None
        limit = requirement.limit(setting)
        if limit.status == "infeasible":
            return math.inf
        budgets += [] if limit.epsilon is None else [limit.epsilon]
    return max(budgets, default=None)


# ------------------------------------------------------------------------------------------- changes of many numbers


def reshared(decision: Decision) -> Decision | None:
    """Return DECISION with the budget shared by need; None if a table has no requirement, or if it already is."""
    release = decision.release
    tables, budgets = release.noisy, needed_budgets(release, decision.requirements).budgets
    if len(tables) < 2 or release.allocation == "needs" or any(table.name not in budgets for table in tables):
        return None
    bare = {"share": None, "epsilon": None, "rho": None}
    parts = tuple(part.model_copy(update=bare) for part in release.parts)
    return decision.model_copy(update={"release": release.model_copy(update={"parts": parts, "allocation": "needs"})})


def relaxed(decision: Decision, factor: float) -> Decision:
    """Return DECISION with the width of every enabled accuracy requirement multiplied by FACTOR, at least 1."""

    def wider(requirement: BaseRequirement) -> BaseRequirement:
        name = requirement.width if isinstance(requirement, AccuracyRequirement) and requirement.enabled else ""
        now = getattr(requirement, name) if name else None
        if now is None:
            return requirement
        return requirement.model_copy(update={name: real(decimal(now) * decimal(factor))})

    return decision.model_copy(update={"requirements": tuple(map(wider, decision.requirements))})


def without(decision: Decision, index: int) -> Decision:
    off = decision.requirements[index].model_copy(update={"enabled": False})
    requirements = (*decision.requirements[:index], off, *decision.requirements[index + 1 :])
    return decision.model_copy(update={"requirements": requirements})


def exchanged(decision: Decision) -> Decision | None:
    """Return DECISION with the other kind of noise, Gaussian or bounded; None if there is none."""
    release = with_other_noise(decision.release)
    return None if release is None else decision.without_budget().model_copy(update={"release": release})


# ------------------------------------------------------------------------------------------- ways to resolve a conflict


def resolutions(decision: Decision, assessment: Assessment, stop: Stop = lambda: False) -> tuple[Way, ...]:
    """Return the ways to resolve a conflict of accuracy with privacy by several changes, the least change first.

    Arguments: decision; its assessment; stop, polled as by `assess`: once true, the rest is left out. The ways: share
    the budget by need; relax all accuracy requirements by the least factor (rounded up to three digits), with or
    without that; switch off the requirement with the largest cost; use the other kind of noise. Every way has been
    solved: its range is not empty. Empty if the range is not empty, or if no accuracy requirement is in conflict.
    """
    ways: list[Way] = []
    with suppress(Stopped), stoppable(stop):
        ends = {decision.requirements[index].end for index in assessment.window.conflict}
        if not assessment.window.empty or "lower" not in ends:
            return ()
        shared = reshared(decision)
        opened = None if shared is None else _open_window(shared, assessment)
        if opened is not None:
            ways.append(Way(key="share_by_needs", make=lambda d: reshared(d) or d, window=opened))
        else:
            ways += _relaxing(decision if shared is None else shared, assessment, shared is not None)
        may_stop()
        prices = needed_budgets(decision.release, decision.requirements).prices
        costliest = max(prices, key=lambda at: prices[at], default=None)
        if costliest is not None and (window := _open_window(without(decision, costliest), assessment)) is not None:
            ways.append(Way(key="without", make=lambda d: without(d, costliest), window=window, requirement=costliest))
        may_stop()
        other = exchanged(decision)
        if other is not None and (window := _open_window(other, None)) is not None:
            ways.append(Way(key="other_noise", make=lambda d: exchanged(d) or d, window=window))
    return tuple(ways)


def _relaxing(decision: Decision, base: Assessment, shared: bool) -> list[Way]:
    now = assess(decision.without_budget(), base)
    factor = _least_factor(decision, now)
    if factor is None:
        return []
    window = _open_window(relaxed(decision, factor), base)
    if window is None:
        return []

    def make(decision: Decision) -> Decision:
        return relaxed((reshared(decision) or decision) if shared else decision, factor)

    return [Way(key="share_and_widen" if shared else "widen", make=make, window=window, factor=factor)]


def _least_factor(decision: Decision, now: Assessment) -> float | None:
    """Return the least factor, rounded up, by which relaxing all requirements opens the range; None if none does."""

    def opens(factor: float) -> bool:
        may_stop()
        return _open_window(relaxed(decision, factor), now) is not None

    proportional = _proportional_factor(decision, now)
    if proportional is not None and opens(proportional) and not opens(proportional * (1.0 - 10.0 ** (1 - DIGITS))):
        return proportional
    if not opens(WIDEST):
        return None
    return _round_up(smallest(opens, 1.0, WIDEST, 1e-4))


def _proportional_factor(decision: Decision, now: Assessment) -> float | None:
    """Return the factor for noise proportional to the width: by mu for Gaussian noise, else by epsilon."""
    lower, upper = now.window.lower, now.window.upper
    if not upper:
        return None
    release = decision.planned.release
    needed, allowed = rho_and_mu(release, lower, "lower").get("rho"), rho_and_mu(release, upper, "upper").get("rho")
    ratio = lower / upper if needed is None or not allowed else math.sqrt(needed / allowed)
    return _round_up(ratio) if 1.0 < ratio <= WIDEST else None


def _round_up(factor: float) -> float:
    return float(significant(factor * (1.0 + 1e-9), DIGITS, ROUND_CEILING))


def _open_window(decision: Decision, base: Assessment | None) -> AllowedRange | None:
    """Return the range of DECISION if it is not empty and no requirement is unsolved; else None."""
    window = assess(decision.without_budget(), base).window
    return None if window.empty or not window.complete or window.upper == 0.0 else window


def with_other_noise(release: Release) -> Release | None:
    """Return RELEASE with the other kind of noise, Gaussian or bounded, in each table; None if no table has noise.

    Sensitivities in the other norm are never below the true ones: |x|_2 <= |x|_1 <= sqrt(n) |x|_2 for a change x of n
    numbers, and a unit with k rows changes a histogram by at most k in either norm, or, replaced, by 2 k in L1 and
    sqrt(2) k in L2. A release that becomes Gaussian states no delta.
    """
    changed = {table.place: _exchange_fields(table) for table in release.tables if table.noise.one is not None}
    if not any(changed.values()):
        return None
    parts = tuple(
        part.model_copy(update=changed.get(f"{WHOLE}.parts[{index}]", {})) for index, part in enumerate(release.parts)
    )
    return release.model_copy(update={**changed.get(WHOLE, {}), "parts": parts, "delta": None})


def _exchange_fields(table: Table) -> dict[str, Any]:
    noise = table.noise.one.noise if table.noise.one is not None else None
    if noise is None or table.neighbours is None:
        return {}
    other: NeighbouringRelation = "add_remove" if table.neighbours == "replace" else "replace"
    mechanism: MechanismName = noise.rival
    return {
        "mechanism": mechanism,
        "sensitivity": _in_other_norm(table, table.sensitivity, table.neighbours),
        "sensitivity_other": _in_other_norm(table, table.sensitivity_other, other),
        "effects": None,  # stated in the norm of the old noise
    }


def _in_other_norm(table: Table, stated: float | None, relation: NeighbouringRelation) -> float | None:
    """Return an upper bound on the sensitivity of TABLE in the other norm, from the bound STATED in its own norm."""
    if stated is None or table.dimension == 1:
        return stated
    rows = float(table.contributions)
    replaced = relation == "replace"
    most = 2.0 * rows if replaced else rows  # in L1, of a histogram
    is_histogram = table.statistic == "histogram"
    if table.noise.uses_l2:
        wide = up(math.sqrt(table.dimension) * stated, 2)
        return min(wide, most) if is_histogram and stated <= most else wide
    # the changes by removed and by added rows are orthogonal, or partly cancel
    return up(math.sqrt(2.0) * rows, 1) if is_histogram and replaced and stated == most else stated
