"""Every dialog fits a screen of 1366 x 768 pixels and lies on it with its title bar."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QDialog, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.dialogs import DIALOGS, opened
from tests.ui.hands import Hands
from ui.widgets import dialogs, on_screen

SCREEN = QRect(0, 0, 1366, 768)
BESIDE_A_BAR = QRect(100, 40, 1000, 600)  # what a desktop leaves of a screen


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> QRect:
    """Return the screen that every dialog is told of."""
    monkeypatch.setattr(dialogs, "room_of", lambda window: SCREEN)
    return SCREEN


@pytest.mark.slow
@pytest.mark.own_window
@pytest.mark.parametrize("name", DIALOGS)
def test_every_dialog_fits_a_small_screen_and_its_title_bar_is_on_it(
    name: str, make_hands: Callable[..., Hands], screen: QRect
) -> None:
    hands = make_hands(size=(1366, 768 - dialogs.FRAME.height()))
    dialog = opened(name, hands.window, hands.wait)
    most = screen.size() - dialogs.FRAME
    assert dialog.minimumSizeHint().boundedTo(most) == dialog.minimumSizeHint()
    hands.wait(lambda: screen.contains(QRect(dialog.pos(), dialog.size() + dialogs.FRAME)))


@pytest.mark.parametrize("room", [SCREEN, BESIDE_A_BAR])
@pytest.mark.parametrize("corner", [(0, 0), (5_000, 5_000), (-5_000, -5_000)])
def test_a_frame_is_placed_within_the_room_there_is(room: QRect, corner: tuple[int, int]) -> None:
    over = QRect(QPoint(*corner), QSize(400, 300))
    size = QSize(900, 590)
    assert room.contains(QRect(dialogs.placed(size, over, room), size))


@pytest.mark.parametrize("room", [SCREEN, BESIDE_A_BAR])
def test_of_a_frame_larger_than_the_screen_the_title_bar_is_seen(room: QRect) -> None:
    assert dialogs.placed(QSize(4_000, 4_000), room, room) == room.topLeft()


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
