"""Relative disclosure risk straight from the definitions of Kazan & Reiter 2024, independent of the program.

Profiles are the plain dictionaries of the file format. mpmath where digits matter, NumPy brute force elsewhere.
"""

from __future__ import annotations

import math
from itertools import pairwise

import mpmath as mp
import numpy as np

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
    """r*(p, q) of a profile, as it is written in a decision file, on arrays; log-linear shapes by explicit search for
    the interval."""
    p, q = np.broadcast_arrays(np.asarray(p, float), np.asarray(q, float))
    shape, prior = profile["shape"], p * q
    if shape == "constant":
        return np.full(p.shape, float(profile["ratio"]))
    if shape == "cap_or_ratio":
        return np.maximum(profile["posterior"] / prior, float(profile["ratio"]))
    if shape == "cap":
        return profile["posterior"] / prior
    if shape == "increase":
        return 1 + profile["amount"] / prior
    if shape == "odds":
        t = profile["factor"]
        return t / (1 - prior + t * prior)
    if shape == "power":
        return profile["constant"] * prior ** -profile["exponent"]
    if shape == "knots2d":
        return np.array([_surface(profile, a, b) for a, b in zip(p.ravel(), q.ravel(), strict=True)]).reshape(p.shape)
    along = {"p": p, "q": q, "pq": prior}[profile["axis"]].ravel()
    if shape == "steps":
        return np.array([_step(profile["edges"], profile["ratios"], x) for x in along]).reshape(p.shape)
    return np.array([_curve(profile["points"], x) for x in along]).reshape(p.shape)


def _step(edges, ratios, x):
    allowed = [
        float(r) for i, r in enumerate(ratios) if (i == 0 or edges[i - 1] <= x) and (i == len(edges) or x <= edges[i])
    ]
    return min(allowed)


def _curve(points, x):
    if x <= points[0][0]:
        return points[0][1]
    for (a, r), (b, s) in pairwise(points):
        if x <= b:
            t = math.log(x / a) / math.log(b / a)
            return r ** (1 - t) * s**t
    return points[-1][1]


def _surface(profile, a, b):
    columns = [_curve(tuple(zip(profile["q"], row, strict=True)), b) for row in profile["ratios"]]
    return _curve(tuple(zip(profile["p"], columns, strict=True)), a)


def ratio_exact(profile, p, q):
    """r*(p, q) of a profile along one prior, to all digits; on an edge (to 15 digits) the smaller ratio."""
    shape, s, m = profile["shape"], p * q, mp.mpf
    if shape == "constant":
        return m(profile["ratio"])
    if shape == "cap_or_ratio":
        return max(m(profile["posterior"]) / s, m(profile["ratio"]))
    if shape == "cap":
        return m(profile["posterior"]) / s
    if shape == "increase":
        return 1 + m(profile["amount"]) / s
    if shape == "odds":
        return m(profile["factor"]) / (1 - s + m(profile["factor"]) * s)
    if shape == "power":
        return m(profile["constant"]) * s ** -m(profile["exponent"])
    x, near = {"p": p, "q": q, "pq": s}[profile["axis"]], m(10) ** -15
    if shape == "steps":
        edges, ratios = [m(e) for e in profile["edges"]], [m(r) for r in profile["ratios"]]
        low, high = [m(0), *edges], [*edges, m(1)]
        return min(r for r, a, b in zip(ratios, low, high, strict=True) if a * (1 - near) <= x <= b * (1 + near))
    points = [(m(a), m(r)) for a, r in profile["points"]]
    if x <= points[0][0] or x >= points[-1][0]:
        return points[0][1] if x <= points[0][0] else points[-1][1]
    (a, r), (b, t) = next(pair for pair in pairwise(points) if x <= pair[1][0])
    part = mp.log(x / a) / mp.log(b / a)
    return r ** (1 - part) * t**part


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


def table4_attribute(p, cap, ratio):
    """(23): q varies over (0, 1], p fixed, max{a/(pq), r}."""
    p, a, r = mp.mpf(p), mp.mpf(cap), mp.mpf(ratio)
    if p <= a / r:
        return mp.log(a * (1 - p) / (p * (1 - a)))
    root = mp.sqrt(r**2 * (1 - p) ** 2 + 4 * (p * r - a) * (1 - a))
    return mp.log(2 * (p * r - a) / (root - r * (1 - p)))


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
