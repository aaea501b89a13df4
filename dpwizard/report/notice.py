"""The public notice: one page in plain words for the people in the data, with the very sentences that were signed.

What is published, how people are protected, what it means for the numbers, what it does not hide, who decided, and whom
to ask. Until the record is approved it bears "Draft".
"""

from __future__ import annotations

from collections.abc import Iterator

from dpwizard.decision import Paper
from dpwizard.records import Record
from dpwizard.report import typesetting
from dpwizard.report.blocks import Block, Cover, Heading, Note, Paragraph, html
from dpwizard.report.content import Content, content
from dpwizard.report.page_one import (
    PUBLISHES,
    ROOMS,
    Room,
    counts,
    how_far_off,
    letterhead,
    people,
    published,
    stays_possible,
    title,
)
from dpwizard.report.pdf_objects import page_count
from dpwizard.report.typesetting import Sheet
from dpwizard.report.values import cut_printed
from dpwizard.wording import listed, persons

LONGEST_LINE = 120


def notice_pdf(record: Record, sha256: str, *, paper: Paper | None = None, approved: str = "") -> bytes:
    """Return the notice on a public edition as a PDF of one page.

    Arguments: record, a public edition, or one that leaves nothing out; sha256, of the JSON file of the record it is
    bound to, in hexadecimal; paper, that of the record where none is named; approved, the day of the approval, empty
    where there is none yet.
    """
    found = content(record)
    with found.spoken():
        return typesetting.pdf(*_fitted(found, sha256, paper, approved))


def notice_pictures(record: Record, *, dots_per_inch: float = 96.0) -> tuple[bytes, ...]:
    """Return the pages of the notice on RECORD as a draft, as PNG pictures: one, unless no room is small enough."""
    found = content(record)
    with found.spoken():
        blocks, sheet = _fitted(found, found.sha256, None, "")
        return typesetting.pictures(blocks, sheet, dots_per_inch=dots_per_inch)


def _fitted(found: Content, sha256: str, paper: Paper | None, approved: str) -> tuple[tuple[Block, ...], Sheet]:
    """Return the blocks on their sheet, with as much as one page holds."""
    for room in ROOMS:
        blocks, sheet = tuple(_blocks(found, room, approved)), _sheet(found, sha256, paper, room)
        if page_count(typesetting.pdf(blocks, sheet)) == 1:
            break
    return blocks, sheet


def notice_html(record: Record, sha256: str, *, approved: str = "") -> str:
    """Return the same as a web page: self-contained, without scripts, every text escaped."""
    found = content(record)
    with found.spoken():
        foot = Paragraph(text=found.words("notice", "foot", hash=sha256), style="quiet")
        return html((*_blocks(found, ROOMS[0], approved), foot), title=title(found), language=found.words.language)


def _sheet(found: Content, sha256: str, paper: Paper | None, room: Room) -> Sheet:
    foot = found.words("notice", "foot", hash=sha256)
    return Sheet(
        title=title(found),
        language=found.words.language,
        seconds=found.seconds,
        heads=(found.words("notice", "document"), ""),
        feet=(foot, foot, foot),
        paper=paper or found.decision.paper or "a4",
        size=room.size,
    )


def _blocks(found: Content, room: Room, approved: str) -> Iterator[Block]:
    words, decision = found.words, found.decision
    publishes = decision.outcome in PUBLISHES
    yield from letterhead(found)
    heading = words("notice", "title" if publishes else "title_proposed", title=title(found), **people(found))
    draft = "" if approved else words("notice", "draft")
    yield Cover(document=words("notice", "document"), right=draft, title=heading, line="")
    if not publishes:
        yield Note(text=words("notice", f"not_approved_{decision.outcome or 'open'}"), tone="warning")
    for key, text in (
        ("what", published(found, room)),
        ("protected", " ".join(_protected(found))),
        ("exactness", " ".join(_exactness(found))),
        ("remains", " ".join(_remains(found, room))),
        ("decided", _decided(found, approved)),
        ("ask", cut_printed(decision.details.contact or words("notice", "ask_unsaid"), LONGEST_LINE)),
    ):
        if text:
            yield Heading(text=words("notice", key))
            yield Paragraph(text=text)


def _protected(found: Content) -> Iterator[str]:
    words, plain = found.words, found.sentences.plain
    if found.noiseless or found.record.drawn.no_promise:
        yield words("notice", "no_noise" if found.noiseless else "noise_alone")
        yield from found.sentences.meaning[:1]
        return
    yield words("notice", "noise" if found.epsilon is not None else "noise_open")
    if found.epsilon is None:
        return
    yield plain.promise if plain is not None and plain.guesses is not None else found.sentences.meaning[0]
    if plain is not None and plain.guesses is not None:
        yield words("notice", "whatever_else")
    technically = words("notice", "technically", epsilon=found.printed_choice, **people(found))
    yield from (technically,) if persons.is_whole(found.decision.release) else ()  # else no figure for a person


def _exactness(found: Content) -> Iterator[str]:
    if found.epsilon is None or not found.record.drawn.added:
        return
    yield found.words("notice", "not_exact")
    yield from how_far_off(found)
    if counts(found) and found.decision.release.divisions:
        yield found.words("notice", "do_not_compare", **people(found))


def _remains(found: Content, room: Room) -> Iterator[str]:
    words, release = found.words, found.decision.release
    yield from stays_possible(found)
    if exact := [name for name, _ in release.exact if name]:
        yield words("notice", "exact", names=cut_printed(listed(exact), room.typed // 2))
    if release.repetitions > 1 or release.spent:
        yield words("notice", "more_releases")


def _decided(found: Content, approved: str) -> str:
    words, details = found.words, found.decision.details
    who = cut_printed(
        ", ".join([*details.authors, *([details.controller] if details.controller else [])]), LONGEST_LINE
    )
    approver = cut_printed(details.approver or words("front", "approver"), LONGEST_LINE)
    by = [words("notice", "proposed_by", who=who)] if who else []
    if approved:
        by.append(words("notice", "approved_by", who=approver, date=found.date(approved)))
    else:
        by.append(words("notice", "not_approved_yet", who=approver))
    return " ".join(by)
