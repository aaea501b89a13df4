"""Discrete Gaussian noise: integer-valued, calibrated by zCDP, or for one figure by its own curve.

For one figure with a sensitivity of D whole steps the worst events are half-lines, so delta(epsilon) is the largest of
P(K >= a) - e^epsilon P(K >= a + D) over whole a. A smaller sensitivity reveals less. It is not proved that a larger
sigma always reveals less, so the result of a bisection is checked at its sigma. Source: Canonne, Kamath & Steinke 2020;
docs/methods/accounting.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

from dpwizard.base.numerics import largest, smallest, up
from dpwizard.privacy.mechanisms.base import TINIEST, ULPS, CalibratedNoise, LatticeNoise
from dpwizard.privacy.mechanisms.calibration import ZCDP, Calibration
from dpwizard.privacy.mechanisms.gaussian import gaussian_mu
from dpwizard.privacy.mechanisms.normal import (
    discrete_gaussian_tail,
    lattice_mean_absolute,
    lattice_sd,
    lattice_total,
    log_lattice_tail,
)
from dpwizard.privacy.mechanisms.source_code import BY_OWN_RHO, DISCRETE_GAUSSIAN, OpenDP, Simulation

FARTHEST_MOVE = 1e15  # a larger sensitivity is calibrated by zCDP
LARGEST_WHOLE = 1e13  # a larger half-width is not rounded to a whole number
MARGIN = 4e-12  # relative: a needed sigma is lowered by this, above the error of converting to epsilon and back
CLOSE = 1e-10  # relative error of the search for an epsilon
NARROW = 1e-14  # relative error of the search for the difference to the epsilon of zCDP
LEAST_SIGMA, LEAST_DELTA = 1e-150, 1e-250  # a smaller sigma (or mu) or delta is calibrated by zCDP
LARGEST_MU = 1e149  # and so is a larger mu, whose square overflows
GROWTH = 1.004  # the factor of mu between steps of the search for the first failure
REACH = 12.0  # standard deviations beyond which the masses of a tilted distribution, 1e-31, are negligible
SAME = 1e-13  # relative error of masses up to which a sum of discrete Gaussians counts as one
WIDE = 30.0  # sigma from which discrete Gaussians add up to one except for 1e-3800


@dataclass(frozen=True)
class DiscreteGaussianCurve(Calibration):
    """The curve of one figure under discrete Gaussian noise with a sensitivity of STEPS whole steps."""

    steps: int

    @classmethod
    def moving(cls, sensitivity: float | None) -> DiscreteGaussianCurve | None:
        """Return the curve of a figure with SENSITIVITY; None if that is not a whole number."""
        move = sensitivity or 0.0
        return cls(int(move)) if move.is_integer() and 0.0 < move <= FARTHEST_MOVE else None

    def mu(self, epsilon: float, delta: float) -> float:
        if not 0.0 < delta < 1.0:
            return 0.0 if delta <= 0.0 else math.inf
        if math.isinf(epsilon) or delta <= LEAST_DELTA:
            return ZCDP.mu(epsilon, delta)
        return _largest_mu(self.steps, epsilon, delta)

    def epsilon(self, mu: float, delta: float) -> float:
        return discrete_gaussian_epsilon(self.steps / mu, self.steps, delta) if mu else 0.0

    def farther(self, mu: float, delta: float, times: float) -> float:
        move = times * self.steps
        if mu and move and move.is_integer() and move <= FARTHEST_MOVE:
            return discrete_gaussian_epsilon(self.steps / mu, int(move), delta)
        return ZCDP.farther(mu, delta, times)


@dataclass(frozen=True)
class DiscreteGaussianNoise(LatticeNoise, CalibratedNoise):
    """Discrete Gaussian noise: integer-valued, for counts; calibrated by zCDP except for a single figure."""

    name: ClassVar[str] = "discrete_gaussian"
    rival: ClassVar[str] = "geometric"
    opendp: ClassVar[OpenDP] = OpenDP(
        words="discrete Gaussian", maker="then_gaussian", code=BY_OWN_RHO, by_rho=BY_OWN_RHO
    )
    simulation: ClassVar[Simulation] = DISCRETE_GAUSSIAN

    calibration: Calibration = ZCDP

    def sd(self, scale: float) -> float:
        return scale if scale == 0.0 or math.isinf(scale) else lattice_sd(scale)

    def mean_absolute(self, scale: float) -> float:
        return scale if scale == 0.0 or math.isinf(scale) else lattice_mean_absolute(scale)

    def exact_mass(self, scale: float) -> float:
        if scale == 0.0:
            return 1.0
        return 0.0 if math.isinf(scale) else 1.0 / lattice_total(scale)

    def height(self, scale: float, x: float) -> float:
        y = x / scale
        return math.exp(-0.5 * y * y) / lattice_total(scale)

    def log_tail(self, scale: float, x: float) -> float:
        return log_lattice_tail(scale, -math.floor(x)) if x < 0.0 else log_lattice_tail(scale, math.floor(x) + 1)

    def half_width(self, scale: float, epsilon: float, sensitivity: float, level: float) -> tuple[float, float]:
        half = self._whole_half_width(scale, level)
        return half, level if half >= LARGEST_WHOLE else self.within(scale, half)

    def _whole_half_width(self, scale: float, level: float) -> float:
        """Return the smallest whole h with P(|noise| <= h) >= LEVEL in (0, 1)."""
        from scipy.special import ndtri  # 0.1 s to import

        z = -float(ndtri((1.0 - level) / 2))
        normal_half_width = scale * z
        if normal_half_width >= LARGEST_WHOLE:
            return normal_half_width
        half_width = float(max(0, math.floor(normal_half_width) - 2))
        while half_width > 0.0 and self.within(scale, half_width) >= level:
            half_width -= 1.0
        while self.within(scale, half_width) < level:
            half_width += 1.0
        return half_width

    def epsilon_for_scale(self, scale: float, sensitivity: float, delta: float) -> float:
        sigma = scale * (1.0 - MARGIN)
        epsilon = up(self.epsilon(sigma, sensitivity, delta), ULPS)
        if math.isinf(epsilon) or self.scale(epsilon, sensitivity, delta) <= sigma * (1.0 + MARGIN / 2):
            return epsilon
        # this sigma meets epsilon, but a larger one does not, so it is never used for it
        by_zcdp = up(DiscreteGaussianNoise().epsilon(sigma, sensitivity, delta), ULPS)
        return smallest(lambda epsilon: self.scale(epsilon, sensitivity, delta) <= sigma, epsilon, by_zcdp, CLOSE)


def discrete_gaussian_epsilon(sigma: float, steps: int, delta: float) -> float:
    """Return the smallest epsilon >= 0 of one figure at DELTA, with a sensitivity of STEPS >= 1.

    **Never below the true value**, and at most 1e-12 of the zCDP value above it.
    """
    by_zcdp = ZCDP.epsilon(up(steps / sigma) if sigma else math.inf, delta)
    if math.isinf(by_zcdp) or not LEAST_DELTA < delta < 1.0 or not LEAST_SIGMA < sigma < 1.0 / LEAST_SIGMA:
        return by_zcdp
    below_half, target = _log_delta_target(delta)

    def keeps_delta(distance: float) -> bool:
        return _log_delta(sigma, steps, max(0.0, by_zcdp - distance), below_half) <= target

    return up(by_zcdp - largest(keeps_delta, 0.0, by_zcdp, NARROW), 2)


def _log_delta_target(delta: float) -> tuple[bool, float]:
    """Return whether DELTA is below one half, and the most that _log_delta may then be."""
    return delta < 0.5, math.log(delta) if delta < 0.5 else -math.log1p(-delta)


def _log_delta(sigma: float, steps: int, epsilon: float, below_half: bool) -> float:
    """Return log delta at EPSILON, or -log(1 - delta); every rounding error counts as a larger delta."""
    a = 1 - math.ceil(Fraction(steps, 2) - Fraction(epsilon) * Fraction(sigma) ** 2 / steps)
    value, rest, error = _hockey_stick_at(sigma, steps, a, epsilon)
    return math.log(max(value + error, TINIEST)) if below_half else -math.log(max(rest - error, TINIEST))


def _hockey_stick_at(sigma: float, steps: int, a: int, epsilon: float) -> tuple[float, float, float]:
    """Return P(K >= a) - e^EPSILON P(K >= a + STEPS), a + STEPS >= 1, 1 minus it, and their rounding error."""
    shifted = math.exp(min(0.0, epsilon + log_lattice_tail(sigma, a + steps)))
    error = shifted * (_tail_error(sigma, a + steps) + 4e-16 * epsilon)
    if a <= 0:
        below = discrete_gaussian_tail(sigma, 1 - a)
        return 1.0 - below - shifted, below + shifted, error + below * _tail_error(sigma, a) + 2e-16
    tail = discrete_gaussian_tail(sigma, a)
    return tail - shifted, 1.0 - tail + shifted, error + tail * _tail_error(sigma, a)


def _tail_error(sigma: float, a: int) -> float:
    """Return the relative error of P(K >= a): the exponential loses digits with the square."""
    x = a / sigma
    return 1e-14 + 4e-16 * x * x


@lru_cache(maxsize=4_096)
def _largest_mu(steps: int, epsilon: float, delta: float) -> float:
    """Return the largest mu found that is (EPSILON, DELTA)-DP, checked at its sigma; never below that of zCDP.

    Much smaller noise may meet them too. The result is the end of the interval that contains all larger noise checked,
    so that a little more noise never violates what a little less meets.
    """
    below_half, target = _log_delta_target(delta)

    def keeps_delta(mu: float) -> bool:
        return _log_delta(steps / mu, steps, epsilon, below_half) <= target

    by_zcdp, continuous = ZCDP.mu(epsilon, delta), gaussian_mu(epsilon, delta)
    low = min(by_zcdp, continuous)
    if low < LEAST_SIGMA:  # near epsilon 0 delta alone determines the noise
        low = continuous / 2.0
    if not LEAST_SIGMA <= low <= LARGEST_MU or not keeps_delta(low):  # outside the range of the arithmetic
        return by_zcdp
    high = low * GROWTH
    while keeps_delta(high):
        low, high = high, high * GROWTH
    return max(by_zcdp, largest(keeps_delta, low, high))
