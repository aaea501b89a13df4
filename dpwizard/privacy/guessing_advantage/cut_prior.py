"""A prior with a density, divided into cells, which are halved if the bounds require it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpwizard.base.stopping import may_stop
from dpwizard.privacy.guessing_advantage.tilted_sums import INF, Cells, Floats, Indices, TiltedSums
from dpwizard.privacy.priors import FARTHEST, Density

MOST_EDGES = 40_000
COARSE_MASS = 1e-5  # mass times the uncertainty of the slope: cells above this are halved first
COARSE_SHAPE = 0.02  # the same without the mass, for cells of more mass than LIGHT
LIGHT = 1e-12
MOST_ROUNDS = 14

# the first edges are at these quantiles
SHARES = np.unique(
    np.concatenate([np.arange(1, 32) / 32, 10.0 ** -np.arange(2.0, 16.0), 1.0 - 10.0 ** -np.arange(2.0, 15.0)])
)


def landmarks(density: Density) -> Floats:
    """Return positions at quantiles and at the jumps of the density."""
    places = np.concatenate([density.quantiles(SHARES), density.jumps])
    return np.unique(places[np.isfinite(places) & (places >= density.low) & (places <= density.high)])


class CutPrior:
    """The cells of a prior between EDGES, landmarks and the ends of its support."""

    def __init__(self, density: Density, edges: Floats) -> None:
        self.density = density
        self.edges = np.array([density.low, density.high])
        self.add(np.concatenate([edges, landmarks(density)]))

    def add(self, edges: Floats) -> None:
        """Add those of EDGES that are inside the support as cell boundaries."""
        may_stop()
        density = self.density
        inner = edges[np.isfinite(edges) & (edges > density.low) & (edges < density.high)]
        self.edges = np.unique(np.concatenate([self.edges, inner]))
        lo, hi = self.edges[:-1], self.edges[1:]
        least, most = density.slopes(lo, hi)
        self.cells = Cells(lo, hi, density.log_mass(lo, hi), least, most)

    @property
    def full(self) -> bool:
        return self.edges.size > MOST_EDGES

    def edge_at(self, places: Floats) -> Indices:
        """Return the indices of the edges at PLACES, which are edges or outside the support."""
        return np.searchsorted(self.edges, self.density.inside(places))

    def sums(self, s: float, window: tuple[int, int] | None = None) -> TiltedSums:
        """Return the tilted sums at the signed loss S."""
        return TiltedSums(self.cells, s, window)

    def halve(self, chosen: Indices) -> None:
        self.add(halves(self.edges[:-1][chosen], self.edges[1:][chosen]))

    def halve_coarse(self, most_edges: int = MOST_EDGES) -> None:
        """Halve every cell in which the slope of the log density is too uncertain for three digits."""
        for _ in range(MOST_ROUNDS):
            chosen = self._coarse_cells()
            if not chosen.size or self.edges.size > most_edges:
                return
            self.halve(chosen)

    def _coarse_cells(self) -> Indices:
        cells = self.cells
        with np.errstate(all="ignore"):
            width = np.diff(self.edges)
            mass = np.exp(cells.log_mass)
            # the error of a tilted mean is about s (k2 - k1) h^2/12
            open_shape = np.minimum((cells.most_slope - cells.least_slope) * width, 6.0) * width
        endless = np.where(mass > LIGHT / 10.0, 1.0, 0.0)
        open_shape = np.where(np.isinf(width), endless, np.nan_to_num(open_shape))
        return np.flatnonzero((mass * open_shape > COARSE_MASS) | ((open_shape > COARSE_SHAPE) & (mass > LIGHT)))

    def costly_cells(self, sums: TiltedSums, output: float, inside: NDArray[np.bool_], least: float) -> Indices:
        """Return the cells with the largest gap between bounds at OUTPUT, except those with a total gap of LEAST.

        Arguments: sums at the signed loss; output, a position; inside, the cells in which the guess is right; least,
        the total gap that may stay. A gap is a share of the sum inside or outside.
        """
        with np.errstate(all="ignore"):
            lower, upper = _weights_at(sums, output)
            lost = upper - lower
            piece = int(np.clip(np.searchsorted(sums.lo, output, "right") - 1, 0, lost.size - 1))
            lost[piece] = upper[piece] * -math.expm1(-abs(sums.s) * min(float(sums.width[piece]), 700.0))
            sum_inside = max(float(lower[inside].sum()), 1e-300)
            sum_outside = max(float(lower[~inside].sum()), 1e-300)
            share = lost / np.where(inside, sum_inside, sum_outside)
        share = np.where(np.isnan(share), 1e300, share)
        order = np.argsort(-share)
        still_lost = np.cumsum(share[order][::-1])[::-1]
        chosen = order[still_lost > least]
        return chosen[share[chosen] > 0.0]


def _weights_at(sums: TiltedSums, output: float) -> tuple[Floats, Floats]:
    """Return bounds on the weight of every cell at OUTPUT, up to a common factor."""
    left_of_output = sums.hi <= output
    lower, upper = (
        np.where(left_of_output, from_left - sums.s * output, from_right + sums.s * output)
        for from_left, from_right in zip(sums.left_cells, sums.right_cells, strict=True)
    )
    scale = np.max(np.where(np.isfinite(lower), lower, -INF))
    return np.exp(lower - scale), np.exp(np.minimum(upper - scale, 700.0))


def mean_diverges(density: Density, s: float) -> bool:
    """Return whether E[e^(|s| t)] is infinite for a drop (S < 0): then a release can rule out a guess."""
    if s >= 0.0 or math.isfinite(density.high):
        return False
    _, tail_slope = density.slopes(np.array(FARTHEST), np.array(INF))
    return float(tail_slope) >= s


def halves(lo: Floats, hi: Floats) -> Floats:
    """Return the middles of intervals; for an unbounded one, a position twice as far from 0."""
    with np.errstate(invalid="ignore"):
        beyond = np.maximum(np.abs(np.where(np.isinf(hi), lo, hi)), 1.0)
        middle = lo + (hi - lo) / 2.0
    return np.where(np.isinf(hi), lo + beyond, np.where(np.isinf(lo), hi - beyond, middle))
