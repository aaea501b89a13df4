"""Records of earlier versions keep opening: verified, replayed and reported as on the day they were signed."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from dpwizard import json_text
from dpwizard.records import comparison
from dpwizard.report import document as report
from dpwizard.signing import binding, record_files
from dpwizard.signing.pdf_revisions import open_pdf
from tests.samples.decisions import EXAMPLES, example, recorded

FOLDER = Path(__file__).resolve().parents[1] / "golden" / "records"
RECORDS = sorted(FOLDER.glob("*/*.json"))
VERSIONED = [path for path in RECORDS if "document" in json_text.parse(path.read_bytes())]
MEANT = ("", "the same, but for the last digits of drawn lines: it was made on another machine")
NOW = datetime(2027, 1, 1, tzinfo=UTC)


def test_there_are_golden_records() -> None:
    assert {path.parent.name for path in RECORDS} >= {"first", "second", "third", "fourth", "fifth", "sixth"}


@pytest.mark.slow
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_record_of_an_earlier_version_is_trusted_replayed_and_reported(path: Path) -> None:
    found = record_files.verify(record_files.RecordFiles.beside(path), [path.parent], NOW)
    assert (found.verdict, found.awaited) == ("trusted", ()), found.sentence
    raw = json_text.parse(path.read_bytes())
    assert comparison.false_claims(raw) == ()
    assert len(report.blocks(raw, path.read_bytes(), path.name)) > 20


@pytest.mark.slow
@pytest.mark.parametrize("path", VERSIONED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_pages_that_name_their_version_are_rebuilt_but_for_what_another_machine_draws(path: Path) -> None:
    found = open_pdf(path.with_suffix(".pdf").read_bytes()).document
    assert binding.require_same(path.read_bytes(), found) in MEANT


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.json")))
def test_what_is_printed_of_a_new_record_is_what_its_file_says(name: str) -> None:
    """Names stand in the order of the alphabet in a file, and in another in a record that was just made."""
    made, data = recorded(example(name))
    printed = [report.text(report.blocks(found, data, "r.json")) for found in (made, json_text.parse(data))]
    assert printed[0] == printed[1]
