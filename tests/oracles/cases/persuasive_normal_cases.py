"""Cases of Persuasive Privacy under normal beliefs: conditioning of normal vectors, sums, scores and intervals."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from fractions import Fraction

import mpmath as mp
import numpy as np

from .accuracy_cases import phi
from .book import exact, root
from .persuasive_laws import BOOK, add

# ---------------------------------------------------------------------------------------------- normal priors


def matrix(rows):
    return mp.matrix([[exact(x) for x in row] for row in rows])


def conditioned(mean, covariance, data, a, noise, output):
    """(M^2, posterior means, posterior covariance) of the prior given A x + noise = output."""
    mu, sigma, a, x = matrix([[m] for m in mean]), matrix(covariance), matrix(a), matrix([[v] for v in data])
    v = a * sigma * a.T + (matrix(noise) if noise is not None else mp.zeros(a.rows))
    t = (a * x if output is None else matrix([[o] for o in output])) - a * mu
    inverse = v**-1
    gain = sigma * a.T * inverse
    return (t.T * inverse * t)[0], mu + gain * t, sigma - gain * a * sigma


def improvements(mean, covariance, data, a, noise=None, output=None):
    _, m, v = conditioned(mean, covariance, data, a, noise, output)
    gains = []
    for i, x in enumerate(data):
        before, x = exact(covariance[i][i]), exact(x)
        gains.append((x - exact(mean[i])) ** 2 / before - (x - m[i]) ** 2 / v[i, i] + mp.log(before / v[i, i]))
    return gains


PRIORS = (
    ([0, 0, 0], [[1, 0.2, 0.1], [0.2, 2, 0.3], [0.1, 0.3, 0.5]], [0.3, -1, 0.7]),
    ([1, 2], [[4, -1], [-1, 9]], [0, 3]),
    ([0.5, -0.5, 0, 2], [[1, 0.9, 0.9, 0], [0.9, 1, 0.9, 0], [0.9, 0.9, 1, 0], [0, 0, 0, 3]], [0.1, 0.2, 0.3, 2]),
    ([10] * 5, [[1e-4 if i == j else 0 for j in range(5)] for i in range(5)], [10.01, 9.99, 10, 10, 10.02]),
    ([0, 0], [[1e6, 10], [10, 1e-2]], [500, 0.1]),
)


def normal():
    for mean, covariance, data in PRIORS:
        n = len(mean)
        row = [[mp.mpf(1) / n] * n]
        shift, variance = mp.fsum(exact(x) - exact(m) for x, m in zip(data, mean, strict=True)) / n, mp.mpf(0)
        c = matrix(covariance)
        variance = mp.fsum(c) / n**2
        r1 = shift**2 / variance
        sd = [mp.sqrt(c[i, i]) for i in range(n)]
        correlations = mp.matrix(n, n)
        for i, j in itertools.product(range(n), repeat=2):
            correlations[i, j] = c[i, j] / sd[i] / sd[j]
        eigen = mp.eigsy(correlations, eigvals_only=True)
        squares = mp.fsum(s * s for s in sd)
        r2 = max(eigen) / min(eigen) / min(1 - s * s / squares for s in sd)
        rho2 = [(mp.fsum(c[i, j] for j in range(n)) / n) ** 2 / (c[i, i] * variance) for i in range(n)]
        expect = {
            "r1": r1,
            "r2": r2,
            "kappa": r1 + mp.log(r2),
            "sharp_kappa": r1 - mp.log(1 - max(rho2)),
            "max_gain": max(improvements(mean, covariance, data, row)),
            "smallest_r2": mp.mpf(n) / (n - 1),
        }
        add("Proposition 7", "mean_class", {"mean": mean, "covariance": covariance, "data": data}, expect, rel=1e-8)
        combos = [[[1] * n], [[1, *([0] * (n - 1))]], [[1] * n, [1, *([2] * (n - 1))]]] if n > 2 else [[[1] * n]]
        for a, kind in itertools.product(combos, ("none", "some", "much")):
            noise = (
                None
                if kind == "none"
                else [
                    [(0.01 if kind == "some" else 1e6) * (i == j) + 0.001 * (i != j) for j in range(len(a))]
                    for i in range(len(a))
                ]
            )
            args = {"mean": mean, "covariance": covariance, "data": data, "matrix": a, "noise": noise}
            disclosed = kind == "none" and (a[0][1:] == [0] * (n - 1) or (len(a) == 2))
            with mp.workdps(60):
                if not disclosed:
                    m2, _, v = conditioned(mean, covariance, data, a, noise, None)
                    share = [1 - v[i, i] / c[i, i] for i in range(n)]
                    gains = improvements(mean, covariance, data, a, noise)
                    bound = m2 - mp.log(1 - max(share))
                    shifted = [0.5 + i for i in range(len(a))]
                    other = improvements(mean, covariance, data, a, noise, shifted)
            add("M^2 - log(1 - R^2)", "linear_bound", args, "inf" if disclosed else bound)
            for i in range(n) if n == 3 else (0,):
                if disclosed:
                    if i == 0:
                        add("disclosed", "linear_gain", args | {"index": 0, "output": None}, "inf")
                        add(
                            "disclosed",
                            "multiple_correlation",
                            {"covariance": covariance, "matrix": a, "noise": noise, "index": 0},
                            1,
                        )
                    continue
                add("conditioning", "linear_gain", args | {"index": i, "output": None}, gains[i], abs=1e-11)
                add("another output", "linear_gain", args | {"index": i, "output": shifted}, other[i], abs=1e-11)
                add(
                    "R^2",
                    "multiple_correlation",
                    {"covariance": covariance, "matrix": a, "noise": noise, "index": i},
                    share[i],
                )
    base = {
        "mean": [0, 0],
        "covariance": [[1, 0], [0, 1]],
        "data": [1, 2],
        "matrix": [[1, 1]],
        "noise": None,
        "index": 0,
        "output": None,
    }
    twice = base | {"matrix": [[1, 1], [2, 2]]}
    value = improvements([0, 0], [[1, 0], [0, 1]], [1, 2], [[1, 1]])[0]
    add("the same figure twice", "linear_gain", twice, value)
    add("two exact figures disclose", "linear_gain", base | {"matrix": [[1, 1], [1, -1]]}, "inf")
    add("nothing about anybody", "linear_gain", base | {"matrix": [[0, 0]]}, 0)
    for wrong in (
        {"covariance": [[1, 2], [2, 1]]},
        {"covariance": [[1]]},
        {"index": 2},
        {"index": -1},
        {"matrix": [[1]]},
        {"noise": [[-1]]},
        {"data": [1]},
        {"mean": [0, "x"]},
        {"covariance": [[1, 0.5], [0, 1]]},
    ):
        add("no input", "linear_gain", base | wrong, None)
    add("one person", "mean_class", {"mean": [0], "covariance": [[1]], "data": [1]}, None)


def sums():
    coin = {"points": [0, 1], "probabilities": [0.5, 0.5]}
    rare = {"points": [0, 1], "probabilities": [0.99, 0.01]}
    tenths = {"points": [0.1, 0.2, 0.3], "probabilities": [1, 2, 3]}
    for priors, data in (
        ([coin] * 3, [1, 0, 1]),
        ([coin, rare, rare], [0, 0, 1]),
        ([tenths] * 4, [0.1, 0.2, 0.3, 0.3]),
        ([coin] * 12, [1] * 12),
        ([tenths, coin], [0.3, 1]),
        ([rare] * 2, [1, 1]),
    ):
        for index in (0, len(priors) - 1):
            laws = [
                {
                    Fraction(repr(float(x))): Fraction(repr(float(p)))
                    for x, p in zip(q["points"], q["probabilities"], strict=True)
                }
                for q in priors
            ]
            laws = [{x: m / sum(law.values()) for x, m in law.items()} for law in laws]
            seen = sum(Fraction(repr(float(x))) for x in data)
            others = {Fraction(0): Fraction(1)}
            for i, law in enumerate(laws):
                if i != index:
                    new = defaultdict(Fraction)
                    for (x, m), (y, k) in itertools.product(others.items(), law.items()):
                        new[x + y] += m * k
                    others = new
            joint = {x: m * others.get(seen - x, 0) for x, m in laws[index].items()}
            own = Fraction(repr(float(data[index])))
            ratio = joint[own] / sum(joint.values()) / laws[index][own]
            add(
                "enumeration",
                "discrete_sum_gain",
                {"priors": priors, "data": data, "index": index},
                mp.log(mp.mpf(ratio.numerator) / ratio.denominator),
                abs=1e-12,
            )
    BOOK.refused(
        "no input",
        "discrete_sum_gain",
        {"priors": [coin], "data": [2], "index": 0},
        {"priors": [coin], "data": [1, 1], "index": 0},
        {"priors": [coin], "data": [1], "index": 1},
    )


# --------------------------------------------------------------------------------- Dawid-Sebastiani and intervals


def hold(a, z, rho, psi, kappa):
    """P(gain <= kappa) over the normal noise G: gain is a parabola in G, open downwards."""
    a, z, rho, psi, kappa = map(exact, (a, z, rho, psi, kappa))
    b = rho**2 / (1 + psi)
    room = (a**2 - mp.log(1 - b) - kappa) * (1 - b)  # gain > kappa where (a - rho (z + sqrt(psi) G)/(1+psi))^2 < room
    centre, slope = a - rho * z / (1 + psi), rho * mp.sqrt(psi) / (1 + psi)
    if room <= 0:
        return mp.mpf(1)
    if slope == 0:
        return mp.mpf(centre**2 >= room)
    ends = sorted(((centre - mp.sqrt(room)) / slope, (centre + mp.sqrt(room)) / slope))
    return 1 - (phi(ends[1]) - phi(ends[0]))


def scores():
    for a, z, rho, psi, kappa in itertools.product(
        (0, 1.5, -20), (-2, 0.3), (0.1, -0.6), (0.01, 0.5, 100), (0.02, 4.2)
    ):
        args = {"a": a, "z": z, "correlation": rho, "noise_ratio": psi, "kappa": kappa}
        add("docs/methods/persuasive_privacy.md", "dawid_sebastiani_hold", args, hold(a, z, rho, psi, kappa))
    for a, kappa in ((2, 4.01), (2, 4.02), (0, 0.01)):
        args = {"a": a, "z": 20 * a / 2, "correlation": 0.1, "noise_ratio": 0, "kappa": kappa}
        add("no noise: for sure or not at all", "dawid_sebastiani_hold", args, hold(a, 20 * a / 2, 0.1, 0, kappa))
    add("disclosed", "dawid_sebastiani_hold", {"a": 1, "z": 1, "correlation": 1, "noise_ratio": 0, "kappa": 50}, 0)
    BOOK.refused(
        "no input",
        "dawid_sebastiani_hold",
        {"a": 1, "z": 1, "correlation": 1.2, "noise_ratio": 0.1, "kappa": 5},
        {"a": 1, "z": 1, "correlation": 0.2, "noise_ratio": -0.1, "kappa": 5},
    )
    for tau, kappa, r1 in ((1, 2, 1), (3, 0.5, 0), (0.01, 5, 4.999), (1e6, 10, 1)):
        value = exact(tau) / mp.sqrt(mp.expm1(exact(kappa) - exact(r1)))
        add(
            "delta 0",
            "smallest_sd_dawid_sebastiani",
            {"prior_sd": tau, "kappa": kappa, "r1": r1, "delta": 0},
            value,
            safe="high",
        )
    for kappa, r1 in ((1, 1), (0.5, 2), (0, 0)):
        add(
            "needs kappa > r1",
            "smallest_sd_dawid_sebastiani",
            {"prior_sd": 1, "kappa": kappa, "r1": r1, "delta": 0},
            "inf",
        )
    add("delta 1", "smallest_sd_dawid_sebastiani", {"prior_sd": 1, "kappa": 1, "r1": 1, "delta": 1}, 0)
    for tau, kappa, r1, delta in (
        (1, 1, 1, 0.1),
        (2, 0.5, 2, 0.05),
        (1, 3, 1, 1e-3),
        (1, 3, 4, 0.3),
        (1, 0.2, 0, 0.5),
        (5, 1, 9, 0.2),
    ):
        value = _smallest_ds(kappa, r1, delta) * exact(tau)
        add(
            "searched",
            "smallest_sd_dawid_sebastiani",
            {"prior_sd": tau, "kappa": kappa, "r1": r1, "delta": delta},
            value,
            rel=1e-8,
        )
    for tau, noise_, length, distance in itertools.product((1, 3), (0.1, 1, 30), (1, 0.2), (0.4, 0.500001, 1, 5)):
        t, n, s, d = map(exact, (tau, noise_, length, distance))
        args = {"prior_sd": tau, "noise": noise_, "length": length, "distance": distance}
        b = t * t / (t * t + n * n)
        value = phi((s / 2 - (1 - b) * d) / (b * n)) - phi((-s / 2 - (1 - b) * d) / (b * n)) if d > s / 2 else 0
        add("Gaussian", "interval_loss", {"mechanism_kind": "gaussian", **args}, value, abs=1e-15)
        add("Laplace", "interval_loss", {"mechanism_kind": "laplace", **args}, _laplace_interval(t, n, s, d), abs=1e-15)
    for kind in ("gaussian", "laplace"):
        args = {"mechanism_kind": kind, "prior_sd": 1, "noise": 0, "length": 1, "distance": 0.6}
        add("no noise", "interval_loss", args, 1)
        add("already guessed", "interval_loss", args | {"distance": 0.5}, 0)
        add("already guessed", "interval_loss", args | {"noise": 2, "distance": 0.5}, 0)
        BOOK.refused(
            "no input",
            "interval_loss",
            args | {"prior_sd": 0},
            args | {"noise": -1},
            args | {"length": -1},
            args | {"distance": -1},
        )
    for tau, s, gamma, delta in itertools.product((1, 4), (1, 0.2), (0.05, 1), (1e-3, 0.1, 0.4, 0.7)):
        value = _smallest_interval(tau, s, gamma, delta)
        add(
            "the last crossing",
            "smallest_sd_interval",
            {"prior_sd": tau, "length": s, "margin": gamma, "delta": delta},
            value,
            rel=1e-8,
        )
    add("delta 0", "smallest_sd_interval", {"prior_sd": 1, "length": 1, "margin": 0.1, "delta": 0}, "inf")
    add("delta 1", "smallest_sd_interval", {"prior_sd": 1, "length": 1, "margin": 0.1, "delta": 1}, 0)
    add("no margin", "smallest_sd_interval", {"prior_sd": 1, "length": 1, "margin": 0, "delta": 0.1}, "inf")


def _laplace_interval(tau, b, s, d):
    """P(|clip(2 tau^2 T/(s b + 2 tau^2), +-tau^2/b) - D| <= s/2), T = D + Lap(b)."""
    if d <= s / 2:
        return mp.mpf(0)
    edge, slope = tau**2 / b, 2 * tau**2 / (s * b + 2 * tau**2)
    low, high = d - s / 2, d + s / 2

    def law(t):
        return mp.exp((t - d) / b) / 2 if t < d else 1 - mp.exp(-(t - d) / b) / 2

    if edge < low * (1 - mp.mpf(10) ** -40):  # equal decimals count as equal
        return mp.mpf(0)
    return (mp.mpf(1) if high >= edge else law(high / slope)) - (law(low / slope) if low > -edge else mp.mpf(0))


def _smallest_ds(kappa, r1, delta):
    """Scan the noise ratio from above for the last place where the worst person exceeds delta, with scipy-free
    grids."""
    edge = math.sqrt(r1)
    people = np.linspace(0, edge, 801) if edge else np.zeros(1)

    def worst(log_psi):
        psi = math.exp(log_psi)
        room = (1 + psi) * (people**2 + math.log1p(1 / psi) - kappa)
        far, near = people * math.sqrt(psi), np.sqrt(np.maximum(room, 0))
        values = [
            float(phi(mp.mpf(float(c + w))) - phi(mp.mpf(float(c - w)))) if w > 0 else 0.0 for c, w in _best(far, near)
        ]
        return max(values)

    def _best(far, near):
        rough = np.array(
            [
                math.erf((c + w) / math.sqrt(2)) - math.erf((c - w) / math.sqrt(2)) if w > 0 else 0.0
                for c, w in zip(far, near, strict=True)
            ]
        )
        return [(far[i], near[i]) for i in np.argsort(-rough)[:3]]

    grid = np.linspace(math.log(1e-8), math.log(1e8), 1500)
    last = max((i for i, x in enumerate(grid) if worst(x) > delta), default=None)
    if last is None:
        return mp.mpf(0)
    low, high = grid[last], grid[last + 1]
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if worst(middle) > delta else (low, middle)
    return mp.exp(mp.mpf(high) / 2)


def _smallest_interval(tau, s, gamma, delta):
    """The largest sd at which the loss at the nearest truth still exceeds delta."""
    t, s, d, g = exact(tau), exact(s), exact(s) / 2 + exact(gamma), exact(delta)

    def loss(n):
        b = t * t / (t * t + n * n)
        return phi((s / 2 - (1 - b) * d) / (b * n)) - phi((-s / 2 - (1 - b) * d) / (b * n))

    with mp.workdps(25):
        grid = [t * mp.mpf(10) ** (mp.mpf(i) / 200 - 4) for i in range(1600)]
        last = max((i for i, n in enumerate(grid) if loss(n) > g), default=None)
        return mp.mpf(0) if last is None else root(lambda n: g - loss(n), grid[last], grid[last + 1], 75)
