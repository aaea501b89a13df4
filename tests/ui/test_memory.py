"""What is left behind goes: the pages of another theme, what solved for them, what the typesetter remembers."""

from __future__ import annotations

import gc
import weakref
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt, QTranslator
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from benchmarks.monkey_notes import in_use, resident
from dpwizard.edits import put
from dpwizard.language import speaking
from tests.ui.hands import PATIENCE, Hands
from ui.records.preview import typeset
from ui.thrift import c_library

MOST = 8.0  # MB that eight more records may leave in memory; each left 15 once


def make_all_pages(hands: Hands) -> None:
    """Wait until every page was made ahead and is taken to stay."""
    hands.bot.waitUntil(lambda: not hands.wizard._ahead.isActive(), timeout=PATIENCE)
    assert len(hands.wizard.pages.made) == 7


@pytest.mark.slow
def test_another_theme_keeps_nothing_of_the_pages_of_the_former_one(durham: Hands, qtbot: QtBot) -> None:
    hands = durham
    hands.window.menus.actions["theme_dark"].trigger()  # what is made only once is there from now on
    hands.settle()
    make_all_pages(hands)
    widgets = len(QApplication.allWidgets())
    old = [weakref.ref(one) for one in (hands.wizard, hands.wizard.solver, *hands.wizard.pages.made)]
    assert gc.get_freeze_count() > 0  # the collector does not look at them
    hands.window.menus.actions["theme_light"].trigger()
    hands.settle()
    qtbot.waitUntil(lambda: not any(one() for one in old), timeout=PATIENCE)
    make_all_pages(hands)
    assert len(QApplication.allWidgets()) <= widgets


def test_the_guide_keeps_no_page_but_the_one_it_shows(durham: Hands, qtbot: QtBot) -> None:
    window = durham.window
    qtbot.keyClick(window, Qt.Key.Key_F1)
    guide = window.guide
    assert guide is not None
    for _ in range(10):
        qtbot.keyClick(guide.list, Qt.Key.Key_Down)
        guide.resize(guide.width() - 20, guide.height())  # sets the page anew as well
    qtbot.waitUntil(lambda: guide.page.findChildren(QTextDocument) == [guide.page.document()])


def test_a_language_keeps_no_translator_of_the_former_one(durham: Hands, qtbot: QtBot) -> None:
    window = durham.window
    with speaking("en"):
        for key in ("language_de", "language_en", "language_de", "language_en"):
            window.menus.actions[key].trigger()
        qtbot.waitUntil(lambda: window.language.findChildren(QTranslator) == [])


def test_what_was_freed_is_handed_back_while_nobody_is_at_work(durham: Hands, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    thrift, busy, called = durham.window.thrift, [True], []
    monkeypatch.setattr(thrift, "_busy", lambda: busy[0])
    monkeypatch.setattr("ui.thrift.LONGEST", 1_000_000)
    thrift.timer.timeout.connect(lambda: called.append(True))
    thrift.timer.setInterval(1)
    assert c_library() is not None
    blocks = [bytearray(2_000) for _ in range(50_000)]  # 100 MB
    held = resident()
    kept = blocks[::40]  # so that what is freed lies between what is not
    del blocks
    qtbot.waitUntil(lambda: len(called) > 2)
    assert resident() > held - 20
    busy[0] = False
    qtbot.waitUntil(lambda: resident() < held - 50)
    assert len(kept) == 1_250


@pytest.mark.slow
def test_ten_records_typeset_leave_no_more_in_memory_than_two(durham: Hands) -> None:
    sizes = []
    for number in range(10):
        typeset(put(durham.session.decision, "$.title", f"Draft {number}"), datetime(2026, 11, 21, 9, tzinfo=UTC), 96.0)
        sizes.append(in_use())
    assert sizes[-1] - sizes[1] < MOST, sizes


def test_who_never_rests_is_paused_at_every_third_look(durham: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    thrift, trims = durham.window.thrift, []
    monkeypatch.setattr(thrift, "_library", SimpleNamespace(malloc_trim=trims.append))
    monkeypatch.setattr(thrift, "_busy", lambda: True)
    for _ in range(6):
        thrift.hand_back()
    assert len(trims) == 2


def test_who_has_just_edited_is_at_work(durham: Hands, qtbot: QtBot) -> None:
    durham.window.edited.setInterval(60_000)
    durham.window.session.put("Name it", "$.title", "Another name")
    durham.settle()
    assert durham.window._at_work()
    durham.window.edited.start(1)
    qtbot.waitUntil(lambda: not durham.window._at_work())
