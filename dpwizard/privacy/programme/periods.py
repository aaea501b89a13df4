"""The largest loss of a unit in tables of several periods, if it is in few of the periods."""

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
from dpwizard.privacy.programme.tables import MOST_TABLES

Rule = Literal["any", "run", "rolling"]
Period = Annotated[int, Field(ge=0, le=1_199)]  # months of a hundred years
MOST_STATES = 20_000  # the most combinations of recent periods of a unit
MOST_TRIED, MOST_LISTED = 1_000, 84  # the most sets of tables tried, and returned
ROUND = 4_096  # units in the last place, above the rounding error of thousands of sums


class PeriodTable(Value):
    """A table, the base periods that it reads, and its cost for a unit in one of them."""

    first: Period = field("First base period that the table reads, from 0", default=...)
    last: Period = field("Last base period that the table reads", default=...)
    amount: NonNegative = field("What it adds: epsilon, rho or the square of mu", default=...)

    @model_validator(mode="after")
    def _check_order(self) -> PeriodTable:
        if self.last < self.first:
            raise InvalidInput(
                message("is before the first, {first}", first=self.first), "last", "Enter the last period it reads."
            )
        return self


class History(Value):
    """The largest sum over the histories of a unit."""

    amount: float = field("Largest sum", default=...)


@public
def history(
    *,
    tables: Annotated[tuple[PeriodTable, ...], Field(min_length=1, max_length=MOST_TABLES)],
    at_most: Count,
    rule: Rule = "any",
    within: Count | None = None,
) -> History:
    """Return the most that one unit may lose in tables of several periods together.

    Arguments: tables, each with the base periods (months, quarters) from first to last that it reads, and an amount
    that adds up (epsilon, rho, or mu squared); at_most, in how many base periods one unit can be; rule: "any" of them,
    a "run" in a row, or "rolling": at_most in every WITHIN in a row. A unit moves a table if it is there in any base
    period that the table reads. Returns the largest amount, **never below the true one**; exact, except under "rolling"
    with windows too wide to follow, where at_most are counted in each block of WITHIN. Raises InvalidInput. Source:
    docs/methods/adding_up.md.
    """
    if (rule == "rolling") is (within is None):
        raise InvalidInput(
            "is missing" if within is None else "goes with the rule rolling alone",
            "within",
            "Say how many periods in a row the limit covers.",
        )
    if rule == "run":
        amount = _largest_sum_in_a_row(tables, at_most)
    elif within is None or at_most >= within:
        amount = _largest_sum(tables, at_most if within is None else 1_200)
    elif math.comb(within, at_most) > MOST_STATES:
        amount = _sum_of_blocks(tables, at_most, within)
    else:
        amount = _largest_rolling_sum(tables, at_most, within)
    return History(amount=up(amount, ROUND) if amount else 0.0)


def _largest_sum_in_a_row(tables: tuple[PeriodTable, ...], length: int) -> float:
    starts = range(1 + max(table.last for table in tables))
    return max(
        math.fsum(table.amount for table in tables if table.first < start + length and table.last >= start)
        for start in starts
    )


def _largest_sum(tables: Iterable[PeriodTable], count: int) -> float:
    """Return the largest sum over COUNT periods.

    A table counts at the first chosen period in it: that is in it while the one before is not. So the sum is one over
    pairs of consecutive chosen periods. A chosen period may always move up to the next end of a table that contains it.
    """
    first, last, amount = _as_arrays(tables)
    ends = np.unique(last)
    gains = _gains(first, last, amount, np.concatenate(([-1], ends)), ends)
    gains_after = np.where(ends[:, None] < ends[None, :], gains[1:], -np.inf)
    best = gains[0]  # by the last chosen period
    for _ in range(min(count, len(ends)) - 1):
        longer = np.maximum(best, (best[:, None] + gains_after).max(axis=0))
        if np.array_equal(longer, best):
            break
        best = longer
    return float(best.max())


def _gains(first: np.ndarray, last: np.ndarray, amount: np.ndarray, before: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return the gain of each of ENDS as the next period chosen after each of BEFORE."""
    inside = (first[None, :] <= ends[:, None]) & (ends[:, None] <= last[None, :])
    new = first[None, :] > before[:, None]
    return np.asarray((new * amount) @ inside.T.astype(float))


def _as_arrays(tables: Iterable[PeriodTable]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows = np.array([(table.first, table.last, table.amount) for table in tables])
    return rows[:, 0], rows[:, 1], rows[:, 2]


def _largest_rolling_sum(tables: tuple[PeriodTable, ...], count: int, within: int) -> float:
    """Return the largest sum of a history with COUNT periods in every WITHIN in a row."""
    first, last, amount = _as_arrays(tables)
    periods = np.arange(int(last.max()) + 1)
    gains = _gains(first, last, amount, np.concatenate(([-1], periods)), periods)
    best: dict[tuple[int, ...], float] = {(-1,): 0.0}  # by the chosen periods in the window, or the last one
    for period in periods.tolist():
        best_now: dict[tuple[int, ...], float] = {}
        for chosen, value in best.items():
            recent = tuple(earlier for earlier in chosen if earlier > period - within and earlier >= 0)
            unchanged = recent if recent else chosen[-1:]
            best_now[unchanged] = max(value, best_now.get(unchanged, 0.0))
            if len(recent) < count:
                longer = (*recent, period)
                best_now[longer] = max(value + float(gains[chosen[-1] + 1, period]), best_now.get(longer, 0.0))
        best = best_now
    return max(best.values())


def _sum_of_blocks(tables: tuple[PeriodTable, ...], count: int, within: int) -> float:
    """Return the sum of the largest sum in each block of WITHIN periods: an upper bound for rolling histories."""
    sums = []
    for start in range(0, 1 + max(table.last for table in tables), within):
        end = start + within - 1
        in_block = [
            PeriodTable(first=max(table.first, start), last=min(table.last, end), amount=table.amount)
            for table in tables
            if table.first <= end and table.last >= start
        ]
        sums.append(_largest_sum(in_block, count) if in_block else 0.0)
    return math.fsum(sums)


def largest_sets(
    spans: Sequence[tuple[int, int]], at_most: int, rule: Rule, within: int | None
) -> tuple[tuple[int, ...], ...] | None:
    """Return the largest sets of tables, by position among SPANS, that one unit can be in together.

    Arguments: spans, the first and the last base period that each table reads; the rest as of history. A unit is in a
    table if it is there in any period that the table reads. None where the sets are too many to list.
    """
    periods = range(min(first for first, _ in spans), 1 + max(last for _, last in spans))
    masks = [sum(1 << at for at, (first, last) in enumerate(spans) if first <= period <= last) for period in periods]
    if rule == "run":
        sets: Iterable[int] = {reduce(or_, masks[at : at + at_most]) for at in range(len(masks))}
    elif within is None or at_most >= within:
        maximal = _maximal_sets(masks)
        count = min(at_most, len(maximal)) if within is None else len(maximal)
        chosen = combinations(maximal, count) if math.comb(len(maximal), count) <= MOST_TRIED else ()
        sets = {reduce(or_, chosen_masks) for chosen_masks in chosen}
    else:
        sets = _sets_of_rolling_histories(masks, at_most, within)
    largest = _maximal_sets(sets)
    if not largest or len(largest) > MOST_LISTED:
        return None
    return tuple(tuple(at for at in range(len(spans)) if mask >> at & 1) for mask in largest)


def _sets_of_rolling_histories(masks: Sequence[int], at_most: int, within: int) -> Iterable[int]:
    states: set[tuple[tuple[int, ...], int]] = {((), 0)}  # the recent periods chosen, and the tables of all chosen
    for now, now_in in enumerate(masks):
        states = {(tuple(period for period in chosen if period > now - within), mask) for chosen, mask in states}
        states |= {((*chosen, now), mask | now_in) for chosen, mask in states if len(chosen) < at_most}
        if len(states) > MOST_TRIED:
            return ()
    return {mask for _, mask in states}


def _maximal_sets(masks: Iterable[int]) -> list[int]:
    """Return those of MASKS that are not part of another."""
    maximal: list[int] = []
    for mask in sorted(set(masks), key=int.bit_count, reverse=True):
        if not any(mask & other == mask for other in maximal):
            maximal.append(mask)
    return maximal
