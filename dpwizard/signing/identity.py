"""Identities: a certificate with its private key, in a key file that a passphrase protects.

A key exists in two places only: encrypted in the key file, and inside an open :class:`Identity`, which
signs but never shows, writes or copies it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from datetime import datetime
from typing import TYPE_CHECKING, Any, NoReturn

from dpwizard.base.errors import InvalidInput, SigningProblem
from dpwizard.base.messages import message
from dpwizard.signing.certificates import LONGEST_NAME, Certificate, describe, load, scheme, spki, utc, with_low_s
from dpwizard.signing.trust import Trust, check_certificate

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

SHORTEST_PASSPHRASE = 8  # characters, as NIST SP 800-63B asks of a secret that is all there is
LONGEST_PASSPHRASE = 1_000
LONGEST_VALIDITY = 30  # years
LARGEST_KEY_FILE = 200_000  # bytes
DOCUMENT_SIGNING = "1.3.6.1.5.5.7.3.36"  # RFC 9336


class Identity:
    """A certificate with its private key, open for signing. It shows no secret and cannot be copied or stored."""

    __slots__ = ("_key", "certificate", "chain")

    def __init__(self, key: Any, chain: tuple[bytes, ...]) -> None:
        self._key = key
        self.chain = chain  # DER: the holder's certificate first, then those that came with it
        self.certificate: Certificate = describe(chain[0])

    def __repr__(self) -> str:
        return f"Identity({self.certificate.name!r}, {self.certificate.fingerprint[:16]})"

    def __reduce__(self) -> NoReturn:
        raise SigningProblem("an open signing key cannot be copied or stored", "identity", "Open the key file again.")

    @property
    def kind(self) -> str:
        """Return the kind of key: "EC" or "RSA"."""
        return "RSA" if self.certificate.key.startswith("RSA") else "EC"

    def certificate_pem(self) -> bytes:
        """Return the certificate, without the key, as a PEM file to hand to those who are to trust it."""
        from cryptography.hazmat.primitives.serialization import Encoding

        return load(self.chain[0]).public_bytes(Encoding.PEM)

    def sign(self, message: bytes, algorithm: str = "SHA256") -> bytes:
        """Return the signature over MESSAGE by an ALGORITHM of JOSE, else as CMS takes it: ECDSA in DER, or RSA."""
        from cryptography.hazmat.primitives.asymmetric import ec

        kind, padding = scheme(algorithm)
        if self.kind == "RSA":
            return bytes(self._key.sign(message, padding, kind))
        return with_low_s(self._key.sign(message, ec.ECDSA(kind)), self._key.curve)

    def salt_for(self, data: bytes) -> str:
        """Return 32 bytes in hexadecimal that nobody can guess without the private key: the same for the same DATA."""
        numbers = self._key.private_numbers()
        secret = numbers.d if self.kind == "RSA" else numbers.private_value
        key = hashlib.sha256(b"dpwizard salt " + secret.to_bytes(2048, "big")).digest()
        return hmac.digest(key, data, "sha256").hex()

    def require_usable(self, at: datetime) -> None:
        """Raise SigningProblem where the certificate is not fit to sign AT that time."""
        standing = check_certificate(self.chain, trust=Trust(), at=utc(at))
        if standing.refused:
            raise SigningProblem(standing.why, "identity", "Use a valid certificate, or make a new signature file.")


def create_identity(
    *, name: str, passphrase: str, now: datetime, organisation: str = "", valid_years: int = 3
) -> bytes:
    """Return a new identity as the bytes of a PKCS#12 key file: a P-256 key and a certificate it signs itself.

    Arguments: name and organisation, as they stand in the certificate (at most 64 characters each);
    passphrase, at least 8 characters; now, a time with its zone, from which the certificate is valid;
    valid_years, 1 to 30. Raises InvalidInput naming the argument. Write the bytes with files.write_private.
    """
    from cryptography.hazmat.primitives.asymmetric import ec

    _check_name(name, "name", required=True)
    _check_name(organisation, "organisation", required=False)
    _check_passphrase(passphrase)
    if isinstance(valid_years, bool) or not isinstance(valid_years, int) or not 1 <= valid_years <= LONGEST_VALIDITY:
        raise InvalidInput(
            message("must be a whole number from 1 to {most}", most=LONGEST_VALIDITY),
            "valid_years",
            "Enter 3, for instance.",
        )
    begins = utc(now, "now")
    if not 1950 <= begins.year <= 9000:
        raise InvalidInput("must be between the years 1950 and 9000", "now", "Check the clock.")
    key = ec.generate_private_key(ec.SECP256R1())
    certificate = _self_signed(key, name, organisation, begins, _years_later(begins, valid_years))
    return protected(name=name, key=key, certificate=certificate, passphrase=passphrase)


def _self_signed(key: Any, name: str, organisation: str, begins: datetime, ends: datetime) -> x509.Certificate:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    parts = [x509.NameAttribute(NameOID.COMMON_NAME, name)]
    if organisation:
        parts.append(x509.NameAttribute(NameOID.ORGANIZATION_NAME, organisation))
    holder = x509.Name(parts)
    signs = x509.KeyUsage(
        digital_signature=True,
        content_commitment=True,  # the "non-repudiation" of older texts
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=False,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )
    # NSS, which pdfsig and many PDF viewers build on, wants emailProtection beside documentSigning.
    purposes = x509.ExtendedKeyUsage([x509.ObjectIdentifier(DOCUMENT_SIGNING), ExtendedKeyUsageOID.EMAIL_PROTECTION])
    # It also distrusts a self-made certificate without a subject alternative name: the holder's name, once more.
    also = x509.SubjectAlternativeName([x509.DirectoryName(holder)])
    return (
        x509.CertificateBuilder()
        .subject_name(holder)
        .issuer_name(holder)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(ends)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(signs, critical=True)
        .add_extension(purposes, critical=False)
        .add_extension(also, critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )


def open_identity(*, pkcs12: bytes, passphrase: str) -> Identity:
    """Return the identity in a PKCS#12 key file, made here or the agency's own, open for signing.

    Raises SigningProblem: in the same words for a wrong passphrase and for bytes that are no key file, and
    by name where the file opens but holds no key, or one that cannot sign a record (RSA from 2,048 bits and
    the curves P-256, P-384 and P-521 can).
    """
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric import ec, rsa
    from cryptography.hazmat.primitives.serialization import Encoding
    from cryptography.hazmat.primitives.serialization import pkcs12 as key_files

    secret = passphrase.encode("utf-8", "surrogatepass") if isinstance(passphrase, str) else b""
    try:
        if not secret or len(pkcs12) > LARGEST_KEY_FILE:  # a key file without a passphrase is a key in the open
            raise ValueError
        opened = key_files.load_pkcs12(pkcs12, secret)
    except (ValueError, TypeError, OverflowError, UnsupportedAlgorithm):
        raise SigningProblem(
            "the signature file cannot be opened with this passphrase", "identity", "Check the passphrase and the file."
        ) from None
    key, first = opened.key, opened.cert
    if key is None or first is None:
        raise SigningProblem("the file has no private key with its certificate", "identity", "Choose another file.")
    if not isinstance(key, ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey):
        raise SigningProblem("the key is neither RSA nor on an elliptic curve", "identity", "Choose another file.")
    if spki(key.public_key()) != spki(first.certificate.public_key()):
        raise SigningProblem(
            "key and certificate in the key file do not belong together", "identity", "Choose another file."
        )
    others = tuple(c.certificate.public_bytes(Encoding.DER) for c in opened.additional_certs)
    leaf = first.certificate.public_bytes(Encoding.DER)
    identity = Identity(key, (leaf, *(der for der in dict.fromkeys(others) if der != leaf)))
    standing = check_certificate(identity.chain, trust=Trust(), at=first.certificate.not_valid_before_utc)
    if standing.refused:
        raise SigningProblem(standing.why, "identity", "Choose another file.")
    return identity


def _years_later(moment: datetime, years: int) -> datetime:
    try:
        return moment.replace(year=moment.year + years)
    except ValueError:  # 29 February
        return moment.replace(year=moment.year + years, day=28)


def _check_name(text: str, where: str, *, required: bool) -> None:
    if not isinstance(text, str) or len(text) > LONGEST_NAME:
        raise InvalidInput(
            message("must be text of at most {most} characters", most=LONGEST_NAME), where, "Shorten it."
        )
    if required and not text.strip():
        raise InvalidInput("must not be empty", where, "Enter the name of the person who signs.")
    if not text.isprintable() or len(text.encode("utf-8", "replace")) > 4 * LONGEST_NAME:
        raise InvalidInput("must be printable text on one line", where, "Remove line breaks and control characters.")


def _check_passphrase(passphrase: str) -> None:
    if not isinstance(passphrase, str) or not SHORTEST_PASSPHRASE <= len(passphrase) <= LONGEST_PASSPHRASE:
        raise InvalidInput(
            message("must have at least {least} characters", least=SHORTEST_PASSPHRASE),
            "passphrase",
            "Choose several words.",
        )
    if "\0" in passphrase or any("\ud800" <= c <= "\udfff" for c in passphrase):
        raise InvalidInput("contains a character that cannot be typed", "passphrase", "Choose several words.")


# ----------------------------------------------------------- the key file, as slow to guess against as its encryption


ROUNDS = 600_000
MAC_KEY = 3  # the purpose byte of RFC 7292, B.3
BLOCK = 64  # bytes in a block of SHA-256


def protected(*, name: str, key: EllipticCurvePrivateKey, certificate: x509.Certificate, passphrase: str) -> bytes:
    """Return KEY and CERTIFICATE as PKCS#12: AES-256 under PBKDF2, and the MAC, with 600,000 rounds each."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.serialization import PrivateFormat, pkcs12

    encryption = (
        PrivateFormat.PKCS12.encryption_builder()
        .kdf_rounds(ROUNDS)
        .key_cert_algorithm(pkcs12.PBES.PBESv2SHA256AndAES256CBC)
        .hmac_hash(hashes.SHA256())
        .build(passphrase.encode("utf-8"))
    )
    written = pkcs12.serialize_key_and_certificates(name.encode("utf-8"), key, certificate, None, encryption)
    return _with_slow_check(written, passphrase)


def _with_slow_check(pkcs12_bytes: bytes, passphrase: str) -> bytes:
    """Return the same key file with its MAC computed again over the same contents, with ROUNDS rounds."""
    from asn1crypto import pkcs12

    file = pkcs12.Pfx.load(pkcs12_bytes)
    salt = secrets.token_bytes(16)
    key = mac_key(passphrase, salt, ROUNDS)
    contents = bytes(file["auth_safe"]["content"])
    check = {"digest_algorithm": {"algorithm": "sha256"}, "digest": hmac.digest(key, contents, "sha256")}
    file["mac_data"] = {"mac": check, "mac_salt": salt, "iterations": ROUNDS}
    return bytes(file.dump(force=True))


def mac_key(passphrase: str, salt: bytes, rounds: int) -> bytes:
    """Return the 32 bytes that key the MAC (RFC 7292, appendix B.2 with SHA-256; one block is enough for them)."""
    password = passphrase.encode("utf-16-be") + b"\0\0"
    derived = bytes([MAC_KEY]) * BLOCK + _filled(salt) + _filled(password)
    for _ in range(rounds):
        derived = hashlib.sha256(derived).digest()
    return derived


def _filled(text: bytes) -> bytes:
    """Return TEXT repeated to fill whole blocks, the last copy cut off."""
    size = -(-len(text) // BLOCK) * BLOCK
    return (text * (size // len(text) + 1))[:size] if text else b""
