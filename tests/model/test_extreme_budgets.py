"""What is told of a whole release at the least and the largest budgets: a safe figure, or none, never a failure."""

from __future__ import annotations

import math
from typing import Any

import pytest

from dpwizard.base.values import plain
from dpwizard.decision import assess, read_decision
from dpwizard.privacy.mechanisms.discrete_gaussian import OfOneNumber

BUDGETS = (5e-324, 1e-300, 1e-160, 1e-100, 1e-30, 1e-9, 0.01, 1.0, 50.0, 700.0, 1e4, 1e9, 1e15, 1e155, 1e299, 1e300)
PURE = ("laplace", "geometric")
NOISES = (*PURE, "gaussian", "discrete_gaussian")


def accounting(noise: str, budget: float, delta: float | None = None) -> Any:
    release = {"neighbours": "add_remove", "mechanism": noise, "statistic": "count", "sensitivity": 1}
    if delta is not None:
        release["delta"] = delta
    counted_in = "epsilon" if noise in PURE or delta is not None else "rho"
    raw = {"format": "dpwizard.decision/1", "title": "Counts", "release": release, "requirements": []}
    return plain(assess(read_decision({**raw, counted_in: budget})))["accounting"]


def above(figure: float | None) -> float:
    return math.inf if figure is None else figure


@pytest.mark.parametrize("delta", [None, 1e-6])
@pytest.mark.parametrize("noise", NOISES)
def test_every_budget_has_figures_that_do_not_fall(noise: str, delta: float | None) -> None:
    before = [0.0] * 4
    for budget in BUDGETS:
        found = accounting(noise, budget, delta)
        told = [above(found["gdp_mu"]), *(above(point["epsilon"]) for point in found["at_delta"])]
        assert told[1] <= told[2] <= told[3], (budget, told)
        if noise != "discrete_gaussian":  # which is not monotone
            assert all(now >= then * (1.0 - 1e-3) - 1e-15 for now, then in zip(told, before, strict=True)), (
                budget,
                told,
            )
        if noise in PURE:
            assert told[3] <= max(budget, 1e-100) * (1.0 + 1e-9)
        before = told


@pytest.mark.parametrize("noise", NOISES)
def test_a_small_budget_tells_next_to_nothing(noise: str) -> None:
    for budget in BUDGETS[:4]:
        found = accounting(noise, budget)
        assert found["gdp_mu"] < 1e-7
        assert all(point["epsilon"] < 1e-9 for point in found["at_delta"])


@pytest.mark.parametrize("noise", NOISES)
def test_no_budget_tells_nothing(noise: str) -> None:
    found = accounting(noise, 0.0)
    assert found["gdp_mu"] == 0.0
    assert [point["epsilon"] for point in found["at_delta"]] == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("steps", [1, 3, 10**15])
@pytest.mark.parametrize("delta", [1e-249, 1e-6, 0.5, 1.0 - 1e-16])
def test_one_number_has_a_curve_at_every_epsilon(steps: int, delta: float) -> None:
    curve = OfOneNumber(steps)
    before = 0.0
    for epsilon in (5e-324, 1e-160, 1e-9, 1.0, 1e4, 1e100, 1e299, 1e300, 1e305):
        mu = curve.mu(epsilon, delta)
        assert before * (1.0 - 1e-8) <= mu < math.inf
        assert curve.epsilon(mu, delta) >= 0.0 <= curve.told(mu, delta, 2.0)
        before = mu
