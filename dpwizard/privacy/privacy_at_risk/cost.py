"""What a disclosure costs at an epsilon, and the exact mean of that cost over the privacy loss of a release.

The model is Dandekar, Basu & Bressan 2021, equation (8): h(epsilon) = floor + cost e^(-rate/epsilon). The paper's mean
over its published confidence is refuted (docs/methods/privacy_at_risk.md); here the mean is taken over the exact law of
the loss. Integrals and sums run over panels that shrink with the scale of the integrand, each by a Gauss rule.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from dpwizard.base.errors import Infeasible, InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.numerics import decimal, down, largest
from dpwizard.base.values import Count, Epsilon, NonNegative, Positive, Value, field, public
from dpwizard.privacy.mechanisms import (
    GEOMETRIC,
    LAPLACE,
    JudgedName,
    PureName,
    PureNoise,
    mass_between,
    mechanism_named,
)
from dpwizard.privacy.quadrature import continuous_rule, counting_rule

MEAN_ERROR = 1e-13  # relative error of the mean cost, counted against the promise where a limit is drawn from it
CLOSE = 1e-15
PANEL = 6.0  # how far the logarithm of the integrand may move over one panel
NOTHING_LEFT = 60.0  # an integrand e^-60 of its largest value is left out
SEARCH_STEPS = 2_000  # of the walk towards a limit where the mean cost need not grow with epsilon0; some 100 are used
SEARCH_POINTS = 200  # of each part of the grid on which the stationary points of the two-tier cost are told apart
DEEP_POINTS = 40


class TwoTier(Value):
    """The level with the smallest two-tier cost."""

    epsilon: float = field("Level", default=...)
    cost: float = field("Two-tier cost", default=...)


# ------------------------------------------------------------------------------------ the plain model


def cost_at(epsilon: float, cost: float, rate: float, floor: float) -> float:
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
    """Return what is set aside for a disclosure under EPSILON: h(epsilon) = floor + cost e^(-rate/epsilon).

    Arguments: epsilon in [0, inf]; cost E and floor E_min >= 0, in money (for all people together, or for one); rate c
    > 0. Returns money of the same kind, between floor (epsilon 0) and floor + cost (inf); error 1e-15 relative. A
    model, not a bound. Raises InvalidInput. Source: Dandekar et al. 2021, equation (8).
    """
    return cost_at(epsilon, cost, rate, floor)


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
    one step less. Error 1e-13 relative, on either side. Raises InvalidInput. Source: the law of the loss in
    docs/methods/privacy_at_risk.md, the cost of Dandekar et al. 2021, equation (8).
    """
    noise = mechanism_named(mechanism).pure
    if noise is None:
        if mu is None or epsilon0 is not None or sensitivity != 1.0:
            raise InvalidInput(
                "must be given for gaussian, in place of epsilon0 and sensitivity",
                "mu",
                "Give mu = sensitivity / standard deviation.",
            )
        return floor + cost * _gaussian_mean(mu, rate)
    if epsilon0 is None or mu is not None:
        raise InvalidInput(
            message("must be given for {mechanism}, and mu must not", mechanism=mechanism),
            "epsilon0" if epsilon0 is None else "mu",
            "mu belongs to gaussian alone.",
        )
    return floor + cost * worst_mean(noise, epsilon0, rate, noise.steps(sensitivity))[0]


def worst_mean(noise: PureNoise, level: float, rate: float, steps: int) -> tuple[float, float]:
    """Return the largest E[e^(-rate/|L|)] over shifts up to the full one, which loses LEVEL, and the least 1 - E[..].

    A longer shift loses more, in the sense of the distribution of |L|: always under continuous noise, and under
    geometric noise between shifts of one parity (docs/methods/privacy_at_risk.md). An even shift has outputs that tell
    nothing; then one step less may cost more. Arguments and error as for pure_mean, the relative error of each taken
    together 2 MEAN_ERROR.
    """
    full = pure_mean(noise, level, rate, steps)
    if not noise.on_lattice or steps == 1:
        return full
    less = pure_mean(noise, level * ((steps - 1) / steps), rate, steps - 1)
    return max(full[0], less[0]), min(full[1], less[1])


def pure_mean(noise: PureNoise, level: float, rate: float, steps: int) -> tuple[float, float]:
    """Return E[e^(-rate/|L|)] and 1 - E[..], each to MEAN_ERROR relative, L the loss of a full shift that loses LEVEL.

    Arguments: level in [0, inf]; rate > 0; steps, the whole sensitivity of geometric noise.
    """
    if level == 0.0:
        return 0.0, 1.0
    if math.isinf(level) or rate == 0.0:
        return 1.0, 0.0
    at_level = rate / level
    if at_level > 800.0:  # e^-800 is 0 as a float
        return 0.0, 1.0
    if level < 1e-150:  # only rate/level matters; away from the smallest floats
        level, rate = level * 2.0**400, rate * 2.0**400
    if noise.on_lattice and steps == 1:
        return math.exp(-at_level), -math.expm1(-at_level)
    panels = _geometric_panels(level, rate, steps) if noise.on_lattice else _laplace_panels(level, rate)
    atoms = 0.5 * (1.0 + math.exp(-level))  # the loss is +level or -level, that is beyond both ends
    if noise.on_lattice:
        unit = level / steps
        atoms = (1.0 + math.exp(-level)) / (1.0 + math.exp(-unit))
    reached, missed = [atoms], [atoms * -math.expm1(-at_level)]
    for left, back, mass in panels:  # a loss of left = level - back has this mass
        if left == 0.0:
            missed.append(mass)
        else:
            reached.append(mass * math.exp(-rate / left * (back / level)))
            missed.append(mass * -math.expm1(-rate / left))
    return math.fsum(reached) * math.exp(-at_level), math.fsum(missed)


def _widths(level: float, rate: float) -> Iterator[tuple[float, float, float]]:
    """Yield panels (loss, level - loss, width) downwards from LEVEL, for e^(-rate/loss) times e^(-(level - loss)/2).

    Both coordinates are carried along, so that neither loses digits. The last panel, of width 0, says from where the
    integrand e^(-rate/loss) is negligible but the weight is not.
    """
    left, back, enough = level, 0.0, NOTHING_LEFT - min(0.0, math.log(rate) - math.log(level))
    while back / 2 < enough and left > 0.0:
        if rate / left * (back / level) > NOTHING_LEFT:
            yield left, back, 0.0
            return
        width = min(left / 2, PANEL / (0.5 + rate / left / left))
        yield left, back, width
        left, back = left - width, back + width


def _laplace_panels(level: float, rate: float) -> Iterator[tuple[float, float, float]]:
    """Yield (loss, level - loss, mass) between the atoms: |L| has density e^(-level/2) cosh(loss/2)/2."""
    for left, back, width in _widths(level, rate):
        if width == 0.0:
            yield 0.0, level, -0.5 * math.exp(-back / 2) * math.expm1(-left)  # P(|L| <= left)
            return
        for node, weight in continuous_rule():
            behind = back + width * node
            mass = width * weight * 0.25 * (math.exp(-behind / 2) + math.exp(behind / 2 - level))
            yield left - width * node, behind, mass


def _geometric_panels(level: float, rate: float, steps: int) -> Iterator[tuple[float, float, float]]:
    """Yield (loss, level - loss, mass) of k and D - k, 0 < k < D/2, that lose +-u (D - 2k), and of k = D/2."""
    unit = level / steps
    share = math.tanh(unit / 2)  # (1-a)/(1+a)
    first, last = 1, (steps - 1) // 2
    for _, back, width in _widths(level, rate):
        if first > last:
            break
        if width == 0.0:  # all that remain, on either side of the middle: a^first .. a^(D-first)
            yield 0.0, level, mass_between(unit, first, steps - 2 * first + 1)
            return
        stop = min(last, int(min((back + width) / (2.0 * unit), 1e16)))
        if stop < first:
            continue
        for node, weight in counting_rule(stop - first + 1):
            k = first + node
            mass = weight * share * (math.exp(-unit * k) + math.exp(-unit * (steps - k)))
            yield unit * (steps - 2 * k), 2.0 * unit * k, mass
        first = stop + 1
    if steps % 2 == 0:
        yield 0.0, level, share * math.exp(-level / 2)


def _gaussian_mean(mu: float, rate: float) -> float:
    """Return E[e^(-rate/|L|)] for L normal with mean mu^2/2 and variance mu^2, to MEAN_ERROR relative.

    In z = l/mu: e^(-(rate/mu)/z) phi(z - mu/2) (1 + e^(-mu z)), which has one peak; panels run from it both ways.
    """
    ratio = rate / mu if mu > 0.0 else math.inf
    if math.isinf(ratio):
        return 0.0
    middle = mu / 2

    def slope(d: float) -> float:
        z = middle + d
        return ratio / z / z - d if z > 0.0 else math.inf

    peak = largest(lambda d: slope(d) >= 0.0, 0.0, 2.0 + 2.0 * ratio ** (1.0 / 3.0), 1e-6) if slope(0.0) > 0.0 else 0.0
    top = -ratio / (middle + peak) - peak * peak / 2
    if top < -800.0:
        return 0.0
    total: list[float] = []

    def exponent(d: float) -> float:
        z = middle + d
        return -ratio / z - d * d / 2 if z > 0.0 else -math.inf

    def add(low: float, high: float) -> None:
        width = high - low
        for node, weight in continuous_rule():
            d = low + width * node
            total.append(width * weight * math.exp(exponent(d) - top) * (1.0 + math.exp(-mu * (middle + d))))

    for sign in (1.0, -1.0):
        d = peak
        while exponent(d) - top > -NOTHING_LEFT:
            z = middle + d
            width = min(z / 2, 1.0, PANEL / (abs(slope(d)) + 1.0 + math.sqrt(2.0 * ratio / z / z / z)))
            if z < 1e-30 or d + sign * width == d:
                break
            add(min(d, d + sign * width), max(d, d + sign * width))
            d += sign * width
    mean = math.fsum(total) / math.sqrt(2.0 * math.pi)
    return math.exp(top + math.log(mean)) if mean > 0.0 else 0.0


# ---------------------------------------------------------------------------------------- two tiers


@public
def two_tier_cheapest(
    *, epsilon0: Positive, cost: NonNegative, rate: Positive = 1.0, floor: NonNegative = 0.0
) -> TwoTier:
    """Return the level e that makes the two-tier cost of Laplace noise smallest, and that cost.

    Arguments: epsilon0 > 0; cost E and floor E_min >= 0, in money; rate c > 0. With the exact confidence
    c(e) = e^(-epsilon0/2) sinh(e/2) of a loss within e, the cost is c(e) h(e) + (1 - c(e)) h(epsilon0), 0 < e <=
    epsilon0. Returns epsilon to 1e-9 relative (the cost is flat there) and the cost at it to 1e-13 relative, **never
    below the true minimum** but for rounding. The minimiser does not depend on cost and floor. Raises InvalidInput.
    Source: the audit of Dandekar et al. 2021, equation (9), with the exact law of the loss.
    """

    def log_saving(e: float) -> float:
        gap = log_gap(e, epsilon0, rate)  # 1 - e^-t = (e^t - 1) e^-t
        t = rate / e * ((epsilon0 - e) / epsilon0)
        return -math.inf if math.isinf(gap) else (e - epsilon0) / 2 + math.log(-math.expm1(-e) / 2) + gap - t

    def grows(e: float) -> bool:
        slope = -math.log(2.0 * math.tanh(e / 2))  # log coth(e/2)/2 against rate/e^2 / (e^t - 1)
        return slope >= math.log(rate) - 2.0 * math.log(e) - log_gap(e, epsilon0, rate)

    # the saving may have several humps: every one begins where it grows and ends where it falls
    best, most = epsilon0, -math.inf
    points = tuple(_grid(epsilon0))
    for low, high in pairwise(points):
        if grows(low) and not grows(high):
            e = largest(grows, low, high, CLOSE)
            if log_saving(e) > most:
                best, most = e, log_saving(e)
    reached = math.exp(-rate / epsilon0)
    return TwoTier(epsilon=best, cost=floor + cost * reached * -math.expm1(most))


def _grid(epsilon0: float) -> Iterator[float]:
    """Yield points of (0, EPSILON0]: in logs towards both ends (at the lower the saving has one hump), else even."""
    fractions = {10.0 ** (-4.0 - 156.0 * i / DEEP_POINTS) for i in range(DEEP_POINTS + 1)}
    fractions |= {10.0 ** (-4.0 * i / SEARCH_POINTS) for i in range(SEARCH_POINTS + 1)}
    fractions |= {i / SEARCH_POINTS for i in range(1, SEARCH_POINTS)}
    fractions |= {1.0 - 10.0 ** (-15.5 * i / SEARCH_POINTS) for i in range(1, SEARCH_POINTS + 1)}
    for fraction in sorted(fractions):
        if 1e-305 < epsilon0 * fraction <= epsilon0:
            yield epsilon0 * fraction


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
    epsilon0 up to it costs at most MONEY: **never above the true limit**, and at most 1e-15 (plain) or 1e-12
    (expected_loss) relative below it; inf where there is money for all, 0 where there is only the floor. Raises
    Infeasible where even epsilon0 = 0 costs more, InvalidInput. The amounts count as the decimals they are written as.
    Source: Dandekar et al. 2021, equation (8) and the upper end of (11) with confidence 1; the exact mean for
    expected_loss.
    """
    spare = decimal(money) / people - decimal(floor)
    if spare < 0:
        raise Infeasible(
            message("the floor alone costs {floor:.12g}, more than {money:.12g}", floor=people * floor, money=money),
            "money",
            "Set more money aside, or lower the floor.",
        )
    most = decimal(cost)
    if spare >= most:
        return math.inf
    noise = mechanism_named(mechanism)
    steps = noise.steps(sensitivity)
    plain = _plain_limit(spare / most, rate)
    if model == "plain" or plain == 0.0 or (noise.on_lattice and steps == 1):
        return plain

    share, lack = float(spare / most), float(1 - spare / most)
    if not noise.on_lattice:  # |L| grows stochastically with epsilon0, and so does the mean

        def affordable(level: float) -> bool:
            reached, missed = pure_mean(LAPLACE, level, rate, 1)
            if reached < 0.5:
                return reached * (1.0 + MEAN_ERROR) <= share
            return missed * (1.0 - MEAN_ERROR) >= lack

        high = 2.0 * plain
        while affordable(high):
            high *= 2.0
        return largest(affordable, plain, high, CLOSE)
    return _geometric_limit(plain, share, lack, rate, steps)


def _plain_limit(share: Fraction, rate: float) -> float:
    """Return the largest epsilon0 with e^(-rate/epsilon0) <= SHARE in [0, 1): rate/-ln(share), rounded down."""
    if share == 0:
        return 0.0
    with localcontext() as context:
        context.prec = 700 if share > Fraction(999, 1000) else 40
        exact = Decimal(repr(rate)) / -(Decimal(share.numerator) / Decimal(share.denominator)).ln()
        nearest = float(exact)
        return math.nextafter(nearest, 0.0) if Decimal(nearest) > exact else nearest


def _geometric_limit(start: float, share: float, lack: float, rate: float, steps: int) -> float:
    """Return an epsilon0 >= START up to which the mean of geometric noise at its worst shift is within SHARE.

    For any shift d, with N_l the mass of losses below l steps, E[g(|L|)] = g(d u) - sum of (increments of g) N_l, and
    from A to B > A no N_l falls by more than the factor 1 - m = e^(-(B-A)/2). So the mean anywhere between is at most
    (1 - m) E_A[e^(-rate (A/B)/|L|)] + m e^(-rate/B), and each step goes as far as that allows.
    """

    def affordable(level: float, reach: float) -> bool:
        reached, missed = worst_mean(GEOMETRIC, level, rate * (level / reach), steps)
        moved = -math.expm1((level - reach) / 2)
        if share < 0.5:
            return (1.0 - moved) * reached + moved * math.exp(-rate / reach) <= share * (1.0 - 2.0 * MEAN_ERROR)
        return (1.0 - moved) * missed - moved * math.expm1(-rate / reach) >= lack * (1.0 + 2.0 * MEAN_ERROR)

    level, step = start, start / 8
    for _ in range(SEARCH_STEPS):
        while step > 1e-14 * level and not affordable(level, level + step):
            step /= 2
        if step <= 1e-14 * level:
            break
        level, step = level + step, 3.0 * step
        if math.isinf(level + step):
            return level
    return down(level, 2)
