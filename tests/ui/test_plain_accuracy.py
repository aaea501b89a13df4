"""Step 5 in plain words: rows to tick, what one gets without, printed totals, and small counts."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from dpwizard.decision import FORMAT, Decision, read_decision
from tests.model.test_table_sums import TABLE as HOSPITAL
from tests.ui.hands import Hands

pytestmark = [pytest.mark.plain_pages, pytest.mark.one_window]

PROMISE = {"kind": "attack_advantage", "advantage": 0.42}


def decided(*requirements: dict[str, Any], **release: Any) -> Decision:
    raw = {"format": FORMAT, "release": {**HOSPITAL, **release}, "requirements": [PROMISE, *requirements]}
    return read_decision(raw)


@pytest.fixture
def hands(empty: Hands) -> Hands:
    """Return hands at step 5 of 27 counts, of which nothing is asked yet."""
    empty.session.start(decided())
    return empty.go("accuracy").settle()


def rows(hands: Hands) -> Any:
    return hands.page.questions.sums.rows.rows


def test_ward_total_is_ticked_and_filled_in_and_needs_what_it_needs(hands: Hands) -> None:
    assert [row.name.text() for row in rows(hands)][1] == "A ward’s total"
    hands.wait(lambda: rows(hands)[0].accuracy.text() == "±3 in 95 of 100")
    assert rows(hands)[1].needs.text() == "–"
    hands.click(rows(hands)[1].box)
    line = rows(hands)[1].sentence.editors["half_width"].line
    hands.wait(lambda: QApplication.focusWidget() is line)  # the cursor stands in its field
    hands.bot.keyClicks(line, "5")
    hands.settle()
    asked: Any = hands.session.decision.requirements[-1]
    assert (asked.kind, asked.cells, asked.half_width, asked.level) == ("noise_interval", 3, 5.0, 0.95)
    hands.wait(lambda: rows(hands)[1].needs.text() == "0.88")
    hands.wait(lambda: hands.page.questions.chart.title.text() == "A ward’s total, at epsilon 0.88")
    assert hands.session.decision.release.totals_printed
    assert "totals_printed" in hands.session.decision.accepted
    hands.click(rows(hands)[1].box)
    assert len(hands.session.decision.requirements) == 1
    assert rows(hands)[1].sentence is None


def test_each_count_is_ticked_as_printed_and_a_wrong_width_is_refused_under_its_row(hands: Hands) -> None:
    assert hands.page.questions.totals.options.key == "yes"
    hands.click(rows(hands)[0].box)
    assert hands.session.decision.release.totals_printed is True
    assert "totals_printed" in hands.session.decision.accepted  # so page two names who vouches
    sentence = rows(hands)[0].sentence
    hands.type(sentence.editors["half_width"].line, "5")
    hands.bot.keyClick(sentence.editors["half_width"].line, Qt.Key.Key_Tab)
    hands.type(sentence.editors["half_width"].line, "-5")
    assert "The value is still" in sentence.editors["half_width"].problem.text()
    assert hands.session.decision.requirements[-1].half_width == 5.0
    hands.type(sentence.editors["level"].line, "99")
    assert hands.session.decision.requirements[-1].level == 0.99


def test_totals_that_are_not_printed_take_the_need_of_a_total_away(hands: Hands) -> None:
    hands.click(rows(hands)[1].box)
    hands.type(rows(hands)[1].sentence.editors["half_width"].line, "5")
    totals = hands.page.questions.totals
    hands.wait(lambda: "by 1.5 on average" in totals.text.words)
    hands.click(totals.options.options["no"])
    hands.settle()
    assert hands.session.decision.release.totals_printed is False
    assert "totals_printed" not in hands.session.decision.accepted
    hands.wait(lambda: rows(hands)[1].needs.text() == "–")
    assert rows(hands)[1].needs.toolTip()
    hands.click(totals.options.options["yes"])
    hands.wait(lambda: rows(hands)[1].needs.text() == "0.88")


def test_another_sum_is_a_row_of_its_own_and_a_wrong_number_is_refused(hands: Hands) -> None:
    numbers = hands.page.questions.sums
    hands.click(numbers.another)
    hands.type(numbers.cells, "28")
    hands.click(numbers.add)
    assert numbers.problem.text() == "Enter a whole number from 2 to 27."
    hands.type(numbers.cells, "5")
    hands.bot.keyClick(numbers.cells, Qt.Key.Key_Return)
    assert rows(hands)[-1].name.text() == "A sum of 5 counts"
    assert hands.session.decision.requirements[-1].cells == 5
    assert not numbers.problem.isVisible()


def test_whoever_acts_on_a_3_adds_a_need_and_can_change_it(hands: Hands) -> None:
    small = hands.page.questions.small_counts
    hands.wait(lambda: "A true 0 is published as 3 or more in" in small.text.words)
    hands.click(small.options.options["yes"])
    hands.type(small.sentence.editors["at_most"].line, "5")
    asked: Any = hands.session.decision.requirements[-1]
    assert (asked.kind, asked.threshold, asked.at_most) == ("spurious_rate", 3.0, 0.05)
    assert len(rows(hands)) == 6  # it stands here, not among the rows
    hands.click(small.options.options["no"])
    assert len(hands.session.decision.requirements) == 1


def test_other_needs_lead_to_all_kinds_and_have_rows_of_their_own(hands: Hands) -> None:
    hands.click(hands.page.questions.sums.others)
    hands.click(hands.page.needs.sentences["rmse"])
    assert rows(hands)[-1].name.text().startswith("Typical error")
    hands.click(rows(hands)[-1].box)
    assert len(hands.session.decision.requirements) == 1


def test_made_up_table_is_drawn_on_a_click_and_each_second_and_says_what_is_typed(hands: Hands) -> None:
    questions = hands.page.questions
    hands.wait(lambda: questions.views.isVisible())
    made_up = questions.made_up
    assert (questions.plot.isVisible(), made_up.isVisible()) == (True, False)
    hands.click(questions.views.options["made_up"])
    assert not questions.plot.isVisible()
    hands.click(made_up.each_second)  # off: what follows is drawn by hand alone
    first = made_up.table.cells
    hands.click(made_up.again)
    assert made_up.table.cells != first
    hands.type(made_up.counts, "250")
    assert made_up.table.cells.alternative.count("(250)") == 12
    assert made_up.table.accessibleDescription() == made_up.table.cells.alternative
    assert "of 12 counts are within" in made_up.text.words
    still = made_up.table.cells
    hands.click(made_up.each_second)
    hands.wait(lambda: made_up.table.cells != still)


def test_wide_window_shows_what_the_budget_means_and_what_one_gets_for_less(hands: Hands) -> None:
    cost = hands.page.questions.cost
    assert not cost.axis_card.isVisible()
    hands.window.resize(1920, 1080)
    hands.wait(cost.axis_card.isVisible)
    hands.click(rows(hands)[1].box)
    hands.type(rows(hands)[1].sentence.editors["half_width"].line, "5")
    hands.wait(cost.table_card.isVisible)
    hands.wait(lambda: all(label.isVisible() for label in cost.table_card.findChildren(QLabel)))
    shown = [label.text() for label in cost.table_card.findChildren(QLabel) if label.isVisible()]
    assert shown[4:10] == ["5", "0.88", "71 of 100", "6", "0.75", "68 of 100"]
    assert cost.meaning_card.title.text() == "What 0.88 means for a person"
    assert cost.dots.after.dots.count == 71


def test_several_tables_are_left_to_the_details(hands: Hands) -> None:
    questions = hands.page.questions
    assert not questions.tables.isVisible()
    parts = [{"name": name, "sensitivity": 1, "share": 0.5, "mechanism": "geometric"} for name in ("Cases", "Beds")]
    release = {name: given for name, given in HOSPITAL.items() if name not in ("divisions", "sensitivity")}
    hands.session.start(read_decision({"format": FORMAT, "release": {**release, "parts": parts}}))
    hands.settle()
    hands.wait(questions.tables.isVisible)
    assert not questions.sums.isVisible()
    assert not questions.totals.isVisible()
    assert hands.page.technical_is_shown


def test_no_figure_of_a_decision_that_was_left_is_shown(hands: Hands) -> None:
    questions = hands.page.questions
    hands.wait(lambda: questions.chart.isVisible() and rows(hands)[0].accuracy.text())
    former = questions.chart.title.text()
    hands.session.start(decided({"kind": "noise_interval", "half_width": 40, "level": 0.95}, contributions=2))
    assert not questions.chart.isVisible()
    assert not questions.small_counts.isVisible()
    assert not any(row.accuracy.text() for row in rows(hands))
    hands.go("accuracy")
    hands.wait(lambda: questions.chart.isVisible())
    assert questions.chart.title.text() != former
