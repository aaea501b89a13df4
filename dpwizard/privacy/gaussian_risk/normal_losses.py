"""The mu at which Gaussian noise multiplies the prior odds by theta; never above the true one.

An event of probability delta under the truth (z = Phi^-1(delta)) has the share x(m) = Phi(z - m)/Phi(z) of it in a
neighbouring dataset at distance m. Its loss D(m) = -log x(m) is the integral of Mills' ratio phi/Phi from z - m to z:
it rises from 0, and so does D(m)/m. The odds multiply by at most theta exactly if w x(c mu) + v x(mu) >= 1/theta
(Theorem 3). For the informed adversary and the unrounded release D(m) = -z m + m^2/2 instead (Theorem 2). Derivations
and error bounds: docs/methods/gaussian_risk.md.
"""

from __future__ import annotations

import math
from abc import abstractmethod

import numpy as np

from dpwizard.base.numerics import normal_quantile
from dpwizard.privacy.quadrature import continuous_rule
from dpwizard.privacy.relative_risk import Array, Inverse

ROOT_TWO = math.sqrt(2.0)
DENSITY = math.sqrt(2.0 / math.pi)  # phi(x)/Phi(x) is this over erfcx(-x/sqrt 2)
NEAR = 0.02  # up to this distance the loss is integrated: a difference of logarithms would be imprecise
ERROR = 1e-13  # relative error of a loss and of log theta
SAFETY = 4e-13  # relative: a budget is lowered by this from its root
MOST_STEPS = 80  # Newton's method takes about five; if it leaves the bracket, the bracket is halved
LARGEST_LOSS = 1e150  # squares of larger losses overflow


class NormalLosses(Inverse):
    """Gaussian noise at one tolerance: the budget is mu, the distance over the standard deviation of the noise."""

    tie = 16.0 * SAFETY

    def __init__(self, tolerance: float, factor: float) -> None:
        self.factor = factor
        self.z = normal_quantile(tolerance)

    @abstractmethod
    def loss(self, at: Array) -> Array:
        """Return D(AT), to ERROR relative."""

    @abstractmethod
    def slope(self, at: Array) -> Array:
        """Return D'(AT), which rises."""

    @abstractmethod
    def bend(self) -> float:
        """Return D''(0)."""

    def losses(self, budgets: Array) -> tuple[Array, Array, Array]:
        first, second = self.loss(budgets), self.loss(self.factor * budgets)
        return first, second, second - first

    def budget_errors(self, budgets: Array, moved: Array) -> Array:
        return moved / self.slope(budgets)  # the slope of log theta is nowhere below D'(mu)

    def roots(self, multiplier: Array, w: Array, v: Array) -> Array:
        """Return mu at log theta by Newton's method in a bracket, at most 3 SAFETY below it; inf for no bound."""
        if self.factor == 1.0:
            w, v = np.zeros_like(w), np.ones_like(v)
        bounded = (multiplier > 0.0) & (multiplier <= LARGEST_LOSS)
        target = np.where(bounded, multiplier, 1.0)
        c, slope_at_0 = self.factor, float(self.slope(np.zeros(())))
        first = slope_at_0 * (v + c * w)
        second = self.bend() * (v + c * c * w) - slope_at_0 * slope_at_0 * w * v * (c - 1.0) ** 2
        mu = 2.0 * target / (first + np.sqrt(np.maximum(first * first + 2.0 * second * target, 0.0)))
        low, high = np.zeros_like(mu), np.full_like(mu, np.inf)
        with np.errstate(all="ignore"):
            for _ in range(MOST_STEPS):
                level, rate = self._log_theta_and_slope(mu, w, v)
                low, high = np.where(level <= target, mu, low), np.where(level > target, mu, high)
                step = (target - level) / rate
                after = mu + step
                inside = (after > low) & (after < high)
                fallback = np.where(np.isinf(high), 2.0 * low, low + 0.5 * (high - low))
                done = np.abs(step) <= 1e-8 * mu  # the next step is its square
                mu = np.where(done | inside, after, fallback)
                if np.all(done):
                    break
        below_root = np.where(multiplier <= 0.0, 0.0, mu - SAFETY * mu)
        return np.where(multiplier > LARGEST_LOSS, np.inf, below_root)

    def _log_theta_and_slope(self, mu: Array, w: Array, v: Array) -> tuple[Array, Array]:
        """Return log theta at MU, -log(v x(mu) + w x(c mu)), and its slope."""
        first, second, _ = self.losses(mu)
        mixed = -np.log1p(v * np.expm1(-first) + w * np.expm1(-second))
        level = np.where(second < 1.0, mixed, -np.logaddexp(np.log(v) - first, np.log(w) - second))
        share = np.minimum(np.where(v > 0.0, np.exp(np.log(v) + level - first), 0.0), 1.0)
        return level, share * self.slope(mu) + (1.0 - share) * self.factor * self.slope(self.factor * mu)


class ToleratedLosses(NormalLosses):
    """Theorem 3: for any post-processing, at tolerance delta."""

    def __init__(self, tolerance: float, factor: float) -> None:
        from scipy.special import erfcx, log_ndtr  # 0.1 s to import

        super().__init__(tolerance, factor)
        self._erfcx, self._log_ndtr = erfcx, log_ndtr
        self._origin = float(erfcx(-self.z / ROOT_TWO))

    def loss(self, at: Array) -> Array:
        erfcx, log_ndtr = self._erfcx, self._log_ndtr
        if self.z > 0.0:
            difference = np.asarray(log_ndtr(self.z) - log_ndtr(self.z - at))
        else:
            a, step = -self.z / ROOT_TWO, at / ROOT_TWO
            difference = np.asarray(np.log(self._origin / erfcx(a + step)) + step * (2.0 * a + step))
        nodes, weights = np.array(continuous_rule()).T
        near = np.minimum(at, NEAR)[..., None] * nodes
        integral = np.minimum(at, NEAR) * DENSITY * (1.0 / erfcx((near - self.z) / ROOT_TWO) @ weights)
        return np.where(at <= NEAR, integral, difference)

    def slope(self, at: Array) -> Array:
        return np.asarray(DENSITY / self._erfcx((at - self.z) / ROOT_TWO))

    def bend(self) -> float:
        slope = DENSITY / self._origin
        return slope * max(slope + self.z, 0.0)


class InformedLosses(NormalLosses):
    """Theorem 2: the informed adversary and the unrounded release, at a tolerance below one half."""

    def loss(self, at: Array) -> Array:
        return at * (0.5 * at - self.z)

    def slope(self, at: Array) -> Array:
        return at - self.z

    def bend(self) -> float:
        return 1.0
