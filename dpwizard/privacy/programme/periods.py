"""What one unit may lose in tables of several periods, when it is there in few of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import combinations
from operator import or_
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.numerics import up
from dpwizard.base.values import Count, NonNegative, Value, field, public
from dpwizard.privacy.programme.tables import MOST

Rule = Literal["any", "run", "rolling"]
Period = Annotated[int, Field(ge=0, le=1_199)]  # of a hundred years of months
STATES = 20_000  # of the periods in which one unit was lately
MOST_TRIED, MOST_SETS = 1_000, 84  # sets of tables that are looked at, and that are listed
ROUND = 4_096  # more than thousands of sums lose


class PeriodTable(Value):
    """A table, the base periods that it reads, and what it adds to a unit that is there in one of them."""

    first: Period = field("First base period that the table reads, from 0", default=...)
    last: Period = field("Last base period that the table reads", default=...)
    amount: NonNegative = field("What it adds: epsilon, rho or the square of mu", default=...)

    @model_validator(mode="after")
    def _in_order(self) -> PeriodTable:
        if self.last < self.first:
            raise InvalidInput(
                message("lies before the first, {first}", first=self.first), "last", "Give the last period it reads."
            )
        return self


class History(Value):
    """What one history of a unit adds up to."""

    amount: float = field("Largest sum", default=...)


@public
def history(
    *,
    tables: Annotated[tuple[PeriodTable, ...], Field(min_length=1, max_length=MOST)],
    at_most: Count,
    rule: Rule = "any",
    within: Count | None = None,
) -> History:
    """Return the most that one unit may lose in tables of several periods together.

    Arguments: tables, each with the base periods (months, quarters) from first to last that it reads, and an amount
    that adds up (epsilon, rho, or mu squared); at_most, in how many base periods one unit can be; rule: "any" of them,
    a "run" in a row, or "rolling": at_most in every WITHIN in a row. A unit moves a table if it is there in any base
    period that the table reads. Returns the largest amount, **never below the true one**; exact, but under "rolling"
    with windows too wide to follow, where at_most are counted in each block of WITHIN. Raises InvalidInput. Source:
    docs/methods/adding_up.md.
    """
    if (rule == "rolling") is (within is None):
        raise InvalidInput(
            "is missing" if within is None else "goes with the rule rolling alone",
            "within",
            "Say within how many periods in a row a unit is there at most so often.",
        )
    if rule == "run":
        found = _run(tables, at_most)
    elif within is None or at_most >= within:
        found = _any(tables, at_most if within is None else 1_200)
    elif math.comb(within, at_most) > STATES:
        found = _blocks(tables, at_most, within)
    else:
        found = _rolling(tables, at_most, within)
    return History(amount=up(found, ROUND) if found else 0.0)


def _run(tables: tuple[PeriodTable, ...], length: int) -> float:
    starts = range(1 + max(table.last for table in tables))
    return max(
        math.fsum(table.amount for table in tables if table.first < start + length and table.last >= start)
        for start in starts
    )


def _any(tables: Iterable[PeriodTable], count: int) -> float:
    """Return the largest sum over COUNT periods, whichever they are.

    A table counts at the first chosen period in it, which lies in it while the one before it does not: so the sum is
    one over pairs of neighbours. A chosen period may always move up to the next end of a table that holds it.
    """
    first, last, amount = _columns(tables)
    ends = np.unique(last)
    gained = _gains(first, last, amount, np.concatenate(([-1], ends)), ends)
    after = np.where(ends[:, None] < ends[None, :], gained[1:], -np.inf)
    best = gained[0]  # of one period, by the last one chosen
    for _ in range(min(count, len(ends)) - 1):
        longer = np.maximum(best, (best[:, None] + after).max(axis=0))
        if np.array_equal(longer, best):
            break
        best = longer
    return float(best.max())


def _gains(first: np.ndarray, last: np.ndarray, amount: np.ndarray, before: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return what choosing each of ENDS adds after each of BEFORE was the last one chosen."""
    inside = (first[None, :] <= ends[:, None]) & (ends[:, None] <= last[None, :])
    new = first[None, :] > before[:, None]
    gained: np.ndarray = (new * amount) @ inside.T.astype(float)
    return gained


def _columns(tables: Iterable[PeriodTable]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows = np.array([(table.first, table.last, table.amount) for table in tables])
    return rows[:, 0], rows[:, 1], rows[:, 2]


def _rolling(tables: tuple[PeriodTable, ...], count: int, within: int) -> float:
    """Return the largest sum of a history with COUNT periods in every WITHIN in a row."""
    first, last, amount = _columns(tables)
    periods = np.arange(int(last.max()) + 1)
    gained = _gains(first, last, amount, np.concatenate(([-1], periods)), periods)
    best: dict[tuple[int, ...], float] = {(-1,): 0.0}  # by the last period chosen, after those still in the window
    for period in periods.tolist():
        found: dict[tuple[int, ...], float] = {}
        for chosen, value in best.items():
            recent = tuple(each for each in chosen if each > period - within and each >= 0)
            kept = recent if recent else chosen[-1:]
            found[kept] = max(value, found.get(kept, 0.0))
            if len(recent) < count:
                more = (*recent, period)
                found[more] = max(value + float(gained[chosen[-1] + 1, period]), found.get(more, 0.0))
        best = found
    return max(best.values())


def _blocks(tables: tuple[PeriodTable, ...], count: int, within: int) -> float:
    """Return the sum of the largest in each block of WITHIN periods: no rolling history has more than COUNT in any."""
    found = []
    for start in range(0, 1 + max(table.last for table in tables), within):
        end = start + within - 1
        held = [
            PeriodTable(first=max(table.first, start), last=min(table.last, end), amount=table.amount)
            for table in tables
            if table.first <= end and table.last >= start
        ]
        found.append(_any(held, count) if held else 0.0)
    return math.fsum(found)


def largest_sets(
    spans: Sequence[tuple[int, int]], at_most: int, rule: Rule, within: int | None
) -> tuple[tuple[int, ...], ...] | None:
    """Return the largest sets of tables, by their place among SPANS, that one unit can be in together.

    Arguments: spans, the first and the last base period that each table reads; the rest as of history. A unit is in a
    table if it is there in any period that the table reads. None where the sets are too many to list.
    """
    every = range(min(first for first, _ in spans), 1 + max(last for _, last in spans))
    read = [sum(1 << at for at, (first, last) in enumerate(spans) if first <= one <= last) for one in every]
    if rule == "run":
        found: Iterable[int] = {reduce(or_, read[at : at + at_most]) for at in range(len(read))}
    elif within is None or at_most >= within:
        single = _largest(read)
        count = min(at_most, len(single)) if within is None else len(single)
        chosen = combinations(single, count) if math.comb(len(single), count) <= MOST_TRIED else ()
        found = {reduce(or_, each) for each in chosen}
    else:
        found = _of_stretches(read, at_most, within)
    largest = _largest(found)
    if not largest or len(largest) > MOST_SETS:
        return None
    return tuple(tuple(at for at in range(len(spans)) if mask >> at & 1) for mask in largest)


def _of_stretches(read: Sequence[int], at_most: int, within: int) -> Iterable[int]:
    found: set[tuple[tuple[int, ...], int]] = {((), 0)}  # the periods lately chosen, and the tables of all chosen
    for now, tables in enumerate(read):
        found = {(tuple(one for one in chosen if one > now - within), mask) for chosen, mask in found}
        found |= {((*chosen, now), mask | tables) for chosen, mask in found if len(chosen) < at_most}
        if len(found) > MOST_TRIED:
            return ()
    return {mask for _, mask in found}


def _largest(masks: Iterable[int]) -> list[int]:
    """Return those of MASKS that lie in no other."""
    kept: list[int] = []
    for mask in sorted(set(masks), key=int.bit_count, reverse=True):
        if not any(mask & other == mask for other in kept):
            kept.append(mask)
    return kept
