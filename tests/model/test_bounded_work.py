"""No certificate, list of revoked ones, signature file or PDF makes verification take more than two seconds.

Seconds of this process are counted, not those on the wall: the machine may be busy.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asn1crypto import x509 as asn1
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from dpwizard.base.errors import SigningProblem
from dpwizard.signing import trust
from dpwizard.signing.certificates import issued, load
from dpwizard.signing.identity import Identity
from dpwizard.signing.signature import read_signature
from dpwizard.signing.trust import Trust, check_certificate, read_trust
from tests.samples.attacks import Steps, forge
from tests.samples.signed_record import DAY, NOW, judged, signed

KEYS = tuple(ec.generate_private_key(ec.SECP256R1()) for _ in range(12))


def certificate(
    key: Any, subject: str, issuer: str, signer: Any, *more: tuple[x509.ExtensionType, bool], authority: bool = True
) -> bytes:
    built = (
        x509.CertificateBuilder()
        .subject_name(named(subject))
        .issuer_name(named(issuer))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW - DAY)
        .not_valid_after(NOW + DAY)
        .add_extension(x509.BasicConstraints(authority, None), True)
    )
    if authority:
        usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
        built = built.add_extension(usage, True)
        built = built.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
    if authority and subject != issuer:
        built = built.add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), False)
    for extension, critical in more:
        built = built.add_extension(extension, critical)
    return built.sign(signer, hashes.SHA256()).public_bytes(Encoding.DER)


def named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


ROOT = certificate(KEYS[0], "Root", "Root", KEYS[0])


def standing(*chain: bytes, root: bytes = ROOT) -> str:
    return check_certificate(chain, trust=Trust((root,)), at=NOW).standing


# ---------------------------------------------------------------------------------------------- certificates


@pytest.mark.parametrize("count", [10])
def test_certificates_that_all_bear_one_name_have_no_order_to_search_for(count: int) -> None:
    """Each issued by the next and the last by the first: a search for a path tries every order of them."""
    ring = [certificate(KEYS[i], "X", "X", KEYS[i + 1] if i < count else KEYS[1]) for i in range(1, count + 1)]
    leaf = certificate(KEYS[11], "Leaf", "X", KEYS[1], authority=False)
    assert standing(leaf, *ring) == "unknown_issuer"


def test_one_of_the_right_name_with_another_key_does_not_hide_the_one_that_issued() -> None:
    right = certificate(KEYS[1], "CA", "Root", KEYS[0])
    wrong = certificate(KEYS[2], "CA", "Root", KEYS[3])
    leaf = certificate(KEYS[9], "Leaf", "CA", KEYS[1], authority=False)
    assert standing(leaf, wrong, right) == standing(leaf, right, wrong) == "trusted"
    assert standing(leaf, wrong) == "unknown_issuer"


def test_a_key_with_a_giant_exponent_issues_nothing_and_signs_nothing() -> None:
    der, leaf = with_giant_exponent(), certificate(KEYS[9], "Leaf", "Giant", KEYS[1], authority=False)
    assert not issued(load(leaf), load(der))
    assert (standing(der), standing(leaf, *[der] * 9)) == ("unfit", "unknown_issuer")


def with_giant_exponent() -> bytes:
    """Return a certificate whose RSA key has an exponent as long as its modulus: checking costs what signing does."""
    usual = asn1.Certificate.load(certificate(rsa.generate_private_key(65537, 2048), "Giant", "Giant", KEYS[1]))
    key = usual["tbs_certificate"]["subject_public_key_info"]["public_key"].parsed
    key["public_exponent"] = int(key["modulus"].native) - 2
    usual["tbs_certificate"]["subject_public_key_info"]["public_key"] = key
    return bytes(usual.dump(force=True))


def test_names_without_number_are_not_compared_one_by_one() -> None:
    limits = x509.NameConstraints([x509.DNSName(f"a{i}.example.org") for i in range(600)], None)
    names = x509.SubjectAlternativeName([x509.DNSName(f"z{i}.example.org") for i in range(600)])
    above = certificate(KEYS[1], "CA", "Root", KEYS[0], (limits, True))
    leaf = certificate(KEYS[9], "Leaf", "CA", KEYS[1], (names, False), authority=False)
    assert standing(leaf, above) == "unknown_issuer"


# ---------------------------------------------------------------------------------- lists of revoked certificates


def length(size: int) -> bytes:
    needed = (size.bit_length() + 7) // 8
    return bytes([size]) if size < 128 else bytes([0x80 | needed]) + size.to_bytes(needed, "big")


def wrapped(tag: int, content: bytes) -> bytes:
    return bytes([tag]) + length(len(content)) + content


def long_list(entries: int) -> bytes:
    """Return a genuine list of so many ENTRIES; cryptography would take minutes to build one."""
    moment = b"\x17\x0d260301120000Z"
    body = b"".join(b"\x30\x22\x02\x11" + (2**128 + i).to_bytes(17, "big") + moment for i in range(entries))
    by = wrapped(0x30, bytes.fromhex("06082a8648ce3d040302"))
    dates = moment + b"\x17\x0d260401120000Z"
    tbs = wrapped(0x30, b"\x02\x01\x01" + by + named("Root").public_bytes() + dates + wrapped(0x30, body))
    signature = KEYS[0].sign(tbs, ec.ECDSA(hashes.SHA256()))
    return wrapped(0x30, tbs + by + wrapped(0x03, b"\0" + signature))


def test_a_longer_list_is_refused_before_it_is_read() -> None:
    content = long_list(trust.LARGEST_LIST // 36 + 1)
    with pytest.raises(SigningProblem, match="larger than 8 MB"):
        read_trust(content)


# --------------------------------------------------------------------------------------- signatures, JSON and PDFs


@pytest.mark.slow
def test_a_line_as_long_as_it_may_be_is_refused(tmp_path: Path) -> None:
    line = signed(tmp_path, 1).line(1).read_text().strip()
    for text in ("A" * 199_000, f"{line}{'A' * 190_000}", f"{'eyJ' * 60_000}.{line}", ".".join([line] * 90)):
        with pytest.raises(SigningProblem):
            read_signature(text)


@pytest.mark.slow
def test_signatures_with_large_chains_are_judged(tmp_path: Path) -> None:
    filler = x509.UnrecognizedExtension(x509.ObjectIdentifier("1.2.3.4"), b"\x04\x82\x20\x00" + bytes(0x2000))
    ring = [certificate(KEYS[i], "X", "X", KEYS[i + 1 if i < 6 else 1], (filler, False)) for i in range(1, 7)]
    place = signed(tmp_path, 1)
    for number in range(3):
        leaf = certificate(KEYS[10], f"Leaf {number}", "X", KEYS[1], (filler, False), authority=False)
        forge(place, Steps(), Identity(KEYS[10], (leaf, *ring)), "data_protection_officer")
    anchor = tmp_path / "root.der"
    anchor.write_bytes(ROOT)
    judged(place, (anchor,))


HOSTILE: dict[str, Callable[[], bytes]] = {
    "zeros": lambda: bytes(31_000_000),
    "bomb": lambda: b"%PDF-1.7\n1 0 obj\n<</Filter/FlateDecode>>\nstream\n" + zlib.compress(bytes(60_000_000)),
    "names": lambda: b"%PDF-1.7\n1 0 obj\n<<" + b"/A 1" * 2_000_000 + b">>\nendobj\nxref\n0 1\ntrailer\n<<>>\n%%EOF\n",
    "ends": lambda: b"%PDF-1.7\n" + b"startxref\n9\n%%EOF\n" * 1_000_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", list(HOSTILE))
def test_a_hostile_pdf_is_compared_and_never_parsed(tmp_path: Path, name: str) -> None:
    place = signed(tmp_path, 1)
    place.pdf.write_bytes(HOSTILE[name]())
    assert judged(place).verdict == "changed"


@pytest.mark.parametrize("content", [b"[" * 500_000, b'{"a":' * 100_000, b'{"a": ' + b"9" * 3_000_000 + b"}"])
def test_deep_or_long_json_is_refused(tmp_path: Path, content: bytes) -> None:
    place = signed(tmp_path, 1)
    place.json.write_bytes(content)
    assert judged(place).verdict == "changed"
