"""The decision record: what was decided, on what grounds, and every number that its pages print, as one JSON document.

There is one spelling of a record. `write` gives it, and `read` takes nothing else: exactly these members, each written
as `write` writes it. Sentences are not stored; they follow from the numbers.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from importlib import metadata
from typing import Annotated, Any, Literal, TypeGuard, get_type_hints

from pydantic import AfterValidator, Field

from dpwizard.base import json_text
from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import Message, message
from dpwizard.base.values import ShortText, Value, Whole, plain, refused
from dpwizard.base.values import read as read_value
from dpwizard.base.version import __version__
from dpwizard.decision import (
    Assessment,
    Decision,
    Digest,
    NeighbouringRelation,
    read_assessment,
    read_decision,
    to_json,
    with_shares,
)
from dpwizard.privacy.mechanisms import MechanismName
from dpwizard.records.drawn import Drawn

FORMAT = "dpwizard.record/1"
DOCUMENT = "1.0-dev"  # the version of the pages: raised when a page of some record has other bytes
SOLVER_LIBRARIES = ("numpy", "scipy", "pydantic")
LONGEST_NAME = 100
YEARS = range(1950, 9001)  # in which every time has one in UTC
TOLERANCE = 1e-9  # relative: how closely the same program meets a recorded number again
DAMAGED = "The record is damaged; ask for the original."
Edition = Literal["internal", "public"]
Number = float | None


def _check_moment(text: str) -> str:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    spelled = moment is not None and moment.tzinfo is not None and moment.isoformat(timespec="seconds") == text
    if moment is None or not spelled or moment.year not in YEARS:
        raise refused("range", message("must be a time as 2026-11-24T10:21:00+01:00"))
    return text


def is_day(text: str) -> bool:
    """Return whether TEXT is a day as year-month-day."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _check_file_name(text: str) -> str:
    plain_name = text.isprintable() and not set(text) & set('/\\:*?"<>|') and text == text.strip(" .")
    if not plain_name or not 0 < len(text) <= LONGEST_NAME:
        raise refused("range", message("must be the name of a file, without its ending and without folders"))
    return text


Moment = Annotated[str, Field(strict=True, max_length=40), AfterValidator(_check_moment)]
FileName = Annotated[str, Field(strict=True), AfterValidator(_check_file_name)]
VersionText = Annotated[str, Field(strict=True, pattern=r"^[0-9]{1,6}(\.[0-9]{1,6}){0,3}((a|b|rc|\.dev)[0-9]{1,4})?$")]
Word = Annotated[str, Field(strict=True, pattern=r"^[A-Za-z0-9._-]{1,40}$")]
# what else a platform calls itself is written as "unknown"
Python = Annotated[str, Field(strict=True, pattern=r"^([0-9](\.[0-9]{1,3}){2}((a|b|rc)[0-9]{1,3})?\+?|unknown)$")]
Machine = Annotated[str, Field(strict=True, pattern=r"^([A-Za-z]{1,9}[0-9]{1,3}(_[0-9]{2}|el|le|hf|[a-z])?|unknown)$")]
System = Literal["Linux", "Windows", "Darwin", "FreeBSD", "OpenBSD", "NetBSD", "unknown"]
Salt = Annotated[str, Field(strict=True, pattern=r"^([0-9a-f]{64})?$")]


class Made(Value):
    """When the record was made, and whose word that is: the signer's, or that of the computer's clock."""

    time: Moment
    time_source: Literal["signer", "computer"]


class Libraries(Value):
    """The libraries that the solvers use."""

    numpy: VersionText
    scipy: VersionText
    pydantic: VersionText


class Program(Value):
    """The program that made the record."""

    name: Literal["dpwizard"]
    version: VersionText
    libraries: Libraries


class Platform(Value):
    """What the program ran on."""

    python: Python
    system: System
    machine: Machine


class Accounting(Value):
    """What the release costs with all its repetitions and what was spent before; each budget is what it counts in."""

    counted_in: Literal["epsilon", "rho"]
    rule: Literal["basic", "zcdp"]
    neighbours: NeighbouringRelation | None
    per_repetition: Number
    repetitions: int
    all_repetitions: Number
    spent_before: Number
    in_all: Number
    delta_in_all: Number
    delta_spent_before: Number
    of_one_person: Number  # the largest loss, the records of all others given; null where none is known


class Implementation(Value):
    """The noise to add to one table; its scale is rounded up, so that no requirement is violated."""

    part: ShortText | None
    mechanism: MechanismName
    dimension: int
    sensitivity: Number
    epsilon: Number
    rho: Number
    delta: Number
    scale: Number
    alpha: Number


class Policy(Value):
    """The office's policy that the decision was checked against."""

    name: ShortText
    sha256: Digest
    roles: Annotated[tuple[ShortText, ...], Field(max_length=100)]


class Public(Value):
    """Of which internal record a public version is, by its hash, and from how many requirements it was made."""

    internal_sha256: Digest
    requirements: Whole
    of: Whole


@dataclass(frozen=True, kw_only=True)
class Record:
    """One record: the same value for who writes it, prints it, checks it and adds it up."""

    format: Literal["dpwizard.record/1"]
    document: Word
    edition: Edition
    name: FileName  # of its files, without their endings
    made: Made
    program: Program
    platform: Platform
    decision: Decision
    assessment: Assessment
    accounting: Accounting
    implementation: tuple[Implementation, ...]
    drawn: Drawn
    salt: Salt  # so that the hash of an internal record tells nothing; empty in a public version
    policy: Policy | None
    public: Public | None

    @property
    def planned(self) -> Decision:
        """Return the decision with the shares that its allocation found, as the record states them."""
        return with_shares(self.decision, self.drawn.allotted)

    @property
    def chosen(self) -> float | None:
        """Return the budget chosen: rho where the release is counted in it."""
        return self.assessment.epsilon

    @property
    def time(self) -> datetime:
        """Return when it was made, in UTC."""
        return datetime.fromisoformat(self.made.time).astimezone(UTC)

    @property
    def is_from_this_version(self) -> bool:
        """Return whether this version of the program made it, with the libraries that are here."""
        return self.program == program()

    def salted(self, salt_for: Callable[[bytes], str]) -> Record:
        """Return the record with its salt: what SALT_FOR gives for its bytes, and nobody can guess who has only them.

        So the hash of an internal record tells nothing of what its public version leaves out.
        """
        return replace(self, salt=salt_for(write(self)))


DECLARED = get_type_hints(Record, include_extras=True)
MEMBERS = tuple(DECLARED)
VALUES: Mapping[str, Any] = {  # those that hold the same whatever is decided
    name: kind for name, kind in DECLARED.items() if name not in ("decision", "assessment")
}


@functools.cache
def program() -> Program:
    """Return this program's name and version, and those of the libraries its solvers use."""
    libraries = Libraries(**{name: metadata.version(name) for name in SOLVER_LIBRARIES})
    return Program(name="dpwizard", version=__version__, libraries=libraries)


# ------------------------------------------------------------------------------------------------- written and read


def write(record: Record) -> bytes:
    """Return the bytes of the JSON file of RECORD: the one spelling, which is hashed and signed."""
    return json_text.document(vars(record) | {"decision": to_json(record.decision)})


def as_members(record: Record) -> dict[str, Any]:
    """Return RECORD as JSON says it."""
    members: dict[str, Any] = plain(vars(record) | {"decision": to_json(record.decision)})
    return members


def read(data: bytes) -> Record:
    """Return the record that DATA, the bytes of a JSON file, holds; writing it again gives the same bytes.

    Raises InvalidInput naming the member that is missing, unknown, or not written as this program writes it.
    """
    raw = read_record(json_text.parse(data))
    record = of_members(raw)
    if write(record) != data:
        again = json_text.parse(write(record))
        where, *_ = next(differences("$", raw, again, lambda _, one, other: repr(one) == repr(other)), ("$",))
        raise InvalidInput("is not written as this program would write it", where, DAMAGED)
    return record


def of_members(raw: dict[str, Any]) -> Record:
    """Return the record of its members RAW, which JSON may write otherwise than `write` does."""
    for name in (*MEMBERS, *raw):
        if name not in raw or name not in MEMBERS:
            what = message("is missing") if name not in raw else message("is not a file of a record")
            raise InvalidInput(what, f"$.{name[:60]}", DAMAGED)
    values = {name: read_value(kind, raw[name], f"$.{name}") for name, kind in VALUES.items()}
    decision = read_decision(raw["decision"], "$.decision")
    _require_edition(values, len(decision.requirements))
    drawn: Drawn = values["drawn"]
    if not all(0 <= profile.requirement < len(decision.requirements) for profile in drawn.profiles):
        raise InvalidInput("names no requirement", "$.drawn.profiles", DAMAGED)
    if len(drawn.shares) not in (0, len(decision.release.parts)):
        raise InvalidInput("must have one entry for each table", "$.drawn.shares", DAMAGED)
    planned = with_shares(decision, drawn.allotted)
    budget = values["accounting"].per_repetition
    assessment = read_assessment(raw["assessment"], planned.release, decision.requirements, budget)
    return Record(decision=decision, assessment=assessment, **values)


def _require_edition(values: Mapping[str, Any], requirements: int) -> None:
    public, stated = values["edition"] == "public", values["public"]
    if public != (stated is not None):
        raise InvalidInput(
            "must state the record that a public version was made from, and be empty otherwise", "$.public", DAMAGED
        )
    if stated is not None and not stated.requirements == requirements <= stated.of:
        raise InvalidInput("must state how many requirements it was made from", "$.public.requirements", DAMAGED)
    if public and values["salt"]:
        raise InvalidInput("must be empty in a public version", "$.salt", DAMAGED)


def differences(
    where: str, one: Any, other: Any, same: Callable[[str, Any, Any], bool]
) -> Iterator[tuple[str, Any, Any]]:
    """Yield each place, by its path from WHERE on, where JSON says in ONE what is not the SAME in OTHER; with both."""
    if isinstance(one, dict) and isinstance(other, dict):
        pairs = [(f"{where}.{name}", one.get(name), other.get(name)) for name in sorted(one.keys() | other.keys())]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = [(f"{where}[{at}]", *pair) for at, pair in enumerate(zip(one, other, strict=True))]
    else:
        pairs = []
        if not same(where, one, other):
            yield where, one, other
    for each in pairs:
        yield from differences(*each, same)


def is_record(raw: object) -> TypeGuard[dict[str, Any]]:
    """Return whether RAW says it is a decision record, of this version or another."""
    return isinstance(raw, dict) and isinstance(raw.get("format"), str) and raw["format"].startswith("dpwizard.record/")


def read_record(raw: Any) -> dict[str, Any]:
    """Return RAW if it says that it is a record of this format and holds a decision; raises InvalidInput if not."""
    if not is_record(raw):
        hint = message('A record begins with {{"format": "{format}", ...}}.', format=FORMAT)
        raise InvalidInput("is not a decision record", "$.format", hint)
    if raw["format"] != FORMAT:
        what: Message = message('"{format}" is not a version this program can read', format=raw["format"][:60])
        raise InvalidInput(what, "$.format", message('It can read "{format}".', format=FORMAT))
    if not isinstance(raw.get("decision"), dict):
        raise InvalidInput("is missing or not an object", "$.decision", DAMAGED)
    return raw


def read_any(data: bytes) -> Decision:
    """Return the decision in DATA: that of a decision file, or of a record. Raises InvalidInput in words."""
    raw = json_text.parse(data)
    return read_decision(read_record(raw)["decision"], "$.decision") if is_record(raw) else read_decision(raw)
