"""A curve through points."""

from __future__ import annotations

import random
from typing import Any

from tests.samples.profiles.curves import a_ratio, an_axis, counted, curve, some_priors

SAMPLES = (
    {"axis": "p", "points": [[0.01, 20], [0.2, 4], [0.7, 1.5]]},
    {"axis": "q", "points": [[0.01, 20], [0.2, 4], [0.7, 1.5]]},
    {"axis": "pq", "points": [[0.05, 7]]},
    {"axis": "pq", "points": [[0.01, 20], [0.1, 5], [0.5, 1.5]]},
    {"axis": "p", "points": [[0.001, 100], [0.01, 30], [0.1, 5], [0.5, 1.6], [1, 1]]},
)


def drawn(rng: random.Random) -> dict[str, Any]:
    return {"axis": an_axis(rng), "points": [[x, a_ratio(rng)] for x in some_priors(rng, 1, 6)]}


def ratio(stated: dict[str, Any], p: Any, q: Any) -> Any:
    return curve(stated["points"], counted(stated, p, q))
