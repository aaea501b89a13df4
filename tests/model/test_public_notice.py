"""The public notice: one page in plain words, bound to its record, saying no more than the public version says."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from dpwizard.base.errors import SigningProblem
from dpwizard.decision import read_decision
from dpwizard.report.notice import notice_html, notice_pdf
from dpwizard.signing import RecordFiles, exports, signing
from tests.samples.decisions import STATED, example, recorded
from tests.samples.signed_record import people, request

HASH = "ab" * 32


def read(content: bytes, program: str, *arguments: str) -> str:
    """Return what a program of poppler says of a PDF."""
    done = subprocess.run([program, "-", *arguments], input=content, capture_output=True, check=True)
    return done.stdout.decode("utf-8")


def words(page: str) -> str:
    return " ".join(page.split())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "language"),
    [("durham", "en"), ("durham", "de"), ("gaussian_clinic", "de"), ("redistricting_persons", "en")],
)
def test_an_example_has_a_notice(name: str, language: str) -> None:
    page = notice_html(recorded(example(name, language=language)), HASH)
    assert HASH in page
    assert ("Whom to ask" if language == "en" else "Wen man fragen kann") in page


@pytest.mark.slow
@pytest.mark.parametrize(("name", "paper"), [("durham", "a4"), ("redistricting_persons", "us-letter")])
def test_the_notice_is_one_page(name: str, paper: Any) -> None:
    raw = example(name, language="de")
    raw["release"]["description"] = "Wort " * 400
    raw["details"] = raw.get("details", {}) | {"intended_use": "Zweck " * 400, "contact": "mail@example.org"}
    content = notice_pdf(recorded(raw), HASH, paper=paper)
    assert "Pages:           1\n" in read(content, "pdfinfo")


def test_a_notice_bears_draft_until_its_record_is_approved() -> None:
    made = recorded(example("durham"))
    assert "Draft" in notice_html(made, HASH)
    final = words(notice_html(made, HASH, approved="2026-12-01T09:00:00Z"))
    assert "Draft" not in final
    assert "Approved by Bea Example on 1 December 2026." in final


def test_where_noise_alone_protects_nobody_the_notice_does_not_say_it_does() -> None:
    sure = "would otherwise toss a coin"
    assert sure in notice_html(recorded(example("durham")), HASH)
    raw = example("durham")
    raw["release"] |= {"exact_figures": [{"name": "all deaths"}]}
    page = words(notice_html(recorded(raw), HASH))
    assert sure not in page
    assert "all deaths" in page
    assert sure not in notice_html(recorded(example("bon_exact_mean")), HASH)
    raw = example("durham")
    raw["release"] |= {"trust_model": "local"}
    assert sure not in notice_html(recorded(raw), HASH)


def test_a_person_who_is_many_units_is_told_what_all_of_them_come_to() -> None:
    page = words(notice_html(recorded(example("mobility_reports")), HASH))
    assert "1,019" in page


@pytest.fixture
def signed(tmp_path: Path) -> RecordFiles:
    raw = example("durham", withheld=["$.details.advice"])
    raw["details"] = raw.get("details", {}) | {"advice": "The clinic is St Mary's.", "contact": "privacy@example.org"}
    target = RecordFiles.beside(tmp_path / "durham.json")
    signature = request(people()[0], time=STATED.time)
    signing.sign_new(read_decision(raw), target, signature)
    return target


@pytest.mark.slow
def test_the_notice_is_bound_to_its_record_and_tells_nothing_that_is_left_out(signed: RecordFiles) -> None:
    data = signed.json.read_bytes()
    page = exports.export(data, "notice")
    assert hashlib.sha256(data).hexdigest() in page
    assert "privacy@example.org" in page
    assert "St Mary" not in page
    content = exports.notice_pdf(signed, STATED.time)
    assert "St Mary" not in read(content, "pdftotext", "-")


@pytest.mark.slow
def test_there_is_no_notice_on_a_record_that_was_changed(signed: RecordFiles) -> None:
    raw = json.loads(signed.json.read_bytes())
    raw["decision"]["title"] = "Another"
    signed.json.write_text(json.dumps(raw), "utf-8")
    with pytest.raises(SigningProblem):
        exports.notice_pdf(signed, STATED.time)
