"""What the benchmarks work on: profiles, priors and decisions, drawn anew from a fixed seed, no two the same."""

from __future__ import annotations

import random
from typing import Any

Plain = dict[str, Any]

PRIORS: tuple[Plain, ...] = (
    {"family": "uniform", "low": 0, "high": 10},
    {"family": "normal", "mean": 3.5, "sd": 2},
    {"family": "truncated_normal", "mean": 3, "sd": 2, "low": 0, "high": 8},
    {"family": "lognormal", "log_mean": 1, "log_sd": 0.6},
    {"family": "exponential", "rate": 0.4},
    {"family": "beta", "a": 2, "b": 3, "low": 0, "high": 10},
    {"family": "discrete", "points": list(range(20))},
    {"family": "histogram", "edges": [0, 1, 2, 3, 5, 8, 10], "weights": [1, 2, 3, 2, 1, 1]},
)
MIX = ("constant",) * 3 + ("cap_or_ratio",) * 3 + ("knots",) * 2 + ("steps",)  # and one guessing_advantage makes ten
EACH_MIX = len(MIX) + 1


def cap_or_ratio(rng: random.Random) -> Plain:
    return {
        "shape": "cap_or_ratio",
        "posterior": round(rng.uniform(0.05, 0.5), 6),
        "ratio": round(rng.uniform(2, 8), 6),
    }


def profile(shape: str, rng: random.Random) -> Plain:
    """Return a profile of that shape: ratios fall as the prior grows, as an officer would draw it."""
    if shape == "constant":
        return {"shape": "constant", "ratio": round(rng.uniform(1.5, 6), 6)}
    if shape == "cap_or_ratio":
        return cap_or_ratio(rng)
    high = sorted((round(rng.uniform(1.5, 9), 6) for _ in range(5)), reverse=True)
    if shape == "knots":
        priors = (0.001, 0.01, 0.05, 0.2, 0.6)
        return {
            "shape": "knots",
            "axis": rng.choice(["p", "q", "pq"]),
            "points": [list(pair) for pair in zip(priors, high, strict=True)],
        }
    return {"shape": "steps", "axis": rng.choice(["p", "q", "pq"]), "edges": [0.01, 0.05, 0.2, 0.5], "ratios": high}


def surface(points: int, rng: random.Random, kind: str = "falling") -> Plain:
    """Return a knots2d profile with POINTS x POINTS knots between 1/1000 and 1.

    "falling": as an officer would draw it, uneven; "rough": every knot by chance; "flat": through the odds profile, on
    whose valley floor epsilon hardly changes, which is the dearest to search.
    """
    line = [round(10 ** (-3 + 3 * i / (points - 1)), 6) for i in range(points)]
    factor = rng.uniform(2, 6)

    def ratio(i: int, j: int) -> float:
        if kind == "flat":
            prior = line[i] * line[j]
            return factor / (1 - prior + factor * prior)
        return (
            rng.uniform(1.3, 9) if kind == "rough" else 1.3 + 8 * (1 - (i + j) / (2 * points)) * rng.uniform(0.8, 1.2)
        )

    return {
        "shape": "knots2d",
        "p": line,
        "q": line,
        "ratios": [[round(ratio(i, j), 6) for j in range(points)] for i in range(points)],
    }


def guess(rng: random.Random, prior: Plain, truth: Any) -> Plain:
    attribute = {"prior": prior, "truth": truth, "precision": round(rng.uniform(0.8, 1.2), 6), "effect": 1}
    return {"kind": "guessing_advantage", "attributes": [attribute], "advantage": round(rng.uniform(0.05, 0.2), 6)}


def adversary(shape: str, rng: random.Random) -> Plain:
    low = round(rng.uniform(0.001, 0.05), 6)
    return {
        "kind": "relative_risk",
        "adversary": "both",
        "p": [low, round(rng.uniform(0.6, 0.99), 6)],
        "q": [low, round(rng.uniform(0.6, 1), 6)],
        "profile": profile(shape, rng),
    }


def worst_of_histograms(count: int, bins: int) -> list[Plain]:
    """Return COUNT attributes believed in as histograms of BINS bins, each asked about for its worst victim."""
    rng = random.Random(bins)
    edges = [10.0 * i / bins for i in range(bins + 1)]
    weights = ([round(rng.gammavariate(0.7, 1.0), 6) for _ in range(bins)] for _ in range(count))
    beliefs = ({"family": "histogram", "edges": edges, "weights": each} for each in weights)
    return [{"prior": belief, "truth": "worst", "precision": 0.5, "effect": 1} for belief in beliefs]


def decision(adversaries: int, *, truth: str = "number", seed: int = 4) -> Plain:
    """Return a decision with so many adversaries: of ten, 3 constant, 3 cap_or_ratio, 2 knots, 1 steps, 1
    guessing_advantage."""
    rng = random.Random(seed)
    requirements = []
    for i in range(adversaries):
        if i % EACH_MIX == len(MIX):
            prior = PRIORS[
                1 + (i // EACH_MIX) % (len(PRIORS) - 1)
            ]  # a normal first: uniform priors have the quickest formulas
            requirements.append(guess(rng, prior, round(rng.uniform(2, 5), 6) if truth == "number" else "worst"))
        else:
            requirements.append(adversary(MIX[i % EACH_MIX], rng))
    release = {
        "statistic": "sum",
        "neighbours": "add_remove",
        "sensitivity": 1,
        "mechanism": "laplace",
        "unit": "one person",
    }
    return {
        "format": "dpwizard.decision/1",
        "title": "Benchmark",
        "release": release,
        "requirements": requirements,
        "epsilon": 0.5,
    }


def tables(count: int, groups: int) -> Plain:
    """A decision on so many tables, in groups that share no unit where GROUPS is not 0, asked in closed form."""
    share = groups or count
    parts = [
        {"name": f"table {i}", "statistic": "count", "sensitivity": 1, "share": 1 / share}
        | ({"group": f"group {i % groups}"} if groups else {})
        for i in range(count)
    ]
    value: Plain = {"kind": "categorical_advantage", "prior": {"a": 1, "b": 1}, "truth": "a", "advantage": 0.2}
    asked: list[Plain] = [
        value,
        {
            "kind": "relative_risk",
            "adversary": "inclusion",
            "p": [0, 1],
            "profile": {"shape": "constant", "ratio": 3},
        },
        {"kind": "lee_clifton", "population": 100, "posterior": 0.1},
        {"kind": "participation", "posterior_without": 0.1, "posterior_with": 0.2},
        {"kind": "budget", "total": 3},
        {"kind": "rmse", "at_most": 5000, "part": "table 7"},
        {"kind": "mean_absolute_error", "at_most": 5000, "part": "table 1700"},
        {"kind": "noise_interval", "half_width": 10_000, "level": 0.95, "part": "table 300"},
    ]
    release = {"neighbours": "add_remove", "mechanism": "laplace", "unit": "one person", "parts": parts}
    return {"format": "dpwizard.decision/1", "release": release, "requirements": asked, "epsilon": 1.0}


def lines(count: int, seed: int = 7) -> list[Plain]:
    """Return COUNT calls of functions by name, cheap and dear ones mixed as an officer's table of variants would."""
    rng = random.Random(seed)
    made: list[Plain] = []
    for i in range(count):
        epsilon, sensitivity = round(rng.uniform(0.05, 4), 6), round(rng.uniform(0.5, 3), 6)
        calls: tuple[tuple[str, Plain], ...] = (
            (
                "relative_risk.epsilon_at",
                {"p": round(rng.uniform(0.01, 1), 6), "q": round(rng.uniform(0.01, 1), 6), "ratio": 3},
            ),
            ("relative_risk.risk", {"p": 0.2, "q": round(rng.uniform(0.01, 1), 6), "epsilon": epsilon}),
            ("relative_risk.recommend", {"profile": cap_or_ratio(rng), "p": [0, 1], "q": 1}),
            ("accuracy.noise", {"mechanism": "geometric", "epsilon": epsilon, "sensitivity": 1}),
            (
                "accuracy.noise_interval",
                {"mechanism": "laplace", "epsilon": epsilon, "sensitivity": sensitivity, "level": 0.95},
            ),
            ("accuracy.switch_probability", {"epsilon": epsilon, "threshold_count": 24, "true_count": 25 + i % 5}),
            (
                "privacy_at_risk.confidence",
                {"mechanism": "laplace", "epsilon": epsilon / 2, "epsilon0": epsilon, "sensitivity": 1},
            ),
            (
                "privacy_at_risk.delta",
                {"mechanism": "geometric", "epsilon": epsilon / 2, "epsilon0": epsilon, "sensitivity": 1},
            ),
            ("composition.basic", {"levels": [epsilon, epsilon / 2]}),
            (
                "guessing_advantage.simplified_epsilon",
                {"p": 0.2, "advantage": round(rng.uniform(0.01, 0.5), 6), "range": 3},
            ),
        )
        name, arguments = calls[i % len(calls)]
        made.append({"id": i, "fn": name, "args": arguments})
    return made
