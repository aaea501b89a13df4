"""One release of one number as it is stated to the public functions that judge what its output tells.

Each knows its privacy loss, log P(output | truth) / P(output | neighbour) with the output drawn under the truth.
Arguments that may cancel are formed in rationals, so that huge and tiny scales cost no digits.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from dpwizard.base.errors import Infeasible, InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.numerics import UNIT, normal_cdf, real
from dpwizard.base.values import NonNegative, Positive, Probability, Value, field
from dpwizard.privacy.mechanisms.laws import NOTHING, Atoms, Clipped, Law, Normal

TIE = 8 * UNIT  # a loss this close to epsilon, relative, counts as equal to it: decimals such as 0.3/0.1 are not exact
ROW_SUM = 1e-9  # how far a table's row may be from summing to 1
MOST_STEPS = 2_000_000  # atoms of one geometric loss that a sum may run over
NEGLIGIBLE = 45.0  # e^-45 is less than 3e-20: noise beyond it is left out of sums


class StatedRelease(Value, ABC):
    """What all statements of a release answer."""

    blur: ClassVar[float] = 0.0  # how far the statement itself blurs a loss, besides the rounding of its figures

    def check(self, where: str = "mechanism") -> None:
        """Raise InvalidInput where the figures contradict one another; WHERE names this release."""

    def split(self, epsilon: float, slack: float = 0.0) -> tuple[float, float]:
        """Return P(loss > EPSILON) and P(loss <= EPSILON), each to 1e-15; SLACK widens what counts as a tie."""
        if math.isinf(epsilon):
            return (0.0, 1.0) if epsilon > 0 else (1.0, 0.0)
        return self._split(epsilon, epsilon + TIE * abs(epsilon) + slack)

    @abstractmethod
    def _split(self, epsilon: float, limit: float) -> tuple[float, float]:
        """Return the same for a finite EPSILON; a loss up to LIMIT counts as within."""

    @abstractmethod
    def hockey_stick(self, epsilon: float) -> float:
        """Return sup over events E of P(E | truth) - e^EPSILON P(E | neighbour), to 1e-15."""

    @abstractmethod
    def law(self, where: str) -> Law:
        """Return the law of the loss; raises Infeasible, naming WHERE, where it has more than two million values."""


class StatedNoise(StatedRelease):
    """Noise on one number, and how far the number moves: symmetric, so either direction of the pair loses the same."""

    sensitivity: NonNegative = field("Sensitivity", default=1.0)

    def _split(self, epsilon: float, limit: float) -> tuple[float, float]:
        if self.sensitivity == 0.0:
            return (0.0, 1.0) if limit >= 0.0 else (1.0, 0.0)
        return self._split_moved(epsilon, limit)

    def hockey_stick(self, epsilon: float) -> float:
        if math.isinf(epsilon):
            return 0.0
        if epsilon < 0.0:
            return min(1.0, -math.expm1(epsilon) + math.exp(epsilon) * self.hockey_stick(-epsilon))
        return 0.0 if self.sensitivity == 0.0 else self._hockey_stick_moved(epsilon)

    def law(self, where: str) -> Law:
        return NOTHING if self.sensitivity == 0.0 else self._law_moved(where)

    @abstractmethod
    def _split_moved(self, epsilon: float, limit: float) -> tuple[float, float]: ...

    @abstractmethod
    def _hockey_stick_moved(self, epsilon: float) -> float: ...

    @abstractmethod
    def _law_moved(self, where: str) -> Law: ...


class Laplace(StatedNoise):
    """Laplace noise on one number: density exp(-|x|/scale) / (2 scale)."""

    kind: Literal["laplace"] = "laplace"
    scale: Positive = field("Noise scale", default=...)

    def _split_moved(self, epsilon: float, limit: float) -> tuple[float, float]:
        full = self.sensitivity / self.scale
        if limit >= full:
            return 0.0, 1.0
        if limit < -full:
            return 1.0, 0.0
        # docs/methods/persuasive_privacy.md: 1 - 1/2 e^(-(eps0 - eps)/2)
        within = 0.5 * math.exp(-max(0.0, self._gap(epsilon)) / 2)
        return 1.0 - within, within

    def _gap(self, epsilon: float) -> float:
        """Return eps0 - eps, formed exactly: both may be large and close."""
        scale = Fraction(self.scale)
        return real((Fraction(self.sensitivity) - Fraction(epsilon) * scale) / scale)

    def _hockey_stick_moved(self, epsilon: float) -> float:
        # docs/methods/privacy_at_risk.md: 1 - e^(-(eps0-eps)/2)
        return max(0.0, -math.expm1(-max(0.0, self._gap(epsilon)) / 2))

    def _law_moved(self, where: str) -> Law:
        return Clipped(full=self.sensitivity / self.scale)


class Geometric(StatedNoise):
    """Two-sided geometric noise on a whole number: P(k) proportional to exp(-rate |k|)."""

    kind: Literal["geometric"] = "geometric"
    rate: Positive = field("Rate", default=...)

    def _split_moved(self, epsilon: float, limit: float) -> tuple[float, float]:
        full = self.rate * self.sensitivity
        if limit >= full:
            return 0.0, 1.0
        if limit < -full:
            return 1.0, 0.0
        within = geometric_above(self.rate, last_step(self.rate, self.sensitivity, limit))
        return 1.0 - within, within

    def _hockey_stick_moved(self, epsilon: float) -> float:
        """Return 1 - a^(z+1)/(1+a) - e^eps a^(D-z)/(1+a) in terms none of which is negative (privacy_at_risk.md)."""
        rate, s = self.rate, self.sensitivity
        z = last_step(rate, s, epsilon)
        if z < 0:
            return 0.0
        a = math.exp(-rate)
        far = real(Fraction(epsilon) - Fraction(rate) * (Fraction(s) - z))  # log of e^eps a^(D-z), below that of a^z
        if z == 0:
            return max(0.0, -math.expm1(far) / (1.0 + a))
        first = -math.expm1(-real(Fraction(rate) * (z + 1)))  # 1 - a^(z+1)
        return max(0.0, (first + a * -math.expm1(min(0.0, far + rate))) / (1.0 + a))

    def _law_moved(self, where: str) -> Law:
        rate, s = self.rate, self.sensitivity
        last = min(float(math.ceil(s)), NEGLIGIBLE / rate + 1.0)  # noise of at least s is one atom
        if last > MOST_STEPS:
            raise Infeasible(
                message("the loss takes more than {most:,} values, too many to add up exactly", most=MOST_STEPS),
                where,
                "Describe noise this fine as Laplace noise of scale 1/rate.",
            )
        alpha, steps = math.exp(-rate), math.ceil(last)
        losses = [rate * (s - 2 * k) if k < s else -rate * s for k in range(steps, -1, -1)]
        masses = [alpha**k * -math.expm1(-rate) / (1.0 + alpha) for k in range(steps - 1, 0, -1)]
        if math.isinf(losses[-1]):
            losses = [math.inf if loss > 0 else -math.inf for loss in losses]
        return Atoms(losses=tuple(losses), masses=(alpha**steps / (1.0 + alpha), *masses, 1.0 / (1.0 + alpha)))


class Gaussian(StatedNoise):
    """Gaussian noise on one number."""

    kind: Literal["gaussian"] = "gaussian"
    sd: Positive = field("Standard deviation", default=...)

    def _split_moved(self, epsilon: float, limit: float) -> tuple[float, float]:
        z = self._argument(epsilon)  # docs/methods/persuasive_privacy.md: Phi(rho/2 - eps/rho)
        return normal_cdf(z), normal_cdf(-z)

    def _argument(self, epsilon: float) -> float:
        """Return rho/2 - eps/rho with rho = sensitivity/sd, formed exactly."""
        s, sd = Fraction(self.sensitivity), Fraction(self.sd)
        return real((s * s - 2 * Fraction(epsilon) * sd * sd) / (2 * s * sd))

    def _hockey_stick_moved(self, epsilon: float) -> float:
        from scipy.special import erfcx

        rho = self.sensitivity / self.sd
        z = -self._argument(epsilon)  # eps/rho - rho/2
        if rho == 0.0 or z > 40.0:
            return 0.0
        if z < -40.0:
            return 1.0
        if rho < 0.5:
            return _small_shift(rho, z)
        near = float(erfcx((z + rho) / math.sqrt(2.0)))  # e^eps Phi(-eps/rho - rho/2) = 1/2 e^(-z^2/2) erfcx(..)
        return max(0.0, normal_cdf(-z) - 0.5 * math.exp(-z * z / 2) * near)

    def _law_moved(self, where: str) -> Law:
        rho = self.sensitivity / self.sd
        return Normal(rho=rho) if rho > 0.0 else NOTHING


class Table(StatedRelease):
    """A mechanism given by what it publishes: the chance of each output under the truth and under its neighbour."""

    blur: ClassVar[float] = UNIT * 8

    kind: Literal["table"] = "table"
    px: tuple[Probability, ...] = field("The truth's row", default=...)
    pxp: tuple[Probability, ...] = field("The neighbour's row", default=...)

    def check(self, where: str = "mechanism") -> None:
        """Raise InvalidInput where the rows differ in length or do not sum to 1 within 1e-9."""
        if len(self.px) != len(self.pxp):
            raise InvalidInput(
                message(
                    "must have as many entries as px; found {one} and {other}", one=len(self.pxp), other=len(self.px)
                ),
                f"{where}.pxp",
                "Give one probability for each output in both rows.",
            )
        for name, row in (("px", self.px), ("pxp", self.pxp)):
            total = math.fsum(row)
            if not abs(total - 1.0) <= ROW_SUM:
                raise InvalidInput(
                    message("must sum to 1; found {found:.12g}", found=total),
                    f"{where}.{name}",
                    "Give the probability of every output.",
                )

    def _split(self, epsilon: float, limit: float) -> tuple[float, float]:
        limit += TIE
        above = math.fsum(p for p, q in self._pairs() if p > 0 and log_ratio(p, q) > limit)
        return min(above, 1.0), max(0.0, 1.0 - above)

    def hockey_stick(self, epsilon: float) -> float:
        terms = []
        for p, q in self._pairs():
            if q == 0.0:
                terms.append(p)
            elif p > 0.0 and epsilon < log_ratio(p, q):
                terms.append(p * -math.expm1(epsilon - log_ratio(p, q)))  # p - e^eps q
        return min(1.0, math.fsum(terms))

    def law(self, where: str) -> Law:
        pairs = sorted((log_ratio(p, q), p) for p, q in self._pairs() if p > 0)
        return Atoms(losses=tuple(loss for loss, _ in pairs), masses=tuple(p for _, p in pairs))

    def _pairs(self) -> tuple[tuple[float, float], ...]:
        return tuple(zip(self.px, self.pxp, strict=True))


Stated = Annotated[Laplace | Geometric | Gaussian | Table, Field(discriminator="kind")]


def log_ratio(p: float, q: float) -> float:
    """Return log(p/q) for p > 0 and q >= 0, accurate where p and q are close."""
    if q == 0.0:
        return math.inf
    return math.log1p((p - q) / q) if 0.5 <= p / q <= 2.0 else math.log(p) - math.log(q)


def last_step(rate: float, sensitivity: float, epsilon: float) -> int:
    """Return the largest whole noise k with loss rate (sensitivity - 2k) > EPSILON, for -eps0 <= EPSILON < eps0."""
    return math.ceil((Fraction(sensitivity) - Fraction(epsilon) / Fraction(rate)) / 2) - 1


def geometric_above(rate: float, k: int) -> float:
    """Return P(noise > k) for k >= -1: alpha^(k+1) / (1 + alpha) with alpha = e^-rate."""
    return math.exp(-real(Fraction(rate) * (k + 1))) / (1.0 + math.exp(-rate))


def _small_shift(rho: float, z: float) -> float:
    """The same as an integral without cancellation: int_0^inf phi(z + y) (1 - e^(-rho y)) dy."""
    import numpy as np

    width = min(9.0, 40.0 / z) if z > 0 else 9.0
    nodes, weights = np.polynomial.legendre.leggauss(64)
    y = 0.5 * width * (nodes + 1.0)
    inside = np.exp(-z * y - 0.5 * y * y) * -np.expm1(-rho * y)
    return float(np.dot(weights, inside)) * 0.5 * width * math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
