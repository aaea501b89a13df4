"""A bound on the difference of posterior and prior probability, (28)."""

from __future__ import annotations

import random
from typing import Any

SAMPLES = ({"amount": 0.1},)


def drawn(rng: random.Random) -> dict[str, Any]:
    return {"amount": rng.uniform(0.01, 0.6)}


def ratio(stated: dict[str, Any], p: Any, q: Any) -> Any:
    return 1 + stated["amount"] / (p * q)
