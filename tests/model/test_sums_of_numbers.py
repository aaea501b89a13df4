"""Needs that speak of a sum of several numbers: of one table, of several tables, of many sums at once."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.decision import Decision, RequirementResult, assess, edits, problems
from tests.samples.decisions import decided

WARDS = ({"name": "ward", "parts": 9}, {"name": "age group", "parts": 3})
KINDS: dict[str, dict[str, Any]] = {
    "noise_interval": {"half_width": 5, "level": 0.95},
    "rmse": {"at_most": 3},
    "mean_absolute_error": {"at_most": 2.5},
    "margin_of_error": {"half_width": 5, "z": 1.96},
    "relative_error": {"fraction": 0.1, "of": 50, "at_most": 0.05},
}


def hospital(*asked: dict[str, Any], epsilon: float | None = None, **release: Any) -> Decision:
    return decided(*asked, epsilon=epsilon, **{"statistic": "histogram", "divisions": WARDS, **release})


def answers(*asked: dict[str, Any], **release: Any) -> tuple[RequirementResult, ...]:
    return assess(hospital(*asked, **release)).answers


def within(half_width: float, cells: int, level: float = 0.95, **more: Any) -> dict[str, Any]:
    return {"kind": "noise_interval", "half_width": half_width, "level": level, "cells": cells, **more}


def law(epsilon: float, cells: int, reach: int = 900) -> Any:
    """Return the masses of a sum of geometric noise, by adding up one number at a time."""
    places = np.arange(-reach, reach + 1)
    one = np.tanh(epsilon / 2.0) * np.exp(-epsilon * np.abs(places))
    found = np.array([1.0])
    for _ in range(cells):
        found = np.convolve(found, one)
        middle = len(found) // 2
        found = found[max(0, middle - reach) : middle + reach + 1]
    return found


def chance_within(masses: Any, half_width: int) -> float:
    middle = len(masses) // 2
    return float(masses[middle - half_width : middle + half_width + 1].sum())


# --------------------------------------------------------------------------------------------------- of one table


@pytest.mark.parametrize(
    ("cells", "half_width", "needed"),
    [
        (1, 5, 0.538174),
        (3, 5, 0.875829),
        (3, 6, 0.747299),
        (3, 7, 0.651173),
        (3, 8, 0.576690),
        (3, 10, 0.468980),
        (3, 11, 0.428826),
        (9, 9, 0.859398),
        (9, 10, 0.781625),
        (27, 16, 0.850483),
        (27, 20, 0.691499),
    ],
)
def test_a_sum_within_a_half_width_needs_the_published_epsilon(cells: int, half_width: float, needed: float) -> None:
    (found,) = answers(within(half_width, cells))
    assert found.epsilon == pytest.approx(needed, abs=6e-7)


@pytest.mark.parametrize(("cells", "epsilon"), [(3, 0.4615), (27, 0.88)])
def test_what_a_sum_is_off_by_at_an_epsilon_is_what_convolution_says(cells: int, epsilon: float) -> None:
    (found,) = answers(within(5, cells), epsilon=epsilon)
    masses = law(epsilon, cells)
    half_width = next(h for h in range(500) if chance_within(masses, h) >= 0.95)
    assert found.at_epsilon["half_width"] == half_width
    assert found.at_epsilon["coverage"] == pytest.approx(chance_within(masses, half_width), rel=1e-9)
    assert found.at_epsilon["cells"] == cells


def test_typical_errors_of_a_sum_are_what_convolution_says() -> None:
    asked = [{"kind": kind, **KINDS[kind], "cells": 4} for kind in KINDS]
    found = {answer.kind: answer.at_epsilon for answer in answers(*asked, epsilon=0.7)}
    masses = law(0.7, 4)
    places = np.arange(len(masses)) - len(masses) // 2
    deviation = math.sqrt(float(masses @ places**2))
    assert found["rmse"]["rmse"] == pytest.approx(deviation, rel=1e-9)
    assert found["margin_of_error"]["half_width"] == pytest.approx(1.96 * deviation, rel=1e-9)
    assert found["mean_absolute_error"]["mean_absolute_error"] == pytest.approx(masses @ np.abs(places), rel=2e-9)
    assert found["relative_error"]["probability"] == pytest.approx(1.0 - chance_within(masses, 5), rel=1e-8)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mechanism", ["geometric", "gaussian"])
def test_a_need_of_a_sum_is_met_at_its_end_and_not_below(kind: str, mechanism: str) -> None:
    delta = {"delta": 1e-6} if "gaussian" in mechanism else {}
    asked = {"kind": kind, **KINDS[kind], "cells": 6}
    needed = answers(asked, mechanism=mechanism, **delta)[0].epsilon
    for epsilon, kept in ((needed, True), (needed * (1 - 1e-6), False)):
        (found,) = answers(asked, mechanism=mechanism, epsilon=epsilon, **delta)
        noise = found.at_epsilon
        assert found.met is kept
        if kind == "noise_interval":
            assert (noise["half_width"] <= 5 * (1 + 1e-9)) is kept
        elif kind == "relative_error":
            assert (noise["probability"] <= 0.05 * (1 + 1e-9)) is kept
        else:
            most = KINDS[kind].get("at_most", KINDS[kind].get("half_width"))
            value = noise.get(kind, noise.get("half_width"))
            assert (value <= most * (1 + 1e-8)) is kept


@pytest.mark.parametrize("cells", [4, 100])
def test_a_sum_too_wide_to_add_up_exactly_needs_hardly_more_than_laplace_noise(cells: int) -> None:
    wide: dict[str, Any] = {"statistic": "sum", "sensitivity": 1e6, "divisions": ()}
    (whole,) = answers(within(3e7, cells), mechanism="geometric", step=1, **wide)
    (continuous,) = answers(within(3e7, cells), mechanism="laplace", **wide)
    assert continuous.epsilon <= whole.epsilon <= continuous.epsilon * (1 + 1e-5)


def test_more_cells_than_the_table_has_are_refused_where_it_says_how_many_it_has() -> None:
    (found,) = answers(within(5, 28))
    assert (found.status, found.why.key) == ("not_applicable", "more_cells_than_numbers")
    assert answers(within(5, 28), divisions=())[0].status == "allowed"


# --------------------------------------------------------------------------------------------- many sums at once


def test_nine_ward_totals_at_once_multiply_where_they_share_no_number() -> None:
    asked = {"kind": "all_within", "half_width": 5, "level": 0.95, "cells": 3, "numbers": 9}
    disjoint, shared = answers(asked, {**asked, "overlapping": True}, epsilon=0.88)
    one = chance_within(law(0.88, 3), 5)
    assert disjoint.epsilon == pytest.approx(1.342065, abs=6e-7)
    assert disjoint.at_epsilon["chance"] == pytest.approx(one**9, rel=1e-8)
    assert shared.at_epsilon["chance"] == pytest.approx(1.0 - 9 * (1.0 - one), rel=1e-8)
    assert shared.epsilon > 1.342065


def test_sums_that_need_more_numbers_than_there_are_share_some() -> None:
    asked = {"kind": "all_within", "half_width": 5, "level": 0.95, "cells": 3, "numbers": 12}
    by_itself, stated = answers(asked, {**asked, "overlapping": True})
    assert by_itself.epsilon == stated.epsilon


def test_some_of_the_numbers_at_once_need_less_than_all() -> None:
    asked = {"kind": "all_within", "half_width": 5, "level": 0.95}
    some, all_of_them = answers({**asked, "numbers": 9}, asked)
    assert some.epsilon < all_of_them.epsilon
    assert answers({**asked, "numbers": 28})[0].why.key == "more_cells_than_numbers"


# ---------------------------------------------------------------------------------------------- of several tables


def tables(*asked: dict[str, Any], **second: Any) -> Decision:
    parts = [
        {"name": "wards", "statistic": "histogram", "sensitivity": 1, "dimension": 9, "share": "1/4"},
        {"name": "ages", "statistic": "histogram", "sensitivity": 1, "dimension": 3, "share": "3/4", **second},
    ]
    return decided(*asked, statistic="histogram", parts=parts)


def over(*summands: tuple[str, int]) -> dict[str, Any]:
    sum_of = [{"part": part, "cells": cells} for part, cells in summands]
    return {"kind": "noise_interval", "half_width": 8, "level": 0.9, "sum_of": sum_of}


def test_a_sum_over_tables_takes_the_noise_of_each() -> None:
    decision = tables(over(("wards", 2), ("ages", 1)))
    (found,) = assess(decision).answers
    both = np.convolve(law(found.epsilon / 4, 2), law(found.epsilon * 3 / 4, 1))
    assert chance_within(both, 8) == pytest.approx(0.9, abs=1e-8)
    assert not [problem for problem in problems(decision) if problem.key == "names_no_part"]


def test_an_exact_table_adds_no_error_to_a_sum() -> None:
    with_exact, one = assess(
        tables(over(("wards", 2), ("ages", 1)), over(("wards", 2)), mechanism="exact", share=None, sensitivity=None)
    ).answers
    assert with_exact.epsilon == one.epsilon


def test_a_sum_of_whole_and_continuous_noise_is_not_computed() -> None:
    (found,) = assess(tables(over(("wards", 2), ("ages", 1)), mechanism="laplace")).answers
    assert (found.status, found.why.key) == ("not_applicable", "sum_of_mixed_noise")


def test_a_sum_over_tables_with_fixed_noise_may_be_out_of_reach() -> None:
    normal = {"name": "wards", "mechanism": "discrete_gaussian", "sensitivity": 1, "share": 1}
    parts = [normal, {"name": "ages", "mechanism": "geometric", "sensitivity": 1, "epsilon": 0.001}]
    asked = over(("wards", 2), ("ages", 1))
    (found,) = assess(decided(asked, statistic="histogram", parts=parts)).answers
    assert found.status == "infeasible"
    parts[1] |= {"epsilon": 2}
    assert assess(decided(asked, statistic="histogram", parts=parts)).answers[0].status == "allowed"


def test_a_misspelled_table_of_a_sum_is_named_with_the_nearest() -> None:
    (found,) = assess(tables(over(("wards", 2), ("agse", 1)))).answers
    assert (found.status, found.why.key, found.why.values["nearest"]) == ("unanswered", "unknown_table_near", "ages")


def test_a_sum_over_tables_stands_alone() -> None:
    with pytest.raises(InvalidInput) as refused:
        tables({**over(("wards", 2)), "part": "ages"})
    assert refused.value.where == "$.requirements[0].sum_of"
    with pytest.raises(InvalidInput):
        tables({**over(("wards", 2)), "cells": 2})


def test_a_renamed_table_is_renamed_in_sums() -> None:
    decision = edits.put(tables(over(("wards", 2), ("ages", 1))), "$.release.parts[0].name", "stations")
    asked: Any = decision.requirements[0]
    assert [one.part for one in asked.sum_of] == ["stations", "ages"]


# ---------------------------------------------------------------------------------------------- clamped at 0


@pytest.mark.parametrize("printed", [None, False])
def test_sums_of_clamped_counts_have_no_answer_unless_totals_are_printed(printed: bool | None) -> None:
    asked = [{"kind": kind, **KINDS[kind], "cells": 3} for kind in KINDS]
    asked.append({"kind": "all_within", "half_width": 5, "level": 0.95, "cells": 3, "numbers": 9})
    for found in answers(*asked, post_processing=["clamping"], totals_printed=printed):
        assert (found.status, found.why.key) == ("not_applicable", "clamped_sums")
        assert "post_processing" not in found.validity
    for found in answers(*asked, post_processing=["clamping"], totals_printed=True):
        assert found.status == "allowed"
        assert found.assumptions == ("totals_printed",)


def test_sums_of_numbers_that_are_made_to_add_up_have_no_answer() -> None:
    (found,) = answers(within(5, 3), post_processing=["consistency"])
    assert (found.status, found.why.key) == ("not_applicable", "sum_errors_depend")


# -------------------------------------------------------------------------------------------------------- in words
