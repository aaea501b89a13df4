"""The history as a panel: opened by keys, every step by its name, a click goes there, and undo without limit."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible

from tests.ui.hands import LEFT, Hands

pytestmark = pytest.mark.one_window

KEYS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def rows(hands: Hands) -> list[str]:
    view = hands.window.history_panel.list
    return [view.item(row).text() for row in range(view.count())]


def click(hands: Hands, row: int) -> None:
    view = hands.window.history_panel.list
    index = view.model().index(row)
    view.scrollTo(index)
    hands.bot.mouseClick(view.viewport(), LEFT, pos=view.visualRect(index).center())


@pytest.mark.slow
def test_the_panel_is_reached_by_keys_names_every_step_and_leads_there(durham: Hands, tmp_path: Path) -> None:
    hands, session = durham, durham.window.session
    start = session.decision
    hands.fill("$.title", "First")
    hands.window.save_to(tmp_path / "x.json")
    hands.go("profile")
    hands.fill("$.requirements[0].profile.ratio", "7")
    hands.bot.keyClick(hands.window, Qt.Key.Key_H, KEYS)
    panel = hands.window.history_panel
    hands.bot.waitUntil(panel.isVisible)
    assert panel.list.hasFocus()
    assert QAccessible.queryAccessibleInterface(panel.list).text(QAccessible.Text.Name)
    assert rows(hands) == ["Opened", "Set title – saved", "Set most times as likely (shown now)"]
    click(hands, 0)
    assert session.decision == start
    assert rows(hands) == ["Opened (shown now)", "Set title (undone) – saved", "Set most times as likely (undone)"]
    assert hands.window.isWindowModified()
    for _ in range(2):
        hands.bot.keyClick(panel.list, Qt.Key.Key_Down)
    hands.bot.keyClick(panel.list, Qt.Key.Key_Return)
    assert session.decision.requirements[0].profile.ratio == 7
    hands.window.undo()
    assert rows(hands)[1] == "Set title (shown now) – saved"
    assert not hands.window.isWindowModified()
    hands.window.show_history()
    assert not panel.isVisible()
