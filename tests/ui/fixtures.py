"""The window for tests: shown off screen, with settings of its own, its solver ended with the test."""

from __future__ import annotations

import functools
import pickle
import pkgutil
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpwizard.base import worker
from tests.samples.made_once import typeset_once
from tests.ui.hands import Hands
from ui.app import application as ui_app
from ui.app.window import MainWindow
from ui.host import keep_technical_details_open
from ui.workers import typesetting_process
from ui.workers.worker_process import WorkerProcess

SIZE = (1366, 768)
NEVER = 24 * 3_600_000  # milliseconds
BEGUN = datetime.now(UTC).replace(microsecond=0)
EXAMPLES = Path(__file__).resolve().parents[2] / "resources" / "examples"
SLOW = (  # functions that read files or compute for long
    "dpwizard.base.files.read_bytes",
    "dpwizard.base.files.write_atomically",
    "dpwizard.projects.next_release.begin",
    "dpwizard.projects.project.open_project",
    "dpwizard.sheets.read_tables",
    "dpwizard.sheets.with_tables",
    "ui.elicitation.interviewer.next_step",
    "ui.help.guide.search",
    "ui.sheets.grid_dialog.with_grid",
    "ui.signing.ledger_dialog.ledger_view",
    "ui.signing.policy_card.read",
    "ui.signing.second_opinion.examine",
    "ui.signing.second_opinion.examine_claim",
    "ui.signing.signature_files.own_files",
    "ui.signing.standing.read_lying",
)


def behind(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
    """Return REAL, the function called NAME, which complains where the window calls it on its own thread."""

    @functools.wraps(real)
    def watched(*given: Any, **named: Any) -> Any:
        here = threading.current_thread() is threading.main_thread()
        of_the_window = sys._getframe(1).f_globals["__name__"].startswith("ui.")
        assert not (here and of_the_window), f"{name} makes the window wait: do it behind the window"
        return real(*given, **named)

    return watched


@pytest.fixture(scope="session", autouse=True)
def nothing_slow_on_the_window() -> Iterator[None]:
    """Watch every slow function in all tests of the window."""
    with pytest.MonkeyPatch.context() as patch:
        for name in SLOW:
            patch.setattr(name, behind(name, pkgutil.resolve_name(name)))
        yield


@pytest.fixture(autouse=True)
def work_done_here(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Typeset and judge in this process: starting another takes a second. Tests of those processes are marked.

    Records are dated, and the pages of one moment are set once: the clock of whoever signs stands.
    """
    clock = SimpleNamespace(now=BEGUN.astimezone)
    monkeypatch.setattr("ui.signing.sign_form.datetime", clock)
    if request.node.get_closest_marker("own_process") is None:
        here = behind("WorkerProcess.do", lambda _, *sent: _run_here(*sent))
        monkeypatch.setattr(typesetting_process, "typeset_in_process", behind("typeset_in_process", typeset_once))
        monkeypatch.setattr(WorkerProcess, "do", here)


def _run_here(task: worker.Task, given: tuple[Any, ...], progress: worker.Progress) -> Any:
    """Run TASK in this process, on arguments that can be sent to another one, and return a result that can be sent."""
    sent = pickle.loads(pickle.dumps(given))
    return pickle.loads(pickle.dumps(worker.run_here(task, sent, progress)))


def forget(window: MainWindow) -> None:
    """Let the window be left without a question: nothing is unsaved, and no page is half made."""
    if window.wizard is not None:
        window.wizard.pages.finish()
    if window.session is not None:
        window.session.start(window.session.decision)


def opened(app: QApplication, folder: Path, *, dark: bool, ahead: bool, folded: bool = False) -> MainWindow:
    """Return a window, its settings and files in FOLDER, at its start screen and ready.

    FOLDED: its technical details are folded, as on a fresh machine; else they are open on every page.
    """
    ui_app.application([])
    # or the windows of tests before would be given the theme, too
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    keep_technical_details_open(settings, not folded)
    window = ui_app.make_window(app, dark=dark, settings=settings, state=folder / "state")
    settings.setParent(window)
    with pytest.MonkeyPatch.context() as patch:
        if not ahead:
            patch.setattr("ui.app.wizard.AHEAD", NEVER)
        window.prepare()
    return window


def show(bot: QtBot, window: MainWindow, size: tuple[int, int]) -> None:
    window.resize(*size)
    with bot.waitExposed(window):
        window.show()
    window.activateWindow()  # without it no field has the keyboard and no shortcut is heard
    bot.waitUntil(lambda: QApplication.activeWindow() is window)


@pytest.fixture(scope="module")
def kept_window(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., MainWindow]]:
    """Return a maker of the window (FOLDED: of `plain_pages`) that the tests marked `one_window` use in turn."""

    made: dict[bool, MainWindow] = {}

    def kept(*, folded: bool) -> MainWindow:
        if folded not in made:
            made[folded] = opened(qapp, tmp_path_factory.mktemp("window"), dark=False, ahead=False, folded=folded)
        return made[folded]

    yield kept
    for window in made.values():
        forget(window)
        window.close()
        window.deleteLater()


@pytest.fixture
def make_hands(
    request: pytest.FixtureRequest, qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> Callable[..., Hands]:
    """Return a maker of windows, each with hands at it: the start screen, or an example opened.

    AHEAD: the pages that are not shown are made while nothing else is to do, as in the program; else when they are gone
    to. Where the module is marked `one_window`, the plain window is that of the test before: it opens the next decision
    as it would for an officer, and nothing of the one before is left.
    OWN, or a test marked `own_window`: a window of its own all the same.
    """
    folded = request.node.get_closest_marker("plain_pages") is not None
    shared = request.node.get_closest_marker("one_window") is not None
    free = [shared and request.node.get_closest_marker("own_window") is None]

    def make(
        example: str = "", *, dark: bool = False, size: tuple[int, int] = SIZE, ahead: bool = False, own: bool = False
    ) -> Hands:
        if free[0] and not (dark or ahead or own):
            free[0] = False
            window = request.getfixturevalue("kept_window")(folded=folded)
            forget(window)
            window.show_start()
        else:
            window = opened(qapp, tmp_path, dark=dark, ahead=ahead, folded=folded)
            qtbot.addWidget(window, before_close_func=forget)
        show(qtbot, window, size)
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
