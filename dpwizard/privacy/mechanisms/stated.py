"""One release as it is stated to the public functions that judge its output: noise on a number, or a table."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import ClassVar, Literal

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.numerics import UNIT
from dpwizard.base.values import NonNegative, Probability, Value, field
from dpwizard.privacy.arguments import one_for_each
from dpwizard.privacy.mechanisms.losses import DiscretePld, PairLoss

TIE = 8 * UNIT  # a loss this close to epsilon, relative, counts as equal to it: decimals such as 0.3/0.1 are not exact
ROW_SUM = 1e-9  # how far a table's row may be from summing to 1


class StatedRelease(Value, ABC):
    """What all statements of a release answer."""

    blur: ClassVar[float] = 0.0  # how far the statement itself blurs a loss, besides the rounding of its figures

    @property
    @abstractmethod
    def loss(self) -> PairLoss:
        """Return the law of its loss."""

    def check(self, where: str = "mechanism") -> None:
        """Raise InvalidInput where the figures contradict one another; WHERE names this release."""

    def split(self, epsilon: float, slack: float = 0.0) -> tuple[float, float]:
        """Return P(loss > EPSILON) and P(loss <= EPSILON), each to 1e-14; SLACK widens what counts as a tie."""
        if math.isinf(epsilon):
            return (0.0, 1.0) if epsilon > 0 else (1.0, 0.0)
        return self.loss.split(epsilon + TIE * abs(epsilon) + self.blur + slack)

    def hockey_stick(self, epsilon: float) -> float:
        """Return sup over events E of P(E | truth) - e^EPSILON P(E | neighbour), to 1e-14."""
        return 0.0 if epsilon == math.inf else self.loss.delta(epsilon)


class StatedNoise(StatedRelease):
    """Noise on one number, and how far the number moves: symmetric, so either direction of the pair loses the same."""

    sensitivity: NonNegative = field("Sensitivity", default=1.0)

    def hockey_stick(self, epsilon: float) -> float:
        if epsilon < 0.0:
            return min(1.0, -math.expm1(epsilon) + math.exp(epsilon) * super().hockey_stick(-epsilon))
        return super().hockey_stick(epsilon)


class OutputTable(StatedRelease):
    """A mechanism given by what it publishes: the chance of each output under the truth and under its neighbour."""

    blur: ClassVar[float] = TIE

    kind: Literal["table"] = "table"
    px: tuple[Probability, ...] = field("The truth’s row", default=...)
    pxp: tuple[Probability, ...] = field("The neighbour’s row", default=...)

    def hockey_stick(self, epsilon: float) -> float:
        if epsilon == math.inf:  # what only the truth publishes
            return math.fsum(share for share, other in zip(self.px, self.pxp, strict=True) if other == 0.0)
        return super().hockey_stick(epsilon)

    @property
    def loss(self) -> DiscretePld:
        pairs = sorted((_log_ratio(p, q), p) for p, q in zip(self.px, self.pxp, strict=True) if p > 0.0)
        return DiscretePld(losses=tuple(loss for loss, _ in pairs), masses=tuple(p for _, p in pairs))

    def check(self, where: str = "mechanism") -> None:
        """Raise InvalidInput where the rows differ in length or do not sum to 1 within 1e-9."""
        one_for_each(self.pxp, len(self.px), f"{where}.pxp")
        for name, row in (("px", self.px), ("pxp", self.pxp)):
            total = math.fsum(row)
            if not abs(total - 1.0) <= ROW_SUM:
                raise InvalidInput(
                    message("must sum to 1; found {found:.12g}", found=total),
                    f"{where}.{name}",
                    "Give the probability of every output.",
                )


def _log_ratio(p: float, q: float) -> float:
    """Return log(p/q) for p > 0 and q >= 0, accurate where p and q are close."""
    if q == 0.0:
        return math.inf
    return math.log1p((p - q) / q) if 0.5 <= p / q <= 2.0 else math.log(p) - math.log(q)
