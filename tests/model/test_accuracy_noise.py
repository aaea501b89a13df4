"""Error, intervals and exact release against the definition of the noise; needs on their safe side."""

from __future__ import annotations

import math

import mpmath as mp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.base.values import plain
from dpwizard.privacy import accuracy
from tests.oracles import noise_oracle as oracle

NUMBERS = st.floats(-4, 4).map(lambda x: 10**x)
SHARES = st.floats(-9, -1e-3).map(lambda x: 10**x)


@pytest.mark.parametrize(
    ("epsilon", "sd", "exact"),
    [(1.0873145464854883, 1.24, 0.50), (1.209837923778334, 1.10, 0.54), (2.097141118779237, 0.56, 0.78)],
)
def test_table_5_of_kazan_and_reiter(epsilon, sd, exact):
    found = accuracy.noise(mechanism="geometric", epsilon=epsilon, sensitivity=1)
    assert found.sd == pytest.approx(sd, abs=0.005)
    assert found.exact_probability == pytest.approx(exact, abs=0.005)


def test_the_rmse_of_example_3():
    assert accuracy.noise(mechanism="geometric", epsilon=2.197224577336219).sd == pytest.approx(0.53, abs=0.005)


@pytest.mark.slow
@given(rate=st.floats(0.05, 20), sensitivity=st.floats(0.5, 3))
def test_geometric_error_is_the_sum_over_all_outputs(rate, sensitivity):
    found = accuracy.noise(mechanism="geometric", epsilon=rate * sensitivity, sensitivity=sensitivity)
    variance, mean = oracle.geometric_moments(rate)
    assert found.variance == pytest.approx(float(variance), rel=1e-11)
    assert found.mae == pytest.approx(float(mean), rel=1e-11)
    assert found.exact_probability == pytest.approx(float(oracle.geometric_mass(0, rate)), rel=1e-11)


def test_laplace_and_gaussian_error():
    laplace = accuracy.noise(mechanism="laplace", epsilon=0.5, sensitivity=2)
    assert (laplace.sd, laplace.variance, laplace.mae, laplace.exact_probability) == pytest.approx(
        (4 * math.sqrt(2), 32, 4, 0)
    )
    gaussian = accuracy.noise(mechanism="gaussian", epsilon=1, delta=1e-5)
    assert oracle.gaussian_hockey_stick(1 / gaussian.sd, 1) <= 1e-5
    assert gaussian.sd == pytest.approx(3.7306316348, rel=1e-9)
    assert gaussian.mae == pytest.approx(gaussian.sd * math.sqrt(2 / math.pi), rel=1e-14)


@pytest.mark.parametrize("mechanism", ["geometric", "laplace"])
def test_no_epsilon_is_unbounded_noise_and_no_bound_is_none(mechanism):
    nothing = plain(accuracy.noise(mechanism=mechanism, epsilon=0, sensitivity=1))
    assert nothing == {"sd": None, "variance": None, "mae": None, "exact_probability": 0.0}
    everything = plain(accuracy.noise(mechanism=mechanism, epsilon="inf", sensitivity=1))
    assert everything == {"sd": 0.0, "variance": 0.0, "mae": 0.0, "exact_probability": 1.0}
    assert everything == plain(accuracy.noise(mechanism="exact"))


@given(rate=st.floats(0.02, 5), level=st.floats(0.01, 0.999))
def test_the_half_width_is_the_smallest_whole_one(rate, level):
    found = accuracy.noise_interval(mechanism="geometric", epsilon=rate, level=level)
    h = int(found.half_width)
    assert oracle.geometric_within(h, rate) >= level
    assert found.coverage == pytest.approx(float(oracle.geometric_within(h, rate)), rel=1e-12)
    assert h == 0 or oracle.geometric_within(h - 1, rate) < level


def test_an_edge_is_decided_as_the_numbers_are_written():
    # (1-a)/(1+a) = 1/2 at epsilon = log 3 = 1.098612288668109691...
    assert accuracy.noise_interval(mechanism="geometric", epsilon=1.0986122886681098, level=0.5).half_width == 0
    assert accuracy.noise_interval(mechanism="geometric", epsilon=1.0986122886681096, level=0.5).half_width == 1


def test_the_interval_of_continuous_noise_covers_exactly_the_level():
    assert accuracy.noise_interval(mechanism="laplace", epsilon=0.5, level=0.95).half_width == pytest.approx(
        2 * math.log(20), rel=1e-14
    )
    gaussian = accuracy.noise_interval(mechanism="gaussian", epsilon=1, delta=1e-5, level=0.95)
    assert gaussian.half_width == pytest.approx(3.7306316348 * 1.959963984540054, rel=1e-9)
    assert gaussian.coverage == 0.95
    for mechanism in ("laplace", "geometric"):
        assert accuracy.noise_interval(mechanism=mechanism, epsilon=1, level=1).half_width == math.inf
        assert accuracy.noise_interval(mechanism=mechanism, epsilon=1, level=0).half_width == 0
        assert accuracy.noise_interval(mechanism=mechanism, epsilon="inf", level=1).half_width == 0


def test_the_distribution_function():
    for x in (-7.5, -1, -0.2, 0, 0.5, 3):
        geometric = accuracy.noise_cdf(mechanism="geometric", epsilon=0.7, x=x)
        assert geometric == pytest.approx(float(oracle.geometric_at_most(math.floor(x), 0.7)), rel=1e-12)
        laplace = accuracy.noise_cdf(mechanism="laplace", epsilon=0.7, x=x)
        assert laplace == pytest.approx(0.5 * math.exp(0.7 * x) if x < 0 else 1 - 0.5 * math.exp(-0.7 * x), rel=1e-13)
    assert accuracy.noise_cdf(mechanism="laplace", epsilon=1, x=-700) == pytest.approx(0.5 * math.exp(-700), rel=1e-12)
    assert accuracy.noise_cdf(mechanism="exact", x=-0.1) == 0
    assert accuracy.noise_cdf(mechanism="exact", x=0) == 1


@given(sensitivity=NUMBERS, bound=NUMBERS, level=SHARES, half_width=st.sampled_from([0, 1, 2.7, 40, 10**6]))
def test_needs_are_never_below_the_true_need_and_never_far_above(sensitivity, bound, level, half_width):
    s, x, p = mp.mpf(sensitivity), mp.mpf(bound), mp.mpf(level)
    pairs = [
        (
            accuracy.epsilon_for_rmse(mechanism="geometric", sensitivity=sensitivity, at_most=bound),
            2 * mp.asinh(1 / (mp.sqrt(2) * x)) * s,
        ),
        (
            accuracy.epsilon_for_mean_absolute_error(mechanism="geometric", sensitivity=sensitivity, at_most=bound),
            mp.asinh(1 / x) * s,
        ),
        (accuracy.epsilon_for_rmse(mechanism="laplace", sensitivity=sensitivity, at_most=bound), mp.sqrt(2) / x * s),
        (accuracy.epsilon_for_mean_absolute_error(mechanism="laplace", sensitivity=sensitivity, at_most=bound), s / x),
        (
            accuracy.epsilon_for_exact_probability(mechanism="geometric", sensitivity=sensitivity, at_least=level),
            2 * mp.atanh(p) * s,
        ),
        (
            accuracy.epsilon_for_interval(mechanism="laplace", sensitivity=sensitivity, half_width=bound, level=level),
            -mp.log1p(-p) / x * s,
        ),
    ]
    spared = max(2e-14, 2e-15 / level)  # a chance of 1 - LEVEL has no digits for a small LEVEL
    for found, exact in pairs:
        assert 0 <= found / exact - 1 < spared
    need = mp.mpf(
        accuracy.epsilon_for_interval(
            mechanism="geometric", sensitivity=sensitivity, half_width=half_width, level=level
        )
    )

    def outside(epsilon):
        a = mp.exp(-epsilon / s)
        return 2 * a ** (int(half_width) + 1) / (1 + a)

    assert outside(need) <= 1 - p < outside(need * (1 - mp.mpf(spared)))


@given(bound=st.floats(0.1, 50), level=st.floats(0.05, 0.999), delta=st.floats(1e-10, 1e-2))
def test_gaussian_needs_meet_their_bound(bound, level, delta):
    for need, of in ((accuracy.epsilon_for_rmse, "sd"), (accuracy.epsilon_for_mean_absolute_error, "mae")):
        epsilon = need(mechanism="gaussian", at_most=bound, delta=delta)
        reached = getattr(accuracy.noise(mechanism="gaussian", epsilon=epsilon, delta=delta), of)
        assert epsilon == 0 or reached == pytest.approx(bound, rel=1e-8)
        assert reached <= bound * (1 + 2e-12)
    epsilon = accuracy.epsilon_for_interval(mechanism="gaussian", half_width=bound, level=level, delta=delta)
    assert accuracy.noise_interval(
        mechanism="gaussian", epsilon=epsilon, level=level, delta=delta
    ).half_width <= bound * (1 + 2e-12)


def test_what_only_an_exact_release_can_do_needs_no_finite_epsilon():
    assert accuracy.epsilon_for_rmse(mechanism="geometric", at_most=0) == math.inf
    assert accuracy.epsilon_for_exact_probability(mechanism="laplace", at_least=0.1) == math.inf
    assert accuracy.epsilon_for_exact_probability(mechanism="geometric", at_least=1) == math.inf
    assert accuracy.epsilon_for_exact_probability(mechanism="laplace", at_least=0) == 0
    assert accuracy.epsilon_for_interval(mechanism="laplace", half_width=0, level=0.5) == math.inf
    assert accuracy.epsilon_for_interval(mechanism="geometric", half_width=0.9, level=0.5) == pytest.approx(
        math.log(3), rel=1e-14
    )


HOSTILE = [0, 5e-324, 1e-300, 1e-16, 0.5, 1, 1e300, 1e308, math.inf, math.nan, -1, -1e-300, "inf", "x", None, True, [1]]


@pytest.mark.parametrize(
    "function", ["noise", "noise_interval", "noise_cdf", "epsilon_for_interval", "epsilon_for_rmse"]
)
def test_hostile_numbers_give_an_answer_or_a_named_error(function):
    names = {
        "noise": ("epsilon", "sensitivity"),
        "noise_interval": ("epsilon", "sensitivity", "level"),
        "noise_cdf": ("epsilon", "sensitivity", "x"),
        "epsilon_for_interval": ("sensitivity", "half_width", "level"),
        "epsilon_for_rmse": ("sensitivity", "at_most"),
    }[function]
    for mechanism in ("geometric", "laplace", "gaussian"):
        for first in HOSTILE:
            for second in HOSTILE:
                arguments = dict(zip(names, (first, second, 0.5), strict=False))
                problem = None
                try:
                    plain(getattr(accuracy, function)(mechanism=mechanism, delta=1e-6, **arguments))
                except DPWizardError as found:
                    problem = found
                assert problem is None or (problem.where in names and problem.hint)


def test_gaussian_noise_needs_a_delta():
    with pytest.raises(InvalidInput, match="delta: is missing"):
        accuracy.noise(mechanism="gaussian", epsilon=1)
    with pytest.raises(InvalidInput, match="epsilon: is missing"):
        accuracy.noise(mechanism="laplace")
