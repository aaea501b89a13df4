"""A signed PDF read strictly: what was typeset, and then one revision for each signature, rebuilt and compared.

A standard validator says whether a signature is genuine; it allows what PDF allows (an update appended later, an
object listed twice, a second trailer). Here no revision is inspected: its few values are taken out of it, the
revision is written again (:mod:`dpwizard.signing.pdf_writing`), and the bytes must be the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from typing import Any

from dpwizard.errors import DPWizardError, FileProblem, SigningProblem
from dpwizard.messages import message
from dpwizard.signing.low_s import require_low_s
from dpwizard.signing.pdf_container import contained, require_genuine
from dpwizard.signing.pdf_document import Document
from dpwizard.signing.pdf_writing import SUBFILTER, State, Stated, first_state, revision

LARGEST_PDF = 32_000_000  # bytes
MOST_SIGNATURES = 20
LARGEST_REVISION = 1_000_000  # bytes
READS = ("pyhanko.pdf_utils.reader", "pyhanko.pdf_utils.decode_limits", "pyhanko.sign.validation", "asn1crypto.parser")
MARK = SUBFILTER  # stands in every signature of this program
_TAIL = re.compile(rb"startxref\n([0-9]{1,10})\n%%EOF\n\Z")
_ENTRY = re.compile(rb"([0-9]{10}) 00000 n \n")
_VALUE = re.compile(
    rb"\n<<\n/Contents <((?:[0-9A-F]{2})+)>\n/ByteRange \[[0-9 ]+\] *\n/Type /Sig\n/Filter /Adobe\.PPKLite\n"
    rb"/SubFilter %s\n/M \(D\\072([0-9]{14})Z\)\n/Name \(([^()\n]*)\)\n/Reason \(([^()\n]*)\)\n>>\nendobj\n" % SUBFILTER
)
_IDENTIFIER = re.compile(rb"\n/ID \[ <[0-9a-f]*> <([0-9a-f]{32})> \]\n")
_OCTAL = re.compile(rb"\\([0-3][0-7]{2})")


@dataclass(frozen=True)
class PdfSignature:
    """One signature found in the PDF, with what it states; whether that is true is for the checks."""

    number: int  # from 1, in the order of signing
    start: int  # where its revision begins
    end: int  # where its revision ends: it covers every byte before, but for itself
    before: State  # what its revision builds on, if the revisions before are as they should be
    stated: Stated | None  # None: the revision is not of the form in which it could be read
    digits: bytes = b""
    problem: SigningProblem | None = None  # what is wrong with its container


@dataclass(frozen=True)
class Revision:
    """What a genuine signature in the PDF states."""

    time: datetime
    name: str
    reason: str
    chain: tuple[bytes, ...]  # DER: the signer's certificate first


@dataclass(frozen=True)
class SignedPdf:
    """A PDF that could be read: its signatures in order, and where what was typeset ends."""

    content: bytes
    document: Document
    signatures: tuple[PdfSignature, ...]
    state: State  # what the next signature builds on
    typeset_bytes: int

    def attached(self) -> bytes:
        """Return the one file attached; raises FileProblem where there is none, or more than one."""
        return self.document.attached()


def open_pdf(pdf: bytes) -> SignedPdf:
    """Return PDF opened with its signatures found; raises FileProblem where it cannot be read, whatever the bytes.

    An installation that lacks a library raises ImportError.
    """
    if len(pdf) > LARGEST_PDF:
        raise FileProblem(
            message("has more than {most:,} bytes", most=LARGEST_PDF), "pdf", "No record of this program is so large."
        )
    for name in READS:
        # here, not where any error is the file's: what the installation lacks is no damage to a file
        import_module(name)
    try:
        return _opened(pdf)
    except DPWizardError:
        raise
    except Exception as problem:
        raise FileProblem("is damaged, or is no PDF", "pdf", "Restore it from a copy.") from problem


def _opened(pdf: bytes) -> SignedPdf:
    found = _revisions(pdf)
    typeset = found[0][0] if found else len(pdf)
    document = Document(pdf[:typeset])
    state = first_state(document)
    signatures: list[PdfSignature] = []
    for number, (start, end) in enumerate(found, 1):
        one = _signature(pdf, number, start, end, state)
        signatures.append(one)
        if one.stated is not None:
            state = revision(document, state, start, number, one.stated).after
    return SignedPdf(pdf, document, tuple(signatures), state, typeset)


def _revisions(pdf: bytes) -> list[tuple[int, int]]:
    """Return where each revision that holds a signature begins and ends, from the last one back to what was typeset."""
    found: list[tuple[int, int]] = []
    end = len(pdf)
    while tail := _TAIL.search(pdf, max(0, end - 40), end):
        table = int(tail[1])
        places = [int(place) for place in _ENTRY.findall(pdf, table, end)] if table < end else []
        start = min(places, default=end)
        if not start < table < end or SUBFILTER not in pdf[start:end]:
            break
        if len(found) == MOST_SIGNATURES:
            raise FileProblem(message("holds more than {most} signatures", most=MOST_SIGNATURES), "pdf", "")
        found.insert(0, (start, end))
        end = start
    return found


def _signature(pdf: bytes, number: int, start: int, end: int, before: State) -> PdfSignature:
    content = pdf[start:end]
    value, identifier = _VALUE.search(content), _IDENTIFIER.search(content)
    if value is None or identifier is None or end - start > LARGEST_REVISION:
        return PdfSignature(number, start, end, before, None)
    try:
        stated = _stated(value, identifier[1])
    except SigningProblem as problem:
        return PdfSignature(number, start, end, before, None, value[1], problem)
    return PdfSignature(number, start, end, before, stated, value[1])


def _stated(value: re.Match[bytes], identifier: bytes) -> Stated:
    try:
        return Stated(
            name=_text(value[3]),
            reason=_text(value[4]),
            time=datetime.strptime(value[2].decode("ascii"), "%Y%m%d%H%M%S").replace(tzinfo=UTC),
            identifier=bytes.fromhex(identifier.decode("ascii")),
            chain=contained(value[1])[1],
        )
    except SigningProblem:
        raise
    except Exception as problem:
        raise SigningProblem("cannot be read", "pdf", "") from problem


def _text(spelled: bytes) -> str:
    """Return the text that a string in a PDF spells."""
    from pyhanko.pdf_utils.generic import TextStringEncoding

    raw = _OCTAL.sub(lambda match: bytes([int(match[1], 8)]), spelled)
    return raw[2:].decode("utf-16-be") if raw.startswith(b"\xfe\xff") else str(TextStringEncoding.PDF_DOC.decode(raw))


def check_revision(pdf: SignedPdf, signature: PdfSignature) -> None:
    """Raise SigningProblem unless the revision of SIGNATURE is byte for byte the one this program writes."""
    if signature.stated is None:
        raise signature.problem or SigningProblem("is not of the form this program writes", "pdf", "")
    start, end = signature.start, signature.end
    made = revision(pdf.document, signature.before, start, signature.number, signature.stated)
    zeros = made.content[made.opened + 1 - start : made.closed - 1 - start]
    if len(zeros) != len(signature.digits):
        raise SigningProblem("gives its signature another room than this program does", "pdf", "")
    again = made.content[: made.opened + 1 - start] + signature.digits + made.content[made.closed - 1 - start :]
    if again != pdf.content[start:end]:
        raise SigningProblem("is not, byte for byte, the one this program writes for this signature", "pdf", "")


def check_signature(pdf: SignedPdf, signature: PdfSignature) -> Revision:
    """Return what SIGNATURE states where it is genuine, covers its whole revision and leaves no byte free.

    Raises SigningProblem saying what is not so.
    """
    check_revision(pdf, signature)  # what a signature covers is known only where its revision is
    try:
        return _checked_signature(pdf, signature)
    except DPWizardError:
        raise
    except Exception as problem:
        raise SigningProblem("cannot be read", "pdf", "") from problem


def _checked_signature(pdf: SignedPdf, signature: PdfSignature) -> Revision:
    stated: Any = signature.stated
    signed, chain = contained(signature.digits)
    at = pdf.content.index(b"<" + signature.digits + b">", signature.start)
    covered = pdf.content[:at] + pdf.content[at + len(signature.digits) + 2 : signature.end]
    require_genuine(signed, chain[0], covered, stated.time)
    if pdf.document.places:  # records of before there were places were signed before this was asked for
        require_low_s(signed["signer_infos"][0]["signature"].native, chain[0])
    return Revision(stated.time, stated.name, stated.reason, chain)
