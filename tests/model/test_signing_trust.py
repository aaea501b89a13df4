"""Whom a signed record is trusted from, and when: authorities, certificates and times."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec

from dpwizard.errors import InvalidInput, SigningProblem
from dpwizard.signing.signing import (
    Identity,
    read_trust,
    verify_record,
)
from tests.samples.signed_record import (
    DAY,
    JSON,
    NOW,
    an_authority,
    certificate,
    judged,
    people,
    person,
    sign,
    sign_unchecked,
    signed,
    trust_in,
    trusted,
    typeset,
)

# --------------------------------------------------------------------------------- trust by authority


def test_a_certificate_issued_by_an_authority_trusted_here_is_trusted() -> None:
    key, root = an_authority()
    record = sign(typeset(), person("Erin", issuer=(key, root)))
    assert judged(record).signers[0].standing == "unknown_issuer"
    found = judged(record, trust=trust_in(root))
    assert found.verdict == "trusted"
    assert "County CA" in found.signers[0].why
    assert any("revocation" in note for note in found.signers[0].notes)
    _, stranger = an_authority("Other CA")
    assert judged(record, trust=trust_in(stranger)).verdict == "unchanged"


def test_a_chain_of_authorities_is_followed() -> None:
    top_key, top = an_authority("Top CA")
    middle_key, middle = an_authority("Middle CA", issuer=(top_key, top))
    record = sign(typeset(), person("Erin", issuer=(middle_key, middle)))
    assert judged(record, trust=trust_in(top)).verdict == "trusted"
    assert judged(record, trust=trust_in(middle)).verdict == "trusted"


def test_a_person_trusted_here_cannot_vouch_for_another() -> None:
    ann_key = ec.generate_private_key(ec.SECP256R1())
    ann = person("Ann", ann_key)
    forged_bob = person("Bob", issuer=(ann_key, x509.load_der_x509_certificate(ann.chain[0])))
    record = sign(typeset(), forged_bob)
    assert judged(record, trust=trusted(ann)).verdict == "unchanged"
    assert not judged(record, trust=trusted(ann)).signers[0].trusted


def test_an_authority_that_bears_the_right_name_with_another_key_is_not_trusted() -> None:
    _, root = an_authority()
    false_key, false_root = an_authority()
    record = sign(typeset(), person("Erin", issuer=(false_key, false_root)))
    assert not judged(record, trust=trust_in(root)).signers[0].trusted


def test_an_authority_that_had_expired_at_signing_does_not_vouch() -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    root = certificate(key, "Old CA", authority=True, begins=NOW - 900 * DAY, ends=NOW - DAY)
    assert not judged(sign(typeset(), person("Erin", issuer=(key, root))), trust=trust_in(root)).signers[0].trusted


@pytest.mark.parametrize(
    "content",
    [b"", b"junk", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", b"-----BEGIN", bytes(50_000)],
)
def test_a_trust_file_without_a_certificate_is_refused_by_position(content: bytes) -> None:
    with pytest.raises(SigningProblem) as refusal:
        read_trust(files=(people()[0].certificate_pem(), content))
    assert refusal.value.where == "files[1]"


def test_trust_is_read_from_pem_with_several_certificates_and_from_der() -> None:
    both = people()[0].certificate_pem() + people()[1].certificate_pem()
    assert read_trust(files=(both, people()[2].chain[0])) == trusted(*people())


# ------------------------------------------------------------------------------------------ times


def _ends(moment: datetime) -> Identity:
    return person("Ann", begins=NOW - 30 * DAY, ends=moment)


def test_a_certificate_that_expired_after_signing_stays_valid_with_a_note() -> None:
    record = sign(typeset(), _ends(NOW + DAY))
    found = judged(record, now=NOW + 400 * DAY)
    assert found.verdict == "unchanged"
    assert any("expired since" in note for note in found.signers[0].notes)
    assert not any("expired since" in note for note in judged(record, now=NOW).signers[0].notes)


@pytest.mark.parametrize(
    ("identity", "standing"), [(_ends(NOW - DAY), "expired"), (person("Ann", begins=NOW + DAY), "not_yet_valid")]
)
def test_a_certificate_not_valid_at_the_stated_time_is_refused(identity: Identity, standing: str) -> None:
    with pytest.raises(SigningProblem, match="stated time"):
        sign(typeset(), identity)
    record = sign_unchecked(typeset(), identity)
    for files in (
        (JSON, record.pdf_bytes, record.jws_text),
        (None, record.pdf_bytes, None),
        (JSON, None, record.jws_text),
    ):
        found = verify_record(*files, trust=trusted(identity))
        assert (found.verdict, found.ok, found.signers[0].standing, found.signers[0].trusted) == (
            "refused",
            False,
            standing,
            False,
        )


def test_a_certificate_not_made_for_signing_is_refused() -> None:
    sealer = person("Sealer", signs=False)
    with pytest.raises(SigningProblem, match="key usage"):
        sign(typeset(), sealer)
    assert judged(sign_unchecked(typeset(), sealer), trust=trusted(sealer)).verdict == "refused"


def test_times_that_run_backwards_or_lie_in_the_future_are_refused() -> None:
    with pytest.raises(SigningProblem, match="earlier time"):
        sign(signed(1), people()[1], "approves", time=NOW - timedelta(minutes=1))
    assert judged(signed(1), now=NOW + timedelta(hours=1)).ok
    assert judged(signed(1), now=NOW - timedelta(hours=1)).ok  # clocks differ
    future = judged(signed(1), now=NOW - 30 * DAY)
    assert future.verdict == "refused"
    assert "future" in future.sentence


@pytest.mark.parametrize("time", [datetime(2026, 3, 1), "2026-03-01", None])
def test_a_time_without_a_zone_is_refused(time: Any) -> None:
    with pytest.raises(InvalidInput):
        sign(typeset(), people()[0], time=time)
    if time is not None:
        with pytest.raises(InvalidInput):
            judged(signed(1), now=time)


def test_a_time_with_another_zone_is_written_in_utc() -> None:
    from datetime import timezone

    record = sign(typeset(), people()[0], time=NOW.astimezone(timezone(timedelta(hours=5, minutes=30))))
    assert judged(record).signers[0].time == "2026-03-01T12:00:00Z"
