"""Special functions and noise kernels against mpmath with many digits: the normal distribution, its tails, priors'
masses, Gauss rules, and the Gaussian noise that keeps its promise.
"""

from __future__ import annotations

import math

import mpmath as mp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base import numerics
from dpwizard.privacy import mechanisms, quadrature
from dpwizard.privacy.mechanisms import normal
from dpwizard.privacy.mechanisms.geometric import GeometricLoss
from tests.oracles import noise_oracle as oracle

DIGITS = 50


def tail(x):
    """P(G > x)."""
    return mp.erfc(mp.mpf(x) / mp.sqrt(2)) / 2


@given(x=st.one_of(st.floats(-37, 40), st.floats(40, 1e6), st.floats(2.9, 3.1)))
def test_mills_ratio_and_its_slope_keep_their_digits_in_both_tails(x):
    ratio, slope = normal.mills(x)
    with mp.workdps(DIGITS + 20):
        exact = tail(x) / mp.npdf(mp.mpf(x)) if x < 200 else None
        if exact is None:  # its continued fraction, deep enough
            rest = mp.mpf(0)
            for term in range(200, 0, -1):
                rest = term / (mp.mpf(x) + rest)
            exact = 1 / (mp.mpf(x) + rest)
        doubt = 1e-15 + 2.5e-16 * min(x, 0.0) ** 2  # e^(x^2/2) carries the rounding of its argument
        assert ratio == pytest.approx(float(exact), rel=2 * doubt)
        assert slope == pytest.approx(float(1 - mp.mpf(x) * exact), rel=max(1e-14, 4 * doubt))


@given(x=st.one_of(st.floats(0, 50), st.floats(50, 1e100)))
def test_the_logarithm_of_the_normal_tail_does_not_underflow(x):
    with mp.workdps(DIGITS):
        exact = mp.log(tail(x)) if x < 1000 else -(mp.mpf(x) ** 2) / 2 - mp.log(mp.mpf(x)) - mp.log(2 * mp.pi) / 2
    assert normal.log_normal_tail(x) == pytest.approx(float(exact), rel=1e-14 if x < 1000 else 1e-6)


@given(x=st.floats(-37, 37))
def test_the_normal_distribution_function_keeps_its_digits_in_the_lower_tail(x):
    with mp.workdps(DIGITS):
        assert numerics.normal_cdf(x) == pytest.approx(float(tail(-mp.mpf(x))), rel=1e-15 * (2 + x * x))


@given(probability=st.one_of(st.floats(1e-300, 1e-3), st.floats(1e-3, 0.999)))
def test_the_normal_quantile_inverts_the_distribution_function(probability):
    x = numerics.normal_quantile(probability)
    with mp.workdps(DIGITS):
        slope = mp.npdf(mp.mpf(x)) * max(abs(x), mp.mpf("0.01"))
        assert abs(tail(-mp.mpf(x)) - mp.mpf(probability)) <= 4e-15 * slope + 2e-16 * mp.mpf(probability)


@given(mu=st.floats(-4, 1.5).map(lambda e: 10**e), first=st.floats(-38, 30))
def test_delta_of_a_gaussian_release_and_what_it_misses_are_both_to_their_stated_error(mu, first):
    first = min(first, mu / 2)  # epsilon is not negative
    reached, missed = normal.gaussian_delta_at(mu, first)
    with mp.workdps(80):
        m, a = mp.mpf(mu), mp.mpf(first)
        exact = tail(-a) - mp.exp(m * (m / 2 - a)) * tail(m - a)
        error = normal.gaussian_error(first)
        if exact > mp.mpf(10) ** -290:
            assert reached == pytest.approx(float(exact), rel=error, abs=0)
        if 1 - exact > mp.mpf(10) ** -290:
            assert missed == pytest.approx(float(1 - exact), rel=error, abs=0)


@given(kind=st.sampled_from(["laplace", "gaussian"]), scale=st.floats(1e-3, 1e3), steps=st.floats(0, 30))
def test_noise_tails_are_those_of_the_distribution_also_where_they_underflow(kind, scale, steps):
    x = scale * steps
    with mp.workdps(DIGITS):
        exact = -mp.mpf(x) / scale - mp.log(2) if kind == "laplace" else mp.log(tail(mp.mpf(x) / scale))
        assert mechanisms.mechanism_named(kind).log_tail(scale, x) == pytest.approx(float(exact), rel=1e-13, abs=1e-13)


@pytest.mark.parametrize("power", [0, 1, 7, 38, 39])
def test_the_gauss_rule_integrates_polynomials_up_to_its_degree(power):
    found = math.fsum(weight * node**power for node, weight in quadrature.continuous_rule())
    assert found == pytest.approx(1 / (power + 1), rel=1e-15 * 8)


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
