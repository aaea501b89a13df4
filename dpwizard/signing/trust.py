"""Whether a signer is trusted here: the office's certificates, the path to them, and lists of revoked certificates.

The office's files decide. A certificate in their folder is trusted itself, and that of an authority is trusted for
those it issued. Nothing is fetched and no system store is read, so the same files give the same answer
everywhere. A list of revoked certificates is found by the issuer's name, so that leaving an authority out of a
signature's chain hides nothing.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from dpwizard.base.errors import SigningProblem
from dpwizard.base.messages import NO_MESSAGE, Message, message, sentence
from dpwizard.base.values import Sentence, Value
from dpwizard.signing.certificates import issued, load, marks_authority, printable, stamp, unfit

if TYPE_CHECKING:
    from cryptography import x509

MOST_BETWEEN = 2  # authorities between a signer's and the one trusted here: three with that
LARGEST_LIST = 8_000_000  # bytes of a list of revoked certificates; 200,000 entries
LIST = b"-----BEGIN X509 CRL-----"  # how each begins in a PEM file, which may hold several
Kind = Literal["trusted", "self_made", "unknown_issuer", "expired", "not_yet_valid", "unfit", "revoked"]
REFUSED = ("expired", "not_yet_valid", "unfit", "revoked")


class CertificateStanding(Value):
    """What a certificate is worth for a signature made at a stated time."""

    standing: Kind
    trusted: bool
    refused: bool  # it cannot have made this signature, whoever its holder is
    why: Sentence
    notes: tuple[Sentence, ...] = ()
    open: Sentence = NO_MESSAGE  # what a list of revoked certificates leaves undetermined


@dataclass(frozen=True)
class Trust:
    """The certificates trusted here (DER): people's own, and those of authorities; and lists of revoked ones."""

    certificates: tuple[bytes, ...] = ()
    revoked: tuple[bytes, ...] = ()  # PEM or DER


def read_trust(content: bytes) -> Trust:
    """Return the trust that CONTENT gives: a PEM or DER file, of certificates or of a list of revoked ones.

    Raises SigningProblem where it holds neither, or a list that cannot be read. Beside lists no certificate is taken.
    """
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import Encoding

    lists = tuple(LIST + part for part in content.split(LIST)[1:])
    if all(map(_is_list, lists or (content,))):
        return Trust(revoked=lists or (content,))
    try:
        certificates = [content]
        if b"-----BEGIN" in content and not lists:
            loaded = x509.load_pem_x509_certificates(content)
            certificates = [certificate.public_bytes(Encoding.DER) for certificate in loaded]
        for der in certificates:
            load(der)
    except (SigningProblem, ValueError, TypeError) as problem:
        hint = "Give certificates as PEM or DER, without any key."
        raise SigningProblem("contains no certificate that can be read", "certificate", hint) from problem
    return Trust(tuple(dict.fromkeys(certificates)))


def list_issuers(trust: Trust) -> tuple[str, ...]:
    """Return whose certificates the lists of revoked ones in TRUST are of."""
    return tuple(_load_list(content).issuer.rfc4514_string() for content in trust.revoked)


def check_certificate(
    chain: tuple[bytes, ...],
    *,
    trust: Trust,
    at: datetime,
    now: datetime | None = None,
    proved_by: datetime | None = None,
) -> CertificateStanding:
    """Return what the first certificate of CHAIN (its issuers in any order) is worth for a signature made AT a time.

    NOW, where given, adds the note that it has expired since. PROVED_BY is the time by which a time-stamp shows that
    the signature was there: only that lets a certificate count that was revoked later. Raises SigningProblem where a
    certificate cannot be read.
    """
    certificate = load(chain[0])
    begins, ends = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    notes: list[str] = ["the time is the signer’s own claim"] if proved_by is None else []
    if now is not None and now > ends:
        notes.append(message("the certificate has expired since, on {date}", date=stamp(ends)[:10]))
    if reason := unfit(certificate):
        why = message("the certificate cannot have signed a document: {reason}", reason=sentence(reason))
        return _standing("unfit", why, notes)
    if at < begins:
        why = message("the certificate is valid from {date}, after the stated time of signing", date=stamp(begins)[:10])
        return _standing("not_yet_valid", why, notes)
    if at > ends:
        why = message("the certificate had expired on {date}, before the stated time of signing", date=stamp(ends)[:10])
        return _standing("expired", why, notes)
    kind, why, path = _trusted_path(chain, trust, at)
    revoked, not_checked = revocation(path, chain[1:], trust, proved_by)
    if revoked:
        return _standing("revoked", revoked, notes)
    if kind == "trusted" and not not_checked:
        notes.append(_revocation_note(certificate, trust))
    return _standing(kind, why, notes, not_checked)


def _trusted_path(chain: tuple[bytes, ...], trust: Trust, at: datetime) -> tuple[Kind, Message, list[x509.Certificate]]:
    """Return whether the signer of CHAIN is trusted, why, and the path to the trusted certificate."""
    from cryptography.x509.verification import ExtensionPolicy, PolicyBuilder, Store, VerificationError

    certificate = load(chain[0])
    if chain[0] in trust.certificates:
        return "trusted", message("this certificate is trusted here"), [certificate]
    if issued(certificate, certificate):
        text = message("the certificate is self-signed: it does not show whose it is")
        return "self_made", text, [certificate]
    # a person's own certificate, trusted for its holder, vouches for nobody else
    anchors = [authority for authority in map(load, trust.certificates) if marks_authority(authority)]
    why: str = message("no certificate authority is trusted here for that time")
    if anchors:
        builder = PolicyBuilder().store(Store(anchors)).time(at.replace(tzinfo=None)).max_chain_depth(MOST_BETWEEN)
        builder = builder.extension_policies(
            ca_policy=ExtensionPolicy.webpki_defaults_ca(),
            ee_policy=ExtensionPolicy.permit_all(),  # its defaults ask for server names; `unfit` checks the key usage
        )
        others = [load(der) for der in dict.fromkeys((*chain[1:], *trust.certificates))]
        try:
            path = list(builder.build_client_verifier().verify(certificate, others).chain)
        except (VerificationError, ValueError):
            why = message("no valid path leads to an authority trusted here")
        else:
            anchor = printable(path[-1].subject.rfc4514_string(), 200)
            return "trusted", message("issued under {anchor}, trusted here", anchor=anchor), path
    unknown = message("the issuer is not known here ({reason}): the certificate does not show whose it is", reason=why)
    return "unknown_issuer", unknown, [certificate]


# --------------------------------------------------------------------------- lists of revoked certificates


def revocation(
    path: list[x509.Certificate], carried: tuple[bytes, ...], trust: Trust, proved_by: datetime | None
) -> tuple[Message, Message]:
    """Return why a certificate on PATH counts as revoked, and what lists of its issuers leave open, if anything."""
    known = [*path[1:], *map(load, trust.certificates), *map(load, carried)]
    not_checked = NO_MESSAGE
    for certificate in path:
        for content in trust.revoked:
            listed = _load_list(content)
            if listed.issuer != certificate.issuer:
                continue
            if not any(_signed_list(content, issuer) for issuer in known):
                issuer = printable(listed.issuer.rfc4514_string(), 200)
                not_checked = message(
                    "nobody known here made the list of revoked certificates of {issuer}", issuer=issuer
                )
                continue
            date = _revoked_on(listed, certificate.serial_number)
            if date is None or (proved_by is not None and proved_by < date):
                continue
            why = message(
                "the certificate was revoked on {date}, and no time-stamp shows that the signature is older",
                date=stamp(date)[:10],
            )
            return why, not_checked
    return NO_MESSAGE, not_checked


def _revocation_note(certificate: x509.Certificate, trust: Trust) -> Message:
    lists = [listed for listed in map(_load_list, trust.revoked) if listed.issuer == certificate.issuer]
    if not lists:
        return message("revocation was not checked: the office has no list for this issuer")
    return message("not revoked, by the list of {time}", time=stamp(max(listed.last_update_utc for listed in lists)))


def unattributed_lists(trust: Trust) -> tuple[Message, ...]:
    """Return a note on each list in TRUST that no certificate trusted here has made."""
    known = [load(der) for der in trust.certificates]
    issuers = (
        _load_list(content).issuer.rfc4514_string()
        for content in trust.revoked
        if not any(_signed_list(content, issuer) for issuer in known)
    )
    return tuple(
        message(
            "nobody trusted here made the list of revoked certificates of {issuer}",
            issuer=printable(issuer, 200),
        )
        for issuer in dict.fromkeys(issuers)
    )


def _is_list(content: bytes) -> bool:
    """Return whether CONTENT is a list of revoked certificates; raises SigningProblem where it is too large."""
    try:
        _load_list(content)
    except (ValueError, TypeError):
        return False
    return True


@functools.lru_cache(maxsize=16)
def _load_list(content: bytes) -> x509.CertificateRevocationList:
    """Return the list in CONTENT, PEM or DER; raises ValueError or TypeError where it is none that can be read."""
    from cryptography import x509

    if len(content) > LARGEST_LIST:
        raise SigningProblem(
            message("is larger than {most} MB", most=LARGEST_LIST // 10**6),
            "list",
            "Ask the authority for the list of this office alone.",
        )
    loaded = x509.load_pem_x509_crl(content) if LIST in content else x509.load_der_x509_crl(content)
    # read lazily: what is broken is found here
    _ = (loaded.issuer, loaded.last_update_utc, loaded.next_update_utc, list(loaded.extensions), len(loaded))
    return loaded


@functools.lru_cache(maxsize=64)
def _signed_list(content: bytes, issuer: x509.Certificate) -> bool:
    """Return whether ISSUER, who may sign lists, signed the one in CONTENT."""
    from cryptography import x509
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric import ec, rsa

    listed, key = _load_list(content), issuer.public_key()
    usages = (extension.value for extension in issuer.extensions if isinstance(extension.value, x509.KeyUsage))
    if listed.issuer != issuer.subject or not all(usage.crl_sign for usage in usages):
        return False
    try:
        return isinstance(key, ec.EllipticCurvePublicKey | rsa.RSAPublicKey) and listed.is_signature_valid(key)
    except (UnsupportedAlgorithm, ValueError, TypeError):
        return False


def _revoked_on(listed: x509.CertificateRevocationList, serial: int) -> datetime | None:
    """Return since when the certificate of this SERIAL number is revoked by a list; None where it is not."""
    from cryptography import x509

    entry = listed.get_revoked_certificate_by_serial_number(serial)
    if entry is None:
        return None
    extensions = [extension.value for extension in entry.extensions]
    reasons = [extension.reason for extension in extensions if isinstance(extension, x509.CRLReason)]
    if x509.ReasonFlags.remove_from_crl in reasons:
        return None
    # since when the key is thought to have been in other hands: before it was revoked (RFC 5280, 5.3.2)
    since = [extension.invalidity_date_utc for extension in extensions if isinstance(extension, x509.InvalidityDate)]
    return min((entry.revocation_date_utc, *since))


def _standing(kind: Kind, why: str, notes: list[str], not_checked: Message = NO_MESSAGE) -> CertificateStanding:
    trusted = kind == "trusted" and not not_checked
    return CertificateStanding(
        standing=kind, trusted=trusted, refused=kind in REFUSED, why=why, notes=tuple(notes), open=not_checked
    )
