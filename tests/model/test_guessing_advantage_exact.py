"""The exact guessing advantage: against forty digits, brute force and simulation; its order, monotony and safe side."""

from __future__ import annotations

import math
import random

import mpmath as mp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpwizard.privacy import guessing_advantage as ga
from tests.oracles import guessing_oracle as oracle
from tests.samples.priors import FAMILIES, at_random

mp.mp.dps = 40

SOME = settings(max_examples=4)
FEW = settings(max_examples=3)
seeds = st.integers(0, 2**32)
SLACK = 1e-3  # relative: what a bound may give away, on the safe side


def a_guess(rng: random.Random, family: str):
    """A prior of FAMILY, a truth drawn from about where its mass lies, and a precision."""

    prior, truth = at_random(rng, family)
    return prior, round(truth, 2), rng.choice((0.1, 0.3, 0.5, 1, 2, 2.5))


def at(guess, epsilon, bound="exact", direction="rise"):
    prior, truth, precision = guess
    return ga.posterior(
        prior=prior, truth=truth, precision=precision, epsilon=epsilon, bound=bound, direction=direction
    )


def before(guess):
    prior, truth, precision = guess
    return ga.prior_probability(prior=prior, truth=truth, precision=precision)


def loss(guess, advantage, bound="exact", direction="rise"):
    prior, truth, precision = guess
    return ga.epsilon_for(
        prior=prior, truth=truth, precision=precision, advantage=advantage, bound=bound, direction=direction
    )


def limit_of_drop(guess):
    """The loss from which a drop is to 0."""
    prior, _, precision = guess
    return {"lognormal": 0.0, "exponential": prior.get("rate", 0) * precision}.get(prior["family"], math.inf)


# ------------------------------------------------------------------------- against other computations


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
@FEW
@given(seed=seeds)
def test_the_exact_bound_is_the_extreme_over_outputs_by_brute_force(family: str, seed: int) -> None:
    rng = random.Random(seed)
    guess, epsilon = a_guess(rng, family), round(math.exp(rng.uniform(-4, 2)), 3)
    for direction in ("rise", "drop"):
        if direction == "drop" and epsilon >= 0.8 * limit_of_drop(guess):
            continue
        expected = oracle.exact(*guess, epsilon, direction, fine=16)
        over = (at(guess, epsilon, "exact", direction) - expected) * (1 if direction == "rise" else -1)
        assert -2e-13 * expected - 1e-16 <= over <= SLACK * abs(expected - before(guess)) + 1e-9


# ----------------------------------------------------------------------------------- properties


@pytest.mark.parametrize("family", FAMILIES)
@SOME
@given(seed=seeds)
def test_epsilon_for_inverts_the_posterior_of_every_bound(family: str, seed: int) -> None:
    rng = random.Random(seed)
    guess, advantage = a_guess(rng, family), rng.uniform(0.01, 0.6)
    p = before(guess)
    if not 1e-6 < p < 1 - 1e-6:
        return  # whether a guess is certain is a fact of edges, not of a chance that rounds to 1
    direction = rng.choice(("rise", "drop"))
    unbounded = p in (0.0, 1.0) or (p + advantage >= 1 if direction == "rise" else advantage >= p)
    for bound in ("exact", "main", "farthest", "simplified", "published_annulus"):
        epsilon = loss(guess, advantage, bound, direction)
        assert (epsilon == math.inf) == unbounded
        if unbounded:
            continue
        gained = abs(at(guess, epsilon, bound, direction) - p)
        assert gained <= advantage * (1 + SLACK)
        if 0 < epsilon < (math.inf if direction == "rise" else 0.99 * limit_of_drop(guess)):
            beyond = abs(at(guess, epsilon * (1 + 2 * SLACK), bound, direction) - p)
            assert beyond > advantage or gained == pytest.approx(advantage, rel=SLACK)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_limits_of_epsilon_are_exact(family: str) -> None:
    guess = a_guess(random.Random(7), family)
    p = before(guess)
    for bound in ga.Bound.__args__:
        assert at(guess, 0, bound) == at(guess, 0, bound, "drop") == p
        assert at(guess, "inf", bound) == 1.0
        assert at(guess, "inf", bound, "drop") == (p == 1.0)
    assert loss(guess, 0) == loss(guess, 0, "exact", "both") == (math.inf if p == 1.0 else 0.0)
    assert loss(guess, 1) == loss(guess, 1, "exact", "both") == math.inf


@pytest.mark.parametrize("family", FAMILIES)
def test_both_is_the_smaller_of_rise_and_drop(family: str) -> None:
    guess = a_guess(random.Random(3), family)
    rise, drop = loss(guess, 0.07), loss(guess, 0.07, "exact", "drop")
    assert loss(guess, 0.07, "exact", "both") == min(rise, drop)


# ------------------------------------------------------------------------------ edges and decimals


def test_correct_guesses_are_the_closed_interval_of_the_decimals_as_written() -> None:
    prior = {"family": "discrete", "points": [0.1, 0.2, 0.3, 0.4, 0.5]}
    assert ga.prior_probability(prior=prior, truth=0.3, precision=0.1) == 0.6
    assert ga.prior_probability(prior=prior, truth=0.3, precision=0.0999999999999) == 0.2
    far = {"family": "discrete", "points": [1e6 + 0.1, 1e6 + 0.3, 1e6 + 0.6]}
    assert ga.prior_probability(prior=far, truth=1e6 + 0.3, precision=0.2) == pytest.approx(2 / 3)


def test_a_guess_certain_beforehand_or_ruled_out_gains_nothing() -> None:
    for truth, p in ((5, 1.0), (50, 0.0)):
        guess = ({"family": "uniform", "low": 4, "high": 6}, truth, 2)
        assert before(guess) == p
        for bound in ga.Bound.__args__:
            assert at(guess, 3, bound) == at(guess, 3, bound, "drop") == p
            assert loss(guess, 0, bound) == math.inf


def test_reaching_certainty_is_decided_in_decimals_and_not_in_binary() -> None:
    assert loss(({"family": "uniform", "low": 0, "high": 10}, 5, 1), 0.8) == math.inf
    assert loss(({"family": "uniform", "low": 0, "high": 10}, 5, 1.5), 0.7) == math.inf
    assert loss(({"family": "beta", "a": 1, "b": 1, "low": 0, "high": 10}, 5, 1.5), 0.7) == math.inf
    assert loss(({"family": "uniform", "low": 0, "high": 10}, 5, 1.5), 0.3, "exact", "drop") == math.inf
    assert loss(({"family": "histogram", "edges": [0, 1, 3], "weights": [0.1, 0.2]}, 0.5, 0.5), 2 / 3) < math.inf
    assert loss(({"family": "discrete", "points": [0, 5], "probabilities": [0.1, 0.3]}, 0, 1), 0.75) == math.inf
    assert ga.simplified_epsilon(p=0.9, advantage=0.1, range=2) == math.inf
    assert ga.categorical_epsilon(p=0.35, advantage=0.65) == math.inf


def test_a_heavy_tail_lets_an_unlucky_output_rule_a_right_guess_out() -> None:
    waiting = ({"family": "exponential", "rate": 0.5}, 1.0, 1.0)
    assert at(waiting, 0.5, "exact", "drop") == at(waiting, 0.7, "main", "drop") == 0.0
    assert 0.0 < at(waiting, 0.4999, "exact", "drop") < 0.01
    assert 0.4 < loss(waiting, before(waiting) * 0.98, "exact", "drop") < 0.5
    income = ({"family": "lognormal", "log_mean": 1, "log_sd": 0.4}, 3.0, 0.5)
    assert at(income, 1e-9, "exact", "drop") == 0.0
    assert loss(income, 0.1, "exact", "drop") == 0.0
    assert loss(income, before(income), "exact", "drop") == math.inf


def test_a_tiny_prior_far_in_the_tail_still_has_a_finite_limit() -> None:
    guess = ({"family": "normal", "mean": 0, "sd": 1}, 60.0, 1.0)
    assert before(guess) == 0.0  # below 1e-300
    epsilon = loss(guess, 0.5)
    assert 30 < epsilon < 200
    assert at(guess, epsilon) == pytest.approx(0.5, abs=0.02)


def test_a_class_all_but_certain_has_the_rest_that_is_written() -> None:
    p, rest = 0.999999999999, 1e-12  # the floats differ by 1e-12 and 9 in 100,000 of it
    after_a_drop = ga.categorical_posterior(p=p, epsilon=30.0, direction="drop")
    assert (
        p / (p + rest * math.exp(30.0)) * (1 - 1e-12) <= after_a_drop <= p / (p + rest * math.exp(30.0)) * (1 + 1e-12)
    )
    epsilon = ga.categorical_epsilon(p=p, advantage=7e-13)
    assert epsilon == pytest.approx(math.log(rest / 3e-13), rel=1e-11)


def test_a_guess_all_but_certain_is_not_called_safe_at_any_epsilon() -> None:
    guess = ({"family": "normal", "mean": 0, "sd": 1}, 0.0, 9.5)  # 2e-21 are beyond
    assert before(guess) == 1.0
    assert loss(guess, 1e-24) == 0.0
    assert loss(guess, 1e-20) == math.inf


@pytest.mark.parametrize("advantage", [1e-10, 1e-12, 1e-13])
def test_a_tiny_advantage_is_not_exceeded_by_rounding(advantage: float) -> None:
    epsilon = mp.mpf(loss(({"family": "uniform", "low": 0, "high": 10}, 5.0, 1.0), advantage, "main"))
    odds = 2 * mp.exp(-2 * epsilon) * mp.expm1(-4 * epsilon) / mp.expm1(-2 * epsilon)
    assert 0 < 1 / (1 + odds) - mp.mpf("0.2") <= advantage


@pytest.mark.parametrize("direction", ["rise", "drop"])
def test_a_class_is_bounded_on_the_safe_side_to_the_last_digit(direction: str) -> None:
    draw = random.Random(5)
    for _ in range(300):
        p, epsilon = draw.random(), draw.uniform(0, 20)
        true = 1 / (1 + mp.exp(-epsilon if direction == "rise" else epsilon) * (1 - mp.mpf(repr(p))) / mp.mpf(repr(p)))
        found = ga.categorical_posterior(p=p, epsilon=epsilon, direction=direction)
        assert found == pytest.approx(float(true), rel=2e-15, abs=0)
        assert (found >= true) if direction == "rise" else (found <= true)
