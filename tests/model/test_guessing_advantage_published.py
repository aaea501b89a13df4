"""Guessing advantage: what the slides print, what the audit checks, and the verdicts on the published bounds."""

from __future__ import annotations

import pytest

from dpwizard.privacy import guessing_advantage as ga
from tests.oracles import guessing_oracle as oracle

TEN = {"family": "uniform", "low": 0, "high": 10}
PROVED = ("exact", "main", "farthest", "simplified")


def at(prior, truth, precision, epsilon, bound="exact", direction="rise"):
    return ga.posterior(
        prior=prior, truth=truth, precision=precision, epsilon=epsilon, bound=bound, direction=direction
    )


def loss(prior, truth, precision, advantage, bound="exact", direction="rise"):
    return ga.epsilon_for(
        prior=prior, truth=truth, precision=precision, advantage=advantage, bound=bound, direction=direction
    )


@pytest.mark.parametrize(("bound", "epsilon"), [("simplified", 0.0539), ("main", 0.1854), ("exact", 0.2286)])
def test_the_exact_bound_allows_four_times_the_budget_of_the_published_closed_form(bound: str, epsilon: float) -> None:
    assert epsilon * (1 - 1e-3) <= loss(TEN, 5, 1, 0.1, bound) <= epsilon + 5e-5


@pytest.mark.parametrize(
    ("truth", "epsilon", "bound", "direction", "expected"),
    [
        (5, 0, "main", "rise", 0.2),
        (1, 1, "exact", "rise", 0.8647039742630842),
        (5, 1, "exact", "rise", 0.6364086465588308),
        (1, 1, "published_sum", "rise", 0.7746589008521354),
        (1, 1, "published_annulus", "rise", 0.6667412222541828),
        (5, 1, "main", "drop", 0.00800163795038595),
    ],
)
def test_the_uniform_prior_on_ten_minutes_gives_the_printed_and_audited_figures(
    truth, epsilon, bound, direction, expected
) -> None:
    assert at(TEN, truth, 1, epsilon, bound, direction) == pytest.approx(expected, rel=5e-4)


def test_the_cafeteria_guess_rises_from_25_to_30_percent() -> None:
    prior = {"family": "uniform", "low": 12, "high": 28}
    assert ga.prior_probability(prior=prior, truth=20, precision=2) == 0.25
    epsilon = loss(prior, 20, 2, 0.05)
    assert at(prior, 20, 2, epsilon) == pytest.approx(0.30, abs=1e-4)
    assert loss(prior, 20, 2, 0.05, "simplified") < loss(prior, 20, 2, 0.05, "main") < epsilon


def test_the_laplace_mechanism_itself_beats_both_published_annulus_formulas() -> None:
    reached = ga.laplace_posterior(prior=TEN, truth=1, precision=1, epsilon=1, output=0)
    assert reached == pytest.approx(0.8647039742630842, rel=1e-6)
    assert reached == pytest.approx(oracle.output(TEN, 1, 1, 1.0, 0.0), rel=1e-6)
    for refuted in ("published_annulus", "published_sum"):
        assert at(TEN, 1, 1, 1, refuted) < reached - 0.08
    for proved in PROVED:
        assert at(TEN, 1, 1, 1, proved) >= reached * (1 - 1e-6)


def test_the_exact_bound_is_attained_so_the_main_theorem_is_not_the_best_possible() -> None:
    outputs = [4 + i / 200 for i in range(401)]
    reached = max(ga.laplace_posterior(prior=TEN, truth=5, precision=1, epsilon=1, output=y) for y in outputs)
    assert reached == pytest.approx(at(TEN, 5, 1, 1), rel=1e-3)
    assert at(TEN, 5, 1, 1, "main") > reached + 0.01
