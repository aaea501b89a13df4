"""The typeset record, looked at with other people's programs: pdfinfo, pdftotext, pdffonts, pdftoppm, pdfdetach, qpdf.

They come from Debian (poppler-utils, qpdf), which `make test` installs.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example as also
from hypothesis import given, settings
from hypothesis import strategies as st

from dpwizard.base.resource_files import resource
from dpwizard.records import read, write
from dpwizard.report import document as report
from tests.samples.decisions import example, hostile, recorded


def run(*command: str | Path) -> str:
    assert shutil.which(str(command[0])), f"{command[0]} is missing: install poppler-utils qpdf openssl"
    return subprocess.run([str(part) for part in command], capture_output=True, check=True, timeout=60).stdout.decode(
        "utf-8", "replace"
    )


def typeset(raw: dict[str, Any], folder: Path, **options: Any) -> tuple[Path, bytes]:
    made = recorded(raw, "durham")
    path = folder / "durham.pdf"
    path.write_bytes(report.typeset(made, **options))
    return path, write(made)


@pytest.fixture(scope="module")
def durham(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    return typeset(example("durham"), tmp_path_factory.mktemp("durham"))


@pytest.mark.slow
def test_it_is_tagged_titled_dated_and_of_a4(durham: tuple[Path, bytes]) -> None:
    info = run("pdfinfo", durham[0])
    assert re.search(r"Title: +Infant deaths in Durham County, 2020\n", info)
    assert re.search(r"Tagged: +yes", info)
    assert re.search(r"JavaScript: +no", info)
    assert "595.276 x 841.89 pts (A4)" in info
    assert "D:20261121120000Z" in run("pdfinfo", "-rawdates", durham[0])


def test_it_says_it_is_pdf_a_3a_and_pdf_ua_1(durham: tuple[Path, bytes]) -> None:
    metadata = run("pdfinfo", "-meta", durham[0])
    for claim in (
        "<pdfaid:part>3</pdfaid:part>",
        "<pdfaid:conformance>A</pdfaid:conformance>",
        "<pdfuaid:part>1</pdfuaid:part>",
    ):
        assert claim in metadata
    assert "<rdf:li>en</rdf:li>" in metadata


def test_qpdf_finds_no_fault_and_the_outline_names_the_sections(durham: tuple[Path, bytes]) -> None:
    assert "No syntax or stream encoding errors" in run("qpdf", "--check", durham[0])
    outline = [entry["title"] for entry in json.loads(run("qpdf", "--json", durham[0]))["outlines"]]
    assert outline[0] == "The protection chosen: epsilon about 2.19723"
    assert outline[-1] == "A5 How to check this record"


def test_every_figure_has_its_words_and_every_table_its_header(durham: tuple[Path, bytes]) -> None:
    objects = json.loads(run("qpdf", "--json", "--json-key=qpdf", durham[0]))["qpdf"][1]
    elements = [
        entry["value"] for entry in objects.values() if isinstance(entry.get("value"), dict) and "/S" in entry["value"]
    ]
    figures = [element for element in elements if element["/S"] == "/Figure"]
    assert len(figures) == 3
    assert all(len(figure.get("/Alt", "")) > 40 for figure in figures)
    kinds = [element["/S"] for element in elements]
    assert kinds.count("/Table") == kinds.count("/THead") > 4
    assert {"/H1", "/P", "/L", "/TH", "/TD"} <= set(kinds)


def test_the_attached_file_is_the_record_byte_for_byte(durham: tuple[Path, bytes], tmp_path: Path) -> None:
    assert "1: durham.json" in run("pdfdetach", "-list", durham[0])
    run("pdfdetach", "-save", "1", "-o", tmp_path / "attached.json", durham[0])
    assert (tmp_path / "attached.json").read_bytes() == durham[1]
    assert b"/AFRelationship/Source" in durham[0].read_bytes()


def test_only_the_bundled_and_embedded_fonts_are_used(durham: tuple[Path, bytes]) -> None:
    lines = run("pdffonts", durham[0]).splitlines()[2:]
    assert all(re.match(r"[A-Z]{6}\+(Inter|DejaVuSansMono)", line) for line in lines)
    assert all(re.search(r" yes +yes +yes ", line) for line in lines), "embedded, subset, with a map to Unicode"


@pytest.mark.slow
@pytest.mark.own_process  # typeset anew
def test_the_same_record_gives_the_same_bytes(durham: tuple[Path, bytes]) -> None:
    assert report.typeset(recorded(example("durham"), "durham")) == durham[0].read_bytes()
    assert report.typeset(read(durham[1])) == durham[0].read_bytes() != report.typeset(recorded(example("durham")))


def test_two_pages_are_for_those_who_sign_and_the_annex_is_numbered_apart(durham: tuple[Path, bytes]) -> None:
    pages = run("pdftotext", "-layout", durham[0], "-").split("\f")[:-1]
    assert "is right in at most 90 of 100 guesses" in " ".join(pages[0].split())
    assert "Proposed by" in pages[0]
    assert pages[0].count("not signed yet") == 2
    assert "The protection chosen: epsilon about 2.19723" in pages[1]
    number = hashlib.sha256(durham[1]).hexdigest()[:8].upper()
    assert f"Record {number[:4]} {number[4:]} · page 1 of 2, then a technical annex of 5 pages" in pages[0]
    assert [page.split()[-1] for page in pages] == ["1", "2", "A1", "A2", "A3", "A4", "A5"]


@pytest.mark.slow
@pytest.mark.parametrize("paper", ["a4", "us-letter"])
def test_nothing_is_drawn_outside_the_margins(paper: Any, tmp_path: Path) -> None:
    path, _ = typeset(hostile(), tmp_path, paper=paper)
    run("pdftoppm", "-r", "40", "-gray", path, tmp_path / "page")
    for picture in sorted(tmp_path.glob("page*.pgm")):
        head, size, _, pixels = picture.read_bytes().split(b"\n", 3)
        assert head == b"P5"
        width, height = (int(number) for number in size.split())
        margin = int(20 / 25.4 * 40)  # 20 of the 25 mm
        rows = [pixels[width * row : width * (row + 1)] for row in range(height)]
        assert all(min(row[:margin]) > 240 and min(row[-margin:]) > 240 for row in rows), picture.name


@pytest.mark.slow
def test_scripts_and_signs_come_out_as_typed_or_named(tmp_path: Path) -> None:
    typed = "שלום · مرحبا · Ελληνικά · Кириллица · e\u0301 · 漢字 · 😀 · a\x00b · \x1b[1m · \u202egnp · \ufffe"
    path, _ = typeset(example("durham", justification=typed, title=typed), tmp_path)
    words = re.sub("[\u200e\u200f\u202a-\u202e\u2066-\u2069]", "", run("pdftotext", path, "-"))
    for said in (
        "Ελληνικά",
        "Кириллица",
        "‹U+6F22 U+5B57›",
        "‹U+1F600›",
        "a‹U+0000›b",
        "‹U+001B›[1m",
        "‹U+202E›gnp",
        "‹U+FFFE›",
    ):
        assert said in words, said
    assert "שלום" in words
    assert "مرحبا" in words


@pytest.mark.slow
@also(typed="\x85")  # a name of spaces alone
@given(typed=st.text(max_size=120))
@settings(max_examples=8)
def test_no_text_stops_the_typesetter(typed: str) -> None:
    raw = example("durham", title=typed, justification=typed, exception_reason=typed)
    raw["requirements"][0]["name"] = typed
    raw["details"] |= {"controller": typed, "authors": [typed], "record_number": typed, "review_date": typed}
    made = recorded(raw)
    assert report.typeset(made).startswith(b"%PDF-1.7")


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [None, 5e-324, 1e300])
def test_any_epsilon_can_be_reported(epsilon: float | None, tmp_path: Path) -> None:
    path, _ = typeset(example("durham", epsilon=epsilon), tmp_path)
    assert "page 1 of 2" in run("pdftotext", path, "-")


@pytest.mark.slow
def test_pages_can_be_looked_at_before_signing() -> None:
    made = recorded(example("durham"))
    pages = report.pictures(made, dots_per_inch=50)
    assert len(pages) > 5
    assert all(page.startswith(b"\x89PNG") for page in pages)


def test_the_template_can_read_nothing_but_its_own_folder() -> None:
    """The root of the typesetter is the folder of the template: what lies above cannot be named."""
    import typst

    root = resource("report")
    for path in ("/etc/passwd", "../../pyproject.toml", "/../en.toml"):
        with pytest.raises(RuntimeError):
            typst.compile(f'#read("{path}")'.encode(), root=str(root), format="pdf")
