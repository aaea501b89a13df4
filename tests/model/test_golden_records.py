"""Records of earlier versions keep opening: verified, replayed and reported as on the day they were signed."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from dpwizard import json_text
from dpwizard.records import record
from dpwizard.report import document as report
from dpwizard.signing import record_files

FOLDER = Path(__file__).resolve().parents[1] / "golden" / "records"
RECORDS = sorted(FOLDER.glob("*/*.json"))
NOW = datetime(2027, 1, 1, tzinfo=UTC)


def test_there_are_golden_records() -> None:
    assert {path.parent.name for path in RECORDS} >= {"first", "second", "third"}


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_record_of_an_earlier_version_is_trusted_replayed_and_reported(path: Path) -> None:
    found = record_files.verify(record_files.RecordFiles.beside(path), [path.parent], NOW)
    assert (found.verdict, found.awaited) == ("trusted", ()), found.sentence
    raw = json_text.parse(path.read_bytes())
    assert record.replay(raw) == ()
    assert len(report.blocks(raw, path.read_bytes(), path.name)) > 20
