"""Typesetting blocks as PDF or pictures of pages, by a Typst template that reads the blocks as data.

The template is the only markup. Texts, figures and the attached JSON are input strings, which Typst never evaluates,
and it can read only the folder of the template. With bundled fonts and the stated time, equal records give equal bytes
on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from importlib import metadata
from typing import Any

from dpwizard.base import json_text
from dpwizard.base.errors import FileProblem
from dpwizard.charts import glyphs, svg
from dpwizard.decision import Paper
from dpwizard.records import DOCUMENT
from dpwizard.report import typesetter
from dpwizard.report.appearance import FIELD
from dpwizard.report.blocks import Block, Figure, Letterhead, Signatures, Table
from dpwizard.report.signature_places import BETWEEN as BETWEEN_ROWS
from dpwizard.report.signature_places import GAP, ROW, across
from dpwizard.report.typesetter import Job
from dpwizard.report.values import cut

DIGIT = re.compile(r"\d")
TEXT_WIDTH = 453.5  # points between the margins of an A4 page; a letter page has a few more
THOUSANDS = "\u202f"  # thousands separator of German numbers
CELL, BETWEEN = 9.0, 10.0  # points: font size of a table, and space between cells
LOGO = 50.0, 12.0  # millimetres: the widest and the highest
VERSION = "0.15.0"  # of Typst: others give different bytes
SMALLEST = 5.5  # points: least readable font size
LONGEST_ALTERNATIVE, LONGEST_NAME = 8_000, 100  # a PDF string has at most 32,767 bytes


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """The document around the blocks: its title, language and time, headers, footers and the attachment."""

    title: str
    language: str
    seconds: int  # the stated time, as seconds since 1970
    heads: tuple[str, str]  # from page two: of the signed pages, and of the annex
    feet: tuple[str, ...]  # of page one, page two and the annex; {pages} is the number of pages of the annex
    authors: tuple[str, ...] = ()
    paper: Paper = "a4"
    size: float = 10.0  # of running text, in points
    attachment_name: str = ""
    attachment: bytes | None = None


def rebuilt_here(document: str) -> bool:
    """Return whether this program reproduces the pages of this DOCUMENT version (docs/decisions, note 93) exactly."""
    return document == DOCUMENT and metadata.version("typst") == VERSION


def pdf(blocks: Sequence[Block], sheet: Sheet) -> bytes:
    """Return BLOCKS as a tagged PDF, PDF/A-3a and PDF/UA-1, with the JSON attached.

    Raises FileProblem if the typesetter fails, which is a defect of this program.
    """
    job = Job(form="pdf", inputs=_inputs(blocks, sheet, extended=True), seconds=sheet.seconds)
    try:
        return typesetter.typeset(job)[0]
    except FileProblem:  # a character that no font has: use only those of Inter
        return typesetter.typeset(replace(job, inputs=_inputs(blocks, sheet, extended=False)))[0]


def pictures(blocks: Sequence[Block], sheet: Sheet, *, dots_per_inch: float = 96.0) -> tuple[bytes, ...]:
    """Return the pages as PNG pictures."""
    inputs = _inputs(blocks, sheet, extended=False)
    return typesetter.typeset(Job(form="png", inputs=inputs, seconds=sheet.seconds, dots_per_inch=dots_per_inch))


def _inputs(blocks: Sequence[Block], sheet: Sheet, *, extended: bool) -> dict[str, str]:
    """Return the inputs of the template: one JSON text, and the attached file as text."""
    frame = {
        "title": sheet.title,
        "short": cut(glyphs.printable(sheet.title), LONGEST_NAME),
        "language": sheet.language,
        "kind": sheet.heads[0],
        "annex": sheet.heads[1],
        "foot": dict(zip(("first", "second", "annex"), sheet.feet, strict=True)),
        "authors": [cut(glyphs.printable(author), LONGEST_NAME) for author in sheet.authors if author.strip()],
        "paper": sheet.paper,
        "size": sheet.size,
        "break": glyphs.BREAK,
        "places": {"gap": GAP, "between": BETWEEN_ROWS, "row": ROW, "named": ROW - FIELD},
        "blocks": [_data(block) for block in blocks],
    }
    inputs = {"report": json_text.line(_written(frame, extended))}
    if sheet.attachment is not None:
        inputs |= {"attachment_name": sheet.attachment_name, "attachment": sheet.attachment.decode("utf-8")}
    return inputs


def _data(block: Block) -> dict[str, Any]:
    if isinstance(block, Figure):
        scene = block.scene
        alternative = cut(glyphs.printable(scene.alternative), LONGEST_ALTERNATIVE)
        drawn = {"svg": _Verbatim(svg(scene)), "alternative": alternative, "width": scene.width, "height": scene.height}
        return {"kind": "Figure", "caption": block.caption, "number": block.number, **drawn}
    if isinstance(block, Letterhead):
        logo = None if block.logo is None else {"data": list(block.logo), "width": min(LOGO[0], LOGO[1] * block.shape)}
        return {"kind": "Letterhead", **asdict(block), "logo": logo}
    if isinstance(block, Signatures):
        return {"kind": "Signatures", **asdict(block), "across": across(len(block.lines))}
    if isinstance(block, Table):
        shares, size = columns(block)
        return {"kind": "Table", **asdict(block), "widths": shares, "size": size}
    return {"kind": type(block).__name__, **asdict(block)}


def columns(table: Table) -> tuple[tuple[float, ...], float]:
    """Return the width of each column of TABLE and its font size, in points, such that every word fits.

    Columns have the widths requested, but at least that of their longest word; the others are reduced. If the page is
    too narrow for this, the font is smaller. Digits count as 0, since they all have the same width in tables.
    """
    asked = table.widths or tuple(1.0 for _ in table.columns)
    least = [max(_longest(row[index]) for row in (table.columns, *table.rows)) for index in range(len(asked))]
    room = TEXT_WIDTH - BETWEEN * len(asked)
    size = max(SMALLEST, CELL * min(1.0, room / max(sum(least), 1e-9)))
    least = [word * size / CELL + BETWEEN for word in least]
    narrow: set[int] = set()
    while True:  # each round settles at least one more column
        free = TEXT_WIDTH - sum(least[index] for index in narrow)
        unit = free / max(sum(share for index, share in enumerate(asked) if index not in narrow), 1e-9)
        widths = [least[index] if index in narrow else share * unit for index, share in enumerate(asked)]
        tight = {index for index, width in enumerate(widths) if index not in narrow and width < least[index]}
        if not tight:
            return tuple(round(width, 2) for width in widths), round(size, 2)
        narrow |= tight


def _longest(cell: str) -> float:
    """Return the width of the longest word of CELL that the typesetter does not break."""
    text = glyphs.breakable(glyphs.printable(cell)).replace(glyphs.BREAK, " ").replace(THOUSANDS, "0")
    words = text.split()
    return max((glyphs.width(DIGIT.sub("0", word), CELL) for word in words), default=0.0)


class _Verbatim(str):
    """A text whose characters are already escaped: a drawing."""

    __slots__ = ()


def _written(value: Any, extended: bool) -> Any:
    """Return VALUE with all texts in characters that the fonts have, and with possible breaks in long words."""
    if isinstance(value, _Verbatim):
        return str(value)
    if isinstance(value, str):
        return value if value == glyphs.BREAK else glyphs.breakable(glyphs.printable(value, everything=extended))
    if isinstance(value, dict):
        return {key: _written(item, extended) for key, item in value.items()}
    return [_written(item, extended) for item in value] if isinstance(value, list | tuple) else value
