"""The journal: what was done since the last save, on disk within a second, against crashes and power cuts.

A journal is a text file of lines, each with the SHA-256 of what follows on it: first whose journal it is, then a
decision for each state that was written. A line that was cut off, or is damaged, is not counted; the last whole one is
recovered.
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
COMPACTED = 8 * 2**20  # bytes from which a journal is written anew with its last state alone
MOST_STEPS = 200  # names of edits that an entry holds


@dataclass(frozen=True, kw_only=True)
class LeftWork:
    """What a journal holds: the last decision, of which file and of which state of it, and what had been done."""

    path: Path
    decision: Decision
    file: str | None  # the project file it belongs to; None: it had none yet
    base: str | None  # the SHA-256 of the project file when it was opened or last saved
    time: str  # of the last entry
    steps: tuple[str, ...]  # names of the edits since the last save, the oldest first

    @property
    def abandoned(self) -> bool:
        """Return whether the program that wrote it is gone, and its lock with it."""
        return is_free(self.path)


class Journal:
    """Writes one journal. Every `write` is on disk when it returns."""

    def __init__(self, path: Path, file: Path | None, base: str | None) -> None:
        self.path = path
        self._head = {"format": FORMAT, "file": None if file is None else str(file), "base": base}
        self._begun = False
        self._lock: SoftFileLease | Holder | None = None  # says that whoever writes the journal is still there

    def write(self, decision: Decision, steps: tuple[str, ...], time: str) -> None:
        """Add DECISION, reached by STEPS, as it was at TIME; raises FileProblem, and what was written before stays."""
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
        """Write the next state to a file begun anew."""
        self._begun = False

    def remove(self) -> None:
        """Delete the journal: all it holds is saved, or was discarded by the officer."""
        self._begun = False
        with contextlib.suppress(OSError):
            self.path.unlink()
        self.leave()

    def leave(self) -> None:
        """Leave the journal as it is, and give its lock back."""
        give_back(self._lock)
        self._lock = None


def beside(path: Path) -> Path:
    """Return where the journal of the project file PATH lies."""
    return path.with_name(f".{path.name}{ENDING}")


def elsewhere(path: Path, folder: Path) -> Path:
    """Return where the journal of the project file PATH lies in FOLDER, where its own folder cannot be written."""
    return folder / f"{hashlib.sha256(os.fsencode(os.path.abspath(path))).hexdigest()[:32]}{ENDING}"


def of_names(path: Path, folder: Path) -> tuple[Path, Path]:
    """Return where the journal of PATH is looked for: beside it, and in FOLDER."""
    return beside(path), elsewhere(path, folder)


def without_file(folder: Path) -> Path:
    """Return a new place in FOLDER for the journal of a decision that has no file yet."""
    return folder / f"unsaved-{os.getpid()}-{os.urandom(4).hex()}{ENDING}"


def read(path: Path) -> LeftWork | None:
    """Return what the journal at PATH holds; None if there is none, or nothing whole in it."""
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
    """Return what a program that is gone left in the journal of the project file PATH, beside it or in FOLDER.

    HELD: the lock on PATH is ours, so that whoever wrote the journal beside it is gone, on whatever computer.
    """
    for place in of_names(path, folder):
        found = read(place)
        if found is not None and (found.abandoned or (held and place == beside(path))):
            return found
    return None


def left_in(folder: Path) -> tuple[LeftWork, ...]:
    """Return the journals in FOLDER whose programs are gone, the newest first."""
    try:
        places = sorted(folder.glob(f"*{ENDING}"))
    except OSError:
        return ()
    found = [journal for place in places if (journal := read(place)) is not None and journal.abandoned]
    return tuple(sorted(found, key=lambda journal: journal.time, reverse=True))


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
