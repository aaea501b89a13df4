"""The plan of a release of many tables: the least budget that meets all needs, and the ways out where it is too much.

The needs of tables that share a budget are met together by the least budget when each table gets what it needs and no
more; where that is more than the promises allow, all needs can be widened by one factor (Theorem 7,
docs/methods/programmes.md, for noise that goes in proportion to the need).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
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
from dpwizard.decision.assessment import AllowedRange, Assessment, assess, converted
from dpwizard.decision.decision import Decision
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import BaseRequirement, limit_under
from dpwizard.decision.shares import used
from dpwizard.decision.tables import WHOLE, NeighbouringRelation, Table
from dpwizard.privacy.mechanisms import MechanismName

WIDEST = 1e4  # times that needs are widened, at most
FREE = 1e-4  # of all: a need that accounts for less is met anyway
DIGITS = 3  # to which the factor is rounded up

WayOut = Literal["share_by_needs", "widen", "share_and_widen", "without", "other_noise"]
Make = Callable[[Decision], Decision]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What the needs of all tables ask for together; budgets are rho where the release is counted in it.

    least is the least budget at which every need is met as the budget is shared now, and least_by_needs the same where
    each table gets what it needs; None where that is not known, inf where no budget will do. bound: below it no plan
    meets every need with normal noise; None where that is not known. costs: the needs by position, each with how much
    of what all tables get it accounts for, the dearest first; those met anyway, when these are, are left out.
    """

    least: float | None = None
    least_by_needs: float | None = None
    bound: float | None = None
    costs: tuple[tuple[int, float], ...] = ()
    without_need: tuple[str, ...] = ()  # the tables that no need speaks of


@dataclass(frozen=True, kw_only=True)
class Way:
    """A way out of a conflict that changes more than one number: what it is, what it makes, and the window it opens."""

    key: WayOut
    make: Make
    window: AllowedRange
    factor: float | None = None  # by which all needs are widened
    requirement: int | None = None  # the need that is left out


def plan(decision: Decision, assessment: Assessment) -> Plan:
    """Return what the needs of DECISION ask for together, given its ASSESSMENT.

    Budgets are rounded up: at them every need is met.
    """
    release, found = decision.release, needed_budgets(decision.release, decision.requirements)
    asked = found.budgets
    bound = [a.epsilon for a in assessment.answers if a.enabled and a.side == "lower" and a.epsilon is not None]
    least, by_needs = max(bound, default=None), release.allocation == "needs"
    without_need = tuple(table.name or "" for table in release.noisy if table.name not in asked)
    together = None if without_need or not asked else _together(release, asked)
    in_unit = release.counted_in == "rho" or not release.noise.needs_delta  # needs come to what it is counted in
    unshared = None if by_needs or without_need else _least(decision, together if in_unit else None)
    return Plan(
        least=least,
        least_by_needs=least if by_needs else unshared,
        bound=_bound(release, found) if together and in_unit else None,
        costs=_costs(found) if together else (),
        without_need=without_need,
    )


def _together(release: Release, asked: Mapping[str | None, float]) -> float | None:
    """Return what the needs that tables ASKED for come to for one person, in rho of Gaussian noise, else in epsilon.

    None of both kinds together, or where no noise is small enough.
    """
    if not all(map(math.isfinite, asked.values())) or (release.noise.needs_delta and not release.noise.only_deltas):
        return None
    amounts = (replace(table, portion=Fraction(asked[table.name]), fixed=None) for table in release.noisy)
    return up(float(used(release.histories_of(amounts))), 1)


def _costs(found: NeededBudgets) -> tuple[tuple[int, float], ...]:
    """Return the needs that cost something, each with how much of all, the dearest first."""
    total = math.fsum(found.prices.values())
    shares = {at: price / total for at, price in found.prices.items()}
    return tuple(sorted(((at, one) for at, one in shares.items() if one > FREE), key=lambda each: -each[1]))


def _bound(release: Release, found: NeededBudgets) -> float | None:
    """Return a budget below which no plan meets the needs FOUND; None where one person may be in some of the tables
    alone that add up together."""
    amounts = tuple(replace(table, portion=Fraction(found.bounds[table.name]), fixed=None) for table in release.noisy)
    of_person, named = release.histories_of(amounts), {table.name: table for table in amounts}
    for group in sums_of(release).groups:
        if not of_person.keeps_together(named[table.name] for _, table in group.noisy):
            return None
    return down(float(used(of_person)), 1)


def _least(decision: Decision, together: float | None) -> float | None:
    """Return the least budget at which every need is met, if DECISION shares it by needs that come to TOGETHER."""
    whole = any(group.whole for group in sums_of(decision.release).groups)  # what normal noise needs may not be enough
    if together is not None and not whole:
        return together
    shared = reshared(decision)
    if shared is None:
        return None
    release, found = shared.planned.release, []
    for requirement in _needs_of(shared):
        setting = requirement.setting(release)
        if isinstance(setting, tuple):
            return None
        limit = limit_under(requirement, setting)
        if limit.status == "infeasible":
            return math.inf
        budget, _ = converted(setting, limit)
        found += [] if budget is None else [budget]
    return max(found, default=None)


def _needs_of(decision: Decision) -> Iterator[AccuracyRequirement]:
    for requirement in decision.requirements:
        if isinstance(requirement, AccuracyRequirement) and requirement.enabled and not requirement.missing():
            yield requirement


# ------------------------------------------------------------------------------------------- changes of many numbers


def reshared(decision: Decision) -> Decision | None:
    """Return DECISION with its budget shared by needs; None where a table has none, or where it is already."""
    release = decision.release
    tables, asked = release.noisy, needed_budgets(release, decision.requirements).budgets
    if len(tables) < 2 or release.allocation == "needs" or any(table.name not in asked for table in tables):
        return None
    bare = {"share": None, "epsilon": None, "rho": None}
    parts = tuple(part.model_copy(update=bare) for part in release.parts)
    return decision.model_copy(update={"release": release.model_copy(update={"parts": parts, "allocation": "needs"})})


def relaxed(decision: Decision, factor: float) -> Decision:
    """Return DECISION with every enabled need of accuracy widened by FACTOR, at least 1, where it is a width."""

    def wider(requirement: BaseRequirement) -> BaseRequirement:
        name = requirement.width if isinstance(requirement, AccuracyRequirement) and requirement.enabled else ""
        now = getattr(requirement, name) if name else None
        if now is None:
            return requirement
        return requirement.model_copy(update={name: real(decimal(now) * decimal(factor))})

    return decision.model_copy(update={"requirements": tuple(map(wider, decision.requirements))})


def without(decision: Decision, index: int) -> Decision:
    """Return DECISION with requirement INDEX switched off."""
    off = decision.requirements[index].model_copy(update={"enabled": False})
    kept = (*decision.requirements[:index], off, *decision.requirements[index + 1 :])
    return decision.model_copy(update={"requirements": kept})


def exchanged(decision: Decision) -> Decision | None:
    """Return DECISION with the other kind of noise; None where there is none."""
    release = with_other_noise(decision.release)
    return None if release is None else decision.model_copy(update={"release": release, "epsilon": None, "rho": None})


# ------------------------------------------------------------------------------------------- ways out of a conflict


def resolutions(decision: Decision, assessment: Assessment, stop: Stop = lambda: False) -> tuple[Way, ...]:
    """Return the ways out of a conflict of needs with promises that change more than one number, the least first.

    Arguments: decision; its assessment; stop, asked as often as `assess` asks: once true, the rest is left out. Sharing
    the budget by needs; widening all needs by the least factor (rounded up to three digits), with or without that;
    leaving out the dearest need; the other kind of noise. Every way has been solved: its window is open. Empty where
    the window is not empty, or where no need stands in the conflict.
    """
    found: list[Way] = []
    with suppress(Stopped), stoppable(stop):
        ends = {decision.requirements[index].end for index in assessment.window.conflict}
        if not assessment.window.empty or "lower" not in ends:
            return ()
        shared = reshared(decision)
        opened = None if shared is None else _opened(shared, assessment)
        if opened is not None:
            found.append(Way(key="share_by_needs", make=lambda d: reshared(d) or d, window=opened))
        else:
            found += _widening(decision if shared is None else shared, assessment, shared is not None)
        may_stop()
        prices = needed_budgets(decision.release, decision.requirements).prices
        asked = max(prices, key=lambda at: prices[at], default=None)
        if asked is not None and (window := _opened(without(decision, asked), assessment)) is not None:
            found.append(Way(key="without", make=lambda d: without(d, asked), window=window, requirement=asked))
        may_stop()
        other = exchanged(decision)
        if other is not None and (window := _opened(other, None)) is not None:
            found.append(Way(key="other_noise", make=lambda d: exchanged(d) or d, window=window))
    return tuple(found)


def _widening(decision: Decision, base: Assessment, shared: bool) -> list[Way]:
    """Return the way of widening all needs alike; none where no factor up to WIDEST opens the window."""
    now = assess(_bare(decision), base)
    factor = _factor(decision, now)
    if factor is None:
        return []
    window = _opened(relaxed(decision, factor), base)
    if window is None:
        return []

    def make(decision: Decision) -> Decision:
        return relaxed((reshared(decision) or decision) if shared else decision, factor)

    return [Way(key="share_and_widen" if shared else "widen", make=make, window=window, factor=factor)]


def _factor(decision: Decision, now: Assessment) -> float | None:
    """Return the least factor, rounded up, by which all needs are widened so that the window opens; None if none is."""

    def opens(factor: float) -> bool:
        may_stop()
        return _opened(relaxed(decision, factor), now) is not None

    guess = _guess(decision, now)
    if guess is not None and opens(guess) and not opens(guess * (1.0 - 10.0 ** (1 - DIGITS))):
        return guess
    if not opens(WIDEST):
        return None
    return _rounded(smallest(opens, 1.0, WIDEST, 1e-4))


def _guess(decision: Decision, now: Assessment) -> float | None:
    """Return what widening comes to where noise goes in proportion: by mu of Gaussian noise, else by epsilon."""
    lower, upper = now.window.lower, now.window.upper
    if not upper:
        return None
    release = decision.planned.release
    needed, allowed = rho_and_mu(release, lower, "lower")[0], rho_and_mu(release, upper, "upper")[0]
    ratio = lower / upper if needed is None or not allowed else math.sqrt(needed / allowed)
    return _rounded(ratio) if 1.0 < ratio <= WIDEST else None


def _rounded(factor: float) -> float:
    return float(significant(factor * (1.0 + 1e-9), DIGITS, ROUND_CEILING))


def _opened(decision: Decision, base: Assessment | None) -> AllowedRange | None:
    """Return the window of DECISION if it is open, and every requirement says something; None if not."""
    window = assess(_bare(decision), base).window
    return None if window.empty or not window.complete or window.upper == 0.0 else window


def _bare(decision: Decision) -> Decision:
    """Return DECISION without its choice, which takes no part in the window."""
    none: dict[str, Any] = {"epsilon": None, "rho": None}
    return decision.model_copy(update=none)


def with_other_noise(release: Release) -> Release | None:
    """Return RELEASE with the noise of each table exchanged for the other kind; None where no table has noise.

    Its sensitivities are never below the true ones. A Gaussian release that comes of it states no delta.
    """
    changed = {table.place: _changed(table) for table in release.tables if table.noise.one is not None}
    if not any(changed.values()):
        return None
    parts = tuple(
        part.model_copy(update=changed.get(f"{WHOLE}.parts[{index}]", {})) for index, part in enumerate(release.parts)
    )
    return release.model_copy(update={**changed.get(WHOLE, {}), "parts": parts, "delta": None})


def _changed(table: Table) -> dict[str, Any]:
    noise = table.noise.one.noise if table.noise.one is not None else None
    if noise is None or table.neighbours is None:
        return {}
    other: NeighbouringRelation = "add_remove" if table.neighbours == "replace" else "replace"
    mechanism: MechanismName = noise.rival
    return {
        "mechanism": mechanism,
        "sensitivity": _in_other_norm(table, table.sensitivity, table.neighbours),
        "sensitivity_other": _in_other_norm(table, table.sensitivity_other, other),
        "effects": None,  # they are stated in the norm of the noise, too
    }


def _in_other_norm(table: Table, stated: float | None, relation: NeighbouringRelation) -> float | None:
    """Return an upper bound on how far a unit moves TABLE in the other norm, from the bound STATED in its own."""
    if stated is None or table.dimension == 1:
        return stated
    rows = float(table.contributions)
    replaced = relation == "replace"
    most = 2.0 * rows if replaced else rows  # in L1, of a histogram
    counted = table.statistic == "histogram"
    if table.noise.uses_l2:
        wide = up(math.sqrt(table.dimension) * stated, 2)
        return min(wide, most) if counted and stated <= most else wide
    # the rows that leave their cells and those that come to others lie at right angles, or closer
    return up(math.sqrt(2.0) * rows, 1) if counted and replaced and stated == most else stated
