"""Releases with pure noise and adversaries of relative risk, drawn at random for tests that read a limit elsewhere."""

from __future__ import annotations

import random
from typing import Any

from tests.samples import profiles


def digits(dice: random.Random, low: float, high: float) -> float:
    return round(dice.uniform(low, high), 4)


def a_release(dice: random.Random) -> dict[str, Any]:
    """A sum with pure noise, the other sensitivity known or not, repetitions, earlier releases or two tables."""
    kind = dice.choice(("geometric", "laplace"))
    whole = kind == "geometric"
    neighbours = dice.choice(("add_remove", "replace"))
    added = dice.randint(1, 4) if whole else digits(dice, 0.2, 5)
    replaced = dice.choice((added, 2 * added, dice.randint(1, 2 * added) if whole else digits(dice, 0.2, 2) * added))
    replaced = min(replaced, 2 * added)
    declared, other = (added, replaced) if neighbours == "add_remove" else (replaced, added)
    release: dict[str, Any] = {"statistic": "sum", "step": 1, "unit": "one person", "neighbours": neighbours}
    release |= {"sensitivity": declared, "mechanism": kind}
    release |= {"sensitivity_other": other} if dice.random() < 0.6 else {}
    release |= {"repetitions": dice.randint(1, 4)} if dice.random() < 0.5 else {}
    if dice.random() < 0.3:
        release["priors_from"] = "before_all"
        release["spent"] = [{"epsilon": digits(dice, 0.01, 0.2), "neighbours": "add_remove"}]
    if dice.random() < 0.4:
        share = digits(dice, 0.1, 0.8)
        release |= {"sensitivity": 8, "sensitivity_other": digits(dice, 4, 16)}
        release["parts"] = [
            {"name": name, "statistic": "count", "sensitivity": dice.randint(1, 4), "share": part}
            for name, part in (("one", share), ("two", round(1 - share, 4)))
        ]
    return release


def a_belief(dice: random.Random) -> float | list[float]:
    if dice.random() < 0.3:
        return digits(dice, 0.01, 0.99)
    low, high = sorted((10 ** dice.uniform(-4, 0), 10 ** dice.uniform(-2, 0)))
    return [0 if dice.random() < 0.25 else round(low, 7), 1 if dice.random() < 0.3 else round(high, 7) + 1e-6]


def relative_risk(dice: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """A release, and a requirement of relative risk that speaks of it."""
    release = a_release(dice)
    only_values = release["neighbours"] == "replace" and ("sensitivity_other" not in release or "parts" in release)
    adversary = "attribute" if only_values else dice.choice(("inclusion", "attribute", "both"))
    requirement = {"adversary": adversary, "profile": profiles.at_random(dice, dice.choice(profiles.SHAPES))}
    requirement |= {} if adversary == "attribute" else {"p": a_belief(dice)}
    requirement |= {} if adversary == "inclusion" else {"q": a_belief(dice)}
    return release, requirement
