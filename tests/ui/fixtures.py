"""The window for tests: shown off screen, with settings of its own, its solver ended with the test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.hands import Hands
from ui.app import application as ui_app
from ui.app.window import MainWindow

NEVER = 24 * 3_600_000  # milliseconds
EXAMPLES = Path(__file__).resolve().parents[2] / "resources" / "examples"


@pytest.fixture
def make_hands(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Hands]:
    """Return a maker of windows, each with hands at it: the start screen, or an example opened.

    AHEAD: the pages that are not shown are made while nothing else is to do, as in the program; else when they are gone
    to.
    """

    def forget(window: MainWindow) -> None:
        """Let the window be closed without a question: nothing is unsaved."""
        if window.session is not None:
            window.session.start(window.session.decision)

    def make(
        example: str = "", *, dark: bool = False, size: tuple[int, int] = (1366, 768), ahead: bool = False
    ) -> Hands:
        ui_app.application([])
        QApplication.sendPostedEvents(
            None, QEvent.Type.DeferredDelete
        )  # the windows of tests before would be given the theme, too
        settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
        window = ui_app.make_window(qapp, dark=dark, settings=settings, state=tmp_path / "state")
        qtbot.addWidget(window, before_close_func=forget)
        window.resize(*size)
        with qtbot.waitExposed(window):
            window.show()
        window.activateWindow()  # without it no field has the keyboard and no shortcut is heard
        qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
        with monkeypatch.context() as patch:
            if not ahead:
                patch.setattr("ui.app.wizard.AHEAD", NEVER)
            window.prepare()
        hands = Hands(qtbot, window)
        if example:
            window.open_path(EXAMPLES / f"{example}.json", example=True)
            hands.settle()
        return hands

    return make


@pytest.fixture
def durham(make_hands: Callable[..., Hands]) -> Hands:
    """Return hands at the window with the Durham example open."""
    return make_hands("durham")


@pytest.fixture
def empty(make_hands: Callable[..., Hands]) -> Hands:
    """Return hands at the window with an empty decision."""
    hands = make_hands()
    hands.click(hands.window.start.new_button)
    return hands
