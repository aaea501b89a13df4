"""What moves epsilon most, and the smallest single change that opens an empty window. Run when nothing else is to do.

Both change one number of the decision at a time and solve again; nothing is differentiated, so that jumps
and limits count as what they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from dpwizard.base.errors import DPWizardError
from dpwizard.base.stopping import Stop, Stopped, may_stop, stoppable
from dpwizard.base.values import Value, hints
from dpwizard.decision import edits
from dpwizard.decision.assessment import AllowedRange, Assessment, assess, converted, window_of
from dpwizard.decision.decision import Decision

SHARE = 0.1  # how far each field is moved: 10 %
WIDEST = 1e4  # the largest factor by which a field is changed to open a window
FINE = 1e-4  # how closely the smallest change is found, relative
DIGITS = 3  # significant digits of a proposed value: what a person would enter
SLACK = 1e-6  # relative: a limit this near to what the others leave is solved in full
FROM_NOTHING = 1e-6  # where the search begins for a field that is 0

OF_RELEASE = ("sensitivity", "sensitivity_other", "effects", "delta", "repetitions", "at_most_years", "cap")
OF_PART = ("sensitivity", "sensitivity_other", "effects", "share", "epsilon", "rho", "weight", "times", "contributions")
OF_SPENT = ("epsilon", "rho", "delta", "sensitivity", "sensitivity_other", "effects")


@dataclass(frozen=True, kw_only=True)
class OneAtATimeEffect:
    """One field, moved down and up by a tenth, and the window each gives.

    None where the value is not allowed, or where a requirement would say nothing any more: a limit that is gone is no
    wider one.
    """

    where: str
    value: float
    down: AllowedRange | None
    up: AllowedRange | None
    swing: float  # the larger move of either end of the window; inf where the window opens or closes


@dataclass(frozen=True, kw_only=True)
class MinimalChange:
    """A single change that opens an empty window, in three digits; factor inf from 0 on."""

    where: str
    value: float
    to: float
    factor: float
    window: AllowedRange


def one_at_a_time_effects(
    decision: Decision,
    assessment: Assessment | None = None,
    stop: Stop = lambda: False,
) -> tuple[OneAtATimeEffect, ...]:
    """Return, for every number the window depends on, how it moves when that number moves by 10 %.

    Arguments: decision; assessment of it, if there is one; stop, asked as often as `assess` asks: once true, the rest
    is left out. The largest swing comes first; fields that move nothing are
    left out. Whole numbers move by at least 1. The windows are safe, as those of `assess` are.
    """
    found = []
    with suppress(Stopped), stoppable(stop):
        base = assessment or assess(decision)
        for where, value in numbers(decision):
            may_stop()
            down, up = (_moved(decision, where, _tenth(value, sign), base) for sign in (-1, 1))
            swing = max(_swing(base.window, window) for window in (down, up))
            if swing > 0.0:
                found.append(OneAtATimeEffect(where=where, value=float(value), down=down, up=up, swing=swing))
    return tuple(sorted(found, key=lambda influence: (-influence.swing, influence.where)))


def smallest_changes(
    decision: Decision, base: Assessment | None = None, stop: Stop = lambda: False, only: Collection[str] | None = None
) -> tuple[MinimalChange, ...]:
    """Return the single changes that open an empty window, the smallest (as a factor) first.

    Only numbers of the requirements in conflict are changed (those at the paths in ONLY, if given), where what the
    others ask goes together, each to a value that opens the window next to one that does not, rounded outwards to three
    digits; a whole number is the smallest (or largest) that opens it. A smaller change may open it as well, where
    opening goes up and down with the number. Empty if the window is not empty, or no change by a factor of 10,000 opens
    it. Every change returned has been solved: its window holds an epsilon above 0, and every requirement still answers.
    """
    found: list[MinimalChange] = []
    with suppress(Stopped), stoppable(stop):
        base = base or assess(decision)
        if not base.window.empty:
            return ()
        shared = decision.planned is not decision  # a need also moves the shares of all tables
        others = ((index, _without(base, index)) for index in base.window.conflict)
        places = tuple(f"$.requirements[{index}]." for index, window in others if shared or not window.empty)
        for where, value in numbers(decision, zeros=True):
            may_stop()
            if where.startswith(places) and value >= 0 and (only is None or where in only):
                signs = (-1, 1) if value > 0 else (1,)
                way = _whole_opening if isinstance(value, int) else _opening
                found += [c for c in (way(decision, where, value, sign, base) for sign in signs) if c is not None]
    return tuple(sorted(found, key=lambda change: (abs(math.log(change.factor)), change.where)))


def numbers(decision: Decision, *, zeros: bool = False) -> Iterator[tuple[str, float]]:
    """Yield path and value of every number that an officer entered and a solver reads; requirements' 0s with ZEROS."""
    yield from _within(decision.release, "$.release", OF_RELEASE)
    for index, part in enumerate(decision.release.parts):
        yield from _within(part, f"$.release.parts[{index}]", OF_PART)
    for index, spent in enumerate(decision.release.spent):
        yield from _within(spent, f"$.release.spent[{index}]", OF_SPENT)
    for index, requirement in enumerate(decision.requirements):
        if requirement.enabled:
            yield from _within(requirement, f"$.requirements[{index}]", zeros=zeros)


def _within(value: Any, where: str, names: tuple[str, ...] = (), *, zeros: bool = False) -> Iterator[tuple[str, float]]:
    if isinstance(value, Value):
        for name in names or type(value).model_fields:
            yield from _within(getattr(value, name), f"{where}.{name}", zeros=zeros)
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _within(item, f"{where}[{index}]", zeros=zeros)
    elif isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and (value or zeros):
        yield where, value


def _tenth(value: float, sign: int) -> float:
    if isinstance(value, int):
        return value + sign * max(1, round(value * SHARE))
    return value * (1 + sign * SHARE)


def _moved(decision: Decision, where: str, value: float, base: Assessment) -> AllowedRange | None:
    """Return the window with VALUE at WHERE; None where that is not allowed, or takes a requirement's answer."""
    try:
        moved = edits.put(decision, where, value)
    except DPWizardError:
        return None
    # what an epsilon gives takes no part in the window
    window = assess(moved.model_copy(update={"epsilon": None, "rho": None}), base).window
    return None if base.window.complete and not window.complete else window


def _swing(base: AllowedRange, moved: AllowedRange | None) -> float:
    if moved is None:
        return 0.0
    if base.empty != moved.empty:
        return math.inf
    one, other = (window.upper if window.upper is not None else math.inf for window in (base, moved))
    upper = 0.0 if one == other else abs(one - other)
    return max(upper, abs(base.lower - moved.lower))


def _whole_opening(decision: Decision, where: str, value: float, sign: int, base: Assessment) -> MinimalChange | None:
    """Return the change of a whole number, in one direction, to the nearest that opens the window; None if none does.

    The near ones are tried one by one, since counts at a threshold go up and down; those beyond by halving, as what is
    left moves one way, and once more one by one below what was found where it may not.
    """
    start = int(value)
    owner, _, name = where.rpartition(".")
    near = hints(type(edits.get(decision, owner)), name).tried
    most = start - 1 if sign < 0 else int(max(start, 1) * WIDEST)
    promising = _promising(decision, where, base)

    def at(distance: int) -> AllowedRange | None:
        to = start + sign * distance
        window = _moved(decision, where, to, base) if promising(to) else None
        return window if window is not None and _opens(window) else None

    def first(low: int, high: int) -> int | None:
        return next((d for d in range(low, high + 1) if at(d) is not None), None)

    distance = first(1, min(near, most))
    if distance is None:
        closed, tried = min(near, most), min(2 * near, most)
        while tried < most and at(tried) is None:
            closed, tried = tried, min(2 * tried, most)
        if tried <= near or at(tried) is None:
            return None
        while tried - closed > 1:
            middle = (tried + closed) // 2
            closed, tried = (middle, tried) if at(middle) is None else (closed, middle)
        distance = first(max(near, tried - near), tried)
    window = None if distance is None else at(distance)
    if distance is None or window is None:
        return None
    to = float(start + sign * distance)
    return MinimalChange(
        where=where, value=float(value), to=to, factor=to / start if start else math.inf, window=window
    )


def _promising(decision: Decision, where: str, base: Assessment) -> Callable[[int], bool]:
    """Return a quick look at one number of a requirement: false where its own answer alone keeps the window closed."""
    steps = edits.steps(where)
    index = int(steps[1])
    requirement: Any = decision.requirements[index]
    if decision.planned is not decision:
        return lambda _: True  # a need also moves the shares of all tables
    setting = requirement.setting(decision.release)
    if len(steps) != 3 or isinstance(setting, tuple):
        return lambda _: True
    others = _without(base, index)
    lower, upper = others.lower, math.inf if others.upper is None else others.upper

    def looks(to: int) -> bool:
        if to < 1:
            return True  # whether it is allowed at all is for the field to say
        try:
            limit = requirement.model_copy(update={str(steps[2]): to}).limit(setting)
        except DPWizardError:
            return True
        epsilon, _ = converted(setting, limit)
        if epsilon is None:
            return bool(limit.status != "infeasible")
        return bool(epsilon <= upper * (1 + SLACK) if requirement.end == "lower" else epsilon >= lower * (1 - SLACK))

    return looks


def _without(base: Assessment, index: int) -> AllowedRange:
    """Return the window that all requirements but that at INDEX leave."""
    return window_of(tuple(replace(one, enabled=one.enabled and at != index) for at, one in enumerate(base.answers)))


def _opening(decision: Decision, where: str, value: float, sign: int, base: Assessment) -> MinimalChange | None:
    """Return a change of one field in one direction that opens the window, found by bisection; None if none does.

    Where the field's range ends before anything opens, the last value within it is tried: a chance of 1 is one step
    from many.
    """
    start, widest = (value, WIDEST) if value else (FROM_NOTHING, WIDEST / FROM_NOTHING)

    def to(factor: float) -> float:
        return _rounded(start * factor**sign, sign)

    def moved(factor: float) -> AllowedRange | None:
        return _moved(decision, where, to(factor), base)

    closed, factor, window = 1.0, 1.0 + SHARE, moved(1.0 + SHARE)
    while window is None or not _opens(window):
        if window is None:  # beyond the range
            factor = _last(moved, closed, factor)
            window = moved(factor)
            if window is None or not _opens(window):
                return None
            break
        if factor == widest:
            return None
        closed, factor = factor, min(factor**2, widest)
        window = moved(factor)
    while factor / closed > 1 + FINE:
        middle = math.sqrt(factor * closed)
        between = moved(middle)
        if between is None or not _opens(between):
            closed = middle
        else:
            factor, window = middle, between
    if to(factor) == value:
        return None
    share = to(factor) / value if value else math.inf
    return MinimalChange(where=where, value=float(value), to=float(to(factor)), factor=share, window=window)


def _last(moved: Callable[[float], AllowedRange | None], within: float, beyond: float) -> float:
    """Return the largest factor between WITHIN and BEYOND that gives an allowed value, as fine as the search."""
    while beyond / within > 1 + FINE:
        middle = math.sqrt(beyond * within)
        within, beyond = (within, middle) if moved(middle) is None else (middle, beyond)
    return within


def _opens(window: AllowedRange) -> bool:
    """Return whether WINDOW holds an epsilon that can be chosen, or a release without noise is kept."""
    return not window.empty and (window.upper is None or window.upper > 0.0)


def _rounded(to: float, sign: int) -> float:
    """Return TO rounded outwards to three digits."""
    step = 10.0 ** (math.floor(math.log10(abs(to))) - DIGITS + 1)
    outwards = math.ceil(to / step - 1e-9) if sign > 0 else math.floor(to / step + 1e-9)
    return float(f"{outwards * step:.12g}")
