"""The effect of each number on the allowed range, and the smallest single change that opens an empty one."""

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

SHARE = 0.1  # the relative change of each field
WIDEST = 1e4  # the largest factor by which a field is changed to open an empty range
FINE = 1e-4  # relative precision of the smallest change
DIGITS = 3  # significant digits of a proposed value: what a person would enter
SLACK = 1e-6  # relative: a limit this close to those of the others is solved in full
FROM_NOTHING = 1e-6  # the start of the search for a field that is 0

OF_RELEASE = ("sensitivity", "sensitivity_other", "effects", "delta", "repetitions", "at_most_years", "cap")
OF_PART = ("sensitivity", "sensitivity_other", "effects", "share", "epsilon", "rho", "weight", "times", "contributions")
OF_SPENT = ("epsilon", "rho", "delta", "sensitivity", "sensitivity_other", "effects")


@dataclass(frozen=True, kw_only=True)
class OneAtATimeEffect:
    """One field, changed down and up by a tenth, and the range that each change gives.

    None if the value is not allowed, or if a requirement would be unsolved: a missing limit is no wider one.
    """

    where: str
    value: float
    down: AllowedRange | None
    up: AllowedRange | None
    swing: float  # the larger change of either end of the range; inf if the range opens or closes


@dataclass(frozen=True, kw_only=True)
class MinimalChange:
    """A single change that opens an empty range, rounded to three digits; factor inf if it starts at 0."""

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
    """Return, for every number that the range depends on, how the range changes when that number changes by 10 %.

    Arguments: decision; assessment of it, if there is one; stop, polled as by `assess`: once true, the rest is left
    out. The largest swing comes first; numbers without effect are left out. Whole numbers change by at least 1. The
    ranges are safe, as those of `assess`.
    """
    effects = []
    with suppress(Stopped), stoppable(stop):
        base = assessment or assess(decision)
        for where, value in numbers(decision):
            may_stop()
            down, up = (_window_with(decision, where, _shift_by_tenth(value, sign), base) for sign in (-1, 1))
            swing = max(_swing(base.window, window) for window in (down, up))
            if swing > 0.0:
                effects.append(OneAtATimeEffect(where=where, value=float(value), down=down, up=up, swing=swing))
    return tuple(sorted(effects, key=lambda influence: (-influence.swing, influence.where)))


def smallest_changes(
    decision: Decision, base: Assessment | None = None, stop: Stop = lambda: False, only: Collection[str] | None = None
) -> tuple[MinimalChange, ...]:
    """Return the single changes that open an empty range, the smallest (as a factor) first.

    Only numbers of the conflicting requirements are changed (those at the paths in ONLY, if given), if the other
    requirements do not conflict, each to a value that opens the range next to one that does not, rounded outwards to
    three digits; a whole number is the smallest (or largest) that opens it. A smaller change may open it too, if the
    effect is not monotone. Empty if the range is not empty, or no change by a factor of 10,000 opens it. Every change
    has been solved: its range has an epsilon above 0, and no requirement is unsolved.
    """
    changes: list[MinimalChange] = []
    with suppress(Stopped), stoppable(stop):
        base = base or assess(decision)
        if not base.window.empty:
            return ()
        shares_move = decision.planned is not decision  # a requirement also changes the shares of all tables
        others = ((index, _window_without(base, index)) for index in base.window.conflict)
        places = tuple(f"$.requirements[{index}]." for index, window in others if shares_move or not window.empty)
        for where, value in numbers(decision, zeros=True):
            may_stop()
            if where.startswith(places) and value >= 0 and (only is None or where in only):
                signs = (-1, 1) if value > 0 else (1,)
                opening = _opening_of_whole if isinstance(value, int) else _opening
                changes += [c for c in (opening(decision, where, value, sign, base) for sign in signs) if c is not None]
    return tuple(sorted(changes, key=lambda change: (abs(math.log(change.factor)), change.where)))


def numbers(decision: Decision, *, zeros: bool = False) -> Iterator[tuple[str, float]]:
    """Yield path and value of every number that an officer entered and a solver reads; with ZEROS also some 0s."""
    yield from _numbers_in(decision.release, "$.release", OF_RELEASE)
    for index, part in enumerate(decision.release.parts):
        yield from _numbers_in(part, f"$.release.parts[{index}]", OF_PART)
    for index, spent in enumerate(decision.release.spent):
        yield from _numbers_in(spent, f"$.release.spent[{index}]", OF_SPENT)
    for index, requirement in enumerate(decision.requirements):
        if requirement.enabled:
            yield from _numbers_in(requirement, f"$.requirements[{index}]", zeros=zeros)


def _numbers_in(
    value: Any, where: str, names: tuple[str, ...] = (), *, zeros: bool = False
) -> Iterator[tuple[str, float]]:
    if isinstance(value, Value):
        for name in names or type(value).model_fields:
            yield from _numbers_in(getattr(value, name), f"{where}.{name}", zeros=zeros)
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _numbers_in(item, f"{where}[{index}]", zeros=zeros)
    elif isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and (value or zeros):
        yield where, value


def _shift_by_tenth(value: float, sign: int) -> float:
    if isinstance(value, int):
        return value + sign * max(1, round(value * SHARE))
    return value * (1 + sign * SHARE)


def _window_with(decision: Decision, where: str, value: float, base: Assessment) -> AllowedRange | None:
    """Return the range with VALUE at WHERE; None if that is not allowed, or a requirement is unsolved."""
    try:
        edited = edits.put(decision, where, value)
    except DPWizardError:
        return None
    # the chosen budget does not affect the range
    window = assess(edited.model_copy(update={"epsilon": None, "rho": None}), base).window
    return None if base.window.complete and not window.complete else window


def _swing(base: AllowedRange, moved: AllowedRange | None) -> float:
    if moved is None:
        return 0.0
    if base.empty != moved.empty:
        return math.inf
    upper_before, upper_after = (window.upper if window.upper is not None else math.inf for window in (base, moved))
    upper = 0.0 if upper_before == upper_after else abs(upper_before - upper_after)
    return max(upper, abs(base.lower - moved.lower))


def _opening_of_whole(
    decision: Decision, where: str, value: float, sign: int, base: Assessment
) -> MinimalChange | None:
    """Return the smallest change of a whole number, in one direction, that opens the range; None if none does.

    Near values are tried one by one, since counts at a threshold are not monotone; those beyond by bisection, and then
    once more one by one below the result.
    """
    start = int(value)
    owner, _, name = where.rpartition(".")
    near = hints(type(edits.get(decision, owner)), name).tried
    most = start - 1 if sign < 0 else int(max(start, 1) * WIDEST)
    promising = _quick_test(decision, where, base)

    def at(distance: int) -> AllowedRange | None:
        to = start + sign * distance
        window = _window_with(decision, where, to, base) if promising(to) else None
        return window if window is not None and _is_open(window) else None

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


def _quick_test(decision: Decision, where: str, base: Assessment) -> Callable[[int], bool]:
    """Return a quick test of one number of a requirement: false if its own limit keeps the range empty."""
    steps = edits.steps(where)
    index = int(steps[1])
    requirement: Any = decision.requirements[index]
    if decision.planned is not decision:
        return lambda _: True  # a requirement also changes the shares of all tables
    setting = requirement.setting(decision.release)
    if len(steps) != 3 or isinstance(setting, tuple):
        return lambda _: True
    others = _window_without(base, index)
    lower, upper = others.lower, math.inf if others.upper is None else others.upper

    def may_open(to: int) -> bool:
        if to < 1:
            return True  # the field checks whether it is allowed
        try:
            limit = requirement.model_copy(update={str(steps[2]): to}).limit(setting)
        except DPWizardError:
            return True
        epsilon, _ = converted(setting, limit)
        if epsilon is None:
            return bool(limit.status != "infeasible")
        return bool(epsilon <= upper * (1 + SLACK) if requirement.end == "lower" else epsilon >= lower * (1 - SLACK))

    return may_open


def _window_without(base: Assessment, index: int) -> AllowedRange:
    before, answer, after = base.answers[:index], base.answers[index], base.answers[index + 1 :]
    return window_of((*before, replace(answer, enabled=False), *after))


def _opening(decision: Decision, where: str, value: float, sign: int, base: Assessment) -> MinimalChange | None:
    """Return a change of one field in one direction that opens the range, found by bisection; None if none does.

    If the field's range ends first, its last value is tried, such as a chance of 1.
    """
    start, widest = (value, WIDEST) if value else (FROM_NOTHING, WIDEST / FROM_NOTHING)

    def to(factor: float) -> float:
        exact = start * factor**sign
        step = 10.0 ** (math.floor(math.log10(abs(exact))) - DIGITS + 1)
        outwards = math.ceil(exact / step - 1e-9) if sign > 0 else math.floor(exact / step + 1e-9)
        return float(f"{outwards * step:.12g}")

    def moved(factor: float) -> AllowedRange | None:
        return _window_with(decision, where, to(factor), base)

    closed, factor, window = 1.0, 1.0 + SHARE, moved(1.0 + SHARE)
    while window is None or not _is_open(window):
        if window is None:  # beyond the range
            factor = _last_allowed_factor(moved, closed, factor)
            window = moved(factor)
            if window is None or not _is_open(window):
                return None
            break
        if factor == widest:
            return None
        closed, factor = factor, min(factor**2, widest)
        window = moved(factor)
    while factor / closed > 1 + FINE:
        middle = math.sqrt(factor * closed)
        between = moved(middle)
        if between is None or not _is_open(between):
            closed = middle
        else:
            factor, window = middle, between
    if to(factor) == value:
        return None
    share = to(factor) / value if value else math.inf
    return MinimalChange(where=where, value=float(value), to=float(to(factor)), factor=share, window=window)


def _last_allowed_factor(moved: Callable[[float], AllowedRange | None], within: float, beyond: float) -> float:
    """Return the largest factor between WITHIN and BEYOND that gives an allowed value."""
    while beyond / within > 1 + FINE:
        middle = math.sqrt(beyond * within)
        within, beyond = (within, middle) if moved(middle) is None else (middle, beyond)
    return within


def _is_open(window: AllowedRange) -> bool:
    return not window.empty and (window.upper is None or window.upper > 0.0)  # no upper end without noise
