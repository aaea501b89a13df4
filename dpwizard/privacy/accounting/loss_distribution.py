"""The privacy loss of many releases together, by Fourier inversion with every error bounded.

One release with eps0 has a loss L with a moment function M(s) = E e^(sL) in closed form; independent losses add,
so their moment functions multiply, and the exact delta of the composition is the contour integral

    delta(epsilon) = (1/2 pi) int M(s) e^(-s epsilon) / (s (s+1)) dt,   s = c + it, any c > 0,

and 1 - delta the same with -s for s, any c in (-1, 0). Nothing is put on a grid of losses: the integral is
summed with step 2 pi/T, which adds to delta exactly the copies delta(epsilon + mT) e^(cmT), all positive and bounded
by Chernoff; what is left out beyond the last frequency is bounded by the decay of M; where the atoms of the
Laplace loss keep M from decaying, the releases with at most one non-atomic loss are summed exactly and only the
rest is integrated; where all losses lie on a lattice the sum over one period is exact. The tilt c keeps every
number relative to the answer, however small. docs/methods/composition.md derives all bounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

import numpy as np
import numpy.typing as npt

from dpwizard.numerics import decimal, lowest_place

Complex = npt.NDArray[np.complex128]

ALIAS = 1e-14  # wanted bound on the copies, relative to delta
CUT = 1e-9  # wanted bound on what lies beyond the last frequency, relative to delta
MOST_NODES = 1 << 20  # never more frequencies than this; the bounds widen instead
LEAST_TILT = 1e-15
HUGE = 1e4  # a level beyond which a release hides nothing
NEGLIGIBLE = Fraction(1, 10**14)
LOWEST_TILT = -0.5 + 1e-7  # for epsilon >= 0 the best tilt is above -1/2, about which M is even


@dataclass(frozen=True, kw_only=True)
class Kind:
    """Releases of one noise and one level: the loss of one is between -level and level; shift 0 is Laplace."""

    level: float
    times: int
    shift: int = 0

    def split(self) -> float:
        """Return a = e^-u of the geometric mechanism, u = eps0/D."""
        return math.exp(-self.level / self.shift)

    def log_moment(self, c: float) -> float:
        """Return log M(c) - c eps0 of one release, c > -1/2."""
        z = 2.0 * (c + 0.5)
        full = math.exp(-min(z * self.level, 700.0))
        if self.shift == 0:
            return math.log(0.5 * (1.0 + full - math.expm1(-min(z * self.level, 700.0)) / z))
        rate = self.level / self.shift
        return math.log1p(full + self._inner(z * rate)) - math.log1p(math.exp(-rate))

    def _inner(self, x: float) -> float:
        """Return (1-a) q (1 - q^(D-1))/(1 - q), q = e^-x, x > 0: what losses strictly between the ends add."""
        ends = -math.expm1(-min((self.shift - 1) * x, 700.0))
        between = ends / -math.expm1(-x) if x > 0.0 else self.shift - 1.0
        return -math.expm1(-self.level / self.shift) * math.exp(-min(x, 700.0)) * between

    def log_moments(self, s: Complex) -> Complex:
        """Return log M(s) - s eps0 of one release for an array of s with real part above -1/2."""
        z = 2.0 * (s + 0.5)
        if self.shift == 0:  # e^(-eps0/2) (cosh(zL) + sinh(zL)/(2z)) with z = s + 1/2, L = eps0, less e^(s eps0)
            full = np.exp(-z * self.level)
            return np.asarray(np.log(0.5 * (1.0 + full - np.expm1(-z * self.level) / z)))
        rate = self.level / self.shift
        ends, one = np.expm1(-(self.shift - 1) * rate * z), np.expm1(-rate * z)
        inner = -math.expm1(-rate) * (1.0 + one) * ends / one if self.shift > 1 else 0.0
        return np.asarray(np.log(1.0 + np.exp(-self.level * z) + inner) - math.log1p(math.exp(-rate)))

    def log_bound(self, c: float, frequency: float) -> float:
        """Return log of a bound on |M(c + it)|, less c eps0, that holds from t = FREQUENCY to pi/(2u); geometric only.

        With q as in _inner, |1 - q| >= 2 sqrt|q| sin(ut) >= 4 sqrt|q| u t/pi there, and 1 - a <= u.
        """
        rate = self.level / self.shift
        z = 2.0 * (c + 0.5)
        ends = 1.0 + math.exp(-min(z * self.level, 700.0))
        inner = math.exp(-min(z * rate / 2, 700.0)) * (1.0 + math.exp(-min(z * rate * (self.shift - 1), 700.0)))
        inner = inner * math.pi / (4.0 * frequency)
        return math.log(ends + (inner if self.shift > 1 else 0.0)) - math.log1p(math.exp(-rate))

    def log_atom(self, c: float) -> float:
        """Return log of the moment function of the atoms at the two ends, less c eps0; Laplace only."""
        return math.log(0.5) + math.log1p(math.exp(-min(2.0 * (c + 0.5) * self.level, 700.0)))


class Composition:
    """The loss of several kinds of release together; every method is a pure function of the kinds."""

    def __init__(self, kinds: Sequence[Kind]) -> None:
        self.kinds = tuple(kinds)
        self.releases = sum(kind.times for kind in kinds)
        self.exact_top = sum((kind.times * Fraction(kind.level) for kind in kinds), Fraction(0))
        self.top = float(self.exact_top)
        self.laplace = all(kind.shift == 0 for kind in kinds)  # all are of one noise

    def room(self, epsilon: float) -> float:
        """Return the largest loss less EPSILON, with no digits lost where the two are close."""
        return float(self.exact_top - Fraction(epsilon))

    def log_moment(self, c: float) -> float:
        """Return log M(c) - c top."""
        return math.fsum(kind.times * kind.log_moment(c) for kind in self.kinds)

    def log_full(self, c: float) -> float:
        """Return log M(c) for any c: M is even about -1/2, because swapping truth and neighbour gives the same loss."""
        c = max(c, -1.0 - c)
        return self.log_moment(max(c, LOWEST_TILT)) + c * self.top

    def log_top(self) -> float:
        """Return the log of the chance of the largest loss."""
        return math.fsum(
            -kind.times * (math.log(2.0) if kind.shift == 0 else math.log1p(kind.split())) for kind in self.kinds
        )

    def log_near(self, room: float) -> float:
        """Return the log of a bound on the chance that the total comes within ROOM of the largest: every loss must."""
        total = 0.0
        for kind in self.kinds:
            if kind.shift == 0:  # P(loss > eps0 - room) = 1 - e^(-room/2)/2
                total += kind.times * math.log1p(-0.5 * math.exp(-room / 2))
            elif room <= 2.0 * kind.level / kind.shift * (1.0 - 1e-9):
                total -= kind.times * math.log1p(kind.split())
        return total

    # ------------------------------------------------------------------------------------ choosing the tilt

    def exponent(self, c: float, epsilon: float) -> float:
        """Return log of M(c) e^(-c epsilon) / |c (c+1)|, whose least value over c gives the best tilt."""
        return self.log_moment(c) + c * self.room(epsilon) - math.log(abs(c)) - math.log1p(c)

    def tilt(self, epsilon: float, *, lower: bool) -> float:
        """Return the tilt c that minimises the exponent, to a few per cent: in (-1/2, 0) if LOWER, else above 0."""

        def tilted(x: float) -> float:
            return max(-0.5 / (1.0 + math.exp(x)) if lower else math.exp(x), LOWEST_TILT)

        most = 1e4 * self.releases / max(self.room(epsilon), 1e-290 * self.releases)
        a, b = (-40.0, 40.0) if lower else (math.log(LEAST_TILT), math.log(LEAST_TILT + most))
        return tilted(lowest_place(lambda x: self.exponent(tilted(x), epsilon), a, b, 1e-3))

    def curvature(self, c: float) -> float:
        """Return the second derivative of the exponent at c, roughly: the tilted variance and that of the kernel."""
        step = 0.03 * abs(c)
        shift = self.top * c if c > 0.0 else 0.0  # taken off where it can be: it cancels
        log = self.log_moment if shift else self.log_full
        second = (log(c + step) - 2.0 * log(c) + log(c - step)) / (step * step)
        return max(second, 0.0) + 1.0 / (c * c) + 1.0 / ((c + 1.0) * (c + 1.0))

    def estimate(self, epsilon: float, c: float) -> float:
        """Return log delta(epsilon), or log of 1 - delta for c < 0, by the saddle point: within some per cent."""
        return min(0.0, self.exponent(c, epsilon) - 0.5 * math.log(2 * math.pi * self.curvature(c)))

    def period(self, epsilon: float, c: float, size: float) -> float:
        """Return T for which the bound on the copies is below ALIAS times delta."""
        period = 4.0 * math.sqrt(self.curvature(c))
        for _ in range(200):
            if self.aliases(epsilon, c, period) <= size + math.log(ALIAS):
                break
            period *= 1.25
        return period

    def aliases(self, epsilon: float, c: float, period: float) -> float:
        """Return the log of a bound on the copies sum over m != 0 of d(epsilon + mT) e^(cmT), d = delta or 1 - delta.

        d(x) <= M(b) e^(-bx) for every b >= 0 (delta), or b in [-1, 0] (1 - delta): Chernoff, a b on each side of c.
        """
        spread = math.sqrt(self.curvature(c))
        low, high = (0.0, math.inf) if c > 0.0 else (-1.0, 0.0)
        ahead, behind = math.inf, math.inf
        if epsilon + period >= self.top and c > 0.0:
            ahead = -math.inf
        for distance in (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0):
            b = min(c + distance / spread * max(1.0, period / spread / 8.0), high)
            ahead = min(ahead, self._copies(epsilon, b, (b - c) * period))
            b = max(c - distance / spread * max(1.0, period / spread / 8.0), low)
            behind = min(behind, self._copies(epsilon, b, (c - b) * period))
        return math.log(2.0) + max(ahead, behind)

    def _copies(self, epsilon: float, b: float, decay: float) -> float:
        """Return log of M(b) e^(-b epsilon) q/(1 - q), q = e^-decay."""
        if decay <= 0.0:
            return math.inf
        chernoff = 0.0
        if b < 0.0:
            chernoff = self.log_full(b) - b * epsilon
        elif b > 0.0:
            chernoff = self.log_moment(b) + b * self.room(epsilon)
        return chernoff - decay - math.log(-math.expm1(-decay))

    def nodes(self, c: float, period: float, relative: float, order: int) -> int:
        """Return how many frequencies bring the bound on the rest below CUT times delta; else MOST_NODES + 1."""
        nodes = 32
        while nodes <= MOST_NODES:
            if self.remainder(c, 2 * math.pi * nodes / period, order) <= relative + math.log(CUT):
                return nodes
            nodes = nodes * 5 // 4
        return MOST_NODES + 1

    def remainder(self, c: float, frequency: float, order: int) -> float:
        """Return the log of a bound on the integral beyond FREQUENCY, relative to M(c) e^(-c epsilon).

        |1/(s(s+1))| <= 1/t^2. Laplace: with A the atoms and r = 1/(2 |s + 1/2|), |M - A| <= r A(c), so beyond t
        |M|^n <= A(c)^n (1+r)^n, and what is left after the first two orders in M - A is at most A(c)^n (nr)^2/2
        (1+r)^n. Geometric: a bound of the same kind on the losses between the ends up to half the period pi/u, and M(c)
        beyond.
        """
        if self.laplace:
            r = 0.5 / math.hypot(c + 0.5, frequency)
            decay = math.fsum(kind.times * (kind.log_atom(c) - kind.log_moment(c)) for kind in self.kinds)
            decay += self.releases * math.log1p(r)
            if order == 0:
                return min(decay, 0.0) - math.log(math.pi * frequency)
            return decay + 2.0 * math.log(self.releases) - math.log(24.0 * math.pi) - 3.0 * math.log(frequency)
        half = min(math.pi / 2 * kind.shift / kind.level for kind in self.kinds)
        if frequency >= half:
            return -math.log(math.pi * frequency)
        decay = math.fsum(kind.times * (kind.log_bound(c, frequency) - kind.log_moment(c)) for kind in self.kinds)
        return math.log(math.exp(min(decay, 0.0)) / (math.pi * frequency) + 1.0 / (math.pi * half))

    def lattice(self) -> float | None:
        """Return the step of the lattice on which all losses lie (less the largest), or None for a continuous loss."""
        if self.laplace:
            return None
        rates = [decimal(kind.level) / kind.shift for kind in self.kinds]
        return float(2 * reduce(_common, rates)) or None


def simplified(levels: Sequence[tuple[float, int]], shift: int) -> tuple[Composition, Fraction, Fraction]:
    """Return a composition that is easy to compute, how far its losses lie below the true ones, and what it leaves out.

    Levels whose sum is below NEGLIGIBLE of the whole are left out: basic composition adds them to any upper bound. A
    level above HUGE misses its largest loss by as much as HUGE would, but for a chance below e^-5000: it is replaced,
    at the same rate, and the total loss shifts by the difference.
    """
    total = sum((times * Fraction(level) for level, times in levels), Fraction(0))
    kinds, moved, left = [], Fraction(0), Fraction(0)
    for level, times in levels:
        if times * Fraction(level) <= NEGLIGIBLE * total:
            left += times * Fraction(level)
            continue
        kind = Kind(level=level, times=times, shift=shift)
        if level > HUGE and shift == 0:
            kind = Kind(level=HUGE, times=times)
        elif level > HUGE:
            rate = min(level / shift, HUGE)
            steps = min(shift, math.ceil(HUGE / rate))
            kind = Kind(level=rate * steps, times=times, shift=steps)
        moved += times * (Fraction(level) - Fraction(kind.level))
        kinds.append(kind)
    return Composition(kinds), moved, left


def _common(a: Fraction, b: Fraction) -> Fraction:
    """Return the greatest rational of which both are multiples."""
    return Fraction(math.gcd(a.numerator * b.denominator, b.numerator * a.denominator), a.denominator * b.denominator)
