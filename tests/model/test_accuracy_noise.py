"""Accuracy against the definition of the noise: errors, intervals, whole tables of numbers, and rates past a target."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.base.values import plain
from dpwizard.decision import assess, read_decision
from dpwizard.privacy import accuracy
from dpwizard.privacy.accounting.functions import Rule, epsilon_from_rho, person_loss, rho_from_epsilon
from dpwizard.privacy.mechanisms import discrete_gaussian_tail
from tests.oracles import noise_oracle as oracle


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


def test_gaussian_noise_needs_a_delta():
    with pytest.raises(InvalidInput, match="delta: is missing"):
        accuracy.noise(mechanism="gaussian", epsilon=1)
    with pytest.raises(InvalidInput, match="epsilon: is missing"):
        accuracy.noise(mechanism="laplace")


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
def test_rho_and_epsilon_lead_back_to_each_other(rule: Rule) -> None:
    for epsilon in (0.01, 1.0, 30.0):
        rho = rho_from_epsilon(epsilon=epsilon, delta=1e-7, rule=rule)
        assert epsilon * (1 - 1e-7) <= epsilon_from_rho(rho=rho, delta=1e-7, rule=rule) <= epsilon * (1 + 1e-12)


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


DURHAM = {"target": 6.0, "per": 1000, "records": 4012}


@pytest.mark.parametrize(("deviation", "count"), [(0.25, 25), (0.5, 26), (1, 28), (2, 32)])
def test_the_counts_of_example_3(deviation, count):
    found = accuracy.switch_rate(epsilon=2.197224577336219, deviation=deviation, **DURHAM)
    assert (found.threshold_count, found.true_count_above) == (24, count)
    assert found.above == pytest.approx(float(oracle.geometric_at_most(24 - count, math.log(9))), rel=1e-12)


def test_the_published_need():
    found = accuracy.epsilon_for_switch(probability=0.1, steps=1)
    assert 0 <= found - 2.1972245773362196 < 1e-14


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


@pytest.mark.slow
def test_a_deviation_beyond_the_target_means_a_true_count_of_0_and_none_exceeds_the_records():
    below = accuracy.switch_rate(epsilon=0.1, deviation=10, **DURHAM)
    assert (below.threshold_count, below.true_count_below) == (24, 0)
    assert below.below == pytest.approx(math.exp(-0.1 * 25) / (1 + math.exp(-0.1)), rel=1e-14)  # 25 steps, not 41
    assert below.below == pytest.approx(oracle.simulated_switch(0.1, 24, 0, 200_000, 3), abs=0.003)
    above = accuracy.switch_rate(epsilon=0.1, target=900, per=1000, records=100, deviation=200)
    assert (above.threshold_count, above.true_count_above) == (90, 100)
    assert above.above == pytest.approx(oracle.simulated_switch(0.1, 90, 100, 200_000, 4), abs=0.004)
    met = accuracy.switch_rate(
        epsilon=0.1, target=2, per=1, records=10, deviation=1
    )  # every count meets it: the strictest stands
    assert met.true_count_above == met.threshold_count + 1


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


@pytest.mark.parametrize(("threshold", "true"), [(24, 25), (24, 24), (24, 28), (24, 20)])
def test_the_probability_of_a_switch_by_sum_and_by_simulation(threshold, true):
    found = accuracy.switch_probability(epsilon=0.8, threshold_count=threshold, true_count=true)
    below = oracle.geometric_at_most(threshold - true, 0.8)
    assert found == pytest.approx(float(below if true > threshold else 1 - below), rel=1e-12)
    assert found == pytest.approx(oracle.simulated_switch(0.8, threshold, true, 20_000, 1), abs=0.012)


@given(probability=st.floats(-12, -0.31).map(lambda x: 10**x), steps=st.integers(1, 10_000))
def test_the_need_of_a_switch_is_safe_and_sharp(probability, steps):
    need = mp.mpf(accuracy.epsilon_for_switch(probability=probability, steps=steps))

    def reached(epsilon):
        return mp.exp(-steps * epsilon) / (1 + mp.exp(-epsilon))

    assert reached(need) <= probability < reached(need * (1 - mp.mpf(1e-12)))
