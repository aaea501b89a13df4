"""Two decisions side by side: both allowed ranges on one scale, and a table of their differences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, Literal

from dpwizard.base.language import phrase
from dpwizard.base.values import Value, Variant
from dpwizard.charts.axis_chart import FAR, resting, strokes
from dpwizard.charts.charts import Axis, Chart, Dash, Figure, Line, Role, even, shortened
from dpwizard.charts.comparison import ends_words
from dpwizard.decision import AllowedRange, Assessment, Decision, RequirementResult, assess
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

Pair = tuple[int | None, int | None]
Section = Literal["result", "limit", "answer"]
APART = frozenset({"format", "requirements", "epsilon", "elicitation"})  # fields compared separately, or not at all
LETTERS = 40  # of a requirement's name on the plot; the table has the full name


@dataclass(frozen=True, kw_only=True)
class ComparedLine:
    """One line of the table: its name, the values of both decisions, and whether they differ."""

    section: Section
    name: str
    first: str
    second: str
    differs: bool


def pairs(first: Decision, second: Decision) -> tuple[Pair, ...]:
    """Return the positions of requirements that belong together, None where one has no counterpart.

    They are of one kind and name, then of one kind in order.
    """
    unmatched = list(range(len(second.requirements)))
    partner: dict[int, int] = {}
    for key in (attrgetter("kind", "name"), attrgetter("kind")):
        for i, requirement in enumerate(first.requirements):
            candidates = (j for j in unmatched if i not in partner and key(second.requirements[j]) == key(requirement))
            if (match := next(candidates, None)) is not None:
                partner[i] = match
                unmatched.remove(match)
    return (*((i, partner.get(i)) for i in range(len(first.requirements))), *((None, j) for j in unmatched))


def differences(
    first: Decision, second: Decision, assessments: tuple[Assessment, Assessment] | None = None
) -> tuple[ComparedLine, ...]:
    """Return the epsilons, the allowed ranges and each requirement's limit, then each answer that differs."""
    left, right = assessments or (assess(first), assess(second))
    epsilon_words = {side.epsilon: choice_of(side) or word("two_decisions", "none") for side in (left, right)}
    epsilons = _distinct_words(epsilon_words.__getitem__, left.epsilon, right.epsilon)
    windows = _range_words(left.window), _range_words(right.window)
    rows = [
        _compared_line("result", word("two_decisions", "epsilon"), *epsilons),
        _compared_line("result", word("two_decisions", "window"), *windows),
    ]
    matched, ranges = pairs(first, second), (range_of(left), range_of(right))
    for i, j in matched:
        answers = _answer_at(left, i), _answer_at(right, j)
        bounds = (_bound_words(answer, printed) for answer, printed in zip(answers, ranges, strict=True))
        row = _compared_line("limit", _pair_title(answers), *bounds)
        rows.append(replace(row, differs=row.differs and not _is_same_limit(*answers)))
    rows += _answer_differences(_answers_by_label(first, APART), _answers_by_label(second, APART), "")
    for i, j in matched:
        if i is not None and j is not None:
            owner = _pair_title((_answer_at(left, i), _answer_at(right, j)))
            before = _answers_by_label(first.requirements[i], frozenset({"kind"}))
            after = _answers_by_label(second.requirements[j], frozenset({"kind"}))
            rows += _answer_differences(before, after, owner)
    return tuple(rows)


def figure(first: Decision, second: Decision, names: tuple[str, str] = ("", "")) -> Figure:
    """Return both decisions on one scale of epsilon, one below the other, with a table of their differences.

    NAMES: over the axes and the columns; empty: "this decision" and "the other one".
    """
    both = assess(first), assess(second)
    top = _axis_end(both)
    compared = differences(first, second, both)
    matched = pairs(first, second)
    x = even(word("two_decisions", "axis"), top, way="number")
    headings = tuple(name or word("two_decisions", key) for name, key in zip(names, ("first", "second"), strict=True))
    sides = (tuple(i for i, _ in matched), tuple(j for _, j in matched))
    decisions = zip(both, sides, headings, strict=True)
    plots = tuple(_decision_plot(assessment, side, x, name) for assessment, side, name in decisions)
    columns = (word("two_decisions", "what"), *headings, word("two_decisions", "same_or_not"))
    words = {True: word("two_decisions", "differs"), False: word("two_decisions", "same")}
    rows = tuple((line.name, line.first, line.second, words[line.differs]) for line in compared)
    return Figure(
        title=word("two_decisions", "title"),
        sentence=_sentence(both, compared),
        plots=plots,
        columns=columns,
        rows=rows,
    )


# --------------------------------------------------------------------------------------------- table


def _compared_line(section: Section, name: str, first: str, second: str) -> ComparedLine:
    return ComparedLine(section=section, name=name, first=first, second=second, differs=first != second)


def _answer_differences(first: Mapping[str, Any], second: Mapping[str, Any], owner: str) -> Iterator[ComparedLine]:
    """Yield a line for each answer that differs; a missing one is shown as a dash."""
    for name in dict.fromkeys((*first, *second)):
        if first.get(name) != second.get(name):
            label = format_text("chart", "field_of", {"owner": owner, "field": name}) if owner else name
            yield _compared_line("answer", label, *_distinct_words(_value_words, first.get(name), second.get(name)))


def _answers_by_label(
    value: Any, left_out: frozenset[str] = frozenset(), label: str = "", field: str = ""
) -> dict[str, Any]:
    """Return all answers within VALUE, the value of FIELD, by label; list items are numbered from 1."""
    if isinstance(value, Value):
        answers: dict[str, Any] = {}
        for name, declared in type(value).model_fields.items():
            if name not in left_out:
                title = phrase("label", declared.title) if declared.title else name.replace("_", " ")
                content = getattr(value, name)
                if isinstance(value, Variant) and not declared.title:
                    content = describe(value.title)
                answers |= _answers_by_label(content, frozenset(), f"{label}, {title}" if label else title, name)
        return answers
    if isinstance(value, tuple) and any(isinstance(item, Value) for item in value):
        if all(hasattr(item, "assumption") for item in value):  # accepted assumptions, without their dates
            return {label: tuple(sorted(word("assumption", item.assumption) for item in value))}
        answers = {}
        for i, item in enumerate(value):
            answers |= _answers_by_label(item, frozenset(), f"{label} {i + 1}")
        return answers
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


def _distinct_words(words: Callable[[Any], str], first: Any, second: Any) -> tuple[str, str]:
    """Return two values in WORDS, or with all digits if only these differ."""
    both = words(first), words(second)
    return both if both[0] != both[1] or first == second else (str(first), str(second))


def _is_same_limit(first: RequirementResult | None, second: RequirementResult | None) -> bool:
    """Return whether both limits are equal, even if one is printed with more digits."""
    if first is None or second is None or first.epsilon is None or not (first.enabled and second.enabled):
        return False
    return first.epsilon == second.epsilon


def _range_words(window: AllowedRange) -> str:
    if window.empty:
        return word("chart", "what_if_empty")
    if window.binds_lower is None and window.binds_upper is None:
        return word("two_decisions", "none")
    return ends_words(window.lower, window.upper)


def _answer_at(assessment: Assessment, index: int | None) -> RequirementResult | None:
    return assessment.answers[index] if index is not None else None


def _pair_title(answers: tuple[RequirementResult | None, RequirementResult | None]) -> str:
    """Return the name of both requirements, or both names if they differ."""
    names = tuple(dict.fromkeys(title(answer) for answer in answers if answer is not None))
    if len(names) == 1:
        return names[0]
    return format_text("two_decisions", "two_names", {"first": quoted(names[0]), "second": quoted(names[1])})


def _bound_words(answer: RequirementResult | None, printed: PrintedRange) -> str:
    if answer is None:
        return word("two_decisions", "none")
    text = bound(answer, printed)
    return text if answer.enabled else format_text("two_decisions", "off", {"bound": text})


def _sentence(both: tuple[Assessment, Assessment], compared: tuple[ComparedLine, ...]) -> str:
    changed = sum(d.differs for d in compared if d.section == "answer")
    if not any(d.differs for d in compared):
        return word("two_decisions", "equal")
    first, second = (_range_words(assessment.window) for assessment in both)
    key = "window_same" if first == second else "window_moved"
    return format_text("two_decisions", key, {"first": first, "second": second, "count": changed})


# -------------------------------------------------------------------------------------------- figure


def _axis_end(assessments: tuple[Assessment, Assessment]) -> float:
    """Return the common end of both axes: a round number a little beyond all epsilons."""
    epsilons = [
        answer.epsilon
        for assessment in assessments
        for answer in assessment.answers
        if answer.enabled and answer.status == "allowed" and answer.epsilon is not None
    ]
    epsilons += [assessment.epsilon for assessment in assessments if assessment.epsilon is not None]
    return resting(1.1 * max((value for value in epsilons if value < FAR), default=1.0))


def _decision_plot(assessment: Assessment, rows: tuple[int | None, ...], x: Axis, heading: str) -> Chart:
    """Return the requirements of one decision on the common axis; missing rows stay empty, so that rows align."""
    answers = [None if i is None else assessment.answers[i] for i in rows]
    drawn = [answer for answer in answers if answer is None or answer.enabled]
    printed = range_of(assessment)
    ticks = tuple((-float(at), _row_label(answer, printed)) for at, answer in enumerate(drawn))
    last = -float(len(drawn))
    y = Axis(title="", low=last - 0.4, high=0.6, ticks=(*ticks, (last, word("two_decisions", "window"))))
    lines = [
        _ranges("above", "upper", drawn, x, "privacy", "solid"),
        _ranges("below", "lower", drawn, x, "accuracy", "dash"),
    ]
    window = assessment.window
    if not window.empty and (window.binds_lower is not None or window.binds_upper is not None):
        upper = min(window.upper, x.high) if window.upper is not None else x.high
        thin = 0.004 * x.high  # least width of a visible range
        stretch = [window.lower, upper] if upper - window.lower > thin else [upper - thin, upper + thin]
        lines.append(_named_strokes("kept", stretch, [last] * 2, "window", "solid", 8.0))
    if assessment.epsilon is not None and assessment.epsilon <= x.high:
        lines.append(_named_strokes("epsilon", [assessment.epsilon] * 2, [y.low, y.high], "chosen", "solid", 1.5))
    return Chart(x=x, y=y, title=heading, lines=tuple(line for line in lines if line.x))


def _ranges(key: str, side: str, drawn: Sequence[RequirementResult | None], x: Axis, role: Role, dash: Dash) -> Line:
    """Return the ranges that the requirements of one SIDE allow, a row for each requirement."""
    ends: list[float] = []
    heights: list[float] = []
    for at, answer in enumerate(drawn):
        if answer is None or answer.side != side or answer.status != "allowed" or answer.epsilon is None:
            continue
        limit = min(answer.epsilon, x.high)
        ends += (0.0, limit) if side == "upper" else (limit, x.high)
        heights += (-float(at), -float(at))
    return _named_strokes(key, ends, heights, role, dash)


def _named_strokes(key: str, x: list[float], y: list[float], role: Role, dash: Dash, width: float = 4.0) -> Line:
    return strokes(tuple(x), tuple(y), role, width, dash, word("two_decisions", key))


def _row_label(answer: RequirementResult | None, printed: PrintedRange) -> str:
    if answer is None:
        return word("two_decisions", "none")
    return format_text(
        "two_decisions", "tick", {"name": shortened(title(answer), LETTERS), "bound": bound(answer, printed)}
    )
