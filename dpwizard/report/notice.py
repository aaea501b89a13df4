"""The public notice: one page in plain words for the people in the data. It says what the public edition says, no more.

What is published, how people are protected, what remains possible, how exact the figures are, whom to ask; and which
record it belongs to, by its hash. Every sentence about a person is the record's own, word for word as it was signed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from dpwizard.decision import Paper, admitted
from dpwizard.records import Record
from dpwizard.report import typesetting
from dpwizard.report.blocks import Block, Cover, Heading, Items, Note, Pairs, Paragraph, html
from dpwizard.report.content import Content, content
from dpwizard.report.particulars import letterhead
from dpwizard.report.pdf_objects import page_count
from dpwizard.report.typesetting import Sheet
from dpwizard.report.values import cut, cut_between_words
from dpwizard.wording import figures

LONGEST_TITLE = 120


class Room(NamedTuple):
    """How much stands on the page: characters of what an officer typed, noises whose interval is named, and the size of
    its text in points."""

    typed: int
    noises: int
    size: float = 10.0


ROOMS = (  # until it is one page
    Room(600, 3),
    Room(600, 3, 9.0),
    Room(300, 2, 9.0),
    Room(150, 1, 8.5),
    Room(60, 1, 8.0),
)


def notice_pdf(record: Record, sha256: str, *, paper: Paper | None = None) -> bytes:
    """Return the notice on a public edition as a PDF of one page.

    Arguments: record, a public edition, or one that leaves nothing out; sha256, of the JSON file of the record it is
    bound to, in hexadecimal; paper, that of the record where none is named.
    """
    found = content(record)
    with found.spoken():
        sheet = Sheet(
            title=_title(found),
            language=found.words.language,
            seconds=found.seconds,
            foot=found.words("notice", "foot", name=found.name, hash=sha256),
            page=found.words("document", "page", page="{page}", pages="{pages}"),
            authors=(),
            paper=paper or found.decision.paper or "a4",
        )
        made = b""
        for room in ROOMS:
            made = typesetting.pdf(tuple(_blocks(found, room)), replace(sheet, size=room.size))
            if page_count(made) == 1:
                break
        return made


def notice_html(record: Record, sha256: str) -> str:
    """Return the same as a web page: self-contained, without scripts, every text escaped."""
    found = content(record)
    with found.spoken():
        foot = Paragraph(text=found.words("notice", "foot", name=found.name, hash=sha256), style="quiet")
        return html((*_blocks(found, ROOMS[0]), foot), title=_title(found), language=found.words.language)


def _title(found: Content) -> str:
    return cut((found.decision.title or "").strip() or found.words("document", "no_title"), LONGEST_TITLE)


def _blocks(found: Content, room: Room) -> Iterator[Block]:
    words, decision, details = found.words, found.decision, found.decision.details
    said = dict(zip(("person", "outside", "not_covered"), found.said.meaning, strict=False))
    who = cut(details.controller or "", LONGEST_TITLE)
    yield from letterhead(found)
    yield Cover(
        document=words("notice", "document"),
        right="",
        title=_title(found),
        line=" · ".join(piece for piece in (who, found.date(found.record.made.time)) if piece),
    )
    approved = decision.outcome in ("approve", "approve_with_conditions")
    if not approved:
        yield Note(text=words("notice", f"not_approved_{decision.outcome or 'open'}"), tone="warning")
    yield Heading(text=words("notice", "what" if approved else "what_proposed"))
    yield Paragraph(text=cut_between_words(decision.release.description or words("notice", "what_unsaid"), room.typed))
    if details.intended_use:
        yield Paragraph(text=words("notice", "use", use=cut_between_words(details.intended_use, room.typed // 2)))
    yield Heading(text=words("notice", "protected"))
    yield Paragraph(text=words("notice", _noise(found)))
    if said.get("person"):
        yield Paragraph(text=said["person"])
    if found.said.person:
        yield Paragraph(text=found.said.person)
    yield Heading(text=words("notice", "remains"))
    remains = [said[key] for key in ("outside", "not_covered") if said.get(key)]
    exact = [name for name, _ in decision.release.exact if name]
    if exact:
        remains.append(words("notice", "exact", names=cut(figures.listed(exact), room.typed // 2)))
    if decision.release.repetitions > 1 or decision.release.spent:
        remains.append(words("notice", "more_releases"))
    if uncovered := admitted(decision):
        sentences = " ".join(words.of_model("uncovered", key) for key in uncovered)
        remains.append(words("notice", "uncovered", said=sentences))
    yield Items(items=(*remains, words("notice", "mistakes_no_noise" if found.noiseless else "mistakes")))
    yield from _exactness(found, room.noises)
    yield Heading(text=words("notice", "ask"))
    rows = [(words("notice", "office"), who)] if who else []
    if details.contact:
        rows.append((words("notice", "contact"), cut(details.contact, LONGEST_TITLE)))
    if review := found.date(details.review_date):
        rows.append((words("summary", "review"), review))
    yield Pairs(rows=tuple(rows), size=room.size) if rows else Paragraph(text=words("notice", "ask_unsaid"))


def _noise(found: Content) -> str:
    """Return the key of what noise does for people here; how well is stated only once a budget was chosen."""
    if found.noiseless:
        return "no_noise"
    if found.record.drawn.no_promise:
        return "noise_alone"
    return "noise" if found.said.meaning else "noise_open"


def _exactness(found: Content, most: int) -> Iterator[Block]:
    """Yield how far off a figure may be by the noise alone, where that is known."""
    noises = found.record.drawn.added
    if not noises:
        return
    words = found.words
    yield Heading(text=words("notice", "exactness"))
    lines = []
    for noise in noises[:most]:
        half = noise.within_95
        width = figures.number(half) if half.is_integer() else figures.need(half)
        named = figures.listed([name for name in noise.tables[:2] if name])
        key = "within_of" if named and len(noises) > 1 else "within"
        lines.append(words("notice", key, width=width, tables=cut(named, LONGEST_TITLE)))
    if len(noises) > most:
        lines.append(words("notice", "more_noises", count=figures.whole(len(noises) - most)))
    yield Items(items=tuple(lines)) if len(lines) > 1 else Paragraph(text=lines[0])
    for kind in found.decision.release.post_processing:
        yield Paragraph(text=words("noise_sheet", f"after_{kind}"), style="quiet")
