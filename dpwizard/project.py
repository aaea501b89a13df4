"""The project file an officer chose: opened strictly, saved atomically."""

from __future__ import annotations

from pathlib import Path

from dpwizard import files, json_text
from dpwizard.decision import Decision, written
from dpwizard.record_files import read_any

ENDING = ".dpdecision.json"
LARGEST = 32 * 2**20  # bytes


def open_project(path: Path) -> Decision:
    """Return the decision in the project file (or the record) at PATH.

    Raises FileProblem or InvalidInput in words: which file, which field, what is allowed.
    """
    return read_any(files.read_bytes(path, LARGEST))


def save_project(path: Path, decision: Decision) -> None:
    """Write DECISION to PATH: the old file or the new one, never half of either. Raises FileProblem in words."""
    files.write_atomically(path, json_text.document(written(decision)), overwrite=True)
