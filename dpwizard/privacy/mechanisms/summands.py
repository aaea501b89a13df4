"""Independent noise that is added up: what a sum or a difference of several numbers takes from each."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpwizard.base.errors import InvalidInput

REACH = 12.0  # standard deviations of one discrete Gaussian beyond which its masses, 1e-31, count for nothing
NARROW = 1.5e-3  # scale of whole noise below which it is 0 but for 1e-289
SAME = 1e-13  # relative error of masses at which a sum of discrete Gaussians counts as one
WIDE = 30.0  # sigma from which discrete Gaussians add up to one but for 1e-3800
MOST = 999  # numbers with Laplace noise


@dataclass(frozen=True)
class WholeSummand(ABC):
    """So many numbers with whole noise of one scale."""

    scale: float
    cells: int

    @property
    @abstractmethod
    def variance(self) -> float:
        """Return the variance of their sum, or a bound on it."""

    @property
    @abstractmethod
    def steepest(self) -> float:
        """Return the tilt below which the moments of the noise are finite."""

    @abstractmethod
    def log_moment(self, tilt: float) -> float:
        """Return log E exp(TILT * sum)."""

    @abstractmethod
    def characteristic(self, tilt: float, size: int) -> Any:
        """Return the characteristic function of the tilted sum at 2 pi j / SIZE, j = 0 to SIZE / 2."""


class GeometricSummand(WholeSummand):
    """Numbers with geometric noise, whose scale is 1 by the rate."""

    @property
    def variance(self) -> float:
        return 0.0 if self.scale <= NARROW else self.cells / (2.0 * math.sinh(0.5 / min(self.scale, 1e100)) ** 2)

    @property
    def steepest(self) -> float:
        return 1.0 / self.scale

    def log_moment(self, tilt: float) -> float:
        rate = 1.0 / self.scale
        return self.cells * (2.0 * _log_less(-rate) - _log_less(tilt - rate) - _log_less(-tilt - rate))

    def characteristic(self, tilt: float, size: int) -> Any:
        turn = np.exp(2j * np.pi * np.arange(size // 2 + 1) / size)
        near, far = math.exp(tilt - 1.0 / self.scale), math.exp(-tilt - 1.0 / self.scale)
        return ((1.0 - near) * (1.0 - far) / ((1.0 - near * turn) * (1.0 - far / turn))) ** self.cells


class DiscreteGaussianSummand(WholeSummand):
    """Numbers with discrete Gaussian noise, whose scale is sigma."""

    @property
    def variance(self) -> float:
        return self.cells * self.scale**2

    @property
    def steepest(self) -> float:
        return math.inf

    def log_moment(self, tilt: float) -> float:
        return self.cells * (_log_sum(self._masses(tilt)[1]) - _log_sum(self._masses(0.0)[1]))

    def characteristic(self, tilt: float, size: int) -> Any:
        places, logs = self._masses(tilt)
        masses = np.exp(logs - _log_sum(logs))
        return np.fft.rfft(np.bincount(places % size, masses, size)).conj() ** self.cells

    def _masses(self, tilt: float) -> tuple[Any, Any]:
        """Return where the masses of one tilted number lie, and their logarithms."""
        middle = math.floor(tilt * self.scale**2)
        reach = math.ceil(REACH * self.scale) + 2
        places = np.arange(middle - reach, middle + reach + 2)
        return places, tilt * places - places.astype(float) ** 2 / (2.0 * self.scale**2)


def merged_sigma(cells: Mapping[float, int]) -> float | None:
    """Return the sigma of the one discrete Gaussian that a sum is; None where masses may differ by more than SAME.

    CELLS: how many numbers of each sigma. Each mass of the sum of two is that of one of variance s1^2 + s2^2 within a
    factor 1 +- 2 e / (1 - e), with e the sum over m >= 1 of 2 exp(-2 pi^2 t^2 m^2), 1/t^2 = 1/s1^2 + 1/s2^2 (Poisson
    summation; docs/methods/adding_up.md). In whichever order they are added, 1/t^2 is at most 2 / (least s)^2.
    """
    count = sum(cells.values())
    leading = 2.0 * math.exp(-((math.pi * min(WIDE, *cells)) ** 2))
    error = leading / (1.0 - min(leading, 0.5))
    if (count - 1) * 2.0 * error > SAME / 2.0:
        return None
    return math.hypot(*(math.sqrt(each) * sigma for sigma, each in cells.items()))


def laplace_sum_tail(cells: int, distance: float) -> float:
    """Return P(sum of CELLS Laplace numbers of scale 1 > DISTANCE): positive terms alone.

    The sum is the difference of two gamma variables of shape n = CELLS. With chance C(n-1+j, j) 2^-(n+j) what remains
    on the upper side has shape n - j, whose tail is that of a Poisson variable.
    """
    if cells > MOST:
        raise InvalidInput("are too many numbers with Laplace noise", "terms", "Add up at most 999 numbers.")
    chance, reached, sums = 2.0**-cells, 0.0, []
    for at in range(cells):
        reached += chance
        sums.append(reached)
        chance *= (cells + at) / (at + 1) / 2.0
    from scipy.special import gammaln, xlogy  # 0.1 s to import: only when it is needed

    places = np.arange(cells)
    return float(np.exp(xlogy(places, distance) - distance - gammaln(places + 1.0)) @ np.array(sums[::-1]))


def _log_less(exponent: float) -> float:
    """Return log(1 - exp(EXPONENT)), EXPONENT below 0."""
    return math.log1p(-math.exp(exponent)) if exponent < -0.1 else math.log(-math.expm1(exponent))


def _log_sum(logs: Any) -> float:
    most = float(logs.max())
    return most + math.log(float(np.exp(logs - most).sum()))
