"""A cap on the posterior probability."""

from __future__ import annotations

import random
from typing import Any

SAMPLES = ({"posterior": 0.25}, {"posterior": 0.9})


def drawn(rng: random.Random) -> dict[str, Any]:
    return {"posterior": rng.uniform(0.2, 0.99)}


def ratio(stated: dict[str, Any], p: Any, q: Any) -> Any:
    return stated["posterior"] / (p * q)
