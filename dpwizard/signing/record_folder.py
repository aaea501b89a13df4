"""The records of a folder and all below it, read one by one for the office's ledger, and then judged one by one.

Each JSON file of a record is an entry; whatever goes wrong with one is its own row, never the end. A PDF without its
JSON is named, not opened. Links are not followed; one that leads out of the folder is named.
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from dpwizard import records
from dpwizard.base import files, json_text
from dpwizard.base.apart import Tell
from dpwizard.base.errors import DPWizardError, FileProblem
from dpwizard.base.messages import message
from dpwizard.base.stopping import may_stop
from dpwizard.decision import read_decision
from dpwizard.records import Entry, Ledger, Signed, earlier_entry_of, entry_of, ledger_of
from dpwizard.signing import store
from dpwizard.signing.bounded import Bounded, OutOfBounds
from dpwizard.signing.judging import judged
from dpwizard.signing.required_signatures import approves
from dpwizard.signing.signature import VOUCHES, sha256_of
from dpwizard.signing.store import RecordFiles

FURTHEST_AHEAD = timedelta(hours=14)  # of UTC, of all time zones
MOST = 100_000  # files and folders that are looked at
ENTRY = "dpwizard.signing.record_folder:entry_in"
OF_RECORDS = (".json", ".pdf", ".jws")
PUBLIC_LOG = "public_log.json"  # beside the tables that a release script made
PLACE = b"(Place1 "  # stands in the PDF of every record


@dataclass(frozen=True, kw_only=True)
class Survey:
    """How far a folder is read: what was read, how many of how many, and whether they are being read or judged."""

    entries: tuple[Entry, ...]
    doing: Literal["read", "judge"]
    done: int
    of: int
    name: str = ""  # what comes next


def survey(folder: Path, now: datetime, trusted: Iterable[Path] = (), *, judge: bool = True) -> Iterator[Survey]:
    """Yield how far the records under FOLDER are read, then judged at NOW against the certificates TRUSTED.

    With JUDGE false their signatures are not looked at. It ends early where nobody waits any more.

    Raises FileProblem where FOLDER is none, cannot be read or holds more than MOST files.
    """
    if not files.is_folder(folder):
        raise FileProblem("is not a folder", files.printable(folder), "Name the folder that holds the records.")
    found = tuple(_found(folder))
    made = _releases_made(found)
    entries: tuple[Entry, ...] = ()
    places: list[Path] = []
    with Bounded() as process:
        for done, place in enumerate(found):
            may_stop()
            yield Survey(entries=entries, doing="read", done=done, of=len(found), name=_seen(folder, place))
            entry = _read(folder, place, process)
            if entry is not None:
                entry = entry.model_copy(update={"releases": made.get(entry.sha256, 0)})
                entries, places = (*entries, entry), [*places, place]
        yield Survey(entries=entries, doing="read", done=len(found), of=len(found))
        certificates = tuple(trusted)
        for at, place in enumerate(places if judge else ()):
            may_stop()
            yield Survey(entries=entries, doing="judge", done=at, of=len(entries), name=entries[at].place)
            entries = (*entries[:at], _judged(place, entries[at], now, certificates, process), *entries[at + 1 :])
    yield Survey(entries=entries, doing="judge" if judge else "read", done=len(entries), of=len(entries))


# --------------------------------------------------------------------------------------------- what lies there


def _releases_made(found: tuple[Path, ...]) -> Mapping[str, int]:
    """Return how often a release was made of each record, by the record's hash: as the public logs FOUND say.

    A rehearsal is none, and copies of one log are one. A log that cannot be read is passed over.
    """
    logs: dict[str, set[bytes]] = defaultdict(set)
    for place in found:
        if place.name != PUBLIC_LOG:
            continue
        try:
            data = files.read_bytes(place)
            raw = json_text.parse(data)
        except DPWizardError:
            continue
        record = raw.get("record") if isinstance(raw, dict) and "rehearsal" not in raw else None
        if isinstance(record, dict) and isinstance(record.get("sha256"), str):
            logs[record["sha256"]].add(data)
    return {sha256: len(of_it) for sha256, of_it in logs.items()}


def _found(folder: Path) -> Iterator[Path]:
    """Yield by name the JSON file of each record there may be, there or not, and the links that lead out."""
    root, seen = os.path.realpath(folder), 0
    found: set[Path] = set()

    def refused(problem: OSError) -> None:
        raise FileProblem(files.reason(problem), files.printable(Path(problem.filename or folder)), files.REMEDY)

    for place, folders, names in os.walk(folder, onerror=refused):
        may_stop()
        seen += len(folders) + len(names)
        if seen > MOST:
            raise FileProblem(
                message("holds more than {most:,} files", most=MOST), files.printable(folder), "Name a smaller folder."
            )
        for name in (*folders, *(name for name in names if name.endswith(OF_RECORDS))):
            path = Path(place, name)
            if path.is_symlink():
                found |= {path} if _leads_out(path, root) else set()
            elif name not in folders:
                try:
                    found.add(RecordFiles.beside(path).json)
                except FileProblem:  # no record has so long a name: it is a row of its own
                    found.add(path)
    yield from sorted(found)


def _leads_out(link: Path, root: str) -> bool:
    target = os.path.realpath(link)
    other_drive = os.path.splitdrive(root)[0] != os.path.splitdrive(target)[0]
    return other_drive or os.path.commonpath((root, target)) != root


def _seen(folder: Path, place: Path) -> str:
    """Return PLACE as seen from FOLDER."""
    return files.printable(place.relative_to(folder))


# ----------------------------------------------------------------------------------------------- one record


def _read(folder: Path, place: Path, process: Bounded) -> Entry | None:
    """Return what PROCESS reads of the record at PLACE; None where what lies there says of nothing that it is a record.

    What a record loses is computed, which some decision may make last for ever.
    """
    name = _seen(folder, place)
    if place.is_symlink():
        problem = FileProblem("is a link that leads out of the folder", name, "Lay the record itself into the folder.")
        return Entry(place=name, problem=problem.whole)
    try:
        target = RecordFiles.beside(place)
    except FileProblem as problem:
        return Entry(place=name, problem=problem.whole)
    signed = files.may_be_there(target.line(1)) or files.may_be_there(target.before_1_0)
    data = None
    try:
        data = store.read(target.json)
        if data is None:
            return _without_json(target, folder, signed)
        if not (signed or store.SAYS_SO in data):
            return None  # some other file
        return process.do(Entry, ENTRY, data, name)
    except OutOfBounds as problem:
        said = message("its loss cannot be computed: {reason}", reason=problem.message)
    except DPWizardError as problem:
        said = problem.whole
    return Entry(place=name, problem=said) if data is None or signed or store.SAYS_SO in data else None


def entry_in(data: bytes, name: str) -> Entry:
    """Return what the JSON file called NAME says in DATA; raises DPWizardError where it is no record."""
    raw = json_text.parse(data)
    if isinstance(raw, dict) and "sentences" in raw and "name" not in raw:  # made before version 1.0
        if raw.get("left_out"):
            said = message("is a public edition of before version 1.0: what it leaves out may have been lost, too")
            return Entry(place=name, problem=said)
        decision = read_decision(records.read_record(raw)["decision"], "$.decision")
        return earlier_entry_of(decision, name, sha256_of(data))
    return entry_of(records.read(data), name, sha256_of(data))


def _without_json(target: RecordFiles, folder: Path, signed: bool) -> Entry | None:
    """Return what is known of a record whose JSON is not there: its signatures, or its PDF, by their names alone."""
    if signed:
        gone = message("only its signatures are in the folder: its loss is not known")
        return Entry(place=_seen(folder, target.json), gone=True, problem=gone)
    if PLACE in (store.read(target.pdf) or b""):
        alone = message("is the PDF of a record without its JSON: its loss is not known")
        return Entry(place=_seen(folder, target.pdf), gone=True, problem=alone)
    return None


def _judged(place: Path, entry: Entry, now: datetime, trusted: tuple[Path, ...], process: Bounded) -> Entry:
    """Return ENTRY with what the signatures at PLACE say at NOW."""
    if entry.problem:
        return entry
    try:
        found = judged(RecordFiles.beside(place), trusted, now, process=process)
    except DPWizardError as problem:
        unreadable = Signed(verdict="unreadable", outcome="failed", sentence=problem.whole)
        return entry.model_copy(update={"signed": unreadable})
    if found.json_sha256 not in (None, entry.sha256):
        return entry.model_copy(update={"problem": message("changed while it was read")})
    shown = None if found.shown_by is None else datetime.fromisoformat(found.shown_by) + FURTHEST_AHEAD
    signed = Signed(
        verdict=found.verdict,
        outcome=found.outcome,
        sentence=found.sentence,
        shown_by="" if shown is None else shown.date().isoformat(),  # where that day is latest on Earth
        approved=any(one.role != VOUCHES and approves(one.verdict, one.conditions) for one in found.signers),
    )
    return entry.model_copy(update={"signed": signed})


# ---------------------------------------------------------------------------- a ledger that is shown while it is read


# seconds between one look at what was read so far and the next
PAUSES = MappingProxyType({"read": 0.3, "judge": 1.0})
BLINK = 0.05  # seconds between one word of progress and the next
DELTA = 1e-6  # at which rho is said in epsilon


@dataclass(frozen=True, kw_only=True)
class Look:
    """What was read so far: the ledger, and the same with one entry more, where one is planned."""

    found: Ledger
    after: Ledger | None = None
    read: bool = False  # whether all was read, and is being judged


def read_ledger(tell: Tell, folder: Path, now: datetime, places: tuple[Path, ...], more: Entry | None) -> Look:
    """Return the ledger of FOLDER, read and judged at NOW against the certificates in PLACES, alone and with one MORE.

    TELL is told how far it is, and a look at what was read if there is a new one. Raises what `survey` raises.
    """
    looked = told = time.monotonic()
    newest = look((), now.date(), more)
    for step in survey(folder, now, places):
        moment, ended = time.monotonic(), step.done == step.of
        fresh = ended or (bool(step.entries) and moment - looked > PAUSES[step.doing])
        if fresh:
            newest = look(step.entries, now.date(), more, read=ended or step.doing == "judge")
            looked = time.monotonic()
        if fresh or moment - told > BLINK:
            tell((replace(step, entries=()), newest if fresh else None))
            told = moment
    return newest


def look(entries: tuple[Entry, ...], today: date, more: Entry | None, *, read: bool = False) -> Look:
    """Return what ENTRIES come to, alone and with one MORE; of what was READ, rho is said in epsilon here already, as
    what that needs takes long to load."""
    found = ledger_of(entries, today=today, delta=DELTA)
    after = None if more is None else ledger_of(entries, today=today, delta=DELTA, more=more)
    for total in (*found.totals, *(after.totals if after is not None else ())) if read else ():
        _ = total.conversions  # kept there
    return Look(found=found, after=after, read=read)
