"""The code for the release, run against the real OpenDP: what it certifies is never above the epsilon or rho decided.

OpenDP lives in an environment of its own (`scripts/setup.sh soak`).
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from dpwizard.records import release_code
from tests.samples.decisions import recorded
from tests.samples.other_programs import ask

SEED = 20_261_121
KINDS = [
    ("geometric", 1, 1_500),
    ("geometric", 7, 700),
    ("laplace", 1, 1_500),
    ("laplace", 5, 700),
    ("gaussian", 1, 150),
    ("gaussian", 4, 150),
    ("discrete_gaussian", 1, 300),
    ("discrete_gaussian", 4, 300),
]


def case(dice: random.Random, mechanism: str, dimension: int) -> dict[str, Any]:
    epsilon = 10 ** dice.uniform(-3, 1.3)
    whole, normal = mechanism in ("geometric", "discrete_gaussian"), mechanism.endswith("gaussian")
    sensitivity: float = dice.choice([1, 2, 3, 12]) if whole else dice.choice([1.0, 0.1, 10 ** dice.uniform(-3, 4)])
    raw = {
        "format": "dpwizard.decision/1",
        "release": {
            "statistic": "vector" if dimension > 1 else "count" if whole else "sum",
            "neighbours": "add_remove",
            "sensitivity": sensitivity,
            "dimension": dimension,
            "mechanism": mechanism,
            **({"delta": 10 ** dice.uniform(-9, -4)} if normal else {}),
        },
        "epsilon": epsilon,
    }
    made = recorded(raw)
    code = release_code(made)
    number: Any = 41 if whole else 41.5
    return {
        "code": code,
        # an L2 distance is no number of steps; OpenDP certifies rho of it, not epsilon
        "sensitivity": int(sensitivity) if mechanism == "geometric" else float(sensitivity),
        "value": [number] * dimension if dimension > 1 else number,
        "epsilon": made.implementation[0].rho if mechanism == "discrete_gaussian" else epsilon,
        "delta": raw["release"].get("delta", 0.0),
    }


@pytest.mark.soak
@pytest.mark.parametrize(("mechanism", "dimension", "count"), KINDS)
def test_the_certified_loss_never_exceeds_epsilon(mechanism: str, dimension: int, count: int) -> None:
    dice = random.Random(SEED)
    cases = [case(dice, mechanism, dimension) for _ in range(count)]
    for one, found in zip(cases, ask("opendp_loss.py", cases), strict=True):
        assert 0 < found["epsilon"] <= one["epsilon"], one["code"]
        assert found["delta"] <= one["delta"]
        assert found["epsilon"] >= one["epsilon"] * (1 - 1e-5)  # and no epsilon is wasted
        released = found["released"]
        assert isinstance(released, list) == (dimension > 1)
