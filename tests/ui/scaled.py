"""The window on a magnified screen (QT_SCALE_FACTOR): what is cut off, and what lies out of reach.

`python -m tests.ui.scaled WIDTH HEIGHT LANGUAGE pages|dialogs`, in logical pixels: a program of its own, as Qt reads
its scale but once. It writes JSON.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QHeaderView,
    QLabel,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from dpwizard.base.resource_files import FOLDER
from tests.ui.dialogs import DIALOGS, shown_dialogs
from tests.ui.dialogs import opened as dialog_opened
from ui.app import application as ui_app
from ui.app.window import MainWindow
from ui.controls import Prose, Statement
from ui.host import keep_technical_details_open

SPARE = 1  # pixels by which rounding may fall short
TURNS, TURN = 1_500, 20  # how often, and how long apart in milliseconds, it is looked whether the window is at rest
MOST_TABS = 60


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
        return (
            widget.width() + SPARE < widget.sizeHint().width()
            or widget.height() + SPARE < widget.minimumSizeHint().height()
        )
    if isinstance(widget, Statement):
        return widget.height() + SPARE < widget.heightForWidth(widget.width())
    return isinstance(widget, QPushButton) and widget.width() + SPARE < widget.minimumSizeHint().width()


def cut_off(window: QWidget) -> list[QLabel | QAbstractButton]:
    """Return what WINDOW shows and cuts off."""
    return [
        one for kind in (QLabel, QAbstractButton) for one in window.findChildren(kind) if one.isVisible() and cut(one)
    ]


def squeezed(page: QWidget) -> list[QWidget]:
    """Return the pictures and controls that PAGE shows lower than they need to be."""
    found = []
    for one in page.findChildren(QWidget):
        if one.layout() is not None or isinstance(one, QHeaderView):
            continue  # their heights hang on their widths
        fixed = one.sizePolicy().verticalPolicy() == QSizePolicy.Policy.Fixed
        needed = one.sizeHint().height() if fixed else one.minimumSizeHint().height()
        if (
            one.isVisible()
            and one.height() + SPARE < min(needed, one.maximumHeight())
            and not one.objectName().startswith("qt_")
        ):
            found.append(one)
    return found


def until(true: Callable[[], object]) -> bool:
    """Wait until something is TRUE, and return whether it came true."""
    for _ in range(TURNS):
        QTest.qWait(TURN)
        if true():
            return True
    return False


def opened(width: int, height: int, language: str) -> MainWindow:
    """Return the window of that size with the Durham example."""
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    app = ui_app.application(["scaled"])
    folder = Path(tempfile.mkdtemp(prefix="dpwizard-scaled-"))
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    keep_technical_details_open(settings, True)
    window = ui_app.make_window(app, dark=False, settings=settings, state=folder / "state", language=language)
    window.resize(width, height)
    window.show()
    window.prepare()
    window.open_path(FOLDER / "examples" / "durham.json", example=True)
    return window


def inside(part: QWidget, window: QWidget) -> bool:
    """Return whether PART is shown, and all of it lies in WINDOW."""
    corner = part.mapTo(window, QPoint(0, 0))
    return (
        part.isVisible()
        and window.rect().contains(corner)
        and window.rect().contains(corner + QPoint(part.width() - 1, part.height() - 1))
    )


def look(window: MainWindow) -> dict[str, Any]:
    """Return what is cut off and what lies out of reach, on every page."""
    wizard = window.wizard
    assert wizard is not None
    found: dict[str, Any] = {"cut": [], "sideways": [], "squeezed": [], "columns": {}, "epsilon": True, "steps": True}
    for key in wizard.pages:
        wizard.go(key)
        page = wizard.page
        until(
            lambda page=page: not (wizard.solver.behind or cut_off(window) or squeezed(page))
        )  # judged at rest: solved, made, laid out
        found["columns"][key] = page._columns.direction().name
        spare = page.horizontalScrollBar().maximum()
        if spare:
            found["sideways"].append([key, spare])
        for one in cut_off(window):
            words = one.words if isinstance(one, Prose) else one.text()
            size, needed = one.size().toTuple(), one.minimumSizeHint().toTuple()
            found["cut"].append([key, type(one).__name__, words[:60], size, needed])
        found["squeezed"] += [
            [key, type(one).__name__, one.objectName(), one.size().toTuple()] for one in squeezed(page)
        ]
        footer = wizard.footer
        found["epsilon"] &= all(
            inside(part, window) for part in (footer.words, footer.axis, footer.next_button, footer.back_button)
        )
        found["steps"] &= all(inside(button, window) for button in wizard.steps.buttons.values())
    found["window"] = [window.width(), window.height()]
    return found


def dialogs(window: MainWindow) -> dict[str, Any]:
    """Return every dialog that is larger than the screen, and what has the keyboard in one without being seen."""
    room = window.screen().availableSize()
    found: dict[str, Any] = {"dialogs": [], "larger": [], "unseen": []}
    for name in DIALOGS:
        dialog = dialog_opened(name, window, until)
        found["dialogs"].append(name)
        if dialog.width() > room.width() or dialog.height() > room.height():
            found["larger"].append([name, dialog.size().toTuple()])
        dialog.activateWindow()
        first = last = None
        for _ in range(MOST_TABS):
            QTest.keyClick(QApplication.focusWidget() or dialog, Qt.Key.Key_Tab)
            now = QApplication.focusWidget()
            if now is None or not dialog.isAncestorOf(now) or not now.isVisible():
                continue
            if now is first and last is not first:
                break  # once round
            first, last = first or now, now
            if not seen(now) and not until(lambda now=now: seen(now)):
                at, shown = (
                    now.mapTo(dialog, QPoint(0, 0)).toTuple(),
                    now.visibleRegion().boundingRect().size().toTuple(),
                )
                found["unseen"].append(
                    [name, type(now).__name__, now.accessibleName(), at, now.size().toTuple(), shown]
                )
                break
        dialog.close()
        until(lambda: shown_dialogs() == [])
    window.show_history()
    until(lambda: window.history_panel is not None and window.history_panel.list.isVisible())
    window.notice.tell("The file cannot be saved: the disk is full.", ("Try again", window.documents.save))
    QTest.qWait(TURN)
    found["window"] = [window.width(), window.height()]
    return found


def seen(widget: QWidget) -> bool:
    """Return whether enough of WIDGET is seen to be used."""
    widget = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
    shown = widget.visibleRegion().boundingRect()
    return shown.width() >= min(48, widget.width()) and shown.height() >= min(20, widget.height())


def tell(window: MainWindow, found: dict[str, Any]) -> None:
    """Close the window, nothing of which is to be kept, and write what was found."""
    session = window.session
    session.start(session.decision)
    window.close()
    sys.stdout.write(json.dumps(found))


def main() -> None:
    """Look, and write what was found."""
    width, height, language, what = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
    window = opened(width, height, language)
    found = look(window) if what == "pages" else dialogs(window)
    found["scale"] = window.devicePixelRatioF()
    tell(window, found)


if __name__ == "__main__":
    main()
