"""The pages of a simple decision: no longer than the window, nothing cut, and what belongs together in one line."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from dpwizard.base.language import LANGUAGES, speaking
from dpwizard.decision import FORMAT, STEPS, Decision, edits, new_decision, read_decision
from tests.ui.hands import Hands
from tests.ui.test_protection_page import hospital
from ui.questions.release_summary import shape

pytestmark = [pytest.mark.plain_pages, pytest.mark.one_window]

TAKEN = ("counts_units_once", "exact_figures_elsewhere", "whole_numbers")  # to be true
REST = {
    "title": "Cases by ward, 2026",
    "justification": "The board must see which wards need help.",
    "acknowledged": [{"assumption": key, "text": "As it was shown."} for key in TAKEN],
    "release.unit": "one person",
}
WORDS = {
    "en": {"person_word": "patient", "reveals": "had the rare infection", "divisions[1].name": "age group"},
    "de": {"person_word": "Patient", "reveals": "die seltene Infektion hatte", "divisions[1].name": "Altersgruppe"},
}
AMOUNTS = {
    "statistic": "vector",
    "each_number": "sum",
    "lowest": 0,
    "highest": 500,
    "sensitivity": 500,
    "contributions": 1,
    "dimension": 8,
    "divisions": [{"name": "Region", "parts": 8}],
    "post_processing": ["clamping"],
    "mechanism": "geometric",
    "neighbours": "add_remove",
    "how_often": "once",
    "repetitions": 1,
    "person_word": "donor",
    "reveals": "gave money",
}


def answered(decision: Decision, words: dict[str, str]) -> Decision:
    """Return DECISION with a person and divisions called by these WORDS, and all the rest answered."""
    for where, value in {**REST, **{f"release.{name}": word for name, word in words.items()}}.items():
        decision = edits.put(decision, f"$.{where}", value)
    return decision


def amounts() -> Decision:
    promise = {"kind": "attack_advantage", "advantage": 0.42}
    close = {"kind": "noise_interval", "half_width": 2000, "level": 0.95}
    raw = {"format": FORMAT, "release": AMOUNTS, "requirements": [promise, close], "epsilon": 0.75}
    return answered(read_decision(raw), {})


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_of_a_simple_decision_is_longer_than_the_window(
    language: str, make_hands: Callable[..., Hands]
) -> None:
    with speaking(language):
        hands = make_hands("durham", own=language != "en")
        example = hands.session.decision
        for decision in (example, answered(hospital(0.42, 0.88), WORDS[language]), amounts()):
            hands.session.start(decision)
            for step in STEPS:
                hands.go(step.key).settle()
                hands.wait(lambda: hands.page.verticalScrollBar().maximum() == 0)
                assert hands.page.widget().height() <= hands.page.viewport().height(), step.key
            assert decision is example or hands.page.missing.words == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_last_page_of_an_empty_decision_fits_and_lists_the_rest_when_asked(
    language: str, make_hands: Callable[..., Hands]
) -> None:
    with speaking(language):
        hands = make_hands("durham", own=language != "en")
        hands.session.start(new_decision())
        hands.go("review").settle()
        hands.wait(lambda: hands.page.verticalScrollBar().maximum() == 0)
        missing = hands.page.missing
        assert len(missing.buttons) < len(missing.words)
        hands.click(missing.more_button)
        assert len(missing.buttons) == len(missing.words)


def left_of(widget: QWidget, hands: Hands) -> int:
    return widget.mapTo(hands.window, QPoint(0, 0)).x()


def test_ways_to_refuse_what_is_vouched_for_stand_under_one_another(make_hands: Callable[..., Hands]) -> None:
    hands = make_hands("durham").go("review")
    links = hands.page.questions.refused
    assert len(links) > 2
    for width in (1150, 1366, 1920):
        hands.window.resize(width, 768)
        hands.wait(lambda: len({left_of(link, hands) for link in links}) == 1)


@pytest.mark.own_window
def test_amounts_are_shown_to_their_last_digit_and_called_what_they_are(make_hands: Callable[..., Hands]) -> None:
    hands = make_hands("durham")
    hands.session.start(amounts())
    hands.go("accuracy").settle()
    asked = hands.page.questions
    row = asked.sums.rows.rows[0]
    assert row.sentence.editors["half_width"].line.painted_text() == "2000"
    assert [one.name.text() for one in asked.sums.rows.rows][::2] == ["Each sum", "All 8 sums at once"]
    head, gets = asked.sums.rows._accuracy_head, asked.sums.rows.rows[1].accuracy
    assert left_of(head, hands) == left_of(gets, hands)
    hands.wait(lambda: "by 2,700 on average" in asked.totals.text.words)
    hands.go("decision").settle()
    assert hands.page.protection.needs.words == "Each sum is within 2,000 of the truth in 95 of 100 cases."


def test_totals_of_a_table_are_called_alike_on_both_sides() -> None:
    drawn, _ = shape(hospital(0.42, 0.88))
    assert (drawn.row_total, drawn.column_total) == ("ward’s total", "age group’s total")
