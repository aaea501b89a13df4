"""The axis of epsilon: a line for each requirement with the allowed range and the choice, or the range alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeGuard

from dpwizard.base.language import counting
from dpwizard.charts.charts import Axis, Band, Chart, Dash, Figure, Line, Mark, Role, decades, even
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
MOST_ROWS, MOST_LOWER = 14, 7  # rows in the window, and accuracy requirements among them if there are more
HEAD = 0.6  # rows above the first one, for the handle of the choice
CAP = 0.28  # half the height of the stroke at a limit, in rows
WORDS = 0.2  # share of the axis for the words of a limit
ROOM = 1.4  # length of the axis in largest upper limits, whose words are to the right; it may be 360 pixels long
LONG, LONG_ROOM = 17, 2.0  # characters, and the length for words with more of them
SMALLEST, LARGEST = 1e-12, 1e12  # epsilons outside are drawn at the ends of the axis
FAR = 50.0  # larger epsilons are off the plot
WIDE = 40.0  # limits with a larger ratio have a logarithmic axis
COLOURS: dict[str, Role] = {"upper": "privacy", "lower": "accuracy"}
DIGITS = 3  # significant, of a converted tick


@dataclass(frozen=True, kw_only=True)
class AxisRow:
    """One requirement on the axis: its name, its limit, and the words of the limit."""

    name: str
    note: str  # "at most 2.19", or the status
    side: str  # "upper": privacy, money or budget; "lower": accuracy; "verdict"
    epsilon: float | None
    unbounded: bool = False
    enabled: bool = True


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
    """Return ROWS in order; if they are more than PRINTED, those with the strictest limits."""
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
    """Return an axis for ROWS and the CHOSEN budget: from 0 to a round number, or logarithmic for a WIDE range."""
    heading = word("chart", "axis_epsilon")
    values = [*(row.epsilon for row in rows if row.epsilon), *([chosen] if chosen else [])]
    positive = [min(max(value, SMALLEST), LARGEST) for value in values if value > 0]
    if max(positive, default=1.0) / min(positive, default=1.0) > WIDE:
        low, high = math.floor(math.log10(min(positive) * 0.8)), math.ceil(math.log10(max(positive) * 1.25))
        return decades(heading, 10.0**low, 10.0**high)
    largest = max(positive, default=1.0) * 1.2
    step = 10.0 ** math.floor(math.log10(largest))
    ends = (step * factor for factor in (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10))
    return even(heading, next(end for end in ends if end >= largest * (1 - 1e-12)))


# ------------------------------------------------------------------------------ the allowed range on one line


def window_of(assessment: Assessment | None, least: float) -> Figure:
    """Return the allowed range of ASSESSMENT on an axis to LEAST or beyond; an empty axis without an assessment."""
    heading, y = word("chart", "axis_title"), Axis(title="", low=0.0, high=1.0, ticks=())
    if assessment is None:
        return Figure(title=heading, sentence="", plots=(Chart(x=even("", least), y=y),))
    allowed, chosen = assessment.window, assessment.epsilon
    x = even("", max(least, 1.25 * max(end for end in (allowed.lower, allowed.upper, chosen) if end is not None)))
    limits = (
        ("lower", allowed.binds_lower, allowed.lower, 0.0),
        ("upper", allowed.binds_upper, allowed.upper, 0.3),  # drawn higher, as not everyone sees colours
    )
    ends: dict[str, float] = {}
    lines, marks = [], []
    for side, index, epsilon, foot in limits:
        if index is None or epsilon is None:
            continue
        at = ends[side] = _clamp(x, epsilon)
        lines.append(upright(at, foot, foot + 0.7, COLOURS[side], 4.0))
    low, high = ends.get("lower", x.low), ends.get("upper", x.high)
    bands: tuple[Band, ...] = ()
    if allowed.empty and len(ends) == 2 and high < low:
        bands = (Band(low=high, high=low, hatched=True),)
    elif ends and not allowed.empty:
        bands = (Band(low=low, high=high, role="window"),)
    if chosen is not None:
        at = _clamp(x, chosen)
        lines.append(upright(at, 0.0, 1.0, "chosen", 1.5))
        marks.append(Mark(x=at, y=1.0, words="", role="chosen", pointer=True))
    plot = Chart(x=x, y=y, lines=tuple(lines), marks=tuple(marks), bands=bands)
    return Figure(title=heading, sentence=window(assessment), plots=(plot,))


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

    If they are more than MOST_ROWS, those with the strictest limits.
    """
    return tuple(answer for _, answer in _rows_drawn(assessment))


def _rows_drawn(assessment: Assessment) -> list[tuple[int, RequirementResult]]:
    """Return the answers of `rows_of` with the positions of their requirements."""
    rows = _rows_with_limits(assessment)
    if len(rows) <= MOST_ROWS:
        return rows
    lower = sorted((row for row in rows if row[1].side == "lower"), key=lambda row: -(row[1].epsilon or 0.0))
    upper = sorted((row for row in rows if row[1].side != "lower"), key=lambda row: row[1].epsilon or 0.0)
    kept_lower, kept_upper = lower[:MOST_LOWER], upper[: MOST_ROWS - min(MOST_LOWER, len(lower))]
    return sorted(kept_upper + kept_lower, key=lambda row: row[0])


def _rows_with_limits(assessment: Assessment) -> list[tuple[int, RequirementResult]]:
    answers = enumerate(assessment.answers)
    return [(i, a) for i, a in answers if a.enabled and a.status == "allowed" and a.epsilon is not None]


def figure(
    assessment: Assessment, brief: bool = False, decision: Decision | None = None, *, zoomed: bool = False
) -> Figure | None:
    """Return the axis of ASSESSMENT with its ticks in the unit set in DECISION; None if nothing can be drawn.

    BRIEF: without the sentence on the position of the choice. ZOOMED: the allowed range fills a tenth of the axis.
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
        decision = None  # an assessment of the previous decision
    printed = range_of(assessment)
    rows = [
        row_of(answer, name=_row_name(index, answer, decision), note=bound(answer, printed)) for index, answer in drawn
    ]
    high = _axis_end(assessment, answers)
    low, high = _zoomed_ends(assessment, high) if zoomed else (0.0, high)
    x = even(word("chart", "axis_epsilon"), high, low, way="number")
    if decision is not None and decision.axis is not None:
        x = with_readings(x, decision.axis, dict(readings(x, decision)))
    ends = (allowed.lower, allowed.upper) if rows and not allowed.empty else None
    plot = chart_of(rows, ends, chosen, x, spots=_limit_spots(rows, printed))
    sentence = " ".join(part for part in (window(assessment), "" if brief else position(assessment)) if part)
    count = len(_rows_with_limits(assessment))
    counts = {"drawn": figures.whole(len(answers)), "all": figures.whole(count)}
    return Figure(
        title=word("chart", "axis_close" if zoomed else "axis_title"),
        sentence=sentence,
        plots=(plot,),
        asides=() if len(answers) == count else (format_text("chart", "axis_part", counts),),
    )


def _row_name(index: int, answer: RequirementResult, decision: Decision | None) -> str:
    """Return the name of requirement INDEX of DECISION; of an accuracy requirement, its text."""
    if decision is None or index >= len(decision.requirements) or decision.requirements[index].kind != answer.kind:
        return title(answer)  # an assessment of the previous decision
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
    """Return the words of a limit: to the left of a lower one, unless the line of the chosen epsilon crosses them."""
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
    """Return the bars of one SIDE and the strokes at their limits; the sides also differ in their dash."""
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


def _limit_spots(rows: Sequence[AxisRow], printed: PrintedRange) -> tuple[tuple[float, str], ...]:
    """Return every limit with its requirement, and the chosen epsilon, in order along the axis."""
    spots = [(row.epsilon or 0.0, f"{row.name}: {row.note}") for row in rows]
    if printed.chosen is not None:
        spots.append((printed.chosen.value, f"{word('chart', 'axis_chosen')}: {printed.chosen.text}"))
    return tuple(sorted(spots))


def _axis_end(assessment: Assessment, rows: Sequence[RequirementResult]) -> float:
    """Return a round number beyond all limits and their words; it seldom changes during a drag."""
    printed = range_of(assessment)
    room = LONG_ROOM if any(len(bound(answer, printed)) > LONG for answer in rows) else ROOM
    limits = [
        (room if answer.side != "lower" else 1.15) * answer.epsilon for answer in rows if _fits_axis(answer.epsilon)
    ]
    chosen = [1.15 * assessment.epsilon] if _fits_axis(assessment.epsilon) else []
    return resting(max((*limits, *chosen), default=1.15))


def _zoomed_ends(assessment: Assessment, high: float) -> tuple[float, float]:
    """Return ends of an axis of which the allowed range fills a tenth, with the choice on it; else 0 and HIGH."""
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
    """Return the end of an axis that includes WANTED: a round number, at least 1."""
    step = 10.0 ** len(str(int(wanted))) / 20  # 0.5 to 10, 5 to 100
    return max(1.0, step * -(-wanted // step))


# ------------------------------------------------------------------------------ ticks in another unit


def readings(x: Axis, decision: Decision) -> tuple[tuple[float, float | None], ...]:
    """Return the ticks of X with their values in the unit set in DECISION; None if infinite.

    Empty if the budget has that unit already or cannot be converted: a rho of other than Gaussian noise, an epsilon
    without a delta, the standard deviation of several tables.
    """
    if decision.axis is None or decision.axis == decision.release.counted_in:
        return ()

    def convert(budget: float) -> float | None:
        if decision.axis == "sd":
            return deviation(decision.release, budget)
        return rho_and_mu(decision.release, budget, "upper").get("rho") if decision.axis == "rho" else None

    converted = tuple((value, convert(value)) for value, _ in x.ticks)
    return () if all(budget is None for _, budget in converted) else converted


def with_readings(x: Axis, axis: str, converted: Mapping[float, float | None]) -> Axis:
    """Return the axis X with its ticks CONVERTED to the unit AXIS, and its title; unchanged where none are."""
    if not converted:
        return x
    with counting(axis):
        heading = word("chart", "axis_sd" if axis == "sd" else "axis_epsilon")
    budgets = ((value, converted.get(value)) for value, _ in x.ticks)
    ticks = tuple((at, "∞" if budget is None else number(float(f"{budget:.{DIGITS}g}"))) for at, budget in budgets)
    return replace(x, title=heading if x.title else "", ticks=ticks)
