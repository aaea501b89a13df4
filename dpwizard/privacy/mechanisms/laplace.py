"""Laplace noise: density exp(-|x|/scale) / (2 scale)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import UNIT
from dpwizard.base.values import Positive, field
from dpwizard.privacy.mechanisms.base import ContinuousNoise, PureNoise
from dpwizard.privacy.mechanisms.losses import NoiseLoss, StatedNoise
from dpwizard.privacy.mechanisms.source_code import LAPLACE, OpenDP, Simulation

MOST_SUMMED = 999


@dataclass(frozen=True)
class LaplaceLoss(NoiseLoss):
    """The loss of Laplace noise with a full shift of LEVEL: half of all releases lose as much, the others less.

    The distribution has atoms at LEVEL and -LEVEL, and between them the density e^(-(LEVEL - x)/2)/4.
    """

    level: float  # eps0, in [0, inf]

    @property
    def size(self) -> float:
        return self.level

    def split(self, epsilon: float) -> tuple[float, float]:
        if epsilon >= self.level:
            return 0.0, 1.0
        if epsilon < -self.level:
            return 1.0, 0.0
        within = 0.5 * math.exp((epsilon - self.level) / 2)
        return 1.0 - within, within

    def delta(self, epsilon: float) -> float:
        return 0.0 if epsilon >= self.level else -math.expm1((epsilon - self.level) / 2)

    def within(self, epsilon: float) -> float:
        """Return e^(-eps0/2) sinh(epsilon/2); 1 from eps0 on."""
        if epsilon >= self.level:
            return 1.0
        if math.isinf(self.level):
            return 0.0
        return -0.5 * math.exp((epsilon - self.level) / 2) * math.expm1(-epsilon)


class Laplace(StatedNoise):
    """Laplace noise on one number: density exp(-|x|/scale) / (2 scale)."""

    kind: Literal["laplace"] = "laplace"
    scale: Positive = field("Noise scale", default=...)

    @property
    def loss(self) -> LaplaceLoss:
        return LaplaceLoss(self.sensitivity / self.scale)


@dataclass(frozen=True)
class LaplaceNoise(ContinuousNoise, PureNoise):
    """Laplace noise: continuous, for any number."""

    name: ClassVar[str] = "laplace"
    rival: ClassVar[str] = "gaussian"
    opendp: ClassVar[OpenDP] = OpenDP(words="Laplace", maker="then_laplace")
    simulation: ClassVar[Simulation] = LAPLACE

    statement: ClassVar[type[StatedNoise]] = Laplace

    def stated(self, scale: float, sensitivity: float) -> Laplace:
        return Laplace(scale=scale, sensitivity=sensitivity)

    def sum_tail(self, cells: Mapping[float, int], distance: float) -> float:
        """Return P(sum > DISTANCE), a sum of positive terms.

        The sum is the difference of two gamma variables of shape n. With probability C(n-1+j, j) 2^-(n+j) the rest on
        the upper side has shape n - j, whose tail is that of a Poisson variable.
        """
        scale, count = _only_scale(cells)
        if count > MOST_SUMMED:
            raise InvalidInput("are too many numbers with Laplace noise", "terms", "Add up at most 999 numbers.")
        chance, total, totals = 2.0**-count, 0.0, []
        for j in range(count):
            total += chance
            totals.append(total)
            chance *= (count + j) / (j + 1) / 2.0
        from scipy.special import gammaln, xlogy  # 0.1 s to import

        places, distance_in_scales = np.arange(count), distance / scale
        return float(
            np.exp(xlogy(places, distance_in_scales) - distance_in_scales - gammaln(places + 1.0))
            @ np.array(totals[::-1])
        )

    def sum_mean_absolute(self, cells: Mapping[float, int]) -> float:
        # the difference of two gamma variables of shape n: E |sum| = 2 n C(2n, n) / 4^n
        scale, count = _only_scale(cells)
        log_share = math.lgamma(2 * count + 1) - 2.0 * math.lgamma(count + 1) - count * math.log(4.0)
        return scale * 2.0 * count * math.exp(log_share)

    def sd(self, scale: float) -> float:
        return scale if scale == 0.0 else math.sqrt(2.0) * scale

    def mean_absolute(self, scale: float) -> float:
        return scale

    def height(self, scale: float, x: float) -> float:
        return math.exp(-abs(x) / scale) / (2 * scale)

    def log_tail(self, scale: float, x: float) -> float:
        return -abs(x) / scale - math.log(2.0)

    def standard_half_width(self, level: float) -> float:
        return -math.log1p(-level)

    def loss(self, shift: float, steps: float = 1) -> LaplaceLoss:
        return LaplaceLoss(shift)

    def shift_within(self, epsilon: float, delta: float) -> float:
        """Return e below 1/2, e - 2 ln(2(1-delta)) from there on."""
        return epsilon if delta <= 0.5 else epsilon - 2.0 * math.log1p(1.0 - 2.0 * delta)


def laplace_level_for(level: float, delta: float) -> float:
    """Return the least epsilon >= 0 with a delta of DELTA at most, for LEVEL: max(0, eps0 + 2 log(1 - delta)).

    **Never below the true value** (raised by a few units in the last place of LEVEL); 0 at delta 1.
    """
    if delta == 0.0:
        return level
    if delta >= 1.0:
        return 0.0
    exact = level + 2.0 * math.log1p(-delta)
    return max(0.0, min(level, exact + 4 * UNIT * level))


def _only_scale(cells: Mapping[float, int]) -> tuple[float, int]:
    if len(cells) > 1:
        raise InvalidInput("have Laplace noise of several scales", "terms", "Give all numbers the same scale.")
    return next(iter(cells.items()))
