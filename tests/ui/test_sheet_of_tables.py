"""Many tables in one sheet, by real mouse and keys: typed, pasted, filled, sorted, moved; each one step of Undo."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit

from dpwizard.decision import Part
from tests.ui.hands import LEFT, Hands
from ui.sheets import GridDialog, PasteDialog, TablesOverview

pytestmark = [pytest.mark.one_window, pytest.mark.slow]

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def parts(hands: Hands) -> tuple[Part, ...]:
    return hands.session.decision.release.parts


def names(hands: Hands) -> list[str | None]:
    return [part.name for part in parts(hands)]


def describe(hands: Hands, count: int, **fields: Any) -> TablesOverview:
    """Describe COUNT tables, and return their sheet."""
    made = tuple(
        {"name": f"Table {at}", "share": round(0.9 / count, 9), "sensitivity": 1.0, **fields} for at in range(count)
    )
    for name, raw in (("statistic", "histogram"), ("neighbours", "add_remove"), ("mechanism", "laplace")):
        hands.session.put("Set", f"$.release.{name}", raw)
    assert hands.session.put("Set", "$.release.parts", made) is None
    return hands.page.parts.overview


def column_of(sheet: TablesOverview, name: str) -> int:
    """Return the position of the column of a field."""
    return [column.field.name for column in sheet.model.columns].index(name)


def click_cell(hands: Hands, sheet: TablesOverview, row: int, name: str) -> None:
    """Click a cell of the column of a field."""
    at = sheet.model.index(row, column_of(sheet, name))
    sheet.table.scrollTo(at)
    hands.page.ensureWidgetVisible(sheet.table)
    place = sheet.table.visualRect(at).center()
    hands.bot.mouseClick(sheet.table.viewport(), LEFT, pos=place)
    assert sheet.table.currentIndex() == at


def key(sheet: TablesOverview, pressed: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(sheet.table, pressed, held)


def type_over(hands: Hands, sheet: TablesOverview, words: str, ending: Qt.Key = Qt.Key.Key_Return) -> None:
    """Type WORDS into the current cell as one does into a spreadsheet: the first letter opens it."""
    QTest.keyClicks(sheet.table, words[0])
    hands.wait(lambda: sheet.table.viewport().findChild(QLineEdit))
    line = sheet.table.viewport().findChild(QLineEdit)
    QTest.keyClicks(line, words[1:])
    QTest.keyClick(line, ending)
    hands.wait(lambda: sheet.table.viewport().findChild(QLineEdit) is None)


def clipboard(text: str) -> None:
    QApplication.clipboard().setText(text)


def asked(hands: Hands, kind: type[QDialog]) -> Any:
    """Return the dialog of a KIND that is open."""
    hands.wait(lambda: any(isinstance(each, kind) and each.isVisible() for each in QApplication.topLevelWidgets()))
    return next(each for each in QApplication.topLevelWidgets() if isinstance(each, kind) and each.isVisible())


# ------------------------------------------------------------------------------------- the story


def test_sixty_tables_are_pasted_looked_at_mended_and_added_in_one_step(empty: Hands) -> None:
    hands = empty
    rows = [f"District {at}\t1/60\t1\t{at}\tgeometric" for at in range(1, 61)]
    rows[10] = "District 11\tone sixtieth\t1\t11\tgeometric"
    clipboard("\r\n".join(("Table\tFraction\tSensitivity\tCells\tNoise", *rows)))
    hands.pick(hands.page.parts.many_button, "paste")
    dialog = asked(hands, PasteDialog)
    hands.wait(lambda: dialog.reading is not None)
    assert dialog.layout_now.names == ("name", "share", "sensitivity", "dimension", "mechanism")
    assert dialog.problem.words.startswith("Row 12, column “Share of epsilon”: must be a number of at least 0")
    assert dialog.add_button.text() == "Add 60 tables, 1 cell left empty"
    hands.click(dialog.next_problem)
    QTest.keyClick(dialog.table, Qt.Key.Key_F2)
    line = dialog.table.viewport().findChild(QLineEdit)
    QTest.keyClick(line, Qt.Key.Key_A, CONTROL)
    QTest.keyClicks(line, "1/60")
    QTest.keyClick(line, Qt.Key.Key_Return)
    hands.wait(lambda: dialog.reading is not None and not dialog.problem.isVisible())
    assert dialog.add_button.text() == "Add 60 tables"
    assert parts(hands) == ()  # nothing has changed before it is said
    hands.click(dialog.add_button)
    hands.wait(lambda: len(parts(hands)) == 60)
    assert [part.share for part in parts(hands)] == ["1/60"] * 60
    assert hands.session.decision.release.share_total() == 1
    hands.wait(lambda: hands.page.parts.overview.count.words == "60 tables")
    hands.wizard.session.undo()
    assert parts(hands) == ()
    hands.wizard.session.redo()
    assert len(parts(hands)) == 60


def test_what_is_pasted_can_be_told_where_to_go_and_take_the_place_of_what_is_there(empty: Hands) -> None:
    hands = empty
    describe(hands, 5)
    clipboard("Alpha;1.000\nBeta;2.500")
    hands.pick(hands.page.parts.many_button, "paste")
    dialog = asked(hands, PasteDialog)
    assert dialog.layout_now.names == ("name", "")
    header = dialog.table.horizontalHeader()
    hands.bot.mouseClick(header.viewport(), LEFT, pos=QPoint(header.sectionPosition(1) + 5, 8))
    assert dialog.which.text() == "Column 2 goes to"
    hands.choose_in(dialog.field, "sensitivity")
    hands.wait(lambda: dialog.reading is not None)
    assert len(dialog.table.marks) == 2
    assert "can mean two numbers: 1 or 1000" in dialog.problem.words
    hands.choose_in(dialog.mark, ",")
    hands.wait(lambda: dialog.reading is not None)
    assert not dialog.table.marks
    hands.click(dialog.instead)
    hands.click(dialog.add_button)
    hands.wait(lambda: len(parts(hands)) == 2)
    assert [(part.name, part.sensitivity) for part in parts(hands)] == [("Alpha", 1000.0), ("Beta", 2500.0)]
    assert hands.page.parts.overview is None  # two tables have a form each


def test_a_file_is_read_whatever_spreadsheet_wrote_it(empty: Hands, tmp_path: Path) -> None:
    hands = empty
    text = "Tabelle;Anteil;Ebene\r\nGeburten, männlich;0,25;Länder\r\n"
    for encoding in ("utf-8", "utf-8-sig", "cp1252", "utf-16"):
        path = tmp_path / f"{encoding}.csv"
        path.write_bytes(text.encode(encoding))
        hands.page.parts.open_file(path)
        dialog = asked(hands, PasteDialog)
        fields = {"name": "Geburten, männlich", "share": 0.25, "level": "Länder"}
        hands.wait(lambda shown=dialog: shown.reading is not None)
        assert dialog.reading.tables == (fields,)
        dialog.reject()
        hands.wait(lambda shown=dialog: not shown.isVisible())
    hands.page.parts.open_file(tmp_path / "missing.csv")
    hands.wait(hands.page.parts.problem.isVisible)


def test_a_grid_is_pasted_into_its_cells_and_filled(empty: Hands) -> None:
    hands = empty
    hands.pick(hands.page.parts.many_button, "grid")
    dialog = asked(hands, GridDialog)
    assert not dialog.add_button.isEnabled()
    clipboard("\tCounty\tState\n\t3/5\t0,4\nage * sex\t1/2\t0\ntotal\t1/2\t1")
    dialog.table.setCurrentIndex(dialog.table.rows_model.index(0, 0))
    QTest.keyClick(dialog.table, Qt.Key.Key_V, CONTROL)
    assert "Queries begin in the row below." in dialog.problem.words  # the row of needs has no name in it
    clipboard("\tCounty\tState\n\t3/5\t0,4\n\t\t\nage * sex\t1/2\t0\ntotal\t1/2\t1")
    QTest.keyClick(dialog.table, Qt.Key.Key_V, CONTROL)
    hands.click(dialog.reads)
    assert dialog.says.words == "3 tables on 2 levels; their shares come to 1."
    dialog.table.rows_model.setData(dialog.table.rows_model.index(4, 2), "x")
    assert "Query 2, Level 2: must be a number" in dialog.problem.words
    assert not dialog.add_button.isEnabled()
    dialog.table.rows_model.setData(dialog.table.rows_model.index(4, 2), "1")
    hands.click(dialog.add_button)
    hands.wait(lambda: len(parts(hands)) == 3)
    found = [(part.name, part.share, part.level, part.reads) for part in parts(hands)]
    assert found == [
        ("County, age * sex", 0.3, "County", ("age", "sex")),
        ("County, total", 0.3, "County", None),
        ("State, total", 0.4, "State", None),
    ]
    assert hands.session.decision.release.levels == ("County", "State")
    hands.wizard.session.undo()
    assert (parts(hands), hands.session.decision.release.levels) == ((), ())


# ------------------------------------------------------------------------------------- cells


def test_a_cell_is_typed_over_and_enter_goes_on_below(empty: Hands) -> None:
    hands = empty
    sheet = describe(hands, 6)
    click_cell(hands, sheet, 1, "share")
    type_over(hands, sheet, "1/9")
    assert parts(hands)[1].share == "1/9"
    assert sheet.table.currentIndex().row() == 2
    type_over(hands, sheet, "7")
    assert parts(hands)[2].share == 0.15
    assert sheet.problem.words.startswith("Row 3, Share of epsilon: must be at most 1; found 7")
    assert "still 0.15" in sheet.problem.words
    assert sheet.model.index(2, column_of(sheet, "share")).data() == "7"  # nothing typed is lost
    hands.wizard.session.undo()
    assert not sheet.problem.isVisible()
    assert sheet.model.index(2, column_of(sheet, "share")).data() == "0.15"
    click_cell(hands, sheet, 0, "name")
    key(sheet, Qt.Key.Key_Delete)
    assert parts(hands)[0].name is None


def test_a_few_words_are_chosen_from_a_list(empty: Hands) -> None:
    hands = empty
    sheet = describe(hands, 6)
    at = sheet.model.index(0, column_of(sheet, "mechanism"))
    sheet.table.setCurrentIndex(at)
    sheet.model.setData(at, "gauss")
    assert parts(hands)[0].mechanism == "gaussian"
    assert at.data() == "Gaussian mechanism"
    assert sheet.model.data(at, Qt.ItemDataRole.AccessibleTextRole) == "Row 1, Mechanism: Gaussian mechanism"


def test_cells_are_copied_pasted_and_filled_as_in_a_spreadsheet(empty: Hands) -> None:
    hands = empty
    sheet = describe(hands, 6)
    click_cell(hands, sheet, 0, "sensitivity")
    clipboard("2\n3\n4")
    key(sheet, Qt.Key.Key_V, CONTROL)
    assert [part.sensitivity for part in parts(hands)] == [2.0, 3.0, 4.0, 1.0, 1.0, 1.0]
    click_cell(hands, sheet, 1, "sensitivity")
    for _ in range(4):
        key(sheet, Qt.Key.Key_Down, SHIFT)
    key(sheet, Qt.Key.Key_D, CONTROL)
    assert [part.sensitivity for part in parts(hands)] == [2.0, 3.0, 3.0, 3.0, 3.0, 3.0]
    key(sheet, Qt.Key.Key_C, CONTROL)
    assert QApplication.clipboard().text() == "3\n" * 5
    clipboard("1,5")
    key(sheet, Qt.Key.Key_V, CONTROL)  # one cell fills all that are chosen
    assert [part.sensitivity for part in parts(hands)] == [2.0, 1.5, 1.5, 1.5, 1.5, 1.5]
    hands.wizard.session.undo()
    assert [part.sensitivity for part in parts(hands)] == [2.0, 3.0, 3.0, 3.0, 3.0, 3.0]
    clipboard("5\n-1")
    before = parts(hands)
    key(sheet, Qt.Key.Key_V, CONTROL)
    assert parts(hands) == before
    assert "Row 3, Sensitivity: Nothing was pasted: must be greater than 0" in sheet.problem.words


# ------------------------------------------------------------------------------------- rows and columns


def test_sorting_is_for_the_eye_until_the_order_is_kept(empty: Hands) -> None:
    hands = empty
    sheet = describe(hands, 6)
    hands.session.put("Set", "$.release.parts[4].share", "1/7")
    hands.session.put("Set", "$.release.parts[2].share", None)
    at = column_of(sheet, "share")
    header = sheet.table.headings
    place = QPoint(header.sectionViewportPosition(at) + 8, 8)
    hands.bot.mouseClick(header.viewport(), LEFT, pos=place)
    assert sheet.model.rows == (4, 0, 1, 3, 5, 2)  # what is not stated comes last either way
    hands.bot.mouseClick(header.viewport(), LEFT, pos=place)
    assert sheet.model.rows == (0, 1, 3, 5, 4, 2)
    assert names(hands)[4] == "Table 4"
    assert "the file keeps its order" in sheet.count.words
    assert sheet.model.headerData(4, Qt.Orientation.Vertical) == "5"
    sheet.acts["keep"].trigger()
    assert names(hands)[-1] == "Table 2"
    assert sheet.model.rows == (0, 1, 2, 3, 4, 5)
    hands.wizard.session.undo()
    assert names(hands)[2] == "Table 2"


def test_rows_are_doubled_moved_and_deleted_as_one_step_each(empty: Hands) -> None:
    hands = empty
    sheet = describe(hands, 6)
    click_cell(hands, sheet, 1, "name")
    key(sheet, Qt.Key.Key_Down, SHIFT)
    sheet.acts["duplicate"].trigger()
    expected = ["Table 0", "Table 1", "Table 2", "Table 1 (2)", "Table 2 (2)", "Table 3", "Table 4", "Table 5"]
    assert names(hands) == expected
    sheet.acts["up"].trigger()
    assert names(hands)[1:5] == ["Table 1", "Table 1 (2)", "Table 2 (2)", "Table 2"]
    sheet.acts["delete"].trigger()
    assert names(hands) == [f"Table {at}" for at in range(6)]
    for _ in range(3):
        hands.wizard.session.undo()
    assert names(hands) == [f"Table {at}" for at in range(6)]


# ------------------------------------------------------------------------------------- speed


@pytest.mark.soak
def test_one_cell_among_two_thousand_tables_is_seen_before_it_is_solved(empty: Hands) -> None:
    hands = empty
    sheet = describe(hands, 2_000)
    at = sheet.model.index(3, column_of(sheet, "sensitivity"))
    sheet.model.setData(at, "2")
    assert at.data() == "2"
    assert parts(hands)[3].sensitivity == 1  # the session hears of it once the cell has been painted
    hands.wait(lambda: parts(hands)[3].sensitivity == 2)
