"""Randomised response repeated n times: the exact optimum of composing n releases of pure epsilon0 each.

Kairouz, Oh & Viswanath (2015) prove that n adaptive eps0-private releases lose no more than n answers of
randomised response, whose total loss is (2K - n) eps0 with K binomial(n, 1/(1 + e^-eps0)). The geometric
mechanism on a count is randomised response in this sense. Every sum here has positive terms only, and the
binomial probabilities are computed from their deviance, so that nothing cancels however large n is.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from dpwizard.numerics import UNIT, up

Floats = npt.NDArray[np.float64]

DIGITS = 40  # of the decimal arithmetic that finds n p and n q beyond double precision
TAIL_SDS = 40.0  # a binomial farther out than this many standard deviations (and TAIL_STEPS) is below 1e-330
TAIL_STEPS = 220
SERIES = 0.1  # |x - m|/(x + m) below which the deviance is summed as a series
SERIES_TERMS = 9
SLACK = 1e-13  # how far the sums of repeated_epsilon may be off, relative
STIRLING_FROM = 16  # below, Stirling's series is not yet exact; the errors are carried down from there


def _stirling_series(n: float) -> float:
    square = n * n
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - (1 / 1188) / square) / square) / square) / square) / n


def _stirling_table() -> tuple[float, ...]:
    """Return stirling_error(n) for n < STIRLING_FROM by S(n) = S(n+1) + (n + 1/2) log(1 + 1/n) - 1."""
    errors = [_stirling_series(STIRLING_FROM)]
    for n in range(STIRLING_FROM - 1, 0, -1):
        errors.append(errors[-1] + (n + 0.5) * math.log1p(1 / n) - 1.0)
    return (0.0, *reversed(errors[1:]))


STIRLING = _stirling_table()


def stirling_error(n: Floats) -> Floats:
    """Return log n! - ((n + 1/2) log n - n + log(2 pi)/2) for whole n >= 1, to 1e-16 absolute."""
    table = np.array(STIRLING)[np.minimum(n, STIRLING_FROM - 1).astype(np.int64)]
    big = np.maximum(n, STIRLING_FROM)
    square = big * big
    # as in the table
    series = (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - (1 / 1188) / square) / square) / square) / square) / big
    return np.asarray(np.where(n < STIRLING_FROM, table, series), dtype=np.float64)


def deviance(x: Floats, mean: float, rest: float = 0.0) -> Floats:
    """Return x log(x/m) + m - x >= 0 for x > 0, m = MEAN + REST, MEAN > 0, REST its rounding; to 1e-15 relative."""
    apart = (x - mean) - rest
    total = x + mean
    ratio = apart / total
    near = np.abs(ratio) < SERIES
    v = np.where(near, ratio, 0.0)
    square, power = v * v, 2.0 * x * v
    series = apart * v
    for odd in range(3, 2 * SERIES_TERMS + 3, 2):
        power = power * square
        series = series + power / odd
    with np.errstate(divide="ignore", invalid="ignore"):
        direct = x * np.log(x / mean) - apart
    return np.asarray(np.where(near, series, direct), dtype=np.float64)


def binomial_log(k: Floats, n: int, plus: tuple[float, float], minus: tuple[float, float]) -> Floats:
    """Return log P(K = k) for binomial K and an array of whole k in [0, n], n >= 1, to about 1e-15 times its size.

    Arguments: plus and minus, the two expected counts n p and n (1-p), each as a number and its rounding error.
    Loader's form: Stirling errors less deviances; a count of 0 is taken from its own closed form.
    """
    other = n - k
    inner = (k > 0) & (other > 0)
    safe_k, safe_other = np.where(inner, k, 1.0), np.where(inner, other, 1.0)
    whole = np.array([float(n)])
    # log of sqrt(n/(2 pi k (n-k))) e^(S(n) - S(k) - S(n-k) - D(k; np) - D(n-k; nq)), S Stirling errors, D deviances
    middle = (
        stirling_error(whole)
        - stirling_error(safe_k)
        - stirling_error(safe_other)
        - deviance(safe_k, *plus)
        - deviance(safe_other, *minus)
        + 0.5 * np.log(n / (2 * math.pi * safe_k * safe_other))
    )
    none = float(n) * _log_share(minus, plus)
    every = float(n) * _log_share(plus, minus)
    return np.asarray(np.where(inner, middle, np.where(k > 0, every, none)), dtype=np.float64)


def _log_share(part: tuple[float, float], other: tuple[float, float]) -> float:
    """Return log(part/(part + other)) without cancellation."""
    if part[0] <= 0.0:
        return -math.inf
    return -math.log1p(other[0] / part[0]) - (other[1] - other[0] / part[0] * part[1]) / (part[0] + other[0])


def expected(n: int, level: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return n p and n (1-p), p = 1/(1 + e^-LEVEL), LEVEL >= 0, each as a double and the rest beyond it."""
    context = Context(prec=DIGITS)
    weight = context.exp(Decimal(repr(-min(level, 700.0))))
    total = context.add(Decimal(1), weight)
    plus = context.divide(Decimal(n), total)
    minus = context.divide(context.multiply(Decimal(n), weight), total)
    return _split(plus, context), _split(minus, context)


def _split(number: Decimal, context: Context) -> tuple[float, float]:
    head = float(number)
    return head, float(context.subtract(number, Decimal(head)))


def window(n: int, level: float, lowest: int = 0) -> tuple[int, int]:
    """Return the counts [first, last] outside which K has less than 1e-330 of probability, and not below LOWEST."""
    p = 1.0 / (1.0 + math.exp(-level))
    spread = TAIL_SDS * math.sqrt(n * p * (1.0 - p)) + TAIL_STEPS
    return max(lowest, math.floor(n * p - spread)), min(n, math.ceil(n * p + spread))


def repeated_delta(level: float, releases: int, epsilon: float) -> float:
    """Return delta(EPSILON) of RELEASES answers at LEVEL eps0 > 0, epsilon >= 0; 1e-12 relative, 0 below 1e-308.

    delta = sum over losses l = (2k - n) eps0 > epsilon of P(K = k) (1 - e^(epsilon - l)): positive terms only.
    """
    top = releases * level
    if epsilon >= top:
        return 0.0
    # the last count that does not exceed epsilon, or the one after
    below = math.floor((releases + epsilon / level) / 2)
    first, last = window(releases, level, max(0, min(below, releases)))
    if first > last:  # even the largest count lies in the negligible tail
        return 0.0
    k = np.arange(first, last + 1, dtype=np.float64)
    room = float(releases * Fraction(level) - Fraction(epsilon))
    # loss - epsilon, from the nearer of the two ends, so that no digits are lost next to the largest loss
    above = room - 2.0 * level * (releases - k) if room < epsilon else (2.0 * k - releases) * level - epsilon
    chance = np.exp(binomial_log(k, releases, *expected(releases, level)))
    total = float(np.sum(chance * -np.expm1(-np.maximum(above, 0.0))))
    return min(1.0, total)


def repeated_epsilon(level: float, releases: int, delta: float, slack: float = SLACK) -> float:
    """Return the smallest epsilon >= 0 with repeated_delta <= DELTA; delta in (0, 1), LEVEL > 0.

    Exact within a piece between two losses: with e = l_j - t, delta = d_j + (1 - e^-t) w_j, where d_j is delta at the
    loss l_j and w_j = sum over k >= j of P(K = k) e^(l_j - l_k). **Never below the true value**: a relative error of
    SLACK in the sums is counted against it; with a negative SLACK it is never above. The two are at most 1e-12 apart.
    """
    n = releases
    middle = (n + 1) // 2  # losses from here on are >= 0
    first, last = window(n, level, 0)
    if last < middle:
        return 0.0
    k = np.arange(first, last + 1, dtype=np.float64)
    logs = binomial_log(k, n, *expected(n, level))
    apart = 2.0 * level * np.arange(len(k), dtype=np.float64)  # l_k - l_j
    ahead, behind = -np.expm1(-apart), np.exp(-apart)
    # small deltas are the unit, so that tiny ones keep their digits
    chance = np.exp(np.minimum(logs - math.log(delta), 600.0)) if delta < 0.5 else np.exp(logs)
    before = np.concatenate(([0.0], np.cumsum(chance)))

    def excess(j: int) -> float:
        """Return delta at loss j less what is allowed, in the units that keep digits; its sign is what counts."""
        tail = chance[j:]
        if delta < 0.5:
            return float(np.dot(tail, ahead[: len(tail)])) * (1.0 + slack) - 1.0
        missed = float(before[j]) + float(np.dot(tail, behind[: len(tail)]))
        return (1.0 - delta) - missed * (1.0 - slack)

    low, high = max(middle - 1 - first, -1), last - first  # excess(high) <= 0; find the smallest such j
    while high - low > 1:
        j = (low + high) // 2
        if excess(j) <= 0.0:
            high = j
        else:
            low = j
    tail = chance[high:]
    reach = float(np.dot(tail, behind[: len(tail)]))  # w_j
    loss = (2.0 * (first + high) - n) * level
    if delta < 0.5:
        part = -excess(high) / reach if reach > 0.0 else 0.0
        step = math.inf if part >= 1.0 else -math.log1p(-part)
    else:
        kept = ((1.0 - delta) - float(before[high]) * (1.0 - slack)) / (reach * (1.0 - slack))
        step = math.inf if kept <= 0.0 else -math.log(kept)
    ends = math.copysign(4.0, slack) * UNIT * abs(loss)
    return max(0.0, min(up(n * level, 1), loss + ends - max(0.0, step)))
