"""Pieces of constant density as seen from every truth at once."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpwizard.privacy.priors.regions import log_sum
from dpwizard.privacy.priors.tilted import SNAP, Floats, Tilted, log_phi


class Stairs(Tilted):
    """Pieces of constant density: a uniform prior or a histogram."""

    def __init__(
        self, support: tuple[float, float], edges: tuple[float, ...], weights: tuple[float, ...], precision: float
    ) -> None:
        """Lay the edges out in precisions from the first one."""
        low, _ = support
        super().__init__(support, precision, low)
        shares = np.array(weights) / math.fsum(weights)
        filled = np.flatnonzero(shares)
        shares = shares[filled[0] : filled[-1] + 1]
        self.edges = self.places(np.array(edges[filled[0] : filled[-1] + 2]))
        self.edges[0], self.edges[-1] = self.low, self.high
        widths = np.diff(self.edges)
        self.shares, self.widths = shares, np.maximum(widths, 1e-300)
        with np.errstate(divide="ignore"):
            self.log_densities = np.log(shares) - np.log(self.widths)
        self.sums = np.append(0.0, np.cumsum(shares))
        self.concave = shares.size == 1
        self.one_summit, self.summit = shares.size == 1, 0.0
        if float(widths.min()) < 64.0 * SNAP * max(self.high, 1.0):
            raise ArithmeticError("a bin too narrow to be told from its edges")

    def tilt(self, s: float) -> None:
        """Add the pieces up from both ends."""
        self.s = s
        whole = self.log_densities + self._log_run(self.widths)
        below, above = [-math.inf], [-math.inf]
        for width, piece in zip(self.widths.tolist(), whole.tolist(), strict=True):
            below.append(log_sum(below[-1] - s * width, piece))
        for width, piece in zip(self.widths[::-1].tolist(), whole[::-1].tolist(), strict=True):
            above.append(log_sum(above[-1] - s * width, piece))
        self.below, self.above = np.array(below), np.array(above[::-1])

    def _log_run(self, width: Floats) -> Floats:
        """Return log of the integral of e^(-s y) over [0, WIDTH]."""
        return np.asarray(np.log(np.maximum(width, 1e-300)) + log_phi(self.s * width))

    def _piece(self, t: Floats) -> NDArray[np.intp]:
        return np.clip(np.searchsorted(self.edges, t, side="right") - 1, 0, self.shares.size - 1)

    def _log_a(self, t: Floats) -> Floats:
        i = self._piece(t)
        into = t - self.edges[i]
        rest = np.where(into > 0.0, self.log_densities[i] + self._log_run(into), -np.inf)
        return np.asarray(np.logaddexp(self.below[i] - self.s * into, rest))

    def _log_b(self, t: Floats) -> Floats:
        i = self._piece(t)
        left = self.edges[i + 1] - t
        rest = np.where(left > 0.0, self.log_densities[i] + self._log_run(left), -np.inf)
        return np.asarray(np.logaddexp(self.above[i + 1] - self.s * left, rest))

    def _cdf(self, t: Floats) -> Floats:
        return np.asarray(np.interp(t, self.edges, self.sums))

    def log_density(self, t: Floats) -> Floats:
        """Return the log density of the piece to the right."""
        return np.asarray(self.log_densities[self._piece(t)])

    def density_range(self, first: Floats, last: Floats) -> tuple[Floats, Floats]:
        """Return the range over all pieces that [FIRST, LAST] meets, those it only touches left out."""
        size = SNAP * max(self.high, 1.0)
        i = np.searchsorted(self.edges, first + size, side="right") - 1
        j = np.searchsorted(self.edges, last - size, side="left") - 1
        padded = np.concatenate([[-np.inf], self.log_densities, [-np.inf, -np.inf]])
        i, j = np.clip(i + 1, 0, padded.size - 2), np.clip(j + 1, 0, padded.size - 2)
        spans = np.column_stack([i, np.maximum(i, j) + 1]).ravel()  # what lies between two spans is left out by [::2]
        return np.minimum.reduceat(padded, spans)[::2], np.maximum.reduceat(padded, spans)[::2]

    def slopes(self, first: Floats, last: Floats) -> tuple[Floats, Floats]:
        """Return 0 within one piece; across an edge nothing is known."""
        i = self._piece(first)
        within = (last <= self.edges[i + 1]) & (first >= self.edges[i]) & (self.shares[i] > 0.0)
        return np.where(within, 0.0, -np.inf), np.where(within, 0.0, np.inf)

    def kinks(self) -> Floats:
        """Return the edges."""
        return self.edges

    def pieces(self) -> list[tuple[float, float]]:
        """Return the bins that have mass."""
        filled = (self.shares > 0.0).tolist()
        edges = self.edges.tolist()
        return [(edges[i], edges[i + 1]) for i, has in enumerate(filled) if has]
