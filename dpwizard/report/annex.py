"""The technical annex, in five parts that are numbered apart: for those who carry the decision out, and check it.

A1 the release and what each requirement allows, A2 the noise, A3 the figures, A4 questions and answers, A5 how to
check. What nobody assessed is left out: page two names what the law asks and is empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from dpwizard.report.answered import missing_section, particulars_section, reasons_section, reviewers_section
from dpwizard.report.blocks import Block, Figure, Heading, PageBreak, Pairs, Table
from dpwizard.report.checking import checking_section, integrity_section
from dpwizard.report.content import Content
from dpwizard.report.figure_sections import accuracy_section, profiles_section, small_groups_section
from dpwizard.report.noise_sections import accounting_section, implementation_section
from dpwizard.report.questions import elicitation
from dpwizard.report.release_sections import release_section
from dpwizard.report.requirement_sections import assumptions_section, limits_section, requirements_section

Section = Callable[[Content], Iterable[Block]]
PARTS: tuple[tuple[str, tuple[Section, ...]], ...] = (
    ("A1", (release_section, requirements_section, assumptions_section)),
    ("A2", (accounting_section, implementation_section)),
    ("A3", (profiles_section, accuracy_section, small_groups_section)),
    ("A4", (reasons_section, missing_section, limits_section, elicitation, particulars_section, reviewers_section)),
    ("A5", (checking_section, integrity_section)),
)


def annex(found: Content) -> Iterator[Block]:
    """Yield every part, each on a page of its own; figures are numbered in order, each with its table below."""
    number = 0
    for part, sections in PARTS:
        yield PageBreak(part=part)
        yield Heading(text=f"{part} {found.words('annex', part)}")
        for block in _assessed(sections, found):
            if isinstance(block, Figure):
                number += 1
                caption = found.words("document", "figure", number=number, caption=block.caption)
                yield replace(block, number=number, caption=caption)
                columns, rows = block.scene.columns, block.scene.rows
                yield Table(columns=columns, rows=rows, numbers=tuple(range(1, len(columns))))
            else:
                yield block


def _assessed(sections: tuple[Section, ...], found: Content) -> Iterator[Block]:
    """Yield the blocks of SECTIONS without rows that say "not assessed", and without headings above nothing."""
    kept: list[Block] = []
    for block in (block for section in sections for block in section(found)):
        if isinstance(block, Pairs):
            rows = tuple(row for row in block.rows if row[1] != found.not_assessed)
            kept += [replace(block, rows=rows)] if rows else []
        else:
            kept.append(block)
    for index, block in enumerate(kept):
        after = kept[index + 1] if index + 1 < len(kept) else None
        if not isinstance(block, Heading) or _heads(block, after):
            yield block


def _heads(heading: Heading, after: Block | None) -> bool:
    return after is not None and (not isinstance(after, Heading) or after.level > heading.level)
