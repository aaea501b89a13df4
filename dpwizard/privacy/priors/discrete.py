"""A belief in a list of values."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.numerics import decimal
from dpwizard.base.values import NonNegative, Number, field
from dpwizard.privacy.priors.density import Atoms
from dpwizard.privacy.priors.distribution import (
    Distribution,
    Floats,
    PriorPicture,
    answered,
    array,
    known,
    moments_of,
    some_mass,
)

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
        if self.points is not None and self.probabilities is not None and len(self.points) != len(self.probabilities):
            raise InvalidInput(
                message(
                    "must have one entry for each of the {count} points; found {found}",
                    count=len(self.points),
                    found=len(self.probabilities),
                ),
                "probabilities",
                "Give each point its probability.",
            )
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

    def atoms(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return the distinct points of positive mass in order, and their masses before normalising."""
        points, masses = self._stated()
        together: dict[float, float] = {}
        for point, mass in zip(points, masses, strict=True):
            together[point + 0.0] = together.get(point + 0.0, 0.0) + mass  # + 0.0: -0.0 and 0.0 are one point
        kept = sorted((point, mass) for point, mass in together.items() if mass > 0.0)
        return tuple(point for point, _ in kept), tuple(mass for _, mass in kept)

    def support(self) -> tuple[float, float]:
        """Return the smallest and the largest point of positive mass."""
        points, _ = self.atoms()
        return points[0], points[-1]

    def cdf(self, values: Floats) -> Floats:
        points, masses = self.atoms()
        cumulative = np.concatenate(([0.0], np.cumsum(masses)))
        return array((cumulative / cumulative[-1])[np.searchsorted(points, values, side="right")])

    def density(self, values: Floats) -> Floats:
        """Return the mass at each of VALUES."""
        points, masses = (np.array(each) for each in self.atoms())
        place = np.searchsorted(points, values).clip(0, points.size - 1)
        return array(np.where(points[place] == values, masses[place] / masses.sum(), 0.0))

    def drawn(self, count: int = 200) -> tuple[Floats, Floats, Floats]:
        """Return the points themselves with their masses and the distribution function."""
        answered(self)
        points = np.array(self.atoms()[0])
        return points, self.density(points), self.cdf(points)

    def quantile(self, share: float) -> float:
        """Return the smallest point that has at least SHARE of the mass up to it."""
        points, masses = self.atoms()
        total, running = math.fsum(masses), 0.0
        for point, mass in zip(points, masses, strict=True):
            running += mass
            if running >= share * total * (1.0 - 1e-12):
                return point
        return points[-1]

    def moments(self) -> tuple[float, float]:
        points, masses = (np.array(each) for each in self.atoms())
        return moments_of(points, masses / masses.sum())

    def seen_from(self, origin: Fraction, precision: Fraction) -> Atoms:
        masses: dict[Fraction, Fraction] = {}
        for point, mass in zip(*self._stated(), strict=True):
            masses[decimal(point)] = masses.get(decimal(point), Fraction(0)) + decimal(mass)
        return Atoms(masses, origin, precision)

    def _picture(self) -> PriorPicture | None:
        points, masses, _ = self.drawn()
        return PriorPicture(kind="points", places=tuple(map(float, points)), heights=tuple(map(float, masses)))
