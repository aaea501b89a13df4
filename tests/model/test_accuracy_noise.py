"""Error, intervals and exact release against the definition of the noise; needs on their safe side."""

from __future__ import annotations

import math

import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.base.values import plain
from dpwizard.privacy import accuracy


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


@pytest.mark.parametrize("mechanism", ["geometric", "laplace"])
def test_no_epsilon_is_unbounded_noise_and_no_bound_is_none(mechanism):
    nothing = plain(accuracy.noise(mechanism=mechanism, epsilon=0, sensitivity=1))
    assert nothing == {"sd": None, "variance": None, "mae": None, "exact_probability": 0.0}
    everything = plain(accuracy.noise(mechanism=mechanism, epsilon="inf", sensitivity=1))
    assert everything == {"sd": 0.0, "variance": 0.0, "mae": 0.0, "exact_probability": 1.0}
    assert everything == plain(accuracy.noise(mechanism="exact"))


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


def test_what_only_an_exact_release_can_do_needs_no_finite_epsilon():
    assert accuracy.epsilon_for_rmse(mechanism="geometric", at_most=0) == math.inf
    assert accuracy.epsilon_for_exact_probability(mechanism="laplace", level=0.1) == math.inf
    assert accuracy.epsilon_for_exact_probability(mechanism="geometric", level=1) == math.inf
    assert accuracy.epsilon_for_exact_probability(mechanism="laplace", level=0) == 0
    assert accuracy.epsilon_for_interval(mechanism="laplace", half_width=0, level=0.5) == math.inf
    assert accuracy.epsilon_for_interval(mechanism="geometric", half_width=0.9, level=0.5) == pytest.approx(
        math.log(3), rel=1e-14
    )


def test_gaussian_noise_needs_a_delta():
    with pytest.raises(InvalidInput, match="delta: is missing"):
        accuracy.noise(mechanism="gaussian", epsilon=1)
    with pytest.raises(InvalidInput, match="epsilon: is missing"):
        accuracy.noise(mechanism="laplace")
