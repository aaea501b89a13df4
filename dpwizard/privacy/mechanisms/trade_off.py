"""The trade-off curve of a mechanism: the least false-alarm rate of any event of a given hit rate.

A release is compared under a person's record and without it. An event of outputs has a hit rate b, its chance with the
record, and a false-alarm rate, its chance without. g(b) is a convex function below the false-alarm rate of every event
of hit rate b, whatever is made of the release; g(0) = 0, and so g(b)/b never falls. The two worlds can be exchanged in
every row, so that the most an event of chance a in one can have in the other is 1 - g(1 - a). Every figure is on the
safe side: g is never above, `most` never below the true one. Proofs: docs/methods/gaussian_risk.md.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

from dpwizard.base.numerics import down, up
from dpwizard.base.values import Value

ROUND = 16  # units in the last place by which a closed form is moved to its safe side
FAR = 700.0  # exponents beyond it cannot be written


class TradeOffCurve(Value, ABC):
    """A mechanism as the functions of this package read it; `kind` says which."""

    @abstractmethod
    def false_alarm(self, hit: float) -> float:
        """Return g(HIT) for HIT in (0, 1): never above the true one."""

    @abstractmethod
    def most(self, chance: float) -> float:
        """Return the most an event of CHANCE in (0, 1) in one world can have in the other: never below the true one."""

    def value_alarm(self, hit: float, factor: float) -> float:
        """Return the same as `false_alarm` of two values of one person, FACTOR in [1, 2] times as far apart."""
        return self.false_alarm(hit) if factor == 1.0 else self._value_alarm(hit, factor)

    @abstractmethod
    def _value_alarm(self, hit: float, factor: float) -> float: ...

    @property
    def informs(self) -> bool:
        """Return whether an informed intruder's chances are known, too."""
        return False

    def informed(self, absent: float, other: float, left: float, factor: float) -> float | None:
        """Return the chance that an informed intruder's ratio is passed, below 1/2; None where it is not known.

        ABSENT and OTHER are the beliefs in absence and in another value, LEFT is 1/r - p q.
        """
        return None

    def effective(self, hit: float, factor: float = 1.0) -> float:
        """Return -log(g(HIT)/HIT): never below the true one, and inf where nothing can be said.

        A largest loss of that size would tell as much of every event of hit rate HIT or more.
        """
        alarm = self.value_alarm(hit, factor)
        if alarm <= 0.0:
            return math.inf
        if alarm > 0.5 * hit:  # the difference of the logarithms of near numbers would lose their digits
            return max(0.0, up(-math.log1p((alarm - hit) / hit), ROUND))
        return up(math.log(hit) - math.log(alarm), ROUND)


def lowered(value: float, relative: float = 0.0) -> float:
    """Return VALUE less RELATIVE of itself, rounded down; 0 at least."""
    return max(0.0, down(value * (1.0 - relative), ROUND))


def raised(value: float, relative: float = 0.0) -> float:
    """Return VALUE and RELATIVE of it more, rounded up; 1 at most."""
    return min(1.0, up(value * (1.0 + relative), ROUND))
