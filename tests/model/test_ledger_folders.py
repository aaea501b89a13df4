"""A folder of records is read whatever lies in it: broken, huge, linked, twice, half gone or changed meanwhile."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dpwizard import files, json_text
from dpwizard.decision import read_decision
from dpwizard.errors import FileProblem
from dpwizard.records import Ledger, ledger_of
from dpwizard.signing import record_files, record_folder
from dpwizard.signing.record_folder import survey
from dpwizard.stopping import Stopped, heeding
from tests.samples.decisions import STATED, example, recorded
from tests.samples.signed_record import people

Hand = Callable[[Path], None]


@cache
def signed_bytes() -> tuple[bytes, ...]:
    """Return the three files of a signed record called r."""
    import tempfile

    with tempfile.TemporaryDirectory() as made:
        target = record_files.RecordFiles.beside(Path(made) / "r")
        signature = record_files.Signature(
            identity=people()[0], role="proposes", verdict="approve", comment="", stated=STATED
        )
        record_files.sign_new(read_decision(example("durham")), target, signature)
        return tuple(path.read_bytes() for path in target.all)


def put(folder: Path, name: str = "r") -> record_files.RecordFiles:
    """Put the signed record into FOLDER, under its own name or another."""
    folder.mkdir(parents=True, exist_ok=True)
    target = record_files.RecordFiles.beside(folder / name)
    for path, content in zip(target.all, signed_bytes(), strict=True):
        path.write_bytes(content)
    return target


def draft(folder: Path, name: str, **changes: Any) -> Path:
    """Put the JSON of a record into FOLDER that nobody signed."""
    made, _ = recorded(example("durham"))
    path = folder / f"{name}.json"
    path.write_bytes(json_text.document(made | changes))
    return path


@pytest.fixture
def trust(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("trust") / "ann.crt"
    place.write_bytes(people()[0].certificate_pem())
    return place


def read(folder: Path, *trusted: Path, judge: bool = True) -> Ledger:
    *_, last = survey(folder, STATED.time, trusted, judge=judge)
    return ledger_of(last.entries, today=date(2026, 11, 23), delta=1e-6)


def told(found: Ledger) -> list[tuple[str, str]]:
    return [(row.entry.place, row.standing) for row in found.rows]


# ------------------------------------------------------------------------------------------ what is as it should be


@pytest.mark.slow
def test_a_record_is_read_below_the_folder_and_judged_by_who_is_trusted(tmp_path: Path, trust: Path) -> None:
    put(tmp_path / "2026" / "autumn")
    place = os.path.join("2026", "autumn", "r.json")
    found = read(tmp_path, trust)
    assert told(found) == [(place, "valid")]
    assert (found.rows[0].entry.passes, found.totals[0].doubtful) == (True, ())
    assert found.totals[0].epsilon.total == pytest.approx(2.197224577336219)
    assert not read(tmp_path).rows[0].entry.passes
    assert told(read(tmp_path, judge=False)) == [(place, "unjudged")]


@pytest.mark.slow
def test_each_step_says_how_far_it_is_and_what_was_read_so_far(tmp_path: Path) -> None:
    for name in ("a", "b"):
        put(tmp_path / name)
    steps = list(survey(tmp_path, STATED.time))
    assert [(step.doing, step.done, step.of, len(step.entries)) for step in steps] == [
        ("read", 0, 2, 0),
        ("read", 1, 2, 1),
        ("read", 2, 2, 2),
        ("judge", 0, 2, 2),
        ("judge", 1, 2, 2),
        ("judge", 2, 2, 2),
    ]
    assert [entry.signed is None for entry in steps[4].entries] == [False, True]


@pytest.mark.slow
def test_the_json_inside_a_pdf_counts_once_wherever_else_it_lies(tmp_path: Path, trust: Path) -> None:
    put(tmp_path).json.unlink()
    (alone,) = read(tmp_path, trust).rows
    assert (alone.standing, alone.entry.lost.epsilon) == ("valid", pytest.approx(2.197224577336219))
    assert not alone.entry.passes  # not all of it is there
    put(tmp_path / "whole")
    found = read(tmp_path, trust)
    assert [row.standing for row in found.rows] == ["valid", "copy"]
    assert found.totals[0].epsilon.total == pytest.approx(2.197224577336219)


def test_what_is_no_record_is_not_read_as_one(tmp_path: Path) -> None:
    (tmp_path / "decision.json").write_text(json.dumps(example("durham")), "utf-8")
    (tmp_path / "notes.json").write_text("[1, 2", "utf-8")
    (tmp_path / "paper.pdf").write_bytes(b"%PDF-1.7 nothing")
    (tmp_path / "paper2.pdf").write_bytes(b"%PDF-1.7 /EmbeddedFile nothing")
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "policy.toml.jws").write_text("x", "utf-8")
    found = read(tmp_path)
    assert (found.rows, found.totals) == ((), ())


# ------------------------------------------------------------------------------------------------ what is not


def changed(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"2.197224577336219", b"0.197224577336219"))


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("which", "hand", "standing"),
    [
        ("json", changed, "tampered"),
        ("json", cut, "unreadable"),
        ("json", lambda path: path.write_bytes(b""), "unreadable"),
        ("json", lambda path: path.write_bytes(b"[" * 100_000), "unreadable"),
        ("json", lambda path: path.write_text('{"format": "dpwizard.record/9"}'), "unreadable"),
        ("pdf", lambda path: path.write_bytes(path.read_bytes() + b"%"), "tampered"),
        ("pdf", lambda path: path.write_bytes(b""), "tampered"),
        ("jws", lambda path: path.write_bytes(b"\xff"), "tampered"),
    ],
)
def test_a_record_that_was_changed_is_named_and_leaves_the_total_open(
    tmp_path: Path, which: str, hand: Hand, standing: str, trust: Path
) -> None:
    put(tmp_path / "a", "whole")
    hand(getattr(put(tmp_path / "b"), which))
    draft(tmp_path, "c", salt="6b" * 32)
    found = read(tmp_path, trust)
    by_place = dict(told(found))
    assert by_place.pop("c.json") == "unsigned"
    assert by_place == {os.path.join("a", "whole.json"): "valid", os.path.join("b", "r.json"): standing}
    whose = 2 if which == "json" else 1  # the same bytes as the whole one add nothing, whatever happened to the PDF
    assert len(found.totals[0].doubtful) == whose


@pytest.mark.slow
def test_a_record_without_its_signatures_is_not_vouched_for(tmp_path: Path, trust: Path) -> None:
    target = put(tmp_path)
    target.jws.unlink()
    changed(target.json)
    assert read(tmp_path, trust).rows[0].standing == "tampered"  # the signatures inside the PDF tell it
    target.pdf.unlink()
    found = read(tmp_path, trust)
    assert (found.rows[0].standing, found.totals[0].doubtful) == ("unsigned", (0,))


@pytest.mark.slow
def test_signatures_alone_are_a_record_that_is_missing(tmp_path: Path) -> None:
    target = put(tmp_path)
    target.json.unlink()
    target.pdf.unlink()
    assert told(read(tmp_path)) == [("r.json", "missing")]
    put(tmp_path / "other")
    assert read(tmp_path).totals[0].doubtful == (1,)


def test_what_changes_between_reading_and_judging_is_read_again(tmp_path: Path) -> None:
    target = put(tmp_path)
    steps = survey(tmp_path, STATED.time)
    for step in steps:
        if step.doing == "judge":
            break
    target.json.write_bytes(target.json.read_bytes().replace(b'"epsilon": 2.197224577336219', b'"epsilon": 3'))
    *_, last = steps
    (entry,) = last.entries
    assert entry.lost.epsilon == 3.0
    assert entry.signed is not None
    assert entry.signed.verdict == "changed"


def test_a_record_that_goes_away_between_reading_and_judging_is_said(tmp_path: Path) -> None:
    target = put(tmp_path)
    steps = survey(tmp_path, STATED.time)
    for step in steps:
        if step.doing == "judge":
            break
    for path in target.all:
        path.unlink()
    *_, last = steps
    found = ledger_of(last.entries, today=date(2026, 11, 23), delta=1e-6)
    assert told(found) == [("r.json", "tampered")]


# ------------------------------------------------------------------------------------------------- hostile folders


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_links_inside_count_once_and_those_that_lead_out_are_named(tmp_path: Path, kind: str) -> None:
    inside, outside = tmp_path / "office", tmp_path / "elsewhere"
    put(inside), put(outside)
    of = "r.json" if kind == "file" else ""
    (inside / "out.json").symlink_to(outside / of)
    (inside / "again.json").symlink_to(inside / of)
    (inside / "nothing.json").symlink_to(inside / "nothing.json")
    (inside / "gone.json").symlink_to(tmp_path / "gone.json")
    found = dict(told(read(inside, judge=False)))
    assert found == {"r.json": "unjudged", "out.json": "unreadable", "gone.json": "unreadable"}
    assert "leads out" in str(read(inside, judge=False).rows[0].entry.problem)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    assert told(read(tmp_path)) == [("pipe.json", "unreadable")]


def test_a_file_larger_than_any_record_is_named(tmp_path: Path) -> None:
    with (tmp_path / "huge.json").open("wb") as stream:
        stream.truncate(files.LARGEST + 1)
    assert told(read(tmp_path)) == [("huge.json", "unreadable")]


@pytest.mark.slow
def test_names_that_steer_a_terminal_are_shown_as_code_points(tmp_path: Path) -> None:
    put(tmp_path, "b\u202e\n")
    assert told(read(tmp_path)) == [("b‹U+202E›‹U+000A›.json", "valid")]


def test_a_folder_of_too_many_files_and_what_is_no_folder_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path)
    monkeypatch.setattr(record_folder, "MOST", 2)
    with pytest.raises(FileProblem, match="more than 2 files"):
        read(tmp_path)
    for place in (tmp_path / "none", tmp_path / "r.json", tmp_path / ("x" * 5_000)):
        with pytest.raises(FileProblem, match="is not a folder"):
            read(place)


def test_reading_ends_where_nobody_waits_any_more(tmp_path: Path) -> None:
    put(tmp_path)
    with heeding(lambda: True), pytest.raises(Stopped):
        read(tmp_path)
