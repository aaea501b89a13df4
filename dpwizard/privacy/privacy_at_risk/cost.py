"""The cost of a disclosure at an epsilon, and its exact mean over the privacy loss of a release.

The model is Dandekar, Basu & Bressan 2021, equation (8): h(epsilon) = floor + cost e^(-rate/epsilon). The paper's mean
over its published confidence is refuted (docs/methods/privacy_at_risk.md); here the mean is over the exact distribution
of the loss: a sum for geometric noise, an integral by Gauss rules on panels of every scale for the others.
"""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dpwizard.base.errors import Infeasible
from dpwizard.base.numerics import decimal, down, largest
from dpwizard.base.values import Count, Epsilon, NonNegative, Positive, Value, field, public
from dpwizard.privacy.largest_budget import proved_from
from dpwizard.privacy.mechanisms import (
    JudgedName,
    PureName,
    PureNoise,
    judged_noise_named,
    pure_noise_named,
)
from dpwizard.privacy.privacy_at_risk.audited import require_level, require_mu
from dpwizard.privacy.quadrature import continuous_rule

Floats = NDArray[np.float64]

MEAN_ERROR = 1e-9  # relative error of the mean cost; limits are on its safe side
CLOSE = 1e-15
SEARCH_ERROR = 1e-4  # relative error of a limit found by a search
LARGEST_EXPONENT = 700.0  # e^-700 counts as 0
PANELS = 50  # panels of an integral, on each scale of the integrand
TERM_DEPTH, MOST_TERMS = 60.0, 1_000_000  # terms of a sum below e^-60 are left out, at most this many added
WIDEST = 40.0  # standard deviations beyond which a normal mass counts as 0
LEAST_LEVEL = 1e-300  # a smaller epsilon0 is that of the plain model, and so are its reciprocals
# shares of epsilon0, closer together towards both ends
TWO_TIER_GRID = np.unique(
    np.concatenate([np.geomspace(1e-160, 1e-4, 40), np.geomspace(1e-4, 1.0, 400), 1.0 - np.geomspace(1e-15, 0.5, 200)])
)


class TwoTier(Value):
    """The level with the smallest two-tier cost."""

    epsilon: float = field("Level", default=...)
    cost: float = field("Two-tier cost", default=...)


# ------------------------------------------------------------------------------------ the plain model


def compensation_at(epsilon: float, cost: float, rate: float, floor: float) -> float:
    """Return h(EPSILON) = floor + cost e^(-rate/epsilon), for epsilon in [0, inf]."""
    return floor + cost * (math.exp(-rate / epsilon) if epsilon > 0.0 else 0.0)  # (8)


def log_gap(epsilon: float, epsilon0: float, rate: float) -> float:
    """Return log(e^t - 1), t = rate/EPSILON - rate/EPSILON0, without cancellation; -inf from epsilon0 on."""
    if epsilon >= epsilon0:
        return -math.inf
    t = rate / epsilon if math.isinf(epsilon0) else rate / epsilon * ((epsilon0 - epsilon) / epsilon0)
    if t == 0.0:
        return -math.inf
    return t + math.log(-math.expm1(-t))


@public
def compensation(*, epsilon: Epsilon, cost: NonNegative, rate: Positive = 1.0, floor: NonNegative = 0.0) -> float:
    """Return the cost of a disclosure under EPSILON: h(epsilon) = floor + cost e^(-rate/epsilon).

    Arguments: epsilon in [0, inf]; cost E and floor E_min >= 0, in money (for all people together, or for one); rate c
    > 0. Returns money of the same kind, between floor (epsilon 0) and floor + cost (inf); error 1e-15 relative. A
    model, not a bound. Raises InvalidInput. Source: Dandekar et al. 2021, equation (8).
    """
    return compensation_at(epsilon, cost, rate, floor)


# ------------------------------------------------------------------------------ the mean over the loss


@public
def expected_compensation(
    *,
    epsilon0: Epsilon | None = None,
    cost: NonNegative,
    rate: Positive = 1.0,
    floor: NonNegative = 0.0,
    mechanism: JudgedName = "laplace",
    sensitivity: Positive = 1.0,
    mu: NonNegative | None = None,
) -> float:
    """Return the exact mean of h(|loss|) over the releases of one mechanism, for the worst pair of neighbours.

    Arguments: epsilon0 in [0, inf], the loss of the full shift; cost E and floor E_min >= 0, in money; rate c > 0;
    mechanism, laplace | geometric | gaussian; sensitivity > 0, for geometric a whole number of at most 1e15 (one step
    loses epsilon0/sensitivity); mu = sensitivity/standard deviation, for gaussian in place of epsilon0 and sensitivity.
    Returns money of the same kind, **the largest mean of all shifts up to the sensitivity**, never above
    compensation(epsilon0): for laplace and gaussian that of the full shift, for geometric that of the full shift or of
    one step less. Error 1e-9 relative, on either side. Raises InvalidInput. Source: the distribution of the loss in
    docs/methods/privacy_at_risk.md, the cost of Dandekar et al. 2021, equation (8).
    """
    noise = judged_noise_named(mechanism).pure
    if noise is None:
        return floor + cost * _gaussian_mean(require_mu(epsilon0, sensitivity, mu), rate)
    level = require_level(mechanism, epsilon0, mu)
    return floor + cost * worst_mean(noise, level, rate, noise.steps(sensitivity))[0]


def worst_mean(noise: PureNoise, level: float, rate: float, steps: int) -> tuple[float, float]:
    """Return the largest E[e^(-rate/|L|)] over shifts up to the full one, which loses LEVEL, and the least 1 - E[..].

    |L| grows stochastically with the shift: always under continuous noise, and under geometric noise between shifts of
    one parity (docs/methods/privacy_at_risk.md). An even shift has outputs of loss 0; then one step less may cost more.
    Arguments and error as for pure_mean.
    """
    full = pure_mean(noise, level, rate, steps)
    if not noise.integer_valued or steps == 1:
        return full
    one_step_less = pure_mean(noise, level * ((steps - 1) / steps), rate, steps - 1)
    return max(full[0], one_step_less[0]), min(full[1], one_step_less[1])


def pure_mean(noise: PureNoise, level: float, rate: float, steps: int) -> tuple[float, float]:
    """Return E[e^(-rate/|L|)] and 1 - E[..], L the loss of a full shift that loses LEVEL, each to MEAN_ERROR relative.

    Arguments: level in [0, inf]; rate > 0; steps, the whole sensitivity of geometric noise. Geometric noise of more
    than MOST_TERMS terms counts as Laplace noise, from which it differs by less than MEAN_ERROR.
    """
    if level == 0.0 or rate / level > LARGEST_EXPONENT:
        return 0.0, 1.0
    if math.isinf(level) or rate == 0.0:
        return 1.0, 0.0
    if level < 1e-150:  # only rate/level matters: scale both away from the smallest floats
        level, rate = level * 2.0**400, rate * 2.0**400
    terms = min(steps // 2, int(min(TERM_DEPTH * steps / level, 1e18)) + 1)  # further terms are negligible
    if noise.integer_valued and terms <= MOST_TERMS:
        unit = level / steps
        share = math.tanh(unit / 2)  # (1-a)/(1+a)
        k = np.arange(1.0, terms + 1.0)  # outputs k and D - k lose +-u (D - 2k)
        losses = np.append(unit * (steps - 2.0 * k), level)
        masses = share * (np.exp(-unit * k) + np.where(2 * k < steps, np.exp(-unit * (steps - k)), 0.0))
        masses = np.append(masses, (1.0 + math.exp(-level)) / (1.0 + math.exp(-unit)))
    else:
        losses, masses = _laplace_losses(level, rate)
    with np.errstate(all="ignore"):
        exponents = -rate / losses
        return float(masses @ np.exp(exponents)), float(masses @ -np.expm1(exponents))


def _laplace_losses(level: float, rate: float) -> tuple[Floats, Floats]:
    """Return losses and masses for |L|: LEVEL with (1 + e^-level)/2, density e^(-level/2) cosh(loss/2)/2 below."""
    shares = np.geomspace(1e-18, 1.0, PANELS)
    near = level - min(level, 2.0 * LARGEST_EXPONENT) * np.append(shares[::-1], 0.0)  # near most of the mass
    edges = np.unique(np.concatenate([[0.0], level * shares, rate * np.geomspace(1e-3, 1e3, PANELS), near]))
    losses, widths = _gauss_nodes(edges[edges <= level])
    density = 0.25 * (np.exp((losses - level) / 2.0) + np.exp(-losses / 2.0 - level / 2.0))
    return np.append(losses, level), np.append(widths * density, 0.5 * (1.0 + math.exp(-level)))


def _gauss_nodes(edges: Floats) -> tuple[Floats, Floats]:
    """Return nodes and weights of the Gauss rule on each panel between EDGES."""
    nodes, weights = np.array(continuous_rule()).T
    widths = np.diff(edges)[:, None]
    return (edges[:-1, None] + widths * nodes).ravel(), (widths * weights).ravel()


def _gaussian_mean(mu: float, rate: float) -> float:
    """Return E[e^(-rate/|L|)] for L normal with mean mu^2/2 and variance mu^2, to MEAN_ERROR relative.

    In z = l/mu: the integral of e^(-(rate/mu)/z) phi(z - mu/2) (1 + e^(-mu z)) over z > 0.
    """
    ratio, middle = rate / mu if mu > 0.0 else math.inf, mu / 2.0
    if math.isinf(ratio):
        return 0.0
    low = max(middle - WIDEST, 0.0)
    edges = np.linspace(low, middle + WIDEST, 8 * PANELS)
    if low == 0.0:
        edges = np.unique(np.concatenate([edges, WIDEST * np.geomspace(1e-18, 1.0, PANELS)]))
    z, widths = _gauss_nodes(edges)
    with np.errstate(all="ignore"):
        density = np.exp(-ratio / z - 0.5 * (z - middle) ** 2) * (1.0 + np.exp(-mu * z))
        return float(np.nan_to_num(density) @ widths) / math.sqrt(2.0 * math.pi)


# ---------------------------------------------------------------------------------------- two tiers


@public
def two_tier_cheapest(
    *, epsilon0: Positive, cost: NonNegative, rate: Positive = 1.0, floor: NonNegative = 0.0
) -> TwoTier:
    """Return the level e that makes the two-tier cost of Laplace noise smallest, and that cost.

    Arguments: epsilon0 > 0; cost E and floor E_min >= 0, in money; rate c > 0. With the exact confidence
    c(e) = e^(-epsilon0/2) sinh(e/2) of a loss within e, the cost is c(e) h(e) + (1 - c(e)) h(epsilon0), 0 < e <=
    epsilon0. Returns epsilon to 1e-9 relative (the cost is flat there) and the cost at it to 1e-12 relative, **never
    below the true minimum** but for rounding. The minimiser does not depend on cost and floor. Raises InvalidInput.
    Source: the audit of Dandekar et al. 2021, equation (9), with the exact distribution of the loss.
    """

    def log_saving(e: float) -> float:
        gap = log_gap(e, epsilon0, rate)  # 1 - e^-t = (e^t - 1) e^-t
        t = rate / e * ((epsilon0 - e) / epsilon0)
        return -math.inf if math.isinf(gap) else (e - epsilon0) / 2 + math.log(-math.expm1(-e) / 2) + (gap - t)

    def cost_falls(e: float) -> bool:
        slope = -math.log(2.0 * math.tanh(e / 2))  # log coth(e/2)/2 against rate/e^2 / (e^t - 1)
        return slope >= math.log(rate) - 2.0 * math.log(e) - log_gap(e, epsilon0, rate)

    # the saving may have several maxima: the largest is between the neighbours of the best point
    points = epsilon0 * TWO_TIER_GRID
    savings = [log_saving(e) if e > 1e-305 else -math.inf for e in points.tolist()]
    best = int(np.argmax(savings))
    if math.isinf(savings[best]):
        return TwoTier(epsilon=epsilon0, cost=compensation_at(epsilon0, cost, rate, floor))
    e = largest(cost_falls, float(points[max(best - 1, 0)]), float(points[min(best + 1, points.size - 1)]), CLOSE)
    reached = math.exp(-rate / epsilon0)
    return TwoTier(epsilon=e, cost=floor + cost * reached * -math.expm1(log_saving(e)))


# ------------------------------------------------------------------------- the epsilon0 that money allows


@public
def noise_level_for_money(
    *,
    money: NonNegative,
    people: Count = 1,
    cost: NonNegative,
    rate: Positive = 1.0,
    floor: NonNegative = 0.0,
    model: Literal["plain", "expected_loss"] = "plain",
    mechanism: PureName = "laplace",
    sensitivity: Positive = 1.0,
) -> float:
    """Return the largest epsilon0 up to which the compensation of all people stays within MONEY.

    Arguments: money >= 0; people, how many are compensated; cost E and floor E_min >= 0 for one of them, in the same
    money; rate c > 0; model, plain (people times compensation) or expected_loss (people times expected_compensation of
    MECHANISM, laplace | geometric, with a whole sensitivity for geometric). Returns an epsilon0 such that every
    epsilon0 up to it costs at most MONEY: **never above the true limit**, and at most 1e-15 (plain) or 1e-3
    (expected_loss) relative below it; inf where there is money for all, 0 where there is only the floor. Raises
    Infeasible where even epsilon0 = 0 costs more, InvalidInput. The amounts count as the decimals they are written as.
    Source: Dandekar et al. 2021, equation (8) and the upper end of (11) with confidence 1; the exact mean for
    expected_loss.
    """
    spare = decimal(money) / people - decimal(floor)
    if spare < 0:
        raise Infeasible(
            "the least cost alone is {floor:.12g}, more than {money:.12g}",
            "money",
            "Set more money aside, or lower the least cost.",
            floor=people * floor,
            money=money,
        )
    largest_cost = decimal(cost)
    if spare >= largest_cost:
        return math.inf
    noise = pure_noise_named(mechanism)
    steps = noise.steps(sensitivity)
    plain = _plain_noise_level(spare / largest_cost, rate)
    if model == "plain" or plain == 0.0 or (noise.integer_valued and steps == 1):
        return plain

    if plain < LEAST_LEVEL:
        return plain
    share, missing_share = float(spare / largest_cost), float(1 - spare / largest_cost)

    def affordable(finest: float, coarsest: float) -> bool:
        """Return whether no noise between two scales, in sensitivities, costs more.

        Let g(l) = e^(-rate/l), u the loss of a step, and N_l the mass of losses below l steps. For any shift d,
        E[g(|L|)] = g(d u) - sum of (increments of g) N_l, and from a level A to B > A no N_l falls by more than the
        factor 1 - m = e^(-(B-A)/2): the mean is at most (1 - m) E_A[e^(-rate (A/B)/|L|)] + m g(B). For continuous noise
        |L| grows stochastically with epsilon0, and so does the mean.
        """
        highest = 1.0 / finest
        lowest = 1.0 / coarsest if noise.integer_valued else highest
        mean, complement = worst_mean(noise, lowest, rate * (lowest / highest), steps)
        lost_mass = -math.expm1((lowest - highest) / 2)
        if share < 0.5:
            largest_mean = (1.0 - lost_mass) * mean + lost_mass * math.exp(-rate / highest)
            return largest_mean <= share * (1.0 - 2.0 * MEAN_ERROR)
        least_complement = (1.0 - lost_mass) * complement - lost_mass * math.expm1(-rate / highest)
        return least_complement >= missing_share * (1.0 + 2.0 * MEAN_ERROR)

    return max(plain, down(1.0 / proved_from(affordable, LEAST_LEVEL, 1.0 / plain, SEARCH_ERROR), 2))


def _plain_noise_level(share: Fraction, rate: float) -> float:
    """Return the largest epsilon0 with e^(-rate/epsilon0) <= SHARE in [0, 1): rate/-ln(share), rounded down."""
    if share == 0:
        return 0.0
    with localcontext() as context:
        context.prec = 700 if share > Fraction(999, 1000) else 40
        exact = Decimal(repr(rate)) / -(Decimal(share.numerator) / Decimal(share.denominator)).ln()
        nearest = float(exact)
        return math.nextafter(nearest, 0.0) if Decimal(nearest) > exact else nearest
