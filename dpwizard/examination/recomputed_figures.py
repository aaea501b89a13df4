"""A decision or a record of this program as claims: its own figures, compared with separate arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from dpwizard.base.values import read as read_value
from dpwizard.decision import Accounting, Release, read_decision
from dpwizard.examination.claim import QUANTITIES, Claim
from dpwizard.examination.finding import ClaimVerdict
from dpwizard.privacy.mechanisms import mechanisms_named
from dpwizard.records import AssertedTime, Record, make, read, recompute

AT_NO_TIME = AssertedTime(time=datetime(2000, 1, 1, tzinfo=UTC), source="signer")  # of a record that nobody keeps
RULES = ("exact", "cks", "loose")  # "tight" is the curve of one figure's own noise, which replaying computes


def of_decision(raw: Mapping[str, Any]) -> tuple[str, tuple[tuple[str, Claim], ...]]:
    """Return the title of a decision, solved, and what its assessment claims; raises InvalidInput as reading does."""
    record = make(read_decision(dict(raw)), AT_NO_TIME, name="decision")
    return record.decision.title or "", tuple(_claims(record))


def of_record(data: bytes) -> tuple[str, tuple[tuple[str, Claim], ...], tuple[ClaimVerdict, ...]]:
    """Return the title of the record in DATA, what its decision claims, and in what the record claims otherwise.

    Raises InvalidInput where it is no record, or its decision cannot be read.
    """
    record = read(data)
    recomputed = make(record.decision, AT_NO_TIME, name=record.name)
    different = tuple(
        ClaimVerdict(
            statement="replay",
            where=difference.where,
            verdict="differs",
            stated=difference.recorded,
            figures={"replayed": difference.now},
        )
        for difference in recompute(record)
    )
    same = (ClaimVerdict(statement="replay", where="$", verdict="agrees", stated=""),)
    return record.decision.title or "", tuple(_claims(recomputed)), different or same


def _claims(record: Record) -> Iterator[tuple[str, Claim]]:
    release, lost, accounted = record.planned.release, record.accounting, record.assessment.accounting
    budget, delta = lost.counted_in, lost.delta_in_all
    yield _claim(
        "$.accounting",
        name=record.decision.title,
        unit=release.unit,
        slice=None if accounted.per_person else release.slice,
        **{budget: lost.all_repetitions},
        delta=delta,
        parts=[_known({budget: lost.per_repetition, "delta": delta and release.delta, "times": lost.repetitions})],
    )
    for row in accounted.conversions:
        if row.rule in RULES:
            yield _claim(
                "$.assessment.accounting.conversions",
                rho=accounted.rho,
                delta=accounted.delta,
                epsilon=row.epsilon,
                rule=row.rule,
            )
    if accounted.mu is not None:
        yield _claim("$.assessment.accounting.mu", rho=accounted.rho, mu=accounted.mu)
    if accounted.per_person is not None:
        yield _of_person(release, accounted, accounted.per_person)
    for at, added in enumerate(record.implementation):
        if added.scale:
            stated = "rho" if mechanisms_named((added.mechanism,)).needs_delta else "epsilon"
            yield _claim(
                f"$.implementation[{at}]",
                name=added.part,
                **{stated: getattr(added, stated)},
                noise={"kind": added.mechanism, "sensitivity": added.sensitivity, "scale": added.scale},
            )


def _of_person(release: Release, accounted: Accounting, person: Accounting) -> tuple[str, Claim]:
    name = "rho" if release.noise.needs_delta else "epsilon"
    of_unit = {name: getattr(accounted, name)}
    figures = {each: getattr(person, each) for each in QUANTITIES if each != "mu"}
    if not release.noise.needs_delta:
        figures = {name: getattr(person, name)}
    return _claim(
        "$.assessment.accounting.per_person",
        **of_unit,
        unit=release.unit,
        slice=release.slice if release.has_separate_units else None,
        slices=release.units_of_a_person,
        person=_known(figures),
    )


def _known(raw: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in raw.items() if value is not None}


def _claim(where: str, **fields: Any) -> tuple[str, Claim]:
    return where, read_value(Claim, _known(fields), where)
