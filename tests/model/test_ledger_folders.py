"""A folder of records is read whatever lies in it: broken, huge, linked, twice, half gone or changed meanwhile."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, NoReturn

import pytest

from dpwizard import records
from dpwizard.base import office_folder
from dpwizard.base.errors import FileProblem
from dpwizard.decision import Details
from dpwizard.records import Ledger, ledger_of
from dpwizard.signing import RecordFiles, remaking, signature_log, signing, store
from dpwizard.signing.record_folder import survey
from dpwizard.signing.signature import read_signature, sha256_of
from tests.samples.decisions import example, recorded
from tests.samples.signed_record import NOW, closed, further, new, people, request, signed, small

Hand = Callable[[Path], object]


def put(folder: Path, count: int = 1) -> RecordFiles:
    """Put the signed record into FOLDER."""
    folder.mkdir(parents=True, exist_ok=True)
    return signed(folder, count)


def draft(folder: Path, name: str, **changes: Any) -> Path:
    """Put the JSON of a record into FOLDER that nobody signed."""
    path = folder / f"{name}.json"
    path.write_bytes(records.write(recorded(example("durham", **changes), name)))
    return path


@pytest.fixture
def trust(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("trust") / "ann.crt"
    place.write_bytes(people()[0].certificate_pem())
    return place


def read(folder: Path, *trusted: Path, judge: bool = True) -> Ledger:
    *_, last = survey(folder, NOW, trusted, judge=judge)
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
def test_pdf_without_its_json_is_named_and_not_opened(tmp_path: Path, trust: Path) -> None:
    put(tmp_path / "a").json.unlink()
    (tmp_path / "a" / "r.1.jws").unlink()
    put(tmp_path / "b")
    found = read(tmp_path, trust)
    assert told(found) == [(os.path.join("a", "r.pdf"), "missing"), (os.path.join("b", "r.json"), "valid")]
    assert found.totals[0].doubtful == (0,)


@pytest.mark.slow
def test_unsigned_copy_is_listed_under_the_signed_one_whatever_it_is_called(tmp_path: Path, trust: Path) -> None:
    put(tmp_path / "z")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "r.json").write_bytes((tmp_path / "z" / "r.json").read_bytes())
    found = read(tmp_path, trust)
    assert told(found) == [(os.path.join("a", "r.json"), "copy"), (os.path.join("z", "r.json"), "valid")]
    assert found.rows[0].other == 1
    assert found.totals[0].rows == (1,)
    (tmp_path / "a" / "r.json").rename(tmp_path / "a" / "q.json")
    assert [row.standing for row in read(tmp_path, trust).rows] == ["copy", "valid"]
    (tmp_path / "z" / "r.json").unlink()
    assert [row.standing for row in read(tmp_path, trust).rows] == ["unsigned", "missing"]


@pytest.mark.slow
def test_public_edition_counts_with_its_internal_record_only_where_that_is_here_and_verified(
    tmp_path: Path, trust: Path
) -> None:
    internal = put(tmp_path / "internal")
    folder = tmp_path / "public"
    folder.mkdir()
    signing.sign_public(internal, RecordFiles(folder=folder, name="p"), request(people()[0]))
    found = read(tmp_path, trust)
    assert [row.standing for row in found.rows] == ["valid", "copy"]
    assert found.totals[0].epsilon.total == pytest.approx(2.197224577336219)
    internal.line(1).unlink()
    assert len(read(tmp_path, trust).totals[0].rows) == 2  # both count
    internal.json.unlink()
    assert read(tmp_path, trust).rows[-1].counts


@pytest.mark.slow
def test_time_that_a_signer_claims_takes_no_record_out(
    tmp_path: Path, trust: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record that was published is replaced by one whose signer states a time before the day of publication."""
    office = tmp_path / "office"
    monkeypatch.setattr(office_folder, "OFFICE", office)
    folder = tmp_path / "records"
    for name, day in (("published", "2026-03-05"), ("planned", "2199-01-01")):
        (folder / name).mkdir(parents=True)
        old = small(details=Details(publication_date=day))
        older = new(folder / name, name=f"old {name}", decision=old)
        replaced = Details(superseded_sha256=sha256_of(older.json.read_bytes()))
        newer = small(details=replaced, release=old.release)
        new(folder / name, name=f"new {name}", decision=newer, role="approves", time=NOW)
    names = ("new planned", "old planned", "new published", "old published")
    found = read(folder, trust)
    assert [row.counts for row in found.rows] == [True] * len(names)
    signature_log.begin(office / "signatures")
    for place in folder.rglob("*.jws"):
        signature_log.note(office / "signatures", read_signature(place.read_text().strip()))
    found = read(folder, trust)  # the log was written today: after the one day, before the other
    assert [row.counts for row in found.rows] == [True, False, True, True]


@pytest.mark.slow
def test_whoever_proposes_a_record_approves_no_replacement_with_that(tmp_path: Path, trust: Path) -> None:
    older = new(tmp_path, name="older")
    newer = small(title="newer", details=Details(superseded_sha256=sha256_of(older.json.read_bytes())))
    place = new(tmp_path, name="newer", decision=newer, verdict="approve")
    assert [row.standing for row in read(tmp_path, trust).rows] == ["valid", "valid"]
    further(place, people()[1], "approves")
    other = tmp_path / "other.crt"
    other.write_bytes(people()[1].certificate_pem())
    assert [row.standing for row in read(tmp_path, trust, other).rows] == ["valid", "superseded"]


def test_what_is_no_record_is_not_read_as_one(tmp_path: Path) -> None:
    (tmp_path / "decision.json").write_text(json.dumps(example("durham")), "utf-8")
    (tmp_path / "notes.json").write_text("[1, 2", "utf-8")
    (tmp_path / "paper.pdf").write_bytes(b"%PDF-1.7 nothing")
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "policy.toml.jws").write_text("x", "utf-8")
    found = read(tmp_path)
    assert (found.rows, found.totals) == ((), ())


# ------------------------------------------------------------------------------------------------ what is not


def changed(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"2.197224577336219", b"0.197224577336219"))


def with_members(**members: Any) -> Hand:
    """Return a hand that puts MEMBERS, which no record has so, into the JSON of one."""
    return lambda path: path.write_text(json.dumps(json.loads(path.read_bytes()) | members), "utf-8")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("which", "hand", "standing"),
    [
        ("r.json", changed, "tampered"),
        ("r.json", with_members(public={"internal_sha256": "c" * 64}, made=[7], drawn=None), "tampered"),
        ("r.json", with_members(left_out=["nothing"]), "unreadable"),
        ("r.json", with_members(decision={"release": None}), "unreadable"),
        ("r.json", cut, "unreadable"),
        ("r.json", lambda path: path.write_bytes(b""), "unreadable"),
        ("r.json", lambda path: path.write_bytes(b"[" * 100_000), "unreadable"),
        ("r.json", lambda path: path.write_text('{"format": "dpwizard.record/9"}'), "unreadable"),
        ("r.pdf", lambda path: path.write_bytes(path.read_bytes() + b"%"), "tampered"),
        ("r.1.jws", lambda path: path.write_bytes(b"\xff"), "tampered"),
    ],
)
def test_record_that_was_changed_is_a_row_and_leaves_the_total_open(
    tmp_path: Path, which: str, hand: Hand, standing: str, trust: Path
) -> None:
    hand(put(tmp_path / "b").folder / which)
    draft(tmp_path, "c")
    found = read(tmp_path, trust)
    assert dict(told(found)) == {"c.json": "unsigned", os.path.join("b", "r.json"): standing}
    assert len(found.totals[0].doubtful) == 2


@pytest.mark.slow
def test_signatures_alone_are_a_record_that_is_missing(tmp_path: Path) -> None:
    target = put(tmp_path)
    target.json.unlink()
    target.pdf.unlink()
    assert told(read(tmp_path)) == [("r.json", "missing")]
    put(tmp_path / "other")
    assert read(tmp_path).totals[0].doubtful == (1,)


@pytest.mark.parametrize("hand", [changed, Path.unlink])
def test_record_that_changes_or_goes_between_reading_and_judging_is_said(tmp_path: Path, hand: Hand) -> None:
    target = put(tmp_path)
    steps = survey(tmp_path, NOW)
    for step in steps:
        if step.doing == "judge":
            break
    hand(target.json)
    *_, last = steps
    (row,) = ledger_of(last.entries, today=date(2026, 11, 23), delta=1e-6).rows
    assert row.standing in ("unreadable", "tampered", "unsigned")
    assert row.doubtful


def test_record_that_makes_the_program_fail_is_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> NoReturn:
        raise ZeroDivisionError

    put(tmp_path)
    monkeypatch.setattr(remaking, "remake_here", failing)
    *_, last = survey(tmp_path, NOW)
    (row,) = ledger_of(last.entries, today=date(2026, 11, 23), delta=1e-6).rows
    assert (row.standing, row.doubtful) == ("unsigned", True)


def test_record_of_before_version_1_0_is_read_as_a_decision(tmp_path: Path) -> None:
    raw = {"format": "dpwizard.record/1", "decision": example("durham"), "sentences": {}, "assessment": {}}
    (tmp_path / "old.json").write_text(json.dumps(raw), "utf-8")
    (row,) = read(tmp_path).rows
    assert row.standing in ("unsigned", "tampered")
    assert row.entry.lost.epsilon == pytest.approx(2.197224577336219)


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
    (outside / "log").write_text(json.dumps({"record": {"sha256": sha256_of((inside / "r.json").read_bytes())}}))
    (inside / "public_log.json").symlink_to(outside / "log")
    rows = read(inside, judge=False).rows
    links = dict.fromkeys(("out.json", "gone.json", "public_log.json"), "unreadable")
    assert {row.entry.place: row.standing for row in rows} == {"r.json": "unjudged", **links}
    assert (sum(row.entry.releases for row in rows), "leads out" in str(rows[0].entry.problem)) == (0, True)


def test_names_and_folders_that_hold_no_record_hide_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = draft(tmp_path, "a").read_bytes()
    for name in ("a\nb", "b" * 245):
        (tmp_path / f"{name}.json").write_bytes(data)
    monkeypatch.chdir(tmp_path)
    for _ in range(21):  # longer than any path: what lies at its end is seen there and cannot be reached
        os.mkdir("d" * 200)
        os.chdir("d" * 200)
    standings = [standing for _, standing in told(read(tmp_path, judge=False))]
    assert (standings[:2], set(standings[2:])) == (["unjudged", "copy"], {"unreadable"})


def test_pipe_is_not_waited_for_and_a_shut_folder_is_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    _ = put(tmp_path / "a"), put(tmp_path / "shut")
    monkeypatch.setattr(os, "scandir", closed(tmp_path / "shut"))
    found = read(tmp_path, judge=False)
    seen = [(os.path.join("a", "r.json"), "unjudged"), ("pipe.json", "unreadable"), ("shut", "unreadable")]
    assert (told(found), found.totals[0].doubtful) == (seen, (0, 1, 2))
    with pytest.raises(FileProblem, match="cannot be read or written by you: you lack the permission"):
        read(tmp_path / "shut")


def test_too_many_files_and_what_is_no_folder_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path)
    monkeypatch.setattr(store, "MOST_FILES", 2)
    with pytest.raises(FileProblem, match="more than 2 files"):
        read(tmp_path)
    for place in (tmp_path / "none", tmp_path / "r.json", tmp_path / ("x" * 5_000)):
        with pytest.raises(FileProblem, match="is not a folder"):
            read(place)
