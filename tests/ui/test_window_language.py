"""The window in German: chosen in the menu or on the command line, kept, and followed by numbers, fields and Qt's own
words."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox, QMessageBox
from pytestqt.qtbot import QtBot

from main import main
from tests.ui.hands import Hands, seen_on
from tests.ui.test_seen_whole import entries_are_whole
from ui.help import guide

pytestmark = [pytest.mark.one_window, pytest.mark.slow]


def test_the_window_speaks_german_and_no_english_once_it_is_chosen_and_the_decision_stays(durham: Hands) -> None:
    hands = durham
    hands.window.show_guide(guide.GLOSSARY)
    shown, before = hands.window.guide, hands.session.decision
    hands.window.activateWindow()
    hands.go("decision")
    hands.window.menus.actions["language_de"].trigger()
    hands.settle()
    assert hands.session.decision == before
    assert hands.page.key == "decision"
    assert hands.wizard.steps.buttons["release"].text().endswith("Veröffentlichung")
    assert hands.window.menus.actions["save"].text() == "Speichern"
    assert "Es ist gewählt." in hands.page.place.words
    assert hands.window.settings.value("language") == "de"
    box = QMessageBox()
    box.setStandardButtons(QMessageBox.StandardButton.Cancel)
    assert box.button(QMessageBox.StandardButton.Cancel).text().replace("&", "") == "Abbrechen"
    german = hands.window.guide
    assert german is not shown
    assert (german.isVisible(), german.page.page) == (True, guide.GLOSSARY)
    assert german.page.toPlainText().splitlines()[0] == guide.title(guide.read(guide.GLOSSARY, "de"))
    hands.window.activateWindow()
    says_nothing_in_english(hands)
    numbers_are_typed_with_a_comma(hands)
    hands.session.start(before)
    hands.window.menus.actions["language_en"].trigger()
    hands.go("decision").settle()
    assert "It is the one chosen." in hands.page.place.words


def says_nothing_in_english(hands: Hands) -> None:
    english = {"with", "which", "before", "chance", "requirement", "allowed", "release", "choose", "set", "add"}
    for key in hands.wizard.pages:
        hands.go(key).settle()
        assert english & set(" ".join(seen_on(hands.page, fields=False)).lower().split()) == set(), key
        for box in hands.page.findChildren(QComboBox):
            if box.isVisible() and box.count():
                hands.page.ensureWidgetVisible(box)
                entries_are_whole(hands, box)


def numbers_are_typed_with_a_comma(hands: Hands) -> None:
    hands.go("accuracy")
    hands.fill("$.requirements[1].deviation", "0,5")
    assert hands.session.decision.requirements[1].deviation == 0.5
    hands.fill("$.requirements[1].records", "4.013")
    assert hands.editor("$.requirements[1].records").problem.text().startswith("„4.013“ ist nicht eindeutig")
    hands.fill("$.requirements[1].at_most", "100")
    assert "größer als 0 und kleiner als 100" in hands.editor("$.requirements[1].at_most").problem.text()


def test_a_new_decision_is_recorded_in_the_language_of_the_window(make_hands: Callable[..., Hands]) -> None:
    hands = make_hands()
    hands.window.menus.actions["language_de"].trigger()
    hands.click(hands.window.start.new_button)
    assert hands.session.decision.language == "de"
    hands.go("review")
    hands.choose("$.language", "en")
    assert hands.session.decision.language == "en"
    hands.window.menus.actions["language_en"].trigger()


def test_a_language_nobody_speaks_is_refused_by_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--language", "tlh"]) == 2
    assert "--language" in capsys.readouterr().err


def test_alt_and_its_letter_open_a_menu(make_hands: Callable[..., Hands], qtbot: QtBot) -> None:
    """Alt and F, or in German Alt and D."""
    window = make_hands().window
    for language, key in (("de", Qt.Key.Key_D), ("en", Qt.Key.Key_F)):
        window.menus.actions[f"language_{language}"].trigger()
        QApplication.processEvents()
        window.activateWindow()
        qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
        menu = window.menuBar().actions()[0].menu()
        qtbot.keyClick(window, key, Qt.KeyboardModifier.AltModifier)
        qtbot.waitUntil(menu.isVisible)
        qtbot.keyClick(menu, Qt.Key.Key_Escape)
        qtbot.waitUntil(menu.isHidden)
