"""What is said of a chance before and after a release: one denominator, the right side, the right number of things, and
what questions and profiles come to.
"""

from __future__ import annotations

import math
from typing import Any

import pytest

from dpwizard.base.language import speaking
from dpwizard.charts import axis_chart, pictures, profile_chart, usability
from dpwizard.decision import assess, edits
from dpwizard.privacy.profiles import CapOrRatio, Constant
from dpwizard.projects.project import open_project
from dpwizard.report import document
from dpwizard.report.blocks import Figure
from dpwizard.wording import accepted, explain, figures, general_guarantee, persons
from tests.samples.decisions import CROSSING, EXAMPLES, decided, example, recorded


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


def test_the_sentence_on_the_binding_adversary_names_both_chances_out_of_one_number() -> None:
    decision = open_project(EXAMPLES / "kazan_reiter_table_1_a.json")
    sentence, counts = explain.at_limit(decision.requirements[0], assess(decision).answers[0])
    assert sentence == "A chance of 1 in 6 (16.7 in 100) before the release can rise to at most 25 in 100 after it."
    assert counts == pytest.approx((100 / 6, 25))


def test_one_other_adversary_is_spoken_of_as_one() -> None:
    drawn = pictures.picture(open_project(EXAMPLES / "kazan_reiter_figure_1.json")).drawn
    figure = profile_chart.ratios([strand for one in drawn for strand in one.strands], 0, "p")
    assert figure.asides == ("One more varies with the other chance only; choose it above to see it.",)


def test_one_person_is_no_people_and_a_fitting_profile_is_counted_without_a_verb() -> None:
    asked = {"kind": "compensation", "people": 1, "cost": 5500, "money": 500}
    decision = decided(asked)
    said = explain.why(assess(decision).answers[0].why)
    assert said == "With more epsilon, the cost for all of them together (1) exceeds the 500 set aside."
    words = explain.format_text("chart", "what_if", {"epsilon": 1.0, "count": 24, "fitting": 1})
    assert words == "Your profile allows 1.00; profiles compared: 24, with a window beside everything else: 1."


@pytest.mark.parametrize("exponent", [0.2, 0.3, 0.45])
def test_a_figure_names_the_binding_belief_as_the_card_does(exponent: float) -> None:
    decision = edits.put(
        open_project(EXAMPLES / "durham.json"),
        "$.requirements[0].profile",
        {"shape": "power", "constant": 2, "exponent": exponent},
    )
    drawn = pictures.picture(decision).drawn
    figure = profile_chart.implied([strand for one in drawn for strand in one.strands], 0, "p")
    belief = figures.chance(float(drawn[0].answer.binding["p"]))
    assert f"for a chance before of {belief}." in figure.sentence
    assert f"a chance of {belief} that" in explain.why(drawn[0].answer.why)


def test_the_belief_that_is_held_is_named_as_the_card_names_it() -> None:
    drawn = pictures.picture(open_project(EXAMPLES / "kazan_reiter_figure_5.json")).drawn
    figure = profile_chart.ratios([strand for one in drawn for strand in one.strands], 0, "p")
    assert figure.asides == ("The other chance is 1 in 12, where it sets the limit.",)


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


def test_what_nothing_bounds_is_said_in_a_sentence() -> None:
    decision = edits.put(open_project(EXAMPLES / "durham.json"), "$.epsilon", 1000.0)
    _, everyone, _ = general_guarantee.meaning(decision)
    assert (
        everyone
        == "For anyone else, there is no limit on how much more likely a statement about this person can become."
    )


def test_requirements_that_cannot_be_kept_each_are_not_said_to_contradict_each_other() -> None:
    decision = open_project(EXAMPLES / "durham_conflict.json")
    assert "These conflict: " in explain.window(assess(decision))
    asked = (
        {"kind": "lee_clifton", "name": "One of all", "population": 1000, "posterior": 0.0005},
        {"kind": "participation", "name": "Taking part", "posterior_without": 0.2, "posterior_with": 0.1},
        {"kind": "budget", "total": 1},
        {"kind": "rmse", "at_most": 1},
    )
    words = explain.window(assess(edits.put(decision, "$.requirements", asked)))
    assert words == "No epsilon can meet “One of all”, “Taking part”."


def test_a_need_that_names_no_part_lacks_its_own_answer_and_not_one_of_the_release() -> None:
    parts = [{"name": name, "sensitivity": 1, "share": 0.5} for name in ("North", "South")]
    release = {"statistic": "vector", "mechanism": "laplace", "sensitivity": None, "parts": parts}
    decision = decided({"kind": "rmse", "at_most": 3}, **release)
    answer = assess(decision).answers[0]
    assert explain.why(answer.why, kind=answer.kind) == "Still to answer: “Part”."


def test_of_several_parts_each_measure_is_that_of_the_part_its_need_speaks_of() -> None:
    parts = [
        {"name": "North", "sensitivity": 1, "share": 0.5, "mechanism": "geometric"},
        {"name": "South", "sensitivity": 1, "share": 0.3, "mechanism": "laplace"},
    ]
    release = {"statistic": "vector", "mechanism": None, "sensitivity": None, "parts": parts}
    need = {"kind": "noise_interval", "half_width": 5, "level": 0.9, "part": "South"}
    decision = decided(need, epsilon=1.0, **release)
    rows = {one.name: (one.value, one.required, one.met) for one in usability.measures(decision, assess(decision))}
    half = math.log(10) / 0.3  # Laplace noise of scale 1 / 0.3
    assert rows["Error within a limit, 90 in 100 of outcomes (South)"] == (
        f"±{math.ceil(half * 100) / 100:g}",
        "at most ±5",
        False,
    )
    assert "Typical error (North)" in rows


@pytest.mark.parametrize("total", [0.3, 1.01, 1.25, 2.03, 3.5, 4.9, 9.7, 33.0])
def test_the_words_of_the_largest_limit_have_room_beyond_it(total: float) -> None:
    figure = axis_chart.figure(assess(decided({"kind": "budget", "total": total})))
    assert total <= 0.72 * figure.plots[0].x.high  # of an axis of 360 pixels: 100 for "at most 2.03"


@pytest.mark.parametrize(
    ("chosen", "left"), [(1.5, (True, True)), (0.7, (False, True)), (2.1, (False, False)), (None, (False, True))]
)
def test_the_words_of_a_limit_keep_clear_of_the_chosen_epsilon(chosen: float | None, left: tuple[bool, bool]) -> None:
    figure = axis_chart.figure(assess(decided({"kind": "budget", "total": 1.3}, CROSSING, epsilon=chosen)))
    plot = figure.plots[0]
    assert tuple(mark.left for mark in plot.marks) == left


# ------------------------------------------------------------------- a unit that is less than a person

OF_ONE_UNIT = {"unit_kind": "person", "slice": "day"}


def test_requirement_about_a_day_says_so() -> None:
    decision = decided({"kind": "attack_advantage", "advantage": 0.2}, epsilon=0.9, **OF_ONE_UNIT)
    (answer,) = assess(decision).answers
    said = persons.at_epsilon(decision.release, answer)
    assert said.startswith(explain.at_epsilon(answer))
    assert "a day of a person" in said.removeprefix(explain.at_epsilon(answer))


def test_requirement_that_counts_people_gives_no_figure_about_a_day() -> None:
    asked = {"kind": "two_worlds", "chance_without": 0.1, "chance_with": 0.2}
    decision = decided(asked, epsilon=0.5, slices_per_person=5, **OF_ONE_UNIT)
    (answer,) = assess(decision).answers
    assert explain.at_epsilon(answer)
    said = persons.at_epsilon(decision.release, answer)
    assert "a day of a person" in said
    assert not any(letter.isdigit() for letter in said)


@pytest.mark.parametrize(
    "unit", [{}, {"unit_kind": "person", "slice": "none"}, {**OF_ONE_UNIT, "slices_per_person": 1}]
)
def test_requirement_about_a_whole_person_is_said_as_it_is(unit: dict[str, object]) -> None:
    decision = decided({"kind": "attack_advantage", "advantage": 0.2}, epsilon=0.9, **unit)
    (answer,) = assess(decision).answers
    said = explain.at_epsilon(answer)
    assert said
    assert persons.at_epsilon(decision.release, answer) == said


def test_no_chances_are_drawn_for_a_person_where_a_unit_is_a_day() -> None:
    decision = open_project(EXAMPLES / "kazan_reiter_table_1_a.json")
    decision = edits.put(edits.put(decision, "$.release.unit_kind", "person"), "$.release.slice", "day")
    said, chances = persons.at_limit(decision.release, decision.requirements[0], assess(decision).answers[0])
    assert chances is None
    assert "a day of a person" in said


EVERY = (0.001, 0.5)


def test_a_small_and_a_large_belief_are_told_rounded_as_the_promise_is() -> None:
    profile = CapOrRatio(posterior=0.0256, ratio=1.449)
    said = accepted(profile, 1.0, EVERY)
    assert said == "You would accept that 1 in 100 becomes at most 2.6 in 100, and 1 in 2 becomes at most 72.5 in 100."
    with speaking("de"):
        assert "1 von 100 zu höchstens 2,6 von 100 wird, und dass 1 von 2" in accepted(profile, EVERY, 1.0)


def test_beliefs_outside_the_range_asked_about_are_told_by_its_ends() -> None:
    assert accepted(Constant(ratio=2.0), 1.0, (0.05, 0.2)) == (
        "You would accept that 1 in 20 becomes at most 10 in 100, and 1 in 5 becomes at most 40 in 100."
    )
    assert accepted(Constant(ratio=2.0), 1.0, 0.1) == "You would accept that 1 in 10 becomes at most 20 in 100."


def test_what_has_no_limit_is_called_certainty() -> None:
    assert accepted(Constant(ratio=3.0), 1.0, EVERY).endswith("and 1 in 2 becomes certainty.")


@pytest.mark.parametrize("ratio", [1.0, 1.01, 1.7])
def test_two_ranges_are_told_by_their_product(ratio: float) -> None:
    both = accepted(Constant(ratio=ratio), (0.1, 1.0), (0.01, 0.5))
    assert both == accepted(Constant(ratio=ratio), 1.0, (0.001, 0.5))


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
