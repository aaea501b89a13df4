"""Tilted integrals of smooth priors: the mass of an interval weighted by e^(k t), to 1e-14 relative.

A smooth prior is written in a coordinate d of its own in which its log density is analytic and, tilted,
has one summit (or, for a lognormal tilted upwards, two monotone ends). From the summit outwards the
interval is cut into panels that double in width until a factor e^-46 is lost or the interval ends, each
integrated by a 32-point Gauss-Legendre rule. A panel that begins at a drop D spans at most a few D more,
which the rule resolves far below e^D of the rounding error: so the error is that of summing positive terms.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

CUT = 46.0  # e^-46 = 1e-20: what lies beyond does not reach the sixteenth digit
FAR_CUT = 64.0  # for nodes that are shared by several mild tilts
MOST_PANELS = 6_000
_nodes, _weights = np.polynomial.legendre.leggauss(32)
NODES, WEIGHTS = (_nodes + 1.0) / 2.0, _weights / 2.0  # on [0, 1]
BIGGEST = 1e300


class Flank(NamedTuple):
    """One side of a summit: log density and position as functions of the distance x >= 0 from the summit."""

    drop: Callable[[float], float]  # log density at x, less that at the summit
    drops: Callable[[Floats], Floats]
    shifts: Callable[[Floats], Floats]  # t at x, less t at the summit
    # width a panel that begins at x may have: the scale of the analytic structure there
    widest: Callable[[float], float]
    end: float  # beyond it the density is a pure exponential of this ...
    decay: float  # ... rate, at a fixed position t


class Cloud(NamedTuple):
    """Nodes that stand for the prior on an interval: positions t and weights, to be multiplied by e^log_scale."""

    log_scale: float
    weights: Floats
    positions: Floats


class Coordinate(Protocol):
    """A prior in its coordinate d: t(d), the log density with tilt k, its summits and flanks. The anchor is d = 0, t =
    0."""

    low: float
    high: float
    limit: float  # E[e^(k t)] over the upper tail is infinite from this k on (0: for every k > 0)
    grain: float  # a bound on rounding error in log densities, in units in the last place
    resolved: bool  # whether nodes laid for no tilt serve several mild tilts at once

    def position(self, d: float) -> float:
        """Return t at d."""

    def speed(self, d: float) -> float:
        """Return dt/dd at d."""

    def coordinate(self, t: float) -> float:
        """Return d at t."""

    def height(self, d: float, k: float) -> float:
        """Return the log density in d with tilt k, relative to the anchor."""

    def bend(self, d: float, k: float) -> tuple[float, float]:
        """Return the first two derivatives of ``height``."""

    def summits(self, k: float, low: float, high: float) -> Iterable[tuple[float, float, float]]:
        """Yield (summit, from, to) of the parts of [low, high] on which the tilted density has one summit."""

    def flank(self, summit: float, side: int, k: float) -> Flank:
        """Return the side of SUMMIT below it (side -1) or above it (side 1)."""


def clouds(shape: Coordinate, k: float, low: float, high: float, cut: float = CUT) -> list[Cloud]:
    """Return nodes for the density tilted by K on [low, high], one cloud for each summit."""
    return [
        _cloud(shape, k, summit, start, stop, cut)
        for summit, start, stop in shape.summits(k, low, high)
        if start < stop
    ]


def log_integral(shape: Coordinate, k: float, low: float, high: float) -> float:
    """Return log of the integral of e^(k t) times the density (relative to the anchor) on [low, high]."""
    if not low < high:
        return -math.inf
    if math.isinf(high) and k > 0.0 and k >= shape.limit:
        return math.inf
    total = -math.inf
    for cloud in clouds(shape, k, low, high):
        mass = float(cloud.weights.sum())
        part = cloud.log_scale + math.log(mass) if mass > 0.0 else -math.inf
        if part > -math.inf:
            total = part if total == -math.inf else max(total, part) + math.log1p(math.exp(-abs(total - part)))
    return total


def _cloud(shape: Coordinate, k: float, summit: float, low: float, high: float, cut: float) -> Cloud:
    slope, curve = shape.bend(summit, k)
    first = 2.0 / (abs(slope) + math.sqrt(abs(curve)) + 1e-300)  # about two e-folds
    weights, positions = [], []
    for side, room in ((-1, summit - low), (1, high - summit)):
        if room <= 0.0:
            continue
        flank = shape.flank(summit, side, k)
        edges, tail = _edges(flank, first, room, cut)
        widths = np.diff(edges)
        x = (edges[:-1, None] + widths[:, None] * NODES).ravel()
        mass = np.exp(flank.drops(x)) * (widths[:, None] * WEIGHTS).ravel()
        shift = flank.shifts(x)
        if tail:  # the integral of a pure exponential from the last edge on, as one node there
            last = edges[-1:]
            mass = np.append(mass, np.exp(flank.drops(last)) / flank.decay)
            shift = np.append(shift, flank.shifts(last))
        weights.append(mass)
        positions.append(shift)
    here = shape.position(summit)
    return Cloud(shape.height(summit, k), np.concatenate(weights), here + np.concatenate(positions))


def _edges(flank: Flank, first: float, room: float, cut: float) -> tuple[Floats, bool]:
    """Return the edges of the panels from the summit outwards, and whether a pure exponential is left beyond them."""
    edges, here, width = [0.0], 0.0, first
    for _ in range(MOST_PANELS):
        width = min(width, flank.widest(here))
        following = here + width
        if following >= room:
            edges.append(room)
            return np.array(edges), False
        edges.append(following)
        here = following
        if -flank.drop(here) > cut:
            return np.array(edges), False
        if here >= flank.end and math.isinf(room):
            return np.array(edges), True
        width *= 2.0
    return np.array(edges), False


class Table:
    """The distribution function of a shape, for arrays of coordinates."""

    def __init__(self, shape: Coordinate) -> None:
        """Lay panels over the whole mass and add them up from both ends."""
        self.summit, start, stop = next(iter(shape.summits(0.0, shape.low, shape.high)))
        slope, curve = shape.bend(self.summit, 0.0)
        first = 1.0 / (abs(slope) + math.sqrt(abs(curve)) + 1e-300)
        self.flanks = [shape.flank(self.summit, side, 0.0) for side in (-1, 1)]
        self.edges, self.masses, self.tails = [], [], []
        for flank, room in zip(self.flanks, (self.summit - start, stop - self.summit), strict=True):
            edges, tail = _edges(flank, first, room, FAR_CUT) if room > 0.0 else (np.zeros(1), False)
            widths = np.diff(edges)
            x = edges[:-1, None] + widths[:, None] * NODES
            self.edges.append(edges)
            self.masses.append((np.exp(flank.drops(x)) * WEIGHTS).sum(axis=1) * widths)
            self.tails.append(float(np.exp(flank.drops(edges[-1:]))[0]) / flank.decay if tail else 0.0)
        self.sides = [float(mass.sum()) + tail for mass, tail in zip(self.masses, self.tails, strict=True)]

    def __call__(self, d: Floats) -> tuple[Floats, Floats]:
        """Return P(D <= d) and P(D > d)."""
        total = sum(self.sides)
        outward = [
            self._beyond(side, np.maximum(sign * (d - self.summit), 0.0)) for side, sign in ((0, -1.0), (1, 1.0))
        ]
        below = np.where(d <= self.summit, outward[0], total - outward[1])
        above = np.where(d <= self.summit, total - outward[0], outward[1])
        return below / total, above / total

    def places(self) -> list[float]:
        """Return the coordinates of the edges of the panels."""
        return [*(self.summit - self.edges[0]).tolist(), *(self.summit + self.edges[1]).tolist()]

    def _beyond(self, side: int, x: Floats) -> Floats:
        """Return the mass on one side that lies further than X from the summit."""
        flank, edges, masses, tail = self.flanks[side], self.edges[side], self.masses[side], self.tails[side]
        if edges.size == 1:
            return np.zeros_like(x)
        after = np.append(np.cumsum(masses[::-1])[::-1], 0.0) + tail
        panel = np.clip(np.searchsorted(edges, x, side="right") - 1, 0, masses.size - 1)
        stop = edges[panel + 1]
        start = np.minimum(x, stop)
        inner = start[:, None] + (stop - start)[:, None] * NODES
        rest = after[panel + 1] + (np.exp(flank.drops(inner)) * WEIGHTS).sum(axis=1) * (stop - start)
        far = np.where(np.isfinite(x), x, 0.0)
        ends = tail * np.exp(-flank.decay * np.maximum(far - edges[-1], 0.0)) if tail else 0.0
        return np.where(x > edges[-1], np.where(np.isfinite(x), ends, 0.0), rest)


def any_width(x: float) -> float:
    """Return no bound on the width of a panel, wherever it begins."""
    return math.inf


def product(left: float, right: float) -> float:
    """Return a product kept within 1e300 in size, so that differences of two of them stay numbers."""
    product = left * right
    return min(max(product, -BIGGEST), BIGGEST)


def quotient(numerator: float, denominator: float) -> float:
    """Return a quotient kept between 1e-140 and 1e140, so that squares stay finite and positive."""
    logs = math.log(numerator) - math.log(denominator)
    return math.exp(min(max(logs, -322.0), 322.0)) if abs(logs) > 320.0 else numerator / denominator


def steady(value: float) -> float:
    """Return VALUE kept within 1e140 in size, so that squares stay finite."""
    return min(max(value, -1e140), 1e140)
