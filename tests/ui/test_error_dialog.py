"""What nobody caught is said once and the work goes on; the log and the details hold nothing that was entered."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget

from dpwizard.base.errors import InvalidInput
from tests.ui.hands import LEFT, Hands
from ui.app import error_report, program_log
from ui.app.error_dialog import Catcher

pytestmark = [pytest.mark.one_window, pytest.mark.slow]

SECRET = "Durham hospital 4711"


@pytest.fixture
def caught(durham: Hands, tmp_path: Path) -> Iterator[Catcher]:
    """Return what catches errors of the window, with a log file."""
    place = program_log.begin(tmp_path / "log")
    catcher = Catcher(durham.window, place)
    catcher.install()
    yield catcher
    catcher.remove()
    program_log.end()


def fail() -> None:
    try:
        raise InvalidInput(f'must be a number; found "{SECRET}"', "$.epsilon", "")
    except InvalidInput as cause:
        raise RuntimeError(SECRET) from cause


@pytest.mark.qt_no_exception_capture
def test_an_error_in_a_slot_is_said_and_the_work_goes_on(durham: Hands, caught: Catcher, tmp_path: Path) -> None:
    hands = durham
    hands.fill("$.title", SECRET)
    QTimer.singleShot(0, fail)
    hands.bot.waitUntil(lambda: caught.dialog is not None and caught.dialog.isVisible())
    dialog = caught.dialog
    assert "Your work is safe" in dialog.says.words
    hands.bot.mouseClick(dialog.copy_button, LEFT)
    copied = QGuiApplication.clipboard().text()
    assert "RuntimeError" in copied
    assert "InvalidInput" in copied
    assert "in fail" in copied
    assert SECRET not in copied
    QTimer.singleShot(0, fail)
    hands.bot.waitUntil(lambda: "2 times" in dialog.says.words)
    assert len(dialog.trails) == 1
    hands.bot.keyClick(dialog.close_button, Qt.Key.Key_Return)
    hands.bot.waitUntil(lambda: not dialog.isVisible())
    hands.window.activateWindow()
    hands.fill("$.title", "Goes on")
    assert hands.session.decision.title == "Goes on"
    log = (tmp_path / "log" / program_log.NAME).read_text("utf-8")
    assert "an error nobody caught" in log
    assert "RuntimeError" in log
    assert SECRET not in log


class Broken(QWidget):
    """Looks, each time it is painted, for what is not there."""

    def paintEvent(self, event: QPaintEvent) -> None:
        _ = ()[self.width() :][0]


@pytest.mark.qt_no_exception_capture
def test_an_error_in_painting_is_said_and_the_work_goes_on(durham: Hands, caught: Catcher) -> None:
    broken = Broken(durham.window)
    broken.resize(20, 20)
    broken.show()
    durham.bot.waitUntil(lambda: caught.dialog is not None and caught.dialog.isVisible())
    broken.deleteLater()
    caught.dialog.close()
    durham.window.activateWindow()
    durham.fill("$.title", "Goes on")
    assert durham.session.decision.title == "Goes on"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.qt_no_exception_capture
def test_an_error_on_another_thread_is_said_too(durham: Hands, caught: Catcher) -> None:
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    durham.bot.waitUntil(lambda: caught.dialog is not None and caught.dialog.isVisible())
    caught.dialog.close()


@pytest.mark.qt_no_exception_capture
def test_an_error_of_the_dialog_itself_is_logged_and_not_said_again_and_again(
    durham: Hands, caught: Catcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []

    def logged() -> int:
        return (tmp_path / "log" / program_log.NAME).read_text("utf-8").count("an error nobody caught")

    def broken(*arguments: object) -> None:
        made.append(arguments)
        if len(made) < 20:
            raise ImportError(SECRET)

    with monkeypatch.context() as change:
        change.setattr(error_report, "ErrorDialog", broken)
        QTimer.singleShot(0, fail)
        durham.bot.waitUntil(lambda: logged() >= 2)
        QApplication.processEvents()
        assert (len(made), logged()) == (1, 2)
    QTimer.singleShot(0, fail)
    durham.bot.waitUntil(lambda: caught.dialog is not None and caught.dialog.isVisible())
    caught.dialog.close()


def test_the_log_writes_constant_words_only_and_turns_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_log, "LARGEST", 4_000)
    place = program_log.begin(tmp_path)
    assert place is not None
    log = logging.getLogger("ui.test")
    log.error("could not read %s", SECRET)
    program_log.keep_short()
    for _ in range(200):
        log.error("could not read %s", SECRET)
    logging.getLogger("other.library").error(SECRET)
    program_log.end()
    found = sorted(tmp_path.iterdir())
    assert len(found) == 1 + program_log.KEPT
    texts = [path.read_text("utf-8") for path in found]
    assert all("could not read %s" in text and SECRET not in text for text in texts)
    assert all(len(text) <= 4_000 for text in texts)
    (tmp_path / "file").write_text("", "utf-8")
    assert program_log.begin(tmp_path / "file") is None  # no log is no reason not to start


def test_the_about_box_says_version_licences_and_where_the_log_lies(
    durham: Hands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(durham.window, "log_file", tmp_path / "dpwizard.log")
    durham.window.menus.actions["about"].trigger()
    box = durham.window.about_dialog
    assert str(tmp_path / "dpwizard.log") in box.place.text()
    assert "0." in box.version.text()
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in box.licences.toPlainText()
    durham.bot.mouseClick(box.close_button, LEFT)
    assert not box.isVisible()


def test_the_state_folder_is_the_systems_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert program_log.state_folder({"XDG_STATE_HOME": str(tmp_path)}) == tmp_path / "dpwizard"
    monkeypatch.setenv("HOME", str(tmp_path))
    assert program_log.state_folder({"XDG_STATE_HOME": "relative"}) == tmp_path / ".local" / "state" / "dpwizard"
