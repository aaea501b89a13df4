"""Separate points and pieces of constant density as seen from one guess: discrete, uniform and histogram priors."""

from __future__ import annotations

import functools
import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpwizard.numerics import decimal
from dpwizard.privacy.priors.regions import (
    LARGEST,
    MILD,
    REGIONS,
    DensityView,
    Region,
    View,
    all_apart,
    apart,
    crossing,
    log_phi,
    log_sum,
    within,
    written,
)

Floats = NDArray[np.float64]
Line = tuple[float, ...]


class Atoms:
    """A discrete prior as arrays, made once for many truths."""

    def __init__(self, atoms: tuple[Line, Line], stated: tuple[Line, Line]) -> None:
        """Arguments: points of positive mass in order and their masses; points and masses as somebody stated them."""
        self.stated = stated
        self.points, self.masses = (np.array(each) for each in atoms)
        self.fixes = written(self.points)


class Bins:
    """A uniform prior or a histogram as arrays, made once for many truths."""

    def __init__(self, edges: Line, weights: Line) -> None:
        """Arguments: edges of the pieces, one more than weights."""
        self.edges, self.weights = edges, weights
        kept = [(edges[i], edges[i + 1], weight) for i, weight in enumerate(weights) if weight > 0.0]
        self.low, self.high, self.masses = (np.array(each) for each in zip(*kept, strict=True))
        # neighbours share an edge
        marks, places = np.unique(np.concatenate([self.low, self.high]), return_inverse=True)
        self.low_fixes, self.high_fixes = np.split(written(marks)[places], 2)
        plain = self.high - self.low
        back = plain - self.high
        lost = (self.high - (plain - back)) - (self.low + back)
        self.widths = plain + (lost + (self.high_fixes - self.low_fixes))


@functools.lru_cache(maxsize=32)
def atoms_of(atoms: tuple[Line, Line], stated: tuple[Line, Line]) -> Atoms:
    """Return the arrays of a discrete prior; of one asked about again and again, the same."""
    return Atoms(atoms, stated)


@functools.lru_cache(maxsize=32)
def bins_of(edges: Line, weights: Line) -> Bins:
    """Return the arrays of a uniform prior or a histogram; of one asked about again and again, the same."""
    return Bins(edges, weights)


class AtomsView(View):
    """Separate points."""

    def __init__(self, atoms: Atoms, truth: float, precision: float) -> None:
        """Arguments: the prior as arrays, the truth and the precision."""
        points, masses = atoms.points, atoms.masses
        self.stated, self.truth, self.precision = atoms.stated, truth, precision
        t = all_apart(points, atoms.fixes, truth, precision)
        correct = np.abs(t) <= 1.0
        for index in np.flatnonzero(np.abs(np.abs(t) - 1.0) < 1e-6):
            correct[index] = within(float(points[index]), truth, precision)
        sides: dict[Region, NDArray[np.bool_]] = {
            "left": ~correct & (t < 0),
            "inside": correct,
            "right": ~correct & (t > 0),
        }
        self.t = {region: t[chosen] for region, chosen in sides.items()}
        self.points = {region: points[chosen] for region, chosen in sides.items()}
        totals = {region: math.fsum(masses[chosen]) for region, chosen in sides.items()}
        self.mass = {region: masses[chosen] / max(totals[region], 1e-320) for region, chosen in sides.items()}
        super().__init__(*(math.log(total) if total > 0.0 else -math.inf for total in totals.values()))
        self.share(*totals.values())
        self.low_edge, self.high_edge = -1.0, 1.0
        self.reach = apart(float(points[-1]), float(points[0]), precision)
        self.a, self.b = (
            (float(self.t["inside"][0]), float(self.t["inside"][-1])) if not self.impossible else (0.0, 0.0)
        )

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
        points, masses = self.stated
        parts = [
            (decimal(mass), within(point, self.truth, self.precision))
            for point, mass in zip(points, masses, strict=True)
        ]
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


class BinsView(DensityView):
    """Pieces of constant density: a uniform prior is one, a histogram many."""

    def __init__(self, bins: Bins, truth: float, precision: float) -> None:
        """Arguments: the prior as arrays, the truth and the precision."""
        self.stated, self.truth, self.precision = (bins.edges, bins.weights), truth, precision
        low, high, masses = bins.low, bins.high, bins.masses
        starts = all_apart(low, bins.low_fixes, truth, precision)
        stops = all_apart(high, bins.high_fixes, truth, precision)
        widths = np.minimum(bins.widths / precision, LARGEST)
        dense = masses / np.maximum(widths, 1e-300)  # mass per t
        self.start: dict[Region, Floats] = {}
        self.width: dict[Region, Floats] = {}
        self.mass: dict[Region, Floats] = {}
        totals: list[float] = []
        bounds: dict[Region, tuple[float, float]] = {
            "left": (-math.inf, -1.0),
            "inside": (-1.0, 1.0),
            "right": (1.0, math.inf),
        }
        for region, (floor, ceiling) in bounds.items():
            whole = (starts >= floor) & (stops <= ceiling)
            first, last = np.maximum(starts, floor), np.minimum(stops, ceiling)
            width = np.where(whole, widths, last - first)
            mass = np.where(whole, masses, width * dense)
            kept = (width > 0.0) & (mass > 0.0)
            total = math.fsum(mass[kept])
            totals.append(total)
            self.start[region], self.width[region] = first[kept], width[kept]
            self.mass[region] = mass[kept] / max(total, 1e-320)
        super().__init__(*(math.log(total) if total > 0.0 else -math.inf for total in totals))
        self.share(*totals)
        self.low_edge, self.high_edge = -1.0, 1.0
        self.reach = apart(float(high[-1]), float(low[0]), precision)
        inside = self.start["inside"]
        self.a, self.b = (
            (float(inside[0]), float(inside[-1] + self.width["inside"][-1])) if not self.impossible else (0.0, 0.0)
        )

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
            return self._balance(
                s, log_left, log_right, (self.a, self.b), 1.0 / float(width[0]), -math.inf, -math.inf, start
            )
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
        s: float,
        log_left: float,
        log_right: float,
        ends: tuple[float, float],
        density: float,
        p0: float,
        q0: float,
        start: float | None,
    ) -> float:
        """Return the balance point within one piece, P before it and Q after it being e^p0 and e^q0."""
        (u, v), dense, rate = ends, math.log(density), abs(s)

        def gauge(c: float) -> tuple[float, float]:
            p = log_sum(p0, dense + math.log(c - u) + max(s * u, s * c) + log_phi(rate * (c - u)))
            q = log_sum(q0, dense + math.log(v - c) + max(-s * c, -s * v) + log_phi(rate * (v - c)))
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

    def landmarks(self) -> tuple[float, ...]:
        """Return the edges of the pieces."""
        ends = [np.append(self.start[r], self.start[r] + self.width[r]) for r in self.start]
        return tuple(np.unique(np.concatenate(ends)).tolist())

    def shells(self, s: float) -> float:
        """Return the log sum, piece by piece: whole shells by the geometric series."""
        total, scale = 0.0, max(-s, 0.0) * max(abs(float(self._line[0][0])), abs(float(self._line[0][-1])))
        if scale > 600.0:
            return math.inf
        for side, share in (("left", self.share_left), ("right", self.share_right)):
            if share == -math.inf:
                continue
            region: Region = "left" if side == "left" else "right"
            one, other = np.abs(self.start[region]), np.abs(self.start[region] + self.width[region])
            lengths = _stairs(np.maximum(one, other), s) - _stairs(np.minimum(one, other), s)
            total += math.exp(share) * float(np.dot(self.mass[region], lengths / self.width[region]))
        return math.log(total) if total > 0.0 else -math.inf

    def share_exactly(self) -> Fraction:
        """Return the share of the masses inside."""
        edges, weights = self.stated
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
