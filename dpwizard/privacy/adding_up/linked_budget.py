"""The least budget with which the published numbers of linked tables meet their needs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from dpwizard.privacy.adding_up.least_budget import Precisions, Variances, least_precisions
from dpwizard.privacy.adding_up.linked_tables import AddedUp

LEAST_SHARE = 1e-6  # of the dearest table: no other gets less, so that its noise can be drawn


@dataclass(frozen=True)
class Limited:
    """The largest variance of a published number of a table; OWN: of one number before adding up, not after."""

    table: int
    variance: float
    own: bool = field(default=False)


@lru_cache(maxsize=512)  # every quarter of a programme asks the same
def least_budget_of(made: AddedUp, costs: tuple[float, ...], limits: tuple[Limited, ...]) -> Precisions:
    """Return the least cost of Gaussian noise with which the published numbers of MADE keep LIMITS.

    Arguments: costs, by table, of a precision of 1 (D^2 / 2 for each time it is made), 0 where it has no noise to buy.
    **Limits are kept; the bound holds whatever the search did.** No table gets less than 1e-6 of what the dearest
    gets. Source: docs/methods/adding_up.md.
    """
    noisy = [at for at, noise in enumerate(made.noises) if noise == "noisy"]
    rows: list[tuple[int, float]] = []
    tightest: dict[tuple[int, bool], float] = {}
    for limit in limits:
        key = limit.table, limit.own
        tightest[key] = min(limit.variance, tightest.get(key, math.inf))
    for (table, own), variance in tightest.items():
        if not own:
            rows += [(kind, variance) for kind in made.kinds(table)]
    alone = [(noisy.index(table), variance) for (table, own), variance in tightest.items() if own]
    free = made.look(np.ones(len(made.noises))).sum(axis=1) > 0.0  # what exact numbers leave no noise is kept anyway
    rows = [(kind, variance) for kind, variance in rows if free[kind]]
    kinds, most = [kind for kind, _ in rows], np.array([variance for _, variance in rows])

    def look(precisions: Any) -> Variances:
        every = np.ones(len(made.noises))
        every[noisy] = precisions
        parts = made.look(every)[kinds][:, noisy] / most[:, None] if kinds else np.zeros((0, len(noisy)))
        own = np.zeros((len(alone), len(noisy)))
        for row, (table, variance) in enumerate(alone):
            own[row, table] = 1.0 / precisions[table] / variance
        parts = np.concatenate((parts, own))
        return parts.sum(axis=1), -parts / precisions

    found = least_precisions(look, np.array([costs[table] for table in noisy]))
    least = LEAST_SHARE * max(found.costs)
    spent = dict(zip(noisy, (max(each, least) for each in found.costs), strict=True))
    every = tuple(spent.get(table, 0.0) for table in range(len(made.noises)))
    return Precisions(costs=every, total=math.fsum(every) * (1.0 + 1e-14), lower=found.lower)
