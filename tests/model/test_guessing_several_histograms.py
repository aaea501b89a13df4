"""Five attributes believed in as histograms of hundreds of bins: answered in seconds, and safe whatever their
truths."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

from dpwizard.base.stopping import Stopped, stoppable
from dpwizard.privacy import guessing_advantage as ga
from dpwizard.privacy.guessing_advantage.worst_truths import _gains, _Pairs


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


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("small", [1.0, 1e-3, 1e-9])
def test_joint_gain_of_pairs_is_that_of_the_best_choice(count: int, small: float) -> None:
    rng = np.random.default_rng(count)
    attributes = []
    for _ in range(count):
        low = rng.uniform(0, 1, 9)
        attributes.append(_Pairs(low, low + small * rng.uniform(0, 1, 9) * (1 - low)))
    lows, highs = (np.array(list(itertools.product(*each))).prod(axis=1) for each in zip(*attributes, strict=True))
    choices = np.array(list(itertools.product(range(9), repeat=count)))
    for n, found in enumerate(_gains(attributes)):
        exact = np.array([np.max((highs - lows)[choices[:, n] == pair]) for pair in range(9)])
        assert np.all(found >= exact - 4e-16)
        assert found.max() <= exact.max() * (1 + 2e-3)


def test_search_for_joint_worst_truths_asks_often_whether_it_is_wanted() -> None:
    asked: list[None] = []
    with stoppable(lambda: bool(asked.append(None))):
        ga.combined_epsilon(attributes=five("worst"), combine="and", advantage=0.1)
    assert len(asked) > 100
    with stoppable(lambda: True), pytest.raises(Stopped):
        ga.combined_epsilon(attributes=five("worst"), combine="or", advantage=0.1, direction="drop")
