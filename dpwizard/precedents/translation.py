"""A budget in terms of one person, the same for every kind of budget: what a sign may show, and what one may believe.

A sign is anything in the release that is looked for. One that shows in 1 of 100 cases without the record shows more
often with it; and of what shows in 1 of 100 cases or more, the odds grow by at most so much. Both are numbers for a
largest loss, for a loss with a delta, for Gaussian noise and for any noise of a given rho alike: they rank them all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpwizard.base.numerics import product_up, up
from dpwizard.decision import TradeOff, curve_of_stated
from dpwizard.precedents.precedent import Spends

SIGN = 0.01  # how often a sign shows: without the record, or with it
BELIEF = 0.01  # what somebody believes before
LARGEST = 700.0  # a loss beyond which the odds are as good as without end
CERTAIN = math.nextafter(1.0, 0.0)


@dataclass(frozen=True, kw_only=True)
class ForOne:
    """What a budget means for one person: how often a sign shows, and what a belief of 1 in 100 becomes, at most.

    rarer is whether what shows in fewer than 1 of 100 cases may make a belief larger: there is no largest loss.
    """

    shows: float
    believed: float
    rarer: bool


def for_one(spends: Spends) -> ForOne | None:
    """Return what may become of one unit that SPENDS so much; None where nothing was published.

    Both numbers err upwards: **safe side, never below the truth**. Sources: a largest loss and a delta, Kairouz, Oh &
    Viswanath 2015, as the accountant reads them; Gaussian noise, Dong, Roth & Su 2022, Corollary 1 with mu =
    sqrt(2 rho); any noise of that rho, Bun & Steinke 2016, Definition 1.1, over all orders.
    """
    if spends.rho is not None:
        curve = TradeOff(mu=up(math.sqrt(2.0 * spends.rho))) if spends.gaussian else TradeOff(rho=spends.rho)
        return ForOne(shows=curve.max_probability(SIGN), believed=_believed(curve.effective_epsilon(SIGN)), rarer=True)
    if spends.epsilon is None:
        return None
    delta = spends.delta or 0.0
    curve = curve_of_stated({(spends.epsilon, delta): 1}, 0.0)
    shows = min(CERTAIN, curve.max_probability(SIGN))
    return ForOne(shows=shows, believed=_believed(curve.effective_epsilon(SIGN)), rarer=delta > 0.0)


def _believed(loss: float) -> float:
    """Return what a belief of 1 in 100 becomes at a LOSS; rounded up."""
    if loss >= LARGEST:
        return CERTAIN
    growth = math.exp(loss)
    return min(CERTAIN, up(growth * BELIEF / (1.0 + math.expm1(loss) * BELIEF)))


def over_units(spends: Spends, units: int) -> Spends:
    """Return what UNITS units that are one person's may lose together: losses, rho and delta add up.

    **Safe side: never below the truth.** Source: basic composition, Dwork & Roth 2014, Theorem 3.16; rho adds up, Bun &
    Steinke 2016, Lemma 2.3. Units of which one figure holds several lose more; those of a table over time do not.
    """
    return Spends(
        epsilon=None if spends.epsilon is None else product_up(spends.epsilon, units),
        rho=None if spends.rho is None else product_up(spends.rho, units),
        delta=None if spends.delta is None or spends.rho is not None else min(1.0, product_up(spends.delta, units)),
        gaussian=spends.gaussian,
    )
