"""Dialogs: no larger than their screen, scrolled where it is small, and thrown away once they are closed."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QFrame, QMessageBox, QScrollArea, QVBoxLayout, QWidget

SMALL = QSize(720, 480)  # logical pixels of a screen below which every dialog scrolls
FRAME = 32  # pixels that the title bar takes of a screen


def open_once(dialog: QDialog) -> None:
    """Open DIALOG over its window; once it is closed it goes, with all it holds: whoever closes a hundred keeps none."""
    dialog.finished.connect(dialog.deleteLater)
    within_reach(dialog)
    dialog.open()


def within_reach(dialog: QDialog) -> None:
    """Let DIALOG be no larger than its screen; where that cuts it off, what it shows is scrolled."""
    room = dialog.screen().availableSize() - QSize(0, FRAME)
    layout = dialog.layout()
    if isinstance(dialog, QMessageBox) or layout is None:
        return  # Qt breaks its words to fit the screen
    least = layout.totalMinimumSize()
    small = room.width() < SMALL.width() or room.height() < SMALL.height()
    if small or least.width() > room.width() or least.height() > room.height():
        _scroll(dialog)
    dialog.resize(dialog.size().boundedTo(room))


class _Scrolled(QScrollArea):
    """Shows a part of what is too large for its screen, and follows the keyboard."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(content)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._follow)

    def _follow(self, before: QWidget | None, now: QWidget | None) -> None:
        if now is not None and self.isAncestorOf(now):
            QTimer.singleShot(0, self, self._see)  # what scrolls inside has scrolled by then

    def _see(self) -> None:
        now = QApplication.focusWidget()
        if now is not None and self.isAncestorOf(now):
            self.ensureWidgetVisible(now)


def _scroll(dialog: QDialog) -> None:
    """Put all that DIALOG shows into a page that scrolls."""
    content, shown = QWidget(), dialog.layout()
    assert shown is not None
    content.setLayout(shown)
    column = QVBoxLayout(dialog)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(_Scrolled(content))
    dialog.setMinimumSize(0, 0)
