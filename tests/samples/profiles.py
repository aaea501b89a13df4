"""Samples of every shape of a risk profile, as a decision file states it: the one list that tests over shapes walk.

A new shape has its samples here, the plainest first, and a way to be drawn at random.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

Stated = dict[str, Any]


SAMPLES: dict[str, tuple[Stated, ...]] = {
    "constant": ({"ratio": 3}, {"ratio": 1}, {"ratio": 1e9}),
    "cap_or_ratio": ({"posterior": 0.25, "ratio": 3}, {"posterior": 0.5, "ratio": 5}),
    "cap": ({"posterior": 0.25}, {"posterior": 0.9}),
    "increase": ({"amount": 0.1},),
    "odds": ({"factor": 4},),
    "power": ({"constant": 1.5, "exponent": 0.4}, {"constant": 2, "exponent": 0.5}),
    "knots": (
        {"axis": "p", "points": [[0.01, 20], [0.2, 4], [0.7, 1.5]]},
        {"axis": "q", "points": [[0.01, 20], [0.2, 4], [0.7, 1.5]]},
        {"axis": "pq", "points": [[0.05, 7]]},
        {"axis": "pq", "points": [[0.01, 20], [0.1, 5], [0.5, 1.5]]},
        {"axis": "p", "points": [[0.001, 100], [0.01, 30], [0.1, 5], [0.5, 1.6], [1, 1]]},
    ),
    "steps": (
        {"axis": "p", "edges": [0.01, 0.1], "ratios": [10, 5, 2]},
        {"axis": "q", "edges": [], "ratios": [10]},
        {"axis": "pq", "edges": [0.01, 0.1], "ratios": ["inf", 5, 7]},
        {"axis": "p", "edges": [0.01, 0.1, 0.5], "ratios": [30, 6, 2, 1]},
    ),
    "knots2d": (
        {"p": [0.01, 0.1, 0.9], "q": [0.05, 0.5], "ratios": [[9, 5], [6, 4], [3, 2]]},
        {"p": [0.3], "q": [0.05], "ratios": [[9]]},
        {
            "p": [0.001, 0.1, 1],
            "q": [0.001, 0.01, 0.1, 0.3, 0.6, 0.8, 1],
            "ratios": [[50, 8, 7, 6, 5, 4, 3]] * 2 + [[2, 1, 1, 1, 1, 1, 1]],
        },
    ),
}
SHAPES = tuple(SAMPLES)


def sample(shape: str) -> Stated:
    """Return the plainest profile of SHAPE."""
    return {"shape": shape, **SAMPLES[shape][0]}


def every() -> tuple[Stated, ...]:
    """Return every sample."""
    return tuple({"shape": shape, **stated} for shape, found in SAMPLES.items() for stated in found)


def named(stated: Stated) -> str:
    """Return what a test over samples is called after."""
    return f"{stated['shape']}-{stated.get('axis', '')}"


# ------------------------------------------------------------------------------------ drawn at random


def _ratio(rng: random.Random) -> float:
    return 1 + 10 ** rng.uniform(-2, 1)


def _priors(rng: random.Random, fewest: int, most: int) -> list[float]:
    return sorted({round(10 ** rng.uniform(-3, 0), 5) for _ in range(rng.randint(fewest, most))})


def _axis(rng: random.Random) -> str:
    return rng.choice(["p", "q", "pq"])


def _knots(rng: random.Random) -> Stated:
    line = _priors(rng, 1, 6)
    return {"axis": _axis(rng), "points": [[x, _ratio(rng)] for x in line]}


def _steps(rng: random.Random) -> Stated:
    line = _priors(rng, 0, 5)
    ratios = [rng.choice([_ratio(rng), _ratio(rng), "inf"]) for _ in range(len(line) + 1)]
    return {"axis": _axis(rng), "edges": line, "ratios": ratios}


def _surface(rng: random.Random) -> Stated:
    p, q = _priors(rng, 1, 4), _priors(rng, 1, 4)
    return {"p": p, "q": q, "ratios": [[_ratio(rng) for _ in q] for _ in p]}


DRAWN: dict[str, Callable[[random.Random], Stated]] = {
    "constant": lambda rng: {"ratio": _ratio(rng)},
    "cap_or_ratio": lambda rng: {"posterior": rng.uniform(0.01, 0.9), "ratio": _ratio(rng)},
    "cap": lambda rng: {"posterior": rng.uniform(0.2, 0.99)},
    "increase": lambda rng: {"amount": rng.uniform(0.01, 0.6)},
    "odds": lambda rng: {"factor": _ratio(rng)},
    "power": lambda rng: {
        "constant": rng.uniform(1, 2),
        "exponent": rng.choice([rng.uniform(0, 1), rng.uniform(1, 1.5)]),
    },
    "knots": _knots,
    "steps": _steps,
    "knots2d": _surface,
}


def at_random(rng: random.Random, shape: str) -> Stated:
    """Return a profile of SHAPE with numbers drawn at random."""
    return {"shape": shape, **DRAWN[shape](rng)}
