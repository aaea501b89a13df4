"""A plain question shows all its answers with round buttons: one is chosen, and only a hand's choice is told."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from ui.questions import Options


def test_click_chooses_one_answer_and_tells_its_key(qtbot: QtBot) -> None:
    options = Options("Is it true?", {"true": "True here", "not_true": "Not true here"})
    qtbot.addWidget(options)
    options.show()
    told: list[str] = []
    options.chosen.connect(told.append)
    assert options.key is None
    qtbot.mouseClick(options.options["not_true"], Qt.MouseButton.LeftButton)
    assert (options.key, told) == ("not_true", ["not_true"])
    options.show_key("true")
    assert (options.key, told) == ("true", ["not_true"])
    options.show_key(None)
    assert options.key is None
    assert options.options["true"].accessibleName() == "Is it true? True here"
