"""The plain part of the decision page: sentences, number, conflict and exception, by clicks on what is seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dpwizard.base.language import LANGUAGES, speaking
from dpwizard.charts.scene import Text
from dpwizard.decision import read_decision
from tests.ui.hands import Hands

pytestmark = [pytest.mark.plain_pages, pytest.mark.one_window]

WARD = {"kind": "noise_interval", "cells": 3, "half_width": 5, "level": 0.95}


def hospital(advantage: float, epsilon: float | None) -> Any:
    release = {
        "statistic": "histogram",
        "dimension": 27,
        "sensitivity": 1,
        "mechanism": "geometric",
        "neighbours": "add_remove",
        "unit_kind": "person",
        "person_word": "patient",
        "reveals": "had the rare infection",
        "divisions": [{"name": "ward", "parts": 9}, {"name": "age group", "parts": 3}],
        "totals_printed": True,
    }
    promise = {"kind": "attack_advantage", "advantage": advantage}
    raw = {"format": "dpwizard.decision/1", "release": release, "requirements": [promise, WARD]}
    return read_decision(raw if epsilon is None else {**raw, "epsilon": epsilon})


@pytest.fixture
def at_step_six(make_hands: Callable[..., Hands]) -> Callable[..., Hands]:
    def made(advantage: float, epsilon: float | None) -> Hands:
        hands = make_hands("durham")
        hands.session.start(hospital(advantage, epsilon))
        hands.settle()
        return hands.go("decision").settle()

    return made


def test_the_largest_allowed_is_stored_as_its_button_shows_it(at_step_six: Callable[..., Hands]) -> None:
    hands = at_step_six(0.42, None)
    page = hands.page
    assert page.take_upper.text() == "Largest allowed: 0.89"
    assert page.take_lower.text() == "Smallest needed: 0.88"
    hands.click(page.take_upper)
    hands.settle()
    assert hands.session.decision.epsilon == 0.89
    assert page.number.text() == "0.89"
    assert page.number_card.place.words == "✓ inside 0.88 to 0.89"
    assert "is right in at most 71 of 100 guesses" in page.protection.promise.words
    assert page.protection.needs.words == "A ward’s total is within 5 of the truth in 95 of 100 cases."
    dots = page.protection.guesses.after.dots
    assert (dots.count, dots.out_of) == (71, 100)
    assert page.settle.isHidden()
    assert not page.technical_is_shown


def test_a_conflict_offers_repairs_with_both_prices_and_undo_takes_one_back(at_step_six: Callable[..., Hands]) -> None:
    hands = at_step_six(0.22, None)
    page = hands.page
    assert page.settle.isVisible()
    said = "Your privacy requirement allows at most 0.44. A ward’s total within 5 needs 0.88. No epsilon meets both."
    assert page.settle.sentence.text() == said
    assert "You can still sign this as an exception" in page.settle.more.text()
    footer, step = hands.wizard.footer, hands.wizard.steps.buttons["decision"]
    assert (footer.sign.isVisible(), footer.words.text()) == (True, "to settle in step 6")
    assert (step._triangle.isVisible(), step._sign.text(), step.note.text()) == (True, "", "one conflict to settle")
    hands.wait(lambda: len(page.repairs.buttons) == 2)
    wider, nothing = page.repairs.buttons
    assert wider.text() == "A ward’s total within 11"
    assert wider.accessibleDescription() == "instead of 5: then 0.43 is enough, 61 of 100 guesses"
    assert nothing.text() == "Do not publish"
    hands.click(wider)
    hands.settle()
    assert hands.session.decision.requirements[1].half_width == 11
    assert page.settle.isHidden()
    assert (footer.sign.isVisible(), step._triangle.isVisible()) == (False, False)
    assert " to " in footer.words.text()
    hands.wizard.session.undo()
    hands.settle()
    assert hands.session.decision.requirements[1].half_width == 5
    assert page.settle.isVisible()


def test_a_conflict_leads_to_the_epsilon_of_an_exception_and_then_to_its_reason(
    at_step_six: Callable[..., Hands],
) -> None:
    hands = at_step_six(0.22, None)
    page = hands.page
    assert not page.number_card.isVisible()
    hands.click(page.settle.ways[1])
    hands.wait(page.number_card.epsilon.line.hasFocus)
    hands.fill("$.epsilon", "0.88")
    hands.settle()
    hands.click(page.settle.ways[1])
    editor = hands.editor("$.exception_reason")
    hands.wait(lambda: editor.controls()[0].hasFocus())


def test_a_choice_outside_is_warned_about_first(at_step_six: Callable[..., Hands]) -> None:
    page = at_step_six(0.42, 1.2).page
    assert page.settle.isVisible()
    assert page.settle.sentence.text() == "Epsilon 1.20 is outside what both sides allow."
    assert page.number_card.place.isHidden()


def test_a_choice_dragged_into_a_narrow_range_has_its_digits(at_step_six: Callable[..., Hands]) -> None:
    hands = at_step_six(0.41195, None)
    page = hands.page
    assert page.take_lower.text() == "Smallest needed: 0.87583"
    page.zoomed.handles.moved.emit(0, 0.875861, 0.0)
    hands.settle()
    assert hands.session.decision.epsilon == 0.87586
    assert page.number.text() == "0.87586"
    assert page.settle.isHidden()


@pytest.mark.parametrize("language", LANGUAGES)
def test_limits_on_the_axis_are_said_whole(language: str, make_hands: Callable[..., Hands]) -> None:
    with speaking(language):
        hands = make_hands("durham", own=language != "en").go("decision").settle()
        plot = hands.page.zoomed.plot
        for width in (1366, 1920):
            hands.window.resize(width, 768)
            hands.wait(lambda: len([one for one in plot.drawn if isinstance(one, Text) and "…" not in one.text]) == 3)


@pytest.mark.parametrize(("epsilon", "out_of", "dots"), [(5.2, 1_000, True), (7.0, 10_000, False)])
def test_needs_stand_above_the_fold_however_many_guesses_are_counted(
    epsilon: float, out_of: int, dots: bool, at_step_six: Callable[..., Hands]
) -> None:
    hands = at_step_six(0.9995, epsilon)
    hands.window.resize(1366, 768)
    page, guesses = hands.page, hands.page.protection.guesses.after
    hands.wait(lambda: guesses.dots.out_of == out_of)
    hands.settle()
    assert guesses.dots.isVisible() is dots
    assert f"{out_of:,}" in guesses.caption.words
    needs = page.protection.needs
    assert needs.mapTo(hands.window, needs.rect().bottomLeft()).y() < hands.window.height() // 2


def test_what_a_need_says_of_each_count_is_not_said_again_below_it(at_step_six: Callable[..., Hands]) -> None:
    hands = at_step_six(0.42, 0.88)
    hands.wait(lambda: "Each count is within 3" in hands.page.protection.accuracy.words)
    hands.go("accuracy").settle()
    row = hands.page.questions.sums.rows.rows[0]
    hands.click(row.box)
    hands.type(row.sentence.editors["half_width"].line, "3")
    hands.settle()
    hands.go("decision").settle()
    assert "Each count is within 3" in hands.page.protection.needs.words
    assert hands.page.protection.accuracy.words.startswith("A true 0 is published as 3 or more")
