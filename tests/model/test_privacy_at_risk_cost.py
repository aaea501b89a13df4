"""The compensation cost: plain, its exact mean over the loss, two tiers, and the noise level that money allows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.privacy import privacy_at_risk as risk


def test_the_audited_cost_of_the_health_centre():
    assert risk.expected_compensation(epsilon0=0.5, cost=550000) == pytest.approx(63893.99829362979, rel=1e-12)
    assert round(risk.expected_compensation(epsilon0=0.5, cost=550000)) == 63894
    # a count with geometric noise saves nothing at all
    assert risk.expected_compensation(epsilon0=0.5, cost=550000, mechanism="geometric") == risk.compensation(
        epsilon=0.5, cost=550000
    )
    assert risk.compensation(epsilon=0.5, cost=550000) == pytest.approx(74434.41, abs=0.005)


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


# ---------------------------------------------------------------------------- what money allows


@pytest.mark.slow
@given(share=st.floats(-6, -0.001), rate=st.floats(0.01, 20))
def test_the_expected_limit_for_laplace_noise_spends_the_money_and_no_more(share, rate):
    share = 10.0**share
    found = risk.noise_level_for_money(money=share, cost=1, rate=rate, model="expected_loss")
    assert found >= risk.noise_level_for_money(money=share, cost=1, rate=rate)
    assert risk.expected_compensation(epsilon0=found, cost=1, rate=rate) <= share
    assert risk.expected_compensation(epsilon0=found * (1 + 1e-3), cost=1, rate=rate) > share


@pytest.mark.parametrize("steps", [2, 8])
@pytest.mark.parametrize("share", [0.02, 0.97])
@pytest.mark.parametrize("rate", [0.02, 9.0])
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
