"""Discrete Gaussian noise: whole steps with thin tails, reckoned by zCDP, or for one figure by its own curve.

Of one figure that moves by D whole steps the likeliest events are half-lines, so delta(epsilon) is the largest of
P(K >= a) - e^epsilon P(K >= a + D) over whole a, and epsilon(delta) the largest log of (P(K >= a) - delta) / P(K >= a +
D). Smaller moves tell less. Whether a larger sigma always tells less is not proved: what is found by bisection is
checked at that sigma. Source: Canonne, Kamath & Steinke 2020; docs/methods/accounting.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from dpwizard.base.numerics import largest_within, smallest, up
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

FARTHEST_MOVE = 1e15  # a figure that moves farther is reckoned by zCDP
LARGEST_WHOLE = 1e13  # from here on a half-width is not rounded to whole
MARGIN = 4e-12  # relative: a needed sigma is lowered by more than what the way from sigma to epsilon and back loses
NARROW = 1e-10  # relative: how closely the rare search for an epsilon closes in
COARSEST = 1e300
FINEST, RAREST = 1e-150, 1e-250  # a sigma or a mu below one, and a delta below the other, are reckoned by zCDP
VASTEST = 1e149  # and so is a larger mu: the squares beyond it have no room in floats
PACE = 1.004  # in how large steps of mu the end of a stretch is looked for
REACH = 12.0  # standard deviations beyond which the masses of a tilted law, 1e-31, count for nothing
SAME = 1e-13  # relative error of masses at which a sum of discrete Gaussians counts as one
WIDE = 30.0  # sigma from which discrete Gaussians add up to one but for 1e-3800


@dataclass(frozen=True)
class DiscreteGaussianCurve(Calibration):
    """That of one figure with discrete Gaussian noise, which moves by so many whole STEPS."""

    steps: int

    @classmethod
    def moving(cls, sensitivity: float | None) -> DiscreteGaussianCurve | None:
        """Return that of a figure that moves by SENSITIVITY; None where that is not whole."""
        far = sensitivity or 0.0
        return cls(int(far)) if far.is_integer() and 0.0 < far <= FARTHEST_MOVE else None

    def mu(self, epsilon: float, delta: float) -> float:
        if not 0.0 < delta < 1.0:
            return 0.0 if delta <= 0.0 else math.inf
        if math.isinf(epsilon) or delta <= RAREST:
            return ZCDP.mu(epsilon, delta)
        return _largest_mu(self.steps, epsilon, delta)

    def epsilon(self, mu: float, delta: float) -> float:
        return discrete_gaussian_epsilon(self.steps / mu, self.steps, delta) if mu else 0.0

    def farther(self, mu: float, delta: float, times: float) -> float:
        moved = times * self.steps
        if mu and moved and moved.is_integer() and moved <= FARTHEST_MOVE:
            return discrete_gaussian_epsilon(self.steps / mu, int(moved), delta)
        return ZCDP.farther(mu, delta, times)


@dataclass(frozen=True)
class DiscreteGaussianNoise(LatticeNoise, CalibratedNoise):
    """Discrete Gaussian noise: whole steps, for counts; by zCDP unless one figure alone is spoken of."""

    name: ClassVar[str] = "discrete_gaussian"
    rival: ClassVar[str] = "geometric"
    opendp: ClassVar[OpenDP] = OpenDP(
        words="discrete Gaussian", maker="then_gaussian", code=BY_OWN_RHO, by_rho=BY_OWN_RHO
    )
    simulation: ClassVar[Simulation] = DISCRETE_GAUSSIAN

    calibration: Calibration = ZCDP

    # ------------------------------------------------------------------------------------- distribution

    def steepest(self, scale: float) -> float:
        return math.inf

    def log_moment(self, scale: float, tilt: float) -> float:
        return _log_sum(_masses(scale, tilt)[1]) - _log_sum(_masses(scale, 0.0)[1])

    def characteristic(self, scale: float, tilt: float, size: int) -> Any:
        places, logs = _masses(scale, tilt)
        masses = np.exp(logs - _log_sum(logs))
        return np.fft.rfft(np.bincount(places % size, masses, size)).conj()

    def merged(self, cells: Mapping[float, int]) -> float | None:
        """Return the sigma of the one discrete Gaussian that a sum is; None where masses may differ by more than SAME.

        Each mass of the sum of two is that of one of variance s1^2 + s2^2 within a factor 1 +- 2 e / (1 - e), with e
        the sum over m >= 1 of 2 exp(-2 pi^2 t^2 m^2), 1/t^2 = 1/s1^2 + 1/s2^2 (Poisson summation;
        docs/methods/adding_up.md). In whichever order they are added, 1/t^2 is at most 2 / (least s)^2.
        """
        count = sum(cells.values())
        leading = 2.0 * math.exp(-((math.pi * min(WIDE, *cells)) ** 2))
        error = leading / (1.0 - min(leading, 0.5))
        if count > 1 and (count - 1) * 2.0 * error > SAME / 2.0:
            return None
        return math.hypot(*(math.sqrt(each) * sigma for sigma, each in cells.items()))

    def sd(self, scale: float) -> float:
        return scale if scale == 0.0 or math.isinf(scale) else lattice_sd(scale)

    def mean_absolute(self, scale: float) -> float:
        return scale if scale == 0.0 or math.isinf(scale) else lattice_mean_absolute(scale)

    def exact_mass(self, scale: float) -> float:
        return 1.0 if scale == 0.0 else 0.0 if math.isinf(scale) else 1.0 / lattice_total(scale)

    def height(self, scale: float, x: float) -> float:
        y = x / scale
        return math.exp(-0.5 * y * y) / lattice_total(scale)

    def log_tail(self, scale: float, x: float) -> float:
        return log_lattice_tail(scale, -math.floor(x)) if x < 0.0 else log_lattice_tail(scale, math.floor(x) + 1)

    def half_width(self, scale: float, epsilon: float, sensitivity: float, level: float) -> tuple[float, float]:
        half = self._half_width(scale, level)
        return half, level if half >= LARGEST_WHOLE else self.within(scale, half)

    def _half_width(self, scale: float, level: float) -> float:
        """Return the smallest whole h with P(|noise| <= h) >= LEVEL in (0, 1)."""
        from scipy.special import ndtri  # 0.1 s to import: only when it is needed

        z = -float(ndtri((1.0 - level) / 2))
        near = scale * z
        if near >= LARGEST_WHOLE:
            return near
        # P(noise > h) is that of the normal curve beyond h + 1/2 + z / 24 sigma, but for DOUBT (Euler-Maclaurin;
        # docs/methods/accuracy.md); only as near to a whole number as that are the tails added up
        edge = near - z / (24.0 * scale) - 0.5
        doubt = (1.0 + z) ** 3 / (100.0 * scale**3) + 1e-14 * (near + scale / (1.0 - level))
        if scale >= max(2.0, 1.0 + z) and abs(edge - round(edge)) > doubt:
            return float(max(0, math.ceil(edge)))
        half = float(max(0, math.floor(near) - 2))
        while half > 0.0 and self.within(scale, half) >= level:
            half -= 1.0
        while self.within(scale, half) < level:
            half += 1.0
        return half

    # ---------------------------------------------- the smallest epsilon that is accurate enough: by the largest sigma

    def epsilon_for_scale(self, scale: float, sensitivity: float, delta: float) -> float:
        sigma = scale * (1.0 - MARGIN)
        found = up(self.epsilon(sigma, sensitivity, delta), ULPS)
        if math.isinf(found) or self.scale(found, sensitivity, delta) <= sigma * (1.0 + MARGIN / 2):
            return found
        # that noise keeps it, but larger noise breaks it, and so none as fine is ever added at it
        most = up(DiscreteGaussianNoise().epsilon(sigma, sensitivity, delta), ULPS)
        return smallest(lambda epsilon: self.scale(epsilon, sensitivity, delta) <= sigma, found, most, NARROW)


def _masses(sigma: float, tilt: float) -> tuple[Any, Any]:
    """Return where the masses of tilted noise lie, and their logarithms but for a constant."""
    middle = math.floor(tilt * sigma**2)
    reach = math.ceil(REACH * sigma) + 2
    places = np.arange(middle - reach, middle + reach + 2)
    return places, tilt * places - places.astype(float) ** 2 / (2.0 * sigma**2)


def _log_sum(logs: Any) -> float:
    most = float(logs.max())
    return most + math.log(float(np.exp(logs - most).sum()))


# ------------------------------------------------------------------------ the curve of one figure, sigma in (0, inf)


def discrete_gaussian_epsilon(sigma: float, steps: int, delta: float) -> float:
    """Return the smallest epsilon >= 0 that one figure keeps at DELTA, which moves by STEPS >= 1.

    **Never below the true value**, and at most 1e-12 of what zCDP says above it.
    """
    by_zcdp = ZCDP.epsilon(up(steps / sigma) if sigma else math.inf, delta)
    if math.isinf(by_zcdp) or not RAREST < delta < 1.0 or not FINEST < sigma < 1.0 / FINEST:
        return by_zcdp
    below_half, target = _target(delta)

    def told(less: float) -> float:
        return _log_delta(sigma, steps, max(0.0, by_zcdp - less), below_half)

    if told(by_zcdp) <= target:
        return 0.0
    return up(by_zcdp - largest_within(told, target, 0.0, 0.5 * by_zcdp), 2)


def _target(delta: float) -> tuple[bool, float]:
    """Return whether DELTA is below one half, and what _log_delta then is at most."""
    return delta < 0.5, math.log(delta) if delta < 0.5 else -math.log1p(-delta)


def _log_delta(sigma: float, steps: int, epsilon: float, below_half: bool) -> float:
    """Return the log of delta at EPSILON, or less that of what it lacks of 1: every rounding error counted as more."""
    at = 1 - math.ceil(Fraction(steps, 2) - Fraction(epsilon) * Fraction(sigma) ** 2 / steps)
    value, missed, error = _hockey_stick(sigma, steps, at, epsilon)
    return math.log(max(value + error, TINIEST)) if below_half else -math.log(max(missed - error, TINIEST))


def _hockey_stick(sigma: float, steps: int, at: int, epsilon: float) -> tuple[float, float, float]:
    """Return P(K >= AT) - e^EPSILON P(K >= AT + STEPS), AT + STEPS >= 1, what it lacks of 1, and their rounding."""
    far = math.exp(min(0.0, epsilon + log_lattice_tail(sigma, at + steps)))
    error = far * (_slack(sigma, at + steps) + 4e-16 * epsilon)
    if at <= 0:
        missed = discrete_gaussian_tail(sigma, 1 - at)
        return 1.0 - missed - far, missed + far, error + missed * _slack(sigma, at) + 2e-16
    reached = discrete_gaussian_tail(sigma, at)
    return reached - far, 1.0 - reached + far, error + reached * _slack(sigma, at)


def _slack(sigma: float, at: int) -> float:
    """Return the relative error of P(K >= AT): the exponential loses digits with the square."""
    x = at / sigma
    return 1e-14 + 4e-16 * x * x


@lru_cache(maxsize=4_096)
def _largest_mu(steps: int, epsilon: float, delta: float) -> float:
    """Return the largest mu found to keep EPSILON at DELTA, checked at its sigma; never below that of zCDP.

    Noise much finer than a step may keep them too: what is found is the end of the stretch that all larger noise seen
    belongs to, so that a little more noise never breaks what a little less keeps.
    """
    below_half, target = _target(delta)

    def told(mu: float) -> float:
        return _log_delta(steps / mu, steps, epsilon, below_half)

    plain, fine = ZCDP.mu(epsilon, delta), gaussian_mu(epsilon, delta)
    low = min(plain, fine)
    if low < FINEST:  # near epsilon 0 delta alone sets the noise
        low = fine / 2.0
    if not FINEST <= low <= VASTEST or not told(low) <= target:  # beyond the reach of the arithmetic
        return plain
    high = low * PACE
    while told(high) <= target:
        low, high = high, high * PACE
    return max(plain, largest_within(told, target, low, high))
