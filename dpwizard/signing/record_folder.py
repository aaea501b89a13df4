"""The records of a folder and all below it, read one by one for the office's ledger, and then judged one by one.

Each JSON file of a record is an entry; whatever goes wrong with one is its own row, never the end. A PDF without its
JSON is named, not opened. What cannot be looked into is a row, too.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Literal, TypeAlias

from dpwizard.base import files, json_text
from dpwizard.base.errors import DPWizardError
from dpwizard.base.messages import message
from dpwizard.base.stopping import may_stop
from dpwizard.base.worker import Progress
from dpwizard.records import Ledger, LedgerEntry, Signed, ledger_of, read_entry
from dpwizard.signing import store
from dpwizard.signing.bounded import READING, Bounded, OutOfBounds, crew, each
from dpwizard.signing.findings import Verification
from dpwizard.signing.people import persons
from dpwizard.signing.required_signatures import approves
from dpwizard.signing.signature import PROPOSES, VOUCHES
from dpwizard.signing.store import RecordFiles
from dpwizard.signing.verify_tasks import VERIFY, not_checked

FURTHEST_AHEAD = timedelta(hours=14)  # of UTC, of all time zones
READ = "dpwizard.signing.record_folder:read_at"
Rows: TypeAlias = tuple[LedgerEntry, ...]  # of one record, or of none
PUBLIC_LOG = "public_log.json"  # beside the tables that a release script made
PLACE = b"(Place1 "  # stands in the PDF of every record


@dataclass(frozen=True, kw_only=True)
class FolderScan:
    """How far a folder is read: what was read, how many of how many, and whether they are being read or judged."""

    entries: tuple[LedgerEntry, ...]
    doing: Literal["read", "judge"]
    done: int
    of: int
    name: str = ""  # what comes next


def survey(
    folder: Path,
    now: datetime,
    trusted: tuple[Path, ...] = (),
    *,
    judge: bool = True,
    processes: list[Bounded] | None = None,
) -> Iterator[FolderScan]:
    """Yield how far the records under FOLDER are read, then judged at NOW against the certificates TRUSTED.

    With JUDGE false their signatures are not looked at. PROCESSES do it, else a crew that ends with the work. It ends
    early where nobody waits any more.

    Raises FileProblem where FOLDER is none, cannot be read or holds more than MOST files.
    """
    entries: tuple[LedgerEntry, ...] = ()
    places: list[Path] = []
    # they load what they need while the folder is looked through
    with crew(READING) if processes is None else nullcontext(processes) as processes:
        candidates = store.records_in(folder)
        readable = [path for path, why in candidates.items() if not why]
        releases_of = _times_released(readable)
        read = each(processes, Rows, READ, ((folder, path) for path in readable))
        for done, (path, why) in enumerate(candidates.items()):
            may_stop()
            name = _seen(folder, path)
            yield FolderScan(entries=entries, doing="read", done=done, of=len(candidates), name=name)
            rows = (LedgerEntry(place=name, problem=why),) if why else next(read)
            if isinstance(rows, DPWizardError):
                why = message("its loss cannot be computed: {reason}", reason=rows.message)
                rows = (LedgerEntry(place=name, problem=why),)
            for entry in rows:
                if times := releases_of.get(entry.sha256):
                    entry = entry.model_copy(update={"releases": times})
                entries, places = (*entries, entry), [*places, path]
        yield FolderScan(entries=entries, doing="read", done=len(candidates), of=len(candidates))
        sound = [path for path, entry in zip(places, entries, strict=True) if not entry.problem]
        given = ((path, trusted, now) for path in sound if judge)
        verified = each(processes, Verification, VERIFY, given)
        for at, entry in enumerate(entries if judge else ()):
            may_stop()
            yield FolderScan(entries=entries, doing="judge", done=at, of=len(entries), name=entry.place)
            if not entry.problem:
                entries = (*entries[:at], _judged(entry, next(verified)), *entries[at + 1 :])
    yield FolderScan(entries=entries, doing="judge" if judge else "read", done=len(entries), of=len(entries))


# --------------------------------------------------------------------------------------------- what lies there


def _times_released(paths: Iterable[Path]) -> Mapping[str, int]:
    """Return how often a release was made of each record, by the record's hash: as the public logs PATHS say.

    A rehearsal is none, and copies of one log are one. A log that cannot be read is passed over.
    """
    logs: dict[str, set[bytes]] = defaultdict(set)
    for path in paths:
        if path.name != PUBLIC_LOG:
            continue
        try:
            data = files.read_bytes(path)
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


def read_at(folder: Path, path: Path) -> Rows:
    """Return what the ledger of FOLDER reads of the record whose JSON is PATH; nothing where it does not say it is one.

    What a record loses is computed, which some decision may make last for ever: it is done in a bounded process.
    """
    name = _seen(folder, path)
    try:
        target = RecordFiles.beside(path)
        data = store.read(path)
        if data is None:
            return _without_json(target, name)
        return (read_entry(data, name),) if target.is_signed or store.SAYS_SO in data else ()
    except DPWizardError as problem:
        return (LedgerEntry(place=name, problem=problem.whole),)


def _without_json(target: RecordFiles, name: str) -> Rows:
    """Return what is known of a record whose JSON NAME is not there: its signatures, or its PDF, by their names alone.

    Nothing where neither is there.
    """
    if target.is_signed:
        gone = message("only its signatures are in the folder: its loss is not known")
        return (LedgerEntry(place=name, gone=True, problem=gone),)
    if PLACE in (store.read(target.pdf) or b""):
        alone = message("is the PDF of a record without its JSON: its loss is not known")
        return (LedgerEntry(place=f"{name.removesuffix('.json')}.pdf", gone=True, problem=alone),)
    return ()


def _judged(entry: LedgerEntry, judged: Verification | DPWizardError) -> LedgerEntry:
    """Return ENTRY with how the signatures at its place were JUDGED."""
    if isinstance(judged, OutOfBounds):
        judged = not_checked(judged)
    if isinstance(judged, DPWizardError):
        unreadable = Signed(verdict="unreadable", outcome="failed", sentence=judged.whole)
        return entry.model_copy(update={"signed": unreadable})
    if judged.json_sha256 not in (None, entry.sha256):
        return entry.model_copy(update={"problem": message("changed while it was read")})
    shown = None if judged.shown_by is None else datetime.fromisoformat(judged.shown_by) + FURTHEST_AHEAD
    signed = Signed(
        verdict=judged.verdict,
        outcome=judged.outcome,
        sentence=judged.sentence,
        shown_by="" if shown is None else shown.date().isoformat(),  # where that day is latest on Earth
        approval=_approval(judged),
    )
    return entry.model_copy(update={"signed": signed})


def _approval(verification: Verification) -> Literal["", "proposer", "other"]:
    """Return by whom the record is approved: to sign the record that one has prepared is to propose it.

    Whoever proposes it is nobody else in a further role.
    """
    signers, people = verification.signers, persons(signer.certificate for signer in verification.signers)
    proposing = {people[signer.certificate.fingerprint] for signer in signers if signer.role == PROPOSES}
    approvals = [s for s in signers if s.role != VOUCHES and approves(s.verdict, s.conditions)]
    approving = {people[signer.certificate.fingerprint] for signer in approvals}
    if not approving:
        return ""
    return "other" if approving - proposing else "proposer"


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
    progress: Progress, folder: Path, now: datetime, places: tuple[Path, ...], more: LedgerEntry | None
) -> LedgerSnapshot:
    """Return the ledger of FOLDER, read and judged at NOW against the certificates in PLACES, alone and with one MORE.

    PROGRESS gets the state of the scan, and a snapshot if there is a new one. Raises what `survey` raises.
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
            progress((replace(step, entries=()), newest if fresh else None))
            reported = moment
    return newest


def look(
    entries: tuple[LedgerEntry, ...], today: date, more: LedgerEntry | None, *, read: bool = False
) -> LedgerSnapshot:
    """Return what ENTRIES come to, alone and with one MORE; of what was READ, rho is said in epsilon here already, as
    what that needs takes long to load."""
    ledger = ledger_of(entries, today=today, delta=DELTA)
    after = None if more is None else ledger_of(entries, today=today, delta=DELTA, more=more)
    for total in (*ledger.totals, *(after.totals if after is not None else ())) if read else ():
        _ = total.conversions  # kept there
    return LedgerSnapshot(ledger=ledger, after=after, read=read)
