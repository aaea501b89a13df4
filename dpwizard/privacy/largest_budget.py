"""The largest budget at which a promise holds, found from below and checked where it is returned."""

from __future__ import annotations

import math
from collections.abc import Callable

from dpwizard.base.stopping import may_stop

CLOSE = 1e-5  # relative: a budget that much larger was seen to fail
TURNS = 250
STRIDE = 3.0  # in log budget, while one side is not found yet
FARTHEST_DOWN, FARTHEST_UP = 1e-15, 1e9  # budgets looked at, relative to the first one, where no ends are stated


def largest(
    reading: Callable[[float], float],
    limit: float,
    start: float,
    *,
    lowest: float = 0.0,
    highest: float = math.inf,
    relative: float = CLOSE,
) -> tuple[float, bool]:
    """Return a budget at which READING(budget) is at most LIMIT, and whether a larger one was seen to fail.

    Arguments: reading, what a budget > 0 gives; start, the first one looked at; lowest and highest, the ends of those
    looked at. Secants of logarithms between a budget that holds and one that does not; they end RELATIVE apart. Returns
    0 where no budget was found to hold. Discrete Gaussian noise need not tell more with every larger budget: the budget
    returned was itself read, larger ones that hold as well are not sought, and a smaller one must be read again.
    """
    seen: dict[float, float] = {}
    low, high, x = -math.inf, math.inf, math.log(start)
    floor = math.log(lowest) if lowest else x + math.log(FARTHEST_DOWN)
    ceiling = math.log(highest) if math.isfinite(highest) else x + math.log(FARTHEST_UP)
    for turn in range(TURNS):
        may_stop()
        value = reading(math.exp(x))
        seen[x] = _log_excess(value, limit)
        low, high = (x, high) if value <= limit else (low, x)
        if high - low <= relative or (value <= limit and x >= ceiling):
            break
        if value > limit and x <= floor:
            return 0.0, True
        x = min(max(_next(seen, low, high, relative, turn), floor), ceiling)
    return math.exp(low) if low > -math.inf else 0.0, high < math.inf


def _log_excess(value: float, limit: float) -> float:
    return math.log(min(max(value, 1e-300), 1e300)) - math.log(min(max(limit, 1e-300), 1e300))


def _next(seen: dict[float, float], low: float, high: float, relative: float, turn: int) -> float:
    """Return the next logarithm of a budget to look at: where the secant of the two nearest values meets the limit."""
    nearest, *others = sorted(seen, key=lambda x: abs(seen[x]))
    slope = (seen[nearest] - seen[others[0]]) / (nearest - others[0]) if others else 1.0
    x = nearest - seen[nearest] / (slope if 1e-3 < slope < 1e3 else 1.0)
    x += (0.4 if nearest == low else -0.4) * relative  # so that the root lies between
    least = min(relative * 4.0**turn, STRIDE)  # where a reading is nearly flat, its slope leads nowhere
    if math.isinf(high):
        return min(max(x, low + least), low + STRIDE)
    if math.isinf(low):
        return max(min(x, high - least), high - STRIDE)
    return x if low < x < high and turn % 10 != 9 else 0.5 * (low + high)
