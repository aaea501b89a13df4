"""What stands around the text of a record: its letterhead, of which edition it is; and a field as it is printed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dpwizard.base.values import Value
from dpwizard.report.blocks import Block, Letterhead, Note
from dpwizard.report.content import Content
from dpwizard.report.values import cut, label, written
from dpwizard.wording import figures

LONGEST_LETTERS = 80  # characters of a line of the letterhead


def label_and_value(found: Content, owner: type[Value], name: str, value: Any) -> tuple[str, str]:
    """Return a field's label and its value as printed, or that it was not assessed."""
    if value in (None, (), ""):
        return label(owner, name), found.not_assessed
    date = found.date(value) if name.endswith("date") else None
    return label(owner, name), date or written(name, value, found.words)


def edition_note(found: Content) -> Iterator[Block]:
    """Return, for a public edition, from how many requirements it was made, and of which record."""
    public = found.record.public
    if public is None:
        return
    counts = {"requirements": figures.whole(public.requirements), "of": figures.whole(public.of)}
    yield Note(text=found.words("edition", "note", **counts, hash=public.internal_sha256))


def letterhead(found: Content) -> Iterator[Block]:
    """Return the letterhead above page one, if there is one, and that it is a claim.

    It stands outside the text: whoever reads a logo as a seal is told beside it that nobody checked it.
    """
    if (letters := found.decision.letterhead) is not None:
        lines = tuple(cut(line, LONGEST_LETTERS) for line in letters.lines)
        name, claim = cut(letters.name, LONGEST_LETTERS), found.words("document", "letterhead")
        yield Letterhead(name=name, lines=lines, claim=claim, logo=letters.picture, shape=letters.shape)
