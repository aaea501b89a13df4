"""A bound on the odds: they may multiply by at most t."""

from __future__ import annotations

import random
from typing import Any

from tests.samples.profiles.curves import a_ratio

SAMPLES = ({"factor": 4},)


def drawn(rng: random.Random) -> dict[str, Any]:
    return {"factor": a_ratio(rng)}


def ratio(stated: dict[str, Any], p: Any, q: Any) -> Any:
    t, prior = stated["factor"], p * q
    return t / (1 - prior + t * prior)
