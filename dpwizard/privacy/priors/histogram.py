"""The histogram prior: shares in bins."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import decimal
from dpwizard.base.value_errors import quoted_value
from dpwizard.base.values import NonNegative, Number, field
from dpwizard.privacy.arguments import one_for_each
from dpwizard.privacy.priors.density import Bins
from dpwizard.privacy.priors.distribution import Distribution, PriorPicture, check_some_mass, known

MOST_BINS = 2_000
Edges = Annotated[tuple[Number, ...], Field(min_length=2, max_length=MOST_BINS + 1)]
Masses = Annotated[tuple[NonNegative, ...], Field(min_length=1, max_length=MOST_BINS)]


class Histogram(Distribution):
    """Shares in bins; within a bin every value is as likely as any other."""

    quick = True
    in_bars = True
    title = "A histogram: shares in bins"

    family: Literal["histogram"] = "histogram"
    edges: Edges | None = field("Edges of the bins", "In increasing order; one more than weights.")
    weights: Masses | None = field("Weights of the bins", "They are normalised.")

    @model_validator(mode="after")
    def _check(self) -> Self:
        edges, weights = self.edges, self.weights
        if edges is not None:
            for index in range(1, len(edges)):
                if not edges[index - 1] < edges[index]:
                    raise InvalidInput(
                        "must be greater than the edge before; found {found}",
                        f"edges[{index}]",
                        "Put the edges in order.",
                        found=quoted_value(edges[index]),
                    )
            if weights is not None:
                one_for_each(weights, len(edges) - 1, "weights")
        check_some_mass(weights, "weights")
        return self

    def support(self) -> tuple[float, float]:
        bins = self.seen()
        return bins.low, bins.high

    def seen_from(self, origin: Fraction, precision: Fraction) -> Bins:
        edges = [decimal(edge) for edge in known(self.edges)]
        weights = [decimal(weight) for weight in known(self.weights)]
        return Bins(edges, weights, origin, precision)

    def _picture(self) -> PriorPicture | None:
        weights = np.array(known(self.weights))
        heights = tuple(float(weight) for weight in weights / weights.sum())
        return PriorPicture(kind="bars", places=known(self.edges), heights=heights)
