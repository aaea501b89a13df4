"""The report: a decision record as blocks, and these as PDF, text of 80 columns, HTML and pictures.

Two pages for those who sign, then a technical annex. All content is from the record; the report solves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from dpwizard.decision import Paper
from dpwizard.records import Record
from dpwizard.report import signature_places, typesetting
from dpwizard.report.answered import missing_section, particulars_section, reasons_section, reviewers_section
from dpwizard.report.blocks import Block, Figure, Heading, PageBreak, Pairs, Table, html, text
from dpwizard.report.checking import checking_section, integrity_section
from dpwizard.report.content import Content, content
from dpwizard.report.figure_sections import accuracy_section, profiles_section, small_groups_section
from dpwizard.report.noise_sections import accounting_section, implementation_section
from dpwizard.report.page_one import ROOMS, Room, page_one, roles, title
from dpwizard.report.page_two import page_two
from dpwizard.report.pdf_objects import page_count
from dpwizard.report.questions import elicitation
from dpwizard.report.release_sections import release_section
from dpwizard.report.requirement_sections import assumptions_section, limits_section, requirements_section
from dpwizard.report.signature_places import with_places
from dpwizard.report.typesetting import Sheet

__all__ = ["blocks", "html", "pictures", "text", "typeset"]


def blocks(record: Record) -> tuple[Block, ...]:
    """Return RECORD as blocks: page one, page two, and the parts of the annex."""
    report = content(record)
    with report.spoken():
        return (*page_one(report, ROOMS[0]), PageBreak(), *page_two(report, ROOMS[0]), *annex(report))


def typeset(record: Record, *, paper: Paper | None = None) -> bytes:
    """Return RECORD as a tagged PDF (PDF/A-3a, PDF/UA-1) with its JSON attached and empty signature fields.

    PAPER is by default that of the record. The bytes depend only on RECORD: its time, its numbers, and the bundled
    fonts.
    """
    report = content(record)
    with report.spoken():
        on = paper or report.decision.paper or "a4"
        pdf = typesetting.pdf(*_fitted(report, on, report.data))
        return with_places(pdf, signature_places.places(roles(report), on), report.words("front", "not_signed"))


def pictures(record: Record, *, dots_per_inch: float = 96.0) -> tuple[bytes, ...]:
    """Return the pages of the typeset RECORD as PNG pictures, for a preview before signing."""
    report = content(record)
    with report.spoken():
        fitted, sheet = _fitted(report, report.decision.paper or "a4", None)
        return typesetting.pictures(fitted, sheet, dots_per_inch=dots_per_inch)


def _fitted(report: Content, on: Paper, json_bytes: bytes | None) -> tuple[tuple[Block, ...], Sheet]:
    """Return the blocks of REPORT with their sheet, in the largest of ROOMS that fits on the first two pages."""
    for room in ROOMS:
        first, second = tuple(page_one(report, room)), tuple(page_two(report, room))
        sheet = _sheet(report, on, room)
        if all(page_count(typesetting.pdf(page, sheet)) == 1 for page in (first, second)):
            break
    attached = replace(sheet, attachment=json_bytes, attachment_name=report.name)
    return (*first, PageBreak(), *second, *annex(report)), attached


def _sheet(report: Content, paper: Paper, room: Room) -> Sheet:
    words, number = report.words, report.number
    return Sheet(
        title=title(report),
        language=words.language,
        seconds=report.seconds,
        heads=(report.kind, words("document", "annex")),
        feet=tuple(words("document", f"foot_{key}", number=number, pages="{pages}") for key in ("1", "2", "annex")),
        authors=report.decision.details.authors,
        paper=paper,
        size=room.size,
    )


# ------------------------------------- the annex, numbered apart: for those who carry the decision out, and check it


Section = Callable[[Content], Iterable[Block]]
# the release and what each requirement allows, the noise, the figures, questions and answers, how to check
PARTS: tuple[tuple[str, tuple[Section, ...]], ...] = (
    ("A1", (release_section, requirements_section, assumptions_section)),
    ("A2", (accounting_section, implementation_section)),
    ("A3", (profiles_section, accuracy_section, small_groups_section)),
    ("A4", (reasons_section, missing_section, limits_section, elicitation, particulars_section, reviewers_section)),
    ("A5", (checking_section, integrity_section)),
)


def annex(report: Content) -> Iterator[Block]:
    """Yield the parts, each on a new page; figures are numbered, with their tables below."""
    number = 0
    for part, sections in PARTS:
        yield PageBreak(part=part)
        yield Heading(text=f"{part} {report.words('annex', part)}")
        for block in _without_gaps(sections, report):
            if isinstance(block, Figure):
                number += 1
                caption = report.words("document", "figure", number=number, caption=block.caption)
                yield replace(block, number=number, caption=caption)
                columns, rows = block.scene.columns, block.scene.rows
                yield Table(columns=columns, rows=rows, numbers=tuple(range(1, len(columns))))
            else:
                yield block


def _without_gaps(sections: tuple[Section, ...], report: Content) -> Iterator[Block]:
    """Yield the blocks of SECTIONS without rows that are "not assessed", and without headings of empty sections."""
    kept: list[Block] = []
    for block in (block for section in sections for block in section(report)):
        if isinstance(block, Pairs):
            rows = tuple(row for row in block.rows if row[1] != report.not_assessed)
            kept += [replace(block, rows=rows)] if rows else []
        else:
            kept.append(block)
    for block, after in zip(kept, [*kept[1:], Heading(text="")], strict=True):
        if isinstance(block, Heading) and isinstance(after, Heading) and after.level <= block.level:
            continue
        yield block
