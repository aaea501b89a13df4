"""The noise on one number by the budget that is named: epsilon, or rho under Gaussian noise, whole or continuous."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.privacy.mechanisms.base import Noise
from dpwizard.privacy.mechanisms.discrete_gaussian import DiscreteGaussianNoise
from dpwizard.privacy.mechanisms.gaussian import GaussianNoise
from dpwizard.privacy.mechanisms.geometric import GeometricNoise
from dpwizard.privacy.mechanisms.laplace import LaplaceNoise

Budgeted = Literal["geometric", "laplace", "gaussian", "discrete_gaussian"]
RhoName = Literal["gaussian", "discrete_gaussian"]
KINDS: dict[str, tuple[Noise, str]] = {  # the noise, and the budget it is told by
    "geometric": (GeometricNoise(), "epsilon"),
    "laplace": (LaplaceNoise(), "epsilon"),
    "gaussian": (GaussianNoise(), "rho"),
    "discrete_gaussian": (DiscreteGaussianNoise(), "rho"),
}


@dataclass(frozen=True, kw_only=True)
class Law:
    """The noise on one number, symmetric about 0."""

    above: Callable[[float], float]  # P(noise > x) for x >= 0
    whole: bool

    def beyond(self, distance: Fraction) -> float:
        """Return P(|noise| > DISTANCE), DISTANCE >= 0."""
        if distance == 0 and not self.whole:
            return 1.0 if self.above(0.0) else 0.0  # continuous noise is never exactly 0
        return min(1.0, 2.0 * self.above(float(Fraction(math.floor(distance)) if self.whole else distance)))

    def below(self, distance: Fraction) -> float:
        """Return P(noise < DISTANCE), of whole noise below the next whole number."""
        at = Fraction(math.ceil(distance)) if self.whole else distance
        if at <= 0:
            return self.above(float(-at))
        return 1.0 - self.above(float(at - 1 if self.whole else at))

    def reaching(self, distance: Fraction) -> float:
        """Return P(noise >= DISTANCE), of whole noise of the next whole number."""
        at = Fraction(math.ceil(distance)) if self.whole else distance
        if at <= 0:
            return 1.0 - self.above(float(-at))
        return self.above(float(at - 1 if self.whole else at))


def law_of(mechanism: Budgeted, *, epsilon: float | None, rho: float | None, sensitivity: float) -> Law:
    """Return the noise that a budget gives one number of SENSITIVITY.

    Gaussian noise is told by rho, its sd is sensitivity / sqrt(2 rho); the others by epsilon, whose rate is epsilon /
    sensitivity. Raises InvalidInput where the budget that counts is missing, or the other is given.
    """
    _, asked = KINDS[mechanism]
    given = {"epsilon": epsilon, "rho": rho}
    other = "epsilon" if asked == "rho" else "rho"
    if given[asked] is None or given[other] is not None:
        raise InvalidInput(
            "is missing" if given[asked] is None else "is not asked for here",
            asked if given[asked] is None else other,
            message("Give {asked} for {mechanism} noise, and nothing else.", asked=asked, mechanism=mechanism),
        )
    budget = given[asked] or 0.0
    return law_at(mechanism, (math.sqrt(2.0 * budget) if asked == "rho" else budget) / sensitivity)


def law_at(mechanism: Budgeted, rate: float) -> Law:
    """Return the noise at a RATE in [0, inf]: epsilon by sensitivity, or 1 by the standard deviation."""
    noise, _ = KINDS[mechanism]
    scale = math.inf if rate == 0.0 else 0.0 if math.isinf(rate) else 1.0 / rate
    if scale == 0.0 or math.isinf(scale):
        return Law(above=lambda _: 0.0 if scale == 0.0 else 0.5, whole=noise.on_lattice)
    return Law(above=lambda x: math.exp(noise.log_tail(scale, x)), whole=noise.on_lattice)
