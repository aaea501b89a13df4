"""Lists of revoked certificates (CRLs, RFC 5280) that an office lays beside the certificates it trusts.

Nothing is fetched. A list counts where the issuer of the certificate signed it, whenever it was laid there. What it
names is revoked; what it does not name is not revoked only if the list speaks of such certificates, and of that time.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from dpwizard.errors import SigningProblem
from dpwizard.messages import message
from dpwizard.signing.certificate_path import issued, marks_authority

if TYPE_CHECKING:
    from cryptography import x509

MARK = b"-----BEGIN X509 CRL-----"
LARGEST_LIST = 8_000_000  # bytes; 200,000 entries


@dataclass(frozen=True)
class Revoked:
    """That a certificate was revoked, and whether because its key, or its issuer's, had fallen into other hands."""

    date: datetime
    compromised: bool


@dataclass(frozen=True, kw_only=True)
class Looked:
    """What the lists say of a certificate and those above it."""

    revoked: Revoked | None = None  # the first revocation of any of them
    asked: datetime | None = None  # when the newest list was made that speaks of the certificate at that time
    outdated: datetime | None = None  # when the newest was made of those that were out of date by then


def is_list(content: bytes) -> bool:
    """Return whether CONTENT, PEM or DER, is a list of revoked certificates that can be read.

    Raises SigningProblem where it is too large to be one.
    """
    try:
        load_list(content)
    except (ValueError, TypeError):
        return False
    return True


@functools.lru_cache(maxsize=16)
def load_list(content: bytes) -> x509.CertificateRevocationList:
    """Return the list in CONTENT, PEM or DER; raises ValueError or TypeError where it is none that can be read."""
    from cryptography import x509

    if len(content) > LARGEST_LIST:
        raise SigningProblem(
            message("is larger than {most} MB", most=LARGEST_LIST // 10**6),
            "list",
            "Ask the authority for the list of this office alone.",
        )
    found = x509.load_pem_x509_crl(content) if MARK in content else x509.load_der_x509_crl(content)
    # read lazily: what is broken is found here
    _ = (found.issuer, found.last_update_utc, found.next_update_utc, list(found.extensions), len(found))
    return found


def looked_up(
    path: tuple[x509.Certificate, ...],
    lists: tuple[bytes, ...],
    issuers: tuple[x509.Certificate, ...],
    at: datetime,
    now: datetime | None = None,
) -> Looked:
    """Return what LISTS, from the office's folders, say of the signer's certificate and those above it in PATH.

    Arguments: issuers, the certificates that may have issued them and signed a list; at, the stated time of signing;
    now, the time of judging, after which no list was made.
    """
    found: list[Revoked] = []
    asked: list[datetime] = []
    outdated: list[datetime] = []
    for content in lists:
        listed = load_list(content)
        if not _is_complete(listed) or (now is not None and listed.last_update_utc > now):
            continue
        for certificate in path:
            if not any(issued(certificate, one) and _signed_by(content, one) for one in issuers):
                continue
            found += _entries(listed, certificate.serial_number)
            if certificate == path[0] and _speaks_of(listed, certificate):
                (asked if _is_of(listed, at) else outdated).append(listed.last_update_utc)
    return Looked(
        revoked=min(found, key=lambda one: one.date, default=None),
        asked=max(asked, default=None),
        outdated=max(outdated, default=None),
    )


def _is_complete(listed: x509.CertificateRevocationList) -> bool:
    """Return whether a list stands by itself and is of its issuer's own certificates."""
    from cryptography import x509

    point = _point(listed)
    delta = any(isinstance(extension.value, x509.DeltaCRLIndicator) for extension in listed.extensions)
    return not delta and (point is None or not point.indirect_crl)


def _point(listed: x509.CertificateRevocationList) -> x509.IssuingDistributionPoint | None:
    from cryptography import x509

    found = (extension.value for extension in listed.extensions)
    return next((value for value in found if isinstance(value, x509.IssuingDistributionPoint)), None)


def _is_of(listed: x509.CertificateRevocationList, at: datetime) -> bool:
    """Return whether a list was made since that time, or was still to be replaced then."""
    due = listed.next_update_utc
    return listed.last_update_utc >= at or (due is not None and due >= at)


def _speaks_of(listed: x509.CertificateRevocationList, certificate: x509.Certificate) -> bool:
    """Return whether a list would name the certificate if it were revoked (RFC 5280, 5.2.5 and 6.3.3)."""
    from cryptography import x509

    unknown = (e for e in listed.extensions if e.critical and isinstance(e.value, x509.UnrecognizedExtension))
    if any(True for _ in unknown):
        return False
    point = _point(listed)
    if point is None:
        return True
    other = point.only_contains_user_certs if marks_authority(certificate) else point.only_contains_ca_certs
    if other or point.only_contains_attribute_certs or point.only_some_reasons or point.relative_name:
        return False
    return not point.full_name or bool(set(point.full_name) & set(_points_of(certificate)))


def _points_of(certificate: x509.Certificate) -> Iterator[x509.GeneralName]:
    """Yield where the certificate says that the lists lie which speak of it."""
    from cryptography import x509

    for extension in certificate.extensions:
        if isinstance(extension.value, x509.CRLDistributionPoints):
            for point in extension.value:
                yield from point.full_name or ()


@functools.lru_cache(maxsize=64)
def _signed_by(content: bytes, issuer: x509.Certificate) -> bool:
    """Return whether ISSUER, who may sign lists, signed the one in CONTENT."""
    from cryptography import x509
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric import ec, rsa

    listed, key = load_list(content), issuer.public_key()
    usages = (e.value for e in issuer.extensions if isinstance(e.value, x509.KeyUsage))
    if listed.issuer != issuer.subject or not all(usage.crl_sign for usage in usages):
        return False
    try:
        return isinstance(key, ec.EllipticCurvePublicKey | rsa.RSAPublicKey) and listed.is_signature_valid(key)
    except (UnsupportedAlgorithm, ValueError, TypeError):
        return False


def _entries(listed: x509.CertificateRevocationList, serial: int) -> Iterator[Revoked]:
    from cryptography import x509

    entry = listed.get_revoked_certificate_by_serial_number(serial)
    if entry is None:
        return
    said = [extension.value for extension in entry.extensions]
    reason = next((one.reason for one in said if isinstance(one, x509.CRLReason)), x509.ReasonFlags.unspecified)
    # since when the key is thought to have been in other hands: before it was revoked (RFC 5280, 5.3.2)
    since = (one.invalidity_date_utc for one in said if isinstance(one, x509.InvalidityDate))
    grave = (x509.ReasonFlags.key_compromise, x509.ReasonFlags.ca_compromise, x509.ReasonFlags.aa_compromise)
    if reason != x509.ReasonFlags.remove_from_crl:
        yield Revoked(min((entry.revocation_date_utc, *since)), reason in grave)
