"""A ratio for each interval of priors."""

from __future__ import annotations

import random
from typing import Any

from tests.samples.profiles.curves import NEAR, a_ratio, an_axis, counted, some_priors

SAMPLES = (
    {"axis": "p", "edges": [0.01, 0.1], "ratios": [10, 5, 2]},
    {"axis": "q", "edges": [], "ratios": [10]},
    {"axis": "pq", "edges": [0.01, 0.1], "ratios": ["inf", 5, 7]},
    {"axis": "p", "edges": [0.0999, 0.1, 0.1001], "ratios": [30, 6, 2, 1]},
)


def drawn(rng: random.Random) -> dict[str, Any]:
    edges = some_priors(rng, 0, 5)
    ratios = [rng.choice([a_ratio(rng), a_ratio(rng), "inf"]) for _ in range(len(edges) + 1)]
    return {"axis": an_axis(rng), "edges": edges, "ratios": ratios}


def ratio(stated: dict[str, Any], p: Any, q: Any) -> Any:
    prior, edges = counted(stated, p, q), stated["edges"]
    steps = zip(stated["ratios"], [0, *edges], [*edges, 1], strict=True)
    return min(float(r) for r, a, b in steps if a * (1 - NEAR) <= prior <= b * (1 + NEAR))
