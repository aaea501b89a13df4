"""The letterhead of a record: set small above page one, said to be a claim, and no way in for a hostile picture."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest

from dpwizard.base import png
from dpwizard.base.errors import InvalidInput
from dpwizard.decision import Decision, letterhead_of, read_decision
from dpwizard.records import Record, make, office_settings
from dpwizard.report import document
from dpwizard.report.notice import notice_html, notice_pdf
from dpwizard.report.pdf_objects import page_count
from tests.samples.decisions import STATED, example
from tests.samples.pictures import picture, piece

CLAIM = "Letterhead as the signers chose it, checked by nobody"


HUGE = struct.pack(">IIBB", 2**31 - 1, 2**31 - 1, 8, 6) + b"\0\0\0"
HOSTILE = {
    "nothing": b"",
    "a drawing renamed": b'<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>',
    "a photograph renamed": b"\xff\xd8\xff\xe0" + bytes(100),
    "huge dimensions": png.SIGNATURE + piece(b"IHDR", HUGE) + piece(b"IDAT", zlib.compress(b"")) + piece(b"IEND", b""),
    "too wide": picture(2_001, 1),
    "too high": picture(1, 1_001),
    "no pixels": picture(0, 3),
    "a bomb": picture(2_000, 1_000, rows=bytes(40_000_000)),
    "fewer pixels than it says": picture(rows=bytes(4)),
    "an unknown filter": picture(rows=b"\x07" + bytes(47)),
    "half a file": picture()[:-9],
    "something behind it": picture() + b"%PDF-1.7",
    "interlaced": picture(ways=b"\0\0\1"),
    "sixteen bits": picture(depth=16, colour=0),
    "a colour that is none": picture(colour=5),
    "colours that are not there": picture(depth=1, colour=3),
    "two pictures": picture(between=piece(b"IHDR", HUGE)),
    "too large": picture(between=piece(b"tEXt", bytes(70_000))),
}


def with_letterhead(**changed: Any) -> Decision:
    made = letterhead_of("County of Durham", ("12 Main Street, Durham", "www.example.org"), picture(400, 100))
    return read_decision(example("durham")).model_copy(update={"letterhead": made, **changed})


def recorded(decision: Decision) -> Record:
    return make(decision, STATED, name="r")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_picture_is_refused_as_a_file_and_in_a_decision(name: str) -> None:
    data = HOSTILE[name]
    with pytest.raises(InvalidInput, match=r"PNG|64 kB|pixels|picture"):
        letterhead_of("County", (), data)
    raw = {**example("durham"), "letterhead": {"name": "County", "logo": base64.b64encode(data).decode("ascii")}}
    with pytest.raises(InvalidInput) as found:
        read_decision(raw)
    assert found.value.where == "$.letterhead.logo"


@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"name": ""},
        {"name": "a\u202eb"},
        {"name": "x" * 201},
        {"name": "x", "lines": ["a"] * 4},
        {"name": "x", "logo": "not base64!"},
        {"name": "x", "logo": "A" * 90_000},
        {"name": "x", "seal": "yes"},
    ],
)
def test_a_letterhead_is_read_strictly(raw: Any) -> None:
    with pytest.raises(InvalidInput) as found:
        read_decision({**example("durham"), "letterhead": raw})
    assert found.value.where.startswith("$.letterhead")


@pytest.mark.parametrize("colour", png.DEPTHS)
def test_every_kind_of_plain_picture_is_taken_without_what_is_no_picture(colour: int) -> None:
    for depth in png.DEPTHS[colour]:
        palette = piece(b"PLTE", b"\1\2\3") if colour == png.PALETTE else b""
        data = picture(depth=depth, colour=colour, between=piece(b"tEXt", b"Author\0Ada") + palette)
        made = png.plain(data)
        png.require_plain(made)
        assert b"Ada" not in made
        assert png.shape(made) == 5 / 3
        with pytest.raises(InvalidInput, match="exactly one picture"):
            png.require_plain(data)


def test_every_single_byte_of_a_picture_that_is_changed_is_found() -> None:
    data = picture(9, 4)
    for place in range(len(data)):
        changed = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        with pytest.raises(InvalidInput):
            png.require_plain(changed)


def test_record_and_notice_bear_the_letterhead_and_say_that_nobody_checked_it() -> None:
    made = recorded(with_letterhead())
    blocks = document.blocks(made)
    said = document.text(blocks)
    assert said.index("County of Durham") < said.index(CLAIM) < said.index("Privacy decision")
    assert " ".join(said.split()).count(CLAIM) == 2  # above page one, and among whose decision it is
    page = document.html(blocks, title="x")
    assert page.count("data:image/png;base64,") == 1
    assert 'alt="County of Durham"' in page
    assert "img-src data:" in page
    assert "img-src" not in document.html(blocks[1:], title="x")
    assert CLAIM in notice_html(made, "0" * 64)


def test_however_much_a_letterhead_claims_its_pages_stay_as_many_and_say_that_nobody_checked_it() -> None:
    most = letterhead_of("APPROVED " * 20, ("W" * 200, "人" * 200, "U\u0335" * 100), picture(1, 1_000))
    made = recorded(with_letterhead(letterhead=most))
    content = notice_pdf(made, "0" * 64)
    assert page_count(content) == 1
    raw = {**example("durham"), "letterhead": json.loads(most.model_dump_json())}
    assert read_decision(raw).letterhead == most


def test_an_office_sets_the_letterhead_of_new_decisions(tmp_path: Path) -> None:
    head = 'format = "dpwizard.office/1"\nname = "County"\n[letterhead]\nname = "County of Durham"\nlines = ["a, b"]\n'
    place = tmp_path / "office.toml"
    place.write_text(f'{head}logo = "logo.png"', "utf-8")
    assert "logo.png: does not exist" in str(office_settings.placed(tmp_path).problem)
    (tmp_path / "logo.png").write_bytes(HOSTILE["a drawing renamed"])
    assert "logo.png: is not a PNG picture" in str(office_settings.placed(tmp_path).problem)
    (tmp_path / "logo.png").write_bytes(picture())
    made = office_settings.placed(tmp_path).new_decision().letterhead
    assert (made.name, made.lines, made.picture) == ("County of Durham", ("a, b",), picture())
    for named in ("../logo.png", "/etc/passwd", "a/b.png", "C:\\\\logo.png", "..", ""):
        place.write_text(f'{head}logo = "{named}"', "utf-8")
        assert "must be the name of a file beside this one" in str(office_settings.placed(tmp_path).problem)
