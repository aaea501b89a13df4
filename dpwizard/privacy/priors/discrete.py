"""A belief in a list of values."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from dpwizard.base.numerics import decimal
from dpwizard.base.values import NonNegative, Number, field
from dpwizard.privacy.arguments import one_for_each
from dpwizard.privacy.priors.density import PointMasses
from dpwizard.privacy.priors.distribution import Distribution, known, some_mass

MOST_ATOMS = 2_000
Points = Annotated[tuple[Number, ...], Field(min_length=1, max_length=MOST_ATOMS)]
Masses = Annotated[tuple[NonNegative, ...], Field(min_length=1, max_length=MOST_ATOMS)]


class Discrete(Distribution):
    """A list of possible values, each with its probability; without probabilities all are equal."""

    quick = True
    title = "A list of values"

    family: Literal["discrete"] = "discrete"
    points: Points | None = field("Possible values", "Every value held possible.")
    probabilities: Masses | None = field(
        "Probabilities", "Absent: all equal. They are normalised; repeated values add up."
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.points is not None and self.probabilities is not None:
            one_for_each(self.probabilities, len(self.points), "probabilities")
        some_mass(self.probabilities, "probabilities")
        return self

    def _asked(self) -> tuple[str, ...]:
        return ("points",)

    def _stated(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return the points and masses as they are stated."""
        points = known(self.points)
        return points, self.probabilities if self.probabilities is not None else (1.0,) * len(points)

    def listed(self) -> tuple[float, ...]:
        return self.points or ()

    def support(self) -> tuple[float, float]:
        """Return the smallest and the largest point of positive mass."""
        seen = self.seen()
        return seen.low, seen.high

    def seen_from(self, origin: Fraction, precision: Fraction) -> PointMasses:
        masses: dict[Fraction, Fraction] = {}
        for point, mass in zip(*self._stated(), strict=True):
            masses[decimal(point)] = masses.get(decimal(point), Fraction(0)) + decimal(mass)
        return PointMasses(masses, origin, precision)
