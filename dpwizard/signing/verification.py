"""Whether a record is unchanged, who signed it and when, and whether those people are trusted here.

The PDF is a function of JSON and signatures. So it is made again and compared, byte for byte; the PDF
found is never parsed. Every check gives a finding, and any bytes get a verdict.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

from dpwizard.base import files
from dpwizard.base.errors import FileProblem
from dpwizard.base.messages import joined, message
from dpwizard.records import PolicyFile, Record
from dpwizard.signing import (
    findings,
    office,
    policy_files,
    remaking,
    required_signatures,
    signature_log,
    store,
    time_stamp,
    trust,
)
from dpwizard.signing.certificates import printable, stamp, utc
from dpwizard.signing.findings import Findings, Signer, TimeStamp, Verification
from dpwizard.signing.people import with_name_warnings
from dpwizard.signing.reading import RESTORE, Contents, contents_of
from dpwizard.signing.signature import Signature, sha256_of
from dpwizard.signing.store import RecordFiles

AHEAD = timedelta(days=1)  # a stated time further ahead of the clock than this is refused
STATED = {"role", "verdict", "comment", "conditions", "time", "time_source"}
MAKE_PDF = message("Make the PDF again.")
REACH = message("Connect its drive, or ask the office for permission to read it. Then verify again.")


def verify(
    place: RecordFiles,
    trusted: Iterable[Path],
    now: datetime,
    policy: PolicyFile | None = None,
    log: Path | None = None,
) -> Verification:
    """Judge the record at PLACE against the certificates TRUSTED (files or folders), at the time NOW.

    POLICY is the one to judge by; where none is named, it is the one of the office that applied at the stated time. LOG
    is the log of signatures, else the office's. Raises FileProblem where no record is there or a file may not be read,
    InvalidInput where a policy of the office cannot; what is wrong with the record is in the result.

    Everything is parsed, typeset and solved here: where a record may be hostile, call `verify_tasks.verify_folder`.
    """
    results = Findings()
    moment, trusting = utc(now, "now"), _read_trust(trusted, results)
    of_lines = any(path.suffix == ".jws" for path in place.there)
    if not of_lines and (earlier := _made_before_1_0(place)):
        return earlier
    if not place.there:
        raise FileProblem("there is no record here", str(place.folder / place.name), "Check folder, name and ending.")
    contents = contents_of(place, results, remaking.remake_here)
    if contents is None:
        return findings.concluded(results, signed=True)
    record, signatures = contents.record, contents.signatures
    if not signatures:
        results.add("line", None, message("nobody has signed it"), remedy=message("Sign it."))
    _compare_pdf(contents, results)
    if not signatures or results.failed(findings.OF_THE_RECORD):
        return findings.concluded(results, signed=bool(signatures))
    _check_times(record, signatures, moment, results)
    signers = judge_signers(place, signatures, trusting, moment, results)
    log_folder = log if log is not None else office.log_for()
    in_force = policy_files.policy_of if policy is None else lambda _: policy
    deciding = required_signatures.deciding(signers, in_force)
    noted = None if log_folder is None else signature_log.noted_at(log_folder, signatures[deciding])
    proved = _proved(results.time_stamps, deciding)
    results.shown_by = min((time for time in (noted, proved) if time is not None), default=None)
    judged_by = policy if policy is not None else policy_files.policy_at(record, signatures[deciding], results)
    required_signatures.check(record, signers, judged_by, named=policy is not None, results=results)
    if log_folder is not None:
        try:
            signature_log.check(log_folder, sha256_of(contents.json), signatures, trusting, results)
        except FileProblem as problem:
            results.add("log", None, joined((problem.where, problem.message), ": "), remedy=REACH)
    return findings.concluded(results, signers, signed=True)


def verify_file(
    path: Path, trusted: tuple[Path, ...], now: datetime, policy: Path | None = None, log: Path | None = None
) -> Verification:
    """Return what `verify` finds of the record whose JSON is PATH; POLICY is a policy's file."""
    policy_file = None if policy is None else policy_files.read_policy(policy, trusted)
    return verify(RecordFiles.beside(path), trusted, now, policy_file, log)


def _read_trust(places: Iterable[Path], results: Findings) -> trust.Trust:
    """Return what is trusted by the files in PLACES; one that is there and cannot be read leaves that open."""
    readable = []
    for place in places:
        try:
            office.read_trust((place,))
            readable.append(place)
        except FileProblem as problem:
            if not files.may_be_there(place):
                raise
            results.add("trust", None, joined((problem.where, problem.message), ": "), remedy=REACH)
    return office.read_trust(readable)


# ------------------------------------------------------------------------- the PDF


def _compare_pdf(contents: Contents, results: Findings) -> None:
    """Compare the PDF with what JSON and signatures give; where its pages cannot be made here, with its last hash."""
    pdf, remade, signatures = contents.pdf, contents.remade, contents.signatures
    if remade is None:
        if pdf is not None and signatures:
            last = signatures[-1].line
            same = (len(pdf), sha256_of(pdf)) == (last.pdf_bytes, last.pdf_sha256)
            results.add("pdf", same, message("the PDF is not the one that was signed"), remedy=RESTORE)
        return
    lengths = (remade.pages, *(signature.line.pdf_bytes for signature in signatures[:-1]))
    if pdf is None:
        results.add("pdf", None, message("the PDF is missing"), remedy=MAKE_PDF)
    elif pdf == remade.pdf:
        results.add("pdf", True)
    elif len(pdf) in lengths and remade.pdf.startswith(pdf):
        results.add("pdf", None, message("the PDF is from before the last signature"), remedy=MAKE_PDF)
    elif pdf.startswith(remade.pdf):  # as when the file of the last signature was taken away
        why = message("the PDF contains more than the JSON and the signatures give, perhaps a later signature")
        results.add("pdf", False, why, remedy=message("Ask for all files of the record."))
    else:
        why = message("the PDF does not match the JSON and the signatures")
        results.add("pdf", False, why, remedy=message("Remove it, then make the PDF again."))


# ------------------------------------------------------------------------- times and people


def _read_time_stamps(
    place: RecordFiles, signatures: tuple[Signature, ...], trusting: trust.Trust, results: Findings
) -> None:
    for position, signature in enumerate(signatures):
        try:
            token = store.read(place.time_stamp(position + 1))
        except FileProblem as problem:
            results.add("stamp", None, problem.whole, remedy=time_stamp.REFETCH, signer=position)
            continue
        if token is not None:
            time_stamp.check_time_stamp(token, signature, position, trusting, results)


def _proved(stamps: Sequence[TimeStamp], position: int) -> datetime | None:
    """Return the time by which the signature at POSITION was there: the stamp of a later one shows that, too."""
    times = [datetime.fromisoformat(token.time) for token in stamps if token.signer >= position]
    return min(times, default=None)


def _check_times(record: Record, signatures: tuple[Signature, ...], now: datetime, results: Findings) -> None:
    times = [record.time, *(signature.time for signature in signatures)]
    if any(later < earlier for earlier, later in pairwise(times)):
        earlier = message("a signature states an earlier time than the signature before it")
        results.add("times", False, earlier, remedy=findings.SIGN_ANEW)
    elif times[-1] > now + AHEAD:
        ahead = message("the stated time {time} is in the future", time=stamp(times[-1]))
        results.add("times", False, ahead, remedy=message("Check the clock of this computer, then verify again."))
    else:
        results.add("times", True)


def judge_signers(
    place: RecordFiles, signatures: tuple[Signature, ...], trusting: trust.Trust, now: datetime, results: Findings
) -> tuple[Signer, ...]:
    """Return who gave the SIGNATURES at PLACE, each certificate judged at the stated time; note in RESULTS what counts.

    Arguments: trusting, whom this computer trusts; now, the time of judging.
    """
    _read_time_stamps(place, signatures, trusting, results)
    signers: list[Signer] = []
    for position, signature in enumerate(signatures):
        certificate, line = signature.certificate, signature.line
        proved = _proved(results.time_stamps, position)
        standing = trust.check_certificate(
            signature.chain, trust=trusting, at=signature.time, now=now, proved_by=proved
        )
        signers.append(
            Signer(
                position=position,
                name=printable(certificate.name),
                organisation=printable(certificate.organisation) if certificate.organisation else "",
                **line.model_dump(include=STATED),
                certificate=certificate,
                standing=standing.standing,
                trusted=standing.trusted,
                why=standing.open or standing.why,
                notes=standing.notes,
            )
        )
        results.add("certificate", not standing.refused, standing.why, remedy=findings.SIGN_ANEW, signer=position)
    for text in trust.unattributed_lists(trusting):
        results.add("lists", None, text, remedy=message("Put the certificate of its authority beside it."))
    named = with_name_warnings(signers, trusting)
    for signer in named:
        if signer.standing not in trust.REFUSED:
            ask = message("Trust the certificate of {name}, if it is that person’s.", name=signer.name)
            results.add("trust", signer.trusted or None, signer.why, remedy=ask, signer=signer.position)
    return named


# ------------------------------------------------------------------------- before version 1.0


def _made_before_1_0(place: RecordFiles) -> Verification | None:
    """Return what the hashes in its signatures say of a record of that time at PLACE; None where there is none."""
    signatures = store.read(place.before_1_0)
    if signatures is None:
        return None
    results = Findings()
    json_bytes, pdf = store.read(place.json), store.read(place.pdf)
    lines = [_payload(text) for text in signatures.splitlines()]
    for position, line in enumerate(lines):
        if json_bytes is not None:
            changed = message("the JSON file was changed after signature {number}", number=position + 1)
            same = line.get("json_sha256") == sha256_of(json_bytes)
            results.add("same_json", same, changed, signer=position)
        if pdf is not None:
            length = line.get("pdf_bytes")
            same = isinstance(length, int) and line.get("pdf_sha256") == sha256_of(pdf[:length])
            results.add("pdf", same, message("the PDF is not the one that was signed"), signer=position)
    why = message("it was made before version 1.0, so only hashes were compared")
    results.add("pages", None, why, remedy=message("Make and sign it again from its decision."))
    results.json_sha256 = None if json_bytes is None else sha256_of(json_bytes)
    return findings.concluded(results, signed=bool(lines))


def _payload(line: bytes) -> dict[str, Any]:
    """Return what a LINE states, genuine or not; nothing if it cannot be read."""
    try:
        payload = json.loads(base64.urlsafe_b64decode(line.split(b".")[1] + b"=="))
    except (ValueError, IndexError, RecursionError):
        return {}
    return payload if isinstance(payload, dict) else {}
