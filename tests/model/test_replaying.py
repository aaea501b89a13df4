"""An archive is replayed: each record verified and solved again, with what differs, and what is due for review."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from dpwizard import cli, records
from dpwizard.base import json_text
from dpwizard.signing.replaying import replay_all, replay_file
from tests.samples.decisions import STATED, example, recorded
from tests.samples.signed_record import NOW, closed, signed


def written(folder: Path, *, name: str = "r", answer: float | None = None) -> Path:
    """Put the JSON of a record that nobody signed into FOLDER; its first ANSWER is another one, if given."""
    members = records.record.as_members(recorded(example("durham"), name))
    if answer is not None:
        members["assessment"]["answers"][0]["epsilon"] = answer
    path = folder / f"{name}.json"
    path.write_bytes(json_text.document(members))
    return path


def test_record_that_is_met_again_is_the_same(tmp_path: Path) -> None:
    found = replay_file(written(tmp_path), STATED.time)
    assert (found.verdict, found.signature, found.pdf, found.differences) == ("same", "unsigned", "none", ())
    assert found.sound


def test_numbers_that_are_met_again_do_not_hide_a_broken_signature(tmp_path: Path) -> None:
    place = signed(tmp_path)
    assert replay_file(place.json, NOW).sound
    place.pdf.write_bytes(place.pdf.read_bytes() + b"x")
    found = replay_file(place.json, NOW)
    assert (found.verdict, found.signature, found.pdf, found.sound) == ("same", "changed", "other", False)


@pytest.mark.parametrize("content", [b"", b"{", b'{"format": "dpwizard.record/1"}', b"[]"])
def test_what_cannot_be_read_is_said(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "r.json").write_bytes(content)
    found = replay_file(tmp_path / "r.json", NOW)
    assert found.verdict == "unreadable"
    assert found.why


def test_archive_is_found_by_what_its_files_say_and_passes_over_nothing_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [written(tmp_path, name="a"), signed(tmp_path / "below").json]
    (tmp_path / "decision.json").write_text(json.dumps(example("durham")))
    (tmp_path / "other.json").write_text("[1]")
    cut, pipe, gone, shut = (tmp_path / name for name in ("cut.json", "pipe.json", "gone/r.json", "shut"))
    cut.write_bytes(paths[0].read_bytes()[:-500])
    os.mkfifo(pipe)
    signed(gone.parent).json.unlink()
    signed(shut)
    monkeypatch.setattr(os, "scandir", closed(shut))
    rows = {Path(row.record): row for row in replay_all(print, tmp_path, NOW)}
    assert list(rows) == sorted((*paths, cut, pipe, gone, shut))
    assert {path for path, row in rows.items() if row.verdict == "same"} == set(paths)
    assert "cannot be read or written by you: you lack the permission. Check the folder" in rows[shut].why


@pytest.mark.slow
def test_archive_is_replayed_with_progress_and_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(tmp_path, name="a")
    written(tmp_path, name="b", answer=2.3)
    told: list[tuple[int, int, Path]] = []
    rows = list(replay_all(told.append, tmp_path, NOW))
    assert [row.verdict for row in rows] == ["same", "differs"]
    assert told == [(0, 2, tmp_path / "a.json"), (1, 2, tmp_path / "b.json")]
    assert cli.main(["replay", "--all", str(tmp_path)]) == 1
    said = capsys.readouterr()
    assert [json.loads(line)["verdict"] for line in said.out.splitlines()] == ["same", "differs"]
    assert "2 records: 1 same, 1 differs, 0 unreadable." in said.err


@pytest.mark.slow
def test_command_names_each_number_that_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["replay", str(written(tmp_path, answer=2.3))]) == 1
    said = capsys.readouterr()
    difference = json.loads(said.out)
    assert (difference["where"], difference["recorded"]) == ("$.assessment.answers[0].epsilon", "2.3")
    assert cli.main(["replay", str(written(tmp_path))]) == 0
    assert cli.main(["replay", str(tmp_path / "nothing.json")]) == 2
