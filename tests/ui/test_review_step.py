"""Step 7 before signing: every block of the record filled in, the policy asked, marks for the public version, the
preview."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from dpwizard import records
from dpwizard.decision import Details
from dpwizard.projects.project import open_project
from tests.ui.choosers import choose_file
from tests.ui.fixtures import EXAMPLES
from tests.ui.hands import PATIENCE, Hands
from ui.pages.review import BLOCKS, MARKS
from ui.panels import State

pytestmark = [pytest.mark.one_window, pytest.mark.slow]

POLICY = """
format = "dpwizard.policy/1"
name = "County policy 2026"
largest_epsilon = 3.0
roles = ["proposes", "approves"]
filled = ["$.details.advice", "$.details.review_date"]
"""


@pytest.fixture
def review(make_hands: Callable[..., Hands]) -> Hands:
    """Return hands at the last step of the Durham example."""
    return make_hands("durham").go("review")


def unfold(hands: Hands, key: str) -> None:
    card = hands.page.blocks[key]
    if not card.head.isChecked():
        hands.click(card.head)
    hands.bot.waitUntil(card.body.isVisible)


def test_every_particular_of_a_record_is_asked_for_once() -> None:
    assert sorted(name for names in BLOCKS.values() for name in names) == sorted(Details.model_fields)


def test_every_block_is_filled_in_and_says_how_much_of_it_is_answered(review: Hands) -> None:
    hands = review
    cards = hands.page.blocks
    assert cards["advice"].head.state.text() == "not assessed"
    unfold(hands, "advice")
    hands.fill("$.details.advice", "Publish with noise only.")
    assert cards["advice"].head.state.text() == "1 of 2"
    assert "1 of 2" in cards["advice"].head.accessibleName()
    unfold(hands, "registry")
    hands.fill("$.details.curators", "County health department")
    hands.choose("$.details.product_type", "Summary statistics")
    hands.choose("$.details.sector", "Healthcare")
    hands.fill("$.details.region", "Durham County")
    hands.fill("$.details.publication_date", "2026-12-01")
    unfold(hands, "verdict")
    hands.fill("$.details.review_triggers", "A second table is wanted.")
    hands.fill("$.details.approval_number", "IRB 12")
    details = hands.session.decision.details
    assert (details.advice, details.curators, details.product_type) == (
        "Publish with noise only.",
        ("County health department",),
        "Summary statistics",
    )
    assert (details.sector, details.region, details.publication_date) == ("Healthcare", "Durham County", "2026-12-01")
    assert (details.review_triggers, details.approval_number) == ("A second table is wanted.", "IRB 12")
    hands.click(cards["advice"].head)
    assert not cards["advice"].body.isVisible()


def test_what_the_public_edition_leaves_out_is_ticked_in_words_and_undone(review: Hands) -> None:
    hands = review
    unfold(hands, MARKS)
    boxes = hands.page.withheld.boxes
    assert boxes["$.details.necessity"].text() == "Necessity"
    assert "$.details.advice" not in boxes  # nothing stands there that could be left out
    hands.click(boxes["$.details.necessity"])
    hands.click(boxes["$.requirements[0].name"])
    assert hands.session.decision.withheld == ("$.details.necessity", "$.requirements[0].name")
    assert hands.page.blocks[MARKS].head.state.text() == "2 items"
    hands.click(boxes["$.details.necessity"])
    assert hands.session.decision.withheld == ("$.requirements[0].name",)
    hands.click(hands.wizard.footer.undo_button)
    assert hands.session.decision.withheld == ("$.details.necessity", "$.requirements[0].name")
    assert boxes["$.details.necessity"].isChecked()


def test_the_record_replaced_is_chosen_and_named_with_its_hash_in_one_step(review: Hands, tmp_path: Path) -> None:
    hands = review
    decision = open_project(EXAMPLES / "durham.json")
    old = tmp_path / "old.json"
    stated = records.AssertedTime(time=hands.page.sign_form.now(), source="computer")
    old.write_bytes(records.write(records.make(decision, stated, name="old")))
    unfold(hands, "replaced")
    button = hands.page.blocks["replaced"].column.itemAt(1).widget().button
    choose_file(hands, button, old)
    details = hands.session.decision.details
    assert (details.supersedes, details.superseded_sha256) == ("old.json", hashlib.sha256(old.read_bytes()).hexdigest())
    hands.click(hands.wizard.footer.undo_button)
    assert hands.session.decision.details.superseded_sha256 is None
    assert hands.session.decision.details.supersedes is None
    choose_file(hands, button, EXAMPLES / "durham.json")
    assert "is not a decision record" in hands.page.blocks["replaced"].column.itemAt(1).widget().says.words


def test_each_demand_of_the_policy_leads_to_its_place_until_it_is_fulfilled(review: Hands, tmp_path: Path) -> None:
    hands = review
    (tmp_path / "office.toml").write_text(POLICY, "utf-8")
    card = hands.page.policy
    choose_file(hands, card.row.button, tmp_path / "office.toml")
    hands.settle()
    assert "“County policy 2026”" in card.says.words
    assert hashlib.sha256(POLICY.encode()).hexdigest()[:16] in card.says.words
    demand = hands.page.missing.buttons[-1]
    assert demand.accessibleName().startswith("Advice is empty")
    listed = len(hands.page.missing.words)
    assert hands.page.missing.title.text() == f"Still missing: {listed}"
    hands.click(demand)
    editor = hands.editor("$.details.advice")
    hands.bot.waitUntil(lambda: QApplication.focusWidget() is editor.controls()[0])
    hands.fill("$.details.advice", "None needed.")
    hands.settle()
    assert "The decision meets everything" in card.says.words
    assert len(hands.page.missing.words) == listed - 1
    hands.type(card.row.line, str(tmp_path / "nowhere.toml"))
    assert card.missing
    assert hands.page.missing.words[-1] == "The policy cannot be read."
    assert "does not exist" in card.says.words
    hands.type(card.row.line, "")


def test_a_field_in_a_folded_block_is_reached(review: Hands) -> None:
    hands = review
    hands.wizard.reach("$.details.views", "")
    hands.bot.waitUntil(lambda: QApplication.focusWidget() is hands.editor("$.details.views").controls()[0])


def test_the_record_is_leafed_through_as_it_will_be_printed(review: Hands) -> None:
    hands = review
    hands.click(hands.page.larger_button)
    preview = hands.page.preview.view
    assert preview.page.text() == "Drawing the pages …"
    hands.bot.waitUntil(lambda: len(preview.pages) > 5, timeout=PATIENCE)
    assert preview.where.text() == "page 1 of 2"
    first = preview.page.pixmap().toImage()
    hands.click(preview.next_button)
    assert preview.where.text() == "page 2 of 2"
    assert preview.page.pixmap().toImage() != first
    hands.click(preview.annex_link)
    assert preview.where.text() == f"annex, page 1 of {len(preview.pages) - 2}"
    hands.click(preview.back_button)
    hands.bot.keyClick(preview, Qt.Key.Key_PageUp)
    assert preview.index == 0
    width = preview.page.pixmap().width()
    with hands.bot.waitSignal(preview.rendered, timeout=PATIENCE):
        hands.choose_in(preview.zoom, 200)
    hands.bot.waitUntil(lambda: not preview.worker.busy, timeout=PATIENCE)
    assert preview.page.pixmap().width() > 1.5 * width
    hands.page.preview.close()


def listed(hands: Hands) -> list[str]:
    """Return every line of what is missing."""
    hands.settle()
    missing = hands.page.missing
    if missing.more_button.isVisible():
        hands.click(missing.more_button)
    return [button.accessibleName() for button in missing.buttons]


def test_what_is_missing_is_named_as_its_field_is_labelled(empty: Hands) -> None:
    hands = empty.go("accuracy")
    assert hands.wizard.steps.buttons["profile"].accessibleName().endswith("1 open")  # nobody is protected yet
    hands.pick(hands.page.cards.add_button, "switch_probability")
    hands.fill("$.requirements[0].name", "Target")
    hands.go("review")
    lines = listed(hands)
    assert [line for line in lines if line.startswith("Release: ")] == [
        "Release: Name of the publication",
        "Release: What does each number say?",  # and not statistic, mechanism and sensitivity
        "Release: Who is counted, and what does being counted give away?",
        "Release: In how many of the numbers can one person be counted?",
    ]
    assert "Decision: Why is this right? In your own words" in lines
    assert "Accuracy: Largest chance of crossing" in lines
    hands.go("accuracy")
    hands.pick(hands.page.cards.add_button, "rmse")
    hands.go("review")
    lines = listed(hands)
    assert "Accuracy: Target: Largest chance of crossing" in lines  # of several requirements each is named
    assert "Accuracy: Typical error: Largest root-mean-square error" in lines
    hands.click(hands.page.missing.buttons[lines.index("Release: What does each number say?")])
    assert hands.page.key == "release"
    assert hands.page.questions.kind.options["people"].hasFocus()


def test_a_requirement_without_an_answer_is_listed_and_its_line_leads_to_it(review: Hands) -> None:
    hands = review
    assert listed(hands) == []
    hands.session.put("Choose no noise", "$.release.mechanism", "exact")
    lines = listed(hands)
    (line,) = (each for each in lines if "Healthy People target" in each)
    assert line.startswith("Accuracy: Healthy People target: ")
    hands.click(hands.page.missing.buttons[lines.index(line)])
    assert hands.page.key == "accuracy"
    card = hands.page.cards.cards[0]
    hands.bot.waitUntil(lambda: QApplication.focusWidget() is card.on)


def test_an_epsilon_outside_the_window_is_listed_until_its_reason_is_given(review: Hands) -> None:
    hands = review
    hands.session.put("Choose epsilon", "$.epsilon", 1.0)
    lines = listed(hands)
    (line,) = (each for each in lines if each.startswith("Decision: "))
    hands.click(hands.page.missing.buttons[lines.index(line)])
    assert hands.page.key == "decision"
    hands.fill("$.exception_reason", "The board accepts the miss.")
    hands.go("review")
    assert listed(hands) == []


def test_what_is_still_being_solved_is_said_in_place_of_what_is_missing_and_of_the_pages(review: Hands) -> None:
    page = review.page
    page.pages.clear()
    page.show_state(State(decision=review.session.decision))  # nothing is known of it yet
    waits = "Recalculating every requirement …"
    assert (page.missing.title.text(), page.pages.page.text()) == (waits, waits)
    page.show_state(review.wizard.state)
    assert page.missing.title.text() != waits
