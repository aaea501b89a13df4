"""The lognormal prior: most values are small, a few are very large."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

import numpy as np

from dpwizard.base.values import Number, Positive, field
from dpwizard.privacy.priors.density import FARTHEST, Density, Floats, log_normal_mass, place_of
from dpwizard.privacy.priors.distribution import Distribution, Quarters, array, capped_exp, known
from dpwizard.privacy.priors.quarters import normal_fit


class LogNormal(Distribution):
    """A positive value whose logarithm is normal: most are small, a few are very large."""

    by_quarters = True
    title = "Lognormal: mostly small, a few very large"

    family: Literal["lognormal"] = "lognormal"
    log_mean: Number | None = field("Mean of the logarithm", "The natural logarithm of the median.")
    log_sd: Positive | None = field(
        "Standard deviation of the logarithm", "0.7: two thirds of the values are within a factor of 2 of the median."
    )

    def support(self) -> tuple[float, float]:
        return 0.0, math.inf

    def parameters_for(self, quarters: Quarters) -> Mapping[str, float]:
        """Return mean and standard deviation of the logarithm, by least squares of the logarithms."""
        low, half, high = map(math.log, quarters)
        mean, sd = normal_fit((low, half, high))
        return {"log_mean": mean, "log_sd": sd}

    def seen_from(self, origin: Fraction, precision: Fraction) -> Density:
        low = place_of(Fraction(0), origin, precision)
        # log x = log precision + log(t - low)
        log_precision = math.log(precision.numerator) - math.log(precision.denominator)
        return LogNormalDensity(low, known(self.log_mean) - log_precision, known(self.log_sd))


class LogNormalDensity(Density):
    """The density of a distance from the lower end whose logarithm is normal."""

    def __init__(self, low: float, log_mean: float, log_sd: float) -> None:
        super().__init__(low, math.inf)
        self.log_mean, self.log_sd = log_mean, min(max(log_sd, 1e-140), 1e140)
        # (log f)'' = 0 where log x = log_mean - log_sd^2 + 1
        self._bend = capped_exp(log_mean - self.log_sd**2 + 1.0) + low
        self.convex_from = self._bend

    def _z(self, places: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            return array((np.log(np.maximum(places - self.low, 0.0)) - self.log_mean) / self.log_sd)

    def log_mass(self, lo: Floats, hi: Floats) -> Floats:
        first, last = self.inside(lo), self.inside(hi)
        with np.errstate(all="ignore"):
            width = np.log1p((last - first) / (first - self.low)) / self.log_sd
        return log_normal_mass(self._z(first), self._z(last), width)

    def heights(self, places: Floats) -> Floats:
        z, distance = self._z(places), places - self.low
        with np.errstate(all="ignore"):
            heights = np.exp(-0.5 * z * z) / (distance * self.log_sd * math.sqrt(2.0 * math.pi))
        return np.where(distance > 0.0, heights, 0.0)

    def _slope(self, places: Floats) -> Floats:
        distance = places - self.low
        with np.errstate(all="ignore"):
            slope = -(np.log(distance) - self.log_mean + self.log_sd**2) / (self.log_sd**2 * distance)
        return np.where(np.isinf(distance), 0.0, np.where(distance > 0.0, slope, math.inf))

    def slopes(self, lo: Floats, hi: Floats) -> tuple[Floats, Floats]:
        # the slope falls to the bend and climbs to 0 beyond it
        at_lo, at_hi = self._slope(lo), self._slope(hi)
        across = (lo < self._bend) & (hi > self._bend)
        least = np.where(across, self._slope(array(self._bend)), np.minimum(at_lo, at_hi))
        return least, np.maximum(at_lo, at_hi)

    def quantiles(self, shares: Floats) -> Floats:
        from scipy.special import ndtri

        with np.errstate(over="ignore"):
            return array(np.minimum(self.low + np.exp(self.log_mean + self.log_sd * ndtri(shares)), FARTHEST))
