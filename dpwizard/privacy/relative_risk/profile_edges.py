"""The exact minimum of epsilon along an edge of the box of adversaries: one prior varies, the other is fixed.

Every shape but a surface reduces to one or two such edges, and on each its profile is a chain of pieces. On a piece
epsilon either has its minimum at an end, or falls and then rises: for fixed x = e^-epsilon the bound minus -1/r* is
linear in the varying prior, and 1/r* is concave or convex (docs/methods/relative_risk.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from dpwizard.base.numerics import UNIT, decimal
from dpwizard.privacy.profiles import Axis, Mesh, Piece
from dpwizard.privacy.relative_risk.prior_odds import (
    Array,
    Inverse,
    exact_multiplier,
    multiplier_error,
    multipliers_of,
    slope_signs,
)

CLOSE = 1 + 4 * Fraction(UNIT)  # a prior this near an edge of the profile counts as on it, as products are rounded
NARROW = 1e-8  # the final bracket width of the log of a minimiser, near which the value is flat
POINTS = 33  # the points of a bracket evaluated at once
FARTHEST = 1e12  # the farthest log distance of a minimiser below the end of an edge that is open at 0

Along = Literal["p", "q"]


@dataclass(frozen=True, slots=True)
class Edge:
    """The adversaries with one prior FIXED and the other, ALONG, between LOW and HIGH (0: the limit)."""

    along: Along
    fixed: Fraction
    low: Fraction
    high: Fraction

    def priors(self, moving: Fraction) -> tuple[Fraction, Fraction]:
        return (moving, self.fixed) if self.along == "p" else (self.fixed, moving)


@dataclass(frozen=True, slots=True)
class Place:
    """One adversary, the odds multiplier allowed there, and its rounding error."""

    p: Fraction
    q: Fraction
    multiplier: float  # log theta; negative if the profile allows less than the prior
    rounding_error: float = 0.0
    corner: Along | None = None  # p = q = 1 as the limit along this prior

    @property
    def is_limit(self) -> bool:
        """Return whether it is a limit that priors only approach."""
        return self.corner is not None or self.p == 0 or self.q == 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """Epsilon for one adversary, its rounding error, and whether it is only a limit."""

    value: float
    rounding_error: float
    p: float
    q: float
    limit: bool
    multiplier: float


def edge_between(along: Along, fixed: float, low: float, high: float) -> Edge:
    """Return an edge between priors that are read as the decimals they are written as."""
    return Edge(along, decimal(fixed), decimal(low), decimal(high))


def box_sides(
    mesh: Mesh, p: tuple[float, float], q: tuple[float, float]
) -> Iterator[tuple[Axis, tuple[Piece, ...], Edge]]:
    """Yield the sides of the box, each with the pieces of a surface along it.

    Outside its grid a surface of knots depends on one prior alone, so there its worst adversaries are on a side of the
    box or on the grid's boundary; if one prior is fixed, the side is the whole box.
    """
    if q[0] < q[1] or p[0] == p[1]:
        for fixed in sorted(set(p)):
            yield "q", mesh.along("q", fixed), edge_between("q", fixed, *q)
    if p[0] < p[1]:
        for fixed in sorted(set(q)):
            yield "p", mesh.along("p", fixed), edge_between("p", fixed, *p)


def places_on_edge(axis: Axis, pieces: Iterable[Piece], edge: Edge, inverse: Inverse) -> Iterator[Place]:
    """Yield every adversary on EDGE where epsilon may be smallest: the ends of the pieces and their inner minima.

    The infimum over the edge is the smallest value among them; where the profile falls below 1 on the edge, one of them
    has a negative multiplier. AXIS is the prior that moves along the edge, or "pq" with a fixed prior above 0.
    """
    scale = edge.fixed if axis == "pq" else 1
    for piece in pieces:
        start, end = max(piece.low / scale, edge.low), min(piece.high / scale, edge.high)
        if start > end * CLOSE:
            continue
        start = min(start, edge.high)
        end = max(start, end)
        first, last = _place_at(axis, piece, edge, start), _place_at(axis, piece, edge, end)
        yield from (first, last)
        if start == end:
            continue
        if start == 0 and last.corner:  # a constant epsilon is attained between the ends
            yield _place_at(axis, piece, edge, end / 2)
        if piece.concave() and not last.corner:
            inside = _inner_minimum(axis, piece, edge, start, end, inverse)
            if inside is not None:
                yield _place_at(axis, piece, edge, inside)


def candidates(places: Iterable[Place], inverse: Inverse) -> list[Candidate]:
    listed = list(places)
    if not listed:
        return []
    p, q = (
        np.array([float(side) for side in sides])
        for sides in zip(*((place.p, place.q) for place in listed), strict=True)
    )
    multipliers = np.array([place.multiplier for place in listed])
    with np.errstate(all="ignore"):
        values = inverse.budgets(multipliers, p, q)
        for i, place in enumerate(listed):
            if place.corner:  # w = 1 along p = 1, w = 0 along q = 1
                w = np.array([1.0 if place.corner == "q" else 0.0])
                values[i] = inverse.roots(np.maximum(multipliers[i : i + 1], 0.0), w, 1.0 - w)[0]
        finite = np.isfinite(values)
        errors = np.array([place.rounding_error for place in listed])
        errors = np.where(finite & (errors > 0.0), inverse.budget_errors(np.where(finite, values, 1.0), errors), 0.0)
    return [
        Candidate(value, budget_error, float(place.p), float(place.q), place.is_limit, place.multiplier)
        for place, value, budget_error in zip(listed, values.tolist(), errors.tolist(), strict=True)
    ]


def place_with_ratio(ratio: Fraction, p: Fraction, q: Fraction) -> Place:
    """Return the adversary with priors P and Q, for whom the profile allows RATIO."""
    prior = p * q
    multiplier = exact_multiplier(ratio, prior)
    return Place(p, q, multiplier, multiplier_error(multiplier, float(prior), float(1 - prior)) if prior else 0.0)


def _place_at(axis: Axis, piece: Piece, edge: Edge, moving: Fraction) -> Place:
    """Return the adversary whose varying prior is MOVING."""
    p, q = edge.priors(moving)
    prior = p * q
    counted = prior if axis == "pq" else moving
    ratio = piece.exact_ratio(counted)
    log_counted = np.array(_log(counted))
    with np.errstate(all="ignore"):
        log_ratio = float(piece.log_ratio(log_counted))
        if prior == 1 and edge.low < edge.high and (ratio == 1 or (ratio is None and log_ratio == 0.0)):
            # r* falls to 1 as pq reaches 1: the limit of log theta is -log(1 - k)
            exponent = float(piece.exponent(log_counted))
            return Place(p, q, -math.log1p(-exponent) if exponent < 1.0 else math.inf, corner=edge.along)
        if ratio is not None:
            return place_with_ratio(ratio, p, q)
        multiplier = float(multipliers_of(np.array(log_ratio), np.array(_log(p)), np.array(_log(q))))
        if not 0.0 < multiplier < math.inf:
            return Place(p, q, multiplier)
        room = -math.expm1(min(log_ratio + _log(prior), 0.0)) if prior else 1.0
        error = piece.error(float(log_counted)) / room if room > 0.0 else 0.0
    return Place(p, q, multiplier, error + multiplier_error(multiplier, float(prior), float(1 - prior)))


def _log(prior: Fraction) -> float:
    nearest = float(prior)
    if nearest > 0.0:
        return math.log(nearest)
    return math.log(prior.numerator) - math.log(prior.denominator) if prior else -math.inf


def _inner_minimum(
    axis: Axis, piece: Piece, edge: Edge, start: Fraction, end: Fraction, inverse: Inverse
) -> Fraction | None:
    """Return the interior minimiser of epsilon on a piece; None if there is none."""
    if edge.fixed == 0 and edge.along == "q":
        return None  # there epsilon = log r*, which only falls
    log_fixed = _log(edge.fixed)

    def signs(log_moving: Array) -> Array:
        fixed = np.full_like(log_moving, log_fixed)
        log_p, log_q = (log_moving, fixed) if edge.along == "p" else (fixed, log_moving)
        counted = log_p + log_q if axis == "pq" else log_moving
        log_ratio = piece.log_ratio(counted)
        multiplier = np.maximum(multipliers_of(log_ratio, log_p, log_q), 0.0)
        budgets = inverse.budgets(multiplier, np.exp(log_p), np.exp(log_q))
        return slope_signs(inverse.losses(budgets), log_ratio, log_p, log_q, piece.exponent(counted), edge.along)

    log_end = _log(end)
    if start > 0:
        points = np.linspace(_log(start), log_end, POINTS)
    else:
        points = log_end - np.append(np.geomspace(FARTHEST, 1e-3, 2 * POINTS), 0.0)
    with np.errstate(all="ignore"):
        rises = signs(points) > 0.0
        while rises[-1] and not rises[0]:
            i = int(np.argmax(rises))
            low, high = float(points[i - 1]), float(points[i])
            if high - low <= NARROW * max(1.0, abs(low)):
                return Fraction(math.exp(low + 0.5 * (high - low)))
            points = np.linspace(low, high, POINTS)
            rises = signs(points) > 0.0
            rises[0], rises[-1] = False, True
    return None
