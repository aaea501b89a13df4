"""Page two: the budget and what was weighed, what must be true, and what is to be done, for those who sign."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from dpwizard.charts import Scene, axis_chart
from dpwizard.decision import Details
from dpwizard.records import drawn
from dpwizard.report import figures as drawings
from dpwizard.report.blocks import Block, Figure, Heading, Paragraph, Table
from dpwizard.report.content import Content
from dpwizard.report.page_one import Room, brief, exception, needs_of_kinds, people, times_made, vouched, width
from dpwizard.report.values import cut_between_words, cut_printed, label
from dpwizard.wording import figures, persons, plain_sentences, range_of

MOST_ROWS = 7  # requirements that are drawn
MOST_VOUCHED = 6
LONGEST_NAME = 48
LAW = ("authority", "advice", "views")  # what the law asks of such a decision


def page_two(found: Content, room: Room) -> Iterator[Block]:
    """Yield the blocks of page two, with as much as ROOM allows."""
    words, details = found.words, found.decision.details
    yield from exception(found, room)
    chosen = found.printed_choice or words("summary", "not_chosen")
    yield Heading(text=words("front", "chosen" if found.epsilon is not None else "not_chosen", epsilon=chosen))
    yield Paragraph(text=" ".join(_chosen(found)))
    if found.answers and not found.noiseless:
        yield Figure(scene=_requirements(found))
    yield from _weighed(found, room)
    yield from _vouched(found)
    if not found.noiseless:
        yield Heading(text=words("front", "before"))
        yield Paragraph(text=" ".join(_typed(found, words("front", "before_steps"), "conditions", room)))
        yield Heading(text=words("front", "wrong"))
        adds = words("front", "adds", epsilon=found.printed_choice) if found.epsilon is not None else ""
        again = words("front", "wrong_steps", adds=adds)
        if (times := times_made(found)[1]) > 1:
            again = words("front", "wrong_steps_of_several", count=figures.whole(times))
        yield Paragraph(text=" ".join(_typed(found, again, "review_triggers", room)))
    if missing := [words("front", f"law_{name}") for name in LAW if not getattr(details, name)]:
        yield Heading(text=words("front", "not_assessed"))
        text = "; ".join(missing)
        yield Paragraph(text=f"{text[:1].upper()}{text[1:]}.")


def _chosen(found: Content) -> Iterator[str]:
    """Yield what a budget says, where the choice is, and what it comes to with all that was published earlier."""
    words, made = found.words, found.record.accounting
    if found.noiseless:
        yield words("front", "no_noise")
        return
    yield words("front", "meaning", **people(found))
    yield brief(found.sentences.window, found)
    if found.sentences.position:
        yield found.sentences.position
    if found.epsilon is None:
        return
    if found.decision.release.unprotected:  # then no budget is all that is given away
        yield words("front", "exact_beside")
    elif made.in_all is None:
        yield from [words("front", "unknown_before", **people(found))] if found.decision.release.spent else ()
    elif made.in_all == found.epsilon and persons.is_whole(found.decision.release):
        yield words("front", "nothing_before", **people(found), epsilon=found.printed_choice)
    elif made.in_all != found.epsilon:
        yield words("front", "in_all", **people(found), epsilon=figures.epsilon_up(made.in_all))


def _requirements(found: Content) -> Scene:
    window = found.window
    bound = window.binds_lower is not None or window.upper is not None
    return drawings.requirement_rows(
        rows=axis_chart.closest(_rows(found))[:MOST_ROWS],
        ends=None if window.empty or not bound else (window.lower, window.upper),
        chosen=found.epsilon,
        printed=found.printed_choice,
        said=(found.sentences.window, found.sentences.position),
        words=found.words,
        axis=found.decision.axis or "",
        readings={one.budget: one.told for one in found.record.drawn.axis},
    )


def _rows(found: Content) -> tuple[axis_chart.AxisRow, ...]:
    """Return a row of the axis for each requirement; for needs of kinds that share a sentence that of the tightest."""
    off, rows = found.words("results", "off_short"), dict[str | int, axis_chart.AxisRow]()
    needs = {at: need for need, places in needs_of_kinds(found).items() for at in places}
    for at, (answer, wording) in enumerate(zip(found.answers, found.sentences.answers, strict=True)):
        note = wording.bound if answer.enabled else f"{wording.bound} · {off}"
        with found.spoken():
            short = plain_sentences.need_in_short(found.decision.requirements[at], answer, found.decision.release)
        row = axis_chart.row_of(answer, name=needs.get(at, short), note=note)
        rows[needs.get(at, at)] = max(rows.get(needs.get(at, at), row), row, key=_tightness)
    return tuple(rows.values())


def _tightness(row: axis_chart.AxisRow) -> float:
    if row.epsilon is None:
        return 0.0 if row.unbounded else math.inf  # what no budget keeps asks for most
    return row.epsilon


# ------------------------------------------------------------------------------------------------- weighed


def _weighed(found: Content, room: Room) -> Iterator[Block]:
    words, front = found.words, found.record.drawn.front
    alternatives = " ".join((found.decision.details.alternatives or "").split())
    if (front is None or len(front.weighed) < 1) and not alternatives:
        return
    yield Heading(text=words("front", "weighed"))
    if front is not None and front.weighed:
        yield _options(found, front)
    if asked := sum(len(session.replies) for session in found.decision.elicitation):
        yield Paragraph(text=words.counted("front", "asked_one", "asked_many", asked))
    if alternatives:
        text = cut_printed(alternatives, room.typed, cut_between_words)
        yield Paragraph(text=words("front", "alternatives", said=text))


def _options(found: Content, front: drawn.Front) -> Table:
    words = found.words
    shown = range_of(found.record.assessment)
    texts = {key: end.text for key in ("lower", "chosen", "upper") if (end := getattr(shown, key)) is not None}
    weighed = [one for one in front.weighed if one.option == "chosen" or texts[one.option] != texts["chosen"]]
    rows = [_option(found, one, texts[one.option]) for one in weighed]
    rows.append((words("front", "option_exact"), words("front", "no_limit"), words("front", "option_is_exact")))
    unit = plain_sentences.unit_of(found.decision.release)
    within = plain_sentences.sum_name(front.sums[front.measured].table_sum, unit) if front.sums else ""
    columns = (*words.each("front", "option", "option_right"), within)
    chosen = tuple(at for at, one in enumerate(weighed) if one.option == "chosen")
    return Table(columns=columns, rows=tuple(rows), widths=(2.4, 1.1, 1.1), marked=chosen)


def _option(found: Content, one: drawn.Weighed, epsilon: str) -> tuple[str, str, str]:
    words = found.words
    right = words("front", "no_limit")
    if one.seen is not None and one.out_of is not None:
        right = words("front", "at_most", right=figures.whole(one.seen), out_of=figures.whole(one.out_of))
    within = words("front", "half", half=width(one.half_width)) if one.half_width is not None else "–"
    return words("front", f"option_{one.option}", epsilon=epsilon), right, within


# ------------------------------------------------------------------------------------------------- vouched


def _vouched(found: Content) -> Iterator[Block]:
    words, rows = found.words, vouched(found)
    if rows:
        yield Heading(text=words("front", "true_and_who"))
        nobody = words("front", "nobody_yet")
        told = tuple((sentence, cut_printed(who, LONGEST_NAME) or nobody) for sentence, who in rows[:MOST_VOUCHED])
        yield Table(columns=words.each("front", "true", "who"), rows=told, widths=(3.4, 1))
        if len(rows) > MOST_VOUCHED:
            yield Paragraph(text=words("front", "more_true", count=figures.whole(len(rows) - MOST_VOUCHED)))
    if any(getattr(one, "others_known", None) for one in found.decision.requirements if one.enabled):
        yield Paragraph(text=words("front", "not_assumed", **people(found)))


def _typed(found: Content, fixed: str, name: str, room: Room) -> Iterator[str]:
    """Yield what is FIXED, and what was typed in field NAME under its label."""
    yield fixed
    typed: Any = getattr(found.decision.details, name)
    if typed:
        text = cut_printed(" ".join(typed.split()), room.typed, cut_between_words)
        yield f"{label(Details, name)}: {text}"
