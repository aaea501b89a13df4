"""Where the texts, fonts, templates, examples and the guide lie: beside the package, from source and in the frozen
program alike."""

from __future__ import annotations

from pathlib import Path

from dpwizard.errors import FileProblem

FOLDER = Path(__file__).resolve().parent.parent / "resources"
DOCUMENTS = FOLDER.parent / "docs"  # the guide, the methods and the pictures they show


def resource(*parts: str) -> Path:
    """Return the path of a resource; raises FileProblem if the installation lacks it."""
    path = FOLDER.joinpath(*parts)
    if not path.exists():
        raise FileProblem("is missing from this installation", str(path), "Install the program again.")
    return path
