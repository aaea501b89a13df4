"""The discrete prior: a list of values with their probabilities."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from dpwizard.base.numerics import decimal
from dpwizard.base.values import NonNegative, Number, field
from dpwizard.privacy.arguments import one_for_each
from dpwizard.privacy.priors.density import PointMasses
from dpwizard.privacy.priors.distribution import Distribution, check_some_mass, known

MOST_ATOMS = 2_000
Points = Annotated[tuple[Number, ...], Field(min_length=1, max_length=MOST_ATOMS)]
Masses = Annotated[tuple[NonNegative, ...], Field(min_length=1, max_length=MOST_ATOMS)]


class Discrete(Distribution):
    """A list of possible values, each with its probability; without probabilities all are equal."""

    quick = True
    title = "A list of values"

    family: Literal["discrete"] = "discrete"
    points: Points | None = field("Possible values", "Every value that is thought possible.")
    probabilities: Masses | None = field(
        "Probabilities", "If empty: all equal. They are normalised. Repeated values add up."
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.points is not None and self.probabilities is not None:
            one_for_each(self.probabilities, len(self.points), "probabilities")
        check_some_mass(self.probabilities, "probabilities")
        return self

    def _required_fields(self) -> tuple[str, ...]:
        return ("points",)

    def listed(self) -> tuple[float, ...]:
        return self.points or ()

    def support(self) -> tuple[float, float]:
        atoms = self.seen()
        return atoms.low, atoms.high

    def seen_from(self, origin: Fraction, precision: Fraction) -> PointMasses:
        points = known(self.points)
        masses: dict[Fraction, Fraction] = {}
        for point, mass in zip(points, self.probabilities or (1.0,) * len(points), strict=True):
            masses[decimal(point)] = masses.get(decimal(point), Fraction(0)) + decimal(mass)
        return PointMasses(masses, origin, precision)
