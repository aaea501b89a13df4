"""The look of every plot: no frame, light lines, few ticks, room at the right for words."""

from __future__ import annotations

import functools

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFocusEvent, QFont, QGuiApplication, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsGridLayout, QGraphicsItem, QGraphicsPathItem, QGraphicsView

from ui.widgets import theme

pg.setConfigOptions(antialias=True)

# for items that do not change during a drag: drawn once, and then copied
STILL = QGraphicsItem.CacheMode.DeviceCoordinateCache
ABOVE = 13  # pixels above the axes: room for the names of groups
OVERHANG = 40  # pixels by which the words at the ends of an axis may stick out: half of "1/1,000,000"


@functools.cache
def pen(colour: str, width: float = 1.0, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    """Return a cosmetic pen: its width is in logical pixels at any scale of the axes and of the screen."""
    cosmetic = QPen(QColor(colour))
    app = QGuiApplication.instance()
    # Qt counts the screen's own pixels
    cosmetic.setWidthF(width * (app.devicePixelRatio() if isinstance(app, QGuiApplication) else 1.0))
    cosmetic.setStyle(style)
    if width > 3.0:  # a bar ends where its number does
        cosmetic.setCapStyle(Qt.PenCapStyle.FlatCap)
    cosmetic.setCosmetic(True)
    return cosmetic


class Spot(QGraphicsPathItem):
    """A round or diamond mark of fixed size, which moves without being drawn again."""

    def __init__(self, depth: float) -> None:
        super().__init__()
        self.setFlag(QGraphicsPathItem.GraphicsItemFlag.ItemIgnoresTransformations)
        self.setZValue(depth)
        self._style: tuple[object, ...] = ()

    def show_at(self, x: float, y: float, size: float, edge: QPen, fill: str, *, diamond: bool = False) -> None:
        """Show the mark at a place of the plot, SIZE pixels wide."""
        style = (size, edge.color().name(), edge.widthF(), fill, diamond)
        if style != self._style:
            self._style = style
            half = size / 2
            path = QPainterPath()
            if diamond:
                path.addPolygon(
                    QPolygonF(
                        [QPointF(0, -half), QPointF(half, 0), QPointF(0, half), QPointF(-half, 0), QPointF(0, -half)]
                    )
                )
            else:
                path.addEllipse(QPointF(0, 0), half, half)
            self.setPath(path)
            self.setPen(edge)
            self.setBrush(QBrush(QColor(fill)))
        self.setPos(x, y)
        self.show()


class Plot(pg.GraphicsView):
    """A plot with fixed ranges: it does not measure itself again for new data, so it paints once.

    It is a view box between two axes. pyqtgraph's PlotItem would build a menu of 44 widgets in any case.
    """

    def __init__(self, colours: theme.Colours, *, height: int = 220, on_card: bool = False) -> None:
        super().__init__(background=colours.card if on_card else colours.ground)
        # a picture of one colour, as large as the plot, would be kept for nothing
        self.setCacheMode(self.CacheModeFlag.CacheNone)
        self.colours = colours
        self.setFixedHeight(height)
        inside = pg.GraphicsWidget()
        self.box = pg.ViewBox(parent=inside, enableMouse=False, enableMenu=False)
        self.box.disableAutoRange()
        self.bottom, self.left = (pg.AxisItem(orientation=side, parent=inside) for side in ("bottom", "left"))
        grid = QGraphicsGridLayout(inside)
        grid.setContentsMargins(0, ABOVE, OVERHANG, 5)  # the label hangs over by 5
        grid.setSpacing(0)
        grid.addItem(self.left, 0, 0)
        grid.addItem(self.box, 0, 1)
        grid.addItem(self.bottom, 1, 1)
        grid.setRowStretchFactor(0, 1)
        grid.setColumnStretchFactor(1, 1)
        self.layout_of_axes = grid
        font, plain = theme.font(theme.CAPTION), theme.font(theme.CAPTION)
        plain.setFeature(QFont.Tag("tnum"), 0)  # for names at the left: their hyphens would be as wide as figures
        for axis in (self.bottom, self.left):
            axis.linkToView(self.box)
            axis.setZValue(0.5)  # above pictures
            axis.setPen(pen(colours.line))
            axis.setTickPen(pen(colours.field_line))
            axis.setTextPen(pen(colours.quiet))
            ticks = font if axis is self.bottom else plain
            axis.setStyle(
                tickFont=ticks,
                tickLength=4,
                autoExpandTextSpace=False,
                tickTextOffset=6,
                hideOverlappingLabels=OVERHANG,
            )
            axis.label.setFont(font)
            axis.enableAutoSIPrefix(False)
            axis.setCacheMode(STILL)
            axis.geometryChanged.connect(self._redraw_axes)
        self.left.setPen(pen(colours.card if on_card else colours.ground))
        self.bottom.setHeight(44)
        self._label = ""
        self.setCentralItem(inside)

    def close(self) -> bool:
        """Close the widget; its scene goes with it. (pyqtgraph clears it first, which makes Qt crash.)"""
        return QGraphicsView.close(self)

    def _redraw_axes(self) -> None:
        """Drop the caches of the axes: after a resize, Qt would paint their old ticks."""
        for axis in (self.bottom, self.left):
            axis.setCacheMode(QGraphicsItem.CacheMode.NoCache)
            axis.setCacheMode(STILL)

    def add(self, item: QGraphicsItem) -> None:
        """Add ITEM to the plot, in the coordinates of the axes."""
        self.box.addItem(item, ignoreBounds=True)

    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:
        """Draw a ring around the plot while it has the focus."""
        super().drawForeground(painter, rect)
        if self.hasFocus():
            painter.save()
            painter.resetTransform()
            painter.setPen(QPen(QColor(self.colours.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.viewport().rect()).adjusted(1, 1, -1, -1), 4, 4)
            painter.restore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def set_label(self, words: str) -> None:
        """Set the title of the bottom axis."""
        if words != self._label:
            self._label = words
            self.bottom.setLabel(words, color=self.colours.quiet)
