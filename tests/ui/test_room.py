"""Pages use the room they have: none is longer than two screens, and none asks for more width than a small one has."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.hands import Hands
from tests.ui.scaled import cut_off
from ui.panels import Panel
from ui.widgets import Card

pytestmark = pytest.mark.one_window

SCREENS = 2  # that a page may be long


def lowest(content: QWidget) -> int:
    """Return where the last card, panel or button of CONTENT ends, in pixels."""
    found = [one for kind in (Card, Panel, QPushButton) for one in content.findChildren(kind) if one.isVisible()]
    return max(one.mapTo(content, QPoint(0, one.height())).y() for one in found)


@pytest.mark.slow
def test_no_page_is_longer_than_two_screens_and_nothing_on_it_is_cut_off(durham: Hands, qtbot: QtBot) -> None:
    durham.window.resize(1366, 768)
    for key in durham.wizard.pages:
        durham.go(key)
        durham.settle()
        page = durham.page
        qtbot.waitUntil(lambda page=page: cut_off(page) == [])  # judged at rest
        qtbot.waitUntil(lambda page=page: lowest(page.widget()) <= SCREENS * page.viewport().height())


@pytest.mark.slow
def test_a_page_with_figures_for_few_puts_them_away_when_it_is_left_for_another_decision(durham: Hands) -> None:
    durham.go("accuracy")
    durham.settle()
    few = durham.page.few[0]
    assert not few.isVisible()
    durham.click(durham.page.more_figures)
    assert few.isVisible()
    assert durham.page.more_figures.text() == "Fewer figures"
    durham.page.leave()
    assert not few.isVisible()
