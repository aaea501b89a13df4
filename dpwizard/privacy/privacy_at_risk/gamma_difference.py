"""The law on which the published confidence rests: T = |X - Y| for two independent Gamma(k, 1) variables.

Equally, T is the absolute sum of k independent Laplace(1) variables. Its density is a Bessel-K function of
half-integer order, hence a mixture of Gamma(m, 1) densities, m = 1..k, with positive weights: no digits
cancel. For many terms the mixture is replaced by its characteristic function (1 + s^2)^-k, integrated by the
trapezoidal rule along a line through the saddle point, which converges exponentially.
"""

from __future__ import annotations

import math
from functools import lru_cache

MOST_TERMS = 64  # up to this k the mixture is summed; beyond, the characteristic function is integrated
NOTHING_LEFT = 700.0  # tails below e^-700 are returned as 0
DIGITS = 44.0  # e^-44 is below the last place of 1


def mean_density(k: int, x: float) -> float:
    """Return P(T <= x)/x for x in [0, inf), k >= 1, to 1e-14 relative; at 0 the density there. Never overflows."""
    if k == 1:
        return -math.expm1(-x) / x if x > 0.0 else 1.0
    spread = math.sqrt(2.0 * k)
    if k <= MOST_TERMS:
        return _mixture_below(k, x) if x < math.sqrt(k) else (1.0 - _mixture_above(k, x)) / x
    return _integrated_below(k, x) if x < spread else (1.0 - _integrated_above(k, x)) / x


def below(k: int, x: float) -> float:
    """Return P(T <= x) for x in [0, inf], k >= 1, to 1e-14 relative."""
    return 1.0 if math.isinf(x) else x * mean_density(k, x)


def above(k: int, x: float) -> float:
    """Return P(T > x) for x in [0, inf], k >= 1, to 1e-13 relative; 0 where it is below e^-700."""
    if math.isinf(x):
        return 0.0
    if k == 1:
        return math.exp(-x)
    if k <= MOST_TERMS:
        return 1.0 - x * _mixture_below(k, x) if x < 1.0 else _mixture_above(k, x)
    return 1.0 - x * _integrated_below(k, x) if x < math.sqrt(2.0 * k) else _integrated_above(k, x)


def log_density(k: int, x: float) -> float:
    """Return the logarithm of the density of T at x in [0, inf), k >= 1, to about 1e-13 (absolute or relative)."""
    if k == 1:
        return -x
    return _mixture_log_density(k, x) if k <= MOST_TERMS else _integrated_log_density(k, x)


# ----------------------------------------------------------------------------------- the mixture
#
# K_(k-1/2)(t) = sqrt(pi/(2t)) e^-t sum_j (k-1+j)!/(j! (k-1-j)!) (2t)^-j, so that T is Gamma(k - J, 1) with
# P(J = j) = 2^(1-k-j) C(k-1+j, j), j = 0..k-1.


@lru_cache(maxsize=MOST_TERMS)
def _weights(k: int) -> tuple[float, ...]:
    """Return P(M = m) for m = 1..k, M = k - J the shape of the Gamma variable drawn."""
    return tuple(math.ldexp(math.comb(2 * k - 1 - m, k - m), 1 + m - 2 * k) for m in range(1, k + 1))


@lru_cache(maxsize=MOST_TERMS)
def _shape_at_most(k: int) -> tuple[float, ...]:
    """Return P(M <= n) for n = 0..k."""
    weights = _weights(k)
    return tuple(math.fsum(weights[:n]) for n in range(k + 1))


@lru_cache(maxsize=MOST_TERMS)
def _shape_above(k: int) -> tuple[float, ...]:
    """Return P(M > n) for n = 0..k-1."""
    weights = _weights(k)
    return tuple(math.fsum(weights[n:]) for n in range(k))


def _mixture_below(k: int, x: float) -> float:
    """Return P(T <= x)/x = e^-x sum over n >= 1 of x^(n-1)/n! P(M <= n): a Poisson count has reached the shape."""
    shares, total, term, n = _shape_at_most(k), 0.0, math.exp(-x), 1
    while True:
        part = term * (shares[n] if n < k else 1.0)
        total += part
        n += 1
        term *= x / n
        if n > x and term <= 1e-19 * total:
            return total


def _mixture_above(k: int, x: float) -> float:
    """Return P(T > x) = e^-x sum over n < k of x^n/n! P(M > n): the Poisson count is still below the shape."""
    if x > 700.0:
        return 0.0
    total, term = 0.0, math.exp(-x)
    for n, share in enumerate(_shape_above(k)):
        total += term * share
        term *= x / (n + 1)
    return min(total, 1.0)


def _mixture_log_density(k: int, x: float) -> float:
    weights = _weights(k)
    if x == 0.0:
        return math.log(weights[0])
    logs = [math.log(weight) + (m - 1) * math.log(x) - math.lgamma(m) for m, weight in enumerate(weights, 1)]
    top = max(logs)
    return top - x + math.log(math.fsum(math.exp(value - top) for value in logs))


# ------------------------------------------------------------------- the characteristic function
#
# With S the signed sum and M(s) = E[e^(s S)] = (1 - s^2)^-k, the line Re s = theta runs through the saddle
# point M'/M = x: theta = x/(k + sqrt(k^2 + x^2)). A step of 2 pi/L only adds what lies L away.


def _integrated_below(k: int, x: float) -> float:
    """Return P(T <= x)/x = (2/pi) int sin(s x)/(s x) (1 + s^2)^-k ds, for x up to one standard deviation."""
    spread = math.sqrt(2.0 * k)
    step = 2.0 * math.pi / (x + 14.0 * spread)
    total, s = 0.5, 0.0
    last = math.sqrt(math.expm1(DIGITS / k))
    while s < last:
        s += step
        angle = s * x
        total += (math.sin(angle) / angle if angle > 0.0 else 1.0) * math.exp(-k * math.log1p(s * s))
    return 2.0 / math.pi * step * total


def _saddle(k: int, x: float) -> tuple[float, float, float, float]:
    """Return theta, 1 - theta^2, log M(theta) - theta x (never positive) and the tilted standard deviation."""
    root = math.hypot(k, x)
    theta = x / (k + root)
    rest = (k + k * (k / (root + x))) / (k + root) * (1.0 + theta)
    exponent = -k * (math.log1p(-theta * theta) if theta < 0.5 else math.log(rest)) - theta * x
    spread = math.sqrt(2.0 * k * (1.0 + theta * theta)) / rest
    return theta, rest, exponent, spread


def _along(k: int, x: float, theta: float, rest: float, y: float) -> tuple[float, float]:
    """Return log |M(s) e^-sx| relative to its value at the saddle, and its argument, at s = theta + iy."""
    square = y * y
    growth = (2.0 * square * (1.0 + theta * theta) + square * square) / (rest * rest)
    return -0.5 * k * math.log1p(growth), k * math.atan2(2.0 * theta * y, rest + square) - y * x


def _reach(k: int, theta: float, rest: float) -> float:
    """Return the y from which |M(theta + iy)| is e^-44 of |M(theta)|."""
    growth = math.expm1(2.0 * DIGITS / k) * rest * rest
    middle = 1.0 + theta * theta
    return math.sqrt(growth / (middle + math.sqrt(middle * middle + growth)))


def _integrated_above(k: int, x: float) -> float:
    """Return P(T > x) = (2/pi) int Re M(s) e^-sx / s dy along Re s = theta, for x from one standard deviation on."""
    theta, rest, exponent, spread = _saddle(k, x)
    if exponent < -NOTHING_LEFT:
        return 0.0
    # the pole at 0 costs e^(-theta L), relative to a tail of about e^exponent
    length = max(15.0 * spread, (DIGITS - exponent + max(0.0, math.log(theta * spread))) / theta)
    step, last = 2.0 * math.pi / length, _reach(k, theta, rest)
    total, y = 0.5 / theta, 0.0
    while y < last:
        y += step
        size, angle = _along(k, x, theta, rest, y)
        # Re [e^(i angle) / (theta + iy)]
        total += math.exp(size) * (theta * math.cos(angle) + y * math.sin(angle)) / (theta * theta + y * y)
    return min(1.0, max(0.0, 2.0 / math.pi * step * total * math.exp(exponent)))


def _integrated_log_density(k: int, x: float) -> float:
    theta, rest, exponent, spread = _saddle(k, x)
    step, last = 2.0 * math.pi / (15.0 * spread), _reach(k, theta, rest)
    total, y = 0.5, 0.0
    while y < last:
        y += step
        size, angle = _along(k, x, theta, rest, y)
        total += math.exp(size) * math.cos(angle)
    return exponent + math.log(2.0 / math.pi * step * total)
