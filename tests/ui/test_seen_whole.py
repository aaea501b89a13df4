"""Lists show their last entry whole, and no field hides digits of the number it holds."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QComboBox
from pytestqt.qtbot import QtBot

from dpwizard.base.language import LANGUAGES, speaking
from dpwizard.base.values import read
from dpwizard.decision import edits
from dpwizard.privacy.profiles import Profile
from tests.samples import profiles
from tests.ui.hands import LEFT, Hands
from ui.controls import Choice, NumberLine
from ui.forms.numbers import parsed, written
from ui.forms.profile_tables import FORMS

pytestmark = pytest.mark.one_window

HOSTILE = (41.666666667, 0.0000833333, 123456789012345.0, 1.23456789012345e-300, 1 / 3, 1e299 / 3, 0.1 + 0.2, 5.0)


# ---------------------------------------------------------------------------------------------- numbers


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_number_wider_than_its_field_is_shortened_with_a_mark_and_its_size_stays_true(
    qtbot: QtBot, language: str
) -> None:
    with speaking(language):
        line = NumberLine()
        qtbot.addWidget(line)
        for number, width in product(HOSTILE, (96, 136, 184)):
            line.setFixedWidth(width)
            line.setText(written(number))
            shown = line.painted_text()
            assert line.fontMetrics().horizontalAdvance(shown) <= line._text_rect().width()
            assert shown == line.text() or "…" in shown
            assert (".", ",")[language == "en"] not in shown
            near = parsed(shown.replace("…", ""))
            assert near <= number
            assert near == pytest.approx(number, rel=0.15)
            assert line.text() == written(number)  # what is read, copied and spoken is the whole


@pytest.mark.slow
def test_a_number_that_has_the_keyboard_is_shown_whole(durham: Hands) -> None:
    durham.fill("$.release.sensitivity", "41.6666666666667")
    line: Any = durham.editor("$.release.sensitivity").controls()[0]
    assert "…" in line.painted_text()
    line.setFocus()
    assert line.painted_text() == "41.6666666666667"


# ------------------------------------------------------------------------------------------------ lists


TABLED = [one for one in profiles.every() if type(read(Profile, one)) in FORMS]


@pytest.mark.slow
def test_a_table_of_a_profile_shows_its_last_row_whole_with_and_without_the_keyboard(durham: Hands) -> None:
    hands = durham
    decision = edits.put(hands.session.decision, "$.requirements[0].adversary", "both")
    decision = edits.put(decision, "$.requirements[0].q", [0, 1])
    hands.go("profile")
    for profile in TABLED:
        hands.session.edit("Take another profile", edits.put(decision, "$.requirements[0].profile", profile))
        hands.settle()
        table = hands.page.cards.cards[0].form.nested["profile"].form.table
        for focused in (False, True):
            table.setFocus() if focused else table.clearFocus()
            for _ in range(3):
                QApplication.processEvents()
            assert table.viewport().height() >= sum(table.rowHeight(row) for row in range(len(table.rows()))), profile


def entries_are_whole(hands: Hands, box: QComboBox) -> None:
    """Click BOX, as one does, and require that each entry of its list is seen whole, none behind an arrow."""
    box.setFocus()  # its edge is wider then
    hands.bot.mouseClick(box, LEFT)
    hands.bot.waitUntil(box.view().isVisible)
    QApplication.processEvents()
    view = box.view()
    assert view.verticalScrollBar().maximum() == 0, box.accessibleName()
    last = view.visualRect(view.model().index(box.count() - 1, 0))
    room = view.viewport()
    assert room.rect().contains(QRect(0, last.top(), 1, last.height())), box.accessibleName()
    widest = max(box.fontMetrics().horizontalAdvance(box.itemText(index)) for index in range(box.count()))
    assert widest <= room.width() - 8, box.accessibleName()
    box.hidePopup()
    box.window().activateWindow()  # the off-screen platform does not give the keyboard back by itself
    hands.bot.waitUntil(lambda: QApplication.activeWindow() is box.window())


def test_a_choice_wider_than_its_box_ends_in_a_mark_that_says_so(qtbot: QtBot) -> None:
    pictures = []
    for words in (
        "The chance may neither rise nor drop",
        "The chance may neither rise nor drop by more than the advantage",
    ):
        box = Choice()
        qtbot.addWidget(box)
        box.addItem(words)
        box.setFixedSize(160, 30)
        pictures.append(box.grab().toImage())
    assert pictures[0] == pictures[1]  # both are shortened at the same letter, not cut through the next
