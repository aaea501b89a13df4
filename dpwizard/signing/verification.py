"""Whether a record is what was signed, by whom, when, and whether those people are trusted here.

The PDF is a function of JSON and signatures. So it is made again and compared, byte for byte; what lies there is never
taken apart. Every check gives a finding; whatever the bytes, the answer is a verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

from dpwizard import records
from dpwizard.base import office_folder
from dpwizard.base.apart import Tell
from dpwizard.base.errors import DPWizardError, FileProblem
from dpwizard.base.messages import NO_MESSAGE, joined, message
from dpwizard.records import PolicyFile, Record
from dpwizard.report import versions
from dpwizard.signing import (
    before_1_0,
    findings,
    office,
    remaking,
    required_signatures,
    signature_log,
    store,
    time_stamp,
    trust,
)
from dpwizard.signing.bounded import Bounded
from dpwizard.signing.certificates import printable, stamp, utc
from dpwizard.signing.findings import Difference, Findings, Signer, TimeStamp, Verification
from dpwizard.signing.people import with_name_warnings
from dpwizard.signing.remaking import Remade
from dpwizard.signing.signature import Signature, read_signature, sha256_of
from dpwizard.signing.store import RecordFiles

AHEAD = timedelta(days=1)  # a stated time further ahead of the clock than this is refused
RESTORE = message("Find the files as they were signed.")
MAKE_PDF = message("Make the PDF again.")


@dataclass(frozen=True, kw_only=True)
class Contents:
    """What the files of a record hold."""

    json: bytes
    lines: tuple[str, ...]
    pdf: bytes | None


def verify(
    place: RecordFiles,
    trusted: Iterable[Path],
    now: datetime,
    policy: PolicyFile | None = None,
    log: Path | None = None,
    process: Bounded | None = None,
) -> Verification:
    """Judge the record at PLACE against the certificates TRUSTED (files or folders), at the time NOW.

    POLICY is the one to judge by; where none is named, it is the one of the office that applied at the stated time. LOG
    is the log of signatures, else the office's. The record is made again in PROCESS, else in one of its own. Raises
    FileProblem where no record is there or a file may not be read, InvalidInput where a policy of the office cannot;
    what is wrong with the record is in the result.
    """
    moment, trusting = utc(now, "now"), office.read_trust(trusted)
    found = Findings()
    if not place.there:
        if files_before := before_1_0.verified(place):
            return files_before
        raise FileProblem("no record lies here", str(place.folder / place.name), "Name its .json or .pdf file.")
    contents = _read_files(place, found)
    if contents is None:
        return findings.concluded(found, signed=True)
    record = _read_json(contents.json, place, found)
    if record is None:
        earlier = None if contents.lines else before_1_0.verified(place)
        return earlier or findings.concluded(found, signed=True)
    signatures = _read_signatures(contents, found)
    if signatures is None:
        return findings.concluded(found, signed=True)
    _compare(record, contents, signatures, process, found)
    if not signatures or found.failed(findings.OF_THE_RECORD):
        return findings.concluded(found, signed=bool(signatures))
    _read_time_stamps(place, signatures, trusting, found)
    _check_times(record, signatures, moment, found)
    signers = _signers(signatures, trusting, moment, found)
    held = log if log is not None else office.log_in(office_folder.OFFICE)
    noted = None if held is None else signature_log.noted_at(held, signatures[-1])
    proved = _proved(found.time_stamps, len(signatures) - 1)
    found.shown_by = min((time for time in (noted, proved) if time is not None), default=None)
    asked = policy
    if asked is None:
        asked = office.policy_at(office_folder.OFFICE, record, signatures[-1], found)
    required_signatures.check(record, signers, asked, named=policy is not None, found=found)
    if held is not None:
        signature_log.check(held, sha256_of(contents.json), signatures, trusting, found)
    return findings.concluded(found, signers, signed=True)


def verify_told(tell: Tell, *given: Any) -> Verification:
    """Return what `verify` finds; TELL is told nothing."""
    return verify(*given)


# ------------------------------------------------------------------------- the files, the JSON, the lines


def _read_files(place: RecordFiles, found: Findings) -> Contents | None:
    """Return what the files at PLACE hold; None where one is not what it can be, or the JSON is missing."""
    try:
        json_bytes, lines, pdf = store.read(place.json), store.read_lines(place), store.read(place.pdf)
    except FileProblem as problem:
        found.add("files", False, problem.whole, remedy=RESTORE)
        return None
    if json_bytes is None:
        ask = message("Ask for all files of the record.")
        if pdf is not None:
            ask = message("Ask for all files of the record; the PDF alone gives its JSON with: dpwizard json FILE.pdf")
        found.add("files", None, message("the JSON file {name} is missing", name=place.json.name), remedy=ask)
        return None
    found.add("files", True)
    found.json_sha256 = sha256_of(json_bytes)
    found.pdf_sha256 = None if pdf is None else sha256_of(pdf)
    return Contents(json=json_bytes, lines=lines, pdf=pdf)


def _read_json(json_bytes: bytes, place: RecordFiles, found: Findings) -> Record | None:
    try:
        record = records.read(json_bytes)
    except DPWizardError as problem:
        found.add("json", False, message("the JSON file: {reason}", reason=problem.whole), remedy=RESTORE)
        return None
    found.add("json", True)
    why = message(
        "it is the record {name}, not {here}", name=printable(record.name, 100), here=printable(place.name, 100)
    )
    rename = message("Give its files back the name {name}.", name=printable(record.name, 100))
    return record if found.add("name", record.name == place.name, why, remedy=rename) else None


def _read_signatures(contents: Contents, found: Findings) -> tuple[Signature, ...] | None:
    """Return the signatures where each is genuine, names the one before it and is over this JSON; else None."""
    signatures: list[Signature] = []
    digest = sha256_of(contents.json)
    if not contents.lines:
        found.add("line", None, message("nobody has signed it"), remedy=message("Sign it."))
    for position, text in enumerate(contents.lines):
        try:
            signature = read_signature(text)
        except DPWizardError as problem:
            why = message("signature {number} {what}", number=position + 1, what=problem.message)
            found.add("line", False, why, remedy=RESTORE, signer=position)
            return None
        found.add("line", True, signer=position)
        before = signatures[-1].sha256 if signatures else None
        other = message("signature {number} was given after another one than lies there", number=position + 1)
        found.add("chain", signature.line.previous == before, other, remedy=RESTORE, signer=position)
        changed = message("the JSON file was changed after signature {number}", number=position + 1)
        found.add("same_json", signature.line.json_sha256 == digest, changed, remedy=RESTORE, signer=position)
        signatures.append(signature)
    return None if found.failed(findings.OF_THE_RECORD) else tuple(signatures)


# ------------------------------------------------------------------------- the PDF and the numbers, made again


def _compare(
    record: Record,
    contents: Contents,
    signatures: tuple[Signature, ...],
    process: Bounded | None,
    found: Findings,
) -> None:
    """Compare what lies there with what JSON and signatures give."""
    if not versions.is_known(record.document) or not versions.rebuilt_here(record.document):
        _compare_hashes(record, contents, signatures, found)
        return
    remade = remaking.remake_apart(contents.json, contents.lines, process)
    if remade.undetermined:
        why = message("the pages cannot be made again here: {reason}", reason=remade.undetermined)
        found.add(
            "pages", None, why, remedy=message("Try again; if that does not help, verify it on another computer.")
        )
        return
    refused = message("no pages follow from the JSON: {reason}", reason=remade.refused)
    if not found.add("pages", remade.made, refused, remedy=RESTORE):
        return
    for position, one in enumerate(remade.signatures):
        why = message("the certificate of signature {number} did not make the one in the PDF", number=position + 1)
        found.add("in_pdf", one.genuine, why, remedy=RESTORE, signer=position)
        why = message("signature {number} is over other pages than follow from the JSON", number=position + 1)
        found.add("seen", one.stated, why, remedy=RESTORE, signer=position)
    _compare_pdf(contents.pdf, remade, signatures, found)
    _compare_numbers(record, remade.differences, found)
    found.differences = remade.differences


def _compare_pdf(pdf: bytes | None, remade: Remade, signatures: tuple[Signature, ...], found: Findings) -> None:
    lengths = (remade.pages, *(signature.line.pdf_bytes for signature in signatures[:-1]))
    if pdf is None:
        found.add("pdf", None, message("the PDF is missing"), remedy=MAKE_PDF)
    elif pdf == remade.pdf:
        found.add("pdf", True)
    elif len(pdf) in lengths and remade.pdf.startswith(pdf):
        found.add("pdf", None, message("the PDF is that of before the last signature"), remedy=MAKE_PDF)
    else:
        why = message("the PDF is not the one that follows from JSON and signatures")
        found.add("pdf", False, why, remedy=message("Remove it, then make the PDF again."))


def _compare_numbers(record: Record, differences: tuple[Difference, ...], found: Findings) -> None:
    if not differences:
        found.add("numbers", True)
        return
    first = differences[0]
    why = message(
        "the decision, solved again, gives another value at {where}: {now}, not {recorded}",
        where=printable(first.where, 200),
        now=printable(first.now, 80),
        recorded=printable(first.recorded, 80),
    )
    if record.made_here:
        found.add("numbers", False, why, remedy=RESTORE)
        return
    version = message("Verify it with version {version}.", version=printable(record.program.version, 20))
    found.add("numbers", None, why, remedy=version)


def _compare_hashes(record: Record, contents: Contents, signatures: tuple[Signature, ...], found: Findings) -> None:
    """Compare the PDF with the hash that the last signer stated: all that can be done without making the pages."""
    if contents.pdf is not None and signatures:
        last = signatures[-1].line
        same = (len(contents.pdf), sha256_of(contents.pdf)) == (last.pdf_bytes, last.pdf_sha256)
        found.add("pdf", same, message("the PDF is not the one that was signed"), remedy=RESTORE)
    version = printable(record.program.version, 20)
    why = message(
        "this program does not make the pages of version {version}: only hashes were compared", version=version
    )
    found.add("pages", None, why, remedy=message("Verify it with version {version}.", version=version))


# ------------------------------------------------------------------------- times and people


def _read_time_stamps(
    place: RecordFiles, signatures: tuple[Signature, ...], trusting: trust.Trust, found: Findings
) -> None:
    for position, signature in enumerate(signatures):
        try:
            token = store.read(place.time_stamp(position + 1))
        except FileProblem as problem:
            found.add("stamp", None, problem.whole, remedy=time_stamp.REFETCH, signer=position)
            continue
        if token is not None:
            time_stamp.check_time_stamp(token, signature, position, trusting, found)


def _proved(stamps: Sequence[TimeStamp], position: int) -> datetime | None:
    """Return the time by which the signature at POSITION was there: the stamp of a later one shows that, too."""
    times = [datetime.fromisoformat(one.time) for one in stamps if one.signer >= position]
    return min(times, default=None)


def _check_times(record: Record, signatures: tuple[Signature, ...], now: datetime, found: Findings) -> None:
    times = [record.time, *(signature.time for signature in signatures)]
    if any(later < earlier for earlier, later in pairwise(times)):
        found.add("times", False, message("a signature states an earlier time than what it is over"))
    elif times[-1] > now + AHEAD:
        found.add("times", False, message("the stated time {time} lies in the future", time=stamp(times[-1])))
    else:
        found.add("times", True)


def _signers(
    signatures: tuple[Signature, ...], trusting: trust.Trust, now: datetime, found: Findings
) -> tuple[Signer, ...]:
    """Return who signed, each certificate judged at the stated time."""
    signers: list[Signer] = []
    for position, signature in enumerate(signatures):
        certificate, line = signature.certificate, signature.line
        standing = trust.check_certificate(
            signature.chain, trust=trusting, at=signature.time, now=now, proved_by=_proved(found.time_stamps, position)
        )
        signers.append(
            Signer(
                position=position,
                name=printable(certificate.name),
                organisation=printable(certificate.organisation) if certificate.organisation else "",
                role=line.role,
                verdict=line.verdict,
                comment=line.comment,
                conditions=line.conditions,
                time=line.time,
                time_source=line.time_source,
                certificate=certificate,
                standing=standing.standing,
                trusted=standing.trusted,
                why=standing.open or standing.why,
                notes=standing.notes,
            )
        )
        found.add("certificate", not standing.refused, standing.why, signer=position)
    for said in trust.unattributed_lists(trusting):
        found.add("lists", None, said, remedy=message("Lay the certificate of its authority beside it."))
    named = with_name_warnings(signers, trusting)
    for signer in named:
        if signer.standing not in trust.REFUSED:
            ask = message("Trust the certificate of {name}, if it is that person's.", name=signer.name)
            found.add("trust", signer.trusted or None, signer.why, remedy=ask, signer=signer.position)
    return named


def problem_of(found: Verification) -> str:
    """Return what a verification says against a record, and what to do; nothing where it is as it was signed."""
    if found.ok:
        return NO_MESSAGE
    return joined((found.sentence, found.remedy)) if found.remedy else found.sentence
