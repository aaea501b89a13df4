"""The small table of categories and the choice among them, and which parts share no unit: all with real keys and
clicks."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence

from tests.ui.hands import Hands, unfold
from tests.ui.table_hands import type_cell, type_rows

pytestmark = pytest.mark.one_window

PRIOR, TRUTH = "$.requirements[0].prior", "$.requirements[0].truth"


def asked(hands: Hands) -> Any:
    return hands.session.decision.requirements[0]


@pytest.fixture
def ward(empty: Hands) -> Hands:
    """Return hands at a card about a category, with three of them typed in."""
    hands = empty.go("adversary")
    hands.pick(hands.page.cards.add_button, "categorical_advantage")
    type_rows(hands.editor(PRIOR).table, ("asthma 2", "heart failure 1", "none of these 7"))
    return hands


@pytest.mark.slow
def test_counts_are_typed_row_by_row_and_their_shares_stand_beside_them(ward: Hands) -> None:
    table = ward.editor(PRIOR).table
    assert asked(ward).prior == (("asthma", 2.0), ("heart failure", 1.0), ("none of these", 7.0))
    assert [table.rows()[row][2] for row in range(3)] == ["20 in 100", "10 in 100", "70 in 100"]
    assert len(table.rows()) == 4  # one row stays empty, to be typed into
    assert ward.session.history.undo_name == "Set what the adversary thinks"


def test_the_true_category_is_chosen_among_them_and_goes_with_a_new_name(ward: Hands) -> None:
    box = ward.editor(TRUTH).box
    assert [box.itemText(i) for i in range(1, box.count())] == [
        "The worst one: the category that gains most",
        "asthma",
        "heart failure",
        "none of these",
    ]
    ward.choose(TRUTH, "heart failure")
    table = ward.editor(PRIOR).table
    table.choose(1, 0)
    type_cell(table, "cardiac failure")
    assert asked(ward).truth == "cardiac failure"
    assert asked(ward).prior[1] == ("cardiac failure", 1.0)
    assert box.currentText() == "cardiac failure"
    ward.wizard.session.undo()
    assert (asked(ward).truth, asked(ward).prior[1][0]) == ("heart failure", "heart failure")
    assert table.rows()[1][0] == "heart failure"


def test_a_row_that_is_not_complete_is_said_and_a_name_given_twice_refused(ward: Hands) -> None:
    made = ward.editor(PRIOR)
    made.table.choose(3, 0)
    type_cell(made.table, "diabetes")
    assert made.note.text() == "“diabetes” has no count yet."
    assert len(asked(ward).prior) == 3
    type_cell(made.table, "many")  # the keyboard is at its count already
    assert "number" in made.problem.text()
    made.table.choose(3, 1)
    type_cell(made.table, "5")
    assert asked(ward).prior[3] == ("diabetes", 5.0)
    assert (made.note.text(), made.problem.text()) == ("", "")
    made.table.choose(4, 0)
    type_cell(made.table, "asthma")
    assert "is given twice" in made.problem.text()
    assert len(asked(ward).prior) == 4


def test_rows_are_removed_and_the_category_in_use_is_not(ward: Hands) -> None:
    made = ward.editor(PRIOR)
    ward.choose(TRUTH, "asthma")
    made.table.choose(1, 0)
    ward.click(made.remove_button)
    assert [name for name, _ in asked(ward).prior] == ["asthma", "none of these"]
    made.table.choose(0, 0)
    ward.click(made.remove_button)
    assert "not one of the categories" in made.problem.text()
    assert [name for name, _ in asked(ward).prior] == ["asthma", "none of these"]
    ward.wizard.session.undo()
    assert [name for name, _ in asked(ward).prior] == ["asthma", "heart failure", "none of these"]
    assert made.problem.text() == ""


def test_a_table_is_pasted_from_a_spreadsheet(ward: Hands) -> None:
    made = ward.editor(PRIOR)
    QGuiApplication.clipboard().setText("measles\t3\nmumps; 4\nnone at all 93\nno number here\n")
    made.table.setFocus()
    made.table.choose(0, 0)
    ward.bot.keySequence(made.table, QKeySequence(QKeySequence.StandardKey.Paste))
    assert asked(ward).prior == (("measles", 3.0), ("mumps", 4.0), ("none at all", 93.0))


# ------------------------------------------------------------------------------------------------ parts


def part(hands: Hands, index: int) -> Any:
    return hands.session.decision.release.parts[index]


@pytest.fixture
def tables(empty: Hands) -> Hands:
    """Return hands at a release of three tables."""
    for index, name in enumerate(("North", "South", "Both")):
        empty.click(empty.page.parts.add_button)
        empty.fill(f"$.release.parts[{index}].name", name)
    for form in empty.page.parts.forms:
        unfold(empty, form)
    return empty


@pytest.mark.slow
def test_disjoint_parts_are_checked_by_name_and_hold_both_ways(tables: Hands) -> None:
    first, second = (tables.editor(f"$.release.parts[{i}].disjoint_with") for i in (0, 1))
    assert list(first.boxes) == ["South", "Both"]
    tables.click(first.boxes["South"])
    assert part(tables, 0).disjoint_with == ("South",)
    assert second.boxes["North"].isChecked()
    assert not second.boxes["North"].isEnabled()
    tables.bot.keyClick(first.boxes["South"], Qt.Key.Key_Space)
    assert part(tables, 0).disjoint_with == ()
    assert not second.boxes["North"].isChecked()


@pytest.mark.slow
def test_a_part_that_others_speak_of_can_be_renamed_and_removed(tables: Hands) -> None:
    tables.click(tables.editor("$.release.parts[1].disjoint_with").boxes["North"])
    tables.go("accuracy")
    tables.pick(tables.page.cards.add_button, "rmse")
    choice = tables.editor("$.requirements[0].part").box
    assert [choice.itemText(i) for i in range(1, choice.count())] == ["North", "South", "Both"]
    tables.choose("$.requirements[0].part", "North")
    tables.go("release")
    tables.fill("$.release.parts[0].name", "Northern")
    assert tables.editor("$.release.parts[0].name").problem.text() == ""
    assert part(tables, 1).disjoint_with == ("Northern",)
    assert asked(tables).part == "Northern"
    assert tables.editor("$.release.parts[1].disjoint_with").boxes["Northern"].isChecked()
    tables.type(tables.editor("$.release.parts[0].name").controls()[0], "")
    assert "share no person or thing" in tables.editor("$.release.parts[0].name").problem.text()
    tables.wizard.forget_problems()
    tables.click(tables.page.parts.buttons[0][2])  # remove
    assert [one.name for one in tables.session.decision.release.parts] == ["South", "Both"]
    assert part(tables, 0).disjoint_with == ()
