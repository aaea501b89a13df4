"""Exact and noisy linear releases under a Gaussian prior, exact means, and exact sums of discrete values."""

from __future__ import annotations

import math
import random

import pytest

from dpwizard.base.errors import Infeasible, InvalidInput
from dpwizard.privacy import persuasive_privacy as pp


def identity(n, variance=1.0):
    return [[variance if i == j else 0.0 for j in range(n)] for i in range(n)]


# -------------------------------------------------------------------------- linear releases


def test_two_means_that_differ_by_one_person_disclose_that_person():
    at = {"mean": [0.5, -0.2, 0.1], "covariance": identity(3), "data": [0.4, 0.3, 2.0]}
    third, half = 1 / 3, 0.5
    together = [[third, third, third], [half, half, 0.0]]
    for matrix in (together, [[1, 1, 1], [1, 1, 0]], [[0.1, 0.1, 0.1], [0.3, 0.3, 0.0]]):
        assert math.isinf(pp.linear_gain(matrix=matrix, index=2, **at))
        assert math.isinf(pp.linear_bound(matrix=matrix, **at))
        assert pp.linear_gain(matrix=matrix, index=0, **at) < 5
        assert pp.multiple_correlation(covariance=identity(3), matrix=matrix, index=2) == 1.0
    for alone in together:
        assert pp.linear_gain(matrix=[alone], index=2, **at) < 5


def test_a_prior_that_ties_two_values_discloses_both_with_one():
    for covariance in (
        [[0.01, 0.03], [0.03, 0.09]],
        [[1.0, 1.0], [1.0, 1.0]],
        [[2.0, math.sqrt(6)], [math.sqrt(6), 3.0]],
    ):
        assert pp.multiple_correlation(covariance=covariance, matrix=[[1, 0]], index=1) == 1.0
    assert pp.multiple_correlation(covariance=[[0.01, 0.0299], [0.0299, 0.09]], matrix=[[1, 0]], index=1) < 1.0


def test_the_tiniest_noise_is_not_mistaken_for_none():
    for variance in (1e-6, 1e-12, 1e-20, 1e-40, 1e-300):
        gain = pp.linear_gain(mean=[0], covariance=[[1]], data=[0], matrix=[[1]], noise=[[variance]], index=0)
        assert gain == pytest.approx(-math.log(variance), rel=1e-6 if variance > 1e-7 else 1e-11)
        noisy = pp.linear_gain(
            mean=[0, 0, 0],
            covariance=identity(3),
            data=[1, 2, 3],
            matrix=[[1, 1, 1], [1, 1, 0]],
            noise=identity(2, variance),
            index=2,
        )
        assert 0 < noisy < math.inf


def test_an_output_that_cannot_occur_is_refused():
    at = {"mean": [0, 0], "covariance": identity(2), "data": [1, 2], "matrix": [[1, 1], [2, 2]], "index": 0}
    assert pp.linear_gain(output=[3, 6], **at) < 10
    assert pp.linear_gain(output=[3, 6.0000000001], **at) < 10
    single = {**at, "matrix": [[1, 1]]}
    assert pp.linear_gain(output=2.5, **single) == pp.linear_gain(output=[2.5], **single)
    with pytest.raises(InvalidInput) as refusal:
        pp.linear_gain(output=[3, 7], **at)
    assert refusal.value.where == "output"
    with pytest.raises(InvalidInput) as refusal:  # data the prior rules out
        pp.linear_gain(mean=[0, 0], covariance=[[1, 1], [1, 1]], data=[1, 2], matrix=identity(2), index=0)
    assert refusal.value.where == "data"


# ------------------------------------------------------------------------------ exact means


def test_a_mean_of_a_hundred_at_r1_4_promises_4_01():
    promise = pp.exact_mean_promise(r1=4, n=100, correlation=0)
    assert promise.kappa == pytest.approx(4 + math.log(100 / 99), rel=1e-14)
    assert promise.sharp_kappa == pytest.approx(4 + math.log(100 / 99), rel=1e-14)
    assert round(promise.sharp_kappa, 2) == 4.01


# --------------------------------------------------------------------------- discrete sums


def test_decimals_add_up_as_they_are_written():
    priors = [{"points": [0.1, 0.3]}, {"points": [0.2, 0.0]}]
    assert pp.discrete_sum_gain(priors=priors, data=[0.1, 0.2], index=0) == pytest.approx(
        0.0, abs=1e-15
    )  # .1 + .2 or .3 + 0


# ----------------------------------------------------------------------------------- hostile


@pytest.mark.parametrize(
    ("arguments", "where"),
    [
        ({"r1": 1}, "covariance"),
        ({"r1": 1, "n": 3}, "covariance"),
        ({"r1": 1, "n": 3, "correlation": 0, "covariance": identity(3)}, "covariance"),
        ({"r1": 1, "n": 1, "correlation": 0}, "n"),
        ({"r1": 1, "n": 3, "correlation": -0.5}, "correlation"),
        ({"r1": 1, "n": 3, "correlation": 1.5}, "correlation"),
        ({"r1": -1, "n": 3, "correlation": 0}, "r1"),
        ({"r1": 1, "covariance": [[1]]}, "covariance"),
        ({"r1": 1, "covariance": identity(2), "mean": [0]}, "mean"),
        ({"r1": 1, "covariance": [[1, -1], [-1, 1]]}, "covariance"),
    ],
)
def test_an_exact_mean_needs_one_sound_description(arguments, where):
    with pytest.raises(InvalidInput) as refusal:
        pp.exact_mean_promise(**arguments)
    assert refusal.value.where == where


def test_sums_too_many_to_add_up_are_refused_with_a_remedy():
    source = random.Random(1)
    priors = [{"points": [round(source.random(), 12) for _ in range(50)]} for _ in range(30)]
    with pytest.raises(Infeasible) as refusal:
        pp.discrete_sum_gain(priors=priors, data=[prior["points"][0] for prior in priors], index=0)
    assert refusal.value.hint
