"""Whole tables of numbers: chances against drawn noise, monotone in the budget, and needs that are kept just so."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpwizard.base.errors import DPWizardError
from dpwizard.privacy import accuracy
from dpwizard.privacy.accounting import zcdp
from dpwizard.privacy.mechanisms import discrete_gaussian_tail

MANY = 200_000


def drawn(mechanism: str, budget: float, size: tuple[int, ...]) -> np.ndarray:
    """Noise of one number of sensitivity 1, drawn from its definition."""
    rng = np.random.default_rng(7)
    if mechanism == "laplace":
        return rng.laplace(scale=1 / budget, size=size)
    if mechanism == "gaussian":
        return rng.normal(scale=1 / math.sqrt(2 * budget), size=size)
    if mechanism == "geometric":
        steps = rng.geometric(1 - math.exp(-budget), size=(2, *size)) - 1
        return steps[0] - steps[1]
    whole = np.arange(-80, 81)
    mass = np.exp(-(whole**2) * budget)
    return rng.choice(whole, size=size, p=mass / mass.sum())


@pytest.mark.parametrize("mechanism", ["laplace", "geometric", "gaussian", "discrete_gaussian"])
def test_what_is_said_of_a_table_is_what_drawn_noise_does(mechanism: str) -> None:
    name, budget = ("rho", 0.05) if "gaussian" in mechanism else ("epsilon", 0.4)
    noise = drawn(mechanism, budget, (MANY, 12))
    within = (np.abs(noise) <= 6.5).sum(axis=1)
    given = {"mechanism": mechanism, name: budget}
    chances = {
        accuracy.all_within(half_width=6.5, numbers=12, **given): (within == 12).mean(),
        accuracy.share_within(half_width=6.5, numbers=12, share=0.8, **given): (within >= 10).mean(),
        accuracy.relative_error(fraction=0.1, of=42, **given): (np.abs(noise[:, 0]) > 4.2).mean(),
        accuracy.drop_rate(true_value=9, threshold=5, **given): (9 + noise[:, 0] < 5).mean(),
        accuracy.spurious_rate(threshold=5, **given): (noise[:, 0] >= 5).mean(),
    }
    for said, seen in chances.items():
        assert abs(said - seen) < 5 * math.sqrt(said * (1 - said) / MANY) + 1e-6


def test_the_tail_of_whole_gaussian_noise_goes_on_where_its_sum_ends() -> None:
    for least in (1, 500, 4_000, 20_000):
        one, two = discrete_gaussian_tail(999.9999999, least), discrete_gaussian_tail(1000.0000001, least)
        assert one == pytest.approx(two, rel=1e-6)
    assert discrete_gaussian_tail(3.0, 0) + discrete_gaussian_tail(3.0, 1) == pytest.approx(1.0, rel=1e-15)


@pytest.mark.parametrize("rule", ["exact", "cks", "loose"])
def test_rho_and_epsilon_lead_back_to_each_other(rule: zcdp.Rule) -> None:
    for epsilon in (0.01, 1.0, 30.0):
        rho = zcdp.rho_from_epsilon(epsilon=epsilon, delta=1e-7, rule=rule)
        assert epsilon * (1 - 1e-7) <= zcdp.epsilon_from_rho(rho=rho, delta=1e-7, rule=rule) <= epsilon * (1 + 1e-12)


def test_the_rules_stand_in_their_order() -> None:
    for rho in (0.001, 0.5, 20.0):
        exact, cks, loose = (
            zcdp.epsilon_from_rho(rho=rho, delta=1e-6, rule=rule) for rule in ("exact", "cks", "loose")
        )
        assert exact < cks < loose


def test_a_person_in_many_slices_loses_the_smaller_of_two_sums() -> None:
    few, many = (zcdp.person_loss(slices=slices, delta=1e-9, epsilon=0.05) for slices in (12, 5_000))
    assert few.epsilon == few.basic == pytest.approx(0.6)
    assert many.basic == 250.0
    assert many.epsilon < 50.0
    assert zcdp.person_loss(slices=4, delta=1e-9, rho=0.1).basic is None


@pytest.mark.parametrize("wrong", [{"rho": 1.0}, {"epsilon": None}, {"epsilon": 1.0, "rho": 1.0}])
def test_a_budget_of_the_wrong_kind_is_named(wrong: dict[str, float]) -> None:
    with pytest.raises(DPWizardError) as caught:
        accuracy.relative_error(mechanism="laplace", fraction=0.1, of=10, **wrong)
    assert caught.value.hint
