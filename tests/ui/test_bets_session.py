"""A session of questions in the page: walked by keyboard, taken back, settled, played back, and used."""

from __future__ import annotations

import ast
import re

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from dpwizard.decision import assess, edits, new_decision
from dpwizard.elicitation import interview as elicitation
from dpwizard.wording import figures
from tests.oracles.reading_ease import flesch, words
from tests.samples.source_tree import nodes, sources
from tests.ui.bets_hands import Officer, answer_to
from tests.ui.hands import PATIENCE, Hands, seen_on

pytestmark = [pytest.mark.one_window, pytest.mark.slow]

OTHER = {"yes": "no", "no": "yes", "a": "b", "b": "a", "neither": "a"}


def test_a_session_is_walked_by_keyboard_alone_to_a_profile_that_is_used(officer: Officer) -> None:
    before = officer.decision.requirements[0]
    officer.tab_to(officer.entry.ask_button)
    officer.key(Qt.Key.Key_Space)
    officer.comes()
    for typed in ("Ada Byron", "the regional plan"):
        officer.bot.keyClicks(QApplication.focusWidget(), typed)
        officer.key(Qt.Key.Key_Tab)
    officer.key(Qt.Key.Key_Space)
    officer.ready()
    asked = []
    while officer.shows(officer.asked.ask) and officer.asked.interviewer.next_step.question is not None:
        question = officer.asked.ask.question
        asked.append(question.text)
        assert officer.asked.ask.words.words == question.text
        assert len(words(question.text)) <= 45
        assert not officer.asked.outcome.published.isVisible()  # what others chose comes with ones own result
        assert "epsilon" not in " ".join(seen_on(officer.asked)).lower()
        assert officer.asked.progress_words.text().startswith(f"Question {len(asked)} of about 1")
        if len(asked) % 2:
            officer.press(answer_to(question))
        else:  # by Tab and Space
            officer.tab_to(officer.asked.ask.buttons[officer.asked.ask.keys.index(answer_to(question))])
            officer.key(Qt.Key.Key_Space)
            officer.ready()
    while officer.shows(officer.asked.closing):
        assert "epsilon" not in " ".join(seen_on(officer.asked)).lower()
        for line in officer.asked.closing.lines[: len(officer.asked.closing.look.lines)]:
            assert line.words.height() <= line.words.fontMetrics().height() + 1
            assert abs(line.words.geometry().center().y() - line.mark.geometry().center().y()) <= 1
        assert officer.footer.words.text() == "hidden while you answer"
        officer.judge_by_keys()
    officer.bot.waitUntil(lambda: officer.shows(officer.asked.outcome), timeout=PATIENCE)
    assert 8 <= len(asked) <= 12
    outcome = officer.asked.outcome
    result = elicitation.result(officer.asked.interviewer.log)
    assert outcome.interval.text() == f"{figures.format_max(result.low)} to {figures.format_max(result.high)}"
    assert officer.footer.words.text() == "only about 2.19723"  # seen at last, as the answers are
    assert QApplication.focusWidget() is outcome.use_button
    officer.key(Qt.Key.Key_Space)
    officer.bot.waitUntil(lambda: not officer.asked.isVisible())
    assert officer.decision.requirements[0] == before.model_copy(update={"profile": result.profile})
    assert officer.hands.session.history.undo_name == "Use the profile found by questions"
    log = officer.decision.elicitation[0]
    assert (log.assessor, log.setup.benefit, log.setup.about) == (
        "Ada Byron",
        "the regional plan",
        "Neighbour who knows the family",
    )
    assert [reply.question.text for reply in log.replies] == asked
    assert all(reply.seconds is not None and reply.time for reply in log.replies)


def test_every_answer_is_a_step_to_undo_and_stopping_loses_nothing(officer: Officer) -> None:
    officer.begin()
    officer.walk(3)
    assert officer.hands.session.history.undo_name == "Answer a question"
    officer.hands.click(officer.footer.undo_button)
    officer.ready()
    assert len(officer.decision.elicitation[0].replies) == 2
    officer.key(Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    officer.ready()
    assert len(officer.decision.elicitation[0].replies) == 3
    next_one = officer.asked.ask.question
    officer.hands.click(officer.asked.stop_button)
    officer.bot.waitUntil(lambda: not officer.asked.isVisible())
    officer.hands.click(officer.entry.ask_button)
    officer.comes()
    assert officer.asked.begin._rows.itemAtPosition(0, 0).widget().words.startswith("Ada: 3 answers, begun ")
    officer.hands.click(officer.asked.begin._rows.itemAtPosition(0, 1).widget())
    officer.bot.waitUntil(lambda: officer.shows(officer.asked.ask), timeout=PATIENCE)
    assert officer.asked.ask.question == next_one


def test_undo_leads_back_to_the_beginning_and_beyond_it_out_of_the_questions(officer: Officer) -> None:
    officer.begin()
    officer.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert officer.decision.elicitation == ()
    assert officer.shows(officer.asked.begin)
    officer.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert officer.hands.page.guided is None
    assert officer.entry.isVisible()


def test_nobody_without_a_name_begins_and_the_budget_is_hidden_while_questions_are_asked(officer: Officer) -> None:
    officer.hands.settle()
    before, footer = officer.footer.words.text(), officer.footer
    officer.hands.click(officer.entry.ask_button)
    officer.comes()
    assert footer.words.toolTip() == footer.axis.toolTip() == footer.axis.accessibleDescription() == ""
    assert (footer.words.text(), footer.next_button.isEnabled()) == ("hidden while you answer", False)
    assert officer.hands.window.wizard.steps.buttons["decision"].note.text() == ""
    officer.hands.click(officer.asked.begin.begin_button)
    assert "Enter your name" in officer.asked.begin.problem.text()
    assert officer.decision.elicitation == ()
    officer.key(Qt.Key.Key_Escape)
    assert officer.hands.page.guided is None
    assert (footer.words.text(), footer.next_button.isEnabled()) == (before, True)


def test_questions_end_where_another_step_is_shown_or_their_promise_is_gone(officer: Officer) -> None:
    officer.begin()
    officer.walk(1)
    officer.hands.go("accuracy")
    officer.hands.go("profile")
    assert officer.hands.page.guided is None
    assert len(officer.decision.elicitation[0].replies) == 1
    officer.hands.click(officer.entry.ask_button)
    officer.comes()
    officer.hands.session.edit("Remove", edits.put(officer.decision, "$.requirements", ()))
    assert officer.hands.page.guided is None


def test_a_question_is_read_whole_in_a_narrow_window(officer: Officer) -> None:
    officer.hands.window.resize(383, 640)
    officer.begin()
    officer.bot.waitUntil(lambda: officer.asked.ask.horizontalScrollBar().maximum() == 0)


def test_back_takes_an_answer_back_and_the_log_keeps_both(officer: Officer) -> None:
    officer.begin()
    officer.walk(2)
    first, second = (reply.question for reply in officer.decision.elicitation[0].replies)
    officer.hands.click(officer.footer.back_button)
    assert officer.asked.ask.question == second
    officer.key(Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert officer.asked.ask.question == first
    officer.hands.click(officer.asked.go_on_button)
    officer.hands.click(officer.footer.back_button)
    given = officer.decision.elicitation[0].replies[1].answer
    officer.press(OTHER[given])
    log = officer.decision.elicitation[0]
    assert [reply.answer for reply in log.replies[1:]] == [given, OTHER[given]]
    assert log.replies[2].replaces == 2
    assert log.standing() == (True, False, True)


def slip(officer: Officer) -> tuple[int, int]:
    """Answer until a question is asked again, and contradict the first answer; return the numbers of both."""
    while officer.asked.ask.question.again is None:
        officer.press(answer_to(officer.asked.ask.question))
    again = officer.asked.ask.question.again
    officer.press(OTHER[answer_to(officer.asked.ask.question)])
    assert officer.shows(officer.asked.settle)
    return again, len(officer.asked.interviewer.log.replies)


def test_two_answers_that_contradict_each_other_are_settled_and_both_are_kept(officer: Officer) -> None:
    officer.begin()
    first, second = slip(officer)
    settle, log = officer.asked.settle, officer.asked.interviewer.log
    given = [log.replies[number - 1] for number in (first, second)]
    for card, reply in zip(settle.cards, given, strict=True):
        liked = {"a": reply.question.a, "b": reply.question.b}.get(reply.answer)
        assert liked is None or f"from {figures.written(liked.before, 'count')} to" in card.answer.words
    for card, number in zip(settle.cards, (first, second), strict=True):
        assert card.question.words == log.replies[number - 1].question.text
        assert card.keep.isVisible()
    officer.bot.keyClicks(settle.reason, "the second was a slip")
    officer.hands.click(settle.cards[0].keep)
    officer.bot.waitUntil(lambda: officer.shows(officer.asked.ask), timeout=PATIENCE)
    settled = officer.decision.elicitation[0]
    assert settled.replies == log.replies
    assert (settled.settlements[0].stands, settled.settlements[0].reason) == ("first", "the second was a slip")
    assert elicitation.inconsistencies(settled) == ()
    assert officer.hands.session.history.undo_name == "Settle a contradiction"


def test_both_may_be_asked_again_until_they_agree(officer: Officer) -> None:
    officer.begin()
    first, second = slip(officer)
    officer.hands.click(officer.asked.settle.again)
    log = officer.asked.interviewer.log
    assert officer.asked.ask.question == log.replies[first - 1].question
    officer.key(getattr(Qt.Key, f"Key_{officer.asked.ask.keys.index(log.replies[first - 1].answer) + 1}"))  # as before
    assert officer.asked.ask.question == log.replies[second - 1].question
    officer.press(answer_to(officer.asked.ask.question))
    found = officer.decision.elicitation[0]
    assert found.replies[-1].replaces == second
    assert elicitation.inconsistencies(found) == ()


def test_with_the_result_a_contradiction_left_is_named_and_a_value_played_back_is_corrected(officer: Officer) -> None:
    officer.begin()
    slip(officer)
    officer.hands.click(officer.asked.settle.not_now)
    officer.ready()
    officer.walk()
    left = elicitation.inconsistencies(officer.asked.interviewer.log)
    assert left
    assert officer.asked.outcome.unsettled.words.startswith(f"{len(left)} contradiction")
    assert "not settled" in officer.asked.outcome.unsettled.words
    officer.hands.click(officer.asked.outcome.settle_button)
    while officer.shows(officer.asked.settle):
        officer.hands.click(officer.asked.settle.not_now)
        officer.ready()
    officer.bot.waitUntil(lambda: officer.shows(officer.asked.outcome), timeout=PATIENCE)
    before = elicitation.result(officer.asked.interviewer.log)
    officer.hands.click(officer.asked.outcome.playback_button)
    playback = officer.asked.playback
    value = playback.question.a
    officer.hands.type(playback.line, "12x")
    officer.hands.click(playback.correct)
    assert "Must be a whole number" in playback.problem.text()
    officer.hands.type(playback.line, str(value.before + max(1, (value.after - value.before) // 3)))
    officer.hands.click(playback.correct)
    officer.bot.waitUntil(lambda: playback.changed_card.isVisible(), timeout=PATIENCE)
    log = officer.decision.elicitation[0]
    after = elicitation.result(log)
    assert log.replies[-1].answer == "corrected"
    assert log.replies[-1].seconds is not None
    said = playback.changed.words
    for result in (before, after):
        low, high = result.allowed
        assert f"{figures.format_max(low)} to {figures.format_max(high)}" in said
    assert f"moves from {value.after}" in said
    for asked in (playback.words, playback.sides, playback.right, playback.correct_card):
        assert not asked.isVisible()  # it names epsilon, and no question does
    officer.hands.click(playback.next)
    assert playback.words.isVisible()
    assert playback.question is None or playback.question.a != value
    officer.hands.click(officer.asked.journal_button)
    officer.hands.click(officer.footer.back_button)
    assert officer.shows(playback)
    officer.hands.click(officer.footer.back_button)
    officer.bot.waitUntil(lambda: officer.shows(officer.asked.closing), timeout=PATIENCE)  # it is looked at anew
    while officer.shows(officer.asked.closing):
        officer.judge()
    officer.bot.waitUntil(lambda: officer.shows(officer.asked.outcome), timeout=PATIENCE)
    after = elicitation.result(officer.asked.interviewer.log)
    assert (
        officer.asked.outcome.interval.text() == f"{figures.format_max(after.low)} to {figures.format_max(after.high)}"
    )


def test_where_nothing_is_left_to_ask_the_screen_says_so_and_offers_no_question(officer: Officer) -> None:
    officer.hands.session.put("Set beliefs", "$.requirements[0].p", (0.97, 1.0))
    officer.hands.click(officer.entry.ask_button)
    officer.comes()
    officer.bot.keyClicks(officer.asked.begin.who, "Ada")
    officer.hands.click(officer.asked.begin.begin_button)
    officer.bot.waitUntil(
        lambda: "nothing to ask about" in officer.asked.begin.problem.text().lower(), timeout=PATIENCE
    )
    assert officer.shows(officer.asked.begin)


def test_going_back_to_the_beginning_and_on_again_begins_one_log(officer: Officer) -> None:
    officer.begin()
    officer.hands.click(officer.footer.back_button)
    assert officer.shows(officer.asked.begin)
    officer.hands.type(officer.asked.begin.benefit, "the clinic")
    officer.hands.click(officer.asked.begin.begin_button)
    officer.ready()
    officer.walk(1)
    assert [log.setup.benefit for log in officer.decision.elicitation] == ["the clinic"]


def test_an_error_is_asked_for_by_questions_on_the_accuracy_step(durham: Hands) -> None:
    durham.go("accuracy")
    durham.pick(durham.page.cards.add_button, "noise_interval")
    index = len(durham.session.decision.requirements) - 1
    officer = Officer(durham, durham.page.cards.cards[-1].question_buttons)
    durham.click(officer.entry.ask_button)
    officer.comes()
    begin = officer.asked.begin
    officer.bot.keyClicks(begin.who, "Ada")
    officer.bot.keyClicks(begin.figure, "the number of deaths")
    durham.click(begin.begin_button)
    officer.ready()
    assert "the number of deaths" in officer.asked.ask.words.words
    officer.walk()
    assert "You accept an error of up to" in officer.asked.outcome.promise.words
    assert "needs an epsilon of at least" in officer.asked.outcome.meaning.words
    durham.click(officer.asked.outcome.use_button)
    used = officer.decision.requirements[index]
    assert (used.half_width <= 5.0, used.level) == (True, pytest.approx(0.95))


def test_questions_opened_while_the_window_leaves_for_another_decision_go_with_it(officer: Officer) -> None:
    window = officer.hands.window
    window.session.put("Reword", "$.title", "Another title")

    def two_clicks() -> None:  # the second is in the queue before the first has been followed
        asked = QApplication.activeModalWidget()
        officer.hands.click(asked.button(QMessageBox.StandardButton.Discard))
        officer.hands.click(officer.entry.ask_button)
        opened.append(officer.asked.isVisible())

    opened: list[bool] = []
    QTimer.singleShot(0, two_clicks)
    window.menus.actions["new"].trigger()
    assert opened == [True]
    assert window.session.decision == new_decision()
    assert QApplication.activeModalWidget() is None


def test_every_sentence_of_this_window_reads_easily_and_none_is_long() -> None:
    texts = [
        re.sub(r"\{\w+\}", "5", argument.value)
        for path in sources("ui")
        if path.parent.name == "elicitation"
        for node in nodes(path)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "tr"
        for argument in node.args
        if isinstance(argument, ast.Constant)
    ]
    sentences = [text for text in texts if len(words(text)) >= 8]  # shorter ones are labels
    assert len(sentences) > 20
    for text in sentences:
        assert flesch(text) >= 50.0, (flesch(text), text)
        assert len(words(text)) <= 45, text


def test_the_epsilon_the_answers_support_is_the_one_their_profile_allows_once_it_is_used(officer: Officer) -> None:
    session = officer.hands.session
    session.put("Set repetitions", "$.release.repetitions", 4)
    earlier = {"epsilon": 0.1, "neighbours": "add_remove"}
    session.edit(
        "Spend",
        edits.add(edits.put(session.decision, "$.release.priors_from", "before_all"), "$.release.spent", earlier),
    )
    officer.begin()
    officer.walk()
    outcome = officer.asked.outcome
    said = outcome.meaning.words
    low, high = officer.asked.interviewer.outcome.result.low, officer.asked.interviewer.outcome.result.high
    assert outcome.interval.text() == f"{figures.format_max(low)} to {figures.format_max(high)}"
    officer.hands.click(outcome.use_button)
    officer.bot.waitUntil(lambda: not officer.asked.isVisible())
    limit = assess(officer.decision).answers[0].epsilon
    assert f"at most {figures.format_max(limit)}." in said
    assert low >= limit * (1 - 1e-9)
    assert low < 0.5  # of one of four repetitions


def test_questions_about_a_day_of_a_person_say_so(officer: Officer) -> None:
    release = officer.decision.release.model_copy(update={"unit_kind": "person", "slice": "day"})
    officer.hands.session.edit("Set slice", officer.decision.model_copy(update={"release": release}))
    officer.hands.click(officer.entry.ask_button)
    officer.comes()
    assert "This is about a day of a person." in officer.asked.begin.about.words
    officer.bot.keyClicks(officer.asked.begin.who, "Ada")
    officer.hands.click(officer.asked.begin.begin_button)
    officer.ready()
    assert "This is about a day of a person." in officer.asked.ask.note.words
