"""What the search over adversaries asks of a noise: the budget that lets the odds of a belief multiply by theta.

A budget leaves the share x1 of an event's chance to absence and x2 to another value, 0 <= x2 <= x1 <= 1 for c >= 1,
both falling as the budget grows; the odds multiply by at most theta exactly where w x2 + v x1 >= 1/theta. That is all
the reductions of docs/methods/relative_risk.md use, so that they hold for every such noise.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from dpwizard.base.numerics import UNIT
from dpwizard.privacy.relative_risk.prior_odds import blend, remainder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[np.float64]
    Solver: TypeAlias = Callable[[Array, Array, Array], Array]  # of log theta >= 0, w and v


class Inverse(ABC):
    """A noise, read backwards."""

    factor: float  # c: how many times as far apart two values of one person are as presence and absence
    tie: float  # two minima this near each other, relative, are one minimum at two places

    @abstractmethod
    def solve(self, multiplier: float, w: float, v: float) -> float:
        """Return the budget at which the odds multiply by theta; MULTIPLIER is log theta >= 0, w + v = 1."""

    @abstractmethod
    def losses(self, budget: float) -> tuple[float, float, float]:
        """Return -log x1, -log x2 and log(x1/x2), each to all its digits."""

    @abstractmethod
    def doubt(self, budget: float, moved: float) -> float:
        """Return how far the budget may move when log theta moves by MOVED."""

    @abstractmethod
    def solver(self) -> Solver:
        """Return `solve` on arrays, where log theta may be inf: no bound."""

    def below(self, ceiling: float) -> Solver:
        """Return `solve` on arrays where only budgets below CEILING count: exact there, else anything from it on."""
        return self.solver()

    def floors(self, ceiling: float) -> Solver:
        """Return lower bounds of `solve` on arrays, sharper near CEILING, and at least CEILING from there on."""
        return self.solver()


class PureLoss(Inverse):
    """Noise with a largest loss epsilon: x1 = e^-epsilon, x2 = e^(-c epsilon)."""

    tie = 64.0 * UNIT

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def solve(self, multiplier: float, w: float, v: float) -> float:
        return blend(multiplier, w, v, self.factor)

    def losses(self, budget: float) -> tuple[float, float, float]:
        return budget, self.factor * budget, (self.factor - 1.0) * budget

    def doubt(self, budget: float, moved: float) -> float:
        return moved

    def solver(self) -> Solver:
        from dpwizard.privacy.relative_risk.blends import blends  # NumPy: only for what is drawn or searched

        return lambda multiplier, w, v: blends(multiplier, w, v, self.factor)


def limit_from(multiplier: float, p: float, q: float, inverse: Inverse) -> float:
    """Return the budget at which the odds of a belief multiply by at most theta.

    Arguments: multiplier, log theta >= 0 (inf: no bound); p, q in [0, 1], where 0 stands for the limit; inverse, the
    noise. Returns inf where there is no bound, 0 where log theta is not above 0. Source: Kazan & Reiter 2024, Theorem
    2; the factor is proved in docs/methods/relative_risk.md.
    """
    rest = remainder(p, q)
    if multiplier == float("inf") or rest == 0.0:  # at p = q = 1 the disclosure is certain already
        return float("inf")
    if multiplier <= 0.0:
        return 0.0
    return inverse.solve(multiplier, p * (1.0 - q) / rest, (1.0 - p) / rest)
