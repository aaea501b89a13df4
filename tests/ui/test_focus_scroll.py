"""What has the keyboard stays in view while the page around it grows, until somebody turns the wheel."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QLineEdit, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.hands import turn_wheel
from ui.app.focus_scroll import FocusScroll


class Page(QScrollArea):
    """A page in a window, with something above its field that can grow."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        content = QWidget()
        column = QVBoxLayout(content)
        self.above, self.field, below = QWidget(), QLineEdit(), QWidget()
        self.above.setFixedHeight(40)
        below.setFixedHeight(2_000)
        for one in (self.above, self.field, below):
            column.addWidget(one)
        self.setWidget(content)
        self.follows = FocusScroll(self)
        self.host = QWidget()
        self.host.resize(300, 200)
        beside = QVBoxLayout(self.host)
        beside.addWidget(self)

    @property
    def seen(self) -> bool:
        """Return whether the field is in view."""
        return not self.field.visibleRegion().isEmpty()


@pytest.fixture
def page(qtbot: QtBot) -> Page:
    made = Page()
    qtbot.addWidget(made.host)
    made.host.show()
    made.host.activateWindow()
    made.field.setFocus()
    qtbot.waitUntil(made.field.hasFocus)
    qtbot.wait(200)  # the looks that follow at once are over
    return made


def test_a_field_is_seen_again_where_an_answer_above_it_pushes_it_away(page: Page, qtbot: QtBot) -> None:
    page.above.setFixedHeight(900)
    qtbot.waitUntil(lambda: page.verticalScrollBar().value() > 600)
    assert page.seen


def test_who_turns_the_wheel_is_left_there(page: Page, qtbot: QtBot) -> None:
    turn_wheel(page.viewport(), QPointF(9, 9))
    left = page.verticalScrollBar().value()
    page.above.setFixedHeight(1_500)
    qtbot.wait(200)
    assert page.verticalScrollBar().value() == left
    assert not page.seen
