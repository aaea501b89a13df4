"""The first page is painted before anything is loaded that it can do without; and all of that is there afterwards."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpwizard.decision import STEPS
from tests.ui.hands import PATIENCE, Hands
from ui.app import application as ui_app
from ui.host import keep_technical_details_open

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
WATCHED = r"""
import sys
import main
from ui.app import application as ui_app
from PySide6.QtCore import QTimer

made, told = ui_app.make_window, {}

def state(window):
    return {
        "modules": sorted(sys.modules),
        "titles": [action.text() for action in window.menuBar().actions()],
        "entries": [len(action.menu().actions()) for action in window.menuBar().actions()],
        "icon": not window.windowIcon().isNull(),
    }

def make(*arguments, **named):
    window = made(*arguments, **named)
    window.start.painted.connect(lambda: told.setdefault("painted", state(window)))
    window.ready.connect(lambda: QTimer.singleShot(0, lambda: ready(window)))
    return window

def ready(window):
    told["ready"] = state(window)
    try:
        window.resize("wide")
    except TypeError as problem:
        told["refused"] = str(problem)
    window.close()

ui_app.make_window = make
status = main.main([])
import json
print(json.dumps(told))
sys.exit(status)
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return what was loaded when the first page was painted and when the window was ready, and what was said of a
    wrong call."""
    folder = str(tmp_path_factory.mktemp("home"))
    own = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "LOCALAPPDATA"), folder)
    environment = {**os.environ, **own, "QT_QPA_PLATFORM": "offscreen", "LC_ALL": "C.UTF-8"}
    command = [sys.executable, "-c", WATCHED]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


# what takes longest to load, each some hundredths of a second to half a second
COSTLY = ("numpy", "pydantic", "pyhanko", "pyqtgraph", "scipy", "typst")


def test_the_first_page_is_painted_without_what_takes_long_to_load(told: dict[str, Any]) -> None:
    assert {found.partition(".")[0] for found in told["painted"]["modules"]} & set(COSTLY) == set()


def test_a_wrong_call_of_qt_raises_a_type_error_in_the_running_window_that_says_what_is_allowed(
    told: dict[str, Any],
) -> None:
    assert "resize" in told["refused"]
    assert "Supported signatures" in told["refused"]


def test_a_shortcut_pressed_before_the_first_paint_is_heard(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> None:
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    keep_technical_details_open(settings, True)
    window = ui_app.make_window(qapp, dark=False, settings=settings, state=tmp_path / "state", language="en")
    qtbot.addWidget(window)
    window.start.blockSignals(True)  # nothing is told of a paint
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    qtbot.waitUntil(lambda: qapp.activeWindow() is window, timeout=PATIENCE)
    assert not window.menus.actions
    qtbot.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert window.wizard is not None
    assert window.stack.currentWidget() is window.wizard


def test_pages_are_made_ahead_in_pieces_and_one_gone_to_meanwhile_is_whole(durham: Hands) -> None:
    pages = durham.wizard.pages
    pieces = 0
    while "adversary" not in {page.key for page in pages.made}:
        assert pages.make_next()
        pieces += 1
    assert pieces > 4
    for _ in range(3):  # imported, begun, and a piece of it made
        assert pages.make_next()
    assert "profile" not in {page.key for page in pages.made}
    durham.go("profile")
    page = durham.page
    assert len(page.cards.cards) == 1
    assert len(page.figure_panels) == 6
    while pages.make_next():
        pass
    assert [page.key for page in pages.made] == [step.key for step in STEPS]
