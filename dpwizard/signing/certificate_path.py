"""The path from a signer's certificate to an authority trusted here, ordered by us and short.

A search for any path among certificates that a signer chose can be made to take for ever: ten that all bear one name
have millions of orders. Here each certificate is reached once, on the shortest way, and only by a signature that holds;
what is found is one path of at most four, and that alone is judged by RFC 5280.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from dpwizard.errors import SigningProblem
from dpwizard.messages import message

if TYPE_CHECKING:
    from cryptography import x509

MOST_DEEP = 4  # certificates: the signer's own, two between, and the authority trusted here
LARGEST_RSA, LARGEST_EXPONENT = 8192, 2**33  # bits, and a number above 65,537, which nearly all keys have
MOST_NAMES = 100  # in one certificate, that it bears or allows; each of one is compared with each of another


def marks_authority(certificate: x509.Certificate) -> bool:
    """Return whether the certificate marks an authority."""
    from cryptography import x509

    try:
        return certificate.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    except x509.ExtensionNotFound:
        return False


def has_ordinary_key(certificate: x509.Certificate) -> bool:
    """Return whether a signature by the certificate's key is checked in a moment: not so with a giant exponent."""
    from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa

    key = certificate.public_key()
    if isinstance(key, rsa.RSAPublicKey):
        return key.key_size <= LARGEST_RSA and key.public_numbers().e < LARGEST_EXPONENT
    return isinstance(key, ec.EllipticCurvePublicKey | ed25519.Ed25519PublicKey | ed448.Ed448PublicKey)


def issued(certificate: x509.Certificate, issuer: x509.Certificate) -> bool:
    """Return whether ISSUER, by name and by a key of an ordinary kind, signed the certificate."""
    from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm

    if certificate.issuer != issuer.subject or not has_ordinary_key(issuer):
        return False
    try:
        certificate.verify_directly_issued_by(issuer)
    except (InvalidSignature, UnsupportedAlgorithm, ValueError, TypeError):
        return False
    return True


def ordered(
    certificate: x509.Certificate,
    carried: Iterable[x509.Certificate],
    anchors: tuple[x509.Certificate, ...],
    at: datetime,
) -> tuple[x509.Certificate, ...]:
    """Return the shortest path from the certificate through those CARRIED to one of ANCHORS; nothing if there is none.

    Only authorities valid AT that time are passed through, and each once.
    """
    passed: list[tuple[x509.Certificate, ...]] = [(certificate,)]
    left = [one for one in carried if _may_be_passed(one, at)]
    for path in passed:  # grows while it is gone through: the shortest come first
        for anchor in anchors:
            if issued(path[-1], anchor):
                return (*path, anchor)
        if len(path) < MOST_DEEP - 1:
            above = [one for one in left if issued(path[-1], one)]
            left = [one for one in left if one not in above]
            passed += [(*path, one) for one in above]
    return ()


def _may_be_passed(certificate: x509.Certificate, at: datetime) -> bool:
    return certificate.not_valid_before_utc <= at <= certificate.not_valid_after_utc and marks_authority(certificate)


def is_valid(path: tuple[x509.Certificate, ...], at: datetime) -> bool:
    """Return whether the last certificate of an ordered PATH vouches for the first AT that time (RFC 5280, section 6).

    Raises SigningProblem where that cannot be judged.
    """
    import asyncio  # 4 MB: only when it is needed

    from asn1crypto import x509 as asn1
    from cryptography.hazmat.primitives.serialization import Encoding
    from pyhanko_certvalidator import CertificateValidator, ValidationContext
    from pyhanko_certvalidator.errors import PathBuildingError, PathValidationError, ValidationError

    if any(_names(certificate) > MOST_NAMES for certificate in path):
        raise SigningProblem(
            message("bears or allows more than {most} names", most=MOST_NAMES), "certificate", "Ask for another one."
        )
    own, *between, anchor = (asn1.Certificate.load(one.public_bytes(Encoding.DER)) for one in path)
    context = ValidationContext(
        trust_roots=[anchor], other_certs=between, moment=at, allow_fetching=False, revocation_mode="soft-fail"
    )
    try:
        asyncio.run(CertificateValidator(own, validation_context=context).async_validate_path())
    except (PathBuildingError, PathValidationError, ValidationError):
        return False
    except Exception as problem:
        raise SigningProblem("cannot be judged", "certificate", "Ask its owner for it again.") from problem
    return True


def _names(certificate: x509.Certificate) -> int:
    from cryptography import x509

    found = 0
    for extension in certificate.extensions:
        match extension.value:
            case x509.SubjectAlternativeName() as names:
                found += len(list(names))
            case x509.NameConstraints() as limits:
                found += len(limits.permitted_subtrees or ()) + len(limits.excluded_subtrees or ())
    return found
