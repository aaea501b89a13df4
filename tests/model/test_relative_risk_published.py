"""Relative risk against what the paper prints, and the certified search against its closed forms; it can be stopped."""

from __future__ import annotations

import math
import random

import mpmath as mp
import numpy as np
import pytest

from dpwizard.base.stopping import Stopped, stoppable
from dpwizard.base.values import read
from dpwizard.privacy import relative_risk as rr
from dpwizard.privacy.profiles import Profile
from dpwizard.privacy.relative_risk import profile_search
from dpwizard.privacy.relative_risk.prior_odds import PureLoss
from dpwizard.privacy.relative_risk.profile_search import grid_cells, lower_bounds
from tests.model.test_relative_risk_promises import a_range
from tests.oracles import relative_risk_oracle as oracle
from tests.samples.profiles import at_random


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


def test_the_constant_box_26_and_the_case_it_lacks():
    rng = np.random.default_rng(5)
    seen = set()
    for _ in range(200):
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


def shape(given):
    return read(Profile, given)


def as_surface(given, p, q):
    """The same profile over a box, stated as a surface of knots: those whose log ratio is linear between its ends."""
    profile, axis = shape(given), given.get("axis")
    lines = [sorted({*ends, *(x for x, _ in given.get("points", []) if ends[0] < x < ends[1])}) for ends in (p, q)]
    if axis == "p":
        lines[1] = list(q)
    if axis == "q":
        lines[0] = list(p)
    return {
        "shape": "knots2d",
        "p": lines[0],
        "q": lines[1],
        "ratios": [[float(profile.ratio_at(a, b)) for b in lines[1]] for a in lines[0]],
    }


@pytest.mark.parametrize("kind", ["constant", "cap", "power", "knots"])
@pytest.mark.parametrize("factor", [2.0, 1.0, 0.6])
def test_a_shape_and_the_surface_that_says_the_same_allow_the_same(kind, factor):
    compared = 0
    for seed in range(16):
        rng = random.Random(f"{kind} {seed}")
        given = at_random(rng, kind)
        p, q = (tuple(sorted((round(10 ** rng.uniform(-3, 0), 4), round(10 ** rng.uniform(-3, 0), 4)))) for _ in "pq")
        if given.get("axis") == "pq" or p[0] == p[1] or q[0] == q[1]:
            continue
        exact = rr.recommend(profile=given, p=p, q=q, replace_factor=factor)
        found = rr.recommend(profile=as_surface(given, p, q), p=p, q=q, replace_factor=factor)
        assert found.status == exact.status
        if exact.status == "allowed":
            assert found.epsilon <= exact.upper * (1 + 1e-12)
            assert found.upper >= exact.epsilon * (1 - 1e-12)
            assert found.upper - found.epsilon <= 2e-3 * found.upper + 1e-14
            compared += 1
    assert compared > 3


@pytest.mark.parametrize("factor", [2.0, 1.0, 0.6])
def test_the_bound_of_a_cell_is_never_above_any_adversary_in_it(factor):
    for seed in range(40):
        rng = random.Random(seed)
        given = at_random(rng, "knots2d")
        profile = shape(given)
        ends = [sorted(10 ** rng.uniform(-3, 0) for _ in range(2)) for _ in range(2)]
        (p0, p1), (q0, q1) = ends if rng.random() < 0.7 else ([0.0, ends[0][1]], [ends[1][0], 1.0])
        cells = grid_cells((p0, p1), (q0, q1), (profile.p, profile.q))
        with np.errstate(all="ignore"):
            levels = [np.log(profile.ratio_at(p, q)) for p in (cells.p0, cells.p1) for q in (cells.q0, cells.q1)]
            bounds = lower_bounds(levels, cells, PureLoss(factor))
        for i in range(len(cells)):
            p = np.array(
                [rng.uniform(cells.p0[i], cells.p1[i]) for _ in range(30)] + [cells.p1[i], max(cells.p0[i], 1e-9)]
            )
            q = np.array(
                [rng.uniform(cells.q0[i], cells.q1[i]) for _ in range(30)] + [max(cells.q0[i], 1e-9), cells.q1[i]]
            )
            ratio = oracle.ratio_of(given, p, q)
            if ratio.min() >= 1:
                assert bounds[i] <= oracle.epsilons(p, q, ratio, factor).min() * (1 + 1e-9) + 1e-12


def a_surface(rng, n, m):
    """A smooth surface whose ratio falls with both priors, and falls slower where both are large: minima lie inside its
    cells."""
    p, q = (sorted({round(10 ** rng.uniform(-3, 0), 4) for _ in range(size)}) for size in (n, m))
    k, m_, c = rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.9), rng.uniform(1.05, 3)
    return {
        "shape": "knots2d",
        "p": p,
        "q": q,
        "ratios": [[max(1.05, c * a**-k * b**-m_ * rng.uniform(0.9, 1.1)) for b in q] for a in p],
    }


@pytest.mark.parametrize("factor", [2.0, 1.3, 1.0, 0.5])
def test_a_surface_of_knots_is_solved_to_2e_3_and_a_grid_never_finds_less(factor):
    for seed in range(8):
        rng = random.Random(seed)
        given, p, q = a_surface(rng, 8, 8), a_range(rng), a_range(rng)
        found = rr.recommend(profile=given, p=p, q=q, replace_factor=factor)
        if found.status != "allowed":
            continue
        assert found.upper - found.epsilon <= 2e-3 * found.upper
        value, _, _ = oracle.grid_minimum(given, p, q, factor, points=15, zooms=4)
        assert value >= found.epsilon * (1 - 1e-12)


@pytest.mark.parametrize(
    "ratios",
    [
        [[8.9, 4.17], [13.67, 1.83]],
        [[28.03, 18.05], [12.68, 1.44]],
        [[1.49, 1.35], [2.16, 1.23]],
        [[11.32, 4.92], [9.46, 1.42]],
    ],
)
def test_a_flat_minimum_inside_a_cell_is_found_and_certified(ratios):
    given = {"shape": "knots2d", "p": [0.1, 0.9], "q": [0.1, 0.9], "ratios": ratios}
    found = rr.recommend(profile=given, p=[0.1, 0.9], q=[0.1, 0.9])
    assert 0.11 < found.p < 0.89
    assert 0.11 < found.q < 0.89
    assert found.upper - found.epsilon <= 2e-3 * found.upper
    value, a, b = oracle.grid_minimum(given, (0.1, 0.9), (0.1, 0.9), points=21, zooms=9)
    assert found.epsilon <= value
    assert value == pytest.approx(found.epsilon, rel=2e-3)
    assert (a, b) == (pytest.approx(found.p, rel=0.2), pytest.approx(found.q, rel=0.2))


def test_a_search_may_be_stopped_at_every_round():
    calls = []
    with stoppable(lambda: bool(calls.append(1))):
        rr.recommend(profile=a_surface(random.Random(3), 8, 8), p=[0.001, 1.0], q=[0.001, 1.0])
    assert len(calls) > 3
    with stoppable(lambda: True), pytest.raises(Stopped):
        rr.recommend(profile=a_surface(random.Random(3), 8, 8), p=[0.001, 1.0], q=[0.001, 1.0])


def test_a_search_that_runs_out_of_cells_still_encloses_the_infimum(monkeypatch):
    given = {"shape": "knots2d", "p": [0.1, 0.9], "q": [0.1, 0.9], "ratios": [[8.9, 4.17], [13.67, 1.83]]}
    fine = rr.recommend(profile=given, p=[0.1, 0.9], q=[0.1, 0.9])
    monkeypatch.setattr(profile_search, "MOST_CELLS", 10)
    coarse = rr.recommend(profile=given, p=[0.1, 0.9], q=[0.1, 0.9])
    assert coarse.epsilon < fine.epsilon
    assert fine.epsilon <= coarse.upper
    assert coarse.upper - coarse.epsilon > 5e-3 * coarse.upper
