"""The window on a magnified screen (QT_SCALE_FACTOR): what is cut off, and what lies out of reach.

`python -m tests.ui.scaled WIDTH HEIGHT LANGUAGE`, in logical pixels: a program of its own, as Qt reads its scale but once. It writes JSON.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QPushButton, QWidget

from dpwizard.resource_files import FOLDER
from ui import app as ui_app
from ui.controls import Prose, Statement

SPARE = 1  # pixels by which rounding may fall short


def cut(widget: QLabel | QAbstractButton) -> bool:
    """Return whether the words of WIDGET need more room than it has, and no tool tip says the whole."""
    if widget.toolTip():
        return False  # it says the whole, and so does the text to screen readers
    if isinstance(widget, Prose):
        return widget.height() + SPARE < widget.heightForWidth(widget.width())
    if isinstance(widget, QLabel):
        if not widget.text():
            return False
        if widget.wordWrap():
            return widget.height() + SPARE < widget.heightForWidth(widget.width())
        return widget.width() + SPARE < widget.sizeHint().width() or widget.height() + SPARE < widget.minimumSizeHint().height()
    return isinstance(widget, QPushButton | Statement) and widget.width() + SPARE < widget.minimumSizeHint().width()


def cut_off(window: QWidget) -> list[QLabel | QAbstractButton]:
    """Return what WINDOW shows and cuts off."""
    return [one for kind in (QLabel, QAbstractButton) for one in window.findChildren(kind) if one.isVisible() and cut(one)]


def look(width: int, height: int, language: str) -> dict[str, Any]:
    """Return what is cut off and what lies out of reach, on every page of the Durham example."""
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    app = ui_app.application(["scaled"])
    folder = Path(tempfile.mkdtemp(prefix="dpwizard-scaled-"))
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    window = ui_app.make_window(app, dark=False, settings=settings, state=folder / "state", language=language)
    window.resize(width, height)
    window.show()
    window.prepare()
    window.open_path(FOLDER / "examples" / "durham.json", example=True)
    wizard = window.wizard
    assert wizard is not None
    found: dict[str, Any] = {"cut": [], "sideways": [], "columns": {}, "epsilon": True, "scale": window.devicePixelRatioF()}
    for key in wizard.pages:
        wizard.go(key)
        for _ in range(200):  # a page is judged at rest: solved, its panels made, its layout done
            QTest.qWait(20)
            if not wizard.solver.behind and not cut_off(window):
                break
        page = wizard.page
        found["columns"][key] = page._columns.direction().name
        spare = page.horizontalScrollBar().maximum()
        if spare:
            found["sideways"].append([key, spare])
        for one in cut_off(window):
            words = one.words if isinstance(one, Prose) else one.text()
            size, needed = one.size().toTuple(), one.minimumSizeHint().toTuple()
            found["cut"].append([key, type(one).__name__, words[:60], size, needed])
        words, axis = wizard.foot.words, wizard.foot.axis
        for part in (words, axis, wizard.foot.next_button, wizard.foot.back_button):
            corner = part.mapTo(window, QPoint(0, 0))
            inside = window.rect().contains(corner) and window.rect().contains(corner + QPoint(part.width() - 1, part.height() - 1))
            found["epsilon"] = found["epsilon"] and inside and part.isVisible()
    found["window"] = [window.width(), window.height()]
    session = window.session
    assert session is not None
    session.start(session.decision)
    window.close()
    return found


if __name__ == "__main__":
    sys.stdout.write(json.dumps(look(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])))
