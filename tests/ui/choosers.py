"""What a hand does with files: it names one in a file dialog, which runs in a loop of its own, or drops one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialogButtonBox, QFileDialog, QLineEdit, QWidget
from shiboken6 import isValid

from tests.ui.hands import LEFT, Hands


def choose_file(hands: Hands, opens: QAbstractButton | Callable[[], object], path: Path) -> None:
    """Do what OPENS a file dialog, or click a button that does; name PATH in it, and accept it."""

    def name(asked: QFileDialog) -> None:
        line = asked.findChild(QLineEdit, "fileNameEdit")
        buttons = asked.findChild(QDialogButtonBox)
        accept = next(b for b in buttons.buttons() if buttons.buttonRole(b) == QDialogButtonBox.ButtonRole.AcceptRole)
        asked.setDirectory(str(path.parent))  # a file of the same name in the last folder would be chosen, too
        line.setText(str(path))
        hands.bot.waitUntil(accept.isEnabled)
        hands.bot.mouseClick(accept, LEFT)

    watch = hands.meet(QFileDialog, name)
    before = QApplication.activeWindow()
    # comes back when the dialog is closed
    hands.click(opens) if isinstance(opens, QAbstractButton) else opens()
    assert not watch.isActive(), "no file dialog opened"
    left = (
        before if before is not None and isValid(before) else hands.window
    )  # a dialog that was to be saved is closed with it
    left.activateWindow()  # the off-screen platform does not give the keyboard back by itself
    hands.bot.waitUntil(lambda: QApplication.activeModalWidget() is not None or QApplication.activeWindow() is left)
    hands.read_behind()


def drop(widget: QWidget, path: Path) -> None:
    """Drop the file PATH on WIDGET."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    hand = (Qt.DropAction.CopyAction, data, LEFT, Qt.KeyboardModifier.NoModifier)
    entering = QDragEnterEvent(QPoint(20, 20), *hand)
    QApplication.sendEvent(widget, entering)
    assert entering.isAccepted()
    QApplication.sendEvent(widget, QDropEvent(QPointF(20, 20), *hand))
