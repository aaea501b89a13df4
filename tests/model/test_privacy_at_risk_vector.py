"""Several numbers at once: the exact law of the summed loss, its bounds on a lattice, and what stays a coordinate's
own."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpwizard.privacy import privacy_at_risk as risk
from tests.oracles import risk_oracle as oracle


@pytest.mark.parametrize("level", [1e-9, 0.1, 0.5, 3.0, 40.0])
def test_one_coordinate_has_the_closed_forms(level):
    for share in (0.0, 0.2, 0.9, 1.0, 2.0):
        epsilon = share * level
        expected = {"mechanism": "laplace", "epsilon": epsilon, "epsilon0": level}
        assert risk.vector_delta(levels=[level], epsilon=epsilon) == pytest.approx(risk.delta(**expected), rel=2e-12)
        assert risk.vector_confidence(levels=[level], epsilon=epsilon) == pytest.approx(
            risk.confidence(**expected), rel=1e-13
        )


@pytest.mark.slow
@pytest.mark.parametrize(
    "levels",
    [[0.5, 0.5], [0.1, 0.2, 0.3], [1, 2], [5, 0.01, 1.0], [1, 1, 1, 1], [0.1, 0.3, 0.2, 0.4], [1e-6, 2e-6, 1e-6]],
)
@pytest.mark.parametrize("share", [0.0, 0.1, 0.9])
def test_a_few_coordinates_agree_with_the_piecewise_law_integrated_in_many_digits(levels, share):
    epsilon = round(share * sum(levels), 9)
    delta, within = oracle.vector_by_expansion(levels, epsilon)
    assert -1e-14 <= risk.vector_delta(levels=levels, epsilon=epsilon) - float(delta) <= 2e-5
    assert -2e-5 <= risk.vector_confidence(levels=levels, epsilon=epsilon) - float(within) <= 1e-14


@pytest.mark.slow
@pytest.mark.parametrize(
    ("levels", "epsilon"),
    [
        ([0.1] * 100, 1.0),
        ([0.1] * 200, 2.0),
        ([1.0] * 200, 80.0),
        ([0.1, 0.2] * 25, 2.0),
        ([0.05 * i for i in range(1, 14)], 2.0),
    ],
)
def test_many_coordinates_agree_with_the_mechanism_itself(levels, epsilon):
    losses = oracle.simulated_losses(levels, 40_000, seed=5)
    delta = np.mean(np.maximum(0, -np.expm1(np.minimum(epsilon - losses, 0))))
    assert risk.vector_delta(levels=levels, epsilon=epsilon) == pytest.approx(delta, abs=8e-3)
    assert risk.vector_confidence(levels=levels, epsilon=epsilon) == pytest.approx(
        np.mean(np.abs(losses) <= epsilon), abs=0.01
    )


@pytest.mark.slow
def test_levels_that_share_no_decimal_step_are_answered_on_the_safe_side():
    levels = [round(0.1 + 0.001 * i * i + 0.0007 * i, 5) for i in range(26)]
    losses = oracle.simulated_losses(levels, 100_000, seed=9)
    delta = np.mean(np.maximum(0, -np.expm1(np.minimum(2.0 - losses, 0))))
    assert risk.vector_delta(levels=levels, epsilon=2.0) == pytest.approx(delta, abs=5e-3)
    assert risk.vector_confidence(levels=levels, epsilon=2.0) == pytest.approx(np.mean(np.abs(losses) <= 2.0), abs=5e-3)


def test_a_loss_equal_to_epsilon_counts_as_within_although_the_decimals_are_not_exact_in_binary():
    assert 0.1 + 0.2 != 0.3
    assert risk.vector_confidence(levels=[0.3, 0.1, 0.2], epsilon=0) == pytest.approx(
        math.exp(-0.3) / 4, abs=1e-5
    )  # up, down, down, and back
    assert risk.vector_confidence(levels=[0.1, 0.2], epsilon=0.3) == 1.0
    assert risk.vector_delta(levels=[0.1, 0.2], epsilon=0.3) == 0.0
    # one coordinate up and the other down: atoms at 0 of mass e^-a/2 in all
    assert risk.vector_confidence(levels=[0.7, 0.7], epsilon=0) == pytest.approx(math.exp(-0.7) / 2, abs=1e-5)
    assert risk.vector_confidence(levels=[0.7, 0.70001], epsilon=0) == 0.0


def test_the_one_changed_coordinate_is_worse_than_the_same_change_spread_over_many():
    for k in (2, 5, 40):
        assert risk.vector_delta(levels=[1 / k] * k, epsilon=0.3) < risk.delta(
            mechanism="laplace", epsilon=0.3, epsilon0=1
        )
