"""Relative risk where it is easy to be wrong: edges, limits, ties, tiny and huge numbers, and whatever else is typed
in."""

from __future__ import annotations

import math

import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.privacy import relative_risk as rr
from tests.oracles import relative_risk_oracle as oracle

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
