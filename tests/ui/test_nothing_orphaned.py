"""What is dropped goes at once, with all it holds: nothing of Qt is left for the collector of Python to delete.

The collector runs on whatever thread asks for memory, mostly that of the solver, and a widget that is deleted there
takes the whole program down. So whatever has no use any more is Qt's to delete: it has a parent, used or not.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
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
from tests.ui.fixtures import EXAMPLES, SIZE, forget, opened, show
from tests.ui.hands import Hands
from ui.app.window import MainWindow
from ui.panels import Panel
from ui.widgets import laid_out

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


def leave_for_good(window: MainWindow) -> None:
    """Show what of WINDOW is made late, and close it."""
    window.show_history()
    forget(window)
    window.close()
    window.deleteLater()


def without_a_place() -> list[Panel]:
    """Return the panels that stand nowhere."""
    return [one for one in QApplication.topLevelWidgets() if isinstance(one, Panel) and one.parent() is None]


@pytest.fixture(autouse=True)
def nothing_of_tests_before() -> Iterator[None]:
    """Leave out of the search what was there before: in a run of all tests it is most of the memory."""
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.plain_pages
def test_pages_half_made_or_with_folded_details_go_with_their_wizard(durham: Hands) -> None:
    while not without_a_place():
        assert durham.wizard.pages.make_next()
    durham.window.rebuild()
    assert orphans() == []
    assert without_a_place() == []
    for step in STEPS:
        durham.go(step.key)
    durham.window.rebuild()
    assert orphans() == []


def test_pages_with_open_details_go_with_their_wizard_and_all_else_with_the_window(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    hands = Hands(qtbot, opened(qapp, tmp_path, dark=False, ahead=False))
    show(qtbot, hands.window, SIZE)
    hands.window.open_path(EXAMPLES / "durham.json", example=True)
    for step in STEPS:
        hands.go(step.key)
        hands.page.make_technical()
    hands.window.rebuild()
    assert orphans() == []
    window = hands.window
    del hands
    leave_for_good(window)
    del window
    assert orphans() == []


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
