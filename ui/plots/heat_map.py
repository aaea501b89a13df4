"""A heat map on the plot: the picture, its contour lines with their values, the bar of its colours, and their ticks."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from dpwizard.charts import Surface, chart_scene
from ui.plots.plot import pen
from ui.plots.zoom import ZoomPlot

ACROSS, UP = 4, 2  # pixels of the picture for each cell
HATCH = 14  # pixels from one line of the hatching to the next


class HeatMap:
    """Paints a surface in the colours of the model."""

    def __init__(self, plot: ZoomPlot) -> None:
        self.plot = plot
        self._image = pg.ImageItem(axisOrder="col-major")
        self._scale = pg.ImageItem(axisOrder="col-major")
        self._ticks: list[pg.TextItem] = []
        self._lines: list[pg.PlotCurveItem] = []
        self._levels: list[pg.TextItem] = []
        table = np.array([(*chart_scene.colour_at(i / 255), 255) for i in range(256)], dtype=np.ubyte)
        for image in (self._image, self._scale):
            image.setZValue(-30)
            image.hide()
            plot.add(image)
        self._table: np.ndarray = table
        self._scale.setLookupTable(table)

    def paint(self, surface: Surface) -> None:
        """Show SURFACE; while a part of it is looked at, without the bar of its colours."""
        plot = self.plot
        (left, right), (low, high) = plot.full()
        self._image.setImage(self._painted(surface), autoLevels=False, levels=(0, 255))
        self._image.setRect(QRectF(left, low, right - left, high - low))
        self._image.show()
        self._contours(surface)
        gap = (right - left) / max(plot.width() - 200, 100)
        self._scale.setImage(np.linspace(0.0, 1.0, 64)[None, :], autoLevels=False, levels=(0.0, 1.0))
        self._scale.setRect(QRectF(right + 14 * gap, low, 12 * gap, high - low))
        self._scale.setVisible(not plot.zoomed)
        axis = surface.values
        ends = axis.place(axis.low), axis.place(axis.high)
        while len(self._ticks) < len(axis.ticks):
            self._ticks.append(plot.words(plot.colours.quiet, anchor=(0, 0.5)))
        for index, tick in enumerate(self._ticks):
            tick.setVisible(index < len(axis.ticks) and not plot.zoomed)
            if index < len(axis.ticks):
                value, words = axis.ticks[index]
                share = (axis.place(value) - ends[0]) / (ends[1] - ends[0])
                tick.setText(words)
                tick.setPos(right + 29 * gap, low + (high - low) * min(max(share, 0.04), 0.96))

    def _painted(self, surface: Surface) -> np.ndarray:
        """Return the picture, some pixels for each cell: in colour, or hatched ground where there is no bound."""
        colours: np.ndarray = self._table[np.rint(255 * surface.shades()).astype(int)]
        found: np.ndarray = colours.repeat(ACROSS, axis=0).repeat(UP, axis=1)
        beyond = surface.beyond().repeat(ACROSS, axis=0).repeat(UP, axis=1)
        columns, rows = np.indices(beyond.shape)
        colour = QColor(self.plot.colours.line)
        line = (colour.red(), colour.green(), colour.blue(), 255)
        found[beyond] = (0, 0, 0, 0)
        found[beyond & ((columns + rows) % HATCH == 0)] = line
        return found

    def _contours(self, surface: Surface) -> None:
        """Draw a line at each tick of the colours, with its value where it is furthest from the edges."""
        while len(self._lines) < len(surface.contours):
            line = pg.PlotCurveItem(pen=pen("#FFFFFF", 1.0), connect="pairs")
            line.setZValue(-20)
            self.plot.add(line)
            self._lines.append(line)
            self._levels.append(self.plot.words("#FFFFFF", anchor=(0.5, 0.5)))
        for index, (line, words) in enumerate(zip(self._lines, self._levels, strict=True)):
            shown = index < len(surface.contours)
            line.setVisible(shown)
            words.setVisible(shown)
            if shown:
                ends = np.array(surface.contours[index].strokes).reshape(-1, 2)
                line.setData(ends[:, 0], ends[:, 1])
                words.setText(surface.contours[index].words)
                words.setPos(*_furthest_inside(ends, self.plot.full()))

    def hide(self) -> None:
        """Show nothing."""
        for item in (self._image, self._scale, *self._ticks, *self._lines, *self._levels):
            item.hide()


def _furthest_inside(points: np.ndarray, ends: tuple[tuple[float, float], tuple[float, float]]) -> tuple[float, float]:
    """Return the one of POINTS that lies furthest from the edges of the plot, whose axes go from END to END."""
    shares = [(points[:, at] - low) / (high - low) for at, (low, high) in enumerate(ends)]
    room = np.minimum.reduce([np.minimum(share, 1.0 - share) for share in shares])
    best = int(np.argmax(room))
    return float(points[best, 0]), float(points[best, 1])
