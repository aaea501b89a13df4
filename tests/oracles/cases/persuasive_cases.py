"""Cases of Persuasive Privacy: laws of the loss from the densities, Bayes' rule on grids of outputs, conditioning of
normal vectors."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from fractions import Fraction

import mpmath as mp
import numpy as np

from .accuracy_cases import phi, quantile
from .book import Book, exact, root

BOOK = Book("B", "persuasive_privacy")
add = BOOK.add

LAPLACES = [{"kind": "laplace", "scale": b, "sensitivity": s} for b, s in ((1, 1), (0.5, 2), (30, 1), (1e-3, 1))]
GEOMETRICS = [{"kind": "geometric", "rate": a, "sensitivity": s} for a, s in ((1, 1), (0.25, 2), (0.5, 3), (2.5, 4))]
GAUSSIANS = [{"kind": "gaussian", "sd": b, "sensitivity": s} for b, s in ((1, 1), (0.3, 1), (20, 1))]
TABLES = [
    {"kind": "table", "px": [0.2, 0.3, 0.5], "pxp": [0.5, 0.3, 0.2]},
    {"kind": "table", "px": [0.5, 0.5, 0], "pxp": [0.5, 0, 0.5]},
]


class Lattice:
    """The losses of a law with atoms only: [(loss, mass)], the losses of geometric noise in rationals."""

    def __init__(self, mechanism):
        if mechanism["kind"] == "table":
            rows = list(zip(map(exact, mechanism["px"]), map(exact, mechanism["pxp"]), strict=True))
            self.atoms = [(mp.log(p / q) if q else mp.inf, p) for p, q in rows if p]
            self.free = sum((q for p, q in rows if not p), mp.mpf(0))
            return
        rate, d = Fraction(repr(float(mechanism["rate"]))), mechanism["sensitivity"]
        a = mp.exp(-exact(mechanism["rate"]))
        law = {d: 1 / (1 + a), -d: a**d / (1 + a)} | {d - 2 * z: (1 - a) / (1 + a) * a**z for z in range(1, d)}
        self.atoms, self.free = (
            [(mp.mpf((k * rate).numerator) / (k * rate).denominator, m) for k, m in law.items()],
            mp.mpf(0),
        )


def above(mechanism, e):
    """P(loss > e)."""
    e = exact(e) if not isinstance(e, mp.mpf) else e
    if mechanism["kind"] == "laplace":
        a = exact(mechanism["sensitivity"]) / exact(mechanism["scale"])
        return mp.mpf(0) if e >= a else mp.mpf(1) if e < -a else 1 - mp.exp(-(a - e) / 2) / 2
    if mechanism["kind"] == "gaussian":
        rho = exact(mechanism["sensitivity"]) / exact(mechanism["sd"])
        return phi(rho / 2 - e / rho) if e < mp.inf else mp.mpf(0)
    return mp.fsum(m for x, m in Lattice(mechanism).atoms if x > e + mp.mpf(10) ** -30)


def stick(mechanism, e):
    """Hockey stick: the sum of (px - e^eps pxp)+."""
    e = exact(e)
    if e == mp.inf:
        return (
            mp.fsum(m for x, m in Lattice(mechanism).atoms if x == mp.inf)
            if mechanism["kind"] == "table"
            else mp.mpf(0)
        )
    if mechanism["kind"] == "laplace":
        a = exact(mechanism["sensitivity"]) / exact(mechanism["scale"])
        return mp.mpf(0) if e >= a else -mp.expm1(e) if e <= -a else -mp.expm1((e - a) / 2)
    if mechanism["kind"] == "gaussian":
        rho = exact(mechanism["sensitivity"]) / exact(mechanism["sd"])
        with mp.workdps(80):
            return phi(rho / 2 - e / rho) - mp.exp(e) * phi(-rho / 2 - e / rho)
    return mp.fsum(m * -mp.expm1(e - x) if x < mp.inf else m for x, m in Lattice(mechanism).atoms if x > e)


def effective(w, kappa):
    w, kappa = exact(w), exact(kappa)
    return mp.inf if kappa == mp.inf or w >= mp.exp(-kappa) else mp.log((1 - w) / (mp.exp(-kappa) - w))


def losses():
    for mechanism in (*LAPLACES, *GEOMETRICS, *GAUSSIANS, *TABLES):
        for e in (-3, -0.5, 0, 0.25, 1, 1.5, 4, 2000, "inf"):
            add(
                "the law of the loss",
                "probabilistic_delta",
                {"mechanism": mechanism, "epsilon": e},
                above(mechanism, e),
            )
            add("hockey stick", "approximate_delta", {"mechanism": mechanism, "epsilon": e}, stick(mechanism, e))
        for w, kappa in itertools.product((0, 0.01, 0.5), (0.1, 0.69, 2)):
            value = 1 - above(mechanism, effective(w, kappa))
            add(
                "P(loss <= effective epsilon)",
                "hold_probability",
                {"mechanism": mechanism, "prior_mass": w, "kappa": kappa},
                value,
            )
        add("nothing left to learn", "hold_probability", {"mechanism": mechanism, "prior_mass": 1, "kappa": 0}, 1)
    for w, kappa in itertools.product((0, 1e-12, 0.1, 0.5, 1), (0, 1e-9, 0.5, 0.6931471805599453, 3, 700)):
        if (w, kappa) not in ((0.5, 0.6931471805599453), (1, 0)):
            add("C.5", "effective_epsilon", {"prior_mass": w, "kappa": kappa}, effective(w, kappa), safe="low")
    add("no bound", "effective_epsilon", {"prior_mass": 0.1, "kappa": "inf"}, "inf")
    for w, x in itertools.product((0, 1e-12, 0.1, 0.5, 1), (-5, 0, 1e-9, 2, 700)):
        add(
            "Definition 9",
            "log_score_gain",
            {"prior_mass": w, "loss": x},
            -mp.log(exact(w) + (1 - exact(w)) * mp.exp(-exact(x))),
        )
    add("certainty", "log_score_gain", {"prior_mass": 0.25, "loss": "inf"}, mp.log(4))
    add("certainty", "log_score_gain", {"prior_mass": 0, "loss": "inf"}, "inf")
    base = {"mechanism": LAPLACES[0], "epsilon": 1}
    for wrong in ({"scale": 0}, {"scale": -1}, {"sensitivity": -1}, {"kind": "cauchy"}, {"rate": 1}):
        add("no mechanism", "probabilistic_delta", base | {"mechanism": LAPLACES[0] | wrong}, None)
    for px, pxp in (([0.5, 0.5], [1]), ([0.5, 0.6], [0.5, 0.5]), ([-0.5, 1.5], [0.5, 0.5]), ([], [])):
        add(
            "no table",
            "probabilistic_delta",
            {"mechanism": {"kind": "table", "px": px, "pxp": pxp}, "epsilon": 1},
            None,
        )
    BOOK.refused(
        "no input",
        "effective_epsilon",
        {"prior_mass": 1.5, "kappa": 1},
        {"prior_mass": 0.1, "kappa": -1},
        {"prior_mass": "x", "kappa": 1},
    )


def noise():
    for w, kappa, delta, s in itertools.product((0, 0.1), (0.2, 1), (0, 1e-5, 0.3, 0.5, 0.8, 0.99), (1, 3)):
        e, d = effective(w, kappa), exact(delta)
        args = {"sensitivity": s, "kappa": kappa, "delta": delta, "prior_mass": w}
        laplace = s / e if delta < 0.5 else s / (e - 2 * mp.log(2 * (1 - d)))
        add("Laplace", "smallest_noise", {"mechanism_kind": "laplace", **args}, laplace, safe="high")
        if delta:
            z = quantile(1 - d)
            gauss = s * (z + mp.sqrt(z * z + 2 * e)) / (2 * e)
        else:
            gauss = mp.inf
        add("Gaussian", "smallest_noise", {"mechanism_kind": "gaussian", **args}, gauss, safe="high")
        if delta < 0.5:
            add("geometric", "smallest_noise", {"mechanism_kind": "geometric", **args}, e / s, safe="low")
        else:
            add(
                "geometric",
                "smallest_noise",
                {"mechanism_kind": "geometric", **args},
                _largest_rate(s, e, d),
                safe="low",
            )
    for kind in ("laplace", "gaussian", "geometric"):
        args = {"mechanism_kind": kind, "sensitivity": 1, "kappa": 1, "delta": 1e-5, "prior_mass": 0.4}
        free = "inf" if kind == "geometric" else 0
        add("w >= e^-kappa: nothing to fear", "smallest_noise", args, free)
        add("delta 1", "smallest_noise", args | {"prior_mass": 0, "delta": 1}, free)
        add("kappa 0", "smallest_noise", args | {"prior_mass": 0, "kappa": 0}, 0 if kind == "geometric" else "inf")
        add("no shift", "smallest_noise", args | {"prior_mass": 0, "sensitivity": 0}, free)
        BOOK.refused(
            "no input",
            "smallest_noise",
            args | {"delta": -1},
            args | {"kappa": -1},
            args | {"prior_mass": 2},
            args | {"sensitivity": -1},
        )


def _largest_rate(s, e, d):
    """The largest rate a from which every smaller one has P[k < (s - e/a)/2] <= d (0 up to e/s): walked down from
    above."""

    def passes(a):
        alpha, half = mp.exp(-a), (s - e / a) / 2
        if a * s <= e:
            return True
        k = mp.ceil(half) - 1  # the largest whole number below
        below = alpha**-k / (1 + alpha) if k < 0 else 1 - alpha ** (k + 1) / (1 + alpha)
        return below <= d

    low, step = e / s, mp.mpf(1) / 2000
    marks = [low * (1 + step) ** i for i in range(1, 16000)]
    for i, a in enumerate(marks):
        if not passes(a):
            return root(lambda t: mp.mpf(-1) if passes(t) else mp.mpf(1), marks[i - 1] if i else low, a)
    return mp.inf


def several():
    for mechanism, values, prior, truth, kappa in (
        (LAPLACES[0], [0, 1, 2.5], [1, 1, 1], 0, 0.5),
        (LAPLACES[0], [0, 1, 2.5], [0.2, 0.5, 0.3], 1, 0.3),
        (LAPLACES[1], [3, 3, 0], [1, 2, 3], 1, 0.7),
        (LAPLACES[2], [0, 10, 50, 90], [4, 3, 2, 1], 2, 0.2),
        (GAUSSIANS[0], [0, 1], [0.3, 0.7], 0, 0.4),
        (GAUSSIANS[0], [0, 1, -1], [1, 1, 1], 0, 0.1),
        (GAUSSIANS[0], [0, 2, -3, 5], [1, 2, 1, 1], 3, 1.0),
        (GAUSSIANS[2], [0, 30, 31], [1, 1, 5], 1, 0.9),
        (GEOMETRICS[0], [0, 1, 4], [1, 1, 1], 0, 0.5),
        (GEOMETRICS[1], [0, -3, 3], [2, 1, 1], 0, 0.3),
        (GEOMETRICS[2], [5, 5, 0], [1, 1, 2], 0, 0.25),
    ):
        args = {"mechanism": mechanism, "values": values, "prior": prior, "truth": truth, "kappa": kappa}
        add("output by output", "log_score_hold", args, _several(mechanism, values, prior, truth, kappa), rel=1e-8)
    one = {"mechanism": LAPLACES[0], "values": [0, 1], "prior": [1, 1], "truth": 0, "kappa": 0.3}
    for w, kappa in ((0.5, 0.3), (0.1, 1)):
        same = one | {"prior": [w, 1 - w], "kappa": kappa}
        add("two values: hold_probability", "log_score_hold", same, 1 - above(LAPLACES[0], effective(w, kappa)))
    add("one value", "log_score_hold", one | {"values": [4], "prior": [1]}, 1)
    add("nothing to learn", "log_score_hold", one | {"values": [4, 4], "kappa": 0}, 1)
    add("all of it", "log_score_hold", one | {"kappa": 0.6931471805599454}, 1)
    BOOK.refused(
        "no input",
        "log_score_hold",
        one | {"truth": 2},
        one | {"truth": -1},
        one | {"prior": [1]},
        one | {"prior": [0, 0]},
        one | {"values": []},
    )


def _several(mechanism, values, prior, truth, kappa):
    kind, total, values = mechanism["kind"], sum(prior), [exact(v) for v in values]
    width = exact(mechanism.get("scale") or mechanism.get("sd") or 1 / exact(mechanism["rate"]))

    def log_mass(t):
        return -((t / width) ** 2) / 2 if kind == "gaussian" else -abs(t) / width

    def gain(t):
        own = log_mass(t - values[truth])
        return -mp.log(
            mp.fsum(exact(p) / exact(total) * mp.exp(log_mass(t - v) - own) for p, v in zip(prior, values, strict=True))
        )

    with mp.workdps(25):
        x0 = values[truth]
        if kind == "geometric":
            a, reach = mp.exp(-1 / width), int(60 * width) + 20
            return mp.fsum(
                (1 - a) / (1 + a) * a ** abs(k)
                for k in range(-reach, reach + 1)
                if gain(x0 + k) <= exact(kappa) + mp.mpf(10) ** -18
            )

        def law(t):
            t = (t - x0) / width
            return phi(t) if kind == "gaussian" else (mp.exp(t) / 2 if t < 0 else 1 - mp.exp(-t) / 2)

        reach = (12 if kind == "gaussian" else 45) * width
        marks = sorted({*(x0 - reach + 2 * reach * i / 2500 for i in range(2501)), *values})
        inside, total_ = [gain(t) <= exact(kappa) for t in marks], mp.mpf(0)
        ends = [-mp.inf]
        for (a, b), (x, y) in zip(itertools.pairwise(marks), itertools.pairwise(inside), strict=True):
            if x != y:
                ends.append(root(lambda t, x=x: mp.mpf(-1) if (gain(t) <= exact(kappa)) == x else mp.mpf(1), a, b, 70))
        state = inside[0]
        for a, b in itertools.pairwise([*ends, mp.inf]):
            if state:
                total_ += (law(b) if b < mp.inf else 1) - (law(a) if a > -mp.inf else 0)
            state = not state
        return total_


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


def composed():
    pairs = (
        (LAPLACES[0], LAPLACES[0]),
        (LAPLACES[0], LAPLACES[2]),
        (GAUSSIANS[0], GAUSSIANS[1]),
        (LAPLACES[1], GAUSSIANS[0]),
        (GEOMETRICS[0], GEOMETRICS[1]),
        (GEOMETRICS[2], LAPLACES[0]),
        (GAUSSIANS[2], GEOMETRICS[3]),
        (TABLES[0], TABLES[0]),
        (TABLES[1], LAPLACES[0]),
        (TABLES[0], GAUSSIANS[0]),
        (GEOMETRICS[0], TABLES[0]),
    )
    for (one, two), (w, kappa) in itertools.product(pairs, ((0, 0.7), (0.1, 1.3), (0.4, 0.2))):
        e = effective(w, kappa)
        value = mp.mpf(1) if e == mp.inf else _sum_within(one, two, e)
        add(
            "the losses add",
            "compose",
            {"mechanism1": one, "mechanism2": two, "prior_mass": w, "kappa": kappa},
            value,
            rel=1e-8,
        )
    add(
        "nothing left to learn",
        "compose",
        {"mechanism1": LAPLACES[0], "mechanism2": TABLES[1], "prior_mass": 0.6, "kappa": 0.6},
        1,
    )
    BOOK.refused(
        "no input",
        "compose",
        {"mechanism1": LAPLACES[0], "mechanism2": None, "prior_mass": 0.6, "kappa": 0.6},
        {"mechanism1": LAPLACES[0], "mechanism2": LAPLACES[0], "prior_mass": 2, "kappa": 0.6},
    )


def _sum_within(one, two, e):
    """P(L1 + L2 <= e): the first law's atoms and density against the second's tail."""

    def within(x):
        return 1 - above(two, x)  # of the second law, whichever of the two that is below

    if one["kind"] in ("geometric", "table"):
        return mp.fsum(m * within(e - x) for x, m in Lattice(one).atoms if x < mp.inf)
    if two["kind"] in ("geometric", "table"):
        return _sum_within(two, one, e)
    with mp.workdps(25):
        if one["kind"] == "gaussian" and two["kind"] == "gaussian":
            square = sum((exact(m["sensitivity"]) / exact(m["sd"])) ** 2 for m in (one, two))
            return 1 - phi(mp.sqrt(square) / 2 - e / mp.sqrt(square))
        if one["kind"] == "gaussian":
            one, two = two, one
        a = exact(one["sensitivity"]) / exact(one["scale"])
        other = exact(two["sensitivity"]) / exact(two["scale"]) if two["kind"] == "laplace" else 0
        marks = sorted({-a, a, *(x for x in (e - other, e + other, e) if -a < x < a), mp.mpf(0)})
        inner = mp.quad(lambda x: mp.exp((x - a) / 2) / 4 * within(e - x), marks)
        return within(e - a) / 2 + mp.exp(-a) / 2 * within(e + a) + inner


losses()
noise()
several()
normal()
sums()
scores()
composed()
