"""The needs of many tables, said once for each level, on the page of accuracy."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from dpwizard.decision.requirements import NoiseInterval
from tests.ui.choosers import choose_file
from tests.ui.hands import Hands

pytestmark = [pytest.mark.one_window, pytest.mark.slow]

LEVELS = {"region": 3, "district": 12, "ward": 57}


def stated() -> dict[str, Any]:
    """Return a decision on 72 tables of three levels, without a need."""
    parts = [
        {
            "name": f"{level} {number}",
            "statistic": "histogram",
            "dimension": 4,
            "sensitivity": 1.0,
            "level": level,
            "share": "1/72",
        }
        for level, count in LEVELS.items()
        for number in range(1, count + 1)
    ]
    release = {"mechanism": "geometric", "neighbours": "add_remove", "unit": "person", "parts": parts}
    promise = {"kind": "two_worlds", "name": "Neighbour", "chance_without": 0.05, "chance_with": 0.2}
    return {"format": "dpwizard.decision/1", "title": "Three levels", "release": release, "requirements": [promise]}


@pytest.fixture
def levels(make_hands: Callable[..., Hands], tmp_path: Path) -> Hands:
    hands = make_hands()
    path = tmp_path / "levels.json"
    path.write_text(json.dumps(stated()), "utf-8")
    hands.window.open_path(path)
    hands.wait(lambda: len(hands.session.decision.release.tables) == sum(LEVELS.values()))
    hands.go("accuracy")
    return hands


@pytest.mark.plain_pages
def test_three_sentences_ask_for_72_tables_and_each_says_what_it_covers_and_needs(levels: Hands) -> None:
    card = levels.page.questions.tables
    assert [row.name.text() for row in card.rows.rows] == list(LEVELS)
    second = card.rows.rows[1]
    assert second.tables_fold.head.accessibleName() == "12 tables: district"
    levels.click(second.tables_fold.head)
    assert [row[0] for row in second.list.rows()] == [f"district {at}" for at in range(1, 13)]
    levels.wait(lambda: "±" in card.rows.rows[0].accuracy.text())
    for level, half in (("region", "40"), ("district", "60"), ("ward", "80")):
        row = next(row for row in card.rows.rows if row.name.text() == level)
        levels.click(row.box)
        levels.type(row.sentence.editors["half_width"].controls()[0], half)
    levels.settle()
    needs = [one for one in levels.session.decision.requirements if isinstance(one, NoiseInterval)]
    assert [(one.where.level, one.half_width, one.level) for one in needs if one.where is not None] == [
        ("region", 40.0, 0.95),
        ("district", 60.0, 0.95),
        ("ward", 80.0, 0.95),
    ]
    answers = levels.wizard.state.solved.assessment.answers
    assert [answer.tables for answer in answers[1:]] == [3, 12, 57]
    for row, answer in zip(card.rows.rows, answers[1:], strict=True):
        assert float(row.needs.text().replace(",", "")) == pytest.approx(answer.epsilon, rel=0.01)
    levels.click(card.rows.rows[2].box)
    assert len(levels.session.decision.requirements) == 3
    assert card.rows.rows[2].sentence is None


def test_a_table_that_is_listed_leads_to_its_level_and_so_into_another_sentence(levels: Hands) -> None:
    row = levels.page.questions.tables.rows.rows[0]
    levels.click(row.tables_fold.head)
    row.list.choose(1)
    levels.bot.keyClick(row.list, Qt.Key.Key_Return)
    assert levels.page.key == "release"
    levels.fill("$.release.parts[1].level", "ward")
    levels.go("accuracy")
    assert levels.page.questions.tables.rows.rows[0].tables == ("region 1", "region 3")


def test_needs_come_from_a_file_in_one_step_and_others_stand_below(levels: Hands, tmp_path: Path) -> None:
    card = levels.page.questions.tables
    wrong, right = tmp_path / "wrong.csv", tmp_path / "right.csv"
    wrong.write_text("level,within,in 100\nregion,40,0.95\n", "utf-8")
    right.write_text("level,within,in 100\nregion,40,95\nward,80,95\n", "utf-8")
    choose_file(levels, card.file_button, wrong)
    levels.wait(card.problem.isVisible)
    assert card.problem.words.startswith("row 2, in 100: must be at least 1 and below 100; found 0.95.")
    choose_file(levels, card.file_button, right)
    levels.wait(lambda: len(levels.session.decision.requirements) == 3)
    assert not card.problem.isVisible()
    assert [row.box.isChecked() for row in card.rows.rows] == [True, False, True]
    levels.wizard.session.undo()
    assert len(levels.session.decision.requirements) == 1
    levels.click(card.others)  # leads to all kinds
    assert levels.page.needs.card.isVisible()


@pytest.mark.plain_pages
def test_many_needs_of_single_tables_are_counted_and_what_one_gets_is_said_where_the_budget_goes_by_needs(
    make_hands: Callable[..., Hands],
) -> None:
    hands = make_hands("household_tables").go("accuracy")
    card = hands.page.questions.tables
    assert len(card.rows.rows) == 6
    assert card.hidden_needs.words == "22 other accuracy requirements are under “Technical details”."
    hands.wait(lambda: all("±" in row.accuracy.text() for row in card.rows.rows))
