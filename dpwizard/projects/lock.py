"""Who has a project file open: a small file beside it, so that a second window only looks.

It works where lock calls of the system do not (network drives): the file is made exclusively, names user, computer and
process, and is touched every HEARTBEAT seconds. It is stale when its process is gone (seen on the same computer) or
when it was not touched for STALE seconds by the clock of the drive itself, read from a file made there for the purpose.
"""

from __future__ import annotations

import contextlib
import getpass
import json
import os
import platform
import tempfile
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

HEARTBEAT = 20.0  # seconds between two touches
STALE = 120.0  # seconds without a touch after which another computer may take over
LARGEST = 4_096  # bytes
ATTEMPTS = 5


@dataclass(frozen=True, kw_only=True)
class Holder:
    """Who holds a file: user, computer, process (with the tick it was started at, where known) and since when."""

    user: str = ""
    host: str = ""
    process: int = 0
    born: str = ""
    since: str = ""
    token: str = ""


class FileLock:
    """A lock that is held; `release` gives it back."""

    def __init__(self, path: Path, holder: Holder) -> None:
        self.path = path
        self.holder = holder

    def touch(self) -> bool:
        """Say that the holder is still there; return whether the lock is still its own."""
        if read_holder(self.path) != self.holder:
            return False
        with contextlib.suppress(OSError):
            os.utime(self.path)
        return True

    def release(self) -> None:
        """Give the lock back, if it is still its holder's."""
        if read_holder(self.path) == self.holder:
            with contextlib.suppress(OSError):
                self.path.unlink()


def beside(path: Path) -> Path:
    """Return where the lock of the project file PATH lies."""
    return path.with_name(f".{path.name}.lock")


def take(path: Path) -> FileLock | Holder | None:
    """Return the lock on the project file PATH, or who holds it; None where no lock can be made (a folder one may only
    read)."""
    place = beside(path)
    for _ in range(ATTEMPTS):
        try:
            return FileLock(place, _make(place))
        except FileExistsError:
            found = read_holder(place)
            if found is None:
                continue  # gone between two looks
            if not _is_stale(place, found):
                return found
            _break(place, found)
        except (OSError, ValueError):
            return None
    return read_holder(place)


def read_holder(place: Path) -> Holder | None:
    """Return who the lock at PLACE names; a Holder without names if it cannot be read; None if there is none."""
    try:
        with place.open("rb") as stream:
            raw: Any = json.loads(stream.read(LARGEST))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError):
        return Holder()
    if not isinstance(raw, dict):
        return Holder()
    process = raw.get("process")
    texts = {
        name: value for name in ("user", "host", "born", "since", "token") if isinstance(value := raw.get(name), str)
    }
    return Holder(process=process if isinstance(process, int) and 0 < process < 2**31 else 0, **texts)


def this_process(since: str = "") -> Holder:
    """Return this process as a holder."""
    try:
        user = getpass.getuser()
    except (OSError, KeyError, ImportError):
        user = ""
    return Holder(
        user=user,
        host=platform.node(),
        process=os.getpid(),
        born=_born(os.getpid()),
        since=since,
        token=f"{os.urandom(8).hex()}",
    )


def is_alive(holder: Holder) -> bool:
    """Return whether the process HOLDER names runs on this computer; True where that cannot be told."""
    if holder.host != platform.node():
        return True
    if holder.process == os.getpid():
        return holder.born == _born(os.getpid())
    if os.name == "posix":
        try:
            os.kill(holder.process, 0)
        except ProcessLookupError:
            return False
        except OSError:
            return True
        return not holder.born or holder.born == _born(holder.process)
    return _runs_on_windows(holder.process)


def _make(place: Path) -> Holder:
    handle = os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644)
    with os.fdopen(handle, "wb") as stream:
        since = datetime.fromtimestamp(os.fstat(stream.fileno()).st_mtime, UTC).isoformat(timespec="seconds")
        holder = this_process(since)
        stream.write(json.dumps(asdict(holder)).encode("ascii"))
    return holder


def _is_stale(place: Path, holder: Holder) -> bool:
    if holder.process and holder.host == platform.node():
        return not is_alive(holder)
    try:
        with tempfile.TemporaryFile(dir=place.parent) as probe:  # the drive's own clock
            now = os.fstat(probe.fileno()).st_mtime
        return now - place.stat().st_mtime > STALE
    except OSError:
        return False


def _break(place: Path, holder: Holder) -> None:
    """Remove a stale lock; of two processes that try at once, one does it."""
    aside = place.with_name(f"{place.name}.{os.urandom(4).hex()}")
    try:
        os.rename(place, aside)
        if read_holder(aside) != holder:
            os.link(aside, place)  # somebody else's, made in between
        aside.unlink()
    except OSError:
        return


def _born(process: int) -> str:
    """Return the tick at which PROCESS was started, so that a number used again is told from the first; "" where
    unknown."""
    try:
        with Path(f"/proc/{process}/stat").open("rb") as stream:
            return stream.read(2_048).rpartition(b")")[2].split()[19].decode("ascii")
    except (OSError, IndexError, ValueError):
        return ""


def _runs_on_windows(process: int) -> bool:
    import ctypes

    kernel = getattr(ctypes, "windll", None)
    if kernel is None:
        return True
    handle = kernel.kernel32.OpenProcess(0x1000, False, process)  # PROCESS_QUERY_LIMITED_INFORMATION
    if handle:
        kernel.kernel32.CloseHandle(handle)
    return bool(handle)
