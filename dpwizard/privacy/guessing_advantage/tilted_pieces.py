"""The kinds of tilted masses with a closed form or a table: stairs, exponentials, bells."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from dpwizard.privacy.priors import (
    Exponential,
    Histogram,
    Normal,
    Prior,
    TruncatedNormal,
    Uniform,
    apart,
    known,
)

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

    def __init__(self, prior: Prior, precision: float, origin: float) -> None:
        """Arguments: the prior, the precision, and where t = 0 lies."""
        self.prior, self.precision, self.origin = prior, precision, origin
        low, high = prior.support()
        self.low = apart(low, origin, precision) if math.isfinite(low) else low
        self.high = apart(high, origin, precision) if math.isfinite(high) else high

    def tilt(self, s: float) -> None:
        """Prepare A and B for the signed loss S."""
        self.s = s

    def place(self, truth: float) -> float:
        """Return t at TRUTH."""
        return apart(truth, self.origin, self.precision)

    def truth(self, t: float) -> float:
        """Return the truth at T, within the support."""
        low, high = self.prior.support()
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


class Stairs(Tilted):
    """Pieces of constant density: a uniform prior or a histogram."""

    def __init__(self, prior: Uniform | Histogram, precision: float) -> None:
        """Lay the edges out in precisions from the first one."""
        low, _ = prior.support()
        super().__init__(prior, precision, low)
        edges: tuple[float, ...] = (
            (known(prior.low), known(prior.high)) if isinstance(prior, Uniform) else known(prior.edges)
        )
        weights: tuple[float, ...] = (1.0,) if isinstance(prior, Uniform) else known(prior.weights)
        shares = np.array(weights) / math.fsum(weights)
        filled = np.flatnonzero(shares)
        shares = shares[filled[0] : filled[-1] + 1]
        self.edges = np.array([apart(edge, low, precision) for edge in edges[filled[0] : filled[-1] + 2]])
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
            below.append(_log_sum(below[-1] - s * width, piece))
        for width, piece in zip(self.widths[::-1].tolist(), whole[::-1].tolist(), strict=True):
            above.append(_log_sum(above[-1] - s * width, piece))
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
        padded = np.concatenate([[-np.inf], self.log_densities, [-np.inf]])
        i, j = np.clip(i + 1, 0, padded.size - 1), np.clip(j + 1, 0, padded.size - 1)
        j = np.maximum(i, j)
        least, most = padded[i].copy(), padded[i].copy()
        for k in np.flatnonzero(j > i).tolist():
            part = padded[i[k] : j[k] + 1]
            least[k], most[k] = part.min(), part.max()
        return least, most

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


def _log_sum(x: float, y: float) -> float:
    high, low = (x, y) if x > y else (y, x)
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))


class Waiting(Tilted):
    """An exponential prior."""

    concave, same_everywhere = True, True

    def __init__(self, prior: Exponential, precision: float) -> None:
        """Measure the rate per precision."""
        super().__init__(prior, precision, 0.0)
        self.limit = self.rate = min(max(known(prior.rate) * precision, 1e-290), 1e290)

    def _log_a(self, t: Floats) -> Floats:
        return np.asarray(
            math.log(self.rate) - self.rate * t + np.log(np.maximum(t, 1e-300)) + log_phi((self.s - self.rate) * t)
        )

    def _log_b(self, t: Floats) -> Floats:
        if self.s + self.rate <= 0.0:
            return np.full_like(t, np.inf)
        return np.asarray(math.log(self.rate) - math.log(self.s + self.rate) - self.rate * t)

    def _cdf(self, t: Floats) -> Floats:
        return np.asarray(-np.expm1(-self.rate * t))

    def log_density(self, t: Floats) -> Floats:
        """Return log rate - rate t."""
        return np.asarray(math.log(self.rate) - self.rate * t)

    def slopes(self, first: Floats, last: Floats) -> tuple[Floats, Floats]:
        """Return the rate, everywhere."""
        return np.full_like(first, self.rate), np.full_like(first, self.rate)


class Bell(Tilted):
    """A normal prior."""

    concave = True

    def __init__(self, prior: Normal, precision: float) -> None:
        """Measure the standard deviation in precisions."""
        super().__init__(prior, precision, known(prior.mean))
        self.sd = min(max(known(prior.sd) / precision, 1e-140), 1e140)

    def _log_a(self, t: Floats) -> Floats:
        return self._side(t / self.sd)

    def _log_b(self, t: Floats) -> Floats:
        return self._side(-t / self.sd)

    def _side(self, z: Floats) -> Floats:
        """Return log of e^(-qz + q^2/2) Phi(z - q), q = s sd; where z < q as e^(-z^2/2) erfcx((q - z)/sqrt 2)/2."""
        from scipy.special import erfcx, ndtr

        q = self.s * self.sd
        y = q - z
        far = np.log(erfcx(np.maximum(y, 0.0) / math.sqrt(2.0)) / 2.0) - z * z / 2.0
        near = q * (q / 2.0 - z) + np.log(ndtr(np.maximum(-y, 0.0)))
        return np.asarray(np.where(y > 0.0, far, near))

    def _cdf(self, t: Floats) -> Floats:
        from scipy.special import ndtr

        return np.asarray(ndtr(t / self.sd))

    def log_density(self, t: Floats) -> Floats:
        """Return the log density."""
        z = t / self.sd
        return np.asarray(-z * z / 2.0 - math.log(self.sd) - 0.5 * math.log(2.0 * math.pi))

    def slopes(self, first: Floats, last: Floats) -> tuple[Floats, Floats]:
        """Return t/sd^2 at the ends."""
        return first / self.sd / self.sd, last / self.sd / self.sd


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
        scaled = np.exp(logs - top[:, None]) * WEIGHTS
        up = np.log((scaled * np.exp(-s * (t[1:, None] - places))).sum(axis=1)) + top
        down = np.log((scaled * np.exp(-s * (places - t[:-1, None]))).sum(axis=1)) + top
        gaps = np.diff(t).tolist()
        below, above = [-math.inf], [-math.inf]
        for gap, piece in zip(gaps, up.tolist(), strict=True):
            below.append(_log_sum(below[-1] - s * gap, piece))
        for gap, piece in zip(gaps[::-1], down[::-1].tolist(), strict=True):
            above.append(_log_sum(above[-1] - s * gap, piece))
        self.d, self.t, self.below, self.above = d, t, np.array(below), np.array(above[::-1])

    def _panels(self, s: float) -> Floats:
        """Return the edges of the panels in the coordinate; a single one where there would be too many."""
        d = np.linspace(self.start, self.stop, 65)
        for _ in range(40):
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


class CutBell(Tabulated):
    """A truncated normal prior, the coordinate being t."""

    concave = True

    def __init__(self, prior: TruncatedNormal, precision: float) -> None:
        """Measure from the lower end."""
        low, _high = prior.support()
        super().__init__(prior, precision, low)
        mean, sd = known(prior.mean), known(prior.sd)
        self.sd = min(max(sd / precision, 1e-140), 1e140)
        self.first = apart(low, mean, sd)
        self.start, self.stop = 0.0, self.high
        self.summit = min(max(-self.first * self.sd, 0.0), self.high)
        self.log_norm = 0.0
        self.log_norm = float(self._log_density_d(np.array([self.summit]))[0])
        self.s = 0.0
        super().tilt(0.0)
        if not self.tabulated:
            raise ArithmeticError("a bell too narrow for its support")
        self.grid, self.log_grid = self.d, self.below
        self.log_norm += float(self.below[-1])
        self.log_whole = float(self.below[-1])

    def _t(self, d: Floats) -> Floats:
        return d

    def _d(self, t: Floats) -> Floats:
        return t

    def _log_density_d(self, d: Floats) -> Floats:
        z = self.first + d / self.sd
        return np.asarray(-z * z / 2.0 - self.log_norm)

    def log_density(self, t: Floats) -> Floats:
        """Return the log density."""
        return self._log_density_d(t)

    def _widest(self) -> float:
        return 1.5 * self.sd

    def _cdf(self, t: Floats) -> Floats:
        i = np.clip(np.searchsorted(self.grid, t, side="right") - 1, 0, self.grid.size - 2)
        width = t - self.grid[i]
        rest = (np.exp(self._log_density_d(self.grid[i][:, None] + width[:, None] * NODES)) * WEIGHTS).sum(
            axis=1
        ) * width
        return np.asarray(np.clip(np.exp(self.log_grid[i] - self.log_whole) + rest, 0.0, 1.0))

    def slopes(self, first: Floats, last: Floats) -> tuple[Floats, Floats]:
        """Return z/sd at the ends."""
        return (self.first + first / self.sd) / self.sd, (self.first + last / self.sd) / self.sd
