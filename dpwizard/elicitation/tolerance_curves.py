"""Curves of tolerance: the highest accepted chance of a right guess, for every chance before the release.

A curve gives, for a prior probability m = pq of the disclosure, the largest posterior probability A(m) that an officer
accepts; A(m)/m is the risk profile r*. Each family of curves lies in a unit cube of few dimensions, and points that
fill cubes evenly (Halton's sequence) stand for all its curves: no randomness. What a curve allows is the smallest
epsilon over the adversaries considered; along the product pq the worst of them lie on two sides of the box (Kazan &
Reiter 2024, Lemmas 2 to 4), so one walk along those sides finds it.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Family = Literal["constant", "increase", "odds", "cap_or_ratio", "power", "free"]

# How probable each family is before any answer, its dimensions and how many points stand for it.
SHARE: Mapping[Family, tuple[float, int, int]] = {
    "constant": (0.10, 1, 192),
    "increase": (0.11, 1, 192),
    "odds": (0.08, 1, 192),
    "cap_or_ratio": (0.27, 2, 500),
    "power": (0.14, 2, 500),
    "free": (0.30, 4, 1000),
}
FAMILIES: tuple[Family, ...] = tuple(SHARE)
PRIMES = (2, 3, 5, 7)
FURTHER_PRIME = 11
LEAST_LOG_RATIO = 0.03  # a ratio of 1.03: nobody who releases anything asks for less
MOST_LOG_RATIO = 9.0
WALK = 24  # adversaries looked at between the smallest and the largest prior
STEEPEST = 1.2  # how far, in logarithms, a free curve's gain may change between two of its knots
OPEN = 1e-3  # where priors are open at 0: the smallest prior asked about, as a part of the largest
RAREST = 1e-6  # nobody can weigh a chance much rarer than this, as a part of the largest; it is not asked about
LARGEST_PRIOR = 0.95  # above this there is nothing left to learn worth asking about
SURE = 1e-9
MOST_EPSILON = 20.0  # stands for "no limit" among the curves


@dataclass(frozen=True, slots=True)
class Span:
    """The adversaries considered: ranges of p and q (a low end of 0 is open) and the replace factor."""

    p: tuple[float, float]
    q: tuple[float, float]
    factor: float = 2.0

    @property
    def high(self) -> float:
        """Return the largest prior probability of the disclosure that is asked about."""
        return min(self.p[1] * self.q[1], LARGEST_PRIOR)

    @property
    def low(self) -> float:
        """Return the smallest prior probability of the disclosure that is asked about."""
        least = self.p[0] * self.q[0]
        if least == 0.0:
            return min(self.high * OPEN, 1e-3)
        return min(max(least, RAREST * self.high), self.high)

    @property
    def single(self) -> bool:
        """Return whether only one prior is considered, so that no two can be compared."""
        return self.low > 0.97 * self.high

    def adversary(self, prior: float) -> tuple[float, float]:
        """Return the worst adversary (p, q) among those whose prior probability of the disclosure is PRIOR."""
        (p0, p1), (q0, q1) = self.p, self.q
        if self.factor >= 1.0:  # at a fixed product the largest p is the worst
            p = p1 if prior >= p1 * q0 else max(prior / max(q0, 1e-300), p0)
            return p, min(max(prior / p, 0.0), 1.0)
        q = q1 if prior >= q1 * p0 else max(prior / max(p0, 1e-300), q0)
        return min(prior / q, 1.0), q

    def walk(self) -> Array:
        """Return priors from the smallest to the largest; where open at 0, one far below stands for the limit."""
        if self.single:
            return np.array([self.high])
        inside = np.geomspace(self.low, self.high, WALK)
        least = self.p[0] * self.q[0]
        return inside if least >= self.low else np.concatenate(([max(least, 1e-4 * self.low)], inside))

    def others(self, priors: Array) -> Array:
        """Return w = p(1-q)/(1-pq) of the worst adversary at each of PRIORS."""
        pairs = [self.adversary(float(prior)) for prior in priors]
        return np.array([p * (1.0 - q) / max((1.0 - p) + p * (1.0 - q), SURE) for p, q in pairs])


def halton(count: int, dimensions: int) -> Array:
    """Return COUNT points that fill the unit cube evenly (Halton 1960): the same ones always."""
    return np.array([[_mirrored(i, base) for base in PRIMES[:dimensions]] for i in range(1, count + 1)])


def _mirrored(number: int, base: int) -> float:
    """Return NUMBER with its digits in BASE mirrored at the point."""
    result, step = 0.0, 1.0 / base
    while number:
        number, digit = divmod(number, base)
        result += digit * step
        step /= base
    return result


@functools.cache
def cube(family: Family) -> Array:
    """Return the points of the unit cube that stand for FAMILY before any answer."""
    points = halton(SHARE[family][2], SHARE[family][1])
    points.flags.writeable = False
    return points


@functools.cache
def thirds(count: int) -> Array:
    """Return 0, 1 or 2 for each of COUNT points, in equal parts, independent of Halton's sequence of places."""
    parts = np.floor(3.0 * np.array([_mirrored(i, FURTHER_PRIME) for i in range(1, count + 1)]))
    parts.flags.writeable = False
    return parts


def log_ratios(part: Array, span: Span) -> Array:
    """Return log r for PART in [0, 1]: even in log log r, up to the ratio that makes the smallest prior certain."""
    top = min(max(math.log(1.0 / span.low), 4.0 * LEAST_LOG_RATIO), MOST_LOG_RATIO)
    return np.asarray(LEAST_LOG_RATIO * (top / LEAST_LOG_RATIO) ** part)


def increases(part: Array, span: Span) -> Array:
    """Return the increase b for PART in [0, 1], evenly spread in its logarithm."""
    least, most = max(0.03 * span.low, 1e-7), 0.98 * (1.0 - span.low)
    return np.asarray(least * (most / least) ** part)


def ridges(part: Array, span: Span) -> Array:
    """Return the prior at which a cap-or-ratio curve turns, evenly spread in its logarithm over the range."""
    return np.asarray(span.low * (span.high / span.low) ** part)


def posteriors(family: Family, points: Array, priors: Array, span: Span) -> Array:
    """Return log A for POINTS (rows) at PRIORS (columns); outside the range the ratio stays as at its end."""
    clipped = np.clip(priors, span.low, span.high)[None, :]
    log_clipped = np.log(clipped)
    if family == "constant":
        log_after = log_clipped + log_ratios(points[:, :1], span)
    elif family == "increase":
        log_after = np.log(clipped + increases(points[:, :1], span))
    elif family == "odds":
        log_after = _after(clipped, log_ratios(points[:, :1], span))
    elif family == "cap_or_ratio":
        turn = np.log(ridges(points[:, 1:2], span))
        log_after = np.maximum(log_clipped, turn) + log_ratios(points[:, :1], span)
    elif family == "power":
        at_low, at_high = log_ratios(points[:, :1], span), log_ratios(points[:, 1:2], span)
        log_after = log_clipped + at_low + (at_high - at_low) * _along(log_clipped, span)
    else:
        log_after = _after(clipped, np.exp(_free(points, _along(log_clipped, span)[0], span)))
    return np.minimum(log_after, 0.0) + np.log(np.asarray(priors))[None, :] - log_clipped


def _along(log_prior: Array, span: Span) -> Array:
    """Return where a prior lies between the smallest (0) and the largest (1), in logarithms."""
    width = math.log(span.high / span.low) if not span.single else 1.0
    return np.asarray((log_prior - math.log(span.low)) / width)


def _after(prior: Array, gain: Array) -> Array:
    """Return the logarithm of the chance after the log odds of PRIOR rose by GAIN."""
    fall = np.exp(-np.minimum(gain, 60.0))
    return np.asarray(np.log(prior) - np.log(prior + (1.0 - prior) * fall))


def _free(points: Array, along: Array, span: Span) -> Array:
    """Return log of the gain in log odds of the free curves: straight between four knots."""
    top = math.log(min(max(math.log(1.0 / span.low), 1.0) + 1.0, MOST_LOG_RATIO))
    first = math.log(LEAST_LOG_RATIO) + (top - math.log(LEAST_LOG_RATIO)) * points[:, 0]
    knots = np.cumsum(np.column_stack((first, STEEPEST * (2.0 * points[:, 1:] - 1.0))), axis=1)
    place = np.clip(along, 0.0, 1.0) * (knots.shape[1] - 1)
    left = np.minimum(place.astype(int), knots.shape[1] - 2)
    return np.asarray(knots[:, left] + (knots[:, left + 1] - knots[:, left]) * (place - left)[None, :])


@functools.lru_cache(maxsize=64)
def _walk(span: Span) -> tuple[Array, Array]:
    """Return the priors along the worst adversaries of SPAN, and their w."""
    walk = span.walk()
    others = span.others(walk)
    walk.flags.writeable = others.flags.writeable = False
    return walk, others


def epsilons(family: Family, points: Array, span: Span) -> tuple[Array, Array]:
    """Return the epsilon that each curve allows over the adversaries of SPAN, and whether its posterior never falls.

    For choosing questions and weighing curves: within a percent; the profile of a result is solved exactly.
    """
    walk, others = _walk(span)
    after = posteriors(family, points, walk, span)
    smallest = _smallest(after, walk, others[None, :], span)
    if family == "cap_or_ratio":  # the turn itself binds: look at it exactly
        turns = ridges(points[:, 1], span)
        at_turn = np.minimum(np.log(turns) + log_ratios(points[:, 0], span), 0.0)[:, None]
        smallest = np.minimum(smallest, _smallest(at_turn, turns[:, None], span.others(turns)[:, None], span))
    rising = np.all(np.diff(after, axis=1) >= -1e-9, axis=1)
    return smallest, rising


def _smallest(log_after: Array, priors: Array, others: Array, span: Span) -> Array:
    return _bottom(np.log(allowed(log_after, priors, others, span)))


def allowed(log_after: Array, priors: Array, others: Array, span: Span) -> Array:
    """Return each chance's epsilon: w x^c + (1-w) x = 1/theta, x = e^-epsilon (Kazan & Reiter 2024, Theorem 2)."""
    after = np.exp(log_after)
    left = np.maximum(1.0 - after, SURE)
    inverse = np.minimum(left * priors / (np.maximum(after, 1e-300) * (1.0 - priors)), 1.0)  # 1/theta
    if span.factor == 2.0:
        root = (1.0 - others) + np.sqrt((1.0 - others) ** 2 + 4.0 * others * inverse)
        epsilon = -np.log(2.0 * inverse / root)
    elif span.factor == 1.0:
        epsilon = -np.log(inverse)
    else:
        epsilon = -np.log(inverse) / max(1.0, span.factor)  # Newton's method from below, in epsilon
        for _ in range(12):
            epsilon = np.minimum(epsilon, 4.0 * MOST_EPSILON)
            far, near = others * np.exp(-span.factor * epsilon), (1.0 - others) * np.exp(-epsilon)
            epsilon = epsilon + (np.log(far + near) - np.log(inverse)) * (far + near) / (span.factor * far + near)
    return np.where((after >= 1.0 - 1e-6) | np.isnan(epsilon), MOST_EPSILON, np.clip(epsilon, 1e-6, MOST_EPSILON))


def _bottom(values: Array) -> Array:
    """Return e to the smallest of each row of logarithms: the bottom of the parabola through it and its neighbours."""
    rows, place = np.arange(len(values)), np.argmin(values, axis=1)
    least = values[rows, place]
    if values.shape[1] < 3:
        return np.asarray(np.exp(least))
    inner = np.clip(place, 1, values.shape[1] - 2)
    left, middle, right = values[rows, inner - 1], values[rows, inner], values[rows, inner + 1]
    bend = left - 2.0 * middle + right
    dip = np.where(bend > 0.0, (left - right) ** 2 / (8.0 * np.where(bend > 0.0, bend, 1.0)), 0.0)
    smooth = (inner == place) & (bend < 0.3)  # where it is sharper the curve has a corner there, or a cap
    return np.asarray(np.exp(least - np.where(smooth, dip, 0.0)))
