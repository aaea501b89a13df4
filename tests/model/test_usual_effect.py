"""How far one's own value moves the figure: never less than it can, and filled in only where the release states it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.language import LANGUAGES, speaking
from dpwizard.base.numerics import decimal
from dpwizard.base.values import read
from dpwizard.decision import Release, usual_effect
from dpwizard.wording import format_text

MEAN = {"statistic": "mean", "neighbours": "replace", "population": 12_000, "sampling_fraction": 1.0}


def of(**stated: Any) -> Any:
    return usual_effect(read(Release, {"mechanism": "laplace", **stated}))


@pytest.mark.parametrize(
    ("stated", "effect"),
    [
        ({"statistic": "count"}, 1.0),
        ({"statistic": "sum"}, 1.0),
        ({"statistic": "sum", "contributions": 3}, 3.0),
        (MEAN, 1 / 12_000),
        ({**MEAN, "contributions": 4}, 4 / 12_000),
        ({**MEAN, "population": 100, "sampling_fraction": None}, 0.01),
        ({**MEAN, "population": 999, "sampling_fraction": 0.1}, 1 / 99),  # fewer records, more for each
    ],
)
def test_a_sum_moves_as_far_as_the_value_and_a_mean_one_nth_of_it(stated: dict[str, Any], effect: float) -> None:
    assert of(**stated).effect == pytest.approx(effect, rel=1e-15)


@pytest.mark.parametrize(
    "stated",
    [
        {},
        {"statistic": "histogram"},
        {"statistic": "vector"},
        {"statistic": "sum", "dimension": 2},
        {"statistic": "sum", "mechanism": "exact"},
        {**MEAN, "neighbours": "add_remove"},
        {**MEAN, "neighbours": None},
        {**MEAN, "population": None},
        {**MEAN, "population": 3, "contributions": 4},
        {**MEAN, "population": 5, "sampling_fraction": 0.1},
        {"statistic": "sum", "parts": [{"name": "North"}, {"name": "South"}]},
    ],
)
def test_where_the_release_does_not_say_it_nothing_is_offered(stated: dict[str, Any]) -> None:
    assert of(**stated) is None


def test_a_mean_is_only_filled_in_where_the_whole_population_is_said_to_be_in_it() -> None:
    assert of(**MEAN).stated
    for fraction in (None, 0.5):  # of fewer records each value moves the mean farther, and the limit would be too large
        assert not of(**{**MEAN, "sampling_fraction": fraction}).stated


@given(population=st.integers(1, 10**9), fraction=st.sampled_from((1.0, 0.5, 0.1, 0.3)), rows=st.integers(1, 5))
def test_the_effect_on_a_mean_is_never_below_the_move_it_stands_for(
    population: int, fraction: float, rows: int
) -> None:
    found = of(**{**MEAN, "population": population, "sampling_fraction": fraction, "contributions": rows})
    records = int(population * decimal(fraction))
    if found is None:
        assert records < rows
        return
    assert decimal(found.effect) >= Fraction(rows, records)
    assert found.effect == pytest.approx(rows / records, rel=1e-15)
    with speaking("de"):
        assert format_text("effect", found.why.key, found.why.values)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("statistic", ["count", "sum", "mean"])
def test_every_reason_is_said(statistic: str, rows: int, language: str) -> None:
    found = of(**{**MEAN, "statistic": statistic, "contributions": rows})
    with speaking(language):
        assert format_text("effect", found.why.key, found.why.values).endswith(".")
