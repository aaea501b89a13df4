"""Dialogs: no larger than their screen, scrolled where it is small, and thrown away once they are closed."""

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

SMALL = QSize(720, 480)  # logical pixels of a screen below which every dialog scrolls
FRAME = QSize(theme.NEAR, theme.FRAME)  # pixels that a frame takes on a screen, with its title bar
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


def scrolled(content: QWidget, name: str) -> QScrollArea:
    """Return what scrolls CONTENT where there is little room; NAME is for screen readers."""
    area = QScrollArea(widgetResizable=True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setAccessibleName(name)
    area.setWidget(content)
    return area


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
    """Let DIALOG lie on its screen, its frame with it; what it shows is scrolled where that cuts it off."""
    most = largest(room_of(dialog))
    layout = dialog.layout()
    if not isinstance(dialog, QMessageBox) and layout is not None:  # Qt breaks the words of a message to fit
        least = layout.totalMinimumSize()
        if is_small(most) or least.width() > most.width() or least.height() > most.height():
            _make_scrollable(dialog, most)
    on_screen(dialog)


def on_screen(window: QWidget) -> None:
    """Let WINDOW lie on its screen, its frame with it: before it is shown, and again once its frame is known."""
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
    """Return the part of its screen that WINDOW may take."""
    return window.screen().availableGeometry()


def largest(room: QRect) -> QSize:
    """Return the size that a window may have in ROOM without its frame."""
    return room.size() - FRAME


def placed(size: QSize, over: QRect, room: QRect) -> QPoint:
    """Return where a frame of SIZE begins that lies over the middle of OVER and within ROOM; where ROOM is too small,
    it begins with the title bar."""
    frame = QRect(QPoint(), size)
    frame.moveCenter(over.center())
    left = max(room.left(), min(frame.left(), room.right() + 1 - frame.width()))
    top = max(room.top(), min(frame.top(), room.bottom() + 1 - frame.height()))
    return QPoint(left, top)


def move_into(window: QWidget, room: QRect) -> None:
    """Move WINDOW, which is shown, so that its frame lies within ROOM."""
    frame = window.frameGeometry()
    place = placed(frame.size(), frame, room)
    if place != frame.topLeft():
        window.move(place)


def _parent_frame(window: QWidget, room: QRect) -> QRect:
    """Return what WINDOW is to lie over: the window it belongs to, or else its screen."""
    parent = window.parentWidget()
    return parent.window().frameGeometry() if parent is not None and parent.window().isVisible() else room


class _ScreenKeeper(QObject):
    """Moves a window onto its screen each time it is shown: its frame is known by the time it has the keyboard."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._just_shown = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        assert isinstance(watched, QWidget)
        if event.type() == QEvent.Type.Show:
            self._just_shown = True
        elif event.type() == QEvent.Type.WindowActivate and self._just_shown:
            self._just_shown = False  # where it is moved later, it stays
            QTimer.singleShot(0, watched, lambda: move_into(watched, room_of(watched)))
        return super().eventFilter(watched, event)


def _make_scrollable(dialog: QDialog, most: QSize) -> None:
    """Put all that DIALOG shows into a page that scrolls; what scrolls inside it keeps most of the height."""
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
