"""Cases of guessing advantage: the Laplace mechanism's extreme over outputs, the bounds as they stand, roots by
bracketing."""

from __future__ import annotations

import itertools
from functools import partial

import mpmath as mp

from .book import Book, crossing, exact, root
from .guessing_priors import prior_of

BOOK = Book("G", "guessing_advantage")
add = BOOK.add

UNIFORM = {"family": "uniform", "low": 0, "high": 10}
NORMAL = {"family": "normal", "mean": 2, "sd": 3}
CUT = {"family": "truncated_normal", "mean": 0, "sd": 1, "low": -0.5, "high": 2}
FAR = {"family": "truncated_normal", "mean": 0, "sd": 1, "low": 30, "high": 31}
LOG = {"family": "lognormal", "log_mean": 1, "log_sd": 0.5}
WAIT = {"family": "exponential", "rate": 0.5}
BETA = {"family": "beta", "a": 2, "b": 5}
HORN = {"family": "beta", "a": 0.5, "b": 0.5, "low": -1, "high": 3}
BINS = {"family": "histogram", "edges": [0, 1, 2.5, 4, 10], "weights": [1, 3, 0, 2]}
TENTHS = {"family": "discrete", "points": [0.1, 0.2, 0.3, 0.4, 0.9], "probabilities": [1, 2, 3, 4, 5]}
DICE = {"family": "discrete", "points": [1, 2, 3, 4, 5, 6]}
TWICE = {"family": "discrete", "points": [0, 1, 1, 7], "probabilities": [0.2, 0.1, 0.1, 0.6]}

PLACES = (
    (UNIFORM, 5, 1),
    (UNIFORM, 0, 1),
    (UNIFORM, 9.5, 2),
    (UNIFORM, 10.5, 1),
    (NORMAL, 2, 1),
    (NORMAL, -4, 0.5),
    (NORMAL, 12, 1),
    (CUT, 0, 0.3),
    (CUT, 2, 0.5),
    (FAR, 30.02, 0.01),
    (LOG, 2.7, 0.5),
    (LOG, 0.3, 0.4),
    (WAIT, 1, 0.5),
    (WAIT, 0, 1),
    (BETA, 0.2, 0.05),
    (HORN, -1, 0.3),
    (BINS, 1, 0.7),
    (BINS, 3, 0.4),
    (BINS, 6, 1.5),
    (TENTHS, 0.3, 0.1),
    (TENTHS, 0.8, 0.1),
    (DICE, 2, 1),
    (DICE, 3.5, 0.5),
    (TWICE, 1, 1),
    (TWICE, 7, 0.1),
)
DIVERGES = {"lognormal": lambda s, prior: s > 0, "exponential": lambda s, prior: s >= exact(prior["rate"])}


def posterior():
    for prior, x, r in PLACES:
        law = prior_of(prior)
        slow = prior["family"] in ("beta", "lognormal")
        add(
            "mass within the precision",
            "prior_probability",
            {"prior": prior, "truth": x, "precision": r},
            law.prior(x, r),
        )
        for epsilon in (0.1, 1, 20) if not slow else (0.7,):
            base = {"prior": prior, "truth": x, "precision": r, "epsilon": epsilon}
            for direction in ("rise", "drop"):
                s = exact(epsilon) / exact(r)
                if direction == "drop" and prior["family"] in DIVERGES and DIVERGES[prior["family"]](s, prior):
                    value = others = mp.mpf(0) if law.prior(x, r) < 1 else mp.mpf(1)
                else:
                    value, others = law.exact_posterior(x, r, epsilon, direction), None
                add(
                    "the Laplace mechanism's best output",
                    "posterior",
                    base | {"bound": "exact", "direction": direction},
                    value,
                )
                for name in ("main", "farthest", "simplified"):
                    if name == "simplified" and mp.isinf(law.high - law.low if prior["family"] != "discrete" else 1):
                        p = law.prior(x, r)
                        bound = p if p in (0, 1) else mp.mpf(direction == "rise")
                    else:
                        bound = law.bound(name, x, r, epsilon, direction) if others is None else others
                    add(
                        "as it stands in the method note",
                        "posterior",
                        base | {"bound": name, "direction": direction},
                        bound,
                    )
            if prior["family"] != "discrete":
                for name in ("published_annulus", "published_sum"):
                    if not (prior["family"] == "histogram" and name == "published_annulus" and x == 3):
                        value = law.bound(name, x, r, epsilon)
                        add("as published", "posterior", base | {"bound": name, "direction": "rise"}, value, rel=1e-8)
    for prior, x, r in (PLACES[0], PLACES[4], PLACES[12], PLACES[19]):
        base = {"prior": prior, "truth": x, "precision": r}
        p = prior_of(prior).prior(x, r)
        for bound in ("exact", "main", "farthest"):
            add("no protection", "posterior", base | {"epsilon": "inf", "bound": bound, "direction": "rise"}, 1)
            add("no protection", "posterior", base | {"epsilon": "inf", "bound": bound, "direction": "drop"}, 0)
            for direction in ("rise", "drop"):
                add("nothing released", "posterior", base | {"epsilon": 0, "bound": bound, "direction": direction}, p)
        for epsilon in (700, 1e4):
            add(
                "hardly any protection",
                "posterior",
                base | {"epsilon": epsilon, "bound": "exact", "direction": "rise"},
                1,
            )
    far = {"prior": UNIFORM, "truth": 50, "precision": 1}
    add("no mass", "prior_probability", far, 0)
    add("no mass", "posterior", far | {"epsilon": 3, "bound": "exact", "direction": "rise"}, 0)
    add(
        "all mass",
        "posterior",
        {"prior": UNIFORM, "truth": 5, "precision": 20, "epsilon": 3, "bound": "exact", "direction": "drop"},
        1,
    )
    add(
        "lognormal: the mean diverges",
        "posterior",
        {"prior": LOG, "truth": 2, "precision": 1, "epsilon": 1e-9, "bound": "exact", "direction": "drop"},
        0,
    )
    for family in (
        {"family": "uniform", "low": 1, "high": 1},
        {"family": "uniform", "low": 2, "high": 1},
        {"family": "normal", "mean": 0, "sd": 0},
        {"family": "normal", "mean": 0},
        {"family": "cauchy"},
        {"family": "exponential", "rate": -1},
        {"family": "beta", "a": 0, "b": 1},
        {"family": "discrete", "points": []},
        {"family": "discrete", "points": [1, 2], "probabilities": [1]},
        {"family": "discrete", "points": [1, 2], "probabilities": [0, 0]},
        {"family": "discrete", "points": [1, 2], "probabilities": [-1, 2]},
        {"family": "histogram", "edges": [0, 1], "weights": [1, 2]},
        {"family": "histogram", "edges": [1, 0], "weights": [1]},
        {"family": "histogram", "edges": [0, 1], "weights": [0]},
        {"family": "uniform", "low": 0, "high": 1, "mean": 3},
        "uniform",
        None,
    ):
        add(
            "no prior",
            "posterior",
            {"prior": family, "truth": 1, "precision": 1, "epsilon": 1, "bound": "exact", "direction": "rise"},
            None,
        )
    base = {"prior": UNIFORM, "truth": 5, "precision": 1, "epsilon": 1, "bound": "exact", "direction": "rise"}
    for wrong in (
        {"precision": 0},
        {"precision": -1},
        {"truth": "nan"},
        {"epsilon": -1},
        {"bound": "best"},
        {"direction": "up"},
        {"direction": "both"},
    ):
        add("no input", "posterior", base | wrong, None)


def need():
    for prior, x, r in PLACES:
        law = prior_of(prior)
        p = law.prior(x, r)
        for advantage, direction in ((0.05, "rise"), (0.3, "rise"), (0.02, "drop"), (0.05, "both")):
            base = {
                "prior": prior,
                "truth": x,
                "precision": r,
                "advantage": advantage,
                "bound": "exact",
                "direction": direction,
            }
            if (prior["family"] in ("beta", "lognormal") or (prior in (NORMAL, CUT) and x)) and (
                advantage != 0.05 or direction == "both"
            ):
                continue
            ends = [
                _exact_need(law, prior, x, r, p, advantage, d)
                for d in (("rise", "drop") if direction == "both" else (direction,))
            ]
            add("root of the exact posterior", "epsilon_for", base, min(ends), safe="low")
    for prior, x, r in (PLACES[0], PLACES[4], PLACES[16], PLACES[21]):
        law, p = prior_of(prior), prior_of(prior).prior(x, r)
        for bound in ("main", "farthest"):
            value = root(partial(_beyond, partial(law.bound, bound, x, r), p, 0.1), 0, 60, 100)
            args = {"prior": prior, "truth": x, "precision": r, "advantage": 0.1, "bound": bound, "direction": "rise"}
            add("root of the bound", "epsilon_for", args, value, safe="low")
    base = {"prior": UNIFORM, "truth": 5, "precision": 1, "bound": "exact"}
    for advantage, direction, value in (
        (0, "rise", 0),
        (0.8, "rise", "inf"),
        (0.9, "rise", "inf"),
        (0.2, "drop", "inf"),
        (0, "drop", 0),
        (0, "both", 0),
        (1, "both", "inf"),
    ):
        add("the ends", "epsilon_for", base | {"advantage": advantage, "direction": direction}, value)
    add("truth out of reach", "epsilon_for", base | {"truth": 99, "advantage": 0.1, "direction": "rise"}, "inf")
    add(
        "lognormal: nothing keeps a drop",
        "epsilon_for",
        {"prior": LOG, "truth": 2, "precision": 1, "advantage": 0.1, "bound": "exact", "direction": "drop"},
        0,
    )
    BOOK.refused(
        "no input",
        "epsilon_for",
        base | {"advantage": -0.1, "direction": "rise"},
        base | {"advantage": 1.1, "direction": "rise"},
        base | {"advantage": 0.1, "direction": "x"},
    )


def _exact_need(law, prior, x, r, p, advantage, direction):
    t = exact(advantage)
    if p in (0, 1) or (p + t >= 1 if direction == "rise" else t >= p):
        return mp.inf
    sign, top = (1, mp.mpf(2000)) if direction == "rise" else (-1, mp.mpf(400))
    if direction == "drop" and prior["family"] == "lognormal":
        return mp.mpf(0)
    if direction == "drop" and prior["family"] == "exponential":
        top = exact(prior["rate"]) * exact(r) * (1 - mp.mpf(10) ** -12)

    def f(e):
        return sign * (law.exact_posterior(x, r, e, direction) - p) - t

    low, high = mp.mpf(0), mp.mpf(1) / 64
    while high < top and f(high) < 0:
        low, high = high, min(2 * high, top)
    return crossing(f, low, high)


def formulas():
    for p, epsilon, width in itertools.product((0, 1e-12, 0.25, 0.999, 1), (0, 0.1, 50), (0, 1, 10)):
        for direction, sign in (("rise", -1), ("drop", 1)):
            e = exact(p)
            value = e if p in (0, 1) else 1 / (1 + mp.exp(sign * exact(epsilon) * width) * (1 - e) / e)
            add(
                "simplified",
                "simplified_posterior",
                {"p": p, "epsilon": epsilon, "range": width, "direction": direction},
                value,
            )
            if width == 1:
                add("category", "categorical_posterior", {"p": p, "epsilon": epsilon, "direction": direction}, value)
    for p, t, width in itertools.product((0, 1e-9, 0.25, 0.9, 1), (0, 0.05, 0.1, 0.25, 0.9), (0, 1, 10)):
        e, a = exact(p), exact(t)
        rise = (
            mp.inf if p in (0, 1) or width == 0 or e + a >= 1 else mp.log((e + a) * (1 - e) / (e * (1 - e - a))) / width
        )
        drop = mp.inf if p in (0, 1) or width == 0 or a >= e else mp.log(e * (1 - e + a) / ((e - a) * (1 - e))) / width
        for direction, value in (("rise", rise), ("drop", drop), ("both", min(rise, drop))):
            add(
                "simplified, solved",
                "simplified_epsilon",
                {"p": p, "advantage": t, "range": width, "direction": direction},
                value,
                safe="low",
            )
            if width == 1:
                add(
                    "category, solved",
                    "categorical_epsilon",
                    {"p": p, "advantage": t, "direction": direction},
                    value,
                    safe="low",
                )
    add("unbounded support", "simplified_posterior", {"p": 0.2, "epsilon": 1, "range": "inf", "direction": "rise"}, 1)
    add("unbounded support", "simplified_epsilon", {"p": 0.2, "advantage": 0.1, "range": "inf", "direction": "rise"}, 0)
    for t, width in itertools.product((1e-9, 0.1, 0.5, 0.999), (0.5, 1, 30)):
        e = 4 * mp.atanh(exact(t)) / exact(width)
        add(
            "worst prior",
            "worst_prior",
            {"advantage": t, "range": width},
            {"p": (1 - exact(t)) / 2, "epsilon": e, "advantage": exact(t)},
        )
    for e, width in ((0, 1), (0.3, 2), (5, 10), (100, 1), (1e-6, 1)):
        x = exact(e) * width
        add(
            "worst prior",
            "worst_prior",
            {"epsilon": e, "range": width},
            {"p": 1 / (1 + mp.exp(x / 2)), "advantage": mp.tanh(x / 4)},
        )
    BOOK.refused(
        "one of the two",
        "worst_prior",
        {"range": 1},
        {"range": 1, "epsilon": 1, "advantage": 0.1},
        {"range": -1, "epsilon": 1},
    )
    for prior, x, r in PLACES:
        law = prior_of(prior)
        for output in (x, x + 3 * r, 4):
            base = {"prior": prior, "truth": x, "precision": r, "epsilon": 0.8, "output": output}
            if prior["family"] == "discrete":
                value = law.at(x, r, 0.8, _rational(output), 1)
            else:
                a, b = law.goal(x, r)
                s, z = exact(0.8) / exact(r), exact(output)
                value = _tilted(law, s, z, a, b) / _tilted(law, s, z, law.low, law.high) if a < b else mp.mpf(0)
            add("Bayes' rule", "laplace_posterior", base, value)


def _tilted(law, s, z, low, high):
    """The mass of the law between two places, weighed by Laplace noise around z."""
    return mp.exp(-s * z) * law.tilt(s, low, min(high, z)) + mp.exp(s * z) * law.tilt(-s, max(low, z), high)


def _rise(law, r, epsilon, x):
    """The advantage of the truth x."""
    return law.exact_posterior(x, r, epsilon, scan=8) - law.prior(x, r)


def _rational(x):
    from .guessing_priors import rational

    return rational(x)


def worst():
    for low, high, r in ((0, 10, 1), (-5, 5, 0.5), (0, 1, 0.5), (0, 3, 1)):
        prior = {"family": "uniform", "low": low, "high": high}
        for epsilon in (0.1, 0.5, 1, 5, 30):
            u = exact(epsilon) * (high - low) / exact(r)
            ell = mp.log(u / -mp.expm1(-u)) / exact(epsilon)
            x0 = low + exact(r) * (min(max(ell, 1), 2) - 1)
            law = prior_of(prior)
            gain = law.exact_posterior(x0, r, epsilon) - law.prior(x0, r)
            add(
                "docs/methods/guessing_advantage.md, worst victim",
                "worst_truth",
                {"prior": prior, "precision": r, "epsilon": epsilon, "direction": "rise"},
                {"truth~": x0, "advantage": gain},
            )
    for prior, r in (
        (TENTHS, 0.1),
        (DICE, 1),
        (TWICE, 1),
        ({"family": "discrete", "points": [0, 1, 5], "probabilities": [1, 8, 1]}, 1),
    ):
        law = prior_of(prior)
        for epsilon, (direction, sign) in itertools.product((0.3, 2), (("rise", 1), ("drop", -1))):
            gains = [sign * (law.exact_posterior(x, r, epsilon, direction) - law.prior(x, r)) for x in law.masses]
            args = {"prior": prior, "precision": r, "epsilon": epsilon, "direction": direction}
            add("every atom", "worst_truth", args, {"advantage": max(gains)})
    for epsilon in (0.1, 1, 4):
        args = {"prior": LOG, "precision": 1, "epsilon": epsilon, "direction": "rise"}
        add(
            "lognormal: a limit",
            "worst_truth",
            args,
            {"truth": "inf", "advantage": -mp.expm1(-exact(epsilon))},
            rel=1e-8,
        )
    for prior, r in ((NORMAL, 1), (CUT, 0.3), (WAIT, 1), (BINS, 1)):
        law = prior_of(prior)
        reach = (law.low if law.low > -mp.inf else mp.mpf(-30), law.high if law.high < mp.inf else mp.mpf(40))
        for epsilon in (0.3, 2):
            marks = [reach[0] + (reach[1] - reach[0]) * i / 80 for i in range(81)]
            with mp.workdps(20):
                gain = partial(_rise, law, r, epsilon)
                seen = [gain(x) for x in marks]
                i = max(range(81), key=seen.__getitem__)
                low, high, g = marks[max(i - 1, 0)], marks[min(i + 1, 80)], (mp.sqrt(5) - 1) / 2
                for _ in range(32):
                    x, y = high - g * (high - low), low + g * (high - low)
                    low, high = (low, y) if gain(x) > gain(y) else (x, high)
            args = {"prior": prior, "precision": r, "epsilon": epsilon, "direction": "rise"}
            add(
                "search over the truths",
                "worst_truth",
                args,
                {"advantage": max(seen[i], gain((low + high) / 2))},
                rel=1e-8,
            )


def together():
    a = {"prior": UNIFORM, "truth": 5, "precision": 1}
    b = {"prior": NORMAL, "truth": 2, "precision": 1}
    c = {"prior": DICE, "truth": 2, "precision": 1}
    d = {"prior": {"family": "uniform", "low": 0, "high": 4}, "truth": 1, "precision": 0.5}
    for group in ([a], [a, b], [a, c], [a, d], [b, c, d], [c, c], [a, a, a, a]):
        laws = [(prior_of(x["prior"]), x["truth"], x["precision"]) for x in group]
        masses = [law.prior(x, r) for law, x, r in laws]
        joint = {"and": mp.fprod(masses), "or": 1 - mp.fprod(1 - p for p in masses), "one": masses[0]}
        for combine in ("and", "or") if len(group) > 1 else ("one", "and", "or"):
            base = {"attributes": group, "combine": combine}
            add("independence", "combined_prior", base, joint[combine])
            for epsilon in (0, 0.2, 1, 6):
                bound = _combined(laws, masses, combine, joint[combine], epsilon)
                add(
                    "docs/methods/guessing_advantage.md or tighter",
                    "combined_posterior",
                    base | {"epsilon": epsilon, "direction": "rise"},
                    bound,
                    atmost=True,
                )
                if len(group) == 1:
                    law, x, r = laws[0]
                    add(
                        "one attribute is exact",
                        "combined_posterior",
                        base | {"epsilon": epsilon, "direction": "drop"},
                        law.exact_posterior(x, r, epsilon, "drop"),
                    )
            for advantage in (0.05, 0.3):
                reached = partial(_combined, laws, masses, combine, joint[combine])
                with mp.workdps(22):
                    hopeless = joint[combine] + exact(advantage) >= 1
                    value = mp.inf if hopeless else _bracketed(partial(_beyond, reached, joint[combine], advantage))
                add(
                    "docs/methods/guessing_advantage.md or tighter",
                    "combined_epsilon",
                    base | {"advantage": advantage},
                    value,
                    atleast=True,
                )
            add("no advantage", "combined_epsilon", base | {"advantage": 0}, 0)
            add("all of it", "combined_epsilon", base | {"advantage": 1}, "inf")
    BOOK.refused(
        "no attributes",
        "combined_prior",
        {"attributes": [], "combine": "and"},
        {"attributes": [a], "combine": "xor"},
        {"attributes": [a, b], "combine": "one"},
    )


def _beyond(posterior, prior, advantage, epsilon):
    """How far a posterior lies above the prior and the advantage allowed."""
    return posterior(epsilon) - prior - exact(advantage)


def _bracketed(f):
    high = mp.mpf(1) / 64
    while f(high) < 0:
        high *= 2
    return root(f, 0, high, 40) * (1 - mp.mpf(2) ** -38)


def _combined(laws, masses, combine, joint, epsilon):
    """min(F+, min T1) for "and"; min(sum T1, simplified on the union) for "or"."""
    if len(laws) == 1:
        return laws[0][0].exact_posterior(laws[0][1], laws[0][2], epsilon)
    if epsilon == 0:
        return joint
    single = [law.exact_posterior(x, r, epsilon) for law, x, r in laws]
    if combine == "and":
        return min(single)  # F+ may be tighter still
    widths = [exact(law.high - law.low) / exact(r) if law.kind != "discrete" else _width(law, r) for law, _, r in laws]
    whole = 1 / (1 + mp.exp(-exact(epsilon) * max(widths)) * (1 - joint) / joint) if max(widths) < mp.inf else mp.mpf(1)
    return min(mp.fsum(single), whole, mp.mpf(1))


def _width(law, r):
    width = (law.high - law.low) / _rational(r)
    return mp.mpf(width.numerator) / width.denominator


with mp.workdps(30):
    posterior()
    need()
    formulas()
    worst()
    together()
