"""Cases of programmes of tables and of the expected guess: closed forms and roots in fifty digits, all histories of a
person enumerated, the best window at every output integrated."""

from __future__ import annotations

import itertools
from fractions import Fraction

import mpmath as mp

from .book import Book, exact, root

PROGRAMME = Book("Y", "programme")
EXPECTED = Book("X", "guessing_advantage")

TABLES = (
    [{"sensitivity": 1, "rmse": 5}],
    [{"sensitivity": 1, "sensitivity_value": 1.4142135623730951, "half_width": 20, "level": 0.95, "times": 4}],
    [{"sensitivity": 100, "mean_absolute_error": 400, "times": 12}, {"sensitivity": 2.5, "rmse": 0.3}],
    [{"sensitivity": 0.1, "half_width": 3, "level": level} for level in (1e-6, 0.1, 0.5, 0.9999, 0.9999999)],
    [{"sensitivity": 10, "sensitivity_value": 1, "rmse": 7}, {"sensitivity": 1, "rmse": 1e-6, "times": 1000}],
)


def largest_sd(table):
    if "rmse" in table:
        return exact(table["rmse"])
    if "mean_absolute_error" in table:
        return exact(table["mean_absolute_error"]) * mp.sqrt(mp.pi / 2)
    return exact(table["half_width"]) / (mp.sqrt(2) * mp.erfinv(mp.mpf(table["level"])))


def least_epsilon(table):
    d = exact(table["sensitivity"])
    if "rmse" in table:
        return mp.sqrt(2) * d / exact(table["rmse"])
    if "mean_absolute_error" in table:
        return d / exact(table["mean_absolute_error"])
    return -d * mp.log(1 - mp.mpf(table["level"])) / exact(table["half_width"])


def needs():
    for tables in (*TABLES, [one for many in TABLES for one in many]):
        near = [t.get("times", 1) * (exact(t["sensitivity"]) / largest_sd(t)) ** 2 for t in tables]
        far = [
            t.get("times", 1) * (exact(t.get("sensitivity_value", 2 * t["sensitivity"])) / largest_sd(t)) ** 2
            for t in tables
        ]
        mu, mu_value = mp.sqrt(mp.fsum(near)), mp.sqrt(mp.fsum(far))
        wanted = {"mu": mu, "mu_value": mu_value, "rho": mu * mu / 2}
        PROGRAMME.add("Theorem 7", "need", {"tables": tables, "mechanism": "gaussian"}, wanted, rel=1e-12)
        epsilon = mp.fsum(t.get("times", 1) * least_epsilon(t) for t in tables)
        PROGRAMME.add(
            "Theorem 7",
            "need",
            {"tables": tables, "mechanism": "laplace"},
            {"epsilon": epsilon},
            rel=1e-12,
            safe="high",
        )
    PROGRAMME.refused("no need", "need", {"tables": [], "mechanism": "gaussian"})
    PROGRAMME.refused(
        "two needs",
        "need",
        {"tables": [{"sensitivity": 1, "rmse": 1, "half_width": 1, "level": 0.5}], "mechanism": "laplace"},
    )


def factors():
    for need, cap in ((2, 1.25), (0.3, 0.1), (1, 1), (1, 3), (1e200, 1e-50)):
        PROGRAMME.add(
            "Theorem 7",
            "fair_factor",
            {"need": need, "cap": cap},
            max(1, exact(need) / exact(cap)),
            rel=1e-15,
            safe="high",
        )
    for tables in (
        [{"sensitivity": 1, "rmse": 0.5}, {"sensitivity": 1, "rmse": 2, "times": 2}, {"sensitivity": 3, "rmse": 10}],
        [{"sensitivity": 5, "rmse": 0.01, "times": 7}],
        [{"sensitivity": 1, "rmse": 300}, {"sensitivity": 2, "rmse": 0.2}],
    ):
        for cap in (1e-6, 0.1, 2, 40):

            def left(factor, tables=tables, cap=cap):  # the variance of noise with ratio a is 2 a/(1 - a)^2
                spent = [
                    t.get("times", 1)
                    * 2
                    * exact(t["sensitivity"])
                    * mp.asinh(1 / (mp.sqrt(2) * factor * exact(t["rmse"])))
                    for t in tables
                ]
                return exact(cap) - mp.fsum(spent)

            wanted = 1 if left(mp.mpf(1)) >= 0 else root(left, 1, 1e12)
            PROGRAMME.add(
                "Theorem 7",
                "fair_factor_geometric",
                {"tables": tables, "cap": cap},
                wanted,
                rel=1e-12,
                safe="high",
            )


def promises():
    pairs = ((0.1, 1), (0.1, 0.5), (1, 0.25), (0.9, 0.01), (1e-4, 1))
    for (p, q), ratio, tolerance in itertools.product(pairs, (1.001, 1.5, 9), (1e-6, 0.01, 0.4, 0.9)):
        for mu, mu_value in ((1.5, 2), (40, 56.5), (3, 1)):
            if ratio * p * q >= 1:
                continue
            z = mp.sqrt(2) * mp.erfinv(2 * exact(tolerance) - 1)

            def room(factor, p=p, q=q, ratio=ratio, tolerance=tolerance, far=(mu, mu_value), z=z):
                lost = [1 - mp.ncdf(z - exact(m) / factor) / exact(tolerance) for m in far]
                return 1 - 1 / exact(ratio) - (1 - exact(p)) * lost[0] - exact(p) * (1 - exact(q)) * lost[1]

            wanted = 1 if room(mp.mpf(1)) >= 0 else root(room, 1, 1e9)
            args = {"p": p, "q": q, "ratio": ratio, "tolerance": tolerance, "mu": mu, "mu_value": mu_value}
            rel = 1e-12 if ratio > 1.1 else 1e-11
            PROGRAMME.add("Theorem 1", "requirement_factor", args, wanted, rel=rel)
    near = {"p": 0.5, "q": 0.5, "tolerance": 0.1, "mu": 1, "mu_value": 1}
    PROGRAMME.add("no bound", "requirement_factor", {**near, "ratio": 4}, 1, abs=0)
    PROGRAMME.refused("nothing learned", "requirement_factor", {**near, "ratio": 1}, {**near, "ratio": 0.5})


def shares():
    weights, sensitivities = [1, 10, 100, 0.5, 3], [1, 2, 0.1, 7, 1.5]
    for mechanism, power in (("gaussian", 1), ("laplace", 2)):
        scale = [exact(d) ** 2 / 2 if power == 1 else 2 * exact(d) ** 2 for d in sensitivities]
        for total in (0.01, 1.3, 60):
            for bound in (None, 0.02, 0.3):  # this share of the total is asked for by the first and third table
                limits = [None] * 5
                if bound is not None:
                    for i in (0, 2):
                        limits[i] = float(mp.sqrt(scale[i] / (exact(total) * exact(bound)) ** power))
                least = [
                    mp.mpf(0) if sd is None else (s / exact(sd) ** 2) ** (mp.mpf(1) / power)
                    for s, sd in zip(scale, limits, strict=True)
                ]
                rates = [
                    (exact(w) * s) ** (mp.mpf(1) / (power + 1)) for w, s in zip(weights, scale, strict=True)
                ]  # equal slopes

                def spent(level, least=least, rates=rates, total=total):
                    return mp.fsum(max(a, level * b) for a, b in zip(least, rates, strict=True)) - exact(total)

                level = root(spent, 0, 1e6)
                own = [max(a, level * b) for a, b in zip(least, rates, strict=True)]
                loss = mp.fsum(exact(w) * s / a**power for w, s, a in zip(weights, scale, own, strict=True))
                args = {"weights": weights, "sensitivities": sensitivities, "total": total, "mechanism": mechanism}
                if bound is not None:
                    args["at_most_sd"] = limits
                PROGRAMME.add("Karush-Kuhn-Tucker", "share", args, {"loss": loss}, rel=1e-12)
    one = {"weights": [1], "sensitivities": [1], "mechanism": "gaussian"}
    PROGRAMME.refused("too little", "share", {**one, "total": 0.02, "at_most_sd": [2.5]})
    PROGRAMME.refused(
        "lengths", "share", {**one, "total": 1, "at_most_sd": [1, 2]}, {**one, "total": 1, "at_most_sd": []}
    )


def year_of(parts):
    """The squares of one year by all places a person can be in: presence in one of each group, two values in two."""
    alone = [p for p in parts if "group" not in p]
    near = mp.fsum(square(p, "sensitivity") for p in alone)
    far = mp.fsum(square(p, "sensitivity_value") for p in alone)
    for group in sorted({p["group"] for p in parts if "group" in p}):
        members = [p for p in parts if p.get("group") == group]
        near += max(square(p, "sensitivity") for p in members)
        far += max(
            square(a, "sensitivity_value") if a is b else square(a, "sensitivity") + square(b, "sensitivity")
            for a, b in itertools.product(members, members)
        )
    return near, far


def square(part, name):
    given = part.get(name, 2 * part["sensitivity"])
    return part.get("times", 1) * (exact(given) / exact(part["sd"])) ** 2


def totals():
    root_two = 1.4142135623730951
    count = {"sensitivity": 1, "sensitivity_value": root_two}
    history = [
        {**count, "sd": 4, "year": "2024", "group": "regions"},
        {**count, "sd": 3, "year": "2024", "group": "regions"},
        {**count, "sd": 9, "year": "2024"},
        {**count, "sd": 4, "year": "2025", "times": 3},
        {"sensitivity": 2, "sensitivity_value": 2, "sd": 10, "year": "2026"},
        {"sensitivity": 10, "sensitivity_value": 1, "sd": 30, "year": "2027"},
    ]
    for parts in (history, history[:4], history[:1], [{"sensitivity": 1, "sd": 2, "times": 4}], history[3:5]):
        years = [
            year_of([p for p in parts if p.get("year") == year]) for year in dict.fromkeys(p.get("year") for p in parts)
        ]
        for most in (1, 2, 3, None):
            places = range(len(years))
            chosen = [
                frozenset(c)
                for n in range(min(most or len(years), len(years)) + 1)
                for c in itertools.combinations(places, n)
            ]
            near = max(mp.fsum(years[i][0] for i in one) for one in chosen)
            far = years[0][1]
            if len(years) > 1:
                far = max(
                    mp.fsum(years[i][1] for i in one & two) + mp.fsum(years[i][0] for i in one ^ two)
                    for one, two in itertools.product(chosen, chosen)
                )
            args = {"parts": parts} if most is None else {"parts": parts, "at_most": most}
            PROGRAMME.add("all histories", "total", args, {"mu": mp.sqrt(near), "mu_value": mp.sqrt(far)}, rel=1e-12)
    PROGRAMME.refused("nothing", "total", {"parts": []}, {"parts": history, "at_most": 0})


def ledgers():
    def record(accounting, **more):
        return {"accounting": accounting, "population": "city", "unit": "person", "neighbours": "add_remove", **more}

    pure, normal = {"epsilon": 0.5}, {"epsilon": 2.0, "delta": 1e-6, "rho": 0.1}
    of = {"population": "city", "unit": "person"}
    for records, epsilon, rho in (
        ([], 0, 0),
        ([record(pure)], 0.5, 0.125),
        ([record(pure), record(normal), record(pure, unit="household")], 2.5, 0.225),
        ([record(pure), record(pure, neighbours="replace")], 1.5, 0.625),
        ([record({"rho": 0.25})] * 3, "inf", 0.75),
    ):
        PROGRAMME.add(
            "sums", "ledger", {"records": records, **of}, {"epsilon": epsilon, "rho": rho}, rel=1e-12, abs=1e-300
        )


ATOMS = (
    {"family": "discrete", "points": [0, 1], "probabilities": [0.7, 0.3]},
    {"family": "discrete", "points": [0.1, 0.3, 0.5, 0.7]},
    {"family": "discrete", "points": [0, 1, 1.5, 4, 4.2, 9], "probabilities": [0.1, 0.3, 0.1, 0.2, 0.2, 0.1]},
    {"family": "discrete", "points": [5, 1, 1, 2], "probabilities": [2, 1, 1, 0]},
)


def of_atoms(prior, precision, noise):
    """The chance before and after: the heaviest window's density, integrated between all places where two are level."""
    masses = {}
    for x, m in zip(prior["points"], prior.get("probabilities") or [1] * len(prior["points"]), strict=True):
        masses[Fraction(repr(x))] = masses.get(Fraction(repr(x)), 0) + Fraction(repr(m))
    total = sum(masses.values())
    points = sorted(x for x, m in masses.items() if m > 0)
    weight = {x: exact(masses[x] / total) for x in points}
    wide = 2 * Fraction(repr(precision))
    windows = [[x for x in points if low <= x <= low + wide] for low in points]
    before = max(mp.fsum(weight[x] for x in window) for window in windows)
    s = exact(noise)

    def told(window, y):
        return mp.fsum(weight[x] * mp.exp(-(((y - exact(x)) / s) ** 2) / 2) for x in window)

    ends = exact(points[0]) - 45 * s, exact(points[-1]) + 45 * s
    level = []
    for one, other in itertools.combinations(windows, 2):
        left, right = [x for x in one if x not in other], [x for x in other if x not in one]
        if left and right:
            level.append(root(lambda y, a=left, b=right: told(b, y) - told(a, y), *ends))
    cuts = [-mp.inf, *sorted(level), mp.inf]
    after = mp.mpf(0)
    for low, high in itertools.pairwise(cuts):
        middle = (max(low, ends[0]) + min(high, ends[1])) / 2
        best = max(windows, key=lambda window: told(window, middle))
        after += mp.fsum(weight[x] * (mp.ncdf((high - exact(x)) / s) - mp.ncdf((low - exact(x)) / s)) for x in best)
    return before, after


def guesses():
    uniform, normal = {"family": "uniform", "low": 0, "high": 10}, {"family": "normal", "mean": 50, "sd": 10}
    for r, s in itertools.product((0.01, 1, 4.9, 5, 20), (0.05, 2, 70)):
        b = min(mp.mpf(1), 2 * exact(r) / 10)
        after = b + (1 - b) * mp.erf(exact(r) / exact(s) / mp.sqrt(2))
        EXPECTED.add(
            "a uniform value",
            "expected",
            {"prior": uniform, "precision": r, "noise": s},
            {"before": b, "after": after},
            rel=1e-13,
        )
        t = mp.sqrt(1 / (mp.mpf(1) / 100 + 1 / exact(s) ** 2))
        wanted = {"before": mp.erf(exact(r) / 10 / mp.sqrt(2)), "after": mp.erf(exact(r) / t / mp.sqrt(2))}
        EXPECTED.add("a normal value", "expected", {"prior": normal, "precision": r, "noise": s}, wanted, rel=1e-13)
    for gain, r in itertools.product((1e-12, 1e-3, 0.05, 0.4), (0.01, 1, 4)):
        rest = 1 - 2 * exact(r) / 10
        wanted = 0 if gain >= rest else exact(r) / (mp.sqrt(2) * mp.erfinv(exact(gain) / rest))
        args = {"prior": uniform, "precision": r, "gain": gain}
        EXPECTED.add("a uniform value", "noise_for_expected", args, wanted, rel=1e-12, safe="high")
        start = exact(r) / 10
        told = root(lambda x, y=start, g=gain: mp.erf(x / mp.sqrt(2)) - mp.erf(y / mp.sqrt(2)) - exact(g), start, 40)
        args = {"prior": normal, "precision": r, "gain": gain}
        wanted = exact(r) / mp.sqrt((told - start) * (told + start))
        EXPECTED.add("a normal value", "noise_for_expected", args, wanted, rel=1e-12, safe="high")
    for prior, r, s in itertools.product(ATOMS, (0, 0.1, 0.6), (0.05, 1, 12)):
        before, after = of_atoms(prior, r, s)
        EXPECTED.add(
            "values with weights",
            "expected",
            {"prior": prior, "precision": r, "noise": s},
            {"before": before, "after": after},
            rel=1e-13,
        )
    for prior, gain in itertools.product(ATOMS[:2], (1e-6, 0.02, 0.2)):
        before, _ = of_atoms(prior, 0, 1)
        wanted = root(lambda s, p=prior, b=before, g=gain: b + exact(g) - of_atoms(p, 0, s)[1], 0.02, 1e7, 70)
        args = {"prior": prior, "precision": 0, "gain": gain}
        EXPECTED.add("values with weights", "noise_for_expected", args, wanted, rel=1e-10, safe="high")
    for name, more in (("expected", {"noise": 1}), ("noise_for_expected", {"gain": 0.1})):
        EXPECTED.refused(
            "no such family", name, {"prior": {"family": "exponential", "rate": 1}, "precision": 1, **more}
        )


for make in (needs, factors, promises, shares, totals, ledgers, guesses):
    make()
