"""Keeps the widget with the keyboard focus in view."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget
from shiboken6 import isValid

MARGIN = 50  # pixels kept around it, as Qt's own
SETTLE_TIME = 50  # milliseconds after which a page that was growing has mostly its full length
FOLLOW_TIME = 3000  # milliseconds in which new answers may still make a page grow


class FocusScroll(QObject):
    """Follows the focus through every window of the program.

    A scroll area does so by itself only for Tab inside it. Whoever turns the wheel looks elsewhere, and is left there.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._watched: tuple[QWidget, ...] = ()  # the contents and viewports of the scroll areas around the focus
        self._end_timer = QTimer(self, singleShot=True, interval=FOLLOW_TIME)
        self._end_timer.timeout.connect(self._stop_following)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow_focus)

    def _follow_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        self._stop_following()
        if now is not None:
            QTimer.singleShot(0, self, self._scroll_to_focus)  # a page that has just grown is mostly laid out by then
            QTimer.singleShot(SETTLE_TIME, self, self._scroll_to_focus)
            areas = [area for area in _ancestors(now) if isinstance(area, QScrollArea)]
            self._watched = tuple(part for area in areas for part in (area.widget(), area.viewport()) if part)
            for widget in self._watched:
                widget.installEventFilter(self)
            self._end_timer.start()

    def _stop_following(self) -> None:
        for widget in filter(isValid, self._watched):
            widget.removeEventFilter(self)
        self._watched = ()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            QTimer.singleShot(0, self, self._scroll_to_focus)
        elif event.type() == QEvent.Type.Wheel:
            self._stop_following()
        return False

    def _scroll_to_focus(self) -> None:
        widget = QApplication.focusWidget()
        # what the mouse clicks is in view
        if widget is not None and QApplication.mouseButtons() == Qt.MouseButton.NoButton:
            see(widget)


def _ancestors(widget: QWidget) -> Iterator[QWidget]:
    """Yield the parents of WIDGET inside its window, the nearest first."""
    parent = widget.parentWidget()
    while parent is not None and not parent.isWindow():
        yield parent
        parent = parent.parentWidget()


def see(widget: QWidget) -> None:
    """Scroll every area around WIDGET so that it is in view, or its top if it is too large."""
    for parent in _ancestors(widget):
        page = parent.widget() if isinstance(parent, QScrollArea) else None
        if isinstance(parent, QScrollArea) and page is not None and page.isAncestorOf(widget):
            corner = widget.mapTo(page, QPoint(0, 0))
            if widget.height() > parent.viewport().height():
                parent.ensureVisible(corner.x(), corner.y(), MARGIN, 0)
                parent.verticalScrollBar().setValue(corner.y())
            elif not QRect(-page.pos(), parent.viewport().size()).contains(QRect(corner, widget.size())):
                # Qt itself is content once the line with the caret is seen
                parent.ensureVisible(corner.x() + widget.width(), corner.y() + widget.height(), MARGIN, MARGIN)
                parent.ensureVisible(corner.x(), corner.y(), MARGIN, MARGIN)
