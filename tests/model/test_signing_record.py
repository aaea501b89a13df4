"""The three files of a record signed and judged together: who, when, trusted or not, and what cannot be said."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from hypothesis import given, settings
from hypothesis import strategies as st

from dpwizard.errors import DPWizardError, FileProblem, InvalidInput, SigningProblem
from dpwizard.signing.signing import (
    CHECKS,
    SignedRecord,
    Verification,
    create_identity,
    open_identity,
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
    an_authority,
    forged,
    judged,
    parts,
    people,
    person,
    sign,
    sign_unchecked,
    signed,
    trust_in,
    trusted,
    typeset,
)

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


@pytest.mark.slow
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
    authority, root = an_authority()
    record = sign(typeset(), person("Erin", issuer=(authority, root)))
    assert judged(record, trust=trust_in(root)).verdict == "trusted"


def test_signing_works_off_the_main_thread() -> None:
    done: list[Verification] = []
    worker = threading.Thread(target=lambda: done.append(judged(sign(typeset(), people()[0]))))
    worker.start()
    worker.join()
    assert done[0].ok


# ------------------------------------------------------------------------------- people and order


def test_proposer_and_approver_must_hold_different_certificates() -> None:
    with pytest.raises(SigningProblem, match="proposes and approves"):
        sign(signed(1), people()[0], "approves")
    twice = sign_unchecked(signed(1), people()[0], "approves")
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


@pytest.mark.slow
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
    """Thirty records by five identities with one to three signers."""
    everyone = (
        *people(),
        person("Dora", ec.generate_private_key(ec.SECP521R1())),
        person("Emil", rsa.generate_private_key(65537, 3072)),
    )
    for number in range(30):
        record: SignedRecord | bytes = typeset()
        for place in range(1 + number % 3):
            who = everyone[(number + place) % 5]
            record = sign(
                record, who, ("proposes", "approves", "advises")[place], time=NOW + timedelta(seconds=number + place)
            )
        assert isinstance(record, SignedRecord)
        assert judged(record, trust=trusted(*everyone), now=NOW + DAY).verdict == "trusted"


@pytest.mark.slow
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
