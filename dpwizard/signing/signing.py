"""Signing a record, and by this one name everything about identities, signatures and verification.

One signer adds two things: a signature inside the PDF, and then a line in the signature file that covers
the JSON file, the PDF with that signature, and the line before. From the first signature on, the JSON file
and what was typeset cannot change any more.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime

from dpwizard.errors import InvalidInput, SigningProblem
from dpwizard.messages import message
from dpwizard.signing.certificates import NOTHING_TRUSTED, Certificate, Standing, Trust, read_trust, stamp
from dpwizard.signing.findings import Finding, Signer, Verification
from dpwizard.signing.identity import Identity, create_identity, open_identity
from dpwizard.signing.json_signature import MOST_LINES, Manifest, line_hash, sign_manifest, split_lines
from dpwizard.signing.pdf_revisions import open_pdf
from dpwizard.signing.pdf_signature import sign_pdf
from dpwizard.signing.verification import APPROVES, CHECKS, PROPOSES, verify_record
from dpwizard.values import read

__all__ = [
    "APPROVES",
    "CHECKS",
    "NOTHING_TRUSTED",
    "PROPOSES",
    "Certificate",
    "Finding",
    "Identity",
    "Manifest",
    "SignedRecord",
    "Signer",
    "Standing",
    "Trust",
    "Verification",
    "create_identity",
    "open_identity",
    "read_trust",
    "sign_record",
    "verify_record",
]


@dataclass(frozen=True, kw_only=True)
class SignedRecord:
    """The two files that change with a signature: the PDF, and the signature file with one line more."""

    pdf_bytes: bytes
    jws_text: str


def sign_record(
    *,
    json_bytes: bytes,
    pdf_bytes: bytes,
    identity: Identity,
    role: str,
    verdict: str,
    time: datetime,
    time_source: str,
    jws_text: str | bytes = "",
    comment: str = "",
    conditions: tuple[str, ...] = (),
) -> SignedRecord:
    """Return the record signed by one person more.

    Arguments: json_bytes, the JSON file; pdf_bytes, the PDF as typeset (for the first signer) or as signed so
    far, with the JSON attached; jws_text, the signature file so far; identity, open; role ("proposes",
    "approves", "data_protection_officer", ...) and verdict ("approve", ...), each on one line; time, the
    stated time of signing with its zone, and time_source, where it comes from.
    Raises SigningProblem where the record is not what was signed so far, where the certificate is not valid at
    that time or both proposes and approves, and where the time lies before the signature before; FileProblem
    where the PDF cannot be signed or does not hold the JSON; InvalidInput for a text that cannot be signed.
    """
    moment = stamp(time)
    for where, text in (("role", role), ("verdict", verdict)):
        if not isinstance(text, str) or not text.strip() or not text.isprintable():
            raise InvalidInput("must be printable text on one line", where, 'Enter for instance "approves".')
    identity.require_usable(time)
    lines = split_lines(jws_text)
    if len(lines) >= MOST_LINES:
        raise SigningProblem(
            message("a record takes at most {most} signatures", most=MOST_LINES),
            "signatures",
            "Make a new record that supersedes it.",
        )
    _require_unchanged(json_bytes, pdf_bytes, jws_text if lines else None)
    signed = sign_pdf(pdf=pdf_bytes, identity=identity, number=len(lines) + 1, time=time, reason=f"{role}: {verdict}")
    stated = {
        "role": role,
        "verdict": verdict,
        "comment": comment,
        "conditions": conditions,
        "time": moment,
        "time_source": time_source,
        "json_sha256": hashlib.sha256(json_bytes).hexdigest(),
        "pdf_sha256": hashlib.sha256(signed).hexdigest(),
        "pdf_bytes": len(signed),
        "previous": line_hash(lines[-1]) if lines else None,
    }
    line = sign_manifest(identity=identity, manifest=read(Manifest, stated, "signature"))
    result = SignedRecord(pdf_bytes=signed, jws_text="".join(f"{text}\n" for text in (*lines, line)))
    _require_accepted(json_bytes, result)
    return result


def _require_unchanged(json_bytes: bytes, pdf_bytes: bytes, jws_text: str | bytes | None) -> None:
    """Raise where what is to be signed is not the record as it stands after the signatures before."""
    if jws_text is not None:
        before = verify_record(json_bytes, pdf_bytes, jws_text)
        if not before.ok:
            raise SigningProblem(
                message("the record cannot be signed as it is. {sentence}", sentence=before.sentence),
                "record",
                "Sign an unchanged copy, or make a new record.",
            )
        return
    pdf = open_pdf(pdf_bytes)
    if pdf.signatures:
        raise SigningProblem(
            "the PDF is signed already, but its signature file was not given", "record", "Put NAME.json.jws beside it."
        )
    if pdf.attached() != json_bytes:
        raise SigningProblem("the JSON attached in the PDF is not the JSON file", "record", "Typeset the record again.")


def _require_accepted(json_bytes: bytes, result: SignedRecord) -> None:
    """Raise where the signature just made would not be accepted: nothing is handed out only to be refused."""
    after = verify_record(json_bytes, result.pdf_bytes, result.jws_text)
    if not after.ok:
        raise SigningProblem(
            message("this signature would not be accepted. {sentence}", sentence=after.sentence),
            "signature",
            "Nothing was signed.",
        )
