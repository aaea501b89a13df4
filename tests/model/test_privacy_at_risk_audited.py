"""The audited laws of the loss: the printed table, decimals as written, the noise level that keeps a promise; and the
exact law of the summed loss of several numbers.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.privacy import privacy_at_risk as risk
from tests.oracles import risk_oracle as oracle


@pytest.mark.parametrize(
    ("epsilon0", "epsilon", "confidence", "exceeds", "delta"),
    [(0.1, 0.08, 0.0381, 0.505, 0.0100), (0.5, 0.27, 0.1055, 0.554, 0.1086), (1.0, 0.42, 0.1283, 0.626, 0.2517)],
)
def test_the_table_of_the_audit(epsilon0, epsilon, confidence, exceeds, delta):
    given_ = {"mechanism": "laplace", "epsilon": epsilon, "epsilon0": epsilon0}
    assert risk.confidence(**given_) == pytest.approx(confidence, abs=5e-5)
    assert risk.risk(**given_) == pytest.approx(exceeds, abs=5e-4)
    assert risk.delta(**given_) == pytest.approx(delta, abs=6e-5)


def test_no_noise_level_above_the_level_has_the_published_confidence_of_section_6_2():
    assert risk.noise_level(mechanism="laplace", epsilon=0.4, confidence=0.6) == 0.4
    assert risk.confidence(mechanism="laplace", epsilon=0.4, epsilon0=0.4000001) < (1 - math.exp(-0.4)) / 2
    assert risk.published_noise_level(epsilon=0.4, confidence=0.6) > 0.79


def test_a_loss_equal_to_epsilon_counts_as_within_although_the_decimals_are_not_exact_in_binary():
    assert 0.3 / 3 != 0.1
    at = risk.confidence(mechanism="geometric", epsilon=0.1, epsilon0=0.3, sensitivity=3)
    below = risk.confidence(mechanism="geometric", epsilon=0.0999999999, epsilon0=0.3, sensitivity=3)
    assert below == 0.0
    a = math.exp(-0.1)
    assert at == pytest.approx((a - a * a) / (1 + a) if at < 0.05 else (a - a**3) / (1 + a), rel=1e-14)
    assert risk.risk(mechanism="geometric", epsilon=0.1, epsilon0=0.3, sensitivity=3) < risk.risk(
        mechanism="geometric", epsilon=0.0999999999, epsilon0=0.3, sensitivity=3
    )


# -------------------------------------------------------------------------------------- the inverse


@pytest.mark.slow
@given(steps=st.integers(1, 12), level=st.floats(0.01, 4), confidence=st.floats(-4, 0))
def test_the_geometric_noise_level_keeps_the_promise_everywhere_below_and_breaks_it_just_above(
    steps, level, confidence
):
    confidence = 10.0**confidence
    found = risk.noise_level(mechanism="geometric", epsilon=level, confidence=confidence, sensitivity=steps)

    def reached(epsilon0):
        return risk.confidence(mechanism="geometric", epsilon=level, epsilon0=epsilon0, sensitivity=steps)

    assert level <= found <= steps * level * (1 + 1e-15)  # the product itself is rounded
    assert reached(found) >= confidence
    assert all(reached(level + (found - level) * i / 40) >= confidence * (1 - 1e-13) for i in range(40))
    assert min(reached(found * (1 + 10.0**-i)) for i in range(8, 13)) < confidence


def test_the_geometric_noise_level_finds_the_end_of_a_huge_number_of_pieces():
    fine = risk.noise_level(mechanism="geometric", epsilon=0.5, confidence=0.1, sensitivity=10**14)
    assert fine == pytest.approx(risk.noise_level(mechanism="laplace", epsilon=0.5, confidence=0.1), rel=1e-10)


# ------------------------------------------------------------------------------- order statistics


@pytest.mark.slow
@pytest.mark.parametrize(
    "levels",
    [[0.5, 0.5], [5, 0.01, 1.0], [0.1, 0.3, 0.2, 0.4], [1e-6, 2e-6, 1e-6]],
)
@pytest.mark.parametrize("share", [0.0, 0.9])
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
        ([1.0] * 200, 80.0),
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


def test_a_sum_of_losses_equal_to_epsilon_counts_as_within_although_the_decimals_are_not_exact_in_binary():
    assert 0.1 + 0.2 != 0.3
    assert risk.vector_confidence(levels=[0.3, 0.1, 0.2], epsilon=0) == pytest.approx(
        math.exp(-0.3) / 4, abs=1e-5
    )  # up, down, down, and back
    assert risk.vector_confidence(levels=[0.1, 0.2], epsilon=0.3) == 1.0
    assert risk.vector_delta(levels=[0.1, 0.2], epsilon=0.3) == 0.0
    # one coordinate up and the other down: atoms at 0 of mass e^-a/2 in all
    assert risk.vector_confidence(levels=[0.7, 0.7], epsilon=0) == pytest.approx(math.exp(-0.7) / 2, abs=1e-5)
    assert risk.vector_confidence(levels=[0.7, 0.70001], epsilon=0) == 0.0
