"""The report: one decision record as blocks, and the blocks as PDF, as text of 80 columns, as HTML, as pictures.

What it says comes from the record: its numbers, what follows from them in words, and what an officer typed. The
report solves nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from dpwizard.charts import Scene, axis_chart, glyphs
from dpwizard.decision import Paper, admitted
from dpwizard.records import Record
from dpwizard.report import signature_places, typesetting
from dpwizard.report.assembly import Assembled, assembled
from dpwizard.report.blocks import Block, Cover, Figure, KeyFigure, Note, PageBreak, Pairs, Signatures, html, text
from dpwizard.report.content import Content, content
from dpwizard.report.figures import epsilon_axis
from dpwizard.report.particulars import edition_note, letterhead
from dpwizard.report.pdf_objects import page_count
from dpwizard.report.signature_places import with_places
from dpwizard.report.typesetting import Sheet
from dpwizard.report.values import cut, cut_between_words
from dpwizard.wording import chance, epsilon_up, listed, persons, quoted, whole, written

__all__ = ["blocks", "html", "pictures", "text", "typeset"]


MOST_SENTENCES, MOST_CONFLICTS = 2, 4  # on page one
# the roles that the program knows, in the order of signing, and what their places say
ROLES = {"proposes": "proposed", "approves": "approved", "data_protection_officer": "officer"}
MOST_ROLES = 18  # on page one
LONGEST_TITLE, LONGEST_LINE, LONGEST_SIGNERS, LONGEST_NAME, LONGEST_NUMBER = 240, 120, 64, 48, 40  # characters there
LONGEST_SAID = 320  # of all sentences beside epsilon


class Room(NamedTuple):
    """How much stands on page one: characters of the justification, whole on page two, fields nobody answered, and the
    size of its text in points."""

    reason: int
    unassessed: int
    size: float = 10.0


ROOMS = (  # until it is one page
    Room(420, 14),
    Room(420, 6),
    Room(240, 3),
    Room(240, 3, 9.0),
    Room(240, 3, 8.0),
    Room(120, 1, 8.0),
)


def blocks(record: Record) -> tuple[Block, ...]:
    """Return what RECORD says as blocks: the summary of page one, then section by section."""
    found = content(record)
    with found.spoken():
        return _blocks(found, assembled(found), ROOMS[0])


def typeset(record: Record, *, paper: Paper | None = None) -> bytes:
    """Return RECORD typeset: a tagged PDF (PDF/A-3a, PDF/UA-1) with its JSON attached and empty places for signatures.

    PAPER is that of the record where none is named. The bytes follow from RECORD alone: the time is the record's, every
    number stands in it, the fonts are the bundled ones.
    """
    found = content(record)
    with found.spoken():
        on = paper or found.decision.paper or "a4"
        made = typesetting.pdf(_fitted(found, on), _sheet(found, found.data, on))
        return with_places(made, signature_places.places(_roles(found), on))


def pictures(record: Record, *, dots_per_inch: float = 96.0) -> tuple[bytes, ...]:
    """Return the pages of the typeset RECORD as PNG pictures, for looking at it before signing."""
    found = content(record)
    with found.spoken():
        on = found.decision.paper or "a4"
        return typesetting.pictures(_fitted(found, on), _sheet(found, None, on), dots_per_inch=dots_per_inch)


def _blocks(found: Content, behind: Assembled, room: Room) -> tuple[Block, ...]:
    return (*_summary(found, behind.not_assessed, room), PageBreak(), *behind.blocks)


def _fitted(found: Content, on: Paper) -> tuple[Block, ...]:
    """Return the blocks of FOUND, with as much on the first page as it holds: what follows begins the second."""
    behind, sheet = assembled(found), _sheet(found, None, on)
    rooms = (
        room for room in ROOMS if page_count(typesetting.pdf(_summary(found, behind.not_assessed, room), sheet)) == 1
    )
    return _blocks(found, behind, next(rooms, ROOMS[-1]))


def _sheet(found: Content, json_bytes: bytes | None, paper: Paper) -> Sheet:
    words, details = found.words, found.decision.details
    pieces = (
        [words("document", "record", number=_cut(details.record_number, LONGEST_NUMBER))]
        if details.record_number
        else []
    )
    pieces.append(words("document", "hash", hash=f"{found.sha256[:8]}…{found.sha256[-8:]}"))
    pieces += [words("document", "attached", name=found.name)] if json_bytes is not None else []
    return Sheet(
        title=_title(found),
        language=found.words.language,
        seconds=found.seconds,
        foot=" · ".join(pieces),
        page=words("document", "page", page="{page}", pages="{pages}"),
        authors=details.authors,
        paper=paper,
        attachment_name=found.name,
        attachment=json_bytes,
    )


def _title(found: Content) -> str:
    return (found.decision.title or "").strip() or found.words("document", "no_title")


# ------------------------------------------------------------------------------------- page one


def _summary(found: Content, not_assessed: tuple[str, ...], room: Room) -> tuple[Block, ...]:
    words, decision, details = found.words, found.decision, found.decision.details
    stated = words("document", "decided" if decision.outcome else "as_of", date=found.date(found.record.made.time))
    outcome = words.of_model("outcome", decision.outcome or "open")
    right = []
    if details.record_number:
        right.append(words("document", "record", number=_cut(details.record_number, LONGEST_NUMBER)))
    if found.record.assessment.problems:
        right.append(words("document", "draft"))
    pieces = (_cut(details.controller or "", LONGEST_LINE), stated, outcome)
    made: list[Block] = [
        *letterhead(found),
        Cover(
            document=words("document", "kind_public" if found.public else "kind"),
            right=" · ".join(right),
            title=_cut(_title(found), LONGEST_TITLE),
            line=" · ".join(piece for piece in pieces if piece),
        ),
        *edition_note(found),
        replace(_key_figure(found), size=1.1 * room.size),
        Figure(scene=_axis(found)),
    ]
    missing = len(found.record.assessment.problems)
    if missing:
        said = words.counted("summary", "missing_one", "missing_many", missing)
        made.append(Note(text=words("summary", "missing_note", missing=said), tone="warning"))
    made.append(Pairs(rows=_rows(found, not_assessed, room), size=room.size))
    named = {"proposes": ", ".join(details.authors), "approves": details.approver or ""}
    lines = tuple((title, _cut(named.get(role, ""), LONGEST_SIGNERS)) for role, title in _roles(found))
    return (*made, Signatures(lines=lines, note=words("summary", "signature_note")))


def _roles(found: Content) -> tuple[tuple[str, str], ...]:
    """Return the roles that sign on page one, those of the policy if there is one, and what the place of each says.

    The last row is filled up with places for whoever signs beside them.
    """
    stated = found.record.policy.roles if found.record.policy is not None else ()
    roles = tuple(stated or ("proposes", "approves"))[:MOST_ROLES]
    roles = tuple(dict.fromkeys((*(role for role in ROLES if role in roles), *roles)))
    roles = (*roles, *[""] * (-len(roles) % signature_places.ACROSS))
    words = found.words
    said = {role: words("summary", key) for role, key in ROLES.items()} | {"": words("summary", "further")}
    return tuple((role, said.get(role) or _cut(role.replace("_", " "), LONGEST_NAME)) for role in roles)


def _key_figure(found: Content) -> KeyFigure:
    words, release, epsilon = found.words, found.decision.release, found.epsilon
    mechanism = ", ".join(words.of_model("mechanism", each.name) for each in release.noise.each)
    below = ""
    if mechanism:
        below = words.counted("summary", "mechanism_one", "mechanism_many", release.repetitions, mechanism=mechanism)
    label = words("summary", "epsilon")
    if epsilon is None:
        value, said = words("summary", "not_chosen"), _brief((found.said.window,), found)
        return KeyFigure(label=label, value=value, below=found.no_epsilon, sentences=said)
    return KeyFigure(label=label, value=found.printed_choice, below=below, sentences=_brief(_meaning(found), found))


def _cut(text: str, most: int, end: Callable[[str, int], str] = cut) -> str:
    """Return TEXT cut to MOST characters as they are printed, as END does: one that no font has takes several."""
    return text if len(printed := glyphs.printable(text)) <= most else end(printed, most)


def _brief(sentences: tuple[str, ...], found: Content) -> tuple[str, ...]:
    """Return SENTENCES with long names cut, and no more of them than leave room for the rest of page one."""
    for said in found.said.answers:
        if (short := _cut(said.title, LONGEST_NAME)) != said.title:
            sentences = tuple(sentence.replace(said.title, short) for sentence in sentences)
    return tuple(s for i, s in enumerate(sentences) if i == 0 or sum(map(len, sentences[: i + 1])) <= LONGEST_SAID)


def _meaning(found: Content) -> tuple[str, ...]:
    """Return what the chosen epsilon breaks, else what it gives the belief and the need that bind, in sentences."""
    if found.said.broken:
        return found.said.broken[:MOST_SENTENCES]
    window = found.window
    first = next((i for i, a in enumerate(found.answers) if a.enabled and a.side == "upper" and a.at_epsilon), None)
    last = next((i for i, a in enumerate(found.answers) if a.enabled and a.side == "lower" and a.at_epsilon), None)
    upper, lower = window.binds_upper, window.binds_lower
    positions = (first if upper is None else upper, last if lower is None else lower)
    sentences = [_sentence(found, position) for position in positions if position is not None]
    return tuple(sentence for sentence in sentences if sentence) or (_position(found) or found.said.window,)


def _position(found: Content) -> str:
    """Return whether the chosen epsilon lies in the window: rounded as beside it, and said where nothing bounds it."""
    window, inside = found.window, found.record.assessment.inside
    if found.epsilon is None or inside is None:
        return found.said.position
    bound = window.binds_lower is not None or window.binds_upper is not None
    key = ("inside" if inside else "outside_window") if bound else "unbounded"
    return found.words("summary", key, epsilon=found.printed_choice)


def _sentence(found: Content, position: int) -> str:
    """Return what one requirement gets at the chosen epsilon; where there is no shorter form, the record's sentence."""
    answer, words = found.answers[position], found.words
    at = {
        name: value
        for name, value in answer.at_epsilon.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    if "tolerance" in at or not persons.is_whole(found.decision.release):
        return found.said.answers[position].at_epsilon  # what may be passed by some is no chance after
    try:
        match answer.kind:
            case "relative_risk":
                # a limit that nobody attains has no such chance: the record says it
                prior = at["posterior"] / at["ratio"]
                if prior < 1e-6:
                    return found.said.answers[position].at_epsilon
                figures = {"prior": chance(prior), "posterior": written(at["posterior"], "fear")}
            case "switch_probability":
                figures = {"probability": written(at["probability"], "fear")}
            case "exact_probability":
                figures = {"exact": written(at["exact_probability"], "hope")}
            case "rmse" | "mean_absolute_error":
                figures = {answer.kind: written(at[answer.kind], "figure")}
            case "noise_interval":
                figures = {
                    "half_width": written(at["half_width"], "figure"),
                    "coverage": written(at["coverage"], "hope"),
                }
            case _:
                return found.said.answers[position].at_epsilon
    except (KeyError, ZeroDivisionError):
        return found.said.answers[position].at_epsilon
    return words("summary", answer.kind, **figures)


def _axis(found: Content) -> Scene:
    window = found.window

    def end(position: int | None, epsilon: float | None) -> axis_chart.End | None:
        if position is None or epsilon is None:
            return None
        said = found.said.answers[position]
        return axis_chart.End(name=said.title, note=said.bound, epsilon=epsilon)

    return epsilon_axis(
        lower=end(window.binds_lower, window.lower),
        upper=end(window.binds_upper, window.upper),
        empty=window.empty,
        chosen=found.epsilon,
        printed=found.printed_choice,
        said=(found.said.window, found.said.position),
        words=found.words,
    )


def _summary_rows(found: Content) -> list[tuple[str, str]]:
    words, window = found.words, found.window
    titles = [said.title for said in found.said.answers]
    if window.empty:
        rows = [(words("summary", "conflict"), _conflict(found))]
    else:
        positions = [i for i in (window.binds_upper, window.binds_lower) if i is not None]
        lines = "\n".join(_bind_line(found, i) for i in positions)
        rows = [(words("summary", "binds_both"), lines or words("summary", "no_bind"))]
    if found.record.assessment.inside is False and found.epsilon is not None:
        missed = [
            title for title, answer in zip(titles, found.answers, strict=True) if answer.enabled and answer.met is False
        ]
        key = "exception_line" if found.decision.exception_reason else "exception_unsaid"
        rows.append((words("summary", "exception"), words("summary", key, names=_names(missed, found))))
    if total := _in_total(found):
        rows.append((words("summary", "in_total"), total))
    for key, sentence in zip(("person", "outside", "not_covered"), found.said.meaning, strict=False):
        rows.append((words("summary", key), sentence))
        if key == "person" and found.said.person:
            rows.append((words("summary", "units"), found.said.person))
    if uncovered := admitted(found.decision):
        said = " ".join(words.of_model("uncovered", key) for key in uncovered)
        rows.append((words("summary", "uncovered"), said))
    if not found.decision.details.review_date:
        return rows
    review = _cut(found.date(found.decision.details.review_date) or "", LONGEST_NAME)
    return [*rows, (words("summary", "review"), review)]


def _in_total(found: Content) -> str:
    """Return what one release costs and what all that counts comes to; nothing where that is the same."""
    accounting, epsilon = found.record.accounting, found.epsilon
    whole_cost = accounting.in_all
    if epsilon is None or whole_cost is None or whole_cost == epsilon:
        return ""
    figures = {"one": epsilon_up(epsilon), "all": epsilon_up(whole_cost)}
    release = found.decision.release
    counted = {"repetitions": whole(release.repetitions), "earlier": whole(len(release.spent))}
    key = (
        "total_of_both"
        if release.repetitions > 1 and release.spent
        else "total_of_earlier"
        if release.spent
        else "total"
    )
    return found.words("summary", key, **figures, **counted)


def _rows(found: Content, not_assessed: tuple[str, ...], room: Room) -> tuple[tuple[str, str], ...]:
    """Return the rows of page one: the officer's reason first, and last what nobody assessed."""
    rows = _summary_rows(found)
    first, last = [], []
    reason = " ".join((found.decision.justification or "").split())
    if reason:
        first.append((found.words("summary", "reason"), _cut(reason, room.reason, cut_between_words)))
    if not_assessed:
        shown, rest = not_assessed[: room.unassessed], len(not_assessed) - room.unassessed
        said = ", ".join(shown)
        if rest > 0:
            said = found.words("summary", "names_more", names=said, count=whole(rest))
        last.append((found.words("summary", "not_assessed_list"), said))
    return (*first, *rows, *last)


def _names(titles: list[str], found: Content) -> str:
    """Return the first of TITLES in quotes, and how many more there are: page one stays one page."""
    named = [quoted(_cut(title, LONGEST_NAME)) for title in titles]
    if len(named) <= MOST_CONFLICTS:
        return listed(named)
    shown, rest = named[: MOST_CONFLICTS - 1], len(named) - MOST_CONFLICTS + 1
    return found.words("summary", "names_more", names=", ".join(shown), count=whole(rest))


def _conflict(found: Content) -> str:
    """Return who contradicts whom, the strictest of each side first; the section on results names them all."""
    window = found.window
    ends = [i for i in (window.binds_upper, window.binds_lower) if i in window.conflict]
    order = [*ends, *(i for i in window.conflict if i not in ends)]
    shown = [found.said.answers[i] for i in order[:MOST_CONFLICTS]]
    lines = [f"{_cut(said.title, LONGEST_NAME)}: {said.bound}" for said in shown]
    if len(order) > len(lines):
        lines.append(found.words("results", "and_more", count=whole(len(order) - len(lines))))
    return "\n".join(lines)


def _bind_line(found: Content, position: int) -> str:
    answer, said, words = found.answers[position], found.said.answers[position], found.words
    figures = {
        "name": _cut(said.title, LONGEST_NAME),
        "bound": said.bound,
        "grounds": words.of_model("grounds", answer.grounds) if answer.grounds else "–",
    }
    binding = [value for value in (answer.binding.get("p"), answer.binding.get("q")) if isinstance(value, int | float)]
    if answer.kind == "relative_risk" and len(binding) == 2 and answer.attained and binding[0] * binding[1] > 0:
        key, figures["prior"] = "bind_prior", chance(binding[0] * binding[1])
    else:
        key = "bind_line" if answer.epsilon is not None else "bind_none"
    return words("summary", f"{key}_briefly", **figures)
