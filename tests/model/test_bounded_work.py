"""No certificate, list of revoked ones, signature file or PDF makes verification take more than two seconds.

Seconds of this process are counted, not those on the wall: the machine may be busy.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from asn1crypto import x509 as asn1
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from dpwizard.errors import SigningProblem
from dpwizard.signing import certificate_path, revocation
from dpwizard.signing.certificates import judge, load
from dpwizard.signing.signing import Trust, verify_record
from tests.samples.signed_record import DAY, JSON, NOW, person, private_key, sign_unchecked, signed, typeset

MOST = 2.0  # seconds
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
    for extension, critical in more:
        built = built.add_extension(extension, critical)
    return built.sign(signer, hashes.SHA256()).public_bytes(Encoding.DER)


def named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


ROOT = certificate(KEYS[0], "Root", "Root", KEYS[0])


def seconds(action: Callable[[], object]) -> float:
    began = time.process_time()
    action()
    return time.process_time() - began


def standing(*chain: bytes, root: bytes = ROOT) -> str:
    return judge(chain, trust=Trust((root,)), at=NOW).standing


# ---------------------------------------------------------------------------------------------- certificates


@pytest.mark.parametrize("count", [8, 10])
def test_certificates_that_all_bear_one_name_have_no_order_to_search_for(count: int) -> None:
    """Each issued by the next and the last by the first: a search for a path tries every order of them."""
    ring = [certificate(KEYS[i], "X", "X", KEYS[i + 1] if i < count else KEYS[1]) for i in range(1, count + 1)]
    leaf = certificate(KEYS[11], "Leaf", "X", KEYS[1], authority=False)
    found: list[str] = []
    assert seconds(lambda: found.append(standing(leaf, *ring))) < MOST
    assert found == ["unknown_issuer"]


def test_a_chain_is_ordered_whatever_its_order_and_is_four_deep_at_most() -> None:
    above = [ROOT]
    for number in range(1, 4):
        issuer = "Root" if number == 1 else f"CA {number - 1}"
        above.append(certificate(KEYS[number], f"CA {number}", issuer, KEYS[number - 1]))
    leaves = [certificate(KEYS[9], "Leaf", f"CA {number}", KEYS[number], authority=False) for number in (1, 2, 3)]
    assert certificate_path.MOST_DEEP == 4
    assert standing(leaves[1], above[2], above[1]) == standing(leaves[1], above[1], above[2], above[3]) == "trusted"
    assert standing(leaves[2], *above[1:]) == "unknown_issuer"
    assert standing(leaves[2], *above[1:], root=above[1]) == "trusted"


def test_one_of_the_right_name_with_another_key_does_not_hide_the_one_that_issued() -> None:
    right = certificate(KEYS[1], "CA", "Root", KEYS[0])
    wrong = certificate(KEYS[2], "CA", "Root", KEYS[3])
    leaf = certificate(KEYS[9], "Leaf", "CA", KEYS[1], authority=False)
    assert standing(leaf, wrong, right) == standing(leaf, right, wrong) == "trusted"
    assert standing(leaf, wrong) == "unknown_issuer"


def test_a_key_with_a_giant_exponent_issues_nothing_and_signs_nothing() -> None:
    giant = _RsaWithGiantExponent()
    der = giant.certificate()
    assert not certificate_path.has_ordinary_key(load(der))
    assert standing(der) == "unfit"
    leaf = certificate(KEYS[9], "Leaf", "Giant", KEYS[1], authority=False)
    assert seconds(lambda: [standing(leaf, *[der] * 9) for _ in range(20)]) < MOST


class _RsaWithGiantExponent:
    """A certificate whose RSA key has an exponent as long as its modulus: checking by it costs what signing does."""

    def certificate(self) -> bytes:
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

    def refused() -> None:
        with pytest.raises(SigningProblem, match="more than 100 names"):
            standing(leaf, above)

    assert seconds(refused) < MOST


def test_policies_that_are_mapped_to_one_another_do_not_multiply() -> None:
    oids = [f"1.2.3.{i}" for i in range(26)]
    stated = x509.CertificatePolicies([x509.PolicyInformation(x509.ObjectIdentifier(oid), None) for oid in oids])
    pairs = [{"issuer_domain_policy": one, "subject_domain_policy": other} for one in oids for other in oids]
    mapped = x509.UnrecognizedExtension(x509.ObjectIdentifier("2.5.29.33"), asn1.PolicyMappings(pairs).dump())
    one = certificate(KEYS[1], "One", "Root", KEYS[0], (stated, False), (mapped, True))
    two = certificate(KEYS[2], "Two", "One", KEYS[1], (stated, False), (mapped, True))
    leaf = certificate(KEYS[9], "Leaf", "Two", KEYS[2], (stated, False), authority=False)
    assert seconds(lambda: standing(leaf, one, two)) < MOST


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


@pytest.mark.slow
def test_the_longest_list_is_looked_up_for_twenty_signers_in_time() -> None:
    content = long_list(220_000)
    assert 0.95 * revocation.LARGEST_LIST < len(content) <= revocation.LARGEST_LIST
    leaves = [certificate(KEYS[9], f"Leaf {i}", "Root", KEYS[0], authority=False) for i in range(20)]
    found: list[Any] = []

    def judged() -> None:
        assert revocation.is_list(content)
        found.extend(judge((leaf,), trust=Trust((ROOT,), (content,)), at=NOW, now=NOW) for leaf in leaves)

    assert seconds(judged) < MOST
    assert all("not revoked, by the list of 2026-03-01T12:00:00Z" in one.notes for one in found)


def test_a_longer_list_is_refused_before_it_is_read() -> None:
    content = long_list(revocation.LARGEST_LIST // 36 + 1)
    began = time.process_time()
    with pytest.raises(SigningProblem, match="larger than 8 MB"):
        revocation.is_list(content)
    assert time.process_time() - began < MOST


# --------------------------------------------------------------------------------------- signature files and PDFs


@pytest.mark.slow
def test_a_signature_file_as_long_as_it_may_be_is_judged_in_time() -> None:
    record = sign_unchecked(typeset(), person("Ann"))
    line = record.jws_text.strip()
    for long_one in ("A" * 1_000_000, f"{line}{'A' * 900_000}", f"{'eyJ' * 300_000}.{line}", ".".join([line] * 90)):
        text = "".join(f"{long_one}\n" for _ in range(20))
        assert seconds(partial(verify_record, JSON, record.pdf_bytes, text)) < MOST


@pytest.mark.slow
def test_twenty_lines_with_ten_large_certificates_each_are_judged_in_time() -> None:
    filler = x509.UnrecognizedExtension(x509.ObjectIdentifier("1.2.3.4"), b"\x04\x82\x40\x00" + bytes(0x4000))
    ring = [certificate(KEYS[i], "X", "X", KEYS[i + 1 if i < 9 else 1], (filler, False)) for i in range(1, 10)]
    text = ""
    for number in range(20):
        leaf = certificate(KEYS[10], f"Leaf {number}", "X", KEYS[1], (filler, False), authority=False)
        who = _Holder(leaf, ring)
        text += who.line()
    assert seconds(lambda: verify_record(JSON, None, text, trust=Trust((ROOT,)), now=NOW + timedelta(days=1))) < MOST


class _Holder:
    """Somebody with a chain of their own choice."""

    def __init__(self, leaf: bytes, ring: list[bytes]) -> None:
        from dpwizard.signing.signing import Identity

        self.identity = Identity(KEYS[10], (leaf, *ring))

    def line(self) -> str:
        from dpwizard.signing.json_signature import sign_manifest
        from dpwizard.signing.signing import Manifest

        manifest = Manifest(
            role="checks",
            verdict="none",
            comment="",
            conditions=(),
            time="2026-03-01T12:00:00Z",
            time_source="x",
            json_sha256="0" * 64,
            pdf_sha256="0" * 64,
            pdf_bytes=1,
            previous=None,
        )
        assert private_key(self.identity)
        return sign_manifest(identity=self.identity, manifest=manifest) + "\n"


def _many_objects() -> bytes:
    return b"%PDF-1.7\n" + b"".join(b"%d 0 obj\n<<>>\nendobj\n" % i for i in range(1, 400_000)) + b"%%EOF\n"


def _bomb() -> bytes:
    packed = zlib.compress(bytes(60_000_000))
    begin, stream, end = signed(1).pdf_bytes.partition(b"stream\n")
    return begin + b"/Filter/FlateDecode " + stream + packed + end


def _with_table(table: bytes, trailer: bytes) -> bytes:
    return b"%PDF-1.7\nxref\n" + table + b"trailer\n" + trailer + b"\nstartxref\n9\n%%EOF\n"


def _many_tables() -> bytes:
    out, before = bytearray(b"%PDF-1.7\n"), 9
    for _ in range(100_000):
        here = len(out)
        out += b"xref\n0 1\n0000000000 65535 f\r\ntrailer\n<</Size 1/Prev %d>>\nstartxref\n%d\n%%%%EOF\n" % (
            before,
            here,
        )
        before = here
    return bytes(out)


HOSTILE: dict[str, Callable[[], bytes]] = {
    "zeros": lambda: bytes(31_000_000),
    "objects": _many_objects,
    "brackets": lambda: signed(1).pdf_bytes[:-6] + b"[" * 3_000_000 + b"%%EOF\n",
    "names": lambda: b"%PDF-1.7\n1 0 obj\n<<" + b"/A 1" * 2_000_000 + b">>\nendobj\nxref\n0 1\ntrailer\n<<>>\n%%EOF\n",
    "ends": lambda: b"%PDF-1.7\n" + b"startxref\n9\n%%EOF\n" * 1_000_000,
    "trailers": lambda: b"%PDF-1.7\n" + b"xref\n0 0\ntrailer\n<</Prev 9/Size 1>>\nstartxref\n9\n%%EOF\n" * 400_000,
    "bomb": _bomb,
    "marks": lambda: signed(1).pdf_bytes + b"/ETSI.CAdES.detached" * 1_000_000,
    "padded": lambda: signed(1).pdf_bytes + b" " * 20_000_000,
    "sections": lambda: _with_table(b"0 1\n0000000000 65535 f \n" * 900_000, b"<<>>"),
    "entries": lambda: _with_table(
        b"0 1500001\n0000000000 65535 f\r\n" + b"0000000009 00000 n\r\n" * 1_500_000, b"<<>>"
    ),
    "as many as may be": lambda: _with_table(
        b"0 200000\n0000000000 65535 f\r\n" + b"0000000009 00000 n\r\n" * 199_999, b"<</Size 200000/Root 1 0 R>>"
    ),
    "ring": lambda: _with_table(b"0 1\n0000000000 65535 f\r\n" * 9, b"<</Size 1/Prev 9>>"),
    "tables": _many_tables,
    "doubled": lambda: signed(1).pdf_bytes * 100,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", list(HOSTILE))
def test_a_hostile_pdf_is_judged_in_time(name: str) -> None:
    pdf = HOSTILE[name]()
    found: list[Any] = []
    assert seconds(lambda: found.append(verify_record(None, pdf, None))) < MOST, name
    assert not found[0].ok
    record = signed(1)
    assert seconds(lambda: verify_record(JSON, pdf, record.jws_text)) < MOST


def test_deep_json_in_a_signature_is_refused_in_time() -> None:
    record = signed(1)
    for content in (b"[" * 500_000, b'{"a":' * 100_000):
        assert seconds(partial(verify_record, content, record.pdf_bytes, record.jws_text)) < MOST
