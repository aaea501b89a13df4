"""Certificates: what they say, and whether they are trusted here.

Trust is what the agency's files say: a certificate listed there is trusted itself, and one that marks a
certificate authority is trusted for those it issued. Nothing is fetched and no system store is read, so
the same files give the same answer everywhere. Revocation is not looked up; the answer says so.
"""

from __future__ import annotations

import functools
import hashlib
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from dpwizard.errors import InvalidInput, SigningProblem
from dpwizard.messages import message, sentence
from dpwizard.signing.certificate_path import MOST_DEEP, has_ordinary_key, is_valid, issued, marks_authority, ordered
from dpwizard.signing.revocation import Looked, is_list, load_list, looked_up
from dpwizard.values import Sentence, Value, field

if TYPE_CHECKING:
    from cryptography import x509

SMALLEST_RSA = 2048
LARGEST_CERTIFICATE = 20_000  # bytes; real ones have one to three thousand
PURPOSES = (  # one of which a certificate must name to sign documents, where it names any at all
    "1.3.6.1.5.5.7.3.36",  # document signing (RFC 9336)
    "1.3.6.1.5.5.7.3.4",  # e-mail protection
    "1.3.6.1.5.5.7.3.2",  # a client: what the cards of many offices hold
    "1.2.840.113583.1.1.5",  # authentic documents (Adobe)
    "1.3.6.1.4.1.311.10.3.12",  # document signing (Microsoft)
    "2.5.29.37.0",  # any
)
LONGEST_NAME = 64  # the limit of X.509 for a common name
# that share shapes
ALPHABETS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU", "FULLWIDTH", "MATHEMATICAL")
CURVES = {"secp256r1": "P-256", "secp384r1": "P-384", "secp521r1": "P-521"}


class Certificate(Value):
    """What a certificate says of its holder; nothing in it is secret."""

    name: str = field("Name", "The common name of the holder")
    organisation: str = field("Organisation")
    subject: str = field("Subject", "The holder's full name as RFC 4514 writes it")
    issuer: str = field("Issuer", "The full name of who issued it")
    serial: str = field("Serial number", "In hexadecimal")
    fingerprint: str = field("Fingerprint", "SHA-256 of the certificate, in hexadecimal")
    valid_from: str = field("Valid from")
    valid_to: str = field("Valid to")
    key: str = field("Key", "The kind of key, for instance P-256 or RSA 3072")
    public_key: str = field("Public key", "SHA-256 of the public key (SubjectPublicKeyInfo), in hexadecimal")
    self_made: bool = field("Self-made", "Signed with its own key: nobody else vouches for the name")


Kind = Literal["trusted", "self_made", "unknown_issuer", "expired", "not_yet_valid", "unfit", "revoked"]
REFUSED = ("expired", "not_yet_valid", "unfit", "revoked")


class Standing(Value):
    """What a certificate is worth for a signature made at a stated time."""

    standing: Kind
    trusted: bool
    refused: bool  # it could not have made this signature, whoever its holder is
    why: Sentence
    notes: tuple[Sentence, ...] = ()


@dataclass(frozen=True)
class Trust:
    """The certificates trusted here (DER): people's own, and those of authorities; and lists of revoked ones."""

    certificates: tuple[bytes, ...] = ()
    revoked: tuple[bytes, ...] = ()  # PEM or DER


NOTHING_TRUSTED = Trust()


def utc(moment: datetime, where: str = "time") -> datetime:
    """Return MOMENT in whole seconds of UTC; raises InvalidInput where it names no time zone."""
    if not isinstance(moment, datetime) or moment.tzinfo is None or moment.utcoffset() is None:
        raise InvalidInput("must be a time with its time zone", where, "Write 2026-01-31T12:00:00Z.")
    try:
        return moment.astimezone(UTC).replace(microsecond=0)
    except OverflowError:
        raise InvalidInput(
            "is too near the end of the calendar", where, "Enter a year between 1950 and 9000."
        ) from None


def stamp(moment: datetime) -> str:
    """Return MOMENT as it is written in a record: ``2026-01-31T12:00:00Z``."""
    return utc(moment).isoformat().replace("+00:00", "Z")


@functools.lru_cache(maxsize=256)
def load(der: bytes) -> x509.Certificate:
    """Return the certificate in DER; raises SigningProblem, whatever the bytes."""
    from cryptography import x509

    if len(der) > LARGEST_CERTIFICATE:
        raise SigningProblem(
            "is too large for a certificate", "certificate", "Ask its owner for the certificate alone."
        )
    try:
        certificate = x509.load_der_x509_certificate(der)
        _described(certificate), _other_purpose(certificate)  # reads every part used later: a broken one is found here
        _may_sign(certificate)
    except Exception as problem:
        raise SigningProblem(
            "cannot be read as a certificate", "certificate", "Ask its owner for it again."
        ) from problem
    return certificate


def describe(der: bytes) -> Certificate:
    """Return what the certificate in DER says; raises SigningProblem where it cannot be read."""
    return _described(load(der))


def _described(certificate: x509.Certificate) -> Certificate:
    from cryptography.hazmat.primitives.serialization import Encoding
    from cryptography.x509.oid import NameOID

    def first(kind: x509.ObjectIdentifier) -> str:
        found = certificate.subject.get_attributes_for_oid(kind)
        return str(found[0].value) if found else ""

    der = certificate.public_bytes(Encoding.DER)
    return Certificate(
        name=first(NameOID.COMMON_NAME) or first(NameOID.ORGANIZATION_NAME) or certificate.subject.rfc4514_string(),
        organisation=first(NameOID.ORGANIZATION_NAME),
        subject=certificate.subject.rfc4514_string(),
        issuer=certificate.issuer.rfc4514_string(),
        serial=f"{certificate.serial_number:x}",
        fingerprint=hashlib.sha256(der).hexdigest(),
        valid_from=stamp(certificate.not_valid_before_utc),
        valid_to=stamp(certificate.not_valid_after_utc),
        key=_key_kind(certificate.public_key()),
        public_key=hashlib.sha256(_spki(certificate)).hexdigest(),
        self_made=issued(certificate, certificate),
    )


def _spki(certificate: x509.Certificate) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def _key_kind(key: Any) -> str:
    from cryptography.hazmat.primitives.asymmetric import ec, rsa

    if isinstance(key, ec.EllipticCurvePublicKey):
        return CURVES.get(key.curve.name, key.curve.name)
    if isinstance(key, rsa.RSAPublicKey):
        return f"RSA {key.key_size}"
    return type(key).__name__.removesuffix("PublicKey")


def is_authority(der: bytes) -> bool:
    """Return whether the certificate in DER marks an authority; raises SigningProblem where it cannot be read."""
    return marks_authority(load(der))


def _may_sign(certificate: x509.Certificate) -> str:
    """Return why this certificate may not sign a document, or nothing where it may."""
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec, rsa

    key = certificate.public_key()
    if isinstance(key, rsa.RSAPublicKey):
        if key.key_size < SMALLEST_RSA:
            return message("its RSA key has {bits} bits, fewer than {least}", bits=key.key_size, least=SMALLEST_RSA)
        if not has_ordinary_key(certificate):
            return message("its RSA key is larger than any that is used")
    elif not (isinstance(key, ec.EllipticCurvePublicKey) and key.curve.name in CURVES):
        return message("its key ({kind}) is neither RSA nor on the curves P-256, P-384, P-521", kind=_key_kind(key))
    try:
        usage = certificate.extensions.get_extension_for_class(x509.KeyUsage).value
    except x509.ExtensionNotFound:
        return ""
    return "" if usage.digital_signature or usage.content_commitment else "its key usage does not allow signatures"


def _other_purpose(certificate: x509.Certificate) -> str:
    """Return that this certificate was issued for something else than signing documents, if it was."""
    from cryptography import x509

    try:
        named = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    except x509.ExtensionNotFound:
        return ""
    fits = any(purpose.dotted_string in PURPOSES for purpose in named)
    return "" if fits else "it was issued for other purposes only, by its extended key usage"


def printable(text: str, most: int = LONGEST_NAME) -> str:
    """Return a word that its owner chose as it stands in our sentences, where it can pass for nothing else.

    What cannot be seen is written as its code point, what is longer than MOST characters is cut, and what holds more
    than letters, figures and the marks of names stands in quotation marks.
    """
    seen = "".join(char if char.isprintable() else f"‹U+{ord(char):04X}›" for char in text)
    seen = seen if len(seen) <= most else f"{seen[: most - 1]}…"
    plain = seen == " ".join(seen.split()) and all(
        c.isalnum() or c in " .'’-_…" or unicodedata.category(c)[0] == "M" for c in seen
    )
    if plain and seen:
        return seen
    inner = re.sub('[“”„«»"]', "'", seen)
    return f"“{inner}”"


def alphabets(name: str) -> tuple[str, ...]:
    """Return the alphabets that letters of NAME are of, of those whose letters look like one another's."""
    found = (unicodedata.name(char, "").split(" ")[0] for char in name if char.isalpha())
    return tuple(dict.fromkeys(word.capitalize() for word in found if word in ALPHABETS))


def read_trust(*, files: tuple[bytes, ...]) -> Trust:
    """Return the trust that FILES give: the bytes of PEM or DER files, of certificates, or of a list of revoked ones.

    Raises SigningProblem where a file holds neither that can be read.
    """
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import Encoding

    found: list[bytes] = []
    revoked = tuple(content for content in files if is_list(content))
    for number, content in enumerate(files):
        if content in revoked:
            continue
        try:
            if b"-----BEGIN" in content:
                ders = [c.public_bytes(Encoding.DER) for c in x509.load_pem_x509_certificates(content)]
            else:
                ders = [content]
            for der in ders:
                load(der)
        except Exception as problem:
            where, hint = f"files[{number}]", "Give certificates as PEM or DER, without any key."
            raise SigningProblem("holds no certificate that can be read", where, hint) from problem
        found.extend(ders)
    return Trust(tuple(dict.fromkeys(found)), revoked)


def list_issuers(trust: Trust) -> tuple[str, ...]:
    """Return whose certificates the lists of revoked ones in TRUST are of."""
    return tuple(load_list(content).issuer.rfc4514_string() for content in trust.revoked)


def judge(
    chain: tuple[bytes, ...], *, trust: Trust, at: datetime, now: datetime | None = None, of_authority: bool = False
) -> Standing:
    """Return what the first certificate of CHAIN (its issuers in any order) is worth for a signature made AT a time.

    NOW, where given, adds the note that it has expired since; OF_AUTHORITY, that it stamps times and signs no
    documents. Raises SigningProblem where a certificate cannot be read.
    """
    certificate = load(chain[0])
    begins, ends = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    notes = ["the time is the signer's own claim"]
    if now is not None and now > ends:
        notes.append(message("the certificate has expired since, on {date}", date=stamp(ends)))
    if unfit := _may_sign(certificate) or ("" if of_authority else _other_purpose(certificate)):
        why = message("the certificate cannot have signed a document: {reason}", reason=sentence(unfit))
        return _standing("unfit", why, notes)
    if at < begins:
        why = message("the certificate is valid from {date}, after the stated time of signing", date=stamp(begins))
        return _standing("not_yet_valid", why, notes)
    if at > ends:
        why = message("the certificate had expired on {date}, before the stated time of signing", date=stamp(ends))
        return _standing("expired", why, notes)
    anchors = tuple(
        one for one in map(load, trust.certificates) if marks_authority(one) and _is_valid_at(one, at)
    )  # authorities alone: a person's own certificate, trusted for its holder, must vouch for nobody else
    carried = tuple(load(der) for der in chain[1:])
    path = ordered(certificate, carried, anchors, at)
    before = len(notes)
    looked = looked_up(path[:-1] or (certificate,), trust.revoked, (*carried, *map(load, trust.certificates)), at, now)
    if (refused := _revoked(looked, at, notes)) is not None:
        return refused
    if chain[0] in trust.certificates:
        return _standing("trusted", "this certificate is trusted here", notes)
    if issued(certificate, certificate):
        said = "the certificate is self-made: unchanged since signing; identity not established"
        return _standing("self_made", said, notes)
    if path and is_valid(path, at):
        if len(notes) == before:
            notes.append("revocation was not looked up")
        anchor = path[-1].subject.rfc4514_string()
        return _standing("trusted", message("issued under {anchor}, trusted here", anchor=anchor), notes)
    unknown = "no certificate authority is trusted here for that time"
    if path:
        unknown = "the path to an authority trusted here is not valid"
    elif anchors:
        unknown = message("no path of at most {most} certificates leads to an authority trusted here", most=MOST_DEEP)
    why = message(
        "the issuer is not known here ({reason}): unchanged since signing; identity not established",
        reason=sentence(unknown),
    )
    return _standing("unknown_issuer", why, notes)


def _is_valid_at(certificate: x509.Certificate, at: datetime) -> bool:
    return certificate.not_valid_before_utc <= at <= certificate.not_valid_after_utc


def _revoked(looked: Looked, at: datetime, notes: list[str]) -> Standing | None:
    """Return the refusal of a certificate that the office's lists call revoked; else add to NOTES what they say."""
    found = looked.revoked
    if found is None:
        notes += _of_lists(looked)
        return None
    day = stamp(found.date)
    if found.date <= at:
        why = message("the certificate was revoked on {date}, before the stated time of signing", date=day)
        return _standing("revoked", why, notes)
    if found.compromised:
        why = message(
            "the certificate was revoked on {date} because its key was in other hands, and the time is only claimed",
            date=day,
        )
        return _standing("revoked", why, notes)
    notes.append(message("the certificate has been revoked since, on {date}", date=day))
    return None


def _of_lists(looked: Looked) -> Iterator[str]:
    """Yield what the lists say of a certificate that none of them names."""
    if looked.asked is not None:
        yield message("not revoked, by the list of {time}", time=stamp(looked.asked))
    elif looked.outdated is not None:
        yield message(
            "the list of revoked certificates of {time} was out of date at the stated time of signing",
            time=stamp(looked.outdated),
        )


def _standing(kind: Kind, why: str, notes: list[str]) -> Standing:
    return Standing(standing=kind, trusted=kind == "trusted", refused=kind in REFUSED, why=why, notes=tuple(notes))
