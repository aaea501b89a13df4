"""Paths of the texts, fonts, templates, examples and the guide."""

from __future__ import annotations

from pathlib import Path

from dpwizard.base.errors import FileProblem
from dpwizard.base.program_folder import PROGRAM

FOLDER = PROGRAM / "resources"
DOCUMENTS = PROGRAM / "docs"  # the guide, the methods and the pictures they show


def resource(*parts: str) -> Path:
    """Return the path of a resource; raises FileProblem if the installation lacks it."""
    path = FOLDER.joinpath(*parts)
    if not path.exists():
        raise FileProblem("is missing from this installation", str(path), "Install the program again.")
    return path
