"""The plain questions of the last step: who decides, what is vouched for, and the button that signs."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from PySide6.QtCore import QDate, Qt
from pytestqt.qtbot import QtBot

from dpwizard.base.errors import DPWizardError
from dpwizard.decision import to_json
from dpwizard.report import document as report
from tests.model.test_report_blocks import after
from tests.samples.decisions import recorded
from tests.ui.fixtures import EXAMPLES
from tests.ui.hands import PATIENCE, Hands
from tests.ui.test_release_questions import answers, asked, hospital, typed
from ui.questions.review_questions import ReviewQuestions, in_a_year
from ui.signing import sign_words
from ui.signing.preview import Pages
from ui.workers import close_all

__all__ = ["answers", "hospital", "typed"]  # fixtures that are used here, too
pytestmark = [pytest.mark.plain_pages, pytest.mark.one_window]


def questions(hands: Hands) -> ReviewQuestions:
    found: ReviewQuestions = hands.page.questions
    return found


@pytest.fixture
def review(hospital: Hands) -> Hands:
    """Return hands at the last step of the hospital's decision."""
    return hospital.go("review").settle()


def test_what_is_vouched_for_leads_to_its_question_where_it_is_not_true(review: Hands) -> None:
    said = [link.accessibleName() for link in questions(review).refused]
    assert "Not true here? Each patient is in one count at most." in said
    assert "Not true here? Nothing else about these patients is published, no exact total either." in said
    review.click(questions(review).refused[0])
    assert review.page.key == "release"
    assert asked(review).counts.options["one"].hasFocus()


def test_who_decides_and_who_approves_are_kept_in_the_decision(review: Hands) -> None:
    asks = questions(review)
    review.type(asks.name, "Miriam Adler")
    review.type(asks.position, "Quality manager, St Anne's Hospital")
    review.type(asks.approver, "Director")
    assert asks.position.cursorPosition() == 0, "a long text shows how it begins once it is left"
    details = review.session.decision.details
    assert (details.authors, details.controller, details.approver) == (
        ("Miriam Adler",),
        "Quality manager, St Anne's Hospital",
        "Director",
    )
    review.click(asks.way.options["alone"])
    assert review.session.decision.details.approver == "Miriam Adler"
    assert not asks.approver.isEnabled()
    review.click(asks.way.options["propose"])
    assert review.session.decision.details.approver is None


def test_sign_stands_where_next_stood_and_lists_what_is_missing(review: Hands) -> None:
    button = review.wizard.footer.next_button
    assert button.text() == "Sign …"
    assert "Decision" in button.toolTip()
    assert "Still missing" in review.page.missing.title.text()
    review.click(review.page.missing.buttons[0])
    assert review.page.key != "review"


def test_day_of_the_next_look_is_chosen_in_a_calendar(review: Hands) -> None:
    field = questions(review).review
    assert field.date().toString(Qt.DateFormat.ISODate) == in_a_year()
    field.calendarWidget().clicked.emit(QDate(2028, 3, 1))
    assert (review.session.decision.details.review_date, field.text()) == ("2028-03-01", "1 March 2028")


def test_sign_takes_the_usual_outcome_and_a_look_in_a_year(review: Hands) -> None:
    review.next()
    review.wait(lambda: review.page.sign_form.dialog is not None and review.page.sign_form.dialog.isVisible())
    decision = review.session.decision
    assert (decision.outcome, decision.details.review_date) == ("approve", in_a_year())
    assert not review.page.technical.head.isChecked()
    review.page.sign_form.dialog.reject()
    review.click(review.wizard.footer.undo_button)
    assert review.session.decision.outcome is None


def test_the_public_notice_stands_after_the_pages_of_the_record(make_hands: Any) -> None:
    hands = make_hands("durham").go("review")
    pages, tabs = hands.page.pages, hands.page.tabs
    hands.wait(lambda: len(pages.pages) > 3)
    assert pages.where.text() == "page 1 of 2"
    hands.click(tabs.button(3))
    assert (pages.where.text(), pages.next_button.isEnabled()) == ("Public notice", False)
    hands.click(pages.back_button)
    assert pages.where.text() == f"annex, page {len(pages.pages) - 3} of {len(pages.pages) - 3}"
    assert tabs.checkedButton().text() == "Technical annex"
    hands.click(tabs.button(1))
    assert pages.where.text().startswith("page 2 of")
    hands.click(pages.next_button)
    assert (pages.index, tabs.checkedButton().text()) == (2, "Technical annex")


def test_the_pages_are_as_high_as_the_window_allows(make_hands: Any) -> None:
    hands = make_hands("durham").go("review")
    for size in ((1366, 768), (1920, 1080)):
        hands.window.resize(*size)
        hands.wait(lambda: hands.page.widget().height() <= hands.page.viewport().height())
        assert hands.page.pages.height() > 0.79 * hands.page.viewport().height()
    pages = hands.page.pages
    hands.wait(lambda: pages.pages and pages.page.pixmap().height() <= pages.area.height())  # it is seen whole


def test_pages_asked_for_while_others_fail_are_still_set(qtbot: QtBot) -> None:
    pages, answer, page = Pages(), threading.Event(), (EXAMPLES.parent / "icons" / "dpwizard.png").read_bytes()
    qtbot.addWidget(pages, before_close_func=close_all)

    def refuse(_: float) -> tuple[bytes, ...]:
        answer.wait(PATIENCE / 1000)
        raise DPWizardError("no pages")

    pages.set_pages(refuse, "of the decision before")
    pages.set_pages(lambda _: (page,), "of this decision")
    answer.set()
    qtbot.waitUntil(lambda: pages.pages == (page,), timeout=PATIENCE)


def test_a_division_into_one_part_is_called_by_its_question_and_leads_to_it(review: Hands) -> None:
    review.go("release")
    parts = asked(review).divisions.rows[0].parts
    review.type(parts, "")
    review.bot.keyClick(parts, Qt.Key.Key_Tab)
    review.go("review").settle()
    review.wait(lambda: "Release: How are the numbers divided?" in review.page.missing.words)
    lines = review.page.missing.words
    review.click(review.page.missing.buttons[lines.index("Release: How are the numbers divided?")])
    assert review.page.key == "release"
    assert parts.hasFocus()


def test_in_how_many_counts_a_person_can_be_is_vouched_for_on_page_two_as_in_the_window(review: Hands) -> None:
    review.go("release")
    review.click(asked(review).counts.options["up_to"])
    review.type(asked(review).most, "3")
    review.go("review").settle()
    review.type(questions(review).name, "Tom Ray")
    words = "Each patient is in 3 counts at most."
    assert f"Not true here? {words}" in [link.accessibleName() for link in questions(review).refused]
    decision = review.session.decision
    rows = after(report.blocks(recorded(to_json(decision))), "What must be true, and who vouches for it").rows
    assert (words, "Tom Ray") in rows
    assert sign_words.vouched(decision, "Tom Ray") == sum(name == "Tom Ray" for _, name in rows)
