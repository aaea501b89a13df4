"""Step 3 in plain words: a name and a loss, then the questions; what they allow stands beside them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton

from dpwizard.decision import edits
from tests.ui.bets_hands import Officer
from tests.ui.hands import Hands

pytestmark = [pytest.mark.plain_pages, pytest.mark.one_window]


@pytest.fixture
def hands(make_hands: Callable[..., Hands]) -> Hands:
    hands = make_hands("durham")
    hands.session.put("Set beliefs", "$.requirements[0].p", (0.001, 0.5))
    hands.session.put("Set the loss", "$.details.necessity", None)
    hands.go("profile")
    return hands


def test_what_is_typed_is_kept_in_the_decision(hands: Hands) -> None:
    questions = hands.page.questions
    hands.type(questions.name, "Ada Byron")
    hands.bot.keyClick(questions.name, Qt.Key.Key_Tab)
    hands.type(questions.loss, "the yearly report")
    hands.bot.keyClick(questions.loss, Qt.Key.Key_Tab)
    details = hands.session.decision.details
    assert (details.authors, details.necessity) == (("Ada Byron",), "the yearly report")
    assert hands.session.history.undo_name == "Set what is lost"
    hands.session.undo()
    assert questions.loss.text() == ""


def test_questions_begin_at_once_and_what_they_allow_is_said(hands: Hands) -> None:
    page = hands.page
    hands.type(page.questions.name, "Ada Byron")
    hands.type(page.questions.loss, "the yearly report")
    hands.click(page.questions.rows[0].begin_button)
    officer = Officer(hands, page.questions)
    officer.comes()
    officer.ready()
    assert officer.shows(officer.asked.ask)  # nothing is asked twice
    officer.walk()
    log = hands.session.decision.elicitation[0]
    assert (log.assessor, log.setup.benefit) == ("Ada Byron", "the yearly report")
    assert officer.asked.outcome.use_button.text() == "Use this and go on"
    hands.click(officer.asked.outcome.use_button)
    hands.wait(lambda: hands.page.key == "accuracy")
    assert not hands.page.technical_built  # going on looks for no field among the details
    hands.go("profile")
    hands.wait(lambda: page.allowed.isVisible())
    assert page.allowed.words.words.startswith("Your answers allow 0.")
    low = page.allowed.words.words.split()[3]
    assert page.allowed.safe.words == f"To be safe: {low}."
    assert page.questions.rows[0].begin_button.text() == "Continue the questions"
    assert page.questions.rows[0].answered.words.endswith("answers: Ada Byron")


def test_one_button_alone_is_the_way_forward_and_without_a_promise_it_says_where_one_is_added(hands: Hands) -> None:
    hands.session.put("Ask", "$.requirements", [{"kind": "relative_risk"}] * 2)
    shown = [button for button in hands.window.findChildren(QPushButton) if button.isVisible()]
    assert [button.text() for button in shown if button.objectName() == "primary"] == ["Begin the questions"]
    hands.session.edit("Remove", edits.put(hands.session.decision, "$.requirements", ()))
    hands.settle()
    page = hands.page
    assert page.questions.none_yet.isVisible()
    assert not any(row.isVisible() for row in page.questions.rows)
    assert not page.promise_now.isVisible()


def test_setting_it_by_hand_opens_the_fields(hands: Hands) -> None:
    page = hands.page
    hands.click(page.questions.rows[0].by_hand_button)
    assert page.technical_is_shown
    assert page.cards.cards[0].isAncestorOf(QApplication.focusWidget())
