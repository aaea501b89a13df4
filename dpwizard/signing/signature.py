"""One signature: one compact JWS in a file of its own, NAME.1.jws, NAME.2.jws and so on.

It states who signs as what, the hash of the JSON and of the line before, and holds the signature value that stands in
the PDF, so that everything else in the PDF follows from JSON and lines.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_args

from pydantic import Field

from dpwizard.base.errors import DPWizardError, InvalidInput, SigningProblem
from dpwizard.base.messages import message
from dpwizard.base.values import LongText, ShortText, Value, Whole, plain, read
from dpwizard.signing.certificates import Certificate, describe, load, scheme, with_low_s

if TYPE_CHECKING:
    from dpwizard.signing.identity import Identity

ALGORITHMS = {"ES256": "P-256", "ES384": "P-384", "ES512": "P-521", "PS256": "RSA", "RS256": "RSA"}
LONGEST_LINE = 200_000  # bytes
MOST_CERTIFICATES = 10

Digest = Annotated[str, Field(strict=True, pattern=r"^[0-9a-f]{64}$")]
Moment = Annotated[str, Field(strict=True, pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$")]
Stated = TypeVar("Stated", bound=Value)
_BASE64URL = re.compile(r"[A-Za-z0-9_-]+\Z")


def moment_of(time: str) -> datetime:
    """Return a time as a signature states it; raises SigningProblem where there is no such day or hour."""
    try:
        return datetime.strptime(time, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError:
        raise SigningProblem("states a time that does not exist", "time", "") from None


def sign_value(*, identity: Identity, value: Value, kind: str) -> str:
    """Return one line that states VALUE, of this KIND ("typ" of its header), signed by IDENTITY."""
    names = [name for name, key in ALGORITHMS.items() if identity.certificate.key.split()[0] == key]
    certificates = [base64.b64encode(der).decode("ascii") for der in identity.chain[:MOST_CERTIFICATES]]
    header = {"alg": names[0], "typ": kind, "x5c": certificates}
    signed = f"{_wrapped(_canonical(header))}.{_wrapped(_canonical(plain(value)))}"
    signature = identity.sign(signed.encode("ascii"), names[0])
    return f"{signed}.{_wrapped(_two_numbers(signature, identity.chain[0]))}"


def read_signed(line: str, states: type[Stated], kind: str) -> tuple[Stated, tuple[bytes, ...]]:
    """Return the value that a LINE of this KIND STATES, and the certificates of who signed it.

    Raises SigningProblem where its form or its signature is not the one accepted.
    """
    if len(line) > LONGEST_LINE:
        raise _faulty("is too long")
    parts = line.split(".")
    if len(parts) != 3:
        raise _faulty("is not made of three parts")
    header, payload, signature = (_decoded(part) for part in parts)
    algorithm, chain = _read_header(header, kind)
    signed = line.rpartition(".")[0].encode("ascii")
    if not is_genuine(_in_der(signature, chain[0]), signed, chain[0], algorithm):
        raise _faulty("was not made with its certificate")
    return _read_payload(payload, states), chain


def _read_header(header: bytes, kind: str) -> tuple[str, tuple[bytes, ...]]:
    stated = _strict_json(header, "header")
    if not isinstance(stated, dict) or set(stated) != {"alg", "typ", "x5c"}:
        raise _faulty("has other header members than alg, typ and x5c")
    algorithm, certificates = stated["alg"], stated["x5c"]
    if stated["typ"] != kind:
        raise _faulty("is not a signature of a record")
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
        raise _faulty("names an algorithm that is not accepted here")
    if not isinstance(certificates, list) or not 1 <= len(certificates) <= MOST_CERTIFICATES:
        raise _faulty("does not carry between one and ten certificates")
    chain = tuple(_certificate(text) for text in certificates)
    if describe(chain[0]).key.split()[0] != ALGORITHMS[algorithm]:
        raise _faulty("names an algorithm that its certificate’s key cannot compute")
    return algorithm, chain


def _read_payload(payload: bytes, states: type[Stated]) -> Stated:
    stated = _strict_json(payload, "payload")
    try:
        value: Stated = read(states, stated, "payload")
    except DPWizardError as problem:
        raise _faulty(
            message("is not as expected ({where} {what})", where=problem.where, what=problem.message)
        ) from None
    return value


def _strict_json(text: bytes, part: str) -> Any:
    """Return what TEXT says where it is the one canonical spelling of it: no key twice, no blank free."""
    try:
        value = json.loads(text.decode("utf-8"), parse_float=_no_fraction, parse_constant=_no_fraction)
        canonical = _canonical(value) == text
    except (ValueError, RecursionError, DPWizardError):
        canonical = False
    if not canonical:
        raise _faulty(message("has a {part} that is not canonical JSON", part=part))
    return value


def _no_fraction(_: str) -> None:
    raise ValueError("a signature cannot contain fractions")


def _canonical(value: Any) -> bytes:
    """Return VALUE as RFC 8785 spells it; raises InvalidInput where it cannot be spelled (half a character).

    For text, whole numbers below 2^53, null, lists, and objects with ASCII keys (all a signature states),
    json.dumps with these settings gives those bytes; only fractions would need an algorithm of their own.
    """
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")).encode(
            "utf-8"
        )
    except (ValueError, TypeError, RecursionError):
        raise InvalidInput("contains text that cannot be written", "manifest", "Remove unusual characters.") from None


def _certificate(text: Any) -> bytes:
    der = _of_base64(text)
    if not der:
        raise _faulty("carries a certificate that is not canonical base64")
    load(der)
    return der


def _of_base64(text: Any) -> bytes:
    """Return what TEXT says where it is canonical base64; nothing where it is not."""
    try:
        raw = base64.b64decode(text.encode("ascii"), validate=True)
    except (AttributeError, ValueError):
        return b""
    return raw if base64.b64encode(raw).decode("ascii") == text else b""


def _wrapped(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode("ascii").rstrip("=")


def _two_numbers(signature: bytes, der: bytes) -> bytes:
    """Return a SIGNATURE as JWS has it: of ECDSA, r and s one behind the other."""
    from cryptography.hazmat.primitives.asymmetric import ec, utils

    key = load(der).public_key()
    if not isinstance(key, ec.EllipticCurvePublicKey):
        return signature
    size = -(-key.curve.key_size // 8)
    return b"".join(number.to_bytes(size, "big") for number in utils.decode_dss_signature(signature))


def _in_der(signature: bytes, der: bytes) -> bytes:
    """Return a SIGNATURE that JWS has as CMS has it; nothing where it has another length."""
    from cryptography.hazmat.primitives.asymmetric import ec, utils

    key = load(der).public_key()
    if not isinstance(key, ec.EllipticCurvePublicKey):
        return signature
    size = -(-key.curve.key_size // 8)
    numbers = (int.from_bytes(half, "big") for half in (signature[:size], signature[size:]))
    return utils.encode_dss_signature(*numbers) if len(signature) == 2 * size else b""


def _decoded(part: str) -> bytes:
    """Return what base64url PART says where it is the canonical spelling (no padding, no spare bits)."""
    if _BASE64URL.match(part):
        try:
            raw = base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
        except (binascii.Error, ValueError):
            raw = b""
        if _wrapped(raw) == part:
            return raw
    raise _faulty("has a part that is not canonical base64")


def _faulty(what: str) -> SigningProblem:
    return SigningProblem(what, "signature", "")


# ----------------------------------------------------------------------- the line itself: one spelling for every byte


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
        return sha256_of(self.text.encode("ascii"))

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
    signature = Signature(line=line, chain=chain, text=text)
    _ = signature.time
    if not _of_base64(line.pdf_signature):
        raise _faulty("holds a PDF signature that is not canonical base64")
    return signature


def sign_line(identity: Identity, line: Line) -> str:
    """Return LINE signed by IDENTITY as one text without a line break."""
    return sign_value(identity=identity, value=line, kind=KIND)


def is_genuine(signature: bytes, signed: bytes, certificate: bytes, algorithm: str = "SHA256") -> bool:
    """Return whether the key of CERTIFICATE (DER) made SIGNATURE (CMS form) over SIGNED, with the low s."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric import ec

    key: Any = load(certificate).public_key()
    kind, padding = scheme(algorithm)
    try:
        if isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(signature, signed, ec.ECDSA(kind))
            return with_low_s(signature, key.curve) == signature
        key.verify(signature, signed, padding, kind)
    except (InvalidSignature, ValueError):
        return False
    return True


def sha256_of(content: bytes) -> str:
    """Return the SHA-256 of CONTENT in hexadecimal, by which lines, log and public versions name files."""
    return hashlib.sha256(content).hexdigest()
