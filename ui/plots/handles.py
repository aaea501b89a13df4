"""What a hand can take hold of in a plot: dragged with the mouse, or moved with the keyboard. It moves nothing itself:
it tells."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent

from dpwizard.charts import Handle
from ui.plots.plot import Spot, pen
from ui.plots.zoom import ZoomPlot

REACH = 12  # pixels around a handle at which it is seized
FINE, COARSE = 200, 20  # steps of the keyboard across what is visible
LEAST = 0.0055  # of a power of ten: the smallest step that shows in three digits
SIZE, LARGE = 12, 15  # pixels
WAYS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, 1), Qt.Key.Key_Down: (0, -1)}


class Handles(QObject):
    """The handles of one plot, from left to right. Tab goes to them, arrows move them, Insert and Delete add and remove
    knots."""

    moved = Signal(int, float, float)  # which one, and the value on either axis that the hand asks for
    settled = Signal()  # the hand has let go
    added = Signal(float)  # a knot is asked for at this value of the x axis
    removed = Signal(int)
    taken = Signal(int)  # which one is in hand or has the keyboard; -1: none

    def __init__(self, plot: ZoomPlot) -> None:
        super().__init__(plot)
        self.plot = plot
        self.shown: tuple[Handle, ...] = ()
        self.grows = False  # whether knots can be added and removed
        self.at = -1  # the one with the keyboard
        self._held = -1  # the one under the mouse button
        self._off = QPointF()  # from the pointer to its middle
        self._moving = False  # keys have moved it since it was reached
        self._spots: list[Spot] = []

    @property
    def busy(self) -> bool:
        """Return whether one is being dragged."""
        return self._held >= 0

    def show(self, handles: Sequence[Handle], grows: bool = False) -> None:
        """Offer HANDLES from now on; the one in hand stays in hand."""
        found = tuple(handles)
        if found == self.shown and grows == self.grows:
            return
        self.shown, self.grows = found, grows
        if self.at >= len(found):
            self._reach(-1)
        if self._held >= len(found):
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
            x, y = self._place(handle)
            taken = index in (self.at, self._held)
            edge = pen(self.plot.colours.text if taken else self.plot.colours.accent, 2)
            fill = self.plot.colours.accent if taken else self.plot.colours.card
            self._spots[index].show_at(x, y, LARGE if taken else SIZE, edge, fill, diamond=handle.way != "both")

    def _place(self, handle: Handle) -> tuple[float, float]:
        """Return where HANDLE stands on the axes; one beyond the upper end is shown at it."""
        chart = self.plot.shown
        assert chart is not None
        _, (low, high) = self.plot.visible()
        return chart.x.place(handle.x), min(max(chart.y.place(max(handle.y, 1e-300)), low), high)

    def _pixel(self, handle: Handle) -> QPointF:
        place = self.plot.box.mapViewToScene(QPointF(*self._place(handle)))
        return QPointF(self.plot.mapFromScene(place))

    def under(self, position: QPointF) -> int:
        """Return the handle at POSITION on the widget, or -1; one that only goes across is seized anywhere on its
        line."""
        best, least = -1, float(REACH)
        if self.plot.shown is None:
            return best
        for index, handle in enumerate(self.shown):
            off = self._pixel(handle) - position
            far = abs(off.x()) * 2 if handle.line else (off.x() ** 2 + off.y() ** 2) ** 0.5
            if far < least:
                best, least = index, far
        return best

    # ------------------------------------------------------------------------------ mouse

    def seize(self, position: QPointF) -> bool:
        """Take hold of what is at POSITION; return whether anything is."""
        self._held = self.under(position)
        if self._held < 0:
            return False
        self._off = self._pixel(self.shown[self._held]) - position
        self._reach(self._held)
        return True

    def follow(self, position: QPointF) -> bool:
        """Let what is in hand go with the pointer; return whether something is in hand."""
        if self._held < 0:
            at = self.under(position)
            self.plot.setCursor(Qt.CursorShape.ArrowCursor if at < 0 else _cursor(self.shown[at]))
            return False
        chart = self.plot.shown
        assert chart is not None
        x, y = self.plot.place_of(position + self._off)
        self.moved.emit(self._held, chart.x.value(x), chart.y.value(y))
        return True

    def release(self) -> None:
        """Let go."""
        if self._held >= 0:
            self._held = -1
            self.settled.emit()
            self.place()

    def double_click(self, position: QPointF) -> bool:
        """Add a knot where somebody clicked twice, beside every handle; return whether that was done."""
        chart = self.plot.shown
        if not self.grows or chart is None or self.plot.zoomed or self.under(position) >= 0:
            return False
        self.added.emit(chart.x.value(self.plot.place_of(position)[0]))
        return True

    # --------------------------------------------------------------------------- keyboard

    def step(self, onward: bool) -> bool:
        """Go to the next handle, or back; return False where there is none further: the keyboard goes on to another
        control."""
        if not self.plot.isVisible() or not self.shown:
            return False
        to = self.at + (1 if onward else -1)
        if not onward and self.at < 0:
            return False
        if to >= len(self.shown):
            return False
        self._reach(to)
        return True

    def leave(self) -> None:
        """Let the keyboard go elsewhere."""
        self._reach(-1)

    def reach(self, index: int) -> None:
        """Give the keyboard to handle INDEX."""
        self.plot.setFocus(Qt.FocusReason.OtherFocusReason)
        self._reach(index)

    def _reach(self, index: int) -> None:
        if index == self.at:
            return
        if self._moving:
            self._moving = False
            self.settled.emit()
        self.at = index
        self.place()
        self.taken.emit(index)

    def key(self, event: QKeyEvent) -> bool:
        """Do what a key asks of the handle that has the keyboard; return whether that was anything."""
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Insert and self.grows:
            self.added.emit(self._between())
            return True
        if self.at < 0 or self.at >= len(self.shown):
            return False
        if key == Qt.Key.Key_Escape:
            self._reach(-1)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self.grows:
            self.removed.emit(self.at)
        elif key in WAYS and not event.modifiers() & ~(
            Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier
        ):
            self._nudge(*WAYS[key], COARSE if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else FINE)
        else:
            return False
        return True

    def _nudge(self, across: int, up: int, steps: int) -> None:
        chart, handle = self.plot.shown, self.shown[self.at]
        assert chart is not None
        wanted = []
        for axis, (low, high), value, way in zip(
            (chart.x, chart.y), self.plot.visible(), (handle.x, handle.y), (across, up), strict=True
        ):
            size = max((high - low) / steps, LEAST * (FINE / steps) if axis.logarithmic else 0.0)
            wanted.append(axis.value(axis.place(max(value, 1e-300)) + way * size) if way else value)
        self._moving = True
        self.moved.emit(self.at, wanted[0], wanted[1])

    def _between(self) -> float:
        """Return the value of the x axis halfway from the handle that has the keyboard to the next one, or to the
        end."""
        chart = self.plot.shown
        assert chart is not None
        (left, right), _ = self.plot.visible()
        places = [chart.x.place(handle.x) for handle in self.shown]
        start = places[self.at] if 0 <= self.at < len(places) else left
        end = next((place for place in places if place > start + 1e-9), right)
        if end <= start + 1e-9:
            start, end = (places[-2] if len(places) > 1 else left), start
        return chart.x.value((start + end) / 2)


def _cursor(handle: Handle) -> Qt.CursorShape:
    ways = {
        "both": Qt.CursorShape.SizeAllCursor,
        "up": Qt.CursorShape.SizeVerCursor,
        "across": Qt.CursorShape.SizeHorCursor,
    }
    return ways[handle.way]
