"""A plot that is read with a crosshair, zoomed and moved, with the mouse or the keyboard, and may have handles."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QWheelEvent

from dpwizard.charts import Chart, Item, Surface
from ui.plots.crosshair import Crosshair
from ui.plots.handles import Handles
from ui.plots.plot import STEP, Plot
from ui.widgets import theme

ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End)


class ChartPlot(Plot):
    """A plot with a crosshair."""

    def __init__(self, colours: theme.Colours, *, height: int = 220, on_card: bool = False) -> None:
        super().__init__(colours, height=height, on_card=on_card)
        self.handles: Handles | None = None
        self.crosshair = Crosshair(self)
        self._dragged_from: QPointF | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)

    def offer_handles(self) -> Handles:
        """Add handles to this plot and return them."""
        self.handles, self.has_handles = Handles(self), True
        return self.handles

    def show_plot(self, plot: Chart | Surface) -> None:
        super().show_plot(plot)
        self.crosshair.hide()
        self.setAccessibleName(plot.title or plot.y.title or plot.x.title)
        if self.handles is None or self.handles.at < 0:
            self.setAccessibleDescription(plot.x.title)

    def above(self) -> Iterator[Item]:
        """Yield the crosshair and the handles."""
        yield from self.crosshair.items()
        if self.handles is not None:
            yield from self.handles.items()

    # -------------------------------------------------------------------------------- events

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl; without it the wheel scrolls the page."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(STEP if event.angleDelta().y() > 0 else 1 / STEP, self.place_of(event.position()))
            event.accept()
        else:
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        handles = self.handles if event.button() == Qt.MouseButton.LeftButton else None
        if handles is not None and handles.seize(event.position()):
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            event.accept()
            return
        self._dragged_from = event.position() if event.button() == Qt.MouseButton.LeftButton and self.zoomed else None
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.handles is not None and self.handles.follow(event.position()):
            event.accept()
            return
        if self._dragged_from is not None:
            moved = event.position() - self._dragged_from
            self._dragged_from = event.position()
            self.pan(-moved.x() / max(self.width(), 1), moved.y() / max(self.height(), 1))
        elif self.shown is not None:
            self.crosshair.read_at(*self.place_of(event.position()))
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.handles is not None:
            self.handles.release()
        self._dragged_from = None
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.handles is None or not self.handles.double_click(event.position()):
            self.reset()
        event.accept()

    def leaveEvent(self, event: object) -> None:
        self.crosshair.hide()

    def focusNextPrevChild(self, onward: bool) -> bool:
        """Go with Tab from handle to handle, and only then to the next control."""
        return (self.handles is not None and self.handles.step(onward)) or bool(super().focusNextPrevChild(onward))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self.handles is not None:
            self.handles.leave()
        self.crosshair.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Read values with arrows, zoom with plus and minus, show the whole with 0, hide the crosshair with Escape."""
        key = event.key()
        if self.handles is not None and self.handles.key(event):
            event.accept()
            return
        if key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(STEP)
        elif key == Qt.Key.Key_Minus:
            self.zoom(1 / STEP)
        elif key == Qt.Key.Key_0:
            self.reset()
        elif key == Qt.Key.Key_Escape and self.crosshair.visible:
            self.crosshair.hide()
        elif key in ARROWS and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self.crosshair.step(Qt.Key(key))
        else:
            event.ignore()
            return
        event.accept()
