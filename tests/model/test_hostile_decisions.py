"""Numbers from the edges of what may be entered: every example is answered and drawn, in JSON and in bounded time."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from dpwizard.base.errors import DPWizardError
from dpwizard.base.values import plain
from dpwizard.charts import picture
from dpwizard.decision import assess, read_decision
from tests.samples.decisions import EXAMPLES, example

EDGES = (
    0,
    5e-324,
    1e-300,
    1e-17,
    1e-12,
    1e-6,
    0.25,
    0.5,
    1 - 1e-16,
    1,
    1.0000001,
    2,
    50,
    1_000,
    1_000_000,
    10**12,
    10**15,
    1e300,
)
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.json"))
TRIALS = 16  # of each example
MECHANISMS = ("geometric", "laplace", "gaussian")


def numbers(found: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the places of all numbers in FOUND."""
    if isinstance(found, dict | list):
        for key, value in found.items() if isinstance(found, dict) else enumerate(found):
            yield from numbers(value, (*path, key))
    elif isinstance(found, int | float) and not isinstance(found, bool):
        yield path


def changed(raw: dict[str, Any], dice: Random) -> dict[str, Any]:
    """Return RAW with some numbers from the edges, and often with another mechanism."""
    made = copy.deepcopy(raw)
    if dice.random() < 0.3:
        made["release"].update(mechanism=dice.choice(MECHANISMS), delta=1e-6)
    places = [path for path in numbers(made) if path[0] in ("release", "requirements")]
    for path in dice.choices(places, k=dice.randint(1, 4)) if places else ():  # one example states no number
        inside: Any = made
        for key in path[:-1]:
            inside = inside[key]
        inside[path[-1]] = dice.choice(EDGES)
    return made


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_numbers_from_the_edges_are_answered_and_drawn(name: str) -> None:
    dice, raw, read = Random(name), example(name), 0
    for one in raw["requirements"]:
        if one.get("composition") == "tight":  # exact to the last digit at any sensitivity: seconds, not milliseconds
            one["composition"] = "optimal"
    for _ in range(TRIALS):
        try:
            decision = read_decision(changed(raw, dice))
        except DPWizardError:
            continue
        read += 1
        found = picture(decision)
        for answer in found.assessment.answers:
            assert answer.epsilon is None or answer.epsilon >= 0.0
            assert answer.status != "failed" or answer.epsilon is None  # what cannot be certified is no number
    assert read > TRIALS / 16


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
