"""Qt itself, as pinned, survives what a dragged slider does to it (docs/decisions/0002-pyside6-essentials.md)."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QSlider
from pytestqt.qtbot import QtBot

TIMES = 50_000  # 6.12.0 on Python 3.11 ends with "none_dealloc" after some thousand


class Sender(QObject):
    """An object with a signal that carries nothing and one that carries a value."""

    empty = Signal()
    full = Signal(object)


@pytest.mark.soak
def test_fifty_thousand_emits_and_calls_leave_the_interpreter_alive(qtbot: QtBot) -> None:
    sender, slider = Sender(), QSlider()
    qtbot.addWidget(slider)
    counts = {"empty": 0, "full": 0, "moved": 0}

    def count(name: str) -> None:
        counts[name] += 1

    sender.empty.connect(lambda: count("empty"))
    sender.full.connect(lambda _: count("full"))
    slider.valueChanged.connect(lambda _: count("moved"))
    for turn in range(TIMES):
        sender.empty.emit()
        sender.full.emit(None)
        slider.setValue(1 + turn % 2)
    assert counts == {"empty": TIMES, "full": TIMES, "moved": TIMES}
