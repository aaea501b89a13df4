"""Every example with numbers from the edges of what may be entered: answered and drawn, whatever they are, and in
bounded time."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from dpwizard.base.errors import DPWizardError
from dpwizard.charts import picture
from dpwizard.decision import read_decision
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
TRIALS = 20  # of each example
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
