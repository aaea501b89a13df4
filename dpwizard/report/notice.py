"""The public notice: one page in plain language for the people in the data, with the sentences that were signed.

The publication, the protection of people, the accuracy, what is not protected, who decided, and a contact. Marked
"Draft" until the record is approved.
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
    """Return the notice on a public version as a PDF of one page.

    Arguments: record, a public version, or one that withholds nothing; sha256, of the JSON file of the record, in
    hexadecimal; paper, by default that of the record; approved, the date of approval, "" if there is none yet.
    """
    report = content(record)
    with report.spoken():
        return typesetting.pdf(*_fitted(report, sha256, paper, approved))


def notice_pictures(record: Record, *, dots_per_inch: float = 96.0) -> tuple[bytes, ...]:
    """Return the draft of the notice on RECORD as PNG pictures: one page, unless all fonts are too large."""
    report = content(record)
    with report.spoken():
        blocks, sheet = _fitted(report, report.sha256, None, "")
        return typesetting.pictures(blocks, sheet, dots_per_inch=dots_per_inch)


def _fitted(report: Content, sha256: str, paper: Paper | None, approved: str) -> tuple[tuple[Block, ...], Sheet]:
    """Return the blocks with their sheet, in the largest of ROOMS that fits on one page."""
    for room in ROOMS:
        blocks, sheet = tuple(_blocks(report, room, approved)), _sheet(report, sha256, paper, room)
        if page_count(typesetting.pdf(blocks, sheet)) == 1:
            break
    return blocks, sheet


def notice_html(record: Record, sha256: str, *, approved: str = "") -> str:
    """Return the notice as a self-contained web page without scripts; all texts are escaped."""
    report = content(record)
    with report.spoken():
        foot = Paragraph(text=report.words("notice", "foot", hash=sha256), style="quiet")
        return html((*_blocks(report, ROOMS[0], approved), foot), title=title(report), language=report.words.language)


def _sheet(report: Content, sha256: str, paper: Paper | None, room: Room) -> Sheet:
    foot = report.words("notice", "foot", hash=sha256)
    return Sheet(
        title=title(report),
        language=report.words.language,
        seconds=report.seconds,
        heads=(report.words("notice", "document"), ""),
        feet=(foot, foot, foot),
        paper=paper or report.decision.paper or "a4",
        size=room.size,
    )


def _blocks(report: Content, room: Room, approved: str) -> Iterator[Block]:
    words, decision = report.words, report.decision
    publishes = decision.outcome in PUBLISHES
    yield from letterhead(report)
    heading = words("notice", "title" if publishes else "title_proposed", title=title(report), **people(report))
    draft = "" if approved else words("notice", "draft")
    yield Cover(document=words("notice", "document"), right=draft, title=heading, line="")
    if not publishes:
        yield Note(text=words("notice", f"not_approved_{decision.outcome or 'open'}"), tone="warning")
    for key, text in (
        ("what", published(report, room)),
        ("protected", " ".join(_protected(report))),
        ("exactness", " ".join(_exactness(report))),
        ("remains", " ".join(_remains(report, room))),
        ("decided", _decided(report, approved)),
        ("ask", cut_printed(decision.details.contact or words("notice", "ask_unsaid"), LONGEST_LINE)),
    ):
        if text:
            yield Heading(text=words("notice", key))
            yield Paragraph(text=text)


def _protected(report: Content) -> Iterator[str]:
    words, plain = report.words, report.sentences.plain
    if report.noiseless or report.record.drawn.no_promise:
        yield words("notice", "no_noise" if report.noiseless else "noise_alone")
        yield from report.sentences.meaning[:1]
        return
    yield words("notice", "noise" if report.epsilon is not None else "noise_open")
    if report.epsilon is None:
        return
    yield plain.promise if plain is not None and plain.guesses is not None else report.sentences.meaning[0]
    if plain is not None and plain.guesses is not None:
        yield words("notice", "whatever_else")
    technically = words("notice", "technically", epsilon=report.printed_choice, **people(report))
    yield from (technically,) if persons.is_whole(report.decision.release) else ()  # else no figure for a person


def _exactness(report: Content) -> Iterator[str]:
    if report.epsilon is None or not report.record.drawn.added:
        return
    yield report.words("notice", "not_exact")
    yield from how_far_off(report)
    if counts(report) and report.decision.release.divisions:
        yield report.words("notice", "do_not_compare", **people(report))


def _remains(report: Content, room: Room) -> Iterator[str]:
    words, release = report.words, report.decision.release
    yield from stays_possible(report)
    if exact := [name for name, _ in release.exact if name]:
        yield words("notice", "exact", names=cut_printed(listed(exact), room.typed // 2))
    if release.repetitions > 1 or release.spent:
        yield words("notice", "more_releases")


def _decided(report: Content, approved: str) -> str:
    words, details = report.words, report.decision.details
    who = cut_printed(
        ", ".join([*details.authors, *([details.controller] if details.controller else [])]), LONGEST_LINE
    )
    approver = cut_printed(details.approver or words("front", "approver"), LONGEST_LINE)
    by = [words("notice", "proposed_by", who=who)] if who else []
    if approved:
        by.append(words("notice", "approved_by", who=approver, date=report.date(approved)))
    else:
        by.append(words("notice", "not_approved_yet", who=approver))
    return " ".join(by)
