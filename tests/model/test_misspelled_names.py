"""Names that no table has are refused with the nearest one: a typing error never fulfils a requirement."""

from __future__ import annotations

from typing import Any

import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.decision import Assessment, assess, steps
from dpwizard.wording import assessments, texts
from tests.samples.decisions import decided

READS = {"mechanism": "laplace", "neighbours": "replace", "reads": ["age", "district"], "effects": {"age": 1}}
GUESS = {"prior": {"family": "uniform", "low": 0, "high": 10}, "truth": 5, "precision": 1}
PROFILE = {"shape": "constant", "ratio": 3}
ASKED: tuple[dict[str, Any], ...] = (
    {"kind": "relative_risk", "adversary": "attribute", "q": [0, 1], "profile": PROFILE},
    {"kind": "lee_clifton", "population": 4, "posterior": 0.5},
    {"kind": "guessing_advantage", "attributes": [{**GUESS, "effect": 1}], "advantage": 0.1},
    {"kind": "categorical_advantage", "prior": {"a": 0.2, "b": 0.8}, "truth": "worst", "advantage": 0.1},
    {"kind": "persuasive_privacy", "score": "log", "kappa": 0.5, "delta": 0, "prior_mass": 0.1},
)


def refused(found: Assessment, where: str, key: str) -> str:
    """Return how the one answer is refused, which the list of problems says too, at WHERE."""
    (answer,) = found.answers
    assert (answer.status, answer.why.key) == ("unanswered", key)
    (problem,) = [problem for problem in found.problems if problem.key == key]
    assert problem.where == where
    said = assessments.why(answer.why)
    assert said == texts.format_text("problem", key, problem.values)
    return said


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked["kind"])
def test_attribute_that_no_table_reads_is_refused_with_the_nearest(asked: dict[str, Any]) -> None:
    known = assess(decided({**asked, "attribute": "district"}, **READS)).answers[0]
    assert known.status != "unanswered"
    found = assess(decided({**asked, "attribute": "distrit"}, **READS))
    said = refused(found, "$.requirements[0].attribute", "unknown_attribute_near")
    assert "“distrit”" in said
    assert "Did you mean “district”?" in said


def test_name_of_an_attribute_that_is_guessed_is_looked_up_as_well() -> None:
    asked = {"kind": "guessing_advantage", "attributes": [{**GUESS, "name": "aeg"}], "advantage": 0.1}
    refused(assess(decided(asked, **READS)), "$.requirements[0].attributes[0].name", "unknown_attribute_near")


def test_attribute_is_any_where_no_table_says_what_it_reads() -> None:
    asked = {**ASKED[0], "attribute": "distrit"}
    assert assess(decided(asked, mechanism="laplace", neighbours="replace")).answers[0].status == "allowed"


@pytest.mark.parametrize(("part", "key"), [("nroth", "unknown_table_near"), ("elsewhere", "unknown_table")])
def test_need_of_a_table_that_there_is_not_is_refused(part: str, key: str) -> None:
    parts = [{"name": name, "statistic": "count", "sensitivity": 1, "share": 0.5} for name in ("north", "south")]
    found = assess(decided({"kind": "rmse", "at_most": 5, "part": part}, mechanism="laplace", parts=parts))
    refused(found, "$.requirements[0].part", key)


def test_level_that_is_not_among_the_levels_is_a_problem() -> None:
    parts = [
        {"name": "a", "statistic": "count", "sensitivity": 1, "share": 1, "level": "distrit"},
    ]
    figures = [{"name": "total", "level": "State"}]
    decision = decided(mechanism="laplace", parts=parts, levels=["district", "state"], exact_figures=figures)
    found = {(problem.where, problem.key, problem.values.get("nearest")) for problem in steps.problems(decision)}
    assert ("$.release.parts[0].level", "unknown_level_near", "district") in found
    assert ("$.release.exact_figures[0].level", "unknown_level_near", "state") in found


def test_part_that_is_disjoint_from_none_is_an_error_with_the_nearest() -> None:
    parts = [{"name": "north", "disjoint_with": ["suoth"]}, {"name": "south"}]
    with pytest.raises(InvalidInput, match='did you mean "south"') as problem:
        decided(parts=parts)
    assert problem.value.where == "$.release.parts[0].disjoint_with"
