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
from dpwizard.signing.certificates import judge
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


def crl(
    *revoked: tuple[int, datetime, x509.ReasonFlags],
    key: Any = KEY,
    delta: bool = False,
    made: datetime = NOW,
    point: x509.IssuingDistributionPoint | None = None,
    since: datetime | None = None,
) -> bytes:
    """Return a list (DER) of what is REVOKED: serial number, date, reason, and SINCE when its key is doubted."""
    built = (
        x509.CertificateRevocationListBuilder()
        .issuer_name(AUTHORITY.subject)
        .last_update(made)
        .next_update(made + 30 * DAY)
    )
    built = built.add_extension(point, True) if point else built
    for serial, date, reason in revoked:
        entry = x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(date)
        entry = entry if reason == UNSPECIFIED else entry.add_extension(x509.CRLReason(reason), False)
        entry = entry if since is None else entry.add_extension(x509.InvalidityDate(since.replace(tzinfo=None)), False)
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


# ------------------------------------------------------------------------------------------ scope and date


def of(name: str | None = None, **only: bool) -> x509.IssuingDistributionPoint:
    scope = {f"only_contains_{kind}_certs": only.get(kind, False) for kind in ("user", "ca", "attribute")}
    full = None if name is None else [x509.UniformResourceIdentifier(name)]
    return x509.IssuingDistributionPoint(full, None, only_some_reasons=None, indirect_crl=False, **scope)


@pytest.mark.parametrize("point", [of(ca=True), of(attribute=True), of("http://other.example/7.crl")])
def test_a_list_that_does_not_speak_of_such_certificates_does_not_say_that_one_is_not_revoked(
    record: SignedRecord, point: x509.IssuingDistributionPoint
) -> None:
    notes = judged(record, crl(point=point)).signers[0].notes
    assert "revocation was not looked up" in notes
    assert not any("not revoked" in note for note in notes)
    assert (
        "not revoked, by the list of 2026-03-01T12:00:00Z" in judged(record, crl(point=of(user=True))).signers[0].notes
    )


def test_what_any_list_of_the_authority_names_is_revoked(record: SignedRecord) -> None:
    for point in (of(ca=True), of("http://other.example/7.crl")):
        assert judged(record, crl((SERIAL, NOW - DAY, UNSPECIFIED), point=point)).verdict == "refused"


def test_a_list_for_some_reasons_alone_does_not_say_that_a_certificate_is_not_revoked(record: SignedRecord) -> None:
    some = frozenset({COMPROMISED})
    point = x509.IssuingDistributionPoint(None, None, False, False, some, False, False)
    assert "revocation was not looked up" in judged(record, crl(point=point)).signers[0].notes


def test_a_list_of_a_place_speaks_of_the_certificates_that_name_the_place() -> None:
    place = x509.UniformResourceIdentifier("http://lists.example/1.crl")
    key = ec.generate_private_key(ec.SECP256R1())
    built = certificate(key, "Bea Officer", issuer=(KEY, AUTHORITY))
    points = x509.CRLDistributionPoints([x509.DistributionPoint([place], None, None, None)])
    again = x509.CertificateBuilder(
        built.issuer, built.subject, built.public_key(), built.serial_number, NOW, NOW + DAY
    )
    der = again.add_extension(points, False).sign(KEY, hashes.SHA256()).public_bytes(Encoding.DER)
    trust = trusting(crl(point=of("http://lists.example/1.crl")))
    assert any("not revoked" in note for note in judge((der,), trust=trust, at=NOW).notes)
    trust = trusting(crl(point=of("http://lists.example/2.crl")))
    assert not any("not revoked" in note for note in judge((der,), trust=trust, at=NOW).notes)


def test_a_list_that_was_out_of_date_at_the_stated_time_or_is_of_the_future_is_not_taken_for_an_answer(
    record: SignedRecord,
) -> None:
    notes = judged(record, crl(made=NOW - 60 * DAY)).signers[0].notes
    old = "the list of revoked certificates of 2025-12-31T12:00:00Z was out of date at the stated time of signing"
    assert old in notes
    assert not any("not revoked" in note for note in notes)
    both = judged(record, crl(made=NOW - 60 * DAY), crl(made=NOW - DAY)).signers[0].notes
    assert "not revoked, by the list of 2026-02-28T12:00:00Z" in both
    assert "revocation was not looked up" in judged(record, crl(made=NOW + 300 * DAY)).signers[0].notes
    # what an old list names was revoked all the same
    assert judged(record, crl((SERIAL, NOW - 70 * DAY, UNSPECIFIED), made=NOW - 60 * DAY)).verdict == "refused"


def test_a_key_in_other_hands_before_it_was_revoked_signs_nothing_from_then_on(record: SignedRecord) -> None:
    assert judged(record, crl((SERIAL, NOW + DAY, UNSPECIFIED), since=NOW - DAY)).verdict == "refused"
    assert judged(record, crl((SERIAL, NOW + DAY, UNSPECIFIED), since=NOW + DAY)).verdict == "trusted"


def test_a_list_by_one_of_the_same_name_who_did_not_issue_the_certificate_says_nothing(record: SignedRecord) -> None:
    other = ec.generate_private_key(ec.SECP256R1())
    same_name = certificate(other, "Agency CA", authority=True, signs=False)
    trust = read_trust(
        files=(
            AUTHORITY.public_bytes(Encoding.PEM),
            same_name.public_bytes(Encoding.PEM),
            crl((SERIAL, NOW - DAY, UNSPECIFIED), key=other),
        )
    )
    assert verify_record(JSON, record.pdf_bytes, record.jws_text, trust=trust).verdict == "trusted"
