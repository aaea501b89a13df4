"""What all that counts tells of a pair of worlds, as one curve that every promise reads.

Whatever event of the releases is looked at, and however they are processed, its chance in one world sets the least and
the most it can have in the other. Closed forms serve where all is Gaussian noise or one rho; the accountant
reads everything else (docs/methods/accounting.md).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from dpwizard.base.numerics import up
from dpwizard.decision.composed import Noises
from dpwizard.privacy.gaussian_risk import GaussianTradeOff, PureTradeOff, ZcdpTradeOff
from dpwizard.privacy.mechanisms import gaussian_epsilon, zcdp_epsilon

if TYPE_CHECKING:  # NumPy takes 0.1 s to load
    from dpwizard.privacy.accounting.readings import Readings

KEPT = 24  # curves that are kept: several promises, figures and sentences read one budget
FEWER = 1_000.0  # steps of a lattice in a standard deviation, where many histories are read
COARSE = 4e-3  # of the variance of the loss: what a lattice may add for a first answer
SMALLEST = 1e-30  # the least chance that is read
NOTHING: tuple[Noises, ...] = ((),)


@dataclass(frozen=True, kw_only=True)
class TradeOff:
    """What tells two worlds apart: Gaussian noise, a rho, and other noises, all together.

    histories: the noises of each history of the person, of which one is true; the rest is in all of them. zcdp: the rho
    of everything together. coarse: whether it is read on a lattice that may add COARSE of the variance: some in 1,000.
    """

    mu: float = 0.0
    rho: float = 0.0
    histories: tuple[Noises, ...] = NOTHING
    zcdp: float = 0.0
    coarse: bool = False

    @property
    def closed(self) -> GaussianTradeOff | ZcdpTradeOff | PureTradeOff | None:
        """Return its curve where that is a closed form, or one that is exact for its rho; None of a mixture."""
        if self.histories != NOTHING or (self.mu and self.rho):
            return None
        if self.mu:
            return GaussianTradeOff(mu=self.mu)
        return ZcdpTradeOff(rho=self.rho) if self.rho else PureTradeOff(epsilon=0.0)

    @property
    def readings(self) -> Readings:
        """Return the accountant of everything together."""
        return _readings(self)

    def fpr(self, hit: float) -> float:
        """Return a rate that no event of chance HIT in one world falls short of in the other; rounded down."""
        closed = self.closed
        return self.readings.fpr(hit) if closed is None else closed.fpr(hit)

    def max_probability(self, without: float) -> float:
        """Return the most that an event of chance WITHOUT in one world can have in the other; rounded up."""
        closed = self.closed
        return self.readings.tpr(without) if closed is None else closed.max_probability(without)

    def advantage(self) -> float:
        """Return by how much the chances of an event in the two worlds can differ; rounded up."""
        return max(0.0, up(2.0 * self.even_odds_accuracy() - 1.0, 4)) if self.closed else self.readings.advantage()

    def even_odds_accuracy(self) -> float:
        """Return how often, at even odds, the best rule that tells the two worlds apart is right; rounded up."""
        match self.closed:
            case GaussianTradeOff(mu=mu):
                return min(1.0, up(0.5 * (1.0 + math.erf(mu / (2.0 * math.sqrt(2.0)))), 4))
            case ZcdpTradeOff() as closed:
                return closed.even_odds_accuracy()
            case PureTradeOff():
                return 0.5
        return min(1.0, up(0.5 + 0.5 * self.readings.advantage(), 2))

    def effective_epsilon(self, tolerance: float) -> float:
        """Return the largest loss that would tell as much of every event of chance TOLERANCE or more; rounded up.

        -log of g(tolerance)/tolerance, which never falls as the chance grows.
        """
        closed = self.closed
        if closed is not None:
            return closed.effective(tolerance)
        ratio = self.readings.ratio(tolerance)
        return max(0.0, up(math.log(ratio), 4)) if math.isfinite(ratio) else self.readings.largest_loss

    def epsilon(self, delta: float) -> float:
        """Return the least epsilon at DELTA in (0, 1); rounded up, inf where there is none."""
        match self.closed:
            case GaussianTradeOff(mu=mu):
                return gaussian_epsilon(mu, delta)
            case ZcdpTradeOff(rho=rho):
                return zcdp_epsilon(rho, delta)
        return self.readings.epsilon(delta)

    def gdp_mu(self) -> float:
        """Return the smallest mu whose Gaussian trade-off curve lies nowhere above this one; inf: there is none."""
        if isinstance(self.closed, GaussianTradeOff):
            return self.mu
        return self.readings.gdp_mu()


def curve_of_stated(stated: Mapping[tuple[float, float], int], rho: float) -> TradeOff:
    """Return what releases tell together of which only figures are known.

    Arguments: stated, how often each epsilon and delta are; rho, of all others together.
    """
    from dpwizard.privacy.accounting.noises import Stated

    noises = tuple((Stated(epsilon, delta), times) for (epsilon, delta), times in sorted(stated.items()))
    return TradeOff(rho=rho, histories=(noises,), zcdp=rho)


@lru_cache(maxsize=KEPT)
def _readings(curve: TradeOff) -> Readings:
    from dpwizard.privacy.accounting.accountant import FINENESS, Accountant
    from dpwizard.privacy.accounting.known_curves import zcdp
    from dpwizard.privacy.accounting.lattice import CORNERS
    from dpwizard.privacy.accounting.noises import Gaussian
    from dpwizard.privacy.accounting.readings import Worst

    rest: Noises = ((Gaussian(curve.mu), 1),)
    rest += ((zcdp(curve.rho, SMALLEST), 1),) if curve.rho else ()
    corners = CORNERS if len(curve.histories) == 1 else FEWER
    fine = COARSE if curve.coarse else FINENESS
    found = [
        Accountant([*noises, *rest], fineness=fine, smallest=SMALLEST, corners=corners) for noises in curve.histories
    ]
    return found[0] if len(found) == 1 else Worst(found)
