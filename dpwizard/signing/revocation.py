"""Lists of revoked certificates (CRLs, RFC 5280) that an office lays beside the certificates it trusts.

Nothing is fetched. A list counts where its issuer signed it; it can be added at any time after signing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography import x509

MARK = b"-----BEGIN X509 CRL-----"


@dataclass(frozen=True)
class Revoked:
    """That a certificate was revoked, and whether because its key, or its issuer's, had fallen into other hands."""

    date: datetime
    compromised: bool


def is_list(content: bytes) -> bool:
    """Return whether CONTENT, PEM or DER, is a list of revoked certificates that can be read."""
    try:
        load_list(content)
    except (ValueError, TypeError):
        return False
    return True


def load_list(content: bytes) -> x509.CertificateRevocationList:
    """Return the list in CONTENT, PEM or DER; raises ValueError or TypeError where it is none that can be read."""
    from cryptography import x509

    found = x509.load_pem_x509_crl(content) if MARK in content else x509.load_der_x509_crl(content)
    # read lazily: what is broken is found here
    _ = (found.issuer, found.last_update_utc, list(found.extensions), len(found))
    return found


def looked_up(
    certificates: tuple[x509.Certificate, ...], lists: tuple[bytes, ...], issuers: tuple[x509.Certificate, ...]
) -> tuple[Revoked | None, tuple[datetime, ...]]:
    """Return the first revocation of any of CERTIFICATES, and the date of the lists asked about the first of them.

    Arguments: certificates, the signer's own and those above it; lists, from the office's folders; issuers, the
    certificates that may have signed a list.
    """
    found: list[Revoked] = []
    asked: list[datetime] = []
    for content in lists:
        revoked = load_list(content)
        if not _counts(revoked, issuers):
            continue
        for position, certificate in enumerate(certificates):
            if certificate.issuer == revoked.issuer:
                asked += [revoked.last_update_utc] if position == 0 else []
                found += _entries(revoked, certificate.serial_number)
    return min(found, key=lambda one: one.date, default=None), tuple(sorted(asked))


def _counts(revoked: x509.CertificateRevocationList, issuers: tuple[x509.Certificate, ...]) -> bool:
    """Return whether a list is complete, of its issuer's own certificates, and signed by that issuer."""
    from cryptography import x509

    for kind in (x509.DeltaCRLIndicator, x509.IssuingDistributionPoint):
        try:
            stated = revoked.extensions.get_extension_for_class(kind).value
        except x509.ExtensionNotFound:
            continue
        if not isinstance(stated, x509.IssuingDistributionPoint) or stated.indirect_crl:
            return False
    return any(issuer.subject == revoked.issuer and _signed_by(revoked, issuer) for issuer in issuers)


def _signed_by(revoked: x509.CertificateRevocationList, issuer: x509.Certificate) -> bool:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric import ec, rsa

    key = issuer.public_key()
    try:
        return isinstance(key, ec.EllipticCurvePublicKey | rsa.RSAPublicKey) and revoked.is_signature_valid(key)
    except (UnsupportedAlgorithm, ValueError, TypeError):
        return False


def _entries(revoked: x509.CertificateRevocationList, serial: int) -> Iterator[Revoked]:
    from cryptography import x509

    entry = revoked.get_revoked_certificate_by_serial_number(serial)
    if entry is None:
        return
    try:
        reason = entry.extensions.get_extension_for_class(x509.CRLReason).value.reason
    except x509.ExtensionNotFound:
        reason = x509.ReasonFlags.unspecified
    grave = (x509.ReasonFlags.key_compromise, x509.ReasonFlags.ca_compromise, x509.ReasonFlags.aa_compromise)
    if reason != x509.ReasonFlags.remove_from_crl:
        yield Revoked(entry.revocation_date_utc, reason in grave)
