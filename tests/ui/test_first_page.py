"""The first page is painted before anything is loaded that it can do without; and all of that is there afterwards."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import main
from tests.ui.hands import PATIENCE, Hands
from ui import app as ui_app
from ui import examples
from ui.link import Caption

ROOT = Path(__file__).resolve().parents[2]
WATCHED = r"""
import builtins, gc, sys
import main
gc.disable()
from ui import app as ui_app
from dpwizard.put_off import PutOff
from PySide6.QtCore import QSize, QTimer

made, told = ui_app.make_window, {}

def state(window):
    return {
        "modules": sorted(name for name, module in sys.modules.items() if not isinstance(module, PutOff)),
        "put off": sorted(name for name, module in sys.modules.items() if isinstance(module, PutOff)),
        "import": builtins.__import__.__name__,
        "titles": [action.text() for action in window.menuBar().actions()],
        "entries": [len(action.menu().actions()) for action in window.menuBar().actions()],
        "icon": not window.windowIcon().isNull(),
        "collected": gc.isenabled(),
    }

def make(*arguments, **named):
    window = made(*arguments, **named)
    window.start.painted.connect(lambda: told.setdefault("painted", state(window)))
    window.ready.connect(lambda: QTimer.singleShot(0, lambda: ready(window)))
    return window

def ready(window):
    told["ready"] = state(window)
    try:
        QSize("wide", "high")
    except TypeError as problem:
        told["refused"] = str(problem)
    told["explained"] = state(window)
    window.close()

ui_app.make_window = make
status = main.main([])
import json
print(json.dumps(told))
sys.exit(status)
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return what was loaded when the first page was painted, when the window was ready, and after a wrong call was explained."""
    folder = str(tmp_path_factory.mktemp("home"))
    own = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "LOCALAPPDATA"), folder)
    environment = {**os.environ, **own, "QT_QPA_PLATFORM": "offscreen", "LC_ALL": "C.UTF-8"}
    command = [sys.executable, "-c", WATCHED]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


LATER = (
    "pydantic",
    "numpy",
    "scipy",
    "pyqtgraph",
    "asyncio",
    "argparse",
    "ast",
    "bz2",
    "email",
    "http",
    "json",
    "platform",
    "socket",
    "subprocess",
)
OURS = ("dpwizard.assessment", "dpwizard.decision", "dpwizard.fields", "dpwizard.numerics", "dpwizard.record")
VIEWS = ("ui.dialogs", "ui.error_report", "ui.forms", "ui.guide", "ui.pages", "ui.panels", "ui.session", "ui.wizard")


@pytest.mark.parametrize("name", LATER + OURS + VIEWS)
def test_the_first_page_is_painted_without(told: dict[str, Any], name: str) -> None:
    assert [found for found in told["painted"]["modules"] if found == name or found.startswith(f"{name}.")] == []


def test_what_pyside_needs_for_errors_and_tools_alone_is_not_run(told: dict[str, Any]) -> None:
    put_off = told["painted"]["put off"]
    for module in ("errorhandler", "layout", "lib.enum_sig", "lib.pyi_generator", "mapping", "parser"):
        assert f"shibokensupport.signature.{module}" in put_off
    assert {"inspect", "zipfile"} <= set(put_off)


def test_modules_are_imported_without_a_look_at_their_source(told: dict[str, Any]) -> None:
    assert told["painted"]["import"] != "__feature_import__"
    assert "shibokensupport.feature" in told["painted"]["modules"]  # it is there, and was asked


def test_what_python_itself_was_spared_is_run_before_there_are_threads(told: dict[str, Any]) -> None:
    assert {"inspect", "tempfile", "textwrap", "zipfile"} <= set(told["ready"]["modules"])


def test_a_wrong_call_of_qt_is_explained_all_the_same(told: dict[str, Any]) -> None:
    assert "shibokensupport.signature.parser" in told["ready"]["put off"]
    assert "QSize" in told["refused"]
    assert "Supported signatures" in told["refused"]
    assert "shibokensupport.signature.parser" in told["explained"]["modules"]


def test_the_menus_have_their_titles_at_once_and_their_entries_once_the_page_is_painted(told: dict[str, Any]) -> None:
    assert told["painted"]["titles"] == told["ready"]["titles"] == ["&File", "&Edit", "&View", "&Help"]
    assert told["painted"]["entries"] == [0, 0, 0, 0]
    assert told["ready"]["entries"] == [12, 5, 7, 5]


def test_the_icon_comes_after_the_paint(told: dict[str, Any]) -> None:
    assert (told["painted"]["icon"], told["ready"]["icon"]) == (False, True)


def test_garbage_is_collected_no_more_before_the_window_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ui_app, "run", lambda arguments: int(gc.isenabled()))
    try:
        assert main.main([]) == 0
    finally:
        gc.enable()


def test_garbage_is_collected_from_the_moment_the_window_is_ready(told: dict[str, Any]) -> None:
    assert (told["painted"]["collected"], told["ready"]["collected"]) == (False, True)


@pytest.mark.parametrize("width", [1366, 420])
def test_captions_stand_in_as_many_lines_as_they_need_and_are_whole_to_screen_readers(make_hands: Callable[..., Hands], width: int) -> None:
    start = make_hands(size=(width, 768)).window.start
    captions = start.findChildren(Caption)
    assert [caption.accessibleName() for caption in captions] == list(examples.notes().values())
    for caption in captions:
        assert caption.text().replace("\n", " ") == caption.accessibleName()
        lines = caption.text().split("\n")
        assert max(caption.fontMetrics().horizontalAdvance(line) for line in lines) <= caption.contentsRect().width()
        assert caption.height() >= len(lines) * caption.fontMetrics().lineSpacing()
    assert any("\n" in caption.text() for caption in captions) == (width < 1366)
    assert start.horizontalScrollBar().maximum() == 0


def test_a_theme_that_changes_before_the_first_paint_leaves_nothing_out(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> None:
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    window = ui_app.make_window(qapp, dark=False, settings=settings, state=tmp_path / "state")
    qtbot.addWidget(window)
    window.appearance.choose("dark")  # the start screen is made anew: it is the new one that is painted
    with qtbot.waitSignal(window.ready, timeout=PATIENCE):
        window.show()
    assert window.wizard is not None
    assert set(window.menus.actions) >= {"new", "save", "theme_dark", "guide"}
    assert not window.menus.actions["save"].isEnabled()
    assert [len(menu.actions()) for menu in (action.menu() for action in window.menuBar().actions()) if menu] == [12, 5, 7, 5]


def test_a_shortcut_pressed_before_the_first_paint_is_heard(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> None:
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
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
