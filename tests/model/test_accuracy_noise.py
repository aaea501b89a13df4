"""Accuracy against the definition of the noise: errors, intervals, whole tables of numbers, and rates past a target."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.errors import DPWizardError
from dpwizard.decision import assess, read_decision
from dpwizard.privacy import accuracy
from dpwizard.privacy.accounting.functions import person_loss
from dpwizard.privacy.mechanisms import discrete_gaussian_tail


def test_an_edge_is_decided_as_the_numbers_are_written():
    # (1-a)/(1+a) = 1/2 at epsilon = log 3 = 1.098612288668109691...
    assert accuracy.noise_interval(mechanism="geometric", epsilon=1.0986122886681098, level=0.5).half_width == 0
    assert accuracy.noise_interval(mechanism="geometric", epsilon=1.0986122886681096, level=0.5).half_width == 1


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


def test_a_person_in_many_slices_loses_the_smaller_of_two_sums() -> None:
    few, many = (person_loss(slices=slices, delta=1e-9, epsilon=0.05) for slices in (12, 5_000))
    assert few.epsilon == few.basic == pytest.approx(0.6)
    assert many.basic == 250.0
    assert many.epsilon < 50.0
    assert person_loss(slices=4, delta=1e-9, rho=0.1).basic is None


@pytest.mark.parametrize("wrong", [{"rho": 1.0}, {"epsilon": None}, {"epsilon": 1.0, "rho": 1.0}])
def test_a_budget_of_the_wrong_kind_is_named(wrong: dict[str, float]) -> None:
    with pytest.raises(DPWizardError) as caught:
        accuracy.relative_error(mechanism="laplace", fraction=0.1, of=10, **wrong)
    assert caught.value.hint


def test_thresholds_are_computed_in_rationals():
    found = accuracy.switch_rate(epsilon=1, target=0.29, per=1, records=100, deviation=0.01)
    assert (found.threshold_count, found.true_count_above, found.true_count_below) == (29, 30, 28)
    halves = accuracy.switch_rate(epsilon=1, target=1, per=10, records=25, deviation=0.2)
    assert (halves.threshold_count, halves.true_count_above, halves.true_count_below) == (2, 3, 2)


@given(
    target=st.decimals(0, 50, places=2),
    per=st.sampled_from([1, 10, 1000, 12.5]),
    records=st.integers(1, 10**6),
    deviation=st.decimals(0, 9, places=2),
)
def test_the_counts_are_those_of_the_rule(target, per, records, deviation):
    found = accuracy.switch_rate(epsilon=1, target=float(target), per=per, records=records, deviation=float(deviation))
    unit = Fraction(records) / Fraction(str(per))
    threshold = math.floor(unit * Fraction(target))
    assert found.threshold_count == threshold
    above = math.floor(unit * (Fraction(target) + Fraction(deviation)) + Fraction(1, 2))
    below = math.floor(unit * (Fraction(target) - Fraction(deviation)) + Fraction(1, 2))
    assert found.true_count_above == max(threshold + 1, min(above, records))
    assert found.true_count_below == max(0, min(threshold, below))


def test_the_need_of_a_switch_counts_only_the_steps_there_are():
    asked = {"target": 6, "per": 1000, "records": 4012, "deviation": 10, "side": "below", "at_most": 0.01}
    need = accuracy.epsilon_for_switch(probability=0.01, steps=25)  # from a true count of 0
    decision = read_decision(
        {
            "format": "dpwizard.decision/1",
            "release": {"statistic": "count", "neighbours": "add_remove", "sensitivity": 1, "mechanism": "geometric"},
            "requirements": [{"kind": "switch_probability", **asked}],
            "epsilon": need,
        }
    )
    (answer,) = assess(decision).answers
    assert answer.epsilon == need
    assert answer.at_epsilon["true_count_below"] == 0
    assert answer.at_epsilon["probability"] == pytest.approx(0.01, rel=1e-9)


@given(probability=st.floats(-12, -0.31).map(lambda x: 10**x), steps=st.integers(1, 10_000))
def test_the_need_of_a_switch_is_safe_and_sharp(probability, steps):
    need = mp.mpf(accuracy.epsilon_for_switch(probability=probability, steps=steps))

    def reached(epsilon):
        return mp.exp(-steps * epsilon) / (1 + mp.exp(-epsilon))

    assert reached(need) <= probability < reached(need * (1 - mp.mpf(1e-12)))
