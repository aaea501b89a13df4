"""Five attributes believed in as histograms of hundreds of bins: answered in seconds, and safe whatever their
truths."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from dpwizard.privacy import guessing_advantage as ga


def bars(seed: int, bins: int = 200, width: float = 1.0) -> dict:
    rng = random.Random(seed)
    weights = [round(0.1 + rng.random(), 3) for _ in range(bins)]
    return {"family": "histogram", "edges": [width * i for i in range(bins + 1)], "weights": weights}


def five(truth: float | str, bins: tuple[int, ...] = (200,) * 5) -> list[dict]:
    return [
        {"prior": bars(i, each, 200 / each), "truth": truth, "precision": 5, "effect": 1} for i, each in enumerate(bins)
    ]


def most_gained(attributes: list[dict], combine: str, epsilon: float, direction: str, seed: int) -> float:
    """Return the most that any of many truths, drawn for each attribute, gains by the product of exact posteriors."""
    rng, before, after = random.Random(seed), np.ones(1), np.ones(1)
    for each in attributes:
        tried = [
            0,
            200,
            *(rng.uniform(0, 12) for _ in range(4)),
            *(rng.uniform(188, 200) for _ in range(4)),
            rng.uniform(0, 200),
        ]
        told = {"prior": each["prior"], "precision": each["precision"]}
        p = np.array([ga.prior_probability(truth=truth, **told) for truth in tried])
        post = np.array([ga.posterior(truth=truth, epsilon=epsilon, direction=direction, **told) for truth in tried])
        p, post = (1 - p, 1 - post) if combine == "or" else (p, post)
        before, after = np.outer(before, p).ravel(), np.outer(after, post).ravel()
    return float(np.abs(after - before).max())


@pytest.mark.slow
@pytest.mark.parametrize(("combine", "direction"), [("and", "both"), ("and", "drop"), ("or", "both")])
def test_five_histograms_of_200_bins_keep_the_promise(combine: str, direction: str) -> None:
    epsilon = ga.combined_epsilon(attributes=five("worst"), combine=combine, advantage=0.1, direction=direction)
    if math.isinf(epsilon):
        assert (combine, direction) == ("and", "drop")  # five right guesses are hardly likely before
        assert 0.08**5 < 0.1
        return
    for way in ("rise", "drop") if direction == "both" else (direction,):
        assert most_gained(five("worst"), combine, epsilon, way, 1) <= 0.1 * (1 + 1e-3)
    near = max(most_gained(five("worst"), combine, 1.1 * epsilon, way, 1) for way in ("rise", "drop"))
    assert near > 0.08  # safe, and not far from what some truths do gain
