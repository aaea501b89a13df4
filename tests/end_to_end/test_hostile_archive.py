"""A file that is broken, hostile or makes the program fail is one row of a ledger and of an archive, never its end."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from dpwizard import cli
from dpwizard.signing import pdf_revisions
from tests.samples.altered_record import signed_after

CRASHING = b"%PDF-1.7 crashing"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Return a folder with an honest record among files that are none."""
    folder = tmp_path / "archive"
    folder.mkdir()
    honest = signed_after(folder, lambda _: None, "honest")
    pdf, data, line = (path.read_bytes() for path in (honest.pdf, honest.json, honest.jws))
    broken = {
        "cut": (pdf[: len(pdf) // 2], data, line),
        "nested": (b"%PDF-1.7\n1 0 obj\n" + b"[" * 100_000 + b"\n/EmbeddedFile", data, line),
        "deep": (pdf, b'{"format": "dpwizard.record/1", "decision": ' + b"[" * 100_000, line),
        "noise": (bytes(range(256)) * 100, data, line),
        "empty": (b"", b"", b""),
        "lines": (pdf, data, b"\xff\n" * 1_000),
        "crashing": (CRASHING, data, line),
    }
    for name, contents in broken.items():
        for ending, content in zip((".pdf", ".json", ".json.jws"), contents, strict=True):
            (folder / f"{name}{ending}").write_bytes(content)
    (folder / "alone.pdf").write_bytes(CRASHING + b"/EmbeddedFile")
    os.mkfifo(folder / "pipe.json")
    (folder / "folder.json.jws").mkdir()
    return folder


@pytest.fixture
def crashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the reader of PDF files fail on one of them in a way that nobody foresaw."""
    opened = pdf_revisions.open_pdf

    def open_pdf(pdf: bytes) -> pdf_revisions.SignedPdf:
        if pdf.startswith(CRASHING):
            raise RecursionError
        return opened(pdf)

    monkeypatch.setattr(pdf_revisions, "open_pdf", open_pdf)


@pytest.mark.slow
@pytest.mark.usefixtures("crashes")
def test_ledger_has_a_row_for_each_hostile_record_and_counts_the_honest_one(
    archive: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["ledger", str(archive), "--json"]) in (1, 3)
    told = json.loads(capfd.readouterr().out)
    rows = {row["record"]: row for row in told["records"]}
    assert {"honest.json", "cut.json", "nested.json", "deep.json", "lines.json", "crashing.json", "alone.json"} <= set(
        rows
    )
    assert "makes this program fail (RecursionError)" in json.dumps(rows["alone.json"])


@pytest.mark.slow
@pytest.mark.usefixtures("crashes")
def test_archive_is_replayed_to_its_end(archive: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["replay", "--all", str(archive)]) in (1, 2)
    rows = {Path(row["record"]).name: row for row in map(json.loads, capfd.readouterr().out.splitlines())}
    assert {"honest.json", "cut.json", "nested.json", "deep.json", "lines.json", "crashing.json"} <= set(rows)
    assert (rows["honest.json"]["verdict"], rows["deep.json"]["verdict"]) == ("same", "unreadable")
