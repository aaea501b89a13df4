"""The promise of a risk profile: nobody learns more at the recommended epsilon; and where it is easy to be wrong."""

from __future__ import annotations

import math
import random

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpwizard.base.errors import InvalidInput
from dpwizard.base.values import read
from dpwizard.privacy import relative_risk as rr
from dpwizard.privacy.profiles import Profile
from tests.oracles import relative_risk_oracle as oracle
from tests.samples.profiles import SHAPES, at_random, sample

seeds = st.integers(0, 2**32)


def a_range(rng):
    kind = rng.randint(0, 4)
    if kind == 0:
        return (0.0, 1.0)
    if kind == 1:
        return (0.0, round(rng.uniform(0.01, 1), 3))
    if kind == 2:
        return (1.0, 1.0)
    return tuple(sorted((round(10 ** rng.uniform(-3, 0), 4), round(10 ** rng.uniform(-3, 0), 4))))


def inside(rng, box, n):
    low, high = max(box[0], 1e-9), box[1]
    return np.array([low, high] + [min(max(low * (high / low) ** rng.random(), low), high) for _ in range(n)])


def learned(p, q, epsilon, factor):
    x, y = math.exp(-epsilon), math.exp(-factor * epsilon)
    return 1 / (p * q + y * p * (1 - q) + x * (1 - p))


@pytest.mark.parametrize("factor", [2.0, 1.0, 1.4, 0.5])
@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=6)
@given(seed=seeds)
def test_the_promise_holds_at_the_recommended_epsilon_and_fails_a_little_beyond(shape, factor, seed):
    check_the_promise(shape, factor, seed)


@pytest.mark.soak
@pytest.mark.parametrize("factor", [2.0, 1.0, 1.4, 0.5])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_promise_holds_for_hundreds_of_profiles_of_every_shape(shape, factor):
    for seed in range(200):
        check_the_promise(shape, factor, seed)


def check_the_promise(shape, factor, seed):
    rng = random.Random(seed)
    profile, p_box, q_box = at_random(rng, shape), a_range(rng), a_range(rng)
    found = rr.recommend(profile=profile, p=p_box, q=q_box, replace_factor=factor)
    p, q = np.meshgrid(inside(rng, p_box, 25), inside(rng, q_box, 25))
    p, q = p.ravel(), q.ravel()
    allowed = oracle.ratio_of(profile, p, q)
    if found.status == "infeasible":
        assert oracle.ratio_of(profile, max(found.p, 1e-12), max(found.q, 1e-12)) < 1
        return
    epsilon = math.inf if found.epsilon is None else found.epsilon
    assert np.all(learned(p, q, epsilon, factor) <= allowed * (1 + 1e-12))
    if found.status == "unbounded":
        return
    assert 0 <= found.epsilon <= found.upper
    assert found.upper - found.epsilon <= (2e-3 if shape == "knots2d" else 1e-9) * found.upper + 1e-14
    limit = not found.attained
    a, b = found.p, found.q  # the minimiser, or a point near the limit that nobody attains
    if limit:
        a, b = (
            min(max(x, 1e-9 * box[1]), 1 - 1e-7 if box[1] == 1 and box[0] < 1 and found.p == found.q == 1 else 1)
            for x, box in ((a, p_box), (b, q_box))
        )
    else:
        assert p_box[0] <= a <= p_box[1]
        assert q_box[0] <= b <= q_box[1]
        assert a > 0 < b
    beyond = found.upper * (1 + (1e-3 if limit else 1e-7)) + (1e-6 if limit else 1e-9)
    there = oracle.ratio_of(
        profile, a * np.array([1 - 1e-15, 1.0, 1 + 1e-15]), b
    ).min()  # on an edge the product is rounded
    assert learned(a, b, beyond, factor) > there * (1 - 1e-15)


@pytest.mark.parametrize("factor", [2.0, 0.7])
@pytest.mark.parametrize("shape", [shape for shape in SHAPES if read(Profile, sample(shape)).mesh() is None])
def test_where_the_minimum_is_attained_it_is_right_to_12_digits_and_never_above(shape, factor):
    for seed in range(4):
        rng = random.Random(seed)
        profile, p_box, q_box = at_random(rng, shape), a_range(rng), a_range(rng)
        found = rr.recommend(profile=profile, p=p_box, q=q_box, replace_factor=factor)
        if found.status != "allowed" or not found.attained or not found.p * found.q > 0:
            continue
        p, q = mp.mpf(found.p), mp.mpf(found.q)
        exact = oracle.epsilon_at(p, q, oracle.ratio_exact(profile, p, q), factor)
        assert found.epsilon <= exact * (1 + mp.mpf(2) * mp.mpf(10) ** -14) <= found.upper * (1 + 1e-13)
        assert found.epsilon >= exact * (1 - mp.mpf(10) ** -12) - mp.mpf(10) ** -15


@given(seed=seeds)
def test_a_stronger_promise_never_gets_a_larger_epsilon(seed):
    rng = random.Random(seed)
    shape = rng.choice(["constant", "cap", "increase", "odds"])
    name = {"constant": "ratio", "cap": "posterior", "increase": "amount", "odds": "factor"}[shape]
    profile, p_box, q_box = at_random(rng, shape), a_range(rng), a_range(rng)

    def value(found):
        return {"infeasible": 0.0, "unbounded": math.inf}.get(found.status, found.epsilon)

    weak = value(rr.recommend(profile=profile, p=p_box, q=q_box))
    strong = value(rr.recommend(profile={**profile, name: profile[name] * 0.99}, p=p_box, q=q_box))
    assert strong <= weak
    wider = value(rr.recommend(profile=profile, p=(p_box[0] / 2, p_box[1]), q=(q_box[0] / 2, q_box[1])))
    assert wider <= weak * (1 + 1e-12)
    less = value(rr.recommend(profile=profile, p=p_box, q=q_box, replace_factor=1.5))
    assert weak <= less * (1 + 1e-12)


@pytest.mark.parametrize(("p", "q", "epsilon"), [(0.3, 0.4, 0.7), (1.0, 0.1, 1.1), (0.05, 0.9, 2.0), (0.6, 1.0, 0.5)])
def test_the_bound_is_reached_by_a_histogram_with_factor_2_and_by_a_count_with_factor_1(p, q, epsilon):
    assert oracle.learned_from_histogram(p, q, epsilon) == pytest.approx(
        rr.risk(p=p, q=q, epsilon=epsilon).ratio, rel=1e-12
    )
    assert oracle.learned_from_count(p, q, epsilon) == pytest.approx(
        rr.risk(p=p, q=q, epsilon=epsilon, replace_factor=1.0).ratio, rel=1e-12
    )


@given(q=st.floats(1e-6, 1), ratio=st.floats(1, 50), epsilon=st.floats(0, 20))
def test_under_replace_one_neighbours_epsilon_is_the_logarithm_of_the_odds_multiplier(q, ratio, epsilon):
    found = rr.epsilon_at(p=1.0, q=q, ratio=ratio, replace_factor=1.0)
    if ratio * q >= 1:
        assert found == math.inf
    else:
        theta = (1 - mp.mpf(q)) / (1 / mp.mpf(ratio) - mp.mpf(q))
        assert found == pytest.approx(float(mp.log(theta)), rel=1e-9, abs=1e-14)
        assert found <= float(mp.log(theta)) * (1 + 1e-14)
    learned_there = rr.risk(p=1.0, q=q, epsilon=epsilon, replace_factor=1.0)
    assert learned_there.ratio == pytest.approx(1 / (q + math.exp(-epsilon) * (1 - q)), rel=1e-13)


FULL = {"p": [0, 1], "q": [0, 1]}


def constant(ratio):
    return {"shape": "constant", "ratio": ratio}


def allowed(profile, **where):
    found = rr.recommend(profile=profile, **where)
    return found.epsilon, found.p, found.q, found.attained, found.unique


# ------------------------------------------------------------------------ limits and ties


def test_a_limit_is_reported_as_one_and_a_minimum_as_attained():
    assert allowed(constant(4), **FULL)[1:] == (1.0, 0.0, False, True)
    assert allowed(constant(4), p=[0.1, 1], q=[0.2, 1])[3] is True
    assert allowed(constant(4), p=[0, 1], q=1)[1:] == (0.0, 1.0, False, True)  # p -> 0
    assert allowed({"shape": "increase", "amount": 0.2}, **FULL)[3:] == (True, True)
    assert allowed({"shape": "steps", "axis": "p", "edges": [0.1], "ratios": [9, 2]}, p=[0, 1], q=1)[1:] == (
        0.1,
        1.0,
        True,
        True,
    )
    rising = allowed({"shape": "steps", "axis": "p", "edges": [0.1], "ratios": [2, 9]}, p=[0.1, 1], q=1)
    assert rising[:1] + rising[3:] == (
        pytest.approx(math.log(1.8 / 0.8), rel=1e-12),
        True,
        True,
    )  # on the edge the smaller one holds


def test_odds_bind_alike_wherever_inclusion_is_certain():
    epsilon, p, _, attained, unique = allowed({"shape": "odds", "factor": 4}, **FULL)
    assert (epsilon, p, attained, unique) == (pytest.approx(math.log(2), rel=1e-13), 1.0, True, False)
    assert allowed({"shape": "odds", "factor": 4}, p=1, q=0.3)[4] is True
    assert allowed({"shape": "odds", "factor": 4}, p=[0, 0.5], q=[0.25, 1])[1:] == (0.5, 0.25, True, True)


def test_a_ratio_that_falls_to_1_only_at_certainty_leaves_a_limit_there():
    found = rr.recommend(profile={"shape": "power", "constant": 1, "exponent": 0.5}, **FULL)
    assert found.epsilon == pytest.approx(0.5 * math.log(2), rel=1e-12)  # theta -> 1/(1 - k) as pq -> 1
    assert (found.p, found.q, found.attained) == (1.0, 1.0, False)
    near = 1 - 1e-7
    assert float(oracle.epsilon_at(1, near, near**-0.5)) == pytest.approx(found.epsilon, rel=1e-6)
    only_p = rr.recommend(profile={"shape": "power", "constant": 1, "exponent": 0.5}, p=[0, 1], q=1)
    assert only_p.epsilon == pytest.approx(math.log(2), rel=1e-12)
    surface = {"shape": "knots2d", "p": [0.1, 1], "q": [0.1, 1], "ratios": [[10, 10**0.5], [10**0.5, 1]]}
    assert rr.recommend(profile=surface, p=[0.5, 1], q=[0.5, 1]).epsilon == pytest.approx(0.5 * math.log(2), rel=1e-9)


def test_a_ratio_below_1_anywhere_considered_is_infeasible_and_elsewhere_no_matter():
    for profile, p, q in (
        (constant(0.99), [0, 1], 1),
        (constant(0), 1, 1),
        ({"shape": "cap", "posterior": 0.5}, [0, 1], [0, 0.6]),
        ({"shape": "cap", "posterior": 0}, 0.5, 0.5),
        ({"shape": "odds", "factor": 0.9}, [0, 1], [0, 1]),
        ({"shape": "power", "constant": 1, "exponent": -0.5}, [0, 1], 1),
        ({"shape": "knots", "axis": "p", "points": [[0.1, 4], [0.5, 0.9]]}, [0.4999, 0.6], 1),
        ({"shape": "steps", "axis": "pq", "edges": [0.25], "ratios": [4, 0.9]}, 0.5, 0.5),
        ({"shape": "knots2d", "p": [0.1, 0.5], "q": [0.1, 0.5, 1], "ratios": [[4, 4, 4], [4, 0.9, 4]]}, [0, 1], [0, 1]),
        ({"shape": "cap_or_ratio", "posterior": 0.5, "ratio": 0.5}, [0, 1], 1),
    ):
        found = rr.recommend(profile=profile, p=p, q=q)
        assert found.status == "infeasible", profile
        assert found.epsilon is None
        assert found.p is not None
    assert (
        rr.recommend(profile={"shape": "knots", "axis": "p", "points": [[0.1, 4], [0.5, 0.9]]}, p=[0, 0.2], q=1).status
        == "allowed"
    )
    assert (
        rr.recommend(profile={"shape": "cap_or_ratio", "posterior": 0.5, "ratio": 0.5}, p=[0, 0.4], q=1).status
        == "allowed"
    )


# ------------------------------------------------------------------------ several adversaries


def test_of_several_adversaries_the_strictest_binds():
    strict = {"profile": constant(2), "p": [0, 1], "q": 1}
    loose = {"profile": constant(9), "p": [0, 1], "q": 1}
    never = {"profile": constant("inf"), "p": 1, "q": 1}
    impossible = {"profile": constant(0.5), "p": 1, "q": 1}
    found = rr.recommend_all(adversaries=[never, loose, strict, strict])
    assert (found.index, found.epsilon) == (2, rr.recommend(**strict).epsilon)
    assert (
        rr.recommend_all(adversaries=[never, never]).model_dump()
        == rr.RecommendationForAll(status="unbounded").model_dump()
    )
    refused = rr.recommend_all(adversaries=[strict, impossible, loose])
    assert (refused.status, refused.index, refused.epsilon) == ("infeasible", 1, None)
    one = rr.recommend_all(adversaries=[strict], replace_factor=1.0)
    assert one.epsilon == rr.recommend(**strict, replace_factor=1.0).epsilon


def test_what_is_wrong_with_one_of_several_is_said_with_its_place():
    with pytest.raises(InvalidInput) as refused:
        rr.recommend_all(
            adversaries=[{"profile": constant(2), "p": 1, "q": 1}, {"profile": {"shape": "constant"}, "p": 1, "q": 1}]
        )
    assert refused.value.where == "adversaries[1].profile.ratio"
    with pytest.raises(InvalidInput) as refused:
        rr.recommend_all(adversaries=[{"profile": constant(2), "p": 0, "q": 1}])
    assert refused.value.where == "adversaries[0].p"
    with pytest.raises(InvalidInput) as refused:
        rr.recommend_all(adversaries=[])
    assert refused.value.where == "adversaries"


# ------------------------------------------------------------------------ whatever is typed in

WRONG = [
    math.nan,
    -1,
    1.2,
    0,
    -math.inf,
    math.inf,
    "x",
    None,
    [],
    [0.2],
    [0.5, 0.1],
    [0, 0],
    [0, 2],
    [math.nan, 1],
    True,
    {},
    [0, "1"],
    "inf",
    10**400,
    [[0, 1]],
]


@pytest.mark.parametrize("name", ["p", "q"])
@pytest.mark.parametrize("wrong", WRONG, ids=repr)
def test_a_wrong_prior_is_refused_by_name(name, wrong):
    if wrong == [0, 0] or not isinstance(wrong, list):
        with pytest.raises(InvalidInput) as refused:
            rr.risk(**{"p": 0.5, "q": 0.5, "epsilon": 1, name: wrong})
        assert refused.value.where.startswith(name)
    with pytest.raises(InvalidInput) as refused:
        rr.recommend(**{"profile": constant(3), "p": 0.5, "q": 0.5, name: wrong})
    assert refused.value.where.startswith(name)
    assert refused.value.hint
