"""The beta prior: a share between two ends."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

import numpy as np

from dpwizard.base.numerics import decimal
from dpwizard.base.values import Number, Positive, field
from dpwizard.privacy.priors.density import Bins, Density, Floats, place_of
from dpwizard.privacy.priors.distribution import Between, Quarters, array, clamp_shape_parameter, known
from dpwizard.privacy.priors.quarters import SHARES, least_squares_fit, normal_fit


class Beta(Between):
    """A share between two ends; a = b = 1 is uniform, large a and b are narrow."""

    by_quarters = True
    title = "Beta: a share between two ends"

    family: Literal["beta"] = "beta"
    a: Positive | None = field("Pull upwards (a)", "Pulls towards the upper end.")
    b: Positive | None = field("Pull downwards (b)", "Pulls towards the lower end.")
    low: Number | None = field(
        "Smallest value", "Nothing smaller is possible.", default=0.0, unit="in the attribute’s unit"
    )
    high: Number | None = field(
        "Largest value", "Nothing larger is possible.", default=1.0, unit="in the attribute’s unit"
    )

    def _relative_positions(self, values: Floats) -> Floats:
        low, high = self.support()
        return array((values / 2 - low / 2) / (high / 2 - low / 2)).clip(0.0, 1.0)

    def parameters_for(self, quarters: Quarters) -> Mapping[str, float]:
        """Return a and b by least squares, each between 0.001 and 1e9."""
        from scipy.special import betaincinv

        positions = self._relative_positions(array(quarters))
        mean, sd = normal_fit((positions[0], positions[1], positions[2]))
        pull = max(mean * (1.0 - mean) / max(sd * sd, 1e-300) - 1.0, 0.1)  # a + b of the moments
        starts = [np.log([mean * pull, (1.0 - mean) * pull]), np.zeros(2), np.log([0.1, 0.1])]
        log_pulls = least_squares_fit(
            lambda at: array(betaincinv(math.exp(at[0]), math.exp(at[1]), SHARES)),
            positions,
            starts,
            ([math.log(1e-3)] * 2, [math.log(1e9)] * 2),
        )
        return {"a": math.exp(log_pulls[0]), "b": math.exp(log_pulls[1])}

    def seen_from(self, origin: Fraction, precision: Fraction) -> Density:
        low, high = (decimal(end) for end in self.support())
        if self.a == 1.0 and self.b == 1.0:
            return Bins([low, high], [Fraction(1)], origin, precision)
        a, b = clamp_shape_parameter(known(self.a)), clamp_shape_parameter(known(self.b))
        return BetaDensity(a, b, place_of(low, origin, precision), place_of(high, origin, precision))


SMALL_CHANGE = 1e-6  # a smaller change of the log density: the mass is the density times the width


class BetaDensity(Density):
    """f proportional to y^(a-1) (1-y)^(b-1), y the share of the support that lies below."""

    def __init__(self, a: float, b: float, low: float, high: float) -> None:
        super().__init__(low, high)
        self.a, self.b = a, b

    def log_mass(self, lo: Floats, hi: Floats) -> Floats:
        """Return log P(lo < T < hi): the density times the width where the density hardly changes."""
        first, last = self.inside(lo), self.inside(hi)
        width = (last - first) / (self.high - self.low)
        middle = (first / 2.0 + last / 2.0 - self.low) / (self.high - self.low)
        with np.errstate(all="ignore"):
            change = width * ((1.0 + abs(self.a - 1.0)) / middle + (1.0 + abs(self.b - 1.0)) / (1.0 - middle))
            height_times_width = self._log_height(middle) + np.log(width)
            return array(
                np.where(change < SMALL_CHANGE, height_times_width, np.log(self._mass_from_nearer_end(first, last)))
            )

    def _log_height(self, shares: Floats) -> Floats:
        """Return the log density, in widths of the support, at relative positions SHARES."""
        from scipy.special import betaln, xlog1py, xlogy

        return array(xlogy(self.a - 1.0, shares) + xlog1py(self.b - 1.0, -shares) - betaln(self.a, self.b))

    def heights(self, places: Floats) -> Floats:
        width = self.high - self.low
        with np.errstate(all="ignore"):
            heights = np.exp(self._log_height(np.clip((places - self.low) / width, 0.0, 1.0))) / width
        return np.nan_to_num(heights, nan=0.0, posinf=math.inf)

    def _mass_from_nearer_end(self, first: Floats, last: Floats) -> Floats:
        from scipy.special import betainc

        width = self.high - self.low
        below = betainc(self.a, self.b, (first - self.low) / width)
        from_below = betainc(self.a, self.b, (last - self.low) / width) - below
        from_above = betainc(self.b, self.a, (self.high - first) / width)
        from_above -= betainc(self.b, self.a, (self.high - last) / width)
        return array(np.maximum(np.where(below < 0.5, from_below, from_above), 0.0))

    def slopes(self, lo: Floats, hi: Floats) -> tuple[Floats, Floats]:
        # (a - 1)/(t - low) and (1 - b)/(high - t) are monotone: their bounds add up to bounds on the sum
        from_low = _quotient_bounds(self.a - 1.0, np.asarray(lo) - self.low, np.asarray(hi) - self.low)
        from_high = _quotient_bounds(1.0 - self.b, self.high - np.asarray(hi), self.high - np.asarray(lo))
        return from_low[0] + from_high[0], from_low[1] + from_high[1]

    def quantiles(self, shares: Floats) -> Floats:
        from scipy.special import betaincinv

        return array(self.low + (self.high - self.low) * betaincinv(self.a, self.b, shares))


def _quotient_bounds(numerator: float, near: Floats, far: Floats) -> tuple[Floats, Floats]:
    """Return the least and the largest NUMERATOR/distance for distances from NEAR to FAR."""
    limit = math.copysign(math.inf, numerator) if numerator else 0.0
    with np.errstate(all="ignore"):
        at_near = np.where(near > 0.0, numerator / near, limit)
        at_far = np.where(far > 0.0, numerator / far, limit)
    return np.minimum(at_near, at_far), np.maximum(at_near, at_far)
