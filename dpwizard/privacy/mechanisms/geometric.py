"""Two-sided geometric noise: P(k) = (1-a)/(1+a) a^|k| on whole numbers, a = e^-rate, and rate = 1/scale."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from typing import ClassVar, Literal

from dpwizard.base.errors import Infeasible, InvalidInput
from dpwizard.base.numerics import decimal, down, largest, real, up
from dpwizard.base.values import Positive, field
from dpwizard.privacy.mechanisms.base import LatticeNoise, PointwiseLossNoise, PureNoise
from dpwizard.privacy.mechanisms.losses import DiscretePld, NoiseLoss, StatedNoise
from dpwizard.privacy.mechanisms.source_code import GEOMETRIC, OpenDP, Simulation

MOST_ATOMS = 2_000_000  # the most atoms of one loss in a sum
NEGLIGIBLE = 45.0  # e^-45 < 3e-20: noise with smaller probabilities is left out of sums
NO_LOSS = DiscretePld(losses=(0.0,), masses=(1.0,))
EXACT_DIGITS = 60  # the digits of the decimal arithmetic for a half-width near a whole number
EDGE = 1e-13  # relative distance from a whole number within which that is used
LARGEST_WHOLE = 1e13  # a larger half-width is not rounded to whole: the difference is below 1e-13 relative
LARGEST_RATE = 1.7e308  # the largest rate, if some noise is needed


@dataclass(frozen=True)
class GeometricLoss(NoiseLoss):
    """The loss of two-sided geometric noise, LEVEL for a full shift of STEPS steps: u = LEVEL/STEPS per step.

    An output k steps from the true value towards the neighbouring one loses u (STEPS - 2k), between -LEVEL and LEVEL.
    Numbers are read as the decimals they are written as: whether a loss exceeds EPSILON is decided in rationals.
    """

    level: float  # eps0, in [0, inf]
    steps: float  # D; if it is not whole, probabilities are on the safe side

    def split(self, epsilon: float) -> tuple[float, float]:
        if epsilon >= self.level:
            return 0.0, 1.0
        if epsilon < -self.level or math.isinf(self.level):
            return 1.0, 0.0
        m = self._outputs_above(epsilon)
        tail = math.exp(-self._rate * max(m, 1 - m) - math.log1p(math.exp(-self._rate)))
        # P(K <= m - 1) is 1 - a^m/(1+a), or a^(1-m)/(1+a)
        return (1.0 - tail, tail) if m >= 1 else (tail, 1.0 - tail)

    def delta(self, epsilon: float) -> float:
        """Return 1 - a^m/(1+a) - e^eps a^(D-m+1)/(1+a), m outputs losing more, as a sum of positive terms."""
        if epsilon >= self.level:
            return 0.0
        if math.isinf(self.level):
            return 1.0
        m, rate = self._outputs_above(epsilon), self._rate
        one_plus_a = 1.0 + math.exp(-rate)
        if m == 1:
            return -math.expm1(epsilon - self.level) / one_plus_a
        rest = (self.level - epsilon) - rate * m  # u (D - m) - epsilon >= 0
        return (-math.expm1(-rate * m) - math.exp(-rate) * math.expm1(-max(0.0, rest))) / one_plus_a

    def within(self, epsilon: float) -> float:
        """Return the smallest P(|loss| <= EPSILON) among the shifts 1..D.

        A shift d has (a^z - a^(d-z+1))/(1+a), z = ceil((d - epsilon/u)/2), or 1 where d u <= epsilon. From d to d + 2
        it falls by the factor a, so one of the two largest shifts is the worst.
        """
        if epsilon >= self.level:
            return 1.0
        if math.isinf(self.level):
            return 0.0
        steps = int(self.steps)
        reach = decimal(epsilon) * steps / decimal(self.level)  # epsilon/u, exact
        return min(_mass_within(self._rate, shift, reach) for shift in {max(1, steps - 1), steps})

    def summand(self, where: str) -> DiscretePld:
        rate, s = self._rate, self.steps
        last = min(float(math.ceil(s)), NEGLIGIBLE / rate + 1.0) if rate else 0.0  # all noise from s on is one atom
        if last > MOST_ATOMS:
            raise Infeasible(
                "the loss takes more than {most:,} values, too many to add up exactly",
                where,
                "Describe noise this fine as Laplace noise of scale 1/rate.",
                most=MOST_ATOMS,
            )
        if last == 0.0:
            return NO_LOSS
        alpha, steps = math.exp(-rate), math.ceil(last)
        losses = [rate * (s - 2 * k) if k < s else -rate * s for k in range(steps, -1, -1)]
        masses = [alpha**k * -math.expm1(-rate) / (1.0 + alpha) for k in range(steps - 1, 0, -1)]
        if math.isinf(losses[-1]):
            losses = [math.inf if loss > 0 else -math.inf for loss in losses]
        return DiscretePld(losses=tuple(losses), masses=(alpha**steps / (1.0 + alpha), *masses, 1.0 / (1.0 + alpha)))

    @property
    def _rate(self) -> float:
        return self.level / self.steps if self.steps else 0.0

    def _outputs_above(self, epsilon: float) -> int:
        """Return how many outputs k >= 0 lose more than EPSILON, u (D - 2k) > epsilon: ceil((D - epsilon/u)/2)."""
        steps = decimal(self.steps)
        return math.ceil((steps - steps * decimal(epsilon) / decimal(self.level)) / 2)


class Geometric(StatedNoise):
    """Two-sided geometric noise on a whole number: P(k) proportional to exp(-rate |k|)."""

    kind: Literal["geometric"] = "geometric"
    rate: Positive = field("Rate", default=...)

    @property
    def loss(self) -> GeometricLoss:
        return GeometricLoss(self.rate * self.sensitivity, self.sensitivity)


@dataclass(frozen=True)
class TwoSidedGeometric(LatticeNoise, PureNoise):
    """The base of mechanisms that add two-sided geometric noise, whatever they do with the sum."""

    rival: ClassVar[str] = "discrete_gaussian"
    simulation: ClassVar[Simulation] = GEOMETRIC

    def steps(self, sensitivity: float) -> int:
        if not sensitivity.is_integer() or sensitivity > 1e15:
            raise InvalidInput(
                "must be a whole number up to 1e15 for geometric noise; found {found:.15g}",
                "sensitivity",
                "Round it up, or use laplace.",
                found=sensitivity,
            )
        return int(sensitivity)

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

    def half_width(self, scale: float, epsilon: float, sensitivity: float, level: float) -> tuple[float, float]:
        """Return the smallest whole h with 1 - 2 a^(h+1)/(1+a) >= LEVEL in (0, 1), and that probability."""
        rate = epsilon / sensitivity
        half = math.log1p(math.expm1(-rate) / 2)  # log((1 + a)/2)
        needed = -(math.log1p(-level) + half) / rate  # the condition is (h + 1) u >= needed u
        if needed >= LARGEST_WHOLE:
            return needed, level if math.isfinite(needed) else 1.0
        h, nearest = max(math.ceil(needed), 1) - 1, round(needed)
        if abs(needed - nearest) <= EDGE * max(1.0, nearest):
            h = max(nearest if _holds_less_than(epsilon, sensitivity, level, nearest) else nearest - 1, 0)
        return float(h), -math.expm1(-(h + 1) * rate - half)  # 1 - 2 a^(h+1)/(1+a)

    def parameters(self, scale: float) -> Mapping[str, float]:
        alpha = up(math.exp(-1 / scale), 2) if scale else 0.0  # a larger alpha is more noise
        return {"alpha": alpha} if alpha < 1.0 else {}  # 1 would be infinite noise


@dataclass(frozen=True)
class GeometricNoise(TwoSidedGeometric, PointwiseLossNoise):
    """Two-sided geometric noise: integer-valued, for counts."""

    name: ClassVar[str] = "geometric"
    loss_ends: ClassVar[tuple[float, float]] = (math.inf, 0.0)
    opendp: ClassVar[OpenDP] = OpenDP(words="two-sided geometric", maker="then_laplace")
    statement: ClassVar[type[StatedNoise]] = Geometric

    def stated(self, scale: float, sensitivity: float) -> Geometric:
        return Geometric(rate=1 / scale, sensitivity=sensitivity)

    def loss(self, shift: float, steps: float = 1) -> GeometricLoss:
        return GeometricLoss(shift, steps)

    def least(self, sensitivity: float, epsilon: float, delta: float) -> float:
        """Return the largest rate with P[k < (s - e/rate)/2] <= DELTA; below delta = 1/2 that is e/s.

        The rate is its own parameter: never above the true one, infinite if no noise is needed, 0 if no rate suffices.
        """
        if sensitivity == 0.0 or math.isinf(epsilon) or delta == 1.0:
            return math.inf
        least_rate = min(LARGEST_RATE, down(real(Fraction(epsilon) / Fraction(sensitivity))))
        if delta <= 0.5:
            return least_rate  # if any loss exceeds epsilon, its probability is above 1/2
        log_twice_rest = math.log1p(1.0 - 2.0 * delta)  # log of 2 (1 - delta)

        def keeps_delta(rate: float) -> bool:
            if rate <= least_rate:
                return True
            outputs = math.ceil((Fraction(sensitivity) - Fraction(epsilon) / Fraction(rate)) / 2)  # with a larger loss
            # log of 2 a^outputs / (1+a)
            return -real(Fraction(rate) * outputs) - math.log1p(0.5 * math.expm1(-rate)) >= log_twice_rest

        high = max(least_rate, math.log(delta / (1.0 - delta)) * (1.0 + 1e-9))  # above it even one step is too likely
        return down(largest(keeps_delta, least_rate, high)) if high > least_rate else least_rate

    def as_scale(self, budget: float) -> float:
        return 1.0 / budget

    def largest_epsilon(self, scale: float, sensitivity: float, delta: float) -> float:
        return down(sensitivity * scale, 2)  # alpha = e^-rate, and epsilon = rate * sensitivity


def _holds_less_than(epsilon: float, sensitivity: float, level: float, steps: int) -> bool:
    """Return whether 1 - 2 a^steps/(1+a) < LEVEL, in decimals: never a tie, as e^u is irrational for rational u."""
    context = Context(prec=EXACT_DIGITS)
    rate = context.divide(Decimal(repr(epsilon)), Decimal(repr(sensitivity)))
    powers = [context.exp(context.multiply(context.minus(rate), Decimal(count))) for count in (1, steps)]
    outside = context.divide(context.multiply(Decimal(2), powers[1]), context.add(Decimal(1), powers[0]))
    return context.subtract(Decimal(1), outside) < Decimal(repr(level))


def _mass_within(unit: float, shift: int, reach: Fraction) -> float:
    if shift <= reach:
        return 1.0
    z = math.ceil((shift - reach) / 2)
    return mass_between(unit, z, shift - 2 * z + 1)


def mass_between(unit: float, z: int, width: int) -> float:
    """Return (a^z - a^(z+width))/(1+a), a = e^-UNIT: the mass of WIDTH outputs from the z-th on."""
    return math.exp(-unit * z) * -math.expm1(-unit * width) / (1.0 + math.exp(-unit))
