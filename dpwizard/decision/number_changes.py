"""Changes of one number of a decision: the effect of each on the allowed range, and the smallest that opens one."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from dpwizard.base.errors import DPWizardError
from dpwizard.base.stopping import Stop, Stopped, may_stop, stoppable
from dpwizard.base.values import Value, hints
from dpwizard.decision import edits
from dpwizard.decision.assessment import AllowedRange, Assessment, assess, window_of
from dpwizard.decision.decision import Decision

SHARE = 0.1  # the relative change of each field
DECADE = 900  # numbers of three significant digits, which a person would enter, from one power of ten to the next
FIRST = 16  # how many of them the search goes on first
ROUNDED = 1e-6  # of the distance between two of them: the rounding error of a place among them
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
    """A single change that opens an empty range: to a number of three digits."""

    where: str
    value: float
    to: float
    window: AllowedRange

    @property
    def factor(self) -> float:
        """Return the factor by which the number changes; inf from 0."""
        return self.to / self.value if self.value else math.inf


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
        for where, value in _entered_numbers(decision):
            may_stop()
            down, up = (_window_with(decision, where, _shift_by_tenth(value, sign), base) for sign in (-1, 1))
            swing = max(_swing(base.window, window) for window in (down, up))
            if swing > 0.0:
                effects.append(OneAtATimeEffect(where=where, value=float(value), down=down, up=up, swing=swing))
    return tuple(sorted(effects, key=lambda influence: (-influence.swing, influence.where)))


def smallest_changes(
    decision: Decision, base: Assessment | None = None, stop: Stop = lambda: False, only: Collection[str] | None = None
) -> tuple[MinimalChange, ...]:
    """Return the single changes of decided numbers that open an empty range, the smallest (as a factor) first.

    Only numbers of the conflicting requirements are changed (those at the paths in ONLY, if given), if the other
    requirements do not conflict, each to the number of three digits that opens the range next to one that does not. A
    smaller change may open it too, if the effect is not monotone. Empty if the range is not empty, or no change by a
    factor of 10,000 opens it. Every change has been solved: its range has an epsilon above 0, and no requirement is
    unsolved.
    """
    changes: list[MinimalChange] = []
    with suppress(Stopped), stoppable(stop):
        base = base or assess(decision)
        if not base.window.empty:
            return ()
        shares_move = decision.planned is not decision  # a requirement also changes the shares of all tables
        alone = [at for at in base.window.conflict if shares_move or not _window_without(base, at).empty]
        for where, value in decided_numbers(decision, alone):
            may_stop()
            if value >= 0.0 and (only is None or where in only):
                found = (_opening_change(decision, where, value, sign, base) for sign in ((-1, 1) if value else (1,)))
                changes += [change for change in found if change is not None]
    return tuple(sorted(changes, key=lambda change: (abs(math.log(change.factor)), change.where)))


def _entered_numbers(decision: Decision) -> Iterator[tuple[str, float]]:
    """Yield path and value of every number, except 0, that an officer entered and a solver reads."""
    rows: list[tuple[str, Value, tuple[str, ...]]] = [("$.release", decision.release, OF_RELEASE)]
    rows += [(f"$.release.parts[{at}]", part, OF_PART) for at, part in enumerate(decision.release.parts)]
    rows += [(f"$.release.spent[{at}]", spent, OF_SPENT) for at, spent in enumerate(decision.release.spent)]
    rows += [(f"$.requirements[{at}]", row, ()) for at, row in enumerate(decision.requirements) if row.enabled]
    for where, row, names in rows:
        yield from ((path, value) for path, value, _ in _numbers_in(row, where, names) if value)


def decided_numbers(decision: Decision, indexes: Iterable[int]) -> Iterator[tuple[str, float]]:
    """Yield path and value of every number in the requirements INDEXES that is a choice, not a fact or a prior."""
    for index in indexes:
        found = _numbers_in(decision.requirements[index], f"$.requirements[{index}]")
        yield from ((path, float(value)) for path, value, decided in found if decided)


def _numbers_in(
    value: Any, where: str, names: tuple[str, ...] = (), decided: bool = False
) -> Iterator[tuple[str, float, bool]]:
    if isinstance(value, Value):
        for name in names or type(value).model_fields:
            yield from _numbers_in(getattr(value, name), f"{where}.{name}", (), hints(type(value), name).decided)
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _numbers_in(item, f"{where}[{index}]", (), decided)
    elif isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        yield where, value, decided


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
    window = assess(edited.without_budget(), base).window
    return None if base.window.complete and not window.complete else window


def _window_without(base: Assessment, index: int) -> AllowedRange:
    before, answer, after = base.answers[:index], base.answers[index], base.answers[index + 1 :]
    return window_of((*before, replace(answer, enabled=False), *after))


def _swing(base: AllowedRange, moved: AllowedRange | None) -> float:
    if moved is None:
        return 0.0
    if base.empty != moved.empty:
        return math.inf
    upper_before, upper_after = (window.upper if window.upper is not None else math.inf for window in (base, moved))
    upper = 0.0 if upper_before == upper_after else abs(upper_before - upper_after)
    return max(upper, abs(base.lower - moved.lower))


# ------------------------------------------------------------------------------- the smallest change that opens a range


def _opening_change(decision: Decision, where: str, value: float, sign: int, base: Assessment) -> MinimalChange | None:
    """Return the smallest change of one number in one direction that opens the range; None if none does.

    It is found by bisection among the numbers of three digits. If the field's range ends first, its last value is
    tried, such as a chance of 1.
    """
    most = DECADE * (4 if value else 10)  # a factor of 10,000, and up to 10,000 from nothing

    @cache
    def window_at(step: int) -> AllowedRange | None:
        return _window_with(decision, where, _three_digits(value or FROM_NOTHING, sign, step), base)

    def opens(step: int) -> bool:
        window = window_at(step)  # without noise there is no upper end
        return window is not None and not window.empty and (window.upper is None or window.upper > 0.0)

    closed, tried = 0, FIRST
    while not opens(tried) and window_at(tried) is not None and tried < most:
        closed, tried = tried, min(2 * tried, most)
    if window_at(tried) is None:
        tried = _first(lambda step: window_at(step) is None, closed, tried) - 1
    if tried == closed or not opens(tried):
        return None
    step = _first(opens, closed, tried)
    window = window_at(step)
    assert window is not None
    return MinimalChange(where=where, value=value, to=_three_digits(value or FROM_NOTHING, sign, step), window=window)


def _three_digits(value: float, sign: int, steps: int) -> float:
    """Return the number of three significant digits that is STEPS such numbers above VALUE, or below it."""
    power = math.floor(math.log10(value))
    place = DECADE * power + 100.0 * value / 10.0**power  # among the numbers of three digits
    nearest = math.floor(place + ROUNDED) if sign > 0 else math.ceil(place - ROUNDED)
    power, digits = divmod(nearest - 100 + sign * steps, DECADE)
    return float(f"{digits + 100}e{power - 2}")


def _first(holds: Callable[[int], bool], below: int, above: int) -> int:
    """Return the step at which HOLDS becomes true, after BELOW and at most ABOVE."""
    while above - below > 1:
        middle = (below + above) // 2
        below, above = (below, middle) if holds(middle) else (middle, above)
    return above
