"""A cap on the posterior or a ratio, whichever is weaker, (15)-(17)."""

from __future__ import annotations

import random
from typing import Any

from tests.samples.profiles.curves import a_ratio

SAMPLES = ({"posterior": 0.25, "ratio": 3}, {"posterior": 0.5, "ratio": 5})


def drawn(rng: random.Random) -> dict[str, Any]:
    return {"posterior": rng.uniform(0.01, 0.9), "ratio": a_ratio(rng)}


def ratio(stated: dict[str, Any], p: Any, q: Any) -> Any:
    return max(stated["posterior"] / (p * q), p / p * float(stated["ratio"]))
