"""Versions of the document: the pages of a record are typeset again, to the byte, by the version that it names.

When the bytes of a page change after a release, the version is raised (docs/decisions, note 93); the golden records of
the tests say when they do.
"""

from __future__ import annotations

from importlib import metadata

from dpwizard.records import DOCUMENT

TYPESETTER = "0.15.0"  # of Typst: another one makes other bytes


def rebuilt_here(document: str) -> bool:
    """Return whether the pages of this version of the DOCUMENT are made here, to the byte."""
    return document == DOCUMENT and metadata.version("typst") == TYPESETTER
