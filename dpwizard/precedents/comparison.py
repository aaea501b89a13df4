"""The officer's own decision among published ones, with the same figures of each, to sort by."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

from dpwizard.base.language import spoken
from dpwizard.decision import Assessment, Decision
from dpwizard.precedents.precedent import Precedent, PublishedLoss, read_precedents
from dpwizard.precedents.translation import PersonRisk, over_units, person_risk


@dataclass(frozen=True, kw_only=True)
class PrecedentRow:
    """A decision with its risk for one unit, and for one person over all units (None: unknown)."""

    precedent: Precedent | None  # None: the officer's own
    loss: PublishedLoss
    units: int | None
    unit: PersonRisk | None
    person: PersonRisk | None


def _row(precedent: Precedent | None, loss: PublishedLoss, units: int | None) -> PrecedentRow:
    person = None if units is None else person_risk(over_units(loss, units))
    return PrecedentRow(precedent=precedent, loss=loss, units=units, unit=person_risk(loss), person=person)


@functools.cache
def _others(_language: str) -> tuple[PrecedentRow, ...]:
    """Return the published decisions; cached, as they do not change with the officer's own."""
    rows = read_precedents().rows
    return tuple(_row(precedent, precedent.loss, precedent.units_of_a_person) for precedent in rows)


def current_decision(decision: Decision, assessment: Assessment) -> PrecedentRow | None:
    """Return the officer's own decision as a row; None without a chosen budget, or if its loss is unknown."""
    accounting, release = assessment.accounting, decision.release
    if accounting.rho is None and accounting.epsilon is None:
        return None
    loss = (
        PublishedLoss(epsilon=accounting.epsilon, delta=accounting.delta)
        if accounting.rho is None or not release.noise.needs_delta
        else PublishedLoss(rho=accounting.rho, delta=accounting.delta, gaussian=accounting.mu is not None)
    )
    own = _row(None, loss, release.units_of_a_person or (1 if release.unit_kind is None else None))
    of_person = accounting.per_person  # units in the same figure lose more than the sum of their losses
    if of_person is None:
        return own
    whole = (
        PublishedLoss(epsilon=of_person.epsilon, delta=of_person.delta)
        if loss.rho is None
        else PublishedLoss(rho=of_person.rho, gaussian=of_person.mu is not None)
    )
    return PrecedentRow(precedent=None, loss=loss, units=own.units, unit=own.unit, person=person_risk(whole))


def compared(own: PrecedentRow | None) -> tuple[PrecedentRow, ...]:
    """Return the published decisions and the officer's OWN, sorted by risk; unpublished budgets are last."""
    rows = [*([own] if own is not None else []), *_others(spoken())]
    return tuple(sorted(rows, key=lambda row: math.inf if row.unit is None else row.unit.event_chance))
