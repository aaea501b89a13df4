"""Laplace noise: density exp(-|x|/scale) / (2 scale)."""

from __future__ import annotations

import math
from functools import partial
from typing import ClassVar, Literal

from dpwizard.base.numerics import UNIT
from dpwizard.privacy.mechanisms.base import DRAWN, ContinuousNoise, Loss, NoiseName, PureNoise
from dpwizard.privacy.mechanisms.opendp import OpenDP
from dpwizard.privacy.mechanisms.simulation import LAPLACE, Simulation
from dpwizard.privacy.mechanisms.stated import Laplace


class LaplaceNoise(ContinuousNoise, PureNoise):
    """Laplace noise: continuous, for any number."""

    name: ClassVar[Literal["laplace"]] = "laplace"
    rival: ClassVar[NoiseName] = "gaussian"
    opendp: ClassVar[OpenDP] = OpenDP(words="Laplace", maker="then_laplace")
    simulation: ClassVar[Simulation] = LAPLACE

    def stated(self, scale: float, sensitivity: float) -> Laplace:
        return Laplace(scale=scale, sensitivity=sensitivity)

    def sd(self, scale: float) -> float:
        return scale if scale == 0.0 else math.sqrt(2.0) * scale

    def mean_absolute(self, scale: float) -> float:
        return scale

    def height(self, scale: float, x: float) -> float:
        return math.exp(-abs(x) / scale) / (2 * scale)

    def log_tail(self, scale: float, x: float) -> float:
        return -abs(x) / scale - math.log(2.0)

    def drawn_half_width(self, scale: float) -> float:
        return -math.log(1 - DRAWN) * scale

    def standard_half_width(self, level: float) -> float:
        return -math.log1p(-level)

    def loss(self, shift: float, steps: int = 1) -> Loss:
        return Loss(partial(laplace_within, shift), partial(laplace_exceedance, shift), partial(laplace_delta, shift))

    def least_error(self, epsilon: float, sensitivity: float, delta: float, step: float) -> float:
        return 0.5 * math.exp(-epsilon / 2)  # half the mass beyond half the distance

    def shift_within(self, epsilon: float, delta: float) -> float:
        """Return e below 1/2, e - 2 ln(2(1-delta)) from there on."""
        return epsilon if delta <= 0.5 else epsilon - 2.0 * math.log1p(1.0 - 2.0 * delta)


# ------------------------------------------- privacy loss of one release whose full shift loses LEVEL (eps0)


def laplace_within(level: float, epsilon: float) -> float:
    """Return P(|loss| <= EPSILON) = e^(-eps0/2) sinh(epsilon/2) of Laplace with eps0 = LEVEL; 1 from eps0 on."""
    if epsilon >= level:
        return 1.0
    if math.isinf(level):
        return 0.0
    return -0.5 * math.exp((epsilon - level) / 2) * math.expm1(-epsilon)


def laplace_exceedance(level: float, epsilon: float) -> float:
    """Return P(loss > epsilon) of a Laplace release whose full shift loses LEVEL (eps0 in [0, inf)); exact, strict."""
    if epsilon >= level:
        return 0.0
    if epsilon < -level:
        return 1.0
    return 1.0 - 0.5 * math.exp((epsilon - level) / 2)


def laplace_delta(level: float, epsilon: float) -> float:
    """Return delta(epsilon) = 1 - e^(-(eps0-epsilon)/2) of Laplace with eps0 = LEVEL, epsilon >= 0; 0 from eps0 on."""
    return 0.0 if epsilon >= level else -math.expm1((epsilon - level) / 2)


def laplace_level_for(level: float, delta: float) -> float:
    """Return the smallest epsilon >= 0 with laplace_delta(LEVEL, epsilon) <= DELTA: max(0, eps0 + 2 log(1 - delta)).

    **Never below the true value** (raised by a few units in the last place of LEVEL); 0 at delta 1.
    """
    if delta == 0.0:
        return level
    if delta >= 1.0:
        return 0.0
    exact = level + 2.0 * math.log1p(-delta)
    return max(0.0, min(level, exact + 4 * UNIT * level))
