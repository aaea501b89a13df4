"""Noise kernels against sums over all outputs, quadrature and many digits."""

from __future__ import annotations

import mpmath as mp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.privacy import mechanisms
from dpwizard.privacy.mechanisms.geometric import GeometricLoss
from dpwizard.privacy.mechanisms.laplace import LaplaceLoss
from tests.oracles import noise_oracle as oracle

EPSILONS = st.floats(1e-3, 30)
DELTAS = st.floats(-12, -0.05).map(lambda x: 10**x)


@pytest.mark.parametrize(("level", "shift"), [(0.5, 1), (1.0, 2), (0.3, 3), (2.0, 7), (4.0, 5)])
@pytest.mark.parametrize("share", [0.0, 0.2, 1 / 3, 0.6, 0.99, 1.0, 1.2])
def test_the_geometric_delta_is_the_sum_over_all_outputs(level, shift, share):
    epsilon = share * level
    found = GeometricLoss(level, shift).delta(epsilon)
    assert found == pytest.approx(float(oracle.geometric_hockey_stick(level, shift, epsilon)), rel=1e-13, abs=1e-16)


@pytest.mark.parametrize(("level", "shift"), [(0.5, 1), (0.3, 3), (0.6, 6), (2.0, 7)])
@pytest.mark.parametrize("share", [-1.0, -0.5, 0.0, 1 / 3, 0.5, 0.999, 1.0])
def test_the_geometric_loss_exceeds_strictly(level, shift, share):
    epsilon = round(share * level, 12)
    found = GeometricLoss(level, shift).beyond(epsilon)
    assert found == pytest.approx(float(oracle.geometric_loss_above(level, shift, epsilon)), rel=1e-13)


def test_a_loss_equal_to_epsilon_as_written_does_not_exceed_it():
    # the losses of eps0 = .3, D = 3 are .3, .1, -.1, -.3; in binary .3/3 lies below .1
    assert GeometricLoss(0.3, 3).beyond(0.1) == pytest.approx(
        float(oracle.geometric_mass(0, 0.1) / (1 - mp.exp(-mp.mpf("0.1"))))
    )


@pytest.mark.slow
@pytest.mark.parametrize(("level", "epsilon"), [(0.1, 0.08), (0.5, 0.27), (1, 0.42), (3, 0.0), (1e-4, 5e-5)])
def test_the_laplace_delta_is_the_integral_over_all_outputs(level, epsilon):
    assert LaplaceLoss(level).delta(epsilon) == pytest.approx(
        float(oracle.laplace_hockey_stick(level, epsilon)), rel=1e-12
    )


@pytest.mark.slow
@given(mu=st.floats(-5, 2).map(lambda x: 10**x), first=st.floats(-30, 6))
def test_the_gaussian_delta_keeps_its_digits_in_the_tail(mu, first):
    epsilon = mu * (mu / 2 - first)
    if epsilon < 0:
        return
    condition = 1e-13 + 1e-15 * (mu + epsilon / mu) * max(1.0, abs(first))
    exact = oracle.gaussian_hockey_stick(mu, epsilon)
    assert abs(mp.mpf(mechanisms.gaussian_delta(mu, epsilon)) / exact - 1) < condition


@pytest.mark.slow
@given(epsilon=EPSILONS, delta=DELTAS)
def test_the_gaussian_noise_keeps_its_promise_and_a_little_less_breaks_it(epsilon, delta):
    sigma = mechanisms.GAUSSIAN.scale(epsilon, 1.0, delta)
    assert oracle.gaussian_hockey_stick(1 / mp.mpf(sigma), epsilon) <= delta
    assert oracle.gaussian_hockey_stick(1 / (mp.mpf(sigma) * (1 - mp.mpf(2e-12))), epsilon) > delta


@pytest.mark.slow
@given(mu=st.floats(-3, 1.5).map(lambda x: 10**x), delta=DELTAS)
def test_the_gaussian_epsilon_is_the_smallest_on_its_safe_side(mu, delta):
    epsilon = mechanisms.gaussian_epsilon(mu, delta)
    assert oracle.gaussian_hockey_stick(mu, max(epsilon, 0)) <= delta
    if epsilon > 2e-12:
        assert oracle.gaussian_hockey_stick(mu, epsilon - 2e-12 * max(1.0, epsilon)) > delta
