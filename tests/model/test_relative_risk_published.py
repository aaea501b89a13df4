"""Relative risk against what the paper prints: its tables, its figures, its closed forms, and the formulas of others in
it."""

from __future__ import annotations

import math

import mpmath as mp
import numpy as np
import pytest

from dpwizard.privacy import relative_risk as rr
from tests.oracles import relative_risk_oracle as oracle


def either(cap, ratio):
    return {"shape": "cap_or_ratio", "posterior": cap, "ratio": ratio}


@pytest.mark.parametrize(("ratio", "printed"), [(1.5, 0.51), (3, 1.30), (6, 2.04)])
def test_table_1(ratio, printed):
    found = rr.recommend(profile=either(0.25, ratio), p=[0, 1], q=1)
    assert round(found.epsilon, 2) == printed
    assert found.epsilon == pytest.approx(float(oracle.table4_inclusion(1, 0.25, ratio)), rel=1e-13)
    assert (found.p, found.q) == (pytest.approx(0.25 / ratio), 1.0)
    assert found.attained
    assert found.unique


@pytest.mark.parametrize(
    ("cap", "p", "printed"),
    [(0.025, 0.05, 1.09), (0.15, 0.05, 1.21), (0.3, 0.05, 2.10), (0.025, 0.005, 1.63), (0.025, 0.0005, 3.94)],
)
def test_table_5_and_the_sentence_under_it_even_on_the_edge_where_the_printed_form_is_negative(cap, p, printed):
    found = rr.recommend(profile=either(cap, 3), p=p, q=[0, 1])
    assert round(found.epsilon, 2) == printed
    assert found.attained


def test_table_5_b_to_all_digits():
    assert 0.15 / 3 < 0.05  # so the printed form (23) takes its second row, and fails there
    found = rr.recommend(profile=either(0.15, 3), p=0.05, q=[0, 1])
    assert found.epsilon == pytest.approx(1.2098379237783342, rel=1e-13)
    assert found.epsilon <= 1.2098379237783342


@pytest.mark.parametrize(
    ("cap", "ratio", "epsilon"),
    [(0.5, 5, math.log(9)), (0.25, 2, math.log(1.75 / 0.75)), (0.1, 1.2, math.log(1.1 / 0.9)), (0, 5, math.log(5))],
)
def test_figure_2_where_a_cap_of_zero_is_the_constant_profile_at_q_1(cap, ratio, epsilon):
    found = rr.recommend(profile=either(cap, ratio), p=[0, 1], q=1)
    assert found.epsilon == pytest.approx(epsilon, rel=1e-13)
    assert found.epsilon <= epsilon
    assert found.attained == (cap > 0)
    assert found.p == pytest.approx(cap / ratio)


def test_the_printed_recommendation_of_1_30_breaks_the_profile_it_was_made_for():
    found = rr.recommend(profile=either(0.25, 3), p=[0, 1], q=1)
    assert rr.risk(p=found.p, q=1, epsilon=1.30).ratio == pytest.approx(3.0016, abs=5e-5)
    assert rr.risk(p=found.p, q=1, epsilon=found.epsilon).ratio <= 3 * (1 + 1e-13)


def test_appendix_c_3_and_its_closed_form():
    found = rr.recommend(profile=either(0.25, 3), p=[0, 1], q=[0, 1])
    assert found.epsilon == pytest.approx(0.5 * math.log(2.75 / 0.75), rel=1e-13)
    assert (found.p, found.q) == (1.0, pytest.approx(0.25 / 3))


def test_the_baseline_is_a_limit_that_no_adversary_attains():
    found = rr.recommend(profile={"shape": "constant", "ratio": 3}, p=[0, 1], q=[0, 1])
    assert found.epsilon == pytest.approx(0.5 * math.log(3), rel=1e-13)
    assert (found.p, found.q, found.attained, found.unique) == (1.0, 0.0, False, True)


def test_the_difference_profile_and_its_value_when_q_is_fixed():
    both = rr.recommend(profile={"shape": "increase", "amount": 0.1}, p=[0, 1], q=[0, 1])
    assert both.epsilon == pytest.approx(math.log(1.1 / 0.9), rel=1e-13)
    assert (both.p, both.q) == (1.0, pytest.approx(0.45))
    only_p = rr.recommend(profile={"shape": "increase", "amount": 0.1}, p=[0, 1], q=1)
    assert only_p.epsilon == pytest.approx(2 * math.log(1.1 / 0.9), rel=1e-13)


def test_the_point_profile_of_section_4_and_its_divergence():
    assert rr.epsilon_at(p=0.5, q=1, ratio=1.5) == pytest.approx(math.log(3), rel=1e-13)
    assert rr.epsilon_at(p=0.5, q=1, ratio=2) == math.inf


def test_the_constant_box_26_and_the_case_it_lacks():
    rng = np.random.default_rng(5)
    seen = set()
    for _ in range(600):
        p0, p1 = sorted(rng.uniform(0, 1, 2))
        q0, q1 = sorted(rng.uniform(0, 1, 2))
        p0, q0 = p0 * rng.integers(0, 2), 1.0 if rng.random() < 0.2 else q0 * rng.integers(0, 2)
        ratio = float(1 + rng.exponential(1))
        box = {"p": [float(p0), float(p1)], "q": [float(q0), float(max(q0, q1))]}
        value = oracle.table4_box(p0, p1, q0, ratio) if not (q0 == 1 and p0 == 0) else mp.log(ratio)
        found = rr.recommend(profile={"shape": "constant", "ratio": ratio}, **box)
        seen.add(found.status)
        if value == mp.inf:
            assert found.status == "unbounded"
        else:
            assert found.epsilon == pytest.approx(float(value), rel=1e-12)
            assert found.epsilon <= float(value) * (1 + 1e-14)
    assert seen == {"allowed", "unbounded"}
