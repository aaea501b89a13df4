"""The privacy loss at which prior odds multiply by a given factor, and the budget of a noise for that factor.

Dividing Theorem 1 of Kazan & Reiter 2024 by 1 - pq expresses it in the odds of the disclosure. With theta the allowed
multiplier of the prior odds, w = p(1-q)/(1-pq) the share of "in the data, another value" in the complement of the
disclosure, and v = 1 - w = (1-p)/(1-pq), the bound is met exactly if, for x = e^-epsilon,

    w x^c + v x = 1/theta,      theta = (1 - pq) / (1/r* - pq),

c = 2 in the paper, and c = D_replace / D_add_remove in general. Fractions are exact; arrays have no cancellation.
"""

from __future__ import annotations

import math
import sys
from abc import ABC, abstractmethod
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpwizard.base.numerics import UNIT, decimal

Array: TypeAlias = NDArray[np.float64]

MOST_STEPS = 60  # the most Newton steps; it takes under ten except at the limits of floating point
SMALLEST_FACTOR = 1e-300
LARGEST_EXPONENT = 700.0
HUGE = sys.float_info.max


def exact_multiplier(ratio: Fraction, prior: Fraction) -> float:
    """Return log theta for a ratio at PRIOR = pq: inf where ratio >= 1/(pq), negative where it is below 1."""
    room = 1 - ratio * prior
    if room <= 0:
        return math.inf
    gain = (ratio - 1) / room  # theta - 1
    if gain <= -1:
        return -math.inf
    if -0.5 < gain < 10**15:
        return math.log1p(float(gain))
    return math.log(gain.numerator + gain.denominator) - math.log(gain.denominator)


def multiplier_of_ratio(ratio: float, p: float, q: float) -> float:
    """Return log theta for a ratio in [0, inf], all three numbers read as the decimals they are written as."""
    return math.inf if math.isinf(ratio) else exact_multiplier(decimal(ratio), decimal(p) * decimal(q))


def multiplier_error(multiplier: float, prior: float, rest: float) -> float:
    """Return the change of log theta when its decimals change by half a unit in their last place.

    It matters if r* pq or pq is near 1, REST being 1 - pq, and is never more than 3e-10 of log theta.
    """
    if not 0.0 < multiplier < math.inf or rest == 0.0:
        return 0.0
    gain = math.expm1(min(multiplier, LARGEST_EXPONENT))  # theta - 1 = (r* - 1)/(1 - r* pq)
    room = rest / (rest + (gain + 1.0) * prior)  # 1 - r* pq
    moved = min(gain, 1.0 / room) + gain * prior / rest + min(multiplier, 1.0) / rest
    return min(2.0 * UNIT * moved, 3e-10 * multiplier)


def multipliers_of(log_ratio: Array, log_p: Array, log_q: Array) -> Array:
    """Return log theta = log r* - log(1 - (r* - 1) pq/(1 - pq)): inf where r* pq >= 1, negative where r* < 1."""
    p, q, log_prior = np.exp(log_p), np.exp(log_q), log_p + log_q
    rest = (1.0 - p) + p * (1.0 - q)
    moderate = log_ratio < LARGEST_EXPONENT
    gain = np.where(moderate, np.expm1(np.where(moderate, log_ratio, 0.0)) * p * q, np.exp(log_ratio + log_prior))
    extra = np.where(gain == 0.0, 0.0, gain / rest)
    unbounded = (log_ratio + log_prior >= 0.0) | (extra >= 1.0) | np.isposinf(log_ratio) | (rest == 0.0)
    multiplier = np.where(unbounded, np.inf, log_ratio - np.log1p(-np.where(unbounded, 0.0, extra)))
    return np.where(log_ratio < 0.0, log_ratio, multiplier)


def shares_of(p: Array, q: Array) -> tuple[Array, Array, Array]:
    """Return w, v and 1 - pq; w and v are arbitrary where pq = 1."""
    rest = (1.0 - p) + p * (1.0 - q)
    safe = np.where(rest > 0.0, rest, 1.0)
    return p * (1.0 - q) / safe, (1.0 - p) / safe, rest


def epsilons_of_multiplier(multiplier: Array, w: Array, v: Array, factor: float) -> Array:
    """Return epsilon = -log x with w x^c + v x = 1/theta for each log theta >= 0 of MULTIPLIER (inf: no bound)."""
    if factor == 1.0:
        return multiplier
    if factor < 1.0:  # in x^c the two terms are exchanged: v (x^c)^(1/c) + w x^c = 1/theta
        factor = max(factor, SMALLEST_FACTOR)
        swapped = np.minimum(epsilons_of_multiplier(multiplier, v, w, 1.0 / factor) / factor, HUGE)
        return np.where(np.isinf(multiplier), np.inf, swapped)
    finite = np.where(np.isinf(multiplier), 1.0, multiplier)
    return np.where(np.isinf(multiplier), np.inf, _solve_by_newton(finite, w, v, factor - 1.0))


def _solve_by_newton(multiplier: Array, w: Array, v: Array, excess: float) -> Array:
    """Return the root of e - log(v + w exp(-EXCESS e)) = log theta: increasing, concave, slope from 1 to c."""
    epsilon = multiplier / (1.0 + excess)  # left of the root, where Newton steps stay: the safe side
    for _ in range(MOST_STEPS):
        shift = -excess * epsilon
        near_zero = np.log1p(w * np.expm1(np.minimum(shift, 0.5)))
        level = np.where(np.abs(shift) < 0.5, near_zero, np.logaddexp(np.log(v), np.log(w) + shift))
        share = np.exp(np.log(w) + shift - level)
        step = (multiplier + level - epsilon) / (1.0 + excess * share)
        epsilon = epsilon + np.maximum(step, 0.0)
        if not np.any(step > 2.0 * UNIT * epsilon):
            break
    return epsilon


def slope_signs(
    losses: tuple[Array, Array, Array], log_ratio: Array, log_p: Array, log_q: Array, exponent: Array, along: str
) -> Array:
    """Return numbers with the sign of d budget / d prior, where the profile falls locally like prior^-exponent.

    LOSSES are -log x1, -log x2 and log(x1/x2); ALONG is the prior that moves. With R = 1/r*, the bound G = pq + p(1-q)
    x2 + (1-p) x1 - R has z dG/dz = pq (1 - x2) - [p (x1 - x2) if z is p] - exponent R, and the budget rises where G
    does.
    """
    first, second, difference = losses
    term = -np.expm1(-second) * _bounded_exp(log_ratio + log_p + log_q)
    if along == "p":
        gap = -np.expm1(-np.abs(difference))  # x1 - x2 is the larger of the two times gap, negative where x2 is larger
        p_term = _bounded_exp(log_ratio + log_p - np.minimum(first, second)) * gap
        term = term - np.where(np.isinf(first), 0.0, np.copysign(p_term, difference))
    return term - exponent


def _bounded_exp(x: Array) -> Array:
    return np.exp(np.minimum(x, LARGEST_EXPONENT))


class Inverse(ABC):
    """The inverse of a noise: the budget at which prior odds multiply by theta.

    A budget leaves the share x1 of an event's probability to absence and x2 to another value, 0 <= x2 <= x1 <= 1 for c
    >= 1, both decreasing in the budget; the odds multiply by at most theta exactly if w x2 + v x1 >= 1/theta. The
    reductions of docs/methods/relative_risk.md use no other property.
    """

    factor: float  # c: the distance of two values of one person over that of presence and absence
    tie: float  # relative: two minima with a smaller difference count as equal

    @abstractmethod
    def roots(self, multiplier: Array, w: Array, v: Array) -> Array:
        """Return the budgets at which the odds multiply by theta; MULTIPLIER is log theta >= 0, inf: no bound."""

    @abstractmethod
    def losses(self, budgets: Array) -> tuple[Array, Array, Array]:
        """Return -log x1, -log x2 and log(x1/x2) at finite budgets, each with full relative precision."""

    @abstractmethod
    def budget_errors(self, budgets: Array, moved: Array) -> Array:
        """Return the change of finite budgets when log theta changes by MOVED."""

    def budgets(self, multiplier: Array, p: Array, q: Array) -> Array:
        """Return the budgets at priors P and Q (0: the limit), inf if unbounded (Kazan & Reiter 2024, Theorem 2)."""
        w, v, rest = shares_of(p, q)
        # at p = q = 1 the prior of the disclosure is 1
        return np.where(rest > 0.0, self.roots(np.maximum(multiplier, 0.0), w, v), np.inf)


class PureLoss(Inverse):
    """Noise with a largest loss epsilon: x1 = e^-epsilon, x2 = e^(-c epsilon)."""

    tie = 64.0 * UNIT

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def roots(self, multiplier: Array, w: Array, v: Array) -> Array:
        return epsilons_of_multiplier(multiplier, w, v, self.factor)

    def losses(self, budgets: Array) -> tuple[Array, Array, Array]:
        return budgets, self.factor * budgets, (self.factor - 1.0) * budgets

    def budget_errors(self, budgets: Array, moved: Array) -> Array:
        return moved
