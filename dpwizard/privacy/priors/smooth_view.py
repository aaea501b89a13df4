"""Smooth priors as seen from one guess: normal, truncated normal, lognormal, exponential and beta."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpwizard.privacy.priors.regions import LARGEST, MANY_SHELLS, MILD, DensityView, Region, crossing, log_sum
from dpwizard.privacy.priors.smooth import CUT, FAR_CUT, Cloud, Coordinate, Table, clouds, log_integral

Floats = NDArray[np.float64]


class SmoothView(DensityView):
    """A density that is analytic in a coordinate of its own."""

    def __init__(self, shape: Coordinate, origin: float, a: float, b: float, reach: float) -> None:
        """Arguments: the shape; t at its anchor; the correct guesses as coordinates; the width of the support in
        precisions."""
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
            # logs this large round
            self.grain += 4.0 * min(max(abs(log) for log in self.logs.values() if math.isfinite(log)), 1e3)
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
        if abs(total) < MILD and self.shape.resolved:
            return self._mild(region, s, c, ((low, cut), (cut, high)), total)
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

    def _mild(self, region: Region, s: float, c: float, spans: tuple[tuple[float, float], ...], total: float) -> float:
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
        return math.log1p(excess) if abs(excess) < 0.5 else total

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
        """Return the log sum: shells one by one where there is mass, at most 4,000 a side, the rest by the
        Euler-Maclaurin formula."""
        marks = self.landmarks()
        if s < 0.0 and self.share_right > -math.inf and -s >= self.limit:
            return math.inf
        total = -math.inf
        for side, share, first, last in (
            (-1, self.share_left, -marks[-1], -marks[0]),
            (1, self.share_right, marks[0], marks[-1]),
        ):
            if share == -math.inf or last <= 1.0:
                continue
            start = math.floor(max(first, 1.0))
            count = math.ceil(min(last - start, MANY_SHELLS, CUT / s if s > 0.0 else math.inf))
            steps = start + np.arange(count + 1.0)
            tails = self.above(steps) if side > 0 else self.below(-steps)
            masses = np.append(np.maximum(tails[:-1] - tails[1:], 0.0), 0.0 if steps[-1] < last else tails[-1])
            filled = masses > 0.0
            if filled.any():
                logs = np.log(masses[filled]) - s * steps[filled]
                total = log_sum(total, float(np.logaddexp.reduce(logs)))
            end = float(steps[-1])
            if 0.0 < s * (end - start) < CUT and end < last:
                total = log_sum(total, self._far_shells(s, side, end, float(masses[-2])))
        return total - self.log_outside

    def _far_shells(self, s: float, side: int, end: float, mass: float) -> float:
        """Return the log sum over the shells beyond END, the one before it having MASS."""
        edge = self.coordinate(side * end)
        span = (self.low, edge) if side < 0 else (edge, self.high)
        rest = self._tilted(-side * s, *span, edge) - self.logs["inside"] + self.log_inside
        mean = math.expm1(s) / s  # of e^(s y) over a shell
        # what the fall of the density within a shell adds
        bend = (mean - 1.0) / s - mean / 2.0 if s > 1e-3 else -s / 12.0
        beyond = math.exp(rest) * mean + bend * mass
        return -s * end + math.log(beyond) if beyond > 0.0 else -math.inf

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
        ends = [self._t(d) for d in (self.low, self.high) if math.isfinite(d) or math.isfinite(self.reach)]
        return tuple(sorted({place for place in [*places, *ends] if abs(place) < LARGEST}))

    def _cumulative(self, t: Floats) -> tuple[Floats, Floats]:
        """Return the masses below and above each of T: whole panels from a table, the rest of a panel by the same
        rule."""
        if self._table is None:
            self._table = Table(self.shape)
        return self._table(np.array([self.coordinate(each) for each in t.tolist()]))
