"""An assessment read back from what it was written as: the same values that `assess` returns, and nothing is solved."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, cast

from pydantic import ValidationError

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.value_errors import in_words
from dpwizard.base.values import adapter, freeze
from dpwizard.decision.accounting import Accounting, BudgetUnits, Conversion, Readings, coordinates
from dpwizard.decision.assessment import AllowedRange, Assessment, RequirementResult
from dpwizard.decision.reasons import Reason
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import BaseRequirement

DAMAGED = "The record is damaged; ask for the original."
MAY_BE_UNKNOWN = ("confidence", "published_confidence", "epsilon")  # figures whose null is "not known", not "unbounded"


def read_assessment(
    raw: Any,
    release: Release,
    requirements: tuple[BaseRequirement, ...],
    budget: float | None,
    where: str = "$.assessment",
) -> Assessment:
    """Return the assessment that RAW holds, as `plain` wrote it.

    Arguments: release and requirements, those of the decision it assesses; budget, the one chosen, which an assessment
    in rho does not repeat. What stands in RAW besides is passed over: whoever needs to know writes it out again and
    compares. Raises InvalidInput naming the member that is missing or of another form.
    """
    found = _object(raw, where)
    known = coordinates(release)
    rows = found.get("answers")
    if not isinstance(rows, list) or len(rows) != len(requirements):
        wrong = message("must be a list of {count} answers, one for each requirement", count=len(requirements))
        raise InvalidInput(wrong, f"{where}.answers", DAMAGED)
    answers = tuple(
        _answer(_object(row, f"{where}.answers[{at}]"), known, release, requirement, f"{where}.answers[{at}]")
        for at, (row, requirement) in enumerate(zip(rows, requirements, strict=True))
    )
    window = _window(_object(found.get("window"), f"{where}.window"), known, len(answers), f"{where}.window")
    problems, inside = found.get("problems"), found.get("inside")
    if not isinstance(problems, list):
        raise InvalidInput("is missing or not a list", f"{where}.problems", DAMAGED)
    if inside is not None and not isinstance(inside, bool):
        raise InvalidInput("must be true, false or null", f"{where}.inside", DAMAGED)
    return Assessment(
        window=window,
        answers=answers,
        epsilon=budget,
        inside=inside,
        problems=tuple(_problem(_object(one, f"{where}.problems")) for one in problems),
        accounting=_accounting(found.get("accounting"), release, f"{where}.accounting"),
        counted_in=release.counted_in,
    )


def _answer(
    raw: Mapping[str, Any], known: BudgetUnits, release: Release, requirement: BaseRequirement, where: str
) -> RequirementResult:
    at = _object(raw.get("at_epsilon"), f"{where}.at_epsilon")
    answer: RequirementResult = _read(
        RequirementResult,
        {
            **raw,
            "epsilon": raw.get("epsilon" if known.epsilon else "rho"),
            "at_epsilon": {
                name: math.inf if value is None and name not in MAY_BE_UNKNOWN else value for name, value in at.items()
            },
            "why": _message(raw.get("why"), f"{where}.why"),
            "budget_units": known,
            "part": getattr(requirement, "part", None) if release.parts[1:] else None,
        },
        where,
    )
    if answer.kind != getattr(requirement, "kind", ""):
        raise InvalidInput("answers another kind of requirement", f"{where}.kind", DAMAGED)
    return answer


def _window(raw: Mapping[str, Any], known: BudgetUnits, answers: int, where: str) -> AllowedRange:
    ends = raw if known.epsilon else _object(raw.get("rho"), f"{where}.rho")
    window: AllowedRange = _read(
        AllowedRange, {**raw, "lower": ends.get("lower"), "upper": ends.get("upper"), "budget_units": known}, where
    )
    for name, position in (("binds_lower", window.binds_lower), ("binds_upper", window.binds_upper)):
        if position is not None and not 0 <= position < answers:
            raise InvalidInput("names no requirement", f"{where}.{name}", DAMAGED)
    if any(not 0 <= position < answers for position in window.conflict):
        raise InvalidInput("names no requirement", f"{where}.conflict", DAMAGED)
    return window


def _accounting(raw: Any, release: Release, where: str) -> Accounting:
    found = _object(raw, where)
    by_attribute, within_level = (
        tuple((key, _accounting(value, release, f"{where}.{name}")) for key, value in found.get(name, {}).items())
        for name in ("by_attribute", "within_level")
    )
    figures = {name: _read(float | None, found.get(name), where) for name in ("rho", "mu", "delta", "epsilon")}
    person = found.get("per_person")
    read_before = {name: found[name] for name in ("gdp_mu", "at_delta") if name in found}
    return Accounting(
        **figures,
        conversions=_read(tuple[Conversion, ...], found.get("conversions"), f"{where}.conversions"),
        counted_in=release.counted_in,
        per_person=None if person is None else _accounting(person, release, f"{where}.per_person"),
        trade_off=_read(Readings, read_before, where) if read_before else None,
        by_attribute=by_attribute,
        within_level=within_level,
    )


def _problem(raw: Mapping[str, Any]) -> Reason:
    step, where, key = (str(raw.get(name)) for name in ("step", "where", "key"))
    return Reason(step=step, where=where, key=key, values=freeze(raw.get("with")))


def _message(raw: Any, where: str) -> Reason:
    found = _object(raw, where)
    return Reason(key=str(found.get("key")), values=freeze(_object(found.get("with"), f"{where}.with")))


def _object(raw: Any, where: str) -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise InvalidInput("is missing or not an object", where, DAMAGED)
    return raw


def _read(kind: Any, raw: Any, where: str) -> Any:
    try:
        return adapter(cast(Any, kind)).validate_python(freeze(raw))
    except ValidationError as problem:
        raise in_words(problem, raw, where) from None
