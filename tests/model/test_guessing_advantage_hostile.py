"""Guessing advantage under hostile input: every answer is a number in its range or an error with a place and a
remedy."""

from __future__ import annotations

import math
import random

import pytest

from dpwizard.base.errors import DPWizardError
from dpwizard.base.values import plain
from dpwizard.privacy import guessing_advantage as ga

EXTREME = (
    *(0, 1, -1, 0.1, 0.3, 1e-300, 1e300, -1e300, 1e-5, 1e5, 3),
    *(10, 1e16, 1e-16, -2.5, 1e100, 1e-100, 5, 7, 1e8, 1.5),
)
LOSSES = (0, "inf", 1e-300, 1e300, 1e-8, 0.1, 1, 5, 50, 1e3, 1e6)
SHARES = (0, 1, 0.5, 0.1, 1e-300, 1e-12, 1 - 1e-16, 0.9, 0.05)
RANGES = (0, "inf", 1e300, 1e-300, 1, 7.5)
WAYS = ("rise", "drop")


class Draw(random.Random):
    def number(self):
        return self.choice(EXTREME) if self.random() < 0.7 else self.uniform(-10, 10)

    def positive(self):
        return abs(self.number()) or 1.0

    def prior(self):
        low, high = sorted((self.number(), self.number()))
        edges = sorted({self.number() for _ in range(4)})
        points = [self.number() for _ in range(self.randint(1, 5))]
        return self.choice(
            (
                {"family": "uniform", "low": low, "high": high},
                {"family": "normal", "mean": low, "sd": self.positive()},
                {"family": "truncated_normal", "mean": self.number(), "sd": self.positive(), "low": low, "high": high},
                {"family": "lognormal", "log_mean": low, "log_sd": self.positive()},
                {"family": "exponential", "rate": self.positive()},
                {"family": "beta", "a": self.positive(), "b": self.positive(), "low": low, "high": high},
                {"family": "discrete", "points": points, "probabilities": [self.positive() for _ in points]},
                {"family": "histogram", "edges": edges, "weights": [self.positive() for _ in edges[1:]]},
            )
        )

    def attribute(self):
        return {"prior": self.prior(), "truth": self.number(), "precision": self.positive(), "effect": self.positive()}


def answer(name, **arguments):
    """The answer as JSON says it, or "refused" for an error that has words."""
    try:
        return plain(getattr(ga, name)(**arguments))
    except DPWizardError as problem:
        return "refused" if problem.message and problem.hint else "refused without a word"


SEEDS = (*sorted({*range(28)} - {4, 16, 23}), 206691923)  # those three look for an epsilon for seconds


@pytest.mark.parametrize("seed", SEEDS[::2])
def test_extreme_numbers_give_a_probability_an_epsilon_or_an_error_in_words(seed: int) -> None:
    rng = Draw(seed)
    guess = {"prior": rng.prior(), "truth": rng.number(), "precision": rng.positive()}
    way, bound, combine = rng.choice(WAYS), rng.choice(ga.Bound.__args__), rng.choice(("and", "or"))
    attributes = [rng.attribute() for _ in range(rng.randint(1, 3))]
    probabilities = (
        answer("prior_probability", **guess),
        answer("posterior", **guess, epsilon=rng.choice(LOSSES), bound=bound, direction=way),
        answer("laplace_posterior", **guess, epsilon=rng.choice(LOSSES), output=rng.number()),
        answer(
            "simplified_posterior",
            p=rng.choice(SHARES),
            epsilon=rng.choice(LOSSES),
            range=rng.choice(RANGES),
            direction=way,
        ),
        answer("categorical_posterior", p=rng.choice(SHARES), epsilon=rng.choice(LOSSES), direction=way),
        answer("combined_prior", attributes=attributes, combine=combine),
        answer("combined_posterior", attributes=attributes, combine=combine, epsilon=rng.choice(LOSSES), direction=way),
    )
    assert [value for value in probabilities if value != "refused" and not 0.0 <= value <= 1.0] == []
    losses = (
        answer("epsilon_for", **guess, advantage=rng.choice(SHARES), bound=bound, direction=way),
        answer(
            "simplified_epsilon",
            p=rng.choice(SHARES),
            advantage=rng.choice(SHARES),
            range=rng.choice(RANGES),
            direction="both",
        ),
        answer("categorical_epsilon", p=rng.choice(SHARES), advantage=rng.choice(SHARES), direction=way),
        answer("combined_epsilon", attributes=attributes, combine=combine, advantage=rng.choice(SHARES), direction=way),
        answer("release_epsilon", attributes=attributes, epsilon=rng.choice(LOSSES), sensitivity=rng.positive()),
    )
    assert all(value in ("refused", None) or value >= 0.0 for value in losses)
    answer("worst_prior", range=rng.choice(RANGES), epsilon=rng.choice(LOSSES))
    answer("worst_prior", range=rng.choice(RANGES), advantage=rng.choice(SHARES))


FAR = 1e16  # next to it floats lie 2 apart, and the guess is 2 wide


@pytest.mark.parametrize(
    ("prior", "density"),
    [
        (
            {"family": "lognormal", "log_mean": 3, "log_sd": 1},
            math.exp(-((math.log(FAR) - 3) ** 2) / 2) / FAR / math.sqrt(2 * math.pi),
        ),
        ({"family": "normal", "mean": 0, "sd": FAR}, math.exp(-0.5) / FAR / math.sqrt(2 * math.pi)),
        ({"family": "truncated_normal", "mean": FAR, "sd": 1e300, "low": 0, "high": 2 * FAR}, 0.5 / FAR),
        ({"family": "beta", "a": 2, "b": 2, "low": 0, "high": 2 * FAR}, 1.5 / (2 * FAR)),
        ({"family": "exponential", "rate": 1 / FAR}, math.exp(-1) / FAR),
    ],
)
def test_a_guess_narrower_than_floats_lie_apart_has_its_chance(prior: dict, density: float) -> None:
    guess = {"prior": prior, "truth": FAR, "precision": 1}
    assert ga.prior_probability(**guess) == pytest.approx(2.0 * density, rel=1e-9)
    # nearby the prior is flat: the Laplace mechanism's output at the truth leaves odds of e^-5 / (1 - e^-5) against it
    attained = -math.expm1(-5.0)
    for bound in ("exact", "main", "farthest", "simplified"):
        assert ga.posterior(**guess, epsilon=5, bound=bound) >= attained * (1 - 1e-6)


@pytest.mark.parametrize("sd", [1e20, 1e60, 1e130])
def test_a_rise_under_a_wide_prior_is_bounded_by_what_the_laplace_mechanism_attains(sd: float) -> None:
    guess = {"prior": {"family": "normal", "mean": 0, "sd": sd}, "truth": 0, "precision": 1}
    found = ga.posterior(**guess, epsilon=5)
    assert -math.expm1(-5.0) * (1 - 1e-9) <= found <= -math.expm1(-5.0) * (1 + 1e-3)


@pytest.mark.parametrize("bound", ["main", "farthest", "simplified"])
def test_a_chance_too_small_for_floats_is_bounded_on_the_safe_side(bound: str) -> None:
    guess = {"prior": {"family": "beta", "a": 2000, "b": 3, "low": 0, "high": 1}, "truth": 0, "precision": 1e-9}
    assert ga.posterior(**guess, epsilon=1, bound=bound) == 1.0
    assert ga.posterior(**guess, epsilon=1, bound=bound, direction="drop") == 0.0
