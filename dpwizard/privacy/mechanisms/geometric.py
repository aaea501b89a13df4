"""Two-sided geometric noise: P(k) = (1-a)/(1+a) a^|k| on whole numbers, a = e^-rate, and rate = 1/scale."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Context, Decimal
from fractions import Fraction
from functools import partial
from typing import ClassVar, Literal

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.numerics import decimal, down, largest, real, up
from dpwizard.privacy.mechanisms.base import DRAWN, MOST_STEPS, ULPS, LatticeNoise, Loss, NoiseName, PureNoise
from dpwizard.privacy.mechanisms.opendp import OpenDP
from dpwizard.privacy.mechanisms.simulation import GEOMETRIC, Simulation
from dpwizard.privacy.mechanisms.stated import Geometric, last_step

NEWTON_STEPS = 60  # Newton's method on a convex function; 4 to 6 are used
EXACT_DIGITS = 60  # of the decimal arithmetic that decides a whole-number half-width at an edge
EDGE = 1e-13  # relative distance from a whole number within which it is used
LARGEST_WHOLE = 1e13  # from here on a half-width is not rounded to whole: they differ by less than 1e-13 relative
FINEST = 1.7e308  # some noise is needed: the largest rate that can be written


class GeometricNoise(LatticeNoise, PureNoise):
    """Two-sided geometric noise: whole steps, for counts."""

    name: ClassVar[Literal["geometric"]] = "geometric"
    rival: ClassVar[NoiseName] = "discrete_gaussian"
    own_ends: ClassVar[tuple[float, float]] = (math.inf, 0.0)
    opendp: ClassVar[OpenDP] = OpenDP(words="two-sided geometric", maker="then_laplace")
    simulation: ClassVar[Simulation] = GEOMETRIC

    def stated(self, scale: float, sensitivity: float) -> Geometric:
        return Geometric(rate=1 / scale, sensitivity=sensitivity)

    def steps(self, sensitivity: float) -> int:
        if not sensitivity.is_integer() or sensitivity > 1e15:
            raise InvalidInput(
                message("must be a whole number up to 1e15 for geometric noise; found {found:.15g}", found=sensitivity),
                "sensitivity",
                "Round it up, or use laplace.",
            )
        return int(sensitivity)

    # ------------------------------------------------------------------------------------- distribution

    def sd(self, scale: float) -> float:
        if scale == 0.0 or math.isinf(scale):
            return scale
        rate = 1.0 / scale
        return math.sqrt(2.0) * math.exp(-rate / 2) / -math.expm1(-rate)  # variance 2a/(1-a)^2

    def mean_absolute(self, scale: float) -> float:
        if scale == 0.0 or math.isinf(scale):
            return scale
        rate = 1.0 / scale
        return 2.0 * math.exp(-rate) / -math.expm1(-2.0 * rate)  # 2a/(1-a^2)

    def exact_mass(self, scale: float) -> float:
        return 1.0 if scale == 0.0 else math.tanh(0.5 / scale)  # (1-a)/(1+a)

    def height(self, scale: float, x: float) -> float:
        return math.tanh(0.5 / scale) * math.exp(-abs(x) / scale)

    def log_tail(self, scale: float, x: float) -> float:
        rate, k = 1.0 / scale, math.floor(x)
        steps = -k if x < 0.0 else k + 1  # P(K <= k) = a^-k/(1+a) for k < 0; P(K > k) = a^(k+1)/(1+a) for k >= 0
        return -steps * rate - math.log1p(math.exp(-rate))

    def drawn_half_width(self, scale: float) -> float:
        half = max(0, math.ceil(-scale * math.log((1 - DRAWN) / 2 * (1 + math.exp(-1 / scale))) - 1 - 1e-9))
        while self.within(scale, half) < DRAWN:
            half += 1
        return float(half)

    def half_width(self, scale: float, epsilon: float, sensitivity: float, level: float) -> tuple[float, float]:
        """Return the smallest whole h with 1 - 2 a^(h+1)/(1+a) >= LEVEL in (0, 1), and that probability."""
        rate = epsilon / sensitivity
        half = math.log1p(math.expm1(-rate) / 2)  # log((1 + a)/2)
        needed = -(math.log1p(-level) + half) / rate  # the condition is (h + 1) u >= needed u
        if needed >= LARGEST_WHOLE:
            return needed, level if math.isfinite(needed) else 1.0
        h, nearest = max(math.ceil(needed), 1) - 1, round(needed)
        if abs(needed - nearest) <= EDGE * max(1.0, nearest):
            h = max(nearest if _falls_short(epsilon, sensitivity, level, nearest) else nearest - 1, 0)
        return float(h), -math.expm1(-(h + 1) * rate - half)  # 1 - 2 a^(h+1)/(1+a)

    def parameters(self, scale: float) -> Mapping[str, float]:
        alpha = up(math.exp(-1 / scale), 2) if scale else 0.0  # the larger, the more noise
        return {"alpha": alpha} if alpha < 1.0 else {}  # next to 1 no number says it

    # ---------------------------------------------------------- the smallest epsilon that is accurate enough

    def epsilon_for_sd(self, at_most: float, sensitivity: float, delta: float) -> float:
        return up(2.0 * _asinh_of_inverse(math.sqrt(2.0) * at_most) * sensitivity, ULPS)  # sd = 1/(sqrt 2 sinh(u/2))

    def epsilon_for_mean_absolute(self, at_most: float, sensitivity: float, delta: float) -> float:
        return up(_asinh_of_inverse(at_most) * sensitivity, ULPS)  # mean absolute error 2a/(1-a^2) = 1/sinh(u)

    def epsilon_for_half_width(self, half_width: float, level: float, sensitivity: float, delta: float) -> float:
        return up(rate_for(math.floor(half_width), -math.log1p(-level)) * sensitivity, ULPS)

    def epsilon_for_exact_mass(self, at_least: float, sensitivity: float, delta: float = 0.0) -> float:
        return up((math.log1p(at_least) - math.log1p(-at_least)) * sensitivity, ULPS)  # (1-a)/(1+a) = tanh(u/2)

    def epsilon_for_steps(self, steps: int, at_most: float, sensitivity: float, delta: float) -> float:
        twice = math.log(2.0 * at_most) if at_most < 0.25 else math.log1p(2.0 * at_most - 1.0)
        one = up(rate_for(min(steps, MOST_STEPS) - 1, -twice), ULPS)  # a^steps/(1+a) = at_most
        return one if sensitivity == 1.0 else up(one * sensitivity, 2)

    # ------------------------------------------------------------------------------------- privacy loss

    def loss(self, shift: float, steps: int = 1) -> Loss:
        return Loss(
            partial(geometric_within, shift, steps),
            partial(geometric_exceedance, shift, steps),
            partial(geometric_delta, shift, steps),
        )

    def least_error(self, epsilon: float, sensitivity: float, delta: float, step: float) -> float | None:
        steps = sensitivity / step
        if steps % 2 == 1:
            return math.exp(-epsilon / steps * (steps + 1) / 2) / (1.0 + math.exp(-epsilon / steps))
        return 0.5 * math.exp(-epsilon / 2) if steps.is_integer() else None  # of an even number, as of Laplace noise

    # Its own terms are a rate: the largest that suffices, never above the true one.

    def least(self, sensitivity: float, epsilon: float, delta: float) -> float:
        """Return the largest rate with P[k < (s - e/rate)/2] <= DELTA; below delta = 1/2 that is e/s.

        Infinite where no noise is needed, 0 where no rate suffices.
        """
        if sensitivity == 0.0 or math.isinf(epsilon) or delta == 1.0:
            return math.inf
        base = min(FINEST, down(real(Fraction(epsilon) / Fraction(sensitivity))))
        if delta <= 0.5:
            return base  # the chance is above 1/2 as soon as any loss exceeds epsilon
        keep = math.log1p(1.0 - 2.0 * delta)  # log of 2 (1 - delta)

        def holds(rate: float) -> bool:
            if rate <= base:
                return True
            beyond = last_step(rate, sensitivity, epsilon) + 1
            # log of 2 a^beyond / (1+a)
            return -real(Fraction(rate) * beyond) - math.log1p(0.5 * math.expm1(-rate)) >= keep

        top = max(base, math.log(delta / (1.0 - delta)) * (1.0 + 1e-9))  # even one step is too likely beyond it
        return down(largest(holds, base, top)) if top > base else base

    def as_scale(self, own: float) -> float:
        return 1.0 / own

    def largest_epsilon(self, own: float, sensitivity: float, delta: float) -> float:
        return down(sensitivity * own, 2)  # alpha = e^-rate, and epsilon = rate * sensitivity


def _asinh_of_inverse(x: float) -> float:
    """Return asinh(1/x) for x > 0 without overflow."""
    return math.asinh(1.0 / x) if x > 1.0 else math.log1p(math.hypot(1.0, x)) - math.log(x)


def rate_for(whole: int, target: float) -> float:
    """Return u >= 0 with whole u + log((1 + e^u)/2) = TARGET >= 0: 2 a^(whole+1)/(1+a) = e^-target, a = e^-u.

    The left side is convex and at least (whole + 1/2) u, so Newton's method started at target/(whole + 1/2)
    comes down to the root and never crosses it but by rounding.
    """
    u = target / (whole + 0.5)
    for _ in range(NEWTON_STEPS):
        value = whole * u + (math.log1p(math.expm1(u) / 2) if u < 1.0 else u - math.log(2.0) + math.log1p(math.exp(-u)))
        step = (value - target) / (whole + 1.0 / (1.0 + math.exp(-u)))
        u -= step
        if step <= 1e-16 * u:
            break
    return u


def _falls_short(epsilon: float, sensitivity: float, level: float, steps: int) -> bool:
    """Return whether 1 - 2 a^steps/(1+a) < LEVEL, in decimals: never a tie, since e^u is irrational for rational u."""
    context = Context(prec=EXACT_DIGITS)
    rate = context.divide(Decimal(repr(epsilon)), Decimal(repr(sensitivity)))
    powers = [context.exp(context.multiply(context.minus(rate), Decimal(count))) for count in (1, steps)]
    outside = context.divide(context.multiply(Decimal(2), powers[1]), context.add(Decimal(1), powers[0]))
    return context.subtract(Decimal(1), outside) < Decimal(repr(level))


# ----------------------------------------------------- privacy loss of one release, for the worst fixed pair


def _geometric_split(level: float, shift: float, epsilon: float) -> int:
    """Return m, the number of outputs from the truth on that lose more than EPSILON: u (D - 2k) > epsilon for k < m.

    The ceiling of (D - epsilon/u)/2, u = eps0/D, is taken in rationals: numbers count as the decimals they are written
    as.
    """
    exact = decimal(shift)
    return math.ceil((exact - exact * decimal(epsilon) / decimal(level)) / 2)


def geometric_exceedance(level: float, shift: float, epsilon: float) -> float:
    """Return P(loss > epsilon) of a geometric release with rate eps0/D (LEVEL eps0, whole SHIFT D); exact, strict."""
    if epsilon >= level:
        return 0.0
    if epsilon < -level:
        return 1.0
    if math.isinf(level):
        return 1.0
    m, rate = _geometric_split(level, shift, epsilon), level / shift
    below = math.exp(-rate * max(m, 1 - m) - math.log1p(math.exp(-rate)))
    return 1.0 - below if m >= 1 else below  # P(K <= m-1): 1 - a^m/(1+a), or a^(1-m)/(1+a)


def geometric_delta(level: float, shift: float, epsilon: float) -> float:
    """Return delta(epsilon) of a geometric release with rate eps0/D (LEVEL eps0, whole SHIFT D), epsilon >= 0.

    1 - a^m/(1+a) - e^eps a^(D-m+1)/(1+a) with m outputs above epsilon, written as a sum of positive terms: 1e-15
    relative.
    """
    if epsilon >= level:
        return 0.0
    if math.isinf(level):
        return 1.0
    m, rate = _geometric_split(level, shift, epsilon), level / shift
    scale = 1.0 + math.exp(-rate)
    if m == 1:
        return -math.expm1(epsilon - level) / scale
    rest = (level - epsilon) - rate * m  # u (D - m) - epsilon >= 0
    return (-math.expm1(-rate * m) - math.exp(-rate) * math.expm1(-max(0.0, rest))) / scale


def geometric_within(level: float, steps: int, epsilon: float) -> float:
    """Return the smallest P(|loss| <= EPSILON) among the shifts 1..STEPS of a geometric release with rate LEVEL/STEPS.

    A shift d has (a^z - a^(d-z+1))/(1+a), z = ceil((d - epsilon/u)/2), or 1 where d u <= epsilon. From d to d + 2 it
    falls by the factor a, so the two largest shifts contain the worst. The ceiling is taken in rationals.
    """
    if epsilon >= level:
        return 1.0
    if math.isinf(level):
        return 0.0
    reach = decimal(epsilon) * steps / decimal(level)  # epsilon/u, exact
    return min(_shift_within(level / steps, shift, reach) for shift in {max(1, steps - 1), steps})


def _shift_within(unit: float, shift: int, reach: Fraction) -> float:
    if shift <= reach:
        return 1.0
    z = math.ceil((shift - reach) / 2)
    return mass_between(unit, z, shift - 2 * z + 1)


def mass_between(unit: float, z: int, width: int) -> float:
    """Return (a^z - a^(z+width))/(1+a), a = e^-UNIT: the mass of WIDTH outputs from the z-th on."""
    return math.exp(-unit * z) * -math.expm1(-unit * width) / (1.0 + math.exp(-unit))
