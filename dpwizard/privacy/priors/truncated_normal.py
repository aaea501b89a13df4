"""A normal belief cut off at two ends."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Literal, Self

import numpy as np
from pydantic import model_validator

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.numerics import decimal, real
from dpwizard.base.values import Number, Positive, field
from dpwizard.privacy.priors.density import Density, placed
from dpwizard.privacy.priors.distribution import (
    Distribution,
    Floats,
    Quarters,
    apart_from,
    array,
    kept_ratio,
    known,
    moments_of,
    ordered,
)
from dpwizard.privacy.priors.normal import NormalDensity
from dpwizard.privacy.priors.quarter_fits import QUARTERS, centred, nearest

MOST_CUT = 10_000  # standard deviations: farther out a tail's mass has too few digits


class TruncatedNormal(Distribution):
    """The bell curve cut off at two ends."""

    by_quarters = True
    ends = ("low", "high")
    title = "Normal, cut off at two ends"

    family: Literal["truncated_normal"] = "truncated_normal"
    mean: Number | None = field(
        "Mean before the cut", "The value held likeliest, were there no cut.", unit="in the attribute's unit"
    )
    sd: Positive | None = field(
        "Standard deviation before the cut",
        "How far values would typically lie from the mean, were there no cut.",
        unit="in the attribute's unit",
    )
    low: Number | None = field("Smallest value", "The bell curve is cut off here.", unit="in the attribute's unit")
    high: Number | None = field("Largest value", "The bell curve is cut off here.", unit="in the attribute's unit")

    @model_validator(mode="after")
    def _check(self) -> Self:
        ordered(self.low, self.high)
        return self

    def support(self) -> tuple[float, float]:
        """Return the two ends."""
        return known(self.low), known(self.high)

    def cdf(self, values: Floats) -> Floats:
        """Return P(X <= value) off a fine grid: for drawing, to 1e-6."""
        grid, cumulative = self._table()
        return np.interp(values, grid, cumulative)

    def _table(self) -> tuple[Floats, Floats]:
        """Return a fine grid across the mass and the distribution function on it, stable in the far tails."""
        from scipy.special import log_ndtr

        low, high = self.support()
        mean, sd = known(self.mean), known(self.sd)
        z_low, z_high = kept_ratio(low - mean, sd), kept_ratio(high - mean, sd)
        sign = -1.0 if z_low + z_high > 0 else 1.0  # look from the side where the tail is small
        first, last = (z_low, z_high) if sign > 0 else (-z_high, -z_low)
        peak = min(max(0.0, first), last)
        reach = 80.0 / (abs(peak) + math.sqrt(peak * peak + 80.0))  # where the density has lost a factor e^40
        z = np.linspace(max(first, peak - reach), min(last, peak + reach), 4_001)
        logs = log_ndtr(z)
        below = np.exp(logs - logs[-1]) - math.exp(logs[0] - logs[-1])
        cumulative = np.full(z.size, 1.0) if below[-1] <= 0 else below / below[-1]
        grid = mean + sd * z
        return (grid, cumulative) if sign > 0 else (mean - sd * z[::-1], 1.0 - cumulative[::-1])

    def density(self, values: Floats) -> Floats:
        """Return the density between the ends."""
        from scipy.special import log_ndtr

        low, high = self.support()
        mean, sd = known(self.mean), known(self.sd)
        ends = sorted((kept_ratio(low - mean, sd), kept_ratio(high - mean, sd)), key=abs)
        far, near = (-abs(end) if ends[0] * ends[1] > 0 else end for end in reversed(ends))
        upper, lower = max(far, near), min(far, near)
        mass = float(log_ndtr(upper)) + math.log(max(-math.expm1(float(log_ndtr(lower) - log_ndtr(upper))), 1e-300))
        z = apart_from(values, mean) / sd
        with np.errstate(over="ignore", under="ignore"):
            inside = np.exp(-0.5 * z * z - mass) / (sd * math.sqrt(2.0 * math.pi))
        return array(np.where((values >= low) & (values <= high), inside, 0.0))

    def quantile(self, share: float) -> float:
        """Return the value below which SHARE of the mass lies, to 1e-6 of the spread."""
        grid, cumulative = self._table()
        return float(np.interp(share, cumulative, grid))

    def parameters_for(self, quarters: Quarters) -> Mapping[str, float]:
        """Return mean and standard deviation before the cut by least squares, within 20 times the ends' distance."""
        low, high = self.support()
        asked = array([(one / 2 - low / 2) / (high / 2 - low / 2) for one in quarters])
        mean, sd = centred((asked[0], asked[1], asked[2]))
        starts = [array([mean, math.log(sd)]), array([mean, math.log(3 * sd)]), array([0.5, 0.0]), array([-3.0, 0.5])]
        starts.append(array([4.0, 0.5]))
        bounds = ([-20.0, math.log(1e-9)], [21.0, math.log(20.0)])
        found = nearest(lambda at: _quarters(at[0], math.exp(at[1])), asked, starts, bounds)
        across = high / 2 - low / 2
        return {"mean": low + 2 * across * found[0], "sd": 2 * across * math.exp(found[1])}

    def moments(self) -> tuple[float, float]:
        """Return mean and standard deviation, to 1e-6 of the spread."""
        grid, cumulative = self._table()
        return moments_of((grid[1:] + grid[:-1]) / 2, cumulative[1:] - cumulative[:-1])

    def seen_from(self, origin: Fraction, precision: Fraction) -> Density:
        mean, sd = decimal(known(self.mean)), decimal(known(self.sd))
        low, high = (decimal(end) for end in self.support())
        closest = min(max(mean, low), high)
        if abs(closest - mean) > MOST_CUT * sd:
            raise InvalidInput(
                message("must be cut off at most {most} standard deviations from its mean", most=MOST_CUT),
                "prior",
                "Describe what is left of it by a histogram.",
            )
        return NormalDensity(
            placed(mean, origin, precision),
            real(sd / precision),
            placed(low, origin, precision),
            placed(high, origin, precision),
        )


def _quarters(mean: float, sd: float) -> Floats:
    """Return where the quarters of a bell curve lie that is cut off at 0 and 1, from the side where its tail is
    small."""
    from scipy.special import log_ndtr, ndtri_exp

    sign = -1.0 if mean < 0.5 else 1.0
    near, far = sorted((sign * -mean / sd, sign * (1.0 - mean) / sd))
    shares = QUARTERS if sign > 0 else 1.0 - QUARTERS
    logs = np.logaddexp(log_ndtr(near) + np.log1p(-shares), log_ndtr(far) + np.log(shares))
    return array(mean + sign * sd * ndtri_exp(logs))
