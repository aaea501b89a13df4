"""The least budget with which the published numbers of linked tables meet their accuracy requirements."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np

from dpwizard.privacy.adding_up.least_budget import Precisions, Variances, least_precisions, scaled_to_needs
from dpwizard.privacy.adding_up.linked_tables import AddedUp

TOLERANCE = 1e-9  # relative: a smaller excess of a variance over its limit is removed by scaling
LEAST_SHARE = 1e-6  # the least budget of a table relative to the largest one, so that its noise can be drawn


@dataclass(frozen=True)
class Limited:
    """The largest allowed variance of a published number of a table, or of one number before adding up."""

    table: int
    variance: float
    before_adding_up: bool = False


@lru_cache(maxsize=512)  # the same for every quarter of a programme
def least_budget_of(tables: AddedUp, costs: tuple[float, ...], limits: tuple[Limited, ...]) -> Precisions:
    """Return the least cost of Gaussian noise with which the published numbers of TABLES meet LIMITS.

    Arguments: costs, by table, of a precision of 1 (D^2 / 2 per release), 0 for tables without noise to buy. **Limits
    are met; the lower bound holds whatever the search does.** No table gets less than 1e-6 of the largest budget.
    Prices are those of LIMITS; of two on the same number the tighter has one. Source: docs/methods/adding_up.md.
    """
    noisy = [table for table, noise in enumerate(tables.noises) if noise == "noisy"]
    tightest: dict[tuple[int, bool], int] = {}
    for at, limit in enumerate(limits):
        first = tightest.setdefault((limit.table, limit.before_adding_up), at)
        if limit.variance < limits[first].variance:
            tightest[limit.table, limit.before_adding_up] = at
    has_noise = tables.variance_parts(np.ones(len(tables.noises))).sum(axis=1) > 0.0  # none, if exact
    after = [at for (_, is_before), at in tightest.items() if not is_before]
    rows = [(kind, at) for at in after for kind in tables.kinds(limits[at].table) if has_noise[kind]]
    largest = np.array([limits[at].variance for _, at in rows])
    before = [at for (_, is_before), at in tightest.items() if is_before]
    alone = [(noisy.index(limits[at].table), limits[at].variance) for at in before]
    if not rows and not alone:  # any budget is enough
        return Precisions(costs=costs, total=math.fsum(costs), lower=0.0, prices=(0.0,) * len(limits))

    def variances_at(precisions: Any, chosen: Sequence[int] = range(len(rows))) -> Variances:
        every = np.ones(len(tables.noises))
        every[noisy] = precisions
        parts_after = np.zeros((0, len(noisy)))
        if chosen:
            kinds = [rows[row][0] for row in chosen]
            parts_after = tables.variance_parts_of(kinds, every)[:, noisy] / largest[list(chosen), None]
        parts_before = np.zeros((len(alone), len(noisy)))
        for row, (table, variance) in enumerate(alone):
            parts_before[row, table] = 1.0 / precisions[table] / variance
        parts = np.concatenate((parts_after, parts_before))
        return parts.sum(axis=1), -parts / precisions

    precisions_found = _least_cost(
        variances_at, np.array([costs[table] for table in noisy]), [limits[at].table for _, at in rows]
    )
    least = LEAST_SHARE * max(precisions_found.costs)
    spent = dict(zip(noisy, (max(cost, least) for cost in precisions_found.costs), strict=True))
    every = tuple(spent.get(table, 0.0) for table in range(len(tables.noises)))
    prices = [0.0] * len(limits)
    for at, price in zip([*(at for _, at in rows), *before], precisions_found.prices, strict=True):
        prices[at] += price
    total = math.fsum(every) * (1.0 + 1e-14)
    return Precisions(costs=every, total=total, lower=precisions_found.lower, prices=tuple(prices))


def _least_cost(variances_at: Callable[..., Variances], cost: Any, table_of: Sequence[int]) -> Precisions:
    """Return the least cost with which no variance of VARIANCES_AT is above 1; its first rows are of TABLE_OF.

    The search covers only rows that were the worst of their table; at the end all rows are checked.
    """
    precisions, watched = np.ones(len(cost)), set[int]()
    while True:
        variances = variances_at(precisions)[0][: len(table_of)]
        order = sorted(range(len(table_of)), key=lambda row: -variances[row])
        worst = {table_of[row]: row for row in reversed(order)}.values()
        new = {row for row in worst if not watched or variances[row] > 1.0 + TOLERANCE} - watched
        if watched and not new:
            return scaled_to_needs(variances_at, cost, precisions)
        watched |= new
        precisions = np.array(least_precisions(partial(variances_at, chosen=sorted(watched)), cost).costs) / cost
