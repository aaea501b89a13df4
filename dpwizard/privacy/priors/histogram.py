"""A belief in bins."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.numerics import decimal
from dpwizard.base.value_errors import shown
from dpwizard.base.values import NonNegative, Number, field
from dpwizard.privacy.priors.density import Bins
from dpwizard.privacy.priors.distribution import Distribution, Floats, PriorPicture, array, known, moments_of, some_mass

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
                        message("must be greater than the edge before; found {found}", found=shown(edges[index])),
                        f"edges[{index}]",
                        "Put the edges in order.",
                    )
            if weights is not None and len(weights) != len(edges) - 1:
                raise InvalidInput(
                    message(
                        "must have one entry for each of the {count} bins; found {found}",
                        count=len(edges) - 1,
                        found=len(weights),
                    ),
                    "weights",
                    "Give each bin its weight; there is one edge more than weights.",
                )
        some_mass(weights, "weights")
        return self

    def bins(self) -> tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]:
        """Return lower edges, upper edges and masses (before normalising) of the bins of positive mass."""
        edges, weights = known(self.edges), known(self.weights)
        kept = [(edges[i], edges[i + 1], weight) for i, weight in enumerate(weights) if weight > 0.0]
        lows, highs, masses = zip(*kept, strict=True)
        return lows, highs, masses

    def support(self) -> tuple[float, float]:
        """Return the outermost edges of the bins of positive mass."""
        lows, highs, _ = self.bins()
        return lows[0], highs[-1]

    def _cumulative(self) -> tuple[Floats, Floats]:
        cumulative = np.concatenate(([0.0], np.cumsum(np.array(known(self.weights)))))
        return np.array(known(self.edges)), cumulative / cumulative[-1]

    def cdf(self, values: Floats) -> Floats:
        edges, cumulative = self._cumulative()
        with np.errstate(over="ignore"):
            return np.interp(values, edges, cumulative)

    def density(self, values: Floats) -> Floats:
        """Return the density; on an edge that of the bin above it."""
        edges, cumulative = self._cumulative()
        place = np.searchsorted(edges, values, side="right") - 1
        place = np.where(values == edges[-1], edges.size - 2, place)
        inside = (place >= 0) & (place < edges.size - 1)
        place = place.clip(0, edges.size - 2)
        half = edges[place + 1] / 2 - edges[place] / 2
        return array(np.where(inside, (cumulative[place + 1] - cumulative[place]) / half / 2, 0.0))

    def quantile(self, share: float) -> float:
        edges, cumulative = self._cumulative()
        return float(np.interp(share, cumulative, edges))

    def moments(self) -> tuple[float, float]:
        lows, highs, masses = (np.array(each) for each in self.bins())
        mean, sd = moments_of(lows / 2 + highs / 2, masses / masses.sum())
        with np.errstate(over="ignore"):
            within = math.sqrt(float(np.sum((highs - lows) ** 2 * masses / masses.sum())) / 12.0)
        return mean, math.hypot(sd, within)

    def seen_from(self, origin: Fraction, precision: Fraction) -> Bins:
        edges = [decimal(edge) for edge in known(self.edges)]
        weights = [decimal(weight) for weight in known(self.weights)]
        return Bins(edges, weights, origin, precision)

    def _picture(self) -> PriorPicture | None:
        weights = np.array(known(self.weights))
        heights = tuple(float(weight) for weight in weights / weights.sum())
        return PriorPicture(kind="bars", places=known(self.edges), heights=heights)
