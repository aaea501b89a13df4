"""A dialog that asks for a file opens where the officer's files lie: beside the last one, else in the documents."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit

from tests.samples.source_tree import nodes, sources
from tests.ui.dialogs import shown_dialogs
from tests.ui.hands import Hands
from ui.controls.file_choices import LAST, beginning

pytestmark = pytest.mark.one_window


@pytest.fixture
def documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the documents folder of an officer who has not chosen a file yet; the program runs in another."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    folder = tmp_path / "Documents"
    folder.mkdir()
    program = tmp_path / "program"
    program.mkdir()
    monkeypatch.chdir(program)
    app = QCoreApplication.instance()
    before = app.property(LAST)
    app.setProperty(LAST, "")
    yield folder
    app.setProperty(LAST, before)


def opens_in(hands: Hands, act: Callable[[], object]) -> tuple[Path, str]:
    """Return the folder in which the file dialog opens that ACT brings up, and the name it offers; then leave it."""
    found: list[tuple[Path, str]] = []

    def look(asked: QFileDialog) -> None:
        found.append((Path(asked.directory().absolutePath()), asked.findChild(QLineEdit, "fileNameEdit").text()))
        hands.bot.keyClick(asked, Qt.Key.Key_Escape)

    hands.meet(QFileDialog, look)
    before = QApplication.activeWindow()
    assert before is not None
    act()
    assert found, "no file dialog opened"
    before.activateWindow()  # the off-screen platform does not give the keyboard back by itself
    hands.bot.waitUntil(lambda: QApplication.activeWindow() is before)
    return found[0]


@pytest.mark.slow
def test_the_first_dialog_opens_in_the_documents_and_not_in_the_folder_of_the_program(
    make_hands: Callable[..., Hands], documents: Path
) -> None:
    hands = make_hands("durham")
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    assert opens_in(hands, lambda: hands.bot.keyClick(hands.window, Qt.Key.Key_O, control))[0] == documents
    saving = opens_in(hands, lambda: hands.bot.keyClick(hands.window, Qt.Key.Key_S, control | shift))
    assert saving == (documents, "decision.dpdecision.json")
    assert opens_in(hands, lambda: hands.window.verify())[0] == documents


@pytest.mark.slow
def test_the_next_dialog_opens_beside_the_file_saved_last_even_in_another_window(
    make_hands: Callable[..., Hands], documents: Path, tmp_path: Path
) -> None:
    hands = make_hands("durham")
    office = tmp_path / "office"
    office.mkdir()
    assert hands.window.save_to(office / "infant deaths.json")
    hands.window.show_trust()
    hands.bot.waitUntil(lambda: shown_dialogs() != [])
    trust = shown_dialogs()[0]
    assert opens_in(hands, lambda: hands.bot.mouseClick(trust.add_button, Qt.MouseButton.LeftButton))[0] == office
    trust.close()
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    saving = opens_in(hands, lambda: hands.bot.keyClick(hands.window, Qt.Key.Key_S, control | shift))
    assert saving == (office, "infant deaths.json")


def test_a_place_is_offered_as_it_is_typed_while_its_folder_is_there(documents: Path, tmp_path: Path) -> None:
    assert beginning(str(tmp_path / "record.json")) == str(tmp_path / "record.json")
    assert beginning(str(tmp_path / "gone" / "record.json")) == str(documents / "record.json")
    assert beginning("record.json") == str(documents / "record.json")
    documents.rmdir()
    assert beginning("record.json") == str(tmp_path / "record.json")  # a home without documents


def test_every_dialog_for_files_is_opened_from_one_place() -> None:
    asking = {
        path.name
        for path in sources("ui")
        for node in nodes(path)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "QFileDialog"
    }
    assert asking == {"file_choices.py"}
