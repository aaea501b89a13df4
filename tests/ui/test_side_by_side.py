"""Rows and heads take the room that there is: parts go below one another, and words into several lines;
of answers with round buttons one is chosen, and only a hand's choice is told."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from ui.questions import Options
from ui.widgets import Fold, SideBySide, Words, in_a_row

ACROSS, DOWN = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    """Return a window that shows what is put in it, as wide as it is: a window itself is never too narrow."""
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    return made


def shown(window: QWidget, widget: QWidget, width: int) -> None:
    """Show WIDGET in WINDOW with so many pixels of WIDTH."""
    widget.setParent(window)
    widget.resize(width, 200)
    widget.show()


@pytest.mark.parametrize(("width", "direction"), [(220, ACROSS), (208, ACROSS), (207, DOWN), (120, DOWN)])
def test_row_stands_in_a_column_where_its_parts_and_the_room_between_do_not_fit(
    qtbot: QtBot, window: QWidget, width: int, direction: QBoxLayout.Direction
) -> None:
    parts = QWidget(), QWidget()
    for part in parts:
        part.setFixedWidth(100)
    row = in_a_row(*parts, spacing=8)
    shown(window, row, width)
    assert row.box.direction() == direction
    assert row.minimumSizeHint().width() == 100
    places = [0, 108] if direction == ACROSS else [0, 0]
    qtbot.waitUntil(lambda: [part.x() for part in parts] == places)


def test_row_turns_when_a_part_comes_or_goes(qtbot: QtBot, window: QWidget) -> None:
    row = SideBySide(spacing=0)
    for _ in range(2):
        part = QWidget()
        part.setFixedWidth(100)
        row.box.addWidget(part)
    shown(window, row, 150)
    assert row.box.direction() == DOWN
    part.hide()
    qtbot.waitUntil(lambda: row.box.direction() == ACROSS)
    part.show()
    qtbot.waitUntil(lambda: row.box.direction() == DOWN)


def test_long_words_take_one_line_or_several_and_short_ones_are_never_broken(window: QWidget) -> None:
    long, short = Words("words " * 20, least=120), Words("words")
    shown(window, long, 2_000)
    shown(window, short, 100)
    assert long.sizeHint().width() == long.fontMetrics().size(0, long.text()).width()
    assert long.minimumSizeHint().width() == 120
    assert short.minimumSizeHint().width() == short.sizeHint().width()
    assert long.heightForWidth(120) > long.heightForWidth(2_000)


def test_click_chooses_one_answer_and_tells_its_key(qtbot: QtBot) -> None:
    options = Options("Is it true?", {"true": "True here", "not_true": "Not true here"})
    qtbot.addWidget(options)
    options.show()
    told: list[str] = []
    options.chosen.connect(told.append)
    assert options.key is None
    qtbot.mouseClick(options.options["not_true"], Qt.MouseButton.LeftButton)
    assert (options.key, told) == ("not_true", ["not_true"])
    options.show_key("true")
    assert (options.key, told) == ("true", ["not_true"])
    options.show_key(None)
    assert options.key is None
    assert options.options["true"].accessibleName() == "Is it true? True here"


def test_answers_of_another_question_bear_its_name(qtbot: QtBot) -> None:
    options = Options("Is it true?", {"true": "True here", "not_true": "R&D"})
    qtbot.addWidget(options)
    options.ask("Is this true?")
    assert options.accessibleName() == "Is this true?"
    assert [one.accessibleName() for one in options.options.values()] == [
        "Is this true? True here",
        "Is this true? R&D",
    ]
    options.call("not_true", "Q&A")
    assert options.options["not_true"].accessibleName() == "Is this true? Q&A"
    assert options.options["not_true"].text() == "Q&&A"


def test_head_says_more_only_beside_a_title_that_has_room(window: QWidget) -> None:
    card = Fold("Technical details")
    shown(window, card, 600)
    card.say("count, sensitivity 1, geometric mechanism")
    assert card.head.state.isVisible()
    card.resize(300, 200)
    QApplication.processEvents()
    assert not card.head.state.isVisible()
    assert card.head.accessibleName() == "Technical details. count, sensitivity 1, geometric mechanism"
    card.say("derived")
    assert card.head.state.isVisible()
