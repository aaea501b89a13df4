"""What is said of a chance before and after a release: one denominator, the right side, the right number of things, and
what questions and profiles come to.
"""

from __future__ import annotations

from typing import Any

import pytest

from dpwizard.decision import assess
from dpwizard.privacy.profiles import Constant
from dpwizard.report import document
from dpwizard.report.blocks import Figure
from dpwizard.wording import accepted, assessments, figures, persons
from tests.samples.decisions import decided, example, recorded


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (1 / 6, 0.25, ("16.7 in 100", "25 in 100")),
        (0.001, 0.003, ("0.1 in 100", "0.3 in 100")),
        (0.0005, 0.0025, ("5 in 10,000", "25 in 10,000")),
        (0.0005, 0.00050001, ("5 in 10,000", "5.01 in 10,000")),
        (0.0001, 0.333333, ("1 in 10,000", "3,334 in 10,000")),
        (0.5, 1.0, ("50 in 100", "100 in 100")),
    ],
)
def test_two_chances_that_are_compared_are_counted_out_of_one_number(
    before: float, after: float, words: tuple[str, str]
) -> None:
    assert figures.one_denominator(before, after) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1e-6, "0.000001"),
        (1e-20, "1.00 × 10⁻²⁰"),
        (2.197224577336219, "2.19722"),
        (4012, "4,012"),
        (334_000, "334,000"),
        (74_434.4, "74,434.4"),
        (2_995_732.0, "2,995,732"),
        (123_456_789_012.5, "123,456,789,012"),
        (3e20, "3.00 × 10²⁰"),
        (0.0, "0"),
    ],
)
def test_no_number_is_written_as_a_computer_writes_it(value: float, words: str) -> None:
    assert figures.number(value) == words


def test_a_need_that_names_no_part_lacks_its_own_answer_and_not_one_of_the_release() -> None:
    parts = [{"name": name, "sensitivity": 1, "share": 0.5} for name in ("North", "South")]
    release = {"statistic": "vector", "mechanism": "laplace", "sensitivity": None, "parts": parts}
    decision = decided({"kind": "rmse", "at_most": 3}, **release)
    answer = assess(decision).answers[0]
    assert assessments.why(answer.why, kind=answer.kind) == "Still to answer: “Table”."


# ------------------------------------------------------------------- a unit that is less than a person

OF_ONE_UNIT = {"unit_kind": "person", "slice": "day"}


def test_requirement_about_a_day_says_so() -> None:
    decision = decided({"kind": "attack_advantage", "advantage": 0.2}, epsilon=0.9, **OF_ONE_UNIT)
    (answer,) = assess(decision).answers
    said = persons.at_epsilon(decision.release, answer)
    assert said.startswith(assessments.at_epsilon(answer))
    assert "a day of a person" in said.removeprefix(assessments.at_epsilon(answer))


def test_requirement_that_counts_people_gives_no_figure_about_a_day() -> None:
    asked = {"kind": "two_worlds", "chance_without": 0.1, "chance_with": 0.2}
    decision = decided(asked, epsilon=0.5, slices_per_person=5, **OF_ONE_UNIT)
    (answer,) = assess(decision).answers
    assert assessments.at_epsilon(answer)
    said = persons.at_epsilon(decision.release, answer)
    assert "a day of a person" in said
    assert not any(letter.isdigit() for letter in said)


def test_beliefs_outside_the_range_asked_about_are_told_by_its_ends() -> None:
    assert accepted(Constant(ratio=2.0), 1.0, (0.05, 0.2)) == (
        "You would accept that 1 in 20 becomes at most 10 in 100, and 1 in 5 becomes at most 40 in 100."
    )
    assert accepted(Constant(ratio=2.0), 1.0, 0.1) == "You would accept that 1 in 10 becomes at most 20 in 100."


def figure_of(profile: dict[str, Any]) -> Figure:
    """Return the figure of the worked example's first requirement with another PROFILE."""
    raw = example("durham")
    raw["requirements"] = [{**raw["requirements"][0], "profile": profile}, *raw["requirements"][1:]]
    made = recorded(raw)
    drawn = [block for block in document.blocks(made) if isinstance(block, Figure)]
    return next(figure for figure in drawn if "allowed ratio" in figure.scene.alternative)


@pytest.mark.parametrize(
    ("profile", "said"),
    [
        ({"shape": "constant", "ratio": 3}, "The allowed ratio is 3.00 throughout."),
        ({"shape": "constant", "ratio": 2.4243}, "The allowed ratio is 2.43 throughout."),
        ({"shape": "cap_or_ratio", "posterior": 0.5, "ratio": 5}, "The allowed ratio falls from "),
    ],
)
def test_allowed_ratio_is_rounded_up_and_falls_only_where_it_does(profile: dict[str, Any], said: str) -> None:
    assert said in figure_of(profile).scene.alternative
