"""A prior seen from every truth at once: its masses weighed by e^(-s |T - c|), as arrays, for proofs over intervals of
truths.

Values are measured in precisions from an origin of the prior: t = (x - origin)/precision. Everything a bound on
guessing needs is made of two functions of a place t, for a loss s per precision (negative for the drop):

    A(t) = E[e^(-s (t - T)); T < t]        B(t) = E[e^(-s (T - t)); T > t].

The mass left of a, seen from c, is e^(-s (c - a)) A(a); the whole, seen from c, is A(c) + B(c).
"""

from __future__ import annotations

import math

import numpy as np

from dpwizard.privacy.guessing_advantage.tilted_pieces import (
    TAIL,
    Bell,
    CutBell,
    Floats,
    Stairs,
    Tabulated,
    Tilted,
    Waiting,
)
from dpwizard.privacy.priors import (
    Beta,
    Exponential,
    Histogram,
    LogNormal,
    Normal,
    Prior,
    TruncatedNormal,
    Uniform,
    known,
)


class Income(Tabulated):
    """A lognormal prior, the coordinate being the standardised logarithm."""

    limit = 0.0

    def __init__(self, prior: LogNormal, precision: float) -> None:
        """Measure from 0."""
        super().__init__(prior, precision, 0.0)
        self.sd = known(prior.log_sd)
        self.centre = known(prior.log_mean) - math.log(precision)  # of log t
        if not 1e-6 < self.sd < 12.0 or abs(self.centre) + 40.0 * self.sd > 650.0:
            raise ArithmeticError("a lognormal that is too narrow or too wide to be tabulated")
        self.summit = math.exp(self.centre - self.sd**2)
        self.bent = math.exp(self.centre + 1.0 - self.sd**2)
        self.start, self.stop = -38.0, 38.0

    def tilt(self, s: float) -> None:
        """Tabulate as far as truths are looked at one by one: beyond it the tail is bounded as a whole."""
        last = max(self.bent, math.exp(self.centre + self.sd)) + 4.0 + 4.0 * TAIL / max(s, 1e-300)
        self.stop = min(max((math.log(last) - self.centre) / self.sd, -30.0), 38.0)
        self.known_to = math.exp(self.centre + self.sd * self.stop) - (TAIL / s if self.stop < 38.0 else 0.0)
        super().tilt(s)

    def _log_a(self, t: Floats) -> Floats:
        return np.asarray(np.where(t <= self.known_to, super()._log_a(np.minimum(t, self.known_to)), np.nan))

    def _log_b(self, t: Floats) -> Floats:
        return np.asarray(np.where(t <= self.known_to, super()._log_b(np.minimum(t, self.known_to)), np.nan))

    def _t(self, d: Floats) -> Floats:
        return np.asarray(np.exp(self.centre + self.sd * d))

    def _d(self, t: Floats) -> Floats:
        return np.asarray((np.log(np.maximum(t, 1e-300)) - self.centre) / self.sd)

    def _log_density_d(self, d: Floats) -> Floats:
        return np.asarray(-d * d / 2.0 - 0.5 * math.log(2.0 * math.pi))

    def _widest(self) -> float:
        return min(1.5, 1.0 / self.sd)

    def _cdf(self, t: Floats) -> Floats:
        from scipy.special import ndtr

        return np.asarray(ndtr(self._d(t)))

    def log_density(self, t: Floats) -> Floats:
        """Return the log density per precision."""
        t = np.maximum(t, 1e-300)
        return np.asarray(self._log_density_d(self._d(t)) - np.log(t) - math.log(self.sd))

    def slopes(self, first: Floats, last: Floats) -> tuple[Floats, Floats]:
        """Return (1 + d/sd)/t at the ends; it climbs up to the bend and falls beyond it."""
        ends = [(1.0 + self._d(t) / self.sd) / np.maximum(t, 1e-300) for t in (first, last)]
        bend = np.clip(np.full_like(first, self.bent), first, last)
        most = (1.0 + self._d(bend) / self.sd) / np.maximum(bend, 1e-300)
        return np.minimum(*ends), np.maximum(np.maximum(*ends), most)


class Share(Tabulated):
    """A beta prior, the coordinate being the log odds of the share."""

    def __init__(self, prior: Beta, precision: float) -> None:
        """Measure from the lower end."""
        from scipy.special import betaln

        low, _ = prior.support()
        super().__init__(prior, precision, low)
        self.a, self.b = known(prior.a), known(prior.b)
        if not (min(self.a, self.b) > 0.02 and max(self.a, self.b) < 1e7):
            raise ArithmeticError("a beta that is too sharp to be tabulated")
        self.log_norm = float(betaln(self.a, self.b))
        self.start, self.stop = -(60.0 + 20.0 / self.a), 60.0 + 20.0 / self.b
        self.start, self.stop = max(self.start, -700.0), min(self.stop, 700.0)
        a, b = self.a, self.b
        self.concave = min(a, b) >= 1.0
        self.one_summit = max(a, b) >= 1.0
        if (a < 1.0) == (b < 1.0) and a + b != 2.0:
            self.summit = (a - 1.0) / (a + b - 2.0) * self.high  # for a, b < 1 where the density is least
        else:
            self.summit = 0.0 if a < b else self.high

    def _t(self, d: Floats) -> Floats:
        e = np.exp(-np.abs(d))
        return np.asarray(self.high * np.where(d > 0.0, 1.0, e) / (1.0 + e))

    def _d(self, t: Floats) -> Floats:
        y = np.clip(t / self.high, 0.0, 1.0)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(y) - np.log1p(-y))

    def _log_density_d(self, d: Floats) -> Floats:
        e = np.log1p(np.exp(-np.abs(d)))
        log_y, log_z = np.minimum(d, 0.0) - e, np.minimum(-d, 0.0) - e
        return np.asarray(self.a * log_y + self.b * log_z - self.log_norm)

    def _widest(self) -> float:
        return 1.5

    def _cdf(self, t: Floats) -> Floats:
        from scipy.special import betainc

        return np.asarray(betainc(self.a, self.b, np.clip(t / self.high, 0.0, 1.0)))

    def log_density(self, t: Floats) -> Floats:
        """Return the log density per precision, infinite at an end whose parameter is below 1."""
        from scipy.special import xlog1py, xlogy

        y = np.clip(t / self.high, 0.0, 1.0)
        return np.asarray(xlogy(self.a - 1.0, y) + xlog1py(self.b - 1.0, -y) - self.log_norm - math.log(self.high))

    def slopes(self, first: Floats, last: Floats) -> tuple[Floats, Floats]:
        """Return (b - 1)/(1 - y) - (a - 1)/y at the ends, and between them where it turns."""

        def rate(t: Floats) -> Floats:
            y = np.clip(t / self.high, 1e-300, 1.0 - 1e-16)
            return np.asarray(((self.b - 1.0) / (1.0 - y) - (self.a - 1.0) / y) / self.high)

        found = [rate(first), rate(last)]
        if (self.a - 1.0) * (self.b - 1.0) < 0.0:
            turn = self.high / (1.0 + math.sqrt(-(self.b - 1.0) / (self.a - 1.0)))
            found.append(rate(np.clip(np.full_like(first, turn), first, last)))
        wild = (first <= 0.0) | (last >= self.high)
        return np.where(wild, -np.inf, np.minimum.reduce(found)), np.where(wild, np.inf, np.maximum.reduce(found))


def tilted(prior: Prior, precision: float) -> Tilted:
    """Return PRIOR seen from every truth at once; raises ArithmeticError where its numbers lie too far apart."""
    if isinstance(prior, Beta) and prior.a == 1.0 and prior.b == 1.0:
        prior = Uniform.model_construct(low=prior.low, high=prior.high)
    found: Tilted
    if isinstance(prior, Uniform | Histogram):
        found = Stairs(prior, precision)
    elif isinstance(prior, Exponential):
        found = Waiting(prior, precision)
    elif isinstance(prior, Normal):
        found = Bell(prior, precision)
    elif isinstance(prior, TruncatedNormal):
        found = CutBell(prior, precision)
    elif isinstance(prior, LogNormal):
        found = Income(prior, precision)
    elif isinstance(prior, Beta):
        found = Share(prior, precision)
    else:
        raise ArithmeticError("atoms are looked at one by one")
    if math.isfinite(found.high) and not 1e-12 < found.high - found.low < 1e12:
        raise ArithmeticError("the precision and the support lie too far apart")
    return found
