"""A small record as the program makes it, people to sign it, and the means to forge one; for the tests of signing."""

from __future__ import annotations

import base64
import functools
import hashlib
import io
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import typst
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign.fields import SigFieldSpec, SigSeedSubFilter
from pyhanko.sign.signers.cms_embedder import PdfCMSEmbedder, SigIOSetup, SigObjSetup
from pyhanko.sign.signers.pdf_byterange import SignatureObject

from dpwizard.signing.certificates import stamp
from dpwizard.signing.json_signature import line_hash, sign_manifest, split_lines
from dpwizard.signing.pdf_container import signed_digest
from dpwizard.signing.signing import (
    Identity,
    Manifest,
    SignedRecord,
    Trust,
    Verification,
    read_trust,
    sign_record,
    verify_record,
)

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
DAY = timedelta(days=1)
PASSPHRASE = "nine blue herons"
JSON = (
    json.dumps(
        {"title": "Infant deaths", "epsilon": 2.19, "notes": "über 4.012 Geburten " * 40}, indent=2, sort_keys=True
    )
    + "\n"
).encode()
SOURCE = """
#set document(title: "Infant deaths in Durham County", author: "Office", date: datetime(year: 2026, month: 3, day: 1))
#set text(lang: "en")
#pdf.attach("record.json", bytes(sys.inputs.json), relationship: "source", mime-type: "application/json",
  description: "The record")
= Decision
See #link(<t>)[the notes] and @t.
#figure(table(columns: 2, table.header[Requirement][Epsilon], [Neighbour], [2.19]), caption: [Limits]) <t>
#pagebreak()
= Grounds
#lorem(80)
"""
PURPOSES = ("1.3.6.1.5.5.7.3.36", ExtendedKeyUsageOID.EMAIL_PROTECTION.dotted_string)


@functools.cache
def typeset(attached: bytes = JSON, source: str = SOURCE) -> bytes:
    """Return the record as a tagged PDF/A-3a and PDF/UA-1 with the JSON attached."""
    inputs = {"json": attached.decode("utf-8")}
    options: dict[str, Any] = {
        "pdf_standards": ["a-3a", "ua-1"],
        "sys_inputs": inputs,
        "timestamp": int(NOW.timestamp()),
    }
    return bytes(typst.compile(source.encode(), format="pdf", **options))


def certificate(
    key: Any,
    name: str,
    *,
    issuer: tuple[Any, x509.Certificate] | None = None,
    authority: bool = False,
    begins: datetime = NOW - DAY,
    ends: datetime = NOW + 700 * DAY,
    signs: bool = True,
    purposes: tuple[str, ...] = PURPOSES,
) -> x509.Certificate:
    """Return a certificate for KEY, issued by ISSUER (its key and certificate) or by itself."""
    holder = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    usage = x509.KeyUsage(signs, signs, not signs, False, False, authority, authority, False, False)
    built = (
        x509.CertificateBuilder()
        .subject_name(holder)
        .issuer_name(issuer[1].subject if issuer else holder)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(ends)
        .add_extension(x509.BasicConstraints(authority, None), True)
        .add_extension(usage, True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
    )
    if issuer:
        built = built.add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer[0].public_key()), False)
    if not authority:
        built = built.add_extension(x509.SubjectAlternativeName([x509.DirectoryName(holder)]), False)
        built = built.add_extension(x509.ExtendedKeyUsage([x509.ObjectIdentifier(oid) for oid in purposes]), False)
    return built.sign(issuer[0] if issuer else key, hashes.SHA256())


def person(name: str, key: Any = None, **options: Any) -> Identity:
    """Return an open identity with a certificate made for the tests (faster than a key file)."""
    key = key or ec.generate_private_key(ec.SECP256R1())
    made = certificate(key, name, **options)
    above = options.get("issuer")
    chain = (made.public_bytes(Encoding.DER),) + ((above[1].public_bytes(Encoding.DER),) if above else ())
    return Identity(key, chain)


@functools.cache
def people() -> tuple[Identity, ...]:
    """Return three people: with P-256, RSA and P-384 keys."""
    return (
        person("Ann Müller"),
        person("Bob", rsa.generate_private_key(65537, 2048)),
        person("Cleo", ec.generate_private_key(ec.SECP384R1())),
    )


def sign(
    record: SignedRecord | bytes, who: Identity, role: str = "proposes", json_bytes: bytes = JSON, **options: Any
) -> SignedRecord:
    """Return RECORD (or a typeset PDF) signed by one person more."""
    before = SignedRecord(pdf_bytes=record, jws_text="") if isinstance(record, bytes) else record
    stated = {"verdict": "approve", "time": NOW, "time_source": "the test", **options}
    return sign_record(
        json_bytes=json_bytes, pdf_bytes=before.pdf_bytes, jws_text=before.jws_text, identity=who, role=role, **stated
    )


def sign_unchecked(
    record: SignedRecord | bytes, who: Identity, role: str = "proposes", json_bytes: bytes = JSON
) -> SignedRecord:
    """Return RECORD signed by one person more with a program that refuses nothing."""
    before = SignedRecord(pdf_bytes=record, jws_text="") if isinstance(record, bytes) else record
    lines = split_lines(before.jws_text)
    pdf = pyhanko_signed(before.pdf_bytes, len(lines) + 1, who, f"{role}: approve")
    manifest = Manifest(
        role=role,
        verdict="approve",
        comment="",
        conditions=(),
        time=stamp(NOW),
        time_source="the test",
        json_sha256=hashlib.sha256(json_bytes).hexdigest(),
        pdf_sha256=hashlib.sha256(pdf).hexdigest(),
        pdf_bytes=len(pdf),
        previous=line_hash(lines[-1]) if lines else None,
    )
    line = sign_manifest(identity=who, manifest=manifest)
    return SignedRecord(pdf_bytes=pdf, jws_text="".join(f"{text}\n" for text in (*lines, line)))


def pyhanko_signed(
    pdf: bytes, number: int, who: Identity, reason: str, change: Callable[[Any], None] | None = None
) -> bytes:
    """Return PDF signed by pyHanko, which builds on any PDF, in a revision that CHANGE may change the document by."""
    name = f"Signature{number}"
    writer = SignatureOnly(io.BytesIO(pdf if pdf.endswith(b"\n") else pdf + b"\n"))
    if change is not None:
        change(writer)
    steps = PdfCMSEmbedder(SigFieldSpec(name, readable_field_name=f"Signature {number}")).write_cms(name, writer)
    next(steps)
    room = 4_096 + 2 * sum(map(len, who.chain)) + 4 * len(who.chain[0])
    shown = {"name": who.certificate.name, "reason": reason, "bytes_reserved": room}
    steps.send(SigObjSetup(SignatureObject(timestamp=NOW, subfilter=SigSeedSubFilter.PADES, **shown)))
    prepared, output = steps.send(SigIOSetup("sha256"))
    steps.send(signed_digest(who, prepared.document_digest))
    return bytes(output.getvalue())


class SignatureOnly(IncrementalPdfFileWriter):
    """A writer that leaves version, title, dates and XMP as they are."""

    output_version = (1, 7)

    def _update_meta(self) -> None:
        pass


@functools.cache
def signed(count: int = 2) -> SignedRecord:
    """Return the record signed by the first COUNT people."""
    roles = ("proposes", "approves", "data_protection_officer")
    return sign(signed(count - 1) if count > 1 else typeset(), people()[count - 1], roles[count - 1])


def judged(record: SignedRecord, **options: Any) -> Verification:
    """Return what is found of RECORD beside the JSON of the tests."""
    return verify_record(JSON, record.pdf_bytes, record.jws_text, **options)


def trusted(*identities: Identity) -> Trust:
    """Return a trust store that holds the certificates of IDENTITIES."""
    return read_trust(files=tuple(identity.certificate_pem() for identity in identities))


def an_authority(name: str = "County CA", **options: Any) -> tuple[Any, x509.Certificate]:
    """Return the key and the certificate of an authority that vouches for people."""
    key = ec.generate_private_key(ec.SECP256R1())
    return key, certificate(key, name, authority=True, ends=NOW + 3650 * DAY, begins=NOW - 3650 * DAY, **options)


def trust_in(*roots: x509.Certificate) -> Trust:
    """Return a trust store that holds ROOTS."""
    return read_trust(files=tuple(root.public_bytes(Encoding.PEM) for root in roots))


def private_key(who: Identity) -> Any:
    """Return the private key of WHO, as only a test asks for it."""
    return who.key_for_jose().private_key


def canonical(value: Any) -> bytes:
    """Return VALUE as RFC 8785 spells it (no fractions here, and keys in ASCII)."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def parts(line: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return header and payload of a JWS line."""
    header, payload, _ = line.split(".")
    return json.loads(unwrapped(header)), json.loads(unwrapped(payload))


def unwrapped(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def wrapped(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


P256 = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # the order of the group


def forged(who: Identity, header: Any, payload: Any) -> str:
    """Return a line with any header and payload (values, or bytes as they are), with a genuine ES256 or PS256
    signature."""
    said = [part if isinstance(part, bytes) else canonical(part) for part in (header, payload)]
    message = f"{wrapped(said[0])}.{wrapped(said[1])}"
    key = private_key(who)
    if who.kind == "EC":
        r, s = utils.decode_dss_signature(key.sign(message.encode(), ec.ECDSA(hashes.SHA256())))
        s = min(s, P256 - s)  # of the two values that are genuine, the one this program takes
        signature = r.to_bytes(32, "big") + s.to_bytes(32, "big")
    else:
        signature = key.sign(message.encode(), padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256())
    return f"{message}.{wrapped(signature)}"


def written(folder: Path, record: SignedRecord) -> tuple[Path, Path, Path]:
    """Write the three files into FOLDER; return their paths."""
    paths = folder / "r.json", folder / "r.pdf", folder / "r.json.jws"
    for path, content in zip(paths, (JSON, record.pdf_bytes, record.jws_text.encode()), strict=True):
        path.write_bytes(content)
    return paths
