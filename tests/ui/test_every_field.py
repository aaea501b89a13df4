"""A contract over every field the window asks for: it says what it means, refuses what is wrong beside itself, and
keeps what is right."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableWidget, QWidget
from pytestqt.qtbot import QtBot

from dpwizard.base.language import phrase
from dpwizard.base.values import Value, declared
from dpwizard.decision import Details, edits, problems
from dpwizard.decision.requirements import kinds
from tests.ui.hands import Hands
from tests.ui.table_hands import type_cell
from tests.ui.test_forms import FAMILIES, KINDS, SHAPES, a_decision, answer, asked
from ui.forms import ChecksEditor, ChoiceEditor, Editor, Form, NumberEditor, Rows
from ui.forms.attributes import ReadsEditor
from ui.forms.belief_editor import BeliefEditor
from ui.forms.choice_editors import YesNoEditor
from ui.forms.fields import LONGEST_UNIT, inner_kinds
from ui.forms.number_editors import SliderEditor
from ui.forms.pairs import PairsEditor
from ui.forms.profile_tables import TableForm
from ui.forms.text_editors import LongTextEditor, NamesEditor, NumberOrWordEditor, NumbersEditor, TextEditor
from ui.session import Session

pytestmark = pytest.mark.one_window

SHORT_TEXT = 1_000
PLAIN = tuple(
    (kind, name) for kind in KINDS if kind is not Details for name in asked(kind) if not inner_kinds(kind, name)[0]
)


def the_form(qtbot: QtBot, kind: type[Value], name: str) -> tuple[Session, Editor, str]:
    decision, where = a_decision(kind)
    session = Session()
    session.start(decision)
    form = Form(session, where, kind, (name,))
    qtbot.addWidget(form)
    form.show()
    return session, form.editors[name], f"{where}.{name}"


@pytest.mark.parametrize(("kind", "name"), PLAIN, ids=lambda part: getattr(part, "__name__", part))
def test_every_field_says_what_it_means_refuses_what_is_wrong_and_keeps_what_is_right(
    qtbot: QtBot, kind: type[Value], name: str
) -> None:
    session, made, where = the_form(qtbot, kind, name)
    field = declared(kind, name)
    assert made.label.text() == phrase("label", field["title"]) != name
    assert field["description"]
    says_what_it_means(qtbot, made, kind, field)
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
    if isinstance(made, ChecksEditor):
        qtbot.keyClick(made.controls()[0], Qt.Key.Key_Space)
        assert edits.get(session.decision, where) == (made.choices[0][0],)
        return
    wanted = answer(qtbot, made, kind, name)
    assert made.problem.text() == ""
    found = edits.get(session.decision, where)
    assert found == (pytest.approx(wanted, rel=1e-12) if isinstance(wanted, float) else wanted)


def says_what_it_means(qtbot: QtBot, made: Editor, kind: type[Value], field: Any) -> None:
    """Ask with F1: the help, the unit, the range and the source are there, and go away again."""
    assert made.ask.accessibleName()
    assert not made.told.isVisible()
    qtbot.keyClick(made.controls()[0], Qt.Key.Key_F1)
    assert made.told.isVisible()
    words = made.told.words
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
    assert not made.told.isVisible()


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
    if isinstance(control, QTableWidget):
        control.setCurrentCell(0, 0)
        for cell in words.split("\n") if words else ():
            type_cell(control, cell)
        if not words:  # two empty cells: the row is open again
            for column in (0, 1):
                control.setCurrentCell(0, column)
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


@pytest.mark.slow
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
