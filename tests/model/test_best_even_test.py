"""How often the best test is right at even odds where only rho is known: by its own search, and by the curve's."""

from __future__ import annotations

import math

import pytest

from dpwizard.base.numerics import smallest, up
from dpwizard.decision import TradeOff

NEAREST = math.nextafter(1.0, 0.0)


@pytest.mark.parametrize("rho", [1e-9, 1e-4, 0.16, 1.0, 2.5562, 10.0, 40.0])
def test_it_is_where_the_curve_says_that_no_test_does_better(rho: float) -> None:
    told = TradeOff(rho=rho)
    found = told.even_odds_accuracy()
    by_curve = smallest(lambda right: up(1.0 - right, 1) <= told.fpr(right), 0.5, NEAREST)
    assert by_curve <= found <= min(NEAREST, by_curve * (1 + 3e-9))


@pytest.mark.parametrize("rho", [1e-6, 0.01, 0.5, 3.0])
def test_no_gaussian_release_of_that_rho_is_told_apart_better(rho: float) -> None:
    gaussian = 0.5 * math.erfc(-0.5 * math.sqrt(2.0 * rho) / math.sqrt(2.0))  # Phi(mu / 2)
    found = TradeOff(rho=rho).even_odds_accuracy()
    assert gaussian < found < 1.0
    assert found - 0.5 < 3.0 * (gaussian - 0.5)


def test_it_rises_with_rho_and_stays_below_certainty() -> None:
    found = [TradeOff(rho=10.0**power).even_odds_accuracy() for power in range(-10, 4)]
    assert found == sorted(found)
    assert found[-1] == NEAREST
