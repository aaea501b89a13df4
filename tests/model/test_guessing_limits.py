"""Limits on guesses where an earlier method failed: never above the truth, and close to it; of many bins, too.

The true values are those of exact linear programmes and of forty-digit arithmetic.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
from typing import Any

import mpmath as mp
import numpy as np
import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.base.values import read
from dpwizard.decision import Decision, assess
from dpwizard.privacy import guessing_advantage as ga
from dpwizard.privacy.guessing_advantage.given_truth import GivenTruth
from dpwizard.privacy.guessing_advantage.worst_truths import _joint_gains, _Pairs
from dpwizard.privacy.priors import Prior
from tests.oracles.guessing_exact import Prior as Exact
from tests.samples.priors import at_random

NORMAL = {"family": "normal", "mean": 0, "sd": 1}
CLOSED = ("uniform", "normal", "truncated_normal", "exponential", "discrete", "histogram")


def bins(edges: list[float], weights: list[float]) -> dict[str, Any]:
    return {"family": "histogram", "edges": edges, "weights": weights}


def kept(guess: dict[str, Any], epsilon: float, advantage: float, direction: str) -> None:
    """Check that EPSILON keeps the advantage and that a thousandth more breaks it."""
    exact = Exact(**guess)
    assert exact.gain(mp.mpf(epsilon), direction) <= mp.mpf(advantage)
    assert exact.gain(mp.mpf(epsilon) * mp.mpf("1.001"), direction) > mp.mpf(advantage)


@pytest.mark.parametrize(
    ("guess", "advantage"),
    [
        ({"prior": NORMAL, "truth": 0, "precision": 9}, 0.05),
        ({"prior": {"family": "exponential", "rate": 1}, "truth": 20, "precision": 20}, 0.5),
        (
            {
                "prior": {"family": "discrete", "points": [0, 1, 1000], "probabilities": [0.5, 0.5, 1e-20]},
                "truth": 0,
                "precision": 1,
            },
            0.5,
        ),
    ],
    ids=["normal", "exponential", "atoms"],
)
def test_drop_of_a_chance_that_rounds_to_1_is_not_unbounded(guess: dict[str, Any], advantage: float) -> None:
    assert ga.prior_probability(**guess) == pytest.approx(1.0, abs=1e-8)
    kept(guess, ga.epsilon_for(**guess, advantage=advantage, direction="drop"), advantage, "drop")


@pytest.mark.parametrize(("middle", "precision"), [(1e-11, 1e-4), (1e-15, 0.5), (1e-15, 0.01)])
def test_bin_of_little_mass_between_heavy_ones_keeps_its_digits(middle: float, precision: float) -> None:
    guess = {"prior": bins([0, 1, 2, 3], [0.5, middle, 0.5]), "truth": 1.5, "precision": precision}
    kept(guess, ga.epsilon_for(**guess, advantage=0.2), 0.2, "rise")


def test_worst_truth_in_a_bin_of_little_mass() -> None:
    prior = bins([0, 1, 100, 101, 200, 201], [0.5, 0, 1e-20, 0, 0.5])
    found = ga.worst_epsilon(prior=prior, precision=1, advantage=0.6)
    true = 0.46580384  # from forty digits, the worst truth at 100 or 101
    assert true * (1 - 1e-3) <= found.epsilon <= true


def test_joint_drop_beside_a_certain_guess_is_that_of_the_other() -> None:
    uniform = [{"family": "uniform", "low": 0, "high": high} for high in (0.9, 10)]
    attributes = [{"prior": prior, "truth": "worst", "precision": 1} for prior in uniform]
    joint, single = (
        ga.combined_epsilon(attributes=several, combine="and", advantage=0.15, direction="drop")
        for several in (attributes, attributes[1:])
    )
    assert single * (1 - 5e-3) <= joint <= single * (1 + 1e-3)  # it was called unbounded


def test_joint_drop_uses_the_chain_rule_alone() -> None:
    prior = bins([0, 10, 1e9, 1e9 + 10], [1, 0, 1e-20])
    attribute = {"prior": prior, "truth": 2, "precision": 1}
    epsilon = ga.combined_epsilon(attributes=[attribute, attribute], combine="and", advantage=0.02, direction="drop")
    assert 0 < epsilon < 7e-8  # the annulus bound allowed 7.1e-7


def test_joint_guess_far_out_in_two_tails_is_bounded() -> None:
    attributes = [{"prior": NORMAL, "truth": 8, "precision": 1}] * 2
    after = ga.combined_posterior(attributes=attributes, combine="and", epsilon=20)
    assert after >= 0.9754  # what two Laplace releases of half the epsilon attain
    assert ga.combined_epsilon(attributes=attributes, combine="and", advantage=0.01) < 20


@pytest.mark.parametrize(("combine", "direction"), [("and", "rise"), ("or", "rise"), ("or", "drop")])
def test_joint_worst_truths_are_unbounded_only_with_a_proof(combine: str, direction: str) -> None:
    four = {"family": "uniform", "low": 0, "high": 4}
    attributes = [{"prior": four, "truth": "worst", "precision": 1}] * 2
    # at infinite epsilon: 1 - 1/16, 9/16, 1 - 1/4
    largest = {("and", "rise"): 0.9375, ("or", "rise"): 0.5625, ("or", "drop"): 0.75}[combine, direction]
    told = {"attributes": attributes, "combine": combine, "direction": direction}
    assert math.isfinite(ga.combined_epsilon(**told, advantage=largest * 0.95))
    assert math.isinf(ga.combined_epsilon(**told, advantage=largest * 1.01))


def test_support_too_wide_for_the_precision_is_refused() -> None:
    with pytest.raises(InvalidInput, match="precision"):
        ga.worst_truth(prior={"family": "uniform", "low": 0, "high": 1e15}, precision=1e-3, epsilon=1)


def test_bound_is_not_below_what_the_laplace_mechanism_attains() -> None:
    """A wrong sign in the rounding of L, U, P or Q would turn the two round."""
    rng = random.Random(11)
    for _ in range(40):
        prior, truth = at_random(rng, rng.choice((*CLOSED, "beta", "lognormal")))
        for direction in ("rise", "drop"):
            guess = GivenTruth(read(Prior, prior), round(truth, 2), rng.choice((0.1, 0.5, 2.0)))
            bound, attained = guess.posterior(rng.choice((0.05, 0.5, 3.0)), direction)
            assert bound >= attained if direction == "rise" else bound <= attained


def test_epsilon_within_the_stated_error_above_a_limit_is_not_met() -> None:
    guess = {
        "kind": "guessing_advantage",
        "attributes": [{"prior": NORMAL, "truth": 0, "precision": 1, "effect": 1}],
        "advantage": 0.1,
    }
    release = {"statistic": "sum", "neighbours": "replace", "sensitivity": 1, "mechanism": "laplace"}
    decision = {"format": "dpwizard.decision/1", "release": release, "requirements": [guess]}
    answer = assess(read(Decision, decision)).answers[0]
    assert answer.error > 1e-4 * answer.epsilon
    for factor, met in ((1.0, True), (1.0 + 1e-4, False)):
        at = assess(read(Decision, {**decision, "epsilon": answer.epsilon * factor}))
        assert at.answers[0].met is met


def bars(seed: int, bins: int = 200, width: float = 1.0) -> dict:
    rng = random.Random(seed)
    weights = [round(0.1 + rng.random(), 3) for _ in range(bins)]
    return {"family": "histogram", "edges": [width * i for i in range(bins + 1)], "weights": weights}


def five(truth: float | str, bins: tuple[int, ...] = (200,) * 5) -> list[dict]:
    return [
        {"prior": bars(i, each, 200 / each), "truth": truth, "precision": 5, "effect": 1} for i, each in enumerate(bins)
    ]


def tried() -> list[list[float]]:
    """Return truths of five attributes: the ends, where most is gained, some near them and one anywhere."""
    rng = random.Random(1)
    near = (lambda: rng.uniform(0, 12), lambda: rng.uniform(188, 200))
    return [[0, 200, *(end() for end in near for _ in range(4)), rng.uniform(0, 200)] for _ in range(5)]


@pytest.mark.slow
@pytest.mark.parametrize(("combine", "direction"), [("and", "drop"), ("or", "both")])
def test_five_histograms_of_200_bins_keep_the_promise(combine: str, direction: str) -> None:
    attributes = five("worst")
    epsilon = ga.combined_epsilon(attributes=attributes, combine=combine, advantage=0.1, direction=direction)
    if math.isinf(epsilon):
        assert (combine, direction) == ("and", "drop")  # five right guesses are hardly likely before
        assert 0.08**5 < 0.1
        return
    guesses = [
        [{"prior": one["prior"], "precision": one["precision"], "truth": truth} for truth in truths]
        for one, truths in zip(attributes, tried(), strict=True)
    ]
    before = [np.array([ga.prior_probability(**guess) for guess in several]) for several in guesses]

    def all_right(chances: list[np.ndarray]) -> np.ndarray:
        """Return the joint chance for every choice of truths, of independent answers."""
        each = [1 - chance if combine == "or" else chance for chance in chances]
        return functools.reduce(lambda one, other: np.outer(one, other).ravel(), each)

    def most_gained(epsilon: float, way: str) -> float:
        """Return the most that any choice of truths gains, by the product of exact posteriors."""
        after = [
            np.array([ga.posterior(**guess, epsilon=epsilon, direction=way) for guess in some]) for some in guesses
        ]
        return float(np.abs(all_right(after) - all_right(before)).max())

    assert max(most_gained(epsilon, way) for way in ("rise", "drop")) <= 0.1 * (1 + 1e-3)
    assert any(most_gained(1.1 * epsilon, way) > 0.08 for way in ("drop", "rise"))  # safe, and not far from true gains


@pytest.mark.parametrize("count", [1, 4])
@pytest.mark.parametrize("small", [1.0, 1e-9])
def test_joint_gain_of_pairs_is_that_of_the_best_choice(count: int, small: float) -> None:
    rng = np.random.default_rng(count)
    attributes = []
    for _ in range(count):
        low = rng.uniform(0, 1, 9)
        attributes.append(_Pairs(low, low + small * rng.uniform(0, 1, 9) * (1 - low)))
    lows, highs = (np.array(list(itertools.product(*each))).prod(axis=1) for each in zip(*attributes, strict=True))
    choices = np.array(list(itertools.product(range(9), repeat=count)))
    for n, found in enumerate(_joint_gains(attributes)):
        exact = np.array([np.max((highs - lows)[choices[:, n] == pair]) for pair in range(9)])
        assert np.all(found >= exact - 4e-16)
        assert found.max() <= exact.max() * (1 + 2e-3)
