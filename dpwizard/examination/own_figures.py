"""A decision or a record of this program as claims: what it says of itself, held against arithmetic of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dpwizard.decision import Decision, assess, read_decision
from dpwizard.examination.claim import QUANTITIES, Claim
from dpwizard.examination.finding import Finding
from dpwizard.privacy.mechanisms import mechanism_named
from dpwizard.records import comparison, record, replayed
from dpwizard.values import plain, read

RULES = ("exact", "cks", "loose")  # "tight" is the curve of one figure's own noise, which replaying computes


def of_decision(raw: Mapping[str, Any]) -> tuple[str, tuple[tuple[str, Claim], ...]]:
    """Return the title of a decision, solved, and what its assessment claims; raises InvalidInput as reading does."""
    decision = read_decision(dict(raw))
    assessment = assess(decision)
    made = {
        "assessment": plain(assessment),
        "accounting": plain(record.accounting(decision, assessment)),
        "implementation": plain(record.implementation(decision.planned.release, decision.chosen)),
    }
    return decision.title or "", tuple(_claims(decision, made))


def of_record(raw: Mapping[str, Any]) -> tuple[str, tuple[tuple[str, Claim], ...], tuple[Finding, ...]]:
    """Return the title of a record, what its decision claims, and in what the record claims otherwise.

    Raises InvalidInput where it is no record, or its decision cannot be read.
    """
    made = replayed(dict(raw))
    decision = read_decision(made["decision"], "$.decision")
    different = tuple(
        Finding(
            statement="replay",
            where=one.where,
            verdict="differs",
            stated=str(one.recorded)[:200],
            figures={"replayed": str(one.replayed)[:200]},
        )
        for one in comparison.replay(dict(raw))
    )
    same = (Finding(statement="replay", where="$", verdict="agrees", stated=""),)
    return decision.title or "", tuple(_claims(decision, made)), different or same


def _claims(decision: Decision, made: Mapping[str, Any]) -> Iterator[tuple[str, Claim]]:
    release, lost = decision.planned.release, made.get("accounting") or {}
    accounted = made["assessment"].get("accounting") or {}
    in_rho = lost.get("rule") == "zcdp"
    budget = "rho" if in_rho else "epsilon"
    total, once = lost.get(f"{budget}_all_repetitions"), lost.get(f"{budget}_per_repetition")
    delta = lost.get("delta_in_all")
    yield _claim(
        "$.accounting",
        name=decision.title,
        unit=release.unit,
        slice=None if accounted.get("per_person") else release.slice,
        **{budget: total},
        delta=delta,
        parts=[_known({budget: once, "delta": delta and release.delta, "times": lost.get("repetitions", 1)})],
    )
    for row in accounted.get("conversions") or ():
        if row["rule"] in RULES:
            yield _claim(
                "$.assessment.accounting.conversions",
                rho=accounted.get("rho"),
                delta=accounted.get("delta"),
                epsilon=row["epsilon"],
                rule=row["rule"],
            )
    if accounted.get("mu") is not None:
        yield _claim("$.assessment.accounting.mu", rho=accounted.get("rho"), mu=accounted["mu"])
    if accounted.get("per_person"):
        yield _of_person(decision, accounted)
    for at, row in enumerate(made.get("implementation") or ()):
        if row.get("scale"):
            stated = "rho" if mechanism_named(row["mechanism"]).takes_delta else "epsilon"
            yield _claim(
                f"$.implementation[{at}]",
                name=row["part"],
                **{stated: row.get(stated)},
                noise={"kind": row["mechanism"], "sensitivity": row["sensitivity"], "scale": row["scale"]},
            )


def _of_person(decision: Decision, accounted: Mapping[str, Any]) -> tuple[str, Claim]:
    release, person = decision.planned.release, accounted["per_person"]
    name = "rho" if release.noise.takes_delta else "epsilon"
    one = {name: accounted.get(name)}
    said = {each: person.get(each) for each in QUANTITIES if each != "mu"}
    if not release.noise.takes_delta:
        said = {name: person.get(name)}
    return _claim(
        "$.assessment.accounting.per_person",
        **one,
        unit=release.unit,
        slice=release.slice,
        slices=release.units_of_a_person,
        person=_known(said),
    )


def _known(raw: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in raw.items() if value is not None}


def _claim(where: str, **fields: Any) -> tuple[str, Claim]:
    return where, read(Claim, _known(fields), where)
