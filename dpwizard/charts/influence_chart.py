"""The tornado plot of the effect of each answer on epsilon, and ways to resolve a conflict."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, get_args

from dpwizard.base.stopping import Stopped, may_stop, stoppable
from dpwizard.base.values import Value, Within, unit_of
from dpwizard.charts.charts import Axis, Chart, Dash, Drawing, Figure, Line, Role, even, listing, shortened
from dpwizard.charts.comparison import ends_words
from dpwizard.decision import (
    AllowedRange,
    Assessment,
    Decision,
    MinimalChange,
    OneAtATimeEffect,
    Way,
    assess,
    edits,
    one_at_a_time_effects,
    resolutions,
    smallest_changes,
)
from dpwizard.wording import (
    assessments,
    field_label,
    format_text,
    general_guarantee,
    in_100,
    number,
    persons,
    times,
    title,
    word,
)

MOST_ROWS = 8
WIDEST = 50.0  # larger epsilons are off the plot, unless all are
LETTERS = 64  # of a field's name on the plot; the table has the full name
FAR = 10.0  # growth of a number, the odds of a chance or e^epsilon from which an offer has a warning
OF_REQUIREMENT = re.compile(r"\$\.requirements\[(\d+)\]")


def place_name(decision: Decision, assessment: Assessment, where: str) -> str:
    """Return the path WHERE in words: the name of the requirement and the label of the field."""
    owner = OF_REQUIREMENT.match(where)
    if owner is not None and int(owner[1]) < len(assessment.answers):
        head = title(assessment.answers[int(owner[1])])
    else:
        head = word("step", "release")
    return format_text("chart", "field_of", {"owner": head, "field": field_label((Decision,), where, decision)})


def value_words(decision: Decision, where: str, value: float) -> str:
    """Return VALUE as the field at WHERE shows it: a chance out of 100, a ratio as "times", else a plain number."""
    kind, name, rest = _locate_field(decision, where)
    counted = isinstance(edits.get(decision, where), int)
    if (unit_of(kind, name) == "times" and not counted) or (name == "points" and rest[1:] == (1,)):
        return times(float(f"{value:.3g}"))
    if _is_chance(kind, name):
        return in_100(100 * value)
    return number(value)


def _locate_field(decision: Decision, where: str) -> tuple[type[Value], str, tuple[int, ...]]:
    """Return the field at WHERE: the class that declares it, its name, and the indices of its entry."""
    steps = edits.steps(where)
    last = max(i for i, step in enumerate(steps) if isinstance(step, str))
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps[:last])
    owner: Value = edits.get(decision, f"${path}")
    return type(owner), str(steps[last]), tuple(step for step in steps[last + 1 :] if isinstance(step, int))


@functools.cache
def _is_chance(kind: type[Value], name: str) -> bool:
    """Return whether the values of field NAME of KIND are probabilities, which forms show out of 100."""
    declared = kind.model_fields.get(name)
    constraints = () if declared is None else (*declared.metadata, *_nested_metadata(declared.annotation))
    return any(isinstance(extra, Within) and (extra.low, extra.high) == (0, 1) for extra in constraints)


def _nested_metadata(annotation: Any) -> Iterator[Any]:
    yield from getattr(annotation, "__metadata__", ())
    for part in get_args(annotation):
        yield from _nested_metadata(part)


# --------------------------------------------------------------------------------------------- tornado


def unchosen(decision: Decision) -> Decision:
    """Return DECISION without its budget and the texts that no solver reads."""
    return decision.model_copy(update={"epsilon": None, "rho": None, "justification": None, "title": None})


def drawing(decision: Decision, window: AllowedRange) -> Drawing | None:
    """Return what to draw of DECISION, whatever its budget; None if no requirement limits its allowed range."""
    if window.binds_lower is None and window.binds_upper is None:
        return None
    return Drawing.of(tornado, decision=unchosen(decision))


def tornado(decision: Decision) -> Figure:
    """Return the tornado of DECISION: the effect on the allowed range of a change of each answer by a tenth."""
    assessment = assess(decision)
    effects = one_at_a_time_effects(decision, assessment)
    heading = word("chart", "tornado_title")
    if not effects:
        return Figure(title=heading, sentence=word("chart", "tornado_nothing"))
    base = assessment.window
    drawn = effects[:MOST_ROWS]
    names = [place_name(decision, assessment, effect.where) for effect in drawn]
    x, widest = _axis_extent(drawn, base)
    y = listing([shortened(name, LETTERS) for name in names])
    moves = [
        _moves(f"{end}_{key}", drawn, base, way, end, at, x, widest)
        for end, at in (("upper", 0.12), ("lower", -0.12))
        for key, way in (("less", "down"), ("more", "up"))
    ]
    inside = [end for end in _finite_ends(base) if x.low < end < widest]
    flat = [Line(name="", x=(end, end), y=(y.low, y.high), role="quiet", width=1.0, column=False) for end in inside]
    columns = tuple(word("chart", f"tornado_{key}") for key in ("field", "value", "less", "more"))
    rows = tuple(
        (
            place_name(decision, assessment, effect.where),
            value_words(decision, effect.where, effect.value),
            _effect_words(effect.down),
            _effect_words(effect.up),
        )
        for effect in effects
    )
    chart = Chart(x=x, y=y, lines=(*flat, *(line for line in moves if line.x)))
    opening = sum(math.isinf(effect.swing) for effect in effects)
    opens = (format_text("chart", "tornado_opening", {"count": opening}),) if opening else ()
    key = "tornado_opens" if math.isinf(drawn[0].swing) else "tornado"
    sentence = format_text("chart", key, {"name": names[0], "swing": drawn[0].swing})
    asides = (word("chart", "tornado_aside"), *opens)
    return Figure(title=heading, sentence=sentence, plots=(chart,), asides=asides, columns=columns, rows=rows)


def _axis_extent(drawn: tuple[OneAtATimeEffect, ...], base: AllowedRange) -> tuple[Axis, float]:
    """Return the axis that includes all ends, and the epsilon from which none is shown."""
    windows = [base, *(window for effect in drawn for window in (effect.down, effect.up))]
    ends = [end for window in windows for end in _finite_ends(window)]
    least = min(ends, default=0.0)
    widest = WIDEST if least < WIDEST else math.inf
    top = 1.06 * max([end for end in ends if end < widest], default=1.0)
    low = max(0.0, least - 0.15 * (top - least))
    return even(word("chart", "ends_of_window"), top, low, way="number"), widest


def _finite_ends(window: AllowedRange | None) -> tuple[float, ...]:
    if window is None:
        return ()
    lower = () if window.binds_lower is None else (window.lower,)
    return (*lower, *(() if window.upper is None else (window.upper,)))


def _moves(
    key: str,
    drawn: tuple[OneAtATimeEffect, ...],
    base: AllowedRange,
    way: str,
    end: str,
    offset: float,
    x: Axis,
    widest: float,
) -> Line:
    """Return, for each row, the stroke from one END of the allowed range to its new value, if below WIDEST."""
    start = getattr(base, end)
    xs: list[float] = []
    ys: list[float] = []
    bound = getattr(base, f"binds_{end}") is not None
    for index, effect in enumerate(drawn):
        moved = getattr(effect, way)
        target = getattr(moved, end) if moved is not None else None
        if start is None or target is None or not bound or start == target or max(start, target) >= widest:
            continue
        shift = offset if way == "up" else offset * 1.9
        xs += [min(max(start, x.low), x.high), min(max(target, x.low), x.high)]
        ys += [-index + shift, -index + shift]
    role: Role = "privacy" if end == "upper" else "accuracy"
    dash: Dash = "solid" if way == "up" else "dot"
    return Line(name=word("chart", key), x=tuple(xs), y=tuple(ys), role=role, dash=dash, width=4.0, pairs=True)


def _effect_words(window: AllowedRange | None) -> str:
    if window is None:
        return word("chart", "not_allowed")
    if window.empty:
        return word("chart", "what_if_empty")
    return ends_words(window.lower, window.upper)


# --------------------------------------------------------------------------------------------- changes


@dataclass(frozen=True, kw_only=True)
class Offer:
    """One change that resolves a conflict: its words, its name in Undo, and the function that makes it.

    gives_up: the risk to a person, if it relaxes a privacy requirement by a lot; else empty.
    """

    words: str
    name: str
    make: Callable[[Decision], Decision]
    gives_up: str = ""
    change: MinimalChange | None = None  # if it changes one number


def offers(decision: Decision, assessment: Assessment, stop: Callable[[], bool] = lambda: False) -> tuple[Offer, ...]:
    """Return the ways to resolve a conflict that change many numbers, and the smallest changes of single choices.

    Facts, such as the number of records, and priors are not offered.
    """
    offered = [_resolution_offer(decision, assessment, way) for way in resolutions(decision, assessment, stop)]
    changes = smallest_changes(decision, assessment, stop)
    with suppress(Stopped), stoppable(stop):
        offered += [_change_offer(decision, assessment, change) for change in changes]
    return tuple(offered)


def _resolution_offer(decision: Decision, assessment: Assessment, way: Way) -> Offer:
    figures: dict[str, Any] = {"ends": ends_words(way.window.lower, way.window.upper), "factor": way.factor}
    if way.requirement is not None:
        figures["name"] = title(assessment.answers[way.requirement])
    return Offer(words=format_text("way_out", way.key, figures), name=word("way_out_name", way.key), make=way.make)


def _change_offer(decision: Decision, assessment: Assessment, change: MinimalChange) -> Offer:
    name = place_name(decision, assessment, change.where)
    before = value_words(decision, change.where, change.value)
    after = value_words(decision, change.where, change.to)
    ends = ends_words(change.window.lower, change.window.upper)
    exact = decision.release.noise.absent  # without noise there is no allowed range
    figures = {"name": name, "value": before, "to": after, "ends": ends}
    label = field_label((Decision,), change.where, decision)
    undo_name = format_text("chart", "offer_name", {"field": label.lower()})
    words = format_text("chart", "offer_exact" if exact else "offer", figures)

    def make(decision: Decision) -> Decision:
        return edits.put(decision, change.where, change.to)

    relaxed = _far_relaxed_requirement(decision, assessment, change)
    gives_up = "" if relaxed is None else _given_up_words(make(decision), assessment, change.window.upper, relaxed)
    return Offer(words=words, name=undo_name, make=make, gives_up=gives_up, change=change)


def _far_relaxed_requirement(decision: Decision, assessment: Assessment, change: MinimalChange) -> int | None:
    """Return the position of the privacy requirement that CHANGE relaxes FAR times or more; else None."""
    owner = OF_REQUIREMENT.match(change.where)
    if owner is None or assessment.answers[int(owner[1])].side != "upper":
        return None
    kind, name, rest = _locate_field(decision, change.where)
    before, after = sorted((change.value, change.to))
    if _is_chance(kind, name) and not rest:
        before, after = (value / (1.0 - value) if value < 1.0 else math.inf for value in (before, after))
    old_upper, new_upper = assessment.window.upper, change.window.upper
    rise = 0.0
    if assessment.counted_in == "epsilon" and old_upper is not None and new_upper is not None:
        rise = new_upper - old_upper
    return int(owner[1]) if new_upper is None or after >= FAR * before or rise >= math.log(FAR) else None


def _given_up_words(changed: Decision, assessment: Assessment, upper: float | None, relaxed: int) -> str:
    """Return the risk to one person in the CHANGED decision at the limit UPPER.

    In the terms of the requirement RELAXED if it is about chances, else as membership inference.
    """
    if upper is None:
        return word("chart", "gives_up_all")
    may_stop()
    text = ""
    if persons.is_whole(changed.release):
        text, _ = assessments.at_limit(changed.requirements[relaxed], assess(changed, assessment).answers[relaxed])
    chosen = changed.model_copy(update={"epsilon": None, "rho": None, changed.release.counted_in: upper})
    return format_text("chart", "gives_up", {"what": text or general_guarantee.one_person(chosen)})
