"""One's own decision among the choices of others: the same figures of each, so that they can be sorted."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from dpwizard.base.language import spoken
from dpwizard.decision import Assessment, Decision
from dpwizard.precedents.precedent import Precedent, Spends, read_precedents
from dpwizard.precedents.translation import ForOne, for_one, over_units


@dataclass(frozen=True, kw_only=True)
class PrecedentRow:
    """A choice with what it means: of one unit, and of one person over all units, where that is known."""

    precedent: Precedent | None  # None: one's own
    spends: Spends
    units: int | None
    unit: ForOne | None
    person: ForOne | None


def _row(precedent: Precedent | None, spends: Spends, units: int | None) -> PrecedentRow:
    person = None if units is None else for_one(over_units(spends, units))
    return PrecedentRow(precedent=precedent, spends=spends, units=units, unit=for_one(spends), person=person)


@functools.cache
def _others(_language: str) -> tuple[PrecedentRow, ...]:
    """Return the choices of others, which stay the same while one's own changes."""
    return tuple(_row(one, one.spends, one.units_of_a_person) for one in read_precedents().rows)


def current_decision(decision: Decision, assessment: Assessment) -> PrecedentRow | None:
    """Return one's own decision as a row; None before a budget is chosen, or where what it costs is not known."""
    accounting, release = assessment.accounting, decision.release
    if accounting.rho is None and accounting.epsilon is None:
        return None
    spends = (
        Spends(epsilon=accounting.epsilon, delta=accounting.delta)
        if accounting.rho is None or not release.noise.needs_delta
        else Spends(rho=accounting.rho, delta=accounting.delta, gaussian=accounting.mu is not None)
    )
    found = _row(None, spends, release.units_of_a_person or (1 if release.unit_kind is None else None))
    told_person = accounting.per_person  # units in one figure lose more than they add up to: as the accounting has it
    if told_person is None:
        return found
    whole = (
        Spends(epsilon=told_person.epsilon, delta=told_person.delta)
        if spends.rho is None
        else Spends(rho=told_person.rho, gaussian=told_person.mu is not None)
    )
    return PrecedentRow(precedent=None, spends=spends, units=found.units, unit=found.unit, person=for_one(whole))


def compared(mine: PrecedentRow | None) -> tuple[PrecedentRow, ...]:
    """Return every choice of others with one's own, where there is one, in the order of what a sign may show.

    What was never published comes last.
    """
    rows = [*([mine] if mine is not None else []), *_others(spoken())]
    return tuple(sorted(rows, key=lambda row: (row.unit is None, row.unit.shows if row.unit is not None else 0.0)))
