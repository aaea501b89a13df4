"""What others have chosen, on the decision page: shown after one's own choice, when it is asked for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.ui.hands import Hands

pytestmark = [pytest.mark.one_window, pytest.mark.slow]

PADDING, INDICATOR = 16, 12  # pixels beside the words of a cell, and of the arrow of a column sorted by


def test_nothing_of_others_is_seen_before_a_budget_is_chosen(make_hands: Callable[..., Hands]) -> None:
    hands = make_hands("employment_outcomes").go("decision")
    assert not hands.page.precedents.isVisible()


def test_ones_own_choice_stands_among_the_others_moves_with_the_budget_and_no_word_is_cut(
    make_hands: Callable[..., Hands], qtbot: QtBot
) -> None:
    hands = make_hands("durham").go("decision")
    others = hands.page.precedents.table
    assert not others.fold.is_open
    hands.click(others.fold.head)
    assert others.table.isVisible()

    def place() -> int:
        return next(i for i, row in enumerate(others.table.rows()) if row[0] == "You")

    before = place()
    assert others.table.rows()[before][3] == "ε 2.2"
    hands.type(hands.page.number_card.epsilon.line, "0.1")
    qtbot.waitUntil(lambda: others.table.rows()[place()][3] == "ε 0.1")
    assert place() < before  # the least that a sign may show comes first
    for width in (1366, 1024):
        hands.window.resize(width, 768)
        qtbot.waitUntil(lambda width=width: hands.window.width() == width)
        table, headings = others.table, others.table.headings
        for column in range(len(table.columns())):
            lines = str(table.model().headerData(column, Qt.Orientation.Horizontal)).split("\n")
            widest = max(headings.fontMetrics().horizontalAdvance(line) for line in lines)
            assert widest + PADDING + INDICATOR <= table.columnWidth(column)
            assert len(lines) * headings.fontMetrics().height() <= headings.height()
        for row in range(len(table.rows())):
            assert table.sizeHintForRow(row) <= table.rowHeight(row)
            for column in range(len(table.columns())):
                longest = max(table.rows_model.words_at(row, column).split(), key=len)
                assert table.fontMetrics().horizontalAdvance(longest) + PADDING <= table.columnWidth(column)
    hands.click(others.fold.head)
    assert not others.table.isVisible()
    assert others.says.words.startswith("You have your own answer now.")
    hands.type(hands.page.number_card.epsilon.line, "0.2")
    hands.click(others.fold.head)
    qtbot.waitUntil(lambda: others.table.rows()[place()][3] == "ε 0.2")
