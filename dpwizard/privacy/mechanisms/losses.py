"""The privacy loss of one release for a fixed pair of neighbouring datasets, and the statements of a release.

The loss of an output is log P(output | truth) / P(output | neighbour), the output drawn under the truth. Each noise has
its own loss distribution; a mechanism given by a table has finitely many losses.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import UNIT
from dpwizard.base.values import NonNegative, Probability, Value, field
from dpwizard.privacy.arguments import one_for_each

TIE = 8 * UNIT  # a loss this close to epsilon, relative, counts as equal to it: decimals such as 0.3/0.1 are not exact
ROW_SUM = 1e-9  # the largest deviation of a row's sum from 1


class PairLoss(ABC):
    """The loss distribution of one release."""

    @abstractmethod
    def split(self, epsilon: float) -> tuple[float, float]:
        """Return P(loss > EPSILON) and P(loss <= EPSILON) for a finite EPSILON, each with full relative precision."""

    @abstractmethod
    def delta(self, epsilon: float) -> float:
        """Return the hockey-stick divergence E[(1 - e^(EPSILON - loss))+] for EPSILON >= 0, to 1e-13 relative."""

    @property
    def size(self) -> float:
        """Return the magnitude of the loss, relative to which ties of a sum of two losses are defined."""
        return 0.0

    def tail(self, epsilon: float) -> float:
        """Return P(loss > EPSILON) for any EPSILON, infinite ones included."""
        if math.isinf(epsilon):
            return 0.0 if epsilon > 0.0 else 1.0
        return self.split(epsilon)[0]

    def summand(self, where: str) -> PairLoss:
        """Return the distribution in a form that can be added to another; raises Infeasible, naming WHERE."""
        return self


class NoiseLoss(PairLoss):
    """The loss of symmetric noise: either dataset may be the true one."""

    @abstractmethod
    def within(self, epsilon: float) -> float:
        """Return P(|loss| <= EPSILON), EPSILON in [0, inf], for the worst shift up to the full one."""


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


class StatedRelease(Value, ABC):
    """The methods that all statements of a release share."""

    blur: ClassVar[float] = 0.0  # error of a loss besides the rounding of the figures

    @property
    @abstractmethod
    def loss(self) -> PairLoss:
        """Return its loss distribution."""

    def check(self, where: str = "mechanism") -> None:
        """Raise InvalidInput if the figures contradict each other; WHERE names this release."""

    def split(self, epsilon: float, slack: float = 0.0) -> tuple[float, float]:
        """Return P(loss > EPSILON) and P(loss <= EPSILON), each to 1e-14; SLACK widens the definition of a tie."""
        if math.isinf(epsilon):
            return (0.0, 1.0) if epsilon > 0 else (1.0, 0.0)
        return self.loss.split(epsilon + TIE * abs(epsilon) + self.blur + slack)

    def hockey_stick(self, epsilon: float) -> float:
        """Return sup over events E of P(E | truth) - e^EPSILON P(E | neighbour), to 1e-14."""
        return 0.0 if epsilon == math.inf else self.loss.delta(epsilon)


class StatedNoise(StatedRelease):
    """Noise on one number, and the sensitivity of the number: either direction of the pair has the same loss."""

    sensitivity: NonNegative = field("Sensitivity", default=1.0)

    def hockey_stick(self, epsilon: float) -> float:
        if epsilon < 0.0:
            return min(1.0, -math.expm1(epsilon) + math.exp(epsilon) * super().hockey_stick(-epsilon))
        return super().hockey_stick(epsilon)


class OutputTable(StatedRelease):
    """A mechanism given by the probability of each output under the truth and under its neighbour."""

    blur: ClassVar[float] = TIE

    kind: Literal["table"] = "table"
    px: tuple[Probability, ...] = field("Row of the true value", default=...)
    pxp: tuple[Probability, ...] = field("Row of the neighbouring dataset", default=...)

    def hockey_stick(self, epsilon: float) -> float:
        if epsilon == math.inf:  # outputs that are possible under the truth alone
            return math.fsum(share for share, other in zip(self.px, self.pxp, strict=True) if other == 0.0)
        return super().hockey_stick(epsilon)

    @property
    def loss(self) -> DiscretePld:
        pairs = sorted((_log_ratio(p, q), p) for p, q in zip(self.px, self.pxp, strict=True) if p > 0.0)
        return DiscretePld(losses=tuple(loss for loss, _ in pairs), masses=tuple(p for _, p in pairs))

    def check(self, where: str = "mechanism") -> None:
        """Raise InvalidInput if the rows differ in length or do not sum to 1 within 1e-9."""
        one_for_each(self.pxp, len(self.px), f"{where}.pxp")
        for name, row in (("px", self.px), ("pxp", self.pxp)):
            total = math.fsum(row)
            if not abs(total - 1.0) <= ROW_SUM:
                raise InvalidInput(
                    "must sum to 1; found {found:.12g}",
                    f"{where}.{name}",
                    "Give the probability of every output.",
                    found=total,
                )


def _log_ratio(p: float, q: float) -> float:
    """Return log(p/q) for p > 0 and q >= 0, accurate where p and q are close."""
    if q == 0.0:
        return math.inf
    return math.log1p((p - q) / q) if 0.5 <= p / q <= 2.0 else math.log(p) - math.log(q)
