"""What the menu and the plain questions do while the technical details are folded, as they are at first."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from dpwizard.decision import edits
from tests.ui.choosers import choose_file
from tests.ui.fixtures import EXAMPLES
from tests.ui.hands import Hands
from ui.forms import Rows

pytestmark = [pytest.mark.plain_pages, pytest.mark.one_window]


@pytest.fixture
def hands(make_hands: Callable[..., Hands]) -> Hands:
    return make_hands("durham")


def test_the_menu_compares_with_a_file(hands: Hands) -> None:
    hands.go("release")
    keys = Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier
    choose_file(hands, lambda: hands.bot.keyClick(hands.window, *keys), EXAMPLES / "durham_conflict.json")
    hands.wait(lambda: hands.page.technical_is_shown and hands.page.two.other is not None)
    assert hands.page.two.isVisible()
    hands.wait(lambda: hands.page.two.sentence.visibleRegion().boundingRect().height() > 0)  # scrolled to


def test_setting_a_complete_requirement_by_hand_reaches_its_first_field(hands: Hands) -> None:
    hands.session.put("Ask", "$.requirements", [{"kind": "attack_advantage", "advantage": 0.42}])
    hands.go("profile")
    hands.click(hands.page.questions.rows[0].by_hand_button)
    card = hands.page.cards.cards[0]
    assert card.question_buttons is None  # nothing else to reach
    assert card.isAncestorOf(QApplication.focusWidget())


def test_the_first_table_of_a_sum_is_added(hands: Hands) -> None:
    hands.session.put("Ask", "$.requirements", [{"kind": "rmse"}])
    hands.go("accuracy")
    hands.click(hands.page.technical.head)
    rows = next(rows for rows in hands.page.findChildren(Rows) if rows.where == "$.requirements[0].sum_of")
    rows.add_button.click()
    assert len(hands.session.decision.requirements[0].sum_of) == 1


def test_a_second_attribute_of_a_guess_about_one_is_refused_under_the_list(hands: Hands) -> None:
    guess = {"prior": {"family": "uniform", "low": 0.0, "high": 1.0}, "precision": 0.1}
    asked = {"kind": "guessing_advantage", "attributes": [guess], "combine": "one"}
    hands.session.put("Ask", "$.requirements", [asked])
    hands.go("adversary")
    hands.click(hands.page.technical.head)
    rows = next(rows for rows in hands.page.findChildren(Rows) if rows.where == "$.requirements[0].attributes")
    rows.add_button.click()
    assert len(hands.session.decision.requirements[0].attributes) == 1
    assert "there are 2 attributes" in rows.problem.words
    hands.session.put("Combine", "$.requirements[0].combine", "and")
    assert not rows.problem.words
    rows.add_button.click()
    assert len(hands.session.decision.requirements[0].attributes) == 2


def test_a_late_click_on_the_questions_of_a_removed_requirement_does_nothing(hands: Hands) -> None:
    hands.go("profile")
    hands.click(hands.page.technical.head)
    ask = hands.page.cards.cards[0].question_buttons.ask_button
    hands.session.changed.connect(ask.click)  # after the removal, before the card goes
    hands.session.edit("Remove", edits.put(hands.session.decision, "$.requirements", ()))
    hands.session.changed.disconnect(ask.click)
    assert hands.page.guided is None
