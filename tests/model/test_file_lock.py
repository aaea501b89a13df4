"""Two windows on one file: the first holds it, the second is told who does; what a crash left is not in the way."""

from __future__ import annotations

import getpass
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from filelock import SoftFileLease

from dpwizard.base import file_lock
from dpwizard.base.file_lock import Holder, take


def test_the_first_holds_the_file_and_the_second_is_told_who_does(tmp_path: Path) -> None:
    first = take(tmp_path / "x.json")
    second = take(tmp_path / "x.json")
    assert (second.user, second.host) == (getpass.getuser(), platform.node())
    assert abs(datetime.fromisoformat(second.since) - datetime.now(UTC)) < timedelta(minutes=1)
    assert isinstance(take(tmp_path / "y.json"), SoftFileLease)
    first.release()
    assert isinstance(take(tmp_path / "x.json"), SoftFileLease)


@pytest.mark.slow
def test_the_lock_of_a_process_that_is_gone_is_taken_over(tmp_path: Path) -> None:
    code = (
        "import sys, os; from pathlib import Path; from dpwizard.base.file_lock import take; "
        "held = take(Path(sys.argv[1])); os._exit(1)"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "x.json")], check=False)
    assert file_lock.beside(tmp_path / "x.json").exists()
    assert isinstance(take(tmp_path / "x.json"), SoftFileLease)


def other_computers(tmp_path: Path, age: float) -> Path:
    place = file_lock.beside(tmp_path / "x.json")
    place.write_text(
        f"filelock/2\npid=1\nhost=elsewhere\nmode=lease\ntoken=t\nduration={file_lock.STALE}\nuser=ada\n", "utf-8"
    )
    now = place.stat().st_mtime
    os.utime(place, (now - age, now - age))
    return place


def test_the_lock_of_another_computer_holds_until_it_was_not_touched_for_long(tmp_path: Path) -> None:
    other_computers(tmp_path, file_lock.STALE / 2)
    found = take(tmp_path / "x.json")
    assert (found.user, found.host) == ("ada", "elsewhere")
    other_computers(tmp_path, file_lock.STALE * 2)
    assert isinstance(take(tmp_path / "x.json"), SoftFileLease)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b"filelock/2\npid=x"])
def test_a_lock_that_cannot_be_read_holds_until_it_is_old(tmp_path: Path, content: bytes) -> None:
    place = file_lock.beside(tmp_path / "x.json")
    place.write_bytes(content)
    assert take(tmp_path / "x.json") == Holder()
    os.utime(place, (1, 1))
    assert isinstance(take(tmp_path / "x.json"), SoftFileLease)


def test_a_clock_that_is_ahead_of_the_drives_takes_over_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other_computers(tmp_path, 0)
    ahead = time.time() + 3_600
    monkeypatch.setattr(time, "time", lambda: ahead)
    assert isinstance(take(tmp_path / "x.json"), Holder)


def test_a_heartbeat_notes_that_somebody_else_took_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_lock, "HEARTBEAT", 0.02)
    mine = take(tmp_path / "x.json")
    place = Path(mine.lock_file)
    os.utime(place, (1, 1))
    wait_until(lambda: place.stat().st_mtime > 1_000)
    assert mine.compromise is None
    place.unlink()
    other_computers(tmp_path, 0)
    wait_until(lambda: mine.compromise is not None)
    mine.release()
    assert place.exists()  # it is theirs


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_where_no_lock_can_be_made_none_is_held(tmp_path: Path) -> None:
    assert take(tmp_path / "no such folder" / "x.json") is None
    assert not (tmp_path / "no such folder").exists()
    assert take(tmp_path / ("n" * 255)) is None


@pytest.mark.slow
def test_of_many_that_take_over_a_stale_lock_no_two_get_it(tmp_path: Path) -> None:
    for _ in range(8):
        other_computers(tmp_path, file_lock.STALE * 2)
        with ThreadPoolExecutor(max_workers=8) as threads:
            got = list(threads.map(lambda _: take(tmp_path / "x.json"), range(8)))
        held = [one for one in got if isinstance(one, SoftFileLease)] or [take(tmp_path / "x.json")]
        assert len(held) == 1
        held[0].release()
