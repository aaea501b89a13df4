"""The fields of a programme of tables on step 1, by mouse and keys: sums, periods, public lists, and the next year."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from dpwizard.decision import AddsUpTo, InPeriods, edits
from dpwizard.wording import assessments
from tests.ui.choosers import choose_file
from tests.ui.hands import Hands, unfold
from tests.ui.test_sheet_of_tables import asked, clipboard, describe, names, parts
from ui.sheets import GridDialog

pytestmark = [pytest.mark.one_window, pytest.mark.slow]  # of the step with the most fields

RELEASE = "$.release"
LISTS = {"unit_column": "person", "columns": {"area": {"classes": ["A1", "A2"]}, "hours": {"low": 0, "high": 60}}}


def two_tables(hands: Hands) -> None:
    """Describe a nation and its regions."""
    rows = [{"name": name, "sensitivity": 1.0, "dimension": size} for name, size in (("nation", 1), ("regions", 5))]
    assert hands.session.put("Set", f"{RELEASE}.parts", rows) is None
    needs = [{"kind": "noise_interval", "part": "regions", "half_width": 5, "level": 0.95}]
    assert hands.session.put("Set", "$.requirements", needs) is None


def test_a_table_adds_up_to_another_and_a_wrong_count_is_said_at_its_field(empty: Hands) -> None:
    hands = empty
    two_tables(hands)
    hands.choose(f"{RELEASE}.adding_up", "least_squares")
    assert hands.page.totals.isVisible()
    unfold(hands, hands.page.parts.forms[1])
    hands.click(hands.page.parts.forms[1].nested["…"].form.nested["adds_up_to"].add_button)
    hands.settle()
    first = hands.wizard.state.solved.assessment.answers[0]
    assert "Still to answer: “Table, entry 1 of Adds up to”." in assessments.why(first.why)
    where = f"{RELEASE}.parts[1].adds_up_to[0]"
    hands.choose(f"{where}.part", "nation")
    hands.fill(f"{where}.children", "five")
    assert hands.editor(f"{where}.children").problem.text().endswith("Not used: this is not answered yet.")
    hands.fill(f"{where}.children", "5")
    assert parts(hands)[1].adds_up_to == (AddsUpTo(part="nation", children=5),)
    hands.fill(f"{where}.children", "2 3")
    assert parts(hands)[1].adds_up_to[0].children == (2, 3)
    hands.wizard.session.undo()
    assert hands.editor(f"{where}.children").controls()[0].text() == "5"
    hands.go("decision")
    hands.wait(lambda: "This is the noise of the published numbers" in hands.page.tables.sentence.words)


def test_a_total_is_what_tables_add_up_to(empty: Hands) -> None:
    hands = empty
    two_tables(hands)
    hands.choose(f"{RELEASE}.adding_up", "least_squares")
    hands.click(hands.page.totals.nested["totals"].add_button)
    hands.fill(f"{RELEASE}.totals[0].name", "continent")
    unfold(hands, hands.page.parts.forms[0])
    hands.click(hands.page.parts.forms[0].nested["…"].form.nested["adds_up_to"].add_button)
    hands.choose(f"{RELEASE}.parts[0].adds_up_to[0].part", "continent")
    assert parts(hands)[0].adds_up_to == (AddsUpTo(part="continent"),)


def test_periods_are_used_once_their_sentence_is_complete(empty: Hands) -> None:
    hands = empty
    two_tables(hands)
    assert not hands.page.sums.editors["in_periods"].isVisible()
    assert hands.session.put("Set", f"{RELEASE}.parts[0].period", "2025-Q1") is None
    made = hands.editor(f"{RELEASE}.in_periods")
    assert (made.of.currentData(), made.note.text()) == ("quarter", "")  # as the tables' periods are
    hands.choose_in(made.of, "month")
    assert made.note.text() == "Not used until the sentence is complete."
    hands.choose_in(made.of, "quarter")
    hands.type(made.count, "3")
    assert hands.session.decision.release.in_periods == InPeriods(at_most=3, of="quarter")
    hands.choose_in(made.rule, "rolling")
    assert hands.session.decision.release.in_periods is None
    hands.type(made.within, "0")
    assert made.problem.text().startswith("Must be")
    hands.type(made.within, "8")
    assert hands.session.decision.release.in_periods == InPeriods(at_most=3, of="quarter", rule="rolling", within=8)
    hands.wizard.session.undo()
    assert hands.session.decision.release.in_periods is None
    hands.wizard.session.redo()
    assert made.within.text() == "8"
    hands.choose_in(made.of, "year")
    hands.choose_in(made.of, "month")
    assert made.problem.text() == ""
    assert hands.session.put("Set", f"{RELEASE}.parts[0].period", "2025-03") is None
    hands.choose_in(made.of, "quarter")
    assert "is no whole number of periods" in made.problem.text().casefold()


def test_public_lists_are_imported_listed_and_removed(empty: Hands, tmp_path: Path) -> None:
    hands = empty
    made, path = hands.editor(f"{RELEASE}.data"), tmp_path / "data.json"
    wrong = {**LISTS, "columns": {"region": {"of": "area", "map": {"A1": "R"}}, **LISTS["columns"]}}
    for text, says in (("{", "is not JSON"), (json.dumps(wrong), "columns.region.map: Has no class for “A2” of area")):
        path.write_text(text, "utf-8")
        choose_file(hands, made.load_button, path)
        hands.wait(lambda says=says: says in made.problem.text().replace('"A2"', "“A2”"))
    path.write_text(json.dumps(LISTS), "utf-8")
    choose_file(hands, made.load_button, path)
    hands.wait(lambda: hands.session.decision.release.data is not None)
    assert made.table.rows() == (("area", "area", "2 classes: A1, A2"), ("hours", "hours", "numbers from 0 to 60"))
    assert made.problem.text() == ""
    two_tables(hands)
    assert hands.session.put("Set", f"{RELEASE}.parts[0].reads", ("sex",)) is None
    assert made.note.text() == "No public list yet: sex."
    hands.click(made.remove_button)
    assert hands.session.decision.release.data is None
    hands.wizard.session.undo()
    assert hands.session.decision.release.data is not None


def test_code_lists_are_added_one_by_one(empty: Hands, tmp_path: Path) -> None:
    hands = empty
    made: Any = hands.editor(f"{RELEASE}.data")
    path = tmp_path / "areas.csv"
    for text, says in (("area", "Lists no class"), ("area;region\nA1;\n", "row 2"), ("area;area\nA1;N\n", "twice")):
        path.write_text(text, "utf-8")
        choose_file(hands, made.load_button, path)
        hands.wait(lambda says=says: says.casefold() in made.problem.text().casefold())
    path.write_text("area;region\n01;North\n02;South\n", "cp1252")
    choose_file(hands, made.load_button, path)
    hands.wait(lambda: hands.session.decision.release.data is not None)
    path.write_text("sex\nf\nm\n", "utf-8")
    choose_file(hands, made.load_button, path)
    hands.wait(lambda: len(made.table.rows()) == 3)
    assert made.table.rows()[1:] == (("region", "area", "2 classes: North, South"), ("sex", "sex", "2 classes: f, m"))
    hands.type(made.unit_line, "person")
    described = hands.session.decision.release.data
    assert (described.unit_column, described.columns and described.columns[0][1].classes) == ("person", ("01", "02"))
    assert not made.period_line.isVisible()  # no table has a period
    two_tables(hands)
    assert hands.session.put("Set", f"{RELEASE}.parts[0].period", "2025-Q1") is None
    hands.type(made.period_line, "quarter")
    described = hands.session.decision.release.data
    assert (described.period_column, made.period_line.isVisible()) == ("quarter", True)


def test_a_grid_of_levels_queries_and_periods_has_needs_and_rolls_forward(empty: Hands) -> None:
    hands = empty
    assert hands.session.put("Set", f"{RELEASE}.sensitivity", 2.0) is None
    hands.pick(hands.page.parts.many_button, "grid")
    dialog = asked(hands, GridDialog)
    clipboard("\tareas\tnation\n\t\t\n\t10\t20\nall\nby sex")
    dialog.table.setCurrentIndex(dialog.table.rows_model.index(0, 0))
    QTest.keyClick(dialog.table, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    hands.type(dialog.periods, "2025-Q1; 2025-Q5")
    assert "2025-Q5" in dialog.problem.words
    hands.type(dialog.periods, "2025-Q1; 2025-Q2")
    assert dialog.says.words == "8 tables on 2 levels; the budget is split by accuracy."
    hands.click(dialog.add_button)
    hands.wait(lambda: len(parts(hands)) == 8)
    assert names(hands)[0] == "areas, all, 2025-Q1"
    assert {part.sensitivity for part in parts(hands)} == {2.0}  # of the release, where a table states none
    decision = hands.session.decision
    assert decision.release.allocation == "needs"
    asked_for = [edits.get(decision, f"$.requirements[{at}]") for at in (0, 1)]
    assert [(one.where.level, one.half_width, one.level) for one in asked_for] == [
        ("areas", 10.0, 0.95),
        ("nation", 20.0, 0.95),
    ]
    hands.pick(hands.page.parts.many_button, "year")
    assert names(hands)[8:] == [name.replace("2025", "2026") for name in names(hands)[:8] if name]
    hands.wizard.session.undo()
    assert len(parts(hands)) == 8


def test_tables_without_a_period_do_not_roll_forward(empty: Hands) -> None:
    describe(empty, 5)
    empty.pick(empty.page.parts.many_button, "year")
    assert empty.page.parts.problem.words.startswith("Nothing was changed: no table can be repeated a year later.")
    assert len(parts(empty)) == 5
