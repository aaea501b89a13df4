"""Project files: read strictly, saved atomically, never over a record or a file of a newer version."""

from __future__ import annotations

import errno
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpwizard.base import files, json_text
from dpwizard.base.errors import DPWizardError, FileChanged, FileProblem
from dpwizard.decision import Decision, to_json
from dpwizard.projects.newer import is_newer, read_newer
from dpwizard.records import is_record, read_any
from dpwizard.signing import RecordFiles

LARGEST = 32 * 2**20  # bytes


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A project file that was read."""

    decision: Decision
    digest: str  # SHA-256 of its bytes
    newer: str = ""  # the format of a file written by a newer version, which is never overwritten
    left_out: tuple[str, ...] = ()  # paths in such a file that this version cannot read
    of_record: bool = False  # a record, which is never overwritten


def read_project(path: Path) -> Opened:
    """Read the project file or record at PATH.

    A file of a newer version is read as far as possible. Raises FileProblem or InvalidInput.
    """
    data = files.read_bytes(path, LARGEST)
    raw = json_text.parse(data)
    if is_newer(raw):
        decision, left_out = read_newer(raw)
        return Opened(decision=decision, digest=_sha256(data), newer=str(raw["format"]), left_out=left_out)
    return Opened(decision=read_any(data), digest=_sha256(data), of_record=is_record(raw) or is_record_file(path))


def open_project(path: Path) -> Decision:
    """Return the decision in the project file or record at PATH; raises as `read_project` does."""
    return read_project(path).decision


def save_project(path: Path, decision: Decision, expected: str | None = None) -> str:
    """Write DECISION to PATH atomically; return the SHA-256 of the file.

    Arguments: expected, the SHA-256 of the file when it was opened or last saved (None: any content may be replaced).
    Raises FileChanged if the content has changed, FileProblem if it cannot be written, or is a record or a decision of
    a newer version; then it is unchanged.
    """
    try:
        target = Path(os.path.realpath(path))  # to keep a link
    except ValueError:
        raise FileProblem("is not a file name", repr(str(path)[:80]), "Check the name.") from None
    data = json_text.document(to_json(decision))
    if not files.is_folder(target.parent):
        raise FileProblem(files.REASONS[errno.ENOENT], files.printable(target), files.REMEDY)
    _require_replaceable(target, expected)
    files.write_atomically(target, data, overwrite=True, folder=False)
    return _sha256(data)


def is_writable(path: Path) -> bool:
    """Return whether the permissions of PATH and its folder allow saving."""
    try:
        return os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))
    except (OSError, ValueError):
        return False


def is_record_file(path: Path) -> bool:
    """Return whether PATH is a signed record: there is a signature file for it."""
    try:
        place = RecordFiles.beside(path)
        return files.may_be_there(place.before_1_0) or any(path.suffix == ".jws" for path in place.there)
    except (DPWizardError, ValueError):
        return False


def _require_replaceable(target: Path, expected: str | None) -> None:
    """Raise FileProblem if TARGET must not be overwritten."""
    if is_record_file(target):
        raise FileProblem(
            "is a signed record", files.printable(target), "Choose another name; a record stays as it was signed."
        )
    try:
        if not target.exists():
            return
        if not os.access(target, os.W_OK):
            raise FileProblem("is read-only", files.printable(target), "Choose another name; nothing was overwritten.")
        data = files.read_bytes(target, LARGEST)
    except (OSError, ValueError):
        return  # writing reports the error
    if expected is not None and _sha256(data) != expected:
        raise FileChanged(
            "was changed by another program since you opened it", files.printable(target), "Save under another name."
        )
    _require_no_other_document(target, data)


def _require_no_other_document(target: Path, data: bytes) -> None:
    try:
        raw: Any = json_text.parse(data)
    except DPWizardError:
        return
    if is_record(raw):
        raise FileProblem(
            "is a decision record", files.printable(target), "Choose another name; a record stays as it was made."
        )
    if is_newer(raw):
        raise FileProblem(
            "was written by a newer version of this program",
            files.printable(target),
            "Choose another name; it stays as it is.",
        )


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
