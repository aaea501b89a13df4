"""The least budget with which the published numbers of linked tables meet their needs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

import numpy as np

from dpwizard.privacy.adding_up.least_budget import Precisions, Variances, least_precisions, priced
from dpwizard.privacy.adding_up.linked_tables import AddedUp

NEARLY = 1e-9  # relative: a variance so little above its limit is scaled away
LEAST_SHARE = 1e-6  # of the dearest table: no other gets less, so that its noise can be drawn


@dataclass(frozen=True)
class Limited:
    """The largest variance of a published number of a table; OWN: of one number before adding up, not after."""

    table: int
    variance: float
    before_adding_up: bool = field(default=False)


@lru_cache(maxsize=512)  # every quarter of a programme asks the same
def least_budget_of(made: AddedUp, costs: tuple[float, ...], limits: tuple[Limited, ...]) -> Precisions:
    """Return the least cost of Gaussian noise with which the published numbers of MADE keep LIMITS.

    Arguments: costs, by table, of a precision of 1 (D^2 / 2 for each time it is made), 0 where it has no noise to buy.
    **Limits are kept; the bound holds whatever the search did.** No table gets less than 1e-6 of what the dearest
    gets. Prices are those of LIMITS; of two that limit the same the tighter has one. Source: docs/methods/adding_up.md.
    """
    noisy = [at for at, noise in enumerate(made.noises) if noise == "noisy"]
    tightest: dict[tuple[int, bool], int] = {}
    for at, limit in enumerate(limits):
        first = tightest.setdefault((limit.table, limit.before_adding_up), at)
        if limit.variance < limits[first].variance:
            tightest[limit.table, limit.before_adding_up] = at
    free = made.look(np.ones(len(made.noises))).sum(axis=1) > 0.0  # what exact numbers leave no noise is kept anyway
    after = [at for (_, own), at in tightest.items() if not own]
    rows = [(kind, at) for at in after for kind in made.kinds(limits[at].table) if free[kind]]
    kinds, most = [kind for kind, _ in rows], np.array([limits[at].variance for _, at in rows])
    before = [at for (_, own), at in tightest.items() if own]
    alone = [(noisy.index(limits[at].table), limits[at].variance) for at in before]
    if not rows and not alone:  # whatever it is
        return Precisions(costs=costs, total=math.fsum(costs), lower=0.0, prices=(0.0,) * len(limits))

    def look(precisions: Any, at: Sequence[int] = range(len(rows))) -> Variances:
        every = np.ones(len(made.noises))
        every[noisy] = precisions
        chosen = [kinds[one] for one in at]
        parts = made.look_at(chosen, every)[:, noisy] / most[list(at), None] if chosen else np.zeros((0, len(noisy)))
        own = np.zeros((len(alone), len(noisy)))
        for row, (table, variance) in enumerate(alone):
            own[row, table] = 1.0 / precisions[table] / variance
        parts = np.concatenate((parts, own))
        return parts.sum(axis=1), -parts / precisions

    found = _least(look, np.array([costs[table] for table in noisy]), [limits[at].table for _, at in rows])
    least = LEAST_SHARE * max(found.costs)
    spent = dict(zip(noisy, (max(each, least) for each in found.costs), strict=True))
    every = tuple(spent.get(table, 0.0) for table in range(len(made.noises)))
    prices = [0.0] * len(limits)
    for at, price in zip([*(at for _, at in rows), *before], found.prices, strict=True):
        prices[at] += price
    total = math.fsum(every) * (1.0 + 1e-14)
    return Precisions(costs=every, total=total, lower=found.lower, prices=tuple(prices))


def _least(look: Callable[..., Variances], cost: Any, tables: Sequence[int]) -> Precisions:
    """Return the least cost with which no variance that LOOK gives is above 1, of numbers of TABLES first.

    Only numbers that were the worst of their table somewhere are searched over; the last look is at all of them.
    """
    precisions, watched = np.ones(len(cost)), set[int]()
    while True:
        variances = look(precisions)[0][: len(tables)]
        order = sorted(range(len(tables)), key=lambda row: -variances[row])
        worst = {tables[row]: row for row in reversed(order)}.values()
        new = {row for row in worst if not watched or variances[row] > 1.0 + NEARLY} - watched
        if watched and not new:
            return priced(look, cost, precisions)
        watched |= new
        at = sorted(watched)
        precisions = np.array(least_precisions(partial(look, at=at), cost).costs) / cost
