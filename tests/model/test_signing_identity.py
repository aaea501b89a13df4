"""Identities: made, opened, refused, and never shown."""

from __future__ import annotations

import copy
import os
import pickle
import stat
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from asn1crypto import pkcs12 as asn1
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, pkcs12
from cryptography.x509.oid import ExtendedKeyUsageOID

from dpwizard.base.errors import FileProblem, InvalidInput, SigningProblem
from dpwizard.base.files import write_private
from dpwizard.signing import identity
from dpwizard.signing.identity import ROUNDS, create_identity, mac_key, open_identity
from tests.samples.signed_record import DAY, NOW, PASSPHRASE, certificate, people, private_key


@pytest.fixture(scope="module")
def key_file() -> bytes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(identity, "ROUNDS", ROUNDS)  # as the program makes it, not as quick as for all other tests
        return create_identity(
            name="Ann Müller", organisation="Durham County", passphrase=PASSPHRASE, now=NOW, valid_years=3
        )


@pytest.mark.slow
def test_an_identity_made_here_opens_with_its_passphrase_and_says_who_it_is(key_file: bytes) -> None:
    about = open_identity(pkcs12=key_file, passphrase=PASSPHRASE).certificate
    assert (about.name, about.organisation, about.key, about.self_signed) == (
        "Ann Müller",
        "Durham County",
        "P-256",
        True,
    )
    assert (about.valid_from, about.valid_to) == ("2026-03-01T12:00:00Z", "2029-03-01T12:00:00Z")
    assert len(about.fingerprint) == 64


def test_the_certificate_is_for_signing_documents_and_nothing_else(key_file: bytes) -> None:
    made = x509.load_pem_x509_certificate(open_identity(pkcs12=key_file, passphrase=PASSPHRASE).certificate_pem())
    usage = made.extensions.get_extension_for_class(x509.KeyUsage)
    assert usage.critical
    assert usage.value.digital_signature
    assert usage.value.content_commitment
    assert not usage.value.key_cert_sign
    purposes = list(made.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value)
    assert purposes == [x509.ObjectIdentifier("1.3.6.1.5.5.7.3.36"), ExtendedKeyUsageOID.EMAIL_PROTECTION]
    assert not made.extensions.get_extension_for_class(x509.BasicConstraints).value.ca


def test_encryption_and_check_value_both_take_six_hundred_thousand_rounds(key_file: bytes) -> None:
    file = asn1.Pfx.load(key_file)
    assert file["mac_data"]["iterations"].native == ROUNDS == 600_000
    algorithms = []
    for part in file.authenticated_safe:
        if part["content_type"].native == "encrypted_data":
            algorithms.append(part["content"]["encrypted_content_info"]["content_encryption_algorithm"])
        else:
            algorithms += [
                bag["bag_value"]["encryption_algorithm"] for bag in asn1.SafeContents.load(part["content"].native)
            ]
    assert len(algorithms) == 2
    for algorithm in algorithms:
        assert algorithm.encryption_cipher == "aes"
        assert algorithm.key_length == 32
        assert algorithm.kdf_iterations == ROUNDS


@pytest.mark.slow
@pytest.mark.parametrize("passphrase", ["pässwörter €😀", "x" * 200, "  spaces count  "])
def test_any_text_that_can_be_typed_is_a_passphrase(passphrase: str) -> None:
    made = create_identity(name="Ann", passphrase=passphrase, now=NOW)
    assert open_identity(pkcs12=made, passphrase=passphrase).certificate.name == "Ann"
    with pytest.raises(SigningProblem):
        open_identity(pkcs12=made, passphrase=passphrase.strip()[:-1])


def test_the_check_value_key_is_the_one_of_the_standard() -> None:
    # computed with OpenSSL 3.0: openssl kdf ... -kdfopt iter:1 -kdfopt id:3 PKCS12KDF
    want = "8f6f13d2cb72394a920abe6d278f0085a76ad8456835e7dcc297807220c7bf7c"
    assert mac_key("smeg", bytes.fromhex("3d83c0e4546ac140"), 1) == bytes.fromhex(want)


def test_a_wrong_passphrase_is_refused_in_the_words_used_for_a_broken_file(key_file: bytes) -> None:
    refusals = set()
    for content, passphrase in (
        (key_file, "something else"),
        (key_file, ""),
        (key_file, "\ud800"),
        (key_file[:-5], PASSPHRASE),
        (b"", PASSPHRASE),
        (b"no key file", PASSPHRASE),
        (bytes(300_000), PASSPHRASE),
    ):
        with pytest.raises(SigningProblem) as refusal:
            open_identity(pkcs12=content, passphrase=passphrase)
        refusals.add(str(refusal.value))
    assert len(refusals) == 1


def test_every_changed_byte_of_a_key_file_is_refused_or_harmless() -> None:
    made = pkcs12.serialize_key_and_certificates(
        None, private_key(people()[0]), _leaf(0), None, BestAvailableEncryption(b"quick to try")
    )
    want = open_identity(pkcs12=made, passphrase="quick to try").certificate
    for position in range(0, len(made), 41):
        broken = bytearray(made)
        broken[position] ^= 0x55
        try:
            found = open_identity(pkcs12=bytes(broken), passphrase="quick to try").certificate
        except SigningProblem:
            continue
        assert found == want


def _leaf(which: int) -> x509.Certificate:
    return x509.load_der_x509_certificate(people()[which].chain[0])


def _packed(key: Any, made: x509.Certificate | None) -> bytes:
    return pkcs12.serialize_key_and_certificates(b"x", key, made, None, BestAvailableEncryption(b"agency secret"))


def test_keys_that_cannot_sign_a_record_are_refused_by_name() -> None:
    small, edwards, curve = (
        rsa.generate_private_key(65537, 1024),
        ed25519.Ed25519PrivateKey.generate(),
        ec.generate_private_key(ec.SECP256K1()),
    )
    other = ec.generate_private_key(ec.SECP256R1())
    ed_certificate = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([]))
        .issuer_name(x509.Name([]))
        .public_key(edwards.public_key())
        .serial_number(1)
        .not_valid_before(NOW)
        .not_valid_after(NOW + DAY)
        .sign(edwards, None)
    )
    for content, word in (
        (_packed(small, certificate(small, "Small")), "1024 bits"),
        (_packed(edwards, ed_certificate), "neither RSA"),
        (_packed(curve, certificate(curve, "Odd")), "neither RSA"),
        (_packed(other, certificate(other, "Sealer", signs=False)), "key usage"),
        (_packed(None, certificate(other, "Keyless")), "no private key"),
    ):
        with pytest.raises(SigningProblem, match=word):
            open_identity(pkcs12=content, passphrase="agency secret")


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 65}, "name"),
        ({"name": "two\nlines"}, "name"),
        ({"name": "half \ud800"}, "name"),
        ({"organisation": "nul\0"}, "organisation"),
        ({"passphrase": "short"}, "passphrase"),
        ({"passphrase": None}, "passphrase"),
        ({"passphrase": "nul\0 in the middle"}, "passphrase"),
        ({"passphrase": "x" * 2000}, "passphrase"),
        ({"valid_years": 0}, "valid_years"),
        ({"valid_years": 31}, "valid_years"),
        ({"valid_years": 1.5}, "valid_years"),
        ({"now": datetime(2026, 1, 1)}, "now"),  # no zone
        ({"now": datetime(1, 1, 1, tzinfo=UTC)}, "now"),
    ],
)
def test_what_cannot_stand_in_a_certificate_is_refused_by_name(change: dict[str, Any], where: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        create_identity(**{"name": "Ann", "passphrase": PASSPHRASE, "now": NOW, **change})
    assert refusal.value.where == where
    assert PASSPHRASE not in str(refusal.value)


@pytest.mark.slow
def test_a_certificate_made_on_29_february_ends_on_the_28th() -> None:
    made = create_identity(name="Leap", passphrase=PASSPHRASE, now=datetime(2028, 2, 29, tzinfo=UTC), valid_years=1)
    assert open_identity(pkcs12=made, passphrase=PASSPHRASE).certificate.valid_to == "2029-02-28T00:00:00Z"


def test_the_key_file_shows_neither_key_nor_passphrase(key_file: bytes) -> None:
    key = private_key(open_identity(pkcs12=key_file, passphrase=PASSPHRASE))
    secret = key.private_numbers().private_value.to_bytes(32, "big")
    for hidden in (secret, PASSPHRASE.encode(), PASSPHRASE.encode("utf-16-be"), PASSPHRASE.encode("utf-16-le")):
        assert hidden not in key_file


@pytest.mark.slow
def test_an_open_identity_shows_no_secret_and_cannot_be_copied_or_stored(key_file: bytes) -> None:
    identity = open_identity(pkcs12=key_file, passphrase=PASSPHRASE)
    secret = str(private_key(identity).private_numbers().private_value)
    for shown in (repr(identity), str(identity), repr(identity.certificate), identity.certificate.model_dump_json()):
        assert secret not in shown
        assert PASSPHRASE not in shown
    for attempt in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(SigningProblem):
            attempt(identity)
    assert not hasattr(identity, "__dict__")
    assert b"PRIVATE" not in identity.certificate_pem()


def test_a_key_file_is_for_its_owner_alone_and_never_overwritten(key_file: bytes, tmp_path: Path) -> None:
    path = tmp_path / "ann.p12"
    before = os.umask(0)
    try:
        write_private(path, key_file)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(FileProblem):
        write_private(path, b"another key")
    assert path.read_bytes() == key_file
    assert [entry.name for entry in tmp_path.iterdir()] == ["ann.p12"]


def test_a_key_is_never_written_without_protection() -> None:
    sources = [path.read_text("utf-8") for path in (Path(__file__).parents[2] / "dpwizard").rglob("*.py")]
    assert len(sources) > 5
    assert not any("NoEncryption" in source or "private_bytes" in source for source in sources)
