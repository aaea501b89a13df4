"""Lists of revoked certificates that an office lays beside those it trusts are looked up, whenever they come."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding

from dpwizard.errors import SigningProblem
from dpwizard.signing import record_files
from dpwizard.signing.signing import Trust, read_trust, verify_record
from tests.samples.signed_record import DAY, JSON, NOW, SignedRecord, certificate, person, sign, typeset

KEY = ec.generate_private_key(ec.SECP256R1())
AUTHORITY = certificate(KEY, "Agency CA", authority=True, signs=False)
ADA = person("Ada Officer", issuer=(KEY, AUTHORITY))
SERIAL = x509.load_der_x509_certificate(ADA.chain[0]).serial_number
UNSPECIFIED, COMPROMISED, REMOVED = (
    x509.ReasonFlags.unspecified,
    x509.ReasonFlags.key_compromise,
    x509.ReasonFlags.remove_from_crl,
)


@pytest.fixture(scope="module")
def record() -> SignedRecord:
    return sign(typeset(), ADA)


def crl(*revoked: tuple[int, datetime, x509.ReasonFlags], key: Any = KEY, delta: bool = False) -> bytes:
    """Return a list (DER) of what is REVOKED: serial number, date, reason."""
    built = (
        x509.CertificateRevocationListBuilder()
        .issuer_name(AUTHORITY.subject)
        .last_update(NOW)
        .next_update(NOW + 30 * DAY)
    )
    for serial, date, reason in revoked:
        entry = x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(date)
        entry = entry if reason == UNSPECIFIED else entry.add_extension(x509.CRLReason(reason), False)
        built = built.add_revoked_certificate(entry.build())
    built = built.add_extension(x509.DeltaCRLIndicator(1), True) if delta else built
    return built.sign(key, hashes.SHA256()).public_bytes(Encoding.DER)


def trusting(*lists: bytes) -> Trust:
    return read_trust(files=(AUTHORITY.public_bytes(Encoding.PEM), *lists))


def judged(record: SignedRecord, *lists: bytes) -> Any:
    return verify_record(JSON, record.pdf_bytes, record.jws_text, trust=trusting(*lists), now=NOW + DAY)


def test_a_certificate_that_no_list_names_stays_trusted_and_the_list_is_named(record: SignedRecord) -> None:
    assert "revocation was not looked up" in judged(record).signers[0].notes
    found = judged(record, crl((SERIAL + 1, NOW - DAY, UNSPECIFIED)))
    assert found.verdict == "trusted"
    assert "not revoked, by the list of 2026-03-01T12:00:00Z" in found.signers[0].notes
    assert "revocation was not looked up" not in found.signers[0].notes


@pytest.mark.parametrize("form", [Encoding.DER, Encoding.PEM])
def test_a_certificate_revoked_before_the_stated_time_is_refused(record: SignedRecord, form: Encoding) -> None:
    revoked = x509.load_der_x509_crl(crl((SERIAL, NOW - DAY, UNSPECIFIED))).public_bytes(form)
    found = judged(record, revoked)
    assert (found.verdict, found.signers[0].standing) == ("refused", "revoked")
    assert "was revoked on 2026-02-28T12:00:00Z, before the stated time of signing" in found.sentence


def test_one_revoked_since_is_valid_and_said_unless_its_key_was_in_other_hands(record: SignedRecord) -> None:
    found = judged(record, crl((SERIAL, NOW + DAY, UNSPECIFIED)))
    assert found.verdict == "trusted"
    assert "the certificate has been revoked since, on 2026-03-02T12:00:00Z" in found.signers[0].notes
    found = judged(record, crl((SERIAL, NOW + DAY, COMPROMISED)))
    assert found.verdict == "refused"
    assert "its key was in other hands" in found.sentence


def test_a_list_that_its_issuer_did_not_sign_or_that_is_not_complete_says_nothing(record: SignedRecord) -> None:
    revoked = (SERIAL, NOW - DAY, UNSPECIFIED)
    for unheard in (crl(revoked, key=ec.generate_private_key(ec.SECP256R1())), crl(revoked, delta=True)):
        assert judged(record, unheard).verdict == "trusted"
        assert "revocation was not looked up" in judged(record, unheard).signers[0].notes
    assert judged(record, crl((SERIAL, NOW - DAY, REMOVED))).verdict == "trusted"


def test_a_listed_person_whose_authority_revoked_them_is_refused(record: SignedRecord) -> None:
    trust = Trust((ADA.chain[0], AUTHORITY.public_bytes(Encoding.DER)), (crl((SERIAL, NOW - DAY, UNSPECIFIED)),))
    assert verify_record(JSON, record.pdf_bytes, record.jws_text, trust=trust).verdict == "refused"


def test_lists_lie_in_the_folders_of_trust_and_are_not_added_as_certificates(
    record: SignedRecord, tmp_path: Path
) -> None:
    (tmp_path / "ca.pem").write_bytes(AUTHORITY.public_bytes(Encoding.PEM))
    revoked = crl((SERIAL, NOW - DAY, UNSPECIFIED))
    (tmp_path / "ca.crl").write_bytes(revoked)
    target = record_files.RecordFiles.beside(tmp_path / "r.json")
    for path, content in zip(target.all, (JSON, record.pdf_bytes, record.jws_text.encode("ascii")), strict=True):
        path.write_bytes(content)
    assert record_files.verify(target, (tmp_path,), NOW).verdict == "refused"
    with pytest.raises(SigningProblem, match="holds no certificate"):
        record_files.require_certificates(revoked)


@pytest.mark.parametrize("cut", [0, 1, 50, -3])
def test_a_broken_list_is_refused_by_name(tmp_path: Path, cut: int) -> None:
    (tmp_path / "ca.crl").write_bytes(crl((SERIAL, NOW, UNSPECIFIED))[:cut])
    (tmp_path / "r.json").write_bytes(JSON)
    with pytest.raises(SigningProblem, match=r"ca\.crl"):
        record_files.verify(record_files.RecordFiles.beside(tmp_path / "r.json"), (tmp_path,), NOW)
