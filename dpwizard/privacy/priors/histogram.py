"""A belief in bins."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable
from functools import partial
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from dpwizard.errors import InvalidInput
from dpwizard.messages import message
from dpwizard.privacy.priors.distribution import Distribution, Floats, PriorPicture, array, known, moments_of, some_mass
from dpwizard.privacy.priors.piecewise_views import BinsView, bins_of
from dpwizard.privacy.priors.regions import View
from dpwizard.privacy.priors.stairs import Stairs
from dpwizard.privacy.priors.tilted import Tilted
from dpwizard.value_errors import shown
from dpwizard.values import NonNegative, Number, field

MOST_BINS = 2_000
MOST_MARKED = 1_000  # edges; with more, truths a precision off them are not looked at
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
        """Return P(X <= value)."""
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
        """Return the value below which SHARE of the mass lies."""
        edges, cumulative = self._cumulative()
        return float(np.interp(share, cumulative, edges))

    def moments(self) -> tuple[float, float]:
        """Return mean and standard deviation."""
        lows, highs, masses = (np.array(each) for each in self.bins())
        mean, sd = moments_of(lows / 2 + highs / 2, masses / masses.sum())
        with np.errstate(over="ignore"):
            within = math.sqrt(float(np.sum((highs - lows) ** 2 * masses / masses.sum())) / 12.0)
        return mean, math.hypot(sd, within)

    def views(self) -> Callable[[float, float], View]:
        return partial(BinsView, bins_of(known(self.edges), known(self.weights)))

    def _tilted(self, precision: float) -> Tilted:
        return Stairs(self.support(), known(self.edges), known(self.weights), precision)

    def marked(self, truths: set[float], precision: float) -> set[float]:
        lows, highs, _ = self.bins()
        edges = sorted({*lows, *highs})
        found = {*truths, *edges, *(first / 2 + last / 2 for first, last in zip(lows, highs, strict=True))}
        if len(edges) <= MOST_MARKED:
            found.update(edge + step * precision for edge in edges for step in (-1.0, 1.0))
        return {truth for truth in found if _any_bin(lows, highs, truth)}

    def _picture(self) -> PriorPicture | None:
        weights = np.array(known(self.weights))
        heights = tuple(float(weight) for weight in weights / weights.sum())
        return PriorPicture(kind="bars", places=known(self.edges), heights=heights)


def _any_bin(lows: tuple[float, ...], highs: tuple[float, ...], truth: float) -> bool:
    """Tell whether TRUTH lies in one of the bins (given in order)."""
    index = bisect_right(lows, truth) - 1
    return (index >= 0 and truth <= highs[index]) or (index > 0 and truth <= highs[index - 1])
