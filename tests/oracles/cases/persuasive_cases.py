"""Cases of Persuasive Privacy: laws of the loss, the noise they need, several values, and releases together, by Bayes'
rule on grids of outputs."""

from __future__ import annotations

import itertools

import mpmath as mp

from .accuracy_cases import phi, quantile
from .book import exact, root
from .persuasive_laws import BOOK, GAUSSIANS, GEOMETRICS, LAPLACES, TABLES, Lattice, above, add, effective, stick
from .persuasive_normal_cases import normal, scores, sums


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
