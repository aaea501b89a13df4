"""The records of a folder and all below it, read one by one for the office's ledger, and then judged one by one.

A record is up to three files beside each other and counts once, wherever its JSON is: beside the PDF or only inside it.
Links are not followed; one that leads out of the folder is named. Nothing here is quicker than its largest file, so
whoever looks on is told after each.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from dpwizard import files, json_text
from dpwizard.errors import DPWizardError, FileProblem
from dpwizard.messages import message
from dpwizard.records import APPROVALS, Entry, Signed, entry_of, is_record
from dpwizard.signing import record_files
from dpwizard.signing.failures import any_failure_said_of
from dpwizard.stopping import may_stop

MOST = 100_000  # files and folders that are looked at
OF_RECORDS = (".json", ".pdf", ".json.jws")
SAYS_SO = b"dpwizard.record/"  # stands in every record
ATTACHING = b"/EmbeddedFile"  # stands in every PDF with a file inside


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

    With JUDGE false their signatures are not looked at. Raises FileProblem where FOLDER is none, cannot be read or
    holds more than MOST files. It ends early where nobody waits any more.
    """
    if not files.is_folder(folder):
        raise FileProblem("is not a folder", files.printable(folder), "Name the folder that holds the records.")
    found = tuple(_found(folder))
    entries: tuple[Entry, ...] = ()
    places: list[Path] = []
    for done, place in enumerate(found):
        may_stop()
        yield Survey(entries=entries, doing="read", done=done, of=len(found), name=_seen(folder, place))
        entry = _read(folder, place)
        if entry is not None:
            entries, places = (*entries, entry), [*places, place]
    yield Survey(entries=entries, doing="read", done=len(found), of=len(found))
    certificates = tuple(trusted)
    for at, place in enumerate(places if judge else ()):
        may_stop()
        yield Survey(entries=entries, doing="judge", done=at, of=len(entries), name=entries[at].place)
        entries = (*entries[:at], _judged(folder, place, entries[at], now, certificates), *entries[at + 1 :])
    yield Survey(entries=entries, doing="judge" if judge else "read", done=len(entries), of=len(entries))


# --------------------------------------------------------------------------------------------- what lies there


def _found(folder: Path) -> Iterator[Path]:
    """Yield by name the JSON file of each record there may be, there or not, and the links that lead out."""
    root, seen = os.path.realpath(folder), 0
    records: set[Path] = set()

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
                records |= {path} if _leads_out(path, root) else set()
            elif name not in folders:
                records.add(record_files.RecordFiles.beside(path).json)
    yield from sorted(records)


def _leads_out(link: Path, root: str) -> bool:
    target = os.path.realpath(link)
    return (
        os.path.commonpath((root, target)) != root
        if os.path.splitdrive(root)[0] == os.path.splitdrive(target)[0]
        else True
    )


def _seen(folder: Path, place: Path) -> str:
    """Return PLACE as seen from FOLDER."""
    return files.printable(place.relative_to(folder))


# ----------------------------------------------------------------------------------------------- one record


def _read(folder: Path, place: Path) -> Entry | None:
    """Return what is read of the record at PLACE; None where what lies there says of nothing that it is a record."""
    name = _seen(folder, place)
    if place.is_symlink():
        problem = FileProblem("is a link that leads out of the folder", name, "Lay the record itself into the folder.")
        return Entry(place=name, problem=problem.whole)
    target = record_files.RecordFiles.beside(place)
    signed, data = files.is_there(target.jws), None
    try:
        with any_failure_said_of(place):
            data = files.read_bytes(target.json) if files.is_there(target.json) else _inside(target.pdf, signed)
            if data is None:
                gone = message("only its signatures are in the folder: its loss is not known")
                return Entry(place=name, gone=True, problem=gone) if signed else None
            raw = json_text.parse(data)
            if not is_record(raw) and not signed:
                return None
            return entry_of(raw, name, hashlib.sha256(data).hexdigest())
    except DPWizardError as problem:
        if data is not None and not signed and SAYS_SO not in data:
            return None  # some other file
        return Entry(place=name, problem=problem.whole)


def _inside(pdf: Path, signed: bool) -> bytes | None:
    """Return the JSON inside a PDF that lies without it; None of one that is no record."""
    from dpwizard.signing.pdf_revisions import MARK, open_pdf

    content = files.read_bytes(pdf) if files.is_file(pdf) else b""
    if ATTACHING not in content:
        return None
    try:
        return open_pdf(content).attached()
    except DPWizardError:
        if signed or MARK in content:
            raise
        return None


def _judged(folder: Path, place: Path, entry: Entry, now: datetime, trusted: tuple[Path, ...]) -> Entry:
    """Return ENTRY with what the signatures at PLACE say at NOW; read anew where its file has changed since."""
    if entry.problem:
        return entry
    try:
        with any_failure_said_of(place):
            found = record_files.verify(record_files.RecordFiles.beside(place), trusted, now)
    except DPWizardError as problem:
        return replace(entry, signed=Signed(verdict="unreadable", outcome="failed", sentence=problem.whole))
    if found.json_sha256 not in (None, entry.sha256):
        again = _read(folder, place)
        changed = message("changed while it was read")
        entry = again if again is not None else replace(entry, problem=changed)
    return replace(
        entry,
        signed=Signed(
            verdict=found.verdict,
            outcome=found.outcome,
            sentence=found.sentence,
            last=max((signer.time[:10] for signer in found.signers), default=""),
            approved=any(signer.verdict in APPROVALS for signer in found.signers),
        ),
    )
