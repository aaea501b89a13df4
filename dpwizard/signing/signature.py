"""One signature: one compact JWS in a file of its own, NAME.1.jws, NAME.2.jws and so on.

It states who signs as what, the hash of the JSON and of the line before, and holds the signature value that stands in
the PDF, so that everything else in the PDF follows from JSON and lines.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from types import MappingProxyType
from typing import Annotated, Any, Literal, get_args

from pydantic import Field

from dpwizard.base.errors import SigningProblem
from dpwizard.base.messages import message
from dpwizard.base.values import LongText, ShortText, Value, Whole
from dpwizard.signing.certificates import Certificate, describe, load, with_low_s
from dpwizard.signing.identity import Identity
from dpwizard.signing.json_signature import Digest, Moment, line_hash, moment_of, read_signed, sign_value

KIND = "dpwizard-signature/3"
PROPOSES, APPROVES, OFFICER, VOUCHES = ROLES = ("proposes", "approves", "data_protection_officer", "vouches")
Verdict = Literal["propose", "approve", "approve_with_conditions", "refer", "reject", "withdraw", "vouch", "none"]
WITH_CONDITIONS: Verdict = "approve_with_conditions"
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
ROLE_NAMES = MappingProxyType(
    {
        PROPOSES: message("proposes"),
        APPROVES: message("approves"),
        OFFICER: message("data protection officer"),
        VOUCHES: message("vouches"),
    }
)


class Line(Value):
    """What one signer states."""

    role: ShortText
    verdict: Verdict
    comment: LongText
    conditions: Annotated[tuple[LongText, ...], Field(max_length=100)]
    time: Moment
    time_source: Literal["signer", "computer"]
    json_sha256: Digest
    previous: Digest | None  # of the line before; None in the first
    pdf_signature: Annotated[str, Field(max_length=2_000)]  # base64: what the key signed over this signer's increment
    pdf_sha256: Digest  # of the PDF with this signature, for readers who cannot make its pages
    pdf_bytes: Whole  # how long that PDF is


@dataclass(frozen=True)
class Signature:
    """A line whose JSON signature is genuine and has its one spelling, with the certificates it carries."""

    line: Line
    chain: tuple[bytes, ...]  # DER: the signer's certificate first
    text: str

    @cached_property
    def certificate(self) -> Certificate:
        """Return what the signer's certificate says."""
        return describe(self.chain[0])

    @cached_property
    def time(self) -> datetime:
        """Return the stated time of signing."""
        return moment_of(self.line.time)

    @cached_property
    def sha256(self) -> str:
        """Return the hash by which the next line and the log name this one."""
        return line_hash(self.text)

    @property
    def in_pdf(self) -> bytes:
        """Return the signature value that stands in the PDF."""
        return base64.b64decode(self.line.pdf_signature)

    @property
    def reason(self) -> str:
        """Return what the PDF gives as the reason for the signature."""
        return f"{self.line.role}: {self.line.verdict}"


def read_signature(text: str) -> Signature:
    """Return what one line says; raises SigningProblem where it is not genuine or not in its one spelling."""
    line, chain = read_signed(text, Line, KIND)
    found = Signature(line=line, chain=chain, text=text)
    _ = found.time
    try:
        raw = base64.b64decode(line.pdf_signature, validate=True)
    except ValueError:
        raw = b""
    if not raw or base64.b64encode(raw).decode("ascii") != line.pdf_signature:
        raise SigningProblem("holds a PDF signature that is not canonical base64", "signature", "")
    return found


def sign_line(identity: Identity, line: Line) -> str:
    """Return LINE signed by IDENTITY as one text without a line break."""
    return sign_value(identity=identity, value=line, kind=KIND)


def is_genuine(signature: bytes, signed: bytes, certificate: bytes) -> bool:
    """Return whether the key of CERTIFICATE (DER) made SIGNATURE (CMS form) over SIGNED, with the low s."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, padding

    key: Any = load(certificate).public_key()
    try:
        if isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(signature, signed, ec.ECDSA(hashes.SHA256()))
            return with_low_s(signature, key.curve) == signature
        key.verify(signature, signed, padding.PKCS1v15(), hashes.SHA256())
    except (InvalidSignature, ValueError):
        return False
    return True


def sha256_of(content: bytes) -> str:
    """Return the SHA-256 of CONTENT in hexadecimal, by which lines, log and public editions name files."""
    return hashlib.sha256(content).hexdigest()
