"""Files in the window: the real dialogs, read-only files, changed files, vanished folders, odd names, what is
remembered."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton

from dpwizard.base import files
from dpwizard.decision import new_decision
from dpwizard.decision.edits import put
from dpwizard.projects import journal
from dpwizard.projects.project import open_project, save_project
from tests.samples.decisions import example
from tests.ui.choosers import choose_file
from tests.ui.hands import PATIENCE, Hands
from ui.app import application as ui_app
from ui.app.start import recent_files

pytestmark = pytest.mark.slow

NONE = Qt.KeyboardModifier.NoModifier
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def pressed(hands: Hands, key: Qt.Key, more: Qt.KeyboardModifier = NONE) -> Callable[[], None]:
    """Return what presses KEY with Ctrl."""
    return lambda: hands.bot.keyClick(hands.window, key, CONTROL | more)


def saved(path: Path, title: str = "Ours") -> Path:
    save_project(path, put(new_decision(), "$.title", title))
    return path


def test_save_as_and_open_go_through_the_dialogs_and_the_keyboard(durham: Hands, tmp_path: Path) -> None:
    hands = durham
    hands.fill("$.title", "Mine")
    choose_file(hands, pressed(hands, Qt.Key.Key_S, SHIFT), tmp_path / "with spaces 数.json")
    hands.bot.waitUntil(lambda: not hands.window.isWindowModified())
    assert open_project(tmp_path / "with spaces 数.json").title == "Mine"
    assert hands.window.windowTitle() == "with spaces 数.json[*] – dpwizard"
    saved(tmp_path / "other.json", "Another")
    choose_file(hands, pressed(hands, Qt.Key.Key_O), tmp_path / "other.json")
    hands.bot.waitUntil(lambda: hands.session.decision.title == "Another")
    hands.fill("$.title", "Changed")
    hands.bot.keyClick(hands.window, Qt.Key.Key_S, CONTROL)
    hands.bot.waitUntil(lambda: not hands.window.isWindowModified())
    assert open_project(tmp_path / "other.json").title == "Changed"


def test_cancelling_a_file_dialog_changes_nothing(durham: Hands) -> None:
    hands = durham
    hands.fill("$.title", "Mine")
    hands.meet(QFileDialog, lambda dialog: hands.bot.keyClick(dialog, Qt.Key.Key_Escape))
    assert not hands.window.documents.save()
    assert hands.window.isWindowModified()


def test_the_second_window_on_a_file_is_read_only_and_says_who_holds_it(
    make_hands: Callable[..., Hands], tmp_path: Path
) -> None:
    path = saved(tmp_path / "shared.json")
    first, second = make_hands(), make_hands()
    first.window.open_path(path)
    second.window.open_path(path)
    assert second.window.windowTitle() == "shared.json (read-only)[*] – dpwizard"
    assert second.window.notice.isVisible()
    assert platform.node() in second.window.notice.says.text()
    second.fill("$.title", "Tried out")
    assert not second.window.save_to(path)
    assert "is open here as read-only" in second.window.complaint.informativeText()
    second.window.complaint.close()
    assert open_project(path).title == "Ours"
    choose_file(second, button(second, "Save as …"), tmp_path / "copy.json")
    second.bot.waitUntil(lambda: (tmp_path / "copy.json").exists())
    assert open_project(tmp_path / "copy.json").title == "Tried out"
    assert not second.window.notice.isVisible()
    assert not second.window.save_to(path)  # the first window still has it
    assert "open in another window" in second.window.complaint.informativeText()
    second.window.complaint.close()
    first.window.close()
    assert second.window.save_to(path)


def button(hands: Hands, words: str) -> QPushButton:
    return next(button for button in hands.window.notice.buttons if button.text() == words)


def test_a_file_of_a_newer_version_is_shown_read_only_and_never_written_over(
    make_hands: Callable[..., Hands], tmp_path: Path
) -> None:
    path = tmp_path / "newer.json"
    content = json.dumps(example("durham", format="dpwizard.decision/2", to_come=[1]))
    path.write_text(content, "utf-8")
    hands = make_hands()
    hands.window.open_path(path)
    assert "newer version" in hands.window.notice.says.text()
    assert "1 entry is left out" in hands.window.notice.says.text()
    assert hands.session.decision.title == example("durham")["title"]
    hands.fill("$.title", "Mine")
    assert not hands.window.save_to(path)
    hands.window.complaint.close()
    assert path.read_text("utf-8") == content


@pytest.mark.parametrize("lock_lost", [False, True])
def test_a_file_changed_by_another_program_is_noticed_before_it_is_written_over(
    make_hands: Callable[..., Hands], tmp_path: Path, lock_lost: bool
) -> None:
    path = saved(tmp_path / "x.json")
    hands = make_hands()
    hands.window.open_path(path)
    hands.fill("$.title", "Mine")
    if lock_lost:
        hands.window.documents._unlock()
    saved(path, "Theirs")
    hands.answer("Cancel")
    assert not hands.window.documents.save()
    assert open_project(path).title == "Theirs"
    assert hands.window.isWindowModified()
    hands.answer("Replace it")
    assert hands.window.documents.save()
    assert open_project(path).title == "Mine"


def test_a_drive_that_vanishes_costs_no_work(make_hands: Callable[..., Hands], tmp_path: Path) -> None:
    drive = tmp_path / "drive"
    drive.mkdir()
    path = saved(drive / "x.json")
    hands = make_hands()
    hands.window.open_path(path)
    drive.rename(tmp_path / "elsewhere")
    hands.fill("$.title", "Kept")
    hands.bot.waitUntil(lambda: hands.window.notice.isVisible(), timeout=PATIENCE)
    assert "This folder cannot be written" in hands.window.notice.says.text()
    assert any(one.name.endswith(".journal") for one in (tmp_path / "state" / "journals").iterdir())
    assert not hands.window.documents.save()
    assert "is its drive connected?" in hands.window.complaint.informativeText()
    hands.window.complaint.close()
    assert hands.session.decision.title == "Kept"
    assert not drive.exists()
    (tmp_path / "elsewhere").rename(drive)
    assert hands.window.documents.save()
    assert open_project(path).title == "Kept"


def test_a_disk_that_refuses_is_said_and_the_work_kept(
    make_hands: Callable[..., Hands], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved(tmp_path / "x.json")
    before = path.read_bytes()
    hands = make_hands()
    hands.window.open_path(path)
    hands.fill("$.title", "Kept")

    def refuse(*_: object) -> None:
        raise OSError(files.errno.ENOSPC, "as if")

    monkeypatch.setattr(files.os, "replace", refuse)
    assert not hands.window.documents.save()
    monkeypatch.undo()
    said = hands.window.complaint.informativeText()
    assert files.REASONS[files.errno.ENOSPC] in said
    assert "Your changes are kept in this window" in said
    assert path.read_bytes() == before
    assert hands.window.isWindowModified()
    other = next(button for button in hands.window.complaint.buttons() if button.text() == "Save as …")
    choose_file(hands, other, tmp_path / "y.json")
    hands.bot.waitUntil(lambda: (tmp_path / "y.json").exists())
    assert open_project(tmp_path / "y.json").title == "Kept"


@pytest.mark.parametrize("name", ["  Größe 数 😀 é  .json", "n" * 250 + ".json"])
def test_odd_names_are_opened_edited_journalled_and_saved(
    make_hands: Callable[..., Hands], tmp_path: Path, name: str
) -> None:
    path = saved(tmp_path / name)
    hands = make_hands()
    hands.window.open_path(path)
    hands.fill("$.title", "Edited")
    hands.window.documents.keeper.flush()
    found = [journal.read(place) for place in (journal.beside(path), *(tmp_path / "state" / "journals").iterdir())]
    assert [one.decision.title for one in found if one is not None] == ["Edited"]
    assert hands.window.documents.save()
    assert open_project(path).title == "Edited"
    assert os.path.abspath(path) in recent_files(hands.window.settings)
    hands.window.close()
    assert hands.window.documents.save()  # its dialog was answered while the window closed
    hands.session.put("Edit", "$.title", "Edited while that was written")
    hands.window.documents.keeper.saved(path, hands.session.digest)
    assert sorted(found.name for found in tmp_path.glob("*.json")) == [name]


def test_safe_mode_starts_with_no_settings_and_leaves_none(qapp: QApplication, tmp_path: Path) -> None:
    first = ui_app.without_settings()
    first.setValue("theme", "dark")
    assert ui_app.without_settings().allKeys() == []
    assert str(tmp_path) not in first.fileName()
