"""The classical theorems, the theorem as published, and the optimum of pure releases."""

from __future__ import annotations

import mpmath as mp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.errors import InvalidInput
from dpwizard.privacy.accounting import composition
from tests.oracles import composition_oracle as oracle
from tests.oracles import noise_oracle


def test_figure_5_of_dandekar_basu_and_bressan():
    assert composition.advanced(epsilon0=0.1, releases=300, delta=1e-5) == pytest.approx(11.46641822361498, rel=1e-13)
    figure = composition.published_at_risk(epsilon0=0.1, epsilon=0.08, confidence=0.8, releases=300, delta=1e-5)
    assert figure == pytest.approx(9.37929068134555, rel=1e-13)


def test_the_published_theorem_claims_less_than_the_true_loss():
    claimed = composition.published_at_risk(epsilon0=0.5, epsilon=0.27, confidence=0.61, releases=300, delta=1e-5)
    true = composition.tight(mechanism="laplace", levels=[[0.5, 300]], delta=1e-5)
    assert claimed == pytest.approx(62.85, abs=0.2)
    assert true.lower == pytest.approx(63.98, abs=0.005)
    assert claimed < true.lower


@given(level=st.floats(-4, 1.5).map(lambda x: 10**x), releases=st.integers(1, 60), share=st.floats(0, 1))
def test_the_optimal_delta_is_the_binomial_sum(level, releases, share):
    epsilon = share * share * releases * level
    exact = oracle.randomised_response_delta(level, releases, epsilon)
    found = composition.optimal_delta(epsilon0=level, releases=releases, epsilon=epsilon)
    assert abs(mp.mpf(found) - exact) <= exact * mp.mpf(1e-11) + mp.mpf(1e-16) * releases * level


@given(
    level=st.floats(-3, 1.5).map(lambda x: 10**x),
    releases=st.integers(1, 60),
    delta=st.one_of(st.floats(-200, -0.01).map(lambda x: 10**x), st.floats(-12, -0.3).map(lambda x: 1 - 10**x)),
)
def test_the_optimal_epsilon_is_the_smallest_on_its_safe_side(level, releases, delta):
    epsilon = mp.mpf(composition.optimal(epsilon0=level, releases=releases, delta=delta))
    assert oracle.randomised_response_delta(level, releases, epsilon + mp.mpf(1e-15) * releases * level) <= delta
    nearly = epsilon - mp.mpf(1e-9) * max(1, epsilon)
    assert nearly <= 0 or oracle.randomised_response_delta(level, releases, nearly) > delta


def test_the_optimum_for_a_million_releases_nears_its_gaussian_limit():
    # n eps0^2 = 1: the loss tends to normal with mean 1/2 and variance 1
    found = composition.optimal(epsilon0=1e-3, releases=10**6, delta=1e-6)
    assert oracle_gaussian_gap(found, 1e-6) < 2e-3
    assert composition.optimal_delta(epsilon0=1e-3, releases=10**6, epsilon=found) == pytest.approx(1e-6, rel=1e-9)


def oracle_gaussian_gap(epsilon: float, delta: float) -> float:
    return abs(float(noise_oracle.gaussian_hockey_stick(1, epsilon)) / delta - 1)


def test_the_corollary_wants_one_confidence_for_each_level():
    with pytest.raises(InvalidInput, match="confidences: must have one entry for each level"):
        composition.published_at_risk_mixed(levels=[0.1, 0.2], epsilon=0.1, confidences=[0.5], delta=1e-5)
