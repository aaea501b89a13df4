"""A time-stamp (RFC 3161) fetched later: NAME.tsr beside the record, over one line of the signature file.

It shows that the signature was there at the time the authority states. It is no part of the record: one that is
missing, or is not over any line, changes nothing about the record, and is said.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import TYPE_CHECKING, Any

from dpwizard.errors import SigningProblem
from dpwizard.messages import joined, message
from dpwizard.signing.certificates import Trust, describe, judge, load, printable, stamp
from dpwizard.signing.findings import Finding, Signer, TimeStamp, Verification
from dpwizard.signing.json_signature import split_lines

if TYPE_CHECKING:
    from asn1crypto import cms, tsp

STAMP_CHECK = "The time-stamp beside the record is genuine and was made over one of its signatures"
TIME_CHECK = "The time the signer states is not later than the time-stamp over the signature"
LATE = timedelta(hours=1)  # clocks and their changes differ by no more
HASHES = ("sha256", "sha384", "sha512")
LARGEST = 100_000  # bytes; real ones have two to eight thousand
GRANTED = ("granted", "granted_with_mods")


def with_time_stamp(found: Verification, token: bytes, jws_text: bytes | str | None, trust: Trust) -> Verification:
    """Return FOUND with what the bytes TOKEN of NAME.tsr say; the verdict on the record itself stays."""
    title = STAMP_CHECK
    try:
        lines = split_lines(jws_text) if jws_text is not None else ()
        if not lines:
            raise _faulty("cannot be judged without the signature file")
        read = read_time_stamp(token, lines, trust)
    except SigningProblem as problem:
        finding = Finding(
            check="stamp", title=title, ok=False, why=message("the time-stamp {what}", what=problem.message)
        )
        return found.model_copy(update={"findings": (*found.findings, finding)})
    finding = Finding(
        check="stamp",
        title=title,
        signer=read.signer,
        ok=True,
        why=joined((f"{read.time}, {read.authority}", read.why), ": "),
    )
    return found.model_copy(
        update={"findings": (*found.findings, finding, *_of_times(read, found.signers)), "time_stamp": read}
    )


def _of_times(read: TimeStamp, signers: tuple[Signer, ...]) -> Iterator[Finding]:
    """Yield whether the stamped signature states a time the stamp allows: it cannot have been made later."""
    stated = next((signer.time for signer in signers if signer.position == read.signer), None)
    if stated is not None:
        late = datetime.fromisoformat(stated) - datetime.fromisoformat(read.time) > LATE
        why = message(
            "the signature was there at {time}, but states {stated}, a later time", time=read.time, stated=stated
        )
        yield Finding(check="stamp_time", title=TIME_CHECK, signer=read.signer, ok=not late, why=why if late else "")


def read_time_stamp(token: bytes, lines: tuple[str, ...], trust: Trust) -> TimeStamp:
    """Return what a time-stamp says over one of the LINES of a signature file (each without its line break).

    Raises SigningProblem where it cannot be read, is over something else, or its signature is not genuine.
    """
    if len(token) > LARGEST:
        raise _faulty("is too large")
    # here, not where any error is the token's: what the installation lacks is no damage to a file
    import_module("asn1crypto.tsp")
    try:
        signed, info = _opened(token)
        imprint = info["message_imprint"]
        kind, wanted = imprint["hash_algorithm"]["algorithm"].native, imprint["hashed_message"].native
        time: datetime = info["gen_time"].native
    except SigningProblem:
        raise
    except Exception as problem:
        raise _faulty("cannot be read") from problem
    if kind not in HASHES:
        raise _faulty("uses a hash that is not accepted here")
    position = next(
        (i for i, line in enumerate(lines) if hashlib.new(kind, line.encode("ascii")).digest() == wanted), None
    )
    if position is None:
        raise _faulty("was made over something else than a signature of this record")
    chain = _check_signature(signed)
    standing = judge(chain, trust=trust, at=time, of_authority=True)
    if standing.refused:
        raise _faulty(message("does not count: {reason}", reason=standing.why))
    why = standing.why if standing.trusted else "its authority is not trusted here, so the time is not established"
    return TimeStamp(
        time=stamp(time.astimezone(UTC)),
        authority=printable(describe(chain[0]).name),
        signer=position,
        trusted=standing.trusted,
        why=why,
    )


def _opened(token: bytes) -> tuple[cms.SignedData, tsp.TSTInfo]:
    """Return the signed data of a response, or of a token alone, and what is stated in it."""
    from asn1crypto import cms, tsp

    response = tsp.TimeStampResp.load(token, strict=True)
    try:
        status = response["status"]["status"].native
    except (ValueError, TypeError, KeyError):
        content = cms.ContentInfo.load(token, strict=True)
    else:
        if status not in GRANTED:
            raise _faulty("is a refusal by the authority")
        content = response["time_stamp_token"]
    if content["content_type"].native != "signed_data":
        raise _faulty("is not signed")
    signed = content["content"]
    if signed["encap_content_info"]["content_type"].native != "tst_info":
        raise _faulty("holds no statement of a time")
    return signed, signed["encap_content_info"]["content"].parsed


def _check_signature(signed: cms.SignedData) -> tuple[bytes, ...]:
    """Return the certificates, the authority's own first, once they bear out the signature (RFC 5652, 5.4)."""
    try:
        signers = signed["signer_infos"]
        if len(signers) != 1:
            raise _faulty("is not signed by one authority")
        signer = signers[0]
        chain = _chain(signed, signer)
        kind = signer["digest_algorithm"]["algorithm"].native
        if kind not in HASHES:
            raise _faulty("uses a hash that is not accepted here")
        attributes = {item["type"].native: item["values"] for item in signer["signed_attrs"]}
        content = bytes(signed["encap_content_info"]["content"])
        if (
            attributes["content_type"][0].native != "tst_info"
            or attributes["message_digest"][0].native != hashlib.new(kind, content).digest()
        ):
            raise _faulty("was changed after it was made")
        _check_named(attributes, chain[0])
        _check_purpose(chain[0])
        _check_bytes(chain[0], signer, signer["signed_attrs"].untag().dump(), kind)
    except SigningProblem:
        raise
    except Exception as problem:
        raise _faulty("is not genuine") from problem
    return chain


def _chain(signed: cms.SignedData, signer: cms.SignerInfo) -> tuple[bytes, ...]:
    certificates = [item.chosen for item in signed["certificates"] if item.name == "certificate"]
    named = signer["sid"].chosen
    if signer["sid"].name == "issuer_and_serial_number":
        own = [
            c for c in certificates if c.issuer == named["issuer"] and c.serial_number == named["serial_number"].native
        ]
    else:
        own = [c for c in certificates if c.key_identifier == named.native]
    if len(own) != 1:
        raise _faulty(
            "does not carry its authority's certificate; ask for it with the certificate (openssl ts -query -cert)"
        )
    return (own[0].dump(), *(c.dump() for c in certificates if c is not own[0]))


def _check_named(attributes: dict[str, Any], der: bytes) -> None:
    """Raise unless the signed attributes name the authority's certificate by its hash (RFC 3161, 2.4.1; RFC 5816)."""
    if "signing_certificate_v2" in attributes:
        first = attributes["signing_certificate_v2"][0]["certs"][0]
        same = hashlib.new(first["hash_algorithm"]["algorithm"].native, der).digest() == first["cert_hash"].native
    else:
        first = attributes["signing_certificate"][0]["certs"][0]
        same = hashlib.sha1(der, usedforsecurity=False).digest() == first["cert_hash"].native
    if not same:
        raise _faulty("names another certificate than it carries")


def _check_purpose(der: bytes) -> None:
    """Raise unless the certificate is one for time-stamping alone, and says so critically (RFC 3161, 2.3)."""
    from cryptography import x509
    from cryptography.x509.oid import ExtendedKeyUsageOID

    try:
        found = load(der).extensions.get_extension_for_class(x509.ExtendedKeyUsage)
    except x509.ExtensionNotFound:
        raise _faulty("is signed with a certificate that is not one for time-stamping") from None
    if not found.critical or list(found.value) != [ExtendedKeyUsageOID.TIME_STAMPING]:
        raise _faulty("is signed with a certificate that is not one for time-stamping")


def _check_bytes(der: bytes, signer: cms.SignerInfo, message: bytes, digest: str) -> None:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa

    kinds: dict[str, Any] = {"sha256": hashes.SHA256(), "sha384": hashes.SHA384(), "sha512": hashes.SHA512()}
    how, signature, key = signer["signature_algorithm"], signer["signature"].native, load(der).public_key()
    # that algorithm alone names no hash
    kind = kinds[digest if how["algorithm"].native == "rsassa_pkcs1v15" else how.hash_algo]
    try:
        if isinstance(key, rsa.RSAPublicKey) and how.signature_algo == "rsassa_pkcs1v15":
            key.verify(signature, message, padding.PKCS1v15(), kind)
        elif isinstance(key, ec.EllipticCurvePublicKey) and how.signature_algo == "ecdsa":
            key.verify(signature, message, ec.ECDSA(kind))
        else:
            raise _faulty("is signed by a method that is not accepted here")
    except InvalidSignature:
        raise _faulty("was changed after it was made") from None


def _faulty(what: str) -> SigningProblem:
    return SigningProblem(what, "time-stamp", "Fetch another one.")
