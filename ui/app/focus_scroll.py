"""Whatever has the keyboard is seen: where it lies out of view, what it stands in is scrolled to it."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget
from shiboken6 import isValid

MARGIN = 50  # pixels kept around it, as Qt's own
SETTLED = 50  # milliseconds after which a page that was growing has mostly its full length
FOLLOWED = 3000  # milliseconds in which answers may still make a page grow, and push what has the keyboard out of view


class FocusScroll(QObject):
    """Follows the keyboard through every window of the program.

    A scroll area does so by itself only for Tab inside it. Whoever turns the wheel looks elsewhere, and is left there.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._growing: tuple[QWidget, ...] = ()  # what the keyboard stands in, and where the wheel is turned
        self._end = QTimer(self, singleShot=True, interval=FOLLOWED)
        self._end.timeout.connect(self._leave)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._moved)

    def _moved(self, before: QWidget | None, now: QWidget | None) -> None:
        self._leave()
        if now is not None:
            QTimer.singleShot(0, self, self._see)  # a page that has just grown is mostly laid out by then
            QTimer.singleShot(SETTLED, self, self._see)
            areas = [area for area in _around(now) if isinstance(area, QScrollArea)]
            self._growing = tuple(part for area in areas for part in (area.widget(), area.viewport()) if part)
            for one in self._growing:
                one.installEventFilter(self)
            self._end.start()

    def _leave(self) -> None:
        for one in filter(isValid, self._growing):
            one.removeEventFilter(self)
        self._growing = ()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            QTimer.singleShot(0, self, self._see)
        elif event.type() == QEvent.Type.Wheel:
            self._leave()
        return False

    def _see(self) -> None:
        now = QApplication.focusWidget()
        # a mouse has seen where it clicks
        if now is not None and QApplication.mouseButtons() == Qt.MouseButton.NoButton:
            see(now)


def _around(widget: QWidget) -> Iterator[QWidget]:
    """Yield what WIDGET stands in, from the inside out, up to its window."""
    inside = widget.parentWidget()
    while inside is not None and not inside.isWindow():
        yield inside
        inside = inside.parentWidget()


def see(widget: QWidget) -> None:
    """Scroll all that WIDGET stands in to it, from the inside out; to its beginning where it is too large."""
    for inside in _around(widget):
        page = inside.widget() if isinstance(inside, QScrollArea) else None
        if isinstance(inside, QScrollArea) and page is not None and page.isAncestorOf(widget):
            corner = widget.mapTo(page, QPoint(0, 0))
            if widget.height() > inside.viewport().height():
                inside.ensureVisible(corner.x(), corner.y(), MARGIN, 0)
                inside.verticalScrollBar().setValue(corner.y())
            elif not QRect(-page.pos(), inside.viewport().size()).contains(QRect(corner, widget.size())):
                # Qt itself is content once the line with the caret is seen
                inside.ensureVisible(corner.x() + widget.width(), corner.y() + widget.height(), MARGIN, MARGIN)
                inside.ensureVisible(corner.x(), corner.y(), MARGIN, MARGIN)
