"""The normal prior: the bell curve around a mean."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

import numpy as np

from dpwizard.base.numerics import decimal, real
from dpwizard.base.values import Number, Positive, field
from dpwizard.privacy.priors.density import Density, Floats, log_normal_mass, place_of
from dpwizard.privacy.priors.distribution import Distribution, Quarters, array, known
from dpwizard.privacy.priors.quarters import normal_fit

NARROWEST, WIDEST = 1e-140, 1e140  # standard deviations in precisions: squares stay finite


class Normal(Distribution):
    """The bell curve around a mean."""

    by_quarters = True
    title = "Normal: a bell curve"

    family: Literal["normal"] = "normal"
    mean: Number | None = field("Mean", "The value thought most likely.", unit="in the attribute’s unit")
    sd: Positive | None = field(
        "Standard deviation", "How far most values are from the mean.", unit="in the attribute’s unit"
    )

    def support(self) -> tuple[float, float]:
        return -math.inf, math.inf

    def parameters_for(self, quarters: Quarters) -> Mapping[str, float]:
        """Return mean and standard deviation by least squares: exact where the median is midway between the others."""
        mean, sd = normal_fit(quarters)
        return {"mean": mean, "sd": sd}

    def seen_from(self, origin: Fraction, precision: Fraction) -> Density:
        mean, sd = decimal(known(self.mean)), decimal(known(self.sd))
        return NormalDensity(place_of(mean, origin, precision), real(sd / precision))


class NormalDensity(Density):
    """The bell curve, whole or cut off at two ends."""

    def __init__(self, mean: float, sd: float, low: float = -math.inf, high: float = math.inf) -> None:
        super().__init__(low, high)
        self.mean, self.sd = mean, min(max(sd, NARROWEST), WIDEST)
        self._log_whole = float(self._log_mass(array(low), array(high)))

    def _z(self, places: Floats) -> Floats:
        with np.errstate(over="ignore"):
            return array((places - self.mean) / self.sd)

    def log_mass(self, lo: Floats, hi: Floats) -> Floats:
        return array(self._log_mass(self.inside(lo), self.inside(hi)) - self._log_whole)

    def _log_mass(self, lo: Floats, hi: Floats) -> Floats:
        """Return the log mass of the whole bell curve."""
        with np.errstate(over="ignore", invalid="ignore"):
            width = array((hi - lo) / self.sd)
        return log_normal_mass(self._z(lo), self._z(hi), width)

    def heights(self, places: Floats) -> Floats:
        z = self._z(places)
        with np.errstate(over="ignore", under="ignore"):
            return array(np.exp(-0.5 * z * z - self._log_whole) / (self.sd * math.sqrt(2.0 * math.pi)))

    def slopes(self, lo: Floats, hi: Floats) -> tuple[Floats, Floats]:
        # (log f)' = -z/sd falls from left to right
        return array(-self._z(hi) / self.sd), array(-self._z(lo) / self.sd)

    def quantiles(self, shares: Floats) -> Floats:
        from scipy.special import log_ndtr, ndtri_exp

        a, b = self._z(array(self.low)), self._z(array(self.high))
        mirrored = float(a) > 0.0  # use the side on which the tail is precise
        below = log_ndtr(-b if mirrored else a)
        share = 1.0 - shares if mirrored else shares
        with np.errstate(divide="ignore"):
            z = ndtri_exp(np.minimum(np.logaddexp(below, np.log(share) + self._log_whole), 0.0))
        return self.inside(self.mean + self.sd * (-z if mirrored else z))
