"""The JSON of a record taken out of its PDF: only where the pages are those that it makes."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from dpwizard.base.errors import FileProblem, SigningProblem
from dpwizard.signing import remaking
from dpwizard.signing.bounded import Bounded
from dpwizard.signing.remaking import json_of, take_json_out
from tests.samples.signed_record import judged, signed


def stream(content: bytes) -> bytes:
    return b"%%PDF-1.7\n1 0 obj\n<<>>\nstream\n%s\nendstream\nendobj\n" % zlib.compress(content)


def test_json_of_a_signed_pdf_is_that_of_its_file(tmp_path: Path) -> None:
    place = signed(tmp_path)
    data = place.json.read_bytes()
    place.json.rename(tmp_path / "kept")
    found = judged(place)
    assert (found.outcome, found.sentence) == (
        "undetermined",
        "Nothing can be said: the JSON file r.json is missing.",
    )
    assert "the PDF alone gives its JSON" in found.remedy
    copy = tmp_path / "mail attachment.pdf"
    place.pdf.rename(copy)
    assert take_json_out(copy).json == place.json
    assert place.json.read_bytes() == data
    with pytest.raises(FileProblem, match="exists already"):
        take_json_out(copy)
    with pytest.raises(FileProblem, match="does not exist"):
        take_json_out(place.pdf)
    with pytest.raises(FileProblem, match="is no PDF of a record"):
        take_json_out(tmp_path / "mail.txt")


def test_record_that_another_pdf_carries_is_not_taken_for_its_own(tmp_path: Path) -> None:
    place = signed(tmp_path)
    data, pdf = place.json.read_bytes(), place.pdf.read_bytes()
    for hostile in (stream(data), pdf.replace(b"/Title(", b"/TitlE(", 1), pdf[: len(pdf) // 2], b"", b"x" + pdf):
        with pytest.raises(SigningProblem, match="holds no record"):
            json_of(hostile)


def test_bomb_and_many_records_end_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[bytes] = []
    remade = remaking.remake_here

    def counted(data: bytes, lines: tuple[str, ...], process: Bounded | None = None) -> object:
        made.append(data)
        return remade(data, lines, process)

    data = signed(tmp_path).json.read_bytes()
    monkeypatch.setattr(remaking, "remake_here", counted)
    for hostile in (stream(bytes(50_000_000)) * 60, stream(data) * 50, b">>\nstream\n" * 1_000_000):
        with pytest.raises(SigningProblem, match="holds no record"):
            json_of(hostile)
    assert len(made) == remaking.MOST_RECORDS
