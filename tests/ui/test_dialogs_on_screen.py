"""Every dialog lies whole on a screen of 1366 x 768 pixels, is told apart by its names, and is used by Tab."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QDialog, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.access_walk import controls, wrong
from tests.ui.dialogs import DIALOGS, opened, shown_dialogs
from tests.ui.fixtures import opened as opened_window
from tests.ui.fixtures import show
from tests.ui.hands import Hands
from tests.ui.test_access_keyboard import stops, walked
from tests.ui.test_nothing_orphaned import leave_for_good, orphans
from tests.ui.test_seen_whole import entries_are_whole
from ui.widgets import dialogs, on_screen

SCREEN = QRect(0, 0, 1366, 768)
BESIDE_A_BAR = QRect(100, 40, 1000, 600)  # what a desktop leaves of a screen


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> QRect:
    """Return the screen that every dialog is told of."""
    monkeypatch.setattr(dialogs, "room_of", lambda window: SCREEN)
    return SCREEN


def closed(hands: Hands, dialog: QDialog) -> None:
    """Leave DIALOG with Escape, and give the keyboard back to the window."""
    hands.bot.keyClick(QApplication.focusWidget() or dialog, Qt.Key.Key_Escape)
    hands.wait(lambda: dialog not in shown_dialogs())
    for other in shown_dialogs():
        other.close()
    hands.window.activateWindow()
    hands.wait(lambda: QApplication.activeWindow() is hands.window)


@pytest.mark.slow
def test_every_dialog_fits_a_small_screen_and_is_used_by_keyboard_and_by_name(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, screen: QRect
) -> None:
    gc.collect()
    hands = Hands(qtbot, opened_window(qapp, tmp_path, dark=False, ahead=False))
    show(qtbot, hands.window, (1366, 768 - dialogs.FRAME.height()))
    look_at_dialogs(hands, screen)
    window = hands.window
    del hands
    leave_for_good(window)
    del window
    assert orphans() == []  # a dialog goes when it is closed


def look_at_dialogs(hands: Hands, screen: QRect) -> None:
    """Require of every dialog that it fits SCREEN, and is used by Tab and told by its names."""
    most = screen.size() - dialogs.FRAME
    for name in DIALOGS:
        dialog = opened(name, hands.window, hands.wait)
        assert dialog.minimumSizeHint().boundedTo(most) == dialog.minimumSizeHint(), name
        hands.wait(lambda dialog=dialog: screen.contains(QRect(dialog.pos(), dialog.size() + dialogs.FRAME)))
        dialog.activateWindow()
        hands.wait(lambda dialog=dialog: QApplication.activeWindow() is dialog)
        assert dialog.windowTitle(), name
        assert wrong(list(controls(dialog))) == [], name
        wanted = stops(dialog)
        path = walked(hands, wanted[0])
        radio = {one for one in wanted if isinstance(one, QAbstractButton) and one.autoExclusive()}
        missed = [one for one in wanted if one not in path and one not in radio]
        assert [one.accessibleName() or type(one).__name__ for one in missed] == [], name
        for box in dialog.findChildren(QComboBox):
            if box.isVisible() and box.count():
                entries_are_whole(hands, box)
        closed(hands, dialog)


@pytest.mark.parametrize("room", [SCREEN, BESIDE_A_BAR])
def test_a_frame_is_placed_within_the_room_there_is(room: QRect) -> None:
    size = QSize(900, 590)
    for corner in ((0, 0), (5_000, 5_000), (-5_000, -5_000)):
        assert room.contains(QRect(dialogs.placed(size, QRect(QPoint(*corner), QSize(400, 300)), room), size))
    assert dialogs.placed(QSize(4_000, 4_000), room, room) == room.topLeft()  # its title bar is seen


@pytest.mark.parametrize("size", [(300, 200), (4_000, 4_000)])
def test_a_dialog_has_its_place_before_it_is_shown(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    monkeypatch.setattr(dialogs, "room_of", lambda window: BESIDE_A_BAR)
    dialog = QDialog()
    qtbot.addWidget(dialog)
    dialog.resize(*size)
    on_screen(dialog)
    assert BESIDE_A_BAR.contains(QRect(dialog.pos(), dialog.size() + dialogs.FRAME))


def test_a_dialog_is_moved_onto_its_screen_once_it_is_shown_and_stays_where_it_is_moved_later(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog, other = QDialog(), QWidget()
    for window in (dialog, other):
        qtbot.addWidget(window)
    monkeypatch.setattr(dialogs, "room_of", lambda window: QRect(0, 0, 800, 800))
    dialog.resize(400, 300)
    dialog.move(0, 0)
    on_screen(dialog)
    monkeypatch.setattr(dialogs, "room_of", lambda window: BESIDE_A_BAR)  # known only now
    dialog.move(0, 0)
    dialog.show()
    dialog.activateWindow()
    qtbot.waitUntil(lambda: BESIDE_A_BAR.contains(dialog.frameGeometry()))
    dialog.move(0, 0)
    other.show()
    other.activateWindow()
    qtbot.waitUntil(other.isActiveWindow)
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    qtbot.wait(20)
    assert not BESIDE_A_BAR.contains(dialog.frameGeometry())
