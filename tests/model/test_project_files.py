"""Project files: opened strictly, saved atomically, older versions for ever, newer ones never saved over."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from dpwizard.base import files, json_text
from dpwizard.base.errors import FileChanged, FileProblem, InvalidInput
from dpwizard.decision import CURRENT, FORMAT, new_decision, read_decision, to_json, version
from dpwizard.decision.edits import put
from dpwizard.decision.upgrades import FAMILY, upgraded
from dpwizard.projects.comparison import differences
from dpwizard.projects.project import is_writable, open_project, read_project, save_project
from tests.samples.decisions import example

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "decisions"


def test_there_are_golden_files_of_every_version_of_the_format() -> None:
    assert f"{FAMILY}/{CURRENT}" == FORMAT
    assert sorted(int(path.name) for path in GOLDEN.iterdir() if path.is_dir()) == list(range(1, CURRENT + 1))


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*/*.json")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_file_of_every_version_opens_and_loses_nothing(path: Path) -> None:
    raw = json.loads(path.read_bytes())
    assert version(raw) == int(path.parent.name)
    opened = read_project(path)
    assert opened.newer == ""
    if version(raw) == CURRENT:
        assert within(raw, json.loads(json_text.document(to_json(opened.decision))))


def within(part: Any, whole: Any) -> bool:
    """Return whether WHOLE says all that PART says."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(
            name in whole and within(value, whole[name]) for name, value in part.items()
        )
    if isinstance(part, list):
        return isinstance(whole, list) and len(part) == len(whole) and all(map(within, part, whole))
    return bool(part == whole)


def test_upgrades_are_applied_one_after_the_other_and_leave_what_they_were_given() -> None:
    upgrades = {
        1: lambda raw: {("name" if key == "title" else key): value for key, value in raw.items()},
        2: lambda raw: {**raw, "new": 1},
    }
    raw = {"format": f"{FAMILY}/1", "title": "A"}
    assert upgraded(raw, upgrades, 3) == {"format": f"{FAMILY}/3", "name": "A", "new": 1}
    assert raw == {"format": f"{FAMILY}/1", "title": "A"}
    assert upgraded({"format": f"{FAMILY}/3"}, upgrades, 3) == {"format": f"{FAMILY}/3"}


def newer(**changes: Any) -> bytes:
    raw = example("durham", format=f"{FAMILY}/{CURRENT + 1}", **changes)
    raw["release"]["colour of noise"] = {"a": [1, 2]}
    raw["requirements"].append({"kind": "a_kind_to_come", "x": 1})
    raw["epsilon"] = {"least": 1, "most": 2}
    return json.dumps(raw).encode()


def test_of_a_newer_version_all_is_read_that_can_be(tmp_path: Path) -> None:
    path = tmp_path / "newer.json"
    path.write_bytes(newer())
    opened = read_project(path)
    assert opened.newer == f"{FAMILY}/{CURRENT + 1}"
    assert opened.decision.title == example("durham")["title"]
    assert len(opened.decision.requirements) == len(example("durham")["requirements"])
    assert opened.decision.epsilon is None
    assert set(opened.left_out) >= {"$.epsilon", "$.release.colour of noise"}


@pytest.mark.slow
def test_a_newer_file_with_nothing_to_read_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "newer.json"
    path.write_text(json.dumps({"format": f"{FAMILY}/7", **{f"field{n}": n for n in range(300)}}), "utf-8")
    with pytest.raises(InvalidInput, match="newer version"):
        read_project(path)


def test_a_newer_file_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "newer.json"
    path.write_bytes(newer())
    with pytest.raises(FileProblem, match="newer version"):
        save_project(path, new_decision())
    assert path.read_bytes() == newer()


NAMES = (
    "Größe 数 😀.json",
    "  two  spaces .json",
    "n" * 250 + ".json",
    "émigré e\u0301.json",
    "-rf.json",
    "a'b\"c.json",
    "con.json",
)


@pytest.mark.parametrize("name", NAMES, ids=lambda name: name[:12])
def test_odd_names_are_saved_and_opened(tmp_path: Path, name: str) -> None:
    decision = put(new_decision(), "$.title", name)
    stated = save_project(tmp_path / name, decision)
    assert open_project(tmp_path / name) == decision
    assert read_project(tmp_path / name).digest == stated
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["n" * 300 + ".json", "nul\0.json", "bytes\udcff" + "n" * 300])
def test_impossible_names_are_refused_in_words(tmp_path: Path, name: str) -> None:
    for attempt in (lambda: save_project(tmp_path / name, new_decision()), lambda: open_project(tmp_path / name)):
        with pytest.raises(FileProblem) as told:
            attempt()
        str(told.value).encode("utf-8")
    assert not is_writable(tmp_path / "missing" / "x.json")


def test_a_folder_that_vanished_is_not_made_anew(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="folder that does not exist"):
        save_project(tmp_path / "drive" / "x.json", new_decision())
    assert not (tmp_path / "drive").exists()


def test_a_file_another_program_changed_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    stated = save_project(path, new_decision())
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(FileChanged, match="changed by another program"):
        save_project(path, put(new_decision(), "$.title", "mine"), stated)
    assert open_project(path) == new_decision()
    assert save_project(path, put(new_decision(), "$.title", "mine"))
    path.unlink()
    save_project(path, new_decision(), "of a file that was deleted")
    assert open_project(path) == new_decision()


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "real" / "x.json")
    save_project(link, new_decision())
    assert link.is_symlink()
    assert open_project(tmp_path / "real" / "x.json") == new_decision()


def test_records_are_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_text(json.dumps({"format": "dpwizard.record/1"}), "utf-8")
    with pytest.raises(FileProblem, match="is a decision record"):
        save_project(path, new_decision())
    save_project(tmp_path / "signed.json", new_decision())
    for beside in (tmp_path / "signed.json.jws", tmp_path / "signed.1.jws", tmp_path / "signed.20.jws"):
        beside.write_text("x", "utf-8")
        with pytest.raises(FileProblem, match="signed record"):
            save_project(tmp_path / "signed.json", new_decision())
        beside.unlink()


@pytest.mark.parametrize("call", ["write", "fsync", "replace", "mkstemp"])
@pytest.mark.parametrize("number", ["ENOSPC", "EIO", "EROFS", "ESTALE"])
def test_a_save_that_fails_anywhere_leaves_the_old_file_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: str
) -> None:
    path = tmp_path / "x.json"
    save_project(path, new_decision())
    before = path.read_bytes()
    failing = fail(number)
    if call == "mkstemp":
        monkeypatch.setattr("tempfile.mkstemp", failing)
    else:
        monkeypatch.setattr(files.os, call, failing)
    with pytest.raises(FileProblem) as told:
        files.write_atomically(path, b"other", overwrite=True)
    monkeypatch.undo()
    assert told.value.message in files.REASONS.values()
    assert told.value.hint
    assert path.read_bytes() == before
    assert [found.name for found in tmp_path.iterdir()] == ["x.json"]


def fail(number: str) -> Any:
    def failing(*_: Any, **__: Any) -> Any:
        raise OSError(getattr(files.errno, number), "as if")

    return failing


def test_what_a_power_cut_left_beside_a_file_is_cleared_later(tmp_path: Path) -> None:
    old = tmp_path / ".dpwizard-abc"
    old.write_bytes(b"half")
    os.utime(old, (1, 1))
    young = tmp_path / ".dpwizard-def"
    young.write_bytes(b"of a save that still runs")
    save_project(tmp_path / "x.json", new_decision())
    assert not old.exists()
    assert young.exists()


def test_differences_name_each_field_with_its_value_before_and_after() -> None:
    before = read_decision(example("durham"))
    after = put(put(before, "$.title", "Another"), "$.requirements[0].profile.ratio", 7.0)
    found = {difference.where: difference for difference in differences(before, after)}
    assert set(found) == {"$.title", "$.requirements[0].profile.ratio"}
    assert found["$.requirements[0].profile.ratio"].before == 5.0
    assert found["$.requirements[0].profile.ratio"].after == 7.0
    assert found["$.title"].titles == ("Title",)
    assert differences(before, before) == ()
