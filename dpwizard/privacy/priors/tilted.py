"""A prior seen from every truth at once: its masses weighed by e^(-s |T - c|), as arrays, for proofs over intervals of
truths.

Values are measured in precisions from an origin of the prior: t = (x - origin)/precision. Everything a bound on
guessing needs is made of two functions of a place t, for a loss s per precision (negative for the drop):

    A(t) = E[e^(-s (t - T)); T < t]        B(t) = E[e^(-s (T - t)); T > t].

The mass left of a, seen from c, is e^(-s (c - a)) A(a); the whole, seen from c, is A(c) + B(c).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from dpwizard.privacy.priors.regions import all_apart, apart, log_sum, written
from dpwizard.stopping import may_stop

Floats = NDArray[np.float64]
MOST_PANELS = 24_000  # beyond this many the tilted masses are not tabulated: slopes alone must do
PANEL_TILT = 2.0  # e-folds of the tilt, and of the density, that a panel may span
PANEL_DROP = 5.0
DEEP = 700.0  # log densities this far below the summit count as nothing
TAIL = 46.0  # e^-46 is lost in rounding
SNAP = 8.0 * 2.0**-52
_nodes, _weights = np.polynomial.legendre.leggauss(16)


NODES, WEIGHTS = (_nodes + 1.0) / 2.0, _weights / 2.0  # on [0, 1]


def log1mexp(x: Floats) -> Floats:
    """Return log(1 - e^-x) for x >= 0."""
    return np.asarray(np.where(x > 0.7, np.log1p(-np.exp(-np.maximum(x, 0.7))), np.log(-np.expm1(-x))))


def log_phi(x: Floats) -> Floats:
    """Return log((1 - e^-x)/x), for x of either sign."""
    size = np.maximum(np.abs(x), 1e-12)
    return np.asarray(log1mexp(size) - np.log(size) + np.maximum(-x, 0.0))


class Tilted(ABC):
    """A prior in precisions from its origin."""

    tabulated = True  # whether A and B are known; without them only slopes bound anything
    concave = False  # whether the density is log-concave on its support
    bent = math.inf  # up to here log-concave, beyond it log-convex (a lognormal)
    one_summit = True  # whether the density climbs to one summit and falls from it
    summit = 0.0
    limit = math.inf  # the drop is to 0 from this loss on: the upper tail is too heavy
    same_everywhere = False  # whether the upper tail looks the same from everywhere (an exponential)

    def __init__(self, support: tuple[float, float], precision: float, origin: float) -> None:
        """Arguments: the support of the prior, the precision, and where t = 0 lies."""
        self.support, self.precision, self.origin = support, precision, origin
        low, high = support
        self.low = apart(low, origin, precision) if math.isfinite(low) else low
        self.high = apart(high, origin, precision) if math.isfinite(high) else high

    def tilt(self, s: float) -> None:
        """Prepare A and B for the signed loss S."""
        self.s = s

    def places(self, truths: Floats) -> Floats:
        """Return t at each of TRUTHS, to a few units in the last place."""
        return all_apart(truths, written(truths), self.origin, self.precision)

    def truth(self, t: float) -> float:
        """Return the truth at T, within the support."""
        low, high = self.support
        return min(max(self.origin + t * self.precision, low), high)

    def snapped(self, t: Floats) -> Floats:
        """Return T, put onto an end of the support where it differs from that by rounding only."""
        size = SNAP * max(
            abs(self.low) if math.isfinite(self.low) else 0.0, abs(self.high) if math.isfinite(self.high) else 0.0, 1.0
        )
        t = np.where(np.abs(t - self.low) <= size, self.low, t) if math.isfinite(self.low) else t
        return np.asarray(np.where(np.abs(t - self.high) <= size, self.high, t) if math.isfinite(self.high) else t)

    def log_a(self, t: Floats) -> Floats:
        """Return log A."""
        t = self.snapped(t)
        inner = np.clip(t, self.low, self.high)
        return np.asarray(np.where(t > self.low, self._log_a(inner) - self.s * (t - inner), -np.inf))

    def log_b(self, t: Floats) -> Floats:
        """Return log B."""
        t = self.snapped(t)
        inner = np.clip(t, self.low, self.high)
        return np.asarray(np.where(t < self.high, self._log_b(inner) - self.s * (inner - t), -np.inf))

    def mass(self, a: Floats, b: Floats) -> Floats:
        """Return P(a < T < b), 0 where b <= a."""
        a, b = self.snapped(a), self.snapped(b)
        below, above = self._cdf(np.clip(a, self.low, self.high)), self._cdf(np.clip(b, self.low, self.high))
        return np.asarray(np.clip(above - below, 0.0, 1.0))

    def density_range(self, first: Floats, last: Floats) -> tuple[Floats, Floats]:
        """Return the least and the largest log density on [FIRST, LAST], -inf outside the support."""
        first, last = self.snapped(first), self.snapped(last)
        outside = (last <= self.low) | (first >= self.high)
        at_first, at_last = (
            self.log_density(np.clip(first, self.low, self.high)),
            self.log_density(np.clip(last, self.low, self.high)),
        )
        at_summit = self.log_density(
            np.clip(np.full_like(first, self.summit), np.maximum(first, self.low), np.minimum(last, self.high))
        )
        ends = np.minimum(at_first, at_last), np.maximum(at_first, at_last)
        least, most = (ends[0], at_summit) if self.one_summit else (at_summit, ends[1])
        sticks_out = (first < self.low) | (last > self.high)
        least = np.where(outside | sticks_out, -np.inf, least)
        return np.asarray(least), np.asarray(np.where(outside, -np.inf, most))

    def slopes(self, first: Floats, last: Floats) -> tuple[Floats, Floats]:
        """Return the least and the largest rate at which the log density falls on [FIRST, LAST] within the support."""
        return np.full_like(first, -np.inf), np.full_like(first, np.inf)

    def kinks(self) -> Floats:
        """Return the places where the density jumps or bursts."""
        return np.array([end for end in (self.low, self.high) if math.isfinite(end)])

    def pieces(self) -> list[tuple[float, float]]:
        """Return the stretches of the support, in order."""
        return [(self.low, self.high)]

    @abstractmethod
    def log_density(self, t: Floats) -> Floats:
        """Return the log density per precision, within the support."""

    @abstractmethod
    def _cdf(self, t: Floats) -> Floats: ...

    @abstractmethod
    def _log_a(self, t: Floats) -> Floats: ...

    @abstractmethod
    def _log_b(self, t: Floats) -> Floats: ...


class Tabulated(Tilted):
    """A smooth prior whose tilted masses are added up panel by panel, in a coordinate in which its log density is
    analytic."""

    start: float  # the coordinates between which there is mass
    stop: float

    def tilt(self, s: float) -> None:
        """Lay panels that span little of the tilt and of the density, and add them up from both ends."""
        self.s = s
        d = self._panels(abs(s))
        self.tabulated = d.size > 1
        if not self.tabulated:
            return
        t = self._t(d)
        width = np.diff(d)
        nodes = d[:-1, None] + width[:, None] * NODES
        places, logs = self._t(nodes), self._log_density_d(nodes) + np.log(width)[:, None]
        top = logs.max(axis=1)
        may_stop()
        scaled = np.exp(logs - top[:, None]) * WEIGHTS
        up = np.log((scaled * np.exp(-s * (t[1:, None] - places))).sum(axis=1)) + top
        down = np.log((scaled * np.exp(-s * (places - t[:-1, None]))).sum(axis=1)) + top
        gaps = np.diff(t).tolist()
        below, above = [-math.inf], [-math.inf]
        may_stop()
        for gap, piece in zip(gaps, up.tolist(), strict=True):
            below.append(log_sum(below[-1] - s * gap, piece))
        may_stop()
        for gap, piece in zip(gaps[::-1], down[::-1].tolist(), strict=True):
            above.append(log_sum(above[-1] - s * gap, piece))
        self.d, self.t, self.below, self.above = d, t, np.array(below), np.array(above[::-1])

    def _panels(self, s: float) -> Floats:
        """Return the edges of the panels in the coordinate; a single one where there would be too many."""
        d = np.linspace(self.start, self.stop, 65)
        for _ in range(40):
            may_stop()
            t, logs = self._t(d), self._log_density_d(d)
            rise = np.abs(np.diff(logs))
            seen = np.maximum(logs[:-1], logs[1:]) > logs.max() - DEEP
            parts = np.maximum(s * np.diff(t) / PANEL_TILT, np.where(seen, rise / PANEL_DROP, 0.0))
            parts = np.maximum(parts, np.diff(d) / self._widest())
            if float(parts.max()) <= 1.0:
                return d
            counts = np.clip(np.ceil(parts), 1, 64).astype(int)
            if int(counts.sum()) > MOST_PANELS:
                return d[:1]
            steps = np.repeat(np.diff(d) / counts, counts)
            offsets = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
            d = np.append(np.repeat(d[:-1], counts) + offsets * steps, d[-1])
        return d[:1]

    def _log_a(self, t: Floats) -> Floats:
        d = np.clip(self._d(t), self.start, self.stop)
        i = np.clip(np.searchsorted(self.d, d, side="right") - 1, 0, self.d.size - 2)
        return np.asarray(np.logaddexp(self.below[i] - self.s * (t - self.t[i]), self._partial(self.d[i], d, t)))

    def _log_b(self, t: Floats) -> Floats:
        d = np.clip(self._d(t), self.start, self.stop)
        i = np.clip(np.searchsorted(self.d, d, side="right") - 1, 0, self.d.size - 2)
        return np.asarray(
            np.logaddexp(self.above[i + 1] - self.s * (self.t[i + 1] - t), self._partial(d, self.d[i + 1], t))
        )

    def _partial(self, first: Floats, last: Floats, c: Floats) -> Floats:
        """Return log E[e^(-s |T - c|)] over a part of a panel."""
        width = np.maximum(last - first, 0.0)
        nodes = first[:, None] + width[:, None] * NODES
        logs = self._log_density_d(nodes) - self.s * np.abs(self._t(nodes) - c[:, None])
        top = logs.max(axis=1)
        total = np.log((np.exp(logs - top[:, None]) * WEIGHTS).sum(axis=1)) + top
        return np.asarray(np.where(width > 0.0, total + np.log(np.maximum(width, 1e-300)), -np.inf))

    @abstractmethod
    def _t(self, d: Floats) -> Floats: ...

    @abstractmethod
    def _d(self, t: Floats) -> Floats: ...

    @abstractmethod
    def _log_density_d(self, d: Floats) -> Floats:
        """Return the log density in the coordinate, normalised."""

    @abstractmethod
    def _widest(self) -> float: ...
