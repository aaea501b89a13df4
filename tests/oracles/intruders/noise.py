"""Noise as it is added to one number: how likely it falls between two points, and draws of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

Floats = NDArray[np.float64]
REACH = 40.0  # standard deviations beyond which whole noise is not looked at


@dataclass(frozen=True)
class Noise:
    """A symmetric law: normal (its standard deviation), discrete_normal (sigma), laplace or geometric (its scale)."""

    kind: str
    scale: float

    @property
    def whole(self) -> bool:
        """Return whether it falls on whole numbers alone."""
        return self.kind in ("discrete_normal", "geometric")

    @property
    def sd(self) -> float:
        """Return about how wide it is."""
        return self.scale * (math.sqrt(2) if self.kind in ("laplace", "geometric") else 1.0)

    def between(self, low: Floats, high: Floats) -> Floats:
        """Return P(LOW < noise <= HIGH), exact also far out on either side; whole noise is cut between two steps."""
        right = self._beyond(low) - self._beyond(high)
        left = self._beyond(-high) - self._beyond(-low)  # of whole noise no end is a whole number
        return np.maximum(np.where(low + high > 0, right, left), 0.0)

    def _beyond(self, x: Floats) -> Floats:
        x = np.asarray(x, dtype=np.float64)
        if self.kind == "normal":
            return np.asarray(ndtr(-x / self.scale))
        if self.kind == "laplace":
            tail = 0.5 * np.exp(-np.abs(x) / self.scale)
            return np.where(x >= 0, tail, 1 - tail)
        if self.kind == "geometric":
            steps = np.floor(np.clip(x, -1e15, 1e15)) + 1
            alpha = math.exp(-1 / self.scale)
            with np.errstate(over="ignore", under="ignore"):
                return np.where(
                    steps > 0, alpha ** np.maximum(steps, 0), 1 + alpha - alpha ** np.maximum(1 - steps, 0)
                ) / (1 + alpha)
        points, beyond = self._table
        steps = np.clip(np.floor(x) + 1, points[0], points[-1] + 1).astype(int)
        return beyond[steps - points[0]]

    @cached_property
    def _table(self) -> tuple[Any, Floats]:
        points, chances = lattice(self.scale)
        return points, np.append(np.cumsum(chances[::-1])[::-1], 0.0)

    def draw(self, rng: np.random.Generator, size: int) -> Floats:
        """Return SIZE draws."""
        if self.kind == "normal":
            return rng.normal(0.0, self.scale, size)
        if self.kind == "laplace":
            return rng.laplace(0.0, self.scale, size)
        if self.kind == "geometric":
            chance = -math.expm1(-1 / self.scale)
            return (rng.geometric(chance, size) - rng.geometric(chance, size)).astype(np.float64)
        points, chances = lattice(self.scale)
        return rng.choice(points, size, p=chances).astype(np.float64)


@lru_cache(maxsize=4096)
def lattice(sigma: float) -> tuple[Any, Floats]:
    """Return the whole numbers on which discrete normal noise falls, and the chance of each."""
    far = math.ceil(REACH * sigma) + 2
    points = np.arange(-far, far + 1)
    weights = np.exp(-(points**2) / (2.0 * sigma**2))
    return points, np.asarray(weights / weights.sum())
