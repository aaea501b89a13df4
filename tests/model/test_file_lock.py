"""Two windows on one file: the first holds it, the second is told who does; what a crash left is not in the way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dpwizard.projects import lock
from dpwizard.projects.lock import FileLock, Holder, take


def test_the_first_holds_the_file_and_the_second_is_told_who_does(tmp_path: Path) -> None:
    first = take(tmp_path / "x.json")
    assert isinstance(first, FileLock)
    second = take(tmp_path / "x.json")
    assert isinstance(second, Holder)
    assert second.process == os.getpid()
    assert second.host
    assert second.since
    assert isinstance(take(tmp_path / "y.json"), FileLock)
    first.release()
    assert isinstance(take(tmp_path / "x.json"), FileLock)


def test_the_lock_of_a_process_that_is_gone_is_taken_over(tmp_path: Path) -> None:
    code = (
        "import sys, os; from pathlib import Path; from dpwizard.projects.lock import take; "
        "take(Path(sys.argv[1])); os._exit(1)"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "x.json")], check=False)
    assert lock.beside(tmp_path / "x.json").exists()
    assert isinstance(take(tmp_path / "x.json"), FileLock)


def other_computers(tmp_path: Path, age: float) -> Path:
    place = lock.beside(tmp_path / "x.json")
    place.write_text(
        json.dumps({"user": "ada", "host": "elsewhere", "process": 1, "born": "", "since": "2026", "token": "t"}),
        "utf-8",
    )
    now = place.stat().st_mtime
    os.utime(place, (now - age, now - age))
    return place


def test_the_lock_of_another_computer_holds_until_it_was_not_touched_for_long(tmp_path: Path) -> None:
    other_computers(tmp_path, lock.STALE / 2)
    found = take(tmp_path / "x.json")
    assert isinstance(found, Holder)
    assert (found.user, found.host) == ("ada", "elsewhere")
    other_computers(tmp_path, lock.STALE * 2)
    assert isinstance(take(tmp_path / "x.json"), FileLock)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b'{"process": "x", "host": 7}'])
def test_a_lock_that_cannot_be_read_holds_until_it_is_old(tmp_path: Path, content: bytes) -> None:
    place = lock.beside(tmp_path / "x.json")
    place.write_bytes(content)
    assert take(tmp_path / "x.json") == Holder()
    os.utime(place, (1, 1))
    assert isinstance(take(tmp_path / "x.json"), FileLock)


def test_a_heartbeat_notes_that_somebody_else_took_over(tmp_path: Path) -> None:
    mine = take(tmp_path / "x.json")
    assert isinstance(mine, FileLock)
    os.utime(mine.path, (1, 1))
    assert mine.touch()
    assert mine.path.stat().st_mtime > 1_000
    other_computers(tmp_path, 0)
    assert not mine.touch()
    mine.release()
    assert mine.path.exists()  # it is theirs


def test_where_no_lock_can_be_made_none_is_held(tmp_path: Path) -> None:
    assert take(tmp_path / "no such folder" / "x.json") is None
    assert take(tmp_path / ("n" * 255)) is None


def test_of_many_that_take_over_a_stale_lock_one_gets_it(tmp_path: Path) -> None:
    for _ in range(20):
        other_computers(tmp_path, lock.STALE * 2)
        with ThreadPoolExecutor(max_workers=8) as threads:
            got = list(threads.map(lambda _: take(tmp_path / "x.json"), range(8)))
        held = [one for one in got if isinstance(one, FileLock)]
        assert len(held) == 1
        held[0].release()
