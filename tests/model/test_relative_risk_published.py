"""Relative risk against what the paper prints: its tables, its figures, its closed forms, and the formulas of others in
it."""

from __future__ import annotations

import math

import mpmath as mp
import numpy as np
import pytest

from dpwizard.base.errors import Infeasible
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


def test_lee_and_clifton():
    third = rr.lee_clifton_epsilon(population=4, posterior=1 / 3, range=1, difference=1)
    assert third == pytest.approx(math.log(1.5), rel=1e-13)
    assert rr.epsilon_at(p=0.25, q=1, ratio=4 / 3) == pytest.approx(third, rel=1e-13)  # (38)
    assert rr.lee_clifton_epsilon(population=4, posterior=1 / 3, range=4, difference=1) == pytest.approx(1.62, abs=5e-3)
    for n in range(2, 60):
        assert rr.lee_clifton_epsilon(population=n, posterior=1 / n) == 0.0
        with pytest.raises(Infeasible) as refused:
            rr.lee_clifton_epsilon(population=n, posterior=0.999 / n)
        assert refused.value.where == "posterior"
        assert refused.value.hint
    assert rr.lee_clifton_epsilon(population=10**15, posterior=1) == math.inf
    assert rr.lee_clifton_epsilon(population=1, posterior=1) == math.inf
    assert rr.lee_clifton_epsilon(population=3, posterior=0.9, range=1e300, difference=1e-300) == pytest.approx(
        1.797e308, rel=1e-3
    )
    assert rr.lee_clifton_epsilon(population=3, posterior=0.9, range=1e-300, difference=1e300) == 0.0


def test_participation_and_its_inverse():
    found = rr.participation(posterior_without=0.5, epsilon=1.0)
    assert found.upper == pytest.approx(0.8807970779778824, rel=1e-14)
    assert found.lower == pytest.approx(1 - 0.8807970779778824, rel=1e-13)
    assert found.upper == pytest.approx(rr.risk(p=1, q=0.5, epsilon=1.0).posterior, rel=1e-14)  # (43)
    for before, after in ((0.5, 0.88), (1e-9, 0.5), (0.2, 0.2000001), (0.3, 0.3), (1e-300, 0.999999)):
        epsilon = rr.participation_epsilon(posterior_without=before, posterior_with=after)
        exact = (mp.log(mp.mpf(after) / (1 - mp.mpf(after))) - mp.log(mp.mpf(before) / (1 - mp.mpf(before)))) / 2
        assert float(exact) * (1 - 1e-9) - 1e-15 <= epsilon <= float(exact) * (1 + 1e-14) + 1e-16
        assert rr.participation(posterior_without=before, epsilon=epsilon).upper == pytest.approx(after, rel=1e-9)
    assert rr.participation_epsilon(posterior_without=0.3, posterior_with=1) == math.inf
    with pytest.raises(Infeasible):
        rr.participation_epsilon(posterior_without=0.3, posterior_with=0.2)


def test_table_4_row_by_row_against_its_printed_forms():
    rng = np.random.default_rng(4)
    for _ in range(400):
        cap, ratio = float(rng.uniform(0.001, 0.95)), float(1 + rng.exponential(3))
        fixed = float(rng.uniform(0.001, 0.999))
        for p, q, printed in (
            (fixed, [0, 1], oracle.table4_attribute),
            ([0, 1], fixed, oracle.table4_inclusion),
            ([0, 1], 1, oracle.table4_inclusion),
        ):
            value = printed(fixed if q != 1 else 1, cap, ratio)
            found = rr.recommend(profile=either(cap, ratio), p=p, q=q)
            if mp.im(value) != 0 or value < 0:
                assert found.status == "infeasible"  # the cap lies below the prior and the ratio below 1
                continue
            assert found.epsilon == pytest.approx(float(value), rel=1e-12)
            assert found.epsilon <= float(value) * (1 + 1e-14)


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


@pytest.mark.soak
def test_table_4_against_brute_force_on_thousands_of_random_parameters():
    rng = np.random.default_rng(6)
    n, grid = 1_500, np.concatenate([np.geomspace(1e-4, 0.5, 90), np.linspace(0.5, 1, 31)[1:]])
    cap, ratio, fixed = rng.uniform(0.005, 0.9, n), 1 + rng.exponential(2, n), rng.uniform(0.005, 1, n)
    fixed[: n // 4] = 1.0
    for inclusion in (True, False):
        p, q = (grid[None, :], fixed[:, None]) if inclusion else (fixed[:, None], grid[None, :])
        values = oracle.epsilons(p, q, np.maximum(cap[:, None] / (p * q), ratio[:, None]))
        lowest = values.min(axis=1)
        for i in range(n):
            box = {"p": [0, 1], "q": float(fixed[i])} if inclusion else {"p": float(fixed[i]), "q": [0, 1]}
            found = rr.recommend(profile=either(float(cap[i]), float(ratio[i])), **box)
            if found.status == "unbounded":
                assert math.isinf(lowest[i])
                continue
            assert found.epsilon <= lowest[i] * (1 + 1e-9)
            near = np.array([0.99, 1.0, 1.01])
            a, b = (np.minimum(found.p * near, 1), found.q) if inclusion else (found.p, np.minimum(found.q * near, 1))
            there = oracle.epsilons(a, b, np.maximum(cap[i] / (np.asarray(a) * b), ratio[i]))
            assert there.min() == pytest.approx(found.epsilon, rel=1e-9)
            assert there.min() >= found.epsilon * (1 - 1e-12)
