"""Priors in fifty digits: masses of e^(kx) over an interval, by formula where there is one and by quadrature
elsewhere."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import mpmath as mp
import numpy as np

from .book import exact


def rational(x):
    return Fraction(repr(float(x))) if isinstance(x, float) else Fraction(x)


def normal_mass(low, high):
    """P(low < Z <= high) without cancellation in either tail."""
    if low > 0:
        low, high = -high, -low
    root2 = mp.sqrt(2)
    return (
        (mp.erfc(-high / root2) - mp.erfc(-low / root2)) / 2
        if high <= 0
        else 1 - (mp.erfc(high / root2) + mp.erfc(-low / root2)) / 2
    )


NODES, WEIGHTS = np.polynomial.legendre.leggauss(40)


def panels(f, low, high, count=24):
    """The integral of a smooth function by Gauss's rule on equal panels; 1e-14 relative."""
    edges = np.linspace(low, high, count + 1)
    half, middle = np.diff(edges)[:, None] / 2, (edges[1:] + edges[:-1])[:, None] / 2
    return mp.mpf(float(np.sum(half * WEIGHTS * f(middle + half * NODES))))


class Smooth:
    """A prior with a density, in its own units."""

    def __init__(self, prior):
        self.kind = prior["family"]
        self.whole = mp.mpf(1)
        if self.kind == "uniform":
            self.pieces = [
                (exact(prior["low"]), exact(prior["high"]), 1 / (exact(prior["high"]) - exact(prior["low"])))
            ]
        elif self.kind == "histogram":
            total = sum(map(exact, prior["weights"]))
            self.pieces = [
                (exact(a), exact(b), exact(w) / total / (exact(b) - exact(a)))
                for (a, b), w in zip(itertools.pairwise(prior["edges"]), prior["weights"], strict=True)
                if w
            ]
        elif self.kind in ("normal", "truncated_normal"):
            self.mean, self.sd = exact(prior["mean"]), exact(prior["sd"])
            ends = [exact(prior[k]) if k in prior else s * mp.inf for k, s in (("low", -1), ("high", 1))]
            self.low, self.high = ends
            self.whole = self.tilt(0, *ends)
        elif self.kind == "exponential":
            self.rate, self.low, self.high = exact(prior["rate"]), mp.mpf(0), mp.inf
        elif self.kind == "lognormal":
            self.mean, self.sd, self.low, self.high = (
                exact(prior["log_mean"]),
                exact(prior["log_sd"]),
                mp.mpf(0),
                mp.inf,
            )
        else:
            self.a, self.b = exact(prior["a"]), exact(prior["b"])
            self.low, self.high = exact(prior.get("low", 0)), exact(prior.get("high", 1))
        if self.kind in ("uniform", "histogram"):
            self.low, self.high = self.pieces[0][0], self.pieces[-1][1]

    def tilt(self, k, low, high):
        """The integral of e^(kx) f(x) over [low, high], cut to the support."""
        low, high = max(low, self.low), min(high, self.high)
        if not low < high:
            return mp.mpf(0)
        if self.kind in ("uniform", "histogram"):
            total = mp.mpf(0)
            for a, b, f in self.pieces:
                a, b = max(a, low), min(b, high)
                if a < b:
                    total += f * ((b - a) if k == 0 else (mp.exp(k * b) - mp.exp(k * a)) / k)
            return total
        if self.kind in ("normal", "truncated_normal"):
            shift = self.mean + k * self.sd**2
            mass = normal_mass((low - shift) / self.sd, (high - shift) / self.sd)
            return mp.exp(k * self.mean + (k * self.sd) ** 2 / 2) * mass / self.whole
        if self.kind == "exponential":
            d = self.rate - k
            if high == mp.inf:
                return self.rate / d * mp.exp(-d * low) if d > 0 else mp.inf
            return self.rate * ((high - low) if d == 0 else (mp.exp(-d * low) - mp.exp(-d * high)) / d)
        if self.kind == "lognormal":
            return self._log(k, low, high)
        span = self.high - self.low
        u, v = (low - self.low) / span, (high - self.low) / span
        if k == 0:
            return mp.betainc(self.a, self.b, u, v, regularized=True)
        angles = [float(mp.asin(mp.sqrt(t))) for t in (u, v)]  # t = sin^2: no infinite ends

        def inner(x):
            return (
                2
                * np.sin(x) ** float(2 * self.a - 1)
                * np.cos(x) ** float(2 * self.b - 1)
                * np.exp(float(k * span) * np.sin(x) ** 2)
            )

        return mp.exp(k * self.low) * panels(inner, *angles) / mp.beta(self.a, self.b)

    def _log(self, k, low, high):
        """Over y = log x: the tails beyond 14 deviations weigh nothing; k <= 0 or a finite end."""
        if k > 0 and high == mp.inf:
            return mp.inf
        y0 = self.mean - 14 * self.sd if low == 0 else max(mp.log(low), self.mean - 14 * self.sd)
        y1 = self.mean + 14 * self.sd if high == mp.inf else mp.log(high)
        if not y0 < y1:
            return mp.mpf(0)
        if k == 0:
            return normal_mass((y0 - self.mean) / self.sd, (y1 - self.mean) / self.sd)
        mean, sd, tilt = float(self.mean), float(self.sd), float(k)

        def tilted(y):
            return np.exp(tilt * np.exp(y) - ((y - mean) / sd) ** 2 / 2) / (sd * math.sqrt(2 * math.pi))

        return panels(tilted, float(y0), float(y1))

    def goal(self, truth, precision):
        return max(exact(truth) - exact(precision), self.low), min(exact(truth) + exact(precision), self.high)

    def views(self, truth, precision, epsilon, c, sign):
        """(right, wrong) masses of e^(-sign eps |x - c| / r) inside and outside the goal."""
        a, b = self.goal(truth, precision)
        s = sign * exact(epsilon) / exact(precision)
        right = mp.exp(-s * c) * self.tilt(s, a, c) + mp.exp(s * c) * self.tilt(-s, c, b)
        wrong = mp.mpf(0)
        for place, end, k in ((self.low, a, s), (b, self.high, -s)):
            mass = self.tilt(k, place, end) if place < end else mp.mpf(0)
            wrong += mass * mp.exp(-k * c) if mass < mp.inf else mass
        return right, wrong

    def prior(self, truth, precision):
        a, b = self.goal(truth, precision)
        return self.tilt(0, a, b) if a < b else mp.mpf(0)

    def exact_posterior(self, truth, precision, epsilon, direction="rise", scan=12):
        p = self.prior(truth, precision)
        if p in (0, 1) or epsilon == 0:
            return p
        a, b = self.goal(truth, precision)
        sign, better = (1, 1) if direction == "rise" else (-1, -1)

        def value(c):
            right, wrong = self.views(truth, precision, epsilon, c, sign)
            return better * (right / (right + wrong) if wrong < mp.inf else mp.mpf(0))

        marks = [a + (b - a) * i / scan for i in range(scan + 1)]
        seen = [value(c) for c in marks]
        i = max(range(scan + 1), key=seen.__getitem__)
        low, high, g = marks[max(i - 1, 0)], marks[min(i + 1, scan)], (mp.sqrt(5) - 1) / 2
        x, y = high - g * (high - low), low + g * (high - low)
        fx, fy = value(x), value(y)
        for _ in range(34):
            if fx > fy:
                high, y, fy = y, x, fx
                x = high - g * (high - low)
                fx = value(x)
            else:
                low, x, fx = x, y, fy
                y = low + g * (high - low)
                fy = value(y)
        return better * max(fx, fy, seen[i])

    def bound(self, name, truth, precision, epsilon, direction="rise"):
        """The other bounds of docs/methods/guessing_advantage.md, as they stand there."""
        p, r, eps = self.prior(truth, precision), exact(precision), exact(epsilon)
        if p in (0, 1):
            return p
        s, (a, b) = (eps if direction == "rise" else -eps) / r, self.goal(truth, precision)
        above, below = self.tilt(-s, b, self.high), self.tilt(s, self.low, a)
        if name == "main":
            odds = above / self.tilt(-s, a, b) + below / self.tilt(s, a, b)
        elif name == "farthest":
            odds = (mp.exp(s * a) * above + mp.exp(-s * b) * below) / p
        elif name == "simplified":
            odds = mp.exp(-s * (self.high - self.low)) * (1 - p) / p
        elif name == "published_annulus":
            odds = (mp.exp(s * b) * above + mp.exp(-s * a) * below) / p
        else:
            odds, x0 = mp.mpf(0), exact(truth)
            for n in range(1, 4000):
                mass = self.tilt(0, x0 + n * r, x0 + (n + 1) * r) + self.tilt(0, x0 - (n + 1) * r, x0 - n * r)
                odds += mp.exp(-eps * n) * mass / p
                if (x0 + n * r > self.high and x0 - n * r < self.low) or mp.exp(-eps * n) < mp.mpf(10) ** -30:
                    break
        return 1 / (1 + odds)


class Atoms:
    """A discrete prior: points as the decimals they are, repeated ones added up."""

    def __init__(self, prior):
        self.kind, masses = "discrete", {}
        for x, m in zip(prior["points"], prior.get("probabilities") or [1] * len(prior["points"]), strict=True):
            masses[rational(x)] = masses.get(rational(x), 0) + rational(m)
        total = sum(masses.values())
        self.masses = {x: m / total for x, m in masses.items() if m}
        self.low, self.high = min(self.masses), max(self.masses)

    def inside(self, truth, precision):
        return [x for x in self.masses if abs(x - rational(truth)) <= rational(precision)]

    def prior(self, truth, precision):
        p = sum((self.masses[x] for x in self.inside(truth, precision)), Fraction(0))
        return mp.mpf(p.numerator) / p.denominator

    def at(self, truth, precision, epsilon, c, sign):
        total, right, inside = mp.mpf(0), mp.mpf(0), set(self.inside(truth, precision))
        for x, m in self.masses.items():
            d = abs(x - c) / rational(precision)
            w = mp.mpf(m.numerator) / m.denominator * mp.exp(-sign * exact(epsilon) * d.numerator / d.denominator)
            total, right = total + w, right + (w if x in inside else 0)
        return right / total

    def exact_posterior(self, truth, precision, epsilon, direction="rise"):
        p, places = self.prior(truth, precision), self.inside(truth, precision)
        if p in (0, 1):
            return p
        pick, sign = (max, 1) if direction == "rise" else (min, -1)
        return pick(self.at(truth, precision, epsilon, c, sign) for c in places)

    def bound(self, name, truth, precision, epsilon, direction="rise"):
        p, inside, r, eps = (
            self.prior(truth, precision),
            set(self.inside(truth, precision)),
            rational(precision),
            exact(epsilon),
        )
        if p in (0, 1):
            return p
        s = eps if direction == "rise" else -eps
        if name == "simplified":
            width = (self.high - self.low) / r
            return 1 / (1 + mp.exp(-s * width.numerator / width.denominator) * (1 - p) / p)
        odds, mass = mp.mpf(0), lambda m: mp.mpf(m.numerator) / m.denominator
        for x, m in self.masses.items():
            if x in inside:
                continue
            if name == "main":
                below = mp.fsum(mass(self.masses[y]) * mp.exp(s * mass(abs(x - y) / r)) for y in inside)
                odds += mass(m) / below
            else:  # farthest, of the goal
                odds += mass(m) * mp.exp(-s * mass(max(abs(x - y) for y in inside) / r)) / p
        return 1 / (1 + odds)


def prior_of(prior):
    return Atoms(prior) if prior["family"] == "discrete" else Smooth(prior)
