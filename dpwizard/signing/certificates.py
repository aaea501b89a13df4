"""Certificates: what one says of its holder, how a name chosen by others is printed, and whether one can sign."""

from __future__ import annotations

import functools
import hashlib
import unicodedata
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from dpwizard.base.errors import InvalidInput, SigningProblem
from dpwizard.base.messages import Message, message, quoted
from dpwizard.base.values import Value, field

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurve

SMALLEST_RSA, LARGEST_RSA = 2048, 8192  # bits
LARGEST_EXPONENT = 2**33  # a number above 65,537, which nearly all keys have
LARGEST_CERTIFICATE = 20_000  # bytes; real ones have one to three thousand
PURPOSES = (  # one of which a certificate must name to sign documents, where it names any at all
    "1.3.6.1.5.5.7.3.36",  # document signing (RFC 9336)
    "1.3.6.1.5.5.7.3.4",  # e-mail protection
    "1.3.6.1.5.5.7.3.2",  # a client: what the cards of many offices hold
    "1.2.840.113583.1.1.5",  # authentic documents (Adobe)
    "1.3.6.1.4.1.311.10.3.12",  # document signing (Microsoft)
    "2.5.29.37.0",  # any
)
LONGEST_NAME = 64  # the limit of X.509 for a common name and an organisation
LONGEST_FILE_NAME = 100
# that share shapes
ALPHABETS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU", "FULLWIDTH", "MATHEMATICAL")
CURVES = {"secp256r1": "P-256", "secp384r1": "P-384", "secp521r1": "P-521"}


class Certificate(Value):
    """What a certificate says of its holder; nothing in it is secret."""

    name: str = field("Name", "The common name of the holder")
    organisation: str = field("Organisation")
    subject: str = field("Subject", "The holder’s full name as RFC 4514 writes it")
    issuer: str = field("Issuer", "The full name of who issued it")
    serial: str = field("Serial number", "In hexadecimal")
    fingerprint: str = field("Fingerprint", "SHA-256 of the certificate, in hexadecimal")
    valid_from: str = field("Valid from")
    valid_to: str = field("Valid to")
    key: str = field("Key", "The kind of key, for instance P-256 or RSA 3072")
    public_key: str = field("Public key", "SHA-256 of the public key (SubjectPublicKeyInfo), in hexadecimal")
    self_signed: bool = field("Self-signed", "Signed with its own key: nobody else confirms the name")


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
        _described(certificate), unfit(certificate)  # reads every part used later: a broken one is found here
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
        values = certificate.subject.get_attributes_for_oid(kind)
        return str(values[0].value) if values else ""

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
        public_key=hashlib.sha256(spki(certificate.public_key())).hexdigest(),
        self_signed=issued(certificate, certificate),
    )


def spki(key: Any) -> bytes:
    """Return a public KEY in DER, with what kind of key it is (SubjectPublicKeyInfo)."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return bytes(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo))


def _key_kind(key: Any) -> str:
    from cryptography.hazmat.primitives.asymmetric import ec, rsa

    if isinstance(key, ec.EllipticCurvePublicKey):
        return CURVES.get(key.curve.name, key.curve.name)
    if isinstance(key, rsa.RSAPublicKey):
        return f"RSA {key.key_size}"
    return type(key).__name__.removesuffix("PublicKey")


def marks_authority(certificate: x509.Certificate) -> bool:
    """Return whether the certificate marks an authority."""
    from cryptography import x509

    try:
        return certificate.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    except x509.ExtensionNotFound:
        return False


def issued(certificate: x509.Certificate, issuer: x509.Certificate) -> bool:
    """Return whether ISSUER, by name and key, signed the certificate."""
    from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm

    if certificate.issuer != issuer.subject or _is_giant(issuer.public_key()):
        return False
    try:
        certificate.verify_directly_issued_by(issuer)
    except (InvalidSignature, UnsupportedAlgorithm, ValueError, TypeError):
        return False
    return True


def _is_giant(key: Any) -> bool:
    """Return whether checking a signature by an RSA key would take long: nobody means one so large."""
    from cryptography.hazmat.primitives.asymmetric import rsa

    if not isinstance(key, rsa.RSAPublicKey):
        return False
    return key.key_size > LARGEST_RSA or key.public_numbers().e >= LARGEST_EXPONENT


def unfit(certificate: x509.Certificate) -> str:
    """Return why a certificate cannot have signed a document, or nothing where it can."""
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec, rsa

    key = certificate.public_key()
    if isinstance(key, rsa.RSAPublicKey):
        if key.key_size < SMALLEST_RSA:
            return message("its RSA key has {bits} bits, fewer than {least}", bits=key.key_size, least=SMALLEST_RSA)
        if _is_giant(key):
            return message("its RSA key is larger than any this program accepts")
    elif not (isinstance(key, ec.EllipticCurvePublicKey) and key.curve.name in CURVES):
        return message("its key ({kind}) is neither RSA nor on the curves P-256, P-384, P-521", kind=_key_kind(key))
    for extension in certificate.extensions:
        match extension.value:
            case x509.KeyUsage() as usage if not (usage.digital_signature or usage.content_commitment):
                return message("its key usage does not allow signatures")
            case x509.ExtendedKeyUsage() as named if not any(purpose.dotted_string in PURPOSES for purpose in named):
                return message("it was issued for other purposes only, by its extended key usage")
    return ""


def printable(text: str, most: int = LONGEST_NAME) -> str:
    """Return a word that its owner chose as it stands in our sentences, where it can pass for nothing else.

    What cannot be seen is written as its code point, what is longer than MOST characters is cut, and what holds more
    than letters, figures and the marks of names stands in quotation marks.
    """
    seen = _seen(text, most)
    plain = seen == " ".join(seen.split()) and all(
        c.isalnum() or c in " .'’-_…" or unicodedata.category(c)[0] == "M" for c in seen
    )
    return seen if plain and seen else str(quoted(seen))


def file_name(name: str) -> Message:
    """Return the NAME of a file or a record as it stands in our sentences: in quotation marks."""
    return quoted(_seen(name, LONGEST_FILE_NAME))


def _seen(text: str, most: int) -> str:
    seen = "".join(char if char.isprintable() else f"‹U+{ord(char):04X}›" for char in text)
    return seen if len(seen) <= most else f"{seen[: most - 1]}…"


def alphabets(name: str) -> tuple[str, ...]:
    """Return the alphabets that letters of NAME are of, of those whose letters look like one another's."""
    words = (unicodedata.name(char, "").split(" ")[0] for char in name if char.isalpha())
    return tuple(dict.fromkeys(word.capitalize() for word in words if word in ALPHABETS))


def with_low_s(signature: bytes, curve: EllipticCurve) -> bytes:
    """Return the ECDSA SIGNATURE (DER) with the low s of the two that hold.

    Both are genuine, so without this rule anybody could change a signature into another one that holds.
    """
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature

    r, s = decode_dss_signature(signature)
    return encode_dss_signature(r, min(s, curve.group_order - s))


def scheme(algorithm: str) -> tuple[Any, Any]:
    """Return the hash by which an ALGORITHM of JOSE signs, and its padding with an RSA key."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import padding

    kind = {"384": hashes.SHA384, "512": hashes.SHA512}.get(algorithm[-3:], hashes.SHA256)()
    return kind, padding.PSS(padding.MGF1(kind), 32) if algorithm == "PS256" else padding.PKCS1v15()
