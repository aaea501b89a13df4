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
WIDEST_LOG = 20.0  # a lognormal with a larger log_sd is not resolved for several tilts at once
_nodes, _weights = np.polynomial.legendre.leggauss(32)
NODES, WEIGHTS = (_nodes + 1.0) / 2.0, _weights / 2.0  # on [0, 1]
BIGGEST = 1e300


class Flank(NamedTuple):
    """One side of a summit: log density and position as functions of the distance x >= 0 from the summit."""

    drop: Callable[[float], float]  # log density at x, less that at the summit
    drops: Callable[[Floats], Floats]
    shifts: Callable[[Floats], Floats]  # t at x, less t at the summit
    widest: Callable[
        [float], float
    ]  # width a panel that begins at x may have: the scale of the analytic structure there
    end: float  # beyond it the density is a pure exponential of this ...
    decay: float  # ... rate, at a fixed position t


class Cloud(NamedTuple):
    """Nodes that stand for the prior on an interval: positions t and weights, to be multiplied by e^log_scale."""

    log_scale: float
    weights: Floats
    positions: Floats


class Shape(Protocol):
    """A prior in its coordinate d: t(d), the log density with tilt k, its summits and flanks. The anchor is d = 0, t =
    0."""

    low: float
    high: float
    limit: float  # E[e^(k t)] over the upper tail is infinite from this k on (0: for every k > 0)
    grain: float  # a bound on rounding error in log densities, in units in the last place

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


def clouds(shape: Shape, k: float, low: float, high: float, cut: float = CUT) -> list[Cloud]:
    """Return nodes for the density tilted by K on [low, high], one cloud for each summit."""
    return [
        _cloud(shape, k, summit, start, stop, cut)
        for summit, start, stop in shape.summits(k, low, high)
        if start < stop
    ]


def log_integral(shape: Shape, k: float, low: float, high: float) -> float:
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


def _cloud(shape: Shape, k: float, summit: float, low: float, high: float, cut: float) -> Cloud:
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

    def __init__(self, shape: Shape) -> None:
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


def _any_width(x: float) -> float:
    return math.inf


def _exp(exponent: float) -> float:
    return math.exp(min(exponent, 690.0))


def _expm1(exponent: float) -> float:
    return math.expm1(min(exponent, 690.0))


def _product(left: float, right: float) -> float:
    """Return a product kept within 1e300 in size, so that differences of two of them stay numbers."""
    product = left * right
    return min(max(product, -BIGGEST), BIGGEST)


def _omega(level: float) -> float:
    """Return y > 0 with y + log y = LEVEL, by Newton's method from the side where it converges steadily."""
    if level < -30.0:
        return math.exp(max(level, -700.0))
    y = math.exp(level - math.exp(level)) if level <= 0.0 else max(level / 2.0, 0.5)
    for _ in range(60):
        step = (level - y - math.log(y)) * y / (1.0 + y)
        y += step
        if abs(step) <= 1e-12 * y:
            break
    return y


def _dip(level: float) -> tuple[float, float]:
    """Return the two solutions y < 1 < y' of y - log y = LEVEL >= 1, by Newton's method from outside."""
    found = []
    for start in (math.exp(-min(level, 700.0)), 2.0 * level):
        y = start
        for _ in range(60):
            if y == 1.0 or y <= 0.0:
                break
            step = (y - math.log(y) - level) * y / (1.0 - y)
            y += step
            if abs(step) <= 1e-12 * y:
                break
        found.append(y)
    return found[0], found[1]


# ----------------------------------------------------------------------------------- the families


class NormalShape:
    """Normal prior, d in standard deviations from the anchor; also cut off at two ends."""

    limit = math.inf

    def __init__(self, anchor: float, unit: float, low: float = -math.inf, high: float = math.inf) -> None:
        """Arguments: anchor, where d = 0 lies, in standard deviations from the mean; unit, one sd in t."""
        self.anchor, self.unit, self.low, self.high = anchor, unit, low, high
        self.grain = 8.0 + min(abs(anchor), 40.0)

    def position(self, d: float) -> float:
        """Return t at d."""
        return _product(d, self.unit)

    def speed(self, d: float) -> float:
        """Return dt/dd at d."""
        return self.unit

    def coordinate(self, t: float) -> float:
        """Return d at t."""
        return t / self.unit

    def height(self, d: float, k: float) -> float:
        """Return k t - (z^2 - anchor^2)/2."""
        return d * (k * self.unit - self.anchor - d / 2.0)

    def bend(self, d: float, k: float) -> tuple[float, float]:
        """Return the first two derivatives."""
        return k * self.unit - self.anchor - d, -1.0

    def summits(self, k: float, low: float, high: float) -> Iterable[tuple[float, float, float]]:
        """Yield the one summit."""
        yield min(max(k * self.unit - self.anchor, low), high), low, high

    def flank(self, summit: float, side: int, k: float) -> Flank:
        """Return the parabola on one side."""
        slope = side * (k * self.unit - self.anchor - summit)
        step = side * self.unit
        return Flank(
            lambda x: x * (slope - x / 2.0),
            lambda x: x * (slope - x / 2.0),
            lambda x: step * x,
            _any_width,
            math.inf,
            0.0,
        )


class ExponentialShape:
    """Exponential prior, d = t from the anchor."""

    grain = 8.0

    def __init__(self, rate: float, low: float) -> None:
        """Arguments: rate, in 1/t; low, where the support begins, from the anchor."""
        self.rate, self.low, self.high, self.limit = rate, low, math.inf, rate

    def position(self, d: float) -> float:
        """Return t at d."""
        return d

    def speed(self, d: float) -> float:
        """Return dt/dd at d."""
        return 1.0

    def coordinate(self, t: float) -> float:
        """Return d at t."""
        return max(t, self.low)

    def height(self, d: float, k: float) -> float:
        """Return (k - rate) d."""
        return _product(k - self.rate, d)

    def bend(self, d: float, k: float) -> tuple[float, float]:
        """Return the first two derivatives."""
        return k - self.rate, 0.0

    def summits(self, k: float, low: float, high: float) -> Iterable[tuple[float, float, float]]:
        """Yield the end on the heavy side."""
        yield (high if k > self.rate else low), low, high

    def flank(self, summit: float, side: int, k: float) -> Flank:
        """Return the straight line on one side."""
        slope, step = side * (k - self.rate), float(side)
        return Flank(lambda x: slope * x, lambda x: slope * x, lambda x: step * x, _any_width, math.inf, 0.0)


class LogNormalShape:
    """Lognormal prior, d = log(x / anchor) / log_sd: then t = size (e^(log_sd d) - 1)."""

    limit = 0.0

    def __init__(self, anchor: float, sd: float, size: float) -> None:
        """Arguments: anchor, the logarithm of the anchor in sd from the log mean; sd, of the logarithm; size, the
        anchor in t from 0."""
        self.anchor, self.sd, self.size = anchor, sd, size
        self.low, self.high = -math.inf, math.inf
        self.grain = 8.0 + min(abs(anchor), 40.0)

    def position(self, d: float) -> float:
        """Return t at d."""
        return _product(self.size, _expm1(self.sd * d))

    def speed(self, d: float) -> float:
        """Return dt/dd at d."""
        return max(_product(self.size * self.sd, _exp(self.sd * d)), 1e-300)

    def coordinate(self, t: float) -> float:
        """Return d at t."""
        return -math.inf if t <= -self.size else math.log1p(t / self.size) / self.sd

    def height(self, d: float, k: float) -> float:
        """Return k t - (w^2 - anchor^2)/2."""
        tilt = k * self.position(d) if k else 0.0
        return tilt - d * (self.anchor + d / 2.0)

    def bend(self, d: float, k: float) -> tuple[float, float]:
        """Return the first two derivatives."""
        growth = _product(k * self.size, _exp(self.sd * d)) * self.sd if k else 0.0
        return growth - self.anchor - d, growth * self.sd - 1.0

    def summits(self, k: float, low: float, high: float) -> Iterable[tuple[float, float, float]]:
        """Yield the one summit of a damping tilt; of a growing tilt, the bell below its dip and the climb above it."""
        if k == 0.0:
            yield min(max(-self.anchor, low), high), low, high
            return
        # w = log_sd * (standardised logarithm) at a summit solves |w| e^-w = e^level, by the derivative of ``height``
        level = math.log(abs(k)) + math.log(self.size) + 2.0 * math.log(self.sd) - self.sd * self.anchor
        if k < 0.0:
            yield min(max(-_omega(level) / self.sd - self.anchor, low), high), low, high
            return
        if level > -1.0:  # no dip: it climbs all the way
            yield high, low, high
            return
        bell, dip = (w / self.sd - self.anchor for w in _dip(-level))
        if low < dip:
            top = min(dip, high)
            yield min(max(bell, low), top), low, top
        if high > dip:
            yield high, max(low, dip), high

    def flank(self, summit: float, side: int, k: float) -> Flank:
        """Return one side: a parabola and a double exponential."""
        w, size, step = side * (summit + self.anchor), _product(self.size, _exp(self.sd * summit)), side * self.sd
        tilt = _product(k, size) if k else 0.0

        def drop(x: float) -> float:
            return (tilt * _expm1(step * x) if tilt else 0.0) - x * (w + x / 2.0)

        def drops(x: Floats) -> Floats:
            bell = -x * (w + x / 2.0)
            return bell + tilt * np.expm1(np.minimum(step * x, 600.0)) if tilt else bell

        fine = 1.5 / self.sd
        felt = (
            math.log(1e-18) - math.log(abs(tilt)) if tilt else -math.inf
        ) / step  # x at which the tilt begins (or ceases) to matter

        def widest(x: float) -> float:
            if not tilt:
                return fine if self.sd < WIDEST_LOG else math.inf
            if side > 0:
                return fine if x >= felt else max(felt - x, fine)
            return fine if x <= felt else math.inf

        return Flank(drop, drops, lambda x: size * np.expm1(np.minimum(step * x, 600.0)), widest, math.inf, 0.0)


class BetaShape:
    """Beta prior in d = logit(share) - logit(anchor): density a log y + b log(1 - y), concave for every a and b,
    analytic."""

    limit = math.inf

    def __init__(self, a: float, b: float, share: float, rest: float, width: float) -> None:
        """Arguments: a, b; share and rest, the anchor's y and 1 - y; width, of the support in t."""
        self.a, self.b, self.share, self.rest, self.width = a, b, share, rest, width
        self.logit = math.log(share) - math.log(rest)
        self.low, self.high = -math.inf, math.inf
        self.grain = 8.0 + min(a + b, 1e6) ** 0.5 * 4.0 + min(abs(self.logit) * min(a + b, 1.0), 100.0)

    def position(self, d: float) -> float:
        """Return t at d."""
        if math.isinf(d):
            return self.width * self.rest if d > 0 else -self.width * self.share
        return self.width * _share_shift(self.share, self.rest, d)

    def speed(self, d: float) -> float:
        """Return dt/dd at d."""
        y, z = self._shares(d)
        return max(self.width * y * z, 1e-300)

    def coordinate(self, t: float) -> float:
        """Return d at t: log of the ratio of the odds."""
        up, down = t / (self.width * self.share), t / (self.width * self.rest)
        if up <= -1.0 or down >= 1.0:
            return -math.inf if up <= -1.0 else math.inf
        return math.log1p(up) - math.log1p(-down)

    def height(self, d: float, k: float) -> float:
        """Return k t + a log(y/anchor) + b log((1-y)/(1-anchor))."""
        return _logistic_drop(self.a, self.b, self.share, self.rest, d) + k * self.position(d)

    def bend(self, d: float, k: float) -> tuple[float, float]:
        """Return the first two derivatives."""
        y, z = self._shares(d)
        tilt = k * self.width
        return self.a * z - self.b * y + tilt * y * z, y * z * (tilt * (z - y) - self.a - self.b)

    def _shares(self, d: float) -> tuple[float, float]:
        v = self.logit + d
        small = math.exp(-abs(v))
        near, far = small / (1.0 + small), 1.0 / (1.0 + small)
        return (near, far) if v < 0 else (far, near)

    def summits(self, k: float, low: float, high: float) -> Iterable[tuple[float, float, float]]:
        """Yield the one summit: a quadratic in y with exactly one root in (0, 1)."""
        scale = max(self.a, self.b, abs(k * self.width))
        a, b, tilt = self.a / scale, self.b / scale, k * self.width / scale
        root = (
            math.sqrt((a + b - tilt) ** 2 + 4.0 * tilt * a)
            if tilt > 0
            else math.sqrt((a + b + tilt) ** 2 - 4.0 * tilt * b)
        )
        y = 2.0 * a / (a + b - tilt + root) if a + b > tilt else (tilt - a - b + root) / (2.0 * tilt)
        z = 2.0 * b / (a + b + tilt + root) if a + b > -tilt else (-tilt - a - b + root) / (-2.0 * tilt)
        summit = math.log(max(y, 1e-300)) - math.log(max(z, 1e-300)) - self.logit
        yield min(max(summit, low), high), low, high

    def flank(self, summit: float, side: int, k: float) -> Flank:
        """Return one side of the summit."""
        y, z = self._shares(summit)
        if side < 0:  # look from the other end: y falls as x grows
            y, z = z, y
        falling = self.a if side < 0 else self.b
        total, tilt, step = self.a + self.b, side * k * self.width * y * z, side * self.width * y * z

        def drop(x: float) -> float:
            e = math.expm1(-x)
            if z < 0.75 or e > -0.5:
                return -falling * x - total * math.log1p(z * e) - tilt * e / (1.0 + z * e)
            base = y + z * math.exp(-x)
            return -falling * x - total * math.log(base) - tilt * e / base

        def drops(x: Floats) -> Floats:
            e = np.expm1(-x)
            if z < 0.75:
                return -falling * x - total * np.log1p(z * e) - e * tilt / (1.0 + z * e)
            base = y + z * np.exp(-x)
            return (
                -falling * x
                - total * np.where(e > -0.5, np.log1p(z * np.maximum(e, -0.5)), np.log(base))
                - tilt * e / base
            )

        def widest(x: float) -> float:
            return 3.0 if x < end else math.inf  # the singularities lie pi off the line, at share 1/2

        edge = 60.0 + math.log1p(total + abs(k) * self.width)  # there y is below 1e-18 of anything it is added to
        end = edge + (self.logit + summit if side < 0 else -self.logit - summit)
        return Flank(drop, drops, lambda x: step * -np.expm1(-x) / (y + z * np.exp(-x)), widest, end, falling)


def _share_shift(share: float, rest: float, d: float) -> float:
    """Return y(d) - share without cancellation."""
    e = math.expm1(-abs(d))
    if d > 0:
        return -share * rest * e / (share + rest * math.exp(-d))
    return share * rest * e / (rest + share * math.exp(d))


def _logistic_drop(a: float, b: float, share: float, rest: float, d: float) -> float:
    """Return a log(y/share) + b log((1-y)/rest) at d."""
    if math.isinf(d):
        return -math.inf
    if d > 0:
        a, b, share, rest = b, a, rest, share  # the mirror image
    e = math.expm1(-abs(d))
    log = math.log1p(share * e) if e > -0.5 else math.log(rest + share * math.exp(-abs(d)))
    return -a * abs(d) - (a + b) * log
