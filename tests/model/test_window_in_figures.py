"""A window is printed so that what is read can be typed, and what is typed lies inside: in every sentence, foot, axis
and offer."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.language import speaking
from dpwizard.charts.comparison import ends_words
from dpwizard.decision import Assessment, Decision, assess, read_decision
from dpwizard.report.document import blocks
from dpwizard.wording import assessments, figures, range_of
from tests.samples.decisions import decided, example, recorded
from ui.app.footer import short
from ui.forms.numbers import parsed

NUMBER = re.compile(r"\d[\d.,\u202f]*(?:e[+-]\d+)?")


def between(lower: float, upper: float, **release: Any) -> Decision:
    """Return a decision whose window lies from LOWER to UPPER: a budget above, a mean absolute error of 1 / epsilon
    below."""
    requirements = [{"kind": "budget", "total": upper}, {"kind": "mean_absolute_error", "at_most": 1.0 / lower}]
    return decided(*requirements, **{"mechanism": "laplace", **release})


def accepted(decision: Decision, assessment: Assessment, said: str) -> None:
    """Check that every number that SAID prints can be typed and lies inside."""
    found = [parsed(number.rstrip(".,")) for number in NUMBER.findall(said)]
    assert found, said
    for number in found:
        assert number is not None, said
        inside = assess(decision.model_copy(update={"epsilon": number}), assessment).inside
        assert inside is True, (said, number, assessment.window)


def windows() -> list[tuple[float, float]]:
    dice = random.Random(15)
    found = []
    for _ in range(80):
        lower = 10.0 ** dice.uniform(-6, 3)
        found.append((lower, lower * (1 + 10.0 ** dice.uniform(-13, 0.5))))
    return [*found, *((lower, lower * (1 - 1e-13)) for lower, _ in found[:20])]  # ends that cross by rounding touch


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_printed_ends_of_any_window_can_be_typed_and_lie_inside(language: str) -> None:
    with speaking(language):
        for lower, upper in windows():
            decision = between(lower, upper)
            assessment = assess(decision)
            if assessment.window.empty or assessment.window.upper is None or range_of(assessment).single:
                continue
            sentence = assessments.window(assessment)
            for said in (sentence, short(assessment), ends_words(assessment.window.lower, assessment.window.upper)):
                accepted(decision, assessment, said)


def test_ends_that_touch_are_said_to_be_about_one_value_everywhere() -> None:
    decision = read_decision(example("durham", epsilon=None))
    assessment = assess(decision)
    assert assessment.window.touching
    ends = ends_words(assessment.window.lower, assessment.window.upper)
    for said in (assessments.window(assessment), short(assessment), ends):
        assert [number.rstrip(".,") for number in NUMBER.findall(said)] == ["2.19723"]
        assert "about" in said
    taken = range_of(assessment).upper
    assert assess(decision.model_copy(update={"epsilon": taken.value}), assessment).inside is True
    axis = next(block for block in blocks(recorded(example("durham"))) if type(block).__name__ == "Figure")
    drawn = [item.text for item in axis.scene.items if type(item).__name__ == "Text" and "2.19" in item.text]
    assert drawn
    assert all("about 2.19723" in said for said in drawn)


@given(st.floats(1e-9, 1e9))
def test_an_epsilon_that_is_spent_is_never_printed_as_less(value: float) -> None:
    shown = parsed(figures.epsilon_up(value))
    assert value * (1 - 1e-14) <= shown <= value * (1 + 2e-5)
    assert parsed(figures.all_digits(value)) == value


def test_what_is_left_of_a_budget_is_rounded_down() -> None:
    spent = [{"epsilon": 0.1, "neighbours": "add_remove"}, {"epsilon": 0.2, "neighbours": "add_remove"}]
    budget = {"kind": "budget", "total": 0.9999999999}
    answer = assess(decided(budget, epsilon=0.4, mechanism="laplace", spent=spent)).answers[0]
    assert answer.at_epsilon["left"] <= 0.2999999999
    assert "0.29 is left" in assessments.at_epsilon(answer)
    assert answer.at_epsilon["spent_total"] >= 0.7
