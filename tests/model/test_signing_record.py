"""The three files of a record signed and judged together: who, when, trusted or not, and what cannot be said."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from hypothesis import given, settings
from hypothesis import strategies as st

from dpwizard.errors import DPWizardError, FileProblem, InvalidInput, SigningProblem
from dpwizard.signing.signing import (
    CHECKS,
    Identity,
    SignedRecord,
    Trust,
    Verification,
    create_identity,
    open_identity,
    read_trust,
    sign_record,
    verify_record,
)
from dpwizard.values import plain
from tests.oracles.record_check import faults
from tests.samples.signed_record import (
    DAY,
    JSON,
    NOW,
    PASSPHRASE,
    certificate,
    forged,
    parts,
    people,
    person,
    sign,
    signed,
    typeset,
)


def judged(record: SignedRecord, **options: Any) -> Verification:
    return verify_record(JSON, record.pdf_bytes, record.jws_text, **options)


def trusted(*identities: Identity) -> Trust:
    return read_trust(files=tuple(identity.certificate_pem() for identity in identities))


# ------------------------------------------------------------------------------------- valid records


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_record_just_signed_is_unchanged_and_its_signers_are_named(count: int) -> None:
    found = judged(signed(count))
    assert (found.verdict, found.ok, found.complete, found.missing) == ("unchanged", True, True, ())
    assert [s.name for s in found.signers] == ["Ann Müller", "Bob", "Cleo"][:count]
    assert [s.role for s in found.signers] == ["proposes", "approves", "data_protection_officer"][:count]
    assert all(
        (s.time, s.time_source, s.standing) == ("2026-03-01T12:00:00Z", "the test", "self_made") for s in found.signers
    )
    assert all(
        "identity not established" in s.why and "the time is the signer's own claim" in s.notes for s in found.signers
    )
    assert "identity not established" in found.sentence
    assert {f.check for f in found.findings} == set(CHECKS)
    assert all(f.ok for f in found.findings if f.check != "trust")
    assert found.typeset_bytes == len(typeset()) + 1


def test_an_independent_reading_of_the_files_agrees() -> None:
    assert faults(JSON, signed(2).pdf_bytes, signed(2).jws_text) == []
    assert faults(JSON + b" ", signed(2).pdf_bytes, signed(2).jws_text) != []


def test_each_signer_covers_the_pdf_up_to_the_own_signature() -> None:
    first, second = judged(signed(2)).signers
    assert f"{len(signed(1).pdf_bytes):,} bytes" in first.covers
    assert "later signatures" in first.covers
    assert f"{len(signed(2).pdf_bytes):,} bytes of the PDF, which is all of it" in second.covers


def test_the_answer_can_be_written_as_json() -> None:
    assert json.loads(json.dumps(plain(judged(signed(2)))))["signers"][1]["certificate"]["name"] == "Bob"


def test_a_record_whose_signers_are_trusted_here_is_trusted() -> None:
    everyone = trusted(*people())
    assert judged(signed(3), trust=everyone).verdict == "trusted"
    some = judged(signed(3), trust=trusted(people()[0]))
    assert (some.verdict, [s.trusted for s in some.signers]) == ("unchanged", [True, False, False])
    assert "Bob and Cleo" in some.sentence


def test_words_and_conditions_are_kept_as_typed() -> None:
    said = {"comment": '#read("/etc/passwd") <script> =cmd \u202e', "conditions": ("review in May", "")}
    found = judged(sign(typeset(), people()[0], **said))
    assert (found.signers[0].comment, found.signers[0].conditions) == (said["comment"], said["conditions"])


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.text(min_size=1, max_size=60), st.text(min_size=1, max_size=60))
def test_any_role_and_verdict_is_signed_and_accepted_or_refused_by_name(role: str, verdict: str) -> None:
    try:
        record = sign(typeset(), people()[0], role, verdict=verdict)
    except InvalidInput:
        assert not all(text.strip() and text.isprintable() for text in (role, verdict))
        return
    signer = judged(record).signers[0]
    assert (signer.role, signer.verdict) == (role, verdict)


def test_signing_and_verifying_open_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    authority, root = _authority()
    record = sign(typeset(), person("Erin", issuer=(authority, root)))
    assert judged(record, trust=_trust_of(root)).verdict == "trusted"


def test_signing_works_off_the_main_thread() -> None:
    done: list[Verification] = []
    worker = threading.Thread(target=lambda: done.append(judged(sign(typeset(), people()[0]))))
    worker.start()
    worker.join()
    assert done[0].ok


# --------------------------------------------------------------------------------- trust by authority


def _authority(name: str = "County CA", **options: Any) -> tuple[Any, x509.Certificate]:
    key = ec.generate_private_key(ec.SECP256R1())
    return key, certificate(key, name, authority=True, ends=NOW + 3650 * DAY, begins=NOW - 3650 * DAY, **options)


def _trust_of(*roots: x509.Certificate) -> Trust:
    return read_trust(files=tuple(root.public_bytes(Encoding.PEM) for root in roots))


def test_a_certificate_issued_by_an_authority_trusted_here_is_trusted() -> None:
    key, root = _authority()
    record = sign(typeset(), person("Erin", issuer=(key, root)))
    assert judged(record).signers[0].standing == "unknown_issuer"
    found = judged(record, trust=_trust_of(root))
    assert found.verdict == "trusted"
    assert "County CA" in found.signers[0].why
    assert any("revocation" in note for note in found.signers[0].notes)
    _, stranger = _authority("Other CA")
    assert judged(record, trust=_trust_of(stranger)).verdict == "unchanged"


def test_a_chain_of_authorities_is_followed() -> None:
    top_key, top = _authority("Top CA")
    middle_key, middle = _authority("Middle CA", issuer=(top_key, top))
    record = sign(typeset(), person("Erin", issuer=(middle_key, middle)))
    assert judged(record, trust=_trust_of(top)).verdict == "trusted"
    assert judged(record, trust=_trust_of(middle)).verdict == "trusted"


def test_a_person_trusted_here_cannot_vouch_for_another() -> None:
    ann_key = ec.generate_private_key(ec.SECP256R1())
    ann = person("Ann", ann_key)
    forged_bob = person("Bob", issuer=(ann_key, x509.load_der_x509_certificate(ann.chain[0])))
    record = sign(typeset(), forged_bob)
    assert judged(record, trust=trusted(ann)).verdict == "unchanged"
    assert not judged(record, trust=trusted(ann)).signers[0].trusted


def test_an_authority_that_bears_the_right_name_with_another_key_is_not_trusted() -> None:
    _, root = _authority()
    false_key, false_root = _authority()
    record = sign(typeset(), person("Erin", issuer=(false_key, false_root)))
    assert not judged(record, trust=_trust_of(root)).signers[0].trusted


def test_an_authority_that_had_expired_at_signing_does_not_vouch() -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    root = certificate(key, "Old CA", authority=True, begins=NOW - 900 * DAY, ends=NOW - DAY)
    assert not judged(sign(typeset(), person("Erin", issuer=(key, root))), trust=_trust_of(root)).signers[0].trusted


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
def test_a_certificate_not_valid_at_the_stated_time_is_refused(
    identity: Identity, standing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SigningProblem, match="stated time"):
        sign(typeset(), identity)
    record = _signed_without_checks(identity, monkeypatch)
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


def test_a_certificate_not_made_for_signing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    sealer = person("Sealer", signs=False)
    with pytest.raises(SigningProblem, match="key usage"):
        sign(typeset(), sealer)
    assert judged(_signed_without_checks(sealer, monkeypatch), trust=trusted(sealer)).verdict == "refused"


def _signed_without_checks(
    identity: Identity, monkeypatch: pytest.MonkeyPatch, before: Any = None, role: str = "proposes"
) -> SignedRecord:
    from dpwizard.signing import signing

    with monkeypatch.context() as patch:
        patch.setattr(Identity, "require_usable", lambda *_: None)
        patch.setattr(signing, "_require_accepted", lambda *_: None)
        patch.setattr(signing, "_require_unchanged", lambda *_: None)
        return sign(before or typeset(), identity, role)


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


# ------------------------------------------------------------------------------- people and order


def test_proposer_and_approver_must_hold_different_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SigningProblem, match="proposes and approves"):
        sign(signed(1), people()[0], "approves")
    twice = _signed_without_checks(people()[0], monkeypatch, signed(1), "approves")
    assert judged(twice, trust=trusted(people()[0])).verdict == "refused"
    assert sign(signed(1), people()[0], "advises").jws_text.count("\n") == 2


def test_nothing_changed_can_be_signed_further() -> None:
    record, other = signed(1), JSON.replace(b"2.19", b"2.29")
    attempts: list[Callable[[], Any]] = [
        lambda: sign(record, people()[1], "approves", json_bytes=other),
        lambda: sign(typeset(), people()[1], json_bytes=other),
        lambda: sign(SignedRecord(pdf_bytes=record.pdf_bytes + b"\n", jws_text=record.jws_text), people()[1]),
        lambda: sign(SignedRecord(pdf_bytes=record.pdf_bytes, jws_text=""), people()[1]),
        lambda: sign(SignedRecord(pdf_bytes=typeset(), jws_text=record.jws_text), people()[1]),
        lambda: sign(SignedRecord(pdf_bytes=record.pdf_bytes, jws_text=record.jws_text[:-2] + "\n"), people()[1]),
        lambda: sign(SignedRecord(pdf_bytes=record.pdf_bytes, jws_text="junk"), people()[1]),
        lambda: sign(b"no PDF", people()[0]),
        lambda: sign(typeset(b"{}"), people()[0]),
    ]
    for attempt in attempts:
        with pytest.raises((SigningProblem, FileProblem)):
            attempt()


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"role": ""}, "role"),
        ({"role": "two\nlines"}, "role"),
        ({"role": "x" * 1001}, "role"),
        ({"role": 5}, "role"),
        ({"verdict": " "}, "verdict"),
        ({"comment": "x" * 100_001}, "comment"),
        ({"comment": None}, "comment"),
        ({"comment": "half \ud800"}, "comment"),
        ({"conditions": ("x",) * 101}, "conditions"),
        ({"conditions": (1,)}, "conditions"),
        ({"time_source": None}, "time_source"),
    ],
)
def test_words_that_cannot_be_signed_are_refused_by_name(change: dict[str, Any], where: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        sign(typeset(), people()[0], **{"role": "proposes", **change})
    assert where in refusal.value.where


def test_a_record_takes_no_more_signatures_than_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    from dpwizard.signing import signing

    monkeypatch.setattr(signing, "MOST_LINES", 2)
    with pytest.raises(SigningProblem, match="at most 2"):
        sign(signed(2), people()[2], "advises")


# ----------------------------------------------------------------------------- when files are missing


def test_each_set_of_files_says_what_could_not_be_checked() -> None:
    record = signed(2)
    files: dict[str, Any] = {"json": JSON, "pdf": record.pdf_bytes, "jws": record.jws_text}
    expected = {
        ("pdf",): "unchanged",
        ("json", "pdf"): "unchanged",
        ("json", "jws"): "unchanged",
        ("pdf", "jws"): "unchanged",
        ("jws",): "incomplete",
        ("json",): "incomplete",
    }
    for at_hand, verdict in expected.items():
        found = verify_record(*(files[name] if name in at_hand else None for name in files))
        assert found.verdict == verdict
        assert found.missing == tuple(name for name in files if name not in at_hand)
        assert not found.complete
        assert "Not given, so not checked" in found.sentence
        assert all(f.why.startswith("not checked: ") for f in found.findings if f.ok is None)
        assert any(f.ok is None for f in found.findings)
    with pytest.raises(InvalidInput):
        verify_record(None, None, None)


def test_the_pdf_alone_still_names_its_signers_and_their_roles() -> None:
    found = verify_record(None, signed(2).pdf_bytes, None, trust=trusted(*people()))
    assert [(s.name, s.role, s.verdict, s.time_source, s.trusted) for s in found.signers] == [
        ("Ann Müller", "proposes", "approve", None, True),
        ("Bob", "approves", "approve", None, True),
    ]
    assert found.verdict == "trusted"


def test_without_the_json_file_the_attached_one_is_held_against_the_signed_hash() -> None:
    found = verify_record(None, signed(1).pdf_bytes, signed(1).jws_text)
    assert [f.ok for f in found.findings if f.check == "attachment"] == [True]


def test_what_was_never_signed_is_called_unsigned() -> None:
    for files in ((JSON, typeset(), ""), (JSON, typeset(), None), (None, typeset(), None), (JSON, None, "")):
        found = verify_record(*files)
        assert (found.verdict, found.ok, found.signers) == ("unsigned", False, ())


# --------------------------------------------------------------------------------- stripped and swapped


def test_stripped_and_swapped_parts_are_found() -> None:
    one, two = signed(1), signed(2)
    first, second = two.jws_text.splitlines(keepends=True)
    stranger = sign(typeset(), person("Mallory"), "approves")
    other_json = JSON.replace(b"2.19", b"2.91")
    other = sign(typeset(other_json), people()[0], json_bytes=other_json)
    for files in (
        (JSON, two.pdf_bytes, ""),  # every line stripped
        (JSON, two.pdf_bytes, first),  # the last line stripped
        (JSON, two.pdf_bytes, second),  # the first line stripped
        (JSON, two.pdf_bytes, second + first),  # in another order
        (JSON, two.pdf_bytes, first + first),
        (JSON, two.pdf_bytes, first + second + second),
        (JSON, one.pdf_bytes, first + second),  # a signature stripped from the PDF
        (JSON, typeset(), first + second),  # every signature stripped from the PDF
        (JSON, typeset(), first),
        (JSON, two.pdf_bytes + b"\n", first + second),
        (JSON, stranger.pdf_bytes, first),
        (JSON, one.pdf_bytes, stranger.jws_text),
        (other_json, two.pdf_bytes, first + second),
        (JSON, other.pdf_bytes, other.jws_text),
        (other_json, other.pdf_bytes, first),
        (JSON, two.pdf_bytes, first + second[:-1]),  # the last line break
        (JSON, two.pdf_bytes, first + "\n" + second),
        (JSON, two.pdf_bytes, first + second + "\n"),
        (b"", two.pdf_bytes, first + second),
        (JSON, b"", first + second),
    ):
        found = verify_record(*files)
        assert found.verdict == "changed"
        assert not found.ok


def test_a_pdf_with_another_json_attached_is_found_although_genuinely_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A first signer who typesets one thing and attaches another: every signature is genuine, the files disagree."""
    from dpwizard.signing import signing

    other = JSON.replace(b"2.19", b"9.99")
    with monkeypatch.context() as patch:
        patch.setattr(signing, "_require_accepted", lambda *_: None)
        patch.setattr(signing, "_require_unchanged", lambda *_: None)
        record = sign(typeset(other), people()[0])
    found = judged(record)
    assert (found.verdict, [f.check for f in found.findings if f.ok is False and f.check != "trust"]) == (
        "changed",
        ["attachment"],
    )


@pytest.mark.parametrize(
    "change",
    [
        {"time": "2026-03-01T12:00:01Z"},
        {"role": "approves"},
        {"verdict": "reject"},
        {"previous": "0" * 64},
        {"pdf_bytes": 5},
    ],
)
def test_a_line_that_says_otherwise_than_the_pdf_is_found_although_genuinely_signed(change: dict[str, Any]) -> None:
    header, payload = parts(signed(1).jws_text.strip())
    assert judged(SignedRecord(pdf_bytes=signed(1).pdf_bytes, jws_text=forged(people()[0], header, payload) + "\n")).ok
    line = forged(people()[0], header, {**payload, **change})
    assert judged(SignedRecord(pdf_bytes=signed(1).pdf_bytes, jws_text=line + "\n")).verdict == "changed"


def test_a_line_by_another_person_than_the_pdfs_signer_is_found() -> None:
    import base64

    mallory = person("Ann Müller")  # the same name, another key
    header, payload = parts(signed(1).jws_text.strip())
    header["x5c"] = [base64.b64encode(mallory.chain[0]).decode()]
    found = judged(SignedRecord(pdf_bytes=signed(1).pdf_bytes, jws_text=forged(mallory, header, payload) + "\n"))
    assert found.verdict == "changed"
    assert "different certificates" in found.sentence


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.none() | st.binary(max_size=300),
    st.none() | st.binary(max_size=300),
    st.none() | st.binary(max_size=300) | st.text(max_size=99),
)
def test_whatever_the_bytes_there_is_an_answer(
    json_bytes: bytes | None, pdf: bytes | None, jws: str | bytes | None
) -> None:
    if json_bytes is pdf is jws is None:
        return
    found = verify_record(json_bytes, pdf, jws)
    assert not found.ok
    assert found.sentence


def test_hundreds_of_certificates_in_a_line_do_not_slow_it_down() -> None:
    header, payload = parts(signed(1).jws_text.strip())
    line = forged(people()[0], {**header, "x5c": header["x5c"] * 600}, payload)
    assert judged(SignedRecord(pdf_bytes=signed(1).pdf_bytes, jws_text=line + "\n")).verdict == "changed"


def test_neither_key_nor_passphrase_is_in_any_file_that_signing_writes() -> None:
    made = create_identity(name="Ann", passphrase=PASSPHRASE, now=NOW - DAY)
    identity = open_identity(pkcs12=made, passphrase=PASSPHRASE)
    record = sign(typeset(), identity)
    secret = identity._key.private_numbers().private_value
    hidden = [
        secret.to_bytes(32, "big"),
        secret.to_bytes(32, "big").hex().encode(),
        str(secret).encode(),
        PASSPHRASE.encode(),
        b"PRIVATE KEY",
    ]
    for content in (
        record.pdf_bytes,
        record.pdf_bytes.lower(),
        record.jws_text.encode(),
        made,
        identity.certificate_pem(),
    ):
        assert not any(text in content for text in hidden)


@pytest.mark.slow
def test_many_valid_records_by_several_people_are_all_called_valid() -> None:
    """Sixty records by five identities with one to three signers."""
    everyone = (
        *people(),
        person("Dora", ec.generate_private_key(ec.SECP521R1())),
        person("Emil", rsa.generate_private_key(65537, 3072)),
    )
    for number in range(60):
        record: SignedRecord | bytes = typeset()
        for place in range(1 + number % 3):
            who = everyone[(number + place) % 5]
            record = sign(
                record, who, ("proposes", "approves", "advises")[place], time=NOW + timedelta(seconds=number + place)
            )
        assert isinstance(record, SignedRecord)
        assert judged(record, trust=trusted(*everyone), now=NOW + DAY).verdict == "trusted"


def test_importing_the_module_loads_no_signing_library() -> None:
    heavy = ("pyhanko", "joserfc", "cryptography", "asn1crypto", "aiohttp", "rfc8785", "scipy")
    script = f"import sys, dpwizard.signing.signing; print([m for m in {heavy!r} if m in sys.modules])"
    root = Path(__file__).parents[2]
    said = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=root, timeout=60
    )
    assert said.stdout.strip() == "[]"


def test_sign_record_takes_named_arguments_and_errors_are_the_programs_own() -> None:
    with pytest.raises(DPWizardError):
        sign_record(
            json_bytes=b"",
            pdf_bytes=b"",
            identity=people()[0],
            role="proposes",
            verdict="approve",
            time=NOW,
            time_source="x",
            jws_text=b"\xff",
        )
