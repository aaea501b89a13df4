"""A contract over every field the window asks for: it says what it means, refuses what is wrong beside itself, and
keeps what is right."""

from __future__ import annotations

import math
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from dpwizard.base.language import phrase
from dpwizard.base.values import Value, declared
from dpwizard.decision import Details, edits, problems
from dpwizard.decision.requirements import kinds
from tests.ui.hands import Hands
from tests.ui.table_hands import type_cell
from tests.ui.test_forms import FAMILIES, KINDS, SHAPES, a_decision, answer, asked
from ui.controls import Spreadsheet
from ui.forms import ChecksEditor, ChoiceEditor, Editor, Form, NumberEditor, Rows
from ui.forms.attributes import ReadsEditor
from ui.forms.belief_editor import BeliefEditor
from ui.forms.choice_editors import YesNoEditor
from ui.forms.fields import LONGEST_UNIT, inner_kinds
from ui.forms.number_editors import SliderEditor
from ui.forms.pairs import PairsEditor
from ui.forms.profile_tables import TableForm
from ui.forms.text_editors import LongTextEditor, NamesEditor, NumberOrWordEditor, NumbersEditor, TextEditor
from ui.session import DocumentSession

pytestmark = [pytest.mark.one_window, pytest.mark.slow]

SHORT_TEXT = 1_000
HOSTILE = (
    "abc",
    "-1",
    "1e999",
    "0.70",
    "7,5",
    "1.000",
    "70%",
    "5 in 100",
    "1/20",
    " 3 ",
    "5 %x",
    "2 3",
    "",
    ".5",
    "1e-3",
)


def plain(kind: type[Value]) -> tuple[str, ...]:
    """Return the fields of KIND that have an editor of their own."""
    return tuple(name for name in asked(kind) if not inner_kinds(kind, name)[0])


def the_form(qtbot: QtBot, kind: type[Value], name: str) -> tuple[DocumentSession, Editor, str]:
    decision, where = a_decision(kind)
    session = DocumentSession()
    session.start(decision)
    form = Form(session, where, kind, (name,))
    qtbot.addWidget(form)
    form.show()
    return session, form.editors[name], f"{where}.{name}"


def left() -> QFocusEvent:
    """Return what a field is told when it is left with Tab."""
    return QFocusEvent(QEvent.Type.FocusOut, Qt.FocusReason.TabFocusReason)


@pytest.mark.parametrize(
    "kind", [kind for kind in KINDS if kind is not Details and plain(kind)], ids=lambda kind: kind.__name__
)
def test_every_field_says_what_it_means_refuses_what_is_wrong_and_keeps_what_is_right(
    qtbot: QtBot, kind: type[Value]
) -> None:
    for name in plain(kind):
        session, made, where = the_form(qtbot, kind, name)
        field = declared(kind, name)
        assert made.label.text() == phrase("label", field["title"]) != name
        assert field["description"]
        says_what_it_means(qtbot, made, kind, field)
        refuses_what_is_wrong(qtbot, session, made, where)
        if isinstance(made, ChecksEditor):
            qtbot.keyClick(made.controls()[0], Qt.Key.Key_Space)
            assert edits.get(session.decision, where) == (made.choices[0][0],)
            continue
        wanted = answer(qtbot, made, kind, name)
        assert made.problem.text() == ""
        found = edits.get(session.decision, where)
        assert found == (pytest.approx(wanted, rel=1e-12) if isinstance(wanted, float) else wanted), where


def refuses_what_is_wrong(qtbot: QtBot, session: DocumentSession, made: Editor, where: str) -> None:
    wrong = wrong_value(made)
    if wrong is not None:
        before = edits.get(session.decision, where)
        control, words = wrong
        put_in(qtbot, control, words)
        assert made.problem.isVisible()
        assert made.problem.text().endswith(".")
        assert control.property("wrong") is True
        assert made.problem.text() == control.accessibleDescription()
        assert edits.get(session.decision, where) == before or isinstance(made, TextEditor | LongTextEditor)
        put_in(qtbot, control, "")


def sort_of(made: Editor) -> tuple[object, ...]:
    """Return what decides how the words typed into an editor are read."""
    return type(made), *(getattr(made, name, None) for name in ("whole", "chance", "table"))


def test_whatever_is_typed_into_a_field_of_any_sort_and_left_is_used_as_it_is_shown_or_red(qtbot: QtBot) -> None:
    seen: set[tuple[object, ...]] = set()
    for kind in KINDS:
        for name in plain(kind):
            session, made, where = the_form(qtbot, kind, name)
            if sort_of(made) not in seen:
                seen.add(sort_of(made))
                shows_what_is_used(qtbot, session, made, where)
    assert len(seen) > 12


def shows_what_is_used(qtbot: QtBot, session: DocumentSession, made: Editor, where: str) -> None:
    """Type what is hostile into each line of a field, choose each of its entries, and take all of it back."""
    if isinstance(made, BeliefEditor):
        made.kind.setCurrentIndex(made.kind.findData("range"))
        made.kind.activated.emit(made.kind.currentIndex())
    for line in (control for control in made.controls() if isinstance(control, QLineEdit | QPlainTextEdit)):
        for words in HOSTILE:
            line.setFocus()
            put_in(qtbot, line, words)
            QApplication.sendEvent(line, left())
            agrees(made, edits.get(session.decision, where), words)
    if isinstance(made, ChoiceEditor):
        for index in range(made.box.count()):
            made.box.setCurrentIndex(index)
            made.box.activated.emit(index)
            agrees(made, edits.get(session.decision, where), made.box.itemText(index))
    session.undo()
    parent = made.parentWidget()
    while parent is not None and not isinstance(parent, Form):
        parent = parent.parentWidget()
    parent.forget_problems()
    assert made.problem.text() == ""
    agrees(made, edits.get(session.decision, where), "Undo")


def says_what_it_means(qtbot: QtBot, made: Editor, kind: type[Value], field: Any) -> None:
    """Ask with F1: the help, the unit, the range and the source are there, and go away again."""
    assert made.ask.accessibleName()
    assert not made.explanation.isVisible()
    qtbot.keyClick(made.controls()[0], Qt.Key.Key_F1)
    assert made.explanation.isVisible()
    words = made.explanation.words
    assert field["description"] in words
    assert "Source: " in words, f"{kind.__name__} names no source"
    if isinstance(made, NumberEditor) and not isinstance(made, SliderEditor):
        assert "Range: " in words
        unit = "in 100" if made.chance else field["unit"]
        assert made.unit.text() == unit or (len(field["unit"]) > LONGEST_UNIT and field["unit"] in words)
    if isinstance(made, SliderEditor):
        assert made.unit.text()
        assert all(made.ends)
    if isinstance(made, BeliefEditor):
        assert "Range: " in words
    qtbot.mouseClick(made.ask, Qt.MouseButton.LeftButton)
    assert not made.explanation.isVisible()


def wrong_value(made: Editor) -> tuple[QWidget, str] | None:
    """Return a control and what is wrong in it; None where nothing wrong can be entered."""
    if isinstance(made, ChoiceEditor | YesNoEditor | ChecksEditor | ReadsEditor):
        return None
    if isinstance(made, BeliefEditor):
        made.kind.setCurrentIndex(made.kind.findData("one"))
        made.kind.activated.emit(made.kind.currentIndex())
        return made.high.line, "2"
    if isinstance(made, PairsEditor):
        return made.table, "flu\n-1"
    if isinstance(made, NumbersEditor | NumberEditor):
        return made.controls()[0], "abc"
    if isinstance(made, NumberOrWordEditor):
        return made.controls()[0], "nobody"
    if isinstance(made, NamesEditor):
        return made.controls()[0], "x" * (SHORT_TEXT + 1)
    if made.objectName().endswith("sha256"):
        return made.controls()[0], "not a digest"
    return (made.controls()[0], "x" * (SHORT_TEXT + 1)) if type(made) is TextEditor else None


def put_in(qtbot: QtBot, control: Any, words: str) -> None:
    """Type WORDS over what stands in CONTROL; long ones are pasted, as a hand would; cell by cell in a table."""
    if isinstance(control, Spreadsheet):
        control.choose(0, 0)
        for cell in words.split("\n") if words else ():
            type_cell(control, cell)
        if not words:  # two empty cells: the row is open again
            for column in (0, 1):
                control.choose(0, column)
                qtbot.keyClick(control, Qt.Key.Key_Delete)
        return
    qtbot.keyClick(control, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    if not words:
        qtbot.keyClick(control, Qt.Key.Key_Delete)
    elif len(words) < 100:
        qtbot.keyClicks(control, words)
    else:
        control.insert(words) if hasattr(control, "insert") else control.insertPlainText(words)
        if hasattr(control, "textEdited"):
            control.textEdited.emit(control.text())


def agrees(made: Editor, used: Any, words: str) -> None:
    """Require that what is shown is what is USED, or red with a reason that names what is."""
    if made.problem.text():
        assert made.problem.isVisible(), words
        assert any(control.property("wrong") for control in made.controls()), words
        assert "Not used" in made.problem.text(), words
        said = made.in_words(used)
        assert not said or f"still {said}" in made.problem.text(), words
        return
    if isinstance(made, BeliefEditor):
        assert (made.low.read(made.low.line.text()), made.high.read(made.high.line.text())) == used, words
    elif isinstance(made, NumberEditor):
        text = made.line.text()
        if isinstance(used, str):  # an exact fraction is kept as it is written
            assert text == used, words
            return
        assert text == ("" if used is None else made.text_of(used)), words
        assert used is None or math.isclose(made.read(text) or 0.0, used, rel_tol=1e-13), words
    elif isinstance(made, NumbersEditor | NamesEditor):
        assert made.raw() in (used, used or None, used or ()), words
        assert made.text.toPlainText().strip() == made.text.toPlainText(), words
    elif isinstance(made, ChoiceEditor):
        assert made.box.currentData() == used, words
    elif isinstance(made, ReadsEditor):
        shown_as = {None: ("not_stated", "these"), (): ("none",)}.get(used, ("these",))
        assert made.box.currentData() in shown_as, words
        assert tuple(name for name, box in made.boxes.items() if box.isChecked()) == (used or ()), words
        assert made.line.text() == "", words
    elif isinstance(made, NumberOrWordEditor):
        assert made.line.text() == made.in_words(used), words
    else:
        shown = made.controls()[0]
        found = (
            shown.text()
            if isinstance(shown, QLineEdit)
            else shown.toPlainText()
            if isinstance(shown, QPlainTextEdit)
            else ""
        )
        assert found == (used or ""), words


def test_what_is_missing_leads_into_the_field(empty: Hands) -> None:
    hands = empty
    for kind in (*kinds().values(), *SHAPES, *FAMILIES):
        decision, where = a_decision(kind)
        hands.session.start(decision)
        hands.wizard.forget_problems()
        missing = [
            problem for problem in problems(decision) if problem.key == "unanswered" and problem.where.startswith(where)
        ]
        assert missing or all(
            field.default is not None for name, field in kind.model_fields.items() if name in asked(kind)
        ), kind
        for problem in missing:
            hands.wizard.reach(problem.where, problem.step)
            hands.bot.waitUntil(lambda: hands.page.focusWidget() is not None)
            assert hands.page.key == problem.step, (
                f"{problem.where} is asked for on {hands.page.key}, not on {problem.step}"
            )
            assert leads(hands.page.focusWidget(), problem.where), problem.where


def leads(focused: Any, where: str) -> bool:
    """Return whether FOCUSED is the control of the field at WHERE, of a field of it, or the button that adds to its
    list."""
    while focused is not None:
        name = focused.objectName()
        if name.startswith("$") and (where.startswith(name) or name.startswith(where)):
            return True
        if (isinstance(focused, Rows) and focused.where == where) or (
            isinstance(focused, TableForm) and where.startswith(focused.where)
        ):
            return True
        focused = focused.parent()
    return False
