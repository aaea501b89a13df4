"""Budgets, deltas and promises at the ends of their ranges, under every noise: an answer in JSON, never a failure."""

from __future__ import annotations

import json
import random

import pytest

from dpwizard.base.values import plain
from dpwizard.decision import assess, read_decision

BUDGETS = (5e-324, 1e-300, 1e-160, 1e-30, 1e-9, 0.01, 1.0, 50.0, 700.0, 1e4, 1e15, 1e155, 1e299, 1e300)
DELTAS = (None, 1e-300, 1e-100, 1e-12, 1e-6, 0.01, 0.5, 0.999999)
CHANCES = (1e-300, 1e-15, 1e-6, 0.01, 0.5, 0.9, 1.0 - 1e-9, 1.0 - 2.0**-53)
NOISES = ("geometric", "laplace", "gaussian", "discrete_gaussian")
RULES = ("basic", "tight", "advanced", "optimal", "zcdp")


def promise(rng: random.Random) -> dict:
    return rng.choice(
        [
            {"kind": "two_worlds", "chance_without": rng.choice(CHANCES), "chance_with": rng.choice(CHANCES)},
            {"kind": "attack_advantage", "advantage": rng.choice(CHANCES)},
            {"kind": "attack_success", "baseline": rng.choice(CHANCES), "at_most": rng.choice(CHANCES)},
            {
                "kind": "budget",
                "total": rng.choice(BUDGETS),
                "composition": rng.choice(RULES),
                "delta": rng.choice(DELTAS[1:]),
            },
        ]
    )


def release(rng: random.Random) -> dict:
    relation = rng.choice(["add_remove", "replace"])
    found: dict = {"neighbours": relation, "repetitions": rng.choice([1, 1, 3, 100_000])}
    delta = rng.choice(DELTAS)
    if delta is not None:
        found["delta"] = delta
    count = rng.choice([1, 1, 2, 3])
    table = {"statistic": "count", "dimension": 1}
    if count == 1:
        found |= {**table, "mechanism": rng.choice(NOISES), "sensitivity": rng.choice([1, 3, 1e6])}
    else:
        found["parts"] = [
            {**table, "name": f"t{n}", "mechanism": rng.choice(NOISES), "sensitivity": 1, "share": f"1/{count}"}
            for n in range(count)
        ]
    if rng.random() < 0.3:
        known = rng.choice([{"epsilon": rng.choice(BUDGETS)}, {"rho": rng.choice(BUDGETS)}])
        found["spent"] = [{**known, "neighbours": relation}]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in (1, 2)), 3, 4])
def test_whatever_the_numbers_a_decision_is_answered(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(10):
        raw = {"format": "dpwizard.decision/1", "release": release(rng), "requirements": [promise(rng)]}
        raw[rng.choice(["epsilon", "rho"])] = rng.choice(BUDGETS)
        answered = plain(assess(read_decision(raw)))
        json.dumps(answered, allow_nan=False)
        assert answered["answers"][0]["status"] != "failed", raw
