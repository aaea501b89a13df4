"""Whether the three files of a record are what was signed, by whom, when, and whether that person is trusted here.

What is checked (:data:`CHECKS`) and what was found (:class:`Finding`) are kept apart: every check that
applies gives a finding, and one that could not be made says why. The cheap checks come first; once they
show a change, the PDF is not taken apart any more.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise
from typing import Any, Literal

from dpwizard.errors import DPWizardError, FileProblem, InvalidInput
from dpwizard.messages import Message, joined, listed, message, sentence, verbatim
from dpwizard.signing.certificates import (
    NOTHING_TRUSTED,
    Trust,
    describe,
    judge,
    printable,
    stamp,
    utc,
)
from dpwizard.signing.findings import Finding, Signer, Verification
from dpwizard.signing.json_signature import SignedLine, line_hash, read_line, split_lines
from dpwizard.signing.pdf_revisions import MARK, Revision, SignedPdf, check_revision, check_signature, open_pdf
from dpwizard.signing.people import remarked, same_holder

PROPOSES, APPROVES = "proposes", "approves"  # the two roles that one person may not take in one record
# a signature with this verdict does not carry an approval
AGAINST = {"reject": message("reject"), "refer": message("refer")}
LATE = timedelta(days=1)  # a stated time further ahead of the clock than this is refused

CHECKS = {
    "lines": "The signature file holds one JSON signature a line and nothing else",
    "line": "The JSON signature is genuine and of the one accepted form",
    "chain": "The JSON signature names the hash of the line before",
    "json": "The JSON file is the one that was signed",
    "pdf": "The PDF begins with the bytes that were signed",
    "end": "The last JSON signature covers the whole PDF",
    "readable": "The PDF can be read",
    "plain": "What was typeset holds no action, script, hidden layer or second file, and every object once",
    "count": "There are as many signatures in the PDF as lines in the signature file",
    "revision": "The revision of the PDF is byte for byte the one that adds this signature",
    "signature": "The signature in the PDF is genuine and covers its whole revision",
    "whole": "The last signature in the PDF covers the whole file",
    "attachment": "The JSON attached in the PDF equals the JSON file byte for byte",
    "pair": "The signatures in the PDF and in the signature file say the same: certificate, time, role, bytes covered",
    "times": "The stated times follow in order and do not lie in the future",
    "people": "Proposer and approver are different people: other keys and other names",
    "certificate": "The certificate was fit to sign at the stated time",
    "trust": "The certificate is trusted here",
}
REFUSALS = ("times", "people", "certificate")  # the files are as signed, yet the signature does not count
ROLES = {
    PROPOSES: message("proposes"),
    APPROVES: message("approves"),
    "data_protection_officer": message("data_protection_officer"),
}
FILES = {"json": message("the JSON file"), "pdf": message("the PDF"), "jws": message("the signature file")}
ABSENT = {
    "json": "the JSON file was not given",
    "pdf": "the PDF was not given",
    "jws": "the signature file was not given",
}
SKIPPED = "the record is already found changed"
SUBJECTS = {
    "line": partial(message, "JSON signature {number}"),
    "revision": partial(message, "revision {number} of the PDF"),
    "signature": partial(message, "PDF signature {number}"),
    "readable": partial(message, "the PDF"),
    "plain": partial(message, "the PDF"),
}


class _Findings:
    """The findings so far."""

    def __init__(self) -> None:
        self.all: tuple[Finding, ...] = ()

    def add(self, check: str, ok: bool | None, why: str = "", signer: int | None = None) -> bool | None:
        self.all += (Finding(check=check, title=CHECKS[check], signer=signer, ok=ok, why=why),)
        return ok

    def unchecked(self, checks: tuple[str, ...], why: str) -> None:
        for check in checks:
            self.add(check, None, message("not checked: {reason}", reason=sentence(why)))

    def tried(self, check: str, make: Callable[[], Any], signer: int | None = None) -> Any:
        """Return what MAKE gives, with a finding that it could be made; None, with the reason, where it could not."""
        try:
            made = make()
        except DPWizardError as problem:
            of = [SUBJECTS[check](number=0 if signer is None else signer + 1)] if check in SUBJECTS else []
            self.add(check, False, joined([*of, problem.message]), signer)
            return None
        self.add(check, True, "", signer)
        return made

    def failed(self, *checks: str) -> tuple[Finding, ...]:
        return tuple(
            f
            for f in self.all
            if f.ok is False and (f.check in checks if checks else f.check not in (*REFUSALS, "trust"))
        )


def verify_record(
    json_bytes: bytes | None,
    pdf_bytes: bytes | None,
    jws_text: str | bytes | None,
    *,
    trust: Trust = NOTHING_TRUSTED,
    now: datetime | None = None,
) -> Verification:
    """Return whether the files of a record are as they were signed, and by whom.

    Arguments: the bytes of NAME.json, NAME.pdf and NAME.json.jws, each None where it is not at hand; trust,
    from certificates.read_trust; now, the time of judging with its zone, without which nothing is said about
    certificates that have expired since. Raises InvalidInput where no file is given or now has no zone.
    Whatever the bytes, the answer is a Verification. It errs on the strict side: "trusted" and "unchanged"
    are said only where every check on the files given was made and held.
    """
    given = {"json": json_bytes, "pdf": pdf_bytes, "jws": jws_text}
    missing = tuple(name for name, content in given.items() if content is None)
    if len(missing) == 3:
        raise InvalidInput("no file of the record was given", "files", "Give NAME.json, NAME.pdf and NAME.json.jws.")
    moment = None if now is None else utc(now, "now")
    found = _Findings()
    lines, texts = _read_lines(jws_text, found)
    digest = None if json_bytes is None else hashlib.sha256(json_bytes).hexdigest()
    _check_hashes(lines, texts, json_bytes, digest, pdf_bytes, found)
    pdf, revisions = _read_pdf(pdf_bytes, json_bytes, lines, jws_text is not None, found)
    signers = _signers(lines, pdf, revisions, pdf_bytes, trust, moment, found)
    verdict = _verdict(
        found,
        signers,
        signed=bool(texts or revisions),
        pdf=pdf_bytes is not None,
        json=json_bytes is not None,
        missing=missing,
    )
    return Verification(
        verdict=verdict,
        ok=verdict in ("trusted", "unchanged"),
        sentence=_sentence(verdict, found, signers, missing),
        complete=not missing,
        missing=missing,
        findings=found.all,
        signers=signers,
        json_sha256=digest,
        pdf_sha256=None if pdf_bytes is None else hashlib.sha256(pdf_bytes).hexdigest(),
        typeset_bytes=pdf.typeset_bytes if pdf and pdf.signatures else None,
    )


# ---------------------------------------------------------------------- the signature file and the hashes


def _read_lines(text: str | bytes | None, found: _Findings) -> tuple[tuple[SignedLine | None, ...], tuple[str, ...]]:
    """Return each line read (None where it is not genuine), and the lines as written."""
    if text is None:
        found.unchecked(("lines", "line", "chain", "json", "pdf", "end"), ABSENT["jws"])
        return (), ()
    texts: tuple[str, ...] | None = found.tried("lines", partial(split_lines, text))
    if texts is None:
        return (), ("unreadable",)
    lines = tuple(found.tried("line", partial(read_line, t), number) for number, t in enumerate(texts))
    for number, line in enumerate(lines):
        before = line_hash(texts[number - 1]) if number else None
        if line is not None:
            same = line.manifest.previous == before
            found.add("chain", same, "" if same else "the line before is not the one that was there at signing", number)
    return lines, texts


def _check_hashes(
    lines: tuple[SignedLine | None, ...],
    texts: tuple[str, ...],
    json_bytes: bytes | None,
    digest: str | None,
    pdf: bytes | None,
    found: _Findings,
) -> None:
    if not texts:
        return
    read = [(number, line.manifest) for number, line in enumerate(lines) if line is not None]
    for number, manifest in read:
        if digest is None:
            found.add("json", None, message("not checked: {reason}", reason=sentence(ABSENT["json"])), number)
        else:
            same = manifest.json_sha256 == digest
            found.add("json", same, "" if same else "the JSON file was changed after it was signed", number)
    if pdf is None:
        found.unchecked(("pdf", "end"), ABSENT["pdf"])
        return
    for number, manifest in read:
        same = (
            manifest.pdf_bytes <= len(pdf)
            and hashlib.sha256(pdf[: manifest.pdf_bytes]).hexdigest() == manifest.pdf_sha256
        )
        found.add("pdf", same, "" if same else "the PDF was changed after it was signed", number)
    covered = read[-1][1].pdf_bytes if read else 0
    if covered < len(pdf):
        found.add("end", False, message("{bytes} after the last signature", bytes=_bytes(len(pdf) - covered)))
    else:
        whole = covered == len(pdf)
        found.add("end", whole, "" if whole else "the PDF is shorter than when it was signed")


# ------------------------------------------------------------------------------------------ the PDF


def _read_pdf(
    pdf_bytes: bytes | None,
    json_bytes: bytes | None,
    lines: tuple[SignedLine | None, ...],
    lines_given: bool,
    found: _Findings,
) -> tuple[SignedPdf | None, tuple[Revision | None, ...]]:
    """Return the PDF opened and what each of its signatures states (None where one is not genuine)."""
    deep = ("readable", "plain", "count", "revision", "signature", "whole", "attachment", "pair")
    if pdf_bytes is None:
        found.unchecked(deep, ABSENT["pdf"])
        return None, ()
    if found.failed():
        found.unchecked(deep, SKIPPED)
        return None, ()
    pdf: SignedPdf | None = found.tried("readable", partial(_with_all_signatures, pdf_bytes))
    if pdf is None:
        found.unchecked(deep[1:], "the PDF cannot be read")
        return None, ()
    found.tried("plain", pdf.document.require_plain)
    if lines_given:
        count, fits = len(pdf.signatures), len(pdf.signatures) == len(lines)
        counted = message(
            "signatures in the PDF: {count}; lines in the signature file: {lines}", count=count, lines=len(lines)
        )
        found.add("count", fits, "" if fits else counted)
    else:
        found.unchecked(("count",), ABSENT["jws"])
    revisions = []
    for signature in pdf.signatures:
        here = signature.number - 1
        found.tried("revision", partial(check_revision, pdf, signature), here)
        revisions.append(found.tried("signature", partial(check_signature, pdf, signature), here))
    if pdf.signatures:
        beyond = len(pdf_bytes) - pdf.signatures[-1].end
        found.add(
            "whole", not beyond, message("{bytes} after the last signature", bytes=_bytes(beyond)) if beyond else ""
        )
    _check_attachment(pdf, json_bytes, lines, found)
    if lines_given:
        for here, (line, revision) in enumerate(zip(lines, revisions, strict=False)):
            if line is not None and revision is not None:
                why = _difference(line, revision, pdf.signatures[here].end)
                found.add("pair", not why, why, here)
    else:
        found.unchecked(("pair",), ABSENT["jws"])
    return pdf, tuple(revisions)


def _bytes(number: int) -> Message:
    return message("one byte was appended to the PDF", "{count:,} bytes were appended to the PDF", count=number)


def _with_all_signatures(content: bytes) -> SignedPdf:
    pdf = open_pdf(content)
    if len(pdf.signatures) < content.count(MARK):
        raise FileProblem("holds traces of signatures that are not found in their place", "pdf", "")
    return pdf


def _check_attachment(
    pdf: SignedPdf, json_bytes: bytes | None, lines: tuple[SignedLine | None, ...], found: _Findings
) -> None:
    try:
        attached = pdf.attached()
    except DPWizardError as problem:
        found.add("attachment", False, joined((message("the PDF"), problem.message)))
        return
    if json_bytes is not None:
        same = attached == json_bytes
        found.add("attachment", same, "" if same else "the JSON file and the one attached in the PDF differ")
        return
    signed = {line.manifest.json_sha256 for line in lines if line is not None}
    if signed:
        same = signed == {hashlib.sha256(attached).hexdigest()}
        differs = "the JSON attached in the PDF is not the one that was signed"
        found.add("attachment", same, "compared with the hash that was signed" if same else differs)
    else:
        found.unchecked(("attachment",), ABSENT["json"])


def _difference(line: SignedLine, revision: Revision, end: int) -> str:
    """Return in which way the two signatures of one signer differ, or nothing."""
    manifest = line.manifest
    if line.chain[0] != revision.chain[0] or set(line.chain) != set(revision.chain):
        return "they carry different certificates"
    if stamp(revision.time) != manifest.time:
        return "they state different times"
    if revision.reason != f"{manifest.role}: {manifest.verdict}" or revision.name != describe(line.chain[0]).name:
        return "they state different roles, verdicts or names"
    return "" if manifest.pdf_bytes == end else "they cover different bytes of the PDF"


# ---------------------------------------------------------------------------------------- the signers


def _signers(
    lines: tuple[SignedLine | None, ...],
    pdf: SignedPdf | None,
    revisions: tuple[Revision | None, ...],
    content: bytes | None,
    trust: Trust,
    now: datetime | None,
    found: _Findings,
) -> tuple[Signer, ...]:
    """Return who signed, by the signature file where it is given and else by the PDF, judging each certificate."""
    signers: list[Signer] = []
    times: list[datetime] = []
    stated = lines or revisions
    for position, said in enumerate(stated):
        if said is None:
            continue
        try:
            moment = said.manifest.moment if isinstance(said, SignedLine) else said.time
            standing = judge(said.chain, trust=trust, at=moment, now=now)
            certificate = describe(said.chain[0])
        except DPWizardError as problem:
            found.add("certificate", False, problem.message, position)
            continue
        found.add("certificate", not standing.refused, standing.why if standing.refused else "", position)
        found.add("trust", standing.trusted, standing.why, position)
        if isinstance(said, SignedLine):
            manifest = said.manifest
            words: dict[str, Any] = manifest.model_dump(
                include={"role", "verdict", "comment", "conditions", "time_source"}
            )
            end = manifest.pdf_bytes
        else:
            role, _, verdict = said.reason.rpartition(": ")
            words = {"role": role, "verdict": verdict}
            end = pdf.signatures[position].end if pdf else 0
        times.append(moment)
        signers.append(
            Signer(
                position=position,
                name=printable(certificate.name),
                organisation=printable(certificate.organisation) if certificate.organisation else "",
                time=stamp(moment),
                certificate=certificate,
                standing=standing.standing,
                trusted=standing.trusted,
                why=standing.why,
                notes=standing.notes,
                covers=_covers(end, content),
                **words,
            )
        )
    if signers:
        _check_times(times, now, found)
        roles = {role: [s.certificate for s in signers if s.role == role] for role in (PROPOSES, APPROVES)}
        shared = any(same_holder(one, other) for one in roles[PROPOSES] for other in roles[APPROVES])
        found.add("people", not shared, "one person proposes and approves" if shared else "")
    return remarked(signers, trust)


def _covers(end: int, content: bytes | None) -> Message:
    covered = message("the JSON file and the first {count:,} bytes of the PDF", count=end)
    if content is None:
        return covered
    whole, rest = message(", which is all of it"), message("; what follows was added by later signatures")
    return joined((covered, whole if end == len(content) else rest), "")


def _check_times(times: list[datetime], now: datetime | None, found: _Findings) -> None:
    if any(later < earlier for earlier, later in pairwise(times)):
        found.add("times", False, "a later signature states an earlier time")
    elif now is not None and times[-1] > now + LATE:
        found.add("times", False, message("the stated time {time} lies in the future", time=stamp(times[-1])))
    else:
        found.add("times", True)


# ---------------------------------------------------------------------------------------- the verdict


def _verdict(
    found: _Findings, signers: tuple[Signer, ...], *, signed: bool, pdf: bool, json: bool, missing: tuple[str, ...]
) -> Literal["trusted", "unchanged", "refused", "changed", "unsigned", "incomplete"]:
    if found.failed():
        return "changed"
    if not signed:
        return "unsigned" if pdf or "jws" not in missing else "incomplete"
    if found.failed(*REFUSALS):
        return "refused"
    if not pdf and not json:
        return "incomplete"
    return "trusted" if signers and all(signer.trusted for signer in signers) else "unchanged"


def _sentence(verdict: str, found: _Findings, signers: tuple[Signer, ...], missing: tuple[str, ...]) -> Message:
    made = _judged(verdict, found, signers)
    if not missing:
        return made
    names = listed([FILES[name] for name in missing])
    return joined((made, message("Not given, so not checked: {names}.", names=names)))


def _judged(verdict: str, found: _Findings, signers: tuple[Signer, ...]) -> Message:
    if verdict == "unsigned":
        return message("Not signed: there is no signature.")
    if verdict == "incomplete":
        return message("Nothing can be said: a signature and what it signs are not both given.")
    if verdict == "changed":
        return message("Not as signed: {reason}.", reason=found.failed()[0].why)
    who = listed([message("{name} ({role}, {time})", name=s.name, role=_role(s), time=s.time) for s in signers])
    if verdict == "refused":
        why = found.failed(*REFUSALS)[0].why
        return message("Unchanged since signing by {names}, but refused: {reason}.", names=who, reason=why)
    if verdict == "trusted":
        return message("Unchanged since signing by {names}; every certificate is trusted here.", names=who)
    names = list(dict.fromkeys(s.name for s in signers if not s.trusted))
    strangers = message(
        "the certificate of {names} is", "the certificates of {names} are", names=listed(names), count=len(names) or 1
    )
    return message(
        "Unchanged since signing by {names}; identity not established: {strangers} not trusted here.",
        names=who,
        strangers=strangers,
    )


def _role(signer: Signer) -> Message:
    """Return a signer's role as it stands in a sentence, with a verdict that speaks against the decision."""
    role = ROLES.get(signer.role) or verbatim(printable(signer.role))
    return joined((role, AGAINST[signer.verdict]), ": ") if signer.verdict in AGAINST else role
