"""Cases of accuracy: sums over the noise distribution in fifty digits, whole counts in rationals, roots by halving.

A level next to 1 counts as the double it is: its distance from 1 has few digits as a decimal.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import mpmath as mp

from .book import Book, exact, root

BOOK = Book("A", "accuracy")
add = BOOK.add


def phi(x):
    return mp.erfc(-x / mp.sqrt(2)) / 2


def quantile(level):
    return mp.sqrt(2) * mp.erfinv(2 * level - 1)


def gaussian_delta(mu, epsilon):
    """The exact delta of Gaussian noise, mu = sensitivity/sd."""
    return phi(mu / 2 - epsilon / mu) - mp.exp(epsilon) * phi(-mu / 2 - epsilon / mu)


def gaussian_sd(epsilon, delta, sensitivity):
    """The sd of the exact calibration: delta grows with mu, so halve on log mu."""
    with mp.workdps(60):
        mu = mp.exp(root(lambda m: gaussian_delta(mp.exp(m), exact(epsilon)) - exact(delta), -80, 15, 200))
        return exact(sensitivity) / mu


def alpha_of(epsilon, sensitivity):
    return mp.exp(-exact(epsilon) / exact(sensitivity)) if epsilon != "inf" else mp.mpf(0)


def noise():
    for epsilon, s in itertools.product((1e-9, 0.1, 1, 2.5, 50, 700, 1e4), (1, 3, 1000)):
        a = alpha_of(epsilon, s)
        variance = 2 * a / (1 - a) ** 2
        expect = {
            "sd": mp.sqrt(variance),
            "variance": variance,
            "mae": 2 * a / (1 - a * a),
            "exact_probability": (1 - a) / (1 + a),
        }
        add("geometric", "noise", {"mechanism": "geometric", "epsilon": epsilon, "sensitivity": s}, expect)
    for epsilon, s in ((1e-9, 1), (0.1, 0.5), (1, 3.7), (50, 1), (1e4, 1e6)):
        b = exact(s) / exact(epsilon)
        expect = {"sd": mp.sqrt(2) * b, "variance": 2 * b * b, "mae": b, "exact_probability": 0}
        add("laplace", "noise", {"mechanism": "laplace", "epsilon": epsilon, "sensitivity": s}, expect)
    for epsilon, delta, s in (
        (1, 1e-5, 1),
        (0.1, 1e-9, 2),
        (8, 0.01, 1),
        (0, 0.1, 1),
        (0.5, 0.4, 3),
        (3, 1e-12, 0.1),
        (50, 1e-6, 1),
    ):
        sd = gaussian_sd(epsilon, delta, s)
        expect = {"sd": sd, "variance": sd * sd, "mae": sd * mp.sqrt(2 / mp.pi), "exact_probability": 0}
        add(
            "analytic calibration",
            "noise",
            {"mechanism": "gaussian", "epsilon": epsilon, "sensitivity": s, "delta": delta},
            expect,
        )
    none, endless = (
        dict.fromkeys(("sd", "variance", "mae"), 0) | {"exact_probability": 1},
        dict.fromkeys(("sd", "variance", "mae"), "inf"),
    )
    for kind in ("geometric", "laplace"):
        add(
            "epsilon 0",
            "noise",
            {"mechanism": kind, "epsilon": 0, "sensitivity": 1},
            endless | {"exact_probability": 0},
        )
        add("no noise", "noise", {"mechanism": kind, "epsilon": "inf", "sensitivity": 1}, none)
    add("no noise", "noise", {"mechanism": "gaussian", "epsilon": "inf", "sensitivity": 1, "delta": 1e-5}, none)
    add("no noise", "noise", {"mechanism": "exact", "epsilon": 1, "sensitivity": 1}, none)
    add("delta 0", "noise", {"mechanism": "gaussian", "epsilon": 1, "sensitivity": 1, "delta": 0}, endless)
    for wrong in (
        {"epsilon": -1},
        {"epsilon": "nan"},
        {"sensitivity": 0},
        {"sensitivity": -2},
        {"mechanism": "cauchy"},
        {"epsilon": None},
        {"epsilon": True},
    ):
        add("no input", "noise", {"mechanism": "laplace", "epsilon": 1, "sensitivity": 1} | wrong, None)
    add("gaussian without delta", "noise", {"mechanism": "gaussian", "epsilon": 1, "sensitivity": 1}, None)
    add("delta above 1", "noise", {"mechanism": "gaussian", "epsilon": 1, "sensitivity": 1, "delta": 1.5}, None)


def interval():
    for epsilon, s, level in itertools.product((0.01, 0.5, 2, 30), (1, 4), (0.5, 0.9, 0.99, 1 - 1e-9)):
        a = alpha_of(epsilon, s)
        h = max(0, int(mp.floor(mp.log((1 - mp.mpf(level)) * (1 + a) / 2) / mp.log(a))) - 3)
        while 1 - 2 * a ** (h + 1) / (1 + a) < mp.mpf(level):
            h += 1
        expect = {"half_width": h, "coverage": 1 - 2 * a ** (h + 1) / (1 + a)}
        add(
            "geometric: counted up",
            "noise_interval",
            {"mechanism": "geometric", "epsilon": epsilon, "sensitivity": s, "level": level},
            expect,
        )
    for epsilon, s, level in ((0.1, 1, 0.95), (2, 3.5, 1e-9), (1e3, 1, 1 - 1e-12), (1, 1, 0.999999999)):
        expect = {"half_width": -exact(s) / exact(epsilon) * mp.log(1 - mp.mpf(level)), "coverage": mp.mpf(level)}
        add(
            "laplace",
            "noise_interval",
            {"mechanism": "laplace", "epsilon": epsilon, "sensitivity": s, "level": level},
            expect,
        )
    for epsilon, delta, level in ((1, 1e-5, 0.95), (0.1, 1e-9, 0.5), (8, 0.01, 0.999999)):
        expect = {
            "half_width": gaussian_sd(epsilon, delta, 1) * quantile((1 + mp.mpf(level)) / 2),
            "coverage": mp.mpf(level),
        }
        args = {"mechanism": "gaussian", "epsilon": epsilon, "sensitivity": 1, "level": level, "delta": delta}
        add("gaussian", "noise_interval", args, expect)
    for kind in ("geometric", "laplace"):
        args = {"mechanism": kind, "epsilon": 1, "sensitivity": 1, "level": 1}
        add("certainty", "noise_interval", args, {"half_width": "inf"})
        add("epsilon 0", "noise_interval", args | {"epsilon": 0, "level": 0.5}, {"half_width": "inf"})
        add("no noise", "noise_interval", args | {"epsilon": "inf"}, {"half_width": 0, "coverage": 1})
        add("no level", "noise_interval", args | {"level": 0}, {"half_width": 0})
    add(
        "exact",
        "noise_interval",
        {"mechanism": "exact", "epsilon": 1, "sensitivity": 1, "level": 0.9},
        {"half_width": 0, "coverage": 1},
    )
    third = {
        "mechanism": "geometric",
        "epsilon": 1.0986122886681098,
        "sensitivity": 1,
        "level": 0.5,
    }  # ln 3, rounded up: P(0) just above 1/2
    add("decided to the last bit", "noise_interval", third, {"half_width": 0, "coverage": mp.mpf(1) / 2})
    add("no level", "noise_interval", third | {"level": 1.5}, None)


def cdf():
    for x, (epsilon, s) in itertools.product((-1000, -3.2, -1, -0.5, 0, 0.5, 1, 7.999, 50), ((0.5, 1), (2, 3))):
        a, k = alpha_of(epsilon, s), int(mp.floor(exact(x)))
        value = a**-k / (1 + a) if k < 0 else 1 - a ** (k + 1) / (1 + a)
        add(
            "geometric",
            "noise_cdf",
            {"mechanism": "geometric", "epsilon": epsilon, "sensitivity": s, "x": x},
            value,
            abs=0,
        )
    for x, epsilon, s in ((-300, 1, 1), (-1, 0.5, 2), (0, 1, 1), (3, 0.5, 2), (1e-12, 1, 1)):
        t = exact(x) * exact(epsilon) / exact(s)
        value = mp.exp(t) / 2 if t < 0 else 1 - mp.exp(-t) / 2
        add(
            "laplace", "noise_cdf", {"mechanism": "laplace", "epsilon": epsilon, "sensitivity": s, "x": x}, value, abs=0
        )
    for x, epsilon, delta in ((-30, 1, 1e-5), (0, 1, 1e-5), (4, 0.5, 1e-3)):
        args = {"mechanism": "gaussian", "epsilon": epsilon, "sensitivity": 1, "x": x, "delta": delta}
        add("gaussian", "noise_cdf", args, phi(exact(x) / gaussian_sd(epsilon, delta, 1)))
    for kind, x in itertools.product(("geometric", "laplace"), (-0.1, 0, 3)):
        add(
            "no noise: a step",
            "noise_cdf",
            {"mechanism": kind, "epsilon": "inf", "sensitivity": 1, "x": x},
            float(x >= 0),
        )
    add("exact", "noise_cdf", {"mechanism": "exact", "epsilon": 1, "sensitivity": 1, "x": -1e-9}, 0)
    BOOK.refused(
        "no input",
        "noise_cdf",
        {"mechanism": "laplace", "epsilon": 1, "sensitivity": 1, "x": "inf"},
        {"mechanism": "laplace", "epsilon": 1, "x": []},
    )


def need():
    for h, level, s in itertools.product((0, 0.5, 1, 2.7, 10, 1e6), (0.5, 0.9, 1 - 1e-9), (1, 3)):
        whole = int(mp.floor(exact(h)))
        # with a = e^-t: 1 - 2 a^(whole+1)/(1+a) grows with t
        t = root(lambda t, w=whole, p=level: 1 - 2 * mp.exp(-t * (w + 1)) / (1 + mp.exp(-t)) - mp.mpf(p), 0, 100, 230)
        args = {"mechanism": "geometric", "sensitivity": s, "half_width": h, "level": level}
        add("geometric: floor(half_width)", "epsilon_for_interval", args, t * s, safe="high")
    for h, level, s in ((1, 0.9, 1), (0.5, 0.5, 3.3), (1e-6, 0.999999, 1), (1e9, 0.1, 1)):
        args = {"mechanism": "laplace", "sensitivity": s, "half_width": h, "level": level}
        add("laplace", "epsilon_for_interval", args, -exact(s) / exact(h) * mp.log(1 - mp.mpf(level)), safe="high")
    for h, level, delta in ((5, 0.9, 1e-5), (1, 0.5, 1e-3), (0.3, 0.99, 1e-9), (1000, 0.9, 1e-5)):
        mu = quantile((1 + mp.mpf(level)) / 2) / exact(h)
        value = (
            root(lambda e, m=mu, d=delta: exact(d) - gaussian_delta(m, e), 0, 3000, 230)
            if gaussian_delta(mu, 0) > exact(delta)
            else mp.mpf(0)
        )
        args = {"mechanism": "gaussian", "sensitivity": 1, "half_width": h, "level": level, "delta": delta}
        add("gaussian", "epsilon_for_interval", args, value, safe="high")
    for kind, h in itertools.product(("geometric", "laplace"), (0, 3)):
        args = {"mechanism": kind, "sensitivity": 1, "half_width": h}
        add("certainty", "epsilon_for_interval", args | {"level": 1}, "inf")
        add("level 0", "epsilon_for_interval", args | {"level": 0}, 0)
    add(
        "continuous noise is never 0",
        "epsilon_for_interval",
        {"mechanism": "laplace", "sensitivity": 1, "half_width": 0, "level": 0.1},
        "inf",
    )
    for h, level in ((0, 1), (2, 0.9)):
        add(
            "exact: no noise at any epsilon",
            "epsilon_for_interval",
            {"mechanism": "exact", "sensitivity": 1, "half_width": h, "level": level},
            0,
        )
    args = {"mechanism": "laplace", "sensitivity": 1, "half_width": 1, "level": 0.5}
    BOOK.refused(
        "no input",
        "epsilon_for_interval",
        args | {"half_width": -1},
        args | {"level": 1.2},
        args | {"mechanism": "gaussian"},
    )


def switch():
    for epsilon, (threshold, true) in itertools.product(
        (0, 0.2, 2, 700, "inf"), ((24, 25), (24, 32), (24, 24), (24, 20), (0, 0), (0, 1))
    ):
        steps = true - threshold if true > threshold else threshold - true + 1
        a = alpha_of(epsilon, 1)
        add(
            "the other side",
            "switch_probability",
            {"epsilon": epsilon, "threshold_count": threshold, "true_count": true},
            a**steps / (1 + a),
            abs=0,
        )
    BOOK.refused(
        "no counts",
        "switch_probability",
        {"epsilon": 1, "threshold_count": 2.5, "true_count": 3},
        {"epsilon": 1, "threshold_count": "2", "true_count": 3},
    )
    for target, per, records, deviation, epsilon in (
        (6.0, 1000, 4012, 0.25, 2.1972245773362196),
        (6.0, 1000, 4012, 0.5, 1),
        (6.0, 1000, 4012, 1, 1),
        (6.0, 1000, 4012, 2, 0.1),
        (0.29, 1, 100, 0.01, 1),
        (0.29, 1, 100, 0.005, 1),
        (12.3, 1000, 1000, 0.7, 3),
        (2.675, 100, 1000, 0.05, 1),
        (0.1, 1, 30, 0.05, 0.5),
        (1.1, 1, 10, 0.15, 0.5),
        (5, 100, 10, 0.01, 2),
        (7, 1000, 999999, 1e-9, 1),
        (3.3, 10, 10**12, 0.0003, 1e-6),
        (0.5, 1, 5, 0, 1),
    ):
        t, n, d, records_ = (Fraction(repr(float(v))) for v in (target, per, deviation, records))
        threshold = records_ * t / n // 1
        above = max((records_ * (t + d) / n + Fraction(1, 2)) // 1, threshold + 1)
        below = min((records_ * (t - d) / n + Fraction(1, 2)) // 1, threshold)
        above, below = max(min(above, records_ // 1), threshold + 1), max(below, 0)
        a = alpha_of(epsilon, 1)
        expect = {
            "threshold_count": int(threshold),
            "true_count_above": int(above),
            "true_count_below": int(below),
            "above": a ** int(above - threshold) / (1 + a),
            "below": a ** int(threshold - below + 1) / (1 + a),
        }
        args = {"epsilon": epsilon, "target": target, "per": per, "records": records, "deviation": deviation}
        add("counts in rationals", "switch_rate", args, expect)
    args = {"epsilon": 1, "target": 6, "per": 1000, "records": 4012, "deviation": 0.25}
    BOOK.refused(
        "no input",
        "switch_rate",
        args | {"per": 0},
        args | {"deviation": -1},
        args | {"epsilon": -1},
        args | {"records": "many"},
    )
    for p, k in itertools.product((1e-300, 1e-9, 0.1, 0.3, 0.49999, 0.5), (1, 2, 9, 1000)):
        value = (
            root(lambda e, p=p, k=k: exact(p) - mp.exp(-e * k) / (1 + mp.exp(-e)), 0, 800, 240)
            if p < 0.5
            else mp.mpf(0)
        )
        add("Example 3 turned round", "epsilon_for_switch", {"probability": p, "steps": k}, value, safe="high")
    add("never", "epsilon_for_switch", {"probability": 0, "steps": 1}, "inf")
    BOOK.refused(
        "no input",
        "epsilon_for_switch",
        {"probability": -0.1, "steps": 1},
        {"probability": 0.1, "steps": 1.5},
        {"probability": 2, "steps": 1},
    )


noise()
interval()
cdf()
need()
switch()
