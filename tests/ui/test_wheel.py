"""The wheel scrolls the page: it never changes an answer that lies under it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QWidget

from tests.ui.hands import Hands

pytestmark = pytest.mark.one_window


@pytest.mark.slow
def test_a_wheel_over_a_closed_list_or_a_number_scrolls_the_page_and_changes_no_answer(durham: Hands) -> None:
    for key in durham.wizard.pages:
        durham.go(key)
        durham.settle()
        before = durham.session.decision
        for control in controls(durham.page):
            place = QPointF(control.rect().center())
            turn = QWheelEvent(
                place,
                QPointF(control.mapToGlobal(place.toPoint())),
                QPoint(0, -120),
                QPoint(0, -120),
                Qt.MouseButton.NoButton,
                Qt.KeyboardModifier.NoModifier,
                Qt.ScrollPhase.NoScrollPhase,
                False,
            )
            shown = control.currentIndex() if isinstance(control, QComboBox) else None
            QApplication.sendEvent(control, turn)
            assert shown is None or control.currentIndex() == shown, control.accessibleName()
        assert durham.session.decision == before


def test_every_list_and_slider_of_the_window_is_one_of_those_that_leave_the_wheel_to_the_page() -> None:
    ui = Path(__file__).parents[2] / "ui"
    bare = re.compile(r"\bQ(ComboBox|FontComboBox|SpinBox|DoubleSpinBox|DateEdit|DateTimeEdit|TimeEdit|Slider|Dial)\(")
    found = [
        f"{path.name}: {hit.group()}"
        for path in sorted(ui.rglob("*.py"))
        for hit in bare.finditer(path.read_text("utf-8"))
        if hit.string[: hit.start()].rpartition("\n")[2].split()[:1] != ["class"]
    ]
    assert found == []


def controls(page: QWidget) -> Iterator[QWidget]:
    from PySide6.QtWidgets import QAbstractSlider, QScrollBar

    for kind in (QComboBox, QLineEdit, QAbstractSlider):
        yield from (one for one in page.findChildren(kind) if one.isVisible() and not isinstance(one, QScrollBar))
