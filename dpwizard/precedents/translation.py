"""The risk to one person at a budget, comparable between all kinds of budget.

Two bounds: the chance, with the person's record, of an event that has a chance of 1 in 100 without it; and the chance
after of something with a chance before of 1 in 100, given any event with a chance of 1 in 100 or more. Both exist for
epsilon, for epsilon with delta, for Gaussian noise and for any noise of a given rho, so they rank all budgets.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpwizard.base.numerics import product_up, up
from dpwizard.decision import TradeOff, curve_of_stated
from dpwizard.precedents.precedent import PublishedLoss

EVENT = 0.01  # chance of the event without the record, or with it
PRIOR = 0.01
LARGEST = 700.0  # privacy loss above which the chance after is CERTAIN
CERTAIN = math.nextafter(1.0, 0.0)


@dataclass(frozen=True, kw_only=True)
class PersonRisk:
    """The largest chance of an event of chance EVENT without the record, and the largest chance after PRIOR."""

    event_chance: float
    chance_after: float


def person_risk(loss: PublishedLoss) -> PersonRisk | None:
    """Return the risk of one unit at a privacy LOSS; None if it is unpublished.

    **Both chances are rounded up.** Sources: epsilon and delta, Kairouz, Oh & Viswanath 2015; Gaussian noise, Dong,
    Roth & Su 2022, Corollary 1 with mu = sqrt(2 rho); other noise of that rho, Bun & Steinke 2016, Definition 1.1, over
    all orders.
    """
    if loss.rho is not None:
        curve = TradeOff(mu=up(math.sqrt(2.0 * loss.rho))) if loss.gaussian else TradeOff(rho=loss.rho)
    elif loss.epsilon is not None:
        curve = curve_of_stated({(loss.epsilon, loss.delta or 0.0): 1}, 0.0)
    else:
        return None
    chance = min(CERTAIN, curve.max_probability(EVENT))
    return PersonRisk(event_chance=chance, chance_after=_chance_after(curve.effective_epsilon(EVENT)))


def _chance_after(epsilon: float) -> float:
    """Return the largest chance after PRIOR at EPSILON, rounded up."""
    if epsilon >= LARGEST:
        return CERTAIN
    return min(CERTAIN, up(math.exp(epsilon) * PRIOR / (1.0 + math.expm1(epsilon) * PRIOR)))


def over_units(loss: PublishedLoss, units: int) -> PublishedLoss:
    """Return the total LOSS of a person with UNITS units, rounded up: epsilon, rho and delta add up.

    Sources: basic composition, Dwork & Roth 2014, Theorem 3.16; rho, Bun & Steinke 2016, Lemma 2.3. Valid only if no
    figure holds several units of a person, as for a table published once per period.
    """
    return PublishedLoss(
        epsilon=None if loss.epsilon is None else product_up(loss.epsilon, units),
        rho=None if loss.rho is None else product_up(loss.rho, units),
        delta=None if loss.delta is None or loss.rho is not None else min(1.0, product_up(loss.delta, units)),
        gaussian=loss.gaussian,
    )
