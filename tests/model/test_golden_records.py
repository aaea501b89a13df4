"""Stored records are printed to the same bytes and solved to the same numbers, on every machine and by every version.

A test that fails here says that pages or numbers changed. Where that is meant, `scripts/make_golden_records.py` makes
them again; after a release the version of the document is raised with it.
"""

from __future__ import annotations

import hashlib
from importlib import metadata
from pathlib import Path

import pytest

from dpwizard.base.language import counting, speaking
from dpwizard.records import DOCUMENT, read, recompute, write
from dpwizard.report import document, typesetting

FOLDER = Path(__file__).resolve().parents[1] / "golden" / "records"
RECORDS = sorted(FOLDER.glob("*.json"))
PAGES = {name: digest for digest, name in (line.split() for line in (FOLDER / "pages.sha256").read_text().splitlines())}
each_record = pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)


def test_there_are_golden_records_of_this_version() -> None:
    assert {f"{path.stem}.pdf" for path in RECORDS} == set(PAGES)
    assert len(RECORDS) == 5
    assert {read(path.read_bytes()).document for path in RECORDS} == {DOCUMENT}


@each_record
def test_a_stored_record_is_read_and_written_to_the_same_bytes(path: Path) -> None:
    record = read(path.read_bytes())
    assert write(record) == path.read_bytes()
    assert record.name == path.stem


@each_record
@pytest.mark.slow
def test_its_pages_are_made_again_to_the_byte(path: Path) -> None:
    """Whatever language the reader's window speaks, and whatever budget it counts in."""
    record = read(path.read_bytes())
    with speaking("en" if record.decision.language == "de" else "de"), counting("rho"):
        made = document.typeset(record)
    assert hashlib.sha256(made).hexdigest() == PAGES[f"{path.stem}.pdf"], "the pages changed: see above what to do"


@each_record
@pytest.mark.slow
def test_its_numbers_are_those_that_its_decision_gives(path: Path) -> None:
    with speaking("de"):
        assert recompute(read(path.read_bytes())) == ()


def test_pages_are_known_and_made_here_only_by_the_version_and_the_typesetter_that_made_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert metadata.version("typst") == typesetting.VERSION
    assert (typesetting.rebuilt_here(DOCUMENT), typesetting.rebuilt_here("0.9")) == (True, False)
    monkeypatch.setattr(metadata, "version", lambda _: "0.15.2")
    assert not typesetting.rebuilt_here(DOCUMENT)
