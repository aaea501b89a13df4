"""What moves a figure at all moves it by a least amount: a count by 1, a sum by its step. Nothing smaller is believed.

Each row builds the data and the noise that would break the answer given before; nothing but `solve` is taken from the
program.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpwizard.base.language import speaking
from dpwizard.decision import Assessment, RequirementResult, assess
from dpwizard.wording import assessments, texts
from tests.samples.decisions import decided

NAMED = {"kind": "lee_clifton", "population": 100, "posterior": 0.1}
CLASSES = {"kind": "categorical_advantage", "prior": {"a": 1, "b": 1}, "truth": "a", "advantage": 0.1}
TENTHS = {"family": "discrete", "points": [tenth / 10 for tenth in range(10)]}
WIDE = {"family": "uniform", "low": 0, "high": 100}
SUM = {"statistic": "sum", "neighbours": "replace", "sensitivity": 100, "mechanism": "geometric"}


def assessed(*requirements: dict[str, Any], **release: Any) -> Assessment:
    found = assess(decided(*requirements, **{"mechanism": "laplace", **release}))
    for language in ("en", "de"):
        with speaking(language):
            assert all(assessments.why(answer.why) for answer in found.answers)
    return found


def solve(requirement: dict[str, Any], **release: Any) -> RequirementResult:
    return assessed(requirement, **release).answers[0]


def epsilon(answer: RequirementResult) -> float:
    assert answer.status == "allowed"
    assert answer.epsilon is not None
    return answer.epsilon


def guess(prior: dict[str, Any], truth: float, precision: float, effect: float) -> dict[str, Any]:
    one = {"prior": prior, "truth": truth, "precision": precision, "effect": effect}
    return {"kind": "guessing_advantage", "attributes": [one], "advantage": 0.1}


@pytest.mark.parametrize(
    ("release", "step"),
    [
        ({"sensitivity": 0.5}, 1),
        ({"sensitivity_other": 0.25}, 1),
        ({"statistic": "sum", "step": 10, "sensitivity": 1, "mechanism": "geometric"}, 10),
        ({"statistic": "vector", "dimension": 3, "sensitivity": 0.1, "mechanism": "geometric"}, 1),
        (
            {
                "parts": [
                    {"name": n, "statistic": "histogram", "dimension": 4, "sensitivity": 0.5, "share": 0.5}
                    for n in "ab"
                ]
            },
            1,
        ),
    ],
    ids=["count", "change of value", "sum in tens", "whole numbers", "two histograms"],
)
def test_a_sensitivity_below_the_least_change_of_the_figure_is_a_named_contradiction(
    release: dict[str, Any], step: float
) -> None:
    found = assessed(CLASSES, {"kind": "budget", "total": 1}, **release)
    named = [
        problem for problem in found.problems if problem.key == "sensitivity_below_step"
    ]  # none of which lets anybody approve
    assert named
    assert all(problem.values["step"] == step and problem.where.endswith(".sensitivity") for problem in named)
    for language in ("en", "de"):
        with speaking(language):
            assert all(texts.format_text("problem", problem.key, problem.values, language) for problem in named)


@pytest.mark.parametrize(
    "figures", [{"difference": 0.01}, {"range": 10, "difference": 1}], ids=["difference of .01", "one year in ten"]
)
def test_two_people_in_bins_of_their_own_change_a_histogram_in_full_however_near_their_values(
    figures: dict[str, float],
) -> None:
    # was 119.9 and 2.40; one of 100 people takes another's place: two bins move by 1, each with noise of scale 1 /
    # epsilon
    limit = epsilon(solve({**NAMED, **figures}, statistic="histogram", dimension=10))
    assert 1 / (1 + 99 * math.exp(-2 * limit)) <= 0.1
    assert limit == pytest.approx(math.log(11) / 2)


def test_two_people_who_differ_change_a_count_by_one_at_least() -> None:
    limit = epsilon(solve({**NAMED, "difference": 0.1}, sensitivity_other=1))  # was 23.98
    assert limit == pytest.approx(math.log(11))
    assert epsilon(solve({**NAMED, "difference": 0.1, "range": 100}, **SUM, step=10)) == pytest.approx(
        10 * math.log(11)
    )  # was 2398
    assert epsilon(solve({**NAMED, "difference": 20, "range": 100}, **SUM, step=10)) == pytest.approx(5 * math.log(11))


@pytest.mark.parametrize(
    ("prior", "truth", "precision", "effect"),
    [(TENTHS, 0.4, 0.05, 1), ({"family": "discrete", "points": list(range(10))}, 4, 0.5, 0.01)],
    ids=["values a tenth apart", "an effect of a hundredth"],
)
def test_a_count_moves_by_one_between_values_whose_effect_is_less(
    prior: dict[str, Any], truth: float, precision: float, effect: float
) -> None:
    # was 3.23 and 32.3; ten values alike, the count of those with the right one: p = .1 grows to .2 at odds of 9/4
    limit = epsilon(solve(guess(prior, truth, precision, effect), neighbours="replace"))
    assert 1 / (1 + 9 * math.exp(-limit)) <= 0.2 + 1e-12
    assert limit == pytest.approx(math.log(9 / 4))


def test_a_count_of_values_that_lie_whole_steps_apart_keeps_its_limit() -> None:
    whole = guess({"family": "discrete", "points": list(range(10))}, 4, 0.5, 1)
    assert epsilon(solve(whole, neighbours="replace")) == pytest.approx(
        0.32338640, rel=1e-4
    )  # an effect of 1 for each whole step is believed


@pytest.mark.parametrize(
    ("step", "precision", "before", "gained"),
    [(50, 25, 1.621860432432653, 0.1923)],
    ids=["rounded to fifties"],
)
def test_a_sum_in_steps_tells_near_values_apart(step: int, precision: float, before: float, gained: float) -> None:
    # values from 0 to 100 are rounded to the step: 50 stands for all right guesses, and any little move out of them for
    # a whole step
    x = (np.arange(100_000) + 0.5) / 1000
    right = abs(x - 50) <= precision
    limit = epsilon(solve(guess(WIDE, 50, precision, 1), **SUM, step=step))
    risen = []
    for loss in (limit, before):
        chance = np.exp(-loss * np.abs(np.floor(x / step + 0.5) * step - 50) / 100)
        risen.append(chance[right].sum() / chance.sum() - right.mean())
    assert risen[0] <= 0.1
    assert risen[1] == pytest.approx(gained, abs=1e-4)  # more than the .1 promised
    tens = guess({"family": "discrete", "points": list(range(0, 101, 10))}, 50, 5, 1)
    assert (
        epsilon(solve(tens, **SUM, step=10)) > limit
    )  # said by the values there are, near ones are protected more than far ones
