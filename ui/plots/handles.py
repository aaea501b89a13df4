"""Handles in a plot, moved with mouse or keyboard; they only signal what is asked for, the page changes the profile."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent

from dpwizard.charts import Handle
from ui.plots.plot import Spot, pen
from ui.plots.zoom import ZoomPlot

REACH = 12  # pixels around a handle in which it is seized
FINE, COARSE = 200, 20  # steps of the keyboard across what is visible
LEAST_STEP = 0.0055  # of a power of ten: the smallest step that shows in three digits
SIZE, LARGE = 12, 15  # pixels
ARROW_STEPS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, 1), Qt.Key.Key_Down: (0, -1)}


class Handles(QObject):
    """The handles of one plot, from left to right: Tab goes to them, arrows move them, Insert and Delete edit knots."""

    moved = Signal(int, float, float)  # the handle, and the values of x and y asked for
    settled = Signal()  # a drag or a stretch of keys has ended
    added = Signal(float)  # the value of x at which a knot is asked for
    removed = Signal(int)
    taken = Signal(int)  # the handle that is dragged or has the keyboard; -1: none

    def __init__(self, plot: ZoomPlot) -> None:
        super().__init__(plot)
        self.plot = plot
        self.shown: tuple[Handle, ...] = ()
        self.grows = False  # whether knots can be added and removed
        self.at = -1  # the one with the keyboard
        self._dragged = -1  # the one under the mouse button
        self._grip_offset = QPointF()  # from the pointer to the middle of the dragged one
        self._moved_by_keys = False  # since it got the keyboard
        self._spots: list[Spot] = []

    @property
    def busy(self) -> bool:
        """Return whether one is being dragged."""
        return self._dragged >= 0

    def show(self, handles: Sequence[Handle], grows: bool = False) -> None:
        """Show HANDLES from now on; the one that is dragged stays so."""
        offered = tuple(handles)
        if offered == self.shown and grows == self.grows:
            return
        self.shown, self.grows = offered, grows
        if self.at >= len(offered):
            self._give_keyboard(-1)
        if self._dragged >= len(offered):
            self.release()
        self.place()

    def place(self) -> None:
        """Paint every handle where it belongs on the axes shown."""
        chart = self.plot.shown
        if chart is None:
            return
        while len(self._spots) < len(self.shown):
            self._spots.append(Spot(40))
            self.plot.add(self._spots[-1])
        for spot in self._spots[len(self.shown) :]:
            spot.hide()
        for index, handle in enumerate(self.shown):
            x, y = self._place_of(handle)
            taken = index in (self.at, self._dragged)
            edge = pen(self.plot.colours.text if taken else self.plot.colours.accent, 2)
            fill = self.plot.colours.accent if taken else self.plot.colours.card
            self._spots[index].show_at(x, y, LARGE if taken else SIZE, edge, fill, diamond=handle.way != "both")

    def _place_of(self, handle: Handle) -> tuple[float, float]:
        """Return the place of HANDLE on the axes; one above the upper end is shown at it."""
        chart = self.plot.shown
        assert chart is not None
        _, (low, high) = self.plot.visible()
        return chart.x.place(handle.x), min(max(chart.y.place(max(handle.y, 1e-300)), low), high)

    def _pixel_of(self, handle: Handle) -> QPointF:
        place = self.plot.box.mapViewToScene(QPointF(*self._place_of(handle)))
        return QPointF(self.plot.mapFromScene(place))

    def under(self, position: QPointF) -> int:
        """Return the handle at POSITION on the widget, or -1; one with a line is seized anywhere on it."""
        best, least = -1, float(REACH)
        if self.plot.shown is None:
            return best
        for index, handle in enumerate(self.shown):
            offset = self._pixel_of(handle) - position
            distance = abs(offset.x()) * 2 if handle.line else (offset.x() ** 2 + offset.y() ** 2) ** 0.5
            if distance < least:
                best, least = index, distance
        return best

    # ------------------------------------------------------------------------------ mouse

    def seize(self, position: QPointF) -> bool:
        """Start to drag the handle at POSITION; return whether there is one."""
        self._dragged = self.under(position)
        if self._dragged < 0:
            return False
        self._grip_offset = self._pixel_of(self.shown[self._dragged]) - position
        self._give_keyboard(self._dragged)
        return True

    def follow(self, position: QPointF) -> bool:
        """Move the dragged handle with the pointer; return whether one is dragged."""
        if self._dragged < 0:
            at = self.under(position)
            self.plot.setCursor(Qt.CursorShape.ArrowCursor if at < 0 else _cursor_shape(self.shown[at]))
            return False
        chart = self.plot.shown
        assert chart is not None
        x, y = self.plot.place_of(position + self._grip_offset)
        self.moved.emit(self._dragged, chart.x.value(x), chart.y.value(y))
        return True

    def release(self) -> None:
        """End the drag."""
        if self._dragged >= 0:
            self._dragged = -1
            self.settled.emit()
            self.place()

    def double_click(self, position: QPointF) -> bool:
        """Ask for a knot at POSITION unless a handle is there; return whether that was done."""
        chart = self.plot.shown
        if not self.grows or chart is None or self.plot.zoomed or self.under(position) >= 0:
            return False
        self.added.emit(chart.x.value(self.plot.place_of(position)[0]))
        return True

    # --------------------------------------------------------------------------- keyboard

    def step(self, onward: bool) -> bool:
        """Go to the next or previous handle; return False if there is none, so that the focus leaves the plot."""
        if not self.plot.isVisible() or not self.shown:
            return False
        following = self.at + (1 if onward else -1)
        if (not onward and self.at < 0) or following >= len(self.shown):
            return False
        self._give_keyboard(following)
        return True

    def leave(self) -> None:
        """Take the keyboard from the handle."""
        self._give_keyboard(-1)

    def reach(self, index: int) -> None:
        """Give the keyboard to handle INDEX."""
        self.plot.setFocus(Qt.FocusReason.OtherFocusReason)
        self._give_keyboard(index)

    def _give_keyboard(self, index: int) -> None:
        if index == self.at:
            return
        if self._moved_by_keys:
            self._moved_by_keys = False
            self.settled.emit()
        self.at = index
        self.place()
        self.taken.emit(index)

    def key(self, event: QKeyEvent) -> bool:
        """Handle a key for the handle with the keyboard; return whether it was used."""
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Insert and self.grows:
            self.added.emit(self._x_of_new_knot())
            return True
        if self.at < 0 or self.at >= len(self.shown):
            return False
        if key == Qt.Key.Key_Escape:
            self._give_keyboard(-1)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self.grows:
            self.removed.emit(self.at)
        elif key in ARROW_STEPS and not event.modifiers() & ~(
            Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier
        ):
            self._nudge(*ARROW_STEPS[key], COARSE if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else FINE)
        else:
            return False
        return True

    def _nudge(self, across: int, up: int, steps: int) -> None:
        chart, handle = self.plot.shown, self.shown[self.at]
        assert chart is not None
        values = []
        for axis, (low, high), value, direction in zip(
            (chart.x, chart.y), self.plot.visible(), (handle.x, handle.y), (across, up), strict=True
        ):
            size = max((high - low) / steps, LEAST_STEP * (FINE / steps) if axis.logarithmic else 0.0)
            values.append(axis.value(axis.place(max(value, 1e-300)) + direction * size) if direction else value)
        self._moved_by_keys = True
        self.moved.emit(self.at, values[0], values[1])

    def _x_of_new_knot(self) -> float:
        """Return the value of x halfway from the current handle to the next one, or to the end."""
        chart = self.plot.shown
        assert chart is not None
        (left, right), _ = self.plot.visible()
        places = [chart.x.place(handle.x) for handle in self.shown]
        start = places[self.at] if 0 <= self.at < len(places) else left
        end = next((place for place in places if place > start + 1e-9), right)
        if end <= start + 1e-9:
            start, end = (places[-2] if len(places) > 1 else left), start
        return chart.x.value((start + end) / 2)


def _cursor_shape(handle: Handle) -> Qt.CursorShape:
    ways = {
        "both": Qt.CursorShape.SizeAllCursor,
        "up": Qt.CursorShape.SizeVerCursor,
        "across": Qt.CursorShape.SizeHorCursor,
    }
    return ways[handle.way]
