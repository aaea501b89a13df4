"""A heat map on the plot: the picture, the bar of its colours, and their ticks."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF

from dpwizard.charts import Surface, chart_scene
from ui.plots.zoom import ZoomPlot
from ui.widgets import tr


class HeatMap:
    """Paints a surface in the colours of the model."""

    def __init__(self, plot: ZoomPlot) -> None:
        self.plot = plot
        self._image = pg.ImageItem(axisOrder="col-major")
        self._scale = pg.ImageItem(axisOrder="col-major")
        self._ticks: list[pg.TextItem] = []
        table = np.array([chart_scene.colour_at(i / 255) for i in range(256)], dtype=np.ubyte)
        for image in (self._image, self._scale):
            image.setLookupTable(table)
            image.setZValue(-30)
            image.hide()
            plot.add(image)

    def paint(self, surface: Surface) -> None:
        """Show SURFACE; while a part of it is looked at, without the bar of its colours."""
        plot = self.plot
        (left, right), (low, high) = plot.full()
        self._image.setImage(surface.shades(), autoLevels=False, levels=(0.0, 1.0))
        self._image.setRect(QRectF(left, low, right - left, high - low))
        self._image.show()
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
                tick.setText(words if share < 1 else tr("{most} or more", most=words))
                tick.setPos(right + 29 * gap, low + (high - low) * min(max(share, 0.04), 0.96))

    def hide(self) -> None:
        """Show nothing."""
        for item in (self._image, self._scale, *self._ticks):
            item.hide()
