"""The report: one decision record as blocks, and the blocks as PDF, as text of 80 columns, as HTML, as pictures.

Two pages for those who sign, then a technical annex. What it says comes from the record: its numbers, what follows from
them in words, and what an officer typed. The report solves nothing.
"""

from __future__ import annotations

from dataclasses import replace

from dpwizard.decision import Paper
from dpwizard.records import Record
from dpwizard.report import signature_places, typesetting
from dpwizard.report.annex import annex
from dpwizard.report.blocks import Block, PageBreak, html, text
from dpwizard.report.content import Content, content
from dpwizard.report.page_one import ROOMS, Room, page_one, roles, title
from dpwizard.report.page_two import page_two
from dpwizard.report.pdf_objects import page_count
from dpwizard.report.signature_places import with_places
from dpwizard.report.typesetting import Sheet

__all__ = ["blocks", "html", "pictures", "text", "typeset"]


def blocks(record: Record) -> tuple[Block, ...]:
    """Return what RECORD says as blocks: page one, page two, and the annex part by part."""
    found = content(record)
    with found.spoken():
        return (*page_one(found, ROOMS[0]), PageBreak(), *page_two(found, ROOMS[0]), *annex(found))


def typeset(record: Record, *, paper: Paper | None = None) -> bytes:
    """Return RECORD typeset: a tagged PDF (PDF/A-3a, PDF/UA-1) with its JSON attached and empty places for signatures.

    PAPER is that of the record where none is named. The bytes follow from RECORD alone: the time is the record's, every
    number stands in it, the fonts are the bundled ones.
    """
    found = content(record)
    with found.spoken():
        on = paper or found.decision.paper or "a4"
        made = typesetting.pdf(*_fitted(found, on, found.data))
        return with_places(made, signature_places.places(roles(found), on), found.words("front", "not_signed"))


def pictures(record: Record, *, dots_per_inch: float = 96.0) -> tuple[bytes, ...]:
    """Return the pages of the typeset RECORD as PNG pictures, for looking at it before signing."""
    found = content(record)
    with found.spoken():
        fitted, sheet = _fitted(found, found.decision.paper or "a4", None)
        return typesetting.pictures(fitted, sheet, dots_per_inch=dots_per_inch)


def _fitted(found: Content, on: Paper, json_bytes: bytes | None) -> tuple[tuple[Block, ...], Sheet]:
    """Return the blocks of FOUND on their sheet, with as much on the first two pages as they hold."""
    for room in ROOMS:
        first, second = tuple(page_one(found, room)), tuple(page_two(found, room))
        sheet = _sheet(found, on, room)
        if all(page_count(typesetting.pdf(page, sheet)) == 1 for page in (first, second)):
            break
    attached = replace(sheet, attachment=json_bytes, attachment_name=found.name)
    return (*first, PageBreak(), *second, *annex(found)), attached


def _sheet(found: Content, paper: Paper, room: Room) -> Sheet:
    words, number = found.words, found.number
    return Sheet(
        title=title(found),
        language=words.language,
        seconds=found.seconds,
        heads=(words("document", "kind_public" if found.public else "kind"), words("document", "annex")),
        feet=tuple(words("document", f"foot_{key}", number=number, pages="{pages}") for key in ("1", "2", "annex")),
        authors=found.decision.details.authors,
        paper=paper,
        size=room.size,
    )
