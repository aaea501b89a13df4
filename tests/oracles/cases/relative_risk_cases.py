"""Cases of relative risk: Theorem 1 with fifty digits, its root by halving, infima by grids that close in on the lowest
places."""

from __future__ import annotations

import itertools

import mpmath as mp
import numpy as np

from .book import Book, exact, root

BOOK = Book("R", "relative_risk")
add = BOOK.add


# ------------------------------------------------------------------------------------------- Theorem 1


def ratio_of(p, q, epsilon, c=2):
    p, q, epsilon = exact(p), exact(q), exact(epsilon)
    near, far = (mp.exp(-c * epsilon), mp.exp(-epsilon)) if epsilon < mp.inf else (mp.mpf(0), mp.mpf(0))
    return 1 / (p * q + near * p * (1 - q) + far * (1 - p))


def epsilon_of(p, u, ratio, c=2):
    """The epsilon at which a person with prior u = pq of the disclosure reaches the ratio; 50 digits."""
    p, u, ratio, c = exact(p), exact(u), exact(ratio), exact(c)
    if ratio < 1:
        return mp.mpf(-1)
    if ratio == mp.inf or ratio * u >= 1:
        return mp.inf
    if ratio == 1:
        return mp.mpf(0)
    return root(lambda e: 1 / ratio - u - (p - u) * mp.exp(-c * e) - (1 - p) * mp.exp(-e), 0, 10000, 240)


# ------------------------------------------------------------------------------------- profiles, floating point


def profile_ratio(profile, p, u):
    """The allowed ratio (arrays): the lower of the two on an edge of steps."""
    shape = profile["shape"]
    if shape == "constant":
        return np.full_like(u, profile["ratio"])
    if shape == "cap_or_ratio":
        return np.maximum(profile["posterior"] / u, profile["ratio"])
    if shape == "cap":
        return profile["posterior"] / u
    if shape == "increase":
        return 1 + profile["amount"] / u
    if shape == "odds":
        return profile["factor"] / (1 - u + profile["factor"] * u)
    if shape == "power":
        return profile["constant"] * u ** -profile["exponent"]
    if shape == "knots2d":
        return np.exp(_surface(profile, np.log(p), np.log(u / p)))
    place = {"p": p, "q": u / p, "pq": u}[profile["axis"]]
    if shape == "knots":
        x, r = zip(*profile["points"], strict=True)
        return np.exp(np.interp(np.log(place), np.log(x), np.log(r)))
    edges, ratios = np.array(profile["edges"]), np.array(profile["ratios"], float)
    near = 1e-13 * edges
    return np.minimum(ratios[np.searchsorted(edges - near, place)], ratios[np.searchsorted(edges + near, place)])


def _surface(profile, x, y):
    rows, columns, z = np.log(profile["p"]), np.log(profile["q"]), np.log(np.array(profile["ratios"], float))

    def split(marks, at):
        at = np.clip(at, marks[0], marks[-1])
        i = np.clip(np.searchsorted(marks, at, side="right") - 1, 0, max(len(marks) - 2, 0))
        if len(marks) == 1:
            return i, i, np.zeros_like(at)
        return i, i + 1, (at - marks[i]) / (marks[i + 1] - marks[i])

    i, i1, s = split(rows, x)
    j, j1, t = split(columns, y)
    return (1 - s) * ((1 - t) * z[i, j] + t * z[i, j1]) + s * ((1 - t) * z[i1, j] + t * z[i1, j1])


def level(profile, p, u, c):
    """epsilon_i on arrays by Newton's steps on the promise in x = e^-epsilon."""
    with np.errstate(all="ignore"):
        r = profile_ratio(profile, p, u)
        rest = 1 / r - u
        if c == 2:
            x = 2 * rest / ((1 - p) + np.sqrt((1 - p) ** 2 + 4 * (p - u) * rest))
        elif c == 1:
            x = rest / (1 - u)
        else:
            x = np.clip(rest / (1 - u), 1e-300, 1)
            for _ in range(60):
                x = np.clip(
                    x - ((p - u) * x**c + (1 - p) * x - rest) / (c * (p - u) * x ** (c - 1) + (1 - p)), x / 10, 1
                )
        found = np.where(rest <= 0, np.inf, -np.log(x))
        return np.where(np.isclose(r * u, 1, rtol=1e-14), np.inf, found)


def lowest(profile, p, q, c=2):
    """Infimum over the box by closing in on the lowest cells of a logarithmic grid: (epsilon, p, q), limits at
    1e-15."""
    box = [(v, v) if not isinstance(v, list) else (v[0] or 1e-15, v[1]) for v in (p, q)]
    marks = _marks(profile)
    best = (np.inf, 1.0, 1.0)
    grids = [
        np.unique(np.concatenate([np.geomspace(lo, hi, 481), [m for m in marks if lo <= m <= hi], [lo, hi]]))
        for lo, hi in box
    ]
    pp, qq = np.meshgrid(*grids, indexing="ij")
    values = level(profile, pp, pp * qq, c)
    for flat in np.argsort(values, axis=None)[::40][:6]:
        i, j = np.unravel_index(flat, values.shape)
        a, b = grids[0][i], grids[1][j]
        spread = [np.log(hi / lo) / 40 for lo, hi in box]
        for _ in range(60):
            around = [
                np.unique(
                    np.clip(
                        np.append(v * np.exp(s * np.linspace(-1, 1, 25)), [v, *(m for m in marks if lo <= m <= hi)]),
                        lo,
                        hi,
                    )
                )
                for v, s, (lo, hi) in zip((a, b), spread, box, strict=True)
            ]
            pa, qa = np.meshgrid(*around, indexing="ij")
            at = level(profile, pa, pa * qa, c)
            k, m = np.unravel_index(np.argmin(at), at.shape)
            a, b = around[0][k], around[1][m]
            spread = [s / 2 for s in spread]
        best = min(best, (float(at[k, m]), float(a), float(b)))
    return best


def _marks(profile):
    if profile["shape"] == "knots2d":
        return [*profile["p"], *profile["q"]]
    return list(profile.get("edges", ())) + [x for x, _ in profile.get("points", ())]


def recommended(where, profile, p, q, c=2, **more):
    """One case from the search; places below 1e-11 of an open end are limits."""
    found, a, b = lowest(profile, p, q, c)
    open_p, open_q = isinstance(p, list) and p[0] == 0 and a < 1e-11, isinstance(q, list) and q[0] == 0 and b < 1e-11
    args = {"profile": profile, "p": p, "q": q} | ({} if c == 2 else {"replace_factor": c})
    expect = {"status": "allowed", "epsilon": found, "attained": not (open_p or open_q)}
    if "places" not in more and c != 1:
        expect |= {
            "p~": 0.0 if open_p else a,
            "q~": 0.0 if open_q else b,
        }  # at c = 1 only pq counts, and many places tie
    more.pop("places", None)
    add(where, "recommend", args, expect | more.pop("also", {}), safe="low", **more)


# --------------------------------------------------------------------------------------------------- cases


def simple():
    for p, q in ((1e-16, 0.5), (1e-6, 1e-9), (0.05, 0.2), (0.5, 1), (1, 0.3), (1, 1), (1, 1e-12), (0.999999, 0.999999)):
        for epsilon in (0, 1e-12, 0.3, 5, 50, 700, 1e4, "inf"):
            ratio = ratio_of(p, q, epsilon)
            add(
                "Theorem 1",
                "risk",
                {"p": p, "q": q, "epsilon": epsilon},
                {"ratio": ratio, "posterior": ratio * exact(p) * exact(q)},
            )
    for c in (1, 0.5, 1.3):
        for p, q, epsilon in ((0.3, 0.2, 1.0), (1, 0.1, 2.0), (1e-9, 0.5, 3.0)):
            ratio = ratio_of(p, q, epsilon, exact(c))
            args = {"p": p, "q": q, "epsilon": epsilon, "replace_factor": c}
            add("Theorem 1 with c", "risk", args, {"ratio": ratio, "posterior": ratio * exact(p) * exact(q)})
    places = (
        (1e-16, 0.5),
        (1e-6, 1e-9),
        (0.05, 0.2),
        (0.5, 1),
        (1, 0.3),
        (1, 1e-12),
        (0.3, 0.3),
        (1e-16, 1e-16),
        (0.05, 1),
    )
    for (p, q), ratio in itertools.product(places, (1, 1.0000001, 1.5, 10, "inf")):
        value = epsilon_of(p, exact(p) * exact(q), ratio)
        add("Theorem 2", "epsilon_at", {"p": p, "q": q, "ratio": ratio}, value, safe="low")
    for c, (p, q), ratio in itertools.product((1, 0.5, 1.3), ((0.05, 0.2), (1, 0.1), (1e-12, 0.5)), (1.5, 4)):
        value = epsilon_of(p, exact(p) * exact(q), ratio, c)
        add("Theorem 2 with c", "epsilon_at", {"p": p, "q": q, "ratio": ratio, "replace_factor": c}, value, safe="low")
    add("trap 1: r* = 1/(pq)", "epsilon_at", {"p": 0.5, "q": 0.5, "ratio": 4}, "inf")
    add("trap 1: beyond", "epsilon_at", {"p": 0.5, "q": 0.5, "ratio": 1e9}, "inf")
    add("certainty", "epsilon_at", {"p": 1, "q": 1, "ratio": 1}, "inf")
    add("p = 0.1, q = 1 at 10", "epsilon_at", {"p": 0.1, "q": 1, "ratio": 10}, "inf")
    nan = (
        {"p": "nan", "q": 1, "ratio": 2},
        {"p": [0.1, 0.2], "q": 1, "ratio": 2},
        {"p": True, "q": 1, "ratio": 2},
        {"q": 1, "ratio": 2},
    )
    BOOK.refused("no input", "epsilon_at", {"p": 0.5, "q": 0.5, "ratio": 0.999}, {"p": 0.5, "q": 0.5, "ratio": 0}, *nan)
    BOOK.refused(
        "no input",
        "epsilon_at",
        {"p": 1.2, "q": 1, "ratio": 2},
        {"p": 0, "q": 1, "ratio": 2},
        {"p": 0.1, "q": 1, "ratio": -3},
    )
    BOOK.refused(
        "no input",
        "risk",
        {"p": 0.5, "q": 1, "epsilon": -1},
        {"p": 0.5, "q": 1, "epsilon": 1, "r": 2},
        {"p": -0.1, "q": 1, "epsilon": 1},
    )


def others():
    for n, a, t, v in itertools.product((2, 4, 1000, 10**9), (0.5, 0.9, 0.999999), (1, 4.0), (1, 2.5)):
        value = exact(t) / exact(v) * mp.log((n - 1) * exact(a) / (1 - exact(a)))
        add(
            "(39)",
            "lee_clifton_epsilon",
            {"population": n, "posterior": a, "range": t, "difference": v},
            value,
            safe="low",
        )
    for n in (2, 3, 7, 10, 1000, 49):
        add(
            "no better than chance",
            "lee_clifton_epsilon",
            {"population": n, "posterior": 1 / n, "range": 1, "difference": 1},
            0,
        )
    add("certainty", "lee_clifton_epsilon", {"population": 10, "posterior": 1, "range": 1, "difference": 1}, "inf")
    below = [{"population": 10, "posterior": x, "range": 1, "difference": 1} for x in (0.09, 0, 1e-300)]
    BOOK.refused(
        "below chance",
        "lee_clifton_epsilon",
        *below,
        {"population": 4.5, "posterior": 0.5, "range": 1, "difference": 1},
    )
    BOOK.refused("no input", "lee_clifton_epsilon", {"population": 4, "posterior": 0.5, "range": 0, "difference": 1})
    for a, epsilon in itertools.product((0, 1e-12, 0.3, 0.999, 1), (0, 1e-9, 0.5, 40, 700, "inf")):
        prior, e = exact(a), exact(epsilon)
        if e == mp.inf:
            up, down = (mp.mpf(1) if a else mp.mpf(0)), (mp.mpf(0) if a < 1 else mp.mpf(1))
        else:
            up, down = prior / (prior + mp.exp(-2 * e) * (1 - prior)), prior / (prior + mp.exp(2 * e) * (1 - prior))
        add(
            "(42) and its mirror image",
            "participation",
            {"posterior_without": a, "epsilon": epsilon},
            {"upper": up, "lower": down},
        )
    BOOK.refused(
        "no input",
        "participation",
        {"posterior_without": 1.1, "epsilon": 1},
        {"posterior_without": 0.5, "epsilon": None},
    )


def closed():
    """Infima with a closed form of their own."""
    whole, half = [0, 1], mp.mpf(1) / 2
    for r, a in ((1.1, 0.3), (3, 0.25), (20, 0.9), (3, 0.999), (1.5, 0.01)):
        args = {"profile": {"shape": "cap_or_ratio", "posterior": a, "ratio": r}, "p": whole, "q": whole}
        value = half * mp.log((exact(r) - exact(a)) / (1 - exact(a)))
        expect = {"status": "allowed", "epsilon": value, "attained": True, "p~": 1.0, "q~": a / r}
        add("1/2 log((r-a)/(1-a))", "recommend", args, expect, safe="low")
        add(
            "c = 1: log theta",
            "recommend",
            args | {"replace_factor": 1},
            {"status": "allowed", "epsilon": 2 * value},
            safe="low",
        )
    for b in (1e-9, 0.01, 0.5, 0.999):
        value = mp.log((1 + exact(b)) / (1 - exact(b)))
        args = {"profile": {"shape": "increase", "amount": b}, "p": whole, "q": whole}
        add(
            "difference profile",
            "recommend",
            args,
            {"status": "allowed", "epsilon": value, "p~": 1.0, "q~": (1 - b) / 2},
            safe="low",
        )
        expect = {"status": "allowed", "epsilon": 2 * value, "p~": (1 - b) / 2, "q~": 1.0}
        add("its line q = 1", "recommend", args | {"q": 1}, expect, safe="low")
    for t in (1.000001, 2, 50, 1e6):
        args = {"profile": {"shape": "odds", "factor": t}, "p": whole, "q": whole}
        add(
            "odds everywhere",
            "recommend",
            args,
            {"status": "allowed", "epsilon": half * mp.log(exact(t)), "p~": 1.0},
            safe="low",
        )
        add("odds, q = 1", "recommend", args | {"q": 1}, {"status": "allowed", "epsilon": mp.log(exact(t))}, safe="low")
    for r in (1.5, 2, 3, 4, 9):
        args = {"profile": {"shape": "constant", "ratio": r}, "p": whole, "q": 1 / (r + 1)}
        expect = {"status": "allowed", "epsilon": mp.log(exact(r)), "unique": False}
        add("q = 1/(r+1): every p binds", "recommend", args, expect, safe="low")
    for r in (2, 6):
        args = {"profile": {"shape": "constant", "ratio": r}, "p": whole, "q": 1}
        expect = {"status": "allowed", "epsilon": mp.log(exact(r)), "attained": False, "p~": 0.0, "q~": 1.0}
        add("constant, q = 1: a limit", "recommend", args, expect, safe="low")
    for profile, p, q in (
        ({"shape": "constant", "ratio": "inf"}, whole, whole),
        ({"shape": "constant", "ratio": 20}, 0.5, 0.5),
        ({"shape": "cap", "posterior": 1}, whole, whole),
        ({"shape": "cap_or_ratio", "posterior": 1, "ratio": 1}, whole, whole),
        ({"shape": "increase", "amount": 1}, whole, whole),
        ({"shape": "power", "constant": 1, "exponent": 1}, whole, whole),
        ({"shape": "constant", "ratio": 2}, [0.8, 1], [0.9, 1]),
        ({"shape": "constant", "ratio": 1}, 1, 1),
    ):
        add("never binds", "recommend", {"profile": profile, "p": p, "q": q}, {"status": "unbounded", "epsilon": "inf"})
    for profile, p, q in (
        ({"shape": "constant", "ratio": 0.99}, whole, whole),
        ({"shape": "cap", "posterior": 0.2}, whole, whole),
        ({"shape": "cap", "posterior": 0.2}, 0.5, [0.5, 1]),
        ({"shape": "odds", "factor": 0.9}, 0.5, 0.5),
        ({"shape": "power", "constant": 0.5, "exponent": 0.5}, whole, 1),
        ({"shape": "steps", "axis": "p", "edges": [0.1], "ratios": [3, 0.9]}, whole, 1),
        ({"shape": "knots", "axis": "q", "points": [[0.1, 3], [0.5, 0.5]]}, 1, whole),
    ):
        add("below 1", "recommend", {"profile": profile, "p": p, "q": q}, None)
    for profile, p, q in (
        ({"shape": "constant", "ratio": 1}, whole, whole),
        ({"shape": "cap", "posterior": 0.2}, 0.4, [0.1, 0.5]),
        ({"shape": "increase", "amount": 0}, whole, whole),
        ({"shape": "odds", "factor": 1}, 0.5, 0.5),
        ({"shape": "cap_or_ratio", "posterior": 0, "ratio": 1}, whole, whole),
        ({"shape": "power", "constant": 1, "exponent": 0}, whole, [0, 0.5]),
    ):
        add("0 is an answer", "recommend", {"profile": profile, "p": p, "q": q}, {"status": "allowed", "epsilon": 0})
    constant = {"shape": "constant", "ratio": 3}
    for p, q in (
        ([1, 0], 1),
        ([0, 0], 1),
        ([0, 1.1], 1),
        (0, 1),
        ([0.5], 1),
        ([-0.1, 0.5], 1),
        ("x", 1),
        (None, 1),
        ([0, 0.5, 1], 1),
    ):
        add("no range", "recommend", {"profile": constant, "p": p, "q": q}, None)
    for profile in (
        {"shape": "triangle"},
        {"shape": "constant"},
        {"shape": "constant", "ratio": 3, "more": 1},
        {"shape": "cap", "posterior": 1.5},
        {"shape": "steps", "axis": "p", "edges": [0.1, 0.2], "ratios": [3, 2]},
        {"shape": "steps", "axis": "p", "edges": [0.2, 0.1], "ratios": [3, 2, 4]},
        {"shape": "knots", "axis": "r", "points": [[0.1, 3]]},
        {"shape": "knots", "axis": "p", "points": []},
        {"shape": "knots2d", "p": [0.1, 0.2], "q": [1], "ratios": [[3, 2]]},
        None,
        3,
    ):
        add("no profile", "recommend", {"profile": profile, "p": whole, "q": 1}, None)


def searched():
    whole = [0, 1]
    for r, a in ((3, 0.15), (3, 0.3), (5, 0.5), (1.2, 0.02), (10, 0.01)):
        profile = {"shape": "cap_or_ratio", "posterior": a, "ratio": r}
        for p, q in (
            (0.05, whole),
            (0.9, whole),
            (whole, 0.5),
            ([0.01, 0.2], [0.3, 0.8]),
            ([0, 0.3], [0.1, 1]),
            (whole, 0.02),
        ):
            recommended("cap or ratio", profile, p, q)
    for c in (1, 0.5, 1.5):
        recommended("c", {"shape": "cap_or_ratio", "posterior": 0.2, "ratio": 3}, [0, 0.4], [0.05, 1], c)
        recommended("c", {"shape": "constant", "ratio": 4}, [0.2, 0.9], [0.02, 0.6], c)
        recommended("c", {"shape": "increase", "amount": 0.2}, [0.2, 0.9], [0.02, 0.6], c)
    for b, p, q in ((0.1, [0, 0.3], whole), (0.4, 0.2, whole), (0.05, whole, 0.3), (0.3, [0.6, 1], [0.5, 1])):
        recommended("increase", {"shape": "increase", "amount": b}, p, q)
    for t, p, q in ((3, 0.3, [0.2, 0.7]), (1.2, [0.1, 0.5], [0.1, 0.4]), (100, [0.4, 0.6], 0.9)):
        recommended("odds", {"shape": "odds", "factor": t}, p, q)
    for k, e, p, q in (
        (1.2, 0.3, whole, whole),
        (1.05, 0.9, whole, 1),
        (2, 0.5, [0.1, 0.6], [0.1, 0.9]),
        (1.5, 0.1, 0.2, [0.01, 1]),
    ):
        recommended("power", {"shape": "power", "constant": k, "exponent": e}, p, q)
    for a, p, q in ((0.6, [0.1, 0.5], [0.1, 0.9]), (0.95, whole, [0, 0.5]), (0.4, 0.3, [0.2, 1])):
        recommended("cap", {"shape": "cap", "posterior": a}, p, q)
    points = [[0.01, 8], [0.1, 3], [0.4, 1.8], [0.9, 1.2]]
    for axis, (p, q) in itertools.product(
        "pq", ((whole, [0.2, 0.6]), ([0.05, 0.7], [0.1, 0.3]), (0.3, [0.05, 0.9]), ([0.05, 0.7], 1))
    ):
        recommended(f"knots on {axis}", {"shape": "knots", "axis": axis, "points": points}, p, q)
    for p, q in (([0.05, 0.7], [0.1, 0.9]), (0.3, [0.05, 0.9]), ([0.02, 0.8], 1)):
        recommended("knots on pq", {"shape": "knots", "axis": "pq", "points": [[0.01, 8], [0.1, 3], [0.5, 1.3]]}, p, q)
    steps = {"edges": [0.05, 0.3, 0.6], "ratios": [6, 3, 2, 1.5]}
    for axis, (p, q) in itertools.product(
        "pq", ((whole, [0.2, 0.5]), ([0.1, 0.6], [0.3, 0.9]), (0.3, [0.05, 0.59]), ([0.02, 0.25], 1))
    ):
        recommended(f"steps on {axis}", {"shape": "steps", "axis": axis, **steps}, p, q)
    recommended("steps on pq", {"shape": "steps", "axis": "pq", **steps}, 1, [0.1, 0.55])
    recommended("steps on pq", {"shape": "steps", "axis": "pq", **steps}, [0.01, 0.59], 1)
    surface = {
        "shape": "knots2d",
        "p": [0.01, 0.1, 0.9],
        "q": [0.05, 0.5, 1],
        "ratios": [[9, 5, 3], [6, 4, 2.5], [3, 1.8, 1.05]],
    }
    for p, q in (
        (whole, [0.02, 1]),
        ([0.05, 0.5], [0.1, 0.9]),
        (0.3, [0.05, 0.9]),
        ([0.02, 0.6], 1),
        ([0.001, 0.004], [0.6, 0.7]),
    ):
        recommended("surface of knots", surface, p, q)
    recommended(
        "surface with a dip", surface | {"ratios": [[9, 5, 3], [6, 1.05, 2.5], [3, 1.8, 1.05]]}, [0.02, 0.6], [0.1, 0.9]
    )


def several():
    tight, loose = {"shape": "constant", "ratio": 1.5}, {"shape": "constant", "ratio": 6}
    free, never = {"shape": "constant", "ratio": "inf"}, {"shape": "constant", "ratio": 0.5}
    one = {"p": [0, 1], "q": 1}
    log = {ratio: mp.log(exact(ratio)) for ratio in (1.5, 6)}
    for profiles, index, value in (
        ((loose, tight), 1, log[1.5]),
        ((tight, loose), 0, log[1.5]),
        ((free, loose), 1, log[6]),
        ((loose, free, tight), 2, log[1.5]),
    ):
        args = {"adversaries": [{"profile": x, **one} for x in profiles]}
        expect = {"status": "allowed", "epsilon": value, "index": index, "attained": False, "p~": 0.0, "q~": 1.0}
        add("the minimum binds", "recommend_all", args, expect, safe="low")
    add(
        "all unbounded",
        "recommend_all",
        {"adversaries": [{"profile": free, **one}] * 3},
        {"status": "unbounded", "epsilon": "inf"},
    )
    add(
        "one infeasible",
        "recommend_all",
        {"adversaries": [{"profile": x, **one} for x in (free, loose, never)]},
        {"": None},
    )
    args = {"adversaries": [{"profile": x, **one} for x in (never, free)]}
    add("infeasible beside unbounded", "recommend_all", args, {"status": "infeasible", "index": 0, "": None})
    half = {
        "adversaries": [
            {"profile": tight, "p": 1, "q": [0, 1]},
            {"profile": {"shape": "cap", "posterior": 0.5}, "p": 0.1, "q": 1},
        ]
    }
    add(
        "c = 1",
        "recommend_all",
        half | {"replace_factor": 1},
        {"status": "allowed", "epsilon": log[1.5], "index": 0},
        safe="low",
    )
    add("c = 2", "recommend_all", half, {"status": "allowed", "epsilon": log[1.5] / 2, "index": 0}, safe="low")
    BOOK.refused(
        "no adversaries",
        "recommend_all",
        {"adversaries": []},
        {"adversaries": [{"profile": tight, "p": [0, 1]}]},
        {"adversaries": {}},
    )


simple()
others()
closed()
searched()
several()
