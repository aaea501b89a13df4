"""A replay that differs names its cause as far as it can be told; an archive is replayed with progress and a
summary."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpwizard import cli, json_text
from dpwizard.decision import read_decision
from dpwizard.signing import record_files
from dpwizard.signing.replaying import find_records, replay_all, replay_file
from tests.samples.decisions import STATED, example, recorded
from tests.samples.signed_record import people

Change = Callable[[dict[str, Any]], Any]


def moved(made: dict[str, Any]) -> None:
    made["assessment"]["answers"][0]["epsilon"] = 2.3


def written(folder: Path, *changes: Change, name: str = "r") -> Path:
    made, _ = recorded(example("durham"))
    for change in changes:
        change(made)
    path = folder / f"{name}.json"
    path.write_bytes(json_text.document(made))
    return path


def kinds(path: Path) -> list[str]:
    return [cause.kind for cause in replay_file(path, STATED.time).causes]


def test_a_record_that_is_met_again_has_no_cause(tmp_path: Path) -> None:
    found = replay_file(written(tmp_path), STATED.time)
    assert (found.verdict, found.signature, found.differences, found.causes) == ("same", "none", (), ())


@pytest.mark.slow
def test_numbers_that_are_met_again_do_not_hide_a_broken_signature(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = record_files.RecordFiles.beside(tmp_path / "r")
    signature = record_files.Signature(
        identity=people()[0], role="proposes", verdict="approve", comment="", stated=STATED
    )
    record_files.sign_new(read_decision(example("durham")), target, signature)
    assert replay_file(target.json, STATED.time).sound
    assert cli.main(["replay", "--all", str(tmp_path)]) == 0
    target.json.write_bytes(target.json.read_bytes().replace(b"Durham County", b"Dorham County"))
    found = replay_file(target.json, STATED.time)
    assert (found.verdict, found.sound, [cause.kind for cause in found.causes]) == ("same", False, ["tampering"])
    for command in (["replay", str(target.json)], ["replay", "--all", str(tmp_path)]):
        capsys.readouterr()
        assert cli.main(command) == 1
        assert "the signatures do not hold" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "kind", "words"),
    [
        (lambda made: made["program"].update(version="0.0.9"), "version", "made by version 0.0.9"),
        (lambda made: made["program"]["libraries"].update(scipy="1.2.3"), "library", "scipy 1.2.3"),
        (lambda made: made["platform"].update(machine="riscv64"), "platform", "machine riscv64"),
        (lambda made: made["assessment"]["answers"][0].update(source="Somebody 1999"), "method", "then Somebody 1999"),
        (lambda made: made.pop("platform"), "platform", "made on python unknown"),
    ],
)
def test_the_cause_is_named_where_the_record_tells_it(tmp_path: Path, change: Change, kind: str, words: str) -> None:
    found = replay_file(written(tmp_path, moved, change), STATED.time)
    assert found.verdict == "differs"
    assert found.causes[0].kind == kind
    assert words in found.causes[0].words


def test_a_change_that_nothing_explains_is_said_to_be_one(tmp_path: Path) -> None:
    found = replay_file(written(tmp_path, moved), STATED.time)
    assert [cause.kind for cause in found.causes] == ["unknown"]
    assert "cannot be ruled out" in found.causes[0].words


@pytest.mark.slow
def test_tampering_is_named_first_where_the_signatures_do_not_hold(tmp_path: Path) -> None:
    target = record_files.RecordFiles.beside(tmp_path / "r")
    signature = record_files.Signature(
        identity=people()[0], role="proposes", verdict="approve", comment="", stated=STATED
    )
    record_files.sign_new(read_decision(example("durham")), target, signature)
    fresh = replay_file(target.json, STATED.time)
    assert (fresh.signature, fresh.pdf) == ("unchanged", "same")
    raw = json.loads(target.json.read_bytes())
    moved(raw)
    target.json.write_bytes(json_text.document(raw))
    found = replay_file(target.json, STATED.time)
    assert (found.signature, found.pdf, found.causes[0].kind) == ("changed", "other", "tampering")
    assert "changed after it was signed" in found.causes[0].words


@pytest.mark.parametrize("changes", [(), (moved,)], ids=["same", "differs"])
def test_signatures_that_cannot_be_judged_are_not_called_none(tmp_path: Path, changes: tuple[Change, ...]) -> None:
    path = written(tmp_path, *changes)
    record_files.RecordFiles.beside(path).jws.mkdir()  # there, and nothing that can be read
    found = replay_file(path, STATED.time)
    assert (found.verdict, found.signature) == ("differs" if changes else "same", "unreadable")
    assert [cause.kind for cause in found.causes] == ["unreadable"]
    assert "cannot be judged: " in found.causes[0].words
    assert "r.json.jws" in found.causes[0].words


@pytest.mark.parametrize("value", [None, 3, "x", [], {"libraries": 3}])
@pytest.mark.parametrize(
    "block", ["program", "platform", "influence", "implementation", "accounting", "edition", "left_out", "policy"]
)
def test_a_damaged_record_is_replayed_or_refused_in_words(tmp_path: Path, block: str, value: Any) -> None:
    path = written(tmp_path, lambda made: made.update({block: value}))
    assert replay_file(path, STATED.time).verdict in ("same", "differs", "unreadable")
    public = written(tmp_path, lambda made: made.update({"edition": "public", block: value}), name="p")
    assert replay_file(public, STATED.time).verdict in ("same", "differs", "unreadable")


def test_an_archive_is_searched_for_records_and_nothing_else(tmp_path: Path) -> None:
    written(tmp_path)
    written(tmp_path, moved, name="changed")
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "cut.json").write_bytes(written(tmp_path).read_bytes()[:900])
    (tmp_path / "below" / "other.json").write_text('{"format": "something else"}')
    (tmp_path / "decision.json").write_text(json.dumps(example("durham")))
    (tmp_path / "folder.json").mkdir()
    assert [path.name for path in find_records(tmp_path)] == ["changed.json", "r.json"]
    told: list[tuple[int, int]] = []
    rows = list(replay_all(tmp_path, STATED.time, lambda done, of, _: told.append((done, of))))
    assert [row.verdict for row in rows] == ["differs", "same"]
    assert told == [(0, 2), (1, 2)]


def test_a_record_that_is_cut_off_is_listed_as_unreadable(tmp_path: Path) -> None:
    data = written(tmp_path).read_bytes()
    path = tmp_path / "cut.json"
    path.write_bytes(data[: data.index(b"dpwizard.record/") + 200])
    assert replay_file(path, STATED.time).verdict == "unreadable"
    assert "is not JSON" in replay_file(path, STATED.time).problem
    assert path in find_records(tmp_path)


@pytest.mark.parametrize(
    ("date", "due"),
    [
        ("2026-11-20", True),
        ("2026-11-21", True),
        ("2026-11-22", False),
        ("soon", False),
        ("0000-99-99", True),
        (None, False),
    ],
)
def test_a_record_is_due_from_its_review_date_on(tmp_path: Path, date: str | None, due: bool) -> None:
    path = written(tmp_path, lambda made: made["decision"]["details"].update(review_date=date))
    found = replay_file(path, STATED.time)
    assert (found.review, found.due) == (date or "", due)
