"""Whom a signed record is trusted from, and when: authorities, certificates, times and lists of revoked ones."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding

from dpwizard.base import office_folder
from dpwizard.base.errors import FileProblem, InvalidInput, SigningProblem
from dpwizard.signing import office
from dpwizard.signing.identity import Identity
from dpwizard.signing.trust import CertificateStanding, Trust, check_certificate, read_trust
from tests.samples.attacks import Steps, forge
from tests.samples.signed_record import (
    DAY,
    NOW,
    an_authority,
    certificate,
    further,
    judged,
    new,
    people,
    person,
    signed,
    trusting,
)

UNSPECIFIED = x509.ReasonFlags.unspecified


def pem(one: x509.Certificate) -> bytes:
    return one.public_bytes(Encoding.PEM)


def standing(who: Identity, *trusted: bytes, **options: Any) -> CertificateStanding:
    """Return how WHO stands where the contents TRUSTED lie in the office's folder."""
    read = [read_trust(content) for content in trusted]
    known = Trust(sum((one.certificates for one in read), ()), sum((one.revoked for one in read), ()))
    return check_certificate(who.chain, trust=known, at=options.pop("at", NOW), **options)


def test_certificate_issued_by_a_trusted_authority_is_trusted() -> None:
    key, root = an_authority()
    erin = person("Erin", issuer=(key, root))
    assert standing(erin).standing == "unknown_issuer"
    found = standing(erin, pem(root))
    assert found.trusted
    assert "County CA" in found.why
    assert any("revocation was not checked" in note for note in found.notes)
    _, stranger = an_authority("Other CA")
    assert not standing(erin, pem(stranger)).trusted


def test_three_authorities_are_followed_and_no_more() -> None:
    above: Any = None
    chain: list[tuple[Any, x509.Certificate]] = []
    for name in ("Top CA", "Middle CA", "Low CA", "Lowest CA"):
        above = an_authority(name, **({"issuer": above} if above else {}))
        chain.append(above)
    for depth, trusted in ((3, True), (4, False)):
        der = tuple(one.public_bytes(Encoding.DER) for _, one in reversed(chain[1:depth]))
        leaf = person("Erin", issuer=chain[depth - 1])
        found = check_certificate((leaf.chain[0], *der), trust=read_trust(pem(chain[0][1])), at=NOW)
        assert found.trusted is trusted, depth


def test_path_length_of_the_anchor_is_kept() -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Short CA")])
    usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
    root = (
        x509.CertificateBuilder(name, name, key.public_key(), 7, NOW - 9 * DAY, NOW + 99 * DAY)
        .add_extension(x509.BasicConstraints(True, 0), True)
        .add_extension(usage, True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
        .sign(key, hashes.SHA256())
    )
    middle = an_authority("Middle CA", issuer=(key, root))
    assert standing(person("Erin", issuer=(key, root)), pem(root)).trusted
    assert not standing(person("Erin", issuer=middle), pem(root)).trusted


def test_person_trusted_here_cannot_vouch_for_another() -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    ann = person("Ann", key)
    bob = person("Bob", issuer=(key, x509.load_der_x509_certificate(ann.chain[0])))
    assert not standing(bob, ann.certificate_pem()).trusted


def test_authority_that_had_expired_does_not_vouch() -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    root = certificate(key, "Old CA", authority=True, begins=NOW - 900 * DAY, ends=NOW - DAY)
    assert not standing(person("Erin", issuer=(key, root)), pem(root)).trusted


@pytest.mark.parametrize(
    "content",
    [b"", b"junk", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", b"-----BEGIN", bytes(50_000)],
)
def test_trust_file_without_a_certificate_is_refused(content: bytes) -> None:
    with pytest.raises(SigningProblem, match="contains no certificate"):
        read_trust(content)


def _ends(moment: datetime) -> Identity:
    return person("Ann", begins=NOW - 30 * DAY, ends=moment)


def test_certificate_that_expired_after_signing_stays_valid_with_a_note(tmp_path: Path) -> None:
    place = new(tmp_path, _ends(NOW + DAY))
    found = judged(place, now=NOW + 400 * DAY)
    assert found.verdict == "unchanged"
    assert any("expired since" in note for note in found.signers[0].notes)
    assert not any("expired since" in note for note in judged(place, now=NOW).signers[0].notes)


@pytest.mark.parametrize(
    ("identity", "kind"),
    [
        (_ends(NOW - DAY), "expired"),
        (person("Ann", begins=NOW + DAY), "not_yet_valid"),
        (person("Sealer", signs=False), "unfit"),
        *((person("Server", purposes=(f"1.3.6.1.5.5.7.3.{kind}",)), "unfit") for kind in (1, 3, 8, 9)),
    ],
)
def test_certificate_that_cannot_have_signed_is_refused(tmp_path: Path, identity: Identity, kind: str) -> None:
    with pytest.raises(SigningProblem):
        new(tmp_path, identity)
    assert not list(tmp_path.iterdir())
    place = signed(tmp_path, 1)
    place.line(1).unlink()
    found = judged(forge(place, Steps(), identity), trusting(tmp_path, identity))
    assert (found.verdict, found.outcome, found.signers[0].standing) == ("refused", "failed", kind)


def test_times_that_run_backwards_or_lie_in_the_future_are_refused(tmp_path: Path) -> None:
    place = signed(tmp_path, 1)
    assert judged(place, now=NOW + timedelta(hours=1)).ok
    assert judged(place, now=NOW - timedelta(hours=1)).ok  # clocks differ
    future = judged(place, now=NOW - 30 * DAY)
    assert future.verdict == "refused"
    assert "future" in future.sentence
    back = judged(forge(place, Steps(), people()[1], "approves", NOW - timedelta(minutes=1)))
    assert back.verdict == "refused"
    assert "an earlier time" in back.sentence


def test_time_without_a_zone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        judged(signed(tmp_path, 1), now=datetime(2026, 3, 1))


def revoking(
    key: Any,
    issuer: x509.Certificate,
    revoked: bytes | None,
    date: datetime,
    *,
    reason: x509.ReasonFlags = UNSPECIFIED,
    since: datetime | None = None,
) -> bytes:
    """Return a list (DER) by ISSUER that names the certificate REVOKED (None: none) from that DATE on."""
    built = x509.CertificateRevocationListBuilder().issuer_name(issuer.subject)
    built = built.last_update(NOW).next_update(NOW + 30 * DAY)
    if revoked is not None:
        serial = x509.load_der_x509_certificate(revoked).serial_number
        entry = x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(date)
        entry = entry if reason == UNSPECIFIED else entry.add_extension(x509.CRLReason(reason), False)
        entry = entry if since is None else entry.add_extension(x509.InvalidityDate(since.replace(tzinfo=None)), False)
        built = built.add_revoked_certificate(entry.build())
    return built.sign(key, hashes.SHA256()).public_bytes(Encoding.DER)


KEY, AUTHORITY = an_authority("Agency CA")
ADA = person("Ada Officer", issuer=(KEY, AUTHORITY))


def ada(*lists: bytes, **options: Any) -> CertificateStanding:
    return standing(ADA, pem(AUTHORITY), *lists, **options)


def test_list_that_does_not_name_the_certificate_is_named() -> None:
    other_key, other = an_authority("Stranger CA")
    of_others = revoking(other_key, other, None, NOW)  # a list of other certificates leaves nothing open
    found = ada(revoking(KEY, AUTHORITY, people()[0].chain[0], NOW), of_others)
    assert found.trusted
    assert "not revoked, by the list of 2026-03-01T12:00:00Z" in found.notes


@pytest.mark.parametrize("days", [-1, 1])
def test_revoked_certificate_is_refused_whatever_its_signer_says_of_the_time(days: int) -> None:
    found = ada(revoking(KEY, AUTHORITY, ADA.chain[0], NOW + days * DAY))
    assert (found.standing, found.refused) == ("revoked", True)


def test_time_stamp_from_before_the_revocation_lets_a_signature_count() -> None:
    gone = revoking(KEY, AUTHORITY, ADA.chain[0], NOW + DAY)
    assert ada(gone, proved_by=NOW + DAY / 2).trusted
    assert ada(gone, proved_by=NOW + 2 * DAY).refused
    since = revoking(KEY, AUTHORITY, ADA.chain[0], NOW + DAY, since=NOW)
    assert ada(since, proved_by=NOW + DAY / 2).refused


def test_certificate_taken_off_a_list_is_not_revoked() -> None:
    back = revoking(KEY, AUTHORITY, ADA.chain[0], NOW, reason=x509.ReasonFlags.remove_from_crl)
    assert ada(back).trusted


def test_list_that_nobody_at_hand_made_leaves_it_open() -> None:
    other = ec.generate_private_key(ec.SECP256R1())
    found = ada(revoking(other, AUTHORITY, ADA.chain[0], NOW))
    assert (found.trusted, found.refused) == (False, False)
    assert "nobody known here made" in found.open


def test_authority_that_may_not_sign_lists_made_none() -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    usage = x509.KeyUsage(False, False, False, False, False, True, False, False, False)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "No Lists CA")])
    root = (
        x509.CertificateBuilder(name, name, key.public_key(), 7, NOW - 9 * DAY, NOW + 99 * DAY)
        .add_extension(x509.BasicConstraints(True, None), True)
        .add_extension(usage, True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
        .sign(key, hashes.SHA256())
    )
    erin = person("Erin", issuer=(key, root))
    assert standing(erin, pem(root), revoking(key, root, erin.chain[0], NOW)).open


@pytest.mark.parametrize("cut", [0, 1, 50, -3])
def test_broken_list_is_refused_by_name(tmp_path: Path, cut: int) -> None:
    trusted = trusting(tmp_path, AUTHORITY, lists=[revoking(KEY, AUTHORITY, None, NOW)[:cut]])
    with pytest.raises(SigningProblem, match=r"0\.crl"):
        judged(signed(tmp_path, 1), trusted)


def test_lists_in_one_file_are_all_asked_and_one_that_is_broken_is_refused(tmp_path: Path) -> None:
    """An office appends the lists of its authorities to one another, and Windows writes the ending in capitals."""
    gone, other = (revoking(KEY, AUTHORITY, who.chain[0], NOW) for who in (ADA, people()[0]))
    every = b"".join(x509.load_der_x509_crl(one).public_bytes(Encoding.PEM) for one in (other, gone))
    (tmp_path / "0.CRL").write_bytes(every)
    trust = office.read_trust([*trusting(tmp_path, AUTHORITY), tmp_path])
    assert check_certificate(ADA.chain, trust=trust, at=NOW).standing == "revoked"
    empty = b"-----BEGIN X509 CRL-----\nMAA=\n-----END X509 CRL-----\n"
    with pytest.raises(SigningProblem, match="can be read"):
        read_trust(every + empty + ADA.certificate_pem())


def test_list_is_not_added_as_a_certificate() -> None:
    with pytest.raises(SigningProblem, match="contains no certificate"):
        office.require_certificates(revoking(KEY, AUTHORITY, None, NOW))


def test_record_with_a_revoked_signer_is_refused_and_nobody_signs_beside_her(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(office_folder, "OFFICE", tmp_path)
    place = further(signed(tmp_path, 1), ADA)
    lists = [revoking(KEY, AUTHORITY, ADA.chain[0], NOW + DAY)]
    found = judged(place, trusting(tmp_path, people()[0], AUTHORITY, lists=lists))
    assert (found.verdict, found.signers[1].standing, found.remedy[:17]) == ("refused", "revoked", "Make a new record")
    with pytest.raises(
        SigningProblem, match="the signature of Ada Officer is not accepted: the certificate was revoked"
    ):
        further(place, people()[2], "data_protection_officer")
    assert not place.line(3).exists()


@pytest.mark.parametrize("name", ["signatures", "trust"])
def test_log_or_certificates_that_cannot_be_reached_are_not_taken_for_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    place, office_place = signed(tmp_path), tmp_path / "etc"
    office_place.mkdir()
    monkeypatch.setattr(office_folder, "OFFICE", office_place)
    trusted = trusting(tmp_path, *people())
    assert judged(place, office.trust_places(trusted)).outcome == "passed"
    (office_place / name).symlink_to(tmp_path / "gone")  # a drive that is not connected
    found = judged(place, office.trust_places(trusted))
    assert (found.verdict, found.outcome) == ("trusted", "undetermined")
    assert f"Not determined: {office_place / name}: " in found.sentence
    assert found.remedy == "Connect its drive, or ask the office for permission to read it. Then verify again."
    with pytest.raises(FileProblem, match=r"Nothing was signed|does not exist"):
        further(place, people()[2], "data_protection_officer")
    assert not place.line(3).exists()
