"""Noise kernels against many digits: the tails of Gaussian noise, and the noise that keeps its promise."""

from __future__ import annotations

import mpmath as mp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.privacy import mechanisms
from dpwizard.privacy.mechanisms.geometric import GeometricLoss
from tests.oracles import noise_oracle as oracle

EPSILONS = st.floats(1e-3, 30)
DELTAS = st.floats(-12, -0.05).map(lambda x: 10**x)


def test_a_loss_equal_to_epsilon_as_written_does_not_exceed_it():
    # the losses of eps0 = .3, D = 3 are .3, .1, -.1, -.3; in binary .3/3 lies below .1
    assert GeometricLoss(0.3, 3).tail(0.1) == pytest.approx(
        float(oracle.geometric_mass(0, 0.1) / (1 - mp.exp(-mp.mpf("0.1"))))
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
