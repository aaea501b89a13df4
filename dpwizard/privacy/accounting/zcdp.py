"""Zero-concentrated differential privacy in rho, said as epsilon at a delta, and what a person loses over time.

Three rules turn rho into epsilon. "exact" is the Gaussian mechanism's own curve (Balle & Wang 2018), and of nothing
else. "cks" is what zCDP alone gives at its best order (Canonne, Kamath & Steinke 2020, Proposition 12), "loose" the
familiar rho + 2 sqrt(rho ln(1/delta)) (Bun & Steinke 2016, Proposition 1.3). Proofs: docs/methods/accounting.md.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field

from dpwizard.base.errors import InvalidInput
from dpwizard.base.fractional import RoundedUp
from dpwizard.base.numerics import down, up
from dpwizard.base.values import Count, NonNegative, OpenProbability, Value, field, public
from dpwizard.privacy.mechanisms import gaussian_epsilon, gaussian_mu, loose_epsilon, loose_rho, zcdp_epsilon, zcdp_rho

__all__ = ["PersonLoss", "epsilon_from_rho", "person_loss", "rho_from_epsilon"]

Rho = RoundedUp  # never below what a fraction says
Rule = Literal["exact", "cks", "loose"]


class PersonLoss(Value):
    """What one person loses over all slices they are in."""

    basic: float | None = field("Epsilon by basic composition; null for rho", default=...)
    rho: float = field("Rho", default=...)
    epsilon: float = field("Epsilon at delta, the smaller of basic and the rule cks", default=...)


@public
def epsilon_from_rho(*, rho: Rho, delta: OpenProbability, rule: Rule = "cks") -> float:
    """Return an epsilon that RHO keeps at DELTA.

    Arguments: rho >= 0, a number or a fraction such as "53/513"; delta in (0, 1); rule, exact (Gaussian noise alone) |
    cks | loose. Returns epsilon >= 0, **never below what the rule says** and at most 1e-12 relative above it (exact,
    loose) or 1e-9 (cks, whose order is searched: every order is valid). Raises InvalidInput. Source: Balle & Wang 2018;
    Canonne, Kamath & Steinke 2020, Proposition 12; Bun & Steinke 2016, Proposition 1.3.
    """
    if rho == 0.0:
        return 0.0
    if rule == "exact":
        return gaussian_epsilon(up(math.sqrt(2.0 * rho), 2), delta)
    return loose_epsilon(rho, delta) if rule == "loose" else zcdp_epsilon(rho, delta)


@public
def rho_from_epsilon(*, epsilon: NonNegative, delta: OpenProbability, rule: Rule = "cks") -> float:
    """Return the largest rho whose epsilon at DELTA is at most EPSILON.

    Arguments: epsilon >= 0; delta and rule as for epsilon_from_rho. Returns rho >= 0, **never above the true value**
    and at most 1e-12 relative below it (cks: 1e-9). Raises InvalidInput. Source: as there.
    """
    if rule == "exact":
        mu = gaussian_mu(epsilon, delta)
        return down(mu * mu / 2.0, 4)
    return loose_rho(epsilon, delta) if rule == "loose" else zcdp_rho(epsilon, delta)


@public
def person_loss(
    *,
    slices: Annotated[Count, Field(le=10**9)],
    delta: OpenProbability,
    epsilon: NonNegative | None = None,
    rho: Rho | None = None,
) -> PersonLoss:
    """Return what one person loses who is in so many SLICES, each protected by EPSILON or by RHO.

    Arguments: slices >= 1; delta in (0, 1); exactly one of epsilon >= 0 (pure) and rho >= 0, of one slice. Returns
    basic = slices epsilon (null for rho), rho = slices rho (epsilon^2/2 for pure) and epsilon at delta, the smaller of
    basic and rule cks; **epsilon is never below the true value**. Raises InvalidInput. Source: Bun & Steinke 2016,
    Proposition 1.4 and Lemma 2.3.
    """
    if (epsilon is None) is (rho is None):
        raise InvalidInput(
            "give exactly one of epsilon and rho", "epsilon", "Say what protects one slice: epsilon, or rho."
        )
    basic = None if epsilon is None else epsilon * slices
    together = (rho or 0.0) * slices if epsilon is None else slices * (epsilon * epsilon / 2.0)
    least = epsilon_from_rho(rho=together, delta=delta)
    return PersonLoss(basic=basic, rho=together, epsilon=least if basic is None else min(basic, least))
