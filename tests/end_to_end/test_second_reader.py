"""Readers that are not ours see what we see: page by page, in records that are accepted, and none in one that is not.

poppler and qpdf read the file from its end, by its tables, as viewers do.
We read what was typeset, and rebuild the rest.
"""

from __future__ import annotations

import json
import re
import subprocess
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

from dpwizard import json_text
from dpwizard.decision import assess, read_decision
from dpwizard.records import record
from dpwizard.report import document as report
from dpwizard.resource_files import FOLDER
from dpwizard.signing.pdf_appearance import lines
from dpwizard.signing.pdf_revisions import check_signature, open_pdf
from dpwizard.signing.pdf_text import pieces
from dpwizard.signing.signing import SignedRecord, sign_record, verify_record
from tests.samples.signed_record import NOW, people, person

STATED = record.Stated(time=NOW, source="signer")
POLICY = {"name": "Office", "sha256": "0" * 64, "roles": ["proposes", "approves", "data_protection_officer", "archive"]}
SIGNERS = (("proposes", "approve"), ("archive", "none"), ("approves", "reject"), ("witness", "none"), ("press", "none"))
GOLDEN = sorted((Path(__file__).resolve().parents[1] / "golden" / "records").glob("*/*.pdf"))


def letters(text: str) -> Counter[str]:
    """Return the letters and digits of TEXT, however they are laid out, hyphenated or joined."""
    return Counter(each for each in unicodedata.normalize("NFKD", text) if each.isalnum())


def signed(language: str, count: int) -> tuple[bytes, SignedRecord]:
    """Return the JSON of a record in LANGUAGE under a policy of four roles, and its files signed by COUNT people."""
    raw = json_text.parse((FOLDER / "examples" / "durham.json").read_bytes())
    decision = read_decision(raw | {"language": language}, "$")
    json_bytes = record.record_bytes(record.make_record(decision, assess(decision), STATED, POLICY))
    pdf = report.pdf_bytes(json_text.parse(json_bytes), json_bytes, "r.json")
    made = SignedRecord(pdf_bytes=pdf, jws_text="")
    signers = (*people(), person("Ευρυδίκη 王"), person("Zoë"))
    for (role, verdict), who in zip(SIGNERS[:count], signers, strict=False):
        made = sign_record(
            json_bytes=json_bytes,
            pdf_bytes=made.pdf_bytes,
            jws_text=made.jws_text,
            identity=who,
            role=role,
            verdict=verdict,
            time=NOW,
            time_source="the test",
        )
    return json_bytes, made


def ours(pdf: bytes) -> list[Counter[str]]:
    """Return what we say each page shows: what was typeset, and on page one how each signature in a place looks."""
    opened = open_pdf(pdf)
    found = pieces(opened.document)
    shown = [Counter[str]() for _ in range(max(piece.page for piece in found) + 1)]
    for piece in found:
        shown[piece.page] += letters(piece.text)
    for signature in opened.signatures[: len(opened.document.places)]:
        said = check_signature(opened, signature)
        language = opened.document.language
        for line in lines(name=said.name, reason=said.reason, time=said.time, chain=said.chain, language=language):
            shown[0] += letters(line)
    return shown


def poppler(path: Path) -> list[Counter[str]]:
    text = subprocess.run(["pdftotext", "-raw", str(path), "-"], check=True, capture_output=True).stdout.decode()
    return [letters(page) for page in text.split("\f")[:-1]]


@pytest.mark.slow
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_poppler_sees_on_each_page_of_a_golden_record_what_we_see(path: Path) -> None:
    assert poppler(path) == ours(path.read_bytes())


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
def test_poppler_sees_each_signature_and_each_page_as_we_do(language: str, tmp_path: Path) -> None:
    for count in (1, 5):
        json_bytes, made = signed(language, count)
        assert verify_record(json_bytes, made.pdf_bytes, made.jws_text).verdict == "unchanged"
        path = tmp_path / "r.pdf"
        path.write_bytes(made.pdf_bytes)
        assert poppler(path) == ours(made.pdf_bytes)
    text = subprocess.run(["pdftotext", "-l", "1", str(path), "-"], check=True, capture_output=True).stdout.decode()
    words = {
        "en": ("proposes: approved", "approves: rejected"),
        "de": ("schlägt vor: genehmigt", "genehmigt: abgelehnt"),
    }
    for said in (*words[language], "Ann Müller", "Cleo", "2026-03-01 12:00:00 UTC"):
        assert said in text


@pytest.mark.slow
def test_qpdf_sees_the_fields_the_tags_and_the_attachment_as_we_wrote_them(tmp_path: Path) -> None:
    json_bytes, made = signed("en", 3)
    path = tmp_path / "r.pdf"
    path.write_bytes(made.pdf_bytes)
    subprocess.run(["qpdf", "--check", str(path)], check=True, capture_output=True)
    shown = subprocess.run(["qpdf", "--json", str(path)], check=True, capture_output=True).stdout
    found = json.loads(shown)
    fields = found["acroform"]["fields"]
    assert [field["fieldtype"] for field in fields] == ["/Sig"] * 6
    assert [field["fullname"].split(" ", 1)[-1] for field in fields[:4]] == POLICY["roles"]
    objects = found["qpdf"][1]
    tagged = [item["value"] for item in objects.values() if isinstance(item.get("value"), dict)]
    forms = [item for item in tagged if item.get("/S") == "/Form"]
    assert len(forms) == 6
    assert all(re.fullmatch(r"u:.+", item["/Alt"]) for item in forms)
    shown = subprocess.run(["qpdf", str(path), "--show-attachment=r.json"], check=True, capture_output=True).stdout
    assert shown == json_bytes


@pytest.mark.slow
def test_every_signer_has_the_place_of_the_role_and_the_last_ones_what_is_left() -> None:
    _, made = signed("en", 5)
    opened = open_pdf(made.pdf_bytes)
    filled = [next(p for p in opened.document.places if p.number == number).place for number in opened.state.filled]
    assert [place.role for place in filled] == ["proposes", "archive", "approves", "", ""]
    assert len({(one.place.left, one.place.bottom) for one in opened.document.places}) == 6
