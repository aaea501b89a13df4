"""The strict reader: what it accepts, and in which words it refuses."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.errors import DPWizardError, InvalidInput, SolverFailure
from dpwizard.base.value_errors import quoted_value
from dpwizard.base.values import (
    Count,
    Epsilon,
    PriorRange,
    Probability,
    Ratio,
    Value,
    field,
    freeze,
    plain,
    public,
    read,
)


class Inner(Value):
    chance: Probability | None = field("Chance")
    ratio: Ratio | None = field("Ratio")


class Outer(Value):
    inner: Inner = field("Inner", default=Inner())
    rows: tuple[Inner, ...] = field("Rows", default=())


@public
def example(*, prior: PriorRange, count: Count = 1, epsilon: Epsilon = 1.0) -> tuple[object, int, float]:
    """An example of a function by name."""
    return prior, count, epsilon


def refusal(kind: object, raw: object) -> InvalidInput:
    with pytest.raises(InvalidInput) as caught:
        read(kind, raw)
    return caught.value


@pytest.mark.parametrize(
    ("raw", "where", "words"),
    [
        ({"inner": {"chance": True}}, "$.inner.chance", "must be a number; found true"),
        ({"inner": {"chance": "0.5"}}, "$.inner.chance", 'must be a number; found "0.5"'),
        ({"inner": {"chance": math.nan}}, "$.inner.chance", "must be in [0, 1]; found nan"),
        ({"inner": {"chance": math.inf}}, "$.inner.chance", "must be in [0, 1]; found inf"),
        ({"inner": {"ratio": -1}}, "$.inner.ratio", "must be at least 0; found -1"),
        ({"inner": {"ratio": 10**400}}, "$.inner.ratio", "must be a number; found a very large whole number"),
        ({"inner": {"chanse": 0.5}}, "$.inner.chanse", "is not a field here; found 0.5"),
        ({"inner": []}, "$.inner", "must be an object; found a list of 0"),
        ({"rows": {}}, "$.rows", "must be a list; found an object"),
        ([], "$", "must be an object; found a list of 0"),
        (None, "$", "must be an object; found null"),
    ],
)
def test_wrong_values_are_refused_in_words(raw: object, where: str, words: str) -> None:
    error = refusal(Outer, raw)
    assert error.where == where
    assert error.message == words
    assert error.hint


def test_an_argument_that_is_missing_or_unknown_is_named_with_how_to_call() -> None:
    with pytest.raises(InvalidInput, match=r"prior: is missing. Call example\(prior, count = 1, epsilon = 1.0\)"):
        example()
    with pytest.raises(InvalidInput, match="speed: is not an argument here"):
        example(prior=0.5, speed=1)
    with pytest.raises(InvalidInput, match="takes named arguments only"):
        example(0.5)


def test_a_range_runs_from_low_to_high() -> None:
    assert example(prior=[0, 1])[0] == (0.0, 1.0)
    with pytest.raises(InvalidInput, match="must run from low to high"):
        example(prior=(0.5, 0.1))
    with pytest.raises(InvalidInput, match=r"prior\[1\]: must be in \[0, 1\]; found 1.5"):
        example(prior=(0.5, 1.5))


def test_inf_is_infinity_only_where_it_is_allowed() -> None:
    assert example(prior=0.5, epsilon="inf")[2] == math.inf
    with pytest.raises(InvalidInput, match="prior: must be a number"):
        example(prior="inf")


def test_whole_numbers_may_be_written_with_a_point() -> None:
    assert example(prior=0.5, count=3.0)[1] == 3
    with pytest.raises(InvalidInput, match=r"count: must be a whole number; found 3\.5"):
        example(prior=0.5, count=3.5)


def test_a_result_is_written_with_unbounded_as_null_and_never_with_nan() -> None:
    assert plain({"a": math.inf, "b": (1, 2.5), "c": Inner(chance=0.5)}) == {
        "a": None,
        "b": [1, 2.5],
        "c": {"chance": 0.5, "ratio": None},
    }
    with pytest.raises(SolverFailure):
        plain({"a": math.nan})


def test_infinity_in_a_value_is_written_as_a_word_and_read_again() -> None:
    written = Inner(ratio=math.inf).model_dump(mode="json")
    assert written == {"chance": None, "ratio": "inf"}
    assert read(Inner, written) == Inner(ratio=math.inf)


names = st.sampled_from(["inner", "rows", "chance", "ratio", "x"])
json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4),
    max_leaves=12,
)


@given(json_values)
def test_whatever_is_read_only_our_errors_come_out_with_a_place_and_a_remedy(raw: object) -> None:
    refused: DPWizardError | None = None
    try:
        value = read(Outer, raw)
    except DPWizardError as error:
        refused = error
    if refused is None:
        assert read(Outer, value.model_dump(mode="json", exclude_none=True)) == value
    else:
        assert refused.where.startswith("$")
        assert refused.hint


@pytest.mark.slow
@given(json_values)
def test_freezing_keeps_every_value_and_quoting_stays_on_one_short_line(raw: object) -> None:
    assert freeze(freeze(raw)) == freeze(raw) or raw != raw or "nan" in repr(raw)
    assert "\n" not in quoted_value(raw)
    assert len(quoted_value(raw)) < 80
