"""The compensation cost: plain, its exact mean over the loss, two tiers, and the noise level that money allows."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.errors import Infeasible
from dpwizard.privacy import privacy_at_risk as risk
from dpwizard.privacy.mechanisms import GEOMETRIC, LAPLACE
from dpwizard.privacy.privacy_at_risk.cost import pure_mean
from tests.oracles import risk_oracle as oracle


def test_the_audited_cost_of_the_health_centre():
    assert risk.expected_compensation(epsilon0=0.5, cost=550000) == pytest.approx(63893.99829362979, rel=1e-12)
    assert round(risk.expected_compensation(epsilon0=0.5, cost=550000)) == 63894
    # a count with geometric noise saves nothing at all
    assert risk.expected_compensation(epsilon0=0.5, cost=550000, mechanism="geometric") == risk.compensation(
        epsilon=0.5, cost=550000
    )
    assert risk.compensation(epsilon=0.5, cost=550000) == pytest.approx(74434.41, abs=0.005)


@pytest.mark.slow
@pytest.mark.parametrize("level", [0.01, 0.5, 300.0])
@pytest.mark.parametrize("rate", [1e-3, 1.0, 30.0])
def test_the_mean_under_laplace_noise_is_the_integral_over_the_outputs(level, rate):
    reached, missed = pure_mean(LAPLACE, level, rate, 1)
    cuts = oracle.halving(level, rate)
    expected = oracle.laplace_mean(level, oracle.cost(rate), cuts)
    if expected > 1e-250:
        assert reached == pytest.approx(float(expected), rel=1e-10 if rate / level < 50 else 1e-7)
    lacking = oracle.laplace_mean(
        level, lambda loss: -mpmath.expm1(-mpmath.mpf(rate) / abs(loss)) if loss else mpmath.mpf(1), cuts
    )
    assert missed == pytest.approx(float(lacking), rel=1e-10)


@pytest.mark.parametrize("steps", [1, 2, 3, 10, 151, 2001])
def test_the_mean_under_geometric_noise_is_the_sum_over_the_outputs(steps):
    for level, rate in ((0.05, 0.3), (1.0, 1e-4), (1.0, 0.3), (1.0, 10.0), (20.0, 0.3), (300.0, 5.0)):
        reached, missed = pure_mean(GEOMETRIC, level, rate, steps)
        assert reached == pytest.approx(float(oracle.geometric_mean(level, steps, oracle.cost(rate))), rel=1e-12)
        assert reached + missed == pytest.approx(1.0, abs=1e-14)


def test_the_expected_cost_is_that_of_the_worst_shift_and_not_of_the_full_one_alone():
    for steps in range(1, 7):
        for epsilon0 in (0.05, 0.3, 0.896, 2.3, 9.0):
            for rate in (1e-4, 0.1, 1.0, 10.0):
                found = risk.expected_compensation(
                    epsilon0=epsilon0, cost=1, rate=rate, mechanism="geometric", sensitivity=steps
                )
                shifts = [
                    oracle.geometric_mean(epsilon0 * d / steps, d, oracle.cost(rate)) for d in range(1, steps + 1)
                ]
                assert found == pytest.approx(float(max(shifts)), rel=1e-11)
    for epsilon0 in (
        0.05,
        0.5,
        3.0,
    ):  # Laplace: every shift in (0, D], also for a rate so small that only a loss of 0 costs nothing
        for rate in (1e-9, 1e-3, 0.1, 10.0):
            shifts = [
                risk.expected_compensation(epsilon0=epsilon0 * part / 50, cost=1, rate=rate) for part in range(1, 51)
            ]
            assert max(shifts) == shifts[-1]


def test_money_for_a_count_that_moves_by_two_covers_a_change_by_one():
    asked = {
        "money": 800,
        "cost": 1000,
        "rate": 0.1,
        "model": "expected_loss",
        "mechanism": "geometric",
        "sensitivity": 2,
    }
    found = risk.noise_level_for_money(**asked)
    assert (
        0.999 * 0.2 / math.log(1000 / 800) <= found <= 0.2 / math.log(1000 / 800)
    )  # .896, where the full shift alone allows 2.30
    rate, rng = found / 2, np.random.default_rng(7)
    noise = rng.geometric(-math.expm1(-rate), 400_000) - rng.geometric(-math.expm1(-rate), 400_000)
    lost = rate * np.abs(np.abs(noise - 1) - np.abs(noise))  # the two neighbours differ by one
    assert 1000 * np.mean(np.exp(-0.1 / lost)) <= 800 * (1 + 1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("mu", [0.001, 1.0])
def test_the_mean_under_gaussian_noise_is_the_integral_over_the_loss(mu):
    for rate in (1e-4, 3.0):
        found = risk.expected_compensation(mechanism="gaussian", mu=mu, cost=2, floor=0, rate=rate)
        assert found == pytest.approx(2 * float(oracle.gaussian_mean(mu, rate)), rel=1e-11)


def test_the_mean_at_its_limits():
    for mechanism in ("laplace", "geometric"):
        assert risk.expected_compensation(epsilon0=0, cost=5, floor=1, mechanism=mechanism) == 1
        assert risk.expected_compensation(epsilon0="inf", cost=5, floor=1, mechanism=mechanism) == 6
    assert risk.expected_compensation(mechanism="gaussian", mu=0, cost=5, floor=1) == 1


# ----------------------------------------------------------------------------------------- two tiers


def two_tier(e, epsilon0, cost, rate, floor):
    share = np.exp(-epsilon0 / 2) * np.sinh(e / 2)
    return floor + cost * (share * np.exp(-rate / e) + (1 - share) * np.exp(-rate / epsilon0))


@pytest.mark.parametrize("rate", [1e-3, 0.05, 1.0, 7.0, 100.0])
@pytest.mark.parametrize("epsilon0", [0.05, 0.5, 2.0, 10.0, 60.0])
def test_the_two_tier_minimum_beats_a_fine_grid_even_where_there_are_two_humps(epsilon0, rate):
    found = risk.two_tier_cheapest(epsilon0=epsilon0, cost=3, rate=rate, floor=2)
    grid = np.concatenate([epsilon0 * np.linspace(1e-4, 1, 40001), epsilon0 * 10.0 ** np.linspace(-30, -4, 2001)])
    costs = two_tier(grid, epsilon0, 3, rate, 2)
    assert found.cost <= costs.min() * (1 + 1e-13)
    assert found.cost == pytest.approx(float(two_tier(found.epsilon, epsilon0, 3, rate, 2)), rel=1e-13)
    assert 0 < found.epsilon <= epsilon0


def test_two_tiers_save_little_where_the_paper_promises_half():
    found = risk.two_tier_cheapest(epsilon0=0.5, cost=550000)
    assert 63000 < found.cost < risk.compensation(epsilon=0.5, cost=550000)
    assert found.cost > 1.6 * risk.published_cheapest(epsilon0=0.5, cost=550000).cost
    assert found.cost > risk.expected_compensation(epsilon0=0.5, cost=550000)


# ---------------------------------------------------------------------------- what money allows


@pytest.mark.slow
@given(share=st.floats(-6, -0.001), rate=st.floats(0.01, 20))
def test_the_expected_limit_for_laplace_noise_spends_the_money_and_no_more(share, rate):
    share = 10.0**share
    found = risk.noise_level_for_money(money=share, cost=1, rate=rate, model="expected_loss")
    assert found >= risk.noise_level_for_money(money=share, cost=1, rate=rate)
    assert risk.expected_compensation(epsilon0=found, cost=1, rate=rate) <= share
    assert risk.expected_compensation(epsilon0=found * (1 + 1e-3), cost=1, rate=rate) > share


@pytest.mark.parametrize("steps", [2, 3, 8])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.8, 0.97])
@pytest.mark.parametrize("rate", [0.02, 1.0, 9.0])
def test_the_expected_limit_for_geometric_noise_is_the_first_crossing(steps, share, rate):
    found = risk.noise_level_for_money(
        money=share, cost=1, rate=rate, model="expected_loss", mechanism="geometric", sensitivity=steps
    )

    def mean(epsilon0):
        return risk.expected_compensation(
            epsilon0=epsilon0, cost=1, rate=rate, mechanism="geometric", sensitivity=steps
        )

    assert mean(found) <= share * (1 + 1e-12)
    assert all(mean(found * i / 60) <= share * (1 + 1e-12) for i in range(1, 60))
    assert mean(found * (1 + 1e-3)) > share


def test_the_published_saving_of_the_health_centre_is_not_there():
    given_ = {"money": 37805.86, "people": 100, "cost": 5500}
    plain = risk.noise_level_for_money(**given_)
    assert plain == pytest.approx(1 / math.log(550000 / 37805.86), rel=1e-12)
    assert plain < risk.noise_level_for_money(**given_, model="expected_loss") < 0.5
    assert risk.noise_level_for_money(money=63894, people=100, cost=5500, model="expected_loss") == pytest.approx(
        0.5, rel=1e-3
    )


def test_money_at_its_limits():
    for model in ("plain", "expected_loss"):
        for mechanism in ("laplace", "geometric"):
            given_ = {"people": 10, "floor": 0.1, "model": model, "mechanism": mechanism, "sensitivity": 4}
            assert risk.noise_level_for_money(money=1, cost=5, **given_) == 0.0  # 10 * .1 exactly, read as decimals
            assert risk.noise_level_for_money(money=51, cost=5, **given_) == math.inf
            assert risk.noise_level_for_money(money=1, cost=0, **given_) == math.inf
            with pytest.raises(Infeasible) as caught:
                risk.noise_level_for_money(money=0.999, cost=5, **given_)
            assert caught.value.hint


# --------------------------------------------------------------------------------- hostile values
