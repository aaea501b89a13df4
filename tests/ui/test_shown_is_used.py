"""What a field shows is what is used; else it is red, says why, and names the value that is in force."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from dpwizard.base.language import speaking
from dpwizard.decision import Part, edits
from dpwizard.privacy.profiles import Cap
from tests.samples import profiles
from tests.ui.hands import Hands
from tests.ui.table_hands import type_cell
from tests.ui.test_every_field import left, the_form
from ui.forms import editor_for
from ui.forms.number_editors import SliderEditor

pytestmark = pytest.mark.one_window

P = "$.requirements[0].p"
TAB, ENTER = Qt.Key.Key_Tab, Qt.Key.Key_Return


# ------------------------------------------------------------------------------------------- beliefs


@pytest.fixture
def ranged(durham: Hands) -> Hands:
    """Return hands at the adversary step of the Durham example, with a range of beliefs from 1 in 1,000 to
    certainty."""
    durham.go("adversary")
    durham.choose(P, "range")
    durham.settle()
    return durham


def leave(hands: Hands, line: QWidget, words: str) -> None:
    """Type WORDS over what stands in LINE and leave it with Tab."""
    hands.type(line, words)
    hands.bot.keyClick(line, TAB)


@pytest.mark.slow
def test_70_percent_and_then_0_7_typed_into_the_end_of_a_range_are_used_and_said_below(ranged: Hands) -> None:
    belief: Any = ranged.editor(P)
    leave(ranged, belief.high.line, "70%")
    assert edits.get(ranged.session.decision, P) == (0.001, 0.7)
    assert belief.high.line.text() == "0.7"
    leave(ranged, belief.high.line, "70 per chance")
    assert edits.get(ranged.session.decision, P) == (0.001, 0.7)
    assert "The value is still from 1 in 1,000 (about 4 of 4,012) to 70 in 100" in belief.problem.text()
    assert (belief.high.line.property("wrong"), belief.low.line.property("wrong")) == (True, False)
    leave(ranged, belief.high.line, "0.6")
    assert edits.get(ranged.session.decision, P) == (0.001, 0.6)
    assert belief.problem.text() == ""
    assert "to 60 in 100" in belief.note.text()  # it went on saying "certainty"
    assert belief.high.slider.value() == belief.high._position(0.6)


@pytest.mark.slow
def test_a_range_the_wrong_way_round_or_with_an_end_that_is_no_chance_is_red_and_says_what_is_in_force(
    ranged: Hands,
) -> None:
    belief: Any = ranged.editor(P)
    leave(ranged, belief.high.line, "0.0001")
    assert belief.problem.text().startswith(
        "Must run from low to high. Swap the two numbers. Not used. The value is still from 1 in 1,000"
    )
    leave(ranged, belief.low.line, "seldom")
    leave(ranged, belief.high.line, "0.7")
    assert edits.get(ranged.session.decision, P) == (0.001, 1.0)
    assert belief.problem.isVisible()
    assert (
        "“seldom” is not a chance. Enter one like 0.05, 5 %, 5 in 100 or 1/20. Not used. The value is "
        "still from 1 in 1,000" in belief.problem.text()
    )
    assert (belief.low.line.property("wrong"), belief.high.line.property("wrong")) == (True, False)
    leave(ranged, belief.low.line, "1/20")
    assert edits.get(ranged.session.decision, P) == (0.05, 0.7)
    assert (belief.low.line.text(), belief.problem.text()) == ("0.05", "")


@pytest.mark.slow
def test_one_chance_can_be_typed_from_its_first_digit_on_without_the_field_going_away(ranged: Hands) -> None:
    ranged.choose(P, "one")
    belief: Any = ranged.editor(P)
    leave(ranged, belief.high.line, "1 in 20")  # its first digit alone is certainty
    assert belief.high.isVisible()
    assert edits.get(ranged.session.decision, P) == 0.05
    leave(ranged, belief.high.line, "5")
    assert belief.problem.text().startswith(
        "5 is more than certainty. Enter a chance like 0.05, 5 %, 5 in 100 or 1/20."
    )


@pytest.mark.slow
def test_every_shape_can_be_chosen_after_every_other_and_the_one_shown_is_the_one_used(durham: Hands) -> None:
    where = "$.requirements[0].profile"
    decision = edits.put(durham.session.decision, "$.requirements[0].adversary", "both")
    durham.session.edit("Ask for both", edits.put(decision, "$.requirements[0].q", [0, 1]))
    durham.go("profile")
    variants = durham.page.cards.cards[0].form.nested["profile"]
    for first in profiles.SHAPES:
        for then in profiles.SHAPES:
            durham.session.edit("Begin", edits.put(durham.session.decision, where, profiles.sample(first)))
            variants.choice.edited.emit(then, False)
            assert edits.get(durham.session.decision, where).shape == then
            assert (variants.choice.box.currentData(), variants.choice.problem.text()) == (then, "")


# ---------------------------------------------------------------------------------- chances "in 100"


@pytest.mark.parametrize(("typed", "used"), [("5", 0.05), ("0.5 %", 0.005), ("1 in 200", 0.005)])
def test_beside_in_100_a_plain_number_is_so_many_in_100_and_the_line_below_says_so(
    qtbot: QtBot, typed: str, used: float
) -> None:
    session, made = a_posterior(qtbot)
    qtbot.keyClicks(made.line, typed)
    QApplication.sendEvent(made.line, left())
    assert edits.get(session.decision, made.objectName()) == used
    assert made.line.text() == {0.05: "5", 0.005: "0.5 %"}[used]
    assert made.unit.isVisible() == (used == 0.05)  # what says its unit has none beside it
    assert made.note.text() == {0.05: "5 in 100, 1 in 20", 0.005: "0.5 in 100, 1 in 200"}[used]
    assert made.slider.accessibleDescription().startswith({0.05: "5 in 100. ", 0.005: "0.5 in 100. "}[used])


@pytest.mark.parametrize(
    ("language", "typed", "why"),
    [
        ("en", "0.5", "“0.5” can mean 0.5 in 100 or 50 in 100. Enter 0.5 % or 50 %."),
        (
            "de",
            "1 von 1,000",
            "„1 von 1,000“ kann 0,1 von 100 oder 100 von 100 bedeuten. Geben Sie 0,1 % oder 100 % ein.",
        ),
    ],
)
def test_what_can_mean_two_chances_is_refused_with_both_named_and_the_one_in_force(
    qtbot: QtBot, language: str, typed: str, why: str
) -> None:
    with speaking(language):
        session, made = a_posterior(qtbot)
        qtbot.keyClicks(made.line, "7")
        QApplication.sendEvent(made.line, left())
        made.line.selectAll()
        qtbot.keyClicks(made.line, typed)
        QApplication.sendEvent(made.line, left())
        assert edits.get(session.decision, made.objectName()) == 0.07
        assert (made.line.text(), made.line.property("wrong")) == (typed, True)
        assert made.problem.text().startswith(why)
        assert "7 " in made.problem.text().removeprefix(why)
        assert not made.note.isVisible()
        assert made.slider.value() == made._position(0.07)  # the slider stands where it is used


def test_a_share_of_the_budget_may_be_so_many_percent_or_an_exact_fraction(qtbot: QtBot) -> None:
    made: Any = editor_for(Part, "share")
    qtbot.addWidget(made)
    told: list[Any] = []
    made.edited.connect(lambda raw, _: told.append(raw))
    for typed, used in (("50 %", 0.5), ("0.25", 0.25), ("1/3", "1/3"), ("12,5 %", "12,5 %")):
        made.line.clear()
        qtbot.keyClicks(made.line, typed)
        assert told[-1] == used


def test_in_german_a_chance_is_typed_and_said_with_a_comma_and_von(qtbot: QtBot) -> None:
    with speaking("de"):
        session, made = a_posterior(qtbot)
        for typed, used, shown, said in (
            ("0,5 %", 0.005, "0,5 %", "0,5 von 100, 1 von 200"),
            ("5 von 100", 0.05, "5", "5 von 100, 1 von 20"),
        ):
            made.line.selectAll()
            qtbot.keyClicks(made.line, typed)
            made.line.editingFinished.emit()
            assert edits.get(session.decision, made.objectName()) == used
            assert (made.line.text(), made.note.text()) == (shown, said)


@pytest.mark.parametrize(
    ("language", "called"),
    [
        ("en", "Set highest chance after the release"),
        ("de", "Höchste Wahrscheinlichkeit nach der Veröffentlichung setzen"),
    ],
)
def test_what_undo_calls_an_edit_keeps_the_capital_letters_of_german(qtbot: QtBot, language: str, called: str) -> None:
    with speaking(language):
        session, made = a_posterior(qtbot)
        qtbot.keyClicks(made.line, "5")
        assert session.history.undo_name == called


def a_posterior(qtbot: QtBot) -> tuple[Any, SliderEditor]:
    session, made, _ = the_form(qtbot, Cap, "posterior")
    return session, made


# --------------------------------------------------------------------------------- ways of leaving


@pytest.mark.slow
def test_an_epsilon_that_was_refused_gives_way_to_the_one_taken_with_a_button(durham: Hands) -> None:
    durham.go("decision").settle()
    epsilon: Any = durham.editor("$.epsilon")
    durham.type(epsilon.line, "a little")
    assert "Not used" in epsilon.problem.text()
    button = next(one for one in (durham.page.take_upper, durham.page.take_lower) if one.isVisible())
    taken = button.property("epsilon")
    durham.click(button)
    assert edits.get(durham.session.decision, "$.epsilon") == taken
    assert (epsilon.line.text(), epsilon.problem.text()) == ("2.19723", "")


# ------------------------------------------------------------------------------------------- tables


@pytest.fixture
def knots(make_hands: Callable[..., Hands]) -> Hands:
    """Return hands at a free curve of three knots."""
    hands = make_hands("durham")
    curve = {"shape": "knots", "axis": "p", "points": [[0.01, 30], [0.1, 5], [1, 1]]}
    hands.session.edit("Take another profile", edits.put(hands.session.decision, "$.requirements[0].profile", curve))
    return hands.go("profile").settle()


@pytest.mark.slow
def test_a_refused_cell_is_red_and_every_other_cell_shows_what_is_used(knots: Hands) -> None:
    form: Any = knots.page.cards.cards[0].form.nested["profile"].form
    table = form.table
    table.choose(1, 1)
    type_cell(table, "many")
    assert table.rows()[1][1] == "many"
    assert table.property("wrong") is True
    assert (
        form.problem.words
        == "Row 2 (Times as likely): “many” is not a number. Enter one like 0.1. It was not used. The value is still 5."
    )
    table.choose(0, 1)
    type_cell(table, "20.0")
    assert [table.rows()[row][1] for row in range(3)] == ["20", "5", "1"]
    assert not form.problem.words
    table.choose(1, 0)
    type_cell(table, "5 %")
    assert [table.rows()[row][0] for row in range(3)] == ["0.01", "0.05", "1"]
    assert edits.get(knots.session.decision, "$.requirements[0].profile").points == (
        (0.01, 20.0),
        (0.05, 5.0),
        (1.0, 1.0),
    )
