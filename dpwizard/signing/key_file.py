"""The bytes of a key file (PKCS#12), with its check value made as slow to guess against as its encryption.

cryptography encrypts key and certificate with as many rounds as it is told, but leaves the check value
(the MAC, which also depends on the passphrase) at 2,048 rounds, so a guesser would try passphrases there.
:func:`protected` computes that check value again with the same number of rounds as the encryption.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

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
