"""The certified search with closed forms switched off: it knows no shape, only pieces along a prior, and checks what is
solved exactly."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpwizard.privacy.profiles import Axis, Piece
from dpwizard.privacy.relative_risk.inverse import Inverse, PureLoss
from dpwizard.privacy.relative_risk.profile_search import MOST_NUMBERS, Bounds, Cells, Infimum, multipliers_of, search
from dpwizard.privacy.relative_risk.profile_surfaces import Grid, by_slope

Array = Any


def surface_of(profile: Any, p: tuple[float, float], q: tuple[float, float]) -> tuple[Any, Cells]:
    """Return a profile as the search sees it, and the box of priors as cells."""
    mesh = profile.mesh()
    if mesh is not None:
        grid = Grid(mesh)
        return grid, grid.cells(p, q)
    return Chain(*profile.pieces()), Cells(*(np.array([side]) for side in (*p, *q)))


def least_log_ratio(surface: Any, cells: Cells) -> float:
    """Return the smallest log r* over the cells; exact but for rounding."""
    with np.errstate(all="ignore"):
        return float(surface.bounds(cells, PureLoss(1.0)).log_ratio.min())


def search_alone(
    profile: Any, p: Any, q: Any, factor: float = 2.0, tolerance: float = 1e-9, most: int = MOST_NUMBERS
) -> Infimum:
    """Return an interval around the infimum by branch and bound alone."""
    return search(*surface_of(profile, p, q), PureLoss(factor), tolerance, most=most)


class Chain:
    """A profile of pieces along p, q or pq, for the search with closed forms switched off."""

    def __init__(self, axis: Axis, pieces: tuple[Piece, ...]) -> None:
        self.axis = axis
        self.special = pieces[0] if pieces[0].formula in ("increase", "odds") else None
        self.size = len(pieces)
        with np.errstate(divide="ignore"):
            self.low = np.log([piece.low for piece in pieces])
            self.high = np.log([min(piece.high, 1.0) for piece in pieces])
            self.level = np.array(
                [np.log(piece.level) if piece.formula in ("ratio", "cap") else piece.level for piece in pieces]
            )
        self.exponent = np.array([1.0 if p.formula == "cap" else p.exponent for p in pieces])

    def _span(self, cells: Cells) -> tuple[Array, Array, Array, Array]:
        """Return the range of the prior that counts, and what the other one adds to log pq at least and at most."""
        p0, p1, q0, q1 = np.log(cells.p0), np.log(cells.p1), np.log(cells.q0), np.log(cells.q1)
        if self.axis == "p":
            return p0, p1, q0, q1
        if self.axis == "q":
            return q0, q1, p0, p1
        return p0 + q0, p1 + q1, np.zeros(len(cells)), np.zeros(len(cells))

    def bounds(self, cells: Cells, inverse: Inverse) -> Bounds:
        low, high, other, _ = self._span(cells)
        if self.special is not None:
            return self._special_bounds(cells)
        ends = [np.maximum(self.low, low[:, None] - 4e-16), np.minimum(self.high, high[:, None] + 4e-16)]
        apart = ends[0] > ends[1]
        ratios, posteriors, slopes = [], [], []
        for end in ends:
            ratio = np.where(self.exponent == 0.0, self.level, self.level - self.exponent * end)
            posterior = np.where(self.exponent == 1.0, self.level, self.level + (1.0 - self.exponent) * end)
            total = -(end + other[:, None])
            slope = np.where(
                total <= 0.0, np.where(ratio <= 0.0, self.exponent, np.inf), ratio / np.where(total > 0.0, total, 1.0)
            )
            ratios.append(np.where(apart, np.inf, ratio))
            posteriors.append(np.where(apart, np.inf, posterior))
            slopes.append(np.where(apart, np.inf, np.where(np.isnan(slope), 0.0, slope)))
        least = [np.minimum(*pair).min(axis=1) for pair in (ratios, posteriors, slopes)]
        room = -np.log(cells.p1 * cells.q1)
        return Bounds(least[0], least[1] + other, by_slope(least[2], room))

    def _special_bounds(self, cells: Cells) -> Bounds:
        assert self.special is not None
        amount, low, high = self.special.level, cells.p0 * cells.q0, cells.p1 * cells.q1
        if self.special.formula == "odds":
            inverse = math.exp(-amount)
            return Bounds(
                -np.log(inverse * (1.0 - high) + high),
                np.log(low) - np.log(inverse * (1.0 - low) + low),
                np.full(len(low), amount),
            )
        lowest = np.clip(0.5 * (1.0 - amount), low, high)  # log theta of an increase is smallest at pq = (1-b)/2
        room = lowest * (1.0 - lowest - amount)
        multiplier = np.where(1.0 - lowest - amount <= 0.0, np.inf, np.log1p(amount / room))
        return Bounds(np.log1p(amount / high), np.log(low + amount), multiplier)

    def multipliers(self, p: Array, q: Array) -> Array:
        prior = np.log(p) if self.axis == "p" else np.log(q) if self.axis == "q" else np.log(p) + np.log(q)
        if self.special is not None:
            if self.special.formula == "odds":
                return np.full(len(p), self.special.level)
            s, amount = p * q, self.special.level
            return np.where(1.0 - s - amount <= 0.0, np.inf, np.log1p(amount / (s * (1.0 - s - amount))))
        inside = (prior[:, None] >= self.low - 4e-16) & (prior[:, None] <= self.high + 4e-16)
        ratio = np.where(self.exponent == 0.0, self.level, self.level - self.exponent * prior[:, None])
        return multipliers_of(np.where(inside, ratio, np.inf).min(axis=1), p, q)

    def clear(self, cells: Cells, target: float, inverse: Inverse) -> tuple[Array, Array, Array]:
        return np.zeros(len(cells), dtype=bool), cells.p1, cells.q1
