"""Reading an assessment back from its JSON: the values that `assess` returned, without solving."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, cast

from pydantic import ValidationError

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.value_errors import in_words
from dpwizard.base.values import adapter, freeze
from dpwizard.decision.accounting import Accounting, Conversion, Readings
from dpwizard.decision.assessment import AllowedRange, Assessment, RequirementResult
from dpwizard.decision.reasons import Reason
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import BaseRequirement

DAMAGED = "The record is damaged; ask for the original."
MAY_BE_UNKNOWN = ("confidence", "published_confidence", "epsilon")  # null: unknown, not unbounded


def read_assessment(
    raw: Any,
    release: Release,
    requirements: tuple[BaseRequirement, ...],
    budget: float | None,
    where: str = "$.assessment",
) -> Assessment:
    """Return the assessment that RAW, its JSON, holds.

    Arguments: release and requirements of the decision; budget, the chosen one, which an assessment in rho does not
    repeat. Other members of RAW are ignored: compare it with the JSON of the result. Raises InvalidInput naming the
    member that is missing or has another form.
    """
    members = _require_object(raw, where)
    rows = members.get("answers")
    if not isinstance(rows, list) or len(rows) != len(requirements):
        wrong = message("must be a list of {count} answers, one for each requirement", count=len(requirements))
        raise InvalidInput(wrong, f"{where}.answers", DAMAGED)
    answers = tuple(
        _read_answer(row, release, requirement, f"{where}.answers[{at}]")
        for at, (row, requirement) in enumerate(zip(rows, requirements, strict=True))
    )
    problems, inside = members.get("problems"), members.get("inside")
    if not isinstance(problems, list):
        raise InvalidInput("is missing or not a list", f"{where}.problems", DAMAGED)
    if inside is not None and not isinstance(inside, bool):
        raise InvalidInput("must be true, false or null", f"{where}.inside", DAMAGED)
    return Assessment(
        window=_read_window(members.get("window"), release, len(answers), f"{where}.window"),
        answers=answers,
        epsilon=budget,
        inside=inside,
        problems=tuple(_read_reason(problem, f"{where}.problems") for problem in problems),
        accounting=_read_accounting(members.get("accounting"), release, f"{where}.accounting"),
        counted_in=release.counted_in,
    )


def _read_answer(raw: Any, release: Release, requirement: BaseRequirement, where: str) -> RequirementResult:
    row = _require_object(raw, where)
    at = _require_object(row.get("at_epsilon"), f"{where}.at_epsilon")
    fields = {
        **_with_units(row, release),
        "epsilon": row.get(release.counted_in),
        "at_epsilon": {
            name: math.inf if value is None and name not in MAY_BE_UNKNOWN else value for name, value in at.items()
        },
        "why": _read_reason(row.get("why"), f"{where}.why"),
        "part": getattr(requirement, "part", None) if release.parts[1:] else None,
    }
    answer: RequirementResult = _read_value(RequirementResult, fields, where)
    if answer.kind != getattr(requirement, "kind", ""):
        raise InvalidInput("answers another kind of requirement", f"{where}.kind", DAMAGED)
    return answer


def _read_window(raw: Any, release: Release, count: int, where: str) -> AllowedRange:
    members = _require_object(raw, where)
    ends = members if release.counted_in == "epsilon" else _require_object(members.get("rho"), f"{where}.rho")
    fields = {**_with_units(members, release), "lower": ends.get("lower"), "upper": ends.get("upper")}
    window: AllowedRange = _read_value(AllowedRange, fields, where)
    named = {"binds_lower": (window.binds_lower,), "binds_upper": (window.binds_upper,), "conflict": window.conflict}
    for name, positions in named.items():
        if any(position is not None and not 0 <= position < count for position in positions):
            raise InvalidInput("names no requirement", f"{where}.{name}", DAMAGED)
    return window


def _with_units(members: Mapping[str, Any], release: Release) -> dict[str, Any]:
    in_units = {unit: members[unit] for unit in ("rho", "mu") if unit in members}
    return {**members, "counted_in": release.counted_in, "in_units": in_units}


def _read_accounting(raw: Any, release: Release, where: str) -> Accounting:
    members = _require_object(raw, where)
    by_attribute, within_level = (
        tuple(
            (key, _read_accounting(value, release, f"{where}.{name}")) for key, value in members.get(name, {}).items()
        )
        for name in ("by_attribute", "within_level")
    )
    figures = {name: _read_value(float | None, members.get(name), where) for name in ("rho", "mu", "delta", "epsilon")}
    per_person = members.get("per_person")
    readings = {name: members[name] for name in ("gdp_mu", "at_delta") if name in members}
    return Accounting(
        **figures,
        conversions=_read_value(tuple[Conversion, ...], members.get("conversions"), f"{where}.conversions"),
        counted_in=release.counted_in,
        per_person=None if per_person is None else _read_accounting(per_person, release, f"{where}.per_person"),
        trade_off=_read_value(Readings, readings, where) if readings else None,
        by_attribute=by_attribute,
        within_level=within_level,
    )


def _read_reason(raw: Any, where: str) -> Reason:
    reason = _require_object(raw, where)
    values = freeze(_require_object(reason.get("with"), f"{where}.with"))
    step, place = (str(reason.get(name, "")) for name in ("step", "where"))
    return Reason(key=str(reason.get("key")), values=values, step=step, where=place)


def _require_object(raw: Any, where: str) -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise InvalidInput("is missing or not an object", where, DAMAGED)
    return raw


def _read_value(kind: Any, raw: Any, where: str) -> Any:
    try:
        return adapter(cast(Any, kind)).validate_python(freeze(raw))
    except ValidationError as problem:
        raise in_words(problem, raw, where) from None
