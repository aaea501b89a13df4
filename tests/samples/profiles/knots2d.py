"""A surface through points on a grid of both priors."""

from __future__ import annotations

import random
from typing import Any

from tests.samples.profiles.curves import a_ratio, curve, some_priors

SAMPLES = (
    {"p": [0.01, 0.1, 0.9], "q": [0.05, 0.5], "ratios": [[9, 5], [6, 4], [3, 2]]},
    {"p": [0.3], "q": [0.05], "ratios": [[9]]},
    {
        "p": [0.001, 0.1, 1],
        "q": [0.001, 0.01, 0.1, 0.3, 0.6, 0.8, 1],
        "ratios": [[50, 8, 7, 6, 5, 4, 3]] * 2 + [[2, 1, 1, 1, 1, 1, 1]],
    },
)


def drawn(rng: random.Random) -> dict[str, Any]:
    p, q = some_priors(rng, 1, 4), some_priors(rng, 1, 4)
    return {"p": p, "q": q, "ratios": [[a_ratio(rng) for _ in q] for _ in p]}


def ratio(stated: dict[str, Any], p: Any, q: Any) -> Any:
    columns = [curve(tuple(zip(stated["q"], row, strict=True)), q) for row in stated["ratios"]]
    return curve(tuple(zip(stated["p"], columns, strict=True)), p)
