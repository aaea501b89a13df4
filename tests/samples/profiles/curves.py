"""What the files of several shapes share: numbers drawn at random, and a curve through points."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import mpmath as mp

NEAR = 1e-15  # beliefs this near an edge, relative, are on it


def a_ratio(rng: random.Random) -> float:
    return 1 + 10 ** rng.uniform(-2, 1)


def some_priors(rng: random.Random, fewest: int, most: int) -> list[float]:
    return sorted({round(10 ** rng.uniform(-3, 0), 5) for _ in range(rng.randint(fewest, most))})


def an_axis(rng: random.Random) -> str:
    return rng.choice(["p", "q", "pq"])


def counted(stated: dict[str, Any], p: Any, q: Any) -> Any:
    """Return the prior that a profile along an axis counts."""
    return {"p": p, "q": q, "pq": p * q}[stated["axis"]]


def log(x: Any) -> Any:
    return mp.log(x) if isinstance(x, mp.mpf) else math.log(x)


def curve(points: Sequence[tuple[Any, Any]], x: Any) -> Any:
    """Return the ratio at X of a curve through POINTS: log-linear between them, constant outside."""
    if x <= points[0][0] or x >= points[-1][0]:
        return points[0][1] if x <= points[0][0] else points[-1][1]
    (a, r), (b, t) = next(pair for pair in pairwise(points) if x <= pair[1][0])
    part = log(x / a) / log(x / x * b / a)
    return r ** (1 - part) * t**part
