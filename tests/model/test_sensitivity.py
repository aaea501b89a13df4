"""Sensitivities and usual effects: against brute force over small data sets, on the safe side, refused in words where
nothing bounds them.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.base.language import speaking
from dpwizard.base.numerics import decimal
from dpwizard.base.values import read
from dpwizard.decision import Derivation, Release, derive, usual_effect
from dpwizard.wording import format_text
from tests.oracles.neighbouring_data import cells_touched, largest_changes, units

RELATIONS = ("add_remove", "replace")
BOUNDS = ((0.0, 1.0), (-1.0, 2.0), (9.0, 10.0), (-3.0, -1.0), (-2.0, 2.0))


def both(**arguments: Any) -> dict[str, Derivation]:
    return {relation: derive(neighbours=relation, **arguments) for relation in RELATIONS}


def agrees(found: dict[str, Derivation], brute: dict[str, tuple[float, float]]) -> None:
    for relation, other in zip(RELATIONS, reversed(RELATIONS), strict=True):
        one = found[relation]
        assert (one.l1, one.l2) == pytest.approx(brute[relation], rel=1e-12)
        assert (one.l1_other, one.l2_other) == pytest.approx(brute[other], rel=1e-12)


@pytest.mark.parametrize(("low", "high"), BOUNDS)
@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("way", ["at_most", "exactly"])
def test_a_sum_changes_by_no_more_than_any_small_data_set_shows(low: float, high: float, rows: int, way: str) -> None:
    possible = list(units([(low,), ((low + high) / 2,), (high,)], rows, exactly=way == "exactly"))
    brute = largest_changes(possible, 1)
    found = both(statistic="sum", contributions=rows, low=low, high=high, rows=way)
    agrees(found, brute)


def test_a_sum_of_values_from_9_to_10_changes_by_10_for_a_row_added_and_by_1_for_one_replaced() -> None:
    found = both(statistic="sum", low=9, high=10, rows="exactly")
    assert (found["add_remove"].l1, found["replace"].l1) == (10.0, 1.0)


@pytest.mark.parametrize(("low", "high"), BOUNDS)
@pytest.mark.parametrize("rows", [1, 2])
def test_a_mean_of_a_fixed_number_of_rows_changes_by_the_range_over_that_number(
    low: float, high: float, rows: int
) -> None:
    records = 4
    data = list(itertools.product((low, high), repeat=records))
    means = [
        abs(sum(one) - sum(other)) / records
        for one in data
        for other in data
        if one[rows:] == other[rows:]  # the first rows are one unit's
    ]
    found = derive(statistic="mean", neighbours="replace", contributions=rows, low=low, high=high, records=records)
    assert found.l1 == pytest.approx(max(means), rel=1e-12)
    assert found.l1_other is None


@pytest.mark.parametrize(("rows", "cells", "most"), list(itertools.product((1, 2, 4), (1, 3), (1, 2, None))))
def test_a_histogram_changes_in_two_cells_when_a_unit_is_replaced(rows: int, cells: int, most: int | None) -> None:
    kinds = [tuple(1.0 if i == cell else 0.0 for i in range(cells)) for cell in range(cells)]
    possible = list(
        units(kinds, rows, exactly=False, allowed=lambda unit: all(unit.count(k) <= (most or rows) for k in kinds))
    )
    agrees(
        both(statistic="histogram", contributions=rows, dimension=cells, per_cell=most),
        largest_changes(possible, cells),
    )


@pytest.mark.parametrize(("low", "high"), BOUNDS)
@pytest.mark.parametrize(
    ("rows", "numbers", "touched"), [(1, 2, 1), (1, 3, 2), (1, 3, 1), (2, 2, 1), (1, 2, None), (2, 2, None), (1, 4, 3)]
)
def test_a_vector_changes_by_no_more_than_any_small_data_set_shows(
    low: float, high: float, rows: int, numbers: int, touched: int | None
) -> None:
    possible = list(units(cells_touched((low, high), numbers, touched or numbers), rows, exactly=False))
    agrees(
        both(statistic="vector", contributions=rows, dimension=numbers, touched=touched, low=low, high=high),
        largest_changes(possible, numbers),
    )


# --------------------------------------------------------------------------------------- the safe side

STATISTICS = ("count", "sum", "histogram", "vector")
COUNTS = st.integers(1, 10**15)
VALUES = st.floats(-1e60, 1e60, allow_subnormal=False)


@pytest.mark.slow
@given(st.sampled_from(STATISTICS), st.sampled_from(RELATIONS), COUNTS, COUNTS, COUNTS, st.tuples(VALUES, VALUES))
def test_replacing_is_at_most_twice_adding_and_the_norms_keep_their_order(
    statistic: str, relation: str, rows: int, size: int, touched: int, pair: tuple[float, float]
) -> None:
    low, high = sorted(pair)
    if low == high == 0.0:
        return
    size = size if statistic in ("histogram", "vector") else 1
    arguments = (
        {"low": low, "high": high, "touched": touched, "per_cell": touched}
        if statistic in ("sum", "vector", "histogram")
        else {}
    )
    found = derive(statistic=statistic, neighbours=relation, contributions=rows, dimension=size, **arguments)
    assert 0 < found.l2 <= found.l1 * (1 + 1e-15) <= math.inf
    assert found.l1 <= found.l2 * math.sqrt(2 * size) * (1 + 1e-12)
    assert found.l1_other is not None
    replace, added = (found.l1, found.l1_other) if relation == "replace" else (found.l1_other, found.l1)
    assert replace <= 2 * added * (1 + 1e-15)


@given(st.integers(1, 50), st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
def test_the_figure_is_never_below_the_exact_one_and_the_next_smaller_number_is(
    rows: int, low: float, width: float
) -> None:
    high = low + width
    found = derive(statistic="sum", neighbours="replace", contributions=rows, low=low, high=high, rows="exactly").l1
    exact = rows * (Fraction(repr(high)) - Fraction(repr(low)))
    assert decimal(found) >= exact > decimal(math.nextafter(found, 0.0))


def test_decimals_are_read_as_they_are_written() -> None:
    assert derive(statistic="sum", neighbours="add_remove", contributions=3, low=0, high=0.1).l1 == 0.3
    assert derive(statistic="mean", neighbours="replace", low=12, high=28, records=100).l1 == 0.16  # the cafeteria's


# --------------------------------------------------------------------------------- what cannot be derived


def test_the_mean_of_an_unknown_number_of_rows_is_published_as_a_sum_and_a_count() -> None:
    with pytest.raises(InvalidInput, match=r"sum and a count") as told:
        derive(statistic="mean", neighbours="add_remove", low=0, high=1, records=100)
    assert told.value.where == "neighbours"


@pytest.mark.parametrize(
    ("arguments", "where"),
    [
        ({"statistic": "sum"}, "low"),
        ({"statistic": "sum", "low": 1}, "high"),
        ({"statistic": "vector", "low": 2, "high": 1}, "high"),
        ({"statistic": "count", "dimension": 10}, "dimension"),
        ({"statistic": "sum", "low": 0, "high": 1, "dimension": 2}, "dimension"),
        ({"statistic": "mean", "low": 0, "high": 1, "records": 9, "dimension": 2}, "dimension"),
        ({"statistic": "sum", "low": 0, "high": 0}, "high"),
        ({"statistic": "mean", "low": 0, "high": 1}, "records"),
        ({"statistic": "mean", "low": 0, "high": 1, "records": 2, "contributions": 3}, "records"),
        ({"statistic": "count", "contributions": 0}, "contributions"),
        ({"statistic": "median"}, "statistic"),
        ({"statistic": "sum", "low": -1e300, "high": 1e300, "contributions": 10**15}, "high"),
        ({"statistic": "vector", "low": float("nan"), "high": 1}, "low"),
    ],
)
def test_what_is_missing_or_wrong_is_named(arguments: dict[str, Any], where: str) -> None:
    with pytest.raises(DPWizardError) as told:
        derive(neighbours="replace", **arguments)
    assert told.value.where == where


@pytest.mark.parametrize("value", [1e-300, 5e-324, 1e300])
def test_the_smallest_and_the_largest_bounds_have_a_figure(value: float) -> None:
    found = derive(statistic="vector", neighbours="add_remove", low=0, high=value, dimension=1)
    assert found.l1 == found.l2 == value


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
