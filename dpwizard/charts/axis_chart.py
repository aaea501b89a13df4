"""Every requirement on the axis of epsilon: promises from the left, needs from the right, the stretch that keeps them
all, the choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from dpwizard.charts.charts import Axis, Band, Chart, Dash, Figure, Line, Mark, Role, even
from dpwizard.charts.profile_handles import Handle
from dpwizard.decision import Answer, Assessment
from dpwizard.wording import bound, explain, number, position, title, window, word

MOST_ROWS = 24
HEAD = 0.6  # rows above the first one, where the choice is taken hold of
CAP = 0.28  # half the height of the stroke at a limit, in rows
WORDS = 0.2  # of the axis: the room that the words of a limit take


def rows_of(assessment: Assessment) -> tuple[Answer, ...]:
    """Return the answers that have a place on the axis: enabled ones with an epsilon, in the order of the decision."""
    found = (a for a in assessment.answers if a.enabled and a.status == "allowed" and a.epsilon is not None)
    return tuple(found)[:MOST_ROWS]


def figure(assessment: Assessment, brief: bool = False) -> Figure | None:
    """Return the axis of ASSESSMENT; None where nothing has a place on it. BRIEF: where the choice lies is said beside
    it already."""
    rows = rows_of(assessment)
    chosen = assessment.epsilon
    if not rows and chosen is None:
        return None
    top = _span(assessment, rows)
    lowest, highest = -max(len(rows), 1) - 0.05, HEAD
    x = even(word("chart", "axis_epsilon"), top, way="number")
    names = tuple((-index - 0.5, title(answer)) for index, answer in enumerate(rows))
    y = Axis(title="", low=lowest, high=highest, ticks=names)
    lines = _bars(rows, "upper", "privacy", top) + _bars(rows, "lower", "accuracy", top)
    marks = []
    for index, answer in enumerate(rows):
        at = min(answer.epsilon or 0.0, top)
        marks.append(
            Mark(x=at, y=-index - 0.5, words=bound(answer), left=_to_the_left(answer, at, chosen, top), dot=False)
        )
    found = assessment.window
    bands: tuple[Band, ...] = ()
    if rows and not found.empty:
        bands = (Band(low=found.lower, high=found.upper if found.upper is not None else top, words="", role="window"),)
    if chosen is not None:
        at = min(chosen, top)
        lines.append(Line(name="", x=(at, at), y=(lowest, highest), role="chosen", pairs=True, column=False))
    sentence = " ".join(part for part in (window(assessment), "" if brief else position(assessment)) if part)
    return Figure(
        title=word("chart", "axis_title"),
        sentence=sentence,
        plots=(Chart(x=x, y=y, lines=tuple(lines), marks=tuple(marks), bands=bands, spots=_spots(rows, chosen)),),
        columns=(word("chart", "axis_requirement"), word("chart", "axis_bound")),
        rows=_table(assessment),
    )


def _to_the_left(answer: Answer, at: float, chosen: float | None, top: float) -> bool:
    """Return whether the words of a limit stand to its left: those of a need do, unless the line of the chosen epsilon
    would cross them."""
    left = answer.side == "lower"
    away = 0.0 if chosen is None else (at - chosen if left else chosen - at)
    return left != (0.0 < away < WORDS * top)


def handle(assessment: Assessment) -> tuple[Handle, ...]:
    """Return the chosen epsilon as something to take hold of: a line across all rows."""
    if assessment.epsilon is None:
        return ()
    top = _span(assessment, rows_of(assessment))
    return (Handle(x=min(assessment.epsilon, top), y=HEAD / 2, name=word("handle", "choice"), way="across", line=True),)


def _bars(rows: Sequence[Answer], side: Literal["upper", "lower"], role: Role, top: float) -> list[Line]:
    """Return the bars of one side and the strokes at their limits; the two sides differ in their dash, too."""
    bars: tuple[list[float], list[float]] = ([], [])
    caps: tuple[list[float], list[float]] = ([], [])
    for index, answer in enumerate(rows):
        if answer.side != side:
            continue
        y, at = -index - 0.5, min(answer.epsilon or 0.0, top)
        bars[0].extend((0.0, at) if side == "upper" else (at, top))
        bars[1].extend((y, y))
        if (answer.epsilon or 0.0) <= top:  # beyond the axis there is no place for a limit: its words say where it lies
            caps[0].extend((at, at))
            caps[1].extend((y - CAP, y + CAP))
    if not bars[0]:
        return []
    dash: Dash = "solid" if side == "upper" else "dash"
    return [
        Line(name="", x=tuple(bars[0]), y=tuple(bars[1]), role=role, dash=dash, width=3.0, pairs=True, column=False),
        *(
            [Line(name="", x=tuple(caps[0]), y=tuple(caps[1]), role=role, width=4.0, pairs=True, column=False)]
            if caps[0]
            else []
        ),
    ]


def _spots(rows: Sequence[Answer], chosen: float | None) -> tuple[tuple[float, str], ...]:
    """Return what is read along the axis: every limit with its requirement, and the epsilon chosen."""
    found = [(answer.epsilon or 0.0, f"{title(answer)}: {bound(answer)}") for answer in rows]
    if chosen is not None:
        found.append((chosen, f"{word('chart', 'axis_chosen')}: {number(chosen)}"))
    return tuple(sorted(found))


def _table(assessment: Assessment) -> tuple[tuple[str, ...], ...]:
    rows = [(title(answer), bound(answer)) for answer in assessment.answers if answer.enabled]
    if assessment.epsilon is not None:
        rows.append((word("chart", "axis_chosen"), explain.number(assessment.epsilon)))
    return tuple(rows)


def _span(assessment: Assessment, rows: Sequence[Answer]) -> float:
    """Return the end of the axis: a little beyond everything shown, at a round number, so that it rests while somebody
    drags."""
    shown = [a.epsilon for a in rows if a.epsilon is not None] + (
        [assessment.epsilon] if assessment.epsilon is not None else []
    )
    most = 1.15 * max((value for value in shown if value < 50), default=1.0)
    step = 10.0 ** len(str(int(most))) / 20  # 0.5 to 10, 5 to 100
    return max(1.0, step * -(-most // step))
