"""The crosshair, moved by the pointer or arrow keys, which reads the values of a plot in words."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import Qt

from dpwizard.charts import Surface, charts
from ui.plots.plot import pen
from ui.plots.zoom import ZoomPlot


class Crosshair:
    """Two lines through the point read; only the vertical one on a chart of curves."""

    def __init__(self, plot: ZoomPlot) -> None:
        self.plot = plot
        self._lines = tuple(pg.InfiniteLine(angle=angle, pen=pen(plot.colours.accent)) for angle in (90, 0))
        for line in self._lines:
            plot.add(line)
            line.hide()
            line.setZValue(30)
        self._point_index: int | None = None  # the point read with the arrow keys

    @property
    def visible(self) -> bool:
        """Return whether a value is read."""
        return bool(self._lines[0].isVisible())

    def read_at(self, x: float, y: float) -> str:
        """Go to the point nearest to the place X, Y; return its values in words."""
        plot = self.plot.shown
        if plot is None:
            return ""
        (left, right), _ = self.plot.visible()
        if not left <= x <= right:
            self.hide()
            return ""
        if isinstance(plot, Surface):
            i, j = plot.cell(plot.x.value(x), plot.y.value(y))
            at, up = float(plot.at_x[i]), float(plot.at_y[j])
            value = charts.axis_words(plot.values, float(plot.grid[i, j]))
            words = f"{charts.axis_words(plot.x, at)}, {charts.axis_words(plot.y, up)}: {plot.name} {value}"
            self._show_point(plot.x.place(at), plot.y.place(up), words)
            return words
        at, words = charts.reading(plot, plot.x.value(x))
        if words:
            self._show_point(plot.x.place(at), y, words)
        return words

    def step(self, key: Qt.Key) -> None:
        """Go to the next point in the direction of KEY: an arrow, Home or End."""
        plot = self.plot.shown
        if plot is None:
            return
        if isinstance(plot, Surface):
            columns, rows = plot.grid.shape
            at = self._point_index if self._point_index is not None else (columns // 2) * rows + rows // 2
            i, j = divmod(at, rows)
            i += (key == Qt.Key.Key_Right) - (key == Qt.Key.Key_Left)
            j += (key == Qt.Key.Key_Up) - (key == Qt.Key.Key_Down)
            i, j = min(max(i, 0), columns - 1), min(max(j, 0), rows - 1)
            self._point_index = i * rows + j
            self.read_at(plot.x.place(float(plot.at_x[i])), plot.y.place(float(plot.at_y[j])))
            return
        places = charts.places_of(plot)
        if not places:
            return
        by = (key in (Qt.Key.Key_Right, Qt.Key.Key_Up)) - (key in (Qt.Key.Key_Left, Qt.Key.Key_Down))
        if key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._point_index = 0 if key == Qt.Key.Key_Home else len(places) - 1
        else:
            self._point_index = 0 if self._point_index is None else min(max(self._point_index + by, 0), len(places) - 1)
        _, (low, high) = self.plot.visible()
        self.read_at(plot.x.place(places[self._point_index]), (low + high) / 2)

    def _show_point(self, x: float, y: float, words: str) -> None:
        for line, place in zip(self._lines, (x, y), strict=True):
            line.setPos(place)
        self._lines[0].show()
        self._lines[1].setVisible(isinstance(self.plot.shown, Surface))
        self.plot.setAccessibleDescription(words)
        self.plot.reading.emit(words)

    def hide(self) -> None:
        """Hide the crosshair."""
        if self.visible:
            for line in self._lines:
                line.hide()
            self.plot.reading.emit("")
