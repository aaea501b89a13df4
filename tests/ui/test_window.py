"""The window itself: start screen, files, leaving with unsaved changes, dropped records, what is missing, and its
words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox

from dpwizard.decision import to_json
from dpwizard.projects.project import open_project, save_project
from tests.samples.words import keyed
from tests.ui.choosers import drop
from tests.ui.fixtures import EXAMPLES
from tests.ui.hands import Hands

pytestmark = [pytest.mark.one_window, pytest.mark.slow]
BUTTONS = QMessageBox.StandardButton


def test_the_title_says_which_decision_is_shown_and_whether_it_is_saved(empty: Hands, tmp_path: Path) -> None:
    hands = empty
    assert hands.window.windowTitle() == "unsaved decision[*] – dpwizard"
    assert not hands.window.isWindowModified()
    hands.bot.keyClicks(QApplication.focusWidget(), "A title")  # a new decision is typed into at once
    assert hands.window.isWindowModified()
    assert hands.window.windowTitle().startswith("A title")
    hands.window.save_to(tmp_path / "mine.json")
    assert hands.window.windowTitle() == "mine.json[*] – dpwizard"
    assert not hands.window.isWindowModified()
    assert to_json(open_project(tmp_path / "mine.json"))["title"] == "A title"


@pytest.mark.own_window
def test_what_was_opened_last_is_offered_again_and_what_is_gone_is_not(
    make_hands: Callable[..., Hands], tmp_path: Path
) -> None:
    hands = make_hands("durham")
    for name in ("one", "two"):
        save_project(tmp_path / f"{name}.json", open_project(EXAMPLES / "durham.json"))
        hands.window.open_path(tmp_path / f"{name}.json")
    hands.window.show_start()
    assert [button.text() for button in hands.window.start.recent_buttons] == ["two.json", "one.json"]
    (tmp_path / "two.json").unlink()
    hands.window.back_to_decision()
    hands.window.show_start()
    assert [button.text() for button in hands.window.start.recent_buttons] == ["one.json"]
    hands.click(hands.window.start.recent_buttons[0])
    assert hands.session.path == tmp_path / "one.json"


@pytest.mark.own_window
def test_leaving_with_unsaved_changes_asks_and_cancel_means_cancel(durham: Hands, tmp_path: Path) -> None:
    hands = durham
    hands.fill("$.title", "Changed")
    hands.answer(BUTTONS.Cancel)
    assert not hands.window.close()
    assert hands.window.isVisible()
    hands.answer(BUTTONS.Cancel)
    hands.window.new()
    assert hands.session.decision.title == "Changed"
    hands.window.save_to(tmp_path / "changed.json")
    hands.fill("$.title", "Changed again")
    hands.answer(BUTTONS.Save)
    hands.window.new()
    assert open_project(tmp_path / "changed.json").title == "Changed again"
    assert hands.session.decision.title is None
    hands.fill("$.title", "Thrown away")
    hands.answer(BUTTONS.Discard)
    assert hands.window.close()


def test_a_broken_file_is_refused_in_words_and_the_decision_stays(durham: Hands, tmp_path: Path) -> None:
    hands = durham
    for name, content in {
        "broken": "{",
        "other": "[]",
        "range": json.dumps({"format": "dpwizard.decision/1", "epsilon": -1}),
    }.items():
        (tmp_path / f"{name}.json").write_text(content, "utf-8")
        hands.window.open_path(tmp_path / f"{name}.json")
        assert hands.window.complaint.informativeText()
        hands.window.complaint.close()
    assert hands.session.decision == open_project(EXAMPLES / "durham.json")


def test_a_dropped_decision_opens_and_a_dropped_record_is_verified(durham: Hands, tmp_path: Path) -> None:
    hands = durham
    save_project(tmp_path / "mine.json", open_project(EXAMPLES / "durham_conflict.json"))
    drop(hands.window, tmp_path / "mine.json")
    assert hands.session.path == tmp_path / "mine.json"
    (tmp_path / "mine.pdf").write_bytes(b"%PDF-1.7\nno record")
    drop(hands.window, tmp_path / "mine.pdf")
    verdict = hands.window.verdict
    assert verdict.isVisible()
    assert verdict.sentence.text()
    verdict.close()


def test_each_line_of_what_is_missing_leads_to_its_field(empty: Hands) -> None:
    hands = empty.go("adversary")
    hands.pick(hands.page.cards.add_button, "lee_clifton")
    hands.pick(hands.page.cards.add_button, "relative_risk")
    hands.go("accuracy")
    hands.pick(hands.page.cards.add_button, "noise_interval")
    hands.settle()
    hands.go("review")
    hands.click(hands.page.missing.more_button)
    count = len(hands.page.missing.buttons)
    assert count > 10
    for index in range(0, count, 3):
        hands.go("review")
        hands.bot.waitUntil(lambda: len(hands.page.missing.buttons) == count)
        button = hands.page.missing.buttons[index]
        words = button.accessibleName()
        hands.click(button)
        hands.bot.waitUntil(lambda: QApplication.focusWidget() is not None and QApplication.focusWidget().isVisible())
        focused = QApplication.focusWidget()
        assert hands.page.isAncestorOf(focused), words
        hands.bot.waitUntil(lambda focused=focused: not focused.visibleRegion().isEmpty())  # scrolled to, too


def test_cards_come_and_go_while_a_solve_runs(durham: Hands) -> None:
    hands = durham.go("adversary")
    for _ in range(3):
        hands.pick(hands.page.cards.add_button, "relative_risk")
    for _ in range(3):
        hands.pick(hands.page.cards.cards[1].more, "Remove")
    hands.session.put("Mark", "$.withheld", ("$.requirements[0]",))
    hands.pick(hands.page.cards.cards[0].more, "Duplicate")
    assert hands.session.decision.withheld == (
        "$.requirements[0]",
        "$.requirements[1]",
    )  # what is left out stays left out
    hands.pick(hands.page.cards.cards[1].more, "Move up")
    hands.settle()
    names = [card.form.editors["name"].controls()[0].text() for card in hands.page.cards.cards]
    assert names == ["Neighbour who knows the family (copy)", "Neighbour who knows the family"]
    hands.click(hands.page.cards.cards[0].on)
    hands.settle()
    assert hands.page.cards.cards[0].off_form.isVisible()
    assert "off" not in hands.page.cards.cards[1].says.words


def test_the_panels_follow_the_adversary_that_is_answered(durham: Hands) -> None:
    hands = durham.go("adversary")
    hands.pick(hands.page.cards.cards[0].more, "Duplicate")
    hands.go("profile")
    hands.fill("$.requirements[1].profile.ratio", "3")
    hands.settle()
    assert hands.page.followed == 1
    assert hands.page.follow.isVisible()
    hands.choose_in(hands.page.follow.box, 0)
    assert [panel.index for panel in hands.page.curve_panels] == [0, 0]


def test_at_1366_by_768_the_axis_the_choice_and_its_meaning_are_seen_without_scrolling(durham: Hands) -> None:
    hands = durham.go("decision").settle()
    hands.bot.waitUntil(lambda: hands.page.zoomed.plot.height() > 100)
    inside = hands.page.viewport().rect()
    for widget in (
        hands.page.zoomed,
        hands.page.number,
        hands.page.number_card.epsilon,
        hands.page.protection,
        hands.page.reasons,
    ):
        corner = widget.mapTo(hands.page.viewport(), widget.rect().bottomRight())
        assert inside.contains(corner), type(widget).__name__
    assert hands.page.horizontalScrollBar().maximum() == 0
    for panel in (hands.page.axis, hands.page.noise):  # what a hand can do with a figure is said in whole
        said = panel.tools.readout
        hands.bot.waitUntil(said.isVisible)
        for words in (said.text().splitlines()[0], keyed("de")["chart"]["point_brief"]):
            assert said.fontMetrics().horizontalAdvance(words) <= said.width(), words


def test_the_keyboard_goes_from_step_to_step_and_back(durham: Hands) -> None:
    hands = durham
    for number in range(1, 8):
        hands.bot.keyClick(hands.window, getattr(Qt.Key, f"Key_{number}"), Qt.KeyboardModifier.ControlModifier)
        wanted = list(hands.wizard.pages)[number - 1]
        hands.bot.waitUntil(lambda wanted=wanted: hands.page.key == wanted)  # the button is seen to go down first
    hands.bot.keyClick(hands.window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert hands.page.key == "decision"
    hands.bot.keyClick(hands.window, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert hands.page.key == "review"


def signs(hands: Hands, *, at_once: bool = False) -> dict[str, str]:
    """Return the sign beside each step, once the decision is answered unless AT_ONCE."""
    if not at_once:
        hands.settle()
    return {key: button._sign.text() for key, button in hands.wizard.steps.buttons.items()}


def test_a_step_is_ticked_when_something_was_answered_and_not_when_nothing_was_asked(empty: Hands) -> None:
    hands = empty
    assert signs(hands) == {
        **dict.fromkeys(("release", "adversary", "profile", "decision", "review"), "○"),
        **dict.fromkeys(("budget", "accuracy"), "–"),
    }
    assert hands.wizard.steps.buttons["budget"].accessibleName().endswith("no limit set")
    hands.go("accuracy")
    hands.pick(hands.page.cards.add_button, "rmse")
    assert signs(hands)["accuracy"] == "○"
    hands.fill("$.requirements[0].at_most", "150")
    assert signs(hands)["accuracy"] == "✓"
    hands.click(hands.wizard.footer.undo_button)
    hands.click(hands.wizard.footer.undo_button)
    assert signs(hands)["accuracy"] == "–"


def test_a_step_whose_promise_no_budget_keeps_is_open(durham: Hands) -> None:
    hands = durham
    assert signs(hands)["profile"] == "✓"
    hands.session.put("As a file may say", "$.requirements[0].profile.ratio", 0.5)
    assert signs(hands)["profile"] == "○"
    hands.fill("$.title", "Nothing flickers")
    assert signs(hands, at_once=True)["profile"] == "○"
    hands.window.undo()
    hands.window.undo()
    assert signs(hands)["profile"] == "✓"
