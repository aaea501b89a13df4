"""Page two, for those who sign: the budget and the alternatives, the assumptions, and the next steps."""

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
from dpwizard.report.page_one import Room, brief, exception, needs_of_kinds, people, times_released, vouched, width
from dpwizard.report.values import cut_between_words, cut_printed, label
from dpwizard.wording import figures, persons, plain_sentences, range_of

MOST_ROWS = 7  # requirements drawn
MOST_VOUCHED = 6
LONGEST_NAME = 48
LAW = ("authority", "advice", "views")  # required by law


def page_two(report: Content, room: Room) -> Iterator[Block]:
    """Yield the blocks of page two within ROOM."""
    words, details = report.words, report.decision.details
    yield from exception(report, room)
    chosen = report.printed_choice or words("summary", "not_chosen")
    yield Heading(text=words("front", "chosen" if report.epsilon is not None else "not_chosen", epsilon=chosen))
    yield Paragraph(text=" ".join(_chosen(report)))
    if report.answers and not report.noiseless:
        yield Figure(scene=_requirements(report))
    yield from _weighed(report, room)
    yield from _vouched(report)
    if not report.noiseless:
        yield Heading(text=words("front", "before"))
        yield Paragraph(text=" ".join(_with_typed(report, words("front", "before_steps"), "conditions", room)))
        yield Heading(text=words("front", "wrong"))
        adds = words("front", "adds", epsilon=report.printed_choice) if report.epsilon is not None else ""
        again = words("front", "wrong_steps", adds=adds)
        if (times := times_released(report)[1]) > 1:
            again = words("front", "wrong_steps_of_several", count=figures.whole(times))
        yield Paragraph(text=" ".join(_with_typed(report, again, "review_triggers", room)))
    if missing := [words("front", f"law_{name}") for name in LAW if not getattr(details, name)]:
        yield Heading(text=words("front", "not_assessed"))
        text = "; ".join(missing)
        yield Paragraph(text=f"{text[:1].upper()}{text[1:]}.")


def _chosen(report: Content) -> Iterator[str]:
    """Yield the meaning of the budget, the position of the choice, and the total with earlier releases."""
    words, accounting = report.words, report.record.accounting
    if report.noiseless:
        yield words("front", "no_noise")
        return
    yield words("front", "meaning", **people(report))
    yield brief(report.sentences.window, report)
    if report.sentences.position:
        yield report.sentences.position
    if report.epsilon is None:
        return
    if report.decision.release.unprotected:  # then the budget is not the whole privacy loss
        yield words("front", "exact_beside")
    elif accounting.in_all is None:
        yield from [words("front", "unknown_before", **people(report))] if report.decision.release.spent else ()
    elif accounting.in_all == report.epsilon and persons.is_whole(report.decision.release):
        yield words("front", "nothing_before", **people(report), epsilon=report.printed_choice)
    elif accounting.in_all != report.epsilon:
        yield words("front", "in_all", **people(report), epsilon=figures.epsilon_up(accounting.in_all))


def _requirements(report: Content) -> Scene:
    window = report.window
    bound = window.binds_lower is not None or window.upper is not None
    return drawings.requirement_rows(
        rows=axis_chart.closest(_rows(report))[:MOST_ROWS],
        ends=None if window.empty or not bound else (window.lower, window.upper),
        chosen=report.epsilon,
        printed=report.printed_choice,
        sentences=(report.sentences.window, report.sentences.position),
        words=report.words,
        axis=report.decision.axis or "",
        readings={tick.budget: tick.told for tick in report.record.drawn.axis},
    )


def _rows(report: Content) -> tuple[axis_chart.AxisRow, ...]:
    """Return a row of the axis for each requirement; needs with a common sentence share that of the strictest."""
    off, rows = report.words("results", "off_short"), dict[str | int, axis_chart.AxisRow]()
    needs = {at: need for need, places in needs_of_kinds(report).items() for at in places}
    for at, (answer, wording) in enumerate(zip(report.answers, report.sentences.answers, strict=True)):
        note = wording.bound if answer.enabled else f"{wording.bound} · {off}"
        short = plain_sentences.need_in_short(report.decision.requirements[at], answer, report.decision.release)
        row = axis_chart.row_of(answer, name=needs.get(at, short), note=note)
        rows[needs.get(at, at)] = max(rows.get(needs.get(at, at), row), row, key=_tightness)
    return tuple(rows.values())


def _tightness(row: axis_chart.AxisRow) -> float:
    if row.epsilon is None:
        return 0.0 if row.unbounded else math.inf  # an infeasible one is the strictest
    return row.epsilon


# ------------------------------------------------------------------------------------------------- weighed


def _weighed(report: Content, room: Room) -> Iterator[Block]:
    words, front = report.words, report.record.drawn.front
    alternatives = " ".join((report.decision.details.alternatives or "").split())
    if (front is None or len(front.weighed) < 1) and not alternatives:
        return
    yield Heading(text=words("front", "weighed"))
    if front is not None and front.weighed:
        yield _options(report, front)
    if asked := sum(len(session.replies) for session in report.decision.elicitation):
        yield Paragraph(text=words.counted("front", "asked_one", "asked_many", asked))
    if alternatives:
        text = cut_printed(alternatives, room.typed, cut_between_words)
        yield Paragraph(text=words("front", "alternatives", said=text))


def _options(report: Content, front: drawn.Front) -> Table:
    words = report.words
    shown = range_of(report.record.assessment)
    texts = {key: end.text for key in ("lower", "chosen", "upper") if (end := getattr(shown, key)) is not None}
    weighed = [
        option for option in front.weighed if option.option == "chosen" or texts[option.option] != texts["chosen"]
    ]
    rows = [_option(report, option, texts[option.option]) for option in weighed]
    rows.append((words("front", "option_exact"), words("front", "no_limit"), words("front", "option_is_exact")))
    unit = plain_sentences.unit_of(report.decision.release)
    within = plain_sentences.sum_name(front.sums[front.measured].table_sum, unit) if front.sums else ""
    columns = (*words.each("front", "option", "option_right"), within)
    chosen = tuple(at for at, option in enumerate(weighed) if option.option == "chosen")
    return Table(columns=columns, rows=tuple(rows), widths=(2.4, 1.1, 1.1), marked=chosen)


def _option(report: Content, option: drawn.Weighed, epsilon: str) -> tuple[str, str, str]:
    words = report.words
    right = words("front", "no_limit")
    if option.seen is not None and option.out_of is not None:
        right = words("front", "at_most", right=figures.whole(option.seen), out_of=figures.whole(option.out_of))
    within = words("front", "half", half=width(option.half_width)) if option.half_width is not None else "–"
    return words("front", f"option_{option.option}", epsilon=epsilon), right, within


# ------------------------------------------------------------------------------------------------- vouched


def _vouched(report: Content) -> Iterator[Block]:
    words, rows = report.words, vouched(report)
    if rows:
        yield Heading(text=words("front", "true_and_who"))
        nobody = words("front", "nobody_yet")
        shown = tuple((sentence, cut_printed(who, LONGEST_NAME) or nobody) for sentence, who in rows[:MOST_VOUCHED])
        yield Table(columns=words.each("front", "true", "who"), rows=shown, widths=(3.4, 1))
        if len(rows) > MOST_VOUCHED:
            yield Paragraph(text=words("front", "more_true", count=figures.whole(len(rows) - MOST_VOUCHED)))
    if any(getattr(each, "others_known", None) for each in report.decision.requirements if each.enabled):
        yield Paragraph(text=words("front", "not_assumed", **people(report)))


def _with_typed(report: Content, fixed: str, name: str, room: Room) -> Iterator[str]:
    """Yield the FIXED text, and the content of field NAME with its label."""
    yield fixed
    typed: Any = getattr(report.decision.details, name)
    if typed:
        text = cut_printed(" ".join(typed.split()), room.typed, cut_between_words)
        yield f"{label(Details, name)}: {text}"
