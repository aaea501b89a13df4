"""The privacy loss of one release for a fixed pair of neighbours: what one output of it tells, judged alone.

The loss of an output is log P(output | truth) / P(output | neighbour), the output drawn under the truth. Each noise
has its own law of it; a mechanism that is given by a table has finitely many losses.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass


class PairLoss(ABC):
    """The law of the loss of one release."""

    @abstractmethod
    def split(self, epsilon: float) -> tuple[float, float]:
        """Return P(loss > EPSILON) and P(loss <= EPSILON) for a finite EPSILON, each to its own last digits."""

    @abstractmethod
    def delta(self, epsilon: float) -> float:
        """Return the hockey-stick divergence E[(1 - e^(EPSILON - loss))+] for EPSILON >= 0, to 1e-13 relative."""

    @property
    def size(self) -> float:
        """Return how large a loss is: what a tie of a sum of two losses is measured against."""
        return 0.0

    def tail(self, epsilon: float) -> float:
        """Return P(loss > EPSILON) for any EPSILON, infinite ones included."""
        if math.isinf(epsilon):
            return 0.0 if epsilon > 0.0 else 1.0
        return self.split(epsilon)[0]

    def summand(self, where: str) -> PairLoss:
        """Return the same law in a form that can be added to another; raises Infeasible, naming WHERE, if it cannot."""
        return self


class NoiseLoss(PairLoss):
    """The loss of noise that is symmetric, so that either world may be the truth."""

    @abstractmethod
    def within(self, epsilon: float) -> float:
        """Return P(|loss| <= EPSILON), EPSILON in [0, inf], of the worst shift up to the full one."""


@dataclass(frozen=True)
class DiscretePld(PairLoss):
    """A loss that takes finitely many values, ascending (the last may be infinite), with their probabilities."""

    losses: tuple[float, ...]
    masses: tuple[float, ...]

    @property
    def size(self) -> float:
        return max((abs(loss) for loss in self.losses if not math.isinf(loss)), default=0.0)

    def split(self, epsilon: float) -> tuple[float, float]:
        above = math.fsum(mass for loss, mass in self._pairs() if loss > epsilon)
        return min(above, 1.0), max(0.0, 1.0 - above)

    def delta(self, epsilon: float) -> float:
        return min(1.0, math.fsum(mass * -math.expm1(epsilon - loss) for loss, mass in self._pairs() if loss > epsilon))

    def _pairs(self) -> tuple[tuple[float, float], ...]:
        return tuple(zip(self.losses, self.masses, strict=True))
