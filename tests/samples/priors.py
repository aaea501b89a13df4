"""Samples of every family of priors, as a decision file states them: the one list that tests over families walk.

A new family has its samples here, the plainest first, and a way to be drawn at random with a truth about where its
mass lies.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

Stated = dict[str, Any]

SAMPLES: dict[str, tuple[Stated, ...]] = {  # the plainest, and one that spreads over about 0 to 10
    "uniform": ({"low": -1, "high": 4}, {"low": 0, "high": 10}),
    "normal": ({"mean": 1.5, "sd": 0.7}, {"mean": 3, "sd": 2}),
    "truncated_normal": ({"mean": 1, "sd": 2, "low": 0, "high": 5}, {"mean": 3, "sd": 2, "low": 0, "high": 9}),
    "lognormal": ({"log_mean": 0.3, "log_sd": 0.6}, {"log_mean": 1, "log_sd": 0.6}),
    "exponential": ({"rate": 0.8}, {"rate": 0.3}),
    "beta": ({"a": 0.6, "b": 2.5, "low": 1, "high": 3}, {"a": 2, "b": 0.7, "low": 0, "high": 10}),
    "discrete": (
        {"points": [1, 2, 2, 5], "probabilities": [1, 1, 1, 3]},
        {"points": [1, 2, 2, 5, 6, 4, 3.5], "probabilities": [1, 2, 1, 4, 1, 1, 3]},
    ),
    "histogram": (
        {"edges": [0, 1, 2.5, 4], "weights": [2, 0, 3]},
        {"edges": [0, 1, 4, 5, 6, 9], "weights": [1, 3, 0, 5, 2]},
    ),
}
FAMILIES = tuple(SAMPLES)


def sample(family: str) -> Stated:
    """Return the plainest prior of FAMILY."""
    return {"family": family, **SAMPLES[family][0]}


def wide(family: str) -> Stated:
    """Return a prior of FAMILY that spreads over about 0 to 10."""
    return {"family": family, **SAMPLES[family][1]}


def every() -> tuple[Stated, ...]:
    """Return every sample."""
    return tuple({"family": family, **stated} for family, found in SAMPLES.items() for stated in found)


# ------------------------------------------------------------------------------------ drawn at random


Drawn = tuple[Stated, float]  # a prior, and a truth about where its mass lies


def _between(rng: random.Random, low: float, high: float) -> float:
    return round(rng.uniform(low, high), rng.choice((1, 2, 4)))


def _uniform(rng: random.Random, low: float) -> Drawn:
    prior = {"low": low, "high": low + _between(rng, 0.5, 20)}
    return prior, rng.uniform(prior["low"], prior["high"])


def _normal(rng: random.Random, low: float) -> Drawn:
    prior = {"mean": low, "sd": _between(rng, 0.2, 5)}
    return prior, rng.gauss(prior["mean"], prior["sd"])


def _truncated_normal(rng: random.Random, low: float) -> Drawn:
    prior = {"mean": _between(rng, -5, 8), "sd": _between(rng, 0.5, 5), "low": low}
    prior |= {"high": low + _between(rng, 0.5, 10)}
    return prior, rng.uniform(prior["low"], prior["high"])


def _lognormal(rng: random.Random, low: float) -> Drawn:
    prior = {"log_mean": _between(rng, -1, 2), "log_sd": _between(rng, 0.2, 1.5)}
    return prior, math.exp(rng.gauss(prior["log_mean"], prior["log_sd"]))


def _exponential(rng: random.Random, low: float) -> Drawn:
    prior = {"rate": _between(rng, 0.1, 2)}
    return prior, rng.expovariate(prior["rate"])


def _beta(rng: random.Random, low: float) -> Drawn:
    prior = {"a": _between(rng, 0.3, 6), "b": _between(rng, 0.3, 6), "low": low}
    prior |= {"high": low + _between(rng, 0.5, 20)}
    return prior, rng.uniform(prior["low"], prior["high"])


def _discrete(rng: random.Random, low: float) -> Drawn:
    points = [round(rng.uniform(0, 10), 1) for _ in range(rng.randint(2, 12))]
    return {"points": points}, rng.choice(points)


def _histogram(rng: random.Random, low: float) -> Drawn:
    edges = sorted({round(rng.uniform(0, 10), 1) for _ in range(rng.randint(2, 9))} | {11.0, 12.0})
    weights = [rng.randint(0, 5) + (i == 0) for i in range(len(edges) - 1)]
    return {"edges": edges, "weights": weights}, rng.uniform(edges[0], edges[-1])


DRAWN: dict[str, Callable[[random.Random, float], Drawn]] = {
    "uniform": _uniform,
    "normal": _normal,
    "truncated_normal": _truncated_normal,
    "lognormal": _lognormal,
    "exponential": _exponential,
    "beta": _beta,
    "discrete": _discrete,
    "histogram": _histogram,
}


def at_random(rng: random.Random, family: str) -> Drawn:
    """Return a prior of FAMILY with numbers drawn at random, and a truth."""
    prior, truth = DRAWN[family](rng, _between(rng, -5, 5))
    return {"family": family, **prior}, truth
