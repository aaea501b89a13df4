"""A power of the prior: c (pq)^-k."""

from __future__ import annotations

import random
from typing import Any

SAMPLES = ({"constant": 1.5, "exponent": 0.4}, {"constant": 2, "exponent": 0.5})


def drawn(rng: random.Random) -> dict[str, Any]:
    return {"constant": rng.uniform(1, 2), "exponent": rng.choice([rng.uniform(0, 1), rng.uniform(1, 1.5)])}


def ratio(stated: dict[str, Any], p: Any, q: Any) -> Any:
    return stated["constant"] * (p * q) ** -stated["exponent"]
