"""The decision record: what was decided, on what grounds and by which computation, as one JSON document.

The bytes of NAME.json come from one writer, so the window and the command line write the same. `replay`
rebuilds the decision, solves it again and compares number by number within the recorded tolerance.
"""

from __future__ import annotations

import math
import platform
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from importlib import metadata
from typing import Any

from dpwizard import __version__, explain, json_text, mechanisms
from dpwizard.assessment import Assessment, assess
from dpwizard.decision import Decision, read_decision, written
from dpwizard.errors import InvalidInput
from dpwizard.fields import plain
from dpwizard.numerics import up
from dpwizard.release import NumberSetting, Release
from dpwizard.steps import assumptions

FORMAT = "dpwizard.record/1"
TOLERANCE = 1e-9  # relative, and absolute below 1: how closely a replay must meet the recorded numbers
LIMITS = ("population", "assumptions", "implementation", "sensitivity", "elsewhere")
SOLVER_LIBRARIES = ("numpy", "scipy", "pydantic")


@dataclass(frozen=True, kw_only=True)
class Stated:
    """A time, and whose word it is: "signer" where it was given, "computer" where its clock was read."""

    time: datetime
    source: str

    @property
    def text(self) -> str:
        """Return the time as ISO 8601 with its offset from UTC, to the second."""
        return self.time.isoformat(timespec="seconds")


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One number or word in which a replay differs from the record."""

    where: str
    recorded: Any
    replayed: Any


def make_record(decision: Decision, assessment: Assessment, stated: Stated) -> dict[str, Any]:
    """Return the record of DECISION as ASSESSMENT judged it, made at the STATED time.

    The figures carry no language; the sentences are those of the decision's language, word for word as shown.
    """
    language = decision.language
    record = {
        "format": FORMAT,
        "made": {"time": stated.text, "time_source": stated.source},
        "program": {"name": "dpwizard", "version": __version__, "libraries": {n: metadata.version(n) for n in SOLVER_LIBRARIES}},
        "platform": {"python": platform.python_version(), "system": platform.system(), "machine": platform.machine()},
        "tolerance": TOLERANCE,
        "decision": written(decision),
        "assessment": assessment,
        "accounting": accounting(decision, assessment),
        "implementation": implementation(decision.release, decision.epsilon),
        "sentences": {"language": language, **sentences(decision, assessment)},
    }
    written_out: dict[str, Any] = plain(record)
    return written_out


def accounting(decision: Decision, assessment: Assessment) -> dict[str, Any]:
    """Return what this release costs with all its repetitions and what was spent before, by basic composition."""
    release, epsilon = decision.release, decision.epsilon
    spent = release.spent_under(release.neighbours) if release.neighbours else None
    this = None if epsilon is None else epsilon * release.repetitions
    return {
        "rule": "basic",
        "neighbours": release.neighbours,
        "epsilon_per_repetition": epsilon,
        "repetitions": release.repetitions,
        "epsilon_all_repetitions": this,
        "spent_before": spent,
        "epsilon_in_all": None if this is None or spent is None else this + spent,
        "window": plain(assessment.window),
    }


def implementation(release: Release, epsilon: float | None) -> list[dict[str, Any]]:
    """Return, for each table, the noise to add at EPSILON; the scale is rounded up, so that no promise is broken."""
    rows = []
    for name in [part.name for part in release.parts] or [None]:
        setting = release.number_setting(name)
        if not isinstance(setting, NumberSetting):
            continue
        row: dict[str, Any] = {"part": name, "mechanism": setting.mechanism, "sensitivity": setting.sensitivity}
        if epsilon is not None and epsilon > 0 and setting.mechanism != "exact":
            share = setting.own(epsilon)
            scale = up(mechanisms.noise_scale(setting.mechanism, share, setting.sensitivity, setting.delta or 0.0), 2)
            row |= {"epsilon": share, "scale": scale}
            row |= {"alpha": math.exp(-1 / scale)} if setting.mechanism == "geometric" else {}
        rows.append(row)
    return rows


def sentences(decision: Decision, assessment: Assessment) -> dict[str, Any]:
    """Return every sentence the record says, word for word, in the decision's language."""
    language = decision.language
    said: dict[str, Any] = {
        "window": explain.window(assessment, language),
        "position": explain.position(assessment, language),
        "broken": explain.broken(decision, assessment, language),
        "answers": [
            {
                "title": explain.title(answer, language),
                "bound": explain.bound(answer, language),
                "why": explain.why(answer.why, language),
                "at_epsilon": explain.at_epsilon(answer, decision.epsilon, language),
            }
            for answer in assessment.answers
        ],
        "assumptions": [explain.word("assumption", key, language) for key in assumptions(decision)],
        "limits": [explain.word("limit", key, language) for key in LIMITS],
        "meaning": [],
    }
    if decision.epsilon is not None and "exact" not in decision.release.mechanisms():
        said["meaning"] = explain.meaning(decision, decision.epsilon * decision.release.repetitions, language)
    return plain(said)  # type: ignore[no-any-return]


def record_bytes(record: dict[str, Any]) -> bytes:
    """Return the bytes of NAME.json: what is hashed and signed."""
    return json_text.document(record)


def is_record(raw: Any) -> bool:
    """Return whether RAW says it is a decision record, of this version or another."""
    return isinstance(raw, dict) and isinstance(raw.get("format"), str) and raw["format"].startswith("dpwizard.record/")


def read_record(raw: Any) -> dict[str, Any]:
    """Return RAW if it is a record this program can replay; raises InvalidInput in words if not."""
    if not is_record(raw):
        raise InvalidInput("is not a decision record", "$.format", f'A record begins with {{"format": "{FORMAT}", ...}}.')
    if raw["format"] != FORMAT:
        raise InvalidInput(f'"{raw["format"][:60]}" is not a version this program reads', "$.format", f'It reads "{FORMAT}".')
    for name, kind in (("decision", dict), ("assessment", dict), ("made", dict), ("sentences", dict)):
        if not isinstance(raw.get(name), kind):
            raise InvalidInput("is missing or not an object", f"$.{name}", "The record is damaged; ask for the original.")
    return raw  # type: ignore[no-any-return]


def replay(raw: Any) -> tuple[Difference, ...]:
    """Solve the decision of a record again and return every number or word that differs beyond its tolerance.

    Raises InvalidInput if RAW is no record or its decision cannot be read.
    """
    record = read_record(raw)
    decision = read_decision(record["decision"], "$.decision")
    assessment = assess(decision)
    tolerance = record.get("tolerance")
    allowed = min(tolerance, 1e-6) if isinstance(tolerance, float) and tolerance > 0 else TOLERANCE
    fresh = {
        "assessment": plain(assessment),
        "accounting": plain(accounting(decision, assessment)),
        "implementation": plain(implementation(decision.release, decision.epsilon)),
    }
    return tuple(found for name in fresh for found in _differences(f"$.{name}", record.get(name), fresh[name], allowed))


def _differences(where: str, recorded: Any, replayed: Any, tolerance: float) -> Iterator[Difference]:
    if isinstance(recorded, dict) and isinstance(replayed, dict):
        for name in sorted(recorded.keys() | replayed.keys()):
            yield from _differences(f"{where}.{name}", recorded.get(name), replayed.get(name), tolerance)
    elif isinstance(recorded, list) and isinstance(replayed, list) and len(recorded) == len(replayed):
        for index, (one, other) in enumerate(zip(recorded, replayed, strict=True)):
            yield from _differences(f"{where}[{index}]", one, other, tolerance)
    elif not _same(recorded, replayed, tolerance):
        yield Difference(where=where, recorded=recorded, replayed=replayed)


def _same(one: Any, other: Any, tolerance: float) -> bool:
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in (one, other))
    if not numbers:
        return type(one) is type(other) and bool(one == other)
    return bool(abs(one - other) <= tolerance * max(1.0, abs(one), abs(other)))


def check_outcome(decision: Decision, assessment: Assessment) -> None:
    """Refuse a record that approves what is not complete, or an epsilon outside the window without a reason.

    Raises InvalidInput naming the first thing that is missing. Other outcomes may be recorded at any time.
    """
    if decision.outcome not in ("approve", "approve_with_conditions"):
        return
    if assessment.problems:
        first = assessment.problems[0]
        raise InvalidInput(
            explain.say("problem", first.key, first.figures, decision.language),
            first.where,
            "An approval needs a complete decision; answer this, or record another outcome.",
        )
    for index, answer in enumerate(assessment.answers):
        if answer.enabled and answer.status not in ("allowed", "unbounded"):
            raise InvalidInput(
                explain.why(answer.why, decision.language),
                f"$.requirements[{index}]",
                "An approval needs an answer to every requirement; change it, or switch it off with a reason.",
            )
    if assessment.inside is False and not decision.exception_reason:
        raise InvalidInput(
            " ".join(explain.broken(decision, assessment, decision.language)) or explain.position(assessment, decision.language),
            "$.epsilon",
            "Choose an epsilon inside the window, or give the reason for an exception (exception_reason).",
        )
