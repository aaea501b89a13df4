"""Gaussian noise: its exact calibration at a delta, and its privacy loss."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal

from dpwizard.base.numerics import UNIT, largest, normal_cdf, normal_quantile, smallest, up
from dpwizard.base.values import Positive, field
from dpwizard.privacy.mechanisms.base import CalibratedNoise, ContinuousNoise
from dpwizard.privacy.mechanisms.calibration import Calibration
from dpwizard.privacy.mechanisms.losses import NoiseLoss, StatedNoise
from dpwizard.privacy.mechanisms.normal import FARTHEST, gaussian_delta_at, gaussian_error, log_normal_tail
from dpwizard.privacy.mechanisms.source_code import BY_ZCDP, GAUSSIAN, OpenDP, Simulation
from dpwizard.privacy.quadrature import continuous_rule


@dataclass(frozen=True)
class Analytic(Calibration):
    """The calibration by the exact curve of Gaussian noise, for any number of figures (Balle & Wang 2018)."""

    normal: ClassVar[bool] = True

    def mu(self, epsilon: float, delta: float) -> float:
        return gaussian_mu(epsilon, delta)

    def epsilon(self, mu: float, delta: float) -> float:
        return gaussian_epsilon(mu, delta)


ANALYTIC = Analytic()


@dataclass(frozen=True)
class GaussianLoss(NoiseLoss):
    """The loss of Gaussian noise: normal, with mean MU^2/2 and variance MU^2."""

    mu: float  # the shift over the standard deviation, in [0, inf)

    def split(self, epsilon: float) -> tuple[float, float]:
        if self.mu == 0.0:
            return (1.0, 0.0) if epsilon < 0.0 else (0.0, 1.0)
        z = self.mu / 2 - epsilon / self.mu
        return normal_cdf(z), normal_cdf(-z)

    def delta(self, epsilon: float) -> float:
        return gaussian_delta(self.mu, epsilon)

    def within(self, epsilon: float) -> float:
        """Return Phi(epsilon/mu - mu/2) - Phi(-epsilon/mu - mu/2)."""
        if self.mu == 0.0 or math.isinf(epsilon):
            return 1.0
        half, shift = epsilon / self.mu, self.mu / 2
        if math.isinf(half):
            return 1.0
        # if the two terms nearly cancel: 2 phi(mu/2) int_0^half cosh(mu t/2) e^(-t^2/2) dt
        if half < 0.5 and half * shift < 0.5:
            total = math.fsum(
                w * math.cosh(shift * half * x) * math.exp(-((half * x) ** 2) / 2) for x, w in continuous_rule()
            )
            return 2.0 * half * math.exp(-shift * shift / 2) / math.sqrt(2.0 * math.pi) * total
        near, far = (half - shift) / math.sqrt(2.0), (half + shift) / math.sqrt(2.0)
        if near < 0.0:
            return 0.5 * (math.erfc(-near) - math.erfc(far))
        return 1.0 - 0.5 * (math.erfc(near) + math.erfc(far))


class Gaussian(StatedNoise):
    """Gaussian noise on one number."""

    kind: Literal["gaussian"] = "gaussian"
    sd: Positive = field("Standard deviation", default=...)

    @property
    def loss(self) -> GaussianLoss:
        return GaussianLoss(self.sensitivity / self.sd)


@dataclass(frozen=True)
class GaussianNoise(CalibratedNoise, ContinuousNoise):
    """Gaussian noise: light tails, but an unbounded loss, so its epsilon has a delta."""

    name: ClassVar[str] = "gaussian"
    rival: ClassVar[str] = "laplace"
    normal: ClassVar[bool] = True
    opendp: ClassVar[OpenDP] = OpenDP(words="Gaussian", maker="then_gaussian", code=BY_ZCDP)
    simulation: ClassVar[Simulation] = GAUSSIAN

    calibration: Calibration = ANALYTIC

    statement: ClassVar[type[StatedNoise]] = Gaussian

    def stated(self, scale: float, sensitivity: float) -> Gaussian:
        return Gaussian(sd=scale, sensitivity=sensitivity)

    def sum_tail(self, cells: Mapping[float, int], distance: float) -> float:
        return 0.5 * math.erfc(distance / _sd_of_sum(cells) / math.sqrt(2.0))

    def sum_mean_absolute(self, cells: Mapping[float, int]) -> float:
        return self.mean_absolute(_sd_of_sum(cells))

    def sd(self, scale: float) -> float:
        return scale

    def mean_absolute(self, scale: float) -> float:
        return scale * math.sqrt(2.0 / math.pi)

    def height(self, scale: float, x: float) -> float:
        return math.exp(-0.5 * (x / scale) ** 2) / (scale * math.sqrt(2 * math.pi))

    def log_tail(self, scale: float, x: float) -> float:
        return log_normal_tail(abs(x) / scale)

    def standard_half_width(self, level: float) -> float:
        from scipy.special import erfinv, ndtri  # 0.1 s to import

        return float(math.sqrt(2.0) * erfinv(level) if level < 0.5 else -ndtri((1.0 - level) / 2))

    def loss(self, shift: float, steps: float = 1) -> GaussianLoss:
        return GaussianLoss(shift)

    def shift_within(self, epsilon: float, delta: float) -> float:
        """Return the largest rho with Phi(rho/2 - EPSILON/rho) <= DELTA: the root of rho^2 + 2 z rho = 2 eps."""
        if delta == 0.0:
            return 0.0
        z = -normal_quantile(delta) if delta <= 0.5 else normal_quantile(1.0 - delta)
        root = math.sqrt(z * z + 2.0 * epsilon)
        return 2.0 * epsilon / (z + root) if z > 0.0 else root - z


def _sd_of_sum(cells: Mapping[float, int]) -> float:
    return math.hypot(*(math.sqrt(count) * scale for scale, count in cells.items()))


def gaussian_delta(mu: float, epsilon: float) -> float:
    """Return delta(epsilon) = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu), mu = shift/sd >= 0, finite.

    Error: 1e-13 relative (5e-13 below 1e-200); 0 where it is below 1e-330.
    """
    if mu == 0.0 or math.isinf(epsilon):
        return 0.0
    return gaussian_delta_at(mu, mu / 2 - epsilon / mu)[0]


def gaussian_epsilon(mu: float, delta: float) -> float:
    """Return the smallest epsilon >= 0 with gaussian_delta(mu, epsilon) <= DELTA; inf if delta is 0 and mu is not.

    **Never below the true value**, and at most 1e-12 (absolute or relative) above it.
    """
    if mu == 0.0 or delta >= 1.0:
        return 0.0
    if delta == 0.0 or math.isinf(mu):
        return math.inf
    high = up(mu) * (mu / 2 + 39.0)  # there the first term underflows
    return smallest(lambda epsilon: _surely_keeps(mu, epsilon, delta), 0.0, high)


@lru_cache(maxsize=4_096)  # the same arguments recur
def gaussian_mu(epsilon: float, delta: float) -> float:
    """Return the largest mu = shift/sd with gaussian_delta(mu, epsilon) <= DELTA; 0 where no finite noise suffices.

    **Never above the true value** (so the noise is never too small), and at most 1e-12 relative below it.
    """
    if delta == 0.0:
        return 0.0
    if delta >= 1.0 or math.isinf(epsilon):
        return math.inf
    # from mu/2 - epsilon/mu = 9 on delta is 1 to the last place, so the true mu lies below this one
    high = 2.0 * (9.0 + math.sqrt(81.0 + 2.0 * epsilon))
    return largest(lambda mu: _surely_keeps(mu, epsilon, delta), 0.0, high)


def _surely_keeps(mu: float, epsilon: float, delta: float) -> bool:
    """Return whether gaussian_delta(mu, epsilon) <= DELTA even with the largest rounding error."""
    first = mu / 2 - epsilon / mu
    value, rest = gaussian_delta_at(mu, first + 4 * UNIT * (mu / 2 + epsilon / mu))
    slack = gaussian_error(min(abs(first), FARTHEST))
    if delta < 0.5:
        return value * (1.0 + slack) <= delta
    return rest * (1.0 - slack) >= 1.0 - delta
