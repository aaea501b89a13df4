"""The shapes of a risk profile: what they allow, what is still missing, and what is refused, by name of the field."""

from __future__ import annotations

import math

import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.base.values import read
from dpwizard.privacy.profiles import Constant, Knots, Knots2d, Profile, Steps
from tests.samples import profiles


def profile(given: dict[str, object]) -> Profile:
    return read(Profile, given)


@pytest.mark.parametrize("shape", profiles.SHAPES)
def test_an_unanswered_profile_names_what_is_missing(shape: str) -> None:
    empty = profile({"shape": shape})
    assert empty.missing() == tuple(name for name in type(empty).model_fields if name != "shape")
    with pytest.raises(InvalidInput, match="is missing"):
        empty.ratio_at(0.5, 0.5)


def test_at_a_jump_both_limits_and_the_smaller_of_them_can_be_had() -> None:
    steps = Steps(axis="p", edges=(0.1,), ratios=(math.inf, 4.0))
    assert [steps.ratio_at(0.1, 1, side) for side in ("below", "above", "least")] == [math.inf, 4.0, 4.0]
    rising = Steps(axis="p", edges=(0.1,), ratios=(2.0, 4.0))
    assert [rising.ratio_at(0.1, 1, side) for side in ("below", "above", "least")] == [2.0, 4.0, 2.0]
    assert steps.jumps() == (0.1,)
    assert Constant(ratio=2.0).jumps() == ()


def test_the_limit_at_prior_zero_is_the_profile_s_own() -> None:
    assert profile({"shape": "cap", "posterior": 0.5}).ratio_at(0, 1) == math.inf
    assert profile({"shape": "constant", "ratio": 2}).ratio_at(0, 0) == 2.0
    assert Knots(axis="pq", points=((0.1, 5.0), (0.2, 3.0))).ratio_at(0, 1) == pytest.approx(5.0, rel=1e-15)
    assert Knots2d(p=(0.1, 0.2), q=(0.5, 1.0), ratios=((5.0, 4.0), (3.0, 2.0))).ratio_at(0, 0.5) == pytest.approx(
        5.0, rel=1e-15
    )
    assert profile({"shape": "power", "constant": 2, "exponent": -1}).ratio_at(0, 1) == 0.0
    assert profile({"shape": "cap", "posterior": 1e-300}).ratio_at(1e-300, 1e-300) == pytest.approx(1e300)


@pytest.mark.parametrize(
    ("given", "where", "words"),
    [
        ({"shape": "round"}, "$.shape", "must be one of"),
        ({"shape": "constant", "ratio": -1}, "$.ratio", "must be at least 0"),
        ({"shape": "constant", "posterior": 0.5}, "$.posterior", "is not a field here"),
        ({"shape": "cap", "posterior": 1.5}, "$.posterior", "must be in [0, 1]"),
        ({"shape": "odds", "factor": 0}, "$.factor", "must be greater than 0"),
        ({"shape": "power", "constant": 1, "exponent": float("inf")}, "$.exponent", "must be a finite number"),
        ({"shape": "knots", "axis": "r", "points": [[0.1, 2]]}, "$.axis", 'must be "p", "q" or "pq"'),
        ({"shape": "knots", "axis": "p", "points": []}, "$.points", "at least 1"),
        ({"shape": "knots", "axis": "p", "points": [[0.1, 2], [0.1, 3]]}, "$.points[1]", "priors must increase"),
        ({"shape": "knots", "axis": "p", "points": [[0, 2]]}, "$.points[0][0]", "must be in (0, 1]"),
        ({"shape": "knots", "axis": "p", "points": [[0.1, 0]]}, "$.points[0][1]", "must be greater than 0"),
        (
            {"shape": "knots", "axis": "p", "points": [[(i + 1) / 3000, 2] for i in range(2001)]},
            "$.points",
            "at most 2000",
        ),
        ({"shape": "steps", "axis": "p", "edges": [0.1], "ratios": [2]}, "$.ratios", "must have 2 entries; found 1"),
        (
            {"shape": "steps", "axis": "p", "edges": [0.2, 0.1], "ratios": [2, 2, 2]},
            "$.edges[1]",
            "edges must increase",
        ),
        ({"shape": "knots2d", "p": [0.2, 0.1], "q": [1], "ratios": [[2], [2]]}, "$.p[1]", "priors must increase"),
        ({"shape": "knots2d", "p": [0.1, 0.2], "q": [1], "ratios": [[2]]}, "$.ratios", "must have 2 entries; found 1"),
        ({"shape": "knots2d", "p": [0.1, 0.2], "q": [1], "ratios": [[2], [2, 3]]}, "$.ratios[1]", "found 2"),
        (
            {"shape": "knots2d", "p": [(i + 1) / 65 for i in range(65)], "q": [1], "ratios": [[2]] * 65},
            "$.p",
            "at most 64",
        ),
    ],
)
def test_a_wrong_profile_is_refused_by_the_name_of_the_field(given: dict[str, object], where: str, words: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        profile(given)
    assert refused.value.where == where
    assert words in refused.value.message
    assert refused.value.hint
