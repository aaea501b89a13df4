"""Dialogs: no larger than their screen, scrolled if it is small, and deleted when they are closed."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer
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
from ui.widgets.parts import plain

SMALL = QSize(720, 480)  # logical pixels of a screen; below, every dialog scrolls
FRAME = QSize(theme.NEAR, theme.FRAME)  # pixels of a window frame with its title bar
UNBROKEN, LONGEST = 30, 200  # letters of a name on one line of a message, and in all


def column_of(dialog: QDialog, heading: str = "") -> QVBoxLayout:
    """Return the column for the content of DIALOG, with HEADING at its top if there is one."""
    column = QVBoxLayout(dialog)
    column.setContentsMargins(theme.EDGE, theme.EDGE, theme.EDGE, theme.GROUP)
    column.setSpacing(theme.GROUP)
    if heading:
        title = QLabel(heading)
        title.setObjectName("question")
        title.setWordWrap(True)
        column.addWidget(title)
    return column


def scrolled(content: QWidget, name: str) -> QScrollArea:
    """Return a scroll area with CONTENT; NAME is for screen readers."""
    area = QScrollArea(widgetResizable=True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setAccessibleName(name)
    area.setWidget(content)
    return area


def breakable(words: str) -> str:
    """Return WORDS with invisible places for line breaks in long names, and without the middle of very long ones."""
    shorter = re.sub(rf"(\S{{{UNBROKEN}}})\S{{{LONGEST - 2 * UNBROKEN},}}(\S{{{UNBROKEN}}})", r"\1…\2", words)
    return re.sub(rf"(\S{{{UNBROKEN}}})(?=\S)", "\\1\u200b", shorter)


def is_small(room: QSize) -> bool:
    """Return whether ROOM, of a screen, is small for a dialog."""
    return room.width() < SMALL.width() or room.height() < SMALL.height()


def open_once(dialog: QDialog) -> None:
    """Open DIALOG over its window, and delete it when it is closed."""
    dialog.finished.connect(dialog.deleteLater)
    within_reach(dialog)
    dialog.open()


def complain(parent: QWidget, heading: str, words: str, more: str = "") -> QMessageBox:
    """Say WORDS in a message over the window of PARENT, with MORE below them, and return it."""
    box = QMessageBox(QMessageBox.Icon.Warning, heading, words, parent=parent)
    box.setInformativeText(more)
    open_once(box)
    return box


def close_menus() -> None:
    """Close every open menu and list: their entries are about a decision that is left."""
    while (menu := QApplication.activePopupWidget()) is not None and menu.close():
        pass


def within_reach(dialog: QDialog) -> None:
    """Fit DIALOG with its frame onto its screen; scroll its content if it is too large."""
    most = largest(room_of(dialog))
    layout = dialog.layout()
    if not isinstance(dialog, QMessageBox) and layout is not None:  # Qt breaks the words of a message to fit
        least = layout.totalMinimumSize()
        if is_small(most) or least.width() > most.width() or least.height() > most.height():
            _make_scrollable(dialog, most)
    on_screen(dialog)


def on_screen(window: QWidget) -> None:
    """Fit WINDOW with its frame onto its screen before it is shown, and again once its frame is known."""
    room = room_of(window)
    window.resize(window.size().boundedTo(largest(room)))
    if window.isVisible():
        move_into(window, room)
        return
    if isinstance(window, QMessageBox):
        window.adjustSize()
    window.move(placed(window.size() + FRAME, _parent_frame(window, room), room))
    if window.findChild(_ScreenKeeper, options=Qt.FindChildOption.FindDirectChildrenOnly) is None:
        window.installEventFilter(_ScreenKeeper(window))


def room_of(window: QWidget) -> QRect:
    """Return the part of the screen available to WINDOW."""
    return window.screen().availableGeometry()


def largest(room: QRect) -> QSize:
    """Return the largest size in ROOM of a window without its frame."""
    return room.size() - FRAME


def placed(size: QSize, over: QRect, room: QRect) -> QPoint:
    """Return the top left corner of a frame of SIZE, centred on OVER and inside ROOM; if it is too large, its title bar
    is inside."""
    frame = QRect(QPoint(), size)
    frame.moveCenter(over.center())
    left = max(room.left(), min(frame.left(), room.right() + 1 - frame.width()))
    top = max(room.top(), min(frame.top(), room.bottom() + 1 - frame.height()))
    return QPoint(left, top)


def move_into(window: QWidget, room: QRect) -> None:
    """Move WINDOW, which is visible, so that its frame is inside ROOM."""
    frame = window.frameGeometry()
    place = placed(frame.size(), frame, room)
    if place != frame.topLeft():
        window.move(place)


def _parent_frame(window: QWidget, room: QRect) -> QRect:
    """Return the frame of the window that WINDOW belongs to, or else ROOM."""
    parent = window.parentWidget()
    return parent.window().frameGeometry() if parent is not None and parent.window().isVisible() else room


class _ScreenKeeper(QObject):
    """Moves a window onto its screen each time it is shown: its frame is known once it is active."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._just_shown = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        assert isinstance(watched, QWidget)
        if event.type() == QEvent.Type.Show:
            self._just_shown = True
        elif event.type() == QEvent.Type.WindowActivate and self._just_shown:
            self._just_shown = False  # later moves are the officer's
            QTimer.singleShot(0, watched, lambda: move_into(watched, room_of(watched)))
        return super().eventFilter(watched, event)


def _make_scrollable(dialog: QDialog, most: QSize) -> None:
    """Put the content of DIALOG into a scroll area, in which scrolling parts keep most of the height."""
    content, shown = QWidget(), dialog.layout()
    assert shown is not None
    content.setLayout(shown)
    for inner in content.findChildren(QAbstractScrollArea):
        if not isinstance(inner, QHeaderView):
            inner.setMinimumHeight(min(inner.maximumHeight(), most.height() * 2 // 3))
    area = scrolled(content, "")
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    plain(QVBoxLayout(dialog), 0).addWidget(area)
    dialog.setMinimumSize(0, 0)
