"""Undo across pages, with names, and without limit in the panel of the history; and what was typed and refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication

from dpwizard.base.language import speaking
from tests.ui.hands import LEFT, Hands
from ui.widgets import within

pytestmark = [pytest.mark.one_window, pytest.mark.slow]

CONTROL = Qt.KeyboardModifier.ControlModifier


def undo_by_keys(hands: Hands) -> None:
    hands.bot.keyClick(QApplication.focusWidget() or hands.window, Qt.Key.Key_Z, CONTROL)


def test_edits_on_several_pages_are_taken_back_one_by_one_by_their_names(durham: Hands) -> None:
    hands, footer = durham, durham.wizard.footer
    start = hands.session.decision
    hands.fill("$.title", "Another title")
    hands.go("profile")
    hands.fill("$.requirements[0].profile.ratio", "7")
    hands.go("decision")
    hands.fill("$.epsilon", "2")
    names = []
    while footer.undo_button.isEnabled():
        names.append(footer.undo_button.accessibleName())
        hands.click(footer.undo_button)
    assert names == ["Undo: Set epsilon chosen", "Undo: Set most times as likely", "Undo: Set title"]
    assert hands.session.decision == start
    assert not hands.window.isWindowModified()
    assert hands.page.number_card.epsilon.line.text() == "2.19723"
    for _ in names:
        hands.click(footer.redo_button)
    assert hands.session.decision.title == "Another title"
    assert hands.session.decision.epsilon == 2
    hands.go("profile")
    assert hands.editor("$.requirements[0].profile.ratio").line.text() == "7"


def test_a_stretch_of_typing_is_one_step_and_leaving_the_field_ends_it(durham: Hands) -> None:
    hands = durham
    hands.fill("$.title", "First")
    hands.fill("$.title", "Second")
    undo_by_keys(hands)
    assert hands.session.decision.title == "First"
    undo_by_keys(hands)
    assert hands.session.decision.title == "Infant deaths in Durham County, 2020"
    assert hands.editor("$.title").controls()[0].text() == "Infant deaths in Durham County, 2020"


def test_a_drag_of_a_slider_is_one_step(durham: Hands) -> None:
    hands = durham.go("profile")
    slider = hands.editor("$.requirements[0].profile.ratio").slider
    before = hands.session.decision.requirements[0].profile.ratio
    middle = slider.rect().center()
    hands.bot.mousePress(slider, Qt.MouseButton.LeftButton, pos=middle)
    for x in range(5):
        hands.bot.mouseMove(slider, middle + type(middle)(10 * x, 0))
    hands.bot.mouseRelease(slider, Qt.MouseButton.LeftButton)
    assert len(hands.session.history.past) == 1
    assert hands.session.decision.requirements[0].profile.ratio > before
    hands.wizard.session.undo()
    assert hands.session.decision.requirements[0].profile.ratio == before


def test_a_wrong_answer_is_said_beside_the_field_as_one_types_and_changes_nothing(durham: Hands) -> None:
    hands = durham
    before = hands.session.decision
    hands.go("profile")
    field = hands.editor("$.requirements[0].profile.posterior")
    hands.type(field.controls()[0], "150")
    assert "150 is more than certainty" in field.problem.text()
    assert field.problem.isVisible()
    assert field.controls()[0].accessibleDescription() == field.problem.text()
    assert hands.session.decision == before  # "15" alone was fine, and is taken back
    hands.type(field.controls()[0], "abc")
    assert "“abc” is not a chance" in field.problem.text()
    hands.type(field.controls()[0], "40")
    assert field.problem.text() == ""
    assert hands.session.decision.requirements[0].profile.posterior == 0.4


def test_what_was_typed_and_refused_survives_other_edits_but_not_undo(durham: Hands) -> None:
    hands = durham.go("profile")
    field = hands.editor("$.requirements[0].profile.posterior")
    hands.type(field.controls()[0], "abc")
    hands.fill("$.requirements[0].profile.ratio", "6")
    hands.settle()
    assert field.controls()[0].text() == "abc"
    hands.go("accuracy")
    hands.pick(hands.page.cards.add_button, "rmse")  # cards are made; those that are there stay
    hands.go("profile")
    assert hands.editor("$.requirements[0].profile.posterior").controls()[0].text() == "abc"
    undo_by_keys(hands)
    field = hands.editor("$.requirements[0].profile.posterior")
    assert field.controls()[0].text() == "50"
    assert field.problem.text() == ""
    hands.type(field.controls()[0], "abc")
    hands.go("accuracy")
    undo_by_keys(hands)  # on another page
    hands.go("profile")
    assert field.controls()[0].text() == "50"
    assert field.problem.text() == ""


def test_what_turns_out_to_be_no_number_leaves_what_was_in_force_before_it_was_begun(durham: Hands) -> None:
    where = "$.release.sensitivity"
    line: Any = durham.editor(where).controls()[0]
    names = durham.session.history.names
    durham.type(line, "0,7")  # in English; its 0 alone is a number
    assert durham.session.decision.release.sensitivity == 1
    assert line.property("wrong") is True
    assert "Not used. The value is still 1" in durham.editor(where).problem.text()
    assert durham.session.history.names == names
    durham.bot.keyClick(line, Qt.Key.Key_Tab)
    assert (line.text(), durham.session.decision.release.sensitivity) == ("0,7", 1)
    durham.type(line, "0.7")
    durham.bot.keyClick(line, Qt.Key.Key_Tab)
    assert (line.property("wrong"), durham.session.decision.release.sensitivity) == (False, 0.7)
    durham.type(line, "3x")  # what was settled stays
    assert durham.session.decision.release.sensitivity == 0.7
    durham.window.undo()
    assert (line.text(), durham.session.decision.release.sensitivity) == ("1", 1)


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("L1 sensitivity", "L1 sensitivity"),
        ("Laplace scale, Gaussian standard deviation", "Laplace scale, Gaussian standard deviation"),
        ("Bound on max R^2", "bound on max R^2"),
        ("A neighbour", "a neighbour"),
        ("Half-width", "half-width"),
    ],
)
def test_a_label_within_a_sentence_begins_with_a_small_letter_and_stays_as_it_is(label: str, said: str) -> None:
    assert within(label) == said
    with speaking("de"):
        assert within(label) == label


# ------------------------------------------------------------------------------------- the panel of the history


def rows(hands: Hands) -> list[str]:
    view = hands.window.history_panel.list
    return [view.item(row).text() for row in range(view.count())]


def click(hands: Hands, row: int) -> None:
    view = hands.window.history_panel.list
    index = view.model().index(row)
    view.scrollTo(index)
    hands.bot.mouseClick(view.viewport(), LEFT, pos=view.visualRect(index).center())


def test_the_panel_is_reached_by_keys_names_every_step_and_leads_there(durham: Hands, tmp_path: Path) -> None:
    hands, session = durham, durham.session
    start = session.decision
    hands.fill("$.title", "First")
    hands.window.save_to(tmp_path / "x.json")
    hands.go("profile")
    hands.fill("$.requirements[0].profile.ratio", "7")
    hands.bot.keyClick(hands.window, Qt.Key.Key_H, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    panel = hands.window.history_panel
    hands.bot.waitUntil(panel.isVisible)
    assert panel.list.hasFocus()
    assert QAccessible.queryAccessibleInterface(panel.list).text(QAccessible.Text.Name)
    assert rows(hands) == ["Opened", "Set title – saved", "Set most times as likely (shown now)"]
    click(hands, 0)
    assert session.decision == start
    assert rows(hands) == ["Opened (shown now)", "Set title (undone) – saved", "Set most times as likely (undone)"]
    assert hands.window.isWindowModified()
    for _ in range(2):
        hands.bot.keyClick(panel.list, Qt.Key.Key_Down)
    hands.bot.keyClick(panel.list, Qt.Key.Key_Return)
    assert session.decision.requirements[0].profile.ratio == 7
    hands.window.undo()
    assert rows(hands)[1] == "Set title (shown now) – saved"
    assert not hands.window.isWindowModified()
    hands.window.show_history()
    assert not panel.isVisible()
