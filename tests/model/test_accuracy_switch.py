"""The switch of a rate past its target: thresholds in rationals, both sides, and the epsilon they need."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath as mp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.decision import assess, read_decision
from dpwizard.privacy import accuracy
from tests.oracles import noise_oracle as oracle

DURHAM = {"target": 6.0, "per": 1000, "records": 4012}


@pytest.mark.parametrize(("deviation", "count"), [(0.25, 25), (0.5, 26), (1, 28), (2, 32)])
def test_the_counts_of_example_3(deviation, count):
    found = accuracy.switch_rate(epsilon=2.197224577336219, deviation=deviation, **DURHAM)
    assert (found.threshold_count, found.true_count_above) == (24, count)
    assert found.above == pytest.approx(float(oracle.geometric_at_most(24 - count, math.log(9))), rel=1e-12)


def test_ten_per_cent_is_met_with_equality_by_the_boldest_profile():
    assert accuracy.switch_rate(epsilon=math.log(9), deviation=0.25, **DURHAM).above == pytest.approx(0.1, rel=1e-15)
    assert accuracy.switch_rate(epsilon=2.19, deviation=0.25, **DURHAM).above == pytest.approx(0.1007, abs=5e-5)


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


def test_the_side_with_fewer_steps_binds():
    above = accuracy.Target(deviation=0.25, **DURHAM)
    assert (above.counts[1], above.steps("worst"), above.steps("above"), above.steps("below")) == (25, 1, 1, 2)
    both = accuracy.Target(target=5, per=10, records=10, deviation=0)
    assert both.steps("worst") == both.steps("above") == both.steps("below") == 1
