"""A file layer that fails: a process killed at any call that changes a folder, and a plug pulled after any.

Every way in which the program changes files goes through these functions of `os`; a test holds it to that.
"""

from __future__ import annotations

import itertools
import os
import stat
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

CALLS = ("open", "write", "fsync", "close", "chmod", "replace", "rename", "link", "unlink", "mkdir", "utime")
KILLED, DONE, FAILED = 77, 78, 79


def forked(action: Callable[[], object]) -> int:
    """Return the process, a fork of this one, that does ACTION and ends with DONE, or with FAILED."""
    with warnings.catch_warnings():
        # of forking beside threads: the child starts none of theirs
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        status = FAILED
        try:
            action()
            status = DONE
        finally:
            os._exit(status)
    return child


def ended(child: int) -> int:
    """Return with which status the process CHILD ends."""
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def killed_at(at: int, action: Callable[[], object]) -> bool:
    """Do ACTION in a fork that dies before its AT-th call (from 0); return whether it came to that."""

    def armed() -> None:
        _arm(at)
        action()

    status = ended(forked(armed))
    assert status in (KILLED, DONE), f"the action failed by itself, after call {at - 1}"
    return status == KILLED


def _arm(at: int) -> None:
    made = itertools.count()
    die = os._exit

    def armed(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            if next(made) == at:
                die(KILLED)
            return real(*given, **named)

        return call

    patch = pytest.MonkeyPatch()  # never undone: this process ends with its action
    for name in CALLS:
        patch.setattr(os, name, armed(getattr(os, name)))


class Plug:
    """What a drive may hold once its plug was pulled, after every call: bytes that were flushed, and names as of the
    last flush of their folder; of the names changed since, any may be there or not."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self._folder, self._ids = folder, itertools.count()
        self._seen: dict[str, int] = {}  # by name, the number of its file on the drive
        self._files: dict[int, int] = {}  # by that number, which is used again, our own
        self._flushed: dict[int, bytes] = {}  # by our own number
        self._names: dict[str, int] = {}  # as of the last flush
        self._since: list[dict[str, int | None]] = []
        self.states: list[dict[str, bytes]] = []
        self._look()
        self._flushed = {self._files[number]: (folder / name).read_bytes() for name, number in self._seen.items()}
        self._names, self._since = self._now(), []
        for name in CALLS:
            patch.setattr(os, name, self._watching(name, getattr(os, name)))

    def _watching(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            made = real(*given, **named)
            if name == "fsync":
                self._flush(os.fstat(given[0]))
            self._look()
            self.states += self._possible()
            return made

        return call

    def _now(self) -> dict[str, int]:
        return {name: self._files[number] for name, number in self._seen.items()}

    def _look(self) -> None:
        """Note which names have changed."""
        before = dict(self._seen)
        self._seen = {entry.name: entry.inode() for entry in os.scandir(self._folder)}
        for number in set(self._seen.values()) - set(before.values()):
            self._files[number] = next(self._ids)
        names = before.keys() | self._seen.keys()
        changed = {name: self._seen.get(name) for name in names if before.get(name) != self._seen.get(name)}
        if changed:
            self._since.append({n: None if number is None else self._files[number] for n, number in changed.items()})

    def _flush(self, found: os.stat_result) -> None:
        if stat.S_ISDIR(found.st_mode):
            self._names, self._since = self._now(), []
            return
        name = next(name for name, number in self._seen.items() if number == found.st_ino)
        self._flushed[self._files[found.st_ino]] = (self._folder / name).read_bytes()

    def _possible(self) -> Iterator[dict[str, bytes]]:
        for kept in itertools.product((True, False), repeat=len(self._since)):
            names: dict[str, int | None] = dict(self._names)
            for change in itertools.compress(self._since, kept):
                names |= change
            yield {name: self._flushed.get(one, b"") for name, one in names.items() if one is not None}
