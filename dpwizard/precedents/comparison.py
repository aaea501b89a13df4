"""The officer's own decision among published ones, with the same figures of each, to sort by."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace

from dpwizard.base.language import spoken
from dpwizard.decision import Accounting, Assessment, Decision
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
    in_rho = accounting.rho is not None and release.noise.needs_delta
    loss = _loss_of(accounting, in_rho)
    own = _row(None, loss, release.units_of_a_person or (1 if release.unit_kind is None else None))
    of_person = accounting.per_person  # units in the same figure lose more than the sum of their losses
    return own if of_person is None else replace(own, person=person_risk(_loss_of(of_person, in_rho)))


def _loss_of(cost: Accounting, in_rho: bool) -> PublishedLoss:
    if in_rho:
        return PublishedLoss(rho=cost.rho, delta=cost.delta, gaussian=cost.mu is not None)
    return PublishedLoss(epsilon=cost.epsilon, delta=cost.delta)


def compared(own: PrecedentRow | None) -> tuple[PrecedentRow, ...]:
    """Return the published decisions and the officer's OWN, sorted by risk; unpublished budgets are last."""
    rows = [*([own] if own is not None else []), *_others(spoken())]
    return tuple(sorted(rows, key=lambda row: math.inf if row.unit is None else row.unit.event_chance))
