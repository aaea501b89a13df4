"""What all that counts tells of a pair of worlds, as a curve: noise with a largest loss beside noise without one.

Two budgets stand side by side. Whatever event of the releases is looked at, and however they are processed, its chance
in one world is at least e^-pure times what the noise without a largest loss leaves (docs/methods/gaussian_risk.md): the
hit rate of an event in one world sets the least false-alarm rate in the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from dpwizard.numerics import down, normal_quantile, smallest, up
from dpwizard.privacy.mechanisms import (
    DiscreteGaussianTradeOff,
    GaussianTradeOff,
    PureTradeOff,
    TradeOffCurve,
    ZcdpTradeOff,
    discrete_gaussian_tail,
)

KEPT = 64  # searches whose result is kept
BETWEEN = 48  # places looked at evenly, where coarser noise may tell more


@dataclass(frozen=True, kw_only=True)
class TradeOff:
    """What tells two worlds apart: a largest loss, and noise without one beside it."""

    pure: float = 0.0
    mu: float = 0.0  # of Gaussian noise, all of it together
    rho: float = 0.0  # of noise of which only its rho is known
    steps: int = 0  # by which one figure moves that is all the noise counted by its rho: discrete Gaussian noise
    sigma: float = 0.0  # of that noise
    zcdp: float = 0.0  # the rho of all together, what has a largest loss as well

    @property
    def noise(self) -> TradeOffCurve | None:
        """Return the curve of the noise without a largest loss, all together; None where there is none."""
        if self.steps:
            return DiscreteGaussianTradeOff(sigma=self.sigma, sensitivity=self.steps)
        if self.rho:
            return ZcdpTradeOff(rho=self.rho)
        return GaussianTradeOff(mu=self.mu) if self.mu else None

    def false_alarm(self, hit: float) -> float:
        """Return a rate that no event of chance HIT in one world falls short of in the other; rounded down."""
        noise = self.noise
        if noise is None or not self.pure:
            return (noise or PureTradeOff(epsilon=self.pure)).false_alarm(hit)
        return down(math.exp(-self.pure) * noise.false_alarm(hit), 4)

    def excess(self, without: float, most: float) -> float:
        """Return by how much an event of chance WITHOUT in one world may have more than MOST in the other, in false
        alarms: 0 or less where surely none has more.

        An event and its opposite are judged alike: either curve is enough.
        """
        one = without - self.false_alarm(most)
        if one <= 0.0 or not self.pure or self.noise is None:
            return one
        return min(one, up(1.0 - most, 1) - self.false_alarm(down(1.0 - without, 1)))

    def most(self, without: float) -> float:
        """Return the most that an event of chance WITHOUT in one world can have in the other; rounded up."""
        return _most(self, without)

    def best_even(self) -> float:
        """Return how often, at even odds, the best rule that tells the two worlds apart is right; rounded up.

        It errs alike in both: any other rule and the same of the opposite events average to one that does, and is right
        as often.
        """
        return _best_even(self)

    def effective(self, tolerance: float) -> float:
        """Return the largest loss that would tell as much of every event of chance TOLERANCE or more; rounded up.

        -log of g(tolerance)/tolerance, which never falls as the chance grows.
        """
        noise = self.noise
        return self.pure if noise is None else up(self.pure + noise.effective(tolerance), 1)


@lru_cache(maxsize=KEPT)  # several sentences about one budget ask the same
def _most(told: TradeOff, without: float) -> float:
    noise = told.noise
    if noise is None or not told.pure:
        return (noise or PureTradeOff(epsilon=told.pure)).most(without)
    return smallest(lambda most: told.excess(without, most) <= 0.0, without, math.nextafter(1.0, 0.0))


@lru_cache(maxsize=KEPT)
def _best_even(told: TradeOff) -> float:
    if told.rho and not told.steps and not told.pure:
        return ZcdpTradeOff(rho=told.rho).best_even()
    most = math.nextafter(1.0, 0.0)
    return min(1.0, smallest(lambda right: told.excess(up(1.0 - right, 1), right) <= 0.0, 0.5, most))


def turns(hits: Iterable[float], low: float) -> tuple[float, ...]:
    """Return every sigma from LOW on at which discrete Gaussian noise may tell more than slightly finer noise does.

    Its curve at a chance of HITS is lowest where that is the chance of a half-line, P(K >= at). Coarser noise than half
    the quantile of that chance was never seen to tell more than finer noise; from two deviations more on none is
    looked at, and between the places those that lie about evenly.
    """
    found: list[float] = []
    for hit in hits:
        rare = min(hit, 1.0 - hit)
        high = max(low, 2.0 - 0.5 * normal_quantile(rare))
        found += [low * (high / low) ** (step / BETWEEN) for step in range(BETWEEN + 1)]
        at = 1
        while high > low and discrete_gaussian_tail(high, at) > rare:
            if discrete_gaussian_tail(low, at) < rare:
                found.append(_sigma_at(at, rare, low, high))
            at += 1
    return tuple(sorted(found))


def _sigma_at(at: int, chance: float, low: float, high: float) -> float:
    """Return the sigma between LOW and HIGH with P(K >= AT) = CHANCE: every tail rises with sigma."""
    return smallest(lambda sigma: discrete_gaussian_tail(sigma, at) >= chance, low, high)
