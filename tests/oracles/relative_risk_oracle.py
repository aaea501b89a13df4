"""Relative disclosure risk straight from the definitions of Kazan & Reiter 2024, independent of the program.

Profiles are the plain dictionaries of the file format. mpmath where digits matter, NumPy brute force elsewhere.
"""

from __future__ import annotations

import math

import mpmath as mp
import numpy as np

from tests.samples import profiles

mp.mp.dps = 60


def bound(p, q, epsilon, factor=2):
    """Theorem 1: the largest ratio of posterior to prior probability."""
    x = mp.exp(-mp.mpf(epsilon))
    return 1 / (mp.mpf(q) * p + x ** mp.mpf(factor) * (1 - mp.mpf(q)) * p + x * (1 - mp.mpf(p)))


def epsilon_at(p, q, ratio, factor=2):
    """The epsilon at which Theorem 1's bound reaches the ratio, by bisection on the bound itself; inf if it never
    does."""
    p, q, ratio, factor = (mp.mpf(x) for x in (p, q, ratio, factor))
    if ratio >= 1 / (p * q):
        return mp.inf
    low, high = mp.mpf(0), mp.mpf(1)
    while bound(p, q, high, factor) < ratio:
        high *= 2
    for _ in range(220):
        middle = (low + high) / 2
        low, high = (middle, high) if bound(p, q, middle, factor) < ratio else (low, middle)
    return (low + high) / 2


def ratio_of(profile, p, q):
    """r*(p, q) of a profile, as it is written in a decision file, on arrays."""
    p, q = np.broadcast_arrays(np.asarray(p, float), np.asarray(q, float))
    pairs = zip(p.ravel().tolist(), q.ravel().tolist(), strict=True)
    return np.array([float(profiles.ratio(profile, a, b)) for a, b in pairs]).reshape(p.shape)


def ratio_exact(profile, p, q):
    """r*(p, q) of a profile at one pair of beliefs, to all digits."""
    return mp.mpf(profiles.ratio(profile, mp.mpf(p), mp.mpf(q)))


def epsilons(p, q, ratio, factor=2.0):
    """epsilon_i(p, q) on arrays, by 80 bisections of G(x) = pq + p(1-q) x^c + (1-p) x = 1/r*; inf where x would be
    0."""
    p, q, ratio = np.broadcast_arrays(np.asarray(p, float), np.asarray(q, float), np.asarray(ratio, float))
    with np.errstate(all="ignore"):
        goal = 1.0 / ratio - p * q
        low, high = np.zeros(p.shape), np.ones(p.shape)
        for _ in range(80):
            middle = 0.5 * (low + high)
            under = p * (1 - q) * middle**factor + (1 - p) * middle < goal
            low, high = np.where(under, middle, low), np.where(under, high, middle)
        return np.where(goal <= 0, np.inf, -np.log(0.5 * (low + high)))


def grid_minimum(profile, p, q, factor=2.0, points=41, zooms=6):
    """The smallest epsilon on a grid over the box, zoomed: an upper bound on the infimum (a grid errs on that side)."""
    (p0, p1), (q0, q1) = p, q
    box = [math.log(max(p0, 1e-7)), math.log(p1), math.log(max(q0, 1e-7)), math.log(q1)]
    whole, best = list(box), (math.inf, p1, q1)
    for _ in range(zooms):
        a = np.exp(np.linspace(box[0], box[1], points if box[0] < box[1] else 1))
        b = np.exp(np.linspace(box[2], box[3], points if box[2] < box[3] else 1))
        a, b = np.clip(a, max(p0, 1e-7), p1), np.clip(b, max(q0, 1e-7), q1)
        a, b = (side.ravel() for side in np.meshgrid(a, b))
        found = epsilons(a, b, ratio_of(profile, a, b), factor)
        i = int(np.argmin(found))
        if found[i] < best[0]:
            best = (float(found[i]), float(a[i]), float(b[i]))
        wide, tall = 3 * (box[1] - box[0]) / points, 3 * (box[3] - box[2]) / points
        u, v = math.log(best[1]), math.log(best[2])
        box = [max(whole[0], u - wide), min(whole[1], u + wide), max(whole[2], v - tall), min(whole[3], v + tall)]
    return best


# Table 4 of the paper, as printed, where its conditions hold


def table4_inclusion(q, cap, ratio):
    """(24): p varies over (0, 1], q fixed, max{a/(pq), r}."""
    q, a, r = mp.mpf(q), mp.mpf(cap), mp.mpf(ratio)
    if q <= a / r:
        return mp.log(a * (1 - q) / (q * (1 - a))) / 2
    if q <= 1 / (r + 1):
        return mp.log((1 - q) / (1 / r - q)) / 2
    if q < 1:
        t = r * q - a
        return mp.log(2 * a * (1 - q) / (mp.sqrt(t**2 + 4 * a * q * (1 - q) * (1 - a)) - t))
    return mp.log((r - a) / (1 - a))


def table4_box(p0, p1, q0, ratio):
    """(26) with the case it lacks: constant ratio on a box."""
    p0, p1, q0, r = (mp.mpf(x) for x in (p0, p1, q0, ratio))
    if p0 * q0 >= 1 / r:
        return mp.inf
    if q0 == 1:
        return mp.log((1 - p0) / (1 / r - p0))
    if q0 <= 1 / (r + 1):
        p = p1
    elif p0 == 0:
        return mp.log(r)
    else:
        p = p0
    return mp.log(2 * p * (1 - q0) / (mp.sqrt((1 - p) ** 2 + 4 * p * (1 - q0) * (1 / r - p * q0)) - (1 - p)))


# what an adversary learns from an actual mechanism, by Bayes' rule over its outputs


def learned_from_histogram(p, q, epsilon, reach=60):
    """The largest ratio from two counts with geometric noise each: the sensitive value adds to one, any other to the
    other."""
    return _learned(p, q, epsilon, {"sensitive": (1, 0), "other": (0, 1), "absent": (0, 0)}, reach)


def learned_from_count(p, q, epsilon, reach=60):
    """The largest ratio from the count of those with the sensitive value, with geometric noise."""
    return _learned(p, q, epsilon, {"sensitive": (1,), "other": (0,), "absent": (0,)}, reach)


def _learned(p, q, epsilon, statistic, reach):
    alpha = math.exp(-epsilon)
    outputs = (
        np.array(np.meshgrid(*[np.arange(-reach, reach + 1)] * len(statistic["absent"])))
        .reshape(len(statistic["absent"]), -1)
        .T
    )
    chance = {
        name: np.prod((1 - alpha) / (1 + alpha) * alpha ** np.abs(outputs - value), axis=1)
        for name, value in statistic.items()
    }
    total = p * q * chance["sensitive"] + p * (1 - q) * chance["other"] + (1 - p) * chance["absent"]
    return float((chance["sensitive"] / total).max())
