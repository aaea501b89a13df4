"""Versions of the document: the pages of a record that was signed are typeset again, to the byte, years later.

Each record names the version its pages were made by. When the bytes of a page change after a release, the version is
raised, and the template and the words of the one before are kept in `resources/report/released/` (docs/decisions,
note 93); what the code says otherwise asks `Content.version`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import metadata
from pathlib import Path
from types import MappingProxyType

from dpwizard.language import words_from
from dpwizard.records import DOCUMENT
from dpwizard.resource_files import resource

# by version of the document: the typesetter that makes its bytes
TYPESETTERS = MappingProxyType(dict.fromkeys((1, 2, 3, 4, 5), "0.15.0"))
UNSTATED = 3  # by which a record is typeset that was made before documents had versions
# by name, the fields of a requirement and what else of pages came later: the first version whose pages have it
ADDED = MappingProxyType(
    {"statement": 2, "every_table": 3, "whole_numbers": 3, "reviewers": 4, "letterhead": 5, "allowed_up": 5}
)
_SET: ContextVar[int] = ContextVar("document", default=DOCUMENT)


@contextmanager
def typeset_as(version: int) -> Iterator[None]:
    """Take template and words of VERSION of the document, one of TYPESETTERS, inside the block."""
    before = _SET.set(version)
    try:
        if version == DOCUMENT:
            yield
        else:
            with words_from(resource("report", "released", str(version), "locale")):
                yield
    finally:
        _SET.reset(before)


def part(name: str) -> Path:
    """Return where NAME, a file of the template, lies in the version that is typeset here."""
    version = _SET.get()
    return resource("report", name) if version == DOCUMENT else resource("report", "released", str(version), name)


def prints(field: str) -> bool:
    """Return whether the pages that are typeset here print FIELD of a requirement, or the section of that name."""
    return ADDED.get(field, 1) <= _SET.get()


def in_plain_words() -> bool:
    """Return whether the pages that are typeset here say beliefs and the worst truth in words, not by their keys."""
    return _SET.get() >= 3


def rebuilt_here(version: int) -> bool:
    """Return whether the typesetter here is the one that makes the bytes of VERSION."""
    return metadata.version("typst") == TYPESETTERS[version]
