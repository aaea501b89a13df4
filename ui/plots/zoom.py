"""A plot that can be zoomed about a place, moved, and shown whole again."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF, Signal

from dpwizard.charts import Axis, Chart, Surface
from ui.plots.plot import Plot
from ui.widgets import theme

STEP = 1.25  # of the zoom, each time
CLOSEST = 400.0  # the largest zoom


class ZoomPlot(Plot):
    """Keeps the visible part of its axes; a subclass paints it."""

    reading = Signal(str)  # the values under the crosshair in words; "" without one
    shown: Chart | Surface | None = None

    def __init__(self, colours: theme.Colours, **options: Any) -> None:
        super().__init__(colours, **options)
        self._zoomed: tuple[tuple[float, float], tuple[float, float]] | None = None

    def show_plot(self, plot: Chart | Surface) -> None:
        """Paint PLOT."""
        raise NotImplementedError  # abstract

    @property
    def zoomed(self) -> bool:
        """Return whether only a part of the axes is shown."""
        return self._zoomed is not None

    def full(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the whole of both axes, as places."""
        assert self.shown is not None
        x, y = self.shown.x, self.shown.y
        return (x.place(x.low), x.place(x.high)), (y.place(y.low), y.place(y.high))

    def visible(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the part of both axes that is shown, as places."""
        return self._zoomed or self.full()

    def zoom(self, factor: float, about: tuple[float, float] | None = None) -> None:
        """Show a part of the axes FACTOR times as small about a place; below 1, a larger part, at most the whole."""
        if self.shown is None:
            return
        now, full = self.visible(), self.full()
        ranges = []
        for axis in (0, 1):
            (low, high), (least, most) = now[axis], full[axis]
            if axis == 1 and in_words(self.shown.y):
                ranges.append((least, most))
                continue
            centre = about[axis] if about is not None else (low + high) / 2
            share = (centre - low) / (high - low)
            span = min((high - low) / factor, most - least)
            span = max(span, (most - least) / CLOSEST)
            start = min(max(centre - share * span, least), most - span)
            ranges.append((start, start + span))
        whole = all(
            abs(a[0] - b[0]) + abs(a[1] - b[1]) < 1e-9 * (b[1] - b[0]) for a, b in zip(ranges, full, strict=True)
        )
        self._zoomed = None if whole else (ranges[0], ranges[1])
        self.show_plot(self.shown)

    def reset(self) -> None:
        """Show the whole of both axes again."""
        if self.shown is not None and self._zoomed is not None:
            self._zoomed = None
            self.show_plot(self.shown)

    def pan(self, across: float, up: float) -> None:
        """Move the visible part by fractions of its size; does nothing unless zoomed."""
        if self._zoomed is None or self.shown is None:
            return
        moved = []
        for (low, high), (least, most), by in zip(self._zoomed, self.full(), (across, up), strict=True):
            shift = min(max((high - low) * by, least - low), most - high)
            moved.append((low + shift, high + shift))
        self._zoomed = (moved[0], moved[1])
        self.show_plot(self.shown)

    def place_of(self, position: QPointF) -> tuple[float, float]:
        """Return the place on both axes under a position on the widget."""
        at = self.box.mapSceneToView(self.mapToScene(position.toPoint()))
        return at.x(), at.y()


def in_words(axis: Axis) -> bool:
    """Return whether the ticks of an axis are names, not numbers."""
    return not axis.title
