"""The smallest change of a whole number, against every whole number on the way: over many random decisions in
conflict."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from dpwizard.base.errors import DPWizardError
from dpwizard.decision import Assessment, Decision, assess, edits, numbers, read_decision, smallest_changes
from tests.samples.decisions import COUNT, CROSSING, decided

AWAY = 100  # whole numbers tried on each side of the one that was entered


def drawn(dice: random.Random) -> Decision:
    """Return a decision, mostly in conflict, with a whole number that may open it."""
    at_most = dice.choice([0.02, 0.05, 0.1, 0.2])
    kind = dice.choice(["records", "records", "records", "steps", "population", "people", "n"])
    epsilon = 10 ** dice.uniform(-0.5, 0.7)
    requirements: list[dict[str, Any]] = [{"kind": "budget", "total": epsilon}]
    release = COUNT
    if kind == "records":
        rate = {
            "target": dice.choice([6.0, 3.5, 0.7, 12.3]),
            "per": dice.choice([1000, 100]),
            "records": dice.randint(30, 900),
        }
        side = dice.choice(["above", "below", "worst"])
        requirements.append(
            {
                "kind": "switch_probability",
                **rate,
                "deviation": round(rate["target"] * dice.uniform(0.02, 0.9), 2),
                "side": side,
                "at_most": at_most,
            }
        )
    elif kind == "steps":
        requirements.append({"kind": "switch_probability", "steps": dice.randint(1, 40), "at_most": at_most})
    elif kind == "population":
        requirements = [
            {"kind": "lee_clifton", "population": dice.randint(3, 300), "posterior": round(dice.uniform(0.001, 0.3), 3)}
        ]
        release = {**COUNT, "repetitions": dice.choice([1, 4])}  # a limit of all of them together
        requirements.append({"kind": "exact_probability", "at_least": math.tanh(epsilon / 2)})
    elif kind == "people":
        requirements = [{"kind": "compensation", "people": dice.randint(2, 300), "cost": 5500, "money": 40_000}]
        requirements.append({"kind": "exact_probability", "at_least": math.tanh(epsilon / 2)})
    else:
        release = {**COUNT, "mechanism": "exact", "statistic": "mean", "neighbours": "replace"}
        kappa = round(dice.uniform(3.9, 4.3), 2)
        requirements = [
            {"kind": "exact_mean", "n": dice.randint(2, 200), "correlation": 0.0, "r1": 4.0, "kappa": kappa}
        ]
    return read_decision({"format": "dpwizard.decision/1", "release": release, "requirements": requirements})


def opens(decision: Decision, where: str, value: int, base: Assessment) -> bool:
    try:
        window = assess(edits.put(decision, where, value), base).window
    except DPWizardError:
        return False
    return (
        not window.empty
        and (window.upper is None or window.upper > 0)
        and (window.complete or not base.window.complete)
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 6))])
def test_the_smallest_whole_number_is_found_where_opening_comes_and_goes_too(seed: int) -> None:
    dice = random.Random(seed)
    checked = 0
    for _ in range(9):
        decision = drawn(dice)
        base = assess(decision)
        if not base.window.empty:
            continue
        found = {(change.where, change.to > change.value): change for change in smallest_changes(decision, base)}
        for where, value in numbers(decision):
            if not isinstance(value, int) or not where.startswith("$.requirements"):
                continue
            for sign in (1, -1):
                first = next(
                    (value + sign * d for d in range(1, AWAY) if opens(decision, where, value + sign * d, base)), None
                )
                change = found.get((where, sign > 0))
                if first is not None:
                    assert change is not None, (where, first)
                    assert change.to == first, (where, value, sign)
                elif change is not None:
                    assert abs(change.to - value) >= AWAY, (where, value, sign)
                checked += 1
    assert checked > 3


@pytest.mark.soak
def test_a_rate_over_4012_records_opens_at_4080_and_not_only_at_4400() -> None:
    """Counts at the threshold are rounded, so that a count of records may open the window and the next one not."""
    decision = decided({"kind": "budget", "total": 1}, CROSSING)
    base = assess(decision)
    where = "$.requirements[1].records"
    assert opens(decision, where, 4080, base)
    assert not any(opens(decision, where, records, base) for records in (4013, 4040, 4070, *range(4076, 4080)))
    change = next(c for c in smallest_changes(decision, base) if c.where == where and c.to > 4012)
    assert change.to == 4080
