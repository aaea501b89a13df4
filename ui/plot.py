"""What every plot looks like: no frame, light lines, few ticks, room at the right for the ends of words."""

from __future__ import annotations

import functools

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPen

from ui import theme

pg.setConfigOptions(antialias=True)

OVERHANG = 40  # pixels by which the words at the ends of an axis may stand out: half of "1/1,000,000"


@functools.cache
def pen(colour: str, width: float = 1.0, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    """Return a cosmetic pen: its width is in logical pixels, whatever the scale of the axes and of the screen."""
    made = QPen(QColor(colour))
    app = QGuiApplication.instance()
    made.setWidthF(width * (app.devicePixelRatio() if isinstance(app, QGuiApplication) else 1.0))  # Qt counts the screen's own pixels
    made.setStyle(style)
    made.setCosmetic(True)
    return made


class Plot(pg.PlotWidget):
    """A plot with fixed ranges: setting data never makes it measure itself again, so it paints once."""

    def __init__(self, colours: theme.Colours, *, height: int = 220, on_card: bool = False) -> None:
        super().__init__(background=colours.card if on_card else colours.ground)
        self.colours = colours
        self.setFixedHeight(height)
        self.setFrameShape(pg.QtWidgets.QFrame.Shape.NoFrame)
        item = self.getPlotItem()
        item.hideButtons()
        item.setMenuEnabled(False)
        item.disableAutoRange()
        item.setMouseEnabled(x=False, y=False)
        item.layout.setContentsMargins(0, theme.NEAR, OVERHANG, 5)  # the label hangs over by 5
        font = theme.font(theme.CAPTION)
        for name in ("bottom", "left"):
            axis = item.getAxis(name)
            axis.setPen(pen(colours.line))
            axis.setTickPen(pen(colours.field_line))
            axis.setTextPen(pen(colours.quiet))
            axis.setStyle(tickFont=font, tickLength=4, autoExpandTextSpace=False, tickTextOffset=6, hideOverlappingLabels=OVERHANG)
            axis.label.setFont(font)
            axis.enableAutoSIPrefix(False)
        item.getAxis("left").setPen(pen(colours.card if on_card else colours.ground))
        item.getAxis("bottom").setHeight(44)
        self._label = ""

    def set_label(self, words: str) -> None:
        """Say what the bottom axis shows."""
        if words != self._label:
            self._label = words
            self.setLabel("bottom", words, color=self.colours.quiet)

    def words(self, colour: str = "", *, anchor: tuple[float, float] = (0, 0.5), bold: bool = False) -> pg.TextItem:
        """Return a text that can be placed at a point of the plot."""
        item = pg.TextItem(color=colour or self.colours.text, anchor=anchor)
        item.setFont(theme.font(theme.CAPTION, theme.QFont.Weight.DemiBold if bold else theme.QFont.Weight.Normal))
        self.addItem(item, ignoreBounds=True)
        return item
