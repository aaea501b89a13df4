"""What all that counts tells of a pair of worlds, as a curve: noise with a largest loss beside noise without one.

Two budgets stand side by side. Whatever event of the releases is looked at, and however they are processed, its chance
in one world is at least e^-pure times what the noise without a largest loss leaves (docs/methods/gaussian.md, Theorem
6): the hit rate of an event in one world sets the least false-alarm rate in the other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpwizard.numerics import UNIT, down, largest, normal_quantile, smallest, up
from dpwizard.privacy.mechanisms import log_normal_tail

LEAST, LARGEST = 1e-9, 1e4  # the budgets among which the largest is looked for
NARROW = 1e-13  # relative: how closely that search closes in


@dataclass(frozen=True, kw_only=True)
class TradeOff:
    """What tells two worlds apart: a largest loss, and noise without one beside it."""

    pure: float = 0.0
    mu: float = 0.0  # of Gaussian noise, all of it together
    rho: float = 0.0  # of noise of which only its rho is known
    zcdp: float = 0.0  # the rho of all together, what has a largest loss as well

    @property
    def normal(self) -> bool:
        """Return whether it is Gaussian noise alone."""
        return not self.pure and not self.rho

    def false_alarm(self, hit: float) -> float:
        """Return a rate that no event of chance HIT in one world falls short of in the other; rounded down."""
        least = down(math.exp(self.log_false_alarm(hit)), 2)
        if self.mu or self.rho:
            return least
        # of a largest loss alone, the same of the event's opposite
        return max(0.0, least, 1.0 - up(math.exp(min(self.pure, 700.0)) * (1.0 - hit)))

    def log_false_alarm(self, hit: float) -> float:
        """Return a logarithm that no such rate's falls short of; rounded down."""
        before = math.log(hit)
        if self.rho:
            rho = self.rho + 0.5 * self.mu * self.mu  # Theorem 4, without the second term of the divergence
            found = before - rho - 2.0 * math.sqrt(rho * -before)
        elif self.mu:
            at = normal_quantile(hit)
            found = _log_normal(at - self.mu) - 8.0 * UNIT * (abs(at) + self.mu) * (1.0 + abs(at - self.mu))
        else:
            found = before
        return found - self.pure - 8.0 * UNIT * (1.0 + self.pure - found)

    def keeps(self, without: float, with_: float) -> bool:
        """Return for sure whether no event of chance WITHOUT in one world has more than WITH_ in the other.

        An event and its opposite are judged alike: either curve is enough.
        """
        if self.false_alarm(with_) >= without:
            return True
        return self.false_alarm(down(1.0 - without, 1)) >= up(1.0 - with_, 1)

    def most(self, without: float) -> float:
        """Return the most that an event of chance WITHOUT in one world can have in the other; rounded up."""
        found = largest(lambda x: not self.keeps(without, x), without, math.nextafter(1.0, 0.0))
        return min(1.0, up(found, 16))

    def best_even(self) -> float:
        """Return how often, at even odds, the best rule that tells the two worlds apart is right; rounded up.

        It errs alike in both: any other rule and the same of the opposite events average to one that does, and is right
        as often.
        """
        found = smallest(lambda right: self.keeps(1.0 - right, right), 0.5, math.nextafter(1.0, 0.0))
        return min(1.0, up(found, 4))

    def effective(self, tolerance: float) -> float:
        """Return the largest loss that would tell as much of every event of chance TOLERANCE or more; rounded up.

        -log of g(tolerance)/tolerance, which never falls as the chance grows (docs/methods/gaussian.md, Theorem 1).
        """
        return (
            max(self.pure, math.log(tolerance) - self.log_false_alarm(tolerance)) if self.mu or self.rho else self.pure
        )


def _log_normal(x: float) -> float:
    """Return log P(G <= x)."""
    return log_normal_tail(-x) if x < 0.0 else math.log1p(-math.exp(log_normal_tail(x)))
