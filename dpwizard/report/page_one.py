"""Page one: what is decided, what it promises, and what stays possible, for those who sign.

It holds few and short sentences. Where a decision has the officer's own words for people and numbers they are used; of
every other decision the sentences of its requirements and the release's own description stand here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from dpwizard.base.language import ENGLISH
from dpwizard.decision import AccuracyRequirement, admitted, derived_fields, sums_of
from dpwizard.privacy.mechanisms import EXACT
from dpwizard.questions import promises, sums, table_kinds
from dpwizard.report import signature_places
from dpwizard.report.blocks import Block, Cover, Dots, Letterhead, Note, Promise, Signatures, Statement, Statements
from dpwizard.report.content import Content
from dpwizard.report.many_rows import names_briefly
from dpwizard.report.values import cut, cut_between_words, cut_printed
from dpwizard.wording import figures, format_text, listed, persons, plain_sentences, plain_words, quoted, word

LONGEST_TITLE, LONGEST_SIGNERS, LONGEST_LETTERS, LONGEST_NAME = 160, 90, 80, 48  # characters there
ONE_LINE = 90  # characters of a line as wide as the page, in the size of who signs
MOST_ROLES = 18  # that have a place
# the roles that the program knows, in the order of signing, and what their places say
ROLES = {"proposes": "proposed", "approves": "approved", "data_protection_officer": "officer"}
MOST_BROKEN, MOST_ASSUMED, MOST_WIDTHS = 3, 3, 3
PUBLISHES = ("approve", "approve_with_conditions")
ALL = 100  # dots
PUBLISHED_AS = 3  # or more: as which a true 0 is looked at


class Room(NamedTuple):
    """How much there is on the first two pages: characters of what an officer typed, and the text's size in points."""

    typed: int
    size: float


ROOMS = (Room(500, 10.5), Room(500, 9.5), Room(360, 9.0), Room(240, 8.5), Room(120, 8.0), Room(60, 7.0))


def page_one(found: Content, room: Room) -> Iterator[Block]:
    """Yield the blocks of page one, with as much as ROOM allows."""
    words = found.words
    date = found.date(found.record.made.time)
    outcome = found.decision.outcome
    kind = "line" if outcome in PUBLISHES else f"line_{outcome or 'open'}"
    who = cut_printed(found.decision.details.approver or words("front", "approver"), LONGEST_NAME)
    yield from letterhead(found)
    yield Cover(
        document=found.kind,
        right=words("front", "proposed_on" if outcome else "draft_of", date=date),
        title=title(found),
        line=words("front", kind, date=date, who=who),
    )
    yield from edition_note(found)
    yield from drafts(found)
    yield from exception(found, room) or (promise(found),)
    yield Statements(rows=tuple(_rows(found, room)), size=room.size)
    signers = roles(found)
    line = ONE_LINE // signature_places.across(len(signers))
    yield Signatures(lines=tuple(_signature(found, role, text, line) for role, text in signers))


def _signature(found: Content, role: str, text: str, line: int) -> tuple[str, str, str]:
    """Return the TEXT of a ROLE, who is meant to sign in it, and in which position where the name takes one LINE."""
    details = found.decision.details
    named = {"proposes": ", ".join(details.authors), "approves": details.approver or ""}
    name, position = cut_printed(named.get(role, ""), LONGEST_SIGNERS), ""
    if role == "proposes" and 0 < len(name) <= line:
        position = cut_printed(details.controller or "", line)
    return text, name, position


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
    if (letters := found.decision.letterhead) is not None:
        lines = tuple(cut(line, LONGEST_LETTERS) for line in letters.lines)
        name, claim = cut(letters.name, LONGEST_LETTERS), found.words("document", "letterhead")
        yield Letterhead(name=name, lines=lines, claim=claim, logo=letters.picture, shape=letters.shape)


def title(found: Content) -> str:
    """Return the title of the decision, as much of it as a page has room for."""
    return cut_printed((found.decision.title or "").strip() or found.words("document", "no_title"), LONGEST_TITLE)


def roles(found: Content) -> tuple[tuple[str, str], ...]:
    """Return the roles that sign on page one, those of the policy if there is one, and what the place of each says.

    The last row is filled up with places for whoever signs beside them.
    """
    stated = found.record.policy.roles if found.record.policy is not None else ()
    known = tuple(stated or ("proposes", "approves"))[:MOST_ROLES]
    known = tuple(dict.fromkeys((*(role for role in ROLES if role in known), *known)))
    known = (*known, *[""] * (-len(known) % signature_places.across(len(known))))
    titles = {role: found.words("summary", key) for role, key in ROLES.items()} | {
        "": found.words("summary", "further")
    }
    return tuple((role, titles.get(role) or cut_printed(role.replace("_", " "), LONGEST_NAME)) for role in known)


def drafts(found: Content) -> Iterator[Block]:
    """Yield that answers are missing, where some are."""
    if missing := len(found.record.assessment.problems):
        text = found.words.counted("summary", "missing_one", "missing_many", missing)
        yield Note(text=found.words("summary", "missing_note", missing=text), tone="warning")


def exception(found: Content, room: Room) -> tuple[Block, ...]:
    """Return that the choice breaks what the decision itself asks, and why, where it does; it takes the box's place."""
    if found.record.assessment.inside is not False or found.epsilon is None:
        return ()
    words, broken = found.words, [brief(named, found) for named in found.sentences.broken or (found.sentences.window,)]
    named = broken[:MOST_BROKEN]
    if len(broken) > MOST_BROKEN:
        named.append(words("front", "more_broken", count=figures.whole(len(broken) - MOST_BROKEN)))
    reason = cut_between_words(" ".join((found.decision.exception_reason or "").split()), room.typed)
    because = words("front", "because", reason=quoted(reason)) if reason else words("front", "because_unsaid")
    sentence = words.counted("front", "exception", "exceptions", len(broken), broken=" ".join(named), because=because)
    return (Note(text=sentence, tone="warning"),)


# ------------------------------------------------------------------------------------------------- the box


def promise(found: Content) -> Promise:
    """Return the box: the largest sentence that holds of the decision, and what it comes to in guesses."""
    words, plain, release = found.words, found.sentences.plain, found.decision.release
    if plain is None and found.noiseless:
        return Promise(heading=words("front", "gives_away"), sentence=words.of_model("mechanism", EXACT.name))
    if plain is None:
        return Promise(heading=words("front", "not_chosen"), sentence=brief(found.sentences.window, found))
    own = release.reveals is not None and plain.guesses is not None
    heading = words("front", "own_result" if own else "gives_away", **people(found))
    dots: tuple[Dots, ...] = ()
    if plain.guesses is not None and plain.guesses.out_of == ALL:
        with_table = words("front", "with_table", right=plain.guesses.seen)
        dots = (
            Dots(caption=words("front", "coin"), filled=ALL // 2, published=False),
            Dots(caption=with_table, filled=plain.guesses.seen, published=True),
        )
    return Promise(
        heading=heading, sentence=brief(plain.promise or found.sentences.window, found), dots=dots, beside=plain.beliefs
    )


def brief(sentence: str, found: Content) -> str:
    """Return SENTENCE with the long names of requirements in it cut."""
    for wording in found.sentences.answers:
        if (short := cut_printed(wording.title, LONGEST_NAME)) != wording.title:
            sentence = sentence.replace(wording.title, short)
    return sentence


def people(found: Content) -> dict[str, str]:
    """Return what one person is called in sentences, and several, and one of what is protected."""
    one = found.decision.release.person_word or found.words("front", "person")
    unit = found.words("front", "one", person=one)
    unit = unit if found.decision.release.person_word else persons.unit_words(found.decision.release)
    with found.spoken():
        several, a_person = plain_words.plural(one), plain_words.with_article(one)
        return {"person": one, "people": several, "a_person": a_person, "unit": unit}


# ------------------------------------------------------------------------------------------------- line by line


def _rows(found: Content, room: Room) -> Iterator[Statement]:
    words, details = found.words, found.decision.details
    yield _why(found, room)
    yield Statement(label=words("front", "published"), text=published(found, room))
    yield Statement(label=words("front", "protected"), text=" ".join(_protected(found)))
    if accuracy := _accuracy(found):
        yield accuracy
    if possible := " ".join(stays_possible(found)):
        yield Statement(label=words("front", "possible"), text=possible)
    if true := [sentence for sentence, _ in vouched(found)]:
        shown = " ".join(true[:MOST_ASSUMED])
        yield Statement(label=words("front", "true"), text=shown, aside=words("front", "who_vouches"))
    again = [words("front", "again_by", date=found.date(details.review_date))] if details.review_date else []
    again.append(words("front", "again_before" if again else "again_always", **people(found)))
    yield Statement(label=words("front", "again"), text=" ".join(again))


def _why(found: Content, room: Room) -> Statement:
    reason = " ".join((found.decision.justification or "").split())
    authors = cut_printed(proposers(found), LONGEST_NAME)
    label = found.words("front", "why")
    if not reason:
        return Statement(label=label, text=found.words("front", "no_reason"))
    return Statement(label=label, text=quoted(cut_printed(reason, room.typed, cut_between_words)), aside=authors)


def published(found: Content, room: Room) -> str:
    """Return what is published, in the officer's words for it, and how often."""
    words, release = found.words, found.decision.release
    least, most = times_made(found)
    often = words.counted("front", "once", "times", most)
    if "how_often" in derived_fields.open_questions(found.decision):
        often = words("front", "often_open")
    elif least < most:
        often = words("front", "times_differ", least=figures.whole(least), most=figures.whole(most))
    if not (release.reveals and release.divisions):
        described = release.description or (_counted_tables(found) if len(release.tables) > 1 else "")
        described = cut_printed(described or words("front", "not_described"), room.typed, cut_between_words)
        return f"{described} {often}"
    named = [
        words("front", "division", name=one.name, parts=figures.whole(one.parts or 1)) for one in release.divisions
    ]
    totals = words("front", "with_totals") if release.totals_printed else ""
    counted = figures.whole(release.dimension)
    units = word("sum", f"{plain_sentences.unit_of(release)}s")
    with found.spoken():
        reveals = plain_words.of_several(release.reveals)
    told = {"reveals": reveals, "divisions": and_listed(named, found), "totals": totals, **people(found)}
    return f"{words('front', 'counts' if counts(found) else 'amounts', count=counted, units=units, **told)} {often}"


def times_made(found: Content) -> tuple[int, int]:
    """Return how often the table is made that is made least often, and the one that is made most often."""
    release = found.decision.release
    times = [release.repetitions * table.times_released for table in release.tables]
    return min(times), max(times)


def _counted_tables(found: Content) -> str:
    """Return what is published where no words say it: how many tables and numbers, of which kinds and levels."""
    words, tables, totals = found.words, found.decision.release.tables, found.decision.release.totals

    def each(counts: Mapping[str, int]) -> str:
        named = (words("front", "division", name=one, parts=figures.whole(many)) for one, many in counts.items())
        return and_listed(tuple(named), found)

    kinds = Counter(words.of_model("statistic", table.statistic) for table in tables if table.statistic is not None)
    numbers = sum(table.dimension for table in tables) + sum(total.dimension for total in totals)
    counted = {"tables": figures.whole(len(tables) + len(totals)), "numbers": figures.whole(numbers)}
    levels = Counter(table.level for table in tables if table.level is not None)
    at = [words("front", "levels_published", levels=each(levels))] if levels else []
    return " ".join([words("front", "tables_published", **counted, kinds=each(kinds)), *at])


def _protected(found: Content) -> Iterator[str]:
    words, release = found.words, found.decision.release
    if found.noiseless:
        yield words("front", "no_noise")
        return
    unit = "count" if counts(found) else "number"
    kind = "whole_noise" if all(table.noise.integer_valued for table in release.noisy) else "noise"
    yield words("front", kind, unit=words("front", unit))
    if "clamping" in release.post_processing:
        yield from _clamped(found, unit)
    if release.adds_up:
        exact = any("exact" in group.made.noises for group in sums_of(release).groups)
        yield words("front", "adds_up_to_exact" if exact else "adds_up")
    if named := [name for name, _ in release.exact if name]:
        names = listed([cut_printed(name, LONGEST_NAME) for name in named[:MOST_ASSUMED]])
        if more := len(named[MOST_ASSUMED:]):
            names = words("noise_sheet", "and_more", names=names, count=figures.whole(more))
        yield words("front", "exact", names=names)
    if release.reveals and release.neighbours == "add_remove":
        yield words("front", "everybody", **people(found))
    if found.epsilon is not None:
        yield words("front", "strength", epsilon=found.printed_choice)


def _clamped(found: Content, unit: str) -> Iterator[str]:
    """Yield which numbers, called UNIT, are shown as 0 where noise takes them below it, and what becomes of sums."""
    words, release = found.words, found.decision.release
    known = unit == "count" or (release.lowest is not None and release.lowest >= 0)
    yield words("front", "clamped" if known else "clamped_if_known", unit=words("front", f"a_{unit}"))
    if release.adds_up or release.totals_printed:
        yield words("front", "sums_before")


def counts(found: Content) -> bool:
    """Return whether every number that is published is a count."""
    return all(table.statistic in ("count", "histogram") for table in found.decision.release.tables)


# ------------------------------------------------------------------------------------------------- accuracy


def _accuracy(found: Content) -> Statement | None:
    """Return how far off the numbers may be: first the need that sets the budget, then what one gets for the rest."""
    if found.epsilon is None or not found.record.drawn.added:
        return None
    kept = {sentence: at for sentence, at in needs_of_kinds(found).items() if all(found.answers[one].met for one in at)}
    asked = (found.decision.requirements[one] for at in kept.values() for one in at)
    tables = (one.read_tables(found.decision.release) for one in asked if isinstance(one, AccuracyRequirement))
    needs = " ".join(f"{sentence}." for sentence in kept) or _first_need(found)
    sentence = list(how_far_off(found, {table.name or "" for each in tables for table in each}))
    if not (needs or sentence):
        return None
    return Statement(label=found.words("front", "accuracy"), strong=needs or sentence.pop(0), text=" ".join(sentence))


def _first_need(found: Content) -> str:
    """Return the first need that the choice keeps, where tables have no kinds; nothing where there is none."""
    plain = found.sentences.plain
    return "" if plain is None or found.decision.release.divisions or not plain.needs else brief(plain.needs[0], found)


def needs_of_kinds(found: Content) -> dict[str, tuple[int, ...]]:
    """Return the needs of whole kinds of tables as sentences, each with the positions of its needs."""
    return table_kinds.needs_of_kinds(found.decision, lambda kinds: cut_printed(kinds, LONGEST_NAME, cut_between_words))


def how_far_off(found: Content, named: Set[str] = frozenset()) -> Iterator[str]:
    """Yield how far off the numbers are by the noise: first those whose need sets the limit, then all others.

    Of several tables those of which it was NAMED before are left out.
    """
    words, front = found.words, found.record.drawn.front
    if front is None or not front.sums:
        yield from _of_many_tables(found, named)
        return
    unit = plain_sentences.unit_of(found.decision.release)
    within = [(plain_sentences.sum_name(one.table_sum, unit), width(one.half_width)) for one in front.sums]
    name, half = within.pop(front.measured)
    yield words("front", "within_first", name=name, half=half)
    if within:
        others = [
            words("front", "within" if at else "within_truth", name=_inside(name, found), half=half)
            for at, (name, half) in enumerate(within)
        ]
        yield words("front", "just_as_often", within=and_listed(others, found))
    if front.zero is not None:
        often = {"watched": figures.whole(PUBLISHED_AS), "often": figures.cases_up(front.zero)}
        yield format_text("sum", "small", often)


def _of_many_tables(found: Content, covered: Set[str]) -> Iterator[str]:
    tables = ((one, [name for name in one.tables if name not in covered]) for one in found.record.drawn.within)
    each = [(names, width(one.half_width)) for one, names in tables if names]
    for names, off in each[:MOST_WIDTHS]:
        named = names_briefly([name for name in names if name], found, LONGEST_NAME)
        yield found.words("notice", "within_of" if named else "within", width=off, tables=named)
    if len(each) > MOST_WIDTHS:
        yield found.words("notice", "more_noises", count=figures.whole(len(each) - MOST_WIDTHS))


def width(half_width: float | None) -> str:
    """Return a half-width as people read it; a dash where there is none."""
    return "–" if half_width is None else figures.number(sums.as_read(half_width))


def and_listed(texts: Sequence[str], found: Content) -> str:
    """Return TEXTS as a list inside a sentence: a, b and c."""
    if len(texts) < 2:
        return "".join(texts)
    return found.words("front", "and", first=listed(texts[:-1]), last=texts[-1])


def _inside(text: str, found: Content) -> str:
    return f"{text[:1].lower()}{text[1:]}" if found.words.language == ENGLISH else text  # German nouns keep capitals


# ------------------------------------------------------------------------------------------------- what stays


def stays_possible(found: Content) -> Iterator[str]:
    """Yield what the release does not hide: what all of it shows, and what groups of people give away together."""
    if (plain := found.sentences.plain) is not None:
        yield f"{plain.not_hidden[:1].upper()}{plain.not_hidden[1:]}"
    if found.sentences.person:
        yield found.sentences.person
    for key in admitted(found.decision):
        yield found.words.of_model("uncovered", key)


def vouched(found: Content) -> list[tuple[str, str]]:
    """Return what must be true, and who vouches for each; empty where nobody does."""
    words = found.words
    proposer = proposers(found) or words("front", "proposer")
    acknowledged = {one.assumption: one for one in found.decision.acknowledged}
    accepted, of_release = found.decision.accepted, (derived_fields.COUNTS_ONCE, derived_fields.NOTHING_ELSE)
    holds = [
        key for key in acknowledged if key in accepted or (key in of_release and acknowledged[key].state == "open")
    ]
    rows: list[tuple[str, str]] = []
    most, told = derived_fields.most_counts(found.decision), people(found)
    if most is not None and derived_fields.counted(found.decision) == "up_to":
        with found.spoken():
            units = word("sum", f"{plain_sentences.unit_of(found.decision.release)}s")
        rows.append((words("front", "counts_up_to", most=figures.whole(most), units=units, **told), proposer))
    for key in (*(key for key in holds if key not in found.sentences.assumed), *found.sentences.assumed):
        named = acknowledged[key].vouched_by if key in acknowledged and acknowledged[key].state != "refused" else ""
        rows.append((_assumption(found, key), named or (proposer if key in accepted else "")))
    if not found.noiseless:
        rows.append((words("front", "noise_each_time" if times_made(found)[1] > 1 else "noise_as_stated"), ""))
    return rows


def _assumption(found: Content, key: str) -> str:
    if not found.decision.release.person_word:
        return found.words.of_model("assumption", key)
    with found.spoken():
        return promises.assumption(found.decision, key)


def proposers(found: Content) -> str:
    """Return the names of those who propose, without what they are."""
    return ", ".join(author.partition(",")[0] for author in found.decision.details.authors)
