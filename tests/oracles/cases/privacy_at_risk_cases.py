"""Cases of privacy at risk: the published formulas as printed, and the audited laws from the densities of the noise."""

from __future__ import annotations

import functools
import itertools
import math
from fractions import Fraction

import mpmath as mp
import numpy as np

from .accuracy_cases import phi
from .book import Book, exact, root

BOOK = Book("D", "privacy_at_risk")
add = BOOK.add


# -------------------------------------------------------------------------------------------- as published


@functools.cache
def difference(k):
    """The coefficients of e^-t in P(|X - Y| > t), X and Y of law Gamma(k, 1): a polynomial of degree k - 1.

    The density of |X - Y| is 2 int_0^inf x^(k-1) (x+t)^(k-1) e^(-2x-t) dx / (k-1)!^2; expand, integrate, integrate the
    tail.
    """
    density = [Fraction(0)] * k
    for j in range(k):
        moment = Fraction(math.factorial(2 * k - 2 - j), 2 ** (2 * k - 1 - j))
        density[j] = 2 * Fraction(math.comb(k - 1, j)) * moment / Fraction(math.factorial(k - 1)) ** 2
    tail = [Fraction(0)] * k
    for j, c in enumerate(density):  # int_t^inf s^j e^-s ds = e^-t sum_i j!/i! t^i
        for i in range(j + 1):
            tail[i] += c * math.factorial(j) / math.factorial(i)
    return [mp.mpf(c.numerator) / c.denominator for c in tail]


def spread(t, k):
    """P(T <= t), T = |X - Y|."""
    t = mp.mpf(t)
    if t == mp.inf:
        return mp.mpf(1)
    with mp.workdps(50 + 2 * k):
        return 1 - mp.exp(-t) * mp.polyval([*reversed(difference(k))], t)


def published(epsilon, epsilon0, k):
    epsilon, epsilon0 = exact(epsilon), exact(epsilon0)
    return mp.mpf(1) if epsilon >= epsilon0 else spread(epsilon, k) / spread(epsilon0, k)


def h(x, cost, rate, floor):
    x = exact(x)
    return exact(floor) + (exact(cost) * mp.exp(-exact(rate) / x) if x > 0 else 0)


def bottom(function, low, high, steps=300):
    """The place of the minimum of a function with one valley, by golden sections."""
    low, high, g = mp.mpf(low), mp.mpf(high), (mp.sqrt(5) - 1) / 2
    for _ in range(steps):
        a, b = high - g * (high - low), low + g * (high - low)
        low, high = (low, b) if function(a) < function(b) else (a, high)
    return (low + high) / 2


def as_published():
    for k, (e, e0) in itertools.product(
        (1, 2, 3, 10, 60), ((0.08, 0.1), (1e-9, 1), (0.5, 4), (3, 30), (0, 1), (1, 1), (2, 1), (0.5, "inf"), (40, 700))
    ):
        add("Theorem 4", "published_confidence", {"epsilon": e, "epsilon0": e0, "dimension": k}, published(e, e0, k))
    for k, (c, e0) in itertools.product((1, 2, 5, 40), ((0.4, 1.0), (0.99, 0.1), (1e-6, 3), (0.5, 50), (0.9, "inf"))):
        whole = spread(exact(e0), k)
        value = root(lambda e, c=c, k=k, w=whole: spread(e, k) - exact(c) * w, 0, min(exact(e0), 2000), 180)
        add("(4)", "published_level", {"confidence": c, "epsilon0": e0, "dimension": k}, value)
    for k in (1, 3):
        add("confidence 0", "published_level", {"confidence": 0, "epsilon0": 1, "dimension": k}, 0)
        add("confidence 1", "published_level", {"confidence": 1, "epsilon0": 1, "dimension": k}, 1)
        add("confidence 1", "published_noise_level", {"epsilon": 0.4, "confidence": 1, "dimension": k}, 0.4)
        add(
            "every epsilon0 has it",
            "published_noise_level",
            {"epsilon": 0.4, "confidence": 0.01, "dimension": k},
            "inf",
        )
        add("confidence 0", "published_noise_level", {"epsilon": 0.4, "confidence": 0, "dimension": k}, "inf")
        add("nothing kept", "published_noise_level", {"epsilon": 0, "confidence": 0.5, "dimension": k}, 0)
    for k, (e, c) in itertools.product((1, 2, 5), ((0.4, 0.6), (0.01, 0.5), (2, 0.95), (0.1, 0.2))):
        inside = spread(exact(e), k)
        value = (
            mp.inf
            if inside >= exact(c)
            else root(lambda t, c=c, k=k, i=inside: exact(c) * spread(t, k) - i, 0, 500, 180)
        )
        add("section 6.2, case 1", "published_noise_level", {"epsilon": e, "confidence": c, "dimension": k}, value)
    for rho, n in ((0.01, 15000), (0.1, 100), (0.02, 10**6), (0.5, 3)):
        value = 1 - 2 * mp.exp(-2 * exact(rho) ** 2 * n)
        add("(13)", "published_tolerance", {"rho": rho, "samples": n}, value)
    for a, rho in ((0.9, 0.01), (0.95, 0.05), (0.999999, 0.001), (0, 0.1), (0.5, 0.5), (0.1, 1)):
        value = mp.ceil(mp.log(2 / (1 - exact(a))) / (2 * exact(rho) ** 2))
        add("(13) for n", "samples_needed", {"tolerance": a, "rho": rho}, int(value), rel=0)
    add("certainty", "samples_needed", {"tolerance": 1, "rho": 0.1}, "inf")
    BOOK.refused(
        "no input", "samples_needed", {"tolerance": 1.1, "rho": 0.1}, {"tolerance": 0.9, "rho": -1}, {"tolerance": 0.9}
    )
    for e, e0, g, k, eta, rho, n in (
        (0.4, 0.8, 0.9, 1, 1.0, 0.01, 15000),
        (0.4, 0.8, 0.9, 2, 1.5, 0.02, 10000),
        (1, 0.8, 0.5, 1, 1, 0.05, 5000),
        (0.1, 2, 1, 3, 0.5, 0.1, 400),
    ):
        args = {"epsilon": e, "epsilon0": e0, "confidence2": g, "dimension": k, "eta": eta, "rho": rho, "samples": n}
        value = published(e, exact(eta) * exact(e0), k) * exact(g) * (1 - 2 * mp.exp(-2 * exact(rho) ** 2 * n))
        add("Theorem 6", "published_confidence_sampled", args, value)
    for e, g3, g2, k, eta, a in (
        (0.4, 0.6, 0.9, 1, 1.0, 0.9),
        (0.4, 0.6, 0.9, 2, 2.0, 0.95),
        (0.1, 0.3, 0.5, 1, 1, 0.9),
        (2, 0.9, 0.95, 3, 1, 0.99),
    ):
        want = exact(a) * exact(g2) * spread(exact(e), k) / exact(g3)
        value = mp.inf if want >= 1 else root(lambda t, k=k, w=want: spread(t, k) - w, 0, 500, 180) / exact(eta)
        args = {"epsilon": e, "confidence3": g3, "confidence2": g2, "dimension": k, "eta": eta, "tolerance": a}
        add("case 3", "published_noise_level_sampled", args, value)
    add(
        "right side above",
        "published_noise_level_sampled",
        {"epsilon": 3, "confidence3": 0.3, "confidence2": 1, "dimension": 1, "eta": 1, "tolerance": 0.9},
        "inf",
    )
    pairs = [[[0, 0], [0.1 * i, 0.2 * i]] for i in range(1, 11)]
    for c, rank in ((0.05, 1), (0.1, 1), (0.3, 3), (0.7, 7), (0.71, 8), (1, 10)):
        add("order statistic", "sampled_sensitivity", {"pairs": pairs, "confidence": c}, 0.3 * rank)
    many = [[[0], [i]] for i in range(1, 101)]
    for c, rank in ((0.07, 7), (0.29, 29), (0.57, 57), (0.58, 58)):
        add("confidence as its decimal", "sampled_sensitivity", {"pairs": many[::-1], "confidence": c}, rank)
    BOOK.refused(
        "no pairs",
        "sampled_sensitivity",
        {"pairs": [], "confidence": 0.5},
        {"pairs": [[[1], [1, 2]]], "confidence": 0.5},
        {"pairs": [[[1], [2]]], "confidence": 1.5},
    )


def money():
    for e, e_0, k, cost, rate, floor in (
        (0.2741152835575902, 0.5, 1, 550000, 1, 0),
        (0.1, 0.5, 2, 1000, 2, 50),
        (0.7, 0.5, 1, 1000, 1, 10),
        (1, 4, 3, 10, 0.5, 1),
    ):
        args = {"cost": cost, "rate": rate, "floor": floor}
        g = published(e, e_0, k)
        value = g * h(e, **args) + (1 - g) * h(min(e_0, 1e9), **args)
        add(
            "(9)",
            "published_compensation",
            {"epsilon": e, "epsilon0": e_0, "dimension": k, **args},
            value if e < e_0 else h(e, **args),
        )
    for e, cost, rate, floor in (
        (0.5, 550000, 1, 0),
        (1e-3, 1e6, 1, 5),
        (0, 1e6, 1, 5),
        (0, 10, 2, 0),
        (50, 1, 3, 0),
        (1e4, 1, 1e-3, 2),
        (0.001, 1e9, 0.5, 0),
    ):
        add("(8)", "compensation", {"epsilon": e, "cost": cost, "rate": rate, "floor": floor}, h(e, cost, rate, floor))
    add("no protection", "compensation", {"epsilon": "inf", "cost": 10, "rate": 2, "floor": 1}, 11)
    BOOK.refused(
        "no input",
        "compensation",
        {"epsilon": -1, "cost": 10, "rate": 2, "floor": 1},
        {"epsilon": 1, "cost": -10, "rate": 2, "floor": 1},
        {"epsilon": 1, "cost": 1, "rate": 0, "floor": 1},
    )
    for e0, k, rate in (
        (0.1, 1, 1),
        (0.5, 1, 1),
        (1.0, 1, 1),
        (0.5, 2, 1),
        (2, 3, 1),
        (0.5, 1, 3),
        (3, 1, 1),
        (8, 2, 0.5),
        (20, 1, 1),
    ):
        args = {"cost": 550000, "rate": rate, "floor": 7}

        def cost_at(x, e0=e0, k=k, args=args):
            g = spread(x, k) / spread(exact(e0), k)
            return g * h(x, **args) + (1 - g) * h(e0, **args)

        grid = [mp.mpf(e0) * i / 400 for i in range(1, 401)]
        i = min(range(400), key=lambda i: cost_at(grid[i]))
        with mp.workdps(80):
            x = bottom(cost_at, grid[max(i - 1, 0)] if i else mp.mpf(e0) / 10**9, grid[min(i + 1, 399)])
        expect = {"epsilon": x, "confidence": published(x, e0, k), "cost": cost_at(x)}
        add("(10)", "published_cheapest", {"epsilon0": e0, "dimension": k, **args}, expect)
    for b, g, e0, cost in ((74000, 0.6, 0.5, 550000), (1000, 0.9, 0.5, 20000), (600, 0.99, 0.4, 3000), (5, 1, 2, 100)):
        left = exact(b) - (1 - exact(g)) * exact(cost) * mp.exp(-1 / exact(e0))
        value = (
            None
            if left <= 0
            else mp.inf
            if left >= exact(g) * exact(cost)
            else 1 / mp.log(exact(g) * exact(cost) / left)
        )
        args = {"budget": b, "confidence": g, "epsilon0": e0, "cost": cost}
        add("(11)", "published_level_for_budget", args, value, **({} if value is None else {"safe": "low"}))
    add(
        "never binds",
        "published_level_for_budget",
        {"budget": 1e6, "confidence": 0.5, "epsilon0": 1, "cost": 1000},
        "inf",
    )
    tight_ = {"budget": 100 * math.exp(-1), "confidence": 0, "epsilon0": 1, "cost": 100}
    BOOK.refused(
        "eaten up",
        "published_level_for_budget",
        {"budget": 10, "confidence": 0.1, "epsilon0": 1, "cost": 1000},
        {"budget": 0, "confidence": 1, "epsilon0": 1, "cost": 1000},
        tight_ | {"budget": 30},
    )
    for e0, cost, rate, floor in (
        (0.5, 550000, 1, 0),
        (0.1, 1000, 1, 3),
        (2, 1000, 1, 3),
        (5, 1, 0.5, 0),
        (1, 100, 10, 0),
        (12, 1, 1, 0),
    ):
        args = {"cost": cost, "rate": rate, "floor": floor}

        def tier(e, e0=e0, args=args):
            c = mp.exp(-exact(e0) / 2) * mp.sinh(e / 2)
            return c * h(e, **args) + (1 - c) * h(e0, **args)

        grid = [mp.mpf(e0) * i / 400 for i in range(1, 401)]
        i = min(range(400), key=lambda i: tier(grid[i]))
        with mp.workdps(80):
            x = bottom(tier, grid[i - 1] if i else mp.mpf(e0) / 10**9, grid[min(i + 1, 399)])
        x, cheapest = (exact(e0), tier(exact(e0))) if tier(exact(e0)) < tier(x) else (x, tier(x))
        add("two tiers", "two_tier_cheapest", {"epsilon0": e0, **args}, {"epsilon": x, "cost": cheapest}, rel=1e-8)
    expected_cost()


def laplace_mean(e0, f):
    """E f(|loss|): an atom at epsilon0 on both sides, the slope of the noise between them."""
    e0 = exact(e0)
    inner = mp.quad(lambda x: f(x) * mp.cosh(x / 2), mp.linspace(0, e0, 9))
    return (1 + mp.exp(-e0)) / 2 * f(e0) + mp.exp(-e0 / 2) / 2 * inner


def geometric_mean(e0, d, f):
    """E f(|loss|): output by output."""
    u = exact(e0) / d
    a, total = mp.exp(-u), mp.mpf(0)
    reach = int(130 / u) + d + 2
    for z in range(-reach, reach + 1):
        total += (1 - a) / (1 + a) * a ** abs(z) * f(abs(abs(z - d) - abs(z)) * u)
    return total


def expected_cost():
    for e0, cost, rate, floor in ((0.5, 550000, 1, 0), (0.05, 1e6, 1, 100), (3, 10, 0.5, 0), (20, 10, 2, 1)):
        args = {"cost": cost, "rate": rate, "floor": floor}
        value = laplace_mean(e0, lambda x, args=args: h(x, **args))
        add(
            "mean cost",
            "expected_compensation",
            {"epsilon0": e0, **args, "mechanism": "laplace", "sensitivity": 1},
            value,
        )
        for d in (1, 2, 5):
            if e0 / d > 0.04:
                value = max(geometric_mean(e0 * k / d, k, lambda x, args=args: h(x, **args)) for k in range(1, d + 1))
                add(
                    "mean cost",
                    "expected_compensation",
                    {"epsilon0": e0, **args, "mechanism": "geometric", "sensitivity": d},
                    value,
                )
    args = {"cost": 10, "rate": 1, "floor": 2, "sensitivity": 1}
    for kind in ("laplace", "geometric"):
        add("nothing released", "expected_compensation", {"epsilon0": 0, "mechanism": kind, **args}, 2)
        add("no protection", "expected_compensation", {"epsilon0": "inf", "mechanism": kind, **args}, 12)


# ------------------------------------------------------------------------------------------------ audited


def audited():
    for e0, s, share in itertools.product((1e-6, 0.1, 1, 7, 700), (1, 2.5), (0, 0.3, 0.999, 1, 1.4)):
        e = float(mp.nstr(exact(e0) * exact(share), 12))
        a, b, inside = exact(e), exact(e0), exact(e) < exact(e0)
        args = {"mechanism": "laplace", "epsilon": e, "epsilon0": e0, "sensitivity": s}
        add("Laplace", "confidence", args, mp.exp(-b / 2) * mp.sinh(a / 2) if inside else 1, abs=1e-300)
        add("Laplace", "risk", args, 1 - mp.exp(-(b - a) / 2) / 2 if inside else 0)
        add("Laplace", "delta", args, -mp.expm1(-(b - a) / 2) if inside else 0)
    for e0, d, share in itertools.product((0.6, 3, 30), (1, 2, 3, 7), (0, 0.2, 0.5, 0.95, 1, 2)):
        e = float(mp.nstr(exact(e0) * exact(share), 12))
        args = {"mechanism": "geometric", "epsilon": e, "epsilon0": e0, "sensitivity": d}
        within, above, stick = _geometric(Fraction(repr(e)), Fraction(repr(float(e0))), d)
        add("geometric, output by output", "confidence", args, within)
        add("geometric, output by output", "risk", args, above)
        add("geometric, output by output", "delta", args, stick)
    for mu, e in ((0.3, 0.1), (1, 1), (2, 0), (5, 30), (0.01, 0.001), (1, 8), (3, 5)):
        m, x = exact(mu), exact(e)
        args = {"mechanism": "gaussian", "epsilon": e, "mu": mu}
        add("Gaussian", "confidence", args, phi(x / m - m / 2) - phi(-x / m - m / 2))
        add("Gaussian", "risk", args, phi(m / 2 - x / m))
        with mp.workdps(80):
            value = phi(m / 2 - x / m) - mp.exp(x) * phi(-m / 2 - x / m)
        add("Gaussian", "delta", args, value)
    for fn in ("confidence", "risk", "delta"):
        ordinary = {"mechanism": "laplace", "epsilon": 0.5, "epsilon0": 1, "sensitivity": 1}
        BOOK.refused(
            "no input",
            fn,
            ordinary | {"epsilon": -1},
            ordinary | {"mechanism": "exact"},
            ordinary | {"mechanism": "geometric", "sensitivity": 1.5},
            {"mechanism": "gaussian", "epsilon": 1, "epsilon0": 2},
        )
    for e0, d in (
        (1, 0.1),
        (0.5, 1e-5),
        (3, 0.9),
        (0.1, 0.04),
        (0.1, 0.5),
        (700, 1e-12),
        (1, 0),
        (1, 1),
        (0, 0.1),
        (1e-9, 1e-12),
    ):
        value = max(mp.mpf(0), exact(e0) + 2 * mp.log1p(-exact(d))) if d < 1 else 0
        add("inverse of delta", "level_for_delta", {"epsilon0": e0, "delta": d}, value)
    for p, m, n in (
        (0.9, 290, 300),
        (0.95, 300, 300),
        (0.5, 1, 1),
        (0, 3, 5),
        (1, 3, 5),
        (0.99, 9990, 10000),
        (0.3, 1, 10),
    ):
        value = mp.fsum(mp.binomial(n, j) * exact(p) ** j * (1 - exact(p)) ** (n - j) for j in range(m))
        add("order statistics, binomial sum", "coverage_confidence", {"p": p, "rank": m, "samples": n}, value)
    BOOK.refused(
        "no rank", "coverage_confidence", {"p": 0.5, "rank": 6, "samples": 5}, {"p": 0.5, "rank": 0, "samples": 5}
    )
    vectors()


def _geometric(e, e0, d):
    """(worst confidence over shifts, risk and delta of the full shift... the worst over shifts), output by output."""
    if e >= e0:
        return 1, 0, 0
    u = e0 / d
    a = mp.exp(-mp.mpf(u.numerator) / u.denominator)
    reach = int(140 / float(u)) + 2 * d + 2
    worst = [mp.mpf(1), mp.mpf(0), mp.mpf(0)]
    grow = mp.exp(mp.mpf(e.numerator) / e.denominator)
    for shift in range(1, d + 1):
        within, above, stick = mp.mpf(0), mp.mpf(0), mp.mpf(0)
        for z in range(-reach, reach + 1):
            mass = (1 - a) / (1 + a) * a ** abs(z)
            loss = (abs(z - shift) - abs(z)) * u
            within += mass if abs(loss) <= e else 0
            above += mass if loss > e else 0
            stick += mass - grow * (1 - a) / (1 + a) * a ** abs(z - shift) if loss > e else 0
        worst = [min(worst[0], within), max(worst[1], above), max(worst[2], stick)]
    return worst


def vectors():
    for levels in ([0.5], [0.3, 0.3], [0.2, 0.5], [1, 1, 1], [0.1, 0.4, 0.9], [2, 3]):
        total = sum(Fraction(repr(float(x))) for x in levels)
        for share in (0, Fraction(1, 3), Fraction(3, 4), 1, 2):
            e = float(total * share)
            confidence, delta = _vector(levels, e)
            args = {"levels": levels, "epsilon": e}
            add("convolution of the losses", "vector_confidence", args, confidence, rel=1e-8)
            add("convolution of the losses", "vector_delta", args, delta, rel=1e-8)
    BOOK.refused(
        "no levels",
        "vector_delta",
        {"levels": [], "epsilon": 1},
        {"levels": [-1], "epsilon": 1},
        {"levels": "x", "epsilon": 1},
    )
    add("nothing released", "vector_delta", {"levels": [0, 0], "epsilon": 0}, 0)
    add("nothing released", "vector_confidence", {"levels": [0, 0], "epsilon": 0}, 1)


def _vector(levels, epsilon):
    """(P(|L| <= e), E[(1 - e^(eps - L))+]): all losses but the last are integrated piece by piece, the last in closed
    form."""
    total = float(sum(Fraction(repr(float(x))) for x in levels))
    if epsilon >= total:
        return 1, 0
    nodes, weights = np.polynomial.legendre.leggauss(24)

    def above(a, x):  # P(L > x), L in [-a, a] with atoms at both ends
        return np.where(x >= a, 0.0, np.where(x < -a, 1.0, 1 - np.exp(-(a - x) / 2) / 2))

    def stick(s, a):
        x = epsilon - s
        return np.where(x >= a, 0.0, np.where(x < -a, -np.expm1(x), -np.expm1(-(a - x) / 2)))

    def within(s, a):  # P(-e <= L + s <= e); the sums of atoms that meet e exactly are left to `above`
        return above(a, -epsilon - s - 1e-13) - above(a, epsilon - s + 1e-13)

    def mean(rest, shift, last):
        """The mean of LAST over the coordinates of REST but one, at each of the shifts."""
        if len(rest) == 1:
            return last(shift, rest[0])
        b, others = rest[0], rest[1:]
        result = np.exp(-b) / 2 * mean(others, shift - b, last) + mean(others, shift + b, last) / 2
        signs = list(itertools.product((-1, 1), repeat=len(others)))
        sums = [sum(x * y for x, y in zip(sign, others, strict=True)) for sign in signs]
        for place, s in np.ndenumerate(shift):
            marks = sorted({-b, b, *(m for t in (-epsilon, epsilon, 0.0) for v in sums if -b < (m := t - s - v) < b)})
            low, high = np.array(marks[:-1]), np.array(marks[1:])
            at = ((high - low)[:, None] * nodes / 2 + (high + low)[:, None] / 2).ravel()
            weight = ((high - low)[:, None] / 2 * weights).ravel()
            result[place] += np.sum(weight * np.exp((at - b) / 2) / 4 * mean(others, s + at, last))
        return result

    start = np.zeros(1)
    return float(mean(levels, start, within)[0]), float(mean(levels, start, stick)[0])


as_published()
money()
audited()
