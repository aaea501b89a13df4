"""In what order a record is told: page one for a minister, the pages behind it for a reviewer, the annex for a court.

Pages leave out what nobody assessed, and name it once, on page one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from dpwizard.report import particulars, sections
from dpwizard.report.blocks import Block, Heading, PageBreak, Pairs
from dpwizard.report.closing_sections import (
    accounting_section,
    implementation_section,
    integrity_section,
    verify_section,
)
from dpwizard.report.content import Content
from dpwizard.report.every_table_section import every_table_in_full, every_table_section
from dpwizard.report.questions import elicitation
from dpwizard.report.release_sections import (
    adversaries_section,
    head,
    numbered,
    parts_in_full,
    release_section,
    tables_section,
)
from dpwizard.report.reviewers_section import reviewers_section

Section = Callable[[Content], Iterable[Block]]
BODY: tuple[Section, ...] = (
    sections.decision_section,
    sections.missing_section,
    particulars.identity,
    release_section,
    particulars.necessity,
    adversaries_section,
    sections.results_section,
    sections.profiles_section,
    sections.accuracy_section,
    every_table_section,
    accounting_section,
    particulars.risks,
    particulars.advice,
    sections.limits_section,
)
ANNEX: tuple[Section, ...] = (
    reviewers_section,
    elicitation,
    parts_in_full,
    every_table_in_full,
    particulars.influence,
    sections.published_section,
    sections.in_full_section,
    implementation_section,
    verify_section,
    integrity_section,
)


@dataclass(frozen=True, kw_only=True)
class Assembled:
    """Every block behind page one, and the labels of what nobody assessed."""

    blocks: tuple[Block, ...]
    not_assessed: tuple[str, ...] = ()


def assembled(found: Content) -> Assembled:
    """Return what stands behind page one; figures are numbered in order, and their tables follow at the end."""
    labels: list[str] = []
    body = list(_assessed(BODY, found, labels))
    annex = list(_assessed(ANNEX, found, labels))
    made = [*numbered([*body, PageBreak(unless_half_empty=True), head(found, "annex"), *annex], found)]
    return Assembled(blocks=(*made, *tables_section(made, found)), not_assessed=tuple(dict.fromkeys(labels)))


def _assessed(order: tuple[Section, ...], found: Content, labels: list[str]) -> Iterator[Block]:
    """Yield the blocks of sections without rows that say "not assessed", whose LABELS are noted; no heading alone."""
    unsaid = found.not_assessed
    for section in order:
        kept: list[Block] = []
        for block in section(found):
            if isinstance(block, Pairs):
                labels += [name for name, value in block.rows if value == unsaid]
                rows = tuple(row for row in block.rows if row[1] != unsaid)
                if rows:
                    kept.append(Pairs(rows=rows))
            else:
                kept.append(block)
        yield from _without_lone_headings(kept)


def _without_lone_headings(blocks: list[Block]) -> Iterator[Block]:
    """Yield BLOCKS without headings under which nothing stands."""
    for index, block in enumerate(blocks):
        if isinstance(block, Heading):
            after = blocks[index + 1] if index + 1 < len(blocks) else None
            if after is None or (isinstance(after, Heading) and after.level <= block.level):
                continue
        yield block
