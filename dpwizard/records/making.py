"""A record made from its decision, and made again: every number solved anew and compared with that of a record."""

from __future__ import annotations

import math
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from dpwizard.base import json_text
from dpwizard.base.errors import InvalidInput
from dpwizard.base.language import speaking
from dpwizard.base.messages import verbatim
from dpwizard.base.numerics import up
from dpwizard.base.values import ReplayDifference, read
from dpwizard.decision import AccuracyInputs, Assessment, Decision, Release, assess, release_flaws, to_json
from dpwizard.records import drawing
from dpwizard.records.record import (
    DOCUMENT,
    FORMAT,
    TOLERANCE,
    Platform,
    Policy,
    Public,
    Record,
    as_members,
    differences,
    of_members,
    program,
)
from dpwizard.wording import assessments, persons, plain_sentences, texts

DRAWN = 2e-5  # relative: the same of what has six digits
ROUNDING = 1e-15  # what a few operations on numbers of about 1 may be off
LARGEST_MU = 1e150  # whose square is a number
LONGEST = 80  # characters of a value that is shown
BUDGETS = ("$.epsilon", "$.rho")  # the paths of the budget chosen
OF_ITS_MAKING = ("document", "made", "program", "platform", "salt")  # what no decision gives


@dataclass(frozen=True, kw_only=True)
class AssertedTime:
    """A time, and whose word it is: "signer" where it was given, "computer" where its clock was read."""

    time: datetime
    source: str

    @property
    def text(self) -> str:
        """Return the time as ISO 8601 with its offset from UTC, to the second."""
        return self.time.isoformat(timespec="seconds")


def make(
    decision: Decision,
    stated: AssertedTime,
    *,
    name: str,
    assessment: Assessment | None = None,
    salt: str = "",
    policy: Policy | None = None,
    public: Public | None = None,
) -> Record:
    """Return the record of DECISION, made at the STATED time and called NAME, solved and ready to be typeset.

    Arguments: assessment, if DECISION was solved already; policy, that it was checked against; public, of a public
    edition: of which internal record it is. Raises InvalidInput where NAME is no name of a file.
    """
    decision = decision.as_recorded()
    assessment = assessment or assess(decision)
    members = {
        "format": FORMAT,
        "document": DOCUMENT,
        "edition": "internal" if public is None else "public",
        "name": name,
        "made": {"time": stated.text, "time_source": stated.source},
        "program": program(),
        "platform": platform_here(),
        "decision": to_json(decision),
        "assessment": assessment,
        "accounting": accounting(decision),
        "implementation": implementation(decision.planned.release, decision.chosen),
        "drawn": drawing.drawn(decision, assessment),
        "salt": salt,
        "policy": policy,
        "public": public,
    }
    return of_members(json_text.parse(json_text.document(members)))  # as every reader of its file has it


def platform_here() -> dict[str, str]:
    """Return what this program runs on; "unknown" where a record has no word for it."""
    here = {"python": platform.python_version(), "system": platform.system(), "machine": platform.machine()}
    return {name: text if _is_known(name, text) else "unknown" for name, text in here.items()}


def _is_known(name: str, text: str) -> bool:
    try:
        read(Platform, dict.fromkeys(Platform.model_fields, "unknown") | {name: text})
    except InvalidInput:
        return False
    return True


def accounting(decision: Decision) -> dict[str, Any]:
    """Return what this release costs with all its repetitions and what was spent before, by basic composition.

    Of a release that is counted in rho all of it is rho, which adds up.
    """
    release, budget = decision.planned.release, decision.chosen
    in_rho = release.counted_in == "rho"
    return {
        "counted_in": release.counted_in,
        "rule": "zcdp" if in_rho else "basic",
        "neighbours": release.neighbours,
        "per_repetition": budget,
        "repetitions": release.repetitions,
        "all_repetitions": None if budget is None else release.cost(budget),
        "spent_before": release.spent_before(),
        "in_all": None if budget is None else release.cost_in_all(budget),
        "delta_in_all": None if in_rho else release.delta_in_all() or None,
        "delta_spent_before": None if in_rho else release.delta_before() or None,
        "of_one_person": None if budget is None else plain_sentences.loss_given_others(decision.planned),
    }


def implementation(release: Release, budget: float | None) -> list[dict[str, Any]]:
    """Return, for each table, the noise to add at BUDGET; the scale is rounded up, so that no requirement is violated.

    The sensitivity is the table's own. Gaussian tables divide what moves them together, and so each is stated with the
    epsilon that its own noise comes to at delta.
    """
    settings = ((table, release.number_setting(table.name)) for table in release.tables)
    return [
        {
            "part": table.name,
            "mechanism": setting.mechanism,
            "dimension": table.dimension,
            "sensitivity": setting.stated or setting.sensitivity,
            **dict.fromkeys(("epsilon", "rho", "delta", "scale", "alpha")),
            **_noise_to_add(release, setting, budget),
        }
        for table, setting in settings
        if isinstance(setting, AccuracyInputs)
    ]


def _noise_to_add(release: Release, setting: AccuracyInputs, budget: float | None) -> dict[str, Any]:
    """Return how much noise to add; nothing where none is known, or each device adds its own."""
    if not release_flaws.is_central_model(release) or budget is None or budget <= 0 or setting.noise is None:
        return {}
    noise, sensitivity = setting.noise, setting.stated or setting.sensitivity
    scale = up(setting.scale(budget), 2)
    mu = sensitivity / scale if scale > 0.0 else math.inf
    rho = up(mu * mu / 2, 2) if mu < LARGEST_MU else None
    figures: dict[str, Any] = {"scale": scale, **noise.parameters(scale)}
    if release.counted_in == "rho":
        return figures | {"rho": rho}
    figures["epsilon"] = setting.epsilon_of_number(budget)
    if setting.stated is not None and scale > 0.0:  # of this table alone, at the delta of all together
        figures["epsilon"] = noise.epsilon(scale, sensitivity, setting.delta or 0.0)
    if noise.needs_delta:
        figures["rho"] = rho if noise.integer_valued or setting.stated is not None else None
        figures["delta"] = setting.delta
    return figures


# ------------------------------------------------------------------------------------------------- made again


def recompute_record(record: Record) -> Record:
    """Return RECORD with every number taken from its decision: none that it claims is believed."""
    return make(
        record.decision,
        stated_in(record),
        name=record.name,
        salt=record.salt,
        policy=record.policy,
        public=record.public,
    )


def stated_in(record: Record) -> AssertedTime:
    """Return the time at which RECORD states to be made."""
    return AssertedTime(time=datetime.fromisoformat(record.made.time), source=record.made.time_source)


def recompute(record: Record) -> tuple[ReplayDifference, ...]:
    """Return every member in which RECORD is not what its decision gives, solved again; none where it is the same.

    Texts are compared exactly; numbers within TOLERANCE, drawn ones within DRAWN. Of a record that another version
    made (`is_from_this_version` is false) answers and ends of the range are compared within both stated errors, and
    what then differs says that it has to be looked at with that version, not that it is false.
    """
    again = recompute_record(record)
    members, other = as_members(record), as_members(again)
    errors = MappingProxyType({}) if record.is_from_this_version else _errors(record.assessment, again.assessment)

    def same(where: str, recorded: Any, replayed: Any) -> bool:
        tolerance = DRAWN if where.startswith("$.drawn") else TOLERANCE
        return _same(recorded, replayed, tolerance, errors.get(where, 0.0))

    return tuple(
        ReplayDifference(where=where, recorded=_drawn(recorded), now=_drawn(replayed))
        for name in members
        if name not in OF_ITS_MAKING
        for where, recorded, replayed in differences(f"$.{name}", members[name], other[name], same)
    )


def _errors(first: Assessment, other: Assessment) -> Mapping[str, float]:
    """Return by the path of each answer, and of each end of the window, how far two solutions may lie apart."""
    pairs = zip(first.answers, other.answers, strict=True)
    errors = {f"$.assessment.answers[{at}]": a.error + b.error for at, (a, b) in enumerate(pairs)}
    apart = {f"{where}.{name}": error for where, error in errors.items() for name in ("epsilon", "rho")}
    for end, position in (("lower", first.window.binds_lower), ("upper", first.window.binds_upper)):
        if position is not None:
            error = errors[f"$.assessment.answers[{position}]"]
            apart |= {f"$.assessment.window.{end}": error, f"$.assessment.window.rho.{end}": error}
    return apart


def _drawn(value: Any) -> str:
    text = "nothing" if value is None else str(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def _same(first: Any, other: Any, tolerance: float, error: float) -> bool:
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in (first, other))
    if not numbers or (isinstance(first, int) and isinstance(other, int)):  # a count is exact
        return type(first) is type(other) and bool(first == other)
    return bool(abs(first - other) <= max(error, ROUNDING, tolerance * max(abs(first), abs(other))))


# ------------------------------------------------------------------------------------------------- may it be approved


def check_outcome(decision: Decision, assessment: Assessment, *, public: bool = False) -> None:
    """Refuse a record that approves what is not complete, or an epsilon outside the window without a reason.

    Of a PUBLIC version only its epsilon is asked: what else is missing may be left out of it. Raises InvalidInput with
    the first thing that is missing. Other outcomes may be recorded at any time.
    """
    if decision.outcome not in ("approve", "approve_with_conditions"):
        return
    with speaking(decision.language):
        problems = [problem for problem in assessment.problems if not public or problem.where in BUDGETS]
        if problems:
            first = problems[0]
            raise InvalidInput(
                verbatim(texts.format_text("problem", first.key, first.values)),
                first.where,
                "An approval needs a complete decision. Answer this, or choose another outcome.",
            )
        for index, answer in enumerate(assessment.answers):
            if answer.enabled and answer.status not in ("allowed", "unbounded"):
                raise InvalidInput(
                    verbatim(assessments.why(answer.why, kind=answer.kind)),
                    f"$.requirements[{index}]",
                    "An approval needs an answer to every requirement. Change this one, or switch it off with a "
                    "reason.",
                )
        if assessment.inside is False and not (decision.exception_reason or public):
            raise InvalidInput(
                verbatim(" ".join(persons.violations(decision, assessment)) or assessments.position(assessment)),
                "$.epsilon",
                "Choose an epsilon within the allowed range, or give the reason for an exception.",
            )
