"""The log of signatures of an office: a folder with one file for each signature, which holds the JWS line itself.

A record cannot show that its last signature was removed, or that two copies of it were signed further. The log can.
Nobody can forge an entry without a key; a file without a genuine signature is named and skipped. But anyone can make a
key and sign with it. So a record fails only if the signature of a trusted person is missing from it; a stranger's
leaves it undetermined, as it would in the record itself.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from dpwizard.base import files
from dpwizard.base.errors import DPWizardError, FileProblem, SigningProblem
from dpwizard.base.messages import Message, joined, message
from dpwizard.base.values import Sentence, Value
from dpwizard.signing import store
from dpwizard.signing.certificates import file_name, printable
from dpwizard.signing.findings import STATUS, Findings, Outcome
from dpwizard.signing.signature import Signature, read_signature, sha256_of
from dpwizard.signing.store import RecordFiles
from dpwizard.signing.trust import Trust, check_certificate

MOST = 1_000_000  # files of one log
LETTERS = 32  # of a hash in the name of an entry


class Judged(Value):
    """What a log holds, alone or beside the records of a folder."""

    outcome: Outcome
    exit_status: int
    signatures: int
    passed_over: tuple[str, ...] = ()  # files that hold no genuine signature
    missing: tuple[Sentence, ...] = ()  # signatures that are in their records no more, by people trusted here,
    strangers: tuple[Sentence, ...] = ()  # and by others
    unseen: tuple[Sentence, ...] = ()  # signatures of records that are not in the folder


def begin(place: Path) -> None:
    """Make the folder of a log at PLACE, which must not exist; raises FileProblem."""
    with files.file_problem(place):
        try:
            place.mkdir(parents=True)
        except FileExistsError:
            raise FileProblem("already exists", str(place), "Choose another name.") from None


def require_writable(log: Path | None) -> None:
    """Raise FileProblem where no entry can be added to LOG (None: there is none): then nothing is signed."""
    if log is not None and not os.access(log, os.W_OK | os.X_OK):
        hint = "Nothing was signed. Ask the office for permission to add files to its log."
        raise FileProblem("cannot be written by you: you lack the permission", files.printable(log), hint)


def note(log: Path | None, signature: Signature) -> None:
    """Add SIGNATURE to LOG (None: there is none); it stays once where it was noted before. Raises FileProblem."""
    if log is None or store.create(_entry_of(log, signature), _spelled(signature)) or _is_noted(log, signature):
        return
    why = message("does not have the signature: something else is in its place")
    raise FileProblem(why, files.printable(_entry_of(log, signature)), "Have the office look at its log.")


def _is_noted(log: Path, signature: Signature) -> bool:
    try:
        return store.read(_entry_of(log, signature)) == _spelled(signature)
    except FileProblem:
        return False


def _entry_of(log: Path, signature: Signature) -> Path:
    """Return the file of SIGNATURE in LOG: named by its record first, so that a record's entries are found at once."""
    return log / f"{signature.line.json_sha256[:LETTERS]}.{signature.sha256[:LETTERS]}.jws"


def _spelled(signature: Signature) -> bytes:
    return f"{signature.text}\n".encode("ascii")


def check(log: Path, json_sha256: str, signatures: Sequence[Signature], trust: Trust, results: Findings) -> None:
    """Note in RESULTS whether LOG has a signature of the record with the hash JSON_SHA256 beside SIGNATURES."""
    there = {signature.sha256 for signature in signatures}
    logged, spoiled = read_log(log, json_sha256)
    missing = [signature for signature in logged.get(json_sha256, ()) if signature.sha256 not in there]
    missed = next((signature for signature in missing if _is_trusted(signature, trust)), None)
    if missed is not None:
        why = message("a signature in the office’s log is missing here: {what}", what=_named(missed))
        results.add("log", False, why, remedy=message("Ask for the record with that signature."))
    elif missing:
        why = message("the office’s log has a signature by someone not trusted here: {what}", what=_named(missing[0]))
        ask = message("Ask the office whose signature that is.")
        results.add("log", None, why, remedy=ask)
    elif spoiled:  # whoever made an entry may be able to empty it
        why = message("an entry in the office’s log has been changed: {what}", what=file_name(spoiled[0]))
        results.add("log", None, why, remedy=message("Have the office look at its log."))
    else:
        results.add("log", True)


def require_all_there(log: Path | None, json_sha256: str, signatures: Sequence[Signature], trust: Trust) -> None:
    """Raise SigningProblem where a signature of the record is in LOG and not there, by somebody whom TRUST names."""
    results = Findings()
    if log is not None:
        check(log, json_sha256, signatures, trust, results)
    for missing in results.failed(("log",)):
        raise SigningProblem(missing.why, "record", "Sign the record as it was after that signature.")


def _is_trusted(signature: Signature, trust: Trust) -> bool:
    return check_certificate(signature.chain, trust=trust, at=signature.time).trusted


def noted_at(log: Path, signature: Signature) -> datetime | None:
    """Return since when SIGNATURE is in LOG, by the times of its entry's file; None where nothing shows that.

    Whoever made the file can set when it was written, but on POSIX systems not when it was last changed (`st_ctime`);
    on Windows both can be set. What lies there must be the signature itself, as the times of another file, or of one
    that a link leads to, prove nothing.
    """
    if sys.platform == "win32" or not _is_noted(log, signature):
        return None
    try:
        entry = _entry_of(log, signature).lstat()
    except OSError:
        return None
    return datetime.fromtimestamp(max(entry.st_mtime, entry.st_ctime), UTC)


def judge_log(log: Path, trust: Trust, *, records: Path | None = None) -> Judged:
    """Return what LOG holds, and whether that is in the records of the folder RECORDS and all below it.

    A signature that is missing there is one by somebody whom TRUST names, or by a stranger. Raises FileProblem where
    the log cannot be read.
    """
    logged, passed_over = read_log(log)
    missing: list[Message] = []
    strangers: list[Message] = []
    unseen: list[Message] = []
    copies_of = {} if records is None else _lines_in(records)
    for json_sha256, signatures in sorted(logged.items()) if records is not None else ():
        for signature in signatures:
            if json_sha256 not in copies_of:
                unseen.append(_named(signature))
            elif not all(signature.sha256 in copy for copy in copies_of[json_sha256]):
                (missing if _is_trusted(signature, trust) else strangers).append(_named(signature))
    unsure = unseen or strangers or passed_over
    outcome: Outcome = "failed" if missing else "undetermined" if unsure else "passed"
    return Judged(
        outcome=outcome,
        exit_status=STATUS[outcome],
        signatures=sum(map(len, logged.values())),
        passed_over=passed_over,
        missing=tuple(missing),
        strangers=tuple(strangers),
        unseen=tuple(unseen),
    )


def log_sentences(log: Judged) -> Iterable[Message]:
    """Yield what was LOG of a log, a sentence each."""
    yield {
        "passed": message("Every signature in the log is in its record."),
        "failed": message("A signature in the log is not in its record."),
        "undetermined": message("Not everything in the log could be checked."),
    }[log.outcome]
    for gone in log.missing:
        yield message("  Gone from its record: {what}.", what=gone)
    for stranger in log.strangers:
        yield message("  Not in its record, and by someone not trusted here: {what}.", what=stranger)
    for unseen in log.unseen:
        yield message("  No such record here: {what}.", what=unseen)
    for name in log.passed_over:
        yield message("  Not a genuine signature, so it was skipped: {name}.", name=file_name(name))
    yield message("Signatures in the log: {count}.", count=log.signatures)


def read_log(log: Path, json_sha256: str = "") -> tuple[dict[str, list[Signature]], tuple[str, ...]]:
    """Return the signatures in the folder LOG by the hash of their record, and the files that do not hold their own.

    Given JSON_SHA256, only those of that record are read.

    Raises FileProblem where the folder cannot be read, or holds more than MOST such files: what is not read could be
    what is asked for.
    """
    with files.file_problem(log):
        names = sorted(name for name in os.listdir(log) if name.startswith(json_sha256[:LETTERS]))
    if len(names) > MOST:
        why = message("contains more than {most:,} files", most=MOST)
        raise FileProblem(why, files.printable(log), "Ask the office to remove files that are not signatures.")
    signatures: defaultdict[str, list[Signature]] = defaultdict(list)
    passed_over: list[str] = []
    for name in names:
        if name.startswith(files.TEMPORARY):
            continue
        signature = _entry(log / name)
        if signature is None or _entry_of(log, signature).name != name:
            passed_over.append(name)
        if signature is not None and json_sha256 in ("", signature.line.json_sha256):
            signatures[signature.line.json_sha256].append(signature)
    return dict(signatures), tuple(passed_over)


def _entry(path: Path) -> Signature | None:
    if path.suffix != ".jws":
        return None
    try:
        text = store.one_line(store.read(path) or b"", path)
        return read_signature(text)
    except DPWizardError:
        return None


def _lines_in(folder: Path) -> dict[str, list[set[str]]]:
    """Return for the hash of each record in FOLDER and below the hashes of the signatures of each copy of it.

    Copies that nobody signed do not count where one is signed.
    """
    lines_of: defaultdict[str, list[set[str]]] = defaultdict(list)
    for path in store.records_in(folder):
        try:
            data, lines = store.read(path), store.read_lines(RecordFiles.beside(path))
        except DPWizardError:
            continue
        if data is not None:
            lines_of[sha256_of(data)].append({sha256_of(text.encode("ascii")) for text in lines})
    return {digest: [copy for copy in copies if copy] or copies for digest, copies in lines_of.items()}


def _named(signature: Signature) -> Message:
    line, name = signature.line, printable(signature.certificate.name)
    text = message(
        "{name}, {role}: {verdict}, {time}", name=name, role=printable(line.role), verdict=line.verdict, time=line.time
    )
    short = message("certificate {fingerprint}", fingerprint=signature.certificate.fingerprint[:16])
    return joined((text, short), ", ")
