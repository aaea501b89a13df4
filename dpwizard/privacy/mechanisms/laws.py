"""The laws that a privacy loss may have, and the sum of two: what two independent outputs tell together.

Three laws cover every mechanism: Laplace noise (two atoms and a stretch between them), a normal law (Gaussian noise)
and a list of atoms (two-sided geometric noise, tables).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpwizard.base.numerics import normal_cdf


@dataclass(frozen=True, kw_only=True)
class Atoms:
    """A loss that takes finitely many values, ascending (the last may be infinite), with their probabilities."""

    losses: tuple[float, ...]
    masses: tuple[float, ...]

    def size(self) -> float:
        """Return how large a loss is: what a tie is measured against."""
        return max((abs(loss) for loss in self.losses if not math.isinf(loss)), default=0.0)

    def within(self, epsilon: float) -> float:
        """Return P(loss <= EPSILON)."""
        return math.fsum(mass for loss, mass in zip(self.losses, self.masses, strict=True) if loss <= epsilon)


@dataclass(frozen=True, kw_only=True)
class Clipped:
    """The loss of Laplace noise: atoms at -full and full, density 1/4 e^(-(full - l)/2) between them."""

    full: float

    def size(self) -> float:
        return self.full

    def within(self, epsilon: float) -> float:
        if epsilon >= self.full:
            return 1.0
        return 0.5 * math.exp(-(self.full - epsilon) / 2) if epsilon >= -self.full else 0.0


@dataclass(frozen=True, kw_only=True)
class Normal:
    """The loss of Gaussian noise: normal with mean rho^2/2 and variance rho^2."""

    rho: float

    def size(self) -> float:
        return 0.0

    def within(self, epsilon: float) -> float:
        return normal_cdf(epsilon / self.rho - self.rho / 2)


Law = Atoms | Clipped | Normal
NOTHING = Atoms(losses=(0.0,), masses=(1.0,))


def sum_within(first: Law, second: Law, epsilon: float) -> float:
    """Return P(loss1 + loss2 <= EPSILON) for independent losses, to 1e-14; EPSILON is finite and allows for ties."""
    if isinstance(first, Atoms) and isinstance(second, Atoms):
        return _atoms_and_atoms(first, second, epsilon)
    if isinstance(second, Atoms):
        first, second = second, first
    if isinstance(first, Atoms):
        pairs = zip(first.losses, first.masses, strict=True)
        return min(1.0, math.fsum(mass * second.within(epsilon - loss) for loss, mass in pairs if loss < math.inf))
    if isinstance(first, Normal) and isinstance(second, Normal):
        return Normal(rho=math.hypot(first.rho, second.rho)).within(epsilon)
    if isinstance(first, Clipped) and isinstance(second, Clipped):
        return _clipped_and_clipped(first.full, second.full, epsilon)
    if isinstance(first, Normal):
        first, second = second, first
    assert isinstance(first, Clipped)
    assert isinstance(second, Normal)
    return _clipped_and_normal(first.full, second.rho, epsilon)


def _atoms_and_atoms(first: Atoms, second: Atoms, epsilon: float) -> float:
    import numpy as np

    reached = np.concatenate(([0.0], np.cumsum(second.masses)))
    losses = np.array(first.losses)
    known = losses < math.inf
    counts = np.searchsorted(np.array(second.losses), epsilon - losses[known], side="right")
    return min(1.0, math.fsum(np.array(first.masses)[known] * reached[counts]))


def _clipped_and_clipped(p: float, q: float, epsilon: float) -> float:
    """Condition on the first loss; between its atoms the product of the two exponentials is constant."""
    if math.isinf(p) or math.isinf(q):
        return 0.0
    ends = 0.5 * Clipped(full=q).within(epsilon - p) + 0.5 * math.exp(-p) * Clipped(full=q).within(epsilon + p)
    cut = min(max(epsilon - q, -p), p)  # below it the second loss is certainly small enough
    sure = 0.5 * (math.exp(-(p - cut) / 2) - math.exp(-p))
    top = min(max(epsilon + q, -p), p)
    flat = 0.125 * exp((epsilon - p - q) / 2) * (top - cut) if top > cut else 0.0
    return min(1.0, ends + sure + flat)


def _clipped_and_normal(p: float, rho: float, epsilon: float) -> float:
    """Integrate by parts: Phi((e-p)/rho - rho/2) + 1/2 e^((e-p)/2 - rho^2/8) [Phi((p-e)/rho) - Phi(-(p+e)/rho)]."""
    if math.isinf(p) or math.isinf(rho):
        return 0.0
    from scipy.special import log_ndtr

    v = (epsilon - p) / rho
    upper, lower = float(log_ndtr(-v)), float(log_ndtr(-(epsilon + p) / rho))
    if lower >= upper:
        return normal_cdf(v - rho / 2)
    bracket = upper + math.log(-math.expm1(lower - upper))
    return min(1.0, normal_cdf(v - rho / 2) + 0.5 * exp(rho * (v / 2 - rho / 8) + bracket))


def exp(x: float) -> float:
    """Return e^x; infinite where it is too large for a float."""
    return math.exp(x) if x < 709.0 else math.inf
