"""Cases of whole tables of numbers and of rho: sums over the noise in fifty digits, binomial sums, roots by halving.

The best order of zCDP is found by golden section in fifty digits.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import mpmath as mp

from .book import Book, exact, root

NUMBERS = Book("M", "accuracy")
RHO = Book("Z", "accounting")

LAWS = ("geometric", "laplace", "gaussian", "discrete_gaussian")
BUDGETS = ((0.35, 1), (1.2, 2), (0.1, 1), (7, 3))  # epsilon or rho, and sensitivity


def tail(mechanism, budget, sensitivity, distance):
    """P(noise > distance) for a distance of 0 or more; of whole noise beyond the whole number below it."""
    b, s = exact(budget), exact(sensitivity)
    if mechanism == "laplace":
        return mp.exp(-b / s * exact(distance)) / 2
    if mechanism == "gaussian":
        return mp.erfc(exact(distance) * mp.sqrt(2 * b) / s / mp.sqrt(2)) / 2
    least = math.floor(Fraction(repr(distance))) + 1
    if mechanism == "geometric":
        a = mp.exp(-b / s)
        return a**least / (1 + a)
    variance = s * s / (2 * b)
    reach = int(30 * mp.sqrt(variance)) + 30

    def mass(k):
        return mp.exp(-(mp.mpf(k) ** 2) / (2 * variance))

    whole = mass(0) + 2 * mp.fsum(mass(k) for k in range(1, reach))
    return mp.fsum(mass(k) for k in range(least, least + reach)) / whole


def below(mechanism, budget, sensitivity, distance):
    """P(noise < distance)."""
    whole = mechanism in ("geometric", "discrete_gaussian")
    at = math.ceil(Fraction(repr(distance))) if whole else distance
    if at <= 0:
        return tail(mechanism, budget, sensitivity, -at)
    return 1 - tail(mechanism, budget, sensitivity, at - 1 if whole else at)


def at_least(inside, wanted, numbers):
    return mp.fsum(
        mp.binomial(numbers, k) * inside**k * (1 - inside) ** (numbers - k) for k in range(wanted, numbers + 1)
    )


def given(mechanism, budget, sensitivity, **rest):
    name = "rho" if "gaussian" in mechanism else "epsilon"
    return {"mechanism": mechanism, name: budget, "sensitivity": sensitivity, **rest}


def what_a_budget_gives():
    for mechanism, (budget, s) in itertools.product(LAWS, BUDGETS):
        for fraction, of in ((0.1, 100), (0.05, 37), (0.3, 1)):
            distance = float(Fraction(repr(fraction)) * Fraction(repr(of)))
            chance = min(1, 2 * tail(mechanism, budget, s, distance))
            args = given(mechanism, budget, s, fraction=fraction, of=of)
            NUMBERS.add("relative error", "relative_error", args, chance, rel=1e-11)
        for half_width, numbers in ((10, 12), (7.5, 100), (0, 3)):
            inside = max(mp.mpf(0), 1 - 2 * tail(mechanism, budget, s, half_width))
            args = given(mechanism, budget, s, half_width=half_width, numbers=numbers)
            NUMBERS.add("all numbers", "all_within", args, inside**numbers, rel=1e-11, abs=1e-300)
            for share in (0.9, 0.29, 1):
                wanted = math.ceil(Fraction(repr(share)) * numbers)
                NUMBERS.add(
                    "most numbers",
                    "share_within",
                    {**args, "share": share},
                    at_least(inside, wanted, numbers),
                    rel=1e-10,
                    abs=1e-300,
                )
        for true, threshold in ((45, 40), (45, 39.5), (3, 3), (2, 5), (0, 10)):
            chance = below(mechanism, budget, s, threshold - true)
            args = given(mechanism, budget, s, true_value=true, threshold=threshold)
            NUMBERS.add("thresholds", "drop_rate", args, chance, rel=1e-11, abs=1e-300)
        for threshold in (10, 2.5, 0, -3):
            chance = 1 - below(mechanism, budget, s, threshold)
            args = given(mechanism, budget, s, threshold=threshold)
            NUMBERS.add("thresholds", "spurious_rate", args, chance, rel=1e-11, abs=1e-300)
    NUMBERS.refused(
        "the wrong budget",
        "relative_error",
        {"mechanism": "gaussian", "epsilon": 1, "fraction": 0.1, "of": 10},
        {"mechanism": "laplace", "rho": 1, "fraction": 0.1, "of": 10},
        {"mechanism": "laplace", "fraction": 0.1, "of": 10},
    )


def needs():
    wanted = {
        "relative_error": {"fraction": 0.1, "of": 100, "at_most": 0.05},
        "all_within": {"half_width": 10, "level": 0.95, "numbers": 12},
        "share_within": {"half_width": 10, "share": 0.9, "level": 0.95, "numbers": 12},
        "drop_rate": {"true_value": 45, "threshold": 40, "at_most": 0.02},
        "spurious_rate": {"threshold": 10, "at_most": 0.001},
    }

    def kept(name, mechanism, budget, s):
        """Above 0 where the need is met."""
        asked = wanted[name]
        if name == "relative_error":
            return exact(asked["at_most"]) - 2 * tail(mechanism, budget, s, 10.0)
        if name == "drop_rate":
            return exact(asked["at_most"]) - below(mechanism, budget, s, -5)
        if name == "spurious_rate":
            return exact(asked["at_most"]) - 1 + below(mechanism, budget, s, 10)
        inside = 1 - 2 * tail(mechanism, budget, s, 10)
        share = 12 if name == "all_within" else 11
        return at_least(inside, share, 12) - exact(asked["level"])

    for name, s in itertools.product(wanted, (1, 2, 3.5)):
        for mechanism in ("geometric", "laplace", "gaussian"):
            budget = root(lambda x, m=mechanism, n=name, s=s: kept(n, m, x, s), "1e-9", 1000)
            if mechanism == "gaussian":
                call, args = f"rho_for_{name}", {**wanted[name], "sensitivity": s}
            else:
                call, args = f"epsilon_for_{name}", {**wanted[name], "sensitivity": s, "mechanism": mechanism}
            NUMBERS.add("the smallest budget", call, args, budget, rel=1e-10, safe="high")
    dropped = {"true_value": 5, "threshold": 10, "at_most": 0.1}
    for kind, none in (("epsilon", {"mechanism": "geometric"}), ("rho", {})):
        NUMBERS.refused("no budget will do", f"{kind}_for_drop_rate", {**dropped, **none})
        NUMBERS.refused("no budget will do", f"{kind}_for_spurious_rate", {"threshold": 0, "at_most": 0.1, **none})
        NUMBERS.add("any budget will do", f"{kind}_for_drop_rate", {**dropped, **none, "at_most": 0.5}, 0)


def phi(x):
    return mp.erfc(-x / mp.sqrt(2)) / 2


def gaussian_delta(mu, epsilon):
    return phi(mu / 2 - epsilon / mu) - mp.exp(epsilon) * phi(-mu / 2 - epsilon / mu)


def cks(rho, delta):
    """The least over orders, by golden section on log(a - 1)."""
    rest = -mp.log(delta)

    def at(x):
        more = mp.exp(x)
        a = 1 + more
        return a * rho + (rest + a * mp.log(1 - 1 / a) - x) / more

    places = [mp.mpf(k) / 4 for k in range(-80, 160)]
    middle = min(places, key=at)
    low, high, ratio = middle - 1, middle + 1, (mp.sqrt(5) - 1) / 2
    for _ in range(160):
        one, two = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (low, two) if at(one) < at(two) else (one, high)
    return max(mp.mpf(0), at((low + high) / 2))


def rho_and_epsilon():
    for rho, delta in itertools.product((0.001, 0.015, 0.5, 2.5, 40), (1e-10, 1e-5, 0.1)):
        r, d = exact(rho), exact(delta)
        mu = mp.sqrt(2 * r)
        curve = root(lambda e, m=mu, d=d: d - gaussian_delta(m, e), 0, 400) if gaussian_delta(mu, 0) > d else 0
        by_rule = {"exact": curve, "cks": cks(r, d), "loose": r + 2 * mp.sqrt(r * -mp.log(d))}
        for rule, epsilon in by_rule.items():
            rules = {"rel": 1e-8 if rule == "cks" else 1e-10, "abs": 1e-12, "safe": "high"}
            RHO.add("rho as epsilon", "epsilon_from_rho", {"rho": rho, "delta": delta, "rule": rule}, epsilon, **rules)
    for epsilon, delta in itertools.product((0.05, 1, 8), (1e-9, 0.01)):
        e, d = exact(epsilon), exact(delta)
        mu = root(lambda m, e=e, d=d: gaussian_delta(m, e) - d, "1e-9", 60)
        rest = -mp.log(d)
        by_rule = {
            "exact": mu * mu / 2,
            "cks": root(lambda r, d=d, e=e: cks(r, d) - e, "1e-9", 30, 60),
            "loose": (mp.sqrt(rest + e) - mp.sqrt(rest)) ** 2,
        }
        for rule, rho in by_rule.items():
            rules = {"rel": 1e-8 if rule == "cks" else 1e-10, "safe": "low"}
            args = {"epsilon": epsilon, "delta": delta, "rule": rule}
            RHO.add("epsilon as rho", "rho_from_epsilon", args, rho, **rules)
    RHO.add("a fraction", "epsilon_from_rho", {"rho": "53/513", "delta": 1e-10}, cks(mp.mpf(53) / 513, exact(1e-10)))
    RHO.refused("no input", "epsilon_from_rho", {"rho": "1/0", "delta": 0.1}, {"rho": -1, "delta": 0.1})
    for slices, kind, budget in ((12, "epsilon", 0.05), (365, "epsilon", 0.1), (4, "rho", 0.2)):
        basic = exact(budget) * slices if kind == "epsilon" else None
        rho = exact(budget) * slices if kind == "rho" else slices * exact(budget) ** 2 / 2
        least = cks(rho, exact(1e-9))
        expect = {"rho": rho, "epsilon": least if basic is None else min(basic, least)}
        expect |= {} if basic is None else {"basic": basic}
        RHO.add("slices", "person_loss", {"slices": slices, "delta": 1e-9, kind: budget}, expect, rel=1e-8)
    RHO.refused(
        "both, or neither",
        "person_loss",
        {"slices": 2, "delta": 0.1},
        {"slices": 2, "delta": 0.1, "rho": 1, "epsilon": 1},
    )


for make in (what_a_budget_gives, needs, rho_and_epsilon):
    make()
