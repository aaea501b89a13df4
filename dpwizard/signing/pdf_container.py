"""The container of a signature in a PDF: CMS as PAdES B-B wants it, made, and read in its one encoding."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from dpwizard.errors import SigningProblem

if TYPE_CHECKING:
    from dpwizard.signing.identity import Identity

# what is signed: the kind of content, its hash, and the hash of the certificate
ATTRIBUTES = ["1.2.840.113549.1.9.16.2.47", "1.2.840.113549.1.9.3", "1.2.840.113549.1.9.4"]


def signed_digest(identity: Identity, digest: bytes) -> Any:
    """Return the CMS structure that signs DIGEST, the certificate's hash among its signed attributes (CAdES)."""
    import asyncio

    from asn1crypto import x509 as asn1
    from pyhanko.sign.signers.pdf_cms import Signer
    from pyhanko_certvalidator import registry

    certificates = [asn1.Certificate.load(der) for der in identity.chain]

    class Holder(Signer):
        async def async_sign_raw(self, data: bytes, digest_algorithm: str, dry_run: bool = False) -> bytes:
            return identity.sign_sha256(data)

    store: Any = registry.SimpleCertificateStore
    others = store()
    others.register_multiple(certificates[1:])
    signer = Holder(signing_cert=certificates[0], cert_registry=others)
    return asyncio.run(signer.async_sign(digest, "sha256", use_pades=True))


def cms_of(
    *, chain: Iterable[bytes], digest_algorithm: Any, signature_algorithm: Any, signed_attributes: Any, signature: bytes
) -> bytes:
    """Return the one encoding of a CMS signature with these parts: what :func:`signed_digest` makes.

    A verifier compares it with what it found, so that no byte outside the signed attributes can vary.
    """
    from asn1crypto import cms, x509

    certificates = [x509.Certificate.load(der) for der in chain]
    signer = {
        "version": "v1",
        "sid": {
            "issuer_and_serial_number": {
                "issuer": certificates[0].issuer,
                "serial_number": certificates[0].serial_number,
            }
        },
        "digest_algorithm": digest_algorithm,
        "signature_algorithm": signature_algorithm,
        "signed_attrs": signed_attributes,
        "signature": signature,
    }
    content = {
        "version": "v1",
        "digest_algorithms": [digest_algorithm],
        "encap_content_info": {"content_type": "data"},
        "certificates": [cms.CertificateChoices(name="certificate", value=certificate) for certificate in certificates],
        "signer_infos": [signer],
    }
    return bytes(cms.ContentInfo({"content_type": "signed_data", "content": cms.SignedData(content)}).dump())


def contained(digits: bytes) -> tuple[Any, tuple[bytes, ...]]:
    """Return the CMS signature that DIGITS, hexadecimal, hold, and the certificates it carries, the signer's first.

    Raises SigningProblem unless the structure has its one encoding and only zeros follow it.
    """
    from asn1crypto import cms, parser

    raw = bytes.fromhex(digits.decode("ascii"))
    der = raw[: sum(map(len, parser.parse(raw)[3:6]))]  # header, content and trailer of the one structure at the start
    if raw[len(der) :].strip(b"\0"):
        raise SigningProblem("is followed by bytes that it does not cover", "pdf", "")
    found = cms.ContentInfo.load(der)
    if found["content_type"].native != "signed_data":
        raise SigningProblem("is no signature", "pdf", "")
    return found["content"], _exact_parts(found["content"], der)


def _exact_parts(signed: Any, der: bytes) -> tuple[bytes, ...]:
    """Return the certificates carried, the signer's first, where the structure around them has its one encoding."""
    (signer,) = signed["signer_infos"]
    serial = signer["sid"].chosen["serial_number"].native
    issuer = signer["sid"].chosen["issuer"].dump()
    carried = [choice.chosen for choice in signed["certificates"]]
    holders = [c for c in carried if c.serial_number == serial and c.issuer.dump() == issuer]
    if len(holders) != 1:
        raise SigningProblem("does not carry its signer's certificate once", "pdf", "")
    chain = tuple(c.dump() for c in (holders[0], *(c for c in carried if c is not holders[0])))
    digest = signer["digest_algorithm"]
    if digest["algorithm"].native != "sha256":
        raise SigningProblem("uses another hash than SHA-256", "pdf", "")
    if sorted(attribute["type"].dotted for attribute in signer["signed_attrs"]) != ATTRIBUTES:
        raise SigningProblem("signs other attributes than this program does", "pdf", "")
    rebuilt = cms_of(
        chain=chain,
        digest_algorithm=_plain_algorithm(digest, ("sha256",)),
        signature_algorithm=_plain_algorithm(signer["signature_algorithm"], ("sha256_ecdsa", "sha256_rsa")),
        signed_attributes=signer["signed_attrs"],
        signature=signer["signature"].native,
    )
    if rebuilt != der:
        raise SigningProblem("is written in another way than this program writes it", "pdf", "")
    return chain


def _plain_algorithm(found: Any, accepted: tuple[str, ...]) -> Any:
    """Return the algorithm FOUND, one of those ACCEPTED, anew: without anything that may be put beside it."""
    name = found["algorithm"].native
    if name not in accepted:
        raise SigningProblem("uses an algorithm that is not accepted here", "pdf", "")
    return type(found)({"algorithm": name})


def require_genuine(signed: Any, holder: bytes, covered: bytes, moment: datetime) -> None:
    """Raise SigningProblem unless SIGNED is the signature that HOLDER's key (its certificate) made over COVERED.

    Whether the certificate is trusted is judged elsewhere, so here it is taken as given.
    """
    import asyncio

    from asn1crypto import x509
    from pyhanko.sign.validation.generic_cms import async_validate_detached_cms
    from pyhanko.sign.validation.settings import KeyUsageConstraints
    from pyhanko_certvalidator import ValidationContext

    context = ValidationContext(trust_roots=[x509.Certificate.load(holder)], moment=moment, allow_fetching=False)
    anything = KeyUsageConstraints(key_usage=set(), extd_key_usage=None)
    status = asyncio.run(
        async_validate_detached_cms(covered, signed, signer_validation_context=context, key_usage_settings=anything)
    )
    if not (status.intact and status.valid):
        raise SigningProblem("is not the one its certificate made over these bytes", "pdf", "")
