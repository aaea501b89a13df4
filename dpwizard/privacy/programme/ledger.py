"""The total privacy loss of a population's people over an office's records."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from dpwizard.base.numerics import up
from dpwizard.base.values import NonNegative, Probability, ShortText, Value, field, public

Relation = Literal["add_remove", "replace"]
MOST_RECORDS = 100_000


class Lost(Value):
    """The privacy loss that a record states, under `accounting`; other fields there are ignored."""

    model_config = ConfigDict(extra="ignore")

    epsilon: NonNegative | None = field("Epsilon")
    rho: NonNegative | None = field("Rho")
    mu: NonNegative | None = field("Mu")
    delta: Probability | None = field("Delta that epsilon is stated with")


class LedgerRecord(Value):
    """A record: its loss, population and unit, and neighbouring datasets."""

    accounting: Lost = field("What it reveals", default=...)
    population: ShortText = field("Population", default=...)
    unit: ShortText = field("Who or what is protected", default=...)
    neighbours: Relation = field("Neighbouring datasets differ by", default="add_remove")


class LedgerEntry(Value):
    """The loss that one record adds to the ledger."""

    position: int = field("Position among the records, from 0", default=...)
    neighbours: Relation = field("Neighbouring datasets of the record", default=...)
    epsilon: float | None = field("Epsilon that it adds", default=...)
    rho: float | None = field("Rho that it adds", default=...)
    delta: float | None = field("Delta that it adds", default=...)


class LedgerTotal(Value):
    """The total loss of one population and unit; null if a record does not state it."""

    epsilon: float | None = field("Epsilon, by basic composition", default=...)
    rho: float | None = field("Rho", default=...)
    delta: float = field("The deltas that epsilon is stated with, in total", default=...)
    neighbours: Relation = field("Neighbouring datasets", default=...)
    entries: tuple[LedgerEntry, ...] = field("The records that count", default=...)


@public
def ledger(
    *,
    records: Annotated[tuple[LedgerRecord, ...], Field(max_length=MOST_RECORDS)],
    population: ShortText,
    unit: ShortText,
) -> LedgerTotal:
    """Return the total loss of the records on one population and unit.

    Arguments: records, each with its accounting (epsilon with delta where one is stated, rho), population, unit and
    neighbours; population and unit, as they are written there. Where some of them replace values, all are counted so:
    adding or removing counts twice in epsilon and four times in rho; a record with a delta then has no known
    epsilon. Epsilon alone counts epsilon^2/2 in rho. Returns sums, **never below the true ones**, null where a record
    does not state it. Raises InvalidInput. Source: Dwork & Roth 2014, Theorem 3.16; Bun & Steinke 2016.
    """
    counted = [(i, r) for i, r in enumerate(records) if (r.population, r.unit) == (population, unit)]
    relation: Relation = "replace" if any(r.neighbours == "replace" for _, r in counted) else "add_remove"
    entries = tuple(_ledger_entry(i, record, relation) for i, record in counted)
    return LedgerTotal(
        epsilon=_sum_if_all_known([entry.epsilon for entry in entries]),
        rho=_sum_if_all_known([entry.rho for entry in entries]),
        delta=min(1.0, _sum_if_all_known([entry.delta or 0.0 for entry in entries]) or 0.0),
        neighbours=relation,
        entries=entries,
    )


def _ledger_entry(position: int, record: LedgerRecord, relation: Relation) -> LedgerEntry:
    lost, factor = record.accounting, 1.0 if record.neighbours == relation else 2.0
    epsilon = None
    if lost.epsilon is not None and (lost.delta is None or factor == 1.0):
        epsilon = factor * lost.epsilon
    rho = lost.rho
    if rho is None and lost.mu is not None:
        rho = up(lost.mu * lost.mu / 2.0, 2)
    if rho is None and lost.epsilon is not None and lost.delta is None:
        rho = up(lost.epsilon * lost.epsilon / 2.0, 2)
    return LedgerEntry(
        position=position,
        neighbours=record.neighbours,
        epsilon=epsilon,
        rho=None if rho is None else factor * factor * rho,
        delta=lost.delta,
    )


def _sum_if_all_known(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    if len(known) != len(values):
        return None
    return up(math.fsum(known), 1) if known else 0.0
