"""Two decisions side by side: both windows on one scale, and a table of what differs, from epsilon to answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from dpwizard.base.language import phrase
from dpwizard.base.values import Value, Variant
from dpwizard.charts.axis_chart import FAR, resting, strokes
from dpwizard.charts.charts import Axis, Chart, Dash, Figure, Line, Role, even, shortened
from dpwizard.charts.comparison import ends_words
from dpwizard.decision import AllowedRange, Assessment, Decision, RequirementResult, assess
from dpwizard.decision.requirements import Requirement
from dpwizard.wording import (
    PrintedRange,
    bound,
    choice_of,
    describe,
    format_text,
    known_word,
    listed,
    number,
    quoted,
    range_of,
    title,
    word,
)

Section = Literal["result", "limit", "answer"]
APART = frozenset({"format", "requirements", "epsilon", "elicitation"})  # compared elsewhere, or not in a table
LETTERS = 40  # of a requirement's name on the plot; the table has all of it


@dataclass(frozen=True, kw_only=True)
class ComparedLine:
    """One line of the table: what is compared, what each decision says, and whether they differ."""

    section: Section
    name: str
    first: str
    second: str
    differs: bool


@dataclass(frozen=True, kw_only=True)
class TwoDecisions:
    """What the figure reads: two decisions."""

    first: Decision
    second: Decision
    names: tuple[str, str] = ("", "")  # over the axes and the columns; empty: "this decision" and "the other one"


@dataclass(frozen=True, kw_only=True)
class RequirementPair:
    """A requirement of the first decision and its counterpart in the second, each by position; None: it has none."""

    first: int | None
    second: int | None


def pairs(first: Decision, second: Decision) -> tuple[RequirementPair, ...]:
    """Return which requirements answer to one another: those of one kind and name, then of one kind in order."""
    left = list(range(len(second.requirements)))
    partner: dict[int, int] = {}
    for called in (_kind_and_name, _kind):
        for i, requirement in enumerate(first.requirements):
            alike = (j for j in left if i not in partner and called(second.requirements[j]) == called(requirement))
            if (found := next(alike, None)) is not None:
                partner[i] = found
                left.remove(found)
    both = tuple(RequirementPair(first=i, second=partner.get(i)) for i in range(len(first.requirements)))
    return (*both, *(RequirementPair(first=None, second=j) for j in left))


def _kind_and_name(requirement: Requirement) -> tuple[str, str | None]:
    return _kind(requirement), requirement.name


def _kind(requirement: Requirement) -> str:
    return requirement.kind


def differences(
    read: TwoDecisions, assessments: tuple[Assessment, Assessment] | None = None
) -> tuple[ComparedLine, ...]:
    """Return the epsilons, the windows and each requirement's limit, then each answer in which the two differ."""
    one, other = assessments or (assess(read.first), assess(read.second))
    printed = {each.epsilon: choice_of(each) or word("two_decisions", "none") for each in (one, other)}
    rows = [
        _row("result", word("two_decisions", "epsilon"), *_two_values(printed.__getitem__, one.epsilon, other.epsilon)),
        _row("result", word("two_decisions", "window"), _window(one.window), _window(other.window)),
    ]
    matched, ranges = pairs(read.first, read.second), (range_of(one), range_of(other))
    for pair in matched:
        answers = _answer(one, pair.first), _answer(other, pair.second)
        bounds = (_bound(answer, shown) for answer, shown in zip(answers, ranges, strict=True))
        row = _row("limit", _title(answers), *bounds)
        rows.append(replace(row, differs=row.differs and not _same_limit(*answers)))
    rows += _different(_leaves(read.first, APART), _leaves(read.second, APART), "")
    for pair in matched:
        if pair.first is not None and pair.second is not None:
            owner = _title((_answer(one, pair.first), _answer(other, pair.second)))
            mine, theirs = read.first.requirements[pair.first], read.second.requirements[pair.second]
            rows += _different(_leaves(mine, frozenset({"kind"})), _leaves(theirs, frozenset({"kind"})), owner)
    return tuple(rows)


def figure(read: TwoDecisions) -> Figure:
    """Return both decisions on one scale of epsilon, one below the other, with the table of their differences."""
    both = assess(read.first), assess(read.second)
    top = _top(both)
    found = differences(read, both)
    matched = pairs(read.first, read.second)
    x = even(word("two_decisions", "axis"), top, way="number")
    names = tuple(name or word("two_decisions", key) for name, key in zip(read.names, ("first", "second"), strict=True))
    sides = (tuple(pair.first for pair in matched), tuple(pair.second for pair in matched))
    plots = tuple(_plot(assessment, side, x, name) for assessment, side, name in zip(both, sides, names, strict=True))
    columns = (word("two_decisions", "what"), *names, word("two_decisions", "same_or_not"))
    rows = tuple((d.name, d.first, d.second, word("two_decisions", "differs" if d.differs else "same")) for d in found)
    return Figure(
        title=word("two_decisions", "title"),
        sentence=_sentence(both, found),
        plots=plots,
        columns=columns,
        rows=rows,
    )


# --------------------------------------------------------------------------------------------- table


def _row(section: Section, name: str, first: str, second: str) -> ComparedLine:
    return ComparedLine(section=section, name=name, first=first, second=second, differs=first != second)


def _different(first: Mapping[str, Any], second: Mapping[str, Any], owner: str) -> Iterator[ComparedLine]:
    """Yield a row for each answer that the two give differently; an answer only one gives stands against a dash."""
    for name in dict.fromkeys((*first, *second)):
        if first.get(name) != second.get(name):
            label = format_text("chart", "field_of", {"owner": owner, "field": name}) if owner else name
            yield _row("answer", label, *_two_values(_value_words, first.get(name), second.get(name)))


def _leaves(value: Any, apart: frozenset[str] = frozenset(), label: str = "", field: str = "") -> dict[str, Any]:
    """Return every answer within VALUE, that of FIELD, by its label; keys in words, lists are counted from 1."""
    if isinstance(value, Value):
        found: dict[str, Any] = {}
        for name, declared in type(value).model_fields.items():
            if name not in apart:
                title = phrase("label", declared.title) if declared.title else name.replace("_", " ")
                held = (
                    describe(value.title) if isinstance(value, Variant) and not declared.title else getattr(value, name)
                )
                found |= _leaves(held, frozenset(), f"{label}, {title}" if label else title, name)
        return found
    if isinstance(value, tuple) and any(isinstance(item, Value) for item in value):
        if all(hasattr(item, "assumption") for item in value):  # sentences acknowledged: which, not when
            return {label: tuple(sorted(word("assumption", item.assumption) for item in value))}
        found = {}
        for i, item in enumerate(value):
            found |= _leaves(item, frozenset(), f"{label} {i + 1}")
        return found
    if isinstance(value, str):
        return {label: known_word(field, value) or value}
    return {} if value is None or value == () else {label: value}


def _value_words(value: Any) -> str:
    if value is None:
        return word("two_decisions", "none")
    if isinstance(value, bool):
        return word("two_decisions", "yes" if value else "no")
    if isinstance(value, int | float):
        return number(value)
    if isinstance(value, tuple):
        return listed([_value_words(item) for item in value])
    if isinstance(value, Mapping):
        return listed([f"{key} {_value_words(item)}" for key, item in value.items()])
    return str(value)


def _two_values(words: Callable[[Any], str], first: Any, second: Any) -> tuple[str, str]:
    """Return two values in WORDS; with every digit where they differ in digits that words round away."""
    both = words(first), words(second)
    return both if both[0] != both[1] or first == second else (str(first), str(second))


def _same_limit(one: RequirementResult | None, other: RequirementResult | None) -> bool:
    """Return whether both answers are one limit, which may be printed with more digits in one decision."""
    if one is None or other is None or one.epsilon is None or not (one.enabled and other.enabled):
        return False
    return one.epsilon == other.epsilon


def _window(window: AllowedRange) -> str:
    if window.empty:
        return word("chart", "what_if_empty")
    if window.binds_lower is None and window.binds_upper is None:
        return word("two_decisions", "none")
    return ends_words(window.lower, window.upper)


def _answer(assessment: Assessment, index: int | None) -> RequirementResult | None:
    return assessment.answers[index] if index is not None else None


def _title(answers: tuple[RequirementResult | None, RequirementResult | None]) -> str:
    """Return the name both requirements have, or both names."""
    names = tuple(dict.fromkeys(title(answer) for answer in answers if answer is not None))
    if len(names) == 1:
        return names[0]
    return format_text("two_decisions", "two_names", {"first": quoted(names[0]), "second": quoted(names[1])})


def _bound(answer: RequirementResult | None, shown: PrintedRange) -> str:
    if answer is None:
        return word("two_decisions", "none")
    text = bound(answer, shown)
    return text if answer.enabled else format_text("two_decisions", "off", {"bound": text})


def _sentence(both: tuple[Assessment, Assessment], found: tuple[ComparedLine, ...]) -> str:
    changed = sum(d.differs for d in found if d.section == "answer")
    if not any(d.differs for d in found):
        return word("two_decisions", "equal")
    figures = {"first": _window(both[0].window), "second": _window(both[1].window), "count": changed}
    return format_text(
        "two_decisions", "window_same" if figures["first"] == figures["second"] else "window_moved", figures
    )


# -------------------------------------------------------------------------------------------- figure


def _top(both: tuple[Assessment, Assessment]) -> float:
    """Return the common end of both axes, at a round number a little beyond everything shown."""
    shown = [
        a.epsilon for one in both for a in one.answers if a.enabled and a.status == "allowed" and a.epsilon is not None
    ]
    shown += [one.epsilon for one in both if one.epsilon is not None]
    return resting(1.1 * max((value for value in shown if value < FAR), default=1.0))


def _plot(assessment: Assessment, rows: tuple[int | None, ...], x: Axis, heading: str) -> Chart:
    """Return one decision's requirements on the common axis; a row it lacks stays empty, so that rows stand level."""
    answers = [None if i is None else assessment.answers[i] for i in rows]
    kept = [answer for answer in answers if answer is None or answer.enabled]
    shown = range_of(assessment)
    ticks = tuple((-float(at), _tick(answer, shown)) for at, answer in enumerate(kept))
    last = -float(len(kept))
    y = Axis(title="", low=last - 0.4, high=0.6, ticks=(*ticks, (last, word("two_decisions", "window"))))
    lines = [
        _allowed("above", "upper", kept, x, "privacy", "solid"),
        _allowed("below", "lower", kept, x, "accuracy", "dash"),
    ]
    window = assessment.window
    if not window.empty and (window.binds_lower is not None or window.binds_upper is not None):
        upper = min(window.upper, x.high) if window.upper is not None else x.high
        thin = 0.004 * x.high  # as wide as a stretch is at least, to be seen
        stretch = [window.lower, upper] if upper - window.lower > thin else [upper - thin, upper + thin]
        lines.append(_strokes("kept", stretch, [last] * 2, "window", "solid", 8.0))
    if assessment.epsilon is not None and assessment.epsilon <= x.high:
        lines.append(_strokes("epsilon", [assessment.epsilon] * 2, [y.low, y.high], "chosen", "solid", 1.5))
    return Chart(x=x, y=y, title=heading, lines=tuple(line for line in lines if line.x))


def _allowed(key: str, side: str, kept: Sequence[RequirementResult | None], x: Axis, role: Role, dash: Dash) -> Line:
    """Return the stretches that the requirements of one SIDE allow, a row for each requirement."""
    ends: list[float] = []
    heights: list[float] = []
    for at, answer in enumerate(kept):
        if answer is None or answer.side != side or answer.status != "allowed" or answer.epsilon is None:
            continue
        limit = min(answer.epsilon, x.high)
        ends += (0.0, limit) if side == "upper" else (limit, x.high)
        heights += (-float(at), -float(at))
    return _strokes(key, ends, heights, role, dash)


def _strokes(key: str, x: list[float], y: list[float], role: Role, dash: Dash, width: float = 4.0) -> Line:
    return strokes(tuple(x), tuple(y), role, width, dash, word("two_decisions", key))


def _tick(answer: RequirementResult | None, shown: PrintedRange) -> str:
    if answer is None:
        return word("two_decisions", "none")
    return format_text(
        "two_decisions", "tick", {"name": shortened(title(answer), LETTERS), "bound": bound(answer, shown)}
    )
