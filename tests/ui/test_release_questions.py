"""The seven plain questions of the first step under real mouse and keys: what they store, what follows, what is said
back."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt

from dpwizard.base.language import speaking
from dpwizard.decision import Decision, Release
from dpwizard.decision.derived_fields import COUNTS_ONCE, NOTHING_ELSE
from tests.ui.hands import Hands, seen_on
from ui.controls import Prose
from ui.questions.release_questions import ReleaseQuestions

CONDITIONS = 100_000  # characters that they may have

pytestmark = [pytest.mark.plain_pages, pytest.mark.one_window]


def asked(hands: Hands) -> ReleaseQuestions:
    found: ReleaseQuestions = hands.page.questions
    return found


def release(hands: Hands) -> Release:
    return hands.session.decision.release


def said(hands: Hands) -> str:
    words: str = hands.page.recap.answers.words
    return words


def choose(hands: Hands, options: Any, key: str) -> None:
    hands.click(options.options[key])
    assert options.key == key


def divide(hands: Hands, at: int, name: str, parts: str) -> None:
    slot = asked(hands).divisions.rows[at]
    hands.type(slot.name, name)
    hands.type(slot.parts, parts)


@pytest.fixture
def typed(empty: Hands) -> Hands:
    """Return hands at the window that have answered the seven questions as the hospital does, in 11 actions."""
    questions = asked(empty)
    empty.type(questions.name, "Rare infection by ward and age group, 2026")
    choose(empty, questions.kind, "people")
    divide(empty, 0, "ward", "9")
    divide(empty, 1, "age group", "3")
    empty.type(questions.person, "patient")
    empty.type(questions.reveals, "had the rare infection")
    choose(empty, questions.counts, "one")
    choose(empty, questions.often, "once")
    choose(empty, questions.known, "nothing")
    return empty


@pytest.fixture(scope="module")
def answers() -> dict[str, Decision]:
    """Return what keeps the answers of the hospital once they were typed."""
    return {}


@pytest.fixture
def hospital(request: pytest.FixtureRequest, answers: dict[str, Decision]) -> Hands:
    """Return hands at the window with the answers of the hospital, typed by the first test that asks for them."""
    if "hospital" not in answers:
        answers["hospital"] = request.getfixturevalue("typed").session.decision
    hands: Hands = request.getfixturevalue("empty")
    hands.session.start(answers["hospital"])
    return hands


def test_the_answers_of_the_hospital_are_said_back_and_nothing_is_open(typed: Hands) -> None:
    assert said(typed) == (
        "You publish 27 counts of patients who had the rare infection, by ward and age group, once. "
        "One patient is in one count at most and adds 1 to it. Nothing else about these patients is public."
    )
    decision = typed.session.decision
    assert (release(typed).statistic, release(typed).sensitivity) == ("histogram", 1.0)
    assert release(typed).derivation
    assert {one.assumption for one in decision.acknowledged} == {COUNTS_ONCE, NOTHING_ELSE}
    assert all(one.time and one.text for one in decision.acknowledged)
    assert typed.wizard.steps.buttons["release"].accessibleName().endswith("done")
    assert typed.page.technical.head.state.text() == "histogram, sensitivity 1, geometric mechanism · derived"
    assert typed.page.verticalScrollBar().maximum() == 0  # no longer than the window
    steps = typed.wizard.steps
    assert steps.buttons["release"].note.text() == "7 of 7 answered"
    assert steps.buttons["budget"].note.text() == "nothing to ask"
    assert "Draft saved at " in steps.about.text()
    typed.next()
    assert typed.page.key == "adversary"


def test_next_and_back_pass_by_the_budget_where_it_has_nothing_to_ask(hospital: Hands) -> None:
    hospital.go("profile")
    assert hospital.wizard.footer.next_button.text() == "Next: Accuracy"
    hospital.next()
    assert hospital.page.key == "accuracy"
    hospital.click(hospital.wizard.footer.back_button)
    assert hospital.page.key == "profile"
    hospital.go("budget")  # it opens on a click all the same
    hospital.go("release")
    choose(hospital, asked(hospital).often, "every_year")
    hospital.go("profile")
    hospital.next()
    assert hospital.page.key == "budget"


def test_undo_names_and_takes_back_the_last_answer(typed: Hands) -> None:
    assert typed.wizard.footer.undo_button.text() == "Undo “Set what is public”"
    typed.click(typed.wizard.footer.undo_button)
    assert asked(typed).known.key is None
    assert typed.session.decision.answer_to(NOTHING_ELSE) is None
    assert "is still to be answered" in said(typed)


def test_a_number_of_groups_below_two_is_refused_beside_itself(hospital: Hands) -> None:
    parts = asked(hospital).divisions.rows[1].parts
    hospital.type(parts, "0")
    problem = asked(hospital).divisions.problem.text()
    assert "Every division has at least 2 groups. Enter how many age groups there are" in problem
    assert problem.endswith("The value is still 3.")
    assert release(hospital).dimension == 27
    assert "age group (0?)" in said(hospital)
    hospital.type(parts, "4")
    assert asked(hospital).divisions.problem.isHidden()
    assert release(hospital).dimension == 36
    assert "(0?)" not in said(hospital)


def test_both_gaps_of_a_division_emptied_remove_it(hospital: Hands) -> None:
    slot = asked(hospital).divisions.rows[0]
    hospital.type(slot.name, "")
    hospital.type(slot.parts, "")
    hospital.bot.keyClick(slot.parts, Qt.Key.Key_Tab)
    assert [division.name for division in release(hospital).divisions] == ["age group"]
    assert release(hospital).dimension == 3
    assert slot.name.text() == "age group"


def test_a_clause_leads_to_its_question(hospital: Hands) -> None:
    back = hospital.page.recap.answers
    back.question_chosen.emit("who")
    assert asked(hospital).person.hasFocus()
    back.setFocus(Qt.FocusReason.TabFocusReason)
    for _ in range(3):
        hospital.bot.keyClick(back, Qt.Key.Key_Tab)
    hospital.bot.keyClick(back, Qt.Key.Key_Return)
    assert asked(hospital).often.options["once"].hasFocus()


def test_the_keyboard_on_the_last_clause_stands_on_none_where_undo_leaves_fewer(typed: Hands) -> None:
    back = typed.page.recap.answers
    back.setFocus(Qt.FocusReason.BacktabFocusReason)
    before = len(back.clauses)
    while len(back.clauses) == before:
        typed.session.undo()
    back.repaint()
    typed.bot.keyClick(back, Qt.Key.Key_Return)
    assert typed.page.key == "release"


def test_counts_of_one_person_can_be_several_or_not_known(hospital: Hands) -> None:
    questions = asked(hospital)
    choose(hospital, questions.counts, "up_to")
    assert questions.most.hasFocus()
    assert release(hospital).sensitivity is None
    hospital.type(questions.most, "3")
    assert (release(hospital).contributions, release(hospital).sensitivity) == (3, 3.0)
    assert "up to 3 counts" in said(hospital)
    hospital.bot.keyClick(questions.most, Qt.Key.Key_Tab)
    hospital.type(questions.most, "28")
    assert "no more numbers" in questions.counted.problem.text()
    assert release(hospital).contributions == 3
    choose(hospital, questions.counts, "unknown")
    assert (release(hospital).cap, release(hospital).sensitivity) == (1, 1.0)
    assert "keeps one entry of each patient" in questions.counted.note.text()


def test_not_knowing_how_often_makes_a_second_time_a_condition(hospital: Hands) -> None:
    questions = asked(hospital)
    choose(hospital, questions.often, "unknown")
    assert release(hospital).repetitions == 1
    assert hospital.session.decision.details.conditions == "A second time needs a new decision."
    choose(hospital, questions.often, "every_year")
    assert hospital.session.decision.details.conditions is None
    hospital.type(questions.times, "5")
    assert release(hospital).repetitions == 5
    assert "every year, 5 times in all" in said(hospital)


def test_not_knowing_what_is_public_warns_until_someone_is_named(hospital: Hands) -> None:
    choose(hospital, asked(hospital).known, "unknown")
    recap = hospital.page.recap
    assert recap.warning.isVisible()
    assert "nobody yet" in recap.warning.more.text()
    hospital.click(recap.someone_else)
    hospital.type(recap.voucher, "The registrar")
    answer = hospital.session.decision.answer_to(NOTHING_ELSE)
    assert (answer.state, answer.vouched_by) == ("open", "The registrar")
    assert "The registrar" in recap.warning.more.text()
    shown = [prose.words for prose in hospital.go("review").settle().page.questions.findChildren(Prose)]
    assert "The registrar must confirm it before the figures are published." in shown


def test_a_refused_answer_says_why_beside_itself_and_is_not_shown_as_given(hospital: Hands) -> None:
    questions = asked(hospital)
    choose(hospital, questions.counts, "up_to")
    hospital.type(questions.most, "5")
    hospital.session.put("Set", "$.release.dimension", 3)  # fewer numbers than one person is said to be counted in
    before = hospital.session.decision
    for question, options, key, shown in (
        (questions.questions["each_number"], questions.kind, "sum", "people"),
        (questions.how_often, questions.often, "every_year", "once"),
        (questions.public, questions.known, "unknown", "nothing"),
    ):
        hospital.click(options.options[key])
        assert "Must be at most 3" in question.problem.text()
        assert question.problem.isVisible()
        assert options.key == shown
        assert hospital.session.decision is before
    hospital.type(questions.most, "2")
    assert not any(question.problem.isVisible() for question in questions.questions.values())
    choose(hospital, questions.often, "every_year")
    assert release(hospital).how_often == "every_year"


def test_an_answer_that_does_not_fit_among_the_conditions_says_so(hospital: Hands) -> None:
    hospital.session.put("Set", "$.details.conditions", "x" * CONDITIONS)
    hospital.click(asked(hospital).often.options["unknown"])
    assert asked(hospital).how_often.problem.isVisible()
    assert release(hospital).how_often == "once"


def test_something_public_leads_to_where_it_is_named(hospital: Hands) -> None:
    hospital.click(asked(hospital).known.options["something"])
    assert hospital.page.key == "budget"
    assert "Something about these patients is public already." in _said_on_release(hospital)


def _said_on_release(hands: Hands) -> str:
    hands.go("release")
    return said(hands)


def test_sums_ask_for_bounds_and_whole_amounts(empty: Hands) -> None:
    questions = asked(empty)
    choose(empty, questions.kind, "sum")
    assert questions.bounds_row.isVisible()
    low, high = (blank for blank in questions.questions["each_number"].blanks if blank.isVisible())
    empty.type(low, "0")
    empty.type(high, "500")
    choose(empty, questions.amounts, "whole")
    choose(empty, questions.counts, "one")
    assert (release(empty).statistic, release(empty).sensitivity) == ("sum", 500.0)
    assert (release(empty).mechanism, release(empty).step) == ("geometric", 1.0)
    assert "with 0 to 500" in said(empty)


def test_a_technical_field_that_is_changed_is_called_set_by_hand(hospital: Hands) -> None:
    hospital.click(hospital.page.technical.head)
    hospital.fill("$.release.sensitivity", "2")
    assert asked(hospital).counted.by_hand.text() == "set by hand"
    assert hospital.page.technical.head.state.text().endswith("set by hand")
    hospital.click(hospital.wizard.footer.undo_button)
    assert asked(hospital).counted.by_hand.isHidden()


def test_a_decision_of_today_opens_with_its_questions_set_by_hand(make_hands: Any) -> None:
    hands = make_hands("dandekar_figure_1")
    assert not asked(hands).questions["each_number"].by_hand.isHidden()
    assert asked(hands).name.text() == hands.session.decision.title
    before = hands.session.decision
    hands.next()
    assert hands.session.decision == before


def test_several_tables_are_counted_together_and_have_no_shape(make_hands: Any) -> None:
    hands = make_hands("household_tables").go("release")
    tables = hands.session.decision.release.tables
    numbers = sum(table.dimension for table in tables)
    assert said(hands).startswith(f"You publish {numbers:,} counts in {len(tables)} tables")
    assert asked(hands).divisions.total.text() == f"{len(tables)} tables"
    assert not hands.page.recap.table_card.isVisible()


def test_people_of_several_words_are_said_back_as_one_would_say_them(hospital: Hands) -> None:
    hospital.type(asked(hospital).person, "pupil without a place")
    hospital.type(asked(hospital).reveals, "was absent")
    hospital.bot.keyClick(asked(hospital).reveals, Qt.Key.Key_Tab)
    assert said(hospital).startswith("You publish 27 counts of pupils without a place who were absent, by ward")
    assert "One pupil without a place is in" in said(hospital)


def test_averages_ask_of_how_many_people_each_is(hospital: Hands) -> None:
    choose(hospital, asked(hospital).kind, "average")
    assert asked(hospital).averaged.text() == "each average of"
    hospital.go("accuracy").settle()
    rows = hospital.page.questions.sums.rows.rows
    assert [row.name.text() for row in rows] == ["Each number", "All 27 numbers at once"]  # their sums say nothing
    assert hospital.page.questions.sums.another.isHidden()


def test_german_sentences_say_person(hospital: Hands) -> None:
    hospital.type(asked(hospital).person, "Patient")
    hospital.type(asked(hospital).reveals, "krank war")
    with speaking("de"):
        hospital.window.menus.actions["language_de"].trigger()
        hospital.settle()
        shown = " ".join(seen_on(hospital.page))
        assert "(Patient)" not in shown
        assert "7  Was ist über diese Personen schon öffentlich?" in shown
        hospital.window.menus.actions["language_en"].trigger()
        hospital.settle()
