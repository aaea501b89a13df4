"""Searches for the largest budget that meets a limit, and for the least noise from which on it is met."""

from __future__ import annotations

import math
from collections.abc import Callable

from dpwizard.base.stopping import may_stop

CLOSE = 1e-5  # relative: a budget larger by this was found to fail
MOST_READINGS = 250
LONGEST_STEP = 3.0  # the longest step in log budget until both sides are found
FARTHEST_DOWN, FARTHEST_UP = 1e-15, 1e9  # the ends relative to the first budget, unless given


def largest(
    reading: Callable[[float], float],
    limit: float,
    start: float,
    *,
    lowest: float = 0.0,
    highest: float = math.inf,
    relative: float = CLOSE,
) -> tuple[float, bool]:
    """Return a budget at which READING(budget) is at most LIMIT, and whether a larger one was found to exceed it.

    Arguments: reading, for a budget > 0; start, the first budget tried; lowest and highest, the ends of the search;
    relative, the final distance of the two budgets, by secants of logarithms. Returns 0 if no budget meets the limit.
    Under discrete Gaussian noise READING need not be monotone: the returned budget was itself checked, larger ones may
    meet the limit as well, and a smaller one must be checked again.
    """
    excesses: dict[float, float] = {}
    low, high, x = -math.inf, math.inf, math.log(start)
    floor = math.log(lowest) if lowest else x + math.log(FARTHEST_DOWN)
    ceiling = math.log(highest) if math.isfinite(highest) else x + math.log(FARTHEST_UP)
    for count in range(MOST_READINGS):
        may_stop()
        value = reading(math.exp(x))
        excesses[x] = _log_excess(value, limit)
        low, high = (x, high) if value <= limit else (low, x)
        if high - low <= relative or (value <= limit and x >= ceiling):
            break
        if value > limit and x <= floor:
            return 0.0, True
        x = min(max(_next_log_budget(excesses, low, high, relative, count), floor), ceiling)
    return math.exp(low) if low > -math.inf else 0.0, high < math.inf


def _log_excess(value: float, limit: float) -> float:
    return math.log(min(max(value, 1e-300), 1e300)) - math.log(min(max(limit, 1e-300), 1e300))


def _next_log_budget(excesses: dict[float, float], low: float, high: float, relative: float, count: int) -> float:
    """Return where the secant through the two smallest excesses meets the limit, between LOW and HIGH."""
    nearest, *others = sorted(excesses, key=lambda x: abs(excesses[x]))
    slope = (excesses[nearest] - excesses[others[0]]) / (nearest - others[0]) if others else 1.0
    x = nearest - excesses[nearest] / (slope if 1e-3 < slope < 1e3 else 1.0)
    x += (0.4 if nearest == low else -0.4) * relative  # the root is then between the two
    shortest_step = min(relative * 4.0**count, LONGEST_STEP)  # a nearly flat slope has no information
    if math.isinf(high):
        return min(max(x, low + shortest_step), low + LONGEST_STEP)
    if math.isinf(low):
        return max(min(x, high - shortest_step), high - LONGEST_STEP)
    return x if low < x < high and count % 10 != 9 else 0.5 * (low + high)


def proved_from(holds: Callable[[float, float], bool], low: float, high: float, relative: float) -> float:
    """Return the least number found from which on HOLDS(u, v) proves all intervals [u, v] up to HIGH.

    Arguments: low and high, above 0; relative, the width of the narrowest intervals tried. Nothing need be monotone:
    intervals are halved in logarithms until each is proved, from the right. Returns HIGH if nothing is.
    """
    intervals = [(low, high)]
    while intervals:
        u, v = intervals.pop()
        if holds(u, v):
            continue
        middle = math.sqrt(u) * math.sqrt(v)
        if v <= u * (1.0 + relative) or not u < middle < v:
            return v
        intervals += [(u, middle), (middle, v)]
    return low
