"""Priors: what is read and refused, and that masses, densities and summaries agree with quadrature."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.base.values import read
from dpwizard.privacy.guessing_advantage.given_truth import GivenTruth
from dpwizard.privacy.priors import Prior, answered
from tests.oracles import guessing_oracle
from tests.samples.priors import FAMILIES, sample

SMOOTH = [one for one in FAMILIES if read(Prior, sample(one)).listed() is None]


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_is_read_with_its_own_fields_and_has_quantiles(family: str) -> None:
    prior = read(Prior, sample(family))
    assert prior.family == family
    assert prior.missing() == ()
    low, high = prior.support()
    quantiles = [prior.quantile(share) for share in (0.05, 0.5, 0.95)]
    assert [low, *quantiles, high] == sorted([low, *quantiles, high])


@pytest.mark.parametrize("family", SMOOTH)
def test_the_density_integrates_to_the_distribution_function(family: str) -> None:
    prior = read(Prior, sample(family))
    least, most = prior.quantile(0.05), prior.quantile(0.95)
    x, w = np.polynomial.legendre.leggauss(60)
    marks = np.unique(np.concatenate([[least, most], np.arange(1, 5)]))
    marks = marks[(marks >= least) & (marks <= most)]
    for low, high in itertools.pairwise(marks):
        nodes = (low + high) / 2 + (high - low) / 2 * x
        mass = float((prior.seen().heights(nodes) * w).sum() * (high - low) / 2)
        ends = prior.cdf(np.array([low, high]))
        assert mass == pytest.approx(float(ends[1] - ends[0]), abs=2e-6)


@pytest.mark.parametrize("family", SMOOTH)
def test_the_probability_of_an_interval_is_that_of_the_definition_to_eleven_digits(family: str) -> None:
    for truth, precision in ((2.0, 0.5), (1.3, 0.3), (3.0, 2.0), (0.0, 0.25), (2.5, 0.7)):
        expected = guessing_oracle.prior_probability(sample(family), truth, precision)
        assert GivenTruth(read(Prior, sample(family)), truth, precision).inside == pytest.approx(
            expected, rel=1e-11, abs=1e-15
        )


def test_repeated_points_add_up_and_absent_probabilities_are_equal() -> None:
    seen = read(Prior, {"family": "discrete", "points": [2, 1, 2.0, -0.0, 0]}).seen()
    assert seen.places.tolist() == [0.0, 1.0, 2.0]
    assert seen.shares.tolist() == [0.4, 0.2, 0.4]


def test_points_and_bins_without_mass_are_no_part_of_the_support() -> None:
    assert read(Prior, {"family": "discrete", "points": [0, 1, 9], "probabilities": [0, 1, 0]}).support() == (1.0, 1.0)
    assert read(Prior, {"family": "histogram", "edges": [0, 1, 2, 3], "weights": [0, 1, 0]}).support() == (1.0, 2.0)


def test_weights_are_masses_and_are_normalised() -> None:
    small = read(Prior, {"family": "histogram", "edges": [0, 1, 2], "weights": [1e-200, 3e-200]})
    large = read(Prior, {"family": "histogram", "edges": [0, 1, 2], "weights": [1e200, 3e200]})
    assert GivenTruth(small, 0.5, 0.5).inside == GivenTruth(large, 0.5, 0.5).inside == pytest.approx(0.25, rel=1e-15)


def test_a_field_that_is_not_answered_is_missing_and_named() -> None:
    prior = read(Prior, {"family": "truncated_normal", "mean": 1, "high": 3})
    assert prior.missing() == ("sd", "low")
    with pytest.raises(InvalidInput, match=r"attributes\[2\]\.prior\.sd: is not answered"):
        answered(prior, "attributes[2].prior")
    with pytest.raises(InvalidInput, match="is not answered"):
        prior.quantile(0.5)


def test_the_ends_of_a_beta_are_0_and_1_unless_given() -> None:
    assert read(Prior, {"family": "beta", "a": 2, "b": 3}).support() == (0.0, 1.0)


@pytest.mark.parametrize(
    ("raw", "where"),
    [
        ({"family": "uniform", "low": 3, "high": 3}, "$.high"),
        ({"family": "uniform", "low": 3, "high": 1}, "$.high"),
        ({"family": "beta", "a": 1, "b": 1, "low": 2, "high": 1}, "$.high"),
        ({"family": "truncated_normal", "mean": 0, "sd": 1, "low": 1, "high": 0}, "$.high"),
        ({"family": "normal", "mean": 0, "sd": 0}, "$.sd"),
        ({"family": "normal", "mean": 0, "sd": -1}, "$.sd"),
        ({"family": "exponential", "rate": math.inf}, "$.rate"),
        ({"family": "lognormal", "log_mean": math.nan, "log_sd": 1}, "$.log_mean"),
        ({"family": "beta", "a": "2", "b": 1}, "$.a"),
        ({"family": "discrete", "points": []}, "$.points"),
        ({"family": "discrete", "points": [1, 2], "probabilities": [1]}, "$.probabilities"),
        ({"family": "discrete", "points": [1, 2], "probabilities": [0, 0]}, "$.probabilities"),
        ({"family": "discrete", "points": [1, 2], "probabilities": [1, -1]}, "$.probabilities[1]"),
        ({"family": "discrete", "points": [1] * 2001}, "$.points"),
        ({"family": "histogram", "edges": [0, 1, 1], "weights": [1, 1]}, "$.edges[2]"),
        ({"family": "histogram", "edges": [0, 1], "weights": [1, 1]}, "$.weights"),
        ({"family": "histogram", "edges": [0, 1, 2], "weights": [0, 0]}, "$.weights"),
        ({"family": "cauchy"}, "$.family"),
        ({"low": 0, "high": 1}, "$.family"),
        ({"family": "uniform", "low": 0, "high": 1, "mean": 2}, "$.mean"),
    ],
)
def test_what_is_no_prior_is_refused_at_its_place(raw: dict[str, object], where: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read(Prior, raw)
    assert refused.value.where == where
    assert refused.value.hint


@pytest.mark.parametrize("family", FAMILIES)
def test_a_prior_can_be_drawn_with_a_distribution_function_that_never_falls(family: str) -> None:
    prior = read(Prior, sample(family))
    drawn = prior.picture()
    assert drawn is not None
    cumulative = prior.cdf(np.array(drawn.places))
    assert (np.diff(drawn.places) > 0).all()
    assert min(drawn.heights) >= 0
    assert (np.diff(cumulative) >= -1e-12).all()
    assert 0.0 <= cumulative[0] <= cumulative[-1] <= 1.0 + 1e-12


def test_a_normal_cut_far_out_in_its_tail_is_still_a_distribution() -> None:
    prior = read(Prior, {"family": "truncated_normal", "mean": 0, "sd": 1, "low": 12, "high": 40})
    low, median, high = (prior.quantile(share) for share in (0.05, 0.5, 0.95))
    assert 12 < low < median < high < 13
    assert median == pytest.approx(12 + math.log(2) / 12, abs=1e-3)
    assert float(prior.seen().heights(np.array([12.0]))[0]) == pytest.approx(12.0, rel=0.02)
