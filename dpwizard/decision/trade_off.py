"""What all that counts tells of a pair of worlds, as a curve: noise with a largest loss beside noise without one.

Two budgets stand side by side. Whatever event of the releases is looked at, and however they are processed, its chance
in one world is at least e^-pure times what the noise without a largest loss leaves (docs/methods/gaussian.md, Theorem
6): the hit rate of an event in one world sets the least false-alarm rate in the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from dpwizard.numerics import UNIT, down, normal_quantile, smallest, up
from dpwizard.privacy.mechanisms import discrete_gaussian_tail, log_normal_tail

LEAST, LARGEST = 1e-9, 1e4  # the budgets among which the largest is looked for
NARROW = 1e-13  # relative: how closely that search closes in
FARTHEST = 37.0  # deviations from 0 beyond which no tail is looked at
BETWEEN = 48  # places looked at evenly, where coarser noise may tell more
MOST_COUNTED = 1e8  # of discrete noise coarser than this its rho is told


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
            if self.steps:
                found = max(found, _log_lattice(self.sigma, self.steps, hit))
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
        found = smallest(lambda most: self.keeps(without, most), without, math.nextafter(1.0, 0.0))
        return min(1.0, up(found, 4))

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


def _log_normal(x: float) -> float:
    """Return log P(G <= x)."""
    return log_normal_tail(-x) if x < 0.0 else math.log1p(-math.exp(log_normal_tail(x)))


def _log_lattice(sigma: float, steps: int, hit: float) -> float:
    """Return a logarithm that the false-alarm rate of no event of chance HIT falls short of, of one figure.

    The likeliest events are half-lines, K >= at: between them a rule may toss a coin. Of discrete Gaussian noise K with
    SIGMA, which one world has moved by STEPS. -inf where it is beyond the reach of the arithmetic.
    """
    at = math.ceil(-sigma * normal_quantile(hit)) if sigma < MOST_COUNTED else 0
    while at < sigma * FARTHEST and discrete_gaussian_tail(sigma, at) > hit:
        at += 1
    while discrete_gaussian_tail(sigma, at - 1) <= hit and at > -sigma * FARTHEST:
        at -= 1
    least, most = discrete_gaussian_tail(sigma, at), discrete_gaussian_tail(sigma, at - 1)
    if not least <= hit <= most or sigma >= MOST_COUNTED or (at + steps) / sigma > FARTHEST:
        return -math.inf
    low, high = discrete_gaussian_tail(sigma, at + steps), discrete_gaussian_tail(sigma, at - 1 + steps)
    share = min(max((hit - least) / (most - least), 0.0), 1.0) if most > least else 0.0
    found, far = max(low + share * (high - low), 1e-300), (abs(at) + steps) / sigma
    bent = (hit + least) / max(most - least, 1e-300) * (high - low) / found  # what the share's own error comes to
    return math.log(found) - (1e-13 + 4e-15 * far * far) * (1.0 + bent)
