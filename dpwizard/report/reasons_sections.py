"""Annex A4, first: what was decided and why, in full, and what is still missing."""

from __future__ import annotations

from collections.abc import Iterator

from dpwizard.records import label
from dpwizard.report.blocks import Block, Heading, Items, Pairs, Paragraph, Table
from dpwizard.report.content import Content
from dpwizard.report.many_rows import and_more
from dpwizard.report.page_one import ROOMS
from dpwizard.report.release_sections import head
from dpwizard.wording import all_digits, explain

MOST_IN_FULL = 100  # sentences; the JSON holds what they come from


def reasons_section(found: Content) -> Iterator[Block]:
    """Yield what was decided, and what was typed for it where page one has no room for all of it."""
    words, decision = found.words, found.decision
    yield head(found, "decision")
    rows = [(words("decision", "outcome"), words.of_model("outcome", decision.outcome or "open"))]
    if isinstance(decision.rho, str) and found.epsilon is not None:
        chosen = words("decision", "fraction", rho=decision.rho, exactly=all_digits(found.epsilon))
        rows.append((words("decision", "epsilon"), chosen))
    yield Pairs(rows=tuple(rows))
    if len(decision.justification or "") > ROOMS[0].typed:
        yield Heading(text=words("front", "why"), level=2)
        yield from _typed(decision.justification)
    if found.record.assessment.inside is False and found.epsilon is not None:
        yield Heading(text=words("section", "exception"), level=2)
        missed = found.sentences.broken or (found.sentences.window,)
        yield Items(items=missed[:MOST_IN_FULL])
        yield from and_more(len(missed) - MOST_IN_FULL, found)
        yield from _typed(decision.exception_reason)
        yield Paragraph(text=words("decision", "second"), style="quiet")


def _typed(text: str | None) -> Iterator[Block]:
    for piece in (text or "").replace("\r\n", "\n").split("\n\n"):
        if piece.strip():
            yield Paragraph(text=piece, style="typed")


def missing_section(found: Content) -> Iterator[Block]:
    words, problems = found.words, found.record.assessment.problems
    if not problems:
        return
    yield head(found, "missing")
    rows = []
    for problem in problems:
        text = explain.format_text("problem", problem.key, problem.values, words.language)
        rows.append((label(found.decision, problem.where, named=True), text))
    yield Table(columns=(words("missing", "where"), words("missing", "what")), rows=tuple(rows), widths=(1, 2))
