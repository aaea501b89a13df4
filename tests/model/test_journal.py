"""The journal: what was written last is read back whole, whatever happens to the end of the file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dpwizard.base import files
from dpwizard.base.errors import FileProblem
from dpwizard.decision import Decision, new_decision
from dpwizard.decision.edits import put
from dpwizard.projects import journal
from dpwizard.projects.journal import Journal

TIME = "2026-11-21T12:00:00+01:00"


def titled(number: int) -> Decision:
    return put(new_decision(), "$.title", f"Größe {number} 😀")


def written(path: Path, count: int = 3) -> Journal:
    made = Journal(path, path.with_name("x.json"), "abc")
    for number in range(count):
        made.write(titled(number), tuple(f"Set title {n}" for n in range(number + 1)), TIME)
    return made


def test_the_last_state_is_read_back_with_what_led_to_it(tmp_path: Path) -> None:
    place = tmp_path / "x.journal"
    made = written(place)
    found = journal.read(place)
    assert found.decision == titled(2)
    assert (found.file, found.base, found.time) == (str(tmp_path / "x.json"), "abc", TIME)
    assert found.steps == ("Set title 0", "Set title 1", "Set title 2")
    assert not found.abandoned
    made.remove()
    assert journal.read(place) is None
    made.remove()  # twice does no harm


def test_wherever_the_end_is_cut_off_the_state_before_is_read(tmp_path: Path) -> None:
    place = tmp_path / "x.journal"
    written(place)
    data = place.read_bytes()
    ends = [index + 1 for index, byte in enumerate(data) if byte == 10]
    for cut in range(0, len(data), 7):
        place.write_bytes(data[:cut])
        found = journal.read(place)
        whole = sum(end - 1 <= cut for end in ends)  # the line feed itself may be missing
        assert (None if found is None else found.decision) == (titled(whole - 2) if whole >= 2 else None), cut


def test_a_byte_changed_anywhere_never_gives_another_decision(tmp_path: Path) -> None:
    place = tmp_path / "x.journal"
    written(place)
    data = place.read_bytes()
    states = {None, *(titled(n).title for n in range(3))}
    for position in range(0, len(data), 11):
        place.write_bytes(data[:position] + bytes([data[position] ^ 5]) + data[position + 1 :])
        found = journal.read(place)
        assert (None if found is None else found.decision.title) in states


def test_a_long_session_does_not_grow_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "COMPACTED", 3_000)
    place = tmp_path / "x.journal"
    written(place, 60)
    assert place.stat().st_size < 6_000
    found = journal.read(place)
    assert found.decision == titled(59)


def test_a_journal_is_for_its_owners_eyes_alone(tmp_path: Path) -> None:
    written(tmp_path / "x.journal")
    assert (tmp_path / "x.journal").stat().st_mode & 0o077 == 0


def test_a_journal_that_vanished_with_its_drive_is_begun_again(tmp_path: Path) -> None:
    place = tmp_path / "x.journal"
    made = written(place)
    place.unlink()
    made.write(titled(9), (), TIME)
    found = journal.read(place)
    assert found.decision == titled(9)


def test_what_cannot_be_written_is_said_and_what_was_written_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "x.journal"
    made = written(place)

    def full(_: int) -> None:
        raise OSError(files.errno.ENOSPC, "as if")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileProblem, match="disk is full"):
        made.write(titled(7), (), TIME)
    monkeypatch.undo()
    assert journal.read(place) is not None
    with pytest.raises(FileProblem):
        Journal(tmp_path / "no such folder" / "x.journal", None, None).write(titled(1), (), TIME)


@pytest.mark.slow
def test_what_a_program_that_is_gone_left_is_found_and_what_one_at_work_writes_is_not(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from dpwizard.projects.journal import Journal, beside, without_file;"
        "from dpwizard.decision import new_decision; from dpwizard.decision.edits import put; d = put(new_decision(), "
        "'$.title', 'left');"
        "folder = Path(sys.argv[1]); [Journal(p, f, None).write(d, (), '2026') for p, f in"
        " ((beside(folder / 'x.json'), folder / 'x.json'), (without_file(folder / 'state'), None))]"
    )
    (tmp_path / "state").mkdir()
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True)
    Journal(journal.without_file(tmp_path / "state"), None, None).write(titled(1), (), TIME)
    found = journal.of_file(tmp_path / "x.json", tmp_path / "state")
    assert found.decision.title == "left"
    assert [one.file for one in journal.left_in(tmp_path / "state")] == [None]
    assert journal.of_file(tmp_path / "y.json", tmp_path) is None
    assert journal.left_in(tmp_path / "missing") == ()
