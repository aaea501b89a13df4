"""The audited laws of the loss: the printed table, decimals as written, and the noise level that keeps a promise."""

from __future__ import annotations

import math

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.privacy import privacy_at_risk as risk


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


def test_a_count_has_all_or_nothing():
    for epsilon in (0.0, 0.5, 0.99):
        assert risk.confidence(mechanism="geometric", epsilon=epsilon, epsilon0=1, sensitivity=1) == 0.0
    assert risk.confidence(mechanism="geometric", epsilon=1, epsilon0=1, sensitivity=1) == 1.0


def test_from_epsilon0_on_nothing_is_left_to_chance():
    for mechanism in ("laplace", "geometric"):
        for epsilon in (1.0, 1.5, 1e300, "inf"):
            given_ = {"mechanism": mechanism, "epsilon": epsilon, "epsilon0": 1.0, "sensitivity": 3}
            assert (risk.confidence(**given_), risk.risk(**given_), risk.delta(**given_)) == (1.0, 0.0, 0.0)
        given_ = {"mechanism": mechanism, "epsilon": 5, "epsilon0": "inf", "sensitivity": 3}
        assert (risk.confidence(**given_), risk.risk(**given_), risk.delta(**given_)) == (0.0, 1.0, 1.0)
    assert risk.confidence(mechanism="gaussian", mu=0, epsilon=0) == 1.0


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


def test_the_coverage_of_an_order_statistic_is_a_binomial_tail():
    for rank, samples in ((1, 1), (3, 10), (95, 100), (100, 100)):
        for p in (0.01, 0.5, 0.9):
            with mpmath.workdps(40):
                q = mpmath.mpf(p)
                tail = mpmath.fsum(mpmath.binomial(samples, i) * q**i * (1 - q) ** (samples - i) for i in range(rank))
            assert risk.coverage_confidence(p=p, rank=rank, samples=samples) == pytest.approx(float(tail), rel=1e-12)
