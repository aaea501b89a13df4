"""The same ratio for every prior, (14)."""

from __future__ import annotations

import random
from typing import Any

from tests.samples.profiles.curves import a_ratio

SAMPLES = ({"ratio": 3}, {"ratio": 1}, {"ratio": 1e9})


def drawn(rng: random.Random) -> dict[str, Any]:
    return {"ratio": a_ratio(rng)}


def ratio(stated: dict[str, Any], p: Any, q: Any) -> Any:
    return p / p * float(stated["ratio"])
