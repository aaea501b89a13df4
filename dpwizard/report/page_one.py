"""Page one, for those who sign: the decision, its guarantee, and the remaining risks.

It has few and short sentences, in the officer's own words for people and numbers if there are any; else the sentences
of the requirements and the description of the release.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import partial
from typing import NamedTuple

from dpwizard.base.language import ENGLISH
from dpwizard.decision import AccuracyRequirement, admitted, derived_fields, sums_of
from dpwizard.privacy.mechanisms import EXACT
from dpwizard.questions import privacy_words, sums, table_kinds
from dpwizard.report import signature_places
from dpwizard.report.blocks import Block, Cover, Dots, Letterhead, Note, Promise, Signatures, Statement, Statements
from dpwizard.report.content import Content
from dpwizard.report.many_rows import names_briefly
from dpwizard.report.values import cut, cut_between_words, cut_printed
from dpwizard.wording import figures, format_text, listed, persons, plain_sentences, plain_words, quoted, word

LONGEST_TITLE, LONGEST_SIGNERS, LONGEST_LETTERS, LONGEST_NAME = 160, 90, 80, 48  # characters there
ONE_LINE = 90  # characters of a line as wide as the page, in the font size of signers
MOST_ROLES = 18  # with a place to sign
# the predefined roles in the order of signing, and the keys of their words
ROLES = {"proposes": "proposed", "approves": "approved", "data_protection_officer": "officer"}
MOST_BROKEN, MOST_ASSUMED, MOST_WIDTHS = 3, 3, 3
PUBLISHES = ("approve", "approve_with_conditions")
DOTS = 100
WATCHED = 3  # a true 0 may be published as this or more


class Room(NamedTuple):
    """Limits for the first two pages: characters of texts by the officer, and the font size in points."""

    typed: int
    size: float


ROOMS = (Room(500, 10.5), Room(500, 9.5), Room(360, 9.0), Room(240, 8.5), Room(120, 8.0), Room(60, 7.0))


def page_one(report: Content, room: Room) -> Iterator[Block]:
    """Yield the blocks of page one within ROOM."""
    words = report.words
    date = report.date(report.record.made.time)
    outcome = report.decision.outcome
    kind = "line" if outcome in PUBLISHES else f"line_{outcome or 'open'}"
    who = cut_printed(report.decision.details.approver or words("front", "approver"), LONGEST_NAME)
    yield from letterhead(report)
    yield Cover(
        document=report.kind,
        right=words("front", "proposed_on" if outcome else "draft_of", date=date),
        title=title(report),
        line=words("front", kind, date=date, who=who),
    )
    yield from edition_note(report)
    yield from drafts(report)
    yield from exception(report, room) or (promise(report),)
    yield Statements(rows=tuple(_rows(report, room)), size=room.size)
    signers = roles(report)
    line = ONE_LINE // signature_places.across(len(signers))
    yield Signatures(lines=tuple(_signature(report, role, text, line) for role, text in signers))


def _signature(report: Content, role: str, text: str, line: int) -> tuple[str, str, str]:
    """Return the TEXT of a ROLE, the name of its signer, and the position if the name takes only one LINE."""
    details = report.decision.details
    named = {"proposes": ", ".join(details.authors), "approves": details.approver or ""}
    name, position = cut_printed(named.get(role, ""), LONGEST_SIGNERS), ""
    if role == "proposes" and 0 < len(name) <= line:
        position = cut_printed(details.controller or "", line)
    return text, name, position


def edition_note(report: Content) -> Iterator[Block]:
    """Yield, for a public version, how many of the requirements it includes, and its internal record."""
    public = report.record.public
    if public is None:
        return
    counts = {"requirements": figures.whole(public.requirements), "of": figures.whole(public.of)}
    yield Note(text=report.words("edition", "note", **counts, hash=public.internal_sha256))


def letterhead(report: Content) -> Iterator[Block]:
    """Yield the letterhead above page one, if there is one, with the note that it is unverified."""
    if (letters := report.decision.letterhead) is not None:
        lines = tuple(cut(line, LONGEST_LETTERS) for line in letters.lines)
        name, claim = cut(letters.name, LONGEST_LETTERS), report.words("document", "letterhead")
        yield Letterhead(name=name, lines=lines, claim=claim, logo=letters.picture, shape=letters.shape)


def title(report: Content) -> str:
    """Return the title of the decision, shortened for a page."""
    return cut_printed((report.decision.title or "").strip() or report.words("document", "no_title"), LONGEST_TITLE)


def roles(report: Content) -> tuple[tuple[str, str], ...]:
    """Return the roles with a place to sign on page one, by default those of the policy, and their words.

    The last row is completed with places for further signers.
    """
    stated = report.record.policy.roles if report.record.policy is not None else ()
    known = tuple(stated or ("proposes", "approves"))[:MOST_ROLES]
    known = tuple(dict.fromkeys((*(role for role in ROLES if role in known), *known)))
    known = (*known, *[""] * (-len(known) % signature_places.across(len(known))))
    titles = {role: report.words("summary", key) for role, key in ROLES.items()} | {
        "": report.words("summary", "further")
    }
    return tuple((role, titles.get(role) or cut_printed(role.replace("_", " "), LONGEST_NAME)) for role in known)


def drafts(report: Content) -> Iterator[Block]:
    """Yield the note on missing answers, if there are any."""
    if report.record.assessment.problems:
        yield Note(text=report.words("summary", "missing_note"), tone="warning")


def exception(report: Content, room: Room) -> tuple[Block, ...]:
    """Return the note on unmet requirements with the reason, which replaces the box; empty without any."""
    if report.record.assessment.inside is not False or report.epsilon is None:
        return ()
    words = report.words
    broken = [brief(sentence, report) for sentence in report.sentences.broken or (report.sentences.window,)]
    named = broken[:MOST_BROKEN]
    if len(broken) > MOST_BROKEN:
        named.append(words("front", "more_broken", count=figures.whole(len(broken) - MOST_BROKEN)))
    reason = cut_between_words(" ".join((report.decision.exception_reason or "").split()), room.typed)
    because = words("front", "because", reason=quoted(reason)) if reason else words("front", "because_unsaid")
    sentence = words.counted("front", "exception", "exceptions", len(broken), broken=" ".join(named), because=because)
    return (Note(text=sentence, tone="warning"),)


# ------------------------------------------------------------------------------------------------- the box


def promise(report: Content) -> Promise:
    """Return the box: the strongest guarantee of the decision, and the guesses it allows."""
    words, plain, release = report.words, report.sentences.plain, report.decision.release
    if plain is None and report.noiseless:
        return Promise(heading=words("front", "gives_away"), sentence=words.of_model("mechanism", EXACT.name))
    if plain is None:
        return Promise(heading=words("front", "not_chosen"), sentence=brief(report.sentences.window, report))
    of_result = release.reveals is not None and plain.guesses is not None
    heading = words("front", "own_result" if of_result else "gives_away", **people(report))
    sentence = brief(plain.promise or report.sentences.window, report)
    dots: tuple[Dots, ...] = ()
    if plain.guesses is not None and plain.guesses.out_of == DOTS:
        with_table = words("front", "with_table", right=plain.guesses.seen)
        dots = (
            Dots(caption=words("front", "coin"), filled=DOTS // 2, published=False),
            Dots(caption=with_table, filled=plain.guesses.seen, published=True),
        )
    return Promise(heading=heading, sentence=sentence, dots=dots, beside=plain.beliefs)


def brief(sentence: str, report: Content) -> str:
    """Return SENTENCE with shortened names of requirements."""
    for wording in report.sentences.answers:
        if (short := cut_printed(wording.title, LONGEST_NAME)) != wording.title:
            sentence = sentence.replace(wording.title, short)
    return sentence


def people(report: Content) -> dict[str, str]:
    """Return the words for a person, for several, and for a privacy unit, by placeholder."""
    release = report.decision.release
    person = release.person_word or report.words("front", "person")
    unit = report.words("front", "one", person=person) if release.person_word else persons.unit_words(release)
    several, a_person = plain_words.plural(person), plain_words.with_article(person)
    return {"person": person, "people": several, "a_person": a_person, "unit": unit}


# ------------------------------------------------------------------------------------------------- line by line


def _rows(report: Content, room: Room) -> Iterator[Statement]:
    words, details = report.words, report.decision.details
    yield _why(report, room)
    yield Statement(label=words("front", "published"), text=published(report, room))
    yield Statement(label=words("front", "protected"), text=" ".join(_protected(report)))
    if accuracy := _accuracy(report):
        yield accuracy
    if possible := " ".join(stays_possible(report)):
        yield Statement(label=words("front", "possible"), text=possible)
    if true := [sentence for sentence, _ in vouched(report)]:
        shown = " ".join(true[:MOST_ASSUMED])
        yield Statement(label=words("front", "true"), text=shown, aside=words("front", "who_vouches"))
    again = [words("front", "again_by", date=report.date(details.review_date))] if details.review_date else []
    again.append(words("front", "again_before" if again else "again_always", **people(report)))
    yield Statement(label=words("front", "again"), text=" ".join(again))


def _why(report: Content, room: Room) -> Statement:
    label, reason = report.words("front", "why"), " ".join((report.decision.justification or "").split())
    if not reason:
        return Statement(label=label, text=report.words("front", "no_reason"))
    shown = quoted(cut_printed(reason, room.typed, cut_between_words))
    return Statement(label=label, text=shown, aside=cut_printed(proposers(report), LONGEST_NAME))


def published(report: Content, room: Room) -> str:
    """Return the publication and its frequency, in the officer's words."""
    words, release = report.words, report.decision.release
    least, most = times_released(report)
    often = words.counted("front", "once", "times", most)
    if "how_often" in derived_fields.open_questions(report.decision):
        often = words("front", "often_open")
    elif least < most:
        often = words("front", "times_differ", least=figures.whole(least), most=figures.whole(most))
    if not (release.reveals and release.divisions):
        described = release.description or (_counted_tables(report) if len(release.tables) > 1 else "")
        described = cut_printed(described or words("front", "not_described"), room.typed, cut_between_words)
        return f"{described} {often}"
    named = [
        words("front", "division", name=division.name, parts=figures.whole(division.parts or 1))
        for division in release.divisions
    ]
    totals = words("front", "with_totals") if release.totals_printed else ""
    counted = figures.whole(release.dimension)
    units = word("sum", f"{plain_sentences.unit_of(release)}s")
    reveals = plain_words.plural_verb(release.reveals)
    texts = {"reveals": reveals, "divisions": and_listed(named, report), "totals": totals, **people(report)}
    return f"{words('front', 'counts' if counts(report) else 'amounts', count=counted, units=units, **texts)} {often}"


def times_released(report: Content) -> tuple[int, int]:
    """Return the smallest and the largest number of times that a table is released."""
    release = report.decision.release
    times = [release.repetitions * table.times_released for table in release.tables]
    return min(times), max(times)


def _counted_tables(report: Content) -> str:
    """Return the publication without a description: the numbers of tables and figures, their kinds and levels."""
    words, tables, totals = report.words, report.decision.release.tables, report.decision.release.totals

    def each(counts: Mapping[str, int]) -> str:
        named = (words("front", "division", name=name, parts=figures.whole(parts)) for name, parts in counts.items())
        return and_listed(tuple(named), report)

    kinds = Counter(words.of_model("statistic", table.statistic) for table in tables if table.statistic is not None)
    numbers = sum(table.dimension for table in tables) + sum(total.dimension for total in totals)
    counted = {"tables": figures.whole(len(tables) + len(totals)), "numbers": figures.whole(numbers)}
    levels = Counter(table.level for table in tables if table.level is not None)
    at = [words("front", "levels_published", levels=each(levels))] if levels else []
    return " ".join([words("front", "tables_published", **counted, kinds=each(kinds)), *at])


def _protected(report: Content) -> Iterator[str]:
    words, release = report.words, report.decision.release
    if report.noiseless:
        yield words("front", "no_noise")
        return
    unit = "count" if counts(report) else "number"
    kind = "whole_noise" if all(table.noise.integer_valued for table in release.noisy) else "noise"
    yield words("front", kind, unit=words("front", unit))
    if "clamping" in release.post_processing:
        yield from _clamped(report, unit)
    if release.adds_up:
        exact = any("exact" in group.structure.noises for group in sums_of(release).groups)
        yield words("front", "adds_up_to_exact" if exact else "adds_up")
    if named := [name for name, _ in release.exact if name]:
        names = listed([cut_printed(name, LONGEST_NAME) for name in named[:MOST_ASSUMED]])
        if more := len(named[MOST_ASSUMED:]):
            names = words("noise_sheet", "and_more", names=names, count=figures.whole(more))
        yield words("front", "exact", names=names)
    if release.reveals and release.neighbours == "add_remove":
        yield words("front", "everybody", **people(report))
    if report.epsilon is not None:
        yield words("front", "strength", epsilon=report.printed_choice)


def _clamped(report: Content, unit: str) -> Iterator[str]:
    """Yield which numbers, in words UNIT, become 0 if noise makes them negative, and the effect on sums."""
    words, release = report.words, report.decision.release
    known = unit == "count" or (release.lowest is not None and release.lowest >= 0)
    yield words("front", "clamped" if known else "clamped_if_known", unit=words("front", f"a_{unit}"))
    if release.adds_up or release.totals_printed:
        yield words("front", "sums_before")


def counts(report: Content) -> bool:
    """Return whether every published number is a count."""
    return all(table.statistic in ("count", "histogram") for table in report.decision.release.tables)


# ------------------------------------------------------------------------------------------------- accuracy


def _accuracy(report: Content) -> Statement | None:
    """Return the accuracy of the numbers: first the need that sets the budget, then the others."""
    if report.epsilon is None or not report.record.drawn.added:
        return None
    release, answers = report.decision.release, report.answers
    met = {need: at for need, at in needs_of_kinds(report).items() if all(answers[index].met for index in at)}
    asked = (report.decision.requirements[index] for at in met.values() for index in at)
    tables = (need.read_tables(release) for need in asked if isinstance(need, AccuracyRequirement))
    needs = " ".join(f"{need}." for need in met) or _first_need(report)
    widths = list(how_far_off(report, {table.name or "" for several in tables for table in several}))
    if not (needs or widths):
        return None
    return Statement(label=report.words("front", "accuracy"), strong=needs or widths.pop(0), text=" ".join(widths))


def _first_need(report: Content) -> str:
    """Return the first need that is met, if tables have no kinds; "" if there is none."""
    plain = report.sentences.plain
    if plain is None or not plain.needs or report.decision.release.divisions:
        return ""
    return brief(plain.needs[0], report)


def needs_of_kinds(report: Content) -> dict[str, tuple[int, ...]]:
    """Return the positions of the needs on whole kinds of tables, by their common sentence."""
    return table_kinds.needs_of_kinds(report.decision, partial(cut_printed, most=LONGEST_NAME, end=cut_between_words))


def how_far_off(report: Content, named: Set[str] = frozenset()) -> Iterator[str]:
    """Yield the errors of the numbers by noise: first those whose need sets the limit, then the others.

    Tables NAMED before are left out.
    """
    words, front = report.words, report.record.drawn.front
    if front is None or not front.sums:
        yield from _of_many_tables(report, named)
        return
    unit = plain_sentences.unit_of(report.decision.release)
    within = [(plain_sentences.sum_name(each.table_sum, unit), width(each.half_width)) for each in front.sums]
    name, half = within.pop(front.measured)
    yield words("front", "within_first", name=name, half=half)
    if within:
        others = [
            words("front", "within" if at else "within_truth", name=_inside_sentence(name, report), half=half)
            for at, (name, half) in enumerate(within)
        ]
        yield words("front", "just_as_often", within=and_listed(others, report))
    if front.zero is not None:
        often = {"watched": figures.whole(WATCHED), "often": figures.cases_up(front.zero)}
        yield format_text("sum", "small", often)


def _of_many_tables(report: Content, covered: Set[str]) -> Iterator[str]:
    within = ((noise, [name for name in noise.tables if name not in covered]) for noise in report.record.drawn.within)
    widths = [(names, width(noise.half_width)) for noise, names in within if names]
    for names, half in widths[:MOST_WIDTHS]:
        named = names_briefly([name for name in names if name], report, LONGEST_NAME)
        yield report.words("notice", "within_of" if named else "within", width=half, tables=named)
    if len(widths) > MOST_WIDTHS:
        yield report.words("notice", "more_noises", count=figures.whole(len(widths) - MOST_WIDTHS))


def width(half_width: float | None) -> str:
    """Return a half-width in words; a dash if there is none."""
    return "–" if half_width is None else figures.number(sums.as_read(half_width))


def and_listed(texts: Sequence[str], report: Content) -> str:
    """Return TEXTS as a list inside a sentence: a, b and c."""
    if len(texts) < 2:
        return "".join(texts)
    return report.words("front", "and", first=listed(texts[:-1]), last=texts[-1])


def _inside_sentence(text: str, report: Content) -> str:
    return f"{text[:1].lower()}{text[1:]}" if report.words.language == ENGLISH else text  # German nouns keep capitals


# ------------------------------------------------------------------------------------------------- what stays


def stays_possible(report: Content) -> Iterator[str]:
    """Yield the information that is not protected: about the population, and about groups of people."""
    if (plain := report.sentences.plain) is not None:
        yield f"{plain.not_hidden[:1].upper()}{plain.not_hidden[1:]}"
    if report.sentences.person:
        yield report.sentences.person
    for key in admitted(report.decision):
        yield report.words.of_model("uncovered", key)


def vouched(report: Content) -> list[tuple[str, str]]:
    """Return the assumptions with the person who vouches for each ("": nobody)."""
    words, decision, person_word = report.words, report.decision, report.decision.release.person_word
    proposer = proposers(report) or words("front", "proposer")
    acknowledged = {answer.assumption: answer for answer in decision.acknowledged}
    accepted, of_release = decision.accepted, (derived_fields.COUNTS_ONCE, derived_fields.NOTHING_ELSE)
    holds = [
        key for key in acknowledged if key in accepted or (key in of_release and acknowledged[key].state == "open")
    ]
    rows: list[tuple[str, str]] = []
    most = derived_fields.most_counts(decision)
    if most is not None and derived_fields.counted(decision) == "up_to":
        units = word("sum", f"{plain_sentences.unit_of(decision.release)}s")
        up_to = words("front", "counts_up_to", most=figures.whole(most), units=units, **people(report))
        rows.append((up_to, proposer))
    for key in (*(key for key in holds if key not in report.sentences.assumed), *report.sentences.assumed):
        named = acknowledged[key].vouched_by if key in acknowledged and acknowledged[key].state != "refused" else ""
        sentence = privacy_words.assumption(decision, key) if person_word else words.of_model("assumption", key)
        rows.append((sentence, named or (proposer if key in accepted else "")))
    if not report.noiseless:
        rows.append((words("front", "noise_each_time" if times_released(report)[1] > 1 else "noise_as_stated"), ""))
    return rows


def proposers(report: Content) -> str:
    """Return the names of the proposers, without their titles."""
    return ", ".join(author.partition(",")[0] for author in report.decision.details.authors)
