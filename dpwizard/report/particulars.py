"""Sections of the report that are words, not figures: identity, necessity, risks, advice, influence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dpwizard.base.errors import InvalidInput
from dpwizard.base.values import Value
from dpwizard.decision import Decision, Details, Risk, edits
from dpwizard.records import Ends, Moved
from dpwizard.report.blocks import Block, Heading, Letterhead, Note, Pairs, Paragraph, Table
from dpwizard.report.content import Content
from dpwizard.report.values import cut, label, number, written
from dpwizard.wording import field_label, figures, printed_range

IDENTITY = (
    *("controller", "product", "version", "record_number", "authors", "approver", "curators"),
    *("intended_use", "product_type", "sector", "region", "publication_date", "contact"),
)
LONGEST_LETTERS = 80  # characters of a line of the letterhead
MOST_MOVED = 12  # numbers that are listed by how far they move the window


def told(found: Content, owner: type[Value], name: str, value: Any) -> tuple[str, str]:
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
    letters = found.decision.letterhead
    if letters is not None:
        lines = tuple(cut(line, LONGEST_LETTERS) for line in letters.lines)
        name, claim = cut(letters.name, LONGEST_LETTERS), found.words("document", "letterhead")
        yield Letterhead(name=name, lines=lines, claim=claim, logo=letters.picture, shape=letters.shape)


def identity(found: Content) -> Iterator[Block]:
    """Return who decides on which product, in which edition of the record."""
    words, details = found.words, found.decision.details
    yield Heading(text=words("section", "identity"))
    rows = [(label(Decision, "title"), found.decision.title)] if found.decision.title else []
    rows += [told(found, Details, name, getattr(details, name)) for name in IDENTITY]
    if found.decision.letterhead is not None:
        letters, claim = found.decision.letterhead, words("document", "letterhead")
        rows.append((label(Decision, "letterhead"), "\n".join((letters.name, *letters.lines, f"({claim})"))))
    rows.append((words("edition", "edition"), words("edition", "public" if found.public else "internal")))
    yield Pairs(rows=tuple(rows))


def necessity(found: Content) -> Iterator[Block]:
    """Return why the figures are needed and what else was considered."""
    yield Heading(text=found.words("section", "necessity"))
    yield from _texts(found, ("necessity", "alternatives"))


def risks(found: Content) -> Iterator[Block]:
    """Return the risks that remain, each with its measure, owner and date."""
    words, details = found.words, found.decision.details
    yield Heading(text=words("section", "risks"))
    if details.risks:
        names = ("risk", "measure", "owner", "date")
        rows = [tuple(told(found, Risk, name, getattr(risk, name))[1] for name in names) for risk in details.risks]
        yield Table(columns=tuple(words("risks", name) for name in names), rows=tuple(rows), widths=(2, 2, 1, 1))
    if details.residual_risks or not details.risks:
        yield from _texts(found, ("residual_risks",))


def advice(found: Content) -> Iterator[Block]:
    """Return what the data protection officer advised and what the data subjects said."""
    yield Heading(text=found.words("section", "advice"))
    yield from _texts(found, ("advice", "views"))


def _texts(found: Content, names: tuple[str, ...]) -> Iterator[Block]:
    details = found.decision.details
    yield Pairs(rows=tuple(told(found, Details, name, getattr(details, name)) for name in names))


# --------------------------------------------------------------------------------------- influence


def influence(found: Content) -> Iterator[Block]:
    """Return the numbers of the decision by how far each moves the window."""
    words, made = found.words, found.record.influence
    yield Heading(text=words("section", "influence"))
    text = words("influence", "intro" if made.rows else "nothing")
    part = words("influence", "part", moved=made.moved, of=made.of) if made.moved < made.of else ""
    yield Paragraph(text=" ".join(piece for piece in (text, part) if piece))
    if made.rows:
        columns = tuple(words("influence", key) for key in ("number", "value", "less", "more", "move"))
        shown = made.rows[:MOST_MOVED]
        rows = tuple(_moved(row, found) for row in shown)
        yield Table(columns=columns, rows=rows, widths=(2.2, 0.8, 1.2, 1.2, 0.9), numbers=(1,))
        if len(shown) < len(made.rows):
            rest = figures.whole(len(made.rows) - len(shown))
            yield Paragraph(text=words("results", "and_more", count=rest), style="quiet")


def _moved(row: Moved, found: Content) -> tuple[str, ...]:
    swing = found.words("influence", "opens") if row.swing is None else figures.number(float(f"{row.swing:.3g}"))
    return _place(row.where, found), number(row.value), _ends(row.down, found), _ends(row.up, found), swing


def _ends(ends: Ends | None, found: Content) -> str:
    if ends is None:
        return found.words("influence", "not_allowed")
    if ends.empty:
        return found.words("influence", "empty")
    shown = printed_range(ends.lower, ends.upper)
    lower = "" if shown.lower is None else shown.lower.text
    upper = found.words("figure", "unbounded") if shown.upper is None else shown.upper.text
    return found.words("influence", "ends", lower=lower, upper=upper)


def _place(where: str, found: Content) -> str:
    """Return a path into the decision in words: the requirement's title and what the field is called."""
    try:
        steps = edits.steps(where)
    except InvalidInput:
        return where
    said, answers = field_label((Decision,), where, found.decision), found.said.answers
    if len(steps) > 2 and steps[0] == "requirements" and isinstance(steps[1], int) and steps[1] < len(answers):
        return found.words("influence", "of_requirement", name=answers[steps[1]].title, field=said)
    return said
