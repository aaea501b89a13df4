"""Step 2 in plain words: a person as a sentence, and each assumption with three answers that lead somewhere."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from dpwizard.decision import FORMAT, Decision, edits, new_decision, problems, read_decision
from tests.model.test_plain_promises import TABLE as HOSPITAL
from tests.ui.hands import Hands
from ui.widgets import Problem

pytestmark = [pytest.mark.plain_pages, pytest.mark.one_window]


@pytest.fixture
def hands(empty: Hands) -> Hands:
    """Return hands at step 2 of 27 counts; nobody is named yet."""
    empty.session.start(read_decision({"format": FORMAT, "release": HOSPITAL}))
    return empty.go("adversary")


def decision(hands: Hands) -> Decision:
    return hands.session.decision


def name(hands: Hands, who: str) -> Any:
    """Name WHO, and return what is asked then."""
    gallery = hands.page.gallery
    if gallery.head.isVisible():
        hands.click(gallery.head)
    hands.click(gallery.people[who].button)
    return hands.page.people


def open_assumptions(hands: Hands) -> set[str]:
    return {one.values["assumption"] for one in problems(decision(hands)) if one.key == "not_acknowledged"}


def test_first_choice_is_who_it_could_be_and_fits_the_window(hands: Hands) -> None:
    assert hands.page.gallery.card.isVisible()
    assert not hands.page.promise.isVisible()
    hands.bot.waitUntil(lambda: hands.page.verticalScrollBar().maximum() == 0)


def test_person_is_a_sentence_with_what_must_not_be_found_out(hands: Hands) -> None:
    card = name(hands, "neighbour").people[0]
    line = card.reveals.editors["reveals"].line
    assert line.text() == "had the rare infection"
    assert QApplication.focusWidget() is line
    hands.type(line, "was infected")
    assert decision(hands).release.reveals == "was infected"
    assert "whether a patient was infected" in hands.page.promise.promise.words
    assert card.beliefs.currentText() == "anything at all"
    hands.choose_in(card.beliefs, 2)
    assert decision(hands).requirements[0].p == (0.0, 0.1)
    assert set(hands.page.people.assumptions) == {"independent_of_others", "class_is_complete"}
    hands.click(card.rename)
    hands.type(card.naming.editors["name"].line, "A colleague")
    assert card.title.text() == "A colleague"
    hands.click(card.remove)
    assert decision(hands).requirements == ()


def test_not_true_here_promises_it_to_who_knows_every_other_result(hands: Hands) -> None:
    card = name(hands, "neighbour").assumptions["independent_of_others"]
    assert card.sentence.words == (
        "“What they think about one patient does not depend on the results of other patients.”"
    )
    assert open_assumptions(hands) == {"independent_of_others"}
    hands.click(card.options.options["refused"])
    assert decision(hands).requirements[0].others_known
    assert open_assumptions(hands) == set()
    assert card.known.isChecked()
    assert "knows every other patient’s result" in hands.page.promise.promise.words
    answer = decision(hands).answer_to("independent_of_others")
    assert (answer.state, answer.text[:15]) == ("refused", "What they think")
    hands.wizard.session.undo()
    assert open_assumptions(hands) == {"independent_of_others"}
    assert card.options.key is None
    hands.bot.waitUntil(lambda: hands.page.verticalScrollBar().maximum() == 0)


def test_some_are_protected_as_one_and_the_number_can_be_changed(hands: Hands) -> None:
    card = name(hands, "neighbour").assumptions["independent_of_others"]
    hands.click(card.options.options["refused"])
    hands.click(card.together)
    assert decision(hands).release.sensitivity == 3.0
    assert not decision(hands).requirements[0].others_known
    hands.type(card.people, "4")
    assert (decision(hands).release.sensitivity, decision(hands).release.sensitivity_other) == (4.0, 8.0)
    assert open_assumptions(hands) == set()
    assert "4 patients together" in {one.text() for one in hands.page.covers._labels}
    hands.bot.keyClick(card.people, Qt.Key.Key_Tab)
    problem = card.findChild(Problem)
    for typed in ("2.5", "1", "many", ""):
        hands.type(card.people, typed)
        assert problem.isVisible(), typed
        assert decision(hands).release.sensitivity == 4.0
    hands.type(card.people, "4")
    assert not problem.isVisible()
    hands.click(card.options.options["accepted"])
    assert decision(hands).release.sensitivity == 1.0


def test_reason_makes_it_true_enough_and_is_kept(hands: Hands) -> None:
    card = name(hands, "neighbour").assumptions["independent_of_others"]
    hands.click(card.options.options["refused"])
    hands.click(card.true_enough)
    assert open_assumptions(hands) == {"independent_of_others"}  # until the reason is given
    hands.bot.keyClicks(card.reason.text, "Each room has one bed.")
    answer = decision(hands).answer_to("independent_of_others")
    assert (answer.state, answer.reason) == (None, "Each room has one bed.")
    assert open_assumptions(hands) == set()
    assert card.options.key == "refused"
    hands.wizard.session.undo()
    assert open_assumptions(hands) == {"independent_of_others"}


def test_what_is_not_known_is_handed_to_somebody_who_vouches(hands: Hands) -> None:
    card = name(hands, "neighbour").assumptions["independent_of_others"]
    hands.click(card.options.options["open"])
    hands.type(card.voucher, "Dr Berg")
    answer = decision(hands).answer_to("independent_of_others")
    assert (answer.state, answer.vouched_by) == ("open", "Dr Berg")
    assert open_assumptions(hands) == {"independent_of_others"}  # nobody can approve until they have answered


def test_incomplete_list_of_people_leads_to_another_person_or_to_any_belief(hands: Hands) -> None:
    cards = name(hands, "neighbour")
    hands.session.put("Believe less", "$.requirements[0].p", [0.0, 0.5])
    card = cards.assumptions["class_is_complete"]
    hands.click(card.options.options["refused"])
    card.any_belief.emit()
    assert decision(hands).requirements[0].p == (0.0, 1.0)
    assert "class_is_complete" not in cards.assumptions
    card.add_person.emit()
    assert hands.page.gallery.card.isVisible()


def test_number_of_the_promise_is_open_until_step_3_has_answered(hands: Hands) -> None:
    name(hands, "neighbour")
    promise = hands.page.promise
    assert promise.promise.words.endswith("is right in at most how many? of 100 guesses.")
    assert promise.note.isVisible()
    profile = {"shape": "odds", "factor": 71 / 29}
    hands.session.edit("Answer", edits.put(decision(hands), "$.requirements[0].profile", profile))
    hands.settle()
    hands.wait(lambda: promise.promise.words.endswith("is right in at most 71 of 100 guesses."))
    assert promise.dots.after.dots.count == 71
    assert not promise.note.isVisible()


def test_what_no_sentence_asks_for_is_asked_among_the_details(hands: Hands) -> None:
    hands.session.start(new_decision())
    hands.settle()
    name(hands, "insurer")
    assert hands.page.technical_is_shown
    focused = QApplication.focusWidget()
    assert hands.page.cards.cards[-1].isAncestorOf(focused)
    hands.bot.keyClicks(focused, "10000")
    assert decision(hands).requirements[0].attributes[0].precision == 10_000.0
