"""What the search over adversaries asks of a noise: the budget that lets the odds of a belief multiply by theta.

A budget leaves the share x1 of an event's chance to absence and x2 to another value, 0 <= x2 <= x1 <= 1 for c >= 1,
both falling as the budget grows; the odds multiply by at most theta exactly where w x2 + v x1 >= 1/theta. That is all
the reductions of docs/methods/relative_risk.md use, so that they hold for every such noise.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from dpwizard.base.numerics import UNIT
from dpwizard.privacy.relative_risk.prior_odds import Array, blends, shares_of


class Inverse(ABC):
    """A noise, read backwards."""

    factor: float  # c: how many times as far apart two values of one person are as presence and absence
    tie: float  # two minima this near each other, relative, are one minimum at two places

    @abstractmethod
    def roots(self, multiplier: Array, w: Array, v: Array) -> Array:
        """Return the budgets at which the odds multiply by theta; MULTIPLIER is log theta >= 0, inf: no bound."""

    @abstractmethod
    def losses(self, budgets: Array) -> tuple[Array, Array, Array]:
        """Return -log x1, -log x2 and log(x1/x2) at finite budgets, each to all its digits."""

    @abstractmethod
    def doubts(self, budgets: Array, moved: Array) -> Array:
        """Return how far finite budgets may move when log theta moves by MOVED."""

    def budgets(self, multiplier: Array, p: Array, q: Array) -> Array:
        """Return the budgets at beliefs P and Q, where 0 stands for the limit; inf where there is no bound.

        Source: Kazan & Reiter 2024, Theorem 2; the factor is proved in docs/methods/relative_risk.md.
        """
        w, v, rest = shares_of(p, q)
        # at p = q = 1 the disclosure is certain already
        return np.where(rest > 0.0, self.roots(np.maximum(multiplier, 0.0), w, v), np.inf)


class PureLoss(Inverse):
    """Noise with a largest loss epsilon: x1 = e^-epsilon, x2 = e^(-c epsilon)."""

    tie = 64.0 * UNIT

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def roots(self, multiplier: Array, w: Array, v: Array) -> Array:
        return blends(multiplier, w, v, self.factor)

    def losses(self, budgets: Array) -> tuple[Array, Array, Array]:
        return budgets, self.factor * budgets, (self.factor - 1.0) * budgets

    def doubts(self, budgets: Array, moved: Array) -> Array:
        return moved
