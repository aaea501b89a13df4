"""Dialogs: no larger than their screen, scrolled where it is small, and thrown away once they are closed."""

from __future__ import annotations

import re

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QDialog,
    QFrame,
    QHeaderView,
    QLabel,
    QMessageBox,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from ui.widgets import theme

SMALL = QSize(720, 480)  # logical pixels of a screen below which every dialog scrolls
UNBROKEN, LONGEST = 30, 200  # letters of a name that stay together in a message, and that are shown of it


def column_of(dialog: QDialog, heading: str = "") -> QVBoxLayout:
    """Return the column in which DIALOG shows what it has, begun with a HEADING if there is one."""
    column = QVBoxLayout(dialog)
    column.setContentsMargins(theme.EDGE, theme.EDGE, theme.EDGE, theme.GROUP)
    column.setSpacing(theme.GROUP)
    if heading:
        title = QLabel(heading)
        title.setObjectName("question")
        title.setWordWrap(True)
        column.addWidget(title)
    return column


def breakable(words: str) -> str:
    """Return WORDS with places, not seen, at which a long name may be broken into lines; of a very long one the middle
    is left out."""
    shorter = re.sub(rf"(\S{{{UNBROKEN}}})\S{{{LONGEST - 2 * UNBROKEN},}}(\S{{{UNBROKEN}}})", r"\1…\2", words)
    return re.sub(rf"(\S{{{UNBROKEN}}})(?=\S)", "\\1\u200b", shorter)


def is_small(room: QSize) -> bool:
    """Return whether so much ROOM on a screen is little for a dialog."""
    return room.width() < SMALL.width() or room.height() < SMALL.height()


def open_once(dialog: QDialog) -> None:
    """Open DIALOG over its window; once it is closed it goes, with all it holds: whoever closes a hundred keeps
    none."""
    dialog.finished.connect(dialog.deleteLater)
    within_reach(dialog)
    dialog.open()


def close_menus() -> None:
    """Close every menu and list that is open: what they offer is about a decision that is left."""
    while (menu := QApplication.activePopupWidget()) is not None and menu.close():
        pass


def within_reach(dialog: QDialog) -> None:
    """Let DIALOG be no larger than its screen; where that cuts it off, what it shows is scrolled."""
    room = dialog.screen().availableSize() - QSize(0, theme.FRAME)
    layout = dialog.layout()
    if isinstance(dialog, QMessageBox) or layout is None:
        return  # Qt breaks its words to fit the screen
    least = layout.totalMinimumSize()
    if is_small(room) or least.width() > room.width() or least.height() > room.height():
        _scroll(dialog, room)
    dialog.resize(dialog.size().boundedTo(room))


def onto_screen(window: QWidget) -> None:
    """Move WINDOW, which is shown, so that all of it lies on its screen; its title bar, if it is larger."""
    room, frame = window.screen().availableGeometry(), window.frameGeometry()
    left = max(room.left(), min(frame.left(), room.right() + 1 - frame.width()))
    top = max(room.top(), min(frame.top(), room.bottom() + 1 - frame.height()))
    if (left, top) != (frame.left(), frame.top()):
        window.move(left, top)


def _scroll(dialog: QDialog, room: QSize) -> None:
    """Put all that DIALOG shows into a page that scrolls; what scrolls inside it keeps most of the height."""
    content, shown = QWidget(), dialog.layout()
    assert shown is not None
    content.setLayout(shown)
    for inner in content.findChildren(QAbstractScrollArea):
        if not isinstance(inner, QHeaderView):
            inner.setMinimumHeight(min(inner.maximumHeight(), room.height() * 2 // 3))
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(content)
    column = QVBoxLayout(dialog)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(area)
    dialog.setMinimumSize(0, 0)
