"""One signature line: made, read, and refused where it is not of the one form."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.asymmetric import ec, padding
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.errors import InvalidInput, SigningProblem
from dpwizard.base.values import read
from dpwizard.signing.signature import KIND, Line, read_signature, sign_line
from tests.samples.signed_record import (
    canonical,
    forged,
    parts,
    people,
    person,
    private_key,
    signed,
    unwrapped,
    wrapped,
)

STATED: dict[str, Any] = {
    "role": "proposes",
    "verdict": "approve",
    "comment": "über 4.012 \u2028 \U0001f600",
    "conditions": ["review in May"],
    "time": "2026-03-01T12:00:00Z",
    "time_source": "signer",
    "json_sha256": "0" * 64,
    "pdf_sha256": "f" * 64,
    "pdf_signature": "AAAA",
    "pdf_bytes": 12345,
    "previous": None,
}


@pytest.mark.parametrize(("which", "algorithm"), [(0, "ES256"), (1, "PS256"), (2, "ES384"), (3, "ES512")])
def test_a_line_made_here_reads_back_with_the_key_fitting_algorithm(which: int, algorithm: str) -> None:
    stated = read(Line, STATED)
    who = (*people(), person("Dora", ec.generate_private_key(ec.SECP521R1())))[which]
    line = sign_line(who, stated)
    found = read_signature(line)
    assert (found.line, found.chain) == (stated, who.chain)
    assert parts(line)[0]["alg"] == algorithm


def test_the_payload_is_written_as_rfc_8785_says() -> None:
    payload = unwrapped(sign_line(people()[0], read(Line, STATED)).split(".")[1])
    assert payload == canonical(STATED)
    assert payload.startswith(b'{"comment":"\xc3\xbcber 4.012 \xe2\x80\xa8 ')


def test_the_strings_of_rfc_8785_come_out_as_it_prints_them() -> None:
    # section 3.2.2 of the RFC: control characters, quotes and slashes; nothing else is escaped
    stated = {**STATED, "comment": "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/\u007f"}
    payload = unwrapped(sign_line(people()[0], read(Line, stated)).split(".")[1])
    assert payload.startswith(b'{"comment":"\xe2\x82\xac$\\u000f\\nA\'B\\"\\\\\\\\\\"/\x7f","conditions":')


def header(who: int = 0, **changes: Any) -> dict[str, Any]:
    said = {
        "alg": "ES256",
        "typ": KIND,
        "x5c": [base64.b64encode(d).decode() for d in people()[who].chain],
    }
    return {**said, **changes}


def test_the_forger_of_these_tests_can_make_a_line_that_is_accepted() -> None:
    assert read_signature(forged(people()[0], header(), STATED)).line.role == "proposes"
    assert read_signature(forged(people()[1], header(1, alg="PS256"), STATED)).line.role == "proposes"


def _spaced(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True).encode()


BAD_HEADERS: dict[str, Any] = {
    "algorithm none": header(alg="none"),
    "algorithm None in capitals": header(alg="NONE"),
    "a keyed hash": header(alg="HS256"),
    "an algorithm of another key": header(alg="PS256"),
    "another curve": header(alg="ES384"),
    "an unknown algorithm": header(alg="XX1"),
    "an algorithm that is no text": header(alg=["ES256"]),
    "a member more": header(kid="1"),
    "a critical extension": header(crit=["b64"], b64=False),
    "a key beside the certificate": header(jwk={"kty": "EC"}),
    "another type": header(typ="JOSE"),
    "no certificate": header(x5c=[]),
    "certificates that are no list": header(x5c="MIIB"),
    "a certificate that is no text": header(x5c=[1]),
    "no base64": header(x5c=["*"]),
    "no certificate inside": header(x5c=["AAAA"]),
    "a line break in the certificate": header(x5c=[base64.b64encode(people()[0].chain[0]).decode() + "\n"]),
    "too many certificates": header(x5c=header()["x5c"] * 11),
    "a list": [1],
    "a number": b"1",
    "no JSON": b"{",
    "half a character": b'{"alg":"\\ud800"}',
    "not UTF-8": b"\xff\xfe{\x00}\x00",
    "blanks": _spaced(header()),
    "a key twice": canonical(header()).replace(b'{"alg"', b'{"alg":"ES256","alg"'),
    "nested too deep": b"[" * 100_000,
}


@pytest.mark.parametrize("what", list(BAD_HEADERS))
def test_a_header_of_another_form_is_refused_although_genuinely_signed(what: str) -> None:
    with pytest.raises(SigningProblem):
        read_signature(forged(people()[0], BAD_HEADERS[what], STATED))


BAD_PAYLOADS: dict[str, Any] = {
    "blanks": _spaced(STATED),
    "another order": json.dumps(STATED, separators=(",", ":"), ensure_ascii=False).encode(),
    "escapes": canonical(STATED).replace(b"proposes", b"propose\\u0073"),
    "a key twice": canonical(STATED)[:-1] + b',"verdict":"reject"}',
    "a member more": {**STATED, "note": ""},
    "a member less": {k: v for k, v in STATED.items() if k != "time_source"},
    "a fraction": canonical(STATED).replace(b"12345", b"12345.0"),
    "a negative size": {**STATED, "pdf_bytes": -1},
    "a huge size": canonical(STATED).replace(b"12345", b"9" * 5000),
    "an infinite size": canonical(STATED).replace(b"12345", b"1e999"),
    "truth for a number": {**STATED, "pdf_bytes": True},
    "a short hash": {**STATED, "json_sha256": "0" * 63},
    "a hash in capitals": {**STATED, "pdf_sha256": "F" * 64},
    "a hash with a line break": {**STATED, "pdf_sha256": "f" * 64 + "\n"},
    "a day that does not exist": {**STATED, "time": "2026-02-30T12:00:00Z"},
    "a time with an offset": {**STATED, "time": "2026-03-01T12:00:00+01:00"},
    "other digits": {**STATED, "time": "２０２６-03-01T12:00:00Z"},
    "conditions that are no list": {**STATED, "conditions": "none"},
    "null for text": {**STATED, "comment": None},
    "a verdict nobody knows": {**STATED, "verdict": "acclaim"},
    "a source of time nobody knows": {**STATED, "time_source": "a court"},
    "a signature in the PDF that is no base64": {**STATED, "pdf_signature": "*"},
    "another spelling of its base64": {**STATED, "pdf_signature": "AAB="},
    "no signature in the PDF": {**STATED, "pdf_signature": ""},
    "no object": [],
}


@pytest.mark.parametrize("what", list(BAD_PAYLOADS))
def test_a_payload_of_another_form_is_refused_although_genuinely_signed(what: str) -> None:
    with pytest.raises(SigningProblem):
        read_signature(forged(people()[0], header(), BAD_PAYLOADS[what]))


def test_a_line_signed_with_none_or_with_the_public_key_as_a_secret_is_refused() -> None:
    good = forged(people()[0], header(), STATED)
    payload = good.split(".")[1]
    none = f"{wrapped(canonical(header(alg='none')))}.{payload}."
    assert good != none
    with pytest.raises(SigningProblem):
        read_signature(none)
    message = f"{wrapped(canonical(header(alg='HS256')))}.{payload}"
    keyed = hmac.HMAC(people()[0].certificate_pem(), hashes.SHA256())
    keyed.update(message.encode())
    with pytest.raises(SigningProblem):
        read_signature(f"{message}.{wrapped(keyed.finalize())}")


def test_a_signature_by_another_key_than_the_certificates_is_refused() -> None:
    with pytest.raises(SigningProblem, match="not made with its certificate"):
        read_signature(forged(person("Mallory"), header(), STATED))


@pytest.mark.parametrize("which", range(3))
def test_another_spelling_of_the_same_base64_is_refused(which: int) -> None:
    line = forged(people()[0], header(), {**STATED, "comment": ""})
    pieces = line.split(".")
    raw = unwrapped(pieces[which])
    spellings = [
        pieces[which] + "=",
        pieces[which] + "==",
        pieces[which] + "A",
        " " + pieces[which],
        pieces[which][:-1],
    ]
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    spellings += [
        pieces[which][:-1] + c for c in alphabet if unwrapped(pieces[which][:-1] + c) == raw and c != pieces[which][-1]
    ]
    for spelling in spellings:
        with pytest.raises(SigningProblem):
            read_signature(".".join([*pieces[:which], spelling, *pieces[which + 1 :]]))


@pytest.mark.parametrize("text", ["", "a", "a.b", "a.b.c.d", "..", ". .", "é.b.c", "A" * 1_100_000, "{}", "\0.\0.\0"])
def test_a_text_that_is_no_signature_is_refused(text: str) -> None:
    with pytest.raises(SigningProblem):
        read_signature(text)


@pytest.mark.slow
@given(
    st.one_of(
        st.text(max_size=200),
        st.builds(".".join, st.lists(st.binary(max_size=60).map(wrapped), min_size=3, max_size=3)),
    )
)
def test_no_text_gets_past_the_reader_or_breaks_it(text: str) -> None:
    with pytest.raises(SigningProblem):
        read_signature(text)


@given(st.text(max_size=80), st.lists(st.text(max_size=20), max_size=4))
def test_any_words_are_signed_as_they_are_or_refused_in_words(comment: str, conditions: list[str]) -> None:
    stated = read(Line, {**STATED, "comment": comment, "conditions": conditions})
    try:
        line = sign_line(people()[0], stated)
    except InvalidInput:
        assert any("\ud800" <= c <= "\udfff" for c in comment + "".join(conditions))
        return
    found = read_signature(line).line
    assert (found.comment, list(found.conditions)) == (comment, conditions)


def test_each_line_of_a_record_carries_its_certificates_and_the_hash_of_the_line_before(tmp_path: Path) -> None:
    place = signed(tmp_path, 3)
    lines = [place.line(number).read_text() for number in (1, 2, 3)]
    for line, who in zip(lines, people(), strict=True):
        assert [base64.b64decode(text) for text in parts(line)[0]["x5c"]] == list(who.chain)
    assert parts(lines[0])[1]["previous"] is None
    assert len({parts(line)[1]["previous"] for line in lines}) == 3


def test_a_line_by_rs256_is_read_too() -> None:
    """The program signs PS256 with an RSA key; an agency's token may know RS256 only."""
    message = f"{wrapped(canonical(header(1, alg='RS256')))}.{wrapped(canonical(STATED))}"
    signature = private_key(people()[1]).sign(message.encode(), padding.PKCS1v15(), hashes.SHA256())
    assert read_signature(f"{message}.{wrapped(signature)}").line.role == "proposes"
