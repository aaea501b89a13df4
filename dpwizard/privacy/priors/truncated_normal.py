"""The truncated normal prior: the bell curve cut off at two ends."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import decimal, real
from dpwizard.base.values import Number, Positive, field
from dpwizard.privacy.priors.density import Density, Floats, place_of
from dpwizard.privacy.priors.distribution import Between, Quarters, array, known
from dpwizard.privacy.priors.normal import NormalDensity
from dpwizard.privacy.priors.quarters import SHARES, least_squares_fit, normal_fit

MOST_CUT = 10_000  # standard deviations beyond which a tail's mass is imprecise


class TruncatedNormal(Between):
    """The bell curve cut off at two ends."""

    by_quarters = True
    title = "Normal, cut off at two ends"

    family: Literal["truncated_normal"] = "truncated_normal"
    mean: Number | None = field(
        "Mean before the cut", "The value thought most likely if nothing were cut off.", unit="in the attribute’s unit"
    )
    sd: Positive | None = field(
        "Standard deviation before the cut",
        "How far values would typically be from the mean if nothing were cut off.",
        unit="in the attribute’s unit",
    )
    low: Number | None = field("Smallest value", "The bell curve is cut off here.", unit="in the attribute’s unit")
    high: Number | None = field("Largest value", "The bell curve is cut off here.", unit="in the attribute’s unit")

    def parameters_for(self, quarters: Quarters) -> Mapping[str, float]:
        """Return mean and standard deviation before the cut by least squares, within 20 times the width."""
        low, high = self.support()
        positions = array([(quarter / 2 - low / 2) / (high / 2 - low / 2) for quarter in quarters])
        mean, sd = normal_fit((positions[0], positions[1], positions[2]))
        starts = [array([mean, math.log(sd)]), array([mean, math.log(3 * sd)]), array([0.5, 0.0]), array([-3.0, 0.5])]
        starts.append(array([4.0, 0.5]))
        bounds = ([-20.0, math.log(1e-9)], [21.0, math.log(20.0)])

        def quartiles(at: Floats) -> Floats:
            return NormalDensity(at[0], math.exp(at[1]), 0.0, 1.0).quantiles(SHARES)

        fit = least_squares_fit(quartiles, positions, starts, bounds)
        half_width = high / 2 - low / 2
        return {"mean": low + 2 * half_width * fit[0], "sd": 2 * half_width * math.exp(fit[1])}

    def seen_from(self, origin: Fraction, precision: Fraction) -> Density:
        mean, sd = decimal(known(self.mean)), decimal(known(self.sd))
        low, high = (decimal(end) for end in self.support())
        closest = min(max(mean, low), high)
        if abs(closest - mean) > MOST_CUT * sd:
            raise InvalidInput(
                "must be cut off at most {most} standard deviations from its mean",
                "prior",
                "Describe what is left of it by a histogram.",
                most=MOST_CUT,
            )
        return NormalDensity(
            place_of(mean, origin, precision),
            real(sd / precision),
            place_of(low, origin, precision),
            place_of(high, origin, precision),
        )
