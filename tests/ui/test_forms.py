"""Forms made from declarations: every field of every kind has an editor, and typing sets it."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from dpwizard.base.values import Value
from dpwizard.decision import BaseRequirement, Decision, Details, EarlierRelease, Release, edits, new_decision
from dpwizard.decision.requirements import kinds
from dpwizard.privacy.guessing_advantage import Attribute
from dpwizard.privacy.priors import Prior
from dpwizard.privacy.profiles import Profile
from tests.ui.hands import Hands
from tests.ui.table_hands import type_rows
from ui.forms import ChoiceEditor, Editor, Form, NumberEditor
from ui.forms.attributes import ReadsEditor
from ui.forms.belief_editor import BeliefEditor
from ui.forms.choice_editors import YesNoEditor
from ui.forms.number_editors import TimesEditor
from ui.forms.pairs import PairsEditor
from ui.forms.text_editors import LongTextEditor, NamesEditor, NumberOrWordEditor, NumbersEditor, TextEditor
from ui.pages.cards import fields_of_kind
from ui.session import DocumentSession

pytestmark = pytest.mark.one_window

SHAPES = get_args(get_args(Profile)[0])
FAMILIES = get_args(get_args(Prior)[0])
WHOLE = {"population", "people", "records", "steps", "n", "dimension", "repetitions", "contributions"}
ROWS = {
    "points": [[0.1, 5.0], [0.5, 2.0]],
    "small_groups": [5, 50],
    "ratios": [5.0, 2.0],
    "edges": [0.25],
    "mean": [1.0, 2.0],
    "covariance": [[1.0, 0.5], [0.5, 2.0]],
}
GRID = {"p": [0.1, 0.5], "q": [0.2, 0.9], "ratios": [[5.0, 4.0], [3.0, 2.0]]}


def a_decision(kind: type[Value]) -> tuple[Decision, str]:
    """Return a decision that holds an open value of KIND, and its path; its table reads an attribute."""
    reading = edits.put(new_decision(), "$.release.reads", ("age",))
    if issubclass(kind, BaseRequirement):
        named = "part" in kind.model_fields
        empty = edits.add(new_decision(), "$.release.parts", {"name": "North"}) if named else reading
        return edits.add(empty, "$.requirements", {"kind": kind.model_fields["kind"].default}), "$.requirements[0]"
    if kind in SHAPES:
        decision = edits.add(new_decision(), "$.requirements", {"kind": "relative_risk"})
        return edits.put(
            decision, "$.requirements[0].profile", {"shape": kind.model_fields["shape"].default}
        ), "$.requirements[0].profile"
    if kind in FAMILIES:
        decision = edits.add(new_decision(), "$.requirements", {"kind": "guessing_advantage"})
        decision = edits.add(decision, "$.requirements[0].attributes", {})
        where = "$.requirements[0].attributes[0].prior"
        return edits.put(decision, where, {"family": kind.model_fields["family"].default}), where
    if kind is Attribute:
        decision = edits.add(reading, "$.requirements", {"kind": "guessing_advantage"})
        return edits.add(decision, "$.requirements[0].attributes", {}), "$.requirements[0].attributes[0]"
    if kind is EarlierRelease:
        return edits.add(new_decision(), "$.release.spent", {}), "$.release.spent[0]"
    return new_decision(), {Release: "$.release", Details: "$.details", Decision: "$"}[kind]


def asked(kind: type[Value]) -> tuple[str, ...]:
    """Return the fields of KIND that the window asks for."""
    if issubclass(kind, BaseRequirement):
        return ("name", *fields_of_kind(kind), "off_reason")
    skipped = {
        Release: {"post_processing"},
        Details: {"authors"},
        Decision: {"format", "acknowledged", "requirements", "release", "details"},
    }
    return tuple(
        name
        for name in kind.model_fields
        if name not in skipped.get(kind, set()) and name not in ("shape", "family", "parts", "spent")
    )


KINDS = (*kinds().values(), *SHAPES, *FAMILIES, Attribute, EarlierRelease, Release, Details, Decision)


def test_every_kind_of_requirement_is_asked_for_by_a_page() -> None:
    assert {kind.step for kind in kinds().values()} <= {"profile", "budget", "accuracy"}
    assert {kind.end for kind in kinds().values() if kind.step == "accuracy"} == {"lower"}
    assert "lower" not in {kind.end for kind in kinds().values() if kind.step != "accuracy"}


def answer(qtbot: QtBot, made: Editor, kind: type[Value], name: str) -> Any:
    """Answer by keys and return what should then stand in the decision."""
    control = made.controls()[0]
    if isinstance(made, BeliefEditor):
        choose(qtbot, made.kind, "range")
        return (0.001, 1.0)
    if isinstance(made, ChoiceEditor):
        now = made.box.currentData()
        key = next(made.box.itemData(i) for i in range(made.box.count()) if made.box.itemData(i) not in (None, now))
        choose(qtbot, made.box, key)
        return key
    if isinstance(made, YesNoEditor):
        qtbot.keyClick(control, Qt.Key.Key_Space)
        return True
    if isinstance(made, ReadsEditor):
        choose(qtbot, made.box, "these")
        for words in ("age", "income class"):
            qtbot.keyClicks(made.line, words)
            qtbot.keyClick(made.line, Qt.Key.Key_Return)
        return ("age", "income class")
    if isinstance(made, PairsEditor):
        type_rows(made.table, ("heart failure 0.1", "none 0.9"))
        return (("heart failure", 0.1), ("none", 0.9))
    if isinstance(made, NumbersEditor):
        return numbers(qtbot, made, kind, name)
    if isinstance(made, NumberOrWordEditor):
        qtbot.keyClicks(control, "worst")
        return "worst"
    if isinstance(made, NumberEditor):
        control.clear()
        large = name in WHOLE or made.whole or isinstance(made, TimesEditor)
        qtbot.keyClicks(control, "3" if large else "50 %" if made.chance else "0.5")
        return 3 if large else 0.5
    if isinstance(made, NamesEditor):
        lines(qtbot, control, ["Ada", "Ben B."])
        return ("Ada", "Ben B.")
    if name.endswith("sha256"):
        qtbot.keyClicks(control, "0a" * 32)
        return "0a" * 32
    assert isinstance(made, TextEditor | LongTextEditor)
    control.clear()
    qtbot.keyClicks(control, "some words")
    return "some words"


def numbers(qtbot: QtBot, made: NumbersEditor, kind: type[Value], name: str) -> Any:
    """Type a list or a table of numbers that the field takes."""
    source = {"Knots2d": GRID, "Discrete": {"points": [1.0, 2.0]}, "Histogram": {"edges": [0.0, 1.0, 2.0]}}.get(
        kind.__name__, ROWS
    )
    rows: Any = source.get(name, [0.25, 0.75])
    if made.table:
        lines(qtbot, made.text, [" ".join(f"{number:g}" for number in row) for row in rows])
        return tuple(tuple(row) for row in rows)
    lines(qtbot, made.text, [" ".join(f"{number:g}" for number in rows)])
    return tuple(rows)


def lines(qtbot: QtBot, control: Any, rows: list[str]) -> None:
    control.clear()
    for index, row in enumerate(rows):
        if index:
            qtbot.keyClick(control, Qt.Key.Key_Return)
        qtbot.keyClicks(control, row)


def choose(qtbot: QtBot, box: QComboBox, key: Any) -> None:
    wanted = box.findData(key)
    while box.currentIndex() != wanted:
        qtbot.keyClick(box, Qt.Key.Key_Down if wanted > box.currentIndex() else Qt.Key.Key_Up)


def test_the_shape_of_a_profile_is_chosen_and_keeps_what_the_shapes_have_in_common(qtbot: QtBot) -> None:
    session = DocumentSession()
    session.start(edits.add(new_decision(), "$.requirements", {"kind": "relative_risk"}))
    form = Form(session, "$.requirements[0]", kinds()["relative_risk"], ("profile",))
    session.changed.connect(form.refresh)
    qtbot.addWidget(form)
    form.show()
    profile = form.nested["profile"]
    choose(qtbot, profile.choice.box, "constant")
    profile.form.editors["ratio"].line.clear()
    qtbot.keyClicks(profile.form.editors["ratio"].line, "4")
    choose(qtbot, profile.choice.box, "cap_or_ratio")
    assert session.decision.requirements[0].profile.ratio == 4.0
    assert "posterior" in profile.form.editors


# ------------------------------------------------------------------------------------ hostile text

HOSTILE = (
    "<b>bold</b>",
    "&amp; & <script>",
    "\u202eabc",
    "a\x00b",
    "x" * 5_000,
    "🙂 ü ß 数",
    "{0.__class__}",
    "%s%n",
    "$.title",
    "'; --",
)


@pytest.mark.parametrize("words", HOSTILE)
def test_any_text_is_kept_as_it_is_and_never_read_as_markup(qtbot: QtBot, words: str) -> None:
    session = DocumentSession()
    form = Form(session, "$", Decision, ("title", "justification"))
    qtbot.addWidget(form)
    for name in ("title", "justification"):
        control = form.editors[name].controls()[0]
        typed = QInputMethodEvent()
        typed.setCommitString(words)
        QApplication.sendEvent(control, typed)
        shown = (
            control.text()
            if isinstance(control, QLineEdit)
            else control.toPlainText()
            if isinstance(control, QPlainTextEdit)
            else ""
        )
        problem = form.editors[name].problem.text()
        assert problem or edits.get(session.decision, f"$.{name}") == shown
    assert form.editors["title"].problem.textFormat() is Qt.TextFormat.PlainText


def test_a_chance_that_is_meant_to_be_tiny_is_said_as_one_in_so_many_and_dragged_on_a_log_scale(qtbot: QtBot) -> None:
    session = DocumentSession()
    session.start(new_decision())
    form = Form(session, "$.release", Release, ("delta",))
    qtbot.addWidget(form)
    form.show()
    made = form.editors["delta"]
    qtbot.keyClicks(made.line, "0.001 %")
    form.refresh()
    assert session.decision.release.delta == pytest.approx(1e-5)
    assert made.note.text() == "1 in 100,000"
    assert 400 < made.slider.value() < 600  # in the middle of what is sensible, not at its foot
    before = made.slider.value()
    qtbot.keyClick(made.slider, Qt.Key.Key_PageDown)
    form.refresh()
    assert made.slider.value() < before
    assert 1e-9 < session.decision.release.delta < 1e-5


@pytest.mark.slow
def test_a_choice_that_is_open_says_what_holds_meanwhile(empty: Hands) -> None:
    empty.go("review")
    box = empty.editor("$.paper").controls()[0]
    assert box.currentText() == "Not chosen: A4"
    empty.go("release")
    box = empty.editor("$.release.statistic").controls()[0]
    assert box.currentText() == "Choose …"
