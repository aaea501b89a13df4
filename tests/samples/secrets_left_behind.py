"""What must never be left behind after signing: every form of the passphrases and of the private key, and the search
for them."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, pkcs12

PASSPHRASE = "nine blue herons über dem See"
WRONG = "eight grey geese under the bridge"


def secrets(identity: Path) -> Iterator[tuple[str, bytes]]:
    """Yield every form in which the passphrases or the key of IDENTITY might be left behind, with its name."""
    for text in (PASSPHRASE, WRONG):
        for encoding in ("utf-8", "utf-16-le", "utf-16-be", "latin-1"):
            yield f"passphrase in {encoding}", text.encode(encoding)
        yield "passphrase in base64", base64.b64encode(text.encode())[:-4]
        yield "passphrase in hexadecimal", text.encode().hex().encode()
        yield "passphrase escaped", text.encode("ascii", "backslashreplace")
    key: Any = pkcs12.load_pkcs12(identity.read_bytes(), PASSPHRASE.encode()).key
    number = key.private_numbers().private_value
    raw = number.to_bytes(32, "big")
    whole = key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    yield "key, raw", raw
    yield "key, little-endian", raw[::-1]
    yield "key in hexadecimal", raw.hex().encode()
    yield "key in capitals", raw.hex().upper().encode()
    yield "key as a number", str(number).encode()
    yield "key in base64", base64.b64encode(raw)[:40]
    yield "key in base64url", base64.urlsafe_b64encode(raw)[:40]
    yield "key in DER", whole[-100:]
    for offset in range(3):  # base64 of a PEM file: the key may begin at any of three positions
        yield "key in PEM", base64.b64encode(raw[offset : offset + 30])[:36]


def left_behind(folder: Path, identity: Path, printed: bytes, passphrases: tuple[Path, ...]) -> list[str]:
    known = tuple(secrets(identity))
    texts = {"what was printed": printed}
    texts |= {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path not in passphrases
    }
    found = [f"{name}: {what}" for name, content in texts.items() for what, secret in known if secret in content]
    return found + [f"{name}: a private key" for name, content in texts.items() if b"PRIVATE KEY" in content]
