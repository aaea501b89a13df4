"""Cases of composition: randomised response summed exactly, Laplace losses from their transform, geometric ones by
convolution."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from fractions import Fraction

import mpmath as mp

from .accuracy_cases import gaussian_delta
from .book import Book, exact, root

BOOK = Book("C", "composition")
add = BOOK.add


def response_delta(epsilon0, k, epsilon):
    """Delta of k-fold randomised response, term by term."""
    e0, e = exact(epsilon0), exact(epsilon)
    total = mp.mpf(0)
    for m in range(k, -1, -1):
        term = mp.exp(m * e0) - mp.exp(e + (k - m) * e0)
        if term <= 0:
            break
        total += mp.binomial(k, m) * term
    return total / (1 + mp.exp(e0)) ** k


def invert(delta_at, delta, top):
    """The smallest epsilon >= 0 with delta_at(epsilon) <= delta."""
    if delta_at(mp.mpf(0)) <= exact(delta):
        return mp.mpf(0)
    return root(lambda e: exact(delta) - delta_at(e), 0, top, 120)


def laplace_delta(levels, epsilon):
    """Hockey stick of the summed losses: the product of their transforms, term by term into truncated powers.

    E e^(sL) = e^(-a/2) (e^(aS) (1/2 + 1/(4S)) + e^(-aS) (1/2 - 1/(4S))), S = s + 1/2.
    """
    n, epsilon = sum(t for _, t in levels), exact(epsilon)
    with mp.workdps(60 + 3 * n):
        terms = {Fraction(0): [mp.mpf(1)]}
        for level, times in levels:
            a = Fraction(repr(float(level)))
            mixed = defaultdict(lambda: [mp.mpf(0)] * (n + 1))
            for j in range(times + 1):
                poly = [mp.mpf(1)]
                for sign, count in ((1, times - j), (-1, j)):
                    for _ in range(count):
                        poly = [x / 2 + y for x, y in zip([*poly, 0], [0, *(sign * c / 4 for c in poly)], strict=True)]
                for place, old in terms.items():
                    into = mixed[place + (times - 2 * j) * a]
                    for p, x in enumerate(old):
                        if x:
                            for q, y in enumerate(poly):
                                if p + q <= n:
                                    into[p + q] += math.comb(times, j) * x * y
            terms = dict(mixed)
        scale = mp.exp(-sum((exact(a) * t for a, t in levels), mp.mpf(0)) / 2)
        total = mp.mpf(0)
        for place, poly in terms.items():
            b = mp.mpf(place.numerator) / place.denominator
            z = b - epsilon
            if z <= 0:
                continue
            total += poly[0] * mp.exp(b / 2) * -mp.expm1(epsilon - b)
            down, up = -2 * mp.expm1(-z / 2), 2 * mp.expm1(z / 2)  # int_0^z y^(m-1)/(m-1)! e^(-+y/2) dy
            power = mp.mpf(1)
            for m in range(1, len(poly)):
                total += poly[m] * mp.exp(b / 2) * (down - mp.exp(epsilon - b) * up)
                power = power * z / m
                down, up = 2 * (down - power * mp.exp(-z / 2)), 2 * (power * mp.exp(z / 2) - up)
        return scale * total


def geometric_law(level, d):
    """The losses of one geometric release whose count moves by d: {multiple of level/d: mass}."""
    a = mp.exp(-exact(level) / d)
    law = {d: 1 / (1 + a), -d: a**d / (1 + a)}  # the noise stays at or behind the truth, at or beyond the neighbour
    for z in range(1, d):
        law[d - 2 * z] = (1 - a) / (1 + a) * a**z
    return law


def geometric_delta(levels, d, epsilon):
    law = {Fraction(0): mp.mpf(1)}
    for level, times in levels:
        step, one = Fraction(repr(float(level))) / d, geometric_law(level, d)
        for _ in range(times):
            new = defaultdict(mp.mpf)
            for place, mass in law.items():
                for k, m in one.items():
                    new[place + k * step] += mass * m
            law = dict(new)
    e, total = exact(epsilon), mp.mpf(0)
    for place, mass in law.items():
        x = mp.mpf(place.numerator) / place.denominator
        if x > e:
            total += mass * -mp.expm1(e - x)
    return total


# ------------------------------------------------------------------------------------------------- cases


def theorems():
    for levels in ([], [0.5], [0.1] * 10, [1e-12, 1e300], [0, 0], [0.1, 0.2, 0.7]):
        add("sum", "basic", {"levels": levels}, mp.fsum(exact(x) for x in levels))
    add("infinite", "basic", {"levels": [0.1, "inf"]}, "inf")
    BOOK.refused("no levels", "basic", {"levels": [-1]}, {"levels": 3}, {"levels": ["x"]}, {"levels": [True]}, {})
    for e0, n, delta in ((0.1, 300, 1e-5), (1e-6, 10**9, 1e-12), (1, 1, 0.5), (0, 5, 1e-5), (50, 2, 1e-3), (2, 10, 1)):
        e, d = exact(e0), exact(delta)
        add(
            "Dwork & Roth 3.20",
            "advanced",
            {"epsilon0": e0, "releases": n, "delta": delta},
            e * mp.sqrt(2 * n * mp.log(1 / d)) + n * e * mp.expm1(e),
        )
        rho = n * e * e / 2
        add(
            "rho + 2 sqrt(rho ln(1/delta))",
            "zcdp",
            {"epsilon0": e0, "releases": n, "delta": delta},
            rho + 2 * mp.sqrt(rho * mp.log(1 / d)),
        )
    for fn in ("advanced", "zcdp", "optimal"):
        for args in (
            {"releases": 0},
            {"releases": 1.5},
            {"delta": -1},
            {"delta": 2},
            {"epsilon0": -0.1},
            {"epsilon0": None},
        ):
            add("no input", fn, {"epsilon0": 0.1, "releases": 10, "delta": 1e-5} | args, None)
    for fn in ("advanced", "zcdp"):
        add("delta 0", fn, {"epsilon0": 0.1, "releases": 10, "delta": 0}, "inf")
    for e0, e, g, n, d in (
        (0.5, 0.27, 0.6, 300, 1e-5),
        (0.5, 0.27, 0.601, 1000, 1e-5),
        (1, 0.42, 0, 50, 1e-6),
        (1, 0.42, 1, 50, 1e-6),
        (0.1, 0.08, 0.8, 1, 0.1),
    ):
        mu = (exact(g) * exact(e) ** 2 + (1 - exact(g)) * exact(e0) ** 2) / 2
        value = exact(e0) * mp.sqrt(2 * n * mp.log(1 / exact(d))) + n * mu
        add(
            "Theorem 3, as published",
            "published_at_risk",
            {"epsilon0": e0, "epsilon": e, "confidence": g, "releases": n, "delta": d},
            value,
        )
    for levels, e, gammas, d in (
        ([0.1, 0.5], 0.05, [0.5, 0.2], 1e-5),
        ([1], 0.4, [0.54], 1e-6),
        ([0.5] * 5, 0.27, [0.6] * 5, 0.01),
    ):
        square = mp.fsum(exact(x) ** 2 for x in levels)
        mu = (
            exact(e) ** 2 * mp.fsum(map(exact, gammas))
            + mp.fsum((1 - exact(g)) * exact(x) ** 2 for g, x in zip(gammas, levels, strict=True))
        ) / 2
        value = mp.sqrt(2 * square * mp.log(1 / exact(d))) + mu
        add(
            "Corollary 1, as published",
            "published_at_risk_mixed",
            {"levels": levels, "epsilon": e, "confidences": gammas, "delta": d},
            value,
        )
    BOOK.refused(
        "unequal lengths",
        "published_at_risk_mixed",
        {"levels": [0.1], "epsilon": 0.05, "confidences": [0.5, 0.2], "delta": 1e-5},
    )


def pure():
    for e0, n, delta in itertools.product((0.01, 0.5, 3, 50), (1, 2, 7, 100), (1e-9, 1e-5, 0.2)):
        value = invert(lambda e, e0=e0, n=n: response_delta(e0, n, e), delta, n * exact(e0))
        add("randomised response", "optimal", {"epsilon0": e0, "releases": n, "delta": delta}, value, safe="high")
    for e0, n, e in (
        (0.1, 100, 1),
        (0.1, 100, 0),
        (0.5, 1, 0.3),
        (0.5, 3, 1.5),
        (0.5, 3, 2),
        (2, 10, 19),
        (1e-6, 50, 0),
        (50, 3, 100),
        (0.2, 400, 5),
    ):
        add(
            "randomised response",
            "optimal_delta",
            {"epsilon0": e0, "releases": n, "epsilon": e},
            max(mp.mpf(0), response_delta(e0, n, e)),
            abs=1e-15,
        )
    for n in (1, 10):
        add("delta 0: basic", "optimal", {"epsilon0": 0.3, "releases": n, "delta": 0}, exact(0.3) * n, safe="high")
        add("delta 1", "optimal", {"epsilon0": 0.3, "releases": n, "delta": 1}, 0)
        add("epsilon0 0", "optimal", {"epsilon0": 0, "releases": n, "delta": 1e-5}, 0)
        add("epsilon0 inf", "optimal", {"epsilon0": "inf", "releases": n, "delta": 1e-5}, "inf")


def noisy():
    for sigma, s, n, delta in (
        (2, 1, 1, 1e-5),
        (10, 1, 100, 1e-5),
        (0.5, 3, 2, 1e-9),
        (100, 1, 1, 0.1),
        (1, 1, 1, 0.3),
        (0.1, 1, 1, 1e-3),
        (5, 0.1, 1000, 1e-6),
    ):
        mu = mp.sqrt(n) * exact(s) / exact(sigma)
        with mp.workdps(70):
            value = invert(lambda e, m=mu: gaussian_delta(m, e), delta, mu * mu / 2 + 40 * mu + 1)
        add(
            "one Gaussian of sd sigma/sqrt(n)",
            "gaussian",
            {"sigma": sigma, "sensitivity": s, "releases": n, "delta": delta},
            value,
            safe="high",
        )
    add("delta 0", "gaussian", {"sigma": 1, "sensitivity": 1, "releases": 1, "delta": 0}, "inf")
    add("nothing released", "gaussian", {"sigma": 1, "sensitivity": 0, "releases": 3, "delta": 1e-5}, 0)
    BOOK.refused(
        "no noise",
        "gaussian",
        {"sigma": 0, "sensitivity": 1, "releases": 1, "delta": 1e-5},
        {"sigma": 1, "sensitivity": -1, "releases": 1, "delta": 1e-5},
    )


def enclosed(where, kind, levels, d, deltas=(1e-9, 1e-5, 0.1), shares=(0, 0.3, 0.8), rel=1e-9):
    law = (lambda e: laplace_delta(levels, e)) if kind == "laplace" else (lambda e: geometric_delta(levels, int(d), e))
    total = mp.fsum(exact(a) * t for a, t in levels)
    args = {"mechanism": kind, "levels": levels, "sensitivity": d}
    for delta in deltas:
        if sum(t for _, t in levels) <= 12 or delta == 1e-5:
            low, high = (mp.mpf(0), total) if law(mp.mpf(0)) > exact(delta) else (mp.mpf(0), mp.mpf(0))
            for _ in range(46):
                middle = (low + high) / 2
                low, high = (middle, high) if law(middle) > exact(delta) else (low, middle)
            add(where, "tight", args | {"delta": delta}, {}, bracket=["lower", "upper", (low + high) / 2], rel=rel)
    for share in shares:
        e = float(mp.nstr(total * share, 6))
        add(where, "tight_delta", args | {"epsilon": e}, {}, bracket=["lower", "upper", law(exact(e))], rel=rel)


def many():
    for levels in (
        [[0.1, 1]],
        [[1, 1]],
        [[0.5, 2]],
        [[0.1, 10]],
        [[2, 3]],
        [[0.3, 2], [0.7, 1]],
        [[0.1, 5], [0.2, 4]],
        [[0.05, 30]],
        [[30, 2]],
        [[0.01, 1], [5, 1]],
    ):
        enclosed("transform", "laplace", levels, 1)
    enclosed("scale alone counts", "laplace", [[0.2, 6]], 2.5, shares=(0.5,))
    for levels, d in (
        ([[0.1, 1]], 1),
        ([[1, 4]], 1),
        ([[0.1, 30]], 1),
        ([[0.6, 1]], 3),
        ([[0.6, 5]], 2),
        ([[0.3, 2], [0.7, 3]], 1),
        ([[0.5, 3], [0.2, 2]], 4),
        ([[20, 2]], 5),
    ):
        enclosed("convolution", "geometric", levels, d)
    add(
        "docs/methods/composition.md",
        "tight",
        {"mechanism": "laplace", "levels": [[0.1, 100]], "delta": 1e-5, "sensitivity": 1},
        {},
        bracket=["lower", "upper", 4.22034732508036],
    )
    add(
        "docs/methods/composition.md",
        "tight",
        {"mechanism": "laplace", "levels": [[0.1, 1000]], "delta": 1e-5, "sensitivity": 1},
        {},
        bracket=["lower", "upper", 17.4236519875374],
    )
    add(
        "docs/methods/composition.md, figure 5",
        "tight",
        {"mechanism": "laplace", "levels": [[0.5, 300]], "delta": 1e-5, "sensitivity": 1},
        {"upper": 63.98},
        rel=1e-3,
    )
    add(
        "docs/methods/composition.md, figure 5",
        "tight",
        {"mechanism": "laplace", "levels": [[0.5, 1000]], "delta": 1e-5, "sensitivity": 1},
        {"upper": 166.2},
        rel=1e-3,
    )
    for kind in ("laplace", "geometric"):
        args = {"mechanism": kind, "levels": [[0.25, 4], [0.5, 2]], "sensitivity": 1}
        add("delta 0: the sum", "tight", args | {"delta": 0}, {"lower": 2, "upper": 2})
        add("delta 1", "tight", args | {"delta": 1}, {"lower": 0, "upper": 0})
        add("from the sum on", "tight_delta", args | {"epsilon": 2}, {"lower": 0, "upper": 0})
        add("no level", "tight", args | {"levels": [[0, 5]], "delta": 1e-5}, {"lower": 0, "upper": 0})
        add("no protection", "tight", args | {"levels": [["inf", 1]], "delta": 1e-5}, {"upper": "inf"})
        for wrong in (
            {"levels": [[0.1]]},
            {"levels": [[0.1, -1]]},
            {"levels": [[0.1, 1.5]]},
            {"levels": 0.1},
            {"mechanism": "gaussian"},
            {"sensitivity": 0},
            {"delta": 1.1},
        ):
            add("no input", "tight", args | {"delta": 1e-5} | wrong, None)
    add(
        "a count moves by whole numbers",
        "tight",
        {"mechanism": "geometric", "levels": [[1, 2]], "delta": 1e-5, "sensitivity": 1.5},
        None,
    )


theorems()
pure()
noisy()
many()
