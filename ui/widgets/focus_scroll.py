"""Whatever has the keyboard is seen: where it lies out of view, what it stands in is scrolled to it."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

MARGIN = 50  # pixels kept around it, as Qt's own
SETTLED = 50  # milliseconds after which a page that was growing has its full length


class FocusScroll(QObject):
    """Follows the keyboard through every window of the program.

    A scroll area does so by itself only for Tab inside it; not when the keyboard comes from outside, or is given by the
    program.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._moved)

    def _moved(self, before: QWidget | None, now: QWidget | None) -> None:
        if now is not None:
            QTimer.singleShot(0, self, self._see)  # a page that has just grown is mostly laid out by then
            QTimer.singleShot(SETTLED, self, self._see)

    def _see(self) -> None:
        now = QApplication.focusWidget()
        # a mouse has seen where it clicks
        if now is not None and QApplication.mouseButtons() == Qt.MouseButton.NoButton:
            see(now)


def see(widget: QWidget) -> None:
    """Scroll to WIDGET all that it stands in, from the inside out; to its beginning, if it is too large to be seen
    whole."""
    inside = widget.parentWidget()
    while inside is not None and not inside.isWindow():
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
        inside = inside.parentWidget()
