"""The exponential prior: a waiting time."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

import numpy as np

from dpwizard.base.numerics import decimal, real
from dpwizard.base.values import Positive, field
from dpwizard.privacy.priors.density import Density, Floats, place_of
from dpwizard.privacy.priors.distribution import Distribution, Quarters, array, known


class Exponential(Distribution):
    """A waiting time: small values are likely, and the chance falls by the same factor with every unit."""

    quick = True
    by_quarters = True
    title = "Exponential: a waiting time"

    family: Literal["exponential"] = "exponential"
    rate: Positive | None = field("Rate", "One divided by the mean, per unit of the attribute.")

    def support(self) -> tuple[float, float]:
        return 0.0, math.inf

    def parameters_for(self, quarters: Quarters) -> Mapping[str, float]:
        """Return the rate by least squares: exact where the quarters are in proportion to ln 4/3, ln 2 and ln 4."""
        largest = max(quarters)
        standard_quarters = [math.log(4 / 3), math.log(2.0), math.log(4.0)]
        mean = math.fsum(
            standard * (quarter / largest) for standard, quarter in zip(standard_quarters, quarters, strict=True)
        )
        return {"rate": math.fsum(standard * standard for standard in standard_quarters) / mean / largest}

    def seen_from(self, origin: Fraction, precision: Fraction) -> Density:
        return ExponentialDensity(place_of(Fraction(0), origin, precision), real(decimal(known(self.rate)) * precision))


class ExponentialDensity(Density):
    """A density that falls at one rate from its lower end."""

    def __init__(self, low: float, rate: float) -> None:
        super().__init__(low, math.inf)
        self.rate = min(max(rate, 1e-290), 1e290)

    def log_mass(self, lo: Floats, hi: Floats) -> Floats:
        first, last = self.inside(lo), self.inside(hi)
        with np.errstate(all="ignore"):
            return array(-self.rate * (first - self.low) + np.log(-np.expm1(-self.rate * (last - first))))

    def heights(self, places: Floats) -> Floats:
        with np.errstate(over="ignore", under="ignore"):
            return array(self.rate * np.exp(-self.rate * (places - self.low)))

    def slopes(self, lo: Floats, hi: Floats) -> tuple[Floats, Floats]:
        rate = np.full(np.shape(lo), -self.rate)
        return rate, rate

    def quantiles(self, shares: Floats) -> Floats:
        return array(self.low - np.log1p(-shares) / self.rate)
