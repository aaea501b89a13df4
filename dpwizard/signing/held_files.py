"""The files of one record: held by one signer at a time, and changed together or not at all.

While somebody signs, a lock lies beside the record (`.NAME.json.jws.lock`). What the files are to become is written
beside them first (`.NAME.pdf.new`), what they were is kept (`.NAME.pdf.old`), and a plan (`.NAME.json.jws.plan`) says
both by hash. Only then is each put in its place, and once the plan is gone all of them are. Whoever signs and finds a
plan and nobody at work undoes it. Whoever only reads leaves everything as it lies: a plan may be anybody's.
"""

from __future__ import annotations

import contextlib
import glob
import hashlib
import json
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from dpwizard import file_lock, files
from dpwizard.errors import DPWizardError, FileProblem, SigningProblem
from dpwizard.messages import NO_MESSAGE, Message, joined, message
from dpwizard.signing.findings import Finding, Verification

if TYPE_CHECKING:
    from filelock import SoftFileLease

    Contents: TypeAlias = tuple[bytes | None, ...]  # of each file; None: it is not there
    Plan: TypeAlias = Mapping[str, tuple[str | None, str]]  # by name, the SHA-256 before and after

SIGNER_WAITS = 20.0  # seconds for whoever else is signing; that takes one or two
READER_WAITS = 3.0
PAUSE = 0.02  # seconds between two looks at a lock
LOOKS = 20  # how often files are read again that change while they are read, or beside which a plan lies
LARGEST_PLAN = 10_000  # bytes


class Held:
    """The files of a record while nobody else may change them: what they hold, and the way to change them."""

    def __init__(self, paths: tuple[Path, ...], lease: SoftFileLease) -> None:
        self._paths, self._lease = paths, lease
        self.contents: Contents = tuple(_content(path) for path in paths)

    def whole(self) -> tuple[bytes, ...]:
        """Return what the files hold; raises FileProblem where one of them is not there."""
        return tuple(
            files.read_bytes(path) if content is None else content  # says what is wrong with one that is not there
            for path, content in zip(self._paths, self.contents, strict=True)
        )

    def replace(self, made: Mapping[Path, bytes]) -> None:
        """Put what was MADE in the place of the files it names, all of them or none.

        Raises SigningProblem where a file is not any more what it was when it was read, FileProblem where one cannot
        be written; then all are as they were.
        """
        plan = {
            path.name: (_digest(before), _sha256(made[path]))
            for path, before in zip(self._paths, self.contents, strict=True)
            if path in made
        }
        try:
            for path, data in made.items():
                with files.said_of(path):
                    files.put_on_disk(_new(path), data, path)
                    if plan[path.name][0] is not None:
                        _keep(path)
            self._require_unchanged()
            with files.said_of(self._paths[-1]):
                self._follow(plan)
        except BaseException:
            with contextlib.suppress(OSError):
                _undo(self._paths)
            raise
        for path in self._paths:
            files.remove(_old(path))

    def _follow(self, plan: Plan) -> None:
        place = _plan(self._paths)
        files.put_on_disk(_new(place), json.dumps(plan).encode("utf-8"), self._paths[-1])
        os.replace(_new(place), place)
        files.flush_folder(place.parent)
        for path in (path for path in self._paths if path.name in plan):
            if plan[path.name][0] is None:
                files.rename_to_new(_new(path), path)
            else:
                os.replace(_new(path), path)
        files.flush_folder(place.parent)
        os.unlink(place)
        files.flush_folder(place.parent)

    def _require_unchanged(self) -> None:
        owner = self._lease.owner
        if owner is None or owner.token != self._lease.token or self._lease.compromise is not None:
            raise SigningProblem(
                "was taken over by somebody else while it was signed",
                files.printable(self._paths[0]),
                "Look at what lies there now, then sign.",
            )
        for path, before in zip(self._paths, self.contents, strict=True):
            if _content(path) != before:
                raise SigningProblem(
                    "was changed by another program while it was signed",
                    files.printable(path),
                    "Look at what lies there now, then sign.",
                )


@contextlib.contextmanager
def held(paths: tuple[Path, ...], wait: float = SIGNER_WAITS) -> Iterator[Held]:
    """Hold the files at PATHS, all in one folder; what a signing that was killed has left there is undone first.

    Raises FileProblem where somebody else still holds them after WAIT seconds, or where no lock can be made.
    """
    lease, place = _taken(paths, wait), file_lock.beside(paths[-1])
    try:
        with files.said_of(paths[-1]):
            _undo(paths)
            for broken in place.parent.glob(f"{glob.escape(place.name)}.break.*"):
                files.remove(broken)  # of whoever was killed while taking a lock over
        yield Held(paths, lease)
    finally:
        file_lock.give_back(lease)


def mend(paths: tuple[Path, ...]) -> None:
    """Undo what a signing that was killed has left beside the files at PATHS, for whoever is about to write them."""
    left = any(files.is_there(place) for place in _traces(paths))
    if left or files.is_there(file_lock.beside(paths[-1])):
        with contextlib.suppress(FileProblem), held(paths, READER_WAITS if left else 0.0):
            pass


def read(paths: tuple[Path, ...]) -> Contents:
    """Return what the files at PATHS hold, all of one moment if they stay the same for one; None for one not there.

    Nothing is written, and no plan is followed or undone: whoever signs puts the files in their places while one lies
    there, so it is waited for, no longer than LOOKS pauses. Raises FileProblem where a file cannot be read.
    """
    for _ in range(LOOKS):
        before = _marks(paths)
        found = tuple(_content(path) for path in paths)
        if _marks(paths) == before and not files.is_there(_plan(paths)):
            break
        time.sleep(PAUSE)
    return found


def left_beside(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return what lies beside the files at PATHS of a signing that goes on, or was killed."""
    return tuple(place for place in (*_traces(paths), file_lock.beside(paths[-1])) if files.is_there(place))


def ignored(paths: tuple[Path, ...]) -> Message:
    """Return which files of an unfinished signing lie beside PATHS and are ignored; nothing where none does."""
    left = left_beside(paths)
    if not left:
        return NO_MESSAGE
    return message(
        "ignored, as somebody is signing the record or a signing was not finished: {names}",
        names=joined([files.printable(Path(place.name)) for place in left], ", "),
    )


def with_ignored(found: Verification, paths: tuple[Path, ...]) -> Verification:
    """Return FOUND with what lies beside the files at PATHS and was ignored, where something does."""
    why = ignored(paths)
    if not why:
        return found
    finding = Finding(
        check="ignored", title="Nothing of an unfinished signing lies beside the record", ok=None, why=why
    )
    return found.model_copy(update={"findings": (*found.findings, finding)})


# ------------------------------------------------------------------------------------------- what lies beside


def _new(path: Path) -> Path:
    return path.with_name(f".{path.name}.new")


def _old(path: Path) -> Path:
    return path.with_name(f".{path.name}.old")


def _plan(paths: tuple[Path, ...]) -> Path:
    return paths[-1].with_name(f".{paths[-1].name}.plan")


def _traces(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return all that a signing may leave, the plan first."""
    plan = _plan(paths)
    return plan, _new(plan), *(beside for path in paths for beside in (_new(path), _old(path)))


def _taken(paths: tuple[Path, ...], wait: float) -> SoftFileLease:
    until = time.monotonic() + wait
    while isinstance(found := file_lock.take(paths[-1]), file_lock.Holder):
        if time.monotonic() > until:
            raise FileProblem(
                message("is being signed by {user} on {host}", user=found.user or "?", host=found.host or "?"),
                files.printable(paths[0]),
                "Try again when they are done.",
            )
        time.sleep(PAUSE)
    if found is None:
        raise FileProblem("cannot be locked, so it cannot be signed", files.printable(paths[-1]), files.REMEDY)
    return found


def _keep(path: Path) -> None:
    """Keep what PATH holds under another name: by a second name of the same file, or by a copy."""
    try:
        os.link(path, _old(path))
    except OSError:  # no hard links here (some network drives)
        files.put_on_disk(_old(path), files.read_bytes(path), path)


def _undo(paths: tuple[Path, ...]) -> None:
    """Have the files be what they were before a plan that was not followed to its end; remove all that it left."""
    traces = _traces(paths)
    plan = _read_plan(paths)
    for path in (path for path in paths if path.name in plan):
        before, after = plan[path.name]
        if _digest(_content(path)) == after != before:
            if before is None:
                os.unlink(path)
            elif _digest(_content(_old(path))) == before:
                os.replace(_old(path), path)
    if files.is_there(traces[0]):
        files.flush_folder(paths[-1].parent)
        os.unlink(traces[0])
        files.flush_folder(paths[-1].parent)
    for beside in traces[1:]:
        files.remove(beside)


def _read_plan(paths: tuple[Path, ...]) -> Plan:
    """Return what was planned, of these files alone; nothing where there is no plan, or none that can be followed."""
    place = _plan(paths)
    if not files.is_there(place):
        return {}
    try:
        said = json.loads(files.read_bytes(place, LARGEST_PLAN))
        return {path.name: (said[path.name][0], str(said[path.name][1])) for path in paths if path.name in said}
    except (DPWizardError, ValueError, TypeError, LookupError, RecursionError):
        return {}


def _marks(paths: tuple[Path, ...]) -> tuple[tuple[int, int, int] | None, ...]:
    """Return what is another after a file was replaced: its number on the drive, its size, when it was changed."""
    return tuple(_mark(path) for path in paths)


def _mark(path: Path) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _content(path: Path) -> bytes | None:
    return files.read_bytes(path) if files.is_there(path) else None


def _digest(content: bytes | None) -> str | None:
    return None if content is None else _sha256(content)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
