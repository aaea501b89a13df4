"""The records of a folder and all below it, read one by one for the office's ledger, and then judged one by one.

Each JSON file of a record is an entry; whatever goes wrong with one is its own row, never the end. A PDF without its
JSON is named, not opened. What cannot be looked into is a row, too.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from dpwizard import records
from dpwizard.base import files, json_text
from dpwizard.base.errors import DPWizardError
from dpwizard.base.messages import Message, message
from dpwizard.base.stopping import may_stop
from dpwizard.base.worker import Tell
from dpwizard.decision import read_decision
from dpwizard.records import Ledger, LedgerEntry, Signed, earlier_entry_of, entry_of, ledger_of
from dpwizard.signing import store
from dpwizard.signing.bounded import Bounded, OutOfBounds, crew
from dpwizard.signing.required_signatures import approves
from dpwizard.signing.signature import VOUCHES, sha256_of
from dpwizard.signing.store import RecordFiles
from dpwizard.signing.verify_tasks import verify_folder

FURTHEST_AHEAD = timedelta(hours=14)  # of UTC, of all time zones
ENTRY = "dpwizard.signing.record_folder:entry_in"
PUBLIC_LOG = "public_log.json"  # beside the tables that a release script made
SENTENCES = b'"sentences"'  # a member of records made before version 1.0
PLACE = b"(Place1 "  # stands in the PDF of every record


@dataclass(frozen=True, kw_only=True)
class FolderScan:
    """How far a folder is read: what was read, how many of how many, and whether they are being read or judged."""

    entries: tuple[LedgerEntry, ...]
    doing: Literal["read", "judge"]
    done: int
    of: int
    name: str = ""  # what comes next


def survey(folder: Path, now: datetime, trusted: Iterable[Path] = (), *, judge: bool = True) -> Iterator[FolderScan]:
    """Yield how far the records under FOLDER are read, then judged at NOW against the certificates TRUSTED.

    With JUDGE false their signatures are not looked at. It ends early where nobody waits any more.

    Raises FileProblem where FOLDER is none, cannot be read or holds more than MOST files.
    """
    found = store.records_in(folder)
    made = _times_released(path for path, why in found.items() if not why)
    entries: tuple[LedgerEntry, ...] = ()
    places: list[Path] = []
    with crew() as each:
        read = each(partial(_read, folder), found.items())
        for done, place in enumerate(found):
            may_stop()
            yield FolderScan(entries=entries, doing="read", done=done, of=len(found), name=_seen(folder, place))
            entry = next(read)
            if entry is not None:
                entry = entry.model_copy(update={"releases": made.get(entry.sha256, 0)})
                entries, places = (*entries, entry), [*places, place]
        yield FolderScan(entries=entries, doing="read", done=len(found), of=len(found))
        certificates = tuple(trusted)
        verified = each(partial(_judged, now, certificates), zip(places, entries, strict=True) if judge else ())
        for at in range(len(places) if judge else 0):
            may_stop()
            yield FolderScan(entries=entries, doing="judge", done=at, of=len(entries), name=entries[at].place)
            entries = (*entries[:at], next(verified), *entries[at + 1 :])
    yield FolderScan(entries=entries, doing="judge" if judge else "read", done=len(entries), of=len(entries))


# --------------------------------------------------------------------------------------------- what lies there


def _times_released(found: Iterable[Path]) -> Mapping[str, int]:
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


def _seen(folder: Path, place: Path) -> str:
    return files.printable(place.relative_to(folder))


# ----------------------------------------------------------------------------------------------- one record


def _read(folder: Path, process: Bounded, found: tuple[Path, Message]) -> LedgerEntry | None:
    """Return what PROCESS reads of what was FOUND; None where what lies there does not say that it is a record.

    What a record loses is computed, which some decision may make last for ever.
    """
    path, why = found
    name = _seen(folder, path)
    if why:
        return LedgerEntry(place=name, problem=why)
    try:
        target = RecordFiles.beside(path)
        data = store.read(path)
        if data is None:
            return _without_json(target, folder)
        if not (target.is_signed or store.SAYS_SO in data):
            return None  # some other file
        return process.do(LedgerEntry, ENTRY, data, name)
    except OutOfBounds as problem:
        text = message("its loss cannot be computed: {reason}", reason=problem.message)
    except DPWizardError as problem:
        text = problem.whole
    return LedgerEntry(place=name, problem=text)


def entry_in(data: bytes, name: str) -> LedgerEntry:
    """Return what the JSON file called NAME says in DATA; raises DPWizardError where it is no record."""
    raw = json_text.parse(data) if SENTENCES in data else None
    if isinstance(raw, dict) and "sentences" in raw and "name" not in raw:  # made before version 1.0
        if raw.get("left_out"):
            text = message("is a public edition of before version 1.0: what it leaves out may have been lost, too")
            return LedgerEntry(place=name, problem=text)
        decision = read_decision(records.read_record(raw)["decision"], "$.decision")
        return earlier_entry_of(decision, name, sha256_of(data))
    return entry_of(records.read(data), name, sha256_of(data))


def _without_json(target: RecordFiles, folder: Path) -> LedgerEntry | None:
    """Return what is known of a record whose JSON is not there: its signatures, or its PDF, by their names alone."""
    if target.is_signed:
        gone = message("only its signatures are in the folder: its loss is not known")
        return LedgerEntry(place=_seen(folder, target.json), gone=True, problem=gone)
    if PLACE in (store.read(target.pdf) or b""):
        alone = message("is the PDF of a record without its JSON: its loss is not known")
        return LedgerEntry(place=_seen(folder, target.pdf), gone=True, problem=alone)
    return None


def _judged(now: datetime, trusted: tuple[Path, ...], process: Bounded, at: tuple[Path, LedgerEntry]) -> LedgerEntry:
    """Return an entry with what the signatures at its place say at NOW."""
    place, entry = at
    if entry.problem:
        return entry
    try:
        found = verify_folder(RecordFiles.beside(place), trusted, now, process=process)
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
class LedgerSnapshot:
    """What was read so far: the ledger, and the same with one entry more, where one is planned."""

    ledger: Ledger
    after: Ledger | None = None
    read: bool = False  # whether all was read, and is being judged


def read_ledger(
    tell: Tell, folder: Path, now: datetime, places: tuple[Path, ...], more: LedgerEntry | None
) -> LedgerSnapshot:
    """Return the ledger of FOLDER, read and judged at NOW against the certificates in PLACES, alone and with one MORE.

    TELL is told how far it is, and a look at what was read if there is a new one. Raises what `survey` raises.
    """
    looked = reported = time.monotonic()
    newest = look((), now.date(), more)
    for step in survey(folder, now, places):
        moment, ended = time.monotonic(), step.done == step.of
        fresh = ended or (bool(step.entries) and moment - looked > PAUSES[step.doing])
        if fresh:
            newest = look(step.entries, now.date(), more, read=ended or step.doing == "judge")
            looked = time.monotonic()
        if fresh or moment - reported > BLINK:
            tell((replace(step, entries=()), newest if fresh else None))
            reported = moment
    return newest


def look(
    entries: tuple[LedgerEntry, ...], today: date, more: LedgerEntry | None, *, read: bool = False
) -> LedgerSnapshot:
    """Return what ENTRIES come to, alone and with one MORE; of what was READ, rho is said in epsilon here already, as
    what that needs takes long to load."""
    found = ledger_of(entries, today=today, delta=DELTA)
    after = None if more is None else ledger_of(entries, today=today, delta=DELTA, more=more)
    for total in (*found.totals, *(after.totals if after is not None else ())) if read else ():
        _ = total.conversions  # kept there
    return LedgerSnapshot(ledger=found, after=after, read=read)
