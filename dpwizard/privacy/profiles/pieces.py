"""A risk profile for the solver: pieces along one prior, or a mesh of knots over two."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dpwizard.base.numerics import UNIT, decimal

Floats = NDArray[np.float64]
Points = Sequence[tuple[float, float]]

CLOSE = 4.0 * UNIT  # relative: a prior this near the end of a piece counts as that end


@dataclass(frozen=True, kw_only=True)
class Piece(ABC):
    """An interval low <= prior <= high of a profile on which its ratio r* has one formula."""

    low: Fraction = Fraction(0)
    high: Fraction = Fraction(1)

    @abstractmethod
    def log_ratio(self, log_prior: Floats) -> Floats:
        """Return log r* at the logarithms of priors; -inf is the limit at prior 0."""

    @abstractmethod
    def exponent(self, log_prior: Floats) -> Floats:
        """Return -d log r* / d log prior: 0 if r* is constant, 1 if it falls like a cap."""

    def concave(self) -> bool:
        """Return whether 1/r* is concave in the prior but not linear.

        If not, the smallest epsilon of the piece is at one of its ends.
        """
        return False

    def exact_ratio(self, prior: Fraction) -> Fraction | None:
        """Return r* at a prior as a fraction; None if it is irrational or infinite."""
        return None

    def error(self, log_prior: float) -> float:
        """Return the rounding error of log r* if it is not a fraction."""
        return 0.0


@dataclass(frozen=True, kw_only=True)
class LevelPiece(Piece):
    """The same ratio everywhere."""

    ratio: float

    def log_ratio(self, log_prior: Floats) -> Floats:
        return np.full_like(log_prior, math.log(self.ratio) if self.ratio > 0.0 else -math.inf)

    def exponent(self, log_prior: Floats) -> Floats:
        return np.zeros_like(log_prior)

    def exact_ratio(self, prior: Fraction) -> Fraction | None:
        return None if math.isinf(self.ratio) else decimal(self.ratio)


@dataclass(frozen=True, kw_only=True)
class PowerPiece(Piece):
    """log r* = level - fall * log prior, with the ratios at its ends if those were entered."""

    level: float
    fall: float
    low_ratio: float | None = None
    high_ratio: float | None = None

    def log_ratio(self, log_prior: Floats) -> Floats:
        if self.fall == 0.0:
            return np.full_like(log_prior, self.level)
        log_ratio = self.level - self.fall * log_prior
        rounding_error = 4.0 * UNIT * (abs(self.level) + np.abs(self.level - log_ratio))
        is_one = np.isfinite(log_ratio) & (np.abs(log_ratio) <= rounding_error)  # up to the rounding of interpolation
        return np.where(is_one, 0.0, log_ratio)

    def exponent(self, log_prior: Floats) -> Floats:
        return np.full_like(log_prior, self.fall)

    def concave(self) -> bool:
        return 0.0 < self.fall < 1.0

    def exact_ratio(self, prior: Fraction) -> Fraction | None:
        for end, ratio in ((self.low, self.low_ratio), (self.high, self.high_ratio)):
            if ratio is not None and abs(prior - end) <= CLOSE * end:
                return decimal(ratio)
        return None

    def error(self, log_prior: float) -> float:
        fall = self.fall * log_prior if self.fall else 0.0
        return 4.0 * UNIT * (1.0 + abs(self.level) + (abs(fall) if math.isfinite(fall) else 0.0))


def chain(points: Points) -> tuple[Piece, ...]:
    """Return the pieces of a curve through POINTS, log-linear between them and constant outside."""
    first, ratio = points[0]
    pieces: list[Piece] = [LevelPiece(ratio=ratio, high=decimal(first))]
    pieces += [_segment(*start, *end) for start, end in pairwise(points)]
    last, ratio = points[-1]
    if last < 1.0:
        pieces.append(LevelPiece(ratio=ratio, low=decimal(last)))
    return tuple(pieces)


def _segment(low: float, before: float, high: float, after: float) -> Piece:
    """Return the log-linear piece through the points (LOW, BEFORE) and (HIGH, AFTER)."""
    if before == after:
        return LevelPiece(ratio=before, low=decimal(low), high=decimal(high))
    fall = (math.log(before) - math.log(after)) / (math.log(high) - math.log(low))
    return PowerPiece(
        level=math.log(after) + fall * math.log(high),
        fall=fall,
        low=decimal(low),
        high=decimal(high),
        low_ratio=before,
        high_ratio=after,
    )


@dataclass(frozen=True, slots=True)
class Mesh:
    """The knots of a surface: its log ratio is bilinear in log p and log q between them, constant outside."""

    p: tuple[float, ...]
    q: tuple[float, ...]
    ratios: tuple[tuple[float, ...], ...]  # one row for each p

    def along(self, prior: Literal["p", "q"], at: float) -> tuple[Piece, ...]:
        """Return the pieces of the surface along one PRIOR, with the other fixed AT a value."""
        if prior == "q":
            return _pieces_along(self.p, self.q, self.ratios, at)
        return _pieces_along(self.q, self.p, tuple(zip(*self.ratios, strict=True)), at)


def _pieces_along(
    across: tuple[float, ...], along: tuple[float, ...], ratios: tuple[tuple[float, ...], ...], at: float
) -> tuple[Piece, ...]:
    """Return the pieces ALONG the knots of one prior, with the other, which has knots ACROSS, fixed AT a value."""
    i = min(max(bisect_right(across, at) - 1, 0), len(across) - 1)
    if at <= across[i] or i == len(across) - 1:  # on a grid line, or outside the grid
        return chain(tuple(zip(along, ratios[i], strict=True)))
    share = (math.log(at) - math.log(across[i])) / (math.log(across[i + 1]) - math.log(across[i]))
    log_ratios = [
        (1.0 - share) * math.log(a) + share * math.log(b) for a, b in zip(ratios[i], ratios[i + 1], strict=True)
    ]
    pieces = [PowerPiece(level=log_ratios[0], fall=0.0, high=decimal(along[0]))]
    for (low, before), (high, after) in pairwise(zip(along, log_ratios, strict=True)):
        fall = (before - after) / (math.log(high) - math.log(low))
        pieces.append(PowerPiece(level=after + fall * math.log(high), fall=fall, low=decimal(low), high=decimal(high)))
    return (*pieces, PowerPiece(level=log_ratios[-1], fall=0.0, low=decimal(along[-1])))
