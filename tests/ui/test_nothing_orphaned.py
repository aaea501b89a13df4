"""What is dropped goes at once, with all it holds: nothing of Qt is left for the collector of Python to delete.

The collector runs on whatever thread asks for memory, mostly that of the solver, and a widget that is deleted there
takes the whole program down. So whatever has no use any more is Qt's to delete: it has a parent, used or not.
"""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import (
    QApplication,
    QGraphicsItem,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from dpwizard.decision import STEPS
from tests.ui.dialogs import DIALOGS, shown_dialogs
from tests.ui.dialogs import opened as opened_dialog
from tests.ui.fixtures import SIZE, forget, opened, show
from tests.ui.hands import Hands
from ui.app.window import MainWindow
from ui.panels import Panel
from ui.widgets import laid_out

SHOWN = 20  # milliseconds
ROOT = Path(__file__).resolve().parents[2]


def orphans() -> list[str]:
    """Return what of Qt nobody holds any more and the collector would delete."""
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        gc.collect()
    finally:
        gc.set_debug(0)
    found = [
        repr(each)
        for each in gc.garbage
        if isinstance(each, QObject | QGraphicsItem | QLayoutItem)
        and shiboken6.isValid(each)
        and shiboken6.ownedByPython(each)
    ]
    gc.garbage.clear()
    return found


def without_a_place() -> list[Panel]:
    """Return the panels that stand nowhere."""
    return [one for one in QApplication.topLevelWidgets() if isinstance(one, Panel) and one.parent() is None]


@pytest.fixture(autouse=True)
def nothing_of_tests_before() -> None:
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()


@pytest.mark.plain_pages
def test_pages_with_folded_details_go_with_their_wizard(durham: Hands) -> None:
    for step in STEPS:
        durham.go(step.key)
    durham.window.rebuild()
    assert orphans() == []


def test_pages_with_open_details_go_with_their_wizard(durham: Hands) -> None:
    for step in STEPS:
        durham.go(step.key)
        durham.page.make_technical()
    durham.window.rebuild()
    assert orphans() == []


@pytest.mark.plain_pages
def test_a_page_half_made_goes_with_its_wizard(durham: Hands) -> None:
    while not without_a_place():
        assert durham.wizard.pages.make_next()
    durham.window.rebuild()
    assert orphans() == []
    assert without_a_place() == []


def items_kept() -> int:
    return sum(isinstance(one, QLayoutItem) and not isinstance(one, QLayout) for one in gc.get_objects())


def test_a_layout_is_read_without_its_items_which_qt_deletes_with_their_widgets(qtbot: QtBot) -> None:
    shown = QWidget()
    qtbot.addWidget(shown)
    column, row = QVBoxLayout(shown), QHBoxLayout()
    first, second, last = QLabel(), QLabel(), QLabel()
    column.addWidget(last)
    column.insertLayout(0, row)
    row.addWidget(second)
    row.addStretch(1)
    row.insertWidget(0, first)
    before = items_kept()
    assert laid_out(column) == [row, last]
    assert laid_out(row) == [first, second]
    assert laid_out(QVBoxLayout()) == []
    assert items_kept() == before
    asking = [path.name for path in (ROOT / "ui").rglob("*.py") if ".itemAt(" in path.read_text("utf-8")]
    assert asking == []


def _use_every_dialog(window: MainWindow, bot: QtBot) -> None:
    hands = Hands(bot, window)
    for name in DIALOGS:
        dialog = opened_dialog(name, window, hands.wait)
        bot.wait(SHOWN)
        while shown := shown_dialogs():
            shown[0].reject()
            hands.wait(lambda shown=shown: shown[0] not in shown_dialogs())
        del dialog
    window.show_history()


def test_dialogs_go_when_they_are_closed_and_all_else_with_the_window(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    window = opened(qapp, tmp_path, dark=False, ahead=False)
    show(qtbot, window, SIZE)
    _use_every_dialog(window, qtbot)
    forget(window)
    window.close()
    window.deleteLater()
    del window
    assert orphans() == []
