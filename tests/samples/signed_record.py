"""A small record as the program makes and signs it, people to sign it, and the means to forge one."""

from __future__ import annotations

import base64
import errno
import functools
import json
import os
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from dpwizard.decision import Decision, read_decision
from dpwizard.records import AssertedTime
from dpwizard.signing import RecordFiles, signing, verification
from dpwizard.signing.findings import Verification
from dpwizard.signing.identity import Identity
from dpwizard.signing.remaking import Remade, remade_pages, with_signatures
from dpwizard.signing.signing import SigningRequest
from tests.samples.decisions import example

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
DAY = timedelta(days=1)
PASSPHRASE = "nine blue herons"
PURPOSES = ("1.3.6.1.5.5.7.3.36", ExtendedKeyUsageOID.EMAIL_PROTECTION.dotted_string)
ROLES = ("proposes", "approves", "data_protection_officer")


def small(**changes: Any) -> Decision:
    """Return the worked example, approved: it is solved and typeset in no time."""
    return read_decision(example("durham")).model_copy(update={"outcome": "approve"} | changes)


@functools.lru_cache(maxsize=64)
def _pages(json_bytes: bytes) -> Remade:
    return remade_pages(json_bytes)


@functools.lru_cache(maxsize=64)
def remake(json_bytes: bytes, lines: tuple[str, ...], _: object = None) -> Remade:
    """Make a record again in this process, once for the same JSON and lines."""
    return with_signatures(_pages(json_bytes), lines)


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
    organisation: str = "",
) -> x509.Certificate:
    """Return a certificate for KEY, issued by ISSUER (its key and certificate) or by itself."""
    parts = {NameOID.COMMON_NAME: name} | ({NameOID.ORGANIZATION_NAME: organisation} if organisation else {})
    holder = x509.Name([x509.NameAttribute(*part) for part in parts.items()])
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


def request(who: Identity, role: str = "proposes", verdict: str = "approve", **changes: Any) -> SigningRequest:
    """Return what WHO states in a ROLE: an approval at NOW, or what CHANGES say."""
    stated = AssertedTime(time=changes.pop("time", NOW), source="signer")
    given = {"stated": stated, "comment": ""} | changes
    return SigningRequest(identity=who, role=role, verdict=verdict, **given)


def new(
    folder: Path, who: Identity | None = None, *, name: str = "r", decision: Decision | None = None, **changes: Any
) -> RecordFiles:
    """Return where a new record lies that WHO (the first of the people) has signed."""
    place = RecordFiles(folder=folder, name=name)
    signing.sign_new(decision or small(), place, request(who or people()[0], **changes))
    return place


def further(place: RecordFiles, who: Identity, role: str = "approves", **changes: Any) -> RecordFiles:
    """Sign the record at PLACE once more."""
    signing.sign_further(place, request(who, role, **changes))
    return place


@functools.cache
def _signed(count: int) -> Mapping[str, bytes]:
    with TemporaryDirectory() as folder:
        if count == 1:
            place = new(Path(folder))
        else:
            place = further(signed(Path(folder), count - 1), people()[count - 1], ROLES[count - 1])
        return {path.name: path.read_bytes() for path in place.there}


def signed(folder: Path, count: int = 2) -> RecordFiles:
    """Return where a record of the first COUNT people lies in FOLDER: proposed, approved, advised on."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in _signed(count).items():
        (folder / name).write_bytes(content)
    return RecordFiles(folder=folder, name="r")


def closed(*folders: Path) -> Callable[..., Any]:
    """Return how os.scandir lists any folder but one of FOLDERS, into which nobody may look."""
    scandir = os.scandir

    def listed(path: Path | str) -> Any:
        if Path(path) in folders:
            raise PermissionError(errno.EACCES, "", str(path))
        return scandir(path)

    return listed


def judged(place: RecordFiles, trusted: Iterable[Path] = (), **options: Any) -> Verification:
    """Return what is found of the record at PLACE."""
    options = {"now": NOW + DAY} | options
    now = options.pop("now")
    return verification.verify(place, trusted, now, **options)


def trusting(folder: Path, *trusted: Identity | x509.Certificate, lists: Iterable[bytes] = ()) -> tuple[Path, ...]:
    """Return a folder of trust in FOLDER that holds the certificates TRUSTED and LISTS of revoked ones."""
    place = folder / "trust"
    place.mkdir(exist_ok=True)
    for number, one in enumerate(trusted):
        pem = one.certificate_pem() if isinstance(one, Identity) else one.public_bytes(Encoding.PEM)
        (place / f"{number}.pem").write_bytes(pem)
    for number, content in enumerate(lists):
        (place / f"{number}.crl").write_bytes(content)
    return (place,)


def an_authority(name: str = "County CA", **options: Any) -> tuple[Any, x509.Certificate]:
    """Return the key and the certificate of an authority that vouches for people."""
    key = ec.generate_private_key(ec.SECP256R1())
    return key, certificate(key, name, authority=True, ends=NOW + 3650 * DAY, begins=NOW - 3650 * DAY, **options)


def private_key(who: Identity) -> Any:
    """Return the private key of WHO, as only a test asks for it."""
    return who._key


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
        size = (key.curve.key_size + 7) // 8
        digest = {256: hashes.SHA256(), 384: hashes.SHA384()}.get(key.curve.key_size, hashes.SHA512())
        r, s = utils.decode_dss_signature(key.sign(message.encode(), ec.ECDSA(digest)))
        s = min(s, key.curve.group_order - s)  # of the two values that are genuine, the one this program takes
        signature = r.to_bytes(size, "big") + s.to_bytes(size, "big")
    else:
        signature = key.sign(message.encode(), padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256())
    return f"{message}.{wrapped(signature)}"
