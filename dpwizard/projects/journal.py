"""The journal: unsaved changes, written to disk within a second, for recovery after a crash or power cut.

A journal is a text file; each line starts with the SHA-256 of the rest. The first line names the project file, and each
other one holds a state of the decision. Incomplete or damaged lines are ignored; the last valid one is recovered.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpwizard.base import files
from dpwizard.base.errors import DPWizardError, FileProblem
from dpwizard.base.file_lock import Holder, give_back, is_free, take
from dpwizard.decision import Decision, read_decision, to_json

if TYPE_CHECKING:
    from filelock import SoftFileLease

FORMAT = "dpwizard.journal/1"
ENDING = ".journal"
LARGEST = 64 * 2**20  # bytes
COMPACTED = 8 * 2**20  # bytes from which a journal is rewritten with its last state alone
MOST_STEPS = 200  # names of edits in an entry


@dataclass(frozen=True, kw_only=True)
class LeftWork:
    """Unsaved work in a journal: the last decision, its project file, and the edits since the last save."""

    path: Path
    decision: Decision
    file: str | None  # the project file; None: never saved
    base: str | None  # the SHA-256 of the project file when it was opened or last saved
    time: str  # of the last entry
    steps: tuple[str, ...]  # names of the edits since the last save, the oldest first

    @property
    def abandoned(self) -> bool:
        """Return whether the program that wrote it has ended, so that its lock is free."""
        return is_free(self.path)


class Journal:
    """Writes one journal. Every `write` is on disk when it returns."""

    def __init__(self, path: Path, file: Path | None, base: str | None) -> None:
        self.path = path
        self._head = {"format": FORMAT, "file": None if file is None else str(file), "base": base}
        self._begun = False
        self._lock: SoftFileLease | Holder | None = None  # shows that this program is running

    def write(self, decision: Decision, steps: tuple[str, ...], time: str) -> None:
        """Add DECISION, reached by STEPS, at TIME; raises FileProblem, which leaves earlier entries unchanged."""
        entry = _line({"time": time, "steps": list(steps[-MOST_STEPS:]), "decision": to_json(decision)})
        try:
            size = self.path.stat().st_size if self._begun else 0
        except OSError:
            size = 0
        if not self._begun:
            self.leave()
            self._lock = take(self.path)
        if size == 0 or size + len(entry) > COMPACTED:
            files.write_atomically(self.path, _line(self._head) + entry, private=True, overwrite=True, folder=False)
        else:
            self._append(entry)
        self._begun = True

    def _append(self, entry: bytes) -> None:
        try:
            with self.path.open("ab") as stream:
                stream.write(entry)
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as problem:
            raise FileProblem(files.reason(problem), str(self.path), files.REMEDY) from None

    def restart(self) -> None:
        """Write the next state to a new file."""
        self._begun = False

    def remove(self) -> None:
        """Delete the journal, when its work is saved or discarded."""
        self._begun = False
        with contextlib.suppress(OSError):
            self.path.unlink()
        self.leave()

    def leave(self) -> None:
        """Release the lock of the journal, and leave its file."""
        give_back(self._lock)
        self._lock = None


def beside(path: Path) -> Path:
    """Return the path of the journal of the project file PATH."""
    return path.with_name(f".{path.name}{ENDING}")


def elsewhere(path: Path, folder: Path) -> Path:
    """Return the path in FOLDER of the journal of the project file PATH, whose own folder is read-only."""
    return folder / f"{hashlib.sha256(os.fsencode(os.path.abspath(path))).hexdigest()[:32]}{ENDING}"


def of_names(path: Path, folder: Path) -> tuple[Path, Path]:
    """Return both possible paths of the journal of PATH: in its own folder and in FOLDER."""
    return beside(path), elsewhere(path, folder)


def without_file(folder: Path) -> Path:
    """Return a new path in FOLDER for the journal of a decision without a file."""
    return folder / f"unsaved-{os.getpid()}-{os.urandom(4).hex()}{ENDING}"


def read(path: Path) -> LeftWork | None:
    """Return the work in the journal at PATH; None if there is no valid entry."""
    try:
        data = files.read_bytes(path, LARGEST)
    except FileProblem:
        return None
    lines = [content for line in data.split(b"\n") if (content := _content(line)) is not None]
    if not lines or not isinstance(lines[0], dict) or lines[0].get("format") != FORMAT:
        return None
    head = lines[0]
    for entry in reversed(lines[1:]):
        decision = _decision(entry)
        if decision is not None:
            steps = entry.get("steps")
            return LeftWork(
                path=path,
                decision=decision,
                file=_text(head, "file"),
                base=_text(head, "base"),
                time=_text(entry, "time") or "",
                steps=tuple(step for step in steps if isinstance(step, str)) if isinstance(steps, list) else (),
            )
    return None


def of_file(path: Path, folder: Path, *, held: bool = False) -> LeftWork | None:
    """Return the work that an ended program left in the journal of PATH, in its own folder or in FOLDER.

    HELD: this program has the lock on PATH, so the one that wrote the journal in its folder has ended.
    """
    for place in of_names(path, folder):
        work = read(place)
        if work is not None and (work.abandoned or (held and place == beside(path))):
            return work
    return None


def left_in(folder: Path) -> tuple[LeftWork, ...]:
    """Return the work in the journals in FOLDER whose programs have ended, the newest first."""
    try:
        places = sorted(folder.glob(f"*{ENDING}"))
    except OSError:
        return ()
    works = [work for place in places if (work := read(place)) is not None and work.abandoned]
    return tuple(sorted(works, key=lambda work: work.time, reverse=True))


def _line(content: Any) -> bytes:
    payload = json.dumps(content, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")
    return hashlib.sha256(payload).hexdigest().encode("ascii") + b" " + payload + b"\n"


def _content(line: bytes) -> Any:
    digest, _, payload = line.partition(b" ")
    if hashlib.sha256(payload).hexdigest().encode("ascii") != digest:
        return None
    try:
        return json.loads(payload)
    except (ValueError, RecursionError):
        return None


def _decision(entry: Any) -> Decision | None:
    try:
        return read_decision(entry["decision"]) if isinstance(entry, dict) and "decision" in entry else None
    except DPWizardError:
        return None


def _text(raw: Any, name: str) -> str | None:
    value = raw.get(name)
    return value if isinstance(value, str) else None
