"""The largest mu (distance over standard deviation) of Gaussian noise that meets a requirement at a tolerance.

p is the prior probability that the person is in the data, q that the sensitive value is theirs given that they are. A
requirement may fail for less than the tolerance of those of whom it is true. Theorems: docs/methods/gaussian_risk.md.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from dpwizard.base.numerics import decimal, down, real, up
from dpwizard.base.values import Belief, Epsilon, OpenProbability, PriorRange, Ratio, Value, Within, field, public
from dpwizard.privacy.gaussian_risk.normal_losses import InformedLosses, ToleratedLosses
from dpwizard.privacy.profiles import Profile
from dpwizard.privacy.relative_risk import least, max_budget_at, range_of

ReplaceFactor = Annotated[float, Field(strict=True, allow_inf_nan=True), Within(low=1, high=2)]
BelowHalf = Annotated[
    float, Field(strict=True, allow_inf_nan=True), Within(low=0, high=0.5, low_open=True, high_open=True)
]
Measure = Literal["truth", "predictive"]
UPPER_ULPS = 4096  # units in the last place by which the upper end is raised, above the error of a root


class Recommendation(Value):
    """The largest mu that meets a profile for every adversary considered, and the adversary who sets it."""

    status: Literal["allowed", "unbounded", "infeasible"] = field("Status", default=...)
    mu: float | None = field("Mu", "Meets the limit for everyone considered; never above the true limit.")
    rho: float | None = field("Rho", "Half the square of mu: the same noise, as zCDP counts it.")
    upper: float | None = field("Upper bound", "The true limit is not above this.")
    p: float | None = field("p of the adversary that sets the limit", "0 stands for the limit as p or q approaches 0.")
    q: float | None = field("q of the adversary that sets the limit", "0 stands for the limit as p or q approaches 0.")
    attained: bool | None = field("Attained", "False if no adversary considered reaches the limit.")
    unique: bool | None = field("Unique", "False: other adversaries set the same limit.")


@public
def mu_at(
    *,
    p: Belief,
    q: Belief,
    ratio: Ratio,
    tolerance: OpenProbability,
    replace_factor: ReplaceFactor = 2.0,
    measure: Measure = "truth",
) -> float:
    """Return the largest mu at which an adversary's belief exceeds RATIO times the prior for less than TOLERANCE.

    Arguments: p, q in (0, 1]; ratio >= 1 or inf; tolerance in (0, 1), the share of those of whom it is true ("truth")
    or the chance that the adversary expects ("predictive", weaker by the factor ratio); replace_factor in [1, 2], the
    distance of two values of one person over that of presence and absence. Returns mu, inf where the ratio is no bound.
    **Safe side: never above the true value**, and within 1e-12 relative of it unless ratio * p * q nears 1. It holds
    however the release is processed. Raises InvalidInput; Infeasible below a ratio of 1. Source: Theorems 1 and 3 of
    docs/methods/gaussian_risk.md.
    """
    if measure == "predictive" and ratio > 1.0:
        share = decimal(ratio) * decimal(tolerance) if math.isfinite(ratio) else math.inf
        if share >= 1:
            return math.inf
        tolerance = down(real(decimal(ratio) * decimal(tolerance)), 1)
    return max_budget_at(p, q, ratio, ToleratedLosses(tolerance, replace_factor))


@public
def informed_mu_at(
    *, p: Belief, q: Belief, ratio: Ratio, tolerance: BelowHalf, replace_factor: ReplaceFactor = 2.0
) -> float:
    """Return the largest mu for an adversary who knows all other records and sees the release unrounded.

    Arguments: as in mu_at, but tolerance below 1/2. Returns mu, inf where the ratio is no bound. **Safe side: never
    above the true value**, within 1e-12 relative as in mu_at. **Not valid for published tables**: it fails once numbers
    are rounded or processed. Raises InvalidInput; Infeasible below a ratio of 1. Source: Theorem 2.
    """
    return max_budget_at(p, q, ratio, InformedLosses(tolerance, replace_factor))


@public
def recommend(
    *,
    profile: Profile,
    p: PriorRange,
    q: PriorRange,
    tolerance: OpenProbability,
    replace_factor: ReplaceFactor = 2.0,
) -> Recommendation:
    """Return the largest mu that keeps a risk profile, except for TOLERANCE, for every adversary of the given ranges.

    Arguments: profile, any shape with no field missing; p and q, a number in (0, 1] or a range [low, high] in [0, 1],
    open at 0; tolerance in (0, 1), the share of those of whom it is true; replace_factor in [1, 2]. Returns {status,
    mu, rho, upper, p, q, attained, unique}. Status "allowed": the true limit is in [mu, upper], and p, q is the
    adversary who sets it, or the limit point where none attains it (attained false; 0 is an open end). "unbounded": the
    profile sets no limit. "infeasible": it falls below 1 at p, q. The other fields are then null. **Safe side: mu is
    never above the true limit**, and within 1e-12 relative of it (knots2d: 2e-3; upper says how far).
    Raises InvalidInput. Source: Theorem 3; docs/methods/relative_risk.md on where the worst adversary is.
    """
    limit = least(profile, range_of(p), range_of(q), ToleratedLosses(tolerance, replace_factor))
    mu, upper = limit.epsilon, limit.upper
    return Recommendation(
        status=limit.status,
        mu=mu,
        rho=None if mu is None else down(0.5 * mu * mu, 2),
        upper=None if upper is None else up(upper, UPPER_ULPS),
        p=limit.p,
        q=limit.q,
        attained=limit.attained,
        unique=limit.unique,
    )


@public
def transfer(*, epsilon: Epsilon, tolerance: OpenProbability, replace_factor: ReplaceFactor = 2.0) -> float:
    """Return a mu that meets, except for TOLERANCE, any requirement that the privacy loss EPSILON meets.

    Arguments: epsilon >= 0 or inf, set where two values of one person are at twice the distance; tolerance in (0, 1);
    replace_factor in [1, 2]. Returns mu: the losses at that tolerance are at most epsilon and, for two values, twice
    that. **Safe side: never above the true value**, within 1e-12 relative. The best mu may be larger; it is the same
    where p = 1 sets the limit and replace_factor is 2. Raises InvalidInput. Source: Theorem 3, B(theta) at e^epsilon.
    """
    noise = ToleratedLosses(tolerance, replace_factor)
    budgets = noise.roots(np.array([epsilon, 2.0 * epsilon]), np.array([0.0, 1.0]), np.array([1.0, 0.0]))
    return float(budgets.min())
