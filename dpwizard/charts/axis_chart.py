"""The axis of epsilon: a line for each requirement with the allowed range and the choice, or the range alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeGuard

from dpwizard.base.language import counting
from dpwizard.charts.charts import Axis, Band, Chart, Dash, Figure, Flag, Line, Mark, Role, decades, even
from dpwizard.charts.profile_handles import Handle
from dpwizard.decision import Assessment, Decision, RequirementResult, deviation, rho_and_mu
from dpwizard.wording import (
    PrintedRange,
    bound,
    figures,
    format_text,
    number,
    plain_sentences,
    position,
    range_of,
    title,
    window,
    word,
)

PRINTED = 12  # rows of a page
MOST_ROWS, TIGHTEST = 14, 7  # rows in all, and how many needs of accuracy are among them where they are more
HEAD = 0.6  # rows above the first one, for the handle of the choice
CAP = 0.28  # half the height of the stroke at a limit, in rows
WORDS = 0.2  # share of the axis that the words of a limit take
ROOM = 1.4  # times the largest upper limit: its words come after it, and the axis may be 360 pixels long
LONG, LONG_ROOM = 17, 2.0  # letters, and the room where words have more of them
SMALLEST, LARGEST = 1e-12, 1e12  # epsilons outside are drawn at the ends of the axis
FAR = 50.0  # epsilons beyond are off the plot
WIDE = 40.0  # limits more than so many times apart take a logarithmic axis
COLOURS: dict[str, Role] = {"upper": "privacy", "lower": "accuracy"}
DIGITS = 3  # significant, of a converted tick
ENDLESS = "∞"


@dataclass(frozen=True, kw_only=True)
class AxisRow:
    """One requirement on the axis: its name, its limit, and the words of the limit."""

    name: str
    note: str  # "at most 2.19", or the status
    side: str  # "upper": privacy, money or budget; "lower": accuracy; "verdict"
    epsilon: float | None
    unbounded: bool = False
    enabled: bool = True


@dataclass(frozen=True, kw_only=True)
class End:
    """One end of the allowed range: the requirement that sets it."""

    name: str
    note: str
    epsilon: float


def reaching(
    values: Sequence[float], beyond: float, *, least: float = 0.0, title: str = "", wide: bool = False
) -> Axis:
    """Return an axis from 0 to a round number above BEYOND × VALUES and LEAST; if WIDE and far apart, logarithmic."""
    positive = [min(max(value, SMALLEST), LARGEST) for value in values if value > 0]
    if wide and max(positive, default=1.0) / min(positive, default=1.0) > WIDE:
        low, high = math.floor(math.log10(min(positive) * 0.8)), math.ceil(math.log10(max(positive) * 1.25))
        return decades(title, 10.0**low, 10.0**high)
    largest = max(positive, default=1.0) * beyond
    step = 10.0 ** math.floor(math.log10(largest))
    ends = (step * factor for factor in (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10))
    return even(title, max(least, next(end for end in ends if end >= largest * (1 - 1e-12))))


# ------------------------------------------------------------------------------ rows of a page


def row_of(answer: RequirementResult, *, name: str = "", note: str = "") -> AxisRow:
    """Return ANSWER as a row, called NAME, with a NOTE on its limit."""
    return AxisRow(
        name=name,
        note=note,
        side=answer.side,
        epsilon=answer.epsilon if answer.status == "allowed" else None,
        unbounded=answer.status == "unbounded",
        enabled=answer.enabled,
    )


def closest(rows: Sequence[AxisRow]) -> tuple[AxisRow, ...]:
    """Return ROWS in their order; of more than a page shows, those with the strictest limits."""
    if len(rows) <= PRINTED:
        return tuple(rows)

    def strictness(pair: tuple[int, AxisRow]) -> tuple[int, float]:
        row = pair[1]
        if row.epsilon is None:
            return (0 if not row.unbounded and row.enabled else 2), 0.0
        return 1, row.epsilon if row.side == "upper" else -row.epsilon

    numbered = list(enumerate(rows))
    upper = sorted((pair for pair in numbered if pair[1].side == "upper"), key=strictness)
    lower = sorted((pair for pair in numbered if pair[1].side != "upper"), key=strictness)
    some = max(PRINTED // 2, PRINTED - len(lower))
    selected = sorted(upper[:some] + lower[: PRINTED - min(some, len(upper))], key=lambda pair: pair[0])
    return tuple(row for _, row in selected)


def axis_of(rows: Sequence[AxisRow], chosen: float | None) -> Axis:
    """Return the axis of budgets on which ROWS and the CHOSEN budget are printed."""
    values = [row.epsilon for row in rows if row.epsilon]
    return reaching([*values, chosen] if chosen else values, 1.2, title=word("chart", "axis_epsilon"), wide=True)


# ------------------------------------------------------------------------------ the allowed range on one line


def window_chart(
    *, lower: End | None, upper: End | None, empty: bool, chosen: float | None, x: Axis, choice_words: str = ""
) -> Chart:
    """Return the allowed range on one line, needs below and promises above, with CHOICE_WORDS at the choice."""
    y = Axis(title="", low=0.0, high=1.0, ticks=())
    low, high = (_clamp(x, end.epsilon) if end is not None else None for end in (lower, upper))
    bands: tuple[Band, ...] = ()
    if empty and low is not None and high is not None:
        bands = (Band(low=high, high=low, hatched=True),) if high < low else ()
    elif not empty and (lower is not None or upper is not None):
        bands = (Band(low=x.low if low is None else low, high=x.high if high is None else high, role="window"),)
    lines, flags, marks = [], [], []
    for side, end, at, foot in (("lower", lower, low, 0.0), ("upper", upper, high, 0.3)):
        if end is not None and at is not None:  # a need stands lower, a promise higher: colour is not all
            lines.append(upright(at, foot, foot + 0.7, COLOURS[side], 4.0))
            flags.append(Flag(x=at, words=end.name, note=end.note, role=COLOURS[side], left=(side == "upper") == empty))
    if chosen is not None:
        at = _clamp(x, chosen)
        lines.append(upright(at, 0.0, 1.0, "chosen", 1.5))
        marks.append(Mark(x=at, y=1.0, words=choice_words, role="chosen", pointer=True))
    return Chart(x=x, y=y, lines=tuple(lines), marks=tuple(marks), bands=bands, flags=tuple(flags))


def window_of(assessment: Assessment | None, least: float) -> Figure:
    """Return the allowed range of ASSESSMENT on a line to LEAST or beyond; of None, an empty line."""
    if assessment is None:
        plot = window_chart(lower=None, upper=None, empty=False, chosen=None, x=even("", least))
        return Figure(title=word("chart", "axis_title"), sentence="", plots=(plot,))
    allowed, printed = assessment.window, range_of(assessment)
    lower, upper = (
        None if index is None or epsilon is None else _window_end(assessment.answers[index], epsilon, printed)
        for index, epsilon in ((allowed.binds_lower, allowed.lower), (allowed.binds_upper, allowed.upper))
    )
    epsilons = [value for value in (allowed.lower, allowed.upper, assessment.epsilon) if value is not None]
    x = even("", max(least, 1.25 * max(epsilons)))
    text = "" if printed.chosen is None else printed.chosen.text
    plot = window_chart(
        lower=lower, upper=upper, empty=allowed.empty, chosen=assessment.epsilon, choice_words=text, x=x
    )
    return Figure(title=word("chart", "axis_title"), sentence=window(assessment), plots=(plot,))


def _window_end(answer: RequirementResult, epsilon: float, printed: PrintedRange) -> End:
    return End(name=title(answer), note=bound(answer, printed), epsilon=epsilon)


def _clamp(x: Axis, value: float) -> float:
    return min(max(value, x.low), x.high)


def upright(x: float, low: float, high: float, role: Role, width: float, dash: Dash = "solid", name: str = "") -> Line:
    """Return a vertical line at X, from LOW to HIGH; it is in no table."""
    return strokes((x, x), (low, high), role, width, dash, name)


def strokes(
    x: tuple[float, ...], y: tuple[float, ...], role: Role, width: float, dash: Dash = "solid", name: str = ""
) -> Line:
    """Return separate strokes, each between two points; they are in no table."""
    return Line(name=name, x=x, y=y, role=role, dash=dash, width=width, pairs=True, column=False)


# ------------------------------------------------------------------------------ a line for each requirement


def rows_of(assessment: Assessment) -> tuple[RequirementResult, ...]:
    """Return the answers drawn on the axis: enabled ones with an epsilon, in the order of the decision.

    If there are too many, the promises that allow least and the needs that take most.
    """
    return tuple(answer for _, answer in _rows_drawn(assessment))


def _rows_drawn(assessment: Assessment) -> list[tuple[int, RequirementResult]]:
    """Return the answers of `rows_of` with the positions of their requirements."""
    rows = _rows_with_limits(assessment)
    if len(rows) <= MOST_ROWS:
        return rows
    lower = sorted((row for row in rows if row[1].side == "lower"), key=lambda row: -(row[1].epsilon or 0.0))
    upper = sorted((row for row in rows if row[1].side != "lower"), key=lambda row: row[1].epsilon or 0.0)
    needs, promises = lower[:TIGHTEST], upper[: MOST_ROWS - min(TIGHTEST, len(lower))]
    return sorted(promises + needs, key=lambda row: row[0])


def _rows_with_limits(assessment: Assessment) -> list[tuple[int, RequirementResult]]:
    answers = enumerate(assessment.answers)
    return [(i, a) for i, a in answers if a.enabled and a.status == "allowed" and a.epsilon is not None]


def figure(
    assessment: Assessment, brief: bool = False, decision: Decision | None = None, *, zoomed: bool = False
) -> Figure | None:
    """Return the axis of ASSESSMENT with its ticks as DECISION asks; None where it is empty.

    BRIEF: without the sentence on where the choice lies. ZOOMED: the allowed range fills a tenth of the axis.
    """
    with counting(assessment.counted_in):
        return _axis_figure(assessment, brief, decision, zoomed)


def _axis_figure(assessment: Assessment, brief: bool, decision: Decision | None, zoomed: bool) -> Figure | None:
    drawn = _rows_drawn(assessment)
    answers = [answer for _, answer in drawn]
    chosen, allowed = assessment.epsilon, assessment.window
    if not answers and chosen is None:
        return None
    if decision is not None and decision.release.counted_in != assessment.counted_in:
        decision = None  # the picture is of the decision before
    printed = range_of(assessment)
    rows = [
        row_of(answer, name=_row_name(index, answer, decision), note=bound(answer, printed)) for index, answer in drawn
    ]
    high = _axis_end(assessment, answers)
    low, high = _zoomed_ends(assessment, high) if zoomed else (0.0, high)
    x = _with_converted_ticks(even(word("chart", "axis_epsilon"), high, low, way="number"), decision)
    ends = (allowed.lower, allowed.upper) if rows and not allowed.empty else None
    plot = chart_of(rows, ends, chosen, x, spots=_limit_spots(rows, printed))
    sentence = " ".join(part for part in (window(assessment), "" if brief else position(assessment)) if part)
    return Figure(
        title=word("chart", "axis_close" if zoomed else "axis_title"),
        sentence=sentence,
        plots=(plot,),
        asides=_omission_note(len(answers), len(_rows_with_limits(assessment))),
    )


def _row_name(index: int, answer: RequirementResult, decision: Decision | None) -> str:
    """Return the name of requirement INDEX of DECISION: a need by what it asks."""
    if decision is None or index >= len(decision.requirements) or decision.requirements[index].kind != answer.kind:
        return title(answer)  # the picture is of the decision before
    return plain_sentences.need_in_short(decision.requirements[index], answer, decision.release)


def tabled(figure: Figure, assessment: Assessment, decision: Decision | None = None) -> Figure:
    """Return the FIGURE of ASSESSMENT with a table of all enabled answers on DECISION and the choice."""
    with counting(assessment.counted_in):
        printed = range_of(assessment)
        enabled = ((index, answer) for index, answer in enumerate(assessment.answers) if answer.enabled)
        rows = [(_row_name(index, answer, decision), bound(answer, printed)) for index, answer in enabled]
        if printed.chosen is not None:
            rows.append((word("chart", "axis_chosen"), printed.chosen.text))
        columns = (word("chart", "axis_requirement"), word("chart", "axis_bound"))
        return replace(figure, columns=columns, rows=tuple(rows))


def chart_of(
    rows: Sequence[AxisRow],
    ends: tuple[float, float | None] | None,
    chosen: float | None,
    x: Axis,
    *,
    spots: tuple[tuple[float, str], ...] = (),
    choice_words: str = "",
) -> Chart:
    """Return ROWS as lines on the axis X, with the range between ENDS, and the CHOSEN epsilon with its words."""
    lowest, highest = -max(len(rows), 1) - 0.05, HEAD
    names = tuple((-index - 0.5, row.name) for index, row in enumerate(rows))
    y = Axis(title="", low=lowest, high=highest, ticks=names)
    lines = _limit_bars(rows, "upper", x) + _limit_bars(rows, "lower", x)
    marks = [_limit_words(row, -index - 0.5, chosen, x) for index, row in enumerate(rows)]
    bands: tuple[Band, ...] = ()
    if ends is not None:
        bands = (Band(low=ends[0], high=ends[1] if ends[1] is not None else x.high, role="window"),)
    if chosen is not None:
        at = _clamp(x, chosen)
        lines.append(upright(at, lowest, highest, "chosen", 2.0))
        if choice_words:
            marks.append(Mark(x=at, y=highest, words=choice_words, role="chosen", pointer=True))
    return Chart(x=x, y=y, lines=tuple(lines), marks=tuple(marks), bands=bands, spots=spots)


def _limit_words(row: AxisRow, y: float, chosen: float | None, x: Axis) -> Mark:
    """Return the words beside a limit: of a need to its left, unless the line of the chosen epsilon crosses them."""
    upper = row.side != "lower"
    limit = _clamp(x, row.epsilon if row.epsilon is not None else x.low if upper else x.high)
    place, span = x.place(limit), x.place(x.high) - x.place(x.low)
    away = 0.0 if chosen is None else (x.place(_clamp(x, chosen)) - place) * (1.0 if upper else -1.0)
    left = (not upper) != (0.0 < away < WORDS * span)
    return Mark(x=limit, y=y, words=row.note, role="plain" if row.enabled else "quiet", left=left, dot=False)


def handle(assessment: Assessment) -> tuple[Handle, ...]:
    """Return the handle of the chosen epsilon: a line across all rows."""
    if assessment.epsilon is None:
        return ()
    top = _axis_end(assessment, rows_of(assessment))
    return (Handle(x=min(assessment.epsilon, top), y=HEAD / 2, name=word("handle", "choice"), way="across", line=True),)


def _limit_bars(rows: Sequence[AxisRow], side: Literal["upper", "lower"], x: Axis) -> list[Line]:
    """Return the bars of one SIDE and the strokes at their limits; the sides differ in their dash, too."""
    lines = []
    for enabled in (True, False):
        bars: tuple[list[float], list[float]] = ([], [])
        caps: tuple[list[float], list[float]] = ([], [])
        for index, row in enumerate(rows):
            if (row.side, row.enabled) != (side, enabled) or (row.epsilon is None and not row.unbounded):
                continue
            y, open_end = -index - 0.5, x.high if side == "upper" else x.low
            at = open_end if row.epsilon is None else _clamp(x, row.epsilon)
            bars[0].extend((x.low, at) if side == "upper" else (at, x.high))
            bars[1].extend((y, y))
            if row.epsilon is not None and row.epsilon <= x.high:  # a limit beyond the axis is not drawn
                caps[0].extend((at, at))
                caps[1].extend((y - CAP, y + CAP))
        role: Role = COLOURS[side] if enabled else "refuted"
        dash: Dash = "dot" if not enabled else "solid" if side == "upper" else "dash"
        for (xs, ys), width, stroke_dash in ((bars, 3.0 if enabled else 1.5, dash), (caps, 4.0, "solid")):
            if xs:
                lines.append(strokes(tuple(xs), tuple(ys), role, width, stroke_dash))
    return lines


def _omission_note(drawn_count: int, count: int) -> tuple[str, ...]:
    counts = {"drawn": figures.whole(drawn_count), "all": figures.whole(count)}
    return () if drawn_count == count else (format_text("chart", "axis_part", counts),)


def _limit_spots(rows: Sequence[AxisRow], printed: PrintedRange) -> tuple[tuple[float, str], ...]:
    """Return every limit with its requirement, and the chosen epsilon, in order along the axis."""
    spots = [(row.epsilon or 0.0, f"{row.name}: {row.note}") for row in rows]
    if printed.chosen is not None:
        spots.append((printed.chosen.value, f"{word('chart', 'axis_chosen')}: {printed.chosen.text}"))
    return tuple(sorted(spots))


def _axis_end(assessment: Assessment, rows: Sequence[RequirementResult]) -> float:
    """Return a round number beyond all limits and their words, which seldom changes during a drag."""
    printed = range_of(assessment)
    room = LONG_ROOM if any(len(bound(answer, printed)) > LONG for answer in rows) else ROOM
    limits = [
        (room if answer.side != "lower" else 1.15) * answer.epsilon for answer in rows if _fits_axis(answer.epsilon)
    ]
    chosen = [1.15 * assessment.epsilon] if _fits_axis(assessment.epsilon) else []
    return resting(max((*limits, *chosen), default=1.15))


def _zoomed_ends(assessment: Assessment, high: float) -> tuple[float, float]:
    """Return ends such that the allowed range fills a tenth of the axis, with the choice on it; else 0 and HIGH."""
    allowed, chosen = assessment.window, assessment.epsilon
    if allowed.empty or allowed.touching or allowed.binds_lower is None or allowed.upper is None:
        return 0.0, high
    width, middle = allowed.upper - allowed.lower, (allowed.lower + allowed.upper) / 2
    if 10 * width >= high:
        return 0.0, high
    epsilons = [middle] if chosen is None else [middle, chosen]
    low = max(0.0, min(epsilons) - 5 * width)
    return low, max(max(epsilons) + 5 * width, low + 10 * width)


def _fits_axis(epsilon: float | None) -> TypeGuard[float]:
    return epsilon is not None and epsilon < FAR


def resting(wanted: float) -> float:
    """Return the end of an axis that holds WANTED: one of a few round numbers, 1 at least."""
    step = 10.0 ** len(str(int(wanted))) / 20  # 0.5 to 10, 5 to 100
    return max(1.0, step * -(-wanted // step))


# ------------------------------------------------------------------------------ ticks in another unit


def _with_converted_ticks(x: Axis, decision: Decision | None) -> Axis:
    """Return the axis X of budgets with its ticks and title in the unit that DECISION asks for."""
    if decision is None or decision.axis is None:
        return x
    return with_readings(x, decision.axis, dict(readings(x, decision)))


def readings(x: Axis, decision: Decision) -> tuple[tuple[float, float | None], ...]:
    """Return the ticks of X with their values in the unit that DECISION asks for; None where there is no limit.

    Empty where the budget has that unit already or cannot be converted: another rho than that of Gaussian noise, an
    epsilon without a delta, the deviation of several tables.
    """
    if decision.axis is None or decision.axis == decision.release.counted_in:
        return ()
    converted = tuple((value, _converted_budget(decision, value)) for value, _ in x.ticks)
    return () if all(budget is None for _, budget in converted) else converted


def with_readings(x: Axis, axis: str, converted: Mapping[float, float | None]) -> Axis:
    """Return the axis X with its ticks CONVERTED to the unit AXIS, and its title; unchanged where none are."""
    if not converted:
        return x
    budgets = ((value, converted.get(value)) for value, _ in x.ticks)
    ticks = tuple((value, ENDLESS if budget is None else _tick_number(budget)) for value, budget in budgets)
    return replace(x, title=_axis_title(axis) if x.title else "", ticks=ticks)


def _converted_budget(decision: Decision, budget: float) -> float | None:
    if decision.axis == "sd":
        return deviation(decision.release, budget)
    return rho_and_mu(decision.release, budget, "upper")[0] if decision.axis == "rho" else None


def _axis_title(axis: str) -> str:
    if axis == "sd":
        return word("chart", "axis_sd")
    with counting(axis):
        return word("chart", "axis_epsilon")


def _tick_number(value: float) -> str:
    return number(float(f"{value:.{DIGITS}g}"))
