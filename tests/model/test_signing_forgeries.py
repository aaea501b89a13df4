"""The published attacks on PDF signatures, tried on a record: universal forgery, and shadow attacks that only redirect
what is shown."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from dpwizard.signing.signing import SignedRecord, verify_record
from tests.samples.signed_record import JSON, people, sign_unchecked, signed

RANGE = re.compile(rb"/ByteRange \[(\d+) (\d+) (\d+) (\d+)\]( *)")
CONTENTS = re.compile(rb"/Contents <([0-9A-F]+)>")


def ranges(write: Callable[[int, int, int, int], bytes]) -> Callable[[bytes], bytes]:
    """Return a change of the byte range that keeps every byte in its place."""

    def change(pdf: bytes) -> bytes:
        found = list(RANGE.finditer(pdf))[-1]
        text = write(*(int(number) for number in found.groups()[:4]))
        return (
            pdf[: found.start()]
            + text.ljust(found.end() - found.start())[: found.end() - found.start()]
            + pdf[found.end() :]
        )

    return change


def contents(write: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    def change(pdf: bytes) -> bytes:
        found = list(CONTENTS.finditer(pdf))[-1]
        return pdf[: found.start()] + write(found[0]).ljust(len(found[0]))[: len(found[0])] + pdf[found.end() :]

    return change


FORGERIES = {
    "no byte range": ranges(lambda *_: b""),
    "an empty byte range": ranges(lambda *_: b"/ByteRange []"),
    "a byte range of nothing": ranges(lambda *_: b"/ByteRange [0 0 0 0]"),
    "a null byte range": ranges(lambda *_: b"/ByteRange null"),
    "a negative byte range": ranges(lambda a, b, c, d: b"/ByteRange [0 %d -1 %d]" % (b, d)),
    "a byte range that leaves out the end": ranges(lambda a, b, c, d: b"/ByteRange [0 %d %d %d]" % (b, c, d - 20)),
    "a byte range that leaves out the beginning": ranges(lambda a, b, c, d: b"/ByteRange [9 %d %d %d]" % (b - 9, c, d)),
    "a byte range in another order": ranges(lambda a, b, c, d: b"/ByteRange [%d %d 0 %d]" % (c, d, b)),
    "a byte range with a wider gap": ranges(lambda a, b, c, d: b"/ByteRange [0 %d %d %d]" % (b - 50, c, d)),
    "a byte range under another name": ranges(lambda a, b, c, d: b"/ByteRanje [0 %d %d %d]" % (b, c, d)),
    "no contents": contents(lambda whole: b""),
    "empty contents": contents(lambda whole: b"/Contents <>"),
    "null contents": contents(lambda whole: b"/Contents null"),
    "contents of zeros": contents(lambda whole: b"/Contents <" + b"0" * (len(whole) - 12) + b">"),
    "contents as text": contents(lambda whole: b"/Contents (" + whole[11:-1] + b")"),
    "contents under another name": contents(lambda whole: b"/Kontents" + whole[9:]),
}


@pytest.mark.parametrize("what", FORGERIES)
def test_a_universal_forgery_is_found_in_the_pdf_alone_and_beside_its_lines(what: str) -> None:
    for count in (1, 2):
        forged = FORGERIES[what](signed(count).pdf_bytes)
        assert forged != signed(count).pdf_bytes
        assert len(forged) == len(signed(count).pdf_bytes)
        assert verify_record(None, forged, None).verdict in ("changed", "unsigned")
        assert verify_record(JSON, forged, signed(count).jws_text).verdict == "changed"


def redirected(pdf: bytes) -> bytes:
    """Return PDF with an appended table that shows object 5 in place of another, and adds no object (hide and
    replace)."""
    places = {int(found[1]): found.start(1) for found in re.finditer(rb"(?<=\n)(\d+) 0 obj", pdf)}
    hidden, shown = sorted(places)[2], sorted(places)[4]
    root = re.findall(rb"/Root (\d+ 0 R)", pdf)[-1]
    before = int(re.findall(rb"startxref\s+(\d+)", pdf)[-1])
    table = b"xref\n%d 1\n%010d 00000 n \n" % (hidden, places[shown])
    end = b"trailer\n<</Size %d/Root %s/Prev %d>>\nstartxref\n%d\n%%%%EOF\n" % (max(places) + 1, root, before, len(pdf))
    return pdf + table + end


def test_a_shadow_attack_that_only_redirects_an_object_is_found() -> None:
    attacked = redirected(signed(1).pdf_bytes)
    assert verify_record(None, attacked, None).verdict == "changed"
    assert verify_record(JSON, attacked, signed(1).jws_text).verdict == "changed"


def test_the_same_under_a_later_genuine_signature_is_found() -> None:
    before = SignedRecord(pdf_bytes=redirected(signed(1).pdf_bytes), jws_text=signed(1).jws_text)
    attacked = sign_unchecked(before, people()[1], "approves")
    assert verify_record(None, attacked.pdf_bytes, None).verdict == "changed"
    assert verify_record(JSON, attacked.pdf_bytes, attacked.jws_text).verdict == "changed"
