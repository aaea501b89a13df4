"""A prior as seen from one guess: what lies left of it, inside it and right of it, and how a tilt weighs each.

Everything is measured in precisions from the truth: t = (x - truth)/precision, correct guesses |t| <= 1.
Every bound of :mod:`dpwizard.guessing_bounds` is made of one quantity, ``around(region, s, c)``: the log of
E[e^(-s |T - c|)] given the region, exact for every family and precise relative to itself even where s is tiny.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Context, Decimal
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dpwizard.numerics import decimal
from dpwizard.priors import Beta, Discrete, Exponential, Histogram, LogNormal, Normal, Prior, TruncatedNormal, Uniform, known
from dpwizard.smooth_priors import (
    CUT,
    FAR_CUT,
    WIDEST_LOG,
    BetaShape,
    Cloud,
    ExponentialShape,
    LogNormalShape,
    NormalShape,
    Shape,
    Table,
    clouds,
    log_integral,
)

Floats = NDArray[np.float64]
Region = Literal["left", "inside", "right"]
REGIONS: tuple[Region, ...] = ("left", "inside", "right")

EXACT = Context(prec=60, Emin=-10_000, Emax=10_000)  # decimals are subtracted without rounding, as they are written
LARGEST = 1e300
MILD = 0.3  # a log mean below this in size is computed again by its difference from 1
MANY_SHELLS = 20_000


def apart(value: float, origin: float, unit: float) -> float:
    """Return (VALUE - ORIGIN)/UNIT, the numbers read as the decimals they are written as, rounded once; at most 1e300."""
    difference = EXACT.subtract(Decimal(repr(value)), Decimal(repr(origin)))
    return min(max(float(EXACT.divide(difference, Decimal(repr(unit)))), -LARGEST), LARGEST)


def within(value: float, origin: float, reach: float) -> bool:
    """Tell whether |VALUE - ORIGIN| <= REACH, compared as the decimals they are written as."""
    difference = abs(EXACT.subtract(Decimal(repr(value)), Decimal(repr(origin))))
    edge = Decimal(repr(reach))
    if difference == edge:  # sixty digits may not tell 1e300 from 1e300 + 1e-300
        return abs(decimal(value) - decimal(origin)) <= decimal(reach)
    return difference < edge


def _all_apart(values: Floats, origin: float, unit: float) -> Floats:
    """Return (values - origin)/unit; where digits cancel, by decimals."""
    with np.errstate(over="ignore", invalid="ignore"):
        t = np.clip((values - origin) / unit, -LARGEST, LARGEST)
        close = np.abs(values - origin) < 0.25 * np.maximum(np.abs(values), abs(origin))
    for index in np.flatnonzero(close | ~np.isfinite(t)):
        t[index] = apart(float(values[index]), origin, unit)
    return t


def log_sum(left: float, right: float) -> float:
    """Return log(e^left + e^right); -inf is nothing."""
    high, low = (left, right) if left > right else (right, left)
    return high if low == -math.inf or high == math.inf else high + math.log1p(math.exp(low - high))


def _log_phi(x: float) -> float:
    """Return log((1 - e^-x)/x) for x >= 0: the mean of e^-y over [0, x]."""
    return -x / 2.0 if x < 1e-9 else math.log(-math.expm1(-x) / x)


def crossing(gauge: Callable[[float], tuple[float, float]], low: float, high: float, start: float | None) -> float:
    """Return c in (low, high) where GAUGE, which climbs from -inf to inf, is zero; gauge(c) gives value and slope.

    Newton's method on the scale log((c - low)/(high - c)), on which the gauge is nearly straight, inside a bracket.
    The bounds depend on c in second order, so a value below 1e-9 is as good as zero.
    """
    bottom, top = low, high
    c = start if start is not None and low < start < high else low + (high - low) / 2.0
    for _ in range(100):
        if not low < c < high:  # the two ends are neighbours in floating point
            break
        value, slope = gauge(c)
        if value < 0.0:
            bottom = c
        else:
            top = c
        if abs(value) < 1e-9 or top - bottom <= 4e-16 * max(abs(top), abs(bottom)):
            break
        share, rest = (c - low) / (high - low), (high - c) / (high - low)
        rate = slope * (high - low) * share * rest
        step = value / rate if math.isfinite(value) and math.isfinite(rate) and rate > 0.0 else math.inf
        if abs(step) < 30.0:
            odds = share / rest * math.exp(-step)
            c = low + (high - low) * (odds / (1.0 + odds))
        if not bottom < c < top or abs(step) >= 30.0:
            c = bottom + (top - bottom) / 2.0
    return c


class View:
    """What lies left of, inside and right of the correct guesses. LOGS are the logs of the three masses."""

    a: float  # the outermost correct guesses that have mass, as coordinates of this view
    b: float
    low_edge: float  # the edges of the interval of correct guesses, t = -1 and t = 1
    high_edge: float
    reach: float  # the widest distance within the support, in precisions; may be infinite
    limit: float = math.inf  # the drop is to 0 from this loss on: the upper tail is too heavy
    grain: float = 8.0  # a bound on the rounding error of ``around``, in units in the last place

    def __init__(self, left: float, inside: float, right: float) -> None:
        """Arguments: logs of the three masses, with any common summand."""
        total = log_sum(log_sum(left, right), inside)
        self.log_left, self.log_inside, self.log_right = left - total, inside - total, right - total
        self.log_outside = log_sum(self.log_left, self.log_right)
        self.share_left = self.log_left - self.log_outside if self.log_left > -math.inf else -math.inf
        self.share_right = self.log_right - self.log_outside if self.log_right > -math.inf else -math.inf
        self.certain = self.log_outside == -math.inf
        self.impossible = self.log_inside == -math.inf
        self.log_odds = self.log_outside - self.log_inside  # against a correct guess
        self.inside = math.exp(self.log_inside) if self.log_inside < -0.7 else -math.expm1(self.log_outside)
        self.outside = math.exp(self.log_outside) if self.log_outside < -0.7 else -math.expm1(self.log_inside)

    def around(self, region: Region, s: float, c: float) -> float:
        """Return log E[e^(-s |T - c|) | REGION], s of either sign, c a coordinate; inf where the mean diverges."""
        raise NotImplementedError

    def best(self, s: float, start: float | None = None) -> float:
        """Return the c inside at which the odds are extreme: the smallest for s > 0, the largest for s < 0."""
        raise NotImplementedError

    def coordinate(self, t: float) -> float:
        """Return the coordinate of T."""
        return t

    def t_of(self, c: float) -> float:
        """Return t at coordinate C."""
        return c

    def edge_density(self, side: int) -> float:
        """Return the density per precision just inside the edge t = SIDE (-1 or 1) of the correct guesses; 0 for atoms."""
        return 0.0

    def below(self, t: Floats) -> Floats:
        """Return P(T <= t) for an array."""
        raise NotImplementedError

    def above(self, t: Floats) -> Floats:
        """Return P(T > t) for an array."""
        raise NotImplementedError

    def shells(self, s: float) -> float:
        """Return log of the sum over n >= 1 of e^(-s n) P(n < |T| <= n + 1), given a wrong guess."""
        raise NotImplementedError

    def share_exactly(self) -> Fraction | None:
        """Return the prior probability of a correct guess as a fraction, the inputs read as decimals; None where it is irrational."""
        return None


# --------------------------------------------------------------------------------------- atoms


class AtomsView(View):
    """Separate points."""

    def __init__(self, prior: Discrete, truth: float, precision: float) -> None:
        """Arguments: the prior, the truth and the precision."""
        points, masses = (np.array(each) for each in prior.atoms())
        self.prior, self.truth, self.precision = prior, truth, precision
        t = _all_apart(points, truth, precision)
        correct = np.abs(t) <= 1.0
        for index in np.flatnonzero(np.abs(np.abs(t) - 1.0) < 1e-6):
            correct[index] = within(float(points[index]), truth, precision)
        sides: dict[Region, NDArray[np.bool_]] = {"left": ~correct & (t < 0), "inside": correct, "right": ~correct & (t > 0)}
        self.t = {region: t[chosen] for region, chosen in sides.items()}
        self.points = {region: points[chosen] for region, chosen in sides.items()}
        totals = {region: math.fsum(masses[chosen]) for region, chosen in sides.items()}
        self.mass = {region: masses[chosen] / max(totals[region], 1e-320) for region, chosen in sides.items()}
        super().__init__(*(math.log(total) if total > 0.0 else -math.inf for total in totals.values()))
        self.low_edge, self.high_edge = -1.0, 1.0
        self.reach = apart(float(points[-1]), float(points[0]), precision)
        self.a, self.b = (float(self.t["inside"][0]), float(self.t["inside"][-1])) if not self.impossible else (0.0, 0.0)

    def around(self, region: Region, s: float, c: float) -> float:
        """Return the log mean."""
        return _log_mean(-s * np.abs(self.t[region] - c), self.mass[region])

    def best(self, s: float, start: float | None = None) -> float:
        """Return the best of the atoms inside: between two of them the odds have no extreme of their own."""
        t, mass = self.t["inside"], self.mass["inside"]
        if t.size == 1 or self.share_left == -math.inf:
            return self.a
        if self.share_right == -math.inf:
            return self.b
        below = np.logaddexp.accumulate(np.log(mass) + s * t) - s * t
        above = np.logaddexp.accumulate((np.log(mass) - s * t)[::-1])[::-1]
        inside = np.logaddexp(below, np.append(above[1:], -math.inf) + s * t)
        left, right = self.around("left", s, self.a), self.around("right", s, self.b)
        if math.isinf(left) or math.isinf(right):
            return self.a
        outside = np.logaddexp(self.share_left + left - s * (t - self.a), self.share_right + right - s * (self.b - t))
        odds = outside - inside
        return float(t[np.argmin(odds) if s > 0 else np.argmax(odds)])

    def shells(self, s: float) -> float:
        """Return the log sum: the shell of each atom, n < |x - truth|/precision <= n + 1 read as decimals."""
        logs, masses = [], []
        for region, share in (("left", self.share_left), ("right", self.share_right)):
            side: Region = "left" if region == "left" else "right"
            steps = np.ceil(np.abs(self.t[side])) - 1.0
            doubtful = np.abs(np.abs(self.t[side]) - np.round(np.abs(self.t[side]))) < 1e-6
            for index in np.flatnonzero(doubtful & (steps < 1e15)):
                gap = abs(decimal(float(self.points[side][index])) - decimal(self.truth)) / decimal(self.precision)
                steps[index] = float(math.ceil(gap) - 1)
            logs.append(-s * steps)
            masses.append(self.mass[side] * (math.exp(share) if share > -math.inf else 0.0))
        return _log_mean(np.concatenate(logs), np.concatenate(masses))

    def share_exactly(self) -> Fraction:
        """Return the share of the masses inside."""
        points = known(self.prior.points)
        masses = self.prior.probabilities if self.prior.probabilities is not None else (1.0,) * len(points)
        parts = [(decimal(mass), within(point, self.truth, self.precision)) for point, mass in zip(points, masses, strict=True)]
        return sum((mass for mass, correct in parts if correct), Fraction(0)) / sum(mass for mass, _ in parts)


def _log_mean(logs: Floats, masses: Floats) -> float:
    """Return log of the sum of masses (which add up to 1) times e^logs, precise relative to itself near 0."""
    if logs.size == 0:
        return -math.inf
    top = float(logs.max())
    if top == math.inf:
        return math.inf
    if top < 0.5:
        excess = float(np.dot(masses, np.expm1(logs)))
        if abs(excess) < MILD:
            return math.log1p(excess)
    total = float(np.dot(masses, np.exp(logs - top)))
    return top + math.log(total) if total > 0.0 else -math.inf


# ---------------------------------------------------------------------------------------- bins


class BinsView(View):
    """Pieces of constant density: a uniform prior is one, a histogram many."""

    def __init__(self, prior: Uniform | Histogram, truth: float, precision: float) -> None:
        """Arguments: the prior, the truth and the precision."""
        self.prior, self.truth, self.precision = prior, truth, precision
        if isinstance(prior, Uniform):
            low, high = np.array([known(prior.low)]), np.array([known(prior.high)])
            masses = np.ones(1)
        else:
            low, high, masses = (np.array(each) for each in prior.bins())
        starts, stops = _all_apart(low, truth, precision), _all_apart(high, truth, precision)
        widths = np.array([apart(*pair, precision) for pair in zip(high.tolist(), low.tolist(), strict=True)])
        dense = masses / np.maximum(widths, 1e-300)  # mass per t
        self.start: dict[Region, Floats] = {}
        self.width: dict[Region, Floats] = {}
        self.mass: dict[Region, Floats] = {}
        totals = []
        bounds: dict[Region, tuple[float, float]] = {"left": (-math.inf, -1.0), "inside": (-1.0, 1.0), "right": (1.0, math.inf)}
        for region, (floor, ceiling) in bounds.items():
            whole = (starts >= floor) & (stops <= ceiling)
            first, last = np.maximum(starts, floor), np.minimum(stops, ceiling)
            width = np.where(whole, widths, last - first)
            mass = np.where(whole, masses, width * dense)
            kept = (width > 0.0) & (mass > 0.0)
            total = math.fsum(mass[kept])
            totals.append(math.log(total) if total > 0.0 else -math.inf)
            self.start[region], self.width[region] = first[kept], width[kept]
            self.mass[region] = mass[kept] / max(total, 1e-320)
        super().__init__(*totals)
        self.low_edge, self.high_edge = -1.0, 1.0
        self.reach = apart(float(high[-1]), float(low[0]), precision)
        inside = self.start["inside"]
        self.a, self.b = (float(inside[0]), float(inside[-1] + self.width["inside"][-1])) if not self.impossible else (0.0, 0.0)

    def around(self, region: Region, s: float, c: float) -> float:
        """Return the log mean; a piece that holds c is split there."""
        start, width, mass = self.start[region], self.width[region], self.mass[region]
        if start.size == 0:
            return -math.inf
        if start.size == 1:
            return _piece_mean(s, c, float(start[0]), float(width[0]))
        stop = start + width
        split = np.flatnonzero((start < c) & (stop > c))
        if split.size:
            i = int(split[0])
            part = (c - start[i]) / width[i]
            start, width, mass, stop = (np.insert(each, i, each[i]) for each in (start, width, mass, stop))
            stop[i] = start[i + 1] = c
            width[i], width[i + 1] = c - start[i], stop[i + 1] - c
            mass[i], mass[i + 1] = mass[i] * part, mass[i + 1] * (1.0 - part)
        near = np.maximum(np.maximum(start - c, c - stop), 0.0)
        x = abs(s) * width
        nearest = -s * near if s > 0 else -s * (near + width)  # the largest exponent in the piece
        if float(np.max(np.abs(s) * (near + width))) < 20.0:
            # E[e^(-s d)] - 1 over d in [near, near + width], without cancellation
            excess = float(np.dot(mass, np.expm1(-s * near) + np.exp(-s * near) * _phi_less_one(-s * width)))
            if abs(excess) < MILD:
                return math.log1p(excess)
        with np.errstate(divide="ignore"):
            spread = np.where(x < 1e-9, 1.0, -np.expm1(-x) / np.maximum(x, 1e-300))
        top = float(nearest.max())
        if top == math.inf:
            return math.inf
        total = float(np.dot(mass, spread * np.exp(nearest - top)))
        return top + math.log(total) if total > 0.0 else -math.inf

    def edge_density(self, side: int) -> float:
        """Return the density of the outermost piece inside, if it reaches the edge."""
        place = 0 if side < 0 else -1
        reached = self.a <= -1.0 if side < 0 else self.b >= 1.0
        return float(self.mass["inside"][place] / self.width["inside"][place]) * self.inside if reached else 0.0

    def best(self, s: float, start: float | None = None) -> float:
        """Return where the two sides balance: U P(c) = L Q(c), with P rising and Q falling in c."""
        if self.share_left == -math.inf:
            return self.a
        if self.share_right == -math.inf:
            return self.b
        left, right = self.around("left", s, self.a), self.around("right", s, self.b)
        if math.isinf(left) or math.isinf(right):
            return self.a
        log_left = self.share_left + left + s * self.a
        log_right = self.share_right + right - s * self.b
        first, width, mass = self.start["inside"], self.width["inside"], self.mass["inside"]
        if first.size == 1:
            return self._balance(s, log_left, log_right, (self.a, self.b), 1.0 / float(width[0]), -math.inf, -math.inf, start)
        last = first + width
        x = np.maximum(np.abs(s) * width, 1e-300)
        with np.errstate(divide="ignore"):
            spread = np.log(mass) + np.where(x < 1e-9, 0.0, np.log(-np.expm1(-x) / x))
        below = np.logaddexp.accumulate(np.maximum(s * first, s * last) + spread)  # P at the end of each piece
        above = np.logaddexp.accumulate((np.maximum(-s * first, -s * last) + spread)[::-1])[::-1]  # Q at its start
        after = np.append(above[1:], -math.inf)
        balance = (below - log_left) - (after - log_right)
        piece = int(np.argmax(balance >= 0.0))  # the last is infinite
        p0 = float(below[piece - 1]) if piece else -math.inf
        q0 = float(after[piece])
        ends = float(first[piece]), float(last[piece])
        return self._balance(s, log_left, log_right, ends, float(mass[piece] / width[piece]), p0, q0, start)

    @staticmethod
    def _balance(
        s: float, log_left: float, log_right: float, ends: tuple[float, float], density: float, p0: float, q0: float, start: float | None
    ) -> float:
        """Return the balance point within one piece, P before it and Q after it being e^p0 and e^q0."""
        (u, v), dense, rate = ends, math.log(density), abs(s)

        def gauge(c: float) -> tuple[float, float]:
            p = log_sum(p0, dense + math.log(c - u) + max(s * u, s * c) + _log_phi(rate * (c - u)))
            q = log_sum(q0, dense + math.log(v - c) + max(-s * c, -s * v) + _log_phi(rate * (v - c)))
            slope = math.exp(min(dense + s * c - p, 700.0)) + math.exp(min(dense - s * c - q, 700.0))
            return (p - log_left) - (q - log_right), slope

        return crossing(gauge, u, v, start)

    def below(self, t: Floats) -> Floats:
        """Return P(T <= t) for an array, straight within a piece."""
        edges, masses = self._line
        return np.asarray(np.interp(t, edges, np.append(0.0, np.cumsum(masses))))

    def above(self, t: Floats) -> Floats:
        """Return P(T > t) for an array, straight within a piece."""
        edges, masses = self._line
        return np.asarray(np.interp(t, edges, np.append(np.cumsum(masses[::-1])[::-1], 0.0)))

    @property
    def _line(self) -> tuple[Floats, Floats]:
        """Return edges of the pieces, gaps included, and the masses between them."""
        start = np.concatenate([self.start[region] for region in REGIONS])
        stop = start + np.concatenate([self.width[region] for region in REGIONS])
        logs = (self.log_left, self.log_inside, self.log_right)
        mass = np.concatenate([self.mass[region] * math.exp(log) for region, log in zip(REGIONS, logs, strict=True)])
        edges = np.ravel(np.column_stack([start, stop]))
        between = np.ravel(np.column_stack([mass, np.zeros_like(mass)]))[:-1]
        return np.maximum.accumulate(edges), between

    def shells(self, s: float) -> float:
        """Return the log sum, piece by piece: whole shells by the geometric series."""
        total = 0.0
        for region, share in (("left", self.share_left), ("right", self.share_right)):
            if share == -math.inf:
                continue
            side: Region = "left" if region == "left" else "right"
            one, other = np.abs(self.start[side]), np.abs(self.start[side] + self.width[side])
            near, far = np.minimum(one, other), np.maximum(one, other)
            lengths = _stairs(far, s) - _stairs(near, s)
            total += math.exp(share) * float(np.dot(self.mass[side], lengths / self.width[side]))
        return math.log(total) if total > 0.0 else -math.inf

    def share_exactly(self) -> Fraction:
        """Return the share of the masses inside."""
        edges: tuple[float, ...] = (known(self.prior.low), known(self.prior.high)) if isinstance(self.prior, Uniform) else ()
        weights: tuple[float, ...] = (1.0,)
        if isinstance(self.prior, Histogram):
            edges, weights = known(self.prior.edges), known(self.prior.weights)
        floor, ceiling = decimal(self.truth) - decimal(self.precision), decimal(self.truth) + decimal(self.precision)
        marks = [decimal(edge) for edge in edges]
        inside = Fraction(0)
        for index, weight in enumerate(weights):
            overlap = min(marks[index + 1], ceiling) - max(marks[index], floor)
            if overlap > 0:
                inside += decimal(weight) * overlap / (marks[index + 1] - marks[index])
        return inside / sum(decimal(weight) for weight in weights)


def _piece_mean(s: float, c: float, start: float, width: float) -> float:
    """Return log E[e^(-s |T - c|)] for T uniform on one piece."""
    stop = start + width
    if not start < c < stop:
        return _run(s, max(start - c, c - stop, 0.0), width)
    left = _run(s, 0.0, c - start)
    right = _run(s, 0.0, stop - c)
    share = (c - start) / width
    if abs(left) < 0.5 and abs(right) < 0.5:
        return math.log1p(share * math.expm1(left) + (1.0 - share) * math.expm1(right))
    return log_sum(math.log(share) + left, math.log1p(-share) + right) if share < 1.0 else left


def _run(s: float, near: float, width: float) -> float:
    """Return log of the mean of e^(-s d) for d over [near, near + width]: -s near + log((1 - e^-x)/x), x = s width."""
    x = s * width
    if abs(x) < 0.5:  # log of x/2! - x^2/3! + ..., by its difference from 1
        total = 1.0
        for n in range(16, 2, -1):
            total = 1.0 - total * x / n
        return -s * near + math.log1p(-x / 2.0 * total)
    if x > 0.0:
        return -s * near + math.log(-math.expm1(-x)) - math.log(x)
    return -s * near - x + math.log(-math.expm1(x)) - math.log(-x)


def _phi_less_one(z: Floats) -> Floats:
    """Return (e^z - 1)/z - 1, precise near 0."""
    small = np.abs(z) < 0.1
    wide = np.where(small, 1.0, z)
    return np.where(small, _series(np.where(small, z, 0.0)), (np.expm1(wide) - wide) / wide)


def _series(z: Floats) -> Floats:
    """Return z/2! + z^2/3! + ... for |z| < 0.1."""
    total = np.ones_like(z)
    for n in range(12, 2, -1):
        total = 1.0 + total * z / n
    return total * z / 2.0


def _stairs(d: Floats, s: float) -> Floats:
    """Return the integral from 1 to D of e^(-s n), n the whole number below: n < y <= n + 1."""
    n = np.floor(d)
    with np.errstate(over="ignore", under="ignore"):
        whole = n - 1.0 if abs(s) < 1e-290 else np.exp(-s) * -np.expm1(-s * (n - 1.0)) / -math.expm1(-s)
        return np.asarray(whole + np.exp(-s * n) * (d - n), dtype=np.float64)


# -------------------------------------------------------------------------------------- smooth


class SmoothView(View):
    """A density that is analytic in a coordinate of its own."""

    def __init__(self, shape: Shape, origin: float, a: float, b: float, reach: float) -> None:
        """Arguments: the shape; t at its anchor; the correct guesses as coordinates; the width of the support in precisions."""
        self.shape, self.origin, self.reach, self.grain, self.limit = shape, origin, reach, shape.grain, shape.limit
        self.low, self.high = shape.low, shape.high
        self.a, self.b = max(a, self.low), min(b, self.high)
        self.low_edge, self.high_edge = self.a, self.b  # t = -1 and t = 1, unless that side has no mass
        self._clouds: dict[tuple[float, float], list[Cloud]] = {}
        self._table: Table | None = None
        self._recent: dict[tuple[float, float, float], float] = {}
        if self.a < self.b:
            self.spans: dict[Region, tuple[float, float]] = {
                "left": (self.low, self.a),
                "inside": (self.a, self.b),
                "right": (self.b, self.high),
            }
            self.logs = {region: log_integral(shape, 0.0, *span) for region, span in self.spans.items()}
            super().__init__(self.logs["left"], self.logs["inside"], self.logs["right"])
        else:
            super().__init__(0.0, -math.inf, -math.inf)

    def coordinate(self, t: float) -> float:
        """Return the coordinate of T."""
        return self.shape.coordinate(t - self.origin)

    def t_of(self, c: float) -> float:
        """Return t at coordinate C."""
        return self._t(c)

    def edge_density(self, side: int) -> float:
        """Return the density at the edge: that in the coordinate over the speed of t."""
        d = self.a if side < 0 else self.b
        log = self.shape.height(d, 0.0) - self.logs["inside"] + self.log_inside
        return math.exp(min(log - math.log(self.shape.speed(d)), 700.0))

    def around(self, region: Region, s: float, c: float) -> float:
        """Return the log mean, by quadrature around the summit of the tilted density."""
        low, high = self.spans[region]
        if not low < high:
            return -math.inf
        cut = min(max(c, low), high)
        total = log_sum(self._tilted(s, low, cut, c), self._tilted(-s, cut, high, c)) - self.logs[region]
        if abs(total) < MILD and (not isinstance(self.shape, LogNormalShape) or self.shape.sd < WIDEST_LOG):
            return self._mild(region, s, c, ((low, cut), (cut, high)))
        return total

    def _tilted(self, k: float, low: float, high: float, c: float) -> float:
        if not low < high:
            return -math.inf
        return self._integral(k, low, high) - k * self.shape.position(c)

    def _integral(self, k: float, low: float, high: float) -> float:
        """Return the log integral, remembering the last few: the search for c and the bound ask for the same ones."""
        key = k, low, high
        found = self._recent.get(key)
        if found is None:
            if len(self._recent) > 24:
                self._recent.clear()
            found = self._recent[key] = log_integral(self.shape, k, low, high)
        return found

    def _mild(self, region: Region, s: float, c: float, spans: tuple[tuple[float, float], ...]) -> float:
        """Return the log mean by its difference from 1, on nodes laid for no tilt."""
        centre, excess = self.shape.position(c), 0.0
        for span in spans:
            if span[0] < span[1]:
                found = self._clouds.get(span)
                if found is None:
                    found = self._clouds[span] = clouds(self.shape, 0.0, *span, FAR_CUT)
                    if len(self._clouds) > 64:
                        self._clouds.clear()
                for cloud in found:
                    excess += math.exp(cloud.log_scale - self.logs[region]) * float(
                        np.dot(cloud.weights, np.expm1(-s * np.abs(cloud.positions - centre)))
                    )
        return math.log1p(excess)

    def best(self, s: float, start: float | None = None) -> float:
        """Return where the two sides balance: U P(c) = L Q(c), with P rising and Q falling in c."""
        if self.share_left == -math.inf:
            return self.a
        if self.share_right == -math.inf:
            return self.b
        shape, a, b = self.shape, self.a, self.b
        left, right = self._integral(s, self.low, a), self._integral(-s, b, self.high)
        if math.isinf(left) or math.isinf(right):
            return a

        def gauge(c: float) -> tuple[float, float]:
            p, q = self._integral(s, a, c), self._integral(-s, c, b)
            slope = math.exp(min(shape.height(c, s) - p, 700.0)) + math.exp(min(shape.height(c, -s) - q, 700.0))
            return (p - left) - (q - right), slope

        return crossing(gauge, a, b, start)

    def shells(self, s: float) -> float:
        """Return the log sum: the first 20,000 shells one by one, the rest by the Euler-Maclaurin formula."""
        furthest = max(-self._t(self.low), self._t(self.high), 1.0)
        count = math.ceil(min(furthest, MANY_SHELLS, CUT / s if s > 0 else math.inf))
        steps = np.arange(1.0, count + 2.0)
        below = self.below(-steps)
        above = self.above(steps)
        masses = (below[:-1] - below[1:]) + (above[:-1] - above[1:])
        total = float(np.dot(masses, np.exp(-s * steps[:-1])))
        end = float(steps[-1])
        if s * end < CUT and end < furthest:
            growth = math.expm1(s) / s  # the mean of e^(s y) over a shell
            low, high = self.coordinate(-end), self.coordinate(end)
            rest = log_sum(self._beyond(s, self.low, low, low), self._beyond(-s, high, self.high, high))
            total += math.exp(rest - s * end) * growth - s / 12.0 * math.exp(-s * end) * float(masses[-1])
        return math.log(total) - self.log_outside if total > 0.0 else -math.inf

    def _beyond(self, k: float, low: float, high: float, edge: float) -> float:
        total = log_integral(self.shape, k, low, high)
        return total - k * self.shape.position(edge) - self.logs["inside"] + self.log_inside if total > -math.inf else -math.inf

    def _t(self, d: float) -> float:
        return self.shape.position(d) + self.origin if math.isfinite(d) or math.isfinite(self.shape.position(d)) else d

    def below(self, t: Floats) -> Floats:
        """Return P(T <= t) for an array, to 1e-15 relative in the lower tail too."""
        return self._cumulative(t)[0]

    def above(self, t: Floats) -> Floats:
        """Return P(T > t) for an array, to 1e-15 relative in the upper tail too."""
        return self._cumulative(t)[1]

    def landmarks(self) -> tuple[float, ...]:
        """Return t at the edges of the panels: between two of them the density is resolved by one rule."""
        if self._table is None:
            self._table = Table(self.shape)
        places = [self._t(d) for d in self._table.places()]
        ends = [self._t(d) for d in (self.low, self.high) if math.isfinite(self._t(d))]
        return tuple(sorted({place for place in [*places, *ends] if math.isfinite(place)}))

    def _cumulative(self, t: Floats) -> tuple[Floats, Floats]:
        """Return the masses below and above each of T: whole panels from a table, the rest of a panel by the same rule."""
        if self._table is None:
            self._table = Table(self.shape)
        return self._table(np.array([self.coordinate(each) for each in t.tolist()]))


# --------------------------------------------------------------------------------------- placing


def view(prior: Prior, truth: float, precision: float) -> View:
    """Return PRIOR as seen from the guess TRUTH within PRECISION; every field of the prior must be answered."""
    truth, precision = float(truth), float(precision)
    if isinstance(prior, Discrete):
        return AtomsView(prior, truth, precision)
    if isinstance(prior, Uniform | Histogram):
        return BinsView(prior, truth, precision)
    if isinstance(prior, Beta) and prior.a == 1.0 and prior.b == 1.0:
        return BinsView(Uniform.model_construct(low=prior.low, high=prior.high), truth, precision)
    if isinstance(prior, Normal | TruncatedNormal):
        return _normal(prior, truth, precision)
    if isinstance(prior, Exponential):
        return _exponential(prior, truth, precision)
    if isinstance(prior, LogNormal):
        return _lognormal(prior, truth, precision)
    return _beta(prior, truth, precision)


def _normal(prior: Normal | TruncatedNormal, truth: float, precision: float) -> View:
    mean, sd = known(prior.mean), known(prior.sd)
    unit = _quotient(sd, precision)
    low, high, reach = -math.inf, math.inf, math.inf
    if isinstance(prior, TruncatedNormal):
        low, high = (_steady(apart(known(end), truth, sd)) for end in (prior.low, prior.high))
        reach = apart(known(prior.high), known(prior.low), precision)
    shape = NormalShape(_steady(apart(truth, mean, sd)), unit, low, high)
    return SmoothView(shape, 0.0, -_steady(1.0 / unit), _steady(1.0 / unit), reach)


def _exponential(prior: Exponential, truth: float, precision: float) -> View:
    low = apart(0.0, truth, precision)
    rate = min(max(known(prior.rate) * precision, 1e-290), 1e290)
    if low >= 1.0:
        return SmoothView(ExponentialShape(rate, low), 0.0, -1.0, 1.0, math.inf)
    a = max(low, -1.0)  # the anchor: an edge that has mass on both sides, or the end of the support
    return SmoothView(ExponentialShape(rate, low - a), a, 0.0, 1.0 - a, math.inf)


def _lognormal(prior: LogNormal, truth: float, precision: float) -> View:
    size = apart(truth, 0.0, precision)  # the truth in precisions
    top = apart(truth, -precision, 1.0)
    if top <= 0.0 or size <= -1.0:
        return SmoothView(LogNormalShape(0.0, 1.0, 1.0), 0.0, 0.0, 0.0, math.inf)
    sd = min(max(known(prior.log_sd), 1e-140), 1e140)
    bottom = apart(truth, precision, 1.0)
    if bottom > 0.0 and size > 1.0:
        shape = LogNormalShape(_log_score(prior, truth), sd, size)
        low = math.log1p(-1.0 / size) if size > 2.0 else math.log(bottom / truth)
        return SmoothView(shape, 0.0, low / sd, math.log1p(1.0 / size) / sd, math.inf)
    shape = LogNormalShape(_log_score(prior, top), sd, apart(truth, -precision, precision))
    return SmoothView(shape, 1.0, -math.inf, 0.0, math.inf)


def _log_score(prior: LogNormal, value: float) -> float:
    """Return (log VALUE - log_mean)/log_sd, rounded once."""
    log = EXACT.ln(Decimal(repr(value))) if value < 1e300 else Decimal(repr(math.log(value)))
    score = EXACT.divide(EXACT.subtract(log, Decimal(repr(known(prior.log_mean)))), Decimal(repr(known(prior.log_sd))))
    return _steady(float(score))


def _beta(prior: Beta, truth: float, precision: float) -> View:
    low, high = known(prior.low), known(prior.high)
    width = EXACT.subtract(Decimal(repr(high)), Decimal(repr(low)))
    reach = apart(high, low, precision)

    def shares(t: int) -> tuple[float, float]:
        """Return y and 1 - y of truth + t precisions."""
        x = EXACT.add(Decimal(repr(truth)), EXACT.multiply(Decimal(t), Decimal(repr(precision))))
        up = EXACT.divide(EXACT.subtract(x, Decimal(repr(low))), width)
        return float(up), float(EXACT.subtract(Decimal(1), up))

    bottom, middle, top = shares(-1), shares(0), shares(1)
    a, b = (min(max(known(each), 1e-290), 1e290) for each in (prior.a, prior.b))
    if top[0] <= 0.0 or bottom[1] <= 0.0:  # the correct guesses lie outside the support
        return SmoothView(BetaShape(1.0, 1.0, 0.5, 0.5, 1.0), 0.0, 0.0, 0.0, reach)
    cut_low, cut_high = bottom[0] <= 0.0, top[1] <= 0.0
    if cut_low and cut_high:
        return SmoothView(BetaShape(1.0, 1.0, 0.5, 0.5, 1.0), 0.0, -math.inf, math.inf, reach)
    anchor, origin = (top, 1.0) if cut_low else (bottom, -1.0) if cut_high else (middle, 0.0)
    shape = BetaShape(a, b, max(anchor[0], 1e-300), max(anchor[1], 1e-300), reach)

    def coordinate(t: float, share: tuple[float, float]) -> float:
        if t == origin:
            return 0.0
        up, down = (t - origin) / (reach * anchor[0]), (t - origin) / (reach * anchor[1])
        rise = math.log1p(up) if abs(up) < 0.5 else math.log(max(share[0], 1e-320) / anchor[0])
        return rise - (math.log1p(-down) if abs(down) < 0.5 else math.log(max(share[1], 1e-320) / anchor[1]))

    a_edge = -math.inf if cut_low else coordinate(-1.0, bottom)
    b_edge = math.inf if cut_high else coordinate(1.0, top)
    return SmoothView(shape, origin, a_edge, b_edge, reach)


def _quotient(numerator: float, denominator: float) -> float:
    """Return a quotient kept between 1e-140 and 1e140, so that squares stay finite and positive."""
    logs = math.log(numerator) - math.log(denominator)
    return math.exp(min(max(logs, -322.0), 322.0)) if abs(logs) > 320.0 else numerator / denominator


def _steady(value: float) -> float:
    return min(max(value, -1e140), 1e140)
