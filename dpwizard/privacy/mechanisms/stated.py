"""One release of one number as it is stated to the public functions that judge what its output tells."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from dpwizard.values import NonNegative, Positive, Probability, Value, field


class Laplace(Value):
    """Laplace noise on one number: density exp(-|x|/scale) / (2 scale)."""

    kind: Literal["laplace"] = "laplace"
    scale: Positive = field("Noise scale", default=...)
    sensitivity: NonNegative = field("Sensitivity", default=1.0)


class Geometric(Value):
    """Two-sided geometric noise on a whole number: P(k) proportional to exp(-rate |k|)."""

    kind: Literal["geometric"] = "geometric"
    rate: Positive = field("Rate", default=...)
    sensitivity: NonNegative = field("Sensitivity", default=1.0)


class Gaussian(Value):
    """Gaussian noise on one number."""

    kind: Literal["gaussian"] = "gaussian"
    sd: Positive = field("Standard deviation", default=...)
    sensitivity: NonNegative = field("Sensitivity", default=1.0)


class Table(Value):
    """A mechanism given by what it publishes: the chance of each output under the truth and under its neighbour."""

    kind: Literal["table"] = "table"
    px: tuple[Probability, ...] = field("The truth's row", default=...)
    pxp: tuple[Probability, ...] = field("The neighbour's row", default=...)


Stated = Annotated[Laplace | Geometric | Gaussian | Table, Field(discriminator="kind")]
