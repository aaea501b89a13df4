"""What is left behind goes: the pages of another theme, what solved for them, what the typesetter remembers."""

from __future__ import annotations

import ctypes
import gc
import weakref
from datetime import UTC, datetime

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpwizard.edits import put
from tests.ui.hands import PATIENCE, Hands
from ui.records.preview import typeset

MOST = 8.0  # MB that eight more records may leave in memory; each left 15 once


class Allocated(ctypes.Structure):
    """What the C library says of its memory (man mallinfo2)."""

    _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "o", "s", "h", "mapped", "u", "f", "used", "free", "k")]


def allocated() -> float:
    """Return the MB handed out by the C library and not given back."""
    library = ctypes.CDLL("libc.so.6")
    library.mallinfo2.restype = Allocated
    found = library.mallinfo2()
    return float(found.used + found.mapped) / 1e6


def make_all_pages(hands: Hands) -> None:
    """Wait until every page was made ahead and is taken to stay."""
    hands.bot.waitUntil(lambda: not hands.wizard._ahead.isActive(), timeout=PATIENCE)
    assert len(hands.wizard.pages.made) == 7


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


def test_ten_records_typeset_leave_no_more_in_memory_than_two(durham: Hands) -> None:
    sizes = []
    for number in range(10):
        typeset(put(durham.session.decision, "$.title", f"Draft {number}"), datetime(2026, 11, 21, 9, tzinfo=UTC), 96.0)
        sizes.append(allocated())
    assert sizes[-1] - sizes[1] < MOST, sizes
