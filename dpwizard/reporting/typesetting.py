"""Blocks into print: the report's template is Typst, the blocks are data it reads; out come PDF or page pictures.

The template is the only markup. Texts, figures and the attached JSON reach it as input strings, which Typst
never evaluates; its root is the template's own folder, so nothing else could be read. Only bundled fonts are
used and the time is the one stated, so the same record gives the same bytes on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal

from dpwizard.drawings.scene import svg
from dpwizard.errors import FileProblem
from dpwizard.reporting import glyphs, typesetter
from dpwizard.reporting.report_blocks import Block, Figure
from dpwizard.reporting.report_values import cut

__all__ = ["Paper", "Sheet", "pdf", "pictures"]

Paper = Literal["a4", "us-letter"]
LONGEST_TOLD, LONGEST_NAME = 8_000, 100  # a text of a PDF holds 32,767 bytes; tables and sections hold all of it


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """What stands around the blocks: the document's title, language and time, the foot of each page, the attachment."""

    title: str
    language: str
    seconds: int  # the stated time, as seconds since 1970
    foot: str
    page: str  # "page {page} of {pages}", in the document's language
    authors: tuple[str, ...] = ()
    paper: Paper = "a4"
    attachment_name: str = ""
    attachment: bytes | None = None


def pdf(blocks: Iterable[Block], sheet: Sheet) -> bytes:
    """Return BLOCKS as a tagged PDF, PDF/A-3a and PDF/UA-1, with the JSON attached.

    Raises FileProblem where the typesetter refuses what it was given; that is a defect of this program.
    """
    everything = tuple(blocks)
    try:
        return _compiled(everything, sheet, "pdf", extended=True)[0]
    except FileProblem:  # a character that no font of the typesetter shows: keep to those that Inter itself has
        return _compiled(everything, sheet, "pdf", extended=False)[0]


def pictures(blocks: Iterable[Block], sheet: Sheet, *, dots_per_inch: float = 96.0) -> tuple[bytes, ...]:
    """Return the pages as PNG pictures, for a preview."""
    return _compiled(tuple(blocks), sheet, "png", extended=False, dots_per_inch=dots_per_inch)


def _compiled(
    blocks: tuple[Block, ...], sheet: Sheet, form: Literal["pdf", "png"], *, extended: bool, dots_per_inch: float = 144.0
) -> tuple[bytes, ...]:
    return typesetter.typeset(
        typesetter.Job(form=form, inputs=_inputs(blocks, sheet, extended), seconds=sheet.seconds, dots_per_inch=dots_per_inch)
    )


def _inputs(blocks: tuple[Block, ...], sheet: Sheet, extended: bool) -> dict[str, str]:
    """Return what the template reads: one JSON text, and the attached file as text or, if it is none, as numbers."""
    frame = {
        "title": sheet.title,
        "language": sheet.language,
        "foot": sheet.foot,
        "page": sheet.page,
        "authors": [cut(glyphs.printable(author), LONGEST_NAME) for author in sheet.authors if author.strip()],
        "paper": sheet.paper,
        "break": glyphs.BREAK,
        "blocks": [_data(block) for block in blocks],
    }
    inputs = {"report": json.dumps(_written(frame, extended), ensure_ascii=False)}
    if sheet.attachment is not None:
        inputs["attachment_name"] = sheet.attachment_name
        try:
            inputs["attachment"] = sheet.attachment.decode("utf-8")
        except UnicodeDecodeError:
            inputs["attachment_bytes"] = json.dumps(list(sheet.attachment))
    return inputs


def _data(block: Block) -> dict[str, Any]:
    if isinstance(block, Figure):
        scene = block.scene
        told = cut(glyphs.printable(scene.alternative), LONGEST_TOLD)
        drawn = {"svg": _Verbatim(svg(scene)), "alternative": told, "width": scene.width, "height": scene.height}
        return {"kind": "Figure", "caption": block.caption, "number": block.number, **drawn}
    return {"kind": type(block).__name__, **asdict(block)}


class _Verbatim(str):
    """A text whose characters have been seen to already: a drawing."""

    __slots__ = ()


def _written(value: Any, extended: bool) -> Any:
    """Return VALUE with every text as the fonts can show it; long words carry the marks where they may be broken."""
    if isinstance(value, _Verbatim):
        return str(value)
    if isinstance(value, str):
        return value if value == glyphs.BREAK else glyphs.breakable(glyphs.printable(value, everything=extended))
    if isinstance(value, dict):
        return {key: _written(item, extended) for key, item in value.items()}
    return [_written(item, extended) for item in value] if isinstance(value, list | tuple) else value
