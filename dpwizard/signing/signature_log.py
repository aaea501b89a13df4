"""The log of signatures of an office: one line for each signature made here, each naming the line before by its hash.

A record cannot show that its last signature was taken away. The log can: a rejection that is removed from the record is
still noted here. The file is only ever appended to; that nobody else shortens it is for its permissions to say, and for
whoever noted its head (the hash of its last line) somewhere else.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from dpwizard import files
from dpwizard.errors import DPWizardError, FileProblem, SigningProblem
from dpwizard.messages import NO_MESSAGE, Message, joined, message
from dpwizard.signing.certificates import printable, stamp
from dpwizard.signing.findings import FAILED, PASSED, UNDETERMINED, Finding, Verification
from dpwizard.signing.json_signature import Digest, Moment, line_hash, read_line, split_lines
from dpwizard.values import Sentence, ShortText, Value, Whole, plain, read

TITLE = message("Every signature that the log of the office notes of this record is there")
LONGEST_LINE = 20_000  # bytes
# a signature is noted before it is written and after; "not_written": writing it failed
Event = Literal["opened", "signing", "signed", "not_written"]


class Entry(Value):
    """One line of the log: what happened, to which record, and the hash of the line before."""

    event: Event
    number: Whole
    time: Moment  # by the clock of the computer, whatever time the signer states
    previous: Digest | None
    record: ShortText = ""  # the name of its JSON file
    json_sha256: Digest | None = None
    signature: Digest | None = None  # the hash of the signature's line in NAME.json.jws
    certificate: Digest | None = None
    role: ShortText = ""
    outcome: ShortText = ""  # the signer's verdict
    stated: ShortText = ""  # the time the signer states


@dataclass(frozen=True, kw_only=True)
class Log:
    """A log as it was read: its entries, the hash of its last line, and what is wrong with it, if anything."""

    entries: tuple[Entry, ...]
    head: str
    heads: tuple[str, ...]  # the hash of each line
    problems: tuple[Message, ...]

    @property
    def signed(self) -> tuple[Entry, ...]:
        """Return every signature noted as written."""
        return tuple(entry for entry in self.entries if entry.event == "signed")

    @property
    def unfinished(self) -> tuple[Entry, ...]:
        """Return the signatures begun of whose end nothing is noted: the program or the computer was stopped.

        One that the same person gave again later is none of them.
        """
        begun: dict[tuple[str | None, ...], Entry] = {}
        for entry in self.entries:
            whose = (entry.json_sha256, entry.certificate, entry.role)
            if entry.event == "signing":
                begun[whose] = entry
            else:
                begun.pop(whose, None)
        return tuple(begun.values())


class Judged(Value):
    """What a log is worth, alone or beside the records of a folder."""

    outcome: Literal["passed", "failed", "undetermined"]
    exit_status: int
    signatures: int
    head: str
    problems: tuple[Sentence, ...] = ()
    missing: tuple[Sentence, ...] = ()  # signatures noted that are in their records no more
    unseen: tuple[Sentence, ...] = ()  # signatures noted of records that are not in the folder


def begin(place: Path) -> None:
    """Begin a log at PLACE, which must not exist; raises FileProblem."""
    files.write_new(place, _spelled(Entry(event="opened", number=0, time=stamp(_now()), previous=None)))


@contextlib.contextmanager
def noted(log: Path | None, *, name: str, json_bytes: bytes, chain: str) -> Iterator[None]:
    """Note in LOG (None: nowhere) the last signature of CHAIN, then let the record called NAME be written.

    It is noted before and after; where writing fails, that is noted. Raises FileProblem where the log cannot be
    written before: then nothing is signed.
    """
    if log is None:
        yield
        return
    last = split_lines(chain)[-1]
    line = read_line(last)
    said = line.manifest
    told: Mapping[str, Any] = {
        "record": name[:200],
        "json_sha256": hashlib.sha256(json_bytes).hexdigest(),
        "signature": line_hash(last),
        "certificate": hashlib.sha256(line.chain[0]).hexdigest(),
        "role": said.role,
        "outcome": said.verdict,
        "stated": said.time,
    }
    append(log, "signing", told)
    try:
        yield
    except BaseException:
        append(log, "not_written", told)
        raise
    with contextlib.suppress(FileProblem):  # the record is written: what the first line says is enough to miss it
        append(log, "signed", told)


def with_log(found: Verification, jws_text: bytes | None, log: Path | None) -> Verification:
    """Return FOUND, refused where LOG (None: there is none) notes a signature that the record has no more."""
    if log is None or not found.ok or found.json_sha256 is None or jws_text is None:
        return found
    held = read_log(log)
    gone = _gone(held, found.json_sha256, jws_text)
    if gone:
        why = message("a signature noted in the log of the office is not there: {what}", what=_told(gone[0]))
        finding = Finding(check="log", title=TITLE, ok=False, why=why)
        sentence = message("Unchanged since signing, but refused: {reason}.", reason=why)
        return found.model_copy(
            update={
                "verdict": "refused",
                "ok": False,
                "sentence": sentence,
                "findings": (*found.findings, finding),
            }
        )
    there = _hashes(jws_text)
    lost = [one for one in held.unfinished if one.json_sha256 == found.json_sha256 and one.signature not in there]
    why = NO_MESSAGE
    if held.problems:
        why = message("the log of signatures of the office is not whole: {reason}", reason=held.problems[0])
    elif lost:
        what = _told(lost[0])
        why = message("a signature was begun here, and nothing is noted of its end: {what}", what=what)
    finding = Finding(check="log", title=TITLE, ok=None if why else True, why=why)
    return found.model_copy(
        update={"findings": (*found.findings, finding), "open": (*found.open, *((why,) if why else ()))}
    )


def require_all_there(log: Path | None, json_bytes: bytes, jws_text: bytes) -> None:
    """Raise SigningProblem where LOG notes a signature of the record that is not there: nothing is signed over it."""
    gone = () if log is None else _gone(read_log(log), hashlib.sha256(json_bytes).hexdigest(), jws_text)
    if gone:
        raise SigningProblem(
            message("a signature noted in the log of the office is not there: {what}", what=_told(gone[0])),
            "record",
            "Sign the record as it was after that signature.",
        )


def judge_log(log: Path, *, records: Path | None = None, head: str = "") -> Judged:
    """Return whether LOG is whole, holds the line with the hash HEAD, and whether what it notes is in RECORDS.

    RECORDS is a folder, searched with all below it. Raises FileProblem where the log cannot be read.
    """
    held = read_log(log)
    problems = list(held.problems)
    if head and head not in held.heads:
        problems.append(message("no line has the hash {head}: the log was shortened or is another one", head=head[:64]))
    missing: list[Message] = []
    unseen: list[Message] = []
    lying = {} if records is None else _signatures_in(records)
    for entry in held.signed if records is not None else ():
        at_hand = lying.get(entry.json_sha256 or "")
        if at_hand is None:
            unseen.append(_told(entry))
        elif entry.signature not in at_hand:
            missing.append(_told(entry))
    outcome: Literal["passed", "failed", "undetermined"] = (
        "failed" if problems or missing else "undetermined" if unseen else "passed"
    )
    return Judged(
        outcome=outcome,
        exit_status={"passed": PASSED, "failed": FAILED, "undetermined": UNDETERMINED}[outcome],
        signatures=len(held.signed),
        head=held.head,
        problems=tuple(problems),
        missing=tuple(missing),
        unseen=tuple(unseen),
    )


def told(found: Judged) -> Iterator[Message]:
    """Yield what was FOUND of a log, a sentence each."""
    yield {
        "passed": message("The log holds."),
        "failed": message("The log does not hold, or what it notes is there no more."),
        "undetermined": message("The log holds; not everything it notes is at hand."),
    }[found.outcome]
    for problem in found.problems:
        yield message("  Not as written: {what}.", what=problem)
    for gone in found.missing:
        yield message("  Gone from its record: {what}.", what=gone)
    for one in found.unseen:
        yield message("  No such record here: {what}.", what=one)
    noted = message("Signatures noted: {count}.", count=found.signatures)
    yield joined((noted, message("Head, to be noted elsewhere: {head}", head=found.head)))


def read_log(log: Path) -> Log:
    """Return the log in the file LOG; raises FileProblem where it cannot be read. What is wrong with it, it says."""
    content = files.read_bytes(log)
    entries: list[Entry] = []
    heads: list[str] = []
    problems: list[Message] = []
    lines = content.split(b"\n")
    if lines and lines[-1] == b"":
        lines.pop()
    elif lines:
        problems.append(message("the last line is cut off"))
    for number, line in enumerate(lines):
        entry = _entry(line)
        if entry is None:
            problems.append(message("line {number} is not one this program writes", number=number + 1))
        elif entry.previous != (heads[-1] if heads else None) or entry.number != number:
            problems.append(message("line {number} does not follow the line before it", number=number + 1))
        if entry is not None:
            entries.append(entry)
        heads.append(hashlib.sha256(line).hexdigest())
    if not lines:
        problems.append(message("there is no line"))
    return Log(entries=tuple(entries), head=heads[-1] if heads else "", heads=tuple(heads), problems=tuple(problems))


def _gone(held: Log, json_sha256: str, jws_text: bytes) -> tuple[Entry, ...]:
    there = _hashes(jws_text)
    return tuple(one for one in held.signed if one.json_sha256 == json_sha256 and one.signature not in there)


def _hashes(jws_text: bytes) -> frozenset[str]:
    return frozenset(hashlib.sha256(line).hexdigest() for line in jws_text.split(b"\n") if line)


def _signatures_in(folder: Path) -> dict[str, frozenset[str]]:
    """Return for the hash of each JSON file below FOLDER beside which signatures lie the hashes of these."""
    if not files.is_folder(folder):
        raise FileProblem("is not a folder", str(folder), "Name the folder that holds the records.")
    found: dict[str, frozenset[str]] = {}
    for path in sorted(folder.rglob("*.json.jws")):
        with contextlib.suppress(DPWizardError):
            digest = hashlib.sha256(files.read_bytes(path.with_suffix(""))).hexdigest()
            found[digest] = found.get(digest, frozenset()) | _hashes(files.read_bytes(path))
    return found


def _told(entry: Entry) -> Message:
    return message(
        "{record}, {role}: {outcome}, stated {time}, certificate {certificate}",
        record=printable(entry.record, 200),
        role=printable(entry.role),
        outcome=printable(entry.outcome),
        time=printable(entry.stated),
        certificate=(entry.certificate or "")[:16],
    )


def _entry(line: bytes) -> Entry | None:
    """Return what LINE says where it is the one spelling of it."""
    if len(line) > LONGEST_LINE:
        return None
    try:
        entry: Entry = read(Entry, json.loads(line), "line")
    except (DPWizardError, ValueError, RecursionError):
        return None
    return entry if _spelled(entry) == line + b"\n" else None


def _spelled(entry: Entry) -> bytes:
    said = json.dumps(plain(entry), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return f"{said}\n".encode("utf-8", "replace")


def append(log: Path, event: Event, told: Mapping[str, Any]) -> None:
    """Append one line to LOG, alone among all who sign at that moment, and have it on disk."""
    try:
        handle = os.open(log, os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0))
        try:
            with _alone(handle):
                content = files.read_bytes(log)
                lines = content.split(b"\n")
                cut_off = lines.pop() != b""  # what a kill left of a line stays, and is a line of its own
                before = content.rsplit(b"\n", 1)[-1] if cut_off else (lines[-1] if lines else None)
                number = len(lines) + cut_off
                entry = Entry(
                    event=event,
                    number=number,
                    time=stamp(_now()),
                    previous=None if before is None else hashlib.sha256(before).hexdigest(),
                    **told,
                )
                os.write(handle, (b"\n" if cut_off else b"") + _spelled(entry))
                os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as problem:
        hint = "Nothing was signed. Ask the office for the right to append to its log."
        raise FileProblem(files.reason(problem), str(log), hint) from None


@contextlib.contextmanager
def _alone(handle: int) -> Iterator[None]:
    """Hold the file behind HANDLE against everybody else who appends to it; the lock goes with the process."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(handle, 0, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_LOCK, 1)
        try:
            yield
        finally:
            os.lseek(handle, 0, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX)
        yield  # closing the file ends the lock


def _now() -> datetime:
    return datetime.now(UTC)
