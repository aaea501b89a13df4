"""The decision record: what was decided, on what grounds and by which computation, as one JSON document.

The bytes of NAME.json come from one writer, so the window and the command line write the same. `comparison` solves
the decision again and compares every member.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from importlib import metadata
from types import MappingProxyType
from typing import Any, TypeGuard

from dpwizard import json_text
from dpwizard.decision import (
    SHARE,
    Assessment,
    Decision,
    NumberSetting,
    Release,
    Window,
    assumptions,
    influences,
    numbers,
    promises,
    written,
)
from dpwizard.errors import InvalidInput
from dpwizard.language import counting
from dpwizard.messages import message, sentence, verbatim
from dpwizard.numerics import up
from dpwizard.records.closed_forms import DAMAGED, SOLVER_LIBRARIES, known, require_closed
from dpwizard.records.library_code import library_call
from dpwizard.values import plain
from dpwizard.version import __version__
from dpwizard.wording import explain, general_promise, persons

FORMAT = "dpwizard.record/1"
DOCUMENT = 5  # the version of the pages that say what a record says: raised when the bytes of a page change
TOLERANCE = 1e-9  # relative, and absolute below 1: how closely a replay must meet the recorded numbers
LIMITS = ("population", "assumptions", "implementation", "sensitivity", "elsewhere")
OBJECT, LIST, TEXT = ("an object", dict), ("a list", list), ("text", str)
FORMS: Mapping[str, tuple[str, type[Any]]] = MappingProxyType(  # of what a record may lack, as the first did
    {"program": OBJECT, "platform": OBJECT, "accounting": OBJECT, "implementation": LIST}
    | {"edition": TEXT, "internal_sha256": TEXT, "left_out": LIST, "influence": OBJECT, "policy": OBJECT, "salt": TEXT}
)
INTERNAL, PUBLIC = "internal", "public"
MOST_WORK = 40  # ordinary numbers whose influence a record states: a count, not a time, so that bytes stay the same
SMALLEST_SWING = 1e-9  # what a solver's last digits may do is no influence


@dataclass(frozen=True, kw_only=True)
class Stated:
    """A time, and whose word it is: "signer" where it was given, "computer" where its clock was read."""

    time: datetime
    source: str

    @property
    def text(self) -> str:
        """Return the time as ISO 8601 with its offset from UTC, to the second."""
        return self.time.isoformat(timespec="seconds")


def salted(record: dict[str, Any], salt_for: Callable[[bytes], str]) -> dict[str, Any]:
    """Return RECORD with its salt: what SALT_FOR gives for its bytes, and nobody can guess who has only them.

    So the hash of an internal record tells nothing of what its public edition leaves out.
    """
    return {**record, "salt": salt_for(record_bytes(record))}


def make_record(
    decision: Decision, assessment: Assessment, stated: Stated, policy: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the internal record of DECISION as ASSESSMENT judged it, made at the STATED time, still without a salt.

    The figures carry no language; the sentences are those of the decision's language, word for word as shown.
    POLICY is what `policy.named` says of the office's policy file it was checked against.
    """
    language = decision.language
    record = {
        "format": FORMAT,
        "document": DOCUMENT,
        "edition": INTERNAL,
        "made": {"time": stated.text, "time_source": stated.source},
        "program": program(),
        "platform": platform_here(),
        "tolerance": TOLERANCE,
        "decision": written(decision.as_recorded()),
        "assessment": assessment,
        "accounting": accounting(decision, assessment),
        "implementation": implementation(decision.planned.release, decision.chosen),
        "influence": influence(decision, assessment),
        "sentences": {"language": language, **sentences(decision, assessment)},
        **({"policy": policy} if policy else {}),
    }
    written_out: dict[str, Any] = plain(record)
    return written_out


def program() -> dict[str, Any]:
    """Return this program's name and version, and those of the libraries its solvers use."""
    return {"name": "dpwizard", "version": __version__, "libraries": {n: metadata.version(n) for n in SOLVER_LIBRARIES}}


def platform_here() -> dict[str, str]:
    """Return what this program runs on."""
    here = {"python": platform.python_version(), "system": platform.system(), "machine": platform.machine()}
    return {name: known(f"platform.{name}", found) for name, found in here.items()}


def accounting(decision: Decision, assessment: Assessment) -> dict[str, Any]:
    """Return what this release costs with all its repetitions and what was spent before, by basic composition.

    Of a release that is counted in rho all of it is rho, which adds up.
    """
    release, epsilon = decision.planned.release, decision.chosen
    if release.counted_in == "rho":
        return {
            "rule": "zcdp",
            "neighbours": release.neighbours,
            "rho_per_repetition": epsilon,
            "repetitions": release.repetitions,
            "rho_all_repetitions": None if epsilon is None else release.cost(epsilon),
            "spent_before": release.spent_before(),
            "rho_in_all": None if epsilon is None else release.cost_in_all(epsilon),
            "window": plain(assessment.window),
        }
    delta, before = release.delta_in_all(), release.delta_before()
    return {
        "rule": "basic",
        "neighbours": release.neighbours,
        "epsilon_per_repetition": epsilon,
        "repetitions": release.repetitions,
        "epsilon_all_repetitions": None if epsilon is None else release.cost(epsilon),
        "spent_before": release.spent_before(),
        "epsilon_in_all": None if epsilon is None else release.cost_in_all(epsilon),
        **({"delta_in_all": delta} if delta else {}),
        **({"delta_spent_before": before} if before else {}),
        "window": plain(assessment.window),
    }


def implementation(release: Release, epsilon: float | None) -> list[dict[str, Any]]:
    """Return, for each table, the noise to add at EPSILON; the scale is rounded up, so that no promise is broken.

    The sensitivity is the table's own. Gaussian tables divide what moves them together, and so each is stated with the
    epsilon that its own noise comes to at delta.
    """
    rows = []
    for table in release.tables:
        setting = release.number_setting(table.name)
        if not isinstance(setting, NumberSetting):
            continue
        sensitivity = setting.stated or setting.sensitivity
        row: dict[str, Any] = {"part": table.name, "mechanism": setting.mechanism, "sensitivity": sensitivity}
        known = promises.of_one_curator(release)  # how much noise each device adds is not looked at
        if known and epsilon is not None and epsilon > 0 and setting.noise is not None:
            scale = up(setting.scale(epsilon), 2)
            row |= {} if release.counted_in == "rho" else {"epsilon": setting.own(epsilon)}
            row["scale"] = scale
            if release.counted_in == "rho":
                row |= {"rho": up((sensitivity / scale) ** 2 / 2, 2)} if scale > 0.0 else {}
            elif setting.stated is not None and scale > 0.0:  # of this table alone, at the delta of all together
                row["epsilon"] = setting.noise.epsilon(scale, sensitivity, setting.delta or 0.0)
            if setting.noise.takes_delta and release.counted_in == "epsilon":
                whole_or_shared = setting.noise.on_lattice or setting.stated is not None
                row |= {"rho": up((sensitivity / scale) ** 2 / 2, 2)} if whole_or_shared and scale > 0.0 else {}
                row |= {"delta": setting.delta}
            row |= setting.noise.parameters(scale)
            row |= {"library_call": call} if (call := library_call(row, table.dimension)) else {}
        rows.append(row)
    return rows


def influence(decision: Decision, assessment: Assessment) -> dict[str, Any]:
    """Return how the window moves when each number of DECISION moves by a tenth, the largest move first.

    Moved are the numbers of the requirements that bind or contradict each other, then those of the release, then
    the others in order, as far as MOST_WORK reaches.
    """
    window = assessment.window
    binding = (window.binds_upper, window.binds_lower, *window.conflict)
    first = [f"$.requirements[{i}]" for i in binding if i is not None]
    places = [where for where, _ in numbers(decision)]

    def order(where: str) -> tuple[int, int]:
        owner = where[: where.find("]") + 1]
        place = first.index(owner) if owner in first else len(first) + (not where.startswith("$.release"))
        return place, where.count(".") + where.count("[")

    chosen, work = [], 0.0
    for where in sorted(places, key=order):
        work += _work(decision, where)
        if work > MOST_WORK:
            break
        chosen.append(where)
    found = influences(decision, assessment, only=frozenset(chosen))
    rows = [
        {"where": row.where, "value": row.value, "down": _ends(row.down), "up": _ends(row.up), "swing": row.swing}
        for row in found
        if row.swing > SMALLEST_SWING
    ]
    return {"share": SHARE, "moved": len(chosen), "of": len(places), "rows": rows}


def _work(decision: Decision, where: str) -> float:
    """Return about how long moving one number takes, in units of an ordinary requirement among few."""
    many = max(1.0, len(decision.requirements) / 50)
    if where.startswith("$.release"):
        return many * max((requirement.slowness for requirement in decision.requirements), default=1)
    return many * decision.requirements[int(where[len("$.requirements[") : where.find("]")])].slowness


def _ends(window: Window | None) -> dict[str, Any] | None:
    return None if window is None else {"lower": window.lower, "upper": window.upper, "empty": window.empty}


def sentences(decision: Decision, assessment: Assessment) -> dict[str, Any]:
    """Return every sentence the record says, word for word, in the decision's language."""
    with counting(decision.planned.release.counted_in):
        return _sentences(decision.planned, assessment)


def _sentences(decision: Decision, assessment: Assessment) -> dict[str, Any]:
    language = decision.language
    said: dict[str, Any] = {
        "window": explain.window(assessment, language),
        "position": explain.position(assessment, language),
        "broken": explain.broken(decision, assessment, language),
        "answers": [
            {
                "title": explain.title(answer, language),
                "bound": explain.bound(answer, language),
                "why": explain.why(answer.why, language, answer.kind),
                "at_epsilon": explain.at_epsilon(answer, decision.chosen, language),
            }
            for answer in assessment.answers
        ],
        "assumptions": [explain.word("assumption", key, language) for key in assumptions(decision)],
        "limits": [explain.word("limit", key, language) for key in LIMITS],
        **({"person": person} if (person := persons.of_a_person(decision.release, assessment, language)) else {}),
        "meaning": [] if _says_nothing(decision.release) else general_promise.meaning(decision, language),
    }
    words: dict[str, Any] = plain(said)
    return words


def _says_nothing(release: Release) -> bool:
    """Return whether a table without noise leaves nothing to be said of what epsilon means."""
    return release.noise.absent_somewhere and bool(general_promise.nothing_holds(release))


def record_bytes(record: dict[str, Any]) -> bytes:
    """Return the bytes of NAME.json: what is hashed and signed."""
    return json_text.document(record)


def is_record(raw: object) -> TypeGuard[dict[str, Any]]:
    """Return whether RAW says it is a decision record, of this version or another."""
    return isinstance(raw, dict) and isinstance(raw.get("format"), str) and raw["format"].startswith("dpwizard.record/")


def read_record(raw: Any) -> dict[str, Any]:
    """Return RAW if it is a record this program can replay; raises InvalidInput in words if not."""
    if not is_record(raw):
        raise InvalidInput(
            "is not a decision record",
            "$.format",
            message('A record begins with {{"format": "{format}", ...}}.', format=FORMAT),
        )
    if raw["format"] != FORMAT:
        raise InvalidInput(
            message('"{format}" is not a version this program reads', format=raw["format"][:60]),
            "$.format",
            message('It reads "{format}".', format=FORMAT),
        )
    for name, kind in (("decision", dict), ("assessment", dict), ("made", dict), ("sentences", dict)):
        if not isinstance(raw.get(name), kind):
            raise InvalidInput("is missing or not an object", f"$.{name}", DAMAGED)
    for name, (what, form) in FORMS.items():
        if name in raw and not isinstance(raw[name], form):
            raise InvalidInput(
                message("must be {what}", what=sentence(what)),
                f"$.{name}",
                DAMAGED,
            )
    require_closed(raw)
    return raw


def check_outcome(decision: Decision, assessment: Assessment) -> None:
    """Refuse a record that approves what is not complete, or an epsilon outside the window without a reason.

    Raises InvalidInput naming the first thing that is missing. Other outcomes may be recorded at any time.
    """
    if decision.outcome not in ("approve", "approve_with_conditions"):
        return
    if assessment.problems:
        first = assessment.problems[0]
        raise InvalidInput(
            verbatim(explain.say("problem", first.key, first.figures, decision.language)),
            first.where,
            "An approval needs a complete decision; answer this, or record another outcome.",
        )
    for index, answer in enumerate(assessment.answers):
        if answer.enabled and answer.status not in ("allowed", "unbounded"):
            raise InvalidInput(
                verbatim(explain.why(answer.why, decision.language, answer.kind)),
                f"$.requirements[{index}]",
                "An approval needs an answer to every requirement; change it, or switch it off with a reason.",
            )
    if assessment.inside is False and not decision.exception_reason:
        raise InvalidInput(
            verbatim(
                " ".join(explain.broken(decision, assessment, decision.language))
                or explain.position(assessment, decision.language)
            ),
            "$.epsilon",
            "Choose an epsilon inside the window, or give the reason for an exception.",
        )
