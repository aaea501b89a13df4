"""What was changed, swapped, stripped or left away after a record was signed is found."""

from __future__ import annotations

from typing import Any

import pytest

from dpwizard.errors import InvalidInput
from dpwizard.signing.signing import (
    SignedRecord,
    verify_record,
)
from tests.samples.signed_record import (
    JSON,
    forged,
    judged,
    parts,
    people,
    person,
    sign,
    sign_unchecked,
    signed,
    trusted,
    typeset,
)

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


def test_a_pdf_with_another_json_attached_is_found_although_genuinely_signed() -> None:
    """A first signer who typesets one thing and attaches another: every signature is genuine, the files disagree."""
    record = sign_unchecked(typeset(JSON.replace(b"2.19", b"9.99")), people()[0])
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
