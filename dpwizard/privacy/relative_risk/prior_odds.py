"""The privacy loss that lets the odds of a belief multiply by a given factor, and that factor for a ratio or a cap.

Dividing Theorem 1 of Kazan & Reiter 2024 by 1 - pq puts it in the odds of the disclosure. With theta the allowed
multiplier of the prior odds, w = p(1-q)/(1-pq) the share of "in the data, another value" among all that is not the
disclosure, and v = 1 - w = (1-p)/(1-pq), the bound is met exactly where, for x = e^-epsilon,

    w x^c + v x = 1/theta,      theta = (1 - pq) / (1/r* - pq),

c = 2 in the paper, and c = D_replace / D_add_remove in general. Every quantity here is formed without cancellation.
"""

from __future__ import annotations

import math
import sys
from fractions import Fraction

from dpwizard.base.numerics import UNIT, decimal

STEPS = 60  # Newton's method needs under ten; the rest is for inputs at the edge of floating point
NEAR = 0.75  # from here on a difference of two nearly equal numbers is formed exactly, in rationals
# nearer than this to an edge, the numbers as written in decimals decide whether they are on it
ON_EDGE = Fraction(1, 10**15)
SMALLEST = 1e-300  # of the replace factor
HUGE = sys.float_info.max


def remainder(p: float, q: float) -> float:
    """Return 1 - pq, the prior probability of everything but the disclosure, to a few units in the last place."""
    return (1.0 - p) + p * (1.0 - q)


def doubt_of(epsilon: float, ratio: float, p: float, q: float) -> float:
    """Return how far epsilon may move when p, q and ratio, read from decimals, move by half a unit in their last place.

    It counts where r* pq or pq nears 1, and is never more than 3e-10 of epsilon.
    """
    rest, prior = remainder(p, q), p * q
    room = 1.0 - ratio * prior if ratio * prior < 1.0 else 0.0
    if rest == 0.0 or room == 0.0:
        return 3e-10 * epsilon
    moved = (min(ratio - 1.0, 1.0) + (ratio - 1.0) * prior / rest) / room  # d log theta
    moved += min(epsilon, 1.0) / rest  # d w
    return min(2.0 * UNIT * max(moved, 0.0), 3e-10 * epsilon)


def blend(multiplier: float, w: float, v: float, factor: float) -> float:
    """Return epsilon = -log x with w x^c + v x = 1/theta; MULTIPLIER is log theta >= 0, w + v = 1, FACTOR is c."""
    if multiplier == 0.0 or math.isinf(multiplier) or w == 0.0 or factor == 1.0:
        return multiplier
    if v == 0.0:
        return min(multiplier / factor, HUGE)
    if factor == 2.0:
        if multiplier < 1.0:  # near r* = 1: log1p, so that the small epsilon keeps all its digits
            root = math.sqrt(v * v + 4.0 * w * math.exp(-multiplier))
            return multiplier + math.log1p(2.0 * w * math.expm1(-multiplier) / (1.0 + w + root))
        # (12) as log((B + S) / (2C)), divided through by 1 - pq
        return multiplier + math.log(0.5 * (v + math.hypot(v, 2.0 * math.sqrt(w) * math.exp(-0.5 * multiplier))))
    if factor < 1.0:  # in x^c the two terms change places: v (x^c)^(1/c) + w x^c = 1/theta
        return min(_newton(multiplier, v, w, 1.0 / max(factor, SMALLEST)) / max(factor, SMALLEST), HUGE)
    return _newton(multiplier, w, v, factor)


def _newton(multiplier: float, w: float, v: float, factor: float) -> float:
    """Return the root of e - log(v + w exp(-(c-1) e)) = log theta: increasing, concave, slope between 1 and c > 1."""
    excess = factor - 1.0
    epsilon = multiplier / factor  # left of the root, where Newton's steps never overshoot
    for _ in range(STEPS):
        shift = -excess * epsilon
        if abs(shift) < 0.5:
            change = w * math.expm1(shift)
            level, share = math.log1p(change), w * math.exp(shift) / (1.0 + change)
        else:
            top = max(math.log(v), math.log(w) + shift)
            level = top + math.log(math.exp(math.log(v) - top) + math.exp(math.log(w) + shift - top))
            share = math.exp(math.log(w) + shift - level)
        step = (multiplier + level - epsilon) / (1.0 + excess * share)
        epsilon += step
        if not step > 2.0 * UNIT * epsilon:
            break
    return epsilon


def slope_sign(
    losses: tuple[float, float, float], log_ratio: float, log_p: float, log_q: float, exponent: float, along: str
) -> float:
    """Return a number with the sign of d budget / d prior, where the profile falls locally like prior^-exponent.

    LOSSES are -log x1, -log x2 and log(x1/x2); ALONG is "p" or "q", the prior that moves. With R = 1/r*, the bound
    G = pq + p(1-q) x2 + (1-p) x1 - R has z dG/dz = pq (1 - x2) - [p (x1 - x2) if z is p] - exponent R, and the budget
    rises where G does.
    """
    first, second, apart = losses
    gain = -math.expm1(-second)
    term = gain * safe_exp(log_ratio + log_p + log_q)
    if along == "p" and not math.isinf(first):
        gap = -math.expm1(-abs(apart))  # x1 - x2 is the larger of the two times gap, negative where x2 is larger
        term -= math.copysign(safe_exp(log_ratio + log_p - min(first, second)) * gap, apart)
    return term - exponent


def safe_exp(x: float) -> float:
    """Return e^x, the largest float where that overflows."""
    return math.exp(x) if x < 709.0 else HUGE


def log_multiplier(log_ratio: float, log_prior: float, rest: float) -> float:
    """Return log theta for ratio r* = e^LOG_RATIO >= 1 at prior pq = e^LOG_PRIOR, REST = 1 - pq; inf where r* pq >= 1.

    log theta = log r* - log(1 - (r* - 1) pq / (1 - pq)): both terms add, so nothing cancels until r* pq nears 1.
    """
    if log_ratio <= 0.0:
        return log_ratio
    if math.isinf(log_ratio) or log_ratio + log_prior >= 0.0 or rest == 0.0:
        return math.inf
    if log_ratio < 700.0:
        extra = math.expm1(log_ratio) * math.exp(log_prior) / rest
    else:
        extra = math.exp(log_ratio + log_prior) / rest
    return log_ratio - math.log1p(-extra) if extra < 1.0 else math.inf


def multiplier_of_ratio(ratio: float, p: float, q: float) -> float:
    """Return log theta for a given ratio; inf where ratio >= 1/(pq), negative where the ratio is below 1.

    Where ratio * pq is near 1 the difference is formed exactly, and on the edge as written in decimals (10 and 0.1) it
    is 0.
    """
    if math.isinf(ratio):
        return math.inf
    if ratio <= 0.0:
        return -math.inf
    rest = remainder(p, q)
    prior = p * q
    if ratio * prior < NEAR or ratio < 1.0:
        if ratio <= 1.0 or rest == 0.0:
            return math.log(ratio)
        return math.log(ratio) - math.log1p(-(ratio - 1.0) * prior / rest)
    room = 1 - Fraction(ratio) * Fraction(p) * Fraction(q)  # 1 - r* pq
    if room <= 0 or (room < ON_EDGE and decimal(ratio) * decimal(p) * decimal(q) == 1):
        return math.inf
    return _log1p((Fraction(ratio) - 1) / room)  # theta - 1 = (r* - 1) / (1 - r* pq)


def multiplier_of_cap(posterior: float, p: float, q: float) -> float:
    """Return log theta for a cap on the posterior probability; inf at a cap of 1, negative where pq exceeds the cap.

    theta - 1 = (a - pq) / (pq (1 - a)), so that C = pq (1-a)/a is never formed as a difference.
    """
    if posterior == 1.0:
        return math.inf
    if p == 0.0 or q == 0.0:
        return math.inf if posterior > 0.0 else -math.inf
    if posterior == 0.0:
        return -math.inf
    rest, prior = remainder(p, q), p * q
    if rest == 0.0:
        return -math.inf
    if abs(posterior - prior) < 0.1 * posterior:
        a, s = Fraction(posterior), Fraction(p) * Fraction(q)
        if abs(a - s) < ON_EDGE * a and decimal(posterior) == decimal(p) * decimal(q):
            return 0.0
        return _log1p((a - s) / (s * (1 - a)))
    if posterior < 1e10 * prior and prior > 1e-290:
        return math.log1p(max((posterior - prior) / prior / (1.0 - posterior), -1.0 + UNIT))
    return math.log(posterior) - math.log1p(-posterior) - math.log(p) - math.log(q) + math.log(rest)


def multiplier_of_increase(amount: float, p: float, q: float) -> float:
    """Return log theta if the prior may grow by AMOUNT: theta - 1 = b / (s (1 - s - b)); inf where s + b >= 1."""
    if amount == 0.0:
        return 0.0
    rest, prior = remainder(p, q), p * q
    if amount >= NEAR * rest:
        room = 1 - Fraction(amount) - Fraction(p) * Fraction(q)
        left = float(room)
        if left <= 0.0 or (room < ON_EDGE and decimal(amount) + decimal(p) * decimal(q) == 1):
            return math.inf
    else:
        left = rest - amount
    if prior < 1e-290:  # also p = 0 or q = 0, the limit
        return math.inf if p == 0.0 or q == 0.0 else math.log(amount) - math.log(p) - math.log(q) - math.log(left)
    if amount < 1e290 * prior * left:
        return math.log1p(amount / (prior * left))
    return math.log(amount) - math.log(prior) - math.log(left)


def multiplier_at_ridge(posterior: float, ratio: float) -> float:
    """Return log theta where pq = a/r exactly: theta = (r - a)/(1 - a), so theta - 1 = (r - 1)/(1 - a)."""
    return math.log1p(max((ratio - 1.0) / (1.0 - posterior), -1.0 + UNIT))


def _log1p(x: Fraction) -> float:
    """Return log(1 + x) of an exact x > -1, whatever its size."""
    if -1 < x < 10**15:
        return math.log1p(float(x))
    if x <= -1:
        return -math.inf
    return math.log(x.numerator + x.denominator) - math.log(x.denominator)
