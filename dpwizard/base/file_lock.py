"""A lock file next to an open file: a second window opens it read-only, and a second signer waits.

It works on network drives, where system locks do not: a lease of filelock names computer and process, and is touched
every HEARTBEAT seconds. Another process takes it over when the owner's process has ended (on the same computer) or has
not touched it for STALE seconds. This module adds user and time, to be shown to others.
"""

from __future__ import annotations

import contextlib
import getpass
import os
import platform
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from filelock import SoftFileLease

HEARTBEAT = 20.0  # seconds between two touches
STALE = 120.0  # seconds without a touch after which another computer may take over
PAUSE = 0.1  # seconds until another process that took over a stale lock at the same time is visible
LARGEST = 1_000  # bytes: filelock reads no more than 1,024


@dataclass(frozen=True, kw_only=True)
class Holder:
    """Who holds a file: user, computer and since when."""

    user: str = ""
    host: str = ""
    since: str = ""


def beside(path: Path) -> Path:
    """Return the path of the lock of the project file PATH."""
    return path.with_name(f".{path.name}.lock")


def take(path: Path) -> SoftFileLease | Holder | None:
    """Lock the project file PATH; return the lock, else its holder, else None (no lock is possible in the folder)."""
    from filelock import LeaseSettingsMismatch, SoftFileLease, Timeout

    place = beside(path)
    lease = SoftFileLease(
        os.path.abspath(place), lease_duration=STALE, heartbeat_interval=HEARTBEAT, timeout=0, thread_local=False
    )
    try:
        if not place.parent.is_dir():  # a disconnected drive: filelock would create the folder
            return None
        taken_over = place.exists()
        if _is_fresh(lease):
            return read_holder(place)
        if taken_over:
            with contextlib.suppress(Timeout):
                lease.acquire()  # removes a stale lock
        if not lease.is_locked:
            lease.acquire()
        with contextlib.suppress(FileNotFoundError), place.open("r+", encoding="utf-8") as stream:
            stream.seek(0, os.SEEK_END)
            since = datetime.fromtimestamp(os.fstat(stream.fileno()).st_mtime, UTC)
            stream.write(f"user={_user()}\nsince={since.isoformat(timespec='seconds')}\n")
        if taken_over:
            time.sleep(PAUSE)
        if lease.owner is None or lease.owner.token != lease.token:  # another process took over at the same time
            lease.release()
            return read_holder(place)
    except (Timeout, LeaseSettingsMismatch):
        return read_holder(place)
    except (OSError, ValueError):
        lease.release()
        return None
    return lease


def give_back(lock: SoftFileLease | Holder | None) -> None:
    """Release the result of `take`, if it is a lock."""
    if lock is not None and not isinstance(lock, Holder):
        lock.release()


def is_free(path: Path) -> bool:
    """Return whether the file PATH is not locked."""
    lock = take(path)
    give_back(lock)
    return not isinstance(lock, Holder)


def read_holder(place: Path) -> Holder:
    """Return the holder named in the lock file PLACE; a Holder without names if it cannot be read."""
    try:
        with place.open("rb") as stream:
            lines = stream.read(LARGEST).decode("utf-8").splitlines()
    except (OSError, ValueError):
        return Holder()
    fields = dict(line.split("=", 1) for line in lines if "=" in line)
    return Holder(**{name: fields.get(name, "") for name in ("user", "host", "since")})


def _user() -> str:
    try:
        return " ".join(getpass.getuser().split())[:100]
    except (OSError, KeyError, ImportError):
        return ""


def _is_fresh(lease: SoftFileLease) -> bool:
    """Return whether another computer touched the lock within STALE seconds, by the clock of the drive."""
    owner, place = lease.owner, Path(lease.lock_file)
    if owner is None or owner.hostname == platform.node():
        return False
    try:
        with tempfile.TemporaryFile(dir=place.parent) as probe:
            return os.fstat(probe.fileno()).st_mtime - place.stat().st_mtime < STALE
    except OSError:
        return False
