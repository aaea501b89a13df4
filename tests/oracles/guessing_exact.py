"""The exact guessing advantage with forty digits, from closed forms of the tilted masses; imports nothing of the
program.

For a density f, the Laplace mechanism's odds against a correct guess at output c are
(e^(-sc) L + e^(sc) U) / (e^(-sc) P(c) + e^(sc) Q(c)); their extreme lies where U P(c) = L Q(c) (for atoms: at one of
them).
"""

from __future__ import annotations

from fractions import Fraction

import mpmath as mp

mp.mp.dps = 40


def number(value):
    """The number as the decimal it is written as."""
    exact = Fraction(repr(float(value)))
    return mp.mpf(exact.numerator) / exact.denominator


def _slab(k, low, high):
    """The integral of e^(k t) over [low, high]."""
    return high - low if k == 0 else (mp.exp(k * high) - mp.exp(k * low)) / k


class Prior:
    """Masses of e^(k t) over an interval, t in precisions from the truth."""

    def __init__(self, prior, truth, precision):
        self.family = prior["family"]
        x0, r = number(truth), number(precision)

        def place(x):
            return (number(x) - x0) / r

        if self.family == "discrete":
            masses = prior.get("probabilities") or [1] * len(prior["points"])
            gaps = [
                (Fraction(repr(float(x))) - Fraction(repr(float(truth)))) / Fraction(repr(float(precision)))
                for x in prior["points"]
            ]
            self.right = [abs(gap) <= 1 for gap in gaps]
            self.atoms = [
                (mp.mpf(gap.numerator) / gap.denominator, number(m)) for gap, m in zip(gaps, masses, strict=True)
            ]
            self.low, self.high = min(t for t, _ in self.atoms), max(t for t, _ in self.atoms)
        elif self.family in ("uniform", "histogram"):
            edges = [prior["low"], prior["high"]] if self.family == "uniform" else prior["edges"]
            weights = [1] if self.family == "uniform" else prior["weights"]
            marks = [place(e) for e in edges]
            self.slabs = [
                (a, b, number(w) / (b - a)) for a, b, w in zip(marks[:-1], marks[1:], weights, strict=True) if w
            ]
            self.low, self.high = self.slabs[0][0], self.slabs[-1][1]
        elif self.family == "exponential":
            self.rate, self.low, self.high = number(prior["rate"]) * r, -x0 / r, mp.inf
        else:
            self.mean, self.sd = place(prior["mean"]), number(prior["sd"]) / r
            self.low, self.high = (place(prior[k]) if k in prior else s * mp.inf for k, s in (("low", -1), ("high", 1)))

    def mass(self, k, low, high):
        """E[e^(k t); low <= T <= high] up to a common factor."""
        low, high = max(low, self.low), min(high, self.high)
        if self.family == "discrete":
            return mp.fsum(m * mp.exp(k * t) for t, m in self.atoms if low <= t <= high)
        if low >= high:
            return mp.mpf(0)
        if self.family in ("uniform", "histogram"):
            return mp.fsum(
                d * _slab(k, max(a, low), min(b, high)) for a, b, d in self.slabs if max(a, low) < min(b, high)
            )
        if self.family == "exponential":
            g = k - self.rate
            if high == mp.inf:
                return mp.inf if g >= 0 else mp.exp(g * low + self.rate * self.low) / -g
            return mp.exp(self.rate * self.low) * _slab(g, low, high)
        centre = self.mean + k * self.sd**2
        scale = mp.exp(k * self.mean + (k * self.sd) ** 2 / 2)
        u, v = ((edge - centre) / (self.sd * mp.sqrt(2)) for edge in (low, high))
        span = (mp.erfc(u) - mp.erfc(v)) if u > 0 else (mp.erfc(-v) - mp.erfc(-u)) if v < 0 else mp.erf(v) - mp.erf(u)
        return scale * span / 2

    def outside(self):
        """The masses left of, inside and right of the correct guesses (closed interval)."""
        if self.family == "discrete":
            mixed = list(zip(self.atoms, self.right, strict=True))
            inside = mp.fsum(m for (_, m), right in mixed if right)
            return (
                mp.fsum(m for (t, m), right in mixed if not right and t < 0),
                inside,
                mp.fsum(m for (t, m), right in mixed if not right and t > 0),
            )
        return self.mass(0, -mp.inf, -1), self.mass(0, -1, 1), self.mass(0, 1, mp.inf)

    def p(self):
        """The prior probability of a correct guess."""
        left, inside, right = self.outside()
        return inside / (left + inside + right)

    def odds(self, s):
        """The extreme odds against a correct guess at the signed loss s."""
        s = mp.mpf(s)
        if self.family == "discrete":
            found = []
            for (c, _), correct in zip(self.atoms, self.right, strict=True):
                if correct:
                    weights = [
                        (m * mp.exp(-s * abs(t - c)), right)
                        for (t, m), right in zip(self.atoms, self.right, strict=True)
                    ]
                    found.append(
                        mp.fsum(w for w, right in weights if not right) / mp.fsum(w for w, right in weights if right)
                    )
            return min(found) if s > 0 else max(found)
        left, right = self.mass(s, -mp.inf, -1), self.mass(-s, 1, mp.inf)
        a, b = max(mp.mpf(-1), self.low), min(mp.mpf(1), self.high)
        if right == mp.inf:
            return mp.inf
        if left == 0:
            return right / self.mass(-s, a, b)
        if right == 0:
            return left / self.mass(s, a, b)
        low, high = a, b
        for _ in range(70):  # U P(c) - L Q(c) climbs
            c = (low + high) / 2
            if right * self.mass(s, a, c) < left * self.mass(-s, c, b):
                low = c
            else:
                high = c
        inside = mp.exp(-s * c) * self.mass(s, a, c) + mp.exp(s * c) * self.mass(-s, c, b)
        return (mp.exp(-s * c) * left + mp.exp(s * c) * right) / inside

    def gain(self, epsilon, direction):
        """|posterior - prior| at the worst output."""
        left, inside, right = self.outside()
        before = inside / (left + inside + right)
        odds = self.odds(epsilon if direction == "rise" else -epsilon)
        after = mp.mpf(0) if odds == mp.inf else 1 / (1 + odds)
        return after - before if direction == "rise" else before - after
