"""Delta of many releases together at one tilt: by the contour sum, by the sum over a lattice, or atom by atom.

Each way gives certified bounds: what is added, left out or rounded is bounded and counted. The frequencies and
their weights are computed once, then every epsilon near by is cheap. See loss_distribution for the formulas.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce

import numpy as np
import numpy.typing as npt

from dpwizard.privacy.accounting.loss_distribution import LOWEST_TILT, MOST_NODES, Composition, Kind
from dpwizard.privacy.accounting.randomised_response import binomial_log
from dpwizard.stopping import may_stop

Floats = npt.NDArray[np.float64]
Complex = npt.NDArray[np.complex128]

FINEST = 1e-9  # a lattice finer than this, relative, is an accident of rounding
FEW_NODES = 1 << 12  # with up to so many frequencies the plain integral is taken
MOST_ATOMS = 2_000_000  # combinations of atoms that are summed one by one
CHUNK = 1 << 16
ROUNDING = 2.0**-52
DROPPED = 1e-25  # tilted chance below which an atom is left out
DIRECT = 4_096  # up to so many atoms of one kind are convolved term by term
ATOMIC = 1e-12  # relative error of a sum over atoms
TRANSFORM = 1e-12  # absolute error of tilted chances found by a Fourier transform
SMALLEST = 5e-324
CLOSE = 1e-11  # bounds this near, relative, need no inversion
WIDE = 1e-8  # bounds farther apart than this, relative, are worth a second look
PEAK = math.log(0.3)  # the saddle point never gives more than 0.39
TINY = 1e-10  # a sum of levels so small is not worth dividing
NARROW = 1e-15  # an epsilon so close to the largest loss is bounded by hand
LEFT_OUT = 1e-20  # what all atoms left out add up to, at most


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """delta, or 1 - delta where the tilt is negative, as e^scale times [lower, upper]."""

    scale: float
    lower: float
    upper: float


def inversion(whole: Composition, epsilon: float, c: float) -> Inversion | AtomSum:
    """Return the cheapest certified way to delta for arguments near EPSILON with tilt c."""
    likely = whole.estimate(epsilon, c)
    period = whole.period(epsilon, c, likely)
    step = whole.lattice()
    if step is not None and period / step <= MOST_NODES and step > FINEST * whole.top:
        return LatticeInversion(whole, c, step, math.ceil(period / step) + 1)
    sizes = [kind.times * max(kind.shift, 1) for kind in whole.kinds]
    few = math.prod(min(size + 1.0, 22.0 * math.sqrt(size) + 82.0) for size in sizes) <= MOST_ATOMS
    if not whole.laplace and few and max(sizes) <= MOST_ATOMS:
        return AtomSum(whole, c)
    relative = likely - (whole.log_moment(c) + c * whole.room(epsilon))  # log of delta/(M(c) e^(-c epsilon))
    nodes, order = whole.nodes(c, period, relative, order=0), 0
    if nodes > FEW_NODES and whole.laplace and (few or len(whole.kinds) == 1):
        fewer = whole.nodes(c, period, relative, order=2)
        nodes, order = min((nodes, 0), (fewer, 2))
    return Inversion(whole, c, period, min(nodes, MOST_NODES), order)


def _drift(whole: Composition, base: float, turn: float) -> float:
    """Return a bound on the relative error of the common scale, and of n-th powers generally."""
    return (16.0 + 8.0 * whole.releases + 4.0 * abs(base) + 4.0 * abs(turn)) * ROUNDING


class Inversion:
    """The contour sum for one tilt: its frequencies are computed once, then any epsilon near by is cheap."""

    def __init__(self, whole: Composition, c: float, period: float, nodes: int, order: int) -> None:
        self.whole, self.c, self.period, self.nodes, self.order = whole, c, period, nodes, order
        self.base = whole.log_moment(c)
        self.frequency = np.arange(nodes + 1, dtype=np.float64) * (2.0 * math.pi / period)
        self.weight, self.size = self._weights(np.asarray(c + 1j * self.frequency, dtype=np.complex128))
        self.atoms = tuple((_combined(whole, c, kind), kind) for kind in (None, *whole.kinds)) if order else ()

    def _moments(self, s: Complex) -> tuple[Complex, Floats]:
        """Return M(s) e^(-s top)/M(c) e^(c top), without its atomic orders if order is 2, and the size of the terms."""
        kinds, z = self.whole.kinds, 2.0 * (s + 0.5)
        total = np.exp(_sum([kind.times * kind.log_moments(s) for kind in kinds]) - self.base)
        size = np.abs(total)
        if self.order:  # less A^n (1 + n C/A), with A the atoms and C the rest of M = A + C
            full = [np.exp(-z * kind.level) for kind in kinds]
            atoms = np.exp(
                _sum([kind.times * np.log(0.5 * (1.0 + e)) for kind, e in zip(kinds, full, strict=True)]) - self.base
            )
            once = _sum(
                [kind.times * -np.expm1(-z * kind.level) / (z * (1.0 + e)) for kind, e in zip(kinds, full, strict=True)]
            )
            size = size + np.abs(atoms) * (1.0 + np.abs(once))
            total = total - atoms * (1.0 + once)
        return total, np.asarray(size)

    def _kernel(self, s: Complex) -> Complex:
        return np.asarray(1.0 / (s * (s + 1.0)) if self.c > 0.0 else -1.0 / (s * (s + 1.0)))

    def _weights(self, s: Complex) -> tuple[Complex, Floats]:
        weights, sizes = [], []
        for start in range(0, len(s), CHUNK):
            may_stop()
            part = s[start : start + CHUNK]
            moments, size = self._moments(part)
            kernel = self._kernel(part)
            weights.append(moments * kernel)
            sizes.append(size * np.abs(kernel))
        weight, size = np.concatenate(weights), np.concatenate(sizes)
        weight[0] *= 0.5  # frequencies come in conjugate pairs but the first
        size[0] *= 0.5
        return weight * (2.0 / self.period), size * (2.0 / self.period)

    def at(self, epsilon: float) -> Bounds:
        """Return certified bounds on delta(epsilon), or on 1 - delta where the tilt is negative."""
        distance = self.whole.room(epsilon)
        phase = self.frequency * distance
        turned = self.weight.real * np.cos(phase) - self.weight.imag * np.sin(phase)
        value = float(np.sum(turned))
        # every factor is off by some units in the last place, the n-th power by n times as many, the phase by its size
        rounding = self._rounding(self.size, 40.0, self.whole.top)
        turn = self.c * distance
        scale = self.base + turn
        exact = self._exact(epsilon)
        alias = math.exp(min(self.whole.aliases(epsilon, self.c, self.period) - scale, 600.0))
        left = math.exp(self.whole.remainder(self.c, float(self.frequency[-1]), self.order))
        middle = value + exact
        atomic = LEFT_OUT + exact * ATOMIC if self.order else 0.0
        slack = rounding + left + atomic + abs(middle) * _drift(self.whole, self.base, turn)
        return Bounds(scale=scale, lower=max(0.0, middle - alias - slack), upper=max(0.0, middle) + slack)

    def _rounding(self, size: Floats, steps: float, reach: float) -> float:
        """Return a bound on the rounding of a sum of terms of SIZE, each of STEPS operations, phases up to REACH."""
        each = float(np.dot(size, steps + 8.0 * self.whole.releases + 2.0 * self.frequency * reach)) * ROUNDING
        return each + self.nodes * ROUNDING * float(np.sum(size)) * 1e-3

    def _exact(self, epsilon: float) -> float:
        """Return what the releases with at most one non-atomic loss add, relative to the scale."""
        if not self.order:
            return 0.0
        atomic = math.exp(math.fsum(kind.times * kind.log_atom(self.c) for kind in self.whole.kinds) - self.base)
        total = 0.0
        for (losses, chances), kind in self.atoms:
            if kind is None:
                above = self.whole.room(epsilon) + losses  # loss - epsilon
                total += float(np.dot(chances, _tilted_gain(above, self.c)))
            else:
                above = (self.whole.room(epsilon) - kind.level) + losses
                # the atoms of this release would have counted e^(c eps0) (1 + e^-(2c+1) eps0)/2
                share = kind.times / math.exp(kind.log_atom(self.c))
                total += share * float(np.dot(chances, _tilted_piece(above, kind.level, self.c)))
        return atomic * total


class LatticeInversion(Inversion):
    """The same sum where every loss is the largest less a whole number of steps: one period of frequencies is exact."""

    def __init__(self, whole: Composition, c: float, step: float, nodes: int) -> None:
        self.step = step
        nodes += 1 - nodes % 2  # odd: frequencies are 0 and conjugate pairs
        self.count = nodes
        super().__init__(whole, c, nodes * step, (nodes - 1) // 2, order=0)

    def _kernel(self, s: Complex) -> Complex:
        return np.ones_like(s)

    def at(self, epsilon: float) -> Bounds:
        """Return certified bounds: the kernel is that of the lattice, for epsilon = a lattice point + theta."""
        steps = self.whole.room(epsilon) / self.step
        below = max(1, math.ceil(steps))  # epsilon = top - below * step + theta, theta in [0, step)
        theta = max(0.0, (below - steps) * self.step)
        z = np.asarray(self.c + 1j * self.frequency, dtype=np.complex128)
        shrink = np.exp(-self.step * (z if self.c > 0.0 else -z))  # q = e^(-gs), or 1/q where q is large
        near = -np.expm1(-self.step * (z if self.c > 0.0 else -z))  # 1 - shrink
        beyond = -np.expm1(-self.step * (z + 1.0))  # 1 - e^(-g(s+1))
        short = -math.expm1(theta - self.step)  # 1 - e^(theta - g) and e^(theta - g) - e^-g
        fall = math.exp(-self.step)
        rest = fall * math.expm1(theta) if self.step < 1.0 else math.exp(theta - self.step) - fall
        # sum over i >= 1 of (1 - e^(theta - g i)) e^(-g (i-1) s), and the same of what is missing from 1 for c < 0
        kernel = (short + shrink * rest if self.c > 0.0 else shrink * short + rest) / (near * beyond)
        weight, size = self.weight * kernel * self.step, self.size * np.abs(kernel) * self.step
        # from the lattice point above epsilon, so that a steep tilt does not underflow
        distance = (below - 1) * self.step
        phase = self.frequency * distance
        value = float(np.sum(weight.real * np.cos(phase) - weight.imag * np.sin(phase)))
        rounding = self._rounding(size, 60.0, self.whole.top + distance)
        turn = self.c * distance
        scale = self.base + turn
        alias = math.exp(min(self.whole.aliases(epsilon, self.c, self.period) - scale, 600.0))
        slack = rounding + abs(value) * _drift(self.whole, self.base, turn)
        return Bounds(scale=scale, lower=max(0.0, value - alias - slack), upper=max(0.0, value) + slack)


class AtomSum:
    """Delta as a sum over all combinations of losses, where they are few: geometric releases of a few levels."""

    def __init__(self, whole: Composition, c: float) -> None:
        self.whole, self.c = whole, c
        self.base = whole.log_moment(c)
        self.losses, self.chances = _combined(whole, c, None)

    def at(self, epsilon: float) -> Bounds:
        """Return certified bounds on delta(epsilon), or on 1 - delta where the tilt is negative."""
        distance = self.whole.room(epsilon)
        value = float(np.dot(self.chances, _tilted_gain(distance + self.losses, self.c)))
        turn = self.c * distance
        # each loss is off by some units in the last place of the largest, its part by as much or that times itself
        off = 8.0 * ROUNDING * self.whole.top
        near = float(np.sum(self.chances[distance + self.losses > -off])) if self.c > 0.0 else value
        slack = value * (ATOMIC + _drift(self.whole, self.base, turn)) + off * near + LEFT_OUT
        if any(kind.shift > 1 and kind.shift * kind.times >= DIRECT for kind in self.whole.kinds):
            slack += TRANSFORM * len(self.whole.kinds)
        return Bounds(scale=self.base + turn, lower=max(0.0, value - slack), upper=value + slack)


def _sum(parts: list[Complex]) -> Complex:
    return reduce(np.add, parts)


def _combined(whole: Composition, c: float, special: Kind | None) -> tuple[Floats, Floats]:
    """Return losses (less the largest) and tilted chances of all atomic losses together, but one of SPECIAL."""
    losses, chances = np.zeros(1), np.ones(1)
    for kind in whole.kinds:
        missing, chance = _tilted_atoms(kind, kind.times - (1 if kind is special else 0), c)
        losses = np.add.outer(losses, missing).ravel()
        chances = np.multiply.outer(chances, chance).ravel()
        keep = chances > DROPPED / len(chances)
        losses, chances = losses[keep], chances[keep]
    return losses, chances


def _tilted_atoms(kind: Kind, times: int, c: float) -> tuple[Floats, Floats]:
    """Return losses (less the largest) and tilted chances of TIMES atomic losses of a kind; of Laplace, the ends'."""
    if times == 0:
        return np.zeros(1), np.ones(1)
    if kind.shift > 1:
        return _tilted_steps(kind, times, c)
    y = min(2.0 * (c + 0.5) * kind.level, 700.0)
    minus = times / (1.0 + math.exp(y))
    plus = times / (1.0 + math.exp(-y))
    spread = 11.0 * math.sqrt(plus * minus / times) + 40.0
    first, last = max(0, math.floor(minus - spread)), min(times, math.ceil(minus + spread))
    k = np.arange(first, last + 1, dtype=np.float64)
    return -2.0 * kind.level * k, np.exp(binomial_log(k, times, (minus, 0.0), (plus, 0.0)))


def _tilted_steps(kind: Kind, times: int, c: float) -> tuple[Floats, Floats]:
    """Return losses (less the largest) and tilted chances of TIMES geometric releases, D > 1, by one transform."""
    rate = kind.level / kind.shift
    k = np.arange(kind.shift + 1, dtype=np.float64)
    single = np.exp(-rate * k * (2.0 * c + 1.0))  # P(k) e^(c l_k), less the largest, but for 1 - a
    single[1:-1] *= -math.expm1(-rate)
    single /= np.sum(single)
    size = kind.shift * times + 1
    if size <= DIRECT:  # positive terms: every chance keeps its digits
        chance, power, left = np.ones(1), single, times
        while left:
            chance = np.convolve(chance, power) if left & 1 else chance
            left >>= 1
            power = np.convolve(power, power) if left else power
    else:
        length = 1 << (size - 1).bit_length()
        chance = np.maximum(np.fft.irfft(np.fft.rfft(single, length) ** times, length)[:size], 0.0)
    return -2.0 * rate * np.arange(size, dtype=np.float64), chance


def _tilted_gain(above: Floats, c: float) -> Floats:
    """Return e^(-c x) (1 - e^-x)+ for x = loss - epsilon, or e^(-c x) min(1, e^-x) where c < 0."""
    if c > 0.0:
        x = np.maximum(above, 0.0)
        return np.asarray(np.exp(-c * x) * -np.expm1(-x))
    return np.asarray(np.exp(-c * above - np.maximum(above, 0.0)))


def _tilted_piece(above: Floats, level: float, c: float) -> Floats:
    """Return e^(-c (x + eps0)) times the part of one non-atomic Laplace loss, x = other losses - epsilon.

    With e = -x: int over (max(e, -eps0), eps0) of e^((l-eps0)/2)/4 (1 - e^(e-l)) dl = (1 - e^((e-eps0)/2))^2/2 inside,
    and (1 - e^-eps0) (1 - e^e)/2 for e <= -eps0; for c < 0 what is missing from the whole (1 - e^-eps0)/2.
    """
    whole = -math.expm1(-min(level, 700.0)) / 2
    room = np.maximum(above + level, 0.0)  # eps0 - e
    inside = 0.5 * np.square(np.expm1(-room / 2))
    gain = np.where(above >= level, whole * -np.expm1(-np.maximum(above, 0.0)), inside)
    if c < 0.0:
        # what is missing: whole e^-x beyond, whole - inside within; each exponent is <= 0, so that nothing overflows
        beyond = whole * np.exp(np.minimum((-c - 1.0) * above - c * level, 0.0))
        far = np.exp((-c - 0.5) * room) - 0.5 * (np.exp((-c - 1.0) * room) + np.exp(np.minimum(-c * room - level, 0.0)))
        near = (whole - inside) * np.exp(-c * np.minimum(above + level, 1.0))
        return np.asarray(np.where(above >= level, beyond, np.where(room > 1.0, far, near)))
    return np.asarray(gain * np.exp(-c * room))


# ------------------------------------------------------------------------------------------------ solving


def delta_bounds(whole: Composition, epsilon: float) -> tuple[float, float]:
    """Return certified bounds [lower, upper] on delta(EPSILON), epsilon >= 0."""
    room = whole.room(epsilon)
    if room <= 0.0:
        return 0.0, 0.0
    gain = -math.expm1(-room)
    # delta is between P(top) and P(every loss misses its top by < room), times gain
    if room <= NARROW * whole.top or whole.top <= TINY:
        return math.exp(whole.log_top()) * gain * (1.0 - ATOMIC), math.exp(whole.log_near(room)) * gain * (1.0 + ATOMIC)
    c = whole.tilt(epsilon, lower=False)
    complement = whole.estimate(epsilon, c) > math.log(0.5)
    if complement:
        c = whole.tilt(epsilon, lower=True)
    bounds = inversion(whole, epsilon, c).at(epsilon)
    scale = math.exp(min(bounds.scale, 700.0))
    lower, upper = min(1.0, scale * bounds.lower), min(1.0, scale * bounds.upper)
    return (1.0 - upper, 1.0 - lower) if complement else (lower, upper)


def epsilon_bounds(whole: Composition, delta: float) -> tuple[float, float]:
    """Return certified bounds on the smallest epsilon >= 0 with delta(epsilon) <= DELTA, DELTA in (0, 1)."""
    top = whole.top * (1.0 + 4.0 * ROUNDING)
    if whole.top <= TINY:
        return 0.0, top
    nearest, farthest = _from_top(whole, delta)
    if farthest - nearest <= CLOSE * whole.top:
        return max(0.0, whole.top * (1.0 - 4.0 * ROUNDING) - farthest), max(0.0, top - nearest)
    # delta(0) is a total variation distance, at most sqrt(1 - B^2) with the Bhattacharyya coefficient B = M(-1/2)
    if -math.expm1(2.0 * min(0.0, whole.log_full(-0.5))) <= delta * delta * (1.0 - 1e-9):
        return 0.0, 0.0
    guess, c = _stationary(whole, delta)
    lower, upper = _around(whole, delta, guess, c, top)
    if upper - lower > WIDE * upper:  # the guess was off: try again from what was found
        guess = (lower + upper) / 2 if lower > 0.0 else upper if upper < top else guess
        again = _around(whole, delta, guess, whole.tilt(guess, lower=delta > 0.5), top)
        lower, upper = max(lower, again[0]), min(upper, again[1])
    return lower, upper


def _from_top(whole: Composition, delta: float) -> tuple[float, float]:
    """Return [nearest, farthest] bounds on the distance r of epsilon from the largest loss; inf where there is none.

    P(top) (1 - e^-r) <= delta <= P(every loss misses its top by less than r) (1 - e^-r).
    """
    share = math.log(delta) - whole.log_top() + ATOMIC
    if share >= 0.0:
        return 0.0, math.inf
    farthest = -math.log1p(-math.exp(share))
    return -math.log1p(-math.exp(math.log(delta) - whole.log_near(farthest) - ATOMIC)), farthest


def _around(whole: Composition, delta: float, guess: float, c: float, top: float) -> tuple[float, float]:
    """Return certified bounds on epsilon at DELTA by the inversion fit for a GUESS and tilt c; TOP bounds it above."""
    sign = 1.0 if c > 0.0 else -1.0
    target = math.log(delta) if c > 0.0 else math.log1p(-delta)
    found = inversion(whole, guess, c)

    def gap(epsilon: float) -> tuple[float, float]:
        """Return how far log delta lies above its target, from below and from above (of 1 - delta: how far below)."""
        may_stop()
        at = found.at(epsilon)
        ends = [
            sign * (at.scale + math.log(x) - target) if x > 0.0 else -sign * math.inf
            for x in (at.lower, max(at.upper, SMALLEST))
        ]
        return min(ends), max(ends)

    return _enclosed(gap, guess, whole.top, top, abs(c))


def _stationary(whole: Composition, delta: float) -> tuple[float, float]:
    """Return epsilon >= 0 and tilt c where the saddle point puts delta (or 1 - delta): a guess within some per cent."""
    complement = delta > 0.5
    target = min(math.log1p(-delta) if complement else math.log(delta), PEAK)

    def at(x: float) -> tuple[float, float, float]:
        c = max(-0.5 / (1.0 + math.exp(x)), LOWEST_TILT) if complement else math.exp(x)
        step = 0.01 * abs(c)
        slope = (whole.log_full(c + step) - whole.log_full(c - step)) / (2.0 * step)
        if not complement:
            slope = whole.top + (whole.log_moment(c + step) - whole.log_moment(c - step)) / (2.0 * step)
        epsilon = min(max(slope - 1.0 / c - 1.0 / (c + 1.0), 0.0), whole.top)
        return whole.estimate(epsilon, c), epsilon, c

    low, high = (-40.0, 40.0) if complement else (-30.0, math.log(1e4 * whole.releases / (ROUNDING * whole.top)))
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if (at(middle)[0] > target) == complement else (middle, high)
        if high - low < 1e-3:
            break
    _, epsilon, c = at((low + high) / 2)
    return (epsilon, c) if epsilon > 0.0 else (0.0, whole.tilt(0.0, lower=complement))


def _enclosed(
    gap: Callable[[float], tuple[float, float]], guess: float, top: float, limit: float, slope: float
) -> tuple[float, float]:
    """Return [lower, upper] around the zero of GAP, a falling function known between two ends; LIMIT is above it."""
    low, high, x, width = 0.0, top, guess, 0.0
    before: tuple[float, float] | None = None
    for _ in range(80):
        least, most = gap(x)
        if x == 0.0 and most <= 0.0:
            return 0.0, 0.0
        known = math.isfinite(least) and math.isfinite(most)
        # far from the guess the copies take over: then only the upper end counts
        middle = (least + most) / 2 if known else most
        low, high = (x, high) if middle > 0.0 else (low, x)
        if before is not None and known and (middle - before[1]) * (x - before[0]) < 0.0:
            slope = (before[1] - middle) / (x - before[0])
        before = (x, middle) if known else None
        width = max((most - least) / slope if known else 0.0, 8.0 * ROUNDING * top)
        after = x + middle / slope if math.isfinite(middle) else math.nan
        if known and abs(after - x) <= width / 8:
            break
        if after <= 0.0 and low == 0.0 and x > 0.0:
            after = 0.0
            low = -1.0  # try it once
        elif not low < after < high:
            after = (x + high) / 2 if middle > 0.0 else (x + max(low, 0.0)) / 2
        x = after
    lower, upper, room = 0.0, limit, width
    while x + room < top:
        if gap(x + room)[1] <= 0.0:
            upper = x + room
            break
        room *= 2.0
    while x - width > 0.0:
        if gap(x - width)[0] >= 0.0:
            lower = x - width
            break
        width *= 2.0
    return lower, upper
