"""What is left behind goes: the pages of another theme, what solved for them, what the typesetter remembers."""

from __future__ import annotations

import gc
import weakref
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import Qt, QTranslator
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpwizard.base.language import speaking
from dpwizard.decision.edits import put
from tests.soak.monkey_notes import in_use
from tests.ui.hands import PATIENCE, Hands
from ui.signing.preview import typeset

MOST = 8.0  # MB that eight more records may leave in memory; each left 15 once


def make_all_pages(hands: Hands) -> None:
    """Wait until every page was made ahead and is taken to stay."""
    hands.bot.waitUntil(lambda: not hands.wizard._ahead.isActive(), timeout=PATIENCE)
    assert len(hands.wizard.pages.made) == 7


@pytest.mark.soak
def test_another_theme_keeps_nothing_of_the_pages_of_the_former_one(durham: Hands, qtbot: QtBot) -> None:
    hands = durham
    hands.window.menus.actions["theme_dark"].trigger()  # what is made only once is there from now on
    hands.settle()
    make_all_pages(hands)
    widgets = len(QApplication.allWidgets())
    old = [weakref.ref(one) for one in (hands.wizard, hands.wizard.solver, *hands.wizard.pages.made)]
    hands.window.menus.actions["theme_light"].trigger()
    hands.settle()

    def gone() -> bool:
        gc.collect()  # nothing but circles among themselves may still hold them
        return not any(one() for one in old)

    qtbot.waitUntil(gone, timeout=PATIENCE)
    make_all_pages(hands)
    assert len(QApplication.allWidgets()) <= widgets


@pytest.mark.soak
def test_the_guide_keeps_no_page_but_the_one_it_shows(durham: Hands, qtbot: QtBot) -> None:
    window = durham.window
    qtbot.keyClick(window, Qt.Key.Key_F1)
    guide = window.guide
    assert guide is not None
    for _ in range(10):
        qtbot.keyClick(guide.list, Qt.Key.Key_Down)
        guide.resize(guide.width() - 20, guide.height())  # sets the page anew as well
    qtbot.waitUntil(lambda: guide.page.findChildren(QTextDocument) == [guide.page.document()])


@pytest.mark.soak
def test_a_language_keeps_no_translator_of_the_former_one(durham: Hands, qtbot: QtBot) -> None:
    window = durham.window
    with speaking("en"):
        for key in ("language_de", "language_en", "language_de", "language_en"):
            window.menus.actions[key].trigger()
        qtbot.waitUntil(lambda: window.language.findChildren(QTranslator) == [])


@pytest.mark.soak
def test_ten_records_typeset_leave_no_more_in_memory_than_two(durham: Hands) -> None:
    sizes = []
    for number in range(10):
        typeset(put(durham.session.decision, "$.title", f"Draft {number}"), datetime(2026, 11, 21, 9, tzinfo=UTC), 96.0)
        sizes.append(in_use())
    assert sizes[-1] - sizes[1] < MOST, sizes
